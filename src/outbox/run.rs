//! Who may do an effect, in which order, and what its outcome leaves in the store.

use super::effect::{self, Attempt};
use super::{Kind, OutboxConfig, Planned, Shelf};
use crate::config::Config;
use crate::error::Result;
use crate::host::{self, Commit, Host};
use crate::scope::Scope;
use crate::store::{self, Change, Record};
use crate::table::Table;
use sha2::{Digest, Sha256};

/// A user's effects that a call reads to do its own; behind more than that they are left to replay.
const BEFORE_MINE: usize = 500;

/// Attempts of one replay at most, and until when they may begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Allowance {
    pub(super) attempts: usize,
    pub(super) until: i64,
}

/// What became of a user's effects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Drained {
    pub(super) done: usize,
    pub(super) failed: usize,
    pub(super) dead: usize,
    pub(super) remaining: usize,
    /// When the next of the remaining ones may be claimed, ms.
    pub(super) next_at: Option<i64>,
    /// Whether the allowance ended before the effects that are due.
    pub(super) is_cut: bool,
}

impl Drained {
    pub(super) fn wait(&mut self, next_at: Option<i64>) {
        self.next_at = self.next_at.into_iter().chain(next_at).min();
    }
}

/// Does effects that were just planned, and in their lanes those before them that are due. What
/// fails or is late stays for replay and is logged; it never fails the caller.
pub async fn run<H: Host>(host: &H, config: &Config, scope: &Scope, ids: &[String]) {
    if ids.is_empty() {
        return;
    }
    let allowance = Allowance {
        attempts: usize::MAX,
        until: i64::MAX,
    };
    if let Err(error) = drain(host, config, scope, Some(ids), allowance).await {
        store::warn(host, "effects_put_off", &error.message);
    }
}

/// Goes through the lanes of a user: those of `mine`, or all.
pub(super) async fn drain<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    mine: Option<&[String]>,
    allowance: Allowance,
) -> Result<Drained> {
    let limit = if mine.is_some() {
        BEFORE_MINE
    } else {
        usize::MAX
    };
    let entries = store::range(host, Shelf::Waiting.of_user(scope), limit, false).await?;
    let mut lanes: Table<Vec<Record<Planned>>> = Table::default();
    for record in store::decode_all::<H, Planned>(host, entries) {
        let lane = &record.value.effect.lane;
        match lanes.get_mut(lane) {
            Some(lane) => lane.push(record),
            None => lanes.insert(lane.clone(), vec![record]),
        }
    }
    let mine = mine.unwrap_or_default();
    let is_mine = |record: &Record<Planned>| mine.contains(&record.value.effect.id);
    let mut drained = Drained::default();
    for lane in lanes.into_values() {
        if !mine.is_empty() && !lane.iter().any(is_mine) {
            continue;
        }
        let mut worker = Worker {
            host,
            config,
            scope,
            mine,
            allowance,
            drained: &mut drained,
        };
        worker.lane(lane).await?;
    }
    Ok(drained)
}

/// How the last attempt at an effect ended.
enum Outcome {
    Done,
    Dead,
    /// When it may be tried again, ms.
    Failed(i64),
}

struct Worker<'a, H> {
    host: &'a H,
    config: &'a Config,
    scope: &'a Scope,
    mine: &'a [String],
    allowance: Allowance,
    drained: &'a mut Drained,
}

impl<H: Host> Worker<'_, H> {
    async fn lane(&mut self, lane: Vec<Record<Planned>>) -> Result<()> {
        let mut rest = lane.into_iter();
        while let Some(record) = rest.next() {
            let now = store::now(self.host)?;
            let behind = rest.as_slice();
            let is_mine = self.is_mine(&record, now);
            let stops_until = self.stops_until(&record, is_mine, now);
            let claimed = match (stops_until, is_mine) {
                (Some(_), _) => None,
                (None, true) => Some(record),
                (None, false) => self.claim(record, now).await?,
            };
            let Some(claimed) = claimed else {
                let lease = now.saturating_add_unsigned(self.config.outbox.lease_ms);
                self.leave(1 + behind.len(), Some(stops_until.unwrap_or(lease)));
                return self.let_go(behind).await;
            };
            if !self.attempt(claimed, behind).await? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Until when the lane stops before an effect, if it does.
    fn stops_until(&mut self, record: &Record<Planned>, is_mine: bool, now: i64) -> Option<i64> {
        let next_at = record.value.effect.next_at;
        if !is_mine && !is_due(&self.config.outbox, next_at, now) {
            return Some(next_at);
        }
        let is_cut = self.attempts() >= self.allowance.attempts || now >= self.allowance.until;
        self.drained.is_cut |= is_cut;
        is_cut.then_some(now)
    }

    fn attempts(&self) -> usize {
        self.drained.done + self.drained.failed + self.drained.dead
    }

    fn leave(&mut self, count: usize, next_at: Option<i64>) {
        self.drained.remaining += count;
        self.drained.wait(next_at);
    }

    /// Planned by this call, and nobody else may have claimed it before an attempt is over.
    fn is_mine(&self, record: &Record<Planned>, now: i64) -> bool {
        let effect = &record.value.effect;
        let over = now.saturating_add_unsigned(self.config.outbox.timeout_ms);
        record.value.owner.is_none()
            && self.mine.contains(&effect.id)
            && over < effect.next_at
            && !self.is_free(&record.value, now)
    }

    /// Whether others may claim an effect: if the clock was set meanwhile, one that was just claimed, too.
    fn is_free(&self, planned: &Planned, now: i64) -> bool {
        is_due(&self.config.outbox, planned.effect.next_at, now)
    }

    /// Keeps others from an effect; none when somebody else has it.
    async fn claim(&self, record: Record<Planned>, now: i64) -> Result<Option<Record<Planned>>> {
        let mut planned = record.value.clone();
        planned.owner = Some(store::new_id(self.host)?);
        planned.effect.next_at = now.saturating_add_unsigned(self.config.outbox.lease_ms);
        self.rewrite(&record, planned).await
    }

    /// Writes a record over the one that was read and reads it back, for its version.
    async fn rewrite(
        &self,
        read: &Record<Planned>,
        planned: Planned,
    ) -> Result<Option<Record<Planned>>> {
        let mut change = Change::new();
        change.check_read(read);
        change.put(read.key.clone(), &planned);
        if change.commit(self.host).await? == Commit::Conflict {
            return Ok(None);
        }
        let there = store::typed::<Planned>(store::read(self.host, read.key.clone()).await)?;
        Ok(there.filter(|there| there.value == planned))
    }

    /// Attempts an effect, stage by stage; whether the lane may go on.
    async fn attempt(
        &mut self,
        mut claimed: Record<Planned>,
        behind: &[Record<Planned>],
    ) -> Result<bool> {
        let mut change = Change::new();
        let outcome = loop {
            let now = store::now(self.host)?;
            if self.is_free(&claimed.value, now) {
                match self.claim(claimed.clone(), now).await? {
                    Some(again) => claimed = again,
                    None => return self.overtaken(&claimed, behind),
                }
            }
            match self.in_time(&claimed.value).await {
                Attempt::Next(kind) => {
                    let next = self.staged(&claimed.value, kind)?;
                    match self.rewrite(&claimed, next).await? {
                        Some(next) => claimed = next,
                        None => return self.overtaken(&claimed, behind),
                    }
                }
                Attempt::Done => break Outcome::Done,
                Attempt::Failed(why) => break self.failed(&claimed, &why, false, &mut change)?,
                Attempt::Hopeless(why) => break self.failed(&claimed, &why, true, &mut change)?,
            }
        };
        change.check_read(&claimed);
        if !matches!(outcome, Outcome::Failed(_)) {
            change.delete(claimed.key.clone());
        }
        if change.commit(self.host).await? == Commit::Conflict {
            return self.overtaken(&claimed, behind);
        }
        match outcome {
            Outcome::Done => self.drained.done += 1,
            Outcome::Dead => self.drained.dead += 1,
            Outcome::Failed(next_at) => {
                self.drained.failed += 1;
                self.leave(1 + behind.len(), Some(next_at));
                self.let_go(behind).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// An effect with what remains of it after a stage.
    fn staged(&self, planned: &Planned, kind: Kind) -> Result<Planned> {
        let mut next = planned.clone();
        let now = store::now(self.host)?;
        next.owner = Some(store::new_id(self.host)?);
        next.effect.kind = kind;
        next.effect.attempts = 0;
        next.effect.last_error = None;
        next.effect.next_at = now.saturating_add_unsigned(self.config.outbox.lease_ms);
        Ok(next)
    }

    async fn in_time(&self, planned: &Planned) -> Attempt {
        let limit = self.config.outbox.timeout_ms;
        let attempt = effect::attempt(self.host, self.config, self.scope, &planned.effect);
        match host::within(self.host, limit, attempt).await {
            Some(Ok(attempt)) => attempt,
            Some(Err(error)) => Attempt::Failed(error.into_message()),
            None => Attempt::Failed(host::late(limit)),
        }
    }

    fn failed(
        &self,
        claimed: &Record<Planned>,
        why: &str,
        is_hopeless: bool,
        change: &mut Change,
    ) -> Result<Outcome> {
        let now = store::now(self.host)?;
        let config = &self.config.outbox;
        let mut planned = claimed.value.clone();
        let effect = &mut planned.effect;
        effect.attempts = effect.attempts.saturating_add(1);
        effect.last_error = Some(why.chars().take(MAX_ERROR_CHARS).collect());
        planned.owner = None;
        let is_dead = is_hopeless || effect.attempts >= config.max_attempts;
        let backoff = backoff(config, &effect.id, effect.attempts);
        let (what, id) = (effect.kind.name(), effect.id.clone());
        let (event, key) = match is_dead {
            true => ("effect_dead", Shelf::Dead.key(self.scope, &id)),
            false => ("effect_failed", claimed.key.clone()),
        };
        effect.next_at = match is_dead {
            true => now,
            false => now.saturating_add_unsigned(backoff),
        };
        let next_at = effect.next_at;
        planned.died_at = is_dead.then_some(now);
        change.put(key, &planned);
        store::warn(self.host, event, &format!("{what} `{id}`: {why}"));
        Ok(match is_dead {
            true => Outcome::Dead,
            false => Outcome::Failed(next_at),
        })
    }

    fn overtaken(&mut self, claimed: &Record<Planned>, behind: &[Record<Planned>]) -> Result<bool> {
        let lease = self.config.outbox.lease_ms;
        let over = store::now(self.host)?.saturating_add_unsigned(lease);
        self.leave(1 + behind.len(), Some(over));
        let effect = &claimed.value.effect;
        let message = format!(
            "{} `{}` took longer than its lease and somebody else has it; nothing was noted",
            effect.kind.name(),
            effect.id
        );
        store::warn(self.host, "effect_overtaken", &message);
        Ok(false)
    }

    /// What this call planned and does not come to is free for others from now on.
    async fn let_go(&self, behind: &[Record<Planned>]) -> Result<()> {
        let now = store::now(self.host)?;
        for record in behind.iter().filter(|record| self.is_mine(record, now)) {
            let mut planned = record.value.clone();
            planned.effect.next_at = planned.effect.planned_at;
            let mut change = Change::new();
            change.check_read(record);
            change.put(record.key.clone(), &planned);
            // If somebody has it by now, all the better.
            change.commit(self.host).await?;
        }
        Ok(())
    }
}

/// Whether an effect may be claimed. Nobody waits longer than the longest lease or backoff: what
/// does was written before the clock was set back.
pub(super) fn is_due(config: &OutboxConfig, next_at: i64, now: i64) -> bool {
    let longest = config.lease_ms.max(config.max_backoff_ms);
    next_at <= now || next_at > now.saturating_add_unsigned(longest)
}

/// Characters of a reason that are kept.
const MAX_ERROR_CHARS: usize = 500;

/// How long an effect waits after so many failed attempts, ms: twice as long each time up to the
/// cap, less up to a quarter by its id, so that what failed together is not tried together.
pub fn backoff(config: &OutboxConfig, id: &str, attempts: u32) -> u64 {
    let doublings = attempts.saturating_sub(1).min(40);
    let full = config
        .backoff_ms
        .saturating_mul(1 << doublings)
        .min(config.max_backoff_ms);
    let digest = Sha256::digest(format!("{id} {attempts}"));
    let spread: u64 = digest.first().copied().unwrap_or_default().into();
    full - full / 4 * spread / 255
}
