//! What of a list is brought in: what is well-formed and not there yet. A list may be brought in
//! again, whole or in part, and by another user: what is there stays as it is, except that a version
//! whose successor comes is live no more.
//!
//! A list is untrusted: every item is checked like the call that would have made it, secrets are
//! masked and texts that give orders are held as they would be.

use super::check::check;
use super::item::Item;
use crate::case::Lowercase;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::gather::Gather;
use crate::host::{Commit, Host};
use crate::marks::Marks;
use crate::memories::snapshot::Snapshot;
use crate::memory::Memory;
use crate::scope::{Scope, Session};
use crate::sorted::{Facts, Map, Names};
use crate::store::{self, Attempts, Change};
use crate::table::Table;
use crate::vector::{Stored, follow};
use serde::Serialize;

/// Items of one call at most.
const MAX_ITEMS: usize = 1_000;

/// What an import did, by kind of item.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Imported {
    /// Items that are stored now and were not before.
    pub imported: Map<String, usize>,
    /// Items that were there already, or whose session or memory is not there.
    pub skipped: Map<String, usize>,
}

impl Imported {
    fn count(&mut self, item: &Item, is_new: bool) {
        let counts = match is_new {
            true => &mut self.imported,
            false => &mut self.skipped,
        };
        counts.update(item.kind().to_owned(), 0, |count| *count += 1);
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
            let is_new = import.take(item);
            import.done.count(item, is_new);
            if let (true, Item::Memory { memory }) = (is_new, item) {
                import.check_chain(&format!("lines[{at}].memory.nextId"), memory)?;
            }
        }
        let is_ended = import.end_earlier(&snapshot, &items);
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
    taken: Names,
    /// Ids of memories that are there, or will be, each with its successor.
    next: Table<Option<String>>,
    /// Ids of memories of the list, each with its successor there.
    listed: Facts,
    /// What live memories say, each with its id.
    said: Facts,
    change: Change,
    done: Imported,
}

fn successor(item: &Item) -> Option<(String, String)> {
    match item {
        Item::Memory { memory } => Some((memory.id.clone(), memory.next_id.clone()?)),
        _ => None,
    }
}

/// Cube and words of a memory that takes part. The length tells where the one ends.
fn words_of(memory: &Memory) -> Option<String> {
    let words = memory.content.trim().trim_end_matches(['.', '!', '。']);
    (memory.is_valid && !memory.is_held).then(|| {
        let cube = memory.cube();
        format!("{}:{cube}{}", cube.len(), words.lowercase())
    })
}

impl<'a> Import<'a> {
    async fn begin<H: Host>(
        host: &H,
        scope: &'a Scope,
        snapshot: &Snapshot,
        items: &'a [Item],
    ) -> Result<Self> {
        let keys = Names::from_iter(items.iter().flat_map(|item| keys(scope, item)));
        let keys: Vec<String> = keys.into_iter().gather();
        let mut change = snapshot.change();
        let mut taken = Names::new();
        for (key, entry) in keys.iter().zip(store::get(host, &keys).await?) {
            if entry.is_some() {
                taken.insert(key.clone());
            } else {
                // Whatever comes into being meanwhile is not overwritten.
                change.check::<()>(key.clone(), None);
            }
        }
        let memories = snapshot.memories.iter();
        let said = memories.clone();
        let said = said.filter_map(|memory| Some((words_of(memory)?, memory.id.clone())));
        Ok(Self {
            scope,
            taken,
            listed: Facts::from_iter(items.iter().filter_map(successor)),
            said: Facts::from_iter(said),
            next: memories
                .map(|memory| (memory.id.clone(), memory.next_id.clone()))
                .collect(),
            change,
            done: Imported::default(),
        })
    }

    /// Takes an item in; false when it is there already or stands alone.
    fn take(&mut self, item: &Item) -> bool {
        let keys = keys(self.scope, item);
        if keys.is_empty() || keys.iter().any(|key| self.taken.contains(key)) {
            return false;
        }
        let scope = self.scope;
        match item {
            Item::Siltstone { .. } => return false,
            Item::Forgotten { id, tombstone } => {
                self.change.put(scope.tombstone_key(id), tombstone)
            }
            Item::Mark { session, at, items } => {
                let Some((first, _)) = items.first() else {
                    return false;
                };
                let marks = Marks {
                    owner: "import".to_owned(),
                    at: *at,
                    done: true,
                    items: items.clone(),
                };
                self.change.put(of(scope, session).mark_key(*first), &marks);
            }
            Item::Memory { memory } => {
                let memory = self.among_others(memory);
                self.change.put(scope.memory_key(&memory.id), &memory);
                self.next.insert(memory.id, memory.next_id);
            }
            Item::Message {
                session,
                number,
                message,
            } => {
                let session = of(scope, session);
                self.change.put(session.message_key(*number), message);
                if let Some(id) = &message.id {
                    self.change.put(session.message_id_key(id), number);
                }
            }
            Item::Question { question } => {
                self.change.put(scope.question_key(&question.id), question);
            }
            Item::Session { head } => self.change.put(of(scope, &head.session).head_key(), head),
            Item::Summary { session, summary } => {
                self.change.put(of(scope, session).summary_key(), summary);
            }
            Item::Vector { id, q } => {
                if self.next.get(id).is_none() {
                    return false;
                }
                self.change
                    .put(scope.vector_key(id), &Stored { q: q.clone() });
            }
        }
        // A session that is there takes no more messages; one that comes after them closes it.
        let guard = matches!(item, Item::Message { .. });
        self.taken.extend(keys.into_iter().skip(usize::from(guard)));
        true
    }

    /// The memory as it is stored: where another one here says it, an earlier version of that, so that nothing
    /// is there twice.
    fn among_others(&mut self, memory: &Memory) -> Memory {
        let mut memory = memory.clone();
        let Some(words) = words_of(&memory) else {
            return memory;
        };
        match self.said.get(&words) {
            Some(same) if !self.is_followed(same, &memory) => {
                memory.is_valid = false;
                memory.next_id = Some(same.clone());
            }
            _ => {
                self.said.insert(words, memory.id.clone());
            }
        }
        memory
    }

    /// Whether the list says that this memory came in the place of that one.
    fn is_followed(&self, old: &str, by: &Memory) -> bool {
        let mut at = Some(old);
        for _ in 0..=self.listed.len() {
            match at {
                None => break,
                Some(id) if id == by.id => return true,
                Some(id) => at = self.listed.get(id).map(String::as_str),
            }
        }
        by.previous_id.as_deref() == Some(old)
    }

    /// An earlier version that is here from an older list is live no more once its successor has come; whether
    /// there was any.
    fn end_earlier(&mut self, snapshot: &Snapshot, items: &[Item]) -> bool {
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
                if self.next.get(new).is_none() || self.leads_to(new, old) {
                    continue;
                }
                let ended = Memory {
                    is_valid: false,
                    next_id: Some(new.to_owned()),
                    ..here.clone()
                };
                self.change.put(self.scope.memory_key(old), &ended);
                self.next.insert(old.to_owned(), ended.next_id);
                any = true;
            }
        }
        any
    }

    /// Whether a memory's chain of successors comes to this one.
    fn leads_to(&self, from: &str, to: &str) -> bool {
        let mut at = Some(from);
        for _ in 0..=self.next.names() {
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
        for _ in 0..self.next.names() {
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
            .gather(),
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
