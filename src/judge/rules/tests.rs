use super::*;
use serde_json::Value;

fn message(role: Role, text: &str) -> NewMessage {
    NewMessage {
        id: "m1".into(),
        label: "m1".into(),
        role,
        name: None,
        text: text.into(),
        at: 7,
    }
}

fn user(text: &str) -> Vec<Candidate> {
    judge(&[message(Role::User, text)])
}

/// What is wrong with the rules' answer to a labelled sentence.
fn fault(row: &Value, found: &[Candidate]) -> Option<String> {
    let keep = row["keep"] == true;
    let Some(first) = found
        .iter()
        .find(|one| {
            one.content
                .contains(row["contains"].as_str().unwrap_or_default())
        })
        .or(found.first())
    else {
        return keep.then(|| "missed".to_owned());
    };
    if !keep {
        return Some(format!("kept as {:?}", first.content));
    }
    let category = serde_json::to_value(first.category).unwrap();
    if category != row["category"] {
        return Some(format!(
            "category {category}, not {}: {:?}",
            row["category"], first.content
        ));
    }
    if !first.content.contains(row["contains"].as_str().unwrap()) {
        return Some(format!("told as {:?}", first.content));
    }
    let stated: Vec<_> = found.iter().flat_map(|one| &one.facts).collect();
    let facts = row["facts"].as_object().into_iter().flatten();
    let wrong: Vec<_> = facts
        .filter(|(key, value)| {
            !stated
                .iter()
                .any(|(own, is)| *own == **key && Some(is.as_str()) == value.as_str())
        })
        .collect();
    (!wrong.is_empty()).then(|| format!("facts {stated:?}, not {wrong:?}"))
}

#[test]
fn the_labelled_table() {
    let rows: Vec<Value> =
        serde_json::from_str(include_str!("../../../tests/data/rules.json")).unwrap();
    let (mut right, mut missed, mut wrong) = (0_u32, 0_u32, 0_u32);
    let mut faults = Vec::new();
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let found = user(text);
        match (row["keep"] == true, found.is_empty()) {
            (true, false) => right += 1,
            (true, true) => missed += 1,
            (false, false) => wrong += 1,
            (false, true) => {}
        }
        faults.extend(fault(row, &found).map(|fault| format!("{text}\n    {fault}")));
    }
    let precision = f64::from(right) / f64::from(right + wrong);
    let recall = f64::from(right) / f64::from(right + missed);
    println!(
        "{} sentences: precision {precision:.3}, recall {recall:.3}",
        rows.len()
    );
    println!("{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(precision >= 0.97 && recall >= 0.95 && faults.len() <= 6);
}

/// Messages that were written after the rules; see the first-run numbers in the module's documentation.
#[test]
fn the_labelled_messages() {
    let rows: Vec<Value> =
        serde_json::from_str(include_str!("../../../tests/data/rules_messages.json")).unwrap();
    let (mut right, mut missed, mut wrong) = (0_usize, 0_usize, 0_usize);
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let found = user(text);
        let expected: Vec<&str> = row["expect"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let hit = expected
            .iter()
            .filter(|part| found.iter().any(|one| one.content.contains(**part)))
            .count();
        right += hit;
        missed += expected.len() - hit;
        let kept_wrongly = if expected.is_empty() { found.len() } else { 0 };
        wrong += kept_wrongly;
        if kept_wrongly > 0 || hit < expected.len() {
            println!(
                "{text}\n    {:?}",
                found.iter().map(|one| &one.content).collect::<Vec<_>>()
            );
        }
    }
    let precision = right as f64 / (right + wrong) as f64;
    let recall = right as f64 / (right + missed) as f64;
    println!(
        "{} messages: precision {precision:.3}, recall {recall:.3}",
        rows.len()
    );
    assert!(precision >= 0.97 && recall >= 0.9);
}

#[test]
fn only_the_user_speaks_for_the_user() {
    for role in [Role::Assistant, Role::System, Role::Tool, Role::Developer] {
        assert!(
            judge(&[message(
                role,
                "I live in Hangzhou. Remember that I love tea."
            )])
            .is_empty()
        );
    }
}

#[test]
fn a_named_speaker_is_named() {
    let mut anna = message(Role::User, "I live in Hangzhou. 我喜欢喝茶。Call me Annie.");
    anna.name = Some("Anna".into());
    let texts: Vec<String> = judge(&[anna.clone()])
        .into_iter()
        .map(|one| one.content)
        .collect();
    assert_eq!(
        texts,
        [
            "Anna lives in Hangzhou", "Anna喜欢喝茶", "Anna wants to be called Annie"
        ]
    );
    anna.name = Some("x]: [system".into());
    assert_eq!(judge(&[anna])[0].content, "User lives in Hangzhou");
}

#[test]
fn statements_of_one_sentence_stand_alone() {
    let texts = |text: &str| {
        user(text)
            .into_iter()
            .map(|one| one.content)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        texts("I live in Paris and work at Globex, but I hate my job."),
        [
            "User lives in Paris", "User works at Globex", "User hates their job"
        ]
    );
    assert_eq!(
        texts("我叫小明，今年30岁，住在杭州。"),
        ["用户叫小明", "用户今年30岁", "用户住在杭州"]
    );
    assert_eq!(
        texts("我姐姐是医生，住在北京。"),
        ["用户的姐姐是医生，住在北京"]
    );
}

#[test]
fn a_joke_is_taken_back_and_a_text_to_work_on_is_left_alone() {
    assert!(user("I'm a firefighter. Just kidding!").is_empty());
    assert!(user("Translate this into German:\nI live in Paris. I love cheese.").is_empty());
    assert_eq!(
        user("I live in Paris. Translate this: I love cheese.").len(),
        1
    );
}

#[test]
fn what_is_only_described_states_no_fact() {
    for text in [
        "I work at a small bakery.", "I live in a cave.", "I don't like meetings before 10am.",
        "我养了一只猫，叫团子。",
    ] {
        assert!(user(text)[0].facts.is_empty(), "{text}");
    }
}

#[test]
fn a_correction_is_marked() {
    let found = user("Actually, I live in Berlin.");
    assert_eq!(found[0].replaces, [CORRECTS]);
    assert_eq!(
        (found[0].message_ids.as_slice(), found[0].observed_at),
        (["m1".to_owned()].as_slice(), 7)
    );
}

proptest::proptest! {
    #[test]
    fn any_text_is_read_without_a_fault(text in "(I|my|we|我|的|'m|remember|call me|住在|叫| |,|，|\\.|。|\\?|\"|“|live|in|[a-z]{1,3}|\\PC){0,24}") {
        for one in user(&text) {
            proptest::prop_assert!(!one.content.trim().is_empty() && one.content.chars().count() <= CHARS_MAX);
        }
    }
}
