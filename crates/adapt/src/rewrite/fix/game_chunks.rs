//! The pieces of an input that are repaired one by one.

use std::io::Read;

use sgfstream::parallel::PartReader;
use sgfstream::{Event, EventReader, Position, Result, Span};

/// A game with the text after it up to the next one; the first also has the text before it. A game on which the text
/// before it has an effect, such as one without its `(`, is in the piece of the game before it, and so is one after a game
/// that lacks its `)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// Its bytes in the input.
    pub span: Span,
    /// The line and the column of its first byte. Those of a part count from its start.
    pub start: Position,
    /// Games before it.
    pub games: u64,
    /// Games in it, if that is known.
    count: Option<u64>,
}

/// The pieces of an input, or of a part of it. Between them reading can begin anew: a piece that is read alone is read as
/// it is in the input, unless bytes after it tell whether a `(` in it begins a game. [`Fixer`](super::Fixer) sees that by
/// the number of its games, and repairs nothing then.
///
/// The page of [`Fixer`](super::Fixer) has an example.
#[derive(Debug)]
pub struct GameChunks {
    start: Position,
    games: u64,
    /// Games of the piece so far.
    count: u64,
    /// A game of the piece has ended with its `)`.
    has_game: bool,
}

impl Piece {
    /// The bytes `span` of an input, whose first is at `start`, after so many games.
    #[must_use]
    pub fn new(span: Span, start: Position, games: u64) -> Self {
        Self { span, start, games, count: None }
    }

    /// True if it may have so many games when it is read alone.
    pub(super) fn may_have(&self, games: usize) -> bool {
        self.count.is_none_or(|count| count == games as u64)
    }
}

impl GameChunks {
    /// Those of a reader of which nothing was read.
    #[must_use]
    pub fn new<R: Read>(reader: &PartReader<'_, R>) -> Self {
        let start = Position { byte: reader.start(), line: 1, column: 1 };
        Self { start: reader.start_position().unwrap_or(start), games: 0, count: 0, has_game: false }
    }

    /// Reads to the end of the next piece; none at the end of the input.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`]. [`rest`](Self::rest) is what was read of the last piece.
    pub fn next<R: Read>(&mut self, reader: &mut PartReader<'_, R>) -> Result<Option<Piece>> {
        while reader.advance()? {
            match reader.event() {
                Event::VariationStart(variation) if variation.is_game() => {}
                // Whether a game has ended that lacks its `)` depends on what follows.
                Event::VariationEnd(variation) => {
                    self.has_game = !variation.supplied;
                    continue;
                }
                _ => continue,
            }
            let is_next = std::mem::take(&mut self.has_game) && reader.game_place().is_some();
            let piece = is_next.then(|| {
                let start = reader.position_of(reader.span().start);
                let piece = self.rest(start.byte);
                (self.start, self.games, self.count) = (start, reader.game() - 1, 0);
                piece
            });
            self.count += 1;
            reader.skip_game();
            if piece.is_some() {
                return Ok(piece);
            }
        }
        let rest = self.rest(reader.offset());
        (self.start.byte, self.count) = (rest.span.end, 0);
        Ok(Some(rest).filter(|rest| !rest.span.is_empty()))
    }

    /// The piece from the end of the last one to byte `end`.
    #[must_use]
    pub fn rest(&self, end: u64) -> Piece {
        let Self { start, games, count, .. } = *self;
        Piece { span: Span::new(start.byte, end.max(start.byte)), start, games, count: Some(count) }
    }
}
