//! Openings as a tree that is read from left to right: a column for each move,
//! as high as the share of games that played it.

use sgfstream::adapt::stats::{Board, Openings, PlayedMove};
use sgfstream::game::{Coordinates, Side};

use super::super::words;
use crate::report::board::class_of;
use crate::report::svg::{Svg, WIDTH, counted, first_five, isolated, number, short, width_of};

/// Lines that are less high are drawn as one block.
const LEAST: f64 = 4.0;

/// The height of the names of the columns.
const TOP: f64 = 18.0;

const HEIGHT: f64 = 360.0;

/// A line that is drawn, and the lines that continue it.
struct Start {
    moves: Vec<PlayedMove>,
    /// Where the next line that continues it is drawn.
    y: f64,
    /// Games that continue in ways that are not drawn, and how many ways.
    rest: u64,
    ways: u64,
}

pub(super) fn tree(
    openings: &Openings,
    board: Board,
    games: u64,
    title: &str,
    coordinates: Coordinates,
) -> Option<String> {
    let depth = openings.depth();
    let first = openings.lines(board, 1);
    if depth == 0 || games == 0 || first.is_empty() {
        return None;
    }
    let first = first.iter().filter_map(|line| Some((line.moves.first()?, line.count)));
    let first =
        first_five(first.map(|(played, count)| {
            format!("{}: {}", words::played(board, played, coordinates), counted(count, "games"))
        }));
    let mut svg = Svg::new("tree", TOP + HEIGHT, title, &format!("First moves. {first}"));
    let width = WIDTH / depth as f64;
    for at in 0..depth {
        let name = if at == 0 { "move 1".to_owned() } else { (at + 1).to_string() };
        svg.text(at as f64 * width + 4.0, 12.0, "dim", &name);
    }
    let mut starts = vec![Start { moves: Vec::new(), y: TOP, rest: 0, ways: 0 }];
    for length in 1..=depth {
        let mut next = Vec::new();
        let x = (length - 1) as f64 * width;
        for line in openings.lines(board, length) {
            let (last, before) = line.moves.split_last()?;
            // A line whose start was not drawn is not drawn.
            let Some(start) = starts.iter_mut().find(|start| start.moves == before) else { continue };
            let height = line.count as f64 / games as f64 * HEIGHT;
            if height < LEAST {
                start.rest += line.count;
                start.ways += 1;
                continue;
            }
            let y = start.y;
            start.y += height;
            let moves =
                line.moves.iter().map(|played| words::played(board, played, coordinates)).collect::<Vec<_>>().join(" ");
            let side = Side::ALL[usize::from(last.color().saturating_sub(1)) & 3];
            let (color, count) = (class_of(board.game, side), number(line.count));
            svg.push(&format!("<g><title>{}: {count} of {}</title>", isolated(&moves), counted(games, "games")));
            svg.rect([x, y, width - 1.0, height - 1.0], color, None);
            if height >= 13.0 {
                // Without the letter of the colour, which is seen.
                let last = words::played(board, last, coordinates);
                let played = last.split_once(' ').map_or(last.as_str(), |(_, played)| played);
                let played = short(played, (width - 10.0 - width_of(&count) - 6.0).max(24.0));
                let text = format!("{played} <tspan class=\"count\">{count}</tspan>");
                svg.text(x + 4.0, y + 11.0, &format!("on-{color}"), &text);
            }
            svg.push("</g>");
            next.push(Start { moves: line.moves, y, rest: 0, ways: 0 });
        }
        for start in starts.iter().filter(|start| start.rest > 0) {
            let height = start.rest as f64 / games as f64 * HEIGHT;
            let title = format!("{} in {}", counted(start.rest, "games"), counted(start.ways, "other ways"));
            svg.rect([x, start.y, width - 1.0, (height - 1.0).max(0.5)], "rest", Some(&title));
        }
        starts = next;
    }
    Some(svg.finish())
}
