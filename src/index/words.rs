//! Which words carry no meaning for search, and which are forms of another word.

use crate::list;

/// English words that say too little to be looked for (folded, sorted).
pub(super) const STOP: &str = "\
a|about|above|after|again|all|also|am|an|and|any|are|aren|arent|as|at|be|because|been|before|\
being|below|between|both|but|by|can|cannot|cant|could|couldnt|did|didnt|do|does|doesnt|doing|dont|\
down|during|each|few|for|from|further|had|hadnt|has|hasnt|have|havent|having|he|her|here|hers|\
herself|hey|hi|him|himself|his|i|if|im|in|into|is|isnt|it|its|itself|ive|just|let|lets|me|more|\
most|my|myself|no|nor|not|of|off|oh|ok|okay|on|once|only|or|other|our|ours|ourselves|out|over|own|\
really|same|shall|she|should|shouldnt|so|some|such|than|that|thats|the|their|theirs|them|\
themselves|then|there|theres|these|they|this|those|through|to|too|under|until|up|us|very|was|\
wasnt|we|well|were|werent|will|with|wont|would|wouldnt|yeah|yes|you|your|yours|yourself|yourselves";

/// Words that ask and are no part of the answer (folded, sorted).
pub(super) const ASKING: &str = "\
ever|how|know|many|much|please|tell|what|whats|when|where|which|who|whom|whose|why";

/// Forms that no stemmer joins, with the word they belong to (sorted by form).
pub(super) const FORMS: &str = "\
apr=april|ate=eat|aug=august|became=become|began=begin|begun=begin|best=good|better=good|\
bought=buy|broke=break|broken=break|brought=bring|built=build|came=come|caught=catch|\
children=child|chose=choose|chosen=choose|dec=december|drank=drink|drawn=draw|drew=draw|\
driven=drive|drove=drive|drunk=drink|eaten=eat|eight=8|eleven=11|fallen=fall|feb=february|\
feet=foot|fell=fall|felt=feel|five=5|flew=fly|flown=fly|forgot=forget|forgotten=forget|\
fought=fight|found=find|four=4|fri=friday|gave=give|given=give|goes=go|gone=go|got=get|gotten=get|\
grew=grow|grown=grow|heard=hear|held=hold|hid=hide|hidden=hide|jan=january|jul=july|jun=june|\
kept=keep|knew=know|knives=knife|known=know|left=leave|lent=lend|lost=lose|made=make|men=man|\
met=meet|mice=mouse|nine=9|nov=november|oct=october|paid=pay|people=person|ran=run|ridden=ride|\
rode=ride|rose=rise|said=say|sang=sing|sat=sit|saw=see|seen=see|sent=send|sep=september|\
sept=september|seven=7|shot=shoot|showed=show|shown=show|six=6|slept=sleep|sold=sell|sought=seek|\
spent=spend|spoke=speak|spoken=speak|stole=steal|stolen=steal|stood=stand|sung=sing|swam=swim|\
swum=swim|taken=take|taught=teach|teeth=tooth|ten=10|thought=think|three=3|threw=throw|\
thrown=throw|thu=thursday|thur=thursday|thurs=thursday|told=tell|took=take|tue=tuesday|\
tues=tuesday|twelve=12|two=2|understood=understand|wed=wednesday|went=go|wives=wife|woke=wake|\
woken=wake|women=woman|won=win|wore=wear|worn=wear|worse=bad|worst=bad|written=write|wrote=write";

/// The word a form belongs to, itself if none is known.
pub(super) fn base_form(word: &str) -> &str {
    list::value(FORMS, word).unwrap_or(word)
}

/// Whether a folded word says too little to be indexed.
pub(super) fn is_stop(word: &str) -> bool {
    list::has(STOP, word)
}

/// Whether a folded word only asks.
pub(super) fn is_asking(word: &str) -> bool {
    list::has(ASKING, word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_binary_search() {
        assert!(list::is_sorted(STOP));
        assert!(list::is_sorted(ASKING));
        assert!(list::pairs(FORMS).is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn forms_join_their_word() {
        assert_eq!(base_form("bought"), "buy");
        assert_eq!(base_form("table"), "table");
        assert!(is_stop("the") && is_asking("when") && !is_stop("when"));
    }
}
