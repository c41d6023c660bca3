//! `sgfq sort`: sorts games by columns or expressions.

use std::io::Write;

use clap::Args;

use sgfstream::parallel::PartReader;
use sgfstream_table::row::{Cell, RowReader};

use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::io::spill::Spill;
use crate::io::temp_file::Sorter;
use crate::report::exit::Exit;

/// Sort games by columns or expressions.
///
/// Numbers and dates sort by value, text by character. Games without a value come last. Games with equal values keep their
/// order. `sort` compares only the first 4 KiB of a game's values. It keeps games in a temporary file, so memory use does
/// not depend on their number. It leaves out text between games.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq sort date_min,pb games/ -o sorted.sgf\n\
\x20 sgfq sort --reverse moves games/ | sgfq head -n 3")]
pub(crate) struct Sort {
    /// Columns and expressions, separated by commas; `sgfq get --list` lists the columns.
    #[arg(value_name = "COLUMNS", value_parser = columns(), hide_possible_values = true)]
    columns: String,

    /// Sort in descending order; games without a value still come last.
    #[arg(long)]
    reverse: bool,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Maximum bytes of a game's values that are compared.
const KEY: usize = 4096;

/// Bytes after the values: the number of the game, and the range of its bytes.
const PLACE: usize = 24;

impl Sort {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.choice.parse()?;
        let selection = chooser.select(&self.columns)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let (mut sorter, mut spill) = (Sorter::default(), Spill::default());
        let mut games = 0u64;
        // The record of the last game, and where its bytes begin.
        let (mut last, mut start) = (Vec::new(), 0);
        let mut end_game = |sorter: &mut Sorter, mut record: Vec<u8>, start: u64, end: u64| {
            if end > start {
                [games, start, end - start].iter().for_each(|number| record.extend_from_slice(&number.to_be_bytes()));
                sorter.push(record)?;
                games += 1;
            }
            anyhow::Ok(())
        };
        let note = |rows: &RowReader<'_, PartReader<'_>>| {
            let mut record = Vec::new();
            for column in selection.columns() {
                column.cell(rows.filled(), |cell| push(&mut record, cell, self.reverse));
            }
            record.truncate(KEY);
            record
        };
        self.io.with(out, |out| {
            let (pool, row) = (&self.io.pool, || selection.row().with_final_numbers());
            let exit = self.io.inputs.each_game_bytes(pool, &chooser, row, note, |record, bytes| {
                if let Some((record, _)) = record {
                    end_game(&mut sorter, std::mem::replace(&mut last, record), start, spill.len())?;
                    start = spill.len();
                }
                Ok(spill.write_all(bytes)?)
            })?;
            let exit = chooser.or_none(&self.io.inputs, exit);
            end_game(&mut sorter, last, start, spill.len())?;
            let mut sorted = sorter.sorted()?;
            while let Some(record) = sorted.next()? {
                let place = &record[record.len() - PLACE..];
                let number = |at: usize| u64::from_be_bytes(place[at..at + 8].try_into().expect("eight bytes"));
                spill.copy(number(8), number(16), out)?;
            }
            Ok(exit)
        })
    }
}

/// Appends a value so that the byte order is the order of values and no value is a prefix of another.
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
            // Dates sort as text. A byte 0 inside a text is followed by 255; two zeros end the text.
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
            vec![Cell::Int(i64::MIN), Cell::Int(-1), Cell::Int(0), Cell::Int(7), Cell::Int(i64::MAX)],
            vec![Cell::Float(-1e9), Cell::Float(-0.5), Cell::Float(0.0), Cell::Float(6.5), Cell::Float(1e300)],
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
                assert!(key(pair[1], false) < key(Cell::Null, false) && key(pair[1], true) < key(Cell::Null, true));
            }
        }
        assert_eq!(key(Cell::Float(0.0), false), key(Cell::Float(-0.0), false));
    }
}
