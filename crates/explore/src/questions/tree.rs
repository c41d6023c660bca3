//! Tree of the moves played after a position, as SGF for other programs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;

use sgfstream_adapt::stats::{BoardId, BoardRows, GameTally};
use sgfstream_draw::LABELS;
use sgfstream_game::havannah::Numbering;
use sgfstream_game::{BoardCell, Dialect, Game, Move, internal::PositionStep};
use sgfstream_table::find::{Continuation, MoveList};

use super::answer_error::AnswerError;
use super::requests::LineRequest;
use super::search::{Answer, QueryKind, Question};
use crate::ScratchStore;
use crate::summary::{NextMove, in_order};

/// Maximum number of positions with continuations. The positions with the most games are expanded.
const POSITIONS: usize = 60;

/// Maximum number of continuations of a position. The most frequent ones are written.
const CONTINUATIONS: usize = 12;

/// A position of the tree.
#[derive(Default)]
struct Node {
    /// Moves that lead to the position, in the notation of requests.
    moves: String,
    /// Last of these moves.
    played: Option<PositionStep>,
    comment: String,
    is_marked: bool,
    children: Vec<usize>,
}

/// Tree with the queue of positions to expand.
struct Tree<'a> {
    dialect: &'a Dialect,
    nodes: Vec<Node>,
    /// Number of games and index of each queued position. With equal numbers of games, the first
    /// position is expanded first.
    open: BinaryHeap<(u64, Reverse<usize>)>,
    /// Whether continuations have letters.
    has_letters: bool,
}

/// Returns the most frequent continuations of the position after `moves`, and recursively their
/// continuations, each with its games in a comment. `answer` contains the games of the position;
/// `ask` answers the question for each further position.
pub(crate) fn write<S: ScratchStore>(
    answer: &Answer<S>,
    mut question: Question,
    moves: &str,
    dialect: &Dialect,
    ask: impl Fn(&Question) -> Result<Answer<S>, AnswerError>,
) -> Result<Vec<u8>, AnswerError> {
    let line = MoveList::parse(moves)?
        .steps_on(dialect)
        .unwrap_or_default();
    let start = Node {
        moves: moves.to_owned(),
        ..Node::default()
    };
    let mut tree = Tree {
        dialect,
        nodes: vec![start],
        open: BinaryHeap::new(),
        has_letters: true,
    };
    tree.nodes[0].comment = match tree.found(answer) {
        Some(board) => games_of(&board.tally, board.tally.count),
        None => "No game has this position.".to_owned(),
    };
    tree.add(0, answer);
    for _ in 1..POSITIONS {
        let Some((_, Reverse(at))) = tree.open.pop() else {
            break;
        };
        question.what = QueryKind::Position(tree.nodes[at].moves.clone());
        let answer = ask(&question)?;
        tree.add(at, &answer);
    }
    Ok(tree.text(&line).into_bytes())
}

/// Returns lines as a game that begins with the setup `start`. Lines with the same first moves
/// share them.
pub(crate) fn of_lines(
    start: &str,
    lines: &[LineRequest],
    dialect: &Dialect,
) -> Result<Vec<u8>, AnswerError> {
    let steps_of = |text: &str| {
        let steps = MoveList::parse(text)?.steps_on(dialect);
        steps
            .ok_or_else(|| AnswerError::Refused("the moves do not belong to this board".to_owned()))
    };
    let mut tree = Tree {
        dialect,
        nodes: vec![Node::default()],
        open: BinaryHeap::new(),
        has_letters: false,
    };
    for line in lines {
        let mut at = 0;
        for step in steps_of(&line.moves)? {
            at = tree.child(at, step);
        }
        tree.nodes[at].comment = line.comment.get().unwrap_or_default().to_owned();
        tree.nodes[at].is_marked = line.marked;
    }
    Ok(tree.text(&steps_of(start)?).into_bytes())
}

impl Tree<'_> {
    /// Returns the child of a node after a step, and adds it if it is missing.
    fn child(&mut self, at: usize, step: PositionStep) -> usize {
        let known = self.nodes[at]
            .children
            .iter()
            .find(|&&child| self.nodes[child].played.as_ref() == Some(&step));
        if let Some(&known) = known {
            return known;
        }
        let child = self.nodes.len();
        self.nodes.push(Node {
            played: Some(step),
            ..Node::default()
        });
        self.nodes[at].children.push(child);
        child
    }

    /// Returns the continuations on the board of the tree.
    fn found<'f>(
        &self,
        answer: &'f Answer<impl ScratchStore>,
    ) -> Option<&'f BoardRows<Continuation, NextMove>> {
        let board = BoardId::of_dialect(self.dialect);
        answer.summary.all.iter().find(|rows| rows.board == board)
    }

    /// Adds the continuations of a node.
    fn add(&mut self, at: usize, answer: &Answer<impl ScratchStore>) {
        let Some(board) = self.found(answer) else {
            return;
        };
        let (mut left, mut ended) = ((0, 0), 0);
        for (next, row) in in_order(board) {
            let count = row.tally.count;
            let Some(played) = self.move_of(next) else {
                match next {
                    Continuation::End => ended += count,
                    _ => left = (left.0 + 1, left.1 + count),
                }
                continue;
            };
            if self.nodes[at].children.len() == CONTINUATIONS {
                left = (left.0 + 1, left.1 + count);
                continue;
            }
            let moves = format!("{} {}", self.nodes[at].moves, played.written(self.dialect));
            let child = self.child(at, played);
            self.nodes[child].moves = moves;
            self.nodes[child].comment = games_of(&row.tally, board.tally.count);
            // A position with only one game is not expanded, because the game itself has the line.
            self.open
                .extend((count > 1).then_some((count, Reverse(child))));
        }
        let comment = &mut self.nodes[at].comment;
        if ended > 0 {
            _ = write!(comment, "\nGames that end here: {ended}.");
        }
        if left.0 + board.left_out > 0 {
            let (moves, games) = left;
            _ = write!(
                comment,
                "\nMoves that are not in this tree: {moves}, in {} games.",
                games + board.left_out
            );
        }
    }

    /// Returns the move of a continuation, if SGF can represent it.
    fn move_of(&self, next: &Continuation) -> Option<PositionStep> {
        match next {
            Continuation::Field(side, field) => Some(PositionStep::Move(
                *side,
                Move::Place(self.dialect.numbered(*field)),
            )),
            Continuation::Other(side, text) => {
                let played = self.dialect.parse_move_in_any(text.as_bytes()).ok()?;
                (!matches!(played, Move::Raw(_))).then_some(PositionStep::Move(*side, played))
            }
            _ => None,
        }
    }

    /// Returns the tree as a game that begins with `line`.
    fn text(&self, line: &[PositionStep]) -> String {
        let (game, size) = (self.dialect.game(), self.dialect.size());
        let gm = game
            .number()
            .map_or_else(|| game.name().to_owned(), |number| number.to_string());
        let mut out = format!(
            "(;FF[4]GM[{gm}]CA[UTF-8]AP[sgfq:{}]",
            env!("CARGO_PKG_VERSION")
        );
        if !matches!(game, Game::Pentobi(_)) {
            _ = write!(out, "SZ[{size}]");
        }
        if self.dialect.numbering() == Numbering::FromOne {
            // Readers recognize the row numbers of these games by this property.
            out.push_str("RU[LG]");
        }
        let mut is_setup = true;
        for step in line {
            // Setup at the start belongs to the root, and further setup to the node of the setup
            // before it.
            let follows_setup =
                std::mem::replace(&mut is_setup, matches!(step, PositionStep::SetUp(_)));
            if !(is_setup && follows_setup) {
                out.push(';');
            }
            self.write_step(&mut out, step);
        }
        self.write_node(&mut out, 0);
        // Stack of nodes to write, each with whether it is a variation. `None` ends a variation.
        let children = |at: usize| {
            let children = &self.nodes[at].children;
            children
                .iter()
                .rev()
                .map(move |&child| Some((child, children.len() > 1)))
        };
        let mut next: Vec<Option<(usize, bool)>> = children(0).collect();
        while let Some(step) = next.pop() {
            let Some((at, is_variation)) = step else {
                out.push(')');
                continue;
            };
            if is_variation {
                out.push_str("\n(");
                next.push(None);
            }
            if let Some(step) = &self.nodes[at].played {
                out.push(';');
                self.write_step(&mut out, step);
            }
            self.write_node(&mut out, at);
            next.extend(children(at));
        }
        out.push_str(")\n");
        out
    }

    fn write_step(&self, out: &mut String, step: &PositionStep) {
        _ = match step {
            PositionStep::Move(side, mv) => {
                let value = escaped(&self.dialect.show_move(mv).to_string());
                write!(out, "{}[{value}]", side.name_in(self.dialect.game()))
            }
            PositionStep::SetUp(text) => write!(out, "{text}"),
        };
    }

    /// Writes the comment and the bookmark of a node, and letters for its continuations.
    fn write_node(&self, out: &mut String, at: usize) {
        let node = &self.nodes[at];
        if !node.comment.is_empty() {
            _ = write!(out, "C[{}]", escaped(&node.comment));
        }
        if node.is_marked {
            out.push_str("HO[1]");
        }
        if !self.has_letters {
            return;
        }
        let played = node
            .children
            .iter()
            .filter_map(|&child| self.nodes[child].played.as_ref());
        let mut labeled = Vec::new();
        for field in played
            .filter_map(point_of)
            .filter(|_| self.dialect.game() == Game::Go)
        {
            if !labeled.contains(&field) {
                labeled.push(field);
            }
        }
        for (at, (field, letter)) in labeled.iter().zip(LABELS.chars()).enumerate() {
            let ident = if at == 0 { "LB" } else { "" };
            _ = write!(out, "{ident}[{}:{letter}]", self.dialect.show_point(*field));
        }
    }
}

fn point_of(step: &PositionStep) -> Option<BoardCell> {
    match step {
        PositionStep::Move(_, mv) => mv.point(),
        PositionStep::SetUp(_) => None,
    }
}

/// Returns the counts as text: `548 games (37 %). Black won 55 % (51-59). 1958-2018.`
fn games_of(games: &GameTally, all: u64) -> String {
    let s = if games.count == 1 { "" } else { "s" };
    let mut out = format!(
        "{} game{s} ({:.0} %).",
        games.count,
        100.0 * games.count as f64 / all as f64
    );
    if let Some(share) = games.black_share() {
        _ = write!(out, " Black won {share}.");
    }
    match games.years {
        Some((first, last)) if first == last => _ = write!(out, " {first}."),
        Some((first, last)) => _ = write!(out, " {first}-{last}."),
        None => {}
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
