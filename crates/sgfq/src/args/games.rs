//! The games of the inputs, one after another: their rows, and their bytes. What is cut in them is counted for the
//! end of the command.

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
        cut::add_unsearched(games.unsearched());
        Ok(flow)
    })
}

impl<P: Args> Io<P> {
    /// Gives the events of the chosen games to `take`, which writes them, until that fails. Bytes inside games that no reader
    /// understands are counted, and change the exit status, as it does if a filter chooses no game.
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

/// Gives `write` the bytes of a property, or of a piece of one, without the blanks between its values. A value that the end of
/// the input cut is closed, so that nothing after it becomes part of it.
pub(crate) fn write_property(event: &Event<'_>, mut write: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    match event {
        // Nothing is between its parts, and it is closed.
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
