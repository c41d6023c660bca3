//! Moves as the file writes them.

use std::borrow::Cow;

use sgfstream::{Ident, Property, RawValue, Values};

use crate::game::{Game, MoveIds};

/// Move as the file writes it: one value of a property that contains moves or, in Pentobi's games,
/// all values of the property (spec P-39).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RawMove<'a> {
    /// Identifier of the property.
    pub ident: Ident<'a>,
    /// Color that plays, from 1: Black, or the first color.
    pub color: u8,
    /// Number of the move on the main line, from 1. It has no meaning in variations.
    pub ply: u64,
    /// The value; the first one if there are several.
    pub value: RawValue<'a>,
    /// The property, if all its values are one move.
    pub(super) joined: Option<Property<'a>>,
}

impl<'a> RawMove<'a> {
    /// Returns the value as newer files write it: several values are joined with commas.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> Cow<'a, [u8]> {
        match self.joined {
            None => Cow::Borrowed(self.value.as_bytes()),
            Some(property) => join(&property),
        }
    }
}

fn join<'a>(property: &Property<'a>) -> Cow<'a, [u8]> {
    if let Some(only) = property.only() {
        return Cow::Borrowed(only.as_bytes());
    }
    let values: Vec<_> = property.values().map(RawValue::as_bytes).collect();
    Cow::Owned(values.join(&b","[..]))
}

/// Iterator over the moves of one property.
#[derive(Clone, Debug, Default)]
pub struct Moves<'a>(pub(super) Option<MovesOf<'a>>);

#[derive(Clone, Debug)]
pub(super) struct MovesOf<'a> {
    pub(super) property: Property<'a>,
    pub(super) values: Values<'a>,
    pub(super) color: u8,
    pub(super) ply: u64,
    pub(super) is_joined: bool,
}

impl<'a> Moves<'a> {
    /// Returns the moves of a property in `game`. The first has number 1.
    #[must_use]
    pub fn of(game: Game, property: &Property<'a>) -> Self {
        Self::from(game.move_ids(), game.variant().is_some(), property, 0)
    }

    /// Returns the moves of a property after `ply` others. If `is_joined`, all its values are one
    /// move.
    #[inline]
    pub(super) fn from(ids: MoveIds, is_joined: bool, property: &Property<'a>, ply: u64) -> Self {
        let moves = |color| MovesOf {
            property: *property,
            values: property.values(),
            color,
            ply,
            is_joined,
        };
        Self(ids.color_of(property).map(moves))
    }
}

impl<'a> Iterator for Moves<'a> {
    type Item = RawMove<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawMove<'a>> {
        let moves = self.0.as_mut()?;
        let value = moves.values.next()?;
        moves.ply += 1;
        let MovesOf {
            property,
            color,
            ply,
            is_joined,
            ..
        } = *moves;
        if is_joined {
            self.0 = None;
        }
        Some(RawMove {
            ident: property.ident(),
            color,
            ply,
            value,
            joined: is_joined.then_some(property),
        })
    }
}
