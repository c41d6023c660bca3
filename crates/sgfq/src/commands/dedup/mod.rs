//! `sgfq dedup`: each game once.

mod near;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use sgfstream_engine::{Before, Job, Out, Part, PartEnd, Sending, empty_again};
use sgfstream_game::{Game, Symmetry};
use sgfstream_table::row::{Cell, Column, ColumnSet, GameRow, LineMoves, RowBuilder};

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::{self, ANSWER, Pool};
use crate::args::where_games::{Chooser, Where};
use crate::io::games::games_of;
use crate::io::output::Output;
use crate::io::spill::Spill;
use crate::io::spilling_set::SpillingSet;
use crate::report::csv::CsvCells;
use crate::report::exit::Exit;
use crate::report::terminal;

use near::{Duplicates, NearDuplicates};

/// Write each game once: the first of the games with the same main line.
///
/// Two games are equal if game type, board, setup and moves are equal; players, comments and variations are not
/// compared. A game without moves and setup is never a duplicate. Up to 450,000 different games are remembered
/// in memory, more in a temporary file.
///
/// With `--near`, a line that is the beginning of another, or differs from it in at most N moves as far as it goes, is a
/// duplicate, too. The longest line stays, of those the first. Lines of fewer than 10 * (N + 1) moves must be equal.
/// All games are held in a temporary file then.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq dedup games/ -o unique.sgf\n\
\x20 sgfq dedup --by symmetric games/ -o unique.sgf --rejects duplicates.sgf\n\
\x20 sgfq dedup --near=2 games/ -o unique.sgf --report dropped.csv")]
pub(crate) struct Dedup {
    /// `exact`, or `symmetric` to ignore rotation and reflection of the board (Go: 8 symmetries, Hex: 2).
    #[arg(long, value_parser = ["exact", "symmetric"], default_value = "exact")]
    by: String,

    /// Drop near duplicates, too: at most N moves differ [default: 1]. Setup must be equal, and is not turned.
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1", require_equals = true, value_parser = clap::value_parser!(u32).range(0..=20))]
    near: Option<u32>,

    /// Write the duplicates to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Write what was dropped to FILE, as CSV: game, game kept, reason, moves that differ, moves that are missing.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,

    #[command(flatten)]
    choice: Where,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Finds the hash of each game.
struct Hashing<'c> {
    column: &'static Column,
    chooser: &'c Chooser,
    /// The lines of games are compared, too.
    with_lines: bool,
    is_exact: bool,
}

/// Games of a unit.
#[derive(Default)]
struct Hashed {
    bytes: Vec<u8>,
    /// Bytes before the first belong to the last game of the output before.
    games: Vec<HashedGame>,
}

struct HashedGame {
    hash: Option<u128>,
    /// Where its bytes begin.
    start: usize,
    line: Option<Line>,
}

/// Line of a game that is compared, and the name of the game.
struct Line {
    /// None if it is too long.
    moves: Option<LineMoves>,
    ways: u8,
    size: (u32, u32),
    input: String,
    /// Its number in the input.
    game: u64,
}

impl Line {
    fn of(builder: &RowBuilder, is_exact: bool) -> Self {
        let (row, state) = (builder.row(), builder.state());
        let ways = match state.game() {
            _ if is_exact => 1,
            Game::Go => Symmetry::ALL.len(),
            Game::Hex => Symmetry::HEX.len(),
            _ => 1,
        };
        let source = row.source.clone().unwrap_or_default();
        Self {
            moves: builder.line(),
            ways: ways as u8,
            size: state.board_size().map_or((0, 0), |size| (size.columns(), size.rows())),
            input: row.member.as_ref().map_or(source.clone(), |member| format!("{source}!{member}")),
            game: row.game.unwrap_or(0).unsigned_abs(),
        }
    }
}

impl Job for Hashing<'_> {
    type Worker = RowBuilder;
    type Output = Hashed;

    fn worker(&self) -> RowBuilder {
        if !self.with_lines {
            return self.chooser.builder(ColumnSet::of([self.column]));
        }
        let columns = ["source", "member", "game"].into_iter().filter_map(Column::find).chain([self.column]);
        self.chooser.builder(ColumnSet::of(columns))
    }

    fn output(&self) -> Hashed {
        Hashed::default()
    }

    fn shift(&self, hashed: &mut Hashed, before: &Before) {
        hashed.games.iter_mut().filter_map(|game| game.line.as_mut()).for_each(|line| line.game += before.games);
    }

    fn reuse(&self, mut hashed: Hashed) -> Option<Hashed> {
        empty_again(&mut hashed.bytes);
        hashed.games.clear();
        hashed.games.shrink_to(1 << 14);
        Some(hashed)
    }

    fn read(&self, builder: &mut RowBuilder, part: Part<'_>, hashed: &mut Out<'_, Hashed>) -> anyhow::Result<PartEnd> {
        let read = games_of(part, builder, |game| {
            if !self.chooser.chooses(game)? {
                return Ok(ControlFlow::Continue(()));
            }
            let builder = game.read_rest()?;
            let hash = hash_of(self.column, builder.row());
            let line = self.with_lines.then(|| Line::of(builder, self.is_exact));
            let start = hashed.bytes.len();
            hashed.games.push(HashedGame { hash, start, line });
            game.write_line(&mut Sending::new(hashed, |hashed| &mut hashed.bytes))?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(read.continue_value().unwrap_or_default())
    }
}

impl Dedup {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let column = Column::find(if self.by == "exact" { "hash" } else { "canonical_hash" }).expect("a column");
        let chooser = self.choice.parse_without_text(&mut self.inputs)?;
        if self.near.is_some() || self.report.is_some() {
            return self.write_unlike(column, &chooser, out);
        }
        self.write_unequal(column, &chooser, out)
    }

    /// Writes the games as they come, but those that are equal to one before.
    fn write_unequal(&self, column: &'static Column, chooser: &Chooser, out: &mut Output) -> anyhow::Result<Exit> {
        let mut seen = SpillingSet::default();
        let (mut found, mut is_new) = (false, false);
        let is_shown = out.is_terminal() && self.destination.is_stdout();
        let job = Hashing { column, chooser, with_lines: false, is_exact: self.by == "exact" };
        let engine = self.inputs.how.engine().with_cut(job.chooser.cut(ANSWER));
        let exit = self.destination.with_rejects(self.rejects.as_deref(), &self.inputs, out, |out, mut rejects| {
            let mut write = |is_new: bool, bytes: &[u8]| match (is_new, &mut rejects) {
                (true, _) => out.write_all(bytes),
                (false, Some(rejects)) => rejects.write_all(bytes),
                (false, None) => Ok(()),
            };
            threads::answer(&self.pool, &self.inputs, engine, is_shown, &job, |unit| {
                let Some(Hashed { bytes, games }) = &unit.output else { return Ok(()) };
                let mut written = 0;
                for &HashedGame { hash, start, .. } in games {
                    write(is_new, &bytes[written..start])?;
                    written = start;
                    is_new = match hash {
                        Some(hash) => seen.insert(hash).context("temporary file")?,
                        None => true,
                    };
                    found |= is_new;
                }
                Ok(write(is_new, &bytes[written..])?)
            })
        })?;
        Ok(self.inputs.or_none(exit, found))
    }

    /// Holds all games, finds the duplicates among them, and writes the others.
    fn write_unlike(&self, column: &'static Column, chooser: &Chooser, out: &mut Output) -> anyhow::Result<Exit> {
        let files = [self.rejects.as_deref(), self.report.as_deref()];
        let mut found = false;
        let exit = self.destination.with_others(files, &self.inputs, out, |out, [mut rejects, mut report]| {
            let (exit, mut held, mut sorted) = self.find_duplicates(column, chooser)?;
            if let Some(report) = &mut report {
                report.write_all(b"game,kept,reason,differing,missing\n")?;
            }
            for game in 0..held.count() {
                let Some(duplicate) = sorted.of(game).context("temporary file")? else {
                    found = true;
                    held.copy(game, out)?;
                    continue;
                };
                if let Some(rejects) = &mut rejects {
                    held.copy(game, *rejects)?;
                }
                if let Some(report) = &mut report {
                    let mut line = Vec::new();
                    let cells = CsvCells::new(false);
                    for name in [held.name(game)?, held.name(duplicate.kept)?] {
                        cells.push(&name, &mut line);
                        line.push(b',');
                    }
                    report.write_all(&line)?;
                    writeln!(report, "{},{},{}", duplicate.reason(), duplicate.differing, duplicate.missing)?;
                }
            }
            Ok(exit)
        })?;
        Ok(self.inputs.or_none(exit, found))
    }

    /// Reads all games, and finds the duplicates among them.
    fn find_duplicates(&self, column: &'static Column, chooser: &Chooser) -> anyhow::Result<(Exit, Held, Duplicates)> {
        let job = Hashing { column, chooser, with_lines: true, is_exact: self.by == "exact" };
        let engine = self.inputs.how.engine().with_cut(chooser.cut(ANSWER));
        let mut duplicates = NearDuplicates::new(self.near);
        let mut held = Held::default();
        let mut long = 0u64;
        let exit = threads::answer(&self.pool, &self.inputs, engine, false, &job, |unit| {
            let Some(Hashed { bytes, games }) = unit.output.take() else { return Ok(()) };
            let mut written = 0;
            for HashedGame { hash, start, line } in games {
                held.write(&bytes[written..start])?;
                written = start;
                let Some(line) = line else { continue };
                long += u64::from(line.moves.is_none() && hash.is_some());
                duplicates.add(hash, line.moves.as_ref(), line.ways, line.size).context("temporary file")?;
                held.start(&format!("{}#{}", line.input, line.game))?;
            }
            held.write(&bytes[written..])
        })?;
        held.end()?;
        let sorted = duplicates.find().context("temporary file")?;
        let exit = if self.near.is_some() { exit.or(incomplete(long, duplicates.unfinished)) } else { exit };
        Ok((exit, held, sorted))
    }
}

/// Says what was not compared in full.
fn incomplete(long: u64, unfinished: u64) -> Exit {
    let mut exit = Exit::Done;
    for (count, what) in [
        (long, "has a main line of more than 1 MiB: it was compared with equal ones only"),
        (unfinished, "shares moves with more than 1,000 others: it was compared with 1,000 of them"),
    ] {
        if count > 0 {
            terminal::say(&format!("sgfq: of {count} games, each {what}"));
            exit = Exit::Found;
        }
    }
    exit
}

fn hash_of(column: &Column, row: &GameRow) -> Option<u128> {
    match column.get(row) {
        Cell::Text(digits) => u128::from_str_radix(digits, 16).ok(),
        _ => None,
    }
}

/// The bytes and the names of all games, in a temporary file.
#[derive(Default)]
struct Held {
    games: Spill,
    names: Spill,
    /// For each game, where its bytes and its name end.
    ends: Spill,
    /// More bytes of the last game may come.
    is_open: bool,
}

impl Held {
    /// Starts the next game.
    fn start(&mut self, name: &str) -> anyhow::Result<()> {
        self.end()?;
        self.is_open = true;
        self.names.write_all(name.as_bytes()).context("temporary file")
    }

    /// Adds bytes to the game.
    fn write(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.games.write_all(bytes).context("temporary file")
    }

    fn end(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.is_open) {
            let ends = [self.games.len(), self.names.len()].map(u64::to_le_bytes).concat();
            self.ends.write_all(&ends).context("temporary file")?;
        }
        Ok(())
    }

    fn count(&self) -> u64 {
        self.ends.len() / 16
    }

    /// Where bytes and name of a game begin and end.
    fn range(&mut self, game: u64, place: usize) -> anyhow::Result<(u64, u64)> {
        let mut bytes = Vec::new();
        let first = game.saturating_sub(1);
        self.ends.copy(first * 16, (game + 1 - first) * 16, &mut bytes)?;
        let ends: Vec<u64> = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect();
        let start = if game == 0 { 0 } else { ends[place] };
        Ok((start, ends[ends.len() - 2 + place]))
    }

    fn copy(&mut self, game: u64, out: &mut dyn Write) -> anyhow::Result<()> {
        let (start, end) = self.range(game, 0)?;
        Ok(self.games.copy(start, end - start, out)?)
    }

    fn name(&mut self, game: u64) -> anyhow::Result<String> {
        let (start, end) = self.range(game, 1)?;
        let mut name = Vec::new();
        self.names.copy(start, end - start, &mut name)?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }
}
