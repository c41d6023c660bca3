//! Openings as a tree that is read from left to right: a column for each move,
//! as high as the share of games that played it.

use std::fmt::Write;

use sgfstream::adapt::stats::{Board, Openings, PlayedMove};
use sgfstream::game::Game;

use super::svg::{WIDTH, counted, escape, isolated, number, open, px, short};

/// Lines that are less high are drawn as one block.
const LEAST: f64 = 4.0;

/// Where the names of the columns stand.
const TOP: f64 = 18.0;

const HEIGHT: f64 = 360.0;

/// A line that is drawn, and what goes on from it.
struct Start {
    moves: Vec<PlayedMove>,
    /// Where the next move behind it has its place.
    y: f64,
    /// Games that go on in ways that are not drawn, and how many ways.
    rest: u64,
    ways: u64,
}

pub(super) fn tree(openings: &Openings, board: Board, games: u64, title: &str) -> Option<String> {
    let depth = openings.depth();
    let first = openings.lines(board, 1);
    if depth == 0 || games == 0 || first.is_empty() {
        return None;
    }
    let told = first.iter().take(5).filter_map(|line| Some((line.moves.first()?, line.count)));
    let told = told.map(|(played, count)| format!("{played}: {}", counted(count, "games")));
    let told = format!("First moves. {}", told.collect::<Vec<_>>().join("; "));
    let mut svg = open("tree", TOP + HEIGHT, title, &told);
    let width = WIDTH / depth as f64;
    for at in 0..depth {
        let (x, name) = (px(at as f64 * width + 4.0), if at == 0 { "move 1".to_owned() } else { (at + 1).to_string() });
        _ = write!(svg, "<text x=\"{x}\" y=\"12\" class=\"dim\">{name}</text>");
    }
    // Where the line of moves so far begins, and how much of it is taken.
    let mut places = vec![Start { moves: Vec::new(), y: TOP, rest: 0, ways: 0 }];
    for length in 1..=depth {
        let mut next = Vec::new();
        let x = (length - 1) as f64 * width;
        for line in openings.lines(board, length) {
            let (last, before) = line.moves.split_last()?;
            // A line whose start was not drawn has no place.
            let Some(start) = places.iter_mut().find(|start| start.moves == before) else { continue };
            let height = line.count as f64 / games as f64 * HEIGHT;
            if height < LEAST {
                start.rest += line.count;
                start.ways += 1;
                continue;
            }
            let y = start.y;
            start.y += height;
            let moves = line.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
            let color = color(board.game, last.color());
            _ = write!(
                svg,
                "<g><title>{}: {} of {}</title>\
                 <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"{color}\"/>",
                isolated(&moves),
                number(line.count),
                counted(games, "games"),
                px(x),
                px(y),
                px(width - 1.0),
                px(height - 1.0),
            );
            if height >= 13.0 {
                // Behind the letter of the colour, which is seen.
                let last = last.to_string();
                let played = last.split_once(' ').map_or(last.as_str(), |(_, played)| played);
                let count = number(line.count);
                let room = width - 10.0 - super::svg::width_of(&count) - 6.0;
                _ = write!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" class=\"on-{color}\">{} <tspan class=\"count\">{}</tspan></text>",
                    px(x + 4.0),
                    px(y + 11.0),
                    short(played, room.max(24.0)),
                    escape(&count)
                );
            }
            svg.push_str("</g>");
            next.push(Start { moves: line.moves, y, rest: 0, ways: 0 });
        }
        for start in places.iter().filter(|start| start.rest > 0) {
            let height = start.rest as f64 / games as f64 * HEIGHT;
            _ = write!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"rest\"><title>{} in {}</title></rect>",
                px(x),
                px(start.y),
                px(width - 1.0),
                px((height - 1.0).max(0.5)),
                counted(start.rest, "games"),
                counted(start.ways, "other ways")
            );
        }
        places = next;
    }
    Some(svg + "</svg>")
}

/// The class of a player's moves: Pentobi's four players have colours.
fn color(game: Game, color: u8) -> &'static str {
    let is_many = matches!(game, Game::Pentobi(variant) if variant.colors() > 2);
    match (is_many, color) {
        (true, 1) => "blue",
        (true, 2) => "yellow",
        (true, 3) => "red",
        (true, _) => "green",
        (false, 1) => "black",
        (false, _) => "white",
    }
}
