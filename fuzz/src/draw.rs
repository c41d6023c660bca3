//! Choices that an input makes.

use std::ops::Range;

/// Numbers of the ways to look at an input. A test looks in all of `count`. libFuzzer looks in one that the input's bytes
/// choose, for most of its inputs differ in one byte from another: it sees as many ways in the same time, of more inputs.
pub(super) fn ways(data: &[u8], count: usize) -> Range<usize> {
    if cfg!(fuzzing) {
        let sum = data
            .iter()
            .fold(0xCBF2_9CE4_8422_2325u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
        let chosen = (sum >> 32) as usize % count;
        chosen..chosen + 1
    } else {
        0..count
    }
}

/// Choices, first those of the input's own bytes.
pub(super) struct Draw<'d> {
    bytes: &'d [u8],
    state: u64,
}

impl<'d> Draw<'d> {
    /// The last bytes of the input choose first.
    pub(super) fn new(bytes: &'d [u8]) -> Self {
        Self { bytes, state: bytes.len() as u64 }
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        let byte = match self.bytes.split_last() {
            Some((&last, rest)) => {
                self.bytes = rest;
                last
            }
            None => 0,
        };
        self.state = self.state.wrapping_add(u64::from(byte)).wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (self.state >> 33) as usize % count
    }

    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
