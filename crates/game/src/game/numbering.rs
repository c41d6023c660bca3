//! Numbering of the rows of a hexagon, and the conversion of cells to it.

use crate::value::BoardSize;

use super::havannah::Numbering;
use super::{BoardCell, Dialect, Game, Program};

impl Dialect {
    /// Returns the numbering of a hexagon's rows; straight on other boards.
    #[must_use]
    pub fn numbering(&self) -> Numbering {
        match (self.game(), self.program()) {
            (Game::Havannah, Program::LittleGolem) => Numbering::FromOne,
            _ => Numbering::Straight,
        }
    }

    /// Returns the dialect for printing the points of a board, whichever program wrote the game.
    /// Only the numbering of a hexagon changes which point a text means.
    #[must_use]
    pub fn with_numbering(game: Game, size: Option<BoardSize>, numbering: Numbering) -> Self {
        let program = if numbering == Numbering::FromOne {
            Program::LittleGolem
        } else {
            Program::Standard
        };
        Self::of_program(game, size, program)
    }

    /// Converts a cell from straight numbering, as in [openings](super::Opening) and hashes of
    /// boards, to the numbering of this dialect. The two differ only in Havannah of Little Golem.
    ///
    /// ```
    /// use sgfstream_game::value::BoardSize;
    /// use sgfstream_game::{BoardCell, Coordinates, Dialect, Game, dialect::Program};
    ///
    /// let of = |program| Dialect::of_program(Game::Havannah, Some(BoardSize::square(4)), program);
    /// let name = |dialect: Dialect| {
    ///     dialect
    ///         .show_point_in(dialect.numbered(BoardCell::new(4, 6)), Coordinates::Sgf)
    ///         .to_string()
    /// };
    /// assert_eq!([name(of(Program::Standard)), name(of(Program::LittleGolem))], ["e7", "e6"]);
    /// ```
    #[must_use]
    pub fn numbered(&self, straight: BoardCell) -> BoardCell {
        if self.game() == Game::Havannah {
            self.hexagon().number(straight)
        } else {
            straight
        }
    }
}
