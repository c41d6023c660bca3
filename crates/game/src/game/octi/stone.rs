//! Points, prongs and stones of Octi (spec O-02 to O-04).

use std::fmt;

use crate::value::BoardSize;

use super::super::{BoardCell, Fault};

const POINT: &str = "two digits: column from the left, row from below, 11 to 99";
const STONE: &str = "a point of two digits and the letters `A` to `H` of its prongs";

const ARROW: &str = "a stone, `:`, and another point";

/// Direction of a prong, in letters from `A`, north, clockwise to `H`, north-west.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prong(u8);

impl Prong {
    /// Returns the prong of a letter `A` to `H`.
    #[must_use]
    pub const fn of_letter(letter: u8) -> Option<Self> {
        if letter >= b'A' && letter <= b'H' {
            Some(Self(letter - b'A'))
        } else {
            None
        }
    }

    /// Returns the direction of a step whose components are -1, 0 or 1.
    pub(super) fn of_step(step: (i32, i32)) -> Self {
        const CLOCKWISE: [(i32, i32); 8] = [
            (0, -1),
            (1, -1),
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
        ];
        Self(
            CLOCKWISE
                .iter()
                .position(|&known| known == step)
                .unwrap_or(0) as u8,
        )
    }
}

impl fmt::Display for Prong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", char::from(b'A' + self.0))
    }
}

/// Set of a pod's prongs and superprongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prongs {
    all: u8,
    /// Prongs of `all` that are superprongs (`!`, spec O-07).
    strong: u8,
}

impl Prongs {
    /// Returns whether there are no prongs.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.all == 0
    }

    /// Returns whether a prong points in this direction.
    #[must_use]
    pub const fn has(self, prong: Prong) -> bool {
        self.all >> prong.0 & 1 != 0
    }

    /// Returns a bit for each prong, `A` the lowest, and above them a bit for each superprong.
    pub(super) fn bits(self) -> u64 {
        u64::from(self.strong) << 8 | u64::from(self.all)
    }

    /// Adds a prong; returns false if the direction had one already.
    pub(super) fn add(&mut self, prong: Prong, strong: bool) -> bool {
        let is_new = !self.has(prong);
        self.all |= 1 << prong.0;
        self.strong |= u8::from(strong) << prong.0;
        is_new
    }

    /// Removes a prong; returns false if the direction had none.
    pub(super) fn remove(&mut self, prong: Prong) -> bool {
        let had = self.has(prong);
        self.all &= !(1 << prong.0);
        self.strong &= !(1 << prong.0);
        had
    }

    /// Parses letters, each at most once and optionally followed by `!`. Returns the number of
    /// bytes too.
    pub(super) fn read(raw: &[u8]) -> Result<(Self, usize), Fault> {
        let mut prongs = Self::default();
        let mut at = 0;
        while let Some(prong) = raw.get(at).copied().and_then(Prong::of_letter) {
            at += 1;
            let strong = raw.get(at) == Some(&b'!');
            at += usize::from(strong);
            if !prongs.add(prong, strong) {
                return Err(Fault::Repeated);
            }
        }
        Ok((prongs, at))
    }
}

impl fmt::Display for Prongs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..8)
            .map(Prong)
            .filter(|&prong| self.has(prong))
            .try_for_each(|prong| {
                write!(
                    f,
                    "{prong}{}",
                    if self.strong >> prong.0 & 1 == 0 {
                        ""
                    } else {
                        "!"
                    }
                )
            })
    }
}

/// Pod with its prongs. Without prongs it matches a pod without prongs, or any pod of a stack whose
/// pods are equal (spec O-04).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OctiStone {
    /// Point of the pod.
    pub field: BoardCell,
    /// Prongs, as written.
    pub prongs: Prongs,
}

impl OctiStone {
    /// Parses `46CD`.
    ///
    /// ```
    /// use sgfstream_game::BoardCell;
    /// use sgfstream_game::octi::OctiStone;
    /// use sgfstream_game::value::BoardSize;
    ///
    /// let stone = OctiStone::parse(BoardSize::square(9), b"46DC")?;
    /// assert_eq!(stone.field, BoardCell::new(3, 3)); // 6 from below is 4 from above
    /// assert_eq!(stone.prongs.to_string(), "CD");
    /// # Ok::<(), sgfstream_game::board::Fault>(())
    /// ```
    ///
    /// # Errors
    /// [`Fault::Syntax`], [`Fault::OffBoard`], or [`Fault::Repeated`] if a prong is written twice.
    pub fn parse(size: BoardSize, raw: &[u8]) -> Result<Self, Fault> {
        let (stone, len) = Self::read(size, raw)?;
        if len == raw.len() {
            Ok(stone)
        } else {
            Err(Fault::Syntax(STONE))
        }
    }

    pub(super) fn read(size: BoardSize, raw: &[u8]) -> Result<(Self, usize), Fault> {
        let (point, rest) = raw.split_at_checked(2).ok_or(Fault::Syntax(STONE))?;
        let field = parse_point(size, point)?;
        let (prongs, len) = Prongs::read(rest)?;
        Ok((Self { field, prongs }, len + 2))
    }
}

/// Arrow from a stone to a point, a value of `AS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arrow {
    /// Start of the arrow.
    pub from: OctiStone,
    /// End of the arrow.
    pub to: BoardCell,
}

impl Arrow {
    // Arrow = Stone ":" Point
    /// Parses `46CD:55`.
    ///
    /// ```
    /// use sgfstream_game::board::Fault;
    /// use sgfstream_game::octi::Arrow;
    /// use sgfstream_game::value::BoardSize;
    ///
    /// let size = BoardSize::square(9);
    /// assert_eq!(Arrow::parse(size, b"46CD:55")?, Arrow::parse(size, b"46DC:55")?);
    /// assert_eq!(Arrow::parse(size, b"46CD:46"), Err(Fault::Repeated)); // an arrow of one point
    ///
    /// # Ok::<(), Fault>(())
    /// ```
    ///
    /// # Errors
    /// [`Fault::Syntax`], [`Fault::OffBoard`], and [`Fault::Repeated`] if the arrow ends where it
    /// begins.
    pub fn parse(size: BoardSize, raw: &[u8]) -> Result<Self, Fault> {
        let colon = raw
            .iter()
            .position(|&byte| byte == b':')
            .ok_or(Fault::Syntax(ARROW))?;
        let arrow = Self {
            from: OctiStone::parse(size, &raw[..colon])?,
            to: parse_point(size, &raw[colon + 1..])?,
        };
        if arrow.from.field == arrow.to {
            Err(Fault::Repeated)
        } else {
            Ok(arrow)
        }
    }
}

// Point = "1"…"9" "1"…"9"
pub(in super::super) fn parse_point(size: BoardSize, raw: &[u8]) -> Result<BoardCell, Fault> {
    let &[column @ b'1'..=b'9', rank @ b'1'..=b'9'] = raw else {
        return Err(Fault::Syntax(POINT));
    };
    let (column, rank) = (u16::from(column - b'1'), u16::from(rank - b'1'));
    BoardCell::of_rank(column, rank, size).ok_or(Fault::OffBoard)
}

pub(in super::super) fn write_point(
    f: &mut fmt::Formatter<'_>,
    size: BoardSize,
    field: BoardCell,
) -> fmt::Result {
    let rank = size.rows().saturating_sub(u32::from(field.row));
    if field.column > 8 || rank > 9 {
        f.write_str("??")
    } else {
        write!(f, "{}{rank}", field.column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_stones() {
        let read = |raw: &str| OctiStone::parse(BoardSize::square(9), raw.as_bytes());
        for raw in [
            "", "4", "46c", "46I", "46 C", "406", "04", "40", "a6", "46!",
        ] {
            assert!(read(raw).is_err(), "{raw}");
        }
        assert_eq!(read("46CC"), Err(Fault::Repeated));
        assert_eq!(
            OctiStone::parse(BoardSize::square(7), b"81"),
            Err(Fault::OffBoard)
        );
        assert_eq!(read("46B!A").expect("a stone").prongs.to_string(), "AB!");
    }
}
