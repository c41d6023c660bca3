//! Statistics as text: lists with the numbers first, so that long names do not break the columns.

use std::io::{self, Write};

use super::report::{Counts, StatsReport};
use crate::numbers::number as grouped;
use crate::safe::clean;
use sgfstream::Severity;
use sgfstream_adapt::stats::{BoardCounts, OpeningPosition, TopK};
use sgfstream_game::{BoardCell, Coordinates, Game};

/// Width of a bucket of the histogram of lengths.
const LENGTHS: u64 = 50;

/// Maximum characters of a bar.
const BAR: usize = 40;

/// Writes the report as text.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let StatsReport { stats, top, .. } = *report;
    totals(out, report)?;
    problems(out, report)?;
    if stats.games > 0 {
        tally(
            out,
            "games and boards, with the defaults if GM or SZ is missing",
            &report.board,
            top,
            str::to_owned,
        )?;
        writeln!(
            out,
            "\nThe next lists count declared values; (none) counts games without one."
        )?;
    }
    tally(out, "games (GM)", &report.gm, top, game)?;
    tally(out, "board sizes (SZ)", &report.sz, top, str::to_owned)?;
    tally(out, "versions (FF)", &report.ff, top, |ff| {
        format!("FF[{ff}]")
    })?;
    tally(out, "charsets (CA)", &report.ca, top, str::to_owned)?;
    tally(out, "programs (AP)", &report.ap, top, str::to_owned)?;
    list(
        out,
        "properties",
        &report.property.most(str::to_owned),
        stats.properties,
        top,
        0,
    )?;
    years(out, report)?;
    results(out, report)?;
    for (title, counts) in [
        ("handicap (HA)", &report.handicap),
        ("komi (KM)", &report.komi),
        ("rules (RU)", &report.rules),
        ("main time in seconds (TM)", &report.time),
        ("overtime (OT)", &report.overtime),
        ("ranks (BR, WR)", &report.rank),
    ] {
        tally(out, title, counts, top, str::to_owned)?;
    }
    let (games, facts) = (stats.games, &stats.facts);
    names(out, "players (PB, PW)", &facts.players, games, top)?;
    names(out, "events (EV)", &facts.events, games, top)?;
    lengths(out, report)?;
    openings(out, report)?;
    match stats.heat.boards().first() {
        Some(heat) if heat.moves() > 0 => heat_map(out, report, heat),
        _ => Ok(()),
    }
}

/// Returns a value of GM with the name of the game.
fn game(gm: &str) -> String {
    let game = Game::parse_lenient(gm.as_bytes()).value;
    if gm.parse::<i64>().is_ok() && game.number().is_some() {
        format!("{gm} {}", game.name())
    } else {
        gm.to_owned()
    }
}

fn totals(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let problems = [
        ("errors", Severity::Error),
        ("warnings", Severity::Warning),
        ("notes", Severity::Note),
    ];
    let problems = problems.map(|(name, severity)| (name, report.stats.problems.of(severity)));
    let rows = [&report.totals[..], &problems].concat();
    let width = rows
        .iter()
        .map(|row| grouped(row.1).len())
        .max()
        .unwrap_or(0);
    for (name, count) in rows {
        writeln!(out, "{name:<10}  {:>width$}", grouped(count))?;
    }
    Ok(())
}

fn problems(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let rows = report
        .problems
        .iter()
        .map(|(code, count)| (format!("{}: {code}", code.severity()), *count));
    let rows: Vec<_> = rows.collect();
    list(
        out,
        "problems",
        &rows,
        rows.iter().map(|row| row.1).sum(),
        report.top,
        0,
    )
}

/// Writes a list of values, the most frequent first, with the games without a value.
fn tally(
    out: &mut impl Write,
    title: &str,
    counts: &Counts,
    top: usize,
    name: impl Fn(&str) -> String,
) -> io::Result<()> {
    // If no game has the property, the list is left out.
    if counts.rows.is_empty() && counts.unreadable == 0 {
        return Ok(());
    }
    list(
        out,
        title,
        &counts.most(name),
        counts.total(),
        top,
        counts.other,
    )
}

/// Writes the first rows of a list with their shares of `total`, and the sum of the other rows.
/// `other` counts games that are in no row.
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
    let width = shown
        .iter()
        .map(|row| row.1)
        .chain([hidden_count])
        .map(|count| grouped(count).len())
        .max()
        .unwrap_or(0);
    for (name, count) in shown {
        writeln!(
            out,
            "  {:>width$}  {:>6}  {}",
            grouped(*count),
            share(*count, total),
            clean(name)
        )?;
    }
    if hidden_count > 0 {
        let (count, share, more) = (
            grouped(hidden_count),
            share(hidden_count, total),
            grouped(hidden.len() as u64),
        );
        let beyond = if other > 0 { " and others" } else { "" };
        writeln!(out, "  {count:>width$}  {share:>6}  ({more} more{beyond})")?;
    }
    Ok(())
}

/// Writes the games per year, or per decade if there are many years.
fn years(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let counts = &report.year;
    if counts.rows.is_empty() {
        return Ok(());
    }
    let mut rows: Vec<(String, u64)> = Vec::new();
    for row in &counts.rows {
        let name = match row.name.split_at(row.name.len() - 1) {
            (decade, _) if counts.rows.len() > report.top => format!("{decade}0s"),
            _ => row.name.clone(),
        };
        match rows.last_mut() {
            Some(last) if last.0 == name => last.1 += row.count,
            _ => rows.push((name, row.count)),
        }
    }
    rows.extend(counts.without_value());
    list(
        out,
        "years (DT)",
        &rows,
        counts.total(),
        usize::MAX,
        counts.other,
    )
}

fn results(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let name = |name: &str| {
        if matches!(name, "none" | "unreadable") {
            format!("({name})")
        } else {
            name.to_owned()
        }
    };
    tally(out, "results (RE)", &report.result, report.top, name)?;
    let rows = report.stats.facts.outcomes.by_handicap();
    if rows.iter().all(|row| row.black + row.white == 0) {
        return Ok(());
    }
    writeln!(
        out,
        "\nresults by handicap\n  handicap        B wins        W wins       draws     unknown     B wins"
    )?;
    for row in rows {
        let [black, white, draw, unknown] =
            [row.black, row.white, row.draw, row.unknown].map(grouped);
        let part = if row.black + row.white == 0 {
            String::new()
        } else {
            share(row.black, row.black + row.white)
        };
        writeln!(
            out,
            "  {:>8}  {black:>12}  {white:>12}  {draw:>10}  {unknown:>10}  {part:>9}",
            row.handicap
        )?;
    }
    Ok(())
}

fn names(
    out: &mut impl Write,
    title: &str,
    names: &TopK,
    games: u64,
    top: usize,
) -> io::Result<()> {
    // Beyond the capacity of `names`, the order of the last rows is random, so the list is short.
    let rows = names
        .top()
        .into_iter()
        .take(top.min(100))
        .map(|row| match row.error {
            0 => (row.text.to_owned(), row.count),
            error => (
                format!("{}  (at most {} too many)", row.text, grouped(error)),
                row.count,
            ),
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

fn lengths(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let lengths = &report.stats.lengths;
    let (Some(min), Some(max), Some(mean)) = (lengths.min(), lengths.max(), lengths.mean()) else {
        return Ok(());
    };
    let [low, median, high] =
        [0.1, 0.5, 0.9].map(|part| grouped(lengths.quantile(part).unwrap_or(0)));
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
        let (name, share) = (format!("{first}–{last}"), share(count, lengths.count));
        writeln!(
            out,
            "  {:>width$}  {share:>6}  {name:<12} {}",
            grouped(count),
            bar(count, most)
        )?;
    }
    Ok(())
}

fn openings(out: &mut impl Write, report: &StatsReport<'_>) -> io::Result<()> {
    let StatsReport { stats, top, .. } = *report;
    let openings = &stats.openings;
    // The board with the most games, and the next board if it has a tenth of all games.
    let boards = openings.boards.all.iter().take(2);
    for start in boards.filter(|start| start.tally.count * 10 >= stats.games) {
        let (board, games) = (start.board, start.tally.count);
        for depth in [1, stats.depth].into_iter().take(stats.depth.clamp(1, 2)) {
            let title = match depth {
                1 => format!("first moves, {board}"),
                depth => format!("openings of {depth} moves, {board}"),
            };
            let all = start.at(depth);
            let won = |after: &&OpeningPosition| {
                after
                    .tally
                    .black_share()
                    .map_or_else(String::new, |share| format!("Black won {share}"))
            };
            let width = all
                .iter()
                .take(top)
                .map(|after| won(after).len())
                .max()
                .unwrap_or(0);
            let row = |after: &OpeningPosition| {
                let moves = report.moves(start, after).join("  ");
                let won = won(&after);
                // Without results, the column of wins is left out.
                let won = if width == 0 {
                    won
                } else {
                    format!("{won:<width$}  ")
                };
                (won + &moves, after.tally.count)
            };
            list(
                out,
                &title,
                &all.into_iter().map(row).collect::<Vec<_>>(),
                games,
                top,
                0,
            )?;
        }
    }
    notes(
        out,
        &[
            (
                openings.with_setup,
                "games begin with setup stones and are not in these lists",
            ),
            (
                openings.left_out(),
                "games continue with moves beyond the limit of the lists",
            ),
            (
                openings.boards.on_others,
                "games are on boards beyond the limit of the lists",
            ),
        ],
    )
}

/// Writes the counts below a list, except zeros.
fn notes(out: &mut impl Write, notes: &[(u64, &str)]) -> io::Result<()> {
    for (count, what) in notes.iter().filter(|note| note.0 > 0) {
        writeln!(out, "  {} {what}", grouped(*count))?;
    }
    Ok(())
}

/// Writes the points of the board with the most moves, in five grades.
fn heat_map(out: &mut impl Write, report: &StatsReport<'_>, heat: &BoardCounts) -> io::Result<()> {
    let coordinates = report.coordinates;
    let Some((columns, rows)) = heat.size() else {
        let texts = heat
            .texts()
            .into_iter()
            .map(|(played, count)| (report.played(heat.board, &played), count));
        let texts: Vec<_> = texts.collect();
        return list(
            out,
            &format!("moves, {}", heat.board),
            &texts,
            heat.moves(),
            report.top,
            heat.other,
        );
    };
    writeln!(
        out,
        "\nmove locations, {}: {} moves",
        heat.board,
        grouped(heat.moves())
    )?;
    let both = |column, row| heat.get(1, column, row) + heat.get(2, column, row);
    let mut counts: Vec<u64> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| both(column, row)))
        .collect();
    counts.sort_unstable();
    // The grades go by rank, because the counts themselves differ too much or too little: about a
    // quarter of the points each, and a fifth grade for the top 6%.
    let bounds =
        [0.25, 0.5, 0.75, 0.94].map(|part| counts[((counts.len() - 1) as f64 * part) as usize]);
    let dialect = heat.board.dialect();
    let name = |column, row| {
        dialect
            .show_point_in(BoardCell::new(column, row), coordinates)
            .to_string()
    };
    let is_pair = coordinates == Coordinates::Sgf
        || name(0, 0).ends_with(|char: char| char.is_ascii_alphabetic());
    let letter = |at| {
        sgfstream_game::board::index_letter(at)
            .unwrap_or(' ')
            .to_string()
    };
    let column_name = |at: u16| {
        if is_pair {
            letter(at)
        } else {
            name(at, 0)
                .trim_end_matches(|char: char| char.is_ascii_digit())
                .to_owned()
        }
    };
    let row_name = |at: u16| {
        if is_pair {
            letter(at)
        } else {
            name(0, at)
                .trim_start_matches(|char: char| char.is_ascii_alphabetic())
                .to_owned()
        }
    };
    let letters: String = (0..columns)
        .map(|column| format!("{:>2}", column_name(column as u16)))
        .collect();
    writeln!(out, "   {letters}")?;
    for row in 0..rows {
        let cell = |column| match both(column, row) {
            0 => "  ",
            count => [" ·", "░░", "▒▒", "▓▓", "██"]
                [bounds.iter().filter(|&&bound| count > bound).count()],
        };
        let cells: String = (0..columns).map(cell).collect();
        writeln!(out, "{:>3} {}", row_name(row as u16), cells.trim_end())?;
    }
    let passes = heat.passes(1) + heat.passes(2);
    notes(
        out,
        &[
            (passes, "passes"),
            (heat.off_board, "moves off the board"),
            (heat.other, "other moves"),
        ],
    )
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
    use sgfstream::SliceReader;
    use sgfstream::record::GameReader;
    use sgfstream_adapt::stats::Stats;

    #[test]
    fn a_summary() {
        let mut stats = Stats::default();
        let game =
            b"(;GM[1]FF[4]SZ[9]PB[\xe9\x9b\xaa\x1b[31m]RE[B+R]KM[6.5];B[ee];W[gc](;B[cc])(;B[gg]))";
        stats
            .add_all(&mut GameReader::new(SliceReader::new(game)))
            .expect("no limit is set");
        let mut out = Vec::new();
        write(&mut out, &StatsReport::new(&stats, 10, Coordinates::Sgf)).expect("a Vec takes all");
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
        write(
            &mut out,
            &StatsReport::new(&Stats::default(), 10, Coordinates::Sgf),
        )
        .expect("a Vec takes all");
        assert_eq!(String::from_utf8(out).expect("UTF-8").lines().count(), 11);
    }
}
