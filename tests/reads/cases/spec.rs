//! The lines of the specification, by their ids in `docs/spec/core.md`.

// Grammar (spec core §1).

reads!(smallest_game, b"(;)", "( ; )"); // C-03
reads!(empty_input, b"", "!no-game@0..0"); // C-13, NoGame
reads!(terminals_are_data_in_values, b"(;C[(;[:)])", "( ; C<(;[:)> )"); // C-01 C-09
reads!(collection_of_two, b"(;B[aa])(;W[bb])", "( ; B<aa> ) ( ; W<bb> )"); // C-02 C-12
reads!(collection_with_blanks, b" (;FF[4]) \n (;FF[3]) ", "( ; FF<4> ) ( ; FF<3> )"); // C-12
reads!(node_without_property, b"(;;;(;;)(;))", "( ; ; ; ( ; ; ) ( ; ) )"); // C-03
reads!(unit_without_node, b"()", "!empty-variation@0..2 !no-game@2..2"); // C-03
reads!(property_without_value, b"(;B)", "( ; !identifier-without-value@2..3 )"); // C-04
reads!(property_without_node, b"(W[tt])", "( !missing-root-semicolon@1..1 +; W<tt> )"); // C-05
reads!(property_outside, b"(;)W[tt]", "( ; ) !text-after-game@3..8"); // C-05
reads!(node_after_child, b"(;a(;b);c)", "( ; !unexpected-text@2..3 ( ; !unexpected-text@5..6 ) !node-after-variation@7..7 +( ; !unexpected-text@8..9 +) )"); // C-06
reads!(white_space_everywhere, b" ( ; B [aa] [bb]\tW\x0b[cc]\r\n(\n;\r)\x0c) ", "( ; B<aa><bb> W<cc> ( ; ) )"); // C-07
reads!(white_space_before_value, b"(;B  [dg])", "( ; B<dg> )"); // C-07
reads!(white_space_in_identifier, b"(;A B[aa])", "( ; !identifier-without-value@2..3 B<aa> )"); // C-07
reads!(white_space_in_value, b"(;B[ p\nd ]C[ a\t b ])", "( ; B< p\\nd > C< a\\t b > )"); // C-08
reads!(bracket_in_value, b"(;C[a[b]W[aa])", "( ; C<a[b> W<aa> )"); // C-09
reads!(escaped_bracket, b"(;C[a\\]b])", "( ; C<a\\]b> )"); // C-09 T-09
reads!(tree_in_preorder, b"(;A[1](;B[2](;C[3])(;D[4]))(;E[5]))", "( ; A<1> ( ; B<2> ( ; C<3> ) ( ; D<4> ) ) ( ; E<5> ) )"); // C-10
reads!(mixed_games, b"(;FF[4]GM[1]SZ[19])(;FF[3]GM[11]SZ[11])(;GM[6])", "( ; FF<4> GM<1> SZ<19> ) ( ; FF<3> GM<11> SZ<11> ) ( ; GM<6> )"); // C-12
reads!(long_text, b"(;C[aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa])", "( ; C<aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa> )"); // C-14
reads!(long_number, b"(;KM[123456789012345678901234567890.5])", "( ; KM<123456789012345678901234567890.5> )"); // C-15
reads!(text_before_first, b"Kifu of the day (;B[aa])", "!text-before-game@0..15 ( ; B<aa> )"); // C-16
reads!(property_order_kept, b"(;W[bb]B[aa])", "( ; W<bb> B<aa> )"); // C-17

// Identifiers (spec core §2).

reads!(one_and_two_capitals, b"(;B[aa]AB[bb])", "( ; B<aa> AB<bb> )"); // I-01
reads!(lowercase_dropped_before_ff4, b"(;Black[qd]thisisaWhitemove[kk]bbrWyryrerwLerreoi[10.3])", "( ; Black<qd> thisisaWhitemove<kk> bbrWyryrerwLerreoi<10.3> )"); // I-02
reads!(lowercase_in_game_and_size, b"(;GaMe[1]VieW[]SiZe[19])", "( ; GaMe<1> VieW<> SiZe<19> )"); // I-02 Q-36
reads!(lowercase_in_ff4, b"(;FF[4]Black[qd])", "( ; FF<4> Black<qd> !lowercase-identifier@7..12 )"); // I-02
reads!(letter_and_digit, b"(;P0[id \"x\"]A1[aa])", "( ; P0<id \"x\"> A1<aa> )"); // I-03
reads!(lowercase_alone, b"(;black[aa])", "( ; !identifier-without-capital@2..11 )"); // I-04
reads!(lowercase_alone_many, b"(;black[aa] [bb]W[cc])", "( ; !identifier-without-capital@2..16 W<cc> )"); // I-04
reads!(digit_identifiers, b"(;1[a1]A1[b2]1L[60]4[c3])", "( ; 1<a1> A1<b2> 1L<60> 4<c3> )"); // I-05
reads!(long_private, b"(;MULTIGOGM[1])", "( ; MULTIGOGM<1> )"); // I-06
reads!(escaped_private_value, b"(;XX[a\\]\\\\b:c])", "( ; XX<a\\]\\\\b:c> )"); // I-07
reads!(identifier_twice, b"(;C[one]C[two])", "( ; C<one> C<two> )"); // I-08
reads!(lost_bracket_before_point, b"(;B[aa LB[aa][bb])", "( ; B<aa LB[aa><bb> )"); // I-09

// Values and text (spec core §3): the reader returns them as written.

reads!(none_value, b"(;KO[])", "( ; KO<> )"); // V-01
reads!(number_values, b"(;MN[+1]MN[-1]SZ[19])", "( ; MN<+1> MN<-1> SZ<19> )"); // V-02
reads!(real_values, b"(;KM[6.5]KM[.5]KM[5.])", "( ; KM<6.5> KM<.5> KM<5.> )"); // V-03
reads!(double_values, b"(;GB[1]GW[2])", "( ; GB<1> GW<2> )"); // V-04
reads!(color_value, b"(;PL[B]PL[w])", "( ; PL<B> PL<w> )"); // V-05
reads!(list_of_points, b"(;AB[aa][bb][cc])", "( ; AB<aa><bb><cc> )"); // V-08
reads!(empty_list, b"(;DD[]VW[])", "( ; DD<> VW<> )"); // V-08
reads!(composed_values, b"(;AR[aa:bb]LB[aa:1])", "( ; AR<aa:bb> LB<aa:1> )"); // V-09
reads!(escape_any, b"(;C[\\z\\)\\(])", "( ; C<\\z\\)\\(> )"); // T-01 T-02
reads!(escape_white_space, b"(;C[a\\\tb])", "( ; C<a\\\\tb> )"); // T-01
reads!(escape_colon, b"(;AP[a\\:b:1])", "( ; AP<a\\:b:1> )"); // T-02 K-05
reads!(line_breaks, b"(;C[a\nb\rc\r\nd\n\re])", "( ; C<a\\nb\\rc\\r\\nd\\n\\re> )"); // T-03
reads!(soft_breaks, b"(;C[a\\\nb\\\rc\\\r\nd\\\n\re])", "( ; C<a\\\\nb\\\\rc\\\\r\\nd\\\\n\\re> )"); // T-04
reads!(hard_breaks, b"(;C[a\n\nb\r\r])", "( ; C<a\\n\\nb\\r\\r> )"); // T-05
reads!(other_white_space, b"(;C[a\tb\x0bc\x0cd  e])", "( ; C<a\\tb\\x0bc\\x0cd  e> )"); // T-06
reads!(escaped_backslash_then_break, b"(;C[a\\\\\nb])", "( ; C<a\\\\\\nb> )"); // T-08
reads!(backslash_before_bracket, b"(;C[a\\]B[aa])", "( ; C<a\\]B[aa> )"); // T-09
reads!(escaped_backslash_before_bracket, b"(;C[a\\\\]B[aa])", "( ; C<a\\\\> B<aa> )"); // T-09
reads!(worked_example, b"(;C[wo\\\nrd\na\\]b\\\\\\:c\td])", "( ; C<wo\\\\nrd\\na\\]b\\\\\\:c\\td> )"); // T-10
reads!(trailing_blanks_kept, b"(;C[a  ])", "( ; C<a  > )"); // T-11
reads!(simple_text_break, b"(;N[a\r\nb])", "( ; N<a\\r\\nb> )"); // S-01
reads!(long_opening_name, b"(;ON[a\nb])", "( ; ON<a\\nb> )"); // S-02
reads!(ff1_escapes, b"(;C[\\]\\\\])", "( ; C<\\]\\\\> )"); // S-04
reads!(compose_first_colon, b"(;LB[aa:x:y])", "( ; LB<aa:x:y> )"); // K-01 K-03
reads!(plain_colons, b"(;RU[Crawford:CrawfordGame]PC[http://x])", "( ; RU<Crawford:CrawfordGame> PC<http://x> )"); // K-02
reads!(compose_without_colon, b"(;AP[name]LB[aa])", "( ; AP<name> LB<aa> )"); // K-04
reads!(compose_escaped, b"(;AP[a\\:b:1])", "( ; AP<a\\:b:1> )"); // K-05
reads!(colon_in_move, b"(;GM[20]B[cc:ce])", "( ; GM<20> B<cc:ce> )"); // K-06
reads!(several_colons, b"(;XX[a:b:c::])", "( ; XX<a:b:c::> )"); // K-07
reads!(rectangles, b"(;AB[aa:cc][dd])", "( ; AB<aa:cc><dd> )"); // PT-03

// Unknown and faulty input (spec core §5).

reads!(unknown_kept, b"(;ZZ[1][2]QQ[])", "( ; ZZ<1><2> QQ<> )"); // E-01
reads!(faulty_game_info_kept, b"(;RE[Black wins]DT[yesterday])", "( ; RE<Black wins> DT<yesterday> )"); // E-02
reads!(repairs_of_the_page, b"(;DT[]N[]B[a a]BL KO()", "( ; DT<> N<> B<a a> !identifier-without-value@15..17 !identifier-without-value@18..20 !empty-variation@20..22 !unclosed-game@22..22 +)"); // E-03
reads!(mixed_setup_and_move, b"(;AB[aa]B[bb])", "( ; AB<aa> B<bb> )"); // E-04
reads!(old_markup, b"(;M[aa]L[bb][cc]VW[aa][cc])", "( ; M<aa> L<bb><cc> VW<aa><cc> )"); // E-05
reads!(all_preserved, b" (; W[a\\b]\n\nBlack [ c\\\nd ] )", "( ; W<a\\b> Black< c\\\\nd > )"); // E-06
