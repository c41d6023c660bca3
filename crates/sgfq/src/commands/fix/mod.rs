//! `sgfq fix`: makes the repairs that `check` suggests.

mod report;

use std::io::{BufWriter, Write};
use std::sync::Arc;

use clap::Args;

use sgfstream::{Code, Position, Severity, Span};
use sgfstream_adapt::fix::{FixFilter, Fixer, GameChunk, GameChunks};
use sgfstream_engine::{Out, OutputWriter, Part, PartEnd, PartOffset, PartSize};

use crate::args::chosen::edit_chosen;
use crate::args::in_place::InPlace;
use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::listed_values::codes;
use crate::args::threads::{self, OutputTiming, Pool, ProgressWhen};
use crate::args::where_games::Chooser;
use crate::commands::check::{parse_code, severities};
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::terminal;

use report::{FORMATS, FixOutput, Report};

/// Repair the findings of `sgfq check` and keep all other bytes.
///
/// `fix` makes the repairs that `sgfq check` shows, and reports each on stderr with its place in
/// the input. The last line counts the findings that are left, except findings that compare games,
/// such as `different-versions`. `fix` drops no move, except from a text that it escapes. It moves
/// values that fit nowhere else into the private property XK, with their identifier:
/// `XK[EV: Honinbo]`. Without `--guess`, it leaves a game unchanged if a repair would change its
/// board, player to move or size.
#[derive(Debug, Args)]
#[command(
    mut_arg("quiet", |arg| arg.hide(false).help_heading(None::<&str>)),
    mut_arg("where", |arg| arg.help("Repair only the games for which EXPR is true; keep the others")),
    before_help = "Examples:\n\
\x20 sgfq fix old.sgf > repaired.sgf\n\
\x20 sgfq fix --in-place --backup games/*.sgf"
)]
pub(crate) struct Fix {
    /// Minimum severity to repair.
    #[arg(long, value_name = "SEVERITY", value_parser = severities(), default_value = "error")]
    level: Severity,

    /// Do not repair findings of this code; repeatable, or separated by commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = codes(parse_code), hide_possible_values = true)]
    allow: Vec<Code>,

    /// Repair only findings of this code, whatever their severity; repeatable, or separated by
    /// commas.
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = codes(parse_code), hide_possible_values = true)]
    only: Vec<Code>,

    /// Also make guesses: take a likely meaning, or delete text outside games. `fix` counts them
    /// separately.
    #[arg(long)]
    guess: bool,

    /// Move values without a place into C and GC instead of XK.
    #[arg(long)]
    to_comments: bool,

    /// Exit with status 1 if findings are left.
    #[arg(long)]
    fail_if_left: bool,

    /// Format of the report on stderr.
    #[arg(short = 'f', long, alias = "diag", default_value = "short", value_parser = Format::one_of(FORMATS))]
    format: Format,

    #[command(flatten)]
    in_place: InPlace,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Fix {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.count_lines();
        let choice = FixFilter {
            level: self.level,
            only: self.only.clone(),
            without: self.allow.clone(),
            guesses: self.guess,
            in_comments: self.to_comments,
        };
        let chooser = self.io.choice.parse()?;
        let part_size = if chooser.chooses_all() {
            threads::ANSWER
        } else {
            PartSize::Whole
        };
        let is_listed = !self.io.inputs.quiet;
        let fixing = FixJob {
            choice,
            chooser,
            listed: is_listed.then_some(self.format),
        };
        let mut err = BufWriter::new(terminal::WholeLines);
        let mut report = Report::new(self.format, &mut err);
        let exit = if self.in_place.in_place {
            // A progress line would mix with the lines of the report.
            let progress = if is_listed {
                ProgressWhen::Never
            } else {
                self.io.pool.progress
            };
            self.in_place
                .each(&self.io.inputs, false, progress, |_, part, file| {
                    let (mut fixed, mut written) = (FixOutput::default(), Ok(()));
                    let mut take = |fixed: &mut FixOutput| {
                        written = file.write_all(&fixed.bytes);
                        fixed.bytes.clear();
                        report.take(fixed, &PartOffset::default());
                        written.is_ok()
                    };
                    let end = fixing.repair(part, &mut Out::new(&mut fixed, &mut take));
                    take(&mut fixed);
                    written?;
                    end
                })?
        } else {
            // The progress bar would mix with the lines of the report.
            let is_shown = !is_listed || self.io.is_shown(out);
            self.io.with(out, |out| {
                let job = threads::each_part(|| (), |(), part, out| fixing.repair(part, out));
                let timing = OutputTiming::Streamed { is_shown };
                self.io.read(timing, part_size, &job, |result| {
                    report.take(&mut result.output, &result.before);
                    Ok(out.write_all(&result.output.bytes)?)
                })
            })?
        };
        let exit = fixing
            .chooser
            .or_none(&self.io.inputs, self.io.inputs.or_no_game(exit));
        let counts = report.counts;
        _ = err.flush();
        if is_listed && self.format == Format::Short {
            counts.print_summary();
        }
        Ok(exit.or(if counts.left > 0 && self.fail_if_left {
            Exit::Found
        } else {
            Exit::Done
        }))
    }
}

/// Repairs the games of entries.
struct FixJob {
    choice: FixFilter,
    chooser: Chooser,
    /// Format of the report; `None` without a report.
    listed: Option<Format>,
}

impl FixJob {
    /// Repairs the games of a part, one by one: all games, the selected ones, or the requested one.
    fn repair(&self, part: Part<'_>, out: &mut Out<'_, FixOutput>) -> anyhow::Result<PartEnd> {
        let name = shown_name(&part);
        let mut fixer = Fixer::new(self.choice.clone(), part.options());
        if part.game().is_some() || !self.chooser.chooses_all() {
            let mut bytes = OutputWriter::new(out, |fixed| &mut fixed.bytes);
            let mut long_games = Vec::new();
            let end = edit_chosen(
                part,
                &self.chooser,
                &mut bytes,
                |number, game, options, bytes| {
                    let mut fixer = Fixer::new(self.choice.clone(), options);
                    // Each game is separate, so lines count from its start.
                    let piece =
                        GameChunk::new(Span::new(0, game.len() as u64), Position::default(), 0);
                    let name = if self.chooser.chooses_all() {
                        name.clone()
                    } else {
                        format!("{name}#{number}")
                    };
                    let long_game =
                        self.repair_one(&mut fixer, &name.into(), game, &piece, bytes.out())?;
                    long_games.extend(long_game.map(|_| number));
                    Ok(())
                },
            );
            return Ok(end?.with_long_games(long_games));
        }
        let name = name.into();
        let most = part.options().limits.game;
        let mut reader = part.reader();
        let start = reader.start();
        reader.retain(Some(start));
        let mut long_games = Vec::new();
        let mut pieces = GameChunks::new(&reader);
        loop {
            let (piece, result) = match pieces.next(&mut reader) {
                Ok(Some(piece)) => (piece, Ok(())),
                Ok(None) if fixer.has_unclear_games() && reader.read_on() => continue,
                Ok(None) => break,
                Err(err) if !err.is_io() => return Err(err.into()),
                // The error follows the bytes read so far.
                Err(err) => (pieces.rest(reader.window().end), Err(err)),
            };
            let span = piece.span.start..piece.span.end;
            match reader.bytes(span.clone()).filter(|game| game.len() <= most) {
                Some(game) => {
                    long_games.extend(self.repair_one(&mut fixer, &name, game, &piece, out)?)
                }
                None => {
                    long_games.push(piece.games + 1);
                    reader.copy(span, &mut OutputWriter::new(out, |fixed| &mut fixed.bytes))?;
                }
            }
            reader.retain(Some(piece.span.end));
            result?;
        }
        Ok(reader.finish()?.with_long_games(long_games))
    }

    /// Repairs one chunk. Returns the number of the game that exceeds the budget, so that the chunk
    /// was copied.
    fn repair_one(
        &self,
        fixer: &mut Fixer,
        name: &Arc<str>,
        game: &[u8],
        piece: &GameChunk,
        out: &mut Out<'_, FixOutput>,
    ) -> anyhow::Result<Option<u64>> {
        let fixed = fixer.fix(game, piece, &mut |handled| {
            out.add(name, &handled, self.listed);
            if out.is_report_full() {
                // If the run was canceled, the bytes cannot be emitted either.
                out.hand_out();
            }
        });
        let fixed = fixed?;
        out.counts.unreported += fixed.unreported;
        OutputWriter::new(out, |fixed| &mut fixed.bytes).write_all(&fixed.bytes)?;
        Ok(fixed.long_game)
    }
}
