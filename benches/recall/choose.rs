//! Chooses the constants of the ranking anew without each conversation in turn, and measures what was
//! chosen on the one left out: `make ablation DATA=folder LOO=1`.
//!
//! A constant is judged by the mean over the columns that it can change, of which our own dialogues in
//! two languages are one: three quarters by the evidence found, one quarter by the sessions. Of the values that come within
//! `NEAR` of the best one the simplest is taken. The constants are gone through one by one, each
//! from its simplest value on, until none changes. A default has to be the median of what was chosen
//! without each conversation.

use crate::{Fallible, Set, Sums, measure, with};
use serde_json::{Value, json};
use siltstone::config::Config;
use siltstone::index::Tuning;
use std::collections::BTreeMap;

/// What a value may be worse than the best one, to be taken because it is simpler.
const NEAR: f64 = 0.001;
/// Times that all constants are gone through, at most.
const ROUNDS: usize = 2;

/// Which columns a constant can change.
#[derive(Clone, Copy, PartialEq)]
enum Columns {
    All,
    Hybrid,
    Told,
    ToldHybrid,
    /// Only our own dialogues hold slips of the pen.
    Slips,
}

impl Columns {
    fn have(self, set: &Set<'_>) -> bool {
        match self {
            Self::Slips => set.is_mistyped,
            _ if set.is_mistyped => false,
            Self::All => true,
            Self::Hybrid => set.is_hybrid,
            Self::Told => set.is_told,
            Self::ToldHybrid => set.is_told && set.is_hybrid,
        }
    }
}

/// What may be chosen, with the values to choose from: the simplest one first, from which a choice
/// starts.
const CHOICES: &[(&str, Columns, &[f64])] = &[
    ("share", Columns::All, &[0.5, 0.3, 0.7]),
    ("session", Columns::All, &[0.5, 0.0, 0.7]),
    ("opening", Columns::All, &[1.0, 0.0, 0.8]),
    ("meaning", Columns::Hybrid, &[0.5, 0.4, 0.6]),
    ("again", Columns::Hybrid, &[0.0, 0.3]),
    ("usual", Columns::Hybrid, &[0.0, 1.0]),
    ("told", Columns::Told, &[1.0, 0.0, 0.5]),
    ("told_meaning", Columns::ToldHybrid, &[0.0, 0.25, 0.5, 1.0]),
    ("before", Columns::All, &[1.0, 1.2]),
    ("slips", Columns::Slips, &[0.0, 0.8]),
    ("session_best", Columns::All, &[1.0, 0.0]),
    ("session_k1", Columns::All, &[1.0, 2.0]),
    ("named_time", Columns::All, &[0.0, 1.0, 2.0]),
    ("when", Columns::All, &[0.0, 0.25, 0.5]),
];

type Picked = BTreeMap<&'static str, f64>;

struct Chooser<'a> {
    sets: &'a [Set<'a>],
    config: &'a Config,
    known: BTreeMap<String, Sums>,
}

impl Chooser<'_> {
    fn measure(&mut self, picked: &Picked, set: usize, at: usize) -> Fallible<Option<Sums>> {
        let task = self.sets.get(set).ok_or("no such set")?;
        // Our own dialogues are one conversation, which is never left out.
        let at = if task.conversations.len() == 1 { 0 } else { at };
        let Some(one) = task.conversations.get(at) else {
            return Ok(None);
        };
        let bears_on = |bears: &Columns| task.is_mistyped || bears.have(task);
        let bearing = CHOICES.iter().filter(|(_, bears, _)| bears_on(bears));
        let bearing: Vec<Option<&f64>> = bearing.map(|(name, _, _)| picked.get(name)).collect();
        let key = format!("{set} {at} {bearing:?}");
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let tuning = with(&Tuning::default(), &json!(picked))?;
        let sums = measure(one, &tuning, self.config, task.is_hybrid);
        self.known.insert(key, sums);
        Ok(Some(sums))
    }

    /// What was found in all conversations but the one left out, in the columns that a constant can
    /// change.
    fn worth(&mut self, picked: &Picked, bears: Columns, left: Option<usize>) -> Fallible<f64> {
        let mut columns: BTreeMap<&str, Sums> = BTreeMap::new();
        for (number, set) in self.sets.iter().enumerate() {
            let count = set.conversations.len();
            for at in (0..count).filter(|at| count == 1 || Some(*at) != left) {
                if bears.have(set) {
                    let name = set.name.strip_prefix("own").map_or(set.name, |_| "own");
                    let sums = columns.entry(name).or_default();
                    *sums = sums.plus(self.measure(picked, number, at)?.unwrap_or_default());
                }
            }
        }
        let worth = |sums: &Sums| 0.75 * sums.recall() + 0.25 * sums.session();
        Ok(columns.values().map(worth).sum::<f64>() / columns.len().max(1) as f64)
    }

    fn choose(&mut self, left: Option<usize>) -> Fallible<Picked> {
        let first = |values: &[f64]| values.first().copied().unwrap_or(0.0);
        let simplest = CHOICES.iter();
        let mut picked: Picked = simplest
            .map(|(name, _, values)| (*name, first(values)))
            .collect();
        for _ in 0..ROUNDS {
            let before = picked.clone();
            for (name, bears, values) in CHOICES {
                let mut worths = Vec::new();
                for value in *values {
                    picked.insert(name, *value);
                    worths.push((self.worth(&picked, *bears, left)?, *value));
                }
                let best = worths
                    .iter()
                    .fold(0.0, |best, (worth, _)| f64::max(best, *worth));
                let taken = worths.iter().find(|(worth, _)| *worth >= best - NEAR);
                picked.extend(taken.map(|(_, value)| (*name, *value)));
            }
            if picked == before {
                break;
            }
        }
        eprintln!("chosen without {left:?}: {picked:?}");
        Ok(picked)
    }
}

/// The middle one of what was chosen for a constant.
fn median(chosen: &[Picked], name: &str) -> Option<f64> {
    let mut values: Vec<f64> = chosen
        .iter()
        .filter_map(|one| one.get(name))
        .copied()
        .collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Prints what is chosen without each conversation and what it does there.
pub(crate) fn print(sets: &[Set<'_>], config: &Config) -> Fallible<()> {
    let mut chooser = Chooser {
        sets,
        config,
        known: BTreeMap::new(),
    };
    let defaults: Value = serde_json::to_value(Tuning::default())?;
    let by_default: Picked = CHOICES
        .iter()
        .map(|(name, _, _)| (*name, defaults[*name].as_f64().unwrap_or(0.0)))
        .collect();
    let folds = sets.iter().map(|set| set.conversations.len()).max();
    let mut chosen: Vec<Picked> = Vec::new();
    for left in 0..folds.unwrap_or(0) {
        chosen.push(chooser.choose(Some(left))?);
    }
    let on_all = chooser.choose(None)?;
    let names: Vec<&str> = sets.first().map_or(Vec::new(), |set| {
        let names = set.conversations.iter().map(|one| one.name.as_str());
        names.collect()
    });
    let head = format!(
        "| | default | without {} | on all |",
        names.join(" | without ")
    );
    println!("{head}\n|{}", "---|".repeat(names.len() + 3));
    for (name, _, _) in CHOICES {
        let each = [&by_default].into_iter().chain(&chosen).chain([&on_all]);
        let cells = each.map(|picked| picked.get(name).map_or(String::new(), f64::to_string));
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    println!("\n| | left out | by default | as chosen without it |\n|---|---|---|---|");
    for (number, set) in sets.iter().enumerate() {
        let (mut first, mut second) = (Sums::default(), Sums::default());
        for (left, picked) in chosen.iter().enumerate() {
            if set.conversations.len() == 1 {
                continue;
            }
            let own = [&by_default, picked].map(|picked| chooser.measure(picked, number, left));
            let [Ok(Some(default)), Ok(Some(other))] = own else {
                continue;
            };
            let name = names.get(left).copied().unwrap_or_default();
            let cells = [default, other].map(|sums| format!("{:.4}", sums.recall()));
            println!("| {} | {name} | {} |", set.name, cells.join(" | "));
            (first, second) = (first.plus(default), second.plus(other));
        }
        if first.is_some() {
            let cells = [first, second].map(|sums| format!("{:.4}", sums.recall()));
            println!("| {} | **all** | {} |", set.name, cells.join(" | "));
        }
    }
    let others: Vec<&str> = by_default
        .iter()
        .filter(|(name, value)| median(&chosen, name) != Some(**value))
        .map(|(name, _)| *name)
        .collect();
    match others.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "these defaults are not the median of what was chosen: {}",
            others.join(", ")
        )
        .into()),
    }
}
