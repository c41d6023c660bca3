//! Simulates a slow or failing disk. Every k-th read is short, is interrupted, or fails. Short and
//! interrupted reads change nothing. After a failure, the events before it have been returned, and
//! the error is reported once, at its place.

use std::io::{self, Read};
use std::ops::ControlFlow;

use sgfstream::{EventReader, Options, Reader};
use sgfstream_adapt::tree::{Games, MemoryLimit};
use sgfstream_archive::{EntryName, ReadOptions, visit_reader};

/// Fault of the disk at every `every`-th read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    /// Returns at most this many bytes.
    Short(usize),
    /// Is interrupted once, and succeeds on the next call.
    Interrupted,
    /// Fails permanently with EIO.
    Fails,
}

/// Reader of bytes from the simulated disk.
struct Bytes<'b> {
    bytes: &'b [u8],
    disk: Disk,
    every: usize,
    calls: usize,
}

impl<'b> Bytes<'b> {
    fn new(bytes: &'b [u8], disk: Disk, every: usize) -> Self {
        Self {
            bytes,
            disk,
            every,
            calls: 0,
        }
    }
}

impl Read for Bytes<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        let is_due = self.calls.is_multiple_of(self.every);
        let most = match self.disk {
            Disk::Short(most) if is_due => most,
            Disk::Interrupted if is_due => return Err(io::ErrorKind::Interrupted.into()),
            Disk::Fails if self.calls >= self.every => {
                return Err(io::Error::other("the disk failed"));
            }
            // Small, so that there are many calls.
            _ => 64,
        };
        let len = buf.len().min(most);
        self.bytes.read(&mut buf[..len])
    }
}

fn collection() -> Vec<u8> {
    let game = |number: usize| {
        format!("mail (;FF[4]GM[1]PB[player {number}];B[aa]C[a \\] ];W[bb](;B[cc])(;B[dd]C\n")
    };
    (0..20)
        .map(|number| game(number) + "[x]))\r\n")
        .collect::<String>()
        .into_bytes()
}

/// Returns each event with its place, and the error at the end.
fn log(read: impl Read) -> (Vec<String>, Option<sgfstream::Error>) {
    let mut reader = Reader::with_options(read, Options::default());
    let mut lines = Vec::new();
    loop {
        match reader.next_event() {
            Ok(Some(event)) => {
                let event = format!("{event:?}");
                lines.push(format!("{event} {}", reader.place().span));
            }
            Ok(None) => return (lines, None),
            Err(err) => return (lines, Some(err)),
        }
    }
}

#[test]
fn short_and_interrupted_reads_change_no_event() {
    let bytes = collection();
    let (expected, _) = log(&bytes[..]);
    assert!(expected.len() > 300);
    for disk in [Disk::Short(1), Disk::Short(7), Disk::Interrupted] {
        for every in [1, 2, 3, 5, 17]
            .into_iter()
            .filter(|&every| every > 1 || disk != Disk::Interrupted)
        {
            let (found, err) = log(Bytes::new(&bytes, disk, every));
            assert!(
                found == expected && err.is_none(),
                "{disk:?} at every call {every}: {err:?}"
            );
        }
    }
}

/// The events before the failure equal the events of the whole input, and no problem is reported
/// for the missing rest.
#[test]
fn a_failure_ends_the_events_where_it_is() {
    let bytes = collection();
    let (expected, _) = log(&bytes[..]);
    let mut before = 0;
    for every in 1..=bytes.len() / 64 + 1 {
        let (found, err) = log(Bytes::new(&bytes, Disk::Fails, every));
        let err = err.expect("the disk failed");
        assert!(
            err.is_io() && err.to_string().contains("the disk failed"),
            "{err}"
        );
        assert_eq!(found, expected[..found.len()], "at call {every}");
        assert!(found.len() >= before, "at call {every}");
        before = found.len();
        let at = err.position().map_or(0, |at| at.byte);
        assert!(at <= 64 * every as u64, "at call {every}: {at}");
    }
    assert!(before + 60 > expected.len(), "{before}");
}

/// The trees before the failure are returned, then the error.
#[test]
fn a_failure_ends_the_trees_where_it_is() {
    let bytes = collection();
    for every in [1, 3, 9, 20] {
        let mut games = Games::with_limit(
            Reader::new(Bytes::new(&bytes, Disk::Fails, every)),
            MemoryLimit::bytes(1 << 20),
        );
        let mut count = 0;
        let err = loop {
            match games.next_game() {
                Ok(Some(tree)) => {
                    assert_eq!(tree.node_count(), 5);
                    count += 1;
                }
                Ok(None) => panic!("the disk failed at call {every}"),
                Err(err) => break err,
            }
        };
        assert!(err.is_io(), "{err}");
        assert!(
            count <= 64 * every / 80 + 1 && count + 3 >= 64 * (every - 1) / 96,
            "{count} games before call {every}"
        );
    }
}

/// Returns the members of an archive that were read, and the problems.
fn members(bytes: &mut dyn Read) -> (Vec<(String, Vec<u8>)>, Vec<String>) {
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    visit_reader(
        &EntryName::file("disk"),
        bytes,
        &ReadOptions::default(),
        |item| {
            match item {
                Ok(entry) => {
                    let mut bytes = Vec::new();
                    if entry.read.read_to_end(&mut bytes).is_ok() {
                        found.push((entry.name.to_string(), bytes));
                    }
                }
                Err(problem) => problems.push(problem.to_string()),
            }
            ControlFlow::Continue(())
        },
    );
    (found, problems)
}

#[test]
fn archives_on_a_failing_disk() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/tests/archives");
    let mut failed = 0;
    for name in [
        "two.tar",
        "two.tar.gz",
        "two.tar.zst",
        "two.zip",
        "one.sgf.gz",
        "one.sgf.xz",
        "deflate.zip",
    ] {
        let bytes = std::fs::read(folder.join(name)).expect("an archive");
        let (expected, problems) = members(&mut &bytes[..]);
        assert!(
            problems.is_empty() && !expected.is_empty(),
            "{name}: {problems:?}"
        );
        for disk in [Disk::Short(1), Disk::Short(13), Disk::Interrupted] {
            let (found, problems) = members(&mut Bytes::new(&bytes, disk, 2));
            assert!(problems.is_empty(), "{name}: {disk:?}: {problems:?}");
            assert_eq!(found, expected, "{name}: {disk:?}");
        }
        for every in 1..=bytes.len() / 64 {
            let (found, problems) = members(&mut Bytes::new(&bytes, Disk::Fails, every));
            // Only whole members before the failure are returned.
            assert!(
                found
                    .iter()
                    .zip(&expected)
                    .all(|(found, expected)| found == expected),
                "{name}: call {every}"
            );
            let is_all = found.len() == expected.len();
            // The reader need not read beyond the last member.
            assert!(
                is_all || problems.iter().any(|said| said.contains("the disk failed")),
                "{name}: {every}: {problems:?}"
            );
            failed += usize::from(!is_all);
        }
    }
    assert!(failed > 30, "{failed}");
}
