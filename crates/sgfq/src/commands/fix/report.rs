//! Report of the repairs and of the remaining findings.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use serde_json::{Value, json};

use sgfstream::Position;
use sgfstream_adapt::check::Finding;
use sgfstream_adapt::fix::{FindingOutcome, Outcome};
use sgfstream_engine::{PartOffset, empty_again};

use crate::args::threads;
use crate::commands::check::after;
use crate::report::format::Format;
use crate::report::{json, terminal};

/// Formats of the report, with the names that `check` uses.
pub(super) const FORMATS: &[Format] = &[Format::Short, Format::Jsonl];

/// Output of a part.
#[derive(Default)]
pub(super) struct FixOutput {
    pub(super) bytes: Vec<u8>,
    /// Findings with a line in the report. Games and lines count from the start of the part.
    pub(super) lines: Vec<Line>,
    pub(super) counts: Counts,
    /// End of the part, counted from its start.
    pub(super) end: Option<Position>,
}

/// A finding with a suggested repair, and its outcome.
pub(super) struct Line {
    file: Arc<str>,
    pub(super) finding: Finding,
    pass: usize,
    outcome: Outcome,
    position: Option<Position>,
}

impl threads::Output for FixOutput {
    fn shift(&mut self, before: &PartOffset) {
        self.lines.iter_mut().for_each(|line| line.finding.game += before.games);
    }

    fn emptied(self) -> Option<Self> {
        let Self { mut bytes, .. } = self;
        empty_again(&mut bytes);
        Some(Self { bytes, ..Self::default() })
    }
}

impl FixOutput {
    /// Adds the outcome of a finding.
    pub(super) fn add(&mut self, file: &Arc<str>, handled: &FindingOutcome<'_>, is_listed: bool) {
        let &FindingOutcome { pass, finding, outcome, position, .. } = handled;
        match outcome {
            Outcome::Repaired => self.counts.repaired += 1,
            Outcome::Guessed => self.counts.guessed += 1,
            _ => self.counts.left += 1,
        }
        if is_listed && finding.remedy.is_some() {
            self.lines.push(Line { file: Arc::clone(file), finding: finding.clone(), pass, outcome, position });
        }
    }
}

/// Counts of the outcomes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) repaired: u64,
    pub(super) guessed: u64,
    pub(super) left: u64,
    /// Number of remaining findings without a line in the report.
    pub(super) unreported: u64,
}

impl Counts {
    /// Reports the counts, unless all are 0.
    pub(super) fn print_summary(self) {
        let Self { repaired, guessed, left, unreported } = self;
        if repaired + guessed + left > 0 {
            let guessed = if guessed > 0 { format!(", {guessed} guessed") } else { String::new() };
            let unreported = if unreported > 0 { format!(" ({unreported} of them not listed)") } else { String::new() };
            terminal::print_line(&format!("sgfq: {repaired} repaired{guessed}, {left} left{unreported}"));
        }
    }
}

/// Writer of the report. It ignores write errors.
pub(super) struct Report<'w> {
    form: Format,
    out: &'w mut dyn Write,
    pub(super) counts: Counts,
    /// End of the previous parts of the entry.
    end: Position,
}

impl<'w> Report<'w> {
    pub(super) fn new(form: Format, out: &'w mut dyn Write) -> Self {
        Self { form, out, counts: Counts::default(), end: Position::default() }
    }

    /// Reports the next part. `is_start` means that it does not continue the previous entry.
    pub(super) fn take(&mut self, fixed: &mut FixOutput, is_start: bool) {
        if is_start {
            self.end = Position::default();
        }
        let Counts { repaired, guessed, left, unreported } = std::mem::take(&mut fixed.counts);
        self.counts.repaired += repaired;
        self.counts.guessed += guessed;
        self.counts.left += left + unreported;
        self.counts.unreported += unreported;
        let (mut text, mut bytes) = (String::new(), Vec::new());
        for mut line in fixed.lines.drain(..) {
            line.position = line.position.map(|position| after(self.end, position));
            line.write(self.form, &mut text, &mut bytes);
            _ = self.out.write_all(&bytes); // a whole line, so that no buffer cuts it
        }
        self.end = fixed.end.take().map_or(self.end, |end| after(self.end, end));
    }
}

impl Line {
    /// Writes the line to `out`. Both buffers are reused.
    fn write(&self, form: Format, text: &mut String, out: &mut Vec<u8>) {
        text.clear();
        out.clear();
        let Self { file, finding, pass, outcome, position } = self;
        let Some(remedy) = &finding.remedy else { return };
        let done = outcome.as_str();
        match form {
            Format::Short => {
                _ = match position {
                    Some(position) => write!(text, "{file}:{}:{}", position.line, position.column),
                    None => write!(text, "{file}:game {}, {}", finding.game, finding.path),
                };
                _ = write!(text, ": {done}[{}]: {}; {remedy}", finding.code, finding.message);
                out.extend_from_slice(terminal::clean(text).as_bytes());
            }
            _ => {
                let object: Value = json!({
                    "schema": json::SCHEMA,
                    "file": &**file,
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
                json::write(out, &object).expect("a Vec takes all");
            }
        }
        out.push(b'\n');
    }
}
