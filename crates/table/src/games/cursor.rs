//! A cursor over the games of a part, with access to their bytes.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::ops::Range;

use anyhow::Context;

use sgfstream::parallel::End;
use sgfstream::{Checkpoint, EventReader};
use sgfstream_engine::{Part, PartEnd, PartReader};

use crate::filter::Filter;
use crate::row::{GameExtent, RowBuilder, Rows};

/// Number of bytes before the end of the last game that the cursor keeps, because the line in which a game
/// begins may start there.
const LINE: u64 = 64 << 10;

/// Error for a game that is longer than [`Limits::game`](sgfstream::Limits::game), so that no fact of it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkippedLongGame;

impl fmt::Display for SkippedLongGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the game is too long to hold in memory")
    }
}

impl std::error::Error for SkippedLongGame {}

/// Cursor over the games of a part. It has read the root of the current game, and the rest only on request.
pub struct GameCursor<'e> {
    rows: Rows<PartReader<'e>>,
    /// Whether there was a game. Before that, the builder still has the row of another part.
    is_started: bool,
    before: Range<u64>,
    /// The state of the reader before the game.
    checkpoint: Option<Checkpoint>,
}

impl<'e> GameCursor<'e> {
    /// Returns the cursor before the first game of `part`. `builder` collects the required facts of each game.
    ///
    /// # Errors
    ///
    /// Returns an error if reading up to a requested game fails.
    pub fn new(part: Part<'e>, builder: RowBuilder) -> anyhow::Result<Self> {
        let name = part.name();
        let members: Vec<&str> = name.members().collect();
        let member = (!members.is_empty()).then(|| members.join("!"));
        let builder = builder.for_input(Some(name.source().into_owned()), member);
        let mut reader = part.reader();
        let start = reader.start();
        reader.skip_to_game()?;
        let rows = Rows::with_builder(reader, builder);
        Ok(Self { rows, is_started: false, before: start..start, checkpoint: None })
    }

    /// Moves to the next game and reads its root. Returns false at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`]. Also returns an error if the temporary file of a long game fails.
    pub fn advance(&mut self) -> anyhow::Result<bool> {
        if !self.rows.is_at_end_of_game() {
            self.rows.skip_rest()?;
        }
        // No caller asks again for bytes before the end of the last game.
        let end = if self.is_started { self.rows.span().end } else { self.rows.reader().offset() };
        let reader = self.rows.reader_mut();
        let checkpoint = reader.checkpoint();
        reader.retain(Some(checkpoint.offset().min(end).saturating_sub(LINE)));
        self.checkpoint = Some(checkpoint);
        let is_found = self.rows.next_root()?;
        self.is_started |= is_found;
        let start = if is_found { self.rows.span().start } else { self.rows.reader().offset() };
        self.before = end..start.max(end);
        Ok(is_found)
    }

    /// Returns the range of bytes between the last game, or the start of the part, and this game; at the end, the range
    /// after the last game.
    #[must_use]
    pub fn before(&self) -> Range<u64> {
        self.before.clone()
    }

    /// Returns whether this range may have more than blanks.
    #[must_use]
    pub fn has_text_before(&self) -> bool {
        self.rows.reader().bytes(self.before()).is_none_or(|bytes| !bytes.trim_ascii().is_empty())
    }

    /// Returns the number of the game.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.rows.reader().game()
    }

    /// Returns whether the game, as far as it was read, is longer than [`Limits::game`](sgfstream::Limits::game).
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.rows.is_long()
    }

    /// Returns whether the filter selects the game. Reads on if the root does not decide.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`], and [`SkippedLongGame`].
    pub fn decide(&mut self, filter: &Filter) -> anyhow::Result<bool> {
        let is_chosen = filter.decide(&mut self.rows)?;
        if self.is_long() { Err(SkippedLongGame.into()) } else { Ok(is_chosen) }
    }

    /// Reads the whole game. Returns its place, and the characters that its bytes lack.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`]. Also returns an error if a part of the game was skipped.
    pub fn extent(&mut self) -> anyhow::Result<GameExtent> {
        self.rows.read_rest()?;
        self.rows.extent().context("the game was skipped before its end")
    }

    /// Passes a second reader to `read`. It repeats the events since the end of the last game, up to byte `bytes.end`, and
    /// [starts](PartReader::start) at `bytes.start`. Call this once for a game.
    pub fn reread<T>(&mut self, bytes: Range<u64>, read: impl FnOnce(PartReader<'_>) -> T) -> Option<T> {
        let checkpoint = self.checkpoint.take()?;
        // After the end of the part, the window may have games of the next part.
        let has_next_part = matches!(self.rows.reader().end(), Some(End::Unit(_)));
        let end = if has_next_part { bytes.end.min(self.before.end) } else { bytes.end };
        let input = self.rows.reader().retained();
        Some(read(PartReader::resume(&input, checkpoint, bytes.start..end)))
    }

    /// Returns these bytes of the part.
    ///
    /// # Errors
    ///
    /// Same as [`copy`](Self::copy).
    pub fn bytes(&self, bytes: Range<u64>) -> anyhow::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.rows.reader().bytes(bytes.clone()) {
            return Ok(bytes.into());
        }
        let mut copy = Vec::new();
        self.copy(bytes, &mut copy)?;
        Ok(copy.into())
    }

    /// Writes these bytes of the part unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if `out` or the temporary file of a long game fails.
    pub fn copy(&self, bytes: Range<u64>, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(self.rows.reader().copy(bytes, out)?)
    }

    /// Ends the reading of the part, after the caller has read what it needs with the result `read`.
    ///
    /// # Errors
    ///
    /// Returns the error in `read`, or an error if reading the rest or the temporary file fails.
    pub fn end(mut self, read: anyhow::Result<()>) -> anyhow::Result<PartEnd> {
        read?;
        self.rows.reader_mut().retain(None);
        let end = self.rows.reader_mut().finish()?;
        Ok(end.with_long_games(self.rows.take_long_games()))
    }
}

impl fmt::Debug for GameCursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameCursor").field("row", self.rows.row()).finish_non_exhaustive()
    }
}
