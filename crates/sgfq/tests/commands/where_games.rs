//! Tests of `--where` in commands that read events, and of options with one name in all commands.

use super::{GAMES, Place, Run, packed, run, sgfq};

/// The second of three games is truncated; there is text in several charsets between them.
const BROKEN: &[u8] = b"mail \xe9\n(;GM[1]PB[Ada]SZ[19];B[pd]C[\xe9];W[zz])\n\
    (;GM[1]PB[Ben];B[dd](;W[pp];B[xx\n\
    (;GM[1]PB[Cyd]FF[4]CA[UTF-8];B[qq];W[zz])  (;GM[1]PB[Ada];B[aa];B[bb])\n";

fn chosen(condition: &str, input: &[u8]) -> Vec<u8> {
    run(&["filter", condition], input).out
}

/// The output for selected games equals the output for a file with only these games.
#[test]
fn a_choice_is_as_a_file_of_the_chosen_games() {
    for input in [GAMES.as_bytes(), BROKEN] {
        for condition in [
            "pb = 'Ada'",
            "pb <> 'Ada'",
            "moves > 1",
            "has('C') OR move(1) = 'qq'",
            "gm = 11",
            "TRUE",
        ] {
            let only = chosen(condition, input);
            for command in [
                &["count"][..],
                &["stats", "--top", "0", "-f", "json"],
                &["moves"],
                &["dedup"],
                &["cat", "--sgfs"],
            ] {
                let with = [command, &["--where", condition]].concat();
                let (found, expected) = (run(&with, input), run(command, &only));
                let text = |run: &Run| {
                    let out = String::from_utf8_lossy(&run.out).replace(")  (", ")\n(");
                    // The newline after a game, the bytes between games, and the problems there.
                    let is_left = |line: &&str| {
                        !line.starts_with("bytes\t")
                            && !line.contains("mail")
                            && !line.trim().is_empty()
                    };
                    out.lines()
                        .map(str::trim)
                        .filter(is_left)
                        .collect::<Vec<_>>()
                        .join("\n")
                };
                if command[0] == "stats" {
                    let value = |run: &Run| {
                        serde_json::from_slice::<serde_json::Value>(&run.out).expect("JSON")
                    };
                    let (mut found, mut expected) = (value(&found), value(&expected));
                    for name in ["bytes", "problems"] {
                        found[name].take();
                        expected[name].take();
                    }
                    assert_eq!(found, expected, "{condition}");
                } else {
                    assert_eq!(text(&found), text(&expected), "{command:?} {condition}");
                }
            }
        }
    }
}

/// Places refer to the whole file.
#[test]
fn chosen_games_keep_their_places() {
    for condition in ["pb = 'Ada'", "pb <> 'Ada'", "moves > 2", "pb = 'Cyd'"] {
        let numbers = run(&["get", "game", "-f", "csv", "--where", condition], BROKEN).done();
        let numbers: Vec<u64> = numbers
            .lines()
            .skip(1)
            .map(|line| line.parse().expect("a number"))
            .collect();
        for command in [
            &[
                "check",
                "-q",
                "--level",
                "note",
                "--legality",
                "-f",
                "jsonl",
            ][..],
            &["events"],
        ] {
            let all = run(command, BROKEN);
            let is_meant = |line: &&str| {
                let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let game = value["game"].as_u64().expect("a number");
                numbers.contains(&game)
                    && !matches!(
                        value["code"].as_str(),
                        Some(
                            "text-before-game"
                                | "text-after-game"
                                | "several-games"
                                | "different-versions"
                                | "different-charsets"
                        )
                    )
            };
            let lines = |run: &Run| {
                let out = String::from_utf8(run.out.clone()).expect("UTF-8");
                out.lines()
                    .filter(is_meant)
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            };
            let found = run(&[command, &["--where", condition]].concat(), BROKEN);
            assert_eq!(lines(&found), lines(&all), "{command:?} {condition}");
            assert!(!lines(&found).is_empty());
        }
        let tree = run(&["tree", "--where", condition], BROKEN).done();
        let shown: Vec<u64> = tree
            .split("game ")
            .skip(1)
            .map(|text| {
                text.split([' ', '\n'])
                    .next()
                    .unwrap_or_default()
                    .parse()
                    .expect("a number")
            })
            .collect();
        assert_eq!(shown, numbers, "{condition}");
    }
}

#[test]
fn an_edit_of_chosen_games_keeps_the_others() {
    let edited = sgfq(&[
        "rewrite",
        "--where",
        "pb = 'Ben'",
        "--set",
        "EV=x",
        "--main-line",
    ])
    .done();
    let expected = GAMES.replace(
        "PB[Ben]PW[Cyd]RE[W+3.5];B[dd](;W[pp])(;W[dp];B[qq])",
        "PB[Ben]PW[Cyd]RE[W+3.5]EV[x];B[dd];W[pp]",
    );
    assert_eq!(edited, expected);
    assert_eq!(
        sgfq(&["rewrite", "--where", "pb = 'Eve'", "--set", "EV=x"]).nothing(),
        GAMES
    );
    let place = Place::new();
    let file = place.put("a.sgf", GAMES);
    run(
        &[
            "rewrite",
            "--where",
            "pb = 'Ben'",
            "--set",
            "EV=x",
            "--main-line",
            "--in-place",
            &file,
        ],
        b"",
    )
    .done();
    assert_eq!(place.read("a.sgf"), expected);
    let fixed = run(
        &["fix", "-q", "--level", "warning", "--where", "pb = 'b'"],
        b" (;PB[a]SZ[019]KM[6,5]) (;PB[b]SZ[19]KM[6,5])\n",
    )
    .done();
    assert_eq!(fixed, " (;PB[a]SZ[019]KM[6,5]) (;PB[b]SZ[19]KM[6.5])\n");
}

#[test]
fn charset_of_chosen_games() {
    let all = sgfq(&["charset"]).done();
    let one = sgfq(&["charset", "--where", "gm = 11"]).done();
    let expected: Vec<&str> = all
        .lines()
        .filter(|line| line.starts_with("game") || line.contains("#3"))
        .collect();
    assert_eq!(one.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn one_of_many_games_by_number_and_condition() {
    let place = Place::new();
    let file = place.put("a.sgf", GAMES);
    let one = format!("{file}#2");
    assert_eq!(
        run(&["count", "--where", "pb = 'Ben'", &one], b"")
            .done()
            .lines()
            .nth(1),
        Some("games\t1")
    );
    assert_eq!(
        run(&["count", "--where", "pb = 'Ada'", &one], b"")
            .nothing()
            .lines()
            .nth(1),
        Some("games\t0")
    );
    let two = packed("two.zip");
    let two = two.to_string_lossy();
    let counts = |arguments: &[&str]| {
        let out = run(arguments, b"").done();
        out.lines()
            .filter(|line| !line.starts_with("bytes"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        counts(&["count", "--where", "TRUE", &two]),
        counts(&["count", &two])
    );
}

#[test]
fn the_expression_may_come_first() {
    let named = sgfq(&["filter", "--where", "winner = 'B'"]).done();
    assert_eq!(sgfq(&["filter", "winner = 'B'"]).done(), named);
    assert_eq!(sgfq(&["filter", "winner = 'B'", "-"]).done(), named);
    assert!(
        sgfq(&["filter"])
            .refused()
            .contains("the expression is missing; write it before the inputs")
    );
    let place = Place::new();
    let file = place.put("games.sgf", GAMES);
    assert!(
        run(&["filter", &file], b"")
            .refused()
            .contains("write the expression before the inputs")
    );
    assert!(
        run(&["get", &file], b"")
            .refused()
            .contains("write the columns before the inputs")
    );
}

#[test]
fn a_number_of_games_as_head_has_taken_it_since_1970() {
    assert_eq!(
        sgfq(&["head", "-2"]).done(),
        sgfq(&["head", "-n", "2"]).done()
    );
    assert_eq!(
        sgfq(&["head", "--where", "gm = 1", "-1"]).done(),
        sgfq(&["head", "--where", "gm = 1", "-n", "1"]).done()
    );
    assert_eq!(sgfq(&["head", "--where", "-1"]).status, 2);
}

/// Old names of options are still accepted.
#[test]
fn old_names_of_options_work() {
    for (old, new) in [
        (
            &["freq", "pb", "-n", "1"][..],
            &["freq", "pb", "--top", "1"][..],
        ),
        (&["moves", "-n", "1"], &["moves", "--moves", "1"]),
        (&["moves", "--limit", "1"], &["moves", "--moves", "1"]),
        (
            &["stats", "--depth", "2"],
            &["stats", "--opening-moves", "2"],
        ),
        (
            &["check", "-q", "--diag", "jsonl"],
            &["check", "-q", "-f", "jsonl"],
        ),
        (&["get", "--columns"], &["get", "--list"]),
        (&["head", "--games", "1"], &["head", "--number", "1"]),
        (
            &["dedup", "--keep", "first"],
            &["dedup", "--prefer", "first"],
        ),
        (&["openings", "--depth", "1"], &["openings", "--moves", "1"]),
        (
            &["find", "--sequence", "pd", "--gaps"],
            &["find", "--sequence", "pd", "--interleaved"],
        ),
        (
            &["rewrite", "--force", "--set", "KM=x"],
            &["rewrite", "--unchecked", "--set", "KM=x"],
        ),
    ] {
        let (old, new) = (sgfq(old), sgfq(new));
        assert_eq!(
            (old.status, old.out, old.err),
            (new.status, new.out, new.err)
        );
    }
}

#[test]
fn each_answer_can_go_to_a_file() {
    let place = Place::new();
    let file = place.text("out");
    for command in [
        &["count"][..],
        &["stats"],
        &["check", "-q"],
        &["tree"],
        &["events"],
        &["moves"],
        &["freq", "pb"],
    ] {
        let run = sgfq(&[command, &["-o", &file]].concat());
        assert_eq!(run.out, b"", "{command:?}");
        let printed = sgfq(command);
        assert_eq!(
            (run.status, place.read("out")),
            (
                printed.status,
                String::from_utf8(printed.out).expect("UTF-8")
            )
        );
    }
}

/// Rejected games are no problem: only an input without any game is. If no game was selected, the
/// exit status of every command reports it.
#[test]
fn games_that_are_left_out_make_no_finding() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).expect("disk space");
    place.put("in/ada.sgf", "(;FF[4]GM[1]SZ[19]PB[Ada];B[aa];W[bb])");
    place.put(
        "in/ben.sgf",
        "mail\n(;FF[4]GM[1]SZ[19]PB[Ben];B[aa](;W)(;W[zz])) (;GM[1]PB[Ben]",
    );
    let games = place.text("in");
    let (csv, parquet) = (place.text("o.csv"), place.text("o.parquet"));
    let commands = [
        &["check", "--diag", "jsonl"][..],
        &["check", "--summary"],
        &["stats", "-f", "json"],
        &["tree", "-f", "jsonl"],
        &["events"],
        &["board", "--move", "2"],
        &["count"],
        &["moves"],
        &["variations"],
        &["rewrite", "--strip", "C"],
        &["rewrite", "--utf8"],
        &["fix", "--quiet"],
        &["rewrite", "--main-line"],
        &["get", "pb"],
        &["index", "-o", &csv],
        &["index", "-o", &parquet],
    ];
    for command in commands {
        let answer = |condition: &str, input: &str| {
            run(&[command, &["--where", condition, input]].concat(), b"")
        };
        let some = answer("pb = 'Ada'", &games);
        assert_eq!(some.status, 0, "{command:?}: {}", some.err);
        let none = answer("pb = 'Eve'", &games);
        assert_eq!(none.status, 1, "{command:?}: {}", none.err);
        for answer in [some, none] {
            let is_named = answer.text().contains("no-game") || answer.err.contains("no-game");
            assert!(!is_named, "{command:?} {}", answer.text());
        }
    }
    let empty = place.put("empty.sgf", "mail only\n");
    assert!(
        run(&["check", "--where", "pb = 'Ada'", &empty], b"")
            .err
            .contains("no-game")
    );
    let stats = run(
        &["stats", "-f", "json", "--where", "pb = 'Ada'", &empty],
        b"",
    );
    assert!(stats.text().contains("no-game"), "{}", stats.text());
}

/// An empty file is an input without games: nothing can be selected from it or changed, and all of
/// it can be counted.
#[test]
fn a_file_without_games() {
    let place = Place::new();
    let empty = place.put("empty.sgf", "");
    for (all, status) in [
        (&["get", "pb"][..], 0),
        (&["freq", "pb"], 0),
        (&["moves"], 0),
        (&["charset"], 0),
        (&["cat"], 0),
        (&["cat", "--sgfs"], 0),
        (&["sort", "pb"], 0),
        (&["dedup"], 0),
        (&["merge"], 0),
        (&["variations"], 0),
        (&["openings"], 0),
        (&["count"], 0),
        (&["rewrite"], 1),
        (&["fix"], 1),
        (&["head"], 1),
        (&["cat", "--games", "-1"], 1),
        (&["cat", "--games", "1"], 1),
        (&["sample"], 1),
        (&["filter", "true"], 1),
        (&["find", "--position", "pd"], 1),
        (&["find", "--position", "pd", "--summary"], 1),
        (&["find", "--position", "pd", "--columns", "pb"], 1),
    ] {
        let run = run(&[all, &[&*empty]].concat(), b"");
        assert_eq!(run.status, status, "{all:?} {}", run.err);
        if status == 0 {
            let run = super::run(&[all, &["--where", "true", &*empty]].concat(), b"");
            assert_eq!(run.status, 1, "{all:?} {}", run.err);
        }
    }
}

/// Game information in the node after an empty root, as some programs write it.
#[test]
fn game_information_after_the_root_chooses_games() {
    let games =
        b"(;;FF[4]GM[1]PB[Ada]RE[B+R];B[aa];W[bb])(;GM[1]PB[Ben];B[cc])(;;PB[Cyd](;B[dd])(;B[ee]))";
    let rows = "pb,winner,moves\nAda,B,2\nBen,,1\nCyd,,1\n";
    assert_eq!(
        run(&["get", "pb,winner,moves", "-f", "csv"], games).done(),
        rows
    );
    assert_eq!(
        run(
            &["get", "pb", "-f", "csv", "--where", "winner = 'B'"],
            games
        )
        .done(),
        "pb\nAda\n"
    );
    assert_eq!(
        run(&["filter", "pb = 'Cyd'"], games).done(),
        "(;;PB[Cyd](;B[dd])(;B[ee]))\n"
    );
    assert_eq!(run(&["freq", "pb"], games).done().lines().count(), 3);
    let players = run(&["stats", "-f", "json"], games).done();
    assert!(
        ["Ada", "Ben", "Cyd"]
            .iter()
            .all(|name| players.contains(name)),
        "{players}"
    );
}
