//! The one place where rows come together, in order: numbers of games are put
//! right, segments are closed and opened.

use std::fs::File;
use std::panic::resume_unwind;
use std::thread::{Scope, ScopedJoinHandle};

use anyhow::Context;

use sgfstream_engine::{Border, Outcome};
use sgfstream_table::arrow::Tabulated;

use crate::io::temporary::Temporary;

use super::format::TableFile;
use super::plan::Plan;
use super::store::{Done, Store};

/// Writes segments.
pub(super) struct Sink<'s, 'e> {
    pub(super) scope: &'s Scope<'s, 'e>,
    pub(super) store: &'e Store,
    pub(super) plan: &'e Plan,
    /// Bytes of a segment inside one input, at least.
    pub(super) inner: u64,
    /// Threads that encode rows.
    pub(super) threads: usize,
    pub(super) open: Option<Open>,
    /// The segment that is brought to the disk while the next one is written.
    pub(super) closing: Option<ScopedJoinHandle<'s, anyhow::Result<()>>>,
    /// Segments that were finished in this run.
    pub(super) finished: u64,
}

/// The segment that is being written.
pub(super) struct Open {
    number: u64,
    done: Done,
    /// One for each table.
    files: Vec<OpenFile>,
    /// Bytes that were read for it.
    bytes: u64,
    /// Where the next segment of the same input can begin.
    border: Option<Border>,
    /// It ends there, if there is more of the input.
    is_full: bool,
}

struct OpenFile {
    temporary: Temporary,
    rows: TableFile<File>,
}

impl Sink<'_, '_> {
    /// Takes what a unit came to.
    pub(super) fn take(&mut self, out: &mut Outcome<Tabulated>) -> anyhow::Result<()> {
        let is_same = self.open.as_ref().is_some_and(|open| open.number == out.group);
        if !is_same || self.open.as_ref().is_some_and(|open| open.is_full) {
            self.close(!is_same)?;
            self.open(out.group)?;
        }
        let open = self.open.as_mut().expect("opened above");
        open.done.problems.extend(out.problems.iter().map(ToString::to_string));
        if let Some(rows) = out.output.take() {
            open.done.cut_texts += rows.cut_texts();
            for (table, batch) in rows.into_batches() {
                open.files[table].rows.write(&batch).with_context(|| self.store.shown())?;
            }
        }
        open.bytes += out.progress.bytes;
        open.border = out.border;
        let is_inner = || self.plan.lock().segments[out.group as usize].is_inner;
        open.is_full = open.border.is_some() && open.bytes >= self.inner && is_inner();
        Ok(())
    }

    fn open(&mut self, number: u64) -> anyhow::Result<()> {
        let done = self.plan.lock().segments[number as usize].next_done();
        let file = |out| {
            let (file, temporary) = self.store.create()?;
            anyhow::Ok(OpenFile { temporary, rows: TableFile::new(file, out, self.threads)? })
        };
        let files = self.store.tables().iter().map(file).collect::<anyhow::Result<_>>();
        let files = files.with_context(|| self.store.shown())?;
        self.open = Some(Open { number, done, files, bytes: 0, border: None, is_full: false });
        Ok(())
    }

    /// Closes the open segment, which is whole then, and finished [some time later](Self::wait). `is_end`: there is no more
    /// of its sources.
    pub(super) fn close(&mut self, is_end: bool) -> anyhow::Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let mut targets = Vec::new();
        for (OpenFile { temporary, rows }, out) in open.files.into_iter().zip(self.store.tables()) {
            let (written, target) = rows.finish().with_context(|| self.store.shown())?;
            open.done.tables.push(written);
            targets.push(target);
            temporary.persist(&self.store.path(&open.done.key, out), true).with_context(|| self.store.shown())?;
        }
        let mut plan = self.plan.lock();
        let segment = &mut plan.segments[open.number as usize];
        open.done.next = if is_end { segment.until } else { open.border };
        let is_at_end = segment.until.is_none() || !is_end || open.border == segment.until;
        anyhow::ensure!(is_at_end, "{}: expected a file that does not change while it is read", segment.name());
        let done = open.done.clone();
        segment.done.push(open.done);
        drop(plan);
        self.wait()?;
        let store = self.store;
        self.closing = Some(self.scope.spawn(move || {
            targets.iter().try_for_each(File::sync_data).with_context(|| store.shown())?;
            store.finish(&done)
        }));
        Ok(())
    }

    /// Waits until the segments that were closed are finished.
    pub(super) fn wait(&mut self) -> anyhow::Result<()> {
        if let Some(closing) = self.closing.take() {
            closing.join().unwrap_or_else(|panic| resume_unwind(panic))?;
            self.finished += 1;
        }
        Ok(())
    }
}
