//! Limits on what an archive may unpack to, and the counts that are compared
//! with them.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::fault::Fault;
use crate::problem::ArchiveErrorKind;

/// Limits on what one archive may unpack to. Files that are not packed have no
/// limits.
///
/// ```
/// use sgfstream_archive::Caps;
///
/// let mut caps = Caps::default();
/// caps.ratio = 100;
/// assert_eq!(caps.nesting, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Caps {
    /// Unpacked bytes for each packed byte, after the first MiB of output. Default 1000; deflate cannot pass 1032.
    pub ratio: u64,
    /// Unpacked bytes from one archive, all its members together. Default
    /// 1 TiB.
    pub bytes: u64,
    /// Members of one archive, those of archives inside it included. Default
    /// 100 million.
    pub entries: u64,
    /// Containers around an entry: a `.gz` or `.tar.gz` is one, a `.sgf.gz` in
    /// a `.zip` two. Default 2, an archive inside an archive.
    pub nesting: u32,
    /// Bytes of memory that one decoder may ask for: the window of `.zst`, the
    /// dictionary of `.xz`, `.7z` and zip's LZMA, PPMd's model. Memory is taken
    /// as it is filled, so small inputs stay small. Default 256 MiB for the window
    /// and 64 MiB on top: enough for `zstd --ultra -22` and `--long=28`, `xz -9` and
    /// 7-Zip's levels. `zstd --long=31` asks for 2 GiB.
    pub memory: u64,
    /// Bytes of the list of members of a `.7z`, unpacked: it is held whole
    /// while the archive is read, in some 3 to 10 times that memory. Default
    /// 64 MiB, about a million members.
    pub header: u64,
    /// Bytes of a temporary file for what can be read only by seeking (a `.7z`
    /// that comes through a pipe or inside an archive). Default 16 GiB.
    pub spool: u64,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            ratio: 1000,
            bytes: 1 << 40,
            entries: 100_000_000,
            nesting: 2,
            memory: (256 << 20) + (64 << 20),
            header: 64 << 20,
            spool: 16 << 30,
        }
    }
}

/// Counts of what has been read so far, for progress. Clones count together, on any
/// thread.
///
/// ```
/// let meter = sgfstream_archive::Meter::default();
/// let seen_elsewhere = meter.clone();
/// assert_eq!(seen_elsewhere.raw(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Meter {
    raw: Arc<AtomicU64>,
    found: Arc<Mutex<Found>>,
}

/// Files that a walk has come to.
#[derive(Debug, Default)]
struct Found {
    files: u64,
    /// By extension.
    passed_over: BTreeMap<String, u64>,
    skipped: u64,
}

/// Extensions that are counted each; the others are counted together.
const EXTENSIONS: usize = 100;

impl Meter {
    /// Bytes read from disk or stdin, packed as they are; a file that is done
    /// counts its size, whatever had to be read of it twice or not at all.
    #[must_use]
    pub fn raw(&self) -> u64 {
        self.raw.load(Relaxed)
    }

    /// Top-level inputs that a walk has come to.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.found().files
    }

    /// Files in directories that a walk has skipped because of their names, by extension: see
    /// [`Walk::passed_over`](crate::Walk::passed_over).
    #[must_use]
    pub fn passed_over(&self) -> BTreeMap<String, u64> {
        self.found().passed_over.clone()
    }

    /// Members of archives that were skipped because neither their name nor their content is that of a game record.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.found().skipped
    }

    pub(crate) fn add_file(&self) {
        self.found().files += 1;
    }

    pub(crate) fn skip_member(&self) {
        self.found().skipped += 1;
    }

    pub(crate) fn pass_over(&self, extension: String) {
        let passed_over = &mut self.found().passed_over;
        let is_known = passed_over.len() < EXTENSIONS || passed_over.contains_key(&extension);
        *passed_over.entry(if is_known { extension } else { "*".to_owned() }).or_default() += 1;
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts bytes that the caller read of an input.
    pub fn add(&self, len: u64) {
        self.raw.fetch_add(len, Relaxed);
    }
}

/// The first MiB may have any ratio: one small file of equal bytes is no bomb.
const FREE: u64 = 1 << 20;

/// The counts of one top-level input.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) caps: Caps,
    pub(crate) meter: Meter,
    /// Size on disk, where it is known. Of archives with overlapping members the same
    /// bytes are read many times; they count as input up to this size only.
    size: Option<u64>,
    /// The most that the meter counts of it: bytes that are read twice count once.
    share: u64,
    /// Packed bytes before this part of it.
    begun: u64,
    raw: AtomicU64,
    out: AtomicU64,
    entries: AtomicU64,
    /// A cap was reached, so nothing more is read of it.
    spent: AtomicBool,
}

/// Sums that the directory of a zip file states for the members before one of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Before {
    pub(crate) members: u64,
    pub(crate) packed: u64,
    pub(crate) unpacked: u64,
}

impl Ledger {
    pub(crate) fn new(caps: Caps, meter: Meter, size: Option<u64>) -> Self {
        Self {
            caps,
            meter,
            size,
            share: size.unwrap_or(u64::MAX),
            begun: 0,
            raw: AtomicU64::new(0),
            out: AtomicU64::new(0),
            entries: AtomicU64::new(0),
            spent: AtomicBool::new(false),
        }
    }

    /// The counts of one of several parts of a file, as if those before it had
    /// been read. So a cap is one of the whole file, in whatever order its parts
    /// are read.
    pub(crate) fn of_piece(self, share: u64, before: Before) -> Self {
        let size = self.size.unwrap_or(u64::MAX);
        Self {
            share,
            begun: before.packed.min(size),
            out: AtomicU64::new(before.unpacked),
            entries: AtomicU64::new(before.members),
            ..self
        }
    }

    /// The cap that the counts of `before` exceed, if they do.
    pub(crate) fn beyond(&self, before: Before) -> Option<Fault> {
        if before.members > self.caps.entries {
            return Some(self.cap_of_entries());
        }
        let raw = before.packed.min(self.size.unwrap_or(u64::MAX));
        self.check_out(before.unpacked, raw).err()
    }

    /// True once a cap was reached.
    pub(crate) fn is_cap_reached(&self) -> bool {
        self.spent.load(Relaxed)
    }

    #[cold]
    fn cap(&self, expected: String, found: impl Into<std::borrow::Cow<'static, str>>) -> Fault {
        self.spent.store(true, Relaxed);
        Fault::new(ArchiveErrorKind::Cap, expected, found)
    }

    pub(crate) fn add_raw(&self, len: u64) {
        let before = self.raw.fetch_add(len, Relaxed);
        self.meter.add((before + len).min(self.share) - before.min(self.share));
    }

    /// Counts what was not read, because nothing of it was needed.
    pub(crate) fn finish(&self) {
        if self.size.is_some() {
            self.meter.add(self.share - self.raw.load(Relaxed).min(self.share));
        }
    }

    /// Counts `len` bytes that came out of a decoder.
    pub(crate) fn add_out(&self, len: u64) -> Result<(), Fault> {
        let out = self.out.fetch_add(len, Relaxed).saturating_add(len);
        self.check_out(out, self.raw.load(Relaxed).saturating_add(self.begun).min(self.size.unwrap_or(u64::MAX)))
    }

    fn check_out(&self, out: u64, raw: u64) -> Result<(), Fault> {
        if out > self.caps.bytes {
            return Err(self.cap(
                format!("at most {} unpacked bytes (cap `bytes`, raised by --cap-bytes)", self.caps.bytes),
                "more",
            ));
        }
        if out > FREE && out / raw.max(1) > self.caps.ratio {
            let expected = format!("at most {} bytes out of each packed byte (cap `ratio`)", self.caps.ratio);
            return Err(self.cap(expected, format!("{out} bytes out of {raw}")));
        }
        Ok(())
    }

    /// Counts a member.
    pub(crate) fn add_entry(&self) -> Result<(), Fault> {
        if self.entries.fetch_add(1, Relaxed) >= self.caps.entries {
            return Err(self.cap_of_entries());
        }
        Ok(())
    }

    #[cold]
    fn cap_of_entries(&self) -> Fault {
        self.cap(format!("at most {} members (cap `entries`)", self.caps.entries), "more")
    }
}

/// Counts the bytes of a reader as packed bytes.
pub(crate) struct Metered<'a, R> {
    pub(crate) inner: R,
    pub(crate) ledger: &'a Ledger,
}

impl<R: Read> Read for Metered<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.ledger.add_raw(len as u64);
        Ok(len)
    }
}
