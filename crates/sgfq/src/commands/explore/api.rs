//! Questions of the page, and their answers, as JSON.

use serde_json::{Value, json};

use sgfstream::{EventReader, SliceReader};
use sgfstream_adapt::stats::{GameTally, Stats};
use sgfstream_draw::Diagram;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Coordinates, Dialect, Game, Side};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{Continuation, Pattern};
use sgfstream_table::row::{Column, ColumnSet};

use crate::commands::board::Target;
use crate::commands::players::{self, Order, Pairs};
use crate::commands::stats;
use crate::report::LABELS;
use crate::report::tally;

use super::archive::{Answer, Archive, Games, Question, Refused};
use super::{findings, game};

/// Rows of games that are sent at once.
const ROWS: u64 = 500;

/// Players that are sent.
const PLAYERS: usize = 300;

/// Columns of a game in a list.
const COLUMNS: [&str; 8] = ["pb", "br", "pw", "wr", "dt", "re", "ev", "ha"];

/// An answer.
pub(super) enum Reply {
    Json(Value),
    /// Games as SGF.
    Games(Vec<u8>),
    /// A page that is kept.
    Page(Vec<u8>),
}

/// Why there is no answer.
pub(super) enum Failed {
    /// The page asked for something that is not there, or not rightly.
    Refused(String),
    /// The games are still read.
    NotYet,
    /// Something failed here.
    Internal(String),
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused.0)
    }
}

impl From<anyhow::Error> for Failed {
    fn from(err: anyhow::Error) -> Self {
        Self::Internal(format!("{err:#}"))
    }
}

impl From<std::io::Error> for Failed {
    fn from(err: std::io::Error) -> Self {
        Self::Internal(err.to_string())
    }
}

/// Questions that are known.
pub(super) const NAMES: [&str; 9] =
    ["status", "position", "games", "game", "players", "findings", "repair", "stats", "export"];

/// Answers the question of this name.
pub(super) fn answer(archive: &Archive, name: &str, asked: &Value) -> Result<Reply, Failed> {
    let games = match archive.games() {
        Some(Ok(games)) => games,
        Some(Err(message)) if name == "status" => {
            return Ok(Reply::Json(json!({ "state": "failed", "message": message })));
        }
        None if name == "status" => {
            let (inputs, games) = (&archive.inputs, archive.progress());
            return Ok(Reply::Json(json!({ "state": "reading", "games": games, "inputs": inputs })));
        }
        Some(Err(message)) => return Err(Failed::Refused(message.clone())),
        None => return Err(Failed::NotYet),
    };
    let asked = Asked { archive, games, asked };
    Ok(Reply::Json(match name {
        "status" => asked.status(),
        "position" => asked.position()?,
        "games" => asked.list()?,
        "game" => asked.game()?,
        "players" => asked.players()?,
        "findings" => findings::by_code(games, archive.options)?,
        "repair" => asked.repair()?,
        "stats" => return asked.stats().map(Reply::Page),
        _ => return asked.export().map(Reply::Games),
    }))
}

struct Asked<'a> {
    archive: &'a Archive,
    games: &'a Games,
    asked: &'a Value,
}

impl Asked<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.asked[name].as_str().map(str::trim).filter(|text| !text.is_empty())
    }

    fn number(&self, name: &str, usual: u64) -> u64 {
        self.asked[name].as_u64().unwrap_or(usual)
    }

    fn question(&self) -> Question {
        Question {
            moves: self.text("moves").unwrap_or_default().to_owned(),
            pattern: self.text("pattern").map(str::to_owned),
            condition: self.text("where").map(str::to_owned),
            swap_colors: self.asked["swap_colors"].as_bool().unwrap_or(false),
        }
    }

    fn status(&self) -> Value {
        let index = &self.games.index;
        let boards = index.dialects().iter().filter(|dialect| sgfstream_game::GameBoard::new(dialect).is_ok());
        let mut seen = Vec::new();
        for dialect in boards {
            let board = (dialect.game(), dialect.size());
            if !seen.contains(&board) {
                seen.push(board);
            }
        }
        json!({
            "state": "ready",
            "games": index.len(),
            "positions": index.positions(),
            "inputs": self.archive.inputs,
            "partial": self.games.is_partial,
            "boards": seen.iter().map(|&(game, size)| name_of(game, size)).collect::<Vec<_>>(),
        })
    }

    /// The board that is shown: the one that was asked for, or else the most frequent.
    fn board(&self, answer: &Answer) -> Option<usize> {
        let named = self.text("board");
        let is_named = |at: &usize| {
            let board = &answer.summary.all[*at].board;
            Some(&*board.to_string()) == named
        };
        let all = 0..answer.summary.all.len();
        all.clone().find(is_named).or_else(|| all.clone().next().filter(|_| named.is_none()))
    }

    /// The position, what was played next, and the boards on which it is.
    fn position(&self) -> Result<Value, Failed> {
        let question = self.question();
        let answer = self.archive.answer(self.games, &question)??;
        let boards = answer.summary.all.iter().map(|board| json!([board.board.to_string(), board.tally.count]));
        let mut reply = json!({
            "boards": boards.collect::<Value>(),
            "games": answer.hits.len() as u64 + answer.more,
            "impossible": answer.query.impossible_move(),
            "command": self.command(&question),
        });
        let shown = self.board(&answer);
        let mut labels = Vec::new();
        if let Some(rows) = shown.map(|at| &answer.summary.all[at]) {
            reply["board"] = rows.board.to_string().into();
            let mut all: Vec<_> = rows.rows.iter().collect();
            all.sort_by(|(one, a), (other, b)| b.tally.count.cmp(&a.tally.count).then_with(|| one.cmp(other)));
            let dialect = rows.dialect();
            let replies = all.iter().map(|(next, row)| {
                let label = match next {
                    Continuation::Field(_, field) => match labels.iter().position(|known| known == field) {
                        Some(at) => Some(at),
                        None => {
                            labels.push(*field);
                            Some(labels.len() - 1)
                        }
                    },
                    _ => None,
                };
                reply_of(next, row.tally.clone(), &rows.tally, dialect, label, question.pattern.is_some())
            });
            reply["replies"] = replies.collect();
        }
        let dialect = shown.map(|at| answer.summary.all[at].dialect()).or_else(|| self.named_board());
        if let Some(pattern) = answer.query.as_pattern() {
            reply["pattern"] = drawn(pattern).into();
        } else if let Some(dialect) = dialect
            && let Some(position) = answer.query.board(&dialect)
            && let Some(mut diagram) = Diagram::new(position, Coordinates::Gtp)
        {
            let letters = labels.iter().zip(LABELS.chars());
            diagram.marks.labels = letters.map(|(field, letter)| (*field, letter.to_string())).collect();
            reply["board"] = name_of(dialect.game(), dialect.size()).into();
            reply["svg"] = diagram.svg("", false).into();
            reply["points"] = game::points(&diagram);
            reply["rows"] = diagram.rows().into();
        }
        Ok(reply)
    }

    /// The board of a name that `status` gave.
    fn named_board(&self) -> Option<Dialect> {
        let named = self.text("board");
        let mut all = self.games.index.dialects().iter();
        let found = match named {
            Some(named) => all.find(|dialect| name_of(dialect.game(), dialect.size()) == named),
            None => all.next(),
        };
        found.map(|dialect| Dialect::new(dialect.game(), Some(dialect.size())))
    }

    /// Some of the games in which the position is.
    fn list(&self) -> Result<Value, Failed> {
        let answer = self.archive.answer(self.games, &self.question())??;
        let named = self.text("board");
        let is_meant = |board: Dialect| named.is_none_or(|named| name_of(board.game(), board.size()) == named);
        let hits = || answer.hits.iter().filter(|hit| answer.query.as_pattern().is_some() || is_meant(hit.board));
        let (from, count) = (self.number("from", 0), self.number("count", 100).min(ROWS));
        let columns: Vec<&Column> = COLUMNS.iter().filter_map(|name| Column::find(name)).collect();
        let every = Filter::parse("TRUE").expect("an expression");
        let mut rows = Vec::new();
        for hit in hits().skip(from as usize).take(count as usize) {
            let mut row = json!({ "id": hit.game, "move": hit.ply, "next": hit.next });
            let set = ColumnSet::of(columns.iter().copied());
            self.games.index.search([hit.game], &every, every.builder(set), |_, builder| {
                for column in &columns {
                    row[column.name] = column.get(builder.row()).to_string().into();
                }
            })?;
            row["name"] = self.games.index.name(hit.game)?.into();
            rows.push(row);
        }
        Ok(json!({ "total": hits().count() as u64 + answer.more, "from": from, "rows": rows }))
    }

    fn id(&self) -> Result<u32, Failed> {
        let id = self.asked["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        let id = id.filter(|id| *id < self.games.index.len());
        id.ok_or_else(|| Failed::Refused("expected the number of a game".to_owned()))
    }

    /// A node of a game.
    fn game(&self) -> Result<Value, Failed> {
        let id = self.id()?;
        let bytes = self.games.index.bytes(id)?.unwrap_or_default();
        let target = match self.text("path") {
            Some(path) => Target::Node(path.parse().map_err(Failed::Refused)?),
            None => Target::Move(self.number("move", 0)),
        };
        let mut node = game::node(&bytes, self.archive.options, target)?.map_err(Failed::Refused)?;
        node["id"] = id.into();
        node["file"] = self.games.index.name(id)?.into();
        Ok(node)
    }

    /// The players of the games that fulfil the condition, those with the most games first.
    fn players(&self) -> Result<Value, Failed> {
        let text = self.text("where").unwrap_or("TRUE");
        let filter = Filter::parse(text).map_err(|err| Failed::Refused(err.to_string()))?;
        let columns = ColumnSet::of(players::FACTS.iter().filter_map(|name| Column::find(name)));
        let (index, mut pairs) = (&self.games.index, Pairs::default());
        let builder = filter.builder(columns);
        index.search(0..index.len(), &filter, builder, |_, row| pairs.take(row.row()))?;
        let rows = players::list(pairs, Order::Games, PLAYERS)?.into_iter().map(|player| {
            let record = player.record;
            json!({
                "name": player.name,
                "games": record.games,
                "black": record.colors[0],
                "white": record.colors[1],
                "won": record.won,
                "lost": record.lost,
                "share": record.share().map(|share| share.share),
                "years": record.years.map(|(first, last)| [first, last]),
                "opponents": player.opponents,
                "most_frequent": player.named,
            })
        });
        Ok(json!({ "rows": rows.collect::<Value>() }))
    }

    /// The page of statistics of the games that fulfil the condition, as `sgfq stats --html` writes it.
    fn stats(&self) -> Result<Vec<u8>, Failed> {
        let text = self.text("where").unwrap_or("TRUE");
        let filter = Filter::parse(text).map_err(|err| Failed::Refused(err.to_string()))?;
        let (index, mut chosen) = (&self.games.index, Vec::new());
        index.search(0..index.len(), &filter, filter.builder(ColumnSet::default()), |game, _| chosen.push(game))?;
        let (mut stats, mut file) = (Stats::default(), String::new());
        for game in chosen {
            let (bytes, name) = (index.bytes(game)?.unwrap_or_default(), index.place(game)?.unwrap_or_default().0);
            let mut reader = SliceReader::with_options(&bytes, self.archive.options);
            reader.drive(&mut stats).map_err(|err| Failed::Internal(err.to_string()))?;
            match name == file {
                true => stats.end_part(bytes.len() as u64),
                false => stats.end_input(bytes.len() as u64),
            }
            file = name;
        }
        Ok(stats::page_of(&mut stats, &self.archive.inputs)?)
    }

    /// Repairs a game.
    fn repair(&self) -> Result<Value, Failed> {
        let bytes = self.games.index.bytes(self.id()?)?.unwrap_or_default();
        Ok(findings::repair(&bytes, self.archive.options))
    }

    /// The games in which the position is, as they are or repaired; or one game.
    fn export(&self) -> Result<Vec<u8>, Failed> {
        let ids = match self.asked["id"].is_u64() {
            true => vec![self.id()?],
            false => {
                let answer = self.archive.answer(self.games, &self.question())??;
                answer.hits.iter().map(|hit| hit.game).collect()
            }
        };
        let mut out = Vec::new();
        for id in ids {
            let bytes = self.games.index.bytes(id)?.unwrap_or_default();
            match self.asked["repaired"].as_bool() {
                Some(true) => out.extend(findings::repaired(&bytes, self.archive.options)),
                _ => out.extend(bytes),
            }
            out.push(b'\n');
            if out.len() > EXPORT {
                return Err(Failed::Refused(format!(
                    "expected games of at most {} MiB, found more; copy the command",
                    EXPORT >> 20
                )));
            }
        }
        Ok(out)
    }

    /// The command that finds the same.
    fn command(&self, question: &Question) -> String {
        let mut words = vec!["sgfq find".to_owned()];
        match &question.pattern {
            Some(pattern) => words.push(format!("--pattern {}", quoted(pattern))),
            None => words.push(format!("--position {}", quoted(&question.moves))),
        }
        words.extend(question.swap_colors.then(|| "--swap-colors".to_owned()));
        words.extend(question.condition.as_ref().map(|condition| format!("--where {}", quoted(condition))));
        words.push("--summary".to_owned());
        words.extend(self.archive.inputs.iter().map(|input| quoted(input)));
        words.join(" ")
    }
}

/// Bytes of games that are sent.
const EXPORT: usize = 256 << 20;

/// The name of a board, as summaries have it.
fn name_of(game: Game, size: BoardSize) -> String {
    sgfstream_adapt::stats::Board { game, size: Some(size) }.to_string()
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
    label: Option<usize>,
    in_pattern: bool,
) -> Value {
    let side = next.side().map(Side::letter);
    let shown = match next {
        Continuation::Field(_, field) if in_pattern => format!("{},{}", field.column + 1, field.row + 1),
        Continuation::Field(_, field) => board.show_point_in(*field, Coordinates::Gtp).to_string(),
        Continuation::Other(_, text) => text.clone(),
        _ => "end".to_owned(),
    };
    // What leads there: the moves so far, and this.
    let add = match next {
        _ if in_pattern => None,
        Continuation::Field(_, field) => Some(board.show_point(*field).to_string()),
        Continuation::Other(_, text) if !text.contains([' ', '[', ']']) => Some(text.clone()),
        _ => None,
    };
    let add = add.zip(side).map(|(add, side)| format!("{side}[{add}]"));
    let name = json!({
        "color": side,
        "next": shown,
        "add": add,
        "label": label.and_then(|at| LABELS.chars().nth(at)),
    });
    tally::Row { name, games: &games, all }.object()
}

fn drawn(pattern: &Pattern) -> String {
    pattern.draw(|_| None).to_string()
}
