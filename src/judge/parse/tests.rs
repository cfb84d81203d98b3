use super::*;

fn contents(answer: &str) -> Vec<String> {
    match parse(answer) {
        Ok(answer) => answer.items.into_iter().map(|item| item.content).collect(),
        Err(fault) => vec![format!("fault: {fault}")],
    }
}

#[test]
fn every_shape_of_an_answer() {
    let table: [(&str, &str, &[&str]); 42] = [
        (
            "plain",
            r#"{"memories":[{"content":"a"},{"content":"b"}]}"#,
            &["a", "b"],
        ),
        ("bare array", r#"[{"content":"a"}]"#, &["a"]),
        ("single object", r#"{"content":"a","importance":5}"#, &["a"]),
        (
            "lines of objects",
            "{\"content\":\"a\"}\n{\"content\":\"b\"}",
            &["a", "b"],
        ),
        (
            "other wrapper",
            r#"{"result":{"items":[{"text":"a"}]}}"#,
            &["a"],
        ),
        (
            "unknown wrapper",
            r#"{"erinnerungen":[{"content":"a"}]}"#,
            &["a"],
        ),
        (
            "prose and fence",
            "Sure! [NEW] lines gave:\n```json\n{\"memories\":[{\"content\":\"a\"}]}\n```\nDone {ok}.",
            &["a"],
        ),
        (
            "fence in a string",
            "```json\n[{\"content\":\"uses ```json fences``` in {notes}\"}]\n```",
            &["uses ```json fences``` in {notes}"],
        ),
        (
            "escaped newline and fence",
            r#"[{"content":"a\n```\nb"}]"#,
            &["a\n```\nb"],
        ),
        (
            "trailing commas",
            r#"{"memories":[{"content":"a",},],}"#,
            &["a"],
        ),
        (
            "missing comma between items",
            r#"[{"content":"a"} {"content":"b"}]"#,
            &["a", "b"],
        ),
        (
            "missing comma between lines",
            "[{\"content\":\"a\"\n\"category\":\"note\"}]",
            &["a"],
        ),
        (
            "comments",
            "[ // one\n {\"content\":\"a // b\"} /* two */ ]",
            &["a // b"],
        ),
        (
            "python",
            "{'memories': [{'content': 'User\'s dog', 'sensitive': False, 'kind': None}]}",
            &["User's dog"],
        ),
        (
            "unquoted keys",
            "{memories: [{content: \"a\", importance: 7}]}",
            &["a"],
        ),
        (
            "smart quotes",
            "{“memories”: [{“content”: “says \"hi\" often”}]}",
            &["says \"hi\" often"],
        ),
        (
            "full-width marks",
            "{\"memories\"：[{\"content\"：\"用户喜欢茶，不喜欢咖啡\"，\"scope\":\"user\"}]}",
            &["用户喜欢茶，不喜欢咖啡"],
        ),
        (
            "quotes inside a string",
            r#"[{"content":"calls it "home" often","scope":"user"}]"#,
            &["calls it \"home\" often"],
        ),
        (
            "raw newline in a string",
            "[{\"content\":\"a\nb\"}]",
            &["a\nb"],
        ),
        (
            "lone backslash",
            r#"[{"content":"keeps files in C:\data"}]"#,
            &[r"keeps files in C:\data"],
        ),
        (
            "surrogate pair",
            r#"[{"content":"\ud83d\ude00"}]"#,
            &["\u{1f600}"],
        ),
        (
            "lone surrogate",
            r#"[{"content":"x\ud83d"}]"#,
            &["x\u{fffd}"],
        ),
        (
            "cut in the third",
            r#"{"memories":[{"content":"a"},{"content":"b"},{"content":"c","cat"#,
            &["a", "b"],
        ),
        (
            "cut between items",
            r#"{"memories":[{"content":"a"},"#,
            &["a"],
        ),
        (
            "cut in the first",
            r#"{"memories":[{"content":"a long te"#,
            &["fault: truncated"],
        ),
        (
            "cut in a single object",
            r#"{"content":"a","importance": 1"#,
            &["fault: truncated"],
        ),
        (
            "cut before the list",
            r#"{"memories": ["#,
            &["fault: truncated"],
        ),
        (
            "a damaged item between",
            r#"[{"content":"a"},{"content":~},{"content":"c"}]"#,
            &["a", "c"],
        ),
        (
            "thought, then answer",
            "<think>maybe [{\"content\":\"draft\"}]</think>\n[{\"content\":\"a\"}]",
            &["a"],
        ),
        (
            "thought without opening",
            "maybe [{\"content\":\"draft\"}] {\n</think>[{\"content\":\"a\"}]",
            &["a"],
        ),
        (
            "unclosed thought with a draft",
            "<think>maybe [{\"content\":\"draft\"}]",
            &["fault: unclosed_think"],
        ),
        (
            "tag in a string",
            r#"[{"content":"writes </think> and <think> tags"}]"#,
            &["writes </think> and <think> tags"],
        ),
        ("nothing to keep", "[]", &[]),
        (
            "nothing to keep, wrapped",
            "```json\n{\"memories\": []}\n```",
            &[],
        ),
        ("null list", r#"{"memories": null}"#, &[]),
        ("blank", " \n", &["fault: empty"]),
        (
            "prose only",
            "I found nothing [1] worth keeping.",
            &["fault: no_json"],
        ),
        (
            "other JSON",
            r#"{"error":{"message":"overloaded"}}"#,
            &["fault: not_memories"],
        ),
        (
            "list of errors",
            r#"{"errors":[{"message":"overloaded"}]}"#,
            &["fault: not_memories"],
        ),
        ("list of texts", "```json\n[\"a\", \"b\"]\n```", &["a", "b"]),
        (
            "example after the answer",
            "[{\"content\":\"a\"}] as in {\"content\":\"example\"}",
            &["a"],
        ),
        ("key case", r#"{"Memories":[{"Content":"a"}]}"#, &["a"]),
    ];
    for (name, answer, expected) in table {
        assert_eq!(contents(answer), expected, "{name}: {answer}");
    }
}

#[test]
fn an_answer_that_breaks_off_says_so() {
    let one = r#"{"memories":[{"content":"Ana has two cats"}"#;
    let is_cut = |rest: &str| parse(&format!("{one}{rest}")).unwrap().is_cut;
    for rest in ["", ",", r#",{"content":"Ana wor"#, r#",{"content":"#] {
        assert!(is_cut(rest), "{rest}");
    }
    for rest in ["]}", ",]}", "]} I hope [this] helps {you}."] {
        assert!(!is_cut(rest), "{rest}");
    }
}

#[test]
fn fields_in_their_forms() {
    let answer = r#"[{"content":"a","category":"偏好","importance":"8/10","sensitive":"yes","from":"m1, m2",
        "replaces":["k3"],"facts":{"profile":{"location":{"city":"Hangzhou"}},"profile.age":30}},
        {"content":"b","facts":[{"key":"profile.name","value":"Anna"}],"from":["m3"]}]"#;
    let items = parse(answer).unwrap().items;
    let first = &items[0];
    assert_eq!(first.category.as_deref(), Some("偏好"));
    assert_eq!(first.importance, Some(Value::from("8/10")));
    assert_eq!(first.sensitive, Some(true));
    assert_eq!(first.from, ["m1", "m2"]);
    assert_eq!(first.replaces, ["k3"]);
    assert_eq!(
        first.facts.get("profile.location.city").unwrap(),
        "Hangzhou"
    );
    assert_eq!(first.facts.get("profile.age").unwrap(), "30");
    assert_eq!(items[1].facts.get("profile.name").unwrap(), "Anna");
}

#[test]
fn hostile_input_is_read_in_bounded_time_and_depth() {
    let hostile = [
        "[", "{", "[{", "{\"a\":", "[\"", "[/*", "<think>", "</think>", "\\u", "{\"a\":[", "'\"",
        "[ \" ", "[1,",
    ];
    for part in hostile {
        let _ = parse(&part.repeat(200_000 / part.len()));
    }
    let many = format!("[{}]", "{\"content\":\"a\"},".repeat(50_000));
    assert_eq!(parse(&many).unwrap().items.len(), ITEMS_MAX);
}

proptest::proptest! {
    #[test]
    fn any_text_gives_an_answer_or_a_fault(text in "[\\[\\]{}\",:'a-c<>/think\\\\ \n`“”1-3]{0,80}") {
        let _ = parse(&text);
    }

    #[test]
    fn a_cut_answer_keeps_a_prefix_of_the_items(texts in proptest::collection::vec(".{1,12}", 0..6), at in 0_usize..400) {
        let items: Vec<Value> = texts.iter().map(|text| serde_json::json!({ "content": text })).collect();
        let whole = serde_json::json!({ "memories": items }).to_string();
        let cut: String = whole.chars().take(at).collect();
        if let Ok(read) = parse(&cut) {
            let read: Vec<String> = read.items.into_iter().map(|item| item.content).collect();
            proptest::prop_assert_eq!(read.as_slice(), &texts[..read.len()]);
        }
        let read: Vec<String> = parse(&whole).unwrap().items.into_iter().map(|item| item.content).collect();
        proptest::prop_assert_eq!(read, texts);
    }
}
