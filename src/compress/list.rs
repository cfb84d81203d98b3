//! Sorted word lists kept as one text each: small in the module, searched in logarithmic time.

/// How a list stands to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The key is an entry.
    Whole,
    /// An entry begins with the key.
    Start,
    /// Neither.
    Nothing,
}

/// Looks a key up in a sorted list with bars between the entries.
pub(super) fn find(list: &str, key: &str) -> Found {
    let entry = seek(list, key);
    if key.is_empty() || !entry.starts_with(key) {
        Found::Nothing
    } else if entry.len() == key.len() {
        Found::Whole
    } else {
        Found::Start
    }
}

/// What a key stands for in a sorted list of `key=value`.
pub(super) fn value<'l>(list: &'l str, key: &str) -> Option<&'l str> {
    let key = format!("{key}=");
    seek(list, &key).strip_prefix(key.as_str())
}

/// The first entry that is not before the key.
fn seek<'l>(list: &'l str, key: &str) -> &'l str {
    let bytes = list.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let start = bytes
            .get(..middle)
            .and_then(|head| head.iter().rposition(|b| *b == b'|'))
            .map_or(0, |bar| bar + 1)
            .max(low);
        let entry = entry(list, start);
        if entry < key {
            low = start + entry.len() + 1;
        } else {
            high = start;
        }
    }
    entry(list, low)
}

/// Whether the list has the entry.
pub(super) fn has(list: &str, key: &str) -> bool {
    find(list, key) == Found::Whole
}

fn entry(list: &str, start: usize) -> &str {
    let rest = list.get(start..).unwrap_or_default();
    rest.split('|').next().unwrap_or_default()
}

#[cfg(test)]
pub(super) fn is_sorted(list: &str) -> bool {
    let entries: Vec<&[u8]> = list.split('|').map(str::as_bytes).collect();
    entries.is_sorted_by(|a, b| a < b) && entries.iter().all(|entry| !entry.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_entry_and_nothing_else() {
        let list = "a|a b|ab|b|ca|cab|d";
        assert!(is_sorted(list));
        for entry in list.split('|') {
            assert!(has(list, entry), "{entry}");
        }
        for (key, found) in [
            ("a ", Found::Start),
            ("c", Found::Start),
            ("", Found::Nothing),
            ("e", Found::Nothing),
            ("A", Found::Nothing),
            ("a c", Found::Nothing),
            ("|", Found::Nothing),
        ] {
            assert_eq!(find(list, key), found, "{key}");
        }
        assert!(!has("", "a"));
        assert_eq!(value("a=1|ab=2|b=", "ab"), Some("2"));
        assert_eq!(value("a=1|ab=2", "b"), None);
    }
}
