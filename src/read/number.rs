//! Numbers as people write them.

use super::json::exponent;
use crate::decimal;

/// Reads a number as people write it: with a plus, without digits before or after the point.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (is_negative, size) = signed(text);
    let size = match size.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => f64::INFINITY,
        "nan" => return Some(f64::NAN),
        _ => finite(size)?,
    };
    Some(if is_negative { -size } else { size })
}

fn finite(size: &str) -> Option<f64> {
    let (mantissa, power) = size.split_once(['e', 'E']).unwrap_or((size, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let (is_small, power) = signed(power);
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let are_there = (!whole.is_empty() || !part.is_empty()) && !power.is_empty();
    if !are_there || !is_digits(whole) || !is_digits(part) || !is_digits(power) {
        return None;
    }
    Some(decimal::read(whole, part, exponent(is_small, power)))
}

fn signed(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(size) => (true, size),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}
