//! `sgfq freq`: how often each value of a column occurs.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;

use sgfstream_table::row::Cell;

use crate::args::io::Io;
use crate::io::output::Output;
use crate::report::csv::CsvCells;
use crate::report::exit::Exit;
use crate::report::json;
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
        let selection = chooser.select_one(&self.column)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let column = &selection.columns()[0];
        let mut counts = Counts::default();
        let cells = CsvCells::new(self.io.is_shown(out));
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
            print(&self.format, &column.name, &values, &cells, out)?;
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

fn print(
    format: &str,
    column: &str,
    values: &[(Option<String>, u64)],
    cells: &CsvCells,
    mut out: &mut dyn Write,
) -> anyhow::Result<()> {
    match format {
        "csv" => {
            let counts = values.iter().map(|(value, count)| (value.as_deref().unwrap_or_default(), count.to_string()));
            for (value, count) in std::iter::once((column, "games".to_owned())).chain(counts) {
                let mut line = Vec::new();
                cells.push(value, &mut line);
                out.write_all(&line)?;
                writeln!(out, ",{count}")?;
            }
        }
        "jsonl" => {
            for (value, count) in values {
                json::write(&mut out, &serde_json::json!({ column: value, "games": count }))?;
                writeln!(out)?;
            }
        }
        _ => {
            let width = values.first().map_or(0, |(_, count)| count.to_string().len());
            for (value, count) in values {
                writeln!(out, "{count:width$}  {}", clean(value.as_deref().unwrap_or("(none)")))?;
            }
        }
    }
    Ok(())
}
