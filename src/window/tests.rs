//! What holds for any history and any budget, and the named faults F1–F5.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use super::*;
use crate::config::{Alternation, Oversize, SummaryConfig, TokensConfig, WindowConfig};
use crate::error::{Code, Result};
use crate::prompt;
use crate::tokens::{Counter, Tokens};
use proptest::prelude::*;
use serde_json::json;
use std::rc::Rc;

/// One token a character.
struct Chars;

impl Counter for Chars {
    fn count(&self, text: &str) -> Result<usize> {
        Ok(text.chars().count())
    }
}

fn chars() -> Tokens {
    Tokens::with_counter(Rc::new(Chars), &TokensConfig::default())
}

fn messages(list: Value) -> Vec<Message> {
    serde_json::from_value(list).unwrap()
}

fn user(text: &str) -> Message {
    Message::new(Role::User, text)
}

fn call(ids: &[&str]) -> Value {
    let calls: Vec<Value> = ids
        .iter()
        .map(|id| json!({ "id": id, "type": "function", "function": { "name": "f", "arguments": "{}" } }))
        .collect();
    json!({ "role": "assistant", "content": null, "tool_calls": calls })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "ok" })
}

fn limits(max_tokens: usize, max_messages: Option<usize>) -> WindowConfig {
    WindowConfig {
        max_tokens,
        max_messages,
        ..WindowConfig::default()
    }
}

fn small_summary() -> SummaryConfig {
    SummaryConfig {
        max_tokens: 0,
        ..SummaryConfig::default()
    }
}

fn run(history: Value, current: Option<Message>, window: &WindowConfig) -> Output {
    let input = Input {
        history: messages(history),
        current,
        ..Input::default()
    };
    fit(input, window, &small_summary(), &chars()).unwrap()
}

fn texts(output: &Output) -> Vec<String> {
    let shown = |message: &Message| format!("{}:{}", message.role.as_str(), message.text());
    output.messages.iter().map(shown).collect()
}

fn reasons(output: &Output) -> Vec<Reason> {
    output
        .dropped
        .iter()
        .map(|dropped| dropped.reason)
        .collect()
}

#[test]
fn f1_a_call_and_its_results_leave_together() {
    let history = json!([
        { "role": "system", "content": "s" }, { "role": "user", "content": "u1" },
        call(&["c1", "c2"]), result("c1"), result("c2"),
        { "role": "assistant", "content": "a1" }, { "role": "user", "content": "u2" },
    ]);
    let output = run(history.clone(), None, &limits(64_000, Some(3)));
    assert_eq!(texts(&output), ["system:s", "user:u2"]);
    let output = run(history, None, &limits(64_000, Some(6)));
    assert_eq!(output.messages.len(), 7);
    assert!(output.dropped.is_empty());
}

#[test]
fn f2_an_oversize_message_is_cut_or_refused() {
    let current = Some(user(&"x".repeat(100)));
    let output = run(json!([]), current.clone(), &limits(40, None));
    assert!(output.current_cut);
    assert_eq!(texts(&output), [format!("user:{}{MARK}", "x".repeat(24))]);
    assert_eq!(output.tokens.total, 40);
    let window = WindowConfig {
        oversize: Oversize::Error,
        ..limits(40, None)
    };
    let input = Input {
        current,
        ..Input::default()
    };
    let error = fit(input.clone(), &window, &small_summary(), &chars()).unwrap_err();
    assert_eq!(
        (error.code, &error.details["over"]),
        (Code::BudgetExceeded, &json!(70))
    );
    let error = fit(input, &limits(10, None), &small_summary(), &chars()).unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
}

#[test]
fn f3_an_unmatched_output_is_dropped() {
    let history = json!([
        { "role": "user", "content": "u" }, result("c0"), call(&["c1", "c2"]), result("c1"),
        { "role": "assistant", "content": "a" },
    ]);
    let output = run(history, Some(user("now")), &limits(64_000, None));
    assert_eq!(texts(&output), ["user:u", "assistant:a", "user:now"]);
    assert_eq!(
        reasons(&output),
        [
            Reason::OrphanResult,
            Reason::IncompleteCall,
            Reason::OrphanResult
        ]
    );
}

#[test]
fn f4_what_siltstone_made_is_not_history() {
    let mut sent_back = prompt::summary("They spoke of tea.").unwrap();
    sent_back.name = None;
    let history =
        json!([{ "role": "user", "content": "u" }, { "role": "assistant", "content": "a" }]);
    let mut history = messages(history);
    history.insert(0, sent_back);
    let input = Input {
        history,
        current: Some(user("now")),
        ..Input::default()
    };
    let output = fit(input, &limits(64_000, None), &small_summary(), &chars()).unwrap();
    assert_eq!(reasons(&output), [Reason::Synthetic]);
    assert_eq!(output.messages.len(), 3);
}

#[test]
fn f5_tool_schemas_are_in_the_budget() {
    let tools = vec![json!({ "name": "x".repeat(50) })];
    let input = Input {
        current: Some(user("now")),
        tools,
        ..Input::default()
    };
    let output = fit(input, &limits(1_000, None), &small_summary(), &chars()).unwrap();
    assert!(output.tokens.tools > 50);
    assert_eq!(output.tokens.total, output.tokens.tools + 3 + 10);
}

#[test]
fn alternation_keeps_the_newest_answered_user_turn() {
    let history = json!([
        { "role": "assistant", "content": "a0" }, { "role": "user", "content": "u1" },
        { "role": "user", "content": "u2" }, { "role": "assistant", "content": "a2" },
        { "role": "assistant", "content": "a3" }, { "role": "user", "content": "u4" },
    ]);
    let output = run(history.clone(), Some(user("now")), &limits(64_000, None));
    assert_eq!(texts(&output), ["user:u2", "assistant:a3", "user:now"]);
    assert_eq!(
        reasons(&output),
        [
            Reason::LeadingAssistant,
            Reason::Alternation,
            Reason::Alternation,
            Reason::Alternation
        ]
    );
    let window = WindowConfig {
        alternation: Alternation::Merge,
        ..limits(64_000, None)
    };
    let output = run(history, Some(user("now")), &window);
    assert_eq!(
        texts(&output),
        ["user:u1\n\nu2", "assistant:a2\n\na3", "user:u4\n\nnow"]
    );
}

#[test]
fn the_summary_comes_before_the_newest_run() {
    let history: Vec<Value> = (0..20)
        .flat_map(|at| {
            [
                json!({ "role": "user", "content": format!("question {at:02}") }),
                json!({ "role": "assistant", "content": format!("answer {at:02}") }),
            ]
        })
        .collect();
    let input = Input {
        history: messages(json!(history)),
        summary: Some("They spoke.".into()),
        current: Some(user("now")),
        ..Input::default()
    };
    let summary = SummaryConfig {
        max_tokens: 300,
        ..SummaryConfig::default()
    };
    let output = fit(input.clone(), &limits(600, None), &summary, &chars()).unwrap();
    assert_eq!(output.summary, SummaryUse::Used);
    assert_eq!(
        output.messages[0].name.as_deref(),
        Some(prompt::SUMMARY_NAME)
    );
    assert_eq!(output.messages[1].role, Role::User);
    assert!(output.tokens.history + output.tokens.current + 3 <= 300);
    assert!(output.tokens.total <= 600);
    let output = fit(input, &limits(2_000, None), &summary, &chars()).unwrap();
    assert_eq!(
        (output.summary, output.messages.len()),
        (SummaryUse::NotNeeded, 41)
    );
}

#[test]
fn memories_give_way_before_the_current_message() {
    let lines: Vec<String> = (0..10).map(|at| format!("- fact {at}")).collect();
    let input = Input {
        memory: vec![prompt::profile(&lines).unwrap()],
        stable_memory: 1,
        system: vec![Message::new(Role::System, "s")],
        current: Some(user(&"x".repeat(100))),
        ..Input::default()
    };
    let whole = fit(
        input.clone(),
        &limits(1_000, None),
        &small_summary(),
        &chars(),
    )
    .unwrap();
    assert_eq!((whole.memory_lines_dropped, whole.stable_prefix), (0, 2));
    let window = limits(whole.tokens.total - 20, None);
    let output = fit(input.clone(), &window, &small_summary(), &chars()).unwrap();
    assert_eq!(
        (
            output.memory_lines_dropped, output.current_cut, output.stable_prefix
        ),
        (3, false, 1)
    );
    assert_eq!(prompt::block_lines(&output.messages[1]), lines[..7]);
    let output = fit(input, &limits(130, None), &small_summary(), &chars()).unwrap();
    assert_eq!(
        (output.memory_lines_dropped, output.current_cut),
        (10, false)
    );
}

#[test]
fn images_stay_when_the_text_is_cut() {
    let image = json!({ "type": "image", "detail": "low", "image": "data" });
    let current = messages(json!([{ "role": "user", "content": [
        { "type": "text", "text": "e\u{301}".repeat(100) }, image, { "type": "text", "text": "rest" } ] }]));
    let output = run(json!([]), current.into_iter().next(), &limits(127, None));
    let parts = output.messages[0].parts();
    assert_eq!(
        (
            parts.len(),
            output.messages[0].text().ends_with("e\u{301}…[cut]")
        ),
        (2, true)
    );
    assert!(output.tokens.total <= 127);
}

fn any_message() -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        "[a-z ]{0,30}",
        "\\PC{0,12}",
        Just("<think>x</think>".to_owned())
    ];
    let id = prop_oneof![Just("c1"), Just("c2"), Just("c3")];
    let ids = proptest::sample::subsequence(vec!["c1", "c2", "c3"], 1..=3);
    prop_oneof![
        4 => text.clone().prop_map(|text| json!({ "role": "user", "content": text })),
        4 => text.clone().prop_map(|text| json!({ "role": "assistant", "content": text })),
        1 => text.prop_map(|text| json!({ "role": "system", "content": text })),
        3 => ids.prop_map(|ids| call(&ids)),
        5 => id.clone().prop_map(result),
        1 => id.prop_map(|id| json!({ "role": "assistant", "content": [
            { "type": "tool-call", "toolCallId": id, "toolName": "f", "args": {} } ] })),
    ]
}

/// No call without its results right behind it, no result without its call.
fn no_orphans(output: &[Message]) -> bool {
    let mut open: Vec<&str> = Vec::new();
    output.iter().all(|message| {
        let answers = message.answered_ids();
        let matched = answers.iter().all(|id| open.contains(id));
        open.retain(|id| !answers.contains(id));
        let settled = !answers.is_empty() || open.is_empty();
        open.extend(message.call_ids());
        matched && settled
    }) && open.is_empty()
}

proptest! {
    #[test]
    fn the_window_keeps_its_promises(
        history in proptest::collection::vec(any_message(), 0..24),
        now in proptest::option::of("[a-z ]{1,60}"),
        max_tokens in 20usize..900,
        max_messages in proptest::option::of(1usize..12),
        reserved in 0usize..200,
        merge in any::<bool>(),
        summary in proptest::option::of("[a-z\n]{0,120}"),
        facts in 0usize..4,
    ) {
        let mut history = messages(json!(history));
        for (at, message) in history.iter_mut().enumerate() {
            message.id = Some(format!("m{at:03}"));
        }
        let given = history.len();
        let current = now.map(|text| user(&text));
        let lines: Vec<String> = (0..facts).map(|at| format!("- fact {at}")).collect();
        let input = Input {
            history,
            current: current.clone(),
            summary,
            memory: prompt::profile(&lines).into_iter().collect(),
            ..Input::default()
        };
        let alternation = if merge { Alternation::Merge } else { Alternation::Drop };
        let window = WindowConfig { alternation, ..limits(max_tokens, max_messages) };
        let config = SummaryConfig { max_tokens: reserved, ..SummaryConfig::default() };
        let output = match fit(input, &window, &config, &chars()) {
            Ok(output) => output,
            Err(error) => {
                prop_assert_eq!(error.code, Code::BudgetExceeded);
                return Ok(());
            }
        };
        let counted = chars().messages(&output.messages).unwrap();
        prop_assert_eq!(counted, output.tokens.total);
        prop_assert!(counted <= max_tokens);
        let chat: Vec<&Message> = output.messages.iter().filter(|message| !message.role.is_system()).collect();
        prop_assert!(chat.len() <= max_messages.unwrap_or(usize::MAX));
        prop_assert!(no_orphans(&output.messages));
        prop_assert!(chat.first().is_none_or(|first| first.role == Role::User));
        let ids: Vec<&String> = chat.iter().filter_map(|message| message.id.as_ref()).collect();
        prop_assert!(ids.is_sorted());
        if let Some(current) = &current {
            let last = output.messages.last().unwrap().text().into_owned();
            prop_assert!(output.current_cut || last.ends_with(&*current.text()));
        }
        let roles: Vec<Role> = chat.iter().map(|message| message.role).filter(|role| *role != Role::Tool).collect();
        prop_assert!(roles.windows(2).all(|pair| pair != [Role::User, Role::User]));
        let synthetic = output.messages.iter().filter(|message| prompt::is_synthetic(message)).count();
        let kept = output.messages.len() - synthetic - usize::from(current.is_some());
        prop_assert_eq!(kept + output.dropped.len(), given);
    }
}
