//! What of a list is brought in: what is well-formed and not there yet. A list may be brought in
//! again, whole or in part, and by another user: what is there stays as it is.
//!
//! A list is untrusted: every item is checked like the call that would have made it, secrets are
//! masked and texts that give orders are held as they would be.

use super::item::{Item, VERSION};
use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::history::{self, SessionHead};
use crate::host::{Commit, Host};
use crate::life::tombstone::Tombstone;
use crate::marks::Marks;
use crate::memories::snapshot::Snapshot;
use crate::memories::{self, questions::Question};
use crate::memory::{Memory, MemoryScope};
use crate::message::Message;
use crate::safety::secrets;
use crate::scope::{Scope, Session, check_id};
use crate::store::{self, Attempts, Change};
use crate::summary::Summary;
use crate::vector::{Stored, Vector, follow};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Items of one call at most.
const MAX_ITEMS: usize = 1_000;
/// The number of a message is below this.
const MAX_NUMBER: u64 = 1_000_000_000_000_000;
/// Characters of a summary at most.
const MAX_SUMMARY_CHARS: usize = 1_000_000;
/// Entries of a list inside an item at most.
const MAX_ENTRIES: usize = 10_000;

/// Characters of a tag or an id in a list at most.
const MAX_TEXT_CHARS: usize = 1_000;
/// A time is this far from 1970 at most, ms, as float numbers hold it exactly.
const MAX_TIME_MS: u64 = 9_000_000_000_000_000;

/// What an import did, by kind of item.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Imported {
    /// Items that are stored now and were not before.
    pub imported: BTreeMap<&'static str, usize>,
    /// Items that were there already, or whose session or memory is not there.
    pub skipped: BTreeMap<&'static str, usize>,
}

impl Imported {
    fn count(&mut self, item: &Item, is_new: bool) {
        let counts = match is_new {
            true => &mut self.imported,
            false => &mut self.skipped,
        };
        *counts.entry(item.kind()).or_insert(0) += 1;
    }
}

/// Brings items in; all of this call or none.
pub async fn import<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    mut items: Vec<Item>,
) -> Result<Imported> {
    scope.check()?;
    if items.len() > MAX_ITEMS {
        return Err(Error::too_large("lines", items.len(), MAX_ITEMS, "lines"));
    }
    for (at, item) in items.iter_mut().enumerate() {
        check(config, &format!("lines[{at}]"), item)?;
    }
    let mut attempts = Attempts::default();
    loop {
        let snapshot = Snapshot::read(host, scope).await?;
        let mut import = Import::begin(host, scope, &snapshot, &items).await?;
        for (at, item) in items.iter().enumerate() {
            let is_new = import.take(item)?;
            import.done.count(item, is_new);
            if let (true, Item::Memory { memory }) = (is_new, item) {
                import.check_chain(&format!("lines[{at}].memory.nextId"), memory)?;
            }
        }
        let is_ended = import.end_earlier(&snapshot, &items)?;
        let Import { change, done, .. } = import;
        if (done.imported.is_empty() && !is_ended)
            || follow::commit(host, config, scope, &snapshot, change).await? == Commit::Done
        {
            return Ok(done);
        }
        attempts.lost("the user's data")?;
    }
}

struct Import<'a> {
    scope: &'a Scope,
    /// Keys that are there, or will be.
    taken: BTreeSet<String>,
    /// Ids of memories that are there, or will be, each with its successor.
    next: BTreeMap<String, Option<String>>,
    change: Change,
    done: Imported,
}

impl<'a> Import<'a> {
    async fn begin<H: Host>(
        host: &H,
        scope: &'a Scope,
        snapshot: &Snapshot,
        items: &[Item],
    ) -> Result<Self> {
        let keys: BTreeSet<String> = items.iter().flat_map(|item| keys(scope, item)).collect();
        let keys: Vec<String> = keys.into_iter().collect();
        let mut change = snapshot.change()?;
        let mut taken = BTreeSet::new();
        for (key, entry) in keys.iter().zip(store::get(host, &keys).await?) {
            if entry.is_some() {
                taken.insert(key.clone());
            } else {
                // Whatever comes into being meanwhile is not overwritten.
                change.check::<()>(key.clone(), None);
            }
        }
        let memories = snapshot.memories.iter();
        Ok(Self {
            scope,
            taken,
            next: memories
                .map(|memory| (memory.id.clone(), memory.next_id.clone()))
                .collect(),
            change,
            done: Imported::default(),
        })
    }

    /// Takes an item in; false when it is there already or stands alone.
    fn take(&mut self, item: &Item) -> Result<bool> {
        let keys = keys(self.scope, item);
        if keys.is_empty() || keys.iter().any(|key| self.taken.contains(key)) {
            return Ok(false);
        }
        let scope = self.scope;
        let change = &mut self.change;
        match item {
            Item::Siltstone { .. } => return Ok(false),
            Item::Forgotten { id, tombstone } => change.put(scope.tombstone_key(id), tombstone)?,
            Item::Mark { session, at, items } => {
                let Some((first, _)) = items.first() else {
                    return Ok(false);
                };
                let marks = Marks {
                    owner: "import".to_owned(),
                    at: *at,
                    done: true,
                    items: items.clone(),
                };
                change.put(of(scope, session).mark_key(*first), &marks)?;
            }
            Item::Memory { memory } => {
                change.put(scope.memory_key(&memory.id), memory)?;
                self.next.insert(memory.id.clone(), memory.next_id.clone());
            }
            Item::Message {
                session,
                number,
                message,
            } => {
                let session = of(scope, session);
                change.put(session.message_key(*number), message)?;
                if let Some(id) = &message.id {
                    change.put(session.message_id_key(id), number)?;
                }
            }
            Item::Question { question } => {
                change.put(scope.question_key(&question.id), question)?;
            }
            Item::Session { head } => change.put(of(scope, &head.session).head_key(), head)?,
            Item::Summary { session, summary } => {
                change.put(of(scope, session).summary_key(), summary)?;
            }
            Item::Vector { id, q } => {
                if !self.next.contains_key(id) {
                    return Ok(false);
                }
                change.put(scope.vector_key(id), &Stored { q: q.clone() })?;
            }
        }
        // A session that is there takes no more messages; one that comes after them closes it.
        let guard = matches!(item, Item::Message { .. });
        self.taken.extend(keys.into_iter().skip(usize::from(guard)));
        Ok(true)
    }

    /// An earlier version that is here from an older list is live no more once its successor has come; whether
    /// there was any.
    fn end_earlier(&mut self, snapshot: &Snapshot, items: &[Item]) -> Result<bool> {
        let mut any = false;
        for item in items {
            let Item::Memory { memory } = item else {
                continue;
            };
            let id = memory.id.as_str();
            let before = memory.previous_id.as_deref().map(|before| (before, id));
            let after = memory.next_id.as_deref().map(|next| (id, next));
            for (old, new) in before.into_iter().chain(after) {
                let mut here = snapshot.memories.iter();
                let here = here.find(|here| here.id == old && here.is_valid);
                let is_ended = |next: &Option<String>| next.is_some();
                let Some(here) = here.filter(|_| !self.next.get(old).is_some_and(is_ended)) else {
                    continue;
                };
                if !self.next.contains_key(new) || self.leads_to(new, old) {
                    continue;
                }
                let ended = Memory {
                    is_valid: false,
                    next_id: Some(new.to_owned()),
                    ..here.clone()
                };
                self.change.put(self.scope.memory_key(old), &ended)?;
                self.next.insert(old.to_owned(), ended.next_id);
                any = true;
            }
        }
        Ok(any)
    }

    /// Whether a memory's chain of successors comes to this one.
    fn leads_to(&self, from: &str, to: &str) -> bool {
        let mut at = Some(from);
        for _ in 0..=self.next.len() {
            match at {
                None => return false,
                Some(id) if id == to => return true,
                Some(id) => at = self.next.get(id).and_then(Option::as_deref),
            }
        }
        true
    }

    /// A chain of versions that led back to itself would have no live end.
    fn check_chain(&self, path: &str, memory: &Memory) -> Result<()> {
        let mut at = memory.next_id.as_deref();
        for _ in 0..self.next.len() {
            let Some(id) = at else {
                return Ok(());
            };
            if id == memory.id {
                break;
            }
            at = self.next.get(id).and_then(Option::as_deref);
        }
        match at {
            None => Ok(()),
            Some(_) => Err(Error::input(
                path,
                "a version that does not lead back to this one",
            )),
        }
    }
}

fn of<'a>(scope: &'a Scope, id: &'a str) -> Session<'a> {
    Session {
        scope,
        id,
        is_sub_agent: false,
    }
}

/// The keys that must not be there for an item to be taken in.
fn keys(scope: &Scope, item: &Item) -> Vec<String> {
    match item {
        Item::Siltstone { .. } => Vec::new(),
        Item::Forgotten { id, .. } => vec![scope.tombstone_key(id)],
        Item::Mark { session, items, .. } => items
            .first()
            .map(|(first, _)| of(scope, session).mark_key(*first))
            .into_iter()
            .collect(),
        Item::Memory { memory } => vec![scope.memory_key(&memory.id)],
        Item::Message {
            session,
            number,
            message,
        } => {
            let session = of(scope, session);
            let id = message.id.as_deref().unwrap_or_default();
            vec![
                session.head_key(),
                session.message_key(*number),
                session.message_id_key(id),
            ]
        }
        Item::Question { question } => vec![scope.question_key(&question.id)],
        Item::Session { head } => vec![of(scope, &head.session).head_key()],
        Item::Summary { session, .. } => vec![of(scope, session).summary_key()],
        Item::Vector { id, .. } => vec![scope.vector_key(id)],
    }
}

fn check(config: &Config, path: &str, item: &mut Item) -> Result<()> {
    let session = |id: &str| check_id(&format!("{path}.session"), id);
    match item {
        Item::Siltstone { version, .. } if *version > VERSION => Err(Error::new(
            Code::InvalidInput,
            format!("{path}.version: {version} is newer than this version reads ({VERSION}); update siltstone"),
        )
        .with_path(format!("{path}.version"))),
        Item::Siltstone { .. } => Ok(()),
        Item::Forgotten { id, tombstone } => {
            check_id(&format!("{path}.id"), id)?;
            check_tombstone(&format!("{path}.tombstone"), tombstone)
        }
        Item::Mark { session: id, items, .. } => {
            session(id)?;
            check_entries(&format!("{path}.items"), items.len())?;
            let is_mark = |(number, hash): &(u64, String)| *number < MAX_NUMBER && hash.len() == 32;
            match items.iter().all(is_mark) {
                true => Ok(()),
                false => Err(Error::input(format!("{path}.items"), "message numbers, each with an md5")),
            }
        }
        Item::Memory { memory } => check_memory(config, &format!("{path}.memory"), memory),
        Item::Message { session: id, number, message } => {
            session(id)?;
            check_number(&format!("{path}.number"), *number)?;
            check_message(config, &format!("{path}.message"), message)
        }
        Item::Question { question } => check_question(&format!("{path}.question"), question),
        Item::Session { head } => check_head(&format!("{path}.head"), head),
        Item::Summary { session: id, summary } => {
            session(id)?;
            check_summary(&format!("{path}.summary"), summary)
        }
        Item::Vector { id, q } => {
            check_id(&format!("{path}.id"), id)?;
            match Vector::decode(&Stored { q: q.clone() }) {
                Some(_) => Ok(()),
                None => Err(Error::input(format!("{path}.q"), "an embedding as base64")),
            }
        }
    }
}

fn check_entries(path: &str, count: usize) -> Result<()> {
    match count <= MAX_ENTRIES {
        true => Ok(()),
        false => Err(Error::too_large(path, count, MAX_ENTRIES, "entries")),
    }
}

fn check_number(path: &str, number: u64) -> Result<()> {
    match number < MAX_NUMBER {
        true => Ok(()),
        false => Err(Error::input(path, "the number of a message, below 10^15")),
    }
}

fn check_tombstone(path: &str, tombstone: &Tombstone) -> Result<()> {
    check_entries(&format!("{path}.messages"), tombstone.messages.len())?;
    let hashes = tombstone.messages.iter().chain([&tombstone.content]);
    match hashes.map(String::len).all(|length| length == 32) {
        true => Ok(()),
        false => Err(Error::input(path, "md5 hashes")),
    }
}

fn check_message(config: &Config, path: &str, message: &Message) -> Result<()> {
    if message.id.is_none() {
        return Err(Error::input(format!("{path}.id"), "the id of the message"));
    }
    history::check_message(config, path, message)
}

fn check_question(path: &str, question: &Question) -> Result<()> {
    check_id(&format!("{path}.old"), &question.old)?;
    check_id(&format!("{path}.new"), &question.new)?;
    match question.id == format!("{}+{}", question.old, question.new) {
        true => Ok(()),
        false => Err(Error::input(
            format!("{path}.id"),
            "the ids of both memories, joined by +",
        )),
    }
}

fn check_head(path: &str, head: &SessionHead) -> Result<()> {
    check_id(&format!("{path}.session"), &head.session)?;
    if let Some(agent) = &head.agent {
        check_id(&format!("{path}.agent"), agent)?;
    }
    check_number(&format!("{path}.next"), head.next)?;
    let covered = head.judged_below.max(head.summarized_below);
    match covered <= head.next {
        true => Ok(()),
        false => Err(Error::input(path, "marks that are not above `next`")),
    }
}

fn check_summary(path: &str, summary: &Summary) -> Result<()> {
    check_number(&format!("{path}.through"), summary.through)?;
    memories::check_chars(&format!("{path}.text"), &summary.text, MAX_SUMMARY_CHARS)
}

/// Checks a memory, and brings it to what it would be if it came in today.
fn check_memory(config: &Config, path: &str, memory: &mut Memory) -> Result<()> {
    check_id(&format!("{path}.id"), &memory.id)?;
    let ids = [
        ("agentId", &memory.agent_id),
        ("sessionId", &memory.session_id),
        ("previousId", &memory.previous_id),
        ("nextId", &memory.next_id),
    ];
    for (field, id) in ids {
        if let Some(id) = id {
            check_id(&format!("{path}.{field}"), id)?;
        }
    }
    if memory.scope == MemoryScope::Agent && memory.agent_id.is_none() {
        return Err(Error::input(
            format!("{path}.agentId"),
            "the agent whose memory this is",
        ));
    }
    if memory.is_valid && memory.next_id.is_some() {
        return Err(Error::input(
            format!("{path}.isValid"),
            "false, where there is a newer version",
        ));
    }
    let limit = config.history.max_message_chars;
    memories::check_chars(&format!("{path}.content"), &memory.content, limit)?;
    memories::check_importance(&format!("{path}.importance"), memory.importance)?;
    memories::check_facts(&format!("{path}.facts"), &memory.facts)?;
    let lists = [
        ("tags", &memory.tags),
        ("messageIds", &memory.message_ids),
        ("relatedIds", &memory.related_ids),
        ("conflictIds", &memory.conflict_ids),
    ];
    for (field, list) in lists {
        let path = format!("{path}.{field}");
        check_entries(&path, list.len())?;
        let chars = list.iter().map(|text| text.chars().count()).max();
        if let Some(chars) = chars.filter(|chars| *chars > MAX_TEXT_CHARS) {
            return Err(Error::too_large(path, chars, MAX_TEXT_CHARS, "characters"));
        }
    }
    let times = [
        ("createdAt", Some(memory.created_at)),
        ("lastAccessAt", Some(memory.last_access_at)),
        ("observedAt", Some(memory.observed_at)),
        ("forgottenAt", memory.forgotten_at),
        ("expiresAt", memory.expires_at),
    ];
    for (field, time) in times {
        if time.is_some_and(|time| time.unsigned_abs() > MAX_TIME_MS) {
            return Err(Error::input(
                format!("{path}.{field}"),
                "a time within 285,616 years of 1970",
            ));
        }
    }
    if !memory.weight.is_finite() || memory.weight < 0.0 {
        return Err(Error::input(
            format!("{path}.weight"),
            "a number, not below 0",
        ));
    }
    if let Some(masked) = config.safety.masked(&memory.content) {
        memory.is_sensitive |= secrets::is_masked(&masked);
        memory.content = masked;
    }
    memory.facts = config.safety.masked_facts(&memory.facts);
    memory.inspect(&config.safety);
    Ok(())
}
