//! Tests of `split`.

use std::collections::BTreeSet;

#[cfg(unix)]
use super::timed;
use super::{Place, games, run, sgfq};

#[test]
fn a_file_a_game() {
    let place = Place::new();
    let directory = place.text("out");
    assert_eq!(sgfq(&["split", "-d", &directory]).done(), "4 files\n");
    let text = std::fs::read_to_string(place.path("out/000003.sgf")).expect("the third");
    assert_eq!(text, "(;GM[11]PB[Cyd];B[c1];W[swap-pieces])\n");
}

#[test]
fn nothing_is_replaced_unless_asked() {
    let place = Place::new();
    let directory = place.text(".");
    place.put("000002.sgf", "mine");
    let err = sgfq(&["split", "-d", &directory]).refused();
    assert!(
        err.contains("000002.sgf") && err.contains("--force"),
        "{err}"
    );
    assert_eq!(place.read("000002.sgf"), "mine");
    assert!(
        place.names().iter().all(|name| name.ends_with(".sgf")),
        "{:?}",
        place.names()
    );
    sgfq(&["split", "-d", &directory, "--force"]).done();
    assert!(place.read("000002.sgf").contains("PB[Ben]"));
}

#[test]
fn by_name_and_number() {
    let place = Place::new();
    let directory = place.text(".");
    assert_eq!(
        sgfq(&["split", "-d", &directory, "--name", "{variant}"]).done(),
        "2 files\n"
    );
    assert_eq!(place.names(), ["Go.sgf", "Hex.sgf"]);
    assert_eq!(
        (games(&place.path("Go.sgf")), games(&place.path("Hex.sgf"))),
        (3, 1)
    );
    let place = Place::new();
    let directory = place.text(".");
    assert_eq!(
        sgfq(&["split", "-d", &directory, "-n", "3"]).done(),
        "2 files\n"
    );
    assert_eq!(
        (
            games(&place.path("000001.sgf")),
            games(&place.path("000002.sgf"))
        ),
        (3, 1)
    );
}

#[test]
fn names_are_safe_and_many_files_are_no_trouble() {
    let place = Place::new();
    let directory = place.text(".");
    let mut input: String = (0..200)
        .map(|number| format!("(;PB[player {number}])"))
        .collect();
    input += "(;PB[../../evil])(;PB[player 7])(;PB[PLAYER 7])(;)(;PB[none])";
    assert_eq!(
        run(
            &["split", "-d", &directory, "--name", "{pb}"],
            input.as_bytes()
        )
        .done(),
        "203 files\n"
    );
    let names = place.names();
    assert!(names.contains(&"_.._.._evil.sgf".to_owned()), "{names:?}");
    assert_eq!(games(&place.path("player 7.sgf")), 2);
    assert_eq!(games(&place.path("PLAYER 7-2.sgf")), 1);
    assert_eq!(games(&place.path("none.sgf")), 2);
    assert_eq!(names.len(), 203);
}

#[test]
fn different_values_get_different_files() {
    let values = [
        "a/b",
        "a_b",
        "a:b",
        "",
        "   ",
        "...",
        "none",
        "None",
        "a",
        "a.",
        "A",
        "-rf",
        "_-rf",
        "COM\u{b9}",
        "_COM\u{b9}",
        "con",
        "x y",
        "x_y",
        "\u{e9}",
    ];
    let mut input: String = values
        .iter()
        .map(|value| format!("(;PB[{value}])"))
        .collect();
    input += "(;)";
    let place = Place::new();
    let run = run(
        &["split", "--name", "{prop('PB')}", "-d", &place.text(".")],
        input.repeat(2).as_bytes(),
    );
    assert_eq!(
        (run.status, &*run.out),
        (0, format!("{} files\n", values.len()).as_bytes()),
        "{}",
        run.err
    );
    let names = place.names();
    let files: BTreeSet<_> = names.iter().map(|name| place.read(name)).collect();
    let expected = values.iter().map(|value| match *value {
        // A missing value is `none`.
        "none" => "(;PB[none])\n(;)\n".repeat(2),
        value => format!("(;PB[{value}])\n").repeat(2),
    });
    assert_eq!(files, expected.collect());
    let folded: BTreeSet<_> = names.iter().map(|name| name.to_lowercase()).collect();
    assert_eq!(folded.len(), names.len(), "{names:?}");
    assert!(
        names
            .iter()
            .all(|name| !name.starts_with('-') && !name.starts_with("COM")),
        "{names:?}"
    );
}

/// Names by a pattern: games with one name share a file, and names that differ only in case get
/// numbers.
#[test]
fn named_by_a_pattern() {
    let place = Place::new();
    let input = "(;PB[Ada]PW[Ben]DT[1990-01-02])(;PB[ada]PW[ben]DT[1990-01-02])(;PB[a/b]PW[../..])(;PB[con])(;PB[x:?*\n])\
        (;PB[Ada]PW[Ben]DT[1990-01-02];B[aa])";
    let pattern = "{{{pb || '}'}}}-{pw}/{year(date_min)}.";
    assert_eq!(
        run(
            &["split", "--name", pattern, "-d", &place.text(".")],
            input.as_bytes()
        )
        .done(),
        "5 files\n"
    );
    let directories = [
        "{Ada}}-Ben",
        "{a_b}}-.._",
        "{ada}}-ben",
        "{con}}-none",
        "{x___}}-none",
    ];
    assert_eq!(place.names(), directories);
    let both = "(;PB[Ada]PW[Ben]DT[1990-01-02])\n(;PB[Ada]PW[Ben]DT[1990-01-02];B[aa])\n";
    assert_eq!(place.read("{Ada}}-Ben/1990.sgf"), both);
    assert_eq!(
        place.read("{ada}}-ben/1990-2.sgf"),
        "(;PB[ada]PW[ben]DT[1990-01-02])\n"
    );
    for (pattern, said) in [
        (
            "x",
            "--name: `x` names no column; write one in braces, such as `{pb}`",
        ),
        ("{pb", "--name: `{pb` has no `}`"),
        ("pb}", "--name: `}` without `{` in `pb}`"),
        (
            "{pb, pw}",
            "--name: `{pb, pw}`: expected one column, found 2",
        ),
    ] {
        let err = sgfq(&["split", "--name", pattern, "-d", &place.text(".")]).refused();
        assert!(err.contains(said), "{err}");
    }
}

/// Games with arbitrary names are complete in the files named after them, and no file is outside
/// the directory.
#[test]
fn no_game_is_lost_under_its_name() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).expect("disk space");
    let parts = [
        "", ".", "..", "/", "\\\\", "con", "\u{202e}", "é", "-2", " ", "\0", "nul.x", "x",
    ];
    let names = parts
        .iter()
        .flat_map(|one| parts.iter().map(move |other| format!("{one}{other}")));
    let names: BTreeSet<String> = names.chain(["y".repeat(4000)]).collect();
    let games: Vec<String> = names.iter().map(|name| format!("(;PB[{name}])")).collect();
    let said = run(
        &["split", "--name", "{prop('PB')}", "-d", &place.text("in")],
        games.concat().as_bytes(),
    );
    // NUL is a space in a text.
    let texts: BTreeSet<String> = names.iter().map(|name| name.replace('\0', " ")).collect();
    assert_eq!(said.done(), format!("{} files\n", texts.len()));
    assert_eq!(place.names(), ["in"]);
    let mut found: Vec<String> = (std::fs::read_dir(place.path("in")).expect("a directory"))
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .inspect(|name| {
            assert!(
                name.len() < 255 && !name.starts_with(['.', '-', ' ']),
                "{name}"
            )
        })
        .flat_map(|name| {
            let games: Vec<String> = place
                .read(&format!("in/{name}"))
                .lines()
                .map(str::to_owned)
                .collect();
            assert!(
                games
                    .iter()
                    .all(|game| game.replace('\0', " ") == games[0].replace('\0', " ")),
                "{games:?}"
            );
            games
        })
        .collect();
    let mut games = games;
    games.sort();
    found.sort();
    assert_eq!(found, games);
}

/// Ten times the names take ten times as long, not a hundred times.
#[cfg(unix)]
#[test]
#[cfg_attr(debug_assertions, ignore = "measured in release builds, by `.ci/full`")]
fn many_names_in_turns() {
    let place = Place::new();
    let names: String = (0..20_000).map(|name| format!("(;PB[{name}])")).collect();
    let file = place.put("in.sgf", names.repeat(2));
    let (said, large) = timed(
        &place,
        &["split", "--name", "{pb}", "-d", &place.text("out"), &file],
    );
    assert_eq!(said, "20000 files\n");
    let few: String = (0..2_000).map(|name| format!("(;PB[{name}])")).collect();
    let file = place.put("few.sgf", few.repeat(2));
    let (said, small) = timed(
        &place,
        &["split", "--name", "{pb}", "-d", &place.text("few"), &file],
    );
    assert_eq!(said, "2000 files\n");
    assert!(
        large < 40 * small,
        "20,000 names {large:?}, 2,000 names {small:?}"
    );
    assert_eq!(place.read("out/19999.sgf"), "(;PB[19999])\n(;PB[19999])\n");
}

#[test]
fn no_input_is_replaced() {
    let place = Place::new();
    let directory = place.text(".");
    let numbered = place.put("000001.sgf", super::GAMES);
    let by_value = place.put("Go.sgf", super::GAMES);
    fn split<'a>(directory: &'a str, way: &[&'a str], input: &'a str) -> super::Run {
        run(
            &[&["split", "--force", "-d", directory], way, &[input]].concat(),
            b"",
        )
    }
    let ways = [
        &[][..],
        &["-n", "9"],
        &["--name", "{variant}"],
        &["--name", "{pb}"],
    ];
    for (way, input) in ways
        .into_iter()
        .zip([&*numbered, &numbered, &by_value, &by_value])
    {
        let err = split(&directory, way, input).refused();
        assert!(err.contains("output would overwrite input"), "{err}");
        assert_eq!(
            std::fs::read(input).expect("a file"),
            super::GAMES.as_bytes()
        );
        assert_eq!(place.names(), ["000001.sgf", "Go.sgf"]);
    }
    // The names of numbered files are known beforehand, and this input is none of them.
    assert_eq!(split(&directory, &[], &by_value).done(), "4 files\n");
}

/// The directory of the outputs may be inside an input, because outputs are not read again.
#[test]
fn outputs_are_no_inputs_of_their_run() {
    let place = Place::new();
    place.put("a.sgf", super::GAMES);
    std::fs::create_dir(place.path("parts")).expect("disk space");
    let (root, parts) = (place.text("."), place.text("parts"));
    assert_eq!(
        run(&["split", "-d", &parts, &root], b"").done(),
        "4 files\n"
    );
    assert_eq!(
        std::fs::read_dir(place.path("parts"))
            .expect("a directory")
            .count(),
        4
    );
    std::fs::remove_dir_all(place.path("parts")).expect("a directory");
    assert_eq!(
        run(&["split", "--name", "{pb}/{pw}", "-d", &parts, &root], b"").done(),
        "4 files\n"
    );
}
