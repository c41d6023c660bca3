//! The report of what was repaired and what is left.

use std::cell::{Cell, RefCell};
use std::io::{self, Write};

use clap::ValueEnum;
use serde_json::{Value, json};

use sgfstream::{Options, Position};
use sgfstream_adapt::check::Finding;
use sgfstream_adapt::fix::{Outcome, PASSES};
use sgfstream_engine::{Out, Sending};

use crate::io::spill::Spill;
use crate::report::{json, terminal};

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
    /// What was reported of a part of an entry, whose bytes wait for those of the others.
    pub(super) part: Option<Told>,
}

/// What was reported of a part. Games and lines count from its start.
#[derive(Default)]
pub(super) struct Told {
    /// The name of the entry, and how it is read; where the part begins it.
    pub(super) begins: Option<(String, Options)>,
    pub(super) late: Vec<Late>,
    /// Findings of which no line is written.
    pub(super) unsaid: Counts,
    pub(super) foreseen: u64,
    pub(super) ended: Option<Ended>,
}

/// A finding of a part.
pub(super) struct Late {
    pub(super) finding: Finding,
    /// What became of it; none where the next pass would leave it.
    pub(super) outcome: Option<Outcome>,
    pub(super) position: Position,
}

/// How a part has ended.
pub(super) struct Ended {
    pub(super) is_done: bool,
    pub(super) is_known: bool,
    pub(super) position: Position,
    /// No part follows.
    pub(super) is_last: bool,
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
    pub(super) repaired: u64,
    pub(super) guessed: u64,
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

impl Rest {
    /// After the pass of this number, which had nothing to repair (`is_done`), or knows that the next one has nothing.
    pub(super) fn after(number: usize, is_done: bool, is_known: bool) -> Self {
        match is_known {
            _ if is_done || number == PASSES => Self::This,
            true => Self::Next,
            false => Self::Unknown,
        }
    }
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
    pub(super) fn tell(
        &self,
        file: &str,
        pass: usize,
        finding: &Finding,
        outcome: Outcome,
        position: &dyn Fn() -> Position,
    ) {
        let done = match outcome {
            Outcome::Repaired => {
                self.count(Counts { repaired: 1, ..Counts::default() });
                "repaired"
            }
            Outcome::Guessed => {
                self.count(Counts { guessed: 1, ..Counts::default() });
                "guessed"
            }
            _ => return self.waiting.borrow_mut().add(self.line(file, pass, finding, "left", position)),
        };
        if let Some(line) = self.line(file, pass, finding, done, position) {
            _ = self.said.borrow_mut().write_all(&line);
        }
    }

    /// The next pass would leave this.
    pub(super) fn foresee(&self, file: &str, pass: usize, finding: &Finding) {
        self.foreseen.borrow_mut().add(self.line(file, pass, finding, "left", &Position::default));
    }

    /// What is said of a finding that has a remedy.
    fn line(
        &self,
        file: &str,
        pass: usize,
        finding: &Finding,
        done: &str,
        position: &dyn Fn() -> Position,
    ) -> Option<Vec<u8>> {
        let remedy = finding.remedy.as_ref().filter(|_| !self.quiet)?;
        // Later passes read what the ones before wrote, and only that has lines.
        let position = (pass == 1).then(position);
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

    /// Findings of the first pass of which no line is written, and those that the next one would leave.
    pub(super) fn add_unsaid(&self, unsaid: &Counts, foreseen: u64) {
        self.count(Counts { left: 0, ..*unsaid });
        self.waiting.borrow_mut().count += unsaid.left;
        self.foreseen.borrow_mut().count += foreseen;
    }

    /// Reports what another teller has reported to `said`.
    pub(super) fn add(&self, said: &[u8], counts: &Counts) {
        self.count(*counts);
        _ = self.said.borrow_mut().write_all(said);
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
