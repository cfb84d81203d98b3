//! Secrets that only what stands before them gives away: `password: …`, `my PIN is …`, `密码是…`.

use super::{Kind, Secret, run_end};

/// What may be named, in lower case, and which form its value must have.
const NAMES: [(&str, Form); 62] = [
    ("password", Form::Password),
    ("passwords", Form::Password),
    ("passwort", Form::Password),
    ("passwd", Form::Password),
    ("passphrase", Form::Password),
    ("passcode", Form::Password),
    ("pass code", Form::Code),
    ("pwd", Form::Password),
    ("contraseña", Form::Password),
    ("mot de passe", Form::Password),
    ("senha", Form::Password),
    ("пароль", Form::Password),
    ("login", Form::Login),
    ("密码", Form::Password),
    ("密碼", Form::Password),
    ("口令", Form::Password),
    ("パスワード", Form::Password),
    ("비밀번호", Form::Password),
    ("pin", Form::Code),
    ("pin code", Form::Code),
    ("pin number", Form::Code),
    ("cvv", Form::Code),
    ("cvc", Form::Code),
    ("cvv2", Form::Code),
    ("security code", Form::Code),
    ("verification code", Form::Code),
    ("one-time code", Form::Code),
    ("one time code", Form::Code),
    ("door code", Form::Code),
    ("gate code", Form::Code),
    ("alarm code", Form::Code),
    ("safe code", Form::Code),
    ("unlock code", Form::Code),
    ("access code", Form::Code),
    ("otp", Form::Code),
    ("2fa code", Form::Code),
    ("验证码", Form::Code),
    ("安全码", Form::Code),
    ("动态码", Form::Code),
    ("api key", Form::Key),
    ("api-key", Form::Key),
    ("api_key", Form::Key),
    ("apikey", Form::Key),
    ("api token", Form::Key),
    ("access key", Form::Key),
    ("access token", Form::Key),
    ("access_token", Form::Key),
    ("auth token", Form::Key),
    ("bearer", Form::Key),
    ("bot token", Form::Key),
    ("token", Form::Key),
    ("secret", Form::Key),
    ("secret key", Form::Key),
    ("client secret", Form::Key),
    ("client_secret", Form::Key),
    ("private key", Form::Key),
    ("accountkey", Form::Key),
    ("密钥", Form::Key),
    ("令牌", Form::Key),
    ("seed phrase", Form::Phrase),
    ("recovery phrase", Form::Phrase),
    ("助记词", Form::Phrase),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Password,
    /// `login: name / password`: only a strong word after it.
    Login,
    Code,
    Key,
    Phrase,
}

/// What may stand between a name and its value.
const LINKS: [&str; 22] = [
    "is now", "is still", "is just", "was changed to", "changed to", "is set to", "set to", "is",
    "are", "was", "=", ":", "：", "->", "→", "改成了", "改为", "改成", "是", "为", "就是", "ist",
];

/// Characters between a name and the word that links it to its value: `password for the old router is`.
const GAP: usize = 40;
/// Bytes of a value at most.
const VALUE: usize = 160;

pub(super) fn find(text: &str) -> Vec<Secret> {
    let lower = text.to_lowercase();
    // Lower case of the same length byte by byte, or nothing would be where it was.
    let folded = if lower.len() == text.len() && text.is_ascii() {
        lower
    } else {
        text.to_ascii_lowercase()
    };
    let mut found = Vec::new();
    let mut from = 0;
    for (at, _) in folded.char_indices() {
        if at < from || !starts_word(&folded, at) {
            continue;
        }
        let Some((name, form)) = name_at(&folded, at) else {
            continue;
        };
        let after = at + name.len();
        if let Some(secret) = value(text, &folded, after, form) {
            from = secret.span.end;
            found.push(secret);
        } else {
            from = after;
        }
    }
    found
}

fn starts_word(text: &str, at: usize) -> bool {
    let here = text.get(at..).and_then(|rest| rest.chars().next());
    let before = text.get(..at).and_then(|head| head.chars().next_back());
    here.is_some_and(char::is_alphanumeric)
        && (!here.is_some_and(|ch| ch.is_ascii())
            || before.is_none_or(|before| !before.is_ascii_alphanumeric()))
}

/// The longest name that begins here and ends with its word.
fn name_at(text: &str, at: usize) -> Option<(&'static str, Form)> {
    let rest = text.get(at..)?;
    let ends = |name: &str| {
        let next = rest.get(name.len()..).and_then(|rest| rest.chars().next());
        !name.ends_with(|last: char| last.is_ascii_alphanumeric())
            || next.is_none_or(|next| !next.is_ascii_alphanumeric())
    };
    NAMES
        .iter()
        .filter(|(name, _)| rest.starts_with(name) && ends(name))
        .max_by_key(|(name, _)| name.len())
        .copied()
}

/// Words after a name that make it another thing.
const OTHER_THINGS: [&str; 17] = [
    "manager", "managers", "reset", "policy", "policies", "hash", "hint", "field", "protected",
    "prompt", "strength", "generator", "budget", "count", "limit", "window", "length",
];

fn value(text: &str, folded: &str, after: usize, form: Form) -> Option<Secret> {
    let rest = folded.get(after..)?;
    let next = rest.trim_start();
    if OTHER_THINGS.iter().any(|thing| next.starts_with(thing)) {
        return None;
    }
    let (start, is_linked) = match linked(folded, after) {
        Some(start) => (start, true),
        None => (after + (rest.len() - next.len()), false),
    };
    let (span, is_quoted) = word(text, start)?;
    let value = text.get(span.clone())?;
    if super::is_masked(value) {
        return None;
    }
    let kind = match form {
        Form::Password if is_quoted && is_linked && value.chars().count() >= 3 => Kind::Password,
        Form::Password if is_strong(value) && (is_linked || value.len() >= 8) => Kind::Password,
        Form::Password if is_linked && is_number(value, 4, 12) => Kind::Password,
        Form::Password if is_linked && is_plain_password(text, folded, &span) => Kind::Password,
        Form::Login if is_linked && is_quoted && is_strong(value) => Kind::Password,
        Form::Code if is_number(value, 3, 8) && (is_linked || value.len() >= 4) => Kind::Code,
        Form::Key if is_linked && is_random(value, 12) || is_random(value, 20) => Kind::Key,
        Form::Phrase if is_linked => return phrase(text, start),
        _ => return None,
    };
    Some(Secret { span, kind })
}

/// Where the value begins: after the first linking word in the same sentence, near by.
fn linked(folded: &str, after: usize) -> Option<usize> {
    let rest = folded.get(after..)?;
    for (seen, (at, ch)) in rest.char_indices().enumerate() {
        if seen > GAP || matches!(ch, '\n' | '.' | ',' | ';' | '?' | '!' | '。' | '，' | '；') {
            return None;
        }
        let here = rest.get(at..)?;
        let before = rest.get(..at).and_then(|head| head.chars().next_back());
        for link in LINKS {
            let Some(tail) = here.strip_prefix(link) else {
                continue;
            };
            let is_word = link.starts_with(|first: char| first.is_ascii_alphabetic());
            let apart = !is_word
                || before.is_none_or(|before| !before.is_ascii_alphanumeric())
                    && tail.starts_with(|next: char| {
                        next.is_whitespace() || matches!(next, ':' | '=' | '"')
                    });
            if apart {
                let tail = tail.trim_start_matches(|ch: char| {
                    ch.is_whitespace() || matches!(ch, ':' | '=' | '：')
                });
                return Some(folded.len() - tail.len());
            }
        }
    }
    None
}

/// The word that begins here, and whether it stands in quotation marks.
fn word(text: &str, start: usize) -> Option<(std::ops::Range<usize>, bool)> {
    let rest = text.get(start..)?;
    let first = rest.chars().next()?;
    let closing = match first {
        '"' | '\'' | '`' => Some(first),
        '“' => Some('”'),
        '‘' => Some('’'),
        '「' => Some('」'),
        '《' => Some('》'),
        _ => None,
    };
    if let Some(closing) = closing {
        let from = start + first.len_utf8();
        let inside = text.get(from..)?;
        let end = inside.find(closing).filter(|end| *end <= VALUE)?;
        let is_line = !inside.get(..end)?.contains('\n');
        return (end > 0 && is_line).then_some((from..from + end, true));
    }
    let end = run_end(text, start, |byte| byte.is_ascii_graphic() && byte != b'"');
    let value = text.get(start..end.min(start + VALUE))?;
    let value = value.trim_end_matches(['.', ',', ';', ':', '?', ')', '\'', '!']);
    // A final exclamation mark belongs to a password more often than to its sentence.
    let bang = text.get(start + value.len()..)?.starts_with('!') && is_strong(value);
    let end = start + value.len() + usize::from(bang);
    (end > start).then_some((start..end, false))
}

fn is_number(value: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// A word that nobody would write for its meaning: letters with digits or symbols inside.
fn is_strong(value: &str) -> bool {
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let symbols = value
        .bytes()
        .filter(|byte| {
            matches!(
                byte,
                b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'?' | b'~'
            )
        })
        .count();
    let upper_inside = value.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
        && value.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_address =
        value.contains("://") || value.contains('@') && value.contains('.') && digits == 0;
    value.len() >= 5
        && !is_address
        && (letters > 0 && (digits > 0 || symbols > 0)
            || digits > 0 && symbols > 0
            || upper_inside && value.len() >= 8)
        && !is_measure(value)
}

/// `12km`, `3rd`, `90s`: a number with a unit.
fn is_measure(value: &str) -> bool {
    let unit = value.trim_start_matches(|ch: char| ch.is_ascii_digit() || matches!(ch, '.' | ','));
    unit.len() < value.len()
        && unit.len() <= 3
        && unit.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// A long word of letters and digits mixed: no name, no number.
fn is_random(value: &str, least: usize) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
    let odd = value.bytes().any(|byte| {
        !byte.is_ascii_alphanumeric()
            && !matches!(byte, b'-' | b'_' | b'+' | b'/' | b'=' | b'.' | b'~')
    });
    value.len() >= least && digits >= 2 && letters >= 4 && !odd
}

/// What is said of passwords rather than being one.
const SAID_OF_IT: [&str; 70] = [
    "a", "an", "the", "in", "on", "at", "not", "my", "your", "our", "his", "her", "their", "its",
    "very", "too", "so", "really", "always", "never", "also", "only", "now", "still", "just",
    "wrong", "weak", "strong", "safe", "secure", "secret", "same", "different", "correct",
    "incorrect", "invalid", "valid", "old", "new", "long", "short", "easy", "hard", "simple",
    "required", "optional", "missing", "empty", "blank", "public", "private", "unknown", "known",
    "there", "here", "somewhere", "important", "confidential", "fine", "good", "bad", "ok", "okay",
    "gone", "lost", "what", "something", "in:", "up", "kept",
];

/// A single word of letters that ends the sentence, such as `sunshine`, and is none of what is said
/// of passwords.
fn is_plain_password(text: &str, folded: &str, span: &std::ops::Range<usize>) -> bool {
    let Some(value) = folded.get(span.clone()) else {
        return false;
    };
    let is_word = value.len() >= 4
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let is_said = SAID_OF_IT.contains(&value)
        || ["ed", "ing", "able", "ible", "ten", "len", "ly"]
            .iter()
            .any(|ending| value.ends_with(ending));
    let rest = text.get(span.end..).unwrap_or_default();
    let ends = rest.trim_start_matches([')', '"', '\'']);
    let ends = ends.is_empty() || ends.starts_with(['.', ',', ';', '!', '\n', '。', '，', '；']);
    is_word && !is_said && ends
}

/// Twelve words and more of lower-case letters.
fn phrase(text: &str, start: usize) -> Option<Secret> {
    let rest = text.get(start..)?;
    let quoted = rest.trim_start_matches(['"', '“', '\'']);
    let from = start + (rest.len() - quoted.len());
    let end = run_end(text, from, |byte| byte.is_ascii_lowercase() || byte == b' ');
    let words = text.get(from..end)?.trim_end();
    (words.split(' ').filter(|word| !word.is_empty()).count() >= 12).then(|| Secret {
        span: from..from + words.len(),
        kind: Kind::PrivateKey,
    })
}
