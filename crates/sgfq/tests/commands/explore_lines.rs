//! Tests of `explore`, `find` and `openings` with `--variations`, and of the names of players.

use serde_json::{Value, json};

use super::explore::Server;
use super::{Place, run};

const GAMES: &str = "(;SZ[9]PB[Lee Sedol]PW[Ann]RE[B+R];B[cc];W[gc](;B[gg];W[cg])(;B[cg];W[gg]))
(;SZ[9]PB[Bob]PW[Yi Se-tol]RE[W+R];B[cc];W[gg])
(;SZ[9]PB[Bob]PW[Ann];B[cc];W[gc];B[cg];W[gg])
";

#[test]
fn an_index_has_all_lines() {
    let place = Place::new();
    let (file, index) = (place.put("x.sgf", GAMES), place.text("x.positions"));
    let find = |more: &[&str]| {
        run(
            &[
                &[
                    "find",
                    "--position",
                    "cc gc cg gg",
                    "--columns",
                    "game,found_node",
                ],
                more,
                &[&file],
            ]
            .concat(),
            b"",
        )
    };
    let with_index = |more: &[&str]| find(&[more, &["--index", &index]].concat());
    let (main_lines, all) = (find(&[]).done(), find(&["--variations"]).done());
    assert_eq!((main_lines.lines().count(), all.lines().count()), (2, 3));
    assert_eq!(with_index(&[]).done(), main_lines);
    // The index of main lines is not enough; the index of all lines serves both.
    let found = with_index(&["--variations"]);
    assert!(
        found
            .err
            .contains("rebuilt, because it had main lines only"),
        "{}",
        found.err
    );
    assert_eq!(found.out, all.as_bytes());
    for (more, expected) in [(&["--variations"][..], &all), (&[], &main_lines)] {
        let found = with_index(more);
        assert!(!found.err.contains("rebuilt"), "{}", found.err);
        assert_eq!(found.out, expected.as_bytes());
    }
    let server = Server::of(&["--index", &index, "--variations", &file]);
    let status = server.ask("status", &json!({}));
    assert_eq!(
        (&status["variations"], &status["variation_positions"]),
        (&json!(true), &json!(2))
    );
    assert!(
        status["bytes"].as_u64().is_some_and(|bytes| bytes > 4096),
        "{status}"
    );
    let games = |variations| {
        server.ask(
            "position",
            &json!({ "moves": "cc gc cg", "variations": variations }),
        )["games"]
            .clone()
    };
    assert_eq!((games(false), games(true)), (json!(1), json!(2)));
    let listed = server.ask(
        "games",
        &json!({ "moves": "cc gc cg gg", "variations": true, "sort": "pb" }),
    );
    let rows: Vec<_> = listed["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (&row["id"], &row["path"]))
        .collect();
    assert_eq!(
        rows,
        [(&json!(2), &json!("/4")), (&json!(0), &json!("1/1"))]
    );
    let command = listed["command"].as_str().expect("a command");
    assert!(command.contains("--variations"), "{command}");
    let main_lines = Server::of(&[&file]);
    assert_eq!(
        main_lines.ask("status", &json!({}))["variation_positions"],
        Value::Null
    );
    let refused = main_lines.ask("position", &json!({ "variations": true }))["error"].clone();
    assert!(
        refused
            .as_str()
            .is_some_and(|message| message.contains("--variations")),
        "{refused}"
    );
}

/// A game counts once for a position, regardless of the number of its lines with it.
#[test]
fn openings_of_all_lines() {
    let place = Place::new();
    let (file, index) = (place.put("x.sgf", GAMES), place.text("x.positions"));
    let openings = |more: &[&str]| {
        let out = run(
            &[&["openings", "-f", "jsonl"], more, &[&file]].concat(),
            b"",
        )
        .done();
        let rows = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        rows.map(|row| {
            (
                row["moves"].to_string(),
                row["count"].as_u64().expect("a count"),
            )
        })
        .collect::<Vec<_>>()
    };
    let (main_lines, all) = (openings(&[]), openings(&["--variations"]));
    let games = |rows: &[(String, u64)]| rows.iter().map(|(_, count)| count).sum::<u64>();
    assert_eq!((main_lines[0].1, all[0].1), (3, 3));
    assert!(games(&all) >= games(&main_lines), "{main_lines:?} {all:?}");
    for more in [
        &["--variations"][..],
        &[],
        &["--from", "cc gc", "--variations"],
        &["--from", "cc gc"],
    ] {
        assert_eq!(
            openings(&[more, &["--index", &index]].concat()),
            openings(more),
            "{more:?}"
        );
    }
}

/// A game counts once for an opening of a player, in the command as on the page.
#[test]
fn openings_of_a_player_in_all_lines() {
    let place = Place::new();
    let file = place.put("x.sgf", GAMES);
    let server = Server::of(&[&file]);
    for (more, variations, expected) in
        [(&[][..], false, [1, 1]), (&["--variations"], true, [2, 1])]
    {
        let asked = [
            "players",
            "--openings",
            "3",
            "--player",
            "Ann",
            "-f",
            "jsonl",
        ];
        let out = run(&[&asked, more, &[&*file]].concat(), b"").done();
        let rows = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        assert_eq!(
            rows.map(|row| row["games"].clone()).collect::<Vec<_>>(),
            expected,
            "{out}"
        );
        let shown = server.ask(
            "person",
            &json!({ "person": "Ann", "depth": 3, "variations": variations }),
        );
        let games = shown["openings"]
            .as_array()
            .expect("openings")
            .iter()
            .map(|row| &row["games"]);
        assert_eq!(games.collect::<Vec<_>>(), expected, "{shown}");
        let command = shown["command"].as_str().expect("a command");
        assert_eq!(command.contains("--variations"), variations, "{command}");
    }
}

#[test]
fn persons_have_several_names() {
    let place = Place::new();
    let (file, names) = (
        place.put("x.sgf", GAMES),
        place.put("names.tsv", "Lee Sedol\tYi Se-tol\t李世乭\n"),
    );
    let out = run(
        &[
            "players",
            "-f",
            "csv",
            "--aliases",
            &names,
            "--player",
            "李世乭",
            &file,
        ],
        b"",
    )
    .done();
    assert!(
        out.contains("\nLee Sedol,2,1,1,2,0,") && out.lines().count() == 2,
        "{out}"
    );
    let found = run(
        &[
            "get",
            "game",
            "--aliases",
            &names,
            "--where",
            "player = 'Lee Sedol' AND opponent <> 'x'",
            &file,
        ],
        b"",
    );
    assert_eq!(
        found.text().split_whitespace().collect::<Vec<_>>(),
        ["game", "1", "2"]
    );
    let chosen = run(
        &["filter", "player = 'Lee Sedol'", "--aliases", &names, &file],
        b"",
    )
    .done();
    assert_eq!(chosen.lines().count(), 2, "{chosen}");
    let wrong = place.put("wrong.tsv", "a\tb\nc\ta\n");
    let refused = run(&["players", "--aliases", &wrong, &file], b"");
    assert!(
        refused
            .err
            .contains("line 2: `a` is a name of another person, too")
            && refused.status == 2,
        "{}",
        refused.err
    );
    let server = Server::of(&["--aliases", &names, &file]);
    let rows = |asked: Value| server.ask("names", &asked)["rows"].clone();
    assert_eq!(
        rows(json!({ "prefix": "yi s" })),
        json!([{ "name": "Lee Sedol", "games": 2 }])
    );
    assert_eq!(
        rows(json!({ "prefix": "sed", "count": 5 }))[0]["name"],
        "Lee Sedol"
    );
    assert_eq!(
        rows(json!({ "count": 2 })).as_array().map(Vec::len),
        Some(2)
    );
    let games = server.ask(
        "games",
        &json!({ "all": true, "where": "player = '李世乭'" }),
    );
    assert_eq!(games["total"], 2, "{games}");
    let person = server.ask("person", &json!({ "person": "Yi Se-tol" }));
    assert!(
        person["openings"]
            .as_array()
            .is_some_and(|rows| !rows.is_empty()),
        "{person}"
    );
}
