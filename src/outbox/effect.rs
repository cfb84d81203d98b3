//! What doing each kind of effect means, in one place.

use super::{Effect, Kind, vectors};
use crate::config::Config;
use crate::error::Result;
use crate::forget_user;
use crate::host::Host;
use crate::provider::effects;
use crate::scope::Scope;

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attempt {
    /// It is done.
    Done,
    /// A stage of it is done; this is what remains, and it is stored before it is begun.
    Next(Kind),
    /// It failed and is tried again later.
    Failed(String),
    /// It failed and would fail again: given up at once.
    Hopeless(String),
}

/// Tries to do an effect. `scope` names tenant and user. It may have been done before, in part or
/// as a whole: doing it twice must do no harm. An error of the store counts as a failed attempt.
pub async fn attempt<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    effect: &Effect,
) -> Result<Attempt> {
    match &effect.kind {
        Kind::VectorUpsert { memories } | Kind::VectorDelete { memories } => {
            vectors::attempt(host, config, scope, memories).await
        }
        Kind::ProviderKeep(keep) => Ok(effects::keep(host, config, scope, effect, keep).await),
        Kind::ForgetUser {
            is_store_done,
            cached,
        } => forget_user::attempt(host, config, scope, *is_store_done, cached).await,
        Kind::ProviderRemove(what) => Ok(effects::remove(host, config, scope, what).await),
    }
}
