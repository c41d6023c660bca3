//! Runs the commands on the user pages and compares their output with the pages.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Output, Stdio};

use assert_cmd::cargo::cargo_bin;

use crate::help::commands;
use crate::{Place, sgfq};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).expect("a page")
}

/// Returns the code blocks of a page: the text after the three backticks, and the lines.
fn blocks(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.split("\n```")
        .skip(1)
        .step_by(2)
        .map(|block| block.split_once('\n').expect("a block has lines"))
}

/// Returns a directory with the repository's corpus, where examples may write.
fn copy_of_the_corpus() -> Place {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("a directory");
        for entry in fs::read_dir(from).expect("a directory") {
            let path = entry.expect("an entry").path();
            let to = to.join(path.file_name().expect("a name"));
            if path.is_dir() {
                copy(&path, &to);
            } else {
                fs::copy(&path, &to).expect("a copy");
            }
        }
    }
    let place = Place::new();
    for folder in ["corpus", "web/explorer/sample"] {
        copy(&root().join(folder), &place.path(folder));
    }
    place
}

/// Runs a line in a shell that finds `sgfq`.
fn shell(line: &str, directory: &Path) -> Output {
    let own = cargo_bin("sgfq")
        .parent()
        .expect("a directory")
        .as_os_str()
        .to_owned();
    let path: OsString = [own, std::env::var_os("PATH").unwrap_or_default()].join(":".as_ref());
    let mut shell = process::Command::new("sh");
    shell
        .args(["-c", line])
        .current_dir(directory)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

/// Returns the sessions of a block: a command after `$ `, and the output on the page.
fn sessions(block: &str) -> impl Iterator<Item = (&str, &str)> {
    let examples = block
        .strip_prefix("$ ")
        .into_iter()
        .flat_map(|block| block.split("\n$ "));
    examples.map(|example| example.split_once('\n').unwrap_or((example, "")))
}

/// Returns whether `found` matches `shown`. In `shown`, `…` stands for any text within a line, and
/// alone on a line for any lines. Trailing spaces do not count.
fn shows(shown: &str, found: &str) -> bool {
    let is_line = |shown: &str, found: &str| {
        let mut parts = shown.trim_end().split('…');
        let Some(mut rest) = found
            .trim_end()
            .strip_prefix(parts.next().unwrap_or_default())
        else {
            return false;
        };
        let parts: Vec<&str> = parts.collect();
        let Some((last, middle)) = parts.split_last() else {
            return rest.is_empty();
        };
        for part in middle {
            let Some((_, after)) = rest.split_once(part) else {
                return false;
            };
            rest = after;
        }
        rest.ends_with(last)
    };
    let mut found = found.trim_end().lines().peekable();
    let mut may_pass_over = false;
    for line in shown.trim_end().lines() {
        if line.trim() == "…" {
            may_pass_over = true;
        } else {
            let is_there = if may_pass_over {
                found.any(|other| is_line(line, other))
            } else {
                found.next().is_some_and(|other| is_line(line, other))
            };
            if !is_there {
                return false;
            }
            may_pass_over = false;
        }
    }
    may_pass_over || found.next().is_none()
}

#[test]
fn omissions_are_marked() {
    for (shown, found, is_shown) in [
        ("a\nb", "a\nb\n", true),
        ("a", "a\nb\n", false),
        ("a\n…", "a\nb\nc\n", true),
        ("a\n  …\nc", "a\nb\nc\n", true),
        ("a\n…\nc", "a\nb\nc\nd\n", false),
        ("…\nb", "a\n", false),
        ("a … c", "a b c", true),
        ("a … d", "a b c", false),
        ("", "a", false),
    ] {
        assert_eq!(shows(shown, found), is_shown, "{shown:?} {found:?}");
    }
}

/// Runs the examples of a page in order, in one directory. Sessions must print their output, and
/// the lines of `sh` blocks that call `sgfq` must succeed.
fn run_page(name: &str) -> usize {
    let page = page(name);
    let place = copy_of_the_corpus();
    let has_git = process::Command::new("git")
        .arg("--version")
        .output()
        .is_ok();
    let mut count = 0;
    for (kind, block) in blocks(&page) {
        assert!(
            ["text", "sh", "rust", "python", "sql"].contains(&kind),
            "{name}: expected a known kind, found `{kind}`"
        );
        let can_run =
            |line: &str| !is_over_real_archives(line) && (has_git || !line.starts_with("git "));
        for (line, shown) in sessions(block).filter(|(line, _)| can_run(line)) {
            let output = shell(line, place.0.path());
            let (out, err) = (
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr),
            );
            assert!(
                matches!(output.status.code(), Some(0 | 1)),
                "{name}: {line}: {}: {err}",
                output.status
            );
            assert!(
                shows(shown, &out),
                "{name}: {line}\nexpected:\n{shown}\nfound:\n{out}{err}"
            );
            count += 1;
        }
        let calls = |line: &&str| line.starts_with("sgfq ") || line.contains("| sgfq ");
        // `explore` runs until Ctrl-C and opens a browser.
        let is_server = |line: &str| line.starts_with("sgfq explore ");
        for line in block
            .lines()
            .filter(|line| kind == "sh" && calls(line) && !is_server(line))
        {
            let output = shell(line, place.0.path());
            let err = String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{name}: {line}: {}: {err}",
                output.status
            );
            count += 1;
        }
    }
    count
}

/// Returns whether the line uses archives that are not in the repository.
fn is_over_real_archives(line: &str) -> bool {
    line.ends_with(".tar.zst") && !line.contains("corpus/")
}

#[test]
fn the_readme_shows_real_output() {
    assert!(run_page("README.md") >= 4);
}

#[allow(dead_code, reason = "the program has a main function")]
mod program {
    include!("../programs/count_moves.rs");

    pub(super) fn moves(path: &str) -> u64 {
        count_moves(path).expect("the corpus can be read")
    }
}

#[test]
fn the_program_of_the_readme_counts_what_count_counts() {
    let source = include_str!("../programs/count_moves.rs");
    let (_, program) = source
        .split_once("\n\n")
        .expect("a line about the file, and the program");
    assert!(
        page("README.md").contains(&format!("```rust\n{program}```\n")),
        "the page has another program"
    );
    let mut files = 0;
    for entry in fs::read_dir(root().join("corpus")).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let Some(path) = path.to_str().filter(|path| path.ends_with(".sgf")) else {
            continue;
        };
        let counts = sgfq(&["count", path]);
        assert!(
            counts
                .text()
                .contains(&format!("moves\t{}\n", program::moves(path))),
            "{path}: {}",
            counts.text()
        );
        files += 1;
    }
    assert!(files > 70, "{files}");
}

/// The pages of `docs` whose examples are commands.
const RECIPES: [&str; 5] = [
    "docs/recipes.md",
    "docs/collections.md",
    "docs/data.md",
    "docs/charsets.md",
    "docs/install.md",
];

#[test]
fn the_recipes_show_real_output() {
    assert!(RECIPES.iter().map(|name| run_page(name)).sum::<usize>() >= 90);
}

/// Runs the sessions over large archives, if `SGF_CORPUS` names a directory of them and the build
/// is fast enough.
#[test]
fn the_recipes_over_real_archives_show_real_output() {
    let Some(archives) = std::env::var_os("SGF_CORPUS").filter(|_| !cfg!(debug_assertions)) else {
        return println!("skipped: SGF_CORPUS names no directory, or the build is not optimised");
    };
    let recipes = page("docs/recipes.md");
    let sessions = blocks(&recipes).flat_map(|(_, block)| sessions(block));
    for (line, shown) in sessions.filter(|(line, _)| is_over_real_archives(line)) {
        let archive = line.rsplit_once(' ').expect("an archive").1;
        if Path::new(&archives).join(archive).exists() {
            let output = shell(line, Path::new(&archives));
            let out = String::from_utf8_lossy(&output.stdout);
            assert!(
                shows(shown, &out),
                "{line}\nexpected:\n{shown}\nfound:\n{out}"
            );
        }
    }
}

#[test]
fn pages_name_every_command() {
    let (readme, recipes) = (page("README.md"), RECIPES.map(page));
    for command in commands() {
        assert!(
            readme.contains(&format!("`{command}`")),
            "expected `{command}` in README.md"
        );
        let shown = recipes
            .iter()
            .flat_map(|page| blocks(page))
            .any(|(kind, block)| {
                let calls = block
                    .lines()
                    .filter(|line| kind == "sh" || line.starts_with("$ "));
                calls.flat_map(|line| line.split('|')).any(|call| {
                    call.trim_start_matches("$ ")
                        .trim_start()
                        .starts_with(&format!("sgfq {command}"))
                })
            });
        assert!(
            shown,
            "expected an example of `sgfq {command}` in {RECIPES:?}"
        );
    }
}
