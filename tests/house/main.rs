//! The house of `docs/architecture.md`, held: rooms use lower floors only,
//! each room says what it is for, no file holds a second noun, and no file
//! speaks of the machine it was written on.

mod citations;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each room and its floor. Rooms on one floor do not know each other.
const FLOORS: [(&str, u8); 9] = [
    ("base", 0),
    ("scan", 1),
    ("event", 2),
    ("read", 3),
    ("write", 3),
    ("value", 3),
    ("game", 4),
    ("state", 5),
    ("adapt", 6),
];

const LINES: usize = 600;

/// Longer files, and why they have one noun all the same.
const LONGER: [(&str, &str); 1] = [("tests/twin/parser.rs", "one page of rules, row by row, read beside the page")];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below `directory`, in order, without what a build or a tool leaves.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let is_ours = !matches!(name.as_str(), ".git" | "target" | "artifacts" | "mutants.out");
            match path.is_dir() {
                true if is_ours => open.push(path),
                false if is_ours => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

fn rust_files(below: &str) -> Vec<(String, String)> {
    let of_rust = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "rs");
    let named = |path: PathBuf| {
        let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
        (name, fs::read_to_string(path).expect("UTF-8"))
    };
    files(&root().join(below)).into_iter().filter(of_rust).map(named).collect()
}

/// `source` without comments and without its tests.
fn code(source: &str) -> String {
    let mut code = String::new();
    let mut in_tests = false;
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        if line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod ") && next.ends_with('{')) {
            in_tests = true;
        }
        if !in_tests && !line.trim_start().starts_with("//") {
            code.push_str(line.split(" // ").next().expect("at least one part"));
            code.push('\n');
        }
        in_tests &= line != "}";
    }
    code
}

/// What stands directly behind `crate::` in `code`, and behind as many
/// `super::` as come to the same from a module at `depth` below the root.
fn names_at_root(code: &str, depth: usize) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let root_by_super = "super::".repeat(depth);
    for prefix in ["crate::", &root_by_super] {
        for (at, _) in code.match_indices(prefix) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            if before.is_alphanumeric() || before == '_' || before == ':' {
                continue;
            }
            names.extend(first_segments(&code[at + prefix.len()..]));
        }
    }
    names
}

/// `base` of `base::Span`; `base` and `event` of `{base::Span, event::{Event, Ident}}`.
fn first_segments(path: &str) -> Vec<String> {
    let ident = |text: &str| -> String { text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(group) = path.strip_prefix('{') else {
        return vec![ident(path)];
    };
    let mut segments = Vec::new();
    let mut level = 0;
    let mut at_start = true;
    for (at, char) in group.char_indices() {
        match char {
            '{' => level += 1,
            '}' if level == 0 => break,
            '}' => level -= 1,
            ',' if level == 0 => at_start = true,
            char if at_start && !char.is_whitespace() => {
                segments.push(ident(&group[at..]));
                at_start = false;
            }
            _ => {}
        }
    }
    segments
}

/// The room that each name re-exported by `lib.rs` comes from.
fn rooms_of_reexports() -> BTreeMap<String, String> {
    let lib = code(&fs::read_to_string(root().join("src/lib.rs")).expect("a file"));
    let mut rooms = BTreeMap::new();
    for item in lib.split("pub use ").skip(1) {
        let (room, names) = item.split_once("::").expect("a path");
        let names = names.split(';').next().expect("the end of an item").trim_matches(['{', '}']);
        for name in names.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty()) {
            rooms.insert(name.to_owned(), room.to_owned());
        }
    }
    rooms
}

fn floor(room: &str) -> Option<u8> {
    FLOORS.iter().find(|(name, _)| *name == room).map(|(_, floor)| *floor)
}

/// The room of a file of `src`, and how deep below the root its module is.
fn place(name: &str) -> Option<(&str, usize)> {
    let path = name.strip_prefix("src/")?;
    let (room, _) = path.split_once('/')?;
    let depth = path.matches('/').count() + usize::from(!path.ends_with("/mod.rs"));
    Some((room, depth))
}

#[test]
fn rooms_use_lower_floors_only() {
    let reexports = rooms_of_reexports();
    let mut seen = 0;
    let mut faults = Vec::new();
    for (name, source) in rust_files("src") {
        let Some((room, depth)) = place(&name).filter(|_| !name.ends_with("/tests.rs")) else {
            continue; // lib.rs and main.rs; tests may look anywhere
        };
        for used in names_at_root(&code(&source), depth) {
            seen += 1;
            let used_room = reexports.get(&used).unwrap_or(&used);
            let fine = used_room == room || floor(used_room) < floor(room) && floor(used_room).is_some();
            if !fine {
                faults.push(format!("{name}: expected a lower floor than that of `{room}`, found `{used}`"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(seen > 200, "only {seen} uses found: the test does not see the source");
}

#[test]
fn every_room_has_its_floor() {
    let rooms: BTreeSet<_> = FLOORS.iter().map(|(room, _)| (*room).to_owned()).collect();
    let sources = rust_files("src");
    let found: BTreeSet<_> =
        sources.iter().filter_map(|(name, _)| place(name)).map(|(room, _)| room.to_owned()).collect();
    assert_eq!(found, rooms);
    let picture = fs::read_to_string(root().join("docs/architecture.md")).expect("a file");
    for (room, floor) in FLOORS {
        let line = picture.lines().find(|line| line.trim_start().starts_with(&format!("{room}/")));
        let line = line.unwrap_or_else(|| panic!("the picture lacks `{room}/`"));
        assert!(line.contains(&format!("floor {floor} ")), "expected floor {floor}, found: {line}");
    }
}

/// This test sees what it should see.
#[test]
fn uses_are_seen() {
    let source = "\
use crate::base::Span; // crate::no_comment
use crate::{
    event::{Event, Ident},
    read::Reader,
};
//! crate::no_doc
use super::super::Charset;
fn f() -> crate::value::Date { $crate::write::f(my_crate::no, super::no) }
#[cfg(test)]
mod tests {
    use crate::no_test;
}
use crate::game;
";
    let names: Vec<_> = names_at_root(&code(source), 2).into_iter().collect();
    assert_eq!(names, ["Charset", "base", "event", "game", "read", "value", "write"]);
    assert_eq!(place("src/game/go/board.rs"), Some(("game", 3)));
    assert_eq!(place("src/game/go/mod.rs"), Some(("game", 2)));
    assert_eq!(rooms_of_reexports().get("Event").map(String::as_str), Some("event"));
}

#[test]
fn every_file_says_what_it_is_for() {
    for (name, source) in rust_files("src") {
        assert!(source.starts_with("//! "), "{name}: expected `//!` and a sentence, found none");
    }
}

#[test]
fn no_file_holds_a_second_noun() {
    let all =
        ["src", "crates", "tests", "benches", "examples", "fuzz"].into_iter().filter(|room| root().join(room).is_dir());
    for (name, source) in all.flat_map(rust_files) {
        let lines = source.lines().count();
        let is_longer = LONGER.iter().any(|(longer, _)| *longer == name);
        assert_eq!(lines > LINES, is_longer, "{name}: expected at most {LINES} lines, found {lines}");
    }
}

#[test]
fn nothing_speaks_of_the_machine_it_was_written_on() {
    let places = ["work", "tmp", "root", "home"].map(|place| format!("/{place}/"));
    let words = [concat!("work", "tree"), concat!("issues", " show")];
    let texts = ["rs", "md", "toml", "sh", "yml", "run", "sgf"];
    let mut seen = 0;
    for path in files(root()) {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let extension = name.rsplit_once('.').map_or(name.as_str(), |(_, extension)| extension);
        let Some(text) = texts.contains(&extension).then(|| fs::read(&path).expect("a file")) else {
            continue;
        };
        seen += 1;
        for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            // A path begins where no other goes on.
            let begins = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_');
            let is_place = |place: &String| line.match_indices(place.as_str()).any(|(at, _)| begins(at));
            let found = places.iter().any(is_place) || words.iter().any(|word| line.contains(word));
            assert!(!found, "{}:{}: {}", path.display(), number + 1, line);
        }
    }
    assert!(seen > 200, "only {seen} files found");
}
