//! Which users' memories stay ready to be searched, and how they are read from the store.

use super::Indexed;
use crate::error::Result;
use crate::host::Host;
use crate::memories::snapshot::{MemoryHead, Snapshot};
use crate::scope::Scope;
use crate::store;
use crate::vector::{self, external};
use std::cell::RefCell;
use std::rc::Rc;

/// Users whose index stays in memory.
const INDEXES: usize = 8;

/// Indexes of the users that this instance served last. They are only ever used after the store
/// said that nothing has changed since.
#[derive(Debug, Default)]
pub struct Indexes(RefCell<Vec<(String, Rc<Indexed>)>>);

impl Indexes {
    /// The index of the user's memories as they are now, of the hot ones or also of the `cold`;
    /// none before the first memory.
    pub async fn open<H: Host>(
        &self,
        host: &H,
        scope: &Scope,
        cold: bool,
    ) -> Result<Option<Rc<Indexed>>> {
        if cold {
            return Ok(build(host, scope, true).await?.map(Rc::new));
        }
        let key = scope.memory_head_key();
        let Some(head) = store::read::<H, MemoryHead>(host, &key).await? else {
            return Ok(None);
        };
        if let Some(known) = self
            .take(&key)
            .filter(|known| known.version() == head.version)
        {
            self.keep(key, known.clone());
            return Ok(Some(known));
        }
        let Some(indexed) = build(host, scope, false).await? else {
            return Ok(None);
        };
        let indexed = Rc::new(indexed);
        self.keep(key, indexed.clone());
        Ok(Some(indexed))
    }

    /// Drops what is kept of a user.
    pub fn drop(&self, scope: &Scope) {
        self.take(&scope.memory_head_key());
    }

    fn take(&self, key: &str) -> Option<Rc<Indexed>> {
        let mut kept = self.0.borrow_mut();
        let at = kept.iter().position(|(other, _)| other == key)?;
        Some(kept.remove(at).1)
    }

    fn keep(&self, key: String, indexed: Rc<Indexed>) {
        let mut kept = self.0.borrow_mut();
        kept.retain(|(other, _)| *other != key);
        kept.insert(0, (key, indexed));
        kept.truncate(INDEXES);
    }
}

async fn build<H: Host>(host: &H, scope: &Scope, cold: bool) -> Result<Option<Indexed>> {
    let snapshot = Snapshot::read(host, scope).await?;
    let Some(version) = snapshot.version().map(str::to_owned) else {
        return Ok(None);
    };
    let indexed = Indexed::new(version, snapshot.memories, cold);
    if external::is_there(host) {
        return Ok(Some(indexed));
    }
    let vectors = vector::read(host, scope).await?;
    Ok(Some(indexed.with_vectors(vectors)))
}
