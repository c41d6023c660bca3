//! `sgfq stats`: statistics of any number of games, as text, JSON or a page.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use sgfstream::Severity;
use sgfstream::record::GameReader;
use sgfstream_adapt::stats::Stats as Summary;
use sgfstream_engine::{Job, Out, Part, PartEnd, PartSize};
use sgfstream_explore::stats::{StatsReport, json, page, text};
use sgfstream_game::Coordinates;
use sgfstream_table::row::{ColumnSet, FilledRow, RowReader};

use crate::args::coords::Coords;
use crate::args::destination::Destination;
use crate::args::io::Io;
use crate::args::threads::{OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::counted;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::terminal;

/// Print statistics: players, results, openings, problems, and where moves are played.
///
/// The problems are those that the reader reports; `sgfq check` finds more. Lengths, first moves,
/// openings and moves per point come from main lines: the nodes before the first `)` of a game.
/// Openings exclude games with setup stones. As in `sgfq openings`, openings that differ only by
/// rotation, reflection or move order count as one. To keep memory use constant, `stats` may leave
/// rows out of a list. The output then states the maximum error.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq stats games/\n\
\x20 sgfq stats --html report.html --title \"Our club\" archive.tar.zst\n\
\x20 sgfq stats --where \"year(date_min) BETWEEN 1980 AND 1989\" games/")]
pub(crate) struct Stats {
    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    /// Print N rows per list; 0 for all.
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,

    /// Use the first N moves as the opening, at most 16.
    #[arg(long = "opening-moves", alias = "depth", value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=16))]
    depth: u8,

    /// Write an HTML page with charts to FILE (`-`: stdout), as `-f html -o FILE` does; it needs no
    /// network.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "file"])]
    html: Option<PathBuf>,

    /// Set the title of the HTML page.
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Jsonl, Format::Html];

/// Job that summarizes the games of a part.
struct StatsJob {
    chooser: Chooser,
    depth: usize,
}

impl Job for StatsJob {
    type Worker = FilledRow;
    type Output = Summary;

    fn worker(&self) -> FilledRow {
        self.chooser.row(ColumnSet::default())
    }

    fn output(&self) -> Summary {
        Summary::with_opening_depth(self.depth)
    }

    fn read(
        &self,
        filled: &mut FilledRow,
        part: Part<'_>,
        stats: &mut Out<'_, Summary>,
    ) -> anyhow::Result<PartEnd> {
        // The parts of a file count as one file.
        stats.files += u64::from(part.is_start());
        if self.chooser.chooses_all() {
            let mut games = GameReader::new(part.reader());
            let result = stats.add_all(&mut games);
            let reader = games.reader_mut();
            stats.bytes += reader.offset() - reader.start();
            let long_games = result?;
            return Ok(reader.finish()?.with_long_games(long_games));
        }
        let mut rows = RowReader::of_part(part, filled)?;
        while let Some(game) = self.chooser.next_game(&mut rows)? {
            stats.bytes += game.span().len();
            stats.add(game);
        }
        stats.add_problems(rows.games().trailing_problems());
        Ok(rows.end()?)
    }
}

impl Stats {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let mut format = self.io.destination.format(self.format, FORMATS)?;
        if let Some(path) = &self.html {
            (self.io.destination, format) = (Destination::of(path), Format::Html);
        }
        let is_html = matches!(format, Format::Html);
        anyhow::ensure!(
            is_html || self.title.is_none(),
            "--title: only an HTML page has a title; add -f html"
        );
        self.io.destination.refuse(&self.io.inputs, None)?;
        let depth = usize::from(self.depth);
        let mut stats = Summary::with_opening_depth(depth);
        let names = self.io.inputs.names();
        let job = StatsJob {
            chooser: self.io.choice.parse()?,
            depth,
        };
        let exit = self
            .io
            .read(OutputTiming::AtEnd, PartSize::Few, &job, |part| {
                let empty = Summary::with_opening_depth(depth);
                stats.merge(std::mem::replace(&mut part.output, empty));
                Ok(())
            })?;
        if exit == Exit::Interrupted {
            return Ok(exit);
        }
        let exit = job.chooser.or_none(&self.io.inputs, exit);
        stats.openings.boards.sort();
        let (top, usual) = match self.top {
            _ if is_html => (page::TOP, Coordinates::Gtp),
            0 => (usize::MAX, Coordinates::Sgf),
            top => (top, Coordinates::Sgf),
        };
        let report = StatsReport::new(&stats, top, self.coords.or(usual));
        let errors = stats.problems.of(Severity::Error);
        self.io.with(out, |mut out| {
            match format {
                Format::Html => page::write(&mut out, &report, self.title.as_deref(), &names)?,
                Format::Json | Format::Jsonl => json::write(&mut out, &report)?,
                _ => text::write(&mut out, &report)?,
            }
            anyhow::Ok(())
        })?;
        // On stderr, so that the answer stays the same for a pipe; other formats are for programs.
        if format == Format::Text && errors > 0 {
            let them = if errors == 1 { "it" } else { "them" };
            let errors = counted(errors, "error");
            let words = self.io.choice.words() + &self.io.inputs.words();
            out.flush()?;
            terminal::print_note(&format!(
                "sgfq: {errors}; `sgfq check{words}` prints {them}"
            ));
        }
        Ok(exit)
    }
}
