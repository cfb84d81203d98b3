//! Changes that are decided from all memories of a user, again whenever another writer came first.

use super::snapshot::Snapshot;
use crate::config::Config;
use crate::error::Result;
use crate::host::{Commit, Host};
use crate::scope::Scope;
use crate::store::{Attempts, Change};
use crate::vector::follow;

/// Reads, decides and commits against what was read. What is decided is told apart from waiting, so
/// that all such changes wait in one place; it gives no change where nothing is to be written.
pub async fn decide<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    decide: &mut dyn FnMut(&Snapshot) -> Result<Option<Change>>,
) -> Result<()> {
    let mut attempts = Attempts::default();
    loop {
        let snapshot = Snapshot::read(host, scope).await?;
        let Some(change) = decide(&snapshot)? else {
            return Ok(());
        };
        if follow::commit(host, config, scope, &snapshot, change).await? == Commit::Done {
            return Ok(());
        }
        attempts.lost("the user's memories")?;
    }
}
