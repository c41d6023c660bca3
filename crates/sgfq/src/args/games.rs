//! The games of the inputs with their rows and bytes. Parts of games that are left out are counted for the report at the end
//! of the command.

use std::io;
use std::ops::ControlFlow;

use clap::Args;

use sgfstream::{Event, EventReader, Flow, Place};
use sgfstream_engine::{Part, PartEnd};
use sgfstream_table::games::{self, GameCursor, Kept};
use sgfstream_table::row::RowBuilder;

use crate::args::input::Inputs;
use crate::args::io::Io;
use crate::args::where_games::Chooser;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::unread::Unread;

impl Inputs {
    /// Passes each game that `chooser` selects to `each`, once its root is read. A game requested by number (`x.sgf#17`) is
    /// passed alone. The exit status reports whether a filter selected no game.
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

/// Same as [`games::games_of`].
pub(crate) fn games_of(
    part: Part<'_>,
    builder: &mut RowBuilder,
    kept: Kept,
    mut each: impl FnMut(&mut GameCursor<'_>) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<ControlFlow<(), PartEnd>> {
    games::games_of(part, builder, kept, |games| {
        let flow = each(games)?;
        cut::add_unsearched(games.unsearched());
        Ok(flow)
    })
}

impl<P: Args> Io<P> {
    /// Passes the events of the selected games to `take`, which writes them, until it returns an error. Unparseable bytes
    /// inside games are counted and change the exit status. A filter that selects no game changes it, too.
    pub(crate) fn write_events(
        &self,
        chooser: &Chooser,
        mut take: impl FnMut(&Event<'_>, &Place) -> io::Result<()>,
    ) -> anyhow::Result<Exit> {
        let mut unread = Unread::default();
        let exit = self.each_chosen(chooser, |name, reader| {
            let mut written = Ok(());
            let read = reader.drive(&mut |event: &Event<'_>, place: &Place| {
                unread.take(event, place, name);
                written = take(event, place);
                if written.is_ok() { Flow::Go } else { Flow::Stop }
            });
            written?;
            Ok(read?)
        })?;
        Ok(chooser.or_none(&self.inputs, exit).or(unread.tell()))
    }
}

/// Passes the bytes of a property, or of a piece of it, to `write`, without whitespace between its values. A value that the
/// end of the input truncated is closed, so that no later byte becomes part of it.
pub(crate) fn write_property(event: &Event<'_>, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    match event {
        // A simple property has nothing between its parts and is closed.
        Event::Property(property) if property.is_simple() => write(property.as_bytes())?,
        _ => {
            for piece in event.pieces() {
                if piece.is_property_start() {
                    write(piece.ident().as_bytes())?;
                }
                if piece.is_value_start() {
                    write(b"[")?;
                }
                let (bytes, bracket) = match (piece.is_value_end(), piece.is_closed()) {
                    (true, false) => piece.content().closing(),
                    (true, true) => (piece.content().as_bytes(), "]"),
                    (false, _) => (piece.content().as_bytes(), ""),
                };
                write(bytes)?;
                write(bracket.as_bytes())?;
            }
        }
    }
    Ok(())
}
