//! Sorted word lists kept as one text each: small in the module, searched in logarithmic time.

/// How a list stands to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    /// The key is an entry.
    Whole,
    /// An entry begins with the key.
    Start,
    /// Neither.
    Nothing,
}

/// Looks a key up in a sorted list with bars between the entries.
pub(crate) fn find(list: &str, key: &str) -> Found {
    let entry = seek(list, &|entry| entry < key);
    if key.is_empty() || !entry.starts_with(key) {
        Found::Nothing
    } else if entry.len() == key.len() {
        Found::Whole
    } else {
        Found::Start
    }
}

/// What a key stands for in a sorted list of `key=value`.
pub(crate) fn value<'l>(list: &'l str, key: &str) -> Option<&'l str> {
    let key_bytes = key.as_bytes();
    let is_before = |entry: &str| match entry.as_bytes().split_at_checked(key.len()) {
        None => entry < key,
        Some((head, tail)) => head < key_bytes || head == key_bytes && tail < b"=".as_slice(),
    };
    seek(list, &is_before).strip_prefix(key)?.strip_prefix('=')
}

/// Each key with what it stands for.
pub(crate) fn pairs(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.split('|').map(pair)
}

fn pair(entry: &str) -> (&str, &str) {
    entry.split_once('=').unwrap_or((entry, ""))
}

/// The first entry that is not before what is looked for.
#[inline(never)]
fn seek<'l>(list: &'l str, is_before: &dyn Fn(&str) -> bool) -> &'l str {
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
        if is_before(entry) {
            low = start + entry.len() + 1;
        } else {
            high = start;
        }
    }
    entry(list, low)
}

/// Whether the list has the entry.
pub(crate) fn has(list: &str, key: &str) -> bool {
    find(list, key) == Found::Whole
}

fn entry(list: &str, start: usize) -> &str {
    let rest = list.get(start..).unwrap_or_default();
    let end = rest.bytes().position(|byte| byte == b'|');
    end.and_then(|end| rest.get(..end)).unwrap_or(rest)
}

#[cfg(test)]
pub(crate) fn is_sorted(list: &str) -> bool {
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
        assert_eq!(value("a=1|ab=2|b=", "b"), Some(""));
        assert_eq!(value("a b=1|a=2|ab=3", "a"), Some("2"));
        assert!(pairs("a=1|b=2").eq([("a", "1"), ("b", "2")]));
        assert_eq!(value("a=1|ab=2", "b"), None);
    }
}
