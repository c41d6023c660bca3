//! Finds where a game has a position, and its next move, from the plies of first stones and later changes, without reading
//! the game.

use sgfstream_game::{BoardCell, Dialect, Game};

use super::first_stone_plies::{FirstStonePlies, PLY};
use super::pattern::{BLACK, WHITE};
use super::prepared::{Plan, PreparedQuery};
use super::{Continuation, Hit, Query, Transform};

/// Place in a game that matches a query, with the facts that do not need the game itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occurrence {
    /// Number of the move after which the board matches; see [`Hit::ply`](super::Hit::ply).
    pub ply: u64,
    /// Symmetry and color swap from query to game.
    pub transform: Transform,
    /// The next move from the view of the query.
    pub continuation: Continuation,
    /// Game and size of the board; for a pattern only the game.
    pub board: Dialect,
}

impl Occurrence {
    /// Returns the facts of a hit that do not need the game itself.
    #[must_use]
    pub fn of(hit: &Hit) -> Self {
        Self { ply: hit.ply, transform: hit.transform, continuation: hit.continuation.clone(), board: hit.board }
    }
}

/// Result of a [`Locator`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocateResult {
    /// The game has the position at this place.
    Here(Occurrence),
    /// The game has the position too late, or with a next move that the query does not want.
    Unwanted,
    /// Only reading the game can decide.
    Unknown,
}

/// Locates the first occurrence of a position in a game from the plies that an
/// [`Index`](https://docs.rs/sgfstream-explore) stores. In most games these determine all boards.
///
/// ```
/// use sgfstream_game::{Dialect, BoardCell, Game, Side};
/// use sgfstream_table::find::{Continuation, FirstStonePlies, LocateResult, Query};
///
/// let query = Query::position_after("aa").expect("a move");
/// let locator = query.locator(&Dialect::new(Game::Go, None)).expect("a board of stones");
/// // A black stone in the upper right corner by the first move, and a white one by the second.
/// let mut plies = FirstStonePlies { of_fields: vec![0; 361], is_complete: true, ..FirstStonePlies::default() };
/// (plies.of_fields[18], plies.of_fields[360]) = (2, 3 | 1 << 14);
/// let LocateResult::Here(found) = locator.locate(&plies) else { panic!("expected the position") };
/// assert_eq!((found.ply, &found.continuation), (1, &Continuation::Field(Side::White, BoardCell::new(18, 0))));
/// ```
#[derive(Debug)]
pub struct Locator {
    prepared: PreparedQuery,
    by_move: u64,
    columns: usize,
    cells: usize,
    /// The position in all orientations.
    orientations: Vec<Orientation>,
}

/// The stones of a position in one orientation.
#[derive(Debug)]
struct Orientation {
    transform: Transform,
    /// The cell of each stone, and the contents that the cell accepts.
    stones: Vec<(usize, u8)>,
}

impl Query {
    /// Returns a locator for games of this dialect if the query is for a position. Returns `None` for other queries, for
    /// searches in variations, and for positions with other contents than black and white stones on cells.
    #[must_use]
    pub fn locator(&self, dialect: &Dialect) -> Option<Locator> {
        if self.variations || dialect.game() == Game::Havannah {
            return None;
        }
        let prepared = PreparedQuery::new(self, dialect).ok()?;
        let (Plan::Position(hashes), Some(target)) = (&prepared.plan, &prepared.target) else { return None };
        let board = prepared.start().size();
        let size = (board.columns(), board.rows());
        let (columns, cells) = (size.0 as usize, (size.0 * size.1) as usize);
        let stones = prepared.stones_of(target)?;
        let mut orientations = Vec::new();
        for &(_, transform) in hashes.iter().filter(|(_, transform)| transform.symmetry.size(prepared.size) == size) {
            let mut turned = Vec::with_capacity(stones.len());
            for &(cell, side) in &stones {
                let cell = transform.symmetry.turn(cell, prepared.size);
                let side = if transform.is_exchanged { side.opponent() } else { side };
                turned.push((usize::from(cell.row) * columns + usize::from(cell.column), [BLACK, WHITE][side.index()]));
            }
            orientations.push(Orientation { transform, stones: turned });
        }
        Some(Locator { by_move: self.by_move, prepared, columns, cells, orientations })
    }
}

impl Locator {
    /// Locates the first occurrence of the position in a game that has its hash.
    #[must_use]
    pub fn locate(&self, plies: &FirstStonePlies) -> LocateResult {
        if plies.of_fields.len() != self.cells || !plies.is_complete {
            return LocateResult::Unknown;
        }
        let found = self.orientations.iter().filter_map(|orientation| Some((orientation.ply_in(plies)?, orientation)));
        let Some((ply, Orientation { transform, stones })) = found.min_by_key(|(ply, _)| *ply) else {
            return LocateResult::Unknown;
        };
        let continuation = if plies.is_late && stones.is_empty() {
            Continuation::End
        } else {
            // A pass, or another move without a cell, is not known.
            let Some((_, side, cell)) = plies.move_number(self.columns, ply + 1) else { return LocateResult::Unknown };
            self.prepared.map_back(*transform, BoardCell::new(0, 0), side, cell)
        };
        let is_late = u64::from(ply) > self.by_move;
        if !is_late && self.prepared.asks_turn(&continuation) {
            return LocateResult::Unknown;
        }
        if is_late || !self.prepared.wants(&continuation, None, None) {
            return LocateResult::Unwanted;
        }
        let board = self.prepared.board();
        LocateResult::Here(Occurrence { ply: ply.into(), transform: *transform, continuation, board })
    }
}

impl Orientation {
    /// Returns the number of the first move after which the board has this position, or `None` if it is unknown.
    fn ply_in(&self, plies: &FirstStonePlies) -> Option<u16> {
        let mut ply = 0;
        loop {
            ply = self.next_match(plies, ply)?;
            // With an equal number of stones, the board has no other stones. Otherwise, only a capture can make the numbers
            // equal.
            if plies.stones_after(ply) == self.stones.len() || ply == 0 && plies.is_late && self.stones.is_empty() {
                return Some(ply);
            }
            let is_capture = |&[change, _]: &[u16; 2]| change >> 14 == 0 && change & PLY > ply + 1;
            ply = (plies.later.iter().copied().find(is_capture)?[0] & PLY) - 1;
        }
    }

    /// Returns the first number of a move, from `ply` on, after which all stones are on the board.
    fn next_match(&self, plies: &FirstStonePlies, mut ply: u16) -> Option<u16> {
        loop {
            let matches = |ply, &(cell, accepted): &(usize, u8)| plies.next_match(cell, accepted, ply);
            let next = self.stones.iter().try_fold(ply, matches)?;
            if next == ply {
                return Some(ply);
            }
            ply = next;
        }
    }
}
