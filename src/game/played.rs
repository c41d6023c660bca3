//! What a move did to a board, and what was against the rules about it.

use std::fmt;

use super::side::Side;

/// What a move did. Moves are executed whatever the rules say (spec M-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// Stones, dots or pods of the opponent that were taken.
    pub captured: u32,
    /// Stones of the mover's own that were taken (suicide in Go).
    pub lost: u32,
    /// Stones that changed colour (Othello; `swap-pieces` in Hex).
    pub turned: u32,
    /// The longest line of the mover's stones through the one placed
    /// (Gomoku); 0 in games without lines.
    pub line: u32,
    /// The same side moved last. No rule of the format: no turn order is
    /// implied (spec M-04).
    pub out_of_turn: bool,
}

impl Played {
    /// A move of `side`, which becomes the last mover.
    pub(super) fn after(last: &mut Option<Side>, side: Side) -> Self {
        Self { out_of_turn: last.replace(side) == Some(side), ..Self::default() }
    }
}

/// Why a move or setup is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// A point is not on the board. Nothing was done with it.
    OffBoard,
    /// A stone, dot or piece stands there already; it was replaced.
    Occupied,
    /// The move takes back a ko at once.
    Ko,
    /// The position stood on the board before (positional superko).
    Superko,
    /// The stone and its group have no liberty.
    Suicide,
    /// Othello: no stone is turned.
    TurnsNothing,
    /// Othello: a pass while there is a move.
    NeedlessPass,
    /// Nothing of the mover's stands where the move starts.
    NoPiece,
    /// Something stands in the way, or the piece does not move like this.
    Blocked,
    /// Hex: more swaps than pieces to swap, or no move of the opponent's.
    NothingToSwap,
    /// Kropki: the dots of a border are not all there, or of two colours.
    BrokenBorder,
    /// Blokus: the same piece twice (spec P-47).
    PieceTwice,
    /// Blokus: more pieces of one colour than there are (spec P-47).
    TooManyPieces,
    /// Blokus: no piece of the game has this shape.
    NoSuchPiece,
    /// Blokus: no piece with these points stands on the board.
    NotThere,
    /// Octi: no pod with these prongs stands there.
    NoSuchStone,
    /// Octi: nothing of this kind can be taken there.
    NothingToTake,
    /// The move is of a kind that this game does not have.
    NotAMove,
}

impl Reason {
    /// A stable kebab-case name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OffBoard => "off-board",
            Self::Occupied => "occupied",
            Self::Ko => "ko",
            Self::Superko => "superko",
            Self::Suicide => "suicide",
            Self::TurnsNothing => "turns-nothing",
            Self::NeedlessPass => "needless-pass",
            Self::NoPiece => "no-piece",
            Self::Blocked => "blocked",
            Self::NothingToSwap => "nothing-to-swap",
            Self::BrokenBorder => "broken-border",
            Self::PieceTwice => "piece-twice",
            Self::TooManyPieces => "too-many-pieces",
            Self::NoSuchPiece => "no-such-piece",
            Self::NotThere => "not-there",
            Self::NoSuchStone => "no-such-stone",
            Self::NothingToTake => "nothing-to-take",
            Self::NotAMove => "not-a-move",
        }
    }
}

impl fmt::Display for Reason {
    /// What was expected and what was found.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "expected a point on the board, found one outside it",
            Self::Occupied => "expected an empty point, found a piece on it",
            Self::Ko => "expected a move elsewhere first, found a ko taken back at once",
            Self::Superko => "expected a new position, found one that stood on the board before",
            Self::Suicide => "expected a move that keeps a liberty, found suicide",
            Self::TurnsNothing => "expected a move that turns stones, found one that turns none",
            Self::NeedlessPass => "expected a move, found a pass while there is one",
            Self::NoPiece => "expected a piece of the mover's at the start of the move, found none",
            Self::Blocked => "expected a way that the piece can go, found it blocked or not its own",
            Self::NothingToSwap => "expected a swap after a move of the opponent's, found none to swap",
            Self::BrokenBorder => "expected a border of dots of one colour, found other dots or none",
            Self::PieceTwice => "expected each piece once, found its shape again",
            Self::TooManyPieces => "expected a piece that is left, found more than there are",
            Self::NoSuchPiece => "expected a piece of the game, found another shape",
            Self::NotThere => "expected a piece that stands on the board, found none with these points",
            Self::NoSuchStone => "expected a pod with these prongs, found none there",
            Self::NothingToTake => "expected a pod to take, found none that was jumped",
            Self::NotAMove => "expected a move of this game, found another kind",
        })
    }
}

/// A move or setup against the rules, and what it did all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The first rule that it is against.
    pub reason: Reason,
    /// What it did.
    pub played: Played,
}

impl Illegal {
    pub(super) const OFF_BOARD: Self = Self::nothing_done(Reason::OffBoard);
    pub(super) const NOT_A_MOVE: Self = Self::nothing_done(Reason::NotAMove);

    pub(super) const fn nothing_done(reason: Reason) -> Self {
        Self { reason, played: Played { captured: 0, lost: 0, turned: 0, line: 0, out_of_turn: false } }
    }

    pub(super) fn unless_fine(fault: Option<Reason>, played: Played) -> Result<Played, Self> {
        match fault {
            None => Ok(played),
            Some(reason) => Err(Self { reason, played }),
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reason.fmt(f)
    }
}

impl std::error::Error for Illegal {}
