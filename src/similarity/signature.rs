//! What tells most pairs of texts apart without looking at their words.

/// FNV-1a.
pub(super) const START: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

/// What is known of a text's content words by their hashes.
#[derive(Debug, Clone, Default)]
pub(super) struct Signature {
    /// A bit for every word.
    bits: u64,
    /// Which bit each word has, in order.
    places: Vec<u8>,
    /// Bytes of all words together, and their hash.
    pub(super) joined: (usize, u32),
}

impl Signature {
    pub(super) fn of(content: &[String]) -> Self {
        let mut signature = Self::default();
        signature.joined.1 = START;
        for word in content {
            let hash = extend(START, word);
            // The highest bits are those that depend on every byte.
            let place = (hash.wrapping_mul(0x9e37_79b1) >> 26) as u8;
            signature.bits |= 1 << place;
            signature.places.push(place);
            signature.joined.0 += word.len();
            signature.joined.1 = extend(signature.joined.1, word);
        }
        signature
    }

    /// Whether the other may have all of its words, or the same letters in other words.
    pub(super) fn may_say_the_same(&self, other: &Self) -> bool {
        self.bits & !other.bits == 0 || self.joined == other.joined
    }

    /// How many of the shorter one's content words the other has too.
    pub(super) fn shared(&self, own: &[String], other: &Self, others: &[String]) -> usize {
        if self.places.len() > other.places.len() {
            return other.shared(others, self, own);
        }
        let is_there = |(place, word): &(&u8, &String)| {
            let mut there = other.places.iter().zip(others);
            other.bits >> **place & 1 == 1 && there.any(|(at, one)| at == *place && one == *word)
        };
        self.places.iter().zip(own).filter(is_there).count()
    }
}

pub(super) fn extend(hash: u32, word: &str) -> u32 {
    word.bytes().fold(hash, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(PRIME)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_only_rules_out_what_is_not(a: Vec<String>, more: Vec<String>, split in 0..9_usize) {
            let (own, both) = (Signature::of(&a), [a.clone(), more.clone()].concat());
            let all = Signature::of(&both);
            prop_assert!(own.may_say_the_same(&all));
            prop_assert_eq!(own.shared(&a, &all, &both), a.len());
            let others = Signature::of(&more);
            let expected = |a: &[String], b: &[String]| {
                let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
                short.iter().filter(|word| long.contains(word)).count()
            };
            prop_assert_eq!(own.shared(&a, &others, &more), expected(&a, &more));
            prop_assert_eq!(others.shared(&more, &own, &a), expected(&more, &a));
            let joined = a.concat();
            let at = joined.char_indices().nth(split).map_or(0, |(at, _)| at);
            let (head, tail) = joined.split_at(at);
            let otherwise = Signature::of(&[head.to_owned(), tail.to_owned()]);
            prop_assert!(own.may_say_the_same(&otherwise));
        }
    }

    #[test]
    fn it_tells_most_texts_apart() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let [tea, coffee] = ["keep green tea shelf", "keep black coffee drawer"]
            .map(|text| Signature::of(&words(text)));
        assert!(!tea.may_say_the_same(&coffee));
    }
}
