//! Globs: `*` and `?` inside a name, `[a-z]` and `[!a-z]` for one character,
//! `**` for any directories.

use std::fs;
use std::path::{Path, PathBuf};

/// The paths that fit `pattern`, sorted by name. Links to directories are
/// followed where the pattern names them, not by `**`.
pub(super) fn expand(pattern: &str) -> Vec<PathBuf> {
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
            // No directory, or one and then `**` again. At the end of a
            // pattern `**` is everything below, so the directory itself.
            pending.push((path.clone(), at + 1));
            if at + 1 < parts.len() {
                let real = |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
                pending.extend(names(&path).map(|name| path.join(name)).filter(real).map(|path| (path, at)));
            }
        } else if part.contains(['*', '?', '[']) {
            let last = at + 1 == parts.len();
            // As in shells, a name with a dot in front has to be asked for.
            let fits = |name: &String| fits(part, name) && (part.starts_with('.') || !name.starts_with('.'));
            let next = names(&path).filter(fits).map(|name| path.join(name));
            pending.extend(next.filter(|path| last || path.is_dir()).map(|path| (path, at + 1)));
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

fn names(directory: &Path) -> impl Iterator<Item = String> + use<> {
    let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
    let entries = fs::read_dir(directory).into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok())
}

/// Whether `name` fits `pattern`. Linear but for the last `*`, which moves on
/// when what follows it does not fit.
fn fits(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut p, mut n) = (0, 0);
    let mut retry: Option<(usize, usize)> = None;
    while n < name.len() {
        if pattern.get(p) == Some(&'*') {
            retry = Some((p, n));
            p += 1;
            continue;
        }
        match one(&pattern[p..], name[n]) {
            Some(len) => {
                p += len;
                n += 1;
            }
            None => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    (p, n) = (star + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

/// How much of the pattern's front takes the character `c`, if it does.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match *pattern.first()? {
        '?' => Some(1),
        '[' => {
            let inverted = matches!(pattern.get(1), Some('!' | '^'));
            let start = if inverted { 2 } else { 1 };
            // A `]` right at the start stands for itself.
            let close = pattern.iter().skip(start + 1).position(|c| *c == ']').map(|at| at + start + 1);
            let Some(close) = close else { return (c == '[').then_some(1) };
            let set = &pattern[start..close];
            let mut inside = false;
            let mut at = 0;
            while at < set.len() {
                if at + 2 < set.len() && set[at + 1] == '-' {
                    inside |= (set[at]..=set[at + 2]).contains(&c);
                    at += 3;
                } else {
                    inside |= set[at] == c;
                    at += 1;
                }
            }
            (inside != inverted).then_some(close + 1)
        }
        literal => (literal == c).then_some(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_fit() {
        for (pattern, name, expected) in [
            ("*.sgf", "a.sgf", true),
            ("*.sgf", "a.sgfs", false),
            ("*", "", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("?.sgf", "黒.sgf", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[]]x", "]x", true),
            ("[", "[", true),
            ("a[", "ab", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn paths_that_fit() {
        let found = expand("src/**/gl?b.[r]s");
        assert_eq!(found, [PathBuf::from("src/glob.rs")]);
        assert!(expand("src/no*where/*").is_empty());
    }
}
