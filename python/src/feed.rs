//! Output of a job over inputs, item by item: read in the background, on all
//! cores, a little ahead of the caller.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use pyo3::prelude::*;
use sgfstream_archive::ArchiveProblem;
use sgfstream_engine::{Engine, Job, Monitor, Out};

use crate::errors;
use crate::inputs::Inputs;
use crate::problem::Problem;
use crate::stream::PATIENCE;

/// Items of a job. Dropped before the end, it stops the reading and joins its threads.
pub(crate) struct Feed<T> {
    /// Locked by no one: a receiver belongs to one thread, and a Python object to any.
    chunks: Option<Mutex<Receiver<anyhow::Result<Chunk<T>>>>>,
    ready: VecDeque<T>,
    problems: Vec<Problem>,
    raises: bool,
    reader: Option<JoinHandle<()>>,
    monitor: Monitor,
    /// Holds the copies that are read.
    _inputs: Inputs,
}

struct Chunk<T> {
    items: Vec<T>,
    problems: Vec<ArchiveProblem>,
}

impl<T: Send + 'static> Feed<T> {
    /// Begins to read.
    pub(crate) fn start(
        engine: Engine,
        inputs: Inputs,
        raises: bool,
        job: impl Job<Output = Vec<T>> + Send + 'static,
    ) -> Self {
        let engine = engine.with_own_monitor();
        let monitor = engine.monitor();
        let (sender, chunks) = sync_channel(2);
        let all = inputs.to_vec();
        let reader = thread::spawn(move || {
            let result = engine.run(&all, &job, |outcome| {
                let problems = std::mem::take(&mut outcome.problems);
                let chunk = Chunk { items: outcome.output.take().unwrap_or_default(), problems };
                send(&engine.monitor(), &sender, chunk);
                Ok(())
            });
            if let Err(err) = result {
                _ = sender.send(Err(err));
            }
        });
        Self {
            chunks: Some(Mutex::new(chunks)),
            ready: VecDeque::new(),
            problems: Vec::new(),
            raises,
            reader: Some(reader),
            monitor,
            _inputs: inputs,
        }
    }

    /// The next item; none at the end.
    pub(crate) fn next(&mut self, py: Python<'_>) -> PyResult<Option<T>> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Ok(Some(item));
            }
            py.check_signals()?;
            let Some(chunks) = &mut self.chunks else { return Ok(None) };
            let chunks = chunks.get_mut().unwrap_or_else(PoisonError::into_inner);
            let receive = move || {
                let chunks: &mut Receiver<_> = chunks;
                chunks.recv_timeout(PATIENCE)
            };
            match py.detach(receive) {
                Ok(Ok(Chunk { items, problems })) => {
                    self.ready = items.into();
                    if let Some(problem) = problems.first().filter(|_| self.raises) {
                        let err = errors::of_problem(problem);
                        self.stop(py);
                        return Err(err);
                    }
                    self.problems.extend(problems.iter().map(Problem::from));
                }
                Ok(Err(err)) => {
                    self.stop(py);
                    return Err(errors::of_run(&err));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.stop(py),
            }
        }
    }

    /// Problems so far.
    pub(crate) fn problems(&self) -> Vec<Problem> {
        self.problems.clone()
    }

    fn stop(&mut self, py: Python<'_>) {
        py.detach(|| self.end());
    }
}

impl<T> Feed<T> {
    fn end(&mut self) {
        self.monitor.cancel();
        self.chunks = None;
        if let Some(reader) = self.reader.take() {
            _ = reader.join();
        }
    }
}

impl<T> Drop for Feed<T> {
    fn drop(&mut self) {
        self.end();
    }
}

fn send<T>(monitor: &Monitor, sender: &SyncSender<anyhow::Result<Chunk<T>>>, chunk: Chunk<T>) {
    if (!chunk.items.is_empty() || !chunk.problems.is_empty()) && sender.send(Ok(chunk)).is_err() {
        monitor.cancel();
    }
}

/// Items that a job holds before it hands them out.
pub(crate) const FULL: usize = 2048;

/// Adds an item to the output of a job. False if the run was cancelled.
pub(crate) fn push<T>(out: &mut Out<'_, Vec<T>>, item: T) -> bool {
    out.push(item);
    out.len() < FULL || out.hand_out()
}
