//! `sgfq dedup`: each game once.

use std::ops::ControlFlow;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use sgfstream_table::row::{Column, ColumnSet};

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::where_games::Where;
use crate::io::output::Output;
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
    inputs: Inputs,
}

impl Dedup {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let name = if self.by == "exact" { "hash" } else { "canonical_hash" };
        let column = Column::find(name).expect("a column");
        let chooser = self.choice.parse()?;
        let mut seen = SpillingSet::default();
        let mut found = false;
        let exit = self.destination.with_rejects(self.rejects.as_deref(), &self.inputs, out, |out, mut rejects| {
            let builder = chooser.builder(ColumnSet::of([column]));
            self.inputs.games(self.inputs.how.options(), builder, |game| {
                if !chooser.chooses(game)? {
                    return Ok(ControlFlow::Continue(()));
                }
                let hash = match column.get(game.read_rest()?.row()) {
                    sgfstream_table::row::Cell::Text(digits) => u128::from_str_radix(digits, 16).ok(),
                    _ => None,
                };
                let is_new = match hash {
                    Some(hash) => seen.insert(hash).context("temporary file")?,
                    None => true,
                };
                if is_new {
                    found = true;
                    game.write_line(out)?;
                } else if let Some(rejects) = &mut rejects {
                    game.write_line(rejects)?;
                }
                Ok(ControlFlow::Continue(()))
            })
        })?;
        Ok(self.inputs.or_none(exit, found))
    }
}
