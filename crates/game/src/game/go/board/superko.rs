//! Points where the superko forbids a move.

use super::{BoardCell, Cell, EMPTY, GoBoard, Side, WALL, stone_of};

impl GoBoard {
    /// Returns the number of positions that the superko remembers.
    pub(in crate::game) fn remembered(&self) -> usize {
        self.history.as_ref().map_or(0, |history| history.len())
    }

    /// Visits the empty points where a stone of `side` would repeat a position of this game, by the
    /// rules of the board. These include the simple ko, but no suicide.
    ///
    /// It visits nothing on a board without superko. It compares only remembered positions: the
    /// first 65,536.
    ///
    /// ```
    /// use sgfstream_game::go::{GoBoard, GoRules, Superko};
    /// use sgfstream_game::value::BoardSize;
    /// use sgfstream_game::{BoardCell, Move, Side, board::Board};
    ///
    /// let size = BoardSize::square(5);
    /// let mut board = GoBoard::with_rules(
    ///     size,
    ///     GoRules { suicide: true, superko: Some(Superko::Positional) },
    /// )
    /// .expect("a board");
    /// // A ko at 1,1 and 2,1: White takes.
    /// for (side, column, row) in [
    ///     (Side::Black, 1, 0),
    ///     (Side::White, 2, 0),
    ///     (Side::Black, 0, 1),
    ///     (Side::White, 3, 1),
    ///     (Side::Black, 1, 2),
    ///     (Side::White, 2, 2),
    ///     (Side::Black, 2, 1),
    ///     (Side::White, 1, 1),
    /// ] {
    ///     board.play(side, &Move::Place(BoardCell::new(column, row))).expect("a legal move");
    /// }
    /// let mut forbidden = Vec::new();
    /// board.superko(Side::Black, |field| forbidden.push(field));
    /// assert_eq!(forbidden, [BoardCell::new(2, 1)]);
    /// ```
    pub fn superko(&self, side: Side, mut visit: impl FnMut(BoardCell)) {
        let Some(history) = &self.history else { return };
        let own = stone_of(side);
        for at in 0..self.cells.len() {
            if self.cells[at].content != EMPTY {
                continue;
            }
            let mut changes = history.with(at, own ^ EMPTY, side.opponent());
            let mut is_alive = false;
            let neighbors = self.neighbors(at);
            for (index, &next) in neighbors.iter().enumerate() {
                let Cell { content, head, .. } = self.cells[next];
                if content == EMPTY {
                    is_alive = true;
                } else if content != WALL {
                    let is_same = |&&other: &&usize| self.cells[other].head == head;
                    let touches = neighbors.iter().filter(is_same).count();
                    let is_in_atari = usize::from(self.group_of(next).liberties) == touches;
                    if content == own {
                        is_alive |= !is_in_atari;
                    } else if is_in_atari {
                        is_alive = true;
                        // A group that touches the point twice is removed once.
                        if !neighbors[..index]
                            .iter()
                            .any(|other| self.cells[*other].head == head)
                        {
                            let mut stone = next;
                            loop {
                                changes = changes.with(stone, content ^ EMPTY);
                                stone = usize::from(self.cells[stone].next);
                                if stone == next {
                                    break;
                                }
                            }
                        }
                    }
                }
            }
            if is_alive && changes.was_seen() {
                visit(self.point(at as u16));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{GoRules, Superko};
    use super::*;
    use crate::game::{Board, Move, Violation};
    use crate::value::BoardSize;

    #[test]
    fn superko_is_where_a_copy_of_the_board_says_so() {
        let size = BoardSize::square(3);
        let rules = GoRules {
            suicide: true,
            superko: Some(Superko::Positional),
        };
        let fields: Vec<_> = (0..9)
            .map(|number| BoardCell::new(number % 3, number / 3))
            .collect();
        let (mut random, mut found) = (1u64, 0);
        for _ in 0..40 {
            let mut board = GoBoard::with_rules(size, rules).expect("a board");
            for turn in 0..80 {
                let side = if turn % 2 == 0 {
                    Side::Black
                } else {
                    Side::White
                };
                let mut visited = Vec::new();
                board.superko(side, |field| visited.push(field));
                let tried = fields.iter().copied().filter(|field| {
                    let mut copy = board.clone();
                    let is_empty = board.stone(*field).is_none();
                    let played = copy.play(side, &Move::Place(*field));
                    let is_superko =
                        played.is_err_and(|illegal| illegal.reason == Violation::Superko);
                    is_empty && is_superko && copy.stone(*field).is_some()
                });
                let tried = tried.collect::<Vec<_>>();
                assert_eq!(visited, tried, "{}", &board as &dyn Board);
                found += tried.len();
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let field = fields[(random >> 32) as usize % 9];
                if board.stone(field).is_none() {
                    let _ = board.play(side, &Move::Place(field));
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
