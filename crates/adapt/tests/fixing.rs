//! Tests `adapt::fix`: it repairs every finding that has a remedy, and changes nothing else.

mod boards;
mod counts;
mod promises;
mod words;

use std::collections::BTreeSet;

use crate::common;
use sgfstream::record::{GameItem, GameReader};
use sgfstream::{Code, Options, Severity, SliceReader};
use sgfstream_adapt::check::{CheckOptions, Explanation, Finding, InputChecker, Remedy};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::Facts;

/// Returns a filter that selects all repairs, including guesses.
fn all() -> FixFilter {
    with_guesses(Severity::Note)
}

fn with_guesses(level: Severity) -> FixFilter {
    FixFilter {
        guesses: true,
        ..FixFilter::from_level(level)
    }
}

fn with_only(choice: FixFilter, codes: impl Into<Vec<Code>>) -> FixFilter {
    FixFilter {
        only: codes.into(),
        ..choice
    }
}

fn fixed(input: &[u8], choice: &FixFilter) -> Vec<u8> {
    fix(input, choice, Options::default(), |_, _, _| {})
}

fn findings(input: &[u8], options: Options) -> Vec<Finding> {
    let mut findings = Vec::new();
    let reader = SliceReader::with_options(input, options);
    let checker = InputChecker::new(CheckOptions::default());
    checker
        .check_all(reader, &mut |finding| findings.push(finding))
        .expect("no limit is set");
    findings
}

/// Returns the codes of findings that have a remedy.
fn repairable(input: &[u8]) -> BTreeSet<Code> {
    findings(input, Options::default())
        .iter()
        .filter(|finding| finding.remedy.is_some())
        .map(|finding| finding.code)
        .collect()
}

macro_rules! fixes {
    ($($name:ident: $input:literal => $output:literal;)*) => {
        $(#[test]
        fn $name() {
            let input: &[u8] = $input;
            let expected: &[u8] = $output;
            let output = fixed(input, &all());
            assert_eq!(String::from_utf8_lossy(&output), String::from_utf8_lossy(expected));
            assert!(output == expected);
        })*
    };
}

fixes! {
    text_around_games: b"Game of the day\n(;FF[4]GM[1])\nend of file" => b"\n(;FF[4]GM[1])\n";
    value_after_blank_one: b"(;FF[4]GM[1]DT[]DT[2026-05-13])" => b"(;FF[4]GM[1]DT[2026-05-13])";
    unread_rectangle: b"(;FF[4]GM[19]AB[22:44])" => b"(;FF[4]GM[19]AB[22:44])";
    hex_rectangle: b"(;FF[4]GM[11]AB[a1:b2])" => b"(;FF[4]GM[11]AB[a1:b2])";
    escapes_in_game_info: b"(;FF[4]GM[19]RU[full\\:edgeless]RE[B\\+R])" => b"(;FF[4]GM[19]RU[full\\:edgeless]RE[B\\+R])";
    headless: b";FF[4]GM[1];B[aa])" => b"(;FF[4]GM[1];B[aa])";
    no_semicolons: b"(FF[4]GM[1](B[aa])(;B[bb]))" => b"(;FF[4]GM[1](;B[aa])(;B[bb]))";
    parentheses_too_many: b"(;FF[4]GM[1]((;B[aa])))" => b"(;FF[4]GM[1](;B[aa]))";
    empty_variation: b"(;FF[4]GM[1]() (;B[aa]))" => b"(;FF[4]GM[1] (;B[aa]))";
    node_after_variation: b"(;FF[4]GM[1](;B[aa]) ;B[bb])" => b"(;FF[4]GM[1](;B[aa]) (;B[bb]))";
    property_after_variation: b"(;FF[4]GM[1](;B[aa])C[x])" => b"(;FF[4]GM[1](;B[aa])(;C[x]))";
    nodes_in_texts: b"(;FF[4]GM[1]N[x]C[a\\]\n;W[ee][x]TR[aa]C[b];C[D:\\\\\\];B[aa]C[e\\];W[zz];B[C:\\];W[bb])"
        => b"(;FF[4]GM[1]N[x]C[a\\\\]\n;W[ee][x]TR[aa]C[b];C[D:\\\\\\\\];B[aa]C[e\\];W[zz];B[C:\\];W[bb])";
    quoted_nodes: b"(;FF[4]GM[1]C[see (;B[aa\\];W[bb\\];B[cc\\])]GC[moves\\];W[ee and];B[aa])"
        => b"(;FF[4]GM[1]C[see (;B[aa\\];W[bb\\];B[cc\\])]GC[moves\\];W[ee and];B[aa])";
    junk: b"(;FF[4]GM[1]C[a]b] rest [x]black[y] ;B[aa])" => b"(;FF[4]GM[1]C[a\\]b\\] rest [x\\]black[y] ;B[aa])";
    a_game_that_ends_in_a_text: b"(;FF[4]GM[1]RE[B+1]]C[see (=6 [points])];B[aa])" => b"(;FF[4]GM[1]RE[B+1]C[see (=6 [points\\])];B[aa])";
    a_text_that_would_end_in_the_next_game: b"(SU[]I(GM[]SZ[])]SZ[]B[(;"
        => b"(;FF[4]SU[]XK[I])(;FF[4]GM[])(;FF[4])";
    words_of_no_text: b"(;FF[4]GM[1]C[a] rest [x]black[y] ;B[aa])" => b"(;FF[4]GM[1]C[a] rest [x]black[y] ;B[aa])";
    rest_of_a_text: b"(;FF[4]GM[1];B[aa]C[see [1] for more];W[bb] and)" => b"(;FF[4]GM[1];B[aa]C[see [1\\] for more];W[bb]XK[and] )";
    rests_of_texts: b"(;FF[4]GM[1]C[see game [1]. Black A is better]PW[[A] Lee]LB[aa:x] y])"
        => b"(;FF[4]GM[1]C[see game [1\\]. Black A is better]PW[[A\\] Lee]LB[aa:x\\] y])";
    a_rest_that_may_belong_to_a_text: b"(;FF[4]GM[1];B[aa]C[A [good] move (;W[bb]) wins];W[cc])"
        => b"(;FF[4]GM[1];B[aa]C[A [good] move (;W[bb]) wins](;W[cc]))";
    rests_with_more_brackets: b"(;FF[4]GM[1]C[see [1] and [2], [3\\] ] too] x ;B[aa])" => b"(;FF[4]GM[1]C[see [1\\] and [2\\], [3\\] \\] too]XK[x]  ;B[aa])";
    rest_that_is_ambiguous: b"(;FF[4]GM[1]CA[GBK]C[a] \xba\x5d\xda])" => b"(;FF[4]GM[1]CA[GBK]C[a] \xba\x5d\xda])";
    rest_of_no_text: b"(;FF[4]GM[1];B[aa] words] ;W[bb])" => b"(;FF[4]GM[1];B[aa] words] ;W[bb])";
    moves_of_another_program: b"(;FF[4]GM[1];b[cd];r[fg])" => b"(;FF[4]GM[1];b[cd];r[fg])";
    nul: b"(;FF[4]\0GM[1];B[aa]C[a\0b\0])" => b"(;FF[4] GM[1];B[aa]C[a b ])";
    cut_off: b"(;FF[4]GM[1](;B[aa]C[cut\\" => b"(;FF[4]GM[1](;B[aa]C[cut]))";
    cut_in_a_list_of_moves: b"(B[aa][\\" => b"(;FF[4];B[aa][])";
    cut_after_words: b"(;FF[4]GM[1];x W[" => b"(;FF[4]GM[1]; W[]XK[x])";
    cut_identifier: b"(;FF[4]GM[1];B[aa];W" => b"(;FF[4]GM[1];B[aa];XK[W])";
    lowercase: b"(;FF[4]GaMe[1];Black[aa])" => b"(;FF[4]GM[1];B[aa])";
    values: b"(;FF[4]GM[1]KM[6,5] RE[Black resigns]DT[1996/12/24];B[d d]AR[aa:aa][aa:bb]LB[aa:x:y])"
        => b"(;FF[4]GM[1]KM[6.5] RE[W+R]DT[1996-12-24];B[dd]AR[aa:bb]LB[aa:x\\:y]XK[AR: aa:aa])";
    values_that_are_none: b"(;FF[4]GM[1]SZ[9]AB[aa] [zz]\n[bb];B[pd];W[cc])" => b"(;FF[4]GM[1]SZ[9]AB[aa]\n[bb]XK[AB: zz];B[pd];W[cc])";
    empty_values: b"(;FF[4]GM[1]AB[][aa]AW[]VW[][bb]DD[]GN[])" => b"(;FF[4]GM[1]AB[aa]VW[bb]DD[])";
    too_many_values: b"(;FF[4]GM[1]PB[][one] [two])" => b"(;FF[4]GM[1]PB[one]XK[PB: two])";
    repeated_points: b"(;FF[4]GM[1]AB[aa][bb][aa]AW[bb]TR[cc][cc])" => b"(;FF[4]GM[1]AB[aa]AW[bb]TR[cc]XK[AB: bb])";
    duplicates: b"(;FF[4]GM[1]AB[aa] AB[bb]C[a]PB[x]PB[y]C[b])" => b"(;FF[4]GM[1]AB[aa][bb]C[a\n\nb]PB[x]XK[PB: y])";
    setup_with_move: b"(;FF[4]GM[1];B[aa]AW[bb]C[x]\n;PL[W]W[cc])" => b"(;FF[4]GM[1];B[aa]\n;AW[bb]C[x];W[cc])";
    setup_with_move_in_its_order: b"(;FF[4]GM[1];AB[aa]B[bb]AW[cc]C[x])" => b"(;FF[4]GM[1];AB[aa];B[bb];AW[cc]C[x])";
    a_player_beside_a_move: b"(;FF[4]GM[1];B[aa]PL[B];B[bb]PL[W])" => b"(;FF[4]GM[1];B[aa]PL[B];B[bb])";
    the_last_player: b"(;FF[4]GM[1]PL[B]AB[aa]PL[W])" => b"(;FF[4]GM[1]PL[W]AB[aa]XK[PL: B])";
    setup_that_is_ordered: b"(;FF[4]GM[1]AB[aa]AW[aa]AB[bb])" => b"(;FF[4]GM[1]AW[aa]AB[bb]XK[AB: aa])";
    setup_that_later_setup_replaces: b"(;FF[4]GM[1]SZ[9]AB[aa:bb]AW[bb];B[ca])" => b"(;FF[4]GM[1]SZ[9]AB[aa:ba][ab]AW[bb]XK[AB: bb];B[ca])";
    setup_that_is_replaced_by_setup_of_the_same_point: b"(;FF[4]GM[1]SZ[9]AB[cc]AW[cc];B[aa])" => b"(;FF[4]GM[1]SZ[9]AW[cc]XK[AB: cc];B[aa])";
    setup_that_a_move_needs: b"(;FF[4]GM[1]SZ[9];AB[aa]B[bb]AW[aa])" => b"(;FF[4]GM[1]SZ[9];AB[aa];B[bb];AW[aa])";
    rectangles_that_overlap: b"(;FF[4]GM[1]SZ[9]AB[aa:bb][bb:cc];B[dd])" => b"(;FF[4]GM[1]SZ[9]AB[aa:bb][cb:cc][bc];B[dd])";
    marks_of_two_kinds: b"(;FF[4]GM[1];B[aa]TR[aa][bb]SQ[aa][aa][cc])" => b"(;FF[4]GM[1];B[aa]TR[aa][bb]SQ[cc]XK[SQ: aa])";
    territory_that_overlaps: b"(;FF[4]GM[1];TB[aa:ab]TW[ab][ea])(;FF[4]GM[1];TB[aa:bb]TW[bb:cc])"
        => b"(;FF[4]GM[1];TB[aa:ab]TW[ea]XK[TW: ab])(;FF[4]GM[1];TB[aa:bb]TW[cb:cc][bc]XK[TW: bb])";
    annotations_without_a_weight: b"(;FF[4]GM[1]SZ[19];B[dn]TE[];GB[]W[hq]BM[];DM[];UC[];HO[]GW[])"
        => b"(;FF[4]GM[1]SZ[19];B[dn]TE[1];GB[1]W[hq]BM[1];DM[1];UC[1];HO[1]GW[1])";
    a_result_in_doubt: b"(;FF[4]GM[1]RE[W+2.5?];B[aa])" => b"(;FF[4]GM[1]RE[W+2.5]XK[RE: W+2.5?];B[aa])";
    a_bracket_that_a_text_opened: b"(;FF[4]GM[1]US[player[3k]]PB[Ann];B[aa])" => b"(;FF[4]GM[1]US[player[3k\\]]PB[Ann];B[aa])";
    setup_of_a_game_without_a_board: b"(;FF[4]GM[6]AP[GNU Backgammon:1.06.002];PL[W]AE[a:y]AW[f][f][h]AB[x][x]AB[ y ];W[31fefc]C[a]b])"
        => b"(;FF[4]GM[6]AP[GNU Backgammon:1.06.002];PL[W]AE[a:y]AW[f][f][h]AB[x][x]AB[ y ];W[31fefc]C[a\\]b])";
    spelled_line_breaks: b"(;FF[4]GM[1]SZ[9]\\r\\nPB[x]\\n;B[aa]\\r\\n)" => b"(;FF[4]GM[1]SZ[9]PB[x];B[aa])";
    words_after_spelled_line_breaks: b"(;FF[4]GM[1]SZ[9]\\rn\\n;B[aa])" => b"(;FF[4]GM[1]SZ[9]XK[\\\\rn\\\\n];B[aa])";
    unicode_blanks: b"(;FF[4]GM[1]PB[x]\xe3\x80\x80PW[y]\xc2\xa0\xef\xbb\xbf;B[aa])" => b"(;FF[4]GM[1]PB[x]PW[y];B[aa])";
    moves_in_a_node: b"(;FF[4]GM[1];B[aa]BL[1]W[bb]WL[2]B[cc]C[x];W[dd])"
        => b"(;FF[4]GM[1];B[aa]BL[1]C[x];W[bb]WL[2];B[cc];W[dd])";
    moves_that_cannot_be_read: b"(;FF[4]GM[1]SZ[9];B[resign];W[zz];B[aa][bb];W[F5//37.6])"
        => b"(;FF[4]GM[1]SZ[9];B[resign];W[zz];B[aa][bb];W[F5//37.6])";
    moves_of_one_side: b"(;FF[4]GM[1];B[aa]B[bb]B[cc])" => b"(;FF[4]GM[1];B[aa];B[bb];B[cc])";
    move_in_root: b"(;FF[4]GM[1]B[aa]SZ[9]C[x];W[bb])" => b"(;FF[4]GM[1]SZ[9];B[aa]C[x];W[bb])";
    moves_in_root: b"(;FF[4]GM[1]B[aa]W[bb])" => b"(;FF[4]GM[1];B[aa];W[bb])";
    interesting: b"(;FF[4]GM[1];B[aa]TE[1]BM[1];W[bb]BM[1]TE[1])" => b"(;FF[4]GM[1];B[aa]IT[];W[bb]DO[])";
    interesting_in_an_old_version: b"(;FF[1]GM[1];TE[1]BM[1]B[aa])" => b"(;FF[4]GM[1];IT[]B[aa])";
    out_of_place: b"(;FF[4]GM[1]PB[x];SZ[19]B[aa]EV[y]PC[z];TE[1]C[x])" => b"(;FF[4]GM[1]PB[x];B[aa]XK[EV: y][PC: z];C[x]XK[TE: 1])";
    words_of_game_info: b"(;FF[4]GM[1]RE[B+, he said \\]]DT[2006-12-07 23:34:21]GC[x];B[aa])"
        => b"(;FF[4]GM[1]RE[B+]DT[2006-12-07]GC[x]XK[DT: 2006-12-07 23:34:21][RE: B+, he said \\]];B[aa])";
    words_of_a_handicap: b"(;FF[4]GM[1]HA[3 (free)]AB[aa][bb][cc] ;W[dd])"
        => b"(;FF[4]GM[1]HA[3]AB[aa][bb][cc]XK[HA: 3 (free)] ;W[dd])";
    words_beyond_ascii: b"(;FF[4]GM[1];B[aa] \xc3\xa9t\xc3\xa9)" => b"(;FF[4]GM[1]CA[UTF-8];B[aa]XK[\xc3\xa9t\xc3\xa9] )";
    words_in_latin1: b"(;FF[4]GM[1]CA[ISO-8859-1];B[aa] caf\xe9)" => b"(;FF[4]GM[1]CA[ISO-8859-1];B[aa]XK[caf\xe9] )";
    values_before_a_game: b"B[aa];W[bb])\n(;FF[4]GM[1])" => b"B[aa];W[bb])\n(;FF[4]GM[1])";
    setup_of_a_game_that_moves_show: b"(;FF[4];B[djddgd]AA[aa])" => b"(;FF[4];B[djddgd];AA[aa])";
    a_size_in_the_second_node: b"(;FF[4]GM[1];SZ[13]AB[aa]C[x];SZ[9]B[cc])" => b"(;FF[4]GM[1]SZ[13];AB[aa]C[x];B[cc]XK[SZ: 9])";
    a_program_that_shows_the_game: b"(;;AP[edax" => b"(;;AP[edax";
    a_program_that_shows_the_game_of_moves: b"(;C[x]\n;AP[edax:];B[f5])" => b"(;C[x]\n;AP[edax:];B[f5])";
    a_size_alone_in_the_second_node: b"(;FF[4]GM[1];SZ[13];B[cc])" => b"(;FF[4]GM[1]SZ[13];;B[cc])";
    first_value_of_the_root: b"(;FF[4]GM[][11]SZ[9][13];B[aa])" => b"(;FF[4]GM[11]SZ[9]XK[SZ: 13];B[aa])";
    a_mark_in_text: b"x\xef\xbb\xbf](;FF[4]GM[1]C[\xc3\xa9])" => b"x\xef\xbb\xbf](;FF[4]GM[1]C[\xc3\xa9])";
    variation_without_node: b"(;FF[4]GM[1];W[dd](x;B[ee]);W[cc])" => b"(;FF[4]GM[1];W[dd]XK[x];B[ee];W[cc])";
    loose_words_in_gbk: b"(;FF[4]GM[1]CA[GBK];B[aa] \xba\xda)" => b"(;FF[4]GM[1]CA[GBK];B[aa] \xba\xda)";
    a_value_before_a_game: b")B[aa]" => b"B[aa]";
    text_before_a_mark: b"x\xef\xbb\xbf(;FF[4]GM[1];B[aa])" => b"x\xef\xbb\xbf(;FF[4]GM[1];B[aa])";
    text_before_a_mark_after_a_game: b"(;FF[4]GM[1])\nx\xef\xbb\xbf(;FF[4]GM[1])" => b"(;FF[4]GM[1])\n\xef\xbb\xbf(;FF[4]GM[1])";
    words_in_gbk: b"(;FF[4]GM[1]CA[GBK]RE[B+ \xba\xda\x81\x5d];B[aa])" => b"(;FF[4]GM[1]CA[GBK]RE[B+]XK[RE: B+ \xba\xda\x81\x5d];B[aa])";
    words_that_say_no_more: b"(;FF[4]GM[1]RE[Black wins by resignation]KM[4.5 points]TM[1800 sec];B[aa])"
        => b"(;FF[4]GM[1]RE[B+R]KM[4.5]TM[1800];B[aa])";
    guesses: b"(;FF[4]GM[1]DT[196?]RE[0-1]TM[30s,5x1min];B[aa])"
        => b"(;FF[4]GM[1]DT[1960,1961,1962,1963,1964,1965,1966,1967,1968,1969]RE[W+]TM[30]XK[DT: 196?][RE: 0-1][TM: 30s,5x1min];B[aa])";
    no_guess_where_white_begins: b"(;FF[4]GM[3]RE[0-1];W[e4])" => b"(;FF[4]GM[3]RE[0-1];W[e4])";
    handicaps_that_cannot_be_read: b"(;FF[4]GM[1]HA[2-5];B[aa])" => b"(;FF[4]GM[1]HA[2-5];B[aa])";
    second_values: b"(;FF[4]GM[1]PB[x]PB[y]PW[w][w][z]HA[0];B[aa])" => b"(;FF[4]GM[1]PB[x]PW[w]XK[PB: y][PW: z];B[aa])";
    values_out_of_place: b"(;FF[4]GM[1]SZ[9]PB[x];SZ[9]B[aa]EV[y];SZ[13]W[bb]C[z])"
        => b"(;FF[4]GM[1]SZ[9]PB[x];B[aa]XK[EV: y];W[bb]C[z]XK[SZ: 13])";
    nodes_stay_full: b"(;FF[4]GM[1];AB[];C[];TE[1];W[bb];AW[zz]AB[];AR[aa:aa])"
        => b"(;FF[4]GM[1];AB[];C[];XK[TE: 1];W[bb];XK[AW: zz];XK[AR: aa:aa])";
    a_title_of_sina: b"(;FF[4]GM[1]TE[14th Cup]LT[60]LC[3]KO[6.5]BM[1];B[aa]TE[1])"
        => b"(;FF[4]GM[1]TE[14th Cup]LT[60]LC[3]KO[6.5]XK[BM: 1];B[aa]TE[1])";
    a_title_beside_a_move: b"(;FF[4]GM[1]TE[14th Cup]B[aa])" => b"(;FF[4]GM[1]TE[14th Cup];B[aa])";
    kept_before: b"(;FF[4]GM[1]PB[x]XK[PW: a]PB[y])" => b"(;FF[4]GM[1]PB[x]XK[PW: a][PB: y])";
    a_pass_of_the_version_that_is_stated: b"(;GM[1]AP[x:1];B[];W[tt])" => b"(;FF[4]GM[1]AP[x:1];B[];W[tt])";
    handicap_stones: b"(;FF[4]GM[1]HA[2];W[aa])\n(;FF[4]GM[1]HA[2];B[aa];B[bb];W[cc])\n(;FF[4]GM[1]HA[3]SZ[9]PB[x]\n;W[cc])\n(;FF[4]GM[1]HA[2])"
        => b"(;FF[4]GM[1]HA[2]AB[pd][dp];W[aa])\n(;FF[4]GM[1]HA[2];B[aa];B[bb];W[cc])\n(;FF[4]GM[1]HA[3]SZ[9]PB[x]AB[gc][cg][gg]\n;W[cc])\n(;FF[4]GM[1]HA[2]AB[pd][dp])";
    komi_in_halves: b"(;FF[4]GM[1]KI[11])" => b"(;FF[4]GM[1]KM[5.5])";
    newer_feature: b"(;FF[3]GM[1];AB[aa:bb])" => b"(;FF[4]GM[1];AB[aa:bb])";
    newer_feature_and_old_markup: b"(;FF[3]GM[1]VW[aa][cc];AB[aa:bb]L[cc])" => b"(;FF[4]GM[1]VW[aa:cc];AB[aa:bb]LB[cc:A])";
    markup_of_an_old_version: b"(;FF[3]GM[1]KM[6,5];L[aa]M[bb]VW[aa][cc]B[d d])" => b"(;FF[3]GM[1]KM[6.5];L[aa]M[bb]VW[aa][cc]B[dd])";
    old_markup_without_a_version: b"(;GM[1]AP[x:1];L[aa]B[bb])" => b"(;FF[4]GM[1]AP[x:1];L[aa]B[bb])";
    no_version: b"(;GM[1];B[aa])(;GM[1]FF[3];B[aa])" => b"(;FF[4]GM[1];B[aa])(;GM[1]FF[3];B[aa])";
    charset_is_utf8: b"(;FF[4]GM[1]C[caf\xc3\xa9];C[caf\xc3\xa9])" => b"(;FF[4]GM[1]CA[UTF-8]C[caf\xc3\xa9];C[caf\xc3\xa9])";
    charset_is_latin1: b"(;FF[4]GM[1];C[caf\xe9])" => b"(;FF[4]GM[1]CA[ISO-8859-1];C[caf\xe9])";
    charset_is_mixed: b"(;FF[4]GM[1]C[caf\xe9];C[caf\xc3\xa9])" => b"(;FF[4]GM[1]CA[UTF-8]C[caf\xc3\xa9];C[caf\xc3\xa9])";
    charset_is_wrong: b"(;FF[4]GM[1]CA[UTF-8];C[caf\xe9])" => b"(;FF[4]GM[1]CA[UTF-8];C[caf\xe9])";
    charset_is_wrong_for_utf8: b"(;FF[4]GM[1]CA[GBK];C[5\xe7\xba\xa7])" => b"(;FF[4]GM[1]CA[UTF-8];C[5\xe7\xba\xa7])";
    charset_is_unknown: b"(;FF[4]GM[1]CA[klingon];C[caf\xc3\xa9])" => b"(;FF[4]GM[1]CA[UTF-8];C[caf\xc3\xa9])";
    halves_in_gbk: b"(;FF[4]GM[1]CA[GBK]LB[aa:\xba\xda:\xba\xda])" => b"(;FF[4]GM[1]CA[GBK]LB[aa:\xba\xda\\:\xba\xda])";
    charset_is_not_allowed: b"(;FF[4]GM[Callisto]CA[GBK]C[\xba\xda];1[a1])" => b"(;FF[4]GM[Callisto]CA[UTF-8]C[\xe9\xbb\x91];1[a1])";
    charset_is_not_allowed_and_not_exact: b"(;FF[4]GM[Callisto]CA[GBK]C[\xef];1[a1])" => b"(;FF[4]GM[Callisto]CA[GBK]C[\xef];1[a1])";
    text_before_a_charset_that_is_not_allowed: b"(;GM[Callisto]FF[4]C[\xef]CA[GBK];1[a1])" => b"(;GM[Callisto]FF[4]C[\xef]CA[GBK];1[a1])";
    words_before_a_charset_that_is_not_allowed: b"(;GM[Callisto]FF[4]C[\xba\xda]CA[GBK];1[a1])" => b"(;GM[Callisto]FF[4]C[\xe9\xbb\x91]CA[UTF-8];1[a1])";
    game_in_a_value_that_goes_on: b";P[\x95]C[]_GM[8]1]" => b";P[\x95]C[]_GM[8]1]";
    game_is_unknown: b"(;GM[Foo]FF[4]SZ[9];B[aa])" => b"(;GM[Foo]FF[4]SZ[9];B[aa])";
    game_is_empty: b"(;GM[]FF[4]SZ[9];B[aa])" => b"(;GM[]FF[4]SZ[9];B[aa])";
    game_is_uncertain: b"(;GM[x1]FF[4]SZ[9];B[aa])" => b"(;GM[x1]FF[4]SZ[9];B[aa])";
    game_is_spelt_with_blanks: b"(;GM[ 1 ]FF[4]SZ[9];B[aa])" => b"(;GM[1]FF[4]SZ[9];B[aa])";
    no_escape_swallows_a_node: b";B[]C[]];W\x00[gc])" => b"(;FF[4];B[];W\x00[gc])";
    charset_of_a_cut_character: b";B[]C[\x96]W[\xd4\\" => b"(;FF[4];B[]C[\x96];W[\xd4\\])";
    charset_of_half_characters: b"(;FF[4]GM[1]C[\x96];W[\xd4\\];B[aa])" => b"(;FF[4]GM[1]C[\x96];W[\xd4\\];B[aa])";
    charset_in_an_old_version: b"(;FF[2]GM[1]PB[\xbc];L[aa])" => b"(;FF[4]GM[1]CA[ISO-8859-1]PB[\xbc];LB[aa:A])";
    a_mark_of_the_byte_order: b"\xef\xbb\xbf(;FF[4]GM[1]C[\xc3\xa9];B[d d])" => b"\xef\xbb\xbf(;FF[4]GM[1]C[\xc3\xa9];B[dd])";
}

/// On request, displaced words become lines of comments.
#[test]
fn words_in_comments() {
    for (input, expected) in [
        (
            "(;FF[4]GM[1]RE[B+, he said \\]]DT[2006-12-07 23:34:21]GC[x];B[aa] words)",
            "(;FF[4]GM[1]RE[B+]DT[2006-12-07]GC[x\nDT: 2006-12-07 23:34:21\nRE: B+, he said \\]];B[aa]C[words] )",
        ),
        (
            "(;FF[4]GM[1]PB[x];SZ[19]B[aa]EV[y]PC[z]C[])",
            "(;FF[4]GM[1]PB[x];B[aa]C[EV: y\nPC: z])",
        ),
    ] {
        let output = fixed(
            input.as_bytes(),
            &FixFilter {
                in_comments: true,
                ..all()
            },
        );
        assert_eq!(String::from_utf8_lossy(&output), expected);
    }
}

/// Writing `W+` for a margin that cannot be read is a guess.
#[test]
fn a_margin_that_is_not_understood_is_left() {
    let left = "(;FF[4]GM[1]CA[UTF-8]RE[W+6⅔])";
    assert_eq!(
        fixed(left.as_bytes(), &FixFilter::default()),
        left.as_bytes()
    );
    let read = "(;FF[4]GM[1]CA[UTF-8]RE[B+7.5目])";
    assert_eq!(
        fixed(read.as_bytes(), &FixFilter::default()),
        b"(;FF[4]GM[1]CA[UTF-8]RE[B+7.5])"
    );
}

/// A well-formed file is unchanged. By default, so is one with notes only.
#[test]
fn well_formed_files_are_unchanged() {
    let input = b"title\n( ;GM[1] FF[4]\tPB [a] ; B[aa];W[tt] (;B[bb])\n(;B[cc]) )\n";
    assert_eq!(
        fixed(input, &FixFilter::from_level(Severity::Warning)),
        input
    );
    // At the start of a line, it would be a game.
    for hidden in [&b");B[aa])"[..], b" );B[aa])", b") ;B[aa])"] {
        assert_eq!(
            fixed(hidden, &FixFilter::from_level(Severity::Warning)),
            hidden
        );
    }
}

/// Guesses are made on request only, and are counted separately. All other findings without a
/// repair count as left.
#[test]
fn guesses_and_what_is_left_are_counted() {
    let counts = |input: &[u8], choice: &FixFilter| {
        let mut counts = [0; 3];
        let output = fix(
            input,
            choice,
            Options::default(),
            |_, _, outcome| match outcome {
                Outcome::Repaired => counts[0] += 1,
                Outcome::Guessed => counts[1] += 1,
                _ => counts[2] += 1,
            },
        );
        (output, counts)
    };
    let note = FixFilter::from_level(Severity::Note);
    let undeclared = b"(;FF[4]GM[1];C[caf\xe9])";
    let (output, [repaired, guessed, left]) = counts(undeclared, &note);
    assert_eq!(
        (output.as_slice(), repaired, guessed, left > 0),
        (&undeclared[..], 0, 0, true)
    );
    let (output, [_, guessed, _]) = counts(undeclared, &all());
    assert_eq!(
        (output.as_slice(), guessed > 0),
        (&b"(;FF[4]GM[1]CA[ISO-8859-1];C[caf\xe9])"[..], true)
    );
    // A finding without a remedy, and an unreadable move.
    let (output, [repaired, _, left]) = counts(
        b"(;FF[4]GM[1]KM[6,5]ZQ[1];B[resign])",
        &FixFilter::from_level(Severity::Warning),
    );
    assert_eq!(
        (output.as_slice(), repaired),
        (&b"(;FF[4]GM[1]KM[6.5]ZQ[1];B[resign])"[..], 1)
    );
    assert!(left >= 1, "{left}");
}

/// A repair that would lose something, or change how the game is read, is left and counted,
/// regardless of options.
#[test]
fn losses_are_left() {
    let cases: [(&[u8], Code); 3] = [
        (
            b"(;FF[4]GM[Callisto]CA[GBK]C[\xef];1[a1])",
            Code::CharsetNotAllowed,
        ),
        (b"(;FF[4]GM[Foo]CA[UTF-8];B[aa])", Code::BadRootValue),
        (b"(;FF[4]GM[]CA[UTF-8];B[aa])", Code::EmptyValue),
    ];
    for (input, code) in cases {
        for choice in [FixFilter::from_level(Severity::Warning), all()] {
            let mut outcomes = Vec::new();
            let output = fix(input, &choice, Options::default(), |_, finding, outcome| {
                outcomes.extend((finding.code == code).then_some(outcome));
            });
            assert_eq!(
                output.escape_ascii().to_string(),
                input.escape_ascii().to_string()
            );
            assert_eq!(
                outcomes,
                [Outcome::Left],
                "{code} in {}",
                input.escape_ascii()
            );
        }
    }
}

/// A fixed game has nothing left to fix, even if a repair writes a property of a later version.
#[test]
fn twice_is_once() {
    let inputs: [&[u8]; 13] = [
        b";B[]C[\x96]W[\xd4\\",
        b"(;C[\x96];W[\xd4\\];B[aa])",
        b"(;C[caf\xe9\\]];C[caf\xe9 x\\",
        b"(;CA[GBK]C[\xe9\xbb\x91\\];C[\xe9\xbb\x91])",
        b";FF[2]PB[\xbc",
        b";FF[3]PB[\xc3\xbc]L[aa]",
        b";TE[1]BM[]B[",
        b"(;FF[1]GM[1];TE[1]BM[1]B[aa])",
        b"(;CA[]XB[\xfc",
        b"(;CA[]XB[\xfc]C[\xc3\xbc])",
        // Words that become a comment, a `GM` that hides the game that the moves show, and text
        // that hides a game.
        b"(;GM[1]FF[4];\xc3\xa9t\xc3\xa9 W[aa]",
        b"(;C[x];GM[]B[djddgd]AA[aa];B[djddgd])",
        b");F[]W[(;",
    ];
    for input in inputs {
        for choice in [
            FixFilter::from_level(Severity::Warning),
            with_guesses(Severity::Warning),
            FixFilter::from_level(Severity::Note),
            all(),
        ] {
            let once = fixed(input, &choice);
            let twice = fixed(&once, &choice);
            assert_eq!(
                twice.escape_ascii().to_string(),
                once.escape_ascii().to_string(),
                "{choice:?}"
            );
            let plain = |bytes: &[u8]| {
                let lines = main_lines(bytes).into_iter();
                lines
                    .map(|line| {
                        line.into_iter()
                            .filter(|played| played.1.is_ascii())
                            .collect()
                    })
                    .collect::<Vec<Vec<_>>>()
            };
            assert_eq!(
                plain(&once),
                plain(&with_borders(input, &choice)),
                "{}",
                once.escape_ascii()
            );
        }
    }
}

/// Tests `only` and `without`.
#[test]
fn unselected_findings_stay() {
    let input = b"(;FF[4]GM[1]KM[6,5];B[d d](;W[ee]);B[ff]C[x";
    let only = |code| {
        fixed(
            input,
            &with_only(FixFilter::from_level(Severity::Warning), [code]),
        )
    };
    assert_eq!(
        only(Code::MalformedGameInfo),
        b"(;FF[4]GM[1]KM[6.5];B[d d](;W[ee]);B[ff]C[x"
    );
    assert_eq!(
        only(Code::UnclosedValue),
        b"(;FF[4]GM[1]KM[6,5];B[d d](;W[ee]);B[ff]C[x]"
    );
    assert_eq!(
        only(Code::NodeAfterVariation),
        b"(;FF[4]GM[1]KM[6,5];B[d d](;W[ee])(;B[ff]C[x)"
    );
    let without = FixFilter {
        without: vec![
            Code::MalformedGameInfo,
            Code::UnclosedValue,
            Code::UnclosedGame,
        ],
        ..FixFilter::from_level(Severity::Warning)
    };
    assert_eq!(
        fixed(input, &without),
        b"(;FF[4]GM[1]KM[6,5];B[dd](;W[ee])(;B[ff]C[x)"
    );
    // In text that is left, only bytes that are not text are repaired.
    let unbracketed = FixFilter {
        without: vec![Code::StrayBracket],
        ..all()
    };
    assert_eq!(
        fixed(b"(;FF[4]GM[1];B[aa]C[a]b]\0)", &unbracketed),
        b"(;FF[4]GM[1];B[aa]C[a]b] )"
    );
    let closed = fixed(
        b"(;FF[4]GM[1](;W[ee]);B[ff]",
        &with_only(
            FixFilter::from_level(Severity::Warning),
            [Code::UnclosedGame],
        ),
    );
    assert_eq!(closed, b"(;FF[4]GM[1](;W[ee]);B[ff])");
    assert_eq!(
        fixed(
            b"(;FF[4]GM[1](;W[ee]) x",
            &with_only(
                FixFilter::from_level(Severity::Warning),
                [Code::UnclosedGame]
            )
        ),
        b"(;FF[4]GM[1](;W[ee]) x)"
    );
}

/// For each code with a remedy, the fix resolves the finding as the remedy says, and leaves nothing
/// else to repair.
#[test]
fn each_code_with_a_remedy_is_gone() {
    let mut repaired = BTreeSet::new();
    for &code in Code::ALL {
        let explanation = Explanation::of(code);
        // The readers see transcoded input as UTF-8.
        let is_wide = code == Code::StaleCharset;
        let input = explanation.example();
        let input = if is_wide {
            sgfstream::transcode(&input).into_owned()
        } else {
            input
        };
        let options = Options::default().with_transcoded(is_wide);
        let found: Vec<Finding> = findings(&input, options)
            .into_iter()
            .filter(|finding| finding.code == code)
            .collect();
        let can = found.iter().any(|finding| finding.remedy.is_some());
        let mut outcomes = Vec::new();
        let output = fix(
            &input,
            &with_only(all(), [code]),
            options,
            |_, finding, outcome| {
                let is_guess = match finding.remedy {
                    Some(
                        Remedy::Rewrite { is_guess: true, .. }
                        | Remedy::PlaceHandicap
                        | Remedy::MoveToRoot,
                    ) => Some(true),
                    // These depend on all texts of the game, or on the place of the bytes.
                    Some(Remedy::StateCharset | Remedy::AsRead) => None,
                    _ => Some(false),
                };
                let is_told =
                    is_guess.is_none_or(|is_guess| is_guess == (outcome == Outcome::Guessed));
                assert!(
                    outcome == Outcome::Left || is_told,
                    "{code}: {finding} {outcome:?}"
                );
                outcomes.push((finding.code, outcome));
            },
        );
        if !can {
            assert!(
                output == input,
                "{code}: nothing can be done, and something was"
            );
            continue;
        }
        repaired.insert(code);
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.0 == code && outcome.1 != Outcome::Left)
                && !outcomes.is_empty(),
            "{code}: {outcomes:?}"
        );
        let shown = String::from_utf8_lossy(&output);
        assert!(
            !repairable(&output).contains(&code),
            "{code}: still there in `{shown}`"
        );
        assert_eq!(fixed(&output, &with_only(all(), [code])), output, "{code}");
        let output = fix(&input, &all(), options, |_, _, _| {});
        assert!(
            !repairable(&output).contains(&code),
            "{code}: still there in `{}`",
            String::from_utf8_lossy(&output)
        );
        assert_eq!(fixed(&output, &all()), output, "{code}");
    }
    assert!(repaired.len() >= 50, "{}", repaired.len());
}

/// A property that comes in pieces.
#[test]
fn long_properties() {
    let list = "[aa]".to_owned() + &"[bb]".repeat(300_000);
    let text = "x\\]".repeat(600_000);
    let input = format!("(;FF[4]GM[1]AB{list}[zz];C[{text}]B[d d]W[cc]");
    let output = fixed(input.as_bytes(), &all());
    let expected = format!("(;FF[4]GM[1]AB[aa][bb]XK[AB: zz];C[{text}]B[dd];W[cc])");
    // The node with the text is too long to buffer, so it is not split.
    let unsplit = format!("(;FF[4]GM[1]AB[aa][bb]XK[AB: zz];C[{text}]B[dd]W[cc])");
    assert!(
        output == expected.as_bytes() || output == unsplit.as_bytes(),
        "{}",
        output.len()
    );
}

/// Stray text that is longer than the buffer.
#[test]
fn long_junk() {
    let junk = "junk ".repeat(200_000);
    let input = format!("{junk}\n(;FF[4]GM[1] {junk};B[aa])\n{junk}");
    let output = fixed(input.as_bytes(), &all());
    // `XK` keeps the text of the node.
    let letters = output
        .iter()
        .filter(|byte| byte.is_ascii_alphabetic())
        .count();
    assert_eq!(letters, "FFGMXKBaa".len() + junk.len() / 5 * 4);
}

/// Many problems in a node cost linear time.
#[test]
fn many_stray_brackets() {
    let input = format!("(;FF[4]GM[1]{})", "]x".repeat(400_000));
    // The words between the brackets may belong to a text.
    assert!(fixed(input.as_bytes(), &all()) == input.as_bytes());
    let input = format!("(;FF[4]GM[1]C[x{})", "]x".repeat(40_000) + "]");
    let expected = input.replace("]x", "\\]x");
    assert!(fixed(input.as_bytes(), &all()) == expected.as_bytes());
}

/// Returns the moves of each main line: player and point, without differences in spelling that a
/// repair removes.
fn main_lines(input: &[u8]) -> Vec<Vec<(u8, String)>> {
    let (mut lines, mut games) = (Vec::new(), GameReader::new(SliceReader::new(input)));
    while let Some(game) = games.next_game().expect("no limit is set") {
        let game = game.expect("the game is short");
        let facts = Facts::of(game, 0);
        let mut line = Vec::new();
        for item in game.items(game.main_line()) {
            let GameItem::Property(_, property) = item else {
                continue;
            };
            for played in facts.moves_of(&property) {
                let text = String::from_utf8_lossy(&played.bytes())
                    .replace('\0', " ")
                    .to_lowercase();
                let text: String = text.split_whitespace().collect();
                // A `\` at the end escapes nothing.
                let text = text.strip_suffix('\\').unwrap_or(&text);
                line.push((
                    played.color,
                    if text == "tt" {
                        String::new()
                    } else {
                        text.to_owned()
                    },
                ));
            }
        }
        lines.push(line);
    }
    lines
}

/// Returns the input with the brackets of its texts escaped, stray brackets dropped, and games
/// closed. These decide which properties there are, so that moves and boards agree with the result.
/// It is the input if a fix with `choice` does not escape brackets.
fn with_borders(input: &[u8], choice: &FixFilter) -> Vec<u8> {
    if escaped_brackets(&fixed(input, choice)) <= escaped_brackets(input) {
        return input.to_vec();
    }
    let of_borders = [Code::StrayBracket, Code::UnclosedValue, Code::UnclosedGame];
    let bounded = fixed(input, &with_only(choice.clone(), of_borders));
    let without_borders = |bytes: &[u8]| {
        let kept = bytes.iter().copied().filter(|byte| !b"\\])".contains(byte));
        kept.collect::<Vec<u8>>().escape_ascii().to_string()
    };
    assert_eq!(without_borders(&bounded), without_borders(input));
    bounded
}

fn escaped_brackets(bytes: &[u8]) -> usize {
    let (mut count, mut is_escaped) = (0, false);
    for &byte in bytes {
        count += usize::from(is_escaped && byte == b']');
        is_escaped = byte == b'\\' && !is_escaped;
    }
    count
}

/// For every file: no repairable finding is left, a second fix changes nothing, the main lines keep
/// their moves, and a well-formed file keeps every byte.
#[test]
fn every_file() {
    common::each_file(5, |name, bytes| {
        let bytes = sgfstream::transcode(bytes);
        for choice in [
            FixFilter::from_level(Severity::Warning),
            with_guesses(Severity::Warning),
        ] {
            fixed_well(name, &bytes, &choice);
        }
    });
}

fn fixed_well(name: &str, bytes: &[u8], choice: &FixFilter) {
    let mut left = BTreeSet::new();
    let mut repaired = 0u64;
    let once = fix(
        bytes,
        choice,
        Options::default(),
        |_, finding, outcome| match outcome {
            Outcome::Left => _ = left.insert(finding.code),
            _ => repaired += 1,
        },
    );
    if repaired == 0 {
        assert!(
            once == *bytes,
            "{name}: nothing to repair, and bytes differ"
        );
    }
    let twice = fixed(&once, choice);
    if once != twice {
        let at = once
            .iter()
            .zip(&twice)
            .position(|(one, other)| one != other)
            .unwrap_or(once.len().min(twice.len()));
        let around = |bytes: &[u8]| {
            String::from_utf8_lossy(&bytes[at.saturating_sub(60)..(at + 40).min(bytes.len())])
                .into_owned()
        };
        panic!(
            "{name}: fixed twice: byte {at}: `{}` and `{}`",
            around(&once),
            around(&twice)
        );
    }
    let bounded = with_borders(bytes, choice);
    assert!(
        main_lines(&bounded) == main_lines(&once),
        "{name}: the moves of a main line differ"
    );
    for finding in findings(&once, Options::default()) {
        let is_guess = matches!(
            finding.remedy,
            Some(
                Remedy::Rewrite { is_guess: true, .. } | Remedy::PlaceHandicap | Remedy::MoveToRoot
            )
        );
        let is_meant =
            finding.remedy.is_some() && !is_guess && finding.severity >= Severity::Warning;
        assert!(
            !is_meant || left.contains(&finding.code),
            "{name}: {finding} is left at {:?}",
            finding.span
        );
    }
}

/// A fixer buffers 32,768 findings, but one pass repairs more, in many nodes or in one property.
#[test]
fn one_pass_repairs_more_faults_than_are_held() {
    let faults = 60_000;
    for (input, expected) in [
        (
            ";B[a a];W[bb]".repeat(faults),
            ";B[aa];W[bb]".repeat(faults),
        ),
        (
            ["AB[aa]", &"[aa]".repeat(faults)].concat(),
            "AB[aa]".to_owned(),
        ),
    ] {
        let [input, expected] =
            [input, expected].map(|nodes| format!("(;FF[4]GM[1]SZ[19]{nodes})"));
        let mut passes = [0; 3];
        let output = fix(
            input.as_bytes(),
            &FixFilter::default(),
            Options::default(),
            |pass, _, outcome| {
                assert_eq!(outcome, Outcome::Repaired);
                passes[pass] += 1;
            },
        );
        assert_eq!(String::from_utf8_lossy(&output), expected);
        assert_eq!(passes, [0, faults, 0]);
    }
}

/// Without its `()`, the text after it would be a game.
#[test]
fn a_fault_that_hides_a_game_is_left() {
    let mut outcomes = Vec::new();
    let input = b"();B[aa]";
    let output = fix(input, &all(), Options::default(), |_, finding, outcome| {
        outcomes.push((finding.code, outcome))
    });
    assert_eq!(output, input);
    let left = [Code::ValueBeforeGame, Code::EmptyVariation, Code::NoGame]
        .map(|code| (code, Outcome::Left));
    assert_eq!(outcomes, left);
}

proptest::proptest! {
    /// For any bytes, the fixer does not panic, and its output is well-formed except for findings
    /// that it reports as left.
    #[test]
    fn any_bytes(input in r"(\(|\)|;|\[|\]|[A-Z]{1,2}\[|[a-t]{2}\]|B\[[a-t]{2}\]|AB\[aa:bb\]|GM\[(1|2|6|11|19|40|Blokus)\]|FF\[[0-5]\]|SZ\[[0-9:]{1,4}\]|PL\[W\]|TE\[1\]|BM\[1\]|\\|\n|\x00|é|[a-z0-9]){0,60}") {
        let mut left = BTreeSet::new();
        let output = fix(input.as_bytes(), &all(), Options::default(), |_, finding, outcome| {
            left.extend((outcome == Outcome::Left).then_some(finding.code));
        });
        // Without its `)`, the text after it would be a game.
        let hides_a_game = |finding: &Finding| {
            finding.code == Code::StrayParenthesis && output[finding.span.end as usize..].trim_ascii_start().starts_with(b";")
        };
        let faults: Vec<Code> = findings(&output, Options::default())
            .iter()
            .filter(|finding| !hides_a_game(finding))
            .filter(|finding| finding.code < Code::UnknownCharset && finding.severity == Severity::Error && finding.code != Code::NoGame)
            .map(|finding| finding.code)
            .filter(|code| !left.contains(code))
            .collect();
        proptest::prop_assert_eq!(main_lines(&output), main_lines(&with_borders(input.as_bytes(), &all())));
        proptest::prop_assert!(faults.is_empty(), "{:?} in {:?} of {:?}", faults, String::from_utf8_lossy(&output), input);
        // If no code is selected, nothing changes.
        let none = with_only(all(), [Code::NoGame]);
        proptest::prop_assert_eq!(fixed(input.as_bytes(), &none), input.as_bytes());
    }
}

/// A draft of such a node would take hundreds of bytes for each of its properties.
#[test]
fn a_node_with_too_many_properties_is_left() {
    for (count, is_left) in [(100_000, false), (100_001, true)] {
        let node = "B[aa]".repeat(count);
        let input = format!("(;FF[4]GM[1]KM[6,5];{node})");
        let output = fix(
            input.as_bytes(),
            &FixFilter::default(),
            Options::default(),
            |_, _, _| {},
        );
        let output = String::from_utf8(output).expect("ASCII");
        assert_eq!(output.contains(&node), is_left, "{count}");
        assert!(output.starts_with("(;FF[4]GM[1]KM[6.5];B[aa]"), "{count}");
    }
}

#[test]
fn check_names_the_brackets_that_fix_escapes() {
    for input in [
        "(;FF[4]GM[1]C[see [1] and Diagram[2] for White]US[player[3k]]PB[Ann];B[aa])",
        "(;FF[4]GM[1];B[aa])(;FF[4]GM[1]C[hi [all] there];B[bb]C[x [1] y])",
    ] {
        let brackets: BTreeSet<usize> = findings(input.as_bytes(), Options::default())
            .iter()
            .filter_map(|finding| match finding.remedy {
                Some(Remedy::EscapeBracket { bracket, .. }) => Some(bracket as usize),
                _ => None,
            })
            .collect();
        let mut escaped = input.to_owned();
        brackets
            .iter()
            .rev()
            .for_each(|&at| escaped.insert(at, '\\'));
        assert_eq!(
            escaped.as_bytes(),
            fixed(input.as_bytes(), &FixFilter::default())
        );
        assert!(
            brackets.len() > 1 && repairable(escaped.as_bytes()).is_empty(),
            "{escaped}"
        );
    }
}
