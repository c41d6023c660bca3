//! One game of an input, as an input of its own: what `x.sgf#17` names.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use sgfstream::event::Event;
use sgfstream::read::{EventReader, Options, Reader};
use sgfstream_archive::{ArchiveProblem, EntryName, Trouble};

use super::tape::{Recorder, Tape};

/// Reads the bytes of one game, from its `(` to its `)`, and nothing else.
pub struct OneGame<R> {
    reader: Reader<Recorder<R>>,
    tape: Rc<RefCell<Tape>>,
    number: u64,
    state: State,
    /// Up to here the bytes were given.
    given: u64,
    /// Up to here they may be.
    known: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Behind,
    /// The input ended first.
    Missing,
}

impl<R: Read> OneGame<R> {
    /// The game of this number, from 1.
    pub fn new(read: R, options: Options, number: u64) -> Self {
        let (recorder, tape) = Recorder::new(read);
        tape.borrow_mut().skip(true);
        let reader = Reader::with_options(recorder, options.with_gaps(false));
        Self { reader, tape, number, state: State::Before, given: 0, known: 0 }
    }

    /// False if the input was read to its end and has no such game.
    pub fn is_found(&self) -> bool {
        self.state != State::Missing
    }

    /// Reads on to the next event.
    fn advance(&mut self) -> io::Result<()> {
        if !self.reader.advance().map_err(io::Error::other)? {
            self.state = if self.state == State::Before { State::Missing } else { State::Behind };
            return Ok(());
        }
        let place = self.reader.place();
        let (is_start, is_end) = match self.reader.event() {
            Event::VariationStart { .. } => (place.depth == 1, false),
            Event::VariationEnd { .. } => (false, place.depth == 1),
            _ => (false, false),
        };
        match self.state {
            State::Before if is_start && place.game == self.number => {
                self.tape.borrow_mut().skip(false);
                self.state = State::Inside;
                (self.given, self.known) = (place.span.start, place.span.end);
            }
            State::Before if is_start => {
                self.tape.borrow_mut().release(place.span.start);
                self.reader.skip_game();
            }
            State::Inside => {
                self.known = place.span.end;
                if is_end {
                    self.state = State::Behind;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl<R: Read> Read for OneGame<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while matches!(self.state, State::Before | State::Inside) && self.known - self.given < buf.len() as u64 {
            self.advance()?;
        }
        let len = (self.known - self.given).min(buf.len() as u64);
        let mut tape = self.tape.borrow_mut();
        tape.copy(self.given, self.given + len, &mut &mut buf[..len as usize])?;
        self.given += len;
        tape.release(self.given);
        Ok(len as usize)
    }
}

/// What is said where there are fewer games.
pub fn missing_game(name: &EntryName, number: u64) -> ArchiveProblem {
    ArchiveProblem {
        at: name.clone(),
        trouble: Trouble::NotFound,
        expected: format!("a game {number}").into(),
        found: "fewer".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(input: &[u8], number: u64) -> (Vec<u8>, bool) {
        let mut game = OneGame::new(input, Options::default(), number);
        let mut out = Vec::new();
        game.read_to_end(&mut out).expect("from memory");
        (out, game.is_found())
    }

    #[test]
    fn a_game_by_its_number() {
        let input = b"mail\n(;A[1] )\n ( ;B[2](;C[3]\\))\n(;D[4";
        assert_eq!(game(input, 1), (b"(;A[1] )".to_vec(), true));
        assert_eq!(game(input, 2), (b"( ;B[2](;C[3]\\))".to_vec(), true));
        assert_eq!(game(input, 3), (b"(;D[4".to_vec(), true));
        assert_eq!(game(input, 4), (Vec::new(), false));
    }

    #[test]
    fn games_of_megabytes() {
        let long = format!("(;C[{}])", "x".repeat(20 << 20));
        let input = [&*long, "(;B[aa])", &long].concat();
        assert!(game(input.as_bytes(), 1) == (long.clone().into_bytes(), true));
        assert!(game(input.as_bytes(), 2) == (b"(;B[aa])".to_vec(), true));
        assert!(game(input.as_bytes(), 3) == (long.into_bytes(), true));
    }
}
