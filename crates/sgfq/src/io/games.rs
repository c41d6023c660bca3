//! The games of the inputs, one after another: their rows, and their bytes. What is cut in them is counted for the
//! end of the command.

use std::io::Seek;
use std::ops::ControlFlow;

use anyhow::Context;
use tempfile::SpooledTempFile;

use sgfstream::{Event, EventReader, Options};
use sgfstream_engine::{Part, PartEnd, RecordingReader};
use sgfstream_table::games::{self, Game};
use sgfstream_table::row::RowBuilder;

use crate::args::input::Inputs;
use crate::report::cut;
use crate::report::exit::Exit;

/// Bytes of a game that are kept in memory.
const MEMORY: usize = 4 << 20;

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

/// As [`games::games_of`].
pub(crate) fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games::games_of(part, builder, counting_cuts(each))
}

/// As [`games::rows_of`].
pub(crate) fn rows_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games::rows_of(part, builder, counting_cuts(each))
}

fn counting_cuts(
    mut each: impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>>,
) -> impl FnMut(&mut Game<'_, '_>) -> anyhow::Result<ControlFlow<()>> {
    move |game| {
        let flow = each(game)?;
        cut::add(game.cut_texts());
        cut::add_unsearched(game.unsearched());
        Ok(flow)
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
