use super::*;
use crate::index::{Bm25, Entry, Seen};

struct Talk {
    lexical: Lexical,
    places: Places,
}

/// Texts with the session each was said in, in the order of the talk.
fn talk(texts: &[(u32, &str)]) -> Talk {
    let mut lexical = Lexical::new(Bm25::default());
    let mut places = Places::new();
    for (doc, (session, text)) in (0u32..).zip(texts) {
        let entry = Entry {
            text,
            session: Some(*session),
            ..Entry::default()
        };
        lexical.add(doc, &entry, &mut Seen::default());
        places.insert(doc, *session, doc);
    }
    Talk { lexical, places }
}

impl Talk {
    fn ask(&self, question: &str, near: &[Hit], may_read: &dyn Fn(u32) -> bool) -> Ranking {
        let asking = Asking {
            like: &|_, docs| vec![0.0; docs.len()],
            question,
            times: AskedTimes::of(question, 0),
            near,
            may_read,
        };
        rank(&self.lexical, &self.places, &asking, &Tuning::default())
    }

    fn docs(&self, question: &str) -> Vec<u32> {
        let ranking = self.ask(question, &[], &|_| true);
        ranking.hits.iter().map(|hit| hit.doc).collect()
    }
}

#[test]
fn an_answer_without_the_words_is_found_beside_the_question() {
    let talk = talk(&[
        (0, "Bo: Which instrument do you play?"),
        (0, "Ann: The cello, since school."),
        (1, "Bo: It rained."),
        (1, "Ann: Here too."),
    ]);
    assert_eq!(talk.docs("instrument"), [0, 1]);
}

#[test]
fn words_around_complete_what_a_text_says() {
    let talk = talk(&[
        (0, "Ann: We went camping."),
        (0, "Bo: At the beach?"),
        (1, "Ann: Camping gear is dear."),
        (2, "Bo: The beach was empty."),
    ]);
    let docs = talk.docs("camping at the beach");
    assert!(
        docs.starts_with(&[0, 1]) || docs.starts_with(&[1, 0]),
        "{docs:?}"
    );
}

#[test]
fn the_session_that_speaks_of_it_all_comes_first() {
    let talk = talk(&[
        (0, "Ann: the violin teacher"),
        (1, "Ann: the violin"),
        (1, "Bo: how nice"),
        (1, "Bo: hm"),
        (1, "Bo: well"),
        (
            1,
            "Ann: lessons with my teacher, on Mondays, for the concert",
        ),
        (2, "Ann: a concert hall"),
    ]);
    let ranking = talk.ask("violin lessons concert", &[], &|_| true);
    let sessions: Vec<u32> = ranking
        .sessions
        .iter()
        .map(|(session, _)| *session)
        .collect();
    assert_eq!(sessions[0], 1);
    assert!(
        ranking
            .sessions
            .iter()
            .all(|(_, fit)| (0.0..=1.0).contains(fit))
    );
}

#[test]
fn what_may_not_be_read_bears_on_nothing() {
    let texts = [
        (0, "Ann: the secret garden"),
        (0, "Bo: roses"),
        (1, "Ann: a garden"),
    ];
    let near = [Hit { doc: 0, score: 0.9 }];
    let ranking = talk(&texts).ask("secret garden", &near, &|doc| doc != 0);
    assert_eq!(
        ranking.hits.iter().map(|hit| hit.doc).collect::<Vec<_>>(),
        [2]
    );
    assert_eq!(ranking.sessions.len(), 1);
}

#[test]
fn meaning_finds_what_shares_no_word() {
    let talk = talk(&[(0, "Ann: I adore cats"), (1, "Bo: it rained")]);
    let near = [Hit { doc: 0, score: 0.4 }];
    let ranking = talk.ask("favourite pet", &near, &|_| true);
    assert_eq!(ranking.hits.len(), 1);
    assert!((ranking.hits[0].score - 0.4).abs() < 1e-9);
}

#[test]
fn a_repeat_of_the_question_changes_nothing() {
    let texts: Vec<(u32, String)> = (0..400)
        .map(|n| (n / 20, format!("word{} tea", n % 7)))
        .collect();
    let texts: Vec<(u32, &str)> = texts.iter().map(|(s, t)| (*s, t.as_str())).collect();
    let talk = talk(&texts);
    let first = talk.ask("tea word3", &[], &|_| true);
    assert_eq!(first, talk.ask("tea word3", &[], &|_| true));
    assert!(first.hits.is_sorted_by(|a, b| a.rank(b).is_lt()));
    assert!(
        first
            .hits
            .iter()
            .all(|hit| hit.score > 0.0 && hit.score <= 1.0)
    );
}

#[test]
fn what_is_of_the_time_that_is_named_comes_first() {
    let mut lexical = Lexical::new(Bm25::default());
    for (doc, beside) in [(0, "2022-07-03"), (1, "2023-12-11")] {
        let entry = Entry {
            text: "Ann told about her film",
            beside,
            is_timed: doc == 0,
            ..Entry::default()
        };
        lexical.add(doc, &entry, &mut Seen::default());
    }
    let talk = Talk {
        lexical,
        places: Places::new(),
    };
    assert_eq!(talk.docs("Which film did Ann tell about?"), [0, 1]);
    assert_eq!(
        talk.docs("Which film did Ann tell about on 11 December, 2023?"),
        [1, 0]
    );
    assert_eq!(talk.docs("Which film was it in December 2023?"), [1, 0]);
    let scores = |question| talk.ask(question, &[], &|_| true).hits;
    let when = scores("When did Ann tell about her film?");
    let what = scores("What did Ann tell about her film?");
    assert!(when[0].score > when[1].score && what[0].score == what[1].score);
}

#[test]
fn what_is_like_the_first_hits_is_found_before_what_is_not() {
    let talk = talk(&[
        (0, "Ann adopted a greyhound"),
        (1, "Bo paints the fence"),
        (2, "Juniper sleeps all day"),
    ]);
    let near = [
        Hit { doc: 0, score: 0.8 },
        Hit { doc: 1, score: 0.2 },
        Hit {
            doc: 2,
            score: 0.19,
        },
    ];
    let docs = |like: &Likeness| -> Vec<u32> {
        let asking = Asking {
            like,
            question: "Which greyhound did Ann adopt?",
            times: AskedTimes::default(),
            near: &near,
            may_read: &|_| true,
        };
        let ranking = rank(&talk.lexical, &talk.places, &asking, &Tuning::default());
        ranking.hits.iter().map(|hit| hit.doc).collect()
    };
    assert_eq!(docs(&|_, docs| vec![0.0; docs.len()]), [0, 1, 2]);
    let like = |first: &[Hit], docs: &[u32]| -> Vec<f64> {
        assert_eq!(first.first().map(|hit| hit.doc), Some(0));
        docs.iter()
            .map(|doc| f64::from(u8::from(*doc == 2)))
            .collect()
    };
    assert_eq!(docs(&like), [0, 2, 1]);
}
