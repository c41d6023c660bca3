//! Counts the parts of games that a result lacks, and collects the searches. The command reports
//! them at its end, and the counts change the exit status. A worker returns its counts with its
//! output, because the engine drops the result of a part that began in the middle of a game; the
//! thread that takes the outputs adds them here.

use std::sync::{Mutex, MutexGuard, PoisonError};

use sgfstream_table::find::Query;

use crate::report::exit::{Exit, note_count};
use crate::report::terminal;

/// What the result lacks, and the searches.
pub(crate) struct CutCounts {
    /// Number of places that were not searched or not counted.
    pub(crate) unsearched: u64,
    /// Number of lines or games that were left out because they were too long or too many.
    pub(crate) left_out: u64,
    /// Number of games with bytes that their charset cannot decode.
    pub(crate) damaged: u64,
    /// Whether the command read games and selected none of them.
    pub(crate) has_no_match: bool,
    queries: Vec<Query>,
}

static CUT: Mutex<CutCounts> = Mutex::new(CutCounts {
    unsearched: 0,
    left_out: 0,
    damaged: 0,
    has_no_match: false,
    queries: Vec::new(),
});

/// Returns the counts of this command.
pub(crate) fn counts() -> MutexGuard<'static, CutCounts> {
    CUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds searches. If no game is found, their invalid moves are reported.
pub(crate) fn add_queries<'q>(queries: impl IntoIterator<Item = &'q Query>) {
    counts().queries.extend(queries.into_iter().cloned());
}

/// Reports the counts and returns the exit status for them, or `exit` if it is worse. Damaged text
/// does not change the status, because the result contains its readable part.
pub(crate) fn report(exit: Exit) -> Exit {
    let cut = counts();
    if exit == Exit::Found {
        if let Some(reason) = cut.queries.iter().find_map(Query::mismatch) {
            terminal::print_line(&format!("sgfq: {reason}"));
        } else if cut.has_no_match && cut.unsearched == 0 {
            terminal::print_note("sgfq: no game matches");
        }
    }
    note_count(
        cut.damaged,
        "game has damaged text, shown as \u{FFFD}; see `sgfq check`",
        "games have damaged text, shown as \u{FFFD}; see `sgfq check`",
    );
    let unsearched = Exit::report_count(
        cut.unsearched,
        "position was not searched or counted; see `sgfq help caps`",
        "positions were not searched or counted; see `sgfq help caps`",
    );
    let left_out = Exit::report_count(
        cut.left_out,
        "line or game was left out: it did not fit in memory",
        "lines or games were left out: they did not fit in memory",
    );
    exit.or(unsearched).or(left_out)
}
