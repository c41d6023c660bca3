//! The 18 variants of Pentobi, which GM names with a string (spec P-10).

use std::fmt;

/// Takes one row for each variant: the GM string, players, colors, columns and rows of its
/// coordinates (spec P-15 to P-17, P-33).
macro_rules! variants {
    ($($variant:ident $name:literal $players:literal $colors:literal $columns:literal $rows:literal)*) => {
        /// Game that Pentobi plays: Blokus and its relatives.
        ///
        /// ```
        /// use sgfstream_game::dialect::Variant;
        ///
        /// assert_eq!(Variant::BlokusDuo.name(), "Blokus Duo");
        /// assert_eq!(Variant::Nexos.board(), (25, 25));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Variant {
            $(#[doc = concat!("`GM[", $name, "]`.")] $variant,)*
        }

        impl Variant {
            /// All variants, in the order of the document.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns the value of `GM` that names the variant.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Returns the number of players.
            #[must_use]
            pub const fn players(self) -> u8 {
                match self { $(Self::$variant => $players,)* }
            }

            /// Returns the number of colors. With two, moves are `B` and `W`; with three or four,
            /// `1` to `4` (spec P-15 to P-17).
            #[must_use]
            pub const fn colors(self) -> u8 {
                match self { $(Self::$variant => $colors,)* }
            }

            /// Returns columns and rows of the coordinates. Not all of them are cells of the board
            /// (spec P-33).
            #[must_use]
            pub const fn board(self) -> (u32, u32) {
                match self { $(Self::$variant => ($columns, $rows),)* }
            }
        }
    };
}

variants! {
    Blokus                   "Blokus"                        4 4 20 20
    BlokusTwoPlayer          "Blokus Two-Player"             2 4 20 20
    BlokusThreePlayer        "Blokus Three-Player"           3 4 20 20
    BlokusDuo                "Blokus Duo"                    2 2 14 14
    BlokusTrigon             "Blokus Trigon"                 4 4 35 18
    BlokusTrigonTwoPlayer    "Blokus Trigon Two-Player"      2 4 35 18
    BlokusTrigonThreePlayer  "Blokus Trigon Three-Player"    3 3 31 16
    BlokusJunior             "Blokus Junior"                 2 2 14 14
    Nexos                    "Nexos"                         4 4 25 25
    NexosTwoPlayer           "Nexos Two-Player"              2 4 25 25
    Callisto                 "Callisto"                      4 4 20 20
    CallistoTwoPlayer        "Callisto Two-Player"           2 2 16 16
    CallistoTwoPlayerFourColor "Callisto Two-Player Four-Color" 2 4 20 20
    CallistoThreePlayer      "Callisto Three-Player"         3 3 20 20
    GembloQ                  "GembloQ"                       4 4 56 28
    GembloQTwoPlayer         "GembloQ Two-Player"            2 2 44 22
    GembloQThreePlayer       "GembloQ Three-Player"          3 3 52 26
    GembloQTwoPlayerFourColor "GembloQ Two-Player Four-Color" 2 4 56 28
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Game;
    use super::*;

    #[test]
    fn p_10_exactly_18_names() {
        assert_eq!(Variant::ALL.len(), 18);
        for &variant in Variant::ALL {
            let game = Game::Pentobi(variant);
            assert_eq!(Game::parse(variant.name().as_bytes()), Ok(game));
            let shouted = format!(" {}\n", variant.name().to_uppercase());
            assert!(Game::parse(shouted.as_bytes()).is_err());
        }
    }

    #[test]
    fn p_12_one_space_between_words() {
        for name in [
            &b"Blokus  Duo"[..],
            b"Blokus\tDuo",
            b"Blokus\nDuo",
            b"BlokusDuo",
        ] {
            assert!(Game::parse(name).is_err());
        }
    }

    #[test]
    fn p_15_games_of_two_colors() {
        let two: Vec<_> = Variant::ALL
            .iter()
            .filter(|variant| variant.colors() == 2)
            .map(|v| v.name())
            .collect();
        assert_eq!(
            two,
            [
                "Blokus Duo",
                "Blokus Junior",
                "Callisto Two-Player",
                "GembloQ Two-Player"
            ]
        );
    }
}
