//! Tables of games as lists of games: `--keys` says if the files are others by now.

use std::fs::File;

use super::{Scratch, collection, text};

fn place(name: &str) -> Scratch {
    let place = Scratch::new(name);
    place.write("in/go.sgf", &collection(30));
    place.write("in/other-0.sgf", b"(;GM[11]SZ[5];B[a1];W[b2])(;GM[2];B[c4];W[c3])");
    place.write("in/other-1.sgf", b"(;SZ[9];B[cc];W[zz];B[aa])");
    place
}

/// The rows of a table name games of files that may be others by now.
#[test]
fn files_that_changed_since_are_said() {
    let place = place("keys-changed");
    let update = || assert!(place.sgfq(&["index", "--update", "in", "-o", "games.parquet"]).status.success());
    let cat = || place.sgfq(&["cat", "--keys", "games.parquet"]);
    update();
    let before = cat();
    assert!(before.stderr.is_empty() && before.status.success());
    // The same bytes.
    let file = File::options().append(true).open(place.0.join("in/other-0.sgf")).expect("a file");
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    assert_eq!(cat(), before);
    let game = place.read("in/other-1.sgf");
    place.write("in/other-1.sgf", &[b"(;SZ[9])", &game[..]].concat());
    let expected = "games.parquet: expected files that are as they were when it was written, found in/other-1.sgf; its";
    assert!(text(&cat().stderr).contains(expected), "{}", text(&cat().stderr));
    std::fs::remove_file(place.0.join("in/go.sgf")).expect("a file");
    assert!(text(&cat().stderr).contains("found in/go.sgf and 1 more; its"), "{}", text(&cat().stderr));
    place.write("in/go.sgf", &collection(30));
    update();
    assert!(cat().stderr.is_empty());
    place.write("in/new.sgf", &collection(1));
    assert!(cat().stderr.is_empty());
}

/// No manifest knows the files of a table that another program wrote.
#[test]
fn files_that_are_newer_than_their_keys_are_said() {
    let place = place("keys-newer");
    let cat = |table: &str| place.sgfq(&["cat", "--keys", table]);
    for table in ["keys.csv", "keys.parquet"] {
        assert!(place.sgfq(&["index", "in", "-o", table]).status.success());
    }
    std::fs::remove_file(place.0.join("keys.parquet.manifest")).expect("a file");
    let file = |name: &str| File::options().append(true).open(place.0.join(name)).expect("a file");
    for table in ["keys.csv", "keys.parquet"] {
        assert!(cat(table).status.success() && cat(table).stderr.is_empty());
        let written = file(table).metadata().and_then(|metadata| metadata.modified()).expect("a time");
        file("in/other-1.sgf").set_modified(written + std::time::Duration::from_secs(1)).expect("a time");
        let expected = format!(
            "sgfq: {table}: expected files that did not change after it was written, found in/other-1.sgf; its rows may name \
             other games now\n"
        );
        assert_eq!(text(&cat(table).stderr), expected);
        file("in/other-1.sgf").set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    }
}
