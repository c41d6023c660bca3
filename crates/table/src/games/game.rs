//! A game of a part, and the loop over them.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Context;

use sgfstream_engine::{Part, PartEnd, PartRead, PartReader, RecordingReader, ReplayBuffer};

use crate::filter::Filter;
use crate::row::{ColumnSet, GameExtent, GameRow, RowBuilder, Rows};

/// A game: its root is read, the rest of it is not, or not yet.
pub struct Game<'g, 'e> {
    rows: &'g mut RecordedRows<'e>,
    /// A filter refused it, wherever it was searched.
    is_refused: bool,
}

/// Rows of a part whose bytes are recorded.
pub type RecordedRows<'e> = Rows<PartReader<'e, RecordingReader<PartRead<'e>>>>;

/// The bytes that were read for these rows.
pub fn buffer<'r>(rows: &'r mut RecordedRows<'_>) -> &'r mut ReplayBuffer {
    &mut rows.reader_mut().get_mut().buffer
}

impl Game<'_, '_> {
    /// The row, as far as it is known.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        self.rows.row()
    }

    /// Whether the filter chooses it. Reads on where the root does not tell.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`](sgfstream::EventReader::advance).
    pub fn decide(&mut self, filter: &Filter) -> anyhow::Result<bool> {
        let is_chosen = filter.decide(self.rows)?;
        let builder = self.rows.builder();
        self.is_refused = !is_chosen && builder.unsearched() > 0 && filter.refuses(builder);
        Ok(is_chosen)
    }

    /// Reads on as far as the row needs it.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`](sgfstream::EventReader::advance).
    pub fn finish(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.finish_row()?;
        Ok(self.rows.builder())
    }

    /// Reads all of it, so that its row is complete and its bytes can be
    /// written.
    ///
    /// # Errors
    ///
    /// As [`EventReader::advance`](sgfstream::EventReader::advance).
    pub fn read_rest(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.read_rest()?;
        Ok(self.rows.builder())
    }

    /// Writes its bytes as they were, with what they lack to be a game on their
    /// own.
    ///
    /// # Errors
    ///
    /// Those of reading, of `out`, and of the temporary file that a long game waits in.
    pub fn write(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.rows.read_rest()?;
        let extent =
            self.rows.extent().context("expected a game that was read to its end, found one that was skipped")?;
        out.write_all(extent.head())?;
        let end = written_end(self.rows, &extent)?;
        buffer(self.rows).copy(extent.span.start, end, out)?;
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

    /// How many texts of it, so far, are only the beginning of what it says; see [`TEXT_MAX`](crate::row::TEXT_MAX).
    #[must_use]
    pub fn cut_texts(&self) -> u64 {
        self.rows.builder().cut_texts()
    }

    /// How many places of it, so far, were not searched; see [`RowBuilder::unsearched`]. None, if the filter that decided
    /// refuses the game whatever is in them.
    #[must_use]
    pub fn unsearched(&self) -> u64 {
        if self.is_refused { 0 } else { self.rows.builder().unsearched() }
    }
}

impl fmt::Debug for Game<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Game").field("row", self.row()).finish_non_exhaustive()
    }
}

/// The end of the bytes of a game that are followed by what it lacks.
///
/// # Errors
///
/// Those of the temporary file that a long game waits in.
pub fn written_end(rows: &mut RecordedRows<'_>, extent: &GameExtent) -> anyhow::Result<u64> {
    let (start, end) = (extent.span.start, extent.span.end);
    if !extent.lacks_bracket {
        return Ok(end);
    }
    // A lone `\` at the end would escape the `]` that is supplied.
    let mut last = Vec::new();
    buffer(rows).copy(end.saturating_sub(4096).max(start), end, &mut last)?;
    Ok(end - (last.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2) as u64)
}

/// The rows of a part, whose bytes are recorded.
#[must_use]
pub fn recorded(part: Part<'_>, builder: RowBuilder) -> RecordedRows<'_> {
    rows_through(RecordingReader::new, part, builder)
}

/// Makes a recorder of what is read, the first byte of which is at an offset.
type Recording<'e> = fn(PartRead<'e>, u64) -> RecordingReader<PartRead<'e>>;

fn rows_through<'e>(recording: Recording<'e>, part: Part<'e>, builder: RowBuilder) -> RecordedRows<'e> {
    let name = part.name();
    let members: Vec<&str> = name.members().collect();
    let builder = builder.for_input(Some(name.source().into_owned()), (!members.is_empty()).then(|| members.join("!")));
    let reader = part.through(|read| {
        let offset = read.offset();
        recording(read, offset)
    });
    Rows::with_builder(reader, builder)
}

/// Gives each game of a part to `each` when its root is read, until it stops. The builder is used again for the next part.
///
/// # Errors
///
/// Those of reading and of `each`; and of the temporary file that a long game waits in.
pub fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games_through(RecordingReader::new, part, builder, each)
}

/// As [`games_of`], for callers that write no game: its bytes are not kept, and [`Game::write`] fails.
///
/// # Errors
///
/// Those of reading and of `each`.
pub fn rows_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games_through(RecordingReader::keeping_nothing, part, builder, each)
}

fn games_through<'e>(
    recording: Recording<'e>,
    part: Part<'e>,
    builder: &mut RowBuilder,
    mut each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    let taken = std::mem::replace(builder, RowBuilder::new(ColumnSet::default()));
    let mut rows = rows_through(recording, part, taken);
    let result = each_game(&mut rows, &mut each);
    let failed = buffer(&mut rows).take_error();
    let (mut reader, used) = rows.into_parts();
    *builder = used;
    if let Some(err) = failed {
        return Err(err).context("temporary file");
    }
    Ok(match result? {
        ControlFlow::Continue(()) => ControlFlow::Continue(reader.finish()?),
        stop @ ControlFlow::Break(()) => stop.map_continue(|()| PartEnd::default()),
    })
}

fn each_game(
    rows: &mut RecordedRows<'_>,
    each: &mut impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<()>> {
    buffer(rows).skip(true);
    rows.reader_mut().skip_to_game()?;
    buffer(rows).skip(false);
    let mut end = 0;
    loop {
        // The bytes before the end of the last game are not asked for again.
        buffer(rows).release(end);
        if !rows.next_root()? {
            return Ok(ControlFlow::Continue(()));
        }
        let start = rows.span().start;
        buffer(rows).release(start);
        if each(&mut Game { rows, is_refused: false })?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
        if !rows.is_at_end_of_game() {
            buffer(rows).skip(true);
            rows.skip_rest()?;
            buffer(rows).skip(false);
        }
        end = rows.span().end;
    }
}
