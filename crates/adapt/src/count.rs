//! The sums that cost next to nothing: games, nodes, moves and their like.

use sgfstream::{Event, Flow, Place, Property, Sink};
use sgfstream_game::{GameState, RootRetention, Step};

/// Counts games, nodes, moves and their like.
///
/// ```
/// use sgfstream::{EventReader, SliceReader};
/// use sgfstream_adapt::Count;
///
/// let mut count = Count::default();
/// SliceReader::new(b"(;GM[1]AB[dd][pp];W[dp](;B[pd])(;B[dc]))").drive(&mut count)?;
/// assert_eq!((count.games, count.nodes, count.moves(), count.variations), (1, 4, 3, 2));
/// assert_eq!((count.properties(), count.values()), (5, 6));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Count {
    /// Game trees.
    pub games: u64,
    /// Nodes.
    pub nodes: u64,
    /// Variations: every `(` below a game's own.
    pub variations: u64,
    /// Plain moves: one property with one value each. In one number, as it takes longer to add to three of them than to read a move.
    plain: u64,
    /// All others.
    properties: u64,
    values: u64,
    moves: u64,
    pub(super) state: GameState,
}

impl Default for Count {
    fn default() -> Self {
        Self::holding(RootRetention::Moves)
    }
}

impl Count {
    /// Counts of nothing; `hold` is for those who ask the state for more.
    pub(super) fn holding(hold: RootRetention) -> Self {
        let state = GameState::new(hold);
        Self { games: 0, nodes: 0, variations: 0, plain: 0, properties: 0, values: 0, moves: 0, state }
    }

    /// Properties.
    #[must_use]
    pub fn properties(&self) -> u64 {
        self.properties + self.plain
    }

    /// Values.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.values + self.plain
    }

    /// The moves of all lines, as [`GameState`] defines a move.
    #[must_use]
    pub fn moves(&self) -> u64 {
        // Those of a root that has not ended are not in the sum.
        self.moves + self.plain + if self.state.in_root() { self.state.root_moves().count() as u64 } else { 0 }
    }

    /// Adds the counts of another input.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.nodes += other.nodes;
        self.variations += other.variations;
        self.plain += other.plain;
        self.properties += other.properties;
        self.values += other.values;
        self.moves += other.moves() - other.plain;
    }

    /// Counts a move with one value of two bytes.
    #[inline(always)]
    pub(super) fn add_move(&mut self) {
        self.plain += 1;
    }

    /// Counts any other event, and says what it is to its game.
    #[inline(always)]
    pub(super) fn add(&mut self, event: &Event<'_>, place: &Place) -> Step {
        let step = self.state.event(event, place);
        match *event {
            Event::Property(property) => self.add_property(property, step),
            Event::NodeStart { .. } => self.nodes += 1,
            Event::VariationStart { .. } if place.depth == 1 => self.games += 1,
            Event::VariationStart { .. } => self.variations += 1,
            _ => self.add_pieces(event, step),
        }
        if step == Step::RootEnd {
            self.moves += self.state.root_moves().count() as u64;
        }
        step
    }

    #[inline(never)]
    fn add_property(&mut self, property: Property<'_>, step: Step) {
        self.properties += 1;
        self.values += property.value_count();
        if matches!(step, Step::Moves | Step::RootEnd) {
            self.moves += self.state.moves(&property).count() as u64;
        }
    }

    #[cold]
    fn add_pieces(&mut self, event: &Event<'_>, step: Step) {
        for piece in event.pieces() {
            self.properties += u64::from(piece.is_property_start());
            self.values += u64::from(piece.is_value_start());
            let is_move = matches!(step, Step::Moves | Step::RootEnd) && self.state.part_move(&piece).is_some();
            self.moves += u64::from(is_move);
        }
    }
}

impl Sink for Count {
    const PLAYS: bool = true;

    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        _ = self.add(event, place);
        Flow::Go
    }

    // No caller asks the state for its own counts of nodes and moves.
    #[inline(always)]
    fn node(&mut self, place: &Place) -> Flow {
        if self.state.is_after_root() {
            self.nodes += 1;
            return Flow::Go;
        }
        self.event(&Event::NodeStart { supplied: false }, place)
    }

    #[inline(always)]
    fn play(&mut self, _: u8, _: [u8; 2], property: &Property<'_>, place: &Place) -> Flow {
        if self.state.is_after_root() {
            self.add_move();
            return Flow::Go;
        }
        self.event(&Event::Property(*property), place)
    }
}
