//! Draws the trees of a file as text: each variation is a paragraph, indented by its depth, with long values truncated.

use std::io::{self, Write};

use crate::report::terminal::clean;
use sgfstream::{Charset, Event, EventReader, RawValue};
use sgfstream_engine::PartReader;

use super::events::each_event;

/// Maximum characters of a value shown.
const VALUE: usize = 40;
/// Maximum values of a property shown.
const VALUES: usize = 8;
/// Columns of a line.
const WIDTH: usize = 100;
/// Maximum depth shown by indentation. Deeper levels show their number.
const INDENT: u64 = 24;

pub(super) fn write(out: &mut dyn Write, reader: &mut PartReader<'_>) -> anyhow::Result<()> {
    let mut page = Page { out, column: 0, indent: 0 };
    each_event(reader, |event, place, reader| {
        match event {
            Event::VariationStart { .. } => {
                page.start(place.depth)?;
                if place.depth == 1 {
                    page.word(&format!("game {}", place.game))?;
                }
            }
            Event::NodeStart { .. } => page.word(";")?,
            Event::Property(property) => {
                let mut word = String::from_utf8_lossy(&property.ident().canonical()).into_owned();
                let mut values = property.values();
                for value in values.by_ref().take(VALUES) {
                    word.push_str(&format!("[{}]", shown(value, place.charset)));
                }
                let left = values.count();
                if left > 0 {
                    word.push_str(&format!("[… {left} more]"));
                }
                page.word(&word)?;
            }
            Event::VariationEnd { .. } if place.depth == 1 => page.end()?,
            Event::Problem(problem) => {
                let at = reader.position_of(problem.span.start);
                page.end()?;
                let (line, column) = (at.line, at.column);
                writeln!(page.out, "  {line}:{column}: {problem}")?;
            }
            _ => {
                for piece in event.pieces().filter(|piece| piece.is_property_start()) {
                    page.word(&format!("{}[{}…]", piece.ident(), shown(piece.content(), place.charset)))?;
                }
            }
        }
        Ok(())
    })?;
    Ok(page.end()?)
}

fn shown(value: RawValue<'_>, charset: Charset) -> String {
    // Decodes no more bytes than can be shown.
    let bytes = value.as_bytes();
    let head = &bytes[..bytes.len().min(VALUE * 8)];
    let text = RawValue::new(head, value.framing()).with_charset(charset).text();
    let text = clean(&text);
    let mut short: String = text.chars().take(VALUE).collect();
    if short.len() < text.len() || head.len() < bytes.len() {
        short.push('…');
    }
    short
}

struct Page<'o> {
    out: &'o mut dyn Write,
    column: usize,
    indent: usize,
}

impl Page<'_> {
    /// Begins the paragraph of a variation. Its first word writes the indentation, because a problem may come before it.
    fn start(&mut self, depth: u64) -> io::Result<()> {
        self.end()?;
        self.indent = (depth.min(INDENT) * 2) as usize;
        if depth > INDENT {
            self.word(&format!("(depth {depth})"))?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        let len = word.chars().count();
        if self.column == 0 {
            write!(self.out, "{:indent$}", "", indent = self.indent)?;
            self.column = self.indent;
        }
        if self.column > self.indent && self.column + len >= WIDTH {
            write!(self.out, "\n{:indent$}", "", indent = self.indent + 2)?;
            self.column = self.indent + 2;
        }
        let space = if word == ";" { "" } else { " " };
        write!(self.out, "{word}{space}")?;
        self.column += len + space.len();
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        if self.column > 0 {
            writeln!(self.out)?;
        }
        self.column = 0;
        Ok(())
    }
}
