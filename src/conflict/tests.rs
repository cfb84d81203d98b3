use super::*;
use crate::memory::{Category, Kind};
use crate::sorted::Facts;

fn candidate(content: &str, at: i64) -> Candidate {
    Candidate {
        content: content.into(),
        category: Category::Other,
        kind: Kind::Text,
        scope: MemoryScope::User,
        importance: 5,
        cues: String::new(),
        facts: Facts::new(),
        is_sensitive: false,
        replaces: Vec::new(),
        contradicts: Vec::new(),
        message_ids: Vec::new(),
        observed_at: at,
    }
}

fn relation(new: &str, old: &str) -> Relation {
    relate(
        &candidate(new, 2),
        &Standing::candidate("old", &candidate(old, 1)),
        &DedupConfig::default(),
    )
}

fn class(new: &str, old: &str) -> &'static str {
    match relation(new, old) {
        Relation::Duplicate { .. } => "duplicate",
        Relation::Update { .. } => "update",
        Relation::Conflict { severe: false, .. } => "conflict",
        Relation::Conflict { severe: true, .. } => "severe",
        Relation::None => "none",
    }
}

#[test]
fn relations_of_texts() {
    let table = [
        ("none", "Tim is writing a novel", "Tim is learning German"),
        (
            "conflict", "The start time is 10:00", "The start time is 9:00",
        ),
        (
            "conflict", "User hates Chinese food", "User loves Chinese food",
        ),
        (
            "conflict",
            "User does not like Chinese food because it is oily.",
            "User really loves Chinese food",
        ),
        (
            "conflict", "User can't stand cilantro", "User enjoys cilantro",
        ),
        (
            "conflict", "User no longer likes coffee", "User likes coffee",
        ),
        ("conflict", "User is not a fan of jazz", "User loves jazz"),
        (
            "conflict", "User prefers tea over coffee", "User prefers coffee to tea",
        ),
        (
            "conflict", "User no longer drinks coffee", "User drinks coffee",
        ),
        ("conflict", "User stopped smoking", "User smokes"),
        ("conflict", "User is not vegetarian", "User is vegetarian"),
        ("conflict", "用户讨厌吃辣", "用户喜欢吃辣"),
        ("conflict", "用户现在不喜欢喝咖啡了", "用户喜欢喝咖啡"),
        ("conflict", "用户不吃辣", "用户吃辣"),
        ("conflict", "User lives in Berlin", "User lives in Paris"),
        ("conflict", "User moved to Berlin", "User lives in Paris"),
        (
            "conflict", "User works at Globex as a designer", "User works at Initech",
        ),
        ("conflict", "User is 31 years old", "User is 30 years old"),
        (
            "conflict", "User's favorite color is blue", "User's favourite colour is green",
        ),
        ("conflict", "Meeting is in room 21", "Meeting is in room 12"),
        (
            "conflict", "The meeting is on Friday", "The meeting is on Thursday",
        ),
        (
            "conflict", "User's deadline is June 5", "User's deadline is May 5",
        ),
        (
            "conflict", "User's flight leaves at 11:00", "User's flight leaves at 10:00",
        ),
        ("severe", "User's name is Anna", "User's name is Hanna"),
        (
            "severe", "User's birthday is on May 5", "User's birthday is on May 6",
        ),
        ("conflict", "用户住在北京", "用户住在杭州"),
        ("conflict", "用户搬到北京了", "用户现在住在杭州"),
        ("conflict", "用户在腾讯工作", "用户在阿里工作"),
        (
            "conflict", "用户最喜欢的颜色是蓝色", "用户最喜欢的颜色是绿色",
        ),
        ("severe", "用户的生日是5月6日", "用户的生日是5月5日"),
        ("duplicate", "user LIKES tea", "User likes tea."),
        (
            "duplicate", "User likes tea", "User likes tea in the morning",
        ),
        ("update", "User likes tea in the morning", "User likes tea"),
        (
            "update", "User lives in Paris with a cat", "User lives in Paris",
        ),
        ("none", "User likes tea", "User likes coffee"),
        ("conflict", "User drinks flat white", "User drinks cortado"),
        ("conflict", "User drinks tea", "User drinks coffee"),
        (
            "conflict", "User travels this weekend", "User will rest at home this weekend",
        ),
        ("conflict", "用户周末计划外出旅行", "用户周末打算在家休息"),
        (
            "none", "User travels next weekend", "User will rest at home this weekend",
        ),
        (
            "none", "User meets Bob tomorrow", "User goes to the gym tomorrow",
        ),
        ("none", "User also drinks tea", "User drinks coffee"),
        ("none", "User likes green tea", "User dislikes black tea"),
        ("none", "User does not hate tea", "User likes tea"),
        (
            "none", "User's sister hates Chinese food", "User loves Chinese food",
        ),
        (
            "none", "User's sister lives in Berlin", "User lives in Paris",
        ),
        ("none", "User lives in Germany", "User lives in Berlin"),
        ("none", "User also lives in Berlin", "User lives in Paris"),
        (
            "none", "User plans to live in Berlin", "User lives in Paris",
        ),
        ("none", "User is a father", "User is a developer"),
        (
            "none", "User is allergic to peanuts", "User is allergic to shellfish",
        ),
        ("none", "User paid 12 euros", "User paid 15 euros"),
        ("none", "Room 12 has a projector", "Room 21 has a projector"),
        (
            "none", "User goes to the gym on Monday", "User goes to the gym on Friday",
        ),
        ("none", "User's car is fast", "User's car is red"),
        ("none", "用户喜欢喝茶", "用户喜欢喝咖啡"),
        ("none", "用户的姐姐住在北京", "用户住在杭州"),
        ("none", "用户的爱好是爬山", "用户不爱看电影"),
    ];
    let wrong: Vec<String> = table
        .iter()
        .filter(|(expected, new, old)| class(new, old) != *expected)
        .map(|(expected, new, old)| {
            format!(
                "{new} / {old}: expected {expected}, got {:?}",
                relation(new, old)
            )
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn with_fact(content: &str, key: &str, value: &str, at: i64) -> Candidate {
    let mut made = candidate(content, at);
    made.facts.insert(key.into(), value.into());
    made
}

#[test]
fn facts_with_one_value() {
    let table = [
        (true, "profile.location.city", "Hangzhou", "Berlin"),
        (true, "preference.tea", "like", "dislike"),
        (true, "preference.response_language", "Chinese", "English"),
        (true, "preference.favorite_color", "blue", "green"),
        (true, "profile.status", "single", "married"),
        (
            false, "profile.location.city", "Hangzhou, China", "hangzhou",
        ),
        (false, "profile.location", "Germany", "Berlin"),
        (false, "profile.location.city", "杭州", "Hangzhou"),
        (false, "preference.tea", "like", "love"),
        (false, "preference.food", "sushi", "pizza"),
        (false, "profile.hobbies", "chess", "go"),
        (false, "profile.health.allergy", "peanuts", "shellfish"),
    ];
    for (differ, key, new, old) in table {
        let (new, old) = (with_fact("a b", key, new, 2), with_fact("c d", key, old, 1));
        let found = relate(
            &new,
            &Standing::candidate("old", &old),
            &DedupConfig::default(),
        );
        assert_eq!(
            matches!(found, Relation::Conflict { .. }),
            differ,
            "{key}: {found:?}"
        );
    }
}

#[test]
fn a_repetition_that_the_judge_calls_a_replacement_stays_one_record() {
    let old = candidate("User likes tea", 1);
    let mut new = candidate("User likes tea.", 2);
    new.replaces.push("old".into());
    let standing = Standing::candidate("old", &old);
    let found = relate(&new, &standing, &DedupConfig::default());
    assert_eq!(
        found,
        Relation::Duplicate {
            why: Similarity::Exact
        }
    );
    assert_eq!(resolve(&new, &[(standing, found)], true), skip("old"));
}

#[test]
fn a_changed_mind_leaves_the_new_one_live() {
    let (old, new) = (
        candidate("User loves Chinese food", 1),
        candidate("User hates Chinese food", 2),
    );
    let standing = Standing::candidate("old", &old);
    let found = relate(&new, &standing, &DedupConfig::default());
    assert_eq!(
        resolve(&new, &[(standing.clone(), found.clone())], true),
        expire(&["old"])
    );
    // Told late, it does not undo what was said after it.
    let late = candidate("User hates Chinese food", 0);
    assert_eq!(resolve(&late, &[(standing, found)], true), precede("old"));
}

#[test]
fn said_at_once_the_heavier_wins_else_both_stay() {
    let old = candidate("User lives in Paris", 1);
    let mut new = candidate("User lives in Berlin", 1);
    let conflict = || Relation::Conflict {
        reason: String::new(),
        severe: false,
        partial: false,
    };
    let standing = Standing::candidate("old", &old);
    assert_eq!(
        resolve(&new, &[(standing.clone(), conflict())], true),
        beside(&["old"])
    );
    new.importance = 9;
    assert_eq!(
        resolve(&new, &[(standing.clone(), conflict())], true),
        expire(&["old"])
    );
    new.importance = 2;
    assert_eq!(
        resolve(&new, &[(standing, conflict())], true),
        precede("old")
    );
    assert_eq!(resolve(&new, &[], true), expire(&[]));
}

#[test]
fn a_mind_changed_back_is_said_anew() {
    let (first, second) = (
        candidate("User likes tea", 1),
        candidate("User dislikes tea", 2),
    );
    let third = candidate("User likes tea", 3);
    let related: Vec<_> = [
        Standing::candidate("1", &first),
        Standing::candidate("2", &second),
    ]
    .into_iter()
    .map(|standing| {
        (
            standing.clone(),
            relate(&third, &standing, &DedupConfig::default()),
        )
    })
    .collect();
    assert_eq!(resolve(&third, &related, true), expire(&["2", "1"]));
}

#[test]
fn a_correction_updates_what_it_is_about() {
    let corrected = |new: &str, old: &str| {
        let mut new = candidate(new, 2);
        new.replaces.push(CORRECTS.into());
        let old = candidate(old, 1);
        matches!(
            relate(
                &new,
                &Standing::candidate("old", &old),
                &DedupConfig::default()
            ),
            Relation::Update { .. }
        )
    };
    assert!(corrected(
        "The workshop takes place in Lyon", "The workshop takes place in Nice"
    ));
    assert!(corrected("User lives in Berlin", "User lives in Paris"));
    assert!(!corrected("User likes tea", "User likes coffee"));
    assert!(!corrected(
        "The workshop takes place in Lyon", "User's dog is called Rex"
    ));
}

#[test]
fn scopes_do_not_touch() {
    let mut new = candidate("User hates tea", 2);
    new.scope = MemoryScope::Agent;
    let old = candidate("User loves tea", 1);
    assert_eq!(
        relate(
            &new,
            &Standing::candidate("old", &old),
            &DedupConfig::default()
        ),
        Relation::None
    );
}

#[test]
fn what_also_tells_something_else_is_not_ended() {
    let mut old = with_fact(
        "User is 34 and works at Globex", "profile.employer", "Globex", 1,
    );
    old.facts.insert("profile.age".into(), "34".into());
    let new = with_fact("User works at Initech", "profile.employer", "Initech", 2);
    let standing = Standing::candidate("old", &old);
    let found = relate(&new, &standing, &DedupConfig::default());
    assert!(matches!(found, Relation::Conflict { partial: true, .. }));
    assert_eq!(resolve(&new, &[(standing, found)], true), beside(&["old"]));
    let moved = with_fact("User lives in Lyon", "profile.location.city", "Lyon", 2);
    let mut old = with_fact("User lives in Berlin", "profile.location.city", "Berlin", 1);
    old.facts
        .insert("profile.location.country".into(), "Germany".into());
    let found = relate(
        &moved,
        &Standing::candidate("old", &old),
        &DedupConfig::default(),
    );
    assert!(matches!(found, Relation::Conflict { partial: false, .. }));
    let old = candidate("User is 34 years old, works at Globex and lives in Rome", 1);
    let found = relate(
        &candidate("User works at Initech", 2),
        &Standing::candidate("old", &old),
        &DedupConfig::default(),
    );
    assert!(
        matches!(found, Relation::Conflict { partial: true, .. }),
        "{found:?}"
    );
}

fn store(expire: &[&str], beside: &[&str], ask: &[&str]) -> Resolution {
    let owned = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect();
    Resolution::Store {
        expire: owned(expire),
        beside: owned(beside),
        ask: owned(ask),
    }
}

fn expire(ids: &[&str]) -> Resolution {
    store(ids, &[], &[])
}

fn beside(ids: &[&str]) -> Resolution {
    store(&[], ids, &[])
}

fn skip(id: &str) -> Resolution {
    Resolution::Skip { id: id.to_owned() }
}

fn precede(id: &str) -> Resolution {
    Resolution::Precede { id: id.to_owned() }
}

#[test]
fn what_is_severe_is_asked_unless_told_otherwise() {
    let old = candidate("User's birthday is on May 5", 1);
    let new = candidate("User's birthday is on May 6", 2);
    let standing = Standing::candidate("old", &old);
    let found = relate(&new, &standing, &DedupConfig::default());
    let against = [(standing, found)];
    assert_eq!(
        resolve(&new, &against, true),
        store(&[], &["old"], &["old"])
    );
    assert_eq!(resolve(&new, &against, false), expire(&["old"]));
}
