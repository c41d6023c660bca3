//! Strict reading: stops at the first problem of severity error.

use crate::base::{Error, ErrorKind, Position, Result, Severity};
use crate::event::{Event, Flow, Place, Sink};

use super::reader::{EventReader, EventSource};

/// Reader that stops, with an error, at the first problem of severity error. If the caller skips a
/// variation or a game, the reader does not look for problems in the skipped bytes.
///
/// ```
/// use sgfstream::{EventReader, SliceReader, Strict};
///
/// let mut reader = Strict::new(SliceReader::new(b"(;B[aa]\n)W[bb]"));
/// let err = loop {
///     match reader.next_event() {
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
    /// Returns a strict reader of `inner`.
    pub fn new(inner: R) -> Self {
        Self { inner }
    }

    /// Returns the inner reader. `Strict` does not see the problems that the caller reads from it.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.inner
    }

    /// Returns the inner reader.
    pub fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: EventReader> EventSource for Strict<R> {
    #[inline(always)]
    fn drive_common(&mut self, sink: &mut impl Sink) -> Option<Flow> {
        self.inner.drive_common(sink)
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

    fn hold_games(&mut self) -> u64 {
        self.inner.hold_games()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OwnedEvent, SliceReader};

    const INPUT: &[u8] = b"(;B[aa]\n(;W[bb]C[x])(;W[cc]))\n(;B[dd];W[ee])";

    type Skip<R> = fn(&mut R);

    /// Returns the events after `events` events and a skip.
    fn rest<R: EventReader>(
        mut reader: R,
        events: usize,
        skip: Skip<R>,
    ) -> Vec<(OwnedEvent, String, Position)> {
        for _ in 0..events {
            assert!(reader.advance().expect("no fault"));
        }
        skip(&mut reader);
        let mut rest = Vec::new();
        while reader.advance().expect("no fault") {
            let place = reader.place();
            rest.push((
                reader.event().into_owned(),
                format!("{place:?}"),
                reader.position_of(place.span.start),
            ));
        }
        rest
    }

    #[test]
    fn skips_and_places_are_those_of_the_reader_inside() {
        let strict = || Strict::new(SliceReader::new(INPUT));
        for events in 1..SliceReader::new(INPUT).events().count() {
            let expected = rest(SliceReader::new(INPUT), events, EventReader::skip_variation);
            assert_eq!(
                rest(strict(), events, EventReader::skip_variation),
                expected,
                "a variation after {events}"
            );
            let expected = rest(SliceReader::new(INPUT), events, EventReader::skip_game);
            assert_eq!(
                rest(strict(), events, EventReader::skip_game),
                expected,
                "a game after {events}"
            );
        }
    }
}
