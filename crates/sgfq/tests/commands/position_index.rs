//! Tests of `--index` of `find` and `explore`: results equal a search without it, and the index is
//! updated with the games.

use super::{Place, run};

const COLUMNS: &str = "source,member,game,found_move,symmetry,colors,next";

fn find(place: &Place, index: bool, more: &[&str]) -> super::Run {
    let index = if index {
        vec!["--index".to_owned(), place.text("games.positions")]
    } else {
        Vec::new()
    };
    let index = index.iter().map(String::as_str);
    let arguments: Vec<&str> = ["find", "-f", "csv"]
        .into_iter()
        .chain(index)
        .chain(more.iter().copied())
        .collect();
    run(&arguments, b"")
}

/// Archives in archives, selected games, and all inputs of the directory.
#[test]
fn answers_are_those_of_a_search() {
    for inputs in [
        &["../../corpus"][..],
        &[
            "../../corpus/packed/two.zip",
            "../../corpus/go-collection.sgf#2",
        ],
    ] {
        let place = Place::new();
        for position in [
            "",
            "pd",
            "pd dp",
            "pd dp aa bb cc",
            "Q16 D4",
            "c3",
            "a1",
            "../../corpus/go-collection.sgf@3",
        ] {
            for more in [
                &[][..],
                &["--exact", "--swap-colors"],
                &["--where", "moves > 3"],
                &["--by-move", "2"],
            ] {
                let asked = ["--position", position, "--columns", COLUMNS];
                let asked: Vec<&str> = asked.iter().chain(more).chain(inputs).copied().collect();
                let (searched, indexed) = (find(&place, false, &asked), find(&place, true, &asked));
                assert_eq!(
                    indexed.text(),
                    searched.text(),
                    "{asked:?}: {}",
                    indexed.err
                );
                assert_eq!(
                    indexed.status, searched.status,
                    "{asked:?}: {}",
                    indexed.err
                );
                assert!(
                    !indexed.err.contains("no game records"),
                    "{asked:?}: {}",
                    indexed.err
                );
            }
            let asked: Vec<&str> = ["--position", position, "--summary"]
                .iter()
                .chain(inputs)
                .copied()
                .collect();
            assert_eq!(
                find(&place, true, &asked).text(),
                find(&place, false, &asked).text(),
                "{asked:?}"
            );
        }
    }
}

/// With the index, `openings` prints the tree and the messages of a search.
fn compare_openings(place: &Place, more: &[&str], inputs: &[&str]) {
    let index = place.text("games.positions");
    let run_with = |index: &[&str]| {
        let arguments: Vec<&str> = ["openings"]
            .iter()
            .chain(index)
            .chain(more)
            .chain(inputs)
            .copied()
            .collect();
        run(&arguments, b"")
    };
    let (read, indexed) = (run_with(&[]), run_with(&["--index", &index]));
    assert_eq!(indexed.text(), read.text(), "{more:?}: {}", indexed.err);
    assert_eq!(
        indexed.status, read.status,
        "{more:?}: {} {}",
        indexed.err, read.err
    );
}

#[test]
fn openings_are_those_of_a_search() {
    for inputs in [
        &["../../corpus"][..],
        &[
            "../../corpus/packed/two.zip",
            "../../corpus/go-collection.sgf#2",
        ],
    ] {
        let place = Place::new();
        for from in [
            &[][..],
            &["--from", ""],
            &["--from", "pd"],
            &["--from", "Q16 D4"],
            &["--from", "pd aa bb cc"],
        ] {
            for more in [
                &[][..],
                &["--depth", "16", "-f", "csv"],
                &["--where", "source ILIKE '%go%'", "-f", "jsonl"],
            ] {
                compare_openings(&place, &[from, more].concat(), inputs);
            }
        }
    }
}

/// The same for real archives, if `SGF_CORPUS` names a directory of them, even with more positions
/// than the limit.
#[test]
fn openings_of_real_archives() {
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    let names: &[&str] = if cfg!(debug_assertions) {
        &["nongo"]
    } else {
        &["nongo", "joseki", "cjk", "go-pro"]
    };
    for name in names {
        let archive = std::path::Path::new(&directory)
            .join(format!("{name}.tar.zst"))
            .display()
            .to_string();
        let place = Place::new();
        for more in [
            &[][..],
            &["--depth", "8", "-f", "csv"],
            &["--from", "pd", "--depth", "12", "--top", "0"],
        ] {
            compare_openings(&place, more, &[&archive]);
        }
    }
}

#[test]
fn an_index_serves_all_commands() {
    let place = Place::new();
    let games = place.put("a.sgf", "(;GM[1];B[pd];W[dp])(;GM[1];B[cc])");
    let index = place.text("games.positions");
    let openings = || run(&["openings", "-f", "csv", "--index", &index, &games], b"");
    let first = openings();
    assert_eq!((first.err.as_str(), first.text().lines().count()), ("", 4));
    let asked = ["--position", "pd", "--columns", "game", &games];
    let found = find(&place, true, &asked);
    assert_eq!((found.err.as_str(), found.text()), ("", "game\n1\n"));
    place.put("a.sgf", "(;GM[1];B[pd];W[dp])");
    let changed = openings();
    assert!(
        changed
            .err
            .contains("games.positions: index rebuilt, because its files differ or have changed"),
        "{}",
        changed.err
    );
    assert_eq!(changed.text().lines().count(), 3);
}

#[test]
fn changed_games_are_read_again() {
    let place = Place::new();
    let games = place.put("a.sgf", "(;GM[1];B[pd];W[dp])(;GM[1];B[cc])");
    let asked = ["--position", "pd", "--columns", "game", &games];
    assert_eq!(find(&place, true, &asked).done(), "game\n1\n");
    let first = std::fs::metadata(place.path("games.positions"))
        .and_then(|file| file.modified())
        .expect("a file");
    let again = find(&place, true, &asked);
    assert_eq!((again.err.as_str(), again.text()), ("", "game\n1\n"));
    let second = std::fs::metadata(place.path("games.positions"))
        .and_then(|file| file.modified())
        .expect("a file");
    assert_eq!(first, second);
    // New games in a file, and games of another file.
    place.put(
        "a.sgf",
        "(;GM[1];B[cc])(;GM[1];B[pd];W[dp])(;GM[1];B[dd])(;GM[1];B[gg])",
    );
    let changed = find(&place, true, &asked);
    assert!(
        changed
            .err
            .contains("games.positions: index rebuilt, because "),
        "{}",
        changed.err
    );
    assert_eq!(changed.text(), "game\n2\n3\n");
    let other = place.put("b.sgf", "(;GM[1];B[jj])");
    let changed = find(
        &place,
        true,
        &["--position", "jj", "--columns", "source", &other],
    );
    assert!(changed.err.contains("rebuilt"), "{}", changed.err);
    assert_eq!(changed.text(), format!("source\n{other}\n"));
}

#[test]
fn other_files_stay() {
    let place = Place::new();
    let games = place.put("a.sgf", "(;GM[1];B[pd];W[dp])");
    place.put(
        "games.positions",
        "my diary, of some more bytes than the end of an index has, which are seventy-two",
    );
    let err = find(&place, true, &["--position", "pd", &games]).refused();
    assert!(
        err.contains("games.positions: not an index of positions: another file"),
        "{err}"
    );
    assert_eq!(
        place.read("games.positions"),
        "my diary, of some more bytes than the end of an index has, which are seventy-two"
    );
    let err = run(
        &["find", "--position", "pd", "--index", &games, &games],
        b"",
    )
    .refused();
    assert!(err.contains("a.sgf"), "{err}");
    assert_eq!(place.read("a.sgf"), "(;GM[1];B[pd];W[dp])");
    let err = run(
        &[
            "find",
            "--position",
            "pd",
            "--index",
            &place.text("new"),
            "-",
        ],
        b"(;B[pd])",
    )
    .refused();
    assert!(
        err.contains("--index cannot index stdin; name files"),
        "{err}"
    );
    // Each run reports the unreadable files.
    let (index, none) = (place.text("new"), place.text("none.sgf"));
    for _ in 0..2 {
        let asked = [
            "find",
            "-f",
            "csv",
            "--position",
            "pd",
            "--index",
            &index,
            "--columns",
            "game",
            &games,
            &none,
        ];
        let found = run(&asked, b"");
        assert_eq!(
            (found.status, found.text()),
            (2, "game\n1\n"),
            "{}",
            found.err
        );
    }
}
