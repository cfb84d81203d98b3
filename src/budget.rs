//! The token budget of recalled memories (B1, B2): whole memories in, whole memories out.
//!
//! A memory costs the tokens of its line and a line break. The user's profile takes at most its
//! share; what it leaves goes to the agent's memory. What is kept is counted again as one text,
//! because tokens may form across the border of two lines, and if that is more than the sum, the
//! line of the last rank gives way.

use crate::config::{BudgetConfig, Overflow};
use crate::error::Result;
use crate::gather::Gather;
use crate::order;
use crate::tokens::Tokens;
use serde::Serialize;

/// Whose memory a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The user's profile.
    User,
    /// The agent's memory.
    Agent,
}

/// A memory's line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What is shown.
    pub text: String,
    /// When it gets its tokens: lower ones first, whatever their place.
    pub rank: usize,
}

/// A memory that is left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LeftOut {
    /// Whose it is.
    pub section: Section,
    /// Its place among the lines given.
    pub index: usize,
    /// What it would have cost.
    pub tokens: usize,
}

/// What fits.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Split {
    /// Lines of the user's profile that fit, in the order given.
    pub user: Vec<String>,
    /// Lines of the agent's memory that fit, in the order given.
    pub agent: Vec<String>,
    /// Tokens of the user's lines together.
    pub user_tokens: usize,
    /// Tokens of the agent's lines together.
    pub agent_tokens: usize,
    /// Lines that do not fit.
    pub dropped: Vec<LeftOut>,
}

/// Keeps the lines that fit, in the order given.
pub fn split(
    user: Vec<Line>,
    agent: Vec<Line>,
    config: &BudgetConfig,
    tokens: &Tokens,
) -> Result<Split> {
    let share = (config.max_tokens as f64 * config.user_share) as usize;
    let mut dropped = Vec::new();
    let mut take = |section, lines, limit| {
        Taker {
            section,
            limit,
            overflow: config.overflow,
            tokens,
        }
        .take(lines, &mut dropped)
    };
    let (user, user_tokens) = take(Section::User, user, share.min(config.max_tokens))?;
    let (agent, agent_tokens) = take(
        Section::Agent,
        agent,
        config.max_tokens.saturating_sub(user_tokens),
    )?;
    order::sort_by_key(&mut dropped, |left| {
        (left.section == Section::Agent, left.index)
    });
    Ok(Split {
        user,
        agent,
        user_tokens,
        agent_tokens,
        dropped,
    })
}

struct Kept {
    index: usize,
    rank: usize,
    cost: usize,
    text: String,
}

struct Taker<'a> {
    section: Section,
    limit: usize,
    overflow: Overflow,
    tokens: &'a Tokens,
}

impl Taker<'_> {
    fn take(&self, lines: Vec<Line>, dropped: &mut Vec<LeftOut>) -> Result<(Vec<String>, usize)> {
        let mut kept: Vec<Kept> = Vec::new();
        let mut sum = 0usize;
        let mut stopped = false;
        let mut lines: Vec<(usize, Line)> = lines.into_iter().enumerate().gather();
        order::sort_by_key(&mut lines, |(_, line)| line.rank);
        for (index, Line { text, rank }) in lines {
            let cost = self.tokens.text(&format!("{text}\n"))?;
            if stopped || sum.saturating_add(cost) > self.limit {
                stopped |= self.overflow == Overflow::Stop;
                dropped.push(LeftOut {
                    section: self.section,
                    index,
                    tokens: cost,
                });
                continue;
            }
            sum += cost;
            kept.push(Kept {
                index,
                rank,
                cost,
                text,
            });
        }
        order::sort_by_key(&mut kept, |line| line.index);
        loop {
            let text: String = kept.iter().flat_map(|line| [&line.text, "\n"]).collect();
            let total = self.tokens.text(&text)?;
            if total <= self.limit {
                return Ok((kept.into_iter().map(|line| line.text).gather(), total));
            }
            let last = (0..kept.len()).max_by_key(|at| kept.get(*at).map(|line| line.rank));
            let Some(Kept { index, cost, .. }) = last.map(|at| kept.remove(at)) else {
                return Ok((Vec::new(), 0));
            };
            dropped.push(LeftOut {
                section: self.section,
                index,
                tokens: cost,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::TokensConfig;
    use crate::tokens::Counter;
    use proptest::prelude::*;
    use std::rc::Rc;

    /// One token a character.
    struct Chars;

    impl Counter for Chars {
        fn count(&self, text: &str) -> Result<usize> {
            Ok(text.chars().count())
        }
    }

    fn run(user: &[&str], agent: &[&str], max_tokens: usize, overflow: Overflow) -> Split {
        let config = BudgetConfig {
            max_tokens,
            overflow,
            ..BudgetConfig::default()
        };
        let tokens = Tokens::with_counter(Rc::new(Chars), &TokensConfig::default());
        split(own(user), own(agent), &config, &tokens).unwrap()
    }

    fn own<T: AsRef<str>>(lines: &[T]) -> Vec<Line> {
        let lines = lines.iter().map(|line| line.as_ref().to_owned());
        let line = |(rank, text)| Line { text, rank };
        lines.enumerate().map(line).collect()
    }

    #[test]
    fn the_best_get_their_tokens_first_and_stay_in_their_place() {
        let config = BudgetConfig {
            max_tokens: 10,
            user_share: 1.0,
            ..BudgetConfig::default()
        };
        let tokens = Tokens::with_counter(Rc::new(Chars), &TokensConfig::default());
        let line = |text: &str, rank| Line {
            text: text.to_owned(),
            rank,
        };
        let lines = vec![line("old!", 1), line("weak", 2), line("best", 0)];
        let got = split(lines, Vec::new(), &config, &tokens).unwrap();
        assert_eq!(got.user, ["old!", "best"]);
        assert_eq!(got.dropped.first().map(|left| left.index), Some(1));
    }

    #[test]
    fn what_the_user_leaves_goes_to_the_agent() {
        let got = run(&["aaaa"], &["bbbb", "cccc", "dddd"], 20, Overflow::Skip);
        assert_eq!((got.user_tokens, got.agent_tokens), (5, 15));
        let got = run(
            &["aaaa", "aaaa", "aaaa"],
            &["bbbb", "cccc", "dddd"],
            20,
            Overflow::Skip,
        );
        assert_eq!((got.user.len(), got.agent.len()), (2, 2));
        assert_eq!(
            got.dropped
                .iter()
                .map(|left| left.index)
                .collect::<Vec<_>>(),
            [2, 2]
        );
    }

    #[test]
    fn a_long_line_is_skipped_or_stops() {
        let lines = ["aa", "a line that is too long", "bb"];
        assert_eq!(run(&[], &lines, 10, Overflow::Skip).agent, ["aa", "bb"]);
        assert_eq!(run(&[], &lines, 10, Overflow::Stop).agent, ["aa"]);
    }

    #[test]
    fn a_memory_of_several_lines_is_never_split() {
        assert_eq!(run(&["a\nb\nc", "d"], &[], 6, Overflow::Skip).user, ["d"]);
        assert_eq!(run(&["a\nb\nc"], &[], 10, Overflow::Skip).user, ["a\nb\nc"]);
    }

    thread_local! {
        static EXACT: Tokens = Tokens::new(&TokensConfig::default()).unwrap();
    }

    proptest! {
        #[test]
        fn never_over(
            user in proptest::collection::vec("[a-z \n/.-]{0,20}", 0..8),
            agent in proptest::collection::vec("\\PC{0,12}", 0..8),
            max_tokens in 0usize..60,
            user_share in 0.0f64..=1.0,
        ) {
            let tokens = EXACT.with(Clone::clone);
            let config = BudgetConfig { max_tokens, user_share, ..BudgetConfig::default() };
            let got = split(own(&user), own(&agent), &config, &tokens).unwrap();
            let count = |lines: &[String]| {
                let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
                tokens.text(&text).unwrap()
            };
            prop_assert_eq!(count(&got.user), got.user_tokens);
            prop_assert!(got.user_tokens <= (max_tokens as f64 * user_share) as usize);
            prop_assert!(got.user_tokens + count(&got.agent) <= max_tokens);
            prop_assert_eq!(got.user.len() + got.agent.len() + got.dropped.len(), user.len() + agent.len());
        }
    }
}
