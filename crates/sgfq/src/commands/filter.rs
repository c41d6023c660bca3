//! `sgfq filter`: writes the games that match an expression.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use sgfstream_engine::PartEnd;
use sgfstream_table::filter as expression;
use sgfstream_table::games::GameExtractor;
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::io::Io;
use crate::args::threads::{ANSWER, OutputTiming, Pool, ProgressWhen};
use crate::io::new_files::NewFiles;
use crate::io::output::Output;
use crate::io::relative_names::RelativeNames;
use crate::report::cut;
use crate::report::exit::Exit;

/// Write the games for which an expression is true.
///
/// `filter` keeps the bytes of each game and ends each game with a newline. If the root node
/// already fails EXPR, `filter` skips the rest of the game. With `-d`, each file keeps its name
/// relative to its input. If two names are equal, the second ends in -2. Existing files are never
/// replaced. `sgfq help expressions` describes EXPR, and `sgfq get --list` lists the columns.
#[derive(Debug, Args)]
#[command(
    mut_arg("where", |arg| arg.help("The expression, if it is not the first argument")),
    override_usage = "sgfq filter [OPTIONS] <EXPR> [INPUT]...",
    before_help = "Examples:\n\
\x20 sgfq filter \"winner = 'B' AND moves > 10\" games/ -o black.sgf\n\
\x20 sgfq filter \"any('C') LIKE '%hard%'\" games/\n\
\x20 sgfq filter \"moves > 100\" -d long games/"
)]
pub(crate) struct Filter {
    /// Write the other games to FILE.
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// Write the selected games of each file or member to a file of the same name in DIR.
    #[arg(short = 'd', long, value_name = "DIR", conflicts_with_all = ["file", "rejects"])]
    directory: Option<PathBuf>,

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
                let first =
                    first.context("the expression is missing; write it before the inputs")?;
                let is_input = Path::new(&first).exists();
                let text = first.to_string_lossy();
                let expanded = self.io.choice.aliases()?.expand(&text);
                expanded
                    .and_then(|text| expression::Filter::parse(&text))
                    .map_err(|err| match is_input {
                        true => anyhow::Error::new(err)
                            .context("write the expression before the inputs"),
                        false => err.into(),
                    })?
            }
        };
        cut::add_queries(filter.queries());
        self.io.inputs.how.ask_text(filter.asks_text());
        if let Some(directory) = &self.directory {
            return self.write_files(directory, &filter, out);
        }
        let job = GameExtractor {
            filter: Some(filter),
            is_inverted: self.invert,
            has_rejects: self.rejects.is_some(),
        };
        write_chosen(&job, self.rejects.as_deref(), false, &self.io, out)
    }
}

impl Filter {
    /// Writes a file for each entry. It uses one thread, because the file system is the bottleneck.
    fn write_files(
        &self,
        directory: &Path,
        filter: &expression::Filter,
        out: &mut Output,
    ) -> anyhow::Result<Exit> {
        let inputs = &self.io.inputs;
        let (mut files, names) = (
            NewFiles::create(directory, None)?,
            RelativeNames::new(inputs.parsed()),
        );
        let mut filled = filter.row(ColumnSet::default());
        let exit = inputs.each(ProgressWhen::Never, |part| {
            let name = part.name();
            if files.has_written(name.path()) {
                return Ok(ControlFlow::Continue(PartEnd::default()));
            }
            let entry = name.to_string();
            let mut rows = RowReader::of_part(part, &mut filled)?;
            while rows.next_root()? {
                if rows.decide(filter)? == Some(!self.invert) && rows.read_rest()?.is_some() {
                    rows.write_line(files.of(&entry, &names)?)?;
                }
            }
            Ok(ControlFlow::Continue(rows.end()?))
        })?;
        let found = files.count > 0;
        files.finish(out)?;
        Ok(inputs.or_none(exit, found))
    }
}

/// Writes the games that `job` selects to `out`, and the other games to `rejects`, if it is given.
/// If `found`, the exit status does not report that no game was selected.
pub(crate) fn write_chosen(
    job: &GameExtractor,
    rejects: Option<&Path>,
    mut found: bool,
    io: &Io<Pool>,
    out: &mut Output,
) -> anyhow::Result<Exit> {
    let timing = OutputTiming::Streamed {
        is_shown: io.is_shown(out),
    };
    let exit = io
        .destination
        .with_others([rejects], &io.inputs, out, |out, [mut rejects]| {
            io.read(timing, ANSWER, job, |result| {
                let chosen = &result.output;
                found |= chosen.counts[0] > 0;
                out.write_all(&chosen.games)?;
                if let Some(rejects) = &mut rejects {
                    rejects.write_all(&chosen.rejects)?;
                }
                Ok(())
            })
        })?;
    Ok(io.inputs.or_none(exit, found))
}
