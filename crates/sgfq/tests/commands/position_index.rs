//! `--index` of `find` and `explore`: the answers of a search without it, from a file that follows the games.

use super::{Place, run};

const COLUMNS: &str = "source,member,game,found_move,symmetry,colors,next";

fn find(place: &Place, index: bool, more: &[&str]) -> super::Run {
    let index = if index { vec!["--index".to_owned(), place.text("games.positions")] } else { Vec::new() };
    let index = index.iter().map(String::as_str);
    let arguments: Vec<&str> = ["find", "-f", "csv"].into_iter().chain(index).chain(more.iter().copied()).collect();
    run(&arguments, b"")
}

/// Archives in archives, games that are chosen, and all inputs of the folder.
#[test]
fn answers_are_those_of_a_search() {
    for inputs in [&["../../corpus"][..], &["../../corpus/packed/two.zip", "../../corpus/go-collection.sgf#2"]] {
        let place = Place::new();
        for position in ["", "pd", "pd dp", "pd dp aa bb cc", "Q16 D4", "c3", "a1", "../../corpus/go-collection.sgf@3"]
        {
            for more in [&[][..], &["--exact", "--swap-colors"], &["--where", "moves > 3"], &["--by-move", "2"]] {
                let asked = ["--position", position, "--columns", COLUMNS];
                let asked: Vec<&str> = asked.iter().chain(more).chain(inputs).copied().collect();
                let (searched, indexed) = (find(&place, false, &asked), find(&place, true, &asked));
                assert_eq!(indexed.text(), searched.text(), "{asked:?}: {}", indexed.err);
                assert_eq!(indexed.status, searched.status, "{asked:?}: {}", indexed.err);
                assert!(!indexed.err.contains("no game records"), "{asked:?}: {}", indexed.err);
            }
            let asked: Vec<&str> = ["--position", position, "--summary"].iter().chain(inputs).copied().collect();
            assert_eq!(find(&place, true, &asked).text(), find(&place, false, &asked).text(), "{asked:?}");
        }
    }
}

#[test]
fn changed_games_are_read_again() {
    let place = Place::new();
    let games = place.put("a.sgf", "(;GM[1];B[pd];W[dp])(;GM[1];B[cc])");
    let asked = ["--position", "pd", "--columns", "game", &games];
    assert_eq!(find(&place, true, &asked).done(), "game\n1\n");
    let first = std::fs::metadata(place.path("games.positions")).and_then(|file| file.modified()).expect("a file");
    let again = find(&place, true, &asked);
    assert_eq!((again.err.as_str(), again.text()), ("", "game\n1\n"));
    let second = std::fs::metadata(place.path("games.positions")).and_then(|file| file.modified()).expect("a file");
    assert_eq!(first, second);
    // Games come, and games of another file.
    place.put("a.sgf", "(;GM[1];B[cc])(;GM[1];B[pd];W[dp])(;GM[1];B[dd])(;GM[1];B[gg])");
    let changed = find(&place, true, &asked);
    assert!(changed.err.contains("games.positions: made anew: "), "{}", changed.err);
    assert_eq!(changed.text(), "game\n2\n3\n");
    let other = place.put("b.sgf", "(;GM[1];B[jj])");
    let changed = find(&place, true, &["--position", "jj", "--columns", "source", &other]);
    assert!(changed.err.contains("made anew"), "{}", changed.err);
    assert_eq!(changed.text(), format!("source\n{other}\n"));
}

#[test]
fn other_files_stay() {
    let place = Place::new();
    let games = place.put("a.sgf", "(;GM[1];B[pd];W[dp])");
    place.put("games.positions", "my diary, of some more bytes than the end of an index has");
    let err = find(&place, true, &["--position", "pd", &games]).refused();
    assert!(err.contains("games.positions: expected an index of positions, found another file"), "{err}");
    assert_eq!(place.read("games.positions"), "my diary, of some more bytes than the end of an index has");
    let err = run(&["find", "--position", "pd", "--index", &games, &games], b"").refused();
    assert!(err.contains("a.sgf"), "{err}");
    assert_eq!(place.read("a.sgf"), "(;GM[1];B[pd];W[dp])");
    let err = run(&["find", "--position", "pd", "--index", &place.text("new"), "-"], b"(;B[pd])").refused();
    assert!(err.contains("--index: expected files, found stdin"), "{err}");
    // What could not be read is said each time.
    let (index, none) = (place.text("new"), place.text("none.sgf"));
    for _ in 0..2 {
        let asked = ["find", "-f", "csv", "--position", "pd", "--index", &index, "--columns", "game", &games, &none];
        let found = run(&asked, b"");
        assert_eq!((found.status, found.text()), (2, "game\n1\n"), "{}", found.err);
    }
}
