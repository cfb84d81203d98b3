//! How an external vector store follows the memories (M8): every change of them is committed here,
//! together with what it means for their vectors, which is then done at once.

use super::external;
use crate::config::Config;
use crate::error::Result;
use crate::gather::Gather;
use crate::host::{Commit, Host};
use crate::key::last_part;
use crate::memories::snapshot::Snapshot;
use crate::memory::Memory;
use crate::order;
use crate::outbox::{self, Effect, Kind};
use crate::scope::Scope;
use crate::sorted::{self, Names};
use crate::store::{self, Change};

/// The lane of a user's vectors.
const LANE: &str = "vectors";
/// Memories of one effect.
const MEMORIES: usize = 100;
/// Effects that are done at once; the others are left to replay, so that nobody waits for them.
const AT_ONCE: usize = 4;

/// Commits a change that was decided from this snapshot, and lets the vector store follow.
pub async fn commit<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    snapshot: &Snapshot,
    mut change: Change,
) -> Result<Commit> {
    let planned = plan(host, config, scope, snapshot, &mut change)?;
    snapshot.note(scope, &mut change)?;
    let committed = change.commit(host).await?;
    if committed == Commit::Done {
        outbox::run(host, config, scope, &planned).await;
    }
    Ok(committed)
}

/// Gives the ids of the effects to do at once.
fn plan<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    snapshot: &Snapshot,
    change: &mut Change,
) -> Result<Vec<String>> {
    let Some(before) = &snapshot.in_vector_store else {
        return Ok(Vec::new());
    };
    let follows = Follows::read(scope, snapshot, before, change)?;
    let chunks = |ids: Names| {
        let ids: Vec<String> = ids.into_iter().gather();
        let chunks = ids.chunks(MEMORIES).map(<[String]>::to_vec);
        chunks.gather()
    };
    let gone = chunks(follows.gone).into_iter();
    let there = chunks(follows.there).into_iter();
    let kinds: Vec<Kind> = gone
        .map(|memories| Kind::VectorDelete { memories })
        .chain(there.map(|memories| Kind::VectorUpsert { memories }))
        .gather();
    put(host, config, scope, kinds, change)
}

/// Plans that these memories leave the vector store; gives the ids of the effects to do at once.
pub fn plan_deletion<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    memories: Vec<String>,
    change: &mut Change,
) -> Result<Vec<String>> {
    let chunks = memories.chunks(MEMORIES).map(<[String]>::to_vec);
    let kinds = chunks.map(|memories| Kind::VectorDelete { memories });
    put(host, config, scope, kinds.gather(), change)
}

fn put<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    kinds: Vec<Kind>,
    change: &mut Change,
) -> Result<Vec<String>> {
    let mut effects = kinds
        .iter()
        .map(|kind| Effect::new(host, &config.outbox, LANE, kind.clone()))
        .collect::<Result<Vec<_>>>()?;
    // Made in one instant their order is chance; sorted, it is that of the list.
    order::sort_by(&mut effects, |a, b| a.id.cmp(&b.id));
    let mut at_once = Vec::new();
    for (place, (mut effect, kind)) in effects.into_iter().zip(kinds).enumerate() {
        effect.kind = kind;
        if place < AT_ONCE {
            at_once.push(effect.id.clone());
        } else {
            effect = effect.for_replay();
        }
        outbox::plan(change, scope, &effect);
    }
    Ok(at_once)
}

/// Memories whose vectors a change moves.
#[derive(Default)]
struct Follows {
    gone: Names,
    there: Names,
}

impl Follows {
    fn read(scope: &Scope, snapshot: &Snapshot, before: &Names, change: &Change) -> Result<Self> {
        let mut follows = Self::default();
        // A store that was added later is told of all that is there.
        if snapshot.is_new_to_vector_store() && change.puts_key(&scope.memory_head_key()) {
            follows.there.clone_from(before);
        }
        let (start, end) = scope.memories();
        let is_memory = |key: &str| (start.as_str()..end.as_str()).contains(&key);
        let written = sorted::set(change.puts().map(|(key, _)| key));
        for key in change.deletes().filter(|key| is_memory(key)) {
            let id = last_part(key).unwrap_or_default();
            follows.there.remove(&id);
            // Whether or not it was there by now: what is deleted for good must not be left.
            follows.gone.insert(id);
        }
        for (key, value) in change.puts().filter(|(key, _)| is_memory(key)) {
            let memory: Memory = store::decode(key, value)?;
            let was_there = before.contains(&memory.id);
            let is_embedded = written.contains(scope.vector_key(&memory.id).as_str());
            if !external::belongs(&memory) {
                follows.there.remove(&memory.id);
                if was_there {
                    follows.gone.insert(memory.id);
                }
            } else if is_embedded || !was_there {
                follows.there.insert(memory.id);
            }
        }
        let (start, end) = scope.vectors();
        let is_vector = |key: &&&str| (start.as_str()..end.as_str()).contains(*key);
        // An embedding may come in a change of its own.
        let embedded = written.iter().map(|(key, ())| key).filter(is_vector);
        for id in embedded.filter_map(|key| last_part(key)) {
            if before.contains(&id) && !follows.gone.contains(&id) {
                follows.there.insert(id);
            }
        }
        Ok(follows)
    }
}
