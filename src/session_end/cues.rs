//! Words by which a memory is found besides its own: what its messages said that it does not
//! repeat, and what was said around them. A judge writes "Ann moved for her studies"; that she said
//! "Oslo" one line before is how she will ask for it.

use crate::gather::Gather;
use crate::index::telling_words;
use crate::judge::rules::holds_secret;
use crate::memory::{Candidate, Category};
use crate::message::Message;
use crate::safety::secrets;
use crate::sorted::Names;
use std::cell::OnceCell;

/// Characters of the cues of one memory.
const CUES_MAX: usize = 300;

/// A dialogue, and the words of those of its messages that were looked at.
pub(super) struct Cues<'a> {
    dialogue: &'a [(u64, Message)],
    words: Vec<OnceCell<Vec<String>>>,
}

impl<'a> Cues<'a> {
    pub(super) fn new(dialogue: &'a [(u64, Message)]) -> Self {
        let words = vec![OnceCell::new(); dialogue.len()];
        Self { dialogue, words }
    }

    /// The cues of a proposal that was made of the dialogue.
    pub(super) fn of(&self, candidate: &Candidate) -> String {
        if candidate.is_sensitive || candidate.category == Category::Auth {
            return String::new();
        }
        let is_source = |message: &Message| {
            let id = message.id.as_ref();
            id.is_some_and(|id| candidate.message_ids.contains(id))
        };
        let messages = self.dialogue.iter().enumerate();
        let said: Vec<usize> = messages
            .filter(|(_, (_, message))| is_source(message))
            .map(|(at, _)| at)
            .gather();
        let before = said.iter().filter_map(|at| at.checked_sub(1));
        let after = said.iter().map(|at| at + 1);
        let mut known = Names::from_iter(telling_words(&candidate.content));
        let mut cues = String::new();
        let mut room = CUES_MAX;
        for word in said
            .iter()
            .copied()
            .chain(before)
            .chain(after)
            .flat_map(|at| self.words(at))
        {
            let size = word.chars().count() + 1;
            if size <= room && known.insert(word.clone()) {
                room -= size;
                cues.push(' ');
                cues.push_str(word);
            }
        }
        let speaker = said.first().and_then(|at| self.dialogue.get(*at));
        let speaker = speaker.and_then(|(_, message)| message.name.as_deref());
        match speaker.map(str::trim) {
            Some(name)
                if !name.is_empty() && !name.contains(": ") && name.chars().count() <= 40 =>
            {
                format!("{name}:{}", if cues.is_empty() { " " } else { &cues })
            }
            _ => cues.trim_start().to_owned(),
        }
    }

    /// The words of a message; none of one that nobody should find anything by.
    fn words(&self, at: usize) -> &[String] {
        let (Some((_, message)), Some(words)) = (self.dialogue.get(at), self.words.get(at)) else {
            return &[];
        };
        words.get_or_init(|| {
            let text = message.text();
            let is_mute =
                message.role.is_system() || holds_secret(&text) || !secrets::find(&text).is_empty();
            match is_mute {
                true => Vec::new(),
                false => telling_words(&text),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Kind, MemoryScope};
    use crate::message::Role;

    fn of(candidate: &Candidate, dialogue: &[(u64, Message)]) -> String {
        Cues::new(dialogue).of(candidate)
    }

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
