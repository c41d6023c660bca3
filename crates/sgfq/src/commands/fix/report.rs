//! Report of the repairs and of the remaining findings.

use std::io::{self, Write};
use std::num::NonZeroU64;
use std::sync::Arc;

use serde::Serialize;

use sgfstream::Position;
use sgfstream_adapt::fix::{FindingOutcome, Outcome};
use sgfstream_engine::{OUTPUT_FULL, PartOffset};

use crate::args::threads;
use crate::commands::check::RepairFields;
use crate::report::format::Format;
use crate::report::json::{self, write_fields};
use crate::report::terminal;

/// Formats of the report, with the names that `check` uses.
pub(super) const FORMATS: &[Format] = &[Format::Short, Format::Jsonl];

/// Why a finding with a remedy is left, and what to do.
const BLOCKED: &str = "; not applied, because stray text near it may belong to a property: remove \
    the text that `sgfq check` shows, and run `sgfq fix` again";

/// Output of a part.
#[derive(Default)]
pub(super) struct FixOutput {
    pub(super) bytes: Vec<u8>,
    lines: Vec<Line>,
    /// Texts of the lines. The worker writes them, so that the thread that prints has little to do.
    text: Vec<u8>,
    pub(super) counts: Counts,
}

/// Line of the report: a finding with a suggested repair. Its game and position count from the
/// start of the part, so its text lacks them.
struct Line {
    file: Arc<str>,
    pass: u32,
    /// Ends of its two texts in [`FixOutput::text`]: the text before line and column, and the text
    /// after them.
    ends: [u32; 2],
    game: u64,
    /// Line of the input; `None` if an earlier pass has changed the bytes of the finding.
    line: Option<NonZeroU64>,
    column: u64,
}

impl threads::Output for FixOutput {
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.bytes)
    }
}

impl FixOutput {
    /// Counts the outcome of a finding, and adds its line if the report has this format.
    pub(super) fn add(
        &mut self,
        file: &Arc<str>,
        handled: &FindingOutcome<'_>,
        listed: Option<Format>,
    ) {
        let &FindingOutcome {
            pass,
            finding,
            outcome,
            position,
            is_blocked,
            ..
        } = handled;
        match outcome {
            Outcome::Repaired => self.counts.repaired += 1,
            Outcome::Guessed => self.counts.guessed += 1,
            _ => self.counts.left += 1,
        }
        let (Some(form), Some(remedy)) = (listed, &finding.remedy) else {
            return;
        };
        let (path, code, done) = (&finding.path, finding.code, outcome.as_str());
        let mut ends = [0; 2];
        if form == Format::Short {
            if position.is_none() {
                self.text
                    .extend_from_slice(terminal::clean(path).as_bytes());
            }
            ends[0] = self.text.len() as u32;
            let reason = if is_blocked { BLOCKED } else { "" };
            let text = format!(": {done}[{code}]: {}; {remedy}{reason}", finding.message);
            self.text
                .extend_from_slice(terminal::clean(&text).as_bytes());
        } else {
            let span = position.map(|_| finding.span);
            let (byte, end) = (span.map(|span| span.start), span.map(|span| span.end));
            write_fields(&mut self.text, &SpanFields { path, byte, end }).expect("a Vec takes all");
            ends[0] = self.text.len() as u32;
            let fields = OutcomeFields {
                code: code.as_str(),
                severity: finding.severity.as_str(),
                message: &finding.message,
                done,
                blocked: is_blocked,
                repair: RepairFields::of(remedy),
            };
            write_fields(&mut self.text, &fields).expect("a Vec takes all");
            self.text.push(b'}');
        }
        self.text.push(b'\n');
        ends[1] = self.text.len() as u32;
        let (file, pass, game) = (Arc::clone(file), pass as u32, finding.game);
        let (line, column) = position.map_or((None, 0), |at| (NonZeroU64::new(at.line), at.column));
        self.lines.push(Line {
            file,
            pass,
            ends,
            game,
            line,
            column,
        });
    }

    /// Returns whether the worker hands out the report: before its memory doubles at a power of
    /// two.
    pub(super) fn is_report_full(&self) -> bool {
        self.text.len() > OUTPUT_FULL / 16 * 15 || self.lines.len() >= LINES
    }
}

/// Lines of a report that is handed out; usual lines have 100 bytes of text.
const LINES: usize = OUTPUT_FULL / 128;

/// Fields of a line up to its position, as far as the part knows them.
#[derive(Serialize)]
struct SpanFields<'f> {
    path: &'f str,
    byte: Option<u64>,
    end: Option<u64>,
}

/// Fields of a line after its position.
#[derive(Serialize)]
struct OutcomeFields<'f> {
    code: &'f str,
    severity: &'f str,
    message: &'f str,
    done: &'f str,
    blocked: bool,
    repair: RepairFields<'f>,
}

#[derive(Serialize)]
struct PassFields {
    pass: u32,
    game: u64,
}

#[derive(Serialize)]
struct PositionFields {
    line: Option<u64>,
    column: Option<u64>,
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
        let Self {
            repaired,
            guessed,
            left,
            unreported,
        } = self;
        if repaired + guessed + left > 0 {
            let guessed = if guessed > 0 {
                format!(", {guessed} guessed")
            } else {
                String::new()
            };
            let unreported = if unreported > 0 {
                format!(" ({unreported} of them not listed)")
            } else {
                String::new()
            };
            terminal::print_line(&format!(
                "sgfq: {repaired} repaired{guessed}, {left} left{unreported}"
            ));
        }
    }
}

/// Writer of the report. It ignores write errors.
pub(super) struct Report<'w> {
    form: Format,
    out: &'w mut dyn Write,
    pub(super) counts: Counts,
}

impl<'w> Report<'w> {
    pub(super) fn new(form: Format, out: &'w mut dyn Write) -> Self {
        Self {
            form,
            out,
            counts: Counts::default(),
        }
    }

    /// Reports the next part; `before` has the counts before it.
    pub(super) fn take(&mut self, fixed: &mut FixOutput, before: &PartOffset) {
        let Counts {
            repaired,
            guessed,
            left,
            unreported,
        } = std::mem::take(&mut fixed.counts);
        self.counts.repaired += repaired;
        self.counts.guessed += guessed;
        self.counts.left += left + unreported;
        self.counts.unreported += unreported;
        let (mut text, mut start) = (Vec::new(), 0);
        for line in fixed.lines.drain(..) {
            let ends = line.ends.map(|end| end as usize);
            text.clear();
            line.write(
                self.form,
                before,
                [start..ends[0], ends[0]..ends[1]].map(|text| &fixed.text[text]),
                &mut text,
            )
            .expect("a Vec takes all");
            _ = self.out.write_all(&text); // a whole line, so that no buffer cuts it
            start = ends[1];
        }
        fixed.text.clear();
    }
}

impl Line {
    /// Writes the line with its texts; `part` has the counts before its part.
    fn write(
        &self,
        form: Format,
        part: &PartOffset,
        [before, after_place]: [&[u8]; 2],
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        let &Self {
            ref file,
            pass,
            game,
            line,
            column,
            ..
        } = self;
        let game = game + part.games;
        let place = line.map(|line| {
            part.position(Position {
                line: line.get(),
                column,
                ..Position::default()
            })
        });
        match (form, place) {
            (Format::Short, Some(at)) => {
                write!(out, "{}:{}:{}", terminal::clean(file), at.line, at.column)?
            }
            (Format::Short, None) => write!(out, "{}:game {game}, ", terminal::clean(file))?,
            _ => {
                json::begin_object(out, file)?;
                write_fields(out, &PassFields { pass, game })?;
            }
        }
        out.extend_from_slice(before);
        if form != Format::Short {
            let (line, column) = (place.map(|at| at.line), place.map(|at| at.column));
            write_fields(out, &PositionFields { line, column })?;
        }
        out.extend_from_slice(after_place);
        Ok(())
    }
}
