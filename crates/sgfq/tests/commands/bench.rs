//! `sgfq bench`, as a user runs it.

use assert_cmd::Command;
use serde_json::Value;

const GAMES: &[u8] = b"(;GM[1]SZ[9]C[a\\]b];B[aa];W[tt])\n(;GM[11];B[a1])";

fn bench(arguments: &[&str]) -> (Value, String) {
    let arguments = [&["bench", "-f", "json", "--rounds", "1"], arguments].concat();
    let assert = Command::cargo_bin("sgfq").expect("built").args(arguments).write_stdin(GAMES).assert().success();
    let output = assert.get_output();
    let said = String::from_utf8(output.stderr.clone()).expect("text");
    (serde_json::from_slice(&output.stdout).expect("one JSON object"), said)
}

#[test]
fn each_stage_of_a_file() {
    let (found, said) = bench(&["../../corpus/go-ff4.sgf", "../archive/tests/archives/two.tar.gz"]);
    assert_eq!(said, "");
    assert_eq!(found["files"], 3);
    let stages = found["stages"].as_array().expect("a list");
    let names: Vec<&str> = stages.iter().filter_map(|stage| stage["stage"].as_str()).collect();
    assert_eq!(names, ["count", "search", "events", "text", "values", "moves"]);
    for stage in stages {
        assert_eq!(stage["bytes"], found["loaded_bytes"], "{stage}");
        assert!(stage["gigabytes_a_second"].as_f64().is_some_and(|rate| rate > 0.0), "{stage}");
        assert!(stage["items"].as_u64().is_some_and(|items| items > 0), "{stage}");
    }
    assert!(!cfg!(target_os = "linux") || found["peak_memory_bytes"].as_u64().is_some_and(|peak| peak > 1 << 20));
}

#[test]
fn stdin_is_read_once() {
    let (found, said) = bench(&[]);
    assert!(said.contains("stdin can be read only once"), "{said}");
    assert_eq!(found["stages"][0]["stage"], "search");
    assert_eq!(found["loaded_bytes"], GAMES.len());
    assert_eq!(found["peak_memory_bytes"], Value::Null);
}

#[test]
fn a_table_for_a_person() {
    let assert =
        Command::cargo_bin("sgfq").expect("built").args(["bench", "../../corpus/go-ff4.sgf"]).assert().success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).expect("text");
    assert!(text.starts_with("stage             MB        ms      GB/s    M events/s\n"), "{text}");
    assert_eq!(text.lines().count(), 8, "{text}");
}
