//! Inputs, as a caller names them: a path, a pattern, a list, stdin, or a member.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::name::{EntryName, escaped, file_of, raw_path};

/// Input, as a user or a program names it.
///
/// | text | is |
/// |---|---|
/// | `games/` | a directory and everything below it |
/// | `games.zip` | a file; the walk recognizes archives by content |
/// | `games.zip!1980/one.sgf` | a member, `games.zip!1980/` all members below |
/// | `games.zip!*.sgf` | the members that match a pattern with `*` or `?` |
/// | `games.zip!one.sgf#17` | a game of a member, counted from 1 |
/// | `games/**/*.sgf` | a glob: `*` `?` `[a-z]` and `**` over directories |
/// | `@list` | a file with one input per line (`@-`: on stdin) |
/// | `-` | stdin |
///
/// An existing file with the whole text as its name takes precedence over all of these but `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A file, a directory, or something inside a file.
    Path(Target),
    /// A glob.
    Glob(String),
    /// A list of names, one on each line.
    List {
        /// The file with the names; `-` is stdin.
        path: PathBuf,
        /// Whether each name ends with a NUL instead of a newline.
        nul: bool,
    },
    /// Standard input.
    Stdin,
    /// A file to read under another name: the copy of a stream, for example.
    Copy {
        /// The file.
        path: PathBuf,
        /// The name to use in names of entries and in problems.
        name: EntryName,
    },
}

/// A path, with the member and the game to read from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file or directory.
    pub path: PathBuf,
    /// The member of the archive, `outer!inner` if archives are nested; `None` for the whole file.
    pub member: Option<String>,
    /// The game, counted from 1; it is passed on in [`Entry::games`](crate::Entry).
    pub game: Option<u64>,
}

/// A member or game of a file that the caller named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The member of the archive, `outer!inner` if archives are nested; `None` for the whole file.
    pub member: Option<String>,
    /// The game, counted from 1; `None` for all games.
    pub game: Option<u64>,
}

impl Input {
    /// Parses the text of an input by the table above. Checks the file system to distinguish a
    /// member from a file with `!` in its name.
    ///
    /// ```
    /// use sgfstream_archive::Input;
    ///
    /// assert_eq!(Input::parse("-"), Input::Stdin);
    /// let Input::Path(target) = Input::parse("games.zip!a/b.sgf#17") else { panic!() };
    /// assert_eq!(target.member.as_deref(), Some("a/b.sgf"));
    /// assert_eq!(target.game, Some(17));
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if text == "-" {
            return Self::Stdin;
        }
        if Path::new(text).exists() {
            return Self::path(text);
        }
        if let Some(list) = text.strip_prefix('@').filter(|list| !list.is_empty()) {
            return Self::list(list);
        }
        let target = Target::parse(text);
        let pattern = target.path.to_string_lossy();
        if target.member.is_none() && pattern.contains(['*', '?', '[']) && !target.path.exists() {
            return Self::Glob(text.to_owned());
        }
        Self::Path(target)
    }

    /// Parses an argument that may not be UTF-8, as [`parse`](Self::parse) does. Such an argument
    /// is a path, or a path with a member whose name has these bytes.
    #[must_use]
    pub fn parse_os(text: &OsStr) -> Self {
        text.to_str().map_or_else(
            || Self::Path(Target::parse_bytes(text.as_encoded_bytes())),
            Self::parse,
        )
    }

    /// Returns an input for a file or directory; no character of its name is special.
    #[must_use]
    pub fn path(path: impl AsRef<Path>) -> Self {
        Self::Path(Target {
            path: path.as_ref().to_path_buf(),
            member: None,
            game: None,
        })
    }

    /// Returns an input for a file of names, one on each line; `-` is stdin.
    #[must_use]
    pub fn list(path: impl AsRef<Path>) -> Self {
        Self::List {
            path: path.as_ref().to_path_buf(),
            nul: false,
        }
    }

    /// Returns an input for a file of names with a NUL after each, as `find -print0` writes it.
    #[must_use]
    pub fn list_nul(path: impl AsRef<Path>) -> Self {
        Self::List {
            path: path.as_ref().to_path_buf(),
            nul: true,
        }
    }
}

impl Target {
    /// Parses `path` or `path!member`, either with `#game`. A text that exists as a file is a path.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let whole = |path: &str, game| Self {
            path: file_of(path),
            member: None,
            game,
        };
        if file_of(text).exists() {
            return whole(text, None);
        }
        let (rest, game) = match text.rsplit_once('#') {
            Some((rest, digits)) if !rest.is_empty() && is_number(digits) => {
                (rest, digits.parse().ok())
            }
            _ => (text, None),
        };
        if file_of(rest).exists() {
            return whole(rest, game);
        }
        let cuts = || {
            rest.match_indices('!')
                .map(|(at, _)| at)
                .filter(|at| *at > 0)
        };
        // Cut at the first `!` that follows the name of a file. If no file exists, cut at the first
        // `!`, so that the missing file is reported by its name.
        let cut = cuts()
            .find(|at| rest[..*at] == *"-" || file_of(&rest[..*at]).is_file())
            .or_else(|| cuts().next());
        match cut {
            Some(at) => Self {
                path: file_of(&rest[..at]),
                member: Some(rest[at + 1..].to_owned()),
                game,
            },
            None => whole(rest, game),
        }
    }
}

impl Target {
    /// Parses bytes that may not be UTF-8, as [`parse`](Self::parse) does.
    pub(crate) fn parse_bytes(bytes: &[u8]) -> Self {
        let path = raw_path(bytes);
        if path.exists() {
            Self {
                path,
                member: None,
                game: None,
            }
        } else {
            Self::parse(&escaped(bytes))
        }
    }
}

fn is_number(digits: &str) -> bool {
    !digits.is_empty() && digits.len() < 20 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts() {
        assert_eq!(Input::parse("no/*.sgf"), Input::Glob("no/*.sgf".into()));
        assert_eq!(Input::parse("@names"), Input::list("names"));
        assert_eq!(Input::parse("Cargo.toml"), Input::path("Cargo.toml"));
        let target = |path: &str, member: Option<&str>, game| {
            Input::Path(Target {
                path: path.into(),
                member: member.map(Into::into),
                game,
            })
        };
        assert_eq!(Input::parse("x.sgf#3"), target("x.sgf", None, Some(3)));
        assert_eq!(Input::parse("x.sgf#"), target("x.sgf#", None, None));
        assert_eq!(
            Input::parse("a.zip!b.tar!c.sgf"),
            target("a.zip", Some("b.tar!c.sgf"), None)
        );
        assert_eq!(
            Input::parse("Cargo.toml!m[1].sgf#2"),
            target("Cargo.toml", Some("m[1].sgf"), Some(2))
        );
    }
}
