//! Replies about a position and its next moves.

use sgfstream_adapt::stats::{BoardId, BoardRows};
use sgfstream_draw::TriedMoves;
use sgfstream_game::{BoardCell, Coordinates, Dialect, internal::PositionStep};
use sgfstream_table::find::{Continuation, MoveList, Query};

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Request;
use super::replies::{
    BoardReply, CopyReply, NextMoveReply, NextMovesReply, PositionReply, TriedReply,
};
use super::requests::{PositionRequest, QuestionRequest, Text};
use super::search::{Answer, QueryKind, Question};
use super::spelling::written;
use super::tree;
use crate::Store;
use crate::safe::diagram_text;
use crate::summary::{NextMove, in_order};
use crate::tally::Row;

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns the position, its next moves, and the boards on which it occurs. If a move is
    /// illegal, the board is the one before it.
    pub(super) fn position(&self, asked: &PositionRequest) -> Result<PositionReply, AnswerError> {
        let mut question = self.question(&asked.question);
        let mut answer = self.found(&question)?;
        let tried = self.tried(&asked.question, &question, &answer)?;
        if let (QueryKind::Position(moves), Some(shown)) = (&mut question.what, &tried)
            && let Some((at, _)) = shown.illegal
        {
            let dialect = shown.diagram.position.dialect();
            let legal = MoveList::parse(moves)?
                .steps_on(dialect)
                .unwrap_or_default();
            *moves = written(dialect, &legal[..at]);
            answer = self.found(&question)?;
        }
        let pattern = answer.query.as_ref().and_then(Query::as_pattern);
        let name = |board: &BoardId| match pattern {
            Some(_) => board.game.name().to_owned(),
            None => board.to_string(),
        };
        let boards = answer
            .summary
            .all
            .iter()
            .map(|board| (name(&board.board), board.tally.count));
        let own = asked.question.from.as_ref().map(|node| node.id);
        let only = if answer.hits.len() == 1 {
            answer.hits.iter().next().transpose()?
        } else {
            None
        };
        let mut reply = PositionReply {
            boards: boards.collect(),
            games: answer.hits.len(),
            is_alone: own.is_some() && only.map(|hit| hit.game) == own,
            mean: self.mean()?,
            impossible: answer
                .query
                .as_ref()
                .and_then(Query::impossible_move)
                .map(str::to_owned),
            command: self.command(&question),
            board: None,
            next: None,
            pattern: pattern.map(|pattern| pattern.draw(|_| None)),
            tried: None,
        };
        if answer.query.is_none() {
            return Ok(reply);
        }
        if let Some(at) = self.board(&asked.question, &answer) {
            let rows = &answer.summary.all[at];
            reply.board = Some(name(&rows.board));
            reply.next = Some(next_moves(rows, pattern.is_some()));
        }
        if let Some(mut tried) = tried.filter(|_| pattern.is_none()) {
            if tried.is_turn_open && matches!(question.what, QueryKind::Position(_)) {
                // No rule says who plays, so the games do.
                tried.to_move = reply
                    .next
                    .as_ref()
                    .and_then(|next| next.mover)
                    .or(tried.to_move);
            }
            reply.board = Some(BoardId::of_dialect(tried.diagram.position.dialect()).to_string());
            reply.tried = Some(reply_of_tried(tried, &asked.rotation));
        }
        Ok(reply)
    }

    /// Returns the position as a game that begins with its stones, as text, and as a picture.
    pub(super) fn copied(&self, asked: &PositionRequest) -> Result<CopyReply, AnswerError> {
        let question = self.question(&asked.question);
        let answer = self.found(&question)?;
        let tried = self.tried(&asked.question, &question, &answer)?;
        let tried =
            tried.ok_or_else(|| AnswerError::Refused("the position has no board".to_owned()))?;
        let turn = tried.to_move.filter(|_| !tried.is_turn_open);
        let mut diagram = tried.diagram;
        let dialect = *diagram.position.dialect();
        let mut setup = PositionStep::of_board(&diagram.position);
        setup.extend(
            turn.and_then(|side| {
                PositionStep::set_up(&dialect, "PL", [side.name_in(dialect.game())])
            }),
        );
        let sgf = tree::of_lines(&written(&dialect, &setup), &[], &dialect)?;
        diagram.numbers.clear();
        diagram.rotate(asked.rotation.as_rotation());
        Ok(CopyReply {
            sgf: String::from_utf8_lossy(&sgf).into_owned(),
            text: diagram_text(&diagram),
            svg: diagram.svg("", true),
        })
    }

    /// Returns the board after the moves of the question, or `None` for a pattern or without a
    /// board.
    pub(super) fn tried(
        &self,
        asked: &QuestionRequest,
        question: &Question,
        answer: &Answer<C::Scratch>,
    ) -> Result<Option<TriedMoves>, AnswerError> {
        let moves = match &question.what {
            QueryKind::Position(moves) => moves,
            QueryKind::Node { game, path, moves } => {
                return self.tried_after(*game, path, moves).map(Some);
            }
            QueryKind::Pattern(_) | QueryKind::Nothing => return Ok(None),
        };
        let Some(dialect) = self.dialect(asked, answer) else {
            return Ok(None);
        };
        let Some(steps) = MoveList::parse(moves)?.steps_on(&dialect) else {
            return Ok(None);
        };
        Ok(TriedMoves::at_start(&dialect, &steps).ok())
    }

    /// Returns the board of an answer to show, or else the requested board.
    pub(super) fn dialect(
        &self,
        asked: &QuestionRequest,
        answer: &Answer<C::Scratch>,
    ) -> Option<Dialect> {
        let found = self
            .board(asked, answer)
            .map(|at| answer.summary.all[at].dialect());
        found.or_else(|| self.named_board(asked))
    }

    /// Returns the index of the board to show: the requested board, or else the most frequent one.
    /// A pattern counts all boards of a game together, and the position at a node is on the board
    /// of its game.
    fn board(&self, asked: &QuestionRequest, answer: &Answer<C::Scratch>) -> Option<usize> {
        let all = &answer.summary.all;
        let Some(named) = asked.named_board() else {
            return if all.is_empty() { None } else { Some(0) };
        };
        let is_pattern = answer
            .query
            .as_ref()
            .is_some_and(|query| query.as_pattern().is_some());
        let game = if is_pattern {
            self.named_board(asked).map(|board| board.game())
        } else {
            None
        };
        all.iter()
            .position(|rows| rows.board.to_string() == named || Some(rows.board.game) == game)
    }

    /// Returns the requested board, or the first board. Their names come from `status`.
    pub(super) fn named_board(&self, asked: &QuestionRequest) -> Option<Dialect> {
        let mut all = self.index.dialects().iter().map(BoardId::of_dialect);
        let found = match asked.named_board() {
            Some(named) => all.find(|board| board.to_string() == named),
            None => all.next(),
        };
        found.map(|board| board.dialect())
    }
}

fn next_moves(rows: &BoardRows<Continuation, NextMove>, in_pattern: bool) -> NextMovesReply {
    let dialect = rows.dialect();
    let mut replies = Vec::new();
    let mut mover = None;
    for (next, row) in in_order(rows) {
        let field = match next {
            Continuation::Field(_, field) if in_pattern => Some(*field),
            Continuation::Field(_, field) => Some(dialect.numbered(*field)),
            _ => None,
        };
        mover = mover.or(next.side());
        let name = next_move(next, field, &dialect, in_pattern);
        replies.push(
            Row {
                name,
                games: &row.tally,
                all: &rows.tally,
            }
            .fields(),
        );
    }
    NextMovesReply {
        left_out: rows.left_out,
        mover,
        replies,
    }
}

fn next_move(
    next: &Continuation,
    field: Option<BoardCell>,
    board: &Dialect,
    in_pattern: bool,
) -> NextMoveReply {
    let color = next.side().map(|side| side.name_in(board.game()));
    let shown = match (next, field) {
        (_, Some(field)) if in_pattern => format!("{},{}", field.column + 1, field.row + 1),
        (_, Some(field)) => board.show_point_in(field, Coordinates::Gtp).to_string(),
        (Continuation::Other(_, text), _) => text.clone(),
        _ => "end".to_owned(),
    };
    let add = match (next, field) {
        _ if in_pattern => None,
        (_, Some(field)) => Some(board.show_point(field).to_string()),
        (Continuation::Other(_, text), _) if !text.contains([' ', '[', ']']) => Some(text.clone()),
        _ => None,
    };
    let add = add.zip(color).map(|(add, color)| format!("{color}[{add}]"));
    NextMoveReply {
        color,
        next: shown,
        add,
        field: field.map(|field| [field.column, field.row]),
    }
}

fn reply_of_tried(mut tried: TriedMoves, rotation: &Text) -> TriedReply {
    let rows = tried.diagram.rows();
    tried.diagram.rotate(rotation.as_rotation());
    let (illegal_at, illegal) = tried.illegal.unzip();
    TriedReply {
        rows,
        ply: tried.ply,
        board: BoardReply::of(&mut tried.diagram, tried.to_move),
        line: tried.shown,
        illegal,
        illegal_at,
    }
}
