//! Board of Kropki: dots, and the owner of each enclosed area.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation};
use crate::value::BoardSize;

use super::super::board::character_of;
use super::super::grid::Grid;
use super::{Border, Territory};

#[derive(Clone, Copy, Default)]
struct Crossing {
    dot: Option<Side>,
    /// The side whose border encloses the crossing.
    owner: Option<Side>,
}

/// Board of at most 52 x 52 crossings, with dots and territory.
#[derive(Clone)]
pub struct KropkiBoard {
    grid: Grid<Crossing>,
    prisoners: [u64; 2],
}

impl KropkiBoard {
    /// Returns an empty board; `None` if a side is above 52.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        Some(Self {
            grid: Grid::of_letters(size, [])?,
            prisoners: [0; 2],
        })
    }

    /// Returns the side whose border encloses `point`.
    #[must_use]
    pub fn owner(&self, point: BoardCell) -> Option<Side> {
        self.grid.get(point).owner
    }

    /// Returns the number of dots of the other color that `side` has enclosed.
    #[must_use]
    pub fn prisoners(&self, side: Side) -> u64 {
        self.prisoners[side.index() & 1]
    }

    /// Sets a value of `TB` or `TW` as `side`'s territory.
    fn set_territory(&mut self, side: Side, territory: &Territory) -> Option<Violation> {
        let mut fault = None;
        let mut own = |grid: &mut Grid<Crossing>, point| match grid.get_mut(point) {
            Some(crossing) => crossing.owner = Some(side),
            None => fault = Some(Violation::OffBoard),
        };
        match territory {
            Territory::Empty => {}
            Territory::Point(point) => own(&mut self.grid, *point),
            Territory::Rectangle(from, to) => {
                // Points of two letters are below 52, so the loop is short.
                for row in from.row..=to.row {
                    (from.column..=to.column)
                        .for_each(|column| own(&mut self.grid, BoardCell::new(column, row)));
                }
            }
            Territory::Borders(borders) => {
                for border in borders {
                    fault = fault.or(self.close(border, Some(side)).err());
                }
            }
        }
        fault
    }

    /// Gives the inside of `border` to `side`, or to the color of its dots if `side` is `None`, and
    /// captures the dots inside. A border belongs to the color of its dots, even if the other side
    /// moves (spec games 40).
    fn close(&mut self, border: &Border, side: Option<Side>) -> Result<(), Violation> {
        let points = border.points();
        if !points.iter().all(|point| point.is_on(self.size())) {
            return Err(Violation::OffBoard);
        }
        let first = self.stone(points[0]);
        let whole = first.is_some() && points.iter().all(|&point| self.stone(point) == first);
        let owner = side.or(first).ok_or(Violation::BrokenBorder)?;

        // Even-odd, row by row. An edge between rows y and y+1 crosses the ray
        // just below row y at its upper end:
        //
        //    row y    . o . .        the toggle is under `o`; points of the
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
            let row_at = usize::from(row);
            let mut inside = false;
            for column in 0..self.size().columns() as u16 {
                let bit = 1u64 << column;
                if on_border[row_at] & bit == 0
                    && inside
                    && let Some(crossing) = self.grid.get_mut(BoardCell::new(column, row))
                {
                    if crossing.dot.is_some_and(|dot| dot != owner) && crossing.owner != Some(owner)
                    {
                        self.prisoners[owner.index() & 1] += 1;
                    }
                    crossing.owner = Some(owner);
                }
                inside ^= toggles[row_at] & bit != 0;
            }
        }
        if whole {
            Ok(())
        } else {
            Err(Violation::BrokenBorder)
        }
    }
}

impl Board for KropkiBoard {
    fn size(&self) -> BoardSize {
        self.grid.size()
    }

    fn stone(&self, field: BoardCell) -> Option<Side> {
        self.grid.get(field).dot
    }

    /// Places the dot, then closes the borders.
    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let dots = match mv {
            Move::Dots(dots) => dots,
            Move::Pass => return Ok(Effects::default()),
            _ => return Err(Illegal::NOT_A_MOVE),
        };
        let before: u64 = self.prisoners.iter().sum();
        let mut fault = None;
        if let Some(point) = dots.dot() {
            match self.grid.get_mut(point) {
                None => fault = Some(Violation::OffBoard),
                Some(crossing) => {
                    if crossing.dot.replace(side).is_some() || crossing.owner.is_some() {
                        fault = Some(Violation::Occupied);
                    }
                }
            }
        }
        for border in dots.borders() {
            fault = fault.or(self.close(border, None).err());
        }
        let captured = (self.prisoners.iter().sum::<u64>() - before) as u32;
        Illegal::unless_fine(
            fault,
            Effects {
                captured,
                ..Effects::default()
            },
        )
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        match (setup, stone) {
            (Setup::Stone(side), Stone::Point(point)) => {
                self.grid.get_mut(*point).ok_or(Illegal::OFF_BOARD)?.dot = side;
                Ok(())
            }
            (Setup::Territory(side), Stone::Territory(territory)) => self
                .set_territory(side, territory)
                .map_or(Ok(()), |reason| Err(Illegal::nothing_done(reason))),
            _ => Err(Illegal::NOT_A_MOVE),
        }
    }

    fn content(&self, field: BoardCell) -> u64 {
        let Crossing { dot, owner } = self.grid.get(field);
        let dot = dot.map_or(0, |side| side.index() as u64 + 1);
        owner.map_or(dot, |side| 5 + 3 * side.index() as u64 + dot)
    }

    fn character(&self, field: BoardCell) -> char {
        match self.grid.get(field) {
            Crossing {
                dot: None,
                owner: Some(Side::Black),
            } => 'x',
            Crossing {
                dot: None,
                owner: Some(_),
            } => 'o',
            Crossing { dot, .. } => character_of(dot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dots;
    use super::*;

    fn dots(text: &str) -> Move {
        Move::Dots(Dots::parse(text.as_bytes()).expect(text))
    }

    fn point(text: &str) -> BoardCell {
        dots(text).point().expect(text)
    }

    #[test]
    fn a_border_takes_what_it_encloses() {
        let mut board = KropkiBoard::new(BoardSize::square(12)).expect("fits");
        for (side, dot) in [
            (Side::White, "dd"),
            (Side::Black, "cd"),
            (Side::Black, "dc"),
            (Side::Black, "ed"),
        ] {
            board.play(side, &dots(dot)).expect("legal");
        }
        let played = board.play(Side::Black, &dots("de.decddcedde"));
        assert_eq!(played.map(|played| played.captured), Ok(1));
        assert_eq!(board.owner(point("dd")), Some(Side::Black));
        assert_eq!(board.owner(point("ee")), None);
        assert_eq!(board.prisoners(Side::Black), 1);
        // A move inside is illegal, but it is made nevertheless.
        let illegal = board.play(Side::White, &dots("dd")).expect_err("owned");
        assert_eq!(illegal.reason, Violation::Occupied);
    }

    #[test]
    fn a_border_of_other_dots_is_broken() {
        let mut board = KropkiBoard::new(BoardSize::square(5)).expect("fits");
        let illegal = board
            .play(Side::Black, &dots(".baabbccbba"))
            .expect_err("no dots");
        assert_eq!(illegal.reason, Violation::BrokenBorder);
        let illegal = board.play(Side::Black, &dots("zz")).expect_err("off");
        assert_eq!(illegal.reason, Violation::OffBoard);
    }
}
