//! Cuts an input into chunks that can be repaired one by one.

use sgfstream::parallel::PartReader;
use sgfstream::{Event, EventReader, Position, Result, Span};

/// A game with the text after it, up to the next game. The first chunk also has the text before its
/// game. If the preceding text affects how a game is read, for example because the game lacks its
/// `(`, the game belongs to the chunk of the game before it. So does a game after one that lacks
/// its `)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameChunk {
    /// The bytes of the chunk in the input.
    pub span: Span,
    /// Line and column of the first byte. In a part of an input, they count from the start of the
    /// part.
    pub start: Position,
    /// Number of games before the chunk.
    pub games: u64,
    /// Number of games in the chunk, if known.
    pub(super) count: Option<u64>,
}

/// Iterates over the chunks of an input, or of a part of it; a part does not end inside a chunk. A
/// chunk on its own reads as it does in the input, unless later bytes decide whether a `(` in it
/// begins a game. [`Fixer`](super::Fixer) recognizes that by the number of games, and then repairs
/// nothing.
///
/// The page of [`Fixer`](super::Fixer) has an example.
#[derive(Debug)]
pub struct GameChunks {
    start: Position,
    games: u64,
    /// Games of the current chunk so far.
    count: u64,
    /// A game of the chunk has ended with its `)`.
    has_game: bool,
}

impl GameChunk {
    /// Returns the chunk with the bytes `span`, which begins at `start` after `games` games.
    #[must_use]
    pub fn new(span: Span, start: Position, games: u64) -> Self {
        Self {
            span,
            start,
            games,
            count: None,
        }
    }

    /// Returns the chunk of an input that is the bytes of `outer`.
    pub(super) fn within(self, outer: &Self) -> Self {
        let span = Span::new(
            self.span.start + outer.span.start,
            self.span.end + outer.span.start,
        );
        let start = Position {
            byte: span.start,
            ..self.start
        };
        Self {
            span,
            start,
            games: self.games + outer.games,
            count: self.count,
        }
    }
}

impl GameChunks {
    /// Returns the chunks of a reader that has not read anything yet.
    #[must_use]
    pub fn new(reader: &PartReader<'_>) -> Self {
        let start = Position {
            byte: reader.start(),
            line: 1,
            column: 1,
        };
        Self {
            start: reader.start_position().unwrap_or(start),
            games: 0,
            count: 0,
            has_game: false,
        }
    }

    /// Reads to the end of the next chunk and returns it, or `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`]. After an error, [`rest`](Self::rest) returns what was read
    /// of the last chunk.
    pub fn next(&mut self, reader: &mut PartReader<'_>) -> Result<Option<GameChunk>> {
        loop {
            if !reader.advance()? {
                // The next part cannot begin inside a chunk.
                let is_inside = !self.has_game && self.start.byte < reader.offset();
                if is_inside && reader.read_on() {
                    continue;
                }
                break;
            }
            match reader.event() {
                Event::VariationStart(variation) if variation.is_game() => {}
                // If a game lacks its `)`, the bytes after it decide whether it has ended.
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
        let end = reader.offset();
        let rest = self.rest(end);
        // Start again after the end, because the caller can pass more input.
        let games = self.games + self.count;
        *self = Self {
            start: reader.position_of(end),
            games,
            count: 0,
            has_game: false,
        };
        Ok(Some(rest).filter(|rest| !rest.span.is_empty()))
    }

    /// Returns the chunk from the end of the last one to byte `end`.
    #[must_use]
    pub fn rest(&self, end: u64) -> GameChunk {
        let Self {
            start,
            games,
            count,
            ..
        } = *self;
        GameChunk {
            span: Span::new(start.byte, end.max(start.byte)),
            start,
            games,
            count: Some(count),
        }
    }
}
