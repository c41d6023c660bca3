//! Tests of the output of `sgfq check` and `sgfq explain`.

use std::path::PathBuf;

use assert_cmd::Command;

fn sgfq(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("sgfq").expect("built");
    command.args(arguments);
    command
}

fn stdout(command: &mut Command, input: &[u8]) -> (String, String, i32) {
    let output = command.write_stdin(input).output().expect("runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        text(output.stdout),
        text(output.stderr),
        output.status.code().expect("ends"),
    )
}

const CLEAN: &[u8] = b"(;FF[4]GM[1]SZ[9];B[ee];W[aa])";
const WARNED: &[u8] = b"(;FF[4]GM[1]GN[];B[ee])";
const FAULTY: &[u8] = b"(;FF[4]GM[1]\nKM[6,5];B[ee];B[dd])";

#[test]
fn exit_status() {
    for (arguments, input, status) in [
        (&["check"][..], CLEAN, 0),
        (&["check"], WARNED, 1),
        (&["check"], FAULTY, 1),
        (&["check", "--fail-on", "error"], WARNED, 0),
        (&["check", "--fail-on", "error"], FAULTY, 1),
        (&["check", "--fail-on", "never"], FAULTY, 0),
        (&["check", "--fail-on", "note"], b"(;FF[4]GM[1];;B[aa])", 1),
        (&["check", "--allow", "useless-empty-value"], WARNED, 0),
        (
            &["check", "--allow", "malformed-game-info,two-moves-in-row"],
            FAULTY,
            0,
        ),
        (&["check", "no/such/file.sgf"], b"", 2),
        (&["check", "--allow", "no-such-code"], b"", 2),
        (&["explain"], b"", 2),
        (&["explain", "no-such-code"], b"", 2),
    ] {
        let (_, stderr, code) = stdout(&mut sgfq(arguments), input);
        assert_eq!(code, status, "{arguments:?}: {stderr}");
    }
}

/// Unchecked games may be invalid, so a limit is a finding, even if only errors count.
#[test]
fn a_limit_is_no_success() {
    // More variations are open than the checker keeps positions for.
    let variations = (&b"(;DM[1]".repeat(2_000)[..], &b")".repeat(2_000)[..]);
    let input = [b"(;FF[4]GM[1]CA[UTF-8]", variations.0, variations.1, b")"].concat();
    let check = ["check", "--legality", "-f", "short"];
    for (more, status) in [
        (&[][..], 1),
        (&["--fail-on", "error"], 1),
        (&["--fail-on", "never"], 0),
        (&["--allow", "check-limit"], 0),
    ] {
        let (out, stderr, code) = stdout(&mut sgfq(&[&check[..], more].concat()), &input);
        assert_eq!(code, status, "{more:?}: {stderr}");
        assert_eq!(
            out.contains("warning[check-limit]"),
            more != ["--allow", "check-limit"],
            "{more:?}: {out}"
        );
    }
}

#[test]
fn short_and_level() {
    let (out, _, _) = stdout(&mut sgfq(&["check", "-f", "short"]), FAULTY);
    assert_eq!(out.lines().count(), 1);
    assert!(
        out.starts_with("-:2:4: error[malformed-game-info]: in `KM`: expected a real number"),
        "{out}"
    );
    let (out, _, _) = stdout(
        &mut sgfq(&["check", "-f", "short", "--level", "note"]),
        FAULTY,
    );
    assert_eq!(out.lines().count(), 2);
    assert!(out.contains("note[two-moves-in-row]"), "{out}");
    let (out, _, _) = stdout(
        &mut sgfq(&["check", "-f", "short", "--level", "error"]),
        WARNED,
    );
    assert_eq!(out, "");
}

#[test]
fn human_shows_the_line_with_a_caret() {
    let (out, _, _) = stdout(&mut sgfq(&["check"]), FAULTY);
    let expected = "\
error[malformed-game-info]: in `KM`: expected a real number such as `6.5` or `-3`, found `6,5`
 --> -:2:4
  |
2 | KM[6,5];B[ee];B[dd])
  |    ^^^
  |
  = node: game 1, /0
  = help: write `6.5`: decimal comma read as a point
";
    assert_eq!(out.trim_end(), expected.trim_end());
}

#[test]
fn a_terminal_is_safe() {
    let input = b"(;FF[4]GM[1]XX[\x1b[31mred]KM[\x1b]0;title\x07])";
    for form in ["text", "short"] {
        let (out, err, _) = stdout(&mut sgfq(&["check", "-f", form]), input);
        assert!(out.contains("malformed-game-info"), "{out}");
        let is_safe = |text: &str| text.chars().all(|char| char == '\n' || !char.is_control());
        assert!(is_safe(&out) && is_safe(&err), "{out:?}");
    }
}

#[test]
fn json_is_one_object_a_line() {
    let (out, err, _) = stdout(
        &mut sgfq(&["check", "-f", "jsonl", "--level", "note"]),
        FAULTY,
    );
    let objects: Vec<serde_json::Value> = out
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(objects.len(), 2);
    let first = &objects[0];
    assert_eq!(first["file"], "-");
    assert_eq!(first["code"], "malformed-game-info");
    assert_eq!(first["severity"], "error");
    assert_eq!(first["sgfc"], 33);
    assert_eq!((&first["line"], &first["column"]), (&2.into(), &4.into()));
    assert_eq!(
        (&first["byte"], &first["end"], &first["game"]),
        (&16.into(), &19.into(), &1.into())
    );
    assert_eq!(
        (&first["path"], &first["found"]),
        (&"/0".into(), &"6,5".into())
    );
    assert_eq!(
        (&first["repair"]["name"], &first["repair"]["text"]),
        (&"decimal-comma".into(), &"6.5".into())
    );
    assert_eq!(objects[1]["repair"], serde_json::Value::Null);
    assert!(
        err.contains("1  error[malformed-game-info] (SGFC 33)"),
        "{err}"
    );
    assert!(err.contains("1 file: 1 error, 0 warnings, 1 note"), "{err}");
}

#[test]
fn json_of_the_reader_names_the_bytes() {
    let (out, _, _) = stdout(
        &mut sgfq(&["check", "-f", "jsonl", "-q"]),
        b"(;FF[4]GM[1];B[aa]) rest",
    );
    let object: serde_json::Value = serde_json::from_str(&out).expect("one line");
    assert_eq!(object["code"], "text-after-game");
    assert!(
        object["message"]
            .as_str()
            .is_some_and(|message| message.ends_with(": `rest`")),
        "{out}"
    );
}

#[test]
fn sarif_is_one_log() {
    for (input, results) in [(CLEAN, 0), (FAULTY, 1)] {
        let (out, _, _) = stdout(&mut sgfq(&["check", "--diag", "sarif"]), input);
        let log: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["tool"]["driver"]["name"], "sgfq");
        let found = run["results"].as_array().expect("a list");
        assert_eq!(found.len(), results);
        if let Some(first) = found.first() {
            let rule = first["ruleIndex"].as_u64().expect("a number") as usize;
            assert_eq!(run["tool"]["driver"]["rules"][rule]["id"], first["ruleId"]);
            let region = &first["locations"][0]["physicalLocation"]["region"];
            assert_eq!(
                (&region["startLine"], &region["byteOffset"]),
                (&2.into(), &16.into())
            );
            let replacement = &first["fixes"][0]["artifactChanges"][0]["replacements"][0];
            assert_eq!(replacement["insertedContent"]["text"], "6.5");
        }
    }
}

/// Checks the requirements of SARIF 2.1.0 for the parts in use, and that there are no other fields.
#[test]
fn sarif_has_the_shape_of_2_1_0() {
    let input = "(;FF[4]GM[1]C[黒\u{1b}]KM[6,5];;B[zz]QQ[x])\n) rest".as_bytes();
    let (out, _, _) = stdout(
        &mut sgfq(&["check", "--diag", "sarif", "--level", "note"]),
        input,
    );
    let log: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let only = |object: &serde_json::Value, names: &[&str]| {
        for name in object.as_object().expect("an object").keys() {
            assert!(names.contains(&name.as_str()), "{name} in {object}");
        }
    };
    only(&log, &["$schema", "version", "runs"]);
    let run = &log["runs"][0];
    only(run, &["tool", "results", "columnKind"]);
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    only(&run["tool"], &["driver"]);
    only(
        &run["tool"]["driver"],
        &["name", "version", "informationUri", "rules"],
    );
    let is_level = |level: &serde_json::Value| {
        matches!(level.as_str(), Some("none" | "note" | "warning" | "error"))
    };
    let mut ids = std::collections::BTreeSet::new();
    for rule in run["tool"]["driver"]["rules"].as_array().expect("a list") {
        let texts = ["shortDescription", "fullDescription", "help"];
        only(
            rule,
            &[
                &["id", "helpUri", "defaultConfiguration", "properties"],
                &texts[..],
            ]
            .concat(),
        );
        assert!(
            texts.iter().all(|&text| rule[text]["text"].is_string()) && rule["helpUri"].is_string()
        );
        assert!(
            ids.insert(rule["id"].as_str().expect("a name")),
            "each once"
        );
        assert!(is_level(&rule["defaultConfiguration"]["level"]));
    }
    let results = run["results"].as_array().expect("a list");
    assert_eq!(results.len(), 7, "{out}");
    for result in results {
        only(
            result,
            &[
                "ruleId",
                "ruleIndex",
                "level",
                "message",
                "locations",
                "fixes",
            ],
        );
        assert!(result["message"]["text"].is_string() && is_level(&result["level"]));
        let location = &result["locations"][0];
        only(location, &["physicalLocation", "logicalLocations"]);
        let place = &location["physicalLocation"];
        only(place, &["artifactLocation", "region"]);
        assert!(
            place["artifactLocation"]["uri"]
                .as_str()
                .is_some_and(|uri| uri.is_ascii())
        );
        let region = &place["region"];
        only(
            region,
            &["startLine", "startColumn", "byteOffset", "byteLength"],
        );
        assert!(
            region["startLine"].as_u64() >= Some(1) && region["startColumn"].as_u64() >= Some(1)
        );
        for fix in result["fixes"].as_array().into_iter().flatten() {
            only(fix, &["description", "artifactChanges"]);
            only(
                &fix["artifactChanges"][0],
                &["artifactLocation", "replacements"],
            );
            only(
                &fix["artifactChanges"][0]["replacements"][0],
                &["deletedRegion", "insertedContent"],
            );
        }
    }
    // 黒 has three bytes and is one character.
    let komi = results
        .iter()
        .find(|result| result["ruleId"] == "malformed-game-info")
        .expect("found");
    assert_eq!(
        komi["locations"][0]["physicalLocation"]["region"]["startColumn"],
        21
    );
}

#[test]
fn legality_is_asked_for() {
    let input = b"(;FF[4]GM[1];B[aa];W[aa])";
    assert_eq!(stdout(&mut sgfq(&["check", "-f", "short"]), input).0, "");
    let (out, _, code) = stdout(&mut sgfq(&["check", "-f", "short", "--legality"]), input);
    assert!(out.contains("warning[occupied-point]"), "{out}");
    assert_eq!(code, 1);
}

/// Lines and columns are correct far into an input, and after a long root.
#[test]
fn places_far_away() {
    let mut input = b"(;FF[4]GM[1]\n".to_vec();
    for _ in 0..600_000 {
        input.extend_from_slice(b";B[aa];W[bb]\n");
    }
    input.extend_from_slice(b" ;B[zz])");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("places_far_away.sgf");
    std::fs::write(&path, &input).expect("written");
    let path = path.to_str().expect("UTF-8");
    let (out, _, _) = stdout(&mut sgfq(&["check", "-f", "short", path]), b"");
    assert!(out.contains(":600002:5: error[point-off-board]"), "{out}");
    assert_eq!(out.lines().count(), 1);
}

/// Positions start again for the second file of a run.
#[test]
fn files_are_separate() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("files_are_separate");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("a.sgf"), b"\n\n(;FF[4]GM[1];B[zz]").expect("written");
    std::fs::write(folder.join("b.sgf"), b"(;FF[3]GM[1];B[aa]AB[zz]").expect("written");
    let (out, err, _) = stdout(
        &mut sgfq(&["check", "-f", "short", folder.to_str().expect("UTF-8")]),
        b"",
    );
    let lines: Vec<_> = out
        .lines()
        .map(|line| line.rsplit('/').next().expect("a name"))
        .collect();
    let starts = [
        "a.sgf:3:16: error[point",
        "a.sgf:3:19: error[unclosed",
        "b.sgf:1:19: warning[setup",
        "b.sgf:1:22: error[point",
        "b.sgf:1:25: error[unclosed",
    ];
    assert_eq!(lines.len(), starts.len(), "{out}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
    assert!(err.contains("2 files: 4 errors, 1 warning"), "{err}");
}

#[test]
fn explain_and_its_list() {
    let (out, _, code) = stdout(&mut sgfq(&["explain", "good-and-bad-move"]), b"");
    assert_eq!(code, 0);
    assert!(
        out.starts_with("good-and-bad-move (error, SGFC 42)\n"),
        "{out}"
    );
    assert!(
        out.contains("  (;FF[4]GM[1];B[aa]TE[1]BM[1])\n") && out.contains("What to do: "),
        "{out}"
    );
    let repaired =
        "\nAfter `sgfq fix --guess --only good-and-bad-move`:\n  (;FF[4]GM[1];B[aa]IT[])\n";
    assert!(out.contains(repaired), "{out}");
    // Bytes of UTF-16 are escaped.
    let (out, ..) = stdout(&mut sgfq(&["explain", "stale-charset"]), b"");
    assert!(out.contains("\n  \\xfe\\xff\\x00(\\x00;"), "{out}");
    let (list, _, _) = stdout(&mut sgfq(&["explain", "--list"]), b"");
    assert_eq!(list.lines().count(), sgfstream::Code::ALL.len());
    for line in list.lines() {
        let name = line.split('\t').next().expect("a name");
        let (out, _, code) = stdout(&mut sgfq(&["explain", name]), b"");
        assert!(
            code == 0 && out.starts_with(name) && out.contains("Example"),
            "{name}"
        );
    }
}

/// Checks `before`, then `middle` many times, then a closing text. Returns the peak memory in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(form: &str, before: &str, middle: &str, bytes: usize) -> u64 {
    use std::io::Write;
    use std::process::Stdio;

    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("sgfq"))
        .args(["check", "-q", "-j1", "--legality", "-f", form])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut stdout = child.stdout.take().expect("piped");
    let printed =
        std::thread::spawn(move || std::io::copy(&mut stdout, &mut std::io::sink()).expect("read"));
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(before.as_bytes()).expect("read");
    let block = middle.repeat((64 << 10) / middle.len());
    (0..bytes / block.len()).for_each(|_| stdin.write_all(block.as_bytes()).expect("read"));
    // The command has read all blocks except the last, so memory use has reached its peak.
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    drop(stdin);
    assert_eq!(child.wait().expect("ended").code(), Some(1));
    assert!(
        printed.join().expect("no panic") > bytes as u64,
        "each of {middle} has a finding"
    );
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a peak");
    peak.trim()
        .trim_end_matches(" kB")
        .trim()
        .parse()
        .expect("a number")
}

/// Findings are streamed: outside of games, before the first node, in one node, and in one list.
#[cfg(target_os = "linux")]
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn memory_is_constant() {
    for (before, middle) in [
        ("", ")"),
        ("", "("),
        ("(;FF[4]GM[1];", "B[]"),
        ("(;FF[4]GM[1];AB", "[aa]"),
    ] {
        let [small, large] =
            [128 << 10, 512 << 10].map(|bytes| peak_kib("short", before, middle, bytes));
        assert!(
            large <= 48 << 10 && large <= small + (12 << 10),
            "{middle}: {small} KiB, then {large} KiB"
        );
    }
    let json = peak_kib("jsonl", "(;FF[4]GM[1];", "B[]", 256 << 10);
    assert!(json <= 48 << 10, "{json} KiB");
}

/// Only these commands print lines, so only they count them. The input is longer than the buffer of
/// the reader.
#[test]
fn commands_that_print_lines_count_them() {
    let input = [
        "(;GM[1]SZ[9];B[aa])\n".repeat(30_000),
        "(;GM[1]SZ[9];B[aa] x)\n".to_owned(),
    ]
    .concat();
    for arguments in [
        &["check", "-f", "short", "--level", "error"][..],
        &["fix"],
        &["tree"],
    ] {
        let (out, err, _) = stdout(&mut sgfq(arguments), input.as_bytes());
        let place = if arguments == ["tree"] {
            "  30001:20: "
        } else {
            "-:30001:20: "
        };
        let is_there = [out, err]
            .iter()
            .any(|text| text.lines().any(|line| line.starts_with(place)));
        assert!(is_there, "{arguments:?}");
    }
}
