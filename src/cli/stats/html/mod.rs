//! `sgfq stats --html`: one page that needs nothing else, no network, no
//! script. The pictures are SVG; what comes from files is text, never markup.

mod heat;
mod openings;
mod svg;

use std::fmt::Write as _;
use std::hash::Hash;
use std::io::{self, Write};

use crate::adapt::stats::{Stats, Tally, TopK};
use crate::base::Severity;
use crate::game::Game;
use crate::value::{BoardSize, Color};

use svg::{bars, columns, escape, number, shares};

/// Boards that are drawn, if there are not more games.
const BOARDS: usize = 12;

/// Rows of a list.
const ROWS: usize = 20;

pub(super) fn write(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    let mut page = Page::default();
    let facts = &stats.facts;
    page.section("Games", &tally(&facts.gm, |gm| super::text::game_name(gm)));
    page.section("Games by year", &years(stats));
    page.section("Length of main lines", &lengths(stats));
    page.section("Results", &results(stats));
    page.section("Results by handicap", &results_by_handicap(stats));
    page.section("Handicap", &tally_in_order(&facts.handicap, i64::to_string));
    page.section("Komi", &tally_in_order(&facts.komi, |&hundredths| (hundredths as f64 / 100.0).to_string()));
    page.section("Board sizes", &tally(&facts.sz, |&(columns, rows)| BoardSize::new(columns, rows).to_string()));
    page.section("Players", &names(&facts.players));
    page.section("Events", &names(&facts.events));
    page.section("Programs", &tally(&facts.ap, String::clone));
    page.section("Charsets", &tally(&facts.ca, String::clone));
    let boards = stats.heat.boards().into_iter().filter_map(|heat| Some((heat, heat::board(heat)?)));
    for (heat, picture) in of_each_game(boards.collect(), |(heat, _)| heat.board().game) {
        let passes = heat.passes(1) + heat.passes(2);
        let mut note = format!("{} moves, {} passes", number(heat.moves()), number(passes));
        if heat.off_board() > 0 {
            _ = write!(note, ", {} not on the board", number(heat.off_board()));
        }
        if heat.other() > 0 {
            _ = write!(note, ", {} that are too long or too many to be told apart", number(heat.other()));
        }
        page.section(&format!("Where moves are played: {}", heat.board()), &(picture + &caption(&note)));
    }
    for (board, games) in of_each_game(stats.openings.boards(), |(board, _)| board.game) {
        if let Some(picture) = openings::tree(&stats.openings, board, games) {
            let note = format!("{} games that begin with an empty board", number(games));
            page.section(&format!("Openings: {board}"), &(picture + &caption(&note)));
        }
    }
    page.section("Problems", &problems(stats));
    out.write_all(b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
    out.write_all(b"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
    // Not even a mistake in this page could load or run anything.
    out.write_all(
        b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    )?;
    writeln!(
        out,
        "<title>{} games of record</title>\n<style>\n{}</style>\n</head>\n<body>",
        number(stats.count().games),
        include_str!("style.css")
    )?;
    write!(out, "<h1>Games of record</h1>\n<p class=\"dim\">sgfq {}</p>\n", env!("CARGO_PKG_VERSION"))?;
    write!(out, "{}<main>\n{}</main>\n</body>\n</html>\n", overview(stats), page.0)
}

/// The first board of each game, and others as long as they are few; in the
/// order in which they come.
fn of_each_game<T>(boards: Vec<T>, game: impl Fn(&T) -> Game) -> Vec<T> {
    let mut games = Vec::new();
    let is_first: Vec<bool> = boards
        .iter()
        .map(|board| {
            let is_first = !games.contains(&game(board));
            games.push(game(board));
            is_first
        })
        .collect();
    let mut others = BOARDS.saturating_sub(is_first.iter().filter(|&&is_first| is_first).count());
    let keep = |(board, is_first)| {
        let is_kept = is_first || others > 0;
        others = others.saturating_sub(usize::from(!is_first));
        is_kept.then_some(board)
    };
    boards.into_iter().zip(is_first).filter_map(keep).collect()
}

#[derive(Default)]
struct Page(String);

impl Page {
    /// A picture under a title; nothing if there is nothing to be seen.
    fn section(&mut self, title: &str, picture: &str) {
        if !picture.is_empty() {
            _ = writeln!(self.0, "<section><h2>{}</h2>{picture}</section>", escape(title));
        }
    }
}

fn caption(note: &str) -> String {
    format!("<p class=\"dim\">{}</p>", escape(note))
}

fn overview(stats: &Stats) -> String {
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
        _ = write!(list, "<li><b>{}</b>{name}</li>", number(count));
    }
    list + "</ul>\n"
}

fn bars_of(mut rows: Vec<(String, u64)>) -> String {
    rows.retain(|row| row.1 > 0);
    if rows.is_empty() { String::new() } else { bars(&rows) }
}

/// The most frequent first.
fn tally<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>, name: impl Fn(&K) -> String) -> String {
    tally_of(tally, tally.most(), name)
}

/// The most frequent, the smallest first.
fn tally_in_order<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>, name: impl Fn(&K) -> String) -> String {
    let mut most = tally.most();
    let shown = most.len().min(ROWS);
    most[..shown].sort();
    tally_of(tally, most, name)
}

fn tally_of<K: Eq + Hash + Ord + Clone>(tally: &Tally<K>, most: Vec<(&K, u64)>, name: impl Fn(&K) -> String) -> String {
    let shown = most.len().min(ROWS);
    let mut rows: Vec<_> = most[..shown].iter().map(|(key, count)| (name(key), *count)).collect();
    let rest = most[shown..].iter().map(|row| row.1).sum::<u64>() + tally.other();
    if rows.is_empty() {
        return String::new();
    }
    rows.extend([("others".to_owned(), rest), ("not said".to_owned(), tally.absent())]);
    rows.push(("not understood".to_owned(), tally.unreadable()));
    bars_of(rows)
}

fn names(names: &TopK) -> String {
    bars_of(names.top().into_iter().take(ROWS).map(|row| (row.text.to_owned(), row.count)).collect())
}

/// Every year from the first to the last, by tens where they are many.
fn years(stats: &Stats) -> String {
    let counts = stats.facts.year.in_order();
    let (Some(&(first, _)), Some(&(last, _))) = (counts.first(), counts.last()) else { return String::new() };
    let step = if last - first > 150 { 10 } else { 1 };
    let mut rows: Vec<(String, u64)> = (first / step..=last / step)
        .map(|at| (format!("{}{}", at * step, if step > 1 { "s" } else { "" }), 0))
        .collect();
    for (year, count) in counts {
        rows[usize::from(year / step - first / step)].1 += count;
    }
    columns(&rows)
}

fn lengths(stats: &Stats) -> String {
    let Some(median) = stats.lengths.quantile(0.5) else { return String::new() };
    // Ten moves a column up to twice what most games have.
    let most = (stats.lengths.quantile(0.99).unwrap_or(median) / 10 + 2) * 10;
    let mut rows: Vec<_> = (0..most / 10).map(|at| (format!("{}", at * 10), 0)).collect();
    let mut longer = 0;
    for (first, _, count) in stats.lengths.buckets(10) {
        match rows.get_mut((first / 10) as usize) {
            Some(row) if first < most => row.1 += count,
            _ => longer += count,
        }
    }
    let note = format!("moves; the median is {}, {} games are longer than shown", number(median), number(longer));
    columns(&rows) + &caption(&note)
}

fn results(stats: &Stats) -> String {
    let outcomes = crate::adapt::stats::Outcome::ALL;
    bars_of(
        outcomes.into_iter().map(|outcome| (outcome.as_str().to_owned(), stats.facts.outcomes.get(outcome))).collect(),
    )
}

fn results_by_handicap(stats: &Stats) -> String {
    let all = [Color::Black, Color::White].map(|color| stats.facts.outcomes.won_by(color));
    if all == [0, 0] {
        return String::new();
    }
    let rows = stats.facts.outcomes.by_handicap().into_iter();
    let rows: Vec<_> = rows
        .map(|row| (format!("handicap {}", row.handicap), [row.black, row.white, row.draw, row.unknown]))
        .filter(|(_, counts)| counts.iter().sum::<u64>() > 0)
        .collect();
    shares(&rows) + &caption("Black, White, nobody, not known")
}

fn problems(stats: &Stats) -> String {
    let rows = stats.problems.most().into_iter();
    bars_of(rows.map(|(code, count)| (format!("{} ({})", code.as_str(), code.severity().as_str()), count)).collect())
}
