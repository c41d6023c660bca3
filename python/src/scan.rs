//! `Scan`: rows of a table that are read when a consumer asks for them.

use std::process;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use sgfstream_engine::Split;
use sgfstream_table::arrow::{self, PositionOptions, TableKind};
use sgfstream_table::row::Column;

use crate::args::Args;
use crate::errors::{of_run, value_error};
use crate::inputs::Inputs;
use crate::problem::Problem;
use crate::stream::{Interrupt, PATIENCE, Problems, Stream};

/// Arguments of a scan, for creating it again in another process. In Python they are a dictionary.
#[derive(Clone, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct Settings {
    table: String,
    columns: Option<Vec<String>>,
    condition: Option<String>,
    batch_size: usize,
    how: Args,
    legality: bool,
    positions: Option<Positions>,
    splits: Option<Vec<String>>,
}

/// Arguments of [`Scan::new`].
type Pickled<'py> = (Vec<Bound<'py, PyAny>>, Settings);

/// Size, history, every, sample, seed, liberties, superko, analysis, ownership, share.
type Positions = (u16, u8, u32, f64, u64, bool, bool, bool, bool, (u32, u32));

/// Rows of a table. Each consumer reads the inputs again, in the background and on all cores.
///
/// Every library that accepts Arrow streams accepts a `Scan`: `polars.DataFrame(scan)`,
/// `pyarrow.table(scan)`, `duckdb.sql("FROM scan")`. A `Scan` can be pickled and read in another
/// process. To make one, call `sgfstream.scan`.
// The code that passes a scan to a library is in Python. If Rust called the library, it would
// release Python's lock while [`Python::attach`] still assumes that this thread holds it.
#[pyclass(frozen, subclass, module = "sgfstream._native")]
pub(crate) struct Scan {
    settings: Settings,
    inputs: Inputs,
    /// Split to read instead of the inputs.
    split: Option<Split>,
    scan: arrow::Scan,
    /// Columns to keep, if the table has more.
    projection: Option<Vec<usize>>,
    schema: SchemaRef,
    problems: Problems,
}

impl Scan {
    /// Starts to read the inputs, or the split instead. The stream has the columns of `schema`.
    fn stream(
        &self,
        py: Python<'_>,
        scan: &arrow::Scan,
        schema: &SchemaRef,
        projection: Option<Vec<usize>>,
    ) -> PyResult<Stream> {
        self.problems.lock().clear();
        let scanning = py.detach(|| match &self.split {
            Some(split) => scan.read_split(split),
            None => scan.read(self.inputs.to_vec()),
        });
        Ok(Stream {
            schema: schema.clone(),
            projection,
            scanning: Some(scanning),
            _inputs: self.inputs.clone(),
            problems: self.problems.clone(),
            errors: self.settings.how.errors()?,
            began: thread::current().id(),
            interrupt: Interrupt::of_this_thread(py)?,
            process: process::id(),
        })
    }
}

#[pymethods]
impl Scan {
    #[new]
    fn new(inputs: &Bound<'_, PyAny>, settings: Settings) -> PyResult<Self> {
        let scan = settings.scan()?;
        let inputs = Inputs::take(inputs)?;
        // Several splits are combined by joining their lines.
        let split = settings
            .splits
            .as_ref()
            .map(|splits| splits.join("\n").parse())
            .transpose()
            .map_err(value_error)?;
        if split.is_some() && !inputs.is_empty() {
            return Err(value_error("pass inputs or splits, not both"));
        }
        let (projection, schema) = settings.projection(scan.schema())?;
        Ok(Self {
            scan,
            projection,
            schema,
            settings,
            inputs,
            split,
            problems: Problems::default(),
        })
    }

    /// The schema, for consumers of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref()).map_err(value_error)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Starts to read, and gives a stream of record batches to a consumer of Arrow.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The protocol allows to ignore the requested schema.
        _ = requested_schema;
        let stream = self.stream(py, &self.scan, &self.schema, self.projection.clone())?;
        PyCapsule::new_with_value(
            py,
            FFI_ArrowArrayStream::new(Box::new(stream)),
            c"arrow_array_stream",
        )
    }

    /// The files and members that the latest reading could not read.
    #[getter]
    fn problems(&self) -> Vec<Problem> {
        self.problems.to_vec()
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// The name of the table, such as `games`.
    #[getter]
    fn table(&self) -> &str {
        &self.settings.table
    }

    /// Return the number of rows, reading as little as possible.
    ///
    /// >>> import sgfstream
    /// >>> sgfstream.scan("corpus/go-collection.sgf").count()
    /// 4
    fn count(slf: &Bound<'_, Self>) -> PyResult<u64> {
        let (py, this) = (slf.py(), slf.get());
        let mut settings = this.settings.clone();
        if settings.table == "games" {
            settings.columns = Some(vec!["game".to_owned()]);
        }
        let scan = settings.scan()?;
        let mut stream = this.stream(py, &scan, scan.schema(), None)?;
        let counted =
            py.detach(|| stream.try_fold(0, |rows, batch| Ok(rows + batch?.num_rows() as u64)));
        // Ctrl-C is more than an error of the reader.
        py.check_signals()?;
        counted.map_err(|err: ArrowError| PyOSError::new_err(err.to_string()))
    }

    fn __repr__(&self) -> String {
        let condition = self
            .settings
            .condition
            .as_ref()
            .map(|text| format!(", where {text}"))
            .unwrap_or_default();
        let (table, columns) = (&self.settings.table, self.schema.fields().len());
        let inputs = match (&self.settings.splits, self.inputs.shown()) {
            (Some(splits), _) => format!(" of {} splits", splits.len()),
            (None, Some(inputs)) => format!(" of {inputs}"),
            (None, None) => String::new(),
        };
        format!("<sgfstream.Scan of {table}{inputs}: {columns} columns{condition}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Pickled<'py>)> {
        let Self {
            settings, inputs, ..
        } = slf.get();
        Ok((
            slf.get_type().into_any(),
            (inputs.pickled(slf.py())?, settings.clone()),
        ))
    }
}

impl Settings {
    fn scan(&self) -> PyResult<arrow::Scan> {
        let condition = self.condition.as_deref();
        let columns = self
            .columns
            .as_ref()
            .map(|columns| columns.join(", "))
            .unwrap_or_default();
        let scan = match self.table.as_str() {
            "games" => arrow::Scan::games(&columns, condition),
            "moves" => arrow::Scan::of(TableKind::Moves, condition),
            "comments" => arrow::Scan::of(TableKind::Comments, condition),
            "lines" => {
                let legality = self.legality;
                arrow::Scan::of(TableKind::Lines { legality }, condition)
            }
            "positions" => {
                let options = self.position_options()?;
                arrow::Scan::of(TableKind::Positions(options), condition)
            }
            "problems" => Ok(arrow::Scan::problems()),
            table => return Err(value_error(format!("unknown table `{table}`"))),
        };
        self.how.errors()?;
        let scan = scan.map_err(value_error)?.with_batch_rows(self.batch_size);
        Ok(scan.with_engine(self.how.engine()?))
    }

    /// Returns the columns of `schema` that are selected, the key first, and their schema. The
    /// selection of games is part of their scan.
    fn projection(&self, schema: &SchemaRef) -> PyResult<(Option<Vec<usize>>, SchemaRef)> {
        let Some(columns) = self.columns.as_ref().filter(|_| self.table != "games") else {
            return Ok((None, schema.clone()));
        };
        let mut chosen: Vec<usize> = schema.index_of("key").into_iter().collect();
        for name in columns
            .iter()
            .flat_map(|names| names.split(','))
            .map(str::trim)
        {
            let found = schema.index_of(name).map_err(|_| {
                let names: Vec<_> = schema
                    .fields()
                    .iter()
                    .map(|field| &**field.name())
                    .collect();
                value_error(format!(
                    "unknown column `{name}`; the table has {}",
                    names.join(", ")
                ))
            })?;
            if !chosen.contains(&found) {
                chosen.push(found);
            }
        }
        let schema = schema.project(&chosen).map_err(value_error)?;
        Ok((Some(chosen), schema.into()))
    }

    fn position_options(&self) -> PyResult<PositionOptions> {
        let (size, history, every, sample, seed, liberties, superko, analysis, ownership, share) =
            self.positions
                .unwrap_or((19, 5, 1, 1.0, 0, false, false, false, false, (0, 1)));
        if !(1..=52).contains(&size) || every == 0 || !(0.0..=1.0).contains(&sample) {
            return Err(value_error(
                "size must be 1 to 52, every at least 1, and sample 0 to 1",
            ));
        }
        if share.0 >= share.1 {
            return Err(value_error(format!(
                "share must be (number, count) with the number below the count, not {share:?}"
            )));
        }
        let mut options = PositionOptions::new(size);
        (options.history, options.every, options.sample, options.seed) =
            (history, every, sample, seed);
        (options.liberties, options.superko) = (liberties, superko);
        (options.analysis, options.ownership, options.share) = (analysis, ownership, share);
        Ok(options)
    }
}

/// Divide inputs into splits of about `split_bytes` bytes.
///
/// Return the splits and the inputs that could not be opened.
#[pyfunction]
pub(crate) fn plan(
    inputs: &Bound<'_, PyAny>,
    split_bytes: u64,
    how: Args,
) -> PyResult<(Vec<String>, Vec<Problem>)> {
    let engine = how.engine()?;
    let all = Inputs::take(inputs)?;
    let (sender, mut plans) = channel();
    // After Ctrl-C, the caller does not wait for this thread.
    let planning = move || sender.send(engine.plan(&all.to_vec(), split_bytes));
    thread::Builder::new()
        .name("sgfstream-plan".to_owned())
        .spawn(planning)?;
    let py = inputs.py();
    let plan = loop {
        let waiting: &mut Receiver<_> = &mut plans;
        match py.detach(move || waiting.recv_timeout(PATIENCE)) {
            Ok(plan) => break plan.map_err(|err| of_run(&err))?,
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(value_error("the planning thread panicked"));
            }
        }
    };
    Ok((
        plan.splits.iter().map(ToString::to_string).collect(),
        plan.problems.iter().map(Problem::from).collect(),
    ))
}

/// Return the columns of the table of games: for each name its type and description.
///
/// >>> import sgfstream
/// >>> sgfstream.columns()["komi"]
/// ('float', 'KM: komi, points')
#[pyfunction]
pub(crate) fn columns(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for column in Column::all() {
        let about = format!("{}{}", column.description, column.unit);
        all.set_item(column.name, (column.column_type.as_str(), about))?;
    }
    Ok(all)
}
