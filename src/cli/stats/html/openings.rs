//! Openings as a tree that is read from left to right: a column for each move,
//! as high as the share of games that played it.

use std::fmt::Write;

use crate::adapt::stats::{Board, Openings};

use super::svg::{escape, number, short};

/// Lines that are drawn, of each length.
const LINES: usize = 400;

const HEIGHT: f64 = 480.0;

pub(super) fn tree(openings: &Openings, board: Board, games: u64) -> Option<String> {
    let depth = openings.depth();
    if depth == 0 || games == 0 {
        return None;
    }
    let width = 640.0 / depth as f64;
    let mut svg = format!("<svg class=\"tree\" viewBox=\"0 0 640 {HEIGHT}\" role=\"img\">");
    // Where the line of moves so far begins, and how much of it is taken.
    let mut places: Vec<(Vec<String>, f64)> = vec![(Vec::new(), 0.0)];
    for length in 1..=depth {
        let mut next = Vec::new();
        let mut lines = openings.lines(board, length);
        lines.truncate(LINES);
        for line in lines {
            let moves: Vec<_> = line.moves.iter().map(ToString::to_string).collect();
            let (name, before) = moves.split_last()?;
            // A line whose start was not drawn has no place.
            let Some(place) = places.iter_mut().find(|(start, _)| start == before) else { continue };
            let height = line.count as f64 / games as f64 * HEIGHT;
            let y = place.1;
            place.1 += height;
            next.push((moves.clone(), y));
            if height < 1.0 {
                continue;
            }
            let x = (length - 1) as f64 * width;
            _ = write!(
                svg,
                "<g><title>{}: {}</title>\
                 <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"{}\"/>",
                escape(&moves.join(" ")),
                number(line.count),
                width - 1.0,
                (height - 1.0).max(0.5),
                if name.starts_with('B') { "black" } else { "white" }
            );
            if height >= 13.0 {
                let class = if name.starts_with('B') { "on-black" } else { "on-white" };
                let label = format!("{} {}", name.get(2..).unwrap_or(name), number(line.count));
                let room = (width / 7.5) as usize;
                _ = write!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" class=\"{class}\">{}</text>",
                    x + 5.0,
                    y + 11.5,
                    short(&label, room)
                );
            }
            svg.push_str("</g>");
        }
        places = next;
    }
    Some(svg + "</svg>")
}
