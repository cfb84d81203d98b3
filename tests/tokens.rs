//! Counts are those of tiktoken-rs, over every block of Unicode and text made to break splitters.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use siltstone::tokens::{Counter, counter};
use std::rc::Rc;
use tiktoken_rs::CoreBPE;

/// Debug builds check a share of what release builds check.
const STEP: usize = if cfg!(debug_assertions) { 8 } else { 1 };

struct Pair(&'static str, Rc<dyn Counter>, CoreBPE);

fn pairs() -> [Pair; 2] {
    [
        Pair(
            "o200k_base",
            counter("o200k_base").unwrap(),
            tiktoken_rs::o200k_base().unwrap(),
        ),
        Pair(
            "cl100k_base",
            counter("cl100k_base").unwrap(),
            tiktoken_rs::cl100k_base().unwrap(),
        ),
    ]
}

impl Pair {
    fn check(&self, text: &str) {
        let expected = self.2.encode_ordinary(text).len();
        let shown: String = text.chars().take(120).collect();
        assert_eq!(
            self.1.count(text).unwrap(),
            expected,
            "{}: {shown:?}",
            self.0
        );
    }
}

/// A small generator with a fixed seed: the same texts at every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn any_char(&mut self) -> char {
        let planes = [0x80, 0x800, 0x3000, 0x1_0000, 0x2_0000, 0x11_0000];
        let limit = planes[self.below(planes.len())];
        char::from_u32(self.below(limit) as u32).unwrap_or('\u{fffd}')
    }
}

const FRAGMENTS: &[&str] = &[
    " ", "  ", "\t", "\n", "\r\n", "\r", "\u{a0}", "\u{3000}", "\u{2028}", "\u{feff}", "\u{200b}",
    "\u{85}", "a", "A", "ab", "Ab", "AB", "é", "É", "ß", "ǅ", "ʰ", "ª", "中", "文字", "ひ", "カ",
    "한국", "ก", "ा", "\u{301}", "'", "'s", "'S", "'ſ", "'t", "'RE", "'ve", "'Ll", "'d", "'m",
    "’s", "1", "12", "1234", "٣", "½", "Ⅷ", "²", "/", "//", "!", "!!", ".", ",", "-", "_", "{",
    "}", "\"", "\\", "<|endoftext|>", "<|fim_prefix|>", "<|endofprompt|>", "😀", "👨‍👩‍👧", "🏳️‍🌈", "🇨🇳",
    "👍🏽", "\u{200d}", "\u{fe0f}", "hello", " world", "The", "function", "0x1F",
];

#[test]
fn every_assigned_block() {
    for pair in pairs() {
        let mut block = String::new();
        for code in 0..0x11_0000u32 {
            block.extend(char::from_u32(code));
            if code % 64 == 63 {
                pair.check(&block);
                block.clear();
            }
        }
    }
}

#[test]
fn every_character_between_others() {
    for pair in pairs() {
        for code in (0..0x3_2400u32).chain(0xE_0000..0xE_0200).step_by(STEP) {
            if let Some(ch) = char::from_u32(code) {
                pair.check(&format!("a{ch}b {ch}C{ch}1 {ch}\n{ch}"));
            }
        }
    }
}

#[test]
fn fragments_in_any_order() {
    let mut random = Random(1);
    let pairs = pairs();
    for _ in 0..40_000 / STEP {
        let count = 1 + random.below(14);
        let text: String = (0..count).map(|_| random.pick(FRAGMENTS)).collect();
        for pair in &pairs {
            pair.check(&text);
        }
    }
}

#[test]
fn characters_in_any_order() {
    let mut random = Random(2);
    let pairs = pairs();
    for _ in 0..20_000 / STEP {
        let count = 1 + random.below(40);
        let text: String = (0..count).map(|_| random.any_char()).collect();
        for pair in &pairs {
            pair.check(&text);
        }
    }
}

/// Ranges of characters that words are written in, those that make up long pieces first.
const SCRIPTS: &[(u32, u32)] = &[
    (0x4e00, 0x9fff),
    (0x4e00, 0x5200),
    (0x3040, 0x30ff),
    (0xac00, 0xd7a3),
    (0x400, 0x4ff),
    (0x370, 0x3ff),
    (0x590, 0x5ff),
    (0x600, 0x6ff),
    (0x900, 0x97f),
    (0xe00, 0xe7f),
    (0x10a0, 0x10ff),
    (0x1780, 0x17ff),
    (0xc0, 0x24f),
    (0x2000, 0x2bff),
    (0xff00, 0xffef),
    (0x2_0000, 0x2_a6df),
    (0x1f300, 0x1faff),
    (0x1d400, 0x1d7ff),
];

#[test]
fn runs_of_one_script_and_its_neighbours() {
    let mut random = Random(5);
    let pairs = pairs();
    for _ in 0..24_000 / STEP {
        let mut text = String::new();
        for _ in 0..1 + random.below(3) {
            let (first, last) = SCRIPTS[random.below(SCRIPTS.len())];
            let size = last - first + 1;
            for _ in 0..1 + random.below(60) {
                text.extend(char::from_u32(first + random.below(size as usize) as u32));
            }
            if random.below(2) == 0 {
                text.push_str(random.pick(FRAGMENTS));
            }
        }
        for pair in &pairs {
            pair.check(&text);
        }
    }
}

#[test]
fn random_bytes_as_lossy_text() {
    let mut random = Random(6);
    let pairs = pairs();
    for _ in 0..20_000 / STEP {
        // Bytes of UTF-8 that are often well-formed, so that rare characters come up as well.
        let bytes: Vec<u8> = (0..1 + random.below(120))
            .map(|_| [0x80, 0xc0, 0xe0, 0x00, 0xf0][random.below(5)] | random.below(64) as u8)
            .collect();
        let text = String::from_utf8_lossy(&bytes);
        for pair in &pairs {
            pair.check(&text);
        }
    }
}

#[test]
fn a_count_to_a_limit_is_the_count_or_nothing() {
    let mut random = Random(7);
    let pairs = pairs();
    for _ in 0..4_000 / STEP {
        let text: String = (0..random.below(40))
            .map(|_| random.pick(FRAGMENTS))
            .collect();
        for Pair(name, counter, _) in &pairs {
            let count = counter.count(&text).unwrap();
            for limit in [0, count.saturating_sub(1), count, count + 1, usize::MAX] {
                let within = counter.count_to(&text, limit).unwrap();
                assert_eq!(
                    within,
                    (count <= limit).then_some(count),
                    "{name} {limit}: {text:?}"
                );
            }
        }
    }
}

#[test]
fn runs_long_enough_for_the_merge_to_matter() {
    let units = [
        "a", "aB", "中文", "😀", "=", "-=", "\n", " \n", "0", "e\u{301}", "Aa1/", "'s", "ab ",
    ];
    for pair in pairs() {
        for unit in units {
            for length in [1, 2, 3, 7, 63, 64, 100, 129, 500, 5_000] {
                pair.check(&unit.repeat(length));
                pair.check(&format!("{}x", unit.repeat(length)));
            }
        }
    }
}

#[test]
fn runs_beside_runs() {
    let sets: [&[&str]; 6] = [
        &["a", "b", "s"],
        &["=", "-", "/", "*", "#"],
        &[" ", "\t", "\u{a0}"],
        &["中", "文", "の", "한"],
        &["é", "ß", "д", "e"],
        &["\n", "\r", " "],
    ];
    let mut random = Random(8);
    let pairs = pairs();
    for round in 0..6_000 / STEP {
        let set = sets[round % sets.len()];
        let runs = 1 + random.below(5);
        let text: String = (0..runs)
            .map(|_| {
                let most = 1 << (1 + random.below(8));
                let length = 1 + random.below(most);
                random.pick(set).repeat(length)
            })
            .collect();
        for pair in &pairs {
            pair.check(&text);
        }
    }
}

#[test]
fn random_base64_and_source() {
    let mut random = Random(3);
    let alphabet: Vec<char> = ('A'..='Z')
        .chain('a'..='z')
        .chain('0'..='9')
        .chain(['+', '/'])
        .collect();
    for pair in pairs() {
        for _ in 0..20usize.div_ceil(STEP) {
            let text: String = (0..20_000)
                .map(|_| alphabet[random.below(alphabet.len())])
                .collect();
            pair.check(&text);
            let lower: String = (0..2_000)
                .map(|_| alphabet[26 + random.below(26)])
                .collect();
            pair.check(&lower);
        }
        for source in [
            include_str!("tokens.rs"),
            include_str!("../Cargo.lock"),
            include_str!("../src/config.rs"),
        ] {
            pair.check(source);
        }
    }
}

#[test]
fn the_estimate_keeps_its_bound() {
    let estimate = counter("estimate").unwrap();
    let (mut random, pairs) = (Random(4), pairs());
    for round in 0..20_000 / STEP {
        let count = 1 + random.below(30);
        let text: String = match round % 3 {
            0 => (0..count).map(|_| random.pick(FRAGMENTS)).collect(),
            1 => (0..count).map(|_| random.any_char()).collect(),
            _ => (0..count)
                .map(|_| char::from(b'!' + random.below(94) as u8))
                .collect(),
        };
        let bound = estimate.count(&text).unwrap() * siltstone::tokens::Estimate::WORST;
        for pair in &pairs {
            assert!(
                pair.1.count(&text).unwrap() <= bound,
                "{}: {text:?}",
                pair.0
            );
        }
    }
}

/// The rows that `crates/tokens/src/estimate.rs` states, in hundredths rounded down: estimate ÷ exact count.
#[test]
fn the_estimate_is_as_far_off_as_its_documentation_says() {
    #[derive(serde::Deserialize)]
    struct Sample {
        script: String,
        text: String,
    }
    let stated = include_str!("../crates/tokens/src/estimate.rs");
    let samples: Vec<Sample> = serde_json::from_str(include_str!("data/scripts.json")).unwrap();
    let (estimate, pairs) = (counter("estimate").unwrap(), pairs());
    let missing: Vec<String> = samples
        .iter()
        .map(|Sample { script, text }| {
            let hundredths =
                |pair: &Pair| 100 * estimate.count(text).unwrap() / pair.1.count(text).unwrap();
            let [o200k, cl100k] = [0, 1].map(|at| hundredths(&pairs[at]));
            let number = |hundredths| format!("{}.{:02}", hundredths / 100, hundredths % 100);
            format!("//! | {script} | {} | {} |", number(o200k), number(cl100k))
        })
        .filter(|row| !stated.contains(row.as_str()))
        .collect();
    assert!(missing.is_empty(), "not stated:\n{}", missing.join("\n"));
}

#[test]
fn an_unknown_encoding_is_named() {
    let error = counter("p50k").err().unwrap();
    assert_eq!(error.code.as_str(), "unknown_encoding");
    assert!(error.message.contains("p50k"));
}

#[test]
fn long_white_space_has_its_closed_form() {
    // The patterns of tiktoken-rs give up here, so the expected counts are built from shorter runs.
    for pair in pairs() {
        let count = |text: &str| pair.1.count(text).unwrap();
        for unit in [" ", "\t", "\u{a0}"] {
            let (short, long) = (count(&unit.repeat(1_024)), count(&unit.repeat(1_024_000)));
            assert!(
                long <= short * 1_000 && long * 2 > short * 1_000,
                "{} {unit:?}",
                pair.0
            );
            pair.check(&unit.repeat(9_000));
        }
    }
}
