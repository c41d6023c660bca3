//! Tests that the page of `explore` and `players` give the same games of a person.

use std::path::Path;

use serde_json::{Value, json};

use super::explore::Server;
use super::{Place, run};

/// Returns the rows that `players` prints with these arguments.
fn players(arguments: &[&str]) -> Vec<Value> {
    let out = run(
        &[&["players", "-q", "-f", "jsonl"], arguments].concat(),
        b"",
    )
    .text()
    .to_owned();
    out.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

fn fields(object: &Value, names: &[&str]) -> Vec<Value> {
    names.iter().map(|name| object[*name].clone()).collect()
}

const RECORD: [&str; 5] = ["games", "black", "white", "won", "lost"];

/// Compares the games of a person, and those against an opponent. Returns the number of the latter.
fn assert_same(server: &Server, input: &str, player: &str, against: &str) -> usize {
    let row = players(&["--player", player, input]).remove(0);
    let alone = server.ask("person", &json!({ "person": player }));
    assert_eq!(fields(&alone, &RECORD), fields(&row, &RECORD), "{player}");
    assert_eq!(alone["opponents_total"], row["opponents"], "{player}");
    let years = json!([row["first"], row["last"]]);
    assert_eq!(
        alone["years"],
        if row["first"].is_null() {
            Value::Null
        } else {
            years
        },
        "{player}"
    );

    let rows = players(&["--player", player, "--against", against, input]);
    let pair = server.ask("person", &json!({ "person": player, "against": against }));
    assert_eq!(
        fields(&pair, &RECORD),
        fields(&rows[0], &RECORD),
        "{player} {against}"
    );
    let (sums, list): (Vec<_>, Vec<_>) = rows.iter().partition(|row| row["reference"].is_null());
    let of_page: Vec<_> = pair["colors"].as_array().expect("colors").iter().collect();
    assert_eq!(of_page.len(), sums.len() - 1, "{pair}");
    for (part, row) in of_page.iter().zip(&sums[1..]) {
        assert_eq!(
            (&part["name"], fields(part, &RECORD)),
            (&row["color"], fields(row, &RECORD)),
            "{player} {against}"
        );
    }
    let quoted = |name: &str| format!("'{}'", name.replace('\'', "''"));
    let condition = format!(
        "player = {} AND opponent = {}",
        quoted(player),
        quoted(against)
    );
    let asked = json!({ "all": true, "where": condition, "sort": "dt", "count": 500 });
    let games = server.ask("games", &asked);
    assert_eq!(games["total"], list.len(), "{condition}");
    // The page has no nulls.
    let text = |cell: &Value| cell.as_str().unwrap_or_default().to_owned();
    let mut of_page: Vec<_> = games["rows"].as_array().expect("rows").iter().collect();
    let mut of_command = list.clone();
    of_page.sort_by_key(|row| text(&row["name"]));
    of_command.sort_by_key(|row| text(&row["reference"]));
    for (page, command) in of_page.iter().zip(of_command) {
        let expected = ["reference", "dt", "re", "ev"].map(|name| text(&command[name]));
        assert_eq!(
            ["name", "dt", "re", "ev"].map(|name| text(&page[name])),
            expected
        );
    }
    list.len()
}

/// Compares the players with the most games, each with the most frequent opponent.
fn assert_archive(input: &str, count: usize) {
    let server = Server::of(&[input]);
    let mut games = 0;
    for row in players(&["--top", &count.to_string(), input]) {
        let (name, most) = (
            row["player"].as_str().expect("a name"),
            row["most_frequent"].as_str().expect("names"),
        );
        let Some((against, _)) = most.split_once(" (") else {
            continue;
        };
        games += assert_same(&server, input, name, against);
    }
    assert!(games >= count, "{input}: {games} games");
}

/// Players of games that part in variations are on the page, with the games that the command
/// counts.
#[test]
fn players_of_variations_are_on_the_page() {
    let place = Place::new();
    let parted = [
        super::arrange::PARTED,
        b"(;PB[Ben]PW[Cyd]RE[W+R];B[aa](;W[bb]PB[Dan])(;W[cc]))",
    ]
    .concat();
    let input = place.put("a.sgf", &parted);
    let server = Server::of(&[&input]);
    let of_command = players(&[&input]);
    let of_page = server.ask("players", &json!({}));
    let of_page = of_page["rows"].as_array().expect("rows");
    assert_eq!(of_page.len(), of_command.len());
    for (page, command) in of_page.iter().zip(&of_command) {
        assert_eq!(
            (&page["name"], fields(page, &RECORD)),
            (&command["player"], fields(command, &RECORD))
        );
    }
    let names = server.ask("names", &json!({ "prefix": "c" }));
    assert_eq!(names["rows"], json!([{ "name": "Cyd", "games": 2 }]));
    let cyd = server.ask("person", &json!({ "person": "Cyd", "against": "Ada" }));
    assert_eq!(fields(&cyd, &RECORD), [1, 1, 0, 1, 0]);
}

#[test]
fn page_and_command_give_the_same_games() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    assert_archive(&corpus.to_string_lossy(), 3);
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    for archive in ["cjk.tar.zst", "go-commented.tar.zst"] {
        assert_archive(&Path::new(&directory).join(archive).to_string_lossy(), 10);
    }
}

/// Spellings are without ranks, an opening is a position up to symmetry whatever the order of its
/// moves, and games that begin with stones or have no board have none.
#[test]
fn a_person_has_spellings_years_and_openings() {
    let place = Place::new();
    let games = "(;SZ[9]PB[Ada 1d]PW[Ben]RE[B+R]DT[1990];B[cc];W[gg];B[gc];W[cg])
(;SZ[9]PB[Ada (2d)]PW[Cyd]RE[W+R]DT[1991];B[gc];W[cg];B[cc];W[gg])
(;SZ[9]PB[阿达三段]PW[Ben]RE[B+R]DT[1991];B[gc];W[cg];B[cc];W[gg])
(;SZ[9]PB[Ben]PW[Ada]AB[ee];W[cc];B[gg])
(;SZ[9]PB[Ben]PW[Ada]RE[W+1];B[ee];W[cc])
(;GM[999]PB[Ada]PW[Dee]RE[B+1];B[x];W[y])";
    let (file, names) = (
        place.put("x.sgf", games),
        place.put("names.tsv", "Ada\t阿达\n"),
    );
    let server = Server::of(&["--aliases", &names, &file]);
    let person = server.ask("person", &json!({ "person": "阿达 9p" }));
    let parts = |list: &str| -> Vec<(Value, Value, Value)> {
        let rows = person[list].as_array().expect("rows").iter();
        rows.map(|row| {
            (
                row["name"].clone(),
                row["games"].clone(),
                row["won"].clone(),
            )
        })
        .collect()
    };
    let part = |name: &str, games: u64, won: u64| (json!(name), json!(games), json!(won));
    assert_eq!(
        (&person["name"], &person["games"], &person["years"]),
        (&json!("Ada"), &json!(6), &json!([1990, 1991]))
    );
    assert_eq!(parts("colors"), [part("B", 4, 3), part("W", 2, 1)]);
    assert_eq!(parts("spellings"), [part("Ada", 5, 3), part("阿达", 1, 1)]);
    assert_eq!(parts("by_year"), [part("1990", 1, 1), part("1991", 2, 1)]);
    assert_eq!(
        parts("opponents"),
        [part("Ben", 4, 3), part("Cyd", 1, 0), part("Dee", 1, 1)]
    );
    let openings = person["openings"].as_array().expect("openings");
    let shown: Vec<_> = openings
        .iter()
        .map(|row| fields(row, &["color", "board", "games", "won"]))
        .collect();
    assert_eq!(
        json!(shown),
        json!([["B", "Go 9x9", 3, 2], ["W", "Go 9x9", 1, 1]])
    );
    assert!(
        openings[0]["svg"]
            .as_str()
            .is_some_and(|svg| svg.starts_with("<svg")),
        "{openings:?}"
    );
    assert!(
        person["command"]
            .as_str()
            .is_some_and(|command| command.contains("--openings 4 --player Ada"))
    );
    // The position of an opening has its games.
    let at = json!({ "moves": openings[0]["moves"], "board": "Go 9x9", "where": "player = 'Ada'" });
    assert_eq!(server.ask("games", &at)["total"], 3);

    let pair = server.ask(
        "person",
        &json!({ "person": "Ada", "against": "Ben", "where": "winner = 'B'", "depth": 1 }),
    );
    assert_eq!(
        fields(&pair, &["games", "won", "against"]),
        [json!(2), json!(2), json!("Ben")]
    );
    assert!(
        pair["command"]
            .as_str()
            .is_some_and(|command| command.contains("--player Ada --against Ben"))
    );
    for (color, games) in [("B", 4), ("W", 2)] {
        let condition = format!("player = 'Ada' AND player_color = '{color}'");
        assert_eq!(
            server.ask("games", &json!({ "all": true, "where": condition }))["total"],
            games
        );
    }
    let nobody = server.ask("person", &json!({ "person": "Nobody" }));
    assert_eq!(
        fields(&nobody, &["games", "openings"]),
        [json!(0), json!([])]
    );
    let refused = server.ask("person", &json!({}));
    assert_eq!(refused["error"], "the request names no person");
}
