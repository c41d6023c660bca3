//! Ctrl-C while files are written.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{GAMES, Place};

/// Starts the command with an input that never ends, presses Ctrl-C, and gives
/// what it said and the files that are there.
fn interrupted(place: &Place, arguments: &[&str]) -> (String, Vec<String>) {
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
    for _ in 0..500 {
        if place.names().iter().any(begun) {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(place.names().iter().any(begun), "{arguments:?}: nothing was begun: {:?}", place.names());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("it runs").success());
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("a broken pipe");
    assert_eq!(output.status.code(), Some(130));
    (String::from_utf8(output.stderr).expect("UTF-8"), place.names())
}

#[test]
fn what_is_not_whole_goes() {
    for arguments in [
        &["cat", "-o", "out.sgf"][..],
        &["rewrite", "--strip", "C", "-o", "out.sgf"],
        &["fix", "-o", "out.sgf"],
        &["filter", "--where", "TRUE", "-o", "out.sgf"],
        &["split", "--by", "pb"],
    ] {
        let place = Place::new();
        let (said, names) = interrupted(&place, arguments);
        assert_eq!((&*said, &names[..]), ("sgfq: interrupted; no file was finished\n", &[][..]), "{arguments:?}");
    }
}

#[test]
fn what_is_whole_stays_and_is_counted() {
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
    assert_eq!((names, place.read("old.sgf")), (vec!["old.sgf".to_owned()], "(;C[old])".to_owned()), "{old}");
}
