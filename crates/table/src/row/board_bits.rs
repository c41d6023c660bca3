//! A set of fields of a board of two-letter points: a bit a field, so that
//! rectangles and symmetries cost a few words however many fields they have.

use sgfstream_game::Symmetry;
use sgfstream_game::value::PointEntry;

/// Columns and rows that two letters can name.
const SIDE: usize = 52;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardBits {
    /// Bit `c` of word `r` is the field in column `c` and row `r`, from 0.
    rows: [u64; SIDE],
}

impl BoardBits {
    pub(super) const fn new() -> Self {
        Self { rows: [0; SIDE] }
    }

    /// Adds the fields of a point or rectangle.
    pub(super) fn insert(&mut self, entry: PointEntry) {
        let (upper_left, lower_right) = (entry.upper_left(), entry.lower_right());
        let (from, last) = (u32::from(upper_left.column()), u32::from(lower_right.column()));
        let bits = (u64::MAX >> (63 - (last - from))) << from;
        for row in &mut self.rows[usize::from(upper_left.row())..=usize::from(lower_right.row())] {
            *row |= bits;
        }
    }

    /// The words of the rows of a board of `size`; what lies outside is left
    /// out.
    pub(super) fn words(&self, (columns, rows): (u32, u32)) -> impl Iterator<Item = u64> + '_ {
        let mask = u64::MAX >> (64 - columns.clamp(1, 64));
        self.rows[..(rows as usize).min(SIDE)].iter().map(move |row| row & mask)
    }

    /// The same fields with columns and rows exchanged.
    pub(super) fn transposed(&self) -> Self {
        let mut out = Self::new();
        for (row, &bits) in self.rows.iter().enumerate() {
            let mut bits = bits & (u64::MAX >> (64 - SIDE));
            while bits != 0 {
                out.rows[bits.trailing_zeros() as usize] |= 1 << row;
                bits &= bits - 1;
            }
        }
        out
    }

    /// The fields on a board of `size` after `symmetry`; `transposed` is what
    /// [`transposed`](Self::transposed) gives.
    pub(super) fn turned(&self, transposed: &Self, symmetry: Symmetry, size: (u32, u32)) -> Self {
        let mut out = if symmetry.exchanges_sides() { *transposed } else { *self };
        let (columns, rows) = symmetry.size(size);
        let (columns, rows) = (columns.clamp(1, SIDE as u32), rows.clamp(1, SIDE as u32));
        let mask = u64::MAX >> (64 - columns);
        let from_right = matches!(
            symmetry,
            Symmetry::MirrorColumns | Symmetry::Rotate180 | Symmetry::Rotate90 | Symmetry::Antitranspose
        );
        let from_bottom = matches!(
            symmetry,
            Symmetry::MirrorRows | Symmetry::Rotate180 | Symmetry::Rotate270 | Symmetry::Antitranspose
        );
        for row in &mut out.rows[..rows as usize] {
            *row &= mask;
            if from_right {
                *row = row.reverse_bits() >> (64 - columns);
            }
        }
        if from_bottom {
            out.rows[..rows as usize].reverse();
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slow twin: field by field.
    fn turned_slowly(fields: &[(u32, u32)], symmetry: Symmetry, size: (u32, u32)) -> BoardBits {
        let mut out = BoardBits::new();
        for &field in fields {
            let (column, row) = symmetry.apply(field, size);
            out.rows[row as usize] |= 1 << column;
        }
        out
    }

    #[test]
    fn turned_as_field_by_field() {
        for size in [(19, 19), (13, 9), (1, 1), (52, 52), (52, 3)] {
            let fields: Vec<(u32, u32)> = (0..40).map(|n| (n * 7 % size.0, n * 11 % size.1)).collect();
            let mut bits = BoardBits::new();
            for &(column, row) in &fields {
                let point = sgfstream_game::value::Point::new(column as u8, row as u8).expect("on the board");
                bits.insert(PointEntry::between(point, point));
            }
            for symmetry in Symmetry::ALL {
                let turned = bits.turned(&bits.transposed(), symmetry, size);
                assert!(turned == turned_slowly(&fields, symmetry, size), "{symmetry} {size:?}");
            }
        }
    }

    #[test]
    fn rectangles() {
        let mut bits = BoardBits::new();
        bits.insert(PointEntry::parse(b"aa:cb").expect("a rectangle"));
        bits.insert(PointEntry::parse(b"aZ:ZZ").expect("a rectangle"));
        let words: Vec<u64> = bits.words((52, 52)).collect();
        assert_eq!((words[0], words[1], words[2]), (0b111, 0b111, 0));
        assert_eq!(words[51], (1 << 52) - 1);
    }
}
