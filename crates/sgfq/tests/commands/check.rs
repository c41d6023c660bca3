//! Tests of `check` and `explain`: which findings are printed, and with what messages.

use serde_json::Value;

use super::{Place, run};

/// Two games with four findings: an unknown property and three points off the board.
const BAD: &[u8] =
    b"(;FF[4]CA[UTF-8]GM[1]SZ[9]ZZ[a];B[zz];W[yy])\n(;FF[4]CA[UTF-8]GM[1]SZ[9];B[xx])\n";

fn lines(arguments: &[&str]) -> Vec<Value> {
    let out = run(&[&["check", "-f", "jsonl"], arguments].concat(), BAD).out;
    let text = String::from_utf8(out).expect("UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn a_denied_code_is_an_error() {
    assert_eq!(lines(&["-q"])[0]["severity"], "warning");
    assert_eq!(
        lines(&["-q", "--deny", "unknown-property"])[0]["severity"],
        "error"
    );
    let only_warning = &b"(;FF[4]CA[UTF-8]GM[1]SZ[9]ZZ[a])"[..];
    assert_eq!(
        run(&["check", "--fail-on", "error"], only_warning).status,
        0
    );
    assert_eq!(
        run(
            &["check", "--fail-on", "error", "--deny", "unknown-property"],
            only_warning
        )
        .status,
        1
    );
}

#[test]
fn findings_that_are_not_printed_are_counted() {
    let all = lines(&["-q"]);
    assert_eq!(all.len(), 4);
    for max in 0..=5 {
        let number = max.to_string();
        assert_eq!(
            lines(&["-q", "--max-findings", &number]),
            all[..all.len().min(max)],
            "{max}"
        );
        let run = run(
            &[
                "check",
                "-f",
                "short",
                "--fail-on",
                "never",
                "--max-findings",
                &number,
            ],
            BAD,
        );
        assert_eq!(
            run.err.contains(&format!(
                "; {} not printed; see --max-findings",
                4 - max.min(4)
            )),
            max < 4
        );
        assert_eq!(run.status, i32::from(max < 4));
        assert!(run.err.contains("3 errors, 1 warning"), "{}", run.err);
    }
    let sarif = run(&["check", "-q", "-f", "sarif", "--max-findings", "2"], BAD);
    let log: Value = serde_json::from_slice(&sarif.out).expect("JSON");
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        sarif.err,
        "sgfq: 2 findings are not printed; see --max-findings\n"
    );
}

/// People see three findings per code and file; programs see all.
#[test]
fn people_see_three_of_a_kind() {
    let place = Place::new();
    let games = "(;FF[4]CA[UTF-8]GM[1]SZ[9]ZZ[a])".to_owned()
        + &"(;FF[4]CA[UTF-8]GM[1]SZ[9];B[zz])".repeat(40_000);
    let file = place.put("bad.sgf", &games);
    let other = place.put("other.sgf", BAD);
    let files = [file.as_str(), other.as_str()];
    let run = |arguments: &[&str]| run(&[&["check"], arguments, &files].concat(), b"");
    for jobs in ["1", "2"] {
        let shown = run(&["-j", jobs]);
        let out = String::from_utf8(shown.out).expect("UTF-8");
        assert_eq!(
            out.matches("error[point-off-board]").count(),
            3 + 3,
            "{out}"
        );
        assert_eq!(out.matches("warning[unknown-property]").count(), 2, "{out}");
        assert!(
            shown.err.contains("40003  error[point-off-board]"),
            "{}",
            shown.err
        );
        assert!(
            shown.err.contains("; 39997 more of a kind, see --all"),
            "{}",
            shown.err
        );
    }
    assert_eq!(
        run(&["-q"]).err,
        "sgfq: 39997 findings are not printed; see --all\n"
    );
    let all = String::from_utf8(run(&["--all", "-q"]).out).expect("UTF-8");
    assert_eq!(all.matches("error[point-off-board]").count(), 40_003);
    let short = String::from_utf8(run(&["-f", "short", "-q"]).out).expect("UTF-8");
    assert_eq!(short.lines().count(), 40_005);
}

/// Values and lines are decoded and shown in the charset of the game.
#[test]
fn values_are_read_in_the_charset_of_the_game() {
    let (games, ..) =
        encoding_rs::GBK.encode("(;FF[4]CA[GBK]GM[1]SZ[9]KM[黑贴三]RE[B+7.5目];B[黑])");
    let out = String::from_utf8(run(&["check", "-f", "short", "-q"], &games).out).expect("UTF-8");
    for found in ["found `黑贴三`", "found `B+7.5目`", "found `黑`"] {
        assert!(out.contains(found), "{out}");
    }
    let out = String::from_utf8(run(&["check", "-q"], &games).out).expect("UTF-8");
    assert!(
        out.contains("(;FF[4]CA[GBK]GM[1]SZ[9]KM[黑贴三]RE[B+7.5目];B[黑])"),
        "{out}"
    );
    assert!(out.contains("= help: write `B+7.5`"), "{out}");
    let (fixed, ..) = encoding_rs::GBK.encode("(;FF[4]CA[GBK]GM[1]SZ[9]KM[黑贴三]RE[B+7.5];B[黑])");
    assert_eq!(run(&["fix", "-q"], &games).out, &*fixed);
}

/// Undecodable bytes are an error whether `CA` or the text determines the charset.
#[test]
fn damaged_text_is_an_error_in_a_guessed_charset() {
    let name = b"\xe9\x87\x8e\xe7\x8b?\xe4\xb8\x9a\xe6\xa3\x8b\xe6\x89\x8b";
    for root in [&b"(;FF[4]CA[UTF-8]GM[1]PB["[..], b"(;FF[4]GM[1]PB["] {
        let said = run(
            &["check", "-f", "short", "-q"],
            &[root, name, b"])"].concat(),
        );
        let out = String::from_utf8(said.out).expect("UTF-8");
        assert!(
            out.contains("error[invalid-bytes]: some bytes are invalid in UTF-8"),
            "{out}"
        );
        assert_eq!(said.status, 1);
    }
}

/// Komi in hundredths of points or stones is repaired. A number that fits no board is reported and
/// left.
#[test]
fn komi_is_in_points() {
    for (komi, fixed) in [
        ("375", "7.5"),
        ("450", "4.5"),
        ("225", "4.5"),
        ("250", "250"),
        ("800", "8"),
        ("-375", "-375"),
    ] {
        let game = format!("(;FF[4]GM[1]SZ[19]KM[{komi}];B[aa])");
        let out = String::from_utf8(run(&["check", "-f", "short", "-q"], game.as_bytes()).out)
            .expect("UTF-8");
        assert!(
            out.contains("malformed-game-info]: in `KM`: expected a komi in points"),
            "{out}"
        );
        let repaired = if komi == fixed {
            game.clone()
        } else {
            game.replace(komi, &format!("{fixed}]XK[KM: {komi}"))
        };
        assert_eq!(
            run(&["fix", "-q", "--guess"], game.as_bytes()).out,
            repaired.as_bytes()
        );
        let known = if komi == fixed { "\"\"" } else { fixed };
        assert_eq!(
            run(&["get", "komi", "-f", "csv"], game.as_bytes()).done(),
            format!("komi\n{known}\n")
        );
    }
}

/// A game without FF gets one note, regardless of the number of its newer properties.
#[test]
fn a_game_without_ff_is_one_note() {
    let game = b"(;GM[1]AP[x:1]ST[2]SZ[9];B[aa]KO[]MN[3];TR[aa]LB[aa:1])";
    let out = String::from_utf8(run(&["check", "-f", "short", "-q"], game).out).expect("UTF-8");
    assert_eq!(out, "");
    let out = String::from_utf8(run(&["check", "-f", "short", "-q", "--level", "note"], game).out)
        .expect("UTF-8");
    let notes: Vec<_> = out
        .lines()
        .filter(|line| line.contains("other-version-property"))
        .collect();
    assert_eq!(
        notes,
        [
            "-:1:8: note[other-version-property]: the game has `AP`, which belongs to FF[4], and no `FF`"
        ]
    );
    let fixed = run(&["fix", "-q", "--level", "warning"], game).done();
    assert!(fixed.starts_with("(;FF[4]GM[1]AP[x:1]"), "{fixed}");
}

#[test]
fn the_summary_alone() {
    let run = run(&["check", "--summary"], BAD);
    let out = String::from_utf8(run.out).expect("UTF-8");
    assert_eq!((run.status, &*run.err), (1, ""));
    assert_eq!(
        out,
        "        3  error[point-off-board] (SGFC 14)\n        1  warning[unknown-property] (SGFC 35)\n        1  \
         note[several-games] (SGFC 60)\n1 file: 3 errors, 1 warning, 1 note; 1 not shown, see --level\n"
    );
}

#[test]
fn check_points_to_explain() {
    let hint = "; run `sgfq explain CODE` for advice";
    assert!(run(&["check"], BAD).err.contains(hint));
    assert!(!run(&["check", "-f", "jsonl"], BAD).err.contains(hint));
    assert!(
        !run(&["check"], b"(;FF[4]CA[UTF-8]GM[1]SZ[9])")
            .err
            .contains(hint)
    );
}

#[test]
fn a_number_of_sgfc_is_explained() {
    let by_name = run(&["explain", "unknown-property"], b"").done();
    for number in ["35", "SGFC-35", "sgfc 35"] {
        let by_number = run(&["explain", number], b"").done();
        assert!(by_number.contains(&by_name), "{by_number}");
    }
    assert!(
        run(&["explain", "SGFC-999"], b"")
            .refused()
            .contains("no finding has the SGFC number 999")
    );
}

#[test]
fn sarif_names_files_that_a_viewer_can_open() {
    let place = Place::new();
    let plain = place.put("a b.sgf", BAD);
    let log: Value = serde_json::from_slice(&run(&["check", "-q", "-f", "sarif", &plain], b"").out)
        .expect("JSON");
    let tool = &log["runs"][0]["tool"]["driver"];
    assert_eq!(tool["informationUri"], "https://docs.rs/sgfq");
    let rules = tool["rules"].as_array().expect("rules");
    assert!(rules.iter().all(|rule| {
        rule["helpUri"]
            .as_str()
            .is_some_and(|uri| uri.starts_with("https://"))
    }));
    assert!(rules.iter().all(|rule| {
        rule["help"]["text"]
            .as_str()
            .is_some_and(|text| !text.is_empty())
    }));
    let found = &log["runs"][0]["results"][0]["locations"][0];
    let uri = found["physicalLocation"]["artifactLocation"]["uri"]
        .as_str()
        .expect("a uri");
    assert!(uri.ends_with("/a%20b.sgf") && found["physicalLocation"]["region"]["startLine"] == 1);

    // A member of an archive is no file, so the log names the archive, and the member in a separate
    // field.
    let archive = place.put("t.tar", super::tar::tar(&[("dir/x.sgf", BAD)]));
    let log: Value =
        serde_json::from_slice(&run(&["check", "-q", "-f", "sarif", &archive], b"").out)
            .expect("JSON");
    let found = &log["runs"][0]["results"][0]["locations"][0];
    let uri = found["physicalLocation"]["artifactLocation"]["uri"]
        .as_str()
        .expect("a uri");
    assert!(uri.ends_with("/t.tar"), "{uri}");
    assert_eq!(found["physicalLocation"].get("region"), None);
    assert_eq!(
        found["logicalLocations"][0]["fullyQualifiedName"],
        "dir/x.sgf:1 game 1 node /0"
    );
}

/// Findings are shown in the charset of their game.
#[test]
fn messages_are_in_the_charset_of_the_game() {
    let game = b"(;FF[4]CA[EUC-KR]GM[1]SZ[9] \xc1\xb6\xc4\xa1\xc8\xc6 ;B[aa])";
    let out = run(&["check", "-q", "-f", "short"], game).out;
    assert!(
        String::from_utf8_lossy(&out).contains("조치훈"),
        "{}",
        String::from_utf8_lossy(&out)
    );
    let unlabeled = b"(;FF[4]GM[1]SZ[9] \xc1\xb6\xc4\xa1\xc8\xc6 ;B[aa])";
    let out = run(
        &["check", "-q", "-f", "jsonl", "--charset", "EUC-KR"],
        unlabeled,
    )
    .out;
    assert!(
        String::from_utf8_lossy(&out).contains("\"found\":\"조치훈\""),
        "{}",
        String::from_utf8_lossy(&out)
    );
}
