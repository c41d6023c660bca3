//! Findings of the checker, and repairs.

use std::io::Read;
use std::ops::ControlFlow;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sgfstream::record::GameReader;
use sgfstream::{Code, Position, Severity};
use sgfstream_adapt::check;
use sgfstream_adapt::check::{CheckOptions, InputChecker};
use sgfstream_adapt::fix::{FindingOutcome, FixFilter, Fixer, GameChunks};
use sgfstream_engine::{Out, Part, PartEnd, PartReader, PartSize, each_part};

use crate::args::Args;
use crate::errors::{self, value_error};
use crate::feed::{Feed, push};
use crate::inputs::Inputs;
use crate::problem::Problem;

/// A problem that `check` or `fix` found in a game.
///
/// `str(finding)` is `file:line:column: severity[code]: message`.
#[pyclass(frozen, get_all, eq, module = "sgfstream")]
#[derive(Clone, PartialEq)]
pub(crate) struct Finding {
    /// The file, `archive!member` for a member.
    source: String,
    /// The line, counted from 1; `None` if it is unknown.
    line: Option<u64>,
    /// The column in bytes, counted from 1; `None` if it is unknown.
    column: Option<u64>,
    /// The offset of the first byte of the finding.
    start: u64,
    /// The offset after the last byte of the finding.
    end: u64,
    /// The number of the game in its file, counted from 1.
    game: u64,
    /// The path of the node: `/3` is the fourth node of the main line.
    path: String,
    /// A stable name; `sgfq explain CODE` explains it.
    code: &'static str,
    /// `error`, `warning` or `note`.
    severity: &'static str,
    /// What is wrong.
    message: String,
    /// The repair; `None` if there is none.
    repair: Option<String>,
    /// The outcome of `fix`: `repaired`, `guessed` or `left`; `None` after `check`.
    outcome: Option<&'static str>,
    /// Whether `fix` did not make the repair because stray text near it may belong to a property.
    blocked: bool,
}

impl Finding {
    fn new(source: &str, finding: &check::Finding, position: Option<Position>) -> Self {
        Self {
            source: source.to_owned(),
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            start: finding.span.start,
            end: finding.span.end,
            game: finding.game,
            path: finding.path.clone(),
            code: finding.code.as_str(),
            severity: finding.severity.as_str(),
            message: finding.message.clone(),
            repair: finding.remedy.as_ref().map(ToString::to_string),
            outcome: None,
            blocked: false,
        }
    }
}

#[pymethods]
impl Finding {
    fn __str__(&self) -> String {
        let Self {
            source,
            line,
            column,
            game,
            path,
            code,
            severity,
            message,
            ..
        } = self;
        match line.zip(*column) {
            Some((line, column)) => {
                format!("{source}:{line}:{column}: {severity}[{code}]: {message}")
            }
            None => format!("{source}: game {game}, {path}: {severity}[{code}]: {message}"),
        }
    }

    fn __repr__(&self) -> String {
        format!("<sgfstream.Finding {}>", self.__str__())
    }
}

fn severity(name: &str) -> PyResult<Severity> {
    let all = [Severity::Note, Severity::Warning, Severity::Error];
    let found = all.into_iter().find(|severity| severity.as_str() == name);
    found.ok_or_else(|| {
        value_error(format!(
            "level: expected \"note\", \"warning\" or \"error\", found {name:?}"
        ))
    })
}

fn codes(names: &[String]) -> PyResult<Vec<Code>> {
    let code = |name: &String| {
        name.parse().map_err(|_| {
            value_error(format!(
                "unknown code {name:?}; a code is such as \"malformed-value\""
            ))
        })
    };
    names.iter().map(code).collect()
}

/// Iterator over findings. To make one, call `sgfstream.check`.
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct Findings(Feed<Finding>);

struct Checking {
    level: Severity,
    allow: Vec<Code>,
    options: CheckOptions,
}

impl Checking {
    /// Reads an entry, which is one part, so every number counts from its start.
    fn read(&self, part: Part<'_>, out: &mut Out<'_, Vec<Finding>>) -> anyhow::Result<PartEnd> {
        let source = part.name().to_string();
        let mut games = GameReader::new(part.reader()).keeping_context();
        let mut checker = InputChecker::new(self.options);
        let long_games = checker.check_games(&mut games, &mut |finding, place| {
            let is_wanted = finding.severity >= self.level && !self.allow.contains(&finding.code);
            !is_wanted || {
                let position = place.position_of(finding.span.start);
                push(out, Finding::new(&source, &finding, Some(position)))
            }
        })?;
        let long_games = long_games.into_iter().map(|long| long.number).collect();
        Ok(games.reader_mut().finish()?.with_long_games(long_games))
    }
}

#[pymethods]
impl Findings {
    #[new]
    fn new(
        inputs: &Bound<'_, PyAny>,
        level: &str,
        allow: Vec<String>,
        legality: bool,
        how: Args,
    ) -> PyResult<Self> {
        let options = CheckOptions::default().with_legality(legality);
        let job = Checking {
            level: severity(level)?,
            allow: codes(&allow)?,
            options,
        };
        let job = each_part(|| (), |_| None, move |(), part, out| job.read(part, out));
        Feed::start(inputs, &how, PartSize::Whole, job).map(Self)
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Finding>> {
        self.0.next(py)
    }

    /// The files and members that could not be read so far.
    #[getter]
    fn problems(&self, py: Python<'_>) -> PyResult<Vec<Problem>> {
        self.0.problems(py)
    }
}

/// The result of `sgfstream.fix`.
#[pyclass(frozen, module = "sgfstream")]
pub(crate) struct Fixed {
    data: Vec<u8>,
    /// The findings, each with its outcome.
    #[pyo3(get)]
    findings: Vec<Finding>,
}

#[pymethods]
impl Fixed {
    /// The repaired bytes of the file.
    #[getter]
    fn data<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.data)
    }

    fn count(&self, outcome: &str) -> usize {
        self.findings
            .iter()
            .filter(|finding| finding.outcome == Some(outcome))
            .count()
    }

    fn __repr__(&self) -> String {
        let [repaired, guessed, left] =
            ["repaired", "guessed", "left"].map(|outcome| self.count(outcome));
        format!("<sgfstream.Fixed: {repaired} repaired, {guessed} guessed, {left} left>")
    }
}

#[pyfunction]
pub(crate) fn fix(
    input: &Bound<'_, PyAny>,
    level: &str,
    allow: Vec<String>,
    only: Vec<String>,
    guess: bool,
    to_comments: bool,
    how: Args,
) -> PyResult<Fixed> {
    let choice = FixFilter {
        level: severity(level)?,
        only: codes(&only)?,
        without: codes(&allow)?,
        guesses: guess,
        in_comments: to_comments,
    };
    let engine = how.engine()?;
    let inputs = Inputs::take(input)?;
    input.py().detach(|| {
        let mut fixed = None;
        let mut problem = None;
        let mut files = 0;
        let each = |part: Part<'_>| {
            files += 1;
            if files > 1 || part.game().is_some() {
                return Ok(ControlFlow::Break(()));
            }
            let (name, options) = (part.name().to_string(), part.options());
            let mut bytes = Vec::new();
            part.bytes().read_to_end(&mut bytes)?;
            fixed = Some(fix_one(&name, &bytes, &choice, options));
            Ok(ControlFlow::Continue(PartEnd::default()))
        };
        engine
            .each(&inputs.to_vec(), each, |found| {
                problem = problem.take().or(Some(found.clone()))
            })
            .map_err(|err| errors::of_run(&err))?;
        match (problem, fixed) {
            (Some(problem), _) => Err(errors::of_problem(&problem)),
            (None, Some(fixed)) if files == 1 => fixed,
            _ => Err(value_error(
                "fix takes one whole file or its bytes, not several files or one game of a file",
            )),
        }
    })
}

/// Repairs a file game by game, and checks for Ctrl-C between games.
fn fix_one(
    source: &str,
    bytes: &[u8],
    choice: &FixFilter,
    options: sgfstream::Options,
) -> PyResult<Fixed> {
    let (mut data, mut findings) = (Vec::with_capacity(bytes.len()), Vec::new());
    let unlimited = options.with_limits(options.limits.with_depth(None));
    let mut fixer = Fixer::new(choice.clone(), options);
    let mut read = bytes;
    let mut reader = PartReader::whole(&mut read, unlimited, Some(bytes.len() as u64));
    let mut pieces = GameChunks::new(&reader);
    while let Some(piece) = pieces.next(&mut reader).map_err(value_error)? {
        Python::attach(|py| py.check_signals())?;
        let game = &bytes[piece.span.start as usize..piece.span.end as usize];
        let mut report = |FindingOutcome {
                              finding,
                              outcome,
                              position,
                              is_blocked,
                              ..
                          }: FindingOutcome<'_>| {
            findings.push(Finding {
                outcome: Some(outcome.as_str()),
                blocked: is_blocked,
                ..Finding::new(source, finding, position)
            });
        };
        data.extend_from_slice(
            &fixer
                .fix(game, &piece, &mut report)
                .map_err(value_error)?
                .bytes,
        );
    }
    Ok(Fixed { data, findings })
}
