//! Where moves are played, drawn on the board of the game: squares, hexagons
//! for Hex and Havannah, the fields of Pentobi's boards.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::adapt::stats::BoardHeat;
use crate::game::pentobi::{FieldKind, Fields};
use crate::game::{Dialect, Field, Game, Move, Variant};

use super::svg::{escape, number};

/// Boards with more fields on a side are not drawn.
const SIDE: u32 = 64;

/// A field as a polygon, and how often it was chosen.
struct Cell {
    corners: Vec<(f64, f64)>,
    count: u64,
    name: String,
}

/// The board, if it can be drawn.
pub(super) fn board(heat: &BoardHeat) -> Option<String> {
    let cells = match (heat.board().game, heat.size()) {
        (_, Some((columns, rows))) => squares(heat, columns, rows)?,
        (Game::Pentobi(variant), None) => pentobi(heat, variant),
        (game, None) => {
            let size = heat.board().size.filter(|size| size.longer() <= SIDE)?;
            let dialect = Dialect::new(game, Some(size));
            let counts = counts(heat, &dialect);
            if counts.is_empty() {
                return None;
            }
            let is_hexagonal = matches!(game, Game::Hex | Game::Havannah);
            // Havannah's fields lie in a square around the hexagon.
            let side = if game == Game::Havannah { 2 * size.columns() - 1 } else { size.columns() };
            let rows = if game == Game::Havannah { side } else { size.rows() };
            let mut cells = Vec::new();
            for row in 0..rows.min(2 * SIDE) as u16 {
                for column in 0..side.min(2 * SIDE) as u16 {
                    let field = Field::new(column, row);
                    let name = dialect.show_point(field).to_string();
                    if game == Game::Havannah && dialect.parse_point(name.as_bytes()).ok() != Some(field) {
                        continue;
                    }
                    let count = counts.get(&field).copied().unwrap_or(0);
                    let corners = if is_hexagonal { hexagon(column, row) } else { square(column, row) };
                    cells.push(Cell { corners, count, name });
                }
            }
            cells
        }
    };
    (cells.iter().any(|cell| cell.count > 0)).then(|| draw(&cells))
}

/// How often each field was part of a move.
fn counts(heat: &BoardHeat, dialect: &Dialect) -> BTreeMap<Field, u64> {
    let mut counts = BTreeMap::new();
    for (played, count) in heat.texts() {
        let Ok(read) = dialect.parse_move(played.as_bytes()) else { continue };
        match &read {
            Move::Piece(piece) => piece.fields().iter().for_each(|&field| *counts.entry(field).or_default() += count),
            read => {
                if let Some(field) = read.point() {
                    *counts.entry(field).or_default() += count;
                }
            }
        }
    }
    counts
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
        let name = format!("{} (B {}, W {})", dialect.show_point(field), number(black), number(white));
        Cell { corners: square(field.column, field.row), count: black + white, name }
    };
    Some(fields.map(cell).collect())
}

fn pentobi(heat: &BoardHeat, variant: Variant) -> Vec<Cell> {
    let dialect = Dialect::new(Game::Pentobi(variant), None);
    let fields = Fields::of(variant);
    let counts = counts(heat, &dialect);
    let mut cells = Vec::new();
    for row in 0..fields.rows() {
        for column in 0..fields.columns() {
            let field = Field::new(column, row);
            let Some(kind) = fields.kind_of(field).filter(|kind| kind.is_playable()) else { continue };
            let count = counts.get(&field).copied().unwrap_or(0);
            cells.push(Cell { corners: shape(kind, column, row), count, name: dialect.show_point(field).to_string() });
        }
    }
    cells
}

fn square(column: u16, row: u16) -> Vec<(f64, f64)> {
    let (x, y) = (f64::from(column), f64::from(row));
    vec![(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)]
}

/// Rows are half a cell further right than those above.
fn hexagon(column: u16, row: u16) -> Vec<(f64, f64)> {
    const HIGH: f64 = 1.154_700_5;
    let (x, y) = (f64::from(column) + f64::from(row) / 2.0 + 0.5, (f64::from(row) * 0.75 + 0.5) * HIGH);
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
            // A right triangle in a cell that is twice as high as wide.
            let (left, far, top, low) = (x, x + 1.0, y * 2.0, y * 2.0 + 2.0);
            let upright = if right { far } else { left };
            let level = if above { top } else { low };
            let (other_x, other_y) = (left + far - upright, top + low - level);
            vec![(upright, level), (other_x, level), (upright, other_y)]
        }
    }
}

fn draw(cells: &[Cell]) -> String {
    let corners = || cells.iter().flat_map(|cell| &cell.corners);
    let (left, right) = corners().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.0), high.max(at.0)));
    let (top, low) = corners().fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at.1), high.max(at.1)));
    let scale = 420.0 / (right - left).max(low - top).max(1.0);
    // A few fields that everyone plays would leave the others pale.
    let mut counts: Vec<u64> = cells.iter().map(|cell| cell.count).filter(|&count| count > 0).collect();
    counts.sort_unstable();
    let most = counts.get(counts.len() * 97 / 100).copied().unwrap_or(1);
    let mut svg = format!(
        "<svg class=\"heat\" viewBox=\"-2 -2 {:.1} {:.1}\" role=\"img\">",
        (right - left) * scale + 4.0,
        (low - top) * scale + 4.0
    );
    for cell in cells {
        svg.push_str("<polygon points=\"");
        for (x, y) in &cell.corners {
            _ = write!(svg, "{:.1},{:.1} ", (x - left) * scale, (y - top) * scale);
        }
        let strength = (cell.count as f64 / most as f64).min(1.0);
        _ = write!(
            svg,
            "\" class=\"cell\" style=\"fill-opacity:{strength:.3}\"><title>{}: {}</title></polygon>",
            escape(&cell.name),
            number(cell.count)
        );
    }
    svg + "</svg>"
}
