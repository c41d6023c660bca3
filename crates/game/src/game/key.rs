//! Identifiers as numbers: each property's identifier is looked up once, and later compared as a
//! number.

use std::fmt::{self, Write as _};

use sgfstream::Ident;
use sgfstream::record::{GameRecord, Token};

use super::properties::DEFINITIONS;

/// Number of an identifier. Identifiers of one or two characters have a computed index, longer ones
/// a place in the table of properties, and all others share [`OTHER`](Self::OTHER). The number of
/// one or two capitals equals the number of a [`Token::key`].
///
/// ```
/// use sgfstream::Ident;
/// use sgfstream_game::internal::Key;
///
/// assert_eq!(Key::of(Ident::new(b"AddBlack")), Key::AB);
/// assert_eq!(Key::of(Ident::new(b"UNHEARD")), Key::OTHER);
/// assert_ne!(Key::of(Ident::new(b"ZZ")), Key::OTHER);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u16);

/// First number after the identifiers of one or two capitals, which have five bits each.
const CAPITALS: u16 = 27 << 5;

/// Number after those that begin with a digit, with another digit or capital or none.
const DIGITS: u16 = CAPITALS + 10 * 37;

/// First number after the identifiers of a capital and a digit, the last ones of one or two
/// characters.
const SHORT: usize = DIGITS as usize + 26 * 10;

/// Longer identifiers of the table, in its order.
const LONG: [&str; 19] = [
    "BLUE",
    "GREEN",
    "KGSDE",
    "KGSSB",
    "KGSSW",
    "KTV",
    "LZ2",
    "LZOP",
    "LZOP2",
    "MULTIGOGM",
    "OGSC",
    "PLYO",
    "PNV",
    "QPR",
    "QSLW",
    "RED",
    "SBKV",
    "VNWR",
    "YELLOW",
];

impl Key {
    /// Number of keys: each key is an index below it.
    pub const COUNT: usize = SHORT + LONG.len() + 1;

    /// Key of all identifiers that are neither short nor in the table of properties.
    pub const OTHER: Self = Self((Self::COUNT - 1) as u16);

    /// Returns the key of an identifier, which may be a long name.
    #[must_use]
    #[inline]
    pub fn of(ident: Ident<'_>) -> Self {
        match short(ident.as_bytes()) {
            Some(key) => key,
            None => Self::of_long(ident),
        }
    }

    /// Returns the key of a property in a game. Mostly its token has the key.
    #[must_use]
    #[inline(always)]
    pub fn of_token(game: &GameRecord<'_>, token: Token) -> Self {
        match token.key() {
            Some(key) => Self(key),
            None => Self::of(game.property(token).ident()),
        }
    }

    #[cold]
    fn of_long(ident: Ident<'_>) -> Self {
        Self::of_id(&ident.canonical())
    }

    /// Returns the key of a canonical identifier.
    #[must_use]
    #[inline]
    pub const fn of_id(id: &[u8]) -> Self {
        if let Some(key) = short(id) {
            return key;
        }
        let mut at = 0;
        while at < LONG.len() {
            if is_same(LONG[at].as_bytes(), id) {
                return Self((SHORT + at) as u16);
            }
            at += 1;
        }
        Self::OTHER
    }

    /// Iterates over all keys in the order of their indices; [`OTHER`](Self::OTHER) is the last.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u16)
            .map(Self)
            .filter(|key| Self::of_id(key.to_string().as_bytes()) == *key)
    }

    /// Returns an index below [`COUNT`](Self::COUNT).
    #[must_use]
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Prints the identifier, or `(other)` for [`OTHER`](Key::OTHER).
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let capital = |bits: u16| char::from(b'@' + bits as u8);
        let digit = |number: u16| char::from(b'0' + number as u8);
        let (first, second) = if self.0 < CAPITALS {
            (
                capital(self.0 >> 5),
                (self.0 & 31)
                    .checked_sub(1)
                    .map(|second| capital(second + 1)),
            )
        } else if self.0 < DIGITS {
            let (first, second) = ((self.0 - CAPITALS) / 37, (self.0 - CAPITALS) % 37);
            let second = match second.checked_sub(1) {
                Some(number @ ..10) => Some(digit(number)),
                Some(letter) => Some(capital(letter - 9)),
                None => None,
            };
            (digit(first), second)
        } else if self.index() < SHORT {
            let number = self.0 - DIGITS;
            (capital(number / 10 + 1), Some(digit(number % 10)))
        } else {
            return f.write_str(LONG.get(self.index() - SHORT).unwrap_or(&"(other)"));
        };
        f.write_char(first)?;
        second.map_or(Ok(()), |second| f.write_char(second))
    }
}

impl Default for Key {
    fn default() -> Self {
        Self::OTHER
    }
}

#[inline]
const fn short(id: &[u8]) -> Option<Key> {
    const fn capital(letter: u8) -> u16 {
        (letter & 31) as u16
    }
    const fn digit(byte: u8) -> u16 {
        (byte - b'0') as u16
    }
    Some(Key(match *id {
        [first @ b'A'..=b'Z'] => capital(first) << 5,
        [first @ b'A'..=b'Z', second @ b'A'..=b'Z'] => capital(first) << 5 | capital(second),
        [first @ b'A'..=b'Z', second @ b'0'..=b'9'] => {
            DIGITS + (capital(first) - 1) * 10 + digit(second)
        }
        [first @ b'0'..=b'9'] => CAPITALS + digit(first) * 37,
        [first @ b'0'..=b'9', second @ b'0'..=b'9'] => {
            CAPITALS + digit(first) * 37 + digit(second) + 1
        }
        [first @ b'0'..=b'9', second @ b'A'..=b'Z'] => {
            CAPITALS + digit(first) * 37 + capital(second) + 10
        }
        _ => return None,
    }))
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

const _: () = {
    let mut row = 0;
    while row < DEFINITIONS.len() {
        assert!(
            Key::of_id(DEFINITIONS[row].id.as_bytes()).0 != Key::OTHER.0,
            "a long identifier is missing in `LONG`"
        );
        row += 1;
    }
};

macro_rules! keys {
    ($($name:ident)*) => {
        impl Key {
            $(#[doc = concat!("`", stringify!($name), "`")] pub const $name: Self = Self::of_id(stringify!($name).as_bytes());)*
        }
    };
}

keys! {
    A1 A2 A3 A4 AA AB AE AN AP AR AS AW B BM BO BR BT C CA CO CP CR CV DD DI DM DO DT EV FF GB GC GM GN GW HA IP IS IT
    KM KO LB LC LN LT MA N ON OT P0 P1 P2 P3 P4 PB PC PL PM PW RD RE RO RP RU SL SO SQ ST SU SZ TB TE TM TR TW UC US VW W
    WO WR WT XB XP XS XV
}

impl Key {
    /// `5A`: the number of fifth moves on offer.
    pub(crate) const FIFTH_MOVES: Self = Self::of_id(b"5A");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_the_number_of_what_it_shows() {
        for key in Key::all() {
            assert_eq!(Key::of_id(key.to_string().as_bytes()), key, "{key}");
        }
    }
}
