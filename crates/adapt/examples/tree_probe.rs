//! Reads files as trees, for scripts that compare the results of different readers. It reads one
//! path a line and prints one line of JSON for each.
//!
//! `{"games":[["(",{"B":["aa"]},"(",…,")",")"]],"problems":["no-game"],"board":["..X",…]}`: nodes
//! as objects, with raw values, one character a byte; the board is a board of Go after the main
//! line of the first game.
//!
//! ```console
//! $ echo corpus/go-ff4.sgf | cargo run -q -p sgfstream-adapt --example tree_probe
//! ```

use std::fs;
use std::io::{self, BufRead, Write};

use serde_json::{Map, Value, json};
use sgfstream::{Event, SliceReader, transcode};
use sgfstream_adapt::GameTree;
use sgfstream_game::{BoardCell, Facts, Game, GameBoard, Side};

fn main() -> io::Result<()> {
    let mut output = io::stdout().lock();
    for path in io::stdin().lock().lines() {
        let bytes = fs::read(path?)?;
        writeln!(output, "{}", read(&transcode(&bytes)))?;
    }
    Ok(())
}

fn read(bytes: &[u8]) -> Value {
    let (mut games, mut problems) = (Vec::<Vec<Value>>::new(), Vec::new());
    let mut depth = 0;
    for event in SliceReader::new(bytes).events().flatten() {
        match event {
            Event::VariationStart { .. } => {
                if depth == 0 {
                    games.push(Vec::new());
                }
                depth += 1;
                games.last_mut().expect("begun").push("(".into());
            }
            Event::VariationEnd { .. } => {
                depth -= 1;
                games.last_mut().expect("begun").push(")".into());
            }
            Event::NodeStart { .. } => games.last_mut().expect("begun").push(Map::new().into()),
            Event::Property(property) => {
                let node = games
                    .last_mut()
                    .and_then(|game| game.last_mut())
                    .expect("begun");
                let ident = String::from_utf8_lossy(&property.ident().canonical()).into_owned();
                let values = property.values().map(|value| {
                    value
                        .as_bytes()
                        .iter()
                        .map(|&byte| char::from(byte))
                        .collect()
                });
                let values: Vec<Value> = values.map(|value: String| value.into()).collect();
                let list = node
                    .as_object_mut()
                    .expect("a node")
                    .entry(ident)
                    .or_insert_with(|| json!([]));
                list.as_array_mut().expect("made above").extend(values);
            }
            Event::Problem(problem) => problems.push(problem.code.as_str()),
            _ => {}
        }
    }
    json!({ "games": games, "problems": problems, "board": board(bytes) })
}

fn board(bytes: &[u8]) -> Option<Vec<String>> {
    let tree = GameTree::parse(bytes).ok()?;
    let start = tree.to_game(GameTree::FACT_NODES);
    let dialect = Facts::of(start.record(), 0).dialect();
    let mut position = GameBoard::new(&dialect)
        .ok()
        .filter(|_| dialect.game() == Game::Go)?;
    for property in tree.main_line().flat_map(|node| tree.properties(node)) {
        position.apply(&property);
    }
    let size = position.size();
    let sign = |row, column| match position.stone(BoardCell::new(column as u16, row as u16)) {
        Some(Side::Black) => 'X',
        Some(_) => 'O',
        None => '.',
    };
    let row = |row| {
        (0..size.columns())
            .map(|column| sign(row, column))
            .collect()
    };
    Some((0..size.rows()).map(row).collect())
}
