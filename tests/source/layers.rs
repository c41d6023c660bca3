//! The layers of `docs/architecture.md`: folders of a crate use lower folders only. Cargo holds the layers of crates.

use std::fs;

use super::{root, rust_files};

/// The folders of the reader, of the crate of games and of the command, layer by layer. A folder uses those of lower layers of its
/// crate; folders of one layer do not know each other.
const LAYERS: [(&str, &[&[&str]]); 3] = [
    ("src", &[&["base"], &["scan"], &["event"], &["read", "write"]]),
    ("crates/game/src", &[&["value"], &["game"], &["state"]]),
    ("crates/sgfq/src", &[&["report"], &["io"], &["args"], &["commands"]]),
];

/// Folders of the packages.
const CRATES: [&str; 9] = [
    "crates/game",
    "crates/adapt",
    "crates/archive",
    "crates/open",
    "crates/engine",
    "crates/table",
    "crates/draw",
    "crates/explore",
    "crates/sgfq",
];

/// The names that follow `crate::` in the code of a file, without its comments and its tests.
fn used(source: &str) -> impl Iterator<Item = &str> {
    let source = source.split("\n#[cfg(test)]\nmod ").next().expect("at least one part");
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.flat_map(|line| line.split("crate::").skip(1)).map(|rest| {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        &rest[..rest.find(|c| !is_name(c)).unwrap_or(rest.len())]
    })
}

#[test]
fn folders_use_lower_folders_only() {
    let (mut faults, mut uses) = (Vec::new(), 0);
    for (source, layers) in LAYERS {
        let layer = |name: &str| layers.iter().position(|folders| folders.contains(&name));
        for (file, code) in rust_files(source) {
            let Some((own, _)) = file[source.len() + 1..].split_once('/') else { continue }; // lib.rs
            let own_layer = layer(own).unwrap_or_else(|| panic!("{file}: expected a folder with a layer"));
            for name in used(&code).filter(|name| *name != own) {
                uses += 1;
                if layer(name).is_none_or(|layer| layer >= own_layer) {
                    faults.push(format!("{file}: expected a folder below `{own}`, found `crate::{name}`"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(uses > 250, "only {uses} uses found: the test does not see the source");
}

#[test]
fn every_folder_has_a_line_in_the_picture() {
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("a file");
    // The picture has no line for the folders of the command.
    for name in LAYERS[..2].iter().flat_map(|(_, layers)| layers.concat()).chain(CRATES) {
        let is_its_line = |line: &str| line.trim_start().starts_with(&format!("{name}/ "));
        assert!(page.lines().any(is_its_line), "docs/architecture.md: the picture lacks `{name}/`");
    }
}

/// This test sees what it should see.
#[test]
fn uses_are_seen() {
    let source = "use crate::base::{Span, Error};\n// crate::no_comment\nfn f() -> crate::scan::Machine {}\n\
                  #[cfg(test)]\nmod tests {\n    use crate::no_test;\n}\n";
    assert_eq!(used(source).collect::<Vec<_>>(), ["base", "scan"]);
}
