//! What the guard looks for in a text: numbers, dates, names, negations, quotes and the like, with their neighbours.

use super::guard::Kind as What;
use super::guard_names;
use super::guard_numbers::unit_at;
use super::guard_words::{self as words, MODAL, PAIRED, PREFERENCES, TIMES_ZH};
use super::phatic::{self, phrase_in, phrase_zh};
use super::phatic_en::DEGREE;
use super::text::{Kind, Text};
use super::words::{DATES, MONTHS};
use super::words_en::OPENERS;
use crate::gather::Gather;
use crate::gather::Push;
use crate::list;
use crate::similarity::words::{is_filler, negations, stem};
use crate::sorted::Names;
use crate::words::words;
use std::ops::Range;

/// One thing that must survive.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    pub(super) what: What,
    /// What it says, in one form.
    pub(super) key: String,
    /// Content words that must follow it.
    pub(super) after: Vec<String>,
    /// Where nothing follows: the content word before it.
    pub(super) before: Option<String>,
    /// Its tokens.
    pub(super) range: Range<usize>,
    /// The sentence it stands in.
    pub(super) sentence: usize,
}

impl Item {
    /// The words around it as one text: no word holds a line break.
    pub(super) fn surroundings(&self) -> String {
        let mut words = self.after.join("\n");
        words.push_str("\n\n");
        words.push_str(self.before.as_deref().unwrap_or_default());
        words
    }
}

/// Sentences are looked at in pieces of this many tokens, so that no look-around grows with the text.
const PIECE: usize = 256;
/// How many content words around an item may hold the ones it needs.
pub(super) const NEAR: usize = 5;

/// Everything of the text that must survive, in its order.
///
/// `capitals` are words known as names because they stand with a capital inside some sentence.
pub(super) fn items(text: &Text<'_>, capitals: &Names) -> Vec<Item> {
    let mut out = Vec::new();
    for (sentence, range) in text.sentences.iter().enumerate() {
        let mut start = range.start;
        while start < range.end {
            let piece = start..range.end.min(start + PIECE);
            start = piece.end;
            if phatic::is_phatic(text, &piece) {
                continue;
            }
            let mark = out.len();
            let clauses = phatic::clauses(text, &piece);
            let idle = phatic::phatic_clauses(text, &clauses);
            let mut scan = Scan {
                text,
                piece: &piece,
                sentence,
                out: &mut out,
            };
            let lows: Vec<String> = piece.clone().map(|at| text.low(at).to_owned()).gather();
            let negative = negations(&lows);
            for (clause, idle) in clauses.iter().zip(idle) {
                if !idle {
                    scan.clause(clause, &negative);
                }
            }
            guard_names::find(text, &piece, sentence, capitals, &mut out);
            if phatic::is_platitude(text, &piece) {
                // "We'll get there" plans nothing.
                let told = out.split_off(mark);
                out.push_all(told.into_iter().filter(|item| item.what != What::Modality));
            }
            if phatic::asks_other(text, &piece) {
                // A question states none of these.
                let asked = out.split_off(mark).into_iter().filter(|item| {
                    !matches!(
                        item.what,
                        What::Preference | What::Modality | What::Condition
                    ) && !words![
                        "lately", "recently", "soon", "weekend", "this weekend", "summer", "today",
                        "tonight"
                    ]
                    .contains(&item.key)
                });
                out.push_all(asked);
            }
        }
    }
    out
}

pub(super) struct Scan<'t, 's, 'o> {
    pub(super) text: &'t Text<'s>,
    pub(super) piece: &'t Range<usize>,
    sentence: usize,
    out: &'o mut Vec<Item>,
}

impl Scan<'_, '_, '_> {
    fn clause(&mut self, clause: &Range<usize>, negative: &[bool]) {
        // What only leads up to the statement holds nothing: "I wanted to tell you that".
        let opener = phrase_in(OPENERS, self.text, clause.start, clause.end);
        let mut at = opener
            .filter(|end| *end < clause.end)
            .unwrap_or(clause.start);
        while at < clause.end {
            let Some(token) = self.text.token(at) else {
                return;
            };
            if token.quoted {
                at += 1;
                continue;
            }
            let taken = match token.kind {
                Kind::Number => self.number(at),
                Kind::Raw => self.plain(What::Link, token.low.clone(), at..at + 1),
                Kind::Word => self.word(at, clause, negative),
                Kind::Cjk => self.cjk(at, clause, negative),
                _ => at + 1,
            };
            at = taken.max(at + 1);
        }
    }

    pub(super) fn plain(&mut self, what: What, key: String, range: Range<usize>) -> usize {
        let end = range.end;
        self.out.push(Item {
            what,
            key,
            after: Vec::new(),
            before: None,
            range,
            sentence: self.sentence,
        });
        end
    }

    /// An item that needs its neighbours: up to `count` content words after it, else the one before.
    pub(super) fn bound(
        &mut self,
        what: What,
        key: &str,
        range: Range<usize>,
        count: usize,
    ) -> usize {
        let end = range.end;
        let stop = |at: usize| {
            phatic::is_seam(self.text, at)
                || words!["and", "but", "or", "because", "so"].contains(self.text.low(at))
        };
        let mut after = Vec::new();
        for at in end..self.piece.end.min(end + 12) {
            if after.len() == count || stop(at) {
                break;
            }
            after.push_all(content(self.text, at));
        }
        let before = after.is_empty().then(|| {
            let from = range.start.saturating_sub(8).max(self.piece.start);
            (from..range.start)
                .rev()
                .take_while(|at| !stop(*at))
                .find_map(|at| content(self.text, at))
        });
        self.out.push(Item {
            what,
            key: key.to_owned(),
            after,
            before: before.flatten(),
            range,
            sentence: self.sentence,
        });
        end
    }

    fn word(&mut self, at: usize, clause: &Range<usize>, negative: &[bool]) -> usize {
        let text = self.text;
        let low = text.low(at);
        let next = if at + 1 < clause.end {
            text.low(at + 1)
        } else {
            ""
        };
        let before = text.before(at, self.piece);
        if negative.get(at - self.piece.start) == Some(&true)
            && !matches!(low, "sin" | "pas")
            && !(next == "wait" && matches!(before, "can" | "could"))
        {
            return self.bound(What::Negation, "not", at..at + 1, 2);
        }
        if let Some(end) = self.numeral(at, clause) {
            return end;
        }
        self.date(at, before, next);
        if let Some(key) = list::value(PAIRED, &format!("{low} {next}")) {
            let count = usize::from(key != "past") + 1;
            return self.bound(What::Modality, key, at..at + 2, count.min(1));
        }
        if let Some(key) = list::value(PREFERENCES, low)
            && words::is_preference(low, before, next)
        {
            return self.bound(What::Preference, key, at..at + 1, 2);
        }
        if let Some(key) = list::value(MODAL, low)
            && words::is_modal(low, before, next, text.token(at).is_some_and(|t| t.capital))
        {
            let limit = words![
                "only", "except", "until", "unless", "if", "whether", "or", "while"
            ]
            .contains(key);
            let what = if limit {
                What::Condition
            } else {
                What::Modality
            };
            return self.bound(what, key, at..at + 1, 1);
        }
        at + 1
    }

    fn date(&mut self, at: usize, before: &str, next: &str) {
        let low = self.text.low(at);
        let number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
        if let Some(month) = list::value(MONTHS, low) {
            let capital = self.text.token(at).is_some_and(|t| t.capital);
            let sure = !words!["may", "march", "mar", "dec", "jan", "sep", "jun"].contains(low);
            let dated = number(before)
                || number(next)
                || words!["in", "since", "until", "by", "last", "next", "of", "this"]
                    .contains(before);
            if sure || (capital && dated) {
                self.plain(What::Date, format!("month {month}"), at..at + 1);
            }
            return;
        }
        if !list::has(DATES, low) {
            return;
        }
        let base = low
            .strip_suffix('s')
            .filter(|base| list::has(DATES, base))
            .unwrap_or(low);
        let counts = words![
            "day", "week", "month", "year", "decade", "century", "semester", "weekday", "birthday",
            "anniversary", "fortnight"
        ]
        .contains(base);
        let relative = words::RELATIVE.contains(before);
        if relative && at > self.piece.start {
            self.plain(What::Date, format!("{before} {base}"), at - 1..at + 1);
        } else if low == "ago" {
            self.bound(What::Date, "ago", at..at + 1, 0);
        } else if !counts {
            self.plain(What::Date, base.to_owned(), at..at + 1);
        }
    }

    fn cjk(&mut self, at: usize, clause: &Range<usize>, negative: &[bool]) -> usize {
        let text = self.text;
        if let Some((value, end)) = words::numeral_zh(text, at, clause.end) {
            if value == "1" && end == at + 1 {
                let unit = unit_at(text, end, clause.end).map(|(unit, _)| unit);
                if !matches!(
                    unit,
                    Some("y" | "mo" | "d" | "w" | "岁" | "点" | "h" | "min")
                ) {
                    return at + 1;
                }
            }
            return self.valued(value, at..end);
        }
        if let Some((key, end)) = words::weekday_zh(text, at, clause.end) {
            return self.plain(What::Date, key, at..end);
        }
        if let Some(end) = phrase_zh(TIMES_ZH, text, at, clause.end) {
            let key = (at..end).map(|i| text.low(i)).collect();
            return self.plain(What::Date, key, at..end);
        }
        for (what, pairs, count) in [
            (What::Preference, words::PREFERENCES_ZH, 2),
            (What::Modality, words::MODAL_ZH, 2),
            (What::Condition, words::LIMITS_ZH, 2),
        ] {
            if let Some((key, end)) = words::longest_zh(pairs, text, at, clause.end) {
                return self.bound(what, key, at..end, count);
            }
        }
        if negative.get(at - self.piece.start) == Some(&true) {
            return self.bound(What::Negation, "not", at..at + 1, 2);
        }
        at + 1
    }
}

/// The stem of a word that carries meaning, nothing for others.
pub(super) fn content(text: &Text<'_>, at: usize) -> Option<String> {
    let token = text.token(at)?;
    match token.kind {
        Kind::Word => {
            let low = token.low.as_str();
            let idle = is_filler(low)
                || list::has(DEGREE, low)
                || words![
                    "'s", "not", "never", "any", "some", "would", "will", "have", "has", "had",
                    "did", "kind", "sort", "kinda", "sorta", "all", "like", "mean", "please",
                    "well", "such", "even", "what", "you", "your", "we", "our", "was", "were",
                    "but", "or", "because", "if", "out", "up", "into", "from", "there", "then",
                    "can", "could", "lot", "lots", "um", "uh", "know", "think"
                ]
                .contains(low);
            (!idle).then(|| stem(low))
        }
        Kind::Cjk => {
            let idle = is_filler(&token.low)
                || "我你会能想要真好说那么太超么".contains(token.low.as_str());
            (!idle).then(|| token.low.clone())
        }
        Kind::Number | Kind::Raw => Some(token.low.clone()),
        _ => None,
    }
}
