//! Texts that are too long to be held, of which only the beginning was read. Wherever in a command that happens, it is
//! counted here, said at its end, and changes the exit status.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::report::exit::Exit;
use crate::report::terminal;

static CUT: AtomicU64 = AtomicU64::new(0);

/// Adds so many texts that were cut.
pub(crate) fn add(texts: u64) {
    if texts > 0 {
        CUT.fetch_add(texts, Relaxed);
    }
}

/// Says how many texts were cut, and gives the exit status for that.
pub(crate) fn report() -> Exit {
    match CUT.load(Relaxed) {
        0 => return Exit::Done,
        1 => terminal::say("sgfq: 1 text is too long and was cut; see `sgfq help caps`"),
        texts => terminal::say(&format!("sgfq: {texts} texts are too long and were cut; see `sgfq help caps`")),
    }
    Exit::Found
}
