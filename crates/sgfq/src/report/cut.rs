//! Parts of games that were left out of an answer. Wherever in a command that happens, it is counted here, reported at its
//! end, and changes the exit status.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::report::exit::Exit;

static UNSEARCHED: AtomicU64 = AtomicU64::new(0);
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);
static DAMAGED: AtomicU64 = AtomicU64::new(0);

/// Adds so many places that were not searched, or not counted.
pub(crate) fn add_unsearched(places: u64) {
    if places > 0 {
        UNSEARCHED.fetch_add(places, Relaxed);
    }
}

/// Adds so many lines or games that were left out because they were too long or too many.
pub(crate) fn add_left_out(lines: u64) {
    if lines > 0 {
        LEFT_OUT.fetch_add(lines, Relaxed);
    }
}

/// Counts a game that has bytes which its charset cannot decode.
pub(crate) fn add_damaged() {
    DAMAGED.fetch_add(1, Relaxed);
}

/// Reports how many places were not searched and how many lines left out, and returns the exit status for that. A damaged
/// text does not change the status: the answer has what can be read of it.
pub(crate) fn report() -> Exit {
    _ = Exit::say_count(
        DAMAGED.load(Relaxed),
        "game has damaged text, shown as \u{FFFD}; see `sgfq check`",
        "games have damaged text, shown as \u{FFFD}; see `sgfq check`",
    );
    let unsearched = Exit::say_count(
        UNSEARCHED.load(Relaxed),
        "position was not searched or counted; see `sgfq help caps`",
        "positions were not searched or counted; see `sgfq help caps`",
    );
    let left_out = Exit::say_count(
        LEFT_OUT.load(Relaxed),
        "line or game was left out: it did not fit in memory",
        "lines or games were left out: they did not fit in memory",
    );
    unsearched.or(left_out)
}
