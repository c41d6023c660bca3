//! A cursor over the games of a part, with access to their bytes.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::ops::{ControlFlow, Range};

use anyhow::Context;

use sgfstream::parallel::End;
use sgfstream::{Checkpoint, EventReader};
use sgfstream_engine::{Part, PartEnd, PartReader};

use crate::filter::Filter;
use crate::row::{ColumnSet, GameExtent, GameRow, RowBuilder, Rows};

/// Selection of the bytes of a part that a cursor keeps available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// No bytes: [`GameCursor::write`] fails.
    Nothing,
    /// The bytes of the current game.
    Games,
    /// The bytes of the current game, and those between it and the last game.
    All,
}

/// Number of bytes before the end of the last game that [`Retention::All`] keeps, because the line in which a game
/// begins may start there.
const LINE: u64 = 64 << 10;

/// Error for a game that is longer than [`Limits::game`](sgfstream::Limits::game), so that no fact of it is known. [`games_of`]
/// continues with the next game.
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
    kept: Retention,
    /// Whether there was a game. Before that, the builder still has the row of another part.
    is_started: bool,
    before: Range<u64>,
    /// The state of the reader before the game, with [`Retention::All`].
    checkpoint: Option<Checkpoint>,
    /// Whether a filter was asked about the game.
    is_decided: bool,
    /// Whether a filter rejected the game, regardless of the parts that were not searched.
    is_refused: bool,
}

impl<'e> GameCursor<'e> {
    /// Returns the cursor before the first game of `part`. `builder` collects the required facts of each game.
    ///
    /// # Errors
    ///
    /// Returns an error if reading up to a requested game fails.
    pub fn new(part: Part<'e>, builder: RowBuilder, kept: Retention) -> anyhow::Result<Self> {
        let mut games = Self::at_start(part, builder, kept);
        games.skip_to_game()?;
        Ok(games)
    }

    fn at_start(part: Part<'e>, builder: RowBuilder, kept: Retention) -> Self {
        let name = part.name();
        let members: Vec<&str> = name.members().collect();
        let member = (!members.is_empty()).then(|| members.join("!"));
        let builder = builder.for_input(Some(name.source().into_owned()), member);
        let reader = part.reader();
        let start = reader.start();
        let rows = Rows::with_builder(reader, builder);
        let (before, checkpoint) = (start..start, None);
        Self { rows, kept, is_started: false, before, checkpoint, is_decided: false, is_refused: false }
    }

    fn skip_to_game(&mut self) -> anyhow::Result<()> {
        Ok(self.rows.reader_mut().skip_to_game()?)
    }

    fn keep_from(&mut self, from: Option<u64>) {
        if self.kept != Retention::Nothing {
            self.rows.reader_mut().retain(from);
        }
    }

    /// Moves to the next game and reads its root. Returns false at the end.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`]. Also returns an error if the temporary file of a long game fails.
    pub fn advance(&mut self) -> anyhow::Result<bool> {
        if !self.rows.is_at_end_of_game() {
            if self.kept != Retention::All {
                self.keep_from(None);
            }
            self.rows.skip_rest()?;
        }
        (self.is_decided, self.is_refused) = (false, false);
        // No caller asks again for bytes before the end of the last game.
        let end = if self.is_started { self.rows.span().end } else { self.rows.reader().offset() };
        if self.kept == Retention::All {
            let checkpoint = self.rows.reader_mut().checkpoint();
            self.keep_from(Some(checkpoint.offset().min(end).saturating_sub(LINE)));
            self.checkpoint = Some(checkpoint);
        } else {
            self.keep_from(Some(end));
        }
        let is_found = self.rows.next_root()?;
        self.is_started |= is_found;
        let start = if is_found { self.rows.span().start } else { self.rows.reader().offset() };
        if self.kept != Retention::All {
            self.keep_from(Some(start));
        }
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

    /// Returns the row, as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.rows.row()
    }

    /// Returns the builder of the row.
    #[must_use]
    pub fn builder(&self) -> &RowBuilder {
        self.rows.builder()
    }

    /// Returns whether the game, as far as it was read, is longer than [`Limits::game`](sgfstream::Limits::game).
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.rows.is_long()
    }

    fn expect_no_long_game(&self) -> anyhow::Result<()> {
        if self.is_long() { Err(SkippedLongGame.into()) } else { Ok(()) }
    }

    /// Returns whether the filter selects the game. Reads on if the root does not decide.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`], and [`SkippedLongGame`].
    pub fn decide(&mut self, filter: &Filter) -> anyhow::Result<bool> {
        self.is_decided = true;
        let is_chosen = filter.decide(&mut self.rows)?;
        self.expect_no_long_game()?;
        let builder = self.rows.builder();
        self.is_refused = !is_chosen && builder.unsearched() > 0 && filter.refuses(builder);
        Ok(is_chosen)
    }

    /// Reads as much of the game as the row needs.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`], and [`SkippedLongGame`].
    pub fn finish(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.finish_row()?;
        self.expect_no_long_game()?;
        Ok(self.rows.builder())
    }

    /// Reads the whole game, so that its row is complete and its bytes can be written.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`], and [`SkippedLongGame`].
    pub fn read_rest(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.read_rest()?;
        self.expect_no_long_game()?;
        Ok(self.rows.builder())
    }

    /// Skips the rest of the game. Returns the range of its bytes.
    ///
    /// # Errors
    ///
    /// Same as [`EventReader::advance`].
    pub fn skip_rest(&mut self) -> anyhow::Result<Range<u64>> {
        self.rows.skip_rest()?;
        let span = self.rows.span();
        Ok(span.start..span.end)
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
    /// [starts](PartReader::start) at `bytes.start`. Call this once for a game, with [`Retention::All`].
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

    /// Writes the bytes of the game unchanged, and adds the characters that a complete game needs.
    ///
    /// # Errors
    ///
    /// Returns an error if reading, `out` or the temporary file of a long game fails. Returns [`SkippedLongGame`] for a game that a
    /// filter was asked about.
    pub fn write(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let extent = self.extent()?;
        if self.is_decided {
            self.expect_no_long_game()?;
        }
        out.write_all(extent.head())?;
        self.copy(extent.kept(), out)?;
        Ok(out.write_all(&extent.tail())?)
    }

    /// Writes the game like [`write`](Self::write), followed by a newline.
    ///
    /// # Errors
    ///
    /// Same as [`write`](Self::write).
    pub fn write_line(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.write(out)?;
        Ok(out.write_all(b"\n")?)
    }

    /// Returns the number of places of the game that were not searched so far; see [`RowBuilder::unsearched`]. Returns 0 if
    /// the filter rejects the game regardless of them.
    #[must_use]
    pub fn unsearched(&self) -> u64 {
        if self.is_refused { 0 } else { self.rows.builder().unsearched() }
    }

    /// Ends the reading of the part, after the caller has read what it needs with the result `read`.
    ///
    /// # Errors
    ///
    /// Returns the error in `read`, or an error if reading the rest or the temporary file fails.
    pub fn end(mut self, read: anyhow::Result<()>) -> anyhow::Result<PartEnd> {
        read?;
        self.keep_from(None);
        let end = self.rows.reader_mut().finish()?;
        Ok(end.with_long_games(self.rows.take_long_games()))
    }
}

impl fmt::Debug for GameCursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameCursor").field("row", self.row()).finish_non_exhaustive()
    }
}

/// Calls `each` at every game of a part, until it stops. If `each` returns [`SkippedLongGame`], the game is skipped. The builder is
/// reused for the next part.
///
/// # Errors
///
/// Returns an error if reading, `each` or the temporary file of a long game fails.
pub fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    kept: Retention,
    mut each: impl FnMut(&mut GameCursor<'_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    let taken = std::mem::replace(builder, RowBuilder::new(ColumnSet::default()));
    let mut games = GameCursor::at_start(part, taken, kept);
    let mut read = || {
        games.skip_to_game()?;
        while games.advance()? {
            match each(&mut games) {
                Err(err) if err.is::<SkippedLongGame>() => {}
                flow => {
                    if flow?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    };
    let result: anyhow::Result<_> = read();
    let long_games = games.rows.take_long_games();
    let (mut reader, used) = games.rows.into_parts();
    *builder = used;
    Ok(match result? {
        ControlFlow::Continue(()) => ControlFlow::Continue(reader.finish()?.with_long_games(long_games)),
        stop @ ControlFlow::Break(()) => stop.map_continue(|()| PartEnd::default()),
    })
}
