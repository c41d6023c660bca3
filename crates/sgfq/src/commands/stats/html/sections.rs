//! The sections of the page: a title, a picture and a note each. A section
//! without content is empty.

use std::fmt::Write as _;
use std::hash::Hash;

use sgfstream::adapt::stats::{Outcome, Stats, Tally, TopK};
use sgfstream::base::Severity;
use sgfstream::value::Color;

use super::charts::{Column, bars, columns, shares, step};
use crate::report::svg::{counted, escape, number};

/// Rows of a list.
const ROWS: usize = 20;

/// Dates outside of these years are typing errors for the most part. They are
/// counted below the picture, which has more space for the others.
const YEARS: std::ops::RangeInclusive<u16> = 1500..=2100;

pub(super) fn section(title: &str, picture: &str, note: &str) -> String {
    format!("<section><h3>{}</h3>{picture}<p class=\"dim\">{}</p></section>\n", escape(title), escape(note))
}

pub(super) fn overview(stats: &Stats) -> String {
    let count = stats.count();
    let problems = [Severity::Error, Severity::Warning, Severity::Note].map(|severity| stats.problems.of(severity));
    let facts = [
        ("files", stats.files),
        ("games", count.games),
        ("moves", count.moves()),
        ("nodes", count.nodes),
        ("variations", count.variations),
        ("bytes", stats.bytes),
        ("problems", problems.iter().sum()),
    ];
    let mut list = "<ul class=\"facts\">".to_owned();
    for (name, count) in facts {
        let counted = counted(count, name);
        let name = counted.rsplit(' ').next().unwrap_or(name);
        _ = write!(list, "<li><b>{}</b> {name}</li>", number(count));
    }
    list + "</ul>\n"
}

fn bars_section(title: &str, unit: &str, mut rows: Vec<(String, u64)>, note: &str) -> String {
    rows.retain(|row| row.1 > 0);
    if rows.is_empty() { String::new() } else { section(title, &bars(title, unit, &rows), note) }
}

/// How the bars of a tally are sorted.
#[derive(PartialEq, Eq)]
pub(super) enum Order {
    Count,
    Value,
}

/// The most frequent values.
pub(super) fn tally<K: Eq + Hash + Ord + Clone>(
    title: &str,
    tally: &Tally<K>,
    order: Order,
    name: impl Fn(&K) -> String,
) -> String {
    let mut most = tally.most();
    if most.is_empty() {
        return String::new();
    }
    let rest = most.split_off(most.len().min(ROWS)).iter().map(|row| row.1).sum::<u64>() + tally.other();
    if order == Order::Value {
        most.sort();
    }
    let mut rows: Vec<_> = most.into_iter().map(|(key, count)| (name(key), count)).collect();
    rows.extend([("others".to_owned(), rest), ("not said".to_owned(), tally.absent())]);
    rows.push(("not understood".to_owned(), tally.unreadable()));
    bars_section(title, "games", rows, "games")
}

pub(super) fn names(title: &str, names: &TopK, note: &str) -> String {
    let mut top = names.top();
    top.truncate(ROWS);
    let mut note = format!("{note}; a name was given {}", counted(names.total(), "times"));
    let error = top.iter().map(|row| row.error).max().unwrap_or(0);
    if error > 0 {
        _ = write!(note, "; more names than are remembered, so numbers may be up to {} too high", number(error));
    }
    bars_section(title, "games", top.into_iter().map(|row| (row.text.to_owned(), row.count)).collect(), &note)
}

/// Every year from the first to the last, by tens where they are many.
pub(super) fn years(title: &str, stats: &Stats) -> String {
    let year = &stats.facts.year;
    let mut counts = year.in_order();
    let mut outside = 0;
    if counts.iter().any(|(year, _)| YEARS.contains(year)) {
        outside = counts.iter().filter(|(year, _)| !YEARS.contains(year)).map(|row| row.1).sum();
        counts.retain(|(year, _)| YEARS.contains(year));
    }
    let (Some(&(&first, _)), Some(&(&last, _))) = (counts.first(), counts.last()) else { return String::new() };
    let step = match last - first {
        0..120 => 1,
        120..1000 => 10,
        _ => 100,
    };
    let column = |at: u16| {
        let label = (u32::from(at) * u32::from(step)).to_string();
        let name = if step > 1 { format!("{label}s") } else { label.clone() };
        Column { label, name, count: 0 }
    };
    let mut rows: Vec<_> = (first / step..=last / step).map(column).collect();
    for (year, count) in counts {
        rows[usize::from(year / step - first / step)].count += count;
    }
    let across = match step {
        1 => "year",
        10 => "years, by tens",
        _ => "years, by hundreds",
    };
    let mut note = format!("year of the first date; games without a date: {}", number(year.absent()));
    if year.unreadable() > 0 {
        _ = write!(note, ", with a date that cannot be read: {}", number(year.unreadable()));
    }
    if outside > 0 {
        _ = write!(note, ", not drawn because before {} or after {}: {}", YEARS.start(), YEARS.end(), number(outside));
    }
    section(title, &columns(title, across, &rows), &note)
}

pub(super) fn lengths(title: &str, stats: &Stats) -> String {
    let Some(median) = stats.lengths.quantile(0.5) else { return String::new() };
    // About forty columns up to what nearly all games have.
    let long = stats.lengths.quantile(0.99).unwrap_or(median);
    let step = step(|step| long / step < 40).unwrap_or(u64::MAX / 64);
    let most = (long / step + 1) * step;
    let column = |at: u64| {
        let (first, last) = (at * step, at * step + step - 1);
        let name = if step == 1 { format!("{first} moves") } else { format!("{first}–{last} moves") };
        Column { label: first.to_string(), name, count: 0 }
    };
    let mut rows: Vec<_> = (0..most / step).map(column).collect();
    let mut longer = 0;
    for (first, _, count) in stats.lengths.buckets(step) {
        match rows.get_mut((first / step) as usize) {
            Some(row) => row.count += count,
            None => longer += count,
        }
    }
    let mut note = format!("half of the games have at most {}", counted(median, "moves"));
    if longer > 0 {
        let max = number(stats.lengths.max().unwrap_or(0));
        _ = write!(note, "; not drawn because longer: {}, up to {max} moves", counted(longer, "games"));
    }
    section(title, &columns(title, "moves of the main line", &rows), &note)
}

pub(super) fn results(title: &str, stats: &Stats) -> String {
    let rows = Outcome::ALL.into_iter().map(|outcome| (words(outcome).to_owned(), stats.facts.outcomes.get(outcome)));
    bars_section(title, "games", rows.collect(), "games")
}

fn words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::BlackScore => "Black, by points",
        Outcome::BlackResign => "Black, White resigned",
        Outcome::BlackTime => "Black, on time",
        Outcome::BlackForfeit => "Black, by forfeit",
        Outcome::Black => "Black",
        Outcome::WhiteScore => "White, by points",
        Outcome::WhiteResign => "White, Black resigned",
        Outcome::WhiteTime => "White, on time",
        Outcome::WhiteForfeit => "White, by forfeit",
        Outcome::White => "White",
        Outcome::Draw => "draw",
        Outcome::Void => "no result",
        Outcome::Unknown => "unknown (?)",
        Outcome::Unreadable => "not understood",
        Outcome::Absent => "not said",
    }
}

pub(super) fn results_by_handicap(title: &str, stats: &Stats) -> String {
    let all = [Color::Black, Color::White].map(|color| stats.facts.outcomes.won_by(color));
    if all == [0, 0] {
        return String::new();
    }
    let rows = stats.facts.outcomes.by_handicap().into_iter();
    let rows: Vec<_> = rows
        .map(|row| {
            let name = match row.handicap.as_str() {
                "0" => "none".to_owned(),
                "1" => "1 stone".to_owned(),
                stones => format!("{stones} stones"),
            };
            (name, [row.black, row.white, row.draw, row.unknown])
        })
        .filter(|(_, counts)| counts.iter().sum::<u64>() > 0)
        .collect();
    section(title, &shares(title, &rows), "share of the games with each handicap; their number is on the right")
}

pub(super) fn problems(title: &str, stats: &Stats) -> String {
    let rows = stats.problems.most().into_iter();
    let rows = rows.map(|(code, count)| (format!("{} ({})", code.as_str(), code.severity().as_str()), count));
    let note = "how often each was found while reading; `sgfq check` finds more";
    match bars_section(title, "times", rows.collect(), note) {
        empty if empty.is_empty() => {
            section(title, "", "No problems were found while reading; `sgfq check` finds more.")
        }
        section => section,
    }
}
