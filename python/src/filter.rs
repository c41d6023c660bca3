//! `filter`: writes the games that match an expression, byte for byte.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sgfstream_archive::copy_access;
use sgfstream_engine::{Engine, PartSize};
use sgfstream_table::filter::Filter;
use sgfstream_table::games::GameExtractor;
use tempfile::NamedTempFile;

use crate::args::{Args, Errors};
use crate::errors::{self, value_error};
use crate::inputs::{Inputs, path_of};
use crate::problem::Problem;
use crate::warning;

/// The result of `sgfstream.filter`.
#[pyclass(frozen, get_all, module = "sgfstream")]
pub(crate) struct Filtered {
    /// The number of games written to `out`.
    games: u64,
    /// The number of games not written to `out`.
    rejected: u64,
    /// The files and members that could not be read, or not to their end.
    problems: Vec<Problem>,
    /// The number of positions not searched because a search reached a cap; see `sgfq help caps`.
    unsearched: u64,
}

#[pymethods]
impl Filtered {
    fn __repr__(&self) -> String {
        let Self {
            games,
            rejected,
            problems,
            ..
        } = self;
        format!(
            "<sgfstream.Filtered: {games} games, {rejected} rejected, {} problems>",
            problems.len()
        )
    }
}

/// Output for games.
enum Target {
    /// File that gets its name when it is complete.
    Beside(BufWriter<NamedTempFile>, PathBuf),
    /// Device or pipe, which cannot be replaced.
    Direct(BufWriter<File>, PathBuf),
    /// Python file object.
    Object(Py<PyAny>),
}

/// Prefix of unfinished files. The walk through inputs skips files with it.
const PREFIX: &str = ".sgfq-python-";

impl Target {
    fn open(out: &Bound<'_, PyAny>, engine: &Engine, inputs: &Inputs) -> PyResult<Self> {
        let Some(path) = path_of(out)? else {
            if !out.hasattr("write")? {
                return Err(pyo3::exceptions::PyTypeError::new_err(
                    "the output must be a path or a file object opened with \"wb\"",
                ));
            }
            return Ok(Self::Object(out.clone().unbind()));
        };
        let named = |err| named(&path, &err);
        if fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&path).map_err(named)?;
            return Ok(Self::Direct(BufWriter::new(file), path));
        }
        if let Ok(replaced) = fs::canonicalize(&path) {
            refuse_input(&path, &replaced, engine, inputs)?;
        }
        // If the path is a link, its target is replaced and the link stays.
        let path = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        let replaces = path.exists();
        // A replaced file keeps its access; a new file gets the default permissions.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(if replaces {
                0o600
            } else {
                0o666
            }));
        }
        let file = builder
            .prefix(PREFIX)
            .tempfile_in(folder)
            .map_err(|err| self::named(&path, &err))?;
        if replaces {
            let differences =
                copy_access(&path, file.path()).map_err(|err| self::named(&path, &err))?;
            for difference in differences {
                warning::warn_about(out.py(), &format!("{}: {difference}", path.display()))?;
            }
        }
        Ok(Self::Beside(BufWriter::new(file), path))
    }

    fn write(&mut self, bytes: &[u8]) -> PyResult<()> {
        match self {
            _ if bytes.is_empty() => Ok(()),
            Self::Beside(file, path) => file.write_all(bytes).map_err(|err| named(path, &err)),
            Self::Direct(file, path) => file.write_all(bytes).map_err(|err| named(path, &err)),
            Self::Object(object) => Python::attach(|py| {
                let mut left = bytes;
                while !left.is_empty() {
                    // A raw file may write fewer bytes. If `write` returns nothing, it wrote all.
                    let taken = object.call_method1(py, "write", (PyBytes::new(py, left),))?;
                    let taken = taken.extract::<usize>(py).unwrap_or(left.len());
                    left = &left[taken.min(left.len())..];
                }
                Ok(())
            }),
        }
    }

    fn finish(self) -> PyResult<()> {
        match self {
            Self::Beside(file, path) => {
                let write = || -> io::Result<()> {
                    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                    file.as_file().sync_data()?;
                    file.persist(&path)?;
                    Ok(())
                };
                write().map_err(|err| named(&path, &err))
            }
            Self::Direct(mut file, path) => file.flush().map_err(|err| named(&path, &err)),
            Self::Object(_) => Ok(()),
        }
    }
}

fn named(path: &Path, err: &io::Error) -> PyErr {
    io::Error::new(err.kind(), format!("{}: {err}", path.display())).into()
}

/// Returns an error if the file at `path` is an input, because the games that the filter rejects
/// would be lost.
fn refuse_input(path: &Path, replaced: &Path, engine: &Engine, inputs: &Inputs) -> PyResult<()> {
    let is_input = engine.walk(&inputs.to_vec()).flatten().any(|work| {
        work.path()
            .is_some_and(|input| fs::canonicalize(input).is_ok_and(|input| input == replaced))
    });
    if is_input {
        return Err(value_error(format!(
            "{}: output would overwrite an input; choose another file",
            path.display()
        )));
    }
    Ok(())
}

#[pyfunction]
#[pyo3(signature = (inputs, r#where, out, rejects, invert, how))]
pub(crate) fn filter(
    inputs: &Bound<'_, PyAny>,
    r#where: &str,
    out: &Bound<'_, PyAny>,
    rejects: Option<&Bound<'_, PyAny>>,
    invert: bool,
    how: Args,
) -> PyResult<Filtered> {
    let py = inputs.py();
    let filter = Filter::parse(r#where).map_err(value_error)?;
    let job = GameExtractor {
        filter: Some(filter),
        is_inverted: invert,
        has_rejects: rejects.is_some(),
    };
    let engine = how
        .engine()?
        .with_stated_charset(true)
        .with_part_size(PartSize::Bytes(u64::MAX));
    let errors = how.errors()?;
    let inputs = Inputs::take(inputs)?;
    let mut out = Target::open(out, &engine, &inputs)?;
    let mut rejects = rejects
        .map(|rejects| Target::open(rejects, &engine, &inputs))
        .transpose()?;
    let mut done = Filtered {
        games: 0,
        rejected: 0,
        problems: Vec::new(),
        unsearched: 0,
    };
    let done = py.detach(|| {
        let mut failed = None;
        let result = engine
            .with_own_monitor()
            .run(&inputs.to_vec(), &job, |outcome| {
                let mut take = || -> PyResult<()> {
                    Python::attach(|py| py.check_signals())?;
                    if let Some(problem) =
                        outcome.problems.first().filter(|_| errors == Errors::Raise)
                    {
                        return Err(errors::of_problem(problem));
                    }
                    done.problems
                        .extend(outcome.problems.iter().map(Problem::from));
                    done.unsearched += outcome.progress.unsearched;
                    let chosen = &outcome.output;
                    done.games += chosen.counts[0];
                    done.rejected += chosen.counts[1];
                    out.write(&chosen.games)?;
                    rejects
                        .as_mut()
                        .map_or(Ok(()), |rejects| rejects.write(&chosen.rejects))
                };
                take().map_err(|err| {
                    failed = Some(err);
                    anyhow::anyhow!("the reading was stopped")
                })
            });
        if let Some(err) = failed {
            return Err(err);
        }
        result.map_err(|err| errors::of_run(&err))?;
        out.finish()?;
        rejects.map_or(Ok(()), Target::finish)?;
        Ok(done)
    })?;
    if errors == Errors::Warn {
        warning::warn(py, &done.problems)?;
    }
    Ok(done)
}
