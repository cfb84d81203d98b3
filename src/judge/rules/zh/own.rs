//! What 我 says of itself: identity, preferences, plans, decisions, events.

use super::claims::{Match, place, said, stating};
use super::words::*;
use crate::judge::validate::fact_key;
use crate::memory::Category;

pub(super) fn being(rest: &str) -> Option<Match> {
    if DEICTIC.iter().any(|word| {
        rest.get(..rest.len().min(12))
            .unwrap_or(rest)
            .contains(word)
    }) && !rest.starts_with("叫")
    {
        return None;
    }
    for lead in ["叫", "名叫", "名字叫", "名字是"] {
        if let Some(name) = rest.strip_prefix(lead).filter(|name| {
            (1..=6).contains(&name.chars().count())
                && !name.starts_with(['了', '外', '车', '他', '她', '你', '您', '人', '做'])
        }) {
            return stating(Category::Profile, 9, "profile.name", name);
        }
    }
    for lead in [
        "住在", "居住在", "定居在", "搬到了", "搬到", "搬去了", "搬去", "家在", "家住",
    ] {
        if let Some(value) = rest.strip_prefix(lead) {
            return place(value);
        }
    }
    if let Some(value) = "来自|老家在|老家是|出生在|出生于"
        .split('|')
        .find_map(|lead| rest.strip_prefix(lead))
    {
        return stating(Category::Profile, 8, "profile.location.origin", value);
    }
    if let Some(after) = rest.strip_prefix('在')
        && let Some(employer) = "工作|上班|任职|实习"
            .split('|')
            .find_map(|verb| after.strip_suffix(verb))
    {
        return stating(Category::Profile, 8, "profile.employer", employer);
    }
    if let Some(after) = rest.strip_prefix('在') {
        let learns = "上学|读书|读研|读博|上大学|学习"
            .split('|')
            .any(|verb| after.ends_with(verb));
        let does = "开发|写一本|创业|准备|学|备考"
            .split('|')
            .any(|verb| after.starts_with(verb));
        let job = "做|当|任"
            .split('|')
            .find_map(|verb| after.split_once(verb))
            .map(|(_, job)| job.trim_end_matches('的'));
        if let Some(job) = job.filter(|job| JOBS.iter().any(|end| job.ends_with(end))) {
            return stating(Category::Profile, 8, "profile.job", job);
        }
        return (learns || does).then(|| said(Category::Profile, 6))?;
    }
    if let Some(age) = rest
        .strip_suffix("岁")
        .or_else(|| rest.strip_suffix("岁了"))
        .filter(|age| age.chars().count() <= 4)
    {
        let digits: String = age.chars().filter(char::is_ascii_digit).collect();
        let fact = (!digits.is_empty()).then(|| ("profile.age".to_owned(), digits));
        return Some(Match {
            category: Category::Profile,
            importance: 8,
            fact,
            goes_on: false,
        });
    }
    if let Some(what) = rest.strip_prefix("对").and_then(|r| r.strip_suffix("过敏")) {
        return stating(Category::Profile, 9, "profile.health.allergy", what);
    }
    if let Some(what) = rest.strip_prefix('是') {
        let what = "一名|一个|一位|个|名|位"
            .split('|')
            .fold(what, |t, word| t.strip_prefix(word).unwrap_or(t));
        if what.is_empty()
            || what.starts_with([
                '说', '想', '不', '在', '真', '来', '要', '因', '怕', '从', '觉',
            ])
        {
            return None;
        }
        let job = JOBS.iter().any(|end| what.ends_with(end));
        let lasting = job
            || STATES.iter().any(|word| what.contains(word))
            || what.ends_with('人')
            || what.ends_with('生')
            || what.ends_with('者');
        return lasting.then(|| {
            if job {
                stating(Category::Profile, 8, "profile.job", what)
            } else {
                said(Category::Profile, 8)
            }
        })?;
    }
    let has = rest
        .strip_prefix("有")
        .or_else(|| rest.strip_prefix("养了"))
        .or_else(|| rest.strip_prefix("患有"));
    if let Some(what) = has {
        let owned = HAVE.iter().any(|noun| what.contains(noun))
            && !"问题|疑问|想法|事|bug"
                .split('|')
                .any(|noun| what.contains(noun));
        return owned.then(|| said(Category::Profile, 7))?;
    }
    let plain = [
        "姓", "会说", "不会说", "吃素", "不吃", "不喝", "不看", "不玩", "不抽烟", "不能吃",
        "不能喝", "不太能吃", "不太能喝", "乳糖不耐", "怕", "害怕", "恐惧", "学的是", "大学学",
        "本科", "硕士", "博士", "做了", "单身", "结婚了", "离婚了", "退休了", "怀孕了", "属",
        "身高", "体重", "不会游泳", "不会开车", "不会做饭", "上夜班", "上早班", "毕业于", "主修",
        "从事", "负责", "做的是", "专业是", "生日是", "习惯",
    ];
    plain
        .iter()
        .any(|lead| rest.starts_with(lead))
        .then(|| said(Category::Profile, 7))?
}

pub(super) fn liking(rest: &str) -> Option<Match> {
    let table: [(&str, bool); 19] = [
        ("不太喜欢", false),
        ("不喜欢", false),
        ("不爱", false),
        ("讨厌", false),
        ("受不了", false),
        ("反感", false),
        ("厌恶", false),
        ("不想再", false),
        ("喜欢", true),
        ("喜爱", true),
        ("热爱", true),
        ("爱吃", true),
        ("爱喝", true),
        ("爱看", true),
        ("爱玩", true),
        ("爱听", true),
        ("偏爱", true),
        ("偏好", true),
        ("痴迷", true),
    ];
    let (object, likes) = table
        .iter()
        .find_map(|(verb, likes)| Some((rest.strip_prefix(verb)?, *likes)))?;
    // What is told of the assistant's ways is meant for all its answers.
    if "你用|你回|你说|你写|你给|你总|你加|你每|你先"
        .split('|')
        .any(|lead| object.starts_with(lead))
    {
        return said(Category::Preference, 9);
    }
    if object.is_empty()
        || DEICTIC.iter().any(|word| object.starts_with(word))
        || object.starts_with(['他', '她'])
    {
        return None;
    }
    let plain = object
        .trim_start_matches(['吃', '喝', '看', '听', '玩', '用'])
        .trim_end_matches(['了', '的']);
    let key = fact_key(plain);
    let sure = !key.is_empty() && plain.chars().count() <= 8 && !plain.contains(['和', '、', '跟']);
    let fact = sure.then(|| {
        (
            format!("preference.{}", key.replace('.', "_")),
            if likes { "like" } else { "dislike" }.to_owned(),
        )
    });
    Some(Match {
        category: Category::Preference,
        importance: 6,
        fact,
        goes_on: false,
    })
}

pub(super) fn deciding(rest: &str, timed: bool) -> Option<Match> {
    let points = DEICTIC.iter().any(|word| rest.contains(word));
    if let Some(what) = "决定|选择了|选了"
        .split('|')
        .find_map(|lead| rest.strip_prefix(lead))
    {
        let points = DEICTIC.iter().any(|word| what.starts_with(word)) || what.contains('你');
        return (!points).then(|| said(Category::Project, 7))?;
    }
    if "打算|计划|准备|的目标"
        .split('|')
        .any(|lead| rest.starts_with(lead))
    {
        return (!points).then(|| said(Category::Task, 6))?;
    }
    if rest.starts_with('每') {
        return None;
    }
    if timed
        && "毕业|退休|入职|结婚|搬家"
            .split('|')
            .any(|end| rest.ends_with(end))
    {
        return said(Category::Task, 6);
    }
    if "要|会|将|得|需要|必须"
        .split('|')
        .any(|lead| rest.starts_with(lead))
        || TIMES.iter().any(|time| rest.starts_with(time))
    {
        return (timed && !points).then(|| said(Category::Task, 6))?;
    }
    let goal = [
        "想学", "想成为", "想当", "想考", "想减肥", "想戒", "想转行", "想换工作", "想移民",
        "想买房", "想买车",
    ];
    (goal.iter().any(|lead| rest.starts_with(lead)) && !points).then(|| said(Category::Task, 6))?
}

pub(super) fn living(rest: &str, timed: bool) -> Option<Match> {
    let events = [
        "搬家", "换了工作", "换工作了", "辞职了", "离职了", "升职了", "结婚", "买了", "考上",
        "毕业", "入职", "订了", "生了", "被裁", "拿到了", "创业", "戒了", "戒烟", "加入了", "得了",
        "确诊", "怀孕", "开始学", "失业", "丢了工作", "被开除", "被辞退", "换工作",
    ];
    let with = "和|跟|与".split('|').any(|word| rest.starts_with(word));
    let together = "分手了|离婚了|结婚了|订婚了|同居了|复合了"
        .split('|')
        .any(|end| rest.ends_with(end));
    if with && together {
        return said(Category::Event, 6);
    }
    if events.iter().any(|lead| rest.starts_with(lead)) {
        return (!DEICTIC.iter().any(|word| rest.contains(word)))
            .then(|| said(Category::Event, 6))?;
    }
    if happened(rest, timed) {
        return said(Category::Event, 5);
    }
    let since = rest.starts_with('从') && rest.contains("开始");
    let tools = [
        "用", "使用", "学", "写", "每天", "每周", "每年", "每月", "每晚", "负责",
    ];
    let lasting = (since || tools.iter().any(|lead| rest.starts_with(lead)))
        && !DEICTIC.iter().any(|word| rest.contains(word))
        && !"报错|问题|出错|失败|卡"
            .split('|')
            .any(|word| rest.contains(word));
    (lasting && rest.chars().count() >= 3 && !rest.contains('了')).then(|| {
        said(
            if timed && !rest.starts_with('每') {
                Category::Task
            } else {
                Category::Preference
            },
            5,
        )
    })?
}

/// "上周带孩子去了海边", "学过三年钢琴": what is over, told with a time or of life, not of this conversation.
pub(super) fn happened(rest: &str, timed: bool) -> bool {
    let any = |words: &str| words.split('|').any(|word| rest.contains(word));
    let is_over = any("了|过");
    let is_past = timed || any(PAST);
    let of_life = any(
        "去了|去过|参加|看了|学过|学了|带孩子|带着|陪|爬了|跑了|做了|拿了|得了|获得|赢|输了|完成|搬|\
            见了|见到|认识了|收养|种了|画了|写了|报了|报名|演出|比赛|旅行|露营|丢了|摔|受伤|住院|手术",
    );
    let is_here = any(
        "报错|代码|文件|程序|脚本|试了|问题|回答|答案|刚才|你|这|那个|点了|打开|搜|运行|安装|重启|看了看|想了",
    );
    is_over && (is_past || of_life) && !is_here && rest.chars().count() >= 5
}
