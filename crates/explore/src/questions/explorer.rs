//! The explorer of an index: answers requests and caches the answers.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sgfstream::Options;
use sgfstream_adapt::tree::GameTree;
use sgfstream_table::filter::{Filter, PlayerAliases};
use sgfstream_table::row::{Column, ColumnSet, RowBuilder};

use super::answer_error::AnswerError;
use super::cores::{Cores, runs_of};
use super::export::Export;
use super::filter_cache::FilterCache;
use super::game;
use super::list::{self, GameList, ListOptions};
use super::search::{self, Answer, Question, filter_of};
use super::stop_flag::StopFlag;
use crate::players::{self, Pairs, PlayerNames};
use crate::{Index, Store};

/// Maximum number of cached answers, and of bytes of all of them together. Early positions are requested most often and have
/// the most games. The last two answers stay cached regardless of their bytes.
const KEPT: usize = 256;
const KEPT_BYTES: usize = 16 << 20;

/// Maximum bytes of a cached game tree.
const TREE: u64 = 64 << 20;

/// Maximum number of conditions with cached results, each with two bits per game.
const CONDITIONS: usize = 4;

/// Cached answers, the most recent first.
type AnswerCache<Q, A> = Mutex<VecDeque<(Q, Arc<A>)>>;

/// Answers requests about the games of an index. The documentation of the crate has an example.
#[derive(Debug)]
pub struct Explorer<S, C> {
    pub(crate) index: Index<S>,
    pub(crate) cores: C,
    /// Inputs as the user named them.
    pub(crate) inputs: Vec<String>,
    pub(crate) options: Options,
    /// Whether an input was unreadable or lost some of its games.
    pub(crate) is_partial: bool,
    answers: AnswerCache<Question, Answer>,
    lists: AnswerCache<(Question, ListOptions), GameList>,
    /// Tree of the last game shown.
    tree: Mutex<Option<(u32, Arc<GameTree>)>>,
    /// Aliases of players.
    pub(crate) aliases: PlayerAliases,
    names: Mutex<Option<Arc<PlayerNames>>>,
    /// Cached results of the last conditions.
    verdicts: Mutex<VecDeque<(String, Arc<FilterCache>)>>,
}

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Creates an explorer of the games of `index`, which were read with `options`. The page shows `inputs` in its commands.
    /// `is_partial` means that some games are missing.
    pub fn new(index: Index<S>, options: Options, inputs: Vec<String>, is_partial: bool, cores: C) -> Self {
        let (answers, lists, verdicts) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (tree, aliases, names) = (Mutex::default(), PlayerAliases::default(), Mutex::default());
        Self { index, cores, inputs, options, is_partial, answers, lists, tree, aliases, names, verdicts }
    }

    /// Sets the aliases of players.
    #[must_use]
    pub fn with_aliases(self, aliases: PlayerAliases) -> Self {
        Self { aliases, ..self }
    }

    /// Returns the index of the games.
    #[must_use]
    pub fn index(&self) -> &Index<S> {
        &self.index
    }

    /// Returns the inputs as the user named them.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// Returns the next games of an export, each followed by a newline, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the index cannot be read.
    pub fn part(&self, export: &mut Export) -> io::Result<Option<Vec<u8>>> {
        export.part(&self.index, self.options)
    }

    /// Returns the games that match the condition, in the order of the archive.
    ///
    /// # Errors
    ///
    /// Returns an error if the condition is invalid, the index cannot be read, or `stop` ends the search.
    pub fn chosen(&self, condition: Option<&str>, stop: &StopFlag) -> Result<Vec<u32>, AnswerError> {
        Ok(self.choose(condition, &filter_of(condition)?, (0..self.index.len()).collect(), stop)?)
    }

    /// Returns the games of `games` that match the condition. `filter` must be parsed from it.
    fn choose(
        &self,
        condition: Option<&str>,
        filter: &Filter,
        games: Vec<u32>,
        stop: &StopFlag,
    ) -> io::Result<Vec<u32>> {
        let Some(condition) = condition else { return Ok(games) };
        let mut all = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(known, _)| known == condition).and_then(|at| all.remove(at));
        let known = known.unwrap_or_else(|| (condition.to_owned(), Arc::new(FilterCache::new(self.index.len()))));
        let verdicts = Arc::clone(&known.1);
        all.truncate(CONDITIONS - 1);
        all.push_front(known);
        drop(all);
        verdicts.choose(&self.index, &self.cores, filter, games, stop)
    }

    /// Returns the players that `take` adds from the rows of these games. `filter` finds what `take` needs beyond the
    /// columns.
    pub(crate) fn pairs(
        &self,
        games: &[u32],
        filter: &Filter,
        take: impl Fn(&mut Pairs, &RowBuilder) + Sync,
        stop: &StopFlag,
    ) -> Result<Pairs, AnswerError> {
        let columns = ColumnSet::of(players::FACTS.iter().filter_map(|name| Column::find(name)));
        let index = &self.index;
        let found: Vec<io::Result<Pairs>> = self.cores.each(&runs_of(games, &self.cores), |run| {
            let (mut pairs, builder) = (Pairs::default(), filter.builder(columns));
            index.search(stop.until(run), filter, builder, |_, row| take(&mut pairs, row))?;
            Ok(pairs)
        });
        stop.check()?;
        let mut pairs = Pairs::default();
        for of_run in found {
            pairs.append(of_run?);
        }
        Ok(pairs)
    }

    /// Returns the players of all games.
    pub(crate) fn names(&self, stop: &StopFlag) -> Result<Arc<PlayerNames>, AnswerError> {
        let lock = || self.names.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = &*lock() {
            return Ok(Arc::clone(names));
        }
        let games: Vec<u32> = (0..self.index.len()).collect();
        let aliases = &self.aliases;
        let take = |pairs: &mut Pairs, row: &RowBuilder| pairs.take_names(row.row(), aliases);
        let names = Arc::new(self.pairs(&games, &filter_of(None)?, take, stop)?.into_names());
        *lock() = Some(Arc::clone(&names));
        Ok(names)
    }

    /// Answers a question by a search.
    pub(crate) fn search(&self, question: &Question, stop: &StopFlag) -> Result<Answer, AnswerError> {
        let condition = question.condition.as_deref();
        let choose = |filter: &Filter, games| self.choose(condition, filter, games, stop);
        search::answer(&self.index, &self.cores, question, question.query(self)?, choose, stop)
    }

    /// Returns the tree of a game. It stays cached, because the page requests several nodes of the same game.
    pub(crate) fn tree(&self, game: u32) -> Result<Arc<GameTree>, AnswerError> {
        let lock = || self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tree)) = lock().as_ref().filter(|(known, _)| *known == game) {
            return Ok(Arc::clone(tree));
        }
        let tree = Arc::new(game::tree_of(&self.index.bytes(game)?.unwrap_or_default(), self.options)?);
        *lock() = Some((game, Arc::clone(&tree))).filter(|(_, tree)| tree.memory() <= TREE);
        Ok(tree)
    }

    /// Answers a question from the cache or by a search.
    pub(crate) fn found(&self, question: &Question, stop: &StopFlag) -> Result<Arc<Answer>, AnswerError> {
        kept(&self.answers, question, Answer::bytes, || self.search(question, stop))
    }

    /// Returns the list of the games that match a question, from the cache or new.
    pub(crate) fn listed(
        &self,
        question: &Question,
        options: &ListOptions,
        stop: &StopFlag,
    ) -> Result<Arc<GameList>, AnswerError> {
        let answer = self.found(question, stop)?;
        let make = || {
            let rows = list::rows_of(&answer, options)?;
            list::of_rows(&self.index, &self.cores, stop, options, Arc::clone(&answer), rows)
        };
        kept(&self.lists, &(question.clone(), options.clone()), GameList::bytes, make)
    }
}

/// Returns the cached answer to a question, or computes and caches it. `bytes` returns the bytes of an answer.
fn kept<Q: Clone + PartialEq, A>(
    all: &AnswerCache<Q, A>,
    question: &Q,
    bytes: impl Fn(&A) -> usize,
    answer: impl FnOnce() -> Result<A, AnswerError>,
) -> Result<Arc<A>, AnswerError> {
    let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
    let keep = |mut answers: MutexGuard<'_, VecDeque<(Q, Arc<A>)>>, answer: &Arc<A>| {
        answers.push_front((question.clone(), Arc::clone(answer)));
        let mut sum = 0;
        let sizes = answers.iter().take(KEPT).map(|(_, answer)| bytes(answer));
        let fitting = sizes.take_while(|bytes| {
            sum += bytes;
            sum <= KEPT_BYTES
        });
        let count = fitting.count().max(2);
        answers.truncate(count);
    };
    let mut answers = lock();
    if let Some((_, answer)) = answers.iter().position(|(known, _)| known == question).and_then(|at| answers.remove(at))
    {
        keep(answers, &answer);
        return Ok(answer);
    }
    drop(answers);
    let answer = Arc::new(answer()?);
    keep(lock(), &answer);
    Ok(answer)
}
