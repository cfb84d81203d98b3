//! The vector store follows the user's memories (M8).

use super::effect::Attempt;
use crate::config::Config;
use crate::error::Result;
use crate::gather::Gather;
use crate::host::{Host, VectorItem};
use crate::memory::Memory;
use crate::scope::Scope;
use crate::store::{self, Record};
use crate::table::Table;
use crate::vector::{self, external};

/// Times that an attempt looks at the memories before it leaves them to the next one.
const LOOKS: usize = 4;

/// Brings the vector store to what these memories are now, whatever they were when this was
/// planned: an attempt that comes late neither brings back what was forgotten since nor takes away
/// what was restored. It looks again after it has told the store: of two attempts at once, that of a
/// memory's last change may have come first.
pub(super) async fn attempt<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    ids: &[String],
) -> Result<Attempt> {
    if !host.has_vectors() {
        return Ok(Attempt::Failed("there is no vector store".to_owned()));
    }
    let mut told = None;
    for _ in 0..LOOKS {
        let wanted = Wanted::read(host, scope, ids).await?;
        if told.as_ref() == Some(&wanted) {
            return Ok(Attempt::Done);
        }
        if let Err(why) = wanted.tell(host, scope, config.outbox.timeout_ms).await {
            return Ok(Attempt::Failed(why));
        }
        told = Some(wanted);
    }
    Ok(Attempt::Failed("the memories kept changing".to_owned()))
}

/// What the vector store is to hold of some memories.
#[derive(PartialEq)]
struct Wanted {
    items: Vec<VectorItem>,
    /// Ids there.
    gone: Vec<String>,
}

impl Wanted {
    async fn read<H: Host>(host: &H, scope: &Scope, ids: &[String]) -> Result<Self> {
        let namespace = external::namespace(scope);
        let (mut items, mut gone) = (Vec::new(), Vec::new());
        let keys: Vec<String> = ids.iter().map(|id| scope.memory_key(id)).gather();
        let embeddings = vector::read_some(host, scope, ids).await?;
        let entries = store::get(host, &keys).await?;
        let records: Vec<Record<Memory>> =
            store::decode_all(host, entries.into_iter().flatten().gather());
        let records = records.into_iter();
        let memories = records.map(|record| (record.value.id.clone(), record.value));
        let mut memories: Table<Memory> = memories.collect();
        for id in ids {
            let memory = memories.remove(id);
            let id_there = external::id(scope, id);
            match (memory.filter(external::belongs), embeddings.get(id)) {
                (Some(memory), Some(vector)) => items.push(VectorItem {
                    id: id_there,
                    namespace: namespace.clone(),
                    cube: memory.cube(),
                    vector: vector.unit(),
                }),
                // Without an embedding there is nothing to find it by.
                _ => gone.push(id_there),
            }
        }
        Ok(Self { items, gone })
    }

    async fn tell<H: Host>(
        &self,
        host: &H,
        scope: &Scope,
        timeout: u64,
    ) -> std::result::Result<(), String> {
        let namespace = external::namespace(scope);
        if !self.gone.is_empty() {
            let deleted = host.vector_delete(&namespace, &self.gone, timeout).await;
            deleted.map_err(|error| format!("delete: {}", error.0))?;
        }
        if !self.items.is_empty() {
            let upserted = host.vector_upsert(&self.items, timeout).await;
            upserted.map_err(|error| format!("upsert: {}", error.0))?;
        }
        Ok(())
    }
}
