//! Tables of upper and lower case, taken from the standard library: as runs of letters they are a
//! tenth of its own, which list every letter.

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let lower = |c: char| -> Vec<char> { c.to_lowercase().collect() };
    let upper = |c: char| -> Vec<char> { c.to_uppercase().collect() };
    // Of letters with the same lower case the first: their upper case, but for odd ones.
    let mut inverse = BTreeMap::new();
    for c in char::MIN..=char::MAX {
        if let [to] = *lower(c)
            && to != c
        {
            inverse.entry(to).or_insert(c);
        }
    }
    let tables = [
        runs("LOWER", lower),
        odd_upper(upper, |c| inverse.get(&c).copied().unwrap_or(c)),
        spans("CASED", is_cased),
        spans("IGNORABLE", |c| !is_cased(c) && is_final_after(&['a', c])),
        spans("ODD_UPPER", |c| c.is_uppercase() != (lower(c) != [c])),
        spans("ODD_LOWER", |c| c.is_lowercase() != (upper(c) != [c])),
    ];
    let out = env::var_os("OUT_DIR").ok_or("no OUT_DIR")?;
    std::fs::write(Path::new(&out).join("case.rs"), tables.concat())?;
    Ok(())
}

/// A sigma at the end of a word is another letter: behind cased letters, and what is ignored behind them.
fn is_cased(c: char) -> bool {
    is_final_after(&[c])
}

fn is_final_after(before: &[char]) -> bool {
    let text: String = before.iter().chain(&['Σ']).collect();
    text.to_lowercase().ends_with('ς')
}

/// Letters whose other case is as far away, one after the other or every second: for each plane of
/// Unicode the first letters of the runs, by how many steps the last ones follow, and the place in a
/// list of how long a step is and how far away the other case is.
fn runs(name: &str, other: fn(char) -> Vec<char>) -> String {
    let mut runs: Vec<(u32, u32, u32, i64)> = Vec::new();
    for c in char::MIN..=char::MAX {
        let [to] = *other(c) else { continue };
        let (c, to) = (u32::from(c), u32::from(to));
        let by = i64::from(to) - i64::from(c);
        match runs.last_mut() {
            _ if by == 0 => {}
            Some((first, last, step, of))
                if *of == by && (c - *last == *step || first == last && c - *last <= 2) =>
            {
                *step = c - *last;
                *last = c;
            }
            _ => runs.push((c, c, 1, by)),
        }
    }
    let mut ways: Vec<_> = runs.iter().map(|(.., step, by)| (*step, *by)).collect();
    ways.sort_unstable();
    ways.dedup();
    let planes = [0, 1].map(|plane| {
        let runs = runs.iter().filter(|(first, ..)| first >> 16 == plane);
        let (mut firsts, mut counts, mut way) = (Vec::new(), Vec::new(), Vec::new());
        for (first, last, step, by) in runs {
            firsts.push(first & 0xffff);
            counts.push((last - first) / step);
            way.push(ways.iter().position(|way| *way == (*step, *by)));
        }
        let way: Vec<usize> = way.into_iter().flatten().collect();
        format!("Plane {{ firsts: &{firsts:?}, counts: &{counts:?}, ways: &{way:?} }}")
    });
    let planes = planes.join(", ");
    format!("pub(super) const {name}: &Runs = &Runs {{ planes: [{planes}], ways: &{ways:?} }};\n")
}

/// Characters whose upper case is not the letter that they are the lower case of, each before its own,
/// with bars between.
fn odd_upper(upper: fn(char) -> Vec<char>, inverse: impl Fn(char) -> char) -> String {
    let is_odd = |c: &char| upper(*c) != [inverse(*c)];
    let entry = |c: char| [vec![c], upper(c)].concat().into_iter().collect();
    let entries: Vec<String> = (char::MIN..=char::MAX).filter(is_odd).map(entry).collect();
    format!("pub(super) const ODD: &str = {:?};\n", entries.join("|"))
}

/// Which characters are so: how many are not, how many are, and so on, in LEB128.
fn spans(name: &str, is: impl Fn(char) -> bool) -> String {
    let mut bytes = Vec::new();
    let (mut so, mut count) = (false, 0u32);
    let mut put = |mut count: u32| {
        while count > 127 {
            bytes.push(count as u8 | 128);
            count >>= 7;
        }
        bytes.push(count as u8);
    };
    for code in 0..=u32::from(char::MAX) {
        if char::from_u32(code).is_some_and(&is) != so {
            put(count);
            (so, count) = (!so, 0);
        }
        count += 1;
    }
    format!("pub(super) const {name}: &[u8] = &{bytes:?};\n")
}
