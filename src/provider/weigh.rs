//! What new memories are to those that a service has: repeated, in the place of others, or new (E5,
//! E6).

use super::effects::Old;
use super::identity;
use super::recall::search;
use super::service::{Api, Question};
use super::wire::Answer;
use crate::config::Config;
use crate::gather::Gather;
use crate::host::Host;
use crate::memories::merge::{Merge, Merged, Origin, Superseded};
use crate::memory::{Candidate, Memory, MemoryScope};
use crate::scope::Scope;
use crate::sorted::Facts;
use crate::table::Table;

/// Memories that a new one is compared with at most.
const COMPARED: usize = 10;

/// What is to be done with proposals.
#[derive(Debug)]
pub struct Weighed {
    /// To be added, each with the memories of the service that it takes the place of.
    pub stored: Vec<(Memory, Vec<Old>)>,
    /// What is suspicious: a service cannot keep it out of its answers.
    pub held: Vec<Memory>,
    /// What says the same as another memory.
    pub merged: Vec<Merged>,
    /// Memories whose place is taken.
    pub superseded: Vec<Superseded>,
    /// Texts that a newer memory contradicts, with its id.
    pub outdated: Vec<(String, String)>,
}

/// What a service has that a new memory may repeat or contradict.
pub async fn standing<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    candidate: &Candidate,
) -> Answer<Vec<Memory>> {
    let cubes = [identity::cube(scope, candidate.scope)];
    let asked = Question {
        text: &candidate.content,
        cubes: &cubes,
        limit: COMPARED,
        wide: true,
    };
    let found = search(host, config, api, scope, &asked).await?;
    Ok(found.into_iter().map(|hit| hit.memory).gather())
}

/// Memories of a service, each once.
#[derive(Debug, Default)]
pub struct Standing(Table<Memory>);

impl Standing {
    /// Takes more of them in.
    pub fn extend(&mut self, memories: Vec<Memory>) {
        let by_id = memories
            .into_iter()
            .map(|memory| (memory.id.clone(), memory));
        self.0.extend(by_id);
    }

    /// The memory that a proposal went into, or that is newer and says otherwise.
    pub fn holding(&self, weighed: &Weighed) -> Option<Memory> {
        let merged = weighed.merged.first();
        let same = merged.and_then(|merged| {
            let mut all = self.0.iter().map(|(_, memory)| memory);
            all.find(|memory| memory.content == merged.into)
        });
        let newer = || self.0.get(&weighed.outdated.first()?.1);
        same.or_else(newer).cloned()
    }
}

/// Without an agent there is no experience of one: what it learnt is the user's.
pub fn at_home(scope: &Scope, candidate: &mut Candidate) {
    if scope.agent.is_none() {
        candidate.scope = MemoryScope::User;
    }
}

/// Weighs proposals, each under the id it will have, against what stands.
pub fn weigh(
    config: &Config,
    origin: &Origin<'_>,
    standing: &Standing,
    proposals: Vec<(String, Candidate, Option<u32>)>,
) -> Weighed {
    // A service keeps no questions to the person: what is newer takes the place of what it contradicts.
    let origin = &Origin {
        ask_severe: false,
        ..origin.clone()
    };
    let known: Vec<Memory> = standing.0.iter().map(|(_, memory)| memory.clone()).gather();
    let mut merge = Merge::new(known, origin, &config.dedup);
    for (id, candidate, position) in proposals {
        merge.take(candidate, None, id, position, None);
    }
    let outcome = merge.finish();
    let superseded = outcome.superseded.iter();
    let ended = Facts::from_iter(superseded.map(|old| (old.id.clone(), old.by.clone())));
    let successor = |id: &str| {
        let mut last = id;
        for _ in 0..=ended.len() {
            match ended.get(last) {
                Some(next) => last = next,
                None => break,
            }
        }
        last.to_owned()
    };
    let olds_of = |id: &str| -> Vec<Old> {
        let of_service = ended.keys().filter_map(|old| standing.0.get(old));
        of_service
            .filter(|old| successor(&old.id) == id)
            .map(|old| Old {
                id: old.id.clone(),
                content: old.content.clone(),
            })
            .gather()
    };
    let live = outcome.stored.iter().filter(|memory| memory.is_valid);
    let (held, kept): (Vec<&Memory>, Vec<&Memory>) = live.partition(|memory| memory.is_held);
    Weighed {
        held: held.into_iter().cloned().gather(),
        stored: kept
            .into_iter()
            .map(|memory| (memory.clone(), olds_of(&memory.id)))
            .gather(),
        merged: outcome.merged,
        outdated: outcome.outdated,
        superseded: outcome.superseded,
    }
}

/// What a service holds of one proposal after all: used by [`super::effects`] where it could not be
/// asked before.
pub fn alone(
    config: &Config,
    origin: &Origin<'_>,
    found: Vec<Memory>,
    id: &str,
    candidate: &Candidate,
) -> Option<Vec<Old>> {
    let mut standing = Standing::default();
    standing.extend(found);
    let proposal = (id.to_owned(), candidate.clone(), None);
    let weighed = weigh(config, origin, &standing, vec![proposal]);
    weighed.stored.into_iter().next().map(|(_, olds)| olds)
}
