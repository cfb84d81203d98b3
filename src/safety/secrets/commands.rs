//! Passwords that commands are given: `curl -u name:password`, `mysql -ppassword`.

use super::{Kind, Secret, run_end};
use crate::gather::Push;

/// Commands, their flag, and whether the password comes after a name and a colon.
const FLAGS: [(&str, &str, bool); 8] = [
    ("curl", " -u ", true),
    ("curl", " --user ", true),
    ("wget", " --password=", false),
    ("sshpass", " -p ", false),
    ("sshpass", " -p", false),
    ("mysql", " -p", false),
    ("mysqldump", " -p", false),
    ("redis-cli", " -a ", false),
];

/// Bytes of one command that are looked at.
const COMMAND: usize = 512;

#[inline(never)]
pub(super) fn find(text: &str) -> Vec<Secret> {
    let mut found = Vec::new();
    for (command, flag, is_named) in FLAGS {
        for (at, _) in text.match_indices(command) {
            let from = at + command.len();
            let line = text.get(from..text.floor_char_boundary(from + COMMAND));
            let line = line
                .and_then(|line| line.lines().next())
                .unwrap_or_default();
            let Some(place) = line.find(flag) else {
                continue;
            };
            found.push_all(password(text, from + place + flag.len(), is_named));
        }
    }
    found
}

fn password(text: &str, start: usize, is_named: bool) -> Option<Secret> {
    let quote = text
        .get(start..)?
        .chars()
        .next()
        .filter(|ch| matches!(ch, '\'' | '"'));
    let from = start + usize::from(quote.is_some());
    let end = run_end(text, from, |byte| match quote {
        Some(quote) => byte.is_ascii() && char::from(byte) != quote && byte != b'\n',
        None => byte.is_ascii_graphic(),
    });
    let word = text.get(from..end)?;
    let lead = if is_named { word.find(':')? + 1 } else { 0 };
    let is_password = word.len() - lead >= 4 && !word.starts_with(['-', '[']);
    is_password.then_some(Secret {
        span: from + lead..end,
        kind: Kind::Password,
    })
}
