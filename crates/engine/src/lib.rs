//! A part of sgfq, without a promise of stability.
//!
//! Reads archives of game records on all cores.
//!
//! An [`Engine`] turns inputs into entries, and large entries into exact parts of them. It passes
//! each part to a [`Job`], on as many threads as there are cores, and returns the results in the
//! order of the inputs. The contents of a result depend only on the inputs, so that the results are
//! the same for any number of threads. The engine prints nothing; a [`Monitor`] shows its progress
//! and cancels it.
//!
//! This program counts the comments of an archive on all cores:
//!
//! ```
//! use sgfstream::{Event, EventReader};
//! use sgfstream_archive::Input;
//! use sgfstream_engine::{Engine, Out, each_part};
//!
//! let count = each_part(
//!     || (),
//!     |_| None,
//!     |(), part, count: &mut Out<'_, u64>| {
//!         let mut reader = part.reader();
//!         while reader.advance()? {
//!             match reader.event() {
//!                 Event::Property(property) if property.ident() == "C" => **count += 1,
//!                 _ => {}
//!             }
//!         }
//!         Ok(reader.finish()?)
//!     },
//! );
//!
//! let mut comments = 0;
//! Engine::new().run(&[Input::parse("../../corpus/go-ff4.sgf")], &count, |result| {
//!     comments += result.output;
//!     Ok(())
//! })?;
//! assert_eq!(comments, 1);
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! # Memory
//!
//! Each thread has the buffer of a reader, two results, two results that were handed out before
//! their turn, and two blocks of an unpacked stream. Decoders are opened in the order of the
//! inputs, at most one for each thread. At most one decoder at a time fills a window of more than 8
//! MiB; a second one may if the next results wait for it.

mod background_run;
mod decoder;
mod engine;
mod feed;
mod file_range;
mod job;
mod monitor;
mod open;
mod order;
mod output_writer;
mod plan;
mod queue;
mod stream_buffer;
mod window;
mod worker;

pub use background_run::BackgroundRun;
pub use engine::Engine;
pub use feed::PartSize;
pub use job::{Job, Out, Part, PartOffset, PartResult, WorkerState, each_part};
pub use monitor::{EntriesWithoutGames, Monitor, Progress};
pub use output_writer::{OUTPUT_FULL, OutputWriter, empty_again};
pub use plan::{ParseSplitError, Split, SplitPlan};
pub use sgfstream::internal::{PartEnd, PartRead};
pub use sgfstream::parallel::PartReader;
pub use sgfstream_open::is_record;
