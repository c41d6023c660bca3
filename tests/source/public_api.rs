//! `docs/public-api.txt` lists every public name of the libraries for programs, without hidden names.
//! A commit that adds a public name must change the list, too.
//!
//! ```sh
//! SGF_RECORD=1 cargo test -p sgfstream --test source public    # writes the list
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::{root, rust_files};

const LIST: &str = "docs/public-api.txt";

/// Libraries, the ones for programs first.
const LIBRARIES: [(&str, &str); 9] = [
    ("sgfstream", "src"),
    ("sgfstream_game", "crates/game/src"),
    ("sgfstream_adapt", "crates/adapt/src"),
    ("sgfstream_table", "crates/table/src"),
    ("sgfstream_open", "crates/open/src"),
    ("sgfstream_archive", "crates/archive/src"),
    ("sgfstream_engine", "crates/engine/src"),
    ("sgfstream_draw", "crates/draw/src"),
    ("sgfstream_explore", "crates/explore/src"),
];

const LISTED: usize = 3;

const TYPES: [&str; 4] = ["struct", "enum", "trait", "type"];

/// Returns the public names of a file: `struct Span`, `fn Span::start`, `field Span::end`.
/// An item with `pub` is public, because the compiler warns of an unreachable
/// `pub`. Variants and methods of traits are as public as their type.
fn names(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut owner: Option<Owner> = None;
    let (mut in_tests, mut is_hidden) = (false, false);
    let mut lines = source.lines().peekable();
    while let Some(line) = lines.next() {
        in_tests |= line == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod "));
        if line == "}" {
            in_tests = false;
            owner = None;
        }
        if in_tests {
            continue;
        }
        let text = line.trim_start();
        let is_attribute = text.starts_with("#[") && text.ends_with(']');
        if is_attribute || text.starts_with("//") || text.is_empty() {
            is_hidden |= text == "#[doc(hidden)]";
            continue;
        }
        if std::mem::take(&mut is_hidden) {
            continue;
        }
        let is_top = line.starts_with(|c: char| c.is_ascii_alphabetic());
        if is_top {
            let item = line.strip_prefix("pub ").and_then(item);
            names.extend(item.filter(|(kind, _)| *kind != "mod").map(|(kind, name)| format!("{kind} {name}")));
            owner = Owner::of(line, item).filter(|_| !line.ends_with(['}', ';']));
        } else if let Some(owner) = &owner
            && let Some(member) = line.strip_prefix("    ").and_then(|line| owner.member(line))
        {
            names.push(member);
        }
    }
    names
}

/// Returns the kind and the name of an item, from its text after `pub`.
fn item(text: &str) -> Option<(&'static str, &str)> {
    let text = ["const fn ", "unsafe fn ", "async fn ", "const unsafe fn "]
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix).map(|_| &text[prefix.len() - "fn ".len()..]))
        .unwrap_or(text);
    let kinds = ["struct", "enum", "trait", "type", "fn", "const", "static", "mod", "union"];
    kinds.into_iter().find_map(|kind| Some((kind, ident(text.strip_prefix(kind)?.strip_prefix(' ')?)?)))
}

fn ident(text: &str) -> Option<&str> {
    let len = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    Some(&text[..len]).filter(|ident| !ident.is_empty())
}

/// Block at the top level to which a line belongs.
struct Owner {
    kind: &'static str,
    name: String,
}

impl Owner {
    fn of(line: &str, item: Option<(&'static str, &str)>) -> Option<Self> {
        if let Some((kind @ ("struct" | "enum" | "trait"), name)) = item {
            return Some(Self { kind, name: name.to_owned() });
        }
        // impl<R: Read> Reader<R> {
        let rest = line.strip_prefix("impl")?;
        let mut level = 0;
        let generics = rest.char_indices().find(|(_, c)| {
            level += i32::from(*c == '<') - i32::from(*c == '>');
            level == 0
        });
        let name = rest[generics?.0..].trim_start_matches(['>', ' ']);
        let is_of_trait = name.contains(" for ");
        (!is_of_trait).then(|| Some(Self { kind: "impl", name: ident(name)?.to_owned() }))?
    }

    /// Returns the public name that `line`, one level below the owner, declares.
    fn member(&self, line: &str) -> Option<String> {
        let public = line.strip_prefix("pub ");
        let (kind, name) = match self.kind {
            "struct" => ("field", ident(public?)?),
            "enum" => ("variant", ident(line).filter(|_| line.starts_with(|c: char| c.is_ascii_uppercase()))?),
            "trait" => item(line)?,
            _ => item(public?)?,
        };
        Some(format!("{kind} {}::{name}", self.name))
    }
}

/// Returns the types that `lib.rs` exports only in its hidden module `internal`.
fn internal(source: &str) -> BTreeSet<String> {
    let (_, module) = source.split_once("pub mod internal {").unwrap_or_default();
    let words = module.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_uppercase())).map(str::to_owned).collect()
}

/// Returns the list of some libraries: a heading for each, and its names by folder.
fn list(libraries: &[(&str, &str)]) -> String {
    let mut list = String::from(
        "# Every public name of the libraries for programs, by the folder that defines it.\n\
         # SGF_RECORD=1 cargo test -p sgfstream --test source public    writes this file.\n",
    );
    for (library, folder) in libraries {
        let mut found = BTreeSet::new();
        let hidden = internal(&fs::read_to_string(root().join(folder).join("lib.rs")).expect("a file"));
        for (file, source) in rust_files(folder).into_iter().filter(|(file, _)| !file.ends_with("tests.rs")) {
            let folders = file[folder.len()..].rsplit_once('/').map_or("", |(folders, _)| folders).replace('/', "::");
            for name in names(&source) {
                let (kind, name) = name.split_once(' ').expect("a kind and a name");
                let owner = name.split("::").next().expect("a name has one part or more");
                if !hidden.contains(owner) {
                    found.insert(format!("{library}{folders}::{name} {kind}"));
                }
            }
        }
        let count = |kinds: &[&str]| {
            found.iter().filter(|name| kinds.iter().any(|kind| name.ends_with(&format!(" {kind}")))).count()
        };
        list.push_str(&format!(
            "\n# {library}: {} types, {} functions, {} names\n",
            count(&TYPES),
            count(&["fn"]),
            found.len()
        ));
        found.iter().for_each(|name| list.push_str(&format!("{name}\n")));
    }
    list
}

#[test]
fn public_names_are_listed() {
    let list = list(&LIBRARIES[..LISTED]);
    if std::env::var_os("SGF_RECORD").is_some() {
        fs::write(root().join(LIST), &list).expect("the list is written");
    }
    let known = fs::read_to_string(root().join(LIST)).expect("a file");
    let names =
        |text: &str| text.lines().map(str::to_owned).filter(|line| !line.starts_with('#')).collect::<BTreeSet<_>>();
    let (now, before) = (names(&list), names(&known));
    let added: Vec<_> = now.difference(&before).collect();
    let gone: Vec<_> = before.difference(&now).collect();
    assert!(
        added.is_empty() && gone.is_empty(),
        "{LIST} is out of date. If the change is intended, record it with SGF_RECORD=1.\nnew: {added:#?}\ngone: {gone:#?}"
    );
    assert!(now.len() > 300, "only {} names found: the test does not see the source", now.len());
}

#[test]
fn no_two_public_types_share_a_name() {
    let list = list(&LIBRARIES);
    let types = list.lines().filter_map(|line| line.split_once(' ').filter(|(_, kind)| TYPES.contains(kind)));
    let mut owners: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, _) in types {
        owners.entry(path.rsplit("::").next().expect("a name")).or_default().push(path);
    }
    owners.retain(|_, paths| paths.len() > 1);
    assert!(owners.is_empty(), "expected one type for each name, found {owners:?}");
}

/// Checks that the test finds public names.
#[test]
fn public_names_are_seen() {
    let source = "\
pub struct Span {
    pub start: u64,
    end: u64,
}
impl<T: Into<u64>> Span<T> {
    pub const fn new() -> Self {
        pub fn inner() {}
    }
    pub(crate) fn hidden(&self) {}
}
impl fmt::Display for Span {
    fn fmt(&self) {}
}
pub enum Side {
    Black,
    #[doc(hidden)]
    White { stones: u32 },
}
pub trait Sink {
    fn event(&mut self);
}
pub(crate) struct Hidden;
pub const LIMIT: u32 = 1;
#[cfg(test)]
mod tests {
    pub fn test() {}
}
pub struct Unit;
pub fn parse() {}
";
    assert_eq!(
        names(source),
        [
            "struct Span",
            "field Span::start",
            "fn Span::new",
            "enum Side",
            "variant Side::Black",
            "trait Sink",
            "fn Sink::event",
            "const LIMIT",
            "struct Unit",
            "fn parse",
        ]
    );
}
