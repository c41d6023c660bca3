//! Repairs games: applies the remedies that [`check`](crate::check) reports, and leaves every other
//! byte as it was. It drops no move, except from a text that it escapes.
//!
//! It repairs an input chunk by chunk: [`GameChunks`] cuts it where a chunk on its own reads as it
//! does in the input. A [`Fixer`] repairs a chunk in two levels. First it escapes the `]` of texts,
//! because where texts end decides which properties there are. Then it applies the remedies of
//! findings as replacements of spans. A repair may reveal another finding, so it repeats that until
//! nothing changes.

mod fix_filter;
mod fixer;
mod game_chunks;
mod game_fix;
mod game_plan;
mod kept_game;
mod remedies;
mod repeated_points;
mod stray_text;
mod stray_values;
mod unclear_games;

use sgfstream::Options;
use sgfstream::parallel::PartReader;
use sgfstream_game::named_enum;

use crate::check::Finding;

#[doc(hidden)]
pub use self::{
    fixer::FixedChunk,
    game_chunks::{GameChunk, GameChunks},
};
pub use fix_filter::FixFilter;
pub use fixer::{FindingOutcome, Fixer};

/// Maximum number of unrepaired findings of a chunk to buffer.
const LEFT_MAX: usize = 4096;

/// Maximum number of repairable findings of a chunk to buffer. If there are more, later passes
/// repair them.
const FINDINGS_MAX: usize = 1 << 16;

named_enum! {
    /// Outcome of a finding.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    Outcome ALL;
    /// The remedy was applied.
    Repaired "repaired"
    /// The remedy was applied, and is a guess: see [`FixFilter::guesses`].
    Guessed "guessed"
    /// The finding has no remedy, or the remedy could not be applied without loss. For example, it
    /// would drop a move, the place of the text is unclear, or the charset of the bytes is unknown.
    Left "left"
}

/// Repairs an input, and reports each finding with its outcome and with the number of the pass over
/// its game, from 1. The finding refers to the bytes that the pass read. [`Fixer`] does the same
/// for inputs of any length.
///
/// ```
/// use sgfstream::{Code, Options};
/// use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
///
/// let mut done = Vec::new();
/// let input = b"(;FF[4]GM[1]SZ[19:19] AP[x];B[d d]C[a]AB[]RE[W+Resignation])";
/// let output =
///     fix(input, &FixFilter::default(), Options::default(), |_, finding, outcome| {
///         assert_eq!(outcome, Outcome::Repaired);
///         done.push(finding.code);
///     });
/// assert_eq!(String::from_utf8_lossy(&output), "(;FF[4]GM[1]SZ[19] AP[x:];B[dd]C[a]RE[W+R])");
/// assert!(done.contains(&Code::SquareSizePair) && done.contains(&Code::EmptyValue));
/// ```
pub fn fix(
    bytes: &[u8],
    choice: &FixFilter,
    options: Options,
    mut take: impl FnMut(usize, &Finding, Outcome),
) -> Vec<u8> {
    let mut fixer = Fixer::new(choice.clone(), options);
    let (mut read, mut out) = (bytes, Vec::with_capacity(bytes.len()));
    let unlimited = options.with_limits(options.limits.with_depth(None));
    let mut reader = PartReader::whole(&mut read, unlimited, Some(bytes.len() as u64));
    let mut pieces = GameChunks::new(&reader);
    while let Some(piece) = pieces
        .next(&mut reader)
        .expect("a slice can be read, and no limit is set")
    {
        let input = &bytes[piece.span.start as usize..piece.span.end as usize];
        let mut report = |found: FindingOutcome<'_>| take(found.pass, found.finding, found.outcome);
        out.extend_from_slice(
            &fixer
                .fix(input, &piece, &mut report)
                .expect("a slice can be read")
                .bytes,
        );
    }
    out
}
