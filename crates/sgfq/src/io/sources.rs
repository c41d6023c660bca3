//! The sources of a table of games: their states when they were read are in the manifest beside it, so that whoever reads
//! the table can tell that they are others now.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use xxhash_rust::xxh3::Xxh3;

use sgfstream_archive::{Input, Walk, Work};

use crate::report::terminal;

/// State of a source when it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) name: String,
    pub(crate) size: Option<u64>,
    /// Nanoseconds since 1970.
    pub(crate) mtime: Option<u64>,
    /// Of its bytes; none for what can be read once only.
    pub(crate) xxh3: Option<u128>,
}

impl Source {
    /// Its state but for its bytes.
    pub(crate) fn seen(work: &Work) -> Self {
        let mut name = work.name().to_string();
        if let Some(member) = work.member() {
            name.push_str(&format!("!{member}"));
        }
        if let Some(game) = work.game() {
            name.push_str(&format!("#{game}"));
        }
        let since = |time: SystemTime| time.duration_since(UNIX_EPOCH).ok();
        let mtime = work.modified().and_then(since).and_then(|since| u64::try_from(since.as_nanos()).ok());
        Self { name, size: work.size(), mtime, xxh3: None }
    }

    /// XXH3 of its bytes; none for what can be read once only.
    pub(crate) fn hash(&self, work: &Work) -> Option<u128> {
        // Without a size it is a pipe or a device.
        self.size.and_then(|size| hash_of(work.path()?, size))
    }

    /// False if it has other bytes now, or is gone.
    fn is_current(&self) -> bool {
        match Walk::new(vec![Input::parse(&self.name)]).next() {
            Some(Ok(work)) => {
                let found = Self::seen(&work);
                let is_same = || found.mtime == self.mtime || found.hash(&work) == self.xxh3;
                found.size == self.size && is_same()
            }
            _ => false,
        }
    }

    /// Adds its name and its bytes to a key.
    pub(crate) fn tell(&self, hash: &mut Xxh3) {
        hash.update(self.name.as_bytes());
        hash.update(b"\0");
        hash.update(&self.xxh3.unwrap_or_default().to_le_bytes());
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "name": self.name,
            "size": self.size,
            "mtime": self.mtime,
            "xxh3": self.xxh3.map(|hash| format!("{hash:032x}")),
        })
    }

    pub(crate) fn from_json(value: &Value) -> Option<Self> {
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

/// The manifest of the table at `path`.
pub(crate) fn manifest_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".manifest");
    name.into()
}

/// The manifest of a table, as it is read.
pub(crate) struct Manifest {
    table: PathBuf,
    sources: Vec<Source>,
}

impl Manifest {
    /// The manifest of the table at `path`, if there is one.
    pub(crate) fn read(path: &Path) -> Option<Self> {
        let mut lines = BufReader::new(File::open(manifest_of(path)).ok()?).lines();
        let mut next = || serde_json::from_str::<Value>(&lines.next()?.ok()?).ok();
        let manifest = next()?;
        let count = usize::try_from(manifest["sources"].as_u64()?).ok()?;
        let sources: Vec<Source> = std::iter::from_fn(|| Source::from_json(&next()?)).take(count).collect();
        (sources.len() == count).then(|| Self { table: path.to_owned(), sources })
    }

    /// Says if sources are not as they were when the table was written.
    pub(crate) fn say_changed(&self) {
        let mut changed = self.sources.iter().filter(|source| source.size.is_some() && !source.is_current());
        let Some(Source { name, .. }) = changed.next() else { return };
        let others = match changed.count() {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        terminal::say(&format!(
            "sgfq: {}: expected files that are as they were when it was written, found {name}{others}; its rows may name other \
             games now: run `sgfq index` again",
            self.table.display()
        ));
    }
}
