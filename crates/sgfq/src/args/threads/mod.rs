//! Parallel reading: the arguments, a run of the engine, and its progress on a terminal.

mod cores;
mod game_bytes;
mod job;
mod lines;
mod pool;
mod progress;

pub(crate) use job::{Output, each_part, each_row, hand_out_if_full};
pub(crate) use lines::{KeyedRow, Lines};
pub(crate) use pool::{ANSWER, OutputTiming, Pool, SUM, read};
pub(crate) use progress::{Progress, ProgressWhen, count_bytes};
