//! Byte pair encoding of long pieces that repeat themselves, as runs of equal parts: a run is merged in
//! pairs all at once, so that its length hardly matters.

use crate::groups::{NONE, Rank};
use crate::merge::Piece;
use crate::words;

/// With more runs, a queue of pairs is faster.
const MAX_RUNS: usize = 48;
/// How many parts there have to be to a run.
const SHARE: usize = 8;

/// Equal parts, one after the other.
#[derive(Clone, Copy)]
struct Run {
    start: usize,
    /// Bytes of a part.
    length: usize,
    count: usize,
}

impl Run {
    fn end(self) -> usize {
        self.start + self.length * self.count
    }
}

/// How many tokens the piece has, if it is of few runs and their merges do not depend on one another.
#[inline(never)]
pub(super) fn count(piece: &Piece<'_>) -> Option<usize> {
    let mut runs = runs(piece)?;
    loop {
        let Some((rank, at, is_inner)) = lowest(piece, &runs) else {
            return Some(runs.iter().map(|run| run.count).sum());
        };
        match is_inner {
            true => halve(piece, &mut runs, at, rank)?,
            false => join(&mut runs, at)?,
        }
        if runs.len() > MAX_RUNS {
            return None;
        }
    }
}

fn runs(piece: &Piece<'_>) -> Option<Vec<Run>> {
    let bytes = piece.bytes;
    let mut runs: Vec<Run> = Vec::new();
    let (mut at, mut parts) = (0, 0);
    while at < bytes.len() {
        let length = piece.first_part(at);
        let end = match length {
            1 => words::same(bytes, at).max(at + 1),
            _ => at + length,
        };
        let count = (end - at) / length;
        let part = bytes.get(at..at + length)?;
        parts += count;
        match runs.last_mut() {
            Some(run) if bytes.get(run.start..run.start + run.length) == Some(part) => {
                run.count += count;
            }
            _ => {
                // Most pieces are told from repeats by their first bytes.
                if runs.len() * SHARE > parts + SHARE * 4 || runs.len() == MAX_RUNS {
                    return None;
                }
                runs.push(Run {
                    start: at,
                    length,
                    count,
                });
            }
        }
        at = end;
    }
    (runs.len() * SHARE <= parts).then_some(runs)
}

/// The lowest rank of two neighbours, the leftmost of equal ones: the run where they begin, and whether
/// both are in it.
fn lowest(piece: &Piece<'_>, runs: &[Run]) -> Option<(Rank, usize, bool)> {
    let mut lowest = None;
    let mut least = NONE;
    for (at, run) in runs.iter().enumerate() {
        let inner = match run.count > 1 {
            true => piece.rank(run.start, run.start + 2 * run.length),
            false => NONE,
        };
        let outer = match runs.get(at + 1) {
            Some(next) => piece.rank(run.end() - run.length, run.end() + next.length),
            None => NONE,
        };
        for (rank, is_inner) in [(inner, true), (outer, false)] {
            if rank < least {
                least = rank;
                lowest = Some((rank, at, is_inner));
            }
        }
    }
    lowest
}

/// Merges all pairs of a run, which have this rank; nothing if a pair that comes about on the way would
/// have to be merged before them.
fn halve(piece: &Piece<'_>, runs: &mut Vec<Run>, at: usize, rank: Rank) -> Option<()> {
    let run = *runs.get(at)?;
    let double = 2 * run.length;
    let (start, end) = (run.start, run.end());
    let odd = run.count % 2;
    // The double after what is before the run, with one or two more parts, and before what follows.
    let before = at.checked_sub(1).and_then(|before| runs.get(before));
    let before = before.map(|before| (start - before.length, start + double));
    let one = (run.count > 2).then_some((start, start + double + run.length));
    let two = (run.count > 3).then_some((start, start + 2 * double));
    let next = runs.get(at + 1).filter(|_| odd == 0);
    let next = next.map(|next| (end - double, end + next.length));
    let mut made = [before, one, two, next].into_iter().flatten();
    if made.any(|(start, end)| piece.rank(start, end) <= rank) {
        return None;
    }
    let merged = Run {
        start,
        length: double,
        count: run.count / 2,
    };
    let left = Run {
        start: merged.end(),
        length: run.length,
        count: odd,
    };
    runs.splice(
        at..=at,
        [merged, left].into_iter().filter(|run| run.count > 0),
    );
    Some(())
}

/// Merges the last part of a run with the first of the next one.
fn join(runs: &mut Vec<Run>, at: usize) -> Option<()> {
    let (run, next) = (*runs.get(at)?, *runs.get(at + 1)?);
    let before = Run {
        count: run.count - 1,
        ..run
    };
    let joined = Run {
        start: before.end(),
        length: run.length + next.length,
        count: 1,
    };
    let after = Run {
        start: joined.start + joined.length,
        count: next.count - 1,
        ..next
    };
    let parts = [before, joined, after].into_iter();
    runs.splice(at..at + 2, parts.filter(|run| run.count > 0));
    Some(())
}
