//! `sgfq filter`: the games for which an expression is true.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use sgfstream_table::games::Choosing;

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::{self, ANSWER, Pool};
use crate::args::where_games::parse_filter;
use crate::io::output::Output;
use crate::report::cut;
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
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
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
                sgfstream_table::filter::Filter::parse(&text).map_err(|err| match is_input {
                    true => anyhow::Error::new(err).context("the expression comes before the inputs"),
                    false => err.into(),
                })?
            }
        };
        let job = Choosing::new(Some(filter)).inverted(self.invert).with_rejects(self.rejects.is_some());
        write_chosen(&job, self.rejects.as_deref(), &self.destination, &self.pool, &self.inputs, out)
    }
}

/// Writes the games that `job` chooses, and where the others are wanted, those to `rejects`.
pub(crate) fn write_chosen(
    job: &Choosing,
    rejects: Option<&Path>,
    destination: &Destination,
    pool: &Pool,
    inputs: &Inputs,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let is_shown = out.is_terminal() && destination.is_stdout();
    let mut found = false;
    let exit = destination.with_others([rejects], inputs, out, |out, [mut rejects]| {
        let engine = inputs.how.engine().with_cut(ANSWER.whole_if(job.needs_whole_entries()));
        threads::answer(pool, inputs, engine, is_shown, job, |unit| {
            let Some(chosen) = &unit.output else { return Ok(()) };
            found |= chosen.counts[0] > 0;
            cut::add(chosen.cut_texts);
            cut::add_unsearched(chosen.unsearched);
            out.write_all(&chosen.games)?;
            if let Some(rejects) = &mut rejects {
                rejects.write_all(&chosen.rejects)?;
            }
            Ok(())
        })
    })?;
    Ok(inputs.or_none(exit, found))
}
