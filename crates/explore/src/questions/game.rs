//! Replies about one game: a node with its board, and the line through it.

use sgfstream::record::{Outline, OwnedGame};
use sgfstream_adapt::stats::BoardId;
use sgfstream_draw::NodeView;
use sgfstream_game::{
    Coordinates, Facts, Side, board::Symmetry, facts::NodeTarget, internal::PathWalk,
};

use super::answer_error::AnswerError;
use super::replies::{BoardReply, JudgedReply, LineNode, NodeReply, OtherNode, ShownNode};
use super::{curve, judgment, spelling, variation_tree};

/// Maximum number of nodes listed from a line, and of siblings listed for a node.
const LINE: usize = 10_000;
const OTHERS: usize = 50;

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

/// Returns the node that `target` names, with the line through it and on along first children. The
/// picture of its board is transformed by `shown`, if the board allows it.
pub(super) fn node(
    game: &OwnedGame,
    target: &NodeTarget,
    shown: Symmetry,
) -> Result<NodeReply, AnswerError> {
    let record = game.record();
    let (outline, facts) = (&Outline::of(record), &Facts::of(record, 0));
    let found = target.find(outline, facts);
    let node = match (&found, target) {
        (Ok(node), _) => *node,
        (Err(_), NodeTarget::Node(_)) => {
            return Err(AnswerError::Refused("the game has no such node".to_owned()));
        }
        (Err(_), _) => 0,
    };
    let line = NodeLine::new(outline, facts, node)?;
    let mut turn = line.next_side();
    let view = found
        .and_then(|node| NodeView::of(outline, facts, node, Coordinates::Gtp, Some(1), &mut None));
    let shown = match view {
        Ok(mut view) => {
            turn = turn.or(view.to_move);
            let is_rotated = shown != Symmetry::Identity && view.diagram.rotate(shown);
            let board = Box::new(BoardReply::of(&mut view.diagram, view.to_move));
            ShownNode::Board {
                is_rotated,
                board,
                ply: view.ply,
                played: view.played,
            }
        }
        // Without a board, the page shows the game without a picture.
        Err(no_board) => ShownNode::None { no_board },
    };
    Ok(NodeReply {
        line: line.nodes(),
        at: line.at,
        nodes: outline.len(),
        name: text(outline, node, "N"),
        comment: text(outline, node, "C").or_else(|| text(outline, node, "GC")),
        info: info(outline),
        tree: variation_tree::draw(outline, facts, node),
        judged: line.judged(),
        engine: curve::engine_lines(outline, facts, node, turn),
        shown,
        turn: turn.map(|side| side.name_in(facts.game)),
        moves: spelling::of_node(outline, facts, node),
        board: BoardId::of_dialect(&facts.dialect()).to_string(),
    })
}

fn text(outline: &Outline<'_>, node: usize, ident: &str) -> Option<String> {
    outline
        .property(node, ident)
        .map(|property| property.text().into_owned())
        .filter(|text| !text.trim().is_empty())
}

/// Returns the game information of the root and of the first nodes after it.
fn info(outline: &Outline<'_>) -> Vec<(&'static str, String)> {
    let mut pairs = Vec::new();
    for (ident, name) in INFO {
        let mut nodes = outline.line(0).take(4);
        pairs.extend(
            nodes
                .find_map(|node| text(outline, node, ident))
                .map(|text| (name, text)),
        );
    }
    pairs
}

/// Line through a node, continued along first children.
struct NodeLine<'t> {
    outline: &'t Outline<'t>,
    facts: &'t Facts<'t>,
    nodes: Vec<usize>,
    /// Index of the node in the line.
    at: usize,
}

impl<'t> NodeLine<'t> {
    fn new(
        outline: &'t Outline<'t>,
        facts: &'t Facts<'t>,
        node: usize,
    ) -> Result<Self, AnswerError> {
        let mut nodes = outline.path(node);
        let at = nodes.len() - 1;
        if at >= LINE {
            return Err(AnswerError::Refused(format!(
                "the node is deeper than {LINE} nodes"
            )));
        }
        nodes.extend(outline.line(node).skip(1).take(LINE - nodes.len()));
        Ok(Self {
            outline,
            facts,
            nodes,
            at,
        })
    }

    fn other(&self, parent: &PathWalk, node: usize) -> OtherNode {
        let mut walk = parent.clone();
        walk.step(self.outline, node);
        OtherNode {
            path: walk.path().to_string(),
            played: curve::played(self.facts, self.outline, node),
        }
    }

    /// Returns the next moves of a problem, or `None` if the game is no problem.
    fn judged(&self) -> Option<Vec<JudgedReply>> {
        let node = self.nodes[self.at];
        let judged = judgment::of_children(self.outline, node)?;
        let mut walk = PathWalk::default();
        self.nodes[1..=self.at]
            .iter()
            .for_each(|&node| walk.step(self.outline, node));
        let mut replies = Vec::new();
        for (child, is_right) in self.outline.children(node).zip(judged).take(OTHERS) {
            let judged = is_right.map(|is_right| if is_right { "right" } else { "wrong" });
            replies.push(JudgedReply {
                node: self.other(&walk, child),
                judged,
            });
        }
        Some(replies)
    }

    /// Returns the side that moves in the next node.
    fn next_side(&self) -> Option<Side> {
        let next = self.outline.first_child(self.nodes[self.at])?;
        let played = self.facts.moves_of_node(self.outline.node(next)).next()?;
        Some(Side::of_color(played.color))
    }

    /// Returns the nodes of the line.
    fn nodes(&self) -> Vec<LineNode> {
        let (mut walk, mut ply, mut nodes) =
            (PathWalk::default(), 0, Vec::with_capacity(self.nodes.len()));
        let stated = curve::of_line(self.outline, self.facts, &self.nodes);
        for ((at, &node), (evaluation, clock)) in self.nodes.iter().enumerate().zip(stated) {
            let before = walk.clone();
            if at > 0 {
                walk.step(self.outline, node);
            }
            ply += self.facts.moves_of_node(self.outline.node(node)).count();
            let played = curve::played(self.facts, self.outline, node);
            let others = walk.path().is_variation_start().then(|| {
                let parent = self.outline.parent(node).unwrap_or(0);
                let others = self
                    .outline
                    .children(parent)
                    .filter(|&other| other != node)
                    .take(OTHERS);
                others.map(|other| self.other(&before, other)).collect()
            });
            nodes.push(LineNode {
                evaluation,
                clock,
                path: walk.path().to_string(),
                number: played.is_some().then_some(ply),
                played,
                comment: text(self.outline, node, "C").map(|_| true),
                others,
            });
        }
        nodes
    }
}
