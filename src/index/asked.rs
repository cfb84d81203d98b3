//! What a question asks for: its terms, what each of them tells, and what is meant by slips.

use super::store::Lexical;
use super::terms::{is_lone_character, query_terms};
use super::tuning::Tuning;
use crate::gather::Gather;
use crate::gather::Push;
use crate::order;
use crate::sorted::Map;
use rustc_hash::FxHashSet;

/// Terms of a question that are looked at closely, those that tell most.
const CLOSELY: usize = 128;

/// Terms of a question in which slips are looked for, the first ones.
const VARIED: usize = 32;

/// A term that the index has, and what it tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct AskedTerm {
    pub(super) number: u32,
    pub(super) weight: f64,
    /// What a single character of a script without spaces counts beside its pairs; else 1.
    pub(super) faint: f64,
    /// The question's own word, not what a slip of it means.
    pub(super) is_own: bool,
}

/// A question as the index sees it.
#[derive(Debug, Clone, Default)]
pub(super) struct Asked {
    /// In the order of the question.
    pub(super) terms: Vec<AskedTerm>,
    /// What all words of the question tell together, those that no text has included.
    pub(super) best: f64,
}

impl Asked {
    /// By term number: its place in the question, counted from 1.
    pub(super) fn places(&self, terms: usize) -> Vec<u16> {
        let mut places = vec![0; terms];
        for (place, term) in (1..).zip(&self.terms) {
            if let Some(at) = places.get_mut(term.number as usize) {
                *at = place;
            }
        }
        places
    }
}

impl Lexical {
    /// Reads a question.
    pub(super) fn ask(&self, question: &str) -> Asked {
        let mut asked = Asked::default();
        let mut seen: FxHashSet<String> = FxHashSet::default();
        for name in query_terms(question) {
            let number = self.names.get(name.as_str()).copied();
            let faint = if is_lone_character(&name) {
                self.params.lone
            } else {
                1.0
            };
            let weight = faint * self.rarity(number.map_or(0, |number| self.having(number)));
            if weight <= 0.0 || !seen.insert(name) {
                continue;
            }
            asked.best += weight;
            asked.terms.push_all(number.map(|number| AskedTerm {
                number,
                weight,
                faint,
                is_own: true,
            }));
        }
        asked
    }

    /// The same for a close look: the terms that tell most, and what is meant by slips.
    pub(super) fn ask_closely(&self, question: &str, tuning: &Tuning) -> Asked {
        let mut asked = self.ask(question);
        if asked.terms.len() > CLOSELY {
            let mut weights: Vec<f64> = asked.terms.iter().map(|term| term.weight).gather();
            order::sort_descending(&mut weights);
            let least = weights.get(CLOSELY - 1).copied().unwrap_or(0.0);
            let mut room = CLOSELY;
            asked.terms.retain(|term| {
                let kept = term.weight >= least && room > 0;
                room -= usize::from(kept);
                kept
            });
            asked.best = asked.terms.iter().map(|term| term.weight).sum();
        }
        let own: Vec<u32> = asked.terms.iter().map(|term| term.number).gather();
        // By name: numbers depend on the order in which texts came.
        let mut forms: Map<&str, usize> = Map::new();
        let mut weights: Vec<(u32, f64)> = Vec::new();
        for name in query_terms(question).iter().take(VARIED) {
            if tuning.slips <= 0.0 || self.names.contains_key(name.as_str()) {
                continue;
            }
            let told = self.rarity(0);
            self.stems.slips(name, |form, number| {
                if own.contains(&number) {
                    return;
                }
                let weight = tuning.slips * told.min(self.rarity(self.having(number)));
                let mut at = 0;
                forms.update(form, weights.len(), |place| at = *place);
                match weights.get_mut(at) {
                    Some((_, best)) => *best = best.max(weight),
                    None => weights.push((number, f64::max(0.0, weight))),
                }
            });
        }
        let forms = forms.iter().filter_map(|(_, at)| weights.get(*at));
        let forms = forms.map(|&(number, weight)| AskedTerm {
            number,
            weight,
            faint: 1.0,
            is_own: false,
        });
        asked.terms.push_all(forms);
        asked
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::sample::index;

    #[test]
    fn what_a_slip_means_is_asked_for_too() {
        let index = index(&[
            (1, "an educational trip"),
            (2, "the decision stands"),
            (3, "a persuasive friend"),
        ]);
        let names = |question: &str| -> Vec<(String, bool)> {
            let asked = index.ask_closely(question, &Tuning::default());
            let name = |term: &AskedTerm| index.terms[term.number as usize].name.to_string();
            asked.terms.iter().map(|t| (name(t), t.is_own)).collect()
        };
        assert_eq!(names("frend"), [("friend".to_owned(), false)]);
        assert_eq!(names("friend"), [("friend".to_owned(), true)]);
        assert!(names("volcano").is_empty());
    }

    #[test]
    fn a_long_question_is_looked_at_by_what_tells_most() {
        let words: Vec<String> = (0..500).map(|n| format!("word{n}x")).collect();
        let index = index(&[(1, &words.join(" ")), (2, "word7x word7x")]);
        let asked = index.ask_closely(&words.join(" "), &Tuning::default());
        assert_eq!(asked.terms.len(), CLOSELY);
    }
}
