//! The vector store follows the user's memories (M8).

use super::effect::Attempt;
use crate::config::Config;
use crate::error::Result;
use crate::host::{Host, VectorItem};
use crate::memory::Memory;
use crate::scope::Scope;
use crate::store::{self, Record};
use crate::vector::{self, external};
use std::collections::BTreeMap;

/// Brings the vector store to what these memories are now, whatever they were when this was
/// planned: an attempt that comes late neither brings back what was forgotten since nor takes away
/// what was restored.
pub(super) async fn attempt<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    ids: &[String],
) -> Result<Attempt> {
    if !host.has_vectors() {
        return Ok(Attempt::Failed("there is no vector store".to_owned()));
    }
    let namespace = external::namespace(scope);
    let (mut items, mut gone) = (Vec::new(), Vec::new());
    let keys: Vec<String> = ids.iter().map(|id| scope.memory_key(id)).collect();
    let embeddings = vector::read_some(host, scope, ids).await?;
    let entries = store::get(host, &keys).await?;
    let records: Vec<Record<Memory>> =
        store::decode_all(host, entries.into_iter().flatten().collect());
    let mut memories: BTreeMap<String, Memory> = records
        .into_iter()
        .map(|record| (record.value.id.clone(), record.value))
        .collect();
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
    let timeout = config.outbox.timeout_ms;
    if !gone.is_empty()
        && let Err(error) = host.vector_delete(&namespace, &gone, timeout).await
    {
        return Ok(Attempt::Failed(format!("delete: {}", error.0)));
    }
    if !items.is_empty()
        && let Err(error) = host.vector_upsert(&items, timeout).await
    {
        return Ok(Attempt::Failed(format!("upsert: {}", error.0)));
    }
    Ok(Attempt::Done)
}
