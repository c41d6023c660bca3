//! The visitor finds out what a run of bytes is, unpacks it, goes through its
//! members, and gives the records among them to the callback.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::caps::Ledger;
use crate::decode;
use crate::disk::Disk;
use crate::entry::{Entry, Item, Summary};
use crate::fault::Fault;
use crate::glob::Matcher;
use crate::members::{Choice, Halt, Members, Stop};
use crate::name::{EntryName, escaped};
use crate::problem::Trouble;
use crate::sniff::{Sniff, is_container_name, is_record_name, is_tar_name, unpacked_name};
use crate::stream::{Source, Stream, WINDOW};
use crate::window::{WINDOW_HEAD, window};
use crate::zip_file::{self, ZipPart};
use crate::{sevenz, tar, zip_stream};

/// What is known of a run of bytes before it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Context<'p> {
    /// Containers around it.
    pub(crate) level: u32,
    /// It comes directly out of a compressed stream.
    pub(crate) is_unpacked: bool,
    /// The caller named it: it is read whatever it looks like.
    pub(crate) is_named: bool,
    /// The member of it that the caller named.
    pub(crate) pick: Option<&'p str>,
    /// Its size, if a header states it.
    pub(crate) size: Option<u64>,
    /// It is all of a file on disk.
    pub(crate) is_plain: bool,
    /// Memory of the windows of the decoders around it.
    pub(crate) window: u64,
}

/// The visit of one top-level input.
pub(crate) struct Visitor<'v> {
    sink: &'v mut (dyn FnMut(Item<'_>) -> ControlFlow<()> + 'v),
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) summary: Summary,
    game: Option<u64>,
    /// The patterns in the name of the wanted member, as far as it has any.
    globs: Vec<(String, Matcher)>,
    /// The member that the caller named was found.
    pub(crate) is_found: bool,
}

impl<'v> Visitor<'v> {
    /// `pick` names the wanted member.
    pub(crate) fn new(
        sink: &'v mut (dyn FnMut(Item<'_>) -> ControlFlow<()> + 'v),
        ledger: Arc<Ledger>,
        game: Option<u64>,
        pick: Option<&str>,
    ) -> Self {
        // A `[1]` in the name of a member is common and no pattern by itself.
        let patterns = pick.into_iter().flat_map(|pick| pick.split('!')).filter(|part| part.contains(['*', '?']));
        let globs = patterns.map(|part| (part.to_owned(), Matcher::new(part.trim_start_matches("./")))).collect();
        Self { sink, ledger, summary: Summary::default(), game, globs, is_found: false }
    }

    fn send(&mut self, item: Item<'_>) -> Result<(), Stop> {
        if (self.sink)(item).is_break() {
            self.summary.stopped = true;
            return Err(Stop);
        }
        Ok(())
    }

    /// Reports `fault` at `name`, unless it was reported further inside.
    pub(crate) fn problem(&mut self, name: &EntryName, fault: &Fault) -> Result<(), Stop> {
        if !fault.report_once() {
            return Ok(());
        }
        self.summary.problems += 1;
        self.send(Item::Problem(fault.at(name.clone())))
    }

    /// Reads whatever `source` is.
    pub(crate) fn content(
        &mut self,
        name: &EntryName,
        source: &mut dyn Source,
        mut context: Context<'_>,
    ) -> Result<(), Stop> {
        let sniff = Sniff::of_source(source);
        // A tar and the compression around it count as one container.
        if sniff.is_container() && !(sniff == Sniff::Tar && context.is_unpacked) {
            context.level += 1;
        }
        let nesting = self.ledger.caps.nesting;
        if sniff.is_container() && context.level > nesting {
            let expected = format!("at most {nesting} containers in each other (cap `nesting`)");
            return self.problem(name, &Fault::new(Trouble::Cap, expected, "one more"));
        }
        match sniff {
            Sniff::Gzip | Sniff::Bzip2 | Sniff::Xz | Sniff::Zstd | Sniff::Lz4 => {
                let ledger = Arc::clone(&self.ledger);
                context.window += window(sniff, source.peek(WINDOW_HEAD));
                match decode::decoder(sniff, source, &ledger) {
                    Ok(decoder) => {
                        let context = Context { is_unpacked: true, size: None, is_plain: false, ..context };
                        self.content(name, &mut Stream::new(decoder, WINDOW), context)
                    }
                    Err(fault) => self.problem(name, &fault),
                }
            }
            Sniff::Tar => self.container(name, context, |members| tar::visit(source, members)),
            Sniff::Zip => self.container(name, context, |members| zip_stream::visit(source, members)),
            Sniff::SevenZip => self.container(name, context, |members| {
                let mut disk = Disk::spool(source, members.ledger())?;
                sevenz::visit(&mut disk, members)
            }),
            Sniff::Sgf | Sniff::Other => self.plain(name, source, context, sniff == Sniff::Sgf),
        }
    }

    /// A zip file on disk: all of it, or a part of its members.
    pub(crate) fn zip_file(
        &mut self,
        name: &EntryName,
        disk: &mut Disk,
        context: Context<'_>,
        part: Option<ZipPart>,
    ) -> Result<(), Stop> {
        self.container(name, context, |members| zip_file::visit(disk, part, members))
    }

    /// A 7z file on disk.
    pub(crate) fn seven_zip_file(
        &mut self,
        name: &EntryName,
        disk: &mut Disk,
        context: Context<'_>,
    ) -> Result<(), Stop> {
        self.container(name, context, |members| sevenz::visit(disk, members))
    }

    fn container(
        &mut self,
        name: &EntryName,
        context: Context<'_>,
        visit: impl FnOnce(&mut dyn Members) -> Result<(), Halt>,
    ) -> Result<(), Stop> {
        match visit(&mut Inside { visitor: self, name, context }) {
            Ok(()) => Ok(()),
            Err(Halt::Stop) => Err(Stop),
            Err(Halt::Fault(fault)) => self.problem(name, &fault),
        }
    }

    /// Bytes that do not begin like a container.
    fn plain(
        &mut self,
        name: &EntryName,
        source: &mut dyn Source,
        context: Context<'_>,
        is_sgf: bool,
    ) -> Result<(), Stop> {
        let last = name.last();
        let last = if context.is_unpacked { unpacked_name(&last) } else { &last };
        if !is_sgf && source.failed().is_none() && is_container_name(last) {
            // Its name says that it is packed: its first bytes are damaged.
            if source.peek(1).is_empty() {
                return self.problem(name, &Fault::truncated("a packed file"));
            }
            // A tar has a header before each member, so the next one may be whole.
            if is_tar_name(last) {
                return self.container(name, context, |members| tar::visit(source, members));
            }
            return self.problem(name, &Fault::damaged("a packed file, as its name says", "other bytes"));
        }
        if context.pick.is_some() {
            // A member is wanted, and this is no archive.
            return Ok(());
        }
        if context.is_named || is_sgf || is_record_name(last) {
            self.summary.entries += 1;
            self.send(Item::Entry(Entry {
                name: name.clone(),
                size: context.size,
                game: self.game,
                is_plain: context.is_plain,
                window: context.window,
                read: &mut &mut *source,
            }))?;
        } else {
            self.summary.skipped += 1;
        }
        source.failed().cloned().map_or(Ok(()), |fault| self.problem(name, &fault))
    }
}

/// The members of the container called `name`.
struct Inside<'i, 'v> {
    visitor: &'i mut Visitor<'v>,
    name: &'i EntryName,
    context: Context<'i>,
}

impl Inside<'_, '_> {
    fn choose_text(&self, text: &str, pick: &str) -> Option<Choice> {
        let (text, wanted) = (text.trim_start_matches("./"), pick.trim_start_matches("./"));
        let at = |deeper: &str| Some(pick.len() - deeper.len());
        if text == wanted {
            return Some(Choice { is_named: true, ..Choice::default() });
        }
        if wanted.is_empty() || (wanted.ends_with('/') && text.starts_with(wanted)) {
            return (!is_clutter(text)).then(Choice::default);
        }
        if let Some(deeper) = wanted.strip_prefix(text).and_then(|rest| rest.strip_prefix('!')) {
            return Some(Choice { inner: at(deeper), ..Choice::default() });
        }
        let (first, deeper) = wanted.split_once('!').map_or((wanted, None), |(first, rest)| (first, Some(rest)));
        let (_, glob) = self.visitor.globs.iter().find(|(part, _)| part.trim_start_matches("./") == first)?;
        (!is_clutter(text) && glob.is_match(text)).then(|| Choice {
            is_named: deeper.is_none(),
            inner: deeper.and_then(at),
            ..Choice::default()
        })
    }
}

impl Members for Inside<'_, '_> {
    fn ledger(&self) -> &Arc<Ledger> {
        &self.visitor.ledger
    }

    fn choose(&mut self, text: &str, raw: &[u8]) -> Option<Choice> {
        let Some(pick) = self.context.pick else { return (!is_clutter(text)).then(Choice::default) };
        let by_bytes = || if raw.is_ascii() { None } else { self.choose_text(&escaped(raw), pick) };
        let mut choice = self.choose_text(text, pick).or_else(by_bytes)?;
        choice.is_exact = pick.as_bytes() == raw;
        self.visitor.is_found |= choice.inner.is_none();
        Some(choice)
    }

    fn read(
        &mut self,
        member: &str,
        choice: Choice,
        size: Option<u64>,
        window: u64,
        source: &mut dyn Source,
    ) -> Result<(), Stop> {
        let context = Context {
            level: self.context.level,
            is_named: choice.is_named,
            pick: choice.inner.and_then(|at| self.context.pick?.get(at..)),
            size,
            window: self.context.window + window,
            ..Context::default()
        };
        self.visitor.content(&self.name.member(member), source, context)
    }

    fn report(&mut self, member: Option<&str>, fault: &Fault) -> Result<(), Stop> {
        match member {
            Some(member) => self.visitor.problem(&self.name.member(member), fault),
            None => self.visitor.problem(self.name, fault),
        }
    }
}

/// macOS keeps attributes in `__MACOSX/…` and `._name`; neither is a record.
fn is_clutter(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    parts.clone().next_back().is_some_and(|last| last.starts_with("._")) || parts.any(|part| part == "__MACOSX")
}
