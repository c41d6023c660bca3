//! Statistics for a person: lists with the numbers first, so that names of any
//! width leave them aligned.

use std::cmp::Reverse;
use std::hash::Hash;
use std::io::{self, Write};

use super::words;
use crate::report::{svg, terminal::clean};
use sgfstream::{Code, Severity};
use sgfstream_adapt::stats::{BoardCounts, OpeningPosition, Outcome, Stats, Tally, TopK};
use sgfstream_game::value::Color;
use sgfstream_game::{Coordinates, Dialect, Field};

/// Width of a row of the histogram of lengths.
const LENGTHS: u64 = 50;

/// Cells of the longest bar.
const BAR: usize = 40;

pub(super) fn write(out: &mut impl Write, stats: &Stats, top: usize, coordinates: Coordinates) -> io::Result<()> {
    totals(out, stats)?;
    let games = stats.count().games;
    problems(out, stats, top)?;
    let facts = &stats.facts;
    tally(out, "games (GM)", &facts.gm, top, words::game)?;
    tally(out, "board sizes (SZ)", &facts.sz, top, words::size)?;
    tally(out, "versions (FF)", &facts.ff, top, |ff| format!("FF[{ff}]"))?;
    tally(out, "charsets (CA)", &facts.ca, top, String::clone)?;
    tally(out, "programs (AP)", &facts.ap, top, String::clone)?;
    let idents = stats.idents.most();
    list(out, "properties", &idents, stats.count().properties, top, 0)?;
    years(out, stats, top)?;
    results(out, stats, top)?;
    tally(out, "handicap (HA)", &facts.handicap, top, i64::to_string)?;
    tally(out, "komi (KM)", &facts.komi, top, words::komi)?;
    tally(out, "rules (RU)", &facts.rules, top, String::clone)?;
    tally(out, "main time in seconds (TM)", &facts.time, top, i64::to_string)?;
    tally(out, "overtime (OT)", &facts.overtime, top, String::clone)?;
    tally(out, "ranks (BR, WR)", &facts.ranks, top, ToString::to_string)?;
    names(out, "players (PB, PW)", &facts.players, games, top)?;
    names(out, "events (EV)", &facts.events, games, top)?;
    lengths(out, stats)?;
    openings(out, stats, top, coordinates)?;
    match stats.heat.boards().first() {
        Some(heat) if heat.moves() > 0 => heat_map(out, heat, top, coordinates),
        _ => Ok(()),
    }
}

fn totals(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    let count = stats.count();
    let rows = [
        ("files", stats.files),
        ("games", count.games),
        ("nodes", count.nodes),
        ("moves", count.moves()),
        ("variations", count.variations),
        ("properties", count.properties),
        ("values", count.values),
        ("bytes", stats.bytes),
        ("errors", stats.problems.of(Severity::Error)),
        ("warnings", stats.problems.of(Severity::Warning)),
        ("notes", stats.problems.of(Severity::Note)),
    ];
    let width = rows.iter().map(|row| grouped(row.1).len()).max().unwrap_or(0);
    for (name, count) in rows {
        writeln!(out, "{name:<10}  {:>width$}", grouped(count))?;
    }
    Ok(())
}

fn problems(out: &mut impl Write, stats: &Stats, top: usize) -> io::Result<()> {
    let row = |(code, count): (Code, u64)| (format!("{}: {code}", code.severity()), count);
    let rows: Vec<_> = stats.problems.most().into_iter().map(row).collect();
    let total = rows.iter().map(|row| row.1).sum();
    list(out, "problems", &rows, total, top, 0)
}

/// A list of values, the most frequent first, with the games that have none.
fn tally<K: Eq + Hash + Ord + Clone>(
    out: &mut impl Write,
    title: &str,
    tally: &Tally<K>,
    top: usize,
    name: impl Fn(&K) -> String,
) -> io::Result<()> {
    // There is no list of values that no game has.
    if tally.is_empty() && tally.unreadable() == 0 {
        return Ok(());
    }
    let known = tally.most().into_iter().map(|(key, count)| (name(key), count));
    let mut rows: Vec<_> = known.chain(without_value(tally)).collect();
    rows.sort_by_key(|row| Reverse(row.1));
    list(out, title, &rows, tally.total(), top, tally.other())
}

fn without_value<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>) -> impl Iterator<Item = (String, u64)> {
    let rows = [("(none)", tally.absent()), ("(unreadable)", tally.unreadable())];
    rows.into_iter().filter(|row| row.1 > 0).map(|(name, count)| (name.to_owned(), count))
}

/// The first rows of a list, with their share of `total`, and the sum of the
/// others; `other` is a count that is in no row.
fn list(
    out: &mut impl Write,
    title: &str,
    rows: &[(String, u64)],
    total: u64,
    top: usize,
    other: u64,
) -> io::Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}")?;
    let (shown, hidden) = rows.split_at(top.min(rows.len()));
    let hidden_count: u64 = hidden.iter().map(|row| row.1).sum::<u64>() + other;
    let width =
        shown.iter().map(|row| row.1).chain([hidden_count]).map(|count| grouped(count).len()).max().unwrap_or(0);
    for (name, count) in shown {
        writeln!(out, "  {:>width$}  {:>6}  {}", grouped(*count), share(*count, total), clean(name))?;
    }
    if hidden_count > 0 {
        let (count, share, more) = (grouped(hidden_count), share(hidden_count, total), grouped(hidden.len() as u64));
        let beyond = if other > 0 { " and others" } else { "" };
        writeln!(out, "  {count:>width$}  {share:>6}  ({more} more{beyond})")?;
    }
    Ok(())
}

/// Years, or where there are many, decades.
fn years(out: &mut impl Write, stats: &Stats, top: usize) -> io::Result<()> {
    let tally = &stats.facts.year;
    if tally.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<(String, u64)> = Vec::new();
    let by_decade = tally.len() > top;
    for (&year, count) in tally.in_order() {
        let name = if by_decade { format!("{}s", year / 10 * 10) } else { year.to_string() };
        match rows.last_mut() {
            Some(last) if last.0 == name => last.1 += count,
            _ => rows.push((name, count)),
        }
    }
    rows.extend(without_value(tally));
    list(out, "years (DT)", &rows, tally.total(), usize::MAX, tally.other())
}

fn results(out: &mut impl Write, stats: &Stats, top: usize) -> io::Result<()> {
    let outcomes = &stats.facts.outcomes;
    let name = |outcome: Outcome| match outcome {
        Outcome::Absent | Outcome::Unreadable => format!("({})", outcome.as_str()),
        _ => outcome.as_str().to_owned(),
    };
    let mut rows: Vec<_> = Outcome::ALL.into_iter().map(|outcome| (name(outcome), outcomes.get(outcome))).collect();
    rows.retain(|row| row.1 > 0);
    rows.sort_by_key(|row| Reverse(row.1));
    let total = rows.iter().map(|row| row.1).sum();
    list(out, "results (RE)", &rows, total, top, 0)?;
    let (black, white) = (outcomes.won_by(Color::Black), outcomes.won_by(Color::White));
    if black + white == 0 {
        return Ok(());
    }
    writeln!(out, "\nresults by handicap\n  handicap        B wins        W wins       draws     unknown     B wins")?;
    for row in outcomes.by_handicap() {
        let [black, white, draw, unknown] = [row.black, row.white, row.draw, row.unknown].map(grouped);
        let part = if row.black + row.white == 0 { String::new() } else { share(row.black, row.black + row.white) };
        writeln!(out, "  {:>8}  {black:>12}  {white:>12}  {draw:>10}  {unknown:>10}  {part:>9}", row.handicap)?;
    }
    Ok(())
}

fn names(out: &mut impl Write, title: &str, names: &TopK, games: u64, top: usize) -> io::Result<()> {
    // Beyond the capacity, the end of the list is chance.
    let rows = names.top().into_iter().take(top.min(100)).map(|row| match row.error {
        0 => (row.text.to_owned(), row.count),
        error => (format!("{}  (at most {} too many)", row.text, grouped(error)), row.count),
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return Ok(());
    }
    list(out, title, &rows, games, usize::MAX, 0)?;
    if names.len() > rows.len() || !names.is_exact() {
        let more = if names.is_exact() { "" } else { "more than " };
        writeln!(out, "  of {more}{} names", grouped(names.len() as u64))?;
    }
    Ok(())
}

fn lengths(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    let lengths = &stats.lengths;
    let (Some(min), Some(max), Some(mean)) = (lengths.min(), lengths.max(), lengths.mean()) else {
        return Ok(());
    };
    let [low, median, high] = [0.1, 0.5, 0.9].map(|part| grouped(lengths.quantile(part).unwrap_or(0)));
    let (min, max) = (grouped(min), grouped(max));
    writeln!(out, "\nmoves of the main line")?;
    writeln!(
        out,
        "  least {min}, one in ten up to {low}, median {median}, mean {mean:.1}, nine in ten up to {high}, most {max}"
    )?;
    let rows = lengths.buckets(LENGTHS);
    let most = rows.iter().map(|row| row.2).max().unwrap_or(0);
    let width = grouped(most).len();
    for (first, last, count) in rows {
        let (name, share) = (format!("{first}–{last}"), share(count, lengths.count()));
        writeln!(out, "  {:>width$}  {share:>6}  {name:<12} {}", grouped(count), bar(count, most))?;
    }
    Ok(())
}

fn openings(out: &mut impl Write, stats: &Stats, top: usize, coordinates: Coordinates) -> io::Result<()> {
    let openings = &stats.openings;
    // The board with the most games, and the next if it is a tenth of all.
    let boards = openings.boards.all.iter().take(2);
    for start in boards.filter(|start| start.tally.count * 10 >= stats.count().games) {
        let (board, games, dialect) = (start.board, start.tally.count, start.dialect());
        for depth in [1, stats.depth()].into_iter().take(stats.depth().clamp(1, 2)) {
            let title = match depth {
                1 => format!("first moves, {board}"),
                depth => format!("openings of {depth} moves, {board}"),
            };
            let all = start.at(depth);
            let won = |after: &&OpeningPosition| {
                after.tally.black_share().map_or_else(String::new, |share| format!("Black won {share}"))
            };
            let width = all.iter().take(top).map(|after| won(after).len()).max().unwrap_or(0);
            let row = |after: &OpeningPosition| {
                let moves = after.line.iter().map(|played| played.text(&dialect, coordinates));
                let moves = moves.collect::<Vec<_>>().join("  ");
                let won = won(&after);
                // Without results there is no column of them.
                let won = if width == 0 { won } else { format!("{won:<width$}  ") };
                (won + &moves, after.tally.count)
            };
            list(out, &title, &all.into_iter().map(row).collect::<Vec<_>>(), games, top, 0)?;
        }
    }
    notes(
        out,
        &[
            (openings.with_setup, "games that begin with setup stones are not in these lists"),
            (openings.left_out(), "games continue with moves beyond the limit of the lists"),
            (openings.boards.on_others, "games are on boards beyond the limit of the lists"),
        ],
    )
}

/// Counts below a list, each if it is not 0.
fn notes(out: &mut impl Write, notes: &[(u64, &str)]) -> io::Result<()> {
    for (count, what) in notes.iter().filter(|note| note.0 > 0) {
        writeln!(out, "  {} {what}", grouped(*count))?;
    }
    Ok(())
}

/// The points of the board with the most moves, in five grades.
fn heat_map(out: &mut impl Write, heat: &BoardCounts, top: usize, coordinates: Coordinates) -> io::Result<()> {
    let Some((columns, rows)) = heat.size() else {
        let texts: Vec<_> = heat
            .texts()
            .into_iter()
            .map(|(played, count)| (words::played(heat.board(), &played, coordinates), count))
            .collect();
        return list(out, &format!("moves, {}", heat.board()), &texts, heat.moves(), top, heat.other());
    };
    writeln!(out, "\nwhere moves are, {}: {} moves", heat.board(), grouped(heat.moves()))?;
    let both = |column, row| heat.get(1, column, row) + heat.get(2, column, row);
    let mut counts: Vec<u64> = (0..rows).flat_map(|row| (0..columns).map(move |column| both(column, row))).collect();
    counts.sort_unstable();
    // By rank, since counts differ too much or too little: a quarter of the points each, and the most of all.
    let bounds = [0.25, 0.5, 0.75, 0.94].map(|part| counts[((counts.len() - 1) as f64 * part) as usize]);
    let dialect = Dialect::new(heat.board().game, heat.board().size);
    let name = |column, row| dialect.show_point_in(Field::new(column, row), coordinates).to_string();
    let is_pair = coordinates == Coordinates::Sgf || name(0, 0).ends_with(|char: char| char.is_ascii_alphabetic());
    let letter = |at| sgfstream_game::index_letter(at).unwrap_or(' ').to_string();
    let column_name = |at: u16| {
        if is_pair { letter(at) } else { name(at, 0).trim_end_matches(|char: char| char.is_ascii_digit()).to_owned() }
    };
    let row_name = |at: u16| {
        if is_pair {
            letter(at)
        } else {
            name(0, at).trim_start_matches(|char: char| char.is_ascii_alphabetic()).to_owned()
        }
    };
    let letters: String = (0..columns).map(|column| format!("{:>2}", column_name(column as u16))).collect();
    writeln!(out, "   {letters}")?;
    for row in 0..rows {
        let cell = |column| match both(column, row) {
            0 => "  ",
            count => [" ·", "░░", "▒▒", "▓▓", "██"][bounds.iter().filter(|&&bound| count > bound).count()],
        };
        let cells: String = (0..columns).map(cell).collect();
        writeln!(out, "{:>3} {}", row_name(row as u16), cells.trim_end())?;
    }
    let passes = heat.passes(1) + heat.passes(2);
    notes(out, &[(passes, "passes"), (heat.off_board(), "moves off the board"), (heat.other(), "other moves")])
}

fn grouped(number: u64) -> String {
    svg::grouped(number, ',')
}

fn share(count: u64, total: u64) -> String {
    format!("{:.1}%", count as f64 * 100.0 / total.max(1) as f64)
}

fn bar(count: u64, most: u64) -> String {
    let cells = (u128::from(count) * BAR as u128).div_ceil(u128::from(most.max(1)));
    "█".repeat(usize::try_from(cells).unwrap_or(BAR).min(BAR))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sgfstream::{EventReader, SliceReader};

    #[test]
    fn a_summary() {
        let mut stats = Stats::default();
        let game = b"(;GM[1]FF[4]SZ[9]PB[\xe9\x9b\xaa\x1b[31m]RE[B+R]KM[6.5];B[ee];W[gc](;B[cc])(;B[gg]))";
        SliceReader::new(game).drive(&mut stats).expect("no limit is set");
        stats.end_input(game.len() as u64);
        let mut out = Vec::new();
        write(&mut out, &stats, 10, Coordinates::Sgf).expect("a Vec takes all");
        let text = String::from_utf8(out).expect("UTF-8");
        for line in [
            "games        1",
            "  1  100.0%  1 Go",
            "  1  100.0%  B+R",
            "  1  100.0%  雪\\u{1b}[31m",
            "  1  100.0%  Black won 100 % (21-100)  B ee",
        ] {
            assert!(text.lines().any(|other| other == line), "{line}\n{text}");
        }
        assert!(!text.contains('\x1b'));
    }

    #[test]
    fn nothing_at_all() {
        let mut out = Vec::new();
        write(&mut out, &Stats::default(), 10, Coordinates::Sgf).expect("a Vec takes all");
        assert_eq!(String::from_utf8(out).expect("UTF-8").lines().count(), 11);
    }
}
