//! What goes inside a Chinese sentence.

use super::phatic::{clauses, phatic_clauses, phrase_zh, trimmed};
use super::rules_edit::{Edits, Reason};
use super::text::{Kind, Text};
use crate::list;
use crate::words::{Words, words};
use std::ops::Range;

/// Fillers at the start of a clause; sorted.
const LEADS: &str = "\
不得不说|不瞒你说|其实|其实吧|其实呢|其实啊|反正|反正吧|反正就是|另外呢|呃|呃那个|哇|哎|哎呀|哦|唉|\
啊|嗯|嗯嗯|噢|坦白说|就是说|就是那个|怎么说呢|总之|总的来说|我想说的是|我的意思是|我跟你讲|\
我跟你说|是这样的|欸|然后|然后呢|然后就是|然后那个|老实讲|老实说|讲真|话说|话说回来|说实在的|\
说实话|说真的|诶|那个什么|顺便提一下|顺便说一下|顺便说一句";
/// These only before a subject: alone they point or say.
const BEFORE_SUBJECT: Words = words!["就是", "那个", "这个", "反正就", "所以说"];
const SUBJECTS: &str = "我你他她它咱这那";
const PARTICLES: &str = "啊呀哦噢喔嘛哈诶哟呐咯呵";
/// Long and short.
const WORDY: &str = "\
真的是=是|真的很=很|真的太=太|真的好=好|真的非常=很|真的特别=很|真的超级=很|真的不=不|真的没=没|\
真的挺=挺|真的超=超|真的特=特|实在是太=太|真是太=太|非常非常=非常|特别特别=特别|超级超级=超级|\
真的真的=真的|很很=很|超超=超|好多好多=好多|很多很多=很多|一直一直=一直|有一点点=有点|有点儿=有点|\
一点点=一点|这样子=这样|那样子=那样|如果说=如果|虽然说=虽然|但是呢=但是|所以呢=所以|因为呢=因为|\
不过呢=不过|我个人觉得=我觉得|我个人认为=我认为|对于我来说=对我来说|到目前为止=至今|\
由于这个原因=因此|在这种情况下=因此|与此同时=同时|除此之外=此外|也就是说=即|的时候=时|的话呢=的话|\
呢就=就|非常的=非常|特别的喜欢=喜欢|非常喜欢=喜欢|特别喜欢=喜欢|超级喜欢=喜欢|超喜欢=喜欢|\
真的喜欢=喜欢|简直就是=是|简直是=是|确确实实=确实";

/// Adds the edits of a sentence.
pub(super) fn edits(text: &Text<'_>, sentence: &Range<usize>, edits: &mut Edits) {
    if !sentence
        .clone()
        .any(|at| text.token(at).is_some_and(|t| t.kind == Kind::Cjk))
    {
        return;
    }
    let parts = clauses(text, sentence);
    let idle = phatic_clauses(text, &parts);
    idle_clauses(text, sentence, &parts, &idle, edits);
    for part in &parts {
        lead(text, part, edits);
        end(text, part, edits);
    }
    for at in sentence.clone() {
        laughter(text, sentence, at, edits);
        wordy(text, sentence, at, edits);
    }
}

fn is_cjk(text: &Text<'_>, at: usize) -> bool {
    text.token(at)
        .is_some_and(|t| t.kind == Kind::Cjk && !t.quoted)
}

/// Clauses that tell nothing, with their comma.
fn idle_clauses(
    text: &Text<'_>,
    sentence: &Range<usize>,
    parts: &[Range<usize>],
    idle: &[bool],
    edits: &mut Edits,
) {
    if idle.iter().all(|idle| *idle) {
        return;
    }
    let last = parts
        .iter()
        .zip(idle)
        .rposition(|(part, idle)| !*idle && !trimmed(text, part).is_empty());
    for (i, (part, idle)) in parts.iter().zip(idle).enumerate() {
        let bare = trimmed(text, part);
        if !*idle || bare.is_empty() || !bare.clone().all(|at| is_cjk(text, at)) {
            continue;
        }
        let tail = last.is_some_and(|last| i > last);
        if tail {
            // The comma before it goes, the end mark stays.
            let from = part.start.saturating_sub(1).max(sentence.start);
            if words![",", "、", "-", "~", "…"].contains(text.low(from)) {
                edits.drop(from..bare.end, Reason::Phatic);
                let tag = bare
                    .clone()
                    .any(|at| matches!(text.low(at), "吧" | "吗" | "不"));
                if tag && text.low(bare.end) == "?" && bare.end + 1 >= sentence.end {
                    edits.push(bare.end..bare.end + 1, "。", Reason::Phatic);
                }
            }
        } else if words![",", "、", "~", "…"].contains(text.low(part.end)) {
            edits.drop(part.start..part.end + 1, Reason::Phatic);
        }
    }
}

/// Fillers at the start of a clause.
fn lead(text: &Text<'_>, part: &Range<usize>, edits: &mut Edits) {
    let mut at = part.start;
    while at < part.end {
        let end = phrase_zh(LEADS, text, at, part.end).or_else(|| {
            BEFORE_SUBJECT.iter().find_map(|word| {
                let end = at + word.chars().count();
                let fits = word
                    .chars()
                    .enumerate()
                    .all(|(i, c)| text.low(at + i).starts_with(c) && is_cjk(text, at + i));
                (fits && end < part.end && SUBJECTS.contains(text.low(end))).then_some(end)
            })
        });
        let Some(end) = end.filter(|end| *end < part.end && is_cjk(text, *end)) else {
            return;
        };
        // 啊姨, 哇塞: one character alone may begin a word.
        if end == at + 1 && !SUBJECTS.contains(text.low(end)) {
            return;
        }
        edits.drop(at..end, Reason::Filler);
        at = end;
    }
}

/// Particles at the end of a clause.
fn end(text: &Text<'_>, part: &Range<usize>, edits: &mut Edits) {
    let bare = trimmed(text, part);
    let mut at = bare.end;
    while at > bare.start + 2 && is_cjk(text, at - 1) {
        let low = text.low(at - 1);
        let question = text.low(bare.end) == "?";
        let idle = PARTICLES.contains(low)
            || (low == "呢" && !question)
            || (low == "啦" && text.low(at - 2) == "了");
        if !idle || low.is_empty() {
            return;
        }
        edits.drop(at - 1..at, Reason::Filler);
        at -= 1;
    }
}

/// 哈哈哈 and the like.
fn laughter(text: &Text<'_>, sentence: &Range<usize>, at: usize, edits: &mut Edits) {
    let low = text.low(at);
    if !words!["哈", "嘿", "嘻", "呜", "呵"].contains(low)
        || !is_cjk(text, at)
        || text.low(at + 1) != low
        || text.before(at, sentence) == low
    {
        return;
    }
    let mut end = at;
    while end < sentence.end && text.low(end) == low {
        end += 1;
    }
    edits.drop(at..end, Reason::Filler);
}

fn wordy(text: &Text<'_>, sentence: &Range<usize>, at: usize, edits: &mut Edits) {
    if !is_cjk(text, at) {
        return;
    }
    for (long, short) in list::pairs(WORDY) {
        let size = long.chars().count();
        let fits = at + size <= sentence.end
            && long
                .chars()
                .enumerate()
                .all(|(i, c)| is_cjk(text, at + i) && text.low(at + i).starts_with(c));
        let word = long == "的时候" && matches!(text.before(at, sentence), "小" | "那" | "这");
        let heart =
            long.starts_with("真的") && matches!(text.before(at, sentence), "是" | "不" | "当");
        if fits && !word && !heart {
            edits.push(at..at + size, short, Reason::Wordy);
            return;
        }
    }
}
