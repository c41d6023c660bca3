//! `sgfq check`: what is wrong with the games of each file, as findings that
//! people, programs and services can read.

mod human;
mod json;
mod line;
mod sarif;
mod tally;

use std::cell::Cell;
use std::io::Write;

use clap::{Args, ValueEnum};

use sgfstream::adapt::check::{CheckOptions, Checker, Trail};
use sgfstream::base::{Code, Severity};
use sgfstream::event::{Event, Flow, Place, Sink};
use sgfstream::read::EventReader;

use super::exit::Exit;
use super::input::{Inputs, shown_name};
use super::output::Output;
use super::schedule::{self, AnswerPool};
use super::terminal;
use sgfstream_engine::{Job, Out, Part, PartEnd};

use line::Line;
use tally::Tally;

/// Check games against the format, and against the rules with --legality.
///
/// Findings are printed on stdout, a summary by code on stderr. `sgfq explain CODE` explains a finding.
///
/// Exit status: 0 nothing at or above --fail-on; 1 findings; 2 an input could not be read, or wrong usage.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq check games/\n\
\x20 sgfq check --level error --diag short archive.tar.zst\n\
\x20 sgfq check --legality --diag json games.sgf")]
pub(super) struct Check {
    /// Minimum severity to print.
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = Level::Warning)]
    level: Level,

    /// Ignore findings of this code; repeatable, or separated by commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = parse_code)]
    allow: Vec<Code>,

    /// Minimum severity for exit status 1.
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Warning)]
    fail_on: FailOn,

    /// Output format.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Human)]
    diag: Form,

    /// Replay the moves by the rules of the game: ko, suicide, occupied points, wrong turns and so on.
    #[arg(long)]
    legality: bool,

    /// Use the exit status of SGFC: 0 clean, 5 warnings, 10 errors, 20 unreadable.
    #[arg(long)]
    sgfc_exit: bool,

    /// Use colours, with --diag human.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,

    /// Print no summary.
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    pool: AnswerPool,

    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Level {
    Note,
    Warning,
    Error,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FailOn {
    Note,
    Warning,
    Error,
    Never,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// The source line with a caret under the fault.
    Human,
    /// One line each: `file:line:column: severity[code]: message`.
    Short,
    /// One JSON object per line.
    Json,
    /// One SARIF 2.1.0 log.
    Sarif,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

impl Level {
    pub(super) fn severity(self) -> Severity {
        match self {
            Self::Note => Severity::Note,
            Self::Warning => Severity::Warning,
            Self::Error => Severity::Error,
        }
    }
}

impl FailOn {
    fn severity(self) -> Option<Severity> {
        match self {
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
            Self::Never => None,
        }
    }
}

pub(super) fn parse_code(name: &str) -> Result<Code, String> {
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == name);
    code.ok_or_else(|| "expected a code, such as `malformed-value`; `sgfq explain --list` has them all".to_owned())
}

impl Form {
    fn show(self, is_styled: bool) -> Box<dyn Show> {
        match self {
            Self::Human => Box::new(human::Human::new(is_styled)),
            Self::Short => Box::new(human::Short),
            Self::Json => Box::new(json::Json::default()),
            Self::Sarif => Box::new(sarif::Sarif),
        }
    }
}

impl Check {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let is_styled = match self.color {
            Color::Auto => out.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            Color::Always => true,
            Color::Never => false,
        };
        let job = Checking {
            options: CheckOptions::default().with_legality(self.legality),
            form: self.diag,
            is_styled,
            level: self.level.severity(),
            allow: &self.allow,
        };
        let mut show = self.diag.show(is_styled);
        let mut around = Vec::new();
        show.begin(&mut around)?;
        out.write_all(&around)?;
        let mut tally = Tally::default();
        let mut separator = show.separator();
        let exit = schedule::answer(&self.pool, &self.inputs, out.is_terminal(), true, &job, |unit| {
            let Some(checked) = unit.output.take() else { return Ok(()) };
            tally.merge(checked.tally);
            if !checked.text.is_empty() {
                out.write_all(&checked.text[std::mem::take(&mut separator)..])?;
            }
            Ok(())
        })?;
        around.clear();
        show.end(&mut around)?;
        out.write_all(&around)?;
        if !self.quiet {
            terminal::say(&tally.summary());
        }
        Ok(if self.sgfc_exit {
            tally.sgfc_exit(exit)
        } else if self.fail_on.severity().is_some_and(|least| tally.worst() >= Some(least)) {
            exit.or(Exit::Found)
        } else {
            exit
        })
    }
}

/// A way of showing findings.
trait Show {
    /// Before the first.
    fn begin(&mut self, _: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(())
    }

    /// One of them.
    fn show(&mut self, out: &mut Vec<u8>, line: &Line<'_>) -> anyhow::Result<()>;

    /// Bytes before each of them that the first does not want.
    fn separator(&self) -> usize {
        0
    }

    /// Behind the last.
    fn end(&mut self, _: &mut Vec<u8>) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Bytes of findings that a worker holds before it hands them out.
const FULL: usize = 1 << 20;

/// Checks the entries of a unit.
struct Checking<'c> {
    options: CheckOptions,
    form: Form,
    is_styled: bool,
    level: Severity,
    allow: &'c [Code],
}

/// What a unit comes to.
#[derive(Debug, Default)]
struct Checked {
    text: Vec<u8>,
    tally: Tally,
}

/// What a worker keeps from one entry to the next.
struct Worker {
    trail: Trail,
    show: Box<dyn Show>,
}

impl Job for Checking<'_> {
    type Worker = Worker;
    type Output = Checked;

    fn worker(&self) -> Worker {
        Worker { trail: Trail::default(), show: self.form.show(self.is_styled) }
    }

    fn output(&self) -> Checked {
        Checked::default()
    }

    fn read(&self, worker: &mut Worker, part: Part<'_>, out: &mut Out<'_, Checked>) -> anyhow::Result<PartEnd> {
        let file = shown_name(&part);
        out.tally.files += 1;
        let mut reader = part.through(|read| worker.trail.follow(read));
        let mut failed = None;
        let is_stopped = Cell::new(false);
        // Handed out here and not between events: one event may have findings without end.
        let mut checker = Checker::new(self.options, |finding| {
            if is_stopped.get() || self.allow.contains(&finding.code) {
                return;
            }
            let is_shown = finding.severity >= self.level;
            out.tally.count(finding, is_shown);
            if is_shown {
                failed = worker.show.show(&mut out.text, &Line::new(&file, finding, &worker.trail)).err();
                is_stopped.set(failed.is_some() || out.text.len() > FULL && !out.hand_out());
            }
        });
        let read = reader.drive(&mut |event: &Event<'_>, place: &Place| {
            checker.event(event, place);
            if is_stopped.get() { Flow::Stop } else { Flow::Go }
        });
        drop(checker);
        match failed {
            Some(err) => return Err(err),
            None => read?,
        }
        Ok(reader.finish()?)
    }
}
