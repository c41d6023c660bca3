//! The layers of `docs/architecture.md`: folders of a crate use lower folders
//! only, and no file uses itself by way of others. Cargo holds the layers of crates.

use std::collections::BTreeSet;
use std::fs;

use super::graph::Graph;
use super::{root, rust_files};

/// The folders of the reader and of the crate of games, and their layers. A folder uses those of lower layers of its
/// crate; folders of one layer do not know each other.
const FOLDERS: [(&str, u8); 8] = [
    ("src/base", 0),
    ("src/scan", 1),
    ("src/event", 2),
    ("src/read", 3),
    ("src/write", 3),
    ("crates/game/src/value", 0),
    ("crates/game/src/game", 1),
    ("crates/game/src/state", 2),
];

/// Folders of the packages.
const CRATES: [&str; 10] = [
    "",
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

/// Files that still use themselves by way of others. This list only shrinks.
const CIRCLES: &[&str] = &[
    "crates/table/src/row/column.rs",
    "crates/table/src/row/game_row.rs",
    "crates/game/src/game/backgammon.rs",
    "crates/game/src/game/board.rs",
    "crates/game/src/game/dialect.rs",
    "crates/game/src/game/moves.rs",
    "crates/game/src/game/unlur.rs",
    "crates/game/src/value/date_forms.rs",
    "crates/game/src/value/dates.rs",
];

fn layer(file: &str) -> Option<u8> {
    FOLDERS.iter().find(|(name, _)| *name == folder(file)).map(|(_, layer)| *layer)
}

/// The folder of a file, one below `src`; nothing for a file of `src` itself.
fn folder(file: &str) -> &str {
    let below = file.find("src/").map_or(0, |at| at + "src/".len());
    file[below..].find('/').map_or("", |end| &file[..below + end])
}

#[test]
fn folders_use_lower_folders_only() {
    let graphs = ["src", "crates/game/src"].map(Graph::of);
    let edges: Vec<_> = graphs.iter().flat_map(Graph::edges).collect();
    let mut faults = Vec::new();
    for (from, to) in &edges {
        let Some(own) = layer(from) else { continue }; // lib.rs
        if folder(from) != folder(to) && layer(to).is_none_or(|used| used >= own) {
            faults.push(format!("{from}: expected a layer below that of `{}`, found {to}", folder(from)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(edges.len() > 250, "only {} uses found: the test does not see the source", edges.len());
}

#[test]
fn every_folder_has_a_layer_and_a_line_in_the_picture() {
    let sources = [rust_files("src"), rust_files("crates/game/src")].concat();
    let found: BTreeSet<&str> = sources.iter().map(|(name, _)| folder(name)).filter(|name| !name.is_empty()).collect();
    let known: BTreeSet<&str> = FOLDERS.iter().map(|(folder, _)| *folder).collect();
    assert_eq!(found.difference(&known).collect::<Vec<_>>(), Vec::<&&str>::new());
    let page = fs::read_to_string(root().join("docs/architecture.md")).expect("a file");
    let crates = CRATES.into_iter().skip(1);
    for name in known.into_iter().map(|folder| folder.rsplit('/').next().expect("a name")).chain(crates) {
        let is_its_line = |line: &str| line.trim_start().starts_with(&format!("{name}/ "));
        assert!(page.lines().any(is_its_line), "docs/architecture.md: the picture lacks `{name}/`");
    }
}

#[test]
fn no_file_uses_itself_by_way_of_others() {
    let folders: Vec<String> =
        CRATES.iter().map(|folder| format!("{folder}/src").trim_start_matches('/').to_owned()).collect();
    let mut faults = Vec::new();
    let mut found = BTreeSet::new();
    for graph in folders.iter().map(|folder| Graph::of(folder)) {
        for circle in graph.circles() {
            if !circle.iter().all(|file| CIRCLES.contains(file)) {
                let edges = graph.edges();
                let inside: Vec<_> = edges.iter().filter(|(a, b)| circle.contains(a) && circle.contains(b)).collect();
                faults.push(format!("a circle of {} files: {inside:?}", circle.len()));
            }
            found.extend(circle.into_iter().map(str::to_owned));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let gone: Vec<_> = CIRCLES.iter().filter(|file| !found.contains(**file)).collect();
    assert!(gone.is_empty(), "take these out of the list, they are in no circle: {gone:?}");
}
