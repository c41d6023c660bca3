//! `sgfq rewrite`: games changed on their way through.

use std::ffi::OsString;
use std::fs;
use std::io::Write;

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use crate::adapt::rewrite::{EDITS, Edit, Report, Rewriter, edit};
use crate::archive::EntryName;
use crate::read::{Options, Reader};

use super::destination::{Destination, WholeFile};
use super::exit::Exit;
use super::games::Then;
use super::input::Inputs;
use super::output::Output;
use super::terminal;

/// Change games on their way through, and leave every other byte as it was.
///
/// The edits are done in the order in which they stand. Without edits the output is the input. With
/// edits, what a reader has to supply inside a game (a missing parenthesis) is written, and what it
/// cannot understand is left out and counted; text between games stays.
#[derive(Debug, Args)]
pub(super) struct Rewrite {
    #[command(flatten)]
    edits: Edits,

    /// Write each file in place of the old one. Files in archives cannot be.
    #[arg(long, conflicts_with = "file")]
    in_place: bool,

    /// With `--in-place`: keep the old file under its name with this behind it.
    #[arg(long, value_name = "SUFFIX", requires = "in_place", num_args = 0..=1, default_missing_value = ".bak", require_equals = true)]
    backup: Option<OsString>,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

/// The edits that were asked for, in order: names and arguments.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits(Vec<(&'static str, String)>);

impl Edits {
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
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let edits = self.edits.make()?;
        if self.in_place {
            return self.in_place(edits);
        }
        self.destination.with(out, |out| to_one(&self.inputs, edits, out))
    }

    fn in_place(&self, edits: Vec<Box<dyn Edit>>) -> anyhow::Result<Exit> {
        drop(edits);
        let options = Options { gaps: true, ..self.inputs.how.options() };
        let mut exit = Exit::Done;
        let mut told = Report::default();
        let walked = self.inputs.each_named(|name: &EntryName, only, mut read| {
            if name.members().len() > 0 || name.path().as_os_str() == "-" || only.is_some() || !is_plain(name) {
                terminal::say(&format!(
                    "sgfq: {name}: expected a plain file to write in place of, found another; left as it is"
                ));
                exit = exit.or(Exit::Unreadable);
                return Ok(Then::Go);
            }
            let mut file = WholeFile::create(name.path())?;
            let mut rewriter = Rewriter::new(&mut file, self.edits.make()?);
            rewriter.read(Reader::with_options(&mut read, options))?;
            if read.is_transcoding() {
                terminal::say(&format!("sgfq: {name}: written in UTF-8"));
            }
            let (_, report) = rewriter.finish().with_context(|| name.to_string())?;
            merge(&mut told, report);
            if let Some(suffix) = &self.backup {
                let mut backup = name.path().as_os_str().to_owned();
                backup.push(suffix);
                fs::copy(name.path(), &backup).with_context(|| backup.to_string_lossy().into_owned())?;
            }
            file.finish()?;
            Ok(Then::Go)
        })?;
        tell(&told);
        Ok(exit.or(walked))
    }
}

/// True if the file on disk is what was read, not something that was unpacked
/// from it.
fn is_plain(name: &EntryName) -> bool {
    use std::io::Read;
    let mut head = [0; 6];
    let len = fs::File::open(name.path()).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    // What a decoder would have been put in front of begins with one of these.
    let magics: [&[u8]; 5] = [b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"\x04\x22\x4d\x18"];
    !magics.iter().any(|magic| head[..len].starts_with(magic))
}

/// Rewrites all inputs to one output.
pub(super) fn to_one(inputs: &Inputs, edits: Vec<Box<dyn Edit>>, out: &mut dyn Write) -> anyhow::Result<Exit> {
    let options = Options { gaps: true, ..inputs.how.options() };
    let mut rewriter = Rewriter::new(out, edits);
    let exit = inputs.each(options, |_, reader| {
        rewriter.read(reader)?;
        Ok(())
    })?;
    let (_, report) = rewriter.finish()?;
    tell(&report);
    Ok(exit)
}

fn merge(total: &mut Report, report: Report) {
    for (note, count) in report.notes {
        *total.notes.entry(note).or_default() += count;
    }
}

/// Says what could not be done.
fn tell(report: &Report) {
    for (note, count) in &report.notes {
        terminal::say(&format!("sgfq: {note} ({count})"));
    }
}
