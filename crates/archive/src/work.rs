//! One top-level input, ready to be read on any thread: the unit that a
//! scheduler hands to its workers.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use std::ops::ControlFlow::{self, Continue};

use super::caps::Ledger;
use super::disk::{Disk, volumes};
use super::fault::Fault;
use super::name::EntryName;
use super::problem::Trouble;
use super::sniff::{HEAD, Sniff, is_container_name};
use super::stream::{Source, Stream, WINDOW};
use super::visit::{Flow, Item, Place, ReadOptions, Summary, Visitor};
use super::visit_zip::ZipPart;
use super::window::window;
use super::zip::ZipDirectory;

/// A top-level input: a file, or stdin. Cheap to clone, free to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Work {
    source: WorkSource,
    size: Option<u64>,
    member: Option<String>,
    game: Option<u64>,
    /// Named by the caller, not found in a directory.
    wanted: bool,
    part: Option<ZipPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum WorkSource {
    File(PathBuf),
    Stdin,
}

/// How a work item can be read, by its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WorkKind {
    /// A file that is not packed. Any part of it can be read at any time.
    Plain,
    /// One decoder from the start to the end: `.gz`, `.tar`, `.tar.zst`, stdin.
    Stream,
    /// A zip file, whose members can be opened in any order:
    /// [`split`](Work::split) cuts it.
    Zip,
    /// A 7z file.
    SevenZip,
}

impl Work {
    pub(super) fn file(path: PathBuf, metadata: &Metadata, wanted: bool) -> Self {
        let more = volumes(&path).into_iter().skip(1).filter_map(|path| std::fs::metadata(path).ok());
        let more: u64 = more.map(|metadata| metadata.len()).sum();
        let size = metadata.is_file().then_some(metadata.len() + more);
        Self { source: WorkSource::File(path), size, member: None, game: None, wanted, part: None }
    }

    pub(super) fn stdin() -> Self {
        Self { source: WorkSource::Stdin, size: None, member: None, game: None, wanted: true, part: None }
    }

    pub(super) fn of(mut self, member: Option<String>, game: Option<u64>) -> Self {
        self.member = member;
        self.game = game;
        self
    }

    /// Its name: the path, or `-`.
    #[must_use]
    pub fn name(&self) -> EntryName {
        match &self.source {
            WorkSource::File(path) => EntryName::file(path),
            WorkSource::Stdin => EntryName::file("-"),
        }
    }

    /// The file, unless it is stdin.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match &self.source {
            WorkSource::File(path) => Some(path),
            WorkSource::Stdin => None,
        }
    }

    /// Bytes on disk, all volumes together, where that is known.
    #[must_use]
    pub fn size(&self) -> Option<u64> {
        self.size
    }

    /// The member that is wanted, where the caller named one.
    #[must_use]
    pub fn member(&self) -> Option<&str> {
        self.member.as_deref()
    }

    /// The game that is wanted, counted from 1.
    #[must_use]
    pub fn game(&self) -> Option<u64> {
        self.game
    }

    /// Opens the file, reads its first bytes and says how it can be read.
    ///
    /// # Errors
    /// When it cannot be opened or read.
    pub fn kind(&self) -> io::Result<WorkKind> {
        let Some(head) = self.head()? else { return Ok(WorkKind::Stream) };
        Ok(match Sniff::of(&head, true) {
            Some(Sniff::Zip) => WorkKind::Zip,
            Some(Sniff::Other) if self.is_zip_behind(&head) => WorkKind::Zip,
            // An archive whose first bytes are damaged is not read as text.
            Some(Sniff::Other) if is_container_name(&self.name().last()) => WorkKind::Stream,
            Some(Sniff::SevenZip) => WorkKind::SevenZip,
            Some(sniff) if sniff.is_container() => WorkKind::Stream,
            _ => WorkKind::Plain,
        })
    }

    /// True if a zip archive ends the file, behind something else.
    fn is_zip_behind(&self, head: &[u8]) -> bool {
        let WorkSource::File(path) = &self.source else { return false };
        let ledger = Arc::new(Ledger::new(super::Caps::default(), super::Meter::default(), None));
        !head.is_empty() && Disk::open(path, ledger).is_ok_and(|mut disk| is_zip_behind(&mut disk))
    }

    /// The first bytes, unless it is stdin, a pipe or a device.
    fn head(&self) -> io::Result<Option<Vec<u8>>> {
        let WorkSource::File(path) = &self.source else { return Ok(None) };
        if !std::fs::metadata(path)?.is_file() {
            return Ok(None);
        }
        let mut head = Vec::with_capacity(HEAD);
        File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
        Ok(Some(head))
    }

    /// Bytes of memory that its decoder will take for its window, as far as
    /// the first bytes tell: of `.zst` and `.xz` the window of the first frame
    /// or block (that of another one, or of an archive inside, may be larger),
    /// for others what is usual. A scheduler that opens several at once can
    /// add them up.
    ///
    /// ```
    /// use sgfstream_archive::{Input, Walk};
    ///
    /// let work = Walk::new(vec![Input::path("tests/archives/two.tar.xz")]).next().expect("one")?;
    /// assert_eq!(work.window(), 8 << 20);
    /// # Ok::<(), sgfstream_archive::ArchiveProblem>(())
    /// ```
    #[must_use]
    pub fn window(&self) -> u64 {
        let head = self.head().ok().flatten().unwrap_or_default();
        Sniff::of(&head, true).map_or(0, |sniff| window(sniff, &head))
    }

    /// Cuts a zip file into at most `parts` pieces of about as many members
    /// each, to be visited by as many threads; their entries, one piece after
    /// another, are those of the whole. Anything else stays one piece.
    ///
    /// ```
    /// use sgfstream_archive::{Input, Walk};
    ///
    /// let work = Walk::new(vec![Input::path("../../corpus/packed/two.zip")]).next().expect("one")?;
    /// assert_eq!(work.split(8).len(), 2);
    /// # Ok::<(), sgfstream_archive::ArchiveProblem>(())
    /// ```
    #[must_use]
    pub fn split(&self, parts: usize) -> Vec<Self> {
        let pieces = || -> Option<Vec<Self>> {
            if parts < 2 || self.part.is_some() || self.member.is_some() || self.kind().ok()? != WorkKind::Zip {
                return None;
            }
            let ledger = Arc::new(Ledger::new(super::Caps::default(), super::Meter::default(), None));
            let mut disk = Disk::open(self.path()?, ledger).ok()?;
            let len = disk.len();
            let directory = ZipDirectory::find(&mut disk, len).ok()?;
            let parts = ZipPart::cut(&mut disk, directory.into(), parts as u64).ok()?;
            Some(parts.into_iter().map(|part| Self { part: Some(part), ..self.clone() }).collect())
        };
        pieces().unwrap_or_else(|| vec![self.clone()])
    }

    /// Hands every entry of this input to `sink`, in order, on this thread.
    pub fn visit(&self, options: &ReadOptions, mut sink: impl FnMut(Item<'_>) -> ControlFlow<()>) -> Summary {
        let mut ledger = Ledger::new(options.caps, options.meter.clone(), self.size);
        if let (Some(part), Some(size)) = (self.part, self.size) {
            let share = u128::from(size) * u128::from(part.members) / u128::from(part.of.max(1));
            ledger = ledger.of_piece(share as u64, part.before);
        }
        let ledger = Arc::new(ledger);
        let mut visitor = Visitor::new(&mut sink, Arc::clone(&ledger), self.game);
        let place = Place { wanted: self.wanted, pick: self.member.as_deref(), ..Place::default() };
        let name = self.name();
        let flow = match &self.source {
            WorkSource::Stdin => {
                let stdin = Metered { inner: io::stdin().lock(), ledger: &ledger };
                visitor.content(&name, &mut Stream::new(stdin, WINDOW), place)
            }
            WorkSource::File(path) => match Disk::open(path, Arc::clone(&ledger)) {
                Ok(disk) => self.visit_file(&mut visitor, &name, disk, place),
                Err(err) => visitor.problem(&name, &unopened(&err)),
            },
        };
        if let Some(member) = &self.member
            && flow == Continue(())
            && !visitor.picked
            && visitor.summary.problems == 0
        {
            let fault = Fault::new(Trouble::NotFound, format!("a member `{member}`"), "none");
            _ = visitor.problem(&name, &fault);
        }
        ledger.finish();
        visitor.summary
    }

    fn visit_file(&self, visitor: &mut Visitor<'_, '_>, name: &EntryName, mut disk: Disk, place: Place<'_>) -> Flow {
        if !disk.seekable {
            // A pipe or a device: it streams like stdin, and cannot be sought.
            return visitor.content(name, &mut Stream::new(disk, WINDOW), place);
        }
        let mut stream = Stream::new(&mut disk, 0);
        let mut sniff = super::stream::sniff(&mut stream);
        if sniff == Sniff::Other && stream.failed().is_none() {
            drop(stream);
            if is_zip_behind(&mut disk) {
                sniff = Sniff::Zip;
            }
            if let Err(err) = disk.rewind() {
                return visitor.problem(name, &Fault::unreadable(&err));
            }
            stream = Stream::new(&mut disk, 0);
        }
        match sniff {
            Sniff::Zip | Sniff::SevenZip if visitor.ledger.caps.nesting > 0 => {
                drop(stream);
                let place = Place { level: 1, ..place };
                match (disk.rewind(), sniff) {
                    (Err(err), _) => visitor.problem(name, &Fault::unreadable(&err)),
                    (Ok(()), Sniff::Zip) => visitor.zip_file(name, &mut disk, place, self.part),
                    (Ok(()), _) => visitor.seven_zip_file(name, &mut disk, place),
                }
            }
            // Said once, by the first of its pieces.
            Sniff::Zip if self.part.is_some_and(|part| part.before.members > 0) => Continue(()),
            _ => {
                let plain = !sniff.is_container();
                if !plain {
                    stream.grow(WINDOW);
                }
                visitor.content(name, &mut stream, Place { size: plain.then_some(self.size).flatten(), plain, ..place })
            }
        }
    }
}

/// Hands every entry of what `read` gives to `sink`: a file, compressed or not,
/// or an archive. `name` is what the entries are called by.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use sgfstream_archive::{EntryName, Item, ReadOptions};
///
/// let mut names = Vec::new();
/// let name = EntryName::file("upload");
/// sgfstream_archive::visit_reader(&name, &mut &b"(;GM[1])"[..], &ReadOptions::default(), |item| {
///     if let Item::Entry(entry) = item {
///         names.push(entry.name.to_string());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(names, ["upload"]);
/// ```
pub fn visit_reader(
    name: &EntryName,
    read: impl Read,
    options: &ReadOptions,
    mut sink: impl FnMut(Item<'_>) -> ControlFlow<()>,
) -> Summary {
    let ledger = Arc::new(Ledger::new(options.caps, options.meter.clone(), None));
    let mut visitor = Visitor::new(&mut sink, Arc::clone(&ledger), None);
    let mut stream = Stream::new(Metered { inner: read, ledger: &ledger }, WINDOW);
    _ = visitor.content(name, &mut stream, Place { wanted: true, ..Place::default() });
    visitor.summary
}

/// Asked of what begins like nothing that is known.
fn is_zip_behind(disk: &mut Disk) -> bool {
    let len = disk.len();
    len > 0 && ZipDirectory::is_at_end(disk, len)
}

pub(super) fn unopened(err: &io::Error) -> Fault {
    match err.kind() {
        io::ErrorKind::NotFound => Fault::new(Trouble::NotFound, "a file or directory", "none"),
        _ => Fault::unreadable(err),
    }
}

/// Counts what stdin gives.
struct Metered<'a, R> {
    inner: R,
    ledger: &'a Ledger,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.ledger.add_raw(len as u64);
        Ok(len)
    }
}
