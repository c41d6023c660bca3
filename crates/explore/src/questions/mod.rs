//! Answers the requests of the page of `sgfq explore`: a position and its next moves, the games that match, one game,
//! players, findings.

mod answer_error;
mod archive_reader;
mod cores;
mod explorer;
mod export;
mod filter_cache;
mod findings;
mod game;
mod judgment;
mod list;
mod position;
mod request;
mod search;
mod stop_flag;
mod tree;
mod variation_tree;

pub use answer_error::AnswerError;
pub use archive_reader::ArchiveReader;
pub use cores::{Cores, OneCore, runs_of};
pub use explorer::Explorer;
pub use export::Export;
pub use request::{ExplorerResponse, QUESTIONS};
pub use stop_flag::StopFlag;
