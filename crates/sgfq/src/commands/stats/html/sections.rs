//! The sections of the page: a title, a picture and a note each. A section
//! without content is empty.

use std::fmt::Write as _;
use std::hash::Hash;
use std::ops::RangeInclusive;

use sgfstream_adapt::stats::{Outcome, Stats, Tally, Top, TopK, WinShare};
use sgfstream_game::value::Color;

use super::super::words;
use super::charts::{Column, Wins, bars, columns, parts, step, wins};
use crate::report::svg::{counted, escape, number};

/// Rows of a list.
const ROWS: usize = 10;

/// Dates outside of these years are typing errors for the most part. They are
/// counted below the picture, which has more space for the others.
const YEARS: RangeInclusive<u16> = 1500..=2100;

/// Decided games that a player has at least, to be among the strongest.
const DECIDED: u64 = 10;

pub(super) fn section(title: &str, picture: &str, note: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!("<p class=\"dim\">{}</p>", escape(note)) };
    format!("<section><h3>{}</h3>{picture}{note}</section>\n", escape(title))
}

/// The sentence below the title: how many games, of what, of which years.
pub(super) fn summary(stats: &Stats) -> String {
    let facts = &stats.facts;
    let games = stats.count().games;
    let most = facts.boards.most();
    let of = match most.first() {
        Some((board, count)) if *count == games => format!(" of {board}"),
        Some((board, count)) if count * 10 >= games * 9 => format!(", nearly all of {board}"),
        _ => String::new(),
    };
    let years: Vec<u16> = known_years(stats).into_iter().map(|row| row.0).collect();
    let years = match (years.first(), years.last()) {
        (Some(first), Some(last)) if first < last => format!(", from {first} to {last}"),
        (Some(year), _) => format!(", from {year}"),
        _ => String::new(),
    };
    format!("{}{of}{years}", counted(games, "games"))
}

pub(super) fn overview(stats: &Stats) -> String {
    let (count, facts) = (stats.count(), &stats.facts);
    let decided: u64 = [Color::Black, Color::White].map(|color| facts.outcomes.won_by(color)).iter().sum();
    let players = if facts.players.is_exact() { facts.players.len() as u64 } else { 0 };
    let rows = [
        ("games", count.games),
        ("decided", decided),
        ("players", players),
        ("moves", count.moves()),
        ("nodes", count.nodes),
        ("variations", count.variations),
        ("files", stats.files),
        ("bytes", stats.bytes),
    ];
    let mut list = "<ul class=\"facts\">".to_owned();
    for (name, count) in rows.into_iter().filter(|(name, count)| *count > 0 || *name == "games") {
        let text = match name {
            "bytes" if count >= 1 << 20 => format!("{:.1} MiB", count as f64 / f64::from(1 << 20)),
            _ => number(count),
        };
        let name = match name {
            "bytes" if count >= 1 << 20 => "of SGF",
            name if count == 1 => name.strip_suffix('s').unwrap_or(name),
            name => name,
        };
        _ = write!(list, "<li><b>{text}</b> {name}</li>");
    }
    list + "</ul>\n"
}

/// Adds to a note the games that are in no row.
fn add_missing(note: &mut String, absent: u64, unreadable: u64) {
    let mut add = |count: u64, one: &str, many: &str| {
        if count > 0 {
            let verb = if count == 1 { one } else { many };
            _ = write!(note, "{}{} {verb}.", if note.is_empty() { "" } else { " " }, counted(count, "games"));
        }
    };
    add(absent, "does not say", "do not say");
    add(unreadable, "has a value that cannot be read", "have a value that cannot be read");
}

/// How the bars of a tally are sorted.
#[derive(Clone, Copy, PartialEq, Eq)]
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
    most.retain(|row| row.1 > 0);
    if most.is_empty() {
        return String::new();
    }
    // A last row for one value would be as long as that value.
    let shown = if most.len() == ROWS + 1 && tally.other() == 0 { ROWS + 1 } else { ROWS };
    let hidden = most.split_off(most.len().min(shown));
    let rest = hidden.iter().map(|row| row.1).sum::<u64>() + tally.other();
    if order == Order::Value {
        most.sort();
    }
    let total = tally.total() - tally.absent() - tally.unreadable();
    let mut rows: Vec<_> = most.into_iter().map(|(key, count)| (name(key), count)).collect();
    if rest > 0 {
        rows.push((format!("{} others", number(hidden.len() as u64)), rest));
    }
    let mut note = String::new();
    add_missing(&mut note, tally.absent(), tally.unreadable());
    section(title, &bars("games", &rows, total), &note)
}

/// A game without HA is played without handicap.
pub(super) fn handicap(title: &str, stats: &Stats) -> String {
    let rows = stats.facts.outcomes.by_handicap().into_iter();
    let rows: Vec<_> =
        rows.map(|row| (stones(&row.handicap), row.black + row.white + row.draw + row.unknown)).collect();
    if rows.len() < 2 {
        return String::new();
    }
    let note = match stats.facts.handicap.absent() {
        0 => String::new(),
        absent => format!("{} without a handicap in the record are counted as even.", counted(absent, "games")),
    };
    section(title, &bars("games", &rows, stats.count().games), &note)
}

fn stones(handicap: &str) -> String {
    match handicap {
        "0" => "none".to_owned(),
        "1" => "1 stone".to_owned(),
        stones => format!("{stones} stones"),
    }
}

/// Which names are there most often; of players, also how many games they won.
pub(super) fn names(title: &str, names: &TopK, are_players: bool) -> String {
    let (empty, mut top): (Vec<_>, Vec<_>) = names.top().into_iter().partition(|row| is_no_name(row.text));
    top.truncate(ROWS);
    if top.is_empty() {
        return String::new();
    }
    let empty: Vec<_> = empty.iter().map(|row| format!("“{}” ({})", row.text, counted(row.count, "times"))).collect();
    let mut note = String::new();
    let error = top.iter().map(|row| row.error).max().unwrap_or(0);
    if error > 0 {
        note = format!("There are more names than are remembered: numbers may be up to {} too high.", number(error));
    }
    if !empty.is_empty() {
        _ = write!(note, "{}Not shown: {}.", if note.is_empty() { "" } else { " " }, empty.join(", "));
    }
    let picture = match are_players && top.iter().any(|row| row.won + row.lost > 0) {
        true => {
            let rows: Vec<_> = top.iter().map(wins_of).collect();
            wins("won", &rows)
        }
        false => {
            let rows: Vec<_> = top.iter().map(|row| (row.text.to_owned(), row.count)).collect();
            bars("games", &rows, names.total())
        }
    };
    section(title, &picture, &note)
}

/// True for a name that programs write where nothing was entered.
fn is_no_name(text: &str) -> bool {
    ["null", "none", "n/a", "?", "??", "-", "unknown"].iter().any(|name| text.eq_ignore_ascii_case(name))
}

fn wins_of(row: &Top<'_>) -> Wins {
    Wins { name: row.text.to_owned(), games: row.count, won: row.won, lost: row.lost }
}

/// The players who won the most of their games, where there are enough.
pub(super) fn strongest(title: &str, stats: &Stats) -> String {
    let top = stats.facts.players.top().into_iter();
    let mut rows: Vec<_> = top
        .filter(|row| row.won + row.lost >= DECIDED && !is_no_name(row.text))
        .filter_map(|row| Some((WinShare::of(row.won, row.won + row.lost)?.low, row)))
        .collect();
    rows.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.text.cmp(other.1.text)));
    rows.truncate(ROWS);
    if rows.len() < 3 {
        return String::new();
    }
    let rows: Vec<_> = rows.iter().map(|(_, row)| wins_of(row)).collect();
    let note = "Sorted by the lower end of the 95 % interval of the wins, so that a few games do not make a champion. \
                Who the opponents were is not taken into account.";
    section(title, &wins("won", &rows), note)
}

/// The years that are no typing errors, with their games, in order.
fn known_years(stats: &Stats) -> Vec<(u16, u64)> {
    let all: Vec<(u16, u64)> = stats.facts.year.in_order().into_iter().map(|(year, count)| (*year, count)).collect();
    let known: Vec<_> = all.iter().copied().filter(|(year, _)| YEARS.contains(year)).collect();
    if known.is_empty() { all } else { known }
}

/// Every year from the first to the last, by tens where they are many.
pub(super) fn years(title: &str, stats: &Stats) -> String {
    let year = &stats.facts.year;
    let counts = known_years(stats);
    let (Some(&(first, _)), Some(&(last, _))) = (counts.first(), counts.last()) else { return String::new() };
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
    let mut drawn = 0;
    for (year, count) in counts {
        rows[usize::from(year / step - first / step)].count += count;
        drawn += count;
    }
    let across = match step {
        1 => "year",
        10 => "decade",
        _ => "century",
    };
    let mut note = String::new();
    add_missing(&mut note, year.absent(), year.unreadable());
    let outside = year.in_order().into_iter().map(|row| row.1).sum::<u64>() - drawn;
    if outside > 0 {
        let (first, last) = (YEARS.start(), YEARS.end());
        _ = write!(note, " {} from before {first} or after {last} are not drawn.", counted(outside, "games"));
    }
    section(title, &columns(title, across, &rows), note.trim_start())
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
    let mut note = format!("Half of the games have {} or fewer.", counted(median, "moves"));
    if longer > 0 {
        let max = counted(stats.lengths.max().unwrap_or(0), "moves");
        _ = write!(note, " {} are longer than the chart; the longest has {max}.", counted(longer, "games"));
    }
    section(title, &columns(title, "moves of the main line", &rows), &note)
}

/// Who won, and how.
pub(super) fn results(title: &str, stats: &Stats) -> String {
    let outcomes = &stats.facts.outcomes;
    let sum = |all: &[Outcome]| all.iter().map(|outcome| outcomes.get(*outcome)).sum::<u64>();
    if stats.count().games == 0 {
        return String::new();
    }
    let who = [
        ("black", "Black won", outcomes.won_by(Color::Black)),
        ("white", "White won", outcomes.won_by(Color::White)),
        ("draw", "no winner", sum(&[Outcome::Draw, Outcome::Void])),
        ("unknown", "not known", sum(&[Outcome::Unknown, Outcome::Unreadable, Outcome::Absent])),
    ];
    use Outcome::{BlackForfeit, BlackResign, BlackScore, BlackTime, WhiteForfeit, WhiteResign, WhiteScore, WhiteTime};
    let how = [
        ("by points", [BlackScore, WhiteScore]),
        ("by resignation", [BlackResign, WhiteResign]),
        ("on time", [BlackTime, WhiteTime]),
        ("by forfeit", [BlackForfeit, WhiteForfeit]),
        ("not said how", [Outcome::Black, Outcome::White]),
    ];
    let rows: Vec<_> = how.iter().map(|(name, both)| ((*name).to_owned(), sum(both))).filter(|row| row.1 > 0).collect();
    let decided = rows.iter().map(|row| row.1).sum();
    let how = if rows.is_empty() { String::new() } else { bars("games", &rows, decided) };
    let mut note = String::new();
    add_missing(&mut note, outcomes.get(Outcome::Absent), outcomes.get(Outcome::Unreadable));
    section(title, &(parts(&who) + &how), &note)
}

/// How often Black won, for rows with decided games.
pub(super) fn black_wins(title: &str, rows: Vec<Wins>, note: &str) -> String {
    // One game in a thousand says nothing.
    let decided = |row: &Wins| row.won + row.lost;
    let least = (rows.iter().map(decided).sum::<u64>() / 1000).max(1);
    let rows: Vec<_> = rows.into_iter().filter(|row| decided(row) >= least).take(ROWS + 1).collect();
    if rows.is_empty() { String::new() } else { section(title, &wins("Black won", &rows), note) }
}

pub(super) fn wins_by_handicap(title: &str, stats: &Stats) -> String {
    let rows = stats.facts.outcomes.by_handicap().into_iter().map(|row| Wins {
        name: stones(&row.handicap),
        games: row.black + row.white + row.draw + row.unknown,
        won: row.black,
        lost: row.white,
    });
    let rows: Vec<_> = rows.collect();
    if rows.len() < 2 { String::new() } else { black_wins(title, rows, "") }
}

pub(super) fn wins_by_komi(title: &str, stats: &Stats) -> String {
    let komi = &stats.facts.komi;
    let mut most = komi.most();
    most.retain(|(key, _)| komi.wins(*key) != [0; 2]);
    most.truncate(ROWS);
    most.sort();
    let rows = most.into_iter().map(|(key, games)| {
        let [won, lost] = komi.wins(key);
        Wins { name: words::komi(key), games, won, lost }
    });
    black_wins(title, rows.collect(), "")
}

pub(super) fn wins_by_year(title: &str, stats: &Stats) -> String {
    let year = &stats.facts.year;
    let counts: Vec<_> = known_years(stats).into_iter().filter(|(key, _)| year.wins(key) != [0; 2]).collect();
    let (Some(&(first, _)), Some(&(last, _))) = (counts.first(), counts.last()) else { return String::new() };
    let by = step(|step| u64::from(last) / step - u64::from(first) / step < ROWS as u64).unwrap_or(1);
    let mut rows: Vec<Wins> = Vec::new();
    for (key, games) in counts {
        let start = u64::from(key) / by * by;
        let name = if by == 1 { start.to_string() } else { format!("{start}–{}", start + by - 1) };
        if rows.last().is_none_or(|row| row.name != name) {
            rows.push(Wins { name, games: 0, won: 0, lost: 0 });
        }
        let row = rows.last_mut().expect("pushed above");
        let [won, lost] = year.wins(&key);
        (row.games, row.won, row.lost) = (row.games + games, row.won + won, row.lost + lost);
    }
    black_wins(title, rows, "")
}

/// Main time in seconds, as people say it.
pub(super) fn duration(&seconds: &i64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let parts = [(hours, "h"), (minutes, "min"), (rest, "s")];
    let parts: Vec<_> =
        parts.iter().filter(|part| part.0 != 0).map(|(count, unit)| format!("{count} {unit}")).collect();
    if parts.is_empty() { "none".to_owned() } else { parts.join(" ") }
}

pub(super) fn problems(title: &str, stats: &Stats) -> String {
    let most = stats.problems.most();
    let total = most.iter().map(|row| row.1).sum();
    let rows = most.into_iter().filter(|row| row.1 > 0);
    let rows: Vec<_> =
        rows.map(|(code, count)| (format!("{} ({})", code.as_str(), code.severity().as_str()), count)).collect();
    if rows.is_empty() {
        return section(title, "", "No problems were found while reading. `sgfq check` looks for more.");
    }
    section(
        title,
        &bars("times", &rows, total),
        "Found while reading. `sgfq explain CODE` says more; `sgfq check` finds more.",
    )
}
