//! What edits work on: a piece of the stream with its bytes. A node with all
//! its properties, a parenthesis, or text between games; each with the blanks
//! behind it, so that what is left out leaves no gap, and what is left alone
//! keeps every byte.

use crate::base::{Charset, Code, Problem};
use crate::event::{Event, Ident, Property, PropertyPart, RawValue};
use crate::scan::Framing;

use super::Piece;

/// Bytes of a node that are held before it comes in pieces.
pub(super) const NODE_CAP: usize = 256 << 10;

/// What a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitKind {
    /// Text between games.
    Between,
    /// `(`.
    Open,
    /// A node. One with more than 256 KiB comes in pieces: only the first
    /// `begins`, only the last `ends`.
    Node {
        /// Its `;` is here.
        begins: bool,
        /// Nothing more of it comes.
        ends: bool,
    },
    /// `)`.
    Close,
}

/// A thing in a unit: the bytes `start..end` of its arena.
#[derive(Clone, Copy, Debug)]
struct Item {
    kind: ItemKind,
    start: u32,
    end: u32,
    /// Where in the input it began; `MADE` for what an edit made.
    at: u64,
}

/// The place of what never was in the input.
const MADE: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
enum ItemKind {
    /// `(`, `;` or `)`; `supplied` where the input has none.
    Mark {
        supplied: bool,
    },
    Property {
        ident_len: u32,
        framing: Framing,
    },
    Part {
        ident: (u32, u32),
        content_start: u32,
        value: u64,
        framing: Framing,
        first: bool,
        last: bool,
        closed: bool,
    },
    Gap,
}

/// A piece of the stream that edits may change.
///
/// Properties have numbers, from 0, in the order in which they stand; a
/// removal or an insertion moves the numbers behind it.
#[derive(Clone, Debug)]
pub struct Unit {
    kind: UnitKind,
    items: Vec<Item>,
    /// The places of its properties among the items.
    places: Vec<u32>,
    bytes: Vec<u8>,
    /// What the reader said while it was read.
    problems: Vec<Problem>,
}

impl Unit {
    pub(super) fn new(kind: UnitKind) -> Self {
        Self { kind, items: Vec::new(), places: Vec::new(), bytes: Vec::new(), problems: Vec::new() }
    }

    /// An empty node, `;` and nothing else: for what is split off another.
    #[must_use]
    pub fn node() -> Self {
        let mut unit = Self::new(UnitKind::Node { begins: true, ends: true });
        unit.mark(b";", false, MADE);
        unit
    }

    pub(super) fn reset(&mut self, kind: UnitKind) {
        self.kind = kind;
        self.items.clear();
        self.places.clear();
        self.bytes.clear();
        self.problems.clear();
    }

    /// What it is.
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

    pub(super) fn set_end_of_node(&mut self) {
        if let UnitKind::Node { ends, .. } = &mut self.kind {
            *ends = true;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    fn keep(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(bytes);
        (start, self.bytes.len() as u32)
    }

    pub(super) fn mark(&mut self, byte: &[u8], supplied: bool, at: u64) {
        let (start, end) = self.keep(byte);
        self.items.push(Item { kind: ItemKind::Mark { supplied }, start, end, at });
    }

    pub(super) fn gap(&mut self, bytes: &[u8], at: u64) {
        let (start, end) = self.keep(bytes);
        self.items.push(Item { kind: ItemKind::Gap, start, end, at });
    }

    pub(super) fn problem_event(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    pub(super) fn property_event(&mut self, property: &Property<'_>, at: u64) {
        let (start, end) = self.keep(property.as_bytes());
        let ident_len = property.ident().as_bytes().len() as u32;
        self.places.push(self.items.len() as u32);
        self.items.push(Item { kind: ItemKind::Property { ident_len, framing: property.framing() }, start, end, at });
    }

    pub(super) fn part_event(&mut self, part: &PropertyPart<'_>, at: u64) {
        let ident = self.keep(part.ident.as_bytes());
        let (start, end) = self.keep(part.raw);
        let kind = ItemKind::Part {
            ident,
            content_start: part.content_start,
            value: part.value,
            framing: part.framing,
            first: part.first,
            last: part.last,
            closed: part.closed,
        };
        self.places.push(self.items.len() as u32);
        self.items.push(Item { kind, start, end, at });
    }

    /// The input ended inside the last value: gives it its `]`.
    pub(super) fn close_last_value(&mut self) {
        let Some(at) = self.items.iter().rposition(|item| !matches!(item.kind, ItemKind::Gap)) else { return };
        let item = self.items[at];
        let mut raw = self.slice(item.start, item.end).to_vec();
        let escapes = raw.iter().rev().take_while(|&&byte| byte == b'\\').count();
        if escapes % 2 == 1 {
            raw.pop();
        }
        raw.push(b']');
        let (start, end) = self.keep(&raw);
        let mut kind = item.kind;
        if let ItemKind::Part { closed, .. } = &mut kind {
            *closed = true;
        }
        self.items[at] = Item { kind, start, end, at: item.at };
    }

    fn slice(&self, start: u32, end: u32) -> &[u8] {
        &self.bytes[start as usize..end as usize]
    }

    /// Gives what it holds as events, in order.
    pub(super) fn events<E>(&self, mut each: impl FnMut(&Event<'_>) -> Result<(), E>) -> Result<(), E> {
        for item in &self.items {
            let raw = self.slice(item.start, item.end);
            let event = match item.kind {
                ItemKind::Mark { supplied } => match self.kind {
                    UnitKind::Open => Event::VariationStart { supplied },
                    UnitKind::Close => Event::VariationEnd { supplied },
                    _ => Event::NodeStart { supplied },
                },
                ItemKind::Property { ident_len, framing } => {
                    Event::Property(Property::new(raw, ident_len, framing, false))
                }
                ItemKind::Part { ident, content_start, value, framing, first, last, closed } => {
                    Event::PropertyPart(PropertyPart {
                        ident: Ident::new(self.slice(ident.0, ident.1)),
                        raw,
                        value,
                        content_start,
                        framing,
                        charset: Charset::AUTO,
                        first,
                        last,
                        closed,
                    })
                }
                ItemKind::Gap => Event::Gap(raw),
            };
            each(&event)?;
        }
        Ok(())
    }

    /// Where in the input it ended: one past its last byte that was read. As it
    /// was read; edits that lengthen it make this wrong.
    pub(super) fn end_in_input(&self) -> u64 {
        let ends =
            self.items.iter().filter(|item| item.at != MADE).map(|item| item.at + u64::from(item.end - item.start));
        ends.max().unwrap_or(0)
    }

    /// What the reader said while it was read.
    pub(super) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Whether its `(`, `;` or `)` was supplied; nothing if it begins with none.
    pub(super) fn is_supplied(&self) -> Option<bool> {
        self.items.iter().find_map(|item| match item.kind {
            ItemKind::Mark { supplied } => Some(supplied),
            _ => None,
        })
    }

    /// What was supplied is written.
    pub(super) fn write_supplied(&mut self) {
        for item in &mut self.items {
            if let ItemKind::Mark { supplied } = &mut item.kind {
                *supplied = false;
            }
        }
    }

    /// Writes the bytes between properties anew: `edit` gets each byte with the
    /// code of what the reader said of it, and gives the byte to stand there.
    pub(super) fn edit_gaps(&mut self, mut edit: impl FnMut(u8, Option<Code>) -> Option<u8>) {
        let mut problem = 0;
        for index in 0..self.items.len() {
            let item = self.items[index];
            if !matches!(item.kind, ItemKind::Gap) || item.at == MADE {
                continue;
            }
            let old = self.slice(item.start, item.end);
            if self.problems.is_empty() && old.iter().all(|&byte| is_blank(byte)) {
                continue;
            }
            let mut new = Vec::with_capacity(old.len());
            for (at, &byte) in (item.at..).zip(old) {
                while self.problems.get(problem).is_some_and(|problem| problem.span.end <= at) {
                    problem += 1;
                }
                let code = self.problems.get(problem).filter(|problem| problem.span.start <= at);
                new.extend(edit(byte, code.map(|problem| problem.code)));
            }
            if new != old {
                let (start, end) = self.keep(&new);
                self.items[index] = Item { start, end, ..item };
            }
        }
    }

    /// Where in the input each property began and ended, in order; before any
    /// edit.
    pub(super) fn places_in_input(&self) -> Vec<(u64, u64)> {
        let of = |item: Item| (item.at, item.at.saturating_add(u64::from(item.end - item.start)));
        self.places.iter().map(|&place| of(self.items[place as usize])).collect()
    }

    /// Where in the input a property began.
    pub(super) fn place_in_input(&self, number: usize) -> u64 {
        self.items[self.place(number)].at
    }

    /// True for a piece that is one value and not the property's first.
    pub(super) fn is_whole_later_value(&self, number: usize) -> bool {
        match self.items[self.place(number)].kind {
            ItemKind::Part { value, first, last, .. } => value > 0 && first && last,
            _ => false,
        }
    }

    /// Gives it a property with one value, in place of the first of that name,
    /// or before the property of this number.
    pub(super) fn set_property(&mut self, ident: &[u8], value: &[u8], number: usize) -> bool {
        let raw = [ident, b"[", value, b"]"].concat();
        match self.find(ident) {
            Some(found) => {
                let only = self.property(found).and_then(|property| property.only());
                let is_same = only.is_some_and(|only| only.as_bytes() == value);
                if !is_same {
                    self.replace(found, &raw, Framing::Value);
                }
                !is_same
            }
            None => {
                self.insert(number, &raw, Framing::Value);
                true
            }
        }
    }

    /// Nothing is supplied any more: what was missing is written. Drops what no
    /// reader understood and says how many bytes that was.
    pub(super) fn settle(&mut self) -> u64 {
        let mut dropped = 0;
        let bytes = &self.bytes;
        self.items.retain_mut(|item| {
            match &mut item.kind {
                ItemKind::Mark { supplied } => *supplied = false,
                ItemKind::Gap => {
                    let gap = &bytes[item.start as usize..item.end as usize];
                    if !gap.iter().all(|&byte| is_blank(byte)) {
                        dropped += gap.len() as u64;
                        return false;
                    }
                }
                _ => {}
            }
            true
        });
        if dropped > 0 {
            self.find_places();
        }
        dropped
    }

    fn find_places(&mut self) {
        let is_property = |item: &Item| matches!(item.kind, ItemKind::Property { .. } | ItemKind::Part { .. });
        self.places.clear();
        let places = self.items.iter().enumerate().filter(|(_, item)| is_property(item)).map(|(at, _)| at as u32);
        self.places.extend(places);
    }

    fn place(&self, number: usize) -> usize {
        self.places[number] as usize
    }

    /// How many properties it has; pieces of a long one count each.
    #[must_use]
    pub fn count(&self) -> usize {
        self.places.len()
    }

    /// The identifier of a property.
    ///
    /// # Panics
    ///
    /// Like all that follow, when there is no property of this number.
    #[must_use]
    pub fn ident(&self, number: usize) -> Ident<'_> {
        self.ident_at(self.place(number))
    }

    fn ident_at(&self, at: usize) -> Ident<'_> {
        let item = self.items[at];
        match item.kind {
            ItemKind::Part { ident, .. } => Ident::new(self.slice(ident.0, ident.1)),
            ItemKind::Property { ident_len, .. } => Ident::new(self.slice(item.start, item.start + ident_len)),
            _ => Ident::new(b""),
        }
    }

    /// The number of the first property with this canonical identifier.
    #[must_use]
    pub fn find(&self, canonical: &[u8]) -> Option<usize> {
        self.places.iter().position(|&at| self.ident_at(at as usize).is(canonical))
    }

    /// A property; none if it is a piece of one that is too long to be held.
    #[must_use]
    pub fn property(&self, number: usize) -> Option<Property<'_>> {
        let item = self.items[self.place(number)];
        match item.kind {
            ItemKind::Property { ident_len, framing } => {
                Some(Property::new(self.slice(item.start, item.end), ident_len, framing, false))
            }
            _ => None,
        }
    }

    /// True if the property, or the piece, begins the property.
    #[must_use]
    pub fn is_property_start(&self, number: usize) -> bool {
        match self.items[self.place(number)].kind {
            ItemKind::Part { first, value, .. } => first && value == 0,
            _ => true,
        }
    }

    /// Leaves out the properties for which `keep` is false; says how many.
    /// `keep` gets the number and the identifier.
    pub fn retain(&mut self, mut keep: impl FnMut(&Self, usize) -> bool) -> u64 {
        let dropped: Vec<usize> =
            (0..self.count()).filter(|&number| !keep(self, number)).map(|number| self.place(number)).collect();
        if dropped.is_empty() {
            return 0;
        }
        let mut number = 0;
        for &at in &dropped {
            number += u64::from(match self.items[at].kind {
                ItemKind::Part { first, value, .. } => first && value == 0,
                _ => true,
            });
            // The blanks before it go with it; what stands behind stays.
            self.items[at] = Item { kind: ItemKind::Gap, start: 0, end: 0, at: MADE };
            if at > 0 && matches!(self.items[at - 1].kind, ItemKind::Gap) {
                self.items[at - 1].end = self.items[at - 1].start;
            }
        }
        self.items.retain(|item| !matches!(item.kind, ItemKind::Gap) || item.start != item.end);
        self.find_places();
        number
    }

    /// Writes a property anew; `raw` is one, from its identifier to its last
    /// `]`.
    pub fn replace(&mut self, number: usize, raw: &[u8], framing: Framing) {
        let at = self.place(number);
        let (start, end) = self.keep(raw);
        let ident_len = ident_len(raw);
        self.items[at] = Item { kind: ItemKind::Property { ident_len, framing }, start, end, at: self.items[at].at };
    }

    /// Puts a property before the one of this number, or behind the last.
    pub fn insert(&mut self, number: usize, raw: &[u8], framing: Framing) {
        let at = self.places.get(number).map(|&at| at as usize).unwrap_or_else(|| {
            // Behind the last property, or behind the `;`; before the blanks.
            self.items.iter().rposition(|item| !matches!(item.kind, ItemKind::Gap)).map_or(0, |last| last + 1)
        });
        let (start, end) = self.keep(raw);
        let ident_len = ident_len(raw);
        self.items.insert(at, Item { kind: ItemKind::Property { ident_len, framing }, start, end, at: MADE });
        self.find_places();
    }

    /// Gives a property another identifier. The pieces of a long one too, if
    /// each is asked for.
    pub fn rename(&mut self, number: usize, ident: &[u8]) {
        let at = self.place(number);
        let item = self.items[at];
        let raw = self.slice(item.start, item.end).to_vec();
        match item.kind {
            ItemKind::Property { ident_len, framing } => {
                let renamed = [ident, &raw[ident_len as usize..]].concat();
                let (start, end) = self.keep(&renamed);
                let kind = ItemKind::Property { ident_len: ident.len() as u32, framing };
                self.items[at] = Item { kind, start, end, at: item.at };
            }
            ItemKind::Part { ident: old, content_start, value, framing, first, last, closed } => {
                let old_len = old.1 - old.0;
                let ident_range = self.keep(ident);
                let (mut start, mut end, mut content) = (item.start, item.end, content_start);
                if first && value == 0 {
                    (start, end) = self.keep(&[ident, &raw[old_len as usize..]].concat());
                    content = content_start - old_len + ident.len() as u32;
                }
                let kind =
                    ItemKind::Part { ident: ident_range, content_start: content, value, framing, first, last, closed };
                self.items[at] = Item { kind, start, end, at: item.at };
            }
            _ => {}
        }
    }

    /// Writes the values of a property anew: `edit` gets each value, and
    /// whether it is whole and begins here, and gives the bytes to stand
    /// between the brackets, or nothing to leave them. What stands between
    /// values stays. `framing` is that of the result, if it differs. Says
    /// whether anything changed.
    pub fn edit_values(
        &mut self,
        number: usize,
        framing: Option<Framing>,
        mut edit: impl FnMut(RawValue<'_>, Piece) -> Option<Vec<u8>>,
    ) -> bool {
        let at = self.place(number);
        let item = self.items[at];
        let raw = self.slice(item.start, item.end);
        let mut out = Vec::new();
        let mut written = 0;
        let mut changed = false;
        let mut kind = item.kind;
        match &mut kind {
            ItemKind::Property { ident_len, framing: old } => {
                for value in Property::new(raw, *ident_len, *old, false).values() {
                    let content = value.as_bytes();
                    let start = content.as_ptr() as usize - raw.as_ptr() as usize;
                    if let Some(edited) = edit(value, Piece { first: true, last: true }) {
                        out.extend_from_slice(&raw[written..start]);
                        out.extend_from_slice(&edited);
                        written = start + content.len();
                        changed = true;
                    }
                }
                *old = framing.unwrap_or(*old);
            }
            ItemKind::Part { content_start, framing: old, first, last, closed, .. } => {
                let content = &raw[*content_start as usize..raw.len() - usize::from(*closed)];
                let piece = Piece { first: *first, last: *last };
                if let Some(edited) = edit(RawValue::new(content, *old), piece) {
                    out.extend_from_slice(&raw[..*content_start as usize]);
                    out.extend_from_slice(&edited);
                    written = raw.len() - usize::from(*closed);
                    changed = true;
                }
                *old = framing.unwrap_or(*old);
            }
            _ => {}
        }
        let mut item = Item { kind, ..item };
        if changed {
            out.extend_from_slice(&raw[written..]);
            (item.start, item.end) = self.keep(&out);
        }
        self.items[at] = item;
        changed
    }

    /// Moves the properties for which `moves` is true to the end of another
    /// node, in order.
    pub fn move_to(&mut self, other: &mut Self, mut moves: impl FnMut(&Self, usize) -> bool) {
        self.move_each(std::slice::from_mut(other), |unit, number| usize::from(moves(unit, number)));
    }

    /// Moves each property to the end of the node that `target` names: 0 for
    /// this, from 1 on those of `others`.
    pub(super) fn move_each(&mut self, others: &mut [Self], mut target: impl FnMut(&Self, usize) -> usize) {
        let mut taken = Vec::new();
        for number in 0..self.count() {
            let target = target(self, number);
            if target > 0 {
                let other = &mut others[target - 1];
                taken.push(number);
                let item = self.items[self.place(number)];
                let raw = self.slice(item.start, item.end).to_vec();
                let (start, end) = other.keep(&raw);
                let kind = match item.kind {
                    ItemKind::Part { ident, content_start, value, framing, first, last, closed } => {
                        let name = self.slice(ident.0, ident.1).to_vec();
                        ItemKind::Part { ident: other.keep(&name), content_start, value, framing, first, last, closed }
                    }
                    kind => kind,
                };
                other.items.push(Item { kind, start, end, at: item.at });
            }
        }
        others.iter_mut().for_each(Self::find_places);
        self.retain(|_, number| taken.binary_search(&number).is_err());
    }
}

fn ident_len(raw: &[u8]) -> u32 {
    raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count() as u32
}

/// White space between tokens, and the NUL that is read as such.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}
