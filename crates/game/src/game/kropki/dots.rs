//! Parses dots and borders (spec games §40, G-09, G-10).

use std::fmt;

use crate::value::PointSet;

use super::super::coordinates::{read_pair, write_pair};
use super::super::{BoardCell, Fault};

const MOVE: &str =
    "a dot as two letters, then borders: `.` and the points of each, the first again at the end";
const BORDER: &str = "a border of at least four points that touch, with the first again at the end";

/// Stop sequence: the points of a closed border, without the repeated first point.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Border(Box<[BoardCell]>);

impl Border {
    // StopSequence = "." Point Point Point {Point} Point        the last is the first
    fn parse(raw: &[u8]) -> Result<Self, Fault> {
        if !raw.len().is_multiple_of(2) || raw.len() < 8 {
            return Err(Fault::Syntax(BORDER));
        }
        let mut points = Vec::with_capacity(raw.len() / 2);
        for pair in raw.chunks_exact(2) {
            points.push(read_pair(pair).ok_or(Fault::Syntax(BORDER))?);
        }
        if points.pop() != points.first().copied() {
            return Err(Fault::Syntax(BORDER));
        }
        let touches = |a: BoardCell, b: BoardCell| {
            a.column.abs_diff(b.column) <= 1 && a.row.abs_diff(b.row) <= 1
        };
        let next = points.iter().cycle().skip(1);
        if !points.iter().zip(next).all(|(&a, &b)| touches(a, b)) {
            return Err(Fault::Syntax(BORDER));
        }
        let mut seen = PointSet::new();
        let mut all = points.iter().filter_map(|point| point.as_point());
        if all.any(|point| !seen.insert(point)) {
            return Err(Fault::Repeated);
        }
        Ok(Self(points.into()))
    }

    /// Returns the points in the order of the file, without the repeated first point.
    #[must_use]
    pub fn points(&self) -> &[BoardCell] {
        &self.0
    }
}

impl fmt::Display for Border {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(".")?;
        for point in self.0.iter().chain(self.0.first()) {
            write_pair(f, *point)?;
        }
        Ok(())
    }
}

/// Move of Kropki: a dot and the borders that it closes, or borders alone.
///
/// ```
/// use sgfstream_game::kropki::Dots;
///
/// let dots = Dots::parse(b"ce.cecfdgefdece")?;
/// assert_eq!(dots.borders().len(), 1);
/// assert_eq!(dots.borders()[0].points().len(), 5);
/// assert_eq!(dots.to_string(), "ce.cecfdgefdece");
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dots {
    dot: Option<BoardCell>,
    borders: Box<[Border]>,
}

/// Longest move, in bytes, that is searched for borders.
const BORDERS_READ: usize = 4096;

impl Dots {
    /// Parses `ab`, `ab.border`, `.border`, or several borders.
    ///
    /// # Errors
    /// [`Fault::Syntax`] if a dot or border is invalid, and [`Fault::Repeated`] if a border visits
    /// a point twice.
    pub fn parse(raw: &[u8]) -> Result<Self, Fault> {
        let mut parts = raw.split(|&byte| byte == b'.');
        let dot = match parts.next() {
            None | Some([]) => None,
            Some(pair) => Some(read_pair(pair).ok_or(Fault::Syntax(MOVE))?),
        };
        let borders = parts.map(Border::parse).collect::<Result<Box<[_]>, _>>()?;
        if dot.is_none() && borders.is_empty() {
            return Err(Fault::Syntax(MOVE));
        }
        Ok(Self { dot, borders })
    }

    /// Returns whether a move has borders, which exist in Kropki only. Returns false for moves of
    /// more than 4,096 bytes.
    #[must_use]
    pub fn has_border(raw: &[u8]) -> bool {
        raw.len() <= BORDERS_READ && raw.contains(&b'.') && Self::parse(raw).is_ok()
    }

    /// Returns the placed dot.
    #[must_use]
    pub fn dot(&self) -> Option<BoardCell> {
        self.dot
    }

    /// Returns the closed borders.
    #[must_use]
    pub fn borders(&self) -> &[Border] {
        &self.borders
    }

    /// Iterates over all points, the dot first.
    pub fn points(&self) -> impl Iterator<Item = BoardCell> + '_ {
        self.dot.into_iter().chain(
            self.borders
                .iter()
                .flat_map(|border| border.points().iter().copied()),
        )
    }
}

impl fmt::Display for Dots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(dot) = self.dot {
            write_pair(f, dot)?;
        }
        self.borders.iter().try_for_each(|border| border.fmt(f))
    }
}

/// Territory, one value of `TB` or `TW`: a point as in Go, a rectangle of points, or stop sequences
/// (spec G-10).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Territory {
    /// One point.
    Point(BoardCell),
    /// The points between an upper left and a lower right corner.
    Rectangle(BoardCell, BoardCell),
    /// One or more borders.
    Borders(Box<[Border]>),
    /// `[]`: no territory.
    Empty,
}

impl Territory {
    /// Parses one value of `TB` or `TW`.
    ///
    /// # Errors
    /// The same as for [`Dots::parse`].
    pub fn parse(raw: &[u8]) -> Result<Self, Fault> {
        match raw {
            [] => Ok(Self::Empty),
            [b'.', rest @ ..] => Ok(Self::Borders(
                rest.split(|&byte| byte == b'.')
                    .map(Border::parse)
                    .collect::<Result<_, _>>()?,
            )),
            _ => {
                let point = |pair| read_pair(pair).ok_or(Fault::Syntax(MOVE));
                match raw.iter().position(|&byte| byte == b':') {
                    Some(colon) => Ok(Self::Rectangle(
                        point(&raw[..colon])?,
                        point(&raw[colon + 1..])?,
                    )),
                    None => Ok(Self::Point(point(raw)?)),
                }
            }
        }
    }
}

impl fmt::Display for Territory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => Ok(()),
            Self::Point(point) => write_pair(f, *point),
            Self::Rectangle(a, b) => {
                write_pair(f, *a)?;
                f.write_str(":")?;
                write_pair(f, *b)
            }
            Self::Borders(borders) => borders.iter().try_for_each(|border| border.fmt(f)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_the_page() {
        for (raw, dot, borders) in [
            ("ab", true, 0),
            ("ce.cecfdgefdece", true, 1),
            (".cecfdgefdece", false, 1),
            ("gg.cfdgefdecf.ggghhiihjgifhfgg", true, 2),
        ] {
            let dots = Dots::parse(raw.as_bytes()).expect(raw);
            assert_eq!(
                (dots.dot().is_some(), dots.borders().len()),
                (dot, borders),
                "{raw}"
            );
            assert_eq!(dots.to_string(), raw);
        }
    }

    #[test]
    fn invalid_borders() {
        for raw in [
            "",
            ".",
            "a",
            "abc",
            "ab.",
            "ab.cd",
            "ce.cecfdgefde",
            "ce.cecfdgefdecf",
            "ce.cegfdgefdece",
            "ce.ceceCe",
            "1a",
        ] {
            assert!(Dots::parse(raw.as_bytes()).is_err(), "{raw}");
        }
        // `cc` occurs twice: the border touches itself.
        assert_eq!(Dots::parse(b".cccbbbbcccdcddcdcc"), Err(Fault::Repeated));
    }
}
