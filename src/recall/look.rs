//! A question to an index: ranking first, then the memories that it depends on, then the choice.

use super::indexed::{OF_AGENT, PINNED, Reader};
use super::{Found, FoundSession, Indexed, Query, Recalled, Used, question, refine};
use crate::config::{Config, RecallConfig};
use crate::error::Result;
use crate::gather::Gather;
use crate::host::Host;
use crate::index::{AskedTimes, Asking, Hit, Ranking, Tuning, mmr, rank};
use crate::life::{LifeConfig, score, touch};
use crate::memory::{Memory, Temperature};
use crate::order;
use crate::scope::Scope;
use crate::sorted::Set;
use crate::store;
use std::cmp::Ordering;

/// Conversations that one answer names, at most.
const SESSIONS: usize = 10;
/// Memories that are read at once, beside those that are certainly needed.
const MORE: usize = 14;

/// What a question finds before the memories themselves are read.
pub(super) struct Look {
    reader: Reader,
    /// Best first, without what time makes of them.
    hits: Vec<Hit>,
    sessions: Vec<(u32, f64)>,
    limit: usize,
}

impl Look {
    /// How many of the best are looked at closely: as many as [`mmr`] does.
    fn close(&self) -> usize {
        self.limit.saturating_mul(4).max(50)
    }
}

impl Indexed {
    /// The memories that share words with a text, best first.
    pub(super) fn about(
        &self,
        scope: &Scope,
        text: &str,
        now_ms: i64,
        limit: usize,
    ) -> Vec<Memory> {
        let reader = self.reader(scope, now_ms, false);
        let mut hits = self.lexical.search(text);
        hits.retain(|hit| reader.may_read(hit.doc));
        let shown = hits
            .iter()
            .filter_map(|hit| self.look_at(hit.doc, &reader, |memory| self.shown(memory)));
        shown.take(limit).gather()
    }

    /// Memories that every turn shows: pinned ones and those of some importance, and all while there
    /// are few; so many of each scope, in the order of their creation. What is shown of them does not
    /// depend on the query, so that the prompt's prefix stays.
    fn standing(&self, reader: &Reader, config: &RecallConfig, room: usize) -> Vec<u32> {
        let mut standing: Vec<(bool, u8, u32)> = Vec::new();
        let importance = match reader.count() <= config.standing_count {
            true => 0,
            false => config.standing_importance,
        };
        for (doc, marks) in (0u32..).zip(&self.marks) {
            let is_pinned = marks.marks & PINNED != 0;
            if (is_pinned || marks.importance >= importance) && reader.may_read(doc) {
                standing.push((!is_pinned, u8::MAX - marks.importance, doc));
            }
        }
        order::sort_by(&mut standing, Ord::cmp);
        let mut counts = [0; 2];
        let mut docs = Set::new();
        for (_, _, doc) in standing {
            let [of_user, of_agent] = &mut counts;
            let marks = self.marks(doc);
            let count = match marks.is_some_and(|marks| marks.marks & OF_AGENT != 0) {
                true => of_agent,
                false => of_user,
            };
            *count += 1;
            if *count <= room {
                docs.insert(doc);
            }
        }
        docs.iter().map(|(doc, ())| *doc).gather()
    }

    /// Ranks what answers a question.
    pub(super) fn look(
        &self,
        scope: &Scope,
        query: &Query<'_>,
        config: &Config,
        now_ms: i64,
        tuning: Tuning,
    ) -> Look {
        let config = &config.recall;
        let reader = self.reader(scope, now_ms, query.filter_sensitive);
        let near = match query.keyword_only {
            true => None,
            false => self.near(query, config.min_cosine, tuning.usual),
        };
        let like = |first: &[Hit], docs: &[u32]| self.vectors.like(first, docs, tuning.usual);
        let asking = Asking {
            like: &like,
            question: &question(query, config.context_chars),
            times: AskedTimes::of(query.text, now_ms),
            near: &near.unwrap_or_default(),
            may_read: &|doc| reader.may_read(doc),
        };
        let words_only = query.keyword_only.then(|| tuning.clone().words_only());
        let tuning = words_only.as_ref().unwrap_or(&tuning);
        let Ranking { mut hits, sessions } = rank(&self.lexical, &self.places, &asking, tuning);
        hits.retain(|hit| hit.score >= config.local_min_score);
        Look {
            sessions: self.first_sessions(sessions),
            hits,
            limit: query.limit,
            reader,
        }
    }

    /// The best conversations; those that fit alike in the order of their first memories.
    fn first_sessions(&self, mut sessions: Vec<(u32, f64)>) -> Vec<(u32, f64)> {
        let alike = |a: &(u32, f64), b: &(u32, f64)| a.1.total_cmp(&b.1) == Ordering::Equal;
        let near_cut = sessions.iter().zip(sessions.iter().skip(1)).take(SESSIONS);
        if { near_cut }.any(|(a, b)| alike(a, b)) {
            let mut firsts = vec![u32::MAX; self.sessions.len()];
            for doc in (0..self.ids.len() as u32).rev() {
                let session = self.lexical.session(doc);
                if let Some(first) = session.and_then(|at| firsts.get_mut(at as usize)) {
                    *first = doc;
                }
            }
            let first = |session: u32| firsts.get(session as usize).copied();
            order::sort_by(&mut sessions, |a, b| {
                b.1.total_cmp(&a.1).then(first(a.0).cmp(&first(b.0)))
            });
        }
        sessions.truncate(SESSIONS);
        sessions
    }

    /// Chooses among what a question found; where the choice depends on memories that are not held,
    /// their numbers.
    pub(super) fn choose(
        &self,
        look: &Look,
        config: &Config,
        now_ms: i64,
    ) -> std::result::Result<Found, Vec<u32>> {
        let (config, life) = (&config.recall, &config.life);
        let close = look.close();
        let mut hits: Vec<Hit> = Vec::new();
        let mut rest = look.hits.as_slice();
        let mut size = close + MORE;
        while let Some(next) = rest.first() {
            // Time can only take from a score: what would follow does not come before these.
            hits.sort_unstable_by(Hit::rank);
            if hits
                .get(close - 1)
                .is_some_and(|last| last.score > next.score)
            {
                break;
            }
            let (chunk, after) = rest.split_at_checked(size).unwrap_or((rest, &[]));
            let docs: Vec<u32> = chunk.iter().map(|hit| hit.doc).gather();
            let missing = self.not_held(&docs);
            if !missing.is_empty() {
                return Err(missing);
            }
            hits.extend(chunk.iter().filter_map(|hit| {
                let kept = self.look_at(hit.doc, &look.reader, |memory| {
                    score::recency(memory, now_ms, life).min(1.0)
                })?;
                let score = hit.score * (1.0 - config.recency_share * (1.0 - kept));
                Some(Hit { score, ..*hit })
            }));
            rest = after;
            size = 4 * MORE;
        }
        hits.sort_unstable_by(Hit::rank);
        let alike = |a, b| self.lexical.similarity(a, b);
        let picked = mmr(&hits, alike, config.mmr_lambda, look.limit);
        let recalled = picked.iter().filter_map(|hit| {
            let memory = self.look_at(hit.doc, &look.reader, |memory| self.shown(memory))?;
            Some(Recalled {
                memory,
                score: Some(hit.score),
            })
        });
        let sessions = look.sessions.iter().filter_map(|(number, score)| {
            let session = self.sessions.get(*number as usize)?.clone();
            Some(FoundSession {
                session,
                score: *score,
            })
        });
        Ok(Found {
            // Gated above, before recency could push an exact old match under the gate.
            hits: refine(recalled.gather(), 0.0, config.item_chars),
            sessions: sessions.gather(),
        })
    }

    fn tuning(config: &Config) -> Tuning {
        Tuning {
            share: config.recall.neighbour_share,
            ..Tuning::default()
        }
    }

    /// The memories that answer best, without near-repeats, and the conversations they are from;
    /// of an index that holds its memories.
    pub fn search(&self, scope: &Scope, query: &Query<'_>, config: &Config, now_ms: i64) -> Found {
        self.search_with(scope, query, config, now_ms, Self::tuning(config))
    }

    /// The same with other constants of the ranking.
    pub fn search_with(
        &self,
        scope: &Scope,
        query: &Query<'_>,
        config: &Config,
        now_ms: i64,
        tuning: Tuning,
    ) -> Found {
        let look = self.look(scope, query, config, now_ms, tuning);
        self.choose(&look, config, now_ms).unwrap_or_default()
    }

    /// The memories that answer best; those that the choice depends on are read. Beside them the
    /// standing ones, as many of each scope as `room`, in the order of their creation.
    pub async fn find<H: Host>(
        &self,
        host: &H,
        scope: &Scope,
        query: &Query<'_>,
        config: &Config,
        now_ms: i64,
        room: Option<usize>,
    ) -> Result<(Found, Vec<Memory>)> {
        self.let_go();
        let look = self.look(scope, query, config, now_ms, Self::tuning(config));
        let standing = room.map(|room| self.standing(&look.reader, &config.recall, room));
        let standing = standing.unwrap_or_default();
        let first = look.hits.iter().take(look.close() + MORE);
        let mut docs = standing.clone();
        docs.extend(first.map(|hit| hit.doc));
        docs.sort_unstable();
        docs.dedup();
        let mut missing = self.not_held(&docs);
        loop {
            if !missing.is_empty() {
                self.read(host, scope, &missing).await?;
            }
            match self.choose(&look, config, now_ms) {
                Ok(found) => {
                    let standing = standing.iter().filter_map(|doc| {
                        self.look_at(*doc, &look.reader, |memory| self.shown(memory))
                    });
                    return Ok((found, standing.gather()));
                }
                Err(more) => missing = more,
            }
        }
    }

    async fn read<H: Host>(&self, host: &H, scope: &Scope, docs: &[u32]) -> Result<()> {
        let keys = docs.iter().map(|doc| scope.memory_key(self.id(*doc)));
        let keys: Vec<String> = keys.gather();
        let entries = store::get(host, &keys).await?;
        let held = docs.iter().zip(entries).map(|(doc, entry)| {
            let records = store::decode_all(host, entry.into_iter().gather());
            (*doc, records.into_iter().next().map(|record| record.value))
        });
        self.hold(held.gather());
        Ok(())
    }

    /// Which of the memories found count as used and were not noted of late; from now on they were.
    pub fn note(&self, hits: &[Recalled], now_ms: i64, config: &LifeConfig) -> Used {
        let mut used = Used::default();
        let mut noted = self.noted.borrow_mut();
        for Recalled { memory, score } in hits {
            if score.is_none_or(|score| score < config.touch_min_score) {
                continue;
            }
            if memory.temperature == Temperature::Cold {
                used.cold.push(memory.id.clone());
                continue;
            }
            let last = noted.get(&memory.id).copied().unwrap_or(i64::MIN);
            if touch::is_due(last.max(memory.last_access_at), now_ms, config) {
                noted.insert(memory.id.clone(), now_ms);
                used.hot.push(memory.id.clone());
            }
        }
        used
    }

    /// Takes in memories whose use was noted.
    pub fn take_in(&self, used: Vec<Memory>) {
        let held = used.into_iter().filter_map(|memory| {
            let doc = self.doc(&memory.id)?;
            Some((doc, Some(memory)))
        });
        self.hold(held.gather());
    }
}
