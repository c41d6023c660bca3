//! Boards as sets of cells: the coordinates of a variant's rectangle that are cells, and the kind
//! of each cell.

use super::super::{BoardCell, Variant};

/// Kind of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CellKind {
    /// A square (Blokus, Callisto).
    Square,
    /// Trigon: a triangle with its point up.
    Up,
    /// Trigon: a triangle with its point down.
    Down,
    /// Nexos: a horizontal line segment.
    Horizontal,
    /// Nexos: a vertical line segment.
    Vertical,
    /// Nexos: a crossing of lines. It is a point, but never part of a move (spec P-38).
    Junction,
    /// GembloQ: a quarter of a square.
    Quarter {
        /// Whether the upright side is the right one, not the left.
        right: bool,
        /// Whether the level side is the upper one, not the lower.
        above: bool,
    },
}

impl CellKind {
    /// Returns whether a piece can cover the cell.
    #[must_use]
    pub const fn is_playable(self) -> bool {
        !matches!(self, Self::Junction)
    }
}

/// Cells of a variant's board.
///
/// ```text
/// Trigon, edge 3              Nexos                    GembloQ
/// 6     / \ / \ / \ / \       6 |   |   |
/// 5   / \ / \ / \ / \ / \     5 + - + - + -
/// 4 / \ / \ / \ / \ / \ / \   4 |   |   |              4 | / | \ | / | \ | /
/// 3 \ / \ / \ / \ / \ / \ /   3 + - + - + -            3 | \ | / | \ | / | \
/// 2   \ / \ / \ / \ / \ /     2 |   |   |              2 | / | \ | / | \ | /
/// 1     \ / \ / \ / \ /       1 + - + - + -            1 | \ | / | \ | / | \
///    a b c d e f g h i j k      a b c d e f               a b c d e f g h i
/// ```
///
/// ```
/// use sgfstream_game::dialect::Variant;
/// use sgfstream_game::pentobi::{CellKind, PentobiCells};
///
/// let nexos = PentobiCells::of(Variant::Nexos);
/// assert_eq!(nexos.kind(0, 0), Some(CellKind::Junction)); // a1
/// assert_eq!(nexos.kind(1, 0), Some(CellKind::Horizontal)); // b1
/// assert_eq!(nexos.kind(1, 1), None); // b2, a hole
/// assert_eq!(PentobiCells::of(Variant::Blokus).count(), 400);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PentobiCells {
    /// Columns of the smallest rectangle around the board.
    pub columns: u16,
    /// Rows of that rectangle.
    pub rows: u16,
    board: Board,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Board {
    Rectangle,
    /// A hexagon; the number of triangles along each edge.
    Trigon(u16),
    Nexos,
    /// An octagon; the number of cells in its lowest row.
    Callisto(u16),
    /// An octagon; the number of whole squares in its lowest row.
    GembloQ(u16),
}

impl PentobiCells {
    /// Returns the board of `variant` (spec P-30 to P-33). The documents do not state how far the
    /// corners of Callisto's and GembloQ's boards are cut, so the numbers come from Pentobi's own
    /// boards.
    #[must_use]
    pub const fn of(variant: Variant) -> Self {
        let board = match variant {
            Variant::BlokusTrigon | Variant::BlokusTrigonTwoPlayer => Board::Trigon(9),
            Variant::BlokusTrigonThreePlayer => Board::Trigon(8),
            Variant::Nexos | Variant::NexosTwoPlayer => Board::Nexos,
            Variant::Callisto | Variant::CallistoTwoPlayerFourColor => Board::Callisto(6),
            Variant::CallistoTwoPlayer | Variant::CallistoThreePlayer => Board::Callisto(2),
            Variant::GembloQ | Variant::GembloQTwoPlayerFourColor => Board::GembloQ(13),
            Variant::GembloQThreePlayer => Board::GembloQ(6),
            Variant::GembloQTwoPlayer => Board::GembloQ(4),
            _ => Board::Rectangle,
        };
        let (columns, rows) = variant.board();
        Self {
            columns: columns as u16,
            rows: rows as u16,
            board,
        }
    }

    /// Returns a hexagon of triangles with this edge, as the document draws it.
    #[must_use]
    pub const fn trigon(edge: u16) -> Self {
        Self {
            columns: 4 * edge - 1,
            rows: 2 * edge,
            board: Board::Trigon(edge),
        }
    }

    /// Returns the kind of the cell at this column and rank, both from 0 at `a1`, the lower left.
    /// Returns `None` off the board and at holes.
    #[must_use]
    pub const fn kind(self, column: u16, rank: u16) -> Option<CellKind> {
        if column >= self.columns || rank >= self.rows {
            return None;
        }
        // Distance of the row from the nearer of top and bottom, and of the column from the nearer
        // of left and right.
        let depth = if rank < self.rows - 1 - rank {
            rank
        } else {
            self.rows - 1 - rank
        };
        let inset = if column < self.columns - 1 - column {
            column
        } else {
            self.columns - 1 - column
        };
        match self.board {
            Board::Rectangle => Some(CellKind::Square),
            Board::Trigon(edge) => {
                if inset + depth + 1 < edge {
                    None
                } else if (column + rank + edge).is_multiple_of(2) {
                    Some(CellKind::Up)
                } else {
                    Some(CellKind::Down)
                }
            }
            Board::Nexos => match (column % 2, rank % 2) {
                (0, 0) => Some(CellKind::Junction),
                (1, 0) => Some(CellKind::Horizontal),
                (0, 1) => Some(CellKind::Vertical),
                _ => None,
            },
            Board::Callisto(edge) => {
                if inset + depth < (self.columns - edge) / 2 {
                    None
                } else {
                    Some(CellKind::Square)
                }
            }
            Board::GembloQ(edge) => {
                // The cut corners run along the squares, two columns for each row.
                if inset + 2 * depth + 1 < (self.columns - 4 * edge) / 2 {
                    return None;
                }
                let turn = (column + 2 * (rank % 2)) % 4;
                Some(CellKind::Quarter {
                    right: turn % 2 == 1,
                    above: turn == 1 || turn == 2,
                })
            }
        }
    }

    /// Returns a name for the coordinates of the rectangle that are not cells.
    pub(super) const fn gap(self) -> &'static str {
        match self.board {
            Board::Trigon(_) => "a corner outside the hexagon",
            Board::Nexos => "a hole",
            _ => "a corner outside the octagon",
        }
    }

    /// Returns the rank of a [`BoardCell`]'s row, from 0 at the bottom.
    pub(super) const fn rank(self, field: BoardCell) -> Option<u16> {
        (self.rows - 1).checked_sub(field.row)
    }

    /// Returns the cell at a column and rank.
    pub(super) const fn field(self, column: u16, rank: u16) -> BoardCell {
        BoardCell::new(column, self.rows - 1 - rank)
    }

    /// Returns the kind of a [`BoardCell`].
    #[must_use]
    pub fn kind_of(self, field: BoardCell) -> Option<CellKind> {
        self.kind(field.column, self.rank(field)?)
    }

    /// Returns the number of cells that a piece can cover.
    #[must_use]
    pub fn count(self) -> usize {
        let kinds = (0..self.rows)
            .flat_map(|rank| (0..self.columns).map(move |column| self.kind(column, rank)));
        kinds.flatten().filter(|kind| kind.is_playable()).count()
    }

    /// Returns whether two cells are connected in a piece: by an edge, or in Nexos by a junction.
    pub(super) fn touch(self, a: (u16, u16), b: (u16, u16)) -> bool {
        let (across, up) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let lower = if a.1 <= b.1 { a } else { b };
        match self.board {
            Board::Rectangle | Board::Callisto(_) => across + up == 1,
            Board::Nexos => match (across, up) {
                (1, 1) => true,
                (2, 0) => a.1.is_multiple_of(2),
                (0, 2) => a.0.is_multiple_of(2),
                _ => false,
            },
            Board::Trigon(_) => match (across, up) {
                (1, 0) => true,
                (0, 1) => self.kind(lower.0, lower.1) == Some(CellKind::Down),
                _ => false,
            },
            Board::GembloQ(_) => match (across, up) {
                (1, 0) => true,
                (0, 1) => matches!(
                    self.kind(lower.0, lower.1),
                    Some(CellKind::Quarter { above: true, .. })
                ),
                _ => false,
            },
        }
    }

    /// Returns the largest number of cells of a piece.
    pub(super) const fn piece_max(self) -> usize {
        match self.board {
            Board::Rectangle | Board::Callisto(_) => 5,
            Board::Trigon(_) => 6,
            Board::Nexos => 4,
            Board::GembloQ(_) => 20,
        }
    }

    pub(super) const fn trigon_edge(self) -> Option<u16> {
        match self.board {
            Board::Trigon(edge) => Some(edge),
            _ => None,
        }
    }

    pub(super) const fn is_nexos(self) -> bool {
        matches!(self.board, Board::Nexos)
    }

    pub(super) const fn is_gembloq(self) -> bool {
        matches!(self.board, Board::GembloQ(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws the rows of a board, the top row first, with a character for each cell.
    fn picture(fields: PentobiCells) -> Vec<String> {
        let draw = |rank| {
            (0..fields.columns).map(move |column| match fields.kind(column, rank) {
                None => ' ',
                Some(CellKind::Square) => '#',
                Some(CellKind::Up) => '^',
                Some(CellKind::Down) => 'v',
                Some(CellKind::Junction) => '+',
                Some(CellKind::Horizontal) => '-',
                Some(CellKind::Vertical) => '|',
                // The slash along the cell.
                Some(CellKind::Quarter { right, above }) => {
                    if right == above {
                        '\\'
                    } else {
                        '/'
                    }
                }
            })
        };
        (0..fields.rows)
            .rev()
            .map(|rank| draw(rank).collect())
            .collect()
    }

    #[test]
    fn the_hexagon_of_the_document() {
        assert_eq!(
            picture(PentobiCells::trigon(3)),
            [
                "  ^v^v^v^  ",
                " ^v^v^v^v^ ",
                "^v^v^v^v^v^",
                "v^v^v^v^v^v",
                " v^v^v^v^v ",
                "  v^v^v^v  "
            ]
        );
    }

    #[test]
    fn the_lines_of_the_document() {
        let rows = picture(PentobiCells::of(Variant::Nexos));
        assert_eq!(&rows[23][..6], "| | | ");
        assert_eq!(&rows[24][..6], "+-+-+-");
    }

    #[test]
    fn the_triangles_of_the_document() {
        let rows = picture(PentobiCells::of(Variant::GembloQTwoPlayer));
        // Above the cut corners, rows 11 and 12 of 22 have the same pattern as rows 1 and 2.
        let row = |rank: usize| &rows[21 - rank][..8];
        assert_eq!(row(10), r"\\//\\//");
        assert_eq!(row(11), r"//\\//\\");
    }

    #[test]
    fn counts() {
        for (variant, count) in [
            (Variant::Blokus, 400),
            (Variant::BlokusDuo, 196),
            (Variant::BlokusTrigon, 486),
            (Variant::BlokusTrigonThreePlayer, 384),
            (Variant::Nexos, 312),
        ] {
            assert_eq!(PentobiCells::of(variant).count(), count, "{variant}");
        }
    }

    #[test]
    fn boards_are_symmetric() {
        for &variant in Variant::ALL {
            let fields = PentobiCells::of(variant);
            for rank in 0..fields.rows {
                for column in 0..fields.columns {
                    let here = fields.kind(column, rank).is_some();
                    assert_eq!(
                        here,
                        fields.kind(fields.columns - 1 - column, rank).is_some()
                    );
                    assert_eq!(here, fields.kind(column, fields.rows - 1 - rank).is_some());
                }
            }
        }
    }
}
