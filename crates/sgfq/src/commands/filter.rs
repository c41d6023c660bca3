//! `sgfq filter`: the games for which an expression is true.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use sgfstream_table::games::Choosing;

use crate::args::io::Io;
use crate::args::threads::{ANSWER, Pool};
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;

/// Write the games for which an expression is true.
///
/// The bytes of each game are kept; each game is followed by a newline. If the root node is enough to decide, the
/// rest of the game is skipped. `sgfq help expressions` describes EXPR, `sgfq get --columns` lists the columns.
#[derive(Debug, Args)]
#[command(
    mut_arg("where", |arg| arg.help("The expression, where it is not the first argument")),
    override_usage = "sgfq filter [OPTIONS] <EXPR> [INPUT]...",
    before_help = "Examples:\n\
\x20 sgfq filter \"winner = 'B' AND moves > 10\" games/ -o black.sgf\n\
\x20 sgfq filter \"any('C') LIKE '%hard%'\" games/"
)]
pub(crate) struct Filter {
    /// Write the other games to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Select the games that do *not* match.
    #[arg(short = 'v', long)]
    invert: bool,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Filter {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let filter = match self.io.choice.filter()? {
            Some(filter) => filter,
            None => {
                let first = self.io.inputs.take_first();
                let first = first.context("expected an expression as the first argument, found none")?;
                let is_input = Path::new(&first).exists();
                let text = first.to_string_lossy();
                sgfstream_table::filter::Filter::parse(&text).map_err(|err| match is_input {
                    true => anyhow::Error::new(err).context("the expression comes before the inputs"),
                    false => err.into(),
                })?
            }
        };
        self.io.inputs.how.ask_text(filter.asks_text());
        let job = Choosing::new(Some(filter)).inverted(self.invert).with_rejects(self.rejects.is_some());
        write_chosen(&job, self.rejects.as_deref(), &self.io, out)
    }
}

/// Writes the games that `job` chooses, and where the others are wanted, those to `rejects`.
pub(crate) fn write_chosen(
    job: &Choosing,
    rejects: Option<&Path>,
    io: &Io<Pool>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let is_shown = io.is_shown(out);
    let mut found = false;
    let exit = io.destination.with_others([rejects], &io.inputs, out, |out, [mut rejects]| {
        io.answer(is_shown, ANSWER.whole_if(job.needs_whole_entries()), job, |unit| {
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
    Ok(io.inputs.or_none(exit, found))
}
