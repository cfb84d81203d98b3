use super::*;
use proptest::prelude::*;
use serde_json::json;

proptest! {
    #[test]
    fn floats_are_written_as_serde_json_writes_them(bits: u64, exponent in -30..30, whole: i32) {
        let scaled = f64::from(whole) * libm::pow(10.0, f64::from(exponent));
        for number in [f64::from_bits(bits), scaled, f64::from(whole)] {
            prop_assert_eq!(text(&number), serde_json::to_string(&number).unwrap());
        }
    }

    #[test]
    fn texts_and_numbers_are_written_as_serde_json_writes_them(
        string in any::<String>(), low in "[\\x00-\\x7f]*", number: i64, large: u64,
    ) {
        let all = (&string, &low, number, large, [&low], json!({ &string: [low, null], "b": {} }));
        prop_assert_eq!(text(&all), serde_json::to_string(&all).unwrap());
        prop_assert_eq!(value(&all), serde_json::to_value(&all).unwrap());
    }
}

#[test]
fn numbers_at_the_edges_are_written_as_serde_json_writes_them() {
    let edges = [
        0.0,
        -0.0,
        1e-5,
        9.999_999e-6,
        1e15,
        1e16,
        9_999_999_999_999_998.0,
        1e17,
        5e-324,
        f64::MAX,
        f64::NAN,
        f64::INFINITY,
        1.0 / 3.0,
        0.1 + 0.2,
        123_456_789_012_345_680.0,
    ];
    for number in edges {
        assert_eq!(text(&number), serde_json::to_string(&number).unwrap());
    }
    assert_eq!(text(&i64::MIN), i64::MIN.to_string());
    assert!(Writer::of(&(1u64 << 53)).is_beyond_js);
    assert!(!Writer::of(&(1 - (1i64 << 53))).is_beyond_js);
}
