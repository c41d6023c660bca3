//! The explorer of an index: answers requests and caches the answers.

use std::collections::VecDeque;
use std::io;
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
use super::cores::{Cores, runs_of};
use super::export::Export;
use super::filter_cache::FilterCache;
use super::list::{self, GameList, ListOptions};
use super::remark_list::{self, RemarkList};
use super::replies::StartReply;
use super::requests::{FilterRequest, ListRequest, NodeRequest, QuestionRequest};
use super::search::{self, Answer, QueryKind, Question};
use super::stop_flag::StopFlag;
use crate::parted_game::each_variation;
use crate::players::{self, PairSorter, Pairs, PlayerRow};
use crate::record_list::RecordList;
use crate::{Index, Store, tally};

/// Maximum number of cached answers, and of bytes of all of them together. Early positions are
/// requested most often and have the most games. The last two answers stay cached regardless of
/// their bytes.
const KEPT: usize = 256;
const KEPT_BYTES: usize = 16 << 20;

/// Maximum number of conditions with cached results, each with two bits per game.
const CONDITIONS: usize = 4;

/// Number of games whose players are in memory at once.
const PLAYED: usize = 8192;

/// Rows of players, those with the most games first.
pub(super) type PlayerList<S> = RecordList<PlayerRow, S>;

/// Cached answers, the most recent first.
type AnswerCache<Q, A> = Mutex<VecDeque<(Q, Arc<A>)>>;

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
    /// Cached results of the last conditions.
    verdicts: Mutex<VecDeque<(String, Arc<FilterCache>)>>,
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
            answers: Mutex::default(),
            lists: Mutex::default(),
            remarks: Mutex::default(),
            players: Mutex::default(),
            aliases: PlayerAliases::default(),
            mean: OnceLock::new(),
            starts: OnceLock::new(),
            verdicts: Mutex::default(),
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

    /// Returns the games that match the condition, in the order of the archive.
    ///
    /// # Errors
    ///
    /// Returns an error if the condition is invalid, the index cannot be read, or `stop` ends the
    /// search.
    pub fn chosen(
        &self,
        condition: Option<&str>,
        stop: &StopFlag,
    ) -> Result<Vec<u32>, AnswerError> {
        self.choose(condition, (0..self.index.len()).collect(), stop)
    }

    /// Returns the games of `games` that match the condition.
    pub(super) fn choose(
        &self,
        condition: Option<&str>,
        games: Vec<u32>,
        stop: &StopFlag,
    ) -> Result<Vec<u32>, AnswerError> {
        let Some(condition) = condition else {
            return Ok(games);
        };
        let filter = Filter::parse(condition)?;
        let mut all = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all
            .iter()
            .position(|(known, _)| known == condition)
            .and_then(|at| all.remove(at));
        let known = known.unwrap_or_else(|| {
            (
                condition.to_owned(),
                Arc::new(FilterCache::new(self.index.len())),
            )
        });
        let verdicts = Arc::clone(&known.1);
        all.truncate(CONDITIONS - 1);
        all.push_front(known);
        drop(all);
        Ok(verdicts.choose(&self.index, &self.cores, &filter, games, stop)?)
    }

    /// Returns the players that `take` adds from the rows of these games. `filter` finds the
    /// openings that `take` needs.
    pub(crate) fn pairs(
        &self,
        games: &[u32],
        filter: &Filter,
        take: impl Fn(&mut Pairs, &GameRow, &[Opening]) + Sync,
        stop: &StopFlag,
    ) -> Result<PairSorter<C::Scratch>, AnswerError> {
        let columns = ColumnSet::of(players::FACTS.iter().filter_map(|name| Column::find(name)));
        let (index, mut sorter) = (&self.index, PairSorter::default());
        for games in games.chunks(PLAYED) {
            let found: Vec<io::Result<Pairs>> =
                self.cores.each(&runs_of(games, &self.cores), |run| {
                    let (mut pairs, mut of_variation) = (Pairs::default(), FilledRow::new(columns));
                    let mut reader = index.reader(filter, columns);
                    for game in stop.until(run) {
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
                });
            stop.check()?;
            for pairs in found {
                sorter.add(pairs?)?;
            }
        }
        Ok(sorter)
    }

    /// Returns the rows of the players of the games that match a condition, from the cache or new.
    pub(super) fn listed_players(
        &self,
        condition: Option<&String>,
        stop: &StopFlag,
    ) -> Result<Arc<PlayerList<C::Scratch>>, AnswerError> {
        let make = || {
            let games = self.chosen(condition.map(String::as_str), stop)?;
            let aliases = &self.aliases;
            let take = |pairs: &mut Pairs, row: &GameRow, _: &[Opening]| pairs.take(row, aliases);
            let pairs = self.pairs(&games, &Filter::default(), take, stop)?;
            let rows = players::rows(|record, _| record.games, pairs.sorted()?)?;
            Ok(RecordList::of_sorted(rows, |row| row)?)
        };
        kept(&self.players, &condition.cloned(), RecordList::bytes, make)
    }

    /// Returns Black's share of the decided games of the archive, or `None` if no game is decided.
    pub(super) fn mean(&self) -> io::Result<Option<f64>> {
        if let Some(mean) = self.mean.get() {
            return Ok(*mean);
        }
        let mut tally = GameTally::default();
        self.index
            .locate(0..self.index.len(), None, |_, facts, _| {
                tally::add(&mut tally, facts, false, || None);
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

    /// Answers a question by a search.
    pub(crate) fn search(
        &self,
        question: &Question,
        stop: &StopFlag,
    ) -> Result<Answer<C::Scratch>, AnswerError> {
        self.search_for(self.query(question)?, question.condition.as_deref(), stop)
    }

    /// Searches the games that match a condition. Without a query, all of them match.
    pub(super) fn search_for(
        &self,
        query: Option<Query>,
        condition: Option<&str>,
        stop: &StopFlag,
    ) -> Result<Answer<C::Scratch>, AnswerError> {
        let candidates = match &query {
            Some(query) => self.index.candidates(query)?,
            None => (0..self.index.len()).collect(),
        };
        let games = self.choose(condition, candidates, stop)?;
        search::answer(&self.index, &self.cores, query, &games, stop)
    }

    /// Returns a game.
    pub(super) fn read(&self, game: u32) -> Result<OwnedGame, AnswerError> {
        let game = self.index.game(game)?;
        game.ok_or_else(|| AnswerError::Refused("the archive has no game at this place".to_owned()))
    }

    /// Answers a question from the cache or by a search.
    pub(crate) fn found(
        &self,
        question: &Question,
        stop: &StopFlag,
    ) -> Result<Arc<Answer<C::Scratch>>, AnswerError> {
        kept(&self.answers, question, Answer::bytes, || {
            self.search(question, stop)
        })
    }

    /// Returns what the games say about the position of a question, from the cache or new. A
    /// pattern has no remarks.
    pub(super) fn remarks(
        &self,
        question: &Question,
        stop: &StopFlag,
    ) -> Result<Arc<RemarkList>, AnswerError> {
        // The index has the remarks of all lines.
        let question = Question {
            variations: false,
            ..question.clone()
        };
        kept(&self.remarks, &question, RemarkList::bytes, || {
            let query = self.query(&question)?.filter(Query::is_position);
            let Some(query) = query.map(Query::remarks) else {
                return Ok(RemarkList::default());
            };
            let candidates = self.index.candidates(&query)?;
            let games = self.choose(question.condition.as_deref(), candidates, stop)?;
            remark_list::read(&self.index, &self.cores, &query, games, stop)
        })
    }

    /// Returns the list of games that a request describes, from the cache or new.
    pub(super) fn listed(
        &self,
        asked: &ListRequest,
        stop: &StopFlag,
    ) -> Result<Arc<GameList<C::Scratch>>, AnswerError> {
        let options = ListOptions::of(asked)?;
        let question = self.question(&asked.question);
        let answer = self.found(&question, stop)?;
        let make = || list::of_answer(&self.index, &self.cores, stop, &options, &answer);
        kept(
            &self.lists,
            &(question, options.clone()),
            GameList::bytes,
            make,
        )
    }
}

/// Returns the cached answer to a question, or computes and caches it. `bytes` returns the bytes of
/// an answer.
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
    if let Some((_, answer)) = answers
        .iter()
        .position(|(known, _)| known == question)
        .and_then(|at| answers.remove(at))
    {
        keep(answers, &answer);
        return Ok(answer);
    }
    drop(answers);
    let answer = Arc::new(answer()?);
    keep(lock(), &answer);
    Ok(answer)
}
