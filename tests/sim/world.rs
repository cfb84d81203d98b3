//! What all instances share and no fault takes away: the store, the services, time.

use crate::plan::{Fault, Plan};
use crate::rng::Rng;
use crate::support_memos::Memos;
use serde_json::Value;
use siltstone::host::VectorItem;
use siltstone::outbox::OutboxConfig;
use siltstone::scope::Scope;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// An invariant that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub invariant: &'static str,
    pub what: String,
}

/// A person; whatever they say holds their word.
#[derive(Debug)]
pub struct Person {
    pub tenant: &'static str,
    pub user: &'static str,
    pub word: &'static str,
}

/// Ids that try to collide. The last one only gets what others exported.
pub const PEOPLE: [Person; 4] = [
    Person {
        tenant: "default",
        user: "ana",
        word: "quokka",
    },
    Person {
        tenant: "default",
        user: "ana!memory",
        word: "narwhal",
    },
    Person {
        tenant: "acme",
        user: "ana",
        word: "pangolin",
    },
    Person {
        tenant: "default",
        user: "an",
        word: "axolotl",
    },
];
/// How far the clocks of instances are off, where they are.
pub const SKEWS: [i64; 2] = [-2_000, 3_000];
/// The person who only gets what others exported.
pub const HEIR: usize = 3;

impl Person {
    pub fn scope(&self) -> Scope {
        Scope {
            tenant: self.tenant.to_owned(),
            user: self.user.to_owned(),
            agent: None,
            session: None,
        }
    }
}

/// What is known of a message that was sent.
#[derive(Debug, Default, Clone)]
pub struct Sent {
    /// The moment from which on it may be there.
    pub from: u64,
    /// The moment from which on it must be there.
    pub by: Option<u64>,
    pub may_be_removed: bool,
}

/// A proposal of the judge whose consolidation was committed.
#[derive(Debug, Clone)]
pub struct Judged {
    pub person: usize,
    pub content: String,
}

/// Something that runs, and for whom; a call of nobody looks after all.
#[derive(Debug, Default, Clone)]
pub struct Running {
    pub name: String,
    pub person: Option<usize>,
    /// What the judge proposed to the call that runs.
    pub proposed: Vec<String>,
}

#[derive(Debug)]
pub struct World {
    pub plan: Plan,
    pub rng: Rng,
    /// Time that only grows; timers go by it.
    pub elapsed: Cell<i64>,
    /// What clocks show before anything has elapsed.
    pub clock: Cell<i64>,
    /// The latest that any clock has shown.
    pub latest: Cell<i64>,
    pub store: RefCell<BTreeMap<String, (String, String)>>,
    versions: Cell<u64>,
    pub cache: RefCell<BTreeMap<String, Vec<(String, i64)>>>,
    pub vectors: RefCell<BTreeMap<String, VectorItem>>,
    pub memos: RefCell<Memos>,
    /// Texts that MemOS has held.
    pub memos_held: RefCell<BTreeSet<(String, String)>>,
    pub quiet: Cell<bool>,
    pub running: RefCell<Vec<Running>>,
    pub current: Cell<usize>,
    /// Whether the task that is polled got on.
    pub progress: Cell<bool>,
    /// Until when the task that is polled sleeps at least.
    pub wake: Cell<Option<i64>>,
    pub violations: RefCell<Vec<Violation>>,
    pub tracing: Cell<bool>,
    pub trace: RefCell<Vec<String>>,
    pub moment: Cell<u64>,
    pub sent: RefCell<BTreeMap<(usize, String), BTreeMap<String, Sent>>>,
    pub judged: RefCell<Vec<Judged>>,
    /// Texts that were reported as merged or dropped.
    pub reported: RefCell<BTreeSet<(usize, String)>>,
    /// Whose words each person's store may hold.
    pub heard: RefCell<Vec<BTreeSet<usize>>>,
    /// The version of the store that was looked at last.
    pub checked: Cell<u64>,
    pub numbers: Cell<u64>,
    pub in_flight: Cell<usize>,
    /// Effects whose lease a jump of the clock has ended, maybe while they were done.
    pub overrun: RefCell<BTreeSet<String>>,
}

impl World {
    pub fn new(plan: Plan) -> Rc<Self> {
        let rng = Rng::new(plan.seed);
        let clock = 1_700_000_000_000;
        Rc::new(Self {
            rng,
            elapsed: Cell::new(0),
            clock: Cell::new(clock),
            latest: Cell::new(clock),
            store: RefCell::default(),
            versions: Cell::new(0),
            cache: RefCell::default(),
            vectors: RefCell::default(),
            memos: RefCell::default(),
            memos_held: RefCell::default(),
            quiet: Cell::new(false),
            running: RefCell::default(),
            current: Cell::new(0),
            progress: Cell::new(false),
            wake: Cell::new(None),
            violations: RefCell::default(),
            tracing: Cell::new(false),
            trace: RefCell::default(),
            moment: Cell::new(0),
            sent: RefCell::default(),
            judged: RefCell::default(),
            reported: RefCell::default(),
            heard: RefCell::new((0..PEOPLE.len()).map(|at| BTreeSet::from([at])).collect()),
            checked: Cell::new(0),
            numbers: Cell::new(0),
            in_flight: Cell::new(0),
            overrun: RefCell::default(),
            plan,
        })
    }

    pub fn now(&self, skew: i64) -> i64 {
        let now = self.clock.get() + self.elapsed.get() + skew;
        self.latest.set(self.latest.get().max(now));
        now
    }

    pub fn tick(&self) -> u64 {
        self.moment.set(self.moment.get() + 1);
        self.moment.get()
    }

    pub fn version(&self) -> String {
        self.versions.set(self.versions.get() + 1);
        self.versions.get().to_string()
    }

    /// Whether the store has changed since this was asked last.
    pub fn has_changed(&self) -> bool {
        self.checked.replace(self.versions.get()) != self.versions.get()
    }

    /// Notes of which effects this jump ends the lease, for the clock of any instance.
    pub fn end_leases(&self, by: i64) {
        let config = OutboxConfig::default();
        let longest = config.lease_ms.max(config.max_backoff_ms);
        let now = self.clock.get() + self.elapsed.get();
        let store = self.store.borrow();
        let waiting = store.iter().filter(|(key, _)| key.starts_with("o1!"));
        for (_, (text, _)) in waiting {
            let effect = &serde_json::from_str::<Value>(text).unwrap()["d"];
            let at = effect["nextAt"].as_i64().unwrap();
            let is_free = |now: i64| at <= now || at > now.saturating_add_unsigned(longest);
            // After a failure nobody has it.
            let is_leased = effect["owner"].is_string() || effect["attempts"] == 0;
            let mut clocks = [0, SKEWS[0], SKEWS[1]].iter().map(|skew| now + skew);
            if is_leased && clocks.any(|now| !is_free(now) && is_free(now + by)) {
                let id = effect["id"].as_str().unwrap().to_owned();
                self.overrun.borrow_mut().insert(id);
            }
        }
    }

    /// Whether a service may have been told this twice, as nothing here can know.
    pub fn is_overrun(&self, tags: &str) -> bool {
        self.overrun.borrow().iter().any(|id| tags.contains(id))
    }

    pub fn number(&self) -> u64 {
        self.numbers.set(self.numbers.get() + 1);
        self.numbers.get()
    }

    pub fn violated(&self, invariant: &'static str, what: impl Into<String>) {
        let what = what.into();
        self.note(|| format!("VIOLATED {invariant}: {what}"));
        self.violations
            .borrow_mut()
            .push(Violation { invariant, what });
    }

    pub fn note(&self, what: impl FnOnce() -> String) {
        if self.tracing.get() {
            let running = self.running.borrow();
            let name = running
                .get(self.current.get())
                .map_or("", |running| &running.name);
            let at = self.clock.get() + self.elapsed.get();
            self.trace
                .borrow_mut()
                .push(format!("{at} {name} {}", what()));
        }
    }

    pub fn fails(&self, fault: Fault) -> bool {
        !self.quiet.get() && self.plan.has(fault) && self.rng.chance(self.plan.rate)
    }

    /// Whom the call that runs is for.
    pub fn person(&self) -> Option<usize> {
        let running = self.running.borrow();
        running
            .get(self.current.get())
            .and_then(|running| running.person)
    }

    pub fn with_running<T>(&self, change: impl FnOnce(&mut Running) -> T) -> Option<T> {
        let mut running = self.running.borrow_mut();
        running.get_mut(self.current.get()).map(change)
    }

    /// Others run now, and a little time passes.
    pub async fn pause(&self) {
        let mut waited = false;
        poll_fn(|_| {
            if waited {
                self.progress.set(true);
                return Poll::Ready(());
            }
            waited = true;
            self.progress.set(true);
            Poll::Pending
        })
        .await;
        if self.rng.chance(300) {
            self.elapsed
                .set(self.elapsed.get() + 1 + self.rng.below(4) as i64);
        }
    }

    pub async fn sleep(&self, ms: u64) {
        let until = self.elapsed.get().saturating_add_unsigned(ms);
        poll_fn(|_| {
            if self.elapsed.get() >= until {
                self.progress.set(true);
                return Poll::Ready(());
            }
            let wake = self.wake.get();
            self.wake
                .set(Some(wake.map_or(until, |wake| wake.min(until))));
            Poll::Pending
        })
        .await;
    }
}
