//! Where moves are played, drawn on the board of the game: squares, hexagons
//! for Hex and Havannah, the fields of Pentobi's boards.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use sgfstream::adapt::stats::{Board, BoardCounts};
use sgfstream::game::havannah::{Hexagon, Numbering};
use sgfstream::game::pentobi::{FieldKind, Fields};
use sgfstream::game::{Dialect, Field, Game, Variant};
use sgfstream::value::BoardSize;

use super::svg::{Svg, WIDTH, counted, escape, first_five, number, px, widest};

/// Boards with more fields on a side are not drawn.
const SIDE: u32 = 64;

/// Beside the board: the names of its rows and columns, and its legend.
const LEFT: f64 = 26.0;
const TOP: f64 = 16.0;
const LEGEND: f64 = 34.0;

type Point = (f64, f64);

/// A field as a polygon, and how often it was chosen.
struct Cell {
    field: Field,
    corners: Vec<Point>,
    count: u64,
    name: String,
    /// Whose moves they were, where that is known.
    detail: String,
}

/// The board, if it can be drawn.
pub(super) fn board(heat: &BoardCounts, title: &str) -> Option<String> {
    let Board { game, size } = heat.board();
    let size = size.filter(|_| !matches!(game, Game::Pentobi(_)));
    let counts = heat.fields();
    let fields = match (game, size) {
        (Game::Pentobi(variant), _) => pentobi(variant),
        (Game::Havannah, Some(size)) => havannah(size, &counts)?,
        (Game::Hex, Some(size)) => grid(size, |column, row| hexagon(column, row, 0.5))?,
        (_, Some(size)) => grid(size, square)?,
        (_, None) => return None,
    };
    let dialect = Dialect::new(game, size);
    let cell = |(field, corners): (Field, Vec<Point>)| {
        let (count, detail) = match heat.size() {
            Some(_) => {
                let [black, white] = [1, 2].map(|color| heat.get(color, field.column.into(), field.row.into()));
                (black + white, format!(" (Black {}, White {})", number(black), number(white)))
            }
            None => (counts.get(&field).copied().unwrap_or(0), String::new()),
        };
        Cell { field, corners, count, name: dialect.show_point(field).to_string(), detail }
    };
    let cells: Vec<_> = fields.into_iter().map(cell).collect();
    let is_hexagonal = matches!(game, Game::Hex | Game::Havannah);
    cells.iter().any(|cell| cell.count > 0).then(|| draw(&cells, is_hexagonal, title))
}

fn all_fields(columns: u16, rows: u16) -> impl Iterator<Item = Field> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| Field::new(column, row)))
}

/// A board with rows and columns.
fn grid(size: BoardSize, shape: impl Fn(u16, u16) -> Vec<Point>) -> Option<Vec<(Field, Vec<Point>)>> {
    let fields = all_fields(size.columns() as u16, size.rows() as u16);
    (size.longer() <= SIDE).then(|| fields.map(|field| (field, shape(field.column, field.row))).collect())
}

/// Rows are numbered in two ways, and files do not say which one is theirs: it
/// is taken to be the one that has more of their moves on the board.
fn havannah(size: BoardSize, counts: &BTreeMap<Field, u64>) -> Option<Vec<(Field, Vec<Point>)>> {
    if size.longer() > SIDE / 2 {
        return None;
    }
    let inside = |hexagon: Hexagon| counts.iter().filter(|row| hexagon.has(*row.0)).map(|row| row.1).sum::<u64>();
    let [straight, from_one] =
        [Numbering::Straight, Numbering::FromOne].map(|numbering| Hexagon::new(size.columns() as u16, numbering));
    let is_straight = inside(straight) >= inside(from_one);
    let board = if is_straight { straight } else { from_one };
    let corners = |field: Field| {
        let begins = if is_straight { 0 } else { (field.column + 1).saturating_sub(board.side()) };
        // Its rows shift to the left, so that the board is a hexagon.
        hexagon(field.column, field.row + begins, -0.5)
    };
    Some(board.cells().map(|field| (field, corners(field))).collect())
}

fn pentobi(variant: Variant) -> Vec<(Field, Vec<Point>)> {
    let fields = Fields::of(variant);
    let corners = |field: Field| {
        let kind = fields.kind_of(field).filter(|kind| kind.is_playable())?;
        Some((field, shape(kind, field.column, field.row)))
    };
    all_fields(fields.columns(), fields.rows()).filter_map(corners).collect()
}

fn square(column: u16, row: u16) -> Vec<Point> {
    let (x, y) = (f64::from(column), f64::from(row));
    vec![(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)]
}

/// Each row is `shift` of a cell further right than that above.
fn hexagon(column: u16, row: u16, shift: f64) -> Vec<Point> {
    const HIGH: f64 = 1.154_700_5;
    let (x, y) = (f64::from(column) + f64::from(row) * shift + 0.5, (f64::from(row) * 0.75 + 0.5) * HIGH);
    [(0.0, -0.5), (0.5, -0.25), (0.5, 0.25), (0.0, 0.5), (-0.5, 0.25), (-0.5, -0.25)]
        .map(|(across, down)| (x + across, y + down * HIGH))
        .to_vec()
}

/// A field of one of Pentobi's boards.
fn shape(kind: FieldKind, column: u16, row: u16) -> Vec<Point> {
    let (x, y) = (f64::from(column), f64::from(row));
    match kind {
        FieldKind::Square | FieldKind::Junction => square(column, row),
        // Triangles reach over half of their neighbours.
        FieldKind::Up => vec![(x - 0.5, y * 1.732 + 1.732), (x + 0.5, y * 1.732), (x + 1.5, y * 1.732 + 1.732)],
        FieldKind::Down => vec![(x - 0.5, y * 1.732), (x + 1.5, y * 1.732), (x + 0.5, y * 1.732 + 1.732)],
        FieldKind::Horizontal => vec![(x, y + 0.3), (x + 1.0, y + 0.3), (x + 1.0, y + 0.7), (x, y + 0.7)],
        FieldKind::Vertical => vec![(x + 0.3, y), (x + 0.7, y), (x + 0.7, y + 1.0), (x + 0.3, y + 1.0)],
        FieldKind::Quarter { right, above } => {
            // Two columns are a square that is cut from corner to corner.
            let (left, top) = (f64::from(column & !1), y * 2.0);
            let (far, low) = (left + 2.0, top + 2.0);
            let upright = if right { far } else { left };
            let level = if above { top } else { low };
            let (other_x, other_y) = (left + far - upright, top + low - level);
            vec![(upright, level), (other_x, level), (upright, other_y)]
        }
    }
}

/// The left upper and the right lower corner of what `corners` enclose.
fn bounds<'c>(corners: impl Iterator<Item = &'c Point>) -> (Point, Point) {
    let start = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    corners.fold(start, |(low, high), at| ((low.0.min(at.0), low.1.min(at.1)), (high.0.max(at.0), high.1.max(at.1))))
}

fn draw(cells: &[Cell], is_hexagonal: bool, title: &str) -> String {
    let ((left, top), (right, low)) = bounds(cells.iter().flat_map(|cell| &cell.corners));
    let scale = (WIDTH - LEFT - 2.0) / (right - left).max(low - top).max(1.0);
    let at = |(x, y): Point| ((x - left) * scale + LEFT, (y - top) * scale + TOP);
    let mut played: Vec<&Cell> = cells.iter().filter(|cell| cell.count > 0).collect();
    played.sort_by_key(|cell| (Reverse(cell.count), cell.field));
    // The strongest colour is not that of the most: a few fields that everyone plays would leave the others pale.
    let most = played.iter().rev().nth(played.len() * 97 / 100).map_or(1, |cell| cell.count);
    let first = first_five(played.iter().map(|cell| format!("{}: {}", cell.name, number(cell.count))));
    let base = (low - top) * scale + TOP;
    let mut svg = Svg::new("heat", base + LEGEND, title, &format!("Most moves at {first}"));
    svg.push("<path class=\"field\" d=\"");
    for cell in cells {
        svg.push(&outline(cell, at));
    }
    svg.push("\"/><g class=\"cell\">");
    for cell in cells.iter().filter(|cell| cell.count > 0) {
        let strength = (cell.count as f64 / most as f64).min(1.0);
        let (name, count, detail) = (escape(&cell.name), number(cell.count), &cell.detail);
        svg.push(&format!("<path d=\"{}\" fill-opacity=\"{strength:.2}\">", outline(cell, at)));
        svg.push(&format!("<title>{name}: {count}{detail}</title></path>"));
    }
    svg.push("</g>");
    names(&mut svg, cells, is_hexagonal, at);
    let is_capped = played.first().is_some_and(|cell| cell.count > most);
    legend(&mut svg, base + 10.0, most, is_capped);
    svg.finish()
}

fn outline(cell: &Cell, at: impl Fn(Point) -> Point) -> String {
    let mut path = String::new();
    for (nth, &corner) in cell.corners.iter().enumerate() {
        let (x, y) = at(corner);
        _ = write!(path, "{}{} {}", if nth == 0 { "M" } else { "L" }, px(x), px(y));
    }
    path + "Z"
}

/// The names of columns above the board and of rows beside it, where the
/// names of its points are made of both.
fn names(svg: &mut Svg, cells: &[Cell], is_hexagonal: bool, at: impl Fn(Point) -> Point) {
    // For each column and row: its name, and its first cell.
    let mut columns: BTreeMap<u16, (&str, &Cell)> = BTreeMap::new();
    let mut rows: BTreeMap<u16, (&str, &Cell)> = BTreeMap::new();
    for cell in cells {
        let Some((across, down)) = parts(&cell.name) else { return };
        if columns.entry(cell.field.column).or_insert((across, cell)).0 != across
            || rows.entry(cell.field.row).or_insert((down, cell)).0 != down
        {
            return;
        }
    }
    let edge = |cell: &Cell| at(bounds(cell.corners.iter()).0);
    let middle = |cell: &Cell| {
        let (low, high) = bounds(cell.corners.iter());
        at(((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0))
    };
    // Every second name or so, if names need more than the distance of their places. Not every third: two columns
    // of GembloQ's have one middle.
    let every = |size: f64, places: Vec<f64>| match (places.first(), places.last()) {
        (Some(first), Some(last)) if places.len() > 1 => {
            let distance = (last - first).abs() / (places.len() - 1) as f64;
            let step = (size / distance).ceil().max(1.0) as usize;
            if step == 1 { 1 } else { step.next_multiple_of(2) }
        }
        _ => 1,
    };
    let widest = widest(columns.values().map(|column| column.0));
    let step = every(widest + 5.0, columns.values().map(|column| middle(column.1).0).collect());
    for (name, cell) in columns.values().step_by(step) {
        let y = if is_hexagonal { edge(cell).1 } else { TOP };
        // Beside the cell above, where a hexagon has one.
        let aside = if cell.field.row > 0 && is_hexagonal { (middle(cell).0 - edge(cell).0) * 0.7 } else { 0.0 };
        svg.text(middle(cell).0 + aside, y - if aside > 0.0 { 0.0 } else { 4.0 }, "mid dim", &escape(name));
    }
    let step = every(13.5, rows.values().map(|row| middle(row.1).1).collect());
    for (name, cell) in rows.values().step_by(step) {
        let x = if is_hexagonal { edge(cell).0 } else { LEFT };
        svg.text(x - 5.0, middle(cell).1 + 4.0, "end dim", &escape(name));
    }
}

/// Column and row of a point's name: two letters, or letters and a number.
fn parts(name: &str) -> Option<(&str, &str)> {
    let is_letters = name.bytes().all(|byte| byte.is_ascii_alphabetic());
    let at = if is_letters { (name.len() == 2).then_some(1)? } else { name.find(|char: char| char.is_ascii_digit())? };
    let (across, down) = name.split_at_checked(at)?;
    let is_plain = across.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_number = down.bytes().all(|byte| byte.is_ascii_digit());
    (at > 0 && is_plain && (is_letters || is_number)).then_some((across, down))
}

/// The meaning of the colours.
fn legend(svg: &mut Svg, y: f64, most: u64, is_capped: bool) {
    const STEPS: u64 = 5;
    const WIDE: f64 = 26.0;
    svg.text(LEFT, y + 11.0, "dim", "0");
    for step in 0..=STEPS {
        let (x, y) = (px(LEFT + 14.0 + step as f64 * WIDE), px(y));
        let strength = step as f64 / STEPS as f64;
        svg.push(&format!(
            "<g class=\"cell\"><rect x=\"{x}\" y=\"{y}\" width=\"{WIDE}\" height=\"12\" fill-opacity=\"{strength}\"/></g>"
        ));
    }
    let more = if is_capped { " or more" } else { "" };
    let x = LEFT + 20.0 + (STEPS + 1) as f64 * WIDE;
    svg.text(x, y + 11.0, "dim", &format!("{}{more}", counted(most, "moves")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points() {
        assert_eq!(parts("dp"), Some(("d", "p")));
        assert_eq!(parts("aa14"), Some(("aa", "14")));
        assert_eq!([parts("14"), parts("abc"), parts("d-4"), parts("")], [None; 4]);
    }
}
