//! The games of the inputs, one after another: their rows, and their bytes. What is cut in them is counted for the
//! end of the command.

use std::io;
use std::ops::ControlFlow;

use sgfstream::{Event, EventReader, Flow, Place};
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::games::{self, GameCursor, Kept};
use sgfstream_table::row::RowBuilder;

use crate::args::input::Inputs;
use crate::args::where_games::Chooser;
use crate::report::cut;
use crate::report::exit::Exit;

impl Inputs {
    /// Gives each game of the inputs that `chooser` chooses to `each`, when its root is read. A game that was asked for by
    /// number (`x.sgf#17`) comes alone. The exit status says if a filter chose none.
    pub(crate) fn games(
        &self,
        chooser: &Chooser,
        mut builder: RowBuilder,
        mut each: impl FnMut(&mut GameCursor<'_>) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Exit> {
        let exit = self.each(self.how.options(), |part| {
            games_of(part, &mut builder, Kept::Games, |game| {
                if !chooser.chooses(game)? {
                    return Ok(ControlFlow::Continue(()));
                }
                each(game)
            })
        })?;
        Ok(chooser.or_none(self, exit))
    }
}

/// As [`games::games_of`].
pub(crate) fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    kept: Kept,
    mut each: impl FnMut(&mut GameCursor<'_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games::games_of(part, builder, kept, |games| {
        let flow = each(games)?;
        cut::add(games.cut_texts());
        cut::add_unsearched(games.unsearched());
        Ok(flow)
    })
}

/// Gives each event of a reader to `take`, which writes, until that fails.
pub(crate) fn write_events(
    reader: &mut PartReader<'_>,
    mut take: impl FnMut(&Event<'_>, &Place) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut written = Ok(());
    let read = reader.drive(&mut |event: &Event<'_>, place: &Place| {
        written = take(event, place);
        if written.is_ok() { Flow::Go } else { Flow::Stop }
    });
    written?;
    Ok(read?)
}

/// The bytes of a value without a `\` at its end that escapes nothing, as the last value of a file may have it.
pub(crate) fn without_open_escape(value: &[u8]) -> &[u8] {
    let escapes = value.iter().rev().take_while(|&&byte| byte == b'\\').count();
    if escapes % 2 == 1 && value.is_ascii() { &value[..value.len() - 1] } else { value }
}
