//! English statements that are worth keeping.

use super::Finding;
use super::sentences::Sentence;
use crate::gather::Gather;
use crate::gather::Push;
use crate::memory::Category;
use crate::sorted::Facts;
use crate::words::words;
use claims::classify;
use orders::instruction;
use parts::*;
use text::{Word, about, capitalised, is_pair, join};
use words::*;

mod claims;
mod events;
mod liking;
mod orders;
mod own;
mod parts;
mod text;
mod words;

/// Reads one sentence; statements that stand on their own become findings of their own, so that a later change
/// of one leaves the others.
pub(super) fn read(sentence: &Sentence, name: Option<&str>) -> Vec<Finding> {
    read_statements(sentence, name.unwrap_or("User")).unwrap_or_default()
}

#[inline(never)]
fn read_statements(sentence: &Sentence, who: &str) -> Option<Vec<Finding>> {
    let all = text::words(&sentence.text);
    if all.len() < 2 || all.len() > 60 {
        return None;
    }
    let (corrects, lead) = skip_leads(&all);
    let mut words = without_tail(all.get(lead..)?);
    if let Some(body) = explicit(words) {
        return explicit_finding(body, who, corrects).map(|finding| vec![finding]);
    }
    if is_hypothetical(words) {
        return None;
    }
    if let Some((content, facts)) = instruction(words, who).filter(|_| !sentence.asks) {
        let category = Category::Preference;
        return Some(vec![Finding {
            content,
            category,
            importance: 10,
            facts,
            corrects,
        }]);
    }
    if sentence.asks || starts_question(words) {
        words = before_question(words)?;
    }
    let mut spoken: Vec<(Vec<Word>, Match)> = Vec::new();
    for (at, clause) in clauses(words) {
        let quotes = clause
            .first()
            .is_some_and(|word| word.before.contains(['"', '“']));
        match classify(&for_matching(words, at, &clause), corrects).filter(|_| !quotes) {
            Some(_) if spoken.is_empty() && is_told_by_another(words.get(..at)?) => return None,
            Some(matched) => {
                // A time or place before the first clause belongs to it; anything else there does not.
                let setting = if has_setting(words, at) {
                    words.get(..at)?
                } else {
                    &[]
                };
                spoken.push((setting.iter().chain(&clause).cloned().gather(), matched));
            }
            // What follows belongs to the statement before it: its reason, its exception.
            None => {
                if let Some((said_so_far, _)) = spoken.last_mut() {
                    said_so_far.push_all(clause);
                }
            }
        }
    }
    let finding = |(words, matched): (Vec<Word>, Match)| Finding {
        content: tell(without_joint(&words), who),
        category: matched.category,
        importance: matched.importance,
        facts: matched.facts,
        corrects,
    };
    Some(spoken.into_iter().map(finding).gather())
}

/// The clause as it is matched: its setting, which may hold its time, stands behind it.
fn for_matching(words: &[Word], at: usize, clause: &[Word]) -> Vec<Word> {
    let mut out = clause.to_vec();
    if has_setting(words, at) {
        if let Some(last) = out.last_mut() {
            last.after.push(',');
        }
        out.push_all(words.iter().take(at).map(|word| Word {
            text: word.low.clone(),
            ..word.clone()
        }));
    }
    out
}

fn without_tail(words: &[Word]) -> &[Word] {
    let low = lows(words);
    let tail = TAILS
        .iter()
        .map(|tail| tail.split(' ').gather())
        .find(|tail| low.ends_with(tail))
        .map_or(0, |tail| tail.len());
    words.get(..words.len() - tail).unwrap_or(words)
}

fn without_joint(words: &[Word]) -> &[Word] {
    let joints = words
        .iter()
        .rev()
        .take_while(|word| words!["and", "but", "so", "or", "now", "also"].contains(&word.low))
        .count();
    // "I live in Germany now" ends with an adverb, "… last month and now" with a joint.
    let joints = if words
        .iter()
        .rev()
        .take(joints)
        .any(|word| words!["and", "but", "so", "or"].contains(&word.low))
    {
        joints
    } else {
        0
    };
    words.get(..words.len() - joints).unwrap_or(words)
}

fn tell(words: &[Word], who: &str) -> String {
    if words.first().is_some_and(|word| word.low == "let") {
        return trim_end(&format!(
            "{who} decided: {}",
            join(words.get(2..).unwrap_or_default())
        ));
    }
    let text = about(words, who).unwrap_or_else(|| {
        let text = capitalised(&join(words));
        // A statement about a thing needs no speaker.
        let speaks = words
            .iter()
            .any(|word| FIRST_PERSON.contains(word.low.as_str()));
        if speaks {
            format!("{who}: {text}")
        } else {
            text
        }
    });
    trim_end(&text.replace(" can not ", " cannot "))
}

fn trim_end(text: &str) -> String {
    let last = text.rsplit(' ').next().unwrap_or_default();
    let mut parts = last.trim_end_matches('.').split('.');
    let abbreviated =
        last.ends_with('.') && last.matches('.').count() > 1 && parts.all(|part| part.len() == 1);
    if abbreviated {
        text.to_owned()
    } else {
        text.trim_end_matches(['.', '!', ',', ';', ' ', '?'])
            .to_owned()
    }
}

fn skip_leads(words: &[Word]) -> (bool, usize) {
    let (mut at, mut corrects) = (0, false);
    let low = lows(words);
    loop {
        let rest = low.get(at..).unwrap_or_default();
        let ends_clause = |n: usize| {
            words
                .get(at + n - 1)
                .is_some_and(|word| !word.after.is_empty())
        };
        if let Some(n) = starts_any(rest, CORRECTIONS) {
            // "No sugar for me" is no correction: a mark must follow.
            if rest.first() == Some(&"actually") || n > 2 || ends_clause(n) {
                (at, corrects) = (at + n, true);
                continue;
            }
        }
        match starts_any(rest, LEADS) {
            Some(n)
                if at + n < words.len()
                    && (ends_clause(n)
                        || !NEEDS_COMMA.contains(rest.first().copied().unwrap_or_default())) =>
            {
                at += n
            }
            _ => return (corrects, at),
        }
    }
}

/// What follows "remember that …", if the sentence asks for it.
fn explicit(words: &[Word]) -> Option<&[Word]> {
    let low = lows(words);
    let polite = starts_any(&low, POLITE).unwrap_or(0);
    let rest = low.get(polite..)?;
    let verb = begins(
        rest,
        "please remember|always remember|remember|do not forget|never forget|\
            keep in mind|bear in mind|make a note|take a note|take note|note down|note|\
            for future reference|for the record|save to memory|store in memory|\
            add to memory|save this|memorize|remind me",
    )?;
    let at = polite + verb;
    let after = low.get(at..)?;
    let lead_ends = words
        .get(at.checked_sub(1)?)
        .is_some_and(|word| !word.after.is_empty());
    let skip = match after.first().copied() {
        Some("that") => 1,
        Some("this" | "the" | "it")
            if words.get(at).is_some_and(|word| word.after.contains(':')) =>
        {
            1
        }
        Some(
            "when" | "how" | "what" | "where" | "who" | "why" | "if" | "whether" | "me" | "us"
            | "back" | "it" | "this" | "about" | "everything" | "anything",
        ) => return None,
        _ if low.get(at.saturating_sub(1)) == Some(&"note") && !lead_ends => return None,
        _ => 0,
    };
    let body = words.get(at + skip..)?;
    (body.len() >= 2).then_some(body)
}

fn explicit_finding(body: &[Word], who: &str, corrects: bool) -> Option<Finding> {
    let body = body.get(skip_leads(body).1..)?;
    let matched = clauses(body)
        .iter()
        .filter_map(|(_, clause)| classify(clause, true))
        .reduce(|mut first, next| {
            first.facts.extend(next.facts);
            first
        });
    let (content, category, facts) = match (instruction(body, who), matched) {
        (Some((text, facts)), _) => (text, Category::Preference, facts),
        (None, Some(matched)) => (tell(body, who), matched.category, matched.facts),
        (None, None) if body.first().is_some_and(|word| word.low == "to") => (
            trim_end(&format!("{who} asked to be reminded {}", join(body))),
            Category::Note,
            Facts::new(),
        ),
        (None, None) => (tell(body, who), Category::Note, Facts::new()),
    };
    Some(Finding {
        content,
        category,
        importance: 10,
        facts,
        corrects,
    })
}

fn is_hypothetical(words: &[Word]) -> bool {
    let low = lows(words);
    starts_any(&low, HYPOTHETICAL).is_some()
        || low.iter().any(|word| UNCERTAIN.contains(word))
        || low.windows(2).any(|pair| {
            matches!(
                pair,
                ["as", "if"] | ["what", "if"] | ["not", "sure"] | ["if", "i"]
            )
        })
}

fn starts_question(words: &[Word]) -> bool {
    starts_any(&lows(words), QUESTIONS).is_some()
}

/// "I'm vegetarian, what can I cook?": the statement before the question. A tag ("right?") leaves nothing.
fn before_question(words: &[Word]) -> Option<&[Word]> {
    let low = lows(words);
    let at = (2..words.len()).find(|i| {
        let after_mark = words.get(i - 1).is_some_and(|word| {
            word.after.contains([',', ';', ':'])
                || matches!(word.low.as_str(), "so" | "and" | "but")
        });
        let rest = low.get(*i..).unwrap_or_default();
        let is_tag = rest.len() <= 2 || matches!(rest, [_, "not", _]);
        after_mark
            && (starts_any(rest, QUESTIONS).is_some() || begins(rest, "and you|you|any").is_some())
            && (!is_tag || rest.contains(&"you"))
    })?;
    let mut head = words.get(..at)?;
    while head
        .last()
        .is_some_and(|word| matches!(word.low.as_str(), "so" | "and" | "but"))
    {
        head = head.get(..head.len() - 1)?;
    }
    (!starts_question(head)).then_some(head)
}

/// The clauses with their place: a new one starts after a comma or joining word before a subject, and at a verb
/// that shares the subject "I" of the one before, which is then written out.
fn clauses(words: &[Word]) -> Vec<(usize, Vec<Word>)> {
    let mut out: Vec<(usize, Vec<Word>)> = vec![(0, Vec::new())];
    for (i, word) in words.iter().enumerate() {
        let before = i.checked_sub(1).and_then(|i| words.get(i));
        let next = words.get(i + 1).map_or("", |word| word.low.as_str());
        let joins = |b: &Word| {
            b.after.contains([',', ';', ':']) || matches!(b.low.as_str(), "and" | "but" | "so")
        };
        // "but now I live in Valencia"
        let earlier = i.checked_sub(2).and_then(|i| words.get(i));
        let now =
            before.is_some_and(|b| words!["now", "then", "currently", "also"].contains(&b.low));
        let joint = before.is_some_and(joins) || (now && earlier.is_some_and(joins));
        let subject = words!["i", "my", "we", "our"].contains(&word.low);
        let starts = joint && (subject || matches!(word.low.as_str(), "the" | "let" | "call"));
        // "Next week I'm flying": a setting needs no comma. "My wife and I" is one subject.
        let starts = starts && !(out.len() == 1 && is_pair(words, i));
        let starts = starts || (subject && out.len() == 1 && has_setting(words, i));
        let first = out
            .last()
            .and_then(|(_, clause)| clause.first())
            .map_or("", |word| word.low.as_str());
        let shares = before.is_some_and(|b| b.low == "and")
            && first == "i"
            && SHARED_VERBS.contains(word.low.as_str())
            && next != "and";
        if starts || shares {
            out.push((i, Vec::new()));
        }
        if let Some((_, clause)) = out.last_mut() {
            if shares {
                clause.push(Word {
                    text: "I".into(),
                    low: "i".into(),
                    ..Word::default()
                });
            }
            clause.push(word.clone());
        }
    }
    out.retain(|(_, clause)| !clause.is_empty());
    out
}

/// Whether the words before the first clause give its time or place: "next week I …", "at work, I …".
fn has_setting(words: &[Word], start: usize) -> bool {
    let before = words.get(..start).unwrap_or_default();
    let low = lows(before);
    let speaks = low.iter().any(|word| FIRST_PERSON.contains(word));
    start > 0
        && start <= 6
        && !speaks
        && (low.iter().any(|word| is_time(word)) || starts_any(&low, SETTINGS).is_some())
}

fn is_told_by_another(before: &[Word]) -> bool {
    before.iter().any(|word| {
        REPORTING.contains(word.low.as_str())
            || word.before.contains('"')
            || word.after.contains('"')
    })
}
