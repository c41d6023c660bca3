//! Questions of the page, and their answers, as JSON.

use std::io;

use serde_json::{Value, json};

use sgfstream_adapt::stats::{Board, GameTally};
use sgfstream_adapt::tree::NodeTarget;
use sgfstream_draw::{Diagram, LABELS};
use sgfstream_game::{Coordinates, Dialect, Field, Replay, Side};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Continuation, MoveList, Query};
use sgfstream_table::row::{Column, ColumnSet, RowBuilder};

use super::answer_error::AnswerError;
use super::cores::{Cores, runs_of};
use super::explorer::Explorer;
use super::export::Export;
use super::search::{Answer, MatchedGame, QueryKind, Question, filter_of};
use super::{findings, game, tree};
use crate::Store;
use crate::players::{self, Pairs, Record};
use crate::summary::in_order;
use crate::tally;

/// Questions that an [`Explorer`] answers, by their names.
pub const QUESTIONS: [&str; 11] =
    ["status", "position", "games", "game", "players", "openings", "findings", "repair", "tree", "export", "stats"];

/// An answer.
#[derive(Debug)]
pub enum Reply {
    /// An object.
    Json(Value),
    /// A file, with its type.
    File(&'static str, Vec<u8>),
    /// Games as SGF, however many: [`Explorer::part`] writes them.
    Games(Export),
}

/// Rows of games that are sent at once.
const ROWS: u64 = 500;

/// Players that are sent.
const PLAYERS: usize = 300;

/// Openings of a player that are sent.
const OPENINGS: usize = 30;

/// Columns of a game in a list.
const COLUMNS: [&str; 8] = ["pb", "br", "pw", "wr", "dt", "re", "ev", "handicap"];

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Answers the question of this name, one of [`QUESTIONS`].
    ///
    /// # Errors
    ///
    /// When the question is not right, and when the index cannot be read.
    pub fn answer(&self, name: &str, asked: &Value) -> Result<Reply, AnswerError> {
        Request { explorer: self, asked }.answer(name)
    }
}

/// A question, as the page has it, of an explorer.
struct Request<'a, S, C> {
    explorer: &'a Explorer<S, C>,
    asked: &'a Value,
}

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Answers the question of this name.
    fn answer(&self, name: &str) -> Result<Reply, AnswerError> {
        Ok(Reply::Json(match name {
            "status" => self.status(),
            "position" => self.position()?,
            "games" => self.list()?,
            "game" => self.game()?,
            "players" => self.players()?,
            "openings" => self.openings()?,
            "findings" => self.findings()?,
            "repair" => self.repair()?,
            "tree" => return Ok(Reply::File("application/x-go-sgf", self.tree()?)),
            "export" => return self.export().map(Reply::Games),
            "stats" => {
                return Ok(Reply::File("text/html; charset=utf-8", self.explorer.stats_page(self.text("where"))?));
            }
            _ => return Err(AnswerError::Refused("expected a question that is known".to_owned())),
        }))
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.asked[name].as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    fn number(&self, name: &str, usual: u64) -> u64 {
        self.asked[name].as_u64().unwrap_or(usual)
    }

    fn question(&self) -> Question {
        let what = match self.text("pattern") {
            _ if self.asked["all"].as_bool() == Some(true) => QueryKind::Nothing,
            Some(pattern) => QueryKind::Pattern(pattern.to_owned()),
            None => QueryKind::Position(self.text("moves").unwrap_or_default().to_owned()),
        };
        Question {
            what,
            condition: self.text("where").map(str::to_owned),
            swap_colors: self.asked["swap_colors"].as_bool().unwrap_or(false),
            mover: self.text("mover").and_then(|mover| Side::parse(mover.as_bytes()).ok()),
        }
    }

    fn status(&self) -> Value {
        let index = &self.explorer.index;
        let boards = index.dialects().iter().filter(|dialect| Replay::of_dialect(dialect).is_ok());
        let mut seen = Vec::new();
        for board in boards.map(Board::of_dialect) {
            if !seen.contains(&board) {
                seen.push(board);
            }
        }
        json!({
            "state": "ready",
            "games": index.len(),
            "positions": index.positions(),
            "inputs": self.explorer.inputs,
            "partial": self.explorer.is_partial,
            "boards": seen.iter().map(Board::to_string).collect::<Vec<_>>(),
        })
    }

    /// The board that is shown: the one that was asked for, or else the most frequent. A pattern is the same on all boards of a game.
    fn board(&self, answer: &Answer) -> Option<usize> {
        let named = self.text("board");
        let is_pattern = answer.query.as_ref().is_some_and(|query| query.as_pattern().is_some());
        let game = named.filter(|_| is_pattern).and_then(|_| self.named_board()).map(|board| board.game());
        let is_named = |at: &usize| {
            let board = &answer.summary.all[*at].board;
            Some(&*board.to_string()) == named || Some(board.game) == game
        };
        let all = 0..answer.summary.all.len();
        all.clone().find(is_named).or_else(|| all.clone().next().filter(|_| named.is_none()))
    }

    /// The position, what was played next, and the boards on which it is.
    fn position(&self) -> Result<Value, AnswerError> {
        let question = self.question();
        let answer = self.explorer.found(&question)?;
        let is_pattern = answer.query.as_ref().is_some_and(|query| query.as_pattern().is_some());
        let name = |board: &Board| if is_pattern { board.game.name().to_owned() } else { board.to_string() };
        let boards = answer.summary.all.iter().map(|board| json!([name(&board.board), board.tally.count]));
        let mut reply = json!({
            "boards": boards.collect::<Value>(),
            "games": answer.hits.len() as u64 + answer.more,
            "impossible": answer.query.as_ref().and_then(Query::impossible_move),
            "command": self.command(&question),
        });
        let Some(query) = &answer.query else { return Ok(reply) };
        let shown = self.board(&answer);
        let mut labels = Vec::new();
        if let Some(rows) = shown.map(|at| &answer.summary.all[at]) {
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
        let dialect = shown.map(|at| answer.summary.all[at].dialect()).or_else(|| self.named_board());
        if let Some(pattern) = query.as_pattern() {
            reply["pattern"] = pattern.draw(|_| None).into();
        } else if let Some(dialect) = dialect
            && let Some(position) = query.board(&dialect)
            && let Some(mut diagram) = Diagram::new(position, Coordinates::Gtp)
        {
            let letters = labels.iter().zip(LABELS.chars());
            diagram.marks.labels = letters.map(|(field, letter)| (*field, letter.to_string())).collect();
            reply["board"] = Board::of_dialect(&dialect).to_string().into();
            reply["svg"] = diagram.svg("", false).into();
            reply["points"] = game::points(&diagram);
            reply["rows"] = diagram.rows().into();
            if let QueryKind::Position(moves) = &question.what {
                let line = Line::new(moves, &dialect)?;
                reply["line"] = line.shown.into();
                reply["illegal"] = line.illegal.into();
            }
        }
        Ok(reply)
    }

    /// The board of a name that `status` gave.
    fn named_board(&self) -> Option<Dialect> {
        let named = self.text("board");
        let mut all = self.explorer.index.dialects().iter();
        let found = match named {
            Some(named) => all.map(Board::of_dialect).find(|board| board.to_string() == named),
            None => all.next().map(Board::of_dialect),
        };
        found.map(|board| board.dialect())
    }

    /// The games of an answer that are listed: of a position those with the board that is shown.
    fn listed<'a>(&self, answer: &'a Answer) -> impl Iterator<Item = &'a MatchedGame> {
        let is_position = answer.query.as_ref().is_some_and(Query::is_position);
        let named = self.text("board").filter(|_| is_position).map(str::to_owned);
        let is_meant = move |board: Option<Dialect>| match &named {
            Some(named) => board.is_some_and(|board| Board::of_dialect(&board).to_string() == *named),
            None => true,
        };
        answer.hits.iter().filter(move |hit| is_meant(hit.board))
    }

    /// Some of the games in which the position is.
    fn list(&self) -> Result<Value, AnswerError> {
        let answer = self.explorer.found(&self.question())?;
        let (from, count) = (self.number("from", 0), self.number("count", 100).min(ROWS));
        let columns: Vec<&Column> = COLUMNS.iter().filter_map(|name| Column::find(name)).collect();
        let every = filter_of(None)?;
        let mut rows = Vec::new();
        for hit in self.listed(&answer).skip(from as usize).take(count as usize) {
            let next = hit.next(answer.query.as_ref());
            let mut row = json!({ "id": hit.game, "move": hit.ply, "next": next });
            let set = ColumnSet::of(columns.iter().copied());
            self.explorer.index.search([hit.game], &every, every.builder(set), |_, builder| {
                for column in &columns {
                    row[column.name] = column.get(builder.row()).to_string().into();
                }
            })?;
            row["name"] = self.explorer.index.name(hit.game)?.into();
            rows.push(row);
        }
        let total = self.listed(&answer).count() as u64 + answer.more;
        Ok(json!({ "total": total, "from": from, "rows": rows, "command": self.command(&self.question()) }))
    }

    /// The place of a game in the list that the question gives, and the games before and after it.
    fn place_in_list(&self, id: u32) -> Result<Value, AnswerError> {
        // A list that cannot be had is none to go along.
        let answer = match self.explorer.found(&self.question()) {
            Err(AnswerError::Refused(_)) => return Ok(Value::Null),
            answer => answer?,
        };
        let listed: Vec<&MatchedGame> = self.listed(&answer).collect();
        let Some(at) = listed.iter().position(|hit| hit.game == id) else { return Ok(Value::Null) };
        let game = |at: Option<usize>| {
            let hit = at.and_then(|at| listed.get(at));
            hit.map(|hit| json!({ "id": hit.game, "move": hit.ply }))
        };
        Ok(json!({
            "number": at + 1,
            "total": listed.len() as u64 + answer.more,
            "before": game(at.checked_sub(1)),
            "after": game(Some(at + 1)),
        }))
    }

    fn id(&self) -> Result<u32, AnswerError> {
        let id = self.asked["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let id = id.filter(|id| *id < self.explorer.index.len());
        id.ok_or_else(|| AnswerError::Refused("expected the number of a game".to_owned()))
    }

    /// A node of a game.
    fn game(&self) -> Result<Value, AnswerError> {
        let id = self.id()?;
        let bytes = self.explorer.index.bytes(id)?.unwrap_or_default();
        let target = match self.text("path") {
            Some(path) => NodeTarget::Node(path.parse().map_err(AnswerError::Refused)?),
            None => NodeTarget::Move(self.number("move", 0)),
        };
        let mut node = game::node(&bytes, self.explorer.options, &target)?;
        let name = self.explorer.index.name(id)?;
        let path = node["line"][node["at"].as_u64().unwrap_or(0) as usize]["path"].as_str().unwrap_or("/0");
        node["command"] = format!("sgfq board --comment --node {} {}", quoted(path), quoted(&name)).into();
        node["id"] = id.into();
        node["file"] = name.into();
        node["list"] = self.place_in_list(id)?;
        Ok(node)
    }

    /// The players of the games that fulfil the condition, those with the most games first.
    fn players(&self) -> Result<Value, AnswerError> {
        let pairs = self.pairs(&filter_of(None)?, |pairs, row| pairs.take(row.row()))?;
        let rows = players::list(pairs, PLAYERS).into_iter().map(|player| {
            let mut row = record_of(&player.record);
            row["name"] = player.name.into();
            row["opponents"] = player.opponents.into();
            row["most_frequent"] = player.named.into();
            row
        });
        Ok(json!({ "rows": rows.collect::<Value>(), "command": self.command_of("players", None) }))
    }

    /// Players, as `take` takes them from the row of each game that fulfils the condition; `filter` looks for what rows lack.
    fn pairs(&self, filter: &Filter, take: impl Fn(&mut Pairs, &RowBuilder) + Sync) -> Result<Pairs, AnswerError> {
        let Explorer { index, cores, .. } = self.explorer;
        let games = self.explorer.chosen(self.text("where"))?;
        let columns = ColumnSet::of(players::FACTS.iter().filter_map(|name| Column::find(name)));
        let found: Vec<io::Result<Pairs>> = cores.each(&runs_of(&games, cores), |run| {
            let mut pairs = Pairs::default();
            index.search(run.iter().copied(), filter, filter.builder(columns), |_, row| take(&mut pairs, row))?;
            Ok(pairs)
        });
        let mut pairs = Pairs::default();
        for of_run in found {
            pairs.append(of_run?);
        }
        Ok(pairs)
    }

    /// Findings in the games that fulfil the condition, by code.
    fn findings(&self) -> Result<Value, AnswerError> {
        let Explorer { index, cores, options, .. } = self.explorer;
        let mut found = findings::by_code(index, cores, *options, &self.explorer.chosen(self.text("where"))?)?;
        found["command"] = self.command_of("check --summary", None).into();
        Ok(found)
    }

    /// The openings of a player in the games that fulfil the condition, those with the most games first.
    fn openings(&self) -> Result<Value, AnswerError> {
        let player =
            self.text("player").ok_or_else(|| AnswerError::Refused("the request names no player".to_owned()))?;
        let depth = self.number("depth", 4).clamp(1, players::OPENING_MAX);
        let pairs = self.pairs(&players::played(player, depth)?, |pairs, row| pairs.take_opening(row, Some(player)))?;
        let rows = players::list_openings(pairs, OPENINGS).into_iter().map(|opening| {
            let mut row = record_of(&opening.record);
            row["board"] = opening.board.into();
            row["moves"] = opening.moves.into();
            row["spelled"] = opening.spelled.into();
            row
        });
        let command = format!("players --openings {depth} --player {}", quoted(player));
        Ok(json!({ "rows": rows.collect::<Value>(), "command": self.command_of(&command, None) }))
    }

    /// Repairs a game.
    fn repair(&self) -> Result<Value, AnswerError> {
        let bytes = self.explorer.index.bytes(self.id()?)?.unwrap_or_default();
        Ok(findings::repair(&bytes, self.explorer.options))
    }

    /// The most frequent continuations of a position.
    fn tree(&self) -> Result<Vec<u8>, AnswerError> {
        let question = self.question();
        let answer = self.explorer.found(&question)?;
        let dialect = self.board(&answer).map(|at| answer.summary.all[at].dialect()).or_else(|| self.named_board());
        match (question.what.clone(), dialect) {
            (QueryKind::Position(moves), Some(dialect)) => {
                tree::write(&answer, question, &moves, &dialect, |question| self.explorer.search(question))
            }
            _ => Err(AnswerError::Refused("the request names no position on a board".to_owned())),
        }
    }

    /// The games in which the position is, or all, or one game: as they are or repaired.
    fn export(&self) -> Result<Export, AnswerError> {
        let question = self.question();
        let ids = if self.asked["id"].is_u64() {
            vec![self.id()?]
        } else if question.what == QueryKind::Nothing {
            // In the order of the archive, however many.
            self.explorer.chosen(question.condition.as_deref())?
        } else {
            let answer = self.explorer.found(&question)?;
            if answer.more > 0 {
                let most = answer.hits.len();
                return Err(AnswerError::Refused(format!(
                    "expected at most {most} games, found more; copy the command"
                )));
            }
            self.listed(&answer).map(|hit| hit.game).collect()
        };
        Ok(Export::new(ids, self.asked["repaired"].as_bool() == Some(true)))
    }

    /// The command that finds the same.
    fn command(&self, question: &Question) -> String {
        let what = match &question.what {
            // The end of a row is one sign less to quote.
            QueryKind::Pattern(pattern) => format!("find --pattern {}", quoted(&pattern.replace('\n', "/"))),
            QueryKind::Position(moves) => format!("find --position {}", quoted(moves)),
            QueryKind::Nothing => return self.command_of("get pb,pw,dt,re", Some(question)),
        };
        let swap = if question.swap_colors { " --swap-colors" } else { "" };
        let mover = question.mover.map_or_else(String::new, |mover| format!(" --mover {}", mover.letter()));
        self.command_of(&format!("{what}{swap}{mover} --summary"), Some(question))
    }

    /// A command for the inputs, with the condition of a question, or of the one that is asked.
    fn command_of(&self, command: &str, question: Option<&Question>) -> String {
        let condition = question.map_or_else(|| self.text("where"), |question| question.condition.as_deref());
        let mut words = vec![format!("sgfq {command}")];
        words.extend(condition.map(|condition| format!("--where {}", quoted(condition))));
        words.extend(self.explorer.inputs.iter().map(|input| quoted(input)));
        words.join(" ")
    }
}

/// Moves as they are shown on a board, and the first that is illegal, with the reason.
struct Line {
    shown: Vec<String>,
    illegal: Option<String>,
}

impl Line {
    fn new(moves: &str, dialect: &Dialect) -> Result<Self, AnswerError> {
        let (mut shown, mut illegal) = (Vec::new(), None);
        let (moves, mut replay) = (MoveList::parse(moves)?.moves_on(dialect), Replay::of_dialect(dialect).ok());
        for (side, mv) in moves.unwrap_or_default() {
            let text = format!("{} {}", side.letter(), dialect.show_move_in(&mv, Coordinates::Gtp));
            let judged = replay.as_mut().map(|replay| replay.play_move(side.color(), &mv)).unwrap_or_default();
            if let Some(Err(fault)) = judged.legality {
                illegal.get_or_insert_with(|| format!("{text}: {fault}"));
            }
            shown.push(text);
        }
        Ok(Self { shown, illegal })
    }
}

/// The numbers of a record.
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

/// A word of a shell.
fn quoted(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+:@%".contains(&byte);
    match !text.is_empty() && text.bytes().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// A next move with its games.
fn reply_of(
    next: &Continuation,
    games: GameTally,
    all: &GameTally,
    board: Dialect,
    labelled: Option<(Field, usize)>,
    in_pattern: bool,
) -> Value {
    let side = next.side().map(Side::letter);
    let (field, label) = labelled.unzip();
    let shown = match (next, field) {
        (_, Some(field)) if in_pattern => format!("{},{}", field.column + 1, field.row + 1),
        (_, Some(field)) => board.show_point_in(field, Coordinates::Gtp).to_string(),
        (Continuation::Other(_, text), _) => text.clone(),
        _ => "end".to_owned(),
    };
    // What leads there: the moves so far, and this.
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
