//! A Go board. Moves are executed as the format has it (spec M-04): stone,
//! then the opponent's groups beside it that have no liberty, then its own. Each group
//! knows how many empty points its stones touch, so that a move looks at its
//! four neighbors. Removing one stone forms its group again.

use crate::game::{Board, BoardCell, Effects, Illegal, Move, Setup, Side, Stone, Violation};
use crate::value::BoardSize;

use super::GoRules;
use super::history::History;

mod superko;

/// Contents of a cell. Each has four bits of its own, so that the sum of four cells counts them by
/// kind.
const EMPTY: u16 = 1;
const BLACK: u16 = 1 << 4;
const WHITE: u16 = 1 << 8;
const WALL: u16 = 1 << 12;

/// Returns the number of cells of this kind in a sum, multiplied by `kind`.
const fn count(sum: u16, kind: u16) -> u16 {
    sum & (kind * 15)
}

/// Board of at most 52 x 52 points.
///
/// ```
/// use sgfstream_game::go::GoBoard;
/// use sgfstream_game::value::BoardSize;
/// use sgfstream_game::{BoardCell, Move, Side, board::Board};
///
/// let mut board = GoBoard::new(BoardSize::square(9)).expect("not too large");
/// let corner = BoardCell::new(0, 0);
/// board.play(Side::White, &Move::Place(corner))?;
/// board.play(Side::Black, &Move::Place(BoardCell::new(1, 0)))?;
/// let played = board.play(Side::Black, &Move::Place(BoardCell::new(0, 1)))?;
/// assert_eq!(
///     (played.captured, board.stone(corner), board.prisoners(Side::Black)),
///     (1, None, 1)
/// );
/// # Ok::<(), sgfstream_game::board::Illegal>(())
/// ```
#[derive(Clone)]
pub struct GoBoard {
    size: BoardSize,
    /// Columns, plus the wall between two rows.
    stride: usize,
    /// Rows, with a wall above, below and to the left of each:
    ///
    /// ```text
    /// # # # #
    /// # . . .      column 0 is at 1, row 0 at `stride`
    /// # . . .
    /// # # # # #
    /// ```
    cells: Vec<Cell>,
    /// Taken by the last move.
    taken: Vec<u16>,
    rules: GoRules,
    ko: Option<(u16, Side)>,
    history: Option<Box<History>>,
    prisoners: [u64; 2],
}

/// A point or a wall, and the group of the stone on it.
#[derive(Clone, Copy)]
struct Cell {
    /// Empty, a wall, or the color of the stone.
    content: u16,
    /// Of a stone, the head of its group; 0 for any other cell, because cell 0 is a wall.
    head: u16,
    /// Of a stone, the next stone of its group; the links form a ring.
    next: u16,
    /// Of the head of a group: the number of stones, and how often they touch an empty point (a
    /// point that two stones touch counts twice).
    stones: u16,
    liberties: u16,
}

impl Cell {
    const fn new(content: u16) -> Self {
        Self {
            content,
            head: 0,
            next: 0,
            stones: 0,
            liberties: 0,
        }
    }
}

/// Neighbors of a new stone.
#[derive(Clone, Copy)]
struct Neighbors {
    /// Whether a stone of the same color is adjacent.
    has_own: bool,
    /// Whether an empty point is adjacent.
    has_liberty: bool,
    /// Whether a group of either color may have lost its last liberty.
    may_take: bool,
}

impl GoBoard {
    /// Returns an empty board; `None` if a side is above 52.
    #[must_use]
    pub fn new(size: BoardSize) -> Option<Self> {
        Self::with_rules(size, GoRules::default())
    }

    /// Returns an empty board that checks moves by `rules`.
    #[must_use]
    pub fn with_rules(size: BoardSize, rules: GoRules) -> Option<Self> {
        if size.longer() > BoardSize::MAX_TWO_LETTER {
            return None;
        }
        let (columns, rows) = (size.columns() as usize, size.rows() as usize);
        let stride = columns + 1;
        let len = stride * (rows + 2) + 1;
        let mut cells = vec![Cell::new(WALL); len];
        for row in 0..rows {
            let start = (row + 1) * stride + 1;
            cells[start..start + columns].fill(Cell::new(EMPTY));
        }
        let history = rules.superko.map(|superko| Box::new(History::new(superko)));
        Some(Self {
            size,
            stride,
            cells,
            taken: Vec::new(),
            rules,
            ko: None,
            history,
            prisoners: [0; 2],
        })
    }

    #[inline]
    fn at(&self, point: BoardCell) -> Option<usize> {
        point
            .is_on(self.size)
            .then(|| (usize::from(point.row) + 1) * self.stride + usize::from(point.column) + 1)
    }

    fn point(&self, at: u16) -> BoardCell {
        let at = usize::from(at) - self.stride - 1;
        BoardCell::new((at % self.stride) as u16, (at / self.stride) as u16)
    }

    /// Returns whether the board has no stones.
    pub(in crate::game) fn is_empty(&self) -> bool {
        self.cells
            .iter()
            .all(|cell| matches!(cell.content, EMPTY | WALL))
    }

    /// Returns the number of opponent's stones that `side` has captured.
    #[must_use]
    pub fn prisoners(&self, side: Side) -> u64 {
        self.prisoners[side.index() & 1]
    }

    /// Returns the points that the last move emptied.
    #[inline]
    pub fn taken(&self) -> impl Iterator<Item = BoardCell> + '_ {
        self.taken.iter().map(|&at| self.point(at))
    }

    /// Returns the point that the simple ko forbids for the next move, and the side that it forbids
    /// it to.
    #[must_use]
    pub fn ko(&self) -> Option<(BoardCell, Side)> {
        self.ko.map(|(at, side)| (self.point(at), side))
    }

    /// Plays a stone: places it even on another stone, then removes adjacent groups of the other
    /// color without liberties, then its own group if it has none (spec M-04).
    #[inline]
    pub(in crate::game) fn place(
        &mut self,
        side: Side,
        point: BoardCell,
    ) -> Result<Effects, Illegal> {
        let at = self.at(point).ok_or(Illegal::OFF_BOARD)?;
        let is_simple = self.ko.is_none() && self.history.is_none();
        if !is_simple || self.cells[at].content != EMPTY {
            return self.place_with_care(side, at);
        }
        // Nearly all moves take this path: only suicide is illegal, and nothing is captured.
        self.taken.clear();
        let beside = self.join_new(at, stone_of(side));
        if beside.may_take || !(beside.has_liberty || beside.has_own) {
            return self.take_around(side, at, beside, None);
        }
        if beside.has_own {
            self.join_neighbors(at);
        }
        // Build the result here. If another function returned it, it would be copied, and the copy
        // would wait for the writes.
        Ok(Effects::default())
    }

    /// Plays a move where there may be a stone, a ko, or positions that must not come again.
    #[inline(never)]
    fn place_with_care(&mut self, side: Side, at: usize) -> Result<Effects, Illegal> {
        let mut fault = None;
        let content = self.cells[at].content;
        if content != EMPTY {
            fault = Some(Violation::Occupied);
        } else if self.rules.superko.is_none() && self.ko == Some((at as u16, side)) {
            fault = Some(Violation::Ko);
        }
        self.taken.clear();
        // The superko remembers only positions of the game. If no move led to this board, setup
        // made it, and now it is a position of the game.
        self.history.as_mut().map(|history| history.remember(side));
        if content != EMPTY {
            self.lift(at);
        }
        self.put(at, stone_of(side));
        let beside = self.join_new(at, stone_of(side));
        self.take_around(side, at, beside, fault)
    }

    /// Removes groups without liberties after a stone was placed at `at`, and returns the effect of
    /// the move.
    #[inline(never)]
    fn take_around(
        &mut self,
        side: Side,
        at: usize,
        beside: Neighbors,
        mut fault: Option<Violation>,
    ) -> Result<Effects, Illegal> {
        let mut played = Effects::default();
        let other = stone_of(side.opponent());
        if beside.may_take {
            for next in self.neighbors(at) {
                if self.cells[next].content == other && self.group_of(next).liberties == 0 {
                    self.take(next);
                }
            }
        }
        if beside.has_own {
            self.join_neighbors(at);
        }
        let captured = self.taken.len();
        played.captured = captured as u32;
        self.prisoners[side.index() & 1] += captured as u64;
        let Cell {
            stones, liberties, ..
        } = *self.group_of(at);
        // A ko: a single stone captured a single stone and can be recaptured at once.
        let is_ko = captured == 1 && stones == 1 && liberties == 1;
        self.ko = is_ko.then(|| (self.taken[0], side.opponent()));
        if liberties == 0 {
            self.take(at);
            played.lost = u32::from(stones);
            self.prisoners[side.opponent().index() & 1] += u64::from(stones);
            if !self.rules.suicide {
                fault = fault.or(Some(Violation::Suicide));
            }
        }
        if let Some(history) = &mut self.history
            && !history.remember(side.opponent())
        {
            fault = fault.or(Some(Violation::Superko));
        }
        Illegal::unless_fine(fault, played)
    }

    fn neighbors(&self, at: usize) -> [usize; 4] {
        [at - self.stride, at - 1, at + 1, at + self.stride]
    }

    fn put(&mut self, at: usize, stone: u16) {
        if let Some(history) = &mut self.history {
            history.change(at, self.cells[at].content ^ EMPTY, stone ^ EMPTY);
        }
        self.cells[at].content = stone;
    }

    /// Returns the head of a stone's group.
    fn group_of(&self, at: usize) -> &Cell {
        &self.cells[usize::from(self.cells[at].head)]
    }

    /// Makes a stone at `at` a group of its own, and removes that liberty from its neighbors.
    #[inline]
    fn join_new(&mut self, at: usize, own: u16) -> Neighbors {
        // The neighbors of a stone are unpredictable, so this loop has no branches: a cell without
        // a stone decrements the liberties of the first cell, which is a wall. That counter wraps
        // and may be 0 at times, which captures nothing.
        let mut sum = 0;
        let mut may_take = false;
        for next in self.neighbors(at) {
            let Cell { content, head, .. } = self.cells[next];
            sum += content;
            let liberties = &mut self.cells[usize::from(head)].liberties;
            *liberties = liberties.wrapping_sub(1);
            may_take |= *liberties == 0;
        }
        let liberties = count(sum, EMPTY);
        self.cells[at] = Cell {
            content: own,
            head: at as u16,
            next: at as u16,
            stones: 1,
            liberties,
        };
        Neighbors {
            has_own: count(sum, own) != 0,
            has_liberty: liberties != 0,
            may_take,
        }
    }

    /// Joins a stone with adjacent groups of its color.
    fn join_neighbors(&mut self, at: usize) {
        for next in self.neighbors(at) {
            if self.cells[next].content == self.cells[at].content {
                self.join(at, next);
            }
        }
    }

    /// Joins the groups of two stones: the smaller group gets the larger group's head.
    #[inline]
    fn join(&mut self, a: usize, b: usize) {
        let (mut large, mut small) = (
            usize::from(self.cells[a].head),
            usize::from(self.cells[b].head),
        );
        if large == small {
            return;
        }
        if self.cells[large].stones < self.cells[small].stones {
            std::mem::swap(&mut large, &mut small);
        }
        let mut at = small;
        loop {
            let cell = &mut self.cells[at];
            cell.head = large as u16;
            at = usize::from(cell.next);
            if at == small {
                break;
            }
        }
        // Exchanging one link of each ring joins two rings.
        let Cell {
            next,
            stones,
            liberties,
            ..
        } = self.cells[small];
        let cell = &mut self.cells[large];
        cell.stones += stones;
        cell.liberties += liberties;
        let next = std::mem::replace(&mut cell.next, next);
        self.cells[small].next = next;
    }

    /// Removes the group of `start` from the board; its neighbors gain liberties.
    fn take(&mut self, start: usize) {
        let first = self.taken.len();
        let mut at = start;
        loop {
            self.put(at, EMPTY);
            self.taken.push(at as u16);
            let cell = &mut self.cells[at];
            cell.head = 0;
            at = usize::from(cell.next);
            if at == start {
                break;
            }
        }
        for index in first..self.taken.len() {
            for next in self.neighbors(usize::from(self.taken[index])) {
                let head = usize::from(self.cells[next].head);
                let liberties = &mut self.cells[head].liberties;
                *liberties = liberties.wrapping_add(1);
            }
        }
    }

    /// Removes one stone. The other stones of its group form new groups, because the group may fall
    /// apart.
    #[cold]
    fn lift(&mut self, stone: usize) {
        let own = self.cells[stone].content;
        self.put(stone, EMPTY);
        let mut others = Vec::new();
        let mut at = usize::from(self.cells[stone].next);
        while at != stone {
            others.push(at);
            at = usize::from(self.cells[at].next);
        }
        self.cells[stone].head = 0;
        for next in self.neighbors(stone) {
            let Cell { content, head, .. } = self.cells[next];
            if content != own {
                let liberties = &mut self.cells[usize::from(head)].liberties;
                *liberties = liberties.wrapping_add(1);
            }
        }
        for &at in &others {
            let is_empty = |&next: &usize| self.cells[next].content == EMPTY;
            let liberties = self.neighbors(at).into_iter().filter(is_empty).count() as u16;
            self.cells[at] = Cell {
                content: own,
                head: at as u16,
                next: at as u16,
                stones: 1,
                liberties,
            };
        }
        for at in others {
            for next in [at + 1, at + self.stride] {
                if self.cells[next].content == own {
                    self.join(at, next);
                }
            }
        }
    }
}

impl Board for GoBoard {
    fn size(&self) -> BoardSize {
        self.size
    }

    fn stone(&self, point: BoardCell) -> Option<Side> {
        match self.cells[self.at(point)?].content {
            BLACK => Some(Side::Black),
            WHITE => Some(Side::White),
            _ => None,
        }
    }

    #[inline]
    fn content(&self, point: BoardCell) -> u64 {
        let content = self.at(point).map_or(EMPTY, |at| self.cells[at].content);
        u64::from(content == BLACK) + 2 * u64::from(content == WHITE)
    }

    fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        match mv {
            Move::Place(point) => self.place(side, *point),
            Move::Pass => {
                self.ko = None;
                self.taken.clear();
                Ok(Effects::default())
            }
            _ => Err(Illegal::NOT_A_MOVE),
        }
    }

    /// Places a stone or empties the point. Clears the ko.
    fn set_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let at = self.at(stone.point()?).ok_or(Illegal::OFF_BOARD)?;
        let stone = setup.stone()?.map_or(EMPTY, stone_of);
        let content = self.cells[at].content;
        if content != stone && content != EMPTY {
            self.lift(at);
        }
        if content != stone && stone != EMPTY {
            self.put(at, stone);
            self.join_new(at, stone);
            self.join_neighbors(at);
        }
        self.ko = None;
        Ok(())
    }
}

#[inline]
const fn stone_of(side: Side) -> u16 {
    if side.index() & 1 == 0 { BLACK } else { WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::go::parse_point;

    fn board(side: u32, rules: GoRules) -> GoBoard {
        GoBoard::with_rules(BoardSize::square(side), rules).expect("fits")
    }

    fn place(text: &str) -> Move {
        Move::Place(point(text))
    }

    fn set_up(board: &mut GoBoard, side: Option<Side>, point: BoardCell) {
        board
            .set_up(Setup::Stone(side), &Stone::Point(point))
            .expect("on the board");
    }

    fn point(text: &str) -> BoardCell {
        parse_point(BoardSize::square(52), text.as_bytes()).expect(text)
    }

    fn play_all(board: &mut GoBoard, moves: &str) -> Vec<Result<Effects, Violation>> {
        moves
            .split(' ')
            .map(|text| {
                let (side, at) = text.split_at(1);
                let side = if side == "B" {
                    Side::Black
                } else {
                    Side::White
                };
                board
                    .play(side, &Move::Place(point(at)))
                    .map_err(|illegal| illegal.reason)
            })
            .collect()
    }

    #[test]
    fn a_ko_and_its_return() {
        let mut board = board(9, GoRules::default());
        let results = play_all(&mut board, "Bba Wca Bab Wdb Bbc Wcc Bcb Wbb");
        assert_eq!(results[7].map(|played| played.captured), Ok(1));
        assert_eq!(board.ko(), Some((point("cb"), Side::Black)));
        assert_eq!(play_all(&mut board, "Bcb")[0], Err(Violation::Ko));
        // The illegal move was made nevertheless.
        assert_eq!(board.stone(point("cb")), Some(Side::Black));
        assert_eq!(board.stone(point("bb")), None);
    }

    #[test]
    fn after_a_threat_the_ko_is_free_but_not_for_superko() {
        let moves = "Bba Wca Bab Wdb Bbc Wcc Bcb Wbb";
        let mut simple = board(9, GoRules::default());
        play_all(&mut simple, moves);
        assert!(
            play_all(&mut simple, "Bii Whh Bcb")
                .iter()
                .all(Result::is_ok)
        );
        let mut superko = board(
            9,
            GoRules {
                superko: Some(super::super::Superko::Positional),
                suicide: false,
            },
        );
        play_all(&mut superko, moves);
        assert_eq!(play_all(&mut superko, "Bcb"), [Err(Violation::Superko)]);
    }

    #[test]
    fn suicide_takes_the_own_group() {
        let mut board = board(9, GoRules::default());
        play_all(&mut board, "Wab Wbb Wca Bba");
        let illegal = board
            .play(Side::Black, &place("aa"))
            .expect_err("no liberty");
        assert_eq!(
            (illegal.reason, illegal.played.lost),
            (Violation::Suicide, 2)
        );
        assert_eq!(
            (board.stone(point("aa")), board.stone(point("ba"))),
            (None, None)
        );
        assert_eq!(board.prisoners(Side::White), 2);
    }

    #[test]
    fn a_move_onto_a_stone_replaces_it() {
        let mut board = board(9, GoRules::default());
        let results = play_all(&mut board, "Bee Wee");
        assert_eq!(results[1], Err(Violation::Occupied));
        assert_eq!(board.stone(point("ee")), Some(Side::White));
        assert_eq!(
            (board.prisoners(Side::Black), board.prisoners(Side::White)),
            (0, 0)
        );
    }

    #[test]
    fn setup_takes_nothing_and_a_later_move_takes_only_its_neighbors() {
        let mut board = board(9, GoRules::default());
        for (side, at) in [
            (Side::White, "aa"),
            (Side::Black, "ba"),
            (Side::Black, "ab"),
        ] {
            set_up(&mut board, Some(side), point(at));
        }
        assert_eq!(board.stone(point("aa")), Some(Side::White));
        board.play(Side::Black, &place("ee")).expect("legal");
        assert_eq!(board.stone(point("aa")), Some(Side::White));
    }

    #[test]
    fn the_smallest_and_the_largest_board() {
        let mut tiny = board(1, GoRules::default());
        assert_eq!(play_all(&mut tiny, "Baa"), [Err(Violation::Suicide)]);
        let mut huge = board(52, GoRules::default());
        assert!(play_all(&mut huge, "BZZ BZY WAA").iter().all(Result::is_ok));
        assert_eq!(
            huge.play(Side::Black, &Move::Place(BoardCell::new(52, 0)))
                .expect_err("off")
                .reason,
            Violation::OffBoard
        );
        assert!(GoBoard::new(BoardSize::new(53, 1)).is_none());
    }

    proptest::proptest! {
        /// Slow counterpart for the tests: finds every group from the definition.
        #[test]
        fn as_the_definition_has_it(moves in proptest::collection::vec((0usize..8, 0u16..4, 0u16..4), 0..60)) {
            let mut board = board(4, GoRules::default());
            let mut slow = [[None::<Side>; 4]; 4];
            for (kind, column, row) in moves {
                let side = [Side::Black, Side::White][kind % 2];
                if kind < 6 {
                    let _ = board.play(side, &Move::Place(BoardCell::new(column, row)));
                    slow_play(&mut slow, side, column as usize, row as usize);
                } else {
                    let stone = (column != 0).then_some(side);
                    set_up(&mut board, stone, BoardCell::new(column, row));
                    slow[row as usize][column as usize] = stone;
                }
                for (row, cells) in slow.iter().enumerate() {
                    for (column, &cell) in cells.iter().enumerate() {
                        let found = board.stone(BoardCell::new(column as u16, row as u16));
                        proptest::prop_assert_eq!(found, cell);
                    }
                }
            }
        }
    }

    fn slow_play(cells: &mut [[Option<Side>; 4]; 4], side: Side, column: usize, row: usize) {
        cells[row][column] = Some(side);
        let beside = |column: usize, row: usize| {
            [
                (column.wrapping_sub(1), row),
                (column + 1, row),
                (column, row.wrapping_sub(1)),
                (column, row + 1),
            ]
            .into_iter()
            .filter(|&(column, row)| column < 4 && row < 4)
        };
        let take = |cells: &mut [[Option<Side>; 4]; 4], side: Side, column: usize, row: usize| {
            if cells[row][column] != Some(side) {
                return;
            }
            let mut group = vec![(column, row)];
            let mut at = 0;
            while at < group.len() {
                let (column, row) = group[at];
                at += 1;
                for (column, row) in beside(column, row) {
                    match cells[row][column] {
                        None => return,
                        Some(found) if found == side && !group.contains(&(column, row)) => {
                            group.push((column, row))
                        }
                        Some(_) => {}
                    }
                }
            }
            for (column, row) in group {
                cells[row][column] = None;
            }
        };
        for (column, row) in beside(column, row) {
            take(cells, side.opponent(), column, row);
        }
        take(cells, side, column, row);
    }
}
