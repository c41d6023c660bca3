//! Every fact of the specification that code, tests and docs cite is in
//! `docs/spec`: `spec A-07` is a line there, `spec games §11` a section, and
//! `SGFC 17` a row of the table of SGFC's messages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{files, root};

/// Folders that may cite the specification.
const CITING: [&str; 8] = [
    "src", "crates", "tests", "benches", "examples", "fuzz", "corpus", "docs",
];
const SPEC: &str = "docs/spec";

/// Ids, sections and messages that `docs/spec` defines.
#[derive(Default)]
struct Spec {
    ids: BTreeSet<String>,
    /// The numbers in the headings of each file: `games` has 6 and 11.
    sections: BTreeMap<String, BTreeSet<u32>>,
    messages: BTreeSet<u32>,
}

impl Spec {
    fn read() -> Self {
        let mut spec = Self::default();
        for path in files(&root().join(SPEC)) {
            let Some(name) = path
                .file_name()
                .and_then(|name| name.to_str()?.strip_suffix(".md"))
            else {
                continue;
            };
            for line in fs::read_to_string(&path).expect("UTF-8").lines() {
                spec.define(name, line);
            }
        }
        spec
    }

    /// Records the definition in a line: an id at its start, a row of messages, or a heading.
    fn define(&mut self, file: &str, line: &str) {
        if let Some(title) = line.strip_prefix("## ") {
            self.sections
                .entry(file.to_owned())
                .or_default()
                .extend(numbers(title));
        }
        let row = line
            .strip_prefix("| ")
            .and_then(|row| row.split(" |").next());
        if let Some(Ok(message)) = row.map(str::parse).filter(|_| file == "quirks") {
            self.messages.insert(message);
        }
        let bullet = line
            .strip_prefix("- **")
            .and_then(|item| item.split("**").next());
        if let Some(id) = bullet
            .or(row)
            .filter(|id| ids(id).next().is_some_and(|found| found.1 == *id))
        {
            assert!(self.ids.insert(id.to_owned()), "`{id}` is defined twice");
        }
    }

    fn has_prefix(&self, id: &str) -> bool {
        let prefix = id.split('-').next().expect("a prefix");
        self.ids
            .iter()
            .any(|known| known.split('-').next() == Some(prefix))
    }

    /// Returns the citations of `line`, and the citations that do not exist.
    fn check(&self, line: &str) -> (usize, Vec<String>) {
        let mut seen = 0;
        let mut faults = Vec::new();
        for (at, id) in ids(line) {
            let is_citation = line[..at].to_lowercase().ends_with("spec ") || self.has_prefix(id);
            seen += usize::from(is_citation);
            if is_citation && !self.ids.contains(id) {
                faults.push(format!("expected a line of {SPEC}, found `{id}`"));
            }
        }
        for (at, _) in line.match_indices("spec ") {
            let (file, rest) = line[at + "spec ".len()..]
                .split_once(" §")
                .unwrap_or_default();
            let Some(sections) = self.sections.get(file) else {
                continue;
            };
            for number in numbers(
                rest.split([')', ';', ':'])
                    .next()
                    .expect("at least one part"),
            ) {
                seen += 1;
                if !sections.contains(&number) {
                    faults.push(format!(
                        "expected a section of {SPEC}/{file}.md, found §{number}"
                    ));
                }
            }
        }
        for (at, _) in line.match_indices("SGFC ") {
            let digits = line[at + "SGFC ".len()..]
                .split(|c: char| !c.is_ascii_digit())
                .next();
            if let Some(Ok(message)) = digits.map(str::parse) {
                seen += 1;
                if !self.messages.contains(&message) {
                    faults.push(format!(
                        "expected a message of {SPEC}/quirks.md, found `SGFC {message}`"
                    ));
                }
            }
        }
        (seen, faults)
    }
}

/// Returns the words of `text` that look like an id, such as `A-07` or `Ver-01`, with their places.
fn ids(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    text.match_indices('-').filter_map(move |(dash, _)| {
        let start = text[..dash].rfind(|c| !is_word(c)).map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
        let end = dash
            + text[dash..]
                .find(|c| !is_word(c))
                .unwrap_or(text.len() - dash);
        let (prefix, number) = (&text[start..dash], &text[dash + 1..end]);
        let is_prefix =
            prefix.starts_with(|c: char| c.is_ascii_uppercase()) && !prefix.contains(['_', '-']);
        let is_number = number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit());
        (is_prefix && is_number).then(|| (start, &text[start..end]))
    })
}

/// Returns the numbers outside of brackets: 6, 9, 12, 13 and 14 of `6 Backgammon, §9, 12 to 14`.
fn numbers(text: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    let mut is_range = false;
    for word in text
        .split('[')
        .next()
        .expect("at least one part")
        .split(' ')
    {
        let number: Option<u32> = word
            .trim_start_matches('§')
            .trim_end_matches([',', '.'])
            .parse()
            .ok();
        if let Some(last) = number {
            let first = numbers
                .last()
                .filter(|_| is_range)
                .map_or(last, |first| first + 1);
            numbers.extend(first..=last);
        }
        is_range = word == "to";
    }
    numbers
}

#[test]
fn cited_facts_exist() {
    let spec = Spec::read();
    let mut seen = 0;
    let mut faults = Vec::new();
    for path in CITING
        .into_iter()
        .map(|folder| root().join(folder))
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| files(&folder))
    {
        let name = path
            .strip_prefix(root())
            .expect("below the root")
            .to_string_lossy()
            .replace('\\', "/");
        let cites = [".rs", ".md", ".tsv", ".jsonl"]
            .iter()
            .any(|end| name.ends_with(end));
        if !cites || name.starts_with("tests/source/") {
            continue;
        }
        for (number, line) in fs::read_to_string(&path)
            .expect("UTF-8")
            .lines()
            .enumerate()
        {
            let (found, wrong) = spec.check(line);
            seen += if name.starts_with(SPEC) { 0 } else { found };
            faults.extend(
                wrong
                    .into_iter()
                    .map(|fault| format!("{name}:{}: {fault}", number + 1)),
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(
        seen >= 600,
        "only {seen} citations found: the test does not see them"
    );
}

/// Checks that the test of citations finds faults.
#[test]
fn citations_are_seen() {
    let mut spec = Spec::default();
    for (file, line) in [
        ("core", "- **A-07** A node …"),
        ("readings", "| RD-12 | a question | who | ours |"),
        ("quirks", "| 17 | W/E | empty value |"),
        ("games", "## 6 Backgammon [FF4 Backgammon]"),
        ("games", "## 12 to 14, 23 others"),
    ] {
        spec.define(file, line);
    }
    assert_eq!(
        spec.check("A-07 to A-08, UTF-16, GB-2312, x-A-09"),
        (
            2,
            vec!["expected a line of docs/spec, found `A-08`".to_owned()]
        )
    );
    assert_eq!(spec.check("(spec B-01)").1.len(), 1);
    assert_eq!(spec.check("RD-12, SGFC 17 and (SGFC 99)").1.len(), 1);
    assert_eq!(
        spec.check("(spec games §6, §13; spec games §11)"),
        (
            3,
            vec!["expected a section of docs/spec/games.md, found §11".to_owned()]
        )
    );
}
