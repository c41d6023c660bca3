//! Arguments of nearly all commands: inputs, filter and destination.

use std::io::Write;

use clap::Args;

use sgfstream_engine::{Job, OutputWriter, Part, PartEnd, PartResult, PartSize};

use crate::args::destination::Destination;
use crate::args::input::Inputs;
use crate::args::threads::Lines;
use crate::args::threads::{self, OutputTiming, Pool};
use crate::args::where_games::{Chooser, WhereArgs};
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Arguments of a command that reads games and writes an answer. `P` is [`Pool`] if it reads on all
/// cores.
#[derive(Debug, Args)]
pub(crate) struct Io<P: Args = OneThread> {
    #[command(flatten)]
    pub(crate) choice: WhereArgs,

    #[command(flatten)]
    pub(crate) destination: Destination,

    #[command(flatten)]
    pub(crate) pool: P,

    #[command(flatten)]
    pub(crate) inputs: Inputs,
}

/// No arguments: the command reads on one thread.
#[derive(Debug, Args)]
pub(crate) struct OneThread {}

impl<P: Args> Io<P> {
    /// Same as [`WhereArgs::parse_without_text`].
    pub(crate) fn parse_without_text(&mut self) -> anyhow::Result<Chooser> {
        self.choice.parse_without_text(&mut self.inputs)
    }

    /// Runs `write` with the destination.
    pub(crate) fn with<T>(
        &self,
        out: &mut Output,
        write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        self.destination
            .with_others([], &self.inputs, out, |out, []| write(out))
    }

    /// Returns whether stdout is a terminal and gets the output.
    pub(crate) fn is_shown(&self, out: &Output) -> bool {
        out.is_terminal() && self.destination.is_stdout()
    }
}

impl Io<Pool> {
    /// Reads the inputs with `job`. Same as [`threads::read`].
    pub(crate) fn read<J: Job>(
        &self,
        timing: OutputTiming,
        part_size: PartSize,
        job: &J,
        take: impl FnMut(&mut PartResult<J::Output>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Exit> {
        let engine = self.inputs.how.engine().with_part_size(part_size);
        threads::read(&self.pool, &self.inputs, engine, timing, job, take)
    }

    /// Writes the output of `write` for each entry. One worker reads an entry.
    pub(crate) fn write_entries(
        &self,
        out: &mut Output,
        chooser: &Chooser,
        write: impl Fn(Part<'_>, &mut dyn Write) -> anyhow::Result<PartEnd> + Sync,
    ) -> anyhow::Result<Exit> {
        let job = threads::each_part(
            || (),
            |(), part, lines| {
                write(
                    part,
                    &mut OutputWriter::new(lines, |lines: &mut Lines| &mut lines.text),
                )
            },
        );
        self.write_lines(out, chooser, PartSize::Whole, "", &job)
    }

    /// Writes `head`, then the lines that `job` makes of the selected games.
    pub(crate) fn write_lines<J: Job<Output = Lines>>(
        &self,
        out: &mut Output,
        chooser: &Chooser,
        part_size: PartSize,
        head: &str,
        job: &J,
    ) -> anyhow::Result<Exit> {
        let is_shown = self.is_shown(out);
        let exit = self.with(out, |out| {
            out.write_all(head.as_bytes())?;
            self.read(
                OutputTiming::Streamed { is_shown },
                part_size,
                job,
                |result| Ok(out.write_all(result.output.numbered(&result.before))?),
            )
        })?;
        Ok(chooser.or_none(&self.inputs, exit))
    }
}
