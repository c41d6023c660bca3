//! `sgfq diff`: the first difference between two files, or the games in which two collections differ.

mod collections;
mod side;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::ops::ControlFlow;

use anyhow::Context;
use clap::Args;

use sgfstream::Position;
use sgfstream_adapt::rewrite::Selector;
use sgfstream_archive::{Input, Item, visit};
use sgfstream_engine::PartReader;

use crate::args::input::{How, Inputs};
use crate::args::threads::Pool;
use crate::io::output::Output;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::rows::RowFormat;
use crate::report::terminal::clean;

use side::{Found, Side, Values};

/// Print the first difference of two files, or the games that differ in two collections.
///
/// Games of collections are paired by their main lines, as `dedup` does, whatever their names and places are. Printed
/// are those that only one has, and pairs with other properties, with the identifiers of these.
///
/// Nodes are equal if their properties have the same meaning: the order of properties and list elements, blanks,
/// escapes, charsets, long names and other spellings of a move are ignored. A node of more than some 6 MiB is not
/// compared, which is said. Exits with 1 if the files differ.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq diff old.sgf new.sgf\n\
\x20 sgfq diff --ignore comments old.sgf archive.zip!one.sgf\n\
\x20 sgfq diff archive.zip archive.tar.zst -f jsonl")]
pub(crate) struct Diff {
    /// The first file, directory or archive.
    #[arg(value_name = "A")]
    one: OsString,

    /// The second one.
    #[arg(value_name = "B")]
    other: OsString,

    /// Ignore these properties: identifiers and classes, as for `rewrite --strip`.
    #[arg(long, value_name = "PROPERTIES")]
    ignore: Option<String>,

    /// Compare collections, whatever A and B are [default: if one of them has several files, or with `-f`].
    #[arg(long)]
    games: bool,

    /// Output format of collections [default: table].
    #[arg(short = 'f', long, value_parser = ["table", "csv", "tsv", "jsonl"])]
    format: Option<String>,

    #[command(flatten)]
    pool: Pool,

    #[command(flatten)]
    how: How,
}

impl Diff {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let ignore = self.ignore.as_deref().map(Selector::parse).transpose().context("--ignore")?;
        anyhow::ensure!(self.one != "-" || self.other != "-", "expected two files, found stdin twice");
        let format = RowFormat::of(self.format.as_deref().unwrap_or("table"));
        if self.games || self.format.is_some() || self.has_several(&self.one) || self.has_several(&self.other) {
            let inputs = [&*self.one, &*self.other];
            for input in inputs {
                let shown = input.to_string_lossy();
                anyhow::ensure!(
                    is_read_again(input),
                    "{shown}: expected games that can be read twice, found stdin or no file; save them first"
                );
            }
            return collections::compare(inputs, &self.how, &self.pool, ignore.as_ref(), format, out);
        }
        let (mut found, mut game, mut node) = (None, 0, 0);
        self.open(&self.one, &mut |left| {
            let mut left = Side::new(left, ignore.as_ref());
            self.open(&self.other, &mut |right| {
                let mut right = Side::new(right, ignore.as_ref());
                found = first_difference(&mut left, &mut right)?;
                (game, node) = (left.game, left.node.max(right.node).saturating_sub(1));
                Ok(())
            })
        })?;
        let Some(((expected_at, expected), (found_at, found))) = found else { return Ok(Exit::Done) };
        let (one, other) = (self.one.to_string_lossy(), self.other.to_string_lossy());
        let expected = format!("{}, {expected_at}: expected {}", clean(&one), clean(&expected));
        writeln!(out, "game {game}, node {node}: {expected}, {}, {found_at}: found {}", clean(&other), clean(&found))?;
        Ok(Exit::Found)
    }

    /// True if the input has more than one entry. A pipe is not looked at: it can be read only once.
    fn has_several(&self, input: &OsStr) -> bool {
        let mut entries = 0;
        if is_read_again(input) {
            visit(&[Input::parse_os(input)], &self.how.archives(), |item| {
                entries += u64::from(matches!(item, Item::Entry(_)));
                if entries > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
        }
        entries > 1
    }

    /// Gives `read` the reader of the first entry of an input, or of the one game that it names.
    fn open(
        &self,
        input: &OsStr,
        read: &mut dyn FnMut(&mut PartReader<'_>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let shown = input.to_string_lossy();
        let mut is_read = false;
        let exit = Inputs::of(input, self.how.clone()).each(self.how.options(), |part| {
            is_read = true;
            let game = part.game();
            let mut reader = part.reader();
            read(&mut reader)?;
            if let Some(number) = game {
                anyhow::ensure!(reader.finish()?.is_found, "{shown}: expected a game {number}, found fewer");
            }
            Ok(ControlFlow::Break(()))
        })?;
        anyhow::ensure!(
            is_read && exit == Exit::Done,
            "{shown}: expected a file with games, found none that can be read"
        );
        Ok(())
    }
}

/// False for stdin and other pipes.
fn is_read_again(input: &OsStr) -> bool {
    match Input::parse_os(input) {
        Input::Path(target) => target.path.is_file() || target.path.is_dir(),
        input => input != Input::Stdin,
    }
}

/// Where two files differ, and a description of what is there.
type Difference = ((Position, String), (Position, String));

fn first_difference(left: &mut Side<'_, '_>, right: &mut Side<'_, '_>) -> anyhow::Result<Option<Difference>> {
    loop {
        let ((expected, at), (found, found_at)) = (left.next()?, right.next()?);
        let difference = match (expected, found) {
            (Found::Node, Found::Node) => difference(left, right),
            (expected, found) if expected == found => None,
            (expected, found) => Some((left.named(expected), right.named(found))),
        };
        if let Some((expected, found)) = difference {
            return Ok(Some(((at, expected), (found_at, found))));
        }
        if expected == Found::End {
            return Ok(None);
        }
    }
}

/// Describes the first value in which the last nodes of two files differ; `None` if they are equal.
fn difference(left: &Side<'_, '_>, right: &Side<'_, '_>) -> Option<(String, String)> {
    let (one, other) = (&left.properties, &right.properties);
    if !one.is_whole() || !other.is_whole() {
        cut::add(1);
        return None;
    }
    let is_known = left.node > 1 && left.state.charset() == right.state.charset();
    if is_known && one.bytes == other.bytes && one.ends == other.ends {
        return None;
    }
    let (expected, found) = (left.values(), right.values());
    let same = |at: usize| expected.get(at).is_some() && expected.get(at) == found.get(at);
    let at = (0..).find(|&at| !same(at)).unwrap_or_default();
    let ident = match (expected.get(at), found.get(at)) {
        (None, None) => return None,
        (Some((ident, _)), None) | (None, Some((ident, _))) => ident,
        (Some((ident, _)), Some((other, _))) => ident.min(other),
    };
    // Of a property that one node has not at all, all values are shown.
    let is_first = at == 0 || expected.get(at - 1).is_none_or(|(before, _)| before != ident);
    let is_in = |values: &Values| values.get(at).is_some_and(|(found, _)| found == ident);
    let all = is_first && !(is_in(&expected) && is_in(&found));
    Some((expected.shown(ident, at, all), found.shown(ident, at, all)))
}
