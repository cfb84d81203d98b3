//! Plain statements taken apart: who, which attribute, which value, said positively or not.
//!
//! Only attributes that a thing has one of are looked at, so two claims about the same subject with different
//! values contradict each other. What does not fit a known form is no claim.

use super::words::{self, is_filler, is_number, is_stem_of, stem};
use crate::gather::Gather;
use crate::list;
use crate::words::{Words, words};
use std::borrow::Cow;

/// What a claim is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// Liking (`positive`) or disliking the value.
    Liking,
    /// An attribute with one value.
    Attribute(&'static str),
    /// The value is preferred to the other.
    PreferredTo,
}

/// A statement taken apart.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Claim {
    /// What it is about.
    pub topic: Topic,
    /// Whose attribute, as content words; empty for the user.
    pub subject: Vec<String>,
    /// The value, as content words.
    pub value: Vec<String>,
    /// The less preferred thing.
    pub other: Vec<String>,
    /// False for dislike.
    pub positive: bool,
}

/// Attributes by the words that state them; longer forms first where one starts another.
const FRAMES: &str = "\
home=lives in|home=live in|home=living in|home=resides in|home=is based in|home=moved to|\
home=relocated to|home=home is in|home=home city is|employer=works at|employer=works for|\
employer=is employed by|employer=employer is|job=works as|job=job is|job=occupation is|\
job=profession is|job=job title is|address=wants to be called|address=prefers to be called|\
name=name is|name=is called|name=is named|birthday=birthday is on|birthday=birthday is|\
birthday=was born on|origin=is from|origin=comes from|origin=hometown is";

/// Nouns of which a thing has one.
#[rustfmt::skip]
const SINGLE: Words = words![
    "address", "age", "appointment", "boss", "budget", "city", "color", "colour", "country",
    "date", "deadline", "desk", "diet", "editor", "email", "employer", "flight", "height",
    "hometown", "interview", "language", "major", "manager", "meeting", "nationality", "number",
    "office", "order", "passport", "phone", "price", "role", "room", "salary", "school", "shift",
    "size", "team", "time", "timezone", "title", "university", "version", "weight",
];

const ZH_FRAMES: &str = "\
home=居住在|home=定居在|home=住在|home=搬到|home=搬去|home=家在|employer=就职于|employer=任职于|\
employer=供职于|job=职业是|job=工作是|name=名字是|name=名字叫|birthday=生日是|birthday=生日在|\
birthday=出生于|origin=来自|origin=老家在|origin=老家是";

#[rustfmt::skip]
const ZH_SINGLE: Words = words![
    "颜色", "截止日期", "时间", "地址", "电话", "邮箱", "身高", "体重", "预算", "版本", "会议室",
    "房间", "座位", "专业", "学校", "公司", "职位", "老板", "经理", "航班", "尺码",
];

/// Words after which a statement holds only in part, or beside another one.
#[rustfmt::skip]
const PARTIAL: Words = words![
    "also", "another", "during", "every", "half", "if", "often", "partly", "second", "sometimes",
    "summer", "too", "used", "was", "weekend", "weekends", "weekdays", "well", "were", "when",
    "while", "winter", "will", "plans", "wants", "might", "would",
];
#[rustfmt::skip]
const ZH_PARTIAL: Words = words![
    "也", "还", "另", "有时", "偶尔", "周末", "夏天", "冬天", "经常", "曾", "以前", "之前", "如果",
    "打算", "计划", "想", "或",
];

/// Whether a text tells something that may hold beside its like.
pub(crate) fn is_partial(text: &str) -> bool {
    // In lower case, so that the month is not meant.
    text.contains(" may ")
        || words::words(text)
            .iter()
            .any(|word| PARTIAL.contains(word.as_str()))
        || ZH_PARTIAL.any_in(text)
}

/// The claims of a text, clause by clause.
pub(crate) fn claims(text: &str) -> Vec<Claim> {
    clauses(text)
        .iter()
        .filter_map(|clause| liking(clause).or_else(|| attribute(clause)))
        .gather()
}

#[rustfmt::skip]
const CLAUSE_WORDS: Words = words![
    " because ", " since ", " but ", " although ", " so that ", "因为", "但是", "所以",
];

/// Clauses, at marks and at words that start another one; a point inside a number is no mark.
fn clauses(text: &str) -> Vec<String> {
    let mut text = Cow::Borrowed(text);
    for word in CLAUSE_WORDS {
        if text.contains(word) {
            text = Cow::Owned(text.replace(word, ";"));
        }
    }
    if text.contains(" and ") {
        for verb in "lives|works|is|was|has|likes|loves|hates|prefers|moved".split('|') {
            text = Cow::Owned(text.replace(&format!(" and {verb} "), &format!("; {verb} ")));
        }
    }
    let mut out = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let splits = match c {
            ';' | '，' | '。' | '；' | '！' | '、' | '!' | '(' | ')' | '（' | '）' => true,
            '.' | ',' => chars.peek().is_none_or(|next| next.is_whitespace()),
            _ => false,
        };
        if splits {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.retain(|clause| !clause.trim().is_empty());
    out
}

/// Content words: stems, without fillers.
fn content(words: &[String]) -> Vec<String> {
    words
        .iter()
        .filter(|word| !is_filler(word) && !is_empty_adverb(word))
        .map(|word| stem(word))
        .gather()
}

fn is_empty_adverb(word: &str) -> bool {
    words![
        "s", "currently", "now", "nowadays", "actually", "recently", "just", "already", "finally"
    ]
    .contains(word)
}

fn find(words: &[String], phrase: &str) -> Option<(usize, usize)> {
    let first = phrase.split(' ').next()?;
    words
        .iter()
        .enumerate()
        .filter(|(_, word)| *word == first)
        .find_map(|(at, _)| {
            let mut own = words.get(at..)?.iter();
            let holds = phrase
                .split(' ')
                .all(|wanted| own.next().is_some_and(|word| word == wanted));
            holds.then(|| (at, at + phrase.split(' ').count()))
        })
}

fn liking(clause: &str) -> Option<Claim> {
    if clause.chars().any(words::is_cjk) {
        return zh_liking(clause);
    }
    let all = words::words(clause);
    let verbs = [
        "like", "likes", "love", "loves", "enjoy", "enjoys", "adores", "fond of", "fan of", "hate",
        "hates", "dislike", "dislikes", "detests", "loathes", "can not stand", "can not bear",
        "prefers", "prefer",
    ];
    let (verb, (start, end)) = verbs
        .iter()
        .find_map(|verb| Some((*verb, find(&all, verb)?)))?;
    let before: Vec<String> = all.iter().take(start).cloned().gather();
    let after: Vec<String> = all.iter().skip(end).cloned().gather();
    let negated = words::negations(&before)
        .iter()
        .filter(|negates| **negates)
        .count();
    let subject: Vec<String> = content(&before)
        .into_iter()
        .filter(|word| !words!["no", "longer", "not", "never", "big", "can"].contains(word))
        .gather();
    if verb.starts_with("prefer") {
        let at = after
            .iter()
            .position(|word| matches!(word.as_str(), "over" | "to"))?;
        let value = content(after.get(..at)?);
        let other = content(after.get(at + 1..)?);
        let whole = negated == 0 && !value.is_empty() && !other.is_empty();
        return whole.then_some(Claim {
            topic: Topic::PreferredTo,
            subject,
            value,
            other,
            positive: true,
        });
    }
    let disliked = words!["hate", "hates", "dislike", "dislikes", "detests", "loathes"]
        .contains(verb)
        || verb.starts_with("can");
    // "Does not hate" is neither liking nor its opposite.
    if negated > 1 || (disliked && negated > 0) {
        return None;
    }
    let mut value: Vec<String> = content(&after);
    while value
        .last()
        .is_some_and(|word| words!["anymore", "more", "lot", "all", "day"].contains(word))
    {
        value.pop();
    }
    while value.len() > 1
        && value
            .first()
            .is_some_and(|word| is_stem_of(word, words!["drink", "eat", "eating", "have"]))
    {
        value.remove(0);
    }
    let claim = Claim {
        topic: Topic::Liking,
        subject,
        value,
        other: Vec::new(),
        positive: !disliked && negated == 0,
    };
    (!claim.value.is_empty()).then_some(claim)
}

fn zh_liking(clause: &str) -> Option<Claim> {
    const VERBS: [(&str, bool); 12] = [
        ("不再喜欢", false),
        ("不太喜欢", false),
        ("不喜欢", false),
        ("不爱", false),
        ("讨厌", false),
        ("厌恶", false),
        ("反感", false),
        ("受不了", false),
        ("热爱", true),
        ("喜爱", true),
        ("喜欢", true),
        ("爱", true),
    ];
    let (verb, positive, at) = VERBS
        .iter()
        .find_map(|(verb, positive)| Some((*verb, *positive, clause.find(verb)?)))?;
    let before = clause.get(..at)?;
    let after = clause.get(at + verb.len()..)?;
    if (verb == "爱" && after.starts_with(['好', '人', '情', '心', '国']))
        || before.ends_with(['可', '最'])
        || after.starts_with('的')
    {
        return None;
    }
    if !positive && before.contains('不') {
        return None;
    }
    let value = after
        .trim()
        .trim_end_matches('了')
        .trim_start_matches(['吃', '喝', '看', '听', '玩']);
    let mut subject = before.to_owned();
    for word in [
        "用户", "现在", "已经", "非常", "特别", "真的", "还是", "很", "最", "都", "又", "开始",
        "变得",
    ] {
        subject = subject.replace(word, "");
    }
    let claim = Claim {
        topic: Topic::Liking,
        subject: words::words(&subject),
        value: words::words(value),
        other: Vec::new(),
        positive,
    };
    (!claim.value.is_empty()).then_some(claim)
}

fn attribute(clause: &str) -> Option<Claim> {
    if clause.chars().any(words::is_cjk) {
        return zh_attribute(clause);
    }
    let all = words::words(clause);
    if words::negations(&all).contains(&true) {
        return None;
    }
    if let Some((at, end)) = find(&all, "years old").or_else(|| find(&all, "year old"))
        && let Some(age) = at
            .checked_sub(1)
            .and_then(|i| all.get(i))
            .filter(|word| is_number(word))
        && end == all.len()
    {
        let subject = content(all.get(..at - 1)?);
        return Some(single("age", subject, vec![age.clone()]));
    }
    for (topic, phrase) in list::pairs(FRAMES) {
        if let Some((at, end)) = find(&all, phrase) {
            let (subject, value) = (content(all.get(..at)?), content(all.get(end..)?));
            return (!value.is_empty()).then(|| single(topic, subject, value));
        }
    }
    let at = all
        .iter()
        .position(|word| matches!(word.as_str(), "is" | "are"))?;
    let subject = content(all.get(..at)?);
    // Not by its stem, which "time" has in common with "Tim".
    let is_content = |word: &&String| !is_filler(word) && !is_empty_adverb(word);
    let head = all.get(..at)?.iter().rev().find(is_content)?.as_str();
    let one = head.strip_suffix('s').unwrap_or(head);
    let is_single = SINGLE.contains(head)
        || SINGLE.contains(one)
        || subject
            .iter()
            .any(|word| is_stem_of(word, words!["favorite", "preferred", "default"]));
    let value = content(all.get(at + 1..)?);
    (is_single && !value.is_empty()).then(|| single("is", subject, value))
}

fn zh_attribute(clause: &str) -> Option<Claim> {
    if words::negations(&words::words(clause)).contains(&true) {
        return None;
    }
    let plain = |text: &str| {
        let text = "用户|现在|目前|已经|刚|今年"
            .split('|')
            .fold(text.to_owned(), |t, word| t.replace(word, ""));
        content(&words::words(text.trim_end_matches('了')))
    };
    let claim = |topic, before: &str, after: &str| {
        let value = plain(after);
        (!value.is_empty()).then(|| single(topic, plain(before), value))
    };
    for (topic, phrase) in list::pairs(ZH_FRAMES) {
        if let Some((before, after)) = clause.split_once(phrase) {
            return claim(topic, before, after);
        }
    }
    if let Some((before, after)) = clause.split_once('在')
        && let Some(place) = after
            .strip_suffix("工作")
            .or_else(|| after.strip_suffix("上班"))
    {
        return claim("employer", before, place);
    }
    if let Some(age) = clause.trim().strip_suffix('岁') {
        let digits = age.trim_start_matches(|c: char| !c.is_ascii_digit());
        return claim("age", age.get(..age.len() - digits.len())?, digits);
    }
    if let Some((before, after)) = clause.split_once('叫')
        && before.contains("用户")
        && plain(before).is_empty()
        && after.chars().count() <= 4
    {
        return claim("name", before, after);
    }
    let (before, after) = clause
        .split_once('是')
        .or_else(|| clause.split_once("改到"))?;
    let is_single =
        ZH_SINGLE.iter().any(|noun| before.ends_with(noun)) || before.contains("最喜欢的");
    is_single.then(|| claim("is", before, after)).flatten()
}

fn single(topic: &'static str, subject: Vec<String>, value: Vec<String>) -> Claim {
    Claim {
        topic: Topic::Attribute(topic),
        subject,
        value,
        other: Vec::new(),
        positive: true,
    }
}
