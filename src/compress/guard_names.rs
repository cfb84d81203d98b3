//! Names: capitals that no sentence start explains, known names, and what Chinese patterns show.

use super::guard::Kind as What;
use super::guard_items::Item;
use super::phatic;
use super::phatic_en::{DEGREE, PHATIC, SMALL};
use super::text::{Kind, Text, Token};
use super::words::{DATES, MONTHS, NAMES, PLACES, STARTERS};
use crate::case;
use crate::list;
use crate::sorted::Names;
use crate::words::{Words, words};
use std::ops::Range;

const SURNAMES: &str = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤";
/// What follows a name and is no part of it.
const NOT_GIVEN: &str = "的了在是和跟与也都就说有来去给让把被很不没要会想能得着过吗呢吧啊们从对为到上下里中个一二三四五六七八九十老这那还又才只再，。！？、：；,.!?:;、";
/// What shows a name after it.
const TITLES: Words = words![
    "先生", "女士", "小姐", "老师", "医生", "教授", "经理", "总监", "阿姨", "叔叔", "师傅", "同学",
];
/// What shows a name before it.
const CUES: Words = words![
    "叫", "名叫", "姓", "我是", "朋友", "同事", "同学", "老公", "老婆", "女儿", "儿子", "妹妹",
    "姐姐", "哥哥", "弟弟", "老板", "男友", "女友", "和", "跟", "找", "问", "给", "请", "教", "陪",
    "约", "带",
];
#[rustfmt::skip]
const CITIES: Words = words![
    "北京", "上海", "广州", "深圳", "杭州", "南京", "苏州", "成都", "重庆", "武汉", "西安", "天津", "长沙", "青岛", "大连",
    "厦门", "宁波", "无锡", "郑州", "济南", "合肥", "福州", "昆明", "贵阳", "南昌", "沈阳", "哈尔滨", "长春", "海口", "三亚",
    "台北", "香港", "澳门", "拉萨", "大理", "丽江", "桂林", "珠海", "东京", "大阪", "京都", "首尔", "纽约", "伦敦", "巴黎",
    "柏林", "悉尼", "曼谷", "新加坡", "云南", "四川", "浙江", "江苏", "广东", "福建", "湖南", "湖北", "河南", "河北", "山东",
    "山西", "陕西", "海南", "贵州", "江西", "安徽", "辽宁", "吉林", "黑龙江", "甘肃", "青海", "新疆", "西藏", "内蒙古", "广西",
    "台湾", "日本", "韩国", "美国", "英国", "法国", "德国", "泰国", "中国", "意大利", "西班牙", "加拿大", "澳洲", "澳大利亚",
];
const PLACE_ENDS: Words = words![
    "大学", "学院", "医院", "公司", "机场", "中学", "小学", "公园", "路", "街", "镇", "村", "县",
    "市", "区", "湖", "山", "站",
];

/// The words that stand with a capital inside a sentence, in lower case.
pub(super) fn inner_capitals(text: &Text<'_>) -> Names {
    let mut out = Names::new();
    for sentence in &text.sentences {
        for at in sentence.clone().skip(1) {
            if let Some(token) = text.token(at).filter(|t| t.kind == Kind::Word && t.capital)
                && !starts_quote(text, at)
            {
                out.insert(token.low.clone());
            }
        }
    }
    out
}

fn starts_quote(text: &Text<'_>, at: usize) -> bool {
    at > 0 && words!["\"", "“", ":", "!", "?", "*", "-", "("].contains(text.low(at - 1))
}

/// Finds the names in a piece of a sentence.
pub(super) fn find(
    text: &Text<'_>,
    piece: &Range<usize>,
    sentence: usize,
    capitals: &Names,
    out: &mut Vec<Item>,
) {
    let clauses = phatic::clauses(text, piece);
    let idle = phatic::phatic_clauses(text, &clauses);
    for (clause, idle) in clauses.iter().zip(idle) {
        if idle {
            continue;
        }
        for at in clause.clone() {
            let Some(token) = text.token(at).filter(|t| !t.quoted) else {
                continue;
            };
            let first = at == piece.start || starts_quote(text, at);
            let named = match token.kind {
                Kind::Word => (is_name(text, at, token, first, clause, capitals)).then_some(at + 1),
                Kind::Cjk => chinese(text, at, clause.end),
                _ => None,
            };
            if let Some(end) = named {
                let key = (at..end).map(|i| text.low(i)).collect();
                out.push(Item {
                    what: What::Name,
                    key,
                    after: Vec::new(),
                    before: None,
                    range: at..end,
                    sentence,
                });
            }
        }
    }
}

fn is_name(
    text: &Text<'_>,
    at: usize,
    token: &Token,
    first: bool,
    clause: &Range<usize>,
    capitals: &Names,
) -> bool {
    let low = token.low.as_str();
    if list::has(DATES, low) || list::value(MONTHS, low).is_some() {
        return false;
    }
    let source = text.slice(token.span.clone());
    let cjk_near = text.token(at + 1).is_some_and(|t| t.kind == Kind::Cjk)
        || at
            .checked_sub(1)
            .and_then(|at| text.token(at))
            .is_some_and(|t| t.kind == Kind::Cjk);
    if list::has(PLACES, low) || (list::has(NAMES, low) && (token.capital || low.len() > 3)) {
        return true;
    }
    // A Latin word inside Chinese text is a name more often than not.
    if cjk_near && low.len() > 1 && !list::has(PHATIC, low) && !list::has(SMALL, low) {
        return true;
    }
    let odd = source
        .chars()
        .skip(1)
        .any(|c| case::is_upper(c) || c.is_ascii_digit());
    if !token.capital && !odd {
        return false;
    }
    let common = low == "i"
        || list::has(STARTERS, low)
        || list::has(SMALL, low)
        || list::has(DEGREE, low)
        || list::has(PHATIC, low);
    if common || token.span.len() < 2 {
        return false;
    }
    if phatic::is_called(text, at, clause) && phatic_start(text, clause, at) {
        return false;
    }
    let next = text.token(at + 1).filter(|_| at + 1 < clause.end);
    let run = next.is_some_and(|n| {
        n.kind == Kind::Word && n.capital && n.low != "i" && !list::has(STARTERS, &n.low)
    });
    !first || odd || run || capitals.contains(low) || next.is_some_and(|n| n.low == "'s")
}

/// "Yeah Nate": everything before the name in its clause is phatic.
fn phatic_start(text: &Text<'_>, clause: &Range<usize>, at: usize) -> bool {
    clause.start < at && at + 1 >= clause.end && phatic::is_phatic(text, &(clause.start..at))
}

/// The end of a Chinese name that begins here.
fn chinese(text: &Text<'_>, at: usize, end: usize) -> Option<usize> {
    let starts = |word: &str, from: usize| {
        word.chars()
            .enumerate()
            .all(|(i, c)| from + i < end && text.low(from + i).starts_with(c))
    };
    let place = CITIES.iter().find(|city| starts(city, at));
    if let Some(city) = place {
        return Some(at + city.chars().count());
    }
    for tail in PLACE_ENDS {
        let size = tail.chars().count();
        if (2..=2).any(|head| starts(tail, at + head)) && at + 2 + size <= end {
            let plain = (at..at + 2).all(|i| {
                text.token(i)
                    .is_some_and(|t| t.kind == Kind::Cjk && !NOT_GIVEN.contains(t.low.as_str()))
            });
            if plain {
                return Some(at + 2 + size);
            }
        }
    }
    let low = text.low(at);
    let next = text.low(at + 1);
    let is_given = |at: usize| {
        at < end
            && text
                .token(at)
                .is_some_and(|t| t.kind == Kind::Cjk && !NOT_GIVEN.contains(t.low.as_str()))
    };
    if matches!(low, "小" | "老" | "阿")
        && is_given(at + 1)
        && SURNAMES.contains(next)
        && !next.is_empty()
    {
        return Some(at + 2);
    }
    if !SURNAMES.contains(low) || low.is_empty() {
        return None;
    }
    if let Some(title) = TITLES.iter().find(|title| starts(title, at + 1)) {
        return Some(at + 1 + title.chars().count());
    }
    let titled = |from: usize| TITLES.iter().any(|title| starts(title, from));
    let cued = CUES.iter().any(|cue| {
        let size = cue.chars().count();
        at >= size
            && cue
                .chars()
                .enumerate()
                .all(|(i, c)| text.low(at - size + i).starts_with(c))
    });
    if !is_given(at + 1) || !(cued || titled(at + 2) || titled(at + 3)) {
        return None;
    }
    Some(if is_given(at + 2) && !titled(at + 2) {
        at + 3
    } else {
        at + 2
    })
}
