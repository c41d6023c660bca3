//! `sgfq fix`: what `check` reports with a repair is repaired.

mod parts;
mod passes;
mod teller;

use std::cell::RefCell;
use std::io::{BufWriter, Write};

use clap::Args;

use sgfstream::{Code, Severity};
use sgfstream_adapt::fix::Choice;
use sgfstream_engine::{Job, Monitor, Out, Part, PartEnd, empty_again};
use sgfstream_table::row::ColumnSet;

use crate::args::destination::Destination;
use crate::args::in_place::InPlace;
use crate::args::input::{Inputs, shown_name};
use crate::args::threads::{self, Pool};
use crate::args::where_games::{Chooser, Where};
use crate::commands::check::{parse_code, severities};
use crate::io::chosen::edit_chosen;
use crate::io::games::game_bytes;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal;

use parts::Joining;
use passes::Entry;
use teller::{Fixed, Form, Sent, Teller};

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
    pool: Pool,

    #[command(flatten)]
    inputs: Inputs,
}

impl Fix {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let choice = Choice::from_level(self.level).only(self.only.clone()).without(self.allow.clone());
        let choice = if self.guess { choice.with_guesses() } else { choice };
        let chooser = Where::new(self.filter.clone()).parse()?;
        let engine = self.inputs.how.engine().with_cut(threads::ANSWER.whole_if(!chooser.chooses_all()));
        let fixing = Fixing { choice, chooser, form: self.diag, quiet: self.quiet, monitor: engine.monitor() };
        let mut err = BufWriter::new(terminal::WholeLines);
        let teller = Teller::new(self.diag, self.quiet, &mut err);
        let exit = if self.in_place.in_place {
            self.in_place.each(&self.inputs, self.inputs.how.options(), false, |name, part, file| {
                fixing.repair(name, part, file, &teller)
            })?
        } else {
            // Nothing is drawn between the lines of the report.
            let is_shown = !self.quiet || out.is_terminal() && self.destination.is_stdout();
            self.destination.with(&self.inputs, out, |out| {
                let mut joining = None;
                let exit = threads::answer(&self.pool, &self.inputs, engine, is_shown, &fixing, |unit| {
                    let Some(fixed) = &mut unit.output else { return Ok(()) };
                    fixing.take(fixed, unit.before.games, &mut joining, &teller, out)
                })?;
                fixing.end(&mut joining, &teller, out)?;
                Ok(exit)
            })?
        };
        let counts = teller.counts();
        _ = err.flush();
        if !self.quiet && matches!(self.diag, Form::Short) {
            counts.tell();
        }
        Ok(exit.or(if counts.left > 0 && self.fail_if_left { Exit::Found } else { Exit::Done }))
    }
}

/// Repairs entries.
struct Fixing {
    choice: Choice,
    chooser: Chooser,
    form: Form,
    quiet: bool,
    monitor: Monitor,
}

impl Job for Fixing {
    type Worker = ();
    type Output = Fixed;

    fn worker(&self) {}

    fn output(&self) -> Fixed {
        Fixed::default()
    }

    fn reuse(&self, Fixed { mut bytes, .. }: Fixed) -> Option<Fixed> {
        empty_again(&mut bytes);
        Some(Fixed { bytes, ..Fixed::default() })
    }

    fn read(&self, (): &mut (), part: Part<'_>, out: &mut Out<'_, Fixed>) -> anyhow::Result<PartEnd> {
        if part.is_cut() {
            return parts::read(part, &self.choice, &self.monitor, self.quiet, out);
        }
        let name = shown_name(&part);
        let out = RefCell::new(out);
        let mut said = Sent::new(&out, |fixed| &mut fixed.said);
        let teller = Teller::new(self.form, self.quiet, &mut said);
        let result = self.repair(&name, part, &mut Sent::new(&out, |fixed| &mut fixed.bytes), &teller);
        out.borrow_mut().counts.add(&teller.counts());
        result
    }
}

impl Fixing {
    /// Takes what a unit comes to, of which `games` games come before in its entry.
    fn take(
        &self,
        Fixed { bytes, said, counts, part }: &mut Fixed,
        games: u64,
        joining: &mut Option<Joining>,
        teller: &Teller<'_>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let Some(mut told) = part.take() else {
            // An entry that is still joined was cut off.
            self.end(joining, teller, out)?;
            teller.add(said, counts);
            return Ok(out.write_all(bytes)?);
        };
        if let Some((name, options)) = told.begins.take() {
            self.end(joining, teller, out)?;
            *joining = Some(Joining::new(name, options));
        }
        let Some(entry) = joining else { return Ok(()) };
        if entry.add(games, bytes, told, teller)? { self.end(joining, teller, out) } else { Ok(()) }
    }

    /// Writes the entry whose parts were joined, if there is one.
    fn end(&self, joining: &mut Option<Joining>, teller: &Teller<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
        joining.take().map_or(Ok(()), |entry| entry.end(&self.choice, &self.monitor, teller, out))
    }

    /// Repairs one entry, or the game of it that was asked for.
    fn repair(&self, name: &str, part: Part<'_>, out: &mut dyn Write, teller: &Teller<'_>) -> anyhow::Result<PartEnd> {
        let Self { choice, chooser, monitor, .. } = self;
        let entry = Entry { name, options: part.options(), choice, teller, monitor };
        if !chooser.chooses_all() {
            // Each game on its own: lines are counted from its start.
            let builder = chooser.builder(ColumnSet::default());
            return edit_chosen(part, chooser, builder, out, |number, _, game, options, out| {
                let name = &format!("{name}#{number}");
                Entry { name, options, ..entry }.repair(game, out).map(drop)
            });
        }
        if part.game().is_none() {
            return entry.repair(part.bytes(), out);
        }
        let (game, end) = game_bytes(part)?;
        if end.is_found {
            entry.repair(game, out)?;
        }
        Ok(end)
    }
}
