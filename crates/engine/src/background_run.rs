//! Run on threads of its own, whose results the caller takes one after another.

use std::fmt;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::task::Poll;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::engine::Engine;
use crate::monitor::Monitor;

/// Iterator over the results of a run in the background, which is slightly ahead of the caller.
/// Dropping it stops the run.
pub struct BackgroundRun<T> {
    results: Option<Receiver<anyhow::Result<T>>>,
    reader: Option<JoinHandle<()>>,
    monitor: Monitor,
}

impl<T: Send + 'static> BackgroundRun<T> {
    /// Starts `run` on a new thread. It gets an engine with the same settings and its own monitor,
    /// and a function that passes a result to the caller. If the caller wants no more results, the
    /// function cancels the run and returns false.
    #[must_use]
    pub fn start(
        engine: &Engine,
        run: impl FnOnce(&Engine, &dyn Fn(T) -> bool) -> anyhow::Result<()> + Send + 'static,
    ) -> Self {
        let engine = engine.clone().with_own_monitor();
        let monitor = engine.monitor();
        let (sender, results) = sync_channel(2);
        let failed = sender.clone();
        let read = move || {
            let send = |result| {
                let is_wanted = sender.send(Ok(result)).is_ok();
                if !is_wanted {
                    engine.monitor().cancel();
                }
                is_wanted
            };
            if let Err(err) = run(&engine, &send) {
                _ = sender.send(Err(err));
            }
        };
        let reader = thread::Builder::new().name("reader".to_owned()).spawn(read);
        let reader = reader.map_err(|err| {
            // The channel has room for the only message.
            _ = failed.send(Err(anyhow::Error::new(err).context("cannot start a thread")));
        });
        Self {
            results: Some(results),
            reader: reader.ok(),
            monitor,
        }
    }
}

impl<T> BackgroundRun<T> {
    /// Returns the next result, or `None` at the end. Returns [`Poll::Pending`] if no result
    /// arrives within `patience`, so that the caller can check for a reason to stop.
    pub fn poll(&mut self, patience: Duration) -> Poll<Option<anyhow::Result<T>>> {
        let result = self.results.as_ref();
        match result.map(|results| results.recv_timeout(patience)) {
            Some(Ok(result)) => Poll::Ready(Some(result)),
            Some(Err(RecvTimeoutError::Timeout)) => Poll::Pending,
            _ => Poll::Ready(self.finish()),
        }
    }

    /// Ends the iteration. If a thread panicked, its message is on stderr and the results are
    /// incomplete, so returns an error.
    fn finish(&mut self) -> Option<anyhow::Result<T>> {
        let reader = self.reader.take()?;
        reader
            .join()
            .is_err()
            .then(|| Err(anyhow::anyhow!("the reader thread panicked")))
    }

    /// Returns the monitor, which reports the progress of the run.
    #[must_use]
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }
}

impl<T> Iterator for BackgroundRun<T> {
    type Item = anyhow::Result<T>;

    fn next(&mut self) -> Option<anyhow::Result<T>> {
        if let Some(Ok(result)) = self.results.as_ref().map(Receiver::recv) {
            return Some(result);
        }
        self.finish()
    }
}

impl<T> Drop for BackgroundRun<T> {
    fn drop(&mut self) {
        self.monitor.cancel();
        drop(self.results.take());
        if let Some(reader) = self.reader.take() {
            _ = reader.join();
        }
    }
}

impl<T> fmt::Debug for BackgroundRun<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackgroundRun").finish_non_exhaustive()
    }
}
