//! Tests of parallel runs: the same bytes for any number of workers, and tables that agree with
//! `count` and appear only when they are complete.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use arrow_array::cast::AsArray;

#[path = "../../../../tests/common/mod.rs"]
mod common;
mod runs;
mod tables;
#[path = "../../../../tests/common/tar.rs"]
mod tar;

use tar::tar;

/// Temporary directory of a test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("sgfstream-index-{}-{name}", std::process::id()));
        _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        Self(path)
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("a directory");
        fs::write(path, bytes).expect("a file");
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|err| panic!("{name}: {err}"))
    }

    /// Runs `sgfq` in the directory.
    fn sgfq(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sgfq"))
            .current_dir(&self.0)
            .args(args)
            .output()
            .expect("it runs")
    }

    /// Returns the names in the directory that do not begin with `in`.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a directory");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .into_string()
                    .expect("UTF-8")
            })
            .collect();
        names.retain(|name| !name.starts_with("in"));
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the texts of a column of an Arrow file.
fn column(scratch: &Scratch, name: &str, column: &str) -> Vec<String> {
    let reader =
        arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(scratch.read(name)), None)
            .expect(name);
    let batches = reader.map(|batch| batch.expect("a batch"));
    let texts = batches.flat_map(|batch| {
        let texts = batch
            .column_by_name(column)
            .expect("a column")
            .as_string::<i32>()
            .clone();
        texts
            .iter()
            .map(|text| text.unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    });
    texts.collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Returns different games, some with problems, with mail text between them, and one that is larger
/// than a block.
fn collection(games: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for game in 0..games {
        write!(
            out,
            "(;GM[1]FF[4]SZ[19]PB[Black {game}]PW[White {}]RE[B+{}.5]KM[6.5]",
            game % 97,
            game % 30
        )
        .expect("memory");
        write!(
            out,
            "DT[{}-03-0{}]C[comment \\] {game}]",
            1900 + game % 120,
            1 + game % 9
        )
        .expect("memory");
        for at in 0..40 + game % 60 {
            let (x, y) = (
                b'a' + ((game + at * 7) % 19) as u8,
                b'a' + ((game * 3 + at) % 19) as u8,
            );
            write!(
                out,
                ";{}[{}{}]",
                ['B', 'W'][at % 2],
                char::from(x),
                char::from(y)
            )
            .expect("memory");
        }
        out.extend_from_slice(match game % 10 {
            0 => b"(;B[aa];W[bb])(;B[cc]C[two])",
            1 => b"x[lowercase]",
            _ => b"",
        });
        out.extend_from_slice(match game % 50 {
            7 => b")\n-- \nFrom: [someone] else\n",
            8 => b"))\n",
            9 => b"\n",
            _ => b")\n",
        });
        if game == games / 2 {
            out.extend_from_slice(b"(;GM[1]C[");
            out.resize(out.len() + (3 << 20), b'.');
            out.extend_from_slice(b"])\n");
        }
    }
    out
}

/// Creates all kinds of inputs: a huge plain file, a stream with a huge member and small ones,
/// small files, archives of all kinds, some of them damaged.
fn inputs(scratch: &Scratch) {
    let games = collection(if common::is_long() { 4_000 } else { 600 });
    scratch.write("in/huge.sgf", &games);
    let small: Vec<_> = (0..700)
        .map(|at| (format!("small-{at}.sgf"), collection(1 + at % 3)))
        .collect();
    let mut members: Vec<_> = small
        .iter()
        .map(|(name, bytes)| (name.as_str(), &bytes[..200]))
        .collect();
    members.insert(300, ("huge.sgf", &games));
    scratch.write("in/stream.tar", &tar(&members));
    let wide: Vec<u8> = text(&games[..1 << 20])
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    scratch.write("in/wide.sgf", &[&[0xFF, 0xFE], &wide[..]].concat());
    for at in 0..150 {
        scratch.write(&format!("in/many/{at}.sgf"), &collection(1 + at % 5));
    }
    for (name, directory) in [
        ("corpus", "../../corpus"),
        ("archives", "../archive/tests/archives"),
    ] {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory))
            .expect("a directory")
        {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let file = path.file_name().expect("a file").to_str().expect("UTF-8");
                scratch.write(
                    &format!("in/{name}/{file}"),
                    &fs::read(&path).expect("a file"),
                );
            }
        }
    }
}
