//! The properties of a root that columns are made of, each with its slot.

use sgfstream::event::Ident;

use super::ColumnSet;
use super::game_row::at;

/// The root properties that columns are made of, in the order of
/// [`ROOT_IDENTS`].
pub(super) const ROOT_SLOTS: usize = 28;

const ROOT_IDENTS: [&[u8]; ROOT_SLOTS] = [
    b"GM", b"FF", b"SZ", b"AP", b"PB", b"PW", b"P1", b"P2", b"P3", b"P4", b"BR", b"WR", b"BT", b"WT", b"DT", b"EV",
    b"RO", b"PC", b"SO", b"US", b"AN", b"GN", b"RU", b"RE", b"KM", b"HA", b"TM", b"OT",
];

pub(super) const GM: usize = 0;
pub(super) const FF: usize = 1;
pub(super) const SZ: usize = 2;

/// Which slots a set of columns needs.
pub(super) fn slots_of(columns: ColumnSet) -> u32 {
    let wanted = |columns_of_slot: &[usize]| columns_of_slot.iter().any(|&at| columns.contains_index(at));
    let needs: [&[usize]; ROOT_SLOTS] = [
        &[at::gm, at::variant],
        &[at::ff],
        &[at::columns, at::rows],
        &[at::app],
        &[at::pb],
        &[at::pw],
        &[at::p1],
        &[at::p2],
        &[at::p3],
        &[at::p4],
        &[at::br, at::br_level],
        &[at::wr, at::wr_level],
        &[at::bt],
        &[at::wt],
        &[at::dt, at::date_min, at::date_max],
        &[at::ev],
        &[at::ro],
        &[at::pc],
        &[at::so],
        &[at::us],
        &[at::an],
        &[at::gn],
        &[at::ru],
        &[at::re, at::winner, at::win_by, at::margin],
        &[at::km],
        &[at::ha],
        &[at::tm],
        &[at::ot],
    ];
    // What game it is decides what everything else means.
    needs.iter().enumerate().fold(1 << GM | 1 << SZ, |mask, (slot, needs)| mask | u32::from(wanted(needs)) << slot)
}

/// The identifiers as numbers: one look finds one of them.
const KEYS: [u16; ROOT_SLOTS] = {
    let mut keys = [0; ROOT_SLOTS];
    let mut slot = 0;
    while slot < ROOT_SLOTS {
        keys[slot] = u16::from_le_bytes([ROOT_IDENTS[slot][0], ROOT_IDENTS[slot][1]]);
        slot += 1;
    }
    keys
};

/// The slot of a property, if columns are made of it.
#[inline]
pub(super) fn slot_of(ident: Ident<'_>) -> Option<usize> {
    let bytes = ident.as_bytes();
    if let &[first, second] = bytes {
        let key = u16::from_le_bytes([first, second]);
        return KEYS.iter().position(|slot| *slot == key);
    }
    if bytes.len() > 2 { ROOT_IDENTS.iter().position(|slot| ident.is(slot)) } else { None }
}
