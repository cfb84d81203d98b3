//! When two texts say the same (E5): exact, contained, character Jaccard, short-text Levenshtein, else not.
//!
//! A text that differs in a negation, a number or a content word is never a duplicate, however alike it
//! looks: a wrong merge loses what one of them says, a missed one only costs room.

use crate::config::DedupConfig;
use crate::gather::Gather;
use crate::order;
use crate::words::{Words, words};
use claim::Claim;
use plan::Plan;
use serde::Serialize;
use signature::Signature;
use std::cell::OnceCell;

pub(crate) mod claim;
pub(crate) mod plan;
mod signature;
pub(crate) mod sketch;
pub(crate) mod words;

/// In which way two texts say the same.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "class", content = "score")]
pub enum Similarity {
    /// Equal but for case, width, spacing and punctuation.
    Exact,
    /// One holds the other whole and adds nothing that turns it.
    Contains,
    /// The sets of their characters overlap this much.
    Jaccard(f64),
    /// Both are short and this alike by edit distance.
    Levenshtein(f64),
    /// Their embeddings are near, and nothing in their words tells them apart.
    Cosine,
    /// They say different things, or it is not certain.
    None,
}

impl Similarity {
    /// Whether the texts are duplicates.
    pub fn is_duplicate(self) -> bool {
        self != Similarity::None
    }

    /// The class as it appears in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Similarity::Exact => "exact",
            Similarity::Contains => "contains",
            Similarity::Jaccard(_) => "jaccard",
            Similarity::Levenshtein(_) => "levenshtein",
            Similarity::Cosine => "cosine",
            Similarity::None => "none",
        }
    }
}

/// Above this many characters edit distance is not computed, whatever the configuration says.
const LEVENSHTEIN_CHARS_MAX: usize = 512;

/// With fewer content words in common, two texts are not about the same.
const LINKING_WORDS: usize = 3;

/// A longer text is no plain statement.
const CLAIM_CHARS_MAX: usize = 400;

/// A text made ready for comparison; making it costs more than comparing it.
#[derive(Debug, Clone)]
pub struct Prepared {
    norm: String,
    norm_chars: usize,
    words: Vec<String>,
    content: Vec<String>,
    turning: Vec<bool>,
    alphabet: Vec<char>,
    numbers: Vec<String>,
    negations: usize,
    signature: Signature,
    original: String,
    told: OnceCell<Told>,
    plan: OnceCell<Option<Plan>>,
}

/// What a plain statement tells. Most texts are never asked for it.
#[derive(Debug, Clone, Default)]
struct Told {
    claims: Vec<Claim>,
    partial: bool,
}

impl Told {
    fn of(text: &str) -> Self {
        if text.chars().nth(CLAIM_CHARS_MAX).is_some() {
            return Self::default();
        }
        Self {
            claims: claim::claims(text),
            partial: claim::is_partial(text),
        }
    }
}

impl Prepared {
    /// Folds, splits and classifies the text.
    pub fn new(original: &str) -> Self {
        let words = if original.is_ascii() {
            words::words(original)
        } else {
            // Synonyms that are two characters long can only be seen before the split.
            let plain = "喜爱|热爱|钟爱"
                .split('|')
                .fold(original.to_owned(), |t, word| t.replace(word, "喜欢"));
            words::words(&plain)
        };
        let negated = words::negations(&words);
        let mut content = Vec::new();
        let mut turning = Vec::new();
        let mut numbers = Vec::new();
        for (word, negates) in words.iter().zip(&negated) {
            if let Some(number) = words::number(word) {
                numbers.push(number);
            }
            if !negates && !words::is_filler(word) {
                content.push(words::stem(word));
                turning.push(words::is_turning(word));
            }
        }
        order::sort_by(&mut numbers, Ord::cmp);
        let norm = words::join(&words);
        let mut alphabet: Vec<char> = norm.chars().filter(|c| *c != ' ').gather();
        order::sort_as(&mut alphabet, u64::from, |code| {
            char::from_u32(code as u32).unwrap_or_default()
        });
        alphabet.dedup();
        Self {
            norm_chars: norm.chars().count(),
            norm,
            words,
            turning,
            alphabet,
            numbers,
            signature: Signature::of(&content),
            original: original.to_owned(),
            told: OnceCell::new(),
            plan: OnceCell::new(),
            content,
            negations: negated.iter().filter(|negates| **negates).count(),
        }
    }

    /// The folded text: two texts are `Exact` when these are equal.
    pub fn norm(&self) -> &str {
        &self.norm
    }

    /// How much it tells: content words, then characters.
    pub fn richness(&self) -> (usize, usize) {
        (self.content.len(), self.norm_chars)
    }

    /// The share of the shorter text's content words that the other has too, 0 to 1; 0 under three.
    pub fn overlap(&self, other: &Self) -> f64 {
        let (a, b) = (&self.content, &other.content);
        let shared = self.signature.shared(a, &other.signature, b);
        if shared < LINKING_WORDS {
            return 0.0;
        }
        // Counts of words in one memory: far within what a double holds exactly.
        shared as f64 / a.len().min(b.len()) as f64
    }

    /// Its numbers, in order of size.
    pub(crate) fn numbers(&self) -> &[String] {
        &self.numbers
    }

    /// Its content words in order, negation left out.
    pub(crate) fn content(&self) -> &[String] {
        &self.content
    }

    /// Its plain statements, taken apart.
    pub(crate) fn claims(&self) -> &[Claim] {
        &self.told().claims
    }

    /// Whether it tells something that may hold beside its like.
    pub(crate) fn is_partial(&self) -> bool {
        self.told().partial
    }

    fn told(&self) -> &Told {
        self.told.get_or_init(|| Told::of(&self.original))
    }

    /// What it plans, and where.
    pub(crate) fn plan(&self) -> Option<&Plan> {
        let plan = self.plan.get_or_init(|| Plan::of(&self.original));
        plan.as_ref()
    }

    /// How many words negate.
    pub(crate) fn negation_count(&self) -> usize {
        self.negations
    }
}

/// Compares two texts.
pub fn similarity(a: &str, b: &str, config: &DedupConfig) -> Similarity {
    compare(&Prepared::new(a), &Prepared::new(b), config)
}

/// Compares two prepared texts, cheapest test first.
pub fn compare(a: &Prepared, b: &Prepared, config: &DedupConfig) -> Similarity {
    if a.norm == b.norm {
        return if a.norm.is_empty() {
            Similarity::None
        } else {
            Similarity::Exact
        };
    }
    if a.negations != b.negations || a.numbers != b.numbers {
        return Similarity::None;
    }
    if a.content.is_empty() || b.content.is_empty() || !says_the_same(a, b) {
        return Similarity::None;
    }
    let (short, long) = if a.words.len() <= b.words.len() {
        (a, b)
    } else {
        (b, a)
    };
    if contains(&long.words, &short.words) {
        return Similarity::Contains;
    }
    let overlap = jaccard(&a.alphabet, &b.alphabet);
    if overlap >= config.jaccard {
        return Similarity::Jaccard(overlap);
    }
    let limit = config.short_chars.min(LEVENSHTEIN_CHARS_MAX);
    let (least, most) = (
        a.norm_chars.min(b.norm_chars),
        a.norm_chars.max(b.norm_chars),
    );
    if most <= limit && least as f64 >= config.levenshtein * most as f64 {
        let alike = strsim::normalized_levenshtein(&a.norm, &b.norm);
        if alike >= config.levenshtein {
            return Similarity::Levenshtein(alike);
        }
    }
    Similarity::None
}

/// Whether the content words are the same, or one text only adds words that do not turn the other.
fn says_the_same(a: &Prepared, b: &Prepared) -> bool {
    let (short, long) = if a.content.len() <= b.content.len() {
        (a, b)
    } else {
        (b, a)
    };
    if !short.signature.may_say_the_same(&long.signature) {
        return false;
    }
    if is_refined_by(short, long) {
        return true;
    }
    // "dark-mode" and "darkmode".
    if short.content.concat() == long.content.concat() {
        return true;
    }
    // A moved adverbial: "every morning User drinks tea". Two words could be subject and object.
    let len = short.content.len();
    (3..=64).contains(&len)
        && len == long.content.len()
        && (1..len).any(|by| {
            let (head, tail) = long.content.split_at(by);
            tail.iter().chain(head).eq(short.content.iter())
        })
}

fn is_refined_by(short: &Prepared, long: &Prepared) -> bool {
    // One CJK character is not a word: what it adds inside a text is more often another word than a detail.
    let mut rest = short.content.iter().peekable();
    for (word, turning) in long.content.iter().zip(&long.turning) {
        if rest.peek() == Some(&word) {
            rest.next();
        } else if *turning {
            return false;
        }
    }
    if rest.peek().is_some() {
        return false;
    }
    !long.content.iter().any(|w| words::is_cjk_word(w)) || cjk_extras_are_safe(short, long)
}

/// What may follow a contained Chinese text: a joining word, or a finer place.
const CJK_JOINT: &str = "和与跟及或的时在从因并也还很常每以给对向到去就尤特里上";
const CJK_PLACE: &str = "区县市省路街镇村";
#[rustfmt::skip]
const CJK_DEGREE: Words = words![
    "特别", "非常", "最", "超", "挺", "比较", "现在", "目前", "一直", "真",
];

fn cjk_extras_are_safe(short: &Prepared, long: &Prepared) -> bool {
    if short.content.len() == long.content.len() {
        return true;
    }
    if let Some(at) = long.norm.find(&short.norm) {
        let after = long.norm.get(at + short.norm.len()..).unwrap_or_default();
        let first = after.chars().next();
        return first.is_none_or(|c| c == ' ' || CJK_JOINT.contains(c))
            || after
                .chars()
                .next_back()
                .is_some_and(|c| CJK_PLACE.contains(c));
    }
    let without = CJK_DEGREE
        .iter()
        .fold(long.norm.clone(), |text, word| text.replace(word, ""));
    let plain = |text: &str| {
        text.chars()
            .filter(|c| !words::is_filler(&c.to_string()))
            .collect::<String>()
    };
    plain(&without) == plain(&short.norm)
}

/// Whether `short` stands in `long` word by word.
fn contains(long: &[String], short: &[String]) -> bool {
    long.windows(short.len().max(1))
        .any(|window| window == short)
}

/// Intersection over union of two sorted sets.
fn jaccard(a: &[char], b: &[char]) -> f64 {
    let (mut left, mut right) = (a.iter().peekable(), b.iter().peekable());
    let mut shared = 0_usize;
    while let (Some(x), Some(y)) = (left.peek(), right.peek()) {
        match x.cmp(y) {
            std::cmp::Ordering::Less => _ = left.next(),
            std::cmp::Ordering::Greater => _ = right.next(),
            std::cmp::Ordering::Equal => {
                shared += 1;
                _ = (left.next(), right.next());
            }
        }
    }
    let union = a.len() + b.len() - shared;
    if union == 0 {
        0.0
    } else {
        shared as f64 / union as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(a: &str, b: &str) -> &'static str {
        let config = DedupConfig::default();
        let there = similarity(a, b, &config);
        assert_eq!(
            there,
            similarity(b, a, &config),
            "{a} / {b} is not symmetric"
        );
        there.as_str()
    }

    #[test]
    fn equal_but_for_form() {
        for (a, b) in [
            ("User likes tea.", "user  LIKES tea"),
            ("用户喜欢喝茶。", "用户喜欢喝茶"),
            ("User likes ｔｅａ", "User likes tea"),
            ("User doesn't eat meat", "User does not eat meat"),
            ("Budget is 1,000 dollars", "budget is 1000 dollars"),
        ] {
            assert_eq!(class(a, b), "exact", "{a} / {b}");
        }
    }

    #[test]
    fn one_holds_the_other() {
        for (a, b) in [
            ("likes tea", "User likes tea in the morning"),
            ("User lives in Paris", "User lives in Paris with a cat"),
            ("喜欢喝茶", "用户喜欢喝茶"),
            ("用户喜欢喝茶", "用户喜欢喝茶和咖啡"),
            ("用户住在杭州", "用户住在杭州西湖区"),
        ] {
            assert_eq!(class(a, b), "contains", "{a} / {b}");
        }
    }

    #[test]
    fn said_in_other_words() {
        for (a, b) in [
            (
                "User likes to drink green tea every morning",
                "User likes drinking green tea every morning",
            ),
            (
                "User prefers dark mode in the editor", "User prefers dark mode for the editor",
            ),
            (
                "User loves hiking on weekends", "User enjoys hiking on weekends",
            ),
            (
                "User prefers dark-mode themes", "User prefers darkmode themes",
            ),
            (
                "Every morning User drinks green tea", "User drinks green tea every morning",
            ),
            ("用户特别喜欢喝咖啡", "用户喜欢喝咖啡"),
            ("用户非常喜爱爬山", "用户喜欢爬山"),
        ] {
            assert!(
                ["jaccard", "levenshtein"].contains(&class(a, b)),
                "{a} / {b}: {}",
                class(a, b)
            );
        }
    }

    #[test]
    fn never_duplicates() {
        for (a, b) in [
            ("likes tea", "does not like tea"),
            ("likes tea", "likes coffee"),
            ("room 12", "room 21"),
            ("Meeting is in room 12", "Meeting is in room 21"),
            ("User lives in Paris", "User lives in Parma"),
            ("drinks cortado", "drinks flat white"),
            ("User works at Google", "User works at Goggle"),
            ("User's sister lives in Paris", "User lives in Paris"),
            ("User lived in Paris", "User lives in Paris"),
            ("User used to like tea", "User likes tea"),
            ("User likes tea", "User likes tea less than coffee"),
            ("User likes tea", "User likes tea but only in winter"),
            ("Anna likes Ben", "Ben likes Anna"),
            (
                "User flies from Paris to Berlin", "User flies to Paris from Berlin",
            ),
            ("User has two kids", "User has three kids"),
            ("User has kids", "User has 2 kids"),
            ("User writes C", "User writes C++"),
            ("It is -5 degrees outside", "It is 5 degrees outside"),
            ("The price is $5", "The price is €5"),
            ("Version 3.5 is used", "Version 35 is used"),
            ("用户喜欢吃辣", "用户不喜欢吃辣"),
            ("用户没有过敏", "用户有过敏"),
            ("会议在三楼", "会议在四楼"),
            ("用户住在杭州", "用户住在苏州"),
            ("用户的姐姐喜欢茶", "用户喜欢茶"),
            ("用户喜欢茶", "用户喜欢茶叶蛋"),
            ("用户的项目叫青鸟", "用户的项目叫青鱼"),
            ("コーヒーが好き", "コーヒーが好きではない"),
            ("El usuario come carne", "El usuario no come carne"),
            ("User trinkt Kaffee", "User trinkt keinen Kaffee"),
            ("!!!", "???"),
            ("", ""),
        ] {
            assert_eq!(class(a, b), "none", "{a} / {b}");
        }
    }

    #[test]
    fn words_that_only_look_like_negation() {
        assert_eq!(Prepared::new("特别好，味道不错，非常喜欢无锡").negations, 0);
        assert_eq!(Prepared::new("User no longer drinks coffee").negations, 1);
        assert_eq!(Prepared::new("User doesn't smoke anymore").negations, 1);
    }
}
