//! Counts of games by board, as rows are counted and shown.

use std::hash::Hash;
use std::io::{self, Write};

use serde_json::{Value, json};

use sgfstream_adapt::stats::{Boards, GameTally};
use sgfstream_game::value::Color;
use sgfstream_table::row::GameRow;

use super::exit::Exit;
use super::terminal::{self, clean};

/// The columns that a tally is counted from.
pub(crate) const COLUMNS: [&str; 6] = ["source", "member", "game", "date_min", "date_max", "winner"];

/// Counts a game, whose file and number `place` gives.
pub(crate) fn add(
    tally: &mut GameTally,
    row: &GameRow,
    is_exchanged: bool,
    place: impl FnOnce() -> Option<(String, u64)>,
) {
    let winner = match (row.winner.as_deref(), is_exchanged) {
        (Some("B"), false) | (Some("W"), true) => Some(Color::Black),
        (Some("W"), false) | (Some("B"), true) => Some(Color::White),
        _ => None,
    };
    let years = row.date_min.zip(row.date_max).map(|(min, max)| (i32::from(min.year()), i32::from(max.year())));
    tally.add(winner, years, place);
}

/// The file of the game of a row, and its number.
pub(crate) fn place_of(row: &GameRow) -> Option<(String, u64)> {
    let source = row.source.as_deref().unwrap_or_default();
    let name = row.member.as_deref().map_or_else(|| source.to_owned(), |member| format!("{source}!{member}"));
    Some((name, row.game.unwrap_or(1).unsigned_abs()))
}

/// A row as it is printed: what its games have in common, in cells of a table or in fields of an object; its games; and
/// all games, of which they are a part.
pub(crate) struct Row<'r, C> {
    pub(crate) name: C,
    pub(crate) games: &'r GameTally,
    pub(crate) all: &'r GameTally,
}

impl<C> Row<'_, C> {
    /// Part that these games are of all.
    fn share(&self) -> f64 {
        self.games.count as f64 / self.all.count as f64
    }
}

impl Row<'_, Vec<String>> {
    /// Returns the cells of a table: those of the name, and after them seven.
    pub(crate) fn cells(self) -> Vec<String> {
        let games = self.games;
        let rest = [
            games.count.to_string(),
            format!("{:.1} %", 100.0 * self.share()),
            games.black.to_string(),
            games.white.to_string(),
            games.black_share().map_or_else(String::new, |share| share.to_string()),
            years(games),
            clean(&example(games)).into_owned(),
        ];
        self.name.into_iter().chain(rest).collect()
    }
}

impl Row<'_, Value> {
    /// The row as an object.
    pub(crate) fn object(mut self) -> Value {
        self.name["count"] = self.games.count.into();
        self.name["share"] = self.share().into();
        add_json(self.games, &mut self.name);
        self.name
    }
}

/// The columns of CSV; `name` are those of the name.
pub(crate) fn csv_columns<'n>(name: &[&'n str]) -> Vec<&'n str> {
    const REST: [&str; 10] = [
        "count",
        "share",
        "black_wins",
        "white_wins",
        "black_share",
        "black_low",
        "black_high",
        "first_year",
        "last_year",
        "example",
    ];
    name.iter().copied().chain(REST).collect()
}

/// Returns the head of a table; `name` are the columns of the name, and `count` the name of the number of games.
pub(crate) fn head(name: &[&str], count: &str) -> Vec<String> {
    let rest = [count, "share", "B wins", "W wins", "B wins of decided", "years", "example"];
    name.iter().chain(&rest).map(|&text| text.to_owned()).collect()
}

/// Writes the rows of a table with the cells of a column below each other; the numbers, after `names` cells, to the right.
pub(crate) fn write_table(rows: &[Vec<String>], names: usize, out: &mut dyn Write) -> io::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate().filter(|(at, _)| widths[*at] > 0) {
            let blanks = " ".repeat(widths[at] - cell.chars().count());
            let is_number = (names..names + 4).contains(&at);
            let (before, after) = if is_number { (&*blanks, "") } else { ("", &*blanks) };
            line += &format!("{before}{cell}{after}  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// `1846-1990`.
fn years(tally: &GameTally) -> String {
    match tally.years {
        None => String::new(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}-{last}"),
    }
}

/// `archive!member#17`.
fn example(tally: &GameTally) -> String {
    tally.example.as_deref().map_or_else(String::new, |(name, game)| format!("{name}#{game}"))
}

/// Adds results, years and an example to an object.
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
