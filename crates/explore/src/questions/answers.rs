//! Answers requests by their names.

use serde::Serialize;
use serde::de::DeserializeOwned;

use sgfstream_adapt::stats::BoardId;
use sgfstream_game::facts::Replay;

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Explorer;
use super::export::Export;
use super::replies::{FindingsReply, RepairReply, StatusReply};
use super::requests::{FilterRequest, LinesRequest, QuestionRequest, RepairRequest, StatusRequest};
use super::search::QueryKind;
use super::stop_flag::StopFlag;
use super::{findings, tree};
use crate::Store;

/// Reply to one explorer request.
#[derive(Debug)]
pub enum ExplorerResponse {
    /// JSON object.
    Json(Vec<u8>),
    /// File with its media type.
    File(&'static str, Vec<u8>),
    /// Games as SGF, which may be large: [`Explorer::part`] writes them in parts.
    Games(Export),
}

/// Returns the parameters of a request.
fn parsed<R: DeserializeOwned>(body: &[u8]) -> Result<R, AnswerError> {
    serde_json::from_slice(body).map_err(|err| match err.is_data() {
        true => AnswerError::Refused(format!("the request is invalid: {err}")),
        false => AnswerError::Refused("the body is not a JSON object".to_owned()),
    })
}

impl ExplorerResponse {
    /// Returns a reply as JSON.
    ///
    /// # Panics
    ///
    /// Panics if the reply has no JSON, which no reply of this crate does.
    pub fn json(reply: &impl Serialize) -> Self {
        Self::Json(serde_json::to_vec(reply).expect("replies have texts as keys"))
    }
}

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Answers the request `name`, one of [`QUESTIONS`](crate::QUESTIONS), with the parameters in
    /// `body`, a JSON object.
    ///
    /// # Errors
    ///
    /// Returns an error if the request is invalid or the index cannot be read.
    pub fn answer(&self, name: &str, body: &[u8]) -> Result<ExplorerResponse, AnswerError> {
        self.answer_until(name, body, &StopFlag::default())
    }

    /// Same as [`answer`](Self::answer), but `stop` can end the search.
    ///
    /// # Errors
    ///
    /// Returns an error if the request is invalid, the index cannot be read, or `stop` ended the
    /// search.
    pub fn answer_until(
        &self,
        name: &str,
        body: &[u8],
        stop: &StopFlag,
    ) -> Result<ExplorerResponse, AnswerError> {
        Ok(match name {
            "status" => {
                let StatusRequest {} = parsed(body)?;
                ExplorerResponse::json(&self.status()?)
            }
            "position" => ExplorerResponse::json(&self.position(&parsed(body)?, stop)?),
            "copy" => ExplorerResponse::json(&self.copied(&parsed(body)?, stop)?),
            "road" => ExplorerResponse::json(&self.road(&parsed(body)?, stop)?),
            "said" => ExplorerResponse::json(&self.said(&parsed(body)?, stop)?),
            "games" => ExplorerResponse::json(&self.games(&parsed(body)?, stop)?),
            "game" => ExplorerResponse::json(&self.game(&parsed(body)?, stop)?),
            "players" => ExplorerResponse::json(&self.players(&parsed(body)?, stop)?),
            "names" => ExplorerResponse::json(&self.names_with(&parsed(body)?, stop)?),
            "person" => ExplorerResponse::json(&self.person(&parsed(body)?, stop)?),
            "findings" => ExplorerResponse::json(&self.findings(&parsed(body)?, stop)?),
            "repair" => ExplorerResponse::json(&self.repair(&parsed(body)?)?),
            "tree" => ExplorerResponse::File(
                "application/x-go-sgf",
                self.tree_after(&parsed(body)?, stop)?,
            ),
            "lines" => ExplorerResponse::File("application/x-go-sgf", self.lines(&parsed(body)?)?),
            "export" => ExplorerResponse::Games(self.export(&parsed(body)?, stop)?),
            "stats" => {
                let condition = self.condition(&parsed(body)?);
                ExplorerResponse::File(
                    "text/html; charset=utf-8",
                    self.stats_page(condition.as_deref(), stop)?,
                )
            }
            _ => return Err(AnswerError::Refused("unknown request".to_owned())),
        })
    }

    fn status(&self) -> Result<StatusReply<'_>, AnswerError> {
        let index = &self.index;
        let mut boards = Vec::new();
        for dialect in index
            .dialects()
            .iter()
            .filter(|dialect| Replay::of_dialect(dialect).is_ok())
        {
            let name = BoardId::of_dialect(dialect).to_string();
            if !boards.contains(&name) {
                boards.push(name);
            }
        }
        Ok(StatusReply::Ready {
            games: index.len(),
            positions: index.positions(),
            variations: index.variation_positions().is_some(),
            variation_positions: index.variation_positions(),
            bytes: index.size().ok(),
            inputs: &self.inputs,
            partial: self.is_partial,
            boards,
            starts: self.starts()?,
        })
    }

    /// Returns the findings in the games that match the condition, by code.
    fn findings(
        &self,
        asked: &FilterRequest,
        stop: &StopFlag,
    ) -> Result<FindingsReply, AnswerError> {
        let condition = self.condition(asked);
        let games = self.chosen(condition.as_deref(), stop)?;
        let rows = findings::by_code(&self.index, &self.cores, &games, stop)?;
        Ok(FindingsReply {
            rows,
            command: self.command_of("check --summary", condition.as_deref()),
        })
    }

    /// Returns the repairs of a game.
    fn repair(&self, asked: &RepairRequest) -> Result<RepairReply, AnswerError> {
        let id = self.known_game(asked.id)?;
        Ok(findings::repair(
            &self.read(id)?.record(),
            self.index.is_transcoded(id)?,
            self.options,
        )?)
    }

    /// Returns the most frequent continuations of a position as SGF.
    fn tree_after(&self, asked: &QuestionRequest, stop: &StopFlag) -> Result<Vec<u8>, AnswerError> {
        let refuse = |message: &str| Err(AnswerError::Refused(message.to_owned()));
        let question = self.question(asked);
        let answer = self.found(&question, stop)?;
        match (question.what.clone(), self.dialect(asked, &answer)) {
            (QueryKind::Position(moves), Some(dialect)) => {
                tree::write(&answer, question, &moves, &dialect, |question| {
                    self.search(question, stop)
                })
            }
            (QueryKind::Node { .. }, _) => {
                refuse("the request names a node of a game; ask with the moves that lead there")
            }
            _ => refuse("the request names no position on a board"),
        }
    }

    /// Returns lines of the user as a game.
    fn lines(&self, asked: &LinesRequest) -> Result<Vec<u8>, AnswerError> {
        let board = self.named_board(&asked.question);
        let board = board
            .ok_or_else(|| AnswerError::Refused("the archive has no such board".to_owned()))?;
        tree::of_lines(
            asked.question.moves.get().unwrap_or_default(),
            &asked.lines,
            &board,
        )
    }
}
