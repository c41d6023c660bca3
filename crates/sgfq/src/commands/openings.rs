//! `sgfq openings`: the tree of first moves, and how they went.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use clap::Args;
use serde_json::json;

use sgfstream::game::{Coordinates, Dialect};
use sgfstream_engine::{Job, Out, Part, PartEnd};
use sgfstream_table::find::{Opening, OpeningMove, Query};
use sgfstream_table::row::{Column, ColumnSet, GameRow, RowBuilder};

use crate::args::coords::Coords;
use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::{self, Pool};
use crate::args::where_games::{Chooser, Where};
use crate::commands::find::summary::{name_of, write_aligned};
use crate::io::games::games_of;
use crate::io::output::Output;
use crate::report::csv::CsvCells;
use crate::report::exit::Exit;
use crate::report::tally::Tally;
use crate::report::terminal::clean;
use crate::report::{cut, json};

/// Print the tree of first moves, with results and years.
///
/// A line is a position: openings that are the same when the board is turned or mirrored, and orders of moves that lead to the
/// same board, are one, shown by the line that comes first. Counts are of games that have the position after as many
/// moves. Black's part of the decided games has the interval that holds the true part with 95 % (Wilson's score). Games
/// that begin with stones on the board are not counted.
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

/// Boards that are told apart, and positions of all of them.
const BOARDS_MAX: usize = 64;
const POSITIONS_MAX: usize = 10_000;

struct Counting {
    chooser: Chooser,
    columns: ColumnSet,
}

/// The positions of each board.
#[derive(Default)]
struct Positions {
    boards: Vec<Start>,
    /// How many positions there are.
    len: usize,
    with_setup: u64,
    /// Games on boards, or with positions, for which there is no space.
    left_out: u64,
}

/// The start of a board, and the positions that follow.
struct Start {
    board: Dialect,
    tally: Tally,
    /// By the number of moves and the hash of the board.
    after: HashMap<(usize, u64), After>,
}

/// A position; or how many positions are left out, and how many games they have.
type Row<'a> = Result<&'a After, (usize, u64)>;

/// A position.
struct After {
    /// The line that comes first of those that lead to it, and the position before its last move.
    line: Vec<OpeningMove>,
    before: u64,
    tally: Tally,
}

impl Job for Counting {
    type Worker = RowBuilder;
    type Output = Positions;

    fn worker(&self) -> RowBuilder {
        self.chooser.builder(self.columns)
    }

    fn output(&self) -> Positions {
        Positions::default()
    }

    fn read(&self, builder: &mut RowBuilder, part: Part<'_>, all: &mut Out<'_, Positions>) -> anyhow::Result<PartEnd> {
        let is_start = part.is_start();
        let read = games_of(part, builder, |game| {
            if self.chooser.chooses(game)? {
                let builder = game.finish()?;
                if let Some(opening) = builder.opening() {
                    all.add(opening, builder.row(), is_start);
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(read.continue_value().unwrap_or_default())
    }
}

impl Positions {
    fn add(&mut self, opening: &Opening, row: &GameRow, is_start: bool) {
        if opening.has_setup {
            self.with_setup += 1;
            return;
        }
        let Some(at) = self.start(opening.board) else {
            self.left_out += 1;
            return;
        };
        self.boards[at].tally.add(row, false, is_start);
        let mut before = 0;
        for (number, &hash) in opening.hashes.iter().enumerate() {
            let line = &opening.moves[..=number];
            match self.after(at, hash, line, before) {
                Some(after) => after.tally.add(row, false, is_start),
                None => {
                    self.left_out += 1;
                    return;
                }
            }
            before = hash;
        }
    }

    fn start(&mut self, board: Dialect) -> Option<usize> {
        let known = self.boards.iter().position(|start| start.board == board);
        known.or_else(|| {
            (self.boards.len() < BOARDS_MAX).then(|| {
                self.boards.push(Start { board, tally: Tally::default(), after: HashMap::new() });
                self.boards.len() - 1
            })
        })
    }

    /// The position with this hash to which `line` leads, where there is space for it.
    fn after(&mut self, board: usize, hash: u64, line: &[OpeningMove], before: u64) -> Option<&mut After> {
        let all = &mut self.boards[board].after;
        let key = (line.len(), hash);
        if !all.contains_key(&key) {
            if self.len == POSITIONS_MAX {
                return None;
            }
            self.len += 1;
        }
        let new = || After { line: line.to_vec(), before, tally: Tally::default() };
        let after = all.entry(key).or_insert_with(new);
        if line < &*after.line {
            (after.line, after.before) = (line.to_vec(), before);
        }
        Some(after)
    }

    /// Adds what was found later; `games` come before it in its entry.
    fn merge(&mut self, later: Self, games: u64) {
        self.with_setup += later.with_setup;
        self.left_out += later.left_out;
        for start in later.boards {
            let Some(at) = self.start(start.board) else {
                self.left_out += start.tally.count;
                continue;
            };
            self.boards[at].tally.merge(start.tally, games);
            let mut all: Vec<_> = start.after.into_iter().collect();
            // Shorter lines first; and what is left out does not depend on how it was hashed.
            all.sort_by(|(one, a), (other, b)| (one.0, &a.line).cmp(&(other.0, &b.line)));
            for ((_, hash), found) in all {
                match self.after(at, hash, &found.line, found.before) {
                    Some(after) => after.tally.merge(found.tally, games),
                    None => self.left_out += found.tally.count,
                }
            }
        }
    }
}

impl Start {
    /// The positions after `before`, the most frequent first.
    fn after(&self, moves: usize, before: u64) -> Vec<(u64, &After)> {
        let all = self.after.iter().filter(|((len, _), after)| *len == moves + 1 && after.before == before);
        let mut all: Vec<_> = all.map(|((_, hash), after)| (*hash, after)).collect();
        all.sort_by(|(_, one), (_, other)| {
            (Reverse(one.tally.count), &one.line).cmp(&(Reverse(other.tally.count), &other.line))
        });
        all
    }

    /// All positions as a tree is read: each, then those after it. `top` after each; for what is left out, how many
    /// positions and how many games.
    fn rows(&self, top: usize) -> Vec<(usize, Row<'_>)> {
        let mut rows = Vec::new();
        let mut open = vec![(0, Ok(None))];
        while let Some((moves, position)) = open.pop() {
            let hash = match position {
                Ok(Some((hash, after))) => {
                    rows.push((moves, Ok(after)));
                    hash
                }
                Ok(None) => 0,
                Err(rest) => {
                    rows.push((moves, Err(rest)));
                    continue;
                }
            };
            let mut after = self.after(moves, hash);
            let rest = after.split_off(if top == 0 { after.len() } else { top.min(after.len()) });
            if !rest.is_empty() {
                open.push((moves + 1, Err((rest.len(), rest.iter().map(|(_, after)| after.tally.count).sum()))));
            }
            open.extend(after.into_iter().rev().map(|position| (moves + 1, Ok(Some(position)))));
        }
        rows
    }
}

impl Openings {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let columns = ["source", "member", "game", "date_min", "date_max", "winner"];
        let columns = ColumnSet::of(columns.iter().filter_map(|name| Column::find(name)));
        let job = Counting { chooser: self.choice.finding(Query::opening(self.depth))?, columns };
        let mut all = Positions::default();
        let is_uncut = job.chooser.needs_whole_entries();
        let exit = threads::sum(&self.pool, &self.inputs, is_uncut, &job, |unit| {
            if let Some(found) = unit.output.take() {
                all.merge(found, unit.before.games);
            }
            Ok(())
        })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        all.boards.sort_by_key(|start| (Reverse(start.tally.count), name_of(&start.board)));
        let coordinates = self.coords.or(Coordinates::Sgf);
        self.destination.with(&self.inputs, out, |out| match &*self.format {
            "csv" => write_csv(&all, coordinates, out),
            "jsonl" => write_lines(&all, coordinates, out),
            _ => write_tables(&all, coordinates, self.top, out),
        })?;
        cut::add_unsearched(all.left_out);
        let found = all.with_setup > 0 || !all.boards.is_empty();
        Ok(self.inputs.or_none(exit, found))
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn write_tables(all: &Positions, coordinates: Coordinates, top: usize, out: &mut dyn Write) -> anyhow::Result<()> {
    let plural = |count: u64| if count == 1 { "" } else { "s" };
    for (at, start) in all.boards.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}: {} game{}", name_of(&start.board), start.tally.count, plural(start.tally.count))?;
        let head = ["moves", "games", "share", "B wins", "W wins", "B wins of decided", "years", "example"];
        let mut rows: Vec<Vec<String>> = vec![head.map(str::to_owned).to_vec()];
        for (moves, row) in start.rows(top) {
            let indent = "  ".repeat(moves - 1);
            rows.push(match row {
                Ok(After { line, tally, .. }) => {
                    let last = line.last().map_or_else(String::new, |last| last.text(&start.board, coordinates));
                    vec![
                        format!("{indent}{}", clean(&last)),
                        tally.count.to_string(),
                        format!("{:.1} %", 100.0 * share(tally.count, start.tally.count)),
                        tally.black.to_string(),
                        tally.white.to_string(),
                        tally.black_share().map_or_else(String::new, |share| share.to_string()),
                        tally.years_text(),
                        clean(&tally.example()).into_owned(),
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

fn write_csv(all: &Positions, coordinates: Coordinates, out: &mut dyn Write) -> anyhow::Result<()> {
    writeln!(out, "board,depth,moves,count,share,{}", Tally::CSV_COLUMNS)?;
    let cells = CsvCells::new(false);
    for start in &all.boards {
        for (moves, row) in start.rows(0) {
            let Ok(After { line: opening, tally, .. }) = row else { continue };
            let mut line = Vec::new();
            cells.push(&name_of(&start.board), &mut line);
            write!(line, ",{moves},")?;
            cells.push(&text_of(opening, &start.board, coordinates), &mut line);
            write!(line, ",{},{:.4},", tally.count, share(tally.count, start.tally.count))?;
            tally.push_csv(&cells, &mut line);
            line.push(b'\n');
            out.write_all(&line)?;
        }
    }
    Ok(())
}

fn write_lines(all: &Positions, coordinates: Coordinates, out: &mut dyn Write) -> anyhow::Result<()> {
    for start in &all.boards {
        for (moves, row) in start.rows(0) {
            let Ok(After { line: opening, tally, .. }) = row else { continue };
            let mut line = json!({
                "schema": json::SCHEMA,
                "board": name_of(&start.board),
                "depth": moves,
                "moves": text_of(opening, &start.board, coordinates),
                "count": tally.count,
                "share": share(tally.count, start.tally.count),
            });
            tally.add_json(&mut line);
            let mut bytes = Vec::new();
            json::write(&mut bytes, &line)?;
            bytes.push(b'\n');
            out.write_all(&bytes)?;
        }
    }
    Ok(())
}
