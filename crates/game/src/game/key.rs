//! Identifiers as numbers: each property's identifier is looked up once, and later compared as a number.

use std::fmt::{self, Write as _};

use sgfstream::Ident;

use super::properties::DEFINITIONS;

/// Number of an identifier. Identifiers of one or two characters have a computed index, longer ones a place in the
/// table of properties, and all others share [`OTHER`](Self::OTHER).
///
/// ```
/// use sgfstream::Ident;
/// use sgfstream_game::Key;
///
/// assert_eq!(Key::of(Ident::new(b"AddBlack")), Key::AB);
/// assert_eq!(Key::of(Ident::new(b"UNHEARD")), Key::OTHER);
/// assert_ne!(Key::of(Ident::new(b"ZZ")), Key::OTHER);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(u16);

/// Number of possible identifiers of one or two characters, which are digits and capitals.
const SHORT: usize = 36 * 37;

/// Longer identifiers of the table, in its order.
const LONG: [&str; 12] =
    ["BLUE", "GREEN", "KTV", "LZ2", "LZOP", "LZOP2", "MULTIGOGM", "QPR", "QSLW", "RED", "SBKV", "YELLOW"];

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
        (0..Self::COUNT as u16).map(Self)
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
        let symbol = |at: u16| char::from(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[usize::from(at)]);
        match (self.0 / 37, self.0 % 37) {
            _ if self.index() >= SHORT => f.write_str(LONG.get(self.index() - SHORT).unwrap_or(&"(other)")),
            (first, 0) => f.write_char(symbol(first)),
            (first, second) => write!(f, "{}{}", symbol(first), symbol(second - 1)),
        }
    }
}

impl Default for Key {
    fn default() -> Self {
        Self::OTHER
    }
}

const fn short(id: &[u8]) -> Option<Key> {
    let number = match *id {
        [first] => match character(first) {
            Some(first) => first * 37,
            None => return None,
        },
        [first, second] => match (character(first), character(second)) {
            (Some(first), Some(second)) => first * 37 + second + 1,
            _ => return None,
        },
        _ => return None,
    };
    Some(Key(number))
}

/// Converts a digit or capital to 0 to 35.
#[inline]
const fn character(byte: u8) -> Option<u16> {
    match byte {
        b'0'..=b'9' => Some((byte - b'0') as u16),
        b'A'..=b'Z' => Some((byte - b'A') as u16 + 10),
        _ => None,
    }
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
        assert!(Key::of_id(DEFINITIONS[row].id.as_bytes()).0 != Key::OTHER.0, "a long identifier is missing in `LONG`");
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
    KM KO LB LN LT MA ON OT P0 P1 P2 P3 P4 PB PC PL PM PW RE RO RP RU SL SO SQ ST SU SZ TB TE TM TR TW UC US VW W WO WR
    WT XB XP XS XV
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
