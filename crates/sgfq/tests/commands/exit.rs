//! Exit statuses: each one for each command that has it, by the table of `sgfq help exit`.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::help::commands;
use crate::{Place, run};

/// Games that give every command something to write: one has a finding and a comment.
const GAMES: &str =
    "(;GM[1]FF[4]SZ[9]PB[Ada]PW[Ben]C[ko];B[cc];W[gg])(;GM[1]FF[4]SZ[9]PB[Cyd];B[dd];W[ee])";

/// Arguments that a command needs before its inputs; none for those that read no games.
fn needed(command: &str) -> Option<&'static [&'static str]> {
    match command {
        "completions" | "explain" | "explore" | "man" => None,
        "get" | "freq" | "sort" => Some(&["pb"]),
        "grep" => Some(&["."]),
        "filter" => Some(&["moves > 0"]),
        "find" => Some(&["--position", "cc"]),
        "index" => Some(&["-f", "csv"]),
        _ => Some(&[]),
    }
}

/// Command lines with status 1, and their input.
const FOUND: &[(&str, &[&str], &str)] = &[
    ("check", &[], "(;GM[1];B[cc]B[dd])"),
    (
        "check",
        &["--level", "error", "--fail-on", "note"],
        "(;GM[1]FF[4];B[cc]) text",
    ),
    ("check", &[], "text"),
    ("filter", &["moves > 9"], GAMES),
    ("find", &["--position", "aa"], GAMES),
    ("grep", &["nothing"], GAMES),
    ("grep", &["-c", "nothing"], GAMES),
    ("grep", &["-v", "."], "(;C[a])"),
    ("head", &[], ""),
    ("sample", &[], ""),
    ("cat", &["--games", "9"], GAMES),
    ("board", &[], ""),
    ("board", &[], "(;GM[9999])"),
    ("fix", &[], "text"),
    ("fix", &["--fail-if-left"], "(;GM[1]FF[4]SZ[9];B[zz])"),
    ("rewrite", &[], "text"),
    ("rewrite", &["--strip", "C"], "(;GM[1] text ;B[cc])"),
    ("variations", &[], "(;GM[1] text ;B[cc])"),
    ("merge", &[], "(;GM[1] text ;B[cc])"),
    ("cat", &["--sgfs"], "(;GM[1] text ;B[cc])"),
];

#[test]
fn status_1_by_the_table() {
    let table = run(&["help", "exit"], b"").done();
    let mut faults = Vec::new();
    for (command, arguments, input) in FOUND {
        let made = run(&[&[*command], *arguments].concat(), input.as_bytes());
        if made.status != 1 || !table.contains(command) {
            faults.push(format!(
                "{command} {arguments:?}: {}: {}",
                made.status, made.err
            ));
        }
    }
    // Commands that only count, print or copy.
    for command in [
        "cat", "count", "stats", "get", "freq", "tree", "moves", "events", "dedup", "players",
        "openings",
    ] {
        let made = run(
            &[&[command], needed(command).expect("a reader")].concat(),
            b"",
        );
        if made.status != 0 {
            faults.push(format!("{command}: {}: {}", made.status, made.err));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn every_command_has_the_statuses_of_the_table() {
    let place = Place::new();
    let file = place.put("games.sgf", GAMES);
    let (missing, folder) = (place.text("missing.sgf"), place.text("split"));
    let mut faults = Vec::new();
    for command in commands() {
        let usage = run(&[&command, "--no-such-option"], b"").status;
        if usage != 2 {
            faults.push(format!("{command} --no-such-option: {usage}"));
        }
        let Some(needed) = needed(&command) else {
            continue;
        };
        let more: &[&str] = if command == "split" {
            &["--force", "-d", &folder]
        } else {
            &[]
        };
        let status = |input: &[&str]| run(&[&[&*command], needed, more, input].concat(), b"");
        for (input, expected) in [
            (&[&*file][..], 0),
            (&[&*missing], 2),
            (&[&*file, &*missing], 2),
            // No game is selected.
            (&[&*file, "--where", "moves > 99"], 1),
        ] {
            // One condition is enough for `filter`.
            if expected == 1 && command == "filter" {
                continue;
            }
            let made = status(input);
            if made.status != expected {
                faults.push(format!(
                    "{command} {input:?}: expected {expected}, found {}: {}",
                    made.status, made.err
                ));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// If the reader of the output closes the pipe, the command succeeds.
#[test]
fn a_closed_pipe_is_status_0() {
    let place = Place::new();
    let file = place.put("games.sgf", GAMES.repeat(20_000));
    for arguments in [
        &["cat"][..],
        &["cat", "--sgfs"],
        &["events"],
        &["tree"],
        &["moves"],
        &["get", "pb"],
        &["grep", "."],
        &["filter", "moves > 0"],
        &["sort", "pb"],
        &["board"],
        &["fix"],
        &["rewrite"],
        &["variations"],
        &["index", "-f", "csv"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sgfq"));
        let piped = command
            .args(arguments)
            .arg(&file)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().expect("it runs");
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut [0; 8]).expect("a start");
        drop(out);
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), &*err),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

/// A named file with bytes and without a game is nearly always the wrong file.
#[test]
fn files_without_games_are_named() {
    let place = Place::new();
    let pdf = place.put("a.pdf", "%PDF-1.4\n");
    let large = place.put("large.txt", "text ".repeat(1_000_000));
    let games = place.put("x.sgf", "(;GM[1];B[aa])\n");
    for command in [
        &["count"][..],
        &["cat"],
        &["check", "-q"],
        &["get", "pb"],
        &["index", "-f", "csv"],
        &["fix"],
        &["rewrite", "--strip", "C"],
        &["sort", "moves"],
        &["stats"],
        &["tree"],
        &["find", "--sequence", "aa"],
        &["players"],
        &["dedup"],
    ] {
        for jobs in ["-j1", "-j3"] {
            let jobs = if command[0] == "tree" { "-q" } else { jobs };
            let run = run(&[command, &[jobs, &pdf, &games, &large]].concat(), b"");
            assert_eq!(run.status, 1, "{command:?}: {}", run.err);
            let lines = [
                format!("{pdf}: no game in 9 bytes"),
                format!("{large}: no game in 5000000 bytes"),
            ];
            for line in lines {
                assert_eq!(
                    run.err.matches(&line).count(),
                    1,
                    "{command:?}: {}",
                    run.err
                );
            }
        }
    }
    let run = super::run(&["count"], b"<html>");
    assert_eq!(
        (run.status, &*run.err),
        (1, "sgfq: -: no game in 6 bytes\n")
    );
    // An empty file is fine, and so are other files of a directory or an archive, which are
    // counted.
    assert_eq!(super::run(&["count"], b"").status, 0);
    place.put("y.sgf", "no game");
    let run = super::run(&["count", &place.text("")], b"");
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        run.err.contains("sgfq: 1 file or member has no game\n"),
        "{}",
        run.err
    );
    let archive = crate::tar::tar(&[
        ("x.sgf", b"(;GM[1];B[aa])"),
        ("y.sgf", b"no game"),
        ("z.sgf", b"none"),
    ]);
    let run = super::run(&["count", "-j2"], &archive);
    assert_eq!(
        (run.status, &*run.err),
        (0, "sgfq: 2 files or members have no game\n")
    );
}
