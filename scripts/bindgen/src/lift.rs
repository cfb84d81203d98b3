//! What of the rest costs less in the first part: functions like others there, such as instances of
//! the same generic code. gzip packs next to nothing of what it has just seen, but the parts apart.

use std::collections::{HashMap, HashSet};

use crate::graph::{Graph, Node};

/// Bytes, gzipped, that a function costs for being exported and imported.
const CROSSING: f64 = 7.0;
/// Bytes, gzipped, of a byte that was not seen before, and of a run that was.
const NEW: f64 = 0.8;
const SEEN: f64 = 2.6;
const RUN: usize = 5;

/// The functions of the rest that refer to nothing else of it, and are cheaper elsewhere.
pub fn lifted(
    graph: &Graph,
    first: &[u32],
    rest: &[u32],
    fixed: &HashSet<u32>,
    is_first: impl Fn(Node) -> bool,
    bytes: impl Fn(u32) -> Vec<u8>,
) -> Vec<Node> {
    let bodies: HashMap<u32, Vec<u8>> = first.iter().chain(rest).map(|f| (*f, bytes(*f))).collect();
    let mut lifted: HashSet<u32> = HashSet::new();
    let mut order = Vec::new();
    let mut lifted_nodes: HashSet<Node> = HashSet::new();
    for _ in 0..4 {
        let mut here = Seen::default();
        let mut there = Seen::default();
        for f in first {
            here.add(*f, &bodies[f]);
        }
        for f in rest {
            if lifted.contains(f) {
                here.add(*f, &bodies[f]);
            } else {
                there.add(*f, &bodies[f]);
            }
        }
        let before = lifted.len();
        for f in rest {
            if lifted.contains(f) || fixed.contains(f) {
                continue;
            }
            // All that it refers to comes along.
            let mut along: Vec<Node> = vec![Node::Function(*f)];
            let mut met: HashSet<Node> = along.iter().copied().collect();
            let mut gain = -CROSSING;
            let mut is_free = true;
            let mut next = 0;
            while next < along.len() && is_free {
                let node = along[next];
                next += 1;
                if let Node::Function(g) = node {
                    is_free = !fixed.contains(&g) && along.len() < 40;
                    gain += there.cost(g, &bodies[&g]) - here.cost(g, &bodies[&g]);
                }
                for other in graph.of(node) {
                    if !is_first(other) && !lifted_nodes.contains(&other) && met.insert(other) {
                        along.push(other);
                    }
                }
            }
            if is_free && gain > 0.0 {
                for node in along {
                    lifted_nodes.insert(node);
                    order.push(node);
                    if let Node::Function(g) = node {
                        lifted.insert(g);
                    }
                }
            }
        }
        eprintln!("lifted {} {}", lifted.len(), lifted.iter().map(|f| bodies[f].len()).sum::<usize>());
        if lifted.len() == before {
            break;
        }
    }
    order
}

#[derive(Default)]
struct Seen {
    text: Vec<u8>,
    starts: Vec<(usize, u32)>,
    places: HashMap<[u8; RUN], Vec<u32>>,
}

impl Seen {
    fn add(&mut self, function: u32, body: &[u8]) {
        let start = self.text.len();
        self.starts.push((start, function));
        self.text.extend_from_slice(body);
        for (at, run) in body.windows(RUN).enumerate() {
            let places = self.places.entry(run.try_into().unwrap_or_default()).or_default();
            if places.len() < 48 {
                places.push((start + at) as u32);
            }
        }
    }

    fn cost(&self, function: u32, body: &[u8]) -> f64 {
        let own = self.starts.iter().position(|(_, f)| *f == function);
        let own = own.map(|at| {
            let end = self.starts.get(at + 1).map_or(self.text.len(), |(start, _)| *start);
            self.starts[at].0..end
        });
        let mut cost = 0.0;
        let mut at = 0;
        while at < body.len() {
            let run = body.get(at..at + RUN).and_then(|run| <[u8; RUN]>::try_from(run).ok());
            let places = run.and_then(|run| self.places.get(&run));
            let longest = places
                .into_iter()
                .flatten()
                .filter(|place| !own.as_ref().is_some_and(|own| own.contains(&(**place as usize))))
                .map(|place| {
                    let text = &self.text[*place as usize..];
                    text.iter().zip(&body[at..]).take_while(|(a, b)| a == b).count()
                })
                .max();
            match longest {
                Some(length) if length >= RUN => {
                    cost += SEEN;
                    at += length;
                }
                _ => {
                    cost += NEW;
                    at += 1;
                }
            }
        }
        cost
    }
}
