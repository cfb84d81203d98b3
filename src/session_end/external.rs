//! A session's end where a memory service holds the long-term memories (E9).
//!
//! The service is no part of a commit. What is to happen there is therefore planned in the outbox, in
//! the one commit that makes the marks final, and done right after it: whatever fails or dies from
//! there on, replay finishes.

use super::judging::{self, JudgedBy};
use super::{Consolidation, Dialogue, DroppedItem, Status, first_position, lock_lost};
use crate::config::Config;
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Commit, Host};
use crate::life::Effects;
use crate::lock::Held;
use crate::marks;
use crate::memories::merge::Origin;
use crate::memory::Source;
use crate::message::{Message, Role};
use crate::order;
use crate::outbox::{self, Effect, Kind};
use crate::provider::effects::{Keep, Stage, lane};
use crate::provider::service::{Api, Said};
use crate::provider::{by_hand, missing, weigh};
use crate::safety::SafetyConfig;
use crate::scope::Session;
use crate::sorted::Names;
use crate::store::{self, Change};
use crate::tokens::Tokens;

/// Characters of one message that a service is sent.
const LINE_CHARS: usize = 8_000;
/// Messages in one request.
const LINES: usize = 50;
/// Characters of the newest talk by which known memories are looked up.
const ABOUT_CHARS: usize = 1_000;

/// Consolidates what is new in a session into a memory service.
pub(super) async fn keep<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    session: &Session<'_>,
    held: &Held,
    dialogue: &Dialogue,
    api: Api,
) -> Result<Consolidation> {
    if !host.has_provider(api.provider()) {
        return Err(missing(api));
    }
    let now = store::now(host)?;
    let marks = marks::plan(session, held, now, &dialogue.new);
    marks::record(host, session, held, &marks).await;
    let (effects, mut report) = match api.takes_memories() {
        true => judged(host, config, tokens, session, dialogue, api, now).await?,
        false => talk(host, config, session, dialogue, api)?,
    };
    report.new_messages = dialogue.new.len();
    let mut change = Change::new();
    for effect in &effects {
        outbox::plan(&mut change, session.scope, effect);
    }
    marks::finish(&mut change, &marks)?;
    held.guard(&mut change);
    if change.commit(host).await? == Commit::Conflict {
        return Err(lock_lost());
    }
    let ids: Vec<String> = effects.into_iter().map(|effect| effect.id).gather();
    outbox::run(host, config, session.scope, &ids).await;
    report.pending = match by_hand::pending(host, session.scope, &ids).await {
        Ok(pending) => pending,
        Err(error) => {
            store::warn(host, "outbox_unreadable", &error.message);
            ids
        }
    };
    Ok(report)
}

/// Judged here: one effect for each memory, so that each old one goes with its own successor (E7).
async fn judged<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    session: &Session<'_>,
    dialogue: &Dialogue,
    api: Api,
    now: i64,
) -> Result<(Vec<Effect>, Consolidation)> {
    let scope = session.scope;
    let known = match judging::asks_llm(host, config) {
        true => {
            by_hand::about(
                host,
                config,
                api,
                scope,
                &newest(&dialogue.new, &config.safety),
            )
            .await
        }
        false => Vec::new(),
    };
    let (all, new) = (&dialogue.messages, &dialogue.new);
    let mut judged = judging::judge(host, config, tokens, scope, &known, all, new).await?;
    let mut ids = judged
        .candidates
        .iter()
        .map(|_| store::new_id(host))
        .collect::<Result<Vec<_>>>()?;
    order::sort_by(&mut ids, Ord::cmp);
    let origin = Origin {
        agent: scope.agent.clone(),
        session: Some(session.id.to_owned()),
        source: Source::Chat,
        now_ms: now,
        verbatim: judged.by == JudgedBy::Verbatim,
        safety: &config.safety,
        ask_severe: false,
    };
    let mut standing = weigh::Standing::default();
    standing.extend(known);
    let mut unchecked = Names::new();
    let numbers = dialogue.numbers();
    let mut proposals = Vec::new();
    // By cube (E6), in the order of the proposals within each.
    order::sort_by_key(&mut judged.candidates, |candidate| candidate.scope);
    for (candidate, id) in judged.candidates.into_iter().zip(ids) {
        // After one fault the others would only be as late.
        let found = match unchecked.is_empty() {
            true => weigh::standing(host, config, api, scope, &candidate)
                .await
                .map_err(Some),
            false => Err(None),
        };
        match found {
            Ok(found) => standing.extend(found),
            Err(fault) => {
                if let Some(fault) = fault {
                    let message = format!("what is new is compared later: {fault}");
                    store::warn(host, "provider_failed", &message);
                }
                unchecked.insert(id.clone());
            }
        }
        let position = first_position(&candidate, &numbers);
        proposals.push((id, candidate, position));
    }
    let weighed = weigh::weigh(config, &origin, &standing, proposals.clone());
    let mut effects = Vec::new();
    for (memory, olds) in &weighed.stored {
        let mut of_id = proposals.iter().filter(|(id, ..)| *id == memory.id);
        let Some((id, candidate, _)) = of_id.next() else {
            continue;
        };
        let stage = match unchecked.contains(id) && !origin.verbatim {
            true => Stage::Unchecked,
            false => Stage::Ready,
        };
        let kind = Kind::ProviderKeep(Box::new(Keep {
            api,
            agent: scope.agent.clone(),
            session: Some(session.id.to_owned()),
            candidate: Some(candidate.clone()),
            talk: Vec::new(),
            tags: Vec::new(),
            olds: olds.clone(),
            stage,
            tasks_failed: 0,
        }));
        effects.push(Effect {
            id: id.clone(),
            ..Effect::new(host, &config.outbox, &lane(api, id), kind)?
        });
    }
    let outdated = weighed
        .outdated
        .into_iter()
        .map(|(content, by)| DroppedItem {
            content,
            reason: format!("memory `{by}` is newer and says otherwise"),
        });
    let held = weighed.held.into_iter().map(|memory| DroppedItem {
        content: memory.content,
        reason: format!("suspicious: {}", memory.suspicion.unwrap_or_default()),
    });
    let outdated = outdated.chain(held);
    let report = Consolidation {
        judged_by: Some(judged.by),
        stored: weighed
            .stored
            .into_iter()
            .map(|(memory, _)| memory)
            .gather(),
        merged: judged.merged.into_iter().chain(weighed.merged).gather(),
        superseded: weighed.superseded,
        dropped: judged.dropped.into_iter().chain(outdated).gather(),
        life: Effects {
            condensed: judged.condensed,
            ..Effects::default()
        },
        warnings: judged.warnings,
        ..Consolidation::nothing(Status::Done)
    };
    Ok((effects, report))
}

/// Judged there: what is new after some of what was said before it.
fn talk<H: Host>(
    host: &H,
    config: &Config,
    session: &Session<'_>,
    dialogue: &Dialogue,
    api: Api,
) -> Result<(Vec<Effect>, Consolidation)> {
    let report = Consolidation {
        judged_by: Some(JudgedBy::Service),
        ..Consolidation::nothing(Status::Done)
    };
    let is_new = |number: &u64| dialogue.new.iter().any(|(new, _)| new == number);
    let first = dialogue
        .messages
        .iter()
        .position(|(number, _)| is_new(number));
    let first = first.unwrap_or(dialogue.messages.len());
    let before = dialogue.messages.get(..first).unwrap_or_default();
    let context = before
        .iter()
        .rev()
        .filter_map(|(_, message)| said(message, &config.safety));
    let mut lines: Vec<Said> = context.take(config.mem0.context_messages).gather();
    lines.reverse();
    let new: Vec<Said> = dialogue
        .new
        .iter()
        .filter_map(|(_, message)| said(message, &config.safety))
        .gather();
    if new.is_empty() {
        return Ok((Vec::new(), report));
    }
    lines.push_all(new);
    let lane = lane(api, session.id);
    let mut effects = lines
        .chunks(LINES)
        .map(|talk| {
            let kind = Kind::ProviderKeep(Box::new(Keep {
                api,
                agent: session.scope.agent.clone(),
                session: Some(session.id.to_owned()),
                candidate: None,
                talk: talk.to_vec(),
                tags: Vec::new(),
                olds: Vec::new(),
                stage: Stage::Ready,
                tasks_failed: 0,
            }));
            Effect::new(host, &config.outbox, &lane, kind)
        })
        .collect::<Result<Vec<_>>>()?;
    // Made in one instant the order of their ids is chance.
    let mut ids: Vec<String> = effects.iter().map(|effect| effect.id.clone()).gather();
    order::sort_by(&mut ids, Ord::cmp);
    for (effect, id) in effects.iter_mut().zip(ids) {
        effect.id = id;
    }
    Ok((effects, report))
}

fn said(message: &Message, safety: &SafetyConfig) -> Option<Said> {
    if !matches!(message.role, Role::User | Role::Assistant) || message.text().trim().is_empty() {
        return None;
    }
    let content: String = message.text().chars().take(LINE_CHARS).collect();
    Some(Said {
        role: message.role.as_str().to_owned(),
        content: safety.masked(&content).unwrap_or(content),
    })
}

/// The end of what is new, to search by.
fn newest(new: &[(u64, Message)], safety: &SafetyConfig) -> String {
    let texts: Vec<String> = new
        .iter()
        .filter_map(|(_, message)| said(message, safety))
        .map(|said| said.content)
        .gather();
    let text = texts.join("\n");
    let skip = text.chars().count().saturating_sub(ABOUT_CHARS);
    text.chars().skip(skip).collect()
}
