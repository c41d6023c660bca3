//! Tree of several games.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_128_with_seed;

use sgfstream::record::{Node as RecordNode, TokenKind};
use sgfstream::{Event, Ident};
use sgfstream_adapt::edit::turn_value;
use sgfstream_adapt::{GameTree, NodeId};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    Dialect, Facts, Game,
    board::Symmetry,
    facts::is_setup,
    property::{Definition, PropertyType},
};

use crate::report::cut;
use crate::report::exit::Exit;

use super::values::{
    Joined, PROPERTY, Places, VALUE, Values, bytes_of, join, join_all, parse, push, text_of,
    written,
};

/// Maximum bytes of the tree and of one node, and bytes of memory that a node takes in addition to
/// its text.
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

/// The game that is being added.
#[derive(Default)]
struct Reading {
    /// Current node, or `None` if there was no space for one.
    at: Option<NodeId>,
    /// Bits of the symmetries that map the line so far to the tree's line.
    symmetries: u8,
    /// Nodes where open variations began, and their symmetries.
    starts: Vec<(Option<NodeId>, u8)>,
    /// Properties with points of the last nodes. They are transformed once the next nodes determine
    /// the symmetry.
    waiting: Vec<(NodeId, Vec<Values>)>,
    info: Vec<Values>,
    /// Indexes of the properties in `info`.
    places: Places,
    is_cut: bool,
}

struct Node {
    /// Key of the node, as its first game writes it: moves, setup, and for a root the game and the
    /// size.
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
    fn new(mut values: Vec<Values>, symmetry: Symmetry, facts: &Facts<'_>) -> Self {
        let mut unread = 0;
        let Some(size) = facts
            .board_size()
            .filter(|_| symmetry != Symmetry::Identity)
        else {
            return Self { values, unread };
        };
        for (name, values) in &mut values {
            let first = values.first().map_or(&b""[..], |value| value.as_bytes());
            let Some(found) = Definition::find_with_value(facts.game, 4, name.as_bytes(), first)
            else {
                continue;
            };
            for value in values {
                match turn_value(
                    symmetry,
                    facts.game,
                    size,
                    found.definition.value_type,
                    value.as_bytes(),
                ) {
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
        Symmetry::ALL
            .get(self.symmetries.trailing_zeros() as usize)
            .copied()
            .unwrap_or_default()
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
        Self {
            game_info,
            ..Self::default()
        }
    }

    /// Sets whether lines of games are transformed, each separately, to match earlier ones.
    pub(super) fn symmetric(self, is_symmetric: bool) -> Self {
        Self {
            is_symmetric,
            ..self
        }
    }

    /// Adds a game. Its root gives its facts.
    pub(in crate::commands) fn add(&mut self, facts: &Facts<'_>) {
        let game = facts.record();
        self.count += 1;
        self.game = Reading {
            at: Some(self.shape.root()),
            ..Reading::default()
        };
        let (mut nodes, mut end) = (game.nodes(), None);
        for (at, token) in game.tokens().iter().enumerate() {
            match token.kind() {
                TokenKind::Open if at > 0 => {
                    self.game.starts.push((self.game.at, self.game.symmetries))
                }
                TokenKind::Close => {
                    self.turn_waiting(facts);
                    end = end.or(Some(self.game.at));
                    if let Some((start, symmetries)) = self.game.starts.pop() {
                        (self.game.at, self.game.symmetries) = (start, symmetries);
                    }
                }
                TokenKind::Node | TokenKind::Run => {
                    for node in nodes.by_ref().take(token.nodes()) {
                        self.add_node(node, facts);
                    }
                }
                _ => {}
            }
        }
        self.end_game(end.unwrap_or(self.game.at));
    }

    /// Adds a node below the current one, unless the tree has it there.
    fn add_node(&mut self, node: RecordNode<'_>, facts: &Facts<'_>) {
        let Some(parent) = self.game.at else { return };
        let is_root = parent == self.shape.root();
        let (game, uses_size) = (
            facts.game,
            !matches!(facts.game, Game::Pentobi(_) | Game::Backgammon),
        );
        let (mut keys, mut rest, mut node_bytes) = (Vec::new(), Vec::new(), 0);
        for (_, property) in node.properties() {
            node_bytes +=
                property.as_bytes().len() + PROPERTY + property.value_count() as usize * VALUE;
            if node_bytes > LONGEST {
                break;
            }
            let mut values = Vec::new();
            for value in property.values() {
                let (text, is_lossy) = text_of(value);
                self.lossy += u64::from(is_lossy);
                values.push(text);
            }
            let ident = property.ident();
            let name = String::from_utf8_lossy(&ident.canonical()).into_owned();
            let is_start = is_root && (name == "GM" || name == "SZ" && uses_size);
            if is_start && keys.iter().any(|(known, _)| *known == name) {
                // Ignore a second value, and count it for the report.
                self.differences += 1;
            } else if is_start || game.move_ids().contains(ident) || is_setup(ident) {
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
            say_defaults(&mut keys, facts, uses_size);
            self.game.symmetries = self.symmetries_of(facts);
        }
        let (hash, keys) = self.choose_symmetry(parent, keys, facts);
        let waiting = self.turn_rest(&mut rest, facts);
        let known = self.index.get(&hash).copied();
        let mut key = Vec::new();
        keys.iter()
            .for_each(|(name, values)| push(&mut key, name, values));
        // A node that a second game shares is parsed. Nothing is added for content that is already
        // there.
        let parsed = match known.map(|at| &self.node(at).rest) {
            Some(Rest::Written(text)) => bytes_of(&parse(text)),
            Some(Rest::Joined(_)) | None => 0,
        };
        let new = known.is_none().then(|| (NODE + key.len(), written(&rest)));
        let most = new
            .as_ref()
            .map_or(parsed + bytes_of(&rest), |(bytes, text)| bytes + text.len());
        let most = most + bytes_of(&waiting);
        if self.bytes + most > MEMORY || node_bytes > LONGEST {
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
                let Ok(at) = self.shape.add_node(parent) else {
                    return self.leave_out();
                };
                self.index.insert(hash, at);
                let rest = Rest::Written(new.unwrap_or_default().1);
                self.nodes.push(Node {
                    key: key.into(),
                    rest,
                    info: Box::default(),
                    games: 0,
                    last_game: 0,
                });
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
    fn symmetries_of(&self, facts: &Facts<'_>) -> u8 {
        let is_square = facts.board_size().is_some_and(BoardSize::is_square);
        let allowed: &[Symmetry] = match facts.game {
            _ if !self.is_symmetric || facts.board_size().is_none() => &[],
            Game::Go => &Symmetry::ALL,
            Game::Hex => &Symmetry::HEX,
            _ => &[],
        };
        let is_allowed = |symmetry: &Symmetry| {
            allowed.contains(symmetry) && (is_square || !symmetry.exchanges_sides())
        };
        let bits = Symmetry::ALL
            .iter()
            .enumerate()
            .filter(|(_, symmetry)| is_allowed(symmetry))
            .map(|(at, _)| 1 << at);
        bits.fold(1, |symmetries, bit: u8| symmetries | bit)
    }

    /// Transforms the key of a node so that it matches an existing node, if possible. Only the
    /// symmetries that lead to the same node remain.
    fn choose_symmetry(
        &mut self,
        parent: NodeId,
        mut keys: Vec<Values>,
        facts: &Facts<'_>,
    ) -> (u128, Vec<Values>) {
        let mut chosen: Option<(usize, u128, u8, TransformedValues)> = None;
        let symmetries = self.game.symmetries;
        for (at, symmetry) in Symmetry::ALL
            .into_iter()
            .enumerate()
            .filter(|(at, _)| symmetries >> at & 1 == 1)
        {
            let is_last = symmetries >> at == 1;
            let keys = if is_last {
                std::mem::take(&mut keys)
            } else {
                keys.clone()
            };
            let mut turned = TransformedValues::new(keys, symmetry, facts);
            // The points of a setup have no order, and neither have the properties of a node.
            let setup = turned
                .values
                .iter_mut()
                .filter(|(name, _)| is_setup(Ident::new(name.as_bytes())));
            setup.for_each(|(_, values)| values.sort());
            turned.values.sort();
            let mut key = parent.index().to_le_bytes().to_vec();
            turned
                .values
                .iter()
                .for_each(|(name, values)| push(&mut key, name, &spelled(name, values, facts)));
            let hash = xxh3_128_with_seed(&key, self.seed.hash_one(0));
            // If several nodes exist already, choose the oldest.
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

    /// Transforms the other properties of a node. Properties that the remaining symmetries
    /// transform differently are buffered until later nodes determine the symmetry.
    fn turn_rest(&mut self, rest: &mut Vec<Values>, facts: &Facts<'_>) -> Vec<Values> {
        let symmetries = self.game.symmetries;
        if symmetries.count_ones() == 1 {
            self.turn_waiting(facts);
            let turned = TransformedValues::new(std::mem::take(rest), self.game.symmetry(), facts);
            self.unturned += turned.unread;
            *rest = turned.values;
            return Vec::new();
        }
        let differs = |values: &mut Values| {
            let mut all = Symmetry::ALL
                .into_iter()
                .enumerate()
                .filter(|(at, _)| symmetries >> at & 1 == 1);
            let one = std::slice::from_ref(values);
            all.any(|(_, symmetry)| {
                TransformedValues::new(one.to_vec(), symmetry, facts).values != one
            })
        };
        rest.extract_if(.., differs).collect()
    }

    /// Transforms the buffered properties.
    fn turn_waiting(&mut self, facts: &Facts<'_>) {
        for (at, values) in std::mem::take(&mut self.game.waiting) {
            self.bytes -= bytes_of(&values);
            let turned = TransformedValues::new(values, self.game.symmetry(), facts);
            self.unturned += turned.unread;
            let rest = &mut self.node_mut(at).rest;
            let parsed = if let Rest::Written(text) = rest {
                bytes_of(&parse(text))
            } else {
                0
            };
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

    /// Keeps the information of the game, whose main line ends at `end`.
    fn end_game(&mut self, end: Option<NodeId>) {
        let game = std::mem::take(&mut self.game);
        let Some(end) = end.filter(|&end| end != self.shape.root()) else {
            return;
        };
        if !game.info.is_empty() || self.game_info == GameInfo::Root {
            let info = written(&game.info);
            self.bytes += size_of::<PlacedInfo>() + info.len();
            self.games.push(PlacedInfo { end, info });
        }
    }

    /// Puts the information of each game where only that game is, or the joined information at the
    /// root. Call it after the last game.
    pub(in crate::commands) fn place_game_info(&mut self) {
        if self.game_info == GameInfo::Root {
            return self.join_game_info();
        }
        for PlacedInfo { end, info } in std::mem::take(&mut self.games) {
            let is_own = |&at: &NodeId| at != self.shape.root() && self.node(at).games == 1;
            let first = std::iter::successors(Some(end), |&at| self.shape.parent(at))
                .take_while(is_own)
                .last();
            if let Some(first) = first {
                self.node_mut(first).info = info;
                continue;
            }
            let lines = parse(&info);
            let lines = lines
                .iter()
                .map(|(name, values)| format!("{name}: {}", values.join(", ")));
            let comment = vec![lines.collect::<Vec<_>>().join("\n")];
            join(
                self.node_mut(end).rest.open(),
                ("C".to_owned(), comment),
                &mut Joined::default(),
            );
        }
    }

    /// Joins the information of all games at the root of the first game.
    fn join_game_info(&mut self) {
        let Some(first) = self.shape.children(self.shape.root()).next() else {
            return;
        };
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

    /// Returns whether anything besides [`differences`](Self::differences) was dropped, or text was
    /// replaced by U+FFFD.
    pub(in crate::commands) fn is_lossy(&self) -> bool {
        self.lossy + self.left_out + self.unturned > 0
    }

    /// Reports everything that was dropped, and returns the exit status.
    pub(in crate::commands) fn report_losses(&self) -> Exit {
        cut::counts().left_out += self.left_out;
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

    /// Writes the tree after [`place_game_info`](Self::place_game_info).
    pub(in crate::commands) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let roots = if self.game_info == GameInfo::Root {
            1
        } else {
            usize::MAX
        };
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
        let Node {
            key, rest, info, ..
        } = self.node(at);
        out.write_all(key)?;
        out.write_all(info)?;
        match rest {
            Rest::Written(text) => out.write_all(text),
            Rest::Joined(values) => out.write_all(&written(values)),
        }
    }
}

/// Returns whether the property describes a whole game. An unknown property does if it is in a
/// root.
fn is_of_game(name: &str, values: &[String], game: Game, is_root: bool) -> bool {
    let value = values.first().map_or(&b""[..], |value| value.as_bytes());
    match Definition::find_with_value(game, 4, name.as_bytes(), value) {
        Some(found) => found.definition.property_type == PropertyType::GameInfo,
        None => is_root,
    }
}

/// Adds the default game and size to a key that lacks them, so that such roots match roots with
/// explicit defaults.
fn say_defaults(keys: &mut Vec<Values>, facts: &Facts<'_>, uses_size: bool) {
    let mut print_line = |name: &str, said: Option<String>, is_said_known: bool| match (
        keys.iter_mut().find(|(known, _)| known == name),
        said,
    ) {
        (Some((_, values)), Some(said)) if is_said_known => *values = vec![said],
        (None, Some(said)) => keys.push((name.to_owned(), vec![said])),
        _ => {}
    };
    let number = facts.game.number();
    print_line("GM", number.map(|number| number.to_string()), true);
    let size = facts
        .board_size()
        .filter(|_| uses_size)
        .map(|size| size.to_string());
    print_line(
        "SZ",
        size,
        number.is_some() && facts.size.is_some_and(|size| size.sure().is_some()),
    );
}

/// Returns the values of a property in normalized notation for comparisons.
fn spelled<'v>(name: &str, values: &'v [String], facts: &Facts<'_>) -> Cow<'v, [String]> {
    if !facts.game.move_ids().contains(Ident::new(name.as_bytes())) {
        return Cow::Borrowed(values);
    }
    let dialect = Dialect::of_any_program(facts.game, facts.board_size());
    let spell = |value: &String| {
        dialect
            .spell_move(value.as_bytes())
            .unwrap_or_else(|| value.clone())
    };
    match facts.game {
        // Join the values, because together they are the points of one move.
        Game::Pentobi(_) => Cow::Owned(vec![spell(&values.join(","))]),
        _ => Cow::Owned(values.iter().map(spell).collect()),
    }
}
