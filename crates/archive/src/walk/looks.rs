//! A walk whose files are looked at on several threads: sizes, and whatever else is asked before a file is read.

use std::collections::VecDeque;
use std::fmt;
use std::panic::resume_unwind;
use std::thread;

use crate::problem::ArchiveProblem;
use crate::walk::steps::Walk;
use crate::walk::work::Work;

/// Files that are looked at together.
const BATCH: usize = 512;

/// Files that are worth a thread.
const SHARE: usize = 16;

/// Threads that look at a batch, at most: to begin one takes as long as to ask for the sizes of some ten files.
const MOST: usize = 8;

/// The work of a [`Walk`], in its order, each with what a function found out about it.
///
/// ```
/// use sgfstream_archive::{Input, Looks, Walk};
///
/// let walk = Walk::new(vec![Input::path("../../corpus/packed")]);
/// for found in Looks::new(walk, 4, |work| work.kind().ok()) {
///     let (work, kind) = found?;
///     assert!(work.size().is_some() && kind.is_some());
/// }
/// # Ok::<(), sgfstream_archive::ArchiveProblem>(())
/// ```
pub struct Looks<T, F> {
    walk: Walk,
    threads: usize,
    look: F,
    ready: VecDeque<Result<(Work, T), ArchiveProblem>>,
}

impl<T, F> fmt::Debug for Looks<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Looks").field("walk", &self.walk).field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<T: Send, F: Fn(&Work) -> T + Sync> Looks<T, F> {
    /// Where many names are known, in a directory or a list, their sizes are asked for and `look` is called on so many
    /// threads at once.
    pub fn new(walk: Walk, threads: usize, look: F) -> Self {
        Self { walk, threads, look, ready: VecDeque::new() }
    }
}

impl<T: Send, F: Fn(&Work) -> T + Sync> Iterator for Looks<T, F> {
    type Item = Result<(Work, T), ArchiveProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty() {
            // With one thread, a file that comes early need not wait for others.
            let batch = if self.threads > 1 { BATCH } else { 1 };
            let mut found = Vec::new();
            while found.len() < batch && (found.is_empty() || self.walk.has_names()) {
                match self.walk.next_unseen() {
                    Some(work) => found.push(work),
                    None => break,
                }
            }
            let look = &self.look;
            let look = |work: Result<Work, ArchiveProblem>| {
                let work = work?.seen()?;
                let looked = look(&work);
                Ok((work, looked))
            };
            self.ready = on_threads(self.threads, found, look);
        }
        self.ready.pop_front()
    }
}

/// Calls `each` with the items, and returns its results in their order. This thread works, too.
fn on_threads<T: Send, U: Send>(threads: usize, items: Vec<T>, each: impl Fn(T) -> U + Sync) -> VecDeque<U> {
    let threads = threads.min(MOST).min(items.len().div_ceil(SHARE)).max(1);
    let share = items.len().div_ceil(threads);
    let mut items = items.into_iter();
    let all = |items: Vec<T>| items.into_iter().map(&each).collect::<VecDeque<U>>();
    thread::scope(|scope| {
        let first = items.by_ref().take(share).collect();
        let shares = (1..threads).map(|_| items.by_ref().take(share).collect::<Vec<T>>());
        let helpers: Vec<_> = shares.map(|share| scope.spawn(|| all(share))).collect();
        let mut done = all(first);
        for helper in helpers {
            done.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_keep_the_order_of_the_items() {
        for threads in [0, 1, 2, 7, 64] {
            for len in [0, 1, 15, 16, 17, 1000] {
                let squares = on_threads(threads, (0..len).collect(), |number: u64| number * number);
                assert_eq!(squares, (0..len).map(|number| number * number).collect::<VecDeque<_>>());
            }
        }
    }
}
