//! `sgfq get`: prints columns of each game.

use std::collections::HashSet;
use std::io::Write;

use clap::Args;

use sgfstream_engine::Out;
use sgfstream_game::Coordinates;
use sgfstream_table::filter::{SelectedColumn, Selection};
use sgfstream_table::row::{Column, FilledRow, RowReader};

use crate::args::coords::Coords;
use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::threads::{self, ANSWER, KeyedRow, Lines, OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::io::sorted_spill::{SortOrder, SortedSpill};
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::rows::{RowWriter, Table};

/// Print columns of each game.
///
/// COLUMNS are names separated by commas, such as `pb,pw,re`; `--list` lists them. Expressions as
/// in `--where` are columns, too: `prop('KM')`, `has('C')`, `moves * 2`. `--sort` and `--limit`
/// read all games. They keep rows in a temporary file, so memory use does not depend on their
/// number.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq get pb,pw,re games/\n\
\x20 sgfq get pb,pw --sort moves --reverse --limit 10 games/\n\
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

    /// Sort the rows by columns or expressions, as `sgfq sort` does.
    #[arg(long, value_name = "COLUMN", value_parser = columns(), hide_possible_values = true, allow_hyphen_values = true)]
    sort: Option<String>,

    /// Sort in descending order; rows without a value still come last.
    #[arg(long, requires = "sort")]
    reverse: bool,

    /// Print only the first N rows.
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

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
        let mut selection = chooser.select(wanted)?;
        let mut order = RowOrder {
            is_reversed: self.reverse,
            limit: self.limit,
            ..RowOrder::default()
        };
        if let Some(sort) = &self.sort {
            let printed = selection.columns().len();
            selection = selection
                .followed_by(sort)
                .map_err(|err| anyhow::anyhow!("--sort: {err}"))?;
            order.sort_columns = selection.columns().len() - printed;
        }
        self.io.inputs.how.ask_text(selection.asks_text());
        let coordinates = self.coords.or(Coordinates::Sgf);
        let format = self.io.destination.format(self.format, Format::ROWS)?;
        write_rows(
            Rows {
                chooser,
                selection,
                format,
                coordinates,
                order,
            },
            &self.io,
            out,
        )
    }
}

/// Columns of the selected games, and their output format.
pub(crate) struct Rows {
    pub(crate) chooser: Chooser,
    pub(crate) selection: Selection,
    pub(crate) format: Format,
    pub(crate) coordinates: Coordinates,
    pub(crate) order: RowOrder,
}

/// Order of the rows, and how many of them are printed.
#[derive(Default)]
pub(crate) struct RowOrder {
    /// Number of columns at the end of the selection that are sorted by and not printed.
    sort_columns: usize,
    is_reversed: bool,
    limit: Option<u64>,
}

/// Writes the rows of the selected games.
pub(crate) fn write_rows(rows: Rows, io: &Io<Pool>, out: &mut Output) -> anyhow::Result<Exit> {
    let Rows {
        chooser,
        selection,
        format,
        coordinates,
        order,
    } = rows;
    let (printed, sorting) = selection
        .columns()
        .split_at(selection.columns().len() - order.sort_columns);
    let mut columns: Vec<&SelectedColumn> = printed.iter().collect();
    if format == Format::Jsonl {
        // A JSON object must not repeat a name.
        let mut seen = HashSet::new();
        columns.retain(|column| seen.insert(&column.name));
    }
    let is_terminal = io.is_shown(out);
    let timing = OutputTiming::Streamed {
        is_shown: is_terminal,
    };
    let writer = RowWriter::new(
        format,
        columns.iter().map(|column| &*column.name),
        is_terminal,
    );
    let is_streamed = sorting.is_empty() && order.limit.is_none();
    let sort_order = SortOrder {
        columns: sorting,
        is_reversed: order.is_reversed,
    };
    let row = || {
        let row = selection.row().spelling(coordinates);
        if is_streamed {
            row
        } else {
            row.with_final_numbers()
        }
    };
    let job = threads::each_part(row, |filled, part, lines: &mut Out<'_, Lines>| {
        let mut rows = RowReader::of_part(part, filled)?;
        while chooser.next(&mut rows)? {
            let Some(filled) = rows.finish_row()? else {
                continue;
            };
            sort_order.push_key(filled, &mut lines.text);
            let key_end = lines.text.len();
            write_row(filled, &columns, &writer, lines);
            if !is_streamed {
                let end = lines.text.len();
                lines.keyed_rows.push(KeyedRow { key_end, end });
            }
            lines.damaged += u64::from(filled.is_damaged());
            if !threads::hand_out_if_full(lines) {
                break;
            }
        }
        Ok(rows.end()?)
    });
    let are_numbers = columns
        .iter()
        .map(|column| column.column_type.is_number())
        .collect();
    let mut table = Table::new(format, are_numbers, is_terminal);
    let limit = order.limit.unwrap_or(u64::MAX);
    let mut sorted_rows = SortedSpill::default();
    let exit = io.with(out, |out| {
        table.write(&writer.head(), out)?;
        let exit = io.read(timing, ANSWER, &job, |result| {
            let lines = &mut result.output;
            cut::counts().damaged += lines.damaged;
            if is_streamed {
                return table.write(lines.numbered(&result.before), out);
            }
            let mut start = 0;
            for &KeyedRow { key_end, end } in &lines.keyed_rows {
                sorted_rows.push_first(
                    limit,
                    &lines.text[start..key_end],
                    &lines.text[key_end..end],
                )?;
                start = end;
            }
            Ok(())
        })?;
        let mut sorted = sorted_rows.sorted()?;
        let mut row = Vec::new();
        for _ in 0..limit {
            if !sorted.copy_next(&mut row)? {
                break;
            }
            table.write(&row, out)?;
            row.clear();
        }
        table.print_waiting(out)?;
        Ok(exit)
    })?;
    Ok(chooser.or_none(&io.inputs, exit))
}

/// Writes the row of a game.
fn write_row(
    filled: &FilledRow,
    columns: &[&SelectedColumn],
    writer: &RowWriter,
    lines: &mut Out<'_, Lines>,
) {
    let row = filled.row();
    for (at, column) in columns.iter().enumerate() {
        column.cell(filled, |cell| writer.cell(at, cell, &mut lines.text));
        match (
            column.column.map_or("", |column| column.name),
            row.game,
            row.errors,
            row.warnings,
        ) {
            ("game" | "reference", Some(game), _, _) => {
                lines.note_number(game, |before| before.games)
            }
            ("errors", Some(1), Some(errors), _) => {
                lines.note_number(errors, |before| before.errors)
            }
            ("warnings", Some(1), _, Some(warnings)) => {
                lines.note_number(warnings, |before| before.warnings)
            }
            _ => {}
        }
    }
    writer.end_row(&mut lines.text);
}

fn list(out: &mut Output) -> anyhow::Result<Exit> {
    for column in Column::all() {
        let unit = column.unit;
        writeln!(
            out,
            "{:15} {:6} {}{unit}",
            column.name, column.column_type, column.description
        )?;
    }
    Ok(Exit::Done)
}
