//! Which configuration an agent has: the default, its own entry, what its host keeps (P1).

use crate::config::{AgentConfig, Config, ProviderName};
use crate::host::Host;
use crate::read;
use crate::scope::Scope;
use crate::store;
use crate::write;
use serde_json::Value;

/// The agent's configuration. What is missing or cannot be read counts as absent, so that the
/// agent goes on with the default and the local provider; the second value then says what was wrong.
pub async fn resolve<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
) -> (AgentConfig, Option<String>) {
    let Some(agent) = &scope.agent else {
        return (config.agent.clone(), None);
    };
    let mut resolved = config.agent.clone();
    let mut faults = Vec::new();
    if let Some(own) = config.agents.get(agent) {
        overlay(&mut resolved, own, &mut faults);
    }
    match host.agent(&scope.tenant, agent).await {
        Ok(None) => {}
        Ok(Some(kept)) => overlay(&mut resolved, &kept, &mut faults),
        Err(error) => faults.push(error.0),
    }
    if faults.is_empty() {
        return (resolved, None);
    }
    // What cannot be read may have named another one: nothing is sent out on a guess (P1).
    resolved.provider = ProviderName::Local;
    let fault = format!(
        "the configuration of agent `{agent}` was left out: {}",
        faults.join("; ")
    );
    store::warn(host, "agent_config_unreadable", &fault);
    (resolved, Some(fault))
}

fn overlay(base: &mut AgentConfig, fields: &Value, faults: &mut Vec<String>) {
    let merged = match (write::value(base), fields) {
        (Value::Object(mut merged), Value::Object(fields)) => {
            merged.extend(fields.clone());
            Value::Object(merged)
        }
        _ => {
            faults.push("it is not an object".to_owned());
            return;
        }
    };
    match read::strict(&merged) {
        Ok(read) => *base = read,
        Err(error) => faults.push(error.to_string()),
    }
}
