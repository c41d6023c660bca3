//! Finds where a game has a position, and its next move, from the plies of first stones, without reading the game.

use sgfstream_game::{BoardCell, Dialect, Game, Side};

use super::first_stone_plies::{LATE, OF_WHITE, PLY};
use super::prepared::{Plan, PreparedQuery};
use super::{Continuation, Hit, Query, Transform};

/// Place in a game that matches a query, with the facts that do not need the game itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Occurrence {
    /// Number of the move after which the board matches; see [`Hit::ply`](super::Hit::ply).
    pub ply: u64,
    /// Symmetry and color swap from query to game.
    pub way: Transform,
    /// The next move from the view of the query.
    pub continuation: Continuation,
    /// Game and size of the board; for a pattern only the game.
    pub board: Dialect,
}

impl Occurrence {
    /// Returns the facts of a hit that do not need the game itself.
    #[must_use]
    pub fn of(hit: &Hit) -> Self {
        Self { ply: hit.ply, way: hit.way, continuation: hit.continuation.clone(), board: hit.board }
    }
}

/// Result of a [`Locator`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocateResult {
    /// The game has the position, with this continuation.
    Here(Occurrence),
    /// The game has the position, but too late, or with a next move that the query does not want.
    Unwanted,
    /// Only reading the game can decide.
    Unknown,
}

/// Locates the first occurrence of a position in a game, from the plies of first stones that an
/// [`Index`](https://docs.rs/sgfstream-explore) stores. In most games these determine the boards up to the first capture.
///
/// ```
/// use sgfstream_game::{Dialect, BoardCell, Game, Side};
/// use sgfstream_table::find::{Continuation, LocateResult, Query};
///
/// let query = Query::position_after("aa").expect("a move");
/// let locator = query.locator(&Dialect::new(Game::Go, None)).expect("a board of stones");
/// // A black stone in the upper right corner by the first move, and a white one by the second. Three boards are known.
/// let mut times = [0; 361];
/// (times[18], times[360]) = (2, 3 | 1 << 14);
/// let LocateResult::Here(found) = locator.locate(&times, 3) else { panic!("expected the position") };
/// assert_eq!((found.ply, found.continuation), (1, Continuation::Field(Side::White, BoardCell::new(18, 0))));
/// ```
#[derive(Debug)]
pub struct Locator {
    prepared: PreparedQuery,
    by_move: u64,
    columns: usize,
    fields: usize,
    boards: Vec<OrientedPosition>,
}

/// The position in one orientation: its stones by cell, each with the bit of its color.
#[derive(Debug)]
struct OrientedPosition {
    way: Transform,
    stones: Vec<(usize, u16)>,
}

impl Query {
    /// Returns a locator for games of this dialect if the query is for a position. Returns `None` for other queries, for
    /// searches in variations, and for boards with other contents than black and white stones on cells.
    #[must_use]
    pub fn locator(&self, dialect: &Dialect) -> Option<Locator> {
        if self.variations || !self.is_position() || dialect.game() == Game::Havannah {
            return None;
        }
        let prepared = PreparedQuery::new(self, dialect).ok()?;
        let (Plan::Position(hashes), Some(target)) = (&prepared.plan, &prepared.target) else { return None };
        let board = prepared.start().size();
        let (columns, rows) = (board.columns(), board.rows());
        let stones = prepared.stones_of(target)?;
        let lies = |way: &Transform| way.symmetry.size(prepared.size) == (columns, rows);
        let lying = |way: Transform| {
            let turned = stones.iter().map(|&(field, side)| {
                let field = way.symmetry.turn(field, prepared.size);
                let side = if way.is_exchanged { side.opponent() } else { side };
                let color = if side == Side::White { OF_WHITE } else { 0 };
                (usize::from(field.row) * columns as usize + usize::from(field.column), color)
            });
            OrientedPosition { way, stones: turned.collect() }
        };
        let boards = hashes.iter().map(|(_, way)| *way).filter(lies).map(lying).collect();
        let (columns, fields) = (columns as usize, (columns * rows) as usize);
        Some(Locator { prepared, by_move: self.by_move, columns, fields, boards })
    }
}

impl Locator {
    /// Locates the first occurrence in a game that has the position by its hash. `times` has the first stones of the game,
    /// and `known` how many boards they determine, including the start.
    #[must_use]
    pub fn locate(&self, times: &[u16], known: u16) -> LocateResult {
        if times.len() != self.fields {
            return LocateResult::Unknown;
        }
        let found = self.boards.iter().find_map(|board| Some((board.way, board.last_move(times, known)?)));
        let Some((way, ply)) = found else { return LocateResult::Unknown };
        let is_before_setup = known & LATE != 0 && self.boards.iter().all(|board| board.stones.is_empty());
        let continuation = if is_before_setup {
            Continuation::End
        } else {
            // The next move must be determined as well.
            if ply + 1 >= known & !LATE {
                return LocateResult::Unknown;
            }
            let Some(next) = times.iter().position(|time| time & PLY == ply + 2) else { return LocateResult::Unknown };
            let field = BoardCell::new((next % self.columns) as u16, (next / self.columns) as u16);
            let side = if times[next] & OF_WHITE == 0 { Side::Black } else { Side::White };
            self.prepared.continuation(way, BoardCell::new(0, 0), side, field)
        };
        if u64::from(ply) <= self.by_move && self.prepared.asks_turn(&continuation) {
            return LocateResult::Unknown;
        }
        if u64::from(ply) > self.by_move || !self.prepared.wants(&continuation, None) {
            return LocateResult::Unwanted;
        }
        LocateResult::Here(Occurrence { ply: ply.into(), way, continuation, board: self.prepared.board() })
    }
}

impl OrientedPosition {
    /// Returns the number of the move after which the board has this position, or `None` if no known board has it.
    #[inline]
    fn last_move(&self, times: &[u16], known: u16) -> Option<u16> {
        if self.stones.is_empty() && known & LATE != 0 {
            return Some(0);
        }
        let (known, mut last) = (known & !LATE, 1);
        for &(field, color) in &self.stones {
            let time = times[field];
            if time & OF_WHITE != color {
                return None;
            }
            let at = time & PLY;
            if at == 0 || at > known {
                return None;
            }
            last = last.max(at);
        }
        // The number of stones so far must be equal, so that there is no other stone on the board.
        let there: u16 = times.iter().map(|time| u16::from((time & PLY).wrapping_sub(1) < last)).sum();
        (known > 0 && usize::from(there) == self.stones.len()).then_some(last - 1)
    }
}
