//! Limits on the unpacked size of an archive, and the counters for them.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::fault::Fault;
use crate::problem::ArchiveErrorKind;

/// Limits on the unpacked size and the memory of one archive. Files that are not packed have no
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
    /// Unpacked bytes for each packed byte, after the first MiB of output. Default: 1000. Deflate
    /// cannot exceed 1032.
    pub ratio: u64,
    /// Unpacked bytes of all members of one archive together. Default: 1 TiB.
    pub bytes: u64,
    /// Members of one archive, including the members of archives inside it. Default: 100 million.
    pub entries: u64,
    /// Containers around an entry: a `.gz` or `.tar.gz` is one, a `.sgf.gz` in a `.zip` two.
    /// Default: 2, an archive inside an archive.
    pub nesting: u32,
    /// Bytes of memory for one decoder: the window of `.zst`, the dictionary of `.xz`, `.7z` and
    /// zip's LZMA, PPMd's model. Memory is allocated as it fills, so small inputs take little.
    /// Default: 256 MiB for the window and 64 MiB on top, which is enough for `zstd --ultra -22`
    /// and `--long=28`, `xz -9` and 7-Zip's levels. `zstd --long=31` needs 2 GiB.
    pub memory: u64,
    /// Bytes of the unpacked list of members of a `.7z`. The whole list is in memory while the
    /// archive is read, and takes 3 to 10 times as much. Default: 64 MiB, about a million members.
    pub header: u64,
    /// Bytes of a temporary file for an archive that is readable only by seeking (a `.7z` from a
    /// pipe or inside an archive). Default: 16 GiB.
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

/// Counters of bytes and files read so far, for progress. Clones share their counts, on any thread.
///
/// ```
/// let meter = sgfstream_archive::Meter::default();
/// let seen_elsewhere = meter.clone();
/// assert_eq!(seen_elsewhere.raw(), 0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Meter {
    raw: Arc<AtomicU64>,
    found: Arc<Mutex<WalkTotals>>,
}

/// Files that a walk has found.
#[derive(Debug, Default)]
struct WalkTotals {
    /// Number of skipped files by extension.
    passed_over: BTreeMap<String, u64>,
    skipped: u64,
}

/// Number of extensions that are counted separately; further ones are counted together.
const EXTENSIONS: usize = 100;

impl Meter {
    /// Returns the bytes read from disk or stdin, before unpacking. A finished file counts its
    /// size, even if parts of it were read twice or not at all.
    #[must_use]
    pub fn raw(&self) -> u64 {
        self.raw.load(Relaxed)
    }

    /// Returns the number of files in directories that a walk skipped because of their names and
    /// content, by extension in lower case. Files without an extension are under `""`. After the
    /// first hundred extensions, further ones are under `*`.
    ///
    /// ```
    /// use sgfstream_archive::{Input, ReadOptions, Walk};
    ///
    /// let options = ReadOptions::default();
    /// let mut walk = Walk::new(vec![Input::path("src")]).with_options(&options);
    /// assert!(walk.next().is_none());
    /// assert!(options.meter.passed_over()["rs"] > 20);
    /// ```
    #[must_use]
    pub fn passed_over(&self) -> BTreeMap<String, u64> {
        self.found().passed_over.clone()
    }

    /// Returns the number of members that were skipped because neither name nor content shows a
    /// game record.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.found().skipped
    }

    pub(crate) fn skip_member(&self) {
        self.found().skipped += 1;
    }

    pub(crate) fn pass_over(&self, extension: String) {
        let passed_over = &mut self.found().passed_over;
        let is_known = passed_over.len() < EXTENSIONS || passed_over.contains_key(&extension);
        *passed_over
            .entry(if is_known { extension } else { "*".to_owned() })
            .or_default() += 1;
    }

    fn found(&self) -> MutexGuard<'_, WalkTotals> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds bytes that the caller itself read from an input.
    pub fn add(&self, len: u64) {
        self.raw.fetch_add(len, Relaxed);
    }
}

/// Bytes of output before the limit on the ratio applies, because a small file of equal bytes is
/// not a bomb.
const FREE: u64 = 1 << 20;

/// Counters of one top-level input.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) caps: Caps,
    pub(crate) meter: Meter,
    /// Size on disk, if known. In archives with overlapping members, the same bytes are read many
    /// times; they count as input only up to this size.
    size: Option<u64>,
    /// Largest count that the meter gets, so that bytes that are read twice count once.
    share: u64,
    /// Packed bytes before this part.
    begun: u64,
    raw: AtomicU64,
    out: AtomicU64,
    entries: AtomicU64,
    /// Whether a cap was reached, so that reading stops.
    spent: AtomicBool,
}

/// Sums over the members before a part of a zip file, as its directory states them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrecedingTotals {
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

    /// Returns the counters of one of several parts of a file, with the parts before it counted in.
    /// So a cap limits the whole file, whatever the order in which its parts are read.
    pub(crate) fn of_piece(self, share: u64, before: PrecedingTotals) -> Self {
        let size = self.size.unwrap_or(u64::MAX);
        Self {
            share,
            begun: before.packed.min(size),
            out: AtomicU64::new(before.unpacked),
            entries: AtomicU64::new(before.members),
            ..self
        }
    }

    /// Returns a fault if the counts of `before` exceed a cap.
    pub(crate) fn beyond(&self, before: PrecedingTotals) -> Option<Fault> {
        if before.members > self.caps.entries {
            return Some(self.cap_of_entries());
        }
        let raw = before.packed.min(self.size.unwrap_or(u64::MAX));
        self.check_out(before.unpacked, raw).err()
    }

    /// Returns whether a cap was reached.
    pub(crate) fn is_cap_reached(&self) -> bool {
        self.spent.load(Relaxed)
    }

    #[cold]
    fn cap(&self, message: String) -> Fault {
        self.spent.store(true, Relaxed);
        Fault::new(ArchiveErrorKind::Cap, message)
    }

    pub(crate) fn add_raw(&self, len: u64) {
        let before = self.raw.fetch_add(len, Relaxed);
        self.meter
            .add((before + len).min(self.share) - before.min(self.share));
    }

    /// Adds the bytes that were not read because they were not needed.
    pub(crate) fn finish(&self) {
        if self.size.is_some() {
            self.meter
                .add(self.share - self.raw.load(Relaxed).min(self.share));
        }
    }

    /// Adds `len` bytes of a decoder's output.
    pub(crate) fn add_out(&self, len: u64) -> Result<(), Fault> {
        let out = self.out.fetch_add(len, Relaxed).saturating_add(len);
        self.check_out(
            out,
            self.raw
                .load(Relaxed)
                .saturating_add(self.begun)
                .min(self.size.unwrap_or(u64::MAX)),
        )
    }

    fn check_out(&self, out: u64, raw: u64) -> Result<(), Fault> {
        if out > self.caps.bytes {
            let most = self.caps.bytes;
            return Err(self.cap(format!(
                "unpacks to more than {most} bytes (cap `bytes`, raised by --cap-bytes)"
            )));
        }
        if out > FREE && out / raw.max(1) > self.caps.ratio {
            let most = self.caps.ratio;
            let message = format!(
                "unpacks {raw} bytes to {out}, more than {most} times as many (cap `ratio`)"
            );
            return Err(self.cap(message));
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
        self.cap(format!(
            "holds more than {} members (cap `entries`); unpack it first",
            self.caps.entries
        ))
    }
}

/// Reader that counts its bytes as packed bytes.
pub(crate) struct MeteredReader<'a, R> {
    pub(crate) inner: R,
    pub(crate) ledger: &'a Ledger,
}

impl<R: Read> Read for MeteredReader<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.ledger.add_raw(len as u64);
        Ok(len)
    }
}
