//! Words that the project does not use: images ("room", "floor") where a plain
//! noun is meant, and turns of phrase that make a reader stop. A doc comment
//! begins with the thing that it documents: never with "What", "The same" or
//! "Likewise", which point at another sentence.

use std::collections::BTreeMap;
use std::fs;

use super::{files, name_of, root, rust_files};

/// Words that are not used, and what is written instead.
const WORDS: [(&str, &str); 18] = [
    ("room", "module, space, limit"),
    ("rooms", "modules"),
    ("floor", "layer"),
    ("floors", "layers"),
    ("house", "the name of the thing"),
    ("essay", "page, guide"),
    ("essays", "pages, guides"),
    ("nobody", "no one, or a sentence with another subject"),
    ("somebody", "the user, the caller"),
    ("behind", "after"),
    ("in front of", "before"),
    ("stand", "is, are"),
    ("stands", "is"),
    ("stood", "was"),
    ("breaths", "liberties"),
    ("breathless", "without liberties"),
    ("what is not wanted", "the name of what is skipped"),
    ("is no matter", "is ignored"),
];

/// Where these words are still found, and how often. The numbers only fall.
const LEFT: &[(&str, usize)] = &[];

/// Where doc comments still begin with one of [`BEGINNINGS`], and how many. The numbers only fall.
const DOCS_LEFT: &[(&str, usize)] = &[("crates/table", 7)];

const BEGINNINGS: [&str; 3] = ["What ", "The same", "Likewise"];

const TEXTS: [&str; 9] = [".rs", ".md", ".toml", ".sh", ".py", ".tsv", ".ci/run", ".ci/full", ".ci/lib"];

/// How often a word of the list occurs in `line`.
fn count(line: &str) -> usize {
    let lower = line.to_lowercase();
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let whole =
        |at: usize, word: &str| !lower[..at].ends_with(is_word) && !lower[at + word.len()..].starts_with(is_word);
    WORDS.iter().map(|(word, _)| lower.match_indices(word).filter(|(at, _)| whole(*at, word)).count()).sum()
}

/// The part of the project that a file belongs to: `src/read`, `crates/engine`, `tests`.
fn part(name: &str) -> String {
    let mut segments = name.split('/');
    let first = segments.next().expect("at least one part");
    match (first, segments.next(), segments.next()) {
        ("src" | "crates", Some(folder), Some(_)) => format!("{first}/{folder}"),
        (_, Some(_), _) => first.to_owned(),
        _ => "the root".to_owned(),
    }
}

/// The numbers of the lines where a doc comment begins with one of [`BEGINNINGS`].
fn pointing_docs(source: &str) -> Vec<usize> {
    let doc = |line: &str| {
        let line = line.trim_start();
        ["///", "//!"].into_iter().find_map(|mark| Some(line.strip_prefix(mark)?.trim_start().to_owned()))
    };
    let mut is_inside = false;
    let mut found = Vec::new();
    for (number, line) in source.lines().enumerate() {
        let text = doc(line).filter(|text| !text.is_empty());
        if !is_inside && text.as_ref().is_some_and(|text| BEGINNINGS.iter().any(|begin| text.starts_with(begin))) {
            found.push(number + 1);
        }
        is_inside = text.is_some();
    }
    found
}

#[test]
fn docs_begin_with_their_thing() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, source) in
        ["src", "crates", "tests", "benches", "examples", "fuzz", "python"].into_iter().flat_map(rust_files)
    {
        let places = pointing_docs(&source).into_iter().map(|line| format!("{name}:{line}"));
        found.entry(part(&name)).or_default().extend(places);
    }
    for (part, places) in found {
        let allowed = DOCS_LEFT.iter().find(|(name, _)| *name == part).map_or(0, |(_, count)| *count);
        assert!(places.len() <= allowed, "{part}: expected at most {allowed}, found {}: {places:#?}", places.len());
    }
}

#[test]
fn pointing_docs_are_seen() {
    let source =
        "//! What it is.\n\n/// A list.\n/// What follows.\nfn a() {}\n    /// The same.\n    fn b() {}\n/// Whatever.";
    assert_eq!(pointing_docs(source), [1, 6]);
}

#[test]
fn words_are_plain() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seen = 0;
    for path in files(root()) {
        let name = name_of(&path);
        let is_text = TEXTS.iter().any(|end| name.ends_with(end));
        if !is_text || name.starts_with("tests/source/") {
            continue;
        }
        seen += 1;
        for (number, line) in String::from_utf8_lossy(&fs::read(&path).expect("a file")).lines().enumerate() {
            for _ in 0..count(line) {
                found.entry(part(&name)).or_default().push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(seen > 200, "only {seen} files found");
    let allowed = |part: &str| LEFT.iter().find(|(name, _)| *name == part).map_or(0, |(_, count)| *count);
    let faults: Vec<String> = found
        .iter()
        .filter(|(part, lines)| lines.len() > allowed(part))
        .map(|(part, lines)| {
            format!("(\"{part}\", {}): expected at most {}\n{}", lines.len(), allowed(part), lines.join("\n"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// This test sees what it should see.
#[test]
fn words_are_seen() {
    assert_eq!(count("Nobody stands behind the rooms."), 4);
    assert_eq!(count("a standard bedroom, room_for, stand-alone"), 0);
    assert_eq!((part("src/read/slice.rs"), part("src/lib.rs")), ("src/read".to_owned(), "src".to_owned()));
    assert_eq!((part("crates/sgfq/src/lib.rs"), part("README.md")), ("crates/sgfq".to_owned(), "the root".to_owned()));
}
