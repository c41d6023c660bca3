//! Counts the parts of games that a result lacks, and collects the searches. The command reports
//! them at its end, and the counts change the exit status. A worker returns its counts with its
//! output, because the engine drops the result of a part that began in the middle of a game; the
//! thread that takes the outputs adds them here.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use sgfstream_table::find::Query;

use crate::report::exit::{Exit, note_count};
use crate::report::terminal;

static UNSEARCHED: AtomicU64 = AtomicU64::new(0);
static LEFT_OUT: AtomicU64 = AtomicU64::new(0);
static DAMAGED: AtomicU64 = AtomicU64::new(0);
static HAS_NO_MATCH: AtomicBool = AtomicBool::new(false);
static QUERIES: Mutex<Vec<Query>> = Mutex::new(Vec::new());

/// Adds searches. If no game is found, their invalid moves are reported.
pub(crate) fn add_queries<'q>(queries: impl IntoIterator<Item = &'q Query>) {
    QUERIES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .extend(queries.into_iter().cloned());
}

/// Notes that the command read games and selected none of them.
pub(crate) fn add_no_match() {
    HAS_NO_MATCH.store(true, Relaxed);
}

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

/// Adds a number of games with bytes that their charset cannot decode.
pub(crate) fn add_damaged(games: u64) {
    DAMAGED.fetch_add(games, Relaxed);
}

/// Reports the counts and returns the exit status for them, or `exit` if it is worse. Damaged text
/// does not change the status, because the result contains its readable part.
pub(crate) fn report(exit: Exit) -> Exit {
    let queries = QUERIES.lock().unwrap_or_else(PoisonError::into_inner);
    if exit == Exit::Found {
        if let Some(reason) = queries.iter().find_map(Query::mismatch) {
            terminal::print_line(&format!("sgfq: {reason}"));
        } else if HAS_NO_MATCH.load(Relaxed) && UNSEARCHED.load(Relaxed) == 0 {
            terminal::print_note("sgfq: no game matches");
        }
    }
    note_count(
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
    exit.or(unsearched).or(left_out)
}
