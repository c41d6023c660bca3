//! Answers requests about a position and its next moves.

use std::sync::Arc;

use serde_json::{Value, json};

use sgfstream_adapt::stats::{BoardId, GameTally};
use sgfstream_draw::{Diagram, LABELS, TriedMoves};
use sgfstream_game::go::GoBoard;
use sgfstream_game::{BoardCell, Coordinates, Dialect, Move, Side};
use sgfstream_table::find::{Continuation, MoveList, Query};

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::game;
use super::request::Request;
use super::search::{Answer, QueryKind, Question, tried_after};
use crate::Store;
use crate::summary::in_order;
use crate::tally;

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns the position, its next moves, and the boards on which it occurs. If a move is illegal, the board is the one
    /// before it.
    pub(super) fn position(&self) -> Result<Value, AnswerError> {
        let mut question = self.question();
        let mut answer = self.explorer.found(&question, self.stop)?;
        let mut tried = self.tried(&question, &answer)?;
        let illegal = tried.as_ref().and_then(|tried| tried.illegal.clone());
        if let (Some((at, _)), QueryKind::Position(moves), Some(shown)) = (&illegal, &mut question.what, &tried) {
            let dialect = shown.diagram.position.dialect();
            let legal = MoveList::parse(moves)?.moves_on(dialect).unwrap_or_default();
            *moves = legal[..*at].iter().map(|(side, mv)| written(dialect, *side, mv)).collect::<Vec<_>>().join(" ");
            answer = self.explorer.found(&question, self.stop)?;
        }
        let is_pattern = answer.query.as_ref().is_some_and(|query| query.as_pattern().is_some());
        let name = |board: &BoardId| if is_pattern { board.game.name().to_owned() } else { board.to_string() };
        let boards = answer.summary.all.iter().map(|board| json!([name(&board.board), board.tally.count]));
        let mut reply = json!({
            "boards": boards.collect::<Value>(),
            "games": answer.hits.len() as u64 + answer.more,
            "impossible": answer.query.as_ref().and_then(Query::impossible_move),
            "command": self.command(&question),
        });
        let Some(query) = &answer.query else { return Ok(reply) };
        let mut labels = Vec::new();
        if let Some(rows) = self.board(&answer).map(|at| &answer.summary.all[at]) {
            reply["board"] = name(&rows.board).into();
            reply["left_out"] = rows.left_out.into();
            let dialect = rows.dialect();
            let replies = in_order(rows).into_iter().map(|(next, row)| {
                let field = match next {
                    Continuation::Field(_, field) if is_pattern => Some(*field),
                    Continuation::Field(_, field) => Some(dialect.numbered(*field)),
                    _ => None,
                };
                let label = field.map(|field| {
                    labels.iter().position(|&known| known == field).unwrap_or_else(|| {
                        labels.push(field);
                        labels.len() - 1
                    })
                });
                reply_of(next, row.tally.clone(), &rows.tally, dialect, field.zip(label), is_pattern)
            });
            reply["replies"] = replies.collect();
        }
        if let Some(pattern) = query.as_pattern() {
            reply["pattern"] = pattern.draw(|_| None).into();
        } else if let Some(tried) = &mut tried {
            reply["board"] = BoardId::of_dialect(tried.diagram.position.dialect()).to_string().into();
            reply["rows"] = tried.diagram.rows().into();
            reply["move"] = tried.ply.into();
            let letters = labels.iter().zip(LABELS.chars());
            tried.diagram.marks.labels = letters.map(|(field, letter)| (*field, letter.to_string())).collect();
            tried.diagram.rotate(self.rotation());
            add_board(&mut reply, &mut tried.diagram, tried.to_move);
            reply["line"] = tried.shown.clone().into();
            let (at, sentence) = illegal.unzip();
            reply["illegal"] = sentence.into();
            reply["illegal_at"] = at.into();
        }
        Ok(reply)
    }

    /// Returns the board after the moves of the question, or `None` for a pattern or without a board.
    fn tried(&self, question: &Question, answer: &Arc<Answer>) -> Result<Option<TriedMoves>, AnswerError> {
        let moves = match &question.what {
            QueryKind::Position(moves) => moves,
            QueryKind::Node { game, path, moves } => {
                return tried_after(self.explorer, *game, path, moves).map(Some);
            }
            QueryKind::Pattern(_) | QueryKind::Nothing => return Ok(None),
        };
        let dialect = self.board(answer).map(|at| answer.summary.all[at].dialect()).or_else(|| self.named_board());
        let Some(dialect) = dialect else { return Ok(None) };
        let Some(moves) = MoveList::parse(moves)?.moves_on(&dialect) else { return Ok(None) };
        Ok(TriedMoves::at_start(&dialect, &moves).ok())
    }

    /// Returns the index of the board to show: the requested board, or else the most frequent one. A pattern counts all
    /// boards of a game together, and the position at a node is on the board of its game.
    pub(super) fn board(&self, answer: &Answer) -> Option<usize> {
        let named = self.named();
        let is_pattern = answer.query.as_ref().is_some_and(|query| query.as_pattern().is_some());
        let game = named.filter(|_| is_pattern).and_then(|_| self.named_board()).map(|board| board.game());
        let is_named = |at: &usize| {
            let board = &answer.summary.all[*at].board;
            Some(&*board.to_string()) == named || Some(board.game) == game
        };
        let all = 0..answer.summary.all.len();
        all.clone().find(is_named).or_else(|| all.clone().next().filter(|_| named.is_none()))
    }

    /// Returns the name of the requested board, unless the request names a node of a game.
    pub(super) fn named(&self) -> Option<&str> {
        self.text("board").filter(|_| !self.asked["from"].is_object())
    }

    /// Returns the requested board, or the first board. Their names come from `status`.
    pub(super) fn named_board(&self) -> Option<Dialect> {
        let mut all = self.explorer.index.dialects().iter();
        let found = match self.named() {
            Some(named) => all.map(BoardId::of_dialect).find(|board| board.to_string() == named),
            None => all.next().map(BoardId::of_dialect),
        };
        found.map(|board| board.dialect())
    }
}

/// Returns a move in the notation of requests: `B[pd]`.
pub(super) fn written(dialect: &Dialect, side: Side, mv: &Move) -> String {
    format!("{}[{}]", side.letter(), dialect.show_move(mv))
}

/// Adds a board to a reply: picture, points, last move, move numbers, captures, and the player to move.
pub(super) fn add_board(reply: &mut Value, diagram: &mut Diagram, to_move: Option<Side>) {
    let numbers = std::mem::take(&mut diagram.numbers).into_iter();
    reply["svg"] = diagram.svg("", false).into();
    reply["points"] = game::points(diagram);
    reply["numbers"] = numbers.map(|(field, number)| json!([field.column, field.row, number])).collect();
    reply["last"] = diagram.last.first().map(|field| json!([field.column, field.row])).into();
    let captures = diagram.position.board::<GoBoard>().map(|board| {
        let [black, white] = [Side::Black, Side::White].map(|side| board.prisoners(side));
        json!({ "B": black, "W": white })
    });
    reply["captures"] = captures.into();
    reply["to_play"] = to_move.map(Side::letter).into();
}

/// Returns a next move with its games.
fn reply_of(
    next: &Continuation,
    games: GameTally,
    all: &GameTally,
    board: Dialect,
    labeled: Option<(BoardCell, usize)>,
    in_pattern: bool,
) -> Value {
    let side = next.side().map(Side::letter);
    let (field, label) = labeled.unzip();
    let shown = match (next, field) {
        (_, Some(field)) if in_pattern => format!("{},{}", field.column + 1, field.row + 1),
        (_, Some(field)) => board.show_point_in(field, Coordinates::Gtp).to_string(),
        (Continuation::Other(_, text), _) => text.clone(),
        _ => "end".to_owned(),
    };
    // Text that the page appends to its moves to go there.
    let add = match (next, field) {
        _ if in_pattern => None,
        (_, Some(field)) => Some(board.show_point(field).to_string()),
        (Continuation::Other(_, text), _) if !text.contains([' ', '[', ']']) => Some(text.clone()),
        _ => None,
    };
    let add = add.zip(side).map(|(add, side)| format!("{side}[{add}]"));
    let name = json!({
        "color": side,
        "next": shown,
        "add": add,
        "label": label.and_then(|at| LABELS.chars().nth(at)),
        "field": field.map(|field| [field.column, field.row]),
    });
    tally::Row { name, games: &games, all }.object()
}
