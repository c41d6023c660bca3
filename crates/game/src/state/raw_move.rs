//! A move as it is written.

use std::borrow::Cow;

use sgfstream::{Ident, Property, RawValue, Values};

use crate::game::{Game, MoveIds};

/// A move as a game writes it: one value of a property that holds moves, or,
/// in Pentobi's games, all of them (spec P-39).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RawMove<'a> {
    /// The identifier of its property.
    pub ident: Ident<'a>,
    /// Who plays, from 1: Black, or the first colour.
    pub color: u8,
    /// Which move of the main line it is, from 1. Without meaning elsewhere.
    pub ply: u64,
    /// Its value, or the first of them.
    pub value: RawValue<'a>,
    /// All its values are one move.
    pub(super) joined: Option<Property<'a>>,
}

impl<'a> RawMove<'a> {
    /// Its values: one, but for old moves of Pentobi's games, which have one
    /// for each point.
    pub fn values(&self) -> impl Iterator<Item = RawValue<'a>> + use<'a> {
        let single = self.joined.is_none().then_some(self.value);
        single.into_iter().chain(self.joined.into_iter().flat_map(|property| property.values()))
    }

    /// Its value as newer files write it: several have commas between them.
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

/// The moves of one property.
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
    /// The moves of a property in this game, from number 1.
    #[must_use]
    pub fn of(game: Game, property: &Property<'a>) -> Self {
        Self::from(game.move_ids(), game.variant().is_some(), property, 0)
    }

    /// The moves of a property, after so many others; with `is_joined` all its values are one.
    #[inline]
    pub(super) fn from(ids: MoveIds, is_joined: bool, property: &Property<'a>, ply: u64) -> Self {
        let color = ids.color(property.ident()).filter(|_| ids.is_move(property));
        let (property, values) = (*property, property.values());
        Self(color.map(|color| MovesOf { property, values, color, ply, is_joined }))
    }
}

impl<'a> Iterator for Moves<'a> {
    type Item = RawMove<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawMove<'a>> {
        let moves = self.0.as_mut()?;
        let value = moves.values.next()?;
        moves.ply += 1;
        let MovesOf { property, color, ply, is_joined, .. } = *moves;
        if is_joined {
            self.0 = None;
        }
        Some(RawMove { ident: property.ident(), color, ply, value, joined: is_joined.then_some(property) })
    }
}
