//! Tests searches in games with setup.

use sgfstream::SliceReader;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game};
use sgfstream_table::find::{MoveList, Pattern, Query, position_in};

use super::naive::{hits, search};

/// Setup after the last move that counts is compared as well.
#[test]
fn setup_after_the_last_move_that_counts() {
    let game = b"(;GM[1]SZ[5];AB[aa];B[bb];AW[cc];W[dd])";
    for (pattern, by_move) in [("---/|X.", 0), ("X../.X./..O", 1)] {
        let query = Query::pattern(Pattern::parse(pattern).expect("a pattern"))
            .by_move(Some(by_move))
            .exact(true);
        assert!(
            !search(game, query).hits().is_empty(),
            "{pattern} by {by_move}"
        );
    }
}

/// Setup is on the board before the move of its node.
#[test]
fn a_hit_between_setup_and_move_names_their_node() {
    let game = b"(;GM[1]SZ[9];C[x];AB[cc]W[ee];B[gg])";
    let query = Query::position_after("cc").expect("a move").exact(true);
    let hits = hits(game, &query.all());
    let hits: Vec<_> = hits
        .iter()
        .map(|hit| (&*hit.node, hit.ply, &*hit.next))
        .collect();
    assert_eq!(hits, [("/2", 0, "W[ee]")]);
}

/// A move after setup is on another board, unless the setup changes nothing.
#[test]
fn a_setup_ends_what_follows_a_position() {
    for (between, expected) in [
        (";AB[cc]", (1, "", 0)),
        (";AB[cc];AE[cc]", (1, "", 0)),
        (";AE[cc]", (1, "W[dd]", 2)),
        (";PL[W]", (1, "W[dd]", 2)),
        ("", (1, "W[dd]", 2)),
    ] {
        let game = format!("(;GM[1]SZ[9];B[gg]{between};W[dd];B[ee])");
        let query = || Query::position_after("gg").expect("a move").exact(true);
        let found = |query: Query| {
            let finder = search(game.as_bytes(), query);
            let hits: Vec<_> = finder
                .hits()
                .iter()
                .map(|hit| (hit.ply, hit.next.clone()))
                .collect();
            (hits, finder.opening().map(|moves| moves.moves.len()))
        };
        let (hits, _) = found(query().all());
        assert_eq!(hits, [(expected.0, expected.1.to_owned())], "{between}");
        let (_, after) = found(query().moves_after(5));
        assert_eq!(after, Some(expected.2), "{between}");
    }
}

/// A root without `GM` is the game that its moves show, both for the board of a file and for
/// searched games.
#[test]
fn the_board_of_a_game_that_its_moves_show() {
    let game = b"(;SZ[5];B[a1];W[swap-pieces];B[c3])";
    for moves in [None, Some(1), Some(2)] {
        let position = position_in(SliceReader::new(game), moves)
            .expect("a slice")
            .expect("a board");
        assert_eq!(position.dialect().game(), Game::Hex);
        let hits = hits(game, &Query::position(position).all());
        assert_eq!(
            hits.iter().map(|hit| hit.ply).collect::<Vec<_>>(),
            [moves.unwrap_or(3)]
        );
    }
}

/// The board of a root counts for a game that ends with its root.
#[test]
fn moves_after_the_board_of_a_root() {
    let query = || Query::position_after("").expect("no moves").moves_after(2);
    let moves = |game: &[u8], query| {
        search(game, query)
            .opening()
            .map(|opening| opening.moves.len())
    };
    for (game, expected) in [
        (&b"(;GM[1])"[..], Some(0)),
        (b"(;GM[1];B[aa])", Some(1)),
        (b"(;GM[1]AB[aa])", None),
    ] {
        assert_eq!(moves(game, query()), expected, "{}", game.escape_ascii());
        assert_eq!(
            moves(game, query().variations(true)),
            expected,
            "{}",
            game.escape_ascii()
        );
    }
}

/// Steps are equal after they were written and parsed again, on all boards.
fn check_written(text: &str) {
    let Ok(list) = MoveList::parse(text) else {
        return;
    };
    for (game, size) in [
        (Game::Go, 19),
        (Game::Go, 9),
        (Game::Kropki, 19),
        (Game::Hex, 11),
        (Game::Octi, 7),
    ] {
        let dialect = Dialect::new(game, Some(BoardSize::square(size)));
        let Some(steps) = list.steps_on(&dialect) else {
            continue;
        };
        let written: Vec<_> = steps
            .iter()
            .map(|step| step.written(&dialect).to_string())
            .collect();
        let written = written.join(" ");
        let again = MoveList::parse(&written).expect("steps").steps_on(&dialect);
        assert_eq!(again, Some(steps), "{text}: {written}");
    }
}

proptest::proptest! {
    #[test]
    fn written_steps_parse_again(text in "((AB|AW|AE|PL|TB|BO|RP|B|W|)(\\[([a-k]{2}|[A-HJ-T](1?[0-9])|[BW]|aa:cc|A9:C7|33|)\\]){1,3} |[a-s]{2} |[A-T]1?[0-9] |pass ){1,6}") {
        check_written(&text);
    }
}

#[test]
fn setup_and_moves_lead_to_a_position() {
    for text in [
        "AB[dp][pd] PL[W] W[dd] pp",
        "aa AE[aa] AW[aa:cc]",
        "AB[D4:E5] B[Q16], W[]",
        "AB[A19]",
    ] {
        check_written(text);
    }
    for (text, message) in [
        (
            "AB[pd]dp",
            "character 1: expected a move such as `pd`, `Q16` or `B[pd]`, found `AB[pd]dp`\n  AB[pd]dp\n  ^^^^^^^^",
        ),
        (
            "pd AB[]",
            "character 4: expected `B[…]`, `W[…]`, or setup such as `AB[pd]`, found `AB[]`\n  pd AB[]\n     ^^^^",
        ),
        (
            "C[pd]",
            "character 1: expected `B[…]`, `W[…]`, or setup such as `AB[pd]`, found `C[pd]`\n  C[pd]\n  ^^^^^",
        ),
    ] {
        assert_eq!(MoveList::parse(text).expect_err(text).to_string(), message);
    }
    assert!(
        Query::sequence("AB[pd] W[dp]", true, false).is_err()
            && Query::opening(8).next("AB[pd]").is_err()
    );
    let query = || Query::position_after("AB[pd][dp]").expect("setup");
    let found = [
        &b"(;SZ[19]HA[2]AB[dd][pp];W[pd])"[..],
        b"(;SZ[19];B[pd];W[];B[dp])",
        b"(;SZ[19]AB[pd][dp]AW[jj];AE[jj])",
        b"(;SZ[19]AB[pd][dp]AW[jj])",
        b"(;SZ[13]AB[dd][jj])",
    ]
    .map(|game| search(game, query()).hits().first().map(|hit| hit.ply));
    assert_eq!(found, [Some(0), Some(3), Some(0), None, None]);
}
