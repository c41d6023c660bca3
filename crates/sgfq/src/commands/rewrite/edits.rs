//! The requested edits in order, and the options that request them.

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};

use sgfstream_adapt::edit::{EDITS, GameEdit, edit};

use super::texts::{self, Texts};
use super::values::{fault_of, given};

/// Edits in the help of the command. The other edits are only in `sgfq help edits`.
const FREQUENT: [&str; 8] = [
    "strip",
    "keep",
    "set",
    "add",
    "rename",
    "main-line",
    "utf8",
    "canonical",
];

/// Edit that converts texts.
pub(super) const UTF8: &str = "utf8";

/// The requested edits in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Edits {
    pub(super) all: Vec<RequestedEdit>,
}

/// A requested edit: its name, its argument, and the parsed replacement of texts, if it is one.
#[derive(Clone, Debug)]
pub(super) struct RequestedEdit {
    name: &'static str,
    argument: String,
    texts: Option<Texts>,
}

impl Edits {
    pub(super) fn has(&self, name: &str) -> bool {
        self.all.iter().any(|asked| asked.name == name)
    }

    /// Returns an error if a property that `--set` or `--add` writes is invalid, or has a value
    /// that the checker rejects in every game.
    pub(super) fn refuse_faults(&self) -> anyhow::Result<()> {
        for RequestedEdit { name, argument, .. } in self
            .all
            .iter()
            .filter(|asked| matches!(asked.name, "set" | "add"))
        {
            let Some((ident, raw)) = given(argument) else {
                continue;
            };
            let is_ident = !ident.is_empty() && ident.bytes().all(|byte| byte.is_ascii_uppercase());
            anyhow::ensure!(
                is_ident,
                "--{name}: expected an identifier of capital letters, found `{ident}`; see --unchecked"
            );
            if let Some(fault) = fault_of(ident, &raw)? {
                anyhow::bail!("--{name}: {fault}; see --unchecked");
            }
        }
        Ok(())
    }

    /// Returns the edits other than [`UTF8`], or `None` if texts are not converted.
    pub(super) fn without_utf8(&self) -> anyhow::Result<Option<Vec<Box<dyn GameEdit>>>> {
        let all = self
            .all
            .iter()
            .filter(|asked| asked.name != UTF8)
            .cloned()
            .collect();
        self.has(UTF8).then(|| Self { all }.make()).transpose()
    }

    /// Creates the edits.
    pub(super) fn make(&self) -> anyhow::Result<Vec<Box<dyn GameEdit>>> {
        let make = |asked: &RequestedEdit| match &asked.texts {
            Some(texts) => Ok(texts.edit()),
            None => edit(asked.name, &asked.argument).with_context(|| format!("--{}", asked.name)),
        };
        self.all.iter().map(make).collect()
    }
}

/// Returns every edit with its name, argument and description.
fn all_edits() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    EDITS
        .iter()
        .map(|entry| (entry.name, entry.argument, entry.description))
        .chain([texts::EDIT])
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
            let Some(values) = matches.get_many::<String>(name) else {
                continue;
            };
            let places = matches.indices_of(name).expect("values have places");
            found.extend(
                places
                    .zip(values)
                    .map(|(place, value)| (place, name, value.clone())),
            );
        }
        // Texts are converted first, so that the other edits work on UTF-8.
        found.sort_unstable_by_key(|&(place, name, _)| (name != UTF8, place));
        self.all.clear();
        for (_, name, argument) in found {
            let texts = (name == texts::EDIT.0)
                .then(|| Texts::parse(&argument))
                .transpose();
            let texts = texts.map_err(|err| {
                clap::Error::raw(ErrorKind::ValueValidation, format!("--{name}: {err:#}\n"))
            })?;
            self.all.push(RequestedEdit {
                name,
                argument,
                texts,
            });
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
