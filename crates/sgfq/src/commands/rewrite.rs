//! `sgfq rewrite`: games changed on their way through.

use std::io::Write;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use sgfstream::adapt::rewrite::{EDITS, Edit, Notes, Rewriter, edit};

use crate::args::destination::Destination;
use crate::args::in_place::InPlace;
use crate::args::input::Inputs;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal;

/// Edit games; every byte that no edit concerns is kept.
///
/// Edits are applied in the order in which they are given. Without edits, the output equals the input. With edits,
/// missing parentheses inside a game are written, and bytes that no reader understands are left out and counted;
/// text between games is kept.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq rewrite --strip comments --canonical game.sgf\n\
\x20 sgfq rewrite --utf8 --in-place --backup old.sgf")]
pub(crate) struct Rewrite {
    #[command(flatten)]
    edits: Edits,

    #[command(flatten)]
    in_place: InPlace,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

/// The edits that were asked for, in order: names and arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits(Vec<(&'static str, String)>);

impl Edits {
    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(found, _)| *found == name)
    }

    fn make(&self) -> anyhow::Result<Vec<Box<dyn Edit>>> {
        self.0.iter().map(|(name, argument)| edit(name, argument).with_context(|| format!("--{name}"))).collect()
    }
}

impl FromArgMatches for Edits {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut edits = Self::default();
        edits.update_from_arg_matches(matches)?;
        Ok(edits)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut found: Vec<(usize, &'static str, String)> = Vec::new();
        for entry in EDITS {
            let Some(values) = matches.get_many::<String>(entry.name) else { continue };
            let places = matches.indices_of(entry.name).expect("values have places");
            found.extend(places.zip(values).map(|(place, value)| (place, entry.name, value.clone())));
        }
        found.sort_unstable();
        self.0 = found.into_iter().map(|(_, name, value)| (name, value)).collect();
        Ok(())
    }
}

impl Args for Edits {
    fn augment_args(command: Command) -> Command {
        EDITS.iter().fold(command, |command, entry| {
            let arg = Arg::new(entry.name)
                .long(entry.name)
                .help(entry.description)
                .help_heading("Edits")
                .action(ArgAction::Append);
            command.arg(if entry.argument.is_empty() {
                arg.num_args(0).default_missing_value("")
            } else {
                arg.value_name(entry.argument)
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Rewrite {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let edits = self.edits.make()?;
        if self.in_place.in_place {
            return self.in_place();
        }
        self.destination.with(&self.inputs, out, |out| to_one(&self.inputs, edits, out))
    }

    fn in_place(&self) -> anyhow::Result<Exit> {
        let options = self.inputs.how.options().with_gaps(true);
        let mut notes = Notes::default();
        let exit = self.in_place.each(&self.inputs, options, self.edits.has("utf8"), |name, part, file| {
            let mut rewriter = Rewriter::new(file, self.edits.make()?);
            let mut reader = part.reader();
            rewriter.read(&mut reader)?;
            let (_, report) = rewriter.finish().with_context(|| name.to_owned())?;
            notes.merge(&report.notes);
            Ok(reader.finish()?)
        })?;
        Ok(exit.or(tell(&notes)))
    }
}

/// Rewrites all inputs to one output.
pub(crate) fn to_one(inputs: &Inputs, edits: Vec<Box<dyn Edit>>, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let options = inputs.how.options().with_gaps(true);
    let mut rewriter = Rewriter::new(out, edits);
    let exit = inputs.each_reader(options, |_, reader| Ok(rewriter.read(reader)?))?;
    let (_, report) = rewriter.finish()?;
    Ok(exit.or(tell(&report.notes)))
}

/// Writes what could not be done to stderr. What is too long to be held is left
/// as it was, and the exit status says so.
fn tell(notes: &Notes) -> Exit {
    for (note, count) in notes.iter() {
        terminal::say(&format!("sgfq: {note} ({count})"));
    }
    if notes.is_cut() { Exit::Found } else { Exit::Done }
}
