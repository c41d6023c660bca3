//! One fixture for each code, named after it: a small input, and all findings about it, with their
//! spans and nodes.

use sgfstream::{Code, Options, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Finding, InputChecker};

/// Passes the findings about all games of `input` to `found`.
fn check(input: &[u8], options: CheckOptions, found: &mut dyn FnMut(Finding)) {
    let checker = InputChecker::new(options);
    let long_games = checker
        .check_all(SliceReader::new(input), found)
        .expect("no limit is set");
    assert_eq!(long_games, []);
}

/// Returns the findings in one line: `code start..end path, …`.
fn found(input: &[u8], how: &[&str]) -> String {
    let mut found = Vec::new();
    let options = CheckOptions::default().with_legality(how.contains(&"legality"));
    let checker = InputChecker::new(options);
    let options = Options::default().with_transcoded(how.contains(&"transcoded"));
    let reader = SliceReader::with_options(input, options);
    let mut add = |finding: Finding| {
        let line = format!("{} {} {}", finding.code, finding.span, finding.path);
        found.push(line.trim_end().to_owned());
    };
    checker
        .check_all(reader, &mut add)
        .expect("no limit is set");
    found.join(", ")
}

/// Defines fixtures as `name: input => findings`. A final `legality` replays the moves;
/// `transcoded` encodes the input as UTF-16.
macro_rules! fixtures {
    ($($name:ident: $input:expr => $expected:literal $(, $how:ident)?;)*) => {
        $(#[test]
        fn $name() {
            assert_eq!(found($input, &[$(stringify!($how))?]), $expected);
        })*

        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

fixtures! {
    text_before_game: b"Game of the day\n(;FF[4]GM[1])" => "text-before-game 0..15";
    value_before_game: b"B[aa];W[bb])\n(;FF[4]GM[1])" => "value-before-game 0..12";
    text_after_game: b"(;FF[4]GM[1])\nend of file" => "text-after-game 14..25";
    no_game: b"no game" => "text-before-game 0..7, no-game 7..7";
    wide_encoding: b"\xff\xfe(\0;\0)\0" => "wide-encoding 0..2, missing-version 2..3 /0, nul-byte 3..4 /0, nul-byte 5..6 /0, empty-node 4..5 /0";
    missing_parenthesis: b";FF[4]GM[1];B[aa])" => "missing-parenthesis 0..0";
    missing_root_semicolon: b"(FF[4]GM[1];B[aa])" => "missing-root-semicolon 1..1 /0";
    missing_semicolon: b"(;FF[4]GM[1](B[aa])(;B[bb]))" => "missing-semicolon 13..13 0/0";
    variation_without_node: b"(;FF[4]GM[1]((;B[aa])))" => "variation-without-node 12..13 /0";
    empty_variation: b"(;FF[4]GM[1]()(;B[aa]))" => "empty-variation 12..14 /0";
    node_after_variation: b"(;FF[4]GM[1](;B[aa]);B[bb])" => "node-after-variation 20..20 /0";
    stray_parenthesis: b"(;FF[4]GM[1]))" => "stray-parenthesis 13..14";
    stray_bracket: b"(;FF[4]GM[1]C[a]b])" => "unexpected-text 16..17 /0, stray-bracket 17..18 /0";
    unexpected_text: b"(;FF[4]GM[1]C[a] rest;B[aa])" => "unexpected-text 17..21 /0";
    nul_byte: b"(;FF[4]GM[1]\0;B[aa])" => "nul-byte 12..13 /0";
    identifier_without_value: b"(;FF[4]GM[1]PB;B[aa])" => "identifier-without-value 12..14 /0";
    identifier_without_capital: b"(;FF[4]GM[1]black[aa])" => "identifier-without-capital 12..21 /0";
    identifier_too_long: &[&b"(;FF[4]GM[1]"[..], &b"A".repeat(5000), &b"[x])"[..]].concat() => "identifier-too-long 12..5015 /0";
    lowercase_identifier: b"(;FF[4]GM[1];Black[aa])" => "lowercase-identifier 13..18 /1";
    value_without_identifier: b"(;FF[4]GM[1];[aa])" => "value-without-identifier 13..17 /1, empty-node 12..13 /1";
    unclosed_value: b"(;FF[4]GM[1]C[cut off" => "unclosed-value 21..21 /0, unclosed-game 21..21 /0";
    unclosed_identifier: b"(;FF[4]GM[1];B" => "unclosed-identifier 13..14 /1, unclosed-game 14..14 /1, empty-node 12..13 /1";
    unclosed_game: b"(;FF[4]GM[1];B[aa]" => "unclosed-game 18..18 /1";
    unknown_charset: b"(;FF[4]CA[klingon]GM[1])" => "unknown-charset 7..18 /0";
    bracket_in_character: b"(;FF[4]CA[Shift_JIS]C[\x83\x5d])" => "bracket-in-character 20..25 /0";
    invalid_bytes: b"(;FF[4]CA[UTF-8]GM[1]C[\xe9t\xe9])" => "invalid-bytes 23..26 /0";
    utf8_beside_gbk: b"(;FF[4]CA[GBK]GM[1]PB[\xba\xda\xba\xda\xba\xda\xba\xda\xba\xda\xba\xda]PW[\xe9\xbb\x92])" => "invalid-bytes 38..41 /0";
    assumed_charset: b"(;FF[4]GM[1]C[caf\xc3\xa9])" => "assumed-charset 14..19 /0";
    digit_in_identifier: b"(;FF[4]GM[1]X1[x])" => "digit-in-identifier 12..14 /0";
    duplicate_property: b"(;FF[4]GM[1]AB[aa]AB[bb])" => "duplicate-property 18..20 /0";
    unreadable_value: b"(;FF[4]GM[1];B[3x])" => "unreadable-value 15..17 /1";
    point_off_board: b"(;FF[4]GM[1]SZ[9];B[pd])" => "point-off-board 20..22 /1";
    malformed_value: b"(;FF[4]GM[1];B[d d])" => "malformed-value 15..18 /1";
    empty_value: b"(;FF[4]GM[1]AB[])" => "empty-value 15..15 /0";
    useless_empty_value: b"(;FF[4]GM[1]GN[])" => "useless-empty-value 15..15 /0";
    too_many_values: b"(;FF[4]GM[1]N[one][two])" => "too-many-values 19..22 /0";
    swallowed_node: b"(;FF[4]GM[1]C[C:\\games\\];W[ee];B[ff])" => "swallowed-node 14..29 /0";
    missing_colon: b"(;FF[4]GM[1]LB[aa])" => "missing-colon 15..17 /0";
    malformed_composed_value: b"(;FF[4]GM[1]LB[aa:x:y])" => "malformed-composed-value 15..21 /0";
    malformed_game_info: b"(;FF[4]GM[1]KM[6,5])" => "malformed-game-info 15..18 /0";
    repeated_point: b"(;FF[4]GM[1]AB[aa]AW[aa])" => "repeated-point 21..23 /0";
    one_point_line: b"(;FF[4]GM[1]AR[aa:aa])" => "one-point-line 15..20 /0";
    newer_feature: b"(;FF[3]GM[1]AB[aa:bb])" => "newer-feature 15..20 /0";
    faulty_view: b"(;FF[3]GM[1]VW[aa][bb][cc])" => "faulty-view 23..25 /0";
    empty_pass_in_old_version: b"(;FF[3]GM[1];B[])" => "empty-pass-in-old-version 15..15 /1";
    bad_root_value: b"(;FF[4]GM[Chequers])" => "unchecked-game 0..1 /0, bad-root-value 10..18 /0";
    unknown_version: b"(;FF[5]GM[1])" => "unknown-version 5..6 /0";
    missing_version: b"(;GM[1];B[aa])" => "missing-version 0..1 /0";
    square_size_pair: b"(;FF[4]GM[1]SZ[19:19])" => "square-size-pair 15..20 /0";
    board_too_large: b"(;FF[4]GM[1]SZ[60])" => "board-too-large 15..17 /0";
    board_size_not_allowed: b"(;FF[4]GM[Unlur]SZ[10])" => "board-size-not-allowed 19..21 /0";
    charset_not_allowed: b"(;GM[Blokus Duo]FF[4]CA[ISO-8859-1];B[a1])" => "charset-not-allowed 24..34 /0";
    stale_charset: b"(;FF[4]GM[1]CA[GBK])(;FF[4]GM[1]CA[UTF-16])(;FF[4]GM[1]CA[utf8])(;FF[4]GM[1]CA[Big5]PB[\xe9\xbb\x92])"
        => "stale-charset 15..18 /0, several-games 20..21 /0, stale-charset 79..83 /0", transcoded;
    different_versions: b"(;FF[4]GM[1])(;FF[3]GM[1])" => "several-games 13..14 /0, different-versions 13..14 /0";
    different_games: b"(;FF[4]GM[1])(;FF[4]GM[11])" => "several-games 13..14 /0, different-games 13..14 /0";
    different_charsets: b"(;FF[4]CA[UTF-8]GM[1])(;FF[4]CA[GBK]GM[1])" => "several-games 22..23 /0, different-charsets 22..23 /0";
    several_games: b"(;FF[4]GM[1])(;FF[4]GM[1])" => "several-games 13..14 /0";
    unchecked_game: b"(;FF[4]GM[3];W[e2e4])" => "unchecked-game 0..1 /0";
    newer_revision: b"(;FF[4]GM[11]SZ[27])" => "newer-revision 16..18 /0";
    older_form: b"(;GM[Blokus]FF[4];1[a20][b20])" => "older-form 25..28 /1";
    unknown_property: b"(;FF[4]GM[1]QQ[x])" => "unknown-property 12..14 /0";
    private_property: b"(;FF[4]GM[1]MULTIGOGM[1])" => "private-property 12..21 /0";
    other_game_property: b"(;FF[4]GM[11]KM[6.5])" => "other-game-property 13..15 /0";
    other_version_property: b"(;FF[3]GM[1]ST[2])" => "other-version-property 12..14 /0";
    long_identifier: b"(;FF[4]GM[1]LONG[x])" => "unknown-property 12..16 /0, long-identifier 12..16 /0";
    komi_in_halves: b"(;FF[4]GM[1]KI[11])" => "komi-in-halves 12..14 /0";
    move_in_root: b"(;FF[4]GM[1]B[aa])" => "move-in-root 12..13 /0";
    setup_with_move: b"(;FF[4]GM[1];B[aa]AW[bb])" => "setup-with-move 18..20 /1, setup-in-main-line 18..20 /1";
    two_moves_in_node: b"(;FF[4]GM[1];B[aa]W[bb])" => "two-moves-in-node 18..19 /1";
    root_property_elsewhere: b"(;FF[4]GM[1];SZ[19])" => "root-property-elsewhere 13..15 /1";
    game_info_below_game_info: b"(;FF[4]GM[1]PB[x];EV[y])" => "game-info-below-game-info 18..20 /1";
    repeated_initial_position: b"(;FF[4]GM[11];B[a1]IP[];W[b2]IP[])" => "repeated-initial-position 29..31 /2";
    contradicting_annotation: b"(;FF[4]GM[1];B[aa]GB[1]GW[1])" => "contradicting-annotation 23..25 /1";
    good_and_bad_move: b"(;FF[4]GM[1];B[aa]TE[1]BM[1])" => "good-and-bad-move 23..25 /1";
    annotation_without_move: b"(;FF[4]GM[1];TE[1])" => "annotation-without-move 13..15 /1";
    empty_node: b"(;FF[4]GM[1];;B[aa])" => "empty-node 12..13 /1";
    handicap_mismatch: b"(;FF[4]GM[1]HA[2]AB[dd])" => "handicap-mismatch 15..16 /0";
    handicap_too_small: b"(;FF[4]GM[1]HA[0])" => "handicap-too-small 15..16 /0";
    setup_in_main_line: b"(;FF[4]GM[1];B[aa];AB[bb])" => "setup-in-main-line 19..21 /2";
    two_moves_in_row: b"(;FF[4]GM[1];B[aa];B[bb])" => "two-moves-in-row 19..24 /2";
    contradicting_player: b"(;FF[4]GM[1]PL[B]AB[aa](;W[bb])(;B[cc]PL[B];W[dd]))" => "contradicting-player 25..26 0/0, setup-with-move 38..40 1/0, contradicting-player 44..45 1/1";
    setup_without_effect: b"(;FF[4]GM[1]AB[aa];AB[aa][bb])" => "setup-in-main-line 19..21 /1, setup-without-effect 19..29 /1", legality;
    occupied_point: b"(;FF[4]GM[1];B[aa];W[aa])" => "occupied-point 19..24 /2", legality;
    illegal_ko: b"(;FF[4]GM[1]AB[ba][ab][bc]AW[ca][bb][db][cc];B[cb];W[bb])" => "illegal-ko 51..56 /2", legality;
    illegal_suicide: b"(;FF[4]GM[1]AW[ba][ab];B[aa])" => "illegal-suicide 23..28 /1", legality;
    illegal_move: b"(;FF[4]GM[11];B[swap-pieces])" => "illegal-move 14..28 /1", legality;
    illegal_setup: b"(;GM[Blokus Duo]FF[4];AE[a1,b1])" => "setup-in-main-line 22..24 /1, illegal-setup 22..31 /1", legality;
    mark_without_stone: b"(;FF[4]GM[19]BO[46];CS[46]MS[46])" => "mark-without-stone 26..32 /1", legality;
    check_limit: &[&b"(;FF[4]GM[1]"[..], &b"(;DM[1]".repeat(16_384), &b")".repeat(16_385)].concat() => "check-limit 114693..114694 0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.…/…";
}

#[test]
fn each_code_has_a_fixture() {
    for code in Code::ALL {
        let name = code.as_str().replace('-', "_");
        assert!(NAMES.contains(&&*name), "{code}");
    }
}

/// Well-formed inputs have no findings.
#[test]
fn nothing_to_say() {
    for input in [
        "(;FF[4]GM[1]SZ[19];B[tt];W[])",
        "(;FF[4]GM[1]VW[]DD[];B[aa])",
        "(;FF[4]GM[1]HA[2]AB[dd][pp];W[aa])",
        "(;FF[4]GM[1]HA[4]AB[dd:de][pp:pq];W[aa])",
        "(;FF[4]GM[1]AB[aa:cc][dd]LB[aa:x]CR[aa]TR[bb]TB[ee]TW[ff])", // spec A-10
        "(;FF[4]GM[1]AR[aa:bb][aa:cc][bb:aa]LN[aa:bb])",
        "(;FF[4]GM[1](;PB[a];B[aa])(;PB[b];B[bb]))", // spec A-07
        "(;FF[4]GM[1]C[a:b]RU[Crawford:CrawfordGame]PC[http://x]AP[a\\:b:1.0])", // spec K-02, K-05
        "(;FF[4]GM[1]FG[];B[aa]FG[257:name])",
        "(;FF[4]GM[1]DT[1996-12-27,28,1997-01-03,04]RE[W+3.5]TM[0]KM[-6.5])",
        "(;FF[4]GM[1];B[aa]KO[]BM[1]GB[2]HO[1]V[-1.5]MN[3]BL[5.5]OB[1])",
        "(;FF[4]GM[1]SZ[21:19];B[ta];W[us])",
        "(;FF[3]GM[1];Black[aa];White[bb])", // spec I-02
        "(;FF[4]GM[6]AB[a][a][f];W[31hefe];B[double];W[take])", // spec F-15
        "(;FF[4]GM[9];B[e1-e3];W[C2:C5++])",
        "(;FF[4]GM[11]PB[x];B[c1]IP[];W[swap-pieces];B[e4])", // spec H-23
        "(;FF[4]GM[11]IS[tried:on][lock:off];B[G5])",
        "(;FF[4]GM[18];B[djddgd])",
        "(;FF[4]GM[19]RU[full:edgeless]CS[46CD][46CD]SS[46CD];B[33+A])", // spec O-26
        "(;FF[4]GM[20];B[cc:cf])",
        "(;FF[4]GM[40]SZ[20];B[ce.cecfdgefdece];W[gg]TW[.cgdhegdfcg]TB[])",
        "(;GM[Blokus Two-Player]FF[4]CA[UTF-8]PB[x];1[a20,b20]1L[3];2[t20])", // spec P-19, P-20
        "(;GM[Blokus Duo]FF[4]AB[e8,e9,f9,d10,e10][g6,f7,g7,h7,g8]PL[B];B[a1])", // spec P-45
        "(;GM[27]FF[4]VV[1]SU[hive-plm]P0[id \"x\"]P1[id \"y\"];P0[1 pick W 1 wA1]TM[20];P0[2 done]TM[31])",
    ] {
        assert_eq!(found(input.as_bytes(), &[]), "", "{input}");
    }
}

/// SGFC's E4 is an error if the file declares FF[4], otherwise a warning.
#[test]
fn severity_by_version() {
    for (input, expected) in [
        ("(;FF[4]GM[1];B[aa]AB[bb])", Severity::Error),
        ("(;FF[3]GM[1];B[aa]AB[bb])", Severity::Warning),
        ("(;FF[3]GM[1];B[a a])", Severity::Warning),
        ("(;FF[3]GM[1]RE[Black wins])", Severity::Warning),
        ("(;FF[3]GM[1];B[aa]TE[1]BM[1])", Severity::Warning),
        ("(;FF[3]GM[1]PB[x];PW[y])", Severity::Warning),
    ] {
        let mut severities = Vec::new();
        check(input.as_bytes(), CheckOptions::default(), &mut |finding| {
            if finding.code != Code::SetupInMainLine {
                severities.push(finding.severity);
            }
        });
        assert_eq!(severities, [expected], "{input}");
    }
}

/// FF, GM, SZ and CA also govern the properties before them in the root.
#[test]
fn the_root_is_read_whole_first() {
    for (input, expected) in [
        ("(;AB[pd]SZ[9]GM[1]FF[4])", "point-off-board 5..7 /0"),
        ("(;C[\u{e9}]FF[4]GM[1]CA[UTF-8])", ""),
        (
            "(;B[c1];W[swap-pieces];B[e4])",
            "missing-version 0..1 /0, move-in-root 2..3 /0",
        ),
        ("(;AB[aa:bb]GM[1]FF[3])", "newer-feature 5..10 /0"),
    ] {
        assert_eq!(found(input.as_bytes(), &[]), expected, "{input}");
    }
}

/// Dots of Kropki are points of Go as well. Only a border shows the game, however late it comes.
#[test]
fn late_borders_are_of_kropki() {
    let dots: String = (0..300u32)
        .map(|n| {
            format!(
                ";{}[{}{}]",
                ["B", "W"][n as usize % 2],
                letter(n % 30),
                letter(n / 30)
            )
        })
        .collect();
    let game = format!("(;FF[4]SZ[30]{dots};B[ce.cecfdgefdece];W[he.hehfigjfiehe];B[x.y])");
    let found = found(game.as_bytes(), &[]);
    // The last move is valid in neither game.
    let unreadable: Vec<&str> = found
        .split(", ")
        .filter(|line| line.starts_with("unreadable"))
        .collect();
    let at = game.find("x.y").expect("it is there");
    assert_eq!(
        unreadable,
        [format!("unreadable-value {at}..{} /303", at + 3)],
        "{found}"
    );
}

fn letter(number: u32) -> char {
    char::from(b"abcdefghijklmnopqrstuvwxyzABCD"[number as usize])
}

/// Findings about the rules come on request.
#[test]
fn legality() {
    for (input, expected) in [
        (
            "(;FF[4]GM[1];B[aa](;W[aa])(;W[bb]))",
            "occupied-point 20..25 0/0",
        ),
        ("(;FF[4]GM[1]RU[NZ]AW[ba][ab];B[aa])", ""),
        (
            "(;FF[4]GM[11];B[c1];W[swap-pieces];B[a3])",
            "occupied-point 35..40 /3",
        ), // spec F-10
        (
            "(;FF[4]GM[2]AB[d4][e5]AW[e4][d5];B[a1])",
            "illegal-move 33..38 /1",
        ),
        (
            "(;GM[Blokus Duo]FF[4];B[a1,b1];W[n14,m14];B[a3,a4])",
            "illegal-move 42..50 /3",
        ),
        ("(;FF[4]GM[20];B[cc:cf])", "unchecked-game 0..1 /0"),
        ("(;FF[4]GM[1];B[aa];W[aa]KO[])", ""), // spec OP-10
        (
            "(;FF[4]GM[1];B[aa];W[aa]B[aa])",
            "two-moves-in-node 24..25 /2, occupied-point 19..24 /2, occupied-point 24..29 /2",
        ),
        ("(;FF[4]GM[11];W[a1];B[b2])", ""),
        (
            "(;FF[4]GM[11];B[c1];W[swap-pieces];W[e4])",
            "two-moves-in-row 35..36 /3",
        ), // spec H-12
        ("(;FF[4]GM[11];B[c1];W[swap-sides];W[e4])", ""), // spec H-10
        (
            "(;FF[4]GM[19]BO[46];CS[46][46])",
            "mark-without-stone 20..30 /1",
        ), // spec O-27
        ("(;FF[4]GM[19]BO[46]AB[46];CS[46]MS[46])", ""),  // spec O-26
        (
            "(;FF[4]GM[19]BO[46];B[46+C]TS[46C]SS[46])",
            "mark-without-stone 34..40 /1",
        ), // spec O-24
        (
            "(;FF[4]GM[Unlur]SZ[9];B[e5];W[d4])",
            "illegal-move 28..33 /2",
        ), // spec G-19
        ("(;FF[4]GM[Unlur]SZ[9];B[e5];B[];W[d4])", ""),   // spec G-20
        ("(;FF[4]GM[Unlur]SZ[9]AW[a1];W[d4])", ""),
    ] {
        assert_eq!(found(input.as_bytes(), &["legality"]), expected, "{input}");
    }
}

/// Findings by the documents of the dialects, line by line.
#[test]
fn lines_of_the_dialect_documents() {
    for (line, input, expected) in [
        (
            "games §4",
            "(;FF[4]SZ[15]5A[2]SW[True];B[hh])",
            "private-property 13..15 /0, private-property 18..20 /0",
        ),
        ("G-12", "(;FF[4]GM[40]SZ[NG])", ""),
        ("G-14", "(;FF[4]GM[40]SZ[U])", "bad-root-value 16..17 /0"),
        (
            "GI-03",
            "(;FF[4]GM[1]HA[2];AB[dd][pp];W[aa])",
            "setup-in-main-line 18..20 /1",
        ),
        (
            "GI-03",
            "(;FF[4]GM[1]HA[3];AB[dd][pp];W[aa])",
            "handicap-mismatch 15..16 /0, setup-in-main-line 18..20 /1",
        ),
        (
            "R-03",
            "(;FF[4]GM[1];SZ[13];B[nn])",
            "root-property-elsewhere 13..15 /1, point-off-board 22..24 /2",
        ),
        (
            "G-14",
            "(;FF[4]GM[40]SZ[46])",
            "board-size-not-allowed 16..18 /0",
        ),
        ("G-14", "(;FF[4]GM[40]SZ[45])", ""),
        (
            "O-14",
            "(;FF[4]GM[19]RU[fast,edgeless])",
            "malformed-game-info 16..29 /0",
        ),
        (
            "O-14",
            "(;FF[4]GM[19]RU[full,fast:])",
            "malformed-game-info 16..26 /0",
        ),
        ("O-15", "(;FF[4]GM[19]RU[:superprong,other])", ""),
        (
            "O-16",
            "(;FF[4]GM[19]RU[full:4-player])",
            "malformed-game-info 16..29 /0",
        ),
        (
            "G-17",
            "(;FF[4]GM[4000]SZ[12])",
            "board-size-not-allowed 18..20 /0",
        ),
        ("G-17", "(;FF[4]GM[Unlur]SZ[11])", ""),
        ("G-06", "(;FF[4]GM[11]AP[GoRilla:1];B[q17])", ""),
        (
            "H-02",
            "(;FF[4]GM[11]AP[x:1];B[q17])",
            "point-off-board 23..26 /1",
        ),
        ("H-03", "(;FF[4]GM[11]SZ[2])", "newer-revision 16..17 /0"),
        ("H-03", "(;FF[4]GM[11]SZ[2:3])", "newer-revision 16..19 /0"),
        ("H-03", "(;FF[4]GM[11]SZ[3:26])", ""),
        (
            "H-04",
            "(;FF[4]GM[11]SZ[5:5])",
            "square-size-pair 16..19 /0",
        ),
        (
            "H-19",
            "(;FF[4]GM[11]IS[foo:on])",
            "unreadable-value 16..22 /0",
        ),
        (
            "H-19",
            "(;FF[4]GM[11]IS[tried:yes])",
            "unreadable-value 16..25 /0",
        ),
        (
            "H-19",
            "(;FF[4]GM[11]IS[tried])",
            "unreadable-value 16..21 /0",
        ),
        ("H-01", "(;FF[4]GM[11]IS[Tried:ON])", ""),
        ("H-25", "(;FF[4]GM[11];B[pass])", "newer-revision 16..20 /1"),
        (
            "O-18",
            "(;FF[4]GM[19]BO[33][33])",
            "repeated-point 20..22 /0",
        ),
        (
            "O-19",
            "(;FF[4]GM[19]WO[37][37])",
            "repeated-point 20..22 /0",
        ),
        ("O-18", "(;FF[4]GM[19]BO[33][53]WO[37])", ""),
        (
            "O-28",
            "(;FF[4]GM[19]AS[46CD:55][46DC:55])",
            "repeated-point 25..32 /0",
        ),
        ("O-28", "(;FF[4]GM[19]AS[46CD:55][46C:55][46CD:56])", ""),
        (
            "O-28",
            "(;FF[4]GM[19]AS[46CD:46])",
            "one-point-line 16..23 /0",
        ),
        (
            "P-12",
            "(;FF[4]GM[Blokus  Duo])",
            "unchecked-game 0..1 /0, bad-root-value 10..21 /0",
        ),
        (
            "P-16",
            "(;GM[Blokus Trigon Three-Player]FF[4];4[g9])",
            "other-game-property 38..39 /1",
        ),
        (
            "P-17",
            "(;GM[Blokus]FF[4];B[a20];B[b20])",
            "other-game-property 18..19 /1",
        ),
        (
            "P-18",
            "(;GM[Blokus]FF[4]AB[a20])",
            "other-game-property 17..19 /0",
        ),
        (
            "P-21",
            "(;GM[Blokus]FF[4];BLUE[a20];BLUE[b20])",
            "older-form 18..22 /1",
        ),
        (
            "P-22",
            "(;GM[Blokus Duo]FF[4];1[a1];2[b1])",
            "older-form 22..23 /1, older-form 28..29 /2",
        ),
        (
            "P-39",
            "(;GM[Blokus]FF[4];1[a20][b20];2[t20][t19])",
            "older-form 25..28 /1",
        ),
        (
            "P-39",
            "(;GM[Blokus]FF[4];1[a20][z20])",
            "older-form 25..28 /1, point-off-board 25..28 /1",
        ),
    ] {
        assert_eq!(found(input.as_bytes(), &[]), expected, "{line}: {input}");
    }
}

/// A property that is longer than the limit for events has the same findings about its values.
#[test]
fn long_properties() {
    let mut input = b"(;FF[4]GM[1];AB".to_vec();
    input.extend(b"[aa]".repeat(300_000));
    input.extend(b"[zz])");
    let mut counts = std::collections::BTreeMap::new();
    check(&input, CheckOptions::default(), &mut |finding| {
        *counts.entry(finding.code).or_insert(0u64) += 1
    });
    assert_eq!(counts[&Code::RepeatedPoint], 299_999);
    assert_eq!(counts[&Code::PointOffBoard], 1);
}

/// The main line ends at the first `)`. A move of Boardspace begins with its number.
#[test]
fn moves_and_main_lines_are_those_of_the_state() {
    for (input, expected) in [
        ("(;FF[4]GM[1](;AB[aa]))", "setup-in-main-line 14..16 0/0"),
        (
            "(;FF[4]GM[1](;B[aa]);AB[bb])",
            "node-after-variation 20..20 /0",
        ),
        (
            "(;GM[27]FF[4];P0[1 pass]P0[time 0:17]P1[id \"x\"];P1[time 0:18])",
            "duplicate-property 24..26 /1",
        ),
        (
            "(;GM[27]FF[4];P0[1 pass]P1[2 pass])",
            "two-moves-in-node 24..26 /1",
        ),
    ] {
        assert_eq!(found(input.as_bytes(), &[]), expected, "{input}");
    }
}

/// Deep nesting and many nodes keep the checker's memory and time in bounds.
#[test]
fn deep_trees() {
    let mut input = b"(;FF[4]GM[1]".to_vec();
    input.extend(b"(;B[aa]".repeat(200_000));
    input.extend(b")".repeat(200_001));
    let mut limits = 0;
    for legality in [false, true] {
        let options = CheckOptions::default().with_legality(legality);
        check(&input, options, &mut |finding| {
            limits += u32::from(finding.code == Code::CheckLimit)
        });
    }
    assert_eq!(limits, 3); // variations twice, positions once
}

/// docs/spec/quirks.md has a row for each of SGFC's messages, with the codes that have its number,
/// or the reason why no code has it.
#[test]
fn the_table_of_sgfc_messages_is_complete() {
    let page = include_str!("../../../docs/spec/quirks.md");
    let mut numbers = Vec::new();
    for line in page.lines() {
        let cells: Vec<_> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some(number) = cells.first().and_then(|cell| cell.parse::<u8>().ok()) else {
            continue;
        };
        numbers.push(number);
        let codes = cells[3]
            .split("; ")
            .next()
            .filter(|codes| codes.starts_with('`'))
            .unwrap_or_default();
        let named: Vec<_> = codes.split('`').skip(1).step_by(2).collect();
        let ours: Vec<_> = Code::ALL
            .iter()
            .filter(|code| code.sgfc() == Some(number))
            .map(|code| code.as_str())
            .collect();
        for code in &ours {
            assert!(named.contains(code), "{number}: {code} is not in its row");
        }
        assert!(
            !ours.is_empty() || !cells[3].is_empty(),
            "{number}: no code and no reason"
        );
        for name in named {
            assert!(ours.contains(&name), "{number}: {name} has another number");
        }
    }
    assert!(numbers.into_iter().eq(1..=75));
}

/// The annotation that a later one contradicts is the first of the node, in the order of the file.
#[test]
fn the_first_annotation_is_named() {
    let mut messages = Vec::new();
    let game = b"(;FF[4]GM[1];B[aa]TE[1]DO[]IT[])";
    check(game, CheckOptions::default(), &mut |finding| {
        messages.push(finding.message)
    });
    assert_eq!(
        messages,
        [
            "`DO` contradicts `TE` in the same node",
            "`IT` contradicts `TE` in the same node"
        ]
    );
}

proptest::proptest! {
    /// For any bytes, findings lie within the input.
    #[test]
    fn any_bytes(input in r"(\(|\)|;|\[|\]|[A-Z]{1,2}\[|[a-t]{2}\]|B\[[a-t]{2}\]|AB\[aa:bb\]|GM\[(1|2|6|9|11|18|19|20|21|40|Blokus)\]|FF\[[0-5]\]|SZ\[[0-9:]{1,4}\]|\\|\n|[0-9]){0,60}") {
        check(input.as_bytes(), CheckOptions::default().with_legality(true), &mut |finding| {
            assert!(finding.span.start <= finding.span.end && finding.span.end <= input.len() as u64);
            assert!(!finding.message.is_empty());
        });
    }
}
