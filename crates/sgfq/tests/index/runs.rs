//! Runs after runs: updates, several at once, killed and interrupted ones.

use super::*;

/// Files of an older run with other borders go; a file that was written by others under such a name is kept.
#[test]
fn files_of_an_older_run_go() {
    let scratch = Scratch::new("stale");
    scratch.write("in.sgf", &collection(60));
    let index = |more: &[&str]| {
        let args = ["index", "in.sgf", "-o", "o.arrow", "--moves", "m.arrow", "--row-group", "8"];
        let output = scratch.sgfq(&[&args[..], more].concat());
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    };
    let rows = || -> usize {
        let names = scratch.names().into_iter().filter(|name| name.starts_with("o-"));
        names.map(|name| column(&scratch, &name, "pb").len()).sum()
    };
    index(&["--rows", "10"]);
    let many = scratch.names().len();
    let games = rows();
    assert!(games > 50 && many > 10, "{games} {many}");
    index(&["--rows", "1000"]);
    assert_eq!(rows(), games);
    let few: Vec<_> = scratch.names().into_iter().filter(|name| name.starts_with("o-")).collect();
    assert_eq!(few, ["o-00001.arrow"]);
    // From another directory, and with a file that is no longer what the older run wrote.
    index(&["--rows", "10"]);
    scratch.write("o-00002.arrow", b"mine");
    scratch.write("sub/x", b"");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
    command.current_dir(scratch.0.join("sub"));
    let args = ["index", "../in.sgf", "-o", "../o.arrow", "--moves", "../m.arrow"];
    assert!(command.args(args).status().expect("it runs").success());
    assert_eq!(scratch.names(), ["m.arrow", "o-00002.arrow", "o.arrow", "o.arrow.manifest", "sub"]);
    // A table that this run does not write is not touched.
    scratch.sgfq(&["index", "in.sgf", "-o", "o.arrow", "--rows", "1000"]);
    assert_eq!(scratch.names(), ["m.arrow", "o-00001.arrow", "o-00002.arrow", "o.arrow.manifest", "sub"]);
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
    let mut first = spawn(&["index", "-", "-o", "o.arrow", "--columns", "pb"]);
    // It has read some of this when all is written, because a pipe holds less: so it has the lock.
    let mut stdin = first.stdin.take().expect("a pipe");
    stdin.write_all(&[b'\n'; 1 << 20]).expect("it reads");
    let second = scratch.sgfq(&["index", "in.sgf", "-o", "./o.arrow", "--columns", "pb"]);
    let said =
        "sgfq: ./o.arrow: expected no other run that writes this file, found one; start again when it has ended\n";
    assert_eq!((second.status.code(), &*text(&second.stderr)), (Some(2), said));
    // A run with another output is not in the way.
    let other = scratch.sgfq(&["index", "in.sgf", "-o", "other.arrow"]);
    assert_eq!((other.status.code(), text(&other.stderr)), (Some(0), String::new()));
    stdin.write_all(b"(;PB[Ada])").expect("it reads");
    drop(stdin);
    assert!(first.wait().expect("it ends").success());
    assert_eq!(column(&scratch, "o.arrow", "pb"), ["Ada"]);
    // Pairs at the same moment: the table is that of one run, whole.
    let others = (0..20).map(|_| "(;PB[Ben])").collect::<String>();
    scratch.write("in2.sgf", others.as_bytes());
    for _ in 0..8 {
        let runs =
            ["in.sgf", "in2.sgf"].map(|input| spawn(&["index", "-j1", "-o", "o.arrow", "--columns", "pb", input]));
        let codes = runs.map(|run| run.wait_with_output().expect("it ends").status.code());
        assert!(codes.contains(&Some(0)) && codes.iter().all(|code| matches!(code, Some(0 | 2))), "{codes:?}");
        let rows = column(&scratch, "o.arrow", "pb");
        let from_second = rows.iter().filter(|name| *name == "Ben").count();
        assert!(matches!((from_second, rows.len()), (20, 20) | (0, 29..)), "{rows:?}");
        assert_eq!(scratch.names(), ["o.arrow", "o.arrow.manifest", "other.arrow", "other.arrow.manifest"]);
    }
}

#[test]
fn a_source_that_is_named_twice_and_names_that_are_no_text() {
    let scratch = Scratch::new("twice");
    scratch.write("in.sgf", b"(;PB[Ada])(;PB[Ben])");
    let args = ["index", "in.sgf", "in.sgf", "-o", "twice.csv", "--columns", "pb"];
    assert_eq!(text(&scratch.sgfq(&args).stderr), "");
    let csv = text(&scratch.read("twice.csv"));
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
    for name in ["games.parquet", "games.arrow"] {
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
        // What the next update is made of stays.
        let old = ["", ".manifest", ".parts"].map(|suffix| format!("{name}{suffix}"));
        let mut expected = [&old[..], &[new.clone(), format!("{new}.manifest")]].concat();
        expected.sort();
        assert_eq!(scratch.names(), expected);
    }
}

/// Killed at any moment and run again, the index is what it would have been.
/// `SGF_KILLS` says how often.
#[test]
fn an_index_goes_on_where_it_was_killed() {
    let kills = std::env::var("SGF_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(2u64);
    let scratch = Scratch::new("kill");
    for at in 0..24 {
        scratch.write(&format!("in/{at}.sgf"), &collection(12 + at % 7));
    }
    let args = |directory: &str| {
        let name = |file: &str| format!("{directory}/{file}");
        let outputs = [name("g.parquet"), name("m.parquet"), name("c.arrow")];
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
    let mut whole = begun.elapsed();
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
                // The first run was slower, because the machine had other work.
                whole = whole.mul_f64(0.8);
                break;
            }
            child.kill().expect("a child");
            child.wait().expect("a child");
            killed += 1;
            // No half file under a final name.
            for name in ["g.parquet", "m.parquet", "c.arrow"] {
                if let Ok(found) = fs::read(scratch.0.join(&directory).join(name)) {
                    assert!(found == scratch.read(&format!("whole/{name}")), "{name} is half");
                }
            }
            if killed % 3 == 0 {
                assert!(run(&directory).status().expect("it runs").success());
                break;
            }
        }
        for name in ["g.parquet", "m.parquet", "c.arrow"] {
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
        // When it reads, it obeys signals. A pipe holds less than what is written then.
        let (reads, is_reading) = std::sync::mpsc::channel();
        let writer = std::thread::spawn(move || {
            let block = b"(;GM[1];B[aa])\n".repeat(1000);
            for blocks in 0.. {
                if stdin.write_all(&block).is_err() {
                    break;
                }
                if blocks == 100 {
                    reads.send(()).expect("the test waits");
                }
            }
        });
        is_reading.recv().expect("it reads");
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

/// Whatever is left of a manifest, of the files of the parts or of their notes: the tables are those of a new index.
#[test]
fn damage_beside_the_tables_does_no_harm() {
    let scratch = Scratch::new("damage");
    for at in 0..8 {
        scratch.write(&format!("in/{at}.sgf"), &collection(2 + at % 4));
    }
    let update = ["index", "in", "-o", "g.parquet", "--moves", "m.parquet", "--segment", "2000", "--update"];
    assert!(scratch.sgfq(&update).status.success());
    let tables = || (scratch.read("g.parquet"), scratch.read("m.parquet"), scratch.read("g.parquet.manifest"));
    let expected = tables();
    let parts =
        || fs::read_dir(scratch.0.join("g.parquet.parts")).expect("a directory").map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = parts().filter(|path| !path.ends_with("lock")).collect();
    assert!(files.len() > 4, "{files:?}");
    files.sort();
    if !common::is_long() {
        files.truncate(2);
    }
    files.push(scratch.0.join("g.parquet.manifest"));
    let deep = "[".repeat(100_000);
    for path in &files {
        let whole = fs::read(path).expect("a file");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 4;
        for damaged in [
            &b""[..],
            &whole[..whole.len() / 2],
            &flipped,
            b"null",
            b"{\"sources\":[7,{}],\"outputs\":[]}",
            deep.as_bytes(),
        ] {
            fs::write(path, damaged).expect("disk space");
            let run = scratch.sgfq(&update);
            assert!(run.status.success(), "{}: {}", path.display(), text(&run.stderr));
            assert!(tables() == expected, "{}", path.display());
        }
        fs::remove_file(path).expect("a file");
        assert!(scratch.sgfq(&update).status.success() && tables() == expected, "{}", path.display());
    }
}

/// A file that cannot be read is named, and the others are in the table; `find --index` finds them, too.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_fails_costs_its_games() {
    let scratch = Scratch::new("eio");
    scratch.write("in/a.sgf", b"(;SZ[9];B[aa])");
    scratch.write("in/b.sgf", b"(;SZ[9];B[aa])");
    // Whoever reads its own memory at address 0 gets an error of input.
    fs::remove_file(scratch.0.join("in/a.sgf")).expect("a file");
    std::os::unix::fs::symlink("/proc/self/mem", scratch.0.join("in/a.sgf")).expect("a link");
    for (arguments, games) in [
        (&["find", "--position", "aa", "--index", "g.positions", "in"][..], 1),
        (&["index", "in", "-o", "-", "-f", "csv", "--columns", "source"], 2),
    ] {
        let run = scratch.sgfq(arguments);
        let err = text(&run.stderr);
        assert!(run.status.code() == Some(2) && err.contains("a.sgf") && err.contains("Input/output error"), "{err}");
        assert_eq!(text(&run.stdout).lines().count(), games, "{arguments:?}");
    }
}
