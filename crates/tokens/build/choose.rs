//! Which of the ways to tell a token takes the fewest bits after gzip.

use crate::format::{BYTE, VARIANT};

/// A token told as a variant of the one at `left` or, by its two halves, as `src/format.rs` says.
#[derive(Clone, Copy)]
pub struct Way {
    pub kind: u8,
    pub left: u16,
    pub right: u16,
}

/// What is seldom is told in more bits, and what many tokens are told by becomes less seldom: after some
/// rounds hardly a token changes.
const ROUNDS: usize = 6;
/// What gzip makes a code for at once is about as much.
const BLOCK: usize = 16_384;

/// The best way of each token; nothing where there is none.
pub fn choose(ways: &[Vec<Way>]) -> Option<Vec<Way>> {
    let first = ways.iter().map(|ways| ways.first().copied());
    let mut chosen: Vec<Way> = first.collect::<Option<_>>()?;
    for _ in 0..ROUNDS {
        let bits = Bits::of(&chosen);
        for (at, (way, ways)) in chosen.iter_mut().zip(ways).enumerate() {
            let costs = ways.iter().map(|way| bits.way(at / BLOCK, *way));
            let (_, best) = costs.zip(ways).min_by_key(|(cost, _)| *cost)?;
            *way = *best;
        }
    }
    Some(chosen)
}

/// The symbol of a number, and how many low bits it leaves open, as `format::number` tells.
pub fn symbol(number: u16) -> (u8, u32) {
    let open = 11 - number.leading_zeros().min(11);
    ((open << 4) as u8 + (number >> open) as u8, open)
}

/// The planes that a way has a symbol in.
const PLANES: usize = 5;

fn symbols(way: Way) -> [Option<u8>; PLANES] {
    let (left, right) = (symbol(way.left).0, symbol(way.right).0);
    let kind = Some(way.kind);
    match way.kind {
        VARIANT => [kind, Some(left), None, None, None],
        BYTE => [kind, None, Some(left), Some(way.right as u8), None],
        _ => [kind, None, Some(left), None, Some(right)],
    }
}

fn packed(way: Way) -> u32 {
    let right = match way.kind {
        VARIANT | BYTE => 0,
        _ => symbol(way.right).1,
    };
    symbol(way.left).1 + right
}

/// How often each symbol is in each plane, or how many bits it takes. In [`ONE`]s, and not in floating point,
/// whose logarithm differs from platform to platform.
type Counts = [[u64; 256]; PLANES];

/// Binary digits of a fraction.
const FRACTION: u32 = 16;
const ONE: u64 = 1 << FRACTION;

fn count(ways: &[Way]) -> Counts {
    let mut counts = [[0; 256]; PLANES];
    for way in ways {
        for (symbol, counts) in symbols(*way).into_iter().zip(&mut counts) {
            let count = symbol.and_then(|symbol| counts.get_mut(usize::from(symbol)));
            if let Some(count) = count {
                *count += ONE;
            }
        }
    }
    counts
}

/// How many bits each symbol takes, by block and plane.
struct Bits(Vec<Counts>);

impl Bits {
    fn of(ways: &[Way]) -> Self {
        let all = count(ways);
        let blocks = ways.chunks(BLOCK).map(|block| {
            let mut bits = count(block);
            for (bits, all) in bits.iter_mut().zip(&all) {
                let total = all.iter().sum::<u64>().max(ONE);
                // What the block has not, the next one may have.
                for (count, all) in bits.iter_mut().zip(all) {
                    *count += ONE / 50 + 6 * ONE * all / total;
                }
                let total = log2(bits.iter().sum());
                for count in bits.iter_mut() {
                    *count = total - log2(*count);
                }
            }
            bits
        });
        Self(blocks.collect())
    }

    fn way(&self, block: usize, way: Way) -> u64 {
        let planes = symbols(way)
            .into_iter()
            .zip(self.0.get(block).into_iter().flatten());
        let bits = planes.filter_map(|(symbol, bits)| bits.get(usize::from(symbol?)));
        bits.sum::<u64>() + u64::from(packed(way)) * ONE
    }
}

/// The binary logarithm of what is not 0, in [`ONE`]s.
fn log2(number: u64) -> u64 {
    let whole = number.ilog2();
    // From 1 to below 2, with 31 digits of a fraction: squaring doubles the logarithm.
    let mut rest = (number << (63 - whole)) >> 32;
    let mut logarithm = u64::from(whole);
    for _ in 0..FRACTION {
        rest = (rest * rest) >> 31;
        let digit = rest >> 32;
        rest >>= digit;
        logarithm = (logarithm << 1) | digit;
    }
    logarithm
}
