//! Tests of `GameState` with one game, in every order of its properties.

use super::root::ROOT_MAX;
use super::*;
use crate::game::{Dialect, Game, Program, Side};
use crate::value::BoardSize;
use sgfstream::{Charset, Event, EventReader, Flow, Framing, Limits, Options, Place, SliceReader};

/// Describes each game by its state: its name and size, the moves of its main line, `|` at the end of the root, and the
/// numbers of its nodes, of its moves in variations, and of its errors and warnings.
fn told(inputs: &[&[u8]], hold: RootRetention, limit: usize) -> String {
    let mut state = GameState::new(hold);
    let mut told = String::new();
    for input in inputs {
        let options = Options::default().with_limits(Limits::default().with_property(limit));
        let mut others = 0;
        SliceReader::with_options(input, options)
            .drive(&mut |event: &Event<'_>, place: &Place| {
                let step = state.event(event, place);
                if step == Step::RootEnd {
                    for played in state.root_moves() {
                        told +=
                            &format!("{}:{}{} ", played.ply, played.color, String::from_utf8_lossy(&played.bytes()));
                    }
                    let size =
                        state.size().map_or(String::new(), |size| format!(" {}x{}", size.columns(), size.rows()));
                    told += &format!("| {}{size} ", state.game().name());
                }
                let mut play = |color: u8, ply: u64, value: &[u8]| {
                    if state.on_main_line() {
                        told += &format!("{ply}:{color}{} ", String::from_utf8_lossy(value));
                    } else {
                        others += 1;
                    }
                };
                match (step, event) {
                    (Step::Move { color, point }, _) => play(color, state.ply(), &point),
                    (Step::Moves | Step::RootEnd, Event::Property(property)) => {
                        state.moves(property).for_each(|played| play(played.color, played.ply, &played.bytes()));
                    }
                    (Step::Moves | Step::RootEnd, _) => {
                        for played in event.pieces().filter_map(|piece| state.part_move(&piece)) {
                            play(played.color, played.ply, &played.bytes());
                        }
                    }
                    _ => {}
                }
                if matches!(event, Event::VariationEnd { .. }) && place.depth == 1 {
                    let (nodes, errors, warnings) = (state.nodes(), state.errors(), state.warnings());
                    told += &format!("{nodes} {others} {errors} {warnings}\n");
                    others = 0;
                }
                Flow::Go
            })
            .expect("no limit is set");
        let _ = state.end_input();
    }
    told
}

macro_rules! states {
    ($($name:ident, $input:expr, $told:expr;)*) => {
        $(
            #[test]
            fn $name() {
                for hold in [RootRetention::Line, RootRetention::All] {
                    assert_eq!(told(&[$input], hold, 1 << 20), $told);
                }
                let without_size = $told.replace(" 9x9", "").replace(" 39x32", "");
                assert_eq!(told(&[$input], RootRetention::Moves, 1 << 20), without_size);
            }
        )*
    };
}

states! {
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
    size_of_the_root_only, b"(;;SZ[9];B[aa])", "| Go 1:1aa 3 0 0 0\n";
    size_in_letters, b"(;GM[40]SZ[NG])", "| Kropki 39x32 1 0 0 0\n";
    each_game_by_itself, b"(;GM[11]SZ[9];B[a1])(;B[aa])", "| Hex 9x9 1:1a1 2 0 0 0\n1:1aa | Go 1 0 0 0\n";
    problems_belong_to_the_next_game, b"(;B[aa]))(;B[bb])", "1:1aa | Go 1 0 0 0\n1:1bb | Go 1 0 1 0\n";
}

#[test]
fn problems_after_the_last_game_belong_to_none() {
    let games: [&[u8]; 2] = [b"(;B[aa]))", b"(;B[bb])"];
    assert_eq!(told(&games, RootRetention::Line, 1 << 20), "1:1aa | Go 1 0 0 0\n1:1bb | Go 1 0 0 0\n");
}

#[test]
fn properties_in_parts() {
    let list = |ident: &str| format!("(;C[{}]{ident}{};W[zz])", "x".repeat(300), "[aa]".repeat(40));
    let go = told(&[list("GM[1]SZ[9]B").as_bytes()], RootRetention::All, 100);
    assert!(go.starts_with("| Go 9x9 1:1aa 2:1aa ") && go.ends_with(" 40:1aa 41:2zz 2 0 0 0\n"), "{go}");
    let blokus = told(&[list("GM[Blokus]1").as_bytes()], RootRetention::All, 100);
    assert_eq!(blokus, "| Blokus 1:1aa 2 0 0 0\n");
}

/// The program that wrote a record decides where its points are. Without `GM`, other properties of the root decide
/// which game it is.
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
        ("SO[http://www.littlegolem.net]SZ[13]EV[hex.mc]", Game::Hex, 13, Program::LittleGolem),
        ("SO[http://www.littlegolem.net]SZ[10]RU[LG]", Game::Havannah, 10, Program::LittleGolem),
        // The moves of Pentobi's games have other identifiers, and `B[aa]` was counted as a move of Go.
        ("AP[Pentobi:1]", Game::Go, 19, Program::Standard),
    ] {
        let mut state = GameState::default();
        let input = format!("(;{root};B[aa])(;)");
        let mut reader = SliceReader::new(input.as_bytes());
        while let Some(event) = reader.next() {
            if state.event(&event, &reader.place()) == Step::RootEnd && reader.place().game == 1 {
                let columns = state.board_size().map(|size| size.columns());
                assert_eq!((state.game(), columns), (game, Some(size)), "{root}");
                assert_eq!((state.dialect().program(), state.dialect().size().columns()), (program, size), "{root}");
            }
        }
        assert_eq!((state.game(), state.board_size()), (Game::Go, Some(BoardSize::square(19))), "{root}");
    }
}

/// All settings of `hold` find the same game in a root that is too long.
#[test]
fn a_root_is_held_up_to_a_limit() {
    let moves = "B[aa]".repeat(ROOT_MAX / 5);
    let game = format!("(;SZ[9]{moves}GM[11];W[bb](;B[cc]))");
    let told = [RootRetention::Moves, RootRetention::Line, RootRetention::All]
        .map(|hold| told(&[game.as_bytes()], hold, 1 << 20));
    assert_eq!(told[0].replace("Go ", "Go 9x9 "), told[1]);
    assert_eq!(told[1], told[2]);
    let count = ROOT_MAX / 5;
    assert!(told[1].ends_with(&format!(" {}:2bb {}:1cc 3 0 0 0\n", count + 1, count + 2)));

    let mut state = GameState::new(RootRetention::All);
    let game = format!("(;{}GM[1];B[aa])", "C[0123456789]".repeat(ROOT_MAX / 5));
    let mut held = 0;
    SliceReader::new(game.as_bytes())
        .drive(&mut |event: &Event<'_>, place: &Place| {
            held += usize::from(state.event(event, place) == Step::Held);
            Flow::Go
        })
        .expect("no limit is set");
    assert!(held > 10_000 && held < ROOT_MAX / 10, "{held}");
    assert_eq!((state.root().count(), state.ply()), (held, 1));
}

#[test]
fn values_of_the_root() {
    let mut state = GameState::default();
    let long = "x".repeat(20_000);
    let game = format!("(;PB[a]PlayerBlack[b]CA[UTF-8]PW[\u{e9}]GN[{long}]AB[aa]C[c];PB[c]DT[2000]SZ[5])");
    SliceReader::new(game.as_bytes())
        .drive(&mut |event: &Event<'_>, place: &Place| {
            if let (Step::Other, Event::Property(property)) = (state.event(event, place), event)
                && !state.in_root()
                && let Some(info) = Info::of(property.ident())
            {
                state.add_value(info, property.first());
            }
            Flow::Go
        })
        .expect("no limit is set");
    let text = |info| state.value(info).map(|value| value.with_charset(state.charset()).simple_text().into_owned());
    assert_eq!(state.charset(), Charset::UTF_8);
    assert_eq!((text(Info::PB), text(Info::PW)), (Some("a".into()), Some("\u{e9}".into())));
    assert_eq!((text(Info::GN), text(Info::DT), text(Info::SZ)), (Some(long), Some("2000".into()), None));
    assert_eq!(state.root().map(|property| property.as_bytes().to_vec()).collect::<Vec<_>>(), [b"AB[aa]"]);
    assert_eq!(state.dialect().size(), BoardSize::square(19));
}

/// A value is whole if all values together are within the limit. A short value is always whole.
#[test]
fn values_of_the_root_up_to_a_limit() {
    let told = |long: usize, text: &str, property_max: usize| {
        let game = format!("(;GN[{}]SO[{}\\]{text}]SZ[9])", "x".repeat(long), "\u{e9}".repeat(300_000));
        let limits = sgfstream::Limits::default().with_property(property_max);
        let mut state = GameState::default();
        sgfstream::Reader::with_options(game.as_bytes(), sgfstream::Options::default().with_limits(limits))
            .drive(&mut |event: &Event<'_>, place: &Place| {
                let _ = state.event(event, place);
                Flow::Go
            })
            .expect("no limit is set");
        let len = |info| state.value(info).map(|value| value.text().len());
        assert!(!state.value(Info::SO).expect("it is there").text().contains('\u{fffd}'));
        (len(Info::GN), len(Info::SO), state.size())
    };
    let size = Some(BoardSize::square(9));
    assert_eq!(told(10, "y", 1 << 20), (Some(10), Some(600_002), size));
    assert_eq!(told(VALUES_MAX - 600_001, "", 2 << 20), (Some(VALUES_MAX - 600_001), Some(600_001), size));
    let long = VALUES_MAX + 3;
    assert_eq!(told(long, "", 2 << 20), (Some(long), Some(4096 + 4096 - 4), size));
}

#[test]
fn identifiers() {
    let ident = |bytes: &'static str| sgfstream::Ident::new(bytes.as_bytes());
    for &info in Info::ALL {
        assert_eq!(Info::of(ident(Box::leak(format!("{info:?}").into_boxed_str()))), Some(info));
    }
    assert_eq!(
        (Info::of(ident("PlayerWhite")), Info::of(ident("PWX")), Info::of(ident("B"))),
        (Some(Info::PW), None, None)
    );
    assert!(is_setup(ident("AddBlack")) && is_setup(ident("PL")) && !is_setup(ident("ABC")) && !is_setup(ident("B")));
    let value = sgfstream::RawValue::new(b"1", Framing::Value);
    let mut state = GameState::default();
    state.add_value(Info::GM, value);
    assert!(state.value(Info::GM).is_none());
}

/// Returns the side to move after each node of a game, `-` if it is unknown.
fn turns(game: &str) -> String {
    let (mut state, mut replay, mut turns) = (GameState::default(), None::<Replay>, String::new());
    let mut reader = SliceReader::new(game.as_bytes());
    while reader.advance().expect("no limit is set") {
        let (event, place) = (reader.event(), reader.place());
        if state.event(&event, &place) == Step::RootEnd {
            let mut started = Replay::new(&state).expect("a board");
            state.root().for_each(|property| started.apply(&property));
            replay = Some(started);
        }
        let Some(replay) = &mut replay else { continue };
        match event {
            Event::Property(property) => replay.apply(&property),
            Event::NodeStart { .. } | Event::VariationEnd { .. } => {
                turns += replay.to_move().map_or("-", Side::letter);
            }
            _ => {}
        }
    }
    turns
}

#[test]
fn sides_to_play() {
    for (game, expected) in [
        ("(;GM[1];B[aa];W[bb])", "BWB"),
        ("(;GM[1]HA[2]AB[aa][bb];W[cc])", "WB"),
        ("(;GM[1]HA[2 stones];W[what];W[])", "WBB"),
        ("(;GM[1]PL[W]HA[0];PL[ b ];PL[what];B[aa]PL[B])", "WBBB"),
        ("(;GM[Blokus];1[a1];PL[4];4[t1])", "BW4B"),
        ("(;GM[11];W[a1])", "-B"),
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
