//! Compares the curve of a game on the page with the table of moves, and with what a program wrote
//! of its own analysis.

use serde_json::{Value, json};

use super::explore::Server;
use super::{Place, run};

/// Columns of the table of moves, and where a node of the page has them.
const COLUMNS: [(&str, &str); 5] = [
    ("evaluation", "winrate"),
    ("evaluation", "score_lead"),
    ("evaluation", "visits"),
    ("clock", "time_left"),
    ("clock", "overtime_moves"),
];

/// Returns the nodes of the main line with moves.
fn moves_of(server: &Server, id: &Value) -> Vec<Value> {
    let line = server.ask("game", &json!({ "id": id, "all": true }))["line"].clone();
    line.as_array()
        .expect("nodes")
        .iter()
        .filter(|node| !node["move"].is_null())
        .cloned()
        .collect()
}

/// Returns the rows of a table of the game, written with `option`.
fn rows_of(place: &Place, name: &str, option: &str) -> Vec<Value> {
    let (games, table) = (place.text("games.jsonl"), place.text("table.jsonl"));
    let index = run(&["index", name, "-o", &games, option, &table], b"");
    assert_eq!(index.status, 0, "{}", index.err); // else the table is from the call before
    let text = place.read("table.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Compares each of the first games of an archive whose name contains `part`. Returns how many
/// moves have an evaluation, a clock, a time, and a cost that the program wrote, too.
fn compare(archive: &str, part: &str, count: usize) -> [usize; 4] {
    let (place, server) = (Place::new(), Server::of(&[archive]));
    let games = server.ask(
        "games",
        &json!({ "all": true, "count": 500, "search": part }),
    );
    let mut compared = [0; 4];
    for game in games["rows"].as_array().expect("rows").iter().take(count) {
        let name = game["name"].as_str().expect("a name");
        let moves = moves_of(&server, &game["id"]);
        let mut rows = rows_of(&place, name, "--moves");
        rows.retain(|row| row["kind"] == "move");
        assert_eq!(moves.len(), rows.len(), "{name}");
        for (node, row) in moves.iter().zip(&rows) {
            for (part, column) in COLUMNS {
                let (shown, written) = (node[part][column].as_f64(), row[column].as_f64());
                assert_eq!(shown, written, "{name}, move {}: {column}", row["ply"]);
            }
            compared[0] += usize::from(!row["winrate"].is_null());
            compared[1] += usize::from(!row["time_left"].is_null());
            compared[2] += usize::from(!node["clock"]["time_used"].is_null());
        }
        for comment in rows_of(&place, name, "--comments") {
            compared[3] += usize::from(is_cost_as_written(&moves, &comment, name));
        }
    }
    compared
}

/// Compares the costs of a move with the losses that analyze-sgf wrote into its comment. Both are
/// of rounded numbers.
fn is_cost_as_written(moves: &[Value], comment: &Value, name: &str) -> bool {
    // Comments of variations have no number.
    let ply = comment["ply"].as_u64().unwrap_or(0) as usize;
    let Some(node) = ply.checked_sub(1).and_then(|at| moves.get(at)) else {
        return false;
    };
    let text = comment["text"].as_str().expect("a text");
    let written = |label: &str| {
        let (_, after) = text.split_once(label)?;
        after
            .lines()
            .next()?
            .trim_end_matches('%')
            .parse::<f64>()
            .ok()
    };
    let evaluation = &node["evaluation"];
    let (Some(cost), Some(points)) = (
        evaluation["cost"].as_f64(),
        evaluation["score_cost"].as_f64(),
    ) else {
        return false;
    };
    let (Some(loss), Some(lost)) = (written("Win rate loss: "), written("Score loss: ")) else {
        return false;
    };
    let is_equal = (100.0 * cost - loss).abs() < 0.021 && (points - lost).abs() < 0.021;
    assert!(
        is_equal,
        "{name}, move {ply}: expected {loss} % and {lost} points, found {evaluation}"
    );
    true
}

/// Real games that programs analyzed, or with clocks, if `SGF_CORPUS` names a directory of real
/// archives.
#[test]
fn the_curve_equals_the_table_of_moves() {
    let Some(directory) = std::env::var_os("SGF_CORPUS") else {
        return println!("skipped: SGF_CORPUS names no directory of real archives");
    };
    let archive = |name: &str| {
        std::path::Path::new(&directory)
            .join(name)
            .to_string_lossy()
            .into_owned()
    };
    let [evaluated, .., costs] = compare(&archive("analysis.tar.zst"), "", 20);
    assert!(evaluated > 1_400 && costs > 500, "{evaluated} {costs}");
    let [_, clocks, times, _] = compare(&archive("go-ai.tar.zst"), "CGOS", 40);
    assert!(clocks > 2_000 && times == clocks, "{clocks} {times}");
}
