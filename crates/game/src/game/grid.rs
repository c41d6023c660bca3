//! Rectangle of cells, the board of Hex, Gomoku, Othello and similar games.

use crate::game::{BoardCell, Illegal, Side, Violation};
use crate::value::BoardSize;

/// Largest number of cells of a board that is replayed: 1024 x 1024. Larger boards are legal in Hex
/// and Twixt, but have no board here.
const FIELDS_MAX: u64 = 1 << 20;

/// Steps in the eight directions of a queen.
pub(super) const QUEEN_STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];

/// Rectangle of cells, each with a value.
#[derive(Clone)]
pub(super) struct Grid<T> {
    size: BoardSize,
    cells: Vec<T>,
    /// Whether the grid still contains the initial position of the game. The first setup clears it,
    /// because a record with setup defines the whole position.
    is_start: bool,
}

impl<T: Copy + Default> Grid<T> {
    /// Returns an empty grid; `None` above 2²⁰ cells.
    pub(super) fn new(size: BoardSize) -> Option<Self> {
        let fields = u64::from(size.columns()) * u64::from(size.rows());
        let fits = fields <= FIELDS_MAX && size.longer() <= u32::from(u16::MAX);
        fits.then(|| Self {
            size,
            cells: vec![T::default(); fields as usize],
            is_start: false,
        })
    }

    /// Returns a grid with the initial position `start`; `None` if a side is above 52, so that two
    /// letters cannot name its points.
    pub(super) fn of_letters(
        size: BoardSize,
        start: impl IntoIterator<Item = (u16, u16, T)>,
    ) -> Option<Self> {
        if size.longer() > BoardSize::MAX_TWO_LETTER {
            return None;
        }
        let mut grid = Self::new(size)?;
        for (column, row, stone) in start {
            let _ = grid.put(BoardCell::new(column, row), stone);
            grid.is_start = true;
        }
        Some(grid)
    }

    pub(super) fn size(&self) -> BoardSize {
        self.size
    }

    /// Iterates over all cells, row by row.
    pub(super) fn fields(&self) -> impl Iterator<Item = BoardCell> + use<T> {
        let columns = self.size.columns() as usize;
        (0..self.cells.len())
            .map(move |index| BoardCell::new((index % columns) as u16, (index / columns) as u16))
    }

    /// Returns the content of a cell; the default off the board.
    pub(super) fn get(&self, field: BoardCell) -> T {
        field
            .index_on(self.size)
            .map_or_else(T::default, |at| self.cells[at])
    }

    /// Returns the content of a cell, for changing it.
    pub(super) fn get_mut(&mut self, field: BoardCell) -> Option<&mut T> {
        field.index_on(self.size).map(|at| &mut self.cells[at])
    }

    /// Puts `stone` on a cell and returns the old content.
    pub(super) fn put(&mut self, field: BoardCell, stone: T) -> Result<T, Illegal> {
        let cell = self.get_mut(field).ok_or(Illegal::OFF_BOARD)?;
        Ok(std::mem::replace(cell, stone))
    }

    /// Sets up `stone`. The first setup clears the initial position.
    pub(super) fn set_up(&mut self, field: BoardCell, stone: T) -> Result<(), Illegal> {
        if std::mem::replace(&mut self.is_start, false) {
            self.cells.fill(T::default());
        }
        self.put(field, stone).map(|_| ())
    }

    /// Keeps the initial position when setup follows, because a move was made.
    pub(super) fn leave_start(&mut self) {
        self.is_start = false;
    }

    /// Returns the cell at this distance, if the board contains it.
    pub(super) fn step(&self, field: BoardCell, (right, down): (i32, i32)) -> Option<BoardCell> {
        let column = u16::try_from(i32::from(field.column) + right).ok()?;
        let row = u16::try_from(i32::from(field.row) + down).ok()?;
        let field = BoardCell::new(column, row);
        field.is_on(self.size).then_some(field)
    }

    /// Iterates over the cells from `from` to the edge in one direction, without `from`.
    pub(super) fn ray(
        &self,
        from: BoardCell,
        step: (i32, i32),
    ) -> impl Iterator<Item = BoardCell> + '_ {
        std::iter::successors(self.step(from, step), move |&field| self.step(field, step))
    }
}

/// Implements the size and the stones of a board whose field `grid` has its stones.
macro_rules! on_grid {
    () => {
        fn size(&self) -> $crate::value::BoardSize {
            self.grid.size()
        }

        fn stone(&self, field: $crate::game::BoardCell) -> Option<$crate::game::Side> {
            self.grid.get(field)
        }
    };
}
pub(super) use on_grid;

/// Returns the direction and the length of a queen's move; `None` for other moves.
pub(super) fn queen_line(from: BoardCell, to: BoardCell) -> Option<((i32, i32), usize)> {
    let right = i32::from(to.column) - i32::from(from.column);
    let down = i32::from(to.row) - i32::from(from.row);
    let distance = right.abs().max(down.abs());
    let is_straight = right == 0 || down == 0 || right.abs() == down.abs();
    (distance > 0 && is_straight).then(|| ((right.signum(), down.signum()), distance as usize))
}

impl Grid<Option<Side>> {
    /// Returns the number of stones of `side`.
    pub(super) fn count(&self, side: Side) -> usize {
        self.cells
            .iter()
            .filter(|&&stone| stone == Some(side))
            .count()
    }

    /// Exchanges columns and rows, and the colors. Returns the number of stones.
    pub(super) fn transpose_and_recolor(&mut self) -> u32 {
        let mut turned = Self {
            size: BoardSize::new(self.size.rows(), self.size.columns()),
            ..self.clone()
        };
        for field in self.fields() {
            let _ = turned.put(
                BoardCell::new(field.row, field.column),
                self.get(field).map(Side::opponent),
            );
        }
        *self = turned;
        self.cells.iter().flatten().count() as u32
    }

    /// Counts the stones of `side` that `steps` connect to the stones on `starts`. The boolean is
    /// true if one of them is on a cell that `is_goal` accepts.
    pub(super) fn reach(
        &self,
        side: Side,
        starts: impl Iterator<Item = BoardCell>,
        is_goal: impl Fn(BoardCell) -> bool,
        steps: &[(i32, i32)],
    ) -> (usize, bool) {
        let mut seen = vec![false; self.cells.len()];
        let mut walk = Vec::new();
        let visit = |field: BoardCell, walk: &mut Vec<BoardCell>, seen: &mut [bool]| {
            let Some(at) = field.index_on(self.size) else {
                return;
            };
            if self.cells[at] == Some(side) && !std::mem::replace(&mut seen[at], true) {
                walk.push(field);
            }
        };
        starts.for_each(|field| visit(field, &mut walk, &mut seen));
        let (mut count, mut at_goal) = (0, false);
        while let Some(field) = walk.pop() {
            count += 1;
            at_goal |= is_goal(field);
            for &step in steps {
                if let Some(next) = self.step(field, step) {
                    visit(next, &mut walk, &mut seen);
                }
            }
        }
        (count, at_goal)
    }
}

/// Returns `Occupied` if a stone was placed on another one.
pub(super) fn occupied<T>(before: Option<T>) -> Option<Violation> {
    before.map(|_| Violation::Occupied)
}
