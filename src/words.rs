//! Lists of words in little space: one text, in which each word stands behind its length, where a slice
//! of `&str` takes eight bytes of address and length for every word.

/// A list of words, written with [`words!`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words(&'static str);

/// A list of words.
macro_rules! words {
    ($($word:literal),* $(,)?) => {
        const {
            const LIST: &[&str] = &[$($word),*];
            const PACKED: &[u8] = &$crate::words::pack::<{ $crate::words::size(LIST) }>(LIST);
            $crate::words::Words::new(PACKED)
        }
    };
}
pub(crate) use words;

/// How many bytes the list takes.
pub(crate) const fn size(mut list: &[&str]) -> usize {
    let mut size = 0;
    while let Some((word, rest)) = list.split_first() {
        size += 1 + word.len();
        list = rest;
    }
    size
}

/// The words, each behind its length.
pub(crate) const fn pack<const SIZE: usize>(mut list: &[&str]) -> [u8; SIZE] {
    let mut packed = [0; SIZE];
    let mut room: &mut [u8] = &mut packed;
    while let Some((word, rest)) = list.split_first() {
        // A single byte in UTF-8.
        assert!(word.len() < 128);
        let Some((length, after)) = room.split_first_mut() else {
            break;
        };
        *length = word.len() as u8;
        let Some((own, after)) = after.split_at_mut_checked(word.len()) else {
            break;
        };
        own.copy_from_slice(word.as_bytes());
        (list, room) = (rest, after);
    }
    packed
}

impl Words {
    pub(crate) const fn new(packed: &'static [u8]) -> Self {
        match str::from_utf8(packed) {
            Ok(text) => Self(text),
            Err(_) => Self(""),
        }
    }

    /// Whether the list has this word.
    pub(crate) fn contains(self, word: &str) -> bool {
        self.position(word).is_some()
    }

    /// Whether the list has no word.
    pub(crate) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The word at this place.
    pub(crate) fn get(self, at: usize) -> Option<&'static str> {
        self.iter().nth(at)
    }

    /// Where in the list this word is.
    pub(crate) fn position(self, word: &str) -> Option<usize> {
        siltstone_kernels::position(self.0.as_bytes(), word.as_bytes())
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
        let text = self.0.0;
        let length = usize::from(*text.as_bytes().first()?);
        let (word, rest) = text.get(1..)?.split_at_checked(length)?;
        self.0 = Words(rest);
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
