//! Where moves are played: how often each point of each board was chosen in
//! the main lines.

use std::collections::HashMap;

use crate::value::BoardSize;

use super::{Board, PlayedMove};

/// The side of the largest board of two letters.
const SIDE: usize = BoardSize::MAX_TWO_LETTER as usize;

/// How many boards are told apart.
const BOARDS: usize = 32;

/// How many different moves are told apart on a board whose points are not
/// two letters.
const TEXTS: usize = 1024;

/// Counts of moves by point, for each board.
///
/// ```
/// use sgfstream::{SliceReader, adapt::stats::Stats};
///
/// let mut stats = Stats::default();
/// SliceReader::new(b"(;SZ[9];B[ee];W[tt];B[ei](;W[ee]))(;GM[11];B[a1])").drive(&mut stats);
/// let go = &stats.heat.boards()[0];
/// assert_eq!((go.get(1, 4, 4), go.get(2, 4, 4), go.passes(2), go.moves()), (1, 1, 1, 4));
/// let hex = &stats.heat.boards()[1];
/// assert_eq!(hex.texts()[0].0.to_string(), "B a1");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Heat {
    boards: Vec<BoardHeat>,
    other_boards: u64,
}

/// Where the moves of a game are counted.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeatPlace {
    board: usize,
    /// Columns and rows; 0 where points are not two letters.
    columns: u8,
    rows: u8,
}

/// Counts of moves on one board.
#[derive(Clone, Debug)]
pub struct BoardHeat {
    board: Board,
    /// Columns and rows, where points are two letters.
    letters: Option<(u32, u32)>,
    /// Black's, then White's, each row by row.
    points: Vec<u64>,
    texts: HashMap<PlayedMove, u64>,
    passes: [u64; 2],
    off_board: u64,
    other: u64,
}

/// The index of a letter; `SIDE` for other bytes.
const INDEX: [u8; 256] = {
    let mut index = [SIDE as u8; 256];
    let mut letter = 0;
    while letter < 26 {
        index[(b'a' + letter) as usize] = letter;
        index[(b'A' + letter) as usize] = letter + 26;
        letter += 1;
    }
    index
};

impl Heat {
    /// The place of a board; none if there are too many.
    pub(super) fn place(&mut self, board: Board) -> Option<HeatPlace> {
        let known = self.boards.iter().position(|heat| heat.board == board);
        let at = match known {
            Some(at) => at,
            None if self.boards.len() < BOARDS => {
                self.boards.push(BoardHeat::new(board));
                self.boards.len() - 1
            }
            None => return None,
        };
        let (columns, rows) = self.boards[at].letters.unwrap_or((0, 0));
        Some(HeatPlace { board: at, columns: columns as u8, rows: rows as u8 })
    }

    /// Counts a move of two bytes, if they name a point of the board: nearly
    /// every move there is.
    #[inline(always)]
    pub(super) fn add_point(&mut self, place: Option<HeatPlace>, color: u8, [column, row]: [u8; 2]) -> bool {
        let Some(place) = place else { return false };
        let (column, row) = (INDEX[usize::from(column)], INDEX[usize::from(row)]);
        if column >= place.columns || row >= place.rows {
            return false;
        }
        let of_color = usize::from(color != 1) * usize::from(place.rows) + usize::from(row);
        let at = of_color * usize::from(place.columns) + usize::from(column);
        match self.boards.get_mut(place.board).and_then(|heat| heat.points.get_mut(at)) {
            Some(count) => *count += 1,
            None => return false,
        }
        true
    }

    /// Counts any move.
    pub(super) fn add(&mut self, place: Option<HeatPlace>, color: u8, raw: &[u8]) {
        if let [column, row] = *raw
            && self.add_point(place, color, [column, row])
        {
            return;
        }
        match place.and_then(|place| self.boards.get_mut(place.board)) {
            Some(heat) => heat.add_other(color, raw),
            None => self.other_boards += 1,
        }
    }

    /// Counts a move that is too long to be looked at.
    pub(super) fn add_long(&mut self, place: Option<HeatPlace>) {
        match place.and_then(|place| self.boards.get_mut(place.board)) {
            Some(heat) => heat.other += 1,
            None => self.other_boards += 1,
        }
    }

    /// The boards, that with the most moves first.
    #[must_use]
    pub fn boards(&self) -> Vec<&BoardHeat> {
        let mut boards: Vec<_> = self.boards.iter().collect();
        boards.sort_by_cached_key(|heat| (std::cmp::Reverse(heat.moves()), heat.board.to_string()));
        boards
    }

    /// Moves on boards that are not held: there are more than 32 different
    /// ones.
    #[must_use]
    pub fn other_boards(&self) -> u64 {
        self.other_boards
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.boards.clear();
        self.other_boards = 0;
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        self.other_boards += other.other_boards;
        for theirs in &other.boards {
            match self.place(theirs.board) {
                Some(place) => self.boards[place.board].merge(theirs),
                None => self.other_boards += theirs.moves(),
            }
        }
    }
}

/// The same boards with the same counts.
impl PartialEq for Heat {
    fn eq(&self, other: &Self) -> bool {
        let row = |heat: &BoardHeat| {
            let counts = (heat.points.clone(), heat.texts(), heat.passes, heat.off_board, heat.other);
            (heat.board, counts)
        };
        let rows = |heat: &Self| heat.boards().into_iter().map(row).collect::<Vec<_>>();
        self.other_boards == other.other_boards && rows(self) == rows(other)
    }
}

impl BoardHeat {
    fn new(board: Board) -> Self {
        let letters = board.letters();
        let points = letters.map_or(0, |(columns, rows)| 2 * columns as usize * rows as usize);
        let points = vec![0; points];
        Self { board, letters, points, texts: HashMap::new(), passes: [0; 2], off_board: 0, other: 0 }
    }

    #[cold]
    #[inline(never)]
    fn add_other(&mut self, color: u8, raw: &[u8]) {
        let Some(played) = PlayedMove::new(color, raw).map(|played| self.board.read(played)) else {
            self.other += 1;
            return;
        };
        if played.is_pass() {
            self.passes[usize::from(color != 1)] += 1;
        } else if self.letters.is_some() {
            self.off_board += 1;
        } else if let Some(count) = self.texts.get_mut(&played) {
            *count += 1;
        } else if self.texts.len() < TEXTS {
            self.texts.insert(played, 1);
        } else {
            self.other += 1;
        }
    }

    /// Which board it is.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// Columns and rows, if the points of the game are two letters and are
    /// counted by [`get`](Self::get).
    #[must_use]
    pub fn size(&self) -> Option<(u32, u32)> {
        self.letters
    }

    /// How often a player chose a point: 1 for Black, 2 for White; column
    /// from the left and row from the top, from 0.
    #[must_use]
    pub fn get(&self, color: u8, column: u32, row: u32) -> u64 {
        match self.letters {
            Some((columns, rows)) if column < columns && row < rows => {
                let of_color = usize::from(color != 1) * rows as usize + row as usize;
                let at = of_color * columns as usize + column as usize;
                self.points.get(at).copied().unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Moves of a game whose points are not two letters, the most frequent
    /// first; at most 1024 different ones.
    #[must_use]
    pub fn texts(&self) -> Vec<(PlayedMove, u64)> {
        let mut rows: Vec<_> = self.texts.iter().map(|(&played, &count)| (played, count)).collect();
        rows.sort_by_key(|&(played, count)| (std::cmp::Reverse(count), played));
        rows
    }

    /// How often a player passed.
    #[must_use]
    pub fn passes(&self, color: u8) -> u64 {
        self.passes[usize::from(color != 1)]
    }

    /// Moves that are no point of the board.
    #[must_use]
    pub fn off_board(&self) -> u64 {
        self.off_board
    }

    /// Moves that are not told apart: too long, or too many different ones.
    #[must_use]
    pub fn other(&self) -> u64 {
        self.other
    }

    /// All moves.
    #[must_use]
    pub fn moves(&self) -> u64 {
        let points = self.points.iter().sum::<u64>() + self.texts.values().sum::<u64>();
        points + self.passes.iter().sum::<u64>() + self.off_board + self.other
    }

    fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.points.iter_mut().zip(&other.points) {
            *mine += theirs;
        }
        for (&played, &count) in &other.texts {
            *self.texts.entry(played).or_insert(0) += count;
        }
        if self.texts.len() > TEXTS {
            for (played, count) in self.texts().split_off(TEXTS) {
                self.texts.remove(&played);
                self.other += count;
            }
        }
        for (mine, theirs) in self.passes.iter_mut().zip(&other.passes) {
            *mine += theirs;
        }
        self.off_board += other.off_board;
        self.other += other.other;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Game;

    fn heat(moves: &[(bool, u8, String)]) -> Heat {
        let mut heat = Heat::default();
        for (is_go, color, raw) in moves {
            let game = if *is_go { Game::Go } else { Game::Hex };
            let place = heat.place(Board::new(game, None));
            heat.add(place, *color, raw.as_bytes());
        }
        heat
    }

    #[test]
    fn every_point_has_its_place() {
        let mut heat = Heat::default();
        let place = heat.place(Board::new(Game::Go, Some(BoardSize::square(52))));
        let letters: Vec<u8> = (b'a'..=b'z').chain(b'A'..=b'Z').collect();
        for &column in &letters {
            for &row in &letters {
                for color in [1, 2] {
                    heat.add(place, color, &[column, row]);
                }
            }
        }
        let board = heat.boards()[0];
        assert!(board.points.iter().all(|&count| count == 1));
        assert_eq!((board.moves(), board.get(1, 51, 51), board.get(1, 52, 0)), (2 * 52 * 52, 1, 0));
    }

    #[test]
    fn what_is_no_point() {
        let heat = heat(&[
            (true, 1, "tt".into()),
            (true, 2, String::new()),
            (true, 1, "zz".into()),
            (true, 1, "a".into()),
            (true, 1, "x".repeat(40)),
            (false, 2, "swap-pieces".into()),
        ]);
        let go = heat.boards()[0];
        assert_eq!((go.passes(1), go.passes(2), go.off_board(), go.other(), go.moves()), (1, 1, 2, 1, 5));
    }

    proptest! {
        #[test]
        fn merged_is_whole(moves in prop::collection::vec((any::<bool>(), 1u8..3, "[a-t]{2}|[a-k]1|"), 0..80), cut in 0usize..80) {
            let (one, two) = moves.split_at(cut.min(moves.len()));
            let mut merged = heat(one);
            merged.merge(&heat(two));
            prop_assert!(merged == heat(&moves));
        }
    }
}
