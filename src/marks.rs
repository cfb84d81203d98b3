//! Which messages of a session a consolidation has processed (E2).
//!
//! A mark is `md5(role:content)` of one message under its number, so that a line that is said
//! again is new. Marks are recorded before the judge runs and become final with the commit of what
//! it kept: work that a crash cuts off is done again. They are kept for 7 days; then the session's
//! head remembers how far it was judged.

use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::history::SessionHead;
use crate::host::{Commit, Host};
use crate::life::users::User;
use crate::lock::Held;
use crate::message::Message;
use crate::read::Read;
use crate::scope::Session;
use crate::sorted::Map;
use crate::store::{self, Change, Record};
use md5::{Digest, Md5};
use serde::Serialize;

/// Marks in one record.
const CHUNK: usize = 200;
/// Numbers without a mark that are looked up at once.
const LOOKED_UP: usize = 200;

/// The marks of one consolidation.
#[derive(Debug, Clone, Serialize, Read)]
#[serde(rename_all = "camelCase")]
pub struct Marks {
    /// Who made them.
    pub owner: String,
    /// When, ms.
    pub at: i64,
    /// Whether what the judge kept is stored.
    pub done: bool,
    /// Message number and `md5(role:content)`.
    pub items: Vec<(u64, String)>,
}

/// What is known of a session's processed messages.
#[derive(Debug, Default)]
pub struct Processed {
    below: u64,
    marks: Map<u64, String>,
    /// Finished marks whose time is over, oldest first.
    expired: Vec<Record<Marks>>,
}

impl Processed {
    /// Every message below this number was consolidated.
    pub fn below(&self) -> u64 {
        self.below
    }

    /// Whether this message was consolidated.
    pub fn holds(&self, number: u64, message: &Message) -> bool {
        number < self.below || self.marks.get(&number) == Some(&hash(message))
    }
}

/// `md5(role:content)` in hex.
fn hash(message: &Message) -> String {
    let digest = Md5::digest(format!("{}:{}", message.role.as_str(), message.text()));
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the marks; if the store cannot give them, everything counts as new.
pub async fn read<H: Host>(
    host: &H,
    session: &Session<'_>,
    head: &SessionHead,
    ttl_ms: u64,
) -> Result<Processed> {
    let now = store::now(host)?;
    let entries = match store::range(host, session.marks(), usize::MAX, false).await {
        Ok(entries) => entries,
        Err(error) => {
            store::warn(host, "marks_unreadable", &error.message);
            return Ok(Processed::default());
        }
    };
    let mut processed = Processed {
        below: head.judged_below,
        ..Processed::default()
    };
    for record in store::decode_all::<H, Marks>(host, entries) {
        if !record.value.done {
            continue;
        }
        processed.marks.extend(record.value.items.iter().cloned());
        if record.value.at.saturating_add_unsigned(ttl_ms) <= now {
            processed.expired.push(record);
        }
    }
    Ok(processed)
}

/// The marks of these messages, in records of bounded size.
pub fn plan(
    session: &Session<'_>,
    held: &Held,
    now: i64,
    messages: &[(u64, Message)],
) -> Vec<(String, Marks)> {
    messages
        .chunks(CHUNK)
        .filter_map(|chunk| {
            let (first, _) = chunk.first()?;
            let marks = Marks {
                owner: held.owner().to_owned(),
                at: now,
                done: false,
                items: chunk
                    .iter()
                    .map(|(number, message)| (*number, hash(message)))
                    .gather(),
            };
            Some((session.mark_key(*first), marks))
        })
        .gather()
}

/// Records the marks before the judge runs, and that `maintain` is to look after them. A failure is
/// logged; the work goes on.
pub async fn record<H: Host>(
    host: &H,
    session: &Session<'_>,
    held: &Held,
    marks: &[(String, Marks)],
) {
    let mut change = Change::new();
    held.guard(&mut change);
    let user = User::of(session.scope);
    change.put(user.key(), &user);
    for (key, marks) in marks {
        change.put(key.clone(), marks);
    }
    match change.commit(host).await {
        Ok(Commit::Done) => {}
        Ok(Commit::Conflict) => store::warn(host, "marks_not_written", "the lock was lost"),
        Err(error) => store::warn(host, "marks_not_written", &error.message),
    }
}

/// Writes the marks as final, within the commit that stores what the judge kept.
pub fn finish(change: &mut Change, marks: &[(String, Marks)]) -> Result<()> {
    for (key, marks) in marks {
        let marks = Marks {
            done: true,
            ..marks.clone()
        };
        change.put(key.clone(), &marks);
    }
    Ok(())
}

/// Folds expired marks into the session's head, over the numbers of messages that were removed. A lost
/// race leaves them for the next time.
pub async fn fold<H: Host>(host: &H, session: &Session<'_>, processed: &Processed) -> Result<()> {
    if processed.expired.is_empty() {
        return Ok(());
    }
    let Some(head) = store::typed::<SessionHead>(store::read(host, session.head_key()).await)?
    else {
        return Ok(());
    };
    let below = reached(host, session, head.value.judged_below, &processed.expired).await?;
    let mut change = Change::new();
    change.check_read(&head);
    for record in &processed.expired {
        if record.value.items.iter().all(|(number, _)| *number < below) {
            change.delete(record.key.clone());
        }
    }
    let head = SessionHead {
        judged_below: below,
        ..head.value
    };
    change.put(session.head_key(), &head);
    change.commit(host).await.map(drop)
}

/// Below which number every message was judged, or is there no more. A message that no expired mark
/// knows would otherwise count as judged.
async fn reached<H: Host>(
    host: &H,
    session: &Session<'_>,
    below: u64,
    expired: &[Record<Marks>],
) -> Result<u64> {
    let mut next = below;
    let mut unmarked = Vec::new();
    for (number, _) in expired.iter().flat_map(|record| &record.value.items) {
        // One more than is looked up, so that it is known where to stop.
        unmarked.push_all((next..*number).take(LOOKED_UP + 1 - unmarked.len()));
        next = next.max(number.saturating_add(1));
    }
    let keys = unmarked.iter().take(LOOKED_UP);
    let keys: Vec<String> = keys.map(|number| session.message_key(*number)).gather();
    if keys.is_empty() {
        return Ok(next);
    }
    let there = store::get(host, &keys).await?;
    let open = there.iter().position(Option::is_some);
    Ok(unmarked
        .get(open.unwrap_or(LOOKED_UP))
        .copied()
        .unwrap_or(next))
}
