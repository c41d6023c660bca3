//! Draws the trees of a file as text: each variation is a paragraph, indented by its depth, with
//! long values truncated.

use std::io::{self, Write};

use sgfstream::record::{GameItem, GameReader};
use sgfstream::{Charset, EventReader, Position, Problem, Property, RawValue};
use sgfstream_adapt::check::FindingPlace;
use sgfstream_engine::{Part, PartEnd, PartReader};
use sgfstream_table::row::{ColumnSet, RowReader};

use crate::args::where_games::Chooser;
use crate::report::terminal::clean;

/// Maximum characters of a value shown.
const VALUE: usize = 40;
/// Maximum values of a property shown.
const VALUES: usize = 8;
/// Columns of a line.
const WIDTH: usize = 100;
/// Maximum depth shown by indentation. Deeper levels show their number.
const INDENT: u64 = 24;

pub(super) fn write(
    out: &mut dyn Write,
    part: Part<'_>,
    chooser: &Chooser,
) -> anyhow::Result<PartEnd> {
    let mut filled = chooser.row(ColumnSet::default());
    let mut rows = RowReader::of_part_in_context(part, &mut filled);
    let mut page = Page {
        out,
        column: 0,
        indent: 0,
    };
    loop {
        match chooser.next_game(&mut rows).map(|game| game.is_some()) {
            Ok(true) => page.draw(rows.games())?,
            Ok(false) => break,
            Err(err) => {
                if chooser.partial_game(&rows).is_some() {
                    page.draw(rows.games())?;
                }
                return Err(err);
            }
        }
    }
    let mut place = FindingPlace::new(rows.games(), Charset::AUTO);
    for problem in rows.games().trailing_problems() {
        page.problem(problem, &mut place)?;
    }
    Ok(rows.end()?)
}

fn shown(value: RawValue<'_>, charset: Charset) -> String {
    // Decodes no more bytes than can be shown.
    let bytes = value.as_bytes();
    let head = &bytes[..bytes.len().min(VALUE * 8)];
    let text = RawValue::new(head, value.framing())
        .with_charset(charset)
        .text();
    let text = clean(&text);
    let mut short: String = text.chars().take(VALUE).collect();
    if short.len() < text.len() || head.len() < bytes.len() {
        short.push('…');
    }
    short
}

struct Page<'o> {
    out: &'o mut dyn Write,
    column: usize,
    indent: usize,
}

impl Page<'_> {
    /// Draws the game that `games` has read, below the problems of the bytes before it.
    fn draw(&mut self, games: &GameReader<PartReader<'_>>) -> io::Result<()> {
        let Some(game) = games.game() else {
            return Ok(());
        };
        let mut place = FindingPlace::new(games, game.charset());
        for problem in game.problems_before() {
            self.problem(problem, &mut place)?;
        }
        let mut depth = 0;
        for item in game.items(game.tokens()) {
            match item {
                GameItem::VariationStart => {
                    depth += 1;
                    self.start(depth)?;
                    if depth == 1 {
                        self.word(&format!("game {}", game.number()))?;
                    }
                }
                GameItem::VariationEnd => depth -= 1,
                GameItem::Node => self.word(";")?,
                GameItem::Property(_, property) => self.property(&property)?,
                GameItem::Problem(problem) => self.problem(problem, &mut place)?,
                _ => {}
            }
        }
        self.end()
    }

    fn property(&mut self, property: &Property<'_>) -> io::Result<()> {
        let mut word = String::from_utf8_lossy(&property.ident().canonical()).into_owned();
        let mut values = property.values();
        for value in values.by_ref().take(VALUES) {
            word.push_str(&format!("[{}]", shown(value, property.charset())));
        }
        let left = values.count();
        if left > 0 {
            word.push_str(&format!("[… {left} more]"));
        }
        self.word(&word)
    }

    fn problem<R: EventReader>(
        &mut self,
        problem: &Problem,
        place: &mut FindingPlace<'_, R>,
    ) -> io::Result<()> {
        self.end()?;
        let Position { line, column, .. } = place.position_of(problem.span.start);
        writeln!(self.out, "  {line}:{column}: {problem}")
    }

    /// Begins the paragraph of a variation. Its first word writes the indentation, because a
    /// problem may come before it.
    fn start(&mut self, depth: u64) -> io::Result<()> {
        self.end()?;
        self.indent = (depth.min(INDENT) * 2) as usize;
        if depth > INDENT {
            self.word(&format!("(depth {depth})"))?;
        }
        Ok(())
    }

    fn word(&mut self, word: &str) -> io::Result<()> {
        let len = word.chars().count();
        if self.column == 0 {
            write!(self.out, "{:indent$}", "", indent = self.indent)?;
            self.column = self.indent;
        }
        if self.column > self.indent && self.column + len >= WIDTH {
            write!(self.out, "\n{:indent$}", "", indent = self.indent + 2)?;
            self.column = self.indent + 2;
        }
        let space = if word == ";" { "" } else { " " };
        write!(self.out, "{word}{space}")?;
        self.column += len + space.len();
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        if self.column > 0 {
            writeln!(self.out)?;
        }
        self.column = 0;
        Ok(())
    }
}
