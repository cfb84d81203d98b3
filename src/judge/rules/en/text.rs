//! English words with their marks, contractions written out, and a first-person sentence told in the third.

use super::words::{MINE_VERBS, SHARED_VERBS};
use crate::case::{self, Lowercase};
use crate::gather::Gather;
use crate::words::{Words, words};

/// A word of a sentence.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Word {
    /// As written.
    pub text: String,
    /// In lower case.
    pub low: String,
    /// Marks before it.
    pub before: String,
    /// Marks after it.
    pub after: String,
}

/// The words of a sentence; contractions become two words.
pub(super) fn words(sentence: &str) -> Vec<Word> {
    let mut out = Vec::new();
    let sentence = sentence
        .replace(['’', 'ʼ'], "'")
        .replace(" - ", ", ")
        .replace('—', ", ");
    for raw in sentence.split_whitespace() {
        let inner =
            raw.trim_start_matches(|c: char| is_mark(c) && !matches!(c, '$' | '#' | '@' | '+'));
        let before = raw.get(..raw.len() - inner.len()).unwrap_or_default();
        let core = inner.trim_end_matches(|c: char| is_mark(c) && !matches!(c, '%' | '+' | '#'));
        let after = inner.get(core.len()..).unwrap_or_default();
        if core.is_empty() {
            if let Some(last) = out.last_mut() {
                let last: &mut Word = last;
                last.after.push_str(raw);
            }
            continue;
        }
        let parts = expand(core);
        let last = parts.len() - 1;
        for (i, text) in parts.into_iter().enumerate() {
            out.push(Word {
                low: text.lowercase(),
                text,
                before: if i == 0 {
                    before.to_owned()
                } else {
                    String::new()
                },
                after: if i == last {
                    after.to_owned()
                } else {
                    String::new()
                },
            });
        }
    }
    out
}

fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation() || matches!(c, '“' | '”' | '…' | '–' | '«' | '»' | '(' | ')' | '\'')
}

/// Writes a contraction out; anything else stays one word.
fn expand(word: &str) -> Vec<String> {
    let low = word.lowercase();
    let two = |a: &str, b: &str| vec![a.to_owned(), b.to_owned()];
    match low.as_str() {
        "i" => return vec!["I".to_owned()],
        "im" | "i'm" => return two("I", "am"),
        "ive" | "i've" => return two("I", "have"),
        "i'd" => return two("I", "would"),
        "i'll" => return two("I", "will"),
        "dont" | "don't" => return two("do", "not"),
        "cant" | "can't" | "cannot" => return two("can", "not"),
        "won't" => return two("will", "not"),
        "doesnt" => return two("does", "not"),
        "didnt" => return two("did", "not"),
        "isnt" => return two("is", "not"),
        "let's" | "lets" => return two("let", "us"),
        "it's" | "that's" | "there's" | "he's" | "she's" | "what's" | "who's" | "where's"
        | "how's" | "name's" | "birthday's" | "favorite's" => {
            return two(word.get(..word.len() - 2).unwrap_or(word), "is");
        }
        _ => {}
    }
    for (end, full) in [
        ("n't", "not"),
        ("'re", "are"),
        ("'ve", "have"),
        ("'ll", "will"),
        ("'d", "would"),
    ] {
        if low.ends_with(end)
            && let Some(head) = word
                .get(..word.len() - end.len())
                .filter(|head| head.len() > 1)
        {
            return two(head, full);
        }
    }
    vec![word.to_owned()]
}

/// The words joined again as a sentence.
pub(super) fn join(words: &[Word]) -> String {
    let parts: Vec<String> = words
        .iter()
        .map(|word| format!("{}{}{}", word.before, word.text, word.after))
        .gather();
    parts
        .join(" ")
        .trim_end_matches([',', ';', ':', ' '])
        .to_owned()
}

/// Adverbs that may stand between subject and verb.
#[rustfmt::skip]
pub(super) const ADVERBS: Words = words![
    "absolutely", "actually", "already", "also", "always", "basically", "both", "completely",
    "currently", "deathly", "extremely", "highly", "mildly", "severely", "slightly", "terribly",
    "definitely", "finally", "fully", "generally", "genuinely", "honestly", "just", "literally",
    "mainly", "mostly", "never", "normally", "now", "often", "only", "personally", "primarily",
    "quite", "rarely", "really", "recently", "regularly", "simply", "sometimes", "still",
    "strongly", "totally", "truly", "typically", "usually", "very",
];

#[rustfmt::skip]
const UNCHANGED: Words = words![
    "was", "were", "will", "would", "can", "could", "should", "must", "may", "might", "shall",
    "had", "did", "ate", "became", "began", "bought", "broke", "brought", "built", "came",
    "caught", "chose", "cut", "drank", "drove", "fell", "felt", "flew", "forgot", "found", "gave",
    "got", "grew", "heard", "held", "hurt", "kept", "knew", "led", "left", "lost", "made", "meant",
    "met", "paid", "put", "quit", "ran", "said", "sang", "sat", "saw", "sent", "set", "slept",
    "sold", "spent", "spoke", "stood", "swam", "taught", "threw", "thought", "told", "took",
    "understood", "used", "went", "woke", "won", "wore", "wrote",
];
#[rustfmt::skip]
const NOT_PAST: Words = words![
    "need", "feed", "speed", "exceed", "proceed", "succeed", "breed", "embed", "bleed",
];

/// Whether the verb is in the past tense or never changes.
pub(super) fn is_unchanged(verb: &str) -> bool {
    UNCHANGED.contains(verb) || (verb.ends_with("ed") && !NOT_PAST.contains(verb))
}

/// A verb for "he" or "she".
fn third_person(verb: &str) -> String {
    match verb {
        "am" | "are" => return "is".into(),
        "have" => return "has".into(),
        "do" | "go" => return format!("{verb}es"),
        _ if is_unchanged(verb) => return verb.to_owned(),
        _ => {}
    }
    let before_y = verb.chars().rev().nth(1);
    if verb.ends_with('y') && before_y.is_some_and(|c| !"aeiou".contains(c)) {
        format!("{}ies", verb.trim_end_matches('y'))
    } else if "s|sh|ch|x|z|o".split('|').any(|end| verb.ends_with(end)) {
        format!("{verb}es")
    } else {
        format!("{verb}s")
    }
}

/// The sentence about `who`; none where the change is not safe.
pub(super) fn about(words: &[Word], who: &str) -> Option<String> {
    let mut out: Vec<Word> = Vec::with_capacity(words.len());
    let mut mentioned = false;
    // The verb that still has to agree with a subject just written.
    let mut agree: Option<&str> = None;
    for (i, word) in words.iter().enumerate() {
        let mut word = word.clone();
        let next = words.get(i + 1).map_or("", |word| word.low.as_str());
        let previous = i.checked_sub(1).and_then(|i| words.get(i));
        let joined = previous.is_some_and(|p| {
            matches!(p.low.as_str(), "and" | "but" | "or") || p.after.contains(',')
        });
        if let Some(subject) = agree {
            if !(ADVERBS.contains(word.low.as_str()) || word.low == "not") {
                word.text = match (subject, word.low.as_str()) {
                    ("they", "am") => "are".into(),
                    ("they", "was") => "were".into(),
                    ("they", _) => word.text,
                    _ => third_person(&word.low),
                };
                agree = None;
            }
        } else {
            match word.low.as_str() {
                // "and I", "I, for one": the verb is not where it is looked for.
                "i" if !word.after.is_empty() || next.is_empty() || next == "and" => return None,
                "i" if is_pair(words, i) => return None,
                "i" if mentioned => {
                    word.text = "they".into();
                    agree = Some("they");
                }
                "i" => {
                    word.text = who.to_owned();
                    mentioned = true;
                    agree = Some("user");
                }
                "my" => {
                    word.text = if mentioned {
                        "their".into()
                    } else {
                        format!("{who}'s")
                    };
                    mentioned = true;
                }
                "mine" => word.text = "theirs".into(),
                "myself" => word.text = "themself".into(),
                "me" => {
                    word.text = if mentioned {
                        "them".into()
                    } else {
                        who.to_owned()
                    };
                    mentioned = true;
                }
                "we" | "us" | "our" | "ours" | "ourselves" | "you" | "your" | "yours" => {
                    return None;
                }
                low if joined && mentioned && SHARED_VERBS.contains(low) => {
                    word.text = third_person(low)
                }
                _ => {}
            }
        }
        out.push(word);
    }
    if let Some(first) = out.first_mut() {
        first.text = capitalised(&first.text);
    }
    mentioned.then(|| join(&out))
}

/// "My wife and I", "Ana and I": one subject, though "I" stands alone.
pub(super) fn is_pair(words: &[Word], i: usize) -> bool {
    let head = words.get(..i).unwrap_or_default();
    let joined = head.last().is_some_and(|word| word.low == "and");
    let is_i = words.get(i).is_some_and(|word| word.low == "i");
    let own = head.first().is_some_and(|word| {
        let is_name = word.text.starts_with(case::is_upper) && !PRONOUNS.contains(&word.low);
        word.low == "my" || i == 2 && is_name && word.after.is_empty()
    });
    joined
        && is_i
        && own
        && i <= 5
        && !head
            .iter()
            .any(|word| MINE_VERBS.contains(word.low.as_str()))
}

const PRONOUNS: Words = words![
    "you", "he", "she", "they", "it", "this", "that", "well", "so", "yes", "no"
];

/// With its first letter in upper case.
pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        case::upper(first).chars().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn told_in_the_third_person() {
        for (said, told) in [
            ("I live in Hangzhou.", "User lives in Hangzhou."),
            ("I'm allergic to nuts", "User is allergic to nuts"),
            (
                "My name is Anna and I work at Globex",
                "User's name is Anna and they work at Globex",
            ),
            (
                "I live in Paris and work at Globex",
                "User lives in Paris and works at Globex",
            ),
            ("I don't like my boss", "User does not like their boss"),
            ("I really love C++!", "User really loves C++!"),
            ("I've moved to Berlin", "User has moved to Berlin"),
            ("I studied physics", "User studied physics"),
            ("i never drink coffee", "User never drinks coffee"),
            (
                "I am going to Japan next week", "User is going to Japan next week",
            ),
            (
                "I carry an EpiPen, I was born in May",
                "User carries an EpiPen, they were born in May",
            ),
        ] {
            assert_eq!(about(&words(said), "User").as_deref(), Some(told), "{said}");
        }
        for unsafe_to_change in [
            "We live in Paris", "I love you", "My wife and I live in Paris", "I, for one, agree",
        ] {
            assert_eq!(about(&words(unsafe_to_change), "User"), None);
        }
    }
}
