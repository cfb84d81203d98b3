//! Numbers as people write them.

use super::Tree;

/// Reads a number as people write it: with a plus, without digits before or after the point.
pub(crate) fn number(text: &str) -> Option<f64> {
    let (sign, size) = match text.strip_prefix('-') {
        Some(size) => ("-", size),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let endless = f64::INFINITY.copysign(if sign.is_empty() { 1.0 } else { -1.0 });
    match size.to_ascii_lowercase().as_str() {
        "inf" | "infinity" => return Some(endless),
        "nan" => return Some(f64::NAN),
        _ => {}
    }
    let (mantissa, exponent) = size.split_once(['e', 'E']).unwrap_or((size, "0"));
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let are_there = (!whole.is_empty() || !part.is_empty()) && !power.is_empty();
    if !are_there || !is_digits(whole) || !is_digits(part) || !is_digits(power) {
        return None;
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        whole => whole,
    };
    let json = format!("{sign}{whole}.{part}0e{exponent}");
    Some(match Tree::parse(&json) {
        Ok(Tree::Float(number)) => number,
        // Of numbers of this form only those that are too large are refused.
        _ => endless,
    })
}
