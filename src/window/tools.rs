//! A tool call and its results stay together or leave together (W4).

use super::{Item, Losses, Reason};
use crate::gather::Gather;
use crate::message::{Message, Role, part_type};

/// Groups that may not be torn apart: a call with all its results, or one other message.
#[inline(never)]
pub(super) fn groups(items: Vec<Item>, losses: &mut Losses) -> Vec<Vec<Item>> {
    let mut groups = Vec::new();
    let mut items = items.into_iter().peekable();
    while let Some(item) = items.next() {
        let Some(mut open) = open_calls(&item.message) else {
            let reason = if calls(&item.message) == 0 {
                Reason::OrphanResult
            } else {
                Reason::IncompleteCall
            };
            losses.add(item, reason);
            continue;
        };
        let mut group = vec![item];
        while let Some(result) = items.next_if(|next| answers(&next.message, &open)) {
            for id in result.message.answered_ids() {
                open.retain(|call| call != id);
            }
            group.push(result);
        }
        if open.is_empty() {
            groups.push(group);
            continue;
        }
        for (place, item) in group.into_iter().enumerate() {
            losses.add(
                item,
                if place == 0 {
                    Reason::IncompleteCall
                } else {
                    Reason::OrphanResult
                },
            );
        }
    }
    groups
}

/// The calls that later messages have to answer; `None` if the message cannot stand by itself.
fn open_calls(message: &Message) -> Option<Vec<String>> {
    let ids = message.call_ids();
    let answered = message.answered_ids();
    let stands = match message.role {
        Role::Assistant => {
            ids.len() == calls(message) && answered.iter().all(|id| ids.contains(id))
        }
        _ => message.role != Role::Tool && calls(message) == 0 && answered.is_empty(),
    };
    let open = ids
        .iter()
        .filter(|id| !answered.contains(id))
        .map(|id| (*id).to_owned());
    stands.then(|| open.gather())
}

fn calls(message: &Message) -> usize {
    let parts = message
        .parts()
        .iter()
        .filter(|part| part_type(part) == "tool-call");
    message.tool_calls.len() + parts.count()
}

/// Whether the message is nothing but answers to calls that are still open.
fn answers(message: &Message, open: &[String]) -> bool {
    let ids = message.answered_ids();
    message.role != Role::Assistant
        && calls(message) == 0
        && !ids.is_empty()
        && ids.iter().all(|id| open.iter().any(|call| call == id))
}
