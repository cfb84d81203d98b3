//! What a Chinese clause says.

use super::own::{being, deciding, happened, liking, living};
use super::words::*;
use crate::judge::places::is_country;
use crate::memory::Category;
use crate::words::{Words, words};

/// What a clause says.
pub(super) struct Match {
    pub category: Category,
    pub importance: u8,
    pub fact: Option<(String, String)>,
    /// Whether what follows without a subject goes on about the speaker.
    pub goes_on: bool,
}

pub(super) fn said(category: Category, importance: u8) -> Option<Match> {
    Some(Match {
        category,
        importance,
        fact: None,
        goes_on: false,
    })
}

pub(super) fn classify(clause: &str, told_to_keep: bool) -> Option<Match> {
    let timed = TIMES.iter().any(|time| clause.contains(time));
    let Some(at) = clause.find('我') else {
        let dated = "会议|截止|考试|面试|航班|婚礼|发布|上线|聚会|手术"
            .split('|')
            .any(|word| clause.contains(word));
        let tells = "是|在|改到|改成|定在|推迟"
            .split('|')
            .any(|word| clause.contains(word));
        let firm = told_to_keep
            && tells
            && clause.chars().count() >= 5
            && !clause.starts_with("不是")
            && !DEICTIC.iter().any(|word| clause.starts_with(word));
        return (firm || (dated && tells && timed)).then(|| said(Category::Event, 6))?;
    };
    let before = clause.get(..at)?;
    let settled = before.is_empty()
        || TIMES.iter().any(|time| before.contains(time))
        || PAST.split('|').any(|time| before.contains(time))
        || words![
            "现在", "目前", "因为", "平时", "但", "不过", "所以", "其实", "今年", "最近", "周末",
            "工作日", "从小"
        ]
        .contains(before);
    if !settled {
        return None;
    }
    let rest = clause.get(at + '我'.len_utf8()..)?;
    if let Some(rest) = rest
        .strip_prefix('们')
        .or_else(|| rest.strip_prefix("的团队"))
    {
        return about_us(rest, timed);
    }
    if let Some(rest) = rest
        .strip_prefix('的')
        .or_else(|| KIN.iter().any(|kin| rest.starts_with(kin)).then_some(rest))
    {
        return about_mine(rest);
    }
    let rest = strip_adverbs(rest);
    let owns = "有|养".split('|').any(|verb| rest.starts_with(verb));
    being(rest)
        .or_else(|| liking(rest))
        .or_else(|| deciding(rest, timed))
        .or_else(|| living(rest, timed))
        .map(|matched| Match {
            goes_on: !owns,
            ..matched
        })
}

pub(super) fn strip_adverbs(mut rest: &str) -> &str {
    #[rustfmt::skip]
    const ADVERBS: Words = words![
        "真的", "非常", "特别", "一直", "现在", "目前", "平时", "通常", "一般", "其实", "也", "还",
        "都", "很", "最", "比较", "更", "就", "已经", "今年", "刚", "超级", "超", "挺", "从小",
        "经常", "总是", "从来", "最近", "本来", "最后", "最终", "终于",
    ];
    while let Some(next) = ADVERBS.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = next;
    }
    rest
}

pub(super) fn stating(category: Category, importance: u8, key: &str, value: &str) -> Option<Match> {
    let value = value
        .trim()
        .trim_end_matches(['了', '的', '哦', '啊', '人']);
    let sure =
        !value.is_empty() && value.chars().count() <= 10 && !value.contains(['和', '但', '、']);
    Some(Match {
        category,
        importance,
        fact: sure.then(|| (key.to_owned(), value.to_owned())),
        goes_on: false,
    })
}

pub(super) fn place(value: &str) -> Option<Match> {
    let value = value.trim_end_matches(['了', '哦', '啊']);
    let key = if is_country(value) {
        "profile.location.country"
    } else {
        "profile.location.city"
    };
    stating(Category::Profile, 8, key, value)
}

pub(super) fn about_mine(rest: &str) -> Option<Match> {
    if "问题|意思|代码|程序|电脑卡|观点|看法|错|理解|想法|建议|需求是"
        .split('|')
        .any(|word| rest.starts_with(word))
    {
        return None;
    }
    let verb =
        "是|叫|在|有|对|喜欢|住|过敏|讨厌|不吃|今年|做|上|去世|死|怀孕|生了|结婚|离婚|退休|失业"
            .split('|')
            .filter_map(|verb| rest.find(verb).map(|at| (at, verb.len())))
            .min()?;
    let (noun, value) = (rest.get(..verb.0)?, rest.get(verb.0 + verb.1..)?);
    let noun = noun.trim_end_matches("大概").trim_end_matches("差不多");
    if noun.chars().count() > 10 || value.is_empty() {
        return None;
    }
    let simple = rest
        .get(verb.0..)
        .is_some_and(|v| v.starts_with(['是', '叫', '在']));
    match noun {
        "名字" | "姓名" if simple => stating(Category::Profile, 9, "profile.name", value),
        "生日" if simple => stating(Category::Profile, 9, "profile.birthday", value),
        "职业" | "工作" if simple => stating(Category::Profile, 8, "profile.job", value),
        "家乡" | "老家" if simple => {
            stating(Category::Profile, 8, "profile.location.origin", value)
        }
        "母语" if simple => stating(Category::Profile, 8, "profile.native_language", value),
        "家" if simple => place(value),
        _ if KIN.iter().any(|kin| noun.contains(kin))
            || noun.contains('猫')
            || noun.contains('狗') =>
        {
            said(Category::Social, 7)
        }
        _ if noun.starts_with("最喜欢") => said(Category::Preference, 6),
        _ if "目标|计划|截止|面试|考试|航班|会议|婚礼"
            .split('|')
            .any(|word| noun.contains(word)) =>
        {
            said(Category::Task, 7)
        }
        _ if "项目|公司|团队|论文|产品"
            .split('|')
            .any(|word| noun.contains(word)) =>
        {
            said(Category::Project, 6)
        }
        _ if "密码|密钥|账号".split('|').any(|word| noun.contains(word)) => {
            said(Category::Auth, 8)
        }
        _ if simple
            && "爱好|专业|邮箱|电话|地址|身高|血型|星座|预算|偏好|习惯|学校|职位|时区|电脑|\
            编辑器|车|手机号"
                .split('|')
                .any(|word| noun.ends_with(word)) =>
        {
            said(Category::Profile, 7)
        }
        _ => None,
    }
}

pub(super) fn about_us(rest: &str, timed: bool) -> Option<Match> {
    let rest = strip_adverbs(rest);
    if "决定|选择了|选了|选定|定了|约了|约好|商定|约定|确定用|最终选"
        .split('|')
        .any(|lead| rest.starts_with(lead))
        && !DEICTIC.iter().any(|word| rest.contains(word))
    {
        return said(Category::Project, 7);
    }
    let lasting = "用|使用|部署|住在|有一|有两|公司|团队|项目|家|预算"
        .split('|')
        .any(|lead| rest.starts_with(lead));
    let plan = "打算|计划|准备|要|会"
        .split('|')
        .any(|lead| rest.starts_with(lead))
        && timed;
    if plan {
        return said(Category::Task, 6);
    }
    if happened(rest, timed) {
        return said(Category::Event, 5);
    }
    (lasting && !"问题|报错|怎".split('|').any(|word| rest.contains(word)))
        .then(|| said(Category::Project, 6))?
}
