//! Backgammon, GM\[6\]: dice and checkers. Points are one letter for both colors: `a` is White's
//! 1-point and Black's 24-point, `x` the other end, `y` the bar, `z` off the board (spec games §6).

use std::fmt;

use crate::value::BoardSize;

use super::{BoardCell, Fault, Move, Word};

const POINT: &str = "one letter: `a` to `x`, `y` for the bar, `z` for off the board";
const MOVE: &str = "two dice and up to four pairs of points, or `double`, `take`, `drop`";
const WORDS: [Word; 3] = [Word::Double, Word::Take, Word::Drop];

/// Points, bar and tray in one row, as a [`BoardCell`] numbers them.
pub(super) const SIZE: BoardSize = BoardSize::new(26, 1);

/// Roll of two dice, with the moves of the checkers.
///
/// ```
/// use sgfstream_game::backgammon::Roll;
///
/// let roll = Roll::parse(b"31hefe")?;
/// assert_eq!((roll.dice(), roll.steps().len()), ([3, 1], 2));
/// assert_eq!(roll.to_string(), "31hefe");
/// assert!(Roll::parse(b"66")?.steps().is_empty()); // no legal move
///
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Roll {
    dice: [u8; 2],
    steps: [(u8, u8); 4],
    len: u8,
}

impl Roll {
    // Move = Die Die {Point Point}                                 at most four pairs
    /// Parses two dice and up to four pairs of source and destination.
    ///
    /// # Errors
    /// Returns [`Fault::Syntax`] for any other value.
    pub fn parse(raw: &[u8]) -> Result<Self, Fault> {
        let fault = Fault::Syntax(MOVE);
        let (dice, points) = raw.split_first_chunk::<2>().ok_or(fault)?;
        if !dice.iter().all(|die| (b'1'..=b'6').contains(die))
            || points.len() > 8
            || !points.len().is_multiple_of(2)
        {
            return Err(fault);
        }
        if !points.iter().all(u8::is_ascii_lowercase) {
            return Err(fault);
        }
        let mut steps = [(0, 0); 4];
        for (step, pair) in steps.iter_mut().zip(points.chunks_exact(2)) {
            *step = (pair[0] - b'a', pair[1] - b'a');
        }
        Ok(Self {
            dice: dice.map(|die| die - b'0'),
            steps,
            len: (points.len() / 2) as u8,
        })
    }

    /// Returns the two dice, 1 to 6.
    #[must_use]
    pub fn dice(&self) -> [u8; 2] {
        self.dice
    }

    /// Returns source and destination of each moved checker, from 0 for `a` to 25 for `z`. One pair
    /// may use both dice.
    #[must_use]
    pub fn steps(&self) -> &[(u8, u8)] {
        &self.steps[..usize::from(self.len)]
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dice[0], self.dice[1])?;
        let letter = |at: u8| char::from(b'a' + at);
        self.steps()
            .iter()
            .try_for_each(|&(from, to)| write!(f, "{}{}", letter(from), letter(to)))
    }
}

/// Parses one letter as a cell of the row that [`SIZE`] describes.
pub(super) fn parse_point(raw: &[u8]) -> Result<BoardCell, Fault> {
    match raw {
        [letter @ b'a'..=b'z'] => Ok(BoardCell::new(u16::from(letter - b'a'), 0)),
        _ => Err(Fault::Syntax(POINT)),
    }
}

pub(super) fn write_point(f: &mut fmt::Formatter<'_>, field: BoardCell) -> fmt::Result {
    let letter = u8::try_from(field.column)
        .ok()
        .filter(|&at| at < 26)
        .map_or('?', |at| char::from(b'a' + at));
    write!(f, "{letter}")
}

pub(super) fn parse_move(raw: &[u8]) -> Result<Move, Fault> {
    match Word::among(&WORDS, raw) {
        Some(word) if raw.iter().all(|byte| byte.is_ascii_lowercase()) => Ok(Move::Word(word)),
        _ => Roll::parse(raw).map(Move::Roll),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_of_the_page() {
        for raw in ["31hefe", "61yg", "66", "66fzezdzcz"] {
            assert_eq!(Roll::parse(raw.as_bytes()).expect(raw).to_string(), raw);
        }
        assert_eq!(parse_move(b"double"), Ok(Move::Word(Word::Double)));
        for raw in [
            "",
            "3",
            "71",
            "30",
            "31h",
            "31HE",
            "31hehehehehe",
            "Double",
            "31 he",
        ] {
            assert!(parse_move(raw.as_bytes()).is_err(), "{raw}");
        }
    }
}
