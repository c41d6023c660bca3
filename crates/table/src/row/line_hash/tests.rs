//! Compares the hash with a slow implementation of its description, and checks all symmetries of a
//! line.

use super::{
    LineHash, LineHasher, LineMove, SETUP, number_of, of_hash, turned_hash, xxh3_64, xxh3_128,
};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Game, board::Symmetry};

type Field = (u32, u32);

/// A node: the fields of its setup, and its moves; `None` is a pass. In every other node the moves
/// come first.
type Node = (Vec<Field>, Vec<Option<Field>>);

const SIZES: [Field; 6] = [(19, 19), (9, 9), (13, 9), (5, 8), (3, 3), (1, 1)];

/// The slow twin: the numbers of the description of every image, and the hashes of the line and of
/// its least image.
fn hashes_slowly(nodes: &[Node], size: Field) -> (u128, u128) {
    let image = |symmetry: Symmetry| {
        let field = |color: u64, field: Field| {
            let (column, row) = symmetry.apply(field, size);
            (1_u64 << 63) + (color << 32) + (u64::from(column) << 16) + u64::from(row)
        };
        let mut numbers = Vec::new();
        for (at, (setup, moves)) in nodes.iter().enumerate() {
            let black: std::collections::BTreeSet<_> = setup.iter().collect();
            let hashes = black.into_iter().map(|&at| {
                xxh3_64(&field(u64::from(b'A') << 8 | u64::from(b'B'), at).to_le_bytes())
            });
            let setup = hashes.reduce(u64::wrapping_add).map(|sum| sum % (1 << 62));
            let number = |played: &Option<Field>| {
                played.map_or(xxh3_64(b"").wrapping_add(1) % (1 << 62), |at| field(1, at))
            };
            let moves = moves.iter().map(number);
            if at % 2 == 0 {
                numbers.extend(setup.into_iter().chain(moves))
            } else {
                numbers.extend(moves.chain(setup))
            }
        }
        (symmetry.size(size), numbers)
    };
    let hash = |((columns, rows), numbers): (Field, Vec<u64>)| {
        let mut bytes = b"sgfstream line 2\0Go\0".to_vec();
        bytes.extend([columns.to_le_bytes(), rows.to_le_bytes()].concat());
        bytes.extend(numbers.into_iter().flat_map(u64::to_le_bytes));
        xxh3_128(&bytes)
    };
    (
        hash(image(Symmetry::Identity)),
        hash(Symmetry::ALL.into_iter().map(image).min().expect("eight")),
    )
}

fn hashes(nodes: &[Node], size: Field) -> Option<(LineHash, LineHash)> {
    let mut line = LineHasher::new(true);
    line.start(Game::Go, Some(BoardSize::new(size.0, size.1)));
    let text = |(column, row): Field| [b'a' + column as u8, b'a' + row as u8];
    for (at, (setup, moves)) in nodes.iter().enumerate() {
        let set_up = |line: &mut LineHasher| {
            setup
                .iter()
                .for_each(|&field| line.set_up(b"AB", &text(field)))
        };
        if at % 2 == 0 {
            set_up(&mut line);
        }
        moves.iter().for_each(|played| match played {
            Some(field) => line.play_color(1, &text(*field)),
            None => line.play_color(1, b""),
        });
        if at % 2 == 1 {
            set_up(&mut line);
        }
        line.end_node();
    }
    line.finish()
}

fn turned(nodes: &[Node], symmetry: Symmetry, size: Field) -> Vec<Node> {
    let turn = |field: Field| symmetry.apply(field, size);
    let node = |(setup, moves): &Node| {
        (
            setup.iter().copied().map(turn).collect(),
            moves.iter().map(|played| played.map(turn)).collect(),
        )
    };
    nodes.iter().map(node).collect()
}

fn random_nodes(size: Field, rng: &mut fastrand::Rng) -> Vec<Node> {
    let is_diagonal = rng.bool();
    // Every other line begins on the diagonal, where some symmetries give equal bytes.
    let field = |node: usize, rng: &mut fastrand::Rng| match rng.u32(0..size.0.min(size.1)) {
        at if is_diagonal && node < 20 => (at, at),
        _ => (rng.u32(0..size.0), rng.u32(0..size.1)),
    };
    (0..rng.usize(1..400))
        .map(|node| {
            let setup = (0..rng.usize(0..30).saturating_sub(27))
                .map(|_| field(node, rng))
                .collect();
            let moves = (0..rng.usize(0..3))
                .map(|_| (rng.u8(0..12) > 0).then(|| field(node, rng)))
                .collect();
            (setup, moves)
        })
        .collect()
}

#[test]
fn hashed_as_described() {
    let mut rng = fastrand::Rng::with_seed(7);
    let mut compared = 0;
    for round in 0..300 {
        let size = SIZES[round % SIZES.len()];
        let nodes = random_nodes(size, &mut rng);
        if let Some((plain, canonical)) = hashes(&nodes, size) {
            assert_eq!(
                (plain.0, canonical.0),
                hashes_slowly(&nodes, size),
                "round {round}"
            );
            compared += 1;
        }
    }
    assert!(compared > 250);
}

/// The number of setup has the sum of the hashes of its values, turned one by one.
#[test]
fn setup_after_each_symmetry() {
    for (columns, rows) in SIZES.into_iter().chain([(1, 5), (20, 19)]) {
        for (column, row) in
            (0..columns).flat_map(|column| (0..rows).map(move |row| (column as u16, row as u16)))
        {
            let points = [b"AB", b"AW", b"AE"]
                .map(|ident| LineMove::of_point(number_of(ident), column, row));
            let text = LineMove(xxh3_64(b"text") % SETUP);
            for values in [
                &points[..],
                &[points[1], text],
                &[LineMove::of_point(number_of(b"AA"), column, row)],
            ] {
                let mut line = LineHasher::new(true);
                line.start(Game::Go, Some(BoardSize::new(columns, rows)));
                line.values = values.iter().map(|value| value.0).collect();
                let is_known = (columns, rows) == (19, 19) && values.len() == 3;
                assert_eq!(line.sums_of(&line.values).is_some(), is_known);
                for symmetry in Symmetry::ALL {
                    let hashes = values
                        .iter()
                        .map(|&value| turned_hash(value, symmetry, (columns, rows)));
                    let sum = hashes.fold(0, u64::wrapping_add);
                    let number = line.turned_setup(SETUP | values.len() as u64, symmetry);
                    assert_eq!(number, of_hash(0, sum), "{symmetry} {column} {row}");
                }
            }
        }
    }
}

#[test]
fn canonical_under_each_symmetry_and_for_no_other_line() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut seen = std::collections::HashMap::new();
    for round in 0..100 {
        let size = SIZES[round % 4];
        let mut nodes = random_nodes(size, &mut rng);
        nodes.push((vec![(0, 1)], vec![Some((1, 0)), Some((2, 3))]));
        let (plain, canonical) = hashes(&nodes, size).expect("a line");
        for symmetry in Symmetry::ALL {
            let image = turned(&nodes, symmetry, size);
            let found = hashes(&image, symmetry.size(size)).expect("a line");
            assert_eq!(found.1, canonical, "{symmetry}");
            assert!(
                (found.0 == plain) == (image == nodes && symmetry.size(size) == size),
                "{symmetry}"
            );
        }
        assert_eq!(seen.insert(canonical, round), None);
        // A move elsewhere, one move less, and a move as setup make different games.
        let mut others = [nodes.clone(), nodes.clone(), nodes];
        others[0].last_mut().expect("a node").1[1] = Some((2, 4));
        others[1].last_mut().expect("a node").1.pop();
        others[2].last_mut().expect("a node").1.pop();
        others[2].last_mut().expect("a node").0.push((2, 3));
        for other in &others {
            assert_ne!(hashes(other, size).expect("a line").1, canonical);
        }
    }
}

#[test]
fn lines_that_are_too_long() {
    let mut line = LineHasher::new(true);
    for (moves, is_hashed) in [(1 << 17, true), ((1 << 17) + 1, false), (1, true)] {
        line.start(Game::Go, None);
        (0..moves).for_each(|_| line.play_color(1, b"dd"));
        assert_eq!(
            (line.finish().is_some(), line.is_cut()),
            (is_hashed, !is_hashed),
            "{moves}"
        );
    }
    // Rectangles count as their fields on the board, without repetitions in a node.
    line.start(Game::Go, None);
    (0..10_000).for_each(|_| line.set_up(b"AE", b"aa:ss"));
    assert!(line.finish().is_some() && line.values.len() == 361);
    line.start(Game::Go, None);
    (0..1_000).for_each(|_| {
        line.set_up(b"AE", b"aa:ss");
        line.end_node();
    });
    assert!(line.finish().is_none() && line.is_cut() && line.values.len() <= 1 << 17);
}

#[test]
fn texts_of_a_game_without_points() {
    let mut line = LineHasher::new(true);
    line.start(Game::Chess, Some(BoardSize::square(8)));
    let mut bytes = b"sgfstream line 2\0Chess\0\x08\0\0\0\x08\0\0\0".to_vec();
    for len in (0..3000).map(|number| 1 + number * 7 % 255) {
        let text = vec![b'?'; len];
        line.play_color(2, &text);
        bytes.extend((xxh3_64(&text).wrapping_add(2) % (1 << 62)).to_le_bytes());
        if len == 1 {
            line.end_node();
        }
    }
    assert_eq!(line.finish().expect("a line").0.0, xxh3_128(&bytes));
}

/// No board shows these values, and `fix` moves them to XK.
#[test]
fn setup_that_no_board_shows_is_not_hashed() {
    let hash = |setup: &[(&[u8], &[u8])]| {
        let mut line = LineHasher::new(true);
        line.start(Game::Go, Some(BoardSize::square(19)));
        setup
            .iter()
            .for_each(|(ident, value)| line.set_up(ident, value));
        line.end_node();
        line.play_color(1, b"pd");
        line.finish().expect("a move")
    };
    for (ident, value) in [
        (b"AB", &b"nt"[..]),
        (b"AW", b"?"),
        (b"AE", b"a1"),
        (b"PL", b"eh"),
        (b"PL", b""),
    ] {
        assert_eq!(
            hash(&[(ident, value)]),
            hash(&[]),
            "{}",
            value.escape_ascii()
        );
        let dd: (&[u8], &[u8]) = (b"AB", b"dd");
        assert_eq!(
            hash(&[dd, (ident, value)]),
            hash(&[dd]),
            "{}",
            value.escape_ascii()
        );
    }
    // The last value about a point is the one that a board shows.
    let overwritten = [(&b"AB"[..], &b"aa:bb"[..]), (b"AW", b"bb"), (b"AE", b"ab")];
    let shown = [(&b"AB"[..], &b"aa:ba"[..]), (b"AW", b"bb"), (b"AE", b"ab")];
    assert_eq!(hash(&overwritten), hash(&shown));
    assert_ne!(hash(&overwritten), hash(&overwritten[..2]));
    for (ident, value) in [
        (b"AB", &b"dd"[..]),
        (b"AW", b"aa:cc"),
        (b"PL", b"W"),
        (b"PL", b"white"),
    ] {
        assert_ne!(
            hash(&[(ident, value)]),
            hash(&[]),
            "{}",
            value.escape_ascii()
        );
    }
}
