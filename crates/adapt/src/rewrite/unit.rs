//! Units that edits work on: a node with its properties, a parenthesis, or text between games. Each includes the blanks
//! after it. So a dropped property leaves no gap, and an unedited property keeps every byte.

use crate::arena::{EventArena, List, NONE};
use sgfstream::{Charset, Code, Event, Framing, Ident, Problem, Property, RawValue, Variation};

/// Maximum number of bytes of a node in one unit. A longer node comes in pieces.
const NODE_CAP: usize = 256 << 10;

/// Maximum number of properties and gaps in a node, and of problems in text between games. Each takes more memory than its
/// bytes, and its repair takes even more.
const RECORDS_MAX: usize = 8 << 10;

/// Kind of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) enum UnitKind {
    /// Text between games.
    Between,
    /// `(`.
    Open,
    /// A node. One with more than 256 KiB, or with thousands of properties, comes in pieces: only the first piece `begins`,
    /// and only the last `ends`.
    #[non_exhaustive]
    Node {
        /// Whether the unit has the `;` of the node.
        begins: bool,
        /// Whether the unit completes the node.
        ends: bool,
    },
    /// `)`.
    Close,
}

/// Handle of a property in a [`Unit`], or of a piece of a long property. It stays valid when other properties are added or
/// removed. The property of an unknown handle has an empty identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PropertyId(u32);

/// The part of a value that an edit sees, nearly always all of it. A value of more than
/// [`Limits::property`](sgfstream::Limits::property) comes in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub(crate) struct ValuePart {
    /// Whether the value begins with this part.
    pub is_start: bool,
    /// Whether the value ends with this part.
    pub is_end: bool,
}

impl ValuePart {
    /// Returns whether this is the whole value.
    #[must_use]
    pub(crate) fn is_whole(self) -> bool {
        self.is_start && self.is_end
    }
}

/// Marks a record that an edit made, so that it has no place in the input.
const MADE: u64 = u64::MAX;

/// A node, a parenthesis or text between games, with its properties, which edits may change.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    kind: UnitKind,
    /// The `(`, `;` or `)` of the unit.
    mark: Option<Mark>,
    arena: EventArena,
    /// Properties, pieces of properties, and the gaps between them.
    items: List,
    /// Place of each arena record in the input, or `MADE`.
    places: Vec<u64>,
    /// Problems that the reader reported within the unit.
    problems: Vec<Problem>,
    /// Whether an edit changed the unit, so that the bytes of the arena are no longer the output.
    is_edited: bool,
    /// Whether the unit has stray text between properties.
    has_text: bool,
}

/// Stray text between two properties.
#[derive(Debug)]
pub(super) struct StrayText {
    at: u32,
    /// The bytes, each with the code of the problem that the reader reported for it.
    pub(super) bytes: Vec<(u8, Option<Code>)>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    /// Depth of the variation.
    depth: u64,
    /// Whether the reader inserted it.
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

    /// Returns a node without properties, to move properties of another node into.
    #[must_use]
    pub(crate) fn node() -> Self {
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

    /// Returns the kind of the unit.
    #[must_use]
    pub(crate) fn kind(&self) -> UnitKind {
        self.kind
    }

    /// Returns whether the unit is a node, or a piece of one.
    #[must_use]
    pub(crate) fn is_node(&self) -> bool {
        matches!(self.kind, UnitKind::Node { .. })
    }

    /// Returns whether the unit is a node, or the first piece of one.
    #[must_use]
    pub(crate) fn begins_node(&self) -> bool {
        matches!(self.kind, UnitKind::Node { begins: true, .. })
    }

    /// Returns whether the unit is a node, or the last piece of one.
    #[must_use]
    pub(crate) fn ends_node(&self) -> bool {
        matches!(self.kind, UnitKind::Node { ends: true, .. })
    }

    /// Returns whether the unit is a complete node.
    #[must_use]
    pub(crate) fn is_whole_node(&self) -> bool {
        self.begins_node() && self.ends_node()
    }

    pub(super) fn set_end_of_node(&mut self) {
        if let UnitKind::Node { ends, .. } = &mut self.kind {
            *ends = true;
        }
    }

    /// Returns the number of bytes in the unit.
    pub(super) fn len(&self) -> usize {
        self.arena.bytes.len() + usize::from(self.mark.is_some())
    }

    /// Returns whether the unit has no room for `more` bytes, for another property of a node, or for another problem between
    /// games. A node has room for all of its problems, because one repair may need them together.
    pub(super) fn is_full(&self, more: usize) -> bool {
        let records = if self.is_node() { self.places.len() } else { self.problems.len() };
        self.len() > 0 && self.len() + more > NODE_CAP || records >= RECORDS_MAX
    }

    pub(super) fn set_charset(&mut self, charset: Charset) {
        self.arena.charset = charset;
    }

    pub(super) fn set_mark(&mut self, Variation { depth, supplied }: Variation, place: u64) {
        self.mark = Some(Mark { depth, supplied, place });
    }

    /// Adds an event of the reader: a property, a piece of one, a gap or a problem.
    #[inline]
    pub(super) fn take(&mut self, event: &Event<'_>, place: u64) {
        match event {
            Event::Property(property) => _ = self.arena.push_property(&mut self.items, property),
            Event::Gap(bytes) => {
                self.has_text |= is_stray_text(bytes);
                // Join adjacent gaps, so that the result does not depend on how the input was cut.
                let last = self.items.last;
                if self.arena.ends_with_gap(last) && self.span(last).1 == place {
                    return self.arena.extend(last, bytes);
                }
                self.arena.push_gap(&mut self.items, bytes);
            }
            Event::Problem(problem) => return self.problems.push(*problem),
            // The arena also stores the identifier of a part, so its bytes are no longer the output.
            Event::PropertyPart(part) => {
                self.is_edited = true;
                self.arena.push_part(&mut self.items, part);
            }
            _ => return,
        }
        self.places.push(place);
    }

    /// Closes the last value with a `]`, because the input ended inside of it.
    pub(super) fn close_last_value(&mut self) {
        if let Some(last) = self.ids().last() {
            self.is_edited = true;
            self.arena.close(last.0);
        }
    }

    /// Passes the content as events to `each`, in order.
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

    /// Returns the `(`, `;` or `)`, if it is to be written, and the bytes after it. Returns `None` if the unit was edited.
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

    /// Returns the span of a record in the input, as long as the record is unedited.
    fn span(&self, at: u32) -> (u64, u64) {
        let len = self.arena.event(at).map_or(0, |event| event.as_bytes().len());
        (self.place(at), self.place(at).saturating_add(len as u64))
    }

    /// Returns the start of the unit in the input, or 0 if an edit made it.
    pub(super) fn start_in_input(&self) -> u64 {
        let mark = self.mark.map(|mark| mark.place);
        mark.or_else(|| self.places.first().copied()).filter(|&place| place != MADE).unwrap_or(0)
    }

    /// Returns the end of the unit in the input, as long as the unit is unedited.
    pub(super) fn end_in_input(&self) -> u64 {
        let mark = self.mark.map(|mark| mark.place).filter(|&place| place != MADE).map_or(0, |place| place + 1);
        let (start, end) = self.span(self.items.last);
        if start == MADE { mark } else { end.max(mark) }
    }

    /// Returns the span of each property in the input, in order, as long as the unit is unedited.
    pub(super) fn spans_in_input(&self) -> Vec<(PropertyId, u64, u64)> {
        let of = |id: PropertyId| (id, self.span(id.0).0, self.span(id.0).1);
        self.ids().map(of).collect()
    }

    /// Returns the start of a property in the input.
    pub(super) fn place_in_input(&self, id: PropertyId) -> u64 {
        self.place(id.0)
    }

    /// Returns the problems that the reader reported in the unit.
    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Returns whether the reader inserted the `(`, `;` or `)`, or `None` if the unit has none.
    pub(super) fn is_supplied(&self) -> Option<bool> {
        self.mark.map(|mark| mark.supplied)
    }

    /// Returns the place in the input of the `(`, `;` or `)`, which may be inserted.
    pub(super) fn mark_in_input(&self) -> u64 {
        self.mark.map_or(MADE, |mark| mark.place)
    }

    /// Returns whether the unit still begins with the `;` and the first property of the input.
    pub(super) fn begins_as_read(&self) -> bool {
        let first = (0..self.places.len() as u32).find(|&at| !self.arena.is_gap(at));
        self.ids().next().is_some_and(|id| Some(id.0) == first && self.mark_in_input() < self.place(id.0))
    }

    /// Marks an inserted `(`, `;` or `)` as part of the output.
    pub(super) fn write_supplied(&mut self) {
        if let Some(mark) = &mut self.mark {
            mark.supplied = false;
        }
    }

    /// Returns the stray texts between properties.
    pub(super) fn stray_texts(&self) -> Vec<StrayText> {
        let mut texts = Vec::new();
        if self.problems.is_empty() && !self.has_text {
            return texts;
        }
        let mut problem = 0;
        for at in self.arena.list(self.items) {
            let Some(Event::Gap(bytes)) = self.arena.event(at) else { continue };
            if self.place(at) == MADE || (self.problems.is_empty() && !is_stray_text(bytes)) {
                continue;
            }
            let with_code = |(place, &byte): (u64, &u8)| {
                while self.problems.get(problem).is_some_and(|problem| problem.span.end <= place) {
                    problem += 1;
                }
                let code = self.problems.get(problem).filter(|problem| problem.span.start <= place);
                (byte, code.map(|problem| problem.code))
            };
            texts.push(StrayText { at, bytes: (self.place(at)..).zip(bytes).map(with_code).collect() });
        }
        texts
    }

    /// Edits a stray text: replaces each byte by the result of `edit`, or drops it.
    pub(super) fn replace_stray_text(&mut self, text: &StrayText, edit: impl FnMut(&(u8, Option<Code>)) -> Option<u8>) {
        let bytes: Vec<u8> = text.bytes.iter().filter_map(edit).collect();
        if !bytes.iter().eq(text.bytes.iter().map(|(byte, _)| byte)) {
            self.is_edited = true;
            self.arena.replace_bytes(text.at, &bytes, Framing::Value, 0);
        }
    }

    /// Makes the unit well-formed: marks inserted characters as output, and drops stray text. Returns the number of dropped
    /// bytes.
    pub(super) fn make_wellformed(&mut self) -> u64 {
        self.write_supplied();
        if !self.has_text {
            return 0;
        }
        self.is_edited = true;
        let mut dropped = 0;
        self.arena.retain(&mut self.items, |arena, at| match arena.event(at) {
            Some(Event::Gap(gap)) if is_stray_text(gap) => {
                dropped += gap.len() as u64;
                false
            }
            _ => true,
        });
        dropped
    }

    /// Returns the properties in order, and the pieces of a long property one by one.
    pub(crate) fn ids(&self) -> impl Iterator<Item = PropertyId> + '_ {
        self.arena.list(self.items).filter(|&at| !self.arena.is_gap(at)).map(PropertyId)
    }

    /// Calls `each` for every property. It may edit the property.
    pub(crate) fn each(&mut self, mut each: impl FnMut(&mut Self, PropertyId)) {
        let mut at = self.items.first;
        while at != NONE {
            let next = self.arena.next(at);
            if !self.arena.is_gap(at) {
                each(self, PropertyId(at));
            }
            at = next;
        }
    }

    /// Returns the first property.
    #[must_use]
    pub(crate) fn first(&self) -> Option<PropertyId> {
        self.ids().next()
    }

    /// Returns the property after another.
    #[must_use]
    pub(crate) fn next(&self, id: PropertyId) -> Option<PropertyId> {
        self.ids().skip_while(|&at| at != id).nth(1)
    }

    /// Returns the identifier of a property.
    #[must_use]
    #[inline]
    pub(crate) fn ident(&self, id: PropertyId) -> Ident<'_> {
        self.arena.ident(id.0).unwrap_or(Ident::new(b""))
    }

    /// Returns the first property with this canonical identifier.
    #[must_use]
    pub(crate) fn find(&self, canonical: &[u8]) -> Option<PropertyId> {
        self.ids().find(|&id| self.ident(id).is(canonical))
    }

    /// Returns a property, or `None` for a piece of a property that is too long to buffer.
    #[must_use]
    #[inline]
    pub(crate) fn property(&self, id: PropertyId) -> Option<Property<'_>> {
        self.arena.property(id.0)
    }

    /// Returns whether this is a whole property or the first piece of one.
    #[must_use]
    pub(crate) fn is_property_start(&self, id: PropertyId) -> bool {
        self.arena.property_part(id.0).is_none_or(|part| part.is_property_start())
    }

    /// Returns whether this is a piece with one whole value that is not the first of its property.
    pub(super) fn is_whole_later_value(&self, id: PropertyId) -> bool {
        self.arena
            .property_part(id.0)
            .is_some_and(|part| part.value_index() > 0 && part.is_value_start() && part.is_value_end())
    }

    /// Drops the properties for which `keep` returns false. Returns their number.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Self, PropertyId) -> bool) -> u64 {
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
            // Drop the blanks before a dropped property; keep those after it.
            arena.next(at) != dropped.0 || !matches!(arena.event(at), Some(Event::Gap(bytes)) if !is_stray_text(bytes))
        });
        starts
    }

    /// Replaces a property with `raw`: a whole property, from its identifier to its last `]`.
    pub(crate) fn replace(&mut self, id: PropertyId, raw: &[u8], framing: Framing) {
        if self.arena.ident(id.0).is_some() {
            self.is_edited = true;
            self.arena.replace(id.0, &Property::from_raw(raw, framing));
        }
    }

    /// Inserts a property before another, or at the end. `raw` is as for [`replace`](Self::replace).
    pub(crate) fn insert(&mut self, before: Option<PropertyId>, raw: &[u8], framing: Framing) {
        let before = before.map(|id| id.0).or_else(|| {
            // Insert after the last property, before the blanks that follow it.
            match self.ids().last() {
                Some(last) => Some(self.arena.next(last.0)).filter(|&at| at != NONE),
                None => Some(self.items.first).filter(|&at| at != NONE),
            }
        });
        self.is_edited = true;
        self.arena.insert(&mut self.items, before, &Property::from_raw(raw, framing));
        self.places.push(MADE);
    }

    /// Sets a property to one value. Replaces the first property of that name, or inserts a new one before `before`. Returns
    /// whether anything changed.
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

    /// Returns the place for a property that other properties depend on: before the first one that is neither FF nor GM.
    pub(super) fn after_version_and_game(&self) -> Option<PropertyId> {
        self.ids().find(|&id| !self.ident(id).is(b"FF") && !self.ident(id).is(b"GM"))
    }

    /// Renames a property. For a long property, call this for each of its pieces.
    pub(crate) fn rename(&mut self, id: PropertyId, ident: &[u8]) {
        self.is_edited = true;
        self.arena.rename(id.0, ident);
    }

    /// Edits the values of a property. `edit` gets each value, or the part of it in this unit, and returns the new bytes
    /// between the brackets, or `None` to leave them. The bytes between values are kept. `framing` is the framing of the
    /// result, if it differs. Returns whether anything changed.
    pub(crate) fn edit_values(
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

    /// Moves the properties for which `moves` returns true to the end of another node, in order.
    pub(super) fn move_to(&mut self, other: &mut Self, mut moves: impl FnMut(&Self, PropertyId) -> bool) {
        self.move_each(std::slice::from_mut(other), |unit, id| usize::from(moves(unit, id)));
    }

    /// Moves each property to the end of the node that `target` returns: 0 for this node, 1 for the first of `others`.
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

/// Returns whether a gap has more than blanks. A NUL counts as a blank, because the reader reads it as one.
fn is_stray_text(gap: &[u8]) -> bool {
    !gap.iter().all(|&byte| matches!(byte, b' ' | b'\t'..=b'\r' | 0))
}
