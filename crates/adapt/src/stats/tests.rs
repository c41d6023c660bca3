//! Tests of all statistics together: against counts over trees, and merged.

use std::io::Read;

use proptest::prelude::*;

use super::*;
use crate::{GameTree, Games};
use sgfstream::record::GameReader;
use sgfstream::{Limits, Options, Reader, Severity, SliceReader};
use sgfstream_game::Game;
use sgfstream_game::value::BoardSize;

fn stats(input: &[u8]) -> Stats {
    let mut stats = Stats::with_opening_depth(3);
    add(&mut stats, input);
    stats
}

fn add(stats: &mut Stats, input: &[u8]) {
    stats
        .add_all(&mut GameReader::new(SliceReader::new(input)))
        .expect("no limit is set");
}

fn assert_same(one: &Stats, two: &Stats) -> Result<(), TestCaseError> {
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
    prop_assert_eq!(sums(one), sums(two));
    prop_assert_eq!(&one.idents, &two.idents);
    prop_assert_eq!(&one.problems, &two.problems);
    prop_assert_eq!(&one.lengths, &two.lengths);
    prop_assert!(one.openings == two.openings);
    prop_assert!(one.heat == two.heat);
    prop_assert!(one.facts == two.facts);
    Ok(())
}

/// Returns the moves of a tree's main line, as colors and values.
fn main_line(tree: &GameTree) -> Vec<(u8, Vec<u8>)> {
    let gm = tree.property(tree.root(), b"GM");
    let game = gm.map_or(Game::Go, |gm| {
        Game::parse_lenient(gm.first().as_bytes()).value
    });
    let ids = game.move_ids();
    let mut moves = Vec::new();
    for node in tree.main_line() {
        for property in tree
            .properties(node)
            .filter(|property| ids.is_move(property))
        {
            let color = ids.color(property.ident()).expect("a move");
            let values = property
                .values()
                .map(|value| (color, value.as_bytes().to_vec()));
            moves.extend(values.take(if game.variant().is_some() {
                1
            } else {
                usize::MAX
            }));
        }
    }
    moves
}

#[test]
fn a_game_of_each_dialect() {
    for (game, moves, length) in [
        ("(;B[aa];W[bb](;B[cc];W[dd])(;B[ee]))", 5, 4),
        ("(;1[a1];2[b1]GM[Blokus])", 0, 0),
        ("(;1[a1]2[b1]GM[Blokus];3[c1];RED[d1])", 4, 4),
        ("(;GM[Blokus Duo];B[a1];W[b2];3[c3])", 2, 2),
        (
            "(;GM[27]P0[id \"x\"]P1[id \"y\"];P0[1 move];P1[2 move](;P0[3 move])(;P0[3 pass]))",
            4,
            3,
        ),
        ("(;GM[11];Black[a1];WHITE[b2];W[swap-pieces])", 2, 2),
        ("(;B[aa][bb])", 2, 2),
        ("(;GM[Blokus];BLUE[a1][a2];2[b1,b2][b3])", 2, 2),
        ("(;B[id x])(;GM[27];B[id x]P0[id x]P1[time 0:17])", 2, 1),
        ("(;GM[1](;B[aa];W[bb])(;B[cc]))", 3, 2),
        ("(;GM[1])", 0, 0),
    ] {
        let stats = stats(game.as_bytes());
        assert_eq!(
            (stats.moves, stats.lengths.max()),
            (moves, Some(length)),
            "{game}"
        );
    }
}

#[test]
fn facts_of_a_game() {
    let game = "(;FF[3]GM[1]SZ[13:9]AP[a\\:b:1]DT[1996-12-27,28]RE[Black resigns]KM[5 1/2]HA[ 2 ]PB[Honinbo]PW[ ]\
                BR[9段]WR[NR]EV[Meijin]RU[Japanese]TM[2 hours]OT[25/600 Canadian];B[aa])";
    let facts = stats(game.as_bytes()).facts;
    assert_eq!(
        (facts.gm.get("1"), facts.ff.get(&3), facts.sz.get(&(13, 9))),
        (1, 1, 1)
    );
    assert_eq!(
        (
            facts.ap.get("a:b"),
            facts.year.get(&1996),
            facts.komi.get(&550)
        ),
        (1, 1, 1)
    );
    assert_eq!(
        (
            facts.handicap.get(&2),
            facts.rules.get("Japanese"),
            facts.time.get(&7200)
        ),
        (1, 1, 1)
    );
    assert_eq!(
        (facts.overtime.get("canadian 25/600"), facts.ca.absent),
        (1, 1)
    );
    assert_eq!(
        (
            facts.ranks.get(&sgfstream_game::value::Rank::Dan(9)),
            facts.ranks.unreadable
        ),
        (1, 1)
    );
    assert_eq!(facts.outcomes.get(ResultKind::WhiteResign), 1);
    assert_eq!(facts.outcomes.by_handicap()[0].handicap, "2");
    assert_eq!(
        (
            facts.players.top()[0].text,
            facts.players.total,
            facts.events.total
        ),
        ("Honinbo", 1, 1)
    );
}

#[test]
fn facts_of_games_without_any() {
    let facts = stats(b"(;)(;RE[]KM[x]DT[then]SZ[0])(;;GM[11]SZ[9]FF[4]PB[late])").facts;
    assert_eq!((facts.gm.absent, facts.ff.absent), (3, 3));
    // If the root has no size, the size of the second node counts.
    assert_eq!((facts.sz.absent, facts.sz.unreadable), (1, 1));
    assert_eq!((facts.komi.unreadable, facts.year.unreadable), (1, 1));
    assert_eq!(
        (
            facts.outcomes.get(ResultKind::Absent),
            facts.outcomes.get(ResultKind::Unreadable)
        ),
        (3, 0)
    );
    // Game information may be in a later node.
    assert_eq!(facts.players.top()[0].text, "late");
}

#[test]
fn names_are_read_in_the_charset_of_their_game() {
    // CA follows the name, and differs from game to game.
    let input = b"(;PB[\xba\xda]CA[GB2312])(;PB[\xe9\xbb\x91]CA[UTF-8])(;PB[\xba])";
    let stats = stats(input);
    let names: Vec<_> = stats
        .facts
        .players
        .top()
        .iter()
        .map(|top| (top.text.to_owned(), top.count))
        .collect();
    assert_eq!(names, [("黑".to_owned(), 2), ("º".to_owned(), 1)]);
}

#[test]
fn years_of_dates_that_are_not_certain() {
    for (date, year) in [
        ("C2006.01.02 00:15", Some(2006)),
        ("3/4/2012", Some(2012)),
        ("1670s", Some(1670)),
        ("between 1990 and 1992", None),
        ("20221115-153814", None),
        ("dt", None),
    ] {
        let facts = stats(format!("(;DT[{date}])").as_bytes()).facts;
        let found = facts.year.in_order().first().map(|row| *row.0);
        assert_eq!(
            (found, facts.year.unreadable),
            (year, u64::from(year.is_none())),
            "{date}"
        );
    }
}

#[test]
fn sizes_of_each_game() {
    let stats = stats(
        b"(;GM[40]SZ[NG];B[aa])(;GM[1]SZ[9];B[ee])(;GM[40]SZ[9];B[ee])(;;B[aa])(;GM[Blokus];1[a1])",
    );
    let boards: Vec<_> = stats
        .heat
        .boards()
        .iter()
        .map(|heat| heat.board.to_string())
        .collect();
    assert_eq!(
        boards,
        ["Blokus", "Go 19x19", "Go 9x9", "Kropki 39x32", "Kropki 9x9"]
    );
    assert_eq!(stats.facts.sz.get(&(39, 32)), 1);
}

#[test]
fn a_game_over_the_budget_is_named() {
    let long = ["(;GM[1]C[", &"x".repeat(10_000), "])"].concat();
    let games = ["(;B[aa])", &long, "(;B[bb];W[cc])"].concat();
    let options = Options::default().with_limits(Limits::default().with_game(5000));
    let mut stats = Stats::default();
    let long_games = stats.add_all(&mut GameReader::new(SliceReader::with_options(
        games.as_bytes(),
        options,
    )));
    assert_eq!(long_games.expect("no limit is set"), [2]);
    assert_eq!((stats.games, stats.moves), (2, 3));
}

#[test]
fn a_game_whose_reading_fails_does_not_count() {
    let start = b"(;GM[1]PB[a];B[aa];W[bb]".chain(FailingReader);
    let mut stats = Stats::default();
    stats
        .add_all(&mut GameReader::new(Reader::new(start)))
        .expect_err("the reader failed");
    assert_eq!((stats.lengths.max(), stats.facts.players.total), (None, 0));
}

/// Input whose first read fails.
struct FailingReader;

impl Read for FailingReader {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn problems_by_severity() {
    let stats = stats(b"mail (;B[aa]) ) (;B[bb]");
    assert_eq!(stats.problems.of(Severity::Note), 1);
    assert_eq!(stats.problems.of(Severity::Error), 2);
}

/// Generates collections with games of several dialects, well-formed and broken.
fn any_collection() -> impl Strategy<Value = String> {
    let root = prop::sample::select(vec![
        "(;",
        "(;GM[1]SZ[9]RE[B+R]PB[a]PW[b]",
        "(;GM[11]RE[W+2]",
        "(;GM[Blokus]",
        "(;AB[aa]HA[2]RE[W+T]DT[1999]",
        "(;B[aa]",
        "(;GM[27]",
    ]);
    let step = prop::sample::select(vec![
        ";B[aa]",
        ";W[bb]",
        ";W[]",
        ";B[zz]",
        ";1[a1]",
        ";P0[1 x]",
        ";B[aa][bb]",
        "(;W[cc])",
        "(;B[dd];W[ee](;B[ff]))",
        ";C[x]",
        ";White[cc]",
        "]",
        ";AW[cc]",
        ";B[\\]]",
        ";B[][]",
    ]);
    let game = (root, prop::collection::vec(step, 0..8))
        .prop_map(|(root, steps)| format!("{root}{})", steps.concat()));
    prop::collection::vec(game, 0..6).prop_map(|games| games.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merged_is_whole(parts in prop::collection::vec(any_collection(), 1..4)) {
        let mut merged = stats(b"");
        let mut whole = stats(b"");
        for part in &parts {
            merged.merge(stats(part.as_bytes()));
            add(&mut whole, part.as_bytes());
        }
        assert_same(&merged, &whole)?;
    }

    /// Compares with counts from trees, in which the main line is the first child of each node.
    #[test]
    fn as_counted_over_trees(input in any_collection()) {
        let stats = stats(input.as_bytes());
        let mut games = Games::new(SliceReader::new(input.as_bytes()));
        let (mut lengths, mut idents) = (Histogram::default(), IdentCounts::default());
        let (mut points, mut passes) = (0, 0);
        while let Some(tree) = games.next_game().expect("small") {
            let line = main_line(tree);
            lengths.add(line.len() as u64);
            for node in tree.preorder() {
                for property in tree.properties(node) {
                    idents.add(property.ident());
                }
            }
            if tree.property(tree.root(), b"GM").is_none() {
                points += line.iter().filter(|(color, raw)| *color == 1 && raw == b"aa").count() as u64;
                passes += line.iter().filter(|(color, raw)| *color == 2 && raw.is_empty()).count() as u64;
            }
        }
        prop_assert_eq!(&stats.lengths, &lengths);
        prop_assert_eq!(&stats.idents, &idents);
        prop_assert_eq!(stats.idents.total(), stats.properties);
        let go = BoardId::new(Game::Go, Some(BoardSize::square(19)));
        let heat = stats.heat.boards().into_iter().find(|heat| heat.board == go);
        prop_assert_eq!(heat.map_or(0, |heat| heat.get(1, 0, 0)), points);
        prop_assert!(heat.map_or(0, |heat| heat.passes(2)) >= passes);
        let moves: u64 = stats.heat.boards().iter().map(|heat| heat.moves()).sum();
        prop_assert_eq!(u128::from(moves), stats.lengths.sum);
    }

    #[test]
    fn any_bytes(input in "[()\\[\\];:\\\\ABWGM1 \n\u{e9}]{0,60}") {
        let mut stats = Stats::default();
        let reader = Reader::with_buffer(input.as_bytes(), Options::default(), 5);
        stats.add_all(&mut GameReader::new(reader)).expect("a slice can be read");
        prop_assert_eq!(stats.lengths.count, stats.games);
        prop_assert_eq!(stats.idents.total(), stats.properties);
    }
}
