//! A file's trees as JSON, written as the events come.

use std::io::{self, Write};

use crate::json;
use crate::output::Output;
use sgfstream::base::{Charset, CharsetSource};
use sgfstream::event::{Event, OwnedEvent, Place, RawValue};
use sgfstream::read::EventReader;
use sgfstream_engine::PartReader;

use super::diagnostics::Diagnostics;

/// How much of a root node is held back to learn its charset first: CA may
/// come after the texts that it governs (spec CA-02).
const HELD: usize = 4 << 20;

pub(super) fn write(out: &mut Output, name: &str, reader: &mut PartReader<'_>) -> anyhow::Result<()> {
    out.write_all(b"{\"file\":")?;
    json::write_text(out, name)?;
    out.write_all(b",\"tree\":[")?;
    let mut diagnostics = Diagnostics::default();
    let mut writer = TreeWriter { out, last: Last::Start };
    // The root's events, until its charset is known.
    let mut held: Vec<(OwnedEvent, Place)> = Vec::new();
    let mut held_bytes = 0;
    let mut nodes = 0u64;
    let mut failed = None;
    loop {
        match reader.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(err) => {
                failed = Some(err);
                break;
            }
        }
        let place = reader.place();
        let event = reader.event();
        diagnostics.look(&event, &place, |byte| reader.position_of(byte));
        match event {
            Event::VariationStart { .. } if place.depth == 1 => nodes = 0,
            Event::NodeStart { .. } => nodes += 1,
            _ => {}
        }
        let in_root =
            nodes == 1 && matches!(event, Event::NodeStart { .. } | Event::Property(_) | Event::PropertyPart(_));
        if in_root && place.charset_source < CharsetSource::Declared && held_bytes < HELD {
            held_bytes += place.span.len() as usize;
            held.push((event.into_owned(), place));
            continue;
        }
        for (event, mut at) in held.drain(..) {
            (at.charset, at.charset_source) = (place.charset, place.charset_source);
            writer.event(&event.as_event(), &at, &mut diagnostics, reader)?;
        }
        held_bytes = 0;
        writer.event(&event, &place, &mut diagnostics, reader)?;
    }
    if let Some(err) = failed {
        // The object is finished all the same: what was read is read.
        for (event, at) in held.drain(..) {
            writer.event(&event.as_event(), &at, &mut diagnostics, reader)?;
        }
        writer.close_all(reader.place().depth)?;
        finish(writer.out, diagnostics, "error")?;
        return Err(err.into());
    }
    let status = diagnostics.status();
    finish(writer.out, diagnostics, status)
}

fn finish(out: &mut Output, diagnostics: Diagnostics, status: &str) -> anyhow::Result<()> {
    out.write_all(b"],\"diagnostics\":")?;
    let dropped = diagnostics.dropped();
    json::write(out, &diagnostics.into_json())?;
    if dropped > 0 {
        write!(out, ",\"diagnostics_left_out\":{dropped}")?;
    }
    writeln!(out, ",\"status\":\"{status}\"}}")?;
    Ok(())
}

/// What was written last: it says what JSON needs next.
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
    out: &'o mut Output,
    last: Last,
}

impl TreeWriter<'_> {
    fn event(
        &mut self,
        event: &Event<'_>,
        place: &Place,
        diagnostics: &mut Diagnostics,
        reader: &PartReader<'_>,
    ) -> io::Result<()> {
        match event {
            Event::VariationStart { .. } => {
                self.end_value()?;
                // Between variations there are none but these.
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
                    self.text(value, place, diagnostics, reader)?;
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
                self.text(part.content(), place, diagnostics, reader)?;
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

    /// The inside of a JSON string: the value in the Text reading.
    fn text(
        &mut self,
        value: RawValue<'_>,
        place: &Place,
        diagnostics: &mut Diagnostics,
        reader: &PartReader<'_>,
    ) -> io::Result<()> {
        let (text, faulty) = value.with_charset(place.charset).try_text();
        if faulty {
            diagnostics.invalid_bytes(place, |byte| reader.position_of(byte));
        }
        if place.charset == Charset::AUTO && !value.as_bytes().is_ascii() {
            diagnostics.assumed_charset(place, |byte| reader.position_of(byte));
        }
        json::write_inside(self.out, &text)
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

    /// Ends what is open when reading failed in the middle of it.
    fn close_all(&mut self, depth: u64) -> io::Result<()> {
        let open = if self.last == Last::VariationEnd { depth.saturating_sub(1) } else { depth };
        (0..open).try_for_each(|_| self.end_variation())
    }
}
