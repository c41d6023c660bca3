//! How to read, as Python says it.

use pyo3::prelude::*;
use sgfstream::{Charset, Detection, FramingPolicy, Options};
use sgfstream_archive::ReadOptions;
use sgfstream_engine::Engine;
use sgfstream_open::{any_charset, likely_charset};

use crate::errors::value_error;

/// Threads, charset, framing, errors: the arguments that all readers have.
#[derive(Clone, FromPyObject, IntoPyObject)]
pub(crate) struct How(usize, Option<String>, String, String);

/// Treatment of inputs that cannot be read. The list of problems has them in any case.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Errors {
    /// A warning at the end of the reading.
    Warn,
    /// The first ends the reading.
    Raise,
    Ignore,
}

impl How {
    /// An engine that reads so.
    pub(crate) fn engine(&self) -> PyResult<Engine> {
        let Self(threads, charset, framing, _) = self;
        let (charset, detection): (_, Option<Detection>) = match charset.as_deref() {
            None => (None, Some(likely_charset)),
            Some("auto") => (None, None),
            Some("detect") => (None, Some(any_charset)),
            Some(name) => {
                let forced = Charset::forced(name.as_bytes()).ok_or_else(|| {
                    value_error(format!(
                        "charset: expected \"auto\", \"detect\" or the name of a charset, such as UTF-8 or GBK, found {name:?}"
                    ))
                })?;
                (Some(forced), None)
            }
        };
        let framing = match framing.as_str() {
            "auto" => FramingPolicy::Auto,
            "value" => FramingPolicy::Value,
            "whole" => FramingPolicy::Whole,
            other => {
                return Err(value_error(format!(
                    "framing: expected \"auto\", \"value\" or \"whole\", found {other:?}"
                )));
            }
        };
        let options = Options::default().with_charset(charset).with_detection(detection).with_framing(framing);
        let mut archives = ReadOptions::default();
        // Unfinished outputs, of `sgfq` and of this package.
        archives.ignored = ".sgfq-";
        Ok(Engine::new().with_threads(*threads).with_options(options).with_archives(archives))
    }

    /// Treatment of problems.
    pub(crate) fn errors(&self) -> PyResult<Errors> {
        match self.3.as_str() {
            "warn" => Ok(Errors::Warn),
            "raise" => Ok(Errors::Raise),
            "ignore" => Ok(Errors::Ignore),
            other => Err(value_error(format!("errors: expected \"warn\", \"raise\" or \"ignore\", found {other:?}"))),
        }
    }
}
