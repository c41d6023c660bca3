//! Storage for properties, pieces of properties and gaps: one buffer for their bytes, and a record of 24 bytes for each.
//!
//! Records are linked into lists. A game tree has one list for each node; the rewriter has one list for the current node.
//! The number of a record stays valid when other records are added or unlinked. Bytes are never moved, so replaced bytes
//! take memory until the arena is cleared.

use sgfstream::{Charset, Event, Framing, Ident, Property, PropertyPart};

/// Marks the end of a list: no record.
pub(crate) const NONE: u32 = u32::MAX;

/// The stored events: their bytes, and a record for each.
#[derive(Clone, Debug)]
pub(crate) struct EventArena {
    pub(crate) bytes: Vec<u8>,
    pub(crate) records: Vec<Record>,
    /// The charset of all stored events.
    pub(crate) charset: Charset,
    /// Details of the stored pieces of properties, each with the number of its record, in ascending order. They are a
    /// separate list because pieces are rare.
    parts: Vec<(u32, PartHead)>,
}

/// Location of an event's bytes, and the link to the next record of its list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    start: u64,
    len: u64,
    next: u32,
    /// Length of the identifier. `u16::MAX` stands for that length and any greater one, which must be counted.
    ident_len: u16,
    framing: Framing,
    kind: RecordKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordKind {
    Property,
    /// A property whose one value is closed and directly follows the identifier.
    SimpleProperty,
    Part,
    Gap,
}

/// A piece of a property without its bytes.
#[derive(Clone, Copy, Debug)]
struct PartHead {
    ident: (u64, u64),
    part: PropertyPart<'static>,
}

impl PartHead {
    /// Returns whether this is the first piece of its property.
    fn is_start(&self) -> bool {
        self.part.is_property_start()
    }

    fn set_content_start(&mut self, content_start: u32) {
        self.part = self.part.with_bytes(Ident::new(b""), b"", content_start);
    }
}

/// A list of records, as the numbers of its first and last record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct List {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl List {
    pub(crate) const EMPTY: Self = Self { first: NONE, last: NONE };
}

impl Default for EventArena {
    fn default() -> Self {
        Self { bytes: Vec::new(), records: Vec::new(), charset: Charset::AUTO, parts: Vec::new() }
    }
}

impl EventArena {
    /// Removes all records, but keeps the allocated memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
        self.parts.clear();
        self.charset = Charset::AUTO;
    }

    #[inline]
    fn keep(&mut self, bytes: &[u8]) -> (u64, u64) {
        let start = self.bytes.len() as u64;
        self.bytes.extend_from_slice(bytes);
        (start, bytes.len() as u64)
    }

    #[inline]
    fn record(&mut self, raw: &[u8], ident_len: usize, framing: Framing, kind: RecordKind) -> Record {
        let (start, len) = self.keep(raw);
        Record { start, len, next: NONE, ident_len: u16::try_from(ident_len).unwrap_or(u16::MAX), framing, kind }
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

    /// Appends a property.
    #[inline]
    pub(crate) fn push_property(&mut self, list: &mut List, property: &Property<'_>) -> u32 {
        let record = self.property_record(property);
        self.push(list, record)
    }

    #[inline]
    fn property_record(&mut self, property: &Property<'_>) -> Record {
        let kind = if property.is_simple() { RecordKind::SimpleProperty } else { RecordKind::Property };
        self.record(property.as_bytes(), property.ident().as_bytes().len(), property.framing(), kind)
    }

    /// Appends a piece of a property.
    pub(crate) fn push_part(&mut self, list: &mut List, part: &PropertyPart<'_>) -> u32 {
        let ident = self.keep(part.ident().as_bytes());
        let record = self.record(part.as_bytes(), 0, part.framing(), RecordKind::Part);
        let at = self.push(list, record);
        let part = part.with_bytes(Ident::new(b""), b"", part.content_start());
        self.parts.push((at, PartHead { ident, part }));
        at
    }

    /// Appends bytes that belong to no property.
    pub(crate) fn push_gap(&mut self, list: &mut List, bytes: &[u8]) -> u32 {
        let record = self.record(bytes, 0, Framing::Value, RecordKind::Gap);
        self.push(list, record)
    }

    /// Returns whether this record is a gap and its bytes are the last in the buffer, so that it can be
    /// [extended](Self::extend).
    pub(crate) fn ends_with_gap(&self, at: u32) -> bool {
        let ends = |record: &Record| record.start + record.len == self.bytes.len() as u64;
        self.records.get(at as usize).is_some_and(|record| record.kind == RecordKind::Gap && ends(record))
    }

    /// Appends bytes to the record whose bytes are the last in the buffer.
    pub(crate) fn extend(&mut self, at: u32, bytes: &[u8]) {
        let (_, len) = self.keep(bytes);
        self.records[at as usize].len += len;
    }

    /// Appends a copy of a record from another arena.
    pub(crate) fn push_copy(&mut self, list: &mut List, other: &Self, at: u32) -> u32 {
        match other.event(at) {
            Some(Event::Property(property)) => self.push_property(list, &property),
            Some(Event::PropertyPart(part)) => self.push_part(list, &part),
            Some(Event::Gap(bytes)) => self.push_gap(list, bytes),
            _ => NONE,
        }
    }

    /// Inserts a property before the record `before`, or at the end of the list.
    pub(crate) fn insert(&mut self, list: &mut List, before: Option<u32>, property: &Property<'_>) -> u32 {
        let before = before.unwrap_or(NONE);
        let previous = self.list(*list).take_while(|&at| at != before).last().unwrap_or(NONE);
        let record = self.property_record(property);
        let at = self.records.len() as u32;
        self.records.push(Record { next: before, ..record });
        match previous {
            NONE => list.first = at,
            previous => self.records[previous as usize].next = at,
        }
        if before == NONE {
            list.last = at;
        }
        at
    }

    /// Replaces the property of a record with another.
    pub(crate) fn replace(&mut self, at: u32, property: &Property<'_>) {
        let record = self.property_record(property);
        let old = &mut self.records[at as usize];
        *old = Record { next: old.next, ..record };
    }

    /// Replaces the bytes of a gap or of a piece of a property. The content of the piece begins at `content_start`.
    pub(crate) fn replace_bytes(&mut self, at: u32, bytes: &[u8], framing: Framing, content_start: u32) {
        let (start, len) = self.keep(bytes);
        let old = &mut self.records[at as usize];
        *old = Record { start, len, framing, ..*old };
        if let Some(part) = self.part_mut(at) {
            part.set_content_start(content_start);
        }
    }

    /// Renames a property, or the property that a piece belongs to.
    pub(crate) fn rename(&mut self, at: u32, ident: &[u8]) {
        let Some(old_len) = self.ident(at).map(|ident| ident.as_bytes().len()) else { return };
        let record = self.records[at as usize];
        let part = self.part(at).copied();
        let is_written = part.is_none_or(|part| part.is_start());
        let renamed = is_written.then(|| [ident, &self.raw(at)[old_len..]].concat());
        if let Some(part) = part {
            let kept = self.keep(ident);
            let part_mut = self.part_mut(at).expect("it was found above");
            part_mut.ident = kept;
            if is_written {
                part_mut.set_content_start(part.part.content_start() - old_len as u32 + ident.len() as u32);
            }
        }
        if let Some(renamed) = renamed {
            let (start, len) = self.keep(&renamed);
            let ident_len = u16::try_from(ident.len()).unwrap_or(u16::MAX);
            self.records[at as usize] = Record { start, len, ident_len, ..record };
        }
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
        self.records.get(at as usize).map_or(NONE, |record| record.next)
    }

    #[inline]
    fn slice(&self, (start, len): (u64, u64)) -> &[u8] {
        &self.bytes[start as usize..(start + len) as usize]
    }

    #[inline]
    fn raw(&self, at: u32) -> &[u8] {
        let record = &self.records[at as usize];
        self.slice((record.start, record.len))
    }

    fn part(&self, at: u32) -> Option<&PartHead> {
        let found = self.parts.binary_search_by_key(&at, |(record, _)| *record).ok()?;
        Some(&self.parts[found].1)
    }

    fn part_mut(&mut self, at: u32) -> Option<&mut PartHead> {
        let found = self.parts.binary_search_by_key(&at, |(record, _)| *record).ok()?;
        Some(&mut self.parts[found].1)
    }

    /// Returns the event of a record.
    #[inline]
    pub(crate) fn event(&self, at: u32) -> Option<Event<'_>> {
        match self.records.get(at as usize)?.kind {
            RecordKind::Gap => Some(Event::Gap(self.raw(at))),
            RecordKind::Part => self.property_part(at).map(Event::PropertyPart),
            _ => self.property(at).map(Event::Property),
        }
    }

    /// Returns the property of a record, or `None` if the record is a gap or a piece of a property.
    #[inline]
    pub(crate) fn property(&self, at: u32) -> Option<Property<'_>> {
        let record = self.records.get(at as usize)?;
        let simple = match record.kind {
            RecordKind::Property => false,
            RecordKind::SimpleProperty => true,
            RecordKind::Part | RecordKind::Gap => return None,
        };
        let raw = self.raw(at);
        let ident_len = match record.ident_len {
            u16::MAX => raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count() as u32,
            len => u32::from(len),
        };
        Some(Property::new(raw, ident_len, record.framing, simple).with_charset(self.charset))
    }

    /// Returns the piece of a property that a record stores.
    pub(crate) fn property_part(&self, at: u32) -> Option<PropertyPart<'_>> {
        let &PartHead { ident, part } = self.part(at)?;
        let record = self.records.get(at as usize)?;
        let part = part.with_bytes(Ident::new(self.slice(ident)), self.raw(at), part.content_start());
        Some(part.read_as(record.framing, self.charset))
    }

    /// Returns whether the record is a gap: bytes outside of properties.
    #[inline]
    pub(crate) fn is_gap(&self, at: u32) -> bool {
        self.records.get(at as usize).is_none_or(|record| record.kind == RecordKind::Gap)
    }

    /// Returns the identifier of a property, or of the property that a piece belongs to.
    #[inline]
    pub(crate) fn ident(&self, at: u32) -> Option<Ident<'_>> {
        let record = self.records.get(at as usize)?;
        match record.kind {
            RecordKind::Gap => None,
            RecordKind::Part => Some(Ident::new(self.slice(self.part(at)?.ident))),
            _ if record.ident_len == u16::MAX => Some(self.property(at)?.ident()),
            _ => Some(Ident::new(self.slice((record.start, u64::from(record.ident_len))))),
        }
    }

    /// Closes the last value of a property or piece that the end of input cut.
    #[cold]
    pub(crate) fn close(&mut self, at: u32) {
        let Some((event, value)) = self.event(at).and_then(|event| Some((event, event.cut_value()?))) else { return };
        let content = match event {
            Event::PropertyPart(part) => part.content_start() as usize,
            _ => self.raw(at).len() - value.as_bytes().len(),
        };
        let (kept, end) = value.closing();
        let kept = content + kept.len();
        let mut record = self.records[at as usize];
        if record.start + record.len < self.bytes.len() as u64 {
            // The arena stored other bytes behind this record, so move the record to the end before it grows.
            let raw = self.raw(at)[..kept].to_vec();
            record.start = self.keep(&raw).0;
        }
        self.bytes.truncate(record.start as usize + kept);
        self.bytes.extend_from_slice(end.as_bytes());
        record.len = (kept + end.len()) as u64;
        self.records[at as usize] = record;
        if let Some(part) = self.part_mut(at) {
            part.part = part.part.with_end();
        }
    }

    /// Returns whether the last value of a property or piece lacks its `]` because the input ended.
    pub(crate) fn is_cut(&self, at: u32) -> bool {
        self.event(at).is_some_and(|event| event.cut_value().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(bytes: &[u8]) -> (EventArena, List) {
        let (mut arena, mut list) = (EventArena::default(), List::EMPTY);
        for raw in bytes.split(|&byte| byte == b' ') {
            arena.push_property(&mut list, &Property::from_raw(raw, Framing::Value));
        }
        (arena, list)
    }

    fn shown(arena: &EventArena, list: List) -> String {
        let shown = arena.list(list).filter_map(|at| arena.property(at)).map(|property| property.as_bytes().to_vec());
        String::from_utf8_lossy(&shown.collect::<Vec<_>>().join(&b' ')).into_owned()
    }

    #[test]
    fn a_list_is_edited_at_every_place() {
        for (place, with_new) in [(0, "N[x] A[1] B[2] C[3]"), (1, "A[1] N[x] B[2] C[3]"), (3, "A[1] B[2] C[3] N[x]")] {
            let (mut arena, mut list) = kept(b"A[1] B[2] C[3]");
            let before = arena.list(list).nth(place);
            let made = arena.insert(&mut list, before, &Property::from_raw(b"N[x]", Framing::Value));
            assert_eq!(shown(&arena, list), with_new);
            arena.rename(made, b"NEW");
            assert_eq!(shown(&arena, list), with_new.replace('N', "NEW"));
            arena.retain(&mut list, |_, at| at == made);
            assert_eq!((list.first, list.last), (made, made));
            arena.retain(&mut list, |_, _| false);
            assert_eq!((list.first, list.last), (NONE, NONE));
            arena.push_property(&mut list, &Property::from_raw(b"Z[]", Framing::Value));
            assert_eq!(shown(&arena, list), "Z[]");
        }
    }

    #[test]
    fn a_record_is_small() {
        assert!(size_of::<Record>() <= 24);
    }
}
