//! Entries, and the visit that hands them out one after another.

use std::fmt;
use std::io::{self, Read};
use std::ops::ControlFlow::{self, Break, Continue};
use std::path::Path;
use std::sync::Arc;

use super::caps::{Caps, Ledger, Meter};
use super::decode;
use super::fault::Fault;
use super::input::Input;
use super::name::{EntryName, escaped};
use super::problem::{ArchiveProblem, Trouble};
use super::sniff::{Sniff, is_container_name, is_record_name, is_tar_name, unpacked_name};
use super::sparse::{Holes, SparseMap};
use super::stream::{Part, Source, Stream, WINDOW, skip, sniff};
use super::tar::{self, MemberKind};
use super::text::NameCharset;
use super::walk::Walk;
use super::window::{WINDOW_HEAD, window};

/// Whether the visit goes on.
pub(super) type Flow = ControlFlow<()>;

/// What a visit hands out.
#[derive(Debug)]
pub enum Item<'a> {
    /// A file or member to read.
    Entry(Entry<'a>),
    /// Something that could not be read; the visit goes on behind it.
    Problem(ArchiveProblem),
}

/// A file or a member, open for reading. What the sink leaves unread is
/// skipped.
#[non_exhaustive]
pub struct Entry<'a> {
    /// Where it stands.
    pub name: EntryName,
    /// Its length in bytes, where that is known beforehand.
    pub size: Option<u64>,
    /// The game that was asked for (`#17`), counted from 1.
    pub game: Option<u64>,
    /// Bytes of memory that the decoders around it take at most for their
    /// windows, all together, as far as headers say: see
    /// [`Work::window`](super::Work::window). They fill as bytes come out.
    pub window: u64,
    /// Its bytes. Large reads (256 KiB) cost least. An error here comes also
    /// as a [`Problem`](Item::Problem) after the entry.
    pub read: &'a mut (dyn Read + 'a),
    pub(super) plain: bool,
}

impl Entry<'_> {
    /// The file, when the entry is all of a plain file on disk: then any
    /// number of readers may open it themselves.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.plain.then(|| self.name.path())
    }

    /// Reads up to `limit` bytes onto the end of `buf`. True when that was all
    /// of the entry; else [`read`](Self::read) has the rest. This is how a
    /// decoding thread hands small members to others.
    ///
    /// # Errors
    /// When reading fails; what came before is in `buf`.
    pub fn load(&mut self, buf: &mut Vec<u8>, limit: usize) -> io::Result<bool> {
        let before = buf.len();
        // A stated size may lie, so it only helps the first guess.
        buf.reserve(self.size.map_or(0, |size| size.min(limit as u64).min(1 << 20) as usize + 1));
        (&mut *self.read).take(limit as u64).read_to_end(buf)?;
        // Exactly `limit` bytes: whether there is one more cannot be asked
        // without taking it.
        Ok(buf.len() - before < limit || self.size == Some(limit as u64))
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.name)
            .field("size", &self.size)
            .field("game", &self.game)
            .finish_non_exhaustive()
    }
}

/// How archives are read: their limits, and a counter for progress.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits on what an archive may unpack to.
    pub caps: Caps,
    /// Counts the bytes read. Keep a clone to show progress.
    pub meter: Meter,
}

impl ReadOptions {
    /// Options with these limits and a new meter.
    #[must_use]
    pub fn new(caps: Caps) -> Self {
        Self { caps, meter: Meter::default() }
    }
}

/// What a visit met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Entries handed out.
    pub entries: u64,
    /// Members passed over, because neither name nor content is a record's.
    pub skipped: u64,
    /// Problems handed out.
    pub problems: u64,
    /// The sink said [`Break(())`].
    pub stopped: bool,
}

impl Summary {
    /// Adds the counts of another visit.
    pub fn merge(&mut self, other: Self) {
        self.entries += other.entries;
        self.skipped += other.skipped;
        self.problems += other.problems;
        self.stopped |= other.stopped;
    }
}

/// Takes what a visit hands out.
pub(super) type Sink<'s> = dyn FnMut(Item<'_>) -> Flow + 's;

/// Hands every entry of `inputs` to `sink`, in order, on this thread.
///
/// ```
/// use std::io::Read;
/// use std::ops::ControlFlow;
///
/// use sgfstream_archive::{Input, Item, ReadOptions};
///
/// let inputs = [Input::parse("../../corpus/packed/two.tar.zst")];
/// let mut names = Vec::new();
/// let summary = sgfstream_archive::visit(&inputs, &ReadOptions::default(), |item| {
///     if let Item::Entry(entry) = item {
///         let mut text = String::new();
///         entry.read.read_to_string(&mut text).expect("an undamaged archive");
///         assert!(text.starts_with("(;"));
///         names.push(entry.name.to_string());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(names, ["../../corpus/packed/two.tar.zst!one.sgf", "../../corpus/packed/two.tar.zst!two.sgf"]);
/// assert_eq!((summary.entries, summary.problems), (2, 0));
/// ```
pub fn visit(inputs: &[Input], options: &ReadOptions, mut sink: impl FnMut(Item<'_>) -> ControlFlow<()>) -> Summary {
    let mut summary = Summary::default();
    for work in Walk::new(inputs.to_vec()) {
        match work {
            Ok(work) => summary.merge(work.visit(options, &mut sink)),
            Err(problem) => {
                summary.problems += 1;
                summary.stopped = sink(Item::Problem(problem)) == Break(());
            }
        }
        if summary.stopped {
            break;
        }
    }
    summary
}

/// How something stands among the containers around it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place<'p> {
    /// Containers around it.
    pub(super) level: u32,
    /// It comes right out of a compressed stream.
    pub(super) unpacked: bool,
    /// It was asked for by name: taken whatever it looks like.
    pub(super) wanted: bool,
    /// The member of it that is wanted.
    pub(super) pick: Option<&'p str>,
    /// Its size, where a header states it.
    pub(super) size: Option<u64>,
    /// It is all of a file on disk.
    pub(super) plain: bool,
    /// Of the decoders around it.
    pub(super) window: u64,
}

/// One visit of one top-level input.
pub(super) struct Visitor<'v, 's> {
    pub(super) sink: &'v mut Sink<'s>,
    pub(super) ledger: Arc<Ledger>,
    pub(super) summary: Summary,
    pub(super) game: Option<u64>,
    /// The member that was picked has been met.
    pub(super) picked: bool,
}

impl<'v, 's> Visitor<'v, 's> {
    pub(super) fn new(sink: &'v mut Sink<'s>, ledger: Arc<Ledger>, game: Option<u64>) -> Self {
        Self { sink, ledger, summary: Summary::default(), game, picked: false }
    }
}

impl Visitor<'_, '_> {
    /// Says `fault` at `at`, unless it has been said further in.
    pub(super) fn problem(&mut self, at: &EntryName, fault: &Fault) -> Flow {
        if !fault.say() {
            return Continue(());
        }
        self.summary.problems += 1;
        let flow = (self.sink)(Item::Problem(ArchiveProblem {
            at: at.clone(),
            trouble: fault.trouble,
            expected: fault.expected.clone(),
            found: fault.found.clone(),
        }));
        self.note(flow)
    }

    fn note(&mut self, flow: Flow) -> Flow {
        self.summary.stopped |= flow == Break(());
        flow
    }

    /// Whatever `source` is: unpacked, walked through, handed out, passed over.
    pub(super) fn content(&mut self, name: &EntryName, source: &mut dyn Source, place: Place<'_>) -> Flow {
        let sniff = sniff(source);
        let mut place = place;
        // A tar right behind its compression is one container with it.
        if sniff.is_container() && !(sniff == Sniff::Tar && place.unpacked) {
            place.level += 1;
        }
        if sniff.is_container() && place.level > self.ledger.caps.nesting {
            let expected = format!("at most {} containers in each other (cap `nesting`)", self.ledger.caps.nesting);
            return self.problem(name, &Fault::new(Trouble::Cap, expected, "one more"));
        }
        match sniff {
            Sniff::Gzip | Sniff::Bzip2 | Sniff::Xz | Sniff::Zstd | Sniff::Lz4 => {
                let ledger = Arc::clone(&self.ledger);
                place.window += window(sniff, source.peek(WINDOW_HEAD));
                match decode::decoder(sniff, source, &ledger) {
                    Ok(decoder) => {
                        let place = Place { unpacked: true, size: None, plain: false, ..place };
                        self.content(name, &mut Stream::new(decoder, WINDOW), place)
                    }
                    Err(fault) => self.problem(name, &fault),
                }
            }
            Sniff::Tar => self.tar(name, source, place),
            Sniff::Zip => self.zip_stream(name, source, place),
            Sniff::SevenZip => self.seven_zip_stream(name, source, place),
            Sniff::Sgf | Sniff::Other => {
                let last = name.last();
                let last = if place.unpacked { unpacked_name(&last) } else { &last };
                if sniff == Sniff::Other && source.failed().is_none() && is_container_name(last) {
                    return self.no_container(name, last, source, place);
                }
                if place.pick.is_some() {
                    // A member is wanted and this is no archive.
                    Continue(())
                } else if place.wanted || sniff == Sniff::Sgf || is_record_name(last) {
                    self.entry(name, source, place)
                } else {
                    let fault = source.failed().cloned();
                    self.summary.skipped += 1;
                    fault.map_or(Continue(()), |fault| self.problem(name, &fault))
                }
            }
        }
    }

    /// What is no archive, though its name says so: its first bytes are damaged.
    fn no_container(&mut self, name: &EntryName, last: &str, source: &mut dyn Source, place: Place<'_>) -> Flow {
        if source.peek(1).is_empty() {
            return self.problem(name, &Fault::truncated("a packed file"));
        }
        // A tar has no first bytes of its own, and there are more headers behind the first.
        if is_tar_name(last) {
            return self.tar(name, source, place);
        }
        self.problem(name, &Fault::damaged("a packed file, as its name says", "other bytes"))
    }

    fn entry(&mut self, name: &EntryName, source: &mut dyn Source, place: Place<'_>) -> Flow {
        self.summary.entries += 1;
        let flow = (self.sink)(Item::Entry(Entry {
            name: name.clone(),
            size: place.size,
            game: self.game,
            plain: place.plain,
            window: place.window,
            read: &mut &mut *source,
        }));
        if self.note(flow) == Break(()) {
            return Break(());
        }
        match source.failed().cloned() {
            Some(fault) => self.problem(name, &fault),
            None => Continue(()),
        }
    }

    fn tar(&mut self, name: &EntryName, source: &mut dyn Source, place: Place<'_>) -> Flow {
        loop {
            let member = match tar::next_member(source) {
                Ok(Some(member)) => member,
                Ok(None) => return Continue(()),
                Err(fault) if fault.trouble == Trouble::Damaged => {
                    if self.problem(name, &fault) == Break(()) {
                        return Break(());
                    }
                    // Headers begin at blocks, so those behind the damage can be found.
                    match tar::find_header(source) {
                        Ok(true) => continue,
                        Ok(false) => return Continue(()),
                        Err(fault) => return self.problem(name, &fault),
                    }
                }
                Err(fault) => return self.problem(name, &fault),
            };
            if let Err(fault) = self.ledger.add_entry() {
                return self.problem(name, &fault);
            }
            let text = NameCharset::default().decode(&member.name);
            let mut rest = member.padded;
            if member.kind != MemberKind::Other
                && let Some(inner) = self.choose(&text, &member.name, place)
            {
                let at = name.member(text);
                let mut part = Part::new(source, member.size);
                let flow = match member.sparse {
                    Some(map) => self.sparse(&at, &mut part, map, inner),
                    None => self.content(&at, &mut part, Place { size: Some(member.size), ..inner }),
                };
                if flow == Break(()) {
                    return flow;
                }
                if let Err(err) = skip(&mut part, u64::MAX) {
                    return self.problem(&at, &Fault::of(&err, "the bytes of a member"));
                }
                rest = member.padded - member.size;
            }
            if let Err(fault) = tar::pass(source, rest) {
                return self.problem(name, &fault);
            }
        }
    }

    fn sparse(&mut self, at: &EntryName, part: &mut Part<'_>, mut map: SparseMap, place: Place<'_>) -> Flow {
        if map.in_front
            && let Err(fault) = map.read_front(part)
        {
            return self.problem(at, &fault);
        }
        let size = Some(map.size);
        let ledger = Arc::clone(&self.ledger);
        // Holes cost nothing to write: they count as unpacked bytes.
        let whole = decode::Counted::new(Holes::new(part, map), "a sparse file", &ledger);
        self.content(at, &mut Stream::new(whole, 0), Place { size, ..place })
    }

    /// How to take the member called `text`, if at all; `raw` are the bytes of
    /// its name, which find it, too, whatever charset they were taken for.
    pub(super) fn choose<'p>(&mut self, text: &str, raw: &[u8], place: Place<'p>) -> Option<Place<'p>> {
        let chosen = self.choose_text(text, place);
        if chosen.is_some() || place.pick.is_none() || raw.is_ascii() {
            return chosen;
        }
        self.choose_text(&escaped(raw), place)
    }

    /// The same where the name is text to begin with.
    pub(super) fn choose_text<'p>(&mut self, text: &str, place: Place<'p>) -> Option<Place<'p>> {
        let inner = Place { level: place.level, window: place.window, ..Place::default() };
        let Some(pick) = place.pick else {
            return (!is_clutter(text)).then_some(inner);
        };
        let clean = |name: &'_ str| -> usize { name.len() - name.trim_start_matches("./").len() };
        let (text, pick) = (&text[clean(text)..], &pick[clean(pick)..]);
        let chosen = if text == pick {
            Some(Place { wanted: true, ..inner })
        } else if pick.is_empty() || (pick.ends_with('/') && text.starts_with(pick)) {
            (!is_clutter(text)).then_some(inner)
        } else {
            let deeper = pick.strip_prefix(text).and_then(|rest| rest.strip_prefix('!'));
            return deeper.map(|rest| Place { pick: Some(rest), ..inner });
        };
        self.picked |= chosen.is_some();
        chosen
    }
}

/// macOS keeps attributes in `__MACOSX/…` and `._name`; neither is a record.
fn is_clutter(name: &str) -> bool {
    let mut parts = name.split(['/', '\\']);
    name.split(['/', '\\']).next_back().is_some_and(|last| last.starts_with("._"))
        || parts.any(|part| part == "__MACOSX")
}
