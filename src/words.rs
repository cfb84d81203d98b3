//! Lists of words in little space: one text and the lengths, where a slice of `&str` takes eight
//! bytes of address and length for every word.

/// A list of words, written with [`words!`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words {
    text: &'static str,
    lengths: &'static [u8],
}

/// A list of words.
macro_rules! words {
    ($($word:literal),* $(,)?) => {
        const {
            $(assert!($word.len() < 256);)*
            const LENGTHS: &[u8] = &[$($word.len() as u8),*];
            $crate::words::Words::new(concat!($($word),*), LENGTHS)
        }
    };
}
pub(crate) use words;

impl Words {
    pub(crate) const fn new(text: &'static str, lengths: &'static [u8]) -> Self {
        Self { text, lengths }
    }

    /// Whether the list has this word.
    pub(crate) fn contains(self, word: &str) -> bool {
        self.position(word).is_some()
    }

    /// Whether the list has no word.
    pub(crate) const fn is_empty(self) -> bool {
        self.lengths.is_empty()
    }

    /// The word at this place.
    pub(crate) fn get(self, at: usize) -> Option<&'static str> {
        self.iter().nth(at)
    }

    /// Where in the list this word is.
    pub(crate) fn position(self, word: &str) -> Option<usize> {
        let mut rest = self.text.as_bytes();
        for (at, length) in self.lengths.iter().enumerate() {
            let (entry, after) = rest.split_at_checked(usize::from(*length))?;
            if entry == word.as_bytes() {
                return Some(at);
            }
            rest = after;
        }
        None
    }

    /// Whether a word of the list is in this text; of a text in ASCII, others need not be looked for.
    pub(crate) fn any_in(self, text: &str) -> bool {
        let is_ascii = text.is_ascii();
        self.any(&|word| (!is_ascii || word.is_ascii()) && text.contains(word))
    }

    /// Whether a word of the list is so.
    pub(crate) fn any(self, is: &dyn Fn(&'static str) -> bool) -> bool {
        self.find(is).is_some()
    }

    /// The first word of the list that is so.
    pub(crate) fn find(self, is: &dyn Fn(&'static str) -> bool) -> Option<&'static str> {
        self.iter().find(|word| is(word))
    }

    /// The words in their order.
    pub(crate) fn iter(self) -> Iter {
        Iter(self)
    }
}

impl IntoIterator for Words {
    type Item = &'static str;
    type IntoIter = Iter;

    fn into_iter(self) -> Iter {
        self.iter()
    }
}

/// The words of a list.
#[derive(Debug, Clone)]
pub(crate) struct Iter(Words);

impl Iterator for Iter {
    type Item = &'static str;

    fn next(&mut self) -> Option<&'static str> {
        let (length, lengths) = self.0.lengths.split_first()?;
        let (word, text) = self.0.text.split_at_checked(usize::from(*length))?;
        self.0 = Words { text, lengths };
        Some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_its_words_in_their_order() {
        const LIST: Words = words!["one", "", "zwölf", "十二"];
        assert!(LIST.iter().eq(["one", "", "zwölf", "十二"]));
        assert_eq!(LIST.position("zwölf"), Some(2));
        assert!(LIST.contains(""));
        assert!(!LIST.contains("on"));
        assert!(LIST.any_in("数十二个"));
        assert_eq!(LIST.find(&|word| word.len() == 3), Some("one"));
        assert!(!words![].contains("a"));
    }
}
