//! Names of public types: one name has one meaning in all libraries.

use std::collections::BTreeMap;

use super::{root, rust_files};

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
        let name = ["struct ", "enum ", "trait ", "type "]
            .iter()
            .find_map(|kind| item.strip_prefix(kind))?;
        name.split(|c: char| !c.is_alphanumeric() && c != '_')
            .next()
    })
}

#[test]
fn no_two_public_types_share_a_name() {
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, source) in LIBRARIES.iter().flat_map(|folder| rust_files(folder)) {
        for name in public_types(&source) {
            owners
                .entry(name.to_owned())
                .or_default()
                .push(file.clone());
        }
    }
    assert!(
        owners.len() > 300,
        "only {} types found: the test does not see the source",
        owners.len()
    );
    owners.retain(|_, files| files.len() > 1);
    assert!(
        owners.is_empty(),
        "expected one type for each name, found {owners:?}"
    );
}

/// Returns the kind and the name of a type, if a line of the recorded API declares one.
fn promised_type(line: &str) -> Option<(&str, &str)> {
    let (_, item) = line.split_once("pub ")?;
    let (kind, path) = item.split_once(' ')?;
    let name = path
        .split(['<', '(', ' '])
        .next()?
        .trim_end_matches(':')
        .rsplit("::")
        .next()?;
    ["struct", "enum", "trait"]
        .contains(&kind)
        .then_some((kind, name))
}

#[test]
fn every_promised_type_has_an_example() {
    let api =
        std::fs::read_to_string(root().join("docs/public-api/sgfstream.txt")).expect("a file");
    let sources: Vec<String> = rust_files("src")
        .into_iter()
        .map(|(_, source)| source)
        .collect();
    let mut count = 0;
    for (kind, name) in api.lines().filter_map(promised_type) {
        let is_declared = |line: &str| {
            let rest = line
                .trim_start()
                .strip_prefix(&format!("pub {kind} {name}"));
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
        };
        let has_example = |source: &String| {
            let lines: Vec<&str> = source.lines().collect();
            let at = lines.iter().position(|line| is_declared(line))?;
            let above = lines[..at].iter().rev().map(|line| line.trim_start());
            let mut docs =
                above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
            Some(docs.any(|line| line.starts_with("/// ```")))
        };
        assert_eq!(
            sources.iter().find_map(has_example),
            Some(true),
            "{kind} {name}"
        );
        count += 1;
    }
    assert!((40..=60).contains(&count), "{count} types are promised");
}

#[test]
fn public_types_are_seen() {
    let source = "pub struct Span {\npub(crate) struct Hidden;\n    pub struct Inner;\npub enum Side<T> {\npub type Row = u8;";
    assert_eq!(
        public_types(source).collect::<Vec<_>>(),
        ["Span", "Side", "Row"]
    );
}
