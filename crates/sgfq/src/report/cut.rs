//! Texts that are too long to be held, of which only the beginning was read. Wherever in a command that happens, it is
//! counted here, said at its end, and changes the exit status.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::report::exit::Exit;

static CUT: AtomicU64 = AtomicU64::new(0);
static UNSEARCHED: AtomicU64 = AtomicU64::new(0);
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);

/// Adds so many texts that were cut.
pub(crate) fn add(texts: u64) {
    if texts > 0 {
        CUT.fetch_add(texts, Relaxed);
    }
}

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

/// Says how many texts were cut and how many places not searched, and gives the exit status for that.
pub(crate) fn report() -> Exit {
    let unsearched = Exit::say_count(
        UNSEARCHED.load(Relaxed),
        "position was not searched or counted; see `sgfq help caps`",
        "positions were not searched or counted; see `sgfq help caps`",
    );
    let left_out = Exit::say_count(
        LEFT_OUT.load(Relaxed),
        "line or game was left out: there was no space for it",
        "lines or games were left out: there was no space for them",
    );
    let texts = Exit::say_count(
        CUT.load(Relaxed),
        "text is too long and was cut; see `sgfq help caps`",
        "texts are too long and were cut; see `sgfq help caps`",
    );
    unsearched.or(left_out).or(texts)
}
