//! Problems of archives, as data. A walk skips the member or archive with a problem, and reads on.

use std::borrow::Cow;
use std::fmt;

use crate::name::EntryName;

/// Kind of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// The system did not open or read the file.
    Unreadable,
    /// The file or member does not exist.
    NotFound,
    /// The bytes violate the format.
    Damaged,
    /// The input ends too early.
    Truncated,
    /// The content needs a password.
    Encrypted,
    /// The method or the structure is not supported.
    Unsupported,
    /// One of the [`Caps`](crate::Caps) was reached.
    Cap,
    /// The file was read to its end, but some text is invalid in its charset and was replaced.
    Lossy,
    /// A game is longer than the caller's limit. It was skipped, or copied unchanged.
    LongGame,
    /// A long game without its `)`, which may hide the games after it.
    UnclosedGame,
}

impl ArchiveErrorKind {
    /// Returns the stable kebab-case name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::NotFound => "not-found",
            Self::Damaged => "damaged",
            Self::Truncated => "truncated",
            Self::Encrypted => "encrypted",
            Self::Unsupported => "unsupported",
            Self::Cap => "cap",
            Self::Lossy => "lossy",
            Self::LongGame => "long-game",
            Self::UnclosedGame => "unclosed-game",
        }
    }
}

impl fmt::Display for ArchiveErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An archive, a member or a file that could not be read to its end. Entries before the problem
/// have been delivered.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use sgfstream_archive::{ArchiveErrorKind, Input, ReadOptions};
///
/// let mut said = String::new();
/// sgfstream_archive::visit(&[Input::path("no/such.sgf")], &ReadOptions::default(), |item| {
///     if let Err(problem) = item {
///         assert_eq!(problem.kind, ArchiveErrorKind::NotFound);
///         said = problem.to_string();
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(said, "no/such.sgf: no such file or directory");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveProblem {
    /// The file, and the member if there is one.
    pub at: EntryName,
    /// Kind of the problem.
    pub kind: ArchiveErrorKind,
    /// A sentence in lower case without a full stop: what failed, why, and what to try.
    pub message: Cow<'static, str>,
}

impl ArchiveProblem {
    /// Returns the problem of this file or member.
    pub fn new(
        at: EntryName,
        kind: ArchiveErrorKind,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            at,
            kind,
            message: message.into(),
        }
    }
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for ArchiveProblem {}
