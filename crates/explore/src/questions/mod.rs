//! Answers the requests of the page of `sgfq explore`: a position and its next moves, the games
//! that match, one game, players, findings.
//!
//! [`requests`], [`replies`] and [`person_replies`] are the protocol. Each block of modules below
//! uses only blocks above it, as a test checks.

mod answer_error;
mod judgment;
mod node_text;
mod person_replies;
mod replies;
mod requests;
mod spelling;
mod stop_flag;

mod cores;

mod board;
mod curve;
mod filter_cache;
mod findings;
mod search;
mod variation_tree;

mod export;
mod game;

mod list;
mod remark_list;

mod explorer;

mod archive_reader;
mod commands;

mod games;
mod people;
mod said;
mod tree;

mod position;
mod road;

mod answers;

pub use answer_error::AnswerError;
pub use answers::ExplorerResponse;
pub use archive_reader::ArchiveReader;
pub use cores::{Cores, OneCore, runs_of};
pub use explorer::Explorer;
pub use export::Export;
pub use replies::{StartReply, StatusReply};
pub use requests::QUESTIONS;
pub use stop_flag::StopFlag;
