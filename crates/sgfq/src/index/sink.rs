//! The one place where rows come together, in order: numbers of games are put
//! right, segments are closed and opened.

use std::fs;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, Int64Array, RecordBatch};

use sgfstream_engine::{Before, Outcome};

use super::format::{Format, TableFile};
use super::job::Acc;
use super::plan::{Plan, Planned};
use super::store::{Done, Store};
use super::table::{Kind, Table};

/// Writes segments.
pub(super) struct Sink<'s> {
    pub(super) store: &'s Store,
    pub(super) plan: &'s Plan,
    pub(super) tables: &'s [Option<Table>; 3],
    pub(super) formats: [Format; 3],
    pub(super) group_rows: [usize; 3],
    pub(super) open: Option<Open>,
    /// Segments that were finished in this run.
    pub(super) finished: u64,
}

/// The segment that is being written.
pub(super) struct Open {
    number: u64,
    done: Done,
    files: [Option<TableFile>; 3],
}

impl Sink<'_> {
    /// Takes what a unit came to.
    pub(super) fn take(&mut self, out: &mut Outcome<Acc>) -> anyhow::Result<()> {
        if self.open.as_ref().is_none_or(|open| open.number != out.group) {
            self.close()?;
            self.open(out.group)?;
        }
        let open = self.open.as_mut().expect("opened above");
        open.done.problems.extend(out.problems.iter().map(ToString::to_string));
        let Some(acc) = &mut out.output else { return Ok(()) };
        if let Some((table, batch)) = acc.waited.take()
            && let Some(file) = &mut open.files[table]
        {
            file.write(&batch)?;
        }
        let mut batches = acc.batches();
        if let (Some(games), Some(table)) = (&mut batches[0], &self.tables[0]) {
            correct(games, table, &out.before, acc.has_first_game);
        }
        for (file, batch) in open.files.iter_mut().zip(batches) {
            if let (Some(file), Some(batch)) = (file, batch) {
                file.write(&batch)?;
            }
        }
        Ok(())
    }

    fn open(&mut self, number: u64) -> anyhow::Result<()> {
        let (key, sources) = match &self.plan.lock()[number as usize] {
            Planned::Read { key, sources } => (key.clone(), sources.clone()),
            Planned::Finished(_) | Planned::Old(_) => unreachable!("only what is to be read has results"),
        };
        let mut files = [None, None, None];
        for kind in Kind::ALL {
            let at = kind as usize;
            if let Some(table) = &self.tables[at] {
                let path = self.store.temporary(kind.as_str());
                files[at] = Some(TableFile::create(&path, self.formats[at], table, self.group_rows[at])?);
            }
        }
        self.open = Some(Open { number, done: Done { key, sources, was_read_now: true, ..Done::default() }, files });
        Ok(())
    }

    /// Closes the open segment; it is finished then.
    pub(super) fn close(&mut self) -> anyhow::Result<()> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        for kind in Kind::ALL {
            let at = kind as usize;
            if let Some(file) = open.files[at].take() {
                open.done.groups[at] = file.finish()?;
                fs::rename(
                    self.store.temporary(kind.as_str()),
                    self.store.path(&open.done.key, kind, self.formats[at]),
                )?;
            }
        }
        self.store.finish(&open.done)?;
        self.finished += 1;
        self.plan.lock()[open.number as usize] = Planned::Finished(open.done);
        Ok(())
    }
}

/// Adds to the numbers of games what their worker could not know: what came before their part.
fn correct(games: &mut RecordBatch, table: &Table, before: &Before, has_first_game: bool) {
    let rows = games.num_rows();
    let first = usize::from(has_first_game);
    for (name, rows, more) in
        [("game", rows, before.games), ("errors", first, before.errors), ("warnings", first, before.warnings)]
    {
        if more > 0 {
            add(games, table.position(name), rows, more as i64);
        }
    }
}

/// Adds `more` to the first `rows` numbers of a column.
fn add(batch: &mut RecordBatch, column: Option<usize>, rows: usize, more: i64) {
    let Some(column) = column else { return };
    let old = batch.column(column).as_primitive::<Int64Type>();
    let new = old.iter().enumerate().map(|(at, value)| value.map(|value| value + if at < rows { more } else { 0 }));
    let new: Int64Array = new.collect();
    let mut columns = batch.columns().to_vec();
    columns[column] = Arc::new(new) as ArrayRef;
    *batch = RecordBatch::try_new(batch.schema(), columns).expect("one column for another of its type and length");
}
