//! `sgfq stats --html`: one self-contained page that needs no network. It contains the report as
//! JSON, from which its script makes lists and charts. The boards are drawn here. Values from files
//! are inserted as text, never as markup.

mod heat;
mod openings;
mod pictures;

use std::io::{self, Write};

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_128;

use sgfstream_adapt::stats::{Top, TopK, WinShare};
use sgfstream_draw::svg::escape;

use super::report::{Counts, StatsReport};
use super::{json as report_json, text};
use crate::json;
use pictures::Pictures;

/// JavaScript module that draws the report into a document.
pub const MODULE: &str = concat!(
    "export default (page) => {\n",
    include_str!("charts.js"),
    include_str!("stats.js"),
    "};\n"
);

/// Style sheet of the page.
pub const STYLE: &str = include_str!("page.css");

/// Maximum number of rows in a list.
const ROWS: usize = 10;

/// Number of rows in the data. It exceeds `ROWS` because the script also makes lists of the decided
/// games only.
pub const TOP: usize = 2 * ROWS;

/// Maximum number of inputs named in the header.
const INPUTS: usize = 8;

/// Maximum number of columns in the chart of lengths. Together they cover 99% of the games.
const LENGTHS: u64 = 40;

/// Minimum number of decided games of a player in the list of the strongest.
const DECIDED: u64 = 10;

/// Writes the page. `inputs` are the names of the inputs.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write(
    out: &mut impl Write,
    report: &StatsReport<'_>,
    title: Option<&str>,
    inputs: &[String],
) -> io::Result<()> {
    let facts = &report.stats.facts;
    let mut pictures = Pictures::default();
    let mut data = report_json::of(report, rows_of);
    let problems = report
        .problems
        .iter()
        .map(|(code, count)| json!([format!("{code} ({})", code.severity()), count]));
    data["problems"]["rows"] = problems.collect();
    data["length"]["columns"] = lengths(report);
    data["players"] = names(&facts.players);
    data["strongest"] = strongest(&facts.players);
    data["events"] = names(&facts.events);
    data["openings"]["drawn"] = openings::drawn(report, &mut pictures);
    data["heat"] = heat::drawn(report, &mut pictures);
    let mut json = Vec::new();
    json::write(&mut json, &data)?;
    // In JSON, `<` occurs only inside strings, where the escape means the same. Unescaped, a text
    // could end the script element.
    let json = String::from_utf8_lossy(&json).replace('<', "\\u003c");
    // Scripts run only with the nonce. The nonce is the hash of the data, so a text of a file that
    // got into the markup by mistake cannot contain it: the hash depends on the text. The same
    // games give the same page.
    let nonce = format!("{:032x}", xxh3_128(json.as_bytes()));
    let mut plain = Vec::new();
    text::write(&mut plain, report)?;
    let plain = String::from_utf8_lossy(&plain);
    let plain: Vec<_> = plain.lines().map(escape).collect();
    let (title, source) = (escape(title.unwrap_or("Games of record")), source(inputs));
    for part in include_str!("stats.html").split("{{") {
        let (name, rest) = part.split_once("}}").unwrap_or(("", part));
        let value = match name {
            "title" => &title,
            "source" => &source,
            "nonce" => &nonce,
            "style" => STYLE,
            "boards" => sgfstream_draw::STYLE,
            "text" => &plain.join("\n"),
            "pictures" => pictures.markup(),
            "data" => &json,
            "script" => {
                concat!(
                    "((page) => {\n",
                    include_str!("charts.js"),
                    include_str!("stats.js"),
                    "})(document);\n"
                )
            }
            _ => "",
        };
        out.write_all(value.as_bytes())?;
        out.write_all(rest.as_bytes())?;
    }
    Ok(())
}

/// Returns the names of the inputs without their folders.
fn source(inputs: &[String]) -> String {
    let last_part = |input: &String| {
        let input = input.trim_end_matches(['/', '\\']);
        escape(input.rsplit(['/', '\\']).next().unwrap_or(input))
    };
    let names: Vec<_> = inputs.iter().take(INPUTS).map(last_part).collect();
    let more = inputs.len().saturating_sub(INPUTS);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let of = if names.is_empty() {
        String::new()
    } else {
        format!("{}{more} · ", names.join(", "))
    };
    format!("{of}made with sgfq {}", env!("CARGO_PKG_VERSION"))
}

/// Returns counts as rows of value, games, and wins of Black and White, in the order of the values.
fn rows_of(counts: &Counts) -> Value {
    let rows = counts.rows.iter().filter(|row| row.count > 0);
    let rows: Value = rows
        .map(|row| json!([row.name, row.count, row.wins[0], row.wins[1]]))
        .collect();
    json!({ "rows": rows, "none": counts.none, "unreadable": counts.unreadable, "other": counts.other })
}

/// Returns the games by length, in buckets that suit the chart.
fn lengths(report: &StatsReport<'_>) -> Value {
    let lengths = &report.stats.lengths;
    let long = lengths.quantile(0.99).unwrap_or(0);
    let mut steps = (0..19).flat_map(|power| [1, 2, 5].map(|step| step * 10u64.pow(power)));
    let step = steps
        .find(|step| long / step < LENGTHS)
        .unwrap_or(u64::MAX / 64);
    let rows: Value = lengths
        .buckets(step)
        .into_iter()
        .map(|(first, _, count)| json!([first, count]))
        .collect();
    json!({ "step": step, "count": long / step + 1, "rows": rows })
}

/// Returns the most frequent names, and how often programs wrote a placeholder instead of a name.
fn names(names: &TopK) -> Value {
    let (empty, mut top): (Vec<_>, Vec<_>) = names
        .top()
        .into_iter()
        .partition(|row| is_no_name(row.text));
    top.truncate(ROWS);
    json!({
        "total": names.total,
        "exact": names.is_exact(),
        "count": names.len(),
        "error": top.iter().map(|row| row.error).max().unwrap_or(0),
        "rows": top.iter().map(row_of).collect::<Value>(),
        "empty": empty.iter().map(row_of).collect::<Value>(),
    })
}

fn row_of(row: &Top<'_>) -> Value {
    json!([row.text, row.count, row.won, row.lost])
}

/// Returns whether programs write this text where no name was entered.
fn is_no_name(text: &str) -> bool {
    ["null", "none", "n/a", "?", "??", "-", "unknown"]
        .iter()
        .any(|name| text.eq_ignore_ascii_case(name))
}

/// Returns the players with the highest lower bound of the share of wins.
fn strongest(players: &TopK) -> Value {
    let top = players.top().into_iter();
    let rows = top.filter(|row| row.won + row.lost >= DECIDED && !is_no_name(row.text));
    let mut rows: Vec<_> = rows
        .filter_map(|row| Some((WinShare::of(row.won, row.won + row.lost)?.low, row)))
        .collect();
    rows.sort_by(|one, other| {
        other
            .0
            .total_cmp(&one.0)
            .then_with(|| one.1.text.cmp(other.1.text))
    });
    rows.iter().take(ROWS).map(|(_, row)| row_of(row)).collect()
}
