//! The sources of an index, in segments that can be made, kept and dropped on
//! their own.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use sgfstream_archive::{ArchiveProblem, Work};
use sgfstream_engine::Border;

/// A segment has at most so many times its least bytes, unless it is one
/// source, and so many sources.
const MOST: u64 = 16;
const SOURCES: usize = 16_384;

/// One name in so many ends a segment that has its least bytes; so a change in
/// one place moves no segment elsewhere.
const ONE_IN: u64 = 16;

/// State of a source when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    pub(super) size: Option<u64>,
    /// Nanoseconds since 1970.
    mtime: Option<u64>,
    /// Of its bytes; none for what can be read once only.
    xxh3: Option<u128>,
}

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

    pub(super) fn add(&mut self, source: &Source) {
        if let (Some(size), Some(mtime), Some(hash)) = (source.size, source.mtime, source.xxh3) {
            self.sources.insert(xxh3_64(source.name.as_bytes()), (size, mtime, hash));
        }
    }
}

impl Source {
    pub(super) fn of(work: &Work, known: &Known) -> Self {
        let mut name = work.name().to_string();
        if let Some(member) = work.member() {
            name.push_str(&format!("!{member}"));
        }
        if let Some(game) = work.game() {
            name.push_str(&format!("#{game}"));
        }
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let mtime = work.modified().and_then(since).and_then(|since| u64::try_from(since.as_nanos()).ok());
        let size = work.size();
        let before = known.sources.get(&xxh3_64(name.as_bytes()));
        let xxh3 = match before {
            Some(&(was, then, hash)) if Some(was) == size && Some(then) == mtime => Some(hash),
            // Without a size it is a pipe or a device.
            _ => size.and_then(|size| hash_of(work.path()?, size)),
        };
        Self { name, size, mtime, xxh3 }
    }

    /// Adds its name and its bytes to a key.
    pub(super) fn tell(&self, hash: &mut Xxh3) {
        hash.update(self.name.as_bytes());
        hash.update(b"\0");
        hash.update(&self.xxh3.unwrap_or_default().to_le_bytes());
    }

    pub(super) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "size": self.size,
            "mtime": self.mtime,
            "xxh3": self.xxh3.map(|hash| format!("{hash:032x}")),
        })
    }

    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let hash = value["xxh3"].as_str().and_then(|text| u128::from_str_radix(text, 16).ok());
        let name = value["name"].as_str()?.to_owned();
        Some(Self { name, size: value["size"].as_u64(), mtime: value["mtime"].as_u64(), xxh3: hash })
    }
}

/// XXH3 of the file, which has `size` bytes; of all volumes, if it is in volumes.
fn hash_of(path: &Path, size: u64) -> Option<u128> {
    let mut hash = Xxh3::new();
    // It is filled with zeros first, which would take longer than to hash a small file.
    let mut buf = vec![0; size.clamp(512, 256 << 10) as usize];
    let mut path = path.to_path_buf();
    loop {
        let mut file = File::open(&path).ok()?;
        loop {
            match file.read(&mut buf) {
                Ok(0) => break,
                Ok(len) => hash.update(&buf[..len]),
                Err(err) if err.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        // `games.7z.001` is followed by `games.7z.002`.
        let Some(number) = path.extension().and_then(|number| number.to_str()?.parse::<u32>().ok()) else { break };
        path.set_extension(format!("{:03}", number + 1));
        if !path.is_file() {
            break;
        }
    }
    Some(hash.digest128())
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
