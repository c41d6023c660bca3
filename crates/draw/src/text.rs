//! Diagrams as text: the board with the names of its columns and rows, and a list of marks that do
//! not fit on it.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::diagram::Diagram;
use crate::layout::{DrawnCell, Style};
use crate::marks::BoardMark;

/// Maximum characters of a label on the board.
const LABEL: usize = 3;

impl Diagram {
    /// Returns the text of a cell.
    fn content(&self, &DrawnCell { field, is_star, .. }: &DrawnCell) -> Cow<'static, str> {
        let board = self.position.character(field);
        let pods = self.pods(field).len();
        let is_empty = board == '.';
        let mut content = if is_empty {
            String::new()
        } else {
            board.to_string()
        };
        if pods > 1 {
            content = format!("{board}{pods}");
        } else if let Some(number) = self.numbers.get(&field) {
            _ = write!(content, "{number}");
        } else if let Some(label) = self.marks.labels.get(&field).filter(|label| fits(label)) {
            content.push_str(label);
        } else if let Some(mark) = self.marks.on(field).next() {
            content.push(mark.symbol());
        }
        match content.is_empty() {
            true => Cow::Borrowed(if is_star { "+" } else { "." }),
            false => Cow::Owned(content),
        }
    }

    /// Returns the board with the names of its columns and rows, line by line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let layout = &self.layout;
        let is_hexagonal = layout.style == Style::Hexagons;
        let contents: Vec<_> = layout.cells.iter().map(|cell| self.content(cell)).collect();
        let width = contents
            .iter()
            .map(|content| content.chars().count())
            .max()
            .unwrap_or(1);
        let half = if is_hexagonal {
            width / 2 + 1
        } else {
            width + 1
        };
        let first = layout
            .cells
            .iter()
            .map(|cell| cell.place.0)
            .min()
            .unwrap_or(0);
        let edges = layout.edges();
        let margin = edges.as_ref().map_or(1, |[_, rows]| {
            2 + rows.iter().map(|row| row.0.len()).max().unwrap_or(0)
        });
        let x = |cell: &DrawnCell| {
            let halves = (cell.place.0 - first) as usize;
            margin
                + if is_hexagonal {
                    halves * half
                } else {
                    halves / 2 * half
                }
        };
        let above = edges.as_ref().map_or(0, |[columns, _]| {
            columns.iter().map(|name| name.0.len()).max().unwrap_or(0)
        });
        let mut page = Page::default();
        for (cell, content) in layout.cells.iter().zip(&contents) {
            let (x, y) = (x(cell), above + cell.place.1 as usize);
            page.put(x, y, content);
            if self.last.contains(&cell.field) {
                page.put_beside(x - 1, y, '(');
                page.put_beside(x + content.chars().count(), y, ')');
            }
        }
        let Some([columns, rows]) = edges else {
            return page.lines();
        };
        for (name, cell) in columns {
            if is_hexagonal && cell.place.1 > 0 {
                // The name follows the last cell of the line above.
                page.put(x(cell) + half, above + cell.place.1 as usize - 1, name);
                continue;
            }
            for (at, letter) in name.chars().enumerate() {
                page.put(
                    x(cell),
                    above - name.len() + at,
                    letter.encode_utf8(&mut [0; 4]),
                );
            }
        }
        for (name, cell) in rows {
            page.put(
                x(cell) - 2 - name.len(),
                above + cell.place.1 as usize,
                name,
            );
        }
        for (name, cell) in layout.column_ends() {
            for (at, digit) in name.chars().enumerate() {
                page.put(
                    x(cell),
                    above + cell.place.1 as usize + 1 + at,
                    digit.encode_utf8(&mut [0; 4]),
                );
            }
        }
        page.lines()
    }

    /// Returns a line for each mark, label or stone that the board does not show in full. Labels
    /// are unchanged from the file: remove control characters before printing them on a terminal.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let fields = || self.layout.cells.iter().map(|cell| cell.field);
        let mut notes = Vec::new();
        for &mark in BoardMark::ALL {
            let names: Vec<_> = fields()
                .filter(|&field| self.marks.has(mark, field))
                .map(|field| self.name(field))
                .collect();
            if !names.is_empty() {
                notes.push(format!("{mark}: {}", names.join(" ")));
            }
        }
        for (&field, label) in &self.marks.labels {
            if !fits(label) || self.numbers.contains_key(&field) {
                notes.push(format!("label {}: {label}", self.name(field)));
            }
        }
        for line in &self.marks.lines {
            let kind = if line.is_arrow { "arrow" } else { "line" };
            notes.push(format!(
                "{kind} {} to {}",
                self.name(line.from),
                self.name(line.to)
            ));
        }
        let pods: Vec<String> = fields()
            .flat_map(|field| self.pods(field).iter().map(move |pod| (field, pod)))
            .map(|(field, pod)| format!("{}{}", self.name(field), pod.prongs))
            .collect();
        if !pods.is_empty() {
            notes.push(format!("pods: {}", pods.join(" ")));
        }
        let count = |count: u64, what: &str| match count {
            1 => format!("1 {what}"),
            count => format!("{count} {what}s"),
        };
        if self.hidden > 0 {
            notes.push(format!("not shown: {}", count(self.hidden as u64, "stone")));
        }
        if self.undrawn() > 0 {
            notes.push(format!(
                "not on this board: {}",
                count(self.undrawn() as u64, "stone")
            ));
        }
        if self.marks.unread > 0 {
            notes.push(format!(
                "not on this board: {}",
                count(self.marks.unread, "mark")
            ));
        }
        notes
    }
}

/// Returns whether a label fits on the board: short, and with one column per character.
fn fits(label: &str) -> bool {
    !label.is_empty() && label.len() <= LABEL && label.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Lines of text that are written at any coordinates.
#[derive(Default)]
struct Page(Vec<Vec<char>>);

impl Page {
    fn at(&mut self, x: usize, y: usize) -> &mut char {
        if self.0.len() <= y {
            self.0.resize(y + 1, Vec::new());
        }
        let line = &mut self.0[y];
        if line.len() <= x {
            line.resize(x + 1, ' ');
        }
        &mut line[x]
    }

    fn put(&mut self, x: usize, y: usize, text: &str) {
        for (at, char) in text.chars().enumerate() {
            *self.at(x + at, y) = char;
        }
    }

    /// Writes a bracket. If two adjacent cells belong to one move, the gap between them stays
    /// blank.
    fn put_beside(&mut self, x: usize, y: usize, bracket: char) {
        let place = self.at(x, y);
        *place = if *place == ')' { ' ' } else { bracket };
    }

    fn lines(self) -> Vec<String> {
        let lines = self.0.into_iter();
        lines.map(|line| line.into_iter().collect()).collect()
    }
}
