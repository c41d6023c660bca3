//! Which files an index has, and putting them in their places.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use sgfstream_table::arrow::Table;

use crate::io::temporary;

use super::assemble::{Piece, assemble};
use super::format::{Format, write_head};
use super::manifest::OutFile;
use super::store::{sync_directory, with_suffix};

/// How many files a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    One,
    /// One for so many rows, at most.
    Rows(u64),
    /// One for each source.
    Source,
}

/// A file to be made.
struct Planned {
    path: PathBuf,
    pieces: Vec<Piece>,
    rows: u64,
}

/// Makes the files of a table out of the pieces of its segments, each with the
/// name of its source, under names that are not final yet.
pub(super) fn make(
    output: &Path,
    cut: Cut,
    format: Format,
    table: &Table,
    segments: Vec<(String, Vec<Piece>)>,
    unfinished: &str,
) -> anyhow::Result<Vec<OutFile>> {
    let planned = plan(output, cut, segments);
    let mut head = Vec::new();
    write_head(&mut head, format, table)?;
    let mut files = Vec::new();
    for Planned { path, pieces, .. } in planned {
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
        }
        let unfinished = with_suffix(&path, unfinished);
        temporary::begin(&unfinished);
        assemble(&unfinished, format, table, &pieces).with_context(|| path.display().to_string())?;
        let groups = pieces.iter().map(|piece| piece.groups.len()).sum();
        files.push(OutFile::of(&unfinished, path, groups, head.len() as u64)?);
    }
    Ok(files)
}

/// Gives the files their names, and removes those of `old` that are no more.
pub(super) fn publish(files: &[OutFile], old: &[OutFile], unfinished: &str) -> anyhow::Result<()> {
    for file in files {
        let shown = || file.path.display().to_string();
        temporary::rename(&with_suffix(&file.path, unfinished), &file.path).with_context(shown)?;
    }
    let directories: HashSet<_> = files.iter().filter_map(|file| file.path.parent()).collect();
    for directory in directories {
        sync_directory(directory).with_context(|| directory.display().to_string())?;
    }
    let new: HashSet<_> = files.iter().map(|file| &file.path).collect();
    for file in old.iter().filter(|file| !new.contains(&file.path) && file.is_untouched()) {
        fs::remove_file(&file.path).with_context(|| file.path.display().to_string())?;
    }
    Ok(())
}

fn plan(output: &Path, cut: Cut, segments: Vec<(String, Vec<Piece>)>) -> Vec<Planned> {
    let file = |path| Planned { path, pieces: Vec::new(), rows: 0 };
    match cut {
        Cut::One => {
            let pieces = segments.into_iter().flat_map(|(_, pieces)| pieces).collect();
            vec![Planned { pieces, ..file(output.to_path_buf()) }]
        }
        Cut::Source => {
            let extension = output.extension().unwrap_or_default().to_string_lossy();
            let mut files: Vec<Planned> = Vec::new();
            let mut places = HashMap::new();
            for (source, pieces) in segments {
                // A source that is named twice has its games twice, in one file.
                let path = output.join(format!("{}.{extension}", escaped(&source)));
                let at = *places.entry(path.clone()).or_insert(files.len());
                if at == files.len() {
                    files.push(file(path));
                }
                files[at].pieces.extend(pieces);
            }
            files
        }
        Cut::Rows(most) => {
            let mut files = vec![file(numbered(output, 1))];
            for piece in segments.into_iter().flat_map(|(_, pieces)| pieces) {
                let mut offset = piece.offset;
                for (at, &group) in piece.groups.iter().enumerate() {
                    let last = files.last().expect("there is a first");
                    if last.rows > 0 && last.rows + group.rows > most {
                        files.push(file(numbered(output, files.len() + 1)));
                    }
                    let last = files.last_mut().expect("there is a first");
                    last.rows += group.rows;
                    let path = piece.path.clone();
                    last.pieces.push(Piece { path, first: piece.first + at, offset, groups: vec![group] });
                    offset += group.bytes;
                }
            }
            files
        }
    }
}

/// `games.parquet` to `games-00001.parquet`.
fn numbered(output: &Path, number: usize) -> PathBuf {
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!("{stem}-{number:05}.{extension}"))
}

/// A file name for a source: what is not plain is written as `%` and two
/// digits, so that different sources have different names.
fn escaped(source: &str) -> String {
    use std::fmt::Write;
    let mut name = String::new();
    for byte in source.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => name.push(char::from(byte)),
            b'.' if !name.is_empty() => name.push('.'),
            _ => _ = write!(name, "%{byte:02X}"),
        }
    }
    if name.len() > 200 {
        let hash = xxhash_rust::xxh3::xxh3_128(source.as_bytes());
        name.truncate(160);
        _ = write!(name, "%{hash:032x}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::super::manifest::place_of;
    use super::*;

    #[test]
    fn names() {
        assert_eq!(escaped("../a b/games.zip!x.sgf"), "%2E.%2Fa%20b%2Fgames.zip%21x.sgf");
        let output = Path::new("out/games.parquet");
        assert_eq!(numbered(output, 3), Path::new("out/games-00003.parquet"));
        for (old, place) in [
            ("elsewhere/games-00003.parquet", Some("out/games-00003.parquet")),
            ("games-100000.parquet", Some("out/games-100000.parquet")),
            ("games.parquet", Some("out/games.parquet")),
            ("x/games.parquet/a.sgf.parquet", Some("out/games.parquet/a.sgf.parquet")),
            ("games-3.parquet", None),
            ("games-00003.csv", None),
            ("moves-00003.parquet", None),
            ("/etc/passwd", None),
        ] {
            assert_eq!(place_of(output, Path::new(old)), place.map(PathBuf::from), "{old}");
        }
    }
}
