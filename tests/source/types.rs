//! Names of public types: one name has one meaning in all libraries.

use std::collections::BTreeMap;

use super::rust_files;

const LIBRARIES: [&str; 9] = [
    "src",
    "crates/game/src",
    "crates/adapt/src",
    "crates/table/src",
    "crates/open/src",
    "crates/archive/src",
    "crates/engine/src",
    "crates/draw/src",
    "crates/explore/src",
];

/// Returns the public types that a file declares at its top level.
fn public_types(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let item = line.strip_prefix("pub ")?;
        let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| item.strip_prefix(kind))?;
        name.split(|c: char| !c.is_alphanumeric() && c != '_').next()
    })
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, source) in LIBRARIES.iter().flat_map(|folder| rust_files(folder)) {
        for name in public_types(&source) {
            owners.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(owners.len() > 300, "only {} types found: the test does not see the source", owners.len());
    owners.retain(|_, files| files.len() > 1);
    assert!(owners.is_empty(), "expected one type for each name, found {owners:?}");
}

#[test]
fn public_types_are_seen() {
    let source =
        "pub struct Span {\npub(crate) struct Hidden;\n    pub struct Inner;\npub enum Side<T> {\npub type Row = u8;";
    assert_eq!(public_types(source).collect::<Vec<_>>(), ["Span", "Side", "Row"]);
}
