//! What a text is searched by: its terms, from words, numbers and unspaced scripts.
//!
//! Words of any script are folded (case, accents) and, where Latin, stemmed by Porter2 with
//! English stop words left out. Numbers stay whole ("5:30", "3.5", "1,000" as "1000"); an ISO
//! date also gives its year, month and day as words, so that it meets "8 May 2023". Scripts
//! written without spaces (Chinese, Japanese, Korean, Thai, …) give each pair of neighbouring
//! characters, and each character alone, which counts for less. Linear in the text's length.

use super::fold::{Class, class, fold};
use super::seen::{Seen, Word};
use super::words::{base_form, is_asking, is_stop};
use crate::gather::Gather;
use crate::gather::Push;
use crate::words::{Words, words};
use rust_stemmers::{Algorithm, Stemmer};
use std::rc::Rc;

/// Words are cut to this many characters.
pub const MAX_TERM_CHARS: usize = 48;

/// Of one text this many terms count, the first ones.
pub const MAX_TERMS: usize = 100_000;

pub(super) const MONTHS: Words = words![
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
];

/// Characters of Chinese and Japanese that alone say too little to be looked for.
const FAINT: &str =
    "的了是在我你您他她它们吗呢吧啊呀和也都就不很这那有个什么怎哪谁はがをのにへとでもだか";

#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    term: Rc<str>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plain,
    /// Says too little to be looked for.
    Stop,
    /// Only asks: "when".
    Asking,
}

/// The terms a text is indexed by, in the order of the text, with repeats.
///
/// Stop words are left out unless there is nothing else.
pub fn terms(text: &str) -> Vec<String> {
    let terms = terms_of(text, &mut Seen::default());
    terms.iter().map(|term| String::from(&**term)).gather()
}

/// The same of one of many texts.
pub(super) fn terms_of(text: &str, seen: &mut Seen) -> Vec<Rc<str>> {
    let found = scan(text, seen);
    let all_stop = found.iter().all(|f| f.kind == Kind::Stop);
    found
        .into_iter()
        .filter(|f| all_stop || f.kind != Kind::Stop)
        .map(|f| f.term)
        .gather()
}

/// The terms of a question: as [`terms`], without words that only ask ("when", "who").
///
/// If nothing else is left these stay, and if there is nothing but stop words, all of them.
pub fn query_terms(text: &str) -> Vec<String> {
    let found = scan(text, &mut Seen::default());
    let keep = if found.iter().any(|f| f.kind == Kind::Plain) {
        &[Kind::Plain][..]
    } else if found.iter().any(|f| f.kind == Kind::Asking) {
        &[Kind::Asking][..]
    } else {
        &[Kind::Stop][..]
    };
    found
        .into_iter()
        .filter(|f| keep.contains(&f.kind))
        .map(|f| String::from(&*f.term))
        .gather()
}

/// The words of a text that say something, folded, in its order: no stop words, nothing with digits.
/// Runs of a script written without spaces count as one word.
pub fn telling_words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let words = folded.split(|c: char| class(c) == Class::Break && c != '\'');
    words
        .map(|word| word.split('\'').next().unwrap_or_default())
        .filter(|word| word.chars().nth(1).is_some() && !word.contains(|c: char| c.is_numeric()))
        .filter(|word| !is_stop(word) && !is_asking(word))
        .map(|word| word.chars().take(MAX_TERM_CHARS).collect())
        .collect()
}

/// Whether a term is one character of a script written without spaces: it counts for less.
pub(super) fn is_lone_character(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(|c| class(c) == Class::RunOn) && chars.next().is_none()
}

fn scan(text: &str, seen: &mut Seen) -> Vec<Found> {
    let folded = fold(text);
    let stemmer = Stemmer::create(Algorithm::English);
    let mut found = Vec::new();
    let mut rest = folded.as_str();
    while let Some(c) = rest.chars().next() {
        let taken = match class(c) {
            Class::Break => c.len_utf8(),
            Class::RunOn => run_on(rest, &mut found),
            Class::Word if c.is_ascii_digit() => number(rest, seen, &mut found),
            Class::Word => {
                match plain_word(rest).and_then(|word| seen.word(word).zip(Some(word))) {
                    Some((Word { term, kind, .. }, word)) => {
                        found.push(Found { term, kind });
                        word.len()
                    }
                    None => word(rest, &stemmer, &mut found),
                }
            }
        };
        if found.len() >= MAX_TERMS {
            break;
        }
        rest = rest.get(taken..).unwrap_or_default();
    }
    found
}

// V8 optimises a function the sooner the larger it is and the more often it runs, and takes longer for it:
// what is done for every character is in functions of its own, and so is what is done for every word.

/// Takes a run of a script written without spaces: pairs and single characters.
#[inline(never)]
fn run_on(rest: &str, found: &mut Vec<Found>) -> usize {
    let mut before: Option<char> = None;
    let mut taken = 0;
    for c in rest.chars().take_while(|&c| class(c) == Class::RunOn) {
        let kind = |faint: bool| if faint { Kind::Stop } else { Kind::Plain };
        let pair = before.map(|b| Found {
            term: String::from_iter([b, c]).into(),
            kind: kind(FAINT.contains(b) && FAINT.contains(c)),
        });
        found.push_all(pair);
        found.push(Found {
            term: String::from(c).into(),
            kind: kind(FAINT.contains(c)),
        });
        taken += c.len_utf8();
        if found.len() >= MAX_TERMS {
            break;
        }
        before = Some(c);
    }
    taken
}

/// Takes a number with what belongs to it: "5:30", "3.5", "1,000", "2023-05-08", "8th", "5pm".
#[inline(never)]
fn number(rest: &str, seen: &mut Seen, found: &mut Vec<Found>) -> usize {
    if let Some((date, taken)) = iso_date(rest, seen) {
        found.push_all(date.into_iter().map(plain));
        return taken;
    }
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut term = String::new();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'0'..=b'9' => push_bounded(&mut term, b as char),
            b':' | b'.' if is_digit(at + 1) => push_bounded(&mut term, b as char),
            b',' if is_digit(at + 1) && is_digit(at + 2) && is_digit(at + 3) => {}
            _ => break,
        }
        at += 1;
    }
    let suffix: &str = rest.get(at..).unwrap_or_default();
    let length = suffix
        .char_indices()
        .find(|&(_, c)| class(c) != Class::Word)
        .map_or(suffix.len(), |(end, _)| end);
    match suffix.get(..length).unwrap_or_default() {
        "st" | "nd" | "rd" | "th" => found.push(plain(term)),
        half @ ("am" | "pm") => found.push_all([plain(term), plain(half)]),
        letters => {
            // "5月" meets "May".
            let months = suffix.starts_with('月').then(|| term.parse::<usize>().ok());
            let month = months.flatten().and_then(|n| MONTHS.get(n.checked_sub(1)?));
            letters.chars().for_each(|c| push_bounded(&mut term, c));
            found.push(plain(term));
            found.push_all(month.map(|name| plain(month_term(name, seen))));
        }
    }
    at + length
}

/// The name of a month as a text has it that writes it out.
fn month_term(name: &str, seen: &mut Seen) -> Rc<str> {
    seen.word(name)
        .map_or_else(|| name.into(), |word| word.term)
}

/// A date such as "2023-05-08" or "2023/5/8": the whole, and the year, month and day as words.
fn iso_date(rest: &str, seen: &mut Seen) -> Option<(Vec<Rc<str>>, usize)> {
    let mut parts: [u32; 3] = [0; 3];
    let mut at = 0;
    for (part, (min, max)) in parts.iter_mut().zip([(4, 4), (1, 2), (1, 2)]) {
        if at > 0 {
            let separator = rest.as_bytes().get(at)?;
            if !matches!(separator, b'-' | b'/') {
                return None;
            }
            at += 1;
        }
        let digits = rest
            .bytes()
            .skip(at)
            .take(max + 1)
            .take_while(u8::is_ascii_digit)
            .count();
        if digits < min || digits > max {
            return None;
        }
        *part = rest.get(at..at + digits)?.parse().ok()?;
        at += digits;
    }
    let [year, month, day] = parts;
    let name = MONTHS.get((month as usize).checked_sub(1)?)?;
    if !(1..=31).contains(&day) {
        return None;
    }
    let whole = format!("{year:04}-{month:02}-{day:02}");
    // "2023-05-08T10:00" : the time is a number of its own.
    let time = usize::from(rest.as_bytes().get(at) == Some(&b't'));
    let month = month_term(name, seen);
    let (year, day) = (year.to_string().into(), day.to_string().into());
    let words = vec![whole.into(), year, month, day];
    Some((words, at + time))
}

/// The letters of a word.
struct Letters {
    term: String,
    chars: usize,
    /// Where the last apostrophe stood in `term`.
    mark: Option<usize>,
    taken: usize,
}

/// The letters that a text begins with, of most words at once.
#[inline(never)]
fn letters(rest: &str) -> Letters {
    let bytes = rest.as_bytes();
    let length = alphanumeric(bytes);
    let ends = bytes
        .get(length)
        .is_none_or(|b| b.is_ascii() && *b != b'\'');
    match rest.get(..length) {
        Some(word) if ends && length <= MAX_TERM_CHARS => Letters {
            term: word.to_owned(),
            chars: length,
            mark: None,
            taken: length,
        },
        _ => any_letters(rest),
    }
}

/// How many letters and digits of ASCII come first.
#[inline(never)]
fn alphanumeric(bytes: &[u8]) -> usize {
    let is_other = |b: &u8| !b.is_ascii_alphanumeric();
    bytes.iter().position(is_other).unwrap_or(bytes.len())
}

#[inline(never)]
fn any_letters(rest: &str) -> Letters {
    let mut term = String::new();
    let mut chars = 0;
    let mut mark = None;
    let mut taken = 0;
    for (at, c) in rest.char_indices() {
        let is_inner = c == '\''
            && rest
                .get(at + 1..)
                .and_then(|r| r.chars().next())
                .is_some_and(|next| class(next) == Class::Word);
        taken = at;
        if is_inner {
            mark = Some(term.len());
        } else if class(c) != Class::Word {
            break;
        } else if chars < MAX_TERM_CHARS {
            chars += 1;
            term.push(c);
        }
        taken = at + c.len_utf8();
    }
    Letters {
        term,
        chars,
        mark,
        taken,
    }
}

/// Takes a word: stemmed where it is ASCII, without a possessive or contracted ending.
#[inline(never)]
fn word(rest: &str, stemmer: &Stemmer, found: &mut Vec<Found>) -> usize {
    let Letters {
        mut term,
        chars,
        mark,
        mut taken,
    } = letters(rest);
    if let Some(mark) = mark
        && matches!(
            term.get(mark..),
            Some("s" | "re" | "ve" | "ll" | "d" | "m" | "")
        )
    {
        term.truncate(mark);
    }
    let kind = kind(&term);
    // "C++" and "C#" are other words than "C".
    let after = rest.get(taken..).unwrap_or_default();
    if chars == 1 && after.starts_with('#') {
        term.push('#');
        taken += 1;
    } else if chars == 1 && after.starts_with("++") {
        term.push_str("++");
        taken += 2;
    } else if term.bytes().all(|b| b.is_ascii_lowercase()) {
        term = stemmed(&term, stemmer);
    }
    if !term.is_empty() {
        found.push(Found {
            term: term.into(),
            kind,
        });
    }
    taken
}

pub(super) fn kind(word: &str) -> Kind {
    if is_stop(word) {
        Kind::Stop
    } else if is_asking(word) {
        Kind::Asking
    } else {
        Kind::Plain
    }
}

pub(super) fn stemmed(word: &str, stemmer: &Stemmer) -> String {
    stemmer.stem(base_form(word)).into_owned()
}

/// The small Latin letters that a text begins with, if they are a word by themselves.
fn plain_word(rest: &str) -> Option<&str> {
    let length = rest.bytes().take_while(u8::is_ascii_lowercase).count();
    let (word, after) = rest.split_at_checked(length)?;
    let goes_on = |c| c == '\'' || class(c) == Class::Word;
    (!after.chars().next().is_some_and(goes_on)).then_some(word)
}

fn plain(term: impl Into<Rc<str>>) -> Found {
    Found {
        term: term.into(),
        kind: Kind::Plain,
    }
}

fn push_bounded(term: &mut String, c: char) {
    // A bound in bytes: what follows a number is nearly always ASCII.
    if term.len() < MAX_TERM_CHARS {
        term.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn forms_of_a_word_are_one_term() {
        assert_eq!(terms("running"), terms("Runs"));
        assert_eq!(terms("She bought CAFÉS"), terms("buy café"));
        assert_eq!(terms("Ann's dogs don't bark"), ["ann", "dog", "bark"]);
        assert_eq!(terms("мёд и чай"), ["мед", "и", "чаи"]);
    }

    #[test]
    fn numbers_stay_whole() {
        assert_eq!(terms("5:30pm"), terms("5:30 PM"));
        assert_eq!(terms("1,000.50 for 3.5."), ["1000.50", "3.5"]);
        assert_eq!(terms("the 8th"), ["8"]);
        assert_eq!(terms("room 12"), ["room", "12"]);
        assert_eq!(terms("10-12"), ["10", "12"]);
        assert_eq!(terms("5km"), ["5km"]);
    }

    #[test]
    fn an_iso_date_meets_the_written_one() {
        let written = terms("8 May 2023");
        let iso = terms("2023-05-08T10:30");
        assert!(written.iter().all(|term| iso.contains(term)));
        assert!(iso.contains(&"10:30".to_string()));
        assert_eq!(terms("2023/5/8"), terms("2023-05-08"));
        for (month, iso) in [("December", "2023-12-08"), ("July", "2023-07-08")] {
            let iso = terms(iso);
            let written = terms(&format!("8 {month} 2023"));
            assert!(written.iter().all(|term| iso.contains(term)), "{month}");
        }
        assert_eq!(terms("2023-13-01"), ["2023", "13", "01"]);
    }

    #[test]
    fn unspaced_scripts_give_pairs_and_characters() {
        assert_eq!(terms("喝咖啡"), ["喝", "喝咖", "咖", "咖啡", "啡"]);
        assert_eq!(terms("茶"), ["茶"]);
        assert!(terms("커피를 마신다").contains(&"커피".to_string()));
        assert!(terms("ดื่มกาแฟ").contains(&"กา".to_string()));
        assert_eq!(terms("2023年5月"), ["2023", "年", "5", "may", "月"]);
    }

    #[test]
    fn words_that_only_ask_are_no_part_of_a_question() {
        assert_eq!(query_terms("When did Ann move?"), ["ann", "move"]);
        assert_eq!(query_terms("who are you"), ["who"]);
        assert_eq!(
            query_terms("to be or not to be"),
            terms("to be or not to be")
        );
        assert_eq!(
            query_terms("你喜欢什么"),
            ["你喜", "喜", "喜欢", "欢", "欢什"]
        );
        assert!(query_terms(" ?! ").is_empty());
    }

    #[test]
    fn names_of_languages_differ() {
        assert_eq!(terms("C++ C# C"), ["c++", "c#", "c"]);
    }

    #[test]
    fn hostile_texts_stay_bounded() {
        assert_eq!(terms(&"a".repeat(1 << 20)).len(), 1);
        assert_eq!(terms(&"1.".repeat(1 << 19)).len(), 1);
        assert!(terms(&"咖啡".repeat(1 << 18)).len() <= MAX_TERMS + 1);
        assert!(terms(&"a'".repeat(1 << 19)).len() <= 1);
        assert_eq!(terms("🎉👩‍👩‍👧 \u{301}\u{301} ' ''"), Vec::<String>::new());
    }

    proptest! {
        #[test]
        fn any_text_gives_bounded_terms(text in ".*") {
            for term in terms(&text).iter().chain(&query_terms(&text)) {
                prop_assert!(!term.is_empty());
                prop_assert!(term.chars().count() <= MAX_TERM_CHARS + 2);
            }
        }

        #[test]
        fn the_stemmer_takes_any_word(word in "[a-z']{0,60}", tail in "[-0-9:.,/a-z#+]{0,40}") {
            terms(&word);
            terms(&tail);
        }

        #[test]
        fn words_seen_before_give_the_same_terms(
            texts in prop::collection::vec("([Tt]he |runs|running |May |2023-05-08|who's |C# |don't |x|é|咖啡| |\\PC){0,12}", 1..9),
        ) {
            let mut seen = Seen::default();
            for text in &texts {
                let known: Vec<String> = terms_of(text, &mut seen).iter().map(|term| term.to_string()).collect();
                prop_assert_eq!(known, terms(text));
            }
        }

        #[test]
        fn a_text_is_found_by_itself(text in "[a-zé咖啡茶 0-9]{1,40}") {
            let indexed = terms(&text);
            prop_assert!(query_terms(&text).iter().all(|term| indexed.contains(term)));
        }
    }
}
