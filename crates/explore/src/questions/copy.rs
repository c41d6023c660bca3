//! Replies with a position in forms for other programs.

use sgfstream_game::internal::PositionStep;

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Explorer;
use super::replies::CopyReply;
use super::requests::PositionRequest;
use super::spelling::written;
use super::stop_flag::StopFlag;
use super::tree;
use crate::Store;
use crate::safe::diagram_text;

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Returns the position as a game that begins with its stones, as text, and as a picture.
    pub(super) fn copied(
        &self,
        asked: &PositionRequest,
        stop: &StopFlag,
    ) -> Result<CopyReply, AnswerError> {
        let question = self.question(&asked.question);
        let answer = self.found(&question, stop)?;
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
}
