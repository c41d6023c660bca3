//! Identifiers of the moves of a game: the properties that contain moves. They differ from the
//! property type "move" of the tables, which `KO`, `BL` and others have too. [`MoveIds`] is the
//! only list of them.

use sgfstream::{Ident, Property};

use super::{Game, Key, Side, Variant};

/// Identifiers of the moves of a game: `B` and `W` in all games of two colors, Pentobi's `1` to `4`
/// and its old `BLUE`, `YELLOW`, `RED`, `GREEN` (spec P-15 to P-22), and Boardspace's `P0` and
/// `P1`.
///
/// The game may be known only at the end of the root node. Call [`plays`](Self::plays) when `GM` is
/// known.
///
/// ```
/// use sgfstream::Ident;
/// use sgfstream_game::{Game, dialect::Variant, internal::MoveIds};
///
/// let go = Game::Go.move_ids();
/// assert!(go.contains(Ident::new(b"Black")) && !go.contains(Ident::new(b"1")));
/// let blokus = Game::Pentobi(Variant::Blokus).move_ids();
/// assert_eq!(blokus.color(Ident::new(b"RED")), Some(3));
/// let hive = Game::Hive.move_ids();
/// assert_eq!(hive.plays(Ident::new(b"P0"), b"2 dropb wA1 L 10 ."), Some(1));
/// assert_eq!(hive.plays(Ident::new(b"P0"), b"id \"name\""), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveIds(Column);

/// Column of the table [`MOVES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Standard,
    Boardspace,
    TwoColors,
    ThreeColors,
    FourColors,
}

/// Color of each identifier's moves in each [`Column`], from 1; 0 if the identifier is not a move
/// there.
const MOVES: [(&[u8], [u8; 5]); 12] = [
    // standard, Boardspace, Pentobi with 2, 3 and 4 colors
    (b"B", [1, 1, 1, 0, 0]),
    (b"W", [2, 2, 2, 0, 0]),
    (b"P0", [0, 1, 0, 0, 0]),
    (b"P1", [0, 2, 0, 0, 0]),
    (b"1", [0, 0, 1, 1, 1]),
    (b"BLUE", [0, 0, 1, 1, 1]),
    (b"2", [0, 0, 2, 2, 2]),
    (b"YELLOW", [0, 0, 0, 2, 2]),
    (b"3", [0, 0, 0, 3, 3]),
    (b"RED", [0, 0, 0, 3, 3]),
    (b"4", [0, 0, 0, 0, 4]),
    (b"GREEN", [0, 0, 2, 0, 4]),
];

/// [`MOVES`], indexed by key.
static COLORS: [[u8; 5]; Key::COUNT] = {
    let mut colors = [[0; 5]; Key::COUNT];
    let mut row = 0;
    while row < MOVES.len() {
        let (ident, of_columns) = MOVES[row];
        colors[Key::of_id(ident).index()] = of_columns;
        row += 1;
    }
    colors
};

/// Returns whether a value describes a player. Boardspace writes the players' names, times and
/// ranks under the identifiers of their moves; a move begins with its number.
fn is_of_player(ident: Ident<'_>, value: &[u8]) -> bool {
    let is_player = ident.is(b"P0") || ident.is(b"P1");
    is_player
        && value
            .trim_ascii_start()
            .first()
            .is_some_and(|first| !first.is_ascii_digit())
}

impl MoveIds {
    /// Returns whether the identifier of `key` is a move in some game.
    #[must_use]
    #[inline]
    pub fn may_move(key: Key) -> bool {
        COLORS[key.index()] != [0; 5]
    }

    /// Returns whether `B` and `W` are moves. They are not in Pentobi's games of three and four
    /// colors (spec P-16, P-17).
    pub(crate) fn has_letters(self) -> bool {
        !matches!(self.0, Column::ThreeColors | Column::FourColors)
    }

    /// Returns whether `ident` is a move.
    #[must_use]
    #[inline]
    pub fn contains(self, ident: Ident<'_>) -> bool {
        self.color(ident).is_some()
    }

    /// Returns whether `property` is a move: its identifier is a move, and its value does not
    /// describe a player, as Boardspace's `P0[id "name"]` does.
    #[must_use]
    #[inline]
    pub fn is_move(self, property: &Property<'_>) -> bool {
        self.color_of(property).is_some()
    }

    /// Returns the color, from 1, of the moves in `property`; `None` if it is [not a
    /// move](Self::is_move).
    #[inline]
    pub(crate) fn color_of(self, property: &Property<'_>) -> Option<u8> {
        let ident = property.ident();
        let is_player =
            || self.0 == Column::Boardspace && is_of_player(ident, property.first().as_bytes());
        self.color(ident).filter(|_| !is_player())
    }

    /// Returns the color, from 1, of the move in property `ident` with this first value; `None` if
    /// it is not a move.
    #[must_use]
    #[inline]
    pub fn plays(self, ident: Ident<'_>, value: &[u8]) -> Option<u8> {
        self.color(ident)
            .filter(|_| self.0 != Column::Boardspace || !is_of_player(ident, value))
    }

    /// Returns the color, from 1, of the moves of `ident`: Black, the first color and Boardspace's
    /// player 0 are 1. Returns `None` if `ident` is not a move.
    ///
    /// In Pentobi's games of two colors, `1` and `2` are read as `B` and `W`, and so are `BLUE` and
    /// `GREEN` (spec P-21, P-22).
    #[must_use]
    #[inline]
    pub fn color(self, ident: Ident<'_>) -> Option<u8> {
        let color = COLORS[Key::of(ident).index()][self.0 as usize];
        (color > 0).then_some(color)
    }
}

impl MoveIds {
    /// Returns the side of the moves of `ident`, as [`color`](Self::color) does.
    #[must_use]
    pub fn side(self, ident: Ident<'_>) -> Option<Side> {
        self.color(ident).map(Side::of_color)
    }
}

impl Variant {
    /// Returns the identifier that current versions of Pentobi write for the moves of a color,
    /// counted from 1 (spec P-15 to P-17).
    pub(super) const fn move_ident(self, color: u8) -> &'static [u8] {
        Side::of_color(color)
            .name_in(Game::Pentobi(self))
            .as_bytes()
    }
}

impl Game {
    /// Returns the identifiers of the game's moves.
    #[must_use]
    pub const fn move_ids(self) -> MoveIds {
        MoveIds(match self {
            Self::Pentobi(variant) => match variant.colors() {
                2 => Column::TwoColors,
                3 => Column::ThreeColors,
                _ => Column::FourColors,
            },
            game if game.is_boardspace() => Column::Boardspace,
            // Boardspace has more games than those whose names are known.
            Self::Other => Column::Boardspace,
            _ => Column::Standard,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Variant;
    use sgfstream::Framing;

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
            assert_eq!(
                ids.contains(Ident::new(ident.as_bytes())),
                color.is_some(),
                "{ident}"
            );
        }
    }

    #[test]
    fn one_table_for_all_games() {
        let idents = [
            "B", "W", "1", "2", "3", "4", "BLUE", "YELLOW", "RED", "GREEN", "P0", "P1", "White",
            "P2", "5", "AB",
        ];
        let known: Vec<bool> = idents
            .iter()
            .map(|ident| MoveIds::may_move(Key::of(Ident::new(ident.as_bytes()))))
            .collect();
        assert_eq!(known.iter().filter(|&&is_known| is_known).count(), 13);
        let pentobi = Variant::ALL.iter().copied().map(Game::Pentobi);
        for game in Game::NUMBERED
            .iter()
            .copied()
            .chain(pentobi)
            .chain([Game::Other])
        {
            for (ident, &is_known) in idents.iter().zip(&known) {
                assert!(
                    is_known || !game.move_ids().contains(Ident::new(ident.as_bytes())),
                    "{game:?} {ident}"
                );
            }
        }
    }

    #[test]
    fn players_of_boardspace_are_no_moves() {
        let ids = Game::Hive.move_ids();
        let property =
            |raw: &'static [u8]| Property::parse(raw, Framing::Value).expect("a property");
        assert!(
            !ids.is_move(&property(b"P0[id \"name\"]"))
                && !ids.is_move(&property(b"Player1[id \"name\"]"))
        );
        assert!(ids.is_move(&property(b"P0[2 dropb wA1 L 10 .]")));
        assert!(Game::Go.move_ids().is_move(&property(b"B[id x]")));
    }
}
