//! The explorer of an index: it answers questions, and keeps answers that are asked for again.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use sgfstream::Options;
use sgfstream_table::filter::Filter;

use super::answer_error::AnswerError;
use super::cores::Cores;
use super::export::Export;
use super::filter_cache::FilterCache;
use super::search::{self, Answer, Question, filter_of};
use crate::{Index, Store};

/// Answers that are kept: those before this one, and what else the page asked for.
const KEPT: usize = 16;

/// Conditions of which verdicts are kept, each in two bits a game.
const CONDITIONS: usize = 4;

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
    answers: Mutex<VecDeque<(Question, Arc<Answer>)>>,
    /// Verdicts about the conditions that were asked for last.
    verdicts: Mutex<VecDeque<(String, Arc<FilterCache>)>>,
}

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// An explorer of the games of `index`, which were read with `options`. `inputs` are their names in commands that the page
    /// shows; `is_partial` says that some games are missing.
    pub fn new(index: Index<S>, options: Options, inputs: Vec<String>, is_partial: bool, cores: C) -> Self {
        Self { index, cores, inputs, options, is_partial, answers: Mutex::default(), verdicts: Mutex::default() }
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
    /// When the condition is not right, and when the index cannot be read.
    pub fn chosen(&self, condition: Option<&str>) -> Result<Vec<u32>, AnswerError> {
        Ok(self.choose(condition, &filter_of(condition)?, (0..self.index.len()).collect())?)
    }

    /// Those of these games that fulfil a condition, of which `filter` was made.
    fn choose(&self, condition: Option<&str>, filter: &Filter, games: Vec<u32>) -> io::Result<Vec<u32>> {
        let Some(condition) = condition else { return Ok(games) };
        let mut all = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|(known, _)| known == condition).and_then(|at| all.remove(at));
        let known = known.unwrap_or_else(|| (condition.to_owned(), Arc::new(FilterCache::new(self.index.len()))));
        let verdicts = Arc::clone(&known.1);
        all.truncate(CONDITIONS - 1);
        all.push_front(known);
        drop(all);
        verdicts.choose(&self.index, &self.cores, filter, games)
    }

    /// Answers a question by a search.
    pub(crate) fn search(&self, question: &Question) -> Result<Answer, AnswerError> {
        let condition = question.condition.as_deref();
        search::answer(&self.index, &self.cores, question, |filter, games| self.choose(condition, filter, games))
    }

    /// Answers a question, from what is kept or by a search.
    pub(crate) fn found(&self, question: &Question) -> Result<Arc<Answer>, AnswerError> {
        let known = |answers: &VecDeque<(Question, Arc<Answer>)>| {
            answers.iter().find(|(known, _)| known == question).map(|(_, answer)| Arc::clone(answer))
        };
        let lock = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = known(&lock()) {
            return Ok(answer);
        }
        let answer = Arc::new(self.search(question)?);
        let mut answers = lock();
        answers.truncate(KEPT - 1);
        answers.push_front((question.clone(), Arc::clone(&answer)));
        Ok(answer)
    }
}
