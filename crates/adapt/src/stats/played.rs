//! Moves in a compact form, and the boards that they were played on.

use std::fmt;
use std::hash::{Hash, Hasher};

use sgfstream_game::havannah::Numbering;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Facts, Game, dialect::Program, property::ParsedValue};

/// Maximum length of a move, in bytes.
const LONGEST: usize = 30;

/// A move: the player, and the text of the value without surrounding blanks. The text of a pass is
/// empty.
#[derive(Clone, Copy, Eq, PartialOrd, Ord)]
pub struct PlayedMove {
    color: u8,
    len: u8,
    bytes: [u8; LONGEST],
}

impl PartialEq for PlayedMove {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let ((start, rest), (other_start, other_rest)) = (self.parts(), other.parts());
        start == other_start && (rest.is_empty() || rest == other_rest)
    }
}

impl Hash for PlayedMove {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (start, rest) = self.parts();
        state.write_u32(start);
        if !rest.is_empty() {
            state.write(rest);
        }
    }
}

impl PlayedMove {
    /// Returns the first four bytes as a word, and the rest. Nearly all moves are a point of two
    /// letters, whose rest is empty.
    #[inline]
    fn parts(&self) -> (u32, &[u8]) {
        let start = u32::from_le_bytes([self.color, self.len, self.bytes[0], self.bytes[1]]);
        (start, self.as_bytes().get(2..).unwrap_or_default())
    }

    /// Returns the move of a player with the text `raw`, or `None` if the text is longer than 30
    /// bytes. `color` counts from 1, for Black.
    #[must_use]
    pub fn new(color: u8, raw: &[u8]) -> Option<Self> {
        let raw = raw.trim_ascii();
        let mut bytes = [0; LONGEST];
        bytes.get_mut(..raw.len())?.copy_from_slice(raw);
        Some(Self {
            color,
            len: raw.len() as u8,
            bytes,
        })
    }

    /// Returns the player: 1 for Black or the first color.
    #[must_use]
    pub fn color(&self) -> u8 {
        self.color
    }

    /// Returns the text of the move.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Returns whether the move is a pass.
    #[must_use]
    pub fn is_pass(&self) -> bool {
        self.len == 0
    }
}

impl fmt::Debug for PlayedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "PlayedMove({} {})",
            self.color,
            String::from_utf8_lossy(self.as_bytes())
        )
    }
}

/// A game, its board size and its numbering of rows. Points of two records can be compared if these
/// are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BoardId {
    /// The game.
    pub game: Game,
    /// The size, if the record or the game defines one.
    pub size: Option<BoardSize>,
    /// The numbering of a hexagonal board; straight for other boards.
    pub numbering: Numbering,
}

impl BoardId {
    /// Returns the board of a game with this size, or with the default size.
    #[must_use]
    pub fn new(game: Game, size: Option<BoardSize>) -> Self {
        let has_size = !matches!(game, Game::Pentobi(_) | Game::Backgammon);
        let size = size
            .filter(|_| has_size)
            .or_else(|| Dialect::default_size(game, Program::Standard));
        Self {
            game,
            size,
            numbering: Numbering::Straight,
        }
    }

    /// Returns the board of games in this dialect.
    #[must_use]
    pub fn of_dialect(dialect: &Dialect) -> Self {
        Self {
            game: dialect.game(),
            size: Some(dialect.size()),
            numbering: dialect.numbering(),
        }
    }

    /// Returns the board of a game.
    pub(super) fn of(facts: &Facts<'_>) -> Self {
        let dialect = facts.dialect();
        let board = match dialect.has_size() {
            true => Self::new(facts.game, facts.board_size()),
            false => Self {
                size: None,
                ..Self::new(facts.game, None)
            },
        };
        Self {
            numbering: dialect.numbering(),
            ..board
        }
    }

    /// Returns the dialect in which points of the board are shown.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        Dialect::with_numbering(self.game, self.size, self.numbering)
    }

    /// Returns columns and rows, if points are two letters and those suffice for the board.
    pub(super) fn letters(&self) -> Option<(u32, u32)> {
        let size = self
            .size
            .filter(|size| size.longer() <= BoardSize::MAX_TWO_LETTER)?;
        self.game
            .has_two_letter_points()
            .then_some((size.columns(), size.rows()))
    }

    /// Normalizes a move, so that equal moves of different records are equal: a pass becomes empty,
    /// and a point of two letters gets the spelling of its game.
    pub(super) fn read(&self, played: PlayedMove) -> PlayedMove {
        if !self.game.has_two_letter_points() && self.game != Game::Othello {
            return played;
        }
        let respelled = match self.dialect().read_move(played.as_bytes()) {
            Ok(read) if read.value.is_pass() => Vec::new(),
            Ok(ParsedValue {
                unusual: Some(unusual),
                ..
            }) => unusual.respelled,
            _ => return played,
        };
        PlayedMove::new(played.color, &respelled).unwrap_or(played)
    }
}

/// Writes the board as in `Go 19x19`, `Blokus` or `Havannah 5x5 (Little Golem)`.
impl fmt::Display for BoardId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.game {
            Game::Number(number) => write!(f, "GM[{number}]")?,
            game => f.write_str(game.name())?,
        }
        match self.size {
            Some(size) if !matches!(self.game, Game::Pentobi(_) | Game::Backgammon) => {
                write!(f, " {}x{}", size.columns(), size.rows())?;
            }
            _ => {}
        }
        f.write_str(if self.numbering == Numbering::FromOne {
            " (Little Golem)"
        } else {
            ""
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards() {
        for (board, name) in [
            (BoardId::new(Game::Hex, None), "Hex 11x11"),
            (BoardId::new(Game::Go, Some(BoardSize::square(9))), "Go 9x9"),
            (BoardId::new(Game::Number(50), None), "GM[50]"),
        ] {
            assert_eq!(board.to_string(), name);
        }
    }

    #[test]
    fn passes() {
        let pass_of = |game: Game, side: u32, raw: &[u8]| {
            let board = BoardId::new(game, Some(BoardSize::square(side)));
            board
                .read(PlayedMove::new(1, raw).expect("short"))
                .is_pass()
        };
        let pass = |side: u32, raw: &[u8]| pass_of(Game::Go, side, raw);
        assert!(
            pass(19, b"tt")
                && pass(19, b"")
                && pass(9, b" \n")
                && !pass(21, b"tt")
                && !pass(19, b"pd")
        );
        assert!(pass(21, b"Pass") && !pass(19, b"passed"));
        let (go, played) = (BoardId::new(Game::Go, None), |raw: &str| {
            PlayedMove::new(1, raw.as_bytes()).expect("short")
        });
        assert!(
            ["PD", "p d", "ｐｄ"]
                .iter()
                .all(|raw| go.read(played(raw)) == played("pd"))
        );
        assert!(pass_of(Game::Othello, 8, b"tt") && !pass_of(Game::Gomoku, 15, b"tt"));
        assert!(PlayedMove::new(1, &[b'x'; 31]).is_none());
    }
}
