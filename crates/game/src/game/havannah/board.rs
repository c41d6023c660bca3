//! Board of Havannah: stones, swaps, and the three frames that win.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation, Word};
use crate::value::BoardSize;

use super::super::board::character_of;
use super::super::grid::occupied;
use super::HAVANNAH_MAX;
use super::hexagon::{Hexagon, STEPS};

named_enum! {
    /// Shape that wins the game.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    Frame ALL;
    /// Connects two corners.
    Bridge "bridge"
    /// Connects three edges.
    Fork "fork"
    /// Encloses at least one cell.
    Ring "ring"
}

#[derive(Clone, Copy, Default)]
struct Cell {
    stone: Option<Side>,
    /// Next cell on the path to the head of the group.
    parent: u32,
    /// Bits of corners and edges that the group touches; valid at its head.
    corners: u8,
    edges: u8,
}

/// Board with sides of at most [`HAVANNAH_MAX`].
#[derive(Clone)]
pub struct HavannahBoard {
    hexagon: Hexagon,
    cells: Vec<Cell>,
    stones: u32,
    frame: Option<(Side, Frame)>,
}

impl HavannahBoard {
    /// Returns an empty board; `None` if its sides are too long.
    #[must_use]
    pub fn new(hexagon: Hexagon) -> Option<Self> {
        if u32::from(hexagon.side()) > HAVANNAH_MAX {
            return None;
        }
        let width = hexagon.width() as usize;
        let cells = vec![Cell::default(); width * width];
        Some(Self {
            hexagon,
            cells,
            stones: 0,
            frame: None,
        })
    }

    fn at(&self, field: BoardCell) -> usize {
        usize::from(field.row) * self.hexagon.width() as usize + usize::from(field.column)
    }

    /// Returns the side that first made a frame, and the frame.
    #[must_use]
    pub fn frame(&self) -> Option<(Side, Frame)> {
        self.frame
    }

    fn put(&mut self, side: Option<Side>, field: BoardCell) -> Result<Option<Side>, Illegal> {
        let field = self.hexagon.straighten(field).ok_or(Illegal::OFF_BOARD)?;
        let at = self.at(field);
        let before = std::mem::replace(&mut self.cells[at].stone, side);
        self.stones += u32::from(side.is_some());
        self.stones -= u32::from(before.is_some());
        if before.is_some() {
            // A group may have split, so join all stones again.
            self.rejoin();
        } else if let Some(side) = side {
            self.join(side, field);
        }
        Ok(before)
    }

    fn rejoin(&mut self) {
        let stones: Vec<Option<Side>> = self.cells.iter().map(|cell| cell.stone).collect();
        self.cells.fill(Cell::default());
        let width = self.hexagon.width() as usize;
        for (at, stone) in stones.into_iter().enumerate() {
            if let Some(side) = stone {
                self.cells[at].stone = stone;
                self.join(
                    side,
                    BoardCell::new((at % width) as u16, (at / width) as u16),
                );
            }
        }
    }

    fn root(&mut self, mut at: usize) -> usize {
        while self.cells[at].parent as usize != at {
            // Halve the path, so that it stays short.
            self.cells[at].parent = self.cells[self.cells[at].parent as usize].parent;
            at = self.cells[at].parent as usize;
        }
        at
    }

    /// Returns the six neighbors in circular order, as indices of `side`'s stones.
    fn circle(&self, side: Side, field: BoardCell) -> [Option<usize>; 6] {
        STEPS.map(|step| {
            let at = self.at(self.hexagon.step(field, step)?);
            (self.cells[at].stone == Some(side)).then_some(at)
        })
    }

    /// Joins the stone on `field` to its neighbors, and checks for a frame.
    fn join(&mut self, side: Side, field: BoardCell) {
        let at = self.at(field);
        self.cells[at].parent = at as u32;
        self.cells[at].corners = self.hexagon.corner(field).map_or(0, |corner| 1 << corner);
        self.cells[at].edges = self.hexagon.edge(field).map_or(0, |edge| 1 << edge);
        let circle = self.circle(side, field);
        let mut ring = false;
        // Start at the beginning of an arc of neighbors, so that the stones of an arc are joined in
        // order. Then only a different arc can be joined already.
        let start = (0..6)
            .find(|&index| circle[index].is_some() && circle[(index + 5) % 6].is_none())
            .unwrap_or(0);
        for index in (0..6).map(|step| (start + step) % 6) {
            let (Some(next), before) = (circle[index], circle[(index + 5) % 6]) else {
                continue;
            };
            let (own, other) = (self.root(at), self.root(next));
            // An arc begins here. If its group already contains this stone, the stones form a loop
            // around the cells between the arcs.
            if own == other && before.is_none() {
                ring = true;
            }
            if own != other {
                self.cells[other].parent = own as u32;
                self.cells[own].corners |= self.cells[other].corners;
                self.cells[own].edges |= self.cells[other].edges;
            }
        }
        ring |= self.has_full_circle(side, field);
        let root = self.root(at);
        let frame = if self.cells[root].corners.count_ones() >= 2 {
            Frame::Bridge
        } else if self.cells[root].edges.count_ones() >= 3 {
            Frame::Fork
        } else if ring {
            Frame::Ring
        } else {
            return;
        };
        self.frame.get_or_insert((side, frame));
    }

    /// Returns whether this stone or a neighbor of its color has six stones of its color around it:
    /// a ring whose inside is filled.
    fn has_full_circle(&self, side: Side, field: BoardCell) -> bool {
        let is_full = |field: BoardCell| self.circle(side, field).iter().all(Option::is_some);
        let mut beside = STEPS
            .iter()
            .filter_map(|&step| self.hexagon.step(field, step));
        let is_own = |next: BoardCell| self.cells[self.at(next)].stone == Some(side);
        is_full(field) || beside.any(|next| is_own(next) && is_full(next))
    }
}

impl Board for HavannahBoard {
    fn size(&self) -> BoardSize {
        BoardSize::square(self.hexagon.width())
    }

    fn stone(&self, field: BoardCell) -> Option<Side> {
        let field = self.hexagon.straighten(field)?;
        self.cells[self.at(field)].stone
    }

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let mut turned = 0;
        let mut fault = None;
        match mv {
            Move::Place(field) => fault = occupied(self.put(Some(side), *field)?),
            Move::Pass | Move::Word(Word::Resign | Word::Forfeit) => {}
            Move::Word(Word::SwapSides) => {
                fault = (self.stones == 0).then_some(Violation::NothingToSwap)
            }
            // Little Golem's `swap` gives the stone on the board to the other color. Only with this
            // reading do its records end with a frame of the winner.
            Move::Word(Word::SwapPieces | Word::Swap) => {
                fault = (self.stones == 0).then_some(Violation::NothingToSwap);
                self.frame = None;
                for cell in &mut self.cells {
                    cell.stone = cell.stone.map(Side::opponent);
                }
                turned = self.stones;
                self.rejoin();
            }
            _ => return Err(Illegal::NOT_A_MOVE),
        }
        Illegal::unless_fine(
            fault,
            Effects {
                turned,
                ..Effects::default()
            },
        )
    }

    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        self.put(setup.stone()?, stone.point()?).map(|_| ())
    }

    fn winner(&self) -> Option<Side> {
        self.frame.map(|(side, _)| side)
    }

    fn character(&self, field: BoardCell) -> char {
        if self.hexagon.has(field) {
            character_of(self.stone(field))
        } else {
            ' '
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Numbering;
    use super::*;

    fn play(moves: &str) -> HavannahBoard {
        let mut board = HavannahBoard::new(Hexagon::new(5, Numbering::Straight)).expect("fits");
        for cell in moves.split(' ') {
            let field = crate::game::hex::parse_algebraic(cell.as_bytes()).expect(cell);
            board.play(Side::White, &Move::Place(field)).expect("legal");
        }
        board
    }

    #[test]
    fn frames() {
        assert_eq!(play("a1 b1 c1 d1").frame(), None);
        assert_eq!(
            play("a1 b1 d1 e1 c1").frame(),
            Some((Side::White, Frame::Bridge))
        );
        // Round c3: b2 c2 d3 d4 c4 b3, in any order.
        assert_eq!(play("b2 c2 d3 d4 c4").frame(), None);
        assert_eq!(
            play("b2 c2 d3 d4 c4 b3").frame(),
            Some((Side::White, Frame::Ring))
        );
        assert_eq!(
            play("c3 b2 d4 c2 d3 c4 b3").frame(),
            Some((Side::White, Frame::Ring))
        );
        // Three stones that touch each other are not a ring.
        assert_eq!(play("c3 c2 b2 b3 d3").frame(), None);
        // The edges a2-a4, b1-d1 and the one from a5 to e9, b6.
        assert_eq!(
            play("b1 b2 a2 b3 b4 b5 b6").frame(),
            Some((Side::White, Frame::Fork))
        );
    }

    #[test]
    fn off_the_hexagon() {
        let mut board = play("a1");
        let illegal = board
            .play(Side::White, &Move::Place(BoardCell::new(8, 0)))
            .expect_err("i1 is cut off");
        assert_eq!(illegal.reason, Violation::OffBoard);
    }

    #[test]
    fn a_swap_of_pieces() {
        let mut board = play("a1");
        board
            .play(Side::Black, &Move::Word(Word::SwapPieces))
            .expect("legal");
        assert_eq!(board.stone(BoardCell::new(0, 0)), Some(Side::Black));
    }
}
