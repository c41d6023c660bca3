//! `sgfq openings`: the tree of first moves, and how they went.

use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde_json::json;

use sgfstream_adapt::stats::{self, OpeningPosition};
use sgfstream_engine::{Before, Cut, Job, Out, Part, PartEnd};
use sgfstream_game::{Coordinates, Dialect, OpeningMove};
use sgfstream_table::find::Query;
use sgfstream_table::games::Kept;
use sgfstream_table::row::{Column, ColumnSet, RowBuilder};

use crate::args::coords::Coords;
use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::{self, Pool};
use crate::args::where_games::{Chooser, Where};
use crate::commands::find::summary::write_aligned;
use crate::io::games::games_of;
use crate::io::output::Output;
use crate::report::csv::CsvCells;
use crate::report::exit::Exit;
use crate::report::terminal::clean;
use crate::report::{json, tally};

/// Print the tree of first moves, with results and years.
///
/// A line is a position: openings that are the same when the board is turned or mirrored, and orders of moves that lead to the
/// same board, are one, shown by the line that comes first. Counts are of games that have the position after as many
/// moves. "B wins of decided" is Black's win rate with its 95 % confidence interval (Wilson's score). Games that begin
/// with stones on the board are not counted.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq openings games/\n\
\x20 sgfq openings --depth 8 --where \"year(date_min) > 2015\" -f csv games/")]
pub(crate) struct Openings {
    /// Number of moves.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=16))]
    depth: u64,

    /// In a table, positions shown after each position; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 5)]
    top: usize,

    /// Output format.
    #[arg(short = 'f', long, value_parser = ["table", "csv", "jsonl"], default_value = "table")]
    format: String,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

struct Counting {
    chooser: Chooser,
    columns: ColumnSet,
}

impl Job for Counting {
    type Worker = RowBuilder;
    type Output = stats::Openings;

    fn worker(&self) -> RowBuilder {
        self.chooser.builder(self.columns)
    }

    fn output(&self) -> stats::Openings {
        stats::Openings::default()
    }

    fn shift(&self, all: &mut stats::Openings, before: &Before) {
        all.shift(before.games);
    }

    fn read(
        &self,
        builder: &mut RowBuilder,
        part: Part<'_>,
        all: &mut Out<'_, stats::Openings>,
    ) -> anyhow::Result<PartEnd> {
        let read = games_of(part, builder, Kept::Nothing, |game| {
            if self.chooser.chooses(game)? {
                let builder = game.finish()?;
                if let Some(opening) = builder.opening() {
                    all.add(opening, |games| tally::add(games, builder.row(), false));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(read.continue_value().unwrap_or_default())
    }
}

impl Openings {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let columns = ColumnSet::of(tally::COLUMNS.iter().filter_map(|name| Column::find(name)));
        let job = Counting { chooser: self.choice.finding(Query::opening(self.depth))?, columns };
        let mut all = stats::Openings::default();
        let exit = threads::sum(job.chooser.cut(Cut::Few), &self.pool, &self.inputs, &job, |unit| {
            if let Some(found) = unit.output.take() {
                all.merge(found);
            }
            Ok(())
        })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        all.boards.sort();
        let coordinates = self.coords.or(Coordinates::Sgf);
        self.destination.with(&self.inputs, out, |out| match &*self.format {
            "csv" => write_csv(&all, coordinates, out),
            "jsonl" => write_lines(&all, coordinates, out),
            _ => write_tables(&all, coordinates, self.top, out),
        })?;
        let exit = exit.or(tally::report_left_out(&all.boards, "openings", "game", "games"));
        let found = all.with_setup > 0 || !all.boards.all.is_empty();
        Ok(self.inputs.or_none(exit, found))
    }
}

fn write_tables(
    all: &stats::Openings,
    coordinates: Coordinates,
    top: usize,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    for (at, start) in all.boards.all.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}: {} game{}", start.board, start.tally.count, plural(start.tally.count))?;
        let head = ["moves", "games", "share", "B wins", "W wins", "B wins of decided", "years", "example"];
        let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
        for (moves, row) in start.in_order(top) {
            let indent = "  ".repeat(moves - 1);
            rows.push(match row {
                Ok(OpeningPosition { line, tally: games, .. }) => {
                    let last = line.last().map_or_else(String::new, |last| last.text(&start.dialect(), coordinates));
                    vec![
                        format!("{indent}{}", clean(&last)),
                        games.count.to_string(),
                        format!("{:.1} %", 100.0 * tally::share(games, &start.tally)),
                        games.black.to_string(),
                        games.white.to_string(),
                        tally::black_share(games),
                        tally::years(games),
                        clean(&tally::example(games)).into_owned(),
                    ]
                }
                Err((positions, games)) => {
                    let mut row = vec![format!("{indent}{positions} more"), games.to_string()];
                    row.resize(head.len(), String::new());
                    row
                }
            });
        }
        write_aligned(&rows, &[1, 2, 3, 4], out)?;
    }
    if all.with_setup > 0 {
        let (count, s) = (all.with_setup, plural(all.with_setup));
        writeln!(out, "\nNot counted: {count} game{s} with stones on the board at the start")?;
    }
    Ok(())
}

fn text_of(line: &[OpeningMove], board: &Dialect, coordinates: Coordinates) -> String {
    let text = |played: &OpeningMove| {
        let text = played.text(board, coordinates);
        text.split_once(' ').map_or_else(|| text.clone(), |(side, played)| format!("{side}[{played}]"))
    };
    line.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn write_csv(all: &stats::Openings, coordinates: Coordinates, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "board,depth,moves,count,share,{}", tally::CSV_COLUMNS)?;
    let cells = CsvCells::new(false);
    for start in &all.boards.all {
        for (moves, row) in start.in_order(0) {
            let Ok(OpeningPosition { line: opening, tally: games, .. }) = row else { continue };
            let mut line = Vec::new();
            cells.push(&start.board.to_string(), &mut line);
            write!(line, ",{moves},")?;
            cells.push(&text_of(opening, &start.dialect(), coordinates), &mut line);
            write!(line, ",{},{:.4},", games.count, tally::share(games, &start.tally))?;
            tally::push_csv(games, &cells, &mut line);
            line.push(b'\n');
            out.write_all(&line)?;
        }
    }
    Ok(())
}

fn write_lines(all: &stats::Openings, coordinates: Coordinates, out: &mut dyn Write) -> anyhow::Result<()> {
    for start in &all.boards.all {
        for (moves, row) in start.in_order(0) {
            let Ok(OpeningPosition { line: opening, tally: games, .. }) = row else { continue };
            let mut line = json!({
                "schema": json::SCHEMA,
                "board": start.board.to_string(),
                "depth": moves,
                "moves": text_of(opening, &start.dialect(), coordinates),
                "count": games.count,
                "share": tally::share(games, &start.tally),
            });
            tally::add_json(games, &mut line);
            let mut bytes = Vec::new();
            json::write(&mut bytes, &line)?;
            bytes.push(b'\n');
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}
