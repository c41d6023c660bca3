//! A query, prepared for the boards of one game and size.

use std::sync::atomic::Ordering;

use sgfstream_game::{
    BoardCell, Dialect, Game, GameBoard, Side, board::Symmetry, internal::BOARD_MAX,
};

use super::placement::Placements;
use super::query::QueryBody;
use super::step::{Displacement, Step};
use super::waiting::{Shift, Waiting};
use super::{Continuation, Query, Transform};

#[derive(Debug)]
pub(super) struct PreparedQuery {
    dialect: Dialect,
    /// Board at the start of a game, which keeps the hash and the changes that the plan needs.
    start: GameBoard,
    pub(super) plan: Plan,
    /// Columns and rows of the query's board, or of the pattern.
    pub(super) size: (u32, u32),
    /// The transforms that leave the query unchanged.
    same: Vec<Transform>,
    /// The required next move, if any.
    next: Option<NextMove>,
    /// The required side of the next move, if any.
    mover: Option<Side>,
    pub(super) query: Query,
    /// The board of a position query.
    pub(super) target: Option<GameBoard>,
}

#[derive(Debug)]
pub(super) enum Plan {
    /// The hashes of the board in all orientations, each with its transform.
    Position(Vec<(u64, Transform)>),
    Pattern(Placements),
    Sequence(Sequence),
    /// Number of first moves.
    Opening(u64),
    /// Every board.
    Boards,
}

/// The next move that a query requires. Its color does not matter.
#[derive(Debug)]
enum NextMove {
    /// A stone on this cell, the representative of the cells that are equal by a symmetry of the
    /// query.
    Field(BoardCell),
    /// Another move.
    Other(Step),
}

/// A sequence in all orientations.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) runs: Vec<OrientedSequence>,
    pub(super) anywhere: bool,
    pub(super) gaps: bool,
}

/// A sequence in one orientation.
#[derive(Debug)]
pub(super) struct OrientedSequence {
    pub(super) transform: Transform,
    pub(super) moves: Vec<(Side, Step)>,
    /// For each beginning of the moves, the length of its longest proper suffix that is also a
    /// beginning.
    pub(super) shorter: Vec<u8>,
    /// Its moves without colors and repetitions.
    pub(super) steps: Vec<Step>,
}

impl OrientedSequence {
    /// Returns whether a move of the sequence has cells.
    pub(super) fn has_cells(&self) -> bool {
        self.steps
            .iter()
            .any(|step| !matches!(step, Step::Other(_)))
    }

    /// Returns how far the moves `made` are from the moves of the sequence, or `None` if they are
    /// other moves.
    pub(super) fn shift_to(&self, made: &[Option<(Side, Step)>]) -> Option<Shift> {
        let mut all = None;
        for ((side, step), made) in self.moves.iter().zip(made) {
            let (made_side, made) = made.as_ref()?;
            if made_side != side {
                return None;
            }
            if let Displacement::By(shift) = step.displacement(made)?
                && *all.get_or_insert(shift) != shift
            {
                return None;
            }
        }
        Some(all.unwrap_or((0, 0)))
    }
}

/// Reason why a board is not searched.
pub(super) enum UnsearchedReason {
    /// The query cannot match on such a board.
    OtherGame,
    /// The board has too many cells, or contents that a pattern cannot describe.
    Unknown,
}

impl PreparedQuery {
    pub(super) fn new(query: &Query, dialect: &Dialect) -> Result<Self, UnsearchedReason> {
        let prepared = Self::prepare(query, dialect);
        match &prepared {
            Ok(_) => query.boards.is_fit.store(true, Ordering::Relaxed),
            Err(UnsearchedReason::OtherGame) => {
                query.boards.is_unfit.store(true, Ordering::Relaxed)
            }
            Err(UnsearchedReason::Unknown) => {}
        }
        prepared
    }

    fn prepare(query: &Query, dialect: &Dialect) -> Result<Self, UnsearchedReason> {
        let game = dialect.game();
        // If the size cannot be read, there is no board, neither here nor in an index of positions.
        // `check` reports the size.
        let mut start = GameBoard::new(dialect).map_err(|_| UnsearchedReason::OtherGame)?;
        if start.size().longer() > BOARD_MAX {
            return Err(UnsearchedReason::Unknown);
        }
        let size = size_of(&start);
        let mut transforms = transforms(query, game);
        let (mut same, mut of_query, mut target) = (Vec::new(), size, None);
        let plan = match &query.what {
            QueryBody::Position(position) => {
                let mut sizes = transforms
                    .iter()
                    .map(|transform| transform.symmetry.size(size_of(position)));
                if position.dialect().game() != game || !sizes.any(|turned| turned == size) {
                    return Err(UnsearchedReason::OtherGame);
                }
                of_query = size_of(position);
                let position = target.insert((**position).clone());
                position_plan(position, &transforms, &mut same)
            }
            QueryBody::After(moves) => {
                let position = moves.position(dialect).ok_or(UnsearchedReason::OtherGame)?;
                let position = target.insert(position);
                position.keep_hash();
                of_query = size_of(position);
                position_plan(position, &transforms, &mut same)
            }
            QueryBody::Opening(depth) => Plan::Opening(*depth),
            QueryBody::Boards => Plan::Boards,
            QueryBody::Pattern(pattern) => {
                // Patterns cannot describe the stacks of Octi and their prongs.
                if game == Game::Octi {
                    return Err(UnsearchedReason::Unknown);
                }
                let (patterns, unchanged) = pattern.transforms(transforms.iter().copied());
                let places = Placements::new(&patterns, size).ok_or(UnsearchedReason::Unknown)?;
                if places.all.is_empty() {
                    return Err(UnsearchedReason::OtherGame);
                }
                (same, of_query) = (unchanged, pattern.size());
                Plan::Pattern(places)
            }
            QueryBody::Sequence {
                moves,
                anywhere,
                gaps,
            } => {
                let read = moves.moves_on(dialect).ok_or(UnsearchedReason::OtherGame)?;
                let run: Option<Vec<_>> = read
                    .iter()
                    .map(|(side, mv)| Some((*side, Step::of(&start, mv)?)))
                    .collect();
                let run = run.ok_or(UnsearchedReason::OtherGame)?;
                let mut runs: Vec<OrientedSequence> = Vec::new();
                // Little Golem lets White begin, and other programs Black.
                if matches!(game, Game::Hex | Game::Havannah) && !moves.names_colors() {
                    let either = |transform: &Transform| Transform {
                        is_exchanged: !transform.is_exchanged,
                        ..*transform
                    };
                    transforms.extend(transforms.clone().iter().map(either));
                }
                // A quarter turn of a board that is not square has another size.
                for &transform in transforms
                    .iter()
                    .filter(|transform| transform.symmetry.size(size) == size)
                {
                    let turned = |(side, step): &(Side, Step)| {
                        (transform.side(*side), step.turned(transform, size))
                    };
                    let moves: Vec<_> = run.iter().map(turned).collect();
                    if moves == run {
                        same.push(transform);
                    }
                    if runs.iter().all(|known| known.moves != moves) {
                        let mut steps: Vec<Step> = Vec::new();
                        for (_, step) in &moves {
                            if !steps.contains(step) {
                                steps.push(step.clone());
                            }
                        }
                        runs.push(OrientedSequence {
                            transform,
                            shorter: shorter(&moves),
                            moves,
                            steps,
                        });
                    }
                }
                Plan::Sequence(Sequence {
                    runs,
                    anywhere: *anywhere,
                    gaps: *gaps,
                })
            }
        };
        match &plan {
            Plan::Position(_) => start.keep_plain_hash(),
            Plan::Pattern(_) => start.keep_changes(),
            Plan::Opening(_) => start.keep_hash(),
            Plan::Boards => start.keep_hash_and_changes(),
            Plan::Sequence(_) => {}
        }
        start.share_hash();
        // If swapped colors leave the query unchanged, a condition on the mover accepts either
        // side.
        let mover = query
            .mover
            .filter(|_| !same.iter().any(|transform| transform.is_exchanged));
        let mut prepared = Self {
            dialect: *dialect,
            start,
            plan,
            size: of_query,
            same,
            next: None,
            mover,
            query: query.clone(),
            target,
        };
        if let Some(next) = &query.next {
            let moves = next.moves_on(dialect).ok_or(UnsearchedReason::OtherGame)?;
            let (side, mv) = moves.first().ok_or(UnsearchedReason::OtherGame)?;
            let step = Step::of(&prepared.start, mv).ok_or(UnsearchedReason::OtherGame)?;
            prepared.next = Some(match step {
                Step::Field(cell) => match prepared.canonical(*side, cell) {
                    Continuation::Field(_, cell) => NextMove::Field(cell),
                    _ => NextMove::Field(cell),
                },
                step => NextMove::Other(step),
            });
        }
        Ok(prepared)
    }

    /// Returns whether a board with the hash of the target, in this orientation, also has its
    /// stones. Two different boards have the same hash with a probability of 2⁻⁶⁴. In Havannah,
    /// whose symmetries apply to straight numbering, this trusts the hash, and for all games it
    /// trusts it for contents other than stones.
    #[cold]
    pub(super) fn has_stones_of(&self, position: &GameBoard, transform: Transform) -> bool {
        let Some(target) = self
            .target
            .as_ref()
            .filter(|target| target.dialect().game() != Game::Havannah)
        else {
            return true;
        };
        let (columns, rows) = self.size;
        let mut fields = (0..rows as u16)
            .flat_map(|row| (0..columns as u16).map(move |column| BoardCell::new(column, row)));
        fields.all(|cell| {
            let wanted = target.stone(cell).map(|side| transform.side(side));
            position.stone(transform.symmetry.turn(cell, self.size)) == wanted
        })
    }

    /// Returns the symmetries of the query.
    pub(super) fn symmetries(&self) -> impl Iterator<Item = Symmetry> + '_ {
        self.same
            .iter()
            .filter(|transform| !transform.is_exchanged)
            .map(|transform| transform.symmetry)
    }

    /// Returns game, board size and numbering; for a pattern only the game, because its board does
    /// not matter.
    pub(super) fn board(&self) -> Dialect {
        match self.plan {
            Plan::Pattern(_) => Dialect::new(self.dialect.game(), None),
            _ => Dialect::with_numbering(
                self.dialect.game(),
                Some(self.dialect.size()),
                self.dialect.numbering(),
            ),
        }
    }

    /// Returns the board at the start of a game.
    pub(super) fn start(&self) -> &GameBoard {
        &self.start
    }

    /// Returns the number of possible displacements of a sequence.
    pub(super) fn shifts(&self) -> usize {
        let (columns, rows) = self.size;
        ((2 * columns - 1) * (2 * rows - 1)) as usize
    }

    /// Maps a move of the game back to the view of the query. `corner` is the corner of the
    /// pattern.
    pub(super) fn map_back(
        &self,
        transform: Transform,
        corner: BoardCell,
        side: Side,
        at: BoardCell,
    ) -> Continuation {
        let size = transform.symmetry.size(self.size);
        let inside = BoardCell::new(at.column - corner.column, at.row - corner.row);
        let side = transform.side(side);
        self.canonical(side, transform.symmetry.inverse().turn(inside, size))
    }

    /// Returns the representative of the moves that are equal by a symmetry of the query: the
    /// rightmost, then the topmost.
    fn canonical(&self, side: Side, cell: BoardCell) -> Continuation {
        let turned = |transform: &Transform| {
            (
                transform.side(side),
                transform.symmetry.turn(cell, self.size),
            )
        };
        let all = self.same.iter().map(turned);
        let best = all.min_by_key(|(side, cell)| (*side, u16::MAX - cell.column, cell.row));
        let (side, cell) = best.unwrap_or((side, cell));
        Continuation::Field(side, cell)
    }

    /// Returns whether the decision depends on the side to play at the end of a game, which a
    /// locator does not know.
    pub(super) fn asks_turn(&self, next: &Continuation) -> bool {
        self.mover.is_some() && next.side().is_none()
    }

    /// Returns whether the query wants this next move. `played` is the move as the game has it,
    /// with the hit that waits for it. `end` is the side to play if the game ends here.
    pub(super) fn wants(
        &self,
        next: &Continuation,
        played: Option<(&Step, &Waiting)>,
        end: Option<Side>,
    ) -> bool {
        if self.mover.is_some() && self.mover != next.side().or(end) {
            return false;
        }
        match (&self.next, next) {
            (None, _) => true,
            (Some(NextMove::Field(wanted)), Continuation::Field(_, found)) => wanted == found,
            (Some(NextMove::Field(_)), _) => false,
            (Some(NextMove::Other(wanted)), _) => {
                let Some((played, waiting)) = played else {
                    return false;
                };
                self.same.iter().any(|&same| {
                    let image = wanted
                        .turned(same, self.size)
                        .turned(waiting.transform, self.size);
                    match image.displacement(played) {
                        Some(Displacement::By(shift)) => shift == waiting.corner,
                        Some(Displacement::Any) => true,
                        None => false,
                    }
                })
            }
        }
    }
}

/// Returns the plan for a position that keeps its hash. Adds the transforms that leave it unchanged
/// to `same`.
fn position_plan(target: &GameBoard, transforms: &[Transform], same: &mut Vec<Transform>) -> Plan {
    let hash = target.hash().expect("it is kept");
    let mut hashes: Vec<(u64, Transform)> = Vec::new();
    for (value, symmetry, is_exchanged) in hash.turned() {
        let transform = Transform {
            symmetry,
            is_exchanged,
        };
        if !transforms.contains(&transform) {
            continue;
        }
        if value == hash.plain() {
            same.push(transform);
        }
        if hashes.iter().all(|(known, _)| *known != value) {
            hashes.push((value, transform));
        }
    }
    Plan::Position(hashes)
}

/// Returns the columns and rows of a board.
fn size_of(board: &GameBoard) -> (u32, u32) {
    (board.size().columns(), board.size().rows())
}

/// Returns, for each beginning of the moves, the length of its longest proper suffix that is also a
/// beginning (Knuth, Morris, Pratt).
fn shorter(moves: &[(Side, Step)]) -> Vec<u8> {
    let mut all = vec![0; moves.len()];
    let mut len = 0;
    for at in 1..moves.len() {
        while len > 0 && moves[len] != moves[at] {
            len = usize::from(all[len - 1]);
        }
        len += usize::from(moves[len] == moves[at]);
        // The length fits, because a sequence has at most 250 moves.
        all[at] = len as u8;
    }
    all
}

/// Returns the transforms that may take the query to a game.
pub(super) fn transforms(query: &Query, game: Game) -> Vec<Transform> {
    let of = |symmetries: &[Symmetry], is_exchanged: bool| {
        let is_meant = |symmetry: &&Symmetry| !query.exact || **symmetry == Symmetry::Identity;
        let transform = |&symmetry: &Symmetry| Transform {
            symmetry,
            is_exchanged,
        };
        symmetries
            .iter()
            .filter(is_meant)
            .map(transform)
            .collect::<Vec<_>>()
    };
    let mut transforms = of(game.symmetries(), false);
    if query.swap_colors {
        transforms.extend(of(game.exchanged_symmetries(), true));
    }
    transforms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards that differ in one stone are distinguished even if hashes collide; symmetric boards
    /// are equal.
    #[test]
    fn hashes_are_not_believed() {
        let dialect = Dialect::new(Game::Go, None);
        let board = |moves: &str| {
            let query = Query::position_after(moves).expect("moves");
            query.board(&dialect).expect("a board")
        };
        let query = Query::position_after("pd dp qf").expect("moves");
        let Ok(prepared) = PreparedQuery::new(&query, &dialect) else {
            panic!("Go has a board")
        };
        let Plan::Position(hashes) = &prepared.plan else {
            panic!("it looks for a position")
        };
        let same = |moves: &str| {
            let mut position = board(moves);
            position.keep_hash();
            let hash = position.hash().expect("it is kept").plain();
            let transforms = hashes.iter().filter(|(known, transform)| {
                let is_same = prepared.has_stones_of(&position, *transform);
                assert_eq!(is_same, *known == hash, "{moves}");
                is_same
            });
            transforms.count()
        };
        assert_eq!(
            (
                same("pd dp qf"),
                same("dd pp cf"),
                same("pd dp qg"),
                same("pd dp"),
                same("dp pd fq")
            ),
            (1, 1, 0, 0, 1)
        );
    }
}
