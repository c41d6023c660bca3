//! `sgfq filter`: the games for which an expression is true.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::adapt::row::ColumnSet;

use super::destination::{Destination, WholeFile};
use super::exit::Exit;
use super::games::Then;
use super::input::Inputs;
use super::output::Output;
use super::where_games::{Chooser, parse_filter};

/// Write the games for which an expression is true, their bytes as they were.
///
/// EXPR is SQL over the columns of a game's row (`sgfq get --columns` lists them): comparison, BETWEEN,
/// IN, LIKE, ILIKE, `~` (regular expression), IS NULL, AND, OR, NOT, arithmetic; and `prop('KM')`, the
/// first value of a property; `has('C')`; `any('C') LIKE '%ko%'`, some value of a property; `move(4)`.
/// A game whose root node decides is not read further. Behind each game stands a line break.
#[derive(Debug, Args)]
pub(super) struct Filter {
    /// What must be true of a game.
    #[arg(long = "where", value_name = "EXPR")]
    expression: String,

    /// Write the other games to this file.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Exchange the games that are chosen and the others.
    #[arg(short = 'v', long)]
    invert: bool,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

impl Filter {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let chooser = Chooser::new(parse_filter(&self.expression)?);
        let mut rejects = self.rejects.as_deref().map(WholeFile::create).transpose()?;
        let mut found = false;
        let exit = self.destination.with(out, |out| {
            let builder = chooser.builder(ColumnSet::default());
            self.inputs.games(self.inputs.how.options(), builder, |game| {
                let chosen = chooser.chooses(game)? != self.invert;
                found |= chosen;
                let out: Option<&mut dyn Write> = match (chosen, &mut rejects) {
                    (true, _) => Some(&mut *out),
                    (false, Some(rejects)) => Some(rejects),
                    (false, None) => None,
                };
                if let Some(out) = out {
                    game.pass()?;
                    game.write_line(out)?;
                }
                Ok(Then::Go)
            })
        })?;
        if let Some(rejects) = rejects {
            rejects.finish()?;
        }
        Ok(if found { exit } else { exit.or(Exit::Found) })
    }
}
