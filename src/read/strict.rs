//! Strict reading: the first problem of error severity stops.

use crate::base::{Error, ErrorKind, Position, Result, Severity};
use crate::event::{Event, Place};

use super::EventReader;

/// A reader that stops, with an error, at the first problem of error severity.
///
/// ```
/// use sgfstream::{EventReader, SliceReader, Strict};
///
/// let mut reader = Strict::new(SliceReader::new(b"(;B[aa]\n)W[bb]"));
/// let err = loop {
///     match reader.pull() {
///         Ok(Some(_)) => {}
///         Ok(None) => unreachable!("there is text after the game"),
///         Err(err) => break err,
///     }
/// };
/// assert!(err.is_problem());
/// assert_eq!(err.position().map(|at| (at.line, at.column)), Some((2, 2)));
/// ```
#[derive(Clone, Debug)]
pub struct Strict<R> {
    inner: R,
}

impl<R: EventReader> Strict<R> {
    /// Makes `inner` strict.
    pub fn new(inner: R) -> Self {
        Self { inner }
    }

    /// The reader inside.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: EventReader> EventReader for Strict<R> {
    fn advance(&mut self) -> Result<bool> {
        if !self.inner.advance()? {
            return Ok(false);
        }
        match self.inner.event() {
            Event::Problem(problem) if problem.severity() == Severity::Error => {
                let position = self.inner.position_of(problem.span.start);
                Err(Error::new(ErrorKind::Problem(problem), Some(position)))
            }
            _ => Ok(true),
        }
    }

    fn event(&self) -> Event<'_> {
        self.inner.event()
    }

    fn place(&self) -> Place {
        self.inner.place()
    }

    fn position_of(&self, byte: u64) -> Position {
        self.inner.position_of(byte)
    }

    fn skip_variation(&mut self) {
        self.inner.skip_variation();
    }

    fn skip_game(&mut self) {
        self.inner.skip_game();
    }
}
