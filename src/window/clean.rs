//! Reasoning and tool mark-up are cleaned from what the assistant said, for the window only (W2).
//!
//! Code is left alone: fenced blocks and back-quoted spans keep every tag. An unclosed `<think>`, or
//! a `</think>` without its opening, counts only at the border of a line; in the middle of a sentence
//! it is a word.

use std::borrow::Cow;

/// Elements that go with everything in them.
const ELEMENTS: [&str; 8] = [
    "think", "thinking", "reasoning", "tool_call", "tool_calls", "function_call", "function_calls",
    "antml:function_calls",
];
/// Of these, the ones that hold reasoning.
const REASONING: usize = 3;
/// Longest run of back quotes that can begin a span.
const LONGEST_QUOTE: usize = 8;
/// Longest name in a `<|name|>`.
const MARKER: usize = 64;

/// `text` without reasoning and tool mark-up.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let lower = text.to_ascii_lowercase();
    let mut cleaner = Cleaner {
        text,
        lower: &lower,
        out: String::new(),
        copied: 0,
        unclosed: [false; ELEMENTS.len()],
    };
    cleaner.run();
    if cleaner.copied == 0 {
        return Cow::Borrowed(text);
    }
    cleaner.copy(text.len());
    Cow::Owned(cleaner.out.trim().to_owned())
}

struct Cleaner<'a> {
    text: &'a str,
    /// The same length as `text`: only ASCII is lowered.
    lower: &'a str,
    out: String,
    /// Where `text` is copied or left out up to.
    copied: usize,
    /// Elements that are known to have no closing tag any more.
    unclosed: [bool; ELEMENTS.len()],
}

impl Cleaner<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(found) = self.rest(at).find(['<', '`', '~']) {
            at += found;
            at = match self.rest(at).as_bytes().first() {
                Some(b'<') => self.tag(at),
                _ => self.code(at),
            };
        }
    }

    fn rest(&self, at: usize) -> &str {
        self.lower.get(at..).unwrap_or_default()
    }

    fn copy(&mut self, end: usize) {
        self.out
            .push_str(self.text.get(self.copied..end).unwrap_or_default());
    }

    /// Leaves out `start..end`.
    fn remove(&mut self, start: usize, end: usize) -> usize {
        self.copy(start);
        self.copied = end.max(1);
        end
    }

    /// Where the code that begins at `at` ends.
    fn code(&self, at: usize) -> usize {
        let rest = self.rest(at);
        let quote = rest.chars().next().unwrap_or_default();
        let length = run(rest, quote);
        let inside = at + length;
        if length >= 3 && self.starts_line(at) {
            let line = self.line_end(inside);
            let info = self.lower.get(inside..line).unwrap_or_default();
            if !(quote == '`' && info.contains('`')) {
                return self.fence_end(line, quote, length);
            }
        }
        if quote != '`' || length > LONGEST_QUOTE {
            return inside;
        }
        self.span_end(inside, length).unwrap_or(inside)
    }

    fn line_end(&self, at: usize) -> usize {
        self.rest(at)
            .find('\n')
            .map_or(self.text.len(), |end| at + end + 1)
    }

    fn fence_end(&self, mut at: usize, quote: char, length: usize) -> usize {
        while at < self.text.len() {
            let next = self.line_end(at);
            let line = self.lower.get(at..next).unwrap_or_default().trim();
            if line.len() >= length && run(line, quote) == line.len() {
                return next;
            }
            at = next;
        }
        at
    }

    /// The end of the next run of exactly `length` back quotes on this line.
    fn span_end(&self, mut at: usize, length: usize) -> Option<usize> {
        loop {
            at += self.rest(at).find(['`', '\n'])?;
            match run(self.rest(at), '`') {
                0 => return None,
                found if found == length => return Some(at + length),
                found => at += found,
            }
        }
    }

    fn starts_line(&self, at: usize) -> bool {
        let head = self.text.get(..at).unwrap_or_default();
        head.trim_end_matches([' ', '\t']).is_empty()
            || head.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn ends_line(&self, at: usize) -> bool {
        let rest = self.rest(at).trim_start_matches([' ', '\t', '\r']);
        rest.is_empty() || rest.starts_with('\n')
    }

    /// Removes what the `<` at `at` begins, if it begins anything; gives where to go on.
    fn tag(&mut self, at: usize) -> usize {
        if let Some(end) = self.marker(at) {
            return end;
        }
        let name_at = at + 1;
        let closing = self.rest(name_at).starts_with('/');
        let name_at = name_at + usize::from(closing);
        let Some((element, inside)) = self.element(name_at) else {
            return at + 1;
        };
        if closing {
            return self.lone_closing(at, element, inside);
        }
        let closer = format!("</{}>", ELEMENTS.get(element).copied().unwrap_or_default());
        let known = self.unclosed.get(element).copied().unwrap_or(true);
        match (!known).then(|| self.rest(inside).find(&closer)).flatten() {
            Some(end) => self.remove(at, inside + end + closer.len()),
            None => {
                if let Some(flag) = self.unclosed.get_mut(element) {
                    *flag = true;
                }
                if self.starts_line(at) {
                    self.remove(at, self.text.len())
                } else {
                    inside
                }
            }
        }
    }

    /// Which element is named at `at`, and where its tag ends.
    fn element(&self, at: usize) -> Option<(usize, usize)> {
        let rest = self.rest(at);
        ELEMENTS.iter().enumerate().find_map(|(element, name)| {
            let after = rest.strip_prefix(name)?;
            let attributes = after.get(..after.find('>').filter(|end| *end <= MARKER)?)?;
            let ends = attributes.is_empty() || attributes.starts_with([' ', '\n', '\t']);
            ends.then_some((element, at + name.len() + attributes.len() + 1))
        })
    }

    /// A template that opens the reasoning itself leaves only its end in the text.
    fn lone_closing(&mut self, at: usize, element: usize, inside: usize) -> usize {
        let alone = self.starts_line(at) || self.ends_line(inside);
        if element < REASONING && alone && self.copied == 0 {
            return self.remove(0, inside);
        }
        if alone {
            self.remove(at, inside)
        } else {
            inside
        }
    }

    /// `<|name|>`, also with full-width bars; from a tool's `begin` to its `end`, all between goes too.
    fn marker(&mut self, at: usize) -> Option<usize> {
        let (name, end) = self.marker_name(at)?;
        let opens = name.contains("tool") && name.ends_with("begin");
        if !opens {
            return Some(self.remove(at, end));
        }
        let closing = name.replace("begin", "end");
        let full = self.rest(at).starts_with("<｜");
        let closer = if full {
            format!("<｜{closing}｜>")
        } else {
            format!("<|{closing}|>")
        };
        let length = self
            .rest(end)
            .find(&closer)
            .map(|found| found + closer.len());
        let end = length.map_or(self.text.len(), |length| end + length);
        Some(self.remove(at, end))
    }

    fn marker_name(&self, at: usize) -> Option<(String, usize)> {
        let rest = self.rest(at);
        let (inner, bar) = match (rest.strip_prefix("<|"), rest.strip_prefix("<｜")) {
            (Some(inner), _) => (inner, "|>"),
            (_, Some(inner)) => (inner, "｜>"),
            _ => return None,
        };
        let window = inner.get(..inner.floor_char_boundary(MARKER + bar.len()))?;
        let name = window.get(..window.find(bar)?)?;
        let fits =
            |ch: char| ch.is_ascii_alphanumeric() || matches!(ch, '_' | '-' | '.' | '▁' | ':');
        let named = !name.is_empty() && name.chars().all(fits);
        let opening = rest.len() - inner.len();
        named.then(|| (name.to_owned(), at + opening + name.len() + bar.len()))
    }
}

fn run(text: &str, quote: char) -> usize {
    text.len() - text.trim_start_matches(quote).len()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn reasoning_goes() {
        assert_eq!(clean("<think>let me see</think>\nYes."), "Yes.");
        assert_eq!(clean("A<THINK>b</Think>c"), "Ac");
        assert_eq!(clean("Yes.\n<think>and then"), "Yes.");
        assert_eq!(clean("it was raining\n</think>\n\nYes."), "Yes.");
    }

    #[test]
    fn tool_markup_goes() {
        assert_eq!(
            clean("Ok <tool_call>{\"a\":1}</tool_call> done"),
            "Ok  done"
        );
        assert_eq!(clean("Ok<|im_end|>"), "Ok");
        assert_eq!(
            clean("Hi<｜tool▁calls▁begin｜>x<｜tool▁calls▁end｜> there"),
            "Hi there"
        );
        assert_eq!(
            clean("<function_calls>\n<invoke>x</invoke>\n</function_calls>"),
            ""
        );
    }

    #[test]
    fn code_and_prose_stay() {
        for text in [
            "a < b and `<think>` is a tag", "```xml\n<think>x</think>\n```",
            "~~~\n<tool_call>\n~~~", "The <think> tag opens it", "Vec<u8> and 1 <2",
        ] {
            assert_eq!(clean(text), text);
        }
        assert_eq!(
            clean("```\n<think>\n```\n<think>x</think>y"),
            "```\n<think>\n```\ny"
        );
    }

    #[test]
    fn hostile_input_is_linear() {
        for unit in [
            "<think>", "a <think>", "<", "`", "~~~\n", "</think>", "a </think> b", "<|", "[<`",
            "<|tool_begin|>",
        ] {
            clean(&unit.repeat(100_000));
        }
    }
}
