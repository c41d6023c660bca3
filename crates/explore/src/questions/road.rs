//! Reply about how far the games of the archive follow a game.

use sgfstream::SliceReader;
use sgfstream::record::{GameReader, Outline, OwnedGame};
use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{
    Coordinates, Facts, GameBoard,
    facts::NodePath,
    internal::{BOARD_MAX, PositionStep},
};
use sgfstream_table::find::Query;

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Request;
use super::replies::{RoadReply, RoadStep};
use super::requests::RoadRequest;
use crate::Store;

/// Maximum number of positions that are counted.
const STEPS: usize = 500;

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns the main line of a game of the archive, or of a game that the request contains, with
    /// the number of other games that have each position. The count ends at the first position that
    /// no other game has.
    pub(super) fn road(&self, asked: &RoadRequest) -> Result<RoadReply, AnswerError> {
        let refuse = |message: &str| AnswerError::Refused(message.to_owned());
        let game = match (asked.id, asked.sgf.get()) {
            (Some(id), _) => self.read(self.known_game(Some(id))?)?,
            (None, Some(sgf)) => self.game_of(sgf)?,
            (None, None) => return Err(refuse("the request has neither `id` nor `sgf`")),
        };
        let (outline, facts) = (Outline::of(game.record()), Facts::of(game.record(), 0));
        let mut replay = facts
            .replay_boards()
            .map_err(|_| refuse("the game has no known board"))?;
        let dialect = facts.dialect();
        let mut reply = RoadReply {
            board: BoardId::of_dialect(&dialect).to_string(),
            steps: Vec::new(),
        };
        let mut is_followed = true;
        for node in outline.line(0).take(STEPS) {
            let (mut setup, mut add, mut name) = (Vec::new(), None, None);
            for property in outline.properties(node) {
                replay.apply(&property);
                for step in PositionStep::of_property(&facts, &property).unwrap_or_default() {
                    let written = step.written(&dialect).to_string();
                    match step {
                        PositionStep::Move(side, mv) => {
                            let point = dialect.show_move_in(&mv, Coordinates::Gtp);
                            name = Some(format!("{} {point}", side.name_in(dialect.game())));
                            add = Some(written);
                        }
                        PositionStep::SetUp(_) => setup.push(written),
                    }
                }
            }
            let board = replay
                .board()
                .filter(|board| board.size().longer() <= BOARD_MAX);
            let games = match board.filter(|_| is_followed) {
                Some(board) => self.others(board.clone(), asked)?,
                None => 0,
            };
            is_followed = games > 0;
            let path = NodePath::of(&outline, node).to_string();
            reply.steps.push(RoadStep {
                path,
                setup: setup.join(" "),
                add,
                name,
                games,
            });
        }
        Ok(reply)
    }

    /// Returns the game that a request contains.
    fn game_of(&self, sgf: &str) -> Result<OwnedGame, AnswerError> {
        let refuse = || AnswerError::Refused("the text has no game in SGF".to_owned());
        let mut games = GameReader::new(SliceReader::with_options(sgf.as_bytes(), self.options));
        let game = games
            .next_game()
            .map_err(|_| refuse())?
            .ok_or_else(refuse)?;
        Ok(game.map_err(|_| refuse())?.to_owned_game())
    }

    /// Returns the number of games that have the board, without the game of the request.
    fn others(&self, board: GameBoard, asked: &RoadRequest) -> Result<u64, AnswerError> {
        let question = self.question(&asked.question);
        let query = Query::position(board)
            .exact(question.exact)
            .swap_colors(question.swap_colors)
            .all();
        let answer = self.search(Some(query), question.condition.as_deref())?;
        let mut own = 0;
        for hit in answer.hits.iter() {
            own += u64::from(Some(hit?.game) == asked.id);
        }
        Ok(answer.hits.len() - own)
    }
}
