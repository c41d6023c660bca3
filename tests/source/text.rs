//! Names and lengths of files, links of pages, and texts that files must not contain.

use std::fs;

use super::{files, name_of, root, rust_files};

const CODE: [&str; 6] = ["src", "crates", "tests", "benches", "examples", "fuzz"];

const LINES: usize = 850;

/// Names that Windows reserves, with any extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

#[test]
fn every_file_says_what_it_is_for() {
    let sources = rust_files("crates")
        .into_iter()
        .filter(|(name, _)| name.contains("/src/"));
    for (name, source) in rust_files("src").into_iter().chain(sources) {
        assert!(
            source.starts_with("//! "),
            "{name}: expected `//!` and a sentence, found other text"
        );
    }
}

#[test]
fn files_are_short() {
    for (name, source) in CODE.into_iter().flat_map(rust_files) {
        let lines = source.lines().count();
        assert!(
            lines <= LINES,
            "{name}: expected at most {LINES} lines, found {lines}"
        );
    }
}

#[test]
fn names_of_files_work_on_every_system() {
    for path in files(root()) {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .to_lowercase();
        let stem = name.split('.').next().expect("at least one part");
        let is_port = matches!(
            stem.trim_end_matches(|c: char| c.is_ascii_digit()),
            "com" | "lpt"
        ) && stem.len() == 4;
        assert!(
            !is_port && !RESERVED.contains(&stem),
            "{}: the name is reserved on Windows",
            path.display()
        );
    }
}

#[test]
fn nothing_names_the_machine_it_was_written_on() {
    let folders = ["work", "tmp", "root", "home"].map(|folder| format!("/{folder}/"));
    let words = [concat!("work", "tree"), concat!("issues", " show")];
    let texts = ["rs", "md", "toml", "sh", "yml", "run", "sgf", "tsv", "txt"];
    let mut seen = 0;
    for path in files(root()) {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let extension = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(_, extension)| extension);
        let Some(text) = texts
            .contains(&extension)
            .then(|| fs::read(&path).expect("a file"))
        else {
            continue;
        };
        seen += 1;
        for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
            // Skip a match in the middle of a longer path.
            let begins = |at: usize| {
                !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_')
            };
            let has_folder = |folder: &String| {
                line.match_indices(folder.as_str())
                    .any(|(at, _)| begins(at))
            };
            let found =
                folders.iter().any(has_folder) || words.iter().any(|word| line.contains(word));
            assert!(!found, "{}:{}: {}", name_of(&path), number + 1, line);
        }
    }
    assert!(seen > 200, "only {seen} files found");
}

/// A package registry shows only the README of a crate, so the README must not link to other files.
/// The README at the root may, because registries resolve its relative links by the address of the
/// repository.
#[test]
fn links_of_a_readme_hold_everywhere() {
    let crates = fs::read_dir(root().join("crates")).expect("a directory");
    let folders = crates.map(|entry| entry.expect("an entry").path());
    for folder in folders.filter(|folder| folder.join("Cargo.toml").is_file()) {
        let text = fs::read_to_string(folder.join("README.md")).expect("a README");
        let prose: String = text.split("```").step_by(2).collect();
        for target in prose.split("](").skip(1) {
            let is_whole = target.starts_with("https://") || target.starts_with('#');
            assert!(
                is_whole,
                "{}: expected a link with its host, found `{target:.30}`",
                name_of(&folder)
            );
        }
    }
}

/// Returns the text without code.
fn prose(text: &str) -> String {
    let blocks: String = text.split("```").step_by(2).collect();
    blocks.split('`').step_by(2).collect()
}

/// Links of pages lead to files that exist, and the book has each page of `docs`.
#[test]
fn links_of_pages_hold() {
    let mut seen = 0;
    for path in files(root())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
    {
        let text = prose(&fs::read_to_string(&path).expect("UTF-8"));
        let defined = text
            .lines()
            .filter(|line| line.starts_with('['))
            .filter_map(|line| line.split("]: ").nth(1)?.split('#').next());
        let linked = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split([')', '#']).next());
        for target in linked.chain(defined) {
            if !target.is_empty() && !target.starts_with("https:") && !target.starts_with("http:") {
                let file = path.parent().expect("a folder").join(target);
                assert!(
                    file.exists(),
                    "{}: expected a file, found `{target}`",
                    name_of(&path)
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "only {seen} links found");
    let summary =
        fs::read_to_string(root().join("docs/SUMMARY.md")).expect("the contents of the book");
    for path in files(root())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
    {
        let Some(name) = name_of(&path).strip_prefix("docs/").map(str::to_owned) else {
            continue;
        };
        assert!(
            name == "SUMMARY.md" || summary.contains(&format!("]({name})")),
            "docs/SUMMARY.md: expected {name}"
        );
    }
}

/// Paths that pages name, as `src/base/problem.rs`, exist.
#[test]
fn paths_in_pages_exist() {
    let tops = [
        "src/",
        "crates/",
        "tests/",
        "docs/",
        "benches/",
        "examples/",
        "fuzz/targets/",
        "corpus/",
    ];
    let is_path_char = |c: char| c.is_ascii_alphanumeric() || "_./-".contains(c);
    let mut seen = 0;
    for path in files(root())
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
    {
        let page = name_of(&path);
        let text = fs::read_to_string(&path).expect("UTF-8");
        for word in text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|_| page != "CHANGELOG.md")
        {
            if tops.iter().any(|top| word.starts_with(top)) && word.chars().all(is_path_char) {
                seen += 1;
                assert!(
                    root().join(word).exists(),
                    "{page}: expected a path that exists, found `{word}`"
                );
            }
        }
    }
    assert!(seen > 30, "only {seen} paths found");
}

/// The front page of the crate shows the program for archives of `docs/programs.md`, which compiles
/// there as a test, because the crate itself does not depend on `sgfstream-archive`.
#[test]
fn the_front_page_has_the_tested_program_for_archives() {
    let page = fs::read_to_string(root().join("docs/programs.md")).expect("UTF-8");
    let (_, section) = page.split_once("## Read an archive").expect("a section");
    let (_, block) = section.split_once("```rust\n").expect("a program");
    let (program, _) = block.split_once("#\n").expect("hidden lines");
    let source = fs::read_to_string(root().join("src/lib.rs")).expect("UTF-8");
    let (_, block) = source
        .split_once("//! ```ignore\n")
        .expect("the same program");
    let (shown, _) = block.split_once("//! ```\n").expect("the end of the block");
    let lines = shown.lines().map(|line| {
        let text = line.strip_prefix("//!").expect("a line of the page");
        text.strip_prefix(' ').unwrap_or(text)
    });
    assert_eq!(
        lines.collect::<Vec<_>>(),
        program.lines().collect::<Vec<_>>()
    );
}
