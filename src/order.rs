//! Sorting in little code: the standard sort is generic, and every type sorted with it
//! brings some 6 KB of instructions of its own.

use std::cmp::Ordering;

/// Sorts stably.
pub fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    arrange(&mut order, &|a, b| match (items.get(a), items.get(b)) {
        (Some(a), Some(b)) => compare(a, b),
        _ => Ordering::Equal,
    });
    put(&mut order, &mut |a, b| items.swap(a, b));
}

/// `order` says which item goes where; each of its cycles is walked once.
#[inline(never)]
fn put(order: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while let Some(place) = order.get_mut(at) {
            let from = std::mem::replace(place, at);
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

/// Sorts stably by a key.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts what numbers stand for, each another: faster than [`sort_by`].
pub fn sort_as<T: Copy>(items: &mut [T], number: impl Fn(T) -> u64, of: impl Fn(u64) -> T) {
    let mut numbers: Vec<u64> = items.iter().map(|item| number(*item)).collect();
    sort_numbers(&mut numbers);
    for (item, number) in items.iter_mut().zip(numbers) {
        *item = of(number);
    }
}

/// Sorts numbers, the greatest first.
pub fn sort_descending(numbers: &mut [f64]) {
    // The bits of numbers below zero are in the opposite order.
    let flip = |bits: u64| {
        if bits >> 63 == 0 {
            bits ^ (u64::MAX >> 1)
        } else {
            bits
        }
    };
    sort_as(
        numbers,
        |x| flip(x.to_bits()),
        |bits| f64::from_bits(flip(bits)),
    );
}

/// The places of the `count` lowest of `all` items, in their order; linear in all of them.
pub fn lowest(all: usize, count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..all).collect();
    if count == 0 {
        return Vec::new();
    }
    if count < order.len() {
        order.select_nth_unstable_by(count, |a, b| compare(*a, *b));
        order.truncate(count);
    }
    arrange(&mut order, compare);
    order
}

#[inline(never)]
fn sort_numbers(numbers: &mut [u64]) {
    numbers.sort_unstable();
}

#[inline(never)]
fn arrange(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|a, b| compare(*a, *b));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(mut items: Vec<(u8, u16)>) {
            let mut expected = items.clone();
            expected.sort_by_key(|item| item.0);
            sort_by_key(&mut items, |item| item.0);
            prop_assert_eq!(items, expected);
        }

        #[test]
        fn sorts_by_numbers_as_the_standard_library_does(items: Vec<char>, floats: Vec<f64>) {
            let (mut expected, mut sorted) = (items.clone(), items);
            expected.sort_unstable();
            sort_as(&mut sorted, u64::from, |code| char::from_u32(code as u32).unwrap());
            prop_assert_eq!(sorted, expected);
            let (mut expected, mut sorted) = (floats.clone(), floats);
            expected.sort_unstable_by(|a, b| b.total_cmp(a));
            sort_descending(&mut sorted);
            let bits = |floats: &[f64]| floats.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&sorted), bits(&expected));
        }

        #[test]
        fn the_lowest_are_those_that_sorting_puts_first(items: Vec<u8>, count in 0usize..20) {
            let rank = |place: usize| (items[place], place);
            let mut expected: Vec<usize> = (0..items.len()).collect();
            expected.sort_by_key(|place| rank(*place));
            expected.truncate(count);
            let found = lowest(items.len(), count, &|a, b| rank(a).cmp(&rank(b)));
            prop_assert_eq!(found, expected);
        }
    }
}
