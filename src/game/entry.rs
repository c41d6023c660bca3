//! What is known about each game: board, syntax of points and moves, who
//! begins.

use crate::value::{BoardSize, ValueError, ValueErrorKind};

use super::Game;
use super::entries::ENTRIES;

/// What is known about a game.
///
/// ```
/// use sgfstream::{game::{Game, MoveSyntax, PointSyntax}, value::BoardSize};
///
/// let hex = Game::Hex.entry();
/// assert_eq!(hex.default_size, Some(BoardSize::square(11)));
/// assert_eq!(hex.point_syntax, PointSyntax::LettersNumber);
/// assert!(hex.special_moves.contains(&"swap-pieces"));
/// assert_eq!(Game::Shogi.entry().move_syntax, MoveSyntax::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GameEntry {
    /// The game.
    pub game: Game,
    /// The board without SZ, if there is a default. Pentobi never writes SZ.
    pub default_size: Option<BoardSize>,
    /// How points are written.
    pub point_syntax: PointSyntax,
    /// How moves are written.
    pub move_syntax: MoveSyntax,
    /// Moves that are words; `[]` is the empty value.
    pub special_moves: &'static [&'static str],
    /// Who begins. No game enforces it in a record.
    pub first_player: FirstPlayer,
    /// Identifiers that only this game has or means differently, with blanks
    /// between.
    pub own_properties: &'static str,
    /// Where the game is described.
    pub status: &'static str,
    /// What else there is to know.
    pub notes: &'static str,
}

/// How a game writes its points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PointSyntax {
    /// `pd`: column and row as letters, from the upper left, to 52.
    TwoLetters,
    /// `c4`: column `a`–`h`, row `1`–`8` from the top (Othello).
    LetterDigit,
    /// `c4`, `aa12`: column letters and row number from the top, without
    /// regard to case (Hex, Twixt, Unlur, Havannah).
    LettersNumber,
    /// `c4`: column letter and row number, from the bottom unless IY says
    /// otherwise (Lines of Action).
    LetterNumberUp,
    /// `e10`, `aa1`: column letters and row number from the bottom, without
    /// regard to case (Pentobi).
    LettersNumberUp,
    /// `73`: column and row as digits, from the lower left (Octi).
    TwoDigits,
    /// `f`: one letter (Backgammon).
    OneLetter,
    /// Not known: raw.
    Unknown,
}

/// How a game writes its moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MoveSyntax {
    /// A point.
    Point,
    /// `e1-e3`, `c2:c5` (Lines of Action).
    FromTo,
    /// `djddgd`: three points (Amazons).
    FromToArrow,
    /// `cc:dd`: two points (Gess).
    FromColonTo,
    /// `31hefe`: dice and pairs of points (Backgammon).
    Dice,
    /// `33+B`, `84-86x-68` (Octi).
    Octi,
    /// A point, and links added or removed (Twixt).
    PegAndLinks,
    /// `ce.cecfdgefdece`: a point, then borders (Kropki).
    DotAndBorders,
    /// `e8,e9,f9`: the points of a piece (Pentobi).
    Piece,
    /// `2 dropb wA1 L 10 .`: a counter, a verb, its objects (Boardspace).
    Action,
    /// Not known: raw.
    Unknown,
}

/// Who makes the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FirstPlayer {
    /// Black.
    Black,
    /// White.
    White,
    /// The dice tell.
    Dice,
    /// The first colour (Pentobi).
    FirstColor,
    /// Not known.
    Unknown,
}

impl GameEntry {
    /// What is known where nothing is.
    const fn unknown(game: Game) -> Self {
        Self {
            game,
            default_size: None,
            point_syntax: PointSyntax::Unknown,
            move_syntax: MoveSyntax::Unknown,
            special_moves: &[],
            first_player: FirstPlayer::Unknown,
            own_properties: "",
            status: "seen in files",
            notes: "",
        }
    }

    /// A square board; none of side 0.
    pub(super) const fn square(side: u32) -> Option<BoardSize> {
        if side == 0 { None } else { Some(BoardSize::square(side)) }
    }
}

impl Game {
    /// What is known about the game.
    #[must_use]
    pub fn entry(self) -> GameEntry {
        match self {
            Self::Pentobi(variant) => {
                let (columns, rows) = variant.board();
                GameEntry {
                    default_size: Some(BoardSize::new(columns, rows)),
                    point_syntax: PointSyntax::LettersNumberUp,
                    move_syntax: MoveSyntax::Piece,
                    first_player: FirstPlayer::FirstColor,
                    own_properties: match (variant.colors(), variant.players()) {
                        (2, _) => "B W AB AW AE PL PB PW",
                        (3, _) => "1 2 3 A1 A2 A3 AE PL P1 P2 P3",
                        (_, 2) => "1 2 3 4 A1 A2 A3 A4 AE PL PB PW",
                        (_, 3) => "1 2 3 4 A1 A2 A3 A4 AE PL P1 P2 P3",
                        _ => "1 2 3 4 A1 A2 A3 A4 AE PL P1 P2 P3 P4",
                    },
                    status: "Pentobi document",
                    notes: "no SZ is used",
                    ..GameEntry::unknown(self)
                }
            }
            Self::Boardspace(_) => GameEntry {
                move_syntax: MoveSyntax::Action,
                own_properties: "P0 P1 VV SU",
                status: "name only; Boardspace files",
                ..GameEntry::unknown(self)
            },
            Self::Number(41) => GameEntry {
                status: "seen in the wild",
                notes: "used for pente, pathogen, connect four by single programs",
                ..GameEntry::unknown(self)
            },
            Self::Number(_) | Self::Other => GameEntry::unknown(self),
            // In the order of the table, which a test holds.
            numbered => {
                let place = match numbered.number() {
                    Some(4000) => 40,
                    Some(4100) => 41,
                    number => number.map_or(0, |number| number as usize - 1),
                };
                ENTRIES[place]
            }
        }
    }

    /// The strict reading of SZ in this game: [`BoardSize::parse`] and the
    /// game's limits. Two-letter points end at 52; Twixt has 3 to 702 lines;
    /// Kropki has GoRilla's letters as well (spec G-12); Unlur's width is odd
    /// (spec G-17). Hex has the union of its page's two revisions: any size.
    ///
    /// ```
    /// use sgfstream::{game::Game, value::BoardSize};
    ///
    /// assert_eq!(Game::Kropki.parse_size(b"NG"), Ok(BoardSize::new(39, 32)));
    /// assert!(Game::Go.parse_size(b"NG").is_err());
    /// assert!(Game::Go.parse_size(b"53").is_err());
    /// assert!(Game::Hex.parse_size(b"53").is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// Other syntax, or a board that the game does not have.
    pub fn parse_size(self, raw: &[u8]) -> Result<BoardSize, ValueError> {
        let no_such = |expected| ValueError::new(ValueErrorKind::OutOfRange, expected, raw);
        match self {
            Self::Kropki if raw.first().is_some_and(u8::is_ascii_alphabetic) => BoardSize::parse_letters(raw),
            Self::Twixt => {
                let size = BoardSize::parse_up_to(raw, 702)?;
                let is_large = size.columns() >= 3 && size.rows() >= 3;
                if is_large { Ok(size) } else { Err(no_such("a board of 3 to 702 lines")) }
            }
            Self::Unlur => {
                let size = BoardSize::parse(raw)?;
                if size.columns() % 2 == 1 { Ok(size) } else { Err(no_such("an odd width")) }
            }
            game if game.has_two_letter_points() => BoardSize::parse_up_to(raw, BoardSize::MAX_TWO_LETTER),
            _ => BoardSize::parse(raw),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Boardspace, Definition, Variant};

    #[test]
    fn every_game_has_its_entry() {
        assert_eq!(ENTRIES.len(), Game::NUMBERED.len());
        let pentobi = Variant::ALL.iter().copied().map(Game::Pentobi);
        let boardspace = Boardspace::ALL.iter().copied().map(Game::Boardspace);
        let others = [Game::Number(41), Game::Number(-1), Game::Other];
        for game in Game::NUMBERED.iter().copied().chain(pentobi).chain(boardspace).chain(others) {
            assert_eq!(game.entry().game, game);
        }
    }

    #[test]
    fn defaults() {
        for (game, side) in [
            (Game::Go, Some(19)),
            (Game::Othello, Some(8)),
            (Game::Chess, Some(8)),
            (Game::Gomoku, None),
            (Game::LinesOfAction, Some(8)),
            (Game::Hex, Some(11)),
            (Game::Amazons, Some(10)),
            (Game::Octi, None),
            (Game::Gess, Some(20)),
            (Game::Twixt, Some(24)),
            (Game::Kropki, None),
            (Game::Havannah, None),
            (Game::Pentobi(Variant::BlokusDuo), Some(14)),
        ] {
            assert_eq!(game.entry().default_size, side.map(BoardSize::square), "{game:?}");
        }
        let gembloq = Game::Pentobi(Variant::GembloQ).entry();
        assert_eq!(gembloq.default_size, Some(BoardSize::new(56, 28)));
        assert_eq!(Game::Twixt.entry().first_player, FirstPlayer::White);
    }

    /// What a game calls its own is in the table of properties.
    #[test]
    fn own_properties_are_in_the_table() {
        let mut count = 0;
        let pentobi = Variant::ALL.iter().copied().map(Game::Pentobi);
        for game in Game::NUMBERED.iter().copied().chain(pentobi) {
            for id in game.entry().own_properties.split_whitespace() {
                assert!(!Definition::rows(id.as_bytes()).is_empty(), "{game:?} {id}");
                count += 1;
            }
        }
        assert!(count > 100);
    }

    #[test]
    fn g_11_g_12_g_17_sizes() {
        for (game, raw, size) in [
            (Game::Go, "19", Some((19, 19))),
            (Game::Go, "52", Some((52, 52))),
            (Game::Go, "53", None),
            (Game::Gess, "20:53", None),
            (Game::Kropki, "39:32", Some((39, 32))),
            (Game::Kropki, "39", Some((39, 39))),
            (Game::Kropki, "NG", Some((39, 32))),
            (Game::Kropki, "N", Some((39, 39))),
            (Game::Hex, "N", None),
            (Game::Hex, "60:70", Some((60, 70))),
            (Game::Twixt, "702", Some((702, 702))),
            (Game::Twixt, "703", None),
            (Game::Twixt, "2:9", None),
            (Game::Unlur, "11", Some((11, 11))),
            (Game::Unlur, "12", None),
            (Game::Other, "100", Some((100, 100))),
        ] {
            let expected = size.map(|(columns, rows)| BoardSize::new(columns, rows));
            assert_eq!(game.parse_size(raw.as_bytes()).ok(), expected, "{game:?} {raw}");
        }
    }
}
