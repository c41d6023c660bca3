//! Edits the games that `--where` selects in their files.

use std::io::Write;

use sgfstream::Options;
use sgfstream_engine::{Part, PartEnd};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::where_games::Chooser;

/// Writes a part to `out`. Passes each selected game to `edit`, which writes its replacement.
/// Copies all other bytes, except the bytes around a game requested by number.
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
        let start = if is_found {
            rows.games().span().start
        } else {
            reader.offset()
        };
        if !is_one {
            reader.copy(last_end..start.max(last_end), out)?;
        }
        if !is_found {
            return Ok(rows.end()?);
        }
        let is_chosen = chooser.chooses(&mut rows)?;
        // Read the rest also of other games, because a skip does not find the exact end of a
        // truncated game.
        rows.read_rest()?;
        let span = rows.games().span();
        match rows.game().filter(|_| is_chosen) {
            Some(game) => edit(game.number(), game.as_bytes(), options, out)?,
            None => rows.games().reader().copy(span.start..span.end, out)?,
        }
        last_end = span.end;
    }
}
