//! Properties with their places in the game.

use std::ops::Range;

use sgfstream::record::{GameRecord, Node, Token};
use sgfstream::{Property, RawValue};

/// A property with its place in the bytes of the game.
#[derive(Clone, Debug)]
pub struct PlacedProperty<'t> {
    /// The property.
    pub property: Property<'t>,
    /// The token.
    pub token: Token,
    /// Bytes of the property, from its identifier to its last `]`.
    pub span: Range<usize>,
    /// End of the property or the `;` before it.
    pub before: usize,
}

impl<'t> PlacedProperty<'t> {
    /// Returns the properties of a node.
    pub fn of_node(node: Node<'t>) -> impl Iterator<Item = Self> {
        let game = node.game();
        let mut before = node.start() + usize::from(!node.is_inserted());
        node.properties().map(move |(token, property)| {
            let placed = Self { property, token, span: token.at()..game.end_of(token), before };
            before = placed.span.end;
            placed
        })
    }

    /// Returns the bytes of the identifier.
    #[must_use]
    pub fn ident_span(&self) -> Range<usize> {
        self.span.start..self.span.start + self.property.ident().as_bytes().len()
    }

    /// Returns the bytes between the brackets of a value of this property.
    #[must_use]
    pub fn value_span(&self, value: RawValue<'t>) -> Range<usize> {
        let offset = value.as_bytes().as_ptr() as usize - self.property.as_bytes().as_ptr() as usize;
        let start = self.span.start + offset;
        start..start + value.as_bytes().len()
    }

    /// Returns the bytes between the brackets of the first value.
    #[must_use]
    pub fn first_value(&self) -> Range<usize> {
        self.value_span(self.property.first())
    }

    /// Returns the bytes to delete if the property is dropped: the blanks before a property go with it, stray text stays.
    #[must_use]
    pub fn with_blanks(&self, game: &GameRecord<'t>) -> Range<usize> {
        let is_blank = is_blank(&game.as_bytes()[self.before..self.span.start]);
        if is_blank { self.before..self.span.end } else { self.span.clone() }
    }
}

/// Returns whether a gap has only blanks. A NUL counts as a blank, because the reader reads it as one.
pub(crate) fn is_blank(gap: &[u8]) -> bool {
    gap.iter().all(|&byte| matches!(byte, b' ' | b'\t'..=b'\r' | 0))
}
