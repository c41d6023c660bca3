//! The command `sgfq`. Each subcommand is in one file with its arguments, its help and its `run`.
//! Results go to stdout; progress and problems go to stderr.
//!
//! It is a library with one function, so that the Python module can run the command, too.

mod args;
mod commands;
mod io;
mod report;

use std::ffi::OsString;
use std::num::ParseIntError;
use std::sync::atomic::Ordering;

use clap::error::{ContextKind, ErrorKind};
use clap::{FromArgMatches, Parser, Subcommand};

use io::output::Output;
use report::exit::Exit;

/// Read, check, filter and index archives of SGF game records.
#[derive(Debug, Parser)]
#[command(
    name = "sgfq",
    version = env!("SGFQ_VERSION"),
    about,
    max_term_width = 100,
    propagate_version = true,
    disable_help_subcommand = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Declares the commands in the order of the help. A command with a type gets the definition of the
/// whole command line.
macro_rules! commands {
    ($($name:ident($args:path) $($cli:ident)?,)*) => {
        #[derive(Debug, Subcommand)]
        enum Command {
            $($name($args),)*
        }

        impl Command {
            fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
                match self {
                    $(Self::$name(command) => command.run$(::<$cli>)?(out),)*
                }
            }
        }
    };
}

commands! {
    Board(commands::board::Board),
    Cat(commands::cat::Cat),
    Charset(commands::charset::Charsets),
    Check(commands::check::Check),
    Completions(commands::completions::Completions) Cli,
    Count(commands::count::Count),
    Dedup(commands::dedup::Dedup),
    Events(commands::events::Events),
    Explain(commands::explain::Explain),
    Explore(commands::explore::Explore),
    Filter(commands::filter::Filter),
    Find(commands::find::Find),
    Fix(commands::fix::Fix),
    Freq(commands::freq::Freq),
    Get(commands::get::Get),
    Grep(commands::grep::Grep),
    Head(commands::select::Head),
    Help(commands::help::Help) Cli,
    Man(commands::man::Man) Cli,
    Merge(commands::merge::Merge),
    Moves(commands::moves::Moves),
    Openings(commands::openings::Openings),
    Players(commands::players::Players),
    Rewrite(commands::rewrite::Rewrite),
    Sample(commands::select::Sample),
    Sort(commands::sort::Sort),
    Split(commands::split::Split),
    Index(commands::index::Index),
    Stats(commands::stats::Stats),
    Tree(commands::tree::Tree),
    Variations(commands::variations::Variations),
}

/// Accepts `head -5` for `head -n 5`, as other programs of this name do.
fn with_counts(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut all: Vec<OsString> = arguments.collect();
    if all.get(1).is_some_and(|command| command == "head") {
        for at in 2..all.len() {
            let number = all[at].to_str().and_then(|text| text.strip_prefix('-'));
            let is_number = number.is_some_and(|digits| {
                digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty()
            });
            // The number may be the value of the option before it.
            let is_free = at == 2 || !all[at - 1].to_string_lossy().starts_with('-');
            if is_number && is_free {
                all[at] = format!("-n{}", number.unwrap_or_default()).into();
            }
        }
    }
    all
}

/// Removed commands with their replacements.
const REMOVED: [(&str, &str); 4] = [
    (
        "diff",
        "`git diff` over `sgfq rewrite --canonical`, or compare the `canonical_hash` of two tables",
    ),
    ("mainline", "`sgfq rewrite --main-line`"),
    ("slice", "`sgfq cat --games 5-10`"),
    ("tail", "`sgfq cat --games -5`"),
];

/// Adds the replacement of a removed command to an error.
fn with_replacement(err: clap::Error) -> clap::Error {
    let name = err
        .get(ContextKind::InvalidSubcommand)
        .map(ToString::to_string);
    match REMOVED
        .iter()
        .find(|(removed, _)| name.as_deref() == Some(removed))
    {
        Some((removed, replacement)) => {
            let message = format!(
                "`sgfq {removed}` was removed; use {replacement}; see docs/collections.md\n"
            );
            clap::Error::raw(ErrorKind::InvalidSubcommand, message)
        }
        None if name
            .as_deref()
            .is_some_and(|name| std::path::Path::new(name).exists()) =>
        {
            let file = name.unwrap_or_default();
            let word = report::terminal::quoted(&file);
            let kind = if std::path::Path::new(&file).is_dir() {
                "folder"
            } else {
                "file"
            };
            let message = format!(
                "`{file}` is a {kind}, and a command comes first: try `sgfq stats {word}` for an overview, `sgfq check {word}`, \
                 `sgfq board {word}` or `sgfq explore {word}`; `sgfq help` lists all commands\n"
            );
            clap::Error::raw(ErrorKind::InvalidSubcommand, message)
        }
        None => err,
    }
}

/// Rewrites the message "invalid digit found in string", which does not say that a number is
/// missing, a range in the spelling of Rust, and the message about a missing column.
fn in_plain_words(err: clap::Error) -> clap::Error {
    let source = std::error::Error::source(&err);
    let is_number = source.is_some_and(|source| source.is::<ParseIntError>());
    let message = source.map(ToString::to_string).unwrap_or_default();
    let range = message
        .split_once(" is not in ")
        .and_then(|(_, range)| range.split_once(".."));
    let (Some(option), Some(value)) = (
        err.get(ContextKind::InvalidArg),
        err.get(ContextKind::InvalidValue),
    ) else {
        return err;
    };
    let said = if is_number {
        format!("invalid value '{value}' for '{option}': expected a whole number from 0")
    } else if let Some((least, most)) = range {
        // A range without an end has an end without `=`.
        let most = most.strip_prefix('=').map(|most| format!(" to {most}"));
        format!(
            "invalid value '{value}' for '{option}': expected a number from {least}{}",
            most.unwrap_or_default()
        )
    } else if value.to_string().is_empty() && option.to_string().ends_with("<COLUMN>") {
        // The names of all columns would fill a screen.
        format!("{option} needs a column; `sgfq get --list` lists the columns")
    } else {
        return err;
    };
    let said = format!("{said}\n\nFor more information, try '--help'.\n");
    clap::Error::raw(err.kind(), said)
}

/// Runs a command line and returns the exit status. The first argument is the program's name. The
/// function may end the process, for example on Ctrl-C.
#[must_use]
pub fn run(arguments: impl Iterator<Item = OsString>) -> u8 {
    io::interrupt::install_handlers();
    let parsed = commands::help::command_line::<Cli>()
        .try_get_matches_from(with_counts(arguments))
        .and_then(|matches| {
            let quiet = matches
                .subcommand()
                .and_then(|(_, of)| of.try_get_one("quiet").ok()?);
            report::terminal::IS_QUIET.store(quiet == Some(&true), Ordering::Relaxed);
            Cli::from_arg_matches(&matches)
        });
    let cli = match parsed {
        Ok(cli) => cli,
        Err(err) => {
            let err = with_replacement(in_plain_words(err));
            // Help and version are requested output, not usage errors.
            let exit = if err.use_stderr() {
                Exit::Unreadable
            } else {
                Exit::Done
            };
            return match err.print() {
                Ok(()) => exit.status(),
                Err(err) => report::exit::report(&err.into()),
            };
        }
    };
    let mut out = Output::stdout();
    let result = cli.command.run(&mut out).and_then(|exit| {
        out.finish()?;
        Ok(report::cut::report(exit))
    });
    match result {
        Ok(Exit::Interrupted) => io::interrupt::status(),
        Ok(exit) => exit.status(),
        Err(err) => report::exit::report(&err),
    }
}
