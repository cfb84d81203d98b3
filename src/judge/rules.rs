//! The judge without an LLM (E4): statements that a user makes about themselves, in English and Chinese.
//!
//! It reads new messages of the user only, never a question, and keeps a sentence only when it has the form of
//! a lasting statement; what is hypothetical, quoted, a joke or a request for this turn is left alone.
//!
//! It is a fallback. On three sets of messages written after the rules and read for the first time (250 in all,
//! `tests/data/rules_messages.json`) it found 85 of 133 statements (0.64) and 8 of the 93 it kept were wrong
//! (precision 0.91). The rules were then improved on those sets, so their numbers today flatter.

use super::NewMessage;
use super::validate::cut;
use crate::case::Lowercase;
use crate::conflict::CORRECTS;
use crate::gather::Push;
use crate::memory::{Candidate, Category, Kind, MemoryScope};
use crate::message::Role;
use crate::similarity::words::is_cjk;
use crate::sorted::Facts;
use crate::words::{Words, words};
use sentences::Sentence;

mod en;
mod sentences;
mod zh;

/// What a rule found in a sentence.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// The text, in the third person where that is safe.
    pub content: String,
    /// What it is about.
    pub category: Category,
    /// 1 to 10.
    pub importance: u8,
    /// What it states, when that is sure.
    pub facts: Facts,
    /// Whether it corrects something said before.
    pub corrects: bool,
}

/// A memory is cut to this many characters; the caller's limit may be lower.
const CHARS_MAX: usize = 200;

/// Judges new messages by rules; the candidates are in the order in which they were said.
pub fn judge(new_messages: &[NewMessage]) -> Vec<Candidate> {
    let mut out = Vec::new();
    for message in new_messages
        .iter()
        .filter(|message| message.role == Role::User)
    {
        let name = message.name.as_deref().and_then(speaker);
        let mut found: Vec<Finding> = Vec::new();
        for sentence in sentences::split(&message.text) {
            if is_retraction(&sentence.text) {
                found.pop();
            } else if hands_over_text(&sentence.text) {
                // What follows is the text to work on, not talk.
                break;
            } else if !sentence.quoted {
                found.push_all(read(&sentence, name));
            }
        }
        out.push_all(found.into_iter().map(|finding| candidate(finding, message)));
    }
    out
}

fn read(sentence: &Sentence, name: Option<&str>) -> Vec<Finding> {
    if is_joke(&sentence.text) || holds_secret(&sentence.text) {
        return Vec::new();
    }
    // Neither is inlined: engines optimize two functions in a fraction of the time of one long one.
    if sentence.text.chars().any(is_cjk) {
        zh::read(sentence, name)
    } else {
        en::read(sentence, name)
    }
}

fn candidate(finding: Finding, message: &NewMessage) -> Candidate {
    Candidate {
        content: cut(&finding.content, CHARS_MAX),
        category: finding.category,
        kind: if finding.category == Category::Preference {
            Kind::Pref
        } else {
            Kind::Text
        },
        scope: MemoryScope::User,
        importance: finding.importance,
        facts: finding.facts,
        cues: String::new(),
        is_sensitive: finding.category == Category::Auth,
        contradicts: Vec::new(),
        replaces: if finding.corrects {
            vec![CORRECTS.to_owned()]
        } else {
            Vec::new()
        },
        message_ids: vec![message.id.clone()],
        observed_at: message.at,
    }
}

/// A name that can stand in a sentence.
fn speaker(name: &str) -> Option<&str> {
    let name = name.trim();
    let plain = name
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '\'' | '·'));
    let known = !words!["", "user", "you", "me", "用户", "我"].contains(&name.lowercase());
    (plain && known && name.chars().count() <= 40).then_some(name)
}

#[rustfmt::skip]
const JOKES: Words = words![
    "lol", "haha", "hahaha", "jk", "lmao", "rofl", "/s",
];

fn is_joke(text: &str) -> bool {
    let low = text.lowercase();
    low.split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!' | '?'))
        .any(|word| JOKES.contains(word))
        || "😂|🤣|😜|哈哈|开玩笑|kidding|joking"
            .split('|')
            .any(|mark| low.contains(mark))
}

/// "Just kidding" takes back what was said before it.
fn is_retraction(text: &str) -> bool {
    let low = text
        .trim()
        .trim_end_matches(['.', '!', '。', '！', ')'])
        .lowercase();
    words![
        "jk", "just kidding", "kidding", "only joking", "just joking", "i am kidding",
        "i'm kidding", "i'm just kidding", "never mind", "nevermind", "scratch that",
        "forget that", "forget it", "开玩笑的", "开个玩笑", "我开玩笑的", "当我没说", "算了",
        "别当真"
    ]
    .contains(&low)
}

#[rustfmt::skip]
const HAND_OVER: Words = words![
    "translate", "rewrite", "rephrase", "paraphrase", "proofread", "summarize", "summarise",
    "correct", "fix", "edit", "polish", "improve", "analyze", "analyse", "classify",
    "explain this", "reply to", "respond to", "write", "draft", "continue", "complete", "imagine",
    "pretend", "act as", "roleplay", "role-play", "here is", "here's", "翻译", "润色", "改写",
    "总结", "修改", "校对", "续写", "写一", "帮我写", "帮我翻译", "帮我改", "帮我润色", "分析",
    "扮演", "假设", "假装", "想象", "以下是", "下面是",
];

/// "Translate this: …", "Write a story in which …", "假装你是…": the rest of the message is material.
fn hands_over_text(text: &str) -> bool {
    let low = text.trim().lowercase();
    let mut start = low.as_str();
    for lead in [
        "please ", "can you ", "could you ", "now ", "ok, ", "hi, ", "请", "麻烦",
    ] {
        start = start.strip_prefix(lead).unwrap_or(start);
    }
    start = start.strip_prefix("please ").unwrap_or(start);
    let standing = "always|from now on|以后|今后"
        .split('|')
        .any(|word| low.contains(word));
    let follows = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let hands = HAND_OVER.iter().any(|verb| {
        start
            .strip_prefix(verb)
            .is_some_and(|rest| follows(rest) || !verb.is_ascii())
    });
    !standing && hands
}

#[rustfmt::skip]
const SECRETS: Words = words![
    "password", "passcode", "passphrase", "api key", "apikey", "access token", "secret key",
    "private key", "cvv", "pin code", "my pin", "social security", "credit card number",
    "card number", "密码", "口令", "密钥", "验证码", "卡号",
];

/// Whether it tells a secret, and not only where one is kept.
pub(crate) fn holds_secret(text: &str) -> bool {
    let low = text.lowercase();
    SECRETS
        .iter()
        .filter_map(|word| Some((word, low.find(word)?)))
        .any(|(word, at)| {
            let after = low.get(at + word.len()..).unwrap_or_default();
            let after = after.trim_start_matches(['s', ' ', '(']);
            let told = "is |are |=|:|：|是|为|改成"
                .split('|')
                .find_map(|verb| after.strip_prefix(verb));
            told.is_some_and(|value| {
                let value = value.trim_start();
                !"in |kept|stored|saved|managed|on |under |存|放|保存|记在"
                    .split('|')
                    .any(|place| value.starts_with(place))
            })
        })
}

#[cfg(test)]
mod tests;
