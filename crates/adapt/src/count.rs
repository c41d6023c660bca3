//! A sink that counts games, nodes, variations, moves, properties and values, and does little else.

use sgfstream::{Event, Flow, Place, Property, PropertyPart, Sink};
use sgfstream_game::{GameState, RootRetention, Step};

/// Sink that counts games, nodes, variations, moves, properties and values.
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
    /// Plain moves: properties with one value. Each is a move, a property and a value, and one counter serves for all three,
    /// because three additions take longer than reading the move.
    plain: u64,
    /// Properties that are not plain moves.
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
    /// Returns counters at zero. `hold` selects the properties of the root that the state buffers for its own caller.
    pub(super) fn holding(hold: RootRetention) -> Self {
        let state = GameState::new(hold);
        Self { games: 0, nodes: 0, variations: 0, plain: 0, properties: 0, values: 0, moves: 0, state }
    }

    /// Returns the number of properties.
    #[must_use]
    pub fn properties(&self) -> u64 {
        self.properties + self.plain
    }

    /// Returns the number of values.
    #[must_use]
    pub fn values(&self) -> u64 {
        self.values + self.plain
    }

    /// Returns the number of moves in all lines; [`GameState`] defines what a move is.
    #[must_use]
    pub fn moves(&self) -> u64 {
        // `self.moves` gets the moves of a root when the root ends, so count those of an open root here.
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

    /// Counts any other event, and passes it to the state of its game.
    #[inline(always)]
    pub(super) fn add(&mut self, event: &Event<'_>, place: &Place) -> Step {
        let step = self.state.event(event, place);
        match *event {
            Event::Property(property) => self.add_property(property, step),
            Event::NodeStart { .. } => self.nodes += 1,
            Event::VariationStart { .. } if place.depth == 1 => self.games += 1,
            Event::VariationStart { .. } => self.variations += 1,
            Event::PropertyPart(part) => self.add_part(part, step),
            _ => {}
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
    fn add_part(&mut self, part: PropertyPart<'_>, step: Step) {
        self.properties += u64::from(part.is_property_start());
        self.values += u64::from(part.is_value_start());
        let is_move = matches!(step, Step::Moves | Step::RootEnd) && self.state.part_move(&part).is_some();
        self.moves += u64::from(is_move);
    }
}

impl Sink for Count {
    const PLAYS: bool = true;

    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        _ = self.add(event, place);
        Flow::Go
    }

    // Skip the state after the root, because no caller asks it for its own counts of nodes and moves.
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
