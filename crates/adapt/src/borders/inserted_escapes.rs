//! Places of inserted escapes.

use super::Borders;

/// Inserted bytes, by their places in the output.
#[derive(Debug, Default)]
pub(crate) struct InsertedEscapes(Vec<u64>);

impl InsertedEscapes {
    /// Adds the escapes of `borders`, whose places are relative to `base`.
    pub(crate) fn add(&mut self, borders: &Borders, base: u64) {
        let brackets = &borders.brackets;
        let after =
            |at: u64| at + brackets.partition_point(|&bracket| base + bracket as u64 <= at) as u64;
        self.0.iter_mut().for_each(|at| *at = after(*at));
        self.0.extend(
            brackets
                .iter()
                .zip(0..)
                .map(|(&at, number)| base + at as u64 + number),
        );
        self.0.sort_unstable();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns whether the `]` of `borders` at some place has an inserted `\`. Then that one is the
    /// second byte of a character.
    pub(crate) fn are_without_effect(&self, borders: &Borders, base: u64) -> bool {
        borders.brackets.iter().any(|&at| {
            self.0
                .binary_search(&(base + at as u64).wrapping_sub(1))
                .is_ok()
        })
    }

    /// Returns the place before the insertion.
    pub(crate) fn original(&self, at: u64) -> u64 {
        at - self.0.partition_point(|&inserted| inserted < at) as u64
    }
}
