//! Checks that moves and setup lead to each node of each game, and that the list of starts counts
//! each game once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use sgfstream::Options;
use sgfstream::record::Outline;
use sgfstream_explore::{Builder, Explorer, Index, MemoryStore, OneCore};
use sgfstream_game::{Facts, GameBoard, facts::NodePath};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::MoveList;

use super::against_find::{Games, games_in};
use super::questions::{ask, explorer};

fn archive(games: &Games) -> Explorer<MemoryStore, OneCore> {
    let mut builder = Builder::<_, MemoryStore>::new(MemoryStore::default());
    for (name, game) in games {
        builder
            .add(name, game.record(), false)
            .expect("memory takes all");
    }
    let index = Index::open(builder.finish("").expect("an index")).expect("an index");
    Explorer::new(index, Options::default(), Vec::new(), false, OneCore)
}

fn plain_hash(mut board: GameBoard) -> u64 {
    board.keep_plain_hash();
    board.hash().expect("it is kept").plain()
}

/// Checks `game` replies about some nodes of each game: their moves lead to the board of the node.
/// Returns the number of nodes, and of those whose moves contain setup, and of nodes without moves.
fn check_nodes(
    games: &Games,
    explorer: &Explorer<MemoryStore, OneCore>,
    step: usize,
) -> (usize, usize, usize) {
    let (mut count, mut with_setup, mut unspelled) = (0, 0, 0);
    for (id, (name, game)) in games.iter().enumerate() {
        let (outline, facts) = (Outline::of(game.record()), Facts::of(game.record(), 0));
        for node in (0..outline.len()).filter(|node| (id + node) % step == 0) {
            let Ok(mut replay) = facts.replay_boards() else {
                break;
            };
            for property in outline
                .path(node)
                .into_iter()
                .flat_map(|node| outline.properties(node))
            {
                replay.apply(&property);
            }
            let Some(board) = replay.into_board() else {
                break;
            };
            let path = NodePath::of(&outline, node).to_string();
            let reply = ask(explorer, "game", json!({ "id": id, "path": path }));
            let Some(text) = reply["moves"].as_str() else {
                unspelled += 1;
                continue;
            };
            let reached = MoveList::parse(text)
                .expect("steps")
                .position(board.dialect());
            assert_eq!(
                reached.map(plain_hash),
                Some(plain_hash(board)),
                "{name} {path}: {text}"
            );
            let asked = json!({ "moves": text, "board": reply["board"] });
            let position = ask(explorer, "position", asked);
            let words = text.split_whitespace().count();
            assert_eq!(
                (
                    position["line"].as_array().map(Vec::len),
                    &position["illegal"]
                ),
                (Some(words), &Value::Null)
            );
            (count, with_setup) = (count + 1, with_setup + usize::from(text.contains("A")));
        }
    }
    (count, with_setup, unspelled)
}

/// Checks that each declared handicap has the games of a filter, and that each listed setup is a
/// position of at least as many games. Returns the starts.
fn check_starts(games: &Games, explorer: &Explorer<MemoryStore, OneCore>) -> Vec<Value> {
    let starts = ask(explorer, "status", json!({}))["starts"]
        .as_array()
        .expect("starts")
        .clone();
    let mut by_handicap: BTreeMap<u64, u64> = BTreeMap::new();
    for start in &starts {
        *by_handicap
            .entry(start["handicap"].as_u64().expect("a number"))
            .or_default() += start["games"].as_u64().expect("a number");
        let Some(moves) = start["moves"].as_str() else {
            continue;
        };
        let handicap = match start["handicap"].as_u64() {
            Some(0) => "handicap IS NULL OR handicap < 2".to_owned(),
            handicap => format!("handicap = {}", handicap.expect("a number")),
        };
        let asked = json!({ "moves": moves, "board": start["board"], "where": handicap });
        let position = ask(explorer, "position", asked);
        let boards = position["boards"].as_array().expect("boards");
        let found = boards
            .iter()
            .find(|board| board[0] == start["board"])
            .and_then(|board| board[1].as_u64());
        // Games may reach the board later, too, as if Black plays the handicap stones.
        assert!(found >= start["games"].as_u64(), "{start}: {found:?}");
    }
    for (handicap, counted) in by_handicap
        .into_iter()
        .filter(|(handicap, _)| *handicap > 0)
    {
        let filter = Filter::parse(&format!("handicap = {handicap}")).expect("a condition");
        let mut row = filter.row(Default::default());
        let selected = games.iter().filter(|(_, game)| {
            let facts = Facts::of(game.record(), 0);
            filter.selects(game.record(), &mut row, false) && facts.replay_boards().is_ok()
        });
        assert_eq!(selected.count() as u64, counted, "{handicap}");
    }
    starts
}

#[test]
fn all_nodes_and_starts() {
    let games = games_in(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../corpus"));
    let explorer = archive(&games);
    let (count, with_setup, unspelled) = check_nodes(&games, &explorer, 1);
    println!("{count} nodes, {with_setup} with setup, {unspelled} without moves");
    assert!(
        count > 500 && with_setup > 50 && unspelled * 50 < count,
        "{count} {with_setup} {unspelled}"
    );
    assert!(check_starts(&games, &explorer).len() > 10);
}

/// Checks real archives in the directory `SGF_CORPUS`.
#[test]
fn real_archives() {
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    for (name, step) in [
        ("nongo", 61),
        ("tsumego", 911),
        ("go-commented", 211),
        ("go-pro", 20011),
    ] {
        let games = games_in(Path::new(&directory).join(format!("{name}.tar.zst")));
        let explorer = archive(&games);
        let (count, with_setup, unspelled) = check_nodes(&games, &explorer, step);
        println!("{name}: {count} nodes, {with_setup} with setup, {unspelled} without moves");
        assert!(unspelled * 50 <= count, "{name}: {unspelled} of {count}");
        let starts = check_starts(&games, &explorer);
        let two = starts
            .iter()
            .filter(|start| start["handicap"] == 2)
            .map(|start| start["games"].as_u64());
        println!(
            "{name}: {} starts, {} games of handicap 2",
            starts.len(),
            two.flatten().sum::<u64>()
        );
    }
}

/// The most frequent orientation of a setup represents it, and handicaps without stones have a row
/// of their own.
#[test]
fn starts_are_counted() {
    let games = explorer(
        "(;SZ[9]HA[2]AB[gc][cg];W[cc])(;SZ[9]HA[2]AB[cc][gg];W[gc])(;SZ[9]HA[2];AB[gg][cc];W[cg])(;SZ[9]HA[2];W[cc])\
        (;SZ[9];B[cc])(;SZ[9]AB[aa]AE[aa];B[cc])(;GM[2]AB[d3]AW[d4];B[d5])(;GM[999];B[x])",
    );
    let status = ask(&games, "status", json!({}));
    let starts: Vec<_> = status["starts"]
        .as_array()
        .expect("starts")
        .iter()
        .map(|start| {
            let text = |name: &str| start[name].as_str().unwrap_or("-").to_owned();
            format!(
                "{} {} {} {}",
                text("board"),
                start["handicap"],
                start["games"],
                text("moves")
            )
        })
        .collect();
    assert_eq!(
        starts,
        [
            "Go 9x9 0 2 ",
            "Go 9x9 2 3 AB[cc][gg]",
            "Go 9x9 2 1 ",
            "Othello 8x8 0 1 AB[d3] AW[d4] AE[e4][d5][e5]"
        ]
    );
    let position = ask(&games, "position", json!({ "moves": "AB[gc][cg]" }));
    assert_eq!(
        (&position["games"], &position["to_play"]),
        (&json!(3), &json!("W"))
    );
    assert_eq!(position["line"], json!(["AB[gc][cg]"]));
    let named = ask(&games, "position", json!({ "moves": "AB[G7][C3] PL[B]" }));
    assert_eq!(
        (&named["games"], &named["to_play"]),
        (&json!(3), &json!("B"))
    );
    let road = ask(
        &games,
        "road",
        json!({ "sgf": "(;SZ[9]AB[cc][gg];W[cg];B[gc])" }),
    );
    let steps = road["steps"].as_array().expect("steps");
    assert_eq!(
        (&steps[0]["setup"], &steps[0]["games"]),
        (&json!("AB[cc][gg]"), &json!(3))
    );
    assert_eq!(
        (&steps[1]["add"], &steps[1]["games"], &steps[2]["games"]),
        (&json!("W[cg]"), &json!(3), &json!(0))
    );
}
