//! The report of what was repaired and what is left.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Value, json};

use sgfstream::adapt::check::{Finding, SourceWindow};
use sgfstream::adapt::fix::Outcome;
use sgfstream_engine::{Out, Sending};

use crate::io::spill::Spill;
use crate::report::json;
use crate::report::terminal;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Form {
    /// One line each: `file:line:column: repaired[code]: repair`.
    Short,
    /// One JSON object per line.
    #[value(alias = "json")]
    Jsonl,
}

/// What a unit comes to.
#[derive(Default)]
pub(super) struct Fixed {
    pub(super) bytes: Vec<u8>,
    /// Lines of the report.
    pub(super) said: Vec<u8>,
    pub(super) counts: Counts,
}

/// Writes to bytes of the output of a job, among which the output has those of another writer.
pub(super) struct Sent<'s, 'o> {
    out: &'s RefCell<&'s mut Out<'o, Fixed>>,
    bytes: fn(&mut Fixed) -> &mut Vec<u8>,
}

impl<'s, 'o> Sent<'s, 'o> {
    /// Writes to the bytes that `bytes` selects.
    pub(super) fn new(out: &'s RefCell<&'s mut Out<'o, Fixed>>, bytes: fn(&mut Fixed) -> &mut Vec<u8>) -> Self {
        Self { out, bytes }
    }
}

impl Write for Sent<'_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        Sending::new(&mut **self.out.borrow_mut(), self.bytes).write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How much was done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    repaired: u64,
    guessed: u64,
    pub(super) left: u64,
}

impl Counts {
    pub(super) fn add(&mut self, more: &Self) {
        let Self { repaired, guessed, left } = self;
        (*repaired, *guessed, *left) = (*repaired + more.repaired, *guessed + more.guessed, *left + more.left);
    }

    /// Says it to a person, unless there was nothing to do.
    pub(super) fn tell(&self) {
        let Self { repaired, guessed, left } = self;
        if repaired + guessed + left > 0 {
            let guessed = if *guessed > 0 { format!(", {guessed} guessed") } else { String::new() };
            terminal::say(&format!("sgfq: {repaired} repaired{guessed}, {left} left"));
        }
    }
}

/// What the passes after one would do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    /// There is none: this pass had nothing to repair.
    This,
    /// One more, which would repair nothing: what it would leave is known.
    Next,
    Unknown,
}

/// Reports repairs. Errors of what it writes to are ignored.
pub(super) struct Teller<'t> {
    form: Form,
    quiet: bool,
    said: RefCell<&'t mut dyn Write>,
    counts: Cell<Counts>,
    /// What the current pass leaves: the next one may repair it, or meets it again.
    waiting: RefCell<Waiting>,
    /// What the next pass would leave, as far as that is known.
    foreseen: RefCell<Waiting>,
}

/// Findings that are left, and their lines.
#[derive(Default)]
struct Waiting {
    count: u64,
    lines: Spill,
    /// Why the disk could not take a line.
    failed: Option<io::Error>,
}

impl Waiting {
    fn add(&mut self, line: Option<Vec<u8>>) {
        self.count += 1;
        if let Some(line) = line {
            let written = self.lines.write_all(&line);
            self.failed = self.failed.take().or(written.err());
        }
    }
}

impl<'t> Teller<'t> {
    pub(super) fn new(form: Form, quiet: bool, said: &'t mut dyn Write) -> Self {
        let (waiting, foreseen) = (RefCell::default(), RefCell::default());
        Self { form, quiet, said: RefCell::new(said), counts: Cell::default(), waiting, foreseen }
    }

    /// How much it has reported.
    pub(super) fn counts(&self) -> Counts {
        self.counts.get()
    }

    fn count(&self, more: Counts) {
        let mut counts = self.counts.get();
        counts.add(&more);
        self.counts.set(counts);
    }

    /// Reports a repair now. What is left waits for [`tell_left`](Self::tell_left).
    pub(super) fn tell(&self, file: &str, pass: usize, finding: &Finding, outcome: Outcome, trail: &SourceWindow) {
        let done = match outcome {
            Outcome::Repaired => {
                self.count(Counts { repaired: 1, ..Counts::default() });
                "repaired"
            }
            Outcome::Guessed => {
                self.count(Counts { guessed: 1, ..Counts::default() });
                "guessed"
            }
            _ => return self.waiting.borrow_mut().add(self.line(file, pass, finding, "left", Some(trail))),
        };
        if let Some(line) = self.line(file, pass, finding, done, Some(trail)) {
            _ = self.said.borrow_mut().write_all(&line);
        }
    }

    /// The next pass would leave this.
    pub(super) fn foresee(&self, file: &str, pass: usize, finding: &Finding) {
        self.foreseen.borrow_mut().add(self.line(file, pass, finding, "left", None));
    }

    /// What is said of a finding that has a remedy.
    fn line(
        &self,
        file: &str,
        pass: usize,
        finding: &Finding,
        done: &str,
        trail: Option<&SourceWindow>,
    ) -> Option<Vec<u8>> {
        let remedy = finding.remedy.as_ref().filter(|_| !self.quiet)?;
        // Later passes read what the ones before wrote, and only that has lines.
        let position = trail.filter(|_| pass == 1).map(|trail| trail.position_of(finding.span.start));
        let mut line = match self.form {
            Form::Short => {
                let place = match position {
                    Some(position) => format!("{}:{}", position.line, position.column),
                    None => format!("game {}, {}", finding.game, finding.path),
                };
                let line = format!("{file}:{place}: {done}[{}]: {}; {remedy}", finding.code, finding.message);
                terminal::clean(&line).into_owned().into_bytes()
            }
            Form::Jsonl => {
                let object: Value = json!({
                    "schema": json::SCHEMA,
                    "file": file,
                    "pass": pass,
                    "game": finding.game,
                    "path": finding.path,
                    "byte": position.map(|_| finding.span.start),
                    "end": position.map(|_| finding.span.end),
                    "line": position.map(|position| position.line),
                    "column": position.map(|position| position.column),
                    "code": finding.code.as_str(),
                    "severity": finding.severity.as_str(),
                    "message": finding.message,
                    "done": done,
                    "repair": { "name": remedy.as_str(), "text": remedy.text(), "message": remedy.to_string() },
                });
                let mut line = Vec::new();
                json::write(&mut line, &object).expect("a Vec takes all");
                line
            }
        };
        line.push(b'\n');
        Some(line)
    }

    /// The pass was not the last.
    pub(super) fn forget_left(&self) {
        self.waiting.take();
        self.foreseen.take();
    }

    /// Reports what the last pass left, or would leave.
    pub(super) fn tell_left(&self, rest: Rest) -> io::Result<()> {
        let (waiting, foreseen) = (self.waiting.take(), self.foreseen.take());
        let Waiting { count, mut lines, failed } = if rest == Rest::Next { foreseen } else { waiting };
        self.count(Counts { left: count, ..Counts::default() });
        failed.map_or(Ok(()), Err)?;
        let len = lines.len();
        lines.copy(0, len, &mut Unfailing(&mut **self.said.borrow_mut()))
    }
}

/// Ignores the errors of what it writes to.
struct Unfailing<W>(W);

impl<W: Write> Write for Unfailing<W> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        _ = self.0.write_all(buf);
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
