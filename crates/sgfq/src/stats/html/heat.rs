//! Where moves are played, drawn on the board of the game: squares, hexagons
//! for Hex and Havannah, the fields of Pentobi's boards.

use std::collections::BTreeMap;
use std::fmt::Write;

use sgfstream::adapt::stats::BoardHeat;
use sgfstream::game::havannah::{Hexagon, Numbering};
use sgfstream::game::pentobi::{FieldKind, Fields};
use sgfstream::game::{Dialect, Field, Game, Variant};

use super::svg::{WIDTH, counted, escape, number, open, px, width_of};

/// Boards with more fields on a side are not drawn.
const SIDE: u32 = 64;

/// Beside the board: the names of its rows and columns, and its legend.
const LEFT: f64 = 26.0;
const TOP: f64 = 16.0;
const LEGEND: f64 = 34.0;

/// A field as a polygon, and how often it was chosen.
struct Cell {
    field: Field,
    corners: Vec<(f64, f64)>,
    count: u64,
    name: String,
    /// Whose moves they were, where that is known.
    detail: String,
}

/// The board, if it can be drawn.
pub(super) fn board(heat: &BoardHeat, title: &str) -> Option<String> {
    let game = heat.board().game;
    let cells = match (game, heat.size()) {
        (_, Some((columns, rows))) => squares(heat, columns, rows)?,
        (Game::Pentobi(variant), None) => pentobi(heat, variant),
        (Game::Havannah, None) => havannah(heat)?,
        (game, None) => grid(heat, game)?,
    };
    (cells.iter().any(|cell| cell.count > 0)).then(|| draw(&cells, is_hexagonal(game), title))
}

fn is_hexagonal(game: Game) -> bool {
    matches!(game, Game::Hex | Game::Havannah)
}

/// A board with rows and columns, whose points have names of their own.
fn grid(heat: &BoardHeat, game: Game) -> Option<Vec<Cell>> {
    let size = heat.board().size.filter(|size| size.longer() <= SIDE)?;
    let dialect = Dialect::new(game, Some(size));
    let counts = heat.fields();
    if counts.is_empty() {
        return None;
    }
    let mut cells = Vec::new();
    for row in 0..size.rows() as u16 {
        for column in 0..size.columns() as u16 {
            let field = Field::new(column, row);
            let name = dialect.show_point(field).to_string();
            let count = counts.get(&field).copied().unwrap_or(0);
            let corners = if game == Game::Hex { hexagon(column, row, 0.5) } else { square(column, row) };
            cells.push(Cell { field, corners, count, name, detail: String::new() });
        }
    }
    Some(cells)
}

/// Rows are numbered in two ways, and files do not say in which: so it is the
/// one that has room for more of their moves.
fn havannah(heat: &BoardHeat) -> Option<Vec<Cell>> {
    let size = heat.board().size.filter(|size| size.longer() <= SIDE / 2)?;
    let dialect = Dialect::new(Game::Havannah, Some(size));
    let counts = heat.fields();
    let inside = |hexagon: Hexagon| counts.iter().filter(|row| hexagon.has(*row.0)).map(|row| row.1).sum::<u64>();
    let [straight, from_one] =
        [Numbering::Straight, Numbering::FromOne].map(|numbering| Hexagon::new(size.columns() as u16, numbering));
    let (board, is_straight) = if inside(straight) >= inside(from_one) { (straight, true) } else { (from_one, false) };
    let cell = |field: Field| {
        let begins = if is_straight { 0 } else { (field.column + 1).saturating_sub(board.side()) };
        // Its rows shift to the left: so the board is a hexagon.
        let corners = hexagon(field.column, field.row + begins, -0.5);
        let count = counts.get(&field).copied().unwrap_or(0);
        Cell { field, corners, count, name: dialect.show_point(field).to_string(), detail: String::new() }
    };
    Some(board.cells().map(cell).collect())
}

fn squares(heat: &BoardHeat, columns: u32, rows: u32) -> Option<Vec<Cell>> {
    if columns > SIDE || rows > SIDE {
        return None;
    }
    let dialect = Dialect::new(heat.board().game, heat.board().size);
    let fields = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
    let cell = |(column, row): (u32, u32)| {
        let (black, white) = (heat.get(1, column, row), heat.get(2, column, row));
        let field = Field::new(column as u16, row as u16);
        let detail = format!(" (Black {}, White {})", number(black), number(white));
        let name = dialect.show_point(field).to_string();
        Cell { field, corners: square(field.column, field.row), count: black + white, name, detail }
    };
    Some(fields.map(cell).collect())
}

fn pentobi(heat: &BoardHeat, variant: Variant) -> Vec<Cell> {
    let dialect = Dialect::new(Game::Pentobi(variant), None);
    let fields = Fields::of(variant);
    let counts = heat.fields();
    let mut cells = Vec::new();
    for row in 0..fields.rows() {
        for column in 0..fields.columns() {
            let field = Field::new(column, row);
            let Some(kind) = fields.kind_of(field).filter(|kind| kind.is_playable()) else { continue };
            let count = counts.get(&field).copied().unwrap_or(0);
            let (corners, name) = (shape(kind, column, row), dialect.show_point(field).to_string());
            cells.push(Cell { field, corners, count, name, detail: String::new() });
        }
    }
    cells
}

fn square(column: u16, row: u16) -> Vec<(f64, f64)> {
    let (x, y) = (f64::from(column), f64::from(row));
    vec![(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)]
}

/// Each row is `shift` of a cell further right than that above.
fn hexagon(column: u16, row: u16, shift: f64) -> Vec<(f64, f64)> {
    const HIGH: f64 = 1.154_700_5;
    let (x, y) = (f64::from(column) + f64::from(row) * shift + 0.5, (f64::from(row) * 0.75 + 0.5) * HIGH);
    [(0.0, -0.5), (0.5, -0.25), (0.5, 0.25), (0.0, 0.5), (-0.5, 0.25), (-0.5, -0.25)]
        .map(|(across, down)| (x + across, y + down * HIGH))
        .to_vec()
}

/// A field of one of Pentobi's boards.
fn shape(kind: FieldKind, column: u16, row: u16) -> Vec<(f64, f64)> {
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

fn draw(cells: &[Cell], is_hexagonal: bool, title: &str) -> String {
    let corners = || cells.iter().flat_map(|cell| &cell.corners);
    let (left, right) = corners().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.0), high.max(at.0)));
    let (top, low) = corners().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.1), high.max(at.1)));
    let scale = (WIDTH - LEFT - 2.0) / (right - left).max(low - top).max(1.0);
    let at = |(x, y): (f64, f64)| ((x - left) * scale + LEFT, (y - top) * scale + TOP);
    // A few fields that everyone plays would leave the others pale.
    let mut counts: Vec<u64> = cells.iter().map(|cell| cell.count).filter(|&count| count > 0).collect();
    counts.sort_unstable();
    let most = counts.get(counts.len() * 97 / 100).copied().unwrap_or(1);
    let mut first: Vec<&Cell> = cells.iter().filter(|cell| cell.count > 0).collect();
    first.sort_by_key(|cell| (std::cmp::Reverse(cell.count), cell.field));
    let told = first.iter().take(5).map(|cell| format!("{}: {}", cell.name, number(cell.count)));
    let told = format!("Most moves at {}", told.collect::<Vec<_>>().join("; "));
    let base = (low - top) * scale + TOP;
    let mut svg = open("heat", base + LEGEND, title, &told);
    svg.push_str("<path class=\"field\" d=\"");
    for cell in cells {
        svg.push_str(&outline(cell, at));
    }
    svg.push_str("\"/><g class=\"cell\">");
    for cell in cells.iter().filter(|cell| cell.count > 0) {
        let strength = (cell.count as f64 / most as f64).min(1.0);
        _ = write!(
            svg,
            "<path d=\"{}\" fill-opacity=\"{strength:.2}\"><title>{}: {}{}</title></path>",
            outline(cell, at),
            escape(&cell.name),
            number(cell.count),
            cell.detail
        );
    }
    svg.push_str("</g>");
    names(&mut svg, cells, is_hexagonal, at);
    let is_capped = counts.last().is_some_and(|&last| last > most);
    legend(&mut svg, base + 10.0, most, is_capped);
    svg + "</svg>"
}

fn outline(cell: &Cell, at: impl Fn((f64, f64)) -> (f64, f64)) -> String {
    let mut path = String::new();
    for (nth, &corner) in cell.corners.iter().enumerate() {
        let (x, y) = at(corner);
        _ = write!(path, "{}{} {}", if nth == 0 { "M" } else { "L" }, px(x), px(y));
    }
    path + "Z"
}

/// The names of columns above the board and of rows beside it, where the
/// names of its points are made of both.
fn names(svg: &mut String, cells: &[Cell], is_hexagonal: bool, at: impl Fn((f64, f64)) -> (f64, f64)) {
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
    // Left and top edge, and the middle between the edges.
    let edges = |cell: &Cell| {
        let low = cell.corners.iter().fold((f64::MAX, f64::MAX), |low, at| (low.0.min(at.0), low.1.min(at.1)));
        let high = cell.corners.iter().fold((f64::MIN, f64::MIN), |high, at| (high.0.max(at.0), high.1.max(at.1)));
        (at(low), at(((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0)))
    };
    let (edge, middle) = (|cell: &Cell| edges(cell).0, |cell: &Cell| edges(cell).1);
    let apart = |places: Vec<f64>| match (places.first(), places.last()) {
        (Some(first), Some(last)) if places.len() > 1 => (last - first).abs() / (places.len() - 1) as f64,
        _ => f64::MAX,
    };
    let widest = columns.values().map(|column| width_of(column.0)).fold(0.0, f64::max);
    // Not every third: two columns of GembloQ's have one middle.
    let every = |room: f64, apart: f64| match (room / apart).ceil().max(1.0) as usize {
        1 => 1,
        step => step.next_multiple_of(2),
    };
    let step = every(widest + 5.0, apart(columns.values().map(|column| middle(column.1).0).collect()));
    for (name, cell) in columns.values().step_by(step) {
        let y = if is_hexagonal { edge(cell).1 } else { TOP };
        // Beside the cell above, where a hexagon has one.
        let aside = if cell.field.row > 0 && is_hexagonal { (middle(cell).0 - edge(cell).0) * 0.7 } else { 0.0 };
        let (x, y) = (px(middle(cell).0 + aside), px(y - if aside > 0.0 { 0.0 } else { 4.0 }));
        _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" class=\"mid dim\">{}</text>", escape(name));
    }
    let step = every(13.5, apart(rows.values().map(|row| middle(row.1).1).collect()));
    for (name, cell) in rows.values().step_by(step) {
        let x = if is_hexagonal { edge(cell).0 } else { LEFT };
        let (x, y) = (px(x - 5.0), px(middle(cell).1 + 4.0));
        _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" class=\"end dim\">{}</text>", escape(name));
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

/// What the colours mean.
fn legend(svg: &mut String, y: f64, most: u64, is_capped: bool) {
    const STEPS: u64 = 5;
    const WIDE: f64 = 26.0;
    _ = write!(svg, "<text x=\"{LEFT}\" y=\"{}\" class=\"dim\">0</text>", px(y + 11.0));
    for step in 0..=STEPS {
        _ = write!(
            svg,
            "<g class=\"cell\"><rect x=\"{}\" y=\"{}\" width=\"{WIDE}\" height=\"12\" fill-opacity=\"{}\"/></g>",
            px(LEFT + 14.0 + step as f64 * WIDE),
            px(y),
            step as f64 / STEPS as f64
        );
    }
    let x = px(LEFT + 20.0 + (STEPS + 1) as f64 * WIDE);
    let more = if is_capped { " or more" } else { "" };
    _ = write!(svg, "<text x=\"{x}\" y=\"{}\" class=\"dim\">{}{more}</text>", px(y + 11.0), counted(most, "moves"));
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
