//! `sgfq find`: finds a position, a pattern or a sequence of moves, and the next moves.

mod said;
mod summary;

use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};

use sgfstream_explore::summary::CountMode;
use sgfstream_game::{Coordinates, Side};
use sgfstream_table::filter::FilterError;
use sgfstream_table::find::{Pattern, Query};

use crate::args::coords::{Coords, spelling_of};
use crate::args::input::board_file;
use crate::args::io::Io;
use crate::args::listed_values::columns;
use crate::args::position::position_query;
use crate::args::threads::Pool;
use crate::commands::filter;
use crate::commands::get::{self, RowOrder, Rows};
use crate::commands::position_index::PositionIndex;
use crate::io::output::Output;
use crate::io::temporary::Temporary;
use crate::report::cut;
use crate::report::exit::Exit;
use crate::report::format::Format;

/// Find positions, patterns and move sequences, and the next moves.
///
/// `sgfq help patterns` describes PATTERN, the columns and the summary.
#[derive(Debug, Args)]
#[command(
    group(ArgGroup::new("what").required(true).args(["position", "pattern", "sequence"])),
    before_help = "Examples:\n\
\x20 sgfq find --position 'Q16 D4' --summary games/\n\
\x20 sgfq find --pattern '----/....|/..X.|' games/ -o corners.sgf"
)]
pub(crate) struct Find {
    /// Find the position of FILE, FILE#GAME or FILE@MOVE, or after `pd dp`.
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,

    /// Find a rectangle of points: a file, or text such as `|..X/|.O.`.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pattern: Option<String>,

    /// Find consecutive moves such as `pd qf nc` or `gg swap`.
    #[arg(long, value_name = "MOVES")]
    sequence: Option<String>,

    /// Match the sequence at any distance from the edges.
    #[arg(long, requires = "sequence")]
    anywhere: bool,

    /// Allow moves on other points between the moves of the sequence.
    #[arg(long, alias = "gaps", requires = "sequence")]
    interleaved: bool,

    /// Match only the given orientation.
    #[arg(long)]
    exact: bool,

    /// Also match with colors swapped.
    #[arg(long)]
    swap_colors: bool,

    /// Also search variations.
    #[arg(long)]
    variations: bool,

    /// Match only after at most N moves.
    #[arg(long, value_name = "N")]
    by_move: Option<u64>,

    /// Match only if the next move is MOVE.
    #[arg(long, value_name = "MOVE", conflicts_with = "pattern")]
    next: Option<String>,

    /// Match only if this color is to move: B, W, or the number of a color.
    #[arg(long, value_name = "COLOR", value_parser = ["B", "W", "1", "2", "3", "4"], hide_possible_values = true)]
    mover: Option<String>,

    /// Use this index; `find` writes it if missing, or if an input changed.
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,

    /// Count next moves and their results.
    #[arg(long)]
    summary: bool,

    /// Print comments, labels and judgments of the position in all variations.
    #[arg(long, requires = "position", conflicts_with_all = ["summary", "columns", "next", "mover", "by_move"])]
    said: bool,

    /// Print these columns of each game instead of the game.
    #[arg(long, value_name = "COLUMNS", conflicts_with = "summary", value_parser = columns(), hide_possible_values = true)]
    columns: Option<String>,

    /// Output format [default: by the output file; table for rows, else sgf].
    #[arg(short = 'f', long, value_parser = Format::one_of(GAMES_OR_ROWS))]
    format: Option<Format>,

    #[command(flatten)]
    coords: Coords,

    #[command(flatten)]
    io: Io<Pool>,

    /// List of the candidate games.
    #[arg(skip)]
    list: Option<Temporary>,
}

/// The formats of games, then the formats of rows.
const GAMES_OR_ROWS: &[Format] = &[
    Format::Sgf,
    Format::Table,
    Format::Csv,
    Format::Tsv,
    Format::Jsonl,
];

/// The formats of remarks.
const REMARKS: &[Format] = &[Format::Table, Format::Jsonl];

const COLUMNS: &str = "source,member,game,found_move,symmetry,colors,next";

/// Default columns on a terminal.
const SHOWN: &str = "pb,pw,dt,re,found_move,next,source,member,game";

/// Maximum bytes of a pattern file.
const PATTERN_MAX: u64 = 1 << 16;

impl Find {
    pub(crate) fn run(mut self, out: &mut Output) -> anyhow::Result<Exit> {
        let files = self
            .pattern
            .as_deref()
            .and_then(pattern_file)
            .into_iter()
            .map(Path::to_owned);
        let files = files.chain(
            self.position
                .as_deref()
                .and_then(board_file)
                .map(|(path, _)| path),
        );
        let files: Vec<PathBuf> = files.collect();
        files
            .iter()
            .for_each(|file| self.io.inputs.also_reads(file));
        let query = self.query()?;
        let query = if self.said { query.remarks() } else { query };
        let looked_up = self.look_up(&query)?;
        cut::add_queries([&query]);
        Ok(self.search(&query, out)?.or(looked_up))
    }

    /// Replaces the inputs by the candidate games of the index. Returns the exit status, which
    /// differs if there are no candidates or some games were unreadable.
    fn look_up(&mut self, query: &Query) -> anyhow::Result<Exit> {
        let Some(path) = &self.index else {
            return Ok(Exit::Done);
        };
        let index = PositionIndex::named(path, &self.io, self.variations)?;
        let (list, is_any) = index.narrow(query, &mut self.io)?;
        self.list = list;
        let partial = index.report_partial(path);
        Ok(if partial == Exit::Done && !is_any {
            Exit::Found
        } else {
            partial
        })
    }

    fn search(&mut self, query: &Query, out: &mut Output) -> anyhow::Result<Exit> {
        if self.said {
            let format = self.io.destination.format(self.format, REMARKS)?;
            anyhow::ensure!(
                REMARKS.contains(&format),
                "--said writes -f table or -f jsonl"
            );
            return said::write(query, format, &self.io, out);
        }
        // On a terminal, people see where the matches are. Programs and files get the games.
        if self.io.is_shown(out) && self.format.is_none() && !self.summary && self.columns.is_none()
        {
            self.columns = Some(SHOWN.to_owned());
        }
        let is_table = self.summary || self.columns.is_some();
        let formats = if is_table {
            Format::ROWS
        } else {
            GAMES_OR_ROWS
        };
        let format = self.io.destination.format(self.format, formats)?;
        let is_games = format == Format::Sgf;
        anyhow::ensure!(
            !is_games || !is_table,
            "-f sgf writes games; leave out --summary and --columns"
        );
        let query = if is_games {
            query.clone()
        } else {
            query.clone().all()
        };
        let chooser = self.io.choice.finding(query.clone())?;
        let question = self
            .position
            .as_deref()
            .filter(|text| board_file(text).is_none())
            .or(self.sequence.as_deref());
        let coordinates = self
            .coords
            .or(question.map_or(Coordinates::Sgf, spelling_of));
        if self.summary {
            let how = CountMode {
                in_variations: self.variations,
                coordinates,
            };
            return summary::write(&query, chooser, format, how, &self.io, out);
        }
        if is_games {
            self.io.inputs.how.write_games();
            self.io.inputs.how.ask_text(chooser.asks_text());
            return filter::write_chosen(&chooser.into_choosing(), None, false, &self.io, out);
        }
        let selection = chooser.select(self.columns.as_deref().unwrap_or(COLUMNS))?;
        self.io.inputs.how.ask_text(selection.asks_text());
        let order = RowOrder::default();
        get::write_rows(
            Rows {
                chooser,
                selection,
                format,
                coordinates,
                order,
            },
            &self.io,
            out,
        )
    }

    fn query(&self) -> anyhow::Result<Query> {
        let option =
            |name: &'static str| move |err: FilterError| anyhow::anyhow!("--{name}: {err}");
        let query = if let Some(pattern) = &self.pattern {
            let text = read_pattern(pattern)?;
            let is_name = |word: &str| {
                word.len() > 2 && word.contains(|char| !"XOxo123456789".contains(char))
            };
            let may_be_file = text.lines().count() == 1
                && text.split(|c: char| !c.is_alphanumeric()).any(is_name);
            Query::pattern(Pattern::parse(&text).map_err(|err| match may_be_file {
                true => anyhow::anyhow!(
                    "--pattern: no such file: {text}; as rows that end with `/`: {err}"
                ),
                false => option("pattern")(err),
            })?)
        } else if let Some(moves) = &self.sequence {
            Query::sequence(moves, self.anywhere, self.interleaved).map_err(option("sequence"))?
        } else {
            position_query(
                self.position.as_deref().unwrap_or_default(),
                "position",
                &self.io.inputs.how,
            )?
        };
        let query = match &self.next {
            Some(next) => query.next(next).map_err(option("next"))?,
            None => query,
        };
        let query = query.exact(self.exact).swap_colors(self.swap_colors);
        let mover = self
            .mover
            .as_deref()
            .and_then(|mover| Side::parse(mover.as_bytes()).ok());
        Ok(query
            .variations(self.variations)
            .by_move(self.by_move)
            .mover(mover))
    }
}

/// Returns the file if the argument of `--pattern` names one.
fn pattern_file(text: &str) -> Option<&Path> {
    std::fs::metadata(text)
        .is_ok_and(|metadata| !metadata.is_dir())
        .then(|| Path::new(text))
}

/// Returns the text of a pattern, from the file if it names one.
fn read_pattern(text: &str) -> anyhow::Result<String> {
    let Some(file) = pattern_file(text) else {
        return Ok(text.to_owned());
    };
    let bytes = file.metadata()?.len();
    anyhow::ensure!(
        bytes <= PATTERN_MAX,
        "--pattern: expected at most {PATTERN_MAX} bytes in `{text}`, found {bytes}"
    );
    Ok(std::fs::read_to_string(text)?)
}
