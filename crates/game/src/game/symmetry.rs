//! Symmetries of a board: rotations and reflections, and their effect on a cell. Go has the eight
//! of a rectangle. In Hex only two keep the goals. A hexagon has twelve.

use super::{BoardCell, Game, Variant};

named_enum! {
    /// Rotation or reflection of a board. Columns count from the left and rows from the top, both
    /// from 0.
    ///
    /// ```
    /// use sgfstream_game::board::Symmetry;
    ///
    /// // The point `pd` of a 19x19 board, a quarter turn clockwise: `ps` counts from the right.
    /// assert_eq!(Symmetry::Rotate90.apply((15, 3), (19, 19)), (15, 15));
    /// for symmetry in Symmetry::ALL {
    ///     let (field, size) = ((2, 3), (13, 9));
    ///     let turned = symmetry.apply(field, size);
    ///     assert_eq!(symmetry.inverse().apply(turned, symmetry.size(size)), field);
    /// }
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    Symmetry EVERY;
    /// No change.
    #[default]
    Identity "identity"
    /// A quarter turn clockwise.
    Rotate90 "rotate-90"
    /// Half a turn.
    Rotate180 "rotate-180"
    /// A quarter turn counterclockwise.
    Rotate270 "rotate-270"
    /// Exchanges left and right.
    MirrorColumns "mirror-columns"
    /// Exchanges top and bottom.
    MirrorRows "mirror-rows"
    /// Exchanges column and row: reflects in the diagonal from the upper left.
    Transpose "transpose"
    /// Reflects in the diagonal from the upper right.
    Antitranspose "antitranspose"
    /// A sixth of a turn clockwise. This and all following variants are for hexagons only.
    Rotate60 "rotate-60"
    /// A third of a turn clockwise.
    Rotate120 "rotate-120"
    /// A third of a turn counterclockwise.
    Rotate240 "rotate-240"
    /// A sixth of a turn counterclockwise.
    Rotate300 "rotate-300"
    /// Reflects as [`Transpose`](Self::Transpose) or, on a hexagon of triangles, as
    /// [`MirrorColumns`](Self::MirrorColumns); then rotates as [`Rotate60`](Self::Rotate60).
    Transpose60 "transpose-60"
    /// Reflects as `Transpose60`, then rotates as [`Rotate120`](Self::Rotate120).
    Transpose120 "transpose-120"
    /// Reflects as `Transpose60`, then rotates as [`Rotate240`](Self::Rotate240).
    Transpose240 "transpose-240"
    /// Reflects as `Transpose60`, then rotates as [`Rotate300`](Self::Rotate300).
    Transpose300 "transpose-300"
}

impl Symmetry {
    /// The eight symmetries of a rectangle, the identity first.
    pub const ALL: [Self; 8] = [
        Self::Identity,
        Self::Rotate90,
        Self::Rotate180,
        Self::Rotate270,
        Self::MirrorColumns,
        Self::MirrorRows,
        Self::Transpose,
        Self::Antitranspose,
    ];
    /// The two symmetries that leave each side of a Hex board to its owner.
    pub const HEX: [Self; 2] = [Self::Identity, Self::Rotate180];
    /// The twelve symmetries of a hexagon whose cells are numbered in straight rows, as in
    /// Havannah. A board counts as large as its hull: as many columns as rows, an odd number.
    pub const HEXAGON: [Self; 12] = [
        Self::Identity,
        Self::Rotate60,
        Self::Rotate120,
        Self::Rotate180,
        Self::Rotate240,
        Self::Rotate300,
        Self::Transpose,
        Self::Transpose60,
        Self::Transpose120,
        Self::Antitranspose,
        Self::Transpose240,
        Self::Transpose300,
    ];

    /// The twelve symmetries of a hexagon of triangles in the rectangle of Blokus Trigon (spec
    /// P-30). With edges of `n` triangles it has `4 n - 1` columns and `2 n` rows.
    pub const TRIANGLES: [Self; 12] = [
        Self::Identity,
        Self::Rotate60,
        Self::Rotate120,
        Self::Rotate180,
        Self::Rotate240,
        Self::Rotate300,
        Self::MirrorColumns,
        Self::Transpose60,
        Self::Transpose120,
        Self::MirrorRows,
        Self::Transpose240,
        Self::Transpose300,
    ];

    /// Returns the symmetry of a rectangle with this name.
    #[must_use]
    pub fn for_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|symmetry| symmetry.as_str() == name)
    }

    /// Returns the symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Rotate90 => Self::Rotate270,
            Self::Rotate270 => Self::Rotate90,
            Self::Rotate60 => Self::Rotate300,
            Self::Rotate120 => Self::Rotate240,
            Self::Rotate240 => Self::Rotate120,
            Self::Rotate300 => Self::Rotate60,
            other => other,
        }
    }

    /// Returns whether columns become rows.
    #[must_use]
    pub const fn exchanges_sides(self) -> bool {
        matches!(
            self,
            Self::Rotate90 | Self::Rotate270 | Self::Transpose | Self::Antitranspose
        )
    }

    /// Returns the size of the board after the symmetry: columns and rows.
    #[must_use]
    pub const fn size(self, (columns, rows): (u32, u32)) -> (u32, u32) {
        if self.exchanges_sides() {
            (rows, columns)
        } else {
            (columns, rows)
        }
    }

    /// Returns the symmetry of `symmetries` after which `items` come first. Items are compared one
    /// by one, by the key that `turned` returns; the first of equal symmetries wins. It stops
    /// reading items when one symmetry is left, usually after a few moves of a game.
    ///
    /// ```
    /// use sgfstream_game::board::Symmetry;
    ///
    /// let upper_right = |symmetry: Symmetry, field: &(u32, u32)| {
    ///     let (column, row) = symmetry.apply(*field, (19, 19));
    ///     (18 - column, row)
    /// };
    /// let least = Symmetry::least(Symmetry::ALL, [(3, 3), (15, 16)], upper_right);
    /// assert_eq!(least, Symmetry::MirrorColumns);
    /// ```
    pub fn least<T, K: Ord>(
        symmetries: impl IntoIterator<Item = Self>,
        items: impl IntoIterator<Item = T>,
        turned: impl Fn(Self, &T) -> K,
    ) -> Self {
        let mut left: Vec<Self> = symmetries.into_iter().collect();
        let mut keys = Vec::with_capacity(left.len());
        for item in items {
            if left.len() < 2 {
                break;
            }
            keys.clear();
            keys.extend(left.iter().map(|&symmetry| turned(symmetry, &item)));
            let least = keys.iter().min();
            let mut keys = keys.iter();
            left.retain(|_| keys.next() == least);
        }
        left.first().copied().unwrap_or_default()
    }

    /// Returns the symmetry of `symmetries` after which the first of `fields` is in the upper right
    /// corner of a board of `size`. Of several, the next fields decide.
    pub fn to_upper_right(
        symmetries: impl IntoIterator<Item = Self>,
        fields: impl IntoIterator<Item = BoardCell>,
        size: (u32, u32),
    ) -> Self {
        Self::least(symmetries, fields, |symmetry, &field| {
            let turned = symmetry.turn(field, size);
            (u16::MAX - turned.column, turned.row)
        })
    }

    /// Returns the position of `field` after the symmetry, on a board of `size` columns and rows.
    /// `field` must be on the board; otherwise the result is off the board too, or wraps around.
    #[must_use]
    #[inline]
    pub const fn apply(self, (column, row): (u32, u32), (columns, rows): (u32, u32)) -> (u32, u32) {
        let from_right = columns.wrapping_sub(1).wrapping_sub(column);
        let from_bottom = rows.wrapping_sub(1).wrapping_sub(row);
        match self {
            Self::Identity => (column, row),
            Self::Rotate90 => (from_bottom, column),
            Self::Rotate180 => (from_right, from_bottom),
            Self::Rotate270 => (row, from_right),
            Self::MirrorColumns => (from_right, row),
            Self::MirrorRows => (column, from_bottom),
            Self::Transpose => (row, column),
            Self::Antitranspose => (from_bottom, from_right),
            _ if columns == rows => self.apply_to_hexagon(column, row, columns / 2),
            _ => self.apply_to_triangles(column, row, rows / 2),
        }
    }

    /// Returns the cell of `field` after the symmetry, as [`apply`](Self::apply) does.
    ///
    /// ```
    /// use sgfstream_game::{BoardCell, board::Symmetry};
    ///
    /// assert_eq!(
    ///     Symmetry::Transpose.turn(BoardCell::new(3, 15), (19, 19)),
    ///     BoardCell::new(15, 3)
    /// );
    /// ```
    #[must_use]
    #[inline]
    pub const fn turn(self, field: BoardCell, size: (u32, u32)) -> BoardCell {
        let (column, row) = self.apply((field.column as u32, field.row as u32), size);
        BoardCell::new(column as u16, row as u16)
    }

    /// Maps a cell of a hexagon. With `x` and `y` counted from the center, a sixth of a turn
    /// clockwise maps `(x, y)` to `(x - y, x)`.
    #[cold]
    #[inline(never)]
    const fn apply_to_hexagon(self, column: u32, row: u32, middle: u32) -> (u32, u32) {
        let (x, y) = (column.wrapping_sub(middle), row.wrapping_sub(middle));
        let (x, y) = match self {
            Self::Transpose60 | Self::Transpose120 | Self::Transpose240 | Self::Transpose300 => {
                (y, x)
            }
            _ => (x, y),
        };
        let (x, y) = match self {
            Self::Rotate60 | Self::Transpose60 => (x.wrapping_sub(y), x),
            Self::Rotate120 | Self::Transpose120 => (y.wrapping_neg(), x.wrapping_sub(y)),
            Self::Rotate240 | Self::Transpose240 => (y.wrapping_sub(x), x.wrapping_neg()),
            Self::Rotate300 | Self::Transpose300 => (y, y.wrapping_sub(x)),
            _ => (x, y),
        };
        (x.wrapping_add(middle), y.wrapping_add(middle))
    }
}

impl Symmetry {
    /// Maps a triangle. Three strips cross in it: its row, and one strip along each of the other
    /// two directions. Counted from the center, their odd numbers are `level`, `rising` (`/`) and
    /// `falling` (`\`). `falling - rising` is one less than `level` in a triangle that points up,
    /// and one more in a triangle that points down. A sixth of a turn clockwise maps
    /// `(level, rising, falling)` to `(-rising, falling, level)`.
    #[cold]
    #[inline(never)]
    const fn apply_to_triangles(self, column: u32, row: u32, edge: u32) -> (u32, u32) {
        let (edge, column, rank) = (edge as i64, column as i64, 2 * edge as i64 - 1 - row as i64);
        let is_up = (column + rank + edge) % 2 == 0;
        let level = 2 * rank + 1 - 2 * edge;
        let rising = column - rank + 1 - edge - if is_up { 0 } else { 1 };
        let falling = rising + level - if is_up { 1 } else { -1 };
        let (level, rising, falling) = match self {
            Self::Transpose60 | Self::Transpose120 | Self::Transpose240 | Self::Transpose300 => {
                (level, -falling, -rising)
            }
            _ => (level, rising, falling),
        };
        let (level, rising, falling) = match self {
            Self::Rotate60 | Self::Transpose60 => (-rising, falling, level),
            Self::Rotate120 | Self::Transpose120 => (-falling, level, -rising),
            Self::Rotate240 | Self::Transpose240 => (rising, -falling, -level),
            Self::Rotate300 | Self::Transpose300 => (falling, -level, rising),
            _ => (level, rising, falling),
        };
        let rank = (level - 1 + 2 * edge) / 2;
        let is_up = falling - rising < level;
        let column = rising - 1 + edge + rank + if is_up { 0 } else { 1 };
        (column as u32, (2 * edge - 1 - rank) as u32)
    }
}

impl Game {
    /// Returns the symmetries of the game's board that leave a position the same for both players,
    /// the identity first. These symmetries keep the goals, and the cells where each color starts.
    ///
    /// Returns only the identity if a color has its own corner (Blokus with three or four colors,
    /// Nexos, GembloQ), in Octi, whose prongs point in directions, and if the documents leave too
    /// much open: the numbering of Unlur's rows is unknown. The documents also leave open which
    /// cells belong to a color in Blokus Duo and Junior. The first pieces of the only game of Duo
    /// that was examined cover `e10` and `j5`. For Junior only `e10` is known, from a game and from
    /// the document's example (spec P-37). In Trigon and Callisto no cell is assumed to belong to a
    /// color.
    ///
    /// ```
    /// use sgfstream_game::{Game, board::Symmetry};
    ///
    /// assert_eq!(Game::Go.symmetries(), Symmetry::ALL);
    /// assert_eq!(Game::Hex.symmetries(), Symmetry::HEX);
    /// assert_eq!(Game::Havannah.symmetries(), Symmetry::HEXAGON);
    /// ```
    #[must_use]
    pub const fn symmetries(self) -> &'static [Symmetry] {
        use Symmetry::{Identity, Transpose};
        match self {
            Self::Go
            | Self::Gomoku
            | Self::Othello
            | Self::LinesOfAction
            | Self::Amazons
            | Self::Kropki => &Symmetry::ALL,
            Self::Hex => &Symmetry::HEX,
            Self::Havannah => &Symmetry::HEXAGON,
            // Both keep the diagonal through the two cells where the colors start.
            Self::Pentobi(Variant::BlokusDuo | Variant::BlokusJunior) => &[Identity, Transpose],
            Self::Pentobi(
                Variant::BlokusTrigon
                | Variant::BlokusTrigonTwoPlayer
                | Variant::BlokusTrigonThreePlayer,
            ) => &Symmetry::TRIANGLES,
            Self::Pentobi(
                Variant::Callisto
                | Variant::CallistoTwoPlayer
                | Variant::CallistoTwoPlayerFourColor
                | Variant::CallistoThreePlayer,
            ) => &Symmetry::ALL,
            _ => &[Identity],
        }
    }

    /// Returns the symmetries that leave a position the same if the colors are exchanged too.
    /// Returns an empty set if the colors have different goals, or if there are more than two.
    ///
    /// ```
    /// use sgfstream_game::{Game, board::Symmetry};
    ///
    /// // Black joins top and bottom, White left and right.
    /// assert_eq!(
    ///     Game::Hex.exchanged_symmetries(),
    ///     [Symmetry::Transpose, Symmetry::Antitranspose]
    /// );
    /// assert_eq!(Game::Unlur.exchanged_symmetries(), []);
    /// ```
    #[must_use]
    pub const fn exchanged_symmetries(self) -> &'static [Symmetry] {
        match self {
            Self::Hex => &[Symmetry::Transpose, Symmetry::Antitranspose],
            Self::Pentobi(Variant::BlokusDuo | Variant::BlokusJunior) => {
                &[Symmetry::Rotate180, Symmetry::Antitranspose]
            }
            Self::Go
            | Self::Gomoku
            | Self::Othello
            | Self::LinesOfAction
            | Self::Amazons
            | Self::Kropki
            | Self::Havannah
            | Self::Pentobi(Variant::CallistoTwoPlayer) => self.symmetries(),
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Symmetry;
    use crate::game::BoardCell;
    use crate::game::pentobi::{CellKind, PentobiCells};

    #[test]
    fn eight_ways_and_back() {
        let size = (5, 3);
        let mut pictures = Vec::new();
        for symmetry in Symmetry::ALL {
            let turned = symmetry.size(size);
            let mut fields = Vec::new();
            for column in 0..size.0 {
                for row in 0..size.1 {
                    let field = symmetry.apply((column, row), size);
                    assert!(field.0 < turned.0 && field.1 < turned.1, "{symmetry}");
                    assert_eq!(
                        symmetry.inverse().apply(field, turned),
                        (column, row),
                        "{symmetry}"
                    );
                    fields.push(field);
                }
            }
            pictures.push(fields.clone());
            fields.sort_unstable();
            fields.dedup();
            assert_eq!(fields.len(), 15, "{symmetry}");
            assert_eq!(Symmetry::for_name(symmetry.as_str()), Some(symmetry));
        }
        pictures.sort();
        pictures.dedup();
        assert_eq!(pictures.len(), 8);
    }

    /// Each symmetry keeps the cells of the hexagon and their adjacency.
    #[test]
    fn twelve_ways_of_a_hexagon() {
        let side = 4_u32;
        let size = (2 * side - 1, 2 * side - 1);
        let is_cell = |(column, row): (u32, u32)| {
            column < size.0 && row < size.1 && column.abs_diff(row) < side
        };
        let all = (0..size.0).flat_map(|column| (0..size.1).map(move |row| (column, row)));
        let cells: Vec<_> = all.filter(|&cell| is_cell(cell)).collect();
        let touch = |one: (u32, u32), other: (u32, u32)| {
            let step = (one.0 as i32 - other.0 as i32, one.1 as i32 - other.1 as i32);
            [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)].contains(&step)
        };
        let mut pictures = Vec::new();
        for symmetry in Symmetry::HEXAGON {
            let turned: Vec<_> = cells
                .iter()
                .map(|&cell| symmetry.apply(cell, size))
                .collect();
            for (at, &cell) in turned.iter().enumerate() {
                assert!(is_cell(cell), "{symmetry}");
                assert_eq!(
                    symmetry.inverse().apply(cell, size),
                    cells[at],
                    "{symmetry}"
                );
                for (other, &beside) in turned.iter().enumerate() {
                    assert_eq!(
                        touch(cell, beside),
                        touch(cells[at], cells[other]),
                        "{symmetry}"
                    );
                }
            }
            pictures.push(turned);
        }
        pictures.sort();
        pictures.dedup();
        assert_eq!(pictures.len(), 12);
        assert_eq!(Symmetry::Rotate60.apply((0, 0), size), (3, 0)); // corner to the next corner
    }

    /// Each symmetry keeps the triangles and their adjacency.
    #[test]
    fn twelve_ways_of_a_hexagon_of_triangles() {
        for edge in [3, 8, 9] {
            let board = PentobiCells::trigon(edge);
            let size = (u32::from(board.columns), u32::from(board.rows));
            let kind = |(column, row): (u32, u32)| {
                board.kind_of(BoardCell::new(column as u16, row as u16))
            };
            let all = (0..size.0).flat_map(|column| (0..size.1).map(move |row| (column, row)));
            let cells: Vec<_> = all.filter(|&cell| kind(cell).is_some()).collect();
            // Triangles that share an edge: the neighbors in the row, and the one at the level
            // edge.
            let touch = |one: (u32, u32), other: (u32, u32)| {
                let down = i64::from(other.1) - i64::from(one.1);
                let level = if kind(one) == Some(CellKind::Up) {
                    1
                } else {
                    -1
                };
                (down == 0 && one.0.abs_diff(other.0) == 1) || (one.0 == other.0 && down == level)
            };
            let mut pictures = Vec::new();
            for symmetry in Symmetry::TRIANGLES {
                let turned: Vec<_> = cells
                    .iter()
                    .map(|&cell| symmetry.apply(cell, size))
                    .collect();
                for (at, &cell) in turned.iter().enumerate() {
                    assert!(kind(cell).is_some(), "{symmetry}");
                    assert_eq!(
                        symmetry.inverse().apply(cell, size),
                        cells[at],
                        "{symmetry}"
                    );
                    for (other, &beside) in turned.iter().enumerate() {
                        assert_eq!(
                            touch(cell, beside),
                            touch(cells[at], cells[other]),
                            "{symmetry}"
                        );
                    }
                }
                pictures.push(turned);
            }
            // Repeating a sixth of a turn gives all six rotations.
            let mut turned = cells.clone();
            for (symmetry, picture) in Symmetry::TRIANGLES.iter().zip(&pictures).take(6) {
                assert_eq!(turned, *picture, "{symmetry}");
                turned
                    .iter_mut()
                    .for_each(|cell| *cell = Symmetry::Rotate60.apply(*cell, size));
            }
            pictures.sort();
            pictures.dedup();
            assert_eq!((turned, pictures.len()), (cells, 12));
        }
        // Clockwise: the right end of the middle row moves down.
        assert_eq!(Symmetry::Rotate60.apply((10, 2), (11, 6)), (8, 5));
    }

    #[test]
    fn a_quarter_turn_is_clockwise() {
        assert_eq!(Symmetry::Rotate90.apply((0, 0), (19, 19)), (18, 0)); // upper left to upper right
        assert_eq!(Symmetry::Rotate270.apply((0, 0), (19, 19)), (0, 18));
    }
}
