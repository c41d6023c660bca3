//! The symmetries of a rectangular board: what turning and mirroring it does
//! to a field. Go has all eight; Hex keeps its goals under two of them.

use std::fmt;

/// A way to turn or mirror a board. Columns count from the left and rows from
/// the top, both from 0.
///
/// ```
/// use sgfstream::game::Symmetry;
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
pub enum Symmetry {
    /// Nothing changes.
    #[default]
    Identity,
    /// A quarter turn clockwise.
    Rotate90,
    /// Half a turn.
    Rotate180,
    /// A quarter turn against the clock.
    Rotate270,
    /// Left and right exchanged.
    MirrorColumns,
    /// Top and bottom exchanged.
    MirrorRows,
    /// Column and row exchanged: mirrored in the diagonal from the upper left.
    Transpose,
    /// Mirrored in the diagonal from the upper right.
    Antitranspose,
}

impl Symmetry {
    /// All eight, the identity first.
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
    /// The two that leave each side of a Hex board to its owner.
    pub const HEX: [Self; 2] = [Self::Identity, Self::Rotate180];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Rotate90 => "rotate-90",
            Self::Rotate180 => "rotate-180",
            Self::Rotate270 => "rotate-270",
            Self::MirrorColumns => "mirror-columns",
            Self::MirrorRows => "mirror-rows",
            Self::Transpose => "transpose",
            Self::Antitranspose => "antitranspose",
        }
    }

    /// The symmetry of this name.
    #[must_use]
    pub fn for_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|symmetry| symmetry.as_str() == name)
    }

    /// The one that undoes it.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Rotate90 => Self::Rotate270,
            Self::Rotate270 => Self::Rotate90,
            other => other,
        }
    }

    /// True if columns become rows.
    #[must_use]
    pub const fn exchanges_sides(self) -> bool {
        matches!(self, Self::Rotate90 | Self::Rotate270 | Self::Transpose | Self::Antitranspose)
    }

    /// The size of the board after it: columns and rows.
    #[must_use]
    pub const fn size(self, (columns, rows): (u32, u32)) -> (u32, u32) {
        if self.exchanges_sides() { (rows, columns) } else { (columns, rows) }
    }

    /// Where `field` goes on a board of `size` columns and rows. The field
    /// must be on the board; of one that is not, the answer is off the board
    /// as well, or wraps round.
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
        }
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Symmetry;

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
                    assert_eq!(symmetry.inverse().apply(field, turned), (column, row), "{symmetry}");
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

    #[test]
    fn a_quarter_turn_is_clockwise() {
        assert_eq!(Symmetry::Rotate90.apply((0, 0), (19, 19)), (18, 0)); // upper left to upper right
        assert_eq!(Symmetry::Rotate270.apply((0, 0), (19, 19)), (0, 18));
    }
}
