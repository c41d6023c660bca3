//! The explorer of an index: it answers questions, and keeps answers that are asked for again.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use sgfstream::Options;
use sgfstream_explore::{Index, Store};
use sgfstream_table::row::ColumnSet;

use crate::cores::Cores;
use crate::export::Export;
use crate::failed::Failed;
use crate::search::{self, Answer, Question, filter_of};

/// Answers that are kept: those before this one, and what else the page asked for.
const KEPT: usize = 16;

/// Games that can be asked about: the page of the crate has an example.
#[derive(Debug)]
pub struct Explorer<S, C> {
    pub(crate) index: Index<S>,
    cores: C,
    /// The inputs as they were named.
    pub(crate) inputs: Vec<String>,
    pub(crate) options: Options,
    /// Some input could not be read, or not without loss.
    pub(crate) is_partial: bool,
    answers: Mutex<VecDeque<(Question, Arc<Answer>)>>,
    /// The answer for the start, which all games have: it takes longest, and is asked for again and again.
    start: OnceLock<Arc<Answer>>,
    cut: AtomicU64,
}

impl<S: Store + Sync, C: Cores> Explorer<S, C> {
    /// An explorer of the games of `index`, which were read with `options`. `inputs` are their names in commands that the page
    /// shows; `is_partial` says that some games are missing.
    pub fn new(index: Index<S>, options: Options, inputs: Vec<String>, is_partial: bool, cores: C) -> Self {
        Self {
            index,
            cores,
            inputs,
            options,
            is_partial,
            answers: Mutex::default(),
            start: OnceLock::new(),
            cut: AtomicU64::new(0),
        }
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
    pub fn chosen(&self, condition: Option<&str>) -> Result<Vec<u32>, Failed> {
        let (filter, mut games) = (filter_of(condition)?, Vec::new());
        let builder = filter.builder(ColumnSet::default());
        self.index.search(0..self.index.len(), &filter, builder, |game, _| games.push(game))?;
        Ok(games)
    }

    /// How many texts were cut, since this was asked last, because they are too long to be held.
    pub fn take_cut(&self) -> u64 {
        self.cut.swap(0, Relaxed)
    }

    pub(crate) fn add_cut(&self, texts: u64) {
        self.cut.fetch_add(texts, Relaxed);
    }

    /// Answers a question by a search.
    pub(crate) fn search(&self, question: &Question) -> Result<Answer, Failed> {
        search::answer(&self.index, &self.cores, question)
    }

    /// Answers a question, from what is kept or by a search.
    pub(crate) fn found(&self, question: &Question) -> Result<Arc<Answer>, Failed> {
        let known = |answers: &VecDeque<(Question, Arc<Answer>)>| {
            answers.iter().find(|(known, _)| known == question).map(|(_, answer)| Arc::clone(answer))
        };
        let lock = || self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        let is_start = *question == Question::default();
        let start = self.start.get().filter(|_| is_start).map(Arc::clone);
        if let Some(answer) = start.or_else(|| known(&lock())) {
            return Ok(answer);
        }
        let answer = Arc::new(self.search(question)?);
        if is_start {
            return Ok(Arc::clone(self.start.get_or_init(|| answer)));
        }
        let mut answers = lock();
        answers.truncate(KEPT - 1);
        answers.push_front((question.clone(), Arc::clone(&answer)));
        Ok(answer)
    }
}
