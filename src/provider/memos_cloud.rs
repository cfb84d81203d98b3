//! MemOS as its vendor runs it: users instead of cubes, code 0 for success, tasks that go on after
//! the answer. Whose memory it is within a user stands in a tag.

use super::config::{MemosAsync, MemosConfig};
use super::hit::{self, Found};
use super::service::{Added, Addition, Post, Progress, Question};
use super::wire::{self, Answer, Fault};
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{ProviderAnswer, ProviderRequest};
use crate::memory::Kind;
use crate::write;
use serde_json::Value;

fn post(operation: &'static str, path: &'static str, body: Value) -> ProviderRequest {
    let post = Post {
        provider: "memos",
        operation,
        path,
        is_idempotent: operation != "add",
        timeout_ms: 0,
    };
    post.with(body)
}

/// `/search/memory`.
pub fn search(config: &MemosConfig, user: &str, question: &Question<'_>) -> ProviderRequest {
    let body = write::record(&[
        ("query", &question.text),
        ("user_id", &user),
        ("memory_limit_number", &question.limit.max(1)),
        ("include_preference", &config.include_preference),
        ("preference_limit_number", &config.pref_top_k),
        (
            "relativity",
            &if question.wide {
                0.0
            } else {
                config.relativity
            },
        ),
    ]);
    ProviderRequest {
        timeout_ms: config.timeout_ms,
        ..post("search", "/search/memory", body)
    }
}

/// What it found.
pub fn found(answer: &ProviderAnswer) -> Answer<Vec<Found>> {
    let data = wire::data(answer)?;
    if !data.is_null() {
        wire::object(data)?;
    }
    let mut all = Vec::new();
    for (name, kind) in [
        ("memory_detail_list", Kind::Text),
        ("preference_detail_list", Kind::Pref),
    ] {
        let items = wire::list(data, name)?;
        all.push_all(
            items
                .iter()
                .filter_map(|item| Found::read(item, kind, None)),
        );
    }
    Ok(all)
}

/// `/add/message`.
pub fn add(config: &MemosConfig, user: &str, what: &Addition<'_>) -> ProviderRequest {
    let mut body = write::record(&[
        ("messages", &what.messages),
        ("user_id", &user),
        ("conversation_id", &what.session.unwrap_or("by-hand")),
        ("info", &hit::own(what.key, what.candidate)),
        ("tags", &hit::tags(what, Some(&what.cube.name))),
        ("async_mode", &(config.async_mode == MemosAsync::Async)),
    ]);
    if let (Some(fields), Some(agent)) = (body.as_object_mut(), &what.cube.agent) {
        fields.insert("agent_id".to_owned(), write::value(&agent));
    }
    post("add", "/add/message", body)
}

/// What became of it: mostly a task.
pub fn added(answer: &ProviderAnswer) -> Answer<Added> {
    let data = wire::data(answer)?;
    let fields = wire::object(data)?;
    let status = wire::text(data, &["status"]).unwrap_or_default();
    if fields.get("success").and_then(Value::as_bool) == Some(false) {
        return Err(Fault::Failed(status));
    }
    let task = wire::id(data, &["task_id"]);
    match (Progress::read(&status), task) {
        (Progress::Failed(status), _) => Err(Fault::Failed(status)),
        (Progress::Done, task) => Ok(Added::Memories(task.into_iter().gather())),
        (Progress::Running, Some(task)) => Ok(Added::Pending(task)),
        (Progress::Running, None) => Err(Fault::Unreadable("`task_id` is missing".to_owned())),
    }
}

/// `/delete/memory`.
pub fn delete(id: &str) -> ProviderRequest {
    post(
        "delete",
        "/delete/memory",
        write::record(&[("memory_ids", &[id])]),
    )
}

/// `/delete/memory` of all that a user has.
pub fn erase(user: &str) -> ProviderRequest {
    post(
        "delete",
        "/delete/memory",
        write::record(&[("user_id", &user)]),
    )
}

/// Whether it is gone.
pub fn deleted(answer: &ProviderAnswer) -> Answer<()> {
    let data = wire::data(answer)?;
    let failed = data.get("success").and_then(Value::as_bool) == Some(false)
        || data.as_bool() == Some(false)
        || wire::text(data, &["status"]).is_some_and(|status| {
            matches!(Progress::read(&status), Progress::Failed(_)) || status == "failure"
        });
    match failed {
        true => Err(Fault::Failed(write::text(data))),
        false => Ok(()),
    }
}

/// `/get/status`.
pub fn status(task: &str) -> ProviderRequest {
    post(
        "status",
        "/get/status",
        write::record(&[("task_id", &task)]),
    )
}

/// How far the task is.
pub fn progress(answer: &ProviderAnswer) -> Answer<Progress> {
    let data = wire::data(answer)?;
    let first = data
        .as_array()
        .and_then(|list| list.first())
        .unwrap_or(data);
    let status = wire::text(first, &["status"]);
    let status = status.ok_or_else(|| Fault::Unreadable("`data.status` is missing".to_owned()))?;
    Ok(Progress::read(&status))
}
