//! A node whose properties may change, and the replacements that the changes need.

use std::borrow::Cow;
use std::ops::Range;

use sgfstream::record::{GameRecord, Node, TokenKind};
use sgfstream::{Framing, Ident, Property, RawValue};

use super::GameEdits;
use super::placed_property::is_blank;
use super::well_formed::closed;

/// Bytes between two properties.
#[derive(Clone, Debug)]
pub(crate) struct Gap<'t> {
    /// Place in the input.
    pub(crate) span: Range<usize>,
    pub(crate) bytes: Cow<'t, [u8]>,
}

impl<'t> Gap<'t> {
    /// Returns the bytes `span` of `input`.
    pub(crate) fn new(input: &'t [u8], span: Range<usize>) -> Self {
        Self {
            bytes: Cow::Borrowed(&input[span.clone()]),
            span,
        }
    }

    /// Adds the replacement of the gap, if it changed.
    pub(crate) fn write(&self, edits: &mut GameEdits) {
        if let Cow::Owned(bytes) = &self.bytes {
            edits.replace(self.span.clone(), bytes.clone());
        }
    }

    /// Returns whether the gap has more than blanks.
    pub(crate) fn is_stray_text(&self) -> bool {
        !is_blank(&self.bytes)
    }
}

#[derive(Clone, Debug)]
enum Content<'t> {
    Read(Property<'t>),
    Made(Vec<u8>, Framing),
}

#[derive(Clone, Debug)]
struct DraftProperty<'t> {
    content: Content<'t>,
    /// Place in the input; behind all places for a new property.
    span: Range<usize>,
    gap: Gap<'t>,
    is_new: bool,
    is_dropped: bool,
    /// Whether a new property stays before the next one. Otherwise it follows the one before.
    is_before_next: bool,
}

/// A node with changes. A property has a number, which stays valid when others are added or
/// dropped.
#[derive(Clone, Debug)]
pub(crate) struct NodeDraft<'t> {
    properties: Vec<DraftProperty<'t>>,
    /// Numbers of the properties in their order, dropped ones included.
    order: Vec<usize>,
    /// Place in the input after the `;`.
    start: usize,
    /// The bytes after the last property.
    tail: Gap<'t>,
}

/// Returns the place of the next `(`, `;` or `)` after a token.
pub(crate) fn end_of_structure(game: &GameRecord<'_>, index: usize) -> usize {
    let is_structure = |kind| {
        !matches!(
            kind,
            TokenKind::Property | TokenKind::Move | TokenKind::Problem
        )
    };
    let next = game.tokens()[index + 1..]
        .iter()
        .find(|token| is_structure(token.kind()));
    next.map_or(game.as_bytes().len(), |next| next.at())
}

impl<'t> NodeDraft<'t> {
    /// Returns the draft of a node.
    pub(crate) fn of_node(node: Node<'t>) -> Self {
        let game = node.game();
        Self::of(
            game.as_bytes(),
            0,
            node,
            end_of_structure(&game, node.token_index()),
        )
    }

    /// Returns the draft of a node whose game begins at `base` of `input`. The node extends to
    /// `end` of the input.
    pub(crate) fn of(input: &'t [u8], base: usize, node: Node<'t>, end: usize) -> Self {
        let game = node.game();
        let mut before = base + node.start() + usize::from(!node.is_inserted());
        // A node may have very many properties, so that the list must not grow by doubling.
        let count = node.properties().count();
        let mut draft = Self {
            properties: Vec::with_capacity(count + 1),
            order: Vec::with_capacity(count + 1),
            start: before,
            tail: Gap::new(b"", 0..0),
        };
        for (token, property) in node.properties() {
            let span = base + token.at()..base + game.end_of(token);
            let gap = Gap::new(input, before..span.start);
            before = span.end;
            draft.order.push(draft.properties.len());
            draft.properties.push(DraftProperty {
                content: Content::Read(property),
                span,
                gap,
                is_new: false,
                is_dropped: false,
                is_before_next: false,
            });
        }
        draft.tail = Gap::new(input, before..end.max(before));
        draft
    }

    /// Returns the gaps of the node, in order.
    pub(crate) fn gaps(&mut self) -> Vec<&mut Gap<'t>> {
        let gaps = self
            .properties
            .iter_mut()
            .filter(|property| !property.is_new)
            .map(|each| &mut each.gap);
        gaps.chain([&mut self.tail]).collect()
    }

    /// Returns whether text follows a property with an open `[` in its value, and so may be the
    /// rest of the value.
    pub(crate) fn may_have_rest_of_value(&self) -> bool {
        let count = |bytes: &[u8], wanted| memchr::memchr_iter(wanted, bytes).count();
        let has_open_bracket = |id| {
            let property = self.property(id);
            count(property.as_bytes(), b'[') > count(property.as_bytes(), b']')
        };
        let gaps_behind = self
            .properties
            .iter()
            .map(|property| &property.gap)
            .chain([&self.tail])
            .skip(1);
        gaps_behind
            .enumerate()
            .any(|(id, gap)| gap.is_stray_text() && has_open_bracket(id))
    }

    /// Returns the place in the input of the bytes after the node.
    pub(crate) fn end(&self) -> usize {
        self.tail.span.end
    }

    /// Returns the numbers of the properties, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = usize> + '_ {
        self.order
            .iter()
            .copied()
            .filter(|&id| !self.properties[id].is_dropped)
    }

    pub(crate) fn first(&self) -> Option<usize> {
        self.ids().next()
    }

    pub(crate) fn property(&self, id: usize) -> Property<'_> {
        match &self.properties[id].content {
            Content::Read(property) => *property,
            Content::Made(raw, framing) => Property::from_raw(raw, *framing),
        }
    }

    /// Returns the properties, in order.
    pub(crate) fn to_properties(&self) -> Vec<Property<'_>> {
        let mut properties = Vec::with_capacity(self.order.len());
        properties.extend(self.ids().map(|id| self.property(id)));
        properties
    }

    pub(crate) fn ident(&self, id: usize) -> Ident<'_> {
        self.property(id).ident()
    }

    /// Returns the first property with this canonical identifier.
    pub(crate) fn find(&self, canonical: &[u8]) -> Option<usize> {
        self.ids().find(|&id| self.ident(id).is(canonical))
    }

    /// Returns the start of a property in the input.
    pub(crate) fn start(&self, id: usize) -> usize {
        self.properties[id].span.start
    }

    /// Returns the property at a place of the input, or before it.
    pub(crate) fn at(&self, place: usize) -> Option<(usize, Range<usize>)> {
        let count = self
            .properties
            .partition_point(|property| property.span.start <= place);
        let id = count.checked_sub(1)?;
        Some((id, self.properties[id].span.clone()))
    }

    pub(crate) fn drop_property(&mut self, id: usize) {
        self.properties[id].is_dropped = true;
    }

    /// Replaces a property with `raw`: a whole property, from its identifier to its last `]`.
    pub(crate) fn replace(&mut self, id: usize, raw: Vec<u8>, framing: Framing) {
        self.properties[id].content = Content::Made(raw, framing);
    }

    pub(crate) fn rename(&mut self, id: usize, ident: &[u8]) {
        let old = self.property(id);
        let raw = [ident, &old.as_bytes()[old.ident().as_bytes().len()..]].concat();
        let framing = old.framing();
        self.replace(id, raw, framing);
    }

    /// Inserts a property before another, or after the last one.
    pub(crate) fn insert(&mut self, before: Option<usize>, raw: Vec<u8>, framing: Framing) {
        let place = match before {
            Some(before) => self
                .order
                .iter()
                .position(|&id| id == before)
                .unwrap_or(self.order.len()),
            None => self.ids().last().map_or(0, |last| {
                self.order.iter().position(|&id| id == last).unwrap_or(0) + 1
            }),
        };
        self.order.insert(place, self.properties.len());
        self.properties.push(DraftProperty {
            content: Content::Made(raw, framing),
            span: usize::MAX..usize::MAX,
            gap: Gap::new(b"", 0..0),
            is_new: true,
            is_dropped: false,
            is_before_next: before.is_some(),
        });
    }

    /// Replaces each value for which `edit` returns other bytes.
    pub(crate) fn edit_values(
        &mut self,
        id: usize,
        mut edit: impl FnMut(RawValue<'_>) -> Option<Vec<u8>>,
    ) {
        let property = self.property(id);
        let raw = property.as_bytes();
        let (mut out, mut copied) = (Vec::with_capacity(raw.len()), 0);
        for value in property.values() {
            let Some(new) = edit(value) else { continue };
            let start = value.as_bytes().as_ptr() as usize - raw.as_ptr() as usize;
            out.extend_from_slice(&raw[copied..start]);
            out.extend_from_slice(&new);
            copied = start + value.as_bytes().len();
        }
        out.extend_from_slice(&raw[copied..]);
        let framing = property.framing();
        self.replace(id, out, framing);
    }

    /// Sets a property to one value. Replaces the first property of that name, or inserts a new one
    /// before `before`. Returns whether something changed.
    pub(crate) fn set_property(
        &mut self,
        ident: &[u8],
        value: &[u8],
        before: Option<usize>,
    ) -> bool {
        let raw = [ident, b"[", value, b"]"].concat();
        match self.find(ident) {
            Some(found)
                if self
                    .property(found)
                    .only()
                    .is_some_and(|only| only.as_bytes() == value) =>
            {
                return false;
            }
            Some(found) => self.replace(found, raw, Framing::Value),
            None => self.insert(before, raw, Framing::Value),
        }
        true
    }

    /// Returns the place for a property that other properties depend on: before the first one that
    /// is neither FF nor GM.
    pub(crate) fn after_version_and_game(&self) -> Option<usize> {
        self.ids()
            .find(|&id| !self.ident(id).is(b"FF") && !self.ident(id).is(b"GM"))
    }

    /// Closes the last value with a `]`, if the input ended inside of it.
    pub(crate) fn close_last_value(&mut self) {
        let Some(last) = self.ids().last() else {
            return;
        };
        let property = self.property(last);
        let Some((kept, end)) = closed(&property) else {
            return;
        };
        let raw = [&property.as_bytes()[..kept], end.as_bytes()].concat();
        let framing = property.framing();
        self.replace(last, raw, framing);
    }

    /// Splits the node. `numbers` has the number of the node that each property goes to, in order:
    /// 0 if it stays. Returns the bytes of the other nodes.
    pub(crate) fn split(&mut self, numbers: &[usize]) -> Vec<Vec<u8>> {
        let mut others = vec![b";".to_vec(); numbers.iter().copied().max().unwrap_or(0)];
        let ids: Vec<usize> = self.ids().collect();
        for (id, &number) in ids
            .into_iter()
            .zip(numbers)
            .filter(|(_, number)| **number > 0)
        {
            others[number - 1].extend_from_slice(self.property(id).as_bytes());
            self.drop_property(id);
        }
        others
    }

    /// Adds the replacements of the changes. The blanks before a property go with it.
    pub(crate) fn write(&self, edits: &mut GameEdits) {
        let mut end = self.start;
        for (index, &id) in self.order.iter().enumerate() {
            let property = &self.properties[id];
            let span = &property.span;
            if property.is_new {
                if !property.is_dropped {
                    let at = if property.is_before_next {
                        self.start_of_next(index)
                    } else {
                        end
                    };
                    edits.insert(at, self.property(id).as_bytes());
                }
                continue;
            }
            if property.is_dropped {
                let is_blank = !property.gap.is_stray_text();
                if !is_blank {
                    property.gap.write(edits);
                }
                edits.delete(if is_blank {
                    property.gap.span.start..span.end
                } else {
                    span.clone()
                });
                continue;
            }
            property.gap.write(edits);
            if let Content::Made(raw, _) = &property.content {
                edits.replace(span.clone(), raw.clone());
            }
            end = span.end;
        }
        self.tail.write(edits);
    }

    /// Returns the place before the next property of the input.
    fn start_of_next(&self, index: usize) -> usize {
        for &id in &self.order[index + 1..] {
            let next = &self.properties[id];
            if !next.is_new {
                let goes_with_blanks = next.is_dropped && !next.gap.is_stray_text();
                return if goes_with_blanks {
                    next.gap.span.start
                } else {
                    next.span.start
                };
            }
        }
        self.tail.span.start
    }
}
