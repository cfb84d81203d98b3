//! Secrets that only what stands before them gives away: `password: …`, `my PIN is …`, `密码是…`.

use super::{Kind, Secret, run_end};
use crate::case::Lowercase;
use crate::words::{Words, words};

/// What may be named, in lower case, and which form its value must have.
const NAMES: &[(&str, Form)] = &[
    ("password", Form::Password),
    ("passwords", Form::Password),
    ("passwort", Form::Password),
    ("passwd", Form::Password),
    ("passphrase", Form::Password),
    ("passcode", Form::Password),
    ("pass code", Form::Code),
    ("pwd", Form::Password),
    ("pw", Form::Password),
    ("pass:", Form::Password),
    ("pass =", Form::Password),
    ("pass=", Form::Password),
    ("contraseña", Form::Password),
    ("mot de passe", Form::Password),
    ("senha", Form::Password),
    ("пароль", Form::Password),
    ("login", Form::Login),
    ("creds", Form::Login),
    ("credentials", Form::Login),
    ("now it's", Form::Again),
    ("now it is", Form::Again),
    ("new one is", Form::Again),
    ("现在是", Form::Again),
    ("新的是", Form::Again),
    ("密码", Form::Password),
    ("密碼", Form::Password),
    ("口令", Form::Password),
    ("パスワード", Form::Password),
    ("비밀번호", Form::Password),
    ("pin", Form::Code),
    ("pin code", Form::Code),
    ("pin number", Form::Code),
    ("puk", Form::Code),
    ("combination", Form::Code),
    ("backup code", Form::Code),
    ("backup codes", Form::Code),
    ("recovery code", Form::Code),
    ("recovery codes", Form::Code),
    ("keypad", Form::Code),
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
    ("card number", Form::Number),
    ("卡号", Form::Number),
    ("social security number", Form::Number),
    ("ssn", Form::Number),
    ("session=", Form::Key),
    ("sessionid=", Form::Key),
    ("sid=", Form::Key),
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
    /// A password that takes the place of one in the same text.
    Again,
    Code,
    /// A number of nine digits and more.
    Number,
    Key,
    Phrase,
}

/// What may stand between a name and its value.
const LINKS: Words = words![
    "used to be", "'s", "’s", "- ", "– ", "— ", "it's", "it is", "as", "es", "est", "is now",
    "is still", "is just", "was changed to", "changed to", "is set to", "set to", "is", "are",
    "was", "=", ":", "：", "->", "→", "改成了", "改为", "改成", "是", "为", "就是", "ist",
];

/// Characters between a name and the word that links it to its value: `password for the old router is`.
const GAP: usize = 40;
/// Bytes of a value at most.
const VALUE: usize = 160;

#[inline(never)]
pub(super) fn find(text: &str) -> Vec<Secret> {
    let lower = text.lowercase();
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
        // The name in a mark is no name: what is masked stays as it is.
        if let Some(mark) = mark_end(&folded, at) {
            from = mark;
            continue;
        }
        let Some((name, form)) = name_at(&folded, at) else {
            continue;
        };
        if form == Form::Again && found.is_empty() {
            continue;
        }
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

/// Where a mark such as `[masked key]` ends, when its first word begins here.
fn mark_end(text: &str, at: usize) -> Option<usize> {
    let is_mark = text.get(..at)?.ends_with('[') && text.get(at..)?.starts_with("masked ");
    let rest = text.get(at..text.floor_char_boundary(at + 40))?;
    is_mark.then(|| Some(at + rest.find(']')?))?
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
const OTHER_THINGS: Words = words![
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
    if form == Form::Login
        && let Some(span) = second_word(text, start)
    {
        let kind = Kind::Password;
        return is_strong(text.get(span.clone())?).then_some(Secret { span, kind });
    }
    let (mut span, is_quoted) = word(text, start)?;
    if matches!(form, Form::Key | Form::Code | Form::Number) && !is_quoted {
        let whole = text.get(span.clone())?;
        let end = whole.find([';', ',', '&', '"', '|']).unwrap_or(whole.len());
        span.end = span.start + end;
    }
    let value = text.get(span.clone())?;
    if super::is_masked(value) {
        return None;
    }
    // `PASSWORD=letmein`, `password:letmein`: a setting rather than a sentence.
    let is_setting = start == after + 1 && matches!(rest.bytes().next(), Some(b'=' | b':'));
    // In scripts without spaces a value may follow its name at once.
    let is_joined = !folded.get(..after)?.ends_with(|last: char| last.is_ascii());
    // `4111 … cvv 387`: three digits are enough after these.
    let named = folded.get(..after)?;
    let is_card_code = ["cvv", "cvc", "cvv2", "安全码"]
        .iter()
        .any(|name| named.ends_with(name));
    let kind = match form {
        Form::Password if is_quoted && is_linked && value.chars().count() >= 3 => Kind::Password,
        Form::Password if is_strong(value) && (is_linked || value.len() >= 8) => Kind::Password,
        Form::Password if is_linked && is_hyphened(value) => Kind::Password,
        Form::Password if (is_linked || is_joined) && is_number(value, 4, 12) => Kind::Password,
        Form::Password if is_linked && is_plain_password(text, folded, &span, is_setting) => {
            Kind::Password
        }
        Form::Again if is_strong(value) => Kind::Password,
        Form::Login if is_linked && is_quoted && is_strong(value) => Kind::Password,
        Form::Code if is_code(value) && (is_linked || is_card_code || value.len() >= 4) => {
            Kind::Code
        }
        Form::Password | Form::Code if is_linked || is_joined => return grouped(text, start, form),
        Form::Number if is_long_number(value) => Kind::Number,
        Form::Key if is_linked && is_random(value, 12) || is_random(value, 20) => Kind::Key,
        Form::Phrase if is_linked => return phrase(text, start),
        _ => return None,
    };
    Some(Secret { span, kind })
}

/// The password of `name / password`, `name:password`.
fn second_word(text: &str, start: usize) -> Option<std::ops::Range<usize>> {
    let (first, _) = word(text, start)?;
    let whole = text.get(first.clone())?;
    if let Some((name, password)) = whole.split_once([':', '/'])
        && !name.is_empty()
        && !password.is_empty()
    {
        return Some(first.start + name.len() + 1..first.end);
    }
    let rest = text.get(first.end..)?;
    let next = rest.trim_start();
    let next = next
        .strip_prefix(['/', '|', ':', ','])
        .or_else(|| next.strip_prefix("and "))?;
    let next = next.trim_start();
    word(text, text.len() - next.len()).map(|(span, _)| span)
}

/// Where the value begins: after the first linking word in the same sentence, near by.
fn linked(folded: &str, after: usize) -> Option<usize> {
    let rest = folded.get(after..)?;
    for (seen, (at, ch)) in rest.char_indices().enumerate() {
        let here = rest.get(at..)?;
        // `my PIN? it's 4821`: the answer to one's own question.
        let asks = matches!(ch, '?' | '？') && {
            let answer = here.get(ch.len_utf8()..)?.trim_start();
            answer.starts_with("it's ") || answer.starts_with("it is ") || answer.starts_with('是')
        };
        let ends = matches!(
            ch,
            '\n' | '.' | ',' | ';' | '?' | '？' | '!' | '。' | '，' | '；'
        );
        if seen > GAP || ends && !asks {
            return None;
        }
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
            // `as` links only to what is quoted: `the password as usual` tells none.
            let is_told = link != "as" || tail.trim_start().starts_with(['"', '\'', '`', '“']);
            if apart && is_told {
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
        let inside = text.get(from..text.floor_char_boundary(from + VALUE))?;
        let end = inside.find(closing)?;
        let is_line = !inside.get(..end)?.contains('\n');
        return (end > 0 && is_line).then_some((from..from + end, true));
    }
    let is_part = |ch: &char| match ch {
        '"' => false,
        // Latin letters with marks: `Käse_Brot7`.
        '\u{c0}'..='\u{24f}' => true,
        ch => ch.is_ascii_graphic(),
    };
    let length: usize = rest
        .chars()
        .take(VALUE)
        .take_while(is_part)
        .map(char::len_utf8)
        .sum();
    let value = rest.get(..length)?;
    let value = value.trim_end_matches(['.', ',', ';', ':', '?', ')', '\'', '!']);
    // A final exclamation mark belongs to a password more often than to its sentence.
    let bang = text.get(start + value.len()..)?.starts_with('!') && is_strong(value);
    let end = start + value.len() + usize::from(bang);
    (end > start).then_some((start..end, false))
}

fn is_number(value: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit())
}

/// `4821`, `2580*`, `558-204`.
fn is_code(value: &str) -> bool {
    let digits = value.trim_end_matches(['#', '*']);
    let inner = digits.trim_matches('-');
    inner.len() == digits.len()
        && is_number(&digits.replace('-', ""), 3, 8)
        && digits.split('-').all(|group| !group.is_empty())
        && digits.split('-').count() <= 3
}

/// `536-22-8147`, nine digits to nineteen.
fn is_long_number(value: &str) -> bool {
    is_number(&value.replace('-', ""), 9, 19)
}

/// Three words and more joined by hyphens: `correct-horse-battery-staple`.
fn is_hyphened(value: &str) -> bool {
    let is_word =
        |word: &str| word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    value.split('-').count() >= 4 && value.split('-').all(is_word)
}

/// `abcd efgh ijkl mnop`, `8f2k-9qmz 1x7v-4ltp`: groups of one length to the end of the sentence.
fn grouped(text: &str, start: usize, form: Form) -> Option<Secret> {
    let rest = text.get(start..)?;
    let line: usize = rest
        .chars()
        .take(VALUE)
        .take_while(|ch| ch.is_ascii_alphanumeric() || matches!(ch, ' ' | '-'))
        .map(char::len_utf8)
        .sum();
    let groups = rest.get(..line)?.trim_end();
    let after = rest.get(groups.len()..)?.trim_start();
    let ends = after.is_empty() || after.starts_with(['.', ',', ';', '!', '\n', ')']);
    let mut words = groups.split([' ', '-']);
    let length = words.next()?.len();
    let alike = words.clone().count() >= 2 && words.all(|word| word.len() == length);
    (ends && alike && (4..=6).contains(&length)).then(|| Secret {
        span: start..start + groups.len(),
        kind: if form == Form::Code {
            Kind::Code
        } else {
            Kind::Password
        },
    })
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
const SAID_OF_IT: Words = words![
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
fn is_plain_password(
    text: &str,
    folded: &str,
    span: &std::ops::Range<usize>,
    is_setting: bool,
) -> bool {
    let Some(value) = folded.get(span.clone()) else {
        return false;
    };
    let is_word = value.len() >= 4
        && value
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    let is_said = SAID_OF_IT.contains(value)
        || ["ed", "ing", "able", "ible", "ten", "len", "ly"]
            .iter()
            .any(|ending| value.ends_with(ending));
    let rest = text.get(span.end..).unwrap_or_default();
    let ends = rest.trim_start_matches([')', '"', '\'']);
    let ends = ends.is_empty() || ends.starts_with(['.', ',', ';', '!', '\n', '。', '，', '；']);
    is_word && !is_said && (ends || is_setting)
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
