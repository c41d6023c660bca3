//! `sgfq fix`: what `check` reports with a repair is repaired.

use std::cell::{Cell, RefCell};
use std::io::{self, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::rc::Rc;

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use sgfstream::adapt::check::{Finding, SourceWindow};
use sgfstream::adapt::fix::{Choice, Fixer, NextPass, Outcome, PASSES, Repairs, Survey, fix};
use sgfstream::base::{Code, Severity};
use sgfstream::event::{Event, Flow, Place, Sink};
use sgfstream::read::{EventReader, Options};

use crate::args::destination::Destination;
use crate::args::in_place::InPlace;
use crate::args::input::{Inputs, shown_name};
use crate::args::where_games::{Chooser, Where};
use crate::commands::check::{parse_code, severities};
use crate::io::chosen::edit_chosen;
use crate::io::games::game_bytes;
use crate::io::output::Output;
use crate::io::spill::{Spill, SpillReader};
use crate::report::exit::Exit;
use crate::report::json;
use crate::report::terminal;
use sgfstream_engine::{Part, PartEnd, PartReader, RecordingReader};
use sgfstream_table::row::ColumnSet;

/// Repair the findings of `sgfq check`; every other byte is kept.
///
/// Each finding for which `sgfq check` shows a repair is repaired in that way, and reported on stderr. Every other
/// finding is left and counted. No move is ever dropped. A repair may reveal another fault, so the games are repaired
/// until a pass finds nothing to repair; the positions of the first pass are those of the input.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq fix old.sgf > repaired.sgf\n\
\x20 sgfq fix --in-place --backup games/*.sgf")]
pub(crate) struct Fix {
    /// Minimum severity to repair.
    #[arg(long, value_name = "SEVERITY", value_parser = severities(), default_value = "warning")]
    level: Severity,

    /// Do not repair findings of this code; repeatable, or separated by commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = parse_code)]
    allow: Vec<Code>,

    /// Repair only findings of this code, whatever their severity; repeatable, or separated by commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = parse_code)]
    only: Vec<Code>,

    /// Also make repairs that are guesses: one of several meanings is likely. Counted apart.
    #[arg(long)]
    guess: bool,

    /// Exit with status 1 if findings are left.
    #[arg(long)]
    fail_if_left: bool,

    /// Format of the report on stderr.
    #[arg(short = 'f', long = "format", alias = "diag", value_enum, value_name = "FORMAT", default_value_t = Form::Short)]
    diag: Form,

    /// Print no report.
    #[arg(short, long)]
    quiet: bool,

    /// Repair only the games for which EXPR is true; the others are kept as they are.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    filter: Option<String>,

    #[command(flatten)]
    in_place: InPlace,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    inputs: Inputs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// One line each: `file:line:column: repaired[code]: repair`.
    Short,
    /// One JSON object per line.
    #[value(alias = "json")]
    Jsonl,
}

impl Fix {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let choice = Choice::from_level(self.level).only(self.only).without(self.allow);
        let choice = if self.guess { choice.with_guesses() } else { choice };
        let options = self.inputs.how.options();
        let chooser = Where::new(self.filter).parse()?;
        let teller = Teller::new(self.diag, self.quiet);
        let exit = if self.in_place.in_place {
            self.in_place.each(&self.inputs, options, false, |name, part, file| {
                if !chooser.chooses_all() {
                    return chosen(name, part, &chooser, &choice, file, &teller);
                }
                let options = part.options();
                one(name, part.bytes(), options, &choice, file, &teller)?;
                Ok(PartEnd::default())
            })?
        } else {
            self.destination.with(&self.inputs, out, |out| {
                self.inputs.each(options, |part| {
                    let (name, options) = (shown_name(&part), part.options());
                    let mut end = PartEnd::default();
                    if !chooser.chooses_all() {
                        end = chosen(&name, part, &chooser, &choice, &mut *out, &teller)?;
                    } else if part.game().is_none() {
                        one(&name, part.bytes(), options, &choice, &mut *out, &teller)?;
                    } else {
                        let game;
                        (game, end) = game_bytes(part)?;
                        if end.is_found {
                            one(&name, game, options, &choice, &mut *out, &teller)?;
                        }
                    }
                    Ok(ControlFlow::Continue(end))
                })
            })?
        };
        let is_left = teller.finish() > 0;
        Ok(exit.or(if is_left && self.fail_if_left { Exit::Found } else { Exit::Done }))
    }
}

/// Inputs up to this size are repaired in memory, pass by pass, and only as
/// often as there is something to do.
const SMALL: usize = 256 << 10;

/// Repairs the chosen games of one input, each on its own: lines are counted from the start of a game.
fn chosen(
    name: &str,
    part: Part<'_>,
    chooser: &Chooser,
    choice: &Choice,
    out: &mut dyn Write,
    teller: &Teller,
) -> anyhow::Result<PartEnd> {
    let builder = chooser.builder(ColumnSet::default());
    edit_chosen(part, chooser, builder, out, |number, _, game, options, out| {
        one(&format!("{name}#{number}"), game, options, choice, out, teller)
    })
}

/// Repairs one input.
fn one(
    name: &str,
    mut read: impl Read,
    options: Options,
    choice: &Choice,
    out: &mut dyn Write,
    teller: &Teller,
) -> anyhow::Result<()> {
    let mut head = Vec::new();
    let result = read.by_ref().take(SMALL as u64 + 1).read_to_end(&mut head);
    if result.is_ok() && head.len() <= SMALL {
        let trail = SourceWindow::default();
        trail.follow(&head[..]).read_to_end(&mut Vec::with_capacity(head.len()))?;
        let tell = |pass, finding: &Finding, outcome| teller.tell(name, pass, finding, outcome, &trail);
        let fixed = fix(&head, choice, options, tell);
        teller.tell_left(Rest::This)?;
        return Ok(out.write_all(&fixed)?);
    }
    // A failure comes in its place, after what was read.
    let failed = Failed(result.err());
    streamed(name, io::Cursor::new(head).chain(failed).chain(read), options, choice, out, teller)
}

/// Gives its error once.
struct Failed(Option<io::Error>);

impl Read for Failed {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

/// Repairs one input of any size, as [`fix`] does: what a pass writes waits for the next one in a [`Spill`].
fn streamed(
    name: &str,
    read: impl Read,
    options: Options,
    choice: &Choice,
    out: &mut dyn Write,
    teller: &Teller,
) -> anyhow::Result<()> {
    let mut spill = Spill::default();
    let (mut rest, result) = pass(name, 1, read, options, choice, &mut spill, teller)?;
    for number in 2..=PASSES {
        if rest != Rest::Unknown {
            break;
        }
        teller.forget_left();
        let written = Rc::new(RefCell::new(std::mem::take(&mut spill)));
        let read = SpillReader::new(&written);
        (rest, _) = pass(name, number, read, options, choice, &mut spill, teller)?;
    }
    teller.tell_left(rest)?;
    let len = spill.len();
    spill.copy(0, len, out)?;
    Ok(result?)
}

/// What the passes after one would do.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// There is none: this pass had nothing to repair.
    This,
    /// One more, which would repair nothing: what it would leave is known.
    Next,
    Unknown,
}

/// One pass over all of `read`: what comes after it, and how reading ended.
fn pass(
    name: &str,
    number: usize,
    mut read: impl Read,
    options: Options,
    choice: &Choice,
    out: &mut Spill,
    teller: &Teller,
) -> anyhow::Result<(Rest, sgfstream::Result<()>)> {
    let trail = SourceWindow::default();
    let is_done = Cell::new(true);
    let tell = |finding: &Finding, outcome| {
        is_done.set(is_done.get() && outcome == Outcome::Left);
        teller.tell(name, number, finding, outcome, &trail);
    };
    let fixer = Fixer::new(Vec::new(), choice.clone(), options, &tell);
    let mut stage = Stage { fixer, trail: &trail, out, kept: None };
    let mut next = Some(NextPass::new(choice.clone(), options));
    let foresee = |finding: &Finding| teller.foresee(name, number + 1, finding);
    let mut reader = PartReader::whole(&mut read, options, None).through(|read| RecordingReader::new(read, 0));
    let mut look = Look { survey: Survey::new(choice.clone()), stop: None };
    let (mut sent, mut is_independent) = (0, false);
    let result = loop {
        if let Err(err) = reader.drive(&mut look) {
            break Err(err);
        }
        let Place { span, game, .. } = match look.stop.take() {
            None => break Ok(()),
            Some((Stop::Start, _)) => {
                is_independent = reader.game_place().is_some();
                continue;
            }
            Some((Stop::End, place)) => place,
        };
        let (plan, repairs) = look.survey.take_repairs();
        let buffer = &mut reader.get_mut().buffer;
        // After the first game the fixer knows that there was one.
        let is_settled = stage.settle()? && game > 1;
        let is_alone = (is_settled || game == 1) && is_independent && span.end - sent <= HELD;
        if is_settled {
            stage.fixer.set_origin(sent, game - 1);
        }
        let (root_end, left) = match repairs {
            Repairs::None(left) if is_alone => {
                if let Some(next) = &mut next {
                    next.keeps(&look.survey, &left, foresee);
                }
                if is_settled {
                    (sent, left)
                } else {
                    stage.fixer.expect(plan);
                    buffer.copy(sent, span.end, &mut stage)?;
                    (span.end, Vec::new())
                }
            }
            Repairs::Root(end, mut left) if is_alone => {
                stage.fixer.expect(plan);
                stage.kept = Some(Vec::new());
                buffer.copy(sent, end, &mut stage)?;
                stage.close()?;
                let root = stage.kept.take().unwrap_or_default();
                left.retain(|left| left.span.start >= end);
                next = next.take_if(|next| next.changes_root(&look.survey, &root, &left, foresee));
                (end, left)
            }
            _ => {
                stage.fixer.expect(plan);
                stage.kept = is_alone.then(Vec::new);
                buffer.copy(sent, span.end, &mut stage)?;
                let is_closed = stage.settle()?;
                let written = stage.kept.take().filter(|_| is_closed);
                next = next
                    .take_if(|next| written.is_some_and(|written| next.changes_game(&look.survey, &written, foresee)));
                (span.end, Vec::new())
            }
        };
        if root_end < span.end {
            buffer.copy(root_end, span.end, &mut PassedOver(&mut stage))?;
            stage.fixer.pass_over(&look.survey);
            left.iter().for_each(|left| tell(left, Outcome::Left));
        }
        buffer.release(span.end);
        sent = span.end;
    };
    let buffer = &mut reader.get_mut().buffer;
    if let Some(err) = buffer.take_error() {
        return Err(err).context("temporary file");
    }
    if stage.settle()? {
        stage.fixer.set_origin(sent, reader.game());
    }
    let buffer = &mut reader.get_mut().buffer;
    buffer.copy(sent, buffer.end(), &mut stage)?;
    let Stage { fixer, out, .. } = stage;
    out.write_all(&fixer.finish()?)?;
    let is_known = next.is_some() && result.is_ok() && look.survey.take_repairs().1 == Repairs::None(Vec::new());
    let rest = match is_known {
        _ if is_done.get() => Rest::This,
        true if number < PASSES => Rest::Next,
        _ if number == PASSES => Rest::This,
        _ => Rest::Unknown,
    };
    Ok((rest, result))
}

/// Bytes that are given to the fixer at once.
const CHUNK: usize = 64 << 10;

/// Bytes of a game that may be passed over: findings of it are told when it has ended, and their lines must be known
/// then.
const HELD: u64 = 1 << 20;

/// Surveys games, and stops where they begin and end.
struct Look {
    survey: Survey,
    stop: Option<(Stop, Place)>,
}

#[derive(Clone, Copy)]
enum Stop {
    Start,
    End,
}

impl Sink for Look {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let flow = self.survey.event(event, place);
        let stop = match event {
            Event::VariationStart { .. } => Stop::Start,
            Event::VariationEnd { .. } => Stop::End,
            _ => return flow,
        };
        if place.depth > 1 {
            return flow;
        }
        self.stop = Some((stop, *place));
        Flow::Stop
    }
}

/// A fixer, and what it writes to; and the trail of the bytes that come to it.
struct Stage<'f, 't, 'o> {
    fixer: Fixer<'f, Vec<u8>>,
    trail: &'t SourceWindow,
    out: &'o mut Spill,
    /// What it has written of a game at hand that is repaired.
    kept: Option<Vec<u8>>,
}

impl Stage<'_, '_, '_> {
    fn drain(&mut self) -> io::Result<()> {
        let bytes = self.fixer.get_mut();
        self.out.write_all(bytes)?;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(bytes);
        }
        bytes.clear();
        Ok(())
    }

    fn settle(&mut self) -> io::Result<bool> {
        let is_settled = self.fixer.settle()?;
        self.drain()?;
        Ok(is_settled)
    }

    /// Ends the game of a root, without a `)` in the output.
    fn close(&mut self) -> io::Result<()> {
        self.fixer.write_all(b")")?;
        self.fixer.settle()?;
        if self.fixer.get_mut().pop() != Some(b')') {
            return Err(io::Error::other("expected the end of a game, found another byte"));
        }
        self.drain()
    }
}

impl Write for Stage<'_, '_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        let buf = &buf[..buf.len().min(CHUNK)];
        self.trail.add(buf);
        self.fixer.write_all(buf)?;
        self.drain()?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Bytes that the fixer does not get.
struct PassedOver<'s, 'f, 't, 'o>(&'s mut Stage<'f, 't, 'o>);

impl Write for PassedOver<'_, '_, '_, '_> {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.0.trail.add(buf);
        self.0.out.write_all(buf)?;
        Ok(buf.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

/// Reports repairs on stderr. Errors writing to stderr are ignored.
struct Teller {
    form: Form,
    quiet: bool,
    err: RefCell<BufWriter<terminal::WholeLines>>,
    repaired: Cell<u64>,
    guessed: Cell<u64>,
    left: Cell<u64>,
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

impl Teller {
    fn new(form: Form, quiet: bool) -> Self {
        let err = RefCell::new(BufWriter::new(terminal::WholeLines));
        let (repaired, guessed, left) = (Cell::new(0), Cell::new(0), Cell::new(0));
        let (waiting, foreseen) = (RefCell::default(), RefCell::default());
        Self { form, quiet, err, repaired, guessed, left, waiting, foreseen }
    }

    /// Reports a repair now. What is left waits for [`tell_left`](Self::tell_left).
    fn tell(&self, file: &str, pass: usize, finding: &Finding, outcome: Outcome, trail: &SourceWindow) {
        let add = |count: &Cell<u64>| count.set(count.get() + 1);
        let done = match outcome {
            Outcome::Repaired => {
                add(&self.repaired);
                "repaired"
            }
            Outcome::Guessed => {
                add(&self.guessed);
                "guessed"
            }
            _ => return self.waiting.borrow_mut().add(self.line(file, pass, finding, "left", Some(trail))),
        };
        if let Some(line) = self.line(file, pass, finding, done, Some(trail)) {
            _ = self.err.borrow_mut().write_all(&line);
        }
    }

    /// The next pass would leave this.
    fn foresee(&self, file: &str, pass: usize, finding: &Finding) {
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
    fn forget_left(&self) {
        self.waiting.take();
        self.foreseen.take();
    }

    /// Reports what the last pass left, or would leave.
    fn tell_left(&self, rest: Rest) -> io::Result<()> {
        let (waiting, foreseen) = (self.waiting.take(), self.foreseen.take());
        let Waiting { count, mut lines, failed } = if rest == Rest::Next { foreseen } else { waiting };
        self.left.set(self.left.get() + count);
        failed.map_or(Ok(()), Err)?;
        let len = lines.len();
        lines.copy(0, len, &mut Unfailing(&mut *self.err.borrow_mut()))
    }

    /// Writes how much was done, for people, and gives the number of findings
    /// that are left.
    fn finish(self) -> u64 {
        _ = self.err.into_inner().flush();
        let (repaired, guessed, left) = (self.repaired.get(), self.guessed.get(), self.left.get());
        if self.form == Form::Short && !self.quiet && repaired + guessed + left > 0 {
            let guessed = if guessed > 0 { format!(", {guessed} guessed") } else { String::new() };
            terminal::say(&format!("sgfq: {repaired} repaired{guessed}, {left} left"));
        }
        left
    }
}
