//! Checks replies to the requests of the page: a position at a node, lists of games, findings, all
//! lines.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use sgfstream::record::{GameReader, Outline};
use sgfstream::{Options, SliceReader};
use sgfstream_explore::{
    AnswerError, ArchiveReader, Explorer, ExplorerResponse, MemoryStore, OneCore, StopFlag,
};
use sgfstream_game::{Facts, Game, facts::NodePath};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Continuation, LocateResult, Query};
use sgfstream_table::row::{ColumnSet, RowReader};

pub(super) type Games = Explorer<MemoryStore, OneCore>;

pub(super) fn explorer(games: &str) -> Games {
    let mut reader = ArchiveReader::new(Options::default()).with_variations();
    reader
        .read("games.sgf", games.as_bytes(), |_| {})
        .expect("memory takes all");
    reader
        .finish(vec!["games.sgf".to_owned()])
        .expect("an index")
}

pub(super) fn ask(games: &Games, name: &str, asked: Value) -> Value {
    match games.answer(name, asked.to_string().as_bytes(), &StopFlag::default()) {
        Ok(ExplorerResponse::Json(json)) => serde_json::from_slice(&json).expect("JSON"),
        other => panic!("{name} {asked}: {other:?}"),
    }
}

fn refusal(games: &Games, name: &str, asked: Value) -> String {
    match games.answer(name, asked.to_string().as_bytes(), &StopFlag::default()) {
        Err(AnswerError::Refused(message)) => message,
        other => panic!("{name} {asked}: {other:?}"),
    }
}

fn column<'v>(rows: &'v Value, name: &str) -> Vec<&'v Value> {
    rows["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| &row[name])
        .collect()
}

const GAMES: &str =
    "(;SZ[9]PB[Zoe]BR[2k]PW[Ann]KM[6.5]RE[B+10]DT[2001]EV[Cup];B[cc];W[gc](;B[cg];W[gg])(;B[gg]C[A Ladder!];W[cg]))
(;SZ[9]PB[bob]BR[1d]PW[Cid]KM[0.5]RE[W+2.5]DT[1999];B[cc];W[gc];B[gg];W[cg])
(;SZ[9]HA[2]AB[cc][gh]PW[Dan];W[gc];B[ab];W[aa];B[ba])
(;GM[999];B[x])";

/// A position at a node with a handicap, tried moves, captures and an illegal move.
#[test]
fn a_position_begins_at_a_node() {
    let games = explorer(GAMES);
    let at = |path: &str, moves: &str| json!({ "from": { "id": 2, "path": path }, "moves": moves });
    let node = ask(&games, "position", at("/1", ""));
    assert_eq!(
        (&node["to_play"], &node["last"], &node["games"]),
        (&json!("B"), &json!([6, 2]), &json!(1))
    );
    assert_eq!(
        (&node["numbers"], &node["replies"][0]["add"]),
        (&json!([[6, 2, 1]]), &json!("B[ab]"))
    );
    let tried = ask(&games, "position", at("/1", "B[ab];W[aa];B[ba]"));
    assert_eq!(
        (&tried["captures"], &tried["to_play"]),
        (&json!({ "B": 1, "W": 0 }), &json!("W"))
    );
    assert_eq!(
        (&tried["line"], &tried["illegal"]),
        (&json!(["B A8", "W A9", "B B9"]), &Value::Null)
    );
    assert_eq!((&tried["move"], &tried["games"]), (&json!(4), &json!(1)));
    // After an illegal move, the reply has the board before it.
    let illegal = ask(&games, "position", at("/1", "B[ab] W[ab]"));
    assert_eq!(
        (&illegal["illegal_at"], &illegal["line"], &illegal["last"]),
        (&json!(1), &json!(["B A8"]), &json!([0, 1]))
    );
    assert_eq!(illegal["illegal"], "W A8: the point is occupied");
    let start = ask(&games, "position", json!({ "moves": "cc cc" }));
    assert_eq!(
        (&start["illegal_at"], &start["games"], &start["line"]),
        (&json!(1), &json!(2), &json!(["B C7"]))
    );
    // A position in a variation, which two games have.
    let variation = json!({ "from": { "id": 0, "path": "1/1" }, "moves": "" });
    let asked = |variations| {
        let mut asked = variation.clone();
        asked["variations"] = json!(variations);
        ask(&games, "position", asked)["games"].clone()
    };
    assert_eq!((asked(false), asked(true)), (json!(1), json!(2)));
    assert_eq!(column(&ask(&games, "games", variation), "id"), [1]);
    for (from, message) in [
        (
            json!({ "id": 0, "path": "/90" }),
            "the game has no such node",
        ),
        (
            json!({ "id": 3, "path": "/0" }),
            "no board for (unregistered)",
        ),
        (json!({ "id": 9, "path": "/0" }), "no game at this place"),
    ] {
        let message_of = refusal(&games, "position", json!({ "from": from }));
        assert!(message_of.contains(message), "{message_of}");
    }
    let command = node["command"].as_str().expect("a command");
    assert!(
        command.starts_with("sgfq find --pattern '-----------/|.........|/"),
        "{command}"
    );
}

/// Labels and marks of a node are in the replies to both requests, and next moves bring none.
#[test]
fn replies_have_the_marks_of_the_record() {
    let games = explorer("(;SZ[9];B[cc];W[gc]LB[cg:b][gg:A]TR[ee]SQ[cc]TB[aa];B[cg])");
    let mark = |column: u16, row: u16, label: Option<&str>, mark: Option<&str>| json!({ "column": column, "row": row, "label": label, "mark": mark });
    let expected = json!([
        mark(2, 2, None, Some("square")),
        mark(4, 4, None, Some("triangle")),
        mark(2, 6, Some("b"), None),
        mark(6, 6, Some("A"), None),
    ]);
    let node = ask(&games, "game", json!({ "id": 0, "path": "/2" }));
    let at = |moves: &str| {
        ask(
            &games,
            "position",
            json!({ "from": { "id": 0, "path": "/2" }, "moves": moves }),
        )
    };
    assert_eq!((&node["marks"], &at("")["marks"]), (&expected, &expected));
    assert_eq!(
        (&at("B[aa]")["marks"], &at("")["replies"][0]["field"]),
        (&json!([]), &json!([2, 6]))
    );
}

/// A position knows whether only one game has it, and the mean of the archive.
#[test]
fn a_position_is_compared_with_the_archive() {
    let games = explorer(GAMES);
    let at = |path: &str| {
        ask(
            &games,
            "position",
            json!({ "from": { "id": 0, "path": path } }),
        )
    };
    assert_eq!(
        (&at("/2")["is_alone"], &at("/2")["games"]),
        (&json!(false), &json!(2))
    );
    assert_eq!(
        (&at("0/1")["is_alone"], &at("0/1")["games"]),
        (&json!(true), &json!(1))
    );
    let start = ask(&games, "position", json!({ "where": "pb = 'bob'" }));
    assert_eq!(
        (&start["is_alone"], &start["mean"]),
        (&json!(false), &json!(0.5))
    );
    assert_eq!(
        ask(&explorer("(;SZ[9];B[cc])"), "position", json!({}))["mean"],
        Value::Null
    );
}

/// At the start of a game whose rules let either player begin, the most frequent next move says who
/// does.
#[test]
fn the_most_frequent_next_move_says_whose_turn_it_is() {
    let turn = |games: &str, moves: &str| {
        ask(&explorer(games), "position", json!({ "moves": moves }))["to_play"].clone()
    };
    let hex = "(;GM[11]SZ[5];W[c3];B[a1])(;GM[11]SZ[5];W[c3];B[b1])(;GM[11]SZ[5];B[c3])";
    assert_eq!(
        (turn(hex, ""), turn(hex, "W[c3]")),
        (json!("W"), json!("B"))
    );
    assert_eq!(turn("(;GM[11]SZ[5];B[c3])", ""), "B");
    assert_eq!(turn("(;GM[1]SZ[9]PL[W];W[cc])(;GM[1]SZ[9];W[cc])", ""), "W");
}

/// Players are searched by parts of their names among all of them.
#[test]
fn players_are_searched_among_all() {
    let every: String = (0..320)
        .map(|at| format!("(;PB[Player {at}]PW[Ann Lee];B[aa])"))
        .collect();
    let games = explorer(&every);
    let found = |search: &str| ask(&games, "players", json!({ "search": search }));
    let all = found("");
    assert_eq!(
        (&all["total"], column(&all, "name").len()),
        (&json!(321), 300)
    );
    assert_eq!(column(&found("LEE an"), "name"), ["Ann Lee"]);
    assert_eq!(
        (column(&found("319"), "name"), &found("319")["total"]),
        (vec![&json!("Player 319")], &json!(1))
    );
    assert_eq!(found("nobody")["total"], 0);
}

#[test]
fn lists_are_sorted_and_searched() {
    let games = explorer(GAMES);
    let list = |asked: Value| {
        let mut all = json!({ "all": true });
        all.as_object_mut()
            .expect("an object")
            .extend(asked.as_object().expect("an object").clone());
        ask(&games, "games", all)
    };
    for (sort, up, down) in [
        ("pb", [1, 0, 2, 3], [0, 1, 2, 3]),
        ("br", [0, 1, 2, 3], [1, 0, 2, 3]),
        ("dt", [1, 0, 2, 3], [0, 1, 2, 3]),
        ("re", [0, 1, 2, 3], [1, 0, 2, 3]),
        ("km", [1, 0, 2, 3], [0, 1, 2, 3]),
    ] {
        for (descending, expected) in [(false, up), (true, down)] {
            let list = list(json!({ "sort": sort, "descending": descending }));
            assert_eq!(column(&list, "id"), expected, "{sort} {descending}");
        }
    }
    let found = list(json!({ "search": "LADDER zoe" }));
    assert_eq!(
        (column(&found, "id"), &found["total"]),
        (vec![&json!(0)], &json!(1))
    );
    assert_eq!(
        (&found["rows"][0]["path"], &found["rows"][0]["excerpt"]),
        (&json!("1/0"), &json!("A Ladder!"))
    );
    assert_eq!(column(&list(json!({ "search": "cid" })), "id"), [1]);
    assert_eq!(
        column(&list(json!({ "search": "games.sgf", "sort": "pb" })), "id"),
        [1, 0, 2, 3]
    );
    assert_eq!(column(&list(json!({ "search": "nobody" })), "id"), [0; 0]);
    // A game opened from a list has its neighbors in that list.
    let game = ask(
        &games,
        "game",
        json!({ "id": 0, "all": true, "sort": "pb" }),
    );
    assert_eq!(
        (&game["list"]["number"], &game["list"]["before"]["id"]),
        (&json!(2), &json!(1))
    );
    let refused = refusal(&games, "games", json!({ "sort": "colour" }));
    assert!(refused.contains("unknown column `colour`"), "{refused}");
}

/// Each code lists its games with their messages.
#[test]
fn findings_list_their_games() {
    let games =
        explorer("(;FF[4]SZ[9]KM[6,5];B[aa])(;FF[4]SZ[9];B[aa];W[zz])(;FF[4]SZ[9]KM[7,5];B[aa])");
    let rows = ask(&games, "findings", json!({}))["rows"].clone();
    for row in rows.as_array().expect("rows") {
        let list = ask(&games, "games", json!({ "all": true, "code": row["code"] }));
        assert_eq!(list["total"], row["games"], "{row}");
        assert!(list["rows"][0]["path"].is_string() && list["rows"][0]["excerpt"].is_string());
        let explain = &row["explain"];
        assert!(
            ["title", "text", "advice"]
                .iter()
                .all(|name| explain[name].as_str().is_some_and(|text| !text.is_empty()))
        );
    }
    let komi = ask(
        &games,
        "games",
        json!({ "all": true, "code": "malformed-game-info" }),
    );
    assert_eq!(column(&komi, "id"), [0, 2]);
    assert!(
        refusal(&games, "games", json!({ "code": "none" }))
            .contains("unknown code of a finding: `none`")
    );
}

/// A stopped search returns an error, and the next search works again.
#[test]
fn a_search_stops() {
    let games = explorer(GAMES);
    let stop = StopFlag::default();
    stop.stop();
    for name in ["position", "games", "players", "findings", "stats"] {
        let asked = br#"{ "pattern": "X..", "where": "moves > 1" }"#;
        assert!(
            matches!(games.answer(name, asked, &stop), Err(AnswerError::Stopped)),
            "{name}"
        );
        games
            .answer(name, asked, &StopFlag::default())
            .expect("an answer");
    }
}

/// At random nodes, the replies about main lines and about all lines equal a search through all
/// games.
#[test]
fn all_lines_are_searched() {
    let random = &mut fastrand::Rng::with_seed(7);
    let mut text = std::fs::read_to_string("../../corpus/go-collection.sgf").expect("a file");
    for _ in 0..300 {
        text += &game(random);
    }
    let games = explorer(&text);
    let game = |id| games.index().game(id).expect("memory").expect("a game");
    let bytes: Vec<Vec<u8>> = (0..games.index().len())
        .map(|id| game(id).record().as_bytes().to_vec())
        .collect();
    let (mut asked, mut more) = (0, 0);
    for _ in 0..120 {
        let id = random.usize(..bytes.len());
        let mut read = GameReader::new(SliceReader::new(&bytes[id]));
        let game = read
            .next_game()
            .expect("memory")
            .expect("a game")
            .expect("short");
        let (outline, facts) = (Outline::of(game), Facts::of(game, 0));
        let node = random.usize(..outline.len());
        let path = NodePath::of(&outline, node).to_string();
        let view =
            sgfstream_draw::TriedMoves::after_node(&outline, &facts, node, &[]).expect("a board");
        let counts = [false, true].map(|variations| {
            let question = json!({ "from": { "id": id, "path": path }, "variations": variations, "count": 500 });
            let found = ask(&games, "position", question.clone());
            let query = Query::position(view.diagram.position.clone()).variations(variations).all();
            let filter = Filter::finding(query.clone(), None).expect("no condition");
            let (mut hits, mut next) = (BTreeMap::new(), BTreeMap::<Option<String>, u64>::new());
            for (other, bytes) in bytes.iter().enumerate() {
                let mut filled = filter.row(ColumnSet::default());
                let mut rows = RowReader::new(SliceReader::new(bytes), &mut filled);
                if !(rows.next_root().expect("a slice") && rows.decide(&filter).expect("a slice") == Some(true)) {
                    continue;
                }
                let of_game = rows.finish_row().expect("a slice").expect("a short game").hits();
                hits.insert(other as u64, (of_game[0].ply, of_game[0].node.clone()));
                let mut seen: Vec<_> = of_game.iter().map(|hit| hit.continuation.clone()).collect();
                seen.sort_unstable();
                seen.dedup();
                for continuation in seen {
                    let name = match &continuation {
                        Continuation::Field(side, field) => {
                            Some(format!("{}{},{}", side.name_in(Game::Go), field.column, field.row))
                        }
                        _ => None,
                    };
                    *next.entry(name).or_default() += 1;
                }
            }
            let list = ask(&games, "games", question);
            let listed: BTreeMap<_, _> = list["rows"]
                .as_array()
                .expect("rows")
                .iter()
                .map(|row| {
                    let path = row["path"].as_str().expect("a path").to_owned();
                    (row["id"].as_u64().expect("a number"), (row["move"].as_u64().expect("a number"), path))
                })
                .collect();
            assert_eq!(listed, hits, "{id} {path} {variations}");
            let mut replies = BTreeMap::<Option<String>, u64>::new();
            for reply in found["replies"].as_array().into_iter().flatten() {
                let name = reply["field"]
                    .as_array()
                    .map(|field| format!("{}{},{}", reply["color"].as_str().expect("a color"), field[0], field[1]));
                *replies.entry(name).or_default() += reply["count"].as_u64().expect("a count");
            }
            assert_eq!((replies, found["games"].as_u64()), (next, Some(hits.len() as u64)), "{id} {path} {variations}");
            hits.len()
        });
        asked += counts[1];
        more += counts[1] - counts[0];
    }
    assert!(asked > 200 && more > 50, "{asked} {more}");
}

/// Returns a random game on a small board with variations.
fn game(random: &mut fastrand::Rng) -> String {
    let (mut text, mut depth) = (String::from("(;SZ[3]"), 1);
    for ply in 0..random.usize(4..16) {
        match random.u8(..6) {
            0 => (text, depth) = (text + "(", depth + 1),
            1 if depth > 1 => text += ")(",
            _ => {}
        }
        let point = |random: &mut fastrand::Rng| char::from(b'a' + random.u8(..3));
        text += &format!(
            ";{}[{}{}]",
            ["B", "W"][ply % 2],
            point(random),
            point(random)
        );
    }
    text + &")".repeat(depth) + "\n"
}

/// Some programs open a variation for each move. The index knows the boards of such a game, so no
/// search reads it in vain.
#[test]
fn a_variation_for_each_move_is_searched() {
    let points = (0..19)
        .flat_map(|row| (0..19).map(move |column| (column, row)))
        .take(300);
    let letter = |at: u8| char::from(b'a' + at);
    let moves = points.enumerate().map(|(at, (column, row))| {
        format!(
            "(;{}[{}{}]",
            if at % 2 == 0 { "B" } else { "W" },
            letter(column),
            letter(row)
        )
    });
    let games = explorer(&format!(
        "(;SZ[19]{}{}",
        moves.collect::<String>(),
        ")".repeat(301)
    ));
    let query = Query::position_after("B[jj]")
        .expect("a move")
        .variations(true);
    assert_eq!(games.index().candidates(&query).expect("memory"), [0; 0]);
    assert_eq!(
        ask(
            &games,
            "position",
            json!({ "moves": "B[aa] W[ba] B[ca]", "variations": true })
        )["games"],
        1
    );
    // Without a second line, the index locates the position.
    let query = Query::position_after("B[aa] W[ba] B[ca]")
        .expect("moves")
        .variations(true);
    let mut is_told = false;
    let each = |_, _, located| {
        is_told = matches!(located, LocateResult::Here(_));
        Ok(())
    };
    games
        .index()
        .locate([0], Some(&query), each)
        .expect("memory");
    assert!(is_told);
}

/// A game has its tree, the numbers of its moves, the right and wrong moves, and the place of a
/// pattern.
#[test]
fn a_game_is_shown() {
    let games = explorer("(;SZ[9]AB[aa];W[gc](;B[ab];W[ba])(;B[cc]C[RIGHT]))");
    let game = ask(
        &games,
        "game",
        json!({ "id": 0, "move": 1, "pattern": "--/?O|/..|"}),
    );
    let judged = json!([
        { "path": "0/0", "move": "B A8", "judged": "wrong" },
        { "path": "1/0", "move": "B C7", "judged": "right" },
    ]);
    assert_eq!(
        (&game["judged"], &game["to_play"], &game["tree"]["is_cut"]),
        (&judged, &json!("B"), &json!(false))
    );
    assert_eq!(game["tree"]["nodes"].as_array().expect("nodes").len(), 5);
    let numbers: Vec<_> = game["line"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| node["number"].clone())
        .collect();
    assert_eq!(numbers, [Value::Null, json!(1), json!(2), json!(3)]);
    assert_eq!(
        (&game["last"], &game["numbers"], &game["hit"]),
        (&json!([6, 2]), &json!([[6, 2, 1]]), &Value::Null)
    );
    let game = ask(
        &games,
        "game",
        json!({ "id": 0, "move": 1, "pattern": "--/|X./|../" }),
    );
    let hit = json!({ "column": 0, "row": 0, "width": 2, "height": 2, "transform": "identity", "exchanged": false });
    assert!(
        game["hit"] == hit || game["hit"].is_null(),
        "{}",
        game["hit"]
    );
    let game = ask(
        &games,
        "game",
        json!({ "id": 0, "move": 0, "pattern": "--/|X./|../" }),
    );
    assert_eq!(game["hit"], hit);
    // The pattern is at the upper right, so the picture is rotated to put that corner of the game
    // there.
    let asked = |rotation: Value| {
        ask(
            &games,
            "game",
            json!({ "id": 0, "move": 0, "pattern": "--/.X|/?.|", "rotation": rotation }),
        )
    };
    let place = |game: &Value| {
        let all = game["points"]["all"].as_array().expect("points").iter();
        let mut places = all.map(|point| {
            (
                point[2].as_f64().expect("x"),
                point[3].as_f64().expect("y"),
                &point[0],
            )
        });
        places
            .find(|place| place.2 == "aa")
            .map(|place| (place.0 > 200.0, place.1 < 200.0))
            .expect("a corner")
    };
    let (file, shape) = (asked(Value::Null), asked(json!("hit")));
    assert_eq!(
        (place(&file), &file["rotation"]),
        ((false, true), &Value::Null)
    );
    assert_eq!(
        (place(&shape), &shape["rotation"]),
        ((true, true), &shape["hit"]["transform"])
    );
    let named = ask(
        &games,
        "game",
        json!({ "id": 0, "path": "0/0", "rotation": shape["rotation"] }),
    );
    assert_eq!(
        (place(&named), &named["rotation"]),
        ((true, true), &shape["rotation"])
    );
    let tried = json!({ "from": { "id": 0, "path": "/1" }, "moves": "B[cc]", "rotation": shape["rotation"] });
    assert_eq!(place(&ask(&games, "position", tried)), (true, true));
    let broad = refusal(&games, "position", json!({ "pattern": "..?/..." }));
    assert!(broad.contains("too broad"), "{broad}");
    ask(&games, "position", json!({ "pattern": "---/...|/...|" }));
}

/// The road of a game counts the other games with each position, also rotated, until no other game
/// has one.
#[test]
fn a_road_ends_where_no_other_game_follows() {
    let games = explorer(GAMES);
    let counts = |asked: Value| {
        let road = ask(&games, "road", asked);
        road["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .map(|step| step["games"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(counts(json!({ "id": 1 })), [1, 1, 1, 0, 0]);
    assert_eq!(
        counts(json!({ "sgf": "(;SZ[9];B[gg];W[cg];B[aa];W[bb])" })),
        [2, 2, 2, 0, 0]
    );
    assert_eq!(
        counts(json!({ "sgf": "(;SZ[9];B[gg];W[cg])", "exact": true })),
        [2, 0, 0]
    );
    assert_eq!(
        ask(&games, "road", json!({ "id": 2 }))["steps"][0]["setup"],
        "AB[cc][gh]"
    );
    let at = |exact: bool| ask(&games, "position", json!({ "moves": "gg", "exact": exact }));
    assert_eq!(
        (&at(false)["games"], &at(true)["games"]),
        (&json!(2), &json!(0))
    );
    assert!(
        at(true)["command"]
            .as_str()
            .is_some_and(|command| command.contains(" --exact "))
    );
    assert_eq!(
        refusal(&games, "road", json!({ "sgf": "no game" })),
        "the text has no game in SGF"
    );
}

/// Lines of the user are one game: lines with the same first moves share them.
#[test]
fn lines_are_one_game() {
    let games = explorer(GAMES);
    let lines = json!([
        { "moves": "B[gg] W[cg]", "comment": "a [b]\\", "marked": true },
        { "moves": "G3 C7", "comment": " " },
        { "moves": "B[gg]", "comment": "Both" },
    ]);
    let asked = |board: &str| {
        json!({ "board": board, "moves": "AB[aa] PL[B]", "lines": lines }).to_string()
    };
    let Ok(ExplorerResponse::File(_, text)) =
        games.answer("lines", asked("Go 9x9").as_bytes(), &StopFlag::default())
    else {
        panic!("expected a file");
    };
    let text = String::from_utf8(text).expect("UTF-8");
    let moves = text.split_once("SZ[9]").expect("a size").1;
    assert_eq!(
        moves,
        "AB[aa]PL[B];B[gg]C[Both]\n(;W[cg]C[a [b\\]\\\\]HO[1])\n(;W[cc]))\n"
    );
    assert_eq!(
        refusal(&games, "lines", json!({ "board": "Go 7x7" })),
        "the archive has no such board"
    );
    let wrong = json!({ "board": "Go 9x9", "lines": [{ "moves": "T19" }] });
    assert_eq!(
        refusal(&games, "lines", wrong),
        "the moves do not belong to this board"
    );
}
