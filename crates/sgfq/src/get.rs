//! `sgfq get`: columns of each game.

use std::io::{self, Read, Write};

use clap::Args;

use sgfstream_table::row::{Cell, Column, ColumnSet, GameRow, RowBuilder};

use super::destination::Destination;
use super::exit::Exit;
use super::games::{Then, games_of};
use super::input::{How, Inputs};
use super::output::Output;
use super::schedule::{self, AnswerPool, At, Entries, Flush, Games, Job, ReadBytes};
use super::terminal::clean;
use super::where_games::{Chooser, Where};

/// Print columns of each game.
///
/// COLUMNS are names separated by commas, such as `pb,pw,re`; `--columns` lists them.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq get pb,pw,re games/\n\
\x20 sgfq get all -f csv archive.tar.gz > games.csv")]
pub(super) struct Get {
    /// Names separated by commas, or `all`.
    #[arg(value_name = "COLUMNS", required_unless_present = "columns")]
    wanted: Option<String>,

    /// List the columns with type and description.
    #[arg(long)]
    columns: bool,

    /// Output format.
    #[arg(short = 'f', long, value_parser = ["table", "csv", "jsonl"], default_value = "table")]
    format: String,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    pool: AnswerPool,

    #[command(flatten)]
    inputs: Inputs,
}

impl Get {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        if self.columns {
            return list(out);
        }
        let columns = parse_columns(self.wanted.as_deref().unwrap_or_default())?;
        let form = match &*self.format {
            "csv" => Form::Csv,
            "jsonl" => Form::Jsonl,
            _ => Form::Table,
        };
        let job = Getting { how: &self.inputs.how, chooser: self.choice.parse()?, columns: &columns, form };
        let is_terminal = out.is_terminal() && self.destination.is_stdout();
        let mut table = Table { columns: &columns, waiting: Vec::new(), widths: None, cut: is_terminal };
        let mut games = 0u64;
        let exit = self.destination.with(out, |out| {
            let names = columns.iter().map(|column| column.name.to_owned());
            match form {
                Form::Table => table.row(names.collect(), out)?,
                Form::Csv => out.write_all(&csv_line(names)?)?,
                Form::Jsonl => {}
            }
            let exit = schedule::answer(&self.pool, &self.inputs, is_terminal, &job, |unit| {
                let Some(got) = unit.acc.take() else { return Ok(()) };
                games += got.games;
                out.write_all(&got.lines)?;
                got.rows.into_iter().try_for_each(|row| table.row(row, out))
            })?;
            table.print_waiting(out)?;
            Ok(exit)
        })?;
        Ok(if games > 0 { exit } else { exit.or(Exit::Found) })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Csv,
    Jsonl,
}

/// Gets columns of the games of a unit.
struct Getting<'g> {
    how: &'g How,
    chooser: Chooser,
    columns: &'g [&'static Column],
    form: Form,
}

/// What a unit comes to: lines, or the rows of a table.
#[derive(Default)]
struct Got {
    lines: Vec<u8>,
    rows: Vec<Vec<String>>,
    games: u64,
    /// About how much memory they take.
    bytes: usize,
}

/// Bytes that a worker holds before it hands them out.
const FULL: usize = 1 << 20;

impl Job for Getting<'_> {
    type Acc = Got;

    fn begin(&self) -> Got {
        Got::default()
    }

    fn bytes(&self) -> Option<&dyn ReadBytes<Got>> {
        Some(self)
    }
}

impl ReadBytes<Got> for Getting<'_> {
    fn worker(&self) -> Box<dyn Entries<Got> + '_> {
        let builder = self.chooser.builder(ColumnSet::of(self.columns.iter().copied()));
        Box::new(Worker { job: self, builder })
    }
}

/// Gets columns of one entry after another.
struct Worker<'g> {
    job: &'g Getting<'g>,
    builder: RowBuilder,
}

impl Entries<Got> for Worker<'_> {
    fn read(
        &mut self,
        got: &mut Got,
        at: &At<'_>,
        read: &mut dyn Read,
        flush: &mut Flush<'_, Got>,
    ) -> anyhow::Result<Games> {
        let job = self.job;
        let mut games = 0;
        let (_, is_found) = job.how.open(at.name, at.game, read, |opened| {
            games_of(opened, job.how.options(), &mut self.builder, &mut |game| {
                games += 1;
                if job.chooser.chooses(game)? {
                    job.add(game.finish()?, got)?;
                    if got.bytes > FULL && !flush(std::mem::take(got)) {
                        return Ok(Then::Stop);
                    }
                }
                Ok(Then::Go)
            })
        })?;
        Ok(Games { games, is_found })
    }
}

impl Getting<'_> {
    fn add(&self, row: &GameRow, got: &mut Got) -> anyhow::Result<()> {
        let before = got.lines.len();
        match self.form {
            Form::Csv => {
                got.lines.extend(csv_line(self.columns.iter().map(|column| column.get(row).to_string()))?);
            }
            Form::Jsonl => {
                let pairs = self.columns.iter().map(|column| (column.name.to_owned(), json(column.get(row))));
                let object: serde_json::Map<String, serde_json::Value> = pairs.collect();
                serde_json::to_writer(&mut got.lines, &object).map_err(io::Error::from)?;
                got.lines.push(b'\n');
            }
            Form::Table => {
                let cells = self.columns.iter().map(|column| clean(&column.get(row).to_string()).into_owned());
                let cells: Vec<String> = cells.collect();
                got.bytes += cells.iter().map(|cell| cell.len() + 24).sum::<usize>();
                got.rows.push(cells);
            }
        }
        got.bytes += got.lines.len() - before;
        got.games += 1;
        Ok(())
    }
}

/// A line of CSV.
fn csv_line(cells: impl Iterator<Item = String>) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().buffer_capacity(256).from_writer(Vec::new());
    writer.write_record(cells)?;
    writer.into_inner().map_err(|err| anyhow::anyhow!("{err}"))
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
    Column::find(name).ok_or_else(|| match Column::nearest(name) {
        Some(near) => anyhow::anyhow!("expected a column, found `{name}`; did you mean `{near}`?"),
        None => anyhow::anyhow!("expected a column, found `{name}`; `sgfq get --columns` lists them"),
    })
}

/// Rows a table looks at before it settles the widths of its columns.
const LOOKED_AT: usize = 200;

/// A cell of a table is cut there.
const WIDEST: usize = 40;

/// Rows with the cells of a column below each other.
struct Table<'t> {
    columns: &'t [&'static Column],
    waiting: Vec<Vec<String>>,
    widths: Option<Vec<usize>>,
    cut: bool,
}

impl Table<'_> {
    fn row(&mut self, cells: Vec<String>, out: &mut dyn Write) -> anyhow::Result<()> {
        self.waiting.push(cells);
        if self.widths.is_some() || self.waiting.len() > LOOKED_AT {
            self.print_waiting(out)?;
        }
        Ok(())
    }

    fn print_waiting(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Self { columns, waiting, widths, cut } = self;
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
