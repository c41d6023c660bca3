//! Compares the hash that a position keeps with the hash computed from its board by the documented
//! construction, after every move of real and random games.

use crate::common;
use std::collections::BTreeMap;

use sgfstream::SliceReader;
use sgfstream::record::GameReader;
use sgfstream_game::amazons::{AmazonsBoard, Square};
use sgfstream_game::kropki::KropkiBoard;
use sgfstream_game::octi::OctiBoard;
use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    BoardCell, Dialect, Facts, Game, GameBoard, Move, Side, board::Symmetry, dialect::Program,
};

fn mix(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the content of a cell, and the content with exchanged colors.
fn content(position: &GameBoard, field: BoardCell) -> [u64; 2] {
    let color = |side: Option<Side>| side.map_or(0, |side| side.index() as u64 + 1);
    let stone = position.stone(field);
    let both = |of: &dyn Fn(fn(Side) -> Side) -> u64| [of(|side| side), of(Side::opponent)];
    if let Some(board) = position.board::<KropkiBoard>()
        && let Some(owner) = board.owner(field)
    {
        return both(&|seen| 5 + 3 * seen(owner).index() as u64 + color(stone.map(seen)));
    }
    if let Some(board) = position.board::<AmazonsBoard>()
        && board.square(field) == Square::Arrow
    {
        return [255; 2];
    }
    if let Some(board) = position.board::<OctiBoard>() {
        let stack = board.pods(field).iter().fold(0_u64, |stack, pod| {
            let text = pod.prongs.to_string();
            let mut prongs = 0;
            for (at, letter) in text
                .bytes()
                .enumerate()
                .filter(|(_, letter)| *letter != b'!')
            {
                prongs |= 1 << (letter - b'A');
                prongs |=
                    u64::from(text.as_bytes().get(at + 1) == Some(&b'!')) << (letter - b'A') << 8;
            }
            mix(stack
                .wrapping_add(GOLDEN)
                .wrapping_add(65536 * pod.side.index() as u64 + prongs))
        });
        return [stack; 2];
    }
    both(&|seen| color(stone.map(seen)))
}

fn seed(game: Game, (columns, rows): (u32, u32)) -> u64 {
    let name = match game {
        Game::Number(number) => number.to_string(),
        game => game.name().to_owned(),
    };
    let head = [
        b"sgfstream board 1\0",
        name.as_bytes(),
        b"\0",
        &columns.to_le_bytes(),
        &rows.to_le_bytes(),
    ]
    .concat();
    head.iter().fold(0_u64, |seed, &byte| {
        mix(seed.wrapping_add(GOLDEN).wrapping_add(byte.into()))
    })
}

/// Returns the hashes of a board, as documented.
fn hashes(position: &GameBoard) -> Vec<(u64, Symmetry, bool)> {
    let game = position.dialect().game();
    let size = (position.size().columns(), position.size().rows());
    let fields = (0..size.1).flat_map(|row| (0..size.0).map(move |column| (column, row)));
    let contents = fields.map(|field| {
        (
            field,
            content(position, BoardCell::new(field.0 as u16, field.1 as u16)),
        )
    });
    // Little Golem's columns all begin with row 1.
    let is_from_one =
        game == Game::Havannah && position.dialect().program() == Program::LittleGolem;
    let shift = |column: u32| {
        if is_from_one {
            column.saturating_sub(size.0 / 2)
        } else {
            0
        }
    };
    let contents =
        contents.map(|((column, row), content)| ((column, row + shift(column)), content));
    let contents: Vec<_> = contents.filter(|(_, [content, _])| *content != 0).collect();
    let hash = |&symmetry: &Symmetry, is_exchanged: bool| {
        let seed = seed(game, symmetry.size(size));
        let mut hash = mix(seed);
        for (field, content) in &contents {
            let (column, row) = symmetry.apply(*field, size);
            let number = 65536 * u64::from(row) + u64::from(column) + 1;
            let key = mix(seed.wrapping_add(GOLDEN.wrapping_mul(number)));
            hash ^= match content[usize::from(is_exchanged)] {
                small @ 1..=4 => key.rotate_left(16 * (small as u32 - 1)),
                content => mix(key.wrapping_add(GOLDEN.wrapping_mul(content))),
            };
        }
        (hash, symmetry, is_exchanged)
    };
    let as_is = game
        .symmetries()
        .iter()
        .map(|symmetry| hash(symmetry, false));
    as_is
        .chain(
            game.exchanged_symmetries()
                .iter()
                .map(|symmetry| hash(symmetry, true)),
        )
        .collect()
}

fn check(position: &GameBoard, place: &str) {
    let kept = position.hash().expect("it is kept");
    let expected = hashes(position);
    assert_eq!(
        kept.turned().collect::<Vec<_>>(),
        expected,
        "{place}\n{position}"
    );
    let least = |exchanged: bool| {
        expected
            .iter()
            .filter(|row| row.2 == exchanged)
            .map(|row| row.0)
            .min()
    };
    assert_eq!(
        (kept.plain(), Some(kept.canonical().0)),
        (expected[0].0, least(false)),
        "{place}"
    );
    assert_eq!(
        kept.exchanged().map(|(hash, _)| hash),
        least(true),
        "{place}"
    );
}

/// Reads every 40th of the real files, if there are any: more than 2,000 games.
#[test]
fn after_every_move_of_real_games() {
    let mut games: BTreeMap<String, usize> = BTreeMap::new();
    common::each_file(40, |name, bytes| {
        let mut reader = GameReader::new(SliceReader::new(bytes));
        while let Some(game) = reader.next_game().expect("memory can be read") {
            let facts = Facts::of(game.expect("a short game"), 0);
            let Ok(mut position) = GameBoard::new(&facts.dialect()) else {
                continue;
            };
            if position.size().longer() > 60 {
                continue;
            }
            position.keep_hash();
            facts
                .root()
                .for_each(|property| _ = position.apply(&property));
            check(&position, name);
            *games.entry(facts.game.name().to_owned()).or_default() += 1;
            for node in facts.record().main_line_nodes().skip(1) {
                for (_, property) in node.properties() {
                    position.apply(&property);
                    check(&position, name);
                }
            }
        }
    });
    println!("{games:?}");
    for game in [
        "Go",
        "Othello",
        "Gomoku+Renju",
        "Hex",
        "Lines of Action",
        "Amazons",
        "Octi",
        "Kropki",
        "Unlur",
    ] {
        assert!(games.contains_key(game), "{game}: {games:?}");
    }
    for game in [
        "Havannah",
        "Blokus Duo",
        "Blokus",
        "Blokus Trigon Three-Player",
        "Nexos",
        "Callisto Two-Player",
    ] {
        assert!(games.contains_key(game), "{game}: {games:?}");
    }
}

/// Random moves, most of them on occupied cells after a while: stones are captured, flipped, and
/// replaced. The same moves on a rotated or mirrored board lead to the rotated or mirrored
/// position.
#[test]
fn random_games_in_every_symmetry() {
    fastrand::seed(15);
    let boards = [
        (Game::Go, 5, 5),
        (Game::Go, 4, 6),
        (Game::Othello, 6, 6),
        (Game::Hex, 4, 5),
        (Game::Havannah, 4, 4),
    ];
    for round in 0..60 {
        for (game, columns, rows) in boards {
            let dialect = Dialect::new(game, Some(BoardSize::new(columns, rows)));
            let mut position = GameBoard::new(&dialect).expect("a board");
            position.keep_hash();
            let size = (position.size().columns(), position.size().rows());
            let turn = |symmetry: Symmetry| {
                let (columns, rows) = if game == Game::Havannah {
                    (columns, rows)
                } else {
                    symmetry.size(size)
                };
                let mut position =
                    GameBoard::new(&Dialect::new(game, Some(BoardSize::new(columns, rows))))
                        .expect("a board");
                position.keep_plain_hash();
                (symmetry, position)
            };
            let mut turned: Vec<_> = game.symmetries().iter().copied().map(turn).collect();
            for number in 0..50 {
                let at = (fastrand::u32(0..size.0), fastrand::u32(0..size.1));
                let side = Side::ALL[number % 2];
                let play = |position: &mut GameBoard, (column, row): (u32, u32)| {
                    let _ = position.play(
                        side,
                        &Move::Place(BoardCell::new(column as u16, row as u16)),
                    );
                };
                play(&mut position, at);
                check(&position, &format!("{game:?} {round} {number}"));
                if game == Game::Othello {
                    // The start of Othello is not symmetric under a quarter turn.
                    continue;
                }
                let kept = position.hash().expect("it is kept");
                for ((symmetry, other), (hash, ..)) in turned.iter_mut().zip(kept.turned()) {
                    play(other, symmetry.apply(at, size));
                    assert_eq!(
                        other.hash().expect("it is kept").plain(),
                        hash,
                        "{game:?} {symmetry}"
                    );
                }
            }
        }
    }
}

/// The hashes that an index stores must never change.
#[test]
fn stable() {
    let hash = |game: Game, side: u32, moves: &[&[u8]]| {
        let dialect = Dialect::new(game, Some(BoardSize::square(side)));
        let mut position = GameBoard::new(&dialect).expect("a board");
        position.keep_hash();
        for (at, played) in moves.iter().enumerate() {
            let _ = position.play(
                Side::ALL[at % 2],
                &dialect.parse_move(played).expect("a move"),
            );
        }
        let hash = position.hash().expect("it is kept");
        (hash.plain(), hash.canonical())
    };
    let empty = 0x3b31_007a_5d20_9c99;
    assert_eq!(
        hash(Game::Go, 19, &[]),
        (empty, (empty, Symmetry::Identity))
    );
    let two = 0x2b77_9c18_9468_3579;
    assert_eq!(
        hash(Game::Go, 19, &[b"pd", b"dp"]),
        (two, (two, Symmetry::Identity))
    );
    assert_eq!(
        hash(Game::Hex, 11, &[b"a1"]),
        (
            0xb652_eb83_635e_5c8f,
            (0x76f7_7695_3ed8_c3d5, Symmetry::Rotate180)
        )
    );
}
