//! Cutting a text to a number of tokens with few counts.

use crate::error::Result;
use crate::message::{Content, Message, part_type};
use crate::prompt;
use crate::tokens::Tokens;
use serde_json::Value;
use std::borrow::Cow;

/// Stands where a text was cut.
pub const MARK: &str = "…[cut]";

/// `message`, which costs `whole`, with as much of its text as costs at most `limit`, and what that
/// costs; `None` if nothing of it fits.
pub(super) fn message(
    message: &Message,
    whole: usize,
    limit: usize,
    tokens: &Tokens,
) -> Result<Option<(Message, usize)>> {
    let text = cuttable(message);
    let cost = |end: usize| tokens.message(&keep(message, end));
    let longest = longest(&text, limit, whole, cost)?.filter(|(end, _)| *end > 0);
    Ok(longest.map(|(end, cost)| (keep(message, end), cost)))
}

/// The summary as a message of at most `limit` tokens, what it costs and whether it was cut.
pub(super) fn summary(
    text: &str,
    limit: usize,
    tokens: &Tokens,
) -> Result<Option<(Message, usize, bool)>> {
    let text = text.trim();
    let render = |end: usize| {
        let kept = text.get(..end).unwrap_or_default().trim_end();
        let mark = if end < text.len() { MARK } else { "" };
        prompt::summary(&format!("{kept}{mark}"))
    };
    let cost = |end: usize| render(end).map_or(Ok(0), |message| tokens.message(&message));
    let whole = render(text.len()).map_or(Ok(0), |message| tokens.lasting().message(&message))?;
    if whole <= limit {
        return Ok(render(text.len()).map(|message| (message, whole, false)));
    }
    let found = longest(text, limit, whole, cost)?.filter(|(end, _)| *end > 0);
    let Some((mut end, mut tokens)) = found else {
        return Ok(None);
    };
    let line = text.get(..end).and_then(|kept| kept.rfind('\n'));
    if let Some(line) = line.filter(|line| *line >= end / 2) {
        let shorter = cost(line)?;
        if shorter <= limit {
            (end, tokens) = (line, shorter);
        }
    }
    Ok(render(end).map(|message| (message, tokens, true)))
}

/// All of a message that may be cut, in one string.
fn cuttable(message: &Message) -> Cow<'_, str> {
    match &message.content {
        None => Cow::Borrowed(""),
        Some(Content::Text(text)) => Cow::Borrowed(text),
        Some(Content::Parts(parts)) => parts
            .iter()
            .filter(|part| part_type(part) == "text")
            .filter_map(|part| part.get("text").and_then(Value::as_str))
            .collect(),
    }
}

/// The message with the first `end` bytes of its text and the mark behind them.
fn keep(message: &Message, end: usize) -> Message {
    let mut cut = message.clone();
    match &mut cut.content {
        None => {}
        Some(Content::Text(text)) => *text = marked(text, end),
        Some(Content::Parts(parts)) => {
            let mut left = Some(end);
            parts.retain_mut(|part| {
                if part_type(part) != "text" {
                    return true;
                }
                let Some(Value::String(text)) = part.get_mut("text") else {
                    return true;
                };
                let Some(room) = left else { return false };
                left = room.checked_sub(text.len()).filter(|room| *room > 0);
                if left.is_none() {
                    *text = marked(text, room);
                }
                true
            });
        }
    }
    cut
}

fn marked(text: &str, end: usize) -> String {
    format!("{}{MARK}", text.get(..end).unwrap_or(text))
}

/// The longest prefix whose `cost` is at most `limit` and that cost, given what the whole costs, which is more:
/// interpolation and bisection in turn, so that each count is about as long as the result.
fn longest(
    text: &str,
    limit: usize,
    whole: usize,
    cost: impl Fn(usize) -> Result<usize>,
) -> Result<Option<(usize, usize)>> {
    let (mut low, mut low_cost) = (0, cost(0)?);
    if low_cost > limit {
        return Ok(None);
    }
    let (mut high, mut high_cost) = (text.len(), whole);
    let enough = (limit / 500).max(1);
    for step in 0..64 {
        if high - low <= 1 || limit - low_cost < enough {
            break;
        }
        let span = high - low;
        let share = (limit - low_cost) as f64 / high_cost.saturating_sub(low_cost).max(1) as f64;
        let ahead = if step % 3 == 2 {
            span / 2
        } else {
            (span as f64 * share) as usize
        };
        let probe = boundary(text, low + ahead.clamp(1, span - 1));
        if probe <= low {
            high = low + ahead.clamp(1, span - 1);
            continue;
        }
        let probed = cost(probe)?;
        if probed <= limit {
            (low, low_cost) = (probe, probed);
        } else {
            (high, high_cost) = (probe, probed);
        }
    }
    Ok(Some((low, low_cost)))
}

/// The last place at or before `at` where no character, emoji sequence or accent is torn apart.
fn boundary(text: &str, at: usize) -> usize {
    let mut at = text.floor_char_boundary(at);
    for _ in 0..64 {
        let (Some(head), Some(tail)) = (text.get(..at), text.get(at..)) else {
            return 0;
        };
        let (Some(before), Some(after)) = (head.chars().next_back(), tail.chars().next()) else {
            return at;
        };
        let flags = head
            .chars()
            .rev()
            .take_while(|ch| is_flag_half(*ch))
            .take(64)
            .count();
        let torn = joins(after) || before == '\u{200d}' || (is_flag_half(after) && flags % 2 == 1);
        if !torn {
            return at;
        }
        at -= before.len_utf8();
    }
    at
}

/// Characters that belong to the one before them.
fn joins(ch: char) -> bool {
    matches!(ch,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5bd}' | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{903}' | '\u{93a}'..='\u{93c}' | '\u{93e}'..='\u{94f}'
        | '\u{e31}' | '\u{e34}'..='\u{e3a}' | '\u{e47}'..='\u{e4e}' | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}' | '\u{200d}' | '\u{20d0}'..='\u{20ff}' | '\u{3099}'..='\u{309a}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{fe20}'..='\u{fe2f}' | '\u{1f3fb}'..='\u{1f3ff}'
        | '\u{e0020}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

fn is_flag_half(ch: char) -> bool {
    matches!(ch, '\u{1f1e6}'..='\u{1f1ff}')
}
