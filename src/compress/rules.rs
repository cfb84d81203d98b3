//! r
pub(super) fn is_feeling(_: &str) -> bool {
    true
}
