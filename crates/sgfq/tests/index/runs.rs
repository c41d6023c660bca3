//! Tests of simultaneous, killed and interrupted runs, and of a full disk.

use super::*;

/// Two simultaneous runs with one output: the table is complete and from one of them, and no other
/// file remains.
#[test]
fn two_runs_with_one_output() {
    let scratch = Scratch::new("two-runs");
    scratch.write("in.sgf", &collection(30));
    let others = (0..20).map(|_| "(;PB[Ben])").collect::<String>();
    scratch.write("in2.sgf", others.as_bytes());
    for _ in 0..8 {
        let runs = ["in.sgf", "in2.sgf"].map(|input| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
            command.current_dir(&scratch.0).args([
                "index",
                "-j1",
                "-o",
                "o.arrow",
                "--columns",
                "pb",
                input,
            ]);
            command.spawn().expect("it runs")
        });
        assert!(
            runs.into_iter()
                .all(|mut run| run.wait().expect("it ends").success())
        );
        let rows = column(&scratch, "o.arrow", "pb");
        let from_second = rows.iter().filter(|name| *name == "Ben").count();
        assert!(
            matches!((from_second, rows.len()), (20, 20) | (0, 29..)),
            "{rows:?}"
        );
        assert_eq!(scratch.names(), ["o.arrow"]);
    }
}

#[test]
fn a_source_that_is_named_twice_and_names_that_are_no_text() {
    let scratch = Scratch::new("twice");
    scratch.write("in.sgf", b"(;PB[Ada])(;PB[Ben])");
    let args = [
        "index",
        "in.sgf",
        "in.sgf",
        "-o",
        "twice.csv",
        "--columns",
        "pb",
    ];
    assert_eq!(text(&scratch.sgfq(&args).stderr), "");
    let csv = text(&scratch.read("twice.csv"));
    let names: Vec<_> = csv
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').nth(1))
        .collect();
    assert_eq!(names, ["Ada", "Ben", "Ada", "Ben"]);
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        fs::create_dir_all(scratch.0.join("raw")).expect("a directory");
        for (name, game) in [
            (&b"raw/\xfe.sgf"[..], &b"(;PB[x])"[..]),
            (b"raw/\xff.sgf", b"(;PB[y])"),
        ] {
            fs::write(scratch.0.join(std::ffi::OsStr::from_bytes(name)), game).expect("disk space");
        }
        let args = [
            "index",
            "raw",
            "-o",
            "raw.csv",
            "--columns",
            "source,game,pb",
        ];
        assert_eq!(text(&scratch.sgfq(&args).stderr), "");
        let csv = text(&scratch.read("raw.csv"));
        let rows: Vec<Vec<_>> = csv
            .lines()
            .skip(1)
            .map(|line| line.split(',').collect())
            .collect();
        assert_ne!(rows[0][0], rows[1][0], "one key for two games");
        for row in rows {
            let cat = scratch.sgfq(&["cat", &format!("{}#{}", row[1], row[2])]);
            assert_eq!(text(&cat.stdout), format!("(;PB[{}])\n", row[3]));
        }
    }
}

/// An interrupted or killed run leaves no table and does not damage an older one.
#[cfg(unix)]
#[test]
fn an_index_that_is_stopped_leaves_no_table() {
    let scratch = Scratch::new("stopped");
    scratch.write("in.sgf", &collection(400));
    scratch.write("old.csv", b"old");
    for (signal, status) in [("-INT", Some(130)), ("-TERM", Some(143)), ("-KILL", None)] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        command
            .current_dir(&scratch.0)
            .args(["index", "-j1", "in.sgf", "-", "-o", "o.parquet"]);
        command.args([
            "--moves",
            "m.arrow",
            "--comments",
            "old.csv",
            "--row-group",
            "10",
        ]);
        let mut child = command
            .stdin(std::process::Stdio::piped())
            .spawn()
            .expect("it runs");
        // A pipe holds less than this, so the command has read some of it and has written rows.
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin
            .write_all(&b"(;GM[1]C[x];B[aa])\n".repeat(100_000))
            .expect("it reads");
        // The pipe ends when its reader closes.
        let writer =
            std::thread::spawn(move || while stdin.write_all(b"(;GM[1];B[aa])\n").is_ok() {});
        let kill = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(kill.expect("it runs").success());
        assert_eq!(child.wait().expect("it ends").code(), status, "{signal}");
        writer.join().expect("a broken pipe");
        let mut names = scratch.names();
        // A killed process leaves hidden files.
        names.retain(|name| status.is_some() || !name.starts_with(".sgfq-"));
        assert_eq!(
            (names, scratch.read("old.csv")),
            (vec!["old.csv".to_owned()], b"old".to_vec()),
            "{signal}"
        );
    }
    let args = [
        "index",
        "in.sgf",
        "-o",
        "o.parquet",
        "--moves",
        "m.arrow",
        "--comments",
        "old.csv",
    ];
    assert!(scratch.sgfq(&args).status.success());
    let mut names = scratch.names();
    names.retain(|name| !name.starts_with(".sgfq-"));
    assert_eq!(names, ["m.arrow", "o.parquet", "old.csv"]);
}

/// Each input is read once: no more bytes than it has, except for the start of a file, which
/// determines its kind.
#[cfg(target_os = "linux")]
#[test]
fn each_input_is_read_once() {
    let scratch = Scratch::new("once");
    scratch.write("in/a.sgf", &collection(4_000));
    let members = [("b.sgf", collection(2_000))];
    scratch.write(
        "in/b.tar",
        &tar(&members.each_ref().map(|(name, games)| (*name, &**games))),
    );
    let size = |name: &str| fs::metadata(scratch.0.join(name)).expect("a file").len();
    let all = size("in/a.sgf") + size("in/b.tar");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
    command
        .current_dir(&scratch.0)
        .args(["index", "-j2", "in", "-", "-o", "o.parquet"]);
    let mut child = command
        .stdin(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let piped = b"(;GM[1]C[x];B[aa])\n".repeat(100_000);
    stdin.write_all(&piped).expect("it reads");
    let rchar = || {
        let io = fs::read_to_string(format!("/proc/{}/io", child.id())).expect("it runs");
        io.lines()
            .find_map(|line| line.strip_prefix("rchar: ")?.parse::<u64>().ok())
            .expect("a count")
    };
    let wanted = all + piped.len() as u64;
    // The command waits for the end of the pipe once it has read all the rest.
    while rchar() < wanted {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let read = rchar();
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    assert!(read < wanted + all / 8, "{read} of {wanted}");
    assert_eq!(scratch.names(), ["o.parquet"]);
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
        // While the command reads, it handles signals. A pipe holds less than the bytes written by
        // then.
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
        assert!(
            Command::new("kill")
                .args(["-INT", &id])
                .status()
                .expect("it runs")
                .success()
        );
        let output = child.wait_with_output().expect("it ends");
        writer.join().expect("a broken pipe");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
        assert!(
            text(&output.stderr).starts_with("sgfq: interrupted after "),
            "{}",
            text(&output.stderr)
        );
        assert_eq!(text(&output.stdout), "");
    }
}

#[test]
fn a_summary_where_progress_is_wanted() {
    let scratch = Scratch::new("progress");
    scratch.write("in.sgf", &collection(20));
    let said = text(
        &scratch
            .sgfq(&["count", "in.sgf", "--progress", "always"])
            .stderr,
    );
    assert!(
        said.contains(" games in 1 files, ") && said.contains(" MB/s, "),
        "{said}"
    );
    assert_eq!(text(&scratch.sgfq(&["count", "in.sgf"]).stderr), "");
}

#[test]
fn caps_can_be_set() {
    let scratch = Scratch::new("caps");
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../archive/tests/archives/two.tar.gz");
    let packed = packed.to_str().expect("UTF-8");
    assert_eq!(
        scratch
            .sgfq(&["count", packed, "--cap-bytes", "100"])
            .status
            .code(),
        Some(2)
    );
    let output = scratch.sgfq(&["count", packed, "--cap-bytes", "1000000"]);
    assert_eq!(
        (output.status.code(), text(&output.stderr)),
        (Some(0), String::new())
    );
}

/// An unreadable file is named, and the table contains the other files. `find --index` finds them,
/// too.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_fails_costs_its_games() {
    let scratch = Scratch::new("eio");
    scratch.write("in/a.sgf", b"(;SZ[9];B[aa])");
    scratch.write("in/b.sgf", b"(;SZ[9];B[aa])");
    // A process that reads its own memory at address 0 gets an input error.
    fs::remove_file(scratch.0.join("in/a.sgf")).expect("a file");
    std::os::unix::fs::symlink("/proc/self/mem", scratch.0.join("in/a.sgf")).expect("a link");
    for (arguments, games) in [
        (
            &["find", "--position", "aa", "--index", "g.positions", "in"][..],
            1,
        ),
        (
            &["index", "in", "-o", "-", "-f", "csv", "--columns", "source"],
            2,
        ),
    ] {
        let run = scratch.sgfq(arguments);
        let err = text(&run.stderr);
        assert!(
            run.status.code() == Some(2)
                && err.contains("a.sgf")
                && err.contains("input/output error"),
            "{err}"
        );
        assert_eq!(text(&run.stdout).lines().count(), games, "{arguments:?}");
    }
}

/// On a full disk, each format names the file that could not be written and leaves no file, and the
/// next run writes the table.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let scratch = Scratch::new("full");
    let moves = format!(";B[dd];W[pp]C[{}]", "text ".repeat(180));
    let games: String = (0..3_000)
        .map(|at| format!("(;GM[1]FF[4]PB[full {at}]KM[{}.5]{moves})\n", at % 9))
        .collect();
    scratch.write("in.sgf", games.as_bytes());
    let disk = scratch.0.join("disk");
    fs::create_dir_all(&disk).expect("a directory");
    let mount = |size: &str| {
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"])
            .arg(&disk)
            .output();
        mount.is_ok_and(|output| output.status.success())
    };
    if !mount("64k") {
        eprintln!("skipped: this user may not mount a tmpfs");
        return;
    }
    let unmount = || {
        assert!(
            Command::new("umount")
                .arg(&disk)
                .status()
                .expect("it runs")
                .success()
        )
    };
    unmount();
    for format in ["parquet", "arrow", "csv", "jsonl"] {
        let (mut failed, mut size) = (0, 16);
        loop {
            assert!(mount(&format!("{size}k")));
            let output = format!("disk/x.{format}");
            let run = scratch.sgfq(&[
                "index",
                "in.sgf",
                "-o",
                &output,
                "--columns",
                "game,pb",
                "-j1",
            ]);
            let mut names: Vec<_> = fs::read_dir(&disk)
                .expect("there")
                .map(|entry| {
                    entry
                        .expect("there")
                        .file_name()
                        .into_string()
                        .expect("UTF-8")
                })
                .collect();
            names.sort();
            if run.status.success() {
                assert_eq!(names, [format!("x.{format}")]);
                unmount();
                break;
            }
            failed += 1;
            let said = text(&run.stderr);
            assert!(
                said.starts_with(&format!("sgfq: {output}"))
                    && said.matches("no space left").count() == 1,
                "{said}"
            );
            assert!(names.is_empty(), "{size}: {names:?}");
            unmount();
            size += size / 3;
        }
        assert!(failed > 2, "{format}");
    }
}
