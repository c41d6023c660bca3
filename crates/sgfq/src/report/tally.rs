//! Counts of games by board, as rows of a table or of CSV.

use std::hash::Hash;
use std::io::{self, Write};

use sgfstream_adapt::stats::{Boards, GameTally};
use sgfstream_explore::tally::example;
pub(crate) use sgfstream_explore::tally::{COLUMNS, Row, place_of};

use super::exit::Exit;
use super::terminal::{self, clean};

/// Returns the cells of a table row: the cells of its name, then seven counts.
pub(crate) fn cells(row: Row<'_, Vec<String>>) -> Vec<String> {
    let games = row.games;
    let rest = [
        games.count.to_string(),
        format!("{:.1} %", 100.0 * row.share()),
        games.black.to_string(),
        games.white.to_string(),
        games
            .black_share()
            .map_or_else(String::new, |share| share.to_string()),
        years(games),
        clean(&example(games)).into_owned(),
    ];
    row.name.into_iter().chain(rest).collect()
}

/// Returns the columns of CSV. `name` contains the columns of the name.
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

/// Returns the header of a table. `name` contains the columns of the name, and `count` labels the
/// number of games.
pub(crate) fn head(name: &[&str], count: &str) -> Vec<String> {
    let rest = [
        count,
        "share",
        "B wins",
        "W wins",
        "B wins of decided",
        "years",
        "example",
    ];
    name.iter()
        .chain(&rest)
        .map(|&text| text.to_owned())
        .collect()
}

/// Writes an aligned table. The cells after the first `names` are numbers, aligned to the right.
pub(crate) fn write_table(
    rows: &[Vec<String>],
    names: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| {
        rows.iter()
            .map(|row| row[at].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate().filter(|(at, _)| widths[*at] > 0) {
            let blanks = " ".repeat(widths[at] - cell.chars().count());
            let is_number = (names..names + 4).contains(&at);
            let (before, after) = if is_number {
                (&*blanks, "")
            } else {
                ("", &*blanks)
            };
            line += &format!("{before}{cell}{after}  ");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Formats the years as `1846-1990`.
fn years(tally: &GameTally) -> String {
    match tally.years {
        None => String::new(),
        Some((first, last)) if first == last => first.to_string(),
        Some((first, last)) => format!("{first}-{last}"),
    }
}

/// Reports for each board how much was left out. `rows`, `one` and `many` name the rows in the
/// message.
pub(crate) fn report_left_out<K: Eq + Hash, R>(
    boards: &Boards<K, R>,
    rows: &str,
    one: &str,
    many: &str,
) -> Exit {
    let others = (
        format!("boards after the first {}", Boards::<K, R>::MAX),
        boards.on_others,
    );
    let boards = boards
        .all
        .iter()
        .map(|board| (board.board.to_string(), board.left_out));
    let mut exit = Exit::Done;
    for (name, count) in boards.chain([others]).filter(|(_, count)| *count > 0) {
        let what = if count == 1 { one } else { many };
        terminal::print_line(&format!(
            "sgfq: {name}: the {rows} of {count} {what} were not all counted; see `sgfq help caps`"
        ));
        exit = Exit::Found;
    }
    exit
}
