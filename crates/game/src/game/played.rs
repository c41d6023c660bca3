//! Effects of a move on a board, and the rules that it breaks.

use std::fmt;

use super::side::Side;

/// Effects of a move. Moves are made even against the rules (spec M-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Played {
    /// Captured stones, dots or pods of the opponent.
    pub captured: u32,
    /// Captured stones of the mover's own (suicide in Go).
    pub lost: u32,
    /// Stones that changed color (Othello; `swap-pieces` in Hex).
    pub turned: u32,
    /// Longest line of the mover's stones through the placed stone (Gomoku); 0 in games without lines.
    pub line: u32,
    /// Whether the same side made the move before. This breaks no rule, because the format implies no turn order (spec
    /// M-04).
    pub out_of_turn: bool,
}

impl Played {
    /// Returns the effects of a move of `side`, and records `side` as the last mover.
    pub(super) fn after(last: &mut Option<Side>, side: Side) -> Self {
        Self { out_of_turn: last.replace(side) == Some(side), ..Self::default() }
    }
}

/// Takes one row for each reason: meaning, variant, name, sentence.
macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $sentence:literal)*) => {
        /// Rule that a move or setup breaks.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Reason {
            $($(#[$doc])+ $variant,)*
        }

        impl Reason {
            /// Returns the stable kebab-case name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        impl fmt::Display for Reason {
            /// Prints what was expected and what was found.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $sentence,)* })
            }
        }
    };
}

reasons! {
    /// The point is not on the board, so it has no effect.
    OffBoard "off-board" "expected a point on the board, found one outside it"
    /// The point has a stone, dot or piece already, which was replaced.
    Occupied "occupied" "expected an empty point, found a piece on it"
    /// The move takes back a ko at once.
    Ko "ko" "expected a move elsewhere first, found a ko taken back at once"
    /// The position was on the board before (positional superko).
    Superko "superko" "expected a new position, found one that was on the board before"
    /// The stone and its group have no liberty.
    Suicide "suicide" "expected a move that keeps a liberty, found suicide"
    /// Othello: the move flips no stone.
    TurnsNothing "turns-nothing" "expected a move that turns stones, found one that turns none"
    /// Othello: a pass although a move is possible.
    NeedlessPass "needless-pass" "expected a move, found a pass while there is one"
    /// The start of the move has no piece of the mover.
    NoPiece "no-piece" "expected a piece of the mover's at the start of the move, found none"
    /// The path is blocked, or the piece does not move like this.
    Blocked "blocked" "expected a way that the piece can go, found it blocked or not its own"
    /// Hex: more swaps than pieces to swap, or no move of the opponent to swap.
    NothingToSwap "nothing-to-swap" "expected a swap after a move of the opponent's, found none to swap"
    /// Unlur: a white stone while both players still place black ones (spec G-19).
    BlackNotTaken "black-not-taken" "expected black stones until a player has taken black, found a white one"
    /// Kropki: dots of a border are missing or have two colors.
    BrokenBorder "broken-border" "expected a border of dots of one colour, found other dots or none"
    /// Blokus: the same piece twice (spec P-47).
    PieceTwice "piece-twice" "expected each piece once, found its shape again"
    /// Blokus: more pieces of one color than exist (spec P-47).
    TooManyPieces "too-many-pieces" "expected a piece that is left, found more than there are"
    /// Blokus: no piece of the game has this shape.
    NoSuchPiece "no-such-piece" "expected a piece of the game, found another shape"
    /// Blokus: the board has no piece with these points.
    NotThere "not-there" "expected a piece that is on the board, found none with these points"
    /// Octi: the cell has no pod with these prongs.
    NoSuchStone "no-such-stone" "expected a pod with these prongs, found none there"
    /// Octi: the pods of the cell differ, and the stone does not name its prongs (spec O-04). The topmost pod was
    /// removed.
    AmbiguousStone "ambiguous-stone" "expected the prongs of the pod, found several pods that differ"
    /// Octi: the player has placed all parts of this kind (spec O-20 to O-22).
    NothingInReserve "nothing-in-reserve" "expected a pod or prong in reserve, found all of them placed"
    /// Octi: nothing of this kind can be taken from the cell.
    NothingToTake "nothing-to-take" "expected a pod to take, found none that was jumped"
    /// The game has no moves of this kind.
    NotAMove "not-a-move" "expected a move of this game, found another kind"
}

/// Error for a move or setup against the rules, with the effects it had nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The first rule that was broken.
    pub reason: Reason,
    /// Effects of the move.
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
