//! Displays values by a closure.

use std::fmt;

/// Returns a value that `write` displays. `std::fmt::from_fn` does the same from Rust 1.93 on.
pub(crate) fn from_fn(write: impl Fn(&mut fmt::Formatter<'_>) -> fmt::Result) -> impl fmt::Display {
    FromFn(write)
}

struct FromFn<F>(F);

impl<F: Fn(&mut fmt::Formatter<'_>) -> fmt::Result> fmt::Display for FromFn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}
