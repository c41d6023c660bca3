//! `sgfq stats --html`: one page that needs nothing else, no network, no
//! script. The pictures are SVG; values from files are text, never markup.

mod charts;
mod heat;
mod openings;
mod sections;

use std::fmt::Write as _;
use std::io::{self, Write};

use sgfstream::adapt::stats::{BoardCounts, Stats};
use sgfstream::game::{Coordinates, Game};

use super::words;
use crate::report::page;
use crate::report::positions::Positions;
use crate::report::svg::{counted, escape, number};
use sections::{Order, section, tally};

/// Boards that are drawn, if there are not more games.
const BOARDS: usize = 12;

/// Inputs that are named.
const INPUTS: usize = 8;

pub(super) fn write(
    out: &mut impl Write,
    stats: &Stats,
    positions: &Positions,
    inputs: &[String],
    coordinates: Coordinates,
) -> io::Result<()> {
    page::head(out, &format!("{} of record", counted(stats.count().games, "games")))?;
    let shown: Vec<_> = inputs.iter().take(INPUTS).map(|input| escape(input)).collect();
    let more = if inputs.len() > INPUTS { format!(" and {} more", inputs.len() - INPUTS) } else { String::new() };
    let of = if shown.is_empty() { String::new() } else { format!("{}{more}, ", shown.join(", ")) };
    writeln!(out, "<h1>Games of record</h1>\n<p class=\"dim\">{of}by sgfq {}</p>", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "{}<main>", sections::overview(stats))?;
    for (title, sections) in [
        ("Games", games(stats)),
        ("Names", names(stats)),
        ("Where moves are played", boards(stats, coordinates)),
        ("Openings", openings(stats, positions, coordinates)),
        ("Problems", sections::problems("Problems by code", stats)),
    ] {
        if !sections.is_empty() {
            write!(out, "<h2>{title}</h2>\n<div class=\"group\">\n{sections}</div>\n")?;
        }
    }
    writeln!(out, "</main>")?;
    page::foot(out)
}

fn games(stats: &Stats) -> String {
    let facts = &stats.facts;
    [
        sections::years("Games by year", stats),
        sections::lengths("Length of main lines", stats),
        tally("Kinds of games", &facts.gm, Order::Count, words::game),
        sections::results("Results", stats),
        tally("Handicap", &facts.handicap, Order::Value, i64::to_string),
        sections::results_by_handicap("Results by handicap", stats),
        tally("Komi", &facts.komi, Order::Value, words::komi),
        tally("Board sizes", &facts.sz, Order::Count, words::size),
    ]
    .concat()
}

fn names(stats: &Stats) -> String {
    let facts = &stats.facts;
    [
        sections::names("Players", &facts.players, "games, as Black or White"),
        sections::names("Events", &facts.events, "games"),
        tally("Programs", &facts.ap, Order::Count, String::clone),
        tally("Charsets", &facts.ca, Order::Count, String::clone),
    ]
    .concat()
}

fn boards(stats: &Stats, coordinates: Coordinates) -> String {
    let drawn = stats.heat.boards().into_iter().filter_map(|heat| {
        let title = heat.board().to_string();
        let picture = heat::board(heat, &format!("Where moves are played: {title}"), coordinates)?;
        Some((heat.board().game, section(&title, &picture, &note(heat))))
    });
    of_each_game(drawn.collect())
}

/// The moves that are not in the picture.
fn note(heat: &BoardCounts) -> String {
    let passes = heat.passes(1) + heat.passes(2);
    let mut note = counted(heat.moves(), "moves");
    if passes > 0 {
        let passes = if passes == 1 { "1 pass".to_owned() } else { format!("{} passes", number(passes)) };
        _ = write!(note, ", of them {passes}");
    }
    if heat.off_board() > 0 {
        _ = write!(note, ", {} not on the board", number(heat.off_board()));
    }
    if heat.size().is_some() && heat.other() > 0 {
        _ = write!(note, ", {} too long to be read", number(heat.other()));
    }
    note
}

fn openings(stats: &Stats, positions: &Positions, coordinates: Coordinates) -> String {
    let mut boards: Vec<_> = stats.openings.boards().into_iter().zip(&positions.boards).collect();
    // One game alone has an opening, but no tree.
    if boards.iter().any(|((_, games), _)| *games > 1) {
        boards.retain(|((_, games), _)| *games > 1);
    }
    let drawn = boards.into_iter().filter_map(|((board, games), start)| {
        let title = board.to_string();
        let tree = openings::tree(start, stats.openings.depth(), &format!("Openings: {title}"), coordinates)?;
        let note = format!(
            "one column for each move; the height is the share of games, grey are rare moves; {} that {} with an empty board",
            counted(games, "games"),
            if games == 1 { "begins" } else { "begin" }
        );
        let next = openings::boards(start, &title, coordinates);
        Some((board.game, section(&title, &tree, &note) + &next))
    });
    of_each_game(drawn.collect())
}

/// The first section of each game, and others as long as they are few; in
/// their order.
fn of_each_game(sections: Vec<(Game, String)>) -> String {
    let mut games = Vec::new();
    let is_first: Vec<bool> = sections
        .iter()
        .map(|(game, _)| {
            let is_first = !games.contains(game);
            if is_first {
                games.push(*game);
            }
            is_first
        })
        .collect();
    let mut others = BOARDS.saturating_sub(games.len());
    let keep = |((_, section), is_first)| {
        let is_kept = is_first || others > 0;
        others = others.saturating_sub(usize::from(!is_first));
        is_kept.then_some(section)
    };
    sections.into_iter().zip(is_first).filter_map(keep).collect()
}
