//! Where finished segments wait until all are there: a directory beside the
//! output. A segment is finished when its `.json` is there; whatever else
//! lies about is of no use and goes. Files are on the disk before they get their
//! names, so this holds when the machine stops, too.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_64;

use sgfstream_table::arrow::{PerTable, TableKind};

use super::format::{Format, Group};
use super::source::{Known, Source};

/// What is known of a finished segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    pub(super) key: String,
    pub(super) groups: PerTable<Vec<Group>>,
    pub(super) sources: Vec<Value>,
    /// What was said about archives.
    pub(super) problems: Vec<String>,
    /// This run has said them.
    pub(super) was_read_now: bool,
}

impl Done {
    pub(super) fn to_json(&self) -> Value {
        let groups = self.groups.iter().filter(|(_, groups)| !groups.is_empty());
        let groups = groups.map(|(kind, groups)| {
            let pairs = groups.iter().map(|group| json!([group.rows, group.bytes]));
            (kind.as_str().to_owned(), pairs.collect())
        });
        json!({
            "key": self.key,
            "groups": groups.collect::<Map<_, _>>(),
            "sources": self.sources,
            "problems": self.problems,
        })
    }

    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let groups = |kind: TableKind| -> Vec<Group> {
            let pairs = value["groups"][kind.as_str()].as_array().into_iter().flatten();
            pairs
                .map(|pair| Group { rows: pair[0].as_u64().unwrap_or(0), bytes: pair[1].as_u64().unwrap_or(0) })
                .collect()
        };
        let texts = value["problems"].as_array()?.iter().filter_map(Value::as_str);
        Some(Self {
            key: value["key"].as_str()?.to_owned(),
            groups: PerTable::new(groups),
            sources: value["sources"].as_array()?.clone(),
            problems: texts.map(str::to_owned).collect(),
            was_read_now: false,
        })
    }

    /// Remembers the sources.
    pub(super) fn tell(&self, known: &mut Known) {
        self.sources.iter().filter_map(Source::from_json).for_each(|source| known.add(&source));
    }
}

#[derive(Debug)]
pub(super) struct Store {
    directory: PathBuf,
    /// Locked until the store is dropped, so that no other run writes the same output.
    _lock: File,
}

impl Store {
    /// The directory, made where it is not there.
    pub(super) fn open(output: &Path) -> anyhow::Result<Self> {
        let directory = with_suffix(output, ".parts");
        let shown = || directory.display().to_string();
        let name = directory.join("lock");
        loop {
            fs::create_dir_all(&directory).with_context(shown)?;
            let lock = match File::options().create(true).truncate(false).write(true).open(&name) {
                Ok(lock) => lock,
                // A run that ended removed the directory in between.
                Err(err) if err.kind() == io::ErrorKind::NotFound => continue,
                Err(err) => return Err(err).with_context(|| name.display().to_string()),
            };
            match lock.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => anyhow::bail!(
                    "{}: expected no other run that writes this file, found one; start again when it has ended",
                    output.display()
                ),
                // A file system without locks: there, two runs are not kept apart.
                Err(TryLockError::Error(err)) if err.kind() == io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(err)) => return Err(err).with_context(|| name.display().to_string()),
            }
            // The lock of a file that an earlier run removed when it ended excludes no other run.
            if is_at(&lock, &name) {
                return Ok(Self { directory, _lock: lock });
            }
        }
    }

    /// A suffix for the unfinished files of this run, which may be in other directories: a run with another output
    /// has another one, the run that continues this one the same.
    pub(super) fn unfinished(&self) -> String {
        let directory = fs::canonicalize(&self.directory).unwrap_or_else(|_| self.directory.clone());
        format!(".{:08x}.unfinished", xxh3_64(directory.as_os_str().as_encoded_bytes()) as u32)
    }

    pub(super) fn path(&self, key: &str, kind: TableKind, format: Format) -> PathBuf {
        self.directory.join(format!("{key}.{}.{}", kind.as_str(), format.extension()))
    }

    /// A name for what is not finished.
    pub(super) fn temporary(&self, name: &str) -> PathBuf {
        self.directory.join(format!("{name}.unfinished"))
    }

    fn note(&self, key: &str) -> PathBuf {
        self.directory.join(format!("{key}.json"))
    }

    /// The segment, if it is finished.
    pub(super) fn find(&self, key: &str) -> Option<Done> {
        let text = fs::read(self.note(key)).ok()?;
        Done::from_json(&serde_json::from_slice(&text).ok()?).filter(|done| done.key == key)
    }

    /// Says that the files of the segment are whole.
    pub(super) fn finish(&self, done: &Done) -> anyhow::Result<()> {
        // The names of the files must not be lost while the note is kept.
        let temporary = self.temporary("segment.json");
        let write = || {
            sync_directory(&self.directory)?;
            let mut file = File::create(&temporary)?;
            file.write_all(done.to_json().to_string().as_bytes())?;
            file.sync_data()?;
            fs::rename(&temporary, self.note(&done.key))
        };
        write().with_context(|| temporary.display().to_string())
    }

    /// Remembers the sources of what is finished.
    pub(super) fn tell(&self, known: &mut Known) -> anyhow::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json")
                && let Ok(value) = serde_json::from_slice(&fs::read(&path)?)
                && let Some(done) = Done::from_json(&value)
            {
                done.tell(known);
            }
        }
        Ok(())
    }

    /// Removes what is not finished.
    pub(super) fn tidy(&self) {
        for path in fs::read_dir(&self.directory).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "unfinished") {
                _ = fs::remove_file(path);
            }
        }
    }

    /// Removes all of it, the notes first: where one is, its files are.
    pub(super) fn remove(&self) -> anyhow::Result<()> {
        for path in fs::read_dir(&self.directory)?.flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "json") {
                fs::remove_file(path)?;
            }
        }
        match fs::remove_dir_all(&self.directory) {
            // The next run began in it, with a lock of its own.
            Err(err) if err.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            result => result.with_context(|| self.directory.display().to_string()),
        }
    }
}

/// True if `file` is still the file at `path`.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let node = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        file.metadata().ok().map(node) == fs::metadata(path).ok().map(node)
    }
    #[cfg(not(unix))]
    {
        _ = file;
        path.exists()
    }
}

/// Makes names in a directory last, where the system has a way to.
pub(super) fn sync_directory(directory: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let directory = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

pub(super) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
