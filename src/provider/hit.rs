//! A memory as a service gives it, and what it is here.

use super::identity::Cube;
use super::service::Addition;
use super::wire;
use crate::gather::Gather;
use crate::memory::{
    Candidate, Category, Kind, Memory, MemoryScope, Source, Temperature, Tier, agent_cube,
};
use crate::order;
use crate::read;
use crate::recall::Recalled;
use crate::write;
use serde_json::{Map, Value};

/// In front of the key of the effect that added a memory, among its tags.
const KEY_TAG: &str = "siltstone:";
/// In front of its cube's name, where the service has no cubes.
const CUBE_TAG: &str = "cube:";
/// In front of the time when it was said, ms: what a service dates is when it was stored.
const SAID_TAG: &str = "said:";
/// Among the tags of what is sensitive.
const SENSITIVE_TAG: &str = "sensitive";
/// The name of the key in the data that goes along with a memory.
const KEY_NAME: &str = "siltstone_key";

/// A memory as found at a service.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its id there.
    pub id: String,
    /// The text.
    pub text: String,
    /// How well it answers; absent when the service gave none.
    pub score: Option<f64>,
    /// Its content form, from the part of the answer that it was in.
    pub kind: Kind,
    /// The id of the cube that it was found in.
    pub cube: Option<String>,
    /// The user whose it is, where the answer says so.
    pub user: Option<String>,
    /// Its labels.
    pub tags: Vec<String>,
    /// When it was stored, ms.
    pub created_at: Option<i64>,
    /// When it was changed last, ms.
    pub updated_at: Option<i64>,
    /// The session it was learnt in.
    pub session: Option<String>,
    /// What Siltstone sent along when it added it.
    pub own: Map<String, Value>,
}

impl Found {
    /// Reads one item, whose details are in it or under `metadata`; none if it has no id, no text,
    /// or is no longer valid there.
    pub fn read(item: &Value, kind: Kind, cube: Option<&str>) -> Option<Self> {
        let metadata = item.get("metadata").filter(|metadata| metadata.is_object());
        let places = || std::iter::once(item).chain(metadata);
        let text_of = |names: &[&str]| places().find_map(|place| wire::text(place, names));
        let time_of = |names: &[&str]| places().find_map(|place| wire::time(place, names));
        let status = text_of(&["status"]);
        if matches!(status.as_deref(), Some("archived" | "deleted")) {
            return None;
        }
        let own = places()
            .filter_map(|place| place.get("info")?.as_object())
            .chain(metadata.and_then(Value::as_object))
            .find(|own| own.contains_key(KEY_NAME));
        Some(Self {
            id: wire::id(item, &["id", "memory_id"])?,
            text: text_of(&["memory", "memory_value", "preference", "content"])?,
            score: places().find_map(|place| wire::number(place, &["relativity", "score"])),
            kind,
            cube: cube.map(str::to_owned),
            user: text_of(&["user_id"]),
            tags: places()
                .flat_map(|place| wire::texts(place, "tags"))
                .gather(),
            created_at: time_of(&["created_at", "create_time"]),
            updated_at: time_of(&["updated_at", "update_time"]),
            session: text_of(&["session_id", "conversation_id"]),
            own: own.cloned().unwrap_or_default(),
        })
    }

    /// Whether this effect added it.
    pub fn is_from(&self, key: &str) -> bool {
        let tag = self.tags.iter().filter_map(|tag| tag.strip_prefix(KEY_TAG));
        tag.chain(self.own.get(KEY_NAME).and_then(Value::as_str))
            .any(|own| own == key)
    }

    /// The name of its cube by what was sent along with it, where the service has no cubes.
    pub fn cube_name(&self) -> Option<String> {
        let tag = |tag: &String| tag.strip_prefix(CUBE_TAG).map(str::to_owned);
        let agent = self.own.get("agent").and_then(Value::as_str);
        let tag = self.tags.iter().find_map(tag);
        tag.or_else(|| agent.map(agent_cube))
    }

    /// What it is here, in this cube of the user; without any date it is of the time `undated`, ms.
    pub fn recalled(self, cube: &Cube, undated: i64) -> Recalled {
        let own = |name: &str| self.own.get(name);
        let time = self.created_at.or(self.updated_at).unwrap_or(undated);
        let said = self
            .tags
            .iter()
            .find_map(|tag| tag.strip_prefix(SAID_TAG)?.parse().ok());
        let category = own("category").and_then(|name| read::lenient(name).ok());
        let facts = own("facts").and_then(|facts| read::lenient(facts).ok());
        let facts = facts.unwrap_or_default();
        let importance = own("importance").and_then(Value::as_u64);
        let importance = importance.and_then(|importance| u8::try_from(importance).ok());
        let kind = own("kind").and_then(|name| read::lenient(name).ok());
        let is_own_tag = |tag: &String| {
            let own = [KEY_TAG, CUBE_TAG, SAID_TAG];
            own.iter().any(|prefix| tag.starts_with(prefix))
        };
        let is_sensitive = self.tags.iter().any(|tag| tag == SENSITIVE_TAG)
            || own("is_sensitive").and_then(Value::as_bool) == Some(true);
        let memory = Memory {
            observed_at: own("observed_at")
                .and_then(Value::as_i64)
                .or(said)
                .unwrap_or(time),
            category: category.unwrap_or(match self.kind {
                Kind::Pref => Category::Preference,
                _ => Category::Other,
            }),
            importance: importance.unwrap_or(5).clamp(1, 10),
            kind: kind.unwrap_or(self.kind),
            id: self.id,
            content: self.text,
            cues: String::new(),
            created_at: time,
            last_access_at: self.updated_at.unwrap_or(time),
            access_count: 0,
            weight: 1.0,
            scope: cube.scope,
            agent_id: cube.agent.clone(),
            tier: Tier::Short,
            temperature: Temperature::Hot,
            tags: self
                .tags
                .into_iter()
                .filter(|tag| !is_own_tag(tag))
                .gather(),
            source: Source::External,
            version: 1,
            previous_id: None,
            next_id: None,
            related_ids: Vec::new(),
            conflict_ids: Vec::new(),
            is_valid: true,
            forgotten_at: None,
            is_pinned: false,
            session_id: self.session,
            message_ids: Vec::new(),
            position: None,
            facts,
            is_sensitive,
            expires_at: None,
            suspicion: None,
            is_held: false,
        };
        Recalled {
            memory,
            score: self.score,
        }
    }
}

/// The labels that a memory is added with, by which it is known again.
pub fn tags(what: &Addition<'_>, cube: Option<&str>) -> Vec<String> {
    let candidate = what.candidate;
    let own = [
        Some(format!("{KEY_TAG}{}", what.key)),
        cube.map(|name| format!("{CUBE_TAG}{name}")),
        candidate.map(|candidate| format!("{SAID_TAG}{}", candidate.observed_at)),
        candidate
            .filter(|candidate| candidate.is_sensitive)
            .map(|_| SENSITIVE_TAG.to_owned()),
    ];
    own.into_iter()
        .flatten()
        .chain(what.tags.iter().cloned())
        .gather()
}

/// What goes along with a memory that is added.
pub fn own(key: &str, candidate: Option<&Candidate>) -> Value {
    match candidate {
        None => write::record(&[(KEY_NAME, &key)]),
        Some(candidate) => write::record(&[
            (KEY_NAME, &key),
            ("category", &candidate.category),
            ("facts", &candidate.facts),
            ("importance", &candidate.importance),
            ("is_sensitive", &candidate.is_sensitive),
            ("kind", &candidate.kind),
            ("observed_at", &candidate.observed_at),
        ]),
    }
}

/// What is found in an order of its own: services answer their cubes in the order of completion.
/// Of the same memory in two places the better score stays.
pub fn in_order(mut hits: Vec<Recalled>) -> Vec<Recalled> {
    let place = |memory: &Memory| (memory.scope == MemoryScope::Agent, memory.kind);
    order::sort_by(&mut hits, |a, b| {
        let (x, y) = (&a.memory, &b.memory);
        let best = b.score.unwrap_or(-1.0).total_cmp(&a.score.unwrap_or(-1.0));
        x.id.cmp(&y.id)
            .then(best)
            .then_with(|| place(x).cmp(&place(y)))
    });
    hits.dedup_by(|later, first| later.memory.id == first.memory.id);
    order::sort_by(&mut hits, |a, b| {
        let (x, y) = (&a.memory, &b.memory);
        place(x).cmp(&place(y)).then_with(|| x.id.cmp(&y.id))
    });
    hits
}
