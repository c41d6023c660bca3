//! `sgfq get`: columns of each game.

use std::io::{self, Write};

use clap::Args;

use crate::adapt::row::{Cell, Column, ColumnSet, GameRow};

use super::destination::Destination;
use super::exit::Exit;
use super::games::Then;
use super::input::Inputs;
use super::output::Output;
use super::terminal::clean;
use super::where_games::Where;

/// Print columns of each game.
///
/// COLUMNS are names with commas between, such as `pb,pw,re`; `--columns` lists them all.
#[derive(Debug, Args)]
pub(super) struct Get {
    /// Names with commas between, or `all`.
    #[arg(value_name = "COLUMNS", required_unless_present = "columns")]
    wanted: Option<String>,

    /// List the columns: name, type, what they say.
    #[arg(long)]
    columns: bool,

    /// How to print.
    #[arg(short = 'f', long, value_parser = ["table", "csv", "jsonl"], default_value = "table")]
    format: String,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

impl Get {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        if self.columns {
            return list(out);
        }
        let columns = parse_columns(self.wanted.as_deref().unwrap_or_default())?;
        let chooser = self.choice.parse()?;
        let is_terminal = out.is_terminal() && self.destination.is_stdout();
        let mut rows = 0u64;
        let exit = self.destination.with(out, |out| {
            let mut printer = Printer::new(&self.format, &columns, out, is_terminal)?;
            let builder = chooser.builder(ColumnSet::of(columns.iter().copied()));
            let exit = self.inputs.games(self.inputs.how.options(), builder, |game| {
                if chooser.chooses(game)? {
                    printer.row(game.finish()?)?;
                    rows += 1;
                }
                Ok(Then::Go)
            })?;
            printer.finish()?;
            Ok(exit)
        })?;
        Ok(if rows > 0 { exit } else { exit.or(Exit::Found) })
    }
}

fn list(out: &mut Output) -> anyhow::Result<Exit> {
    for column in Column::all() {
        let unit = column.unit;
        writeln!(out, "{:15} {:6} {}{unit}", column.name, column.column_type, column.description)?;
    }
    Ok(Exit::Done)
}

/// The columns that a person named.
pub(super) fn parse_columns(names: &str) -> anyhow::Result<Vec<&'static Column>> {
    if names == "all" {
        return Ok(Column::all().iter().collect());
    }
    names.split(',').map(|name| parse_column(name.trim())).collect()
}

/// The column of this name, or the name that may have been meant.
pub(super) fn parse_column(name: &str) -> anyhow::Result<&'static Column> {
    let near = |name: &str| {
        let distances =
            Column::all().iter().map(|column| (strsim::damerau_levenshtein(column.name, name), column.name));
        distances.min().filter(|(distance, near)| distance * 3 <= near.len().max(name.len())).map(|(_, near)| near)
    };
    Column::find(name).ok_or_else(|| match near(&name.to_lowercase()) {
        Some(near) => anyhow::anyhow!("expected a column, found `{name}`; did you mean `{near}`?"),
        None => anyhow::anyhow!("expected a column, found `{name}`; `sgfq get --columns` lists them"),
    })
}

/// Rows a table looks at before it settles the widths of its columns.
const LOOKED_AT: usize = 200;

/// A cell of a table is cut there.
const WIDEST: usize = 40;

enum Printer<'p> {
    Table {
        columns: &'p [&'static Column],
        out: &'p mut dyn Write,
        waiting: Vec<Vec<String>>,
        widths: Option<Vec<usize>>,
        cut: bool,
    },
    Csv {
        columns: &'p [&'static Column],
        writer: Box<csv::Writer<&'p mut dyn Write>>,
    },
    Jsonl {
        columns: &'p [&'static Column],
        out: &'p mut dyn Write,
    },
}

impl<'p> Printer<'p> {
    fn new(
        format: &str,
        columns: &'p [&'static Column],
        out: &'p mut dyn Write,
        is_terminal: bool,
    ) -> anyhow::Result<Self> {
        Ok(match format {
            "csv" => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(columns.iter().map(|column| column.name))?;
                Self::Csv { columns, writer: Box::new(writer) }
            }
            "jsonl" => Self::Jsonl { columns, out },
            _ => {
                let names = columns.iter().map(|column| column.name.to_owned()).collect();
                Self::Table { columns, out, waiting: vec![names], widths: None, cut: is_terminal }
            }
        })
    }

    fn row(&mut self, row: &GameRow) -> anyhow::Result<()> {
        match self {
            Self::Csv { columns, writer } => {
                let cells = columns.iter().map(|column| column.get(row).to_string());
                writer.write_record(cells).map_err(as_io)?;
            }
            Self::Jsonl { columns, out } => {
                let pairs = columns.iter().map(|column| (column.name.to_owned(), json(column.get(row))));
                let object: serde_json::Map<String, serde_json::Value> = pairs.collect();
                serde_json::to_writer(&mut **out, &object).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
            Self::Table { columns, waiting, widths, .. } => {
                waiting.push(columns.iter().map(|column| clean(&column.get(row).to_string()).into_owned()).collect());
                if widths.is_some() || waiting.len() > LOOKED_AT {
                    self.print_waiting()?;
                }
            }
        }
        Ok(())
    }

    fn print_waiting(&mut self) -> anyhow::Result<()> {
        let Self::Table { columns, out, waiting, widths, cut } = self else { return Ok(()) };
        let widest = if *cut { WIDEST } else { usize::MAX };
        let widths = widths.get_or_insert_with(|| {
            let width = |at: usize| waiting.iter().map(|row| row[at].chars().count().min(widest)).max().unwrap_or(0);
            (0..columns.len()).map(width).collect()
        });
        for row in waiting.drain(..) {
            let mut line = String::new();
            for (at, (cell, &width)) in row.iter().zip(widths.iter()).enumerate() {
                let len = cell.chars().count();
                if len > width && *cut {
                    line.extend(cell.chars().take(width.saturating_sub(1)));
                    line.push('…');
                } else if columns[at].column_type.is_number() {
                    line.extend(std::iter::repeat_n(' ', width.saturating_sub(len)));
                    line.push_str(cell);
                } else {
                    line.push_str(cell);
                    line.extend(std::iter::repeat_n(' ', width.saturating_sub(len)));
                }
                if at + 1 < row.len() {
                    line.push_str("  ");
                }
            }
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.print_waiting()?;
        if let Self::Csv { writer, .. } = &mut self {
            writer.flush()?;
        }
        Ok(())
    }
}

/// A failure of CSV as the failure to write that it is.
fn as_io(err: csv::Error) -> anyhow::Error {
    match err.into_kind() {
        csv::ErrorKind::Io(err) => err.into(),
        kind => anyhow::anyhow!("{kind:?}"),
    }
}

/// A cell as JSON has it.
pub(super) fn json(cell: Cell<'_>) -> serde_json::Value {
    match cell {
        Cell::Null => serde_json::Value::Null,
        Cell::Text(text) => text.into(),
        Cell::Int(number) => number.into(),
        Cell::Float(number) => number.into(),
        Cell::Bool(value) => value.into(),
        date @ Cell::Date(_) => date.to_string().into(),
    }
}
