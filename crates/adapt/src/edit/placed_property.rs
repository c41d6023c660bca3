//! Properties with their places in the game.

use std::ops::Range;

use sgfstream::record::{GameRecord, Node, Token, TokenKind};
use sgfstream::{Ident, Property, RawValue};

/// A property with its place in the bytes of the game.
#[derive(Clone, Debug)]
pub struct PlacedProperty<'t> {
    /// The property.
    pub property: Property<'t>,
    /// Bytes of the property, from its identifier to its last `]`.
    pub span: Range<usize>,
    /// End of the property or the `;` before it.
    pub before: usize,
    /// Start of its node.
    pub node: usize,
    /// Whether the node is the root.
    pub in_root: bool,
}

impl<'t> PlacedProperty<'t> {
    /// Returns the properties of a game whose identifiers `wants` accepts. It is asked once for
    /// most identifiers in the root, and once below.
    pub fn wanted<F: FnMut(Ident<'t>, bool) -> bool>(
        game: GameRecord<'t>,
        wants: F,
    ) -> WantedProperties<'t, F> {
        WantedProperties {
            game,
            next: 0,
            root_end: game.tokens().len() - game.after_root(game.tokens()).len(),
            before: 0,
            node: 0,
            run: Token::default(),
            number: 0,
            wants,
            answers: [None; KEYS],
        }
    }

    /// Returns the bytes of the identifier.
    #[must_use]
    pub fn ident_span(&self) -> Range<usize> {
        self.span.start..self.span.start + self.property.ident().as_bytes().len()
    }

    /// Returns the bytes between the brackets of a value of this property.
    #[must_use]
    pub fn value_span(&self, value: RawValue<'t>) -> Range<usize> {
        let offset =
            value.as_bytes().as_ptr() as usize - self.property.as_bytes().as_ptr() as usize;
        let start = self.span.start + offset;
        start..start + value.as_bytes().len()
    }

    /// Returns the bytes to delete if the property is dropped: the blanks before a property go with
    /// it, stray text stays.
    #[must_use]
    pub fn with_blanks(&self, game: &GameRecord<'t>) -> Range<usize> {
        let is_blank = is_blank(&game.as_bytes()[self.before..self.span.start]);
        if is_blank {
            self.before..self.span.end
        } else {
            self.span.clone()
        }
    }
}

/// Returns the nodes of a game that have a property whose identifier `wants` accepts.
pub(super) fn nodes_with<'t>(
    game: GameRecord<'t>,
    mut wants: impl FnMut(Ident<'t>) -> bool,
) -> impl Iterator<Item = Node<'t>> {
    let mut nodes = game.nodes();
    let mut last = None;
    let wanted = PlacedProperty::wanted(game, move |ident, _| wants(ident));
    wanted.filter_map(move |placed| match last.replace(placed.node) {
        Some(before) if before == placed.node => None,
        _ => nodes.find(|node| node.start() == placed.node),
    })
}

/// Returns whether a gap has only blanks. A NUL counts as a blank, because the reader reads it as
/// one.
pub(crate) fn is_blank(gap: &[u8]) -> bool {
    gap.iter()
        .all(|&byte| matches!(byte, b' ' | b'\t'..=b'\r' | 0))
}

/// Number of keys of identifiers.
const KEYS: usize = 1 << 10;

/// Iterator over some properties of a game: see [`PlacedProperty::wanted`].
#[derive(Debug)]
pub struct WantedProperties<'t, F> {
    game: GameRecord<'t>,
    /// Index of the next token.
    next: usize,
    /// Index of the first token after the root.
    root_end: usize,
    before: usize,
    node: usize,
    /// The current run, and the number of its next move.
    run: Token,
    number: usize,
    wants: F,
    /// For each key, the answer of `wants`.
    answers: [Option<bool>; KEYS],
}

impl<'t, F: FnMut(Ident<'t>, bool) -> bool> WantedProperties<'t, F> {
    fn is_wanted(&mut self, key: Option<u16>, ident: Ident<'t>, in_root: bool) -> bool {
        match key.map(usize::from) {
            Some(key) if key < KEYS && !in_root => {
                let wants = &mut self.wants;
                *self.answers[key].get_or_insert_with(|| wants(ident, false))
            }
            _ => (self.wants)(ident, in_root),
        }
    }

    /// Returns whether plain moves with this letter are wanted.
    fn is_move_wanted(&mut self, letter: u8, in_root: bool) -> bool {
        let name: &'static [u8] = if letter == b'B' { b"B" } else { b"W" };
        self.is_wanted(Some(u16::from(letter & 31) << 5), Ident::new(name), in_root)
    }

    /// Returns the next move or other token, and whether it is in the root.
    fn next_token(&mut self) -> Option<(Token, bool)> {
        if self.number < self.run.nodes() {
            let token = self.run.of_run(self.number);
            self.number += 1;
            (self.node, self.before) = (token.at() - 1, token.at());
            return Some((token, false));
        }
        let token = *self.game.tokens().get(self.next)?;
        self.next += 1;
        Some((token, self.next <= self.root_end))
    }
}

impl<'t, F: FnMut(Ident<'t>, bool) -> bool> Iterator for WantedProperties<'t, F> {
    type Item = PlacedProperty<'t>;

    fn next(&mut self) -> Option<PlacedProperty<'t>> {
        while let Some((token, in_root)) = self.next_token() {
            let (at, end) = (token.at(), self.game.end_of(token));
            let is_wanted = match token.kind() {
                TokenKind::Problem => continue,
                TokenKind::Run => {
                    let has_wanted =
                        self.is_move_wanted(b'B', false) || self.is_move_wanted(b'W', false);
                    // Only the last node can have further properties.
                    self.number = if has_wanted { 0 } else { token.nodes() - 1 };
                    self.run = token;
                    continue;
                }
                TokenKind::Open | TokenKind::Close => false,
                TokenKind::Node => {
                    self.node = at;
                    false
                }
                TokenKind::Move => self.is_move_wanted(self.game.as_bytes()[at], in_root),
                TokenKind::Property => {
                    self.is_wanted(token.key(), self.game.property(token).ident(), in_root)
                }
            };
            let before = std::mem::replace(&mut self.before, end);
            if is_wanted {
                let property = self.game.property(token);
                return Some(PlacedProperty {
                    property,
                    span: at..end,
                    before,
                    node: self.node,
                    in_root,
                });
            }
        }
        None
    }
}
