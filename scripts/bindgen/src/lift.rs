//! What of the rest is cheaper in the first part: functions like others there, such as instances of the
//! same generic code. gzip takes next to nothing for what it saw a moment ago, but packs each part alone.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::graph::{Graph, Node};

/// Bytes, gzipped, of being shared between the parts.
const SHARED: f64 = 4.0;
/// Bytes, gzipped, of a byte that was not seen before, and of a run that was.
const NEW: f64 = 0.8;
const SEEN: f64 = 2.6;
/// The bytes of the shortest run.
const RUN: usize = 5;
/// Of the places of a run, this many are looked at.
const PLACES: usize = 48;
/// What a function needs comes along with it, if it is no more than this.
const ALONG: usize = 40;
const ROUNDS: usize = 4;

/// What is moved, with everything that it refers to, so that the first part still needs nothing of the
/// rest.
pub fn lifted(
    graph: &Graph,
    in_first: &HashSet<Node>,
    rest: &[u32],
    stays: impl Fn(u32) -> bool,
    bodies: &HashMap<u32, Vec<u8>>,
) -> HashSet<Node> {
    let mut lifted: HashSet<Node> = HashSet::new();
    for _ in 0..ROUNDS {
        let (mut first, mut second) = (Seen::default(), Seen::default());
        let mut functions: Vec<(&u32, &Vec<u8>)> = bodies.iter().collect();
        functions.sort_unstable();
        for (function, body) in functions {
            let node = Node::Function(*function);
            if in_first.contains(&node) || lifted.contains(&node) {
                first.add(*function, body);
            } else {
                second.add(*function, body);
            }
        }
        let gain = |function: u32| {
            let body = &bodies[&function];
            second.cost(function, body) - first.cost(function, body)
        };
        let before = lifted.len();
        for function in rest {
            let node = Node::Function(*function);
            if lifted.contains(&node) {
                continue;
            }
            let has = |node: Node| in_first.contains(&node) || lifted.contains(&node);
            if let Some(needed) = needed(graph, node, has, &stays) {
                let gains = needed.iter().map(|node| match node {
                    Node::Function(function) => gain(*function),
                    Node::Piece(_) => 0.0,
                });
                if gains.sum::<f64>() > SHARED {
                    lifted.extend(needed);
                }
            }
        }
        if lifted.len() == before {
            break;
        }
    }
    lifted
}

/// What would have to be moved with a node; none if it is too much, or something of it has to stay.
fn needed(
    graph: &Graph,
    node: Node,
    has: impl Fn(Node) -> bool,
    stays: impl Fn(u32) -> bool,
) -> Option<Vec<Node>> {
    let mut needed = vec![node];
    let mut next = 0;
    while let Some(node) = needed.get(next).copied() {
        next += 1;
        if next > ALONG || matches!(node, Node::Function(function) if stays(function)) {
            return None;
        }
        for other in graph.of(node) {
            if !has(other) && !needed.contains(&other) {
                needed.push(other);
            }
        }
    }
    Some(needed)
}

/// The code of a part, and where in it each run of bytes is.
#[derive(Default)]
struct Seen {
    text: Vec<u8>,
    own: HashMap<u32, Range<usize>>,
    places: HashMap<[u8; RUN], Vec<usize>>,
}

impl Seen {
    fn add(&mut self, function: u32, body: &[u8]) {
        let start = self.text.len();
        self.text.extend_from_slice(body);
        self.own.insert(function, start..self.text.len());
        for at in 0..body.len() {
            if let Some(run) = run(body, at) {
                let places = self.places.entry(run).or_default();
                if places.len() < PLACES {
                    places.push(start + at);
                }
            }
        }
    }

    /// About how many bytes a function takes, gzipped, beside the others of this part.
    fn cost(&self, function: u32, body: &[u8]) -> f64 {
        let own = self.own.get(&function).cloned().unwrap_or_default();
        let mut cost = 0.0;
        let mut at = 0;
        while at < body.len() {
            let places = run(body, at).and_then(|run| self.places.get(&run));
            let others = places.into_iter().flatten().filter(|at| !own.contains(at));
            let lengths = others.map(|place| {
                let pairs = self.text[*place..].iter().zip(&body[at..]);
                pairs.take_while(|(there, here)| there == here).count()
            });
            match lengths.max() {
                Some(length) => {
                    cost += SEEN;
                    at += length;
                }
                None => {
                    cost += NEW;
                    at += 1;
                }
            }
        }
        cost
    }
}

fn run(body: &[u8], at: usize) -> Option<[u8; RUN]> {
    body.get(at..at + RUN)?.try_into().ok()
}
