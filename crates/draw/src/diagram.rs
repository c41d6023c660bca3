//! A position with the marks, numbers and labels to draw.

use std::collections::BTreeMap;
use std::rc::Rc;

use sgfstream_game::octi::{OctiBoard, OctiMove};
use sgfstream_game::{
    BoardCell, Coordinates, Dialect, Game, GameBoard, Move, Side, board::Symmetry,
    internal::BOARD_MAX,
};

use crate::layout::BoardLayout;
use crate::marks::NodeMarks;

/// A position with everything that a picture or text of it shows.
pub struct Diagram {
    /// Board of the position.
    pub position: GameBoard,
    /// Coordinates for the names of cells.
    pub coordinates: Coordinates,
    /// Marks on the cells.
    pub marks: NodeMarks,
    /// Cells of the last move.
    pub last: Vec<BoardCell>,
    /// Move numbers by the cells of their stones.
    pub numbers: BTreeMap<BoardCell, u64>,
    /// Places of the cells.
    pub layout: Rc<BoardLayout>,
    /// Number of stones outside the cropped part.
    pub(crate) hidden: usize,
}

impl Diagram {
    /// Creates a diagram without marks. Returns `None` if the board is too large to draw.
    pub fn new(position: GameBoard, coordinates: Coordinates) -> Option<Self> {
        Self::like(position, coordinates, &mut None)
    }

    /// Same as [`new`](Self::new), but reuses the `last` layout if it fits the board, and stores
    /// the layout there.
    pub fn like(
        position: GameBoard,
        coordinates: Coordinates,
        last: &mut Option<Rc<BoardLayout>>,
    ) -> Option<Self> {
        let dialect = position.dialect();
        let numbering = dialect.numbering();
        let size = position.size();
        // The swap move of Hex mirrors a rectangular board, so the layout uses the current size.
        let drawn = Dialect::of_program(dialect.game(), Some(size), dialect.program());
        let drawn = if matches!(dialect.game(), Game::Havannah) {
            dialect
        } else {
            &drawn
        };
        if !last
            .as_ref()
            .is_some_and(|last| last.is_of(drawn, numbering, coordinates))
        {
            *last = (size.longer() <= BOARD_MAX)
                .then(|| BoardLayout::new(drawn, numbering, coordinates))
                .flatten()
                .map(Rc::new);
        }
        let layout = Rc::clone(last.as_ref()?);
        let (marks, last, numbers) = (NodeMarks::default(), Vec::new(), BTreeMap::new());
        Some(Self {
            position,
            coordinates,
            marks,
            last,
            numbers,
            layout,
            hidden: 0,
        })
    }

    /// Crops the board to the points that `VW` lists, or else to stones, marks, labels and numbers
    /// with `margin` cells around them. Without any of these, the whole board stays.
    pub fn crop(&mut self, margin: u16) {
        let is_shown = |field: BoardCell| {
            self.position.stone(field).is_some()
                || self.position.character(field) == '*'
                || self.marks.on(field).next().is_some()
                || self.marks.labels.contains_key(&field)
                || self
                    .marks
                    .lines
                    .iter()
                    .any(|line| line.from == field || line.to == field)
                || self.last.contains(&field)
        };
        let viewed: Vec<BoardCell> = self
            .fields()
            .filter(|&field| self.marks.is_viewed(field))
            .collect();
        let (shown, margin) = match viewed.is_empty() {
            true => (
                self.fields().filter(|&field| is_shown(field)).collect(),
                margin,
            ),
            false => (viewed, 0),
        };
        let ends = |places: &mut dyn Iterator<Item = u16>| {
            places.fold((u16::MAX, 0), |(low, high), at| (low.min(at), high.max(at)))
        };
        let size = self.position.size();
        let widen = |(low, high): (u16, u16), count: u32| {
            (
                low.saturating_sub(margin),
                high.saturating_add(margin).min(count as u16 - 1),
            )
        };
        if shown.is_empty() {
            return;
        }
        let (left, right) = widen(
            ends(&mut shown.iter().map(|field| field.column)),
            size.columns(),
        );
        let (top, low) = widen(ends(&mut shown.iter().map(|field| field.row)), size.rows());
        let before = self.undrawn();
        self.layout = Rc::new(
            self.layout
                .crop(BoardCell::new(left, top), BoardCell::new(right, low)),
        );
        self.hidden = self.undrawn() - before;
    }

    /// Rotates or mirrors the picture, but not the position. Returns false if the board has no such
    /// picture.
    pub fn rotate(&mut self, symmetry: Symmetry) -> bool {
        let rotated = self.layout.rotate(symmetry).map(Rc::new);
        let is_rotated = rotated.is_some();
        self.layout = rotated.unwrap_or_else(|| Rc::clone(&self.layout));
        is_rotated
    }

    /// Returns all drawn cells of the board, row by row.
    pub fn fields(&self) -> impl Iterator<Item = BoardCell> {
        self.layout.cells.iter().map(|cell| cell.field)
    }

    /// Returns the name of a cell for players.
    pub fn name(&self, field: BoardCell) -> String {
        self.position
            .dialect()
            .show_point_in(field, self.coordinates)
            .to_string()
    }

    /// Returns the rows of the board, one character per cell.
    pub fn rows(&self) -> Vec<String> {
        let columns = self.position.size().columns() as u16;
        let rows = 0..self.position.size().rows() as u16;
        rows.map(|row| {
            (0..columns)
                .map(|column| self.position.character(BoardCell::new(column, row)))
                .collect()
        })
        .collect()
    }

    /// Returns the number of stones without a cell in the layout.
    pub fn undrawn(&self) -> usize {
        let drawn = self
            .fields()
            .filter(|&field| self.position.stone(field).is_some());
        self.position.stones().count() - drawn.count() - self.hidden
    }

    /// Returns the Octi pods on a cell.
    pub(crate) fn pods(&self, field: BoardCell) -> &[sgfstream_game::octi::Pod] {
        self.position
            .board::<OctiBoard>()
            .map_or(&[], |board| board.pods(field))
    }
}

/// Returns the cells of a move, beginning with the cell of its stone.
pub(crate) fn fields_of(played: &Move) -> Vec<BoardCell> {
    match played {
        Move::Place(field) | Move::Step { to: field, .. } => vec![*field],
        Move::Shot { to, arrow, .. } => vec![*to, *arrow],
        Move::Dots(dots) => dots.dot().into_iter().collect(),
        Move::Piece(piece) => piece.fields().to_vec(),
        Move::Octi(OctiMove::Place(field)) => vec![*field],
        Move::Octi(OctiMove::Prong { stone, .. }) => vec![stone.field],
        Move::Octi(OctiMove::Travel(journeys)) => journeys
            .iter()
            .filter_map(|journey| Some(journey.legs.last()?.to))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns the CSS class of a side's stones. The four colors of Pentobi have their own classes.
pub fn class_of(game: Game, side: Side) -> &'static str {
    match (game.colors() > 2, side) {
        (true, Side::Black) => "blue",
        (true, Side::White) => "yellow",
        (true, Side::Third) => "red",
        (true, Side::Fourth) => "green",
        (false, Side::Black) => "black",
        (false, _) => "white",
    }
}
