//! Questions about games, and what is found in them.

use std::cell::Cell;
use std::io;

use sgfstream_explore::{Index, Store};
use sgfstream_game::{Coordinates, Dialect, Side};
use sgfstream_table::filter::{Filter, FilterError};
use sgfstream_table::find::{Pattern, Query};
use sgfstream_table::row::{Column, ColumnSet};

use crate::cores::Cores;
use crate::failed::Failed;
use crate::summary::{self, How, NextMoves};
use crate::tally;

/// Games of an answer that are listed; more are counted.
const LISTED: usize = 200_000;

/// A question of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Question {
    /// Position or pattern that the games have.
    pub(crate) what: What,
    /// An expression that games must fulfil.
    pub(crate) condition: Option<String>,
    pub(crate) swap_colors: bool,
    /// Who moves next.
    pub(crate) mover: Option<Side>,
}

/// Subject of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// The position after these moves.
    Position(String),
    Pattern(String),
    /// Nothing: all games are meant.
    Nothing,
}

impl Default for What {
    fn default() -> Self {
        Self::Position(String::new())
    }
}

/// Everything that was found.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Query that was answered; none for all games.
    pub(crate) query: Option<Query>,
    pub(crate) summary: NextMoves,
    /// The games, and how many there are beyond those that are listed.
    pub(crate) hits: Vec<Found>,
    pub(crate) more: u64,
}

/// A game in which something was found.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) game: u32,
    /// After which move, and on which board.
    pub(crate) ply: u64,
    pub(crate) board: Dialect,
    /// The next move, as players write it: `W Q4` on the board of the question, and in a game with a pattern on its own.
    pub(crate) next: String,
    /// The first day, as a number that grows with it; 0 without one.
    pub(crate) date: u32,
}

impl Question {
    fn query(&self) -> Result<Option<Query>, FilterError> {
        let query = match &self.what {
            What::Pattern(text) => Query::pattern(Pattern::parse(text)?),
            What::Position(moves) => Query::position_after(moves)?,
            What::Nothing => return Ok(None),
        };
        Ok(Some(query.swap_colors(self.swap_colors).mover(self.mover).all()))
    }
}

/// The filter of a condition, if there is one.
pub(crate) fn filter_of(condition: Option<&str>) -> Result<Filter, FilterError> {
    Filter::parse(condition.unwrap_or("TRUE"))
}

/// Answers a question by a search.
pub(crate) fn answer<S: Store + Sync>(
    index: &Index<S>,
    cores: &impl Cores,
    question: &Question,
) -> Result<Answer, Failed> {
    let query = question.query()?;
    let condition = question.condition.as_deref();
    let filter = match &query {
        Some(query) => Filter::finding(query.clone(), condition),
        None => filter_of(condition),
    }?;
    Ok(search(index, cores, query, &filter)?)
}

/// Searches on all cores: the candidates are cut into runs, whose answers are joined in their order.
fn search<S: Store + Sync>(
    index: &Index<S>,
    cores: &impl Cores,
    query: Option<Query>,
    filter: &Filter,
) -> io::Result<Answer> {
    let candidates = match &query {
        Some(query) => index.candidates(query)?,
        None => (0..index.len()).collect(),
    };
    let run = candidates.len().div_ceil(cores.count().max(1)).max(256);
    let runs: Vec<&[u32]> = candidates.chunks(run).collect();
    let found = cores.each(&runs, |run| search_run(index, query.as_ref(), filter, run));
    let found = found.into_iter().collect::<io::Result<Vec<_>>>()?;
    let mut answer = Answer { query, summary: NextMoves::default(), hits: Vec::new(), more: 0 };
    for (summary, mut hits) in found {
        summary::merge(&mut answer.summary, summary);
        answer.hits.append(&mut hits);
    }
    answer.summary.sort();
    // The latest first; games without a date last.
    answer.hits.sort_by_key(|hit| std::cmp::Reverse(hit.date));
    answer.more = answer.hits.len().saturating_sub(LISTED) as u64;
    answer.hits.truncate(LISTED);
    Ok(answer)
}

fn search_run<S: Store>(
    index: &Index<S>,
    query: Option<&Query>,
    filter: &Filter,
    run: &[u32],
) -> io::Result<(NextMoves, Vec<Found>)> {
    let columns = ColumnSet::of(tally::COLUMNS.iter().filter_map(|name| Column::find(name)));
    let (mut summary, mut hits) = (NextMoves::default(), Vec::new());
    let how = How { in_variations: false, coordinates: Coordinates::Sgf };
    let builder = filter.builder(columns).spelling(Coordinates::Gtp);
    let unread = Cell::new(None);
    index.search(run.iter().copied(), filter, builder, |game, builder| {
        let date = builder.row().date_min.map_or(0, |date| {
            let part = |part: Option<u8>| u32::from(part.unwrap_or(0));
            u32::from(date.year()) << 9 | part(date.month()) << 5 | part(date.day())
        });
        let Some(query) = query else {
            let (board, next) = (builder.state().dialect(), String::new());
            return hits.push(Found { game, ply: 0, board, next, date });
        };
        let place = || {
            index.place(game).unwrap_or_else(|err| {
                unread.set(Some(err));
                None
            })
        };
        summary::add(&mut summary, query, how, builder, place);
        let Some(hit) = builder.hits().first() else { return };
        let next = match query.as_pattern().and(hit.next.strip_suffix(']')) {
            Some(next) => next.replacen('[', " ", 1),
            None => hit.continuation_text(query, Coordinates::Gtp),
        };
        hits.push(Found { game, ply: hit.ply, board: hit.board, next, date });
    })?;
    unread.into_inner().map_or(Ok((summary, hits)), Err)
}
