//! Keys of the store: no two tuples of ids give one key, and their order is kept.

use super::dice::Dice;
use siltstone::key::{Key, last_part, parts};

fn encode(of: &[String]) -> String {
    let first = of.first().map(String::as_str).unwrap_or_default();
    of.iter()
        .skip(1)
        .fold(Key::new(first), |key, part| key.part(part))
        .build()
}

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let mut tuple = || -> Vec<String> {
        let length = 1 + dice.below(4);
        (0..length)
            .map(|_| match dice.below(3) {
                0 => dice
                    .pick(&[
                        "!", "\"", "#", "~", "}", "-", "#21", "~FF", "\u{0}", "é", "",
                    ])
                    .to_owned(),
                _ => dice.text(),
            })
            .collect()
    };
    let (a, b) = (tuple(), tuple());
    let (key_a, key_b) = (encode(&a), encode(&b));
    assert_eq!(key_a.cmp(&key_b), a.cmp(&b));
    assert!(key_a.bytes().all(|byte| (0x21..0x7f).contains(&byte)));
    assert_eq!(parts(&key_a).as_ref(), Some(&a));
    assert_eq!(last_part(&key_a).as_ref(), a.last());
    let (start, end) = Key::new(&a[0]).children();
    assert_eq!(
        start <= key_b && key_b < end,
        b.len() > 1 && b[0] == a[0],
        "{a:?} {b:?}"
    );
    // Whatever a host gives back as a key, it is read or refused.
    let stored = dice.text();
    if let Some(parts) = parts(&stored) {
        assert!(!parts.is_empty());
    }
}
