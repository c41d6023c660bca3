//! Choices of a property, drawn from its input: how it reads the input, and which values it uses.

/// Number that determines how a property reads its input. Each choice takes a part of the number.
#[derive(Clone, Copy, Debug)]
pub struct Choice(u32);

impl Choice {
    /// Bytes at the start of an input of libFuzzer that are a choice and not data.
    pub const LEN: usize = 4;

    /// Splits an input of libFuzzer into the choice and the data.
    pub fn split(input: &[u8]) -> (Self, &[u8]) {
        match input.split_first_chunk::<{ Self::LEN }>() {
            Some((&number, data)) => (Self(u32::from_le_bytes(number)), data),
            None => (Self(0), input),
        }
    }

    /// Returns the choice with this number.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number from which [`new`](Self::new) makes the choice.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Returns a choice whose first part is `way` of `ways`. The other parts come from `number`.
    pub fn of_way(way: u32, ways: u32, number: u32) -> Self {
        let number = number.min(u32::MAX - ways);
        Self(number - number % ways + way)
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        let chosen = self.0 as usize % count;
        self.0 /= count as u32;
        chosen
    }

    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Source of choices: first the last bytes of the input, then the choice.
pub(super) struct Draw<'d> {
    bytes: &'d [u8],
    state: u64,
}

impl<'d> Draw<'d> {
    /// Returns a source that uses the last bytes of the input, then the rest of the choice.
    pub(super) fn new(bytes: &'d [u8], choice: Choice) -> Self {
        Self {
            bytes,
            state: bytes.len() as u64 + (u64::from(choice.0) << 32),
        }
    }

    pub(super) fn below(&mut self, count: usize) -> usize {
        let byte = match self.bytes.split_last() {
            Some((&last, rest)) => {
                self.bytes = rest;
                last
            }
            None => 0,
        };
        self.state = self
            .state
            .wrapping_add(u64::from(byte))
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(1);
        (self.state >> 33) as usize % count
    }

    pub(super) fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}
