//! Adding to a memory service and deleting from it, stage by stage, so that whatever dies or fails in
//! between is done again without loss or doubling (E7, F8, F13, X3).

use super::by_hand::listed;
use super::hit::Found;
use super::identity::{self, Cube};
use super::recall::search;
use super::service::{Added, Addition, Api, Progress, Question, Said};
use super::weigh;
use super::wire::{Answer, Fault};
use super::{memos, request_ms, send};
use crate::config::Config;
use crate::host::Host;
use crate::memories::merge::Origin;
use crate::memory::{Candidate, MemoryScope, Source};
use crate::outbox::effect::Attempt;
use crate::outbox::{Effect, Kind};
use crate::read::{self, Fill, Json, Read};
use crate::scope::Scope;
use crate::similarity::Prepared;
use crate::store;
use serde::Serialize;

/// Memories among which an effect looks for its own.
const LOOKED_AT: usize = 50;
/// Tasks of a service that may fail before the effect is given up.
const MAX_TASKS: u8 = 2;

/// A memory of a service whose place another one takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
pub struct Old {
    /// Its id there.
    pub id: String,
    /// Its text, to look it up by.
    pub content: String,
}

/// How far an addition is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "at", rename_all = "snake_case")]
pub enum Stage {
    /// The service could not be asked yet what it knows already.
    Unchecked,
    /// To be added.
    Ready,
    /// The service is at it.
    Pending {
        /// Its name for that.
        task: String,
    },
    /// Added: those whose place it takes are to go.
    Deleting,
}

#[derive(Read)]
#[serde(rename_all = "snake_case")]
enum StageName {
    Unchecked,
    Ready,
    Pending,
    Deleting,
}

impl Fill for Stage {
    fn fill(&mut self, json: Json<'_>) -> read::Result<()> {
        *self = read::tagged(json, "at", |name, mut record| {
            Ok(match name {
                StageName::Unchecked => Self::Unchecked,
                StageName::Ready => Self::Ready,
                StageName::Pending => Self::Pending {
                    task: record.field("task")?,
                },
                StageName::Deleting => Self::Deleting,
            })
        })?;
        Ok(())
    }
}

impl Read for Stage {
    fn blank() -> Self {
        Self::Unchecked
    }
}

/// Something to be added to a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Keep {
    /// Where to.
    pub api: Api,
    /// The agent that was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session it was said in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The memory; none where the service judges the talk itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<Candidate>,
    /// The talk that the service judges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub talk: Vec<Said>,
    /// Free labels.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The memories whose place it takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub olds: Vec<Old>,
    /// How far it is.
    pub stage: Stage,
    /// How often the service took it and then failed at it.
    #[serde(default)]
    pub tasks_failed: u8,
}

/// Something to be deleted from a service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Remove {
    /// Where from.
    pub api: Api,
    /// The id of the cube that it is in.
    pub cube: String,
    /// The memory.
    pub old: Old,
}

/// Effects of this lane are done in their order; one memory need not wait for another.
pub fn lane(api: Api, of: &str) -> String {
    format!("{}:{of}", api.provider())
}

fn again(fault: &Fault) -> Attempt {
    match fault.is_hopeless() {
        true => Attempt::Hopeless(fault.to_string()),
        false => Attempt::Failed(fault.to_string()),
    }
}

/// Tries to add, from the stage that it has reached.
pub async fn keep<H: Host>(
    host: &H,
    config: &Config,
    user: &Scope,
    effect: &Effect,
    keep: &Keep,
) -> Attempt {
    if !host.has_provider(keep.api.provider()) {
        return Attempt::Failed(super::missing(keep.api).into_message());
    }
    let scope = Scope {
        agent: keep.agent.clone(),
        session: keep.session.clone(),
        ..user.clone()
    };
    let adding = Adding {
        host,
        config,
        scope: &scope,
        cube: identity::cube(
            &scope,
            keep.candidate
                .as_ref()
                .map_or(MemoryScope::User, |candidate| candidate.scope),
        ),
        effect,
        keep,
    };
    let attempt = match &keep.stage {
        Stage::Unchecked => adding.check().await,
        Stage::Ready => adding.add().await,
        Stage::Pending { task } => adding.follow(task).await,
        Stage::Deleting => adding.delete().await,
    };
    attempt.unwrap_or_else(|fault| again(&fault))
}

struct Adding<'a, H> {
    host: &'a H,
    config: &'a Config,
    scope: &'a Scope,
    cube: Cube,
    effect: &'a Effect,
    keep: &'a Keep,
}

impl<H: Host> Adding<'_, H> {
    fn at(&self, stage: Stage) -> Attempt {
        Attempt::Next(Kind::ProviderKeep(Box::new(Keep {
            stage,
            ..self.keep.clone()
        })))
    }

    /// Whether nobody can have tried before: it is still as it was planned, by the same call.
    fn is_first(&self) -> bool {
        let effect = self.effect;
        let lease = self.config.outbox.lease_ms;
        effect.attempts == 0 && effect.next_at == effect.planned_at.saturating_add_unsigned(lease)
    }

    async fn check(&self) -> Answer<Attempt> {
        let Some(candidate) = &self.keep.candidate else {
            return Ok(self.at(Stage::Ready));
        };
        let (api, scope) = (self.keep.api, self.scope);
        let found = weigh::standing(self.host, self.config, api, scope, candidate).await;
        let found = found?;
        let origin = Origin {
            agent: self.keep.agent.clone(),
            session: self.keep.session.clone(),
            source: Source::Chat,
            now_ms: self.effect.planned_at,
            verbatim: false,
            safety: &self.config.safety,
            ask_severe: false,
        };
        let id = &self.effect.id;
        Ok(
            match weigh::alone(self.config, &origin, found, id, candidate) {
                None => Attempt::Done,
                Some(olds) => Attempt::Next(Kind::ProviderKeep(Box::new(Keep {
                    olds,
                    stage: Stage::Ready,
                    ..self.keep.clone()
                }))),
            },
        )
    }

    async fn add(&self) -> Answer<Attempt> {
        // Whether an earlier attempt arrived is unknown, and services do not heed the key.
        if !self.is_first() && self.has_arrived().await? {
            return Ok(self.after_add());
        }
        let api = self.keep.api;
        let registered = match api {
            Api::Memos => self.make_cube().await?,
            _ => true,
        };
        let said;
        let messages = match &self.keep.candidate {
            None => self.keep.talk.as_slice(),
            Some(candidate) => {
                said = [Said {
                    role: "user".to_owned(),
                    content: candidate.content.clone(),
                }];
                said.as_slice()
            }
        };
        let user = identity::user_id(self.scope);
        let what = Addition {
            key: &self.effect.id,
            cube: &self.cube,
            messages,
            candidate: self.keep.candidate.as_ref(),
            session: self.keep.session.as_deref(),
            tags: &self.keep.tags,
        };
        let answer = send(self.host, api.add(self.config, &user, &what)).await?;
        let added = api.added(&answer)?;
        if !registered && !self.is_there().await? {
            let fault = "it took a memory into a cube that it does not have";
            return Ok(Attempt::Failed(fault.to_owned()));
        }
        Ok(match added {
            Added::Memories(_) => self.after_add(),
            Added::Pending(task) => self.at(Stage::Pending { task }),
            Added::Nothing => {
                if self.keep.candidate.is_some() {
                    let message = "an add was taken and reported no new memory; what it would have replaced stays";
                    store::warn(self.host, "provider_added_nothing", message);
                }
                Attempt::Done
            }
        })
    }

    fn after_add(&self) -> Attempt {
        match self.keep.olds.is_empty() {
            true => Attempt::Done,
            false => self.at(Stage::Deleting),
        }
    }

    /// What a search for this text finds in the cube.
    async fn found(&self, text: &str) -> Answer<Vec<crate::recall::Recalled>> {
        let cubes = [self.cube.clone()];
        let asked = Question {
            text,
            cubes: &cubes,
            limit: LOOKED_AT,
            wide: true,
        };
        search(self.host, self.config, self.keep.api, self.scope, &asked).await
    }

    async fn has_arrived(&self) -> Answer<bool> {
        let text = match &self.keep.candidate {
            Some(candidate) => candidate.content.as_str(),
            None => {
                let talk = || self.keep.talk.iter().rev();
                let last = talk().find(|said| said.role == "user").or(talk().next());
                last.map_or("", |said| said.content.as_str())
            }
        };
        let user = identity::user_id(self.scope);
        let cubes = [self.cube.clone()];
        let asked = Question {
            text,
            cubes: &cubes,
            limit: LOOKED_AT,
            wide: true,
        };
        let api = self.keep.api;
        let answer = send(self.host, api.search(self.config, &user, &asked)).await?;
        let found = api.found(&answer)?;
        let is_own = |found: &Found| found.is_from(&self.effect.id);
        Ok(found
            .iter()
            .any(|found| is_own(found) || self.says_it(found)))
    }

    /// Whether a memory of the cube has the very words, told by another effect since this one was planned:
    /// whoever saw no answer asks again under another key.
    fn says_it(&self, found: &Found) -> bool {
        let is_old = self.keep.olds.iter().any(|old| old.id == found.id);
        let user = identity::user_id(self.scope);
        let is_theirs = found.user.as_ref().is_none_or(|of| *of == user);
        let is_there = found.cube.as_deref() == Some(self.cube.id.as_str());
        let candidate = self.keep.candidate.as_ref();
        let says = |candidate: &Candidate| {
            Prepared::new(&candidate.content).norm() == Prepared::new(&found.text).norm()
        };
        is_there && is_theirs && !is_old && candidate.is_some_and(says)
    }

    /// Makes sure that the cube is there (F13); false where the server cannot register cubes, so that
    /// only the first memory makes it.
    async fn make_cube(&self) -> Answer<bool> {
        if self.is_there().await? {
            return Ok(true);
        }
        let user = identity::user_id(self.scope);
        let request = memos::create(&self.cube.id, &user);
        let request = crate::host::ProviderRequest {
            timeout_ms: request_ms(self.config),
            ..request
        };
        let answer = send(self.host, request).await?;
        match super::wire::data(&answer) {
            Ok(_) => Ok(true),
            Err(
                Fault::Unavailable { status: 501, .. }
                | Fault::Refused {
                    status: 404 | 405, ..
                },
            ) => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    async fn is_there(&self) -> Answer<bool> {
        let request = crate::host::ProviderRequest {
            timeout_ms: request_ms(self.config),
            ..memos::exists(&self.cube.id)
        };
        let answer = send(self.host, request).await?;
        memos::is_there(&answer, &self.cube.id)
    }

    async fn follow(&self, task: &str) -> Answer<Attempt> {
        let api = self.keep.api;
        let answer = send(self.host, api.status(self.config, task)).await?;
        Ok(match api.progress(&answer)? {
            Progress::Done => self.after_add(),
            Progress::Running => Attempt::Failed(format!("task `{task}` is still running")),
            Progress::Failed(why) if self.keep.tasks_failed >= MAX_TASKS => {
                Attempt::Hopeless(format!("task `{task}`: {why}"))
            }
            Progress::Failed(why) => {
                let message = format!("task `{task}`: {why}; it is added again");
                store::warn(self.host, "provider_task_failed", &message);
                Attempt::Next(Kind::ProviderKeep(Box::new(Keep {
                    stage: Stage::Ready,
                    tasks_failed: self.keep.tasks_failed.saturating_add(1),
                    ..self.keep.clone()
                })))
            }
        })
    }

    /// Whether it may still be there although a search finds nothing at all: only MemOS tells for sure.
    async fn is_listed(&self, id: &str) -> Answer<bool> {
        if self.keep.api != Api::Memos {
            return Ok(true);
        }
        let found = listed(self.host, self.config, self.scope, &self.cube.id, id).await?;
        Ok(found.is_some())
    }

    async fn delete(&self) -> Answer<Attempt> {
        for old in &self.keep.olds {
            let gone = remove_one(
                self.host, self.config, self.keep.api, &self.cube.id, &old.id,
            );
            let Err(fault) = gone.await else {
                continue;
            };
            // It may have gone with an earlier attempt; the successor is found in its place then.
            let found = self.found(&old.content).await?;
            let is_there = found.iter().any(|hit| hit.memory.id == old.id);
            if is_there || (found.is_empty() && self.is_listed(&old.id).await?) {
                return Err(fault);
            }
        }
        Ok(Attempt::Done)
    }
}

async fn remove_one<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    cube: &str,
    id: &str,
) -> Answer<()> {
    let answer = send(host, api.delete(config, cube, id)).await?;
    api.deleted(&answer)
}

/// Tries to delete a memory that somebody wants gone.
pub async fn remove<H: Host>(host: &H, config: &Config, user: &Scope, what: &Remove) -> Attempt {
    if !host.has_provider(what.api.provider()) {
        return Attempt::Failed(super::missing(what.api).into_message());
    }
    match removed(host, config, user, what).await {
        Ok(()) => Attempt::Done,
        Err(fault) => again(&fault),
    }
}

async fn removed<H: Host>(host: &H, config: &Config, user: &Scope, what: &Remove) -> Answer<()> {
    let (cube, id) = (&what.cube, &what.old.id);
    let gone = remove_one(host, config, what.api, cube, id).await;
    // MemOS fails at what is gone already: an earlier attempt may have arrived, its answer lost.
    let is_gone = gone.is_err()
        && what.api == Api::Memos
        && listed(host, config, user, cube, id).await?.is_none();
    if is_gone { Ok(()) } else { gone }
}
