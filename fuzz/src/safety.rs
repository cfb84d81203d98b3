//! Texts with secrets and orders in them.

use super::dice::Dice;
use siltstone::memory::Facts;
use siltstone::safety::{SafetyConfig, secrets, suspicion};

const PIECES: [&str; 36] = [
    "password", "Passwort", "my pin", "密码", "验证码", "api key", "token", " is ", "是", ": ",
    "=", " -> ", "\"", "'", "`", "sk-", "ghp_", "eyJ", ".", "://", "@", ":",
    "-----BEGIN RSA PRIVATE KEY-----", "-----END ", "4111 1111 1111 1111", "0123456789",
    "AbC123xyZ", "[masked password]", " ", "\n", "，", "İ", "ﬀ", "seed phrase",
    "river candle orbit maple", "Kettle-42",
];

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let mut text = String::new();
    while !dice.is_spent() && text.len() < 16_000 {
        match dice.below(3) {
            0 => text.push_str(&dice.text()),
            _ => text.push_str(dice.pick(&PIECES)),
        }
    }
    let mut end = 0;
    for secret in secrets::find(&text) {
        assert!(secret.span.start >= end && secret.span.start < secret.span.end);
        assert!(text.get(secret.span.clone()).is_some(), "{text:?}");
        end = secret.span.end;
    }
    if let Some(masked) = secrets::mask(&text) {
        assert!(secrets::is_masked(&masked));
        assert_eq!(secrets::mask(&masked), None, "{text:?} -> {masked:?}");
    }
    let config = SafetyConfig::default();
    let facts = Facts::from_iter([
        (dice.text(), text.clone()),
        ("auth.password".to_owned(), text.clone()),
    ]);
    assert_eq!(config.masked_facts(&facts).len(), facts.len());
    assert_eq!(suspicion::reason(&text), suspicion::reason(&text));
}
