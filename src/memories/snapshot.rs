//! All memories of a user as they were at one moment, and changes that hold only against it.

use super::log;
use crate::error::Result;
use crate::gather::Gather;
use crate::host::Host;
use crate::key::last_part;
use crate::life::users::User;
use crate::memory::Memory;
use crate::read::Read;
use crate::scope::Scope;
use crate::sorted::Names;
use crate::store::{self, Change, Record};
use crate::vector::external;
use serde::Serialize;

/// Changes with every change of the user's memories, so that a commit can check that nothing it
/// decided from has moved.
#[derive(Debug, Clone, Default, Serialize, Read)]
pub struct MemoryHead {
    /// How many changes there were; those that time alone makes do not count.
    pub changes: u64,
    /// Whether `maintain` knows of the user.
    #[serde(default)]
    pub registered: bool,
    /// Whether the vector store was told of the user's memories.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vectors: bool,
    /// Which memories the last changes were of; see `memories::log`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub log: Vec<String>,
}

/// The user's memories, forgotten and superseded ones included.
#[derive(Debug)]
pub struct Snapshot {
    head_key: String,
    head: Option<Record<MemoryHead>>,
    user: User,
    /// In the order of their ids, which is that of their creation.
    pub memories: Vec<Memory>,
    /// Ids of those that belong in the vector store; none where there is no such store.
    pub in_vector_store: Option<Names>,
}

impl Snapshot {
    /// Reads head and memories; one that cannot be read is logged and left out.
    pub async fn read<H: Host>(host: &H, scope: &Scope) -> Result<Self> {
        // The head comes first: whatever changes while the rest is read fails the commit's check.
        let head_key = scope.memory_head_key();
        let head = store::typed::<MemoryHead>(store::read(host, head_key.clone()).await)?;
        let memories = match &head {
            None => Vec::new(),
            Some(_) => {
                let entries = store::range(host, scope.memories(), usize::MAX, false).await?;
                let records: Vec<Record<Memory>> = store::decode_all(host, entries);
                records.into_iter().map(|record| record.value).gather()
            }
        };
        Ok(Self::of(host, scope, head, memories))
    }

    /// Of this head and these memories, read after it: all, or those that a change can bear on.
    pub fn of<H: Host>(
        host: &H,
        scope: &Scope,
        head: Option<Record<MemoryHead>>,
        memories: Vec<Memory>,
    ) -> Self {
        let in_vector_store = external::is_there(host).then(|| {
            let belong = memories.iter().filter(|memory| external::belongs(memory));
            Names::from_iter(belong.map(|memory| memory.id.clone()))
        });
        Self {
            in_vector_store,
            head,
            memories,
            ..Self::none(scope)
        }
    }

    /// What is known of a user of whom nothing was read.
    pub fn none(scope: &Scope) -> Self {
        Self {
            head_key: scope.memory_head_key(),
            head: None,
            user: User::of(scope),
            memories: Vec::new(),
            in_vector_store: None,
        }
    }

    /// Whether there is a vector store that was not told of these memories.
    pub fn is_new_to_vector_store(&self) -> bool {
        let told = self.head.as_ref().is_some_and(|head| head.value.vectors);
        self.in_vector_store.is_some() && !told
    }

    /// A change that is committed only if the user's memories are still these.
    pub fn change(&self) -> Change {
        self.change_by(1)
    }

    /// The same for what time alone makes of memories: it leaves no trace but its result, so that
    /// it does not matter in how many steps it came about.
    pub fn upkeep(&self) -> Change {
        self.change_by(0)
    }

    fn change_by(&self, count: u64) -> Change {
        let mut change = Change::new();
        change.check(self.head_key.clone(), self.head.as_ref());
        let head = self.head.as_ref().map(|head| head.value.clone());
        let head = head.unwrap_or_default();
        if !head.registered {
            change.put(self.user.key(), &self.user);
        }
        let head = MemoryHead {
            changes: head.changes.saturating_add(count),
            registered: true,
            vectors: self.in_vector_store.is_some(),
            // It follows in `note`.
            log: Vec::new(),
        };
        change.put(self.head_key.clone(), &head);
        change
    }

    /// Notes in the head which memories a change is of, once it is complete.
    pub fn note(&self, scope: &Scope, change: &mut Change) -> Result<()> {
        let Some(replaced) = self.version() else {
            return Ok(());
        };
        let (memories, vectors) = (scope.memories(), scope.vectors());
        let is_in = |key: &str, (start, end): &(String, String)| **start <= *key && *key < **end;
        let mut ids = Names::new();
        for key in change.puts().map(|(key, _)| key).chain(change.deletes()) {
            if is_in(key, &memories) || is_in(key, &vectors) {
                ids.extend(last_part(key));
            }
        }
        let log = self.head().map_or(&[][..], |head| &head.value.log);
        change.amend(&self.head_key, |head: &mut MemoryHead| {
            head.log = log::extended(log, replaced, &ids);
        })
    }

    /// The head; none before the first memory.
    pub fn head(&self) -> Option<&Record<MemoryHead>> {
        self.head.as_ref()
    }

    /// The version of the head; none before the first memory.
    pub fn version(&self) -> Option<&str> {
        self.head.as_ref().map(|head| head.version.as_str())
    }

    /// The memory of this id that the scope may see.
    pub fn find(&self, scope: &Scope, id: &str) -> Option<&Memory> {
        self.memories
            .iter()
            .find(|memory| memory.id == id)
            .filter(|memory| scope.sees(memory.scope, memory.agent_id.as_deref()))
    }

    /// The versions of one memory, oldest first: all whose chain of successors leads where this
    /// one's does.
    pub fn chain<'a>(&'a self, memory: &'a Memory) -> Vec<&'a Memory> {
        let end = self.newest(memory);
        self.memories
            .iter()
            .filter(|other| self.newest(other).id == end.id)
            .gather()
    }

    /// The live end of a memory's chain of successors.
    pub fn newest<'a>(&'a self, memory: &'a Memory) -> &'a Memory {
        let mut newest = memory;
        // A chain has no more links than there are memories, whatever a damaged store says.
        for _ in 0..self.memories.len() {
            let Some(next) = newest.next_id.as_deref() else {
                break;
            };
            match self
                .memories
                .binary_search_by(|other| other.id.as_str().cmp(next))
            {
                Ok(at) => newest = self.memories.get(at).unwrap_or(newest),
                Err(_) => break,
            }
        }
        newest
    }
}
