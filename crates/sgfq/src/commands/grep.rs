//! `sgfq grep`: finds a text in the games.

use std::cell::Cell as StdCell;
use std::ops::Range;

use anyhow::Context;
use clap::Args;
use regex::{Regex, RegexBuilder};

use sgfstream::{Charset, Event, EventReader, Flow, Framing, Ident, Place, RawValue};
use sgfstream_engine::{Out, Part, PartEnd};
use sgfstream_game::{GameState, RootRetention, TreePath};
use sgfstream_table::row::Cell;

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::Lines;
use crate::args::threads::{self, Output as _, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::rows::RowWriter;
use crate::report::terminal::clean;

/// Print matching lines of comments and node names, with their places.
///
/// Each output line is `FILE#GAME PATH move N C: TEXT`. To draw the node, run `sgfq board FILE#GAME --node PATH`. Moves are
/// counted on the main line. If no line matches, the exit status is 1.
#[derive(Debug, Args)]
#[command(before_help = "Examples:\n\
\x20 sgfq grep -i 'white|black' games/\n\
\x20 sgfq grep --in PB,PW,GN '^A' games/")]
pub(crate) struct Grep {
    /// A regular expression.
    #[arg(value_name = "PATTERN")]
    pattern: String,

    /// Ignore case.
    #[arg(short, long)]
    ignore_case: bool,

    /// Match PATTERN as plain text, not as a regular expression.
    #[arg(short = 'F', long)]
    fixed: bool,

    /// Search these properties, separated by commas.
    #[arg(long = "in", value_name = "IDENTS", value_delimiter = ',', default_value = "C,GC,N", value_parser = ident)]
    idents: Vec<String>,

    /// Output format; the extension of the output file selects it, too [default: text].
    #[arg(short = 'f', long, value_parser = Format::one_of(FORMATS))]
    format: Option<Format>,

    #[command(flatten)]
    io: Io<Pool>,
}

const FORMATS: &[Format] = &[Format::Text, Format::Csv, Format::Tsv, Format::Jsonl];

fn ident(name: &str) -> Result<String, String> {
    let is_ident = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_ident { Ok(name.to_ascii_uppercase()) } else { Err("write an identifier such as C or PB".to_owned()) }
}

/// Columns of a row.
const COLUMNS: [&str; 6] = ["file", "game", "node", "move", "property", "text"];

/// Maximum bytes of a node's texts that are buffered until its end. One text may exceed it.
const WAITING: usize = 1 << 20;

/// Maximum characters of a line shown on a terminal, around the match.
const SHOWN: usize = 160;

/// A search with its output format.
struct Search<'s> {
    regex: Regex,
    idents: &'s [String],
    chooser: Chooser,
    /// Writer of rows, or `None` for text.
    rows: Option<RowWriter>,
    is_shown: bool,
}

/// Texts of a node. They are searched at its end, because only then the charset of a root and the number of moves are known.
#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// Index of the property, range in `bytes`, and framing of each text.
    texts: Vec<(usize, Range<usize>, Framing)>,
}

impl Waiting {
    fn push(&mut self, ident: usize, value: RawValue<'_>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(value.as_bytes());
        self.texts.push((ident, start..self.bytes.len(), value.framing()));
    }
}

/// State of the game that a worker reads.
#[derive(Default)]
struct Walk {
    state: GameState,
    path: TreePath,
    waiting: Waiting,
}

/// Place of the searched game.
struct At<'p> {
    file: &'p str,
    game: u64,
    /// Whether the number of the game counts from the start of its file, not only of its part.
    is_final: bool,
    charset: Charset,
}

impl Search<'_> {
    fn wanted(&self, ident: Ident<'_>) -> Option<usize> {
        self.idents.iter().position(|wanted| ident.is(wanted.as_bytes()))
    }

    /// Searches the games of a part.
    fn read(&self, walk: &mut Walk, part: Part<'_>, lines: &mut Out<'_, Lines>) -> anyhow::Result<PartEnd> {
        let (file, is_start) = (shown_name(&part), part.is_start());
        let is_one = part.game().is_some();
        let is_stopped = StdCell::new(false);
        let _ = walk.state.end_input();
        self.chooser.read(part, |mut reader| {
            let mut long_games = Vec::new();
            reader.hold_games();
            reader.drive(&mut |event: &Event<'_>, place: &Place| {
                let game = place.game;
                let _ = walk.state.event(event, place);
                let at = At { file: &file, game, is_final: is_start || is_one, charset: place.charset };
                let ends_node = matches!(
                    event,
                    Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. }
                );
                if ends_node || walk.waiting.bytes.len() > WAITING {
                    self.search(walk, &at, lines);
                }
                match event {
                    Event::VariationStart { .. } if place.depth == 1 => walk.path.start_game(),
                    Event::VariationStart { .. } => _ = walk.path.push(),
                    Event::VariationEnd { .. } => walk.path.pop(),
                    Event::NodeStart { .. } => walk.path.node(),
                    Event::Property(property) => {
                        if let Some(ident) = self.wanted(property.ident()) {
                            property.values().for_each(|value| walk.waiting.push(ident, value));
                        }
                    }
                    // The game exceeds the memory limit.
                    _ if event.ident().is_some() => {
                        long_games.push(game);
                        return Flow::SkipGame;
                    }
                    _ => {}
                }
                is_stopped.set(is_stopped.get() || lines.is_full() && !lines.hand_out());
                if is_stopped.get() { Flow::Stop } else { Flow::Go }
            })?;
            Ok(reader.finish()?.with_long_games(long_games))
        })
    }

    /// Writes the matching lines of the buffered texts.
    fn search(&self, walk: &mut Walk, at: &At<'_>, lines: &mut Lines) {
        let Walk { state, path, waiting } = walk;
        let At { file, game, is_final, charset } = *at;
        for (ident, span, framing) in waiting.texts.drain(..) {
            let value = RawValue::new(&waiting.bytes[span], framing).with_charset(charset);
            let text = value.text();
            let found = text.lines().filter_map(|line| Some((line, self.regex.find(line)?)));
            for (line, found) in found {
                let ply = path.is_main_line().then(|| state.ply());
                let number = |lines: &mut Lines| match is_final {
                    true => lines.text.extend_from_slice(game.to_string().as_bytes()),
                    false => lines.push_late(game as i64, |before| before.games),
                };
                let Some(rows) = &self.rows else {
                    lines.text.extend_from_slice(clean(file).as_bytes());
                    if !file.ends_with(&format!("#{game}")) {
                        lines.text.push(b'#');
                        number(lines);
                    }
                    let at = ply.map_or_else(String::new, |ply| format!(" move {ply}"));
                    let line = if self.is_shown { window(line, found.range()) } else { line.to_owned() };
                    let text = format!(" {path}{at} {}: {}\n", self.idents[ident], clean(line.trim()));
                    lines.text.extend_from_slice(text.as_bytes());
                    continue;
                };
                rows.cell(0, Cell::Text(file), &mut lines.text);
                rows.start_cell(1, &mut lines.text);
                number(lines);
                rows.end_cell(&mut lines.text);
                rows.cell(2, Cell::Text(&path.to_string()), &mut lines.text);
                rows.cell(3, ply.map_or(Cell::Null, |ply| Cell::Int(ply as i64)), &mut lines.text);
                rows.cell(4, Cell::Text(&self.idents[ident]), &mut lines.text);
                rows.cell(5, Cell::Text(line), &mut lines.text);
                rows.end_row(&mut lines.text);
            }
        }
        waiting.bytes.clear();
    }
}

/// Returns a line, shortened if it is long, with the match inside.
fn window(line: &str, found: Range<usize>) -> String {
    if line.chars().nth(SHOWN).is_none() {
        return line.to_owned();
    }
    let before = line[..found.start].char_indices().rev().nth(SHOWN / 4).map_or(0, |(at, _)| at);
    let end = line[before..].char_indices().nth(SHOWN).map_or(line.len(), |(at, _)| before + at);
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", dots(before > 0), &line[before..end], dots(end < line.len()))
}

impl Grep {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let pattern = if self.fixed { regex::escape(&self.pattern) } else { self.pattern.clone() };
        let regex = RegexBuilder::new(&pattern).case_insensitive(self.ignore_case).build();
        let regex = regex.with_context(|| format!("expected a regular expression, found `{}`", self.pattern))?;
        let is_shown = self.io.is_shown(out);
        let rows = self.io.destination.format(self.format, FORMATS)?.rows();
        let rows = rows.map(|format| RowWriter::new(format, COLUMNS, is_shown));
        let head = rows.as_ref().map_or_else(Vec::new, RowWriter::head);
        let chooser = self.io.choice.parse()?;
        let search = Search { regex, idents: &self.idents, chooser, rows, is_shown };
        let worker = || Walk { state: GameState::new(RootRetention::Line), ..Walk::default() };
        let job = threads::each_part(worker, |walk, part, lines| search.read(walk, part, lines));
        let mut has_found = false;
        let exit = self.io.with(out, |out| {
            out.write_all(&head)?;
            self.io.answer(is_shown, search.chooser.cut(threads::ANSWER), &job, |unit| {
                let Some(lines) = &unit.output else { return Ok(()) };
                has_found |= !lines.text.is_empty();
                Ok(out.write_all(&lines.text)?)
            })
        })?;
        Ok(self.io.inputs.or_none(exit, has_found))
    }
}
