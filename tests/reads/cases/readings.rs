//! Questions on which readers disagree, by the ids of `docs/spec/readings.md`.

reads!(reading_01_needless_escape, b"(;C[\\z])", "( ; C<\\z> )"); // RD-01
reads!(reading_02_double_backslash, b"(;C[a\\\\]W[aa])", "( ; C<a\\\\> W<aa> )"); // RD-02
reads!(reading_03_lone_cr, b"(;C[a\rb]\r;B[aa])", "( ; C<a\\rb> ; B<aa> )"); // RD-03
reads!(reading_04_tabs, b"(;C[a\tb\\\tc\x0b\x0c])", "( ; C<a\\tb\\\\tc\\x0b\\x0c> )"); // RD-04
reads!(reading_05_multiple_blanks, b"(;C[ a  b  ])", "( ; C< a  b  > )"); // RD-05
reads!(reading_06_identifier_twice, b"(;AB[aa]AB[bb])", "( ; AB<aa> AB<bb> )"); // RD-06
reads!(reading_07_lowercase_ff3, b"(;FF[3]White[aa])", "( ; FF<3> White<aa> )"); // RD-07
reads!(reading_07_lowercase_ff4, b"(;White[aa]FF[4];Black[bb])", "( ; White<aa> FF<4> !lowercase-identifier@2..7 ; Black<bb> !lowercase-identifier@17..22 )"); // RD-07
reads!(reading_07_no_capital, b"(;FF[3]white[aa])", "( ; FF<3> !identifier-without-capital@7..16 )"); // RD-07
reads!(reading_08_digits, b"(;GM[Blokus]1[a1])", "( ; GM<Blokus> 1<a1> )"); // RD-08
reads!(reading_09_text_before, b"hello (;B[aa])", "!text-before-game@0..5 ( ; B<aa> )"); // RD-09
reads!(reading_10_text_after, b"(;B[aa]) bye", "( ; B<aa> ) !text-after-game@9..12"); // RD-10
reads!(reading_11_empty, b"(;B[aa]()())", "( ; B<aa> !empty-variation@7..9 !empty-variation@9..11 )"); // RD-11
reads!(reading_11_double, b"((;B[aa]))", "!variation-without-node@0..1 ( ; B<aa> )"); // RD-11
reads!(reading_11_empty_between, b"(;B[aa]();W[bb])", "( ; B<aa> !empty-variation@7..9 ; W<bb> )"); // RD-11
reads!(reading_12_no_semicolon, b"(B[aa])", "( !missing-root-semicolon@1..1 +; B<aa> )"); // RD-12
reads!(reading_12_no_semicolon_inside, b"(;A[1](B[aa];W[bb])(W[cc]))", "( ; A<1> ( !missing-semicolon@7..7 +; B<aa> ; W<bb> ) ( !missing-semicolon@20..20 +; W<cc> ) )"); // RD-12
reads!(reading_13_node_after, b"(;A[1](;B[2]);C[3])", "( ; A<1> ( ; B<2> ) !node-after-variation@13..13 +( ; C<3> +) )"); // RD-13
reads!(reading_14_no_value, b"(;B;W[bb])", "( ; !identifier-without-value@2..3 ; W<bb> )"); // RD-14
reads!(reading_14_no_identifier, b"(;[aa][bb]W[cc])", "( ; !value-without-identifier@2..10 W<cc> )"); // RD-14
reads!(reading_15_unclosed, b"(;B[aa](;W[bb]", "( ; B<aa> ( ; W<bb> !unclosed-game@14..14 +) +)"); // RD-15
reads!(reading_16_break_in_identifier, b"(;P\nB[name])", "( ; !identifier-without-value@2..3 B<name> )"); // RD-16
reads!(reading_17_long_identifier, b"(;ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789[x])", "( ; ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<x> )"); // RD-17
reads!(reading_18_second_colon, b"(;LB[aa:b:c])", "( ; LB<aa:b:c> )"); // RD-18
reads!(reading_19_rectangles, b"(;AB[bb:aa][cc:cc])", "( ; AB<bb:aa><cc:cc> )"); // RD-19
reads!(reading_20_empty_list, b"(;AB[])", "( ; AB<> )"); // RD-20
reads!(reading_21_sloppy, b"(;PL[b]MN[+ 1]KM[1.]KM[1e3])", "( ; PL<b> MN<+ 1> KM<1.> KM<1e3> )"); // RD-21
reads!(reading_22_no_charset, b"(;C[\xe9t\xe9])", "( ; C<\\xe9t\\xe9> )"); // RD-22
reads!(reading_23_unknown_charset, b"(;CA[klingon]C[\xe9])", "( ; CA<klingon> !unknown-charset@2..13 C<\\xe9> )"); // RD-23
reads!(reading_24_invalid_bytes, b"(;CA[UTF-8]C[\xff\xfe])", "( ; CA<UTF-8> C<\\xff\\xfe> )"); // RD-24
reads!(reading_25_trail_bytes, b"(;CA[Shift_JIS]C[\x95\\\\\x83\\\\])", "( ; CA<Shift_JIS> C<\\x95\\\\\\x83\\\\> )"); // RD-25
reads!(reading_26_charset_each, b"(;CA[GBK]C[\xba\xda])(;CA[Big5]C[\xb6\xc2])", "( ; CA<GBK> C<\\xba\\xda> ) ( ; CA<Big5> C<\\xb6\\xc2> )"); // RD-26
