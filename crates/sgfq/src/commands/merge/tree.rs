//! Tree of several games.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_128_with_seed;

use sgfstream::{Event, Ident, Place, RawValue};
use sgfstream_adapt::{GameTree, NodeId};
use sgfstream_game::{Definition, Dialect, Game, GameState, PropertyType, is_setup};

use crate::report::cut;
use crate::report::exit::Exit;

use super::values::{
    Bytes, Joined, PROPERTY, Places, VALUE, Values, bytes_of, join, join_all, parse, push, text_of, written,
};

/// Bytes that the tree may have, and one node; and what a node takes beside its text.
const MEMORY: usize = 20 << 20;
const LONGEST: usize = 4 << 20;
const NODE: usize = 192;

/// Properties of a root that are written anew.
const FORMAT: [&str; 2] = ["FF", "CA"];

/// Trees, as many as there are starting positions.
#[derive(Default)]
pub(in crate::commands) struct Tree {
    game_info: GameInfo,
    /// The order of the nodes; below its root are those of all games.
    shape: GameTree,
    /// The nodes below that root.
    nodes: Vec<Node>,
    /// The nodes by a hash of the node before them and of what identifies them.
    index: HashMap<u128, NodeId>,
    /// The seed of the hash, so that no file can be written whose nodes have one hash.
    seed: RandomState,
    games: Vec<Placed>,
    /// How many games were read.
    count: u32,
    /// Properties that were not taken, since the node has another value of them.
    differences: u64,
    /// Values with bytes that are no text in their charset.
    lossy: u64,
    /// Games that were left out in part or whole, and texts that were cut.
    left_out: u64,
    cut: u64,
    bytes: usize,
    game: Reading,
}

/// Where game information goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::commands) enum GameInfo {
    /// To the first node that only its game has.
    #[default]
    OwnNodes,
    /// To the root, as all games are one. Only the tree that the first game began is written.
    Root,
}

/// The game that is being read.
#[derive(Default)]
struct Reading {
    is_open: bool,
    /// The node at hand; none where there was no space for one.
    at: Option<NodeId>,
    /// Nodes where open variations began, and how many there.
    starts: Vec<(Option<NodeId>, u64)>,
    /// The last node of the main line, once it is known.
    end: Option<Option<NodeId>>,
    /// The properties of the node that is being read: bytes, as `CA` may come after them.
    node: Option<Vec<(String, Vec<Bytes>)>>,
    node_bytes: usize,
    info: Vec<Values>,
    /// Where the properties of `info` are.
    places: Places,
    is_cut: bool,
}

struct Node {
    /// Key that identifies it, as its first game writes it: moves, setup, and of a root its game and size.
    key: Box<[u8]>,
    rest: Rest,
    /// Game information that belongs here, as it is written.
    info: Box<[u8]>,
    /// How many games have it, and the number of the last of them.
    games: u32,
    last_game: u32,
}

/// Other properties of a node. Nearly all nodes are of one game, and then these are kept as they are written.
enum Rest {
    Written(Box<[u8]>),
    Joined(Vec<Values>),
}

impl Rest {
    /// The properties, to be joined with those of another game.
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

/// Properties of a game, and where its main line ends.
struct Placed {
    end: NodeId,
    /// As it is written.
    info: Box<[u8]>,
}

impl Tree {
    pub(in crate::commands) fn new(game_info: GameInfo) -> Self {
        Self { game_info, ..Self::default() }
    }

    /// Takes the next event of a game, and of the games one after the other.
    pub(in crate::commands) fn take(&mut self, state: &mut GameState, event: &Event<'_>, place: &Place) {
        let is_end =
            matches!(event, Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. });
        // What a root means is known when it has ended; with the next game, no more.
        let is_next_game = is_end && place.depth == 1 && matches!(event, Event::VariationStart { .. });
        if is_next_game {
            self.end_node(state);
        }
        let _ = state.event(event, place);
        if is_end {
            self.end_node(state);
        }
        let game = &mut self.game;
        match event {
            Event::VariationStart { .. } if place.depth == 1 => {
                self.end_game();
                self.count += 1;
                self.game = Reading { is_open: true, at: Some(self.shape.root()), ..Reading::default() };
            }
            Event::VariationStart { .. } => match game.starts.last_mut() {
                Some((at, count)) if *at == game.at => *count += 1,
                _ => game.starts.push((game.at, 1)),
            },
            Event::VariationEnd { .. } => {
                game.end = game.end.or(Some(game.at));
                if let Some((start, count)) = game.starts.last_mut() {
                    game.at = *start;
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
            // A property that is too long to be held.
            Event::PropertyPart(part) if part.is_property_start() => self.cut += 1,
            _ => {}
        }
    }

    /// Finds the place of the node that was read.
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
                // One of them counts, and is said below.
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
        // Points of a setup have no order, and no more have the properties of a node.
        keys.iter_mut().filter(|(name, _)| is_setup(Ident::new(name.as_bytes()))).for_each(|(_, values)| values.sort());
        keys.sort();
        let mut key = parent.index().to_le_bytes().to_vec();
        keys.iter().for_each(|(name, values)| push(&mut key, name, &spelled(name, values, state)));
        let hash = xxh3_128_with_seed(&key, self.seed.hash_one(0));
        let known = self.index.get(&hash).copied();
        key.clear();
        keys.iter().for_each(|(name, values)| push(&mut key, name, values));
        // A node that a second game has is taken apart; of what is there already, nothing is added.
        let parsed = match known.map(|at| &self.node(at).rest) {
            Some(Rest::Written(text)) => bytes_of(&parse(text)),
            Some(Rest::Joined(_)) | None => 0,
        };
        let new = known.is_none().then(|| (NODE + key.len(), written(&rest)));
        let most = new.as_ref().map_or(parsed + bytes_of(&rest), |(bytes, text)| bytes + text.len());
        if self.bytes + most > MEMORY || self.game.node_bytes > LONGEST {
            return self.leave_out();
        }
        self.bytes += most;
        let at = match known {
            Some(at) => {
                let joined = join_all(self.node_mut(at).rest.open(), rest);
                self.differences += joined.differences;
                self.bytes = self.bytes - most + parsed + joined.bytes;
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
    }

    /// Leaves the rest of the line out, for which there is no space.
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
            self.bytes += size_of::<Placed>() + info.len();
            self.games.push(Placed { end, info });
        }
    }

    /// Puts what is said of each game where only that game is, or of all games at the root.
    fn place_game_info(&mut self) {
        if self.game_info == GameInfo::Root {
            return self.join_game_info();
        }
        for Placed { end, info } in std::mem::take(&mut self.games) {
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

    /// Joins what is said of the games at the root of the first of them.
    fn join_game_info(&mut self) {
        let Some(first) = self.shape.children(self.shape.root()).next() else { return };
        let mut all = Vec::new();
        for Placed { end, info } in std::mem::take(&mut self.games) {
            if self.shape.path(end).contains(&first) {
                self.differences += join_all(&mut all, parse(&info)).differences;
            } else {
                self.left_out += 1;
            }
        }
        self.node_mut(first).info = written(&all);
    }

    /// How many properties were left out, as the node has another value of them.
    pub(in crate::commands) fn differences(&self) -> u64 {
        self.differences
    }

    /// True if more was left out than [`differences`](Self::differences), or is written as U+FFFD.
    pub(in crate::commands) fn is_lossy(&self) -> bool {
        self.lossy + self.left_out + self.cut > 0
    }

    /// Says what was left out, and gives the exit status for that.
    pub(in crate::commands) fn report_losses(&self) -> Exit {
        cut::add_left_out(self.left_out);
        cut::add(self.cut);
        let differences = Exit::say_count(
            self.differences,
            "property was left out: its node has another value of it",
            "properties were left out: their nodes have other values of them",
        );
        differences.or(Exit::say_count(
            self.lossy,
            "value has bytes that are no text in its charset; written as U+FFFD",
            "values have bytes that are no text in their charset; written as U+FFFD",
        ))
    }

    /// Ends the last game, and finds the place of game information.
    pub(in crate::commands) fn finish(&mut self) {
        self.end_game();
        self.place_game_info();
    }

    /// Writes what [`finish`](Self::finish) left.
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

/// True for what is said of a whole game; of a property that is not known, if it is in a root.
fn is_of_game(name: &str, values: &[String], game: Game, is_root: bool) -> bool {
    let value = values.first().map_or(&b""[..], |value| value.as_bytes());
    match Definition::find_with_value(game, 4, name.as_bytes(), value) {
        Some(found) => found.definition.property_type == PropertyType::GameInfo,
        None => is_root,
    }
}

/// A root that does not say its game or its size is one with one that says the default.
fn say_defaults(keys: &mut Vec<Values>, state: &GameState, uses_size: bool) {
    let mut say = |name: &str, said: Option<String>, is_said_known: bool| match (
        keys.iter_mut().find(|(known, _)| known == name),
        said,
    ) {
        (Some((_, values)), Some(said)) if is_said_known => *values = vec![said],
        (None, Some(said)) => keys.push((name.to_owned(), vec![said])),
        _ => {}
    };
    let number = state.game().number();
    say("GM", number.map(|number| number.to_string()), true);
    let size = state.board_size().filter(|_| uses_size).map(|size| size.to_string());
    say("SZ", size, number.is_some() && state.size().is_some());
}

/// The values of a property in the spelling in which they are compared.
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
