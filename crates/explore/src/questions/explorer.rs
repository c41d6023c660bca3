//! The explorer of an index, with the answers that it caches, and a request to it.

use std::collections::VecDeque;
use std::io;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use sgfstream::Options;
use sgfstream::record::{Outline, OwnedGame};
use sgfstream_adapt::stats::GameTally;
use sgfstream_draw::TriedMoves;
use sgfstream_game::{Facts, Side, facts::NodePath, internal::Opening};
use sgfstream_table::filter::{Filter, PlayerAliases};
use sgfstream_table::find::{MoveList, Pattern, Query};
use sgfstream_table::row::{Column, ColumnSet, FilledRow, GameRow};

use super::answer_error::AnswerError;
use super::cores::{Cores, SearchContext};
use super::export::Export;
use super::filter_cache::FilterCache;
use super::list::{self, GameList, ListOptions};
use super::remark_list::{self, RemarkList};
use super::replies::StartReply;
use super::requests::{FilterRequest, ListRequest, NodeRequest, QuestionRequest};
use super::search::{self, Answer, MatchedGame, QueryKind, Question};
use super::stop_flag::StopFlag;
use crate::parted_game::each_variation;
use crate::players::{self, PairSorter, Pairs, PlayerRow};
use crate::record_list::RecordList;
use crate::summary::{self, NextMoves};
use crate::{Index, Sorter, Store};

/// Maximum number of cached answers, and of bytes of all of them together. Early positions are
/// requested most often and have the most games. The last two answers stay cached regardless of
/// their bytes.
const KEPT: usize = 256;
const KEPT_BYTES: usize = 16 << 20;

/// Number of games whose players are in memory at once.
const PLAYED: usize = 8192;

/// Rows of players, those with the most games first.
pub(super) type PlayerList<S> = RecordList<PlayerRow, S>;

/// Number of games that are searched at once.
const SEARCHED: usize = 50_000;

/// Cached answers with their questions and their bytes, the most recent first.
#[derive(Debug)]
struct AnswerCache<Q, A>(Mutex<VecDeque<(Q, Arc<A>, usize)>>);

impl<Q, A> Default for AnswerCache<Q, A> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<Q: PartialEq, A> AnswerCache<Q, A> {
    fn lock(&self) -> MutexGuard<'_, VecDeque<(Q, Arc<A>, usize)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, question: &Q) -> Option<Arc<A>> {
        let mut answers = self.lock();
        let at = answers.iter().position(|(known, ..)| known == question)?;
        let known = answers.remove(at)?;
        let answer = Arc::clone(&known.1);
        answers.push_front(known);
        Some(answer)
    }

    fn put(&self, question: Q, answer: A, bytes: usize) -> Arc<A> {
        let (mut answers, answer) = (self.lock(), Arc::new(answer));
        answers.push_front((question, Arc::clone(&answer), bytes));
        let mut sum = 0;
        let fitting = answers.iter().take(KEPT).take_while(|(.., bytes)| {
            sum += bytes;
            sum <= KEPT_BYTES
        });
        let count = fitting.count().max(2);
        answers.truncate(count);
        answer
    }
}

/// Answers requests about the games of an index. The documentation of the crate has an example.
#[derive(Debug)]
pub struct Explorer<S, C: Cores> {
    pub(crate) index: Index<S>,
    pub(crate) cores: C,
    /// Inputs as the user named them.
    pub(crate) inputs: Vec<String>,
    pub(crate) options: Options,
    /// Whether an input was unreadable or lost some of its games.
    pub(crate) is_partial: bool,
    answers: AnswerCache<Question, Answer<C::Scratch>>,
    lists: AnswerCache<(Question, ListOptions), GameList<C::Scratch>>,
    /// Remarks about positions.
    remarks: AnswerCache<Question, RemarkList>,
    /// Rows of the players of the games that match a condition.
    players: AnswerCache<Option<String>, PlayerList<C::Scratch>>,
    /// Aliases of players.
    pub(crate) aliases: PlayerAliases,
    /// Black's share of the decided games, once it was asked.
    mean: OnceLock<Option<f64>>,
    /// Starts of the games, once they were asked.
    pub(super) starts: OnceLock<Vec<StartReply>>,
    /// Cached results of conditions.
    verdicts: AnswerCache<String, FilterCache>,
}

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// Creates an explorer of the games of `index`, which were read with `options`. The page shows
    /// `inputs` in its commands. `is_partial` means that some games are missing.
    pub fn new(
        index: Index<S>,
        options: Options,
        inputs: Vec<String>,
        is_partial: bool,
        cores: C,
    ) -> Self {
        Self {
            index,
            cores,
            inputs,
            options,
            is_partial,
            answers: AnswerCache::default(),
            lists: AnswerCache::default(),
            remarks: AnswerCache::default(),
            players: AnswerCache::default(),
            aliases: PlayerAliases::default(),
            mean: OnceLock::new(),
            starts: OnceLock::new(),
            verdicts: AnswerCache::default(),
        }
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

    /// Returns Black's share of the decided games of the archive, or `None` if no game is decided.
    pub(super) fn mean(&self) -> io::Result<Option<f64>> {
        if let Some(mean) = self.mean.get() {
            return Ok(*mean);
        }
        let mut tally = GameTally::default();
        self.index
            .locate(0..self.index.len(), None, |_, facts, _| {
                tally.add(facts.winner, facts.years(), || None);
                Ok(())
            })?;
        let share = tally.black_share().map(|share| share.share);
        Ok(*self.mean.get_or_init(|| share))
    }

    /// Returns a condition in which each player's name matches all aliases.
    pub(super) fn condition(&self, asked: &FilterRequest) -> Option<String> {
        let condition = asked.condition.get()?;
        // A condition with invalid tokens stays unchanged, because the filter's parser reports the
        // error.
        Some(
            self.aliases
                .expand(condition)
                .unwrap_or_else(|_| condition.to_owned()),
        )
    }

    /// Returns the question of a request.
    pub(super) fn question(&self, asked: &QuestionRequest) -> Question {
        // Accepts `B[pd];W[dp]` as well as words separated by spaces.
        let moves = asked.moves.get().unwrap_or_default().replace("];", "] ");
        let what = match (asked.pattern.get(), &asked.from) {
            _ if asked.all => QueryKind::Nothing,
            (Some(pattern), _) => QueryKind::Pattern(pattern.to_owned()),
            (None, Some(NodeRequest { id, path })) => {
                let path = path.clone().unwrap_or_else(|| "/0".to_owned());
                QueryKind::Node {
                    game: *id,
                    path,
                    moves,
                }
            }
            (None, None) => QueryKind::Position(moves),
        };
        Question {
            what,
            condition: self.condition(&asked.filter),
            swap_colors: asked.swap_colors,
            exact: asked.exact,
            mover: asked
                .mover
                .get()
                .and_then(|mover| Side::parse(mover.as_bytes()).ok()),
            variations: asked.variations,
        }
    }

    /// Returns the query of a question, or `None` if all games match.
    pub(super) fn query(&self, question: &Question) -> Result<Option<Query>, AnswerError> {
        let refuse = |message: &str| Err(AnswerError::Refused(message.to_owned()));
        let query = match &question.what {
            QueryKind::Pattern(text) => {
                let pattern = Pattern::parse(text)?;
                if pattern.is_broad() {
                    return refuse(
                        "the pattern is too broad: it has no stone and no corner of the board; add one of them",
                    );
                }
                Query::pattern(pattern)
            }
            QueryKind::Position(moves) => Query::position_after(moves)?,
            QueryKind::Node { game, path, moves } => {
                Query::position(self.tried_after(*game, path, moves)?.diagram.position)
            }
            QueryKind::Nothing => return Ok(None),
        };
        if question.variations && self.index.variation_positions().is_none() {
            return refuse(
                "the index has main lines only; start the explorer with --variations to search all lines",
            );
        }
        let query = query
            .exact(question.exact)
            .swap_colors(question.swap_colors)
            .mover(question.mover);
        Ok(Some(query.variations(question.variations).all()))
    }

    /// Returns the board of a node of a game after the moves tried there.
    pub(super) fn tried_after(
        &self,
        game: u32,
        path: &str,
        moves: &str,
    ) -> Result<TriedMoves, AnswerError> {
        let game = self.read(game)?;
        let (outline, facts) = (Outline::of(game.record()), Facts::of(game.record(), 0));
        let path: NodePath = path.parse().map_err(AnswerError::Refused)?;
        let node = path.find(&outline);
        let node =
            node.ok_or_else(|| AnswerError::Refused("the game has no such node".to_owned()))?;
        let moves = MoveList::parse(moves)?.steps_on(&facts.dialect());
        let moves = moves.ok_or_else(|| {
            AnswerError::Refused("the moves do not belong to this game".to_owned())
        })?;
        TriedMoves::after_node(&outline, &facts, node, &moves).map_err(AnswerError::Refused)
    }

    /// Returns a game.
    pub(super) fn read(&self, game: u32) -> Result<OwnedGame, AnswerError> {
        let game = self.index.game(game)?;
        game.ok_or_else(|| AnswerError::Refused("the archive has no game at this place".to_owned()))
    }
}

/// A request in progress: the explorer, and the flag that stops the search.
#[derive(Debug)]
pub(crate) struct Request<'e, S, C: Cores> {
    pub(super) explorer: &'e Explorer<S, C>,
    pub(super) stop: &'e StopFlag,
}

impl<S, C: Cores> Deref for Request<'_, S, C> {
    type Target = Explorer<S, C>;

    fn deref(&self) -> &Explorer<S, C> {
        self.explorer
    }
}

impl<'e, S: Store + Sync, C: Cores> Request<'e, S, C> {
    pub(super) fn context(&self) -> SearchContext<'e, S, C> {
        SearchContext {
            index: &self.explorer.index,
            cores: &self.explorer.cores,
            stop: self.stop,
        }
    }

    /// Returns the games that match the condition, in the order of the archive.
    pub(super) fn chosen(&self, condition: Option<&str>) -> Result<Vec<u32>, AnswerError> {
        self.choose(condition, (0..self.index.len()).collect())
    }

    /// Returns the games of `games` that match the condition.
    pub(super) fn choose(
        &self,
        condition: Option<&str>,
        games: Vec<u32>,
    ) -> Result<Vec<u32>, AnswerError> {
        let Some(condition) = condition else {
            return Ok(games);
        };
        let filter = Filter::parse(condition)?;
        let condition = condition.to_owned();
        let verdicts = match self.verdicts.get(&condition) {
            Some(verdicts) => verdicts,
            None => {
                let verdicts = FilterCache::new(self.index.len());
                let bytes = verdicts.bytes();
                self.verdicts.put(condition, verdicts, bytes)
            }
        };
        Ok(verdicts.choose(&self.context(), &filter, games)?)
    }

    /// Returns the players that `take` adds from the rows of these games. `filter` finds the
    /// openings that `take` needs.
    pub(super) fn pairs(
        &self,
        games: &[u32],
        filter: &Filter,
        take: impl Fn(&mut Pairs, &GameRow, &[Opening]) + Sync,
    ) -> Result<PairSorter<C::Scratch>, AnswerError> {
        let columns = ColumnSet::of(players::FACTS.iter().filter_map(|name| Column::find(name)));
        let (context, mut sorter) = (self.context(), PairSorter::default());
        for games in games.chunks(PLAYED) {
            let found = context.each(games, |run| {
                let (mut pairs, mut of_variation) = (Pairs::default(), FilledRow::new(columns));
                let mut reader = context.index.reader(filter, columns);
                for &game in run {
                    if reader.read(game)?.is_none() {
                        continue;
                    }
                    let row = reader.row();
                    match reader.parted() {
                        Some(game) => {
                            let each = |played: &GameRow| take(&mut pairs, played, &[]);
                            each_variation(game, row.row(), &mut of_variation, each)?;
                        }
                        None => take(&mut pairs, row.row(), row.openings()),
                    }
                }
                Ok(pairs)
            })?;
            for pairs in found {
                sorter.add(pairs)?;
            }
        }
        Ok(sorter)
    }

    /// Returns the rows of the players of the games that match a condition, from the cache or new.
    pub(super) fn listed_players(
        &self,
        condition: Option<&String>,
    ) -> Result<Arc<PlayerList<C::Scratch>>, AnswerError> {
        let condition = condition.cloned();
        if let Some(known) = self.players.get(&condition) {
            return Ok(known);
        }
        let games = self.chosen(condition.as_deref())?;
        let aliases = &self.aliases;
        let take = |pairs: &mut Pairs, row: &GameRow, _: &[Opening]| pairs.take(row, aliases);
        let pairs = self.pairs(&games, &Filter::default(), take)?;
        let rows = players::rows(|record, _| record.games, pairs.sorted()?)?;
        let list = RecordList::of_sorted(rows, |row| row)?;
        let bytes = list.bytes();
        Ok(self.players.put(condition, list, bytes))
    }

    /// Searches the games that match a condition. Without a query, all of them match.
    pub(super) fn search(
        &self,
        query: Option<Query>,
        condition: Option<&str>,
    ) -> Result<Answer<C::Scratch>, AnswerError> {
        let (candidates, filter) = match &query {
            Some(query) => (
                self.index.candidates(query)?,
                Filter::finding(query.clone(), None)?,
            ),
            None => ((0..self.index.len()).collect(), Filter::default()),
        };
        let games = self.choose(condition, candidates)?;
        let (context, query_of_run) = (self.context(), query.as_ref());
        let (mut summary, mut sorter) = (NextMoves::default(), Sorter::default());
        for games in games.chunks(SEARCHED) {
            let found = context.each(games, |run| {
                search::run(context.index, query_of_run, &filter, run.copied())
            })?;
            for (of_run, hits) in found {
                summary::merge(&mut summary, of_run, 0);
                hits.into_iter().try_for_each(|hit| sorter.push(hit))?;
            }
        }
        self.stop.check()?;
        summary.sort();
        let hits = RecordList::of_sorted(sorter.sorted()?, MatchedGame::of)?;
        Ok(Answer {
            query,
            summary,
            hits: Arc::new(hits),
        })
    }

    /// Answers a question from the cache or by a search.
    pub(super) fn found(
        &self,
        question: &Question,
    ) -> Result<Arc<Answer<C::Scratch>>, AnswerError> {
        if let Some(known) = self.answers.get(question) {
            return Ok(known);
        }
        let answer = self.search(self.query(question)?, question.condition.as_deref())?;
        let bytes = answer.bytes();
        Ok(self.answers.put(question.clone(), answer, bytes))
    }

    /// Returns what the games say about the position of a question, from the cache or new. A
    /// pattern has no remarks.
    pub(super) fn remarks(&self, question: &Question) -> Result<Arc<RemarkList>, AnswerError> {
        // The index has the remarks of all lines.
        let question = Question {
            variations: false,
            ..question.clone()
        };
        if let Some(known) = self.remarks.get(&question) {
            return Ok(known);
        }
        let list = match self.query(&question)?.filter(Query::is_position) {
            Some(query) => {
                let query = query.remarks();
                let candidates = self.index.candidates(&query)?;
                let games = self.choose(question.condition.as_deref(), candidates)?;
                remark_list::read(&self.context(), &query, games)?
            }
            None => RemarkList::default(),
        };
        let bytes = list.bytes();
        Ok(self.remarks.put(question, list, bytes))
    }

    /// Returns the list of games that a request describes, from the cache or new.
    pub(super) fn listed(
        &self,
        asked: &ListRequest,
    ) -> Result<Arc<GameList<C::Scratch>>, AnswerError> {
        let options = ListOptions::of(asked)?;
        let question = self.question(&asked.question);
        let answer = self.found(&question)?;
        let key = (question, options);
        if let Some(known) = self.lists.get(&key) {
            return Ok(known);
        }
        let list = list::of_answer(&self.context(), &key.1, &answer)?;
        let bytes = list.bytes();
        Ok(self.lists.put(key, list, bytes))
    }
}
