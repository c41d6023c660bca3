//! Whose turn it is, for boards, tables and the checker. No other code decides it.

use super::{Dialect, Game, Move, Program, Side, Word};

/// Side to move, and the reason.
///
/// ```
/// use sgfstream_game::{Dialect, Game, Side, board::Turn};
///
/// let hex = Dialect::new(Game::Hex, None);
/// let turn = Turn::after(&hex, Side::White, &hex.parse_move(b"swap-sides")?);
/// assert_eq!(turn.side(), Some(Side::White)); // the color belongs to the opponent now
/// assert!(turn.excludes(Side::Black));
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The rules or earlier moves suggest the side, but the next move may be of another side.
    Open(Option<Side>),
    /// The document of the game says who plays first.
    First(Side),
    /// `PL` names the side.
    Named(Side),
    /// The side follows the last move.
    Next(Side),
}

impl Default for Turn {
    fn default() -> Self {
        Self::Open(None)
    }
}

impl Turn {
    /// Returns the turn at the start of `game` by its rules. `has_handicap`: Black has handicap
    /// stones.
    #[must_use]
    pub const fn at_start(game: Game, has_handicap: bool) -> Self {
        match game {
            Game::Go if has_handicap => Self::Open(Some(Side::White)),
            Game::Go | Game::Othello | Game::Gomoku | Game::LinesOfAction => {
                Self::Open(Some(Side::Black))
            }
            // Hex has this default (spec H-06), and Havannah follows Hex (spec G-15).
            Game::Hex | Game::Havannah | Game::Pentobi(_) => Self::Open(Some(Side::Black)),
            // Black is the player who moved first (spec O-01).
            Game::Octi => Self::First(Side::Black),
            _ => Self::Open(None),
        }
    }

    /// Returns the turn after a move of `side`.
    #[must_use]
    pub fn after(dialect: &Dialect, side: Side, mv: &Move) -> Self {
        let next = Self::follows(dialect.game(), side);
        match mv {
            // The player who swapped owns the other color now, and `side` belongs to the opponent,
            // who moves next (spec H-10).
            mv if swaps_sides(dialect, mv) => Self::Next(side),
            // A player may resign during the opponent's turn, and either may go on afterwards (spec
            // H-13, H-14).
            Move::Word(_) if !matches!(mv, Move::Word(Word::SwapPieces)) => Self::Open(next.side()),
            // Both players of Unlur begin with black stones (spec G-19).
            _ if dialect.game() == Game::Unlur => Self::Open(next.side()),
            _ => next,
        }
    }

    /// Returns the turn after a stone or an unreadable move of `side`.
    #[must_use]
    #[inline]
    pub fn follows(game: Game, side: Side) -> Self {
        // Games with two colors need no division.
        let next = match game.variant() {
            None => side.opponent(),
            Some(variant) => Side::of_color(side.color() % variant.colors() + 1),
        };
        Self::Next(next)
    }

    /// Returns the turn after setup, which may change it. A side that `PL` names remains.
    #[must_use]
    pub const fn after_setup(self) -> Self {
        match self {
            Self::Named(side) => Self::Named(side),
            turn => Self::Open(turn.side()),
        }
    }

    /// Returns the side to move. Returns `None` at the start of a game whose rules do not define
    /// who begins.
    #[must_use]
    #[inline]
    pub const fn side(self) -> Option<Side> {
        match self {
            Self::Open(side) => side,
            Self::First(side) | Self::Named(side) | Self::Next(side) => Some(side),
        }
    }

    /// Returns whether a move of `side` is out of turn.
    #[must_use]
    #[inline]
    pub fn excludes(self, side: Side) -> bool {
        !matches!(self, Self::Open(_)) && self.side() != Some(side)
    }
}

/// Returns whether a move exchanges the colors of the players. HexGui and Benzene write this swap
/// as the other one.
pub(super) fn swaps_sides(dialect: &Dialect, mv: &Move) -> bool {
    let is_hex_gui = dialect.program() == Program::HexGui;
    match mv {
        Move::Word(Word::SwapSides) => true,
        Move::Word(Word::SwapPieces | Word::Swap) => is_hex_gui,
        _ => false,
    }
}
