//! Numbers in digits and in words, with their units.

use super::guard::Kind as What;
use super::guard_items::Scan;
use super::guard_words::{self as words, NUMERALS, UNITS};
use super::text::{Kind, Text};
use super::words::MONTHS;
use crate::list;
use crate::words::words;
use std::ops::Range;

impl Scan<'_, '_, '_> {
    /// Digits with the unit beside them.
    pub(super) fn number(&mut self, at: usize) -> usize {
        let low = self.text.low(at);
        let mut value: String = low.replace(',', "");
        if low.contains(',') && low.split(',').skip(1).any(|part| part.len() < 3) {
            value = low.to_owned();
        }
        let sign = at > self.piece.start
            && self.text.low(at - 1) == "-"
            && self.text.touch(at - 1, at)
            && !(at - 1 > self.piece.start && self.text.touch(at - 2, at - 1));
        if sign {
            value.insert(0, '-');
        }
        self.valued(value, at..at + 1)
    }

    /// A value with its unit, or with its neighbour where it has none.
    pub(super) fn valued(&mut self, mut value: String, range: Range<usize>) -> usize {
        let text = self.text;
        let mut end = range.end;
        let mut unit = None;
        let before = text.before(range.start, self.piece);
        if words!["$", "€", "£", "¥"].contains(before) {
            unit = list::value(UNITS, before);
        }
        let next = text.low(end);
        if end < self.piece.end && unit.is_none() {
            if words!["st", "nd", "rd", "th", "s"].contains(next) && text.touch(end - 1, end) {
                end += 1;
            } else if let Some((name, taken)) = unit_at(text, end, self.piece.end) {
                unit = Some(name);
                end = taken;
            }
        }
        if matches!(unit, Some("am" | "pm")) {
            value = value.strip_suffix(":00").unwrap_or(&value).to_owned();
        }
        let limit = words::limit_before(text, range.start, self.piece.start);
        if let Some(limit) = limit {
            self.plain(What::Condition, format!("{limit} {value}"), range.clone());
        }
        let year = value.len() == 4 && (value.starts_with("19") || value.starts_with("20"));
        let all = range.start..end;
        match unit {
            Some(unit) => self.plain(What::Number, format!("{value} {unit}"), all),
            None if year
                || value.contains([':', '-', '/'])
                || list::value(MONTHS, before).is_some() =>
            {
                self.plain(What::Number, value, all)
            }
            None => self.bound(What::Number, &value, all, 1),
        }
    }

    /// English number words: "twenty-five", "two hundred and six", "a dozen", "third".
    pub(super) fn numeral(&mut self, at: usize, clause: &Range<usize>) -> Option<usize> {
        let text = self.text;
        let (mut total, mut current) = (0_u64, 0_u64);
        let mut end = at;
        let mut last = u64::MAX;
        let mut i = at;
        while i < clause.end.min(at + 16) {
            let low = text.low(i);
            if i > at
                && ((low == "-" && text.touch(i - 1, i))
                    || (low == "and" && (100..u64::MAX).contains(&last)))
            {
                i += 1;
                continue;
            }
            let Some(value) = list::value(NUMERALS, low) else {
                break;
            };
            if low == "one" && i == at && !words::counts_one(text, i, self.piece) {
                return None;
            }
            let Ok(value) = value.parse::<u64>() else {
                return (i == at).then(|| self.valued(value.to_owned(), at..at + 1));
            };
            if value >= 100 && i > at {
                current = current.max(1).saturating_mul(value);
                if value >= 1000 {
                    total = total.saturating_add(current);
                    current = 0;
                }
            } else if i > at && (value >= last || last < 20) {
                break;
            } else {
                current = current.saturating_add(value);
            }
            last = value;
            i += 1;
            end = i;
        }
        (end > at).then(|| self.valued(total.saturating_add(current).to_string(), at..end))
    }
}

/// The unit that begins here, in its one form, and where it ends.
pub(super) fn unit_at(text: &Text<'_>, at: usize, end: usize) -> Option<(&'static str, usize)> {
    let token = text.token(at).filter(|_| at < end)?;
    match token.kind {
        Kind::Cjk => {
            let two = format!(
                "{}{}",
                token.low,
                if at + 1 < end { text.low(at + 1) } else { "" }
            );
            let long = list::value(UNITS, &two).map(|unit| (unit, at + 2));
            long.or_else(|| list::value(UNITS, &token.low).map(|unit| (unit, at + 1)))
        }
        Kind::Word | Kind::Mark => {
            // "p.m.", "24-hour".
            if matches!(token.low.as_str(), "a" | "p")
                && text.low(at + 1) == "."
                && text.low(at + 2) == "m"
            {
                return Some((if token.low == "a" { "am" } else { "pm" }, at + 3));
            }
            if token.low == "-" && text.touch(at, at + 1) && at + 1 < end {
                return list::value(UNITS, text.low(at + 1)).map(|unit| (unit, at + 2));
            }
            list::value(UNITS, &token.low).map(|unit| (unit, at + 1))
        }
        _ => None,
    }
}
