//! What refers to what in a linked module, read from its relocations: functions call functions and
//! take their addresses, and those of data; data hold addresses of both.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use anyhow::{Result, bail, ensure};
use wasmparser::{
    KnownCustom, Linking, Name, Parser, Payload, RelocSectionReader, RelocationType, SymbolInfo,
    TypeRef,
};

/// What can be referred to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A function, by its index.
    Function(u32),
    /// A piece of the data, by its place in [`Graph::pieces`].
    Piece(usize),
}

/// A run of bytes of a data segment that is referred to as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    pub segment: usize,
    /// Within the segment.
    pub bytes: Range<usize>,
}

/// The functions and the data of a module, and what each refers to.
#[derive(Debug, Default)]
pub struct Graph {
    imported: u32,
    names: HashMap<u32, String>,
    pub pieces: Vec<Piece>,
    edges: HashMap<Node, Vec<Node>>,
    /// What bytes refer to that are in no piece.
    pub loose: Vec<Node>,
}

#[derive(Clone, Copy)]
enum Symbol {
    Function(u32),
    Data(usize),
    Other,
}

impl Graph {
    pub fn read(wasm: &[u8]) -> Result<Self> {
        let mut graph = Self::default();
        let mut bodies = Vec::new();
        let mut segments = Vec::new();
        let mut starts = Vec::new();
        let mut symbols = Vec::new();
        let mut relocations = Vec::new();
        for payload in Parser::new(0).parse_all(wasm) {
            let payload = payload?;
            if let Some((_, range)) = payload.as_section() {
                starts.push(range.start);
            }
            match payload {
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        graph.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => bodies.push(body.range()),
                Payload::DataSection(section) => {
                    for segment in section {
                        let segment = segment?;
                        segments.push(segment.range.end - segment.data.len()..segment.range.end);
                    }
                }
                Payload::CustomSection(section) => match section.as_known() {
                    KnownCustom::Linking(linking) => {
                        for part in linking.subsections() {
                            if let Linking::SymbolTable(table) = part? {
                                for symbol in table {
                                    symbols.push(graph.symbol(&symbol?));
                                }
                            }
                        }
                    }
                    KnownCustom::Name(names) => {
                        for part in names {
                            if let Name::Function(functions) = part? {
                                for name in functions {
                                    let name = name?;
                                    graph.names.insert(name.index, name.name.to_owned());
                                }
                            }
                        }
                    }
                    KnownCustom::Reloc(section) => relocations.push(section),
                    _ => {}
                },
                _ => {}
            }
        }
        ensure!(
            !relocations.is_empty(),
            "link the module with --emit-relocs"
        );
        let places = Places::new(graph.imported, bodies, segments, &graph.pieces);
        for section in relocations {
            let start = starts[section.section_index() as usize];
            graph.relocate(start, &section, &symbols, &places)?;
        }
        Ok(graph)
    }

    /// The functions with this in their names.
    pub fn named(&self, part: &str) -> BTreeSet<u32> {
        let names = self.names.iter();
        let found = names.filter(|(_, name)| name.contains(part));
        found.map(|(index, _)| *index).collect()
    }

    /// What these lead to, themselves included, unless it is only by what is cut.
    pub fn reached(&self, roots: Vec<Node>, is_cut: impl Fn(Node) -> bool) -> HashSet<Node> {
        let mut reached = HashSet::new();
        let mut left = roots;
        while let Some(node) = left.pop() {
            if !is_cut(node) && reached.insert(node) {
                left.extend(self.of(node));
            }
        }
        reached
    }

    /// What a node refers to.
    pub fn of(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        self.edges.get(&node).into_iter().flatten().copied()
    }

    fn symbol(&mut self, symbol: &SymbolInfo<'_>) -> Symbol {
        match symbol {
            SymbolInfo::Func { index, .. } => Symbol::Function(*index),
            SymbolInfo::Data {
                symbol: Some(data), ..
            } => {
                let start = data.offset as usize;
                self.pieces.push(Piece {
                    segment: data.index as usize,
                    bytes: start..start + data.size as usize,
                });
                Symbol::Data(self.pieces.len() - 1)
            }
            _ => Symbol::Other,
        }
    }

    fn relocate(
        &mut self,
        start: usize,
        section: &RelocSectionReader<'_>,
        symbols: &[Symbol],
        places: &Places,
    ) -> Result<()> {
        use RelocationType as R;
        for entry in section.entries() {
            let entry = entry?;
            let target = match entry.ty {
                R::FunctionIndexLeb
                | R::TableIndexSleb
                | R::TableIndexI32
                | R::MemoryAddrLeb
                | R::MemoryAddrSleb
                | R::MemoryAddrI32 => match symbols[entry.index as usize] {
                    Symbol::Function(index) => Node::Function(index),
                    Symbol::Data(piece) => Node::Piece(piece),
                    Symbol::Other => continue,
                },
                R::TypeIndexLeb | R::GlobalIndexLeb | R::TableNumberLeb => continue,
                R::FunctionOffsetI32 | R::SectionOffsetI32 => continue,
                other => bail!("a relocation of an unknown kind: {other:?}"),
            };
            let at = start + entry.offset as usize;
            match places.of(at) {
                holders if holders.is_empty() => self.loose.push(target),
                holders => {
                    for holder in holders {
                        self.edges.entry(holder).or_default().push(target);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Which nodes a byte of the file belongs to.
struct Places {
    functions: Vec<(Range<usize>, Node)>,
    pieces: Vec<(Range<usize>, Node)>,
    longest: usize,
}

impl Places {
    fn new(
        imported: u32,
        bodies: Vec<Range<usize>>,
        segments: Vec<Range<usize>>,
        pieces: &[Piece],
    ) -> Self {
        let functions = (imported..).zip(bodies);
        let functions = functions.map(|(index, body)| (body, Node::Function(index)));
        let mut pieces: Vec<_> = pieces
            .iter()
            .enumerate()
            .map(|(index, piece)| {
                let start = segments[piece.segment].start;
                let bytes = start + piece.bytes.start..start + piece.bytes.end;
                (bytes, Node::Piece(index))
            })
            .collect();
        pieces.sort_by_key(|(bytes, _)| bytes.start);
        let longest = pieces.iter().map(|(bytes, _)| bytes.len()).max();
        Self {
            functions: functions.collect(),
            pieces,
            longest: longest.unwrap_or_default(),
        }
    }

    fn of(&self, at: usize) -> Vec<Node> {
        let after = self.functions.partition_point(|(body, _)| body.end <= at);
        if let Some((body, node)) = self.functions.get(after)
            && body.contains(&at)
        {
            return vec![*node];
        }
        let end = self.pieces.partition_point(|(bytes, _)| bytes.start <= at);
        let near = self.pieces[..end].iter().rev();
        near.take_while(|(bytes, _)| bytes.start + self.longest >= at)
            .filter(|(bytes, _)| bytes.contains(&at))
            .map(|(_, node)| *node)
            .collect()
    }
}
