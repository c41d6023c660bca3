//! A sink that counts games, nodes, variations, moves, properties and values, and does little else.

use sgfstream::{Event, Flow, Framing, Ident, Place, Property, PropertyPart, Sink};
use sgfstream_game::{
    Game,
    facts::Moves,
    internal::{Key, MoveIds},
};

/// Maximum bytes of the properties of a root that may be moves. Beyond them, the game is the one
/// known so far.
const ROOT_MAX: usize = 1 << 20;

/// Sink that counts games, nodes, variations, moves, properties and values, in games of any size.
///
/// Only `GM` shows which properties are moves. It may follow the moves of a root, so these are
/// counted when the root ends.
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
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Number of games that have begun.
    pub games: u64,
    /// Number of nodes, including roots and variations.
    pub nodes: u64,
    /// Variations: every `(` below a game's own.
    pub variations: u64,
    /// Plain moves: properties with one value. One counter for moves, properties and values,
    /// because three additions take longer than reading the move.
    plain: u64,
    /// Properties that are not plain moves.
    properties: u64,
    values: u64,
    moves: u64,
    line_moves: u64,
    /// Number of moves before the game, while its main line is open.
    line_start: Option<u64>,
    /// Whether nodes and plain moves need no further look: the root has ended, and `B` and `W` are
    /// moves.
    is_plain: bool,
    in_root: bool,
    /// Whether the root's `;` was read.
    has_root: bool,
    /// The game, once its `GM` was read.
    game: Option<Game>,
    /// Properties of the root that may be moves.
    root: Vec<(Vec<u8>, Framing)>,
    root_bytes: usize,
    /// Counts before the open game.
    before: Option<Before>,
}

/// Counts before a game.
#[derive(Clone, Copy, Debug)]
struct Before {
    games: u64,
    nodes: u64,
    variations: u64,
    plain: u64,
    properties: u64,
    values: u64,
    moves: u64,
    line_moves: u64,
}

impl Count {
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

    /// Returns the number of moves in all lines.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves + self.plain + self.root_moves()
    }

    /// Returns the number of moves of main lines.
    #[must_use]
    pub fn main_line_moves(&self) -> u64 {
        self.line_moves + self.line_start.map_or(0, |start| self.moves() - start)
    }

    /// Adds the counts of another input.
    pub fn merge(&mut self, other: &Self) {
        self.end_line();
        self.games += other.games;
        self.nodes += other.nodes;
        self.variations += other.variations;
        self.plain += other.plain;
        self.properties += other.properties;
        self.values += other.values;
        self.moves += other.moves() - other.plain;
        self.line_moves += other.main_line_moves();
    }

    /// Drops the counts of a game that was not read to its end, because the input broke.
    ///
    /// ```
    /// use std::io::{self, Read};
    ///
    /// use sgfstream::{EventReader, Reader};
    /// use sgfstream_adapt::Count;
    ///
    /// struct Broken;
    ///
    /// impl Read for Broken {
    ///     fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
    ///         Err(io::Error::other("connection lost"))
    ///     }
    /// }
    ///
    /// let mut count = Count::default();
    /// let input = b"(;B[aa];W[bb])(;B[cc];W[d".chain(Broken);
    /// assert!(Reader::new(input).drive(&mut count).is_err());
    /// count.drop_open_game();
    /// assert_eq!((count.games, count.nodes, count.moves()), (1, 2, 2));
    /// ```
    pub fn drop_open_game(&mut self) {
        let Some(before) = self.before.take() else {
            return;
        };
        (self.games, self.nodes, self.variations) = (before.games, before.nodes, before.variations);
        (self.plain, self.properties, self.values) =
            (before.plain, before.properties, before.values);
        (self.moves, self.line_moves, self.line_start) = (before.moves, before.line_moves, None);
        self.root.clear();
        self.in_root = false;
    }

    fn game(&self) -> Game {
        self.game.unwrap_or(Game::Go)
    }

    /// Returns the number of moves of a root that is still open.
    fn root_moves(&self) -> u64 {
        let mut moves = 0;
        for (bytes, framing) in &self.root {
            moves += Moves::of(self.game(), &Property::from_raw(bytes, *framing)).count() as u64;
        }
        moves
    }

    fn start_game(&mut self) {
        self.end_root();
        self.end_line();
        self.before = Some(Before {
            games: self.games,
            nodes: self.nodes,
            variations: self.variations,
            plain: self.plain,
            properties: self.properties,
            values: self.values,
            moves: self.moves,
            line_moves: self.line_moves,
        });
        self.games += 1;
        self.line_start = Some(self.moves());
        (self.is_plain, self.in_root, self.has_root, self.game) = (false, true, false, None);
    }

    fn end_root(&mut self) {
        if self.in_root {
            self.moves += self.root_moves();
            self.root.clear();
            self.root_bytes = 0;
            self.in_root = false;
            self.is_plain = self.game().move_ids().contains(Ident::new(b"B"));
        }
    }

    fn end_line(&mut self) {
        self.line_moves = self.main_line_moves();
        self.line_start = None;
    }

    #[inline(never)]
    fn add_node(&mut self) {
        self.nodes += 1;
        if self.has_root {
            self.end_root();
        }
        self.has_root = true;
    }

    #[inline(never)]
    fn add_property(&mut self, property: &Property<'_>) {
        self.properties += 1;
        self.values += property.value_count();
        let key = Key::of(property.ident());
        if self.in_root {
            self.look_at_root(key, property);
        } else if MoveIds::may_move(key) {
            self.moves += Moves::of(self.game(), property).count() as u64;
        }
    }

    fn look_at_root(&mut self, key: Key, property: &Property<'_>) {
        if key == Key::GM && self.game.is_none() {
            self.game = Some(Game::parse_lenient(property.first().as_bytes()).value);
        }
        if !MoveIds::may_move(key) {
            return;
        }
        let bytes = property.as_bytes();
        self.root_bytes += bytes.len() + size_of::<(Vec<u8>, Framing)>();
        self.root.push((bytes.to_vec(), property.framing()));
        if self.root_bytes > ROOT_MAX {
            self.end_root();
        }
    }

    #[cold]
    fn add_part(&mut self, part: &PropertyPart<'_>) {
        self.properties += u64::from(part.is_property_start());
        self.values += u64::from(part.is_value_start());
        if self.in_root {
            if part.is_property_start() && part.ident().is(b"GM") && self.game.is_none() {
                self.game = Some(Game::parse_lenient(part.content().as_bytes()).value);
            }
            if !MoveIds::may_move(Key::of(part.ident())) {
                return;
            }
            self.end_root();
        }
        let is_joined = self.game().variant().is_some();
        let begins_move = if is_joined {
            part.is_property_start()
        } else {
            part.is_value_start()
        };
        let ids = self.game().move_ids();
        let is_move = begins_move && ids.plays(part.ident(), part.content().as_bytes()).is_some();
        self.moves += u64::from(is_move);
    }
}

impl Sink for Count {
    #[inline(always)]
    fn plays(&self) -> bool {
        true
    }

    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        match *event {
            Event::Property(property) => self.add_property(&property),
            Event::NodeStart { .. } => self.add_node(),
            Event::VariationStart { .. } if place.depth == 1 => self.start_game(),
            Event::VariationStart { .. } => {
                self.variations += 1;
                self.end_root();
            }
            Event::VariationEnd(end) => {
                self.end_root();
                self.end_line();
                if end.depth == 1 {
                    self.before = None;
                }
            }
            Event::PropertyPart(part) => self.add_part(&part),
            _ => {}
        }
        Flow::Go
    }

    #[inline(always)]
    fn node(&mut self, _: &Place) -> Flow {
        if self.is_plain {
            self.nodes += 1;
        } else {
            self.add_node();
        }
        Flow::Go
    }

    #[inline(always)]
    fn play(&mut self, _: u8, _: [u8; 2], property: &Property<'_>, _: &Place) -> Flow {
        if self.is_plain {
            self.plain += 1;
        } else {
            self.add_property(property);
        }
        Flow::Go
    }
}
