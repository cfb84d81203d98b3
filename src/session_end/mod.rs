//! What happens when a session ends (E1–E9): lock, find what is new, mark it, judge it, merge it
//! into what is known, commit all of it at once, check the summary, unlock.
//!
//! The new memories, the end of those they replace and the final marks are one commit: there is no
//! moment at which an old memory is gone and its successor is not there (E7), and a call that is
//! cut off anywhere is done again as a whole by the next one.

mod cues;
mod external;
mod judging;

use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::history::{self, SessionHead};
use crate::host::{Commit, Host};
use crate::life::tombstone::Forgotten;
use crate::life::{self, Effects, Settled, condense};
use crate::load::Warning;
use crate::lock::{self, Held};
use crate::marks;
use crate::memories::known::{Known, Proposed, Relevant};
use crate::memories::merge::{Merge, Merged, Origin, Superseded};
use crate::memories::snapshot::Snapshot;
use crate::memory::{Candidate, Memory, Source};
use crate::message::Message;
use crate::order;
use crate::provider;
use crate::scope::{Scope, Session};
use crate::similarity::Prepared;
use crate::similarity::sketch::Sketch;
use crate::sorted::{self, Map};
use crate::store::{self, Attempts, Change};
use crate::summary;
use crate::tokens::Tokens;
use crate::vector::{self, follow};
use judging::{Judged, JudgedBy};
use serde::Serialize;

/// Messages before the first new one that the judge sees at most.
const CONTEXT_MESSAGES: u64 = 200;

/// What became of a session's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// What was new is consolidated.
    Done,
    /// Nothing was new.
    NothingNew,
    /// Another consolidation of this session is running; it sees what was stored before it began.
    Busy,
}

/// Something the judge proposed that is not kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DroppedItem {
    /// Its text.
    pub content: String,
    /// Why.
    pub reason: String,
}

/// What a session's end did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Consolidation {
    /// What became of it.
    pub status: Status,
    /// Who judged.
    pub judged_by: Option<JudgedBy>,
    /// Messages that no consolidation had seen.
    pub new_messages: usize,
    /// New memories.
    pub stored: Vec<Memory>,
    /// Proposals that said what another memory says.
    pub merged: Vec<Merged>,
    /// Memories that a new one replaced.
    pub superseded: Vec<Superseded>,
    /// Proposals that are not kept.
    pub dropped: Vec<DroppedItem>,
    /// Ids of questions to the person that arose.
    pub questions: Vec<String>,
    /// What the rules of life did along with it.
    #[serde(flatten)]
    pub life: Effects,
    /// What became of the summary.
    pub summary: summary::Outcome,
    /// Ids of effects at a memory service that are not done yet and stay in the outbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<String>,
    /// What was worked around: why rules judged, what of an answer is lost, what the summary lacks.
    pub warnings: Vec<Warning>,
}

impl Consolidation {
    fn nothing(status: Status) -> Self {
        Self {
            status,
            judged_by: None,
            new_messages: 0,
            stored: Vec::new(),
            merged: Vec::new(),
            superseded: Vec::new(),
            dropped: Vec::new(),
            questions: Vec::new(),
            life: Effects::default(),
            summary: summary::Outcome {
                status: summary::Status::NotDue,
                through: None,
            },
            pending: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// Consolidates what is new in a session.
pub async fn end<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    known: &Known,
    scope: &Scope,
) -> Result<Consolidation> {
    let session = scope.session()?;
    let held = lock::acquire(host, &session, config.session_end.lock_ms).await?;
    let Some(held) = held else {
        return Ok(Consolidation::nothing(Status::Busy));
    };
    let result = consolidate(host, config, tokens, known, &session, &held).await;
    lock::release(host, held).await;
    result
}

async fn consolidate<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    known: &Known,
    session: &Session<'_>,
    held: &Held,
) -> Result<Consolidation> {
    let head = store::typed::<SessionHead>(store::read(host, session.head_key()).await)?;
    let Some(head) = head.map(|head| head.value) else {
        return Ok(Consolidation::nothing(Status::NothingNew));
    };
    let ttl = config.session_end.mark_ttl_ms;
    let processed = marks::read(host, session, &head, ttl).await?;
    let dialogue = Dialogue::read(host, session, &processed).await?;
    let mut result = if dialogue.new.is_empty() {
        Consolidation::nothing(Status::NothingNew)
    } else {
        match provider::of_scope(host, config, session.scope).await {
            None => judge_and_store(host, config, tokens, known, session, held, &dialogue).await?,
            Some(api) => {
                external::keep(host, config, tokens, session, held, &dialogue, api).await?
            }
        }
    };
    if let Err(error) = marks::fold(host, session, &processed).await {
        store::warn(host, "marks_not_folded", &error.message);
    }
    let warnings = &mut result.warnings;
    result.summary = summary::update(host, config, tokens, session, warnings).await;
    Ok(result)
}

/// A session's messages, and which of them are new.
struct Dialogue {
    messages: Vec<(u64, Message)>,
    new: Vec<(u64, Message)>,
}

impl Dialogue {
    async fn read<H: Host>(
        host: &H,
        session: &Session<'_>,
        processed: &marks::Processed,
    ) -> Result<Self> {
        let from = processed.below().saturating_sub(CONTEXT_MESSAGES);
        let messages = history::numbered(host, session, from, usize::MAX).await?;
        let is_new = |(number, message): &&(u64, Message)| !processed.holds(*number, message);
        let new = messages.iter().filter(is_new).cloned().gather();
        Ok(Self { messages, new })
    }

    fn numbers(&self) -> Map<String, u32> {
        let number = |number: &u64| u32::try_from(*number).unwrap_or(u32::MAX);
        let messages = self.messages.iter();
        sorted::map(messages.filter_map(|(at, message)| Some((message.id.clone()?, number(at)))))
    }
}

async fn judge_and_store<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    known: &Known,
    session: &Session<'_>,
    held: &Held,
    dialogue: &Dialogue,
) -> Result<Consolidation> {
    let now = store::now(host)?;
    let marks = marks::plan(session, held, now, &dialogue.new);
    marks::record(host, session, held, &marks).await;
    let shown = match judging::asks_llm(host, config) {
        true => Some(Snapshot::read(host, session.scope).await?),
        false => None,
    };
    let judged = judging::judge(
        host,
        config,
        tokens,
        session.scope,
        shown.as_ref().map_or(&[], |shown| &shown.memories),
        &dialogue.messages,
        &dialogue.new,
    )
    .await?;
    // Made in one instant their order is chance; sorted, it is that of the proposals.
    let mut ids = judged
        .candidates
        .iter()
        .map(|_| store::new_id(host))
        .collect::<Result<Vec<_>>>()?;
    order::sort_by(&mut ids, Ord::cmp);
    let origin = Origin {
        agent: session.scope.agent.clone(),
        session: Some(session.id.to_owned()),
        source: Source::Chat,
        now_ms: now,
        verbatim: judged.by == JudgedBy::Verbatim,
        safety: &config.safety,
        ask_severe: config.dedup.ask_severe,
    };
    let contents: Vec<String> = judged
        .candidates
        .iter()
        .map(|candidate| candidate.content.clone())
        .gather();
    let embeddings = vector::embed(host, &contents, config.judge.timeout_ms).await;
    let numbers = dialogue.numbers();
    let mut attempts = Attempts::default();
    let sketches: Vec<Sketch> = contents
        .iter()
        .map(|content| Sketch::of(&Prepared::new(content)))
        .gather();
    let proposed = Proposed {
        candidates: &judged.candidates,
        sketches: &sketches,
        embeddings: &embeddings,
        now_ms: now,
    };
    let mut shown = shown;
    loop {
        let Relevant {
            mut snapshot,
            texts,
            vectors,
        } = known
            .relevant(host, config, session.scope, &proposed, shown.take())
            .await?;
        let forgotten = Forgotten::read(
            host, session.scope, &snapshot.memories, &judged.candidates, &config.life,
        )
        .await?;
        let memories = std::mem::take(&mut snapshot.memories);
        let mut merge = Merge::new(memories, &origin, &config.dedup)
            .with_texts(texts)
            .with_vectors(vectors);
        let mut settled = merge.settle(life::rules(config));
        let mut brought_back = Vec::new();
        for ((candidate, id), vector) in judged.candidates.iter().zip(&ids).zip(&embeddings) {
            if forgotten.holds(candidate, Some(session.id)) {
                brought_back.push(DroppedItem {
                    content: candidate.content.clone(),
                    reason: "forgotten".to_owned(),
                });
                continue;
            }
            let position = first_position(candidate, &numbers);
            merge.take(
                candidate.clone(),
                None,
                id.clone(),
                position,
                vector.clone(),
            );
        }
        settled.extend(merge.settle(life::rules(config)));
        let mut change = if merge.is_unchanged() && settled.is_empty() {
            // Indexes in memory stay true.
            Change::new()
        } else {
            snapshot.change()
        };
        merge.write(session.scope, &mut change);
        settled.write_removed(session.scope, now, &mut change);
        marks::finish(&mut change, &marks)?;
        held.guard(&mut change);
        match follow::commit(host, config, session.scope, &snapshot, change).await? {
            Commit::Done => {
                let mut judged = judged;
                judged.dropped.push_all(brought_back);
                let mut done = report(judged, merge, settled, dialogue.new.len());
                let promoted = &done.life.promoted;
                let condensed = condense::by_llm(host, config, session.scope, promoted).await;
                done.life.condensed.push_all(condensed);
                return Ok(done);
            }
            Commit::Conflict if !held.is_current(host).await? => return Err(lock_lost()),
            Commit::Conflict => attempts.lost("the user's memories")?,
        }
    }
}

fn lock_lost() -> Error {
    Error::new(
        Code::Conflict,
        "this consolidation took longer than its lock and another one has taken over; nothing was written",
    )
}

fn first_position(candidate: &Candidate, numbers: &Map<String, u32>) -> Option<u32> {
    let known = candidate
        .message_ids
        .iter()
        .filter_map(|id| numbers.get(id.as_str()));
    known.min().copied()
}

fn report(
    judged: Judged,
    merge: Merge<'_>,
    settled: Settled,
    new_messages: usize,
) -> Consolidation {
    let mut merged = judged.merged;
    let outcome = merge.finish();
    merged.push_all(outcome.merged);
    let outdated = outcome
        .outdated
        .into_iter()
        .map(|(content, by)| DroppedItem {
            content,
            reason: format!("memory `{by}` is newer and says otherwise"),
        });
    Consolidation {
        status: Status::Done,
        judged_by: Some(judged.by),
        new_messages,
        stored: outcome.stored,
        merged,
        superseded: outcome.superseded,
        dropped: judged.dropped.into_iter().chain(outdated).gather(),
        questions: outcome.questions,
        warnings: judged.warnings,
        life: Effects {
            condensed: [judged.condensed, settled.effects.condensed].concat(),
            ..settled.effects
        },
        ..Consolidation::nothing(Status::Done)
    }
}
