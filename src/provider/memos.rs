//! MemOS on a server of one's own. Everything is a POST below `/product`, in an envelope of its own.

use super::config::MemosConfig;
use super::hit::{self, Found};
use super::service::{Added, Addition, Post, Question};
use super::wire::{self, Answer, Fault};
use crate::case::Lowercase;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{ProviderAnswer, ProviderRequest};
use crate::memory::Kind;
use crate::write;
use serde_json::Value;

/// The parts of an answer and the content form of what is in them.
const BUCKETS: [(&str, Kind); 4] = [
    ("text_mem", Kind::Text),
    ("pref_mem", Kind::Pref),
    ("tool_mem", Kind::Tool),
    ("skill_mem", Kind::Skill),
];

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

/// `/search` (P2). The user's id bounds only what it finds of preferences, the cubes all of it.
pub fn search(config: &MemosConfig, user: &str, question: &Question<'_>) -> ProviderRequest {
    let cubes: Vec<&str> = question.cubes.iter().map(|cube| cube.id.as_str()).gather();
    let dedup = match question.wide {
        true => Value::from("no"),
        false => write::value(&config.dedup),
    };
    let body = write::record(&[
        ("user_id", &user),
        ("query", &question.text),
        ("top_k", &question.limit.max(1)),
        ("mode", &config.mode),
        (
            "relativity",
            &if question.wide {
                0.0
            } else {
                config.relativity
            },
        ),
        ("dedup", &dedup),
        ("readable_cube_ids", &cubes),
        ("include_preference", &config.include_preference),
        ("pref_top_k", &config.pref_top_k),
    ]);
    ProviderRequest {
        timeout_ms: config.timeout_ms,
        ..post("search", "/search", body)
    }
}

/// What `/search` found. A failing search answers as one that finds nothing, with code 200.
pub fn found(answer: &ProviderAnswer) -> Answer<Vec<Found>> {
    let data = match wire::data(answer) {
        Err(fault) if is_no_cube(&fault) => return Ok(Vec::new()),
        data => data?,
    };
    if !data.is_null() {
        wire::object(data)?;
    }
    let mut all = Vec::new();
    for (name, kind) in BUCKETS {
        for bucket in wire::list(data, name)? {
            let cube = wire::id(bucket, &["cube_id"]);
            let items = wire::list(bucket, "memories")?;
            let read = |item| Found::read(item, kind, cube.as_deref());
            all.push_all(items.iter().filter_map(read));
        }
    }
    Ok(all)
}

/// Whether a server that checks says that a cube was not made yet: there is nothing in it.
fn is_no_cube(fault: &Fault) -> bool {
    matches!(fault, Fault::Refused { status: 404, message } if message.lowercase().contains("cube"))
}

/// `/add` (P2).
pub fn add(config: &MemosConfig, user: &str, what: &Addition<'_>) -> ProviderRequest {
    let mut body = write::record(&[
        ("user_id", &user),
        ("writable_cube_ids", &[&what.cube.id]),
        ("async_mode", &config.async_mode),
        ("mode", &config.add_mode),
        ("messages", &what.messages),
        ("custom_tags", &hit::tags(what, None)),
        ("info", &hit::own(what.key, what.candidate)),
    ]);
    if let (Some(fields), Some(session)) = (body.as_object_mut(), what.session) {
        fields.insert("session_id".to_owned(), write::value(&session));
    }
    post("add", "/add", body)
}

/// What became of it: the ids of what is new, here under the name `memory_id`.
pub fn added(answer: &ProviderAnswer) -> Answer<Added> {
    let data = wire::data(answer)?;
    let items = match data {
        Value::Null => &[],
        Value::Array(items) => items.as_slice(),
        _ => return Err(Fault::Unreadable("`data` is not a list".to_owned())),
    };
    let ids = items
        .iter()
        .filter_map(|item| wire::id(item, &["memory_id", "id"]));
    let ids: Vec<String> = ids.gather();
    Ok(match ids.is_empty() {
        true => Added::Nothing,
        false => Added::Memories(ids),
    })
}

/// `/delete_memory`. It does not check whose memory it is: that is done before.
pub fn delete(cube: &str, id: &str) -> ProviderRequest {
    let body = write::record(&[("writable_cube_ids", &[cube]), ("memory_ids", &[id])]);
    post("delete", "/delete_memory", body)
}

/// `/delete_memory` of all that a user has, in every cube.
pub fn erase(user: &str) -> ProviderRequest {
    post(
        "delete",
        "/delete_memory",
        write::record(&[("user_id", &user)]),
    )
}

/// Whether it is gone: a failure, too, has code 200.
pub fn deleted(answer: &ProviderAnswer) -> Answer<()> {
    let data = wire::data(answer)?;
    match data.get("status").and_then(Value::as_str) {
        Some("success") => Ok(()),
        Some(status) => {
            let words = wire::text(&answer.body, &["message"]).unwrap_or_default();
            Err(Fault::Failed(format!("{status}: {words}")))
        }
        None => Err(Fault::Unreadable("`data.status` is missing".to_owned())),
    }
}

/// Whether a cube is there: `/exist_mem_cube_id`.
pub fn exists(cube: &str) -> ProviderRequest {
    post(
        "status",
        "/exist_mem_cube_id",
        write::record(&[("mem_cube_id", &cube)]),
    )
}

/// What it answered: `{ [cube]: true }`.
pub fn is_there(answer: &ProviderAnswer, cube: &str) -> Answer<bool> {
    let data = wire::data(answer)?;
    Ok(match data {
        Value::Bool(there) => *there,
        _ => data.get(cube).and_then(Value::as_bool).unwrap_or(false),
    })
}

/// Makes a cube: `/create_cube`. What is there already stays.
pub fn create(cube: &str, user: &str) -> ProviderRequest {
    let body = write::record(&[
        ("cube_id", &cube),
        ("cube_name", &cube),
        ("owner_id", &user),
    ]);
    ProviderRequest {
        is_idempotent: true,
        ..post("add", "/create_cube", body)
    }
}

/// A page of a cube's memories: `/get_memory`.
pub fn list(cube: &str, user: &str, page: usize, size: usize) -> ProviderRequest {
    let body = write::record(&[
        ("mem_cube_id", &cube),
        ("user_id", &user),
        ("include_preference", &true),
        ("page", &page),
        ("page_size", &size),
    ]);
    post("get", "/get_memory", body)
}

/// What is on the page; servers give the memories as a list or as the nodes of a graph.
pub fn listed(answer: &ProviderAnswer, cube: &str) -> Answer<Vec<Found>> {
    let data = wire::data(answer)?;
    let mut all = Vec::new();
    for (name, kind) in BUCKETS {
        for bucket in wire::list(data, name)? {
            let items = match bucket.get("memories") {
                Some(graph @ Value::Object(_)) => wire::list(graph, "nodes")?,
                _ => wire::list(bucket, "memories")?,
            };
            let in_cube = wire::id(bucket, &["cube_id"]).unwrap_or_else(|| cube.to_owned());
            let read = |item| Found::read(item, kind, Some(&in_cube));
            all.push_all(items.iter().filter_map(read));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn answer(body: Value) -> ProviderAnswer {
        ProviderAnswer { status: 200, body }
    }

    #[test]
    fn odd_answers_are_read_or_told() {
        let empty = |data| found(&answer(json!({ "code": 200, "data": data })));
        assert_eq!(empty(json!({ "text_mem": [] })), Ok(vec![]));
        assert_eq!(empty(json!({})), Ok(vec![]));
        assert_eq!(empty(Value::Null), Ok(vec![]));
        for odd in [
            json!([]),
            json!("none"),
            json!({ "text_mem": {} }),
            json!({ "text_mem": [{ "memories": 7 }] }),
        ] {
            assert!(
                matches!(empty(odd.clone()), Err(Fault::Unreadable(_))),
                "{odd}"
            );
        }
        let items = json!({ "text_mem": [{ "cube_id": "c", "memories": [
            { "id": "a", "memory": "A", "metadata": { "relativity": "0.5", "status": "activated" } },
            { "memory_id": 7, "memory": "B" },
            { "id": "c", "memory": "C", "metadata": { "status": "archived" } },
            { "id": "d", "memory": "  " }, { "memory": "no id" }, 12, null,
        ] }] });
        let read = empty(items).unwrap();
        let short: Vec<_> = read
            .iter()
            .map(|hit| (hit.id.as_str(), hit.score))
            .collect();
        assert_eq!(short, [("a", Some(0.5)), ("7", None)]);
    }

    #[test]
    fn a_failed_delete_has_code_200() {
        let of = |data| {
            deleted(&answer(
                json!({ "code": 200, "message": "m", "data": data }),
            ))
        };
        assert_eq!(of(json!({ "status": "success" })), Ok(()));
        assert_eq!(
            of(json!({ "status": "failure" })),
            Err(Fault::Failed("failure: m".into()))
        );
        assert!(matches!(of(json!(null)), Err(Fault::Unreadable(_))));
    }

    #[test]
    fn an_add_reports_what_is_new() {
        let of = |data| added(&answer(json!({ "code": 200, "data": data })));
        let ids = |ids: &[&str]| {
            Ok(Added::Memories(
                ids.iter().map(|id| (*id).to_owned()).collect(),
            ))
        };
        assert_eq!(
            of(json!([{ "memory_id": "x" }, { "id": "y" }])),
            ids(&["x", "y"])
        );
        assert_eq!(of(json!([])), Ok(Added::Nothing));
        assert_eq!(of(json!([{ "memory": "no id" }])), Ok(Added::Nothing));
        assert!(matches!(
            of(json!({ "memory_id": "x" })),
            Err(Fault::Unreadable(_))
        ));
    }
}
