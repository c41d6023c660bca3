//! Rows as text: a table, CSV, TSV or JSON lines.

use std::borrow::Cow;
use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use serde::Serialize;
use serde_json::Value;
use sgfstream_table::row::Cell;

use crate::report::format::Format;
use crate::report::json;
use crate::report::terminal::clean;

/// Writer of rows, cell by cell. For a table, it writes one cell per line, as [`Table`] expects.
pub(crate) struct RowWriter {
    format: Format,
    names: Vec<String>,
    /// Whether cells are [cleaned](clean) for a terminal.
    is_terminal: bool,
}

impl RowWriter {
    pub(crate) fn new<'n>(
        format: Format,
        names: impl IntoIterator<Item = &'n str>,
        is_terminal: bool,
    ) -> Self {
        Self {
            format,
            names: names.into_iter().map(str::to_owned).collect(),
            is_terminal,
        }
    }

    /// Returns the header row, if the format has one.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut head = Vec::new();
        if self.format != Format::Jsonl {
            self.row(self.names.iter().map(|name| Cell::Text(name)), &mut head);
        }
        head
    }

    /// Writes a row.
    pub(crate) fn row<'c>(&self, cells: impl IntoIterator<Item = Cell<'c>>, out: &mut Vec<u8>) {
        cells
            .into_iter()
            .enumerate()
            .for_each(|(at, cell)| self.cell(at, cell, out));
        self.end_row(out);
    }

    /// Writes the cell of column `at`.
    pub(crate) fn cell(&self, at: usize, cell: Cell<'_>, out: &mut Vec<u8>) {
        self.start_cell(at, out);
        match self.format {
            Format::Table => out.extend_from_slice(clean(&text_of(cell)).as_bytes()),
            Format::Csv => self.quoted(&text_of(cell), out),
            Format::Tsv => self.escaped(&text_of(cell), out),
            _ => match cell {
                // Readers of JSON round integers of 64 bits.
                Cell::Int(key) if self.names[at] == "key" => json::write(out, &key.to_string()),
                cell => write_json(cell, out),
            }
            .expect("writing to memory"),
        }
        self.end_cell(out);
    }

    /// Writes everything that precedes the value of a cell.
    pub(crate) fn start_cell(&self, at: usize, out: &mut Vec<u8>) {
        match self.format {
            Format::Csv if at > 0 => out.push(b','),
            Format::Tsv if at > 0 => out.push(b'\t'),
            Format::Jsonl => {
                out.push(if at == 0 { b'{' } else { b',' });
                json::write(out, &self.names[at]).expect("writing to memory");
                out.push(b':');
            }
            _ => {}
        }
    }

    /// Writes everything that follows the value of a cell.
    pub(crate) fn end_cell(&self, out: &mut Vec<u8>) {
        if self.format == Format::Table {
            out.push(b'\n');
        }
    }

    /// Writes everything that follows the last cell of a row.
    pub(crate) fn end_row(&self, out: &mut Vec<u8>) {
        match self.format {
            Format::Table => {}
            Format::Csv | Format::Tsv => out.push(b'\n'),
            _ => out.extend_from_slice(b"}\n"),
        }
    }

    /// Writes a cell of TSV. The format has no quotes, so `\\`, tab and line breaks are escaped as
    /// `\\`, `\t`, `\n` and `\r`.
    fn escaped(&self, text: &str, out: &mut Vec<u8>) {
        let text = if self.is_terminal {
            clean(text)
        } else {
            text.into()
        };
        for byte in text.bytes() {
            match byte {
                b'\\' => out.extend_from_slice(b"\\\\"),
                b'\t' => out.extend_from_slice(b"\\t"),
                b'\n' => out.extend_from_slice(b"\\n"),
                b'\r' => out.extend_from_slice(b"\\r"),
                byte => out.push(byte),
            }
        }
    }

    /// Writes a cell of CSV, quoted if needed. A single empty cell is quoted, too, because its line
    /// would look empty.
    fn quoted(&self, text: &str, out: &mut Vec<u8>) {
        let text = if self.is_terminal {
            clean(text)
        } else {
            text.into()
        };
        let looks_empty = text.is_empty() && self.names.len() == 1;
        if !looks_empty && !text.contains(['"', ',', '\r', '\n']) {
            return out.extend_from_slice(text.as_bytes());
        }
        out.push(b'"');
        out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
        out.push(b'"');
    }
}

/// Writes rows that are objects: whole objects as JSON, or these columns of them in other formats.
pub(crate) fn write_objects(
    format: Format,
    columns: &[&str],
    rows: impl Iterator<Item = impl Serialize>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let writer = RowWriter::new(format, columns.iter().copied(), false);
    out.write_all(&writer.head())?;
    for row in rows {
        let mut line = Vec::new();
        if format == Format::Jsonl {
            json::write(&mut line, &row)?;
            line.push(b'\n');
        } else {
            let row = serde_json::to_value(&row)?;
            let texts = columns.iter().map(|column| match &row[*column] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(number) if number.is_f64() => {
                    format!("{:.4}", number.as_f64().unwrap_or_default())
                }
                other => other.to_string(),
            });
            let texts: Vec<String> = texts.collect();
            writer.row(texts.iter().map(|text| Cell::Text(text)), &mut line);
        }
        out.write_all(&line)?;
    }
    Ok(())
}

fn text_of(cell: Cell<'_>) -> Cow<'_, str> {
    match cell {
        Cell::Null => Cow::Borrowed(""),
        Cell::Text(text) => Cow::Borrowed(text),
        cell => Cow::Owned(cell.to_string()),
    }
}

/// Writes a cell as a JSON value.
fn write_json(cell: Cell<'_>, out: &mut Vec<u8>) -> io::Result<()> {
    match cell {
        Cell::Null => json::write(out, &()),
        Cell::Text(text) => json::write(out, text),
        Cell::Int(number) => json::write(out, &number),
        Cell::Float(number) => json::write(out, &number),
        Cell::Bool(value) => json::write(out, &value),
        date @ Cell::Date(_) => json::write(out, &date.to_string()),
    }
}

/// Maximum rows, and bytes of them, that determine the widths of the columns.
const LOOKED_AT: usize = 200;
const LOOKED_AT_BYTES: usize = 1 << 20;

/// Maximum width of a cell on a terminal. Longer cells are truncated.
const WIDEST: usize = 40;

/// Maximum padding of a cell elsewhere, where no cell is truncated.
const PADDED: usize = 4096;

/// Output of the text of a [`RowWriter`]. It aligns the cells of each column of a table.
pub(crate) struct Table {
    format: Format,
    /// Whether each column contains numbers.
    are_numbers: Vec<bool>,
    /// Buffered cells, row by row, each followed by a newline.
    waiting: String,
    cells: usize,
    widths: Option<Vec<usize>>,
    cut: bool,
}

impl Table {
    /// Creates a table. With `cut`, long cells are truncated.
    pub(crate) fn new(format: Format, are_numbers: Vec<bool>, cut: bool) -> Self {
        Self {
            format,
            are_numbers,
            waiting: String::new(),
            cells: 0,
            widths: None,
            cut,
        }
    }

    /// Adds the cells of whole rows. Prints them once the widths are known.
    pub(crate) fn write(&mut self, cells: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
        if self.format != Format::Table {
            return Ok(out.write_all(cells)?);
        }
        let cells = std::str::from_utf8(cells)?;
        if self.widths.is_some() {
            return self.print(cells, out);
        }
        // Only the first rows determine the widths, even if more rows arrive at once.
        let missing = (LOOKED_AT + 1) * self.are_numbers.len() - self.cells;
        let end = memchr::memchr_iter(b'\n', cells.as_bytes())
            .nth(missing - 1)
            .map_or(cells.len(), |at| at + 1);
        let (looked_at, rest) = cells.split_at(end);
        self.waiting.push_str(looked_at);
        self.cells += memchr::memchr_iter(b'\n', looked_at.as_bytes()).count();
        let is_settled = self.cells > LOOKED_AT * self.are_numbers.len()
            || self.waiting.len() - self.cells > LOOKED_AT_BYTES;
        if is_settled {
            self.print_waiting(out).and_then(|()| self.print(rest, out))
        } else {
            Ok(())
        }
    }

    /// Prints the buffered rows.
    pub(crate) fn print_waiting(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.widths.is_some() {
            return Ok(());
        }
        let widest = if self.cut { WIDEST } else { PADDED };
        let columns = self.are_numbers.len();
        let mut widths = vec![0; columns];
        let mut bytes = 0;
        for (at, cell) in self.waiting.lines().enumerate() {
            let at = at % columns;
            if at == 0 && bytes > LOOKED_AT_BYTES {
                break;
            }
            bytes += cell.len();
            widths[at] = width_of(cell).min(widest).max(widths[at]);
        }
        self.widths = Some(widths);
        let waiting = std::mem::take(&mut self.waiting);
        self.print(&waiting, out)
    }

    /// Prints rows. The widths must be known.
    fn print(&self, cells: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let Self {
            are_numbers,
            widths: Some(widths),
            cut,
            ..
        } = self
        else {
            return Ok(());
        };
        let columns = are_numbers.len();
        let mut line = String::new();
        for (at, cell) in cells.lines().enumerate() {
            let at = at % columns;
            let (len, width) = (width_of(cell), widths[at]);
            let pad = |line: &mut String, len: usize| {
                line.extend(std::iter::repeat_n(' ', width.saturating_sub(len)))
            };
            if len > width && *cut {
                let kept = start_of_width(cell, width.saturating_sub(1));
                line.push_str(kept);
                line.push('…');
                pad(&mut line, kept.width() + 1);
            } else if are_numbers[at] {
                pad(&mut line, len);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                pad(&mut line, len);
            }
            if at + 1 < columns {
                line.push_str("  ");
                continue;
            }
            line.truncate(line.trim_end().len());
            line.push('\n');
            out.write_all(line.as_bytes())?;
            line.clear();
        }
        Ok(())
    }
}

/// Returns the terminal columns of a [cleaned](clean) text.
fn width_of(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// Returns the longest start of a text that fits in this many columns.
fn start_of_width(text: &str, columns: usize) -> &str {
    let mut width = 0;
    let end = text.char_indices().find_map(|(at, char)| {
        width += char.width().unwrap_or(0);
        (width > columns).then_some(at)
    });
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_gets_other_text_than_the_file_has() {
        let row = |is_terminal, text| {
            let mut out = Vec::new();
            RowWriter::new(Format::Csv, ["text", "none"], is_terminal)
                .row([Cell::Text(text), Cell::Null], &mut out);
            String::from_utf8(out).expect("UTF-8")
        };
        let text = "a\u{9b}b\u{202e}c\u{1b}[31m\"d\", e\nf";
        assert_eq!(
            row(false, text),
            "\"a\u{9b}b\u{202e}c\u{1b}[31m\"\"d\"\", e\nf\",\n"
        );
        assert_eq!(
            row(true, text),
            "\"a\\u{9b}b\\u{202e}c\\u{1b}[31m\"\"d\"\", e f\",\n"
        );
        assert_eq!(row(true, "plain"), "plain,\n");
    }

    #[test]
    fn one_row_in_each_format() {
        for (format, expected) in [
            (Format::Table, "a,\tb\n7\n\n"),
            (Format::Csv, "\"a,\tb\",7,\n"),
            (Format::Tsv, "a,\\tb\t7\t\n"),
            (
                Format::Jsonl,
                "{\"text\":\"a,\\tb\",\"number\":7,\"none\":null}\n",
            ),
        ] {
            let (writer, mut out) = (
                RowWriter::new(format, ["text", "number", "none"], false),
                Vec::new(),
            );
            writer.row([Cell::Text("a,\tb"), Cell::Int(7), Cell::Null], &mut out);
            let expected = if format == Format::Table {
                expected.replace('\t', " ")
            } else {
                expected.to_owned()
            };
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
        // A single empty cell is quoted, because its line would look empty.
        let mut out = Vec::new();
        RowWriter::new(Format::Csv, ["one"], false).row([Cell::Null], &mut out);
        assert_eq!(out, b"\"\"\n");
    }
}
