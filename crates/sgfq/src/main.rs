//! The command `sgfq`, what the user sees. One command, one file: its
//! arguments, its help, its `run`. The answer goes to stdout, progress and
//! problems to stderr.

mod bench;
mod cap_args;
mod cat;
mod charset;
mod check;
mod count;
mod dedup;
mod destination;
mod detect;
mod diff;
mod events;
mod exit;
mod explain;
mod filter;
mod fix;
mod freq;
mod games;
mod get;
mod help;
mod in_place;
mod index;
mod input;
mod interrupt;
mod json;
mod moves;
mod output;
mod pick;
mod rewrite;
mod schedule;
mod seen;
mod shelf;
mod split;
mod stats;
mod temporary;
mod terminal;
mod tree;
mod where_games;

use std::process::ExitCode;

use clap::{FromArgMatches, Parser, Subcommand};

use exit::Exit;
use output::Output;

/// Read, check, filter and index archives of SGF game records.
#[derive(Debug, Parser)]
#[command(
    name = "sgfq",
    version,
    about,
    max_term_width = 100,
    propagate_version = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Bench),
    Cat(cat::Cat),
    Charset(charset::Charsets),
    Check(check::Check),
    Count(count::Count),
    Dedup(dedup::Dedup),
    Diff(diff::Diff),
    Events(events::Events),
    Explain(explain::Explain),
    Filter(filter::Filter),
    Fix(fix::Fix),
    Freq(freq::Freq),
    Get(get::Get),
    Head(pick::Head),
    Help(help::Help),
    Mainline(moves::Mainline),
    Moves(moves::Moves),
    Rewrite(rewrite::Rewrite),
    Sample(pick::Sample),
    Slice(pick::Slice),
    Split(split::Split),
    Index(index::Index),
    Stats(stats::Stats),
    Tail(pick::Tail),
    Tree(tree::Tree),
}

impl Command {
    fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        match self {
            Self::Bench(command) => command.run(out),
            Self::Cat(command) => command.run(out),
            Self::Charset(command) => command.run(out),
            Self::Check(command) => command.run(out),
            Self::Count(command) => command.run(out),
            Self::Dedup(command) => command.run(out),
            Self::Diff(command) => command.run(out),
            Self::Events(command) => command.run(out),
            Self::Explain(command) => command.run(out),
            Self::Filter(command) => command.run(out),
            Self::Fix(command) => command.run(out),
            Self::Freq(command) => command.run(out),
            Self::Get(command) => command.run(out),
            Self::Head(command) => command.run(out),
            Self::Help(command) => command.run::<Cli>(out),
            Self::Mainline(command) => command.run(out),
            Self::Moves(command) => command.run(out),
            Self::Rewrite(command) => command.run(out),
            Self::Sample(command) => command.run(out),
            Self::Slice(command) => command.run(out),
            Self::Split(command) => command.run(out),
            Self::Index(command) => command.run(out),
            Self::Stats(command) => command.run(out),
            Self::Tail(command) => command.run(out),
            Self::Tree(command) => command.run(out),
        }
    }
}

/// Runs the command line of this process.
fn main() -> ExitCode {
    let parsed = help::command_line::<Cli>().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
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
    interrupt::obey();
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
