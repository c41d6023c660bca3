//! Replies about lists of games and their games.

use std::io;

use sgfstream_game::{Coordinates, facts::NodeTarget};
use sgfstream_table::filter::Filter;
use sgfstream_table::find::Pattern;
use sgfstream_table::row::{Column, ColumnSet, FilledRow, GameRow};

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Request;
use super::export::Export;
use super::game;
use super::replies::{
    GameColumns, GameReply, GameRowReply, GamesReply, Neighbor, PatternPlace, PlaceInList,
    ShownNode,
};
use super::requests::{
    ExportRequest, GameRequest, GamesRequest, ListRequest, QuestionRequest, ROWS, Text,
};
use super::search::{MatchedGame, QueryKind};
use crate::Store;
use crate::safe::quoted;

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns a part of a list of games.
    pub(super) fn games(&self, asked: &GamesRequest) -> Result<GamesReply, AnswerError> {
        let list = self.listed(&asked.list)?;
        let count = asked.count.unwrap_or(100).min(ROWS) as usize;
        let filter = match &list.answer.query {
            Some(query) => Filter::finding(query.clone(), None)?,
            None => Filter::default(),
        };
        let columns = ColumnSet::of(
            GameColumns::NAMES
                .iter()
                .filter_map(|name| Column::find(name)),
        );
        let mut reader = self
            .index
            .reader(&filter, columns)
            .spelling(Coordinates::Gtp);
        let mut rows = Vec::new();
        for hit in list.games.iter().skip(asked.skip as usize).take(count) {
            self.stop.check()?;
            let hit = hit?;
            let (mut columns, mut next, mut path) = (GameColumns::default(), String::new(), None);
            if let Some(filled) = reader.read(hit.game)? {
                columns = GameColumns::of(filled.row());
                if let (Some(query), Some(first)) = (&list.answer.query, filled.hits().first()) {
                    path = Some(first.node.clone());
                    // Show the move as the game spells it, because a pattern has no coordinates.
                    let written = query.as_pattern().and(first.next.strip_suffix(']'));
                    let written = written.map(|next| next.replacen('[', " ", 1));
                    next =
                        written.unwrap_or_else(|| first.continuation_text(query, Coordinates::Gtp));
                }
            }
            let (place, excerpt) = hit.place.map(|place| (place.path, place.text)).unzip();
            let (path, name) = (place.or(path), self.index.name(hit.game)?);
            rows.push(GameRowReply {
                id: hit.game,
                ply: hit.ply,
                next,
                path,
                columns,
                excerpt,
                name,
            });
        }
        let command = self.command(&self.question(&asked.list.question));
        Ok(GamesReply {
            total: list.games.len(),
            skip: asked.skip,
            rows,
            command,
        })
    }

    /// Returns the place of a game in the list of the request.
    fn place_in_list(
        &self,
        id: u32,
        asked: &ListRequest,
    ) -> Result<Option<PlaceInList>, AnswerError> {
        // If the list is refused, the page shows the game without it.
        let list = match self.listed(asked) {
            Err(AnswerError::Refused(_)) => return Ok(None),
            list => list?,
        };
        let (mut games, mut before) = (list.games.iter(), None);
        for number in 1.. {
            let Some(found) = games.next().transpose()? else {
                break;
            };
            if found.game == id {
                let after = games.next().transpose()?;
                let [before, after] = [before, after].map(|game| game.map(Neighbor::of));
                return Ok(Some(PlaceInList {
                    number,
                    total: list.games.len(),
                    before,
                    after,
                }));
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
    pub(super) fn game(&self, asked: &GameRequest) -> Result<GameReply, AnswerError> {
        let id = self.known_game(asked.id)?;
        let target = match asked.path.get() {
            Some(path) => NodeTarget::Node(path.parse().map_err(AnswerError::Refused)?),
            None => NodeTarget::Move(asked.ply.unwrap_or(0)),
        };
        let game = self.read(id)?;
        let mut node = game::node(&game, &target, asked.rotation.as_rotation())?;
        let file = self.index.name(id)?;
        let path = &node.line[node.at].path;
        let command = format!(
            "sgfq board --comment --node {} {}",
            quoted(path),
            quoted(&file)
        );
        let list = self.place_in_list(id, &asked.list)?;
        let ply = match &node.shown {
            ShownNode::Board { ply, .. } => Some(*ply),
            ShownNode::None { .. } => None,
        };
        let hit = self.hit(id, path, ply, &asked.list.question)?;
        let mut rotation = asked.rotation.get();
        if rotation == Some("hit") {
            rotation = hit.as_ref().map(|hit| hit.transform);
            node.shown = game::node(
                &game,
                &target,
                Text::from(rotation.map(str::to_owned)).as_rotation(),
            )?
            .shown;
        }
        let is_rotated = matches!(
            node.shown,
            ShownNode::Board {
                is_rotated: true,
                ..
            }
        );
        let rotation = rotation.filter(|_| is_rotated).map(str::to_owned);
        Ok(GameReply {
            node,
            command,
            id,
            file,
            list,
            rotation,
            hit,
        })
    }

    /// Returns where the pattern of the request matches the board at a node of a game, or else the
    /// board after `ply` moves.
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
        let Ok(Some(query)) = self.query(&self.question(asked)) else {
            return Ok(None);
        };
        let Some(size) = query.as_pattern().map(Pattern::size) else {
            return Ok(None);
        };
        let filter = Filter::finding(query, None)?;
        let mut reader = self.index.reader(&filter, ColumnSet::default());
        let hits = reader.read(id)?.map(FilledRow::hits).unwrap_or_default();
        // Setup after the move may be in a node of its own.
        let is_after =
            |node: &str, of: u64| node.starts_with('/') && path.starts_with('/') && Some(of) == ply;
        let hit = hits.iter().find(|hit| hit.node == path);
        let hit = hit.or_else(|| hits.iter().find(|hit| is_after(&hit.node, hit.ply)));
        Ok(hit.map(|hit| {
            let (width, height) = hit.transform.symmetry.size(size);
            PatternPlace {
                column: hit.corner.column,
                row: hit.corner.row,
                width,
                height,
                transform: hit.transform.symmetry.as_str(),
                exchanged: hit.transform.is_exchanged,
            }
        }))
    }

    /// Returns the download of the games of a list, or of one game, unchanged or repaired.
    pub(super) fn export(&self, asked: &ExportRequest) -> Result<Export, AnswerError> {
        let question = self.question(&asked.list.question);
        let is_search = asked.list.search.get().is_some() || asked.list.code.get().is_some();
        let ids = if asked.id.is_some() {
            vec![self.known_game(asked.id)?]
        } else if asked.said {
            let list = self.remarks(&question)?;
            let here = list
                .remarks
                .iter()
                .filter(|(_, remark)| remark.next.is_none());
            let mut ids: Vec<u32> = here.map(|(game, _)| *game).collect();
            ids.dedup();
            ids
        } else if question.what == QueryKind::Nothing && !is_search {
            // Without a question, all games are exported in the order of the archive, without a
            // list.
            self.chosen(question.condition.as_deref())?
        } else {
            let list = self.listed(&asked.list)?;
            list.games
                .iter()
                .map(|game| Ok(game?.game))
                .collect::<io::Result<_>>()?
        };
        Ok(Export::new(ids, asked.repaired))
    }
}

impl Neighbor {
    fn of(game: MatchedGame) -> Self {
        Self {
            id: game.game,
            ply: game.ply,
            path: game.place.map(|place| place.path),
        }
    }
}

impl GameColumns {
    const NAMES: [&str; 10] = [
        "pb", "br", "pw", "wr", "dt", "re", "ev", "km", "moves", "handicap",
    ];

    fn of(row: &GameRow) -> Self {
        let text = |name| {
            Column::find(name).map_or_else(String::new, |column| column.get(row).to_string())
        };
        let [pb, br, pw, wr, dt, re, ev, km, moves, handicap] = Self::NAMES.map(text);
        Self {
            pb,
            br,
            pw,
            wr,
            dt,
            re,
            ev,
            km,
            moves,
            handicap,
        }
    }
}
