//! Patterns: a rectangle of cells, the contents that each accepts, and the edges of the board that
//! it touches.

use std::ops::Range;

use sgfstream_game::{BoardCell, board::Symmetry};

use crate::filter::FilterError;

use super::Transform;

/// Contents that a cell accepts, one bit each.
pub(super) const EMPTY: u8 = 1;
pub(super) const BLACK: u8 = 2;
pub(super) const WHITE: u8 = 4;
pub(super) const ANY: u8 = 15;

/// Maximum side of a pattern.
const SIDE_MAX: usize = 64;

/// A rectangle of cells as text: one row a line, or rows separated by `/`.
///
/// | | |
/// |---|---|
/// | `X` `O` | a black stone, a white stone (the first and the second color) |
/// | `.` | an empty cell |
/// | `x` `o` | a black stone or empty, a white stone or empty |
/// | `?` | anything |
/// | `*` | an empty cell on which the next move within the pattern is played |
/// | `1` to `9` | empty cells of the next moves within the pattern, in this order, with alternating colors |
/// | `\|` | at the start or end of each row: the left or the right edge of the board |
/// | `---` | a row of `-` and `+`, first or last: the upper or the lower edge |
///
/// Blanks within a row, empty lines, and lines that begin with `#` are ignored.
///
/// ```
/// use sgfstream_table::find::Pattern;
///
/// assert!(Pattern::parse("---\n|..\n|.X").is_ok());
/// let err = Pattern::parse("..X/.O").expect_err("one row is shorter");
/// assert_eq!(
///     err.to_string(),
///     "character 5: expected a row of 3 cells like the first, found 2\n  ..X/.O\n      ^^"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    columns: usize,
    rows: usize,
    /// Contents that each cell accepts, row by row.
    cells: Vec<u8>,
    /// Fields of the moves that must follow, in order.
    labels: Vec<(u32, u32)>,
    /// Top, right, bottom, left.
    edges: [bool; 4],
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    ///
    /// Returns an error for an unknown sign, rows of different lengths, inconsistent edges, or a
    /// pattern that accepts everything.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        Parser {
            text,
            rows: Vec::new(),
            edges: [false; 4],
            labels: Vec::new(),
        }
        .parse()
    }

    /// Returns the columns and rows.
    #[must_use]
    pub fn size(&self) -> (u32, u32) {
        (self.columns as u32, self.rows as u32)
    }

    /// Returns whether no cell needs a stone and the pattern touches no corner. Nearly every board
    /// matches such a pattern in many places.
    #[must_use]
    pub fn is_broad(&self) -> bool {
        let [top, right, bottom, left] = self.edges;
        let is_corner = (top || bottom) && (left || right);
        !is_corner && self.cells.iter().all(|accepted| accepted & EMPTY != 0)
    }

    /// Draws the rows with their edges, and replaces each cell for which `label` returns a
    /// character.
    ///
    /// ```
    /// use sgfstream_table::find::Pattern;
    ///
    /// let pattern = Pattern::parse("|.X/|..").expect("a pattern");
    /// let drawn = pattern.draw(|field| ((field.column, field.row) == (0, 1)).then_some('A'));
    /// assert_eq!(drawn, "|.X\n|A.\n");
    /// ```
    #[must_use]
    pub fn draw(&self, label: impl Fn(BoardCell) -> Option<char>) -> String {
        let [top, right, bottom, left] = self.edges;
        let line = format!(
            "{}{}{}\n",
            if left { "+" } else { "" },
            "-".repeat(self.columns),
            if right { "+" } else { "" }
        );
        let mut out = if top { line.clone() } else { String::new() };
        for row in 0..self.rows {
            out.push_str(if left { "|" } else { "" });
            for column in 0..self.columns {
                let field = BoardCell::new(column as u16, row as u16);
                out.push(label(field).unwrap_or_else(|| self.character(column, row)));
            }
            out.push_str(if right { "|" } else { "" });
            out.push('\n');
        }
        if bottom {
            out.push_str(&line);
        }
        out
    }

    fn character(&self, column: usize, row: usize) -> char {
        if let Some(at) = self
            .labels
            .iter()
            .position(|&label| label == (column as u32, row as u32))
        {
            return char::from(b'1' + at as u8);
        }
        match self.cells[row * self.columns + column] {
            EMPTY => '.',
            BLACK => 'X',
            WHITE => 'O',
            accepted if accepted == EMPTY | BLACK => 'x',
            accepted if accepted == EMPTY | WHITE => 'o',
            _ => '?',
        }
    }

    /// Returns the cells that do not accept everything, with the contents that they accept.
    pub(super) fn cells(&self) -> impl Iterator<Item = ((u32, u32), u8)> + '_ {
        let at = |(index, &accepted): (usize, &u8)| {
            (
                ((index % self.columns) as u32, (index / self.columns) as u32),
                accepted,
            )
        };
        self.cells
            .iter()
            .enumerate()
            .map(at)
            .filter(|&(_, accepted)| accepted != ANY)
    }

    pub(super) fn labels(&self) -> &[(u32, u32)] {
        &self.labels
    }

    /// Returns the possible columns of its left border and rows of its upper border on a board.
    pub(super) fn corners(&self, (columns, rows): (u32, u32)) -> (Range<u32>, Range<u32>) {
        let [top, right, bottom, left] = self.edges;
        let along = |side: u32, len: u32, at_start: bool, at_end: bool| match len.checked_sub(side)
        {
            None => 0..0,
            Some(last) if at_start && at_end => 0..u32::from(last == 0),
            Some(_) if at_start => 0..1,
            Some(last) if at_end => last..last + 1,
            Some(last) => 0..last + 1,
        };
        let (width, height) = self.size();
        (
            along(width, columns, left, right),
            along(height, rows, top, bottom),
        )
    }

    /// Returns the pattern in the orientation of a game.
    pub(super) fn changed(&self, transform: Transform) -> Self {
        let size = self.size();
        let (columns, rows) = transform.symmetry.size(size);
        let mut cells = vec![ANY; self.cells.len()];
        for (field, accepted) in self.cells() {
            let (column, row) = transform.symmetry.apply(field, size);
            let exchanged =
                (accepted & (EMPTY | 8)) | (accepted & BLACK) << 1 | (accepted & WHITE) >> 1;
            cells[(row * columns + column) as usize] = if transform.is_exchanged {
                exchanged
            } else {
                accepted
            };
        }
        // Find the new edges by the middles of the four sides of a 3 x 3 board.
        let middles = [(1, 0), (2, 1), (1, 2), (0, 1)];
        let mut edges = [false; 4];
        for (&middle, is_edge) in middles.iter().zip(self.edges) {
            let turned = transform.symmetry.apply(middle, (3, 3));
            if let Some(at) = middles.iter().position(|&middle| middle == turned) {
                edges[at] = is_edge;
            }
        }
        let labels = self
            .labels
            .iter()
            .map(|&label| transform.symmetry.apply(label, size))
            .collect();
        Self {
            columns: columns as usize,
            rows: rows as usize,
            cells,
            labels,
            edges,
        }
    }

    /// Returns the transforms of the pattern, each with its result and one for each different
    /// result; and the transforms that leave the pattern unchanged.
    pub(super) fn transforms(
        &self,
        from: impl Iterator<Item = Transform>,
    ) -> (Vec<(Transform, Self)>, Vec<Transform>) {
        let (mut all, mut same): (Vec<(Transform, Self)>, _) = (Vec::new(), Vec::new());
        for transform in from.filter(|transform| Symmetry::ALL.contains(&transform.symmetry)) {
            let changed = self.changed(transform);
            if changed == *self {
                same.push(transform);
            }
            if all.iter().all(|(_, known)| *known != changed) {
                all.push((transform, changed));
            }
        }
        (all, same)
    }
}

struct Parser<'t> {
    text: &'t str,
    /// Each row, and its place in the text.
    rows: Vec<(Vec<u8>, Range<usize>)>,
    edges: [bool; 4],
    /// The number of each label, its cell, and its place in the text.
    labels: Vec<(u8, (u32, u32), Range<usize>)>,
}

const TOP: usize = 0;
const RIGHT: usize = 1;
const BOTTOM: usize = 2;
const LEFT: usize = 3;

impl Parser<'_> {
    fn fault<T>(&self, message: impl Into<String>, span: Range<usize>) -> Result<T, FilterError> {
        Err(FilterError::new(message, self.text, span))
    }

    fn parse(mut self) -> Result<Pattern, FilterError> {
        let mut start = 0;
        for line in self.text.split(['\n', '/']) {
            let blanks = line.len() - line.trim_start().len();
            let (from, row) = (start + blanks, line.trim());
            start += line.len() + 1;
            if !row.is_empty() && !row.starts_with('#') {
                self.line(row, from..from + row.len())?;
            }
        }
        let whole = 0..self.text.len();
        let Some((first, _)) = self.rows.first() else {
            return self.fault(
                "the pattern is empty; write rows of cells such as `.X.`",
                whole,
            );
        };
        let columns = first.len();
        if let Some((row, span)) = self.rows.iter().find(|(row, _)| row.len() != columns) {
            let message = format!(
                "expected a row of {columns} cells like the first, found {}",
                row.len()
            );
            return self.fault(message, span.clone());
        }
        if let Some((_, span)) = self.rows.get(SIDE_MAX) {
            return self.fault(
                format!("the pattern has more than {SIDE_MAX} rows"),
                span.clone(),
            );
        }
        let cells: Vec<u8> = self
            .rows
            .iter()
            .flat_map(|(row, _)| row.iter().copied())
            .collect();
        if cells.iter().all(|&accepted| accepted == ANY) {
            return self.fault("expected a stone or an empty cell, found only `?`", whole);
        }
        self.labels.sort_by_key(|(number, ..)| *number);
        for (at, (number, _, span)) in self.labels.iter().enumerate() {
            if usize::from(*number) != at + 1 {
                let message = format!(
                    "expected the labels 1, 2, … each once, found {number} instead of {}",
                    at + 1
                );
                return self.fault(message, span.clone());
            }
        }
        let labels = self.labels.iter().map(|(_, field, _)| *field).collect();
        Ok(Pattern {
            columns,
            rows: self.rows.len(),
            cells,
            labels,
            edges: self.edges,
        })
    }

    fn line(&mut self, line: &str, span: Range<usize>) -> Result<(), FilterError> {
        if self.edges[BOTTOM] {
            return self.fault(
                "expected the end of the pattern after its lower edge, found a row",
                span,
            );
        }
        if line.contains('-')
            && line
                .bytes()
                .all(|byte| matches!(byte, b'-' | b'+' | b'|' | b' '))
        {
            let side = if self.rows.is_empty() { TOP } else { BOTTOM };
            if self.edges[side] {
                return self.fault(
                    "expected cells below the upper edge, found another edge",
                    span,
                );
            }
            self.edges[side] = true;
            return Ok(());
        }
        let (is_left, inner) = line
            .strip_prefix('|')
            .map_or((false, line), |inner| (true, inner));
        let (is_right, inner) = inner
            .strip_suffix('|')
            .map_or((false, inner), |inner| (true, inner));
        let is_first = self.rows.is_empty();
        for (side, is_edge, place) in [(LEFT, is_left, "start"), (RIGHT, is_right, "end")] {
            if is_first {
                self.edges[side] = is_edge;
            } else if self.edges[side] != is_edge {
                return self.fault(
                    format!("expected `|` at the {place} of every row or of no row"),
                    span,
                );
            }
        }
        let mut row = Vec::new();
        let from = span.start + usize::from(is_left);
        for (at, sign) in inner
            .char_indices()
            .filter(|(_, sign)| !sign.is_whitespace())
        {
            let place = from + at..from + at + sign.len_utf8();
            let accepted = match sign {
                'X' => BLACK,
                'O' => WHITE,
                '.' => EMPTY,
                'x' => EMPTY | BLACK,
                'o' => EMPTY | WHITE,
                '?' => ANY,
                '*' | '1'..='9' => {
                    let number = if sign == '*' { 1 } else { sign as u8 - b'0' };
                    self.labels.push((
                        number,
                        (row.len() as u32, self.rows.len() as u32),
                        place.clone(),
                    ));
                    EMPTY
                }
                _ => {
                    let message = format!(
                        "expected `X`, `O`, `.`, `x`, `o`, `?`, `*` or 1 to 9, found `{sign}`"
                    );
                    return self.fault(message, place);
                }
            };
            if row.len() == SIDE_MAX {
                return self.fault(format!("a row has more than {SIDE_MAX} cells"), place);
            }
            row.push(accepted);
        }
        if row.is_empty() {
            return self.fault("the pattern has no cells between its edges", span);
        }
        self.rows.push((row, span));
        Ok(())
    }
}
