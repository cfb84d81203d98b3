//! How well secrets and orders are told from what is neither, on chat lines written for that: the
//! lines of even number guided the detectors, those of odd number only measure them.

use serde::Deserialize;
use siltstone::safety::{secrets, suspicion};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    text: String,
    /// What must not be left of it.
    #[serde(default)]
    secret: Vec<String>,
    /// What must be.
    #[serde(default)]
    keep: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ordered {
    text: String,
    suspicious: bool,
}

#[derive(Default)]
struct Tally {
    hits: u32,
    missed: Vec<String>,
    wrong: Vec<String>,
}

impl Tally {
    fn precision(&self) -> f64 {
        f64::from(self.hits) / (f64::from(self.hits) + self.wrong.len() as f64)
    }

    fn recall(&self) -> f64 {
        f64::from(self.hits) / (f64::from(self.hits) + self.missed.len() as f64)
    }

    fn told(&self, what: &str) -> String {
        let (precision, recall) = (self.precision(), self.recall());
        format!("{what}: precision {precision:.3} recall {recall:.3}")
    }
}

/// Every second line.
fn half<T>(lines: &[T], first: usize) -> impl Iterator<Item = &T> {
    lines.iter().skip(first).step_by(2)
}

fn secrets_of(lines: &[Told], first: usize) -> Tally {
    let mut tally = Tally::default();
    for told in half(lines, first) {
        let masked = secrets::mask(&told.text);
        let shown = masked.as_deref().unwrap_or(&told.text);
        let is_hidden = told.secret.iter().all(|secret| !shown.contains(secret));
        let is_kept = told.keep.iter().all(|keep| shown.contains(keep));
        match (told.secret.is_empty(), is_hidden) {
            (true, _) if masked.is_some() => tally.wrong.push(shown.to_owned()),
            (true, _) => {}
            (false, false) => tally.missed.push(shown.to_owned()),
            (false, true) if !is_kept => tally.wrong.push(shown.to_owned()),
            (false, true) => tally.hits += 1,
        }
    }
    tally
}

fn orders_of(lines: &[Ordered], first: usize) -> Tally {
    let mut tally = Tally::default();
    for ordered in half(lines, first) {
        match (ordered.suspicious, suspicion::reason(&ordered.text)) {
            (true, Some(_)) => tally.hits += 1,
            (true, None) => tally.missed.push(ordered.text.clone()),
            (false, Some(why)) => tally.wrong.push(format!("{why:?}: {}", ordered.text)),
            (false, None) => {}
        }
    }
    tally
}

/// The tallies of both halves; what was wrong is shown for the first one only.
fn judged(what: &str, [guided, apart]: [Tally; 2], [precision, recall]: [f64; 2]) {
    println!("{}", guided.told(&format!("{what}, lines that guided")));
    println!("{}", apart.told(&format!("{what}, lines apart")));
    let faults = format!("missed {:#?} wrong {:#?}", guided.missed, guided.wrong);
    for tally in [&guided, &apart] {
        assert!(tally.precision() >= precision, "{faults}");
        assert!(tally.recall() >= recall, "{faults}");
    }
}

#[test]
fn secrets_in_chat_lines_are_masked() {
    let lines: Vec<Told> = serde_json::from_str(include_str!("../data/secrets.json")).unwrap();
    assert!(lines.len() > 200);
    let tallies = [0, 1].map(|first| secrets_of(&lines, first));
    judged("secrets", tallies, [0.97, 0.75]);
}

#[test]
fn orders_in_chat_lines_are_seen() {
    let lines: Vec<Ordered> = serde_json::from_str(include_str!("../data/suspicion.json")).unwrap();
    assert!(lines.len() > 100);
    let tallies = [0, 1].map(|first| orders_of(&lines, first));
    judged("orders", tallies, [0.97, 0.8]);
}
