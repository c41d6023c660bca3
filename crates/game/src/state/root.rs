//! Buffers the properties of a root node until the node ends, because their meaning depends on the game and the
//! charset, which the root may declare after them.

use crate::game::{Key, MoveIds};
use sgfstream::{Framing, Property, RawValue};

use super::Info;
use super::info::is_setup_key;

/// Limit in bytes for the moves and setup of a root node. Beyond it, the root ends early, and the game is the one known
/// so far. Other properties have the same limit of their own ([`RootRetention::All`]).
pub(crate) const ROOT_MAX: usize = 1 << 20;

/// Limit in bytes for all values of [`Info`] of one root together, beside the first 4096 bytes of each.
pub const VALUES_MAX: usize = 1 << 20;

/// Bytes of each value that are kept whatever the length of the other values, so that no long text displaces GM or SZ.
const VALUE_MIN: usize = 4096;

/// Properties of a root node that a [`GameState`](super::GameState) buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RootRetention {
    /// The values of [`Info`]. The moves of a root are not available.
    Values,
    /// The moves only.
    Moves,
    /// Moves, setup, and the values of [`Info`].
    #[default]
    Line,
    /// All properties, and the values of [`Info`].
    All,
}

/// Properties of one root node.
#[derive(Clone, Debug, Default)]
pub(super) struct Root {
    bytes: Vec<u8>,
    properties: Vec<PropertyRange>,
    /// Number of properties up to the last one that may be a move. Most roots have none.
    moves_end: usize,
    /// Bytes of `bytes` for moves and setup (`line_len`) and for other properties (`other_len`).
    line_len: usize,
    other_len: usize,
    values_len: usize,
    /// Whether the caller buffers whole games, so that the root has no limit.
    pub(super) is_whole: bool,
    /// Bits of the values that were found.
    found: u32,
    /// Ranges of these values.
    values: [Value; Info::ALL.len()],
}

/// Range of a property in `bytes`.
#[derive(Clone, Copy, Debug)]
struct PropertyRange {
    start: u32,
    end: u32,
    ident_len: u32,
    framing: Framing,
}

/// Range of a value in `bytes`.
#[derive(Clone, Copy, Debug, Default)]
struct Value {
    start: u32,
    end: u32,
    framing: Framing,
}

/// Result of giving a property to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RootInsertion {
    Held,
    NotWanted,
    /// The property may be a move or setup, but the buffer is full.
    Full,
}

impl Root {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.properties.clear();
        self.moves_end = 0;
        (self.line_len, self.other_len, self.values_len) = (0, 0, 0);
        self.found = 0;
    }

    /// Buffers a property, if `hold` asks for it.
    pub(super) fn put(&mut self, property: &Property<'_>, key: Key, hold: RootRetention) -> RootInsertion {
        let ident = property.ident();
        let in_line = is_held_in_line(key, hold);
        if !in_line && hold != RootRetention::All {
            return RootInsertion::NotWanted;
        }
        let bytes = property.as_bytes();
        let taken = if in_line { &mut self.line_len } else { &mut self.other_len };
        let len = *taken + bytes.len() + size_of::<PropertyRange>();
        if len > ROOT_MAX && !self.is_whole {
            return if in_line { RootInsertion::Full } else { RootInsertion::NotWanted };
        }
        *taken = len;
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        let (end, ident_len) = (self.bytes.len() as u32, ident.as_bytes().len() as u32);
        self.properties.push(PropertyRange { start, end, ident_len, framing: property.framing() });
        if MoveIds::may_move(key) {
            self.moves_end = self.properties.len();
        }
        RootInsertion::Held
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

    /// Returns the value of a property, if it was found.
    pub(super) fn value(&self, info: Info) -> Option<RawValue<'_>> {
        if self.found & 1 << info as u32 == 0 {
            return None;
        }
        let Value { start, end, framing } = self.values[info as usize];
        Some(RawValue::new(&self.bytes[start as usize..end as usize], framing))
    }

    /// Returns the buffered properties up to the last one that may be a move.
    pub(super) fn possible_moves(&self) -> impl Iterator<Item = Property<'_>> {
        self.properties().take(self.moves_end)
    }

    /// Returns the buffered properties, in the order of the input.
    pub(super) fn properties(&self) -> impl Iterator<Item = Property<'_>> {
        self.properties.iter().map(|held| {
            Property::new(&self.bytes[held.start as usize..held.end as usize], held.ident_len, held.framing, false)
        })
    }
}

/// Returns whether a property may be a move or setup that `hold` asks for.
#[inline]
pub(super) fn is_held_in_line(key: Key, hold: RootRetention) -> bool {
    hold != RootRetention::Values && MoveIds::may_move(key) || hold >= RootRetention::Line && is_setup_key(key)
}
