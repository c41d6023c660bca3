//! Statistics as one JSON object. Where a list may be incomplete, a number
//! beside it says by how much.

use std::hash::Hash;
use std::io::{self, Write};

use serde_json::{Map, Value, json};

use crate::json;
use sgfstream::adapt::stats::{BoardHeat, Histogram, Opening, Openings, Outcome, Stats, Tally, TopK};
use sgfstream::base::Severity;
use sgfstream::value::BoardSize;

/// Width of a row of the histogram of lengths.
const LENGTHS: u64 = 10;

pub(super) fn write(out: &mut impl Write, stats: &Stats, top: usize) -> io::Result<()> {
    let count = stats.count();
    let facts = &stats.facts;
    let object = json!({
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
        "sz": tally(&facts.sz, |&(columns, rows)| BoardSize::new(columns, rows).to_string()),
        "ca": tally(&facts.ca, String::clone),
        "ap": tally(&facts.ap, String::clone),
        "property": properties(stats),
        "year": tally(&facts.year, u16::to_string),
        "result": results(stats),
        "result_by_handicap": results_by_handicap(stats),
        "handicap": tally(&facts.handicap, i64::to_string),
        "komi": tally(&facts.komi, |&hundredths| (hundredths as f64 / 100.0).to_string()),
        "length": lengths(&stats.lengths),
        "rank": tally(&facts.ranks, ToString::to_string),
        "rules": tally(&facts.rules, String::clone),
        "time": tally(&facts.time, i64::to_string),
        "overtime": tally(&facts.overtime, String::clone),
        "players": names(&facts.players, top),
        "events": names(&facts.events, top),
        "openings": openings(&stats.openings, top),
        "heat": {
            "other_boards": stats.heat.other_boards(),
            "boards": stats.heat.boards().iter().take(top).map(|heat| board_heat(heat, top)).collect::<Value>(),
        },
    });
    json::write(out, &object)?;
    out.write_all(b"\n")
}

fn problems(stats: &Stats) -> Value {
    let of = |severity| stats.problems.of(severity);
    let codes: Map<String, Value> =
        stats.problems.most().into_iter().map(|(code, count)| (code.as_str().to_owned(), count.into())).collect();
    json!({ "error": of(Severity::Error), "warning": of(Severity::Warning), "note": of(Severity::Note), "codes": codes })
}

/// Values in their order, and what is none of them where there is such.
fn tally<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>, name: impl Fn(&K) -> String) -> Value {
    let known = tally.in_order().into_iter().map(|(key, count)| (name(key), count));
    let rest = [("none", tally.absent()), ("unreadable", tally.unreadable()), ("other", tally.other())];
    let rest = rest.into_iter().filter(|&(_, count)| count > 0).map(|(name, count)| (name.to_owned(), count));
    let mut object = Map::new();
    for (name, count) in known.chain(rest) {
        // A file may really say `none`.
        let before = object.get(&name).and_then(Value::as_u64).unwrap_or(0);
        object.insert(name, (before + count).into());
    }
    object.into()
}

fn properties(stats: &Stats) -> Value {
    let rows = stats.idents.most().into_iter().map(|(ident, count)| (ident, Value::from(count)));
    let mut object: Map<String, Value> = rows.collect();
    if stats.idents.other() > 0 {
        object.insert("other".to_owned(), stats.idents.other().into());
    }
    object.into()
}

fn results(stats: &Stats) -> Value {
    let rows = Outcome::ALL.into_iter().map(|outcome| (outcome, stats.facts.outcomes.get(outcome)));
    let rows = rows.filter(|&(_, count)| count > 0).map(|(outcome, count)| (outcome.as_str().to_owned(), count.into()));
    Value::Object(rows.collect())
}

fn results_by_handicap(stats: &Stats) -> Value {
    let row = |row: sgfstream::adapt::stats::HandicapRow| {
        let counts = json!({ "black": row.black, "white": row.white, "draw": row.draw, "unknown": row.unknown });
        (row.handicap, counts)
    };
    Value::Object(stats.facts.outcomes.by_handicap().into_iter().map(row).collect())
}

fn lengths(lengths: &Histogram) -> Value {
    let row = |(first, last, count): (u64, u64, u64)| (format!("{first}-{last}"), Value::from(count));
    let histogram: Map<String, Value> = lengths.buckets(LENGTHS).into_iter().map(row).collect();
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
    let row =
        |row: sgfstream::adapt::stats::Top<'_>| json!({ "name": row.text, "count": row.count, "error": row.error });
    json!({
        "total": names.total(),
        "exact": names.is_exact(),
        "missed_at_most": names.missed(),
        "top": names.top().into_iter().take(top).map(row).collect::<Value>(),
    })
}

fn openings(openings: &Openings, top: usize) -> Value {
    let line = |line: Opening| {
        let moves: Value = line.moves.iter().map(ToString::to_string).collect();
        json!({ "moves": moves, "count": line.count, "cut": line.cut })
    };
    let board = |(board, games): (sgfstream::adapt::stats::Board, u64)| {
        let lines = |depth| openings.lines(board, depth).into_iter().take(top).map(line).collect::<Value>();
        let mut object = json!({ "board": board.to_string(), "gm": board.game.to_string() });
        object["columns"] = board.size.map(BoardSize::columns).into();
        object["rows"] = board.size.map(BoardSize::rows).into();
        object["games"] = games.into();
        object["first_moves"] = lines(1);
        object["lines"] = lines(openings.depth());
        object
    };
    json!({
        "depth": openings.depth(),
        "cut": openings.cut(),
        "with_setup": openings.with_setup(),
        "other_boards": openings.other_boards(),
        "boards": openings.boards().into_iter().take(top).map(board).collect::<Value>(),
    })
}

fn board_heat(heat: &BoardHeat, top: usize) -> Value {
    let board = heat.board();
    let mut object = json!({ "board": board.to_string(), "gm": board.game.to_string(), "moves": heat.moves() });
    object["passes"] = json!([heat.passes(1), heat.passes(2)]);
    object["off_board"] = heat.off_board().into();
    object["other"] = heat.other().into();
    match heat.size() {
        Some((columns, rows)) => {
            let row = |color, row| (0..columns).map(|column| heat.get(color, column, row)).collect::<Value>();
            let points = |color| (0..rows).map(|at| row(color, at)).collect::<Value>();
            object["black"] = points(1);
            object["white"] = points(2);
        }
        None => {
            let texts = heat.texts().into_iter().take(top);
            object["top"] =
                texts.map(|(played, count)| json!({ "move": played.to_string(), "count": count })).collect();
        }
    }
    object
}
