//! The archive of the explorer, while it is read and afterwards.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, OnceLock};

use sgfstream::Options;
use sgfstream_engine::Monitor;
use sgfstream_explore::{AnswerError, Explorer, ExplorerResponse, QUESTIONS, StatusReply};

use crate::args::io::Io;
use crate::args::threads::{Pool, count_bytes};
use crate::commands::position_index::PositionIndex;

/// Explorer of the games that were read.
pub(super) type Games = Explorer<File, Pool>;

/// An archive while it is read and afterwards.
pub(super) struct Archive {
    /// Inputs as the user named them.
    inputs: Vec<String>,
    options: Options,
    games: AtomicU64,
    /// Monitor of the run once it has started, and the bytes of the inputs counted so far.
    monitor: OnceLock<Monitor>,
    total_bytes: Arc<AtomicU64>,
    read: OnceLock<Result<Games, String>>,
}

/// Reason for a missing reply.
pub(super) enum NoAnswer {
    Failed(AnswerError),
    /// The games are still being read.
    NotYet,
}

/// Returns the request of this name, if it is known.
pub(super) fn question(name: &str) -> Option<&'static str> {
    QUESTIONS.into_iter().find(|known| *known == name)
}

impl Archive {
    pub(super) fn new(io: &Io<Pool>) -> Self {
        Self {
            inputs: io.inputs.names(),
            options: io.inputs.how.options(),
            games: AtomicU64::new(0),
            monitor: OnceLock::new(),
            total_bytes: Arc::default(),
            read: OnceLock::new(),
        }
    }

    /// Reads the games, or opens their index in `file`. Sends to `begun` once the first games are
    /// read.
    pub(super) fn read(
        &self,
        file: Option<&Path>,
        in_variations: bool,
        io: &Io<Pool>,
        begun: &SyncSender<()>,
    ) {
        let show_progress = |games, monitor: &Monitor| {
            if games == 0 && self.monitor.set(monitor.clone()).is_ok() {
                let engine = io.inputs.how.engine();
                count_bytes(&engine, &io.inputs.parsed(), Arc::clone(&self.total_bytes));
            }
            self.games.store(games, Relaxed);
            if games > 0 {
                // An error means that the message waits there already, and one message is enough.
                _ = begun.try_send(());
            }
        };
        let read = or_panicked(|| {
            let read =
                PositionIndex::open(file, io, &io.choice, in_variations, false, show_progress)?;
            anyhow::ensure!(
                !read.index.is_empty(),
                "no games to show; name other inputs or another --where"
            );
            let explorer = Explorer::new(
                read.index,
                self.options,
                self.inputs.clone(),
                read.is_partial,
                io.pool.clone(),
            );
            Ok(explorer.with_aliases(io.choice.aliases()?))
        });
        _ = self.read.set(read.map_err(|err| format!("{err:#}")));
    }

    /// Returns the games once all inputs are read, or the reason why no game can be shown.
    pub(super) fn games(&self) -> Option<&Result<Games, String>> {
        self.read.get()
    }

    /// Answers the request `name` without games: they are still being read, or `failed` says why
    /// they cannot be.
    pub(super) fn answer_without(
        &self,
        failed: Option<&String>,
        name: &str,
    ) -> Result<ExplorerResponse, NoAnswer> {
        match failed {
            Some(message) if name == "status" => {
                Ok(ExplorerResponse::json(&StatusReply::Failed { message }))
            }
            Some(message) => Err(NoAnswer::Failed(AnswerError::Refused(message.clone()))),
            None if name == "status" => {
                let read = self
                    .monitor
                    .get()
                    .map(Monitor::progress)
                    .unwrap_or_default();
                Ok(ExplorerResponse::json(&StatusReply::Reading {
                    games: self.games.load(Relaxed),
                    files: read.entries,
                    read_bytes: read.packed,
                    total_bytes: self.total_bytes.load(Relaxed).max(read.packed),
                    inputs: &self.inputs,
                }))
            }
            None => Err(NoAnswer::NotYet),
        }
    }
}

/// Returns an error if `read` panics, so that the page does not wait for games forever.
fn or_panicked<T>(read: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let panicked = |_| {
        Err(anyhow::anyhow!(
            "the games were not read, because the thread that read them panicked"
        ))
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(panicked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dead_thread_is_a_failure() {
        assert_eq!(or_panicked(|| Ok(3)).ok(), Some(3));
        let failed = or_panicked::<()>(|| panic!("a fault")).expect_err("it panicked");
        assert!(failed.to_string().contains("panicked"), "{failed}");
    }
}
