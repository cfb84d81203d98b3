//! Words by which a memory is found besides its own: what its messages said that it does not
//! repeat, and what was said around them. A judge writes "Ann moved for her studies"; that she said
//! "Oslo" one line before is how she will ask for it.

use crate::index::telling_words;
use crate::judge::rules::holds_secret;
use crate::memory::{Candidate, Category};
use crate::message::Message;
use crate::order;
use crate::safety::secrets;

/// Characters of the cues of one memory.
const CUES_MAX: usize = 300;

/// The cues of a proposal, from the dialogue it was made of.
pub(super) fn of(candidate: &Candidate, dialogue: &[(u64, Message)]) -> String {
    if candidate.is_sensitive || candidate.category == Category::Auth {
        return String::new();
    }
    let is_source = |message: &Message| {
        let id = message.id.as_ref();
        id.is_some_and(|id| candidate.message_ids.contains(id))
    };
    let said: Vec<usize> = (0..dialogue.len())
        .filter(|at| {
            dialogue
                .get(*at)
                .is_some_and(|(_, message)| is_source(message))
        })
        .collect();
    let before = said.iter().filter_map(|at| at.checked_sub(1));
    let after = said.iter().map(|at| at + 1);
    let messages = said.iter().copied().chain(before).chain(after);
    let mut known = order::set(telling_words(&candidate.content));
    let mut cues = String::new();
    let mut room = CUES_MAX;
    for (_, message) in messages.filter_map(|at| dialogue.get(at)) {
        let text = message.text();
        if message.role.is_system() || holds_secret(&text) || !secrets::find(&text).is_empty() {
            continue;
        }
        for word in telling_words(&text) {
            let size = word.chars().count() + 1;
            if size <= room && known.insert(word.clone()) {
                room -= size;
                cues.push(' ');
                cues.push_str(&word);
            }
        }
    }
    let speaker = said.first().and_then(|at| dialogue.get(*at));
    let speaker = speaker.and_then(|(_, message)| message.name.as_deref());
    match speaker.map(str::trim) {
        Some(name) if !name.is_empty() && !name.contains(": ") && name.chars().count() <= 40 => {
            format!("{name}:{}", if cues.is_empty() { " " } else { &cues })
        }
        _ => cues.trim_start().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Kind, MemoryScope};
    use crate::message::Role;

    fn message(number: u64, name: Option<&str>, text: &str) -> (u64, Message) {
        let mut message = Message::new(Role::User, text.to_owned());
        message.id = Some(format!("m{number}"));
        message.name = name.map(str::to_owned);
        (number, message)
    }

    fn candidate(content: &str, category: Category) -> Candidate {
        Candidate {
            content: content.to_owned(),
            category,
            kind: Kind::Text,
            scope: MemoryScope::User,
            importance: 5,
            facts: Default::default(),
            is_sensitive: false,
            replaces: Vec::new(),
            contradicts: Vec::new(),
            message_ids: vec!["m2".to_owned()],
            cues: String::new(),
            observed_at: 0,
        }
    }

    #[test]
    fn they_are_what_was_said_there_and_around_and_is_not_in_the_text() {
        let dialogue = [
            message(1, None, "Where is the new flat, in Oslo?"),
            message(
                2,
                Some("Ann"),
                "Yes, by the harbour, I moved on the 3rd, code 4711.",
            ),
            message(3, None, "Lovely view!"),
            message(4, None, "Bye."),
        ];
        let moved = candidate("Ann moved into a flat", Category::Event);
        assert_eq!(
            of(&moved, &dialogue),
            "Ann: harbour code new oslo lovely view"
        );
        let auth = candidate("Ann moved into a flat", Category::Auth);
        assert_eq!(of(&auth, &dialogue), "");
    }

    #[test]
    fn a_message_that_tells_a_secret_gives_none() {
        let dialogue = [
            message(1, None, "My password is swordfish."),
            message(2, None, "I keep it in the vault."),
        ];
        let kept = candidate("The password is kept in the vault", Category::Note);
        assert!(!of(&kept, &dialogue).contains("swordfish"));
    }

    #[test]
    fn they_are_bounded() {
        let long = "词汇".repeat(400) + &" word".repeat(100) + &"x".repeat(1_000);
        let dialogue = [message(2, None, &long)];
        let kept = candidate("short", Category::Note);
        assert!(of(&kept, &dialogue).chars().count() <= CUES_MAX);
    }
}
