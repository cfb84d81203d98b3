//! The index in the store: parts of it, and a head that says of which version of the memory head
//! they are and where each begins.
//!
//! It is only ever made from memories, and can be made anew at any time. Whoever brings it up to date
//! does so in one commit that checks both heads; whoever makes it anew takes its head away first. So
//! the parts that a head names are whole, whenever a call dies. What changed since is told by the
//! memory head's log.

use super::Indexed;
use super::indexes::{compares, fill, vectors_of};
use super::segment::FORMAT;
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Commit, Entry, Host, IndexLimits};
use crate::memories::log;
use crate::memories::snapshot::MemoryHead;
use crate::memory::Memory;
use crate::scope::Scope;
use crate::sorted::Names;
use crate::store::{self, Change, Record};
use crate::table::Table;
use futures_util::future::join;
use siltstone_kernels::{from_base64, to_base64};

/// Parts written in one commit.
const PARTS: usize = 16;
/// Old parts taken away in one commit.
const OLD: usize = 100;

/// Memories whose index is stored within a turn; a larger one is left to `recall` and `maintain`.
const SOON: usize = 4_000;

/// What is known of the index in the store.
#[derive(Debug, Clone, Default)]
pub(super) struct Kept {
    is_there: bool,
    /// Whether this instance has tried to store it anew: once is enough.
    was_tried: bool,
    /// Memories that changed since.
    changed: Names,
}

impl Kept {
    pub(super) fn note(&mut self, id: &str) {
        if self.is_there && !self.changed.contains(id) {
            self.changed.insert(id.to_owned());
        }
    }

    fn is_due(&self, count: usize, limits: IndexLimits) -> bool {
        match self.is_there {
            true => self.changed.len() >= limits.changed,
            false => count >= limits.memories && !self.was_tried,
        }
    }
}

/// A memory and what it is by now; none if it is gone.
pub(crate) type Changed = Vec<(String, Option<Memory>)>;

/// Reads what these memories are by now, in the order of their ids.
pub(crate) async fn changed<H: Host>(host: &H, scope: &Scope, ids: Names) -> Result<Changed> {
    let keys: Vec<String> = ids.iter().map(|id| scope.memory_key(id)).gather();
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let entries = store::get(host, &keys).await?;
    let read = ids.into_iter().zip(entries).map(|(id, entry)| {
        let records = store::decode_all(host, entry.into_iter().gather());
        (id, records.into_iter().next().map(|record| record.value))
    });
    Ok(read.gather())
}

/// The version that the index in the store is of, and where its parts begin.
fn head(entry: Option<&Entry>) -> Option<(String, Vec<String>)> {
    let entry = entry?;
    let texts: Vec<String> = store::decode(&entry.key, &entry.value).ok()?;
    match texts.as_slice() {
        [format, version, parts @ ..] if *format == FORMAT.to_string() => {
            Some((version.clone(), parts.to_vec()))
        }
        _ => None,
    }
}

/// The index from the store as of this memory head, with the embeddings where they are compared here;
/// none if what is stored is too old, damaged, or not there.
pub(super) async fn load<H: Host>(
    host: &H,
    scope: &Scope,
    memory_head: &Record<MemoryHead>,
    entry: Option<&Entry>,
) -> Result<Option<Indexed>> {
    let Some((version, parts)) = head(entry) else {
        return Ok(None);
    };
    let ids = match version == memory_head.version {
        true => Some(Names::new()),
        false => log::since(&memory_head.value.log, &version),
    };
    let Some(ids) = ids else { return Ok(None) };
    let (entries, changed) = join(
        store::range(host, scope.index_parts(), usize::MAX, false),
        changed(host, scope, ids),
    )
    .await;
    let mut indexed = Indexed::empty(version, false);
    indexed.has_rows = compares(host);
    indexed.kept.get_mut().is_there = true;
    let Some(is_whole) = unpack(&mut indexed, scope, &parts, &entries?) else {
        return Ok(None);
    };
    let changed = changed?;
    let vectors = match indexed.has_rows && is_whole {
        true => vectors_of(host, scope, &changed).await?,
        false => Table::default(),
    };
    indexed.follow(scope, &memory_head.version, changed, vectors);
    if !is_whole {
        fill(host, scope, &mut indexed).await?;
    }
    Ok(Some(indexed))
}

/// Whether all of it holds the embeddings that are wanted; none if it is not what the head says.
fn unpack(
    indexed: &mut Indexed,
    scope: &Scope,
    parts: &[String],
    entries: &[Entry],
) -> Option<bool> {
    let mut is_whole = true;
    let ends = parts.iter().skip(1).map(|end| Some(end.as_str()));
    let mut entries = entries.iter();
    for (first, end) in parts.iter().zip(ends.chain([None])) {
        let key = scope.index_part_key(first);
        let entry = entries.find(|entry| entry.key == key)?;
        let text: String = store::decode(&key, &entry.value).ok()?;
        let bytes = from_base64(&text)?;
        let from = indexed.ids.len();
        if !indexed.unpack(&bytes, first, end)? && indexed.has_rows {
            // Written where no embeddings are compared: it is due to be written anew.
            is_whole = false;
            for id in indexed.ids.iter().skip(from) {
                indexed.kept.get_mut().note(id);
            }
        }
    }
    Some(is_whole)
}

impl Indexed {
    /// These documents cut into parts, each with where it begins.
    fn cut(
        &self,
        docs: std::ops::Range<usize>,
        first: &str,
        bytes: usize,
    ) -> Vec<(String, Vec<u32>)> {
        let mut parts = vec![(first.to_owned(), Vec::new())];
        // In which part each term was seen last.
        let mut seen = vec![0; self.lexical.numbers()];
        let mut size = 0;
        let docs = docs.start as u32..docs.end as u32;
        for doc in docs.filter(|doc| self.marks(*doc).is_some()) {
            let id = self.id(doc);
            let Some(known) = self.lexical.doc(doc) else {
                continue;
            };
            let row = match self.has_rows {
                true => self.vectors.row(doc).map_or(0, <[i8]>::len),
                false => 0,
            };
            let cost = |part: usize| {
                let mut new = 0;
                for (number, _) in &known.terms {
                    if let Some(seen) = seen.get(*number as usize)
                        && *seen != part
                    {
                        new += self.lexical.name(*number).len() + 2;
                    }
                }
                new + id.len() + 24 + 3 * known.terms.len() + row
            };
            let needed = cost(parts.len());
            let is_full = size + needed > bytes;
            if is_full && parts.last().is_some_and(|(_, docs)| !docs.is_empty()) {
                parts.push((id.to_owned(), Vec::new()));
                size = cost(parts.len());
            } else {
                size += needed;
            }
            for (number, _) in &known.terms {
                if let Some(seen) = seen.get_mut(*number as usize) {
                    *seen = parts.len();
                }
            }
            if let Some((_, docs)) = parts.last_mut() {
                docs.push(doc);
            }
        }
        parts
    }

    /// All parts anew, or those of what has changed, and where all of them then begin.
    fn plan(
        &self,
        parts: Option<&[String]>,
        bytes: usize,
    ) -> (Vec<String>, Vec<(String, Vec<u32>)>) {
        let Some(parts) = parts else {
            let cut = self.cut(0..self.ids.len(), "", bytes);
            return (cut.iter().map(|(first, _)| first.clone()).gather(), cut);
        };
        let kept = self.kept.borrow();
        let (mut firsts, mut written) = (Vec::new(), Vec::new());
        for (at, first) in parts.iter().enumerate() {
            let end = parts.get(at + 1);
            let is_in = |id: &str| *first.as_str() <= *id && end.is_none_or(|end| *id < **end);
            if kept.changed.iter().any(|id| is_in(id)) {
                let before = |border: &str| self.ids.partition_point(|id| **id < *border);
                let stop = end.map_or(self.ids.len(), |end| before(end));
                let cut = self.cut(before(first)..stop, first, bytes);
                firsts.push_all(cut.iter().map(|(first, _)| first.clone()));
                written.push_all(cut);
            } else {
                firsts.push(first.clone());
            }
        }
        (firsts, written)
    }

    fn put(
        &self,
        change: &mut Change,
        scope: &Scope,
        firsts: &[String],
        part: &(String, Vec<u32>),
    ) {
        let (first, docs) = part;
        let at = firsts.partition_point(|other| other <= first);
        let bytes = self.pack(docs, first, firsts.get(at).map(String::as_str));
        change.put(scope.index_part_key(first), &to_base64(&bytes));
    }

    fn put_head(&self, change: &mut Change, scope: &Scope, firsts: Vec<String>) {
        let mut head = vec![FORMAT.to_string(), self.version.clone()];
        head.push_all(firsts);
        change.put(scope.index_head_key(), &head);
    }

    /// Stores what has changed where that does not take long.
    pub async fn save_soon<H: Host>(&self, host: &H, scope: &Scope) -> Result<()> {
        let is_short = self.kept.borrow().is_there || self.count() <= SOON;
        match is_short {
            true => self.save(host, scope).await,
            false => Ok(()),
        }
    }

    /// Stores what has changed, if it is enough to be worth it. Another change that came first is
    /// no fault: then it is left to the next one.
    pub async fn save<H: Host>(&self, host: &H, scope: &Scope) -> Result<()> {
        let limits = host.index_limits();
        // What is stored is of the hot memories only: whoever reads it asks for those.
        if self.with_cold || !self.kept.borrow().is_due(self.count(), limits) {
            return Ok(());
        }
        let key = scope.index_head_key();
        let is_there = self.kept.borrow().is_there;
        self.kept.borrow_mut().was_tried = true;
        let entry = store::get(host, &[key]).await?.into_iter().next().flatten();
        let known = head(entry.as_ref()).filter(|_| is_there);
        let plan = known.map(|(_, parts)| self.plan(Some(&parts), limits.bytes));
        let saved = match plan.filter(|(_, written)| written.len() <= PARTS) {
            Some((firsts, written)) => {
                let mut change = self.change(scope);
                let version = entry.as_ref().map(|entry| entry.version.clone());
                change.check_version(scope.index_head_key(), version);
                for part in &written {
                    self.put(&mut change, scope, &firsts, part);
                }
                self.put_head(&mut change, scope, firsts);
                change.commit(host).await? == Commit::Done
            }
            None => self.save_anew(host, scope, limits.bytes).await?,
        };
        if saved {
            let mut kept = self.kept.borrow_mut();
            kept.is_there = true;
            kept.changed.clear();
        }
        Ok(())
    }

    async fn save_anew<H: Host>(&self, host: &H, scope: &Scope, bytes: usize) -> Result<bool> {
        let old = store::range(host, scope.index_parts(), usize::MAX, false).await?;
        let (firsts, parts) = self.plan(None, bytes);
        let new: Names = firsts
            .iter()
            .map(|first| scope.index_part_key(first))
            .collect();
        let mut old = old.into_iter().map(|entry| entry.key);
        let mut parts = parts.iter();
        let mut is_first = true;
        loop {
            let mut change = self.change(scope);
            if is_first {
                change.delete(scope.index_head_key());
            }
            let gone: Vec<String> = old
                .by_ref()
                .filter(|key| !new.contains(key))
                .take(OLD)
                .gather();
            let written: Vec<_> = parts.by_ref().take(PARTS).gather();
            let is_last = !is_first && gone.is_empty() && written.is_empty();
            gone.into_iter().for_each(|key| change.delete(key));
            for part in written {
                self.put(&mut change, scope, &firsts, part);
            }
            if is_last {
                self.put_head(&mut change, scope, firsts);
                return Ok(change.commit(host).await? == Commit::Done);
            }
            if change.commit(host).await? == Commit::Conflict {
                return Ok(false);
            }
            is_first = false;
        }
    }

    /// A change that is committed only if the user's memories are still these.
    fn change(&self, scope: &Scope) -> Change {
        let mut change = Change::new();
        change.check_version(scope.memory_head_key(), Some(self.version.clone()));
        change
    }
}

/// Looks after the index in the store, by all of a user's memories as they are.
pub async fn keep_up<H: Host>(
    host: &H,
    scope: &Scope,
    memory_head: &Record<MemoryHead>,
    memories: Vec<Memory>,
) -> Result<()> {
    if memories.len() < host.index_limits().memories {
        return Ok(());
    }
    let entries = store::get(host, &[scope.index_head_key()]).await?;
    let known = head(entries.first().and_then(Option::as_ref)).map(|(version, _)| version);
    if known.as_ref() == Some(&memory_head.version) {
        return Ok(());
    }
    let changed = known.and_then(|version| log::since(&memory_head.value.log, &version));
    let kept = Kept {
        is_there: changed.is_some(),
        was_tried: false,
        changed: changed.unwrap_or_default(),
    };
    if !kept.is_due(memories.len(), host.index_limits()) {
        return Ok(());
    }
    let mut indexed = Indexed::new(memory_head.version.clone(), memories, false);
    fill(host, scope, &mut indexed).await?;
    *indexed.kept.borrow_mut() = kept;
    indexed.save(host, scope).await
}
