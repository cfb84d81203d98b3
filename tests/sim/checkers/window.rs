//! What goes to a model is within its budget, and no tool call or result stands alone (W4, W5).

use crate::plan::WINDOW;
use crate::world::World;
use serde_json::Value;
use std::collections::BTreeSet;

pub fn check(world: &World, method: &str, request: &Value, answer: &Value) {
    if method != "load" {
        return;
    }
    let tokens = &answer["report"]["tokens"];
    let total = tokens["total"].as_u64().unwrap();
    if total > WINDOW as u64 {
        world.violated("a window is within its budget", tokens.to_string());
    }
    let messages = answer["messages"].as_array().unwrap();
    if messages
        .last()
        .is_none_or(|last| last["content"] != request["message"])
    {
        world.violated("a window ends with the turn's message", answer.to_string());
    }
    let mut open: BTreeSet<&str> = BTreeSet::new();
    for message in messages {
        if message["role"] == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            if !open.remove(id) {
                world.violated("no tool result stands alone", answer.to_string());
            }
            continue;
        }
        if !open.is_empty() {
            break;
        }
        let calls = message["tool_calls"].as_array().into_iter().flatten();
        open.extend(calls.filter_map(|call| call["id"].as_str()));
    }
    if !open.is_empty() {
        world.violated("no tool call stands alone", answer.to_string());
    }
}
