//! The error that stops a reader: input that cannot be read, a limit the
//! caller set, or, under [`Strict`](crate::Strict), the first
//! problem. A fault of the file is a [`Problem`], not an error.

use std::fmt;
use std::io;

use super::{Position, Problem};

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a reader or writer stopped.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    position: Option<Position>,
}

/// The reason for an [`Error`].
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    Io(io::Error),
    /// The variations nest deeper than [`Limits::depth`](crate::Limits::depth).
    Depth(u64),
    /// A game takes more than this many bytes of memory as a tree
    /// (`MemoryLimit` of `sgfstream-adapt`).
    Memory(u64),
    /// A [`Strict`](crate::Strict) reader met a problem of error severity.
    Problem(Problem),
    /// Something outside SGF is damaged: an archive, a container, a row.
    Other(String),
}

impl Error {
    /// An error of `kind`, at `position` where one is known.
    #[must_use]
    pub fn new(kind: ErrorKind, position: Option<Position>) -> Self {
        Self { kind, position }
    }

    /// This error at another place.
    #[must_use]
    pub fn at(self, position: Option<Position>) -> Self {
        Self { position, ..self }
    }

    /// The reason.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// Where in the input it happened, if that is known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.position
    }

    /// True when reading or writing failed.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(self.kind, ErrorKind::Io(_))
    }

    /// True when a limit that the caller set was passed.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(self.kind, ErrorKind::Depth(_) | ErrorKind::Memory(_))
    }

    /// True when a strict reader refused a problem.
    #[must_use]
    pub fn is_problem(&self) -> bool {
        matches!(self.kind, ErrorKind::Problem(_))
    }
}

impl From<io::Error> for Error {
    fn from(err: io::Error) -> Self {
        Self::new(ErrorKind::Io(err), None)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position {
            write!(f, "{position}: ")?;
        }
        match &self.kind {
            ErrorKind::Io(err) => write!(f, "{err}"),
            ErrorKind::Depth(limit) => {
                write!(f, "expected at most {limit} nested variations, found one more")
            }
            ErrorKind::Memory(limit) => {
                write!(f, "expected a game tree of at most {limit} bytes of memory, found a larger one")
            }
            ErrorKind::Problem(problem) => write!(f, "{problem}"),
            ErrorKind::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Io(err) => Some(err),
            _ => None,
        }
    }
}
