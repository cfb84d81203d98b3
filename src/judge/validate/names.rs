//! The names that judges give to categories, scopes and kinds.

use crate::case::Lowercase;
use crate::memory::{Category, Kind, MemoryScope};
use crate::sorted::Facts;

/// The category that a word names: ours, the platform's wider ones, and what models write instead.
pub fn category(name: &str) -> Option<Category> {
    let name = name.trim().lowercase().replace([' ', '-'], "_");
    let head = name.split(['.', '/', ':']).next().unwrap_or_default();
    Some(match head {
        "profile" | "identity" | "personal" | "personal_info" | "user_profile" | "fact"
        | "facts" | "health" | "work" | "job" | "location" | "个人信息" | "个人资料" | "身份"
        | "用户画像" | "画像" | "健康" => Category::Profile,
        "auth" | "credential" | "credentials" | "security" | "account" | "凭证" | "认证"
        | "账号" => Category::Auth,
        "social" | "relationship" | "relationships" | "family" | "people" | "contact" | "社交"
        | "关系" | "人际关系" | "家庭" => Category::Social,
        "project" | "projects" | "decision" | "decisions" | "项目" | "决定" | "决策" => {
            Category::Project
        }
        "preference"
        | "preferences"
        | "pref"
        | "like"
        | "likes"
        | "dislike"
        | "instruction"
        | "instructions"
        | "standing_instruction"
        | "style"
        | "habit"
        | "偏好"
        | "喜好"
        | "习惯"
        | "指令"
        | "风格" => Category::Preference,
        "task" | "tasks" | "plan" | "plans" | "goal" | "goals" | "todo" | "intent" | "任务"
        | "计划" | "目标" | "待办" => Category::Task,
        "note" | "notes" | "reminder" | "explicit" | "experience" | "conclusion" | "skill"
        | "procedure" | "笔记" | "备忘" | "经验" | "技能" | "结论" => Category::Note,
        "idea" | "ideas" | "thought" | "想法" | "创意" | "灵感" => Category::Idea,
        "event" | "events" | "schedule" | "appointment" | "事件" | "日程" | "活动" => {
            Category::Event
        }
        "document" | "documents" | "doc" | "file" | "knowledge" | "文档" | "文件" | "知识" => {
            Category::Document
        }
        "code" | "coding" | "tool" | "tools" | "technical" | "代码" | "工具" | "技术" => {
            Category::Code
        }
        "other" | "others" | "misc" | "general" | "其他" | "其它" => Category::Other,
        _ => return None,
    })
}

pub(super) fn category_of_facts(facts: &Facts) -> Category {
    let starts = |prefix: &str| facts.keys().any(|key| key.starts_with(prefix));
    if starts("preference.") {
        Category::Preference
    } else if starts("profile.") {
        Category::Profile
    } else {
        Category::Other
    }
}

/// The scope that a word names.
pub fn scope(name: &str) -> Option<MemoryScope> {
    match name.trim().lowercase().as_str() {
        "user" | "user_profile" | "users" | "profile" | "personal" | "global" | "shared"
        | "用户" | "个人" => Some(MemoryScope::User),
        "agent" | "assistant" | "bot" | "agent_memory" | "self" | "智能体" | "助手" | "代理" => {
            Some(MemoryScope::Agent)
        }
        name if name.starts_with("agent_") => Some(MemoryScope::Agent),
        _ => None,
    }
}

pub(super) fn kind(name: &str) -> Option<Kind> {
    match name.trim().lowercase().as_str() {
        "text" | "fact" | "plain" | "文本" => Some(Kind::Text),
        "pref" | "preference" | "preferences" | "偏好" => Some(Kind::Pref),
        "skill" | "procedure" | "how_to" | "技能" => Some(Kind::Skill),
        "tool" | "tools" | "工具" => Some(Kind::Tool),
        _ => None,
    }
}

pub(super) fn kind_of(category: Category) -> Kind {
    match category {
        Category::Preference => Kind::Pref,
        _ => Kind::Text,
    }
}

pub(super) fn usual_importance(category: Category) -> u8 {
    match category {
        Category::Profile => 8,
        Category::Preference | Category::Auth => 7,
        Category::Project | Category::Task => 6,
        _ => 5,
    }
}
