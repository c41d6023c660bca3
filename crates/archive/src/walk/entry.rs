//! Options and results of a visit: options, items, entries and a summary.

use std::fmt;
use std::io::{self, Read};
use std::path::Path;

use crate::caps::{Caps, Meter};
use crate::name::EntryName;

/// Options for reading archives: limits, and a counter for progress.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Limits on the unpacked size and the memory of an archive.
    pub caps: Caps,
    /// Counts the bytes read. Keep a clone to show progress.
    pub meter: Meter,
    /// Whether to read every file in directories and every member of archives, whatever its name
    /// and content.
    pub all_files: bool,
    /// Recognizes records in the caller's formats by their first 512 bytes. Such records are read
    /// whatever their names, as SGF is.
    pub is_record: Option<fn(&[u8]) -> bool>,
    /// Prefix of names to ignore in directories, for files and directories; an empty prefix ignores
    /// nothing.
    pub ignored: &'static str,
}

impl ReadOptions {
    /// Returns options with these limits and a new meter.
    #[must_use]
    pub fn new(caps: Caps) -> Self {
        Self {
            caps,
            ..Self::default()
        }
    }
}

/// File or member, open for reading. The visit skips bytes that the callback does not read.
#[non_exhaustive]
pub struct Entry<'a> {
    /// Path of the file, and the members that lead to the entry.
    pub name: EntryName,
    /// Length in bytes, if a header or the file system states it.
    pub size: Option<u64>,
    /// The games that the caller asked for (`#17`), counted from 1, in order and without
    /// duplicates. `None` for all games.
    pub games: Option<&'a [u64]>,
    /// Largest memory, in bytes, of the windows of all decoders around the entry together, as
    /// headers state it. For `.zst` and `.xz` it counts the window of the first frame or block (a
    /// later one may need more), for others the usual window. Windows fill as bytes are decoded.
    pub window: u64,
    /// The bytes. Large reads (256 KiB) are most efficient. After an error here, the visit
    /// passes a problem.
    pub read: &'a mut (dyn Read + 'a),
    pub(crate) is_plain: bool,
}

impl<'a> Entry<'a> {
    /// Returns the path of the file if the entry is a whole file on disk that is not packed, so
    /// that any number of readers can open it themselves.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.is_plain.then(|| self.name.path())
    }

    /// Appends up to `limit` bytes to `buf`. Returns whether that was surely the whole entry;
    /// otherwise [`read`](Self::read) has the rest. A decoding thread uses this method to pass
    /// small members to other threads.
    ///
    /// # Errors
    /// Reading failed; the bytes before the failure are in `buf`.
    pub fn load(&mut self, buf: &mut Vec<u8>, limit: usize) -> io::Result<bool> {
        let before = buf.len();
        // A stated size may be wrong, so it is only an estimate.
        buf.reserve(
            self.size
                .map_or(0, |size| size.min(limit as u64).min(1 << 20) as usize + 1),
        );
        (&mut *self.read).take(limit as u64).read_to_end(buf)?;
        // If exactly `limit` bytes came, there may be more: a stated size may be wrong, and a test
        // would consume a byte.
        Ok(buf.len() - before < limit)
    }
}

impl fmt::Debug for Entry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = f.debug_struct("Entry");
        out.field("name", &self.name)
            .field("size", &self.size)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

/// Counts of a visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Entries passed to the callback.
    pub entries: u64,
    /// Members that were skipped because neither name nor content shows a game record.
    pub skipped: u64,
    /// Problems passed to the callback.
    pub problems: u64,
    /// Whether the callback returned [`ControlFlow::Break`](std::ops::ControlFlow).
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
