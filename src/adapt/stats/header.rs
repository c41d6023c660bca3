//! What a game says of itself, kept until its charset and its dialect are
//! known: both may stand behind it.

use crate::base::Charset;
use crate::event::{Ident, RawValue};
use crate::scan::Framing;

/// Longest value that is kept whole.
const LONGEST: usize = 512;

/// One row a property: the canonical identifier, and whether it counts in the
/// root only.
macro_rules! slots {
    ($($name:ident $ident:literal $root_only:literal)*) => {
        /// A property that is kept.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Slot { $($name,)* }

        const SLOTS: usize = [$($ident,)*].len();

        impl Slot {
            /// The slot of an identifier of two capital letters.
            #[inline]
            pub(super) fn of(ident: &[u8]) -> Option<Self> {
                $(const $name: &[u8] = $ident;)*
                match ident {
                    $($name => Some(Self::$name),)*
                    _ => None,
                }
            }

            fn is_root_only(self) -> bool {
                match self { $(Self::$name => $root_only,)* }
            }
        }
    };
}

slots! {
    GM b"GM" true
    FF b"FF" true
    SZ b"SZ" true
    CA b"CA" true
    AP b"AP" true
    DT b"DT" false
    RE b"RE" false
    KM b"KM" false
    HA b"HA" false
    PB b"PB" false
    PW b"PW" false
    BR b"BR" false
    WR b"WR" false
    EV b"EV" false
    RU b"RU" false
    TM b"TM" false
    OT b"OT" false
}

/// The first value of each such property of a game.
#[derive(Clone, Debug)]
pub(super) struct Header {
    text: Vec<u8>,
    found: [Option<(usize, usize, Framing)>; SLOTS],
    pub(super) charset: Charset,
}

impl Default for Header {
    fn default() -> Self {
        Self { text: Vec::new(), found: [None; SLOTS], charset: Charset::AUTO }
    }
}

impl Header {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.found = [None; SLOTS];
    }

    /// Keeps a value, if it is the first of its property and stands where it
    /// counts.
    pub(super) fn keep(&mut self, ident: Ident<'_>, value: RawValue<'_>, in_root: bool) {
        let slot = match ident.as_bytes() {
            short @ [_, _] => Slot::of(short),
            long if long.len() > 2 && ident.has_lowercase() => Slot::of(&ident.canonical()),
            _ => None,
        };
        let Some(slot) = slot.filter(|slot| in_root || !slot.is_root_only()) else { return };
        let found = &mut self.found[slot as usize];
        if found.is_none() {
            let start = self.text.len();
            let bytes = value.as_bytes();
            self.text.extend_from_slice(&bytes[..bytes.len().min(LONGEST)]);
            *found = Some((start, self.text.len(), value.framing()));
        }
    }

    /// The value of a property, if the game has it.
    pub(super) fn get(&self, slot: Slot) -> Option<RawValue<'_>> {
        let (start, end, framing) = self.found[slot as usize]?;
        Some(RawValue::new(&self.text[start..end], framing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_values_where_they_count() {
        let mut header = Header::default();
        for (ident, value, in_root) in [
            ("GaMe", "1", true),
            ("GM", "2", true),
            ("SZ", "9", false),
            ("Game", "3", true),
            ("PlayerBlack", "x", false),
            ("C", "long", true),
        ] {
            header.keep(Ident::new(ident.as_bytes()), RawValue::new(value.as_bytes(), Framing::Value), in_root);
        }
        let get = |slot| header.get(slot).map(|value: RawValue<'_>| value.as_bytes());
        assert_eq!((get(Slot::GM), get(Slot::SZ), get(Slot::PB)), (Some(&b"1"[..]), None, Some(&b"x"[..])));
        header.keep(Ident::new(b"EV"), RawValue::new(&[b'e'; 1 << 20], Framing::Value), true);
        assert_eq!(header.get(Slot::EV).map(|value| value.as_bytes().len()), Some(LONGEST));
        header.clear();
        assert!(header.get(Slot::GM).is_none());
    }
}
