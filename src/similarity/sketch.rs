//! What of a text tells that another one cannot bear on it. It is small, and it errs on one side only:
//! of two texts that are related in any way, or overlap, it says that they may be.

use super::claim::{Claim, Topic};
use super::plan::Plan;
use super::signature::{START, extend};
use super::{LINKING_WORDS, Prepared, Told};
use std::cell::OnceCell;

/// Words after which one habit may differ from another.
const HABIT_WORDS: usize = 3;

/// A text as far as it bears on others.
#[derive(Debug, Clone)]
pub(crate) struct Sketch {
    norm: u32,
    /// A bit for every content word.
    bits: u64,
    /// The content words, by their hashes.
    words: Box<[u16]>,
    /// Bytes of the content words together, and their hash.
    joined: (usize, u32),
    /// What it tells is looked for when a text that tells something is compared with it.
    text: String,
    /// What the claims are about.
    claims: OnceCell<Box<[u32]>>,
    plan: OnceCell<Option<Plan>>,
}

impl Sketch {
    pub(crate) fn of(text: &Prepared) -> Self {
        let words: Box<[u16]> = text.content().iter().map(|word| short(word)).collect();
        Self {
            norm: hash(text.norm()),
            bits: words.iter().fold(0, |bits, word| bits | bit(*word)),
            words,
            joined: text.signature.joined,
            text: text.original.clone(),
            claims: OnceCell::new(),
            plan: OnceCell::new(),
        }
    }

    /// Bytes that it holds, about.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + 2 * self.words.len()
    }

    fn claims(&self) -> &[u32] {
        let claims = || Told::of(&self.text).claims.iter().map(about).collect();
        self.claims.get_or_init(claims)
    }

    fn plan(&self) -> Option<&Plan> {
        self.plan.get_or_init(|| Plan::of(&self.text)).as_ref()
    }

    /// Whether this new text may be related to that one or, with so much in common, linked to it.
    /// One that corrects what was said needs a single word in common.
    pub(crate) fn may_bear_on(&self, old: &Self, corrects: bool, overlap: f64) -> bool {
        let claimed = |claim: &u32| old.claims().contains(claim);
        if self.norm == old.norm || self.claims().iter().any(claimed) {
            return true;
        }
        let is_elsewhere = |plan: &Plan| old.plan().and_then(|old| plan.elsewhere(old)).is_some();
        if self.plan().is_some_and(is_elsewhere) {
            return true;
        }
        let (short, long) = match self.words.len() <= old.words.len() {
            true => (self, old),
            false => (old, self),
        };
        if short.words.is_empty() {
            return overlap <= 0.0;
        }
        if self.joined == old.joined || overlap <= 0.0 {
            return true;
        }
        let is_shared = |word: &&u16| long.bits & bit(**word) != 0 && long.words.contains(word);
        let shared = short.words.iter().filter(is_shared).count();
        if shared == 0 {
            return false;
        }
        let (least, most) = (short.words.len(), long.words.len());
        // One says all that the other does, or has another value in one place.
        if corrects || shared == least || (least == most && shared + 1 == least) {
            return true;
        }
        if shared >= LINKING_WORDS && shared as f64 / least as f64 >= overlap {
            return true;
        }
        let head = short.words.iter().zip(&long.words);
        let head = head.take_while(|(a, b)| a == b).count();
        head > 0 && most - head <= HABIT_WORDS
    }
}

/// The hash of a name.
pub(crate) fn hash(name: &str) -> u32 {
    extend(START, name)
}

fn short(word: &str) -> u16 {
    // The highest bits are those that depend on every byte.
    (hash(word).wrapping_mul(0x9e37_79b1) >> 16) as u16
}

fn bit(word: u16) -> u64 {
    1 << (word >> 10)
}

/// What has to be the same for two claims to contradict each other, or to be one.
fn about(claim: &Claim) -> u32 {
    let of = |from: u32, words: &[String]| {
        words
            .iter()
            .fold(from, |hash, word| extend(extend(hash, word), " "))
    };
    let topic = match claim.topic {
        Topic::Liking => "liking",
        Topic::PreferredTo => "preferred",
        Topic::Attribute(name) => name,
    };
    let subject = of(extend(START, topic), &claim.subject);
    match claim.topic {
        Topic::Attribute(_) => subject,
        // Whichever of both is preferred.
        _ => subject ^ of(START, &claim.value) ^ of(START, &claim.other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::DedupConfig;
    use crate::conflict::{self, CORRECTS, Relation, Standing};
    use crate::memory::{Candidate, Category, Kind, MemoryScope};
    use proptest::prelude::*;

    fn candidate(content: &str, corrects: bool) -> Candidate {
        Candidate {
            content: content.into(),
            category: Category::Other,
            kind: Kind::Text,
            scope: MemoryScope::User,
            importance: 5,
            facts: Default::default(),
            cues: String::new(),
            is_sensitive: false,
            replaces: corrects.then(|| CORRECTS.to_owned()).into_iter().collect(),
            contradicts: Vec::new(),
            message_ids: Vec::new(),
            observed_at: 0,
        }
    }

    const SUBJECTS: [&str; 6] = [
        "User", "User's sister", "Ana", "The meeting", "用户", "The dark-mode theme",
    ];
    #[rustfmt::skip]
    const VERBS: [&str; 20] = [
        "likes", "does not like", "lives in", "moved to", "works at", "drinks", "drinks every morning",
        "is in room", "prefers tea over", "prefers coffee over", "is called", "is", "travels this weekend to",
        "stays at home this weekend with", "喜欢", "不喜欢", "住在", "in darkmode likes", "was born on", "is due on",
    ];
    #[rustfmt::skip]
    const VALUES: [&str; 14] = [
        "tea", "coffee", "green tea", "flat white", "12", "21", "Hangzhou", "Berlin", "Monday", "Friday",
        "茶", "杭州", "a trip abroad", "dark mode",
    ];

    fn text() -> impl Strategy<Value = String> {
        let part = (0..SUBJECTS.len(), 0..VERBS.len(), 0..VALUES.len());
        let part = part.prop_map(|(a, b, c)| format!("{} {} {}", SUBJECTS[a], VERBS[b], VALUES[c]));
        let words = prop::collection::vec(prop::sample::select(&VALUES[..]), 0..7);
        prop_oneof![
            6 => part.clone(),
            2 => (part.clone(), part).prop_map(|(a, b)| format!("{a} and {b}.")),
            2 => words.prop_map(|words| words.join(" ")),
            1 => "\\PC{0,12}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

        #[test]
        fn it_rules_out_nothing_that_is_related(a in text(), b in text(), corrects: bool, overlap in 0.0f64..1.0) {
            let config = DedupConfig { overlap, ..DedupConfig::default() };
            let candidate = candidate(&a, corrects);
            let facts = Default::default();
            let standing = Standing {
                id: "m",
                content: &b,
                facts: &facts,
                scope: MemoryScope::User,
                observed_at: 0,
                heaviness: 1.0,
            };
            let (new, old) = (Prepared::new(&a), Prepared::new(&b));
            let relation = conflict::relate_prepared(&candidate, &new, &standing, &old, &config);
            let is_related = relation != Relation::None
                || new.overlap(&old) >= overlap
                || new.norm() == old.norm();
            if is_related {
                prop_assert!(Sketch::of(&new).may_bear_on(&Sketch::of(&old), corrects, overlap), "{relation:?}");
            }
        }
    }

    #[test]
    fn it_tells_most_texts_apart() {
        let texts = [
            "User lives in Paris", "User likes green tea", "Ana works at the harbour",
        ];
        let sketches = texts.map(|text| Sketch::of(&Prepared::new(text)));
        for (at, a) in sketches.iter().enumerate() {
            for (other, b) in sketches.iter().enumerate() {
                assert_eq!(a.may_bear_on(b, false, 0.6), at == other, "{at} {other}");
            }
        }
        let moved = Sketch::of(&Prepared::new("User moved to Berlin"));
        assert!(moved.may_bear_on(&sketches[0], false, 0.6));
    }
}
