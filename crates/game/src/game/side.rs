//! Sides of a game: black and white, or up to four colors.

use crate::value::{Color, ValueError};

use super::Game;
use super::games::PointSyntax;

/// Names in games of three and four colors.
const NUMBERS: [&str; 4] = ["1", "2", "3", "4"];

/// Names in games of two colors, which have no third and fourth.
const LETTERS: [&str; 4] = ["B", "W", "3", "4"];

/// Color that plays. Black is the first, White the second; some games have a third and a fourth
/// (spec P-15 to P-17).
///
/// ```
/// use sgfstream_game::Side;
///
/// assert_eq!(Side::parse(b"4"), Ok(Side::Fourth));
/// assert_eq!(Side::Black.opponent(), Side::White);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// `B`, or the color `1`.
    Black,
    /// `W`, or the color `2`.
    White,
    /// The color `3`.
    Third,
    /// The color `4`.
    Fourth,
}

impl Side {
    /// All four sides, in order of play.
    pub const ALL: [Self; 4] = [Self::Black, Self::White, Self::Third, Self::Fourth];

    /// Returns the side of a color, from 1, as in [`RawMove`](crate::facts::RawMove). Color 5 is
    /// the first side again.
    ///
    /// ```
    /// use sgfstream_game::Side;
    ///
    /// assert_eq!([1, 2, 4].map(Side::of_color), [Side::Black, Side::White, Side::Fourth]);
    /// ```
    #[must_use]
    #[inline]
    pub const fn of_color(color: u8) -> Self {
        Self::ALL[color.wrapping_sub(1) as usize % Self::ALL.len()]
    }

    /// Returns the color, from 1, as [`of_color`](Self::of_color) takes it.
    #[must_use]
    #[inline]
    pub const fn color(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the index in the order of play, from 0.
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Parses the name of a side in any game, for a request that does not name its game: `B`, `W`,
    /// or `1` to `4`.
    ///
    /// # Errors
    ///
    /// The value is not one of these.
    pub fn parse(raw: &[u8]) -> Result<Self, ValueError> {
        match raw {
            b"B" | b"1" => Ok(Self::Black),
            b"W" | b"2" => Ok(Self::White),
            b"3" => Ok(Self::Third),
            b"4" => Ok(Self::Fourth),
            _ => Err(ValueError::syntax(
                "`B`, `W`, or a color from `1` to `4`",
                raw,
            )),
        }
    }

    /// Returns the side of `game` that a value of `PL` names. It may be `black`, `White` or `b`,
    /// and a number may stand for a letter (spec P-44). Returns `None` for a color that the game
    /// does not have.
    ///
    /// ```
    /// use sgfstream_game::{Game, Side, dialect::Variant};
    ///
    /// let duo = Game::Pentobi(Variant::BlokusDuo);
    /// assert_eq!(Side::named_in(duo, b"white"), Some(Side::White));
    /// assert_eq!(Side::named_in(duo, b"3"), None);
    /// assert_eq!(Side::named_in(Game::Pentobi(Variant::Blokus), b"3"), Some(Side::Third));
    /// ```
    #[must_use]
    pub fn named_in(game: Game, raw: &[u8]) -> Option<Self> {
        let side = match Color::parse_lenient(raw) {
            Ok(color) => Self::of_color(color.value as u8),
            Err(_) => Self::parse(raw).ok()?,
        };
        (side.color() <= game.colors()).then_some(side)
    }

    /// Returns the name in `game`, which is also the identifier of its moves: `B` or `W` in games
    /// of two colors, `1` to `4` in games of three and four (spec P-15 to P-17).
    /// [`named_in`](Self::named_in) reads it.
    ///
    /// ```
    /// use sgfstream_game::{Game, Side, dialect::Variant};
    ///
    /// assert_eq!(Side::White.name_in(Game::Go), "W");
    /// assert_eq!(Side::White.name_in(Game::Pentobi(Variant::BlokusTwoPlayer)), "2");
    /// ```
    #[must_use]
    #[inline]
    pub const fn name_in(self, game: Game) -> &'static str {
        if game.colors() > 2 {
            NUMBERS[self.index()]
        } else {
            LETTERS[self.index()]
        }
    }

    /// Returns the name for a sentence: `Black` and `White` in games of two colors, `color 1` to
    /// `color 4` in others.
    #[must_use]
    pub const fn title_in(self, game: Game) -> &'static str {
        match self {
            Self::Black if game.colors() <= 2 => "Black",
            Self::White if game.colors() <= 2 => "White",
            side => ["color 1", "color 2", "color 3", "color 4"][side.index()],
        }
    }

    /// Returns the other side of the pair: Black and White, or `Third` and `Fourth`.
    #[must_use]
    #[inline]
    pub const fn opponent(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
            Self::Third => Self::Fourth,
            Self::Fourth => Self::Third,
        }
    }
}

crate::value::parses!(Side);

impl Game {
    /// Returns the number of colors: two, or in Pentobi's games up to four.
    #[must_use]
    #[inline]
    pub const fn colors(self) -> u8 {
        match self {
            Self::Pentobi(variant) => variant.colors(),
            _ => 2,
        }
    }

    /// Returns the number of players, or `None` for a game that nothing defines here. In some of
    /// Pentobi's games a player has two colors (spec P-17).
    ///
    /// ```
    /// use sgfstream_game::{Game, dialect::Variant};
    ///
    /// let two_player = Game::Pentobi(Variant::BlokusTwoPlayer);
    /// assert_eq!((two_player.players(), two_player.colors()), (Some(2), 4));
    /// assert_eq!(Game::Chess.players(), None);
    /// ```
    #[must_use]
    pub const fn players(self) -> Option<u8> {
        match self {
            Self::Pentobi(variant) => Some(variant.players()),
            game if matches!(game.point_syntax(), PointSyntax::Unknown) => None,
            _ => Some(2),
        }
    }
}
