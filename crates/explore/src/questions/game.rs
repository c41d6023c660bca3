//! One game: a node of it, with its board, and the line that it is on.

use serde_json::{Map, Value, json};

use sgfstream::parallel::PartReader;
use sgfstream::{Event, EventReader, Options, SliceReader};
use sgfstream_adapt::tree::{GameTree, MemoryLimit, NodeId, TreeBuilder};
use sgfstream_draw::{Diagram, DrawnField, NodePath, NodeTarget, NodeWalk, PictureFrame, Shown};
use sgfstream_game::{Coordinates, GameState, Side};

use super::failed::Failed;

/// Nodes of a line that are listed, and nodes beside one of them.
const LINE: usize = 10_000;
const OTHERS: usize = 50;

/// Bytes of the tree of a game.
const TREE: u64 = 256 << 20;

/// Game information that is shown, as it is written, with its name.
const INFO: [(&str, &str); 16] = [
    ("EV", "Event"),
    ("RO", "Round"),
    ("GN", "Name"),
    ("PB", "Black"),
    ("BR", "Rank of Black"),
    ("PW", "White"),
    ("WR", "Rank of White"),
    ("DT", "Date"),
    ("PC", "Place"),
    ("RE", "Result"),
    ("KM", "Komi"),
    ("HA", "Handicap"),
    ("RU", "Rules"),
    ("TM", "Time"),
    ("SO", "Source"),
    ("AN", "Annotations"),
];

/// The node of a game that `target` names, and the line through it to the end of its first variations. A sentence says why there
/// is none. `cut` takes the number of texts that were cut.
pub(crate) fn node(bytes: &[u8], options: Options, target: NodeTarget, cut: impl FnOnce(u64)) -> Result<Value, Failed> {
    let wanted = match &target {
        NodeTarget::Node(path) => Some(path.clone()),
        NodeTarget::End | NodeTarget::Move(_) => None,
    };
    let mut walk = NodeWalk::new(target, Coordinates::Gtp, None);
    let mut read = bytes;
    let mut reader = PartReader::whole(&mut read, options, Some(bytes.len() as u64));
    let shown = loop {
        if !reader.advance()? {
            return Err(Failed::Internal("expected a game, found none".to_owned()));
        }
        if reader.depth() == 1 && matches!(reader.event(), Event::VariationStart { .. }) {
            break walk.game(&mut reader)?;
        }
    };
    cut(walk.take_cut());
    let mut builder = TreeBuilder::within(MemoryLimit::bytes(TREE));
    SliceReader::with_options(bytes, options).drive(&mut builder)?;
    let Some(tree) = builder.finish()? else {
        return Err(Failed::Refused("expected a game, found none".to_owned()));
    };
    // A game without a board is shown without one.
    let path = match (wanted, &shown) {
        (Some(path), _) => Some(path),
        (None, Ok(shown)) => shown.path.parse().ok(),
        (None, Err(_)) => None,
    };
    let Some(line) = Line::new(&tree, path.as_ref()) else {
        return Err(Failed::Refused("expected a node of the game".to_owned()));
    };
    let mut answer = line.to_json();
    answer["info"] = info(&tree);
    match shown {
        Ok(shown) => board(&shown, &mut answer),
        Err(sentence) => answer["no_board"] = sentence.into(),
    }
    Ok(answer)
}

fn board(shown: &Shown, answer: &mut Value) {
    answer["svg"] = shown.diagram.svg("", false).into();
    answer["points"] = points(&shown.diagram);
    answer["move"] = shown.ply.into();
    answer["played"] = shown.played.clone().into();
}

fn text(tree: &GameTree, node: NodeId, ident: &str) -> Option<String> {
    tree.property(node, ident).map(|property| property.text().into_owned()).filter(|text| !text.trim().is_empty())
}

/// Game information of the root, and of the first nodes after it that have some.
fn info(tree: &GameTree) -> Value {
    let pairs = INFO.iter().filter_map(|(ident, name)| {
        let mut nodes = std::iter::successors(Some(tree.root()), |&node| tree.first_child(node)).take(4);
        let text = nodes.find_map(|node| text(tree, node, ident))?;
        Some(json!([name, text]))
    });
    pairs.collect()
}

/// A line of a tree.
struct Line<'t> {
    tree: &'t GameTree,
    state: GameState,
    /// The nodes, each with the numbers of the variations that lead to it and its number in the last of them.
    nodes: Vec<(NodeId, Vec<u64>, u64)>,
    /// The place of the node that was asked for.
    at: usize,
}

impl<'t> Line<'t> {
    /// The line through the node at `path`, if there is one; without a path, the main line.
    fn new(tree: &'t GameTree, path: Option<&NodePath>) -> Option<Self> {
        let (wanted, wanted_node) = path.map_or((&[][..], 0), NodePath::parts);
        let mut line = Self { tree, state: tree.state(), nodes: Vec::new(), at: 0 };
        let mut is_found = false;
        let mut next = Some((tree.root(), Vec::new(), 0));
        while let Some((node, variations, number)) = next.filter(|_| line.nodes.len() < LINE) {
            if variations == wanted && number == wanted_node {
                (line.at, is_found) = (line.nodes.len(), true);
            }
            next = tree.first_child(node).map(|first| match tree.starts_variation(first) {
                false => (first, variations.clone(), number + 1),
                true => {
                    let child = wanted.get(variations.len()).copied().filter(|_| wanted.starts_with(&variations));
                    let (at, child) = line.nth(first, child.unwrap_or(0));
                    (child, [&variations[..], &[at]].concat(), 0)
                }
            });
            line.nodes.push((node, variations, number));
        }
        is_found.then_some(line)
    }

    /// A node of this number among those beside the first, or the last one.
    fn nth(&self, first: NodeId, number: u64) -> (u64, NodeId) {
        let all = std::iter::successors(Some(first), |&node| self.tree.next_sibling(node));
        (0..=number).zip(all).last().unwrap_or((0, first))
    }

    fn path(variations: &[u64], number: u64) -> String {
        let numbers: Vec<String> = variations.iter().map(u64::to_string).collect();
        format!("{}/{number}", numbers.join("."))
    }

    /// The move of a node, as players write it.
    fn played(&self, node: NodeId) -> Option<String> {
        self.tree.properties(node).find_map(|property| {
            let played = self.state.moves(&property).next()?;
            let value = played.bytes();
            let side = Side::of_color(played.color).letter();
            let dialect = self.state.dialect();
            let shown = match dialect.parse_move(&value) {
                Ok(mv) => dialect.show_move_in(&mv, Coordinates::Gtp).to_string(),
                Err(_) => String::from_utf8_lossy(&value).chars().take(40).collect(),
            };
            Some(format!("{side} {}", if shown.is_empty() { "pass" } else { &shown }))
        })
    }

    /// Whose turn it is: who moves in the next node, or else whom PL names.
    fn turn(&self, node: NodeId) -> Option<&'static str> {
        let next = self.tree.first_child(node).and_then(|next| self.played(next));
        let named = text(self.tree, node, "PL");
        let side = |text: String| Side::parse(text.split(' ').next()?.as_bytes()).ok().map(Side::letter);
        next.and_then(side).or_else(|| named.and_then(side))
    }

    fn to_json(&self) -> Value {
        let line = self.nodes.iter().map(|(node, variations, number)| {
            let mut row = Map::new();
            row.insert("path".into(), Self::path(variations, *number).into());
            row.insert("move".into(), self.played(*node).into());
            if text(self.tree, *node, "C").is_some() {
                row.insert("comment".into(), true.into());
            }
            if let Some((own, before)) = variations.split_last().filter(|_| *number == 0) {
                let parent = self.tree.parent(*node).and_then(|parent| self.tree.first_child(parent));
                let all = std::iter::successors(parent, |&node| self.tree.next_sibling(node));
                let others = all.zip(0..).filter(|(_, at)| at != own).take(OTHERS).map(|(other, at)| {
                    json!({ "path": Self::path(&[before, &[at]].concat(), 0), "move": self.played(other) })
                });
                row.insert("others".into(), others.collect());
            }
            Value::Object(row)
        });
        let node = self.nodes.get(self.at).map(|(node, ..)| *node);
        let of_node = |ident: &str| node.and_then(|node| text(self.tree, node, ident));
        json!({
            "line": line.collect::<Value>(),
            "at": self.at,
            "nodes": self.tree.node_count(),
            "name": of_node("N"),
            "comment": of_node("C").or_else(|| of_node("GC")),
            "turn": node.and_then(|node| self.turn(node)),
        })
    }
}

/// Where the points of a board are in its picture: the name that a question takes, the name for players, the place, column and row;
/// and half of the distance to the next.
pub(crate) fn points(diagram: &Diagram) -> Value {
    let frame = PictureFrame::of(&diagram.layout);
    let dialect = diagram.position.dialect();
    let round = |number: f64| (number * 10.0).round() / 10.0;
    let point = |cell: &DrawnField| {
        let (x, y) = frame.at(cell.middle());
        let (name, shown) = (dialect.show_point(cell.field).to_string(), diagram.name(cell.field));
        json!([name, shown, round(x), round(y), cell.field.column, cell.field.row])
    };
    let all: Vec<Value> = diagram.layout.cells.iter().map(point).collect();
    json!({ "radius": round(frame.scale / 2.0), "all": all })
}
