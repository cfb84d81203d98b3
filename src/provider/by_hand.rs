//! What people do with memories by hand where a service holds them: add and forget. Everything else
//! about memories is the service's own, and is refused rather than answered from an empty store.

use super::effects::{Keep, Old, Remove, Stage, lane};
use super::identity;
use super::recall::search;
use super::service::{Api, Question};
use super::wire::{Answer, Fault};
use super::{failed, mem0, memos, missing, request_ms, send, weigh};
use crate::config::Config;
use crate::engine::{Call, Far, Form, Request, Running, named, present, whole};
use crate::error::{Code, Error, Result};
use crate::host::{Commit, Host, ProviderRequest};
use crate::life::Effects;
use crate::memories::merge::Origin;
use crate::memories::{self, Added, NewMemory, not_found};
use crate::memory::{Memory, Source};
use crate::outbox::{self, Effect, Kind, Shelf};
use crate::scope::Scope;
use crate::store::{self, Change};
use crate::write;

/// Memories on one page of a service's list.
const PAGE: usize = 100;
/// Pages at most.
const PAGES: usize = 200;

/// Whether a call about memories can be made where a service holds them.
pub(crate) fn check(api: Api, form: &Form) -> Result<()> {
    match form.call {
        Call::Far(Far::Add | Far::Forget) => Ok(()),
        _ => Err(unsupported(api, form.name)),
    }
}

/// Adds the memory that the request gives, or forgets the one that it names.
pub(crate) fn call<'a, H: Host>(
    host: &'a H,
    config: &'a Config,
    api: Api,
    scope: &'a Scope,
    request: &'a Request,
) -> Result<Running<'a>> {
    Ok(match (&request.memory, &request.id) {
        (Some(memory), _) => whole(add(host, config, api, scope, memory)),
        (None, id) => {
            let id = present(id.as_deref(), "id")?;
            named("forgotten", forget(host, config, api, scope, id))
        }
    })
}

/// What a service cannot do.
pub fn unsupported(api: Api, what: &str) -> Error {
    let name = api.provider();
    Error::new(
        Code::Unsupported,
        format!("`{what}` is not to be had from the provider `{name}`: use the service itself"),
    )
    .with_details(write::record(&[("provider", &name), ("call", &what)]))
}

async fn add<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    memory: &NewMemory,
) -> Result<Added> {
    memories::check_new(scope, memory)?;
    if !host.has_provider(api.provider()) {
        return Err(missing(api));
    }
    if memory.expires_at.is_some() {
        return Err(unsupported(api, "memory.expiresAt").with_path("memory.expiresAt"));
    }
    keep(host, config, api, scope, memory).await
}

async fn keep<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    new: &NewMemory,
) -> Result<Added> {
    let now = store::now(host)?;
    let mut candidate = memories::candidate(new, &config.safety, now);
    weigh::at_home(scope, &mut candidate);
    let origin = Origin {
        agent: scope.agent.clone(),
        session: scope.session.clone(),
        source: Source::External,
        now_ms: now,
        verbatim: false,
        safety: &config.safety,
        ask_severe: false,
    };
    let found = weigh::standing(host, config, api, scope, &candidate).await;
    let mut standing = weigh::Standing::default();
    let stage = match found {
        Ok(found) => {
            standing.extend(found);
            Stage::Ready
        }
        Err(fault) => {
            store::warn(host, "provider_failed", &fault.to_string());
            Stage::Unchecked
        }
    };
    let id = store::new_id(host)?;
    let proposal = (id.clone(), candidate.clone(), None);
    let weighed = weigh::weigh(config, &origin, &standing, vec![proposal]);
    if let Some(reason) = weighed
        .held
        .first()
        .and_then(|held| held.suspicion.as_deref())
    {
        let message = format!(
            "memory.content: it is suspicious ({reason}), and the provider `{}` cannot hold it back; \
             config.safety.suspicious: \"flag\" lets it through",
            api.provider()
        );
        return Err(Error::new(Code::Unsupported, message).with_path("memory.content"));
    }
    let into = standing.holding(&weighed);
    let action = match weighed.merged.is_empty() {
        true => "outdated",
        false => "merged",
    };
    let superseded = weighed.superseded.into_iter().map(|old| old.id).collect();
    let Some((memory, olds)) = weighed.stored.into_iter().next() else {
        return Ok(Added {
            memory: into.ok_or_else(|| not_found(&id))?,
            action,
            superseded,
            questions: Vec::new(),
            life: Effects::default(),
        });
    };
    let kind = Kind::ProviderKeep(Box::new(Keep {
        api,
        agent: scope.agent.clone(),
        session: scope.session.clone(),
        candidate: Some(candidate),
        talk: Vec::new(),
        tags: new.tags.clone(),
        olds,
        stage,
        tasks_failed: 0,
    }));
    let effect = Effect {
        id: id.clone(),
        ..Effect::new(host, &config.outbox, &lane(api, &id), kind)?
    };
    let is_done = plan_and_run(host, config, scope, &effect).await?;
    Ok(Added {
        memory: Memory {
            tags: new.tags.clone(),
            ..memory
        },
        action: if is_done { "stored" } else { "pending" },
        superseded,
        questions: Vec::new(),
        life: Effects::default(),
    })
}

/// Whether it is done; what is not stays in the outbox.
async fn plan_and_run<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    effect: &Effect,
) -> Result<bool> {
    let mut change = Change::new();
    outbox::plan(&mut change, scope, effect);
    if change.commit(host).await? == Commit::Conflict {
        let message = "the store refused a change that checks nothing";
        return Err(Error::new(Code::StoreFailed, message));
    }
    outbox::run(host, config, scope, std::slice::from_ref(&effect.id)).await;
    let left = pending(host, scope, std::slice::from_ref(&effect.id)).await?;
    Ok(left.is_empty())
}

/// Those of these effects that are not done, given-up ones included.
pub async fn pending<H: Host>(host: &H, scope: &Scope, ids: &[String]) -> Result<Vec<String>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let waiting = ids.iter().map(|id| Shelf::Waiting.key(scope, id));
    let dead = ids.iter().map(|id| Shelf::Dead.key(scope, id));
    let keys: Vec<String> = waiting.chain(dead).collect();
    let entries = store::get(host, &keys).await?;
    let there = |at: usize| entries.get(at).is_some_and(Option::is_some);
    let left = ids.iter().enumerate();
    let left = left.filter(|(at, _)| there(*at) || there(at + ids.len()));
    Ok(left.map(|(_, id)| id.clone()).collect())
}

async fn forget<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    id: &str,
) -> Result<usize> {
    memories::check(scope, id)?;
    if !host.has_provider(api.provider()) {
        return Err(missing(api));
    }
    // A service deletes whatever id it is given: whose it is must be known first (D4).
    let theirs = match api {
        Api::Memos => of_cubes(host, config, scope, id).await,
        Api::MemosCloud => return Err(unsupported(api, "memories.forget")),
        Api::Mem0 | Api::Mem0Oss => of_user(host, config, api, scope, id).await,
    };
    let what = theirs.map_err(|fault| failed(api, &fault))?;
    let what = what.ok_or_else(|| not_found(id))?;
    let effect = Effect::new(
        host,
        &config.outbox,
        &lane(api, id),
        Kind::ProviderRemove(Box::new(what)),
    )?;
    // What waits in the outbox is not gone yet.
    let is_done = plan_and_run(host, config, scope, &effect).await?;
    Ok(usize::from(is_done))
}

/// The memory, if one of the cubes that this scope reads holds it.
async fn of_cubes<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    id: &str,
) -> Answer<Option<Remove>> {
    for cube in identity::readable(scope) {
        if let Some(content) = listed(host, config, scope, &cube.id, id).await? {
            return Ok(Some(Remove {
                api: Api::Memos,
                cube: cube.id,
                old: Old {
                    id: id.to_owned(),
                    content,
                },
            }));
        }
    }
    Ok(None)
}

/// The text of a user's memory, if this cube of MemOS holds it.
pub(super) async fn listed<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    cube: &str,
    id: &str,
) -> Answer<Option<String>> {
    let user = identity::user_id(scope);
    let mut before = Vec::new();
    for page in 1..=PAGES {
        let request = ProviderRequest {
            timeout_ms: request_ms(config),
            ..memos::list(cube, &user, page, PAGE)
        };
        let answer = send(host, request).await?;
        let found = memos::listed(&answer, cube)?;
        let theirs = found.iter().find(|found| {
            let owner = found.user.as_ref().is_none_or(|owner| *owner == user);
            found.id == id && owner && found.cube.as_deref() == Some(cube)
        });
        if let Some(found) = theirs {
            return Ok(Some(found.text.clone()));
        }
        let ids: Vec<String> = found.into_iter().map(|found| found.id).collect();
        // The last page, or a server that knows no pages.
        if ids.is_empty() || ids == before {
            break;
        }
        before = ids;
    }
    Ok(None)
}

/// The memory, if Mem0 says that it is this user's.
async fn of_user<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    id: &str,
) -> Answer<Option<Remove>> {
    if matches!(id, "." | "..") {
        return Ok(None);
    }
    let request = ProviderRequest {
        timeout_ms: request_ms(config),
        ..mem0::owner(api == Api::Mem0Oss, id)
    };
    let answer = send(host, request).await?;
    let is_theirs = mem0::is_owned(&answer, &identity::user_id(scope))?;
    Ok(is_theirs.then(|| Remove {
        api,
        cube: String::new(),
        old: Old {
            id: id.to_owned(),
            content: String::new(),
        },
    }))
}

/// What a judge is shown of what a service knows about this talk; nothing where it cannot be asked.
pub async fn about<H: Host>(
    host: &H,
    config: &Config,
    api: Api,
    scope: &Scope,
    text: &str,
) -> Vec<Memory> {
    let cubes = identity::readable(scope);
    let asked = Question {
        text,
        cubes: &cubes,
        limit: config.judge.known_memories,
        wide: true,
    };
    match search(host, config, api, scope, &asked).await {
        Ok(hits) => hits.into_iter().map(|hit| hit.memory).collect(),
        Err(fault) => {
            let fault: Fault = fault;
            store::warn(host, "provider_failed", &fault.to_string());
            Vec::new()
        }
    }
}
