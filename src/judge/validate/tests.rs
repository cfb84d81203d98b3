use super::*;
use crate::judge::parse::parse;
use crate::memory::Kind;

fn message(label: &str, role: Role, text: &str, at: i64) -> NewMessage {
    NewMessage {
        id: format!("id-{label}"),
        label: label.into(),
        role,
        name: None,
        text: text.into(),
        at,
    }
}

fn run(answer: &str) -> (Vec<Candidate>, Vec<Dropped>) {
    let new_messages = [
        message("m1", Role::User, "I moved to Hangzhou last week", 100),
        message("m2", Role::Assistant, "Nice, Hangzhou is lovely", 200),
        message("m3", Role::User, "也记一下我喜欢喝龙井茶", 300),
    ];
    let known = [
        ("k1".to_owned(), "mem-1".to_owned()),
        ("k2".to_owned(), "mem-2".to_owned()),
    ];
    let config = JudgeConfig::default();
    validate(
        parse(answer).unwrap().items,
        &Context {
            new_messages: &new_messages,
            known: &known,
            config: &config,
        },
    )
}

#[test]
fn missing_fields_get_defaults() {
    let (kept, dropped) = run(
        r#"[{"content":" User lives in Hangzhou "},{"content":" "},{"content":"None."},{"x":1}]"#,
    );
    assert_eq!(kept.len(), 1);
    let first = &kept[0];
    assert_eq!(first.content, "User lives in Hangzhou");
    assert_eq!(
        (first.category, first.kind, first.scope),
        (Category::Other, Kind::Text, MemoryScope::User)
    );
    assert_eq!(first.importance, 5);
    assert_eq!(
        (first.message_ids.as_slice(), first.observed_at),
        (["id-m1".to_owned()].as_slice(), 100)
    );
    let reasons: Vec<_> = dropped.iter().map(|drop| drop.reason).collect();
    assert_eq!(reasons, ["empty", "placeholder", "empty"]);
}

#[test]
fn references_resolve_and_unknown_ones_are_ignored() {
    let (kept, _) =
        run(r#"[{"content":"a b","from":["M3","m9",2],"replaces":["[k2]","k7","mem-1","k2"]}]"#);
    assert_eq!(kept[0].message_ids, ["id-m2", "id-m3"]);
    assert_eq!(kept[0].observed_at, 300);
    assert_eq!(kept[0].replaces, ["mem-2", "mem-1"]);
    let (kept, _) = run(r#"[{"content":"用户喜欢龙井茶","from":["m7"]},{"content":"unrelated"}]"#);
    assert_eq!(kept[0].message_ids, ["id-m3"]);
    assert_eq!(kept[1].message_ids.len(), 3);
}

#[test]
fn importance_in_any_form() {
    for (given, expected) in [
        ("7", 7),
        ("\"8\"", 8),
        ("\"8/10\"", 8),
        ("99", 10),
        ("-3", 1),
        ("0", 1),
        ("0.8", 8),
        ("6.5", 7),
        ("NaN", 5),
        ("\"high\"", 8),
        ("\"很高吧\"", 5),
        ("null", 5),
        ("[1]", 5),
        ("1e999", 5),
        ("\"NaN\"", 5),
        ("\"inf\"", 10),
    ] {
        let (kept, _) = run(&format!("[{{\"content\":\"a\",\"importance\":{given}}}]"));
        assert_eq!(
            kept.first().map(|c| c.importance),
            Some(expected),
            "{given}"
        );
    }
}

#[test]
fn names_of_categories_and_scopes() {
    assert_eq!(category("偏好"), Some(Category::Preference));
    assert_eq!(category("Profile.Location"), Some(Category::Profile));
    assert_eq!(category("standing instruction"), Some(Category::Preference));
    assert_eq!(category("banana"), None);
    assert_eq!(scope("agent_7"), Some(MemoryScope::Agent));
    let (kept, _) = run(
        r#"[{"content":"a","category":"skill","scope":"助手"},{"content":"b","facts":{"Preference.Green Tea":"like"}}]"#,
    );
    assert_eq!(
        (kept[0].kind, kept[0].scope),
        (Kind::Skill, MemoryScope::Agent)
    );
    assert_eq!(
        (kept[1].category, kept[1].kind),
        (Category::Preference, Kind::Pref)
    );
    assert_eq!(kept[1].facts.get("preference.green_tea").unwrap(), "like");
}

#[test]
fn cuts_keep_words_numbers_and_graphemes_whole() {
    assert_eq!(cut("short", 10), "short");
    assert_eq!(cut("User likes green tea", 17), "User likes green");
    assert_eq!(cut("用户住在杭州，喜欢喝龙井茶", 8), "用户住在杭州，");
    assert_eq!(cut("budget12345", 9), "budget");
    assert_eq!(cut("aaaaaae\u{301}", 7), "aaaaaa");
    assert_eq!(cut("🇫🇷", 1).chars().count(), 1);
    assert_eq!(cut("abc", 0), "");
}

proptest::proptest! {
    #[test]
    fn a_cut_is_a_prefix_within_the_limit(text in "\\PC{0,60}", max in 0_usize..40) {
        let head = cut(&text, max);
        proptest::prop_assert!(head.chars().count() <= max && text.starts_with(&head));
        proptest::prop_assert!(max == 0 || text.trim().is_empty() || text.starts_with(char::is_whitespace) || !head.is_empty());
    }
}
