use super::*;
use proptest::prelude::*;
use serde_json::json;

proptest! {
    #[test]
    fn a_number_is_what_its_digits_say(
        text in "[+-]?[0-9]{0,25}(\\.[0-9]{0,25})?([eE][+-]?[0-9]{0,4})?", number: f64,
    ) {
        prop_assert_eq!(super::number(&text), text.parse().ok(), "{}", text);
        let text = number.to_string();
        let bits = |number: Option<f64>| number.map(f64::to_bits);
        prop_assert_eq!(bits(super::number(&text)), bits(text.parse().ok()));
    }

    #[test]
    fn a_value_is_read_as_it_was(
        text in any::<String>(), float: f64, whole: i64, large: u64, names: Vec<String>,
    ) {
        let mut value = json!({ "a": [text, null, { "b": whole }], "c": large, "d": [], "e": float });
        for name in names {
            value[&name] = json!(name);
        }
        prop_assert_eq!(&lenient::<Value>(&value).unwrap(), &value);
        prop_assert_eq!(json(&value.to_string()).unwrap(), value);
    }

    #[test]
    fn json_is_what_serde_json_takes_for_it(
        characters in "[\\[\\]{}:,\"\\\\/0-9eE+.\\-ntfu \n\u{1}é]{0,9}", parts in proptest::collection::vec(part(), 0..12),
    ) {
        for text in [characters, parts.concat()] {
            prop_assert_eq!(json(&text), serde_json::from_str(&text).ok(), "{}", text);
        }
    }
}

fn part() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "[", "]", "[", "]", "{", "}", "{\"a\":", "\"b\"", ":", ",", ",", " ", "\n", "null",
            "true", "false", "0", "-0", "-", "12", "9223372036854775808", "18446744073709551616",
            ".5", "e9", "E+2", "e-400", "1e308", "\"", "\\", "\\u", "\\ud83d", "\\ude00",
            "\"\\ud83d\\ude00\"", "00e9", "\\n", "😀", "é", "\t",
        ][..],
    )
}

#[test]
fn json_nests_as_deep_as_it_does_in_serde_json() {
    for depth in [126, 127, 128] {
        let text = ["[".repeat(depth), "]".repeat(depth)].concat();
        assert_eq!(json(&text), serde_json::from_str(&text).ok());
        let text = ["{\"a\":".repeat(depth), "1".to_owned(), "}".repeat(depth)].concat();
        assert_eq!(json(&text), serde_json::from_str(&text).ok());
    }
}

#[derive(Debug, PartialEq, Read)]
#[serde(rename_all = "camelCase")]
struct Thing {
    one_id: String,
    #[serde(default)]
    many: Vec<(u8, Option<Way>)>,
    #[serde(default)]
    other: Option<Box<Thing>>,
}

#[derive(Debug, PartialEq, Read)]
#[serde(rename_all = "snake_case")]
enum Way {
    UpHill,
    Down,
}

#[test]
fn types_are_read_whatever_the_order_of_their_fields() {
    let thing: Thing = strict(&json!({
        "other": { "many": [], "oneId": "b" },
        "many": [[1, "up_hill"], [2, null]],
        "oneId": "a",
    }))
    .unwrap();
    assert_eq!(thing.many, [(1, Some(Way::UpHill)), (2, None)]);
    assert_eq!(thing.other.unwrap().one_id, "b");
}

#[test]
fn faults_say_what_and_where() {
    let fault = |value: Value| {
        let fault = strict::<Thing>(&value).unwrap_err();
        format!("{} at {}", fault, fault.path())
    };
    assert_eq!(fault(json!({})), "missing field `oneId` at .");
    assert_eq!(
        fault(json!({ "oneId": "a", "other": { "oneId": 7 } })),
        "invalid type: integer `7`, expected a string at other.oneId"
    );
    assert_eq!(
        fault(json!({ "oneId": "a", "many": [[1, null], [300, null]] })),
        "invalid value: integer `300`, expected u8 at many[1][0]"
    );
    assert_eq!(
        fault(json!({ "oneId": "a", "many": [[1, "up"]] })),
        "unknown variant `up`, expected `up_hill` or `down` at many[0][1]"
    );
    assert_eq!(
        fault(json!({ "oneId": "a", "many": [[1]] })),
        "invalid length 1, expected a tuple of size 2 at many[0]"
    );
    assert_eq!(
        fault(json!({ "oneId": "a", "other": { "oneId": "b", "two": 2 } })),
        "unknown field `two`, expected one of `oneId`, `many`, `other` at other.two"
    );
    assert_eq!(
        fault(json!([])),
        "invalid type: sequence, expected struct Thing at ."
    );
    assert!(lenient::<Thing>(&json!({ "oneId": "a", "two": 2 })).is_ok());
}
