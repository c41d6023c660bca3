//! Cases of edits, one a line: edit, argument, input, output.

use sgfstream::{Limits, Options};
use sgfstream_adapt::edit::{Report, Rewriter, UNREAD, edit};

use super::rewrite;

macro_rules! rewrites {
    ($($name:ident: $edit:literal $argument:literal $input:literal => $output:literal;)*) => {
        $(#[test]
        fn $name() {
            let input: &[u8] = $input;
            let (output, report) = rewrite(&[($edit, $argument)], input);
            let expected: &[u8] = $output;
            assert_eq!(String::from_utf8_lossy(&output), String::from_utf8_lossy(expected));
            // The writer makes the layout, so it does not count as a change.
            if $edit != "canonical" {
                assert_eq!(report.changes[0].1 > 0, input != expected, "{report:?}");
            }
        })*
    };
}

rewrites! {
    strip_ident: "strip" "C" b"(;GM[1]\nC[a]\n;Comment[b]B[aa] C[c])" => b"(;GM[1]\n;B[aa])";
    strip_class: "strip" "comments,markup" b"(;GC[x]C[y];B[aa]TR[aa]LB[bb:1])" => b"(;;B[aa])";
    strip_private: "strip" "private" b"(;GM[1]FF[4]ZZ[1]KT[x]C[y]MULTIGOGM[1])" => b"(;GM[1]FF[4]C[y])";
    strip_analysis: "strip" "analysis" b"(;GM[1]OGSC[1]PLYO[2]XX[x];PNV[3]VNWR[4]KGSDE[aa]B[aa])" => b"(;GM[1]XX[x];KGSDE[aa]B[aa])";
    strip_obsolete: "strip" "obsolete" b"(;GM[1]FF[3]ID[x]BS[1]PB[y])" => b"(;GM[1]FF[3]PB[y])";
    strip_nothing: "strip" "TW" b"( ;GM [1]\t)" => b"( ;GM [1]\t)";
    keep_some: "keep" "B,W" b"(;GM[1]FF[4]CA[UTF-8]SZ[9]PB[x];B[aa]C[x];W[bb]GM[2])" => b"(;GM[1]FF[4]CA[UTF-8]SZ[9];B[aa];W[bb])";
    set_replaces: "set" "EV=Cup [1]" b"(;GM[1]EV[old]EV[older]PB[x];B[aa])" => b"(;GM[1]EV[Cup [1\\]]PB[x];B[aa])";
    set_adds: "set" "AP=me: 2:0" b"(;GM[1]\n;B[aa])(;)" => b"(;GM[1]AP[me: 2\\:0]\n;B[aa])(;AP[me: 2\\:0])";
    set_in_its_charset: "set" "PB=\u{e9}" b"(;CA[windows-1252]PW[\xe9])" => b"(;CA[windows-1252]PW[\xe9]PB[\xe9])";
    set_same: "set" "GM=1" b"(;GM[1])" => b"(;GM[1])";
    set_in_other_nodes: "set" "C@2=a]" b"(;GM[1];B[aa];W[bb]C[x]C[y](;B[cc])(;B[dd]))" => b"(;GM[1];B[aa];W[bb]C[a\\]](;B[cc])(;B[dd]))";
    set_a_text_like_a_game: "set" "C=see\n(;FF[4" b"(;GM[1])" => b"(;GM[1]C[see\n(;FF[4\\\n])";
    set_as_written: "set" "AB@root[aa][bb]" b"(;GM[1];B[cc])" => b"(;GM[1]AB[aa][bb];B[cc])";
    add_in_other_nodes: "add" "C@all=z" b"(;GM[1];B[aa]C[x])" => b"(;GM[1]C[z];B[aa]C[x])";
    add_keeps: "add" "EV=x" b"(;EV[y])" => b"(;EV[y])";
    add_adds: "add" "EV=x" b"(;PB[y])" => b"(;PB[y]EV[x])";
    rename_one: "rename" "SL=SQ" b"(;SL[aa][bb];Select[cc]SeLect[dd])" => b"(;SQ[aa][bb];Select[cc]SQ[dd])";
    short_names: "short-names" "" b"(;GaMe[1]AddBlack [aa];Black[bb])" => b"(;GM[1]AB [aa];B[bb])";
    gorilla: "gorilla" "" b"(;Black[aa]M[bb]L[cc][dd]SL[ee]B1[ff])" => b"(;B[aa]MA[bb]LB[cc:A][dd:B]SQ[ee]B[ff])";
    gorilla_leaves_pentobi: "gorilla" "" b"(;GM[Blokus]A1[a1])" => b"(;GM[Blokus]A1[a1])";
    pentobi_names: "pentobi" "" b"(;GM[Blokus];BLUE[a20][b20];GREEN[t1])" => b"(;GM[Blokus];1[a20,b20];4[t1])";
    pentobi_two_colors: "pentobi" "" b"(;GM[Callisto Two-Player];1[a1,b1];A2[c3])" => b"(;GM[Callisto Two-Player];B[a1,b1];AW[c3])";
    handicap: "handicap" "" b"(;GM[1]SZ[19]HA[3]PB[x]\n;W[qd];B[dd])(;HA[2]SZ[9];N[x]W[cc])" => b"(;GM[1]SZ[19]HA[3]PB[x]AB[pd][dp][pp]\n;W[qd];B[dd])(;HA[2]SZ[9]AB[gc][cg];N[x]W[cc])";
    handicap_that_is_placed: "handicap" "" b"(;HA[2]AB[aa][bb];W[cc])(;HA[2])(;HA[1];W[cc])(;HA[2]W[cc])"
        => b"(;HA[2]AB[aa][bb];W[cc])(;HA[2]AB[pd][dp])(;HA[1];W[cc])(;HA[2]W[cc])";
    handicap_that_is_played: "handicap" "" b"(;HA[2]PB[x]\n;B[aa]\n;B[bb]\n;W[cc];B[dd])" => b"(;HA[2]PB[x]AB[aa][bb]\n;W[cc];B[dd])";
    handicap_that_is_played_otherwise: "handicap" ""
        b"(;HA[2];B[aa]C[x];B[bb];W[cc])(;HA[2];B[aa];W[cc])(;HA[2];B[aa];B[bb];B[cc];W[dd])(;HA[2];B[aa];B[aa];W[cc])(;HA[2]PL[W];B[aa];B[bb];W[cc])(;HA[2];B[aa];B[])(;HA[2];B[aa](;B[bb];W[cc]))"
        => b"(;HA[2];B[aa]C[x];B[bb];W[cc])(;HA[2];B[aa];W[cc])(;HA[2];B[aa];B[bb];B[cc];W[dd])(;HA[2];B[aa];B[aa];W[cc])(;HA[2]PL[W];B[aa];B[bb];W[cc])(;HA[2];B[aa];B[])(;HA[2];B[aa](;B[bb];W[cc]))";
    handicap_of_other_games: "handicap" "" b"(;GM[2]HA[2];W[c4])(;GM[1]HA[9]SZ[8];W[cc])" => b"(;GM[2]HA[2];W[c4])(;GM[1]HA[9]SZ[8];W[cc])";
    main_line: "main-line" "" b"(;A[1]\n(;B[aa]\n(;W[bb])\n(;W[cc]))\n(;B[dd](;W[ee]))\n)" => b"(;A[1]\n;B[aa]\n;W[bb])";
    main_line_of_each_game: "main-line" "" b"(;(;B[aa])(;B[bb])) x (;(;B[cc])(;B[dd]))" => b"(;;B[aa]) x (;;B[cc])";
    depth_two: "depth" "2" b"(;(;B[aa](;W[bb](;B[cc])(;B[dd]))(;W[ee]))(;B[ff](;W[gg])))" => b"(;(;B[aa];W[bb];B[cc])(;B[ff];W[gg]))";
    moves_of_each_line: "moves" "2" b"(;GM[1];B[aa];W[bb];C[x];B[cc](;W[dd])(;W[ee]))" => b"(;GM[1];B[aa];W[bb];C[x])";
    moves_in_variations: "moves" "2" b"(;B[aa](;W[bb];B[cc])(;C[x](;W[dd](;B[ee])(;B[ff]))(;B[gg]))(;W[hh]))" => b"(;B[aa](;W[bb])(;C[x](;W[dd])(;B[gg]))(;W[hh]))";
    moves_none: "moves" "0" b"(;GM[1];B[aa](;W[bb])(;W[cc]))" => b"(;GM[1])";
    moves_variation_gone: "moves" "1" b"(;GM[1];B[aa](;W[bb](;B[cc]))(;N[x];W[cc]))" => b"(;GM[1];B[aa](;N[x]))";
    expand: "expand" "" b"(;AB[aa:bb][cc][aa]VW[])" => b"(;AB[aa][ba][ab][bb][cc]VW[])";
    expand_not_moves: "expand" "" b"(;B[aa]LB[aa:bb]AR[aa:bb])" => b"(;B[aa]LB[aa:bb]AR[aa:bb])";
    compress: "compress" "" b"(;FF[4]AB[aa][ba][ab][bb][dd]DD[])" => b"(;FF[4]AB[aa:bb][dd]DD[])";
    compress_needs_ff4: "compress" "" b"(;FF[3]AB[aa][ba])" => b"(;FF[3]AB[aa][ba])";
    compress_other_points: "compress" "" b"(;FF[4]AB[aa][ba][zzz])" => b"(;FF[4]AB[aa][ba][zzz])";
    text_plain: "text" "" b"(;C[a\\)b\\\nc\r\nd\t \n]N[x\ny]LB[aa:z\\z]AB[a\\a])" => b"(;C[a)bc\nd]N[x y]LB[aa:zz]AB[a\\a])";
    utf8_from_gbk_and_utf8: "utf8" "" b"(;GM[1]CA[GBK]PB[\xba\xda]PW[\xe9\xbb\x91])" => b"(;GM[1]CA[UTF-8]PB[\xe9\xbb\x91]PW[\xe9\xbb\x91])";
    utf8_from_gbk: "utf8" "" b"(;GM[1]CA[GBK]C[\xba\xda\\]])" => b"(;GM[1]CA[UTF-8]C[\xe9\xbb\x91\\]])";
    utf8_adds_ca: "utf8" "" b"(;GM[1]FF[4]PB[\xe9])" => b"(;GM[1]FF[4]CA[UTF-8]PB[\xc3\xa9])";
    utf8_is_utf8: "utf8" "" b"(;CA[utf-8]C[\xe9\xbb\x91])" => b"(;CA[utf-8]C[\xe9\xbb\x91])";
    utf8_by_characters: "utf8" "" b"(;CA[Shift_JIS]C[\x95\x5c\x8e\xa6\\]\x83\x5d])" => b"(;CA[UTF-8]C[\xe8\xa1\xa8\xe7\xa4\xba\\]\xe3\x82\xbe])";
    repair_values: "repair" "" b"(;GM[1]KM[6,5]RE[Black resigns]DT[1996/12/24]TM[10 min]HA[2 stones];B[a\na]TE[title])" => b"(;GM[1]KM[6.5]RE[W+R]DT[1996-12-24]TM[600]HA[2];B[aa]TE[title])";
    repair_no_empty_lists: "repair" "" b"(;AB[][aa]AW[]VW[])" => b"(;AB[aa]VW[])";
    upgrade_root: "upgrade" "" b"(;GaMe[Go]SZ[19:19]KI[13];Black[aa])" => b"(;FF[4]GM[1]SZ[19]KM[6.5];B[aa])";
    upgrade_names: "upgrade" "" b"(;FF[4]TE[Kisei]RD[2026/05/12]KO[6.5]LT[60]LC[5]TT[7200]TC[]EV[];B[aa]KO[]TE[1])"
        => b"(;FF[4]EV[Kisei]DT[2026-05-12]KM[6.5]OT[5x60 byo-yomi]TM[7200]TC[];B[aa]KO[]TE[1])";
    upgrade_keeps_names_beside_standard_ones: "upgrade" "" b"(;FF[4]EV[x]TE[Kisei]OT[none]TC[3]TT[30])"
        => b"(;FF[4]EV[x]TE[Kisei]OT[none]TC[3]TT[30])";
    upgrade_foxwq: "upgrade" "" b"(;FF[4]TC[3]TT[30])" => b"(;FF[4]OT[3x30 byo-yomi])";
    upgrade_ff: "upgrade" "" b"(;GM[1]FF[3];B[aa])" => b"(;GM[1]FF[4];B[aa])";
    upgrade_keeps_the_order_of_unread_setup: "upgrade" "" b"(;GM[11]FF[4]SZ[6];AE[aa]AB[A1]AE[A1])" => b"(;GM[11]FF[4]SZ[6];AE[aa]AB[A1]AE[A1])";
    upgrade_splits: "upgrade" "" b"(;GM[1]FF[3];AB[aa]B[bb]N[x]C[y]\n;PL[W]W[cc])" => b"(;GM[1]FF[4];AB[aa]N[x]\n;B[bb]C[y];W[cc])";
    upgrade_both_sides: "upgrade" "" b"(;FF[3];B[aa]BL[9]W[bb]WL[8])" => b"(;FF[4];B[aa]BL[9];W[bb]WL[8])";
    upgrade_keeps_moves_of_one_side: "upgrade" "" b"(;FF[3]GM[1]SZ[9];B[aa]B[bb]B[cc])" => b"(;FF[4]GM[1]SZ[9];B[aa];B[bb];B[cc])";
    upgrade_keeps_each_move: "upgrade" "" b"(;FF[4]GM[1]SZ[9];B[aa]BL[1]W[bb]WL[2]B[cc]C[x])"
        => b"(;FF[4]GM[1]SZ[9];B[aa]BL[1]C[x];W[bb]WL[2];B[cc])";
    upgrade_keeps_the_moves_of_ggf: "upgrade" "" b"(;GM[Othello]B[F5//37]W[d6//5]B[C3//1])"
        => b"(;FF[4]GM[2]B[F5//37];W[d6//5];B[C3//1])";
    upgrade_markup: "upgrade" "" b"(;FF[3];B[aa]M[aa][bb]L[cc][dd]VW[aa][cc])" => b"(;FF[4];B[aa]TR[aa]MA[bb]LB[cc:A][dd:B]VW[aa:cc])";
    upgrade_joins_old_and_new_labels: "upgrade" "" b"(;FF[1];B[aa]LB[cc:A]L[dd])" => b"(;FF[4];B[aa]LB[cc:A][dd:A])";
    upgrade_interesting: "upgrade" "" b"(;FF[3];B[aa]TE[1]BM[1];W[bb]BM[1]TE[2])" => b"(;FF[4];B[aa]IT[];W[bb]DO[])";
    upgrade_joins: "upgrade" "" b"(;FF[4]C[a]C[b]AB[aa]AB[bb]PB[x]PB[y]ZZ[1]ZZ[2])" => b"(;FF[4]C[a\n\nb]AB[aa][bb]PB[x]ZZ[1]ZZ[2])";
    upgrade_current: "upgrade" "" b"(;FF[4]GM[1]SZ[9];B[aa]M[x]VW[aa][bb])" => b"(;FF[4]GM[1]SZ[9];B[aa]M[x]VW[aa][bb])";
    expand_spellings: "expand" "" b"(;SZ[19]AB[cb:bb][D D])" => b"(;SZ[19]AB[bb][cb][dd])";
    turn_go: "turn" "rotate-90" b"(;SZ[19]AB[aa][ab:cd];B[pd]LB[aa:pd];W[tt];B[])" => b"(;SZ[19]AB[sa][pa:rc];B[pp]LB[sa:pd];W[tt];B[])";
    turn_spellings: "turn" "rotate-90" b"(;SZ[19]AB[AA][BC];B[PD]LB[AA:PD]AR[p d:DD];W[TT];B[pass];W[p d];B[\xef\xbd\x90d])"
        => b"(;SZ[19]AB[SA][QB];B[PP]LB[SA:PD]AR[p p:PD];W[TT];B[pass];W[p p];B[pp])";
    turn_rectangle: "turn" "transpose" b"(;SZ[13:9];B[ma]AR[aa:bc])" => b"(;SZ[9:13];B[am]AR[aa:cb])";
    turn_first_corner: "turn" "first-corner" b"(;SZ[19]AB[cc:de];B[dp]LB[dp:dp]AR[ab:dp];W[tt];B[pp](;W[cd])(;W[dd]))"
        => b"(;SZ[19]AB[cc:ed];B[pd]LB[pd:dp]AR[ba:pd];W[tt];B[pp](;W[dc])(;W[dd]))";
    turn_first_corner_by_the_second_move: "turn" "first-corner" b"(;GM[1]SZ[9];B[ee];W[cc])" => b"(;GM[1]SZ[9];B[ee];W[gc])";
    turn_first_corner_of_no_square: "turn" "first-corner" b"(;GM[1]SZ[13:9];B[ai])" => b"(;GM[1]SZ[13:9];B[ma])";
    turn_first_corner_in_place: "turn" "first-corner" b"(;GM[1]SZ[19];B[qd];W[dp])" => b"(;GM[1]SZ[19];B[qd];W[dp])";
    turn_first_corner_without_moves: "turn" "first-corner" b"(;GM[1]SZ[19]AB[dp])" => b"(;GM[1]SZ[19]AB[dp])";
    turn_first_corner_of_go_only: "turn" "first-corner" b"(;GM[11]SZ[11];B[a1])" => b"(;GM[11]SZ[11];B[a1])";
    turn_hex: "turn" "rotate-180" b"(;GM[11]SZ[11];B[a1];W[swap-pieces];B[K10]LB[c3:c3])" => b"(;GM[11]SZ[11];B[k11];W[swap-pieces];B[A2]LB[i9:c3])";
    turn_hex_keeps_arrows_and_texts: "turn" "rotate-180" b"(;GM[11]SZ[11];B[c4]AR[a1:b2]LN[c3:d4]LB[d5:a1][e5:B2]TR[a1:b2])"
        => b"(;GM[11]SZ[11];B[i8]AR[k11:j10]LN[i9:h8]LB[h7:a1][g7:B2]TR[j10:k11])";
    turn_no_quarter_of_hex: "turn" "rotate-90" b"(;GM[11];B[a1])" => b"(;GM[11];B[a1])";
    turn_not_others: "turn" "rotate-90" b"(;GM[4];B[aa])" => b"(;GM[4];B[aa])";
    turn_columns_x_rows: "turn" "transpose" b"(;GM[1]SZ[13x9];B[ma])" => b"(;GM[1]SZ[9x13];B[am])";
    turn_columns_and_rows_apart: "turn" "rotate-90" b"(;GM[1]SZ[13 x 9];B[ma])" => b"(;GM[1]SZ[ 9x13 ];B[im])";
    turn_no_blank_between_sides: "turn" "rotate-90" b"(;GM[1]SZ[9 9];B[cb])" => b"(;GM[1]SZ[9 9];B[cb])";
    turn_no_clipped_size: "turn" "rotate-90" b"(;GM[1]SZ[100];B[cb])" => b"(;GM[1]SZ[100];B[cb])";
    turn_no_unreadable_size: "turn" "rotate-90" b"(;GM[1]SZ[9;9];B[cb])" => b"(;GM[1]SZ[9;9];B[cb])";
    turn_no_empty_board: "turn" "rotate-180" b"(;GM[1]SZ[0];B[cb])" => b"(;GM[1]SZ[0];B[cb])";
    turn_no_quarter_of_detected_hex: "turn" "rotate-90"
        b"(;FF[4]EV[hex.mc.2009]SZ[11]SO[http://www.littlegolem.net];W[ad];B[cc])"
        => b"(;FF[4]EV[hex.mc.2009]SZ[11]SO[http://www.littlegolem.net];W[ad];B[cc])";
    swap_colors_not_of_detected_hex: "swap-colors" ""
        b"(;FF[4]EV[hex.mc.2009]SZ[11]SO[http://www.littlegolem.net];W[ad];B[cc])"
        => b"(;FF[4]EV[hex.mc.2009]SZ[11]SO[http://www.littlegolem.net];W[ad];B[cc])";
    swap_colors_not_of_detected_othello: "swap-colors" "" b"(;AP[Edax:4]SZ[8];B[c4])" => b"(;AP[Edax:4]SZ[8];B[c4])";
    turn_gorilla_hex: "turn" "rotate-180" b"(;GM[11]XS[];B[c4];W[cd])" => b"(;GM[11]XS[];B[o14];W[on])";
    turn_gorilla_hex_by_its_program: "turn" "rotate-180" b"(;GM[11]AP[GoRilla:1];B[c4])" => b"(;GM[11]AP[GoRilla:1];B[o14])";
    turn_not_detected_kropki: "turn" "rotate-180" b"(;AP[kropki.dl.pl:0001]SZ[NG];B[ab];W[cf])"
        => b"(;AP[kropki.dl.pl:0001]SZ[NG];B[ab];W[cf])";
    upgrade_reads_no_version_as_the_latest: "upgrade" "" b"(;FF[x]GM[1];B[aa]M[bb])" => b"(;FF[4]GM[1];B[aa]M[bb])";
    swap_colors: "swap-colors" "" b"(;PB[x]PW[y]RE[B+R]KM[6.5];Black[aa]WL[9]PL[B]C[B W])" => b"(;PW[x]PB[y]RE[W+R]KM[-6.5];White[aa]BL[9]PL[W]C[B W])";
    swap_colors_in_words: "swap-colors" "" b"(;RE[Black wins]PL[Black]KM[ 6.5];B[aa])" => b"(;RE[W+]PL[W]KM[-6.5];W[aa])";
    swap_colors_in_chinese: "swap-colors" "" b"(;CA[UTF-8]RE[\xe9\xbb\x91\xe8\x83\x9c]KM[\xef\xbc\x96.5];B[aa])" => b"(;CA[UTF-8]RE[W+]KM[-6.5];W[aa])";
    swap_colors_in_the_charset: "swap-colors" "" b"(;CA[GBK]RE[\xba\xda\xca\xa4];B[aa])" => b"(;CA[GBK]RE[W+];W[aa])";
    swap_colors_in_other_spellings: "swap-colors" "" b"(;RE[ B+R];B[aa])(;RE[b+3.5])(;RE[Black+R])(;RE[W resigned])(;RE[B win])"
        => b"(;RE[W+R];W[aa])(;RE[w+3.5])(;RE[W+R])(;RE[W+R])(;RE[W+])";
    swap_colors_keeps_what_has_no_side: "swap-colors" "" b"(;RE[Jigo]KM[0.0]V[+2];V[-1.5])(;RE[?]KM[])(;RE[Void])"
        => b"(;RE[Jigo]KM[0.0]V[-2];V[1.5])(;RE[?]KM[])(;RE[Void])";
    swap_colors_keeps_words_after_the_margin: "swap-colors" "" b"(;RE[B+3 (after 200)])" => b"(;RE[W+3 (after 200)])";
    swap_colors_leaves_other_words: "swap-colors" "" b"(;RE[see comment]KM[6.5 (Japanese)])(;RE[Bob+R])(;RE[B+R White resigned])"
        => b"(;RE[see comment]KM[6.5 (Japanese)])(;RE[Bob+R])(;RE[B+R White resigned])";
    canonical_drops_the_end_of_a_dropped_variation: "canonical" "" b"(;W[](x;B[ee]);B[cc])" => b"(;W[]\n;B[ee]\n;B[cc])\n";
    canonical: "canonical" "" b" (;GaMe[1] ;B[aa](;W[bb]) (;W[cc]))" => b"(;GM[1]\n;B[aa]\n(;W[bb])\n(;W[cc]))\n";
    canonical_keeps_the_byte_order_mark: "canonical" "" b"\xef\xbb\xbf (;C[\xc3\xa9] ;)\n(;)" => b"\xef\xbb\xbf(;C[\xc3\xa9]\n;)\n(;)\n";
    canonical_variations_stay: "canonical" "" b"(;GM[1];B[aa](;FF[4]W[bb])(;GM[1]W[cc])(;W[dd]))"
        => b"(;GM[1]\n;B[aa]\n(;FF [4]W[bb])\n(;GM [1]W[cc])\n(;W[dd]))\n";
    what_is_missing_is_written: "strip" "N" b"(;B[aa](;C[x]N[y];W[bb](;C[cut\\" => b"(;B[aa](;C[x];W[bb](;C[cut])))";
    what_lacks_its_parenthesis_gets_one: "strip" "N" b"(;A[1])\n;B[aa]N[y])" => b"(;A[1])\n(;B[aa])";
    what_is_supplied_is_no_game: "strip" "N" b"(;(GM[]CA[])\nFF[]N[])" => b"(;(;GM []CA[])\n(;FF []))";
    what_is_junk_goes: "strip" "N" b"(;B[aa] junk N[y]C[x];W)" => b"(;B[aa]C[x];)";
}

#[test]
fn edits_go_in_order() {
    let input = b"(;GM[1]FF[3]AB[aa]B[bb]C[x];W[cc])";
    let (output, report) = rewrite(
        &[("upgrade", ""), ("strip", "comments"), ("set", "EV=x")],
        input,
    );
    assert_eq!(
        String::from_utf8_lossy(&output),
        "(;GM[1]FF[4]AB[aa]EV[x];B[bb];W[cc])"
    );
    assert_eq!(report.changes, [("upgrade", 2), ("strip", 1), ("set", 1)]);
}

/// Rewrites like [`rewrite`], with a reader whose games may have at most 64 bytes.
fn rewrite_long(edits: &[(&str, &str)], input: &[u8]) -> (Vec<u8>, Report) {
    let edits = edits
        .iter()
        .map(|(name, argument)| edit(name, argument).expect("an edit"))
        .collect();
    let limits = Limits::default().with_game(64).with_property(64);
    let mut rewriter = Rewriter::new(edits).with_options(Options::default().with_limits(limits));
    let output = rewriter.slice(input);
    (output, rewriter.report())
}

#[test]
fn whole_properties_of_a_long_game_are_dropped() {
    let list = "[aa]".repeat(30);
    let input = format!(
        "x(;GM[1] C[{}] N[x]\nAB{list}\n;B[bb]junk(;C[y]FF[4];W[cc])(;N[{}\\",
        "a".repeat(99),
        "b".repeat(99)
    );
    let expected = format!(
        "x(;GM[1] N[x]\n;B[bb](;FF [4];W[cc])(;N[{}]))",
        "b".repeat(99)
    );
    let (output, report) = rewrite_long(&[("strip", "comments,AB")], input.as_bytes());
    assert_eq!(String::from_utf8_lossy(&output), expected);
    assert_eq!(report.changes, [("strip", 3)]);
    assert_eq!(report.notes.iter().collect::<Vec<_>>(), [(UNREAD, 4)]);
    assert_eq!(
        String::from_utf8_lossy(&rewrite(&[("strip", "comments,AB")], input.as_bytes()).0),
        expected
    );
}

#[test]
fn a_long_game_is_left_by_other_edits() {
    let input = format!("(;B[aa])(;C[{}]B[aa])(;B[bb])", "é".repeat(99));
    let (output, report) = rewrite_long(&[("rename", "B=W")], input.as_bytes());
    assert_eq!(
        String::from_utf8_lossy(&output),
        input
            .replacen("B[aa]", "W[aa]", 1)
            .replace("B[bb]", "W[bb]")
    );
    assert!(report.notes.is_cut());
    assert_eq!(rewrite_long(&[], input.as_bytes()).0, input.as_bytes());
}

#[test]
fn a_long_value_is_converted() {
    let text = "黒a".repeat(300_000);
    let (gbk, _, _) = encoding_rs::GBK.encode(&text);
    let input = [b"(;CA[GBK]C[", &*gbk, b"]N[x];B[bb])"].concat();
    let expected = ["(;CA[UTF-8]C[", &text, "];B[rr])"].concat();
    let edits = [("utf8", ""), ("strip", "N"), ("turn", "rotate-180")];
    assert!(rewrite(&edits, &input).0 == expected.as_bytes());
}

#[test]
fn a_long_root_is_read_to_its_end() {
    let long = "x".repeat(300_000);
    let input = format!("(;C[{long}]SZ[9]GM[1];B[cb])");
    assert!(
        rewrite(&[("turn", "rotate-90")], input.as_bytes())
            .0
            .ends_with(b";B[hc])")
    );
    let input = format!("(;C[{long}]GM[11];B[cb])");
    assert!(
        rewrite(&[("swap-colors", "")], input.as_bytes())
            .1
            .notes
            .is_cut()
    );
}

/// Each edit notes what it left unedited.
#[test]
fn edits_note_what_they_skip() {
    for (edit, argument, input, note, is_cut) in [
        (
            "turn",
            "rotate-90",
            &b"(;SZ[9];LB[ep A]B[zz]AB[aa][a])"[..],
            "points are unchanged",
            true,
        ),
        (
            "turn",
            "rotate-90",
            b"(;GM[2];B[c4])",
            "games were not rotated: only Go and Hex",
            true,
        ),
        (
            "turn",
            "rotate-90",
            b"(;SZ[9 9];B[cb])",
            "games were not rotated: the size",
            true,
        ),
        (
            "turn",
            "rotate-90",
            b"(;AP[kropki.dl.pl:0001]SZ[9];B[cb])",
            "games were not rotated: only Go and Hex",
            true,
        ),
        (
            "swap-colors",
            "",
            b"(;RE[see comment];B[aa])",
            "a result, komi, player to move",
            true,
        ),
        (
            "swap-colors",
            "",
            b"(;KM[375])",
            "a result, komi, player to move",
            true,
        ),
        (
            "swap-colors",
            "",
            b"(;AP[Edax:4]SZ[8];B[c4])",
            "colors were swapped in Go games only",
            true,
        ),
        (
            "swap-colors",
            "",
            b"(;GM[2];B[c4])",
            "colors were swapped in Go games only",
            true,
        ),
        (
            "compress",
            "",
            b"(;FF[3]AB[aa][ba][ab][bb])",
            "lists of points were not compressed",
            true,
        ),
        (
            "set",
            "PB=\u{9ed2}",
            b"(;CA[ISO-8859-1]GM[1])",
            "values that their game's charset cannot encode",
            true,
        ),
        (
            "set",
            "PB=\u{9ed1}",
            b"(;PW[\xc0\xee])",
            "values beyond ASCII were not written",
            true,
        ),
        (
            "compress",
            "",
            b"(;FF[4]AB[aa][ba][ab][bb][aa])",
            "lists name points more than once",
            false,
        ),
        (
            "expand",
            "",
            b"(;FF[4]AB[aa:bb][aa])",
            "lists name points more than once",
            false,
        ),
        (
            "expand",
            "",
            b"(;FF[4]AB[aa:bb][cc:a])",
            "lists of points are unchanged: a point",
            true,
        ),
        (
            "expand",
            "",
            b"(;FF[4]GM[11]AB[a1:c3])",
            "lists of points are unchanged: their game",
            true,
        ),
    ] {
        let (_, report) = rewrite(&[(edit, argument)], input);
        assert!(
            report.notes.iter().any(|(text, _)| text.starts_with(note)),
            "{edit}: {report:?}"
        );
        assert_eq!(report.notes.is_cut(), is_cut, "{edit}");
    }
    let (_, report) = rewrite(
        &[("turn", "rotate-90")],
        b"(;SZ[9];B[aa];W[tt];B[]LB[aa:x]PL[B])",
    );
    assert_eq!(report.notes.iter().count(), 0, "{report:?}");
}
