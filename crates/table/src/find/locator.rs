//! Finds where a game has a position or a pattern, and its next move, from the changes of its
//! board, without reading the game.

use std::ops::Range;

use sgfstream_game::{BoardCell, Dialect, Game, Side};

use super::board_changes::{CellPlies, ROW, cell_of, number_of};
use super::pattern::{BLACK, EMPTY, Pattern, WHITE};
use super::prepared::{Plan, PreparedQuery, UnsearchedReason, transforms};
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
        Self {
            ply: hit.ply,
            transform: hit.transform,
            continuation: hit.continuation.clone(),
            board: hit.board,
        }
    }
}

/// Result of a [`Locator`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocateResult {
    /// The game has the position at this place, or the pattern at these places.
    Here(Vec<Occurrence>),
    /// The game lacks the pattern; or it has the position too late, or with a next move that the
    /// query does not want.
    Unwanted,
    /// Only reading the game can decide.
    Unknown,
}

/// Locates the first occurrence of a position in a game, or all occurrences of a pattern on its
/// main line, from the changes of the board that an [`Index`](https://docs.rs/sgfstream-explore)
/// stores.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::{BoardCell, Facts, Side};
/// use sgfstream_table::find::{Continuation, Finder, LocateResult, Query};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;SZ[19];B[sa];W[ss])"));
/// let facts = Facts::of(games.next_game()?.expect("a game").expect("a short game"), 0);
/// let mut finder = Finder::new(Query::boards());
/// finder.search(&facts);
/// let query = Query::position_after("aa").expect("a move");
/// let mut locator = query.locator(&facts.dialect()).expect("a board of stones");
/// let LocateResult::Here(found) = locator.locate(finder.changes()) else {
///     panic!("expected the position")
/// };
/// assert_eq!(
///     (found[0].ply, &found[0].continuation),
///     (1, &Continuation::Field(Side::White, BoardCell::new(18, 0)))
/// );
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Locator {
    prepared: PreparedQuery,
    /// The pattern or the position in all orientations.
    shapes: Vec<Shape>,
    plies: CellPlies,
}

/// Cells that must match together, in one orientation.
#[derive(Debug)]
struct Shape {
    transform: Transform,
    /// Cells, counted from the corner, with the contents that each accepts. Cells that need a stone
    /// come first.
    cells: Vec<(usize, u8)>,
    /// Possible columns of the corner, one bit each, and its possible rows.
    lefts: u64,
    tops: Range<u32>,
    /// Columns and rows.
    size: (u32, u32),
    /// Cells of the moves that must follow.
    labels: Vec<usize>,
}

impl Query {
    /// Returns a locator for games of this dialect if the query is for a position or a pattern.
    ///
    /// # Errors
    ///
    /// Returns the result for each game of the dialect: [`LocateResult::Unwanted`] if the query
    /// cannot match on its board. Otherwise [`LocateResult::Unknown`]: for other queries, for
    /// searches in variations, and for positions with other contents than black and white stones on
    /// cells.
    pub fn locator(&self, dialect: &Dialect) -> Result<Locator, LocateResult> {
        let prepared = PreparedQuery::new(self, dialect).map_err(|reason| match reason {
            UnsearchedReason::OtherGame => LocateResult::Unwanted,
            UnsearchedReason::Unknown => LocateResult::Unknown,
        })?;
        let size = prepared.start().size();
        let (size, plies) = ((size.columns(), size.rows()), CellPlies::new(size.rows()));
        let shapes = match (&prepared.plan, self.as_pattern()) {
            _ if self.variations => None,
            (Plan::Pattern(_), Some(pattern)) => {
                let (all, _) = pattern.transforms(transforms(self, dialect.game()).into_iter());
                Some(
                    all.iter()
                        .map(|(transform, pattern)| Shape::of_pattern(*transform, pattern, size))
                        .collect(),
                )
            }
            (Plan::Position(hashes), _) if dialect.game() != Game::Havannah => {
                let all = hashes.iter().map(|(_, transform)| *transform);
                let all = all.filter(|transform| transform.symmetry.size(prepared.size) == size);
                all.map(|transform| Shape::of_position(transform, &prepared))
                    .collect()
            }
            _ => None,
        };
        Ok(Locator {
            shapes: shapes.ok_or(LocateResult::Unknown)?,
            prepared,
            plies,
        })
    }
}

impl Locator {
    /// Locates the first occurrence of a position, or all occurrences of a pattern, in a game with
    /// these [changes](super::Finder::changes). The game must have the hash of the position.
    #[must_use]
    pub fn locate(&mut self, changes: &[u8]) -> LocateResult {
        if changes.is_empty() || self.plies.read(changes).is_none() {
            return LocateResult::Unknown;
        }
        let located = match self.prepared.plan {
            Plan::Pattern(_) => self.pattern(),
            _ => self.position().map(|place| vec![place]),
        };
        let Some(mut places) = located else {
            return LocateResult::Unknown;
        };
        let is_early = |place: &Occurrence| place.ply <= self.prepared.query.by_move;
        if places
            .iter()
            .any(|place| is_early(place) && self.prepared.asks_turn(&place.continuation))
        {
            return LocateResult::Unknown;
        }
        places.retain(|place| {
            is_early(place) && self.prepared.wants(&place.continuation, None, None)
        });
        if places.is_empty() {
            LocateResult::Unwanted
        } else {
            LocateResult::Here(places)
        }
    }

    /// Locates the first occurrence of the position, or returns `None` if it or its next move is
    /// unknown.
    fn position(&self) -> Option<Occurrence> {
        let found = self
            .shapes
            .iter()
            .filter_map(|shape| Some((shape.ply_in(&self.plies)?, shape)));
        let (ply, shape) = found.min_by_key(|(ply, _)| *ply)?;
        if self.plies.is_late && shape.cells.is_empty() {
            return Some(self.occurrence(ply, shape, Continuation::End));
        }
        // A pass, or another move without a cell, is not known.
        let next = self.plies.move_number(ply + 1)?;
        Some(self.occurrence(ply, shape, self.continuation(shape, 0, next)))
    }

    /// Locates the first match at each place of the pattern, or returns `None` if only the finder
    /// knows them.
    fn pattern(&self) -> Option<Vec<Occurrence>> {
        let (mut places, mut matches) = (Vec::new(), 0);
        for shape in &self.shapes {
            for top in shape.tops.clone() {
                let top = (top << ROW) as usize;
                let mut lefts = shape.lefts_at(top, &self.plies);
                while lefts != 0 {
                    let corner = top + lefts.trailing_zeros() as usize;
                    lefts &= lefts - 1;
                    let Some(first) = shape.next_match(&self.plies, corner, 0) else {
                        continue;
                    };
                    // If the finder would drop some hits of the game, let it read the game.
                    matches += 1;
                    if matches == HITS_MAX || shape.labels.len() > 1 {
                        return None;
                    }
                    places.extend(self.match_at(shape, corner, first));
                }
            }
        }
        places.sort_by_key(|place| (place.ply, place.transform));
        Some(places)
    }

    /// Returns the first match of the pattern at a place, from its match after the move `ply` on,
    /// after which the move of its label follows.
    fn match_at(&self, shape: &Shape, corner: usize, mut ply: u16) -> Option<Occurrence> {
        loop {
            let number = self.plies.next_move_in(corner, shape.size, ply);
            let next = number.and_then(|number| self.plies.move_number(number));
            let label = shape.labels.first().map(|label| cell_of(corner + label));
            if label.is_none() || label == next.map(|(_, cell)| cell) {
                let continuation = next.map_or(Continuation::End, |next| {
                    self.continuation(shape, corner, next)
                });
                return Some(self.occurrence(ply, shape, continuation));
            }
            ply = shape.next_match(&self.plies, corner, number?)?;
        }
    }

    fn continuation(
        &self,
        shape: &Shape,
        corner: usize,
        (side, cell): (Side, BoardCell),
    ) -> Continuation {
        self.prepared
            .map_back(shape.transform, cell_of(corner), side, cell)
    }

    fn occurrence(&self, ply: u16, shape: &Shape, continuation: Continuation) -> Occurrence {
        let board = self.prepared.board();
        Occurrence {
            ply: ply.into(),
            transform: shape.transform,
            continuation,
            board,
        }
    }
}

impl Shape {
    fn of_pattern(transform: Transform, pattern: &Pattern, size: (u32, u32)) -> Self {
        let number =
            |(column, row): (u32, u32)| number_of(BoardCell::new(column as u16, row as u16));
        let mut cells: Vec<_> = pattern
            .cells()
            .map(|(cell, accepted)| (number(cell), accepted))
            .collect();
        cells.sort_by_key(|(_, accepted)| accepted & EMPTY);
        let (columns, tops) = pattern.corners(size);
        let lefts = columns.map(|left| 1 << left).sum();
        let labels = pattern.labels().iter().copied().map(number).collect();
        Self {
            transform,
            cells,
            lefts,
            tops,
            size: pattern.size(),
            labels,
        }
    }

    /// Returns the shape of the stones of a position, or `None` if it has other contents.
    fn of_position(transform: Transform, prepared: &PreparedQuery) -> Option<Self> {
        let stones: Vec<_> = prepared.target.as_ref()?.stones().collect();
        if stones
            .iter()
            .any(|(_, side)| !matches!(side, Side::Black | Side::White))
        {
            return None;
        }
        let turned = stones.iter().map(|&(cell, side)| {
            (
                number_of(transform.symmetry.turn(cell, prepared.size)),
                [BLACK, WHITE][transform.side(side).index()],
            )
        });
        let cells = turned.collect();
        Some(Self {
            transform,
            cells,
            lefts: 1,
            tops: 0..1,
            size: prepared.size,
            labels: Vec::new(),
        })
    }

    /// Returns the columns, one bit each, where the corner in this row may be: each cell that needs
    /// a stone once had one.
    fn lefts_at(&self, top: usize, plies: &CellPlies) -> u64 {
        let stones = self
            .cells
            .iter()
            .take_while(|(_, accepted)| accepted & EMPTY == 0);
        stones.fold(self.lefts, |lefts, &(cell, accepted)| {
            lefts & plies.columns_with(usize::from(accepted == WHITE), top + cell)
        })
    }

    /// Returns the number of the first move, from `ply` on, after which all cells match.
    fn next_match(&self, plies: &CellPlies, corner: usize, mut ply: u16) -> Option<u16> {
        if ply == 0 && plies.is_late && self.cells.iter().all(|(_, accepted)| accepted & EMPTY != 0)
        {
            return Some(0);
        }
        loop {
            let matches = |ply, &(cell, accepted): &(usize, u8)| {
                plies.next_match(corner + cell, accepted, ply)
            };
            let next = self.cells.iter().try_fold(ply, matches)?;
            if next == ply {
                return Some(ply);
            }
            ply = next;
        }
    }

    /// Returns the number of the first move after which the board has this position.
    fn ply_in(&self, plies: &CellPlies) -> Option<u16> {
        let mut ply = 0;
        loop {
            ply = self.next_match(plies, 0, ply)?;
            // With an equal number of stones, the board has no other stones.
            let next = plies.next_with_stones(self.cells.len(), ply);
            if next == Some(ply) || ply == 0 && plies.is_late && self.cells.is_empty() {
                return Some(ply);
            }
            ply = next?;
        }
    }
}
