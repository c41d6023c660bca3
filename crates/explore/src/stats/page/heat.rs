//! Pictures of where moves are played, on the board of the game: squares, hexagons for Hex and
//! Havannah, or the cells of Pentobi's boards.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::{Value, json};

use sgfstream_adapt::stats::BoardCounts;
use sgfstream_draw::svg::{Svg, escape, px};
use sgfstream_draw::{BoardLayout, DrawnCell, LEFT, PictureFrame, hexagon_of, outline};
use sgfstream_game::havannah::Numbering;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{BoardCell, Coordinates, Game};

use super::pictures::Pictures;
use crate::numbers::{counted, first_five, number};
use crate::stats::report::StatsReport;

/// A board gets a large picture if it has at least 1 of this many moves.
const PART: u64 = 50;

/// Maximum number of boards with pictures, unless there are more games.
const BOARDS: usize = 12;

/// Height of the legend below the board.
const LEGEND: f64 = 34.0;

/// Opacity of the most frequent cell.
const STRONGEST: f64 = 0.92;

/// A cell and the number of moves on it.
struct CellCount<'l> {
    cell: &'l DrawnCell,
    count: u64,
    /// Counts by player, where they are known.
    detail: String,
}

/// Returns the boards with the most moves, at least one per game, each with the number of moves
/// missing from its picture.
pub(super) fn drawn(report: &StatsReport<'_>, pictures: &mut Pictures) -> Value {
    let all = report.stats.heat.boards();
    let moves: u64 = all.iter().map(|heat| heat.moves()).sum();
    let (mut drawn, mut games) = (Vec::new(), Vec::new());
    for heat in all {
        let (board, title) = (heat.board, heat.board.to_string());
        if games.contains(&board.game) && drawn.len() >= BOARDS {
            continue;
        }
        let Some(svg) = picture(
            heat,
            &format!("Move locations: {title}"),
            report.coordinates,
        ) else {
            continue;
        };
        games.push(board.game);
        drawn.push(json!({
            "board": title,
            "is_large": drawn.is_empty() || heat.moves() * PART >= moves,
            "moves": heat.moves(),
            "passes": heat.passes(1) + heat.passes(2),
            "off_board": heat.off_board,
            "too_long": heat.size().map_or(0, |_| heat.other),
            "picture": pictures.add(&svg),
        }));
    }
    drawn.into()
}

/// Returns the picture of a board, or `None` if the board cannot be drawn.
fn picture(heat: &BoardCounts, title: &str, coordinates: Coordinates) -> Option<String> {
    let board = heat.board;
    let is_sized = board.size.is_some() || matches!(board.game, Game::Pentobi(_));
    let counts = heat.fields();
    let dialect = board.dialect();
    let numbering = if board.game == Game::Unlur {
        numbering(dialect.size(), &counts)
    } else {
        board.numbering
    };
    let layout = is_sized.then(|| BoardLayout::new(&dialect, numbering, coordinates))??;
    let count_of = |field: BoardCell| match heat.size() {
        Some(_) => {
            let [black, white] =
                [1, 2].map(|color| heat.get(color, field.column.into(), field.row.into()));
            (
                black + white,
                format!(" (Black {}, White {})", number(black), number(white)),
            )
        }
        None => (counts.get(&field).copied().unwrap_or(0), String::new()),
    };
    let counted = layout.cells.iter().map(|cell| (cell, count_of(cell.field)));
    let cells: Vec<_> = counted
        .map(|(cell, (count, detail))| CellCount {
            cell,
            count,
            detail,
        })
        .collect();
    cells
        .iter()
        .any(|cell| cell.count > 0)
        .then(|| draw(&layout, &cells, title))
}

/// Returns the numbering of Unlur's hexagon. Programs number its rows in two ways and no property
/// says which one, so this picks the numbering that has more of the moves on the board.
fn numbering(size: BoardSize, counts: &BTreeMap<BoardCell, u64>) -> Numbering {
    let [straight, from_one] = [Numbering::Straight, Numbering::FromOne].map(|numbering| {
        let Some(hexagon) = hexagon_of(Game::Unlur, size, numbering) else {
            return 0;
        };
        counts
            .iter()
            .filter(|row| hexagon.has(*row.0))
            .map(|row| row.1)
            .sum::<u64>()
    });
    if straight >= from_one {
        Numbering::Straight
    } else {
        Numbering::FromOne
    }
}

fn draw(layout: &BoardLayout, cells: &[CellCount<'_>], title: &str) -> String {
    let frame = PictureFrame::of(layout);
    let mut played: Vec<&CellCount<'_>> = cells.iter().filter(|cell| cell.count > 0).collect();
    played.sort_by_key(|counted| (Reverse(counted.count), counted.cell.field));
    // The scale ends below the maximum, because a few cells that everyone plays would leave all
    // others pale.
    let most = played
        .iter()
        .rev()
        .nth(played.len() * 97 / 100)
        .map_or(1, |cell| cell.count);
    let first = first_five(
        played
            .iter()
            .map(|counted| format!("{}: {}", counted.cell.name, number(counted.count))),
    );
    let mut svg = Svg::new(
        "heat board",
        frame.base + LEGEND,
        title,
        &format!("Most moves at {first}"),
    );
    layout.draw_ground(&mut svg, &frame);
    svg.push("<g class=\"cell\">");
    for CellCount {
        cell,
        count,
        detail,
    } in cells.iter().filter(|cell| cell.count > 0)
    {
        let strength = strength(*count as f64 / most as f64);
        let (name, count) = (escape(&cell.name), number(*count));
        svg.push(&format!(
            "<path d=\"{}\" fill-opacity=\"{strength:.2}\">",
            outline(cell, &frame)
        ));
        svg.push(&format!("<title>{name}: {count}{detail}</title></path>"));
    }
    svg.push("</g>");
    layout.draw_lines(&mut svg, &frame);
    layout.draw_names(&mut svg, &frame);
    let is_capped = played.first().is_some_and(|cell| cell.count > most);
    legend(&mut svg, frame.base + 10.0, most, is_capped);
    svg.finish()
}

/// Returns the opacity of a cell. The curve is steeper than the count, because most points of a
/// board are played about equally often.
fn strength(part: f64) -> f64 {
    part.min(1.0).powf(1.7) * STRONGEST
}

/// Draws the color scale.
fn legend(svg: &mut Svg, y: f64, most: u64, is_capped: bool) {
    const STEPS: u64 = 5;
    const WIDE: f64 = 26.0;
    svg.text(LEFT, y + 11.0, "dim", "0");
    for step in 0..=STEPS {
        let (x, y) = (px(LEFT + 14.0 + step as f64 * WIDE), px(y));
        let strength = strength(step as f64 / STEPS as f64);
        svg.push(&format!(
            "<rect class=\"wood\" x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"12\"/>\
             <g class=\"cell\"><rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"12\" fill-opacity=\"{strength:.2}\"/></g>"
        ));
    }
    let more = if is_capped { " or more" } else { "" };
    let x = LEFT + 20.0 + (STEPS + 1) as f64 * WIDE;
    svg.text(
        x,
        y + 11.0,
        "dim",
        &format!("{}{more}", counted(most, "moves")),
    );
}
