//! What happened to the speaker, what they have been doing, and what they used to do.

use super::parts::*;
use super::text::is_unchanged;
use crate::memory::Category;

/// Past forms that tell of no event, or of one in this conversation or at a computer.
const NO_EVENTS: &str = "was|were|will|would|can|could|should|must|may|might|shall|did|thought|\
    said|told|meant|knew|understood|heard|asked|wanted|needed|guessed|assumed|expected|forgot|\
    noticed|realized|realised|mentioned|tested|clicked|typed|pasted|copied|updated|changed|fixed|\
    added|removed|deleted|installed|restarted|downloaded|uploaded|searched|checked|replaced|\
    imported|set|put|used|sent|wondered|hoped|figured|supposed|looked|seemed|agreed|called|read";

/// Of these one tells without saying when.
const TELLING: &str = "adopted|attended|baked|beat|built|camped|caught|celebrated|competed|cooked|\
    donated|drove|earned|explored|fell|finished|flew|gave|grew|had|helped|hiked|hosted|injured|\
    joined|knitted|learned|learnt|left|lost|made|married|met|moved|organized|organised|overcame|\
    painted|performed|planted|played|raised|ran|received|recovered|rescued|sang|saw|sold|spent|\
    started|swam|taught|took|travelled|traveled|tried|visited|volunteered|watched|went|won|wrote|\
    got|found";

/// Past times that an event is told with; a day of the week may lie ahead, but not with a past verb.
const PAST: &str = "yesterday|ago|last|weekend|monday|tuesday|wednesday|thursday|friday|saturday|\
    sunday|week|month|year|summer|winter|spring|autumn|morning|night|evening|afternoon|recently";

/// What makes an event one of this conversation or of a program.
const HERE: &str = "error|errors|warning|exception|bug|typo|file|files|code|script|function|link|\
    screenshot|message|result|results|output|page|button|line|command|test|tests|version|solution|\
    mistake|question|questions|problem|issue|doubt|idea|look|feeling|chance|point|answer|trouble|\
    confused|stuck|it|this|that|these|those|you|your|following|something|anything|nothing|there|\
    everything|sense|sorry|wrong|ahead|lucky|mixed";

/// What one is doing in a conversation, not in life.
const NO_ACTIVITY: &str = "thinking|wondering|looking|getting|waiting|trying|using|having|asking|\
    seeing|hoping|wanting|meaning|telling|talking|hearing|debugging|running|testing|told|able|\
    reading|feeling|going|doing";

fn is_one_of(word: &str, list: &str) -> bool {
    list.split('|').any(|own| own == word)
}

/// Whether the first words after the verb point into this conversation.
fn is_here(rest: &[&str]) -> bool {
    let mut near = rest.iter().take(4);
    is_passing(rest) || near.any(|word| is_one_of(word, HERE))
}

/// "I went hiking with my kids last week", "we have been renovating": `rest` is what follows "I" or
/// "we", without adverbs.
pub(super) fn happened(rest: &[&str]) -> Option<Match> {
    let category = match rest {
        ["used", "to", verb, _, ..] => (!is_one_of(verb, "be|it")).then_some(Category::Profile),
        ["have", "been", "to", tail @ ..] => (!is_here(tail)).then_some(Category::Event),
        ["have", "been", verb, tail @ ..] => {
            let does = verb.ends_with("ing") && !is_one_of(verb, NO_ACTIVITY);
            (does && !tail.is_empty() && !is_here(tail)).then_some(Category::Event)
        }
        ["have", verb, tail @ ..] if is_unchanged(verb) => event(verb, tail),
        [verb, tail @ ..] if is_unchanged(verb) => event(verb, tail),
        _ => None,
    };
    category.and_then(|category| said(category, 5))
}

fn event(verb: &str, tail: &[&str]) -> Option<Category> {
    if tail.len() < 2 || is_one_of(verb, NO_EVENTS) || is_here(tail) {
        return None;
    }
    let is_past = tail.iter().any(|word| is_one_of(word, PAST));
    // "I had to", "I got to", "I tried restarting": what was done is not said there, or is no event.
    let is_vague = matches!(verb, "had" | "got" | "tried" | "made" | "found" | "started")
        && (matches!(tail.first(), Some(&"to"))
            || tail.first().is_some_and(|w| w.ends_with("ing")));
    let tells = is_one_of(verb, TELLING) && !is_vague;
    (is_past || tells).then_some(Category::Event)
}
