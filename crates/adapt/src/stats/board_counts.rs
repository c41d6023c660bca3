//! Counts how often each point of a board was played.

use std::collections::BTreeMap;

use sgfstream_game::{BoardCell, Dialect, Move};

use super::keyed::KeyedMap;
use super::{BoardId, PlayedMove, add_all};

/// Maximum number of different moves to count on a board whose points are not two letters. A hash
/// table with 1024 slots holds exactly that many.
const TEXTS: usize = 896;

/// Maximum length of a move that is parsed, in bytes.
const LONGEST: usize = 4096;

/// Maximum number of cells counted for moves beyond [`TEXTS`].
pub(super) const FIELDS: usize = 2048;

/// Counts of the moves on one board.
#[derive(Clone, Debug)]
pub struct BoardCounts {
    /// The board.
    pub board: BoardId,
    /// Columns and rows, if points are two letters.
    pub(super) letters: Option<(u32, u32)>,
    /// Counts by point: Black's row by row, then White's.
    pub(super) points: Vec<u64>,
    texts: KeyedMap<PlayedMove, u64>,
    /// Counts by cell, for moves beyond [`TEXTS`].
    rest: BTreeMap<BoardCell, u64>,
    passes: [u64; 2],
    /// Number of moves off the board.
    pub off_board: u64,
    /// Number of moves without a count of their own: too long, or beyond the 896 different ones.
    pub other: u64,
    /// Moves of finished games.
    pub(super) played: u64,
}

impl BoardCounts {
    pub(super) fn new(board: BoardId) -> Self {
        let letters = board.letters();
        let points = letters.map_or(0, |(columns, rows)| 2 * columns as usize * rows as usize);
        let points = vec![0; points];
        let (texts, rest) = (KeyedMap::default(), BTreeMap::new());
        Self {
            board,
            letters,
            points,
            texts,
            rest,
            passes: [0; 2],
            off_board: 0,
            other: 0,
            played: 0,
        }
    }

    /// Returns a key by which the board with the most moves sorts first. No two boards have equal
    /// keys.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        let size = self.board.size.map(|size| (size.columns(), size.rows()));
        (
            std::cmp::Reverse(self.played),
            self.board.game,
            size,
            self.board.numbering,
        )
    }

    #[cold]
    #[inline(never)]
    pub(super) fn add_other(&mut self, color: u8, raw: &[u8]) {
        let played = PlayedMove::new(color, raw).map(|played| self.board.read(played));
        if played.is_some_and(|played| played.is_pass()) {
            self.passes[usize::from(color != 1)] += 1;
        } else if self.letters.is_some() {
            self.add_by_letters(color, raw);
        } else if let Some(played) = played {
            let has_room = self.texts.len() < TEXTS;
            match self.texts.get_mut(&played) {
                Some(count) => *count += 1,
                None if has_room => _ = self.texts.insert(played, 1),
                None => self.add_rest(played, 1),
            }
        } else {
            self.other += 1;
        }
    }

    /// Counts a move that is more than a point of two letters, such as a queen's path with her
    /// arrow, or a dot with the stones that it encloses.
    fn add_by_letters(&mut self, color: u8, raw: &[u8]) {
        if raw.len() > LONGEST {
            self.other += 1;
            return;
        }
        let point = fields_of(&self.board.dialect(), raw).first().copied();
        let at = point.and_then(|point| self.index(color, point.column.into(), point.row.into()));
        match at {
            Some(at) => self.points[at] += 1,
            None => self.off_board += 1,
        }
    }

    /// Returns the index of a point in `points`, if the board has it.
    fn index(&self, color: u8, column: u32, row: u32) -> Option<usize> {
        let (columns, rows) = self.letters?;
        let of_color = u32::from(color != 1) * rows + row;
        (column < columns && row < rows).then_some((of_color * columns + column) as usize)
    }

    /// Counts a move if `texts` is full.
    fn add_rest(&mut self, played: PlayedMove, count: u64) {
        self.other += count;
        for field in fields_of(&self.board.dialect(), played.as_bytes()) {
            let is_full = self.rest.len() >= FIELDS;
            match self.rest.get_mut(&field) {
                Some(sum) => *sum += count,
                None if is_full => {}
                None => _ = self.rest.insert(field, count),
            }
        }
    }

    /// Returns columns and rows, if the points of the game are two letters, so that
    /// [`get`](Self::get) counts them.
    #[must_use]
    pub fn size(&self) -> Option<(u32, u32)> {
        self.letters
    }

    /// Returns how often a player chose a point. `color` is 1 for Black, 2 for White. Columns count
    /// from the left and rows from the top, from 0.
    #[must_use]
    pub fn get(&self, color: u8, column: u32, row: u32) -> u64 {
        self.index(color, column, row)
            .map_or(0, |at| self.points[at])
    }

    /// Returns how often each cell was part of a move, on a board whose points are not two letters.
    /// A piece covers several cells, and a stone one. Moves without a count of their own are
    /// included, up to 2048 different cells.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_adapt::stats::Stats;
    /// use sgfstream_game::BoardCell;
    ///
    /// let mut stats = Stats::default();
    /// let input = b"(;GM[Blokus];1[a20,b20];2[t20])";
    /// stats.add_all(&mut GameReader::new(SliceReader::new(input)))?;
    /// let fields = stats.heat.boards()[0].fields();
    /// assert_eq!((fields.len(), fields[&BoardCell::new(1, 0)]), (3, 1));
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    #[must_use]
    pub fn fields(&self) -> BTreeMap<BoardCell, u64> {
        let dialect = self.board.dialect();
        let mut fields = self.rest.clone();
        for (&played, &count) in &self.texts {
            for field in fields_of(&dialect, played.as_bytes()) {
                *fields.entry(field).or_default() += count;
            }
        }
        fields
    }

    /// Returns the moves of a game whose points are not two letters, the most frequent first. At
    /// most 896 different moves have counts of their own.
    #[must_use]
    pub fn texts(&self) -> Vec<(PlayedMove, u64)> {
        let mut rows: Vec<_> = self
            .texts
            .iter()
            .map(|(&played, &count)| (played, count))
            .collect();
        rows.sort_by_key(|&(played, count)| (std::cmp::Reverse(count), played));
        rows
    }

    /// Returns how often a player passed.
    #[must_use]
    pub fn passes(&self, color: u8) -> u64 {
        self.passes[usize::from(color != 1)]
    }

    /// Returns the number of all moves.
    #[must_use]
    pub fn moves(&self) -> u64 {
        let points = self.points.iter().sum::<u64>() + self.texts.values().sum::<u64>();
        points + self.passes.iter().sum::<u64>() + self.off_board + self.other
    }

    pub(super) fn merge(&mut self, other: &Self) {
        add_all(&mut self.points, &other.points);
        for (&played, &count) in &other.texts {
            *self.texts.entry(played).or_insert(0) += count;
        }
        if self.texts.len() > TEXTS {
            for (played, count) in self.texts().split_off(TEXTS) {
                self.texts.remove(&played);
                self.add_rest(played, count);
            }
        }
        add_all(&mut self.passes, &other.passes);
        self.off_board += other.off_board;
        self.other += other.other;
        self.played += other.played;
        for (&field, &count) in &other.rest {
            *self.rest.entry(field).or_default() += count;
        }
        while self.rest.len() > FIELDS {
            self.rest.pop_last();
        }
    }
}

/// Returns the cells that a move occupies.
fn fields_of(dialect: &Dialect, raw: &[u8]) -> Vec<BoardCell> {
    match dialect.parse_move(raw) {
        Ok(Move::Piece(piece)) => piece.fields().to_vec(),
        Ok(played) => played.point().into_iter().collect(),
        Err(_) => Vec::new(),
    }
}
