//! `sgfq rewrite`: edits games.

mod edits;
mod texts;
mod values;

use std::collections::BTreeMap;
use std::io::{self, Write};

use clap::Args;

use sgfstream::record::{GameReader, GameRecord};
use sgfstream_adapt::edit::{Notes, Rewriter};
use sgfstream_engine::{Out, OutputWriter, Part, PartEnd, PartSize};

use crate::args::chosen::edit_chosen;
use crate::args::in_place::InPlace;
use crate::args::input::{CharsetChoice, Inputs, shown_name};
use crate::args::io::Io;
use crate::args::threads::{self, OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::terminal;

use edits::{Edits, UTF8};
/// Edit games and keep all other properties byte for byte.
///
/// `rewrite` applies edits in the order in which you give them. With edits, it inserts missing
/// parentheses inside a game. If it leaves out unparseable bytes inside a game, it reports how many
/// and exits with status 1. It keeps text between games. `sgfq help charsets` says which games
/// `--utf8` converts.
#[derive(Debug, Args)]
#[command(
    mut_arg("where", |arg| arg.help("Edit only the games for which EXPR is true; keep the others")),
    before_help = "Examples:\n\
\x20 sgfq rewrite --strip comments --canonical game.sgf\n\
\x20 sgfq rewrite --replace 'PB,PW/ +$//' --utf8 --in-place --backup old.sgf"
)]
pub(crate) struct Rewrite {
    #[command(flatten)]
    edits: Edits,

    /// Let --set and --add write properties and values that are not valid.
    #[arg(long, alias = "force")]
    unchecked: bool,

    #[command(flatten)]
    in_place: InPlace,

    #[command(flatten)]
    io: Io<Pool>,
}

impl Rewrite {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        self.io.inputs.how.write_games();
        let chooser = self.io.choice.parse()?;
        let job = RewriteJob::new(self.edits.clone(), chooser)?;
        if !self.unchecked {
            self.edits.refuse_faults()?;
        }
        if self.in_place.in_place {
            return self.in_place(&job);
        }
        rewrite(&job, &self.io, out)
    }

    fn in_place(&self, job: &RewriteJob) -> anyhow::Result<Exit> {
        let mut summary = RewriteNotes::default();
        let progress = self.io.pool.progress;
        let exit = self.in_place.each(
            &self.io.inputs,
            self.edits.has(UTF8),
            progress,
            |name, part, file| Ok(job.write(name, part, true, file, &mut summary)?.end),
        )?;
        let inputs = &self.io.inputs;
        Ok(job
            .chooser
            .or_none(inputs, inputs.or_no_game(exit))
            .or(summary.print_summary(inputs)))
    }
}

/// Rewrites all inputs to one output.
fn rewrite(job: &RewriteJob, io: &Io<Pool>, out: &mut Output) -> anyhow::Result<Exit> {
    // Do not divide files if edits change games, because the report names games by number.
    let part_size = if job.edits_games() {
        PartSize::Whole
    } else {
        threads::ANSWER
    };
    let is_shown = io.is_shown(out);
    let mut summary = RewriteNotes::default();
    let mut open_game: Option<String> = None;
    let mut is_next_input = false;
    let reading = threads::each_part(|| (), |(), part, out| job.read(part, out));
    let exit = io.with(out, |out| {
        let timing = OutputTiming::Streamed { is_shown };
        io.read(timing, part_size, &reading, |result| {
            let rewritten = &result.output;
            summary.merge(&rewritten.summary);
            is_next_input |= rewritten.begins_input;
            if !rewritten.bytes.is_empty() {
                if let Some(place) = open_game.take().filter(|_| is_next_input) {
                    summary.add_open(place);
                }
                is_next_input = false;
            }
            open_game = rewritten.open_game.clone().or(open_game.take());
            Ok(out.write_all(&rewritten.bytes)?)
        })
    })?;
    Ok(job
        .chooser
        .or_none(&io.inputs, io.inputs.or_no_game(exit))
        .or(summary.print_summary(&io.inputs)))
}

/// Job that rewrites the selected games of a part.
struct RewriteJob {
    edits: Edits,
    chooser: Chooser,
}

impl RewriteJob {
    /// Returns an error if an argument of an edit is invalid.
    fn new(edits: Edits, chooser: Chooser) -> anyhow::Result<Self> {
        edits.make()?;
        Ok(Self { edits, chooser })
    }

    /// Returns whether the selected games are edited separately and all other games are copied.
    /// Conversion needs it, because even the last property of a game may prevent it.
    fn edits_games(&self) -> bool {
        self.edits.has(UTF8) || !self.chooser.chooses_all()
    }

    /// Writes a part with its edits. With `keeps_lossy`, a game is not converted if bytes would be
    /// lost.
    fn write(
        &self,
        name: &str,
        part: Part<'_>,
        keeps_lossy: bool,
        out: &mut impl Write,
        summary: &mut RewriteNotes,
    ) -> anyhow::Result<StreamEnd> {
        if !self.edits_games() {
            return self.stream(name, part, out, summary);
        }
        Ok(StreamEnd {
            end: self.edit(name, part, keeps_lossy, out, summary)?,
            open_game: None,
            has_bytes: false,
        })
    }

    /// Edits the selected games of a part separately.
    fn edit(
        &self,
        name: &str,
        part: Part<'_>,
        keeps_lossy: bool,
        out: &mut impl Write,
        summary: &mut RewriteNotes,
    ) -> anyhow::Result<PartEnd> {
        edit_chosen(part, &self.chooser, out, |number, game, options, out| {
            let name = format!("{name}#{number}");
            let mut rewriter = Rewriter::new(self.edits.make()?).with_options(options);
            let Some(others) = self.edits.without_utf8()? else {
                rewriter.write_slice(game, out)?;
                summary.add(&name, &rewriter.take_notes());
                return Ok(());
            };
            let converted = rewriter.slice(game);
            let notes = rewriter.take_notes();
            let is_left = notes.has_unknown_charset() || keeps_lossy && notes.is_lossy();
            if !is_left {
                summary.add(&name, &notes);
                return Ok(out.write_all(&converted)?);
            }
            summary.add_left(&name, &notes);
            let rewriter = Rewriter::new(others).with_options(options);
            // Other inputs follow in the same output, unless files are rewritten in place.
            let mut rewriter = if keeps_lossy {
                rewriter
            } else {
                rewriter.closing_games()
            };
            rewriter.write_slice(game, out)?;
            summary.add(&name, &rewriter.take_notes());
            Ok(())
        })
    }

    /// Edits all games of a part, and copies all other bytes, except the bytes around a game
    /// requested by number.
    fn stream(
        &self,
        name: &str,
        part: Part<'_>,
        out: &mut impl Write,
        summary: &mut RewriteNotes,
    ) -> anyhow::Result<StreamEnd> {
        let is_one = part.game().is_some();
        let mut rewriter = Rewriter::new(self.edits.make()?).with_options(part.options());
        let mut reader = part.reader();
        reader.skip_to_game()?;
        let mut end = reader.start();
        let mut games = GameReader::new(reader).keeping_all_bytes();
        let (mut long_games, mut open_game, mut has_bytes) = (Vec::new(), None, false);
        loop {
            let found = games.next_game().map(|game| game.is_some());
            // After an error, `game` returns the game up to the place of the error.
            let game = games.game().filter(|game| !game.tokens().is_empty());
            let is_found = game.is_some() || matches!(found, Ok(true));
            let start = if is_found {
                games.span().start
            } else {
                games.reader().offset()
            };
            if !is_one && start > end {
                has_bytes = true;
                games.reader().copy(
                    end..start,
                    &mut BetweenGames {
                        rewriter: &mut rewriter,
                        out,
                    },
                )?;
            }
            has_bytes |= is_found;
            if is_found {
                open_game = game.filter(is_unclosed).map(|game| game.span().end);
            }
            if let Some(game) = game {
                end = game.span().end;
                rewriter.game(&game, out)?;
            } else if is_found {
                end = games.span().end;
                if !rewriter.long_game(&games.reader().retained(), start..end, out)? {
                    long_games.push(games.number());
                }
            }
            summary.add(name, &rewriter.take_notes());
            if !found? {
                break;
            }
        }
        let end = games.reader_mut().finish()?.with_long_games(long_games);
        Ok(StreamEnd {
            end,
            open_game,
            has_bytes,
        })
    }
}

/// End of a part, with the facts that its output depends on.
struct StreamEnd {
    end: PartEnd,
    /// End of the last game, if it has no `)`.
    open_game: Option<u64>,
    /// Whether something was written.
    has_bytes: bool,
}

/// Writer of the bytes between games.
struct BetweenGames<'r, W> {
    rewriter: &'r mut Rewriter,
    out: &'r mut W,
}

impl<W: Write> Write for BetweenGames<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rewriter.between(bytes, self.out)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns whether the input ended inside of the game.
fn is_unclosed(game: &GameRecord<'_>) -> bool {
    game.tokens().last().is_some_and(|last| last.is_inserted())
}

/// Output of one part.
#[derive(Default)]
pub(crate) struct RewriteOutput {
    bytes: Vec<u8>,
    summary: RewriteNotes,
    /// Whether it contains the first bytes of an input.
    begins_input: bool,
    /// Place where its last input ends inside an unclosed game.
    open_game: Option<String>,
}

impl threads::Output for RewriteOutput {
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.bytes)
    }
}

impl RewriteJob {
    /// Rewrites a part.
    fn read(&self, part: Part<'_>, out: &mut Out<'_, RewriteOutput>) -> anyhow::Result<PartEnd> {
        let name = shown_name(&part);
        // Small inputs share an output.
        let earlier = out.open_game.take().filter(|_| part.is_start());
        if out.bytes.is_empty() && earlier.is_none() {
            out.begins_input = part.is_start();
        }
        let mut summary = RewriteNotes::default();
        let mut bytes = OutputWriter::new(out, |out| &mut out.bytes);
        let result = self.write(&name, part, false, &mut bytes, &mut summary);
        out.summary.merge(&summary);
        let StreamEnd {
            end,
            open_game,
            has_bytes,
        } = result?;
        out.open_game = earlier;
        // Without edits, the rewriter adds no missing parentheses.
        if self.edits.all.is_empty() {
            if has_bytes && let Some(place) = out.open_game.take() {
                out.summary.add_open(place);
            }
            out.open_game = open_game
                .map(|byte| format!("{name}, byte {byte}"))
                .or(out.open_game.take());
        }
        Ok(end)
    }
}

/// Edits that could not be made, each with its count and first place.
#[derive(Default)]
struct RewriteNotes {
    notes: BTreeMap<&'static str, (u64, String)>,
    /// Games that were left in their charset, because it is unknown or does not fit all of their
    /// text.
    left: [(u64, String); 2],
    is_incomplete: bool,
}

impl RewriteNotes {
    fn add(&mut self, name: &str, notes: &Notes) {
        for (note, count) in notes.iter() {
            let place = || format!("{name}, byte {}", notes.first_byte(note).unwrap_or(0));
            self.notes.entry(note).or_insert_with(|| (0, place())).0 += count;
        }
        self.is_incomplete |= notes.is_cut() || notes.is_lossy();
    }

    /// Counts a game that is left in its charset.
    fn add_left(&mut self, name: &str, notes: &Notes) {
        let left = &mut self.left[usize::from(!notes.has_unknown_charset())];
        if left.0 == 0 {
            name.clone_into(&mut left.1);
        }
        left.0 += 1;
    }

    /// Counts an input that ends inside a game, at `place`, with another input after it.
    fn add_open(&mut self, place: String) {
        self.notes.entry(OPEN_GAME).or_insert_with(|| (0, place)).0 += 1;
        self.is_incomplete = true;
    }

    /// Adds the notes of later inputs.
    fn merge(&mut self, later: &Self) {
        for (note, (count, place)) in &later.notes {
            self.notes
                .entry(note)
                .or_insert_with(|| (0, place.clone()))
                .0 += count;
        }
        for (left, (count, place)) in self.left.iter_mut().zip(&later.left) {
            if left.0 == 0 {
                left.1.clone_from(place);
            }
            left.0 += count;
        }
        self.is_incomplete |= later.is_incomplete;
    }

    /// Reports the notes on stderr. Edits that were not made change the exit status.
    fn print_summary(&self, inputs: &Inputs) -> Exit {
        let print = if self.is_incomplete {
            terminal::print_line
        } else {
            terminal::print_note
        };
        for (note, (count, first)) in &self.notes {
            print(&format!("sgfq: {note} ({count}; first in {first})"));
        }
        let [unknown, lossy] = &self.left;
        let is_guessed = inputs.how.charset == Some(CharsetChoice::Detect);
        let guess = if is_guessed {
            ""
        } else {
            ", or have it guessed with --charset detect"
        };
        let unknown_charset = format!(
            "not converted: the text is not UTF-8, and no CA declares its charset (first: {}); name it with --charset{guess}",
            unknown.1
        );
        let lost_bytes = format!(
            "not converted: some bytes are invalid in the charset (first: {})",
            lossy.1
        );
        let report = |n, why: &str| {
            Exit::report_count(n, &format!("game was {why}"), &format!("games were {why}"))
        };
        let exit = report(unknown.0, &unknown_charset).or(report(lossy.0, &lost_bytes));
        if self.is_incomplete {
            Exit::Found
        } else {
            exit
        }
    }
}

/// Without edits, every byte is copied, so unclosed games stay unclosed.
const OPEN_GAME: &str = "inputs end inside a game, so readers take the next game for a part of it; close games with `sgfq cat`";
