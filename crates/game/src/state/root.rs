//! The properties of a root node, held until the node ends: the game and the
//! charset that decide what they mean may be stated after them.

use crate::game::{Key, MoveIds};
use sgfstream::{Framing, Ident, Property, RawValue};

use super::Info;
use super::info::is_setup_key;

/// Bytes of moves and setup that a root node may have before the game is taken
/// for what it is known as. Other properties may take as much again
/// ([`RootRetention::All`]).
pub(crate) const ROOT_MAX: usize = 1 << 20;

/// Bytes of the values of [`Info`] of one root that are kept, all together, beside the first 4096 of each.
pub const VALUES_MAX: usize = 1 << 20;

/// Bytes of each value that are kept whatever the other values take, so that no long text keeps GM or SZ out.
const VALUE_MIN: usize = 4096;

/// Properties of a root node that a [`GameState`](super::GameState) holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RootRetention {
    /// The values of [`Info`]. The moves of a root are not known.
    Values,
    /// The moves.
    Moves,
    /// Moves, setup, and the values of [`Info`].
    #[default]
    Line,
    /// All properties, and the values of [`Info`].
    All,
}

/// The properties of one root node.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    bytes: Vec<u8>,
    properties: Vec<Held>,
    /// Bytes of them that moves and setup take, and that others take.
    line_len: usize,
    other_len: usize,
    values_len: usize,
    /// The root is held whole, because its game is.
    pub(super) is_whole: bool,
    /// Which values were found: a bit each.
    found: u32,
    /// Where they are.
    values: [Value; Info::ALL.len()],
}

/// A property in `bytes`.
#[derive(Clone, Copy, Debug)]
struct Held {
    start: u32,
    end: u32,
    ident_len: u32,
    framing: Framing,
}

/// A value in `bytes`.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    start: u32,
    end: u32,
    framing: Framing,
}

/// Result of giving a property to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Put {
    Held,
    NotWanted,
    /// It may be a move or setup, and there is no space for it.
    Full,
}

impl Root {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.properties.clear();
        (self.line_len, self.other_len, self.values_len) = (0, 0, 0);
        self.found = 0;
    }

    /// Holds a property, if `hold` asks for it.
    pub(super) fn put(&mut self, property: &Property<'_>, key: Key, hold: RootRetention) -> Put {
        let ident = property.ident();
        let in_line = is_held_in_line(ident, key, hold);
        if !in_line && hold != RootRetention::All {
            return Put::NotWanted;
        }
        let bytes = property.as_bytes();
        let taken = if in_line { &mut self.line_len } else { &mut self.other_len };
        let len = *taken + bytes.len() + size_of::<Held>();
        if len > ROOT_MAX && !self.is_whole {
            return if in_line { Put::Full } else { Put::NotWanted };
        }
        *taken = len;
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        let (end, ident_len) = (self.bytes.len() as u32, ident.as_bytes().len() as u32);
        self.properties.push(Held { start, end, ident_len, framing: property.framing() });
        Put::Held
    }

    /// Keeps a value, if it is the first of its property.
    pub(super) fn put_value(&mut self, info: Info, value: RawValue<'_>) {
        let bit = 1 << info as u32;
        if self.found & bit != 0 {
            return;
        }
        self.found |= bit;
        let kept = match self.is_whole {
            true => value.as_bytes(),
            false => value.prefix(VALUE_MIN + VALUES_MAX - self.values_len),
        };
        self.values_len += kept.len().saturating_sub(VALUE_MIN);
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(kept);
        self.values[info as usize] = Value { start, end: self.bytes.len() as u32, framing: value.framing() };
    }

    /// The value of a property, if there is one.
    pub(super) fn value(&self, info: Info) -> Option<RawValue<'_>> {
        if self.found & 1 << info as u32 == 0 {
            return None;
        }
        let Value { start, end, framing } = self.values[info as usize];
        Some(RawValue::new(&self.bytes[start as usize..end as usize], framing))
    }

    /// The properties, in the order of the input.
    pub(super) fn properties(&self) -> impl Iterator<Item = Property<'_>> {
        self.properties.iter().map(|held| {
            Property::new(&self.bytes[held.start as usize..held.end as usize], held.ident_len, held.framing, false)
        })
    }
}

/// True if a property may be a move or setup and `hold` asks for that.
pub(super) fn is_held_in_line(ident: Ident<'_>, key: Key, hold: RootRetention) -> bool {
    hold != RootRetention::Values && MoveIds::may_move(ident) || hold >= RootRetention::Line && is_setup_key(key)
}
