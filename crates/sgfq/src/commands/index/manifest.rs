//! Which files an index has, and what they were made of: a file beside it, of an object of JSON and a line for each source.
//! The next run removes the files that are no more.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::{Map, Value, json};

use sgfstream_table::arrow::SCHEMA;

use crate::args::destination::{WholeFile, directory_of};
use crate::args::input::Inputs;
use crate::io::sources::{Source, manifest_of};

use super::format::{Sum, TableOut};
use super::store::sync_directory;

/// A file of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutFile {
    pub(super) path: PathBuf,
    pub(super) sum: Sum,
}

impl OutFile {
    /// It is as it was left.
    pub(super) fn is_untouched(&self) -> bool {
        Sum::of(&self.path).is_ok_and(|sum| sum == self.sum)
    }

    fn to_json(&self) -> Value {
        json!({ "path": self.path.to_string_lossy(), "size": self.sum.size, "xxh3": self.sum.digits() })
    }

    /// The file where `output` is, if it is one that a table there may have.
    fn from_json(value: &Value, output: &Path) -> Option<Self> {
        let path = place_of(output, Path::new(value["path"].as_str()?))?;
        Some(Self { path, sum: Sum::from_json(value)? })
    }
}

/// The files that an older run left of these tables.
pub(super) fn load(games: &Path, tables: &[TableOut]) -> Vec<OutFile> {
    let mut manifest = String::new();
    _ = File::open(manifest_of(games)).and_then(|file| BufReader::new(file).read_line(&mut manifest));
    let manifest: Value = serde_json::from_str(&manifest).unwrap_or_default();
    let files = |out: &TableOut| {
        let listed = manifest["outputs"][out.kind.as_str()].as_array().cloned().unwrap_or_default();
        listed.iter().filter_map(|file| OutFile::from_json(file, &out.path)).collect::<Vec<_>>()
    };
    tables.iter().flat_map(files).collect()
}

/// Writes the manifest, whole or not at all. `files` has those of each table, which were made of `sources` in `inputs`.
pub(super) fn write(
    games: &Path,
    tables: &[TableOut],
    files: &[Vec<OutFile>],
    sources: &[&Source],
    inputs: &Inputs,
) -> anyhow::Result<()> {
    let path = manifest_of(games);
    let outputs = tables.iter().zip(files).map(|(out, files)| {
        let files: Value = files.iter().map(OutFile::to_json).collect();
        (out.kind.as_str().to_owned(), files)
    });
    let outputs = outputs.collect::<Map<_, _>>();
    let mut out = WholeFile::create(&path)?;
    let manifest = json!({
        "sgfq": env!("CARGO_PKG_VERSION"),
        "schema": SCHEMA,
        "outputs": outputs,
        "inputs": inputs.named().collect::<Vec<_>>(),
        "all_files": inputs.how.archives().all_files,
        "sources": sources.len(),
    });
    writeln!(out, "{manifest}")?;
    // All of them as one value would take 4 KB each.
    sources.iter().try_for_each(|source| writeln!(out, "{}", source.to_json()))?;
    out.finish()?;
    sync_directory(directory_of(&path)).with_context(|| path.display().to_string())
}

/// Where a file of an older run is, if it is one of those that a table at `output` may have: the file itself, or one of
/// several with a number. The older run may have named it from another directory.
pub(super) fn place_of(output: &Path, old: &Path) -> Option<PathBuf> {
    let name = old.file_name()?;
    let stem = output.file_stem()?.to_string_lossy();
    let digits = old.file_stem()?.to_str()?.strip_prefix(&*stem).and_then(|rest| rest.strip_prefix('-'));
    let is_numbered = digits.is_some_and(|digits| digits.len() >= 5 && digits.bytes().all(|b| b.is_ascii_digit()));
    let is_of_table = Some(name) == output.file_name() || (is_numbered && old.extension() == output.extension());
    is_of_table.then(|| output.with_file_name(name))
}
