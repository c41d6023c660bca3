//! A table as a stream of record batches.

use std::fmt;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use sgfstream_archive::{ArchiveProblem, Input};
use sgfstream_engine::{Engine, Monitor};

use crate::filter::{Filter, FilterError, Selection};
use crate::row::Column;

use super::table::TableKind;
use super::tabulation::Tabulation;

/// Reads inputs on all cores and gives the rows of a table in record batches,
/// in the order of the inputs.
///
/// ```
/// use sgfstream_archive::Input;
/// use sgfstream_table::arrow::Scan;
///
/// let scan = Scan::games("pb, moves, prop('KM')", None)?;
/// assert_eq!(scan.schema().field(3).name(), "prop('KM')");
/// let mut games = 0;
/// for batch in scan.read(vec![Input::parse("../../corpus/go-ff4.sgf")]) {
///     let batch = batch?;
///     games += batch.rows.num_rows();
///     assert!(batch.problems.is_empty());
/// }
/// assert!(games > 0);
/// # Ok::<(), anyhow::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scan {
    tabulation: Tabulation,
    kind: TableKind,
    engine: Engine,
    batch_rows: usize,
}

/// Rows of a table, and what could not be read before them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch {
    /// The rows; none if there are only problems.
    pub rows: RecordBatch,
    /// Inputs that could not be read, or not to their end.
    pub problems: Vec<ArchiveProblem>,
}

impl Scan {
    /// Rows of games, with these columns after the key (see [`Selection`]; the empty text means all), of the
    /// games for which `condition` is true (see [`Filter`]).
    ///
    /// # Errors
    ///
    /// A column or condition that cannot be understood.
    pub fn games(columns: &str, condition: Option<&str>) -> Result<Self, FilterError> {
        let filter = condition.map(Filter::parse).transpose()?;
        let selection = match columns.trim() {
            "" => Selection::of(Column::all(), filter.as_ref()),
            columns => Selection::parse(columns, filter.as_ref())?,
        };
        Ok(Self::new(TableKind::Games, selection, filter))
    }

    /// Rows of moves of main lines, of the games for which `condition` is true.
    ///
    /// # Errors
    ///
    /// A condition that cannot be understood.
    pub fn moves(condition: Option<&str>) -> Result<Self, FilterError> {
        Self::of_parts(TableKind::Moves, condition)
    }

    /// Rows of comments, likewise.
    ///
    /// # Errors
    ///
    /// A condition that cannot be understood.
    pub fn comments(condition: Option<&str>) -> Result<Self, FilterError> {
        Self::of_parts(TableKind::Comments, condition)
    }

    fn of_parts(kind: TableKind, condition: Option<&str>) -> Result<Self, FilterError> {
        let filter = condition.map(Filter::parse).transpose()?;
        Ok(Self::new(kind, Selection::of(&[], filter.as_ref()), filter))
    }

    fn new(kind: TableKind, selection: Selection, filter: Option<Filter>) -> Self {
        let tabulation = Tabulation::new(selection, filter, &[kind]);
        Self { tabulation, kind, engine: Engine::new(), batch_rows: usize::MAX }
    }

    /// Gives at most this many rows in a batch. Without it, a batch has about
    /// 1 MiB.
    #[must_use]
    pub fn with_batch_rows(self, rows: usize) -> Self {
        Self { batch_rows: rows.max(1), ..self }
    }

    /// Reads with this engine: its threads, its options, its archives.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// The schema of the batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        self.tabulation.tables()[self.kind].as_ref().expect("made with this table").schema()
    }

    /// Begins to read, on threads of its own.
    #[must_use]
    pub fn read(&self, inputs: Vec<Input>) -> Scanning {
        let mut scan = self.clone();
        scan.engine = scan.engine.with_own_monitor();
        if scan.tabulation.needs_whole_entries() {
            scan.engine = scan.engine.uncut(true);
        }
        let (sender, batches) = sync_channel(2);
        let monitor = scan.engine.monitor();
        let reader = thread::spawn(move || scan.send(&inputs, &sender));
        Scanning { batches: Some(batches), reader: Some(reader), monitor }
    }

    fn send(&self, inputs: &[Input], sender: &SyncSender<anyhow::Result<Batch>>) {
        let monitor = self.engine.monitor();
        let result = self.engine.run(inputs, &self.tabulation, |outcome| {
            let mut problems = outcome.problems;
            let batches = outcome.output.into_iter().flat_map(|rows| rows.into_batches(&outcome.before));
            let mut batches: Vec<_> = batches.map(|(_, batch)| batch).collect();
            if batches.is_empty() && !problems.is_empty() {
                batches.push(RecordBatch::new_empty(SchemaRef::clone(self.schema())));
            }
            for batch in batches {
                let mut at = 0;
                while at < batch.num_rows().max(1) {
                    let rows = batch.slice(at, self.batch_rows.min(batch.num_rows() - at));
                    at += rows.num_rows().max(1);
                    if sender.send(Ok(Batch { rows, problems: std::mem::take(&mut problems) })).is_err() {
                        monitor.cancel();
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        if let Err(err) = result {
            _ = sender.send(Err(err));
        }
    }
}

/// The batches of a [`Scan`]. Dropped before its end, it stops the reading.
pub struct Scanning {
    batches: Option<Receiver<anyhow::Result<Batch>>>,
    reader: Option<JoinHandle<()>>,
    monitor: Monitor,
}

impl Scanning {
    /// How far the reading is.
    #[must_use]
    pub fn monitor(&self) -> &Monitor {
        &self.monitor
    }
}

impl Iterator for Scanning {
    type Item = anyhow::Result<Batch>;

    fn next(&mut self) -> Option<anyhow::Result<Batch>> {
        if let Some(Ok(batch)) = self.batches.as_ref().map(Receiver::recv) {
            return Some(batch);
        }
        // A thread that panicked has told so on stderr; its batches are not complete.
        let reader = self.reader.take()?;
        reader.join().is_err().then(|| Err(anyhow::anyhow!("expected all batches, found that reading panicked")))
    }
}

impl Drop for Scanning {
    fn drop(&mut self) {
        self.monitor.cancel();
        drop(self.batches.take());
        if let Some(reader) = self.reader.take() {
            _ = reader.join();
        }
    }
}

impl fmt::Debug for Scanning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scanning").finish_non_exhaustive()
    }
}
