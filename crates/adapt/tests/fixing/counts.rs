//! Unrepaired findings are reported or counted, even if they are too many to buffer.

use std::collections::BTreeMap;

use sgfstream::parallel::PartReader;
use sgfstream::{Options, Severity};
use sgfstream_adapt::fix::{FixFilter, Fixer, GameChunks, Outcome};

use super::findings;

/// Maximum number of unrepaired findings that one pass reports.
const LEFT_MAX: u64 = 4096;

/// Returns the bytes of all chunks after the fix; for each pass, the number of findings that it
/// reported, by whether they are left; and the number of findings that were not reported.
fn told(input: &[u8], choice: &FixFilter) -> (Vec<u8>, BTreeMap<(usize, bool), u64>, u64) {
    let mut read = input;
    let mut reader = PartReader::whole(&mut read, Options::default(), None);
    let mut pieces = GameChunks::new(&reader);
    let mut fixer = Fixer::new(choice.clone(), Options::default());
    let (mut output, mut told, mut unreported) = (Vec::new(), BTreeMap::new(), 0);
    while let Some(piece) = pieces.next(&mut reader).expect("a slice can be read") {
        let bytes = &input[piece.span.start as usize..piece.span.end as usize];
        let mut tell = |said: sgfstream_adapt::fix::FindingOutcome<'_>| {
            *told
                .entry((said.pass, said.outcome == Outcome::Left))
                .or_default() += 1
        };
        let fixed = fixer
            .fix(bytes, &piece, &mut tell)
            .expect("a slice can be read");
        output.extend_from_slice(&fixed.bytes);
        unreported += fixed.unreported;
    }
    (output, told, unreported)
}

/// Mixes findings with and without remedies, but no value without a property, which would make the
/// chunk ambiguous. For each mixture, the reported and unreported findings must be all findings of
/// the output.
#[test]
fn unrepaired_findings_are_reported_or_counted() {
    let choice = FixFilter::from_level(Severity::Warning);
    for (left, repaired, is_unclear) in [
        (3, 1, false),
        (5_000, 0, false),
        (5_000, 7, false),
        (3, 1, true),
        (0, 5_000, true),
        (5_000, 5_000, true),
        (9, 40_000, true),
        (5_000, 34_000, true),
    ] {
        let unclear = if is_unclear { ";b[cd]" } else { "" };
        let moves = [
            ";B[zz];W[bb]".repeat(left),
            ";B[d d];W[ee]".repeat(repaired),
        ]
        .concat();
        let input = format!("(;FF[4]GM[1]SZ[9]{unclear}{moves})").into_bytes();
        let (output, told, unreported) = told(&input, &choice);
        let what = format!("{left} {repaired} {is_unclear}: {told:?}, {unreported}");
        let repaired_first = if is_unclear { 0 } else { repaired as u64 };
        let last = if repaired_first > 0 { 2 } else { 1 };
        assert!(
            told.keys()
                .all(|&(pass, is_left)| is_left == (pass == last)),
            "{what}"
        );
        assert_eq!(
            told.get(&(1, false)).copied().unwrap_or(0),
            repaired_first,
            "{what}"
        );
        assert_eq!(output == input, repaired_first == 0, "{what}");
        let all = findings(&output, Options::default());
        let all = all
            .iter()
            .filter(|finding| finding.severity >= Severity::Warning)
            .count() as u64;
        let told_left = told.get(&(last, true)).copied().unwrap_or(0);
        assert_eq!(told_left + unreported, all, "{what}");
        assert!(all >= left as u64 && told_left <= LEFT_MAX, "{what}");
    }
}
