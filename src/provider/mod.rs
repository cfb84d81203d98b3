//! Memory services in the place of the host's store: MemOS and Mem0 (P1–P4).
//!
//! Every request is built here and every answer understood here; a host only carries HTTP.
//!
//! | decided | in |
//! |---|---|
//! | which service an agent has | here |
//! | who a user is at a service | [`identity`] |
//! | what is sent and what answers mean | [`service`], `memos`, `memos_cloud`, `mem0`, [`wire`] |
//! | what a memory of a service is here | [`hit`] |
//! | what a turn recalls | [`mod@recall`] |
//! | what a new memory is to those of a service | [`weigh`] |
//! | what adding and deleting take, stage by stage | [`effects`] |
//! | what people do by hand | [`by_hand`] |

pub mod by_hand;
pub mod config;
pub mod effects;
pub mod hit;
pub mod identity;
mod mem0;
mod memos;
mod memos_cloud;
pub mod recall;
pub mod service;
pub mod weigh;
pub mod wire;

use crate::agent;
use crate::config::{AgentConfig, Config, ProviderName};
use crate::error::{Code, Error};
use crate::gather::Gather;
use crate::host::{self, Host, ProviderAnswer, ProviderRequest};
use crate::load::Warning;
use crate::scope::Scope;
use crate::store;
use crate::write;
use service::Api;
use wire::{Answer, Fault};

/// The service that holds an agent's long-term memories; none for the host's own store (P1).
pub fn of_agent(config: &Config, agent: &AgentConfig) -> Option<Api> {
    match agent.provider {
        ProviderName::Local => None,
        ProviderName::Memos => Some(Api::memos(config)),
        ProviderName::Mem0 => Some(Api::mem0(config)),
    }
}

/// The service that holds the memories of this scope's agent.
pub async fn of_scope<H: Host>(host: &H, config: &Config, scope: &Scope) -> Option<Api> {
    let (agent, _) = agent::resolve(host, config, scope).await;
    of_agent(config, &agent)
}

/// What is wrong where an agent's service cannot be asked at all.
pub fn missing(api: Api) -> Error {
    let name = api.provider();
    Error::new(
        Code::InvalidConfig,
        format!("the agent's provider is `{name}`: give `providers: {{ {name}: … }}` to `create`"),
    )
    .with_path(format!("providers.{name}"))
}

/// A request that came to nothing, as the caller's error.
pub fn failed(api: Api, fault: &Fault) -> Error {
    let name = api.provider();
    Error::new(Code::ServiceFailed, format!("{name}: {fault}")).with_details(write::record(&[
        ("provider", &name),
        ("reason", &fault.to_string()),
    ]))
}

/// Logs that a service gave nothing to a recall, and gives the warning for whoever asked (P4).
pub fn warning<H: Host>(host: &H, api: Api, fault: &Fault) -> Warning {
    let message = format!("{}: {fault}", api.provider());
    store::warning(host, "provider_failed", &message)
}

/// The services that requests can be made to, whichever agents have them.
pub fn services<H: Host>(host: &H, config: &Config) -> Vec<Api> {
    let all = [Api::memos(config), Api::mem0(config)];
    let there = all
        .into_iter()
        .filter(|api| host.has_provider(api.provider()));
    there.gather()
}

/// Deletes all that a service has of a user.
pub async fn erase<H: Host>(host: &H, config: &Config, api: Api, scope: &Scope) -> Answer<()> {
    let request = api.erase(config, &identity::user_id(scope));
    api.deleted(&send(host, request).await?)
}

/// How long one request of an effect may take, ms: its own deadline comes before the attempt's, so
/// that what was late is told.
fn request_ms(config: &Config) -> u64 {
    let whole = config.outbox.timeout_ms;
    (whole - whole / 5).max(1)
}

/// Makes a request within its deadline.
async fn send<H: Host>(host: &H, request: ProviderRequest) -> Answer<ProviderAnswer> {
    Ok(host::answered(host, request.timeout_ms, host.provider(&request)).await?)
}
