//! Runs every command, in every format, on hostile shapes of two sizes. No run may panic. With an
//! optimized command, four times the bytes must take at most four times the CPU time, and memory
//! must stay below its bound.
//!
//! `SGF_CELL` selects the command lines that begin with it, `SGF_SHAPES` multiplies the sizes,
//! `SGF_COMMAND` names another `sgfq` to measure (an optimized one), and `--nocapture` shows the
//! peaks.
//!
//! It is a separate binary that starts itself to measure, because the peak of a child includes the
//! memory of the process that started it.
#![cfg(unix)]

mod cells;
mod shape;
#[path = "../../../../tests/common/tar.rs"]
mod tar;

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::iter;
use std::num::NonZero;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;
use wait4::Wait4;

use shape::{SHAPES, SMALLEST, Shape};

/// Maximum ratios of CPU time for four times the bytes: at the planned sizes, at four times, and at
/// sixteen times these sizes. Each ratio is tried if the one before is exceeded. If quadratic time
/// exceeds one ratio, it exceeds the next: at 4.4, its share is 3.4 %, which becomes 55 % at
/// sixteen times the size. The noise of the clock, the caches and other load does not grow with the
/// size.
const RATIOS: [f64; 3] = [4.4, 5.4, 8.0];

/// Error of a clock.
const NOISE: Duration = Duration::from_millis(25);

/// Other load of the machine disturbs the clock, so slow results are measured again.
const TRIES: usize = 4;

/// A run that takes longer hangs, even on a loaded machine.
const LIMIT: Duration = Duration::from_secs(600);

/// Maximum memory of a command: 32 MiB, and 8 MiB for each of two workers. Commands that need more
/// are listed with the reason.
const MEMORY: u64 = 48 << 20;
const BOUNDS: &[(&str, u64, &str)] = &[
    (
        "fix",
        80 << 20,
        "holds the findings of a game beside its record",
    ),
    (
        "index {in} -o {dir}/games.jsonl",
        112 << 20,
        "each of two workers holds the rows of a game beside its record",
    ),
    (
        "index {in} -o {dir}/games.arrow",
        80 << 20,
        "holds 65,536 rows before it writes them",
    ),
    (
        "index {in} -o {dir}/games.parquet",
        56 << 20,
        "holds 65,536 rows, and what the footer says of each group of rows",
    ),
];

/// Time and memory of a run.
#[derive(Clone, Copy, Debug)]
struct Usage {
    status: Option<i32>,
    cpu: Duration,
    memory: u64,
}

/// Plan of the measurement.
struct Plan {
    sgfq: String,
    /// Size of the smaller file of a shape.
    bytes: usize,
    cells: Vec<String>,
    /// Each shape is run on every n-th command line, in turn.
    step: usize,
    /// Whether the command is optimized, so that its time and memory count.
    is_measured: bool,
}

impl Plan {
    fn new() -> Self {
        let named = std::env::var("SGF_COMMAND").ok();
        let scale: usize =
            std::env::var("SGF_SHAPES").map_or(1, |scale| scale.parse().expect("a number"));
        let begin = std::env::var("SGF_CELL").unwrap_or_default();
        let cells = cells::cells(scale > 1).into_iter();
        // An unoptimized command is too slow for everything.
        let is_measured = named.is_some() || !cfg!(debug_assertions);
        let (bytes, step) = if is_measured {
            (64 << 10, 1)
        } else {
            (32 << 10, 27)
        };
        Self {
            sgfq: named.unwrap_or_else(|| env!("CARGO_BIN_EXE_sgfq").to_owned()),
            bytes: bytes * scale,
            cells: cells.filter(|cell| cell.starts_with(&begin)).collect(),
            step,
            is_measured,
        }
    }
}

#[test]
fn every_command_and_format_has_a_cell() {
    assert_eq!(cells::missing(&Plan::new().sgfq), Vec::<String>::new());
}

#[test]
fn time_is_linear_and_memory_bounded() {
    assert!(SHAPES.len() >= 43);
    let plan = &Plan::new();
    let (next, faults, peaks) = (
        AtomicUsize::new(0),
        Mutex::default(),
        Mutex::<BTreeMap<&str, Peak>>::default(),
    );
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                while let Some((number, shape)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|number| SHAPES.get(number).map(|shape| (number, shape)))
                {
                    let files = Files::new(shape, plan);
                    for cell in plan
                        .cells
                        .iter()
                        .skip(number % plan.step)
                        .step_by(plan.step)
                    {
                        let (used, is_too_slow) = files.measured(cell);
                        let mut peaks = peaks.lock().expect("no panic");
                        peaks.entry(cell).or_default().add(shape.name, &used);
                        drop(peaks);
                        let found = files.faults_of(cell, &used, is_too_slow);
                        let faults: &mut Vec<String> = &mut faults.lock().expect("no panic");
                        faults.extend(
                            found
                                .into_iter()
                                .map(|fault| format!("{cell}: {}: {fault}", shape.name)),
                        );
                    }
                }
            });
        }
    });
    println!(
        "{:>6} {:>7} {:>5}  {:40} worst memory, worst time",
        "MiB", "ms", "times", "command"
    );
    for (cell, peak) in peaks.into_inner().expect("no panic") {
        println!("{}", peak.line(cell));
    }
    let faults = faults.into_inner().expect("no panic");
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}

/// Commands that store data about each game, or write a row for it.
const NOTING: &[&str] = &[
    "get all -f csv {in}",
    "index {in} -o {dir}/games.parquet",
    "dedup {in}",
    "dedup --by symmetric {in}",
    "dedup --keep first {in}",
    "dedup --near=2 --report {dir}/report.csv {in}",
    "sort hash {in}",
    "merge {in}",
    "players {in}",
    "variations {in}",
    "sample -n 300000 {in}",
    "cat --games -300000 {in}",
];

/// Megabytes of games of a few bytes, because the data about a game takes more memory than its
/// bytes.
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn memory_is_bounded_for_many_small_games() {
    let plan = &Plan {
        bytes: 8 << 20,
        ..Plan::new()
    };
    let mut faults = Vec::new();
    for shape in &SMALLEST {
        let directory = TempDir::new().expect("a directory");
        let files = Files {
            plan,
            shape,
            directory,
            sizes: [plan.bytes; 2],
        };
        files.write(plan.bytes);
        for cell in NOTING {
            let used = [files.run(cell, plan.bytes); 2];
            println!(
                "{:6.1}  {cell}: {}",
                used[0].memory as f64 / f64::from(1 << 20),
                shape.name
            );
            faults.extend(
                files
                    .faults_of(cell, &used, false)
                    .into_iter()
                    .map(|fault| format!("{cell}: {fault}")),
            );
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// No command buffers more of a game than `--max-game`; commands that buffer no game do not need
/// the limit.
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn memory_is_bounded_for_a_game_that_is_too_long() {
    let (sgfq, directory) = (Plan::new().sgfq, TempDir::new().expect("a directory"));
    let path = directory.path().join("long.sgf");
    let mut file = BufWriter::new(File::create(&path).expect("a file"));
    let part = [b'x'; 1 << 16];
    file.write_all(b"(;PB[a];B[aa]C[").expect("disk space");
    (0..1500).for_each(|_| file.write_all(&part).expect("disk space"));
    file.write_all(b"])(;PB[b];B[bb])").expect("disk space");
    drop(file);
    let limited = [
        "get pb,moves",
        "filter moves>0",
        "cat",
        "sort pb",
        "freq pb",
        "grep x",
        "moves",
        "dedup",
        "head -n 9",
        "stats",
        "check",
        "tree",
        "tree -f jsonl",
        "variations",
        "cat --sgfs",
    ];
    let free = ["count", "events", "rewrite"];
    for (commands, limit, status) in [
        (&limited[..], Some("--max-game=1000000"), 1),
        (&free, None, 0),
    ] {
        for words in commands {
            let mut command = Command::new(&sgfq);
            command.args(words.split(' ')).args(limit).arg(&path);
            let used = run(&command);
            let is_expected = used.status == Some(status) || *words == "check";
            // `rewrite` keeps the bytes of a game up to its budget of 32 MiB.
            let bound = if *words == "rewrite" {
                MEMORY + (32 << 20)
            } else {
                MEMORY
            };
            assert!(is_expected && used.memory <= bound, "{words}: {used:?}");
        }
    }
}

/// Units of giant games, with the bytes that each takes of the budget of a game: its own, its
/// tokens and its problems.
const UNITS: [(&[u8], usize); 5] = [
    (b";", 9),
    (b"A[]", 11),
    (b"x", 1),
    (b"A[]x ", 46),
    (b";A[]x ", 55),
];

/// A game over the budget and a game that just fits it take no more than the budget for each
/// worker.
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn memory_is_bounded_for_giant_games() {
    let plan = Plan::new();
    let budget = 32 << 20;
    let directory = TempDir::new().expect("a directory");
    let [path, table] = ["giant.sgf", "games.parquet"].map(|name| directory.path().join(name));
    let index = format!("index -j2 -o {}", table.display());
    let commands = [
        "stats -j2",
        "get all -j2",
        "check -j2",
        "fix -j2",
        &index,
        "rewrite --strip comments",
        "rewrite --canonical",
    ];
    let mut faults = Vec::new();
    for (unit, cost) in UNITS {
        for count in [budget / unit.len() * 3 / 2, budget / cost] {
            let (start, end): (&[u8], &[u8]) = if unit == b"x" {
                (b"(;C[", b"])")
            } else {
                (b"(;", b")")
            };
            let mut file = BufWriter::new(File::create(&path).expect("a file"));
            file.write_all(start).expect("disk space");
            (0..count).for_each(|_| file.write_all(unit).expect("disk space"));
            file.write_all(end)
                .and_then(|()| file.flush())
                .expect("disk space");
            for words in &commands {
                let mut command = Command::new(&plan.sgfq);
                command
                    .args(words.split(' '))
                    .arg(format!("--max-game={budget}"))
                    .arg(&path);
                let used = run(&command);
                fs::remove_file(&table).unwrap_or_default();
                let name = format!("{words}: {count} of {}", String::from_utf8_lossy(unit));
                println!("{:6.1}  {name}", used.memory as f64 / f64::from(1 << 20));
                if !matches!(used.status, Some(0..=1)) || used.memory > MEMORY + 2 * budget as u64 {
                    faults.push(format!("{name}: {used:?}"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A shape in two sizes.
struct Files<'p> {
    plan: &'p Plan,
    shape: &'p Shape,
    directory: TempDir,
    sizes: [usize; 2],
}

impl<'p> Files<'p> {
    fn new(shape: &'p Shape, plan: &'p Plan) -> Self {
        let sizes = [plan.bytes, 4 * plan.bytes];
        let files = Self {
            plan,
            shape,
            directory: TempDir::new().expect("a directory"),
            sizes,
        };
        for bytes in files.sizes {
            files.write(bytes);
        }
        files
    }

    fn write(&self, bytes: usize) {
        let file = File::create(self.path(bytes)).expect("a file");
        let mut file = BufWriter::new(file);
        self.shape
            .write(bytes, &mut file)
            .and_then(|()| file.flush())
            .expect("disk space");
    }

    fn path(&self, bytes: usize) -> String {
        self.directory
            .path()
            .join(format!("{bytes}.sgf"))
            .to_string_lossy()
            .into_owned()
    }

    /// Runs `cell` on the file of this size.
    fn run(&self, cell: &str, bytes: usize) -> Usage {
        let scratch = TempDir::new_in(self.directory.path()).expect("a directory");
        let file = self.path(bytes);
        let copy = scratch.path().join("copy.sgf");
        if cell.contains("{copy}") {
            fs::copy(&file, &copy).expect("disk space");
        }
        let name = |path: &Path| path.to_string_lossy().into_owned();
        let mut command = Command::new(&self.plan.sgfq);
        for word in cell.split(' ') {
            let word = word.replace("{in}", &file).replace("{copy}", &name(&copy));
            command.arg(word.replace("{dir}", &name(scratch.path())));
        }
        if [
            "count", "stats", "get", "filter", "find", "openings", "check", "index", "fix",
        ]
        .contains(&cell.split(' ').next().expect("a command"))
        {
            command.args(["-j", "2"]);
        }
        run(&command)
    }

    /// Returns the minimum of some tries for both sizes, and whether it is too slow. If it seems
    /// too slow, larger sizes are measured, too, because some commands handle a file that fits in
    /// memory differently.
    fn measured(&self, cell: &str) -> ([Usage; 2], bool) {
        let mut sizes = self.sizes;
        let mut least = self.least(cell, sizes, RATIOS[0]);
        let mut is_too_slow = self.is_too_slow(&least, RATIOS[0]);
        for &ratio in &RATIOS[1..] {
            if is_too_slow {
                sizes = sizes.map(|bytes| 4 * bytes);
                self.write(sizes[1]);
                least = self.least(cell, sizes, ratio);
                is_too_slow = self.is_too_slow(&least, ratio);
            }
        }
        (least, is_too_slow)
    }

    fn least(&self, cell: &str, sizes: [usize; 2], ratio: f64) -> [Usage; 2] {
        let mut least = sizes.map(|bytes| self.run(cell, bytes));
        for _ in 1..TRIES {
            if !self.is_too_slow(&least, ratio) {
                break;
            }
            for (least, bytes) in least.iter_mut().zip(sizes) {
                let again = self.run(cell, bytes);
                least.cpu = least.cpu.min(again.cpu);
                least.memory = least.memory.max(again.memory);
            }
        }
        least
    }

    fn is_too_slow(&self, [small, large]: &[Usage; 2], ratio: f64) -> bool {
        self.plan.is_measured && large.cpu > small.cpu.mul_f64(ratio) + NOISE
    }

    fn faults_of(&self, cell: &str, used: &[Usage; 2], is_too_slow: bool) -> Vec<String> {
        let mut faults = Vec::new();
        for usage in used {
            if !matches!(usage.status, Some(0..=2)) {
                faults.push(format!(
                    "expected an exit status of 0, 1 or 2, found {:?}",
                    usage.status
                ));
            }
        }
        let [small, large] = used;
        if is_too_slow {
            faults.push(format!(
                "expected time in proportion to the size, found {:?} and {:?}",
                small.cpu, large.cpu
            ));
        }
        let bound = BOUNDS
            .iter()
            .find(|(prefix, ..)| cell.starts_with(prefix))
            .map_or(MEMORY, |bound| bound.1);
        if self.plan.is_measured && large.memory.max(small.memory) > bound {
            let [small, large] = used.map(|usage| usage.memory >> 10);
            faults.push(format!(
                "expected at most {} KiB, found {small} and {large}",
                bound >> 10
            ));
        }
        faults
    }
}

/// Variable with the words of a command line to measure, with this separator.
const MEASURED: &str = "SGF_MEASURED";
const SEPARATOR: &str = "\u{1f}";

/// Runs a command without streams, as the child of a small process.
fn run(command: &Command) -> Usage {
    let words = iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<&str> = words.map(|word| word.to_str().expect("UTF-8")).collect();
    let measured = Command::new(env::current_exe().expect("a path"))
        .args([
            "--exact",
            "measures_the_command_of_a_variable",
            "--ignored",
            "--nocapture",
        ])
        .env(MEASURED, words.join(SEPARATOR))
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&measured.stdout);
    let line = text.lines().find_map(|line| line.split_once(MEASURED));
    let line = line
        .unwrap_or_else(|| panic!("nothing measured: {text}{}", measured.stderr.escape_ascii()))
        .1;
    let numbers: Vec<i64> = line
        .split_whitespace()
        .map(|word| word.parse().expect("a number"))
        .collect();
    let &[status, cpu, memory] = &numbers[..] else {
        panic!("expected three numbers, found {line}")
    };
    Usage {
        status: i32::try_from(status).ok().filter(|&status| status >= 0),
        cpu: Duration::from_micros(cpu.unsigned_abs()),
        memory: memory.unsigned_abs(),
    }
}

/// The child that [`run`] starts. The system counts the memory of a process as memory of its child,
/// until the child runs its program, so the process that measures must be small.
#[test]
#[ignore = "run by the other tests"]
fn measures_the_command_of_a_variable() {
    let Ok(words) = env::var(MEASURED) else {
        println!("{MEASURED} names no command");
        return;
    };
    let mut words = words.split(SEPARATOR);
    let mut command = Command::new(words.next().expect("a program"));
    command.args(words).env_remove(MEASURED);
    let Usage {
        status,
        cpu,
        memory,
    } = measure(
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null()),
    );
    println!(
        "{MEASURED} {} {} {memory}",
        status.unwrap_or(-1),
        cpu.as_micros()
    );
}

fn measure(command: &mut Command) -> Usage {
    let child = command.spawn().expect("it runs");
    let id = child.id().to_string();
    let (done, ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if ended.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
                Command::new("kill")
                    .args(["-KILL", &id])
                    .status()
                    .expect("it runs");
            }
        });
        let used = child.wait4().expect("it ends");
        drop(done);
        let cpu = used.rusage.utime + used.rusage.stime;
        Usage {
            status: used.status.code(),
            cpu,
            memory: used.rusage.maxrss,
        }
    })
}

/// Worst measurements of a command line.
#[derive(Default)]
struct Peak {
    memory: (u64, &'static str),
    cpu: (Duration, &'static str),
    ratio: f64,
}

impl Peak {
    fn add(&mut self, shape: &'static str, [small, large]: &[Usage; 2]) {
        self.memory = self.memory.max((large.memory, shape));
        self.cpu = self.cpu.max((large.cpu, shape));
        if large.cpu > NOISE {
            self.ratio = self
                .ratio
                .max(large.cpu.as_secs_f64() / small.cpu.as_secs_f64().max(0.001));
        }
    }

    fn line(&self, cell: &str) -> String {
        let (memory, cpu) = (
            self.memory.0 as f64 / f64::from(1 << 20),
            self.cpu.0.as_millis(),
        );
        format!(
            "{memory:6.1} {cpu:7} {:5.1}  {cell:40} {}, {}",
            self.ratio, self.memory.1, self.cpu.1
        )
    }
}
