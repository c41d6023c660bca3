//! Habits of real files, by the ids of `docs/spec/quirks.md`.

// The field (spec quirks §1 to §6).

reads!(q01_two_values_start, b"(B[aa]W[bb])", "( !missing-root-semicolon@1..1 +; B<aa> W<bb> )");
reads!(q01_text_in_parenthesis, b"(see there) (;B[aa])", "!text-before-game@0..11 ( ; B<aa> )");
reads!(q02_between_trees, b"(;B[aa]) and then (;W[bb])", "( ; B<aa> ) !text-after-game@9..17 ( ; W<bb> )");
reads!(q03_empty_value_first, b"(;PW[][white])", "( ; PW<><white> )");
reads!(q20_parenthesis_blank_semicolon, b"( \n;B[aa])", "( ; B<aa> )");
reads!(q20_stops_at_balance, b"(;B[aa]))(;W[bb])", "( ; B<aa> ) !stray-parenthesis@8..9 ( ; W<bb> )"); // Q-20 Q-63
reads!(q21_digit_identifier, b"(;B[aa]1[b2]W[cc])", "( ; B<aa> 1<b2> W<cc> )");
reads!(q25_no_parenthesis, b";B[hh];W[ii]", "!missing-parenthesis@0..0 +( ; B<hh> ; W<ii> !unclosed-game@12..12 +)");
reads!(q25_no_parenthesis_no_semicolon, b"B[hh];W[ii]", "!value-before-game@0..11 !no-game@11..11");
reads!(q25_no_semicolon, b"(B[hh];W[ii])", "( !missing-root-semicolon@1..1 +; B<hh> ; W<ii> )");
reads!(q25_all_lowercase, b"(;b[hh])", "( ; !identifier-without-capital@2..7 )");
reads!(q26_carriage_returns, b"(;C[a\rb];B[aa]\r;W[bb])", "( ; C<a\\rb> ; B<aa> ; W<bb> )");
reads!(q29_byte_order_mark, b"\xef\xbb\xbf(;B[aa])", "( ; B<aa> )"); // Q-29 CA-07
reads!(q29_list_of_moves, b"(;B[aa][bb])", "( ; B<aa><bb> )");
reads!(q32_line_games, b"(;FF[4];B[aa])\n(;FF[4];B[bb])\n", "( ; FF<4> ; B<aa> ) ( ; FF<4> ; B<bb> )");
reads!(q36_mgt, b"A tutorial\n(;\nGaMe[1]\nVieW[]\nComment[\\(one\\)]\nBlack[qd]\n)\n", "!text-before-game@0..10 ( ; GaMe<1> VieW<> Comment<\\(one\\)> Black<qd> )");
reads!(q37_mailgo, b"TO: a\nFROM: b\n---GoGaMeStArT---\n(;B[aa])\n---GoGaMeEnD---\n", "!text-before-game@0..31 ( ; B<aa> ) !text-after-game@41..56");
reads!(q38_without_semicolon, b"Subject: (none)\n\n(GM[1]FF[3];B[aa])", "!text-before-game@0..15 ( !missing-root-semicolon@18..18 +; GM<1> FF<3> ; B<aa> )");
reads!(q40_fox, b"(;GM[1]FF[4] SZ[19] GN[] AP[GNU Go:3.8] AP[foxwq]RL[0] ;B[pp])", "( ; GM<1> FF<4> SZ<19> GN<> AP<GNU Go:3.8> AP<foxwq> RL<0> ; B<pp> )");
reads!(q40_fox_literal_breaks, b"(;GM[1]FF[4]\\r\\n;B[pp]\\r\\n;W[dd])", "( ; GM<1> FF<4> !unexpected-text@12..16 ; B<pp> !unexpected-text@22..26 ; W<dd> )");
reads!(q41_unescaped_bracket, b"(;C[hi [all] there]B[aa])", "( ; C<hi [all> !unexpected-text@13..18 !stray-bracket@18..19 B<aa> )");
reads!(q49_long_identifier, b"(;LZ[1 2 3]KT[YWJj==])", "( ; LZ<1 2 3> KT<YWJj==> )");
reads!(q51_stray_semicolons, b"(;B[aa];;;W[bb];)", "( ; B<aa> ; ; ; W<bb> ; )");
reads!(q51_empty_values, b"(;AB[]TM[0]RE[])", "( ; AB<> TM<0> RE<> )");
reads!(q52_moves_in_one_node, b"(;B[aa]W[bb];B[cc]B[dd])", "( ; B<aa> W<bb> ; B<cc> B<dd> )");
reads!(q56_boardspace, b"(;GM[27]VV[1]P0[id \"a b\"];P0[1 pick W 1 wA1];P1[3 done])", "( ; GM<27> VV<1> P0<id \"a b\"> ; P0<1 pick W 1 wA1> ; P1<3 done> )");
reads!(q57_quoted, b"> (;FF[3]\n> ;B[aa]\n> )", "!text-before-game@0..1 ( ; FF<3> !unexpected-text@10..11 ; B<aa> !unexpected-text@19..20 )");
reads!(q57_break_in_move, b"(;B[p\nd])", "( ; B<p\\nd> )");
reads!(q57_quoted_printable, b"(;C=5Baa];B[aa])", "( ; !identifier-without-value@2..3 !unexpected-text@3..4 !identifier-without-value@4..8 !stray-bracket@8..9 ; B<aa> )");
reads!(q58_unescaped_bracket, b"(;C[it is [sic] true];B[aa])", "( ; C<it is [sic> !unexpected-text@16..20 !stray-bracket@20..21 ; B<aa> )");
reads!(q59_open_brackets, b"(;C[[[[];B[aa])", "( ; C<[[[> ; B<aa> )");
reads!(q60_dos_end, b"(;B[aa])\r\n\x1a", "( ; B<aa> )");
reads!(q60_nul_end, b"(;B[aa])\x00\x00", "( ; B<aa> )");
reads!(q60_control_z_inside, b"(;B[aa]\x1a;W[bb])", "( ; B<aa> ; W<bb> )");
reads!(q61_mark_in_the_middle, b"(;B[aa])\n\xef\xbb\xbf(;B[bb])", "( ; B<aa> ) ( ; B<bb> )");
reads!(q61_mark_after_text, b"text\xef\xbb\xbf(;B[bb])", "!text-before-game@0..4 ( ; B<bb> )");
reads!(q62_cut_in_value, b"(;B[aa];W[b", "( ; B<aa> ; W<b> !unclosed-value@11..11 !unclosed-game@11..11 +)");
reads!(q62_cut_after_node, b"(;B[aa](;W[bb](;B[cc]", "( ; B<aa> ( ; W<bb> ( ; B<cc> !unclosed-game@21..21 +) +) +)");
reads!(q63_too_many_ends, b"(;B[aa])))", "( ; B<aa> ) !stray-parenthesis@8..9 !stray-parenthesis@9..10");
reads!(q63_too_few_ends, b"(;B[aa](;W[bb]\n(;GM[1];B[cc])", "( ; B<aa> ( ; W<bb> !unclosed-game@15..15 +) +) ( ; GM<1> ; B<cc> )");
reads!(q63_root_and_info, b"(;SZ[9];B[aa]\n(;PB[b]SZ[9];B[cc])", "( ; SZ<9> ; B<aa> !unclosed-game@14..14 +) ( ; PB<b> SZ<9> ; B<cc> )"); // Q-63 A-05
reads!(q63_root_and_info_in_a_line, b"(;SZ[9];B[aa](;PB[b]SZ[9];B[cc])", "( ; SZ<9> ; B<aa> ( ; PB<b> SZ<9> ; B<cc> ) !unclosed-game@32..32 +)"); // Q-63 A-05
reads!(q63_after_a_variation, b"(;SZ[9];B[aa](;W[bb])(;PB[b]SZ[9];B[cc])", "( ; SZ<9> ; B<aa> ( ; W<bb> ) !unclosed-game@21..21 +) ( ; PB<b> SZ<9> ; B<cc> )"); // Q-63 A-05
reads!(q63_players, b"(;B[aa];W[bb]\n(;EV[x]PB[b]PW[c];B[cc])", "( ; B<aa> ; W<bb> !unclosed-game@14..14 +) ( ; EV<x> PB<b> PW<c> ; B<cc> )"); // Q-63 A-07
reads!(q63_players_below_the_root, b"(;B[aa]\n(;EV[x]PB[b]PW[c];B[cc])", "( ; B<aa> ( ; EV<x> PB<b> PW<c> ; B<cc> ) !unclosed-game@32..32 +)"); // Q-63 A-07
reads!(q63_players_with_a_move, b"(;B[aa];W[bb]\n(;EV[x]PB[b]PW[c]B[cc])", "( ; B<aa> ; W<bb> ( ; EV<x> PB<b> PW<c> B<cc> ) !unclosed-game@37..37 +)"); // Q-63 A-07
reads!(q63_closed_with_players, b"(;B[aa];W[bb]\n(;EV[x]PB[b]PW[c];B[cc])\n(;EV[x]PB[d]PW[e]))", "( ; B<aa> ; W<bb> ( ; EV<x> PB<b> PW<c> ; B<cc> ) ( ; EV<x> PB<d> PW<e> ) )"); // Q-63 A-07
reads!(q64_empty_level, b"((;B[aa]))", "!variation-without-node@0..1 ( ; B<aa> )");
reads!(q64_empty_level_inside, b"(;B[aa]((;W[bb])(;W[cc])))", "( ; B<aa> !variation-without-node@7..8 ( ; W<bb> ) ( ; W<cc> ) )");
reads!(q65_colons, b"(;AP[name]AP[a:b:c]LB[aa:]SZ[19x19])", "( ; AP<name> AP<a:b:c> LB<aa:> SZ<19x19> )");
reads!(q66_numbers, b"(;KM[6,5]KM[6.5 ]HA[2 stones]TM[1:00:00])", "( ; KM<6,5> KM<6.5 > HA<2 stones> TM<1:00:00> )");
reads!(q67_full_width, b"(;KM[\xef\xbc\x96])", "( ; KM<\\xef\\xbc\\x96> )");
reads!(q71_escaped_trail, b"(;CA[GBK]C[\x81\\]\x81\\\\])", "( ; CA<GBK> C<\\x81\\]\\x81\\\\> )"); // Q-71 CA-03
reads!(q73_charset_later, b"(;GM[1];CA[klingon])", "( ; GM<1> ; CA<klingon> )");

// Fragments (spec quirks §8).

reads!(f01_escapes, b"(;FF[4]C[a\\]b\\\\];B[tt])", "( ; FF<4> C<a\\]b\\\\> ; B<tt> )"); // F-01
reads!(f02_pass_is_a_point, b"(;FF[4]SZ[21];B[tt])", "( ; FF<4> SZ<21> ; B<tt> )"); // F-02
reads!(f03_breaks, b"(;C[one\\\r\ntwo\n\rthree])", "( ; C<one\\\\r\\ntwo\\n\\rthree> )"); // F-03
reads!(f04_simple_text, b"(;N[a\r\nb\tc])", "( ; N<a\\r\\nb\\tc> )"); // F-04
reads!(f05_lowercase, b"(;Black[qd];WhIte[dd])", "( ; Black<qd> ; WhIte<dd> )"); // F-05
reads!(f06_junk_around, b"junk [aa] (;B[cc]) tail (;W[dd])", "!value-before-game@0..9 ( ; B<cc> ) !text-after-game@19..23 ( ; W<dd> )"); // F-06
reads!(f07_rectangle, b"(;AB[aa:cc][dd]AE[bb])", "( ; AB<aa:cc><dd> AE<bb> )"); // F-07
reads!(f08_labels, b"(;LB[aa:x:y][bb:\\:])", "( ; LB<aa:x:y><bb:\\:> )"); // F-08
reads!(f09_application, b"(;AP[a\\:b:1.0])", "( ; AP<a\\:b:1.0> )"); // F-09
reads!(f10_hex, b"(;GM[11];B[c1];W[swap-pieces];B[a3])", "( ; GM<11> ; B<c1> ; W<swap-pieces> ; B<a3> )"); // F-10
reads!(f11_view, b"(;VW[aa:ss](;B[aa])(;VW[]B[bb]))", "( ; VW<aa:ss> ( ; B<aa> ) ( ; VW<> B<bb> ) )"); // F-11
reads!(f12_dates, b"(;DT[1996-12-27,28,1997-01-03,04])", "( ; DT<1996-12-27,28,1997-01-03,04> )"); // F-12
reads!(f13_node_after_variation, b"(;B[aa](;W[bb])(;W[cc]);B[dd])", "( ; B<aa> ( ; W<bb> ) ( ; W<cc> ) !node-after-variation@23..23 +( ; B<dd> +) )"); // F-13
reads!(f14_blokus, b"(;GM[Blokus Duo]CA[utf-8];B[F9,E10,f10,g10,f11])", "( ; GM<Blokus Duo> CA<utf-8> ; B<F9,E10,f10,g10,f11> )"); // F-14
reads!(f14_nexos, b"(;GM[Nexos];1[b1][c2])", "( ; GM<Nexos> ; 1<b1><c2> )"); // F-14
reads!(f15_backgammon, b"(;GM[6];B[double];W[take];B[31hefe]AB[a][a][f])", "( ; GM<6> ; B<double> ; W<take> ; B<31hefe> AB<a><a><f> )"); // F-15
