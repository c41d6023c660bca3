//! A move as it is remembered, and the board it was played on.

use std::fmt;
use std::hash::{Hash, Hasher};

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, GameState, Program, Symmetry, letter_index};

/// Longest move that is remembered.
const LONGEST: usize = 30;

/// Who moved, and the text of the move: its value without blanks around it. A
/// pass is empty.
#[derive(Clone, Copy, Eq, PartialOrd, Ord)]
pub struct PlayedMove {
    color: u8,
    len: u8,
    bytes: [u8; LONGEST],
}

impl PartialEq for PlayedMove {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let ((start, rest), (other_start, other_rest)) = (self.parts(), other.parts());
        start == other_start && (rest.is_empty() || rest == other_rest)
    }
}

impl Hash for PlayedMove {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (start, rest) = self.parts();
        state.write_u32(start);
        if !rest.is_empty() {
            state.write(rest);
        }
    }
}

impl PlayedMove {
    /// Its start as one word, and the rest: nearly all moves are a point of two letters and have none.
    #[inline]
    fn parts(&self) -> (u32, &[u8]) {
        let start = u32::from_le_bytes([self.color, self.len, self.bytes[0], self.bytes[1]]);
        (start, self.as_bytes().get(2..).unwrap_or_default())
    }

    /// The move of a player, from 1 (Black), as `raw` has it; nothing if that
    /// is longer than 30 bytes.
    #[must_use]
    pub fn new(color: u8, raw: &[u8]) -> Option<Self> {
        let raw = raw.trim_ascii();
        let mut bytes = [0; LONGEST];
        bytes.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(Self { color, len: raw.len() as u8, bytes })
    }

    /// Whose move it is, from 1: Black, or the first colour.
    #[must_use]
    pub fn color(&self) -> u8 {
        self.color
    }

    /// Its text.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// True for a pass.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.len == 0
    }

    /// Column and row of a point of two letters, from 0.
    fn field(&self) -> Option<(u32, u32)> {
        match *self.as_bytes() {
            [column, row] => Some((u32::from(letter_index(column)?), u32::from(letter_index(row)?))),
            _ => None,
        }
    }

    fn at(self, (column, row): (u32, u32)) -> Self {
        let letter = |index: u32| match index {
            0..26 => b'a' + index as u8,
            _ => b'A' + (index as u8 - 26),
        };
        let mut moved = self;
        (moved.bytes[0], moved.bytes[1], moved.len) = (letter(column), letter(row), 2);
        moved
    }
}

/// `B pd`, `W pass`, `3 a1,a2`.
impl fmt::Display for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.color {
            1 => f.write_str("B ")?,
            2 => f.write_str("W ")?,
            color => write!(f, "{color} ")?,
        }
        if self.is_pass() { f.write_str("pass") } else { f.write_str(&String::from_utf8_lossy(self.as_bytes())) }
    }
}

impl fmt::Debug for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayedMove({self})")
    }
}

/// A game and the size of its board: what makes points of two records the
/// same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    /// The game.
    pub game: Game,
    /// The size, if the record or the game says one.
    pub size: Option<BoardSize>,
}

impl Board {
    /// The board of a game that says `size`, or says none.
    #[must_use]
    pub fn new(game: Game, size: Option<BoardSize>) -> Self {
        let has_size = !matches!(game, Game::Pentobi(_) | Game::Backgammon);
        let size = size.filter(|_| has_size).or_else(|| Dialect::default_size(game, Program::Standard));
        Self { game, size }
    }

    /// The board of a game whose root has been read.
    pub(super) fn of(state: &GameState) -> Self {
        match state.dialect().has_size() {
            true => Self::new(state.game(), state.board_size()),
            false => Self { game: state.game(), size: None },
        }
    }

    /// Columns and rows where points are two letters and fit the board.
    pub(super) fn letters(&self) -> Option<(u32, u32)> {
        let size = self.size.filter(|size| size.longer() <= BoardSize::MAX_TWO_LETTER)?;
        self.game.has_two_letter_points().then_some((size.columns(), size.rows()))
    }

    /// The move as all records of the board have it: `tt` is a pass where no
    /// point has that name (FF\[4\] Go, FF\[3\]).
    pub(super) fn read(&self, played: PlayedMove) -> PlayedMove {
        match self.letters() {
            Some((columns, rows)) if played.as_bytes() == b"tt" && columns < 20 && rows < 20 => {
                PlayedMove { len: 0, bytes: [0; LONGEST], ..played }
            }
            _ => played,
        }
    }

    /// Turns and mirrors a line of moves, where the game allows that, so that
    /// lines that are the same on the board are the same: as far right, then
    /// as far up as can be, move by move.
    pub(super) fn canonical(&self, line: &mut [PlayedMove]) {
        let is_symmetric = matches!(self.game, Game::Go | Game::Gomoku | Game::Kropki);
        let Some(size) = self.letters().filter(|_| is_symmetric) else { return };
        let on_board = |played: &PlayedMove| match played.field() {
            Some((column, row)) => column < size.0 && row < size.1,
            None => played.is_pass(),
        };
        if !line.iter().all(on_board) {
            return;
        }
        // Those that are best so far: nearly always one or two after the first field.
        let mut ways = Symmetry::ALL;
        let mut best = keep(&mut ways, |symmetry| symmetry.size(size) == size);
        // Passes are the same whichever way the board is turned.
        for field in line.iter().filter_map(PlayedMove::field) {
            let rank = |symmetry: &Symmetry| {
                let (column, row) = symmetry.apply(field, size);
                (u32::MAX - column, row)
            };
            let least = best.iter().map(rank).min();
            best = keep(best, |symmetry| Some(rank(symmetry)) == least);
            if best.len() == 1 {
                break;
            }
        }
        let best = best[0];
        for played in line {
            if let Some(field) = played.field() {
                *played = played.at(best.apply(field, size));
            }
        }
    }
}

/// Those of `ways` that are wanted, in their order.
fn keep(ways: &mut [Symmetry], is_wanted: impl Fn(&Symmetry) -> bool) -> &mut [Symmetry] {
    let mut len = 0;
    for at in 0..ways.len() {
        if is_wanted(&ways[at]) {
            ways[len] = ways[at];
            len += 1;
        }
    }
    &mut ways[..len]
}

/// `Go 19x19`, `Blokus`.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Game::Number(number) => write!(f, "GM[{number}]")?,
            game => f.write_str(game.name())?,
        }
        match self.size {
            Some(size) if !matches!(self.game, Game::Pentobi(_) | Game::Backgammon) => {
                write!(f, " {}x{}", size.columns(), size.rows())
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str) -> Vec<PlayedMove> {
        let play = |(at, value): (usize, &str)| PlayedMove::new(1 + at as u8 % 2, value.as_bytes()).expect("short");
        text.split(' ').enumerate().map(play).collect()
    }

    fn canonical(text: &str, columns: u32, rows: u32) -> String {
        let board = Board::new(Game::Go, Some(BoardSize::new(columns, rows)));
        let mut line = line(text);
        board.canonical(&mut line);
        line.iter().map(|played| String::from_utf8_lossy(played.as_bytes())).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn lines_that_are_the_same_on_the_board() {
        for same in ["pd dp", "dp pd", "dd pp", "pp dd"] {
            assert_eq!(canonical(same, 19, 19), "pd dp");
        }
        for same in ["pd qc", "pd pc", "dd cd", "dp dq", "pp qp"] {
            let canonical = canonical(same, 19, 19);
            assert!(canonical == "pd qc" || canonical == "pd qd", "{same}: {canonical}");
        }
        assert_eq!(canonical("pd pc", 19, 19), canonical("pd qd", 19, 19));
        assert_ne!(canonical("pd qc", 19, 19), canonical("pd qd", 19, 19));
        // Not square: no quarter turns.
        assert_eq!(canonical("aa", 5, 3), "ea");
        assert_ne!(canonical("ab", 5, 9), canonical("ba", 5, 9));
        // Off the board, nothing is turned.
        assert_eq!(canonical("dd zz", 19, 19), "dd zz");
    }

    #[test]
    fn hex_is_not_turned() {
        let mut moves = line("a1 b2");
        Board::new(Game::Hex, None).canonical(&mut moves);
        assert_eq!(moves, line("a1 b2"));
        assert_eq!(Board::new(Game::Hex, None).to_string(), "Hex 11x11");
    }

    #[test]
    fn passes() {
        let pass = |side: u32, raw: &[u8]| {
            let board = Board::new(Game::Go, Some(BoardSize::square(side)));
            board.read(PlayedMove::new(1, raw).expect("short")).is_pass()
        };
        assert!(pass(19, b"tt") && pass(19, b"") && pass(9, b" \n") && !pass(21, b"tt") && !pass(19, b"pd"));
        assert!(PlayedMove::new(1, &[b'x'; 31]).is_none());
    }

    proptest! {
        /// Whichever way a line is turned first, the canonical one is the same.
        #[test]
        fn one_for_all_eight(fields in prop::collection::vec((0u32..9, 0u32..9), 1..6), turn in 0usize..8) {
            let board = Board::new(Game::Go, Some(BoardSize::square(9)));
            let start = PlayedMove::new(1, b"aa").expect("short");
            let mut one: Vec<_> = fields.iter().map(|&field| start.at(field)).collect();
            let symmetry = Symmetry::ALL[turn];
            let mut two: Vec<_> = fields.iter().map(|&field| start.at(symmetry.apply(field, (9, 9)))).collect();
            board.canonical(&mut one);
            board.canonical(&mut two);
            prop_assert_eq!(one, two);
        }
    }
}
