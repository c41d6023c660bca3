//! Outputs that are an input, or each other, are refused before anything is written.

use std::fs;

use assert_cmd::Command;

use super::{GAMES, Place};

/// Returns the error of a refused run in `place`.
fn refused(place: &Place, arguments: &[&str], stdin: &str) -> String {
    let mut command = Command::cargo_bin("sgfq").expect("it was built");
    let run = command
        .current_dir(place.0.path())
        .args(arguments)
        .write_stdin(stdin)
        .output()
        .expect("it ran");
    assert_eq!(
        (run.status.code(), run.stdout.len()),
        (Some(2), 0),
        "{arguments:?}"
    );
    String::from_utf8(run.stderr).expect("UTF-8")
}

#[test]
fn an_output_that_is_an_input() {
    for (arguments, output, input) in [
        (&["cat", "x.sgf", "-o", "x.sgf"][..], "x.sgf", "x.sgf"),
        (&["cat", "x.sgf#2", "-o", "./x.sgf"], "./x.sgf", "x.sgf"),
        (&["dedup", "x.sgf", "--rejects", "x.sgf"], "x.sgf", "x.sgf"),
        (
            &[
                "filter",
                "--where",
                "TRUE",
                "x.sgf",
                "--rejects",
                "x.sgf",
                "-o",
                "new.sgf",
            ],
            "x.sgf",
            "x.sgf",
        ),
        (&["stats", "--html", "x.sgf", "x.sgf"], "x.sgf", "x.sgf"),
        (&["index", "o.csv", "-o", "o.csv"], "o.csv", "o.csv"),
        (
            &["index", "o.csv", "-o", "new.csv", "--moves", "o.csv"],
            "o.csv",
            "o.csv",
        ),
        (
            &["index", "o.csv", "-o", "new.csv", "--comments", "o.csv"],
            "o.csv",
            "o.csv",
        ),
        (
            &["get", "pb", "games", "-f", "csv", "-o", "games/a.sgf"],
            "games/a.sgf",
            "games/a.sgf",
        ),
        (&["rewrite", "x*.sgf", "-o", "x.sgf"], "x.sgf", "x.sgf"),
        (&["fix", "@list", "-o", "x.sgf"], "x.sgf", "x.sgf"),
        (
            &[
                "freq",
                "pb",
                "--files-from",
                "list",
                "-f",
                "csv",
                "-o",
                "x.sgf",
            ],
            "x.sgf",
            "x.sgf",
        ),
        (
            &["cat", "--games", "-1", "--files-from", "-", "-o", "x.sgf"],
            "x.sgf",
            "x.sgf",
        ),
        (&["head", "@list", "-o", "list"], "list", "list"),
        (&["sort", "pb", "x.sgf", "-o", "x.sgf"], "x.sgf", "x.sgf"),
        (&["merge", "x.sgf", "-o", "x.sgf"], "x.sgf", "x.sgf"),
        (&["variations", "x.sgf", "-o", "x.sgf"], "x.sgf", "x.sgf"),
        (
            &["find", "--pattern", "p.txt", "x.sgf", "-o", "p.txt"],
            "p.txt",
            "p.txt",
        ),
        (
            &["find", "--position", "o.csv#1@1", "x.sgf", "-o", "o.csv"],
            "o.csv",
            "o.csv",
        ),
        (
            &[
                "find",
                "--position",
                "pd",
                "--index",
                "new",
                "x.sgf",
                "-o",
                "x.sgf",
            ],
            "x.sgf",
            "x.sgf",
        ),
        (
            &[
                "find",
                "--position",
                "a1",
                "--index",
                "new",
                "x.sgf",
                "o.csv",
                "-o",
                "o.csv",
            ],
            "o.csv",
            "o.csv",
        ),
        (
            &["find", "--position", "pd", "--index", "x.sgf", "x.sgf"],
            "x.sgf",
            "x.sgf",
        ),
        (&["moves", "two.zip", "-o", "two.zip"], "two.zip", "two.zip"),
        (
            &["rewrite", "--main-line", "two.zip!one.sgf", "-o", "two.zip"],
            "two.zip",
            "two.zip",
        ),
        #[cfg(unix)]
        (
            &["charset", "x.sgf", "-f", "text", "-o", "symbolic.sgf"],
            "symbolic.sgf",
            "x.sgf",
        ),
        #[cfg(unix)]
        (
            &["cat", "--games", "1", "symbolic.sgf", "-o", "x.sgf"],
            "x.sgf",
            "symbolic.sgf",
        ),
        (&["sample", "1", "x.sgf", "-o", "hard"], "hard", "x.sgf"),
    ] {
        let place = Place::new();
        place.put("x.sgf", GAMES);
        place.put("o.csv", GAMES);
        place.put("list", "o.csv\nx.sgf\n");
        place.put("p.txt", "X");
        fs::create_dir(place.path("games")).expect("disk space");
        place.put("games/a.sgf", GAMES);
        fs::copy(super::packed("two.zip"), place.path("two.zip")).expect("disk space");
        fs::hard_link(place.path("x.sgf"), place.path("hard")).expect("disk space");
        #[cfg(unix)]
        std::os::unix::fs::symlink("x.sgf", place.path("symbolic.sgf")).expect("disk space");
        let names = place.names();
        let said = refused(&place, arguments, "x.sgf\n");
        let expected =
            format!("sgfq: {output}: output would overwrite input {input}; choose another file\n");
        assert_eq!(said, expected, "{arguments:?}");
        assert_eq!(
            (place.names(), &*place.read("x.sgf"), &*place.read("o.csv")),
            (names, GAMES, GAMES)
        );
    }
}

#[test]
fn two_outputs_that_are_one_file() {
    let place = Place::new();
    place.put("x.sgf", GAMES);
    for (arguments, output, other) in [
        (
            &["dedup", "x.sgf", "--rejects", "q.sgf", "-o", "q.sgf"][..],
            "q.sgf",
            "q.sgf",
        ),
        (
            &[
                "filter",
                "--where",
                "TRUE",
                "x.sgf",
                "--rejects",
                "./q.sgf",
                "-o",
                "q.sgf",
            ],
            "./q.sgf",
            "q.sgf",
        ),
        (
            &["index", "-o", "i.csv", "--moves", "i.csv", "x.sgf"],
            "i.csv",
            "i.csv",
        ),
        (
            &[
                "index",
                "-o",
                "i.csv",
                "--moves",
                "m.csv",
                "--comments",
                "m.csv",
                "x.sgf",
            ],
            "m.csv",
            "m.csv",
        ),
    ] {
        let said = refused(&place, arguments, "");
        let expected =
            format!("sgfq: {output}: output {other} is the same file; choose another one\n");
        assert_eq!(said, expected, "{arguments:?}");
        assert_eq!(place.names(), ["x.sgf"]);
    }
}

/// A list on stdin is read twice if an output exists: once for the comparison, once for the inputs.
#[test]
fn outputs_that_overlap_nothing() {
    let place = Place::new();
    place.put("x.sgf", GAMES);
    place.put("out.sgf", "old");
    let mut command = Command::cargo_bin("sgfq").expect("it was built");
    let command =
        command
            .current_dir(place.0.path())
            .args(["cat", "--files-from", "-", "-o", "out.sgf"]);
    let run = command
        .write_stdin("x.sgf\nx.sgf\n")
        .output()
        .expect("it ran");
    assert_eq!((run.status.code(), &*run.stderr), (Some(0), &b""[..]));
    assert_eq!(place.read("out.sgf").matches("(;GM").count(), 8);
    assert_eq!(place.names(), ["out.sgf", "x.sgf"]);
    #[cfg(unix)]
    super::run(
        &[
            "dedup",
            &place.text("x.sgf"),
            "-o",
            "/dev/null",
            "--rejects",
            "/dev/null",
        ],
        b"",
    )
    .done();
}

/// With a full disk, and with a file size limit, the message names the file.
#[cfg(target_os = "linux")]
#[test]
fn errors_of_writing_name_the_file() {
    let place = Place::new();
    let input = place.put("x.sgf", GAMES.repeat(2000));
    let full = "sgfq: /dev/full: no space left on device\n";
    assert_eq!(
        super::run(&["cat", &input, "-o", "/dev/full"], b"").refused(),
        full
    );
    assert_eq!(
        super::run(&["dedup", &input, "--rejects", "/dev/full"], b"").err,
        full
    );
    for (arguments, name) in [
        ("cat x.sgf -o out.sgf", "out.sgf"),
        ("fix x.sgf --in-place", "x.sgf"),
        ("split -d . -n 4000 x.sgf", "./000001.sgf"),
        ("index x.sgf -o out.csv", "out.csv"),
        ("index x.sgf -o out.parquet --row-group 500", "out.parquet"),
    ] {
        let script = format!(
            "trap '' XFSZ; ulimit -f 16; exec {} {arguments}",
            env!("CARGO_BIN_EXE_sgfq")
        );
        let mut shell = std::process::Command::new("sh");
        let run = shell
            .args(["-c", &script])
            .current_dir(place.0.path())
            .output()
            .expect("it ran");
        let said = String::from_utf8_lossy(&run.stderr);
        let last = said.lines().last().unwrap_or_default();
        assert!(
            last.ends_with(&format!("{name}: file too large")),
            "{arguments}: {said}"
        );
    }
}

/// The first games are read and the address is printed before the index becomes too large. No page
/// is open, so the server ends.
#[cfg(target_os = "linux")]
#[test]
fn explore_ends_if_its_index_cannot_be_written() {
    let place = Place::new();
    place.put(
        "x.sgf",
        "(;GM[1]FF[4];B[dd];W[pp];B[dp])\n(;GM[1];B[aa])\n".repeat(60_000),
    );
    let sgfq = env!("CARGO_BIN_EXE_sgfq");
    let script = format!(
        "trap '' XFSZ; ulimit -f 1000; exec timeout 60 {sgfq} explore --no-open --index x.positions x.sgf"
    );
    let mut shell = std::process::Command::new("sh");
    let run = shell
        .args(["-c", &script])
        .current_dir(place.0.path())
        .output()
        .expect("it ran");
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(said.contains("http://127.0.0.1:"), "{said}");
    assert_eq!(
        said.matches("sgfq: x.positions: file too large\n").count(),
        1,
        "{said}"
    );
    assert_eq!(run.status.code(), Some(2), "{said}");
}
