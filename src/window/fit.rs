//! Spending the budget: what must be there first, then memory and summary, then as much of the
//! newest history as fits (W3, W5, W6).

use super::{Input, Item, Losses, Output, Reason, Report, SummaryUse, Turn};
use super::{alternate, cut, intake, sum, tools};
use crate::config::{Alternation, Oversize, SummaryConfig, WindowConfig};
use crate::error::{Code, Error, Result};
use crate::gather::Gather;
use crate::gather::Push;
use crate::message::Role;
use crate::prompt;
use crate::tokens::{PRIMING, Tokens};
use crate::write;

/// Chooses what goes to the model.
///
/// If everything fits `window.max_tokens`, all of the history goes, without leading assistant turns.
/// Else the newest run that fits `window.max_tokens − summary.max_tokens` goes, with the summary
/// before it. Where even this turn's message does not fit beside the rest, memories give way first,
/// the last of them before the others; the message is cut, or refused, when nothing else is left.
pub fn fit(
    input: Input,
    window: &WindowConfig,
    summary: &SummaryConfig,
    tokens: &Tokens,
) -> Result<Output> {
    let mut losses = Losses::default();
    let current = input.current;
    intake::check_current(current.as_ref())?;
    let (system, chat) = intake::sort(
        input.system,
        input.history,
        current.as_ref(),
        tokens,
        &mut losses,
    )?;
    let turns = alternate::turns(tools::groups(chat, &mut losses));
    let mut plan = Plan {
        window,
        tokens,
        report: Report {
            budget: window.max_tokens,
            priming: PRIMING,
            tools: tokens.lasting().tools(&input.tools)?,
            system: sum(&system),
            ..Report::default()
        },
        output: Output::default(),
    };
    let memory = intake::count_all(input.memory, &tokens.lasting())?;
    let current = current
        .map(|message| intake::count(message, tokens))
        .transpose()?;
    let (turns, current) = plan.repair(turns, current, sum(&memory), &mut losses)?;
    let memory_in = memory.clone();
    let (memory, current) = plan.spend(memory, current)?;
    let text = input.summary.filter(|text| !text.trim().is_empty());
    let run = Run {
        has_current: current.is_some(),
        reserved: summary.max_tokens,
        more: input.more && text.is_some(),
    };
    let (turns, whole) = plan.newest_run(turns, &run, &mut losses);
    let summary = plan.summarize(text.as_deref(), summary.max_tokens, whole)?;

    let mut output = plan.output;
    output.stable_prefix = system.len() + stable(&memory_in, &memory, input.stable_memory);
    output.tokens = Report {
        total: spent(&plan.report),
        ..plan.report
    };
    output.dropped = losses.in_order();
    let history = turns.into_iter().flat_map(|turn| turn.items);
    let items = system
        .into_iter()
        .chain(memory)
        .chain(summary)
        .chain(history)
        .chain(current);
    output.messages = items.map(|item| item.message).gather();
    Ok(output)
}

/// How many of the first `limit` memory messages went in as they came.
fn stable(before: &[Item], after: &[Item], limit: usize) -> usize {
    let pairs = before.iter().zip(after).take(limit);
    pairs
        .take_while(|(before, after)| before.message == after.message)
        .count()
}

fn spent(report: &Report) -> usize {
    let Report {
        priming,
        tools,
        system,
        memory,
        summary,
        history,
        current,
        ..
    } = *report;
    [priming, tools, system, memory, summary, history, current]
        .into_iter()
        .fold(0, usize::saturating_add)
}

/// What the run of the history must leave room for.
struct Run {
    has_current: bool,
    /// Tokens of the summary, if it comes in.
    reserved: usize,
    /// The summary stands for messages that are not here.
    more: bool,
}

struct Plan<'a> {
    window: &'a WindowConfig,
    tokens: &'a Tokens,
    report: Report,
    output: Output,
}

impl Plan<'_> {
    fn left(&self) -> usize {
        self.report.budget.saturating_sub(spent(&self.report))
    }

    /// Makes user and assistant alternate, the assistant last and this turn's message after it.
    // By themselves, as they run over all messages: engines optimize several short functions in a
    // fraction of the time of a long one.
    #[inline(never)]
    fn repair(
        &self,
        mut turns: Vec<Turn>,
        mut current: Option<Item>,
        memory: usize,
        losses: &mut Losses,
    ) -> Result<(Vec<Turn>, Option<Item>)> {
        let merge = self.window.alternation == Alternation::Merge;
        if merge {
            turns = alternate::merge_runs(turns, self.tokens, losses)?;
        }
        if merge || current.is_none() {
            let trailing = turns.pop_if(|turn| turn.role == Role::User);
            for item in trailing.into_iter().flat_map(|turn| turn.items) {
                current = Some(match current {
                    None => item,
                    Some(now) => self.merge_into(now, item, memory, losses)?,
                });
            }
        }
        Ok((alternate::drop_runs(turns, losses), current))
    }

    /// `current` with what the user had said before it, if there is room for both.
    fn merge_into(
        &self,
        current: Item,
        older: Item,
        memory: usize,
        losses: &mut Losses,
    ) -> Result<Item> {
        let message = alternate::join(&older.message, current.message.clone());
        let room = self.left().saturating_sub(memory);
        let fits = self
            .tokens
            .within(room, |tokens| tokens.message(&message))?;
        let Some(tokens) = fits else {
            losses.add(older, Reason::Alternation);
            return Ok(current);
        };
        losses.add(older, Reason::Merged);
        Ok(Item {
            message,
            tokens,
            ..current
        })
    }

    /// Puts in this turn's message and, as far as there is room beside it, the memories.
    #[inline(never)]
    fn spend(
        &mut self,
        memory: Vec<Item>,
        current: Option<Item>,
    ) -> Result<(Vec<Item>, Option<Item>)> {
        let fixed = spent(&self.report);
        if fixed > self.report.budget {
            return Err(self.exceeded("tools and system messages alone", fixed));
        }
        let wanted = current.as_ref().map_or(0, |item| item.tokens);
        let memory = self.shrink(memory, self.left().saturating_sub(wanted))?;
        let current = match current {
            Some(item) if item.tokens > self.left() => Some(self.cut(item)?),
            fits => fits,
        };
        self.report.memory = sum(&memory);
        self.report.current = current.as_ref().map_or(0, |item| item.tokens);
        Ok((memory, current))
    }

    fn cut(&mut self, item: Item) -> Result<Item> {
        let needed = spent(&self.report).saturating_add(item.tokens);
        let cut = match self.window.oversize {
            Oversize::Error => None,
            Oversize::Cut => cut::message(&item.message, item.tokens, self.left(), self.tokens)?,
        };
        let Some((message, tokens)) = cut else {
            return Err(self.exceeded(
                "this turn's message, with tools and system messages,",
                needed,
            ));
        };
        self.output.current_cut = true;
        Ok(Item {
            message,
            tokens,
            ..item
        })
    }

    fn exceeded(&self, what: &str, needed: usize) -> Error {
        let budget = self.report.budget;
        let over = needed.saturating_sub(budget);
        let message = format!(
            "{what} takes {needed} tokens of a budget of {budget}, {over} too many; \
             shorten it or raise config.window.maxTokens"
        );
        Error::new(Code::BudgetExceeded, message)
            .with_path("config.window.maxTokens")
            .with_details(write::record(&[
                ("needed", &needed),
                ("budget", &budget),
                ("over", &over),
            ]))
    }

    /// Memories within `room`: the last message loses its last memories first.
    fn shrink(&mut self, mut memory: Vec<Item>, room: usize) -> Result<Vec<Item>> {
        while sum(&memory) > room {
            let Some(last) = memory.pop() else { break };
            let lines = prompt::block_lines(&last.message).len();
            let shorter = self.shorten(&last, room.saturating_sub(sum(&memory)), lines)?;
            let kept = shorter.as_ref().map_or(0, |(_, kept)| *kept);
            self.output.memory_lines_dropped += lines.max(1).saturating_sub(kept);
            memory.push_all(shorter.map(|(item, _)| item));
        }
        Ok(memory)
    }

    /// The block with as many of its memories as cost at most `room`, and how many those are.
    fn shorten(&self, block: &Item, room: usize, lines: usize) -> Result<Option<(Item, usize)>> {
        let (mut low, mut high, mut best) = (0, lines, None);
        while low + 1 < high {
            let keep = low + (high - low) / 2;
            let Some(message) = prompt::shorten(&block.message, keep) else {
                break;
            };
            match self
                .tokens
                .within(room, |tokens| tokens.message(&message))?
            {
                Some(tokens) => {
                    let item = Item {
                        at: 0,
                        message,
                        tokens,
                    };
                    (low, best) = (keep, Some((item, keep)));
                }
                None => high = keep,
            }
        }
        Ok(best)
    }

    /// All turns, if they fit; else the newest that fit beside the summary's share. Either way a user
    /// turn comes first. Tells whether all of them fit.
    #[inline(never)]
    fn newest_run(
        &mut self,
        mut turns: Vec<Turn>,
        run: &Run,
        losses: &mut Losses,
    ) -> (Vec<Turn>, bool) {
        let left = self.left();
        let messages = self
            .window
            .max_messages
            .unwrap_or(usize::MAX)
            .saturating_sub(run.has_current.into());
        let total = turns
            .iter()
            .fold(0, |total: usize, turn| total.saturating_add(turn.tokens()));
        let count: usize = turns.iter().map(|turn| turn.items.len()).sum();
        let whole = !run.more && total <= left && count <= messages;
        if !whole {
            let (start, reason) = cut_off(&turns, left.saturating_sub(run.reserved), messages);
            for turn in turns.drain(..start) {
                losses.add_all(turn.items, reason);
            }
        }
        while turns
            .first()
            .is_some_and(|turn| turn.role == Role::Assistant)
        {
            losses.add_all(turns.remove(0).items, Reason::LeadingAssistant);
        }
        self.report.history = turns
            .iter()
            .fold(0, |total: usize, turn| total.saturating_add(turn.tokens()));
        (turns, whole)
    }

    fn summarize(&mut self, text: Option<&str>, limit: usize, whole: bool) -> Result<Option<Item>> {
        let Some(text) = text else { return Ok(None) };
        if whole {
            self.output.summary = SummaryUse::NotNeeded;
            return Ok(None);
        }
        let Some((message, tokens, cut)) = cut::summary(text, limit.min(self.left()), self.tokens)?
        else {
            self.output.summary = SummaryUse::NoRoom;
            return Ok(None);
        };
        self.output.summary = if cut {
            SummaryUse::Cut
        } else {
            SummaryUse::Used
        };
        self.report.summary = tokens;
        Ok(Some(Item {
            at: 0,
            message,
            tokens,
        }))
    }
}

/// Where the newest run within both limits begins, and which limit ended it.
fn cut_off(turns: &[Turn], room: usize, messages: usize) -> (usize, Reason) {
    let (mut tokens, mut count) = (0usize, 0usize);
    for (at, turn) in turns.iter().enumerate().rev() {
        tokens = tokens.saturating_add(turn.tokens());
        count += turn.items.len();
        if count > messages {
            return (at + 1, Reason::Messages);
        }
        if tokens > room {
            return (at + 1, Reason::Tokens);
        }
    }
    (0, Reason::Tokens)
}
