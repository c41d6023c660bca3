//! Iterator over events.

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};
use sgfstream::{Event, EventReader, Ident, OwnedEvent};
use sgfstream_engine::{Out, Part, PartEnd, PartSize, each_part};

use crate::args::Args;
use crate::feed::{Feed, push};
use crate::problem::Problem;

/// Iterator over the events of inputs. To make one, call `sgfstream.events`.
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct Events(Feed<Item>);

enum Item {
    /// Start of a file or member.
    File(String),
    Event(OwnedEvent),
}

fn read(part: Part<'_>, out: &mut Out<'_, Vec<Item>>) -> anyhow::Result<PartEnd> {
    if part.is_start() && !push(out, Item::File(part.name().to_string())) {
        return Ok(PartEnd::default());
    }
    let mut reader = part.reader();
    while let Some(event) = reader.next_event()? {
        if !push(out, Item::Event(event.into_owned())) {
            break;
        }
    }
    Ok(reader.finish()?)
}

#[pymethods]
impl Events {
    #[new]
    fn new(inputs: &Bound<'_, PyAny>, how: Args) -> PyResult<Self> {
        let job = each_part(|| (), |_| None, |(), part, out| read(part, out));
        Feed::start(inputs, &how, PartSize::default(), job).map(Self)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(item) = self.0.next(py)? else {
            return Ok(None);
        };
        let none = || py.None().into_bound(py);
        let name = |ident: Ident<'_>| {
            PyString::new(py, &String::from_utf8_lossy(&ident.canonical())).into_any()
        };
        let (kind, ident, values) = match &item {
            Item::File(name) => ("file", PyString::new(py, name).into_any(), none()),
            Item::Event(event) => match event.as_event() {
                Event::VariationStart { .. } => ("(", none(), none()),
                Event::NodeStart { .. } => (";", none(), none()),
                Event::VariationEnd { .. } => (")", none(), none()),
                Event::Property(property) => {
                    let values: Vec<_> = property
                        .values()
                        .map(|value| PyBytes::new(py, value.as_bytes()))
                        .collect();
                    (
                        "property",
                        name(property.ident()),
                        PyList::new(py, values)?.into_any(),
                    )
                }
                Event::PropertyPart(part) => {
                    let content = PyBytes::new(py, part.content().as_bytes());
                    (
                        "part",
                        name(part.ident()),
                        PyList::new(py, [content])?.into_any(),
                    )
                }
                Event::Problem(problem) => (
                    "problem",
                    PyString::new(py, problem.code.as_str()).into_any(),
                    none(),
                ),
                _ => ("other", none(), none()),
            },
        };
        (kind, ident, values).into_pyobject(py).map(Some)
    }

    /// The files and members that could not be read so far.
    #[getter]
    fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        self.0.problems(py)
    }
}
