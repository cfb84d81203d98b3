//! The inner loops of recall. A crate of its own because it is compiled for speed, and the rest for
//! size.

/// The dot product of signed bytes; exact up to 131,072 of them. What is longer than the other counts
/// only as far as that goes.
pub fn dot(a: &[i8], b: &[i8]) -> i32 {
    let products = a.iter().zip(b);
    products
        .map(|(x, y)| i32::from(i16::from(*x) * i16::from(*y)))
        .fold(0, i32::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::dot;

    #[test]
    fn products_of_the_largest_components_are_exact() {
        assert_eq!(dot(&[-128; 8_192], &[-128; 8_192]), 8_192 * 128 * 128);
        assert_eq!(dot(&[127, 3], &[-128]), -127 * 128);
    }
}
