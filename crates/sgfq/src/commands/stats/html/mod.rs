//! `sgfq stats --html`: one page that needs nothing else, no network, no
//! script. The pictures are SVG; values from files are text, never markup.

mod charts;
mod heat;
mod openings;
mod sections;

use std::fmt::Write as _;
use std::io::{self, Write};

use sgfstream_adapt::stats::{BoardCounts, OpeningPosition, Stats};
use sgfstream_game::Coordinates;

use super::words;
use crate::report::page;
use crate::report::svg::{counted, escape};
use charts::Wins;
use sections::{Order, section, tally};

/// Boards that are drawn large: each has a part of all moves, at least one in this many.
const PART: u64 = 50;

/// Boards whose openings are drawn.
const OPENINGS: usize = 6;

/// Boards that are drawn, where there are not more games.
const BOARDS: usize = 12;

/// Inputs that are named.
const INPUTS: usize = 8;

/// Title of the page, and the source of its games.
pub(super) struct Heading<'h> {
    pub(super) title: Option<&'h str>,
    pub(super) inputs: &'h [String],
}

pub(super) fn write(
    out: &mut impl Write,
    stats: &Stats,
    heading: &Heading<'_>,
    coordinates: Coordinates,
) -> io::Result<()> {
    let title = escape(heading.title.unwrap_or("Games of record"));
    page::head(out, &title)?;
    let names: Vec<_> = heading.inputs.iter().take(INPUTS).map(|input| escape(last_part(input))).collect();
    let more = heading.inputs.len().saturating_sub(INPUTS);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let of = if names.is_empty() { String::new() } else { format!("{}{more} · ", names.join(", ")) };
    let summary = escape(&sections::summary(stats));
    let groups = [
        ("Results", "results", results(stats, coordinates)),
        ("Players and events", "players", players(stats)),
        ("Openings", "openings", openings(stats, coordinates)),
        ("Where moves are played", "boards", boards(stats, coordinates)),
        ("Games", "games", games(stats)),
        ("Files", "files", files(stats)),
    ];
    let groups = groups.into_iter().filter(|(.., sections)| !sections.is_empty());
    let groups: Vec<_> = groups.collect();
    write!(out, "<header><h1>{title}</h1>\n<p>{summary}</p>\n<p class=\"dim\">{of}")?;
    writeln!(out, "made with sgfq {}</p>\n<nav>", env!("CARGO_PKG_VERSION"))?;
    for (title, id, _) in &groups {
        write!(out, "<a href=\"#{id}\">{title}</a> ")?;
    }
    writeln!(out, "</nav></header>\n{}<main>", sections::overview(stats))?;
    for (title, id, sections) in groups {
        write!(out, "<h2 id=\"{id}\">{title}</h2>\n<div class=\"group {id}\">\n{sections}</div>\n")?;
    }
    writeln!(out, "</main>")?;
    page::foot(out)
}

/// The name of an input without the folders that it is in.
fn last_part(input: &str) -> &str {
    let input = input.trim_end_matches(['/', '\\']);
    input.rsplit(['/', '\\']).next().unwrap_or(input)
}

fn results(stats: &Stats, coordinates: Coordinates) -> String {
    let start = stats.openings.boards.all.first();
    let first = start.map_or_else(Vec::new, |start| {
        let wins = |after: &&OpeningPosition| {
            let name = after.line.first().map(|played| played.text(&start.dialect(), coordinates)).unwrap_or_default();
            Wins { name, games: after.tally.count, won: after.tally.black, lost: after.tally.white }
        };
        start.at(1).iter().map(wins).collect()
    });
    let board = start.map_or_else(String::new, |start| format!("Games on an empty board of {}.", start.board));
    [
        sections::results("Results", stats),
        sections::black_wins("Black's wins by first move", first, &board),
        sections::wins_by_komi("Black's wins by komi", stats),
        sections::wins_by_year("Black's wins by year", stats),
        sections::wins_by_handicap("Black's wins by handicap", stats),
    ]
    .concat()
}

fn games(stats: &Stats) -> String {
    let facts = &stats.facts;
    [
        sections::years("Games by year", stats),
        sections::lengths("Length of main lines", stats),
        tally("Games and boards", &facts.boards, Order::Count, String::clone),
        tally("Komi", &facts.komi, Order::Value, words::komi),
        sections::handicap("Handicap", stats),
        tally("Rules", &facts.rules, Order::Count, String::clone),
        tally("Main time", &facts.time, Order::Value, sections::duration),
        tally("Overtime", &facts.overtime, Order::Count, String::clone),
    ]
    .concat()
}

fn players(stats: &Stats) -> String {
    let facts = &stats.facts;
    [
        sections::names("Most frequent players", &facts.players, true),
        sections::strongest("Strongest players", stats),
        tally("Ranks", &facts.ranks, Order::Value, ToString::to_string),
        sections::names("Events", &facts.events, false),
    ]
    .concat()
}

fn files(stats: &Stats) -> String {
    let facts = &stats.facts;
    [
        tally("Programs", &facts.ap, Order::Count, String::clone),
        tally("Charsets", &facts.ca, Order::Count, String::clone),
        sections::problems("Problems by code", stats),
    ]
    .concat()
}

/// How games begin on the boards with the most games.
fn openings(stats: &Stats, coordinates: Coordinates) -> String {
    let boards = &stats.openings.boards.all;
    let all: u64 = boards.iter().map(|start| start.tally.count).sum();
    let (mut drawn, mut count) = (String::new(), 0);
    let (mut others, mut rest) = (0u64, 0);
    for start in boards {
        let games = start.tally.count;
        if count > 0 && (games * PART < all || count == OPENINGS) {
            (others, rest) = (others + 1, rest + games);
            continue;
        }
        let title = start.board.to_string();
        let tree = openings::tree(start, stats.depth(), &format!("Openings: {title}"), coordinates);
        let Some(tree) = tree else { continue };
        count += 1;
        let note = format!(
            "A column for each move; the height is the share of {} that begin on an empty board. Grey are rare moves.",
            counted(games, "games")
        );
        drawn += &section(&format!("{title}: the first moves"), &tree, &note);
        drawn += &openings::boards(start, &title, coordinates);
    }
    if others > 0 {
        let what = format!("{} on {} are not shown here.", counted(rest, "games"), counted(others, "other boards"));
        drawn += &section("Other boards", "", &what);
    }
    drawn
}

/// The boards with the most moves; of the others, small pictures.
fn boards(stats: &Stats, coordinates: Coordinates) -> String {
    let all = stats.heat.boards();
    let moves: u64 = all.iter().map(|heat| heat.moves()).sum();
    let (mut large, mut small, mut games) = (String::new(), String::new(), Vec::new());
    let mut count = 0;
    for heat in all {
        let board = heat.board();
        let is_first = !games.contains(&board.game);
        if !is_first && count >= BOARDS {
            continue;
        }
        let title = board.to_string();
        let Some(picture) = heat::board(heat, &format!("Where moves are played: {title}"), coordinates) else {
            continue;
        };
        games.push(board.game);
        count += 1;
        let drawn = section(&title, &picture, &note(heat));
        if large.is_empty() || heat.moves() * PART >= moves {
            large += &drawn;
        } else {
            small += &drawn;
        }
    }
    if small.is_empty() { large } else { format!("{large}</div>\n<div class=\"group small\">\n{small}") }
}

/// The moves that are not in the picture.
fn note(heat: &BoardCounts) -> String {
    let passes = heat.passes(1) + heat.passes(2);
    let mut note = counted(heat.moves(), "moves");
    if passes > 0 {
        _ = write!(note, ", {}", if passes == 1 { "1 pass".to_owned() } else { counted(passes, "passes") });
    }
    if heat.off_board() > 0 {
        _ = write!(note, ", {} off the board", counted(heat.off_board(), "moves"));
    }
    if heat.size().is_some() && heat.other() > 0 {
        _ = write!(note, ", {} too long to be read", counted(heat.other(), "moves"));
    }
    note + "."
}
