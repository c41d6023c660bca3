//! Report of the repairs and of the remaining findings.

use std::io::Write;
use std::sync::Arc;

use sgfstream::{Position, Span};
use sgfstream_adapt::fix::{FindingOutcome, Outcome};
use sgfstream_engine::{OUTPUT_FULL, PartOffset, empty_again};

use crate::args::threads;
use crate::commands::check::after;
use crate::report::format::Format;
use crate::report::json::{JsonField, SCHEMA, write_object};
use crate::report::terminal;

/// Formats of the report, with the names that `check` uses.
pub(super) const FORMATS: &[Format] = &[Format::Short, Format::Jsonl];

/// Output of a part.
#[derive(Default)]
pub(super) struct FixOutput {
    pub(super) bytes: Vec<u8>,
    lines: Vec<Line>,
    /// Ends of the lines, one after another. The worker writes them, so that the thread that prints has little to do.
    ends: Vec<u8>,
    pub(super) counts: Counts,
    /// End of the part, counted from its start.
    pub(super) end: Option<Position>,
}

/// Start of a line of the report: a finding with a suggested repair. Its game and position count from the start of the part.
struct Line {
    file: Arc<str>,
    pass: usize,
    game: u64,
    /// Path of the node; empty if the line does not show it.
    path: String,
    span: Span,
    position: Option<Position>,
    /// Where its text ends in [`FixOutput::ends`].
    end: usize,
}

impl threads::Output for FixOutput {
    fn shift(&mut self, before: &PartOffset) {
        self.lines.iter_mut().for_each(|line| line.game += before.games);
    }

    fn emptied(self) -> Option<Self> {
        let Self { mut bytes, mut lines, mut ends, .. } = self;
        empty_again(&mut bytes);
        empty_again(&mut ends);
        lines.clear();
        Some(Self { bytes, lines, ends, ..Self::default() })
    }
}

impl FixOutput {
    /// Counts the outcome of a finding, and adds its line if the report has this format.
    pub(super) fn add(&mut self, file: &Arc<str>, handled: &FindingOutcome<'_>, listed: Option<Format>) {
        let &FindingOutcome { pass, finding, outcome, position, .. } = handled;
        match outcome {
            Outcome::Repaired => self.counts.repaired += 1,
            Outcome::Guessed => self.counts.guessed += 1,
            _ => self.counts.left += 1,
        }
        let (Some(form), Some(remedy)) = (listed, &finding.remedy) else { return };
        let (done, code, message, repair) = (outcome.as_str(), finding.code, &finding.message, remedy.to_string());
        let start = self.ends.len();
        if form == Format::Short {
            let end = format!(": {done}[{code}]: {message}; {repair}");
            self.ends.extend_from_slice(terminal::clean(&end).as_bytes());
        } else {
            use JsonField::{Object, Text};
            let repair = [("name", Text(remedy.as_str())), ("text", remedy.text().into()), ("message", Text(&repair))];
            let fields = [
                ("code", Text(code.as_str())),
                ("severity", Text(finding.severity.as_str())),
                ("message", Text(message)),
                ("done", Text(done)),
                ("repair", Object(&repair)),
            ];
            write_object(&mut self.ends, &fields, &[]).expect("a Vec takes all");
            self.ends[start] = b','; // it continues the object of `Line::write_start`
        }
        self.ends.push(b'\n');
        let path = if form == Format::Short && position.is_some() { String::new() } else { finding.path.clone() };
        let (file, end) = (Arc::clone(file), self.ends.len());
        self.lines.push(Line { file, pass, game: finding.game, path, span: finding.span, position, end });
    }

    /// Returns whether the report is so long that the worker hands it out.
    pub(super) fn is_report_full(&self) -> bool {
        self.ends.len().max(size_of_val(&*self.lines)) > OUTPUT_FULL
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
        let (mut text, mut start) = (Vec::new(), 0);
        for mut line in fixed.lines.drain(..) {
            line.position = line.position.map(|position| after(self.end, position));
            text.clear();
            line.write_start(self.form, &mut text).expect("a Vec takes all");
            text.extend_from_slice(&fixed.ends[std::mem::replace(&mut start, line.end)..line.end]);
            _ = self.out.write_all(&text); // a whole line, so that no buffer cuts it
        }
        fixed.ends.clear();
        self.end = fixed.end.take().map_or(self.end, |end| after(self.end, end));
    }
}

impl Line {
    /// Writes what depends on the earlier parts.
    fn write_start(&self, form: Format, out: &mut Vec<u8>) -> std::io::Result<()> {
        let Self { file, pass, game, path, span, position, end: _ } = self;
        match (form, position) {
            (Format::Short, Some(position)) => {
                write!(out, "{}:{}:{}", terminal::clean(file), position.line, position.column)
            }
            (Format::Short, None) => write!(out, "{}:game {game}, {}", terminal::clean(file), terminal::clean(path)),
            _ => {
                use JsonField::{Null, Number, Text};
                let number = |number: fn(Span, Position) -> u64| position.map_or(Null, |at| Number(number(*span, at)));
                let fields = [
                    ("schema", Number(SCHEMA)),
                    ("file", Text(file)),
                    ("pass", Number(*pass as u64)),
                    ("game", Number(*game)),
                    ("path", Text(path)),
                    ("byte", number(|span, _| span.start)),
                    ("end", number(|span, _| span.end)),
                    ("line", number(|_, at| at.line)),
                    ("column", number(|_, at| at.column)),
                ];
                write_object(out, &fields, &[])?;
                out.pop(); // the object continues with the worker's text
                Ok(())
            }
        }
    }
}
