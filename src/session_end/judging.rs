//! Who judges a session, over which lines, and what falls back on what (E3, E4).

use super::DroppedItem;
use super::cues::Cues;
use crate::compress::{self, Level};
use crate::config::{CompressMode, Config, JudgeMode};
use crate::dedup;
use crate::error::Result;
use crate::gather::Gather;
use crate::gather::Push;
use crate::host::{Host, LlmMessage, LlmRequest};
use crate::judge::parse::{Answer, parse};
use crate::judge::prompt::{self, Known, Line};
use crate::judge::validate::{Context, cut, validate};
use crate::judge::{NewMessage, rules};
use crate::life::Condensed;
use crate::load::Warning;
use crate::memories::merge::Merged;
use crate::memory::{Candidate, Category, Kind, Memory, MemoryScope};
use crate::message::{Message, Role};
use crate::provider::weigh;
use crate::read;
use crate::recall;
use crate::safety::{SafetyConfig, secrets};
use crate::scope::Scope;
use crate::sorted::{self, Facts, Names, Set};
use crate::store;
use crate::summary::complete;
use crate::tokens::Tokens;
use serde::Serialize;

/// Characters of one message that a judge sees; a long tool answer must not crowd out the talk.
const LINE_CHARS: usize = 8_000;
/// Tokens of a judge's answer.
const ANSWER_TOKENS: usize = 4_000;
/// Characters of new talk by which known memories are looked up.
const LOOKUP_CHARS: usize = 4_000;

/// Who judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JudgedBy {
    /// The language model.
    Llm,
    /// Rules, for at least a part of the session.
    Rules,
    /// Nobody: every message is kept as it is.
    Verbatim,
    /// The memory service, which is sent the talk itself.
    Service,
}

/// What a judge proposes, free of repeats.
#[derive(Debug)]
pub struct Judged {
    /// Who judged.
    pub by: JudgedBy,
    /// The proposals.
    pub candidates: Vec<Candidate>,
    /// Proposals that repeated another one of the batch.
    pub merged: Vec<Merged>,
    /// Proposals that say nothing.
    pub dropped: Vec<DroppedItem>,
    /// Proposals that were made shorter.
    pub condensed: Vec<Condensed>,
    /// Why rules judged, or not all of an answer counts.
    pub warnings: Vec<Warning>,
}

/// Whether the language model judges, which is then shown what is known.
pub fn asks_llm<H: Host>(host: &H, config: &Config) -> bool {
    config.judge.mode == JudgeMode::Auto && host.has_llm()
}

impl Judged {
    fn new(by: JudgedBy, candidates: Vec<Candidate>) -> Self {
        Self {
            by,
            candidates,
            merged: Vec::new(),
            dropped: Vec::new(),
            condensed: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// Judges the new messages of a dialogue.
pub async fn judge<H: Host>(
    host: &H,
    config: &Config,
    tokens: &Tokens,
    scope: &Scope,
    known: &[Memory],
    dialogue: &[(u64, Message)],
    new: &[(u64, Message)],
) -> Result<Judged> {
    let new_message = |message: &(u64, Message)| new_message(message, &config.safety);
    let talk: Vec<NewMessage> = new.iter().filter_map(new_message).gather();
    let mut judged = match config.judge.mode {
        JudgeMode::Verbatim => Judged::new(JudgedBy::Verbatim, verbatim(&talk)),
        _ if asks_llm(host, config) => {
            let known = known_to_judge(host, config, scope, known, &talk)?;
            let mut session = LlmSession {
                config,
                known: &known,
                judged: Judged::new(JudgedBy::Llm, Vec::new()),
            };
            for part in parts(config, tokens, dialogue, &talk)? {
                session.judge_part(host, &part).await;
            }
            session.judged
        }
        JudgeMode::Auto | JudgeMode::Rules => Judged::new(JudgedBy::Rules, rules::judge(&talk)),
    };
    for candidate in &mut judged.candidates {
        candidate.is_sensitive |= secrets::is_masked(&candidate.content);
        // Before anything is compared: what is in one cube must not be told apart by its scope.
        weigh::at_home(scope, candidate);
    }
    if judged.by == JudgedBy::Verbatim {
        return Ok(judged);
    }
    let (candidates, repeats) = dedup::batch(judged.candidates, &config.dedup);
    let merged = repeats.into_iter().map(|repeat| Merged {
        into: candidates
            .get(repeat.into)
            .map_or_else(String::new, |kept| kept.content.clone()),
        content: repeat.content,
        reason: repeat.why.as_str().to_owned(),
    });
    judged.merged = merged.gather();
    judged.candidates = candidates;
    let cues = Cues::new(dialogue);
    for candidate in &mut judged.candidates {
        candidate.cues = cues.of(candidate);
    }
    Ok(judged)
}

/// A message as judges see it, without its secrets.
fn new_message((number, message): &(u64, Message), safety: &SafetyConfig) -> Option<NewMessage> {
    if message.role.is_system() || message.text().trim().is_empty() {
        return None;
    }
    let text: String = message.text().chars().take(LINE_CHARS).collect();
    Some(NewMessage {
        id: message.id.clone()?,
        label: label(*number),
        role: message.role,
        name: message.name.clone(),
        text: safety.masked(&text).unwrap_or(text),
        at: message.created_at.unwrap_or(0),
    })
}

fn label(number: u64) -> String {
    format!("m{number}")
}

/// Every message of the talk as a memory.
fn verbatim(talk: &[NewMessage]) -> Vec<Candidate> {
    talk.iter()
        .filter(|message| matches!(message.role, Role::User | Role::Assistant))
        .map(|message| Candidate {
            content: match &message.name {
                Some(name) => format!("{name}: {}", message.text.trim()),
                None => message.text.trim().to_owned(),
            },
            category: Category::Other,
            kind: Kind::Text,
            scope: MemoryScope::User,
            importance: 5,
            facts: Facts::new(),
            cues: String::new(),
            is_sensitive: false,
            replaces: Vec::new(),
            contradicts: Vec::new(),
            message_ids: vec![message.id.clone()],
            observed_at: message.at,
        })
        .gather()
}

/// The stored memories that the new talk is about, for the judge to say what it replaces.
fn known_to_judge<H: Host>(
    host: &H,
    config: &Config,
    scope: &Scope,
    known: &[Memory],
    talk: &[NewMessage],
) -> Result<Vec<Memory>> {
    let mut about = String::new();
    for message in talk.iter().rev() {
        if about.len() > LOOKUP_CHARS {
            break;
        }
        about.push_str(&message.text);
        about.push('\n');
    }
    let about: String = about.chars().take(LOOKUP_CHARS).collect();
    let now = store::now(host)?;
    let limit = config.judge.known_memories;
    Ok(recall::related(known.to_vec(), scope, &about, limit, now))
}

/// A stretch of dialogue for one request: older lines, then new ones.
struct Part {
    lines: Vec<NewMessage>,
    new: Names,
}

/// Cuts the dialogue into stretches that fit one request; each new line is in exactly one of them,
/// after as many older ones as there is room for.
fn parts(
    config: &Config,
    tokens: &Tokens,
    dialogue: &[(u64, Message)],
    talk: &[NewMessage],
) -> Result<Vec<Part>> {
    let mut lines = Vec::with_capacity(dialogue.len());
    let mut costs = Vec::with_capacity(dialogue.len());
    for message in dialogue {
        if let Some(line) = new_message(message, &config.safety) {
            costs.push(tokens.said(&message.1, &line.text)? + 12);
            lines.push(line);
        }
    }
    let new = sorted::set(talk.iter().map(|message| message.label.as_str()));
    let budget = config.judge.max_dialogue_tokens;
    // A quarter stays for context, unless everything fits anyway.
    let room = if costs.iter().sum::<usize>() <= budget {
        budget
    } else {
        budget - budget / 4
    };
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    let mut used = 0;
    for (at, (line, cost)) in lines.iter().zip(&costs).enumerate() {
        if !new.contains(line.label.as_str()) {
            continue;
        }
        match stretches.last_mut() {
            Some((_, last)) if used + cost <= room => {
                used += costs
                    .get(*last + 1..=at)
                    .unwrap_or_default()
                    .iter()
                    .sum::<usize>();
                *last = at;
            }
            _ => {
                used = *cost;
                stretches.push((at, at));
            }
        }
    }
    Ok(stretches
        .into_iter()
        .map(|(first, last)| part(&lines, &costs, budget, &new, first, last))
        .gather())
}

fn part(
    lines: &[NewMessage],
    costs: &[usize],
    budget: usize,
    new: &Set<&str>,
    first: usize,
    last: usize,
) -> Part {
    let cost = |range: std::ops::RangeInclusive<usize>| -> usize {
        costs.get(range).unwrap_or_default().iter().sum()
    };
    let mut used = cost(first..=last);
    let mut start = first;
    while start > 0 && used + cost(start - 1..=start - 1) <= budget {
        start -= 1;
        used += cost(start..=start);
    }
    let lines = lines.get(start..=last).unwrap_or_default().to_vec();
    let is_new = |(at, line): (usize, &NewMessage)| {
        (start + at >= first && new.contains(line.label.as_str())).then(|| line.label.clone())
    };
    Part {
        new: Names::from_iter(lines.iter().enumerate().filter_map(is_new)),
        lines,
    }
}

/// The judging of one session by the language model, part by part.
struct LlmSession<'a> {
    config: &'a Config,
    known: &'a [Memory],
    judged: Judged,
}

impl LlmSession<'_> {
    async fn judge_part<H: Host>(&mut self, host: &H, part: &Part) {
        let is_new = |line: &&NewMessage| part.new.contains(&line.label);
        let new: Vec<NewMessage> = part.lines.iter().filter(is_new).cloned().gather();
        let known: Vec<(String, String)> = (1..)
            .zip(self.known)
            .map(|(number, memory): (usize, _)| (format!("k{number}"), memory.id.clone()))
            .gather();
        let request = self.request(part, &known);
        let answer = complete(host, &request).await.and_then(|answer| {
            parse(&answer)
                .map_err(|fault| store::warning(host, "judge_answer_unreadable", fault.as_str()))
        });
        let Answer { mut items, is_cut } = match answer {
            Ok(answer) => answer,
            Err(warning) => {
                self.judged.warnings.push(warning);
                return self.fall_back(&new);
            }
        };
        if is_cut {
            let message = "it breaks off: only its whole items are kept";
            let warning = store::warning(host, "judge_answer_cut", message);
            self.judged.warnings.push(warning);
        }
        if self.config.compress.mode != CompressMode::Off {
            for item in &mut items {
                self.shorten(&mut item.content);
            }
        }
        let context = Context {
            new_messages: &new,
            known: &known,
            config: &self.config.judge,
        };
        let (candidates, dropped) = validate(items, &context);
        self.judged.candidates.push_all(candidates);
        self.judged
            .dropped
            .push_all(dropped.into_iter().map(|dropped| DroppedItem {
                content: dropped.content,
                reason: dropped.reason.to_owned(),
            }));
    }

    /// Takes chatter out before the text is cut to its limit.
    fn shorten(&mut self, content: &mut String) {
        let after = compress::compress(content, Level::Light).text;
        if after == *content {
            return;
        }
        let before = std::mem::replace(content, after.clone());
        self.judged.condensed.push(Condensed {
            id: None,
            before,
            after,
        });
    }

    fn fall_back(&mut self, new: &[NewMessage]) {
        self.judged.by = JudgedBy::Rules;
        self.judged
            .candidates
            .push_all(rules::judge(new).into_iter().map(|candidate| Candidate {
                content: cut(&candidate.content, self.config.judge.max_chars),
                ..candidate
            }));
    }

    fn request(&self, part: &Part, known: &[(String, String)]) -> LlmRequest {
        let lines: Vec<Line<'_>> = part
            .lines
            .iter()
            .map(|line| Line {
                role: line.role,
                name: line.name.as_deref(),
                text: &line.text,
                is_new: part.new.contains(&line.label),
                label: &line.label,
            })
            .gather();
        let known: Vec<Known<'_>> = known
            .iter()
            .zip(self.known)
            .map(|((label, _), memory)| Known {
                label,
                content: &memory.content,
            })
            .gather();
        LlmRequest {
            purpose: "judge",
            messages: vec![
                LlmMessage {
                    role: "system",
                    content: prompt::SYSTEM_PROMPT.to_owned(),
                },
                LlmMessage {
                    role: "user",
                    content: prompt::render(&lines, &known),
                },
            ],
            json: true,
            schema: read::json(prompt::JSON_SCHEMA),
            max_tokens: ANSWER_TOKENS,
            timeout_ms: self.config.judge.timeout_ms,
        }
    }
}
