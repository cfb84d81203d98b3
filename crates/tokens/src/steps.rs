//! Counts what the work of counting consists of, so that tests can hold it against the length of a text.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<u64> = const { Cell::new(0) };
}

/// One look-up of a token, or one pair that is queued.
pub(super) fn step() {
    STEPS.set(STEPS.get() + 1);
}

fn steps_of(work: impl FnOnce()) -> u64 {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing)]
mod tests {
    use super::steps_of;
    use crate::{Encoding, Vocabulary};

    /// Letters and digits in no order.
    fn base64(length: usize) -> String {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut state = 1u64;
        let next = |_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(alphabet[(state >> 58) as usize])
        };
        (0..length).map(next).collect()
    }

    #[test]
    fn work_grows_with_the_length_of_the_worst_texts() {
        let all =
            Encoding::ALL.map(|encoding| Vocabulary::read(encoding, encoding.file()).unwrap());
        for vocabulary in &all {
            let steps =
                |text: &str| steps_of(|| assert!(vocabulary.count_to(text, usize::MAX).is_some()));
            let units = [
                "a", " ", "7", "=", "\n", "中", "你好", "😀", "👍🏽", "é", "\u{301}", "aB", "ab ",
            ];
            for unit in units {
                let (short, long) = (unit.repeat(20_000), unit.repeat(200_000));
                let (few, many) = (steps(&short), steps(&long));
                assert!(many <= 12 * few.max(1), "{unit:?}: {few} and {many}");
                assert!(many <= 8 * long.len() as u64, "{unit:?}: {many}");
            }
            for length in [100_000, 1_000_000] {
                let steps = steps(&base64(length));
                assert!(steps <= 8 * length as u64, "base64: {length}, {steps}");
            }
        }
    }
}
