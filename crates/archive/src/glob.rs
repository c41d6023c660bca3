//! Patterns, for names and for paths on disk.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns whether `text` contains a character of patterns.
pub(crate) fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '['])
}

/// Pattern: `*` and `?` inside a name, `[a-z]` and `[!a-z]` for one character, `**` for any
/// directories. Invalid syntax, such as a single `[`, matches itself.
//
// The crate `globset` compares bytes, so that its `?` does not match `黒`.
#[derive(Debug)]
pub(crate) struct Matcher(glob::Pattern);

impl Matcher {
    pub(crate) fn new(pattern: &str) -> Self {
        let parts = pattern.split('/').map(|part| match part {
            // Within a name, two stars mean the same as one.
            "**" => part.to_owned(),
            _ => part
                .replace("***", "*")
                .replace("**", "*")
                .replace("[^", "[!"),
        });
        let pattern = parts.collect::<Vec<_>>().join("/");
        let literal = || glob::Pattern::new(&glob::Pattern::escape(&pattern));
        Self(
            glob::Pattern::new(&pattern)
                .or_else(|_| literal())
                .expect("an escaped pattern is valid"),
        )
    }

    pub(crate) fn is_match(&self, name: &str) -> bool {
        let options = glob::MatchOptions {
            require_literal_separator: true,
            ..glob::MatchOptions::new()
        };
        self.0.matches_with(name, options)
    }
}

/// Returns the paths that match `pattern`, sorted by name. Links to directories are followed if the
/// pattern names them, but not by `**`.
pub(crate) fn expand(pattern: &str) -> Vec<PathBuf> {
    let (base, rest) = match pattern.strip_prefix('/') {
        Some(rest) => (PathBuf::from("/"), rest),
        None => (PathBuf::new(), pattern),
    };
    let parts: Vec<&str> = rest.split('/').filter(|part| !part.is_empty()).collect();
    let mut found = Vec::new();
    let mut pending = vec![(base, 0)];
    while let Some((path, at)) = pending.pop() {
        let Some(&part) = parts.get(at) else {
            found.push(path);
            continue;
        };
        if part == "**" {
            // `**` matches no directory, or one directory and then `**` again. At the end of a
            // pattern, it matches the directory itself, with everything below it.
            pending.push((path.clone(), at + 1));
            if at + 1 < parts.len() {
                let real = |path: &PathBuf| {
                    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir())
                };
                pending.extend(
                    names(&path)
                        .map(|name| path.join(name))
                        .filter(real)
                        .map(|path| (path, at)),
                );
            }
        } else if is_pattern(part) {
            let last = at + 1 == parts.len();
            let glob = Matcher::new(part);
            // As in shells, only a pattern that begins with a dot matches a name that begins with a
            // dot.
            let is_shown = |name: &OsString| {
                part.starts_with('.') || !name.as_encoded_bytes().starts_with(b".")
            };
            let next = names(&path)
                .filter(|name| is_shown(name) && glob.is_match(&name.to_string_lossy()))
                .map(|name| path.join(name));
            pending.extend(
                next.filter(|path| last || path.is_dir())
                    .map(|path| (path, at + 1)),
            );
        } else {
            let next = path.join(part);
            if next.exists() {
                pending.push((next, at + 1));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn names(directory: &Path) -> impl Iterator<Item = OsString> + use<> {
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.file_name()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_match() {
        for (pattern, name, expected) in [
            ("*.sgf", "a.sgf", true),
            ("*.sgf", "a.sgfs", false),
            ("*.sgf", "a/b.sgf", false),
            ("**/*.sgf", "a/b.sgf", true),
            ("**/*.sgf", "b.sgf", true),
            ("*", "", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?.sgf", "黒.sgf", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]x", "]x", true),
            ("[^a-c]x", "dx", true),
            ("**.sgf", "b.sgf", true),
            ("***", "ab", true),
            ("[", "[", true),
            ("a[", "ab", false),
        ] {
            assert_eq!(
                Matcher::new(pattern).is_match(name),
                expected,
                "{pattern} {name}"
            );
        }
    }

    #[test]
    fn paths_that_match() {
        let found = expand("src/**/gl?b.[r]s");
        assert_eq!(found, [PathBuf::from("src/glob.rs")]);
        assert!(expand("src/no*where/*").is_empty());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn names_that_are_not_utf8_match() {
        use std::os::unix::ffi::OsStringExt;
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory
            .path()
            .join(OsString::from_vec(b"a\xff.sgf".to_vec()));
        fs::write(&path, b"").expect("a file");
        assert_eq!(
            expand(&directory.path().join("*.sgf").to_string_lossy()),
            [path]
        );
    }
}
