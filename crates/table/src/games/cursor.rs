//! A cursor over the games of a part, with their bytes.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::ops::{ControlFlow, Range};

use anyhow::Context;

use sgfstream::{Checkpoint, EventReader};
use sgfstream_engine::{Part, PartEnd, PartReader};

use crate::filter::Filter;
use crate::row::{ColumnSet, GameExtent, GameRow, RowBuilder, Rows};

/// Bytes of a part that are kept for a caller who may ask for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// None: [`GameCursor::write`] fails.
    Nothing,
    /// Those of the game.
    Games,
    /// Those of the game, and those before it, from the end of the last game on.
    All,
}

/// Bytes before the end of the last game that [`Kept::All`] keeps: the line that a game begins in may begin there.
const LINE: u64 = 64 << 10;

/// Error for a game that is longer than [`Limits::game`](sgfstream::Limits::game): nothing is known of it. [`games_of`] goes
/// on with the next game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LongGame;

impl fmt::Display for LongGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the game is too long to hold in memory")
    }
}

impl std::error::Error for LongGame {}

/// The games of a part, one after another. The root of the current one is read, the rest of it is not, or not yet.
pub struct GameCursor<'e> {
    rows: Rows<PartReader<'e>>,
    kept: Kept,
    /// There is a game; the row of the builder is that of another part before.
    is_started: bool,
    before: Range<u64>,
    /// The state before the game, with [`Kept::All`].
    checkpoint: Option<Checkpoint>,
    /// A filter was asked about the game.
    is_decided: bool,
    /// A filter refused the game, wherever it was searched.
    is_refused: bool,
}

impl<'e> GameCursor<'e> {
    /// The games of `part`, before the first; `builder` finds out what is asked about them.
    ///
    /// # Errors
    ///
    /// Those of reading up to the one game that was asked for.
    pub fn new(part: Part<'e>, builder: RowBuilder, kept: Kept) -> anyhow::Result<Self> {
        let mut games = Self::at_start(part, builder, kept);
        games.skip_to_game()?;
        Ok(games)
    }

    fn at_start(part: Part<'e>, builder: RowBuilder, kept: Kept) -> Self {
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
        if self.kept != Kept::Nothing {
            self.rows.reader_mut().retain(from);
        }
    }

    /// Goes on to the next game and reads its root. False at the end.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`]; and of the temporary file that a long game waits in.
    pub fn advance(&mut self) -> anyhow::Result<bool> {
        if !self.rows.is_at_end_of_game() {
            if self.kept != Kept::All {
                self.keep_from(None);
            }
            self.rows.skip_rest()?;
        }
        (self.is_decided, self.is_refused) = (false, false);
        // The bytes before the end of the last game are not asked for again.
        let end = if self.is_started { self.rows.span().end } else { self.rows.reader().offset() };
        if self.kept == Kept::All {
            let checkpoint = self.rows.reader_mut().checkpoint();
            self.keep_from(Some(checkpoint.offset().min(end).saturating_sub(LINE)));
            self.checkpoint = Some(checkpoint);
        } else {
            self.keep_from(Some(end));
        }
        let is_found = self.rows.next_root()?;
        self.is_started |= is_found;
        let start = if is_found { self.rows.span().start } else { self.rows.reader().offset() };
        if self.kept != Kept::All {
            self.keep_from(Some(start));
        }
        self.before = end..start.max(end);
        Ok(is_found)
    }

    /// The bytes between the last game, or the start of the part, and this one; at the end, those after the last game.
    #[must_use]
    pub fn before(&self) -> Range<u64> {
        self.before.clone()
    }

    /// Returns whether there may be more than blanks in those bytes.
    #[must_use]
    pub fn has_text_before(&self) -> bool {
        self.rows.reader().bytes(self.before()).is_none_or(|bytes| !bytes.trim_ascii().is_empty())
    }

    /// The number of the game.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.rows.reader().game()
    }

    /// The row, as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.rows.row()
    }

    /// The builder of the row.
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
        if self.is_long() { Err(LongGame.into()) } else { Ok(()) }
    }

    /// Whether the filter chooses the game. Reads on where the root does not tell.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`]; and [`LongGame`].
    pub fn decide(&mut self, filter: &Filter) -> anyhow::Result<bool> {
        self.is_decided = true;
        let is_chosen = filter.decide(&mut self.rows)?;
        self.expect_no_long_game()?;
        let builder = self.rows.builder();
        self.is_refused = !is_chosen && builder.unsearched() > 0 && filter.refuses(builder);
        Ok(is_chosen)
    }

    /// Reads on as far as the row needs it.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`]; and [`LongGame`].
    pub fn finish(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.finish_row()?;
        self.expect_no_long_game()?;
        Ok(self.rows.builder())
    }

    /// Reads all of the game, so that its row is complete and its bytes can be written.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`]; and [`LongGame`].
    pub fn read_rest(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.read_rest()?;
        self.expect_no_long_game()?;
        Ok(self.rows.builder())
    }

    /// Reads all of the game. Returns where it is, and what its bytes lack.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`]; or if part of the game was skipped.
    pub fn extent(&mut self) -> anyhow::Result<GameExtent> {
        self.rows.read_rest()?;
        self.rows.extent().context("the game was skipped before its end")
    }

    /// Gives `read` a reader of the events that the cursor passed since the end of the last game, up to byte `bytes.end`. It
    /// [starts](PartReader::start) at `bytes.start`. To be called once for a game, with [`Kept::All`].
    pub fn reread<T>(&mut self, bytes: Range<u64>, read: impl FnOnce(PartReader<'_>) -> T) -> Option<T> {
        let checkpoint = self.checkpoint.take()?;
        let input = self.rows.reader().retained();
        Some(read(PartReader::resume(&input, checkpoint, bytes)))
    }

    /// Returns these bytes of the part.
    ///
    /// # Errors
    ///
    /// As [`copy`](Self::copy).
    pub fn bytes(&self, bytes: Range<u64>) -> anyhow::Result<Cow<'_, [u8]>> {
        if let Some(bytes) = self.rows.reader().bytes(bytes.clone()) {
            return Ok(bytes.into());
        }
        let mut copy = Vec::new();
        self.copy(bytes, &mut copy)?;
        Ok(copy.into())
    }

    /// Writes these bytes of the part as they were.
    ///
    /// # Errors
    ///
    /// Those of `out` and of the temporary file that a long game waits in.
    pub fn copy(&self, bytes: Range<u64>, out: &mut dyn Write) -> anyhow::Result<()> {
        Ok(self.rows.reader().copy(bytes, out)?)
    }

    /// Writes the bytes of the game as they were, with what they lack to be a game on their own.
    ///
    /// # Errors
    ///
    /// Those of reading, of `out`, and of the temporary file that a long game waits in; [`LongGame`] for a game that a filter
    /// was asked about.
    pub fn write(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let extent = self.extent()?;
        if self.is_decided {
            self.expect_no_long_game()?;
        }
        out.write_all(extent.head())?;
        self.copy(extent.kept(), out)?;
        Ok(out.write_all(&extent.tail())?)
    }

    /// As [`write`](Self::write), followed by a newline.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    pub fn write_line(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.write(out)?;
        Ok(out.write_all(b"\n")?)
    }

    /// How many places of the game, so far, were not searched; see [`RowBuilder::unsearched`]. None, if the filter that
    /// decided refuses the game whatever is in them.
    #[must_use]
    pub fn unsearched(&self) -> u64 {
        if self.is_refused { 0 } else { self.rows.builder().unsearched() }
    }

    /// Ends the reading of the part, of which the caller has read what it wanted.
    ///
    /// # Errors
    ///
    /// Those of `read`, of the temporary file, and of reading the rest.
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

/// Gives the cursor to `each` at each game of a part, until it stops. A game that `each` returns [`LongGame`] for is passed
/// over. The builder is used again for the next part.
///
/// # Errors
///
/// Those of reading and of `each`; and of the temporary file that a long game waits in.
pub fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    kept: Kept,
    mut each: impl FnMut(&mut GameCursor<'_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    let taken = std::mem::replace(builder, RowBuilder::new(ColumnSet::default()));
    let mut games = GameCursor::at_start(part, taken, kept);
    let mut read = || {
        games.skip_to_game()?;
        while games.advance()? {
            match each(&mut games) {
                Err(err) if err.is::<LongGame>() => {}
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
