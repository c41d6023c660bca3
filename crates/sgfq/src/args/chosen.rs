//! Selects games by `--where` for commands that read events.
//!
//! The filter may need the whole game. The cursor buffers its bytes until then, and a second reader passes its events to the
//! command.

use std::io::Write;
use std::ops::Range;

use sgfstream::Options;
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::games::{GameCursor, SkippedLongGame};

use crate::args::where_games::Chooser;

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
        let mut games = GameCursor::new(part, self.builder())?;
        let mut read_all = || {
            loop {
                let is_found = games.advance()?;
                let chosen = if is_found { self.extent_of_chosen(&mut games)? } else { None };
                if chosen.is_some() || !is_one && (!is_found || games.has_text_before()) {
                    let end = games.before().end;
                    let bytes = chosen.unwrap_or(end..if is_found { end } else { u64::MAX });
                    games.reread(bytes, &mut read).transpose()?;
                }
                if !is_found {
                    return Ok(());
                }
            }
        };
        let result = read_all();
        games.end(result)
    }

    /// Returns the extent of the current game if it is selected. A game that exceeds the maximum size is not.
    fn extent_of_chosen(&self, games: &mut GameCursor<'_>) -> anyhow::Result<Option<Range<u64>>> {
        match self.chooses(games) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(err) if err.is::<SkippedLongGame>() => return Ok(None),
            Err(err) => return Err(err),
        }
        let span = games.extent()?.span;
        Ok((!games.is_long()).then_some(span.start..span.end))
    }
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
    let mut games = GameCursor::new(part, chooser.builder())?;
    let mut edit_all = || {
        loop {
            let is_found = games.advance()?;
            if !is_one {
                games.copy(games.before(), out)?;
            }
            if !is_found {
                return Ok(());
            }
            match chooser.extent_of_chosen(&mut games)? {
                Some(bytes) => edit(games.number(), &games.bytes(bytes)?, options, out)?,
                None => {
                    // The end of a truncated game that was skipped is not exact.
                    let span = games.extent()?.span;
                    games.copy(span.start..span.end, out)?;
                }
            }
        }
    };
    let result = edit_all();
    games.end(result)
}
