//! Problems of archives as data. A problem costs its member or its archive; the
//! others are read.

use std::borrow::Cow;
use std::fmt;

use crate::name::EntryName;

/// Kind of trouble.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// The system would not open or read it.
    Unreadable,
    /// No such file, or no such member.
    NotFound,
    /// The bytes are not what the format says.
    Damaged,
    /// The input ends too early.
    Truncated,
    /// A password would be needed.
    Encrypted,
    /// A method or a structure that is not supported.
    Unsupported,
    /// One of the [`Caps`](crate::Caps) was reached.
    Cap,
    /// It was read to its end, but some of its text is not of its charset and was replaced.
    Lossy,
    /// A game is longer than a caller may hold. It was passed over, or copied as it is.
    LongGame,
}

impl ArchiveErrorKind {
    /// The stable kebab-case name.
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
        }
    }
}

impl fmt::Display for ArchiveErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An archive, a member or a file that could not be read to its end. What came
/// before it has been delivered.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use sgfstream_archive::{Input, Item, ReadOptions, ArchiveErrorKind};
///
/// let mut said = String::new();
/// sgfstream_archive::visit(&[Input::path("no/such.sgf")], &ReadOptions::default(), |item| {
///     if let Item::Problem(problem) = item {
///         assert_eq!(problem.trouble, ArchiveErrorKind::NotFound);
///         said = problem.to_string();
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(said, "no/such.sgf: expected a file or directory, found none");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveProblem {
    /// The file, and the member where it is one.
    pub at: EntryName,
    /// Kind of trouble.
    pub trouble: ArchiveErrorKind,
    /// Expectation: what should have been there.
    pub expected: Cow<'static, str>,
    /// Finding: what was there.
    pub found: Cow<'static, str>,
}

impl ArchiveProblem {
    /// A problem at this place.
    pub fn new(
        at: EntryName,
        trouble: ArchiveErrorKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { at, trouble, expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for ArchiveProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.at, self.expected, self.found)
    }
}

impl std::error::Error for ArchiveProblem {}
