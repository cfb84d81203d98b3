//! Keys and tokens that show what they are: the prefixes that services give them, JSON web tokens,
//! PEM blocks, passwords in addresses.

use super::{Kind, Secret, is_token, run_end};
use crate::gather::Gather;
use crate::gather::Push;
use crate::words::{Words, words};

/// Prefixes, each with the characters that follow at least. Sources: the services' own
/// documentation of their key formats, as collected by secret scanners.
const PREFIXES: [(&str, usize); 48] = [
    ("sk-ant-", 20),
    ("sk-proj-", 20),
    ("sk-or-", 20),
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("rk_test_", 16),
    ("pk_live_", 16),
    ("whsec_", 20),
    ("ghp_", 30),
    ("gho_", 30),
    ("ghu_", 30),
    ("ghs_", 30),
    ("ghr_", 30),
    ("github_pat_", 30),
    ("glpat-", 18),
    ("xoxb-", 16),
    ("xoxp-", 16),
    ("xoxa-", 16),
    ("xoxr-", 16),
    ("xoxs-", 16),
    ("xapp-", 16),
    ("AKIA", 16),
    ("ASIA", 16),
    ("AIza", 30),
    ("ya29.", 20),
    ("GOCSPX-", 20),
    ("SG.", 30),
    ("npm_", 30),
    ("pypi-", 30),
    ("hf_", 28),
    ("dop_v1_", 32),
    ("doo_v1_", 32),
    ("shpat_", 28),
    ("shpss_", 28),
    ("EAAC", 60),
    ("key-", 32),
    ("lin_api_", 30),
    ("ntn_", 30),
    ("figd_", 30),
    ("r8_", 30),
    ("gsk_", 30),
    ("pplx-", 30),
    ("tvly-", 20),
    ("dapi", 32),
    ("AGE-SECRET-KEY-", 30),
    ("vercel_", 20),
];

const PEM: &str = "-----BEGIN ";

#[inline(never)]
pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let starts_word = at == 0 || bytes.get(at - 1).is_none_or(|before| !is_token(*before));
        let secret = if starts_word && bytes.get(at).is_some_and(u8::is_ascii) {
            prefixed(text, at)
                .or_else(|| web_token(text, at))
                .or_else(|| bot_token(text, at))
        } else {
            None
        };
        // Whatever stands before it, a block is one.
        let secret = secret.or_else(|| pem(text, at));
        match secret {
            Some(secret) => {
                at = secret.span.end.max(at + 1);
                found.push(secret);
            }
            None => at += 1,
        }
    }
    found.push_all(in_addresses(text));
    found.push_all(webhooks(text));
    found
}

fn key(start: usize, end: usize) -> Option<Secret> {
    Some(Secret {
        span: start..end,
        kind: Kind::Key,
    })
}

fn prefixed(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    let (prefix, least) = PREFIXES
        .iter()
        .find(|(prefix, _)| rest.starts_with(prefix))?;
    let from = at + prefix.len();
    let dotted = matches!(*prefix, "ya29." | "SG.");
    let end = run_end(text, from, |byte| is_token(byte) || dotted && byte == b'.');
    let tail = text.get(from..end)?;
    // Words joined by hyphens look like a tail, too: `sk-learn-and-other-packages`.
    let has = |is: fn(&u8) -> bool| tail.bytes().any(|byte| is(&byte));
    let is_random = has(u8::is_ascii_digit)
        || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && !tail.contains('-');
    (tail.len() >= *least && is_random).then(|| key(at, end))?
}

/// `header.payload.signature`, each base64url, the first two of JSON.
fn web_token(text: &str, at: usize) -> Option<Secret> {
    let part = |start: usize, lead: &str| {
        let end = run_end(text, start, is_token);
        let is_part = end - start >= 10 && text.get(start..)?.starts_with(lead);
        is_part.then_some(end)
    };
    let dot = |at: usize| (text.as_bytes().get(at) == Some(&b'.')).then_some(at + 1);
    let header = part(at, "eyJ")?;
    let payload = part(dot(header)?, "eyJ")?;
    let signature = part(dot(payload)?, "")?;
    key(at, signature)
}

/// A bot's token: `123456789:` and 35 characters.
fn bot_token(text: &str, at: usize) -> Option<Secret> {
    let colon = run_end(text, at, |byte| byte.is_ascii_digit());
    if !(8..=10).contains(&(colon - at)) || text.as_bytes().get(colon) != Some(&b':') {
        return None;
    }
    let end = run_end(text, colon + 1, is_token);
    (end - colon - 1 == 35).then(|| key(at, end))?
}

fn pem(text: &str, at: usize) -> Option<Secret> {
    let rest = text.get(at..)?;
    let head = rest.strip_prefix(PEM)?;
    let label = head.get(..head.find("-----")?)?;
    if label.len() > 40 || !label.ends_with("PRIVATE KEY") {
        return None;
    }
    let closing = format!("-----END {label}-----");
    // One that was cut off is masked to its end.
    let end = rest
        .find(&closing)
        .map_or(text.len(), |found| at + found + closing.len());
    Some(Secret {
        span: at..end,
        kind: Kind::PrivateKey,
    })
}

/// What follows the address of a service's webhooks: whoever knows it may post.
fn webhooks(text: &str) -> Vec<Secret> {
    const ROOTS: Words = words![
        "hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/",
    ];
    let of_root = |root: &'static str| {
        text.match_indices(root).filter_map(move |(at, _)| {
            let from = at + root.len();
            let end = run_end(text, from, |byte| is_token(byte) || byte == b'/');
            (end - from >= 20).then(|| key(from, end))?
        })
    };
    ROOTS.into_iter().flat_map(of_root).gather()
}

/// The password in `scheme://user:password@host`.
fn in_addresses(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("://") {
        let start = at + 3;
        let is_part = |byte: u8| {
            byte.is_ascii_graphic() && !matches!(byte, b'/' | b'"' | b'\'' | b'<' | b'>')
        };
        let end = run_end(text, start, is_part);
        let Some(authority) = text.get(start..end) else {
            continue;
        };
        let Some((user, _)) = authority.rsplit_once('@') else {
            continue;
        };
        if let Some((name, password)) = user.split_once(':')
            && !password.is_empty()
        {
            let from = start + name.len() + 1;
            found.push(Secret {
                span: from..from + password.len(),
                kind: Kind::Password,
            });
        }
    }
    found
}
