//! Requests of the page and their replies, as JSON.

use std::sync::Arc;

use serde_json::{Value, json};

use sgfstream_adapt::stats::BoardId;
use sgfstream_adapt::tree::NodeTarget;
use sgfstream_draw::Diagram;
use sgfstream_game::{Coordinates, Replay, Side, Symmetry};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Pattern, Query};
use sgfstream_table::row::{Column, ColumnSet, RowBuilder};

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Explorer;
use super::export::Export;
use super::list::{GameList, ListOptions};
use super::search::{QueryKind, Question, filter_of, tried_after};
use super::stop_flag::StopFlag;
use super::{findings, game, tree};
use crate::Store;
use crate::players::{self, Pairs, Record};
use crate::safe::quoted;

/// Names of the requests that an [`Explorer`] answers.
pub const QUESTIONS: [&str; 12] = [
    "status", "position", "games", "game", "players", "names", "openings", "findings", "repair", "tree", "export",
    "stats",
];

/// Reply to one explorer request.
#[derive(Debug)]
pub enum ExplorerResponse {
    /// JSON object.
    Json(Value),
    /// File with its media type.
    File(&'static str, Vec<u8>),
    /// Games as SGF, which may be large: [`Explorer::part`] writes them in parts.
    Games(Export),
}

/// Maximum number of games per reply.
const ROWS: u64 = 500;

/// Maximum number of players per reply.
const PLAYERS: usize = 300;

/// Maximum number of openings of a player per reply.
const OPENINGS: usize = 30;

/// Columns of a game in a list.
const COLUMNS: [&str; 10] = ["pb", "br", "pw", "wr", "dt", "re", "ev", "km", "moves", "handicap"];

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Answers the request `name`, one of [`QUESTIONS`], with the parameters `asked`.
    ///
    /// # Errors
    ///
    /// Returns an error if the request is invalid or the index cannot be read.
    pub fn answer(&self, name: &str, asked: &Value) -> Result<ExplorerResponse, AnswerError> {
        self.answer_until(name, asked, &StopFlag::default())
    }

    /// Same as [`answer`](Self::answer), but `stop` can end the search.
    ///
    /// # Errors
    ///
    /// Returns an error if the request is invalid, the index cannot be read, or `stop` ended the search.
    pub fn answer_until(&self, name: &str, asked: &Value, stop: &StopFlag) -> Result<ExplorerResponse, AnswerError> {
        Request { explorer: self, asked, stop }.answer(name)
    }
}

/// A request of the page with its explorer.
pub(super) struct Request<'a, S, C> {
    pub(super) explorer: &'a Explorer<S, C>,
    pub(super) asked: &'a Value,
    pub(super) stop: &'a StopFlag,
}

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Answers the request `name`.
    fn answer(&self, name: &str) -> Result<ExplorerResponse, AnswerError> {
        Ok(ExplorerResponse::Json(match name {
            "status" => self.status(),
            "position" => self.position()?,
            "games" => self.list()?,
            "game" => self.game()?,
            "players" => self.players()?,
            "names" => self.names()?,
            "openings" => self.openings()?,
            "findings" => self.findings()?,
            "repair" => self.repair()?,
            "tree" => return Ok(ExplorerResponse::File("application/x-go-sgf", self.tree()?)),
            "export" => return self.export().map(ExplorerResponse::Games),
            "stats" => {
                return Ok(ExplorerResponse::File(
                    "text/html; charset=utf-8",
                    self.explorer.stats_page(self.condition().as_deref(), self.stop)?,
                ));
            }
            _ => return Err(AnswerError::Refused("unknown request".to_owned())),
        }))
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.asked[name].as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    pub(super) fn number(&self, name: &str, usual: u64) -> u64 {
        self.asked[name].as_u64().unwrap_or(usual)
    }

    pub(super) fn question(&self) -> Question {
        // Accepts `B[pd];W[dp]` as well as moves separated by spaces.
        let moves = self.text("moves").unwrap_or_default().replace("];", "] ");
        let from = &self.asked["from"];
        let game = from["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let what = match (self.text("pattern"), game) {
            _ if self.asked["all"].as_bool() == Some(true) => QueryKind::Nothing,
            (Some(pattern), _) => QueryKind::Pattern(pattern.to_owned()),
            (None, Some(game)) => {
                let path = from["path"].as_str().unwrap_or("/0").to_owned();
                QueryKind::Node { game, path, moves }
            }
            (None, None) => QueryKind::Position(moves),
        };
        Question {
            what,
            condition: self.condition(),
            swap_colors: self.asked["swap_colors"].as_bool().unwrap_or(false),
            mover: self.text("mover").and_then(|mover| Side::parse(mover.as_bytes()).ok()),
            variations: self.in_variations(),
        }
    }

    fn in_variations(&self) -> bool {
        self.asked["variations"].as_bool().unwrap_or(false)
    }

    fn status(&self) -> Value {
        let index = &self.explorer.index;
        let boards = index.dialects().iter().filter(|dialect| Replay::of_dialect(dialect).is_ok());
        let mut seen = Vec::new();
        for board in boards.map(BoardId::of_dialect) {
            if !seen.contains(&board) {
                seen.push(board);
            }
        }
        json!({
            "state": "ready",
            "games": index.len(),
            "positions": index.positions(),
            "variations": index.variation_positions().is_some(),
            "variation_positions": index.variation_positions(),
            "bytes": index.size().ok(),
            "inputs": self.explorer.inputs,
            "partial": self.explorer.is_partial,
            "boards": seen.iter().map(BoardId::to_string).collect::<Vec<_>>(),
        })
    }

    /// Returns the list of games that the request describes.
    fn listed(&self) -> Result<Arc<GameList>, AnswerError> {
        let sort = self.text("sort").map(|sort| (sort, self.asked["descending"].as_bool().unwrap_or(false)));
        let options = ListOptions::new(self.named(), self.text("search"), self.text("code"), sort)?;
        self.explorer.listed(&self.question(), &options, self.stop)
    }

    /// Returns a part of the list of matching games.
    fn list(&self) -> Result<Value, AnswerError> {
        let list = self.listed()?;
        let answer = &list.answer;
        let (skipped, count) = (self.number("skip", 0), self.number("count", 100).min(ROWS));
        let columns: Vec<&Column> = COLUMNS.iter().filter_map(|name| Column::find(name)).collect();
        let filter = match &answer.query {
            Some(query) => Filter::finding(query.clone(), None)?,
            None => filter_of(None)?,
        };
        let mut rows = Vec::new();
        for hit in list.games().skip(skipped as usize).take(count as usize) {
            self.stop.check()?;
            let mut row = json!({ "id": hit.game, "move": hit.ply, "next": "", "path": null });
            let set = ColumnSet::of(columns.iter().copied());
            let builder = filter.builder(set).spelling(Coordinates::Gtp);
            self.explorer.index.search([hit.game], &filter, builder, |_, builder| {
                for (name, column) in COLUMNS.iter().zip(&columns) {
                    row[*name] = column.get(builder.row()).to_string().into();
                }
                if let (Some(query), Some(first)) = (&answer.query, builder.hits().first()) {
                    row["path"] = first.node.as_str().into();
                    // A move within a pattern is shown as the game has it.
                    let written = query.as_pattern().and(first.next.strip_suffix(']'));
                    let next = written.map(|next| next.replacen('[', " ", 1));
                    row["next"] = next.unwrap_or_else(|| first.continuation_text(query, Coordinates::Gtp)).into();
                }
            })?;
            if let Some(place) = list.place(&self.explorer.index, hit.game)? {
                row["path"] = place.path.into();
                row["excerpt"] = place.text.into();
            }
            row["name"] = self.explorer.index.name(hit.game)?.into();
            rows.push(row);
        }
        let total = list.games().len() as u64 + answer.more;
        Ok(json!({ "total": total, "skip": skipped, "rows": rows, "command": self.command(&self.question()) }))
    }

    /// Returns the place of a game in the list of the request, and the games before and after it.
    fn place_in_list(&self, id: u32) -> Result<Value, AnswerError> {
        // If the list is refused, the page shows the game without it.
        let list = match self.listed() {
            Err(AnswerError::Refused(_)) => return Ok(Value::Null),
            list => list?,
        };
        let Some(at) = list.games().position(|hit| hit.game == id) else { return Ok(Value::Null) };
        let game = |at: Option<usize>| {
            let Some(hit) = at.and_then(|at| list.games().nth(at)) else { return Ok(Value::Null) };
            let mut game = json!({ "id": hit.game, "move": hit.ply });
            if let Some(place) = list.place(&self.explorer.index, hit.game)? {
                game["path"] = place.path.into();
            }
            Ok::<_, AnswerError>(game)
        };
        Ok(json!({
            "number": at + 1,
            "total": list.games().len() as u64 + list.answer.more,
            "before": game(at.checked_sub(1))?,
            "after": game(Some(at + 1))?,
        }))
    }

    /// Returns the rotation or reflection in which the page shows the board.
    pub(super) fn rotation(&self) -> Symmetry {
        rotation_of(self.text("rotation"))
    }

    fn id(&self) -> Result<u32, AnswerError> {
        let id = self.asked["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let id = id.filter(|id| *id < self.explorer.index.len());
        id.ok_or_else(|| AnswerError::Refused("no such game".to_owned()))
    }

    /// Returns a node of a game.
    fn game(&self) -> Result<Value, AnswerError> {
        let id = self.id()?;
        let target = match self.text("path") {
            Some(path) => NodeTarget::Node(path.parse().map_err(AnswerError::Refused)?),
            None => NodeTarget::Move(self.number("move", 0)),
        };
        let tree = self.explorer.tree(id)?;
        let mut node = game::node(&tree, &target, self.rotation())?;
        let name = self.explorer.index.name(id)?;
        let path = node["line"][node["at"].as_u64().unwrap_or(0) as usize]["path"].as_str().unwrap_or("/0").to_owned();
        node["command"] = format!("sgfq board --comment --node {} {}", quoted(&path), quoted(&name)).into();
        node["id"] = id.into();
        node["file"] = name.into();
        node["list"] = self.place_in_list(id)?;
        let hit = self.hit(id, &path, node["move"].as_u64())?;
        let mut rotation = self.text("rotation");
        if rotation == Some("hit") {
            rotation = hit["transform"].as_str();
            let shown = game::node(&tree, &target, rotation_of(rotation))?;
            ["svg", "points", "is_rotated"].into_iter().for_each(|part| node[part] = shown[part].clone());
        }
        node["rotation"] = rotation.filter(|_| node["is_rotated"] == true).into();
        node["hit"] = hit;
        Ok(node)
    }

    /// Returns where the pattern of the request matches the board at a node of a game, or else the board after `ply` moves:
    /// the upper left corner, the size and the transform.
    fn hit(&self, id: u32, path: &str, ply: Option<u64>) -> Result<Value, AnswerError> {
        // An invalid pattern matches no board.
        let query = self.text("pattern").and_then(|_| self.question().query(self.explorer).ok().flatten());
        let Some(query) = query else { return Ok(Value::Null) };
        let Some((columns, rows)) = query.as_pattern().map(Pattern::size) else { return Ok(Value::Null) };
        let (filter, mut found) = (Filter::finding(query, None)?, None);
        self.explorer.index.search([id], &filter, filter.builder(ColumnSet::default()), |_, builder| {
            let hits = builder.hits();
            // Setup after the move may be in a node of its own.
            let is_after = |node: &str, of: u64| node.starts_with('/') && path.starts_with('/') && Some(of) == ply;
            let hit = hits.iter().find(|hit| hit.node == path);
            let hit = hit.or_else(|| hits.iter().find(|hit| is_after(&hit.node, hit.ply)));
            found = hit.map(|hit| {
                let (width, height) = hit.transform.symmetry.size((columns, rows));
                json!({
                    "column": hit.corner.column,
                    "row": hit.corner.row,
                    "width": width,
                    "height": height,
                    "transform": hit.transform.symmetry.as_str(),
                    "exchanged": hit.transform.is_exchanged,
                })
            });
        })?;
        Ok(found.into())
    }

    /// Returns the players of the games that match the condition, those with the most games first.
    fn players(&self) -> Result<Value, AnswerError> {
        let aliases = &self.explorer.aliases;
        let pairs = self.pairs(&filter_of(None)?, |pairs, row| pairs.take(row.row(), aliases))?;
        let rows = players::list(pairs, PLAYERS).into_iter().map(|player| {
            let mut row = record_of(&player.record);
            row["name"] = player.name.into();
            row["opponents"] = player.opponents.into();
            row["most_frequent"] = player.named.into();
            row
        });
        Ok(json!({ "rows": rows.collect::<Value>(), "command": self.command_of("players", None) }))
    }

    /// Returns names of players that complete the text of the request, those with the most games first.
    fn names(&self) -> Result<Value, AnswerError> {
        let names = self.explorer.names(self.stop)?;
        let count = self.number("count", 12).min(ROWS) as usize;
        let found = players::complete(&names, &self.explorer.aliases, self.text("prefix").unwrap_or_default(), count);
        let rows = found.map(|(name, games)| json!({ "name": name, "games": games }));
        Ok(json!({ "rows": rows.collect::<Value>() }))
    }

    /// Returns the condition of the request, in which each player's name matches all aliases.
    fn condition(&self) -> Option<String> {
        let condition = self.text("where")?;
        // A condition with invalid tokens stays unchanged, because the filter's parser reports the error.
        Some(self.explorer.aliases.expand(condition).unwrap_or_else(|_| condition.to_owned()))
    }

    /// Returns the players that `take` adds from the row of each game that matches the condition. `filter` finds what `take`
    /// needs beyond the columns.
    fn pairs(&self, filter: &Filter, take: impl Fn(&mut Pairs, &RowBuilder) + Sync) -> Result<Pairs, AnswerError> {
        let games = self.explorer.chosen(self.condition().as_deref(), self.stop)?;
        self.explorer.pairs(&games, filter, take, self.stop)
    }

    /// Returns the findings in the games that match the condition, by code.
    fn findings(&self) -> Result<Value, AnswerError> {
        let Explorer { index, cores, .. } = self.explorer;
        let games = self.explorer.chosen(self.condition().as_deref(), self.stop)?;
        let mut found = findings::by_code(index, cores, &games, self.stop)?;
        found["command"] = self.command_of("check --summary", None).into();
        Ok(found)
    }

    /// Returns the openings of a player in the games that match the condition, those with the most games first.
    fn openings(&self) -> Result<Value, AnswerError> {
        let player =
            self.text("player").ok_or_else(|| AnswerError::Refused("the request names no player".to_owned()))?;
        let depth = self.number("depth", 4).clamp(1, players::OPENING_MAX);
        let aliases = &self.explorer.aliases;
        let take = |pairs: &mut Pairs, row: &RowBuilder| pairs.take_openings(row, Some(player), aliases);
        let openings = Query::opening(depth).variations(self.in_variations());
        let pairs = self.pairs(&players::played(player, openings, aliases)?, take)?;
        let rows = players::list_openings(pairs, OPENINGS).into_iter().map(|opening| {
            let mut row = record_of(&opening.record);
            row["board"] = opening.board.into();
            row["moves"] = opening.moves.into();
            row["spelled"] = opening.spelled.into();
            row
        });
        let all = if self.in_variations() { " --variations" } else { "" };
        let command = format!("players --openings {depth}{all} --player {}", quoted(player));
        Ok(json!({ "rows": rows.collect::<Value>(), "command": self.command_of(&command, None) }))
    }

    /// Returns the repairs of a game.
    fn repair(&self) -> Result<Value, AnswerError> {
        let bytes = self.explorer.index.bytes(self.id()?)?.unwrap_or_default();
        Ok(findings::repair(&bytes, self.explorer.options))
    }

    /// Returns the most frequent continuations of a position as SGF.
    fn tree(&self) -> Result<Vec<u8>, AnswerError> {
        let question = self.question();
        let answer = self.explorer.found(&question, self.stop)?;
        let dialect = self.board(&answer).map(|at| answer.summary.all[at].dialect()).or_else(|| self.named_board());
        match (question.what.clone(), dialect) {
            (QueryKind::Position(moves), Some(dialect)) => {
                tree::write(&answer, question, &moves, &dialect, |question| self.explorer.search(question, self.stop))
            }
            (QueryKind::Node { .. }, _) => Err(AnswerError::Refused(
                "a tree begins with the empty board; play its moves from the start of the game".to_owned(),
            )),
            _ => Err(AnswerError::Refused("the request names no position on a board".to_owned())),
        }
    }

    /// Returns the download of the games of a question, or of one game, unchanged or repaired.
    fn export(&self) -> Result<Export, AnswerError> {
        let question = self.question();
        let ids = if self.asked["id"].is_u64() {
            vec![self.id()?]
        } else if question.what == QueryKind::Nothing && self.text("search").or(self.text("code")).is_none() {
            // Without a question, all games are exported in the order of the archive, beyond the limit of listed games.
            self.explorer.chosen(question.condition.as_deref(), self.stop)?
        } else {
            let answer = self.explorer.found(&question, self.stop)?;
            if answer.more > 0 {
                let most = answer.hits.len();
                return Err(AnswerError::Refused(format!("more than {most} games match; copy the command and run it")));
            }
            let list = self.listed()?;
            list.games().map(|hit| hit.game).collect()
        };
        Ok(Export::new(ids, self.asked["repaired"].as_bool() == Some(true)))
    }

    /// Returns the command line that finds the same games.
    pub(super) fn command(&self, question: &Question) -> String {
        let what = match &question.what {
            // A slash ends a row as a newline does, and needs no shell quoting.
            QueryKind::Pattern(pattern) => format!("find --pattern {}", quoted(&pattern.replace('\n', "/"))),
            QueryKind::Position(moves) => format!("find --position {}", quoted(moves)),
            QueryKind::Node { game, path, moves } => match tried_after(self.explorer, *game, path, moves) {
                Ok(tried) => format!("find --pattern {}", quoted(&whole_board(&tried.diagram))),
                Err(_) => return String::new(),
            },
            QueryKind::Nothing => return self.command_of("get pb,pw,dt,re", Some(question)),
        };
        let all = if question.variations { " --variations" } else { "" };
        let swap = if question.swap_colors { " --swap-colors" } else { "" };
        let mover = question.mover.map_or_else(String::new, |mover| format!(" --mover {}", mover.letter()));
        self.command_of(&format!("{what}{swap}{mover}{all} --summary"), Some(question))
    }

    /// Returns a command line for the inputs, with the condition of `question`, or else of the request.
    pub(super) fn command_of(&self, command: &str, question: Option<&Question>) -> String {
        let condition = question.map_or_else(|| self.condition(), |question| question.condition.clone());
        let mut words = vec![format!("sgfq {command}")];
        words.extend(condition.map(|condition| format!("--where {}", quoted(&condition))));
        words.extend(self.explorer.inputs.iter().map(|input| quoted(input)));
        words.join(" ")
    }
}

/// Returns the inverse of the transform of this name, so that the page shows the board in the orientation of the pattern.
fn rotation_of(transform: Option<&str>) -> Symmetry {
    transform.and_then(Symmetry::for_name).map_or(Symmetry::Identity, Symmetry::inverse)
}

/// Returns a pattern of the whole board with its four edges.
fn whole_board(diagram: &Diagram) -> String {
    let rows = diagram.rows();
    let edge = format!("-{}-", "-".repeat(rows.first().map_or(0, |row| row.chars().count())));
    let rows = rows.iter().map(|row| format!("|{row}|"));
    [edge.clone()].into_iter().chain(rows).chain([edge]).collect::<Vec<_>>().join("/")
}

/// Returns a record as JSON.
fn record_of(record: &Record) -> Value {
    let share = record.share();
    json!({
        "games": record.games,
        "black": record.colors[0],
        "white": record.colors[1],
        "won": record.won,
        "lost": record.lost,
        "share": share.map(|share| share.share),
        "low": share.map(|share| share.low),
        "high": share.map(|share| share.high),
        "years": record.years.map(|(first, last)| [first, last]),
    })
}
