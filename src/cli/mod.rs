//! Floor 6: the command `sgfq`, what the user sees. One command, one file: its
//! arguments, its help, its `run`. The answer goes to stdout, progress and
//! problems to stderr.

mod count;
mod events;
mod exit;
#[cfg(feature = "index")]
mod index;
mod input;
mod output;
mod schedule;
mod stats;
mod terminal;
mod tree;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use exit::Exit;
use output::Output;

/// jq for game records: reads archives of SGF of any size.
#[derive(Debug, Parser)]
#[command(name = "sgfq", version, about, max_term_width = 100, propagate_version = true)]
#[command(
    after_help = "Exit status: 0 done; 1 findings, or nothing matched; 2 usage, or an input that could not be read."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Count(count::Count),
    Events(events::Events),
    #[cfg(feature = "index")]
    Index(index::Index),
    Stats(stats::Stats),
    Tree(tree::Tree),
}

impl Command {
    fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        match self {
            Self::Count(command) => command.run(out),
            Self::Events(command) => command.run(out),
            #[cfg(feature = "index")]
            Self::Index(command) => command.run(out),
            Self::Stats(command) => command.run(out),
            Self::Tree(command) => command.run(out),
        }
    }
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => {
            // Help and version are answers; the rest is usage.
            let exit = if err.use_stderr() { Exit::Unreadable } else { Exit::Done };
            return match err.print() {
                Ok(()) => exit.into(),
                Err(err) => exit::on_output_error(&err),
            };
        }
    };
    let mut out = Output::stdout();
    let result = cli.command.run(&mut out).and_then(|exit| {
        out.finish()?;
        Ok(exit)
    });
    match result {
        Ok(exit) => exit.into(),
        Err(err) => exit::report(&err),
    }
}
