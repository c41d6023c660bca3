//! All cores: the arguments of commands that read with the engine, its run, and
//! its progress.

mod pool;
mod progress;

pub(crate) use pool::{AnswerPool, Pool, answer, run};
pub(crate) use progress::Progress;
pub(crate) use sgfstream_engine::{At, Entries, Flush, Games, Job, Output, ReadBytes};
