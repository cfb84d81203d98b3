//! Secrets in a text: keys and tokens by their form, card numbers by their check digit, passwords
//! and the like by what stands before them.

mod cards;
mod commands;
mod known;
mod numbers;
mod spoken;

use crate::gather::Push;
use crate::order;
use std::ops::Range;

/// What kind of secret it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A password or passphrase.
    Password,
    /// An API key, access token or the like.
    Key,
    /// A private key or a wallet's recovery phrase.
    PrivateKey,
    /// A payment card's number.
    Card,
    /// The number of an account or of a person.
    Number,
    /// A PIN, card verification or one-time code.
    Code,
}

impl Kind {
    fn mark(self) -> &'static str {
        match self {
            Self::Password => "[masked password]",
            Self::Key => "[masked key]",
            Self::PrivateKey => "[masked private key]",
            Self::Card => "[masked card number]",
            Self::Number => "[masked number]",
            Self::Code => "[masked code]",
        }
    }
}

/// A secret and where it stands, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Where.
    pub span: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// The secrets of a text in their order, none inside another.
pub fn find(text: &str) -> Vec<Secret> {
    // None of these is inlined: engines optimize several short functions in a fraction of the time of a
    // long one.
    let mut found = known::find(text);
    found.push_all(cards::find(text));
    found.push_all(numbers::find(text));
    found.push_all(commands::find(text));
    found.push_all(spoken::find(text));
    order::sort_by_key(&mut found, |secret| {
        (secret.span.start, usize::MAX - secret.span.end)
    });
    let mut end = 0;
    found.retain(|secret| {
        let is_apart = secret.span.start >= end;
        if is_apart {
            end = secret.span.end;
        }
        is_apart
    });
    found
}

/// Times that a text is looked through: what was masked may have hidden where the next one begins.
const PASSES: usize = 4;

/// The text with every secret replaced by what it is; none when there is none.
pub fn mask(text: &str) -> Option<String> {
    let mut masked = mask_once(text)?;
    for _ in 1..PASSES {
        match mask_once(&masked) {
            Some(again) => masked = again,
            None => break,
        }
    }
    Some(masked)
}

fn mask_once(text: &str) -> Option<String> {
    let found = find(text);
    if found.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for Secret { span, kind } in found {
        out.push_str(text.get(at..span.start).unwrap_or_default());
        out.push_str(kind.mark());
        at = span.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Some(out)
}

/// Whether a text holds the mark of a masked secret.
pub fn is_masked(text: &str) -> bool {
    text.contains("[masked ")
}

/// Whether a byte may be part of a token; those of other alphabets may not.
fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// Bytes of a secret that are looked at: a bound that keeps hostile text from costing more than
/// its length.
const RUN: usize = 2_048;

/// Where the run of ASCII bytes that `keep` accepts ends.
fn run_end(text: &str, start: usize, keep: impl Fn(u8) -> bool) -> usize {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    start
        + rest
            .iter()
            .take(RUN)
            .take_while(|byte| keep(**byte))
            .count()
}

#[cfg(test)]
mod tests;
