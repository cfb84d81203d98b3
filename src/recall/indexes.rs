//! Which users' memories stay ready to be searched, and how they are read from the store.

use super::Indexed;
use super::kept::{self, Changed};
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Entry, Host};
use crate::memories::known::Known;
use crate::memories::log;
use crate::memories::snapshot::{MemoryHead, Snapshot};
use crate::scope::Scope;
use crate::sorted::Names;
use crate::store::{self, Record};
use crate::table::Table;
use crate::vector::{self, Vector, external};
use std::cell::RefCell;
use std::rc::Rc;

/// Users whose index stays in memory.
const INDEXES: usize = 8;
/// Times an index is brought up to date before others are too fast.
const TRIES: usize = 8;

/// Indexes of the users that this instance served last. They are only ever used after the store
/// said that nothing has changed since.
#[derive(Debug, Default)]
pub struct Indexes {
    ready: RefCell<Vec<(String, Rc<Indexed>)>>,
    /// What is known for comparing new memories with those that are there.
    pub known: Known,
}

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
        for _ in 0..TRIES {
            let known = self.version(&key);
            let mut keys = vec![key.clone()];
            keys.push_all(known.is_none().then(|| scope.index_head_key()));
            let mut entries = store::get(host, &keys).await?.into_iter();
            let Some(entry) = entries.next().flatten() else {
                self.take(&key);
                return Ok(None);
            };
            let head: Record<MemoryHead> = store::record(entry)?;
            let Some(known) = known else {
                return self
                    .first(host, scope, &head, entries.next().flatten())
                    .await;
            };
            let ids = match known == head.version {
                true => Names::new(),
                false => match log::since(&head.value.log, &known) {
                    Some(ids) => ids,
                    None => {
                        self.take(&key);
                        continue;
                    }
                },
            };
            let changed = kept::changed(host, scope, ids).await?;
            let vectors = match compares(host) {
                true => vectors_of(host, scope, &changed).await?,
                false => Table::default(),
            };
            // Another call may have brought it up to date meanwhile, or even further.
            if let Some(mut indexed) = self.take(&key) {
                if indexed.version == known && known != head.version {
                    let mine = Rc::make_mut(&mut indexed);
                    mine.follow(scope, &head.version, changed, vectors);
                }
                let is_now = indexed.version == head.version;
                if !indexed.has_too_many_gaps() {
                    self.keep(key.clone(), indexed.clone());
                }
                if is_now {
                    return Ok(Some(indexed));
                }
            }
        }
        // Others change them all the time: what they were at one moment will do.
        Ok(build(host, scope, false).await?.map(Rc::new))
    }

    /// The first index of a user in this instance.
    async fn first<H: Host>(
        &self,
        host: &H,
        scope: &Scope,
        head: &Record<MemoryHead>,
        entry: Option<Entry>,
    ) -> Result<Option<Rc<Indexed>>> {
        let indexed = match kept::load(host, scope, head, entry.as_ref()).await? {
            Some(indexed) => indexed,
            None => match build(host, scope, false).await? {
                Some(indexed) => indexed,
                None => return Ok(None),
            },
        };
        let indexed = Rc::new(indexed);
        self.keep(head.key.clone(), indexed.clone());
        Ok(Some(indexed))
    }

    /// Drops what is kept of a user.
    pub fn drop(&self, scope: &Scope) {
        self.take(&scope.memory_head_key());
        self.known.drop(scope);
    }

    fn version(&self, key: &str) -> Option<String> {
        let kept = self.ready.borrow();
        let known = kept.iter().find(|(other, _)| other == key);
        known.map(|(_, indexed)| indexed.version.clone())
    }

    fn take(&self, key: &str) -> Option<Rc<Indexed>> {
        let mut kept = self.ready.borrow_mut();
        let at = kept.iter().position(|(other, _)| other == key)?;
        Some(kept.remove(at).1)
    }

    fn keep(&self, key: String, indexed: Rc<Indexed>) {
        let mut kept = self.ready.borrow_mut();
        kept.retain(|(other, _)| *other != key);
        kept.insert(0, (key, indexed));
        kept.truncate(INDEXES);
    }
}

/// The index of all memories, read one by one.
async fn build<H: Host>(host: &H, scope: &Scope, cold: bool) -> Result<Option<Indexed>> {
    let snapshot = Snapshot::read(host, scope).await?;
    let Some(version) = snapshot.version().map(str::to_owned) else {
        return Ok(None);
    };
    let mut indexed = Indexed::new(version, snapshot.memories, cold);
    fill(host, scope, &mut indexed).await?;
    indexed.let_go();
    Ok(Some(indexed))
}

/// Whether embeddings are compared here.
pub(super) fn compares<H: Host>(host: &H) -> bool {
    host.has_embeddings() && !external::is_there(host)
}

/// Adds the embeddings.
pub(super) async fn fill<H: Host>(host: &H, scope: &Scope, indexed: &mut Indexed) -> Result<()> {
    if compares(host) {
        indexed.has_rows = true;
        vector::each(host, scope, |id, vector| indexed.set_vector(id, vector)).await?;
    }
    Ok(())
}

/// The embeddings of what these memories are by now.
pub(crate) async fn vectors_of<H: Host>(
    host: &H,
    scope: &Scope,
    changed: &Changed,
) -> Result<Table<Vector>> {
    let there = changed.iter().filter(|(_, memory)| memory.is_some());
    let ids: Vec<String> = there.map(|(id, _)| id.clone()).gather();
    match host.has_embeddings() && !ids.is_empty() {
        true => vector::read_some(host, scope, &ids).await,
        false => Ok(Table::default()),
    }
}
