//! `sgfq check`: what is wrong with the games of each file, as findings that
//! people, programs and services can read.

mod human;
mod json;
mod line;
mod sarif;
mod tally;

use std::cell::RefCell;
use std::rc::Rc;

use clap::{Args, ValueEnum};

use crate::adapt::check::{CheckOptions, Checker, Finding, Trail};
use crate::base::{Code, Severity};
use crate::read::Reader;

use super::exit::Exit;
use super::input::Inputs;
use super::output::Output;
use super::terminal;

use line::Line;
use tally::Tally;

/// Check games against the format, and against the rules with --legality.
///
/// Findings go to stdout, a summary by code to stderr. `sgfq explain CODE` says what a code means.
///
/// Exit status: 0 nothing at or above --fail-on; 1 findings; 2 an input could not be read, or wrong usage.
#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    inputs: Inputs,

    /// The least severity that is shown.
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = Level::Warning)]
    level: Level,

    /// Pass over findings of this code; may be given again, or with commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = parse_code)]
    allow: Vec<Code>,

    /// The least severity that makes the exit status 1.
    #[arg(long, value_enum, value_name = "SEVERITY", default_value_t = FailOn::Warning)]
    fail_on: FailOn,

    /// How findings are shown.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Form::Human)]
    diag: Form,

    /// Replay the moves: ko, suicide, occupied points, wrong turns, and what else the rules of the game forbid.
    #[arg(long)]
    legality: bool,

    /// SGFC's exit status: 0 clean, 5 warnings, 10 errors, 20 unreadable.
    #[arg(long)]
    sgfc_exit: bool,

    /// Colours, with --diag human.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,

    /// No summary.
    #[arg(short, long)]
    quiet: bool,
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
    /// The line with a caret under what is wrong.
    Human,
    /// One line each: `file:line:column: severity[code]: message`.
    Short,
    /// One JSON object a line.
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

impl Check {
    pub(super) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let is_styled = match self.color {
            Color::Auto => out.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
            Color::Always => true,
            Color::Never => false,
        };
        let show: Box<dyn Show> = match self.diag {
            Form::Human => Box::new(human::Human::new(is_styled)),
            Form::Short => Box::new(human::Short),
            Form::Json => Box::new(json::Json::default()),
            Form::Sarif => Box::new(sarif::Sarif::default()),
        };
        let trail = Trail::default();
        let printer = Rc::new(RefCell::new(Printer {
            out,
            show,
            trail: trail.clone(),
            file: String::new(),
            level: self.level.severity(),
            allow: self.allow,
            tally: Tally::default(),
            failed: None,
        }));
        printer.borrow_mut().begin()?;
        let options = CheckOptions::default().with_legality(self.legality);
        let printed = Rc::clone(&printer);
        let mut checker = Checker::new(options, move |finding| printed.borrow_mut().print(finding));
        let read_options = self.inputs.how.options();
        let exit = self.inputs.each_entry(|name, read| {
            printer.borrow_mut().next_file(name);
            checker.next_input();
            // Most files are small: a large buffer for each would cost more than it saves.
            let mut reader = Reader::with_buffer(trail.follow(read), read_options, BUFFER);
            let read = crate::read::EventReader::drive(&mut reader, &mut checker);
            match printer.borrow_mut().failed.take() {
                Some(err) => Err(err),
                None => Ok(read?),
            }
        })?;
        let mut printer = printer.borrow_mut();
        printer.end()?;
        if !self.quiet {
            terminal::say(&printer.tally.summary());
        }
        let tally = &printer.tally;
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
    fn begin(&mut self, _: &mut Output) -> anyhow::Result<()> {
        Ok(())
    }

    /// One of them.
    fn show(&mut self, out: &mut Output, line: &Line<'_>) -> anyhow::Result<()>;

    /// Behind the last.
    fn end(&mut self, _: &mut Output) -> anyhow::Result<()> {
        Ok(())
    }
}

/// Bytes of the reader's buffer, to begin with.
const BUFFER: usize = 32 << 10;

/// Takes findings, counts them and shows those that are asked for.
struct Printer<'o> {
    out: &'o mut Output,
    show: Box<dyn Show>,
    trail: Trail,
    file: String,
    level: Severity,
    allow: Vec<Code>,
    tally: Tally,
    /// Writing failed: nothing more is shown.
    failed: Option<anyhow::Error>,
}

impl Printer<'_> {
    fn begin(&mut self) -> anyhow::Result<()> {
        self.show.begin(self.out)
    }

    fn next_file(&mut self, name: &str) {
        name.clone_into(&mut self.file);
        self.tally.files += 1;
    }

    fn print(&mut self, finding: &Finding) {
        if self.failed.is_some() || self.allow.contains(&finding.code) {
            return;
        }
        let is_shown = finding.severity >= self.level;
        self.tally.count(finding, is_shown);
        if is_shown {
            let line = Line::new(&self.file, finding, &self.trail);
            self.failed = self.show.show(self.out, &line).err();
        }
    }

    fn end(&mut self) -> anyhow::Result<()> {
        self.show.end(self.out)
    }
}
