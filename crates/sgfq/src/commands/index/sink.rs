//! The one place where rows come together, in order: numbers of games are put
//! right, segments are closed and opened.

use std::fs;

use anyhow::Context;

use sgfstream_engine::Outcome;
use sgfstream_table::arrow::{PerTable, Table, Tabulated};

use super::format::{Format, TableFile};
use super::plan::{Plan, Planned};
use super::store::{Done, Store};

/// Writes segments.
pub(super) struct Sink<'s> {
    pub(super) store: &'s Store,
    pub(super) plan: &'s Plan,
    pub(super) tables: &'s PerTable<Option<Table>>,
    pub(super) formats: PerTable<Format>,
    pub(super) group_rows: PerTable<usize>,
    pub(super) open: Option<Open>,
    /// Segments that were finished in this run.
    pub(super) finished: u64,
}

/// The segment that is being written.
pub(super) struct Open {
    number: u64,
    done: Done,
    files: PerTable<Option<TableFile>>,
}

impl Sink<'_> {
    /// Takes what a unit came to.
    pub(super) fn take(&mut self, out: &mut Outcome<Tabulated>) -> anyhow::Result<()> {
        if self.open.as_ref().is_none_or(|open| open.number != out.group) {
            self.close()?;
            self.open(out.group)?;
        }
        let open = self.open.as_mut().expect("opened above");
        open.done.problems.extend(out.problems.iter().map(ToString::to_string));
        let Some(rows) = out.output.take() else { return Ok(()) };
        for (kind, batch) in rows.into_batches(&out.before) {
            if let Some(file) = &mut open.files[kind] {
                file.write(&batch).with_context(|| self.store.temporary(kind.as_str()).display().to_string())?;
            }
        }
        Ok(())
    }

    fn open(&mut self, number: u64) -> anyhow::Result<()> {
        let (key, sources) = match &self.plan.lock()[number as usize] {
            Planned::Read { key, sources } => (key.clone(), sources.clone()),
            Planned::Finished(_) | Planned::Old(_) => unreachable!("only what is to be read has results"),
        };
        let mut files = PerTable::default();
        for (kind, table) in self.tables.iter() {
            if let Some(table) = table {
                let path = self.store.temporary(kind.as_str());
                files[kind] = Some(TableFile::create(&path, self.formats[kind], table, self.group_rows[kind])?);
            }
        }
        self.open = Some(Open { number, done: Done { key, sources, was_read_now: true, ..Done::default() }, files });
        Ok(())
    }

    /// Closes the open segment; it is finished then.
    pub(super) fn close(&mut self) -> anyhow::Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        for (kind, file) in std::mem::take(&mut open.files) {
            if let Some(file) = file {
                let temporary = self.store.temporary(kind.as_str());
                let shown = || temporary.display().to_string();
                open.done.groups[kind] = file.finish().with_context(shown)?;
                let path = self.store.path(&open.done.key, kind, self.formats[kind]);
                fs::rename(&temporary, path).with_context(shown)?;
            }
        }
        self.store.finish(&open.done)?;
        self.finished += 1;
        self.plan.lock()[open.number as usize] = Planned::Finished(open.done);
        Ok(())
    }
}
