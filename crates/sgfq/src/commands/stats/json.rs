//! Statistics as one JSON object. Where a list may be incomplete, a number
//! beside it gives the possible error.

use std::hash::Hash;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::words;
use crate::report::{json, tally as games};
use sgfstream::Severity;
use sgfstream_adapt::stats::{
    BoardCounts, BoardRows, Histogram, OpeningPosition, Outcome, PositionKey, Stats, Tally, TopK,
};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Coordinates, Dialect};

/// Width of a row of the histogram of lengths.
const LENGTHS: u64 = 10;

pub(super) fn write(out: &mut impl Write, stats: &Stats, top: usize, coordinates: Coordinates) -> io::Result<()> {
    let count = stats.count();
    let facts = &stats.facts;
    let object = json!({
        "schema": json::SCHEMA,
        "files": stats.files,
        "games": count.games,
        "nodes": count.nodes,
        "moves": count.moves(),
        "variations": count.variations,
        "properties": count.properties,
        "values": count.values,
        "bytes": stats.bytes,
        "problems": problems(stats),
        "gm": tally(&facts.gm, String::clone),
        "ff": tally(&facts.ff, i64::to_string),
        "sz": tally(&facts.sz, words::size),
        "ca": tally(&facts.ca, String::clone),
        "ap": tally(&facts.ap, String::clone),
        "property": properties(stats),
        "year": tally(&facts.year, u16::to_string),
        "result": results(stats),
        "result_by_handicap": results_by_handicap(stats),
        "handicap": tally(&facts.handicap, i64::to_string),
        "komi": tally(&facts.komi, words::komi),
        "length": lengths(&stats.lengths),
        "rank": tally(&facts.ranks, ToString::to_string),
        "rules": tally(&facts.rules, String::clone),
        "time": tally(&facts.time, i64::to_string),
        "overtime": tally(&facts.overtime, String::clone),
        "players": names(&facts.players, top),
        "events": names(&facts.events, top),
        "openings": openings(stats, top, coordinates),
        "heat": {
            "other_boards": stats.heat.other_boards(),
            "boards": stats.heat.boards().iter().take(top).map(|heat| board_heat(heat, top, coordinates)).collect::<Value>(),
        },
    });
    json::write(out, &object)?;
    out.write_all(b"\n")
}

fn problems(stats: &Stats) -> Value {
    let of = |severity| stats.problems.of(severity);
    let codes = object(stats.problems.most().into_iter().map(|(code, count)| (code.as_str().to_owned(), count)));
    json!({ "error": of(Severity::Error), "warning": of(Severity::Warning), "note": of(Severity::Note), "codes": codes })
}

/// Values in their order, then counts of games without one, if there are any.
fn tally<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>, name: impl Fn(&K) -> String) -> Value {
    let known = tally.in_order().into_iter().map(|(key, count)| (name(key), count));
    let rest = [("none", tally.absent()), ("unreadable", tally.unreadable()), ("other", tally.other())];
    let rest = rest.into_iter().filter(|row| row.1 > 0).map(|(name, count)| (name.to_owned(), count));
    let mut sums: Map<String, Value> = Map::new();
    for (name, count) in known.chain(rest) {
        // A value of a file may be the word `none`.
        let before = sums.get(&name).and_then(Value::as_u64).unwrap_or(0);
        sums.insert(name, (before + count).into());
    }
    sums.into()
}

fn properties(stats: &Stats) -> Value {
    let other = Some(("other".to_owned(), stats.idents.other())).filter(|row| row.1 > 0);
    object(stats.idents.most().into_iter().chain(other))
}

fn object<V: Into<Value>>(rows: impl IntoIterator<Item = (String, V)>) -> Value {
    Value::Object(rows.into_iter().map(|(name, value)| (name, value.into())).collect())
}

fn results(stats: &Stats) -> Value {
    let rows = Outcome::ALL.map(|outcome| (outcome.as_str().to_owned(), stats.facts.outcomes.get(outcome)));
    object(rows.into_iter().filter(|row| row.1 > 0))
}

fn results_by_handicap(stats: &Stats) -> Value {
    object(stats.facts.outcomes.by_handicap().into_iter().map(|row| {
        let counts = json!({ "black": row.black, "white": row.white, "draw": row.draw, "unknown": row.unknown });
        (row.handicap, counts)
    }))
}

fn lengths(lengths: &Histogram) -> Value {
    let rows = lengths.buckets(LENGTHS).into_iter();
    let histogram = object(rows.map(|(first, last, count)| (format!("{first}-{last}"), count)));
    json!({
        "games": lengths.count(),
        "moves": u64::try_from(lengths.sum()).unwrap_or(u64::MAX),
        "min": lengths.min(),
        "p10": lengths.quantile(0.1),
        "median": lengths.quantile(0.5),
        "p90": lengths.quantile(0.9),
        "max": lengths.max(),
        "mean": lengths.mean(),
        "histogram": histogram,
    })
}

fn names(names: &TopK, top: usize) -> Value {
    let top = names.top().into_iter().take(top);
    json!({
        "total": names.total(),
        "exact": names.is_exact(),
        "missed_at_most": names.missed(),
        "top": top.map(|row| json!({ "name": row.text, "count": row.count, "error": row.error })).collect::<Value>(),
    })
}

fn openings(stats: &Stats, top: usize, coordinates: Coordinates) -> Value {
    let line = |board: &Dialect, after: &OpeningPosition| {
        let moves: Value = after.line.iter().map(|played| played.text(board, coordinates)).collect();
        let mut line = json!({ "moves": moves, "count": after.tally.count, "cut": after.cut });
        games::add_json(&after.tally, &mut line);
        line
    };
    let board = |start: &BoardRows<PositionKey, OpeningPosition>| {
        let (board, dialect) = (start.board, start.dialect());
        let lines = |depth| start.at(depth).into_iter().take(top).map(|each| line(&dialect, each)).collect::<Value>();
        json!({
            "board": board.to_string(),
            "gm": board.game.to_string(),
            "columns": board.size.map(BoardSize::columns),
            "rows": board.size.map(BoardSize::rows),
            "games": start.tally.count,
            "first_moves": lines(1),
            "lines": lines(stats.depth()),
        })
    };
    json!({
        "depth": stats.depth(),
        "cut": stats.openings.left_out(),
        "with_setup": stats.openings.with_setup,
        "other_boards": stats.openings.boards.on_others,
        "boards": stats.openings.boards.all.iter().take(top).map(board).collect::<Value>(),
    })
}

fn board_heat(heat: &BoardCounts, top: usize, coordinates: Coordinates) -> Value {
    let board = heat.board();
    let mut object = json!({
        "board": board.to_string(),
        "gm": board.game.to_string(),
        "moves": heat.moves(),
        "passes": [heat.passes(1), heat.passes(2)],
        "off_board": heat.off_board(),
        "other": heat.other(),
    });
    match heat.size() {
        Some((columns, rows)) => {
            let row = |color, row| (0..columns).map(|column| heat.get(color, column, row)).collect::<Value>();
            let points = |color| (0..rows).map(|at| row(color, at)).collect::<Value>();
            object["black"] = points(1);
            object["white"] = points(2);
        }
        None => {
            let moves = heat.texts().into_iter().take(top);
            object["top"] = moves
                .map(|(played, count)| json!({ "move": words::played(board, &played, coordinates), "count": count }))
                .collect();
        }
    }
    object
}
