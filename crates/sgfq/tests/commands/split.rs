//! `split`.

use super::{Place, games, run, sgfq};

#[test]
fn a_file_a_game() {
    let place = Place::new();
    let directory = place.text("out");
    assert_eq!(sgfq(&["split", "-d", &directory, "--prefix", "g-"]).done(), "4 files\n");
    let text = std::fs::read_to_string(place.path("out/g-000003.sgf")).expect("the third");
    assert_eq!(text, "(;GM[11]PB[Cyd];B[c1];W[swap-pieces])\n");
}

#[test]
fn nothing_is_replaced_unless_asked() {
    let place = Place::new();
    let directory = place.text(".");
    place.put("000002.sgf", "mine");
    let err = sgfq(&["split", "-d", &directory]).refused();
    assert!(err.contains("000002.sgf") && err.contains("--force"), "{err}");
    assert_eq!(place.read("000002.sgf"), "mine");
    assert!(place.names().iter().all(|name| name.ends_with(".sgf")), "{:?}", place.names());
    sgfq(&["split", "-d", &directory, "--force"]).done();
    assert!(place.read("000002.sgf").contains("PB[Ben]"));
}

#[test]
fn by_column_number_and_size() {
    let place = Place::new();
    let directory = place.text(".");
    assert_eq!(sgfq(&["split", "-d", &directory, "--by", "variant"]).done(), "2 files\n");
    assert_eq!(place.names(), ["Go.sgf", "Hex.sgf"]);
    assert_eq!((games(&place.path("Go.sgf")), games(&place.path("Hex.sgf"))), (3, 1));
    let place = Place::new();
    let directory = place.text(".");
    assert_eq!(sgfq(&["split", "-d", &directory, "-n", "3"]).done(), "2 files\n");
    assert_eq!((games(&place.path("000001.sgf")), games(&place.path("000002.sgf"))), (3, 1));
    let place = Place::new();
    let directory = place.text(".");
    assert_eq!(sgfq(&["split", "-d", &directory, "--bytes", "100"]).done(), "2 files\n");
    assert_eq!(games(&place.path("000001.sgf")), 2);
}

#[test]
fn names_are_safe_and_many_files_are_no_trouble() {
    let place = Place::new();
    let directory = place.text(".");
    let mut input: String = (0..200).map(|number| format!("(;PB[player {number}])")).collect();
    input += "(;PB[../../evil])(;PB[player 7])(;PB[PLAYER 7])(;)(;PB[none])";
    assert_eq!(run(&["split", "-d", &directory, "--by", "pb"], input.as_bytes()).done(), "203 files\n");
    let names = place.names();
    assert!(names.contains(&"_.._.._evil.sgf".to_owned()), "{names:?}");
    assert_eq!(games(&place.path("player_7.sgf")), 2);
    assert_eq!(games(&place.path("none.sgf")), 2);
    assert_eq!(names.len(), 203);
}
