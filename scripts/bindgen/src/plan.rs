//! What goes where: to the first part what the exports reach, to the rest what they reach only through
//! the cut.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use anyhow::{Context, Result, ensure};
use wasmparser::{ExternalKind, Operator};

use crate::graph::{Graph, Node};
use crate::lift::lifted;
use crate::linked::Linked;

/// What is called by functions of this name is in the rest.
const CUT: &str = "siltstone4rest6beyond";
/// The function that says whether the rest is there.
const LOOK: &str = "siltstone4rest8is_there";

/// How a linked module is divided.
pub struct Plan<'a> {
    pub linked: &'a Linked<'a>,
    /// The functions of the first part, in their order.
    pub first: Vec<u32>,
    /// Those of the rest.
    pub rest: Vec<u32>,
    /// The functions that the first part calls through the table, and their places there.
    pub cuts: BTreeMap<u32, u32>,
    /// The function that says whether the rest is there.
    pub look: u32,
    /// What the rest takes from the first part, by a number each: of functions, their places in the
    /// table.
    pub taken: BTreeMap<u32, Taken>,
    /// Addresses and bytes.
    pub first_data: Vec<(u32, &'a [u8])>,
    pub rest_data: Vec<(u32, &'a [u8])>,
    /// Functions that only the first part can call as they are, because wasm-bindgen changes calls to
    /// them: the imports, and what it makes imports of.
    pub bridged: HashSet<u32>,
}

/// What the rest can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Taken {
    Function(u32),
    Global(u32),
}

impl<'a> Plan<'a> {
    pub fn new(linked: &'a Linked<'a>, graph: &Graph) -> Result<Self> {
        let cut = graph.named(CUT);
        ensure!(!cut.is_empty(), "no function is named {CUT}");
        let look = graph.named(LOOK);
        ensure!(look.len() == 1, "not one function is named {LOOK}");
        let look = look.first().copied().context("no look")?;
        let imported = 0..linked.imported.len() as u32;
        let bridged: HashSet<u32> = imported.chain(described(linked, graph)).collect();

        let mut roots = graph.loose.clone();
        roots.extend(bridged.iter().copied().chain([look]).map(Node::Function));
        let exported = linked.exports.iter();
        let exported = exported.filter(|export| export.kind == ExternalKind::Func);
        roots.extend(exported.map(|export| Node::Function(export.index)));
        let is_cut = |node| matches!(node, Node::Function(index) if cut.contains(&index));
        let mut in_first = graph.reached(roots, is_cut);
        let behind = cut
            .iter()
            .flat_map(|index| graph.of(Node::Function(*index)));
        let behind = graph.reached(behind.collect(), |_| false);

        let defined = || linked.imported.len() as u32..linked.functions();
        let rest = |in_first: &HashSet<Node>| -> Vec<u32> {
            let only = |index: u32| {
                let node = Node::Function(index);
                behind.contains(&node) && !in_first.contains(&node)
            };
            defined()
                .filter(|index| cut.contains(index) || only(*index))
                .collect()
        };
        let bodies: Result<HashMap<u32, Vec<u8>>> = defined()
            .map(|index| Ok((index, linked.compact(index)?)))
            .collect();
        let stays = |index| cut.contains(&index);
        let lifted = lifted(graph, &in_first, &rest(&in_first), stays, &bodies?);
        in_first.extend(lifted);

        let rest = rest(&in_first);
        let taken = (linked.table_size + cut.len() as u32..).zip(used_by(linked, &rest)?);
        let mut plan = Self {
            linked,
            first: defined()
                .filter(|index| cut.contains(index) || in_first.contains(&Node::Function(*index)))
                .collect(),
            rest,
            look,
            taken: taken.collect(),
            cuts: cut.into_iter().zip(linked.table_size..).collect(),
            first_data: Vec::new(),
            rest_data: Vec::new(),
            bridged,
        };
        plan.divide_data(graph, |node| {
            behind.contains(&node) && !in_first.contains(&node)
        });
        Ok(plan)
    }

    /// Only what the rest alone refers to goes there: the other bytes may have been written to by the
    /// time that it is loaded.
    fn divide_data(&mut self, graph: &Graph, is_rest: impl Fn(Node) -> bool) {
        for (at, segment) in self.linked.data.iter().enumerate() {
            let pieces = graph.pieces.iter().enumerate();
            let pieces = pieces.filter(|(_, piece)| piece.segment == at);
            let (rest, first): (Vec<_>, Vec<_>) =
                pieces.partition(|(index, _)| is_rest(Node::Piece(*index)));
            // Of padding nobody knows; of what else is in no piece, it is not known who needs it.
            let padding = |byte: &u8| match byte {
                0 => Owner::Nobody,
                _ => Owner::First,
            };
            let mut owners: Vec<Owner> = segment.bytes.iter().map(padding).collect();
            for (pieces, owner) in [(rest, Owner::Rest), (first, Owner::First)] {
                for (_, piece) in pieces {
                    owners[piece.bytes.clone()].fill(owner);
                }
            }
            let place = |run: Range<usize>| {
                let address = segment.address + run.start as u32;
                (address, &segment.bytes[run])
            };
            let first = runs(&owners, segment.bytes, Owner::First).map(place);
            self.first_data.extend(first);
            let rest = runs(&owners, segment.bytes, Owner::Rest).map(place);
            self.rest_data.extend(rest);
        }
    }
}

/// The functions that tell wasm-bindgen what they would convert.
fn described<'a>(linked: &'a Linked<'a>, graph: &'a Graph) -> impl Iterator<Item = u32> + 'a {
    let tells = |node| {
        let Node::Function(index) = node else {
            return false;
        };
        let import = linked.imported.get(index as usize);
        import.is_some_and(|import| import.name.starts_with("__wbindgen_describe"))
    };
    let defined = linked.imported.len() as u32..linked.functions();
    defined.filter(move |index| graph.of(Node::Function(*index)).any(tells))
}

/// What these functions refer to that is not among them.
fn used_by(linked: &Linked<'_>, functions: &[u32]) -> Result<BTreeSet<Taken>> {
    let own: HashSet<u32> = functions.iter().copied().collect();
    let mut used = BTreeSet::new();
    for function in functions {
        for operator in linked.body(*function).get_operators_reader()? {
            match operator? {
                Operator::Call { function_index }
                | Operator::ReturnCall { function_index }
                | Operator::RefFunc { function_index }
                    if !own.contains(&function_index) =>
                {
                    used.insert(Taken::Function(function_index));
                }
                Operator::GlobalGet { global_index } | Operator::GlobalSet { global_index } => {
                    used.insert(Taken::Global(global_index));
                }
                _ => {}
            }
        }
    }
    Ok(used)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    First,
    Rest,
}

/// So many bytes cost less than the beginning of another segment.
const GAP: usize = 12;

/// Runs of the bytes of an owner, which go on over a few zeros and what is nobody's.
fn runs<'a>(
    owners: &'a [Owner],
    bytes: &'a [u8],
    owner: Owner,
) -> impl Iterator<Item = Range<usize>> + 'a {
    let is_own = move |at: usize| owners[at] == owner && bytes[at] != 0;
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = (at..owners.len()).find(|at| is_own(*at))?;
        let mut end = start + 1;
        let may_hold = |at: &usize| owners[*at] == owner || owners[*at] == Owner::Nobody;
        for next in (end..owners.len()).take_while(may_hold) {
            if is_own(next) {
                end = next + 1;
            } else if next - end >= GAP {
                break;
            }
        }
        at = end;
        Some(start..end)
    })
}
