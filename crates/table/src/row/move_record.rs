//! The bytes that a main line's hash is made of: one record for each move.

use sgfstream::game::Symmetry;

/// Points are 1, color, column, row.
const POINT_LEN: usize = 6;

/// A line that is kept has a hash for each setup.
const HASH_LEN: usize = 17;

/// The moves of a chunk, each with its kind.
pub(super) fn records(mut rest: &[u8]) -> impl Iterator<Item = (u8, &[u8])> {
    std::iter::from_fn(move || {
        let kind = *rest.first()?;
        let (record, after) = rest.split_at_checked(record_len(rest))?;
        rest = after;
        Some((kind, record))
    })
}

/// How long the record is that begins here.
fn record_len(bytes: &[u8]) -> usize {
    match *bytes {
        [1, ..] => POINT_LEN,
        [3, ..] => HASH_LEN,
        [_, _, len, ..] => 3 + usize::from(len),
        _ => bytes.len(),
    }
}

/// A symmetry of a board as the sums that it is: each coordinate is a multiple
/// (0, 1 or -1) of each, and a constant.
pub(super) struct Turn {
    columns: [u16; 3],
    rows: [u16; 3],
}

impl Turn {
    pub(super) fn of(symmetry: Symmetry, size: (u32, u32)) -> Self {
        let [zero, column, row] = [(0, 0), (1, 0), (0, 1)].map(|field| {
            let (column, row) = symmetry.apply(field, size);
            (column as u16, row as u16)
        });
        Self {
            columns: [column.0.wrapping_sub(zero.0), row.0.wrapping_sub(zero.0), zero.0],
            rows: [column.1.wrapping_sub(zero.1), row.1.wrapping_sub(zero.1), zero.1],
        }
    }

    /// Turns the record of a point.
    #[inline]
    pub(super) fn apply(&self, record: &mut [u8; POINT_LEN]) {
        let [kind, color, a, b, c, d] = *record;
        let (column, row) = (u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d]));
        let sum = |[of_column, of_row, more]: [u16; 3]| {
            column.wrapping_mul(of_column).wrapping_add(row.wrapping_mul(of_row)).wrapping_add(more).to_le_bytes()
        };
        let ([a, b], [c, d]) = (sum(self.columns), sum(self.rows));
        *record = [kind, color, a, b, c, d];
    }

    /// Turns those of the records that are points.
    pub(super) fn apply_to_points(&self, mut rest: &mut [u8]) {
        while !rest.is_empty() {
            let (record, after) = rest.split_at_mut(record_len(rest));
            if let (1, Ok(record)) = (record[0], record.try_into()) {
                self.apply(record);
            }
            rest = after;
        }
    }
}
