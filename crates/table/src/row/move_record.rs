//! The bytes that a main line's hash is made of: one record for each move.

use sgfstream_game::Symmetry;
use xxhash_rust::xxh3::xxh3_128;

/// Points are 1, color, column, row.
const POINT_LEN: usize = 6;

/// A line that is kept has a hash for each setup.
const HASH_LEN: usize = 17;

/// The longest record of a move.
const RECORD_MAX: usize = 3 + u8::MAX as usize;

/// Records that wait to be hashed: twice [`CHUNK`] bytes and one record.
#[derive(Clone)]
pub(super) struct Chunk {
    //  An array, so that a point is one store after one check: a `Vec` takes ten instructions more.
    bytes: Box<[u8; 2 * CHUNK + RECORD_MAX]>,
    len: usize,
    only_points: bool,
}

/// Moves are hashed in pieces of about so many bytes.
pub(super) const CHUNK: usize = 4096;

impl Chunk {
    pub(super) fn new() -> Self {
        Self { bytes: Box::new([0; 2 * CHUNK + RECORD_MAX]), len: 0, only_points: true }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub(super) fn push_point(&mut self, color: u8, column: u32, row: u32) {
        let record = 1 | u64::from(color) << 8 | u64::from(column & 0xFFFF) << 16 | u64::from(row & 0xFFFF) << 32;
        // The next record overwrites the two bytes after it.
        self.bytes[self.len..][..8].copy_from_slice(&record.to_le_bytes());
        self.len += POINT_LEN;
    }

    /// A move that is no point, or its hash if that is shorter.
    pub(super) fn push_text(&mut self, color: u8, text: &[u8]) {
        let Ok(len) = u8::try_from(text.len()) else {
            return self.push_text(color, &xxh3_128(text).to_le_bytes());
        };
        self.only_points = false;
        self.push(&[2, color, len]);
        self.push(text);
    }

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.len..][..bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Turns those of the records that are points.
    pub(super) fn turn(&mut self, turn: &Turn) {
        let bytes = &mut self.bytes[..self.len];
        if self.only_points {
            bytes.as_chunks_mut().0.iter_mut().for_each(|record| turn.apply(record));
        } else {
            turn.apply_to_points(bytes);
        }
    }

    pub(super) fn clear(&mut self) {
        (self.len, self.only_points) = (0, true);
    }

    /// The records from `at` on, for [`put_back`](Self::put_back).
    pub(super) fn split_off(&mut self, at: usize) -> (Vec<u8>, bool) {
        let rest = self.as_bytes()[at..].to_vec();
        self.len = at;
        (rest, self.only_points)
    }

    /// Begins with these records.
    pub(super) fn put_back(&mut self, (records, only_points): (Vec<u8>, bool)) {
        self.clear();
        self.push(&records);
        self.only_points = only_points;
    }
}

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

/// A symmetry of a board as what it does to a column and a row: they are exchanged or not, then each is taken as it is
/// or from the other side.
pub(super) struct Turn {
    /// 16 where column and row, a half of a word each, are exchanged.
    rotation: u32,
    /// All bits of the halves that count from the other side, and what is added to their complements.
    mirrored: u32,
    sums: [u16; 2],
}

impl Turn {
    pub(super) fn of(symmetry: Symmetry, size: (u32, u32)) -> Self {
        let [zero, column, row] = [(0, 0), (1, 0), (0, 1)].map(|field| {
            let (column, row) = symmetry.apply(field, size);
            [column as u16, row as u16]
        });
        // A column that changes nothing of the new column changes the new row.
        let is_exchanged = column[0] == zero[0];
        let steps = if is_exchanged { [row[0], column[1]] } else { [column[0], row[1]] };
        let is_mirrored = |half: usize| steps[half] == zero[half].wrapping_sub(1);
        Self {
            rotation: if is_exchanged { 16 } else { 0 },
            mirrored: if is_mirrored(0) { 0xFFFF } else { 0 } | if is_mirrored(1) { 0xFFFF_0000 } else { 0 },
            sums: [0, 1].map(|half| zero[half].wrapping_add(is_mirrored(half).into())),
        }
    }

    /// Turns the record of a point.
    #[inline]
    pub(super) fn apply(&self, record: &mut [u8; POINT_LEN]) {
        let [kind, color, field @ ..] = *record;
        let field = u32::from_le_bytes(field).rotate_left(self.rotation) ^ self.mirrored;
        let ([a, b], [c, d]) = (
            (field as u16).wrapping_add(self.sums[0]).to_le_bytes(),
            ((field >> 16) as u16).wrapping_add(self.sums[1]).to_le_bytes(),
        );
        *record = [kind, color, a, b, c, d];
    }

    /// Turns those of the records that are points.
    fn apply_to_points(&self, mut rest: &mut [u8]) {
        while !rest.is_empty() {
            let (record, after) = rest.split_at_mut(record_len(rest));
            if let (1, Ok(record)) = (record[0], record.try_into()) {
                self.apply(record);
            }
            rest = after;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_as_symmetries_turn() {
        for size in [(19, 19), (13, 9), (2, 52), (1, 3), (1, 1), (300, 260)] {
            for symmetry in Symmetry::ALL {
                let turn = Turn::of(symmetry, size);
                for (column, row) in (0..size.0).flat_map(|column| (0..size.1).map(move |row| (column, row))) {
                    let record = |(column, row): (u32, u32)| {
                        let ([a, b, ..], [c, d, ..]) = (column.to_le_bytes(), row.to_le_bytes());
                        [1, 2, a, b, c, d]
                    };
                    let mut turned = record((column, row));
                    turn.apply(&mut turned);
                    assert_eq!(turned, record(symmetry.apply((column, row), size)), "{symmetry:?} {size:?}");
                }
            }
        }
    }
}
