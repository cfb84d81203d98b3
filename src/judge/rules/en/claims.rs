//! What a clause says, by its subject: "my …", "we …", "our …", "the …".

use super::events::happened;
use super::own::{about_self, living};
use super::parts::*;
use super::text::{Word, is_pair};
use super::words::*;
use crate::case;
use crate::gather::Gather;
use crate::judge::validate::fact_key;
use crate::memory::Category;
use crate::words::words;

/// What a clause says, if it has the form of a lasting statement.
pub(super) fn classify(clause: &[Word], told_to_keep: bool) -> Option<Match> {
    let core = core(clause);
    let rest = core.get(1..)?;
    match core.first().copied()? {
        "i" => about_self(clause, rest),
        "my" => about_mine(clause, rest).or_else(|| done_to_me(clause, &core)),
        "we" => about_us(rest).or_else(|| happened(rest)),
        "our" => (rest.iter().take(5).any(|w| {
            words![
                "is", "are", "uses", "runs", "has", "will", "starts", "meets", "called", "was"
            ]
            .contains(w)
        }) && !is_passing(rest))
        .then(|| {
            said(
                if rest.iter().any(|w| is_dated(w)) {
                    Category::Task
                } else {
                    Category::Project
                },
                6,
            )
        })
        .or_else(|| {
            let is_kin = rest.first().is_some_and(|word| KIN.contains(word));
            is_kin.then(|| about_mine(clause, rest))
        })?,
        "let" => (starts(rest, "us go with")
            || starts(rest, "us use")
            || starts(rest, "us stick with")
            || starts(rest, "us stick to"))
        .then(|| {
            rest.iter()
                .rposition(|w| matches!(*w, "with" | "use" | "to"))
                .and_then(|at| rest.get(at + 1..))
        })
        .flatten()
        .filter(|object| !points(object))
        .and_then(|_| said(Category::Project, 7)),
        "the" | "it"
            if told_to_keep
                || rest
                    .iter()
                    .take(4)
                    .any(|w| is_dated(w) || matches!(*w, "scheduled" | "due" | "planned")) =>
        {
            let verb = rest.iter().take(6).position(|w| {
                words![
                    "is", "are", "starts", "was", "moved", "has", "will", "got", "takes"
                ]
                .contains(w)
            })?;
            let value = rest.get(verb + 1..)?;
            let firm = value.iter().any(|w| is_time(w))
                || (told_to_keep && !value.is_empty() && core.first() == Some(&"the"));
            (firm && !is_passing(rest)).then(|| said(Category::Event, 6))?
        }
        _ if is_pair(clause, 2) => {
            let rest = core.get(3..)?;
            about_us(rest)
                .or_else(|| living(clause, rest))
                .or_else(|| happened(rest))
        }
        _ => done_to_me(clause, &core),
    }
}

/// "Marko broke up with me", "dairy makes me sick": what others did to the speaker, and what does no good.
fn done_to_me(clause: &[Word], core: &[&str]) -> Option<Match> {
    let me = core.iter().position(|word| *word == "me")?;
    let (before, after) = (core.get(..me)?, core.get(me + 1..)?);
    // How many words stand before the verb.
    let subject = |verb: &str| {
        let verb: Vec<&str> = verb.split(' ').gather();
        let is_last = before.ends_with(&verb);
        is_last.then(|| before.len() - verb.len())
    };
    let first = clause.first()?;
    let is_told = |count: usize| {
        let is_known = first.low == "my" || first.text.starts_with(case::is_upper);
        (1..=3).contains(&count) && is_known && !DEICTIC.contains(&first.low)
    };
    let ill = words![
        "sick", "ill", "nauseous", "dizzy", "bloated", "itchy", "migraines", "headaches", "hives",
        "heartburn", "cramps"
    ];
    if after.first().is_some_and(|word| ill.contains(word)) {
        let subject = ["makes", "make", "gives", "give"]
            .iter()
            .find_map(|verb| subject(verb))?;
        return is_told(subject).then(|| said(Category::Profile, 8))?;
    }
    let parted = [
        "broke up with", "dumped", "divorced", "proposed to", "cheated on",
    ];
    let left = after.iter().all(|word| is_time(word)).then_some("left");
    let subject = parted.into_iter().chain(left).find_map(subject)?;
    (subject <= 2 && is_told(subject)).then(|| said(Category::Social, 8))?
}

pub(super) fn about_mine(clause: &[Word], rest: &[&str]) -> Option<Match> {
    let verb = rest
        .iter()
        .take(6)
        .position(|w| MINE_VERBS.contains(w) || (w.ends_with("ed") && w.len() > 4))?;
    let head = rest.get(verb.checked_sub(1)?).copied()?;
    let value = rest.get(verb + 1..)?;
    let says_all = !value.is_empty() || rest.get(verb) == Some(&"died");
    if !says_all
        || is_passing(rest)
        || NOT_LASTING.contains(head)
        || value.first().is_some_and(|word| DEICTIC.contains(word))
    {
        return None;
    }
    let is_verb = matches!(rest.get(verb), Some(&"is" | &"are"));
    let plain = || {
        is_verb
            .then(|| value_after(clause, rest.get(verb).copied().unwrap_or_default(), false))
            .flatten()
    };
    let noun = rest.get(..verb)?;
    if noun
        .first()
        .is_some_and(|w| matches!(*w, "favorite" | "favourite"))
    {
        let key = format!(
            "preference.favorite_{}",
            fact_key(&noun.get(1..)?.join(" "))
        );
        return stating(
            Category::Preference,
            6,
            &key,
            value_after(clause, rest.get(verb)?, true),
        );
    }
    match noun {
        ["name"] | ["full", "name"] | ["first", "name"] if value.first() == Some(&"not") => None,
        ["name"] | ["full", "name"] | ["first", "name"] => {
            stating(Category::Profile, 9, "profile.name", plain())
        }
        ["birthday"] => stating(
            Category::Profile,
            9,
            "profile.birthday",
            value_after(clause, "is", true),
        ),
        ["job"] | ["job", "title"] | ["occupation"] | ["profession"] => stating(
            Category::Profile,
            8,
            "profile.job",
            value_after(clause, "is", true),
        ),
        ["native", "language"] | ["mother", "tongue"] | ["first", "language"] => {
            stating(Category::Profile, 8, "profile.native_language", plain())
        }
        ["hometown"] => stating(Category::Profile, 8, "profile.location.origin", plain()),
        ["timezone"] | ["time", "zone"] => stating(
            Category::Profile,
            8,
            "profile.timezone",
            value_after(clause, "is", true),
        ),
        _ if noun.iter().any(|w| KIN.contains(w.trim_end_matches("'s"))) => {
            said(Category::Social, 7)
        }
        _ if noun
            .iter()
            .any(|w| is_dated(w) || words!["goal", "plan", "dream", "resolution"].contains(w)) =>
        {
            said(Category::Task, 7)
        }
        _ if noun.iter().any(|w| {
            words![
                "project", "app", "startup", "thesis", "company", "team", "repo", "website"
            ]
            .contains(w)
        }) =>
        {
            said(Category::Project, 6)
        }
        _ if noun
            .iter()
            .any(|w| w.contains("password") || matches!(*w, "keys" | "credentials" | "tokens")) =>
        {
            said(Category::Auth, 8)
        }
        _ if is_verb && noun.len() <= 3 && OWN_NOUNS.contains(head) => said(Category::Profile, 7),
        _ if is_verb && noun.len() <= 3 && value.len() <= 8 && names_value(clause) => {
            said(Category::Profile, 6)
        }
        _ => None,
    }
}

/// Whether what "is" says holds a number or a name.
pub(super) fn names_value(clause: &[Word]) -> bool {
    let value = clause
        .iter()
        .skip_while(|word| !matches!(word.low.as_str(), "is" | "are"))
        .skip(1);
    value.into_iter().any(|word| {
        word.low != "i"
            && word
                .text
                .chars()
                .next()
                .is_some_and(|c| c.is_ascii_digit() || case::is_upper(c))
    })
}

pub(super) fn about_us(rest: &[&str]) -> Option<Match> {
    let object = |n: usize| rest.get(n).copied().unwrap_or_default();
    if let Some(n) = starts_any(rest, DECISIONS) {
        return (!DEICTIC.contains(object(n)) && rest.len() > n)
            .then(|| said(Category::Project, 7))?;
    }
    if let Some(n) = begins(
        rest,
        "use|are using|deploy|host|run|write|work with|build|are building|sell|are a|\
            live in|moved to|moved into|are moving|are getting|are expecting|had our|\
            had a baby|got a|got married|adopted|bought a|have a|have an|have two|have three",
    ) {
        let timed = rest.iter().any(|w| is_time(w));
        let lasting = !DEICTIC.contains(object(n))
            && rest.len() > n
            && !is_passing(rest)
            && !rest
                .iter()
                .any(|w| matches!(*w, "problem" | "question" | "issue"));
        return lasting.then(|| {
            said(
                if timed {
                    Category::Event
                } else {
                    Category::Project
                },
                6,
            )
        })?;
    }
    let plans = begins(
        rest,
        "are going to|plan to|are planning|will|need to|have to|are flying|are traveling|\
            are travelling|are meeting|are launching",
    )
    .is_some();
    (plans && rest.iter().any(|w| is_time(w))).then(|| said(Category::Task, 6))?
}
