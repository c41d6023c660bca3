//! Reads a table as a stream of record batches.

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;

use sgfstream_archive::{ArchiveProblem, Input};
use sgfstream_engine::{BackgroundRun, Engine, PartResult, Split};

use crate::filter::{Filter, FilterError, Selection};
use crate::row::Column;

use super::columns::{AnyRows, TableRows};
use super::table::{ProblemColumns, ProblemRow, TableKind, problem_schema};
use super::tabulation::{PartRows, Tabulation};

/// Reads inputs on all cores, and returns the rows of a table in record batches, in the order of
/// the inputs.
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
    schema: SchemaRef,
    /// Whether the rows are not about games, but about problems of reading them.
    is_of_problems: bool,
    engine: Engine,
    batch_rows: usize,
}

/// Rows of a table, and the problems met before them.
#[derive(Debug)]
#[non_exhaustive]
pub struct Batch {
    /// The rows; empty if there are only problems.
    pub rows: RecordBatch,
    /// Inputs that could not be read, or not completely.
    pub problems: Vec<ArchiveProblem>,
}

impl Scan {
    /// Scans games. The rows have these columns after the key (see [`Selection`]; an empty text
    /// selects [`Column::without_boards`]). Only games for which `condition` is true have rows (see
    /// [`Filter`]).
    ///
    /// # Errors
    ///
    /// Returns an error if a column or the condition is invalid.
    pub fn games(columns: &str, condition: Option<&str>) -> Result<Self, FilterError> {
        let filter = condition.map(Filter::parse).transpose()?;
        let selection = match columns.trim() {
            "" => Selection::of(Column::without_boards(), filter.as_ref()),
            columns => Selection::parse(columns, filter.as_ref())?,
        };
        Ok(Self::new(TableKind::Games, selection, filter))
    }

    /// Scans the rows of a table, in games for which `condition` is true. The table of games has
    /// only the key; see [`games`](Self::games).
    ///
    /// # Errors
    ///
    /// Returns an error if the condition is invalid.
    pub fn of(kind: TableKind, condition: Option<&str>) -> Result<Self, FilterError> {
        let filter = condition.map(Filter::parse).transpose()?;
        Ok(Self::new(kind, Selection::of(&[], filter.as_ref()), filter))
    }

    /// Scans for files and members that cannot be read, or not completely.
    ///
    /// ```
    /// use sgfstream_archive::Input;
    /// use sgfstream_table::arrow::Scan;
    ///
    /// let batches: Vec<_> = Scan::problems().read(vec![Input::parse("no/such.sgf")]).collect();
    /// assert_eq!(batches[0].as_ref().expect("no failure").rows.num_rows(), 1);
    /// ```
    #[must_use]
    pub fn problems() -> Self {
        Self {
            tabulation: Tabulation::new(Selection::of(&[], None), None, &[]),
            schema: problem_schema(),
            is_of_problems: true,
            engine: Engine::new(),
            batch_rows: usize::MAX,
        }
    }

    fn new(kind: TableKind, selection: Selection, filter: Option<Filter>) -> Self {
        let tabulation = Tabulation::new(selection, filter, &[kind]);
        Self {
            schema: SchemaRef::clone(&tabulation.tables()[0].1),
            tabulation,
            is_of_problems: false,
            engine: Engine::new(),
            batch_rows: usize::MAX,
        }
    }

    /// Returns this scan with a maximum number of rows in a batch. By default a batch has about 1
    /// MiB.
    #[must_use]
    pub fn with_batch_rows(self, rows: usize) -> Self {
        Self {
            batch_rows: rows.max(1),
            ..self
        }
    }

    /// Returns this scan with another engine: its threads, its options, its archives.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// Returns the schema of the batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Starts to read the inputs on new threads.
    #[must_use]
    pub fn read(&self, inputs: Vec<Input>) -> ScanBatches {
        self.read_any(ScanSource::Inputs(inputs))
    }

    /// Starts to read a split. The splits of a plan, one after another, have the rows of its
    /// inputs. The engine of this scan must have the options of the engine that made the plan (see
    /// [`Engine::plan`]).
    ///
    /// ```
    /// use sgfstream_archive::Input;
    /// use sgfstream_engine::Engine;
    /// use sgfstream_table::arrow::Scan;
    ///
    /// let plan = Engine::new().plan(&[Input::path("../../corpus/packed")], 64 << 20)?;
    /// let scan = Scan::games("source, member, game", None)?;
    /// let batches = plan.splits.iter().flat_map(|split| scan.read_split(split));
    /// assert!(
    ///     batches.map(|batch| batch.map_or(0, |batch| batch.rows.num_rows())).sum::<usize>() > 0
    /// );
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    #[must_use]
    pub fn read_split(&self, split: &Split) -> ScanBatches {
        self.read_any(ScanSource::Split(split.clone()))
    }

    fn read_any(&self, wanted: ScanSource) -> ScanBatches {
        let scan = self.clone();
        BackgroundRun::start(&self.engine, move |engine, send| {
            scan.run(&wanted, engine, send)
        })
    }

    fn run(
        &self,
        wanted: &ScanSource,
        engine: &Engine,
        send: &dyn Fn(Batch) -> bool,
    ) -> anyhow::Result<()> {
        let take = |outcome: &mut PartResult<PartRows>| {
            let mut problems = std::mem::take(&mut outcome.problems);
            let before = outcome.before;
            let rows = std::mem::take(&mut outcome.output);
            let batches = rows.into_batches(before);
            let mut batches: Vec<_> = batches.map(|(_, batch)| batch).collect();
            if !problems.is_empty() && self.is_of_problems {
                batches.push(rows_of(&self.schema, &problems));
            } else if !problems.is_empty() && batches.is_empty() {
                batches.push(RecordBatch::new_empty(SchemaRef::clone(&self.schema)));
            }
            for batch in batches {
                let mut at = 0;
                while at < batch.num_rows().max(1) {
                    let rows = batch.slice(at, self.batch_rows.min(batch.num_rows() - at));
                    at += rows.num_rows().max(1);
                    let problems = std::mem::take(&mut problems);
                    if !send(Batch { rows, problems }) {
                        return Ok(());
                    }
                }
            }
            Ok(())
        };
        match wanted {
            ScanSource::Inputs(inputs) => engine.run(inputs, &self.tabulation, take),
            ScanSource::Split(split) => engine.run_split(split, &self.tabulation, take),
        }
    }
}

/// Source of a scan.
enum ScanSource {
    Inputs(Vec<Input>),
    Split(Split),
}

/// Returns problems as rows.
fn rows_of(schema: &SchemaRef, problems: &[ArchiveProblem]) -> RecordBatch {
    let mut rows = TableRows::new(ProblemColumns::default(), schema);
    for ArchiveProblem { at, kind, message } in problems {
        rows.push(ProblemRow {
            source: Some(&at.source()),
            member: at.member_text().as_deref(),
            code: Some(kind.as_str()),
            message: Some(message),
        });
    }
    rows.finish()
}

/// Iterator over the batches of a [`Scan`]. Dropping it stops the reading.
///
/// ```
/// use sgfstream_archive::Input;
/// use sgfstream_table::arrow::Scan;
/// use std::{task::Poll, time::Duration};
///
/// let mut scanning =
///     Scan::games("pb", None)?.read(vec![Input::parse("../../corpus/go-ff4.sgf")]);
/// let batch = loop {
///     match scanning.poll(Duration::from_millis(10)) {
///         Poll::Ready(batch) => break batch,
///         Poll::Pending => println!("{} games", scanning.monitor().progress().games),
///     }
/// };
/// assert!(batch.is_some_and(|batch| batch.is_ok()));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub type ScanBatches = BackgroundRun<Batch>;
