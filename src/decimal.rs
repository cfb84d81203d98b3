//! Decimal digits of binary numbers, exactly and both ways. Few of the numbers here have many digits:
//! long arithmetic is fast enough for them, and takes no tables, which weigh 10 KB.

/// More digits than these only say whether the number is a little larger.
const MAX_DIGITS: usize = 800;
/// Below this many digits no two decimals are the same number.
const SAFE_DIGITS: u64 = 1_000_000_000_000_000;
/// Of this many digits the shorter decimals are made.
const LONG_DIGITS: u64 = 1_000_000_000_000_000_000;

/// The number nearest to these digits before and behind the point, times ten to this power.
pub(crate) fn read(whole: &str, part: &str, power: i64) -> f64 {
    let mut digits = Long(Vec::with_capacity(8));
    let (mut count, mut is_more) = (0, false);
    let mut power = power.saturating_sub_unsigned(part.len() as u64);
    for byte in whole.bytes().chain(part.bytes()) {
        let digit = u32::from(byte.wrapping_sub(b'0'));
        if count == MAX_DIGITS {
            is_more |= digit != 0;
            power = power.saturating_add(1);
        } else if count > 0 || digit > 0 {
            digits.times(10, digit);
            count += 1;
        }
    }
    if is_more {
        digits.times(10, 1);
        power = power.saturating_sub(1);
    }
    match power.saturating_add_unsigned(count as u64) {
        _ if count == 0 => 0.0,
        ..-330 => 0.0,
        311.. => f64::INFINITY,
        _ => digits.nearest(power as i32),
    }
}

/// The fewest digits that read as this number, which is above 0, the nearest of them, and their power of ten.
pub(crate) fn shortest(number: f64) -> (u64, i32) {
    let (mut digits, mut power) = short(number).unwrap_or_else(|| long(number));
    while digits % 10 == 0 && digits > 0 {
        digits /= 10;
        power += 1;
    }
    (digits, power)
}

fn short(number: f64) -> Option<(u64, i32)> {
    let mut ten = 1.0;
    for power in 0..=22 {
        let digits = (number * ten + 0.5) as u64;
        if digits >= SAFE_DIGITS {
            return None;
        }
        // Both are exact: their quotient is what the digits read as.
        if digits as f64 / ten == number {
            return Some((digits, -power));
        }
        ten *= 10.0;
    }
    None
}

fn long(number: f64) -> (u64, i32) {
    let (digits, mut power) = start(number);
    let (mut found, mut unit) = ((digits, power), 1);
    while unit < LONG_DIGITS / 10 {
        unit *= 10;
        power += 1;
        let below = digits / unit;
        let is_up = digits % unit >= unit / 2;
        let nearest = below + u64::from(is_up);
        let other = below + u64::from(!is_up);
        let reads = |digits: &u64| Long::of(*digits).nearest(power) == number;
        match [nearest, other].into_iter().find(reads) {
            Some(fewer) => found = (fewer, power),
            None => break,
        }
    }
    found
}

/// The first 18 digits, and their power of ten.
fn start(number: f64) -> (u64, i32) {
    let bits = number.to_bits();
    let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32);
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let log2 = exponent + 63 - mantissa.leading_zeros() as i32;
    let mut power = ((log2 * 1233) >> 12) - 17;
    loop {
        let mut long = Long::of(mantissa);
        if power < 0 {
            long.times_ten(-power);
            long.shift(exponent);
        } else {
            long.shift(exponent);
            long.times_ten(-power);
        }
        let [low, high] = [0, 1].map(|at| u64::from(long.0.get(at).copied().unwrap_or(0)));
        match high << 32 | low {
            digits if digits >= LONG_DIGITS || long.0.len() > 2 => power += 1,
            digits if digits < LONG_DIGITS / 10 => power -= 1,
            digits => return (digits, power),
        }
    }
}

/// A whole number of any length, the lowest part first.
struct Long(Vec<u32>);

impl Long {
    fn of(number: u64) -> Self {
        Self(vec![number as u32, (number >> 32) as u32])
    }

    fn times(&mut self, factor: u32, plus: u32) {
        let mut carry = u64::from(plus);
        for part in &mut self.0 {
            carry += u64::from(*part) * u64::from(factor);
            *part = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    /// Divides; whether there is a rest.
    fn over(&mut self, divisor: u32) -> bool {
        let mut rest = 0;
        for part in self.0.iter_mut().rev() {
            rest = rest << 32 | u64::from(*part);
            *part = (rest / u64::from(divisor)) as u32;
            rest %= u64::from(divisor);
        }
        self.trim();
        rest > 0
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// Multiplies by ten to this power; whether there is a rest.
    fn times_ten(&mut self, power: i32) -> bool {
        let (mut left, mut is_rest) = (power.unsigned_abs(), false);
        while left > 0 {
            let step = left.min(9);
            left -= step;
            if power > 0 {
                self.times(10_u32.pow(step), 0);
            } else {
                is_rest |= self.over(10_u32.pow(step));
            }
        }
        is_rest
    }

    /// Multiplies by two to this power, without a rest.
    fn shift(&mut self, power: i32) {
        let (parts, bits) = (
            power.unsigned_abs() as usize / 32,
            power.unsigned_abs() % 32,
        );
        if power > 0 {
            self.0.splice(0..0, std::iter::repeat_n(0, parts));
            self.times(1 << bits, 0);
        } else {
            self.0.drain(..parts.min(self.0.len()));
            self.over(1 << bits);
        }
    }

    /// The number nearest to this one times ten to this power.
    fn nearest(mut self, power: i32) -> f64 {
        // Room for more bits than a number has, once it is divided.
        let room = match power {
            0.. => 0,
            _ => power.unsigned_abs() as usize * 10 / 3 / 32 + 3,
        };
        self.0.splice(0..0, std::iter::repeat_n(0, room));
        let is_rest = self.times_ten(power);
        self.trim();
        let length = (self.0.len() as i32 - room as i32) * 32;
        let mut parts = self.0.into_iter().rev();
        let mut next = || u64::from(parts.next().unwrap_or(0));
        let (high, low) = (next() << 32 | next(), next());
        let zeros = high.leading_zeros();
        let top = high << zeros | low << zeros >> 32;
        let is_rest =
            is_rest || low << zeros & u64::from(u32::MAX) > 0 || parts.any(|part| part > 0);
        round(top, length - 64 - zeros as i32, is_rest)
    }
}

/// The number nearest to these bits, the first of which is set, times two to this power, and a little more.
fn round(bits: u64, power: i32, is_more: bool) -> f64 {
    let bits = bits | u64::from(is_more);
    let dropped = (-1074 - power).max(11);
    let Some(half) = 1_u64.checked_shl(dropped as u32 - 1) else {
        return 0.0;
    };
    let kept = bits.checked_shr(dropped as u32).unwrap_or(0);
    let rest = bits & ((half - 1) | half);
    let is_up = rest > half || rest == half && kept & 1 == 1;
    let exponent = (power + dropped + 1074) as u64;
    let number = (exponent << 52) + kept + u64::from(is_up);
    f64::from_bits(number.min(f64::INFINITY.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(number: f64) {
        let (digits, power) = shortest(number);
        let number = format!("{number:e}");
        let (mantissa, exponent) = number.split_once('e').unwrap();
        let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i32 = exponent.parse().unwrap();
        let there = (format!("{whole}{part}"), exponent - part.len() as i32);
        assert_eq!((digits.to_string(), power), there, "{number}");
        let read = read(&digits.to_string(), "", power.into());
        assert_eq!(format!("{read:e}"), number);
    }

    #[test]
    fn the_edges_are_exact() {
        for exponent in 0..2047_u64 {
            for fraction in [0, 1, 2, (1 << 52) - 1, (1 << 52) - 2] {
                let number = f64::from_bits(exponent << 52 | fraction);
                if number > 0.0 {
                    check(number);
                }
            }
        }
        for power in -330..320 {
            let there: f64 = format!("1e{power}").parse().unwrap();
            assert_eq!(read("1", "", power), there);
        }
    }

    #[test]
    fn a_tie_goes_to_the_even_number_and_a_digit_far_away_breaks_it() {
        for text in [
            "9007199254740993", "9007199254740995", "2.4703282292062327208e-324",
            "1.7976931348623158079e308", "1.7976931348623158080e308",
        ] {
            for tail in [String::new(), "0".repeat(900), "0".repeat(900) + "1"] {
                let (mantissa, power) = text.split_once('e').unwrap_or((text, "0"));
                let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
                let there: f64 = format!("{whole}.{part}{tail}e{power}").parse().unwrap();
                let read = read(whole, &format!("{part}{tail}"), power.parse().unwrap());
                assert_eq!(read, there, "{text}");
            }
        }
        assert_eq!(read("0", "", i64::MAX), 0.0);
        assert_eq!(read("1", "", i64::MAX), f64::INFINITY);
        assert_eq!(read("1", "", i64::MIN), 0.0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn digits_are_those_of_the_standard_library(bits: u64, whole: u32, part in 0_u32..100_000) {
            let numbers = [f64::from_bits(bits >> 1), f64::from(whole) + f64::from(part) / 1e5];
            for number in numbers.into_iter().filter(|number| number.is_finite() && *number > 0.0) {
                check(number);
                check(f64::from(number as f32).clamp(1e-40, 1e38));
            }
        }

        #[test]
        fn any_digits_are_read(whole in "[0-9]{1,30}", part in "[0-9]{0,30}", power in -400_i64..400) {
            let there: f64 = format!("{whole}.{part}e{power}").parse().unwrap();
            prop_assert_eq!(read(&whole, &part, power), there);
        }
    }
}
