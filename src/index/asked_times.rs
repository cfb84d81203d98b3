//! Which times a question names, and whether it asks for one.

use super::store::{Lexical, TIMED};
use super::terms::{MONTHS, terms};
use super::times::past;
use super::tuning::Tuning;
use super::words::base_form;
use super::{Hit, fold::fold};
use crate::gather::Gather;
use crate::gather::Push;
use crate::words::{Words, words};

/// Times of one question, at most.
const TIMES: usize = 8;

const AUXILIARIES: Words = words![
    "did", "do", "does", "was", "were", "is", "are", "will", "has", "have", "had", "would",
    "should", "can",
];

const ASKED: Words = words!["date", "day", "month", "year", "time"];

const ZH_ASKING: Words = words![
    "什么时候", "何时", "哪天", "哪一天", "几号", "哪年", "哪一年", "几月", "哪个月", "几点",
];

/// What a question says of time.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AskedTimes {
    /// The days, months and years that it names, each as the terms that what is of that time has,
    /// all of them.
    pub named: Vec<Vec<String>>,
    /// Whether it asks when something was.
    pub asks_when: bool,
}

impl AskedTimes {
    /// Reads a question that is asked at this moment.
    pub fn of(question: &str, now_ms: i64) -> Self {
        let folded = fold(question);
        let words: Vec<&str> = folded
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .gather();
        let mut named = written(&words);
        if !question.is_ascii() {
            named.push_all(chinese(&folded));
        }
        named.push_all(past(question, now_ms).iter().map(|time| terms(time)));
        let days = terms(question).into_iter();
        named.push_all(days.filter(|term| is_day(term)).map(|day| vec![day]));
        named.truncate(TIMES);
        let asks_when = asks_when(&words) || ZH_ASKING.any_in(&folded);
        Self { named, asks_when }
    }
}

/// "2023-05-08"
fn is_day(term: &str) -> bool {
    term.len() == 10 && term.bytes().filter(|b| *b == b'-').count() == 2
}

fn asks_when(words: &[&str]) -> bool {
    words.windows(2).any(|pair| match *pair {
        ["when", next] => AUXILIARIES.contains(next),
        ["what" | "which", next] => ASKED.contains(next),
        [before, "ago"] => before == "long",
        _ => false,
    })
}

fn number(word: &str, most: u32) -> Option<u32> {
    let end = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = word.strip_suffix(end)?;
    let is_plain = matches!(end, "" | "st" | "nd" | "rd" | "th");
    let number = digits.parse().ok()?;
    (is_plain && (1..=most).contains(&number)).then_some(number)
}

fn year(word: &str) -> Option<u32> {
    number(word, 2_099).filter(|year| word.len() == 4 && *year >= 1_900)
}

/// "8 May 2023", "the 8th of May", "May 8th", "in May".
fn written(words: &[&str]) -> Vec<Vec<String>> {
    let words = words.iter().filter(|word| !matches!(**word, "the" | "of"));
    let words: Vec<&str> = words.copied().gather();
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).copied().unwrap_or("");
    let mut named = Vec::new();
    for (at, this) in words.iter().enumerate() {
        let month = base_form(this);
        if !MONTHS.contains(month) {
            continue;
        }
        let before = word(at.checked_sub(1));
        let mut next = at + 1;
        let mut day = number(before, 31);
        if day.is_none() {
            day = number(word(Some(next)), 31);
            next += usize::from(day.is_some());
        }
        let year = year(word(Some(next)));
        // "may" and "march" are other words more often.
        let is_said = matches!(before, "in" | "since" | "during" | "last");
        if day.is_some() || year.is_some() || is_said {
            let text = |number: Option<u32>| number.map_or(String::new(), |n| n.to_string());
            named.push(terms(&format!("{} {month} {}", text(day), text(year))));
        }
    }
    named
}

/// "2023年5月8日", "5月".
fn chinese(text: &str) -> Vec<Vec<String>> {
    let digits_before = |text: &str| {
        let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = text.strip_prefix(rest).unwrap_or_default();
        (rest.len(), number.to_owned())
    };
    let months = text.match_indices('月');
    let named = months.filter_map(|(at, mark)| {
        let (start, month) = digits_before(text.get(..at)?);
        let month: usize = month.parse().ok()?;
        let mut time = MONTHS.get(month.checked_sub(1)?)?.to_owned();
        let after = text.get(at + mark.len()..)?;
        let day = after.trim_start_matches(|c: char| c.is_ascii_digit());
        if day.starts_with(['日', '号']) {
            time = format!("{} {time}", after.strip_suffix(day)?);
        }
        if let Some(before) = text.get(..start)?.strip_suffix('年') {
            time = format!("{time} {}", digits_before(before).1);
        }
        Some(terms(&time))
    });
    named.gather()
}

/// More of a score for what fits, by up to `part` of it, where there is room.
fn more(score: f64, part: f64) -> f64 {
    score * (1.0 + part) / (1.0 + part * score)
}

impl Lexical {
    /// Raises what is of a time that the question names, and what tells of a time if that is asked
    /// for.
    pub(super) fn raise_times(&self, times: &AskedTimes, hits: &mut [Hit], tuning: &Tuning) {
        let number = |term: &String| self.names.get(term.as_str()).copied();
        let named = times.named.iter();
        let named: Vec<Vec<u32>> = named
            .filter_map(|time| time.iter().map(number).collect())
            .gather();
        let timed = self.names.get(TIMED).filter(|_| times.asks_when);
        if named.is_empty() && timed.is_none() {
            return;
        }
        for hit in hits {
            let Some(doc) = self.doc(hit.doc) else {
                continue;
            };
            let has = |term: &u32| doc.terms.binary_search_by_key(term, |(at, _)| *at).is_ok();
            if named.iter().any(|time| time.iter().all(has)) {
                hit.score = more(hit.score, tuning.named_time);
            }
            if timed.is_some_and(has) {
                hit.score = more(hit.score, tuning.when);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Wednesday, 10 May 2023.
    const NOW: i64 = 19_487 * 86_400_000;

    #[test]
    fn times_are_named_as_texts_have_them() {
        for (question, times) in [
            ("What did Ann say on 3 July, 2022?", &["3 July 2022"][..]),
            ("Where was Bo on the 3rd of July?", &["3 July"]),
            (
                "Was it July 3rd 2022 or in December?",
                &["3 July 2022", "December"],
            ),
            ("the May of 2022", &["May 2022"]),
            ("May I march in?", &[]),
            ("What happened 2022-07-03?", &["2022-07-03"]),
            ("What did I say yesterday?", &["2023-05-09"]),
            ("What shall I cook today or next week?", &[]),
            ("2022年7月3日和12月发生了什么", &["3 July 2022", "December"]),
            ("昨天聊了什么", &["2023-05-09"]),
        ] {
            let named = AskedTimes::of(question, NOW).named;
            let of_texts: Vec<Vec<String>> = times.iter().map(|time| terms(time)).collect();
            let all = |time: &Vec<String>| {
                of_texts
                    .iter()
                    .any(|text| time.iter().all(|t| text.contains(t)))
            };
            assert!(
                named.len() == times.len() && named.iter().all(all),
                "{question} {named:?}"
            );
        }
    }

    #[test]
    fn who_asks_when_is_known() {
        for question in [
            "When did Bo move?", "Since when is it so?", "Which year was it?", "How long ago?",
            "她什么时候搬的家",
        ] {
            assert!(AskedTimes::of(question, NOW).asks_when, "{question}");
        }
        for question in ["Who helps when Bo falls?", "Where is it?", "一起吃饭的时候"] {
            assert!(!AskedTimes::of(question, NOW).asks_when, "{question}");
        }
    }

    proptest! {
        #[test]
        fn any_question_is_taken(question in "(.|may |[0-9]+|月|年|日|of )*", now in any::<i64>()) {
            prop_assert!(AskedTimes::of(&question, now).named.len() <= TIMES);
        }
    }
}
