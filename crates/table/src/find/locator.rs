//! Finds where a game has a position or a pattern, and its next move, from the plies of first stones and later changes,
//! without reading the game.

use sgfstream_game::{BoardCell, Dialect, Game};

use super::first_stone_plies::{FirstStonePlies, PLY};
use super::placement::Placement;
use super::prefilter::{Prefilter, Shape};
use super::prepared::{Plan, PreparedQuery};
use super::{Continuation, HITS_MAX, Hit, Query, Transform};

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
    /// The game has the position at this place, or the pattern at these places.
    Here(Vec<Occurrence>),
    /// The game lacks the pattern; or it has the position too late, or with a next move that the query does not want.
    Unwanted,
    /// Only reading the game can decide.
    Unknown,
}

/// Locates the first occurrence of a position in a game, or all occurrences of a pattern on its main line, from the plies that
/// an [`Index`](https://docs.rs/sgfstream-explore) stores. In most games these determine all boards.
///
/// ```
/// use sgfstream_game::{Dialect, BoardCell, Game, Side};
/// use sgfstream_table::find::{Continuation, FirstStonePlies, LocateResult, Query};
///
/// let query = Query::position_after("aa").expect("a move");
/// let mut locator = query.locator(&Dialect::new(Game::Go, None)).expect("a board of stones");
/// // A black stone in the upper right corner by the first move, and a white one by the second.
/// let mut plies = FirstStonePlies { of_fields: vec![0; 361], is_complete: true, ..FirstStonePlies::default() };
/// (plies.of_fields[18], plies.of_fields[360]) = (2, 3 | 1 << 14);
/// let LocateResult::Here(found) = locator.locate(&plies) else { panic!("expected the position") };
/// assert_eq!((found[0].ply, &found[0].continuation), (1, &Continuation::Field(Side::White, BoardCell::new(18, 0))));
/// ```
#[derive(Debug)]
pub struct Locator {
    prepared: PreparedQuery,
    /// The pattern, or the position, in all orientations.
    shapes: Prefilter,
}

impl Query {
    /// Returns a locator for games of this dialect if the query is for a position or a pattern. Returns `None` for other
    /// queries, for searches in variations, and for positions with other contents than black and white stones on cells.
    #[must_use]
    pub fn locator(&self, dialect: &Dialect) -> Option<Locator> {
        if self.variations {
            return None;
        }
        let prepared = PreparedQuery::new(self, dialect).ok()?;
        if self.as_pattern().is_some() {
            return Some(Locator { shapes: Prefilter::of(self, &prepared)?, prepared });
        }
        let (Plan::Position(hashes), Some(target)) = (&prepared.plan, &prepared.target) else { return None };
        if dialect.game() == Game::Havannah {
            return None;
        }
        let board = prepared.start().size();
        let size = (board.columns(), board.rows());
        let stones = prepared.stones_of(target)?;
        let shape = |transform: Transform| {
            let turned = stones.iter().map(|&(field, side)| {
                let field = transform.symmetry.turn(field, prepared.size);
                let side = if transform.is_exchanged { side.opponent() } else { side };
                (usize::from(field.column), usize::from(field.row), side.index())
            });
            Shape::position(transform, turned.collect(), size.0 as usize)
        };
        let all = hashes.iter().map(|hash| hash.1).filter(|transform| transform.symmetry.size(prepared.size) == size);
        let shapes = Prefilter::of_shapes(all.map(shape).collect(), size, self.by_move);
        Some(Locator { prepared, shapes })
    }
}

impl Locator {
    /// Locates the first occurrence of a position, or all occurrences of a pattern. A game must have the hash of the position.
    #[must_use]
    pub fn locate(&mut self, plies: &FirstStonePlies) -> LocateResult {
        let Self { prepared, shapes } = self;
        if plies.of_fields.len() != shapes.fields {
            return LocateResult::Unknown;
        }
        let (columns, by_move) = (shapes.columns, shapes.by_move);
        if let Plan::Pattern(_) = &prepared.plan {
            return locate_pattern(prepared, shapes, plies);
        }
        let all = shapes.shapes.iter();
        let found = all.filter_map(|shape| Some((position_match(shape, plies, columns)?, shape)));
        let found = found.min_by_key(|(ply, _)| *ply).filter(|_| plies.is_complete);
        let Some((ply, shape)) = found else { return LocateResult::Unknown };
        let Some(Placement { transform, .. }) = shape.placement((0, 0)) else { return LocateResult::Unknown };
        let continuation = if plies.is_late && shape.stones.is_empty() {
            Continuation::End
        } else {
            // A pass, or another move without a cell, is not known.
            let Some((_, side, field)) = plies.move_number(columns, ply + 1) else { return LocateResult::Unknown };
            prepared.map_back(transform, BoardCell::new(0, 0), side, field)
        };
        if u64::from(ply) <= by_move && prepared.asks_turn(&continuation) {
            return LocateResult::Unknown;
        }
        if u64::from(ply) > by_move || !prepared.wants(&continuation, None) {
            return LocateResult::Unwanted;
        }
        LocateResult::Here(vec![Occurrence { ply: ply.into(), transform, continuation, board: prepared.board() }])
    }
}

fn locate_pattern(prepared: &PreparedQuery, shapes: &mut Prefilter, plies: &FirstStonePlies) -> LocateResult {
    let (columns, by_move) = (shapes.columns, shapes.by_move);
    let (mut hits, mut places) = (Vec::new(), 0);
    let is_unknown = shapes.any_place(plies, |shape, corner| {
        let Some(ply) = shape.next_match(plies, columns, corner, 0) else { return false };
        // The finder stores no more hits when this many wait for their next moves, so the locator gives up, too.
        places += 1 + shape.labels();
        if plies.is_complete {
            hits.extend(hit_at(prepared, (shape, corner), plies, (columns, by_move), ply));
        }
        !plies.is_complete || places >= HITS_MAX
    });
    if is_unknown || hits.iter().any(|hit| prepared.asks_turn(&hit.continuation)) {
        return LocateResult::Unknown;
    }
    hits.retain(|hit| prepared.wants(&hit.continuation, None));
    hits.sort_by_key(|hit| (hit.ply, hit.transform));
    if hits.is_empty() { LocateResult::Unwanted } else { LocateResult::Here(hits) }
}

/// Returns the hit of a pattern at a place where it first matches after the move `ply`, if the moves of its labels follow.
fn hit_at(
    prepared: &PreparedQuery,
    (shape, corner): (&Shape, (usize, usize)),
    plies: &FirstStonePlies,
    (columns, by_move): (usize, u64),
    mut ply: u16,
) -> Option<Occurrence> {
    let place = shape.placement(corner)?;
    let next_after = |ply| plies.next_move(columns, corner, place.size, ply);
    // The moves of the labels may complete a later match earlier than the first match.
    let mut found: Option<(u16, u16, _)> = None;
    while u64::from(ply) <= by_move && found.is_none_or(|(_, last, _)| ply < last) {
        let (mut at, mut side, mut made) = (ply, None, None);
        let is_made = place.labels.iter().all(|label| {
            made = next_after(at);
            let Some((number, mover, cell)) = made else { return false };
            (at, side) = (number, if side == Some(mover) { None } else { Some(mover) });
            cell == *label && side.is_some()
        });
        if is_made && found.is_none_or(|(_, last, _)| at < last) {
            found = Some((ply, at, if place.labels.len() == 1 { made } else { next_after(at) }));
        }
        if place.labels.is_empty() {
            break;
        }
        // After the first move within the place, the pattern may match again.
        let opened = next_after(ply).and_then(|(number, ..)| shape.next_match(plies, columns, corner, number));
        let Some(next) = opened else { break };
        ply = next;
    }
    let (ply, _, next) = found?;
    let corner = BoardCell::new(corner.0 as u16, corner.1 as u16);
    let next = next.map(|(_, side, cell)| prepared.map_back(place.transform, corner, side, cell));
    let continuation = next.unwrap_or(Continuation::End);
    Some(Occurrence { ply: ply.into(), transform: place.transform, continuation, board: prepared.board() })
}

/// Returns the number of the first move after which the board has this position, or `None` if it is unknown.
fn position_match(shape: &Shape, plies: &FirstStonePlies, columns: usize) -> Option<u16> {
    let mut ply = 0;
    loop {
        ply = shape.next_match(plies, columns, (0, 0), ply)?;
        // With an equal number of stones, the board has no other stones. Otherwise, only a capture can make the numbers equal.
        if plies.stones_after(ply) == shape.stones.len() || ply == 0 && plies.is_late && shape.stones.is_empty() {
            return Some(ply);
        }
        let is_capture = |&[change, _]: &[u16; 2]| change >> 14 == 0 && change & PLY > ply + 1;
        ply = (plies.later.iter().copied().find(is_capture)?[0] & PLY) - 1;
    }
}
