//! Answers requests by their names.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use sgfstream_adapt::stats::{BoardId, Stats};
use sgfstream_game::{Coordinates, Facts, Side, facts::Replay};

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::{Explorer, Request};
use super::export::Export;
use super::replies::{FindingsReply, RepairReply, StartReply, StatusReply};
use super::requests::{FilterRequest, LinesRequest, QuestionRequest, RepairRequest, StatusRequest};
use super::search::QueryKind;
use super::stop_flag::StopFlag;
use super::{findings, spelling, tree};
use crate::stats::{StatsReport, page};
use crate::{Index, Store};

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
    /// `body`, a JSON object. `stop` can end the search.
    ///
    /// # Errors
    ///
    /// Returns an error if the request is invalid, the index cannot be read, or `stop` ended the
    /// search.
    pub fn answer(
        &self,
        name: &str,
        body: &[u8],
        stop: &StopFlag,
    ) -> Result<ExplorerResponse, AnswerError> {
        let request = Request {
            explorer: self,
            stop,
        };
        let sgf = |bytes| ExplorerResponse::File("application/x-go-sgf", bytes);
        Ok(match name {
            "status" => {
                let StatusRequest {} = parsed(body)?;
                ExplorerResponse::json(&self.status()?)
            }
            "position" => ExplorerResponse::json(&request.position(&parsed(body)?)?),
            "copy" => ExplorerResponse::json(&request.copied(&parsed(body)?)?),
            "road" => ExplorerResponse::json(&request.road(&parsed(body)?)?),
            "said" => ExplorerResponse::json(&request.said(&parsed(body)?)?),
            "games" => ExplorerResponse::json(&request.games(&parsed(body)?)?),
            "game" => ExplorerResponse::json(&request.game(&parsed(body)?)?),
            "players" => ExplorerResponse::json(&request.players(&parsed(body)?)?),
            "names" => ExplorerResponse::json(&request.names_with(&parsed(body)?)?),
            "person" => ExplorerResponse::json(&request.person(&parsed(body)?)?),
            "findings" => ExplorerResponse::json(&request.findings(&parsed(body)?)?),
            "repair" => ExplorerResponse::json(&request.repair(&parsed(body)?)?),
            "tree" => sgf(request.tree_after(&parsed(body)?)?),
            "lines" => sgf(request.lines(&parsed(body)?)?),
            "export" => ExplorerResponse::Games(request.export(&parsed(body)?)?),
            "stats" => {
                let page = request.stats_page(&parsed(body)?)?;
                ExplorerResponse::File("text/html; charset=utf-8", page)
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

    /// Returns the starts of the games, read once.
    fn starts(&self) -> io::Result<&[StartReply]> {
        if let Some(starts) = self.starts.get() {
            return Ok(starts);
        }
        let starts = read_starts(&self.index)?;
        Ok(self.starts.get_or_init(|| starts))
    }
}

/// Reads the starts of the games.
fn read_starts(index: &Index<impl Store>) -> io::Result<Vec<StartReply>> {
    let mut starts = Vec::new();
    for row in index.starts()? {
        let board = BoardId::of_dialect(&index.dialects()[usize::from(row.board)]).to_string();
        let (games, setups, handicap) = (row.games, row.setups, row.handicap);
        let mut start = StartReply {
            board,
            handicap,
            black: 0,
            white: 0,
            games,
            setups,
            moves: None,
        };
        if setups == 1
            && let Some(game) = index.game(row.example)?
            && let Some(board) = spelling::start_of(&Facts::of(game.record(), 0))
        {
            start.moves = spelling::of_board(&board);
            for (_, side) in board.stones() {
                start.black += u16::from(side == Side::Black);
                start.white += u16::from(side == Side::White);
            }
        }
        starts.push(start);
    }
    Ok(starts)
}

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns the findings in the games that match the condition, by code.
    fn findings(&self, asked: &FilterRequest) -> Result<FindingsReply, AnswerError> {
        let condition = self.condition(asked);
        let games = self.chosen(condition.as_deref())?;
        let rows = findings::by_code(&self.context(), &games)?;
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
    fn tree_after(&self, asked: &QuestionRequest) -> Result<Vec<u8>, AnswerError> {
        let refuse = |message: &str| Err(AnswerError::Refused(message.to_owned()));
        let question = self.question(asked);
        let answer = self.found(&question)?;
        match (question.what.clone(), self.dialect(asked, &answer)) {
            (QueryKind::Position(moves), Some(dialect)) => {
                tree::write(&answer, question, &moves, &dialect, |question| {
                    self.search(self.query(question)?, question.condition.as_deref())
                })
            }
            (QueryKind::Node { .. }, _) => {
                refuse("the request names a node of a game; ask with the moves that lead there")
            }
            _ => refuse("the request names no position on a board"),
        }
    }

    /// Returns the page of statistics of the games that match the condition, as `sgfq stats --html`
    /// writes it.
    fn stats_page(&self, asked: &FilterRequest) -> Result<Vec<u8>, AnswerError> {
        let (mut stats, mut file) = (Stats::default(), String::new());
        let index = &self.index;
        for game in self.chosen(self.condition(asked).as_deref())? {
            self.stop.check()?;
            let (Some(read), Some((name, _))) = (index.game(game)?, index.place(game)?) else {
                continue;
            };
            stats.add(read.record());
            stats.bytes += read.record().span().len();
            stats.files += u64::from(name != file);
            file = name;
        }
        index.each_trailing(|_, problems| stats.add_problems(problems))?;
        stats.openings.boards.sort();
        let report = StatsReport::new(&stats, page::TOP, Coordinates::Gtp);
        let mut out = Vec::new();
        page::write(&mut out, &report, None, &self.inputs)?;
        Ok(out)
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
