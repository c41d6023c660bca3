//! `sgfq get`: prints columns of each game.

use std::collections::HashSet;
use std::io::Write;

use clap::Args;

use sgfstream_engine::{Out, PartEnd};
use sgfstream_game::Coordinates;
use sgfstream_table::filter::{SelectedColumn, Selection};
use sgfstream_table::row::{Column, FilledRow, RowReader};

use crate::args::coords::Coords;
use crate::args::games::end;
use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::threads::{self, ANSWER, Lines, Output as _, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::rows::{RowFormat, RowWriter, Table};

/// Print columns of each game.
///
/// COLUMNS are names separated by commas, such as `pb,pw,re`; `--list` lists them. Expressions as in `--where` are
/// columns, too: `prop('KM')`, `has('C')`, `moves * 2`.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq get pb,pw,re games/\n\
\x20 sgfq get all archive.zip -o games.csv.gz")]
pub(crate) struct Get {
    /// Columns separated by commas, or `all`.
    #[arg(value_name = "COLUMNS", required_unless_present = "list", value_parser = columns(), hide_possible_values = true)]
    wanted: Option<String>,

    /// List the columns with type and description.
    #[arg(long, alias = "columns")]
    list: bool,

    /// Output format; the extension of the output file selects it, too [default: table].
    #[arg(short = 'f', long, value_parser = Format::one_of(Format::ROWS))]
    format: Option<Format>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Get {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        if self.list {
            return list(out);
        }
        let chooser = self.io.choice.parse()?;
        let wanted = self.wanted.as_deref().unwrap_or_default();
        let selection = chooser.select(wanted)?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let coordinates = self.coords.or(Coordinates::Sgf);
        let format = self.io.destination.row_format(self.format)?;
        write_rows(Rows { chooser, selection, format, coordinates }, &self.io, out)
    }
}

/// Columns of the selected games, and their output format.
pub(crate) struct Rows {
    pub(crate) chooser: Chooser,
    pub(crate) selection: Selection,
    pub(crate) format: RowFormat,
    pub(crate) coordinates: Coordinates,
}

/// Writes the rows of the selected games.
pub(crate) fn write_rows(rows: Rows, io: &Io<Pool>, out: &mut Output) -> anyhow::Result<Exit> {
    let Rows { chooser, selection, format, coordinates } = rows;
    let mut columns: Vec<&SelectedColumn> = selection.columns().iter().collect();
    if format == RowFormat::Jsonl {
        // A JSON object must not repeat a name.
        let mut seen = HashSet::new();
        columns.retain(|column| seen.insert(&column.name));
    }
    let is_terminal = io.is_shown(out);
    let writer = RowWriter::new(format, columns.iter().map(|column| &*column.name), is_terminal);
    let job = threads::each_part(
        || selection.row().spelling(coordinates),
        |filled, part, lines: &mut Out<'_, Lines>| {
            let mut rows = RowReader::of_part(part, filled)?;
            while chooser.next(&mut rows)? {
                let Some(filled) = rows.finish_row()? else { continue };
                write_row(filled, &columns, &writer, lines);
                lines.damaged += u64::from(filled.is_damaged());
                if lines.is_full() && !lines.hand_out() {
                    return Ok(PartEnd::default());
                }
            }
            end(rows)
        },
    );
    let are_numbers = columns.iter().map(|column| column.column_type.is_number()).collect();
    let mut table = (format == RowFormat::Table).then(|| Table::new(are_numbers, is_terminal));
    let exit = io.with(out, |out| {
        let mut write = |text: &[u8], out: &mut dyn Write| match &mut table {
            Some(table) => table.write(text, out),
            None => Ok(out.write_all(text)?),
        };
        write(&writer.head(), out)?;
        let exit = io.answer(is_terminal, ANSWER, &job, |result| {
            let Some(lines) = &mut result.output else { return Ok(()) };
            cut::add_damaged(lines.damaged);
            write(lines.numbered(&result.before), out)
        })?;
        if let Some(table) = &mut table {
            table.print_waiting(out)?;
        }
        Ok(exit)
    })?;
    Ok(chooser.or_none(&io.inputs, exit))
}

/// Writes the row of a game.
fn write_row(filled: &FilledRow, columns: &[&SelectedColumn], writer: &RowWriter, lines: &mut Out<'_, Lines>) {
    let row = filled.row();
    for (at, column) in columns.iter().enumerate() {
        column.cell(filled, |cell| writer.cell(at, cell, &mut lines.text));
        match (column.column.map_or("", |column| column.name), row.game, row.errors, row.warnings) {
            ("game" | "reference", Some(game), _, _) => lines.note_number(game, |before| before.games),
            ("errors", Some(1), Some(errors), _) => lines.note_number(errors, |before| before.errors),
            ("warnings", Some(1), _, Some(warnings)) => lines.note_number(warnings, |before| before.warnings),
            _ => {}
        }
    }
    writer.end_row(&mut lines.text);
}

fn list(out: &mut Output) -> anyhow::Result<Exit> {
    for column in Column::all() {
        let unit = column.unit;
        writeln!(out, "{:15} {:6} {}{unit}", column.name, column.column_type, column.description)?;
    }
    Ok(Exit::Done)
}
