//! Reader of games.

use super::{GameRecord, TokenBuffer};
use crate::base::{Problem, Result, Span};
use crate::event::{Event, Flow};
use crate::read::EventReader;

/// Reader of games: the buffer of each game in turn. A game over the budget has no buffer, but is named.
///
/// A game's bytes stay in the reader's window until the next game is read. Its tokens have places relative to its `(`,
/// so that the window may move and grow while the game is read.
#[derive(Debug)]
pub struct GameReader<R> {
    reader: R,
    buffer: TokenBuffer,
    is_in_game: bool,
}

/// A game that does not fit the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongGame {
    /// Number of the game, from 1.
    pub number: u64,
    /// Bytes of the game in the input.
    pub span: Span,
}

impl<R: EventReader> GameReader<R> {
    /// Returns a reader of the games that `reader` reads. The budget of a game is [`Limits::game`](crate::Limits::game).
    pub fn new(mut reader: R) -> Self {
        let budget = reader.hold_games();
        Self { reader, buffer: TokenBuffer::new(budget), is_in_game: false }
    }

    /// Reads the next game. Returns `None` at the end of the input.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_game(&mut self) -> Result<Option<std::result::Result<GameRecord<'_>, LongGame>>> {
        if self.is_in_game {
            self.skip_rest()?;
        }
        if !self.start(usize::MAX)? {
            return Ok(None);
        }
        Ok(Some(self.game().ok_or_else(|| self.long_game())))
    }

    /// Reads the root of the next game. Returns false at the end of the input.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn next_root(&mut self) -> Result<bool> {
        if self.is_in_game {
            self.skip_rest()?;
        }
        self.start(1)
    }

    /// Reads this number of further nodes.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn read_nodes(&mut self, nodes: usize) -> Result<()> {
        if self.is_in_game { self.read(nodes) } else { Ok(()) }
    }

    /// Reads the rest of the game.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn read_rest(&mut self) -> Result<()> {
        self.read_nodes(usize::MAX)
    }

    /// Skips the rest of the game, so that its buffer has the nodes that were read and the end only.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn skip_rest(&mut self) -> Result<()> {
        if self.is_in_game {
            if self.reader.skip_listed(&mut self.buffer) {
                self.is_in_game = false;
                return Ok(());
            }
            self.reader.skip_game();
            // Its bytes are not needed any more.
            self.reader.retain_game(None);
            self.buffer.is_over = true;
            self.read(usize::MAX)?;
        }
        Ok(())
    }

    /// Returns the game as far as it was read, if it fits the budget.
    #[must_use]
    pub fn game(&self) -> Option<GameRecord<'_>> {
        let buffer = &self.buffer;
        if buffer.is_over {
            return None;
        }
        let end = if self.is_in_game { u64::MAX } else { buffer.end };
        let bytes = self.reader.game_bytes(buffer.base, end)?;
        Some(GameRecord::new(bytes, buffer, buffer.base))
    }

    /// Returns number and span of the last game, if it did not fit the budget.
    #[must_use]
    pub fn long_game(&self) -> LongGame {
        LongGame { number: self.buffer.number, span: Span::new(self.buffer.base, self.buffer.end) }
    }

    /// Returns the bytes of the game in the input, once it was read or skipped to its end.
    #[must_use]
    pub fn span(&self) -> Span {
        Span::new(self.buffer.base, self.buffer.end)
    }

    /// Returns the number of the game.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.buffer.number
    }

    /// Returns the problems after the last game, once there is no game left. In a part that is not the last they belong to
    /// the first game of the next part.
    #[must_use]
    pub fn trailing_problems(&self) -> &[Problem] {
        if self.buffer.is_empty() { self.buffer.problems() } else { &[] }
    }

    /// Returns the reader, for positions, counts and the end of a part.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the reader. Reading events from it loses games.
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    fn start(&mut self, left: usize) -> Result<bool> {
        self.buffer.clear();
        self.reader.retain_game(None);
        self.read(left)?;
        Ok(!self.buffer.is_empty())
    }

    fn read(&mut self, left: usize) -> Result<()> {
        self.buffer.left = left;
        let result = self.read_on();
        let place = self.reader.place();
        self.buffer.charset = (place.charset, place.charset_source);
        self.is_in_game = !self.buffer.is_empty() && self.buffer.end == 0;
        result
    }

    #[inline]
    fn read_on(&mut self) -> Result<()> {
        loop {
            let flow = match self.reader.fill_common(&mut self.buffer) {
                Some(flow) => flow,
                None => {
                    let buffer = &mut self.buffer;
                    if !buffer.is_empty() && !buffer.is_over && !self.reader.holds_game(buffer.base) {
                        buffer.drop_tokens();
                        self.reader.skip_game();
                    }
                    if !self.reader.advance()? {
                        return Ok(());
                    }
                    let (event, place) = (self.reader.event(), self.reader.place());
                    let flow = buffer.take(&event, &place);
                    if matches!(event, Event::VariationStart(start) if start.depth == 1) {
                        self.reader.retain_game(Some(place.span.start));
                    }
                    flow
                }
            };
            match flow {
                Flow::Go | Flow::SkipVariation => {}
                Flow::SkipGame => {
                    self.reader.retain_game(None);
                    self.reader.skip_game();
                }
                Flow::Stop => return Ok(()),
            }
        }
    }
}
