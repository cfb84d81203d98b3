//! Plans for a time that is spent in one place: at home or away.

use crate::case::Lowercase;
use crate::words::{Words, words};

/// Times that are spent in one place, each with its names.
const SPANS: &[Words] = &[
    words!["this weekend", "这个周末", "本周末", "这周末"],
    words!["next weekend", "下个周末", "下周末"],
    words!["tomorrow", "明天"],
    words!["tonight", "今晚"],
    words!["next week", "下周", "下星期"],
    words!["weekend", "周末"],
];
const AT_HOME: Words = words![
    "at home", "stay home", "stays home", "在家", "待在家", "不出门",
];
const AWAY: Words = words![
    "travel", "trip", "fly to", "flies to", "flying to", "away", "abroad", "旅行", "旅游", "出差",
    "外出", "出国",
];

/// What a text says of a time and where it is spent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    span: usize,
    at_home: bool,
    away: bool,
}

impl Plan {
    /// The plan of a text, if it names a time.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let text = text.lowercase();
        let says = |words: Words| words.any_in(&text);
        // The first that a text names: "next weekend" is not just any weekend.
        let span = SPANS.iter().position(|span| says(*span))?;
        Some(Self {
            span,
            at_home: says(AT_HOME),
            away: says(AWAY),
        })
    }

    /// The time that one says is spent at home and the other away.
    pub(crate) fn elsewhere(&self, other: &Self) -> Option<&'static str> {
        let at_odds = |a: &Self, b: &Self| a.at_home && !a.away && b.away && !b.at_home;
        let is_odd = self.span == other.span && (at_odds(self, other) || at_odds(other, self));
        let name = SPANS.get(self.span).and_then(|span| span.get(0));
        is_odd.then(|| name.unwrap_or_default())
    }
}
