//! Which files an index has, and putting them in their places.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::args::destination::directory_of;
use crate::io::temporary::Temporary;

use super::assemble::{Piece, assemble};
use super::format::TableOut;
use super::manifest::OutFile;
use super::store::sync_directory;

/// A segment's file of a table, and how many rows each of its groups has.
pub(super) type Segment<'s> = (PathBuf, &'s [u64]);

/// A file that is whole and has no name yet.
pub(super) struct Unnamed {
    temporary: Temporary,
    pub(super) file: OutFile,
}

/// Makes the files of a table out of its segments. `run` is the key of the run.
pub(super) fn make(out: &TableOut, run: &str, segments: &[Segment<'_>]) -> anyhow::Result<Vec<Unnamed>> {
    let mut files = Vec::new();
    for (path, pieces) in plan(&out.path, out.most, segments) {
        let make = || {
            let (file, temporary) = Temporary::create(directory_of(&path))?;
            assemble(file, out, run, &pieces)?;
            anyhow::Ok(temporary)
        };
        let temporary = make().with_context(|| path.display().to_string())?;
        let file = OutFile::of(temporary.path(), path)?;
        files.push(Unnamed { temporary, file });
    }
    Ok(files)
}

/// Gives the files of each table their names, and removes those of `old` that are no more.
pub(super) fn publish(tables: Vec<Vec<Unnamed>>, old: &[OutFile]) -> anyhow::Result<Vec<Vec<OutFile>>> {
    let name = |Unnamed { temporary, file }: Unnamed| {
        temporary.persist(&file.path, true).with_context(|| file.path.display().to_string())?;
        anyhow::Ok(file)
    };
    let tables = tables.into_iter().map(|files| files.into_iter().map(name).collect());
    let named = tables.collect::<anyhow::Result<Vec<Vec<OutFile>>>>()?;
    let new: HashSet<&Path> = named.iter().flatten().map(|file| &*file.path).collect();
    let directories: HashSet<_> = new.iter().map(|path| directory_of(path)).collect();
    for directory in directories {
        sync_directory(directory).with_context(|| directory.display().to_string())?;
    }
    for file in old.iter().filter(|file| !new.contains(&*file.path) && file.is_untouched()) {
        fs::remove_file(&file.path).with_context(|| file.path.display().to_string())?;
    }
    Ok(named)
}

/// The files, and the pieces that each is made of. No group is in two files.
fn plan(output: &Path, most: Option<u64>, segments: &[Segment<'_>]) -> Vec<(PathBuf, Vec<Piece>)> {
    let Some(most) = most else {
        let piece = |(path, groups): &Segment<'_>| Piece { path: path.clone(), groups: 0..groups.len() };
        return vec![(output.to_owned(), segments.iter().map(piece).collect())];
    };
    let mut files = vec![(numbered(output, 1), Vec::new())];
    let mut rows = 0;
    for (path, groups) in segments {
        for (at, group) in groups.iter().enumerate() {
            if rows > 0 && rows + group > most {
                files.push((numbered(output, files.len() + 1), Vec::new()));
                rows = 0;
            }
            rows += group;
            let last = files.last_mut().expect("there is one at least");
            last.1.push(Piece { path: path.clone(), groups: at..at + 1 });
        }
    }
    files
}

/// `games.parquet` to `games-00001.parquet`.
fn numbered(output: &Path, number: usize) -> PathBuf {
    let part = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    output.with_file_name(format!("{}-{number:05}.{}", part(output.file_stem()), part(output.extension())))
}

#[cfg(test)]
mod tests {
    use super::super::manifest::place_of;
    use super::*;

    #[test]
    fn names() {
        let output = Path::new("out/games.parquet");
        assert_eq!(numbered(output, 3), Path::new("out/games-00003.parquet"));
        for (old, place) in [
            ("elsewhere/games-00003.parquet", Some("out/games-00003.parquet")),
            ("games-100000.parquet", Some("out/games-100000.parquet")),
            ("games.parquet", Some("out/games.parquet")),
            ("games-3.parquet", None),
            ("games-00003.arrow", None),
            ("moves-00003.parquet", None),
            ("/etc/passwd", None),
        ] {
            assert_eq!(place_of(output, Path::new(old)), place.map(PathBuf::from), "{old}");
        }
    }
}
