//! Tests of Ctrl-C and other signals while files are written.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{GAMES, Place};

/// Starts the command with an endless input and sends SIGINT. Returns its messages and the
/// remaining files.
fn interrupted(place: &Place, arguments: &[&str]) -> (String, Vec<String>) {
    ended_by("-INT", 130, place, arguments)
}

/// Same as `interrupted`, with another signal.
fn ended_by(signal: &str, status: i32, place: &Place, arguments: &[&str]) -> (String, Vec<String>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sgfq"))
        .current_dir(place.0.path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || while stdin.write_all(GAMES.as_bytes()).is_ok() {});
    let begun = |name: &String| name.starts_with(".sgfq-");
    for _ in 0..6000 {
        if place.names().iter().any(begun) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        place.names().iter().any(begun),
        "{arguments:?}: nothing was begun: {:?}",
        place.names()
    );
    assert!(
        Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status()
            .expect("it runs")
            .success()
    );
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("a broken pipe");
    assert_eq!(output.status.code(), Some(status), "{signal} {arguments:?}");
    (
        String::from_utf8(output.stderr).expect("UTF-8"),
        place.names(),
    )
}

const NOTHING_FINISHED: &str = "sgfq: interrupted; no file was finished";

/// Returns the last line. Earlier lines are repairs that `fix` made before the signal.
fn last_line(said: &str) -> &str {
    said.lines().last().unwrap_or_default()
}

#[test]
fn incomplete_files_are_removed() {
    for arguments in [
        &["cat", "-o", "out.sgf"][..],
        &["rewrite", "--strip", "C", "-o", "out.sgf"],
        &["fix", "-o", "out.sgf"],
        &["filter", "--where", "TRUE", "-o", "out.sgf"],
        &["split", "--name", "{pb}"],
    ] {
        let place = Place::new();
        let (said, names) = interrupted(&place, arguments);
        assert_eq!(
            (last_line(&said), &names[..]),
            (NOTHING_FINISHED, &[][..]),
            "{arguments:?}"
        );
    }
}

#[test]
fn complete_files_stay_and_are_counted() {
    let place = Place::new();
    let (said, names) = interrupted(&place, &["split", "-n", "200000"]);
    let finished = names.len();
    assert!(names.iter().all(|name| name.ends_with(".sgf")), "{names:?}");
    let expected = match finished {
        0 => "sgfq: interrupted; no file was finished\n".to_owned(),
        1 => "sgfq: interrupted; 1 file is finished and kept\n".to_owned(),
        _ => format!("sgfq: interrupted; {finished} files are finished and kept\n"),
    };
    assert_eq!(said, expected);
    let place = Place::new();
    let old = place.put("old.sgf", "(;C[old])");
    let (_, names) = interrupted(&place, &["cat", "-o", "old.sgf"]);
    assert_eq!(
        (names, place.read("old.sgf")),
        (vec!["old.sgf".to_owned()], "(;C[old])".to_owned()),
        "{old}"
    );
}

/// Batch systems send SIGTERM, and a closed terminal sends SIGHUP. No file remains.
#[test]
fn other_signals_that_end_a_process() {
    for (signal, status) in [("-TERM", 143), ("-HUP", 129)] {
        if signal == "-HUP" && !cfg!(target_os = "linux") {
            continue;
        }
        if is_ignored(signal) {
            eprintln!(
                "skipped: this test was started with {signal} ignored, and so is each command"
            );
            continue;
        }
        for arguments in [
            &["cat", "-o", "out.sgf"][..],
            &["rewrite", "--strip", "C", "-o", "out.sgf"],
            &["fix", "-o", "out.sgf"],
            &[
                "filter",
                "--where",
                "TRUE",
                "-o",
                "out.sgf",
                "--rejects",
                "rest.sgf",
            ],
            &["dedup", "-o", "out.sgf", "--rejects", "rest.sgf"],
            &["get", "pb", "-o", "out.txt"],
            &["cat", "--games", "-10", "-o", "out.sgf"],
            &["sort", "pb", "-o", "out.sgf"],
            &["merge", "-o", "out.sgf"],
            &["find", "--sequence", "pd", "-o", "out.sgf"],
            &["split", "--name", "{pb}"],
        ] {
            let place = Place::new();
            let (said, names) = ended_by(signal, status, &place, arguments);
            assert_eq!(
                (last_line(&said), &names[..]),
                (NOTHING_FINISHED, &[][..]),
                "{signal} {arguments:?}"
            );
        }
    }
}

/// Returns whether this process ignores a signal, as under `nohup cargo test`. Child processes
/// inherit that.
fn is_ignored(signal: &str) -> bool {
    let script = format!("trap 'exit 7' {}; kill {signal} $$; exit 0", &signal[1..]);
    Command::new("sh")
        .args(["-c", &script])
        .status()
        .expect("it runs")
        .code()
        != Some(7)
}

/// With `nohup`, the command ignores SIGHUP.
#[cfg(target_os = "linux")]
#[test]
fn nohup_is_respected() {
    const SIGHUP: u32 = 1;
    const SIGINT: u32 = 2;
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("trap '' HUP; exec {} count", env!("CARGO_BIN_EXE_sgfq")),
        ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The shell has executed the command, and the command handles the other signals.
    let obeys = |status: &str, field: &str, signal: u32| {
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix(field))
            .expect("a field of the kernel's");
        u64::from_str_radix(mask.trim(), 16).expect("a mask") >> (signal - 1) & 1 == 1
    };
    for _ in 0..6000 {
        let status =
            std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
        if status.starts_with("Name:\tsgfq\n") && obeys(&status, "SigCgt:", SIGINT) {
            assert!(obeys(&status, "SigIgn:", SIGHUP), "{status}");
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        Command::new("kill")
            .args(["-HUP", &child.id().to_string()])
            .status()
            .expect("it runs")
            .success()
    );
    std::thread::sleep(Duration::from_millis(100));
    stdin.write_all(GAMES.as_bytes()).expect("it reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert!(
        output.status.success() && output.stdout.starts_with(b"files\t1\ngames\t4\n"),
        "{output:?}"
    );
}
