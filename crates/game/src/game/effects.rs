//! Effects of a move on a board, and the rules that it breaks.

use std::fmt;

/// Effects of a move. Moves are made even against the rules (spec M-04).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Effects {
    /// Captured stones, dots or pods of the opponent.
    pub captured: u32,
    /// Captured stones of the mover's own (suicide in Go).
    pub lost: u32,
    /// Stones that changed color (Othello; `swap-pieces` in Hex).
    pub turned: u32,
    /// Longest line of the mover's stones through the placed stone (Gomoku); 0 in games without
    /// lines.
    pub line: u32,
}

/// Takes one row for each reason: meaning, variant, name, sentence.
macro_rules! reasons {
    ($($(#[$doc:meta])+ $variant:ident $name:literal $sentence:literal)*) => {
        /// Reason why a move or setup is illegal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Violation {
            $($(#[$doc])+ $variant,)*
        }

        impl Violation {
            /// Returns the stable kebab-case name.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }

        impl fmt::Display for Violation {
            /// Prints what was expected and what was found.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $sentence,)* })
            }
        }
    };
}

reasons! {
    /// A point is not on the board. Nothing was done with it.
    OffBoard "off-board" "the point is not on the board"
    /// There is a stone, dot or piece already; it was replaced.
    Occupied "occupied" "the point is occupied"
    /// The move takes back a ko at once.
    Ko "ko" "the move retakes a ko at once"
    /// The position was on the board before (positional superko).
    Superko "superko" "the move repeats an earlier position"
    /// The stone and its group have no liberty.
    Suicide "suicide" "the move is suicide, which the rules forbid"
    /// Othello: no stone is turned.
    TurnsNothing "turns-nothing" "the move turns no stones"
    /// Othello: a pass while there is a move.
    NeedlessPass "needless-pass" "the player passes although a move is possible"
    /// No piece of the mover is where the move starts.
    NoPiece "no-piece" "the player has no piece at the start of the move"
    /// Something is in the way, or the piece does not move like this.
    Blocked "blocked" "the piece cannot go this way, or its way is blocked"
    /// Hex: more swaps than pieces to swap, or no move of the opponent's.
    NothingToSwap "nothing-to-swap" "there is no move of the opponent to swap"
    /// Unlur: a white stone while both players place black ones (spec G-19).
    BlackNotTaken "black-not-taken" "the stone is white, and no player has taken black yet"
    /// Kropki: the dots of a border are not all there, or of two colors.
    BrokenBorder "broken-border" "the border is not made of dots of one color"
    /// Blokus: the same piece twice (spec P-47).
    PieceTwice "piece-twice" "the player has used a piece of this shape already"
    /// Blokus: more pieces of one color than there are (spec P-47).
    TooManyPieces "too-many-pieces" "no piece of this kind is left"
    /// Blokus: no piece of the game has this shape.
    NoSuchPiece "no-such-piece" "the game has no piece of this shape"
    /// Blokus: no piece with these points is on the board.
    NotThere "not-there" "no piece on the board has these points"
    /// Octi: no pod with these prongs is there.
    NoSuchStone "no-such-stone" "no pod with these prongs is on the point"
    /// Octi: the pods there differ, and the stone does not name the prongs (spec O-04); the topmost
    /// was taken.
    AmbiguousStone "ambiguous-stone" "several different pods are on the point; name the prongs of one"
    /// Octi: the player has placed all parts of this kind (spec O-20 to O-22).
    NothingInReserve "nothing-in-reserve" "all pods or prongs of the reserve are placed"
    /// Octi: the move jumps over no such pod.
    NothingToTake "nothing-to-take" "the move jumps over no pod that it could take"
    /// The move is of a kind that this game does not have.
    NotAMove "not-a-move" "this kind of move does not exist in the game"
}

/// Error for a move or setup against the rules, with the effects it had nevertheless.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The first rule that was broken.
    pub reason: Violation,
    /// Effects of the move.
    pub played: Effects,
}

impl Illegal {
    pub(super) const OFF_BOARD: Self = Self::nothing_done(Violation::OffBoard);
    pub(super) const NOT_A_MOVE: Self = Self::nothing_done(Violation::NotAMove);

    pub(super) const fn nothing_done(reason: Violation) -> Self {
        Self {
            reason,
            played: Effects {
                captured: 0,
                lost: 0,
                turned: 0,
                line: 0,
            },
        }
    }

    pub(super) fn unless_fine(fault: Option<Violation>, played: Effects) -> Result<Effects, Self> {
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
