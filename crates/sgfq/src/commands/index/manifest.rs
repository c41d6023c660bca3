//! What an index was made of: a file of JSON lines beside it. The first says
//! which files it has, each of the others one segment.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_128;

use sgfstream_table::arrow::{PerTable, SCHEMA, TableKind};

use crate::args::destination::{WholeFile, directory_of};

use super::assemble::Piece;
use super::format::parts_of_name;
use super::source::Known;
use super::store::{Done, sync_directory, with_suffix};

/// A file of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutFile {
    pub(super) path: PathBuf,
    pub(super) groups: usize,
    /// Bytes before its first line.
    pub(super) head: u64,
    size: u64,
    /// Hash of its last bytes.
    tail: String,
}

impl OutFile {
    /// The file at `path` and will be called `name`.
    pub(super) fn of(path: &Path, name: PathBuf, groups: usize, head: u64) -> anyhow::Result<Self> {
        let (size, tail) = look_at(path).with_context(|| path.display().to_string())?;
        Ok(Self { path: name, groups, head, size, tail })
    }

    /// It is as it was left.
    pub(super) fn is_untouched(&self) -> bool {
        look_at(&self.path).is_ok_and(|(size, tail)| size == self.size && tail == self.tail)
    }

    fn to_json(&self) -> Value {
        json!({
            "path": self.path.to_string_lossy(),
            "groups": self.groups,
            "head": self.head,
            "size": self.size,
            "tail": self.tail,
        })
    }

    fn from_json(value: &Value) -> Option<Self> {
        Some(Self {
            path: value["path"].as_str()?.into(),
            groups: usize::try_from(value["groups"].as_u64()?).ok()?,
            head: value["head"].as_u64()?,
            size: value["size"].as_u64()?,
            tail: value["tail"].as_str()?.to_owned(),
        })
    }
}

fn look_at(path: &Path) -> std::io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let size = file.metadata()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(64 << 10)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    Ok((size, format!("{:032x}", xxh3_128(&tail))))
}

/// An index that was made before.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    outputs: PerTable<Vec<OutFile>>,
    segments: HashMap<String, Located>,
}

/// A segment, and how many groups come before its own in each table.
#[derive(Debug)]
struct Located {
    done: Done,
    before: PerTable<usize>,
}

fn path_of(output: &Path) -> PathBuf {
    with_suffix(output, ".manifest")
}

impl Manifest {
    /// The manifest beside `output`, if there is one.
    pub(super) fn load(output: &Path, known: &mut Known) -> Option<Self> {
        let mut lines = BufReader::new(File::open(path_of(output)).ok()?).lines();
        let head: Value = serde_json::from_str(&lines.next()?.ok()?).ok()?;
        let files = |kind: TableKind| -> Vec<OutFile> {
            head["outputs"][kind.as_str()].as_array().into_iter().flatten().filter_map(OutFile::from_json).collect()
        };
        let mut manifest = Self { outputs: PerTable::new(files), ..Self::default() };
        let mut before = PerTable::<usize>::default();
        for line in lines {
            let done = Done::from_json(&serde_json::from_str(&line.ok()?).ok()?)?;
            done.tell(known);
            let located = Located { before, done };
            for (kind, written) in located.done.tables.iter() {
                before[kind] += written.groups.len();
            }
            manifest.segments.insert(located.done.key.clone(), located);
        }
        Some(manifest)
    }

    /// True if what it tells of is still there.
    pub(super) fn is_valid(&self) -> bool {
        self.files().all(OutFile::is_untouched)
    }

    pub(super) fn find(&self, key: &str) -> Option<&Done> {
        self.segments.get(key).map(|located| &located.done)
    }

    /// The files of a table that an older run left, where those of `output` are.
    pub(super) fn files_at(&self, kind: TableKind, output: &Path) -> impl Iterator<Item = OutFile> {
        let at = |file: &OutFile| Some(OutFile { path: place_of(output, &file.path)?, ..file.clone() });
        self.outputs[kind].iter().filter_map(at)
    }

    /// The files of the output.
    pub(super) fn files(&self) -> impl Iterator<Item = &OutFile> {
        self.outputs.iter().flat_map(|(_, files)| files)
    }

    /// Where the groups of a segment are.
    pub(super) fn pieces(&self, key: &str, kind: TableKind) -> Vec<Piece> {
        let Some(located) = self.segments.get(key) else { return Vec::new() };
        let groups = &located.done.tables[kind].groups;
        let mut number = located.before[kind];
        let mut left = &groups[..];
        let mut pieces = Vec::new();
        for file in &self.outputs[kind] {
            if number >= file.groups {
                number -= file.groups;
                continue;
            }
            let len = left.len().min(file.groups - number);
            if len == 0 {
                break;
            }
            let groups = left[..len].to_vec();
            pieces.push(Piece { path: file.path.clone(), first: number, offset: 0, groups });
            left = &left[len..];
            number = 0;
        }
        self.add_offsets(&mut pieces, kind);
        pieces
    }

    /// Of lines, the bytes that come before.
    fn add_offsets(&self, pieces: &mut [Piece], kind: TableKind) {
        for piece in pieces {
            let mut first = 0;
            for file in &self.outputs[kind] {
                if file.path == piece.path {
                    piece.offset = file.head + self.bytes_of(kind, first, first + piece.first);
                    break;
                }
                first += file.groups;
            }
        }
    }

    /// Bytes of the groups of these numbers.
    fn bytes_of(&self, kind: TableKind, from: usize, to: usize) -> u64 {
        let in_range = |located: &Located| -> u64 {
            let before = located.before[kind];
            let groups = located.done.tables[kind].groups.iter().enumerate();
            groups.filter(|(at, _)| (from..to).contains(&(before + at))).map(|(_, group)| group.bytes).sum()
        };
        self.segments.values().map(in_range).sum()
    }
}

/// Writes the manifest of an index, whole or not at all.
pub(super) fn write(output: &Path, outputs: &PerTable<Vec<OutFile>>, segments: &[&Done]) -> anyhow::Result<()> {
    let tables = outputs.iter().filter(|(_, files)| !files.is_empty());
    let tables = tables.map(|(kind, files)| (kind.as_str().to_owned(), files.iter().map(OutFile::to_json).collect()));
    let head = json!({
        "sgfq": env!("CARGO_PKG_VERSION"),
        "schema": SCHEMA,
        "outputs": tables.collect::<Map<_, _>>(),
    });
    let path = path_of(output);
    let mut out = WholeFile::create(&path)?;
    writeln!(out, "{head}")?;
    for segment in segments {
        writeln!(out, "{}", segment.to_json())?;
    }
    out.finish()?;
    sync_directory(directory_of(&path)).with_context(|| path.display().to_string())
}

/// Where a file of an older run is, if it is one of those that a table at `output` may have: the file itself, one of
/// several with a number, or one in the directory. The older run may have named it from another directory.
pub(super) fn place_of(output: &Path, old: &Path) -> Option<PathBuf> {
    let name = old.file_name()?;
    let text = name.to_string_lossy();
    let (stem, extension) = parts_of_name(output);
    let digits = text.strip_prefix(&*stem).and_then(|rest| rest.strip_prefix('-'));
    let digits = digits.and_then(|rest| rest.strip_suffix(&*extension)?.strip_suffix('.'));
    let is_numbered = digits.is_some_and(|digits| digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit()));
    if is_numbered || Some(name) == output.file_name() {
        Some(output.with_file_name(name))
    } else if old.parent().and_then(Path::file_name) == output.file_name() {
        Some(output.join(name))
    } else {
        None
    }
}
