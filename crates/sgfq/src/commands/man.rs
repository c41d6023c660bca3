//! `sgfq man`: manual pages generated from the command line definition.

use clap::{Args, CommandFactory};

use crate::commands::help;
use crate::io::output::Output;
use crate::report::exit::Exit;

/// Print the manual page of sgfq, or of one command, with all options.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq man > sgfq.1\n\
\x20 sgfq man check > sgfq-check.1")]
pub(crate) struct Man {
    /// The command.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl Man {
    pub(crate) fn run<C: CommandFactory>(self, out: &mut Output) -> anyhow::Result<Exit> {
        let command = match &self.command {
            None => C::command().subcommand_required(true),
            Some(name) => help::manual::<C>(name)?,
        };
        // Without commit and target, so that the page is the same on every machine.
        clap_mangen::Man::new(command.version(env!("CARGO_PKG_VERSION"))).render(out)?;
        Ok(Exit::Done)
    }
}
