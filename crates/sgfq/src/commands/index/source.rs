//! The sources of an index, in segments that can be made, kept and dropped on
//! their own.

use std::collections::{BTreeMap, HashMap};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use sgfstream_archive::{ArchiveProblem, Work};
use sgfstream_engine::Border;

use crate::io::sources::Source;

/// A segment has at most so many times its least bytes, unless it is one
/// source, and so many sources.
const MOST: u64 = 16;
const SOURCES: usize = 16_384;

/// One name in so many ends a segment that has its least bytes; so a change in
/// one place moves no segment elsewhere.
const ONE_IN: u64 = 16;

/// States of sources from before: size, time and hash by the hash of
/// the name.
#[derive(Default)]
pub(super) struct Known {
    sources: HashMap<u64, (u64, u64, u128)>,
    /// Where segments of large sources begin, by the key of the first of them.
    starts: BTreeMap<(String, u64), Border>,
}

impl Known {
    /// Remembers where a segment begins inside a source.
    pub(super) fn add_start(&mut self, key: &str, from: Border) {
        if let Some((key, _)) = key.rsplit_once('-').filter(|_| from.at > 0) {
            self.starts.insert((key.to_owned(), from.at), from);
        }
    }

    /// Where the next known segment of a source begins.
    pub(super) fn start_after(&self, key: &str, at: u64) -> Option<Border> {
        let (_, from) = self.starts.range((key.to_owned(), at + 1)..=(key.to_owned(), u64::MAX)).next()?;
        Some(*from)
    }

    /// State of a file: it is not read where its size and time are those from before.
    pub(super) fn look_at(&self, work: &Work) -> Source {
        let mut source = Source::seen(work);
        source.xxh3 = match self.sources.get(&xxh3_64(source.name.as_bytes())) {
            Some(&(size, mtime, hash)) if Some(size) == source.size && Some(mtime) == source.mtime => Some(hash),
            _ => source.hash(work),
        };
        source
    }

    pub(super) fn add(&mut self, source: &Source) {
        if let (Some(size), Some(mtime), Some(hash)) = (source.size, source.mtime, source.xxh3) {
            self.sources.insert(xxh3_64(source.name.as_bytes()), (size, mtime, hash));
        }
    }
}

/// An input, and what it was when it was found.
pub(super) type Found = Result<(Work, Source), ArchiveProblem>;

/// Sources that are read together; the unit of what is kept.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) sources: Vec<Source>,
    pub(super) works: Vec<Result<Work, ArchiveProblem>>,
    bytes: u64,
}

impl Segment {
    /// Adds a source, and says whether it is the last.
    /// `least`: bytes that a segment has, but the last.
    pub(super) fn add(&mut self, found: Found, least: u64) -> bool {
        let mut may_end = false;
        self.works.push(found.map(|(work, source)| {
            self.bytes += source.size.unwrap_or(0);
            may_end = xxh3_64(source.name.as_bytes()).is_multiple_of(ONE_IN);
            self.sources.push(source);
            work
        }));
        (may_end && self.bytes >= least) || self.bytes >= least.saturating_mul(MOST) || self.works.len() >= SOURCES
    }

    /// Key that tells it from others, with its state; none if it must be
    /// read anew each time.
    pub(super) fn key(&self, fingerprint: &str) -> Option<String> {
        let mut hash = Xxh3::new();
        hash.update(fingerprint.as_bytes());
        for source in &self.sources {
            source.xxh3?;
            source.tell(&mut hash);
        }
        // What cannot be read now may be there next time.
        self.works.iter().all(Result::is_ok).then(|| format!("{:032x}", hash.digest128()))
    }
}
