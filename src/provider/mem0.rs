//! Mem0: the vendor's platform, whose adds are tasks, and the open-source server.

use super::config::Mem0Config;
use super::hit::{self, Found};
use super::service::{Added, Addition, Post, Progress, Question};
use super::wire::{self, Answer, Fault};
use crate::gather::Gather;
use crate::host::{ProviderAnswer, ProviderRequest};
use crate::memory::Kind;
use crate::write;
use serde_json::Value;

fn post(operation: &'static str, path: &'static str, body: Value) -> ProviderRequest {
    let post = Post {
        provider: "mem0",
        operation,
        path,
        is_idempotent: operation != "add",
        timeout_ms: 0,
    };
    post.with(body)
}

fn bare(operation: &'static str, method: &'static str, path: String) -> ProviderRequest {
    ProviderRequest {
        provider: "mem0",
        operation,
        method,
        path,
        body: None,
        is_idempotent: true,
        idempotency_key: None,
        timeout_ms: 0,
    }
}

/// `/v3/memories/search/`.
pub fn search(config: &Mem0Config, user: &str, question: &Question<'_>) -> ProviderRequest {
    let body = write::record(&[
        ("query", &question.text),
        (
            "filters",
            &write::record(&[("AND", &[write::record(&[("user_id", &user)])])]),
        ),
        ("top_k", &question.limit.max(1)),
        (
            "threshold",
            &if question.wide { 0.0 } else { config.threshold },
        ),
        ("rerank", &config.rerank),
    ]);
    ProviderRequest {
        timeout_ms: config.timeout_ms,
        ..post("search", "/v3/memories/search/", body)
    }
}

/// `/search` of the open-source server.
pub fn search_oss(config: &Mem0Config, user: &str, question: &Question<'_>) -> ProviderRequest {
    let body = write::record(&[
        ("query", &question.text),
        ("filters", &write::record(&[("user_id", &user)])),
        ("top_k", &question.limit.max(1)),
        (
            "threshold",
            &if question.wide { 0.0 } else { config.threshold },
        ),
    ]);
    ProviderRequest {
        timeout_ms: config.timeout_ms,
        ..post("search", "/search", body)
    }
}

fn results(answer: &ProviderAnswer) -> Answer<&[Value]> {
    let body = wire::body(answer)?;
    match body {
        Value::Array(items) => Ok(items),
        _ => {
            wire::object(body)?;
            wire::list(body, "results")
        }
    }
}

/// What a search found.
pub fn found(answer: &ProviderAnswer) -> Answer<Vec<Found>> {
    let read = |item| Found::read(item, Kind::Text, None);
    Ok(results(answer)?.iter().filter_map(read).gather())
}

/// `/v3/memories/add/`.
pub fn add(user: &str, what: &Addition<'_>) -> ProviderRequest {
    let body = write::record(&[
        ("messages", &what.messages),
        ("user_id", &user),
        ("metadata", &metadata(what)),
        ("infer", &what.candidate.is_none()),
    ]);
    post("add", "/v3/memories/add/", body)
}

/// `/memories` of the open-source server.
pub fn add_oss(user: &str, what: &Addition<'_>) -> ProviderRequest {
    let body = write::record(&[
        ("messages", &what.messages),
        ("user_id", &user),
        ("metadata", &metadata(what)),
        ("infer", &what.candidate.is_none()),
    ]);
    post("add", "/memories", body)
}

fn metadata(what: &Addition<'_>) -> Value {
    let mut metadata = hit::own(what.key, what.candidate);
    if let Some(fields) = metadata.as_object_mut() {
        if !what.tags.is_empty() {
            fields.insert("tags".to_owned(), write::value(&what.tags));
        }
        let session = what.session.map(|session| ("session_id", session));
        let agent = what.cube.agent.as_deref().map(|agent| ("agent", agent));
        for (name, value) in session.into_iter().chain(agent) {
            fields.insert(name.to_owned(), write::value(&value));
        }
    }
    metadata
}

/// What became of it: a task, or what is new.
pub fn added(answer: &ProviderAnswer) -> Answer<Added> {
    let body = wire::body(answer)?;
    if let Some(event) = wire::id(body, &["event_id"]) {
        let status = wire::text(body, &["status"]).unwrap_or_default();
        return match Progress::read(&status) {
            Progress::Failed(status) => Err(Fault::Failed(status)),
            Progress::Done => Ok(Added::Memories(vec![event])),
            Progress::Running => Ok(Added::Pending(event)),
        };
    }
    if !body.is_array() && body.get("results").is_none() {
        return Err(Fault::Unreadable(
            "neither `event_id` nor `results`".to_owned(),
        ));
    }
    let is_new = |item: &&Value| {
        let event = wire::text(item, &["event"]);
        !matches!(event.as_deref(), Some("NONE" | "DELETE"))
    };
    let new = results(answer)?.iter().filter(is_new);
    let ids: Vec<String> = new
        .filter_map(|item| wire::id(item, &["id", "memory_id"]))
        .gather();
    Ok(match ids.is_empty() {
        true => Added::Nothing,
        false => Added::Memories(ids),
    })
}

/// `DELETE …/{id}`.
pub fn delete(root: &str, end: &str, id: &str) -> ProviderRequest {
    bare(
        "delete",
        "DELETE",
        format!("{root}/{}{end}", wire::segment(id)),
    )
}

/// `DELETE …?user_id=` of all that a user has.
pub fn erase(root: &str, user: &str) -> ProviderRequest {
    let query = format!("{root}?user_id={}", wire::segment(user));
    bare("delete", "DELETE", query)
}

/// Whether it is gone; what was not there is.
pub fn deleted(answer: &ProviderAnswer) -> Answer<()> {
    match wire::body(answer) {
        Ok(_) | Err(Fault::Refused { status: 404, .. }) => Ok(()),
        Err(fault) => Err(fault),
    }
}

/// `/v1/event/{id}/`.
pub fn status(event: &str) -> ProviderRequest {
    bare(
        "status",
        "GET",
        format!("/v1/event/{}/", wire::segment(event)),
    )
}

/// How far the task is.
pub fn progress(answer: &ProviderAnswer) -> Answer<Progress> {
    let body = wire::body(answer)?;
    let status = wire::text(body, &["status"]);
    let status = status.ok_or_else(|| Fault::Unreadable("`status` is missing".to_owned()))?;
    Ok(Progress::read(&status))
}

/// What says whose a memory is: its history on the platform, itself on the open-source server.
pub fn owner(is_oss: bool, id: &str) -> ProviderRequest {
    let id = wire::segment(id);
    let path = match is_oss {
        true => format!("/memories/{id}"),
        false => format!("/v1/memories/{id}/history/"),
    };
    bare("get", "GET", path)
}

/// Whether all that the answer says of users names this one, and it names one at all.
pub fn is_owned(answer: &ProviderAnswer, user: &str) -> Answer<bool> {
    let body = match wire::body(answer) {
        Err(Fault::Refused { status: 404, .. }) => return Ok(false),
        other => other?,
    };
    let entries = match body {
        Value::Array(entries) => entries.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut users = entries
        .iter()
        .filter_map(|entry| wire::text(entry, &["user_id"]))
        .peekable();
    Ok(users.peek().is_some() && users.all(|owner| owner == user))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn adds_are_tasks_or_results() {
        let of = |body| added(&ProviderAnswer { status: 200, body });
        assert_eq!(
            of(json!({ "event_id": "e", "status": "PENDING" })),
            Ok(Added::Pending("e".into()))
        );
        assert_eq!(
            of(json!({ "event_id": "e", "status": "FAILED" })),
            Err(Fault::Failed("failed".into()))
        );
        assert_eq!(
            of(
                json!({ "results": [{ "id": "a", "event": "ADD" }, { "id": "b", "event": "NONE" }] })
            ),
            Ok(Added::Memories(vec!["a".into()]))
        );
        assert_eq!(of(json!({ "results": [] })), Ok(Added::Nothing));
        assert!(matches!(
            of(json!({ "message": "hm" })),
            Err(Fault::Unreadable(_))
        ));
        assert!(matches!(of(json!("ok")), Err(Fault::Unreadable(_))));
    }

    #[test]
    fn an_owner_must_be_named() {
        let of = |body| is_owned(&ProviderAnswer { status: 200, body }, "ana");
        assert_eq!(
            of(json!([{ "user_id": "ana" }, { "event": "ADD" }])),
            Ok(true)
        );
        assert_eq!(of(json!({ "id": "x", "user_id": "eve" })), Ok(false));
        assert_eq!(of(json!([])), Ok(false));
        assert_eq!(of(json!({ "id": "x" })), Ok(false));
    }
}
