//! Storage for properties: one buffer for their bytes, and a record of 16 bytes for each.
//!
//! Records are linked into lists, one for each node of a game tree. The number of a record stays
//! valid when other records are added or unlinked. Bytes are never moved, so replaced bytes take
//! memory until the arena is cleared.
//!
//! The buffer has the bytes of the game as it was read, so the blanks after a part of the game
//! follow it in the buffer. Edits append their bytes behind these. An edit begins with a letter, so
//! that the part before it gets no blanks.

use sgfstream::internal::TextCharset;
use sgfstream::{Framing, Ident, Property};

/// Marks the end of a list: no record.
pub(crate) const NONE: u32 = u32::MAX;

/// The stored properties: their bytes, and a record for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct PropertyArena {
    pub(crate) bytes: Vec<u8>,
    pub(crate) records: Vec<Record>,
    /// The charset of all stored properties.
    pub(crate) texts: TextCharset,
}

/// Location of a property's bytes, and the link to the next record of its list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    start: u32,
    len: u32,
    next: u32,
    /// Length of the identifier. `u16::MAX` stands for that length and any greater one, which must
    /// be counted.
    ident_len: u16,
    framing: Framing,
    /// Whether the property has one value, which is closed and directly follows the identifier.
    is_simple: bool,
}

/// A list of records, as the numbers of its first and last record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl List {
    pub(crate) const EMPTY: Self = Self {
        first: NONE,
        last: NONE,
    };
}

impl PropertyArena {
    /// Removes all records, but keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
        self.texts = TextCharset::default();
    }

    #[inline]
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> u32 {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        start
    }

    /// Returns the blanks that follow a part of the game, if it was read.
    #[inline]
    pub(crate) fn blanks_from(&self, end: u32) -> &[u8] {
        let rest = self.bytes.get(end as usize..).unwrap_or_default();
        let len = rest.iter().take_while(|&&byte| byte <= b' ').count();
        &rest[..len]
    }

    /// Returns the blanks before the `;` that ends at `end`, if they follow a `(`.
    pub(crate) fn blanks_after_parenthesis(&self, end: u32) -> &[u8] {
        let [head @ .., _] = self.bytes.get(..end as usize).unwrap_or_default() else {
            return b"";
        };
        let len = head.iter().rev().take_while(|&&byte| byte <= b' ').count();
        let (head, blanks) = head.split_at(head.len() - len);
        if head.ends_with(b"(") { blanks } else { b"" }
    }

    /// Returns the blanks after a property.
    #[inline]
    pub(crate) fn blanks_after(&self, at: u32) -> &[u8] {
        match self.records.get(at as usize) {
            Some(record) => self.blanks_from(record.start + record.len),
            None => b"",
        }
    }

    /// Appends a record to a list.
    #[inline]
    fn push(&mut self, list: &mut List, record: Record) -> u32 {
        let at = self.records.len() as u32;
        self.records.push(record);
        if list.last == NONE {
            list.first = at;
        } else {
            self.records[list.last as usize].next = at;
        }
        list.last = at;
        at
    }

    /// Appends a property whose bytes are at `start`.
    #[inline]
    pub(crate) fn push_property(
        &mut self,
        list: &mut List,
        property: &Property<'_>,
        start: u32,
    ) -> u32 {
        self.push(list, record_of(property, start))
    }

    /// Appends a property. The blanks after the property before it then follow this one.
    pub(crate) fn add_property(&mut self, list: &mut List, property: &Property<'_>) {
        let blanks = self.blanks_after(list.last).to_vec();
        if !blanks.is_empty() {
            let raw = self.raw(list.last).to_vec();
            self.records[list.last as usize].start = self.keep(&raw);
        }
        let start = self.keep(property.as_bytes());
        self.keep(&blanks);
        self.push_property(list, property, start);
    }

    /// Replaces the property of a record with another.
    pub(crate) fn replace(&mut self, at: u32, property: &Property<'_>) {
        let blanks = self.blanks_after(at).to_vec();
        let start = self.keep(property.as_bytes());
        self.keep(&blanks);
        let old = &mut self.records[at as usize];
        *old = Record {
            next: old.next,
            ..record_of(property, start)
        };
    }

    /// Unlinks the records that `keep` returns false for.
    pub(crate) fn retain(&mut self, list: &mut List, mut keep: impl FnMut(&Self, u32) -> bool) {
        let mut kept = NONE;
        let mut at = list.first;
        while at != NONE {
            let next = self.next(at);
            if keep(self, at) {
                kept = at;
            } else if kept == NONE {
                list.first = next;
            } else {
                self.records[kept as usize].next = next;
            }
            at = next;
        }
        list.last = kept;
    }

    /// Returns the record numbers of a list, in order.
    pub(crate) fn list(&self, list: List) -> impl Iterator<Item = u32> + '_ {
        let some = |at: u32| (at != NONE).then_some(at);
        std::iter::successors(some(list.first), move |&at| some(self.next(at)))
    }

    /// Returns the number of the next record in the list, or [`NONE`].
    #[inline]
    pub(crate) fn next(&self, at: u32) -> u32 {
        self.records
            .get(at as usize)
            .map_or(NONE, |record| record.next)
    }

    #[inline]
    pub(crate) fn raw(&self, at: u32) -> &[u8] {
        let record = &self.records[at as usize];
        &self.bytes[record.start as usize..][..record.len as usize]
    }

    /// Returns the property of a record.
    #[inline]
    pub(crate) fn property(&self, at: u32) -> Option<Property<'_>> {
        let record = self.records.get(at as usize)?;
        let raw = self.raw(at);
        let ident_len = match record.ident_len {
            u16::MAX => raw
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count() as u32,
            len => u32::from(len),
        };
        Some(
            Property::new(raw, ident_len, record.framing, record.is_simple)
                .with_charset(self.texts.charset()),
        )
    }

    /// Returns the identifier of a property.
    #[inline]
    pub(crate) fn ident(&self, at: u32) -> Option<Ident<'_>> {
        let record = self.records.get(at as usize)?;
        match record.ident_len {
            u16::MAX => Some(self.property(at)?.ident()),
            len => Some(Ident::new(&self.raw(at)[..usize::from(len)])),
        }
    }

    /// Closes the last value of a property that the end of input cut.
    #[cold]
    pub(crate) fn close(&mut self, at: u32) {
        let Some(value) = self.property(at).and_then(|property| property.cut_value()) else {
            return;
        };
        let content = self.raw(at).len() - value.as_bytes().len();
        let (kept, end) = value.closing();
        let kept = content + kept.len();
        let mut record = self.records[at as usize];
        if (record.start + record.len) as usize != self.bytes.len() {
            // The arena stored other bytes behind this record, so move the record to the end before
            // it grows.
            let raw = self.raw(at)[..kept].to_vec();
            record.start = self.keep(&raw);
        }
        self.bytes.truncate(record.start as usize + kept);
        self.bytes.extend_from_slice(end.as_bytes());
        record.len = (kept + end.len()) as u32;
        self.records[at as usize] = record;
    }

    /// Returns whether the last value of a property lacks its `]` because the input ended.
    pub(crate) fn is_cut(&self, at: u32) -> bool {
        self.property(at)
            .is_some_and(|property| property.cut_value().is_some())
    }
}

#[inline]
fn record_of(property: &Property<'_>, start: u32) -> Record {
    let len = property.as_bytes().len() as u32;
    let ident_len = u16::try_from(property.ident().as_bytes().len()).unwrap_or(u16::MAX);
    Record {
        start,
        len,
        next: NONE,
        ident_len,
        framing: property.framing(),
        is_simple: property.is_simple(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes: &[u8]) -> (PropertyArena, List) {
        let (mut arena, mut list) = (PropertyArena::default(), List::EMPTY);
        for raw in bytes.split(|&byte| byte == b' ') {
            arena.add_property(&mut list, &Property::from_raw(raw, Framing::Value));
        }
        (arena, list)
    }

    fn shown(arena: &PropertyArena, list: List) -> String {
        let shown = arena
            .list(list)
            .filter_map(|at| arena.property(at))
            .map(|property| property.as_bytes().to_vec());
        String::from_utf8_lossy(&shown.collect::<Vec<_>>().join(&b' ')).into_owned()
    }

    #[test]
    fn records_are_unlinked_at_every_place() {
        for (place, rest) in [(0, "B[2] C[3]"), (1, "A[1] C[3]"), (2, "A[1] B[2]")] {
            let (mut arena, mut list) = kept(b"A[1] B[2] C[3]");
            arena.retain(&mut list, |_, at| at != place);
            assert_eq!(shown(&arena, list), rest);
            arena.retain(&mut list, |_, _| false);
            assert_eq!((list.first, list.last), (NONE, NONE));
            arena.add_property(&mut list, &Property::from_raw(b"Z[]", Framing::Value));
            assert_eq!(shown(&arena, list), "Z[]");
        }
    }

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<Record>() <= 16);
    }
}
