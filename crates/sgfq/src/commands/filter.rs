//! `sgfq filter`: the games for which an expression is true.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use sgfstream_engine::{Job, Out, Part, PartEnd};
use sgfstream_table::row::{ColumnSet, RowBuilder};

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::{self, AnswerPool};
use crate::args::where_games::{Chooser, parse_filter};
use crate::io::games::games_of;
use crate::io::output::Output;
use crate::io::sending::Sending;
use crate::report::exit::Exit;

/// Write the games for which an expression is true.
///
/// The bytes of each game are kept; each game is followed by a newline. If the root node is enough to decide, the
/// rest of the game is skipped. `sgfq help expressions` describes EXPR, `sgfq get --columns` lists the columns.
#[derive(Debug, Args)]
#[command(
    override_usage = "sgfq filter [OPTIONS] <EXPR> [INPUT]...",
    before_help = "Examples:\n\
\x20 sgfq filter \"winner = 'B' AND moves > 10\" games/ -o black.sgf\n\
\x20 sgfq filter \"any('C') LIKE '%hard%'\" games/"
)]
pub(crate) struct Filter {
    /// The expression, where it is not the first argument.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    expression: Option<String>,

    /// Write the other games to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Select the games that do *not* match.
    #[arg(short = 'v', long)]
    invert: bool,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    pool: AnswerPool,

    #[command(flatten)]
    inputs: Inputs,
}

/// Chooses games of a unit.
struct Choosing {
    chooser: Chooser,
    invert: bool,
    has_rejects: bool,
}

/// What a unit comes to.
#[derive(Default)]
struct Chosen {
    games: Vec<u8>,
    /// The games that were not chosen, where they are wanted.
    rejects: Vec<u8>,
    found: bool,
}

impl Job for Choosing {
    type Worker = RowBuilder;
    type Output = Chosen;

    fn worker(&self) -> RowBuilder {
        self.chooser.builder(ColumnSet::default())
    }

    fn output(&self) -> Chosen {
        Chosen::default()
    }

    fn read(&self, builder: &mut RowBuilder, part: Part<'_>, chosen: &mut Out<'_, Chosen>) -> anyhow::Result<PartEnd> {
        let read = games_of(part, builder, |game| {
            let is_chosen = self.chooser.chooses(game)? != self.invert;
            chosen.found |= is_chosen;
            if is_chosen || self.has_rejects {
                let place: fn(&mut Chosen) -> &mut Vec<u8> =
                    if is_chosen { |chosen| &mut chosen.games } else { |chosen| &mut chosen.rejects };
                game.write_line(&mut Sending::new(chosen, place))?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(read.continue_value().unwrap_or_default())
    }
}

impl Filter {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let filter = match &self.expression {
            Some(expression) => parse_filter(expression)?,
            None => {
                let first = self.inputs.take_first();
                let first = first.context("expected an expression as the first argument, found none")?;
                let is_input = Path::new(&first).exists();
                let text = first.to_string_lossy();
                let hint = if is_input { "; the expression comes before the inputs" } else { "" };
                sgfstream_table::filter::Filter::parse(&text).map_err(|err| anyhow::anyhow!("{err}{hint}"))?
            }
        };
        let job = Choosing { chooser: Chooser::new(filter), invert: self.invert, has_rejects: self.rejects.is_some() };
        job.run(self.rejects.as_deref(), &self.destination, &self.pool, &self.inputs, out)
    }
}

/// Writes the games that `chooser` chooses.
pub(crate) fn write_games(
    chooser: Chooser,
    destination: &Destination,
    pool: &AnswerPool,
    inputs: &Inputs,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    Choosing { chooser, invert: false, has_rejects: false }.run(None, destination, pool, inputs, out)
}

impl Choosing {
    fn run(
        &self,
        rejects: Option<&Path>,
        destination: &Destination,
        pool: &AnswerPool,
        inputs: &Inputs,
        out: &mut Output,
    ) -> anyhow::Result<Exit> {
        let is_shown = out.is_terminal() && destination.is_stdout();
        let mut found = false;
        let exit = destination.with_rejects(rejects, inputs, out, |out, mut rejects| {
            let engine = inputs.how.engine().uncut(self.chooser.needs_whole_entries());
            threads::answer(pool, inputs, engine, is_shown, self, |unit| {
                let Some(chosen) = &unit.output else { return Ok(()) };
                found |= chosen.found;
                out.write_all(&chosen.games)?;
                if let Some(rejects) = &mut rejects {
                    rejects.write_all(&chosen.rejects)?;
                }
                Ok(())
            })
        })?;
        Ok(inputs.or_none(exit, found))
    }
}
