//! Which files an index has, and putting them in their places.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use sgfstream_table::arrow::{PerTable, Table, TableKind};

use crate::args::destination::directory_of;
use crate::io::temporary::Temporary;

use super::assemble::{Piece, assemble};
use super::format::{Format, parts_of_name, write_head};
use super::manifest::OutFile;
use super::store::sync_directory;

/// How many files a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    One,
    /// One for so many games, at most.
    Rows(u64),
    /// One for each source.
    Source,
}

/// What a segment has for each table.
pub(super) struct SegmentPieces {
    /// The name of its source.
    pub(super) source: String,
    pub(super) pieces: PerTable<Vec<Piece>>,
    /// As [`Done::marks`](super::store::Done).
    pub(super) marks: PerTable<Vec<usize>>,
}

/// A file to be made, of these pieces.
type Planned = (PathBuf, Vec<Piece>);

/// A file that is whole and has no name yet.
pub(super) struct Unnamed {
    temporary: Temporary,
    pub(super) file: OutFile,
}

/// Makes the files of a table out of the pieces of its segments.
pub(super) fn make(
    output: &Path,
    cut: Cut,
    format: Format,
    (kind, table): (TableKind, &Table),
    segments: &[SegmentPieces],
) -> anyhow::Result<Vec<Unnamed>> {
    let mut head = Vec::new();
    write_head(&mut head, format, table)?;
    let mut files = Vec::new();
    for (path, pieces) in plan(output, cut, kind, segments) {
        let directory = directory_of(&path);
        fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        let make = || {
            let (file, temporary) = Temporary::create(directory)?;
            assemble(file, format, table, &pieces)?;
            anyhow::Ok(temporary)
        };
        let temporary = make().with_context(|| path.display().to_string())?;
        let groups = pieces.iter().map(|piece| piece.groups.len()).sum();
        let file = OutFile::of(temporary.path(), path, groups, head.len() as u64)?;
        files.push(Unnamed { temporary, file });
    }
    Ok(files)
}

/// Gives the files their names, and removes those of `old` that are no more.
pub(super) fn publish(files: PerTable<Vec<Unnamed>>, old: &[OutFile]) -> anyhow::Result<PerTable<Vec<OutFile>>> {
    let mut named: PerTable<Vec<OutFile>> = PerTable::default();
    for (kind, files) in files {
        for Unnamed { temporary, file } in files {
            temporary.persist(&file.path, true).with_context(|| file.path.display().to_string())?;
            named[kind].push(file);
        }
    }
    let new: HashSet<&Path> = named.iter().flat_map(|(_, files)| files).map(|file| &*file.path).collect();
    let directories: HashSet<_> = new.iter().map(|path| directory_of(path)).collect();
    for directory in directories {
        sync_directory(directory).with_context(|| directory.display().to_string())?;
    }
    for file in old.iter().filter(|file| !new.contains(&*file.path) && file.is_untouched()) {
        fs::remove_file(&file.path).with_context(|| file.path.display().to_string())?;
    }
    Ok(named)
}

fn plan(output: &Path, cut: Cut, kind: TableKind, segments: &[SegmentPieces]) -> Vec<Planned> {
    match cut {
        Cut::One => {
            let pieces = segments.iter().flat_map(|segment| segment.pieces[kind].clone()).collect();
            vec![(output.to_path_buf(), pieces)]
        }
        Cut::Source => {
            let (_, extension) = parts_of_name(output);
            let mut files: Vec<Planned> = Vec::new();
            let mut places = HashMap::new();
            for segment in segments {
                // A source that is named twice has its games twice, in one file.
                let path = output.join(format!("{}.{extension}", escaped(&segment.source)));
                let at = *places.entry(path.clone()).or_insert(files.len());
                if at == files.len() {
                    files.push((path, Vec::new()));
                }
                files[at].1.extend_from_slice(&segment.pieces[kind]);
            }
            files
        }
        Cut::Rows(most) => {
            let mut files: Vec<Planned> = vec![(numbered(output, 1), Vec::new())];
            let mut rows = 0;
            for segment in segments {
                // The numbers of the files for its groups of games. Other tables have files of the same numbers, with
                // the rows of the same games.
                let mut numbers = Vec::new();
                for group in segment.pieces[TableKind::Games].iter().flat_map(|piece| &piece.groups) {
                    if rows > 0 && rows + group.rows > most {
                        files.push((numbered(output, files.len() + 1), Vec::new()));
                        rows = 0;
                    }
                    rows += group.rows;
                    numbers.push(files.len() - 1);
                }
                let mut count = 0;
                for piece in &segment.pieces[kind] {
                    let mut offset = piece.offset;
                    for (at, &group) in piece.groups.iter().enumerate() {
                        let of_games = match kind {
                            TableKind::Games => count,
                            _ => segment.marks[kind].partition_point(|&mark| mark <= count),
                        };
                        let number = numbers.get(of_games).copied().unwrap_or(files.len() - 1);
                        let path = piece.path.clone();
                        files[number].1.push(Piece { path, first: piece.first + at, offset, groups: vec![group] });
                        offset += group.bytes;
                        count += 1;
                    }
                }
            }
            files
        }
    }
}

/// `games.parquet` to `games-00001.parquet`.
fn numbered(output: &Path, number: usize) -> PathBuf {
    let (stem, extension) = parts_of_name(output);
    output.with_file_name(format!("{stem}-{number:05}.{extension}"))
}

/// A file name for a source. Bytes other than letters, digits, `-`, `_` and `.`
/// become `%` and two digits; a long name ends in a hash of the source.
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
