//! Statistics as one JSON object. If a list may be incomplete, a number next to it gives the
//! maximum error.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::report::{Counts, Start, StatsReport};
use crate::json;
use crate::tally::TallyFields;
use sgfstream::Severity;
use sgfstream_adapt::stats::{BoardCounts, OpeningPosition, TopK};
use sgfstream_game::value::BoardSize;

/// Width of a bucket of the histogram of lengths.
const LENGTHS: u64 = 10;

/// Writes the report as one object on one line.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let mut line = Vec::new();
    json::write(&mut line, &of(report, by_name))?;
    line.push(b'\n');
    out.write_all(&line)
}

/// Returns the report as an object. `counts` converts the counts of values.
pub(super) fn of(report: &StatsReport<'_>, counts: impl Fn(&Counts) -> Value) -> Value {
    let StatsReport { stats, top, .. } = *report;
    let heat = stats
        .heat
        .boards()
        .iter()
        .take(top)
        .map(|heat| board_heat(report, heat))
        .collect::<Value>();
    let mut object = json!({ "schema": json::SCHEMA });
    for (name, count) in report.totals {
        object[name] = count.into();
    }
    let rest = json!({
        "problems": problems(report),
        "board": counts(&report.board),
        "gm": counts(&report.gm),
        "ff": counts(&report.ff),
        "sz": counts(&report.sz),
        "ca": counts(&report.ca),
        "ap": counts(&report.ap),
        "property": counts(&report.property),
        "year": counts(&report.year),
        "result": counts(&report.result),
        "result_by_handicap": results_by_handicap(report),
        "handicap": counts(&report.handicap),
        "komi": counts(&report.komi),
        "length": lengths(report),
        "rank": counts(&report.rank),
        "rules": counts(&report.rules),
        "time": counts(&report.time),
        "overtime": counts(&report.overtime),
        "players": names(&stats.facts.players, top),
        "events": names(&stats.facts.events, top),
        "openings": openings(report),
        "heat": { "other_boards": stats.heat.other_boards, "boards": heat },
    });
    if let (Some(object), Value::Object(rest)) = (object.as_object_mut(), rest) {
        object.extend(rest);
    }
    object
}

/// Returns counts by value, then the games without a readable value, if there are any.
fn by_name(counts: &Counts) -> Value {
    let rows = counts.rows.iter().map(|row| (row.name.as_str(), row.count));
    let rest = [
        ("none", counts.none),
        ("unreadable", counts.unreadable),
        ("other", counts.other),
    ];
    let mut sums: Map<String, Value> = Map::new();
    for (name, count) in rows.chain(rest.into_iter().filter(|row| row.1 > 0)) {
        // A value of a file may be the word `none` itself, so the counts are added.
        let before = sums.get(name).and_then(Value::as_u64).unwrap_or(0);
        sums.insert(name.to_owned(), (before + count).into());
    }
    sums.into()
}

fn object(rows: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(rows.collect())
}

fn problems(report: &StatsReport<'_>) -> Value {
    let of = |severity| report.stats.problems.of(severity);
    let codes = object(
        report
            .problems
            .iter()
            .map(|(code, count)| (code.as_str().to_owned(), (*count).into())),
    );
    json!({ "error": of(Severity::Error), "warning": of(Severity::Warning), "note": of(Severity::Note), "codes": codes })
}

fn results_by_handicap(report: &StatsReport<'_>) -> Value {
    object(report.stats.facts.outcomes.by_handicap().into_iter().map(|row| {
        let counts = json!({ "black": row.black, "white": row.white, "draw": row.draw, "unknown": row.unknown });
        (row.handicap, counts)
    }))
}

fn lengths(report: &StatsReport<'_>) -> Value {
    let lengths = &report.stats.lengths;
    let rows = lengths.buckets(LENGTHS).into_iter();
    let histogram =
        object(rows.map(|(first, last, count)| (format!("{first}-{last}"), count.into())));
    json!({
        "games": lengths.count,
        "moves": u64::try_from(lengths.sum).unwrap_or(u64::MAX),
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
        "total": names.total,
        "exact": names.is_exact(),
        "missed_at_most": names.missed,
        "top": top.map(|row| json!({ "name": row.text, "count": row.count, "error": row.error })).collect::<Value>(),
    })
}

fn openings(report: &StatsReport<'_>) -> Value {
    let StatsReport { stats, top, .. } = *report;
    let board = |start: &Start| {
        let board = start.board;
        let lines = |depth| {
            start
                .at(depth)
                .into_iter()
                .take(top)
                .map(|after| line(report, start, after))
                .collect()
        };
        let (first_moves, lines): (Value, Value) = (lines(1), lines(stats.depth));
        json!({
            "board": board.to_string(),
            "gm": board.game.to_string(),
            "columns": board.size.map(BoardSize::columns),
            "rows": board.size.map(BoardSize::rows),
            "games": start.tally.count,
            "first_moves": first_moves,
            "lines": lines,
        })
    };
    json!({
        "depth": stats.depth,
        "cut": stats.openings.left_out(),
        "with_setup": stats.openings.with_setup,
        "other_boards": stats.openings.boards.on_others,
        "boards": stats.openings.boards.all.iter().take(top).map(board).collect::<Value>(),
    })
}

/// Object of an opening in a list.
#[derive(Serialize)]
struct OpeningFields {
    moves: Vec<String>,
    count: u64,
    cut: u64,
    #[serde(flatten)]
    tally: TallyFields,
}

/// Returns an opening with its games and results.
pub(super) fn line(report: &StatsReport<'_>, start: &Start, after: &OpeningPosition) -> Value {
    json!(OpeningFields {
        moves: report.moves(start, after),
        count: after.tally.count,
        cut: after.cut,
        tally: TallyFields::of(&after.tally),
    })
}

fn board_heat(report: &StatsReport<'_>, heat: &BoardCounts) -> Value {
    let board = heat.board;
    let mut object = json!({
        "board": board.to_string(),
        "gm": board.game.to_string(),
        "moves": heat.moves(),
        "passes": [heat.passes(1), heat.passes(2)],
        "off_board": heat.off_board,
        "other": heat.other,
    });
    match heat.size() {
        Some((columns, rows)) => {
            let row = |color, row| {
                (0..columns)
                    .map(|column| heat.get(color, column, row))
                    .collect::<Value>()
            };
            let points = |color| (0..rows).map(|at| row(color, at)).collect::<Value>();
            object["black"] = points(1);
            object["white"] = points(2);
        }
        None => {
            let moves = heat.texts().into_iter().take(report.top);
            let row =
                |(played, count)| json!({ "move": report.played(board, &played), "count": count });
            object["top"] = moves.map(row).collect();
        }
    }
    object
}
