//! Texts as sequences of words: folding, negation, and the word lists that tell meaning from filler.

use crate::case;
use crate::gather::Gather;
use crate::gather::Push;
use crate::words::{Words, words};

/// Words that carry no value of their own; they may differ between two texts that say the same.
#[rustfmt::skip]
const FILLER: Words = words![
    "a", "about", "also", "am", "an", "and", "anymore", "are", "as", "at", "be", "been", "being",
    "by", "currently", "do", "does", "for", "he", "her", "him", "his", "i", "in", "is", "it",
    "its", "just", "me", "much", "my", "no", "now", "of", "on", "quite", "really", "she", "so",
    "still", "that", "the", "their", "them", "they", "these", "this", "those", "to", "too",
    "truly", "user", "users", "very", "which", "who", "with",
];

/// Chinese characters that may differ between two texts that say the same.
const FILLER_CJK: &str =
    "的了着地得是很在也就都和与跟及有个們们他她它这那此其之而且请吧啊呢嘛哦呀非常特别";

#[rustfmt::skip]
const NEGATION: Words = words![
    "anymore", "aucun", "avoid", "avoids", "barely", "hardly", "jamais", "kein", "keine", "keinen",
    "longer", "neither", "never", "nicht", "nie", "no", "nobody", "none", "nor", "not", "nothing",
    "nowhere", "nunca", "ohne", "pas", "quit", "rarely", "refuses", "seldom", "sin", "stopped",
    "tampoco", "without", "не", "нет", "никогда", "안", "못", "않는다", "아니다",
];

/// Words that, added to a sentence, make it tell something else.
#[rustfmt::skip]
const TURNING: Words = words![
    "almost", "although", "aunt", "believe", "believes", "boss", "boyfriend", "brother",
    "brothers", "but", "child", "children", "claims", "colleague", "consider", "considering",
    "considers", "could", "cousin", "dad", "daughter", "daughters", "died", "either", "ended",
    "ex", "except", "father", "fiance", "finished", "former", "formerly", "friend", "friends",
    "girlfriend", "grandfather", "grandma", "grandmother", "grandpa", "had", "hope", "hopes",
    "husband", "if", "instead", "less", "manager", "may", "maybe", "might", "mom", "mother", "mum",
    "nearly", "neighbor", "neighbour", "nephew", "niece", "once", "only", "or", "parents",
    "partner", "perhaps", "plan", "plans", "previously", "return", "roommate", "said", "says",
    "should", "sister", "sisters", "son", "sons", "than", "thinks", "try", "tries", "uncle",
    "unless", "until", "used", "want", "wants", "was", "were", "when", "while", "wife", "will",
    "would",
];

const TURNING_CJK: &str = "姐妹哥弟爸妈父母妻夫儿女友婆爷奶叔舅姑姨邻居同事朋老板曾前除如若或但却只仅才想将要会能可说称以为据直到戒停";

#[rustfmt::skip]
const NUMBERS: Words = words![
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
];

const NUMBERS_CJK: &str = "一二两三四五六七八九十百千万亿";

/// What follows 不, 别 and the like where they do not negate.
#[rustfmt::skip]
const NOT_NEGATION: Words = words![
    "不错", "不过", "不仅", "不但", "不断", "不久", "不同", "不少", "不管", "不论", "别人", "别墅",
    "别的", "别名", "别致", "未来", "无锡", "无线", "无论", "非常", "非洲", "没关系",
];
#[rustfmt::skip]
const NOT_NEGATION_BEFORE: Words = words![
    "特别", "分别", "级别", "性别", "类别", "区别", "告别", "识别", "个别", "除非",
];

/// Whether the character belongs to a script written without spaces.
pub(crate) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The character as it is compared: full-width forms become ASCII, typographic marks their plain form.
fn fold(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' | '\u{a0}' => ' ',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' => '\'',
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        _ => c,
    }
}

fn is_mark(c: char) -> bool {
    c.is_ascii_punctuation()
        || c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{a1}' | '\u{ab}' | '\u{b7}' | '\u{bb}' | '\u{bf}' | '\u{2000}'..='\u{206f}'
            | '\u{3001}'..='\u{303f}' | '\u{fe00}'..='\u{fe0f}' | '\u{fe30}'..='\u{fe4f}' | '\u{feff}')
}

/// Splits into folded, lower-case words; each CJK character is a word, and numbers, `c++` and `c#` stay whole.
pub(crate) fn words(text: &str) -> Vec<String> {
    let mut chars: Vec<char> = Vec::with_capacity(text.len());
    for c in text.chars().map(fold) {
        if c.is_ascii() {
            chars.push(c.to_ascii_lowercase());
        } else {
            chars.push_all(case::lower(c));
        }
    }
    let at = |i: usize| chars.get(i).copied().unwrap_or(' ');
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let before = if i == 0 { ' ' } else { at(i - 1) };
        let after = at(i + 1);
        let in_number = before.is_ascii_digit() && after.is_ascii_digit();
        if is_cjk(c) || matches!(c, '$' | '€' | '£' | '¥' | '%') {
            flush(&mut word, &mut out);
            out.push(c.to_string());
        } else if c == ',' && in_number && !at(i + 4).is_ascii_digit() && at(i + 3).is_ascii_digit()
        {
            // A thousands separator: 1,000 is 1000.
        } else if c.is_alphanumeric()
            || c == '_'
            || (matches!(c, '.' | ':' | '/' | ',') && in_number)
            || (matches!(c, '+' | '#') && !word.is_empty() && !after.is_alphanumeric())
            || (c == '-' && after.is_ascii_digit() && before.is_whitespace())
            || (c == '\'' && before.is_alphabetic() && after.is_alphabetic())
        {
            word.push(c);
        } else {
            flush(&mut word, &mut out);
            if !is_mark(c) {
                out.push(c.to_string());
            }
        }
    }
    flush(&mut word, &mut out);
    out
}

fn flush(word: &mut String, out: &mut Vec<String>) {
    if word.is_empty() {
        return;
    }
    let taken = std::mem::take(word);
    let (stem, rest) = match taken.split_once('\'') {
        None => {
            match taken.as_str() {
                "cannot" | "cant" => out.push_all(["can".to_owned(), "not".to_owned()]),
                "dont" => out.push_all(["do".to_owned(), "not".to_owned()]),
                "doesnt" => out.push_all(["does".to_owned(), "not".to_owned()]),
                _ => out.push(taken),
            }
            return;
        }
        Some(parts) => parts,
    };
    match (stem, rest) {
        ("can", "t") => out.push_all(["can".to_owned(), "not".to_owned()]),
        ("won", "t") => out.push_all(["will".to_owned(), "not".to_owned()]),
        (_, "t") if stem.ends_with('n') && stem.len() > 2 => {
            out.push_all([stem.trim_end_matches('n').to_owned(), "not".to_owned()]);
        }
        (_, "s") => out.push(stem.to_owned()),
        (_, "m") => out.push_all([stem.to_owned(), "am".to_owned()]),
        (_, "re") => out.push_all([stem.to_owned(), "are".to_owned()]),
        (_, "ve") => out.push_all([stem.to_owned(), "have".to_owned()]),
        (_, "ll") => out.push_all([stem.to_owned(), "will".to_owned()]),
        _ => out.push(taken),
    }
}

/// The words joined again: spaces between words, none between CJK characters.
pub(crate) fn join(words: &[String]) -> String {
    let mut out = String::new();
    for word in words {
        let spaced =
            !(out.is_empty() || (is_cjk_word(word) && out.chars().next_back().is_some_and(is_cjk)));
        if spaced {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether the word is a single CJK character.
pub(crate) fn is_cjk_word(word: &str) -> bool {
    word.chars().next().is_some_and(is_cjk)
}

/// For each word, whether it negates.
pub(crate) fn negations(words: &[String]) -> Vec<bool> {
    (0..words.len()).map(|i| is_negation(words, i)).gather()
}

fn is_negation(words: &[String], i: usize) -> bool {
    let word_at = |i: usize| words.get(i).map_or("", String::as_str);
    let (word, next) = (word_at(i), word_at(i + 1));
    let before = if i == 0 { "" } else { word_at(i - 1) };
    match word {
        "不" | "没" | "沒" | "無" | "无" | "别" | "未" | "非" | "勿" | "莫" => {
            !NOT_NEGATION.contains(format!("{word}{next}").as_str())
                && !NOT_NEGATION_BEFORE.contains(format!("{before}{word}").as_str())
        }
        "な" => matches!(next, "い" | "く"),
        "せ" => before == "ま" && next == "ん",
        // "no longer" and "not anymore" negate once.
        "no" => next != "longer",
        "longer" => before == "no",
        "anymore" => !words.iter().take(i).any(|w| NEGATION.contains(w.as_str())),
        _ => NEGATION.contains(word),
    }
}

/// Whether the stem is that of one of the words.
pub(crate) fn is_stem_of(stemmed: &str, list: Words) -> bool {
    list.iter().any(|word| stem(word) == stemmed)
}

/// Whether the word is or holds a number.
pub(crate) fn is_number(word: &str) -> bool {
    word.chars().any(|c| c.is_numeric())
}

/// The word as a number in digits, when it is one.
pub(crate) fn number(word: &str) -> Option<String> {
    if is_number(word) {
        return Some(word.to_owned());
    }
    // "one" is as often a pronoun as a number.
    let value = NUMBERS.position(word).filter(|_| word != "one")?;
    Some(value.to_string())
}

/// Whether the word carries no value of its own.
pub(crate) fn is_filler(word: &str) -> bool {
    FILLER.contains(word) || is_one_of(word, FILLER_CJK) || word == "用" || word == "户"
}

/// Whether the word, added to a sentence, may turn what it says.
pub(crate) fn is_turning(word: &str) -> bool {
    TURNING.contains(word)
        || is_one_of(word, TURNING_CJK)
        || is_one_of(word, NUMBERS_CJK)
        || number(word).is_some()
}

fn is_one_of(word: &str, set: &str) -> bool {
    let mut chars = word.chars();
    matches!((chars.next(), chars.next()), (Some(c), None) if set.contains(c))
}

/// One form for a word's regular inflections and for plain words of liking; past tense stays apart.
pub(crate) fn stem(word: &str) -> String {
    let plain = match word {
        "love" | "loves" | "enjoy" | "enjoys" | "adore" | "adores" | "likes" | "loving"
        | "enjoying" => "like",
        "hates" | "hate" | "dislikes" | "detests" | "detest" | "loathes" | "loathe" => "dislike",
        "favourite" => "favorite",
        "colour" => "color",
        "has" | "have" => "have",
        _ => word,
    };
    if let Some(digits) = number(plain) {
        return digits;
    }
    if !plain.is_ascii() || plain.len() < 4 {
        return plain.to_owned();
    }
    let mut base = plain;
    if let Some(cut) = plain.strip_suffix("ies") {
        return format!("{cut}y");
    } else if let Some(cut) = plain
        .strip_suffix("ing")
        .filter(|cut| cut.len() >= 4 || is_short_ing(plain))
    {
        base = cut;
        let mut back = base.bytes().rev();
        if let (Some(x), Some(y)) = (back.next(), back.next())
            && x == y
            && !matches!(x, b'l' | b's' | b'z' | b'f')
        {
            base = base.get(..base.len() - 1).unwrap_or(base);
        }
    } else if !plain.ends_with("ss") && !plain.ends_with("us") && !plain.ends_with("is") {
        base = plain.strip_suffix('s').unwrap_or(plain);
    }
    base.strip_suffix('e').unwrap_or(base).to_owned()
}

fn is_short_ing(word: &str) -> bool {
    words!["using", "living", "liking", "eating", "having"].contains(word)
}
