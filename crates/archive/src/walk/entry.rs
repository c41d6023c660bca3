//! Options and results of a visit: options, items, entries and a summary.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use crate::caps::{Caps, Meter};
use crate::name::EntryName;
use crate::problem::ArchiveProblem;

/// How archives are read: their limits, and a counter for progress.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits on what an archive may unpack to.
    pub caps: Caps,
    /// Counts the bytes read. Keep a clone to show progress.
    pub meter: Meter,
    /// Every file in directories and every member of archives is read, whatever its name and content.
    pub all_files: bool,
    /// Recognises records in formats of the caller, by their first 512 bytes. They are taken whatever their name, as SGF is.
    pub is_record: Option<fn(&[u8]) -> bool>,
    /// Files and directories whose name begins so are left out of directories; none if it is empty.
    pub ignored: &'static str,
}

impl ReadOptions {
    /// Options with these limits and a new meter.
    #[must_use]
    pub fn new(caps: Caps) -> Self {
        Self { caps, ..Self::default() }
    }
}

/// Item that a visit gives to its callback.
// Exhaustive on purpose: the wildcard arm that `#[non_exhaustive]` asks for
// would let callers lose a new kind of item without a word.
#[derive(Debug)]
pub enum Item<'a> {
    /// A file or member to read.
    Entry(Entry<'a>),
    /// Something that could not be read. The visit continues after it.
    Problem(ArchiveProblem),
}

/// A file or a member, open for reading. Bytes that the callback does not read
/// are skipped.
#[non_exhaustive]
pub struct Entry<'a> {
    /// Its path, and the members that lead to it.
    pub name: EntryName,
    /// Its length in bytes, if a header or the file system states it.
    pub size: Option<u64>,
    /// The games that were asked for (`#17`), counted from 1, in order, each once. None for all games.
    pub games: Option<&'a [u64]>,
    /// The most memory, in bytes, that the windows of all decoders around it
    /// take together, as far as headers say: for `.zst` and `.xz` the window of
    /// the first frame or block (a later one may need more), for others the
    /// usual value. Windows fill as bytes come out.
    pub window: u64,
    /// Its bytes. Large reads (256 KiB) cost least. An error here is followed
    /// by a [`Problem`](Item::Problem) item.
    pub read: &'a mut (dyn Read + 'a),
    pub(crate) is_plain: bool,
}

impl<'a> Entry<'a> {
    /// The file, if the entry is all of a file on disk that is not packed: then
    /// any number of readers may open it themselves.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.is_plain.then(|| self.name.path())
    }

    /// Appends up to `limit` bytes to `buf`. Returns true if that was all of
    /// the entry; otherwise [`read`](Self::read) has the rest. A decoding
    /// thread hands small members to other threads this way.
    ///
    /// # Errors
    /// If reading fails; the bytes before the failure are in `buf`.
    pub fn load(&mut self, buf: &mut Vec<u8>, limit: usize) -> io::Result<bool> {
        let before = buf.len();
        // A stated size may be wrong, so it is only the first guess.
        buf.reserve(self.size.map_or(0, |size| size.min(limit as u64).min(1 << 20) as usize + 1));
        (&mut *self.read).take(limit as u64).read_to_end(buf)?;
        // After exactly `limit` bytes, asking for one more would take it.
        Ok(buf.len() - before < limit || self.size == Some(limit as u64))
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Entry");
        out.field("name", &self.name).field("size", &self.size).field("games", &self.games).finish_non_exhaustive()
    }
}

/// Counts of a visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Entries given to the callback.
    pub entries: u64,
    /// Members that were skipped because neither their name nor their content
    /// is that of a game record.
    pub skipped: u64,
    /// Files in directories that were skipped because of their name: see
    /// [`Walk::passed_over`](crate::Walk::passed_over).
    pub passed_over: u64,
    /// Problems given to the callback.
    pub problems: u64,
    /// The callback returned [`ControlFlow::Break`](std::ops::ControlFlow).
    pub stopped: bool,
}

impl Summary {
    /// Adds the counts of another visit.
    pub fn merge(&mut self, other: Self) {
        self.entries += other.entries;
        self.skipped += other.skipped;
        self.passed_over += other.passed_over;
        self.problems += other.problems;
        self.stopped |= other.stopped;
    }
}
