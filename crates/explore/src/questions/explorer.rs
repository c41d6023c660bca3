//! The explorer of an index: it answers questions, and keeps answers that are asked for again.

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

/// Answers that are kept, and the games of all of them together: early positions are asked for again and again, and have the
/// most games. The last two answers are kept, however many games they have.
const KEPT: usize = 256;
const KEPT_GAMES: usize = 1 << 19;

/// Bytes of a tree that is kept.
const TREE: u64 = 64 << 20;

/// Conditions of which verdicts are kept, each in two bits a game.
const CONDITIONS: usize = 4;

/// Answers that are kept, the last one first.
type AnswerCache<Q, A> = Mutex<VecDeque<(Q, Arc<A>)>>;

/// Games that can be asked about: the page of the crate has an example.
#[derive(Debug)]
pub struct Explorer<S, C> {
    pub(crate) index: Index<S>,
    pub(crate) cores: C,
    /// The inputs as they were named.
    pub(crate) inputs: Vec<String>,
    pub(crate) options: Options,
    /// Some input could not be read, or not without loss.
    pub(crate) is_partial: bool,
    answers: AnswerCache<Question, Answer>,
    lists: AnswerCache<(Question, ListOptions), GameList>,
    /// The tree of the game that was looked at last.
    tree: Mutex<Option<(u32, Arc<GameTree>)>>,
    /// The names of players.
    pub(crate) aliases: PlayerAliases,
    names: Mutex<Option<Arc<PlayerNames>>>,
    /// Verdicts about the conditions that were asked for last.
    verdicts: Mutex<VecDeque<(String, Arc<FilterCache>)>>,
}

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// An explorer of the games of `index`, which were read with `options`. `inputs` are their names in commands that the page
    /// shows; `is_partial` says that some games are missing.
    pub fn new(index: Index<S>, options: Options, inputs: Vec<String>, is_partial: bool, cores: C) -> Self {
        let (answers, lists, verdicts) = (Mutex::default(), Mutex::default(), Mutex::default());
        let (tree, aliases, names) = (Mutex::default(), PlayerAliases::default(), Mutex::default());
        Self { index, cores, inputs, options, is_partial, answers, lists, tree, aliases, names, verdicts }
    }

    /// The same explorer, which knows the names of players.
    #[must_use]
    pub fn with_aliases(self, aliases: PlayerAliases) -> Self {
        Self { aliases, ..self }
    }

    /// The games.
    #[must_use]
    pub fn index(&self) -> &Index<S> {
        &self.index
    }

    /// The inputs as they were named.
    #[must_use]
    pub fn inputs(&self) -> &[String] {
        &self.inputs
    }

    /// The next games of an export, each with a newline after it; none at the end.
    ///
    /// # Errors
    ///
    /// When the index cannot be read.
    pub fn part(&self, export: &mut Export) -> io::Result<Option<Vec<u8>>> {
        export.part(&self.index, self.options)
    }

    /// The games that fulfil a condition, in the order of the archive.
    ///
    /// # Errors
    ///
    /// When the condition is not right, when the index cannot be read, and if `stop` ends it.
    pub fn chosen(&self, condition: Option<&str>, stop: &StopFlag) -> Result<Vec<u32>, AnswerError> {
        Ok(self.choose(condition, &filter_of(condition)?, (0..self.index.len()).collect(), stop)?)
    }

    /// Those of these games that fulfil a condition, of which `filter` was made.
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

    /// Players, as `take` takes them from the rows of these games; `filter` looks for what rows lack.
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

    /// The names of the players of all games.
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

    /// The tree of a game: who looks at a node will look at the next.
    pub(crate) fn tree(&self, game: u32) -> Result<Arc<GameTree>, AnswerError> {
        let lock = || self.tree.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tree)) = lock().as_ref().filter(|(known, _)| *known == game) {
            return Ok(Arc::clone(tree));
        }
        let tree = Arc::new(game::tree_of(&self.index.bytes(game)?.unwrap_or_default(), self.options)?);
        *lock() = Some((game, Arc::clone(&tree))).filter(|(_, tree)| tree.memory() <= TREE);
        Ok(tree)
    }

    /// Answers a question, from what is kept or by a search.
    pub(crate) fn found(&self, question: &Question, stop: &StopFlag) -> Result<Arc<Answer>, AnswerError> {
        kept(&self.answers, question, |answer| answer.hits.len(), || self.search(question, stop))
    }

    /// Returns the list of the games that a question finds: a cached list, or a new one.
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
        kept(&self.lists, &(question.clone(), options.clone()), |list| list.rows.len(), make)
    }
}

/// Returns the answer to a question that is kept, or a new one, which then is kept. `games` counts those of an answer.
fn kept<Q: Clone + PartialEq, A>(
    all: &AnswerCache<Q, A>,
    question: &Q,
    games: impl Fn(&A) -> usize,
    answer: impl FnOnce() -> Result<A, AnswerError>,
) -> Result<Arc<A>, AnswerError> {
    let lock = || all.lock().unwrap_or_else(PoisonError::into_inner);
    let keep = |mut answers: MutexGuard<'_, VecDeque<(Q, Arc<A>)>>, answer: &Arc<A>| {
        answers.push_front((question.clone(), Arc::clone(answer)));
        let mut sum = 0;
        let counts = answers.iter().take(KEPT).map(|(_, answer)| games(answer));
        let fitting = counts.take_while(|count| {
            sum += count;
            sum <= KEPT_GAMES
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
