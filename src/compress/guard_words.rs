//! The words that turn what a sentence says, and how to tell them from their idle uses.

use super::text::{Kind, Text};
use crate::list;
use crate::words::{Words, words};
use std::ops::Range;

pub(super) use super::words::{NUMERALS, UNITS};

/// Words of liking, each with its one name.
pub(super) const PREFERENCES: &str = "\
addicted=like|adore=like|adored=like|adores=like|allergic=allergic|allergy=allergic|cherish=like|\
despise=hate|detest=hate|dislike=hate|disliked=hate|dislikes=hate|enjoy=like|enjoyed=like|\
enjoying=like|enjoys=like|fan=like|fave=favorite|favorite=favorite|favorites=favorite|\
favourite=favorite|fond=like|hate=hate|hated=hate|hates=hate|hating=hate|intolerant=allergic|\
like=like|liked=like|likes=like|loathe=hate|love=like|loved=like|loves=like|loving=like|\
obsessed=like|prefer=prefer|preferred=prefer|prefers=prefer|sick=hate|vegan=vegan|\
vegetarian=vegetarian";

/// Words of possibility, plan, report and limit, each with its one name.
pub(super) const MODAL: &str = "\
allegedly=report|almost=almost|apparently=report|avoid=avoid|avoids=avoid|barely=barely|\
claimed=report|claims=report|considering=consider|could=could|depends=if|except=except|former=past|\
formerly=past|gonna=plan|hope=hope|hopes=hope|hoping=hope|if=if|intend=plan|intends=plan|\
likely=maybe|may=maybe|maybe=maybe|might=maybe|must=must|nearly=almost|only=only|or=or|\
perhaps=maybe|plan=plan|planned=plan|planning=plan|plans=plan|possibly=maybe|previously=past|\
probably=maybe|provided=if|quit=stop|said=report|says=report|should=should|stopped=stop|\
supposedly=report|think=think|thinks=think|till=until|tried=try|tries=try|try=try|trying=try|\
unless=unless|until=until|wanna=want|want=want|wanted=want|wants=want|whether=whether|will=plan|\
wish=wish|wishes=wish";

/// The same in two words.
pub(super) const PAIRED: &str = "\
going to=plan|have to=must|looking to=plan|need to=must|used to=past|would like=want|\
would love=want";

/// Chinese words of time.
pub(super) const TIMES_ZH: &str = "\
上个月|上午|上半年|上周|上周末|上学期|上星期|下个月|下午|下半年|下周|下周末|下学期|下星期|中午|\
中秋|中秋节|之前|之后|今天|今年|今早|今晚|从小|以前|以后|偶尔|傍晚|元宵|元旦|冬天|凌晨|刚刚|刚才|\
前天|前年|半夜|去年|后天|后年|周末|国庆|国庆节|圣诞|圣诞节|夏天|大前天|大后天|寒假|小时候|平时|\
年初|年底|従来|情人节|早上|早晨|明天|明年|明早|明晚|春天|春节|昨天|昨晚|晚上|暑假|最近|月初|月底|\
本周|本月|每周|每天|每年|每晚|每月|清明|清明节|现在|目前|秋天|端午|端午节|经常|过年|这个月|这周|\
这周末|那天|那年";

pub(super) const PREFERENCES_ZH: &str = "\
不喜欢=hate|喜欢=like|喜爱=like|最爱=like|热爱=like|偏爱=like|爱吃=like|爱喝=like|爱看=like|\
爱听=like|爱玩=like|讨厌=hate|厌恶=hate|受不了=hate|过敏=allergic|忌口=avoid|吃素=vegan|\
更倾向=prefer|更喜欢=prefer|偏好=prefer|迷上=like|沉迷=like";

pub(super) const MODAL_ZH: &str = "\
可能=maybe|也许=maybe|或许=maybe|大概=maybe|说不定=maybe|应该=should|打算=plan|计划=plan|\
准备=plan|想要=want|希望=hope|曾经=past|以前是=past|据说=report|听说=report|好像=maybe|似乎=maybe|\
差点=almost|几乎=almost|必须=must|尽量=try|试着=try|考虑=consider|估计=maybe|正在=now|戒=stop|\
将要=plan|快要=plan|想=want|要=will";

pub(super) const LIMITS_ZH: &str = "\
只有=only|只能=only|只要=if|仅=only|只=only|除了=except|除非=unless|除=except|直到=until|如果=if|\
要是=if|假如=if|万一=if|的话=if|至少=least|最多=most|不超过=most|超过=over|以上=over|以下=under|\
以内=within|大约=about|左右=about|差不多=about|否则=else|或者=or|还是=or|不然=else|才=only|\
但是=but|但=but|不过=but|可是=but";

/// What before a span of time says which one.
pub(super) const RELATIVE: Words = words![
    "another", "coming", "each", "every", "few", "following", "last", "next", "past", "previous",
    "several", "that", "this",
];

/// Whether the word tells a liking here, not a likeness.
pub(super) fn is_preference(low: &str, before: &str, next: &str) -> bool {
    match low {
        "like" => {
            let alike = [
                "is", "are", "was", "were", "be", "been", "am", "feel", "feels", "felt", "feeling",
                "look", "looks", "looked", "looking", "sound", "sounds", "sounded", "seem",
                "seems", "just", "more", "much", "anything", "something", "nothing", "stuff",
                "things", "people", "places", "kinda", "would", "", ",", "-", "and", "it", "one",
                "moments", "smells", "tastes", "act", "acts", "that", "this", "those", "these",
            ];
            !alike.contains(&before)
        }
        "love" => {
            let thing = [
                "of", "and", "the", "with", "spread", "spreading", "much", "more", "your", "their",
                "his", "her", "our", "sending", "show", "full", "for", "true", "unconditional",
                "create", "in", "that", "a", "all",
            ];
            !thing.contains(&before) || next == "of"
        }
        "sick" => next == "of",
        "loved" => !matches!(next, "ones" | "one"),
        "fan" => matches!(next, "of" | "") || next.is_empty(),
        _ => true,
    }
}

/// Whether the word turns the sentence here.
pub(super) fn is_modal(low: &str, before: &str, next: &str, capital: bool) -> bool {
    match low {
        "may" => !capital || before.is_empty(),
        "think" => matches!(before, "i" | "we") && !matches!(next, "of" | "about"),
        "or" => !words!["something", "whatever", "so", "anything"].contains(next),
        "plan" | "plans" => {
            words!["to", "on", "is", "are"].contains(next)
                || words!["i", "we", "they", "he", "she", "who"].contains(before)
        }
        "could" => before != "wish",
        // "That must have been hard" guesses; "I must go" does not.
        "must" => {
            !(matches!(next, "be" | "have" | "feel")
                && words!["it", "that", "you", ""].contains(before))
        }
        "only" | "try" | "tried" => true,
        _ => true,
    }
}

/// Whether "one" counts something here.
pub(super) fn counts_one(text: &Text<'_>, at: usize, piece: &Range<usize>) -> bool {
    let next = text.low(at + 1);
    let hyphen = next == "-" && list::value(UNITS, text.low(at + 2)).is_some();
    let scale = words!["hundred", "thousand", "million", "billion", "dozen"].contains(next);
    let unit = list::value(UNITS, next).is_some() && next != "second";
    let kin = words![
        "kid", "child", "son", "daughter", "brother", "sister", "dog", "cat", "sibling"
    ]
    .contains(next);
    hyphen || scale || unit || kin || matches!(text.before(at, piece), "only" | "just" | "exactly")
}

/// What limits the number that begins here: "at least", "over", "about".
pub(super) fn limit_before(text: &Text<'_>, at: usize, start: usize) -> Option<&'static str> {
    let word = |back: usize| {
        at.checked_sub(back)
            .filter(|i| *i >= start)
            .map_or("", |i| text.low(i))
    };
    let skip = usize::from(words!["a", "the", "$", "€", "£", "¥"].contains(word(1)));
    Some(match (word(2 + skip), word(1 + skip)) {
        ("at", "least") => "least",
        ("at", "most") | ("up", "to") => "most",
        ("more", "than") => "over",
        ("less", "than") | ("fewer", "than") => "under",
        (_, "over") => "over",
        (_, "under") => "under",
        (_, "about" | "around" | "approximately" | "roughly" | "approx") => "about",
        (_, "almost" | "nearly") => "almost",
        (_, "within") => "within",
        _ => return None,
    })
}

/// The longest of the Chinese words that begins here, with its one name and its end.
pub(super) fn longest_zh(
    pairs: &'static str,
    text: &Text<'_>,
    at: usize,
    end: usize,
) -> Option<(&'static str, usize)> {
    let matching = |word: &str| {
        word.chars().enumerate().all(|(i, c)| {
            at + i < end
                && text
                    .token(at + i)
                    .is_some_and(|t| t.kind == Kind::Cjk && t.low.starts_with(c))
        })
    };
    let first = text.low(at).chars().next()?;
    let fitting = pairs.split('|').filter(|entry| entry.starts_with(first));
    let fitting = fitting.filter_map(|entry| entry.split_once('='));
    let fitting = fitting.filter(|(word, _)| matching(word));
    let (word, name) = fitting.max_by_key(|(word, _)| word.len())?;
    Some((name, at + word.chars().count()))
}

/// 周三, 星期三, 礼拜天, with its end.
pub(super) fn weekday_zh(text: &Text<'_>, at: usize, end: usize) -> Option<(String, usize)> {
    let head = match (text.low(at), text.low(at + 1)) {
        ("周", _) => 1,
        ("星", "期") | ("礼", "拜") => 2,
        _ => return None,
    };
    let day = text.low(at + head);
    let number = "一二三四五六日"
        .find(day)
        .filter(|_| !day.is_empty())
        .or((day == "天").then_some(18))?;
    (at + head < end).then(|| (format!("weekday {}", number / 3 + 1), at + head + 1))
}

/// A Chinese numeral, with its value in digits and its end.
pub(super) fn numeral_zh(text: &Text<'_>, at: usize, end: usize) -> Option<(String, usize)> {
    let mut chars = String::new();
    for i in at..end.min(at + 24) {
        let low = text.low(i);
        if !low.starts_with(|c| "零〇一二两三四五六七八九十百千万亿半俩仨".contains(c))
            || low.chars().count() != 1
        {
            break;
        }
        chars.push_str(low);
    }
    let after = text.low(at + chars.chars().count());
    let idle = match chars.as_str() {
        "" => return None,
        "万一" | "千万" | "百" | "千" | "万" | "亿" => {
            after != "元" && after != "块" && after != "年"
        }
        "十" => after == "分" && text.low(at + 2) != "钟",
        _ => false,
    };
    if idle {
        return None;
    }
    let count = chars.chars().count();
    if chars == "半" {
        return Some(("0.5".to_owned(), at + 1));
    }
    Some((value_zh(&chars), at + count))
}

fn value_zh(chars: &str) -> String {
    let digit = |c: char| {
        "零一二三四五六七八九"
            .chars()
            .position(|d| d == c)
            .map(|d| d as u64)
    };
    let plain: Option<Vec<u64>> = chars
        .chars()
        .map(|c| digit(if c == '〇' { '零' } else { c }))
        .collect();
    if let Some(digits) = plain.filter(|digits| digits.len() > 1) {
        // 二零二三, read digit by digit.
        return digits.iter().map(u64::to_string).collect();
    }
    let (mut total, mut section, mut current) = (0_u64, 0_u64, 0_u64);
    let mut half = "";
    let mut last_scale = 1;
    for c in chars.chars() {
        match c {
            '半' => half = ".5",
            '两' | '俩' => current = 2,
            '仨' => current = 3,
            '十' | '百' | '千' => {
                last_scale = match c {
                    '十' => 10,
                    '百' => 100,
                    _ => 1000,
                };
                section = section.saturating_add(current.max(1).saturating_mul(last_scale));
                current = 0;
            }
            '万' | '亿' => {
                last_scale = if c == '万' { 10_000 } else { 100_000_000 };
                let part = section.saturating_add(current).max(1);
                total = total.saturating_add(part).saturating_mul(last_scale);
                section = 0;
                current = 0;
            }
            '零' | '〇' => last_scale = 1,
            other => current = digit(other).unwrap_or(0),
        }
    }
    // 一百二 is 120.
    if last_scale >= 100 && current > 0 {
        current = current.saturating_mul(last_scale / 10);
    }
    format!(
        "{}{half}",
        total.saturating_add(section).saturating_add(current)
    )
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    #[test]
    fn chinese_numerals_have_values() {
        for (numeral, value) in [
            ("三十五", "35"),
            ("两", "2"),
            ("十二", "12"),
            ("一百二", "120"),
            ("一百零二", "102"),
            ("两万五", "25000"),
            ("二零二三", "2023"),
            ("一千零一", "1001"),
            ("三十", "30"),
            ("十", "10"),
        ] {
            assert_eq!(value_zh(numeral), value, "{numeral}");
        }
    }

    #[test]
    fn lists_are_sorted() {
        for sorted in [
            PREFERENCES,
            MODAL,
            PAIRED,
            TIMES_ZH,
            NUMERALS,
            UNITS,
            words::DATES,
            words::PLACES,
            words::NAMES,
            words::MONTHS,
            words::STARTERS,
            words::CALLS,
        ] {
            assert!(list::is_sorted(sorted), "{}", &sorted[..20]);
        }
    }
}
