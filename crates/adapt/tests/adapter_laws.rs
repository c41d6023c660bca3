//! Laws of adapters on every file, in addition to the laws of rewriting.

use crate::common;
use sgfstream::record::GameReader;
use sgfstream::{Code, Severity, SliceReader, transcode};
use sgfstream_adapt::Stats;
use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker, Remedy};
use sgfstream_adapt::edit::{Rewriter, edit};

/// Every seventh of the real files.
const STEP: usize = 7;

/// Returns whether `upgrade` makes this repair. It leaves to `fix` all repairs that are not about
/// the version of the format. These concern values that a program reads as text, the structure of a
/// file, and repairs that lose something, such as of a repeated point, an invalid value, or a
/// property in the wrong node.
fn is_of_the_version(remedy: &Remedy) -> bool {
    matches!(
        remedy,
        Remedy::Rewrite {
            is_guess: false,
            ..
        } | Remedy::Rename(_)
            | Remedy::StateVersion
            | Remedy::Merge
            | Remedy::Join
            | Remedy::SplitNode
    )
}

#[test]
fn an_upgraded_game_has_no_error_that_a_repair_is_known_for() {
    let mut old = 0u32;
    let mut all_left = std::collections::BTreeMap::new();
    common::each_file(STEP, |name, bytes| {
        let bytes = transcode(bytes);
        if memchr::memmem::find(&bytes, b"FF[4]").is_some() {
            return;
        }
        old += 1;
        let upgraded = Rewriter::new(vec![edit("upgrade", "").expect("an edit")]).slice(&bytes);
        let mut left = Vec::new();
        let mut look = |finding: Finding| {
            let is_known = finding.remedy.as_ref().is_some_and(is_of_the_version);
            // Sina's `KO` is the komi, so an upgrade loses nothing.
            let is_own = finding
                .message
                .starts_with("in `KO`: expected an empty value");
            // Setup that overlaps other setup of its node is not joined, because that would change
            // the board.
            let is_overlapped =
                finding.code == Code::DuplicateProperty && finding.message.starts_with("`A");
            if is_known && !is_own && !is_overlapped && finding.severity == Severity::Error {
                left.push(format!(
                    "{} at {}: {}",
                    finding.code, finding.span.start, finding.message
                ));
            }
            assert_ne!(finding.code, Code::MissingVersion, "{name}");
        };
        let checker = InputChecker::new(CheckOptions::default());
        checker
            .check_all(SliceReader::new(&upgraded), &mut look)
            .expect("no limit is set");
        left.truncate(5);
        if !left.is_empty() {
            all_left.insert(name.to_owned(), left);
        }
    });
    assert!(all_left.is_empty(), "{all_left:#?}");
    assert!(old > 10);
}

/// After a fix and an upgrade, a game has no error that can be repaired.
#[test]
fn an_upgraded_and_fixed_game_has_no_error_that_can_be_repaired() {
    use sgfstream::Options;
    use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
    common::each_file(STEP * 9, |name, bytes| {
        let bytes = transcode(bytes);
        let upgraded = Rewriter::new(vec![edit("upgrade", "").expect("an edit")]).slice(&bytes);
        let mut left = Vec::new();
        let fixed = fix(
            &upgraded,
            &FixFilter::from_level(Severity::Warning),
            Options::default(),
            |_, finding, outcome| {
                if outcome == Outcome::Left {
                    left.push(finding.code);
                }
            },
        );
        let checker = InputChecker::new(CheckOptions::default());
        let mut look = |finding: Finding| {
            let is_error = finding.remedy.is_some() && finding.severity == Severity::Error;
            assert!(
                !is_error || left.contains(&finding.code),
                "{name}: {finding}"
            );
        };
        checker
            .check_all(SliceReader::new(&fixed), &mut look)
            .expect("no limit is set");
    });
}

#[test]
fn merged_statistics_are_those_of_the_whole() {
    let (mut whole, mut halves) = (Stats::default(), [Stats::default(), Stats::default()]);
    let mut number = 0;
    common::each_file(STEP, |_, bytes| {
        let bytes = transcode(bytes);
        for stats in [&mut whole, &mut halves[number % 2]] {
            stats
                .add_all(&mut GameReader::new(SliceReader::new(&bytes)))
                .expect("no limit is set");
        }
        number += 1;
    });
    let [mut merged, second] = halves;
    merged.merge(second);
    let sums = |stats: &Stats| {
        (
            stats.games,
            stats.nodes,
            stats.moves,
            stats.variations,
            stats.properties,
            stats.values,
        )
    };
    assert_eq!(sums(&merged), sums(&whole));
    assert_eq!(merged.lengths, whole.lengths);
    assert_eq!(merged.idents, whole.idents);
    assert_eq!(merged.problems, whole.problems);
    // Boards beyond the limit are counted together, so compare the sum of all moves, and the most
    // frequent board.
    let moves = |stats: &Stats| {
        stats
            .heat
            .boards()
            .iter()
            .map(|heat| heat.moves())
            .sum::<u64>()
            + stats.heat.other_boards
    };
    assert_eq!(moves(&merged), moves(&whole));
    let commonest = |stats: &Stats| {
        let boards = stats.heat.boards();
        let heat = *boards
            .iter()
            .max_by_key(|heat| heat.moves())
            .expect("a board");
        (
            heat.board,
            heat.moves(),
            heat.get(1, 3, 3),
            heat.get(2, 15, 15),
            heat.passes(1),
        )
    };
    assert_eq!(commonest(&merged), commonest(&whole));
    let (merged, whole) = (&merged.facts, &whole.facts);
    assert!(
        merged.gm == whole.gm
            && merged.ff == whole.ff
            && merged.sz == whole.sz
            && merged.ca == whole.ca
    );
    assert!(
        merged.year == whole.year && merged.handicap == whole.handicap && merged.komi == whole.komi
    );
    assert!(
        merged.outcomes == whole.outcomes
            && merged.ranks == whole.ranks
            && merged.time == whole.time
    );
    // A sketch has the same total, and counts within its own bounds.
    assert_eq!(merged.players.total, whole.players.total);
    for top in whole.players.top() {
        let of_merged = merged
            .players
            .top()
            .into_iter()
            .find(|other| other.text == top.text);
        let (low, high) = of_merged.map_or((0, u64::MAX), |other| {
            (other.count - other.error, other.count)
        });
        assert!(
            low <= top.count && top.count - top.error <= high,
            "{}",
            top.text
        );
    }
}
