//! Numbers of accounts and persons whose check digits hold: IBAN (ISO 13616) and the numbers of
//! Chinese identity cards (GB 11643).

use super::{Kind, Secret, run_end};

/// Characters of the longest IBAN.
const MAX_IBAN: usize = 34;

#[inline(never)]
pub(super) fn find(text: &str) -> Vec<Secret> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
            at += 1;
            continue;
        }
        let word = run_end(text, at, |byte| byte.is_ascii_alphanumeric());
        let end = iban(bytes, at)
            .or_else(|| is_identity(bytes.get(at..word).unwrap_or_default()).then_some(word));
        if let Some(end) = end {
            let kind = Kind::Number;
            found.push(Secret {
                span: at..end,
                kind,
            });
        }
        at = end.unwrap_or(word).max(at + 1);
    }
    found
}

/// Two letters, two check digits and 11 to 30 more, whole or in groups of four.
fn iban(bytes: &[u8], start: usize) -> Option<usize> {
    let head = bytes.get(start..start + 4)?;
    let [a, b, c, d] = head else { return None };
    let is_head = a.is_ascii_uppercase() && b.is_ascii_uppercase();
    if !is_head || !c.is_ascii_digit() || !d.is_ascii_digit() {
        return None;
    }
    let mut signs = Vec::new();
    let mut end = start;
    while let Some(byte) = bytes.get(end) {
        let next = bytes.get(end + 1);
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' if signs.len() < MAX_IBAN => signs.push(*byte),
            b' ' if signs.len().is_multiple_of(4) && next.is_some_and(u8::is_ascii_digit) => {}
            _ => break,
        }
        end += 1;
    }
    let goes_on = bytes.get(end).is_some_and(u8::is_ascii_alphanumeric);
    (signs.len() >= 15 && !goes_on && remainder(&signs) == 1).then_some(end)
}

/// The number with its first four signs at its end, letters as 10 to 35, modulo 97.
fn remainder(signs: &[u8]) -> u32 {
    signs
        .iter()
        .cycle()
        .skip(4)
        .take(signs.len())
        .fold(0, |sum, sign| {
            let value = char::from(*sign).to_digit(36).unwrap_or_default();
            let wide = if value > 9 { 100 } else { 10 };
            (sum * wide + value) % 97
        })
}

/// Seventeen digits, among them a date of birth, and a check digit modulo 11.
fn is_identity(word: &[u8]) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const CHECKS: &[u8; 11] = b"10X98765432";
    let Some((check, body)) = word.split_last() else {
        return false;
    };
    let century = body.get(6..8);
    if body.len() != 17
        || !body.iter().all(u8::is_ascii_digit)
        || !matches!(century, Some(b"19" | b"20"))
    {
        return false;
    }
    let sum: u32 = body
        .iter()
        .zip(WEIGHTS)
        .map(|(digit, weight)| u32::from(digit - b'0') * weight)
        .sum();
    let due = usize::try_from(sum % 11).ok().and_then(|at| CHECKS.get(at));
    due == Some(&check.to_ascii_uppercase())
}
