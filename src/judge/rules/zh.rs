//! Chinese statements that are worth keeping.

use super::Finding;
use super::sentences::Sentence;
use crate::gather::Gather;
use crate::list;
use crate::memory::Category;
use crate::sorted::Facts;
use claims::{Match, classify};
use words::*;

mod claims;
mod own;
mod words;

/// Reads one sentence; statements that stand on their own become findings of their own.
#[inline(never)]
pub(super) fn read(sentence: &Sentence, name: Option<&str>) -> Vec<Finding> {
    let who = name.unwrap_or("用户");
    let text = sentence
        .text
        .trim_end_matches(['。', '！', '!', '.', '；', '~', '～', '…', '”', '」']);
    let (corrects, text) = strip_leads(text);
    if let Some(body) = explicit(text) {
        return vec![remembered(body, who, corrects)];
    }
    if REPORTED.iter().any(|word| text.contains(word))
        || HYPOTHETICAL.iter().any(|word| text.contains(word))
    {
        return Vec::new();
    }
    let called = || {
        split_clauses(text)
            .into_iter()
            .skip(1)
            .find(|clause| clause.starts_with("叫我"))
            .and_then(|clause| instruction(clause, who))
    };
    if let Some((content, facts)) = instruction(text, who)
        .or_else(called)
        .filter(|_| !sentence.asks)
    {
        return vec![Finding {
            content,
            category: Category::Preference,
            importance: 10,
            facts,
            corrects,
        }];
    }
    let clauses = split_clauses(text);
    let told: Vec<&str> = clauses
        .iter()
        .copied()
        .filter(|clause| !asks(clause))
        .gather();
    if sentence.asks && told.len() == clauses.len() {
        return Vec::new();
    }
    found_in(&told, who, corrects)
}

fn asks(clause: &str) -> bool {
    clause.ends_with(['？', '?', '呢', '吧']) || ASKS.iter().any(|word| clause.contains(word))
}

fn split_clauses(text: &str) -> Vec<&str> {
    text.split(['，', ',', '；', ';'])
        .map(str::trim)
        .filter(|clause| !clause.is_empty())
        .gather()
}

fn found_in(clauses: &[&str], who: &str, corrects: bool) -> Vec<Finding> {
    let mut out: Vec<(String, Match)> = Vec::new();
    for (i, clause) in clauses.iter().enumerate() {
        let goes_on =
            out.last().is_some_and(|(_, before)| before.goes_on) && !clause.contains('我');
        let whole = if goes_on {
            format!("我{clause}")
        } else {
            (*clause).to_owned()
        };
        match classify(&whole, corrects).filter(|matched| !(goes_on && is_name(matched))) {
            Some(matched) => {
                // "下周三，我要去北京": a time before the first clause belongs to it.
                let time = i
                    .checked_sub(1)
                    .and_then(|i| clauses.get(i))
                    .filter(|before| {
                        out.is_empty()
                            && TIMES.iter().any(|time| before.contains(time))
                            && before.chars().count() <= 8
                    });
                let text = time.map_or_else(|| whole.clone(), |time| format!("{time}，{whole}"));
                out.push((text, matched));
            }
            None => {
                if let Some((text, _)) = out.last_mut().filter(|_| !clause.contains('你')) {
                    text.push('，');
                    text.push_str(clause);
                }
            }
        }
    }
    let finding = |(text, matched): (String, Match)| Finding {
        content: tell(&text, who),
        category: matched.category,
        importance: matched.importance,
        facts: Facts::from_iter(matched.fact),
        corrects,
    };
    out.into_iter().map(finding).gather()
}

/// "养了一只猫，叫团子": a name without a subject may be another's.
fn is_name(matched: &Match) -> bool {
    matched
        .fact
        .as_ref()
        .is_some_and(|(key, _)| key == "profile.name")
}

fn strip_leads(text: &str) -> (bool, &str) {
    let (mut rest, mut corrects) = (text.trim(), false);
    loop {
        let marked = |word: &&str| {
            rest.strip_prefix(*word).is_some_and(|after| {
                after.starts_with(['，', ',', '：', ':', '！', '。', ' ', '、'])
            })
        };
        let after = |word: &str| {
            rest.get(word.len()..)
                .unwrap_or_default()
                .trim_start_matches(['，', ',', '：', ':', '！', '。', ' ', '、'])
        };
        if let Some(word) = CORRECTIONS.iter().find(|word| {
            marked(word) || (matches!(*word, "其实" | "实际上" | "更正") && rest.starts_with(*word))
        }) {
            (rest, corrects) = (after(word), true);
        } else if let Some(word) = LEADS.iter().find(|word| marked(word)).or_else(|| {
            LEADS
                .iter()
                .filter(|word| word.chars().count() > 1 && !matches!(*word, "因为" | "告诉你"))
                .find(|word| {
                    rest.strip_prefix(*word)
                        .is_some_and(|after| after.starts_with('我'))
                })
        }) {
            rest = after(word);
        } else {
            return (corrects, rest);
        }
    }
}

fn explicit(text: &str) -> Option<&str> {
    let start = "能不能|可以|能|麻烦你|麻烦|请你|请|你"
        .split('|')
        .fold(text, |t, word| t.strip_prefix(word).unwrap_or(t));
    let word = EXPLICIT
        .iter()
        .find(|word| start.starts_with(*word) || text.starts_with(*word))?;
    let start = if text.starts_with(word) { text } else { start };
    let body = start.get(word.len()..)?.trim_start_matches([
        '，', ',', '：', ':', '！', ' ', '了', '哦', '啊', '、', '。',
    ]);
    let asked = body.ends_with(['吗', '？', '?'])
        || "吗|什么|多少|谁".split('|').any(|word| body.contains(word))
        || body.starts_with(['我', '你']) && body.contains("上次");
    let pointing = "这个|这点|这一点|那个|这些|刚才|上面"
        .split('|')
        .any(|word| body.starts_with(word) && body.chars().count() <= 6);
    (body.chars().count() >= 3 && !asked && !pointing).then_some(body)
}

fn remembered(body: &str, who: &str, corrects: bool) -> Finding {
    let body = strip_leads(body).1;
    if let Some((content, facts)) = instruction(body, who) {
        return Finding {
            content,
            category: Category::Preference,
            importance: 10,
            facts,
            corrects,
        };
    }
    let matched: Vec<Match> = split_clauses(body)
        .into_iter()
        .filter_map(|clause| classify(clause, true))
        .gather();
    let category = matched
        .first()
        .map_or(Category::Note, |matched| matched.category);
    let facts = Facts::from_iter(matched.into_iter().filter_map(|matched| matched.fact));
    Finding {
        content: tell(body, who),
        category,
        importance: 10,
        facts,
        corrects,
    }
}

/// In the third person where only the speaker is spoken of, else with the speaker before it.
fn tell(text: &str, who: &str) -> String {
    let text = text.trim_end_matches(['哦', '哈', '呀', '啊', '哟', '啦']);
    let others = "我们|咱|你|您".split('|').any(|word| text.contains(word));
    let as_said = "我国|自我|我方".split('|').any(|word| text.contains(word));
    if !text.contains('我') && !text.contains("咱") {
        return text.to_owned();
    }
    if others || as_said {
        return format!("{who}：{text}");
    }
    KIN.iter()
        .fold(text.to_owned(), |t, kin| {
            t.replace(&format!("我{kin}"), &format!("我的{kin}"))
        })
        .replace('我', who)
}

fn instruction(text: &str, who: &str) -> Option<(String, Facts)> {
    let mut facts = Facts::new();
    let plain = "请你|请|你|可以|就|直接"
        .split('|')
        .fold(text, |t, word| t.strip_prefix(word).unwrap_or(t));
    let plain = "以后|今后|从现在起|从现在开始|请|你|就|都|，"
        .split('|')
        .fold(plain, |t, word| t.strip_prefix(word).unwrap_or(t));
    if let Some(given) = plain
        .strip_prefix("叫我")
        .or_else(|| plain.strip_prefix("称呼我为"))
        .or_else(|| plain.strip_prefix("喊我"))
    {
        let given = given
            .split(['，', ',', ' '])
            .next()
            .unwrap_or_default()
            .trim_end_matches(['吧', '就', '好', '了', '行', '可', '以']);
        let is_name = !given.is_empty()
            && given.chars().count() <= 6
            && !given.starts_with(['去', '来', '做', '起', '怎', '别', '不']);
        if is_name {
            facts.insert("preference.address".to_owned(), given.to_owned());
            return Some((format!("{who}希望被称为{given}"), facts));
        }
    }
    let standing = STANDING.iter().any(|word| {
        text.starts_with(word)
            || plain.starts_with(word)
            || text.get(..24).is_some_and(|head| head.contains(word))
    }) || "回答我时|回复我时|回答我的时候|回复我的时候|跟我说话时|和我说话时"
        .split('|')
        .any(|lead| plain.starts_with(lead));
    let own = text.contains("我以后")
        || text.contains("我一直")
        || text.contains("我总是")
        || text.contains("我每次")
        || text.starts_with('我')
        || text.contains("我永远");
    let commands = COMMANDS.iter().any(|word| text.contains(word));
    if !standing || own || !commands || asks(text) {
        return None;
    }
    let language = list::pairs(LANGUAGES).find(|(name, _)| text.contains(name));
    if let Some((_, language)) = language.filter(|_| text.contains(['回', '说'])) {
        facts.insert(
            "preference.response_language".to_owned(),
            language.to_owned(),
        );
    }
    Some((format!("{who}的长期要求：{text}"), facts))
}
