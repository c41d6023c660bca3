//! `sgfq` on all cores: the same bytes for any number of workers, an index
//! that agrees with the count, goes on where it was killed, and is brought up
//! to date.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory of its own for each test, gone at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("sgfstream-index-{}-{name}", std::process::id()));
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

    /// Runs `sgfq` here.
    fn sgfq(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_sgfq")).current_dir(&self.0).args(args).output().expect("it runs")
    }

    /// Names in the directory, without those that begin with `in`.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a directory");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
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

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Games that differ, some with faults, mail between them, and one that is
/// larger than a block.
fn collection(games: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for game in 0..games {
        write!(out, "(;GM[1]FF[4]SZ[19]PB[Black {game}]PW[White {}]RE[B+{}.5]KM[6.5]", game % 97, game % 30)
            .expect("memory");
        write!(out, "DT[{}-03-0{}]C[comment \\] {game}]", 1900 + game % 120, 1 + game % 9).expect("memory");
        for at in 0..40 + game % 60 {
            let (x, y) = (b'a' + ((game + at * 7) % 19) as u8, b'a' + ((game * 3 + at) % 19) as u8);
            write!(out, ";{}[{}{}]", ['B', 'W'][at % 2], char::from(x), char::from(y)).expect("memory");
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

/// A tar file of these members.
fn tar(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, bytes) in members {
        let mut header = [0u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..108].copy_from_slice(b"0000644\0");
        header[124..136].copy_from_slice(format!("{:011o}\0", bytes.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
        header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(bytes);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// Every way in: a huge plain file, a stream with a huge member and small ones,
/// small files, archives of all kinds, damaged ones among them.
fn inputs(scratch: &Scratch) {
    let games = collection(4_000);
    scratch.write("in/huge.sgf", &games);
    let small: Vec<_> = (0..700).map(|at| (format!("small-{at}.sgf"), collection(1 + at % 3))).collect();
    let mut members: Vec<_> = small.iter().map(|(name, bytes)| (name.as_str(), &bytes[..200])).collect();
    members.insert(300, ("huge.sgf", &games));
    scratch.write("in/stream.tar", &tar(&members));
    let wide: Vec<u8> = text(&games[..1 << 20]).encode_utf16().flat_map(u16::to_le_bytes).collect();
    scratch.write("in/wide.sgf", &[&[0xFF, 0xFE], &wide[..]].concat());
    for at in 0..150 {
        scratch.write(&format!("in/many/{at}.sgf"), &collection(1 + at % 5));
    }
    for (name, directory) in [("corpus", "../../corpus"), ("archives", "../archive/tests/archives")] {
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let file = path.file_name().expect("a file").to_str().expect("UTF-8");
                scratch.write(&format!("in/{name}/{file}"), &fs::read(&path).expect("a file"));
            }
        }
    }
}

#[test]
fn the_same_bytes_for_any_number_of_workers() {
    let scratch = Scratch::new("workers");
    inputs(&scratch);
    let mut seen: Option<Vec<Vec<u8>>> = None;
    for jobs in ["1", "2", "5"] {
        let count = scratch.sgfq(&["count", "-j", jobs, "in"]);
        let stats = scratch.sgfq(&["stats", "-f", "json", "-j", jobs, "in"]);
        let args = ["index", "-j", jobs, "in", "-o", "games.parquet", "--moves", "moves.csv", "--comments", "c.jsonl"];
        let index = scratch.sgfq(&args);
        let check = scratch.sgfq(&["check", "-j", jobs, "in", "--diag", "sarif", "--level", "error", "--legality"]);
        let args = ["filter", "-j", jobs, "in", "--where", "moves > 60", "-o", "kept.sgf", "--rejects", "rest.sgf"];
        let filter = scratch.sgfq(&args);
        let get = scratch.sgfq(&["get", "-j", jobs, "all", "in"]);
        // The corpus has damaged archives.
        for output in [&count, &stats, &index, &check, &filter, &get] {
            assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        }
        let found = vec![
            check.stdout,
            check.stderr,
            filter.stderr,
            get.stdout,
            get.stderr,
            scratch.read("kept.sgf"),
            scratch.read("rest.sgf"),
            count.stdout,
            count.stderr,
            stats.stdout,
            index.stderr,
            scratch.read("games.parquet"),
            scratch.read("moves.csv"),
            scratch.read("c.jsonl"),
            scratch.read("games.parquet.manifest"),
        ];
        let _: serde_json::Value = serde_json::from_slice(&found[0]).expect("JSON");
        assert!([3, 5, 6].iter().all(|&at| found[at].len() > 100_000));
        match &seen {
            None => seen = Some(found),
            Some(seen) => {
                for (at, (one, other)) in seen.iter().zip(&found).enumerate() {
                    assert!(one == other, "output {at} depends on the number of workers: -j {jobs}");
                }
            }
        }
    }
}

/// Without an order the same lines come, and no file's are mixed with another's.
#[test]
fn lines_without_an_order() {
    let scratch = Scratch::new("unordered");
    scratch.write("in/a.sgf", &collection(3_000));
    for at in 0..300 {
        scratch.write(&format!("in/b/{at}.sgf"), &collection(1 + at % 5));
    }
    let run = |more: &[&str]| {
        let args = ["get", "source,game,moves", "-f", "csv", "in", "--where", "moves > 45", "-j", "4"];
        let output = scratch.sgfq(&[&args[..], more].concat());
        assert_eq!(text(&output.stderr), "");
        text(&output.stdout).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let (ordered, mut unordered) = (run(&[]), run(&["--unordered"]));
    assert_eq!(unordered.len(), ordered.len());
    // A stable sort by source gives the order of the inputs back.
    let place: std::collections::HashMap<_, _> = ordered
        .iter()
        .enumerate()
        .rev()
        .map(|(at, line)| (line.split(',').next().expect("a cell").to_owned(), at))
        .collect();
    unordered.sort_by_key(|line| place[line.split(',').next().expect("a cell")]);
    assert!(unordered == ordered, "other lines, or a file's in another order");
}

/// What `count` says, by name.
fn count(scratch: &Scratch, input: &str, name: &str) -> u64 {
    let output = text(&scratch.sgfq(&["count", input]).stdout);
    let line = output.lines().find_map(|line| line.strip_prefix(name)).expect("a line");
    line.trim().parse().expect("a number")
}

#[test]
fn parts_are_numbered_as_one_reader_numbers_them() {
    let scratch = Scratch::new("numbers");
    scratch.write("in.sgf", &collection(6_000));
    let whole = scratch.sgfq(&["index", "in.sgf", "-o", "cut.jsonl"]);
    assert_eq!(text(&whole.stderr), "");
    // A condition on the number makes every entry be read by one reader.
    scratch.sgfq(&["index", "in.sgf", "-o", "whole.jsonl", "--where", "game > 0"]);
    let cut = text(&scratch.read("cut.jsonl"));
    assert!(cut == text(&scratch.read("whole.jsonl")), "parts change rows");
    assert_eq!(cut.lines().count() as u64, count(&scratch, "in.sgf", "games"));
    let last: serde_json::Value = serde_json::from_str(cut.lines().last().expect("a row")).expect("JSON");
    assert_eq!(last["game"], cut.lines().count());
    let moves: u64 = cut
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["moves"].as_u64().expect("a number"))
        .sum();
    scratch.sgfq(&["index", "in.sgf", "-o", "x.parquet", "--moves", "moves.jsonl"]);
    assert_eq!(text(&scratch.read("moves.jsonl")).lines().count() as u64, moves);
}

/// Rows of a game that is larger than what a worker holds are handed out before
/// it ends, or wait on the disk where it may not be wanted: they are the same.
#[test]
fn games_of_any_size() {
    let scratch = Scratch::new("large");
    let mut games = Vec::new();
    for game in 0..5 {
        write!(games, "(;PB[{game}]C[root]").expect("memory");
        for node in 0..30 {
            write!(games, "\n;{}[aa]C[{game} {node} {}]", ['B', 'W'][node % 2], "x".repeat(100_000)).expect("memory");
        }
        // What is wrong between two games counts for the second.
        games.extend_from_slice([&b")\n"[..], b"))\n", b")x[y]\n"][game % 3]);
    }
    scratch.write("in.sgf", &games);
    let run = |name: &str, more: &[&str]| {
        let outputs = ["games", "moves", "comments"].map(|table| format!("{name}-{table}.jsonl"));
        let [games, moves, comments] = &outputs;
        let args = ["index", "in.sgf", "-o", games, "--moves", moves, "--comments", comments];
        assert_eq!(text(&scratch.sgfq(&[&args[..], more].concat()).stderr), "");
        outputs.map(|output| text(&scratch.read(&output)))
    };
    let all = run("all", &["-j", "3"]);
    let errors =
        all[0].lines().map(|row| serde_json::from_str::<serde_json::Value>(row).expect("JSON")["errors"].clone());
    assert_eq!(errors.collect::<Vec<_>>(), [0, 0, 1, 1, 0]);
    assert_eq!(all.each_ref().map(|table| table.lines().count()), [5, 150, 155]);
    assert!(run("waited", &["--where", "game > 0"]) == all, "a condition changes rows");
    let odd = run("odd", &["--where", "game in (2, 4)"]);
    let of_odd = |table: &str| -> String {
        let is_odd = |line: &&str| odd[0].lines().any(|row| line.starts_with(row.split_once(',').expect("a key").0));
        table.lines().filter(is_odd).map(|line| format!("{line}\n")).collect()
    };
    assert_eq!(odd[0].lines().count(), 2);
    assert!(odd == all.each_ref().map(|table| of_odd(table)), "a condition keeps other rows");
}

#[test]
fn one_game_of_an_input() {
    let scratch = Scratch::new("one");
    scratch.write("in.sgf", b"(;B[aa]C[one])(;B[bb];W[cc]C[two])(;B[dd]C[three])");
    let args = ["index", "in.sgf#2", "-o", "g.csv", "--columns", "game", "--moves", "m.csv", "--comments", "c.csv"];
    assert_eq!(text(&scratch.sgfq(&args).stderr), "");
    let rest = |name: &str| -> Vec<String> {
        let table = text(&scratch.read(name));
        table.lines().skip(1).map(|line| line.split_once(',').expect("a key").1.to_owned()).collect()
    };
    assert_eq!(rest("g.csv"), ["2"]);
    assert_eq!(rest("m.csv"), ["1,B,bb,1,1,,0", "2,W,cc,2,2,,0"]);
    assert_eq!(rest("c.csv"), ["1,2,C,two"]);
}

/// The peak of a run over `megabytes` of comments that do not pack, in games of
/// `nodes` nodes.
#[cfg(target_os = "linux")]
fn peak_kib(megabytes: usize, nodes: usize, more: &[&str]) -> u64 {
    let scratch = Scratch::new(&format!("peak-{megabytes}-{nodes}-{}", more.len()));
    let mut child = Command::new(env!("CARGO_BIN_EXE_sgfq"))
        .current_dir(&scratch.0)
        .args(["index", "-", "-j1", "-o", "g.parquet", "--moves", "m.parquet", "--comments", "c.parquet"])
        .args(more)
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("piped");
    let mut random = fastrand::Rng::with_seed(3);
    let letters: Vec<u8> = (0..1 << 20).map(|_| b'a' + random.u8(0..16)).collect();
    let mut written = 0;
    while written < megabytes << 20 {
        stdin.write_all(b"(;PB[x]").expect("read");
        for _ in 0..nodes {
            let start = random.usize(0..letters.len() - 20_000);
            stdin.write_all(&[b";B[aa]C[", &letters[start..start + 20_000], b"]"].concat()).expect("read");
        }
        stdin.write_all(b")\n").expect("read");
        written += 20_000 * nodes;
    }
    // All is read but the last block; the peak is reached.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    drop(stdin);
    assert!(child.wait().expect("ended").success());
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    peak.trim().trim_end_matches(" kB").trim().parse().expect("a number")
}

/// However many games there are, and however large one is, wanted or not.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded() {
    for (nodes, more) in [(4, &[][..]), (9000, &[]), (9000, &["--where", "nodes > 2"])] {
        let peak = peak_kib(160, nodes, more);
        assert!(peak <= 100 * 1024, "{peak} KiB, {nodes} nodes, {more:?}");
    }
}

#[test]
fn conditions_and_columns() {
    let scratch = Scratch::new("columns");
    scratch.write("in.sgf", &collection(2000));
    let args = ["index", "in.sgf", "-o", "o.csv", "--columns", "game,pb,moves", "--where", "moves > 98"];
    let output = scratch.sgfq(&args);
    assert_eq!(text(&output.stderr), "");
    let csv = text(&scratch.read("o.csv"));
    assert_eq!(csv.lines().next(), Some("key,game,pb,moves"));
    assert!(csv.lines().skip(1).count() > 10 && csv.lines().skip(1).all(|line| line.ends_with(",99")), "{csv}");
    let wrong = scratch.sgfq(&["index", "in.sgf", "-o", "o.csv", "--columns", "nothing"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).starts_with("sgfq: --columns: column 1: expected a column, found `nothing`"));
    let more = ["index", "in.sgf", "-o", "m.jsonl", "--columns", "game, prop('PB'), has('C'), moves / 2"];
    assert_eq!(text(&scratch.sgfq(&more).stderr), "");
    let lines = text(&scratch.read("m.jsonl"));
    let first: serde_json::Value = serde_json::from_str(lines.lines().next().expect("a game")).expect("JSON");
    assert!(
        first["has('C')"].is_boolean() && first["moves / 2"].is_u64() && first["prop('PB')"].is_string(),
        "{first}"
    );
    let twice = scratch.sgfq(&["index", "in.sgf", "-o", "o.csv", "--columns", "pb,km,PB"]);
    assert_eq!(text(&twice.stderr), "sgfq: --columns: expected each column once, found `pb` twice\n");
    let wrong = scratch.sgfq(&["index", "in.sgf", "-o", "o.xml"]);
    assert!(text(&wrong.stderr).contains("expected a name that ends in .parquet"));
}

#[test]
fn several_files() {
    let scratch = Scratch::new("several");
    for at in 0..6 {
        scratch.write(&format!("in/{at}.sgf"), &collection(40));
    }
    let whole = ["index", "in", "-o", "o.csv", "--row-group", "16"];
    assert_eq!(text(&scratch.sgfq(&whole).stderr), "");
    let all = text(&scratch.read("o.csv"));
    scratch.sgfq(&["index", "in", "-o", "r.csv", "--row-group", "16", "--rows", "100"]);
    let (head, rows) = all.split_once('\n').expect("a line");
    let mut joined = String::new();
    for name in scratch.names().iter().filter(|name| name.starts_with("r-")) {
        let part = text(&scratch.read(name));
        let (part_head, part_rows) = part.split_once('\n').expect("a line");
        assert_eq!(part_head, head);
        assert!(part_rows.lines().count() <= 100);
        joined.push_str(part_rows);
    }
    assert_eq!(joined, rows);
    scratch.sgfq(&["index", "in", "-o", "by.csv", "--partition", "source"]);
    let mut joined = String::new();
    for at in 0..6 {
        let part = text(&scratch.read(&format!("by.csv/in%2F{at}.sgf.csv")));
        joined.push_str(part.split_once('\n').expect("a line").1);
    }
    assert_eq!(joined, rows);
}

/// Files of an older run with other borders go; what somebody else wrote under such a name stays.
#[test]
fn files_of_an_older_run_go() {
    let scratch = Scratch::new("stale");
    scratch.write("in.sgf", &collection(60));
    let index = |more: &[&str]| {
        let args = ["index", "in.sgf", "-o", "o.csv", "--moves", "m.csv", "--row-group", "8"];
        let output = scratch.sgfq(&[&args[..], more].concat());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    };
    let rows = || -> usize {
        let names = scratch.names().into_iter().filter(|name| name.starts_with("o-"));
        names.map(|name| text(&scratch.read(&name)).lines().count() - 1).sum()
    };
    index(&["--rows", "10"]);
    let many = scratch.names().len();
    let games = rows();
    assert!(games > 50 && many > 10, "{games} {many}");
    index(&["--rows", "1000"]);
    assert_eq!(rows(), games);
    let few: Vec<_> = scratch.names().into_iter().filter(|name| name.starts_with("o-")).collect();
    assert_eq!(few, ["o-00001.csv"]);
    // From another directory, and with a file that is no longer what the older run wrote.
    index(&["--rows", "10"]);
    scratch.write("o-00002.csv", b"mine");
    scratch.write("sub/x", b"");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
    command.current_dir(scratch.0.join("sub"));
    let args = ["index", "../in.sgf", "-o", "../o.csv", "--moves", "../m.csv"];
    assert!(command.args(args).status().expect("it runs").success());
    assert_eq!(scratch.names(), ["m.csv", "o-00002.csv", "o.csv", "o.csv.manifest", "sub"]);
    // A table that this run does not write is not touched.
    scratch.sgfq(&["index", "in.sgf", "-o", "o.csv", "--rows", "1000"]);
    assert_eq!(scratch.names(), ["m.csv", "o-00001.csv", "o-00002.csv", "o.csv.manifest", "sub"]);
}

/// The second of two runs with one output says so; the first is not disturbed.
#[test]
fn two_runs_with_one_output() {
    let scratch = Scratch::new("two-runs");
    scratch.write("in.sgf", &collection(30));
    let spawn = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command.current_dir(&scratch.0).args(args).stdin(std::process::Stdio::piped());
        command.stderr(std::process::Stdio::piped()).spawn().expect("it runs")
    };
    // It waits for its input, with the output locked.
    let mut first = spawn(&["index", "-", "-o", "o.csv", "--columns", "pb"]);
    for _ in 0..500 {
        if scratch.0.join("o.csv.parts/lock").exists() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    std::thread::sleep(std::time::Duration::from_millis(100));
    let second = scratch.sgfq(&["index", "in.sgf", "-o", "./o.csv", "--columns", "pb"]);
    let said = "sgfq: ./o.csv: expected no other run that writes this file, found one; start again when it has ended\n";
    assert_eq!((second.status.code(), &*text(&second.stderr)), (Some(2), said));
    // A run with another output is not in the way.
    let other = scratch.sgfq(&["index", "in.sgf", "-o", "other.csv"]);
    assert_eq!((other.status.code(), text(&other.stderr)), (Some(0), String::new()));
    first.stdin.take().expect("a pipe").write_all(b"(;PB[Ada])").expect("it reads");
    assert!(first.wait().expect("it ends").success());
    let rows = text(&scratch.read("o.csv"));
    assert_eq!(rows.lines().filter_map(|line| line.split(',').nth(1)).collect::<Vec<_>>(), ["pb", "Ada"]);
    // Pairs at the same moment: the table is that of one run, whole.
    let others = (0..20).map(|_| "(;PB[Ben])").collect::<String>();
    scratch.write("in2.sgf", others.as_bytes());
    for _ in 0..8 {
        let runs = ["in.sgf", "in2.sgf"].map(|input| spawn(&["index", "-j1", "-o", "o.csv", "--columns", "pb", input]));
        let codes = runs.map(|run| run.wait_with_output().expect("it ends").status.code());
        assert!(codes.contains(&Some(0)) && codes.iter().all(|code| matches!(code, Some(0 | 2))), "{codes:?}");
        let rows = text(&scratch.read("o.csv"));
        let from_second = rows.lines().filter(|line| line.ends_with(",Ben")).count();
        assert!(matches!((from_second, rows.lines().count()), (20, 21) | (0, 30..)), "{rows}");
        assert_eq!(scratch.names(), ["o.csv", "o.csv.manifest", "other.csv", "other.csv.manifest"]);
    }
}

#[test]
fn a_source_that_is_named_twice_and_names_that_are_no_text() {
    let scratch = Scratch::new("twice");
    scratch.write("in.sgf", b"(;PB[Ada])(;PB[Ben])");
    let args = ["index", "in.sgf", "in.sgf", "-o", "by.csv", "--partition", "source", "--columns", "pb"];
    assert_eq!(text(&scratch.sgfq(&args).stderr), "");
    let csv = text(&scratch.read("by.csv/in.sgf.csv"));
    let names: Vec<_> = csv.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(names, ["Ada", "Ben", "Ada", "Ben"]);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        fs::create_dir_all(scratch.0.join("raw")).expect("a directory");
        for (name, game) in [(&b"raw/\xfe.sgf"[..], &b"(;PB[x])"[..]), (b"raw/\xff.sgf", b"(;PB[y])")] {
            fs::write(scratch.0.join(std::ffi::OsStr::from_bytes(name)), game).expect("disk space");
        }
        let args = ["index", "raw", "-o", "raw.csv", "--columns", "source,game,pb"];
        assert_eq!(text(&scratch.sgfq(&args).stderr), "");
        let csv = text(&scratch.read("raw.csv"));
        let rows: Vec<Vec<_>> = csv.lines().skip(1).map(|line| line.split(',').collect()).collect();
        assert_ne!(rows[0][0], rows[1][0], "one key for two games");
        for row in rows {
            let cat = scratch.sgfq(&["cat", &format!("{}#{}", row[1], row[2])]);
            assert_eq!(text(&cat.stdout), format!("(;PB[{}])\n", row[3]));
        }
    }
}

/// Every format is brought up to date to what a new index is.
#[test]
fn an_update_gives_what_a_new_index_gives() {
    for name in ["games.parquet", "games.arrow", "games.csv", "games.jsonl"] {
        let scratch = Scratch::new(&format!("update-{name}"));
        for at in 0..40 {
            scratch.write(&format!("in/{at}.sgf"), &collection(2 + at % 4));
        }
        let args = |output| ["index", "in", "-o", output, "--segment", "2000", "--row-group", "7"];
        let update = [&args(name)[..], &["--update"]].concat();
        assert_eq!(text(&scratch.sgfq(&update).stderr), "");
        let first = scratch.read(name);
        // Nothing changed: the same bytes.
        scratch.sgfq(&update);
        assert!(scratch.read(name) == first, "{name}");
        scratch.write("in/7.sgf", &collection(9));
        scratch.write("in/99.sgf", &collection(3));
        fs::remove_file(scratch.0.join("in/20.sgf")).expect("there");
        let output = scratch.sgfq(&[&update[..], &["--progress", "always"]].concat());
        // What did not change was not read.
        let said = text(&output.stderr);
        let files: u64 = said
            .split(" games in ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            .and_then(|files| files.parse().ok())
            .unwrap_or_else(|| panic!("{said}"));
        assert!((2..39).contains(&files), "{said}");
        scratch.sgfq(&args(&format!("new-{name}")));
        assert!(scratch.read(name) == scratch.read(&format!("new-{name}")), "{name}");
        let new = format!("new-{name}");
        let mut expected = vec![name.to_owned(), format!("{name}.manifest"), new.clone(), format!("{new}.manifest")];
        expected.sort();
        assert_eq!(scratch.names(), expected);
    }
}

/// Killed at any moment and run again, the index is what it would have been.
/// `SGF_KILLS` says how often.
#[test]
fn an_index_goes_on_where_it_was_killed() {
    let kills = std::env::var("SGF_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(6u64);
    let scratch = Scratch::new("kill");
    for at in 0..24 {
        scratch.write(&format!("in/{at}.sgf"), &collection(12 + at % 7));
    }
    let args = |directory: &str| {
        let name = |file: &str| format!("{directory}/{file}");
        let outputs = [name("g.parquet"), name("m.parquet"), name("c.csv")];
        let [games, moves, comments] = outputs;
        let args =
            ["index", "in", "-j", "2", "--segment", "20000", "-o", &games, "--moves", &moves, "--comments", &comments];
        args.map(str::to_owned)
    };
    let run = |directory: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command.current_dir(&scratch.0).args(args(directory)).stderr(std::process::Stdio::null());
        command
    };
    fs::create_dir_all(scratch.0.join("whole")).expect("a directory");
    let begun = std::time::Instant::now();
    assert!(run("whole").status().expect("it runs").success());
    let whole = begun.elapsed();
    let mut random = fastrand::Rng::with_seed(kills);
    let mut killed = 0;
    while killed < kills {
        let directory = format!("round-{killed}");
        fs::create_dir_all(scratch.0.join(&directory)).expect("a directory");
        loop {
            let mut child = run(&directory).spawn().expect("it runs");
            std::thread::sleep(whole.mul_f64(random.f64() * 1.2));
            let is_done = child.try_wait().expect("a child").is_some();
            if is_done {
                break;
            }
            child.kill().expect("a child");
            child.wait().expect("a child");
            killed += 1;
            // No half file under a final name.
            for name in ["g.parquet", "m.parquet", "c.csv"] {
                if let Ok(found) = fs::read(scratch.0.join(&directory).join(name)) {
                    assert!(found == scratch.read(&format!("whole/{name}")), "{name} is half");
                }
            }
            if killed % 3 == 0 {
                assert!(run(&directory).status().expect("it runs").success());
                break;
            }
        }
        for name in ["g.parquet", "m.parquet", "c.csv"] {
            let (found, expected) =
                (scratch.read(&format!("{directory}/{name}")), scratch.read(&format!("whole/{name}")));
            assert!(found == expected, "{directory}/{name}");
        }
        let left = fs::read_dir(scratch.0.join(&directory)).expect("a directory").count();
        assert_eq!(left, 4, "three tables and a manifest");
        fs::remove_dir_all(scratch.0.join(&directory)).expect("there");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_is_obeyed() {
    let scratch = Scratch::new("ctrl-c");
    scratch.write("in.sgf", b"(;GM[1]");
    for command in ["count", "stats"] {
        // A pipe that never ends.
        let mut child = Command::new(env!("CARGO_BIN_EXE_sgfq"))
            .args([command, "-"])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("it runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        let id = child.id().to_string();
        let writer = std::thread::spawn(move || while stdin.write_all(&b"(;GM[1];B[aa])\n".repeat(1000)).is_ok() {});
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("it runs").success());
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("a broken pipe");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
        assert!(text(&output.stderr).starts_with("sgfq: interrupted after "), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn a_summary_where_progress_is_wanted() {
    let scratch = Scratch::new("progress");
    scratch.write("in.sgf", &collection(20));
    let said = text(&scratch.sgfq(&["count", "in.sgf", "--progress", "always"]).stderr);
    assert!(said.contains(" games in 1 files, ") && said.contains(" MB/s, "), "{said}");
    assert_eq!(text(&scratch.sgfq(&["count", "in.sgf"]).stderr), "");
}

#[test]
fn caps_can_be_set() {
    let scratch = Scratch::new("caps");
    let bomb = Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/tests/archives/bomb.sgf.bz2");
    let bomb = bomb.to_str().expect("UTF-8");
    assert_eq!(scratch.sgfq(&["count", bomb]).status.code(), Some(2));
    let output = scratch.sgfq(&["count", bomb, "--cap-ratio", "10000000"]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}
