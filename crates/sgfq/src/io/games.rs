//! The games of the inputs, one after another: their rows, and their bytes.

use std::io::{Seek, Write};
use std::ops::ControlFlow;

use anyhow::Context;
use tempfile::SpooledTempFile;

use sgfstream::event::Event;
use sgfstream::read::{EventReader, Options};
use sgfstream_engine::{Part, PartEnd, PartRead, PartReader, RecordingReader, ReplayBuffer};
use sgfstream_table::filter::Filter;
use sgfstream_table::row::{ColumnSet, GameExtent, GameRow, RowBuilder, Rows};

use crate::args::input::Inputs;
use crate::report::cut;
use crate::report::exit::Exit;

/// Bytes of a game that are kept in memory.
const MEMORY: usize = 4 << 20;

/// A game: its root is read, the rest of it is not, or not yet.
pub(crate) struct Game<'g, 'e> {
    rows: &'g mut RecordedRows<'e>,
}

pub(crate) type RecordedRows<'e> = Rows<PartReader<'e, RecordingReader<PartRead<'e>>>>;

pub(crate) fn buffer<'r>(rows: &'r mut RecordedRows<'_>) -> &'r mut ReplayBuffer {
    &mut rows.reader_mut().get_mut().buffer
}

impl Game<'_, '_> {
    /// The row, as far as it is known.
    pub(crate) fn row(&self) -> &GameRow {
        self.rows.row()
    }

    /// Whether the filter chooses it.
    pub(crate) fn decide(&mut self, filter: &Filter) -> anyhow::Result<bool> {
        Ok(filter.decide(self.rows)?)
    }

    /// Reads on as far as the row needs it.
    pub(crate) fn finish(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.finish_row()?;
        Ok(self.rows.builder())
    }

    /// Reads all of it, so that its row is complete and its bytes can be
    /// written.
    pub(crate) fn read_rest(&mut self) -> anyhow::Result<&RowBuilder> {
        self.rows.read_rest()?;
        Ok(self.rows.builder())
    }

    /// Writes its bytes as they were, with what they lack to be a game on their
    /// own.
    pub(crate) fn write(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.rows.read_rest()?;
        let extent =
            self.rows.extent().context("expected a game that was read to its end, found one that was skipped")?;
        out.write_all(extent.head())?;
        let end = written_end(self.rows, &extent)?;
        buffer(self.rows).copy(extent.span.start, end, out)?;
        Ok(out.write_all(&extent.tail())?)
    }

    /// As [`write`](Self::write), followed by a newline.
    pub(crate) fn write_line(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        self.write(out)?;
        Ok(out.write_all(b"\n")?)
    }
}

/// The end of the bytes of a game that are followed by what it lacks.
pub(crate) fn written_end(rows: &mut RecordedRows<'_>, extent: &GameExtent) -> anyhow::Result<u64> {
    let (start, end) = (extent.span.start, extent.span.end);
    if !extent.lacks_bracket {
        return Ok(end);
    }
    // A lone `\` at the end would escape the `]` that is supplied.
    let mut last = Vec::new();
    buffer(rows).copy(end.saturating_sub(4096).max(start), end, &mut last)?;
    Ok(end - (last.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2) as u64)
}

impl Inputs {
    /// Gives each game of the inputs to `each`, when its root is read. A game
    /// that was asked for by number (`x.sgf#17`) comes alone.
    pub(crate) fn games(
        &self,
        options: Options,
        mut builder: RowBuilder,
        mut each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Exit> {
        self.each(options, |part| games_of(part, &mut builder, &mut each))
    }
}

/// The rows of a part, whose bytes are recorded.
pub(crate) fn recorded(part: Part<'_>, builder: RowBuilder) -> RecordedRows<'_> {
    let name = part.name();
    let members: Vec<&str> = name.members().collect();
    let builder = builder.for_input(Some(name.source().into_owned()), (!members.is_empty()).then(|| members.join("!")));
    let reader = part.through(|read| {
        let offset = read.offset();
        RecordingReader::new(read, offset)
    });
    Rows::with_builder(reader, builder)
}

/// Gives the games of a part to `each`, until it stops. The builder is used again for the next part.
pub(crate) fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    mut each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    let mut rows = recorded(part, std::mem::replace(builder, RowBuilder::new(ColumnSet::default())));
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
        let flow = each(&mut Game { rows })?;
        cut::add(rows.builder().cut_texts());
        cut::add_unsearched(rows.builder().unsearched());
        if flow.is_break() {
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

/// The bytes of the one game that was asked for, from its `(` to its `)`.
pub(crate) fn game_bytes(part: Part<'_>) -> anyhow::Result<(SpooledTempFile, PartEnd)> {
    let mut bytes = SpooledTempFile::new(MEMORY);
    let mut reader = part.through(|read| {
        let offset = read.offset();
        RecordingReader::new(read, offset)
    });
    reader.get_mut().buffer.skip(true);
    reader.skip_to_game()?;
    reader.get_mut().buffer.skip(false);
    let mut copied = None;
    while reader.advance()? {
        let end = reader.span().end;
        let is_start = matches!(reader.event(), Event::VariationStart { .. }) && copied.is_none();
        let from = if is_start { reader.span().start } else { copied.unwrap_or(end) };
        let buffer = &mut reader.get_mut().buffer;
        if is_start || copied.is_some() {
            buffer.copy(from, end, &mut bytes).context("temporary file")?;
            copied = Some(end);
        }
        buffer.release(end);
    }
    bytes.rewind().context("temporary file")?;
    Ok((bytes, reader.finish()?))
}
