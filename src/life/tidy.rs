//! What sessions leave behind that nobody comes back for: marks past their time, dead locks.

use super::maintain::Maintained;
use crate::config::Config;
use crate::error::Result;
use crate::history::SessionHead;
use crate::host::{Commit, Host};
use crate::key::last_part;
use crate::lock::Lease;
use crate::marks::{self, Marks};
use crate::scope::{Scope, Session};
use crate::sorted::Names;
use crate::store::{self, Change, Record};

/// Folds the expired marks of a user's sessions into their heads and takes dead locks away.
pub async fn tidy<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    now: i64,
    done: &mut Maintained,
) -> Result<()> {
    let limit = config.life.maintain_memories;
    let ttl = config.session_end.mark_ttl_ms;
    let entries = store::range(host, scope.all_marks(), limit, false).await?;
    let marks: Vec<Record<Marks>> = store::decode_all(host, entries);
    let over = marks
        .into_iter()
        .filter(|record| record.value.done && record.value.at.saturating_add_unsigned(ttl) <= now);
    let sessions =
        Names::from_iter(over.filter_map(|record| last_part(record.key.rsplit_once('!')?.0)));
    for id in &sessions {
        let session = Session {
            scope,
            id,
            is_sub_agent: false,
        };
        let Some(head) = store::typed::<SessionHead>(store::read(host, session.head_key()).await)?
        else {
            continue;
        };
        let processed = marks::read(host, &session, &head.value, ttl).await?;
        marks::fold(host, &session, &processed).await?;
        done.sessions += 1;
    }
    let entries = store::range(host, scope.all_locks(), limit, false).await?;
    for record in store::decode_all::<H, Lease>(host, entries) {
        // Its owner may be late and still come; after that long nobody does.
        if record.value.expires_at.saturating_add_unsigned(ttl) > now {
            continue;
        }
        let mut change = Change::new();
        change.check_read(&record);
        change.delete(record.key);
        done.locks += usize::from(change.commit(host).await? == Commit::Done);
    }
    Ok(())
}
