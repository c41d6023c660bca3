//! Counts the parts of games that a result lacks. Every part of a command adds to these counts; the command reports them at
//! its end, and they change the exit status.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::report::exit::Exit;

static UNSEARCHED: AtomicU64 = AtomicU64::new(0);
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);
static DAMAGED: AtomicU64 = AtomicU64::new(0);

/// Adds a number of places that were not searched or not counted.
pub(crate) fn add_unsearched(places: u64) {
    if places > 0 {
        UNSEARCHED.fetch_add(places, Relaxed);
    }
}

/// Adds a number of lines or games that were left out because they were too long or too many.
pub(crate) fn add_left_out(lines: u64) {
    if lines > 0 {
        LEFT_OUT.fetch_add(lines, Relaxed);
    }
}

/// Counts a game with bytes that its charset cannot decode.
pub(crate) fn add_damaged() {
    DAMAGED.fetch_add(1, Relaxed);
}

/// Reports the counts and returns the exit status for them. Damaged text does not change the status, because the result
/// contains its readable part.
pub(crate) fn report() -> Exit {
    _ = Exit::say_count(
        DAMAGED.load(Relaxed),
        "game has damaged text, shown as \u{FFFD}; see `sgfq check`",
        "games have damaged text, shown as \u{FFFD}; see `sgfq check`",
    );
    let unsearched = Exit::report_count(
        UNSEARCHED.load(Relaxed),
        "position was not searched or counted; see `sgfq help caps`",
        "positions were not searched or counted; see `sgfq help caps`",
    );
    let left_out = Exit::report_count(
        LEFT_OUT.load(Relaxed),
        "line or game was left out: it did not fit in memory",
        "lines or games were left out: they did not fit in memory",
    );
    unsearched.or(left_out)
}
