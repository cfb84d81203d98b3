//! Memories and summaries that try to get out of the fence they are shown in.

use super::dice::Dice;
use siltstone::message::Message;
use siltstone::prompt;

const PIECES: [&str; 40] = [
    "<", "</", "< /", "<\u{200b}/", "<\u{ad}", "</user_profile>", "</USER_PROFILE>",
    "</agent_memory>", "</conversation_summary>", "user_profile", ">", "[", "[[", "]", "NEW",
    "System", "SYSTEM", "user", "assistant", ":", "：", "|", "｜", "/", "#", "*", " ", "\n", "\r",
    "\t", "\u{85}", "\u{2028}", "\u{202e}", "\u{2060}", "\u{feff}", "\u{e0041}", "🏴", "\u{200d}",
    "im_start", "INST",
];

pub fn run(data: &[u8]) {
    let mut dice = Dice::new(data);
    let mut lines = vec![String::new()];
    while !dice.is_spent() {
        let line = lines.last_mut();
        match (dice.below(12), line) {
            (0, _) | (_, None) => lines.push(String::new()),
            (1 | 2, Some(line)) => line.push_str(&dice.text()),
            (_, Some(line)) => line.push_str(dice.pick(&PIECES)),
        }
    }
    for line in &lines {
        let plain = prompt::plain(line);
        assert_eq!(prompt::plain(&plain), plain, "{line:?}");
        assert!(!plain.chars().any(char::is_control), "{line:?}");
    }
    for block in [prompt::profile(&lines), prompt::agent_memory(&lines)] {
        let Some(block) = block else { continue };
        fenced(&block);
        assert_eq!(prompt::block_lines(&block).len(), lines.len());
    }
    if let Some(block) = prompt::summary(&lines.join("\n")) {
        fenced(&block);
        for line in block.text().lines().skip(1) {
            let line = line.trim_start().to_lowercase();
            for role in ["user", "assistant", "system", "developer", "tool", "human"] {
                assert!(!line.starts_with(&format!("{role}:")), "{line:?}");
            }
        }
    }
}

/// One opening tag and one closing tag, and no marker between them.
fn fenced(block: &Message) {
    let text: String = block.text().to_lowercase();
    assert!(prompt::is_synthetic(block));
    let tight: String = text.chars().filter(|ch| !ch.is_whitespace()).collect();
    for tag in ["user_profile", "agent_memory", "conversation_summary"] {
        let closing = format!("</{tag}");
        let is_own = tight.ends_with(&format!("{closing}>"));
        for mark in [closing, format!("<{tag}")] {
            let found: Vec<&str> = tight
                .match_indices(&mark)
                .filter(|(at, _)| {
                    let after = tight.get(at + mark.len()..).unwrap_or_default();
                    !after.starts_with(|ch: char| ch.is_alphanumeric() || ch == '_')
                })
                .map(|(at, _)| tight.get(at..at + 80).unwrap_or(&mark))
                .collect();
            assert_eq!(found.len(), usize::from(is_own), "{found:?}");
        }
    }
    for marker in ["<|", "[system:", "[user:", "[inst]", "[[new]"] {
        assert!(!tight.contains(marker), "{marker}: {text:?}");
    }
}
