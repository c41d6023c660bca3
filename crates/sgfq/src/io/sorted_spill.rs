//! Byte strings in temporary files that are read back in the order of their keys, and the keys of
//! columns.

use std::collections::BinaryHeap;
use std::io::{self, Write};

use sgfstream_table::filter::SelectedColumn;
use sgfstream_table::row::{Cell, FilledRow};

use crate::io::spill::Spill;
use crate::io::temp_file::{Sorted, Sorter};

/// Maximum bytes of a key.
const KEY: usize = 4096;

/// Maximum number of first byte strings whose keys are in memory.
const FIRST: u64 = 1000;

/// Bytes after the key: the number of the byte string, and the range of its bytes.
const PLACE: usize = 24;

/// Columns by which games sort.
pub(crate) struct SortOrder<'s> {
    pub(crate) columns: &'s [SelectedColumn],
    pub(crate) is_reversed: bool,
}

impl SortOrder<'_> {
    /// Appends the key of a game: its values, so that bytes and games have one order.
    pub(crate) fn push_key(&self, filled: &FilledRow, key: &mut Vec<u8>) {
        let start = key.len();
        for column in self.columns {
            column.cell(filled, |cell| push(key, cell, self.is_reversed));
        }
        key.truncate(start + KEY);
    }
}

/// Byte strings with keys. Memory use does not depend on their number.
#[derive(Default)]
pub(crate) struct SortedSpill {
    sorter: Sorter,
    spill: Spill,
    count: u64,
    /// Start of the current byte string.
    start: u64,
    /// The first keys so far, if the caller reads only a few byte strings.
    first: BinaryHeap<Vec<u8>>,
}

impl SortedSpill {
    /// Adds a byte string, of which the caller reads only the first `limit`. Skips it if enough
    /// others precede it.
    pub(crate) fn push_first(&mut self, limit: u64, key: &[u8], bytes: &[u8]) -> io::Result<()> {
        // Without columns, the order of the calls counts.
        if key.is_empty() && self.count >= limit {
            return Ok(());
        }
        if limit <= FIRST {
            let is_full = self.first.len() as u64 == limit;
            if is_full && self.first.peek().is_none_or(|last| &**last <= key) {
                return Ok(());
            }
            if is_full {
                self.first.pop();
            }
            self.first.push(key.to_vec());
        }
        self.write(bytes)?;
        self.end(key.to_vec())
    }

    /// Adds bytes to the current byte string.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.spill.write_all(bytes)
    }

    /// Ends the current byte string. Skips it if it is empty.
    pub(crate) fn end(&mut self, mut key: Vec<u8>) -> io::Result<()> {
        let (start, end) = (self.start, self.spill.len());
        if end == start {
            return Ok(());
        }
        for number in [self.count, start, end - start] {
            key.extend_from_slice(&number.to_be_bytes());
        }
        self.count += 1;
        self.start = end;
        self.sorter.push(key)
    }

    /// Returns a reader of the byte strings. Equal keys keep their order.
    pub(crate) fn sorted(mut self) -> io::Result<SortedStrings> {
        Ok(SortedStrings {
            sorted: self.sorter.sorted()?,
            spill: self.spill,
        })
    }
}

/// Reader of sorted byte strings.
pub(crate) struct SortedStrings {
    sorted: Sorted,
    spill: Spill,
}

impl SortedStrings {
    /// Writes the next byte string to `out`. Returns false at the end.
    pub(crate) fn copy_next(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        let Some(record) = self.sorted.next()? else {
            return Ok(false);
        };
        let place = &record[record.len() - PLACE..];
        let number =
            |at: usize| u64::from_be_bytes(place[at..at + 8].try_into().expect("eight bytes"));
        self.spill.copy(number(8), number(16), out)?;
        Ok(true)
    }
}

/// Appends a value so that the byte order is the order of values and no value is a prefix of
/// another.
fn push(record: &mut Vec<u8>, cell: Cell<'_>, is_reversed: bool) {
    const SIGN: u64 = 1 << 63;
    let start = record.len();
    // Missing values come last in both directions.
    record.push(u8::from(cell == Cell::Null));
    let start = start + 1;
    match cell {
        Cell::Null => {}
        Cell::Int(number) => record.extend_from_slice(&(number as u64 ^ SIGN).to_be_bytes()),
        Cell::Float(number) => {
            // -0 equals 0.
            let bits = (number + 0.0).to_bits();
            let bits = if bits & SIGN == 0 { bits | SIGN } else { !bits };
            record.extend_from_slice(&bits.to_be_bytes());
        }
        Cell::Bool(value) => record.push(value.into()),
        cell => {
            // Dates sort as text. A byte 0 inside a text is followed by 255; two zeros end the
            // text.
            for byte in cell.to_string().bytes().take(KEY) {
                record.push(byte);
                if byte == 0 {
                    record.push(255);
                }
            }
            record.extend_from_slice(&[0, 0]);
        }
    }
    if is_reversed {
        record[start..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_bytes_is_that_of_values() {
        let key = |cell, is_reversed| {
            let mut record = Vec::new();
            push(&mut record, cell, is_reversed);
            record
        };
        for cells in [
            vec![
                Cell::Int(i64::MIN),
                Cell::Int(-1),
                Cell::Int(0),
                Cell::Int(7),
                Cell::Int(i64::MAX),
            ],
            vec![
                Cell::Float(-1e9),
                Cell::Float(-0.5),
                Cell::Float(0.0),
                Cell::Float(6.5),
                Cell::Float(1e300),
            ],
            vec![
                Cell::Text(""),
                Cell::Text("\0"),
                Cell::Text("\0a"),
                Cell::Text("a"),
                Cell::Text("a\0"),
                Cell::Text("ab"),
            ],
            vec![Cell::Bool(false), Cell::Bool(true)],
        ] {
            for pair in cells.windows(2) {
                assert!(key(pair[0], false) < key(pair[1], false), "{pair:?}");
                assert!(key(pair[0], true) > key(pair[1], true), "{pair:?}");
                assert!(
                    key(pair[1], false) < key(Cell::Null, false)
                        && key(pair[1], true) < key(Cell::Null, true)
                );
            }
        }
        assert_eq!(key(Cell::Float(0.0), false), key(Cell::Float(-0.0), false));
    }
}
