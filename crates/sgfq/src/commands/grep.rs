//! `sgfq grep`: finds a text in the games.

use std::io::Write;
use std::ops::Range;

use clap::Args;
use regex::{Regex, RegexBuilder};

use sgfstream::Property;
use sgfstream::record::{GameItem, Token, TokenKind};
use sgfstream_engine::{Out, Part, PartEnd};
use sgfstream_game::{Facts, internal::TreePath};
use sgfstream_table::row::{Cell, ColumnSet, FilledRow, RowReader};

use crate::args::input::shown_name;
use crate::args::io::Io;
use crate::args::threads::Lines;
use crate::args::threads::{self, OutputTiming, Pool};
use crate::args::where_games::Chooser;
use crate::io::output::Output;
use crate::report::exit::Exit;
use crate::report::format::Format;
use crate::report::regex_error;
use crate::report::rows::RowWriter;
use crate::report::terminal::clean;

/// Print matching lines of comments and node names, with their places.
///
/// Each output line is `FILE#GAME PATH move N C: TEXT`. To draw the node, run
/// `sgfq board FILE#GAME --node PATH`. Moves are counted on the main line. `-c`, `-l`, `-n` and
/// `-v` work as in grep, but count and select games. If no game is selected, the exit status is 1.
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
    if is_ident {
        Ok(name.to_ascii_uppercase())
    } else {
        Err("write an identifier such as C or PB".to_owned())
    }
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
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        Some(&mut self.lines.text)
    }

    fn is_full(&self) -> bool {
        self.lines.is_full()
    }
}

/// Place of the searched game.
struct SearchedGame<'p> {
    file: &'p str,
    game: i64,
}

impl SearchedGame<'_> {
    /// Writes the first two cells of a row.
    fn write_cells(&self, rows: &RowWriter, lines: &mut Lines) {
        rows.cell(0, Cell::Text(self.file), &mut lines.text);
        rows.cell(1, Cell::Int(self.game), &mut lines.text);
        lines.note_number(self.game, |before| before.games);
    }
}

/// Searched place in a game.
#[derive(Default)]
struct GrepPlace {
    path: TreePath,
    /// Number of moves on the main line up to the end of the node.
    ply: u64,
}

impl Search<'_> {
    /// Searches the games of a part.
    fn read(
        &self,
        filled: &mut FilledRow,
        part: Part<'_>,
        out: &mut Out<'_, GrepOutput>,
    ) -> anyhow::Result<PartEnd> {
        let (file, is_start) = (shown_name(&part), part.is_start());
        let mut selected = 0;
        let mut rows = RowReader::of_part(part, filled)?;
        while self.chooser.next_whole(&mut rows)? {
            let Some(facts) = rows.facts() else { continue };
            let at = SearchedGame {
                file: &file,
                game: facts.record().number() as i64,
            };
            if self.search(&facts, &at, out) != self.is_inverted {
                selected += 1;
                self.write_game(&at, &mut out.lines);
            }
            if !threads::hand_out_if_full(out) {
                break;
            }
        }
        out.files.push(FileCount {
            name: file,
            is_start,
            games: selected,
        });
        Ok(rows.end()?)
    }

    /// Searches a game, and writes its matching lines if they are wanted. Returns whether it has a
    /// match.
    fn search(
        &self,
        facts: &Facts<'_>,
        at: &SearchedGame<'_>,
        out: &mut Out<'_, GrepOutput>,
    ) -> bool {
        let game = facts.record();
        let tokens = game.tokens();
        let (mut place, mut has_match, mut counted) = (GrepPlace::default(), false, 0);
        place.path.start_game();
        for (index, &token) in tokens.iter().enumerate() {
            match token.kind() {
                TokenKind::Open if index > 0 => _ = place.path.push(),
                TokenKind::Close => place.path.pop(),
                TokenKind::Node => place.path.node(),
                TokenKind::Run => {
                    for item in game.items(&tokens[index..=index]) {
                        match item {
                            GameItem::Property(_, property) => {
                                let is_counted = facts.has_letters() && place.path.is_main_line();
                                place.ply += u64::from(is_counted);
                                has_match |= self.search_property(&property, &place, at, out);
                            }
                            _ => place.path.node(),
                        }
                    }
                }
                TokenKind::Move | TokenKind::Property => {
                    // All moves of a node are counted before its texts.
                    if index >= counted {
                        counted = end_of_node(tokens, index);
                        let moves = tokens[index..counted]
                            .iter()
                            .map(|&token| facts.moves_of_token(token).count() as u64);
                        place.ply += if place.path.is_main_line() {
                            moves.sum()
                        } else {
                            0
                        };
                    }
                    has_match |= self.search_property(&game.property(token), &place, at, out);
                }
                TokenKind::Open | TokenKind::Problem => {}
            }
            if has_match && self.answer != GrepAnswer::Lines {
                break;
            }
        }
        has_match
    }

    /// Searches the values of a property, and writes the matching lines if they are wanted. Returns
    /// whether one matches.
    fn search_property(
        &self,
        property: &Property<'_>,
        place: &GrepPlace,
        at: &SearchedGame<'_>,
        out: &mut Out<'_, GrepOutput>,
    ) -> bool {
        let is_wanted = |wanted: &&String| property.ident().is(wanted.as_bytes());
        let Some(ident) = self.idents.iter().find(is_wanted) else {
            return false;
        };
        let mut has_match = false;
        for value in property.values() {
            for line in value.text().lines() {
                let Some(found) = self.regex.find(line) else {
                    continue;
                };
                has_match = true;
                if self.answer != GrepAnswer::Lines {
                    return true;
                }
                self.write_match(ident, line, found.range(), place, at, &mut out.lines);
                // A game may have far more lines than fit into memory.
                threads::hand_out_if_full(out);
            }
        }
        has_match
    }

    fn write_match(
        &self,
        ident: &str,
        line: &str,
        found: Range<usize>,
        GrepPlace { path, ply }: &GrepPlace,
        at: &SearchedGame<'_>,
        lines: &mut Lines,
    ) {
        let ply = path.is_main_line().then_some(*ply);
        let Some(rows) = &self.rows else {
            lines.push_reference(at.file, at.game);
            let ply = ply.map_or_else(String::new, |ply| format!(" move {ply}"));
            let line = if self.is_shown {
                window(line, found)
            } else {
                line.to_owned()
            };
            let text = format!(" {path}{ply} {ident}: {}\n", clean(line.trim()));
            lines.text.extend_from_slice(text.as_bytes());
            return;
        };
        at.write_cells(rows, lines);
        rows.cell(2, Cell::Text(&path.to_string()), &mut lines.text);
        rows.cell(
            3,
            ply.map_or(Cell::Null, |ply| Cell::Int(ply as i64)),
            &mut lines.text,
        );
        rows.cell(4, Cell::Text(ident), &mut lines.text);
        rows.cell(5, Cell::Text(line), &mut lines.text);
        rows.end_row(&mut lines.text);
    }

    /// Writes the reference of a selected game, if references are wanted.
    fn write_game(&self, at: &SearchedGame<'_>, lines: &mut Lines) {
        match &self.rows {
            _ if self.answer != GrepAnswer::Games => {}
            None => {
                lines.push_reference(at.file, at.game);
                lines.text.push(b'\n');
            }
            Some(rows) => {
                at.write_cells(rows, lines);
                rows.end_row(&mut lines.text);
            }
        }
    }

    /// Writes the line of a file, if it has one.
    fn write_file(
        &self,
        FileCount { name, games, .. }: &FileCount,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let cells = [Cell::Text(name), Cell::Int(*games as i64)];
        let cells = match self.answer {
            GrepAnswer::Counts => &cells[..],
            GrepAnswer::Files if *games > 0 => &cells[..1],
            _ => return Ok(()),
        };
        let mut line = Vec::new();
        match &self.rows {
            None => {
                let texts: Vec<String> = cells
                    .iter()
                    .map(|cell| clean(&cell.to_string()).into_owned())
                    .collect();
                writeln!(line, "{}", texts.join(":"))?;
            }
            Some(rows) => rows.row(cells.iter().copied(), &mut line),
        }
        Ok(out.write_all(&line)?)
    }
}

/// Returns the index of the token after the properties of a node. `from` is one of them.
fn end_of_node(tokens: &[Token], from: usize) -> usize {
    let ends = |token: &Token| {
        !matches!(
            token.kind(),
            TokenKind::Move | TokenKind::Property | TokenKind::Problem
        )
    };
    tokens[from..]
        .iter()
        .position(ends)
        .map_or(tokens.len(), |len| from + len)
}

/// Returns a line, shortened if it is long, with the match inside.
fn window(line: &str, found: Range<usize>) -> String {
    if line.chars().nth(SHOWN).is_none() {
        return line.to_owned();
    }
    let before = line[..found.start]
        .char_indices()
        .rev()
        .nth(SHOWN / 4)
        .map_or(0, |(at, _)| at);
    let end = line[before..]
        .char_indices()
        .nth(SHOWN)
        .map_or(line.len(), |(at, _)| before + at);
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!(
        "{}{}{}",
        dots(before > 0),
        &line[before..end],
        dots(end < line.len())
    )
}

impl Grep {
    pub(crate) fn run(self, out: &mut Output) -> anyhow::Result<Exit> {
        let pattern = if self.fixed {
            regex::escape(&self.pattern)
        } else {
            self.pattern.clone()
        };
        let regex = RegexBuilder::new(&pattern)
            .case_insensitive(self.ignore_case)
            .build();
        let regex = regex.map_err(|err| regex_error(&self.pattern, &err))?;
        let is_shown = self.io.is_shown(out);
        let timing = OutputTiming::Streamed { is_shown };
        let format = self.io.destination.format(self.format, FORMATS)?;
        let answer = match (self.files_with_matches, self.count) {
            (true, _) if !self.game_numbers => GrepAnswer::Files,
            (false, true) => GrepAnswer::Counts,
            (is_files, _) if is_files || self.invert => GrepAnswer::Games,
            _ => GrepAnswer::Lines,
        };
        let names = answer.columns().iter().copied();
        let rows = format
            .is_rows()
            .then(|| RowWriter::new(format, names, is_shown));
        let head = rows.as_ref().map_or_else(Vec::new, RowWriter::head);
        let chooser = self.io.choice.parse()?;
        let (idents, is_inverted) = (&self.idents[..], self.invert);
        let search = Search {
            regex,
            idents,
            chooser,
            rows,
            is_shown,
            answer,
            is_inverted,
        };
        let row = || search.chooser.row(ColumnSet::default());
        let job = threads::each_part(row, |filled, part, lines| search.read(filled, part, lines));
        let (mut has_found, mut file) = (false, None::<FileCount>);
        let exit = self.io.with(out, |out| {
            out.write_all(&head)?;
            let exit = self.io.read(timing, threads::ANSWER, &job, |result| {
                let found = &mut result.output;
                for part in found.files.drain(..) {
                    has_found |= part.games > 0;
                    match &mut file {
                        Some(file) if !part.is_start => file.games += part.games,
                        _ => file
                            .replace(part)
                            .map_or(Ok(()), |file| search.write_file(&file, out))?,
                    }
                }
                Ok(out.write_all(found.lines.numbered(&result.before))?)
            })?;
            file.map_or(Ok(()), |file| search.write_file(&file, out))?;
            Ok(exit)
        })?;
        Ok(self.io.inputs.or_none(exit, has_found))
    }
}
