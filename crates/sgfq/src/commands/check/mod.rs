//! `sgfq check`: reports findings about the games of each file in formats for people, programs and
//! services.

mod finding_line;
mod human;
mod json;
mod sarif;
mod source_text;
mod tally;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice};

use sgfstream::{Charset, Code, Position, Severity};
use sgfstream_adapt::check::{
    CheckOptions, ComparedFact, Finding, FindingPlace, InputChecker, InputGames,
};
use sgfstream_table::row::{ColumnSet, FilledRow, RowReader};

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::listed_values::codes;
use crate::args::threads::{self, ANSWER, OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::{did_you_mean, terminal};
use sgfstream_engine::{OUTPUT_FULL, Out, Part, PartEnd, PartReader};

use finding_line::{FindingLine, Needs};
pub(crate) use json::RepairFields;
use source_text::SourceText;
use tally::Tally;

/// Check games against the format, and against the rules with --legality.
///
/// `check` prints findings to stdout, and a summary by code to stderr. For advice on a finding, run
/// `sgfq explain CODE`. `sgfq help exit` lists the exit statuses.
#[derive(Debug, Args)]
#[command(mut_arg("quiet", |arg| arg.hide(false).help_heading(None::<&str>)), before_help = "Examples:\n\
\x20 sgfq check games/\n\
\x20 sgfq check --level error -f short archive.tar.zst\n\
\x20 sgfq check --legality -f jsonl games/")]
pub(crate) struct Check {
    /// Minimum severity to print.
    #[arg(long, value_name = "SEVERITY", value_parser = severities(), default_value = "warning")]
    level: Severity,

    /// Ignore findings of this code; repeatable, or separated by commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = codes(parse_code), hide_possible_values = true)]
    allow: Vec<Code>,

    /// Treat findings of this code as errors; repeatable.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = codes(parse_code), hide_possible_values = true)]
    deny: Vec<Code>,

    /// Minimum severity for exit status 1.
    #[arg(long, value_name = "SEVERITY", value_parser = ["note", "warning", "error", "never"], default_value = "warning")]
    fail_on: String,

    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, alias = "diag", value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    /// Replay the moves by the rules of the game: ko, suicide and so on.
    #[arg(long)]
    legality: bool,

    /// Use colors, with -f text.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    color: ColorChoice,

    /// Print at most N findings and count the rest.
    #[arg(long, value_name = "N")]
    max_findings: Option<u64>,

    /// Print every finding; -f text prints three of each code and file.
    #[arg(long)]
    all: bool,

    /// Print only the summary, to stdout.
    #[arg(long, conflicts_with = "quiet")]
    summary: bool,

    #[command(flatten)]
    io: Io<Pool>,
}

/// Formats of findings. Editors read `short`, and services read `sarif`.
const FORMATS: &[Format] = &[Format::Text, Format::Short, Format::Jsonl, Format::Sarif];

impl Format {
    /// Returns the parts of a finding that the format needs.
    fn needs(self) -> Needs {
        Needs {
            source: self == Self::Text,
            characters: self == Self::Sarif,
        }
    }

    fn write(self, out: &mut Vec<u8>, line: &FindingLine, is_styled: bool) -> io::Result<()> {
        match self {
            Self::Short => human::write_short(out, line),
            Self::Jsonl => json::write(out, line),
            Self::Sarif => sarif::write(out, line),
            _ => human::write(out, line, is_styled),
        }
    }
}

/// Returns a parser of severity arguments.
pub(crate) fn severities() -> impl TypedValueParser<Value = Severity> {
    let names = PossibleValuesParser::new(["note", "warning", "error"]);
    names.try_map(|name| severity(&name).ok_or("expected a severity"))
}

fn severity(name: &str) -> Option<Severity> {
    [Severity::Note, Severity::Warning, Severity::Error]
        .into_iter()
        .find(|severity| severity.as_str() == name)
}

pub(crate) fn parse_code(name: &str) -> Result<Code, String> {
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == name);
    code.ok_or_else(|| {
        let near = did_you_mean(name, Code::ALL.iter().map(|code| code.as_str()));
        format!("unknown code; `sgfq explain --list` lists all codes{near}")
    })
}

impl Check {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.count_lines();
        let is_shown = self.io.is_shown(out);
        let timing = OutputTiming::Streamed { is_shown };
        let is_styled = match self.color {
            ColorChoice::Auto => {
                is_shown && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let form = self.io.destination.format(self.format, FORMATS)?;
        let job = CheckJob {
            chooser: self.io.choice.parse()?,
            args: &self,
            form,
            is_styled,
        };
        let (tally, exit) = self.io.with(out, |out| self.print(&job, timing, out))?;
        let exit = job.chooser.or_none(&self.io.inputs, exit);
        if !self.io.inputs.quiet && !self.summary {
            let is_for_people = matches!(form, Format::Text | Format::Short);
            let hint = if is_for_people && tally.worst.is_some() {
                "; run `sgfq explain CODE` for advice"
            } else {
                ""
            };
            terminal::print_line(&format!("{}{hint}", tally.summary()));
        } else if tally.cut > 0 || (tally.more > 0 && !self.summary) {
            let (count, option) = if tally.cut > 0 {
                (tally.cut, "--max-findings")
            } else {
                (tally.more, "--all")
            };
            let are = if count == 1 {
                "finding is"
            } else {
                "findings are"
            };
            terminal::print_line(&format!("sgfq: {count} {are} not printed; see {option}"));
        }
        let fails = severity(&self.fail_on)
            .is_some_and(|least| tally.is_incomplete || tally.worst >= Some(least));
        Ok(if fails || tally.cut > 0 {
            exit.or(Exit::Found)
        } else {
            exit
        })
    }

    /// Prints the findings.
    fn print(
        &self,
        job: &CheckJob<'_>,
        timing: OutputTiming,
        mut out: &mut dyn Write,
    ) -> anyhow::Result<(Tally, Exit)> {
        let is_styled = job.is_styled;
        let is_sarif = job.form == Format::Sarif && !self.summary;
        let mut left = self.max_findings.unwrap_or(u64::MAX);
        if is_sarif {
            sarif::begin(&mut out)?;
        }
        let mut tally = Tally::default();
        let mut comma = usize::from(is_sarif);
        let mut entry = EntryState::default();
        let row = || job.chooser.row(ColumnSet::default());
        let reading = threads::each_part(row, |filled, part, out| job.read(filled, part, out));
        let exit = self.io.read(timing, ANSWER, &reading, |result| {
            let mut checked = std::mem::take(&mut result.output);
            tally.merge(std::mem::take(&mut checked.tally));
            if result.is_start {
                entry = EntryState::default();
            }
            if let Some(shown) = checked.shown.take() {
                entry.shown = shown;
            }
            for mut line in std::mem::take(&mut checked.late) {
                let finding = &mut line.finding;
                finding.game += result.before.games;
                let (severity, code) = (finding.severity, finding.code);
                let is_shown = severity >= self.level;
                let fact = finding.compared.take();
                let is_compared = fact.is_some();
                if let Some(mut fact) = fact {
                    if let ComparedFact::Number(number) = &mut fact {
                        *number += result.before.games;
                    }
                    let Some(message) = entry.games.compare(fact) else {
                        continue;
                    };
                    finding.message = message;
                }
                if is_compared {
                    tally.count(severity, code, is_shown);
                }
                if !is_shown || self.summary {
                    continue;
                }
                if job.counts_rest() && entry.shown.is_one_more(code) {
                    tally.more += 1;
                    continue;
                }
                line.position = result.before.position(line.position);
                job.form.write(&mut checked.text, &line, is_styled)?;
                checked.ends.push(checked.text.len());
            }
            entry.games = checked.games.unwrap_or(entry.games);
            let found = checked.ends.len() as u64;
            if found > left {
                tally.cut += found - left;
                checked.text.truncate(
                    left.checked_sub(1)
                        .map_or(0, |last| checked.ends[last as usize]),
                );
            }
            left -= found.min(left);
            if !checked.text.is_empty() {
                out.write_all(&checked.text[std::mem::take(&mut comma)..])?;
            }
            Ok(())
        })?;
        if is_sarif {
            sarif::end(&mut out)?;
        }
        if self.summary {
            writeln!(out, "{}", tally.summary())?;
        }
        Ok((tally, exit))
    }
}

/// Job that checks the entries of a part.
struct CheckJob<'c> {
    form: Format,
    chooser: Chooser,
    args: &'c Check,
    is_styled: bool,
}

impl CheckJob<'_> {
    /// Returns whether at most [`EACH`] findings per code and file are printed, and the rest only
    /// counted.
    fn counts_rest(&self) -> bool {
        self.form == Format::Text && !self.args.all
    }
}

/// Findings of a part.
#[derive(Debug, Default)]
struct Findings {
    text: Vec<u8>,
    /// End of each finding in `text`.
    ends: Vec<usize>,
    tally: Tally,
    /// Findings that are written in the order of the parts: findings of a part in the middle of an
    /// entry, whose games and lines count from the start of the part, and findings that compare
    /// games.
    late: Vec<FindingLine>,
    /// Printed findings of the first part, once it has ended.
    shown: Option<ShownCounts>,
    /// Games of the first part.
    games: Option<InputGames>,
}

/// Maximum findings per code and file shown to people.
const EACH: u8 = 3;

/// Number of printed findings per code of one file.
#[derive(Debug, Default)]
struct ShownCounts(BTreeMap<Code, u8>);

impl ShownCounts {
    /// Counts a finding. Returns true if [`EACH`] findings of its code were already printed.
    fn is_one_more(&mut self, code: Code) -> bool {
        let count = self.0.entry(code).or_default();
        let is_one_more = *count == EACH;
        *count += u8::from(!is_one_more);
        is_one_more
    }
}

/// State of an entry up to the end of a part.
#[derive(Debug, Default)]
struct EntryState {
    shown: ShownCounts,
    games: InputGames,
}

/// Bytes before a part that are read to show the line in which it begins.
const BEFORE: usize = 64 << 10;

impl threads::Output for Findings {
    fn is_full(&self) -> bool {
        self.text.len() + size_of_val(&*self.ends) + self.late.len() * 512 > OUTPUT_FULL
    }
}

impl CheckJob<'_> {
    /// Checks a part.
    fn read(
        &self,
        filled: &mut FilledRow,
        part: Part<'_>,
        out: &mut Out<'_, Findings>,
    ) -> anyhow::Result<PartEnd> {
        let is_start = part.is_start();
        out.tally.files += u64::from(is_start);
        let mut printer = Printer {
            job: self,
            file: shown_name(&part).into(),
            source_len: part.name().source().len(),
            is_start,
            shown: ShownCounts::default(),
            failed: None,
            is_stopped: false,
        };
        let mut checker =
            InputChecker::new(CheckOptions::default().with_legality(self.args.legality));
        if !is_start {
            checker = checker.for_part();
        }
        let end = self.check(filled, part, &mut checker, &mut printer, out);
        let Printer { shown, failed, .. } = printer;
        failed.map_or(Ok(()), Err)?;
        out.games = is_start.then_some(checker.input_games);
        out.shown = is_start.then_some(shown);
        end
    }

    /// Checks the selected games of a part.
    fn check(
        &self,
        filled: &mut FilledRow,
        part: Part<'_>,
        checker: &mut InputChecker,
        printer: &mut Printer<'_>,
        out: &mut Out<'_, Findings>,
    ) -> anyhow::Result<PartEnd> {
        let mut rows = RowReader::of_part_in_context(part, filled);
        let reader = rows.games_mut().reader_mut();
        let start = reader.start();
        let before = reader.get_mut().before(BEFORE).unwrap_or_default();
        let mut print = |finding: Finding, place: &mut FindingPlace<'_, PartReader<'_>>| {
            let position = place.position_of(finding.span.start);
            let reader = place.reader();
            let window = reader.window();
            let offset = window.start;
            let text = SourceText {
                before: &before,
                start,
                window: reader.bytes(window).unwrap_or_default(),
                offset,
            };
            printer.print(finding, position, place.charset, text, out);
            !printer.is_stopped
        };
        if self.chooser.chooses_all() {
            let long_games = checker.check_games(rows.games_mut(), &mut print)?;
            let long_games = long_games.into_iter().map(|long| long.number).collect();
            return Ok(rows.end()?.with_long_games(long_games));
        }
        while self.chooser.next_game(&mut rows)?.is_some() {
            if !checker.check_next(rows.games(), &mut print) {
                return Ok(rows.end()?);
            }
        }
        checker.check_rest(rows.games(), &mut print);
        Ok(rows.end()?)
    }
}

/// Writes the findings of a part.
struct Printer<'c> {
    job: &'c CheckJob<'c>,
    file: Arc<str>,
    source_len: usize,
    is_start: bool,
    shown: ShownCounts,
    failed: Option<io::Error>,
    is_stopped: bool,
}

impl Printer<'_> {
    fn print(
        &mut self,
        mut finding: Finding,
        position: Position,
        charset: Charset,
        text: SourceText<'_>,
        out: &mut Out<'_, Findings>,
    ) {
        let CheckJob {
            form,
            args,
            is_styled,
            ..
        } = *self.job;
        if self.is_stopped || args.allow.contains(&finding.code) {
            return;
        }
        if args.deny.contains(&finding.code) {
            finding.severity = Severity::Error;
        }
        let is_shown = finding.severity >= args.level;
        // Findings that compare a game with earlier games are counted later, by the thread that
        // knows those games.
        let is_counted_late = finding.compared.is_some();
        if !is_counted_late {
            out.tally.count(finding.severity, finding.code, is_shown);
            if !is_shown || args.summary {
                return;
            }
            if self.job.counts_rest() && self.shown.is_one_more(finding.code) {
                out.tally.more += 1;
                return;
            }
        }
        let mut line = FindingLine::new(
            Arc::clone(&self.file),
            finding,
            position,
            charset,
            text,
            form.needs(),
        );
        line.source_len = self.source_len;
        if self.is_start && !is_counted_late {
            self.failed = form.write(&mut out.text, &line, is_styled).err();
            let end = out.text.len();
            out.ends.push(end);
        } else {
            out.late.push(line);
        }
        self.is_stopped = self.failed.is_some() || !threads::hand_out_if_full(out);
    }
}
