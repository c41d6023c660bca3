//! `sgfq grep`: finds a text in the games.

use std::cell::Cell as StdCell;
use std::io::Write;
use std::ops::Range;

use clap::Args;
use regex::{Regex, RegexBuilder};

use sgfstream::{Charset, Event, EventReader, Flow, Framing, Ident, Place, RawValue};
use sgfstream_engine::{Out, Part, PartEnd, PartOffset};
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
use crate::report::regex_error;
use crate::report::rows::RowWriter;
use crate::report::terminal::clean;

/// Print matching lines of comments and node names, with their places.
///
/// Each output line is `FILE#GAME PATH move N C: TEXT`. To draw the node, run `sgfq board FILE#GAME --node PATH`. Moves are
/// counted on the main line. `-c`, `-l`, `-n` and `-v` work as in grep, but count and select games. If no game is selected,
/// the exit status is 1.
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

    /// Print the number of matching games of each file, as FILE:N.
    #[arg(short, long)]
    count: bool,

    /// Print the name of each file with a matching game.
    #[arg(short = 'l', long)]
    files_with_matches: bool,

    /// With -l, print FILE#GAME for each matching game. Matching lines always have the number.
    #[arg(short = 'n', long)]
    game_numbers: bool,

    /// Select the games that do *not* match; they are printed as FILE#GAME.
    #[arg(short = 'v', long)]
    invert: bool,

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

/// Unit of the output, as `-c`, `-l` and `-v` select it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GrepAnswer {
    Lines,
    /// The reference of each selected game.
    Games,
    Files,
    Counts,
}

impl GrepAnswer {
    /// Columns of a row.
    fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Lines => &["file", "game", "node", "move", "property", "text"],
            Self::Games => &["file", "game"],
            Self::Files => &["file"],
            Self::Counts => &["file", "games"],
        }
    }
}

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
    answer: GrepAnswer,
    /// Whether to select the games without a match.
    is_inverted: bool,
}

/// Lines of the games of a part, and how many games of each file were selected.
#[derive(Default)]
struct GrepOutput {
    lines: Lines,
    files: Vec<FileCount>,
}

/// Count of the selected games of a file or of a part of it.
struct FileCount {
    name: String,
    /// Whether the part begins its file.
    is_start: bool,
    games: u64,
}

impl threads::Output for GrepOutput {
    fn shift(&mut self, before: &PartOffset) {
        self.lines.shift(before);
    }

    fn emptied(self) -> Option<Self> {
        Some(Self { lines: self.lines.emptied()?, files: Vec::new() })
    }

    fn is_full(&self) -> bool {
        self.lines.is_full()
    }
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
    has_match: bool,
    /// Whether the game exceeds the memory limit, so that its match is unknown.
    is_long: bool,
}

/// Place of the searched game.
struct SearchedGame<'p> {
    file: &'p str,
    game: u64,
    /// Whether the number of the game counts from the start of its file, not only of its part.
    is_final: bool,
    charset: Charset,
}

impl SearchedGame<'_> {
    fn write_number(&self, lines: &mut Lines) {
        match self.is_final {
            true => lines.text.extend_from_slice(self.game.to_string().as_bytes()),
            false => lines.push_late(self.game as i64, |before| before.games),
        }
    }

    /// Writes `FILE#GAME`.
    fn write_reference(&self, lines: &mut Lines) {
        lines.text.extend_from_slice(clean(self.file).as_bytes());
        if !self.file.ends_with(&format!("#{}", self.game)) {
            lines.text.push(b'#');
            self.write_number(lines);
        }
    }

    /// Writes the first two cells of a row.
    fn write_cells(&self, rows: &RowWriter, lines: &mut Lines) {
        rows.cell(0, Cell::Text(self.file), &mut lines.text);
        rows.start_cell(1, &mut lines.text);
        self.write_number(lines);
        rows.end_cell(&mut lines.text);
    }
}

impl Search<'_> {
    fn wanted(&self, ident: Ident<'_>) -> Option<usize> {
        self.idents.iter().position(|wanted| ident.is(wanted.as_bytes()))
    }

    /// Searches the games of a part.
    fn read(&self, walk: &mut Walk, part: Part<'_>, out: &mut Out<'_, GrepOutput>) -> anyhow::Result<PartEnd> {
        let (file, is_start) = (shown_name(&part), part.is_start());
        let is_one = part.game().is_some();
        let is_stopped = StdCell::new(false);
        let _ = walk.state.end_input();
        let mut games = 0;
        let end = self.chooser.read(part, |mut reader| {
            let mut long_games = Vec::new();
            reader.hold_games();
            reader.drive(&mut |event: &Event<'_>, place: &Place| {
                let game = place.game;
                let _ = walk.state.event(event, place);
                let at = SearchedGame { file: &file, game, is_final: is_start || is_one, charset: place.charset };
                let ends_node = matches!(
                    event,
                    Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. }
                );
                if ends_node || walk.waiting.bytes.len() > WAITING {
                    self.search(walk, &at, &mut out.lines);
                }
                match event {
                    Event::VariationStart { .. } if place.depth == 1 => {
                        walk.path.start_game();
                        (walk.has_match, walk.is_long) = (false, false);
                    }
                    Event::VariationStart { .. } => _ = walk.path.push(),
                    Event::VariationEnd { .. } => {
                        walk.path.pop();
                        if place.depth == 1 && !walk.is_long && walk.has_match != self.is_inverted {
                            games += 1;
                            self.write_game(&at, &mut out.lines);
                        }
                    }
                    Event::NodeStart { .. } => walk.path.node(),
                    Event::Property(property) => {
                        if let Some(ident) = self.wanted(property.ident()) {
                            property.values().for_each(|value| walk.waiting.push(ident, value));
                        }
                    }
                    // The game exceeds the memory limit.
                    _ if event.ident().is_some() => {
                        walk.is_long = true;
                        long_games.push(game);
                        return Flow::SkipGame;
                    }
                    _ => {}
                }
                is_stopped.set(is_stopped.get() || out.is_full() && !out.hand_out());
                match walk.has_match && self.answer != GrepAnswer::Lines {
                    _ if is_stopped.get() => Flow::Stop,
                    true => Flow::SkipGame,
                    false => Flow::Go,
                }
            })?;
            Ok(reader.finish()?.with_long_games(long_games))
        });
        out.files.push(FileCount { name: file, is_start, games });
        end
    }

    /// Writes the reference of a selected game, if references are wanted.
    fn write_game(&self, at: &SearchedGame<'_>, lines: &mut Lines) {
        match &self.rows {
            _ if self.answer != GrepAnswer::Games => {}
            None => {
                at.write_reference(lines);
                lines.text.push(b'\n');
            }
            Some(rows) => {
                at.write_cells(rows, lines);
                rows.end_row(&mut lines.text);
            }
        }
    }

    /// Writes the line of a file, if it has one.
    fn write_file(&self, FileCount { name, games, .. }: &FileCount, out: &mut dyn Write) -> anyhow::Result<()> {
        let cells = [Cell::Text(name), Cell::Int(*games as i64)];
        let cells = match self.answer {
            GrepAnswer::Counts => &cells[..],
            GrepAnswer::Files if *games > 0 => &cells[..1],
            _ => return Ok(()),
        };
        let mut line = Vec::new();
        match &self.rows {
            None => {
                let texts: Vec<String> = cells.iter().map(|cell| clean(&cell.to_string()).into_owned()).collect();
                writeln!(line, "{}", texts.join(":"))?;
            }
            Some(rows) => rows.row(cells.iter().copied(), &mut line),
        }
        Ok(out.write_all(&line)?)
    }

    /// Writes the matching lines of the buffered texts.
    fn search(&self, walk: &mut Walk, at: &SearchedGame<'_>, lines: &mut Lines) {
        let Walk { state, path, waiting, has_match, .. } = walk;
        for (ident, span, framing) in waiting.texts.drain(..) {
            let value = RawValue::new(&waiting.bytes[span], framing).with_charset(at.charset);
            let text = value.text();
            if self.answer != GrepAnswer::Lines {
                *has_match = *has_match || text.lines().any(|line| self.regex.is_match(line));
                continue;
            }
            let found = text.lines().filter_map(|line| Some((line, self.regex.find(line)?)));
            for (line, found) in found {
                *has_match = true;
                let ply = path.is_main_line().then(|| state.ply());
                let Some(rows) = &self.rows else {
                    at.write_reference(lines);
                    let ply = ply.map_or_else(String::new, |ply| format!(" move {ply}"));
                    let line = if self.is_shown { window(line, found.range()) } else { line.to_owned() };
                    let text = format!(" {path}{ply} {}: {}\n", self.idents[ident], clean(line.trim()));
                    lines.text.extend_from_slice(text.as_bytes());
                    continue;
                };
                at.write_cells(rows, lines);
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
        let regex = regex.map_err(|err| regex_error(&self.pattern, &err))?;
        let is_shown = self.io.is_shown(out);
        let rows = self.io.destination.format(self.format, FORMATS)?.rows();
        let answer = match (self.files_with_matches, self.count) {
            (true, _) if !self.game_numbers => GrepAnswer::Files,
            (false, true) => GrepAnswer::Counts,
            (is_files, _) if is_files || self.invert => GrepAnswer::Games,
            _ => GrepAnswer::Lines,
        };
        let rows = rows.map(|format| RowWriter::new(format, answer.columns().iter().copied(), is_shown));
        let head = rows.as_ref().map_or_else(Vec::new, RowWriter::head);
        let chooser = self.io.choice.parse()?;
        let (idents, is_inverted) = (&self.idents[..], self.invert);
        let search = Search { regex, idents, chooser, rows, is_shown, answer, is_inverted };
        let worker = || Walk { state: GameState::new(RootRetention::Line), ..Walk::default() };
        let job = threads::each_part(worker, |walk, part, lines| search.read(walk, part, lines));
        let (mut has_found, mut file) = (false, None::<FileCount>);
        let exit = self.io.with(out, |out| {
            out.write_all(&head)?;
            let exit = self.io.answer(is_shown, search.chooser.cut(threads::ANSWER), &job, |unit| {
                let Some(found) = &mut unit.output else { return Ok(()) };
                for part in found.files.drain(..) {
                    has_found |= part.games > 0;
                    match &mut file {
                        Some(file) if !part.is_start => file.games += part.games,
                        _ => file.replace(part).map_or(Ok(()), |file| search.write_file(&file, out))?,
                    }
                }
                Ok(out.write_all(&found.lines.text)?)
            })?;
            file.map_or(Ok(()), |file| search.write_file(&file, out))?;
            Ok(exit)
        })?;
        Ok(self.io.inputs.or_none(exit, has_found))
    }
}
