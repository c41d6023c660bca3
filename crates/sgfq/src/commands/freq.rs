//! `sgfq freq`: counts the values of a column.

use std::collections::HashMap;
use std::io::{self, Write};

use clap::Args;

use sgfstream_table::row::{Cell, ColumnType};

use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::threads::{self, Pool, SUM};
use crate::io::output::Output;
use crate::io::temp_file::Sorter;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::rows::{RowFormat, RowWriter};
use crate::report::terminal::clean;

/// Bytes of values that are counted in memory before they are sorted.
const HELD: usize = 4 << 20;

/// Bytes of memory that a value takes in addition to its own.
const OVERHEAD: usize = 64;

/// Bytes of a count after a value. They begin with a zero, which no text contains, so values with
/// counts sort like the values alone.
const COUNT: usize = 8;

/// Count the values of a column, the most frequent first.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq freq pb --top 20 games/\n\
\x20 sgfq freq re --where \"gm = 1 AND moves > 10\" games/")]
pub(crate) struct Freq {
    /// The column to count.
    #[arg(value_name = "COLUMN", value_parser = columns(), hide_possible_values = true)]
    column: String,

    /// Print only the N most frequent values.
    #[arg(long, short_alias = 'n', value_name = "N")]
    top: Option<u64>,

    /// Output format; the extension of the output file selects it, too [default: table].
    #[arg(short = 'f', long, value_parser = Format::one_of(Format::ROWS))]
    format: Option<Format>,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Values with their numbers of games.
#[derive(Default)]
struct Counts {
    /// Counts by value. A key is a 1 and the value; games without a value have an empty key, which
    /// sorts before equal counts.
    counts: HashMap<Vec<u8>, u64>,
    bytes: usize,
}

impl threads::Output for Counts {
    fn is_full(&self) -> bool {
        self.bytes > HELD / 8
    }
}

impl Counts {
    fn add(&mut self, value: Vec<u8>, games: u64) {
        if let Some(count) = self.counts.get_mut(&value) {
            *count += games;
            return;
        }
        self.bytes += value.len() + OVERHEAD;
        self.counts.insert(value, games);
    }

    /// Moves all counts to a sorter.
    fn spill(&mut self, sorter: &mut Sorter) -> io::Result<()> {
        for (mut value, games) in std::mem::take(&mut self.counts) {
            value.extend_from_slice(&games.to_be_bytes());
            sorter.push(value)?;
        }
        self.bytes = 0;
        Ok(())
    }
}

/// Sums the counts of each value, and returns them with the largest first.
fn ranked(counts: &mut Sorter) -> io::Result<Sorter> {
    let mut ranked = Sorter::default();
    let mut end = |value: &[u8], games: u64| match games {
        0 => Ok(()),
        games => ranked.push([&(u64::MAX - games).to_be_bytes()[..], value].concat()),
    };
    let (mut sorted, mut value, mut games) = (counts.sorted()?, Vec::new(), 0);
    while let Some(string) = sorted.next()? {
        let (next, count) = string.split_at(string.len() - COUNT);
        if next != value {
            end(&value, std::mem::take(&mut games))?;
            value = next.to_vec();
        }
        games += u64::from_be_bytes(count.try_into().expect("eight bytes"));
    }
    end(&value, games)?;
    Ok(ranked)
}

impl Freq {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.row_format(self.format)?;
        let chooser = self.io.choice.parse()?;
        let is_seat = ["player", "opponent"]
            .iter()
            .any(|name| self.column.eq_ignore_ascii_case(name));
        anyhow::ensure!(
            !is_seat,
            "unknown column `{}`; `sgfq players` counts the games of players",
            self.column
        );
        let selection = chooser.select_one(&self.column)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let column = &selection.columns()[0];
        let job = threads::each_row(
            &chooser,
            || selection.row().with_final_numbers(),
            |filled, counts: &mut Counts| {
                let value = column.cell(filled, |cell| match cell {
                    Cell::Null => Vec::new(),
                    cell => format!("\u{1}{cell}").into_bytes(),
                });
                counts.add(value, 1);
            },
        );
        let (mut all, mut sorter) = (Counts::default(), Sorter::default());
        let exit = self.io.sum(SUM, &job, |result| {
            for (value, games) in std::mem::take(&mut result.output.counts) {
                all.add(value, games);
            }
            if all.bytes > HELD {
                all.spill(&mut sorter)?;
            }
            Ok(())
        })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        all.spill(&mut sorter)?;
        let mut ranked = ranked(&mut sorter)?;
        let is_shown = self.io.is_shown(out);
        self.io.with(out, |out| {
            let writer = RowWriter::new(format, [&*column.name, "games"], is_shown);
            if format != RowFormat::Table {
                out.write_all(&writer.head())?;
            }
            let (mut sorted, mut line) = (ranked.sorted()?, Vec::new());
            let (mut left, mut width) = (self.top.unwrap_or(u64::MAX), 0);
            while left > 0
                && let Some(string) = sorted.next()?
            {
                left -= 1;
                line.clear();
                let (games, value) = string.split_at(COUNT);
                let games = u64::MAX - u64::from_be_bytes(games.try_into().expect("eight bytes"));
                let value = value.get(1..).map(String::from_utf8_lossy);
                if format == RowFormat::Table {
                    width = width.max(games.to_string().len());
                    writeln!(
                        line,
                        "{games:width$}  {}",
                        clean(value.as_deref().unwrap_or("(none)"))
                    )?;
                } else {
                    let cell = value
                        .as_deref()
                        .map_or(Cell::Null, |text| typed(text, column.column_type));
                    writer.row([cell, Cell::Int(games as i64)], &mut line);
                }
                out.write_all(&line)?;
            }
            Ok(())
        })?;
        Ok(chooser.or_none(&self.io.inputs, exit))
    }
}

/// Returns the value of a column from its text.
fn typed(text: &str, column_type: ColumnType) -> Cell<'_> {
    let number = match column_type {
        ColumnType::Int => text.parse().map(Cell::Int).ok(),
        ColumnType::Float => text.parse().map(Cell::Float).ok(),
        ColumnType::Bool => text.parse().map(Cell::Bool).ok(),
        ColumnType::Text | ColumnType::Date => None,
    };
    number.unwrap_or(Cell::Text(text))
}
