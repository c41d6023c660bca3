//! Inputs from Python: texts that name inputs, paths, bytes, file objects.
//!
//! Bytes and file objects are copied to temporary files, which the threads of a run open like any
//! other file. So the threads never need Python's lock, and a stream can be read more than once.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString, PyTuple};
use sgfstream_archive::{ArchiveErrorKind, EntryName, Input, Walk};
use tempfile::{NamedTempFile, TempPath};

use crate::errors;

/// Bytes read at once from a file object.
const CHUNK: usize = 1 << 20;

/// Inputs of a scan.
#[derive(Clone)]
pub(crate) struct Inputs(Vec<Source>);

#[derive(Clone)]
enum Source {
    /// Text with the meaning of a command-line argument: file, directory, member, pattern or list.
    Text(OsString),
    /// Path whose characters have no special meaning.
    Path(OsString),
    /// Temporary copy of bytes.
    Copy { file: Arc<TempPath>, name: String },
}

impl Source {
    fn input(&self) -> Input {
        match self {
            Self::Text(text) => Input::parse_os(text),
            Self::Path(path) => Input::path(path),
            Self::Copy { file, name } => Input::Copy {
                path: file.to_path_buf(),
                name: EntryName::file(name),
            },
        }
    }

    /// Returns the text of a named input.
    fn text(&self) -> &str {
        match self {
            Self::Text(text) => text.to_str().unwrap_or_default(),
            _ => "",
        }
    }
}

impl Inputs {
    /// Creates inputs from one input or an iterable of inputs.
    ///
    /// # Errors
    ///
    /// Raises `FileNotFoundError` if no input exists, and `TypeError` if an object names no input.
    pub(crate) fn take(inputs: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut sources = Self(Vec::new());
        if !sources.take_one(inputs)? {
            let all = inputs.try_iter().map_err(|_| not_an_input(inputs))?;
            for input in all {
                let input = input?;
                if !sources.take_one(&input)? {
                    return Err(not_an_input(&input));
                }
            }
        }
        inputs.py().detach(|| sources.resolve())?;
        Ok(sources)
    }

    /// Returns the first input and the number of others, or `None` without inputs.
    pub(crate) fn shown(&self) -> Option<String> {
        let first = match self.0.first()? {
            Source::Text(name) | Source::Path(name) => name.to_string_lossy(),
            Source::Copy { name, .. } => name.into(),
        };
        Some(match self.0.len() - 1 {
            0 => first.into_owned(),
            more => format!("{first} and {more} more"),
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn to_vec(&self) -> Vec<Input> {
        self.0.iter().map(Source::input).collect()
    }

    /// Adds a single input. Returns false if the object is no single input, for example if it is an
    /// iterable.
    fn take_one(&mut self, input: &Bound<'_, PyAny>) -> PyResult<bool> {
        let source = if input.is_instance_of::<PyString>() {
            Source::Text(input.extract()?)
        } else if let Some(path) = path_of(input)? {
            Source::Path(path.into_os_string())
        } else if let Some(copy) = Self::unpickle(input)? {
            copy
        } else if is_bytes(input) {
            let bytes = input
                .py()
                .get_type::<PyBytes>()
                .call1((input,))?
                .cast_into::<PyBytes>()?;
            self.copy("<bytes>", |file| Ok(file.write_all(bytes.as_bytes())?))?
        } else if input.hasattr("read")? {
            let name = file_name(input)?;
            self.copy(&name, |file| copy_file(input, file))?
        } else {
            return Ok(false);
        };
        self.0.push(source);
        Ok(true)
    }

    fn copy(
        &self,
        name: &str,
        write: impl FnOnce(&mut NamedTempFile) -> PyResult<()>,
    ) -> PyResult<Source> {
        let mut file = NamedTempFile::with_prefix("sgfstream-")?;
        write(&mut file)?;
        file.flush()?;
        // Games of two inputs with the same name would have the same keys, so the name gets a
        // number.
        let is_name = |other: &str| {
            other == name
                || other
                    .strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with(" ("))
        };
        let others = self
            .0
            .iter()
            .filter(|source| matches!(source, Source::Copy { name, .. } if is_name(name)))
            .count();
        let name = if others == 0 {
            name.to_owned()
        } else {
            format!("{name} ({})", others + 1)
        };
        Ok(Source::Copy {
            file: Arc::new(file.into_temp_path()),
            name,
        })
    }

    /// Resolves the inputs. Only files that the caller names are opened. A text that is an existing
    /// path becomes that path. If some of several inputs are missing, the reader reports them.
    fn resolve(&mut self) -> PyResult<()> {
        let mut missing = None;
        let mut found = 0;
        for source in &mut self.0 {
            if let Source::Text(path) | Source::Path(path) = source
                && *path != "-"
                && Path::new(path).exists()
            {
                *source = Source::Path(std::mem::take(path));
                found += 1;
                continue;
            }
            match Walk::new(vec![source.input()]).next() {
                Some(Err(problem)) if problem.kind == ArchiveErrorKind::NotFound => {
                    missing.get_or_insert_with(|| errors::of_missing(&problem, source.text()));
                }
                _ => found += 1,
            }
        }
        missing.filter(|_| found == 0).map_or(Ok(()), Err)
    }

    /// Returns the inputs in a form that [`take`](Self::take) accepts in another process.
    pub(crate) fn pickled<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let pickled = |source: &Source| match source {
            Source::Text(text) => Ok(text.into_pyobject(py)?.into_any()),
            Source::Path(path) => py.import("pathlib")?.call_method1("Path", (path,)),
            Source::Copy { file, name } => {
                Ok(("copy", name, PyBytes::new(py, &fs::read(&**file)?))
                    .into_pyobject(py)?
                    .into_any())
            }
        };
        self.0.iter().map(pickled).collect()
    }

    fn unpickle(input: &Bound<'_, PyAny>) -> PyResult<Option<Source>> {
        let Ok(tuple) = input.cast::<PyTuple>() else {
            return Ok(None);
        };
        let Ok((kind, name, bytes)) = tuple.extract::<(String, String, Bound<'_, PyBytes>)>()
        else {
            return Ok(None);
        };
        if kind != "copy" {
            return Ok(None);
        }
        Self(Vec::new())
            .copy(&name, |file| Ok(file.write_all(bytes.as_bytes())?))
            .map(Some)
    }
}

/// Returns the path of a text or a path object, or `None` for other objects.
pub(crate) fn path_of(path: &Bound<'_, PyAny>) -> PyResult<Option<PathBuf>> {
    if !path.is_instance_of::<PyString>() && !path.hasattr("__fspath__")? {
        return Ok(None);
    }
    path.py()
        .import("os")?
        .call_method1("fsdecode", (path,))?
        .extract()
        .map(Some)
}

pub(crate) fn is_bytes(input: &Bound<'_, PyAny>) -> bool {
    input.is_instance_of::<PyBytes>()
        || input.is_instance_of::<PyByteArray>()
        || input.is_instance_of::<PyMemoryView>()
}

fn not_an_input(input: &Bound<'_, PyAny>) -> PyErr {
    let found = input
        .get_type()
        .name()
        .map_or_else(|_| "another object".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!(
        "expected a path, bytes, a file object or an iterable of them, found {found}"
    ))
}

/// Returns the name that a file object has in one of its attributes.
fn file_name(file: &Bound<'_, PyAny>) -> PyResult<String> {
    for attribute in ["full_name", "path", "name"] {
        if let Some(name) = file.getattr_opt(attribute)?
            && let Ok(name) = name.extract::<String>()
        {
            return Ok(name);
        }
    }
    Ok("<file>".to_owned())
}

fn copy_file(from: &Bound<'_, PyAny>, to: &mut NamedTempFile) -> PyResult<()> {
    loop {
        let chunk = from.call_method1("read", (CHUNK,))?;
        let chunk = chunk.cast::<PyBytes>().map_err(|_| {
            let found = chunk
                .get_type()
                .name()
                .map_or_else(|_| "another object".to_owned(), |name| name.to_string());
            let hint = if found == "str" {
                "; open it with \"rb\""
            } else {
                ""
            };
            PyTypeError::new_err(format!(
                "expected a file object that returns bytes, but `read` returned {found}{hint}"
            ))
        })?;
        if chunk.as_bytes().is_empty() {
            return Ok(());
        }
        to.write_all(chunk.as_bytes())?;
    }
}
