//! Marks of a node on its board: circles, triangles, labels, lines.

use std::collections::{BTreeMap, BTreeSet};

use sgfstream::{Charset, Property};
use sgfstream_game::octi::OctiStone;
use sgfstream_game::{BoardCell, Dialect, Game, internal::BOARD_MAX, named_enum};

/// Labels for the cells of next moves, the most frequent move first.
pub const LABELS: &str = "ABCDEFGHIJKLMNPQRSTUVWYZabcdefghijklmnpqrstuvwyz";

/// Maximum characters of a label.
const LABEL: usize = 40;

/// Maximum number of lines and arrows.
const LINES: usize = 4096;

/// Bit set of cells of a drawable board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CellSet([u64; BOARD_MAX as usize]);

impl Default for CellSet {
    fn default() -> Self {
        Self([0; BOARD_MAX as usize])
    }
}

impl CellSet {
    fn insert(&mut self, field: BoardCell) {
        self.insert_between(field, field);
    }

    /// Adds the rectangle between two corners.
    fn insert_between(&mut self, one: BoardCell, other: BoardCell) {
        let last = BOARD_MAX as u16 - 1;
        let (left, right) = (one.column.min(other.column), one.column.max(other.column));
        let (top, low) = (one.row.min(other.row), one.row.max(other.row));
        if left > last || top > last {
            return;
        }
        let columns = (u64::MAX << left) & (u64::MAX >> (last - right.min(last)));
        self.0[usize::from(top)..=usize::from(low.min(last))]
            .iter_mut()
            .for_each(|row| *row |= columns);
    }

    /// Adds a cell or a rectangle of cells.
    fn mark(&mut self, raw: &[u8], dialect: &Dialect) -> Option<()> {
        if let Some(entry) = dialect.parse_rectangle(false, raw) {
            self.insert_between(entry.upper_left().into(), entry.lower_right().into());
            return Some(());
        }
        if dialect.game() == Game::Octi {
            self.insert(octi_point(raw, dialect)?);
            return Some(());
        }
        if !dialect.game().has_two_letter_points() {
            self.insert(dialect.parse_point(raw).ok()?);
            return Some(());
        }
        let entry = dialect.read_entry(raw).ok()?.value;
        let (corner, size) = (BoardCell::from(entry.upper_left()), dialect.size());
        let last = |at: u8, count: u32| u32::from(at).min(count - 1) as u16;
        let (columns, rows) = (size.columns(), size.rows());
        let other = BoardCell::new(
            last(entry.lower_right().column(), columns),
            last(entry.lower_right().row(), rows),
        );
        corner
            .is_on(size)
            .then(|| self.insert_between(corner, other))
    }

    fn contains(&self, field: BoardCell) -> bool {
        field.column < BOARD_MAX as u16
            && self
                .0
                .get(usize::from(field.row))
                .is_some_and(|row| row >> field.column & 1 == 1)
    }
}

/// Returns the point of a stone of Octi, which may name prongs. A drawing has no room for the pods
/// of a stack.
fn octi_point(raw: &[u8], dialect: &Dialect) -> Option<BoardCell> {
    OctiStone::parse(dialect.size(), raw)
        .ok()
        .map(|stone| stone.field)
}

named_enum! {
    /// Kind of mark on a cell.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    BoardMark ALL;
    /// `CR`.
    Circle "circle"
    /// `SQ`.
    Square "square"
    /// `TR`.
    Triangle "triangle"
    /// `MA`, and `M` of old files.
    Cross "cross"
    /// `SL`.
    Selected "selected"
    /// `TB`.
    BlackTerritory "black territory"
    /// `TW`.
    WhiteTerritory "white territory"
}

impl BoardMark {
    /// Returns the mark that a property sets on its points. Octi marks single stones (spec O-29).
    fn of(ident: &[u8], game: Game) -> Option<Self> {
        Some(match ident {
            b"CS" if game == Game::Octi => Self::Circle,
            b"SS" if game == Game::Octi => Self::Square,
            b"TS" if game == Game::Octi => Self::Triangle,
            b"MS" if game == Game::Octi => Self::Cross,
            b"CR" => Self::Circle,
            b"SQ" => Self::Square,
            b"TR" => Self::Triangle,
            b"MA" | b"M" => Self::Cross,
            b"SL" => Self::Selected,
            b"TB" if game == Game::Go => Self::BlackTerritory,
            b"TW" if game == Game::Go => Self::WhiteTerritory,
            _ => return None,
        })
    }

    /// Returns the symbol of the mark in text.
    pub(crate) const fn symbol(self) -> char {
        match self {
            Self::Circle => '○',
            Self::Square => '□',
            Self::Triangle => '△',
            Self::Cross => '×',
            Self::Selected => '◇',
            Self::BlackTerritory => 'x',
            Self::WhiteTerritory => 'o',
        }
    }
}

/// Line from one cell to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineMark {
    /// Cell where the line begins.
    pub from: BoardCell,
    /// Cell where the line ends.
    pub to: BoardCell,
    /// Whether it is an arrow (`AR`) and not a plain line (`LN`).
    pub is_arrow: bool,
}

/// Marks of a node.
#[derive(Clone, Debug, Default)]
pub struct NodeMarks {
    fields: [CellSet; BoardMark::ALL.len()],
    /// Labels of cells.
    pub labels: BTreeMap<BoardCell, String>,
    /// Lines and arrows.
    pub lines: BTreeSet<LineMark>,
    /// Number of values that are invalid on this board.
    pub unread: u64,
    is_used: bool,
    /// Points that `VW` lists, or `None` without `VW`.
    view: Option<Box<CellSet>>,
}

impl NodeMarks {
    /// Removes all marks. The view stays, because `VW` also applies to later nodes.
    pub fn clear(&mut self) {
        if self.is_used {
            *self = Self {
                view: self.view.take(),
                ..Self::default()
            };
        }
    }

    /// Returns whether `VW` lists the cell.
    #[must_use]
    pub fn is_viewed(&self, field: BoardCell) -> bool {
        self.view.as_ref().is_some_and(|view| view.contains(field))
    }

    /// Returns whether the cell has the mark.
    #[must_use]
    pub fn has(&self, mark: BoardMark, field: BoardCell) -> bool {
        self.fields[mark as usize].contains(field)
    }

    /// Returns the marks on a cell.
    pub fn on(&self, field: BoardCell) -> impl Iterator<Item = BoardMark> {
        let all = BoardMark::ALL.iter().copied();
        all.filter(move |&mark| self.has(mark, field))
    }

    /// Returns whether [`add`](Self::add) uses the property.
    pub fn knows(ident: &[u8], game: Game) -> bool {
        let is_of_octi = ident == b"AS" && game == Game::Octi;
        is_of_octi
            || BoardMark::of(ident, game).is_some()
            || matches!(ident, b"LB" | b"L" | b"AR" | b"LN" | b"VW")
    }

    /// Adds the marks of a property. Ignores all other properties.
    pub fn add(&mut self, property: &Property<'_>, dialect: &Dialect, charset: Charset) {
        let ident = property.ident().canonical();
        let game = dialect.game();
        if !Self::knows(&ident, game) {
            return;
        }
        self.is_used = true;
        let mark = BoardMark::of(&ident, game);
        let mut view = CellSet::default();
        for (nth, value) in property.values().enumerate() {
            let raw = value.as_bytes();
            // An empty value such as `DD[]` clears the list. Other properties have no empty lists.
            if raw.is_empty() {
                continue;
            }
            let pair = || {
                value
                    .compose()
                    .map(|(from, to)| (from.as_bytes(), to.with_charset(charset)))
            };
            let read = match (mark, &*ident) {
                (Some(mark), _) => self.fields[mark as usize].mark(raw, dialect),
                (None, b"VW") => view.mark(raw, dialect),
                (None, b"L") => match (dialect.parse_point(raw), (b'A'..=b'Z').nth(nth)) {
                    (Ok(field), Some(letter)) => {
                        self.labels.insert(field, char::from(letter).to_string());
                        Some(())
                    }
                    _ => None,
                },
                (None, b"LB") => pair().and_then(|(point, text)| {
                    let text = text.simple_text();
                    let mut label: String = text.chars().take(LABEL).collect();
                    if label.len() < text.len() {
                        label.push('…');
                    }
                    self.labels.insert(dialect.parse_point(point).ok()?, label);
                    Some(())
                }),
                _ => pair().and_then(|(from, to)| {
                    let end = |raw: &[u8]| match game {
                        Game::Octi => octi_point(raw, dialect),
                        _ => dialect.parse_point(raw).ok(),
                    };
                    let line = LineMark {
                        from: end(from)?,
                        to: end(to.as_bytes())?,
                        is_arrow: &*ident != b"LN",
                    };
                    (self.lines.len() < LINES)
                        .then(|| self.lines.insert(line))
                        .map(|_| ())
                }),
            };
            self.unread += u64::from(read.is_none());
        }
        if *ident == *b"VW" {
            self.view = (view != CellSet::default()).then(|| Box::new(view));
        }
    }
}

#[cfg(test)]
mod tests {
    use sgfstream::Framing;
    use sgfstream_game::value::BoardSize;

    use super::*;

    #[test]
    fn rectangles_labels_and_lines() {
        let dialect = Dialect::new(Game::Go, Some(BoardSize::square(9)));
        let mut marks = NodeMarks::default();
        for raw in [
            "TR[aa:ZZ][zz]",
            "CR[cc]",
            "LB[dd:long \\:text][ee:黒]",
            "AR[aa:bb]LN",
            "LN[bb:cc][bb]",
            "L[ff][gg]",
        ] {
            let property = Property::parse(raw.as_bytes(), Framing::Value);
            property
                .into_iter()
                .for_each(|property| marks.add(&property, &dialect, Charset::UTF_8));
        }
        let octi = Dialect::new(Game::Octi, None);
        let mut stones = NodeMarks::default();
        for raw in ["CS[33AB]", "SS[33]", "TS[53]", "MS[73C]", "AS[33A:44]"] {
            let property = Property::parse(raw.as_bytes(), Framing::Value).expect("a property");
            stones.add(&property, &octi, Charset::UTF_8);
        }
        let on = |raw: &[u8]| {
            stones
                .on(octi.parse_point(raw).expect("a point"))
                .collect::<Vec<_>>()
        };
        assert_eq!(on(b"33"), [BoardMark::Circle, BoardMark::Square]);
        assert_eq!(
            (on(b"53"), on(b"73")),
            (vec![BoardMark::Triangle], vec![BoardMark::Cross])
        );
        assert!(stones.unread == 0 && stones.lines.first().is_some_and(|line| line.is_arrow));
        let all = (0..20).flat_map(|row| (0..20).map(move |column| BoardCell::new(column, row)));
        assert_eq!(
            all.filter(|&field| marks.has(BoardMark::Triangle, field))
                .count(),
            81
        );
        assert_eq!(
            marks.on(BoardCell::new(2, 2)).collect::<Vec<_>>(),
            [BoardMark::Circle, BoardMark::Triangle]
        );
        let labels: Vec<_> = marks.labels.values().map(String::as_str).collect();
        assert_eq!(labels, ["long :text", "黒", "A", "B"]);
        assert_eq!((marks.lines.len(), marks.unread), (1, 2)); // `zz` and `bb` alone
    }
}
