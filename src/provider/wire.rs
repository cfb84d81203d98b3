//! Reading what memory services answer: tolerant of odd shapes, strict about success.

use crate::gather::Gather;
use crate::host::{HostError, ProviderAnswer};
use crate::read;
use crate::write;
use serde_json::{Map, Value};
use std::fmt;

/// Characters of a service's own words that a fault repeats.
const MESSAGE_CHARS: usize = 300;

/// Why a request to a memory service came to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// There was no answer: whether it was done is unknown.
    Unreachable(String),
    /// It is overloaded or broken; whether it was done is unknown.
    Unavailable {
        /// The HTTP status or the answer's own code.
        status: i64,
        /// In the service's words.
        message: String,
    },
    /// It does not accept such a request.
    Refused {
        /// The HTTP status or the answer's own code.
        status: i64,
        /// In the service's words.
        message: String,
    },
    /// It answered that it failed, with a status of success.
    Failed(String),
    /// It answered something else than its interface says.
    Unreadable(String),
}

impl Fault {
    /// Whether trying again cannot help; a key or an address may still be put right.
    pub fn is_hopeless(&self) -> bool {
        matches!(self, Self::Refused { status, .. } if !(401..=404).contains(status))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreachable(why) => write!(f, "no answer: {why}"),
            Self::Unavailable { status, message } => {
                write!(f, "not available ({status}): {message}")
            }
            Self::Refused { status, message } => write!(f, "refused ({status}): {message}"),
            Self::Failed(message) => write!(f, "it answered that it failed: {message}"),
            Self::Unreadable(what) => write!(f, "its answer cannot be read: {what}"),
        }
    }
}

impl From<HostError> for Fault {
    fn from(error: HostError) -> Self {
        Self::Unreachable(error.0)
    }
}

/// What a service gives, or why it does not.
pub type Answer<T> = Result<T, Fault>;

/// The answer's body, if the status is one of success.
pub fn body(answer: &ProviderAnswer) -> Answer<&Value> {
    classify(i64::from(answer.status), &answer.body).map_or(Ok(&answer.body), Err)
}

/// The `data` of MemOS's envelope, if its own code is one of success, too: 200 or, in the cloud, 0.
pub fn data(answer: &ProviderAnswer) -> Answer<&Value> {
    let envelope = object(body(answer)?)?;
    let code = envelope.get("code").and_then(whole);
    let fault = code.filter(|code| *code != 0);
    if let Some(fault) = fault.and_then(|code| classify(code, &answer.body)) {
        return Err(fault);
    }
    Ok(envelope.get("data").unwrap_or(&Value::Null))
}

fn classify(status: i64, body: &Value) -> Option<Fault> {
    let message = || message(body);
    match status {
        200..=299 => None,
        408 | 425 | 429 | 500..=599 => Some(Fault::Unavailable {
            status,
            message: message(),
        }),
        400..=499 => Some(Fault::Refused {
            status,
            message: message(),
        }),
        _ => Some(Fault::Unreadable(format!("status {status}: {}", message()))),
    }
}

/// What a body says about itself: `message`, `detail`, `error`, or the text that it is.
fn message(body: &Value) -> String {
    let detail = ["message", "detail", "error"]
        .iter()
        .filter_map(|name| body.get(name));
    let texts: Vec<String> = match body {
        Value::Object(_) => detail
            .filter(|value| !value.is_null())
            .map(|value| {
                value
                    .as_str()
                    .map_or_else(|| write::text(value), str::to_owned)
            })
            .gather(),
        Value::String(text) => vec![text.clone()],
        _ => Vec::new(),
    };
    texts.join("; ").chars().take(MESSAGE_CHARS).collect()
}

/// A JSON object.
pub fn object(value: &Value) -> Answer<&Map<String, Value>> {
    let kind = || match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => format!(
            "text, not JSON: {}",
            text.chars().take(80).collect::<String>()
        ),
        Value::Array(_) => "a list where an object was expected".to_owned(),
        other => format!("{} where an object was expected", write::text(other)),
    };
    value.as_object().ok_or_else(|| Fault::Unreadable(kind()))
}

/// A list under this name; empty where it is absent or null.
pub fn list<'a>(within: &'a Value, name: &str) -> Answer<&'a [Value]> {
    match within.get(name) {
        None | Some(Value::Null) => Ok(&[]),
        Some(Value::Array(items)) => Ok(items),
        Some(_) => Err(Fault::Unreadable(format!("`{name}` is not a list"))),
    }
}

/// The first of these fields that is a text and not blank.
pub fn text(within: &Value, names: &[&str]) -> Option<String> {
    let texts = names.iter().filter_map(|name| within.get(name)?.as_str());
    texts
        .map(str::trim)
        .find(|text| !text.is_empty())
        .map(str::to_owned)
}

/// The first of these fields that is an id: a text or a whole number.
pub fn id(within: &Value, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match within.get(name)? {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(write::text(id)),
        _ => None,
    })
}

/// The first of these fields that is a number, in digits or in quotes.
pub fn number(within: &Value, names: &[&str]) -> Option<f64> {
    let found = |value: &Value| {
        value
            .as_f64()
            .or_else(|| read::number(value.as_str()?.trim()))
    };
    let numbers = names.iter().filter_map(|name| found(within.get(name)?));
    numbers.into_iter().find(|number| number.is_finite())
}

/// A list of texts under this name; what is no text is left out.
pub fn texts(within: &Value, name: &str) -> Vec<String> {
    let items = within.get(name).and_then(Value::as_array);
    let texts = items.into_iter().flatten().filter_map(Value::as_str);
    texts.map(str::to_owned).gather()
}

fn whole(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_str()?.trim().parse().ok())
}

/// The first of these fields that is a time, in ms since the epoch: a number of ms or seconds, or
/// ISO 8601.
pub fn time(within: &Value, names: &[&str]) -> Option<i64> {
    names.iter().find_map(|name| match within.get(name)? {
        Value::Number(number) => number
            .as_i64()
            .or_else(|| Some(number.as_f64()? as i64))
            .map(ms),
        Value::String(text) => iso(text).or_else(|| text.trim().parse().ok().map(ms)),
        _ => None,
    })
}

/// Seconds until the year 5138 are below what ms are from 1973 on.
fn ms(number: i64) -> i64 {
    match number.abs() < 100_000_000_000 {
        true => number.saturating_mul(1_000),
        false => number,
    }
}

/// `2026-01-05`, `2026-01-05T10:00:00.123456+08:00`; without an offset it is UTC.
fn iso(text: &str) -> Option<i64> {
    let text = text.trim();
    let (date, time) = match text.find(['T', ' ']) {
        Some(at) => (text.get(..at)?, text.get(at + 1..)?),
        None => (text, ""),
    };
    let mut parts = date.split('-').map(str::parse::<i64>);
    let (year, month, day) = (
        parts.next()?.ok()?,
        parts.next()?.ok()?,
        parts.next()?.ok()?,
    );
    let in_range =
        (1..=9_999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !in_range || parts.next().is_some() {
        return None;
    }
    let at = time.find(['+', '-', 'Z', 'z']).unwrap_or(time.len());
    let (clock, offset) = (time.get(..at)?, time.get(at..)?);
    let minutes = match offset.as_bytes().first() {
        Some(b'+') => clock_ms(offset.get(1..)?)?,
        Some(b'-') => -clock_ms(offset.get(1..)?)?,
        _ => 0,
    };
    let clock = if clock.is_empty() {
        0
    } else {
        clock_ms(clock)?
    };
    Some(days(year, month, day) * 86_400_000 + clock - minutes)
}

/// `10:00`, `1000`, `10:00:00.123` as ms.
fn clock_ms(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let digits: String = whole.chars().filter(|c| *c != ':').collect();
    let part = |at: usize| -> Option<i64> {
        match digits.get(at..at + 2) {
            Some(two) => two.parse().ok(),
            None => (digits.len() <= at).then_some(0),
        }
    };
    let padded: String = fraction.chars().chain("000".chars()).take(3).collect();
    let millis: i64 = padded.parse().ok()?;
    Some(((part(0)? * 60 + part(2)?) * 60 + part(4)?) * 1_000 + millis)
}

/// Days since 1970 of a date of the proleptic Gregorian calendar, counting years from March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A part of a path, percent-encoded. A URL cannot carry `.` and `..`: they are resolved away.
pub fn segment(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    text.bytes().map(encode).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn times_in_every_form() {
        let read = |value: Value| time(&json!({ "at": value }), &["at"]);
        let monday = Some(1_767_607_200_000);
        for same in [
            json!(1_767_607_200_000i64),
            json!(1_767_607_200),
            json!("1767607200000"),
            json!("2026-01-05T10:00:00Z"),
            json!("2026-01-05 10:00"),
            json!("2026-01-05T18:00:00.000000+08:00"),
            json!("2026-01-05T02:30:00-0730"),
        ] {
            assert_eq!(read(same.clone()), monday, "{same}");
        }
        assert_eq!(read(json!("2026-01-05")), Some(1_767_571_200_000));
        for odd in [
            json!("soon"),
            json!("2026-13-05"),
            json!(""),
            json!({}),
            json!("2026-01-05T1x"),
        ] {
            assert_eq!(read(odd.clone()), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn a_date_comes_back(day in -700_000i64..2_900_000) {
            let date = prompt::date(day * 86_400_000);
            prop_assert_eq!(iso(&date), Some(day * 86_400_000));
        }

        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,24}") {
            let _ = iso(&text);
            prop_assert!(segment(&text).is_ascii());
        }
    }

    #[test]
    fn what_a_status_means() {
        let of = |status: u16, body: Value| data(&ProviderAnswer { status, body }).cloned();
        assert_eq!(of(200, json!({ "code": 200, "data": [1] })), Ok(json!([1])));
        assert_eq!(
            of(200, json!({ "code": 0, "message": "ok" })),
            Ok(Value::Null)
        );
        let refused = of(
            422,
            json!({ "code": 422, "message": "no", "detail": [{ "loc": ["query"] }] }),
        );
        assert!(
            matches!(&refused, Err(Fault::Refused { status: 422, message }) if message.contains("query"))
        );
        assert!(matches!(
            of(200, json!({ "code": 500 })),
            Err(Fault::Unavailable { status: 500, .. })
        ));
        assert!(matches!(
            of(429, json!("slow")),
            Err(Fault::Unavailable { .. })
        ));
        assert!(matches!(of(302, json!("moved")), Err(Fault::Unreadable(_))));
        for odd in [json!(null), json!("<html>"), json!([]), json!(7)] {
            assert!(matches!(of(200, odd), Err(Fault::Unreadable(_))));
        }
    }
}
