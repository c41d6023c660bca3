//! Selects games by `--where` for commands that read events, or that edit games in their files.
//!
//! The filter may need the whole game. The reader of rows keeps its bytes until then, and a second reader passes its events to
//! the command.

use std::io::Write;
use std::ops::Range;

use sgfstream::parallel::End;
use sgfstream::{Checkpoint, Options};
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::where_games::Chooser;

type PartRows<'f, 'p> = RowReader<'f, PartReader<'p>>;

impl Chooser {
    /// Passes readers of the part to `read`: without a filter, one reader of the whole part. With a filter, a reader of each
    /// selected game with the text before it, of the text before each other game, and finally of the text after the last
    /// game. The bytes from the start of the part to the offset of a reader are those of its game.
    pub(crate) fn read(
        &self,
        part: Part<'_>,
        mut read: impl FnMut(PartReader<'_>) -> anyhow::Result<PartEnd>,
    ) -> anyhow::Result<PartEnd> {
        if self.chooses_all() {
            return read(part.reader());
        }
        let is_one = part.game().is_some();
        let mut filled = self.row(ColumnSet::default());
        let mut rows = RowReader::of_part(part, &mut filled)?.keeping_all_bytes();
        let mut last_end = rows.games().reader().offset();
        loop {
            let checkpoint = rows.games_mut().reader_mut().checkpoint();
            let is_found = rows.next_root()?;
            let chosen = if is_found { self.span_of_chosen(&mut rows)? } else { None };
            let reader = rows.games().reader();
            let start = if is_found { rows.games().span().start } else { reader.offset() };
            let before = last_end..start.max(last_end);
            let is_blank = reader.bytes(before.clone()).is_some_and(|bytes| bytes.trim_ascii().is_empty());
            if chosen.is_some() || !is_one && (!is_found || !is_blank) {
                let end = if is_found { before.end } else { u64::MAX };
                read_again(&rows, checkpoint, &before, chosen.unwrap_or(before.end..end), &mut read)?;
            }
            if !is_found {
                return Ok(rows.end()?);
            }
            rows.skip_rest()?;
            last_end = rows.games().span().end;
        }
    }

    /// Returns the bytes of the current game if it is selected. A game that is too long is not.
    fn span_of_chosen(&self, rows: &mut PartRows<'_, '_>) -> anyhow::Result<Option<Range<u64>>> {
        if !self.chooses(rows)? || rows.read_rest()?.is_none() {
            return Ok(None);
        }
        let span = rows.games().span();
        Ok(Some(span.start..span.end))
    }
}

/// Passes a second reader to `read`. It repeats the events since the end of the last game, which `before` follows, up to byte
/// `bytes.end`, and [starts](PartReader::start) at `bytes.start`.
fn read_again(
    rows: &PartRows<'_, '_>,
    checkpoint: Checkpoint,
    before: &Range<u64>,
    bytes: Range<u64>,
    read: &mut impl FnMut(PartReader<'_>) -> anyhow::Result<PartEnd>,
) -> anyhow::Result<()> {
    let reader = rows.games().reader();
    // After the end of the part, the window may have games of the next part.
    let has_next_part = matches!(reader.end(), Some(End::Unit(_)));
    let end = if has_next_part { bytes.end.min(before.end) } else { bytes.end };
    read(PartReader::resume(&reader.retained(), checkpoint, bytes.start..end))?;
    Ok(())
}

/// Writes a part to `out`. Passes each selected game to `edit`, which writes its replacement. Copies all other bytes, except
/// the bytes around a game requested by number.
pub(crate) fn edit_chosen<W: Write>(
    part: Part<'_>,
    chooser: &Chooser,
    out: &mut W,
    mut edit: impl FnMut(u64, &[u8], Options, &mut W) -> anyhow::Result<()>,
) -> anyhow::Result<PartEnd> {
    let (options, is_one) = (part.options(), part.game().is_some());
    let mut filled = chooser.row(ColumnSet::default());
    let mut rows = RowReader::of_part(part, &mut filled)?.keeping_all_bytes();
    let mut last_end = rows.games().reader().offset();
    loop {
        let is_found = rows.next_root()?;
        let reader = rows.games().reader();
        let start = if is_found { rows.games().span().start } else { reader.offset() };
        if !is_one {
            reader.copy(last_end..start.max(last_end), out)?;
        }
        if !is_found {
            return Ok(rows.end()?);
        }
        let is_chosen = chooser.chooses(&mut rows)?;
        // The end of a truncated game that was skipped is not exact.
        rows.read_rest()?;
        let span = rows.games().span();
        match rows.game().filter(|_| is_chosen) {
            Some(game) => edit(game.number(), game.as_bytes(), options, out)?,
            None => rows.games().reader().copy(span.start..span.end, out)?,
        }
        last_end = span.end;
    }
}
