//! The rules on chatty texts, and the guard against texts changed on purpose.

use super::*;
use proptest::prelude::*;
use serde_json::Value;

const ENGLISH: &str = include_str!("../../tests/data/compress_en.json");
const CHINESE: &str = include_str!("../../tests/data/compress_zh.json");

fn cases(json: &str) -> Vec<(String, Vec<String>)> {
    let all: Vec<Value> = serde_json::from_str(json).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    all.iter()
        .map(|case| {
            (
                text(&case["text"]),
                case["keep"].as_array().unwrap().iter().map(text).collect(),
            )
        })
        .collect()
}

fn words(text: &str) -> usize {
    crate::similarity::words::words(text).len()
}

/// The share of words saved on a set, with every property of a compression checked.
fn saved(json: &str, level: Level) -> f64 {
    let (mut before, mut after) = (0, 0);
    for (text, keep) in cases(json) {
        let short = compress(&text, level);
        for item in keep {
            assert!(
                short.text.contains(&item),
                "{level:?} lost {item:?}: {}",
                short.text
            );
        }
        assert!(lost(&text, &short.text).is_empty());
        assert_eq!(compress(&short.text, level).text, short.text);
        assert_eq!(short.removed.is_empty(), short.text == text);
        before += words(&text);
        after += words(&short.text);
    }
    1.0 - after as f64 / before as f64
}

#[test]
fn chatty_texts_get_shorter_and_keep_their_facts() {
    assert!(saved(ENGLISH, Level::Light) > 0.35);
    assert!(saved(ENGLISH, Level::Deep) > 0.35);
    assert!(saved(CHINESE, Level::Light) > 0.15);
    assert!(saved(CHINESE, Level::Deep) > 0.15);
}

#[test]
fn short_texts_and_code_stay() {
    let short = "Thanks so much!!! You're the best! 😀😀";
    assert_eq!(compress(short, Level::Deep).text, short);
    let code = "Really nice! ```\nlet really = really(so, very, great);\n\n\n// thanks, thanks, thanks! hello hello\nlet wow = \"wow!!!\";\n``` > Thanks, that is so so great!!! and more";
    assert!(compress(code, Level::Deep).text.contains(
        "let really = really(so, very, great);\n\n\n// thanks, thanks, thanks! hello hello"
    ));
}

#[test]
fn quoted_lines_and_tables_stay() {
    let text = "> Wow, thanks so much! You are really great! Hello!\n| so cool | so cool |\n| so cool | so cool |\nThanks so much! Hello there! My dog is 3 years old and he sleeps a lot.";
    let short = compress(text, Level::Deep).text;
    assert!(short.starts_with("> Wow, thanks so much! You are really great! Hello!\n| so cool | so cool |\n| so cool | so cool |\n"));
    assert!(
        short.ends_with("\nMy dog is 3 years old and he sleeps a lot."),
        "{short}"
    );
}

#[test]
fn repeats_go_once() {
    let text = "I have 2 cats. They sleep a lot on the sofa by the window in our kitchen. I have 2 cats. My flat is near the river and it is quiet there at night.";
    let short = compress(text, Level::Light);
    assert_eq!(short.text.matches("2 cats").count(), 1);
    assert!(
        short
            .removed
            .iter()
            .any(|r| r.reason == Reason::Repeat && r.text == "I have 2 cats.")
    );
}

#[test]
fn what_a_user_wants_of_an_assistant_is_no_small_talk() {
    for (text, keep) in [
        (
            "Thanks, great! Your answers are too long. Wow, you're really amazing, thank you so much for all of it! I love it! Have a great day, and see you soon!",
            "too long",
        ),
        (
            "Hey! You should always answer in bullet points, okay? That would be awesome, thanks so much, you're the best! Talk to you soon, have a great evening!",
            "always answer in bullet points",
        ),
        (
            "Hi there! Hope you're doing well! Can you recommend a good book on gardening? Thanks so much in advance, you're awesome, I really appreciate it!!!",
            "gardening",
        ),
    ] {
        for level in [Level::Light, Level::Deep] {
            assert!(
                compress(text, level).text.contains(keep),
                "{}",
                compress(text, level).text
            );
        }
    }
}

const SUBJECTS: [&str; 6] = ["I", "My brother", "We", "My boss", "The team", "My aunt"];
/// A sentence with a slot, two values for the slot, and the kind of what changes.
#[rustfmt::skip]
const SLOTS: &[(&str, &str, &str, Kind)] = &[
    ("@ paid {} dollars for the bike", "250", "205", Kind::Number),
    ("@ ran {} km in the rain", "12", "21", Kind::Number),
    ("@ waited in room {} upstairs", "12", "14", Kind::Number),
    ("@ ordered {} chairs for the hall", "twenty-five", "twenty-six", Kind::Number),
    ("@ finished {} in the race", "third", "fourth", Kind::Number),
    ("@ moved there with {} cats", "two", "three", Kind::Number),
    ("@ gave it a rating of {} percent", "85", "58", Kind::Number),
    ("@ saw the dentist at {} today", "3:15 pm", "3:50 pm", Kind::Number),
    ("@ flew home on {} after the fair", "Tuesday", "Thursday", Kind::Date),
    ("@ signed the lease on {} 8", "May", "June", Kind::Date),
    ("@ met the agent {} at noon", "yesterday", "tomorrow", Kind::Date),
    ("@ started the course {} week", "last", "next", Kind::Date),
    ("@ travelled with {} to the coast", "Nadia", "Olga", Kind::Name),
    ("@ moved to {} for good", "Hamburg", "Dresden", Kind::Name),
    ("@ works at {} in the lab", "Globex", "Initech", Kind::Name),
    ("@ had dinner with Dr. {} and others", "Ortega", "Mendes", Kind::Name),
    ("@ did{} sell the old house", " not", "", Kind::Negation),
    ("@ can{} eat shellfish anymore", " not", "", Kind::Negation),
    ("@ will{} join the trip", " never", "", Kind::Negation),
    ("@ left with{} paying the bill", "out", "", Kind::Negation),
    ("@ have{} flights on Sundays", " no", "", Kind::Negation),
    ("@ said {} to the guard", "\"open the gate\"", "\"close the gate\"", Kind::Quote),
    ("@ read the file {} twice", "/etc/app.conf", "/etc/old.conf", Kind::Link),
    ("@ wrote to {} about it", "ann@example.org", "bob@example.org", Kind::Link),
    ("@ {} olives on pizza", "love", "hate", Kind::Preference),
    ("@ {} go to the lake", "might", "", Kind::Modality),
    ("@ {} smoke a pipe", "used to", "", Kind::Modality),
    ("@ {} fly to Rome in May", "plan to", "", Kind::Modality),
    ("@ eat fish {} on holidays", "only", "", Kind::Condition),
    ("@ stay home {} it rains", "if", "when", Kind::Condition),
    ("@ work every day {} Friday", "except", "and", Kind::Condition),
    ("@ sleep here {} the roof is done", "until", "while", Kind::Condition),
];
#[rustfmt::skip]
const CHINESE_SLOTS: &[(&str, &str, &str, Kind)] = &[
    ("我昨天花了{}买自行车", "二百五十块", "二百零五块", Kind::Number),
    ("他跑了{}公里才停下", "十二", "二十一", Kind::Number),
    ("会议在{}号会议室开", "302", "203", Kind::Number),
    ("她养了{}只猫和一条狗", "两", "三", Kind::Number),
    ("孩子今年{}岁了", "六", "七", Kind::Number),
    ("折扣是百分之{}左右", "三十", "四十", Kind::Number),
    ("我们{}去看牙医", "周三", "周四", Kind::Date),
    ("他{}搬到这里来的", "去年", "今年", Kind::Date),
    ("合同{}到期", "下个月", "上个月", Kind::Date),
    ("我和朋友{}一起吃饭", "王小明", "李小红", Kind::Name),
    ("她搬到{}工作了", "杭州", "苏州", Kind::Name),
    ("他在{}读书", "浙江大学", "复旦大学", Kind::Name),
    ("我{}吃海鲜", "不", "", Kind::Negation),
    ("他{}去过那个公园", "没", "", Kind::Negation),
    ("你{}告诉她这件事", "别", "", Kind::Negation),
    ("她{}吃辣的火锅", "喜欢", "讨厌", Kind::Preference),
    ("我{}换工作", "打算", "", Kind::Modality),
    ("他{}会迟到", "可能", "", Kind::Modality),
    ("我{}喝热牛奶", "只", "", Kind::Condition),
    ("{}周一他都在家", "除了", "", Kind::Condition),
    ("他说“{}”然后走了", "今天不营业", "今天照常营业", Kind::Quote),
];

/// Each sentence changed, and with what it says left out.
fn mutants() -> Vec<(String, String, Kind)> {
    let mut out = Vec::new();
    for (frame, one, other, kind) in SLOTS {
        for subject in SUBJECTS {
            let told = |value: &str| {
                let said = frame
                    .replace('@', subject)
                    .replace("{}", value)
                    .replace("  ", " ");
                format!("So yeah, the weather was nice. {said}. The garden looked green.")
            };
            out.push((told(one), told(other), *kind));
            if !other.is_empty() {
                out.push((told(other), told(one), *kind));
                out.push((told(one), told(""), *kind));
            }
        }
    }
    for (frame, one, other, kind) in CHINESE_SLOTS {
        let told =
            |value: &str| format!("天气很好。{}。院子里开满了花。", frame.replace("{}", value));
        out.push((told(one), told(other), *kind));
        out.push((told(other), told(one), *kind));
        out.push((told(one), told(""), *kind));
    }
    out
}

#[test]
fn the_guard_sees_what_was_changed() {
    let all = mutants();
    let missed: Vec<_> = all
        .iter()
        .filter(|(old, new, _)| lost(old, new).is_empty())
        .collect();
    println!("missed {} of {}", missed.len(), all.len());
    for miss in &missed {
        println!("{miss:?}");
    }
    assert!(missed.len() * 50 <= all.len());
}

#[test]
fn the_guard_lets_harmless_changes_pass() {
    let mut alarms = Vec::new();
    let mut count = 0;
    let openers = ["Well, ", "Haha, ", "By the way, ", "You know, ", "Oh wow, "];
    let closers = [
        " Thanks so much!", " Have a great day!", " You're awesome!", " 😀😀",
        " Isn't that cool, right?",
    ];
    for (frame, one, other, _) in SLOTS {
        for (subject, (open, close)) in SUBJECTS.iter().zip(openers.iter().zip(closers)) {
            for value in [one, other] {
                let said = frame
                    .replace('@', subject)
                    .replace("{}", value)
                    .replace("  ", " ");
                let mut chars = said.chars();
                let lower: String = match chars.next() {
                    Some(first) if *subject != "I" => first.to_lowercase().chain(chars).collect(),
                    _ => said.clone(),
                };
                count += 1;
                let chatty = format!("{open}{lower}.{close}");
                if !lost(&chatty, &format!("{said}.")).is_empty() {
                    alarms.push((chatty, said));
                }
            }
        }
    }
    for (frame, one, other, _) in CHINESE_SLOTS {
        for value in [one, other] {
            let said = frame.replace("{}", value);
            count += 1;
            let chatty = format!("哈哈，说实话，{said}啊！谢谢你呀！");
            if !lost(&chatty, &format!("{said}。")).is_empty() {
                alarms.push((chatty, said));
            }
        }
    }
    println!("alarms {} of {count}", alarms.len());
    for alarm in &alarms {
        println!("{alarm:?} {:?}", lost(&alarm.0, &alarm.1));
    }
    assert!(alarms.len() * 50 <= count);
}

#[test]
fn other_ways_to_say_the_same_pass() {
    for (old, new) in [
        (
            "I do not eat meat, I've lived in Rome since 2019.",
            "I don't eat meat. I have lived in Rome since 2019.",
        ),
        (
            "So, I really love hiking, and I have two dogs!",
            "I love hiking and have 2 dogs.",
        ),
        (
            "The price was $1,200, which is 5% more.",
            "Price: $1200, 5 percent more.",
        ),
        (
            "I may visit Anna on May 8th.", "I might visit Anna on May 8.",
        ),
        (
            "我今年三十五岁，一共花了两万五。",
            "我今年35岁，花了25000。",
        ),
        ("会议是星期三下午三点", "会议：周三下午3点"),
        ("I’m free at 5:00 pm", "I'm free at 5 pm"),
    ] {
        assert!(
            lost(old, new).is_empty(),
            "{old} / {new}: {:?}",
            lost(old, new)
        );
    }
}

#[test]
fn the_guard_sees_swaps_and_inventions() {
    for (old, new) in [
        ("Ann beat Bob yesterday.", "Bob beat Ann yesterday."),
        (
            "I slept 2 hours and worked 3 hours.", "I slept 3 hours and worked 2 hours.",
        ),
        (
            "I like tea but do not like coffee.", "I like coffee but do not like tea.",
        ),
        (
            "I met a friend at the station.", "I met Peter at the station.",
        ),
        ("The trip was long.", "The trip took 9 hours."),
        ("I eat fish.", "I never eat fish."),
        ("I live in Rome.", "I might live in Rome."),
        ("她住在杭州。", "她住在杭州，今年三十岁。"),
        ("Room 12 is on floor 21.", "Room 21 is on floor 12."),
    ] {
        assert!(!lost(old, new).is_empty(), "{old} / {new}");
    }
}

#[test]
fn hostile_texts_take_linear_time() {
    for seed in [
        "(", "'", "\"", "`", "not ", "no anymore ", "1.", "1,", "one hundred ", "A ", "Ann, ",
        "a@", "真", "王小", "三", "？", "“", "you ", "you are so ", "thanks ", "haha! ", "\n",
        "- ", "x.", "如果", "I am so ", "😀", "2023-", "#", "a-", "really ", "``` ", "Is it you? ",
        "\u{301}", "The fact ", "！", "不", "那个", "a'b ",
    ] {
        let text = seed.repeat((1 << 14) / seed.len());
        for level in [Level::Light, Level::Deep] {
            let short = compress(&text, level);
            assert!(short.text.len() <= text.len());
        }
        lost(&text, &text.replace('a', "b"));
        lost(&format!("{text}Ann said 5"), &text);
    }
}

const PARTS: [&str; 24] = [
    "I", "don't", "really", "like", "Ann", ",", ".", "!", "5", "km", "so", "great", "you",
    "thanks", "\"", "our", "that", "is", "?", "because", "不", "我", "真的", "，",
];

proptest! {
    #[test]
    fn any_text_is_safe(text in "\\PC{0,400}") {
        for level in [Level::Light, Level::Deep] {
            let short = compress(&text, level);
            prop_assert!(short.text.chars().count() <= text.chars().count());
            prop_assert!(lost(&text, &short.text).is_empty());
            prop_assert_eq!(&compress(&short.text, level).text, &short.text);
        }
        prop_assert!(lost(&text, &text).is_empty());
        let _ = accept(&text, &text);
    }

    #[test]
    fn chatter_is_safe(parts in proptest::collection::vec(0..PARTS.len(), 0..120)) {
        let text: Vec<&str> = parts.iter().map(|at| PARTS[*at]).collect();
        let text = text.join(" ");
        for level in [Level::Light, Level::Deep] {
            let short = compress(&text, level);
            prop_assert!(short.text.chars().count() <= text.chars().count());
            prop_assert!(lost(&text, &short.text).is_empty());
            prop_assert_eq!(&compress(&short.text, level).text, &short.text);
        }
    }
}
