//! Error that stops a reader: the input cannot be read, a limit of the caller is exceeded, or
//! [`Strict`](crate::Strict) found a problem. Other problems in the file are [`Problem`]s, not errors.

use std::fmt;
use std::io;

use super::{LongGame, Position, Problem};

/// `Result` with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error that stopped a reader or writer.
///
/// ```
/// use sgfstream::{EventReader, Limits, Options, SliceReader};
///
/// let options = Options::default().with_limits(Limits::default().with_depth(1));
/// let mut reader = SliceReader::with_options(b"(;B[aa]\n(;W[bb]))", options);
/// let err = loop {
///     match reader.advance() {
///         Ok(is_event) => assert!(is_event),
///         Err(err) => break err,
///     }
/// };
/// assert!(err.is_limit());
/// assert_eq!(err.position().map(|position| (position.line, position.column)), Some((2, 1)));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Error(Box<Parts>);

/// Boxed, so that results with an error are not larger than results without.
#[derive(Debug)]
struct Parts {
    kind: ErrorKind,
    position: Option<Position>,
}

/// Reason for an [`Error`].
///
/// ```
/// use sgfstream::{ErrorKind, Reader};
///
/// let err = Reader::open("no such file.sgf").expect_err("there is no file");
/// assert!(matches!(err.kind(), ErrorKind::Io(err) if err.kind() == std::io::ErrorKind::NotFound));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading or writing failed.
    Io(io::Error),
    /// The variations nest deeper than [`Limits::depth`](crate::Limits::depth).
    Depth(u64),
    /// A game is longer than [`Limits::game`](crate::Limits::game).
    LongGame(LongGame),
    /// A [`Strict`](crate::Strict) reader found a problem of severity error.
    Problem(Problem),
    /// An error of the code around the reader.
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    /// Returns an error of `kind`, at `position` if it is known.
    #[must_use]
    pub fn new(kind: ErrorKind, position: Option<Position>) -> Self {
        Self(Box::new(Parts { kind, position }))
    }

    /// Returns an error of the code around the reader, without a position.
    #[must_use]
    pub fn other(err: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::new(ErrorKind::Other(err.into()), None)
    }

    /// Replaces the position.
    #[doc(hidden)]
    #[must_use]
    pub fn at(self, position: Option<Position>) -> Self {
        Self::new(self.0.kind, position)
    }

    /// Returns the reason.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// Returns the position in the input, if it is known.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns whether reading or writing failed.
    #[must_use]
    pub fn is_io(&self) -> bool {
        matches!(self.kind(), ErrorKind::Io(_))
    }

    /// Returns whether a limit of the caller was exceeded.
    #[must_use]
    pub fn is_limit(&self) -> bool {
        matches!(self.kind(), ErrorKind::Depth(_) | ErrorKind::LongGame(_))
    }

    /// Returns whether a strict reader rejected a problem.
    #[must_use]
    pub fn is_problem(&self) -> bool {
        matches!(self.kind(), ErrorKind::Problem(_))
    }
}

impl From<LongGame> for Error {
    fn from(game: LongGame) -> Self {
        Self::new(ErrorKind::LongGame(game), None)
    }
}

impl From<io::Error> for Error {
    fn from(err: io::Error) -> Self {
        Self::new(ErrorKind::Io(err), None)
    }
}

/// Returns the error of the input, or an error that contains this error.
///
/// ```
/// use std::io;
///
/// let err = io::Error::from(
///     sgfstream::Reader::open("no/such/file.sgf").expect_err("there is no file"),
/// );
/// assert_eq!(err.kind(), io::ErrorKind::NotFound);
/// assert!(err.to_string().starts_with("no/such/file.sgf: "));
/// ```
impl From<Error> for io::Error {
    fn from(err: Error) -> Self {
        match *err.0 {
            Parts {
                kind: ErrorKind::Io(inner),
                position: None,
            } => inner,
            Parts { kind, position } => Self::other(Error::new(kind, position)),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = self.position() {
            write!(f, "{position}: ")?;
        }
        match self.kind() {
            ErrorKind::Io(err) => write!(f, "{err}"),
            ErrorKind::Depth(limit) => {
                write!(f, "more than {limit} variations are nested")
            }
            ErrorKind::LongGame(game) => write!(f, "{game}"),
            ErrorKind::Problem(problem) => write!(f, "{problem}"),
            ErrorKind::Other(err) => write!(f, "{err}"),
        }
    }
}

/// [`Display`](fmt::Display) prints the error inside, so that the source is the source of that
/// error.
///
/// ```
/// use std::error::Error as _;
///
/// let err = sgfstream::Error::from(std::io::Error::other("disk on fire"));
/// assert_eq!((err.to_string(), err.source().is_none()), ("disk on fire".to_owned(), true));
/// ```
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.kind() {
            ErrorKind::Io(err) => err.source(),
            ErrorKind::Other(err) => err.source(),
            _ => None,
        }
    }
}
