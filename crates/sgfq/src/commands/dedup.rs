//! `sgfq dedup`: each game once.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use sgfstream_engine::{Job, Out, Part, PartEnd};
use sgfstream_table::row::{Cell, Column, ColumnSet, RowBuilder};

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::{self, Pool};
use crate::args::where_games::{Chooser, Where};
use crate::io::games::games_of;
use crate::io::output::Output;
use crate::io::sending::Sending;
use crate::io::spilling_set::SpillingSet;
use crate::report::exit::Exit;

/// Write each game once: the first of the games with the same main line.
///
/// Two games are equal if game type, board, setup and moves are equal; players, comments and variations are not
/// compared. A game without moves and setup is never a duplicate. Up to 450,000 different games are remembered
/// in memory, more in a temporary file.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq dedup games/ -o unique.sgf\n\
\x20 sgfq dedup --by symmetric games/ -o unique.sgf --rejects duplicates.sgf")]
pub(crate) struct Dedup {
    /// `exact`, or `symmetric` to ignore rotation and reflection of the board (Go: 8 symmetries, Hex: 2).
    #[arg(long, value_parser = ["exact", "symmetric"], default_value = "exact")]
    by: String,

    /// Write the duplicates to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

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
struct Hashing {
    column: &'static Column,
    chooser: Chooser,
}

/// Games of a unit.
#[derive(Default)]
struct Hashed {
    bytes: Vec<u8>,
    /// The hash of each game, if it has one, and where its bytes begin. Bytes before the first belong to the last game
    /// of the output before.
    games: Vec<(Option<u128>, usize)>,
}

impl Job for Hashing {
    type Worker = RowBuilder;
    type Output = Hashed;

    fn worker(&self) -> RowBuilder {
        self.chooser.builder(ColumnSet::of([self.column]))
    }

    fn output(&self) -> Hashed {
        Hashed::default()
    }

    fn read(&self, builder: &mut RowBuilder, part: Part<'_>, hashed: &mut Out<'_, Hashed>) -> anyhow::Result<PartEnd> {
        let read = games_of(part, builder, |game| {
            if !self.chooser.chooses(game)? {
                return Ok(ControlFlow::Continue(()));
            }
            let hash = match self.column.get(game.read_rest()?.row()) {
                Cell::Text(digits) => u128::from_str_radix(digits, 16).ok(),
                _ => None,
            };
            let start = hashed.bytes.len();
            hashed.games.push((hash, start));
            game.write_line(&mut Sending::new(hashed, |hashed| &mut hashed.bytes))?;
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(read.continue_value().unwrap_or_default())
    }
}

impl Dedup {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let name = if self.by == "exact" { "hash" } else { "canonical_hash" };
        let column = Column::find(name).expect("a column");
        let mut seen = SpillingSet::default();
        let (mut found, mut is_new) = (false, false);
        let is_shown = out.is_terminal() && self.destination.is_stdout();
        let pool = self.pool.into();
        let job = Hashing { column, chooser: self.choice.parse()? };
        let engine = self.inputs.how.engine().uncut(job.chooser.needs_whole_entries());
        let exit = self.destination.with_rejects(self.rejects.as_deref(), &self.inputs, out, |out, mut rejects| {
            let mut write = |is_new: bool, bytes: &[u8]| match (is_new, &mut rejects) {
                (true, _) => out.write_all(bytes),
                (false, Some(rejects)) => rejects.write_all(bytes),
                (false, None) => Ok(()),
            };
            threads::answer(&pool, &self.inputs, engine, is_shown, &job, |unit| {
                let Some(Hashed { bytes, games }) = &unit.output else { return Ok(()) };
                let mut written = 0;
                for &(hash, start) in games {
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
}
