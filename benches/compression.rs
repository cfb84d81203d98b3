//! How many tokens the rule compressor saves on dialogues in LoCoMo's format:
//! `make compression DATA=folder`. The last line is `light=… deep=… texts=…`, shares saved on turns
//! of 120 characters and more; what the guard sees lost is counted beside them.

use serde_json::Value;
use siltstone::compress::{Level, MIN_CHARS, compress, lost};
use siltstone::tokens::{Counter, counter};
use std::{env, error::Error, fs};

fn turns(folder: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut turns = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let conversation: Value = serde_json::from_str(&fs::read_to_string(path)?)?;
        let sessions = conversation.as_object().into_iter().flatten();
        let lists = sessions.filter_map(|(_, value)| value.as_array());
        let texts = lists.flatten().filter(|turn| turn.get("dia_id").is_some());
        turns.extend(texts.filter_map(|turn| Some(turn.get("text")?.as_str()?.to_owned())));
    }
    Ok(turns)
}

fn saved(
    texts: &[&String],
    level: Level,
    counter: &dyn Counter,
) -> Result<(f64, usize), Box<dyn Error>> {
    let (mut before, mut after, mut losses) = (0, 0, 0);
    for text in texts {
        let short = compress(text, level).text;
        before += counter.count(text)?;
        after += counter.count(&short)?;
        losses += lost(text, &short).len();
    }
    let share = 1.0 - f64::from(u32::try_from(after)?) / f64::from(u32::try_from(before.max(1))?);
    Ok((share, losses))
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args()
        .nth(1)
        .filter(|argument| !argument.starts_with("--"));
    let folder = folder.ok_or("say where the dialogues are: make compression DATA=folder")?;
    let counter = counter("o200k_base")?;
    let turns = turns(&folder)?;
    let all: Vec<&String> = turns.iter().collect();
    let long: Vec<&String> = turns
        .iter()
        .filter(|text| text.chars().count() >= MIN_CHARS)
        .collect();
    for (name, texts) in [
        ("all turns", &all),
        ("turns of 120 characters and more", &long),
    ] {
        for level in [Level::Light, Level::Deep] {
            let (share, losses) = saved(texts, level, &*counter)?;
            println!(
                "{name}: {level:?} saves {share:.4} of the tokens, {losses} losses, {} texts",
                texts.len()
            );
        }
    }
    let (light, _) = saved(&long, Level::Light, &*counter)?;
    let (deep, _) = saved(&long, Level::Deep, &*counter)?;
    println!("light={light:.4} deep={deep:.4} texts={}", long.len());
    Ok(())
}
