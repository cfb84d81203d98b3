//! What an item of a list must be to be brought in: what the call that would have made it asks of it.

use super::item::{Item, VERSION};
use crate::config::Config;
use crate::error::{Code, Error, Result};
use crate::history::{self, SessionHead};
use crate::life::tombstone::Tombstone;
use crate::memories::{self, questions::Question};
use crate::memory::{Memory, MemoryScope};
use crate::message::Message;
use crate::safety::secrets;
use crate::scope::check_id;
use crate::summary::Summary;
use crate::vector::{Stored, Vector};

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

/// Checks an item, and brings a memory to what it would be if it came in today.
pub(super) fn check(config: &Config, path: &str, item: &mut Item) -> Result<()> {
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
    memories::check_chars(&format!("{path}.cues"), &memory.cues, MAX_TEXT_CHARS)?;
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
