//! Inputs, as a caller names them: a path, a pattern, a list, stdin, a member.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::name::{EntryName, escaped, file_of, raw_path};

/// One thing to read, as named by a person or a program.
///
/// | text | is |
/// |---|---|
/// | `games/` | a directory, with all below it |
/// | `games.zip` | a file; an archive is seen by its content |
/// | `games.zip!1980/one.sgf` | a member, `games.zip!1980/` all members below |
/// | `games.zip!*.sgf` | the members that match a pattern with `*` or `?` |
/// | `games.zip!one.sgf#17` | a game of a member, counted from 1 |
/// | `games/**/*.sgf` | a glob: `*` `?` `[a-z]` and `**` over directories |
/// | `@list` | a file that names one input a line (`@-`: on stdin) |
/// | `-` | stdin |
///
/// A file that exists under the whole text wins over all of these.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// A file, a directory, or something inside a file.
    Path(Target),
    /// A glob.
    Glob(String),
    /// Names, one a line.
    List {
        /// The file that holds them; `-` is stdin.
        path: PathBuf,
        /// Each name ends with a NUL instead of a newline.
        nul: bool,
    },
    /// Standard input.
    Stdin,
    /// A file that is read under another name: the copy of a stream, for example.
    Copy {
        /// The file.
        path: PathBuf,
        /// Its name, in the names of entries and in problems.
        name: EntryName,
    },
}

/// A path, and the member and game to read from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The file or directory.
    pub path: PathBuf,
    /// The member of the archive, `outer!inner` where they nest; all of it
    /// when there is none.
    pub member: Option<String>,
    /// The game, counted from 1; handed on to [`Entry::games`](crate::Entry).
    pub game: Option<u64>,
}

/// A member of a file, or a game, that the caller named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// The member of the archive, `outer!inner` where they nest; all of it when there is none.
    pub member: Option<String>,
    /// The game, counted from 1; all games when there is none.
    pub game: Option<u64>,
}

impl Input {
    /// The input that `text` names, by the table above. Looks at the file
    /// system to tell a member from a file with `!` in its name.
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

    /// Like [`parse`](Self::parse), for an argument that may not be UTF-8. Then
    /// it is a path, or one with a member whose name has these bytes.
    #[must_use]
    pub fn parse_os(text: &OsStr) -> Self {
        text.to_str().map_or_else(|| Self::Path(Target::parse_bytes(text.as_encoded_bytes())), Self::parse)
    }

    /// A file or directory, whatever characters its name has.
    #[must_use]
    pub fn path(path: impl AsRef<Path>) -> Self {
        Self::Path(Target { path: path.as_ref().to_path_buf(), member: None, game: None })
    }

    /// A file of names, one a line; `-` is stdin.
    #[must_use]
    pub fn list(path: impl AsRef<Path>) -> Self {
        Self::List { path: path.as_ref().to_path_buf(), nul: false }
    }

    /// A file of names with a NUL after each, as `find -print0` writes it.
    #[must_use]
    pub fn list_nul(path: impl AsRef<Path>) -> Self {
        Self::List { path: path.as_ref().to_path_buf(), nul: true }
    }
}

impl Target {
    /// `path`, `path!member`, either with `#game`; what exists as a file is
    /// its path.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let whole = |path: &str, game| Self { path: file_of(path), member: None, game };
        if file_of(text).exists() {
            return whole(text, None);
        }
        let (rest, game) = match text.rsplit_once('#') {
            Some((rest, digits)) if !rest.is_empty() && is_number(digits) => (rest, digits.parse().ok()),
            _ => (text, None),
        };
        if file_of(rest).exists() {
            return whole(rest, game);
        }
        let cuts = || rest.match_indices('!').map(|(at, _)| at).filter(|at| *at > 0);
        // The first `!` after the name of a file; otherwise the first, so that the
        // missing file is reported by its name.
        let cut = cuts().find(|at| rest[..*at] == *"-" || file_of(&rest[..*at]).is_file()).or_else(|| cuts().next());
        match cut {
            Some(at) => Self { path: file_of(&rest[..at]), member: Some(rest[at + 1..].to_owned()), game },
            None => whole(rest, game),
        }
    }
}

impl Target {
    /// Like [`parse`](Self::parse), for bytes that may not be UTF-8.
    pub(crate) fn parse_bytes(bytes: &[u8]) -> Self {
        let path = raw_path(bytes);
        if path.exists() { Self { path, member: None, game: None } } else { Self::parse(&escaped(bytes)) }
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
            Input::Path(Target { path: path.into(), member: member.map(Into::into), game })
        };
        assert_eq!(Input::parse("x.sgf#3"), target("x.sgf", None, Some(3)));
        assert_eq!(Input::parse("x.sgf#"), target("x.sgf#", None, None));
        assert_eq!(Input::parse("a.zip!b.tar!c.sgf"), target("a.zip", Some("b.tar!c.sgf"), None));
        assert_eq!(Input::parse("Cargo.toml!m[1].sgf#2"), target("Cargo.toml", Some("m[1].sgf"), Some(2)));
    }
}
