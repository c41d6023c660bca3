//! Memory limits of trees: arrays that grow within a limit, or fail.

use std::fmt;

use sgfstream::{Error, ErrorKind};

/// Maximum memory of one tree.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream_adapt::{Games, MemoryFull, MemoryLimit};
///
/// let input = [b"(;C[".as_slice(), &[b'x'; 100_000], b"])(;B[aa])"].concat();
/// let mut games = Games::with_limit(SliceReader::new(&input), MemoryLimit::bytes(20_000));
/// assert!(games.next_game().is_err_and(|err| MemoryFull::is_in(&err)));
/// // One game is too large; the next one is not.
/// assert_eq!(games.next_game()?.expect("the second game").node_count(), 1);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLimit(u64);

impl MemoryLimit {
    /// Returns a limit of this many allocated bytes.
    #[must_use]
    pub const fn bytes(bytes: u64) -> Self {
        Self(bytes)
    }

    /// Returns the limit in bytes.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

/// Returns 2 GiB, enough for some thirty million nodes.
impl Default for MemoryLimit {
    fn default() -> Self {
        Self(2 << 30)
    }
}

/// Error: the [`MemoryLimit`] of a tree is reached, or the machine has no more memory.
/// [`Games`](super::Games) return it inside of [`ErrorKind::Other`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFull(u64);

impl MemoryFull {
    /// Returns the limit in bytes.
    #[must_use]
    pub fn limit(self) -> u64 {
        self.0
    }

    /// Returns whether an error of reading is this one.
    #[must_use]
    pub fn is_in(err: &Error) -> bool {
        matches!(err.kind(), ErrorKind::Other(err) if err.is::<Self>())
    }
}

impl fmt::Display for MemoryFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the game tree needs more than {} bytes of memory",
            self.0
        )
    }
}

impl std::error::Error for MemoryFull {}

impl From<MemoryFull> for Error {
    fn from(full: MemoryFull) -> Self {
        Self::other(full)
    }
}

/// The memory that the arrays of a tree have allocated, and its limit.
#[derive(Clone, Debug, Default)]
pub(super) struct Budget {
    pub(super) limit: MemoryLimit,
    pub(super) spent: u64,
}

impl Budget {
    /// Returns the error for exceeding the limit.
    pub(super) fn full(&self) -> MemoryFull {
        MemoryFull(self.limit.0)
    }

    /// Reserves room for `more` items. An array grows by an eighth instead of doubling, so that a
    /// large tree wastes little memory.
    #[inline]
    pub(super) fn reserve<T>(&mut self, array: &mut Vec<T>, more: usize) -> Result<(), MemoryFull> {
        if more <= array.capacity() - array.len() {
            Ok(())
        } else {
            self.grow(array, more)
        }
    }

    #[cold]
    #[inline(never)]
    fn grow<T>(&mut self, array: &mut Vec<T>, more: usize) -> Result<(), MemoryFull> {
        const LEAST_BYTES: usize = 1024;
        let had = array.capacity();
        let needed = array.len().checked_add(more).ok_or(self.full())?;
        let wanted = needed.max(had + (had / 8).max(LEAST_BYTES / size_of::<T>()));
        for capacity in [wanted, needed] {
            let cost = (capacity - had) as u64 * size_of::<T>() as u64;
            if self.spent.saturating_add(cost) <= self.limit.0
                && array.try_reserve_exact(capacity - array.len()).is_ok()
            {
                self.spent += (array.capacity() - had) as u64 * size_of::<T>() as u64;
                return Ok(());
            }
        }
        Err(self.full())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_past_the_limit() {
        let mut budget = Budget {
            limit: MemoryLimit::bytes(10_000),
            spent: 0,
        };
        let mut array: Vec<u32> = Vec::new();
        let mut pushed = 0;
        while budget.reserve(&mut array, 1).is_ok() {
            array.push(pushed);
            pushed += 1;
            assert!(budget.spent <= 10_000);
            assert_eq!(budget.spent, array.capacity() as u64 * 4);
        }
        assert_eq!(pushed, 2500);
        assert!(budget.reserve(&mut array, usize::MAX).is_err());
    }
}
