//! Answers requests about one game: a node with its board, and the line through it.

use serde_json::{Map, Value, json};

use sgfstream::{EventReader, Options, SliceReader};
use sgfstream_adapt::tree::{GameTree, MemoryLimit, NodeId, NodeTarget, PathWalk, TreeBuilder};
use sgfstream_draw::{Diagram, DrawnCell, NodeView, PictureFrame};
use sgfstream_game::{Coordinates, GameState, Side, Symmetry};

use super::answer_error::AnswerError;
use super::position::add_board;
use super::{judgment, variation_tree};

/// Maximum number of nodes listed from a line, and of siblings listed for a node.
const LINE: usize = 10_000;
const OTHERS: usize = 50;

/// Maximum bytes of the tree of a game.
const TREE: u64 = 256 << 20;

/// Game information that the page shows: properties and their labels.
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

/// Returns the tree of a game.
pub(crate) fn tree_of(bytes: &[u8], options: Options) -> Result<GameTree, AnswerError> {
    let mut builder = TreeBuilder::within(MemoryLimit::bytes(TREE));
    SliceReader::with_options(bytes, options).drive(&mut builder)?;
    let tree = builder.finish()?;
    tree.ok_or_else(|| AnswerError::Refused("the file has no game at this place any more".to_owned()))
}

/// Returns the node that `target` names, with the line through it and on along first children. The picture of its board is
/// transformed by `shown`, if the board allows it.
pub(crate) fn node(tree: &GameTree, target: &NodeTarget, shown: Symmetry) -> Result<Value, AnswerError> {
    let found = tree.find_node(target);
    let node = match (&found, target) {
        (Ok(node), _) => *node,
        (Err(_), NodeTarget::Node(_)) => return Err(AnswerError::Refused("the game has no such node".to_owned())),
        (Err(_), NodeTarget::End | NodeTarget::Move(_)) => tree.root(),
    };
    let line = Line::new(tree, node)?;
    let (mut answer, mut turn) = (line.to_json(), line.next_side());
    answer["info"] = info(tree);
    let (drawn, is_cut) = variation_tree::draw(tree, node);
    (answer["tree"], answer["tree_cut"]) = (drawn, is_cut.into());
    answer["judged"] = line.judged();
    match found.and_then(|node| NodeView::of(tree, node, Coordinates::Gtp, Some(1), &mut None)) {
        Ok(mut view) => {
            answer["is_rotated"] = (shown != Symmetry::Identity && view.diagram.rotate(shown)).into();
            add_board(&mut answer, &mut view.diagram, view.to_move);
            answer["move"] = view.ply.into();
            answer["played"] = view.played.into();
            turn = turn.or(view.to_move);
        }
        // Without a board, the page shows the game without a picture.
        Err(sentence) => answer["no_board"] = sentence.into(),
    }
    answer["turn"] = turn.map(Side::letter).into();
    Ok(answer)
}

fn text(tree: &GameTree, node: NodeId, ident: &str) -> Option<String> {
    tree.property(node, ident).map(|property| property.text().into_owned()).filter(|text| !text.trim().is_empty())
}

/// Returns the game information of the root and of the first nodes after it.
fn info(tree: &GameTree) -> Value {
    let pairs = INFO.iter().filter_map(|(ident, name)| {
        let mut nodes = std::iter::successors(Some(tree.root()), |&node| tree.first_child(node)).take(4);
        let text = nodes.find_map(|node| text(tree, node, ident))?;
        Some(json!([name, text]))
    });
    pairs.collect()
}

/// Line through a node, continued along first children.
struct Line<'t> {
    tree: &'t GameTree,
    state: GameState,
    nodes: Vec<NodeId>,
    /// Index of the node in the line.
    at: usize,
}

impl<'t> Line<'t> {
    fn new(tree: &'t GameTree, node: NodeId) -> Result<Self, AnswerError> {
        let mut nodes = tree.path(node);
        let at = nodes.len() - 1;
        if at >= LINE {
            return Err(AnswerError::Refused(format!("the node is deeper than {LINE} nodes")));
        }
        nodes.extend(tree.line(node).skip(1).take(LINE - nodes.len()));
        Ok(Self { tree, state: tree.state(), nodes, at })
    }

    /// Returns the move of a node in the players' notation.
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

    /// Returns the next moves of a problem, each right, wrong or not judged, or `null` if the game is no problem.
    fn judged(&self) -> Value {
        let node = self.nodes[self.at];
        let Some(judged) = judgment::of_children(self.tree, node) else { return Value::Null };
        let mut before = PathWalk::default();
        self.nodes[1..=self.at].iter().for_each(|&node| before.step(self.tree, node));
        let children = self.tree.children(node).zip(judged).take(OTHERS).map(|(child, is_right)| {
            let mut walk = before.clone();
            walk.step(self.tree, child);
            let judged = is_right.map(|is_right| if is_right { "right" } else { "wrong" });
            json!({ "path": walk.path().to_string(), "move": self.played(child), "judged": judged })
        });
        children.collect()
    }

    /// Returns the side that moves in the next node.
    fn next_side(&self) -> Option<Side> {
        let next = self.tree.first_child(self.nodes[self.at])?;
        let played = self.tree.properties(next).find_map(|property| self.state.moves(&property).next())?;
        Some(Side::of_color(played.color))
    }

    fn to_json(&self) -> Value {
        let (mut walk, mut ply) = (PathWalk::default(), 0);
        let line = self.nodes.iter().enumerate().map(|(at, &node)| {
            let before = walk.clone();
            if at > 0 {
                walk.step(self.tree, node);
            }
            let mut row = Map::new();
            row.insert("path".into(), walk.path().to_string().into());
            let played = self.played(node);
            ply += self.tree.properties(node).map(|property| self.state.moves(&property).count()).sum::<usize>();
            row.insert("number".into(), played.as_ref().map(|_| ply).into());
            row.insert("move".into(), played.into());
            if text(self.tree, node, "C").is_some() {
                row.insert("comment".into(), true.into());
            }
            if walk.path().is_variation_start() {
                let others = self.tree.siblings(node).filter(|&other| other != node).take(OTHERS).map(|other| {
                    let mut walk = before.clone();
                    walk.step(self.tree, other);
                    json!({ "path": walk.path().to_string(), "move": self.played(other) })
                });
                row.insert("others".into(), others.collect());
            }
            Value::Object(row)
        });
        let node = self.nodes[self.at];
        let of_node = |ident: &str| text(self.tree, node, ident);
        json!({
            "line": line.collect::<Value>(),
            "at": self.at,
            "nodes": self.tree.node_count(),
            "name": of_node("N"),
            "comment": of_node("C").or_else(|| of_node("GC")),
        })
    }
}

/// Returns the points of a board for its picture, each with its name in requests, its name for players, its position in the
/// picture, column and row; and half of the distance between neighbors.
pub(crate) fn points(diagram: &Diagram) -> Value {
    let frame = PictureFrame::of(&diagram.layout);
    let dialect = diagram.position.dialect();
    let round = |number: f64| (number * 10.0).round() / 10.0;
    let point = |cell: &DrawnCell| {
        let (x, y) = frame.at(cell.middle());
        let (name, shown) = (dialect.show_point(cell.field).to_string(), diagram.name(cell.field));
        json!([name, shown, round(x), round(y), cell.field.column, cell.field.row])
    };
    let all: Vec<Value> = diagram.layout.cells.iter().map(point).collect();
    json!({ "radius": round(frame.scale / 2.0), "all": all })
}
