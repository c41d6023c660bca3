//! Files without a path that are read by seeking yield the same entries and problems as files on
//! disk.

use std::fs;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sgfstream_archive::{self as archive, ArchiveProblem, Entry, EntryName, Input, ReadOptions};

/// Names and bytes of entries, and problems.
type Seen = (Vec<(String, Vec<u8>)>, Vec<String>);

fn take(seen: &mut Seen, item: Result<Entry<'_>, ArchiveProblem>) -> ControlFlow<()> {
    match item {
        Ok(entry) => {
            let mut bytes = Vec::new();
            _ = entry.read.read_to_end(&mut bytes);
            seen.0.push((entry.name.to_string(), bytes));
        }
        Err(problem) => seen.1.push(problem.to_string()),
    }
    ControlFlow::Continue(())
}

fn from_disk(path: &Path) -> Seen {
    let mut seen = Seen::default();
    archive::visit(&[Input::path(path)], &ReadOptions::default(), |item| {
        take(&mut seen, item)
    });
    seen
}

fn from_memory(path: &Path, volumes: &[PathBuf]) -> Seen {
    let volumes = volumes.iter().map(|path| fs::read(path).expect("a file"));
    let volumes = volumes
        .map(|bytes| (bytes.len() as u64, Cursor::new(bytes)))
        .map(|(len, bytes)| (bytes, len))
        .collect();
    let mut seen = Seen::default();
    let name = EntryName::file(path);
    archive::visit_volumes(&name, volumes, true, &ReadOptions::default(), |item| {
        take(&mut seen, item)
    });
    seen
}

#[test]
fn every_archive_is_read_as_from_disk() {
    let mut paths: Vec<PathBuf> = ["tests/archives", "../../corpus", "../../corpus/packed"]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder"))
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    let last =
        |path: &PathBuf, end: &str| path.extension().is_some_and(|extension| extension == end);
    for path in paths
        .iter()
        .filter(|path| !last(path, "002") && !last(path, "003"))
    {
        let stem = path.with_extension("");
        let is_volume = |other: &&PathBuf| {
            *other == path || last(path, "001") && other.with_extension("") == stem
        };
        let volumes: Vec<PathBuf> = paths.iter().filter(is_volume).cloned().collect();
        assert_eq!(
            from_memory(path, &volumes),
            from_disk(path),
            "{}",
            path.display()
        );
    }
}

#[test]
fn damage_is_reported_as_from_disk() {
    let folder = tempfile::tempdir().expect("a directory");
    for name in ["two.zip", "two.tar.zst", "two.tar.xz", "lzma2.7z"] {
        let whole = fs::read(Path::new("tests/archives").join(name)).expect("a file");
        let path = folder.path().join(name);
        for at in (0..whole.len()).step_by(7) {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x55;
            for bytes in [&damaged[..], &whole[..at]] {
                fs::write(&path, bytes).expect("a file");
                assert_eq!(
                    from_memory(&path, std::slice::from_ref(&path)),
                    from_disk(&path),
                    "{name} {at}"
                );
            }
        }
    }
}
