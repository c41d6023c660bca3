//! Threads for searches in an index of positions.

use std::num::NonZero;
use std::thread::{self, ScopedJoinHandle};

use sgfstream_explore::Cores;

use super::Pool;
use crate::io::temp_file::TempFile;

/// As many threads as the arguments request. Without a request, one per core.
impl Cores for Pool {
    type Scratch = TempFile;

    fn count(&self) -> usize {
        match self.jobs {
            0 => thread::available_parallelism().map_or(1, NonZero::get),
            jobs => jobs,
        }
    }

    fn each<R: Sync, T: Send>(&self, runs: &[&[R]], work: impl Fn(&[R]) -> T + Sync) -> Vec<T> {
        thread::scope(|scope| {
            let work = &work;
            let start = |run| {
                let thread = thread::Builder::new().name("worker".to_owned());
                thread
                    .spawn_scoped(scope, move || work(run))
                    .map_err(|_| run)
            };
            let started: Vec<_> = runs.iter().map(|run| start(*run)).collect();
            let result = |started: Result<ScopedJoinHandle<'_, T>, &[R]>| match started {
                Ok(thread) => thread.join().expect("no panic"),
                // The system refused a thread, so this one works.
                Err(run) => work(run),
            };
            started.into_iter().map(result).collect()
        })
    }
}
