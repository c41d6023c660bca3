//! Tests of inputs from arguments and lists, and of the messages for missing inputs.

use std::fs;

use assert_cmd::Command;

use super::{GAMES, Place, Run, run};

const ONE: &str = "(;GM[1]PB[One])\n";

/// Runs the command in a directory with these bytes on its stdin.
pub(super) fn run_in(place: &Place, arguments: &[&str], stdin: &[u8]) -> Run {
    let mut command = Command::cargo_bin("sgfq").expect("it was built");
    let output = command
        .current_dir(place.0.path())
        .args(arguments)
        .write_stdin(stdin)
        .output()
        .expect("it ran");
    Run {
        status: output.status.code().expect("no signal"),
        out: output.stdout,
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn players(place: &Place, arguments: &[&str], stdin: &[u8]) -> Vec<String> {
    let arguments = [&["get", "pb"], arguments].concat();
    let printed = run_in(place, &arguments, stdin).done();
    // The first line contains the name of the column.
    printed.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn lists_of_inputs() {
    let place = Place::new();
    let names = [
        "a b.sgf",
        "a!b.sgf",
        "a#1.sgf",
        "a\nb.sgf",
        "@a.sgf",
        "-a.sgf",
        "a[1]*.sgf",
        "a.sgf",
    ];
    for (at, name) in names.iter().enumerate() {
        place.put(name, format!("(;PB[{at}])\n(;PB[{at}b])"));
    }
    let all: Vec<_> = (0..names.len())
        .flat_map(|at| [at.to_string(), format!("{at}b")])
        .collect();
    let nul = names.join("\0");
    place.put("nul", &nul);
    assert_eq!(players(&place, &["--files-from", "nul", "-0"], b""), all);
    assert_eq!(
        players(&place, &["-0", "--files-from", "-"], nul.as_bytes()),
        all
    );
    // Without `-0`, a line break ends a name; games and members have their separators.
    place.put("lines", "a.sgf#2\r\n\na#1.sgf#1");
    assert_eq!(players(&place, &["--files-from=lines"], b""), ["7b", "2"]);
    assert_eq!(players(&place, &["@lines"], b""), ["7b", "2"]);
    assert_eq!(
        players(&place, &["--files-from=-"], b"a.sgf#2\na!b.sgf\n"),
        ["7b", "1", "1b"]
    );
    // Lists follow the arguments, and without arguments stdin is not read.
    place.put("more", "a!b.sgf#1");
    assert_eq!(
        players(
            &place,
            &["--files-from", "lines", "--files-from", "more", "./-a.sgf"],
            b"(;PB[no])"
        )
        .len(),
        5
    );
}

#[test]
fn an_empty_list_names_nothing() {
    let place = Place::new();
    place.put("list", "");
    let run = run_in(&place, &["count", "--files-from", "list"], GAMES.as_bytes());
    assert_eq!(
        (run.status, &*run.err),
        (1, "sgfq: no game records found\n")
    );
    let found = run_in(
        &place,
        &["count", "--files-from", "list", "--allow-empty"],
        GAMES.as_bytes(),
    )
    .done();
    assert!(found.starts_with("files\t0\n"), "{found}");
    let missing = run_in(&place, &["count", "--files-from", "none"], b"").refused();
    assert_eq!(missing, "sgfq: none: no such file or directory\n");
    assert!(
        run_in(&place, &["count", "-0"], b"")
            .refused()
            .contains("--files-from")
    );
}

#[test]
#[cfg(unix)]
fn names_that_are_no_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    let name = std::ffi::OsStr::from_bytes(b"x\xff.sgf");
    fs::write(place.0.path().join(name), ONE).expect("disk space");
    let mut command = Command::cargo_bin("sgfq").expect("it was built");
    let output = command
        .current_dir(place.0.path())
        .args(["get", "pb"])
        .arg(name)
        .output()
        .expect("it ran");
    assert_eq!(output.stdout, b"pb\nOne\n", "{output:?}");
    assert_eq!(
        players(&place, &["--files-from", "-"], b"x\xff.sgf\n"),
        ["One"]
    );
    assert_eq!(players(&place, &["."], b""), ["One"]);
}

#[test]
fn a_game_that_is_not_there() {
    let place = Place::new();
    let file = place.put("x.sgf", GAMES);
    let gzip = super::packed("one.sgf.gz").to_string_lossy().into_owned();
    place.put("large.sgf", GAMES.repeat(3000));
    for (file, games) in [
        (&*file, "4 games"),
        (&*gzip, "1 game"),
        ("large.sgf", "12000 games"),
    ] {
        let named = format!("{file}#99999");
        let said = format!("sgfq: {file}: no game 99999: the file has {games}\n");
        for command in [
            &["count"][..],
            &["stats"],
            &["index", "-o", "o.csv"],
            &["cat"],
            &["get", "pb"],
            &["head"],
            &["filter", "--where", "TRUE"],
            &["check"],
            &["events"],
            &["tree"],
        ] {
            let found = run_in(&place, &[command, &[&*named]].concat(), b"").refused();
            // The summary of a checker follows the message.
            assert!(found.starts_with(&said), "{command:?} {found}");
        }
    }
    assert!(
        run_in(&place, &["count", "x.sgf#4"], b"")
            .done()
            .contains("games\t1\n")
    );
}

#[test]
fn every_command_has_caps() {
    let bomb = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../archive/tests/archives/bomb.sgf.bz2"
    );
    for command in ["count", "events", "check", "cat"] {
        let said = run(&[command, bomb], b"");
        assert!(
            said.status == 2 && said.err.contains("(cap `ratio`)"),
            "{command} {}",
            said.err
        );
        let said = run(&[command, bomb, "--cap-bytes", "1000"], b"");
        assert!(
            said.status == 2 && said.err.contains("(cap `bytes`, raised by --cap-bytes)"),
            "{command} {}",
            said.err
        );
    }
    let seven = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../archive/tests/archives/lzma2.7z"
    );
    let said = run(&["cat", seven, "--cap-memory", "1000"], b"").refused();
    assert!(
        said.contains("(cap `memory`, raised by --cap-memory)"),
        "{said}"
    );
    assert_eq!(run(&["cat", seven], b"").status, 0);
}

#[test]
fn every_command_reports_missing_inputs() {
    let place = Place::new();
    fs::create_dir(place.path("empty")).expect("disk space");
    fs::create_dir(place.path("other")).expect("disk space");
    for name in ["a.txt", "b.txt", "c.TXT", "d.pdf", "README"] {
        place.put(&format!("other/{name}"), format!("text {ONE}"));
    }
    for command in [
        &["count"][..],
        &["stats"],
        &["check"],
        &["index", "-o", "o.csv"],
        &["tree"],
        &["events"],
        &["cat"],
        &["filter", "--where", "TRUE"],
        &["get", "pb"],
        &["head"],
        &["rewrite"],
        &["fix", "-q"],
        &["split", "-d", "parts"],
        &["freq", "pb"],
        &["charset"],
        &["dedup"],
        &["moves"],
        &["find", "--position", ""],
        &["find", "--position", "", "--summary"],
        &["openings"],
    ] {
        let run = run_in(&place, &[command, &["empty"]].concat(), b"");
        assert_eq!(run.status, 1, "{command:?} {}", run.err);
        assert!(
            run.err.contains("sgfq: no game records found\n"),
            "{command:?} {}",
            run.err
        );
        let run = run_in(&place, &[command, &["other"]].concat(), b"");
        let said = "sgfq: no game records found; 5 files were skipped (3 .txt, 1 without an extension, 1 .pdf); \
                    `--all-files` reads them\n";
        assert!(
            run.status == 1 && run.err.contains(said),
            "{command:?} {}",
            run.err
        );
        let run = run_in(
            &place,
            &[command, &["empty", "--allow-empty"]].concat(),
            b"",
        );
        assert!(
            run.status == 0 && !run.err.contains("no game records"),
            "{command:?} {} {}",
            run.status,
            run.err
        );
    }
    let found = run_in(&place, &["count", "other", "--all-files"], b"").done();
    assert!(found.starts_with("files\t5\ngames\t5\n"), "{found}");
    place.put("x.sgf", ONE);
    let progress = run_in(
        &place,
        &["count", "--progress", "always", "other", "x.sgf"],
        b"",
    )
    .err;
    assert!(progress.contains("5 files skipped"), "{progress}");
}

/// A directory and its archive give the same games and count the files that they skip.
#[test]
fn a_directory_and_its_archive_have_the_same_games() {
    let place = Place::new();
    fs::create_dir_all(place.path("games/sub")).expect("disk space");
    let packed = fs::read(super::packed("two.zip")).expect("a file");
    let files: [(&str, &[u8]); 9] = [
        ("games/1.sgf", b"(;B[aa])"),
        ("games/1.sgf.bak", b"(;B[aa])"),
        ("games/1.sgf~", b"(;B[aa])"),
        ("games/2.prb", b" (;B[bb])(;B[cc])"),
        ("games/3", b"(;B[dd])"),
        ("games/4.dat", &packed),
        ("games/notes.txt", b"text (;B[aa])"),
        ("games/readme", b"text"),
        (
            "games/sub/5.gib",
            b"\\HS\n\\[GAMEBLACKNAME=ada\\]\n\\HE\n\\GS\nSTO 0 2 1 3 3\n\\GE\n",
        ),
    ];
    for (name, bytes) in files {
        place.put(name, bytes);
    }
    place.put("games.tar", super::tar::tar(&files));
    let get = |input| {
        run_in(
            &place,
            &["get", "reference,moves,first_moves", "-f", "csv", input],
            b"",
        )
    };
    let (directory, archive) = (get("games"), get("games.tar"));
    assert_eq!(directory.text().lines().count(), 8);
    assert_eq!(directory.text(), archive.text().replace("games.tar!", ""));
    let said = "sgfq: 4 files were skipped (1 without an extension, 1 .bak, 1 .sgf~, 1 .txt); `--all-files` reads them\n";
    assert_eq!(
        (&*directory.err, &*archive.err),
        (
            said,
            "sgfq: 4 members were skipped; `--all-files` reads them\n"
        )
    );
}

/// A record recognized by its content is an input like any other: no output replaces it, and an
/// index is updated with it.
#[test]
fn a_record_without_its_name_is_an_input() {
    let place = Place::new();
    fs::create_dir(place.path("games")).expect("disk space");
    let record = |point: &str| {
        format!(
            "\\HS\n\\[GAMEBLACKNAME=ada\\]\n\\HE\n\\GS\nSTO 0 2 1 {point}\nSTO 0 3 2 9 9\n\\GE\n"
        )
    };
    place.put("games/5.dat", record("3 3"));
    let refused = run_in(&place, &["cat", "games", "-o", "games/5.dat"], b"").refused();
    assert!(refused.contains("input"), "{refused}");
    assert_eq!(place.read("games/5.dat"), record("3 3"));
    let find = || {
        run_in(
            &place,
            &[
                "find",
                "--position",
                "dd",
                "-f",
                "csv",
                "--columns",
                "moves",
                "--index",
                "i",
                "games",
            ],
            b"",
        )
    };
    assert_eq!(find().done(), "moves\n2\n");
    place.put("games/5.dat", record("2 2"));
    let changed = find();
    assert!(
        changed.status == 1 && changed.err.contains("rebuilt"),
        "{} {}",
        changed.status,
        changed.err
    );
}

#[test]
fn members_that_are_passed_over() {
    let place = Place::new();
    place.put("x.tar", super::tar::tar(&[("notes.txt", b"text (;B[aa])")]));
    let run = run_in(&place, &["count", "x.tar"], b"");
    let said = "sgfq: no game records found; 1 member was skipped; `--all-files` reads them\n";
    assert_eq!((run.status, &*run.err), (1, said));
    assert!(
        run_in(&place, &["count", "--all-files", "x.tar"], b"")
            .done()
            .contains("games\t1\n")
    );
    // One line for an archive, not one for each member.
    let two = super::packed("two.zip").to_string_lossy().into_owned();
    let refused = run_in(
        &place,
        &["rewrite", "--in-place", "--strip", "C", &two],
        b"",
    )
    .refused();
    assert_eq!(refused.lines().count(), 1, "{refused}");
}

/// Records of Go servers are inputs of every command, alone and among other inputs.
#[test]
fn records_of_servers_are_inputs() {
    let place = Place::new();
    let gib = "\\HS\n\\[GAMEBLACKNAME=ada (9D)\\]\n\\HE\n\\GS\nINI 0 1 2 &4\nSTO 0 2 2 15 15\nSTO 0 3 1 3 3\n";
    fs::create_dir(place.path("games")).expect("disk space");
    let file = place.put("games/x.gib", gib);
    place.put("games/y.sgf", "(;PB[Ben];B[aa])");
    let row = "ada,9d,2,2\n";
    assert_eq!(
        run(&["get", "pb,br,ha,moves", "-f", "csv", &file], b"").done(),
        format!("pb,br,ha,moves\n{row}")
    );
    assert_eq!(
        run(&["get", "pb,br,ha,moves", "-f", "csv"], gib.as_bytes()).done(),
        format!("pb,br,ha,moves\n{row}")
    );
    let games = place.text("games");
    for threads in ["1", "3"] {
        let out = run(
            &["get", "pb,br,ha,moves", "-f", "csv", "-j", threads, &games],
            b"",
        )
        .done();
        assert_eq!(out, format!("pb,br,ha,moves\n{row}Ben,,,1\n"));
    }
    assert_eq!(
        run(&["cat", &file], b"").done(),
        "(;GM[1]FF[4]SZ[19]PB[ada]BR[9d]HA[2]AB[pd][dp]\n;W[pp]\n;B[dd]\n)\n"
    );
    let err = run(
        &["count", &place.put("x.rar", "Rar!\u{1a}\u{7}\u{1}\u{0}")],
        b"",
    )
    .refused();
    assert!(
        err.contains("unpack it first with `unar` or `bsdtar -xf`"),
        "{err}"
    );
    // `--in-place` refuses a server record, because it is not an SGF file.
    let said = run(&["rewrite", "--in-place", "--set", "EV=x", &file], b"");
    assert!(
        said.status != 0 && place.read("games/x.gib") == gib,
        "{}",
        said.err
    );
}

/// PowerShell writes lists with a byte order mark, and before version 6 in UTF-16.
#[test]
fn lists_may_have_byte_order_marks() {
    let place = Place::new();
    let name = place.put("\u{5f35}.sgf", "(;GM[1];B[aa])\n");
    let text = format!("{name}\r\n\r\n{name}\r\n");
    let utf16: Vec<u16> = std::iter::once(0xfeff).chain(text.encode_utf16()).collect();
    let lists = [
        text.clone().into_bytes(),
        format!("\u{feff}{text}").into_bytes(),
        utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
    ];
    for list in lists {
        let list = place.put("list", list);
        let out = run(&["count", &format!("@{list}")], b"").done();
        assert!(out.contains("games\t2\n"), "{out}");
    }
    assert_eq!(
        run(
            &[
                "count",
                "--allow-empty",
                &format!("@{}", place.put("list", ""))
            ],
            b""
        )
        .status,
        0
    );
}

#[test]
fn addresses_are_no_files() {
    for address in ["https://example.com/a.sgf", "http://example.com/a?b=c"] {
        let err = run(&["count", address], b"").refused();
        assert!(
            err.contains("pipe the file: `curl -L ADDRESS | sgfq COMMAND`"),
            "{err}"
        );
    }
}

#[test]
fn a_backup_needs_a_suffix() {
    let place = Place::new();
    let file = place.put("x.sgf", "(;GM[1]C[a];B[aa])\n");
    let err = run(
        &["rewrite", "--in-place", "--backup=", "--strip", "C", &file],
        b"",
    )
    .refused();
    assert!(err.contains("expected a suffix, such as `.bak`"), "{err}");
    assert_eq!(place.names(), ["x.sgf"]);
}

#[cfg(unix)]
#[test]
fn a_missing_temporary_directory_is_named_once() {
    let place = Place::new();
    let file = place.put("x.sgf", GAMES.repeat(20_000));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_sgfq"));
    let command = command
        .args(["dedup", &file])
        .env("TMPDIR", place.path("none"));
    let output = command.output().expect("it ran");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert_eq!(err.matches("temporary file").count(), 1, "{err}");
}
