//! The sums that cost next to nothing: games, nodes, moves and their like.

use crate::event::{Event, Flow, Ident, Place, Property, Sink};
use crate::game::{Game, MoveIds};

/// Identifiers that are moves in some dialects only.
const DIALECT_MOVES: [&[u8]; 10] = [b"1", b"2", b"3", b"4", b"BLUE", b"YELLOW", b"RED", b"GREEN", b"P0", b"P1"];

/// Counts what it is given.
///
/// ```
/// use sgfstream::{SliceReader, adapt::Count};
///
/// let mut count = Count::default();
/// SliceReader::new(b"(;GM[1]AB[dd][pp];W[dp](;B[pd])(;B[dc]))").drive(&mut count);
/// assert_eq!((count.games, count.nodes, count.moves(), count.variations), (1, 4, 3, 2));
/// assert_eq!((count.properties, count.values), (5, 6));
/// ```
#[derive(Clone, Debug)]
pub struct Count {
    /// Game trees.
    pub games: u64,
    /// Nodes.
    pub nodes: u64,
    /// Variations: every `(` below a game's own.
    pub variations: u64,
    /// Properties.
    pub properties: u64,
    /// Values.
    pub values: u64,
    moves: u64,
    ids: MoveIds,
    /// Nodes of the current game; in its first, GM may still come.
    game_nodes: u64,
    root_moves: [u64; DIALECT_MOVES.len()],
}

impl Default for Count {
    fn default() -> Self {
        Self {
            games: 0,
            nodes: 0,
            variations: 0,
            properties: 0,
            values: 0,
            moves: 0,
            ids: Game::Go.move_ids(),
            game_nodes: 0,
            root_moves: [0; DIALECT_MOVES.len()],
        }
    }
}

impl Count {
    /// Values of the properties that are moves in their game's dialect: `B` and
    /// `W` everywhere, `1` to `4` in Pentobi's games, `P0` and `P1` in
    /// Boardspace's.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves + self.pending_moves()
    }

    /// Adds the counts of another, whose input stands beside this one's.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.nodes += other.nodes;
        self.variations += other.variations;
        self.properties += other.properties;
        self.values += other.values;
        self.moves += other.moves();
    }

    /// A property `B` or `W` of so many values: nearly every property there is.
    #[inline(always)]
    pub(super) fn add_move(&mut self, values: u64) {
        self.properties += 1;
        self.values += values;
        self.moves += values;
    }

    #[inline(always)]
    pub(super) fn add_node(&mut self) {
        self.nodes += 1;
        self.game_nodes += 1;
    }

    fn pending_moves(&self) -> u64 {
        let counted = DIALECT_MOVES.iter().zip(self.root_moves);
        counted.filter(|(ident, _)| self.ids.contains(Ident::new(ident))).map(|(_, count)| count).sum()
    }

    #[cold]
    #[inline(never)]
    fn special(&mut self, property: &Property<'_>) {
        let values = property.value_count();
        self.properties += 1;
        self.values += values;
        let ident = property.ident();
        if self.game_nodes != 1 {
            if self.ids.is_move(property) {
                self.moves += values;
            }
        } else if ident.is(b"GM") {
            self.ids = Game::parse_lenient(property.first().as_bytes()).value.move_ids();
        } else if ident.is(b"B") || ident.is(b"W") {
            self.moves += values;
        } else if let Some(at) = DIALECT_MOVES.iter().position(|moves| ident.is(moves))
            && !property.first().as_bytes().starts_with(b"id ")
        {
            self.root_moves[at] += values;
        }
    }

    #[cold]
    #[inline(never)]
    fn start_game(&mut self) {
        self.moves += self.pending_moves();
        self.root_moves = Default::default();
        self.ids = Game::Go.move_ids();
        self.games += 1;
        self.game_nodes = 0;
    }
}

impl Sink for Count {
    // In the arm of each kind of event, only what counts that kind is left.
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        match event {
            Event::Property(property) => match property.ident().as_bytes() {
                [b'B' | b'W'] => self.add_move(property.value_count()),
                _ => self.special(property),
            },
            Event::NodeStart { .. } => self.add_node(),
            Event::VariationStart { .. } if place.depth == 1 => self.start_game(),
            Event::VariationStart { .. } => self.variations += 1,
            Event::PropertyPart(part) => {
                self.properties += u64::from(part.is_property_start());
                if part.is_value_start() {
                    self.values += 1;
                    self.moves += u64::from(self.ids.contains(part.ident()));
                }
            }
            _ => {}
        }
        Flow::Go
    }
}
