//! `sgfq get`: columns of each game.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;

use clap::Args;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use sgfstream_engine::{Before, Out};
use sgfstream_game::Coordinates;
use sgfstream_table::filter::{Selected, Selection};
use sgfstream_table::games::Kept;
use sgfstream_table::row::{Cell, Column, RowBuilder};

use crate::args::coords::Coords;
use crate::args::io::Io;
use crate::args::threads::{self, ANSWER, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::csv::CsvCells;
use crate::report::exit::Exit;
use crate::report::json;
use crate::report::lines::Lines;
use crate::report::terminal::clean;

/// Print columns of each game.
///
/// COLUMNS are names separated by commas, such as `pb,pw,re`; `--columns` lists them. Whatever `--where` can ask about is a
/// column, too: `prop('KM')`, `has('C')`, `moves * 2`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq get pb,pw,re games/\n\
\x20 sgfq get all archive.zip -o games.csv.gz")]
pub(crate) struct Get {
    /// Columns separated by commas, or `all`.
    #[arg(value_name = "COLUMNS", required_unless_present = "columns")]
    wanted: Option<String>,

    /// List the columns with type and description.
    #[arg(long)]
    columns: bool,

    /// Output format; without it, what the name of the output file ends in, or `table`.
    #[arg(short = 'f', long, value_parser = FORMATS)]
    format: Option<String>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Get {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        if self.columns {
            return list(out);
        }
        let chooser = self.io.choice.parse()?;
        let wanted = self.wanted.as_deref().unwrap_or_default();
        let selection = chooser.select(wanted)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let coordinates = self.coords.or(Coordinates::Sgf);
        let format = self.format.as_deref().or_else(|| self.io.destination.format(&FORMATS)).unwrap_or("table");
        write_rows(Rows { chooser, selection, format, coordinates }, &self.io, out)
    }
}

/// The formats of rows.
const FORMATS: [&str; 4] = ["table", "csv", "tsv", "jsonl"];

/// Which columns of which games, and how they are written.
pub(crate) struct Rows<'r> {
    pub(crate) chooser: Chooser,
    pub(crate) selection: Selection,
    pub(crate) format: &'r str,
    pub(crate) coordinates: Coordinates,
}

/// Writes rows.
pub(crate) fn write_rows(rows: Rows<'_>, io: &Io<Pool>, out: &mut Output) -> anyhow::Result<Exit> {
    let Rows { chooser, selection, format, coordinates } = rows;
    let mut columns: Vec<&Selected> = selection.columns().iter().collect();
    let form = match format {
        "csv" | "tsv" => Form::Csv,
        "jsonl" => {
            // An object has each name once.
            let mut seen = HashSet::new();
            columns.retain(|column| seen.insert(&column.name));
            Form::Jsonl
        }
        _ => Form::Table,
    };
    let is_terminal = io.is_shown(out);
    let separator = if format == "tsv" { '\t' } else { ',' };
    let csv = CsvCells { is_terminal, separator, are_alone: columns.len() == 1 };
    let getting = Getting { columns: &columns, form, csv };
    let builder = || selection.builder().spelling(coordinates);
    let job = threads::each_game(&chooser, builder, Kept::Nothing, |game, part, lines: &mut Out<'_, Lines>| {
        getting.add(game.finish()?, part.is_start, lines);
        Ok(())
    });
    let mut table = Table { columns: &columns, waiting: String::new(), cells: 0, widths: None, cut: is_terminal };
    let mut games = 0u64;
    let exit = io.with(out, |out| {
        match form {
            Form::Table => {
                for column in &columns {
                    table.push(format!("{}\n", clean(&column.name)).as_bytes())?;
                }
                table.print_rows(out)?;
            }
            Form::Csv => {
                let mut head = Vec::new();
                for (at, column) in columns.iter().enumerate() {
                    getting.start_cell(at, &mut head);
                    getting.csv.push(&column.name, &mut head);
                }
                head.push(b'\n');
                out.write_all(&head)?;
            }
            Form::Jsonl => {}
        }
        let exit = io.answer(is_terminal, ANSWER.whole_if(selection.needs_whole_entries()), &job, |unit| {
            let Some(lines) = &unit.output else { return Ok(()) };
            games += lines.games;
            if form != Form::Table {
                return Ok(out.write_all(&lines.text)?);
            }
            table.push(&lines.text)?;
            table.print_rows(out)
        })?;
        table.print_waiting(out)?;
        Ok(exit)
    })?;
    Ok(io.inputs.or_none(exit, games > 0))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Table,
    Csv,
    Jsonl,
}

/// Gets columns of games.
struct Getting<'g> {
    columns: &'g [&'g Selected],
    form: Form,
    csv: CsvCells,
}

impl Getting<'_> {
    /// Adds a row of a part that begins the entry, or of another.
    fn add(&self, builder: &RowBuilder, is_start: bool, lines: &mut Lines) {
        let is_first = builder.row().game == Some(1);
        for (at, column) in self.columns.iter().enumerate() {
            let late: Option<fn(&Before) -> u64> = match column.name.as_str() {
                _ if is_start => None,
                "game" => Some(|before| before.games),
                "errors" if is_first => Some(|before| before.errors),
                "warnings" if is_first => Some(|before| before.warnings),
                _ => None,
            };
            column.cell(builder, |cell| {
                self.start_cell(at, &mut lines.text);
                let text = &mut lines.text;
                match (late, cell, self.form) {
                    (Some(before), Cell::Int(number), _) => lines.push_late(number, before),
                    (.., Form::Table) => text.extend_from_slice(clean(&cell_text(cell)).as_bytes()),
                    (.., Form::Csv) => self.csv.push(&cell_text(cell), text),
                    (.., Form::Jsonl) => json::write(text, &value(cell)).expect("writing to memory"),
                }
                if self.form == Form::Table {
                    lines.text.push(b'\n');
                }
            });
        }
        match self.form {
            Form::Table => {}
            Form::Csv => lines.text.push(b'\n'),
            Form::Jsonl => lines.text.extend_from_slice(b"}\n"),
        }
        lines.games += 1;
    }

    /// Writes what comes before the cell of a column; nothing in a table, whose cells are lines.
    fn start_cell(&self, at: usize, out: &mut Vec<u8>) {
        match self.form {
            Form::Csv if at > 0 => out.push(self.csv.separator as u8),
            Form::Jsonl if at > 0 => out.push(b','),
            _ => {}
        }
        if self.form == Form::Jsonl {
            if at == 0 {
                out.push(b'{');
            }
            json::write_text(out, &self.columns[at].name).expect("writing to memory");
            out.push(b':');
        }
    }
}

fn list(out: &mut Output) -> anyhow::Result<Exit> {
    for column in Column::all() {
        let unit = column.unit;
        writeln!(out, "{:15} {:6} {}{unit}", column.name, column.column_type, column.description)?;
    }
    Ok(Exit::Done)
}

/// Rows a table looks at before it settles the widths of its columns, and bytes of them.
const LOOKED_AT: usize = 200;
const LOOKED_AT_BYTES: usize = 1 << 20;

/// A cell of a table on a terminal is cut there.
const WIDEST: usize = 40;

/// Elsewhere no cell is cut, and none is made wider than this.
const PADDED: usize = 4096;

/// Rows with the cells of a column below each other.
struct Table<'t> {
    columns: &'t [&'t Selected],
    /// Cells, row after row, each with a newline.
    waiting: String,
    cells: usize,
    widths: Option<Vec<usize>>,
    cut: bool,
}

impl Table<'_> {
    fn push(&mut self, cells: &[u8]) -> anyhow::Result<()> {
        self.waiting.push_str(std::str::from_utf8(cells)?);
        self.cells += memchr::memchr_iter(b'\n', cells).count();
        Ok(())
    }

    /// Prints the rows that wait, once the widths are settled.
    fn print_rows(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let is_settled = self.widths.is_some()
            || self.cells > LOOKED_AT * self.columns.len()
            || self.waiting.len() - self.cells > LOOKED_AT_BYTES;
        if is_settled { self.print_waiting(out) } else { Ok(()) }
    }

    fn print_waiting(&mut self, out: &mut dyn Write) -> anyhow::Result<()> {
        let Self { columns, waiting, cells, widths, cut } = self;
        let widths = widths.get_or_insert_with(|| {
            let widest = if *cut { WIDEST } else { PADDED };
            let mut widths = vec![0; columns.len()];
            // As many rows as settle them, however many more there are.
            let mut bytes = 0;
            for (at, cell) in waiting.lines().take((LOOKED_AT + 1) * columns.len()).enumerate() {
                let at = at % columns.len();
                if at == 0 && bytes > LOOKED_AT_BYTES {
                    break;
                }
                bytes += cell.len();
                widths[at] = width_of(cell).min(widest).max(widths[at]);
            }
            widths
        });
        let mut line = String::new();
        for (at, cell) in waiting.lines().enumerate() {
            let at = at % columns.len();
            let (len, width) = (width_of(cell), widths[at]);
            let pad = |line: &mut String, len: usize| line.extend(std::iter::repeat_n(' ', width.saturating_sub(len)));
            if len > width && *cut {
                let kept = start_of_width(cell, width.saturating_sub(1));
                line.push_str(kept);
                line.push('…');
                pad(&mut line, kept.width() + 1);
            } else if columns[at].column_type.is_number() {
                pad(&mut line, len);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                pad(&mut line, len);
            }
            if at + 1 < columns.len() {
                line.push_str("  ");
                continue;
            }
            line.truncate(line.trim_end().len());
            line.push('\n');
            out.write_all(line.as_bytes())?;
            line.clear();
        }
        waiting.clear();
        *cells = 0;
        Ok(())
    }
}

/// The columns of a terminal that a [clean] text takes.
fn width_of(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

/// A cell as text.
fn cell_text(cell: Cell<'_>) -> Cow<'_, str> {
    match cell {
        Cell::Null => Cow::Borrowed(""),
        Cell::Text(text) => Cow::Borrowed(text),
        cell => Cow::Owned(cell.to_string()),
    }
}

/// The start of a text that is at most so many columns wide.
fn start_of_width(text: &str, columns: usize) -> &str {
    let mut width = 0;
    let end = text.char_indices().find_map(|(at, char)| {
        width += char.width().unwrap_or(0);
        (width > columns).then_some(at)
    });
    &text[..end.unwrap_or(text.len())]
}

/// A cell as JSON has it.
fn value(cell: Cell<'_>) -> serde_json::Value {
    match cell {
        Cell::Null => serde_json::Value::Null,
        Cell::Text(text) => text.into(),
        Cell::Int(number) => number.into(),
        Cell::Float(number) => number.into(),
        Cell::Bool(value) => value.into(),
        date @ Cell::Date(_) => date.to_string().into(),
    }
}
