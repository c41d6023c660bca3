//! `par_games`: fold each part of an input, merge in order.

use std::num::NonZero;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::base::{Error, LineCursor, Position, Result};
use crate::read::{EventReader, Options};

use super::order::{Order, Take};
use super::part::{End, PartReader};
use super::read_at::{ReadAt, read_full};

/// How an input is read on several threads.
#[derive(Clone, Copy, Debug)]
pub struct ParOptions {
    /// How each part is read.
    pub options: Options,
    /// Threads; 0 for as many as the machine runs at once. The result does not
    /// depend on it.
    pub threads: usize,
    /// Bytes of a block, in which at most one part begins. Default 2 MiB; less
    /// than 16 is read as 16.
    pub block: u64,
    /// Results that may wait for their turn. Default: four for each thread.
    pub window: Option<u64>,
}

impl Default for ParOptions {
    fn default() -> Self {
        Self { options: Options::default(), threads: 0, block: 2 << 20, window: None }
    }
}

/// Reads `input` on all cores: `fold` makes something of each part, `merge`
/// puts them together in the order of the input.
///
/// The events that the parts give, one part after another, are those that one
/// [`Reader`](crate::Reader) of the whole gives, whatever the bytes; only games,
/// lines and columns count anew in each part. What `fold` leaves unread is
/// skipped.
///
/// ```
/// use sgfstream::{EventReader, adapt::Count, read::parallel::par_games};
///
/// let collection = b"(;GM[1];B[aa];W[bb])".repeat(1000);
/// let count = par_games(
///     &collection,
///     |part| {
///         let mut count = Count::default();
///         part.drive(&mut count)?;
///         Ok(count)
///     },
///     |mut total, next| {
///         total.merge(&next);
///         total
///     },
/// )?;
/// assert_eq!((count.games, count.moves()), (1000, 2000));
/// # Ok::<(), sgfstream::Error>(())
/// ```
///
/// # Errors
///
/// The first, in the order of the input, that reading or `fold` came to.
pub fn par_games<T: Send>(
    input: &impl ReadAt,
    fold: impl Fn(&mut PartReader<'_>) -> Result<T> + Sync,
    mut merge: impl FnMut(T, T) -> T,
) -> Result<T> {
    let mut total = None;
    par_games_with(input, &ParOptions::default(), fold, |next| {
        total = Some(match total.take() {
            Some(total) => merge(total, next),
            None => next,
        });
        Ok(())
    })?;
    Ok(total.expect("an input has a first part"))
}

/// [`par_games`] with options, and with a `merge` that may stop: it is called
/// on this thread, once for each part, in order. Memory: a reader's buffer for
/// each thread, and the results in the window.
///
/// # Errors
///
/// The first, in the order of the input, that reading, `fold` or `merge` came
/// to.
pub fn par_games_with<T: Send>(
    input: &(impl ReadAt + ?Sized),
    options: &ParOptions,
    fold: impl Fn(&mut PartReader<'_>) -> Result<T> + Sync,
    mut merge: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let input: &dyn ReadAt = &input;
    let block = options.block.max(16);
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    if threads == 1 {
        return one_after_another(input, options.options, block, fold, merge);
    }
    let window = options.window.unwrap_or(4 * threads as u64);
    let shared = Shared { order: Mutex::new(Order::new(window)), changed: Condvar::new() };
    shared.lock().offer(u64::MAX);
    std::thread::scope(|scope| {
        // Whatever happens to this thread, the workers are told.
        let _stop = StopOnDrop(&shared);
        for _ in 0..threads {
            scope.spawn(|| {
                let _stop = StopOnPanic(&shared);
                while let Some(unit) = shared.take() {
                    match read_part(input, options.options, block, unit, &|| shared.turn(unit), &fold) {
                        Part::None => {}
                        Part::Done(out, next) => shared.finish(unit, Ok(out), next.unwrap_or(u64::MAX)),
                        Part::Failed(err) => shared.finish(unit, Err(err), u64::MAX),
                        Part::BehindEnd => break,
                    }
                }
            });
        }
        while let Some(out) = shared.pop() {
            merge(out?)?;
        }
        Ok(())
    })
}

enum Part<T> {
    /// No part begins in the block.
    None,
    /// The block lies behind the end of the input.
    BehindEnd,
    /// Its result, and the block whose part goes on.
    Done(T, Option<u64>),
    Failed(Error),
}

fn read_part<T>(
    input: &dyn ReadAt,
    options: Options,
    block: u64,
    unit: u64,
    turn: &dyn Fn() -> bool,
    fold: impl Fn(&mut PartReader<'_>) -> Result<T>,
) -> Part<T> {
    let mut part = match PartReader::open(input, options, block, unit, turn) {
        Ok(Some(part)) => part,
        Ok(None) => {
            let is_behind = matches!(input.read_at(unit.saturating_mul(block), &mut [0]), Ok(0));
            return if is_behind { Part::BehindEnd } else { Part::None };
        }
        Err(err) => return Part::Failed(err.into()),
    };
    let result = fold(&mut part).and_then(|out| {
        while part.advance()? {
            part.skip_game();
        }
        Ok(out)
    });
    match (result, part.end()) {
        (Ok(out), Some(End::Unit(next))) => Part::Done(out, Some(next)),
        (Ok(out), _) => Part::Done(out, None),
        (Err(err), _) => Part::Failed(counted_from_start(input, part.start(), err)),
    }
}

/// `err` with line and column as the whole input has them.
fn counted_from_start(input: &dyn ReadAt, start: u64, err: Error) -> Error {
    let Some(found) = err.position().filter(|_| start > 0) else {
        return err;
    };
    let mut lines = LineCursor::default();
    let mut buf = vec![0; 64 << 10];
    while lines.position().byte < start {
        let at = lines.position().byte;
        let len = (start - at).min(buf.len() as u64) as usize;
        match read_full(input, at, &mut buf[..len]) {
            Ok(len) if len > 0 => lines.advance(&buf[..len]),
            _ => return err.at(None),
        }
    }
    let before = lines.position();
    let column = if found.line == 1 { before.column + found.column - 1 } else { found.column };
    err.at(Some(Position { line: before.line + found.line - 1, column, ..found }))
}

fn one_after_another<T>(
    input: &dyn ReadAt,
    options: Options,
    block: u64,
    fold: impl Fn(&mut PartReader<'_>) -> Result<T>,
    mut merge: impl FnMut(T) -> Result<()>,
) -> Result<()> {
    let mut unit = 0;
    loop {
        match read_part(input, options, block, unit, &|| true, &fold) {
            Part::Done(out, next) => {
                merge(out)?;
                let Some(next) = next else { return Ok(()) };
                unit = next;
            }
            Part::Failed(err) => return Err(err),
            Part::None | Part::BehindEnd => unreachable!("the part before ended where this one begins"),
        }
    }
}

struct Shared<T> {
    order: Mutex<Order<Result<T>>>,
    changed: Condvar,
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Order<Result<T>>> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<A>(&self, mut ask: impl FnMut(&mut Order<Result<T>>) -> Take<A>) -> Option<A> {
        let mut order = self.lock();
        loop {
            match ask(&mut order) {
                Take::Now(answer) => {
                    // A result that is gone makes room for another.
                    self.changed.notify_all();
                    return Some(answer);
                }
                Take::Never => return None,
                Take::Later => order = self.changed.wait(order).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn take(&self) -> Option<u64> {
        self.wait(Order::take)
    }

    fn pop(&self) -> Option<Result<T>> {
        self.wait(Order::pop)
    }

    fn turn(&self, unit: u64) -> bool {
        self.wait(|order| order.turn(unit)).is_some()
    }

    fn finish(&self, unit: u64, out: Result<T>, next: u64) {
        self.lock().finish(unit, out, next);
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().stop();
        self.changed.notify_all();
    }
}

struct StopOnDrop<'s, T>(&'s Shared<T>);

impl<T> Drop for StopOnDrop<'_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A worker whose `fold` panics takes the others with it, and the scope hands
/// the panic on.
struct StopOnPanic<'s, T>(&'s Shared<T>);

impl<T> Drop for StopOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}
