//! `sgfq freq`: how often each value of a column occurs.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use sgfstream_table::row::Cell;

use crate::args::io::Io;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::rows::{RowFormat, RowWriter};
use crate::report::terminal::{self, clean};

/// The bytes of values that are counted separately.
const MEMORY: usize = 12 << 20;

/// Count the values of a column, the most frequent first.
///
/// Counts are exact up to 12 MiB of different values; further values are counted together, and the output says so.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq freq pb --top 20 games/\n\
\x20 sgfq freq re --where \"gm = 1 AND moves > 10\" games/")]
pub(crate) struct Freq {
    /// The column to count.
    #[arg(value_name = "COLUMN")]
    column: String,

    /// Print only the N most frequent values.
    #[arg(long, short_alias = 'n', value_name = "N")]
    top: Option<usize>,

    /// Output format.
    #[arg(short = 'f', long, value_parser = ["table", "csv", "jsonl"], default_value = "table")]
    format: String,

    #[command(flatten)]
    io: Io,
}

/// Values and how many games have them.
#[derive(Default)]
struct Counts {
    counts: HashMap<Option<String>, u64>,
    bytes: usize,
    others: u64,
}

impl Counts {
    fn add(&mut self, value: Option<String>) {
        if let Some(count) = self.counts.get_mut(&value) {
            *count += 1;
            return;
        }
        let bytes = value.as_ref().map_or(0, String::len) + 64;
        if self.bytes + bytes > MEMORY {
            self.others += 1;
            return;
        }
        self.bytes += bytes;
        self.counts.insert(value, 1);
    }
}

impl Freq {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let chooser = self.io.choice.parse()?;
        let is_seat = ["player", "opponent"].iter().any(|name| self.column.eq_ignore_ascii_case(name));
        anyhow::ensure!(
            !is_seat,
            "expected a column, found `{}`; `sgfq players` counts the games of players",
            self.column
        );
        let selection = chooser.select_one(&self.column)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let column = &selection.columns()[0];
        let mut counts = Counts::default();
        let (format, is_shown) = (RowFormat::of(&self.format), self.io.is_shown(out));
        self.io.with(out, |out| {
            let exit = self.io.games(&chooser, selection.builder(), |game| {
                counts.add(column.cell(game.finish()?, |cell| match cell {
                    Cell::Null => None,
                    cell => Some(cell.to_string()),
                }));
                Ok(ControlFlow::Continue(()))
            })?;
            let mut values: Vec<(Option<String>, u64)> = counts.counts.into_iter().collect();
            values.sort_unstable_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
            values.truncate(self.top.unwrap_or(usize::MAX));
            let writer = RowWriter::new(format, [&*column.name, "games"], is_shown);
            if format != RowFormat::Table {
                out.write_all(&writer.head())?;
            }
            let width = values.first().map_or(0, |(_, count)| count.to_string().len());
            let mut line = Vec::new();
            for (value, count) in &values {
                line.clear();
                if format == RowFormat::Table {
                    writeln!(line, "{count:width$}  {}", clean(value.as_deref().unwrap_or("(none)")))?;
                } else {
                    let cell = value.as_deref().map_or(Cell::Null, Cell::Text);
                    writer.row([cell, Cell::Int(*count as i64)], &mut line);
                }
                out.write_all(&line)?;
            }
            if counts.others > 0 {
                terminal::say(&format!(
                    "sgfq: {} games have further values, which are not counted separately",
                    counts.others
                ));
            }
            Ok(if counts.others > 0 { exit.or(Exit::Found) } else { exit })
        })
    }
}
