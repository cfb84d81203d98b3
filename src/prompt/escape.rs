//! Text from a memory as text that can form no tag, no role marker and no line of a dialogue.

use crate::words::{Words, words};

/// What no data may stand in for, in lower case.
const ROLES: Words = words![
    "system", "developer", "user", "assistant", "tool", "function", "human", "ai", "model", "new",
    "inst", "user_profile", "agent_memory", "conversation_summary",
];

/// `text` on one line, unable to form a tag, a role marker or anything unseen.
pub fn plain(text: &str) -> String {
    match is_plain(text) {
        true => text.to_owned(),
        false => escaped(text),
    }
}

/// Whether there is surely nothing to change: a bracket before a digit opens a date and no role.
#[inline(never)]
fn is_plain(text: &str) -> bool {
    let mut before = 0;
    let is_safe = |byte: u8| {
        let is_safe = matches!(byte, b' '..=b'~' if byte != b'<' && (before != b'[' || byte.is_ascii_digit()));
        before = byte;
        is_safe
    };
    text.bytes().all(is_safe) && !text.ends_with('[')
}

#[inline(never)]
fn escaped(text: &str) -> String {
    let shown = visible(text);
    let mut out = String::with_capacity(shown.len());
    for (at, ch) in shown.char_indices() {
        let rest = shown.get(at + ch.len_utf8()..).unwrap_or_default();
        match ch {
            '<' if opens_tag(rest) => out.push_str("&lt;"),
            '[' if opens_role(rest) => out.push('('),
            _ => out.push(ch),
        }
    }
    out
}

/// A `<` right before a letter, a slash or a bar could open a tag; before white space only with a name
/// that means something here, or when the name is out of reach: on the next line, or far away. What
/// compares or points stays: `a < b`, `x <= y`, `<3`, `<-`.
fn opens_tag(rest: &str) -> bool {
    match rest.chars().next() {
        Some('/' | '|' | '｜' | '!' | '?' | '_' | '\u{200c}' | '\u{200d}') | None => true,
        Some(next) if next.is_whitespace() => {
            let is_between = |ch: char| ch.is_whitespace() || matches!(ch, '/' | '|');
            rest.trim_start().starts_with(['/', '|'])
                || near(rest, is_between).is_none_or(|name| starts_with_role(name).is_some())
        }
        Some(next) => next.is_ascii_alphabetic(),
    }
}

/// `[System:`, `[user]`, `[[NEW] user]`, `[/INST]`, in any case; and a `[` whose name is out of reach.
fn opens_role(rest: &str) -> bool {
    let is_between = |ch: char| ch.is_whitespace() || matches!(ch, '[' | '/' | '#' | '*');
    near(rest, is_between).is_none_or(|name| {
        starts_with_role(name).is_some_and(|after| {
            let after = after.trim_start_matches(|ch: char| ch.is_whitespace() || ch == '*');
            after.is_empty() || after.starts_with([']', ':', '：', '|', '>'])
        })
    })
}

/// What follows an opening and what may stand between, none when it is out of reach. Only so much is
/// looked at that a text of nothing but openings takes no longer than another.
fn near(rest: &str, is_between: impl Fn(char) -> bool) -> Option<&str> {
    let between = rest.chars().take(64).take_while(|ch| is_between(*ch));
    let at: usize = between.map(char::len_utf8).sum();
    let name = rest.get(at..).unwrap_or_default();
    let is_reached = name.chars().next().is_some_and(|ch| !is_between(ch));
    is_reached.then(|| name.get(..name.floor_char_boundary(40)).unwrap_or_default())
}

/// What follows the role that `text` begins with.
fn starts_with_role(text: &str) -> Option<&str> {
    ROLES.iter().find_map(|role| {
        let (head, rest) = text.split_at_checked(role.len())?;
        let ends = !rest.starts_with(|ch: char| ch.is_alphanumeric() || ch == '_');
        (ends && head.eq_ignore_ascii_case(role)).then_some(rest)
    })
}

/// A line that begins like a turn of a dialogue becomes an item of a list.
pub(super) fn summary_line(line: &str) -> String {
    let line = plain(line);
    let word = line
        .trim_start_matches(|ch: char| ch.is_whitespace() || matches!(ch, '*' | '#' | '>' | '_'));
    let fakes = starts_with_role(word).is_some_and(|after| {
        after
            .trim_start_matches(['*', '_', ' '])
            .starts_with([':', '：'])
    });
    if fakes {
        format!("- {}", line.trim_start())
    } else {
        line
    }
}

/// Line breaks and controls as one space, and nothing that changes or hides what is read.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut in_flag = false;
    for ch in text.chars() {
        in_flag = ch == '\u{1f3f4}' || (in_flag && is_tag(ch));
        match ch {
            '\u{85}' | '\u{2028}' | '\u{2029}' => out.push(' '),
            ch if ch.is_control() => out.push(' '),
            '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}' => {}
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            ch if is_tag(ch) && !in_flag => {}
            ch => out.push(ch),
        }
    }
    out
}

fn is_tag(ch: char) -> bool {
    matches!(ch, '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_passed_over_has_nothing_to_change(text in "(\\[|<|[ -~]|user|1){0,20}") {
            prop_assert!(!is_plain(&text) || escaped(&text) == text);
        }
    }

    #[test]
    fn a_dated_line_is_passed_over() {
        assert!(is_plain(
            "- [2023-05-08] User lives in Hangzhou (near the lake)"
        ));
        assert!(!is_plain("[user]") && !is_plain("a [") && !is_plain("<b>") && !is_plain("é"));
    }
}
