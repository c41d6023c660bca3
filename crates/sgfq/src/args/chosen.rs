//! The games of an entry for which `--where` is true, for commands that read events.
//!
//! Whether a game is chosen may be known at its end only. The cursor keeps its bytes until then, and a second reader gives
//! its events to the command.

use std::io::Write;
use std::ops::{ControlFlow, Range};

use sgfstream::Options;
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::games::{GameCursor, Kept, LongGame};
use sgfstream_table::row::ColumnSet;

use crate::args::input::{Inputs, shown_name};
use crate::args::where_games::Chooser;
use crate::report::exit::Exit;

impl Chooser {
    /// Gives `read` a reader of the part, if there is no filter. Otherwise, gives it a reader of each chosen game, with the
    /// text before it; of the text before each other game; and at last of the text after the last game. The bytes from the
    /// start to the offset of a reader are those of its game.
    pub(crate) fn read(
        &self,
        part: Part<'_>,
        mut read: impl FnMut(PartReader<'_>) -> anyhow::Result<PartEnd>,
    ) -> anyhow::Result<PartEnd> {
        if self.chooses_all() {
            return read(part.reader());
        }
        let is_one = part.game().is_some();
        let mut games = GameCursor::new(part, self.builder(ColumnSet::default()), Kept::All)?;
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

    /// The bytes of the game, if it is chosen. A game that is too long is not.
    fn extent_of_chosen(&self, games: &mut GameCursor<'_>) -> anyhow::Result<Option<Range<u64>>> {
        match self.chooses(games) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(err) if err.is::<LongGame>() => return Ok(None),
            Err(err) => return Err(err),
        }
        let span = games.extent()?.span;
        Ok((!games.is_long()).then_some(span.start..span.end))
    }
}

impl Inputs {
    /// Gives `each` the name and the readers of each entry, as [`Chooser::read`] gives them, one entry after another.
    pub(crate) fn each_chosen(
        &self,
        options: Options,
        chooser: &Chooser,
        mut each: impl FnMut(&str, &mut PartReader<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        self.each(options, |part| {
            let name = shown_name(&part);
            let end = chooser.read(part, |mut reader| {
                each(&name, &mut reader)?;
                Ok(reader.finish()?)
            })?;
            Ok(ControlFlow::Continue(end))
        })
    }
}

/// Writes a part to `out`. Each chosen game is given to `edit`, which writes what becomes of it; all other bytes are
/// written as they are, except those around the one game that was asked for.
pub(crate) fn edit_chosen<W: Write>(
    part: Part<'_>,
    chooser: &Chooser,
    out: &mut W,
    mut edit: impl FnMut(u64, &[u8], Options, &mut W) -> anyhow::Result<()>,
) -> anyhow::Result<PartEnd> {
    let (options, is_one) = (part.options(), part.game().is_some());
    let mut games = GameCursor::new(part, chooser.builder(ColumnSet::default()), Kept::All)?;
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
                    // The end of a cut-off game that was skipped is not exact.
                    let span = games.extent()?.span;
                    games.copy(span.start..span.end, out)?;
                }
            }
        }
    };
    let result = edit_all();
    games.end(result)
}
