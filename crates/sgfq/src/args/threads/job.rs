//! Engine jobs made from a function of a part or of a row.

use std::marker::PhantomData;

use sgfstream_engine::{Job, Out, Part, PartEnd, WorkerState};
use sgfstream_table::row::{FilledRow, RowReader};

use crate::args::where_games::Chooser;

/// Output of a part.
pub(crate) trait Output: Default + Send + 'static {
    /// Same as [`Job::reuse`].
    fn emptied(self) -> Option<Self> {
        None
    }

    /// Returns whether the output should be emitted after the current game.
    fn is_full(&self) -> bool {
        false
    }
}

struct FnJob<W, R, O> {
    worker: W,
    read: R,
    output: PhantomData<fn() -> O>,
}

impl<S, O, W, R> Job for FnJob<W, R, O>
where
    S: WorkerState,
    O: Output,
    W: Fn() -> S + Sync,
    R: Fn(&mut S, Part<'_>, &mut Out<'_, O>) -> anyhow::Result<PartEnd> + Sync,
{
    type Worker = S;
    type Output = O;

    fn worker(&self) -> S {
        (self.worker)()
    }

    fn output(&self) -> O {
        O::default()
    }

    fn reuse(&self, output: O) -> Option<O> {
        output.emptied()
    }

    fn read(
        &self,
        worker: &mut S,
        part: Part<'_>,
        out: &mut Out<'_, O>,
    ) -> anyhow::Result<PartEnd> {
        (self.read)(worker, part, out)
    }
}

/// Returns a job that reads each part with `read`. `worker` creates the state of a thread, which it
/// keeps between parts.
pub(crate) fn each_part<S: WorkerState, O: Output>(
    worker: impl Fn() -> S + Sync,
    read: impl Fn(&mut S, Part<'_>, &mut Out<'_, O>) -> anyhow::Result<PartEnd> + Sync,
) -> impl Job<Output = O> {
    FnJob {
        worker,
        read,
        output: PhantomData,
    }
}

/// Returns a job that passes the row of each game that `chooser` selects to `each`.
pub(crate) fn each_row<O: Output>(
    chooser: &Chooser,
    row: impl Fn() -> FilledRow + Sync,
    each: impl Fn(&FilledRow, &mut O) + Sync,
) -> impl Job<Output = O> {
    each_part(row, move |filled, part, out| {
        let mut rows = RowReader::of_part(part, filled)?;
        while chooser.next(&mut rows)? {
            let Some(filled) = rows.finish_row()? else {
                continue;
            };
            each(filled, out);
            if out.is_full() && !out.hand_out() {
                break;
            }
        }
        Ok(rows.end()?)
    })
}
