//! Texts to count: exactly what tiktoken counts, whatever the bytes are.

use siltstone::config::TokensConfig;
use siltstone::message::{Message, Role};
use siltstone::tokens::{PRIMING, Tokens, counter};

/// Bytes that tiktoken is asked about; it needs longer than that for a longer run.
const COMPARED: usize = 4_096;

pub fn run(data: &[u8]) {
    let (times, data) = match data.split_first() {
        // Some runs are long, which is where a count that is not linear shows.
        Some((first, rest)) if *first > 250 => (4_000, rest),
        _ => (1, data),
    };
    let text = String::from_utf8_lossy(data).repeat(times);
    for (encoding, reference) in [
        ("o200k_base", tiktoken_rs::o200k_base_singleton()),
        ("cl100k_base", tiktoken_rs::cl100k_base_singleton()),
    ] {
        let count = counter(encoding)
            .and_then(|counter| counter.count(&text))
            .unwrap_or_else(|error| unreachable!("{encoding}: {error}"));
        assert!(count <= text.len() && (count == 0) == text.is_empty());
        if text.len() <= COMPARED {
            assert_eq!(
                count,
                reference.encode_ordinary(&text).len(),
                "{encoding}: {text:?}"
            );
        }
    }
    sums(&text);
}

/// What messages cost together is what each costs.
fn sums(text: &str) {
    let config = TokensConfig::default();
    let Ok(tokens) = Tokens::new(&config) else {
        unreachable!("the default encoding is known")
    };
    let half = text.floor_char_boundary(text.len() / 2);
    let messages = [
        Message::new(Role::User, &text[..half]),
        Message::new(Role::Assistant, &text[half..]),
    ];
    let each: usize = messages
        .iter()
        .map(|message| tokens.message(message).unwrap_or(usize::MAX))
        .sum();
    assert_eq!(tokens.messages(&messages).ok(), Some(each + PRIMING));
}
