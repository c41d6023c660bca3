//! Flag that stops a search.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Flag with which a caller stops a search from any thread. All clones share the flag.
///
/// ```
/// use sgfstream_explore::StopFlag;
///
/// let flag = StopFlag::default();
/// flag.clone().stop();
/// assert!(flag.is_stopped());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Stops the searches that check this flag.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Returns whether the searches should stop.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// Checks that the search was not stopped.
    ///
    /// # Errors
    ///
    /// Returns [`Interrupted`](io::ErrorKind::Interrupted) if it was, because its result is
    /// incomplete.
    pub(crate) fn check(&self) -> io::Result<()> {
        match self.is_stopped() {
            true => Err(io::Error::new(
                io::ErrorKind::Interrupted,
                "the search was stopped",
            )),
            false => Ok(()),
        }
    }
}
