//! Tests of facts, moves and turns.

use super::*;
use crate::game::{Dialect, Game, Program, Side};
use sgfstream::record::{GameReader, Node};
use sgfstream::{Charset, SliceReader};

/// Describes each game by its facts: the moves of its root, `|`, its name and size, the moves of
/// its main line, and the numbers of its nodes, of its moves in variations, and of its errors and
/// warnings.
fn described(input: &[u8]) -> String {
    let mut games = GameReader::new(SliceReader::new(input));
    let mut text = String::new();
    while let Some(game) = games.next_game().expect("no I/O") {
        let game = game.expect("a short game");
        let facts = Facts::of(game, 0);
        let mut ply = 0;
        let mut add_moves = |text: &mut String, node: Node<'_>| {
            for played in facts.moves_of_node(node) {
                ply += 1;
                *text += &format!(
                    "{ply}:{}{} ",
                    played.color,
                    String::from_utf8_lossy(&played.bytes())
                );
            }
        };
        let line: Vec<_> = game.main_line_nodes().collect();
        add_moves(&mut text, line[0]);
        let size = facts.size.and_then(|size| size.sure());
        let size = size.map_or(String::new(), |size| {
            format!(" {}x{}", size.value.columns(), size.value.rows())
        });
        text += &format!("| {}{size} ", facts.game.name());
        line[1..]
            .iter()
            .for_each(|&node| add_moves(&mut text, node));
        let nodes = game.nodes().count();
        let others: usize = game
            .nodes()
            .skip(line.len())
            .map(|node| facts.moves_of_node(node).count())
            .sum();
        let (errors, warnings) = game.faults();
        text += &format!("{nodes} {others} {errors} {warnings}\n");
    }
    text
}

macro_rules! lines {
    ($($name:ident, $input:expr, $text:expr;)*) => {
        $(
            #[test]
            fn $name() {
                assert_eq!(described($input), $text);
            }
        )*
    };
}

lines! {
    plain, b"(;GM[1]SZ[9];B[ee];W[cc])", "| Go 9x9 1:1ee 2:2cc 3 0 0 0\n";
    branches, b"(;;B[ee](;W[cc];B[dd])(;W[gg];B[hh]))", "| Go 1:1ee 2:2cc 3:1dd 6 2 0 0\n";
    nodes_after_a_variation, b"(;;B[ee](;W[cc]);B[dd])", "| Go 1:1ee 2:2cc 4 1 1 0\n";
    root_is_all, b"(;B[aa]SZ[9])", "1:1aa | Go 9x9 1 0 0 0\n";
    root_before_a_variation, b"(;B[aa](;W[bb]))", "1:1aa | Go 2:2bb 2 0 0 0\n";
    several_in_a_node, b"(;;B[aa]W[bb]B[cc];Black[dd])", "| Go 1:1aa 2:2bb 3:1cc 4:1dd 3 0 0 0\n";
    several_values, b"(;B[aa][bb];W[cc][dd];B[])", "1:1aa 2:1bb | Go 3:2cc 4:2dd 5:1 3 0 0 0\n";
    moves_before_their_game, b"(;1[a1]BLUE[b1]GM[Blokus];4[c1])", "1:1a1 2:1b1 | Blokus 3:4c1 2 0 0 0\n";
    no_moves_in_their_game, b"(;1[a1]P0[1 pass];4[c1])", "| Go 2 0 0 0\n";
    old_pentobi_moves, b"(;GM[Blokus];BLUE[a20][b20];2[t20,t19])", "| Blokus 1:1a20,b20 2:2t20,t19 3 0 0 0\n";
    letters_in_four_colors, b"(;GM[Blokus];1[a20](;B[bb];2[t20])(;B[cc]))", "| Blokus 1:1a20 2:2t20 5 0 0 0\n";
    players_of_boardspace, b"(;P0[id \"x\"]GM[Hive]P0[0 Start];P1[1 pass]P1[id \"y\"])", "1:10 Start | hive 2:21 pass 2 0 0 0\n";
    an_id_in_go, b"(;;B[id x])", "| Go 1:1id x 2 0 0 0\n";
    the_first_value_counts, b"(;GM[11]GM[1]SZ[9]SZ[5];B[a1])", "| Hex 9x9 1:1a1 2 0 0 0\n";
    size_of_the_second_node, b"(;;SZ[9];B[aa])", "| Go 9x9 1:1aa 3 0 0 0\n";
    size_of_no_third_node, b"(;;;SZ[9]B[aa])", "| Go 1:1aa 3 0 0 0\n";
    size_of_no_variation, b"(;(;SZ[9]B[aa]))", "| Go 1:1aa 2 0 0 0\n";
    size_of_the_root_first, b"(;SZ[13];SZ[9]B[aa])", "| Go 13x13 1:1aa 2 0 0 0\n";
    size_in_letters, b"(;GM[40]SZ[NG])", "| Kropki 39x32 1 0 0 0\n";
    each_game_by_itself, b"(;GM[11]SZ[9];B[a1])(;B[aa])", "| Hex 9x9 1:1a1 2 0 0 0\n1:1aa | Go 1 0 0 0\n";
    problems_belong_to_the_next_game, b"(;B[aa]))(;B[bb])", "1:1aa | Go 1 0 0 0\n1:1bb | Go 1 0 1 0\n";
}

/// Returns the facts of the first game.
fn with_facts<T>(input: &str, look: impl FnOnce(&Facts<'_>) -> T) -> T {
    let mut games = GameReader::new(SliceReader::new(input.as_bytes()));
    let game = games
        .next_game()
        .expect("no I/O")
        .expect("a game")
        .expect("a short game");
    look(&Facts::of(game, 0))
}

/// The program that wrote a record decides where its points are. Without `GM`, other properties of
/// the root decide which game it is.
#[test]
fn facts_of_the_root() {
    for (root, game, size, program) in [
        ("GM[11]", Game::Hex, 11, Program::Standard),
        ("GM[11]AP[GoRilla:1]", Game::Hex, 17, Program::Gorilla),
        ("XS[]GM[11]", Game::Hex, 17, Program::Gorilla),
        ("AP[GoRilla:1]GM[11]SZ[13]", Game::Hex, 13, Program::Gorilla),
        ("AP[GoRilla:1]", Game::Go, 19, Program::Gorilla),
        ("AP[HexGui:1]", Game::Hex, 11, Program::HexGui),
        ("GM[40]SZ[NG]", Game::Kropki, 39, Program::Standard),
        ("SZ[15]5A[2]", Game::Gomoku, 15, Program::Standard),
        ("SZ[15]5A[2]GM[1]", Game::Go, 15, Program::Standard),
        (
            "SO[http://www.littlegolem.net]SZ[13]EV[hex.mc]",
            Game::Hex,
            13,
            Program::LittleGolem,
        ),
        (
            "SO[http://www.littlegolem.net]SZ[10]RU[LG]",
            Game::Havannah,
            10,
            Program::LittleGolem,
        ),
        // The moves of Pentobi's games have other identifiers, and `B[aa]` was counted as a move of
        // Go.
        ("AP[Pentobi:1]", Game::Go, 19, Program::Standard),
    ] {
        with_facts(&format!("(;{root};B[aa])"), |facts| {
            let columns = facts.board_size().map(|size| size.columns());
            assert_eq!((facts.game, columns), (game, Some(size)), "{root}");
            assert_eq!(
                (facts.dialect().program(), facts.dialect().size().columns()),
                (program, size),
                "{root}"
            );
        });
    }
}

#[test]
fn values_of_the_root() {
    let long = "x".repeat(20_000);
    let game =
        format!("(;PB[a]PlayerBlack[b]CA[UTF-8]PW[\u{e9}]GN[{long}]AB[aa]C[c];PB[c]DT[2000]SZ[5])");
    with_facts(&game, |facts| {
        let text = |info| {
            facts
                .value(info)
                .map(|value| value.simple_text().into_owned())
        };
        assert_eq!(facts.charset(), Charset::UTF_8);
        assert_eq!(
            (text(Info::PB), text(Info::PW)),
            (Some("a".into()), Some("\u{e9}".into()))
        );
        assert_eq!(
            (text(Info::GN), text(Info::DT), text(Info::SZ)),
            (Some(long), None, Some("5".into()))
        );
        assert_eq!(facts.root().count(), 7);
    });
}

#[test]
fn identifiers() {
    let ident = |bytes: &'static str| sgfstream::Ident::new(bytes.as_bytes());
    for &info in Info::ALL {
        assert_eq!(
            Info::of(ident(Box::leak(format!("{info:?}").into_boxed_str()))),
            Some(info)
        );
    }
    assert_eq!(
        (
            Info::of(ident("PlayerWhite")),
            Info::of(ident("PWX")),
            Info::of(ident("B"))
        ),
        (Some(Info::PW), None, None)
    );
    assert!(
        is_setup(ident("AddBlack"))
            && is_setup(ident("PL"))
            && !is_setup(ident("ABC"))
            && !is_setup(ident("B"))
    );
}

/// Returns the side to move after each node of a game, `-` if it is unknown.
fn turns(game: &str) -> String {
    with_facts(game, |facts| {
        let mut replay = facts.replay().expect("a board");
        let mut turns = String::new();
        for node in facts.record().nodes() {
            node.properties()
                .for_each(|(_, property)| replay.apply(&property));
            turns += replay.to_move().map_or("-", |side| side.name_in(Game::Go));
        }
        turns
    })
}

#[test]
fn sides_to_play() {
    for (game, expected) in [
        ("(;GM[1];B[aa];W[bb])", "BWB"),
        ("(;GM[1]HA[2]AB[aa][bb];W[cc])", "WB"),
        ("(;GM[1]HA[2 stones];W[what];W[])", "WBB"),
        ("(;GM[1]PL[W]HA[0];PL[ b ];PL[what];B[aa]PL[B])", "WBBB"),
        ("(;GM[Blokus];1[a1];PL[4];4[t1])", "BW4B"),
        ("(;GM[11];W[a1])", "BB"),
        ("(;GM[11];B[a1];W[swap-sides];W[b2])", "BWWB"),
        ("(;GM[11];B[a1];W[swap-pieces];B[b2])", "BWBW"),
        ("(;GM[19]BO[22];B[33])", "BW"),
    ] {
        assert_eq!(turns(game), expected, "{game}");
    }
    let mut replay = Replay::of_dialect(&Dialect::new(Game::Go, None)).expect("a board");
    replay.play(1, b"aa");
    assert!(replay.start_variation());
    replay.play(2, b"bb");
    assert_eq!(replay.to_move(), Some(Side::Black));
    replay.end_variation();
    assert_eq!(replay.to_move(), Some(Side::White));
}

/// Reads the root, and then a node more at a time until the facts are settled. Returns the nodes
/// that were read.
fn nodes_until_settled(input: &[u8], wanted: &[Info]) -> (usize, Game, Vec<String>) {
    let wanted_bits = wanted.iter().fold(0, |bits, &info| bits | 1 << info as u32);
    let mut games = GameReader::new(SliceReader::new(input));
    assert!(games.next_root().expect("no I/O"));
    let mut facts = Facts::of(games.game().expect("short"), wanted_bits);
    let mut nodes = 1;
    while !facts.is_settled() {
        let places = facts.into_places();
        games.read_nodes(1).expect("no I/O");
        nodes += 1;
        facts = places.extend(games.game().expect("short"));
    }
    let text = |info: Info| {
        facts
            .value(info)
            .map_or(String::new(), |value| value.text().into_owned())
    };
    (
        nodes,
        facts.game,
        wanted.iter().map(|&info| text(info)).collect(),
    )
}

#[test]
fn read_as_little_as_needed() {
    use Info::{KM, PB, RE, SZ};
    for (input, wanted, nodes, game, values) in [
        (
            &b"(;GM[1]SZ[9]PB[a]KM[6];B[aa])"[..],
            &[PB, KM][..],
            1,
            Game::Go,
            &["a", "6"][..],
        ),
        (
            b"(;GM[1]SZ[9]PB[a];B[aa]KM[6];W[bb];B[cc])",
            &[KM],
            2,
            Game::Go,
            &["6"],
        ),
        (
            b"(;GM[1]SZ[9]PB[a];B[aa];W[bb]KM[6];B[cc])",
            &[KM],
            2,
            Game::Go,
            &[""],
        ),
        (
            b"(;GM[1]SZ[9];B[aa];W[bb];B[cc]PB[a];W[dd]RE[0])",
            &[PB, RE],
            4,
            Game::Go,
            &["a", ""],
        ),
        (
            b"(;GM[1]SZ[9];;(;PB[a];;KM[6];B[aa]))",
            &[KM, PB],
            6,
            Game::Go,
            &["6", "a"],
        ),
        (
            b"(;PB[a]SZ[8];B[a1];W[swap-pieces];B[c3])",
            &[PB],
            4,
            Game::Hex,
            &["a"],
        ),
        (b"(;GM[11]SZ[11])", &[KM], 1, Game::Hex, &[""]),
        // The second node may have the size.
        (
            b"(;GM[1]PB[a];B[aa];W[bb];B[cc])",
            &[PB],
            2,
            Game::Go,
            &["a"],
        ),
        (
            b"(;GM[1]PB[a];SZ[13];W[bb];B[cc])",
            &[PB, SZ],
            2,
            Game::Go,
            &["a", "13"],
        ),
        (
            b"(;GM[1]PB[a](;SZ[13];W[bb]))",
            &[PB, SZ],
            1,
            Game::Go,
            &["a", ""],
        ),
        (
            b"(;GM[1]PB[a];B[aa];SZ[13])",
            &[PB, SZ],
            2,
            Game::Go,
            &["a", ""],
        ),
    ] {
        let shown = String::from_utf8_lossy(input);
        let values = values.iter().map(|&value| value.to_owned()).collect();
        assert_eq!(
            nodes_until_settled(input, wanted),
            (nodes, game, values),
            "{shown}"
        );
    }
}
