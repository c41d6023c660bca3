//! The hash against a slow twin that turns the whole line.

use super::{LineHasher, xxh3_128};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Game, Side, Symmetry};

type Field = (u32, u32);

/// The slow twin: the bytes that every symmetry makes of the line, and the
/// hashes of the first of them. Each node sets up fields and plays others.
fn hashes_slowly(nodes: &[(Vec<Field>, Vec<Option<Field>>)], size: Field) -> (u128, u128) {
    let bytes = |symmetry: Symmetry| {
        let (columns, rows) = symmetry.size(size);
        let mut bytes = b"sgfstream line 1\0Go\0".to_vec();
        bytes.extend([columns.to_le_bytes(), rows.to_le_bytes()].concat());
        for (setup, moves) in nodes {
            if !setup.is_empty() {
                let mut black = vec![0_u64; rows as usize];
                for &field in setup {
                    let (column, row) = symmetry.apply(field, size);
                    black[row as usize] |= 1 << column;
                }
                bytes.push(3);
                bytes.extend(black.into_iter().flat_map(u64::to_le_bytes));
                bytes.extend(vec![0; 2 * 8 * rows as usize + 16]);
            }
            for played in moves {
                let Some(field) = *played else {
                    bytes.extend([2, 1, 0]);
                    continue;
                };
                let (column, row) = symmetry.apply(field, size);
                bytes.extend([1, 1]);
                bytes.extend([(column as u16).to_le_bytes(), (row as u16).to_le_bytes()].concat());
            }
        }
        bytes
    };
    let least = Symmetry::ALL.into_iter().map(bytes).min().expect("eight");
    (xxh3_128(&bytes(Symmetry::Identity)), xxh3_128(&least))
}

#[test]
fn hashed_as_all_symmetries_would_be() {
    fastrand::seed(7);
    for round in 0..400 {
        let size = [(19, 19), (9, 9), (13, 9), (5, 8), (3, 3), (1, 1)][round % 6];
        let field = || (fastrand::u32(0..size.0), fastrand::u32(0..size.1));
        // Every other line begins on the diagonals, where symmetries tie.
        let diagonal =
            || (0..size.0.min(size.1)).map(|at| (at, at)).nth(fastrand::usize(0..3).min(size.0 as usize - 1));
        let nodes: Vec<_> = (0..fastrand::usize(1..900))
            .map(|node| {
                let setup = (0..fastrand::usize(0..30).saturating_sub(27)).map(|_| field()).collect();
                let moves = (0..fastrand::usize(0..3)).map(|_| match fastrand::u8(0..12) {
                    0 => None,
                    _ if round % 2 == 0 && node < 20 => Some(diagonal().unwrap_or((0, 0))),
                    _ => Some(field()),
                });
                (setup, moves.collect())
            })
            .collect();
        if nodes.iter().all(|(setup, moves): &(Vec<_>, Vec<_>)| setup.is_empty() && moves.is_empty()) {
            continue;
        }
        let mut line = LineHasher::new(true);
        line.start(Game::Go, Some(BoardSize::new(size.0, size.1)));
        let text = |(column, row): (u32, u32)| [b'a' + column as u8, b'a' + row as u8];
        for (setup, moves) in &nodes {
            moves.iter().for_each(|played| match played {
                Some(field) => line.play(Side::Black, &text(*field)),
                None => line.play(Side::Black, b""),
            });
            setup.iter().for_each(|&field| line.set_up(b"AB", &text(field)));
            line.end_node();
        }
        let (plain, canonical) = line.finish().expect("a line");
        assert_eq!((plain.0, canonical.0), hashes_slowly(&nodes, size), "round {round}");
    }
}

#[test]
fn lines_that_are_too_long() {
    let mut line = LineHasher::new(true);
    for (moves, is_hashed) in [(174_000, true), (175_000, false), (1, true)] {
        line.start(Game::Go, None);
        (0..moves).for_each(|_| line.play(Side::Black, b"dd"));
        assert_eq!((line.finish().is_some(), line.is_cut()), (is_hashed, !is_hashed), "{moves}");
    }
}

#[test]
fn a_node_of_long_moves() {
    let mut line = LineHasher::new(true);
    line.start(Game::Chess, Some(BoardSize::square(8)));
    let mut bytes = b"sgfstream line 1\0Chess\0\x08\0\0\0\x08\0\0\0".to_vec();
    for len in (0..3000).map(|number| 1 + number * 7 % 255) {
        let text = vec![b'?'; len];
        line.play(Side::White, &text);
        bytes.extend([&[2, 2, len as u8], &*text].concat());
        if len == 1 {
            line.end_node();
        }
    }
    assert_eq!(line.finish().expect("a line").0.0, xxh3_128(&bytes));
}
