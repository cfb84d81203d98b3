//! What "I …" says: identity, plans, decisions, habits and events of one's own life.

use super::events::happened;
use super::liking::{liking, preference};
use super::parts::*;
use super::text::{Word, is_unchanged};
use super::words::*;
use crate::case::{self, Lowercase};
use crate::memory::Category;
use crate::words::words;

/// Classifies a clause that starts with "I"; `rest` is what follows in lower case, without adverbs.
pub(super) fn about_self(clause: &[Word], rest: &[&str]) -> Option<Match> {
    // "I have lived", "I do like" say what "I lived", "I like" say.
    let rest = match rest {
        ["do", tail @ ..] if tail.first().is_some_and(|w| *w != "not") => tail,
        ["have", "been", word, ..] if word.ends_with("ing") || matches!(*word, "a" | "an") => {
            return being(clause, rest.get(2..)?).or_else(|| happened(rest));
        }
        ["have", tail @ ..] if tail.first().is_some_and(|w| AFTER_HAVE.contains(w)) => tail,
        _ => rest,
    };
    let verb = rest.first().copied()?;
    if verb == "am" {
        return being(clause, rest.get(1..)?);
    }
    liking(clause, rest)
        .or_else(|| standing(clause, rest))
        .or_else(|| planning(rest))
        .or_else(|| living(clause, rest))
        .or_else(|| happened(rest))
}

fn being(clause: &[Word], rest: &[&str]) -> Option<Match> {
    let first = rest.first().copied()?;
    if begins(
        rest,
        "between jobs|out of work|in recovery|on parental leave|on maternity leave|on paternity leave",
    )
    .is_some()
    {
        return said(Category::Profile, 7);
    }
    if begins(rest, "supposed to|scheduled to|due to|on").is_some() {
        let leave = rest
            .iter()
            .any(|w| words!["leave", "sabbatical", "medication", "diet"].contains(w));
        return (leave || (first != "on" && rest.iter().any(|w| is_time(w))))
            .then(|| said(Category::Task, 6))?;
    }
    if rest.last() == Some(&"person") && rest.len() <= 5 {
        return said(Category::Preference, 5);
    }
    if let Some(n) = begins(rest, "going to|gonna") {
        return plan(rest.get(n..)?, first_is_place(clause, n));
    }
    if let Some(n) = begins(
        rest,
        "planning to|planning on|planning a|planning|hoping to|aiming to",
    ) {
        return (!points(rest.get(n..)?)).then(|| said(Category::Task, 6))?;
    }
    if begins(
        rest,
        "flying|traveling|travelling|moving|visiting|starting|getting married|meeting|\
            taking|leaving|running|presenting|giving|having|hosting|seeing",
    )
    .is_some()
    {
        let timed = rest.iter().any(|w| is_time(w));
        return (timed || starts(rest, "moving to") || starts(rest, "getting married"))
            .then(|| said(Category::Event, 6))?;
    }
    if starts(rest, "allergic to") {
        return stating(
            Category::Profile,
            9,
            "profile.health.allergy",
            value_after(clause, "to", true),
        );
    }
    if let Some(age) = rest
        .first()
        .filter(|w| w.chars().all(|c| c.is_ascii_digit()) && w.len() <= 3)
        && (rest.len() == 1
            || begins(rest.get(1..)?, "years|year|and|now").is_some()
            || clause.iter().any(|w| w.low == *age && !w.after.is_empty()))
        && !rest
            .iter()
            .any(|w| matches!(*w, "minutes" | "percent" | "late"))
    {
        return stating(Category::Profile, 8, "profile.age", Some((*age).to_owned()));
    }
    if starts(rest, "from") || starts(rest, "originally from") {
        let at = clause.iter().position(|word| word.low == "from")?;
        return place(Category::Profile, 8, clause.get(at + 1..)?, true);
    }
    if starts(rest, "based in") || starts(rest, "living in") {
        let at = clause.iter().position(|word| word.low == "in")?;
        return place(Category::Profile, 8, clause.get(at + 1..)?, false);
    }
    if let Some(n) = begins(
        rest,
        "a big fan of|a huge fan of|a fan of|fond of|into|obsessed with|passionate about|\
            crazy about|not a fan of|not a big fan of|not into|not fond of",
    ) {
        let object = rest.get(n)?;
        let at = clause.iter().position(|word| word.low == *object)?;
        let facts = preference(clause.get(at..)?, first != "not");
        return (!DEICTIC.contains(object)).then_some(Match {
            category: Category::Preference,
            importance: 6,
            facts,
        });
    }
    let states: &[&str] = if first == "not" { rest.get(1..)? } else { rest };
    let state = states
        .iter()
        .find(|w| !words!["a", "an", "strict", "lifelong"].contains(w))?;
    if STATES.contains(state) {
        return said(Category::Profile, 8);
    }
    if begins(
        rest,
        "learning|studying|working as|working at|working for|working on|building|\
            developing|writing a|training for|saving for|saving up for|preparing for|\
            responsible for|in charge of|afraid of|scared of|trying to learn|trying to lose|\
            trying to quit",
    )
    .is_some()
    {
        let n = if first == "afraid" || first == "in" || first == "training" {
            2
        } else {
            1
        };
        let work = words![
            "working", "building", "developing", "writing", "responsible"
        ]
        .contains(first);
        let about = rest
            .get(n..)?
            .iter()
            .find(|w| !words!["on", "for", "a", "an", "at", "as", "of", "to"].contains(w))?;
        return (!DEICTIC.contains(about) && !is_passing(rest)).then(|| {
            said(
                if work {
                    Category::Project
                } else {
                    Category::Profile
                },
                6,
            )
        })?;
    }
    if matches!(first, "a" | "an" | "the") && first != "the" {
        let noun = rest.get(1).copied()?;
        let lasting = !NOT_ROLES.contains(noun)
            && !rest
                .iter()
                .any(|w| words!["fan", "bit", "little", "here"].contains(w));
        let job = value_after(clause, "am", true)
            .filter(|_| lasting && rest.iter().any(|word| JOBS.contains(word)));
        return lasting.then(|| {
            stating(
                Category::Profile,
                8,
                "profile.job",
                job.map(|job| job.lowercase()),
            )
        })?;
    }
    let written = clause.iter().skip_while(|word| word.low != "am").nth(1)?;
    let is_name = written.text.chars().next().is_some_and(case::is_upper)
        && written.text.chars().skip(1).any(case::is_lower);
    if is_name && NATIONALITIES.contains(first) {
        return stating(
            Category::Profile,
            8,
            "profile.nationality",
            Some(first.to_owned()),
        );
    }
    let stands_alone = !written.after.is_empty()
        || rest.len() == 1
        || matches!(rest.get(1), Some(&"and" | &"from"))
        || rest.len() == 2;
    (is_name && stands_alone).then(|| {
        stating(
            Category::Profile,
            9,
            "profile.name",
            value_after(clause, "am", false),
        )
    })?
}

fn first_is_place(clause: &[Word], _n: usize) -> bool {
    clause
        .iter()
        .skip_while(|word| word.low != "to")
        .nth(1)
        .is_some_and(|word| word.text.chars().next().is_some_and(case::is_upper))
}

/// "I am going to …", "I will …": kept when it names a time, a place or a change of life.
fn plan(rest: &[&str], to_place: bool) -> Option<Match> {
    let first = rest.first()?;
    if NOT_PLANS.contains(first) || points_anywhere(rest.get(..3).unwrap_or(rest)) {
        return None;
    }
    let timed = rest
        .iter()
        .any(|w| is_time(w) && !matches!(*w, "now" | "today" | "tonight"));
    let life = begins(
        rest,
        "be a|become|have a baby|get married|move|quit|study|learn|retire|start|propose|\
            adopt|apply|buy a|launch",
    )
    .is_some();
    (timed || to_place || life).then(|| said(Category::Task, 6))?
}

fn planning(rest: &[&str]) -> Option<Match> {
    if let Some(n) = begins(rest, "plan to|intend to|aim to|plan on") {
        return (!points(rest.get(n..)?)).then(|| said(Category::Task, 6))?;
    }
    if let Some(n) = starts_any(rest, DECISIONS) {
        return (!points(rest.get(n..)?)).then(|| said(Category::Project, 7))?;
    }
    if starts(rest, "will") {
        return plan(rest.get(1..)?, false);
    }
    if begins(rest, "want to|hope to|would like to|would love to").is_some() {
        let at = rest.iter().position(|w| *w == "to")?;
        let goal = rest.get(at + 1..)?;
        let lasting = begins(
            goal,
            "learn|become|lose|save|quit|move to|run a|start a|buy a|retire|travel to|visit|\
            live in|get a|stop smoking|write a book|work as",
        )
        .is_some();
        let here = points_anywhere(goal)
            || (starts(goal, "learn")
                && goal.iter().any(|w| matches!(*w, "about" | "how" | "more")));
        return (lasting && !here && !starts(rest, "would")).then(|| said(Category::Task, 6))?;
    }
    let due = rest.windows(2).any(|pair| {
        matches!(
            pair.first(),
            Some(&"by" | &"before" | &"until" | &"on" | &"next")
        ) && pair.get(1).is_some_and(|w| is_time(w))
    });
    let is_coming = match rest {
        ["graduate" | "retire", when @ ..] => when.iter().any(|w| is_time(w)),
        ["turn", age, ..] => age.starts_with(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    if is_coming {
        return said(Category::Event, 6);
    }
    if begins(rest, "need to|have to|must|have got to").is_some() {
        return due.then(|| said(Category::Task, 6))?;
    }
    if let ["have", tail @ ..] = rest {
        let dated = tail.iter().take(5).any(|w| is_dated(w));
        return (dated && tail.iter().any(|w| is_time(w))).then(|| said(Category::Event, 6))?;
    }
    None
}

/// Where one lives, works, studies; what one has, speaks, uses, eats.
fn standing(clause: &[Word], rest: &[&str]) -> Option<Match> {
    let after = |word: &str| {
        let at = clause.iter().position(|own| own.low == word)?;
        clause.get(at + 1..)
    };
    if begins(rest, "live in|lived in|moved to|relocated to|have moved to").is_some() {
        let past = starts(rest, "lived in")
            && !clause
                .iter()
                .any(|w| matches!(w.low.as_str(), "for" | "since"));
        if past {
            return said(Category::Profile, 5);
        }
        return place(
            Category::Profile,
            8,
            after(if rest.get(1) == Some(&"in") {
                "in"
            } else {
                "to"
            })?,
            false,
        );
    }
    if begins(
        rest,
        "live with|live near|live alone|live on|grew up|was born|was raised",
    )
    .is_some()
    {
        return said(Category::Profile, 7);
    }
    if begins(rest, "come from").is_some() {
        return place(Category::Profile, 8, after("from")?, true);
    }
    if starts(rest, "go by") {
        let name = after("by")?;
        let is_name = name.first()?.text.starts_with(case::is_upper);
        let name = value_from(name, false).filter(|_| is_name)?;
        return stating(Category::Preference, 9, "preference.address", Some(name));
    }
    if let Some(n) = begins(
        rest,
        "never learned to|never learnt to|never been to|have never been to",
    ) {
        return (!points(rest.get(n..)?)).then(|| said(Category::Profile, 5))?;
    }
    if begins(rest, "work at|work for").is_some() {
        let employer = name_from(after(rest.get(1)?)?);
        let home = matches!(rest.get(2), Some(&"home" | &"myself"));
        return stating(
            Category::Profile,
            8,
            "profile.employer",
            employer.filter(|_| !home),
        );
    }
    if starts(rest, "work as") {
        return stating(
            Category::Profile,
            8,
            "profile.job",
            value_from(after("as")?, true).map(|job| job.lowercase()),
        );
    }
    if let Some(n) = starts_any(rest, HABIT_VERBS) {
        let intransitive = matches!(
            rest.get(n - 1),
            Some(
                &"alone"
                    | &"nights"
                    | &"remotely"
                    | &"full-time"
                    | &"smoke"
                    | &"meditate"
                    | &"home"
            )
        );
        let object = rest.get(n..).unwrap_or_default();
        return (!is_passing(rest)
            && if object.is_empty() {
                intransitive
            } else {
                !points(object)
            })
        .then(|| said(Category::Profile, 7))?;
    }
    if let Some(n) = starts_any(rest, TOOL_VERBS) {
        return (!points(rest.get(n..)?) && !is_passing(rest))
            .then(|| said(Category::Preference, 5))?;
    }
    if let ["have", tail @ ..] = rest {
        let owns = tail.iter().take(5).any(|w| HAVE_NOUNS.contains(w));
        let passing = tail
            .iter()
            .any(|w| words!["question", "problem", "issue", "error", "idea"].contains(w))
            || tail
                .first()
                .is_some_and(|w| *w == "to" || DEICTIC.contains(w));
        let health = tail.iter().any(|w| HEALTH.contains(w));
        return (owns && !passing).then(|| {
            said(
                if health {
                    Category::Profile
                } else {
                    Category::Social
                },
                if health { 9 } else { 7 },
            )
        })?;
    }
    let habit = clause.iter().take(4).any(|w| {
        words![
            "always", "usually", "normally", "typically", "never", "rarely"
        ]
        .contains(&w.low)
    });
    let verb = rest.iter().find(|w| **w != "never")?;
    let lasting = !is_unchanged(verb)
        && !NOT_HABITS.contains(verb)
        && rest.len() >= 2
        && !points_anywhere(rest);
    (habit && lasting).then(|| said(Category::Preference, 5))?
}

/// Events of one's own life.
pub(super) fn living(clause: &[Word], rest: &[&str]) -> Option<Match> {
    let n = starts_any(rest, LIFE_EVENTS)?;
    let object = rest.get(n).copied().unwrap_or_default();
    let said_whole = n >= 2 || !object.is_empty();
    let question = clause.iter().any(|w| w.after.contains('?'));
    (said_whole && !question && !DEICTIC.contains(object)).then(|| said(Category::Event, 6))?
}
