//! Typed records over the host's store: versioned JSON documents, paging, compare-and-set.

use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Batch, Check, Commit, Entry, Host, HostError, Level, LogEvent, Put, Range};
use crate::load::Warning;
use crate::read::{self, Fill, Read, Tree};
use crate::write::{self, Writer};
use serde::Serialize;

/// The version of the document format that this code writes.
const FORMAT: u32 = 1;
/// Entries read at once.
const PAGE: usize = 500;
/// Times a change is tried again after another writer came first.
const TRIES: usize = 16;

/// A record as read.
#[derive(Debug, Clone)]
pub struct Record<T> {
    /// Its encoded key.
    pub key: String,
    /// Its document.
    pub value: T,
    /// Its version, for a check.
    pub version: String,
}

/// A document as JSON text, in today's format.
pub fn encode<T: Serialize>(value: &T) -> String {
    let mut document = Writer::after(format!("{{\"v\":{FORMAT},\"d\":"));
    document.add(value);
    document.text.push('}');
    document.text
}

/// Reads a document; damaged ones and those of a newer format are `corrupt_record`.
pub fn decode<T: Read>(key: &str, text: &str) -> Result<T> {
    let mut value = T::blank();
    fill(key, text, &mut value)?;
    Ok(value)
}

#[inline(never)]
fn fill(key: &str, text: &str, value: &mut dyn Fill) -> Result<()> {
    open(key, text).and_then(|(document, _)| fill_document(key, document, value))
}

fn fill_document(key: &str, document: Tree<'_>, value: &mut dyn Fill) -> Result<()> {
    let filled = read::fill(value, document, false);
    filled.map_err(|fault| corrupt(key, &fault.to_string()))
}

/// The document, and what stands beside it.
fn open<'a>(key: &str, text: &'a str) -> Result<(Tree<'a>, Option<Tree<'a>>)> {
    let mut document = Tree::parse(text)
        .map_err(|at| corrupt(key, &format!("it is no JSON from byte {at} on")))?;
    match (document.take("v"), document.take("d")) {
        (Some(Tree::Unsigned(format)), _) if format != u64::from(FORMAT) => {
            let what =
                format!("format {format} is not known to this version, which reads {FORMAT}");
            Err(corrupt(key, &what))
        }
        (Some(Tree::Unsigned(_)), Some(found)) => Ok((found, document.take("t"))),
        _ => Err(corrupt(key, "it is no document")),
    }
}

#[cold]
fn corrupt(key: &str, what: &str) -> Error {
    Error::new(
        Code::CorruptRecord,
        format!("the stored record `{key}` cannot be read: {what}"),
    )
    .with_details(write::record(&[("key", &key)]))
}

/// The store's failure as the caller's error.
pub fn failed(error: HostError) -> Error {
    Error::new(
        Code::StoreFailed,
        format!("the durable store failed: {}", error.0),
    )
}

/// Reads entries in the order of their keys, checking that the host answered for each.
pub async fn get<H: Host>(host: &H, keys: &[String]) -> Result<Vec<Option<Entry>>> {
    let entries = host.get(keys).await.map_err(failed)?;
    if entries.len() == keys.len() {
        return Ok(entries);
    }
    Err(failed(HostError(format!(
        "get answered {} entries for {} keys",
        entries.len(),
        keys.len()
    ))))
}

/// Reads one entry. What it holds is read by [`typed`]: so there is one state of waiting for all types.
pub async fn read<H: Host>(host: &H, key: String) -> Result<Option<Entry>> {
    let entries = get(host, &[key]).await?;
    Ok(entries.into_iter().next().flatten())
}

/// What was read as a record.
pub fn typed<T: Read>(read: Result<Option<Entry>>) -> Result<Option<Record<T>>> {
    read?.map(record).transpose()
}

/// An entry as a record.
pub fn record<T: Read>(entry: Entry) -> Result<Record<T>> {
    Ok(Record {
        value: decode(&entry.key, &entry.value)?,
        key: entry.key,
        version: entry.version,
    })
}

/// An entry as a record, with what is kept beside it. Whatever else stands there counts as nothing.
pub fn record_beside<T: Read, K: Read>(entry: Entry) -> Result<(Record<T>, Option<K>)> {
    let (document, beside) = open(&entry.key, &entry.value)?;
    let mut value = T::blank();
    fill_document(&entry.key, document, &mut value)?;
    let beside = beside.and_then(|beside| read::tree(beside).ok());
    let record = Record {
        value,
        key: entry.key,
        version: entry.version,
    };
    Ok((record, beside))
}

/// Reads up to `limit` entries of a range, page by page.
pub async fn range<H: Host>(
    host: &H,
    bounds: (String, String),
    limit: usize,
    reverse: bool,
) -> Result<Vec<Entry>> {
    let (mut start, mut end) = bounds;
    let mut entries: Vec<Entry> = Vec::new();
    while entries.len() < limit {
        let want = PAGE.min(limit - entries.len());
        let query = Range {
            start: start.clone(),
            end: end.clone(),
            limit: want,
            reverse,
        };
        let page = host.range(&query).await.map_err(failed)?;
        let ordered = page
            .iter()
            .all(|entry| start <= entry.key && entry.key < end);
        if !ordered || page.len() > want {
            let fault = "range answered keys outside its bounds or more than its limit";
            return Err(failed(HostError(fault.to_owned())));
        }
        let got = page.len();
        if let Some(last) = page.last() {
            if reverse {
                end.clone_from(&last.key);
            } else {
                start = format!("{}\u{20}", last.key);
            }
        }
        entries.push_all(page);
        if got < want {
            break;
        }
    }
    Ok(entries)
}

/// Reads the documents of entries; one that cannot be read is logged and left out.
pub fn decode_all<H: Host, T: Read>(host: &H, entries: Vec<Entry>) -> Vec<Record<T>> {
    entries
        .into_iter()
        .filter_map(|entry| {
            record(entry)
                .inspect_err(|error| warn(host, "corrupt_record", &error.message))
                .ok()
        })
        .gather()
}

/// A change in the making.
#[derive(Debug, Default)]
pub struct Change(Batch);

impl Change {
    /// A change that holds nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only if the record is still as it was read, absent included.
    pub fn check<T>(&mut self, key: String, read: Option<&Record<T>>) {
        self.check_version(key, read.map(|record| record.version.clone()));
    }

    /// Only if the record is still as it was read.
    pub fn check_read<T>(&mut self, read: &Record<T>) {
        self.check(read.key.clone(), Some(read));
    }

    /// Only if the record still has this version; none means that it must not be there.
    pub fn check_version(&mut self, key: String, version: Option<String>) {
        self.0.checks.push(Check { key, version });
    }

    /// Writes a document.
    pub fn put<T: Serialize>(&mut self, key: String, value: &T) {
        let value = encode(value);
        self.0.puts.push(Put { key, value });
    }

    /// Changes a document that it writes, if it does.
    pub fn amend<T: Serialize + Read>(
        &mut self,
        key: &str,
        amend: impl FnOnce(&mut T),
    ) -> Result<()> {
        let Some(put) = self.0.puts.iter_mut().find(|put| put.key == key) else {
            return Ok(());
        };
        let mut value = decode(key, &put.value)?;
        amend(&mut value);
        put.value = encode(&value);
        Ok(())
    }

    /// Writes a document with what is kept beside it, which older versions read past.
    pub fn put_beside<T: Serialize, K: Serialize>(
        &mut self,
        key: String,
        value: &T,
        beside: Option<&K>,
    ) {
        let mut value = encode(value);
        if let Some(beside) = beside {
            value.pop();
            let mut document = Writer::after(format!("{value},\"t\":"));
            document.add(beside);
            document.text.push('}');
            value = document.text;
        }
        self.0.puts.push(Put { key, value });
    }

    /// Deletes a record.
    pub fn delete(&mut self, key: String) {
        self.0.deletes.push(key);
    }

    /// What it writes: keys and documents.
    pub fn puts(&self) -> impl Iterator<Item = (&str, &str)> {
        let puts = self.0.puts.iter();
        puts.map(|put| (put.key.as_str(), put.value.as_str()))
    }

    /// Whether it writes this key.
    pub fn puts_key(&self, key: &str) -> bool {
        self.0.puts.iter().any(|put| put.key == key)
    }

    /// The keys that it deletes.
    pub fn deletes(&self) -> impl Iterator<Item = &str> {
        self.0.deletes.iter().map(String::as_str)
    }

    /// Commits all of it or nothing.
    pub async fn commit<H: Host>(self, host: &H) -> Result<Commit> {
        host.commit(&self.0).await.map_err(failed)
    }
}

/// Counts the attempts of a change that other writers may get ahead of.
#[derive(Debug, Default)]
pub struct Attempts(usize);

impl Attempts {
    /// Takes note of a lost race; an error once there were too many.
    pub fn lost(&mut self, what: &str) -> Result<()> {
        self.0 += 1;
        if self.0 < TRIES {
            return Ok(());
        }
        Err(Error::new(
            Code::Conflict,
            format!(
                "other writers changed {what} {TRIES} times in a row; nothing was written, try again"
            ),
        ))
    }
}

/// Logs something that was worked around.
pub fn warn<H: Host>(host: &H, event: &'static str, message: &str) {
    host.log(LogEvent {
        level: Level::Warn,
        event,
        message: message.to_owned(),
    });
}

/// Logs something that was worked around, and gives it for the report.
pub fn warning<H: Host>(host: &H, code: &'static str, message: &str) -> Warning {
    warn(host, code, message);
    let message = message.to_owned();
    Warning { code, message }
}

/// A time-ordered id (UUID version 7) from the host's clock and randomness.
pub fn new_id<H: Host>(host: &H) -> Result<String> {
    let host_failed = |error: HostError| {
        Error::new(
            Code::HostFailed,
            format!("no id could be made: {}", error.0),
        )
    };
    let mut random = [0u8; 10];
    host.random(&mut random).map_err(host_failed)?;
    let millis = u64::try_from(now(host)?).unwrap_or(0);
    Ok(uuid::Builder::from_unix_timestamp_millis(millis, &random)
        .into_uuid()
        .to_string())
}

/// The host's time, ms.
pub fn now<H: Host>(host: &H) -> Result<i64> {
    host.now_ms()
        .map_err(|error| Error::new(Code::HostFailed, format!("no time: {}", error.0)))
}
