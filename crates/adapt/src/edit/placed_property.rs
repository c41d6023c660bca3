//! Properties with their places in the game.

use std::ops::Range;

use sgfstream::record::{GameRecord, Node, Token, TokenKind};
use sgfstream::{Framing, Ident, Property, RawValue};

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
    /// Returns the properties of a node.
    pub fn of_node(node: Node<'t>) -> impl Iterator<Item = Self> {
        let game = node.game();
        let start = node.start();
        let in_root = game.root().is_some_and(|root| root.token_index() == node.token_index());
        let mut before = start + usize::from(!node.is_inserted());
        node.properties().map(move |(token, property)| {
            let span = token.at()..game.end_of(token);
            let placed = Self { property, span, before, node: start, in_root };
            before = placed.span.end;
            placed
        })
    }

    /// Returns the properties of a game whose identifiers `wants` accepts. It is asked once for most identifiers in the root,
    /// and once below.
    pub fn wanted<F: FnMut(Ident<'t>, bool) -> bool>(game: GameRecord<'t>, wants: F) -> WantedProperties<'t, F> {
        WantedProperties {
            game,
            tokens: game.tokens(),
            next: 0,
            root_end: game.tokens().len() - game.after_root(game.tokens()).len(),
            before: 0,
            node: 0,
            run: (0, 0, 0),
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
        let offset = value.as_bytes().as_ptr() as usize - self.property.as_bytes().as_ptr() as usize;
        let start = self.span.start + offset;
        start..start + value.as_bytes().len()
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

/// Number of keys of identifiers.
const KEYS: usize = 1 << 10;

/// Iterator over some properties of a game: see [`PlacedProperty::wanted`].
#[derive(Debug)]
pub struct WantedProperties<'t, F> {
    game: GameRecord<'t>,
    tokens: &'t [Token],
    /// Index of the next token.
    next: usize,
    /// Index of the first token after the root.
    root_end: usize,
    before: usize,
    node: usize,
    /// Place of the next move of a run, bytes from move to move, and number of moves.
    run: (usize, usize, usize),
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

    /// Returns whether a plain move with this letter is wanted.
    fn is_move_wanted(&mut self, letter: u8, in_root: bool) -> bool {
        let name: &'static [u8] = if letter == b'B' { b"B" } else { b"W" };
        self.is_wanted(Some(u16::from(letter & 31) << 5), Ident::new(name), in_root)
    }

    fn plain_move(&self, at: usize, in_root: bool) -> PlacedProperty<'t> {
        let raw = &self.game.as_bytes()[at..at + 5];
        let property = Property::new(raw, 1, Framing::Auto, true).with_charset(self.game.charset());
        PlacedProperty { property, span: at..at + 5, before: self.before, node: self.node, in_root }
    }

    /// Returns the next wanted move of the run.
    fn next_of_run(&mut self) -> Option<PlacedProperty<'t>> {
        while self.run.2 > 0 {
            let (at, stride, left) = self.run;
            self.run = (at + stride, stride, left - 1);
            (self.node, self.before) = (at - 1, at);
            let letter = self.game.as_bytes()[at];
            let placed = self.plain_move(at, false);
            self.before = at + 5;
            if self.is_move_wanted(letter, false) {
                return Some(placed);
            }
        }
        None
    }

    fn start_run(&mut self, token: Token) {
        let mut places = token.places();
        let first = places.next().unwrap_or(token.at() + 1);
        let stride = places.next().map_or(6, |second| second - first);
        self.run = (first, stride, token.nodes());
        if !self.is_move_wanted(b'B', false) && !self.is_move_wanted(b'W', false) {
            // Only the last node can have further properties.
            let last = first + (token.nodes() - 1) * stride;
            (self.node, self.before, self.run.2) = (last - 1, last + 5, 0);
        }
    }
}

impl<'t, F: FnMut(Ident<'t>, bool) -> bool> Iterator for WantedProperties<'t, F> {
    type Item = PlacedProperty<'t>;

    fn next(&mut self) -> Option<PlacedProperty<'t>> {
        loop {
            if self.run.2 > 0
                && let Some(placed) = self.next_of_run()
            {
                return Some(placed);
            }
            let &token = self.tokens.get(self.next)?;
            let in_root = self.next < self.root_end;
            self.next += 1;
            let (at, end) = (token.at(), self.game.end_of(token));
            match token.kind() {
                TokenKind::Problem => continue,
                TokenKind::Open | TokenKind::Close => {}
                TokenKind::Node => self.node = at,
                TokenKind::Run => {
                    self.start_run(token);
                    continue;
                }
                TokenKind::Move => {
                    let placed = self.plain_move(at, in_root);
                    self.before = end;
                    if self.is_move_wanted(self.game.as_bytes()[at], in_root) {
                        return Some(placed);
                    }
                    continue;
                }
                TokenKind::Property => {
                    let property = self.game.property(token);
                    let before = std::mem::replace(&mut self.before, end);
                    if self.is_wanted(token.key(), property.ident(), in_root) {
                        return Some(PlacedProperty { property, span: at..end, before, node: self.node, in_root });
                    }
                    continue;
                }
            }
            self.before = end;
        }
    }
}
