//! A user's memories, ready to be searched: their words, places and marks. The memories themselves
//! are read when they are found, and held for a while.

use super::kept::Kept;
use crate::gather::Gather;
use crate::gather::Push;
use crate::index::{Digest, Entry, Lexical, Places, Seen, Times, Tuning, times};
use crate::memory::{Memory, MemoryScope, Temperature};
use crate::prompt;
use crate::scope::Scope;
use crate::table::Table;
use crate::vector::Vector;
use crate::vector::external;
use crate::vector::rows::Rows;
use rustc_hash::FxHashMap;
use siltstone_kernels::{self as kernels, Marks};
use std::cell::{OnceCell, RefCell};

/// Memories that are held when a question comes, at most.
const HELD: usize = 4_096;
/// An index with more gaps than memories and these is better made anew.
const GAPS: usize = 1_024;

/// Where there is no memory any more, or not yet.
const GAP: Marks = Marks {
    until: i64::MAX,
    cube: 0,
    importance: 0,
    marks: 0,
};

/// There is such a memory; without it the place is a gap.
pub(super) const THERE: u8 = 1;
const HELD_BACK: u8 = 2;
const SENSITIVE: u8 = 4;
pub(super) const PINNED: u8 = 8;
pub(super) const OF_AGENT: u8 = 16;
pub(super) const COLD: u8 = 32;

/// A user's memories, ready to be searched. Documents are numbered in the order of the memories'
/// ids, with gaps where some have gone.
#[derive(Debug, Clone)]
pub struct Indexed {
    pub(super) version: String,
    /// Whether cold memories are in it, too.
    pub(super) with_cold: bool,
    /// By document.
    pub(super) ids: Vec<Box<str>>,
    pub(super) marks: Vec<Marks>,
    count: usize,
    pub(super) cubes: Vec<String>,
    /// By number.
    pub(super) sessions: Vec<String>,
    session_numbers: FxHashMap<String, u32>,
    pub(super) lexical: Lexical,
    pub(super) places: Places,
    pub(super) vectors: Rows,
    /// Whether it has the embeddings of all its memories, as far as there are any.
    pub(super) has_rows: bool,
    /// Documents by the ids of their vectors in a vector store, once it was asked.
    pub(super) numbers: OnceCell<FxHashMap<String, u32>>,
    /// When the use of a memory was last noted through this index, ms.
    pub(super) noted: RefCell<Table<i64>>,
    /// Memories by document, as they were last read; none where there is no such memory any more.
    /// What other instances noted of their use is seen with the next change of memories: it bears
    /// on their order only.
    held: RefCell<Held>,
    /// What the store holds of this index.
    pub(super) kept: RefCell<Kept>,
}

/// Memories that were read. Boxed: most places are empty.
#[derive(Debug, Clone, Default)]
struct Held {
    /// By document: what was read of it, if it was.
    places: Vec<Option<Option<Box<Memory>>>>,
    count: usize,
}

impl Held {
    fn get(&self, doc: u32) -> Option<&Option<Box<Memory>>> {
        self.places.get(doc as usize)?.as_ref()
    }

    fn put(&mut self, doc: u32, memory: Option<Memory>) {
        let at = doc as usize;
        if self.places.len() <= at {
            self.places.resize_with(at + 1, || None);
        }
        if let Some(place) = self.places.get_mut(at) {
            self.count += usize::from(place.is_none());
            *place = Some(memory.map(Box::new));
        }
    }
}

/// Who asks, and when.
pub(super) struct Reader {
    /// By document.
    may_read: Vec<bool>,
    /// By the number of a cube: whether it may be read.
    cubes: Vec<bool>,
    now_ms: i64,
    filter_sensitive: bool,
}

impl Reader {
    pub(super) fn may_read(&self, doc: u32) -> bool {
        self.may_read.get(doc as usize) == Some(&true)
    }

    /// How many documents may be read.
    pub(super) fn count(&self) -> usize {
        self.may_read.iter().filter(|may_read| **may_read).count()
    }
}

impl Indexed {
    pub(super) fn empty(version: String, with_cold: bool) -> Self {
        Self {
            version,
            with_cold,
            ids: Vec::new(),
            marks: Vec::new(),
            count: 0,
            cubes: Vec::new(),
            sessions: Vec::new(),
            session_numbers: FxHashMap::default(),
            lexical: Lexical::new(Tuning::default().bm25),
            places: Places::new(),
            vectors: Rows::default(),
            has_rows: false,
            numbers: OnceCell::new(),
            noted: RefCell::default(),
            held: RefCell::default(),
            kept: RefCell::default(),
        }
    }

    /// Indexes the memories that stand, the hot ones or also the `cold`, and holds them.
    pub fn new(version: String, mut memories: Vec<Memory>, cold: bool) -> Self {
        let mut indexed = Self::empty(version, cold);
        if !memories.is_sorted_by(|a, b| a.id < b.id) {
            crate::order::sort_by(&mut memories, |a, b| a.id.cmp(&b.id));
            memories.dedup_by(|later, kept| later.id == kept.id);
        }
        let mut seen = Seen::default();
        for memory in memories {
            indexed.put_last(memory, &mut seen);
        }
        indexed
    }

    /// With the embeddings of the memories, by memory id.
    pub fn with_vectors(mut self, vectors: Table<Vector>) -> Self {
        for (id, vector) in vectors.iter() {
            self.set_vector(id, vector.clone());
        }
        self
    }

    pub(super) fn set_vector(&mut self, id: &str, vector: Vector) {
        if let Some(doc) = self.doc(id) {
            self.vectors.set(doc, Some(vector));
        }
    }

    /// Memories in it.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    pub(super) fn has_too_many_gaps(&self) -> bool {
        self.ids.len() > 2 * self.count + GAPS
    }

    fn belongs(&self, memory: &Memory) -> bool {
        memory.is_valid && (self.with_cold || memory.temperature == Temperature::Hot)
    }

    /// Adds a memory that comes after all that were ever there.
    fn put_last(&mut self, memory: Memory, seen: &mut Seen) {
        if self.belongs(&memory) {
            let doc = self.ids.len() as u32;
            self.ids.push(memory.id.as_str().into());
            self.marks.push(GAP);
            self.set(doc, memory, seen);
        }
    }

    /// Adds what another index made of a memory that comes after all others.
    pub(super) fn put_digest(
        &mut self,
        id: &str,
        marks: Marks,
        digest: &Digest<'_>,
        place: Option<(u32, u32)>,
    ) {
        let doc = self.ids.len() as u32;
        self.ids.push(id.into());
        self.marks.push(marks);
        self.count += 1;
        self.lexical.add_digest(doc, digest);
        if let Some((session, position)) = place {
            self.places.insert(doc, session, position);
        }
    }

    /// Brings it up to date: what these memories are by now, none for those that are gone, in the
    /// order of their ids; and the embeddings of those that have one.
    pub(super) fn follow(
        &mut self,
        scope: &Scope,
        version: &str,
        changed: Vec<(String, Option<Memory>)>,
        mut vectors: Table<Vector>,
    ) {
        self.version = version.to_owned();
        *self.held.get_mut() = Held::default();
        let comes = |(id, memory): &&(String, Option<Memory>)| {
            memory.as_ref().is_some_and(|memory| self.belongs(memory)) && self.at(id).is_err()
        };
        let new: Vec<&str> = changed
            .iter()
            .filter(comes)
            .map(|(id, _)| id.as_str())
            .gather();
        self.make_room(&new);
        let mut seen = Seen::default();
        for (id, memory) in changed {
            self.kept.get_mut().note(&id);
            let Ok(at) = self.at(&id) else { continue };
            let doc = at as u32;
            self.clear(doc);
            if let Some(memory) = memory.filter(|memory| self.belongs(memory)) {
                self.set(doc, memory, &mut seen);
                self.vectors.set(doc, vectors.remove(&id));
                if let Some(numbers) = self.numbers.get_mut() {
                    numbers.insert(external::id(scope, &id), doc);
                }
            }
        }
    }

    /// Gives memories that are to come, in the order of their ids, their places.
    fn make_room(&mut self, new: &[&str]) {
        let is_last = |id: &&str| self.ids.last().is_none_or(|last| **last < **id);
        if new.first().is_none_or(is_last) {
            self.ids.push_all(new.iter().map(|id| (*id).into()));
            self.marks.resize(self.ids.len(), GAP);
            return;
        }
        let mut numbers = Vec::with_capacity(self.ids.len());
        let mut new = new.iter().peekable();
        let marks = std::mem::take(&mut self.marks);
        for (id, marks) in std::mem::take(&mut self.ids).into_iter().zip(marks) {
            while let Some(id) = new.next_if(|new| **new < &*id) {
                self.ids.push((*id).into());
            }
            numbers.push(self.ids.len() as u32);
            self.marks.resize(self.ids.len(), GAP);
            self.ids.push(id);
            self.marks.push(marks);
        }
        self.ids.push_all(new.map(|id| (*id).into()));
        self.marks.resize(self.ids.len(), GAP);
        self.lexical.renumber(&numbers);
        self.places.renumber(&numbers);
        self.vectors.renumber(&numbers);
        self.numbers.take();
    }

    fn set(&mut self, doc: u32, memory: Memory, seen: &mut Seen) {
        let session = memory.session_id.as_deref();
        let session = session.map(|session| self.session(session));
        let (content, at) = (&memory.content, memory.observed_at);
        let Times { is_timed, said } = times(content, &memory.cues, at, seen);
        let beside = format!(
            "{} {} {} {}",
            prompt::date(at),
            said,
            memory.tags.join(" "),
            memory.cues
        );
        let entry = Entry {
            text: content,
            beside: &beside,
            about: memory.cues.split_once(": ").map(|(speaker, _)| speaker),
            session,
            is_told: !memory.cues.is_empty(),
            is_timed,
        };
        self.lexical.add(doc, &entry, seen);
        if let (Some(session), Some(position)) = (session, memory.position) {
            self.places.insert(doc, session, position);
        }
        let cube = self.cube(&memory.cube());
        let mark = |is_so: bool, mark: u8| if is_so { mark } else { 0 };
        if let Some(marks) = self.marks.get_mut(doc as usize) {
            *marks = Marks {
                until: memory.expires_at.unwrap_or(i64::MAX),
                cube,
                importance: memory.importance,
                marks: THERE
                    | mark(memory.is_held, HELD_BACK)
                    | mark(memory.is_sensitive, SENSITIVE)
                    | mark(memory.is_pinned, PINNED)
                    | mark(memory.scope == MemoryScope::Agent, OF_AGENT)
                    | mark(memory.temperature == Temperature::Cold, COLD),
            };
            self.count += 1;
        }
        self.held.get_mut().put(doc, Some(memory));
    }

    fn clear(&mut self, doc: u32) {
        if let Some(marks) = self.marks.get_mut(doc as usize)
            && marks.marks & THERE != 0
        {
            *marks = GAP;
            self.count -= 1;
            self.lexical.remove(doc);
            self.places.remove(doc);
            self.vectors.set(doc, None);
        }
    }

    pub(super) fn session(&mut self, session: &str) -> u32 {
        if let Some(number) = self.session_numbers.get(session) {
            return *number;
        }
        let number = self.sessions.len() as u32;
        self.sessions.push(session.to_owned());
        self.session_numbers.insert(session.to_owned(), number);
        number
    }

    pub(super) fn cube(&mut self, cube: &str) -> u32 {
        let known = self.cubes.iter().position(|other| other == cube);
        let number = known.unwrap_or_else(|| {
            self.cubes.push(cube.to_owned());
            self.cubes.len() - 1
        });
        number as u32
    }

    fn at(&self, id: &str) -> Result<usize, usize> {
        self.ids.binary_search_by(|other| (**other).cmp(id))
    }

    /// The number of a memory that is there.
    pub(super) fn doc(&self, id: &str) -> Option<u32> {
        let doc = self.at(id).ok()? as u32;
        self.marks(doc).map(|_| doc)
    }

    /// What is known of a memory that is there.
    pub(super) fn marks(&self, doc: u32) -> Option<&Marks> {
        let marks = self.marks.get(doc as usize);
        marks.filter(|marks| marks.marks & THERE != 0)
    }

    pub(super) fn id(&self, doc: u32) -> &str {
        self.ids.get(doc as usize).map_or("", |id| &**id)
    }

    pub(super) fn reader(&self, scope: &Scope, now_ms: i64, filter_sensitive: bool) -> Reader {
        let readable = scope.readable_cubes();
        let cubes: Vec<bool> = self
            .cubes
            .iter()
            .map(|cube| readable.contains(cube))
            .gather();
        let sensitive = if filter_sensitive { SENSITIVE } else { 0 };
        Reader {
            may_read: kernels::readable(&self.marks, &cubes, now_ms, THERE, HELD_BACK | sensitive),
            cubes,
            now_ms,
            filter_sensitive,
        }
    }

    /// Which of these documents' memories are not held.
    pub(super) fn not_held(&self, docs: &[u32]) -> Vec<u32> {
        let held = self.held.borrow();
        let missing = docs.iter().filter(|doc| held.get(**doc).is_none());
        missing.copied().gather()
    }

    /// Holds memories as they were just read.
    pub(super) fn hold(&self, memories: Vec<(u32, Option<Memory>)>) {
        let mut held = self.held.borrow_mut();
        for (doc, memory) in memories {
            held.put(doc, memory);
        }
    }

    /// Lets go of the memories if there are many.
    pub(super) fn let_go(&self) {
        let mut held = self.held.borrow_mut();
        if held.count > HELD && !self.with_cold {
            *held = Held::default();
        }
    }

    /// Looks at a memory that is held, if it may still be shown.
    pub(super) fn look_at<T>(
        &self,
        doc: u32,
        reader: &Reader,
        look: impl FnOnce(&Memory) -> T,
    ) -> Option<T> {
        let held = self.held.borrow();
        let memory = held.get(doc)?.as_ref()?;
        let cube = memory.cube();
        let cube = self.cubes.iter().position(|other| *other == cube);
        // What the index knows of it may be from before it was read.
        let may_show = self.belongs(memory)
            && memory.is_live(reader.now_ms)
            && !(reader.filter_sensitive && memory.is_sensitive)
            && cube.and_then(|cube| reader.cubes.get(cube)) == Some(&true);
        may_show.then(|| look(memory))
    }

    /// A memory as it is shown: a contradiction is worth showing only while the other side stands.
    pub(super) fn shown(&self, memory: &Memory) -> Memory {
        let mut memory = memory.clone();
        memory.conflict_ids.retain(|id| self.doc(id).is_some());
        memory
    }
}
