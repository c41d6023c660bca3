//! `sgfq freq`: counts the values of a column.

use std::io::Write;

use clap::Args;

use sgfstream_explore::{SumSorter, Sums};
use sgfstream_table::row::{Cell, ColumnType};

use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::threads::{self, OutputTiming, Pool, SUM};
use crate::io::output::Output;
use crate::io::temp_file::{Sorter, TempFile};
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::rows::RowWriter;
use crate::report::terminal::clean;

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

impl Freq {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let format = self.io.destination.format(self.format, Format::ROWS)?;
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
            |filled, counts: &mut Sums<[u64; 1]>| {
                // A key is a 1 and the value. Games without a value have an empty key, which sorts
                // before equal counts.
                let value = column.cell(filled, |cell| match cell {
                    Cell::Null => Vec::new(),
                    cell => format!("\u{1}{cell}").into_bytes(),
                });
                counts.add(&value, &[1]);
            },
        );
        let mut counts = SumSorter::<_, TempFile>::default();
        let exit = self.io.read(OutputTiming::AtEnd, SUM, &job, |result| {
            Ok(counts.add(std::mem::take(&mut result.output))?)
        })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        let (mut counts, mut ranked) = (counts.sorted()?, Sorter::default());
        while let Some((value, [games])) = counts.next()? {
            ranked.push(([u64::MAX - games], value))?;
        }
        let is_shown = self.io.is_shown(out);
        self.io.with(out, |out| {
            let writer = RowWriter::new(format, [&*column.name, "games"], is_shown);
            if format != Format::Table {
                out.write_all(&writer.head())?;
            }
            let (mut sorted, mut line) = (ranked.sorted()?, Vec::new());
            let (mut left, mut width) = (self.top.unwrap_or(u64::MAX), 0);
            while left > 0
                && let Some(([games], value)) = sorted.next()?
            {
                left -= 1;
                line.clear();
                let games = u64::MAX - games;
                let value = value.get(1..).map(String::from_utf8_lossy);
                if format == Format::Table {
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
