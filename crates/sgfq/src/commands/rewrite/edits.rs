//! The edits that were asked for, in order, and the options that ask for them.

use std::path::Path;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use sgfstream_adapt::rewrite::{EDITS, Edit, edit};

use crate::args::where_games::Chooser;

use super::texts::{self, Texts};
use super::values::{self, Computed, Expressions, fault_of, given};

/// The edits in the help of the command; the others are in `sgfq help edits` only.
const FREQUENT: [&str; 8] = ["strip", "keep", "set", "add", "rename", "main-line", "utf8", "canonical"];

/// The edit that converts texts.
pub(super) const UTF8: &str = "utf8";

/// The edits that were asked for, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    pub(super) all: Vec<Asked>,
    /// Values are written whatever the checker says of them.
    pub(super) force: bool,
}

/// An edit: its name, its argument, and what is made of that once.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    name: &'static str,
    argument: String,
    made: Made,
}

#[derive(Clone, Debug)]
enum Made {
    /// The library makes it.
    Library,
    Texts(Texts),
    Computed(Computed),
}

impl Asked {
    fn parse(name: &'static str, argument: String) -> anyhow::Result<Self> {
        let made = match Texts::parse(name, &argument)? {
            Some(texts) => Made::Texts(texts),
            None if name == values::EDIT.0 => Made::Computed(Computed::parse(&argument)?),
            None => Made::Library,
        };
        Ok(Self { name, argument, made })
    }

    fn expression(&self) -> Option<&str> {
        match &self.made {
            Made::Computed(computed) => Some(&computed.expression),
            _ => None,
        }
    }
}

impl Edits {
    pub(super) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|asked| asked.name == name)
    }

    /// The files that they were read from.
    pub(super) fn files(&self) -> impl Iterator<Item = &Path> {
        self.all.iter().filter_map(|asked| match &asked.made {
            Made::Texts(texts) => texts.file(),
            _ => None,
        })
    }

    /// The expressions that have values to be set.
    pub(super) fn expressions(&self, chooser: &Chooser) -> anyhow::Result<Option<Expressions>> {
        let texts: Vec<&str> = self.all.iter().filter_map(Asked::expression).collect();
        for text in &texts {
            chooser.select_one(text).context("--set-expr")?;
        }
        (!texts.is_empty()).then(|| Ok(Expressions::new(chooser.select(&texts.join(", "))?))).transpose()
    }

    /// Fails if a property that is given to games is none, or has a value that the checker finds wrong whatever the
    /// game is.
    pub(super) fn refuse_faults(&self) -> anyhow::Result<()> {
        for Asked { name, argument, made } in &self.all {
            let (ident, raw) = match (made, given(argument)) {
                (Made::Computed(computed), _) => (computed.ident(), None),
                (Made::Library, Some((ident, raw))) if matches!(*name, "set" | "add") => (ident, Some(raw)),
                _ => continue,
            };
            let is_ident = !ident.is_empty() && ident.bytes().all(|byte| byte.is_ascii_uppercase());
            anyhow::ensure!(
                is_ident,
                "--{name}: expected an identifier of capital letters, found `{ident}`; see --force"
            );
            if let Some(fault) = raw.map(|raw| fault_of(ident, &raw)).transpose()?.flatten() {
                anyhow::bail!("--{name}: {fault}; see --force");
            }
        }
        Ok(())
    }

    /// The other edits, if texts are to be converted.
    pub(super) fn without_utf8(&self, values: &[Option<String>]) -> anyhow::Result<Option<Vec<Box<dyn Edit>>>> {
        let all = self.all.iter().filter(|asked| asked.name != UTF8).cloned().collect();
        self.has(UTF8).then(|| Self { all, force: self.force }.make(values)).transpose()
    }

    /// Makes them, for a game for which the expressions have these values.
    pub(super) fn make(&self, values: &[Option<String>]) -> anyhow::Result<Vec<Box<dyn Edit>>> {
        let mut values = values.iter();
        let mut make = |asked: &Asked| match &asked.made {
            Made::Texts(texts) => Ok(Some(texts.edit())),
            Made::Computed(computed) => {
                let value = values.next().and_then(Option::as_ref);
                value.map(|value| computed.edit(value, self.force)).transpose()
            }
            Made::Library => {
                let name = asked.name;
                edit(name, &asked.argument).map(Some).with_context(|| format!("--{name}"))
            }
        };
        self.all.iter().filter_map(|asked| make(asked).transpose()).collect()
    }
}

/// Every edit: its name, its argument, what it does.
fn all_edits() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    EDITS.iter().map(|entry| (entry.name, entry.argument, entry.description)).chain(texts::EDITS).chain([values::EDIT])
}

impl FromArgMatches for Edits {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut edits = Self::default();
        edits.update_from_arg_matches(matches)?;
        Ok(edits)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let mut found: Vec<(usize, &'static str, String)> = Vec::new();
        for (name, ..) in all_edits() {
            let Some(values) = matches.get_many::<String>(name) else { continue };
            let places = matches.indices_of(name).expect("values have places");
            found.extend(places.zip(values).map(|(place, value)| (place, name, value.clone())));
        }
        // Texts are converted first: then no charset is in the way of the other edits.
        found.sort_unstable_by_key(|&(place, name, _)| (name != UTF8, place));
        self.all.clear();
        for (_, name, argument) in found {
            let asked = Asked::parse(name, argument)
                .map_err(|err| clap::Error::raw(ErrorKind::ValueValidation, format!("--{name}: {err:#}\n")))?;
            self.all.push(asked);
        }
        Ok(())
    }
}

impl Args for Edits {
    fn augment_args(command: Command) -> Command {
        all_edits().fold(command, |command, (name, argument, description)| {
            let arg = Arg::new(name)
                .long(name)
                .help(description)
                .help_heading("Edits")
                .hide(!FREQUENT.contains(&name))
                .action(ArgAction::Append);
            command.arg(if argument.is_empty() {
                arg.num_args(0).default_missing_value("")
            } else {
                arg.value_name(argument)
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}
