//! Which days words like "last Friday" mean, seen from the day on which they were said.
//!
//! English and Chinese. What is told by the week or longer is told as the month or year it falls in.

use super::fold::fold;
use super::seen::Seen;
use crate::gather::Gather;
use crate::gather::Push;
use crate::order;
use crate::prompt::date;
use crate::words::{Words, words};

const DAY_MS: i64 = 86_400_000;

/// Days that one text names, at most.
const DAYS: usize = 8;

const WEEKDAYS: Words = words![
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
];

const COUNTS: Words = words![
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

/// Longer ones first: "大前天" holds "前天".
const ZH_DAYS: &[(&str, i64)] = &[
    ("大前天", -3),
    ("大后天", 3),
    ("前天", -2),
    ("后天", 2),
    ("昨天", -1),
    ("昨晚", -1),
    ("今天", 0),
    ("今晚", 0),
    ("今早", 0),
    ("明天", 1),
    ("明晚", 1),
    ("明早", 1),
];
const ZH_MONTHS: &[(&str, i64)] = &[("上个月", -1), ("上月", -1), ("下个月", 1), ("下月", 1)];
const ZH_YEARS: &[(&str, i64)] = &[("前年", -2), ("去年", -1), ("明年", 1), ("后年", 2)];
const ZH_WEEKS: &[(&str, i64)] = &[
    ("上周", -1),
    ("上星期", -1),
    ("下周", 1),
    ("下星期", 1),
    ("这周", 0),
    ("本周", 0),
    ("这星期", 0),
];
const ZH_WEEKDAYS: [char; 7] = ['一', '二', '三', '四', '五', '六', '日'];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Span {
    Day(i64),
    /// Counted from year 0.
    Month(i64),
    Year(i64),
}

const TIMED: Words = words![
    "recent", "recently", "morning", "afternoon", "evening", "night", "since", "day", "days",
    "week", "weeks", "weekend", "month", "months", "year", "years", "ago", "last", "next",
    "previous", "upcoming", "earlier", "soon", "just",
];

const ZH_TIMED: Words = words![
    "年", "月", "日", "天", "周", "星期", "昨", "最近", "刚", "早上", "晚上", "小时",
];

/// What a text tells of times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Times {
    /// Whether it says when something was: a time or a number.
    pub is_timed: bool,
    /// The dates that it means, and what lies beside it: "2023-05-07 2023-04 2022".
    pub said: String,
}

/// What a text tells of times that was said in this moment, and the words beside it.
pub fn times(text: &str, beside: &str, said_at_ms: i64, seen: &mut Seen) -> Times {
    let today = said_at_ms.div_euclid(DAY_MS);
    let folded = [fold(text), fold(beside)];
    let [own, other] = &folded;
    let mut spans = Vec::new();
    let is_timed =
        english([own, other], today, seen, &mut spans) || !own.is_ascii() && ZH_TIMED.any_in(own);
    for text in [text, beside] {
        chinese(text, today, &mut spans);
    }
    order::sort_by(&mut spans, Ord::cmp);
    spans.dedup();
    let words: Vec<String> = spans.into_iter().take(DAYS).map(words).gather();
    let said = words.join(" ");
    Times { is_timed, said }
}

/// Whether a word is of a time, or a number: [`english`] makes something of no other.
pub(super) fn is_time(word: &str) -> bool {
    word.contains(|c: char| c.is_ascii_digit())
        || TIMED.contains(word)
        || super::terms::MONTHS.contains(word)
        || weekday(word).is_some()
        || matches!(word, "yesterday" | "today" | "tonight" | "tomorrow")
}

/// The days, months and years before today that a question means, as words to be found by.
pub(super) fn past(question: &str, now_ms: i64) -> Vec<String> {
    let today = now_ms.div_euclid(DAY_MS);
    let mut spans = Vec::new();
    english(
        [&fold(question), ""],
        today,
        &mut Seen::default(),
        &mut spans,
    );
    chinese(question, today, &mut spans);
    spans.retain(|span| match *span {
        Span::Day(day) => day < today,
        // A week of this month may be one to come.
        Span::Month(month) => month < month_of(today),
        Span::Year(year) => year < month_of(today).div_euclid(12),
    });
    spans.into_iter().map(words).gather()
}

fn words(span: Span) -> String {
    match span {
        Span::Day(day) => date(day.saturating_mul(DAY_MS)),
        Span::Month(month) => {
            let (year, month) = (month.div_euclid(12), month.rem_euclid(12));
            let name = super::terms::MONTHS.get(usize::try_from(month).unwrap_or(0));
            format!("{} {year}", name.unwrap_or_default())
        }
        Span::Year(year) => year.to_string(),
    }
}

/// The month a day falls in, counted from year 0.
fn month_of(day: i64) -> i64 {
    let date = date(day.saturating_mul(DAY_MS));
    let mut parts = date.rsplitn(3, '-').skip(1);
    let mut next = || parts.next().and_then(|part| part.parse::<i64>().ok());
    let month = next().unwrap_or(1);
    next().unwrap_or(0) * 12 + month - 1
}

/// Adds the spans that two folded texts mean, one after the other; says whether there is a time or a
/// number in the first.
fn english(texts: [&str; 2], today: i64, seen: &mut Seen, spans: &mut Vec<Span>) -> bool {
    let mut is_timed = false;
    let [mut two_before, mut before] = [""; 2];
    for (place, text) in texts.into_iter().enumerate() {
        for this in text.split(|c: char| !c.is_alphanumeric()) {
            if this.is_empty() {
                continue;
            }
            let known = seen.word(this);
            if known.map_or_else(|| is_time(this), |known| known.is_time) {
                is_timed |= place == 0;
                spans.push_all(span(this, before, two_before, today));
            }
            (two_before, before) = (before, this);
        }
    }
    is_timed
}

/// What a word means after two others.
fn span(this: &str, before: &str, two_before: &str, today: i64) -> Option<Span> {
    match this {
        "yesterday" => Some(Span::Day(today - 1)),
        "today" | "tonight" => Some(Span::Day(today)),
        "tomorrow" => Some(Span::Day(today + 1)),
        "night" if before == "last" => Some(Span::Day(today - 1)),
        "week" | "weekend" | "month" | "year" => match before {
            "last" => moved(today, this, -1),
            "next" => moved(today, this, 1),
            "this" => moved(today, this, 0),
            _ => None,
        },
        "ago" => {
            count(two_before).and_then(|count| moved(today, before.trim_end_matches('s'), -count))
        }
        day => weekday(day).map(|day| Span::Day(on(day, before, today))),
    }
}

/// So many days, weeks, months or years from today.
fn moved(today: i64, unit: &str, count: i64) -> Option<Span> {
    Some(match unit {
        "day" => Span::Day(today + count),
        "week" | "weekend" => Span::Month(month_of(today + 7 * count)),
        "month" => Span::Month(month_of(today) + count),
        "year" => Span::Year(month_of(today).div_euclid(12) + count),
        _ => return None,
    })
}

fn count(word: &str) -> Option<i64> {
    let known = COUNTS.position(word);
    match word {
        "a" | "an" => Some(1),
        "couple" => Some(2),
        "few" => Some(3),
        _ => match known {
            Some(count) => i64::try_from(count).ok(),
            None => word.parse().ok().filter(|count| *count < 1_000),
        },
    }
}

fn weekday(word: &str) -> Option<i64> {
    // "sun", "sat" and "wed" are other words more often.
    const SHORT: Words = words!["mon", "tue", "tues", "thu", "thurs", "fri"];
    let at = match WEEKDAYS.position(word) {
        None if SHORT.contains(word) => WEEKDAYS.iter().position(|day| day.starts_with(word)),
        at => at,
    };
    i64::try_from(at?).ok()
}

/// The day meant: the next one if it is said to come, else the last one.
fn on(weekday: i64, before: &str, today: i64) -> i64 {
    // 1970-01-05 was a Monday.
    let back = (today - 4 - weekday).rem_euclid(7);
    match before {
        "next" | "this" | "coming" => today - back + 7,
        _ if back == 0 => today - 7,
        _ => today - back,
    }
}

fn chinese(text: &str, today: i64, spans: &mut Vec<Span>) {
    if text.is_ascii() {
        return;
    }
    let month = month_of(today);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let starts = |list: &[(&'static str, i64)]| {
            list.iter()
                .copied()
                .find(|(name, _)| rest.starts_with(name))
        };
        let mut taken = c.len_utf8();
        if let Some((name, days)) = starts(ZH_DAYS) {
            spans.push(Span::Day(today + days));
            taken = name.len();
        } else if let Some((name, months)) = starts(ZH_MONTHS) {
            spans.push(Span::Month(month + months));
            taken = name.len();
        } else if let Some((name, years)) = starts(ZH_YEARS) {
            spans.push(Span::Year(month.div_euclid(12) + years));
            taken = name.len();
        } else if let Some((name, weeks)) = starts(ZH_WEEKS) {
            taken = name.len();
            let after = rest.get(taken..).and_then(|rest| rest.chars().next());
            let day = after.map(|c| if matches!(c, '天' | '末') { '日' } else { c });
            let monday = today - (today - 4).rem_euclid(7) + 7 * weeks;
            let day = ZH_WEEKDAYS.iter().position(|name| Some(*name) == day);
            spans.push(match day.and_then(|day| i64::try_from(day).ok()) {
                Some(day) => Span::Day(monday + day),
                None => Span::Month(month_of(monday)),
            });
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Wednesday, 10 May 2023.
    const SAID: i64 = 19_487 * DAY_MS + 5_000;

    fn said_times(text: &str, at: i64) -> String {
        let mut seen = Seen::default();
        let told = times(text, "", at, &mut seen);
        // Beside an empty text it is the same, and so it is where its words are known.
        assert_eq!(times("", text, at, &mut seen).said, told.said);
        told.said
    }

    #[test]
    fn words_for_days_are_seen_from_the_day_they_were_said() {
        assert_eq!(date(SAID), "2023-05-10");
        for (text, means) in [
            ("I went there yesterday.", "2023-05-09"),
            ("We met last Friday", "2023-05-05"),
            ("on Wednesday", "2023-05-03"),
            ("next Friday, then", "2023-05-12"),
            ("two weeks ago", "april 2023"),
            ("3 days ago and last month", "2023-05-07 april 2023"),
            ("Last year we moved", "2022"),
            ("the sun and the sat nav", ""),
            ("昨天去爬山，大前天在家", "2023-05-07 2023-05-09"),
            ("上周五见了她", "2023-05-05"),
            ("下周末去", "2023-05-21"),
            ("上个月搬家，去年结婚", "april 2023 2022"),
        ] {
            assert_eq!(said_times(text, SAID), means, "{text}");
        }
    }

    #[test]
    fn months_are_counted_over_the_turn_of_the_year() {
        let january = 19_732 * DAY_MS;
        assert_eq!(date(january), "2024-01-10");
        assert_eq!(said_times("last month", january), "december 2023");
        assert_eq!(said_times("three years ago", january), "2021");
    }

    proptest! {
        #[test]
        fn any_text_and_time_are_taken(text in "(.|last |ago |[0-9]+ years |上周|大后天)*", at in any::<i64>()) {
            said_times(&text, at);
        }
    }
}
