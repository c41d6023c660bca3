//! The segments of an index: a directory beside the output, of which the tables are assembled. A segment is finished when
//! its `.json` is there; whatever else is in the directory is of no use and goes. Files and their names are on the disk
//! before the `.json` gets its name, so this holds when the machine stops, too.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use sgfstream_engine::{Before, Border};

use crate::io::lock::{self, Hold};
use crate::io::sources::Source;
use crate::io::temporary::Temporary;
use crate::report::terminal;

use super::format::{Sum, TableOut, Written};
use super::source::Known;

/// State of a finished segment.
#[derive(Clone, Debug, Default)]
pub(super) struct Done {
    pub(super) key: String,
    /// One for each table.
    pub(super) tables: Vec<Written>,
    pub(super) sources: Arc<[Source]>,
    /// Problems of archives.
    pub(super) problems: Vec<String>,
    /// Texts of which only the beginning is in the tables.
    pub(super) cut_texts: u64,
    /// Where in a large source it begins, and where the next segment does.
    pub(super) from: Border,
    pub(super) next: Option<Border>,
    /// This run has said its problems.
    pub(super) was_read_now: bool,
}

impl Done {
    fn to_json(&self, tables: &[TableOut]) -> Value {
        let table = |(out, written): (&TableOut, &Written)| {
            let table = json!({
                "groups": written.groups,
                "size": written.sum.size,
                "xxh3": written.sum.digits(),
            });
            (out.kind.as_str().to_owned(), table)
        };
        json!({
            "key": self.key,
            "tables": tables.iter().zip(&self.tables).map(table).collect::<Map<_, _>>(),
            "sources": self.sources.iter().map(Source::to_json).collect::<Vec<_>>(),
            "problems": self.problems,
            "cut_texts": self.cut_texts,
            "from": border_to_json(self.from),
            "next": self.next.map(border_to_json),
        })
    }

    fn from_json(value: &Value, tables: &[TableOut]) -> Option<Self> {
        let mut done = Self { key: value["key"].as_str()?.to_owned(), ..Self::default() };
        for out in tables {
            let table = &value["tables"][out.kind.as_str()];
            // Other runs wrote other tables.
            let Some(groups) = table["groups"].as_array() else { continue };
            done.tables.push(Written {
                groups: groups.iter().map(Value::as_u64).collect::<Option<_>>()?,
                sum: Sum::from_json(table)?,
            });
        }
        done.sources = value["sources"].as_array()?.iter().map(Source::from_json).collect::<Option<_>>()?;
        let texts = value["problems"].as_array()?.iter().filter_map(Value::as_str);
        done.problems = texts.map(str::to_owned).collect();
        done.cut_texts = value["cut_texts"].as_u64().unwrap_or(0);
        done.from = border_from_json(&value["from"])?;
        done.next = border_from_json(&value["next"]);
        Some(done)
    }

    /// Remembers the sources.
    pub(super) fn tell(&self, known: &mut Known) {
        self.sources.iter().for_each(|source| known.add(source));
        known.add_start(&self.key, self.from);
    }
}

fn border_to_json(border: Border) -> Value {
    let Before { parts, games, errors, warnings, .. } = border.before;
    json!([border.at, parts, games, errors, warnings])
}

fn border_from_json(value: &Value) -> Option<Border> {
    let number = |at: usize| value[at].as_u64();
    let before = Before::new(number(1)?, number(2)?, [number(3)?, number(4)?]);
    Some(Border { at: number(0)?, before })
}

#[derive(Debug)]
pub(super) struct Store {
    directory: PathBuf,
    tables: Vec<TableOut>,
    /// Locked until the store is dropped, so that no other run writes the same output. Runs that read shares of one
    /// index hold the lock together.
    _lock: File,
}

impl Store {
    /// The directory, made where it is not there.
    pub(super) fn open(output: &Path, tables: Vec<TableOut>, hold: Hold) -> anyhow::Result<Self> {
        let directory = with_suffix(output, ".parts");
        let shown = || directory.display().to_string();
        loop {
            fs::create_dir_all(&directory).with_context(shown)?;
            match lock::lock(&directory.join("lock"), hold) {
                Ok(Some(lock)) => return Ok(Self { directory, tables, _lock: lock }),
                Ok(None) => anyhow::bail!(
                    "{}: expected no other run that writes this file, found one; start again when it has ended",
                    output.display()
                ),
                // A run that ended removed the directory in between.
                Err(err) if err.kind() == io::ErrorKind::NotFound => {}
                Err(err) => return Err(err).with_context(shown),
            }
        }
    }

    /// Name for errors of writing.
    pub(super) fn shown(&self) -> String {
        self.directory.display().to_string()
    }

    pub(super) fn tables(&self) -> &[TableOut] {
        &self.tables
    }

    pub(super) fn path(&self, key: &str, out: &TableOut) -> PathBuf {
        self.directory.join(format!("{key}.{}.{}", out.kind.as_str(), out.format.extension()))
    }

    /// A new file of the store, which has no name yet.
    pub(super) fn create(&self) -> io::Result<(File, Temporary)> {
        Temporary::create(&self.directory)
    }

    fn note(&self, key: &str) -> PathBuf {
        self.directory.join(format!("{key}.json"))
    }

    /// The segment, if it is finished. One that is damaged is said, and not there.
    pub(super) fn find(&self, key: &str) -> Option<Done> {
        let note = self.note(key);
        let done = match self.load(&note) {
            Ok(done) => done.filter(|done| done.key == key)?,
            Err(err) => return say_damage(&note, &err),
        };
        for (number, out) in self.tables.iter().enumerate() {
            let path = self.path(key, out);
            match Sum::of(&path) {
                Ok(sum) if done.tables.get(number).is_some_and(|written| written.sum == sum) => {}
                Ok(_) => return say_damage(&path, &"other bytes"),
                Err(err) => return say_damage(&path, &err),
            }
        }
        Some(done)
    }

    /// Says that the files of the segment are whole.
    pub(super) fn finish(&self, done: &Done) -> anyhow::Result<()> {
        let json = done.to_json(&self.tables).to_string();
        let write = || {
            // The names of the files must not be lost while the note is kept.
            sync_directory(&self.directory)?;
            let (mut file, temporary) = self.create()?;
            writeln!(file, "{json}\n{:032x}", xxh3_128(json.as_bytes()))?;
            file.sync_data()?;
            temporary.persist(&self.note(&done.key), true)
        };
        write().with_context(|| self.shown())
    }

    /// Remembers the sources of what is finished.
    pub(super) fn tell(&self, known: &mut Known) -> anyhow::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json")
                && let Ok(Some(done)) = self.load(&path)
            {
                done.tell(known);
            }
        }
        Ok(())
    }

    /// Removes all but the segments with these keys, the notes first: where one is, its files are. With none of them the
    /// directory goes.
    pub(super) fn keep(&self, keys: &HashSet<&str>) -> anyhow::Result<()> {
        let shown = || self.directory.display().to_string();
        let mut others: Vec<PathBuf> = Vec::new();
        for entry in fs::read_dir(&self.directory).with_context(shown)? {
            let path = entry.with_context(shown)?.path();
            if path.is_dir() {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let key = name.split_once('.').map_or(&*name, |(key, _)| key);
            if !keys.contains(key) && name != "lock" {
                others.push(path);
            }
        }
        others.sort_by_key(|path| path.extension().is_none_or(|extension| extension != "json"));
        others.iter().try_for_each(fs::remove_file).with_context(shown)?;
        if !keys.is_empty() {
            return sync_directory(&self.directory).with_context(shown);
        }
        match fs::remove_dir_all(&self.directory) {
            // The next run began in it, with a lock of its own.
            Err(err) if err.kind() == io::ErrorKind::DirectoryNotEmpty => Ok(()),
            result => result.with_context(shown),
        }
    }

    /// Content of a note; none if there is no note.
    fn load(&self, note: &Path) -> io::Result<Option<Done>> {
        let text = match fs::read_to_string(note) {
            Ok(text) => text,
            Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(err) => return Err(err),
        };
        let sum = |json: &str| format!("{:032x}", xxh3_128(json.as_bytes()));
        let json = text.trim_end().split_once('\n').filter(|(json, found)| sum(json) == *found).map(|(json, _)| json);
        let done = json.and_then(|json| Done::from_json(&serde_json::from_str(json).ok()?, &self.tables));
        done.map(Some).ok_or_else(|| io::Error::other("other bytes"))
    }
}

fn say_damage(path: &Path, found: &dyn std::fmt::Display) -> Option<Done> {
    let path = path.display();
    terminal::say(&format!("sgfq: {path}: expected the bytes that were written, found {found}; they are made anew"));
    None
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
