//! Which memories the last changes were of, so that what was made from them before can follow.
//!
//! It is kept in the memory head, as texts one after the other: for each change the version of the
//! head that it replaced, how many memories it was of, and their ids. Versions are never used twice,
//! so a chain of them that reaches back to the version one knows is complete; a writer that does
//! not know of the log drops it, and breaks the chain.

use crate::gather::Push;
use crate::sorted::Names;

/// Ids that are kept.
const IDS: usize = 64;

/// One change.
struct Step<'a> {
    replaced: &'a str,
    ids: &'a [String],
}

/// Newest last; what is damaged ends the list.
fn steps(log: &[String]) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = log;
    while let [replaced, count, following @ ..] = rest {
        let Some((ids, after)) = count
            .parse()
            .ok()
            .and_then(|count| following.split_at_checked(count))
        else {
            break;
        };
        steps.push(Step { replaced, ids });
        rest = after;
    }
    steps
}

/// The log after a change of these memories that replaced this version.
pub fn extended(log: &[String], replaced: &str, ids: &Names) -> Vec<String> {
    // A change of nothing takes some room, too.
    let size = |ids: usize| ids.max(1);
    let mut room = IDS.checked_sub(size(ids.len()));
    let mut kept = Vec::new();
    for step in steps(log).into_iter().rev() {
        room = room.and_then(|room| room.checked_sub(size(step.ids.len())));
        if room.is_none() {
            break;
        }
        kept.push(step);
    }
    let mut log = Vec::new();
    for step in kept.iter().rev() {
        log.push(step.replaced.to_owned());
        log.push(step.ids.len().to_string());
        log.extend_from_slice(step.ids);
    }
    if ids.len() <= IDS {
        log.push(replaced.to_owned());
        log.push(ids.len().to_string());
        log.push_all(ids.iter().cloned());
    }
    log
}

/// The memories that have changed since the head had this version; none if that is not known.
pub fn since(log: &[String], version: &str) -> Option<Names> {
    let steps = steps(log);
    let at = steps.iter().position(|step| step.replaced == version)?;
    let after = steps.iter().skip(at).flat_map(|step| step.ids);
    let mut ids = Names::new();
    ids.extend(after.cloned());
    Some(ids)
}

/// Whether, of the changes since this version, the first one alone was of a memory.
pub fn is_of_first(log: &[String], version: &str, id: &str) -> bool {
    let mut after = steps(log)
        .into_iter()
        .skip_while(|step| step.replaced != version);
    let is_of = |step: Step<'_>| step.ids.iter().any(|own| own == id);
    after.next().is_some_and(is_of) && !after.any(is_of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ids(numbers: &[u8]) -> Names {
        numbers.iter().map(u8::to_string).collect()
    }

    proptest! {
        #[test]
        fn what_is_known_is_complete(
            changes in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 1..30),
        ) {
            let mut log = Vec::new();
            for (version, change) in changes.iter().enumerate() {
                log = extended(&log, &version.to_string(), &ids(change));
                prop_assert!(log.len() <= 3 * IDS);
                for from in 0..=version {
                    let all: Names = changes[from..=version].iter().flat_map(|change| ids(change)).collect();
                    let size: usize = changes[from..=version].iter().map(|change| ids(change).len().max(1)).sum();
                    let known = since(&log, &from.to_string());
                    if known.is_some() {
                        for id in 0..=u8::MAX {
                            let of_first = changes[from].contains(&id) && !changes[from + 1..=version].iter().any(|change| change.contains(&id));
                            prop_assert_eq!(is_of_first(&log, &from.to_string(), &id.to_string()), of_first);
                        }
                    }
                    prop_assert_eq!(known, (size <= IDS).then_some(all));
                }
            }
        }

        #[test]
        fn any_log_is_read(log in prop::collection::vec("[0-9]{0,3}", 0..9), version in "[0-9]{0,3}") {
            since(&log, &version);
            prop_assert!(since(&extended(&log, &version, &ids(&[7])), &version).is_some_and(|ids| ids.contains("7")));
        }
    }
}
