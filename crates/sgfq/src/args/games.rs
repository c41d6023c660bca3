//! The games of the inputs with their rows and bytes. Parts of games that are left out are counted for the report at the end
//! of the command.

use std::io::{self, Write};

use sgfstream::{Event, EventReader, Flow, Place};
use sgfstream_engine::{Out, OutputWriter, PartEnd, PartReader, SplitMode, empty_again};
use sgfstream_table::row::RowReader;

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::{self, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::unread::Unread;

/// Ends the reading of a part, and counts what searches of its games did not cover.
pub(crate) fn end(rows: RowReader<'_, PartReader<'_>>) -> anyhow::Result<PartEnd> {
    cut::add_unsearched(rows.unsearched());
    Ok(rows.end()?)
}

/// Output of the events of a part, and its unparseable bytes.
#[derive(Default)]
struct EventText {
    text: Vec<u8>,
    unread: Unread,
}

impl threads::Output for EventText {
    fn emptied(self) -> Option<Self> {
        let Self { mut text, .. } = self;
        empty_again(&mut text);
        Some(Self { text, ..Self::default() })
    }
}

impl Io<Pool> {
    /// Writes the selected games with one event writer for each entry. Unparseable bytes inside games are counted and
    /// change the exit status. A filter that selects no game changes it, too.
    pub(crate) fn write_events<W: FnMut(&Event<'_>, &Place, &mut dyn Write) -> io::Result<()>>(
        &self,
        out: &mut Output,
        chooser: &Chooser,
        writer: impl Fn() -> W + Sync,
    ) -> anyhow::Result<Exit> {
        let job = threads::each_part(
            || (),
            |(), part, written: &mut Out<'_, EventText>| {
                let (name, mut write) = (shown_name(&part), writer());
                let mut unread = Unread::default();
                let end = chooser.read(part, |mut reader| {
                    let mut result = Ok(());
                    reader.drive(&mut |event: &Event<'_>, place: &Place| {
                        unread.take(event, place, &name);
                        result = write(event, place, &mut OutputWriter::new(written, |written| &mut written.text));
                        if result.is_ok() { Flow::Go } else { Flow::Stop }
                    })?;
                    result?;
                    Ok(reader.finish()?)
                });
                written.unread.merge(unread);
                end
            },
        );
        let mut unread = Unread::default();
        let exit = self.with(out, |out| {
            self.answer(false, SplitMode::Whole, &job, |unit| {
                let Some(written) = &mut unit.output else { return Ok(()) };
                unread.merge(std::mem::take(&mut written.unread));
                Ok(out.write_all(&written.text)?)
            })
        })?;
        Ok(chooser.or_none(&self.inputs, exit).or(unread.print_summary()))
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
