//! Which file of a crate uses which other: read from the paths in the source,
//! through re-exports to the file that defines the name.

use std::collections::{BTreeMap, BTreeSet};

use super::rust_files;

/// A path of modules from the root of the crate; empty for the root.
type Path = Vec<String>;

struct Module {
    file: String,
    code: String,
    /// Every name that a `use` brings in, and the path it stands for.
    uses: Vec<Use>,
    /// Everything but the `use` items.
    body: String,
}

struct Use {
    path: Path,
    name: String,
    is_reexport: bool,
}

pub(super) struct Graph {
    modules: BTreeMap<Path, Module>,
}

impl Graph {
    /// The modules below a folder such as `src`. Tests may use anything, so
    /// they are left out.
    pub(super) fn of(folder: &str) -> Self {
        let sources = rust_files(folder).into_iter().filter(|(name, _)| !name.ends_with("/tests.rs"));
        Self::from_sources(folder, sources.collect())
    }

    fn from_sources(folder: &str, sources: Vec<(String, String)>) -> Self {
        let modules = sources.into_iter().map(|(file, source)| {
            let code = code(&source);
            let path = module_path(file.strip_prefix(folder).expect("below the folder").trim_start_matches('/'));
            let (uses, body) = split_uses(&code);
            (path, Module { file, code, uses, body })
        });
        Self { modules: modules.collect() }
    }

    /// Each file with each other file that it uses.
    pub(super) fn edges(&self) -> BTreeSet<(&str, &str)> {
        let mut edges = BTreeSet::new();
        for (at, module) in &self.modules {
            let used = module.uses.iter().filter(|used| !used.is_reexport).map(|used| used.path.clone());
            for path in used.chain(inline_paths(&module.body)) {
                if let Some(target) = self.absolute(at, &path).and_then(|path| self.file_of(&path, 0)) {
                    edges.insert((module.file.as_str(), target));
                }
            }
        }
        edges.retain(|(from, to)| from != to);
        edges
    }

    /// The files that use themselves by way of others.
    pub(super) fn circles(&self) -> Vec<BTreeSet<&str>> {
        let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let edges = self.edges();
        for (from, to) in &edges {
            reached.entry(from).or_default().insert(to);
        }
        let files: Vec<_> = self.modules.values().map(|module| module.file.as_str()).collect();
        let closure: BTreeMap<&str, BTreeSet<&str>> = files.iter().map(|file| (*file, reach(file, &reached))).collect();
        let mut circles: Vec<BTreeSet<&str>> = Vec::new();
        for file in &files {
            if closure[file].contains(file) && !circles.iter().any(|circle| circle.contains(file)) {
                let is_with = |other: &&&str| closure[file].contains(**other) && closure[**other].contains(file);
                circles.push(files.iter().filter(is_with).copied().collect());
            }
        }
        circles
    }

    /// `path`, as it is written in module `at`, from the root; `None` if it
    /// begins with the name of a crate, a type or a local.
    fn absolute(&self, at: &Path, path: &[String]) -> Option<Path> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([at.as_slice(), rest].concat()),
            "super" => {
                let (_, parent) = at.split_last()?;
                let supers = rest.iter().take_while(|segment| *segment == "super").count();
                let kept = parent.len().checked_sub(supers)?;
                Some([&parent[..kept], &rest[supers..]].concat())
            }
            _ => {
                let child = [at.as_slice(), std::slice::from_ref(first)].concat();
                self.modules.contains_key(&child).then(|| [at.as_slice(), path].concat())
            }
        }
    }

    /// The file that defines what stands at `path`.
    fn file_of(&self, path: &[String], depth: usize) -> Option<&str> {
        let len = (0..=path.len()).rev().find(|len| self.modules.contains_key(&path[..*len]))?;
        let (at, module) = self.modules.get_key_value(&path[..len])?;
        let Some(name) = path.get(len).filter(|_| depth < 8) else {
            return Some(&module.file);
        };
        let through = |used: &Use| self.file_of(&self.absolute(at, &used.path)?, depth + 1);
        if let Some(used) = module.uses.iter().find(|used| used.name == *name) {
            return through(used);
        }
        let globs = module.uses.iter().filter(|used| used.name == "*");
        let mut defining = globs
            .filter_map(through)
            .filter(|file| self.modules.values().any(|module| module.file == *file && defines(&module.code, name)));
        defining.next().or(Some(&module.file))
    }
}

fn reach<'a>(from: &str, edges: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&'a str> = edges.get(from).into_iter().flatten().copied().collect();
    while let Some(file) = open.pop() {
        if seen.insert(file) {
            open.extend(edges.get(file).into_iter().flatten());
        }
    }
    seen
}

/// `game/go/board.rs` is `game::go::board`, `game/go/mod.rs` is `game::go`.
fn module_path(file: &str) -> Path {
    let path = file.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let is_root = matches!(path, "lib" | "main" | "mod");
    if is_root { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
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

/// The names that the `use` items of `code` bring in, and the code without them.
fn split_uses(code: &str) -> (Vec<Use>, String) {
    let mut uses = Vec::new();
    let mut body = String::new();
    let mut rest = code;
    while let Some(at) = find_use(rest) {
        let line_start = rest[..at].rfind('\n').map_or(0, |at| at + 1);
        let (item, after) = rest[at + "use ".len()..].split_once(';').expect("the end of an item");
        let item: String = item.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_reexport = rest[line_start..at].trim_start().starts_with("pub");
        let mut found = Vec::new();
        expand(&[], &item, &mut found);
        uses.extend(found.into_iter().map(|(path, name)| Use { path, name, is_reexport }));
        body.push_str(&rest[..line_start]);
        rest = after;
    }
    body.push_str(rest);
    (uses, body)
}

/// Where the next `use` item begins, at the start of a line or after `pub`.
fn find_use(code: &str) -> Option<usize> {
    code.match_indices("use ").map(|(at, _)| at).find(|at| {
        let line = code[..*at].rsplit('\n').next().expect("at least one part").trim();
        line.is_empty() || line == "pub" || line.starts_with("pub(") && line.ends_with(')')
    })
}

/// `a::{b, c as d}` is `a::b` by the name of `b` and `a::c` by that of `d`.
fn expand(prefix: &[String], tree: &str, found: &mut Vec<(Path, String)>) {
    let tree = tree.trim();
    if let Some(group) = tree.strip_prefix('{') {
        let group = group.trim_end().trim_end_matches('}');
        let mut level = 0;
        for part in group.split(|c: char| {
            level += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && level == 0
        }) {
            expand(prefix, part, found);
        }
        return;
    }
    if let Some((first, rest)) = tree.split_once("::") {
        expand(&[prefix, &[first.trim().to_owned()]].concat(), rest, found);
        return;
    }
    let (name, alias) = tree.split_once(" as ").unwrap_or((tree, tree));
    match name {
        "" => {}
        "self" => found.push((prefix.to_vec(), prefix.last().cloned().unwrap_or_default())),
        "*" => found.push((prefix.to_vec(), "*".to_owned())),
        _ => found.push(([prefix, &[name.to_owned()]].concat(), alias.to_owned())),
    }
}

/// Paths of two segments and more, as they stand in code: `super::f`.
fn inline_paths(body: &str) -> impl Iterator<Item = Path> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = body.split(move |c| !is_path(c)).filter(|word| word.contains("::") && !word.starts_with(':'));
    words.map(|word| word.split("::").filter(|segment| !segment.is_empty()).map(str::to_owned).collect())
}

fn defines(code: &str, name: &str) -> bool {
    let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules!"];
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    kinds.iter().any(|kind| {
        let item = format!("{kind} {name}");
        code.match_indices(&item).any(|(at, _)| ends(&code[at + item.len()..]))
    })
}

/// This test sees what it should see.
#[test]
fn uses_are_seen() {
    let sources = [
        ("src/lib.rs", "pub mod base;\npub use base::{Span, error::Error};\n"),
        ("src/base/mod.rs", "//! crate::no_doc\nmod span;\npub mod error;\npub use span::*;\n"),
        ("src/base/span.rs", "use super::error; // crate::no_comment\npub struct Span;\n"),
        ("src/base/error.rs", "pub struct Error;\nimpl Error { fn at(&self) -> super::Span { todo } }\n"),
        (
            "src/read.rs",
            "use crate::{\n    Span as Range,\n    base::error::{self, Error},\n};\n#[cfg(test)]\nmod tests {\n    use crate::no_test;\n}\n",
        ),
    ];
    let graph = Graph::from_sources("src", sources.map(|(file, text)| (file.to_owned(), text.to_owned())).to_vec());
    let edges: Vec<_> = graph.edges().into_iter().collect();
    assert_eq!(
        edges,
        [
            ("src/base/error.rs", "src/base/span.rs"),
            ("src/base/span.rs", "src/base/error.rs"),
            ("src/read.rs", "src/base/error.rs"),
            ("src/read.rs", "src/base/span.rs"),
        ]
    );
    assert_eq!(graph.circles(), [BTreeSet::from(["src/base/error.rs", "src/base/span.rs"])]);
    assert_eq!(module_path("game/go/board.rs"), ["game", "go", "board"]);
}
