//! `sgfq grep` with the options that grep has.

use crate::{Place, packed, run};

const A: &str = "(;C[Good move\nvery good];B[cc]N[bad])(;C[nothing])(;C[GOOD])";
const B: &str = "(;C[nothing here])(;C[none])";

/// A place with two files.
fn place() -> (Place, [String; 2]) {
    let place = Place::new();
    let files = [place.put("a.sgf", A), place.put("b.sgf", B)];
    (place, files)
}

/// Output for both files, with their folder left out.
fn grep(arguments: &[&str]) -> (i32, String) {
    let (place, [a, b]) = place();
    let made = run(&[&["grep"], arguments, &[&a, &b]].concat(), b"");
    (made.status, made.text().replace(&place.text(""), ""))
}

#[test]
fn counts_are_of_games() {
    assert_eq!(grep(&["-c", "good"]), (0, "a.sgf:1\nb.sgf:0\n".to_owned()));
    assert_eq!(grep(&["-ci", "good"]), (0, "a.sgf:2\nb.sgf:0\n".to_owned()));
    assert_eq!(grep(&["-cv", "good"]), (0, "a.sgf:2\nb.sgf:2\n".to_owned()));
    assert_eq!(
        grep(&["-civ", "good"]),
        (0, "a.sgf:1\nb.sgf:2\n".to_owned())
    );
    assert_eq!(grep(&["-cn", "good"]), (0, "a.sgf:1\nb.sgf:0\n".to_owned()));
    assert_eq!(
        grep(&["-c", "absent"]),
        (1, "a.sgf:0\nb.sgf:0\n".to_owned())
    );
    assert_eq!(
        grep(&["-c", "-f", "csv", "o"]),
        (0, "file,games\na.sgf,2\nb.sgf,2\n".to_owned())
    );
}

#[test]
fn files_and_games() {
    assert_eq!(grep(&["-l", "good"]), (0, "a.sgf\n".to_owned()));
    // As grep does, the names win over the counts.
    assert_eq!(grep(&["-lc", "good"]), (0, "a.sgf\n".to_owned()));
    assert_eq!(grep(&["-lv", "o"]), (0, "a.sgf\n".to_owned()));
    assert_eq!(
        grep(&["-ln", "-i", "good"]),
        (0, "a.sgf#1\na.sgf#3\n".to_owned())
    );
    assert_eq!(grep(&["-l", "absent"]), (1, String::new()));
    assert_eq!(grep(&["-v", "o"]), (0, "a.sgf#3\n".to_owned()));
    assert_eq!(
        grep(&["-vn", "-i", "good"]),
        (0, "a.sgf#2\nb.sgf#1\nb.sgf#2\n".to_owned())
    );
    assert_eq!(grep(&["-v", "-i", "[ong]"]), (1, String::new()));
    assert_eq!(
        grep(&["-v", "-i", "good", "-f", "tsv"]).1,
        "file\tgame\na.sgf\t2\nb.sgf\t1\nb.sgf\t2\n"
    );
    assert_eq!(
        grep(&["-l", "-f", "jsonl", "good"]).1,
        "{\"file\":\"a.sgf\"}\n"
    );
}

#[test]
fn lines_have_the_numbers_of_games_and_nodes() {
    let lines = grep(&["-in", "good"]);
    assert_eq!(lines, grep(&["-i", "good"]));
    assert_eq!(
        lines.1.lines().next(),
        Some("a.sgf#1 /0 move 0 C: Good move")
    );
    assert_eq!(lines.1.lines().count(), 3);
}

#[test]
fn stdin_archives_references_and_filters() {
    assert_eq!(run(&["grep", "-c", "good"], A.as_bytes()).done(), "-:1\n");
    assert_eq!(
        run(&["grep", "-l", "good", "-"], A.as_bytes()).done(),
        "-\n"
    );
    let zip = packed("two.zip").to_string_lossy().into_owned();
    let members = run(&["grep", "-c", "--in", "GM,FF", ".", &zip], b"").done();
    assert!(members.lines().count() > 1, "{members}");
    assert!(
        members
            .lines()
            .all(|line| line.starts_with(&format!("{zip}!"))),
        "{members}"
    );
    let (place, [a, _]) = place();
    let name = |text: String| text.replace(&place.text(""), "");
    let third = format!("{a}#3");
    assert_eq!(
        name(run(&["grep", "-ci", "good", &third], b"").done()),
        "a.sgf#3:1\n"
    );
    assert_eq!(
        name(run(&["grep", "-v", "good", &third], b"").done()),
        "a.sgf#3\n"
    );
    assert_eq!(
        name(run(&["grep", "-vi", "good", &a, "--where", "game > 1"], b"").done()),
        "a.sgf#2\n"
    );
    assert_eq!(
        name(run(&["grep", "-ci", "good", &a, "--where", "game > 1"], b"").done()),
        "a.sgf:1\n"
    );
}

/// A file that several workers read has one count, and the numbers of its games.
#[test]
fn parts_are_one_file() {
    let place = Place::new();
    let game = format!("(;C[{}];B[cc]C[word])(;C[other])", "x".repeat(10_000));
    let file = place.put("large.sgf", game.repeat(1000));
    assert_eq!(
        run(&["grep", "-c", "-j4", "word", &file], b"").done(),
        format!("{file}:1000\n")
    );
    let numbers: Vec<String> = (1..=1000)
        .map(|at| format!("{file}#{}\n", 2 * at))
        .collect();
    assert_eq!(
        run(&["grep", "-v", "-j4", "word", &file], b"").done(),
        numbers.concat()
    );
}
