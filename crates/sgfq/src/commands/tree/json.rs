//! Writes the trees of a file as JSON in a streaming way.

use std::io::{self, Write};

use crate::report::json;
use sgfstream::{Event, EventReader, Place, RawValue};
use sgfstream_engine::PartReader;

use super::events::each_event;

/// Last token written. It determines which JSON separators come next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Start,
    VariationStart,
    NodeStart,
    /// Whole property, or the last piece of a value. The list of values is still open.
    Value,
    /// Piece of a value. The string is still open.
    Piece,
    VariationEnd,
}

/// Writer of the object of a file.
pub(super) struct TreeWriter<'o> {
    out: &'o mut dyn Write,
    last: Last,
}

impl<'o> TreeWriter<'o> {
    /// Begins the object of the file `name`.
    pub(super) fn begin(mut out: &'o mut dyn Write, name: &str) -> anyhow::Result<Self> {
        write!(out, "{{\"schema\":{},\"file\":", json::SCHEMA)?;
        json::write_text(&mut out, name)?;
        out.write_all(b",\"tree\":[")?;
        Ok(Self { out, last: Last::Start })
    }

    /// Writes the games of the reader. If reading fails, closes all open variations.
    pub(super) fn read(&mut self, reader: &mut PartReader<'_>) -> anyhow::Result<()> {
        let result = each_event(reader, |event, place, _| Ok(self.event(event, place)?));
        if result.is_err() {
            self.close_all(reader.place().depth)?;
        }
        result
    }

    /// Ends the object.
    pub(super) fn end(self) -> io::Result<()> {
        self.out.write_all(b"]}\n")
    }

    fn event(&mut self, event: &Event<'_>, place: &Place) -> io::Result<()> {
        match event {
            Event::VariationStart { .. } => {
                self.end_value()?;
                // A variation follows nothing, another variation, or the nodes of its parent.
                let before: &[u8] = match self.last {
                    Last::Start => b"",
                    Last::VariationEnd => b",",
                    _ => b"]],\"children\":[",
                };
                self.out.write_all(before)?;
                self.out.write_all(b"{\"nodes\":[")?;
                self.last = Last::VariationStart;
            }
            Event::NodeStart { .. } => {
                self.end_value()?;
                self.out.write_all(if self.last == Last::VariationStart { b"[" } else { b"],[" })?;
                self.last = Last::NodeStart;
            }
            Event::VariationEnd { .. } => self.end_variation()?,
            _ => {
                for piece in event.pieces() {
                    if piece.is_property_start() {
                        self.begin_property(&piece.ident().canonical())?;
                        self.out.write_all(b"\"")?;
                    } else if piece.is_value_start() {
                        self.out.write_all(b",\"")?;
                    }
                    self.text(piece.content(), place)?;
                    self.last = Last::Piece;
                    if piece.is_value_end() {
                        self.out.write_all(b"\"")?;
                        self.last = Last::Value;
                    }
                }
            }
        }
        Ok(())
    }

    fn begin_property(&mut self, ident: &[u8]) -> io::Result<()> {
        self.end_value()?;
        self.out.write_all(if self.last == Last::NodeStart { b"[\"" } else { b",[\"" })?;
        self.out.write_all(ident)?;
        self.out.write_all(b"\",[")
    }

    /// Closes the open list of values, if there is one.
    fn end_value(&mut self) -> io::Result<()> {
        match self.last {
            Last::Piece => self.out.write_all(b"\"]]"),
            Last::Value => self.out.write_all(b"]]"),
            _ => Ok(()),
        }
    }

    /// Writes the inside of a JSON string: the unescaped, decoded value.
    fn text(&mut self, value: RawValue<'_>, place: &Place) -> io::Result<()> {
        json::write_inside(&mut self.out, &value.with_charset(place.charset).text())
    }

    fn end_variation(&mut self) -> io::Result<()> {
        self.end_value()?;
        let after: &[u8] = match self.last {
            Last::VariationEnd => b"]}",
            Last::VariationStart => b"],\"children\":[]}",
            _ => b"]],\"children\":[]}",
        };
        self.last = Last::VariationEnd;
        self.out.write_all(after)
    }

    /// Ends the variations that were open when reading failed.
    fn close_all(&mut self, depth: u64) -> io::Result<()> {
        let open = if self.last == Last::VariationEnd { depth.saturating_sub(1) } else { depth };
        (0..open).try_for_each(|_| self.end_variation())
    }
}
