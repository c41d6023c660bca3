//! Statistics of any number of games, in constant memory. All statistics can be merged: two halves
//! of an archive, counted separately, give the same result as the whole. Each list remembers a
//! limited number of values. [`Tally`] and [`Boards`] count the values beyond the limit; [`TopK`]
//! returns the bounds of its error.
//!
//! ```
//! use sgfstream::SliceReader;
//! use sgfstream::record::GameReader;
//! use sgfstream_adapt::stats::Stats;
//!
//! let mut one = Stats::default();
//! let input = b"(;GM[1]SZ[19]RE[B+R]DT[2016-03-09];B[pd];W[dd](;B[pq])(;B[qc]))";
//! one.add_all(&mut GameReader::new(SliceReader::new(input)))?;
//!
//! let mut two = Stats::default();
//! two.add_all(&mut GameReader::new(SliceReader::new(b"(;GM[11];B[a1])")))?;
//!
//! one.merge(two);
//! assert_eq!((one.games, one.moves, one.variations), (2, 5, 2));
//! assert_eq!((one.facts.gm.get("1"), one.facts.year.get(&2016)), (1, 1));
//! assert_eq!(one.lengths.max(), Some(3)); // of the main lines
//!
//! # Ok::<(), sgfstream::Error>(())
//! ```

mod histogram;
mod tally;
mod topk;

mod idents;
mod outcomes;
mod problems;

mod board_counts;
mod boards;
mod game_tally;
mod known_lines;
mod openings;
mod played;
mod point_counts;

mod game_info_counts;
mod keyed;
mod memo;
#[allow(clippy::module_inception)] // the module and its main type have one name
mod stats;
#[cfg(test)]
mod tests;

pub use board_counts::BoardCounts;
pub use boards::{BoardRows, Boards};
pub use game_info_counts::GameInfoCounts;
pub use game_tally::{GameTally, WinShare};
pub use histogram::Histogram;
pub use idents::IdentCounts;
pub use openings::{OpeningPosition, Openings, PositionKey, PositionRow};
pub use outcomes::{HandicapRow, Outcomes, ResultKind};
pub use played::{BoardId, PlayedMove};
pub use point_counts::PointCounts;
pub use problems::ProblemCounts;
pub use stats::Stats;
pub use tally::Tally;
pub use topk::{Top, TopK};

/// Adds the counts of `theirs` to `mine`.
fn add_all(mine: &mut [u64], theirs: &[u64]) {
    for (mine, theirs) in mine.iter_mut().zip(theirs) {
        *mine += theirs;
    }
}
