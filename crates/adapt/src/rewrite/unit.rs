//! Units that edits work on: a piece of the stream with its bytes. A node with all
//! its properties, a parenthesis, or text between games; each with the blanks
//! after it, so that a property that is left out leaves no gap, and one that is
//! not edited keeps every byte.

use crate::arena::{EventArena, List, NONE};
use sgfstream::{Charset, Code, Event, Framing, Ident, Problem, Property, RawValue, Variation};

/// Bytes of a node that are held before it comes in pieces.
pub(super) const NODE_CAP: usize = 256 << 10;

/// Properties of a node, and gaps between them, that are held: each takes more
/// memory than its bytes, and a repair of it more again.
const RECORDS_MAX: usize = 8 << 10;

/// Kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnitKind {
    /// Text between games.
    Between,
    /// `(`.
    Open,
    /// A node. One with more than 256 KiB, or with thousands of properties,
    /// comes in pieces: only the first
    /// `begins`, only the last `ends`.
    #[non_exhaustive]
    Node {
        /// Its `;` is here.
        begins: bool,
        /// Nothing more of it comes.
        ends: bool,
    },
    /// `)`.
    Close,
}

/// A property of a [`Unit`], or a piece of a long one. It stays valid while
/// other properties come and go; what is not in the unit has no identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropertyId(u32);

/// How much of a value an edit sees: nearly always all of it. A value of more
/// than [`Limits::property`](sgfstream::Limits::property) comes in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ValuePart {
    /// The value begins here.
    pub is_start: bool,
    /// It ends here.
    pub is_end: bool,
}

impl ValuePart {
    /// True if it is the whole value.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.is_start && self.is_end
    }
}

/// The place of what an edit made, which is nowhere in the input.
const MADE: u64 = u64::MAX;

/// A piece of the stream that edits may change: its properties, in order.
#[derive(Clone, Debug)]
pub struct Unit {
    kind: UnitKind,
    /// Its `(`, `;` or `)`.
    mark: Option<Mark>,
    arena: EventArena,
    /// Properties, pieces of properties, and the gaps between them.
    items: List,
    /// Where in the input each record of the arena began, or `MADE`.
    places: Vec<u64>,
    /// Problems that the reader reported in it.
    problems: Vec<Problem>,
    /// The bytes of the arena are no longer those of the properties and gaps, one after another.
    is_edited: bool,
    /// It has bytes between properties that are no blanks.
    has_text: bool,
}

/// Bytes between properties.
#[derive(Debug)]
pub(super) struct LooseText {
    at: u32,
    /// The property before them.
    pub(super) before: Option<PropertyId>,
    /// Each with the code of the problem that the reader reported there.
    pub(super) bytes: Vec<(u8, Option<Code>)>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    /// The depth of its variation.
    depth: u64,
    /// The input has none.
    supplied: bool,
    place: u64,
}

impl Unit {
    pub(super) fn new(kind: UnitKind) -> Self {
        Self {
            kind,
            mark: None,
            arena: EventArena::default(),
            items: List::EMPTY,
            places: Vec::new(),
            problems: Vec::new(),
            is_edited: false,
            has_text: false,
        }
    }

    /// An empty node, `;` and nothing else: for what is split off another.
    #[must_use]
    pub fn node() -> Self {
        let mut unit = Self::new(UnitKind::Node { begins: true, ends: true });
        unit.set_mark(Variation { depth: 0, supplied: false }, MADE);
        unit
    }

    pub(super) fn reset(&mut self, kind: UnitKind) {
        (self.kind, self.mark, self.items) = (kind, None, List::EMPTY);
        (self.is_edited, self.has_text) = (false, false);
        self.arena.clear();
        self.places.clear();
        self.problems.clear();
    }

    /// Kind of the unit.
    #[must_use]
    pub fn kind(&self) -> UnitKind {
        self.kind
    }

    /// True for a node, or a piece of one.
    #[must_use]
    pub fn is_node(&self) -> bool {
        matches!(self.kind, UnitKind::Node { .. })
    }

    /// True for the first piece of a node, or all of it.
    #[must_use]
    pub fn begins_node(&self) -> bool {
        matches!(self.kind, UnitKind::Node { begins: true, .. })
    }

    /// True for the last piece of a node, or all of it.
    #[must_use]
    pub fn ends_node(&self) -> bool {
        matches!(self.kind, UnitKind::Node { ends: true, .. })
    }

    /// True for a node that is held whole.
    #[must_use]
    pub(crate) fn is_whole_node(&self) -> bool {
        self.begins_node() && self.ends_node()
    }

    pub(super) fn set_end_of_node(&mut self) {
        if let UnitKind::Node { ends, .. } = &mut self.kind {
            *ends = true;
        }
    }

    /// Bytes that it holds.
    pub(super) fn len(&self) -> usize {
        self.arena.bytes.len() + usize::from(self.mark.is_some())
    }

    /// True if there is no space for so many bytes more, or for a property.
    pub(super) fn is_full(&self, more: usize) -> bool {
        self.len() > 0 && self.len() + more > NODE_CAP || self.places.len() >= RECORDS_MAX
    }

    pub(super) fn set_charset(&mut self, charset: Charset) {
        self.arena.charset = charset;
    }

    pub(super) fn set_mark(&mut self, Variation { depth, supplied }: Variation, place: u64) {
        self.mark = Some(Mark { depth, supplied, place });
    }

    /// Takes what the reader gave: a property, a piece of one, or a gap.
    #[inline]
    pub(super) fn take(&mut self, event: &Event<'_>, place: u64) {
        match event {
            Event::Property(property) => _ = self.arena.push_property(&mut self.items, property),
            Event::Gap(bytes) => {
                self.has_text |= is_loose_text(bytes);
                // However the input was cut, it is one gap.
                let last = self.items.last;
                if self.arena.ends_with_gap(last) && self.span(last).1 == place {
                    return self.arena.extend(last, bytes);
                }
                self.arena.push_gap(&mut self.items, bytes);
            }
            Event::Problem(problem) => return self.problems.push(*problem),
            _ if event.ident().is_none() => return,
            // The arena keeps the identifier of a piece as well.
            _ => event.pieces().for_each(|piece| {
                self.is_edited = true;
                self.arena.push_part(&mut self.items, &piece);
            }),
        }
        self.places.push(place);
    }

    /// The input ended inside the last value: gives it its `]`.
    pub(super) fn close_last_value(&mut self) {
        if let Some(last) = self.ids().last() {
            self.is_edited = true;
            self.arena.close(last.0);
        }
    }

    /// Gives what it holds as events, in order.
    pub(super) fn events<E>(&self, mut each: impl FnMut(&Event<'_>) -> Result<(), E>) -> Result<(), E> {
        if let Some(Mark { depth, supplied, .. }) = self.mark {
            each(&match self.kind {
                UnitKind::Open => Event::VariationStart(Variation { depth, supplied }),
                UnitKind::Close => Event::VariationEnd(Variation { depth, supplied }),
                _ => Event::NodeStart { supplied },
            })?;
        }
        self.arena.list(self.items).filter_map(|at| self.arena.event(at)).try_for_each(|event| each(&event))
    }

    /// Its `(`, `;` or `)`, if it is written, and the bytes after it, if they are those of the input.
    #[inline]
    pub(super) fn as_read(&self) -> Option<(&'static [u8], &[u8])> {
        let mark: &[u8] = match (self.mark, self.kind) {
            (None | Some(Mark { supplied: true, .. }), _) => b"",
            (_, UnitKind::Open) => b"(",
            (_, UnitKind::Close) => b")",
            _ => b";",
        };
        (!self.is_edited).then_some((mark, &self.arena.bytes))
    }

    fn place(&self, at: u32) -> u64 {
        self.places.get(at as usize).copied().unwrap_or(MADE)
    }

    /// The bytes of the input that a record was read from, before any edit.
    fn span(&self, at: u32) -> (u64, u64) {
        let len = self.arena.event(at).map_or(0, |event| event.as_bytes().len());
        (self.place(at), self.place(at).saturating_add(len as u64))
    }

    /// Where in the input it began; 0 for what an edit made.
    pub(super) fn start_in_input(&self) -> u64 {
        let mark = self.mark.map(|mark| mark.place);
        mark.or_else(|| self.places.first().copied()).filter(|&place| place != MADE).unwrap_or(0)
    }

    /// Where in the input it ended, before any edit: one past its last byte.
    pub(super) fn end_in_input(&self) -> u64 {
        let mark = self.mark.map(|mark| mark.place).filter(|&place| place != MADE).map_or(0, |place| place + 1);
        let (start, end) = self.span(self.items.last);
        if start == MADE { mark } else { end.max(mark) }
    }

    /// Where in the input each property began and ended, in order, before any
    /// edit.
    pub(super) fn spans_in_input(&self) -> Vec<(PropertyId, u64, u64)> {
        let of = |id: PropertyId| (id, self.span(id.0).0, self.span(id.0).1);
        self.ids().map(of).collect()
    }

    /// Where in the input a property began.
    pub(super) fn place_in_input(&self, id: PropertyId) -> u64 {
        self.place(id.0)
    }

    /// Problems that the reader reported in it.
    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether its `(`, `;` or `)` was supplied; none if it begins with none.
    pub(super) fn is_supplied(&self) -> Option<bool> {
        self.mark.map(|mark| mark.supplied)
    }

    /// Where in the input its `(`, `;` or `)` was, or would have been.
    pub(super) fn mark_in_input(&self) -> u64 {
        self.mark.map_or(MADE, |mark| mark.place)
    }

    /// True for a node whose `;` and first property follow each other as in the input.
    pub(super) fn begins_as_read(&self) -> bool {
        let first = (0..self.places.len() as u32).find(|&at| !self.arena.is_gap(at));
        self.ids().next().is_some_and(|id| Some(id.0) == first && self.mark_in_input() < self.place(id.0))
    }

    /// Writes supplied characters.
    pub(super) fn write_supplied(&mut self) {
        if let Some(mark) = &mut self.mark {
            mark.supplied = false;
        }
    }

    /// The bytes between properties that are more than blanks.
    pub(super) fn loose_texts(&self) -> Vec<LooseText> {
        let mut texts = Vec::new();
        if self.problems.is_empty() && !self.has_text {
            return texts;
        }
        let (mut problem, mut before) = (0, None);
        for at in self.arena.list(self.items) {
            let Some(Event::Gap(bytes)) = self.arena.event(at) else {
                before = Some(PropertyId(at));
                continue;
            };
            if self.place(at) == MADE || (self.problems.is_empty() && !is_loose_text(bytes)) {
                continue;
            }
            let with_code = |(place, &byte): (u64, &u8)| {
                while self.problems.get(problem).is_some_and(|problem| problem.span.end <= place) {
                    problem += 1;
                }
                let code = self.problems.get(problem).filter(|problem| problem.span.start <= place);
                (byte, code.map(|problem| problem.code))
            };
            texts.push(LooseText { at, before, bytes: (self.place(at)..).zip(bytes).map(with_code).collect() });
        }
        texts
    }

    /// Writes a loose text anew: `edit` gets each byte, and gives the byte that takes its place.
    pub(super) fn replace_loose_text(&mut self, text: &LooseText, edit: impl FnMut(&(u8, Option<Code>)) -> Option<u8>) {
        let bytes: Vec<u8> = text.bytes.iter().filter_map(edit).collect();
        if !bytes.iter().eq(text.bytes.iter().map(|(byte, _)| byte)) {
            self.is_edited = true;
            self.arena.replace_bytes(text.at, &bytes, Framing::Value, 0);
        }
    }

    /// Nothing is supplied any more: what was missing is written. Drops what no
    /// reader understood and says how many bytes that was.
    pub(super) fn settle(&mut self) -> u64 {
        self.write_supplied();
        if !self.has_text {
            return 0;
        }
        self.is_edited = true;
        let mut dropped = 0;
        self.arena.retain(&mut self.items, |arena, at| match arena.event(at) {
            Some(Event::Gap(gap)) if is_loose_text(gap) => {
                dropped += gap.len() as u64;
                false
            }
            _ => true,
        });
        dropped
    }

    /// Its properties, in order; pieces of a long one one by one.
    pub fn ids(&self) -> impl Iterator<Item = PropertyId> + '_ {
        self.arena.list(self.items).filter(|&at| !self.arena.is_gap(at)).map(PropertyId)
    }

    /// Gives each of its properties to `each`, which may edit it.
    pub fn each(&mut self, mut each: impl FnMut(&mut Self, PropertyId)) {
        let mut at = self.items.first;
        while at != NONE {
            let next = self.arena.next(at);
            if !self.arena.is_gap(at) {
                each(self, PropertyId(at));
            }
            at = next;
        }
    }

    /// Its first property.
    #[must_use]
    pub fn first(&self) -> Option<PropertyId> {
        self.ids().next()
    }

    /// The property that comes after another.
    #[must_use]
    pub fn next(&self, id: PropertyId) -> Option<PropertyId> {
        self.ids().skip_while(|&at| at != id).nth(1)
    }

    /// The identifier of a property.
    #[must_use]
    #[inline]
    pub fn ident(&self, id: PropertyId) -> Ident<'_> {
        self.arena.ident(id.0).unwrap_or(Ident::new(b""))
    }

    /// The first property with this canonical identifier.
    #[must_use]
    pub fn find(&self, canonical: &[u8]) -> Option<PropertyId> {
        self.ids().find(|&id| self.ident(id).is(canonical))
    }

    /// A property; none if it is a piece of one that is too long to be held.
    #[must_use]
    #[inline]
    pub fn property(&self, id: PropertyId) -> Option<Property<'_>> {
        self.arena.property(id.0)
    }

    /// The first value of the first property with this canonical identifier.
    #[must_use]
    pub(crate) fn first_value(&self, canonical: &[u8]) -> Option<RawValue<'_>> {
        Some(self.property(self.find(canonical)?)?.first())
    }

    /// True if the property, or the piece, begins the property.
    #[must_use]
    pub fn is_property_start(&self, id: PropertyId) -> bool {
        self.arena.property_part(id.0).is_none_or(|part| part.is_property_start())
    }

    /// True for a piece that is one value and not the property's first.
    pub(super) fn is_whole_later_value(&self, id: PropertyId) -> bool {
        self.arena
            .property_part(id.0)
            .is_some_and(|part| part.value_index() > 0 && part.is_value_start() && part.is_value_end())
    }

    /// Leaves out the properties for which `keep` is false; says how many.
    pub fn retain(&mut self, mut keep: impl FnMut(&Self, PropertyId) -> bool) -> u64 {
        let mut dropped: Vec<PropertyId> = Vec::new();
        let mut at = self.items.first;
        while at != NONE {
            if !self.arena.is_gap(at) && !keep(self, PropertyId(at)) {
                dropped.push(PropertyId(at));
            }
            at = self.arena.next(at);
        }
        if dropped.is_empty() {
            return 0;
        }
        self.is_edited = true;
        let starts = dropped.iter().filter(|&&id| self.is_property_start(id)).count() as u64;
        let mut next = 0;
        self.arena.retain(&mut self.items, |arena, at| {
            let Some(dropped) = dropped.get(next) else { return true };
            if at == dropped.0 {
                next += 1;
                return false;
            }
            // The blanks before it go with it; those after it stay.
            arena.next(at) != dropped.0 || !matches!(arena.event(at), Some(Event::Gap(bytes)) if !is_loose_text(bytes))
        });
        starts
    }

    /// Writes a property anew; `raw` is one, from its identifier to its last
    /// `]`.
    pub fn replace(&mut self, id: PropertyId, raw: &[u8], framing: Framing) {
        if self.arena.ident(id.0).is_some() {
            self.is_edited = true;
            self.arena.replace(id.0, &Property::from_raw(raw, framing));
        }
    }

    /// Puts a property before another, or at the end; `raw` is as for
    /// [`replace`](Self::replace).
    pub fn insert(&mut self, before: Option<PropertyId>, raw: &[u8], framing: Framing) {
        let before = before.map(|id| id.0).or_else(|| {
            // After the last property, before the blanks that follow it.
            match self.ids().last() {
                Some(last) => Some(self.arena.next(last.0)).filter(|&at| at != NONE),
                None => Some(self.items.first).filter(|&at| at != NONE),
            }
        });
        self.is_edited = true;
        self.arena.insert(&mut self.items, before, &Property::from_raw(raw, framing));
        self.places.push(MADE);
    }

    /// Gives it a property with one value, in place of the first of that name,
    /// or before another property. Says whether anything changed.
    pub(super) fn set_property(&mut self, ident: &[u8], value: &[u8], before: Option<PropertyId>) -> bool {
        let raw = [ident, b"[", value, b"]"].concat();
        match self.find(ident) {
            Some(found) => {
                let only = self.property(found).and_then(|property| property.only());
                if only.is_some_and(|only| only.as_bytes() == value) {
                    return false;
                }
                self.replace(found, &raw, Framing::Value);
            }
            None => self.insert(before, &raw, Framing::Value),
        }
        true
    }

    /// Where a property that governs the others is put: before the first one
    /// that is neither FF nor GM.
    pub(super) fn after_version_and_game(&self) -> Option<PropertyId> {
        self.ids().find(|&id| !self.ident(id).is(b"FF") && !self.ident(id).is(b"GM"))
    }

    /// Gives a property another identifier. The pieces of a long one too, if
    /// each is asked for.
    pub fn rename(&mut self, id: PropertyId, ident: &[u8]) {
        self.is_edited = true;
        self.arena.rename(id.0, ident);
    }

    /// Writes the values of a property anew: `edit` gets each value, or the
    /// part of it that is here, and gives the bytes to write between the
    /// brackets, or none to leave them. The bytes between values are kept.
    /// `framing` is that of the result, if it differs. Says whether anything
    /// changed.
    pub fn edit_values(
        &mut self,
        id: PropertyId,
        framing: Option<Framing>,
        mut edit: impl FnMut(RawValue<'_>, ValuePart) -> Option<Vec<u8>>,
    ) -> bool {
        let Some(event) = self.arena.event(id.0) else { return false };
        let Some(first) = event.pieces().next() else { return false };
        let (raw, old) = (event.as_bytes(), first.framing());
        let (mut out, mut written, mut changed) = (Vec::new(), 0, false);
        for piece in event.pieces() {
            let (value, part) =
                (piece.content(), ValuePart { is_start: piece.is_value_start(), is_end: piece.is_value_end() });
            let Some(new) = edit(value, part) else { continue };
            let start = value.as_bytes().as_ptr() as usize - raw.as_ptr() as usize;
            if !changed {
                out.reserve(raw.len());
            }
            out.extend_from_slice(&raw[written..start]);
            out.extend_from_slice(&new);
            written = start + value.as_bytes().len();
            changed = true;
        }
        let framing = framing.unwrap_or(old);
        if !changed && framing == old {
            return false;
        }
        self.is_edited = true;
        out.extend_from_slice(&raw[written..]);
        match event {
            Event::Property(_) => self.arena.replace(id.0, &Property::from_raw(&out, framing)),
            _ => self.arena.replace_bytes(id.0, &out, framing, first.content_start()),
        }
        changed
    }

    /// Moves the properties for which `moves` is true to the end of another
    /// node, in order.
    pub(super) fn move_to(&mut self, other: &mut Self, mut moves: impl FnMut(&Self, PropertyId) -> bool) {
        self.move_each(std::slice::from_mut(other), |unit, id| usize::from(moves(unit, id)));
    }

    /// Moves each property to the end of the node that `target` names: 0 for
    /// this, from 1 on those of `others`.
    pub(super) fn move_each(&mut self, others: &mut [Self], mut target: impl FnMut(&Self, PropertyId) -> usize) {
        let targets: Vec<(PropertyId, usize)> = self.ids().map(|id| (id, target(self, id))).collect();
        for &(id, target) in targets.iter().filter(|(_, target)| *target > 0) {
            let other = &mut others[target - 1];
            other.is_edited = true;
            other.arena.push_copy(&mut other.items, &self.arena, id.0);
            other.places.push(self.place(id.0));
        }
        let mut targets = targets.into_iter();
        self.retain(|_, _| targets.next().is_none_or(|(_, target)| target == 0));
    }
}

/// True for a gap that has more than blanks: white space, and the NUL that is read as such.
fn is_loose_text(gap: &[u8]) -> bool {
    !gap.iter().all(|&byte| matches!(byte, b' ' | b'\t'..=b'\r' | 0))
}
