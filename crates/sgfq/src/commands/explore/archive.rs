//! The games, and what is found in them.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fs::File;
use std::io;
use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use sgfstream::Options;
use sgfstream_explore::Index;
use sgfstream_game::{Coordinates, Dialect, Side};
use sgfstream_table::filter::{Filter, FilterError};
use sgfstream_table::find::{Pattern, Query};
use sgfstream_table::row::{Column, ColumnSet};

use crate::args::io::Io;
use crate::args::threads::Pool;
use crate::commands::find::summary::{self, How, Summary};
use crate::commands::position_index::PositionIndex;
use crate::report::rows::RowFormat;
use crate::report::{tally, terminal};

/// Answers that are kept: those before this one, and what else the page asked for.
const KEPT: usize = 16;

/// Games of an answer that are listed; more are counted.
const LISTED: usize = 200_000;

/// An archive, while it is read and after.
pub(super) struct Archive {
    /// The inputs as they were named.
    pub(super) inputs: Vec<String>,
    pub(super) options: Options,
    games: AtomicU64,
    read: OnceLock<Result<Games, String>>,
    answers: Mutex<VecDeque<(Question, Arc<Answer>)>>,
    /// The answer for the start, which all games have: it takes longest, and is asked for again and again.
    start: OnceLock<Arc<Answer>>,
}

/// The games that were read.
pub(super) struct Games {
    pub(super) index: Index<File>,
    /// Some input could not be read, or not without loss.
    pub(super) is_partial: bool,
}

/// A question of the page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Question {
    /// Position or pattern that the games have.
    pub(super) what: What,
    /// An expression that games must fulfil.
    pub(super) condition: Option<String>,
    pub(super) swap_colors: bool,
    /// Who moves next.
    pub(super) mover: Option<Side>,
}

/// Subject of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
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
pub(super) struct Answer {
    /// Query that was answered; none for all games.
    pub(super) query: Option<Query>,
    pub(super) summary: Summary,
    /// The games, and how many there are beyond those that are listed.
    pub(super) hits: Vec<Found>,
    pub(super) more: u64,
}

/// A game in which something was found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) game: u32,
    /// After which move, and on which board.
    pub(super) ply: u64,
    pub(super) board: Dialect,
    /// The next move, as players write it: `W Q4` on the board of the question, and in a game with a pattern on its own.
    pub(super) next: String,
    /// The first day, as a number that grows with it; 0 without one.
    pub(super) date: u32,
}

/// How a question is to be put right, for the person who asked.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

impl From<FilterError> for Refused {
    fn from(err: FilterError) -> Self {
        Self(err.to_string())
    }
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
pub(super) fn filter_of(condition: Option<&str>) -> Result<Filter, FilterError> {
    Filter::parse(condition.unwrap_or("TRUE"))
}

impl Archive {
    pub(super) fn new(io: &Io<Pool>) -> Self {
        Self {
            inputs: io.inputs.names(),
            options: io.inputs.how.options(),
            games: AtomicU64::new(0),
            read: OnceLock::new(),
            answers: Mutex::default(),
            start: OnceLock::new(),
        }
    }

    /// Reads the games, or opens their index in `file`. `begun` hears of the first games.
    pub(super) fn read(&self, file: Option<&Path>, io: &Io<Pool>, begun: &SyncSender<()>) {
        let read = PositionIndex::open(file, io, &io.choice, |games| {
            self.games.store(games, Relaxed);
            if games > 0 {
                // It hears once.
                _ = begun.try_send(());
            }
        });
        let read = read.and_then(|read| {
            anyhow::ensure!(!read.index.is_empty(), "expected games, found none");
            Ok(Games { index: read.index, is_partial: read.is_partial })
        });
        if let Err(err) = &read
            && self.progress() > 0
        {
            terminal::say(&format!("sgfq: {err:#}"));
        }
        _ = self.read.set(read.map_err(|err| format!("{err:#}")));
    }

    /// How many games were read so far.
    pub(super) fn progress(&self) -> u64 {
        self.games.load(Relaxed)
    }

    /// The games, once all are read, or why there are none.
    pub(super) fn games(&self) -> Option<&Result<Games, String>> {
        self.read.get()
    }

    /// Answers a question, from what is kept or by a search.
    pub(super) fn answer(&self, games: &Games, question: &Question) -> anyhow::Result<Result<Arc<Answer>, Refused>> {
        let known = |answers: &VecDeque<(Question, Arc<Answer>)>| {
            answers.iter().find(|(known, _)| known == question).map(|(_, answer)| Arc::clone(answer))
        };
        let lock = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let is_start = *question == Question::default();
        let start = self.start.get().filter(|_| is_start).map(Arc::clone);
        if let Some(answer) = start.or_else(|| known(&lock())) {
            return Ok(Ok(answer));
        }
        let answer = match games.answer(question)? {
            Ok(answer) => Arc::new(answer),
            Err(refused) => return Ok(Err(refused)),
        };
        if is_start {
            return Ok(Ok(Arc::clone(self.start.get_or_init(|| answer))));
        }
        let mut answers = lock();
        answers.truncate(KEPT - 1);
        answers.push_front((question.clone(), Arc::clone(&answer)));
        Ok(Ok(answer))
    }
}

impl Games {
    /// Answers a question by a search.
    pub(super) fn answer(&self, question: &Question) -> io::Result<Result<Answer, Refused>> {
        let query = match question.query() {
            Ok(query) => query,
            Err(err) => return Ok(Err(err.into())),
        };
        let condition = question.condition.as_deref();
        let filter = match &query {
            Some(query) => Filter::finding(query.clone(), condition),
            None => filter_of(condition),
        };
        match filter {
            Ok(filter) => self.search(query, &filter).map(Ok),
            Err(err) => Ok(Err(err.into())),
        }
    }

    /// Searches on all cores: the candidates are cut into runs, whose answers are joined in their order.
    fn search(&self, query: Option<Query>, filter: &Filter) -> io::Result<Answer> {
        let candidates = match &query {
            Some(query) => self.index.candidates(query)?,
            None => (0..self.index.len()).collect(),
        };
        let cores = thread::available_parallelism().map_or(1, NonZero::get);
        let run = candidates.len().div_ceil(cores).max(256);
        let found = thread::scope(|scope| {
            let query = query.as_ref();
            let runs = candidates.chunks(run).map(|run| scope.spawn(move || self.search_run(query, filter, run)));
            let runs: Vec<_> = runs.collect();
            runs.into_iter().map(|run| run.join().expect("no panic")).collect::<io::Result<Vec<_>>>()
        })?;
        let mut answer = Answer { query, summary: Summary::default(), hits: Vec::new(), more: 0 };
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

    fn search_run(&self, query: Option<&Query>, filter: &Filter, run: &[u32]) -> io::Result<(Summary, Vec<Found>)> {
        let columns = ColumnSet::of(tally::COLUMNS.iter().filter_map(|name| Column::find(name)));
        let (mut summary, mut hits) = (Summary::default(), Vec::new());
        let how = How { format: RowFormat::Jsonl, in_variations: false, coordinates: Coordinates::Sgf };
        let builder = filter.builder(columns).spelling(Coordinates::Gtp);
        let unread = Cell::new(None);
        self.index.search(run.iter().copied(), filter, builder, |game, builder| {
            let date = builder.row().date_min.map_or(0, |date| {
                let part = |part: Option<u8>| u32::from(part.unwrap_or(0));
                u32::from(date.year()) << 9 | part(date.month()) << 5 | part(date.day())
            });
            let Some(query) = query else {
                let (board, next) = (builder.state().dialect(), String::new());
                return hits.push(Found { game, ply: 0, board, next, date });
            };
            let place = || {
                self.index.place(game).unwrap_or_else(|err| {
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
}
