//! Tests of messages about mistakes: what was expected, what was found, and what to do.

use crate::{GAMES, Place, run, sgfq};

#[test]
fn usage_names_what_was_expected() {
    let place = Place::new();
    let file = place.put("a.sgf", GAMES);
    for (arguments, said) in [
        (
            &["count", "-j", "two"][..],
            "invalid value 'two' for '--jobs <N>': expected a whole number",
        ),
        (
            &["stats", "--opening-moves", "17"],
            "invalid value '17' for '--opening-moves <N>': expected a number from 0 to 16\n",
        ),
        (
            &["split", "-n", "0"],
            "invalid value '0' for '--number <N>': expected a number from 1\n",
        ),
        (
            &["head", "-n", "x"],
            "invalid value 'x' for '--number <N>': expected a whole number",
        ),
        (
            &["cat", "--games", "5-2"],
            "expected numbers and ranges of games, counted from 1, such as 3-7,9,20- or -5, found `5-2`",
        ),
        (
            &["cat", "--games", "0-2"],
            "counted from 1, such as 3-7,9,20- or -5, found `0-2`",
        ),
        (
            &["freq", &file],
            "sgfq: write the columns before the inputs: character 1: expected ",
        ),
        (
            &["sort", &file],
            "sgfq: write the columns before the inputs: character 1: expected ",
        ),
        (
            &["filter", &file],
            "sgfq: write the expression before the inputs: character 1: ",
        ),
        (
            &["freq", "pb,pw"],
            "sgfq: expected one column, found 2; to join two, write `pb || ' ' || pw`\n",
        ),
        (&["split", "-d", &file], ": is a file, not a directory\n"),
        (
            &["dedup", "--rejects", "-"],
            "sgfq: expected a file name, found `-`; write `./-` for a file of this name\n",
        ),
        (
            &["find", "--position", "pd", "-f", "sgf", "--summary"],
            "sgfq: -f sgf writes games; leave out --summary and --columns",
        ),
        (
            &["find", "--position", "pd", "--index", &file],
            "--index cannot index stdin; name files\n",
        ),
        (
            &["rewrite", "--strip", "Z2z"],
            "expected an identifier such as C, or one of ",
        ),
        (&["rewrite", "--strip", "Z2z"], "found `Z2z`\n"),
        (
            &["get", "pb", "--aliases", "none"],
            "sgfq: --aliases: none: no such file or directory\n",
        ),
        (
            &["get", "pb", "--aliases", "."],
            "sgfq: --aliases: .: is a directory\n",
        ),
        (
            &["count", "-o", "none/x"],
            "sgfq: none/x: no such directory: none\n",
        ),
        (
            &["find", "--pattern", "none.txt"],
            "sgfq: --pattern: no such file: none.txt; as rows that end with `/`: character 1: ",
        ),
        (
            &["get", "pb", "--where", "variant = 'go'"],
            "character 11: `variant` is never 'go'; did you mean 'Go'?",
        ),
        (
            &["fix", "--in-place"],
            "sgfq: -: --in-place replaces only unpacked files, not standard input; unchanged\n",
        ),
    ] {
        let err = sgfq(arguments).refused();
        assert!(err.contains(said), "{arguments:?}: {err}");
    }
    let one = format!("{file}#1");
    let err = run(&["rewrite", "--strip", "C", "--in-place", &one], b"").refused();
    assert!(
        err.contains("--in-place replaces only unpacked files, not one game of a file; unchanged"),
        "{err}"
    );
}

#[test]
fn missing_games_and_moves_are_named() {
    for (arguments, said) in [
        (
            &["cat", "--games", "900-901"][..],
            "sgfq: --games: no game 900: the inputs have 4 games\n",
        ),
        (
            &["get", "pb", "--where", "position('cc R20')"],
            "sgfq: `R20` is not a move on any board that was searched\n",
        ),
        (
            &["filter", "sequence('R20')"],
            "sgfq: `R20` is not a move on any board that was searched\n",
        ),
    ] {
        let run = sgfq(arguments);
        assert_eq!((run.status, &*run.err), (1, said), "{arguments:?}");
    }
    let some = sgfq(&["cat", "--games", "3-5,7-9,-1"]);
    assert_eq!(
        (some.status, &*some.err),
        (0, "sgfq: --games: no game 7: the inputs have 4 games\n")
    );
    assert_eq!(
        sgfq(&["cat", "--games", "-9"]).done(),
        sgfq(&["cat"]).done()
    );
}

/// Every command accepts `--quiet`. It suppresses notes, but no errors and no incomplete results,
/// and keeps the exit status.
#[test]
fn quiet_commands_print_no_notes() {
    let text = encoding_rs::GBK
        .encode("黑棋先手占右上角星位白棋应以小目然后双方展开激烈的战斗")
        .0;
    let bytes = [b"(;FF[4]GM[1]KM[6,5]C[", &*text, b"];B[pd])"].concat();
    for arguments in [
        &["rewrite", "--strip", "N"][..],
        &["get", "pb"],
        &["merge"],
        &["fix"],
        &["check"],
    ] {
        let [loud, quiet] = [&[][..], &["-q"]].map(|more| run(&[arguments, more].concat(), &bytes));
        assert_eq!(
            (loud.status, &loud.out),
            (quiet.status, &quiet.out),
            "{arguments:?}"
        );
        assert_eq!(
            (loud.err.is_empty(), &*quiet.err),
            (false, ""),
            "{arguments:?}"
        );
    }
    let [loud, quiet] =
        [&["merge"][..], &["merge", "-q"]].map(|arguments| run(arguments, b"(;GM[1]C[a] x;B[pd])"));
    assert_eq!((loud.status, &loud.err), (1, &quiet.err));
    assert_eq!(
        run(
            &["index", "-q", "-f", "csv", "--columns", "pb", "none"],
            b""
        )
        .refused(),
        "sgfq: none: no such file or directory\n"
    );
}

#[test]
fn columns_are_printed_without_a_format() {
    let out = sgfq(&[
        "find",
        "--position",
        "pd dp",
        "--exact",
        "--columns",
        "pb,next",
    ])
    .done();
    assert_eq!(out, "pb   next\nAda\nDan\n");
}

#[test]
fn unreadable_inputs_are_reported_once() {
    let place = Place::new();
    let none = place.text("none.sgf");
    let run = run(&["merge", &none], b"");
    assert_eq!(run.out, b"");
    assert_eq!(
        run.refused(),
        format!("sgfq: {none}: no such file or directory\n")
    );
}

#[test]
fn one_file_is_not_files() {
    let place = Place::new();
    assert_eq!(
        run(&["split", "-d", &place.text("out")], b"(;PB[a/b])").done(),
        "1 file\n"
    );
}

/// The script generator panics on write errors.
#[cfg(target_os = "linux")]
#[test]
fn completions_for_a_full_disk_are_an_error() {
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("a full device");
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("sgfq"));
    let output = command
        .args(["completions", "bash"])
        .stdout(full)
        .output()
        .expect("it ran");
    let said = "sgfq: stdout: no space left on device\n";
    assert_eq!(
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).as_ref()
        ),
        (Some(2), said)
    );
}

#[test]
fn a_file_without_a_command_names_commands() {
    let err = run(&["Cargo.toml"], b"").refused();
    assert!(
        err.starts_with(
            "error: `Cargo.toml` is a file, and a command comes first: try `sgfq stats Cargo.toml`"
        ),
        "{err}"
    );
}

#[test]
fn removed_commands_name_their_replacement() {
    for (removed, replacement) in [
        ("diff", "`git diff` over `sgfq rewrite --canonical`, "),
        ("mainline", "`sgfq rewrite --main-line`; "),
        ("slice", "`sgfq cat --games 5-10`; "),
        ("tail", "`sgfq cat --games -5`; "),
    ] {
        let err = run(&[removed, "a.sgf"], b"").refused();
        assert!(
            err.starts_with(&format!(
                "error: `sgfq {removed}` was removed; use {replacement}"
            )),
            "{err}"
        );
    }
}

#[test]
fn empty_results_are_named() {
    for (arguments, status, said) in [
        (&["filter", "moves > 99"][..], 1, "no game matches"),
        (
            &["get", "pb", "--where", "moves > 99"],
            1,
            "no game matches",
        ),
        (&["grep", "nowhere"], 1, "no game matches"),
        (
            &["players", "--player", "Nobody"],
            0,
            "no game of `Nobody`; `sgfq players` lists the names",
        ),
        (
            &["players", "--player", "Nobody", "--against", "Ada"],
            0,
            "no game of `Nobody` against `Ada`; `sgfq players` lists the names",
        ),
    ] {
        let run = sgfq(arguments);
        let expected = format!("sgfq: {said}\n");
        assert_eq!(
            (run.status, &*run.err),
            (status, &*expected),
            "{arguments:?}"
        );
        let quiet = sgfq(&[arguments, &["-q"]].concat());
        assert_eq!((quiet.status, &*quiet.err), (status, ""), "{arguments:?}");
    }
}

#[test]
fn wrong_values_of_options_are_named() {
    for (arguments, said) in [
        (
            &["sample", "-n", "-1"][..],
            "invalid value '-1' for '--number <N>': expected a whole number from 0",
        ),
        (
            &["get", "pb", "--sort"],
            "--sort <COLUMN> needs a column; `sgfq get --list` lists the columns",
        ),
        (
            &["get", "nocolumn"],
            "unknown column `nocolumn`; see `sgfq get --list`, or quote text as 'nocolumn'",
        ),
    ] {
        let run = sgfq(arguments);
        assert!(run.status == 2 && run.err.contains(said), "{}", run.err);
    }
}
