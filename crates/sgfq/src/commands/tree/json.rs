//! A file's trees as JSON, written as the events come.

use std::io::{self, Write};

use crate::io::chosen::Reading;
use crate::report::json;
use sgfstream::{Charset, CharsetSource, Code, Event, EventReader, OwnedEvent, Place, Problem, RawValue};
use sgfstream_engine::PartReader;

use super::diagnostics::Diagnostics;

/// Bytes of memory for a root node that is held back to learn its charset first: CA may come after the texts that it
/// applies to (spec CA-02).
const HELD: usize = 4 << 20;

/// Bytes of memory that an event takes beside its own.
const OVERHEAD: usize = size_of::<(OwnedEvent, Place)>() + 32;

pub(super) fn write(
    mut out: &mut dyn Write,
    name: &str,
    reader: &mut PartReader<'_>,
    reading: &Reading,
) -> anyhow::Result<()> {
    write!(out, "{{\"schema\":{},\"file\":", json::SCHEMA)?;
    json::write_text(&mut out, name)?;
    out.write_all(b",\"tree\":[")?;
    let mut writer = TreeWriter { out, last: Last::Start, diagnostics: Diagnostics::default() };
    // The root's events, until its charset is known.
    let mut held: Vec<(OwnedEvent, Place)> = Vec::new();
    let mut held_bytes = 0;
    let mut nodes = 0u64;
    let failed = loop {
        match reader.advance() {
            Ok(true) => {}
            Ok(false) => break None,
            Err(err) => break Some(err),
        }
        let place = reader.place();
        if reading.number(place.game).is_none() {
            continue;
        }
        let event = reader.event();
        writer.diagnostics.look(&event, &place, reader)?;
        match event {
            Event::VariationStart { .. } if place.depth == 1 => nodes = 0,
            Event::NodeStart { .. } => nodes += 1,
            _ => {}
        }
        let in_root =
            nodes == 1 && matches!(event, Event::NodeStart { .. } | Event::Property(_) | Event::PropertyPart(_));
        if in_root && place.charset_source < CharsetSource::Declared && held_bytes < HELD {
            held_bytes += place.span.len() as usize + OVERHEAD;
            held.push((event.into_owned(), place));
            continue;
        }
        for (event, mut at) in held.drain(..) {
            (at.charset, at.charset_source) = (place.charset, place.charset_source);
            writer.event(&event.as_event(), &at, reader)?;
        }
        held_bytes = 0;
        writer.event(&event, &place, reader)?;
    };
    // The object is finished even if reading failed: it has what was read.
    for (event, at) in held {
        writer.event(&event.as_event(), &at, reader)?;
    }
    if failed.is_some() {
        writer.close_all(reader.place().depth)?;
    }
    let TreeWriter { mut out, diagnostics, .. } = writer;
    out.write_all(b"],")?;
    diagnostics.write(&mut out, failed.is_some())?;
    out.write_all(b"}\n")?;
    failed.map_or(Ok(()), |err| Err(err.into()))
}

/// Token that was written last: it says what JSON needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Start,
    VariationStart,
    NodeStart,
    /// A whole property, or the last piece of a value: its list is open.
    Value,
    /// A piece of a value: its string is open.
    Piece,
    VariationEnd,
}

struct TreeWriter<'o> {
    out: &'o mut dyn Write,
    last: Last,
    diagnostics: Diagnostics,
}

impl TreeWriter<'_> {
    fn event(&mut self, event: &Event<'_>, place: &Place, reader: &PartReader<'_>) -> io::Result<()> {
        match event {
            Event::VariationStart { .. } => {
                self.end_value()?;
                // Nothing else is written before a variation.
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
            Event::Property(property) => {
                self.begin_property(&property.ident().canonical())?;
                for (index, value) in property.values().enumerate() {
                    self.out.write_all(if index == 0 { b"\"" } else { b",\"" })?;
                    self.text(value, place, reader)?;
                    self.out.write_all(b"\"")?;
                }
                self.last = Last::Value;
            }
            Event::PropertyPart(part) => {
                if part.is_property_start() {
                    self.begin_property(&part.ident().canonical())?;
                    self.out.write_all(b"\"")?;
                } else if part.is_value_start() {
                    self.out.write_all(b",\"")?;
                }
                self.text(part.content(), place, reader)?;
                self.last = Last::Piece;
                if part.is_value_end() {
                    self.out.write_all(b"\"")?;
                    self.last = Last::Value;
                }
            }
            Event::VariationEnd { .. } => self.end_variation()?,
            _ => {}
        }
        Ok(())
    }

    fn begin_property(&mut self, ident: &[u8]) -> io::Result<()> {
        self.end_value()?;
        self.out.write_all(if self.last == Last::NodeStart { b"[\"" } else { b",[\"" })?;
        self.out.write_all(ident)?;
        self.out.write_all(b"\",[")
    }

    /// Closes the list of values that is open, if one is.
    fn end_value(&mut self) -> io::Result<()> {
        match self.last {
            Last::Piece => self.out.write_all(b"\"]]"),
            Last::Value => self.out.write_all(b"]]"),
            _ => Ok(()),
        }
    }

    /// Writes the inside of a JSON string: the value, unescaped and decoded.
    fn text(&mut self, value: RawValue<'_>, place: &Place, reader: &PartReader<'_>) -> io::Result<()> {
        let (text, is_faulty) = value.with_charset(place.charset).try_text();
        if is_faulty {
            self.diagnostics.add(Problem::new(Code::InvalidBytes, place.span), place, reader)?;
        }
        if place.charset == Charset::AUTO && !value.as_bytes().is_ascii() {
            self.diagnostics.assumed_charset(place, reader)?;
        }
        json::write_inside(&mut self.out, &text)
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

    /// Ends the variations that are open when reading failed.
    fn close_all(&mut self, depth: u64) -> io::Result<()> {
        let open = if self.last == Last::VariationEnd { depth.saturating_sub(1) } else { depth };
        (0..open).try_for_each(|_| self.end_variation())
    }
}
