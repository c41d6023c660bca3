//! `sgfq stats --html`: one page that needs nothing else, no network, no
//! script. The pictures are SVG; what comes from files is text, never markup.

mod charts;
mod heat;
mod openings;
mod sections;
mod svg;

use std::fmt::Write as _;
use std::io::{self, Write};

use sgfstream::adapt::stats::{Board, BoardHeat, Stats};
use sgfstream::game::Game;
use sgfstream::value::BoardSize;

use sections::{caption, names, tally, tally_in_order};
use svg::{counted, escape, number};

/// Boards that are drawn, if there are not more games.
const BOARDS: usize = 12;

/// Inputs that are named.
const INPUTS: usize = 8;

pub(super) fn write(out: &mut impl Write, stats: &Stats, inputs: &[String]) -> io::Result<()> {
    let mut page = String::new();
    let group = |page: &mut String, title: &str, pictures: Vec<(String, String)>| {
        let pictures: Vec<_> = pictures.into_iter().filter(|(_, picture)| !picture.is_empty()).collect();
        if !pictures.is_empty() {
            _ = writeln!(page, "<h2>{}</h2>\n<div class=\"group\">", escape(title));
            for (title, picture) in pictures {
                _ = writeln!(page, "<section><h3>{}</h3>{picture}</section>", escape(&title));
            }
            page.push_str("</div>\n");
        }
    };
    group(&mut page, "Games", games(stats));
    group(&mut page, "Names", people(stats));
    group(&mut page, "Where moves are played", boards(stats));
    group(&mut page, "Openings", openings(stats));
    let title = "Problems by code";
    group(&mut page, "Problems", vec![(title.to_owned(), sections::problems(title, stats))]);
    head(out, stats)?;
    let shown: Vec<_> = inputs.iter().take(INPUTS).map(|input| escape(input)).collect();
    let more = if inputs.len() > INPUTS { format!(" and {} more", inputs.len() - INPUTS) } else { String::new() };
    let of = if shown.is_empty() { String::new() } else { format!("{}{more}, ", shown.join(", ")) };
    writeln!(out, "<h1>Games of record</h1>\n<p class=\"dim\">{of}by sgfq {}</p>", env!("CARGO_PKG_VERSION"))?;
    write!(out, "{}<main>\n{page}</main>\n</body>\n</html>\n", sections::overview(stats))
}

fn head(out: &mut impl Write, stats: &Stats) -> io::Result<()> {
    out.write_all(b"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")?;
    out.write_all(b"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")?;
    // Not even a mistake in this page could load or run anything.
    out.write_all(
        b"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n",
    )?;
    writeln!(
        out,
        "<title>{} of record</title>\n<style>\n{}</style>\n</head>\n<body>",
        counted(stats.count().games, "games"),
        include_str!("style.css")
    )
}

/// A title, and the picture that has it for a name.
fn titled(title: &str, picture: impl FnOnce(&str) -> String) -> (String, String) {
    (title.to_owned(), picture(title))
}

fn games(stats: &Stats) -> Vec<(String, String)> {
    let facts = &stats.facts;
    vec![
        titled("Games by year", |title| sections::years(title, stats)),
        titled("Length of main lines", |title| sections::lengths(title, stats)),
        titled("Kinds of games", |title| tally(title, &facts.gm, |gm| super::text::game_name(gm))),
        titled("Results", |title| sections::results(title, stats)),
        titled("Handicap", |title| tally_in_order(title, &facts.handicap, i64::to_string)),
        titled("Results by handicap", |title| sections::results_by_handicap(title, stats)),
        titled("Komi", |title| {
            tally_in_order(title, &facts.komi, |&hundredths| (hundredths as f64 / 100.0).to_string())
        }),
        titled("Board sizes", |title| {
            tally(title, &facts.sz, |&(columns, rows)| BoardSize::new(columns, rows).to_string())
        }),
    ]
}

fn people(stats: &Stats) -> Vec<(String, String)> {
    let facts = &stats.facts;
    vec![
        titled("Players", |title| names(title, &facts.players, "games, as Black or White")),
        titled("Events", |title| names(title, &facts.events, "games")),
        titled("Programs", |title| tally(title, &facts.ap, String::clone)),
        titled("Charsets", |title| tally(title, &facts.ca, String::clone)),
    ]
}

fn boards(stats: &Stats) -> Vec<(String, String)> {
    let boards = stats.heat.boards().into_iter();
    let drawn = boards.filter_map(|heat| {
        let title = heat.board().to_string();
        Some((heat, heat::board(heat, &format!("Where moves are played: {title}"))?, title))
    });
    let shown = of_each_game(drawn.collect(), |(heat, ..)| heat.board().game);
    shown.into_iter().map(|(heat, picture, title)| (title, picture + &caption(&note(heat)))).collect()
}

/// What is not in the picture.
fn note(heat: &BoardHeat) -> String {
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
        _ = write!(note, ", {} too long to be looked at", number(heat.other()));
    }
    note
}

fn openings(stats: &Stats) -> Vec<(String, String)> {
    let mut boards = stats.openings.boards();
    // One game alone has an opening, but no tree.
    if boards.iter().any(|(_, games)| *games > 1) {
        boards.retain(|(_, games)| *games > 1);
    }
    let drawn = boards.into_iter().filter_map(|(board, games)| {
        let tree = openings::tree(&stats.openings, board, games, &format!("Openings: {board}"))?;
        Some((board, games, tree))
    });
    let shown = of_each_game(drawn.collect(), |(board, ..): &(Board, u64, String)| board.game);
    let shown = shown.into_iter().map(|(board, games, tree)| {
        let note = format!(
            "a column for each move, as high as the share of games that played it, grey: rare ones; {} that {} with an empty board",
            counted(games, "games"),
            if games == 1 { "begins" } else { "begin" }
        );
        (board.to_string(), tree + &caption(&note))
    });
    shown.collect()
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
