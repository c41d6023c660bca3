//! A Kropki board: dots, and who owns what the borders enclose.

use crate::value::BoardSize;

use super::super::{Field, Illegal, Played, Reason, Side};
use super::{Border, Dots, Territory};

#[derive(Clone, Copy, Default)]
struct Crossing {
    dot: Option<Side>,
    /// Whose border encloses it.
    owner: Option<Side>,
}

/// Dots and territory on at most 52 x 52 crossings.
#[derive(Clone)]
pub struct KropkiBoard {
    size: BoardSize,
    crossings: Vec<Crossing>,
    prisoners: [u64; 2],
}

impl KropkiBoard {
    /// An empty board; `None` above 52 on a side.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        (size.longer() <= BoardSize::MAX_TWO_LETTER).then(|| Self {
            size,
            crossings: vec![Crossing::default(); (size.columns() * size.rows()) as usize],
            prisoners: [0; 2],
        })
    }

    fn at(&self, point: Field) -> Option<usize> {
        point.index_on(self.size)
    }

    /// The dot on `point`.
    #[must_use]
    pub fn dot(&self, point: Field) -> Option<Side> {
        self.at(point).and_then(|at| self.crossings[at].dot)
    }

    /// Whose border encloses `point`.
    #[must_use]
    pub fn owner(&self, point: Field) -> Option<Side> {
        self.at(point).and_then(|at| self.crossings[at].owner)
    }

    /// How many dots of the other colour `side` has enclosed.
    #[must_use]
    pub fn prisoners(&self, side: Side) -> u64 {
        self.prisoners[side.index() & 1]
    }

    /// Puts a dot, or takes it away.
    ///
    /// # Errors
    /// [`Reason::OffBoard`]; nothing is done then.
    pub fn set_up(&mut self, side: Option<Side>, point: Field) -> Result<(), Illegal> {
        let at = self.at(point).ok_or_else(|| Illegal::nothing_done(Reason::OffBoard))?;
        self.crossings[at].dot = side;
        Ok(())
    }

    /// Takes a value of `TB` or `TW` as `side`'s territory.
    ///
    /// # Errors
    /// What is wrong with it; done all the same where it can be.
    pub fn set_territory(&mut self, side: Side, territory: &Territory) -> Result<Played, Illegal> {
        let mut played = Played::default();
        let mut fault = None;
        match territory {
            Territory::Empty => {}
            Territory::Point(point) => match self.at(*point) {
                Some(at) => self.crossings[at].owner = Some(side),
                None => fault = Some(Reason::OffBoard),
            },
            Territory::Rectangle(from, to) => {
                // Two letters reach 52: the walk is short, whatever is written.
                for row in from.row..=to.row {
                    for column in from.column..=to.column {
                        match self.at(Field::new(column, row)) {
                            Some(at) => self.crossings[at].owner = Some(side),
                            None => fault = Some(Reason::OffBoard),
                        }
                    }
                }
            }
            Territory::Borders(borders) => {
                for border in borders {
                    fault = fault.or(self.close(border, Some(side), &mut played).err());
                }
            }
        }
        Illegal::unless_fine(fault, played)
    }

    /// Places the dot, then closes the borders. A border belongs to the colour
    /// of its dots, whoever moves (spec games §40).
    ///
    /// # Errors
    /// The first thing that is against the rules; done all the same where it
    /// can be (spec M-04).
    pub fn play(&mut self, side: Side, dots: &Dots) -> Result<Played, Illegal> {
        let mut played = Played::default();
        let mut fault = None;
        if let Some(point) = dots.dot() {
            match self.at(point) {
                None => fault = Some(Reason::OffBoard),
                Some(at) => {
                    let crossing = &mut self.crossings[at];
                    if crossing.dot.is_some() || crossing.owner.is_some() {
                        fault = Some(Reason::Occupied);
                    }
                    crossing.dot = Some(side);
                }
            }
        }
        for border in dots.borders() {
            fault = fault.or(self.close(border, None, &mut played).err());
        }
        Illegal::unless_fine(fault, played)
    }

    /// Gives the inside of `border` to the colour of its dots (or to `side`).
    fn close(&mut self, border: &Border, side: Option<Side>, played: &mut Played) -> Result<(), Reason> {
        let points = border.points();
        if points.iter().any(|&point| self.at(point).is_none()) {
            return Err(Reason::OffBoard);
        }
        let first = self.dot(points[0]);
        let whole = first.is_some() && points.iter().all(|&point| self.dot(point) == first);
        let owner = side.or(first).ok_or(Reason::BrokenBorder)?;

        // Even-odd, row by row. An edge between rows y and y+1 crosses the ray
        // just below row y at its upper end:
        //
        //    row y    . o . .        the toggle stands under `o`; points of the
        //              \             row right of an odd count are inside
        //    row y+1  . . o .
        let mut toggles = [0u64; 52];
        let mut on_border = [0u64; 52];
        for (index, &a) in points.iter().enumerate() {
            let b = points[(index + 1) % points.len()];
            on_border[usize::from(a.row)] |= 1 << a.column;
            let upper = if a.row < b.row { a } else { b };
            if a.row != b.row {
                toggles[usize::from(upper.row)] ^= 1 << upper.column;
            }
        }
        let top = points.iter().map(|point| point.row).min().unwrap_or(0);
        let bottom = points.iter().map(|point| point.row).max().unwrap_or(0);
        for row in top..=bottom {
            let mut inside = false;
            for column in 0..self.size.columns() as usize {
                let bit = 1u64 << column;
                if on_border[usize::from(row)] & bit == 0 && inside {
                    let at = usize::from(row) * self.size.columns() as usize + column;
                    let crossing = &mut self.crossings[at];
                    if crossing.dot.is_some_and(|dot| dot != owner) && crossing.owner != Some(owner) {
                        played.captured += 1;
                        self.prisoners[owner.index() & 1] += 1;
                    }
                    crossing.owner = Some(owner);
                }
                inside ^= toggles[usize::from(row)] & bit != 0;
            }
        }
        if whole { Ok(()) } else { Err(Reason::BrokenBorder) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(text: &str) -> Field {
        Dots::parse(text.as_bytes()).expect(text).dot().expect(text)
    }

    #[test]
    fn a_border_takes_what_it_encloses() {
        let mut board = KropkiBoard::new(BoardSize::square(12)).expect("fits");
        for (side, dot) in [(Side::White, "dd"), (Side::Black, "cd"), (Side::Black, "dc"), (Side::Black, "ed")] {
            board.play(side, &Dots::parse(dot.as_bytes()).expect(dot)).expect("legal");
        }
        let played = board.play(Side::Black, &Dots::parse(b"de.decddcedde").expect("ok"));
        assert_eq!(played.map(|played| played.captured), Ok(1));
        assert_eq!(board.owner(point("dd")), Some(Side::Black));
        assert_eq!(board.owner(point("ee")), None);
        assert_eq!(board.prisoners(Side::Black), 1);
        // Inside it nothing may be played; it is played all the same.
        let illegal = board.play(Side::White, &Dots::parse(b"dd").expect("ok")).expect_err("owned");
        assert_eq!(illegal.reason, Reason::Occupied);
    }

    #[test]
    fn a_border_of_other_dots_is_broken() {
        let mut board = KropkiBoard::new(BoardSize::square(5)).expect("fits");
        let illegal = board.play(Side::Black, &Dots::parse(b".baabbccbba").expect("ok")).expect_err("no dots");
        assert_eq!(illegal.reason, Reason::BrokenBorder);
        let illegal = board.play(Side::Black, &Dots::parse(b"zz").expect("ok")).expect_err("off");
        assert_eq!(illegal.reason, Reason::OffBoard);
    }
}
