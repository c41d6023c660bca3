//! Tests of the command `sgfq`, run as users run it.

#[path = "../../../../tests/common/cases.rs"]
mod cases;
#[path = "../../../../tests/common/mod.rs"]
mod common;
#[path = "../../../../tests/common/tar.rs"]
mod tar;
#[path = "../../../../tests/common/zstd.rs"]
mod zstd;

#[cfg(target_os = "linux")]
mod access;
mod agreement;
mod arrange;
mod board;
mod broken;
mod caps;
mod charset;
mod check;
mod check_output;
mod chosen;
mod cuts;
mod dedup;
mod disk;
mod exit;
mod explore;
mod explore_access;
mod explore_curve;
mod explore_findings;
mod explore_lines;
mod explore_person;
mod explore_places;
mod find;
mod findings;
mod fix;
mod grep;
mod help;
mod inputs;
mod interrupt;
mod json;
mod kills;
mod large;
mod law;
mod matrix;
mod messages;
mod openings;
mod overlap;
mod pages;
mod people;
mod pick;
mod position_index;
mod read;
mod references;
mod report;
mod rewrite;
mod split;
mod stats;
mod tables;
#[cfg(target_os = "linux")]
mod threads;
mod where_games;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Games for most tests: three main lines, one of them twice.
const GAMES: &str = "mail: see below\n\
    (;GM[1]PB[Ada]PW[Ben]RE[B+R]KM[6.5]DT[1990-01-02];B[pd];W[dp]C[a ko])\n\
    (;GM[1]PB[Ben]PW[Cyd]RE[W+3.5];B[dd](;W[pp])(;W[dp];B[qq]))  \n\
    (;GM[11]PB[Cyd];B[c1];W[swap-pieces])\n\
    (;GM[1]PB[Dan]RE[0];B[pd];W[dp])\n";

/// Runs the command with these arguments and [`GAMES`] on its stdin.
fn sgfq(arguments: &[&str]) -> Run {
    run(arguments, GAMES.as_bytes())
}

fn run(arguments: &[&str], stdin: &[u8]) -> Run {
    let output = Command::cargo_bin("sgfq")
        .expect("it was built")
        .args(arguments)
        .write_stdin(stdin)
        .output();
    let output = output.expect("it ran");
    Run {
        status: output.status.code().expect("no signal"),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Output of a run with its CPU time, which hardly depends on other load of the machine.
#[cfg(unix)]
fn timed(place: &Place, arguments: &[&str]) -> (String, std::time::Duration) {
    use wait4::Wait4;

    let stdout = std::fs::File::create(place.path("stdout")).expect("disk space");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sgfq"));
    let used = command
        .args(arguments)
        .stdout(stdout)
        .spawn()
        .expect("it runs")
        .wait4()
        .expect("it ends");
    assert!(used.status.success(), "{arguments:?}");
    (place.read("stdout"), used.rusage.utime + used.rusage.stime)
}

struct Run {
    status: i32,
    out: Vec<u8>,
    err: String,
}

impl Run {
    /// Returns the output of a successful run.
    fn done(self) -> String {
        assert_eq!(self.status, 0, "{}", self.err);
        String::from_utf8(self.out).expect("UTF-8")
    }

    /// Returns the output, whatever the exit status.
    fn text(&self) -> &str {
        str::from_utf8(&self.out).expect("UTF-8")
    }

    /// Returns the output of a run with status 1.
    fn nothing(self) -> String {
        assert_eq!(self.status, 1, "{}", self.err);
        String::from_utf8(self.out).expect("UTF-8")
    }

    /// Returns the error of a run with status 2.
    fn refused(self) -> String {
        assert_eq!(self.status, 2, "{}", String::from_utf8_lossy(&self.out));
        self.err
    }
}

/// Temporary directory of a test.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(TempDir::new().expect("a directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_string_lossy().into_owned()
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        std::fs::write(self.path(name), bytes).expect("disk space");
        self.text(name)
    }

    fn read(&self, name: &str) -> String {
        String::from_utf8(std::fs::read(self.path(name)).expect("a file")).expect("UTF-8")
    }

    /// Returns its files, sorted by name.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("a directory");
        let mut names: Vec<String> = entries
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

/// Returns the path of one of the packed files of the repository.
fn packed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../corpus/packed")
        .join(name)
}

/// Returns the number of games of a file, by the command's own count.
fn games(path: &Path) -> u64 {
    let count = run(&["count", &path.to_string_lossy()], b"").done();
    count
        .lines()
        .find_map(|line| line.strip_prefix("games\t")?.parse().ok())
        .expect("a line for games")
}
