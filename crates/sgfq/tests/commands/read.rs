//! Tests of `sgfq count`, `events` and `tree`: format of the output, exit status, failing outputs,
//! and text that is unsafe on a terminal.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use sgfstream::{Event, Options, SliceReader, Writer};

const SGFQ: &str = env!("CARGO_BIN_EXE_sgfq");

fn sgfq(arguments: &[&str], stdin: &[u8]) -> Output {
    let mut command = assert_cmd::Command::new(SGFQ);
    command
        .args(arguments)
        .write_stdin(stdin)
        .output()
        .expect("runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn lines(output: &Output) -> Vec<Value> {
    text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

const GAME: &[u8] = b"(;FF[4]GM[1]C[a\\\nb\\]];B[aa](;W[bb])(;W[cc]";

#[test]
fn count_says_lines_or_one_object() {
    let output = sgfq(&["count"], GAME);
    assert_eq!(
        text(&output.stdout),
        "files\t1\ngames\t1\nnodes\t4\nmoves\t3\nmain_line_moves\t2\nbytes\t42\n"
    );
    let output = sgfq(&["count", "-f", "json"], GAME);
    assert_eq!(
        lines(&output),
        [
            json!({ "schema": 1, "files": 1, "games": 1, "nodes": 4, "moves": 3, "main_line_moves": 2, "bytes": 42 })
        ]
    );
}

#[test]
fn events_say_kind_place_and_bytes() {
    let events = lines(&sgfq(&["events"], GAME));
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["kind"].as_str().expect("a kind"))
        .collect();
    let expected = "variation_start node_start property property property node_start property \
         variation_start node_start property variation_end variation_start node_start property \
         problem variation_end variation_end";
    assert_eq!(kinds.join(" "), expected);
    assert_eq!(events[4]["id"], "C");
    assert_eq!(
        events[4]["values"],
        json!(["a\\\nb\\]"]),
        "as it is written"
    );
    assert_eq!(
        (&events[9]["span"], &events[9]["depth"], &events[9]["game"]),
        (&json!([29, 34]), &json!(2), &json!(1))
    );
    assert_eq!(
        (&events[14]["code"], &events[14]["sgfc"]),
        (&json!("unclosed-game"), &json!(9))
    );
    assert_eq!(events[15]["supplied"], true);
}

#[test]
fn tree_is_an_object_a_file() {
    let folder = scratch("tree_is_an_object_a_file");
    std::fs::create_dir_all(&folder).expect("made");
    std::fs::write(folder.join("a.sgf"), GAME).expect("written");
    std::fs::write(folder.join("b.sgf"), b"(;Black[aa]C[\xe9])(;GM[11])").expect("written");
    let output = sgfq(
        &[
            "tree",
            "-f",
            "jsonl",
            "--charset",
            "latin1",
            folder.to_str().expect("UTF-8"),
        ],
        b"",
    );
    let files = lines(&output);
    assert_eq!(files.len(), 2);
    assert_eq!(
        files[0]["tree"],
        json!([{
            "nodes": [[["FF", ["4"]], ["GM", ["1"]], ["C", ["ab]"]]], [["B", ["aa"]]]],
            "children": [{ "nodes": [[["W", ["bb"]]]], "children": [] }, { "nodes": [[["W", ["cc"]]]], "children": [] }],
        }])
    );
    let keys: Vec<&String> = files[0].as_object().expect("an object").keys().collect();
    assert_eq!(keys, ["schema", "file", "tree"]);
    assert_eq!(
        files[1]["tree"][0]["nodes"],
        json!([[["B", ["aa"]], ["C", ["\u{e9}"]]]])
    );
    assert_eq!(files[1]["tree"][1]["nodes"], json!([[["GM", ["11"]]]]));
}

#[test]
fn exit_status() {
    for (arguments, input, status) in [
        (&["count"][..], GAME, 0),
        (&["events"], b"not a game", 1),
        (&["tree", "-f", "jsonl"], b"(;", 0),
        (&["check", "-q"], GAME, 1),
        (&["count", "no/such/file.sgf"], b"", 2),
        (&["tree", "no/such/file.sgf"], b"", 2),
        (&["count", "--no-such-option"], b"", 2),
        (&["no-such-command"], b"", 2),
        (&["help"], b"", 0),
        (&["--version"], b"", 0),
    ] {
        let output = sgfq(arguments, input);
        assert_eq!(
            output.status.code(),
            Some(status),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
    let said = sgfq(&["count", "no/such/file.sgf"], b"").stderr;
    assert!(text(&said).contains("no/such/file.sgf"), "{}", text(&said));
}

/// An unreadable input does not affect the others.
#[test]
fn the_other_inputs_are_read() {
    let path = scratch("the_other_inputs_are_read.sgf");
    std::fs::write(&path, GAME).expect("written");
    let output = sgfq(
        &[
            "count",
            "-f",
            "json",
            "no/such/file.sgf",
            path.to_str().expect("UTF-8"),
        ],
        b"",
    );
    assert_eq!(lines(&output)[0]["games"], 1);
    assert_eq!(output.status.code(), Some(2));
}

/// `sgfq events | head -n 1` ends without a message.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_a_goodbye() {
    use std::io::{BufRead, BufReader};

    let path = scratch("a_closed_pipe_is_a_goodbye.sgf");
    std::fs::write(&path, b"(;FF[4]GM[1];B[aa];W[zz])\n".repeat(50_000)).expect("written");
    for arguments in [
        &["events"][..],
        &["tree"],
        &["tree", "-f", "jsonl"],
        &["check", "-f", "short"],
    ] {
        let mut command = Command::new(SGFQ);
        command
            .args(arguments)
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("runs");
        let mut line = String::new();
        let mut stdout = BufReader::with_capacity(64, child.stdout.take().expect("piped"));
        stdout.read_line(&mut line).expect("a line");
        assert!(!line.is_empty());
        drop(stdout);
        let output = child.wait_with_output().expect("ends");
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), ""),
            "{arguments:?}"
        );
    }
}

/// A full disk is an error that names the output.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let path = scratch("a_full_disk_is_an_error.sgf");
    std::fs::write(&path, GAME.repeat(2000)).expect("written");
    for arguments in [
        &["count"][..],
        &["events"],
        &["tree"],
        &["tree", "-f", "jsonl"],
        &["check", "-f", "jsonl"],
    ] {
        let full = std::fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("a full device");
        let output = Command::new(SGFQ)
            .args(arguments)
            .arg(&path)
            .stdout(full)
            .output()
            .expect("runs");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(
            text(&output.stderr).contains("stdout: "),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
}

/// Output contains no controls, escapes or direction marks from values, identifiers and file names.
#[test]
fn no_text_reaches_a_terminal_raw() {
    const UNSAFE: &str =
        "\u{1b}]0;title\u{7}\u{1b}[31m\u{9b}2J\u{202e}txt\u{2066}\u{200f}\r\u{8}\u{7f}";
    let folder = scratch("no_text_reaches_a_terminal_raw");
    std::fs::create_dir_all(&folder).expect("made");
    let name = if cfg!(unix) {
        "a\u{1b}[2J\u{202e}.sgf"
    } else {
        "a.sgf"
    };
    let path = folder.join(name);
    let bytes = format!(
        "{UNSAFE} (;FF[4]GM[1]C[{UNSAFE}]PB[{UNSAFE}]XX[{UNSAFE}]KM[{UNSAFE}];B[{UNSAFE}] {UNSAFE}"
    );
    std::fs::write(&path, bytes).expect("written");
    let path = path.to_str().expect("UTF-8");
    let is_safe = |text: &str| {
        text.chars().all(|char| {
            let turns = matches!(char, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            matches!(char, '\n' | '\t') || !char.is_control() && !turns
        })
    };
    for arguments in [
        &["count"][..],
        &["events"],
        &["tree"],
        &["tree", "-f", "jsonl"],
        &["stats"],
        &["stats", "-f", "json"],
        &["check", "--level", "note"],
        &["check", "--level", "note", "-f", "short"],
        &["check", "--level", "note", "-f", "jsonl"],
        &["check", "--level", "note", "--diag", "sarif"],
        &["count", "no/such/\u{1b}[31m\u{202e}"],
    ] {
        let output = sgfq(&[arguments, &[path]].concat(), b"");
        assert!(
            is_safe(text(&output.stdout)),
            "{arguments:?}: {:?}",
            text(&output.stdout)
        );
        assert!(
            is_safe(text(&output.stderr)),
            "{arguments:?}: {:?}",
            text(&output.stderr)
        );
        assert!(!output.stdout.is_empty(), "{arguments:?}");
    }
}

/// After a hundred rewrites, no character is escaped twice.
#[test]
fn a_hundred_saves_leave_the_size() {
    let first =
        b"(;FF[4]GM[1]C[a\\]b\\\\\\\nc:d [x\\] \\:]AP[a\\:b:1](;B[aa] ; W[])(;B[bb]))\n".to_vec();
    let mut bytes = first.clone();
    let mut laid_out = first.clone();
    for _ in 0..100 {
        let mut writer = Writer::new(Vec::new());
        for event in SliceReader::with_options(&bytes, Options::default().with_gaps(true))
            .events()
            .flatten()
        {
            if !matches!(event, Event::Problem(_)) {
                writer.event(&event).expect("a Vec takes all");
            }
        }
        bytes = writer.finish().expect("a Vec takes all");
        laid_out = sgfq(&["rewrite", "--canonical"], &laid_out).stdout;
    }
    assert_eq!(bytes, first);
    let once = sgfq(&["rewrite", "--canonical"], &first).stdout;
    assert_eq!(text(&laid_out), text(&once));
    assert!(!once.is_empty());
}

/// A million nested variations with a stack of 8 MiB.
#[cfg(unix)]
#[test]
fn a_million_nested_variations() {
    let path = nested("a_million_nested_variations.sgf", 1_000_000);
    assert_eq!(
        text(&limited("count", &path)).lines().nth(2),
        Some("nodes\t1000000")
    );
    let tree = limited("tree -f jsonl", &path);
    assert_eq!(
        memchr::memmem::find_iter(&tree, b"\"nodes\"").count(),
        1_000_000
    );
    assert!(!limited("tree", &path).is_empty());
    // Four million lines of JSON take half a minute in an unoptimized build.
    let depth = if cfg!(debug_assertions) {
        200_000
    } else {
        1_000_000
    };
    let path = nested("many_nested_variations.sgf", depth);
    assert_eq!(
        limited("events", &path)
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count(),
        4 * depth
    );
}

#[cfg(unix)]
fn nested(name: &str, depth: usize) -> PathBuf {
    let path = scratch(name);
    let mut bytes = b"(;B[aa]".repeat(depth);
    bytes.extend(b")".repeat(depth));
    std::fs::write(&path, bytes).expect("written");
    path
}

#[cfg(unix)]
fn limited(command: &str, path: &Path) -> Vec<u8> {
    let script = format!("ulimit -s 8192; \"$0\" {command} \"$1\"");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &script, SGFQ])
        .arg(path)
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    let output = shell.output().expect("runs");
    assert!(output.status.success(), "{command}: {:?}", output.status);
    output.stdout
}
