//! Tree of several games.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_128_with_seed;

use sgfstream::{Event, Ident, Place, RawValue};
use sgfstream_adapt::edit::turn_value;
use sgfstream_adapt::{GameTree, NodeId};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Definition, Dialect, Game, GameState, PropertyType, Symmetry, is_setup};

use crate::report::cut;
use crate::report::exit::Exit;

use super::values::{
    Bytes, Joined, PROPERTY, Places, VALUE, Values, bytes_of, join, join_all, parse, push, text_of, written,
};

/// Maximum bytes of the tree and of one node, and bytes of memory that a node takes in addition to its text.
const MEMORY: usize = 20 << 20;
const LONGEST: usize = 4 << 20;
const NODE: usize = 192;

/// Properties of a root that are replaced.
const FORMAT: [&str; 2] = ["FF", "CA"];

/// Joined trees, one for each starting position.
#[derive(Default)]
pub(in crate::commands) struct Tree {
    game_info: GameInfo,
    /// Whether games are rotated or mirrored to match earlier games.
    is_symmetric: bool,
    /// Structure of the nodes. The roots of all games are children of its root.
    shape: GameTree,
    /// Data of the nodes below that root.
    nodes: Vec<Node>,
    /// Nodes by a hash of their parent and their key.
    index: HashMap<u128, NodeId>,
    /// Seed of the hash, so that no file can be crafted with nodes of the same hash.
    seed: RandomState,
    games: Vec<PlacedInfo>,
    /// Number of games read.
    count: u32,
    /// Number of properties dropped because the node has a different value.
    differences: u64,
    /// Number of values with bytes that are undecodable in their charset.
    lossy: u64,
    /// Number of games and properties that were dropped in part or whole.
    left_out: u64,
    /// Number of values of transformed games with unreadable points.
    unturned: u64,
    bytes: usize,
    game: Reading,
}

/// Place of game information in the joined tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::commands) enum GameInfo {
    /// First node that only its game has.
    #[default]
    OwnNodes,
    /// Root, because the games are copies of one game. Only the tree of the first game is written.
    Root,
}

/// State of the game that is being read.
#[derive(Default)]
struct Reading {
    is_open: bool,
    /// Current node, or `None` if there was no space for one.
    at: Option<NodeId>,
    /// Bits of the symmetries that map the line so far to the tree's line.
    symmetries: u8,
    /// Nodes where open variations began, their symmetries, and the number of variations there.
    starts: Vec<(Option<NodeId>, u8, u64)>,
    /// Properties with points of the last nodes. They are transformed once the next nodes determine the symmetry.
    waiting: Vec<(NodeId, Vec<Values>)>,
    /// Last node of the main line, once it is known.
    end: Option<Option<NodeId>>,
    /// Properties of the current node, as bytes, because `CA` may follow them.
    node: Option<Vec<(String, Vec<Bytes>)>>,
    node_bytes: usize,
    info: Vec<Values>,
    /// Indexes of the properties in `info`.
    places: Places,
    is_cut: bool,
}

struct Node {
    /// Key of the node, as its first game writes it: moves, setup, and for a root the game and the size.
    key: Box<[u8]>,
    rest: Rest,
    /// Game information of this node, as SGF.
    info: Box<[u8]>,
    /// Number of games with this node, and the number of the last of them.
    games: u32,
    last_game: u32,
}

/// Other properties of a node. Most nodes belong to one game; their properties stay in SGF.
enum Rest {
    Written(Box<[u8]>),
    Joined(Vec<Values>),
}

/// Properties of a transformed board.
struct TransformedValues {
    values: Vec<Values>,
    /// Number of values with unreadable points.
    unread: u64,
}

impl TransformedValues {
    fn new(mut values: Vec<Values>, symmetry: Symmetry, state: &GameState) -> Self {
        let mut unread = 0;
        let Some(size) = state.board_size().filter(|_| symmetry != Symmetry::Identity) else {
            return Self { values, unread };
        };
        for (name, values) in &mut values {
            let first = values.first().map_or(&b""[..], |value| value.as_bytes());
            let Some(found) = Definition::find_with_value(state.game(), 4, name.as_bytes(), first) else { continue };
            for value in values {
                match turn_value(symmetry, state.game(), size, found.definition.value_type, value.as_bytes()) {
                    Some(turned) => *value = String::from_utf8_lossy(&turned).into_owned(),
                    None => unread += 1,
                }
            }
        }
        Self { values, unread }
    }
}

impl Reading {
    /// Returns the symmetry that transforms the board.
    fn symmetry(&self) -> Symmetry {
        Symmetry::ALL.get(self.symmetries.trailing_zeros() as usize).copied().unwrap_or_default()
    }
}

impl Rest {
    /// Returns the properties, parsed for joining.
    fn open(&mut self) -> &mut Vec<Values> {
        if let Self::Written(text) = self {
            *self = Self::Joined(parse(text));
        }
        match self {
            Self::Joined(values) => values,
            Self::Written(_) => unreachable!("joined above"),
        }
    }
}

/// Game information of a game, and the end of its main line.
struct PlacedInfo {
    end: NodeId,
    /// Game information as SGF.
    info: Box<[u8]>,
}

impl Tree {
    pub(in crate::commands) fn new(game_info: GameInfo) -> Self {
        Self { game_info, ..Self::default() }
    }

    /// Sets whether lines of games are transformed, each separately, to match earlier ones.
    pub(super) fn symmetric(self, is_symmetric: bool) -> Self {
        Self { is_symmetric, ..self }
    }

    /// Handles the next event of the games.
    pub(in crate::commands) fn take(&mut self, state: &mut GameState, event: &Event<'_>, place: &Place) {
        let is_end =
            matches!(event, Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. });
        // End the root before the state takes the next `(`, because the state then forgets the game.
        let is_next_game = is_end && place.depth == 1 && matches!(event, Event::VariationStart { .. });
        if is_next_game {
            self.end_node(state);
        }
        let _ = state.event(event, place);
        if is_end {
            self.end_node(state);
        }
        if matches!(event, Event::VariationEnd { .. }) {
            self.turn_waiting(state);
        }
        let game = &mut self.game;
        match event {
            Event::VariationStart { .. } if place.depth == 1 => {
                self.end_game();
                self.count += 1;
                self.game = Reading { is_open: true, at: Some(self.shape.root()), ..Reading::default() };
            }
            Event::VariationStart { .. } => match game.starts.last_mut() {
                Some((at, _, count)) if *at == game.at => *count += 1,
                _ => game.starts.push((game.at, game.symmetries, 1)),
            },
            Event::VariationEnd { .. } => {
                game.end = game.end.or(Some(game.at));
                if let Some((start, symmetries, count)) = game.starts.last_mut() {
                    (game.at, game.symmetries) = (*start, *symmetries);
                    *count -= 1;
                    if *count == 0 {
                        game.starts.pop();
                    }
                }
            }
            Event::NodeStart { .. } => (game.node, game.node_bytes) = (Some(Vec::new()), 0),
            Event::Property(property) => {
                let bytes = property.as_bytes().len() + PROPERTY + property.value_count() as usize * VALUE;
                game.node_bytes = game.node_bytes.saturating_add(bytes);
                if let Some(node) = game.node.as_mut().filter(|_| game.node_bytes <= LONGEST) {
                    let ident = String::from_utf8_lossy(&property.ident().canonical()).into_owned();
                    let bytes = |value: RawValue<'_>| (value.as_bytes().to_vec(), value.framing());
                    node.push((ident, property.values().map(bytes).collect()));
                }
            }
            // The property exceeds the maximum length.
            _ => self.left_out += event.pieces().filter(|piece| piece.is_property_start()).count() as u64,
        }
    }

    /// Places the node that was read.
    fn end_node(&mut self, state: &GameState) {
        let Some(properties) = self.game.node.take() else { return };
        let Some(parent) = self.game.at else { return };
        let is_root = parent == self.shape.root();
        let (game, uses_size) = (state.game(), !matches!(state.game(), Game::Pentobi(_) | Game::Backgammon));
        let (mut keys, mut rest) = (Vec::new(), Vec::new());
        let mut text = |value| {
            let (text, is_lossy) = text_of(value, state.charset());
            self.lossy += u64::from(is_lossy);
            text
        };
        for (name, values) in properties {
            let values: Vec<String> = values.into_iter().map(&mut text).collect();
            let ident = Ident::new(name.as_bytes());
            let is_start = is_root && (name == "GM" || name == "SZ" && uses_size);
            if is_start && keys.iter().any(|(known, _)| *known == name) {
                // Only one value counts, and the report mentions the others.
                self.differences += 1;
            } else if is_start || state.move_ids().contains(ident) || is_setup(ident) {
                keys.push((name, values));
            } else if is_of_game(&name, &values, game, is_root) {
                let info = &mut self.game.info;
                match self.game.places.find(info, &name) {
                    Some(at) => self.differences += u64::from(info[at].1 != values),
                    None => info.push((name, values)),
                }
            } else if !FORMAT.contains(&&*name) {
                rest.push((name, values));
            }
        }
        if is_root {
            say_defaults(&mut keys, state, uses_size);
        }
        if is_root {
            self.game.symmetries = self.symmetries_of(state);
        }
        let (hash, keys) = self.choose_symmetry(parent, keys, state);
        let waiting = self.turn_rest(&mut rest, state);
        let known = self.index.get(&hash).copied();
        let mut key = Vec::new();
        keys.iter().for_each(|(name, values)| push(&mut key, name, values));
        // A node that a second game shares is parsed. Nothing is added for content that is already there.
        let parsed = match known.map(|at| &self.node(at).rest) {
            Some(Rest::Written(text)) => bytes_of(&parse(text)),
            Some(Rest::Joined(_)) | None => 0,
        };
        let new = known.is_none().then(|| (NODE + key.len(), written(&rest)));
        let most = new.as_ref().map_or(parsed + bytes_of(&rest), |(bytes, text)| bytes + text.len());
        let most = most + bytes_of(&waiting);
        if self.bytes + most > MEMORY || self.game.node_bytes > LONGEST {
            return self.leave_out();
        }
        self.bytes += most;
        let at = match known {
            Some(at) => {
                let joined = join_all(self.node_mut(at).rest.open(), rest);
                self.differences += joined.differences;
                self.bytes = self.bytes - most + parsed + joined.bytes + bytes_of(&waiting);
                at
            }
            None => {
                let Ok(at) = self.shape.add_node(parent) else { return self.leave_out() };
                self.index.insert(hash, at);
                let rest = Rest::Written(new.unwrap_or_default().1);
                self.nodes.push(Node { key: key.into(), rest, info: Box::default(), games: 0, last_game: 0 });
                at
            }
        };
        let game = self.count;
        let node = self.node_mut(at);
        node.games += u32::from(node.last_game != game);
        node.last_game = game;
        self.game.at = Some(at);
        if !waiting.is_empty() {
            self.game.waiting.push((at, waiting));
        }
    }

    /// Returns the symmetries of a game on its board.
    fn symmetries_of(&self, state: &GameState) -> u8 {
        let is_square = state.board_size().is_some_and(BoardSize::is_square);
        let allowed: &[Symmetry] = match state.game() {
            _ if !self.is_symmetric || state.board_size().is_none() => &[],
            Game::Go => &Symmetry::ALL,
            Game::Hex => &Symmetry::HEX,
            _ => &[],
        };
        let is_allowed = |symmetry: &Symmetry| allowed.contains(symmetry) && (is_square || !symmetry.exchanges_sides());
        let bits = Symmetry::ALL.iter().enumerate().filter(|(_, symmetry)| is_allowed(symmetry)).map(|(at, _)| 1 << at);
        bits.fold(1, |symmetries, bit: u8| symmetries | bit)
    }

    /// Transforms the key of a node so that it matches an existing node, if possible. Only the symmetries that lead to the
    /// same node remain.
    fn choose_symmetry(&mut self, parent: NodeId, mut keys: Vec<Values>, state: &GameState) -> (u128, Vec<Values>) {
        let mut chosen: Option<(usize, u128, u8, TransformedValues)> = None;
        let symmetries = self.game.symmetries;
        for (at, symmetry) in Symmetry::ALL.into_iter().enumerate().filter(|(at, _)| symmetries >> at & 1 == 1) {
            let is_last = symmetries >> at == 1;
            let keys = if is_last { std::mem::take(&mut keys) } else { keys.clone() };
            let mut turned = TransformedValues::new(keys, symmetry, state);
            // The points of a setup have no order, and neither have the properties of a node.
            let setup = turned.values.iter_mut().filter(|(name, _)| is_setup(Ident::new(name.as_bytes())));
            setup.for_each(|(_, values)| values.sort());
            turned.values.sort();
            let mut key = parent.index().to_le_bytes().to_vec();
            turned.values.iter().for_each(|(name, values)| push(&mut key, name, &spelled(name, values, state)));
            let hash = xxh3_128_with_seed(&key, self.seed.hash_one(0));
            // Of several existing nodes, the oldest.
            let rank = self.index.get(&hash).map_or(usize::MAX, |at| at.index());
            match &mut chosen {
                Some((_, known, symmetries, _)) if *known == hash => *symmetries |= 1 << at,
                Some((best, ..)) if rank >= *best => {}
                _ => chosen = Some((rank, hash, 1 << at, turned)),
            }
        }
        let (_, hash, symmetries, turned) = chosen.expect("there is always one symmetry");
        self.game.symmetries = symmetries;
        self.unturned += turned.unread;
        (hash, turned.values)
    }

    /// Transforms the other properties of a node. Properties that the remaining symmetries transform differently are
    /// buffered until later nodes determine the symmetry.
    fn turn_rest(&mut self, rest: &mut Vec<Values>, state: &GameState) -> Vec<Values> {
        let symmetries = self.game.symmetries;
        if symmetries.count_ones() == 1 {
            self.turn_waiting(state);
            let turned = TransformedValues::new(std::mem::take(rest), self.game.symmetry(), state);
            self.unturned += turned.unread;
            *rest = turned.values;
            return Vec::new();
        }
        let differs = |values: &mut Values| {
            let mut all = Symmetry::ALL.into_iter().enumerate().filter(|(at, _)| symmetries >> at & 1 == 1);
            let one = std::slice::from_ref(values);
            all.any(|(_, symmetry)| TransformedValues::new(one.to_vec(), symmetry, state).values != one)
        };
        rest.extract_if(.., differs).collect()
    }

    /// Transforms the buffered properties.
    fn turn_waiting(&mut self, state: &GameState) {
        for (at, values) in std::mem::take(&mut self.game.waiting) {
            self.bytes -= bytes_of(&values);
            let turned = TransformedValues::new(values, self.game.symmetry(), state);
            self.unturned += turned.unread;
            let rest = &mut self.node_mut(at).rest;
            let parsed = if let Rest::Written(text) = rest { bytes_of(&parse(text)) } else { 0 };
            let joined = join_all(rest.open(), turned.values);
            self.differences += joined.differences;
            self.bytes += parsed + joined.bytes;
        }
    }

    /// Drops the rest of the line, because it exceeds the memory.
    fn leave_out(&mut self) {
        self.game.at = None;
        self.left_out += u64::from(!std::mem::replace(&mut self.game.is_cut, true));
    }

    fn node(&self, at: NodeId) -> &Node {
        &self.nodes[at.index() - 1]
    }

    fn node_mut(&mut self, at: NodeId) -> &mut Node {
        &mut self.nodes[at.index() - 1]
    }

    fn end_game(&mut self) {
        let game = std::mem::take(&mut self.game);
        if !game.is_open {
            return;
        }
        let Some(end) = game.end.unwrap_or(game.at).filter(|&end| end != self.shape.root()) else { return };
        if !game.info.is_empty() || self.game_info == GameInfo::Root {
            let info = written(&game.info);
            self.bytes += size_of::<PlacedInfo>() + info.len();
            self.games.push(PlacedInfo { end, info });
        }
    }

    /// Puts the information of each game where only that game is, or the joined information at the root.
    fn place_game_info(&mut self) {
        if self.game_info == GameInfo::Root {
            return self.join_game_info();
        }
        for PlacedInfo { end, info } in std::mem::take(&mut self.games) {
            let is_own = |&at: &NodeId| at != self.shape.root() && self.node(at).games == 1;
            let first = std::iter::successors(Some(end), |&at| self.shape.parent(at)).take_while(is_own).last();
            if let Some(first) = first {
                self.node_mut(first).info = info;
                continue;
            }
            let lines = parse(&info);
            let lines = lines.iter().map(|(name, values)| format!("{name}: {}", values.join(", ")));
            let comment = vec![lines.collect::<Vec<_>>().join("\n")];
            join(self.node_mut(end).rest.open(), ("C".to_owned(), comment), &mut Joined::default());
        }
    }

    /// Joins the information of all games at the root of the first game.
    fn join_game_info(&mut self) {
        let Some(first) = self.shape.children(self.shape.root()).next() else { return };
        let mut all = Vec::new();
        for PlacedInfo { end, info } in std::mem::take(&mut self.games) {
            if self.shape.path(end).contains(&first) {
                self.differences += join_all(&mut all, parse(&info)).differences;
            } else {
                self.left_out += 1;
            }
        }
        self.node_mut(first).info = written(&all);
    }

    /// Returns the number of properties dropped because the node has a different value.
    pub(in crate::commands) fn differences(&self) -> u64 {
        self.differences
    }

    /// Returns whether anything besides [`differences`](Self::differences) was dropped, or text was replaced by U+FFFD.
    pub(in crate::commands) fn is_lossy(&self) -> bool {
        self.lossy + self.left_out + self.unturned > 0
    }

    /// Reports everything that was dropped, and returns the exit status.
    pub(in crate::commands) fn report_losses(&self) -> Exit {
        cut::add_left_out(self.left_out);
        let differences = Exit::report_count(
            self.differences,
            "property was left out: its node already has another value",
            "properties were left out: their nodes already have other values",
        );
        let unturned = Exit::report_count(
            self.unturned,
            "value was not rotated: its points are invalid",
            "values were not rotated: their points are invalid",
        );
        differences.or(unturned).or(Exit::report_count(
            self.lossy,
            "value is invalid in its charset; invalid bytes were written as U+FFFD",
            "values are invalid in their charset; invalid bytes were written as U+FFFD",
        ))
    }

    /// Ends the last game and places the game information.
    pub(in crate::commands) fn finish(&mut self) {
        self.end_game();
        self.place_game_info();
    }

    /// Writes the tree after [`finish`](Self::finish).
    pub(in crate::commands) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let roots = if self.game_info == GameInfo::Root { 1 } else { usize::MAX };
        for root in self.shape.children(self.shape.root()).take(roots) {
            let (mut nodes, mut before) = (self.shape.subtree(root), &b""[..]);
            for event in self.shape.events_from(root) {
                match event {
                    Event::VariationStart { .. } => {
                        out.write_all(before)?;
                        out.write_all(b"(")?;
                        before = b"";
                    }
                    Event::NodeStart { .. } => {
                        out.write_all(before)?;
                        let Some(at) = nodes.next() else { break };
                        out.write_all(if at == root { b";FF[4]CA[UTF-8]" } else { b";" })?;
                        self.write_properties(out, at)?;
                        before = b"\n";
                    }
                    _ => out.write_all(b")")?,
                }
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn write_properties(&self, out: &mut dyn Write, at: NodeId) -> io::Result<()> {
        let Node { key, rest, info, .. } = self.node(at);
        out.write_all(key)?;
        out.write_all(info)?;
        match rest {
            Rest::Written(text) => out.write_all(text),
            Rest::Joined(values) => out.write_all(&written(values)),
        }
    }
}

/// Returns whether the property describes a whole game. An unknown property does if it is in a root.
fn is_of_game(name: &str, values: &[String], game: Game, is_root: bool) -> bool {
    let value = values.first().map_or(&b""[..], |value| value.as_bytes());
    match Definition::find_with_value(game, 4, name.as_bytes(), value) {
        Some(found) => found.definition.property_type == PropertyType::GameInfo,
        None => is_root,
    }
}

/// Adds the default game and size to a key that lacks them, so that such roots match roots with explicit defaults.
fn say_defaults(keys: &mut Vec<Values>, state: &GameState, uses_size: bool) {
    let mut print_line = |name: &str, said: Option<String>, is_said_known: bool| match (
        keys.iter_mut().find(|(known, _)| known == name),
        said,
    ) {
        (Some((_, values)), Some(said)) if is_said_known => *values = vec![said],
        (None, Some(said)) => keys.push((name.to_owned(), vec![said])),
        _ => {}
    };
    let number = state.game().number();
    print_line("GM", number.map(|number| number.to_string()), true);
    let size = state.board_size().filter(|_| uses_size).map(|size| size.to_string());
    print_line("SZ", size, number.is_some() && state.size().is_some());
}

/// Returns the values of a property in normalized notation for comparisons.
fn spelled<'v>(name: &str, values: &'v [String], state: &GameState) -> Cow<'v, [String]> {
    if !state.move_ids().contains(Ident::new(name.as_bytes())) {
        return Cow::Borrowed(values);
    }
    let dialect = Dialect::of_any_program(state.game(), state.board_size());
    let spell = |value: &String| dialect.spell_move(value.as_bytes()).unwrap_or_else(|| value.clone());
    match state.game() {
        // All values are the points of one move.
        Game::Pentobi(_) => Cow::Owned(vec![spell(&values.join(","))]),
        _ => Cow::Owned(values.iter().map(spell).collect()),
    }
}
