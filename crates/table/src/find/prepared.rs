//! A query, ready for the boards of one game and size.

use sgfstream_game::{BOARD_MAX, Dialect, Field, Game, GameBoard, Move, Side, Symmetry};

use super::placement::Placements;
use super::query::What;
use super::{Continuation, Query, QueryTransform};

#[derive(Debug)]
pub(super) struct Prepared {
    dialect: Dialect,
    pub(super) plan: Plan,
    /// Columns and rows of the board of the query, or of the pattern.
    pub(super) size: (u32, u32),
    /// The ways that leave what is looked for as it is.
    same: Vec<QueryTransform>,
    /// The next move that is wanted.
    next: Option<Continuation>,
    /// The side that moves next, if that is wanted.
    mover: Option<Side>,
    /// The board that is looked for.
    pub(super) target: Option<GameBoard>,
}

#[derive(Debug)]
pub(super) enum Plan {
    /// The hashes of the board, and in which way it has each.
    Position(Vec<(u64, QueryTransform)>),
    Pattern(Placements),
    Sequence(Sequence),
    /// So many first moves.
    Opening(u64),
    /// Every board, and whether that of the start has no stone.
    Boards {
        is_empty: bool,
    },
}

/// A sequence, and its turned forms.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) runs: Vec<Run>,
    pub(super) anywhere: bool,
    pub(super) gaps: bool,
}

/// A sequence as it is in one way.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) way: QueryTransform,
    pub(super) moves: Vec<(Side, Field)>,
    /// For each beginning of the moves, the length of the longest shorter one that it ends with.
    pub(super) shorter: Vec<u8>,
    /// Its fields, each once.
    pub(super) fields: Vec<Field>,
}

/// Why a board is not searched.
pub(super) enum Unsearched {
    /// The query cannot be on such a board.
    OtherGame,
    /// It has too many fields, or stones that a pattern cannot name.
    Unknown,
}

impl Prepared {
    pub(super) fn new(query: &Query, dialect: &Dialect) -> Result<Self, Unsearched> {
        let game = dialect.game();
        let position = || {
            // A game whose size cannot be read has no board either, here and in an index of positions; `check` tells of it.
            let position = GameBoard::new(dialect).map_err(|_| Unsearched::OtherGame)?;
            if position.size().longer() > BOARD_MAX { Err(Unsearched::Unknown) } else { Ok(position) }
        };
        let ways = ways(query, game);
        let board = |mut position: GameBoard, is_kept: bool| {
            if !is_kept {
                position.keep_hash();
            }
            let size = (position.size().columns(), position.size().rows());
            let hash = position.hash().expect("it is kept");
            let turned =
                hash.turned().map(|(hash, symmetry, is_exchanged)| (hash, QueryTransform { symmetry, is_exchanged }));
            let mut hashes: Vec<(u64, QueryTransform)> = Vec::new();
            let mut same = Vec::new();
            for (value, way) in turned.filter(|(_, way)| ways.contains(way)) {
                if value == hash.plain() {
                    same.push(way);
                }
                if hashes.iter().all(|(known, _)| *known != value) {
                    hashes.push((value, way));
                }
            }
            let plan = Plan::Position(hashes);
            Self { dialect: *dialect, plan, size, same, next: None, mover: None, target: Some(position) }
        };
        let mut prepared = match &query.what {
            What::Position(target) => {
                let is_same = target.dialect().game() == game;
                if !is_same {
                    return Err(Unsearched::OtherGame);
                }
                position()?;
                board((**target).clone(), true)
            }
            What::After(moves) => {
                position()?;
                board(moves.position(dialect).ok_or(Unsearched::OtherGame)?, false)
            }
            What::Opening(depth) => {
                let size = position()?.size();
                let size = (size.columns(), size.rows());
                Self::of(dialect, Plan::Opening(*depth), size, Vec::new())
            }
            What::Boards => {
                let position = position()?;
                let size = (position.size().columns(), position.size().rows());
                let mut prepared = Self::of(dialect, Plan::Boards { is_empty: false }, size, Vec::new());
                let is_empty = prepared.stones_of(&position).is_some_and(|stones| stones.is_empty());
                prepared.plan = Plan::Boards { is_empty };
                prepared
            }
            What::Pattern(pattern) => {
                let size = position()?.size();
                // A pattern has no signs for stacks and their prongs.
                if game == Game::Octi {
                    return Err(Unsearched::Unknown);
                }
                let (ways, same) = pattern.ways(ways.iter().copied());
                let size = (size.columns(), size.rows());
                let places = Placements::new(&ways, size).ok_or(Unsearched::Unknown)?;
                Self::of(dialect, Plan::Pattern(places), pattern.size(), same)
            }
            What::Sequence { moves, anywhere, gaps } => {
                let position = position()?;
                let size = (position.size().columns(), position.size().rows());
                let field = |mv: &Move| position.straight(mv.point()?);
                let moves = moves.moves_on(dialect).ok_or(Unsearched::OtherGame)?;
                let run: Option<Vec<_>> = moves.iter().map(|(side, mv)| Some((*side, field(mv)?))).collect();
                let run = run.ok_or(Unsearched::OtherGame)?;
                let (mut runs, mut same): (Vec<Run>, _) = (Vec::new(), Vec::new());
                // A quarter turn of a board that is not square is another board.
                for &way in ways.iter().filter(|way| way.symmetry.size(size) == size) {
                    let moves: Vec<_> = run.iter().map(|&(side, field)| change(way, size, side, field)).collect();
                    if moves == run {
                        same.push(way);
                    }
                    if runs.iter().all(|known| known.moves != moves) {
                        let mut fields: Vec<Field> = moves.iter().map(|&(_, field)| field).collect();
                        fields.sort_unstable();
                        fields.dedup();
                        runs.push(Run { way, shorter: shorter(&moves), moves, fields });
                    }
                }
                let sequence = Sequence { runs, anywhere: *anywhere, gaps: *gaps };
                Self::of(dialect, Plan::Sequence(sequence), size, same)
            }
        };
        // Where the colours make no difference, each mover is the other one of the same place.
        prepared.mover = query.mover.filter(|_| !prepared.same.iter().any(|way| way.is_exchanged));
        if let Some(next) = &query.next {
            let moves = next.moves_on(dialect).ok_or(Unsearched::OtherGame)?;
            let (side, mv) = moves.first().ok_or(Unsearched::OtherGame)?;
            let text = || dialect.show_move(mv).to_string();
            prepared.next = Some(match mv {
                Move::Place(field) => prepared.canonical(*side, *field),
                _ => Continuation::Other(*side, text()),
            });
        }
        Ok(prepared)
    }

    fn of(dialect: &Dialect, plan: Plan, size: (u32, u32), same: Vec<QueryTransform>) -> Self {
        Self { dialect: *dialect, plan, size, same, next: None, mover: None, target: None }
    }

    /// True if a board whose hash is that of the one that is looked for, in this way, has its stones: two boards may have one
    /// hash, by a chance of one in 2⁶⁴ for each pair. In Havannah, where a turn is one of straight numbering, the hash is
    /// believed, and so is it of what is no stone.
    #[cold]
    pub(super) fn has_stones_of(&self, position: &GameBoard, way: QueryTransform) -> bool {
        let Some(target) = self.target.as_ref().filter(|target| target.dialect().game() != Game::Havannah) else {
            return true;
        };
        let (columns, rows) = self.size;
        let mut fields =
            (0..rows as u16).flat_map(|row| (0..columns as u16).map(move |column| Field::new(column, row)));
        fields.all(|field| {
            let wanted = target.stone(field).map(|side| if way.is_exchanged { side.opponent() } else { side });
            position.stone(way.symmetry.turn(field, self.size)) == wanted
        })
    }

    /// The stones of a board of this size; none if it has others than black and white ones.
    pub(super) fn stones_of(&self, board: &GameBoard) -> Option<Vec<(Field, Side)>> {
        let (columns, rows) = self.size;
        let fields = (0..rows as u16).flat_map(|row| (0..columns as u16).map(move |column| Field::new(column, row)));
        let stones: Vec<_> = fields.filter_map(|field| Some((field, board.stone(field)?))).collect();
        stones.iter().all(|(_, side)| matches!(side, Side::Black | Side::White)).then_some(stones)
    }

    /// The symmetries of what is looked for.
    pub(super) fn symmetries(&self) -> impl Iterator<Item = Symmetry> + '_ {
        self.same.iter().filter(|way| !way.is_exchanged).map(|way| way.symmetry)
    }

    /// The game, the size of its board, and how that is numbered; of a pattern, which is the same on all boards, the game.
    pub(super) fn board(&self) -> Dialect {
        match self.plan {
            Plan::Pattern(_) => Dialect::new(self.dialect.game(), None),
            _ => Dialect::with_numbering(self.dialect.game(), Some(self.dialect.size()), self.dialect.numbering()),
        }
    }

    /// The start of a game.
    pub(super) fn start(&self) -> GameBoard {
        GameBoard::new(&self.dialect).expect("a board: there was one when it was prepared")
    }

    /// How far a sequence can be moved: in how many ways.
    pub(super) fn shifts(&self) -> usize {
        let (columns, rows) = self.size;
        ((2 * columns - 1) * (2 * rows - 1)) as usize
    }

    /// A move of the game as the query sees it. `corner`: where the pattern lies.
    pub(super) fn continuation(&self, way: QueryTransform, corner: Field, side: Side, field: Field) -> Continuation {
        let size = way.symmetry.size(self.size);
        let inside = Field::new(field.column - corner.column, field.row - corner.row);
        let side = if way.is_exchanged { side.opponent() } else { side };
        self.canonical(side, way.symmetry.inverse().turn(inside, size))
    }

    /// Of the moves that are the same by a symmetry of what is looked for, the one as far right, then as far up as can be.
    fn canonical(&self, side: Side, field: Field) -> Continuation {
        let all = self.same.iter().map(|&way| change(way, self.size, side, field));
        let best = all.min_by_key(|(side, field)| (*side, u16::MAX - field.column, field.row));
        let (side, field) = best.unwrap_or((side, field));
        Continuation::Field(side, field)
    }

    /// Returns whether only the side to play at the end of a game decides, which no times of stones tell.
    pub(super) fn asks_turn(&self, next: &Continuation) -> bool {
        self.mover.is_some() && next.side().is_none()
    }

    /// Returns whether the next move is wanted. `end` is the side to play where the game ends there.
    pub(super) fn wants(&self, next: &Continuation, end: Option<Side>) -> bool {
        if self.mover.is_some() && self.mover != next.side().or(end) {
            return false;
        }
        match (&self.next, next) {
            (None, _) => true,
            (Some(Continuation::Field(_, wanted)), Continuation::Field(_, found)) => wanted == found,
            (Some(Continuation::Other(_, wanted)), Continuation::Other(_, found)) => wanted == found,
            _ => false,
        }
    }
}

/// For each beginning of the moves, the length of the longest shorter one that it ends with (Knuth, Morris, Pratt).
fn shorter(moves: &[(Side, Field)]) -> Vec<u8> {
    let mut all = vec![0; moves.len()];
    let mut len = 0;
    for at in 1..moves.len() {
        while len > 0 && moves[len] != moves[at] {
            len = usize::from(all[len - 1]);
        }
        len += usize::from(moves[len] == moves[at]);
        // A sequence has at most 250 moves.
        all[at] = len as u8;
    }
    all
}

fn change(way: QueryTransform, size: (u32, u32), side: Side, field: Field) -> (Side, Field) {
    (if way.is_exchanged { side.opponent() } else { side }, way.symmetry.turn(field, size))
}

/// In which ways a game may have what is looked for.
pub(super) fn ways(query: &Query, game: Game) -> Vec<QueryTransform> {
    let of = |symmetries: &[Symmetry], is_exchanged: bool| {
        let is_meant = |symmetry: &&Symmetry| !query.exact || **symmetry == Symmetry::Identity;
        let way = |&symmetry: &Symmetry| QueryTransform { symmetry, is_exchanged };
        symmetries.iter().filter(is_meant).map(way).collect::<Vec<_>>()
    };
    let mut ways = of(game.symmetries(), false);
    if query.swap_colors {
        ways.extend(of(game.exchanged_symmetries(), true));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards that differ in one stone are told apart, whatever their hashes; turned ones are the same.
    #[test]
    fn hashes_are_not_believed() {
        let dialect = Dialect::new(Game::Go, None);
        let board = |moves: &str| {
            let query = Query::position_after(moves).expect("moves");
            query.board(&dialect).expect("a board")
        };
        let query = Query::position_after("pd dp qf").expect("moves");
        let Ok(prepared) = Prepared::new(&query, &dialect) else { panic!("Go has a board") };
        let Plan::Position(hashes) = &prepared.plan else { panic!("it looks for a position") };
        let same = |moves: &str| {
            let mut position = board(moves);
            position.keep_hash();
            let hash = position.hash().expect("it is kept").plain();
            let ways = hashes.iter().filter(|(known, way)| {
                let is_same = prepared.has_stones_of(&position, *way);
                assert_eq!(is_same, *known == hash, "{moves}");
                is_same
            });
            ways.count()
        };
        assert_eq!(
            (same("pd dp qf"), same("dd pp cf"), same("pd dp qg"), same("pd dp"), same("dp pd fq")),
            (1, 1, 0, 0, 1)
        );
    }
}
