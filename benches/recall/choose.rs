//! Chooses the constants of the ranking anew without each conversation in turn, and measures what was
//! chosen on the one left out: `make ablation DATA=folder LOO=1`.

use crate::{Fallible, Set, Sums, measure, with};
use serde_json::{Value, json};
use siltstone::config::Config;
use siltstone::index::Tuning;
use std::collections::BTreeMap;

/// What a constant that is not the simplest has to add, on average over the tasks.
const WORTH: f64 = 0.001;

/// What may be chosen, with the values to choose from: the simplest one first, from which a choice
/// starts.
fn choices() -> Vec<(&'static str, Vec<f64>)> {
    vec![
        ("share", vec![0.5, 0.3, 0.7]),
        ("session", vec![0.5, 0.0, 0.7]),
        ("opening", vec![1.0, 0.0, 0.8]),
        ("meaning", vec![0.5, 0.4]),
        ("usual", vec![0.0, 1.0]),
        ("told", vec![0.5, 0.0, 0.7]),
        ("told_meaning", vec![0.5, 0.25]),
        ("before", vec![1.0, 1.2]),
        ("slips", vec![0.0, 0.8]),
        ("session_best", vec![1.0, 0.0]),
        ("session_k1", vec![1.0, 2.0]),
        ("named_time", vec![0.0, 1.0, 2.0]),
        ("when", vec![0.0, 0.25, 0.5]),
    ]
}

/// Constants that make no difference to what is measured without embeddings, or among turns.
const ONLY_HYBRID: [&str; 3] = ["meaning", "usual", "told_meaning"];
const ONLY_TOLD: [&str; 2] = ["told", "told_meaning"];

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
        let mut bearing = picked.clone();
        if !task.is_hybrid {
            bearing.retain(|name, _| !ONLY_HYBRID.contains(name));
        }
        if !task.is_told {
            bearing.retain(|name, _| !ONLY_TOLD.contains(name));
        }
        let key = format!("{set} {at} {bearing:?}");
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let tuning = with(&Tuning::default(), &json!(picked))?;
        let sums = measure(one, &tuning, self.config, task.is_hybrid);
        self.known.insert(key, sums);
        Ok(Some(sums))
    }

    /// The mean over the tasks of the evidence and, a quarter, of the sessions found in all
    /// conversations but the one left out.
    fn worth(&mut self, picked: &Picked, left: Option<usize>) -> Fallible<f64> {
        let mut whole = 0.0;
        for set in 0..self.sets.len() {
            let mut sums = Sums::default();
            let count = self.sets.get(set).map_or(0, |set| set.conversations.len());
            for at in (0..count).filter(|at| count == 1 || Some(*at) != left) {
                sums = sums.plus(self.measure(picked, set, at)?.unwrap_or_default());
            }
            whole += 0.75 * sums.recall() + 0.25 * sums.session();
        }
        Ok(whole / self.sets.len() as f64)
    }

    fn choose(&mut self, left: Option<usize>) -> Fallible<Picked> {
        let all = choices();
        let first = |(name, values): &(&'static str, Vec<f64>)| {
            (*name, values.first().copied().unwrap_or(0.0))
        };
        let mut best: Picked = all.iter().map(first).collect();
        for (name, values) in &all {
            let mut found: Option<(f64, f64)> = None;
            for value in values {
                let mut other = best.clone();
                other.insert(name, *value);
                let worth = self.worth(&other, left)?;
                // The simplest comes first: what replaces it has to be worth it.
                if found.is_none_or(|(most, _)| worth > most + WORTH) {
                    found = Some((worth, *value));
                }
            }
            best.extend(found.map(|(_, value)| (*name, value)));
        }
        eprintln!("chosen without {left:?}: {best:?}");
        Ok(best)
    }
}

/// Prints what is chosen without each conversation and what it does there.
pub(crate) fn print(sets: &[Set<'_>], config: &Config) -> Fallible<()> {
    let mut chooser = Chooser {
        sets,
        config,
        known: BTreeMap::new(),
    };
    let defaults: Value = serde_json::to_value(Tuning::default())?;
    let by_default: Picked = choices()
        .iter()
        .map(|(name, _)| (*name, defaults[*name].as_f64().unwrap_or(0.0)))
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
    for (name, _) in choices() {
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
    Ok(())
}
