//! Layout of the cells of a board and of the names around it: squares, hexagons for Hex, Havannah
//! and Unlur, and the cells of Pentobi's boards.

use std::collections::BTreeMap;
use std::fmt::Write;

use sgfstream_game::havannah::{Hexagon, Numbering};
use sgfstream_game::pentobi::{CellKind, PentobiCells};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    BoardCell, Coordinates, Dialect, Game, board::Symmetry, dialect::Variant, internal::BOARD_MAX,
};

use crate::svg::{Svg, WIDTH, escape, px, widest};

/// Left and top margins for the names of rows and columns.
pub const LEFT: f64 = 26.0;
pub(crate) const TOP: f64 = 16.0;

/// Gradients of wood and stones. The style sheet of the board sets their colors. Several pictures
/// of a page may repeat these definitions.
const GRADIENTS: &str = "<defs><linearGradient id=\"wood\" x2=\"1\" y2=\"1\"><stop class=\"wood-0\"/><stop offset=\"1\" class=\"wood-1\"/></linearGradient>\
    <radialGradient id=\"stone-b\" cx=\".37\" cy=\".32\" r=\".7\"><stop class=\"black-0\"/><stop offset=\"1\" class=\"black-1\"/></radialGradient>\
    <radialGradient id=\"stone-w\" cx=\".37\" cy=\".32\" r=\".7\"><stop class=\"white-0\"/><stop offset=\"1\" class=\"white-1\"/></radialGradient></defs>";

/// Point in units of a cell or in pixels: x to the right, y down.
pub type PicturePoint = (f64, f64);

/// Drawing style of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Stones on the crossings of lines.
    Crossings,
    /// Stones on the cells of rows and columns.
    Squares,
    /// Hexagonal cells.
    Hexagons,
    /// Pieces that cover cells of several shapes.
    Pieces,
}

/// A cell of the board as a polygon.
#[derive(Clone)]
pub struct DrawnCell {
    /// Coordinates of the cell.
    pub field: BoardCell,
    /// Corners, in units of a cell.
    pub corners: Vec<PicturePoint>,
    /// Place in the text drawing: half columns from the left, and the line.
    pub place: (i32, i32),
    /// Name for players.
    pub name: String,
    /// Whether the cell has a star point.
    pub is_star: bool,
}

/// Layout of all cells of a board.
pub struct BoardLayout {
    /// Drawing style of the board.
    pub style: Style,
    /// Cells of the board.
    pub cells: Vec<DrawnCell>,
    /// First cell of each column and of each row, if names of points combine both.
    edges: Option<[Vec<usize>; 2]>,
    /// Dialect, numbering and coordinates of the layout.
    of: (Dialect, Numbering, Coordinates),
    /// Cells at two corners of the cropped part, or `None` for the whole board.
    pub(crate) window: Option<(BoardCell, BoardCell)>,
    /// Rotation or reflection of the board in the picture.
    symmetry: Symmetry,
}

impl BoardLayout {
    /// Creates the layout of a board. Returns `None` if the board is too large to draw. `numbering`
    /// applies to hexagons.
    pub fn new(dialect: &Dialect, numbering: Numbering, coordinates: Coordinates) -> Option<Self> {
        let (game, size) = (dialect.game(), dialect.size());
        let stars = stars(game, size);
        let (style, fields) = match game {
            Game::Pentobi(variant) => (Style::Pieces, pentobi(variant)),
            Game::Havannah | Game::Unlur => {
                let board = hexagon_of(game, size, numbering)?;
                (Style::Hexagons, hexagonal(board, numbering))
            }
            _ if size.longer() > BOARD_MAX => return None,
            Game::Hex => (
                Style::Hexagons,
                grid(size, |column, row| hexagon(column, row, 0.5)),
            ),
            Game::Go | Game::Gomoku | Game::Kropki => (Style::Crossings, grid(size, square)),
            _ => (Style::Squares, grid(size, square)),
        };
        let cell = |(field, corners): (BoardCell, Vec<PicturePoint>)| {
            let name = dialect.show_point_in(field, coordinates).to_string();
            let place = match style {
                Style::Hexagons => {
                    // Left side of the hexagon in halves, and its row of hexagons.
                    let (x, y) = bounds(corners.iter()).0;
                    ((x * 2.0).round() as i32, (y / (0.75 * HIGH)).round() as i32)
                }
                _ => (2 * i32::from(field.column), field.row.into()),
            };
            let is_star = stars.contains(&field);
            DrawnCell {
                field,
                corners,
                place,
                name,
                is_star,
            }
        };
        let cells: Vec<DrawnCell> = fields.into_iter().map(cell).collect();
        Some(Self {
            style,
            edges: edges(&cells),
            cells,
            of: (*dialect, numbering, coordinates),
            window: None,
            symmetry: Symmetry::Identity,
        })
    }

    /// Returns whether [`new`](Self::new) with these arguments returns this layout.
    pub fn is_of(&self, dialect: &Dialect, numbering: Numbering, coordinates: Coordinates) -> bool {
        self.of == (*dialect, numbering, coordinates)
    }

    /// Returns the part of the board between two corners, with all cells that reach into it.
    #[must_use]
    pub(crate) fn crop(&self, from: BoardCell, to: BoardCell) -> Self {
        let is_inside = |field: BoardCell| {
            (from.column..=to.column).contains(&field.column)
                && (from.row..=to.row).contains(&field.row)
        };
        let inside = self.cells.iter().filter(|cell| is_inside(cell.field));
        let top = inside.clone().map(|cell| cell.place.1).min().unwrap_or(0);
        let inside = inside.map(|cell| DrawnCell {
            place: (cell.place.0, cell.place.1 - top),
            ..cell.clone()
        });
        let cells: Vec<_> = inside.collect();
        Self {
            edges: edges(&cells),
            cells,
            window: Some((from, to)),
            ..*self
        }
    }

    /// Rotates or mirrors the whole board. Returns `None` if its cells are not squares in rows and
    /// columns.
    pub(crate) fn rotate(&self, symmetry: Symmetry) -> Option<Self> {
        if !matches!(self.style, Style::Crossings | Style::Squares) || self.window.is_some() {
            return None;
        }
        let size = self.of.0.size();
        let rotate = |cell: &DrawnCell| {
            let BoardCell { column, row } =
                symmetry.turn(cell.field, (size.columns(), size.rows()));
            DrawnCell {
                corners: square(column, row),
                place: (2 * i32::from(column), row.into()),
                ..cell.clone()
            }
        };
        let (edges, cells) = (self.edges.clone(), self.cells.iter().map(rotate).collect());
        Some(Self {
            edges,
            cells,
            symmetry,
            ..*self
        })
    }

    /// Returns whether the picture shows columns as rows.
    fn is_transposed(&self) -> bool {
        self.symmetry.size((1, 2)) == (2, 1)
    }

    /// Returns the names of columns and of rows, each with its first cell, if names of points
    /// combine both.
    pub fn edges(&self) -> Option<[Vec<(&str, &DrawnCell)>; 2]> {
        let [columns, rows] = self.edges.as_ref()?;
        let names = |cells: &[usize], name: fn(&str) -> Option<&str>| {
            let cells = cells.iter().map(|&at| &self.cells[at]);
            cells
                .map(|cell| (name(&cell.name).unwrap_or_default(), cell))
                .collect()
        };
        Some([
            names(columns, |name| Some(parts(name)?.0)),
            names(rows, |name| Some(parts(name)?.1)),
        ])
    }

    /// Returns the last cells of columns with their numbers, if these differ from the row numbers
    /// of the picture: Little Golem numbers the cells of each column of Havannah from 1.
    pub fn column_ends(&self) -> Vec<(&str, &DrawnCell)> {
        let Some([_, rows]) = self.edges().filter(|_| self.style == Style::Hexagons) else {
            return Vec::new();
        };
        let mut last = BTreeMap::new();
        for cell in &self.cells {
            last.entry(cell.field.column)
                .and_modify(|last: &mut &DrawnCell| {
                    if cell.place.1 > last.place.1 {
                        *last = cell;
                    }
                })
                .or_insert(cell);
        }
        let rows: BTreeMap<i32, &str> = rows
            .into_iter()
            .map(|(name, cell)| (cell.place.1, name))
            .collect();
        let numbers = last
            .into_values()
            .filter_map(|cell| Some((parts(&cell.name)?.1, cell)));
        numbers
            .filter(|(number, cell)| rows.get(&cell.place.1).is_some_and(|row| row != number))
            .collect()
    }

    /// Draws the background below the stones: the wood, and the cells of boards without lines.
    pub fn draw_ground(&self, svg: &mut Svg, frame: &PictureFrame) {
        svg.push(GRADIENTS);
        if matches!(self.style, Style::Crossings | Style::Squares) {
            svg.rect(
                [LEFT, TOP, frame.right - LEFT, frame.base - TOP],
                "wood",
                None,
            );
        }
        if self.style != Style::Crossings {
            let class = if self.style == Style::Pieces {
                "field"
            } else {
                "square"
            };
            svg.push(&format!("<path class=\"{class}\" d=\""));
            self.cells
                .iter()
                .for_each(|cell| svg.push(&outline(cell, frame)));
            svg.push("\"/>");
        }
    }

    /// Draws the lines and the star points of a board with crossings.
    pub fn draw_lines(&self, svg: &mut Svg, frame: &PictureFrame) {
        if self.style != Style::Crossings {
            return;
        }
        let size = self.of.0.size();
        let (columns, rows) = self.symmetry.size((size.columns(), size.rows()));
        let last = BoardCell::new(columns as u16 - 1, rows as u16 - 1);
        let (from, to) = self.window.unwrap_or((BoardCell::new(0, 0), last));
        // At the edge of a crop, lines continue to the edge of the picture.
        let start = |at: u16| f64::from(at) + if at == 0 { 0.5 } else { 0.0 };
        let end = |at: u16, last: u16| f64::from(at) + if at == last { 0.5 } else { 1.0 };
        let (left, top) = (start(from.column), start(from.row));
        let (right, low) = (end(to.column, last.column), end(to.row, last.row));
        svg.push("<path class=\"lines\" d=\"");
        let mut line = |from: PicturePoint, to: PicturePoint| {
            let ((x1, y1), (x2, y2)) = (frame.at(from), frame.at(to));
            svg.push(&format!("M{} {}L{} {}", px(x1), px(y1), px(x2), px(y2)));
        };
        (from.row..=to.row)
            .map(|row| f64::from(row) + 0.5)
            .for_each(|y| line((left, y), (right, y)));
        (from.column..=to.column)
            .map(|column| f64::from(column) + 0.5)
            .for_each(|x| line((x, top), (x, low)));
        svg.push("\"/>");
        for cell in self.cells.iter().filter(|cell| cell.is_star) {
            circle(svg, frame.at(cell.middle()), 0.11 * frame.scale, "star");
        }
    }

    /// Draws the names of columns above the board and of rows next to it.
    pub fn draw_names(&self, svg: &mut Svg, frame: &PictureFrame) {
        let Some([mut columns, mut rows]) = self.edges() else {
            return;
        };
        if self.is_transposed() {
            std::mem::swap(&mut columns, &mut rows);
        }
        let is_hexagonal = self.style == Style::Hexagons;
        let edge = |cell: &DrawnCell| frame.at(bounds(cell.corners.iter()).0);
        let middle = |cell: &DrawnCell| {
            let (low, high) = bounds(cell.corners.iter());
            frame.at(((low.0 + high.0) / 2.0, (low.1 + high.1) / 2.0))
        };
        // If names are wider than their distance, only every second, fourth, … name is drawn. The
        // step is even because two columns of GembloQ's board share one middle.
        let every = |size: f64, places: Vec<f64>| match (places.first(), places.last()) {
            (Some(first), Some(last)) if places.len() > 1 => {
                let distance = (last - first).abs() / (places.len() - 1) as f64;
                let step = (size / distance).ceil().max(1.0) as usize;
                if step == 1 {
                    1
                } else {
                    step.next_multiple_of(2)
                }
            }
            _ => 1,
        };
        let widest = widest(columns.iter().map(|column| column.0));
        let step = every(
            widest + 5.0,
            columns.iter().map(|column| middle(column.1).0).collect(),
        );
        for (name, cell) in columns.iter().step_by(step) {
            let y = if is_hexagonal { edge(cell).1 } else { TOP };
            // If a hexagon has a cell above it, the name goes next to that cell.
            let aside = if cell.place.1 > 0 && is_hexagonal {
                (middle(cell).0 - edge(cell).0) * 0.7
            } else {
                0.0
            };
            svg.text(
                middle(cell).0 + aside,
                y - if aside > 0.0 { 0.0 } else { 4.0 },
                "mid dim",
                &escape(name),
            );
        }
        let step = every(13.5, rows.iter().map(|row| middle(row.1).1).collect());
        for (name, cell) in rows.iter().step_by(step) {
            let x = if is_hexagonal { edge(cell).0 } else { LEFT };
            svg.text(x - 5.0, middle(cell).1 + 4.0, "end dim", &escape(name));
        }
        for (name, cell) in self.column_ends() {
            let low = frame.at(bounds(cell.corners.iter()).1).1;
            svg.text(
                middle(cell).0,
                low + COLUMN_END - 3.0,
                "mid dim",
                &escape(name),
            );
        }
    }
}

/// Height of the numbers below a board.
const COLUMN_END: f64 = 14.0;

/// Position and scale of a board in a picture.
pub struct PictureFrame {
    left: f64,
    top: f64,
    /// Pixels per unit.
    pub scale: f64,
    /// Lower end of the board.
    pub base: f64,
    /// Right end of the board.
    pub right: f64,
}

impl PictureFrame {
    /// Scales the board to the size of the picture.
    #[must_use]
    pub fn of(layout: &BoardLayout) -> Self {
        let ((left, top), (right, low)) =
            bounds(layout.cells.iter().flat_map(|cell| &cell.corners));
        let scale = (WIDTH - LEFT - 2.0) / (right - left).max(low - top).max(1.0);
        let below = if layout.column_ends().is_empty() {
            0.0
        } else {
            COLUMN_END
        };
        Self {
            left,
            top,
            scale,
            base: (low - top) * scale + TOP + below,
            right: (right - left) * scale + LEFT,
        }
    }

    /// Returns the place of a layout point in the picture.
    #[must_use]
    pub fn at(&self, (x, y): PicturePoint) -> PicturePoint {
        (
            (x - self.left) * self.scale + LEFT,
            (y - self.top) * self.scale + TOP,
        )
    }
}

impl DrawnCell {
    /// Returns the center of the cell.
    pub fn middle(&self) -> PicturePoint {
        let count = self.corners.len() as f64;
        let sum = self
            .corners
            .iter()
            .fold((0.0, 0.0), |sum, at| (sum.0 + at.0, sum.1 + at.1));
        (sum.0 / count, sum.1 / count)
    }
}

/// Returns the star points of a board of Go or Gomoku.
fn stars(game: Game, size: BoardSize) -> Vec<BoardCell> {
    if !matches!(game, Game::Go | Game::Gomoku) {
        return Vec::new();
    }
    let most = if size.columns().min(size.rows()) >= 19 {
        9
    } else {
        5
    };
    let points = |stones| sgfstream_game::go::handicap_points(size, stones);
    points(most).or_else(|| points(4)).unwrap_or_default()
}

/// Returns the first cell of each column and of each row, or `None` if names of points do not
/// combine both.
fn edges(cells: &[DrawnCell]) -> Option<[Vec<usize>; 2]> {
    let mut edges = [(); 2].map(|()| BTreeMap::new());
    for (at, cell) in cells.iter().enumerate() {
        let (across, down) = parts(&cell.name)?;
        for (edge, number, name) in [(0, cell.field.column, across), (1, cell.field.row, down)] {
            if edges[edge].entry(number).or_insert((name, at)).0 != name {
                return None;
            }
        }
    }
    Some(edges.map(|edge| edge.into_values().map(|(_, at)| at).collect()))
}

pub(crate) fn circle(svg: &mut Svg, (x, y): PicturePoint, radius: f64, class: &str) {
    svg.push(&format!(
        "<circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
        px(x),
        px(y),
        px(radius)
    ));
}

/// Returns the outline of a cell as an SVG path.
pub fn outline(cell: &DrawnCell, frame: &PictureFrame) -> String {
    let mut path = String::new();
    for (nth, &corner) in cell.corners.iter().enumerate() {
        let (x, y) = frame.at(corner);
        _ = write!(
            path,
            "{}{} {}",
            if nth == 0 { "M" } else { "L" },
            px(x),
            px(y)
        );
    }
    path + "Z"
}

/// Returns the hexagon of a board. For Unlur, `SZ` is its greatest width (spec G-19).
pub fn hexagon_of(game: Game, size: BoardSize, numbering: Numbering) -> Option<Hexagon> {
    let side = if game == Game::Unlur {
        size.columns().div_ceil(2)
    } else {
        size.columns()
    };
    (side <= BOARD_MAX / 2).then(|| Hexagon::new(side as u16, numbering))
}

fn all_fields(columns: u16, rows: u16) -> impl Iterator<Item = BoardCell> {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| BoardCell::new(column, row)))
}

/// Returns the cells of a board with rows and columns.
fn grid(
    size: BoardSize,
    shape: impl Fn(u16, u16) -> Vec<PicturePoint>,
) -> Vec<(BoardCell, Vec<PicturePoint>)> {
    let fields = all_fields(size.columns() as u16, size.rows() as u16);
    fields
        .map(|field| (field, shape(field.column, field.row)))
        .collect()
}

fn hexagonal(board: Hexagon, numbering: Numbering) -> Vec<(BoardCell, Vec<PicturePoint>)> {
    let corners = |field: BoardCell| {
        let begins = match numbering {
            Numbering::Straight => 0,
            Numbering::FromOne => (field.column + 1).saturating_sub(board.side()),
        };
        // Each row shifts to the left, so that the board becomes a hexagon.
        hexagon(field.column, field.row + begins, -0.5)
    };
    board.cells().map(|field| (field, corners(field))).collect()
}

fn pentobi(variant: Variant) -> Vec<(BoardCell, Vec<PicturePoint>)> {
    let fields = PentobiCells::of(variant);
    let corners = |field: BoardCell| {
        let kind = fields.kind_of(field).filter(|kind| kind.is_playable())?;
        Some((field, shape(kind, field.column, field.row)))
    };
    all_fields(fields.columns, fields.rows)
        .filter_map(corners)
        .collect()
}

fn square(column: u16, row: u16) -> Vec<PicturePoint> {
    let (x, y) = (f64::from(column), f64::from(row));
    vec![(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)]
}

/// Height of a hexagon of width 1.
const HIGH: f64 = 1.154_700_5;

/// Returns the corners of a hexagon, clockwise from the top. Each row is `shift` cells further
/// right than the row above.
fn hexagon(column: u16, row: u16, shift: f64) -> Vec<PicturePoint> {
    let (x, y) = (
        f64::from(column) + f64::from(row) * shift + 0.5,
        (f64::from(row) * 0.75 + 0.5) * HIGH,
    );
    [
        (0.0, -0.5),
        (0.5, -0.25),
        (0.5, 0.25),
        (0.0, 0.5),
        (-0.5, 0.25),
        (-0.5, -0.25),
    ]
    .map(|(across, down)| (x + across, y + down * HIGH))
    .to_vec()
}

/// Returns the corners of a cell of one of Pentobi's boards.
fn shape(kind: CellKind, column: u16, row: u16) -> Vec<PicturePoint> {
    let (x, y) = (f64::from(column), f64::from(row));
    match kind {
        CellKind::Square | CellKind::Junction => square(column, row),
        // Triangles overlap half of their neighbors' columns.
        CellKind::Up => {
            vec![
                (x - 0.5, y * 1.732 + 1.732),
                (x + 0.5, y * 1.732),
                (x + 1.5, y * 1.732 + 1.732),
            ]
        }
        CellKind::Down => {
            vec![
                (x - 0.5, y * 1.732),
                (x + 1.5, y * 1.732),
                (x + 0.5, y * 1.732 + 1.732),
            ]
        }
        CellKind::Horizontal => {
            vec![
                (x, y + 0.3),
                (x + 1.0, y + 0.3),
                (x + 1.0, y + 0.7),
                (x, y + 0.7),
            ]
        }
        CellKind::Vertical => {
            vec![
                (x + 0.3, y),
                (x + 0.7, y),
                (x + 0.7, y + 1.0),
                (x + 0.3, y + 1.0),
            ]
        }
        CellKind::Quarter { right, above } => {
            // Two columns form a square that is cut along its diagonals.
            let (left, top) = (f64::from(column & !1), y * 2.0);
            let (far, low) = (left + 2.0, top + 2.0);
            let upright = if right { far } else { left };
            let level = if above { top } else { low };
            let (other_x, other_y) = (left + far - upright, top + low - level);
            vec![(upright, level), (other_x, level), (upright, other_y)]
        }
    }
}

/// Returns the upper left and the lower right corner of the bounding box.
pub fn bounds<'c>(corners: impl Iterator<Item = &'c PicturePoint>) -> (PicturePoint, PicturePoint) {
    let start = ((f64::MAX, f64::MAX), (f64::MIN, f64::MIN));
    corners.fold(start, |(low, high), at| {
        (
            (low.0.min(at.0), low.1.min(at.1)),
            (high.0.max(at.0), high.1.max(at.1)),
        )
    })
}

/// Splits a point's name into column and row: two letters, two digits, or letters and a number.
fn parts(name: &str) -> Option<(&str, &str)> {
    let are = |test: fn(&u8) -> bool| name.bytes().all(|byte| test(&byte));
    let is_pair = name.len() == 2 && (are(u8::is_ascii_alphabetic) || are(u8::is_ascii_digit));
    let at = if is_pair {
        1
    } else {
        name.find(|char: char| char.is_ascii_digit())?
    };
    let (across, down) = name.split_at_checked(at)?;
    let is_plain = across.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_number = down.bytes().all(|byte| byte.is_ascii_digit());
    (at > 0 && (is_pair || is_plain && is_number)).then_some((across, down))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_points() {
        assert_eq!(parts("dp"), Some(("d", "p")));
        assert_eq!(parts("73"), Some(("7", "3")));
        assert_eq!(parts("aa14"), Some(("aa", "14")));
        assert_eq!(
            [parts("146"), parts("abc"), parts("d-4"), parts("")],
            [None; 4]
        );
    }

    #[test]
    fn a_board_is_rotated() {
        let dialect = Dialect::new(Game::Go, Some(BoardSize::new(5, 3)));
        let layout = BoardLayout::new(&dialect, Numbering::Straight, Coordinates::Gtp)
            .expect("a small board");
        let corner =
            |symmetry| layout.rotate(symmetry).expect("a board of squares").cells[0].middle();
        assert_eq!(corner(Symmetry::Identity), (0.5, 0.5));
        assert_eq!(corner(Symmetry::Rotate90), (2.5, 0.5));
        assert_eq!(corner(Symmetry::MirrorColumns), (4.5, 0.5));
        assert_eq!(corner(Symmetry::Antitranspose), (2.5, 4.5));
        let hex = Dialect::new(Game::Hex, Some(BoardSize::square(5)));
        let hex =
            BoardLayout::new(&hex, Numbering::Straight, Coordinates::Gtp).expect("a small board");
        assert!(hex.rotate(Symmetry::Rotate180).is_none());
    }

    /// In a text drawing, no two cells share a place, and neighbors in a row are two halves apart.
    #[test]
    fn places_in_texts() {
        let games = [
            Game::Go,
            Game::Hex,
            Game::Havannah,
            Game::Unlur,
            Game::Octi,
            Game::Pentobi(Variant::GembloQ),
        ];
        for game in games {
            for numbering in [Numbering::Straight, Numbering::FromOne] {
                let dialect = Dialect::new(game, Some(BoardSize::square(7)));
                let layout =
                    BoardLayout::new(&dialect, numbering, Coordinates::Gtp).expect("a small board");
                let mut places: Vec<_> = layout
                    .cells
                    .iter()
                    .map(|cell| (cell.place.1, cell.place.0))
                    .collect();
                places.sort_unstable();
                let to_bytes_spaced =
                    |pair: &[(i32, i32)]| pair[0].0 < pair[1].0 || pair[1].1 - pair[0].1 >= 2;
                assert!(
                    places.windows(2).all(to_bytes_spaced),
                    "{game:?} {numbering:?}"
                );
                assert_eq!(places[0].0, 0, "{game:?}");
            }
        }
    }
}
