//! Counts of games by board, as rows are counted and shown.

use std::hash::Hash;

use serde_json::{Value, json};

use sgfstream_adapt::stats::{Boards, GameTally};
use sgfstream_game::value::Color;
use sgfstream_table::row::GameRow;

use super::csv::CsvCells;
use super::exit::Exit;
use super::terminal;

pub(crate) const CSV_COLUMNS: &str =
    "black_wins,white_wins,black_share,black_low,black_high,first_year,last_year,example";

/// The columns that a tally is counted from.
pub(crate) const COLUMNS: [&str; 6] = ["source", "member", "game", "date_min", "date_max", "winner"];

/// Counts a game.
pub(crate) fn add(tally: &mut GameTally, row: &GameRow, is_exchanged: bool) {
    let winner = match (row.winner.as_deref(), is_exchanged) {
        (Some("B"), false) | (Some("W"), true) => Some(Color::Black),
        (Some("W"), false) | (Some("B"), true) => Some(Color::White),
        _ => None,
    };
    let years = row.date_min.zip(row.date_max).map(|(min, max)| (i32::from(min.year()), i32::from(max.year())));
    tally.add(winner, years, || {
        let source = row.source.as_deref().unwrap_or_default();
        let name = row.member.as_deref().map_or_else(|| source.to_owned(), |member| format!("{source}!{member}"));
        Some((name, row.game.unwrap_or(1).unsigned_abs()))
    });
}

/// Part that these games are of `all`.
pub(crate) fn share(games: &GameTally, all: &GameTally) -> f64 {
    games.count as f64 / all.count as f64
}

/// `1846-1990`.
pub(crate) fn years(tally: &GameTally) -> String {
    match tally.years {
        None => String::new(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}-{last}"),
    }
}

/// `archive!member#17`.
pub(crate) fn example(tally: &GameTally) -> String {
    tally.example.as_deref().map_or_else(String::new, |(name, game)| format!("{name}#{game}"))
}

/// `53 % (49-57)`, or nothing.
pub(crate) fn black_share(tally: &GameTally) -> String {
    tally.black_share().map_or_else(String::new, |share| share.to_string())
}

/// Adds the cells of [`CSV_COLUMNS`].
pub(crate) fn push_csv(tally: &GameTally, cells: &CsvCells, line: &mut Vec<u8>) {
    line.extend_from_slice(format!("{},{},", tally.black, tally.white).as_bytes());
    match tally.black_share() {
        Some(share) => {
            line.extend_from_slice(format!("{:.4},{:.4},{:.4},", share.share, share.low, share.high).as_bytes());
        }
        None => line.extend_from_slice(b",,,"),
    }
    match tally.years {
        Some((first, last)) => line.extend_from_slice(format!("{first},{last},").as_bytes()),
        None => line.extend_from_slice(b",,"),
    }
    cells.push(&example(tally), line);
}

/// Adds the same to an object.
pub(crate) fn add_json(tally: &GameTally, object: &mut Value) {
    let share = tally.black_share();
    let rest = json!({
        "black_wins": tally.black,
        "white_wins": tally.white,
        "black_share": share.map(|share| share.share),
        "black_low": share.map(|share| share.low),
        "black_high": share.map(|share| share.high),
        "first_year": tally.years.map(|years| years.0),
        "last_year": tally.years.map(|years| years.1),
    });
    if let (Some(object), Value::Object(rest)) = (object.as_object_mut(), rest) {
        object.extend(rest);
        object.extend(tally.example.is_some().then(|| ("example".to_owned(), example(tally).into())));
    }
}

/// Says on which boards something was left out, and how much; `rows`, `one` and `many` are its names.
pub(crate) fn report_left_out<K: Eq + Hash, R>(boards: &Boards<K, R>, rows: &str, one: &str, many: &str) -> Exit {
    let others = (format!("boards after the first {}", Boards::<K, R>::MAX), boards.on_others);
    let boards = boards.all.iter().map(|board| (board.board.to_string(), board.left_out));
    let mut exit = Exit::Done;
    for (name, count) in boards.chain([others]).filter(|(_, count)| *count > 0) {
        let what = if count == 1 { one } else { many };
        terminal::say(&format!(
            "sgfq: {name}: the {rows} of {count} {what} were not all counted; see `sgfq help caps`"
        ));
        exit = Exit::Found;
    }
    exit
}
