//! Divides a linked module in two: what its exports reach, and what they reach only through the cut.
//!
//! The rest takes memory, table, globals and functions from the first part, whose calls across the
//! cut go through the table. Nothing else can lead there: a function or a piece of data that the
//! first part refers to, by whatever relocation, is in the first part.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType,
    ExportKind, ExportSection, Function, FunctionSection, GlobalSection, ImportSection, Module,
    TableSection,
};
use wasmparser::{ExternalKind, Operator};

use crate::graph::{Graph, Node};
use crate::module::Linked;

/// Calls to functions of this name lead to the rest.
const CUT: &str = "siltstone4rest6beyond";
/// The function that says whether the rest is there.
const LOOK: &str = "siltstone4rest8is_there";
/// The first part, as the rest imports it.
const FIRST: &str = "m";

pub struct Parts {
    pub first: Vec<u8>,
    pub rest: Vec<u8>,
}

pub fn split(wasm: &[u8]) -> Result<Parts> {
    let mut linked = Linked::read(wasm)?;
    let graph = Graph::read(wasm)?;
    let described = linked.describing(&graph)?;
    let plan = Plan::new(&linked, &graph, &described)?;
    Ok(Parts {
        first: plan.first()?,
        rest: plan.rest()?,
    })
}

/// What goes where.
struct Plan<'a> {
    linked: &'a Linked<'a>,
    /// The functions of the first part and of the rest, in their order; imports are in the first.
    first: Vec<u32>,
    rest: Vec<u32>,
    /// The functions that the first part calls through the table, and their places there.
    cuts: BTreeMap<u32, u32>,
    look: u32,
    /// What the rest takes from the first part, in the order of the export's names.
    taken: Vec<Taken>,
    first_data: Vec<(u32, &'a [u8])>,
    rest_data: Vec<(u32, &'a [u8])>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    Function(u32),
    Global(u32),
}

impl<'a> Plan<'a> {
    fn new(linked: &'a Linked<'a>, graph: &Graph, described: &[u32]) -> Result<Self> {
        let named = |part: &str| -> Vec<u32> {
            let names = graph.names.iter();
            let mut found: Vec<u32> = names
                .filter(|(_, name)| name.contains(part))
                .map(|(index, _)| *index)
                .collect();
            found.sort_unstable();
            found
        };
        let cut = named(CUT);
        ensure!(!cut.is_empty(), "no function is named {CUT}");
        let look = named(LOOK);
        ensure!(look.len() == 1, "not one function is named {LOOK}");
        let look = look[0];

        let mut roots: Vec<Node> = graph.loose.clone();
        roots.push(Node::Function(look));
        roots.extend((0..linked.imported.len() as u32).map(Node::Function));
        roots.extend(linked.exports.iter().filter_map(|export| {
            (export.kind == ExternalKind::Func).then_some(Node::Function(export.index))
        }));
        // wasm-bindgen makes imports of these: they are what the first part alone can have.
        roots.extend(described.iter().copied().map(Node::Function));
        let cuts: HashSet<Node> = cut.iter().copied().map(Node::Function).collect();
        let in_first = closure(graph, roots, |node| cuts.contains(&node));
        let behind = cut.iter().flat_map(|index| graph.of(Node::Function(*index)));
        let all = closure(graph, behind.collect(), |_| false);

        let defined = linked.imported.len() as u32..linked.functions();
        let first: Vec<u32> = defined
            .clone()
            .filter(|index| in_first.contains(&Node::Function(*index)) || cut.contains(index))
            .collect();
        let rest: Vec<u32> = defined
            .filter(|index| {
                let node = Node::Function(*index);
                cut.contains(index) || (all.contains(&node) && !in_first.contains(&node))
            })
            .collect();
        let (first, rest, in_first) = if std::env::var("LIFT").is_ok() {
            let mut in_first = in_first;
            let fixed: HashSet<u32> = cut.iter().copied().collect();
            let bytes = |f: u32| linked.compact(f);
            let up = crate::lift::lifted(graph, &first, &rest, &fixed, |node| in_first.contains(&node), bytes);
            let mut first = first;
            let mut rest = rest;
            rest.retain(|f| !up.contains(&Node::Function(*f)));
            first.extend(up.iter().filter_map(|node| match node { Node::Function(f) => Some(*f), Node::Piece(_) => None }));
            first.sort_unstable();
            in_first.extend(up);
            (first, rest, in_first)
        } else {
            (first, rest, in_first)
        };
        let slots = linked.table_size..;
        let mut plan = Self {
            linked,
            first,
            cuts: cut.into_iter().zip(slots).collect(),
            look,
            taken: linked.used_by(&rest)?,
            rest,
            first_data: Vec::new(),
            rest_data: Vec::new(),
        };
        plan.divide_data(graph, &in_first, &all);
        Ok(plan)
    }

    /// Only what the rest alone refers to goes there: bytes of the first part may have been written to
    /// by the time that the rest is loaded.
    fn divide_data(&mut self, graph: &Graph, in_first: &HashSet<Node>, all: &HashSet<Node>) {
        for (at, segment) in self.linked.data.iter().enumerate() {
            let mut owners = vec![Owner::Nobody; segment.bytes.len()];
            let mut give = |owner: Owner| {
                for (index, piece) in graph.pieces.iter().enumerate() {
                    let node = Node::Piece(index);
                    let is_rest = all.contains(&node) && !in_first.contains(&node);
                    if piece.segment == at && is_rest == (owner == Owner::Rest) {
                        owners[piece.bytes.clone()].fill(owner);
                    }
                }
            };
            give(Owner::Rest);
            give(Owner::First);
            let run = |range: Range<usize>| {
                (segment.address + range.start as u32, &segment.bytes[range])
            };
            self.first_data
                .extend(runs(&owners, segment.bytes, Owner::First).map(run));
            self.rest_data
                .extend(runs(&owners, segment.bytes, Owner::Rest).map(run));
        }
    }

    fn first(&self) -> Result<Vec<u8>> {
        let linked = self.linked;
        let mut code = Code::new(linked.imported.len() as u32);
        for index in 0..linked.imported.len() as u32 {
            code.functions.insert(index, index);
        }
        code.place(&self.first);
        // What the rest calls of the imports, it calls through a function: wasm-bindgen changes the
        // imports themselves.
        let bridges = self.taken.iter().filter_map(|taken| match taken {
            Taken::Function(index) if linked.needs_bridge(*index) => Some(*index),
            _ => None,
        });
        let first_bridge = linked.imported.len() + self.first.len();
        let bridges: BTreeMap<u32, u32> = bridges.zip(first_bridge as u32..).collect();

        let mut functions = FunctionSection::new();
        let mut bodies = CodeSection::new();
        for index in &self.first {
            functions.function(linked.type_of(*index));
            if *index == self.look {
                let slot = self.cuts.values().next().context("a cut")?;
                let mut body = Function::new([]);
                body.instructions()
                    .i32_const(*slot as i32)
                    .table_get(0)
                    .ref_is_null()
                    .i32_eqz()
                    .end();
                bodies.function(&body);
            } else if let Some(slot) = self.cuts.get(index) {
                let mut body = Function::new([]);
                for parameter in 0..linked.parameters(*index)? {
                    body.instructions().local_get(parameter);
                }
                body.instructions()
                    .i32_const(*slot as i32)
                    .call_indirect(0, linked.type_of(*index))
                    .end();
                bodies.function(&body);
            } else {
                code.parse_function_body(&mut bodies, linked.body(*index).clone())?;
            }
        }
        for index in bridges.keys() {
            functions.function(linked.type_of(*index));
            let mut body = Function::new([]);
            for parameter in 0..linked.parameters(*index)? {
                body.instructions().local_get(parameter);
            }
            body.instructions().call(code.functions[index]).end();
            bodies.function(&body);
        }

        let mut exports = ExportSection::new();
        for export in &linked.exports {
            let index = match export.kind {
                ExternalKind::Func => code.functions[&export.index],
                _ => export.index,
            };
            exports.export(export.name, code.export_kind(export.kind)?, index);
        }
        for (name, taken) in self.taken.iter().enumerate() {
            let (kind, index) = match taken {
                Taken::Function(index) => {
                    let found = bridges.get(index).or_else(|| code.functions.get(index));
                    (ExportKind::Func, *found.context("a function of the first part")?)
                }
                Taken::Global(index) => (ExportKind::Global, *index),
            };
            exports.export(&name.to_string(), kind, index);
        }
        exports.export("t", ExportKind::Table, 0);

        let mut imports = ImportSection::new();
        for import in &linked.imported {
            imports.import(import.module, import.name, EntityType::Function(import.ty));
        }
        let mut tables = TableSection::new();
        tables.table(self.table());
        let mut globals = GlobalSection::new();
        utils::parse_global_section(&mut RoundtripReencoder, &mut globals, linked.globals.clone())?;
        let mut module = Module::new();
        linked.types(&mut module)?;
        module.section(&imports).section(&functions).section(&tables);
        linked.memory(&mut module)?;
        module.section(&globals).section(&exports);
        module.section(&self.elements(&code, &self.first, false));
        module.section(&bodies).section(&data(&self.first_data));
        for (name, bytes) in &linked.customs {
            module.section(&CustomSection {
                name: (*name).into(),
                data: (*bytes).into(),
            });
        }
        Ok(module.finish())
    }

    fn rest(&self) -> Result<Vec<u8>> {
        let linked = self.linked;
        let mut imports = ImportSection::new();
        let mut globals = HashMap::new();
        let mut imported = HashMap::new();
        for (name, taken) in self.taken.iter().enumerate() {
            let name = name.to_string();
            match taken {
                Taken::Function(index) => {
                    imported.insert(*index, imported.len() as u32);
                    let ty = EntityType::Function(linked.type_of(*index));
                    imports.import(FIRST, &name, ty);
                }
                Taken::Global(index) => {
                    globals.insert(*index, globals.len() as u32);
                    let ty = RoundtripReencoder.global_type(linked.global_types[*index as usize])?;
                    imports.import(FIRST, &name, EntityType::Global(ty));
                }
            }
        }
        imports.import(FIRST, "t", EntityType::Table(self.table()));
        let memory = RoundtripReencoder.memory_type(linked.memory_type)?;
        imports.import(FIRST, linked.memory_name()?, EntityType::Memory(memory));

        let mut code = Code::new(imported.len() as u32);
        code.functions = imported;
        code.globals = globals;
        code.place(&self.rest);
        let mut functions = FunctionSection::new();
        let mut bodies = CodeSection::new();
        for index in &self.rest {
            functions.function(linked.type_of(*index));
            code.parse_function_body(&mut bodies, linked.body(*index).clone())?;
        }
        let mut module = Module::new();
        linked.types(&mut module)?;
        module.section(&imports).section(&functions);
        module.section(&self.elements(&code, &self.rest, true));
        module.section(&bodies).section(&data(&self.rest_data));
        Ok(module.finish())
    }

    fn table(&self) -> wasm_encoder::TableType {
        let size = u64::from(self.linked.table_size) + self.cuts.len() as u64;
        wasm_encoder::TableType {
            element_type: wasm_encoder::RefType::FUNCREF,
            table64: false,
            minimum: size,
            maximum: Some(size),
            shared: false,
        }
    }

    /// The functions of a part at their places in the table, which stay what they were.
    fn elements(&self, code: &Code, part: &[u32], is_rest: bool) -> ElementSection {
        let part: BTreeSet<u32> = part.iter().copied().collect();
        let mut places = BTreeMap::new();
        for (slot, function) in &self.linked.elements {
            let is_here = part.contains(function) || (!is_rest && *function < self.linked.imported.len() as u32);
            if is_here && !(is_rest && self.cuts.contains_key(function)) {
                places.insert(*slot, code.functions[function]);
            }
        }
        if is_rest {
            for (function, slot) in &self.cuts {
                places.insert(*slot, code.functions[function]);
            }
        }
        let mut section = ElementSection::new();
        let mut run: Vec<u32> = Vec::new();
        let mut start = 0;
        let mut close = |start: u32, run: &mut Vec<u32>| {
            if !run.is_empty() {
                let functions = std::mem::take(run);
                section.active(None, &ConstExpr::i32_const(start as i32), Elements::Functions(functions.into()));
            }
        };
        for (slot, function) in places {
            if slot != start + run.len() as u32 {
                close(start, &mut run);
                start = slot;
            }
            run.push(function);
        }
        close(start, &mut run);
        section
    }
}

fn closure(graph: &Graph, roots: Vec<Node>, is_cut: impl Fn(Node) -> bool) -> HashSet<Node> {
    let mut reached = HashSet::new();
    let mut left = roots;
    while let Some(node) = left.pop() {
        if !is_cut(node) && reached.insert(node) {
            left.extend(graph.of(node));
        }
    }
    reached
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    First,
    Rest,
}

/// Zeros of so many bytes cost less as the beginning of another segment.
const GAP: usize = 12;

/// Runs of the bytes that an owner has, which may go on over what is nobody's and over zeros that
/// the other part has not.
fn runs<'a>(owners: &'a [Owner], bytes: &'a [u8], owner: Owner) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        let is_in = |at: usize| owners[at] == owner && bytes[at] != 0;
        while at < owners.len() && !is_in(at) {
            at += 1;
        }
        let start = at;
        let mut end = at;
        while at < owners.len() && at - end < GAP && (owners[at] == owner || owners[at] == Owner::Nobody) {
            at += 1;
            if is_in(at - 1) {
                end = at;
            }
        }
        at = end;
        (start < end).then_some(start..end)
    })
}

fn data(runs: &[(u32, &[u8])]) -> DataSection {
    let mut section = DataSection::new();
    for (address, bytes) in runs {
        section.active(0, &ConstExpr::i32_const(*address as i32), bytes.iter().copied());
    }
    section
}

/// Writes bodies with the indices that functions and globals have in a part.
struct Code {
    functions: HashMap<u32, u32>,
    globals: HashMap<u32, u32>,
    next: u32,
}

impl Code {
    fn new(next: u32) -> Self {
        Self {
            functions: HashMap::new(),
            globals: HashMap::new(),
            next,
        }
    }

    fn place(&mut self, functions: &[u32]) {
        for index in functions {
            self.functions.insert(*index, self.next);
            self.next += 1;
        }
    }
}

impl Reencode for Code {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, index: u32) -> std::result::Result<u32, wasm_encoder::reencode::Error<Self::Error>> {
        let found = self.functions.get(&index).copied();
        found.ok_or(wasm_encoder::reencode::Error::CanonicalizedHeapTypeReference)
    }

    fn global_index(&mut self, index: u32) -> std::result::Result<u32, wasm_encoder::reencode::Error<Self::Error>> {
        Ok(self.globals.get(&index).copied().unwrap_or(index))
    }
}

impl Linked<'_> {
    fn compact(&self, function: u32) -> Vec<u8> {
        let mut section = CodeSection::new();
        RoundtripReencoder.parse_function_body(&mut section, self.body(function).clone()).expect("body");
        let mut out = Vec::new();
        wasm_encoder::Encode::encode(&section, &mut out);
        out.split_off(10.min(out.len()))
    }

    /// What these functions refer to that is not among them.
    fn used_by(&self, functions: &[u32]) -> Result<Vec<Taken>> {
        let own: HashSet<u32> = functions.iter().copied().collect();
        let mut taken = BTreeSet::new();
        for index in functions {
            for operator in self.body(*index).get_operators_reader()? {
                match operator? {
                    Operator::Call { function_index: f }
                    | Operator::ReturnCall { function_index: f }
                    | Operator::RefFunc { function_index: f } => {
                        if !own.contains(&f) {
                            taken.insert(Taken::Function(f));
                        }
                    }
                    Operator::GlobalGet { global_index: g } | Operator::GlobalSet { global_index: g } => {
                        taken.insert(Taken::Global(g));
                    }
                    _ => {}
                }
            }
        }
        Ok(taken.into_iter().collect())
    }
}
