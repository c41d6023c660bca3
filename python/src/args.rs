//! Reading options from Python.

use pyo3::prelude::*;
use sgfstream_archive::ReadOptions;
use sgfstream_engine::Engine;
use sgfstream_open::options_by_name;

use crate::errors::value_error;

/// Arguments of all readers: threads, charset, framing, errors.
#[derive(Clone, FromPyObject, IntoPyObject)]
pub(crate) struct Args(usize, Option<String>, String, String);

/// Handling of unreadable inputs. They are in the list of problems in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// Warns at the end of the run.
    Warn,
    /// Raises an exception at the first problem, which ends the run.
    Raise,
    Ignore,
}

impl Args {
    /// Returns an engine with these options.
    pub(crate) fn engine(&self) -> PyResult<Engine> {
        let Self(threads, charset, framing, _) = self;
        let options = options_by_name(charset.as_deref(), framing).map_err(value_error)?;
        let mut archives = ReadOptions::default();
        // Prefix of unfinished outputs of `sgfq` and of this package.
        archives.ignored = ".sgfq-";
        Ok(Engine::new()
            .with_threads(*threads)
            .with_options(options)
            .with_archives(archives))
    }

    /// Returns the handling of problems.
    pub(crate) fn errors(&self) -> PyResult<Errors> {
        match self.3.as_str() {
            "warn" => Ok(Errors::Warn),
            "raise" => Ok(Errors::Raise),
            "ignore" => Ok(Errors::Ignore),
            other => Err(value_error(format!(
                "errors: expected \"warn\", \"raise\" or \"ignore\", found {other:?}"
            ))),
        }
    }
}
