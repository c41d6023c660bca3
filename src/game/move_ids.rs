//! Which identifiers are the moves of a game. Not the property type "move" of
//! the tables (KO, BL and others have it too), but the properties that say
//! what was played.

use crate::event::{Ident, Property};

use super::Game;

/// The identifiers that hold the moves of a game: `B` and `W` in all of them;
/// Pentobi's `1` to `4` and its old `BLUE`, `YELLOW`, `RED`, `GREEN`
/// (spec P-15 to P-22); Boardspace's `P0` and `P1`.
///
/// ```
/// use sgfstream::{Ident, game::{Game, MoveIds, Variant}};
///
/// let go = MoveIds::of(Game::Go);
/// assert!(go.contains(Ident::new(b"Black")) && !go.contains(Ident::new(b"1")));
/// let blokus = MoveIds::of(Game::Pentobi(Variant::Blokus));
/// assert_eq!(blokus.color(Ident::new(b"RED")), Some(3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveIds(Dialect);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dialect {
    Standard,
    Pentobi { two_colors: bool },
    Boardspace,
}

impl MoveIds {
    /// The move identifiers of `game`.
    #[must_use]
    pub const fn of(game: Game) -> Self {
        Self(match game {
            Game::Pentobi(variant) => Dialect::Pentobi { two_colors: variant.colors() == 2 },
            game if game.is_boardspace() => Dialect::Boardspace,
            // Boardspace plays more games than it has told us names of.
            Game::Other => Dialect::Boardspace,
            _ => Dialect::Standard,
        })
    }

    /// True if `ident` holds a move.
    #[must_use]
    #[inline]
    pub fn contains(self, ident: Ident<'_>) -> bool {
        // Nearly every move of every file.
        if let [b'B' | b'W'] = ident.as_bytes() {
            return true;
        }
        self.color(ident).is_some()
    }

    /// True if `property` is a move: its identifier is one, and it does not
    /// introduce a player as Boardspace's `P0[id "name"]` does.
    #[must_use]
    #[inline]
    pub fn is_move(self, property: &Property<'_>) -> bool {
        self.contains(property.ident())
            && (self.0 != Dialect::Boardspace || !property.first().as_bytes().starts_with(b"id "))
    }

    /// Whose move `ident` holds, from 1: Black, the first colour and Boardspace's
    /// player 0 are 1. Nothing if it holds no move.
    ///
    /// In Pentobi's games of two colours `1` and `2` are read as `B` and `W`,
    /// as are `BLUE` and `GREEN` (spec P-21, P-22).
    #[must_use]
    pub fn color(self, ident: Ident<'_>) -> Option<u8> {
        let canonical = ident.canonical();
        match (&*canonical, self.0) {
            (b"B", _) => Some(1),
            (b"W", _) => Some(2),
            (b"1" | b"BLUE", Dialect::Pentobi { .. }) => Some(1),
            (b"2", Dialect::Pentobi { .. }) => Some(2),
            (b"GREEN", Dialect::Pentobi { two_colors: true }) => Some(2),
            (b"YELLOW", Dialect::Pentobi { two_colors: false }) => Some(2),
            (b"3" | b"RED", Dialect::Pentobi { two_colors: false }) => Some(3),
            (b"4" | b"GREEN", Dialect::Pentobi { two_colors: false }) => Some(4),
            (b"P0", Dialect::Boardspace) => Some(1),
            (b"P1", Dialect::Boardspace) => Some(2),
            _ => None,
        }
    }
}

impl Game {
    /// Which identifiers hold its moves.
    #[must_use]
    pub const fn move_ids(self) -> MoveIds {
        MoveIds::of(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use crate::scan::Framing;

    #[test]
    fn colors() {
        let four = Game::Pentobi(Variant::BlokusTwoPlayer).move_ids();
        let two = Game::Pentobi(Variant::CallistoTwoPlayer).move_ids();
        let boardspace = Game::Hive.move_ids();
        for (ids, ident, color) in [
            (Game::Go.move_ids(), "B", Some(1)),
            (Game::Go.move_ids(), "White", Some(2)),
            (Game::Go.move_ids(), "P0", None),
            (Game::Go.move_ids(), "BLUE", None),
            (Game::Go.move_ids(), "b", None),
            (four, "1", Some(1)),
            (four, "2", Some(2)),
            (four, "3", Some(3)),
            (four, "4", Some(4)),
            (four, "BLUE", Some(1)),
            (four, "YELLOW", Some(2)),
            (four, "RED", Some(3)),
            (four, "GREEN", Some(4)),
            (two, "1", Some(1)),
            (two, "2", Some(2)),
            (two, "3", None),
            (two, "BLUE", Some(1)),
            (two, "GREEN", Some(2)),
            (two, "RED", None),
            (boardspace, "P0", Some(1)),
            (boardspace, "P1", Some(2)),
            (boardspace, "P2", None),
        ] {
            assert_eq!(ids.color(Ident::new(ident.as_bytes())), color, "{ident}");
            assert_eq!(ids.contains(Ident::new(ident.as_bytes())), color.is_some(), "{ident}");
        }
    }

    #[test]
    fn players_of_boardspace_are_no_moves() {
        let ids = Game::Hive.move_ids();
        let property = |raw: &'static [u8]| Property::parse(raw, Framing::Value).expect("a property");
        assert!(!ids.is_move(&property(b"P0[id \"name\"]")));
        assert!(ids.is_move(&property(b"P0[2 dropb wA1 L 10 .]")));
    }
}
