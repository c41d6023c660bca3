//! Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use super::{temporary, terminal};

static PRESSED: AtomicBool = AtomicBool::new(false);

/// How many look whether it was pressed.
static LISTENERS: AtomicUsize = AtomicUsize::new(0);

/// Obeys Ctrl-C from now on. It ends the process: files that are not whole go,
/// and what was finished is said. While somebody listens, the first is a wish
/// instead, to stop at the next good place.
pub(super) fn obey() {
    // Where there is nothing to listen to, Ctrl-C does what it does.
    _ = ctrlc::set_handler(|| {
        let is_second = PRESSED.swap(true, SeqCst);
        if !is_second && LISTENERS.load(SeqCst) > 0 {
            return;
        }
        end();
    });
}

/// Ends the process as Ctrl-C does.
pub(super) fn end() -> ! {
    let finished = temporary::abandon();
    terminal::say(&format!("sgfq: interrupted{finished}"));
    std::process::exit(130);
}

/// Somebody who stops by themselves.
#[derive(Debug)]
pub(super) struct Interrupt;

impl Interrupt {
    /// Listens from now on.
    pub(super) fn listen() -> Self {
        LISTENERS.fetch_add(1, SeqCst);
        Self
    }

    pub(super) fn is_pressed(&self) -> bool {
        PRESSED.load(SeqCst)
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        LISTENERS.fetch_sub(1, SeqCst);
    }
}
