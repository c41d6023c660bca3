//! Replies about players, and about the games of a person.

use std::cmp::Reverse;

use sgfstream_adapt::stats::BoardId;
use sgfstream_draw::{Diagram, PictureFrame, TriedMoves, bounds};
use sgfstream_game::internal::Opening;
use sgfstream_table::filter::Filter;
use sgfstream_table::find::{MoveList, Query};
use sgfstream_table::row::GameRow;

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::explorer::Request;
use super::person_replies::{
    NameReply, NamesReply, OpeningReply, PartReply, PersonReply, PlayerReply, PlayersReply,
    RecordReply,
};
use super::requests::{NamesRequest, PersonRequest, PlayersRequest, ROWS};
use crate::person::{PersonPart, PersonQuery, PersonRow};
use crate::players::{self, ListedPlayer, OPENING_MAX, Pairs, Record};
use crate::safe::quoted;
use crate::{Store, Summed};

/// Maximum number of players per reply.
const PLAYERS: usize = 300;

/// Maximum number of opponents per reply, and of openings with each color.
const OPPONENTS: usize = 30;
const OPENINGS: usize = 12;

/// Number of moves of an opening, unless the request says so.
const DEPTH: u64 = 4;

impl<S: Store + Sync, C: Cores> Request<'_, S, C> {
    /// Returns the players of the games that match the condition, those with the most games first.
    pub(super) fn players(&self, asked: &PlayersRequest) -> Result<PlayersReply, AnswerError> {
        let condition = self.condition(&asked.filter);
        let words = asked.search.words();
        let (mut rows, mut total) = (Vec::new(), 0);
        for row in self.listed_players(condition.as_ref())?.iter() {
            let ListedPlayer {
                name,
                record,
                opponents,
                named: most_frequent,
            } = ListedPlayer::of(row?);
            if !players::has_words(&name, &self.aliases, &words) {
                continue;
            }
            total += 1;
            if rows.len() < PLAYERS {
                rows.push(PlayerReply {
                    record: RecordReply::of(&record),
                    name,
                    opponents,
                    most_frequent,
                });
            }
        }
        Ok(PlayersReply {
            rows,
            total,
            command: self.command_of("players", condition.as_deref()),
        })
    }

    /// Returns names of players that complete the text of the request, those with the most games
    /// first.
    pub(super) fn names_with(&self, asked: &NamesRequest) -> Result<NamesReply, AnswerError> {
        let count = asked.count.unwrap_or(12).min(ROWS) as usize;
        let prefix = asked.prefix.get().unwrap_or_default().to_lowercase();
        let mut rows = Vec::new();
        for row in self.listed_players(None)?.iter() {
            if rows.len() == count {
                break;
            }
            let ListedPlayer { name, record, .. } = ListedPlayer::of(row?);
            if players::has_prefix(&name, &self.aliases, &prefix) {
                rows.push(NameReply {
                    name,
                    games: record.games,
                });
            }
        }
        Ok(NamesReply { rows })
    }

    /// Returns the games of a person that match the condition, or the games of two persons against
    /// each other.
    pub(super) fn person(&self, asked: &PersonRequest) -> Result<PersonReply, AnswerError> {
        let player = asked.person.get();
        let player =
            player.ok_or_else(|| AnswerError::Refused("the request names no person".to_owned()))?;
        let aliases = &self.aliases;
        let query = PersonQuery::new(player, asked.against.get(), aliases);
        let depth = asked.depth.unwrap_or(DEPTH).clamp(1, OPENING_MAX);
        let condition = self.condition(&asked.filter);
        let mut games = self.chosen(condition.as_deref())?;
        // Also search games with information in variations, because the condition tests only
        // the players of main lines.
        let mut parted = self.index.parted_games()?;
        parted.retain(|game| games.binary_search(game).is_ok());
        // The games of the person are cached, so that those against each opponent are found among
        // them.
        let of_person = query.condition(aliases)?;
        games = self.choose(Some(&of_person), games)?;
        games.append(&mut parted);
        games.sort_unstable();
        games.dedup();
        let filter =
            Filter::default().following(Query::opening(depth).variations(asked.variations));
        let take = |pairs: &mut Pairs, row: &GameRow, openings: &[Opening]| {
            pairs.take_person(row, openings, &query, aliases);
        };
        let mut sorted = self.pairs(&games, &filter, take)?.sorted()?;
        let mut rows = Vec::new();
        while let Some(row) = sorted.next()? {
            rows.push(PersonRow::of(row));
        }

        let all = rows
            .iter()
            .find(|row| row.part == PersonPart::All)
            .map(|row| row.record)
            .unwrap_or_default();
        let mut opponents = parts_of(&rows, PersonPart::Opponent);
        opponents.sort_by_key(|part| Reverse(part.record.games));
        let opponents_total = opponents.len();
        opponents.truncate(OPPONENTS);
        let name = quoted(&query.player);
        let command = match &query.against {
            Some(against) => format!("players --player {name} --against {}", quoted(against)),
            None => {
                let lines = if asked.variations {
                    " --variations"
                } else {
                    ""
                };
                format!("players --openings {depth}{lines} --player {name}")
            }
        };
        Ok(PersonReply {
            record: RecordReply::of(&all),
            colors: parts_of(&rows, PersonPart::Color),
            spellings: parts_of(&rows, PersonPart::Spelling),
            by_year: parts_of(&rows, PersonPart::Year),
            opponents,
            opponents_total,
            openings: self.openings(&rows),
            command: self.command_of(&command, condition.as_deref()),
            name: query.player,
            against: query.against,
        })
    }

    /// Returns the most frequent openings with each color, Black's first.
    fn openings(&self, rows: &[PersonRow]) -> Vec<OpeningReply> {
        let mut replies = Vec::new();
        for color in ["B", "W"] {
            let mut positions = positions_of(rows, color);
            positions.sort_by_key(|(record, _)| Reverse(record.games));
            for (record, row) in positions.into_iter().take(OPENINGS) {
                let Some(opening) = row.opening() else {
                    continue;
                };
                replies.push(OpeningReply {
                    color: color.to_owned(),
                    record: RecordReply::of(&record),
                    svg: self.small_board(opening.board, opening.moves),
                    board: opening.board.to_owned(),
                    moves: opening.moves.to_owned(),
                    spelled: opening.spelled.to_owned(),
                });
            }
        }
        replies
    }

    /// Returns the picture of a position without numbers and coordinates, or `None` if it cannot be
    /// drawn.
    fn small_board(&self, board: &str, moves: &str) -> Option<String> {
        let mut boards = self.index.dialects().iter().map(BoardId::of_dialect);
        let dialect = boards.find(|known| known.to_string() == board)?.dialect();
        let steps = MoveList::parse(moves).ok()?.steps_on(&dialect)?;
        let mut diagram = TriedMoves::at_start(&dialect, &steps).ok()?.diagram;
        diagram.numbers.clear();
        Some(without_edges(&diagram))
    }
}

/// Returns the part of a picture that contains its points.
fn without_edges(diagram: &Diagram) -> String {
    let frame = PictureFrame::of(&diagram.layout);
    let (upper, lower) = bounds(diagram.layout.cells.iter().flat_map(|cell| &cell.corners));
    let ((left, top), (right, low)) = (frame.at(upper), frame.at(lower));
    let svg = diagram.svg("", false);
    let (before, rest) = svg.split_once(" viewBox=\"").unwrap_or((&svg, ""));
    let after = rest.split_once('"').map_or("", |(_, after)| after);
    format!(
        "{before} viewBox=\"{left:.0} {top:.0} {:.0} {:.0}\"{after}",
        right - left,
        low - top
    )
}

/// Returns the parts of a kind.
fn parts_of(rows: &[PersonRow], part: PersonPart) -> Vec<PartReply> {
    let rows = rows.iter().filter(|row| row.part == part);
    rows.map(|row| PartReply {
        name: row.name.clone(),
        record: RecordReply::of(&row.record),
    })
    .collect()
}

/// Returns each position that openings with this color reach, with its games and its most frequent
/// order of moves.
fn positions_of<'r>(rows: &'r [PersonRow], color: &str) -> Vec<(Record, &'r PersonRow)> {
    let mut positions: Vec<(Record, &PersonRow)> = Vec::new();
    for row in rows {
        let Some(opening) = row.opening().filter(|opening| opening.color == color) else {
            continue;
        };
        // The rows of a position follow one another.
        match positions
            .last_mut()
            .filter(|(_, last)| last.opening().is_some_and(|last| last.hash == opening.hash))
        {
            Some((sum, most)) => {
                sum.add(&row.record);
                if row.record.games > most.record.games {
                    *most = row;
                }
            }
            None => positions.push((row.record, row)),
        }
    }
    positions
}
