//! Counts the instructions of an event for each shape of data, and compares them with
//! `instructions.tsv` within 5 %. Callgrind counts, so a busy machine gives the same
//! numbers as a quiet one.
//!
//! ```text
//! cargo build --profile measure -p sgfstream-measure --example measure
//! cargo test -p sgfstream-measure --test instructions -- --nocapture
//! SGF_RECORD=1 cargo test -p sgfstream-measure --test instructions        # records the current counts
//! ```
//!
//! The count is the difference between a large and a small input, so
//! it omits starting and loading. The reader runs other code on
//! other processors: the counts hold for x86-64 with AVX2, the largest
//! instruction set that callgrind supports.

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the generator is a module of its example"
)]
#[path = "../../../benches/support/shapes.rs"]
mod shapes;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use sgfstream::SliceReader;
use shapes::{Amount, Shape, write_collection};

const BUILD: &str = "cargo build --profile measure -p sgfstream-measure --example measure";
const RECORD: &str = "tests/instructions.tsv";
/// Share by which a count may differ from the recorded one.
const SLACK: f64 = 0.05;

/// A kind of work of the example `measure`, and a shape of data.
const COUNTED: [(&str, &str); 29] = [
    ("read", "moves"),
    ("read", "sgfs"),
    ("read", "lines"),
    ("read", "comments"),
    ("read", "deep"),
    ("read", "wide"),
    ("read", "values"),
    ("read", "gbk"),
    ("read", "sjis"),
    ("read", "utf8"),
    ("read", "hex"),
    ("stream", "moves"),
    ("pushed", "moves"),
    ("skip", "moves"),
    ("skip", "comments"),
    ("text", "comments"),
    ("text", "gbk"),
    ("moves", "moves"),
    ("points", "moves"),
    ("read", "real"),
    ("stream", "real"),
    ("gaps", "real"),
    ("skip", "real"),
    ("roots", "real"),
    ("text", "real"),
    ("count", "real"),
    ("stats", "real"),
    ("check", "real"),
    ("strip", "real"),
];

#[test]
fn an_event_costs_as_many_instructions_as_recorded() {
    let Some(measure) = measure() else { return };
    if !has_vectors() {
        println!("skipped: the counts are those of a machine with AVX2");
        return;
    }
    let recorded = std::fs::read_to_string(RECORD).unwrap_or_default();
    let mut counts = Vec::new();
    for (work, shape) in COUNTED {
        let [small, large] = [60_000, 360_000].map(|len| Input::new(shape, len));
        let instructions = large.instructions(&measure, work) - small.instructions(&measure, work);
        counts.push((
            work,
            shape,
            instructions as f64 / (large.events - small.events) as f64,
        ));
    }
    if std::env::var_os("SGF_RECORD").is_some() {
        std::fs::write(RECORD, record(&counts)).expect("the record can be written");
        println!("recorded: {RECORD}");
        return;
    }
    let mut differences = String::new();
    println!("instructions for an event of the input\n\nwork    shape     recorded    now");
    for (work, shape, now) in counts {
        let line = recorded
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{work}\t{shape}\t")));
        let before: f64 = line.and_then(|count| count.parse().ok()).unwrap_or(0.0);
        println!("{work:<8}{shape:<10}{before:>8.1}{now:>8.1}");
        if (now - before).abs() > before * SLACK {
            writeln!(
                differences,
                "{work} of {shape}: expected {before:.1}, found {now:.1}"
            )
            .expect("memory");
        }
    }
    assert!(
        differences.is_empty(),
        "instructions for an event\n{differences}if that is as it should be: SGF_RECORD=1 cargo test -p sgfstream-measure --test instructions"
    );
}

/// The path of the example, if callgrind can run it here. Otherwise prints the reason.
fn measure() -> Option<PathBuf> {
    let skip = |why: &str| println!("skipped: instructions for an event, because {why}");
    if Command::new("valgrind").arg("--version").output().is_err() {
        skip("valgrind is not installed");
        return None;
    }
    // target/PROFILE/deps/this
    let this = std::env::current_exe().expect("a test has a path");
    let target = this
        .ancestors()
        .nth(3)
        .expect("a test lies in its target directory");
    let measure = target
        .join("measure/examples/measure")
        .with_extension(std::env::consts::EXE_EXTENSION);
    let Ok(built) = std::fs::metadata(&measure).and_then(|metadata| metadata.modified()) else {
        skip(&format!("{} is not there: {BUILD}", measure.display()));
        return None;
    };
    let sources = [
        "../../src",
        "../game/src",
        "../adapt/src",
        "src",
        "examples",
        "../../benches/support",
    ];
    if sources
        .into_iter()
        .any(|folder| newest(Path::new(folder)) > built)
    {
        skip(&format!(
            "{} is older than the sources: {BUILD}",
            measure.display()
        ));
        return None;
    }
    Some(measure)
}

/// The time of the newest file below `directory`.
fn newest(directory: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory)
            .expect("the sources are there")
            .flatten()
        {
            let metadata = entry.metadata().expect("the sources are there");
            if metadata.is_dir() {
                open.push(entry.path());
            } else {
                newest = newest.max(metadata.modified().expect("files have a time"));
            }
        }
    }
    newest
}

/// A generated collection in a file of its own.
struct Input {
    path: PathBuf,
    events: u64,
}

impl Input {
    fn new(shape: &str, len: usize) -> Self {
        let mut bytes = Vec::new();
        let (kind, piece) = match shape {
            // Games with a value of 2 KB each.
            "values" => (Shape::Value, 2_000),
            name => (Shape::parse(name).expect("a shape of the generator"), len),
        };
        while bytes.len() < len {
            write_collection(&mut bytes, kind, Amount::Bytes(piece as u64), 1).expect("memory");
        }
        let path = std::env::temp_dir().join(format!(
            "sgfstream-{}-{shape}-{len}.sgf",
            std::process::id()
        ));
        std::fs::write(&path, &bytes).expect("a file for the test");
        Self {
            path,
            events: SliceReader::new(&bytes).events().count() as u64,
        }
    }

    /// Instructions of the whole process.
    fn instructions(&self, measure: &Path, work: &str) -> u64 {
        let out = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(measure)
            .arg(work)
            .arg(&self.path)
            .output()
            .expect("valgrind was there before");
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{said}");
        // ==1234== Collected : 123456
        let count = said
            .lines()
            .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
        count.unwrap_or_else(|| panic!("expected a line `Collected : `, found {said}"))
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        _ = std::fs::remove_file(&self.path);
    }
}

/// True if the processor has AVX2, BMI1 and LZCNT, so that callgrind runs the same code as for the
/// recorded counts.
#[cfg(target_arch = "x86_64")]
fn has_vectors() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("lzcnt")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_vectors() -> bool {
    false
}

fn record(counts: &[(&str, &str, f64)]) -> String {
    let version = |program: &str| {
        let out = Command::new(program).arg("--version").output();
        out.map_or_else(
            |_| format!("{program} unknown"),
            |out| String::from_utf8_lossy(&out.stdout).trim().to_owned(),
        )
    };
    let mut text = format!(
        "# Instructions for an event of the input: work, shape, count. Written by tests/instructions.rs.\n\
         # {}, {}, {}\n",
        version("rustc"),
        version("valgrind"),
        std::env::consts::ARCH
    );
    for (work, shape, count) in counts {
        writeln!(text, "{work}\t{shape}\t{count:.1}").expect("memory");
    }
    text
}
