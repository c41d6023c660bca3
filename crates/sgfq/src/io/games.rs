//! The games of the inputs, one after another: their rows, and their bytes. What is cut in them is counted for the
//! end of the command.

use std::ops::ControlFlow;

use sgfstream::Options;
use sgfstream_engine::{Part, PartEnd};
use sgfstream_table::games::{self, Games, Kept};
use sgfstream_table::row::RowBuilder;

use crate::args::input::Inputs;
use crate::report::cut;
use crate::report::exit::Exit;

impl Inputs {
    /// Gives each game of the inputs to `each`, when its root is read. A game
    /// that was asked for by number (`x.sgf#17`) comes alone.
    pub(crate) fn games(
        &self,
        options: Options,
        mut builder: RowBuilder,
        mut each: impl FnMut(&mut Games<'_>) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<Exit> {
        self.each(options, |part| games_of(part, &mut builder, Kept::Games, &mut each))
    }
}

/// As [`games::games_of`].
pub(crate) fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    kept: Kept,
    mut each: impl FnMut(&mut Games<'_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games::games_of(part, builder, kept, |games| {
        let flow = each(games)?;
        cut::add(games.cut_texts());
        cut::add_unsearched(games.unsearched());
        Ok(flow)
    })
}
