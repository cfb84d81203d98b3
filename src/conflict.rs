//! Whether a new memory repeats, updates or contradicts one that stands, found without an LLM (E6, M5), and
//! what to do about it. In doubt there is no relation: both stay.

use crate::case::Lowercase;
use crate::config::DedupConfig;
use crate::gather::Push;
use crate::judge::places::is_country;
use crate::memory::{Candidate, Memory, MemoryScope};
use crate::similarity::claim::{Claim, Topic};
use crate::similarity::words::{is_cjk_word, is_number, is_stem_of, join, words};
use crate::similarity::{Prepared, Similarity, compare};
use crate::sorted::Facts;
use crate::words::{Words, words};
use serde::Serialize;

/// In `Candidate::replaces`: it corrects what stands about the same thing, whose id was not known. It is never
/// the id of a memory.
pub const CORRECTS: &str = "*";

/// What stands: a stored memory, or an earlier candidate of the same batch.
#[derive(Debug, Clone)]
pub struct Standing<'a> {
    /// Its id.
    pub id: &'a str,
    /// The text.
    pub content: &'a str,
    /// Key–value pairs that name what it states.
    pub facts: &'a Facts,
    /// Who shares it.
    pub scope: MemoryScope,
    /// When it was said, ms.
    pub observed_at: i64,
    /// Importance × weight.
    pub heaviness: f64,
}

impl<'a> From<&'a Memory> for Standing<'a> {
    fn from(memory: &'a Memory) -> Self {
        Self {
            id: &memory.id,
            content: &memory.content,
            facts: &memory.facts,
            scope: memory.scope,
            observed_at: memory.observed_at,
            heaviness: f64::from(memory.importance) * memory.weight,
        }
    }
}

impl<'a> Standing<'a> {
    /// An earlier candidate of the same batch, under the id it will have.
    pub fn candidate(id: &'a str, candidate: &'a Candidate) -> Self {
        Self {
            id,
            content: &candidate.content,
            facts: &candidate.facts,
            scope: candidate.scope,
            observed_at: candidate.observed_at,
            heaviness: f64::from(candidate.importance),
        }
    }
}

/// What a candidate is to something that stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "relation")]
pub enum Relation {
    /// It says nothing new.
    Duplicate {
        /// In which way.
        why: Similarity,
    },
    /// It takes the other's place.
    Update {
        /// Why.
        reason: String,
    },
    /// Both can not be true.
    Conflict {
        /// Why not.
        reason: String,
        /// Whether it is worth asking the user: identity and health.
        severe: bool,
        /// Whether the other also tells what this one leaves untouched: ending it would lose that.
        partial: bool,
    },
    /// Nothing that is certain.
    None,
}

/// Relates a candidate to something that stands in the same cube.
pub fn relate(candidate: &Candidate, standing: &Standing<'_>, config: &DedupConfig) -> Relation {
    relate_prepared(
        candidate,
        &Prepared::new(&candidate.content),
        standing,
        &Prepared::new(standing.content),
        config,
    )
}

/// As [`relate`], with both texts prepared: for comparing one with many.
pub fn relate_prepared(
    candidate: &Candidate,
    text: &Prepared,
    standing: &Standing<'_>,
    standing_text: &Prepared,
    config: &DedupConfig,
) -> Relation {
    if candidate.scope != standing.scope {
        return Relation::None;
    }
    let named = candidate.replaces.iter().any(|id| id == standing.id);
    let fact = differing_fact(standing.facts, &candidate.facts);
    let why = if fact.is_some() {
        Similarity::None
    } else {
        compare(text, standing_text, config)
    };
    // The judge may call a repetition a replacement: it stays one record all the same.
    if why == Similarity::Exact {
        return Relation::Duplicate { why };
    }
    if named {
        return Relation::Update {
            reason: "the judge named it as replaced".into(),
        };
    }
    if candidate.contradicts.iter().any(|id| id == standing.id) {
        let reason = "the judge says that both cannot be true".into();
        return Relation::Conflict {
            reason,
            severe: fact.is_some_and(|(key, ..)| is_severe(key)),
            partial: true,
        };
    }
    if let Some((key, old, new)) = fact {
        let reason = format!("{key}: {old} → {new}");
        let partial = tells_more_facts(standing.facts, &candidate.facts)
            || tells_more_claims(text, standing_text);
        return opposed(candidate, reason, is_severe(key), partial);
    }
    if why.is_duplicate() {
        return if text.richness() > standing_text.richness() {
            Relation::Update {
                reason: format!("tells more ({})", why.as_str()),
            }
        } else {
            Relation::Duplicate { why }
        };
    }
    match contradiction(text, standing_text) {
        Some((reason, severe)) => opposed(
            candidate,
            reason,
            severe,
            tells_more_claims(text, standing_text),
        ),
        None if corrects(candidate) && is_corrected(text, standing_text) => Relation::Update {
            reason: "the user corrected it".into(),
        },
        None => match other_habit(text, standing_text).or_else(|| elsewhere(text, standing_text)) {
            // People may have two of a habit: both stay, each with a mark.
            Some(reason) => Relation::Conflict {
                reason,
                severe: false,
                partial: true,
            },
            None => Relation::None,
        },
    }
}

/// Plans for one time that are in two places.
fn elsewhere(new: &Prepared, old: &Prepared) -> Option<String> {
    let time = new.plan()?.elsewhere(old.plan()?)?;
    Some(format!("two places at one time: {time}"))
}

/// Verbs of habits that a person mostly has one of.
const HABITS: Words = words!["drink", "drive", "order", "ride", "use", "wear"];

/// The same habit with another thing: "drinks cortado", "drinks flat white".
fn other_habit(new: &Prepared, old: &Prepared) -> Option<String> {
    let (a, b) = (new.content(), old.content());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let verb = a.get(head.checked_sub(1)?)?;
    let (x, y) = (a.get(head..)?, b.get(head..)?);
    let is_value = |words: &[String]| (1..=3).contains(&words.len());
    let other = is_value(x) && is_value(y) && !x.iter().any(|word| y.contains(word));
    let same_sense = new.negation_count() == old.negation_count() && !new.is_partial();
    (other && same_sense && is_stem_of(verb, HABITS))
        .then(|| format!("{verb}: {} → {}", show(y), show(x)))
}

/// Whether it corrects what stands, whatever its id.
pub(crate) fn corrects(candidate: &Candidate) -> bool {
    candidate.replaces.iter().any(|id| id == CORRECTS)
}

/// A contradiction that the user made on purpose is an update.
fn opposed(candidate: &Candidate, reason: String, severe: bool, partial: bool) -> Relation {
    if corrects(candidate) && !partial {
        Relation::Update { reason }
    } else {
        Relation::Conflict {
            reason,
            severe,
            partial,
        }
    }
}

/// Whether the old facts hold a key that the new ones say nothing about; `a.b.c` and `a.b.d` are about one thing.
fn tells_more_facts(old: &Facts, new: &Facts) -> bool {
    let about = |key: &str| match key.rsplit_once('.') {
        Some((parent, _)) if parent.contains('.') => parent.to_owned(),
        _ => key.to_owned(),
    };
    old.keys()
        .any(|key| !new.keys().any(|other| about(other) == about(key)))
}

fn tells_more_claims(new: &Prepared, old: &Prepared) -> bool {
    let (new, old) = (new.claims(), old.claims());
    old.len() > 1
        && old.iter().any(|claim| {
            !new.iter()
                .any(|other| other.topic == claim.topic && other.subject == claim.subject)
        })
}

/// Whether two sets of facts give one key that has a single value two values.
pub fn facts_differ(a: &Facts, b: &Facts) -> bool {
    differing_fact(a, b).is_some()
}

fn differing_fact<'a>(old: &'a Facts, new: &'a Facts) -> Option<(&'a str, &'a str, &'a str)> {
    new.iter().find_map(|(key, value)| {
        let before = old.get(key)?;
        (values_differ(key, before, value)).then_some((
            key.as_str(),
            before.as_str(),
            value.as_str(),
        ))
    })
}

/// Last parts of keys under which a person has several things.
#[rustfmt::skip]
const PLURAL: Words = words![
    "allergy", "child", "children", "food", "friend", "hobby", "interest", "kids", "language",
    "people", "pet", "project", "sibling", "skill", "sport", "tool",
];
/// Last parts of preference keys that have one value.
#[rustfmt::skip]
const SINGLE_PREFERENCE: Words = words![
    "address", "answer_language", "editor", "format", "language", "length", "name",
    "reply_language", "response_language", "response_style", "style", "theme", "tone", "units",
];

fn values_differ(key: &str, old: &str, new: &str) -> bool {
    if let (Some(was), Some(is)) = (polarity(old), polarity(new)) {
        return was != is;
    }
    let last = key.rsplit('.').next().unwrap_or(key);
    let single = if key.starts_with("preference.") {
        SINGLE_PREFERENCE.contains(last)
            || last.starts_with("favorite")
            || last.starts_with("favourite")
    } else {
        let is_plural = last.ends_with('s') && !last.ends_with("ss") && !last.ends_with("us");
        !(is_plural || PLURAL.contains(last))
    };
    single && !is_compatible(&words(old), &words(new))
}

fn polarity(value: &str) -> Option<bool> {
    match value.trim().lowercase().as_str() {
        "like" | "likes" | "love" | "loves" | "yes" | "true" | "positive" | "喜欢" | "是" => {
            Some(true)
        }
        "dislike" | "dislikes" | "hate" | "hates" | "no" | "false" | "negative" | "讨厌"
        | "不喜欢" | "否" => Some(false),
        _ => None,
    }
}

fn is_severe(key: &str) -> bool {
    key.starts_with("profile.")
        && "name|birthday|birth|allergy|health|medical|gender"
            .split('|')
            .any(|part| key.split('.').any(|own| own == part))
}

/// Whether one value says the other more exactly, or they are of different kinds.
fn is_compatible(a: &[String], b: &[String]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let count = |list: &[String], word: &String| list.iter().filter(|own| *own == word).count();
    let within = short
        .iter()
        .all(|word| count(short, word) <= count(long, word));
    // "杭州" and "Hangzhou" may be the same.
    let scripts_differ =
        a.iter().any(|word| is_cjk_word(word)) != b.iter().any(|word| is_cjk_word(word));
    within || scripts_differ || is_country(&join(a)) != is_country(&join(b))
}

/// Whether two texts whose embeddings are near say the same: they state the same about the same, or
/// one has no content word that the other lacks. Numbers and negation must be equal.
pub fn same_meaning(a: &Prepared, b: &Prepared) -> bool {
    if a.numbers() != b.numbers() || a.negation_count() != b.negation_count() {
        return false;
    }
    let states = |text: &Prepared, claim| text.claims().contains(claim);
    let same_claims = !a.claims().is_empty()
        && a.claims().len() == b.claims().len()
        && a.claims().iter().all(|claim| states(b, claim));
    let (a, b) = (a.content(), b.content());
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    same_claims || (!short.is_empty() && short.iter().all(|word| long.contains(word)))
}

/// Why two texts can not both be true, and whether that is severe.
fn contradiction(new: &Prepared, old: &Prepared) -> Option<(String, bool)> {
    let (mine, theirs) = (new.content(), old.content());
    let parity = new.negation_count().abs_diff(old.negation_count());
    if parity == 1 && !mine.is_empty() && mine == theirs {
        return Some(("one denies what the other says".into(), false));
    }
    let partial = || new.is_partial() || old.is_partial();
    for x in new.claims() {
        for y in old.claims() {
            let found = against(x, y, &partial);
            if found.is_some() {
                return found;
            }
        }
    }
    other_value(new, old).filter(|_| !partial())
}

fn against(new: &Claim, old: &Claim, partial: &dyn Fn() -> bool) -> Option<(String, bool)> {
    if new.topic != old.topic || new.subject != old.subject {
        return None;
    }
    match new.topic {
        Topic::Liking => (new.value == old.value && new.positive != old.positive)
            .then(|| (format!("opposite liking of {}", show(&new.value)), false)),
        Topic::PreferredTo => (new.value == old.other && new.other == old.value)
            .then(|| ("opposite preference".to_owned(), false)),
        Topic::Attribute(name) => {
            let differ = !is_compatible(&old.value, &new.value) && !partial();
            differ.then(|| {
                (
                    format!("{name}: {} → {}", show(&old.value), show(&new.value)),
                    matches!(name, "name" | "birthday"),
                )
            })
        }
    }
}

fn show(words: &[String]) -> String {
    join(words)
}

#[rustfmt::skip]
const DAYS: Words = words![
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "today",
    "tomorrow", "tonight", "january", "february", "march", "april", "may", "june", "july",
    "august", "september", "october", "november", "december",
];
/// What happens once, so that another day or place of it is another value.
#[rustfmt::skip]
const ONCE: Words = words![
    "appointment", "arrives", "call", "ceremony", "class", "conference", "deadline", "demo",
    "departs", "due", "exam", "flight", "gate", "has", "interview", "launch", "leaves", "meeting",
    "party", "release", "room", "scheduled", "starts", "train", "trip", "wedding",
];

/// The same words but for one number or day, in the place of a value: "meeting in room 12", "in room 21".
fn other_value(new: &Prepared, old: &Prepared) -> Option<(String, bool)> {
    let (a, b) = (new.content(), old.content());
    if a.len() != b.len() || a.len() < 2 || new.negation_count() != old.negation_count() {
        return None;
    }
    let mut differing = a.iter().zip(b).enumerate().filter(|(_, (x, y))| x != y);
    let (at, (x, y)) = differing.next()?;
    if differing.next().is_some() || at == 0 {
        return None;
    }
    let is_day = |word: &str| DAYS.contains(word);
    let numbers = is_number(x) && is_number(y);
    let days = is_day(x) && is_day(y);
    if !(numbers || days) {
        return None;
    }
    let once = a.iter().take(at).any(|word| is_stem_of(word, ONCE));
    // "Room 12 has a projector": the number names the thing.
    let names_subject = at <= 1 && a.len() > 2;
    let bare = at <= 1 && a.len() == 2 && !is_day(x) && numbers && !once;
    let past = a
        .iter()
        .any(|word| word.ends_with("ed") || PAST.contains(word.as_str()));
    (once && !names_subject && !bare && !past).then(|| (format!("{y} → {x}"), false))
}

#[rustfmt::skip]
const PAST: Words = words![
    "ate", "bought", "came", "did", "drank", "flew", "gave", "got", "had", "made", "met", "paid",
    "ran", "saw", "sold", "spent", "took", "was", "went", "were", "won",
];

/// Words that many memories share without being about the same thing.
#[rustfmt::skip]
const COMMON: Words = words![
    "like", "dislike", "have", "want", "use", "need", "plan", "work", "go", "喜", "欢", "有", "想",
    "要",
];

/// With a correction, one differing span among otherwise equal words is enough.
fn is_corrected(new: &Prepared, old: &Prepared) -> bool {
    let (a, b) = (new.content(), old.content());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let most = a.len().min(b.len()) - head;
    let tail = a
        .iter()
        .rev()
        .zip(b.iter().rev())
        .take(most)
        .take_while(|(x, y)| x == y)
        .count();
    let shared = a.iter().take(head).chain(a.iter().skip(a.len() - tail));
    let told = shared.filter(|word| !is_stem_of(word, COMMON)).count();
    let (left, right) = (a.len() - head - tail, b.len() - head - tail);
    told >= 1 && (1..=4).contains(&left) && (1..=4).contains(&right)
}

/// What to do with a candidate.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "action")]
pub enum Resolution {
    /// Do not store it: this one says it already.
    Skip {
        /// The memory that says it.
        id: String,
    },
    /// It was said before this one, which says otherwise: it goes into its history.
    Precede {
        /// The newer memory.
        id: String,
    },
    /// Store it.
    Store {
        /// Memories whose place it takes.
        expire: Vec<String>,
        /// Memories that it stands beside, marked as contradicting.
        beside: Vec<String>,
        /// Those of `beside` that are worth asking the person about.
        ask: Vec<String>,
    },
}

/// Settles a candidate against everything it relates to, in the order of M5: newer wins, unless it
/// is severe and `ask_severe` says to ask the person; then the heavier; else both stay with a mark.
pub fn resolve(
    candidate: &Candidate,
    against: &[(Standing<'_>, Relation)],
    ask_severe: bool,
) -> Resolution {
    let heaviness = f64::from(candidate.importance);
    let (mut expire, mut beside, mut ask, mut same) = (vec![], vec![], vec![], vec![]);
    for (standing, relation) in against {
        let id = standing.id.to_owned();
        let newer = candidate.observed_at.cmp(&standing.observed_at);
        match relation {
            Relation::None => {}
            Relation::Duplicate { .. } => same.push(id),
            Relation::Update { .. } if newer.is_ge() => expire.push(id),
            // What tells more than an older text is no less true for being said before it.
            Relation::Update { .. } => beside.push(id),
            Relation::Conflict { severe: true, .. } if ask_severe => {
                ask.push(id.clone());
                beside.push(id);
            }
            Relation::Conflict { partial: true, .. } if newer.is_ge() => beside.push(id),
            Relation::Conflict { .. } => match newer.then(heaviness.total_cmp(&standing.heaviness))
            {
                std::cmp::Ordering::Greater => expire.push(id),
                std::cmp::Ordering::Less => return Resolution::Precede { id },
                std::cmp::Ordering::Equal => beside.push(id),
            },
        }
    }
    if expire.is_empty() {
        if let Some(id) = same.into_iter().next() {
            return Resolution::Skip { id };
        }
    } else {
        // It repeats an older memory and contradicts a newer one: it is said anew.
        expire.push_all(same);
    }
    Resolution::Store {
        expire,
        beside,
        ask,
    }
}

#[cfg(test)]
mod tests;
