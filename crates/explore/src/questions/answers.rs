//! Answers requests by their names.

use std::io;

use serde::Serialize;
use serde::de::DeserializeOwned;

use sgfstream_adapt::stats::BoardId;
use sgfstream_game::{Coordinates, NodeTarget, Replay};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Pattern;
use sgfstream_table::row::{Column, ColumnSet, GameRow};

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Explorer;
use super::export::Export;
use super::person_replies::{NameReply, NamesReply, PlayerReply, PlayersReply, RecordReply};
use super::replies::{
    FindingsReply, GameColumns, GameReply, GameRowReply, GamesReply, Neighbor, PatternPlace, PlaceInList, RepairReply,
    RowsReply, ShownNode, StatusReply,
};
use super::requests::{
    ExportRequest, FilterRequest, GameRequest, GamesRequest, LinesRequest, ListRequest, NamesRequest, PlayersRequest,
    QuestionRequest, RepairRequest, StatusRequest, Text,
};
use super::search::{MatchedGame, QueryKind, filter_of};
use super::stop_flag::StopFlag;
use super::{findings, game, tree};
use crate::Store;
use crate::players::{self, ListedPlayer};
use crate::safe::quoted;

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

/// Maximum number of games per reply.
const ROWS: u64 = 500;

/// Maximum number of players per reply.
const PLAYERS: usize = 300;

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
    /// Answers the request `name`, one of [`QUESTIONS`](crate::QUESTIONS), with the parameters in `body`, a JSON object.
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
    /// Returns an error if the request is invalid, the index cannot be read, or `stop` ended the search.
    pub fn answer_until(&self, name: &str, body: &[u8], stop: &StopFlag) -> Result<ExplorerResponse, AnswerError> {
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
            "tree" => ExplorerResponse::File("application/x-go-sgf", self.tree_after(&parsed(body)?, stop)?),
            "lines" => ExplorerResponse::File("application/x-go-sgf", self.lines(&parsed(body)?)?),
            "export" => ExplorerResponse::Games(self.export(&parsed(body)?, stop)?),
            "stats" => {
                let condition = self.condition(&parsed(body)?);
                ExplorerResponse::File("text/html; charset=utf-8", self.stats_page(condition.as_deref(), stop)?)
            }
            _ => return Err(AnswerError::Refused("unknown request".to_owned())),
        })
    }

    fn status(&self) -> Result<StatusReply<'_>, AnswerError> {
        let index = &self.index;
        let mut boards = Vec::new();
        for dialect in index.dialects().iter().filter(|dialect| Replay::of_dialect(dialect).is_ok()) {
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

    /// Returns a part of a list of games.
    fn games(&self, asked: &GamesRequest, stop: &StopFlag) -> Result<GamesReply, AnswerError> {
        let list = self.listed(&asked.list, stop)?;
        let count = asked.count.unwrap_or(100).min(ROWS) as usize;
        let filter = match &list.answer.query {
            Some(query) => Filter::finding(query.clone(), None)?,
            None => filter_of(None)?,
        };
        let columns = GameColumns::NAMES.iter().filter_map(|name| Column::find(name));
        let columns = ColumnSet::of(columns);
        let mut rows = Vec::new();
        for hit in list.games.iter().skip(asked.skip as usize).take(count) {
            stop.check()?;
            let hit = hit?;
            let mut row = GameRowReply {
                id: hit.game,
                ply: hit.ply,
                next: String::new(),
                path: None,
                columns: GameColumns::default(),
                excerpt: None,
                name: self.index.name(hit.game)?,
            };
            let filled = filter.row(columns).spelling(Coordinates::Gtp);
            self.index.search([hit.game], &filter, filled, |_, filled| {
                row.columns = GameColumns::of(filled.row());
                if let (Some(query), Some(first)) = (&list.answer.query, filled.hits().first()) {
                    row.path = Some(first.node.clone());
                    // A move within a pattern is shown as the game has it.
                    let written = query.as_pattern().and(first.next.strip_suffix(']'));
                    let next = written.map(|next| next.replacen('[', " ", 1));
                    row.next = next.unwrap_or_else(|| first.continuation_text(query, Coordinates::Gtp));
                }
            })?;
            if let Some(place) = hit.place {
                (row.path, row.excerpt) = (Some(place.path), Some(place.text));
            }
            rows.push(row);
        }
        let command = self.command(&self.question(&asked.list.question));
        Ok(GamesReply { total: list.games.len(), skip: asked.skip, rows, command })
    }

    /// Returns the place of a game in the list of the request.
    fn place_in_list(&self, id: u32, asked: &ListRequest, stop: &StopFlag) -> Result<Option<PlaceInList>, AnswerError> {
        // If the list is refused, the page shows the game without it.
        let list = match self.listed(asked, stop) {
            Err(AnswerError::Refused(_)) => return Ok(None),
            list => list?,
        };
        let (mut games, mut before) = (list.games.iter(), None);
        for number in 1.. {
            let Some(found) = games.next().transpose()? else { break };
            if found.game == id {
                let after = games.next().transpose()?;
                let [before, after] = [before, after].map(|game| game.map(Neighbor::of));
                return Ok(Some(PlaceInList { number, total: list.games.len(), before, after }));
            }
            before = Some(found);
        }
        Ok(None)
    }

    pub(super) fn known_game(&self, id: Option<u32>) -> Result<u32, AnswerError> {
        let id = id.filter(|id| *id < self.index.len());
        id.ok_or_else(|| AnswerError::Refused("no such game".to_owned()))
    }

    /// Returns a node of a game.
    fn game(&self, asked: &GameRequest, stop: &StopFlag) -> Result<GameReply, AnswerError> {
        let id = self.known_game(asked.id)?;
        let target = match asked.path.get() {
            Some(path) => NodeTarget::Node(path.parse().map_err(AnswerError::Refused)?),
            None => NodeTarget::Move(asked.ply.unwrap_or(0)),
        };
        let game = self.read(id)?;
        let mut node = game::node(&game, &target, asked.rotation.as_rotation())?;
        let file = self.index.name(id)?;
        let path = &node.line[node.at].path;
        let command = format!("sgfq board --comment --node {} {}", quoted(path), quoted(&file));
        let list = self.place_in_list(id, &asked.list, stop)?;
        let ply = match &node.shown {
            ShownNode::Board { ply, .. } => Some(*ply),
            ShownNode::None { .. } => None,
        };
        let hit = self.hit(id, path, ply, &asked.list.question)?;
        let mut rotation = asked.rotation.get();
        if rotation == Some("hit") {
            rotation = hit.as_ref().map(|hit| hit.transform);
            node.shown = game::node(&game, &target, Text::from(rotation.map(str::to_owned)).as_rotation())?.shown;
        }
        let is_rotated = matches!(node.shown, ShownNode::Board { is_rotated: true, .. });
        let rotation = rotation.filter(|_| is_rotated).map(str::to_owned);
        Ok(GameReply { node, command, id, file, list, rotation, hit })
    }

    /// Returns where the pattern of the request matches the board at a node of a game, or else the board after `ply` moves.
    fn hit(
        &self,
        id: u32,
        path: &str,
        ply: Option<u64>,
        asked: &QuestionRequest,
    ) -> Result<Option<PatternPlace>, AnswerError> {
        if asked.pattern.get().is_none() {
            return Ok(None);
        }
        // An invalid pattern matches no board.
        let Ok(Some(query)) = self.query(&self.question(asked)) else { return Ok(None) };
        let Some(size) = query.as_pattern().map(Pattern::size) else { return Ok(None) };
        let (filter, mut found) = (Filter::finding(query, None)?, None);
        self.index.search([id], &filter, filter.row(ColumnSet::default()), |_, filled| {
            let hits = filled.hits();
            // Setup after the move may be in a node of its own.
            let is_after = |node: &str, of: u64| node.starts_with('/') && path.starts_with('/') && Some(of) == ply;
            let hit = hits.iter().find(|hit| hit.node == path);
            let hit = hit.or_else(|| hits.iter().find(|hit| is_after(&hit.node, hit.ply)));
            found = hit.map(|hit| {
                let (width, height) = hit.transform.symmetry.size(size);
                PatternPlace {
                    column: hit.corner.column,
                    row: hit.corner.row,
                    width,
                    height,
                    transform: hit.transform.symmetry.as_str(),
                    exchanged: hit.transform.is_exchanged,
                }
            });
        })?;
        Ok(found)
    }

    /// Returns the players of the games that match the condition, those with the most games first.
    fn players(&self, asked: &PlayersRequest, stop: &StopFlag) -> Result<PlayersReply, AnswerError> {
        let condition = self.condition(&asked.filter);
        let words = asked.search.words();
        let (mut rows, mut total) = (Vec::new(), 0);
        for row in self.listed_players(condition.as_ref(), stop)?.iter() {
            let player = ListedPlayer::of_bytes(&row?);
            if !players::has_words(&player.name, &self.aliases, &words) {
                continue;
            }
            total += 1;
            if rows.len() < PLAYERS {
                let record = RecordReply::of(&player.record);
                let (name, opponents, most_frequent) = (player.name, player.opponents, player.named);
                rows.push(PlayerReply { record, name, opponents, most_frequent });
            }
        }
        Ok(PlayersReply { rows, total, command: self.command_of("players", condition.as_deref()) })
    }

    /// Returns names of players that complete the text of the request, those with the most games first.
    fn names_with(&self, asked: &NamesRequest, stop: &StopFlag) -> Result<NamesReply, AnswerError> {
        let count = asked.count.unwrap_or(12).min(ROWS) as usize;
        let prefix = asked.prefix.get().unwrap_or_default().to_lowercase();
        let mut rows = Vec::new();
        for row in self.listed_players(None, stop)?.iter() {
            if rows.len() == count {
                break;
            }
            let ListedPlayer { name, record, .. } = ListedPlayer::of_bytes(&row?);
            if players::has_prefix(&name, &self.aliases, &prefix) {
                rows.push(NameReply { name, games: record.games });
            }
        }
        Ok(NamesReply { rows })
    }

    /// Returns the findings in the games that match the condition, by code.
    fn findings(&self, asked: &FilterRequest, stop: &StopFlag) -> Result<RowsReply<FindingsReply>, AnswerError> {
        let condition = self.condition(asked);
        let games = self.chosen(condition.as_deref(), stop)?;
        let rows = findings::by_code(&self.index, &self.cores, &games, stop)?;
        Ok(RowsReply { rows, command: self.command_of("check --summary", condition.as_deref()) })
    }

    /// Returns the repairs of a game.
    fn repair(&self, asked: &RepairRequest) -> Result<RepairReply, AnswerError> {
        let id = self.known_game(asked.id)?;
        Ok(findings::repair(&self.read(id)?.record(), self.index.is_transcoded(id)?, self.options)?)
    }

    /// Returns the most frequent continuations of a position as SGF.
    fn tree_after(&self, asked: &QuestionRequest, stop: &StopFlag) -> Result<Vec<u8>, AnswerError> {
        let refuse = |message: &str| Err(AnswerError::Refused(message.to_owned()));
        let question = self.question(asked);
        let answer = self.found(&question, stop)?;
        match (question.what.clone(), self.dialect(asked, &answer)) {
            (QueryKind::Position(moves), Some(dialect)) => {
                tree::write(&answer, question, &moves, &dialect, |question| self.search(question, stop))
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
        let board = board.ok_or_else(|| AnswerError::Refused("the archive has no such board".to_owned()))?;
        tree::of_lines(asked.question.moves.get().unwrap_or_default(), &asked.lines, &board)
    }

    /// Returns the download of the games of a list, or of one game, unchanged or repaired.
    fn export(&self, asked: &ExportRequest, stop: &StopFlag) -> Result<Export, AnswerError> {
        let question = self.question(&asked.list.question);
        let is_search = asked.list.search.get().is_some() || asked.list.code.get().is_some();
        let ids = if asked.id.is_some() {
            vec![self.known_game(asked.id)?]
        } else if asked.said {
            let list = self.remarks(&question, stop)?;
            let here = list.remarks.iter().filter(|(_, remark)| remark.next.is_none());
            let mut ids: Vec<u32> = here.map(|(game, _)| *game).collect();
            ids.dedup();
            ids
        } else if question.what == QueryKind::Nothing && !is_search {
            // Without a question, all games are exported in the order of the archive, without a list.
            self.chosen(question.condition.as_deref(), stop)?
        } else {
            let list = self.listed(&asked.list, stop)?;
            list.games.iter().map(|game| Ok(game?.game)).collect::<io::Result<_>>()?
        };
        Ok(Export::new(ids, asked.repaired))
    }
}

impl Neighbor {
    fn of(game: MatchedGame) -> Self {
        Self { id: game.game, ply: game.ply, path: game.place.map(|place| place.path) }
    }
}

impl GameColumns {
    const NAMES: [&str; 10] = ["pb", "br", "pw", "wr", "dt", "re", "ev", "km", "moves", "handicap"];

    fn of(row: &GameRow) -> Self {
        let text = |name| Column::find(name).map_or_else(String::new, |column| column.get(row).to_string());
        let [pb, br, pw, wr, dt, re, ev, km, moves, handicap] = Self::NAMES.map(text);
        Self { pb, br, pw, wr, dt, re, ev, km, moves, handicap }
    }
}
