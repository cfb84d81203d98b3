//! Payment card numbers: 13 to 19 digits of a card network's range whose check digit holds
//! (ISO/IEC 7812, Luhn).

use super::{Kind, Secret};

/// Digits of the longest card number.
const MAX_DIGITS: usize = 19;

#[inline(never)]
pub(super) fn find(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        if !byte.is_ascii_digit() {
            at += 1;
            continue;
        }
        let is_inside = |at: Option<usize>| {
            let byte = at.and_then(|at| bytes.get(at));
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let (digits, ends) = number(bytes, at);
        let card = ends.iter().rev().find(|(end, count)| {
            !is_inside(Some(*end)) && is_card(digits.get(..*count).unwrap_or_default())
        });
        let first_group = ends.first().map_or(at + 1, |(end, _)| *end);
        match card.filter(|_| !is_inside(at.checked_sub(1))) {
            Some((end, _)) => {
                found.push(Secret {
                    span: at..*end,
                    kind: Kind::Card,
                });
                at = *end;
            }
            None => at = first_group,
        }
        // What is left of a run too long for a card is none either.
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
    }
    found
}

/// Digits in groups with one space or hyphen between them; with each group's end the digits so far.
/// A date may follow a card's number, so any of the ends may be its own.
fn number(bytes: &[u8], start: usize) -> (Vec<u8>, Vec<(usize, usize)>) {
    let mut digits = Vec::new();
    let mut ends: Vec<(usize, usize)> = Vec::new();
    let mut at = start;
    while let Some(byte) = bytes.get(at) {
        let next = bytes.get(at + 1);
        match byte {
            b'0'..=b'9' if digits.len() < MAX_DIGITS => {
                digits.push(byte - b'0');
                if !next.is_some_and(u8::is_ascii_digit) {
                    ends.push((at + 1, digits.len()));
                }
            }
            b' ' | b'-' if next.is_some_and(u8::is_ascii_digit) => {}
            _ => break,
        }
        at += 1;
    }
    (digits, ends)
}

fn is_card(digits: &[u8]) -> bool {
    let leading = |count: usize| {
        digits
            .iter()
            .take(count)
            .fold(0u32, |value, digit| value * 10 + u32::from(*digit))
    };
    let in_range = match digits.len() {
        13 => leading(1) == 4,
        14 => matches!(leading(2), 30 | 36 | 38 | 39),
        15 => matches!(leading(2), 34 | 37),
        16 => {
            leading(1) == 4
                || (51..=55).contains(&leading(2))
                || (2221..=2720).contains(&leading(4))
                || leading(4) == 6011
                || matches!(leading(2), 35 | 62 | 64 | 65)
        }
        17..=19 => leading(2) == 62,
        _ => false,
    };
    in_range && luhn(digits)
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| {
            let value = u32::from(*digit) << (at % 2);
            value / 10 + value % 10
        })
        .sum();
    sum.is_multiple_of(10)
}
