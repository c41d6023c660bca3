//! Root and game-info properties whose first value is kept, and the identifiers that set up a
//! position.

use sgfstream::Ident;

use crate::game::{Definition, Game, Key, TypedValue};
use crate::value::Reading;

/// Defines `Info` from a table with one row for each property.
macro_rules! infos {
    ($($name:ident)*) => {
        /// Root or game-info property whose first value the [`Facts`](super::Facts) keep. Variants
        /// are named after the identifiers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the names are those of the specification")]
        pub enum Info { $($name,)* }

        impl Info {
            /// All properties.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the identifier without lowercase letters, such as `PB`.
            #[must_use]
            pub const fn ident(self) -> &'static [u8] {
                match self { $(Self::$name => stringify!($name).as_bytes(),)* }
            }
        }
    };
}

infos! {
    GM FF SZ CA AP
    PB PW P1 P2 P3 P4
    BR WR BT WT
    DT EV RO PC SO US AN GN
    RU RE KM HA TM OT TC TT
}

const _: () = assert!(
    Info::ALL.len() <= 32,
    "a `u32` says which of them were found"
);

impl Info {
    /// Names of players.
    pub const PLAYERS: [Self; 6] = [Self::PB, Self::PW, Self::P1, Self::P2, Self::P3, Self::P4];

    /// Returns the `Info` of an identifier, which may be a long name.
    #[inline]
    #[must_use]
    pub fn of(ident: Ident<'_>) -> Option<Self> {
        Self::of_key(Key::of(ident))
    }

    /// Returns the `Info` of an identifier's key.
    #[inline]
    #[must_use]
    pub(crate) fn of_key(key: Key) -> Option<Self> {
        INFOS[key.index()]
    }

    /// Reads the decoded value leniently in `game`. Returns `Unknown` if the property contains only
    /// text.
    #[must_use]
    pub fn read(self, game: Game, text: &str) -> Reading<TypedValue> {
        let definition = Definition::rows(self.ident()).first();
        definition
            .and_then(|definition| definition.read(game, text.as_bytes()))
            .unwrap_or(Reading::Unknown)
    }

    /// Returns whether the property has a meaning in root nodes only.
    #[must_use]
    pub const fn is_root_only(self) -> bool {
        matches!(self, Self::GM | Self::FF | Self::SZ | Self::CA | Self::AP)
    }
}

/// Returns whether an identifier sets up a position in some game: stones, arrows, removed pods, the
/// side to move, and the squares of Octi that contain the first pods (spec O-18).
#[inline]
#[must_use]
pub fn is_setup(ident: Ident<'_>) -> bool {
    is_setup_key(Key::of(ident))
}

/// Returns whether the identifier of `key` sets up a position: see [`is_setup`].
#[must_use]
#[inline]
pub const fn is_setup_key(key: Key) -> bool {
    matches!(
        key,
        Key::AB
            | Key::AW
            | Key::AE
            | Key::AA
            | Key::A1
            | Key::A2
            | Key::A3
            | Key::A4
            | Key::RP
            | Key::PL
            | Key::CO
            | Key::CV
            | Key::DI
            | Key::BO
            | Key::WO
    )
}

static INFOS: [Option<Info>; Key::COUNT] = {
    let mut infos = [None; Key::COUNT];
    let mut at = 0;
    while at < Info::ALL.len() {
        infos[Key::of_id(Info::ALL[at].ident()).index()] = Some(Info::ALL[at]);
        at += 1;
    }
    infos
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveIds;

    #[test]
    fn moves_and_setup_among_them() {
        for &info in Info::ALL {
            let name = format!("{info:?}");
            let ident = Ident::new(name.as_bytes());
            assert_eq!(Info::of(ident), Some(info));
            // `P1`, the second player of Boardspace, is a move there.
            assert_eq!(
                (MoveIds::may_move(Key::of(ident)), is_setup(ident)),
                (info == Info::P1, false),
                "{name}"
            );
        }
    }
}
