//! Engine jobs made from a function of a row.

use sgfstream_engine::{self as engine, Job, Out, Part, PartEnd, WorkerState, empty_again};
use sgfstream_explore::{SUMS_MEMORY, Summed, Sums};
use sgfstream_table::row::{FilledRow, RowReader};

use crate::args::where_games::Chooser;

/// Output of a part.
pub(crate) trait Output: Default + Send + 'static {
    /// Returns the text of the output, if it has one. An emptied output keeps its memory.
    fn text(&mut self) -> Option<&mut Vec<u8>> {
        None
    }

    /// Same as [`Job::reuse`].
    fn emptied(mut self) -> Option<Self> {
        let mut text = std::mem::take(self.text()?);
        empty_again(&mut text);
        let mut empty = Self::default();
        *empty.text()? = text;
        Some(empty)
    }

    /// Returns whether the output should be emitted after the current game.
    fn is_full(&self) -> bool {
        false
    }
}

impl<V: Summed + Send + 'static> Output for Sums<V> {
    fn is_full(&self) -> bool {
        self.bytes() > SUMS_MEMORY / 8
    }
}

/// Hands out an output if it is full. Returns false if the run was cancelled; stop reading then.
pub(crate) fn hand_out_if_full(out: &mut Out<'_, impl Output>) -> bool {
    !out.is_full() || out.hand_out()
}

/// Returns a job that reads each part with `read`. `worker` creates the state of a thread, which it
/// keeps between parts.
pub(crate) fn each_part<S: WorkerState, O: Output>(
    worker: impl Fn() -> S + Sync,
    read: impl Fn(&mut S, Part<'_>, &mut Out<'_, O>) -> anyhow::Result<PartEnd> + Sync,
) -> impl Job<Output = O> {
    engine::each_part(worker, O::emptied, read)
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
            if !hand_out_if_full(out) {
                break;
            }
        }
        Ok(rows.end()?)
    })
}
