//! Checks the evaluations and clocks in the line of a game: which move cost what, whom, and how
//! long it took.

use serde_json::{Value, json};

use sgfstream::Options;
use sgfstream_explore::{ArchiveReader, ExplorerResponse, StopFlag};

/// Returns the reply about a node of a game.
fn node(game: &str, path: &str) -> Value {
    let mut reader = ArchiveReader::new(Options::default());
    reader
        .read("game.sgf", game.as_bytes(), |_| {})
        .expect("memory takes all");
    let explorer = reader
        .finish(vec!["game.sgf".to_owned()])
        .expect("an index");
    match explorer.answer(
        "game",
        json!({ "id": 0, "path": path }).to_string().as_bytes(),
        &StopFlag::default(),
    ) {
        Ok(ExplorerResponse::Json(json)) => serde_json::from_slice(&json).expect("JSON"),
        other => panic!("{game}: {other:?}"),
    }
}

/// Returns a field of the evaluation or of the clock of each node.
fn column(game: &str, part: &str, field: &str) -> Vec<Value> {
    let line = node(game, "/0")["line"].clone();
    line.as_array()
        .expect("nodes")
        .iter()
        .map(|node| node[part][field].clone())
        .collect()
}

fn costs(game: &str) -> Vec<Value> {
    column(game, "evaluation", "cost")
}

/// A move costs its player. What a move gains is negative.
#[test]
fn a_move_costs_its_player() {
    let game = "(;SZ[9]SBKV[50];B[ee]SBKV[40];W[ce]SBKV[70];B[aa]SBKV[75];W[gc]SBKV[60])";
    assert_eq!(
        costs(game),
        [
            json!(null),
            json!(0.1),
            json!(0.3),
            json!(-0.05),
            json!(-0.15)
        ]
    );
    // Two moves of a player in a row both count for that player.
    assert_eq!(
        costs("(;SZ[9]SBKV[50];W[ee]SBKV[60];W[ce]SBKV[55])")[1..],
        [json!(0.1), json!(-0.05)]
    );
    let game =
        "(;SZ[9];B[ee]C[Score: B+1.5\nWin rate: B 55%];W[ce]C[Score: B+4.0\nWin rate: B 60%])";
    assert_eq!(
        column(game, "evaluation", "score_cost"),
        [json!(null), json!(null), json!(2.5)]
    );
}

/// A missing evaluation is a gap: neither the move nor the one after it has a cost.
#[test]
fn a_gap_has_no_cost() {
    let game =
        "(;SZ[9];B[ee]SBKV[50];W[ce];B[aa]SBKV[20];W[gc]SBKV[25];B[cg]LZ[]SBKV[x];W[cc]SBKV[90])";
    let nothing = json!(null);
    let expected = [
        &nothing,
        &nothing,
        &nothing,
        &nothing,
        &json!(0.05),
        &nothing,
        &nothing,
    ];
    assert_eq!(costs(game).iter().collect::<Vec<_>>(), expected);
    let winrates = column(game, "evaluation", "winrate");
    assert_eq!(
        winrates,
        [
            json!(null),
            json!(0.5),
            json!(null),
            json!(0.2),
            json!(0.25),
            json!(null),
            json!(0.9)
        ]
    );
    // A node with two moves does not say which of them cost something.
    assert_eq!(
        costs("(;SZ[9]SBKV[50];B[ee]W[ce]SBKV[40];B[aa]SBKV[30])"),
        [json!(null), json!(null), json!(0.1)]
    );
}

/// Evaluations of two engines are not compared, because they differ without a mistake.
#[test]
fn an_engine_is_compared_with_itself() {
    let game = |engines: [&str; 3]| {
        let [one, two, three] = engines;
        format!("(;SZ[9]LZOP[{one} 50.0 1k];B[ee]LZ[{two} 45.0 1k];W[ce]LZ[{three} 40.0 1k])")
    };
    // The winrate is of the side that moved: White's in the root, Black's after Black's move.
    assert_eq!(
        costs(&game(["Kata Go", "Kata Go", "Kata Go"])),
        [json!(null), json!(0.05), json!(0.15)]
    );
    assert_eq!(
        costs(&game(["Kata Go", "Zen7", "Kata Go"])),
        [json!(null), json!(null), json!(null)]
    );
    assert_eq!(
        costs(&game(["Zen7", "Kata Go", "Kata Go"])),
        [json!(null), json!(null), json!(0.15)]
    );
}

/// KataGo's self-play writes into a node what it thought before the move.
#[test]
fn self_play_evaluates_before_the_move() {
    let game = |white: &str| {
        format!(
            "(;SZ[9]PB[b]PW[{white}];B[ee]C[0.40 0.60 0.00 -2.0 v=9];W[ce]C[0.70 0.30 0.00 5.0 v=9];B[aa]C[0.65 0.35 0.00 4.0 v=9])"
        )
    };
    // Black's first move cost 0.3, and White's answer 0.05. What the last move cost is unknown.
    assert_eq!(
        costs(&game("b")),
        [json!(null), json!(0.3), json!(0.05), json!(null)]
    );
    assert_eq!(
        column(&game("b"), "evaluation", "score_cost"),
        [json!(null), json!(7.0), json!(1.0), json!(null)]
    );
    assert_eq!(
        column(&game("b"), "evaluation", "winrate")[1..],
        [json!(0.6), json!(0.3), json!(0.35)]
    );
    assert!(costs(&game("w")).iter().all(Value::is_null));
}

/// The time for a move is a difference of two clocks of its player, in main time without added
/// seconds.
#[test]
fn clocks_state_the_time_for_a_move() {
    let moves = ";B[ee]BL[95];W[ce]WL[60.5];B[aa]BL[80];W[gc]WL[30]OW[5];B[cg];W[cc]WL[20]OW[5];B[ge]BL[70];B[gg]BL[69.25]";
    let times = |root: &str| column(&format!("(;SZ[9]{root}{moves})"), "clock", "time_used");
    let nothing = json!(null);
    let expected = [
        &nothing,
        &json!(5.0),
        &json!(39.5),
        &json!(15.0),
        &nothing,
        &nothing,
        &nothing,
        &nothing,
        &json!(0.75),
    ];
    assert_eq!(times("TM[100]").iter().collect::<Vec<_>>(), expected);
    assert_eq!(times("TM[100]OT[5x30 byo-yomi]"), times("TM[100]"));
    assert_eq!(times("")[1..4], [json!(null), json!(null), json!(15.0)]);
    assert!(times("TM[100]OT[20 fischer]").iter().all(Value::is_null));
    let clocks = column(&format!("(;SZ[9]{moves})"), "clock", "time_left");
    assert_eq!(
        clocks[1..5],
        [json!(95.0), json!(60.5), json!(80.0), json!(30.0)]
    );
    assert!(clocks[5].is_null());
}

/// An engine's variations are moves to try after the node, or nodes of the game.
#[test]
fn an_engine_proposes_lines() {
    let candidates = "move E5 visits 12 winrate 4720 scoreMean -0.3 pv E5 C5 info move Z9 visits 1 pv Z9 info move C3 pv C3 pass Z1";
    let game = format!("(;SZ[9];B[gg]LZ[Kata 52.8 13\n{candidates} ownership 0.1 -0.2])");
    let lines = node(&game, "/1")["engine"].clone();
    assert_eq!(
        (
            &lines[0]["winrate"],
            &lines[0]["score_lead"],
            &lines[0]["visits"]
        ),
        (&json!(0.528), &json!(0.3), &json!(12))
    );
    assert_eq!(
        lines[0]["steps"],
        json!([{ "name": "W E5", "add": "W[ee]" }, { "name": "B C5", "add": "B[ce]" }])
    );
    assert_eq!(
        lines[1]["steps"],
        json!([{ "name": "W C3", "add": "W[cg]" }, { "name": "B pass", "add": "B[]" }])
    );
    assert_eq!(lines.as_array().map(Vec::len), Some(2));
    let game = "(;SZ[9](;B[gg]SBKV[50])(;B[ee]SBKV[56];W[ce])(;B[cc]))";
    let lines = node(game, "/0")["engine"].clone();
    let steps = json!([{ "name": "B E5", "path": "1/0" }, { "name": "W C5", "path": "1/1" }]);
    assert_eq!(
        lines,
        json!([{ "winrate": 0.56, "score_lead": null, "visits": null, "steps": steps }])
    );
    assert!(node("(;SZ[9];B[gg];W[cc])", "/1").get("engine").is_none());
}

/// The line that KaTrain prefers to a move belongs to the position before it.
#[test]
fn a_preferred_line_belongs_to_the_position_before() {
    let game = "(;SZ[9];B[ee]C[Win rate: B 50%];W[ce]C[Score: B+1.5\nWin rate: B 55%\nPredicted top move was G3 (W+0.5).\nPV: WG3 C3])";
    let expected = json!([{
        "winrate": null, "score_lead": -0.5, "visits": null,
        "steps": [{ "name": "W G3", "add": "W[gg]" }, { "name": "B C3", "add": "B[cg]" }],
    }]);
    assert_eq!(node(game, "/1")["engine"], expected);
    assert_eq!(node(game, "/2")["engine"], json!(null));
}

/// The second engine of Lizzie counts where the first one says nothing.
#[test]
fn a_second_engine_counts_alone() {
    let candidate = "move G3 visits 9 winrate 6000 pv G3 C3";
    let game = format!(
        "(;SZ[9];B[ee]LZ2[Two 40.0 1k 1.5\n{candidate}];W[ce]LZ2[Two 45.0 1k]LZ[One 60.0 1k\n{candidate}];B[aa]LZ[One 70.0 1k])"
    );
    let winrates = column(&game, "evaluation", "winrate");
    assert_eq!(winrates, [json!(null), json!(0.4), json!(0.4), json!(0.7)]);
    assert_eq!(
        costs(&game),
        [json!(null), json!(null), json!(null), json!(-0.3)]
    );
    for path in ["/1", "/2"] {
        assert_eq!(
            node(&game, path)["engine"].as_array().expect("lines").len(),
            1,
            "{path}"
        );
    }
}
