//! The inputs of all tests: the cases of conformance, and each text of the sources that begins as a
//! game.

use std::collections::BTreeSet;
use std::fs;

use super::common::{conformance, paths_below, root};

/// Folders with sources and pages.
const FOLDERS: [&str; 8] = [
    "src",
    "crates",
    "tests",
    "docs",
    "fuzz/src",
    "fuzz/seeds",
    "python",
    "web",
];

/// Maximum size of a source. Larger files are generated.
const SOURCE_MAX: usize = 1 << 20;

/// Returns all cases, each once and sorted.
pub(crate) fn cases() -> Vec<Vec<u8>> {
    let mut found = BTreeSet::new();
    let folders = FOLDERS.map(|folder| root().join(folder));
    for path in folders
        .into_iter()
        .flat_map(|folder| paths_below(&folder, 1))
    {
        let is_built = path
            .components()
            .any(|part| matches!(part.as_os_str().to_str(), Some("target" | "node_modules")));
        let is_source = path.extension().is_some_and(|end| {
            ["rs", "py", "mjs", "ts", "md"]
                .iter()
                .any(|known| end == *known)
        });
        if is_source && !is_built {
            let source = fs::read(&path).expect("a readable file");
            found.extend(literals(&source[..source.len().min(SOURCE_MAX)]));
        }
    }
    found.extend(conformance::inputs());
    found.into_iter().collect()
}

/// Returns the texts that begin with `(;`, from the character before it (`"`, `'` or ``
/// ` ``) to its next occurrence.
fn literals(source: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(at) = rest
        .windows(3)
        .position(|bytes| matches!(bytes, [b'"' | b'\'' | b'`', b'(', b';']))
    {
        let quote = rest[at];
        let mut text = Vec::new();
        rest = &rest[at + 1..];
        while let Some((&byte, after)) = rest.split_first() {
            rest = after;
            if byte == quote {
                break;
            }
            if byte != b'\\' || quote == b'`' {
                text.push(byte);
                continue;
            }
            let Some((&escaped, after)) = rest.split_first() else {
                break;
            };
            rest = after;
            match escaped {
                b'n' => text.push(b'\n'),
                b'r' => text.push(b'\r'),
                b't' => text.push(b'\t'),
                b'\n' => rest = rest.trim_ascii_start(),
                b'x' => {
                    let digits = str::from_utf8(&rest[..2.min(rest.len())]).unwrap_or_default();
                    text.extend(u8::from_str_radix(digits, 16).ok());
                    rest = &rest[2.min(rest.len())..];
                }
                byte => text.push(byte),
            }
        }
        found.push(text);
    }
    found
}
