//! Byte strings in temporary files that are read back in the order of their keys, and the keys of
//! columns.

use std::collections::BinaryHeap;
use std::io::{self, Write};

use sgfstream_table::filter::SelectedColumn;
use sgfstream_table::row::FilledRow;

use crate::io::spill::Spill;
use crate::io::temp_file::{Sorted, Sorter};

/// Maximum bytes of a key.
const KEY: usize = 4096;

/// Maximum number of first byte strings whose keys are in memory.
const FIRST: u64 = 1000;

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
            column.cell(filled, |cell| cell.push_key(self.is_reversed, key));
        }
        key.truncate(start + KEY);
    }
}

/// Byte strings with keys. Memory use does not depend on their number.
#[derive(Default)]
pub(crate) struct SortedSpill {
    /// Key, number, start and length of each byte string.
    sorter: Sorter<(Vec<u8>, [u64; 3])>,
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
    pub(crate) fn end(&mut self, key: Vec<u8>) -> io::Result<()> {
        let (start, end) = (self.start, self.spill.len());
        if end == start {
            return Ok(());
        }
        self.sorter.push((key, [self.count, start, end - start]))?;
        self.count += 1;
        self.start = end;
        Ok(())
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
    sorted: Sorted<(Vec<u8>, [u64; 3])>,
    spill: Spill,
}

impl SortedStrings {
    /// Writes the next byte string to `out`. Returns false at the end.
    pub(crate) fn copy_next(&mut self, out: &mut dyn Write) -> io::Result<bool> {
        let Some((_, [_, start, len])) = self.sorted.next()? else {
            return Ok(false);
        };
        self.spill.copy(start, len, out)?;
        Ok(true)
    }
}
