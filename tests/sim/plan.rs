//! What one seed stands for: which services there are, how much is done, what goes wrong.

use crate::rng::Rng;
use crate::world::HEIR;
use serde_json::{Value, json};

/// Hot memories of a user at most.
pub const MAX_HOT: usize = 6;
/// Pinned memories of a user at most.
pub const MAX_PINNED: usize = 2;
/// Tokens of a window at most.
pub const WINDOW: usize = 400;
/// How long a new memory is protected, ms.
pub const PROTECT_MS: i64 = 1_000;

/// What may go wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// A call fails and does nothing.
    Error,
    /// A call is carried out and its answer lost.
    Lost,
    /// An external service does not answer in time, whether or not it did what it was told.
    Hang,
    /// The cache answers what it held before.
    Stale,
    /// A request is sent twice, one after the other or at once.
    Twice,
    /// An instance dies between two calls of its host.
    Crash,
    /// The clock is set forwards or back.
    Jump,
    /// The instances' clocks differ.
    Skew,
    /// The language model answers what is no answer.
    Nonsense,
}

pub const FAULTS: [Fault; 9] = [
    Fault::Error,
    Fault::Lost,
    Fault::Hang,
    Fault::Stale,
    Fault::Twice,
    Fault::Crash,
    Fault::Jump,
    Fault::Skew,
    Fault::Nonsense,
];

#[derive(Debug, Clone)]
pub struct Plan {
    pub seed: u64,
    pub memos: bool,
    pub embeddings: bool,
    pub vectors: bool,
    pub llm: bool,
    pub instances: usize,
    /// Whether people talk of few things, again and again.
    pub narrow: bool,
    pub people: usize,
    pub tasks: usize,
    pub operations: usize,
    pub faults: Vec<Fault>,
    /// How many calls in a thousand fail in one way or another.
    pub rate: usize,
    /// Whether clocks jump while a service is told something, too.
    pub jumps_anytime: bool,
}

impl Plan {
    pub fn of(seed: u64) -> Self {
        let rng = Rng::new(seed ^ 0x5eed);
        let memos = rng.chance(300);
        let embeddings = rng.chance(600);
        let calm = rng.chance(100);
        let faults = FAULTS.into_iter().filter(|_| !calm && rng.chance(650));
        Self {
            seed,
            memos,
            embeddings,
            vectors: !memos && embeddings && rng.chance(800),
            llm: rng.chance(850),
            faults: faults.collect(),
            instances: 1 + rng.below(2),
            narrow: rng.chance(400),
            people: 1 + rng.below(HEIR),
            tasks: 1 + rng.below(6),
            operations: 3 + rng.below(8),
            rate: *rng.pick(&[3, 10, 30, 80]),
            jumps_anytime: rng.chance(500),
        }
    }

    pub fn has(&self, fault: Fault) -> bool {
        self.faults.contains(&fault)
    }

    pub fn config(&self) -> Value {
        json!({
            "agent": { "longMemory": true, "model": "any", "contextRounds": 4,
                "provider": if self.memos { "memos" } else { "local" } },
            "tokens": { "encoding": "estimate" },
            "window": { "maxTokens": WINDOW },
            "summary": { "maxTokens": 60, "minMessages": 6 },
            "history": { "cacheMessages": 8 },
            "life": { "maxHot": MAX_HOT, "evictCount": 1, "maxPinned": MAX_PINNED,
                "protectMs": PROTECT_MS, "maxCold": 40 },
            "outbox": { "maxAttempts": 6 },
        })
    }

    /// The plans that are a little smaller.
    pub fn smaller(&self) -> Vec<Self> {
        let mut all = Vec::new();
        let mut less = |change: &dyn Fn(&mut Self)| {
            let mut plan = self.clone();
            change(&mut plan);
            all.push(plan);
        };
        for fault in &self.faults {
            less(&|plan| plan.faults.retain(|other| other != fault));
        }
        if self.tasks > 1 {
            less(&|plan| plan.tasks = 1);
            less(&|plan| plan.tasks -= 1);
        }
        if self.operations > 1 {
            less(&|plan| plan.operations /= 2);
            less(&|plan| plan.operations -= 1);
        }
        if self.people > 1 {
            less(&|plan| plan.people = 1);
        }
        if self.instances > 1 {
            less(&|plan| plan.instances = 1);
        }
        if self.vectors {
            less(&|plan| plan.vectors = false);
        } else if self.embeddings {
            less(&|plan| plan.embeddings = false);
        }
        all
    }
}
