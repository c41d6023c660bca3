//! `sgfq openings`: the tree of first moves, or of the moves after a position, with results.

use std::cell::Cell;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use sgfstream_adapt::stats::{self, OpeningPosition};
use sgfstream_draw::Diagram;
use sgfstream_engine::PartSize;
use sgfstream_explore::{Cores, GameFacts, runs_of};
use sgfstream_game::{Coordinates, Dialect, internal::OpeningMove};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Query;
use sgfstream_table::row::{Column, ColumnSet};

use crate::args::coords::{Coords, spelling_of};
use crate::args::input::board_file;
use crate::args::io::Io;
use crate::args::position::position_query;
use crate::args::threads::{self, OutputTiming, Pool};
use crate::commands::position_index::PositionIndex;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::{Exit, note_count};
use crate::report::format::Format;
use crate::report::rows::write_objects;
use crate::report::tally::{self, Row};
use crate::report::{counted, json, terminal};

/// Print the tree of first moves, with results and years.
///
/// Each line is a position. Openings that differ only by rotation, reflection or move order share a
/// line, so a position may have more games than the position above it. The column `here` then counts
/// the games that came from the position above it. A game counts for a position if it reaches the
/// position in exactly as many moves as the line has. "B wins of decided" is Black's win rate with
/// its 95 % confidence interval (Wilson score). Games that begin with stones on the board do not
/// count. An opening ends before a move that is unreadable or off the board.
///
/// With `--from`, the tree begins at a position. It counts the games whose main line reaches the
/// position, in any orientation, as `--where "position('…')"` does.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq openings games/\n\
\x20 sgfq openings --from \"Q16 D4\" --moves 3 games/\n\
\x20 sgfq openings --moves 8 --where \"year(date_min) > 2015\" -f csv games/")]
pub(crate) struct Openings {
    /// Start at the position of FILE, FILE#GAME or FILE@MOVE, or after `pd dp`.
    #[arg(long, value_name = "POSITION")]
    from: Option<String>,

    /// Print this many moves.
    #[arg(long, alias = "depth", value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=16))]
    moves: u64,

    /// Print N next positions per position in a table; 0 for all.
    #[arg(long, value_name = "N", default_value_t = MoveTree::TOP)]
    top: usize,

    /// Output format; the extension of the output file selects it, too [default: table].
    #[arg(short = 'f', long, value_parser = Format::one_of(Format::ROWS))]
    format: Option<Format>,

    /// Also count variations; a game counts once per position.
    #[arg(long)]
    variations: bool,

    /// Use this index; `openings` writes it if missing, or if an input changed.
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

impl threads::Output for stats::Openings {}

impl Openings {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let spelling = self
            .from
            .as_deref()
            .filter(|text| board_file(text).is_none())
            .map(spelling_of);
        let coordinates = self.coords.or(spelling.unwrap_or(Coordinates::Sgf));
        let query = match &self.from {
            Some(position) => {
                board_file(position)
                    .into_iter()
                    .for_each(|(file, _)| self.io.inputs.also_reads(&file));
                position_query(position, "from", &self.io.inputs.how)?.moves_after(self.moves)
            }
            None => Query::opening(self.moves),
        };
        let query = query.variations(self.variations);
        cut::add_queries([&query]);
        let format = self.io.destination.format(self.format, Format::ROWS)?;
        let tree = MoveTree {
            query,
            top: self.top,
            format,
            coordinates,
        };
        let Some(path) = self.index.take() else {
            return tree.write(&self.io, out);
        };
        let index = PositionIndex::named(&path, &self.io, self.variations)?;
        let exit = index.report_partial(&path);
        // The condition may depend on the files of the games, so it is evaluated in the inputs, not
        // in the index.
        if !self.io.choice.is_given() {
            let all = tree.count_in(&index, &self.io.pool)?;
            // The limit omits positions, and which ones depends on how the games are divided into
            // parts. So if the count of the index omitted any, read the inputs.
            if all.left_out() + all.boards.on_others == 0 {
                return Ok(tree.print(all, &self.io, out)?.or(exit));
            }
        }
        Ok(tree.write(&self.io, out)?.or(exit))
    }
}

/// Tree of moves from the start of games, or from a position.
struct MoveTree {
    query: Query,
    /// Maximum positions shown after each position in a table, or 0 for all.
    top: usize,
    format: Format,
    coordinates: Coordinates,
}

impl MoveTree {
    /// Default number of positions shown after each position in a table.
    const TOP: usize = 5;

    /// Counts the tree and writes it.
    fn write(&self, io: &Io<Pool>, out: &mut Output) -> anyhow::Result<Exit> {
        let columns = ColumnSet::of(tally::COLUMNS.iter().filter_map(|name| Column::find(name)));
        let chooser = io.choice.finding(self.query.clone())?;
        let job = threads::each_row(
            &chooser,
            || chooser.row(columns),
            |filled, all: &mut stats::Openings| {
                let row = filled.row();
                let facts = GameFacts::of(row);
                all.add_lines(filled.openings(), |games| {
                    games.add(facts.winner, facts.years(), || tally::place_of(row));
                });
            },
        );
        let mut all = stats::Openings::default();
        let exit = io.read(OutputTiming::AtEnd, PartSize::Few, &job, |result| {
            all.merge(std::mem::take(&mut result.output), result.before.games);
            Ok(())
        })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        Ok(self.print(all, io, out)?.or(exit))
    }

    /// Counts the tree in the games of an index.
    fn count_in(
        &self,
        index: &PositionIndex,
        cores: &impl Cores,
    ) -> anyhow::Result<stats::Openings> {
        let index = &index.index;
        let games = if self.query.is_position() {
            index.candidates(&self.query)?
        } else {
            (0..index.len()).collect()
        };
        let filter = Filter::finding(self.query.clone(), None)?;
        let count = |run: &[u32]| {
            let (mut all, unread) = (stats::Openings::default(), Cell::new(None));
            let mut reader = index.reader(&filter, GameFacts::columns());
            for &game in run {
                let Some(row) = reader.read(game)? else {
                    continue;
                };
                let facts = GameFacts::of(row.row());
                let place = || {
                    index
                        .place(game)
                        .map_err(|err| unread.set(Some(err)))
                        .ok()
                        .flatten()
                };
                all.add_lines(row.openings(), |games| {
                    games.add(facts.winner, facts.years(), place);
                });
            }
            unread.into_inner().map_or(Ok(all), Err)
        };
        let mut all = stats::Openings::default();
        for found in cores.each(&runs_of(&games, cores), count) {
            all.merge(found.map_err(|err: io::Error| err)?, 0);
        }
        Ok(all)
    }

    /// Prints a counted tree.
    fn print(
        &self,
        mut all: stats::Openings,
        io: &Io<Pool>,
        out: &mut Output,
    ) -> anyhow::Result<Exit> {
        all.boards.sort();
        io.with(out, |out| match self.format {
            Format::Table => self.write_tables(&all, out),
            format => {
                let columns = tally::csv_columns(&["board", "depth", "moves", "direct"]);
                write_objects(format, &columns, objects(&all, self.coordinates), out)
            }
        })?;
        let what = if self.query.is_position() {
            "move after the position"
        } else {
            "opening"
        };
        let why = format!("no {what}: the first move is missing or not on the board");
        note_count(
            all.without_moves,
            &format!("game has {why}"),
            &format!("games have {why}"),
        );
        let exit = Exit::Done.or(tally::report_left_out(
            &all.boards,
            "openings",
            "game",
            "games",
        ));
        let found = all.with_setup > 0 || !all.boards.all.is_empty();
        let may_be_none = !io.choice.is_given() && !self.query.is_position();
        Ok(io.inputs.or_none(exit, found || may_be_none))
    }

    fn write_tables(&self, all: &stats::Openings, out: &mut dyn Write) -> anyhow::Result<()> {
        let mut has_others = false;
        for (at, start) in all.boards.all.iter().enumerate() {
            if at > 0 {
                writeln!(out)?;
            }
            writeln!(
                out,
                "{}: {}",
                start.board,
                counted(start.tally.count, "game")
            )?;
            if let Some(diagram) = self
                .query
                .board(&start.dialect())
                .and_then(|position| Diagram::new(position, self.coordinates))
            {
                writeln!(out)?;
                out.write_all(terminal::diagram_text(&diagram).as_bytes())?;
                writeln!(out)?;
            }
            if start.rows.is_empty() {
                continue;
            }
            let mut rows = vec![tally::head(&["moves"], "games")];
            for (moves, row) in start.in_order(self.top) {
                let indent = "  ".repeat(moves - 1);
                rows.push(match row {
                    Ok(
                        position @ OpeningPosition {
                            line, tally: games, ..
                        },
                    ) => {
                        let last = line.last().map_or_else(String::new, |last| {
                            last.text(&start.dialect(), self.coordinates)
                        });
                        let mut name = format!("{indent}{}", terminal::clean(&last));
                        if position.direct() < games.count {
                            has_others = true;
                            name += &format!(" (here {})", position.direct());
                        }
                        tally::cells(Row {
                            name: vec![name],
                            games,
                            all: &start.tally,
                        })
                    }
                    Err((positions, games)) => {
                        let mut row = vec![format!("{indent}{positions} more"), games.to_string()];
                        row.resize(rows[0].len(), String::new());
                        row
                    }
                });
            }
            tally::write_table(&rows, 1, out)?;
        }
        if has_others {
            writeln!(
                out,
                "\nhere: games that came from the position above; all other games had another move order"
            )?;
        }
        if all.with_setup > 0 {
            let games = counted(all.with_setup, "game");
            writeln!(
                out,
                "\nNot counted: {games} with stones on the board at the start"
            )?;
        }
        Ok(())
    }
}

fn text_of(line: &[OpeningMove], board: &Dialect, coordinates: Coordinates) -> String {
    let text = |played: &OpeningMove| {
        let text = played.text(board, coordinates);
        text.split_once(' ').map_or_else(
            || text.clone(),
            |(side, played)| format!("{side}[{played}]"),
        )
    };
    line.iter().map(text).collect::<Vec<_>>().join(" ")
}

/// Name of an opening in JSON.
#[derive(Serialize)]
struct OpeningName {
    schema: u64,
    board: String,
    depth: usize,
    moves: String,
    direct: u64,
}

/// Returns the openings of all boards as objects.
fn objects(
    all: &stats::Openings,
    coordinates: Coordinates,
) -> impl Iterator<Item = impl Serialize> {
    let rows = all
        .boards
        .all
        .iter()
        .flat_map(|start| start.in_order(0).into_iter().map(move |row| (start, row)));
    rows.filter_map(move |(start, (moves, row))| {
        let position = row.ok()?;
        let OpeningPosition {
            line, tally: games, ..
        } = position;
        let name = OpeningName {
            schema: json::SCHEMA,
            board: start.board.to_string(),
            depth: moves,
            moves: text_of(line, &start.dialect(), coordinates),
            direct: position.direct(),
        };
        Some(
            Row {
                name,
                games,
                all: &start.tally,
            }
            .fields(),
        )
    })
}
