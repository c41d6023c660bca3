//! Openings as a tree that is read from left to right: a column for each move,
//! as high as the share of games that played it; and as boards, with the next
//! moves of a position and how they went.

use std::fmt::Write as _;

use sgfstream_adapt::stats::{BoardRows, OpeningPosition, PositionKey};
use sgfstream_game::{Coordinates, Dialect, GameBoard, OpeningMove};

use super::sections::section;
use crate::report::LABELS;
use crate::report::board::{Diagram, class_of};
use crate::report::svg::{Svg, WIDTH, counted, escape, first_five, isolated, number, short, width_of};

/// Lines that are less high are drawn as one block.
type Start = BoardRows<PositionKey, OpeningPosition>;

/// Lines that are less high are drawn as one block.
const LEAST: f64 = 4.0;

/// The height of the names of the columns.
const TOP: f64 = 18.0;

const HEIGHT: f64 = 360.0;

/// Next moves that are shown on a board.
const NEXT: usize = 8;

/// First moves whose position has a board of its own, if at least one game in ten has them.
const FIRST: usize = 3;

/// Positions of fewer games have no board.
const GAMES: u64 = 10;

/// A position that is drawn, and those that continue it.
struct Drawn {
    hash: u64,
    /// Where the next line that continues it is drawn.
    y: f64,
    /// Games that continue in ways that are not drawn, and how many ways.
    rest: u64,
    ways: u64,
}

pub(super) fn tree(start: &Start, depth: usize, title: &str, coordinates: Coordinates) -> Option<String> {
    let games = start.tally.count;
    let first = start.at(1);
    if depth == 0 || games == 0 || first.is_empty() {
        return None;
    }
    let text = |played: &OpeningMove| played.text(&start.dialect(), coordinates);
    let first = first.iter().filter_map(|after| Some((after.line.first()?, after.tally.count)));
    let first = first_five(first.map(|(played, count)| format!("{}: {}", text(played), counted(count, "games"))));
    let mut svg = Svg::new("tree", TOP + HEIGHT, title, &format!("First moves. {first}"));
    let width = WIDTH / depth as f64;
    for at in 0..depth {
        let name = if at == 0 { "move 1".to_owned() } else { (at + 1).to_string() };
        svg.text(at as f64 * width + 4.0, 12.0, "dim", &name);
    }
    let mut drawn = vec![Drawn { hash: 0, y: TOP, rest: 0, ways: 0 }];
    for length in 1..=depth {
        let mut next = Vec::new();
        let x = (length - 1) as f64 * width;
        for before in &mut drawn {
            for (hash, after) in start.after(length - 1, before.hash) {
                let height = after.tally.count as f64 / games as f64 * HEIGHT;
                if height < LEAST {
                    before.rest += after.tally.count;
                    before.ways += 1;
                    continue;
                }
                let y = before.y;
                before.y += height;
                let Some(last) = after.line.last() else { continue };
                let moves = after.line.iter().map(text).collect::<Vec<_>>().join(" ");
                let (color, count) = (class_of(start.board.game, last.side()), number(after.tally.count));
                let won = won(after).map_or_else(String::new, |won| format!("; {won}"));
                svg.push(&format!(
                    "<g><title>{}: {count} of {}{won}</title>",
                    isolated(&moves),
                    counted(games, "games")
                ));
                svg.rect([x, y, width - 1.0, height - 1.0], color, None);
                if height >= 13.0 {
                    // Without the letter of the colour, which is seen.
                    let last = text(last);
                    let played = last.split_once(' ').map_or(last.as_str(), |(_, played)| played);
                    let played = short(played, (width - 10.0 - width_of(&count) - 6.0).max(24.0));
                    let text = format!("{played} <tspan class=\"count\">{count}</tspan>");
                    svg.text(x + 4.0, y + 11.0, &format!("on-{color}"), &text);
                }
                svg.push("</g>");
                next.push(Drawn { hash, y, rest: 0, ways: 0 });
            }
            if before.rest > 0 {
                let height = before.rest as f64 / games as f64 * HEIGHT;
                let title = format!("{} in {}", counted(before.rest, "games"), counted(before.ways, "other ways"));
                svg.rect([x, before.y, width - 1.0, (height - 1.0).max(0.5)], "rest", Some(&title));
            }
        }
        drawn = next;
    }
    Some(svg.finish())
}

/// The empty board and the positions of the most frequent first moves, each with its next moves. Empty for a few games,
/// and for a game whose board is not drawn.
pub(super) fn boards(start: &Start, title: &str, coordinates: Coordinates) -> String {
    if start.tally.count < GAMES {
        return String::new();
    }
    let mut out = next_moves(start, None, title, coordinates).unwrap_or_default();
    let least = start.tally.count.div_ceil(10).max(GAMES);
    for (hash, after) in start.after(0, 0).into_iter().take(FIRST).filter(|(_, after)| after.tally.count >= least) {
        out += &next_moves(start, Some((hash, after)), title, coordinates).unwrap_or_default();
    }
    out
}

/// The position after a line, or at the start, with the letters of its next moves, and a list of them with bars.
fn next_moves(
    start: &Start,
    from: Option<(u64, &OpeningPosition)>,
    title: &str,
    coordinates: Coordinates,
) -> Option<String> {
    let (hash, line) = from.map_or((0, &[][..]), |(hash, after)| (hash, &after.line[..]));
    let games = from.map_or(start.tally.count, |(_, after)| after.tally.count);
    let mut next = start.after(line.len(), hash);
    let rest = next.split_off(next.len().min(NEXT));
    if next.is_empty() {
        return None;
    }
    let mut diagram = Diagram::new(position(&start.dialect(), line)?, coordinates)?;
    diagram.last.extend(line.last().and_then(OpeningMove::field));
    let mut list = String::new();
    for ((_, after), label) in next.iter().zip(LABELS.chars()) {
        let last = after.line.last()?;
        // The line of a position is the one that comes first of all that lead to it: its stones may lie in another way.
        let field = last.field().filter(|_| after.line[..line.len()] == *line);
        if let Some(field) = field {
            diagram.marks.labels.insert(field, label.to_string());
        }
        let label = if field.is_some() { label } else { '–' };
        let (played, tally) = (escape(&last.text(&start.dialect(), coordinates)), &after.tally);
        let games_share = 100.0 * tally.count as f64 / games as f64;
        let count = number(tally.count);
        _ = write!(list, "<tr><th>{label}</th><td>{played}</td><td>{count}</td><td>{games_share:.1} %</td><td>");
        if let Some(share) = tally.black_share() {
            _ = write!(list, "{share}</td><td>");
            list += &bar(share.share, share.low, share.high, &won(after)?);
        } else {
            list += "</td><td>";
        }
        list += "</td></tr>";
    }
    let others: u64 = rest.iter().map(|(_, after)| after.tally.count).sum();
    let mut note = format!("The next moves of {}", counted(games, "games"));
    if !rest.is_empty() {
        let more = counted(rest.len() as u64, "more moves");
        _ = write!(note, "; {more}, in {}, are not shown", counted(others, "games"));
    }
    note += ". Bars: how often Black won; the line is the 95 % interval.";
    let moves = line.iter().map(|played| played.text(&start.dialect(), coordinates)).collect::<Vec<_>>().join(" ");
    let name = if line.is_empty() { format!("{title}: first moves") } else { format!("{title}: after {moves}") };
    let table = format!("<table class=\"next\"><tbody>{list}</tbody></table>");
    Some(section(&name, &(diagram.svg(&name, false) + &table), &note))
}

/// `Black wins 51 % (50-52) of 8928`.
fn won(after: &OpeningPosition) -> Option<String> {
    let tally = &after.tally;
    Some(format!("Black wins {} of {}", tally.black_share()?, number(tally.black + tally.white)))
}

/// A bar from 0 to 1 with Black's part, and the ends of its interval.
fn bar(share: f64, low: f64, high: f64, title: &str) -> String {
    let at = |share: f64| format!("{:.1}", 100.0 * share);
    let (share, low, high) = (at(share), at(low), at(high));
    format!(
        "<svg class=\"wins\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" role=\"img\"><title>{}</title><desc>{share} %</desc>\
         <rect class=\"white\" x=\"0\" y=\"0\" width=\"100\" height=\"12\"/>\
         <rect class=\"black\" x=\"0\" y=\"0\" width=\"{share}\" height=\"12\"/>\
         <path class=\"interval\" d=\"M{low} 6H{high}\"/></svg>",
        escape(title)
    )
}

/// The position after a line; none if a move of it is no move of the board.
fn position(board: &Dialect, line: &[OpeningMove]) -> Option<GameBoard> {
    let mut position = GameBoard::new(board).ok()?;
    for played in line {
        let text = match played.field() {
            Some(field) => board.show_point_in(field, Coordinates::Sgf).to_string(),
            None => String::new(),
        };
        let mv = board.parse_move(text.as_bytes()).ok()?;
        position.play(played.side(), &mv).ok()?;
    }
    Some(position)
}
