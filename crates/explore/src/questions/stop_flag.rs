//! A flag by which a caller ends a search.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Flag by which a caller that no longer wants an answer ends its search, from any thread. Its clones are one flag.
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
    /// Ends the searches that look at this flag.
    pub fn stop(&self) {
        self.0.store(true, Relaxed);
    }

    /// Returns whether the searches are to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Relaxed)
    }

    /// The games of a run, as long as their search is not stopped.
    pub(crate) fn until<'r>(&'r self, run: &'r [u32]) -> impl Iterator<Item = u32> + 'r {
        run.iter().copied().take_while(|_| !self.is_stopped())
    }

    /// # Errors
    ///
    /// Of the kind [`Interrupted`](io::ErrorKind::Interrupted), if the search was stopped: what it found is not whole.
    pub(crate) fn check(&self) -> io::Result<()> {
        match self.is_stopped() {
            true => Err(io::Error::new(io::ErrorKind::Interrupted, "the search was stopped")),
            false => Ok(()),
        }
    }
}
