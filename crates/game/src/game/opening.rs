//! First moves of a game, rotated or mirrored so that openings that are symmetric to each other
//! become equal.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::{BoardCell, Coordinates, Dialect, GameBoard, Move, Side, Symmetry};

/// Longest side of a board whose positions are kept.
pub const BOARD_MAX: u32 = 64;

/// Move of an opening.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OpeningMove {
    /// A move to a cell; in Havannah in straight numbering.
    Field(Side, BoardCell),
    /// A pass or another move without a cell, as written.
    Other(Side, String),
}

impl OpeningMove {
    /// Characters that are kept of a move without a cell.
    pub const TEXT_MAX: usize = 200;

    /// Returns the side that plays.
    #[must_use]
    pub fn side(&self) -> Side {
        match self {
            Self::Field(side, _) | Self::Other(side, _) => *side,
        }
    }

    /// Returns the cell, in Havannah in straight numbering; `None` for a pass or another move
    /// without a cell.
    #[must_use]
    pub fn field(&self) -> Option<BoardCell> {
        match self {
            Self::Field(_, field) => Some(*field),
            Self::Other(..) => None,
        }
    }

    /// Returns the move in the notation of `coordinates`: `B pd`.
    #[must_use]
    pub fn text(&self, board: &Dialect, coordinates: Coordinates) -> String {
        match self {
            Self::Field(side, field) => {
                format!(
                    "{} {}",
                    side.name_in(board.game()),
                    board.show_point_in(board.numbered(*field), coordinates)
                )
            }
            Self::Other(side, text) => format!("{} {text}", side.name_in(board.game())),
        }
    }
}

/// First moves of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Opening {
    /// Dialect of the game, with the size of its board.
    pub board: Dialect,
    /// The moves after the symmetry of the game that places them, compared move by move, as far
    /// right and then as far up as possible.
    pub moves: Vec<OpeningMove>,
    /// Canonical hash of the board after each move. Openings that lead to the same position have
    /// the same hash, whatever the order of their moves.
    pub hashes: Vec<u64>,
    /// Whether the game begins with setup stones.
    pub has_setup: bool,
}

/// Board at its start, with its hash. Thousands of [openings](Opening) clone it, which is much
/// faster than building a board and a hash for each.
#[derive(Clone, Debug)]
pub struct OpeningStart {
    board: Dialect,
    /// `None` if the game's board is unknown or too large.
    position: Option<GameBoard>,
}

impl OpeningStart {
    /// Returns the start of this board.
    #[must_use]
    pub fn new(board: Dialect) -> Self {
        let mut position = GameBoard::new(&board)
            .ok()
            .filter(|position| position.size().longer() <= BOARD_MAX);
        if let Some(position) = &mut position {
            position.keep_hash();
        }
        Self { board, position }
    }
}

impl Opening {
    /// Returns the opening with these moves, up to the first unreadable move. If the game's board
    /// is unknown or too large, the moves are kept as written, and their texts are hashed.
    ///
    /// ```
    /// use sgfstream_game::{
    ///     Coordinates, Dialect, Game, Side,
    ///     internal::{Opening, OpeningStart},
    /// };
    ///
    /// let go = Dialect::new(Game::Go, None);
    /// let start = OpeningStart::new(go);
    /// let of = |moves: [&'static [u8]; 3]| {
    ///     Opening::of(&start, [Side::Black, Side::White, Side::Black].into_iter().zip(moves))
    /// };
    /// let (one, other) = (of([b"pd", b"dp", b"pp"]), of([b"dd", b"pd", b"dp"]));
    /// assert_eq!(one.moves[0].text(&go, Coordinates::Gtp), "B Q16");
    /// assert_ne!(one.moves, other.moves);
    /// assert_eq!(one.hashes[2], other.hashes[2]);
    /// ```
    #[must_use]
    pub fn of<'m>(start: &OpeningStart, moves: impl Iterator<Item = (Side, &'m [u8])>) -> Self {
        let mut opening = Self::new(start.board);
        let Some(mut position) = start.position.clone() else {
            let mut hash = DefaultHasher::new();
            for (side, text) in moves {
                (side, text).hash(&mut hash);
                let text = if text.is_empty() {
                    "pass".into()
                } else {
                    String::from_utf8_lossy(text)
                };
                opening.moves.push(OpeningMove::Other(
                    side,
                    text.chars().take(OpeningMove::TEXT_MAX).collect(),
                ));
                opening.hashes.push(hash.finish());
            }
            return opening;
        };
        let size = position.size();
        for (side, text) in moves {
            let Ok(mv) = position.dialect().parse_move(text) else {
                break;
            };
            // An illegal move is made nevertheless.
            let _ = position.play(side, &mv);
            if position.size() != size {
                break;
            }
            opening.push(&position, side, &mv);
        }
        opening.turn((size.columns(), size.rows()));
        opening
    }

    /// Returns the opening of a game without moves.
    #[must_use]
    pub fn new(board: Dialect) -> Self {
        Self {
            board,
            moves: Vec::new(),
            hashes: Vec::new(),
            has_setup: false,
        }
    }

    /// Appends a move that led to `position`, which must keep its hash.
    pub fn push(&mut self, position: &GameBoard, side: Side, mv: &Move) {
        let hash = position.hash();
        let field = mv.point().and_then(|field| hash?.field(field));
        self.moves.push(match field {
            Some(field) => OpeningMove::Field(side, field),
            None if *mv == Move::Pass => OpeningMove::Other(side, "pass".to_owned()),
            None => {
                let text = position.dialect().show_move(mv).to_string();
                OpeningMove::Other(side, text.chars().take(OpeningMove::TEXT_MAX).collect())
            }
        });
        self.hashes.extend(hash.map(|hash| hash.canonical().0));
    }

    /// Rotates or mirrors the moves, which were made on a board of `size`.
    pub fn turn(&mut self, size: (u32, u32)) {
        let symmetries = self
            .board
            .game()
            .symmetries()
            .iter()
            .copied()
            .filter(|symmetry| symmetry.size(size) == size);
        self.turn_among(symmetries, size);
    }

    /// Undoes the transform `way` of the moves, which follow a position that was transformed by
    /// `way` on a board of `size`. Then applies the symmetry among `same`, the position's own
    /// symmetries, after which the moves come first.
    pub fn turn_back(
        &mut self,
        way: Symmetry,
        same: impl IntoIterator<Item = Symmetry>,
        size: (u32, u32),
    ) {
        for played in &mut self.moves {
            if let OpeningMove::Field(_, field) = played {
                *field = way.inverse().turn(*field, way.size(size));
            }
        }
        self.turn_among(same, size);
    }

    fn turn_among(&mut self, symmetries: impl IntoIterator<Item = Symmetry>, size: (u32, u32)) {
        let fields = self.moves.iter().filter_map(OpeningMove::field);
        let best = Symmetry::to_upper_right(symmetries, fields, size);
        for played in &mut self.moves {
            if let OpeningMove::Field(_, field) = played {
                *field = best.turn(*field, size);
            }
        }
    }
}
