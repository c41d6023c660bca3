//! The rows of `docs/spec/reader.md`, alone and combined.

// Outside a game.

reads!(outside_blanks_only, b" \n\t ", "!no-game@4..4");
reads!(outside_nul_is_blank, b"\x00(;B[aa])\x00", "( ; B<aa> )");
reads!(outside_nul_in_text, b"a\x00b(;)", "!text-before-game@0..3 ( ; )");
reads!(outside_bracket_opens_nothing, b"text [ (;B[aa])", "!text-before-game@0..6 ( ; B<aa> )");
reads!(outside_text_with_parenthesis, b"text ) ( more () (;B[aa])", "!text-before-game@0..16 ( ; B<aa> )");
reads!(outside_text_with_double, b"hello ((world)) (;B[aa]))", "!text-before-game@0..5 !variation-without-node@6..7 !text-before-game@7..15 ( ; B<aa> )");
reads!(outside_lone_parenthesis, b"(", "!text-before-game@0..1 !no-game@1..1");
reads!(outside_lone_double, b"((", "!variation-without-node@0..1 !text-before-game@1..2 !no-game@2..2");
reads!(outside_double_empty, b"(())", "!variation-without-node@0..1 !empty-variation@1..3 !no-game@4..4");
reads!(outside_empty_then_text, b"() text", "!empty-variation@0..2 !text-before-game@3..7 !no-game@7..7");
reads!(outside_triple, b"(((;B[aa])))", "!variation-without-node@0..1 !variation-without-node@1..2 ( ; B<aa> )");
reads!(outside_lowercase_in_parenthesis, b"(b[aa])", "!value-before-game@0..7 !no-game@7..7");
reads!(headless_after_game, b"(;B[aa])\n;W[bb]", "( ; B<aa> ) !missing-parenthesis@9..9 +( ; W<bb> !unclosed-game@15..15 +)");
reads!(headless_not_at_line_start, b"(;B[aa]) ;W[bb]", "( ; B<aa> ) !text-after-game@9..15");
reads!(headless_behind_text, b"hello ;W[bb]", "!value-before-game@0..12 !no-game@12..12");
reads!(headless_next_line, b"hello\n ;W[bb]\n", "!text-before-game@0..5 !missing-parenthesis@7..7 +( ; W<bb> !unclosed-game@14..14 +)");
reads!(headless_closed, b";B[aa];W[bb])\n;B[cc]", "!missing-parenthesis@0..0 +( ; B<aa> ; W<bb> ) !missing-parenthesis@14..14 +( ; B<cc> !unclosed-game@20..20 +)");
reads!(headless_with_variation, b";B[aa](;W[bb])(;W[cc])", "!missing-parenthesis@0..0 +( ; B<aa> ( ; W<bb> ) ( ; W<cc> ) !unclosed-game@22..22 +)");
reads!(headless_lowercase, b";b[aa]", "!value-before-game@0..6 !no-game@6..6");
reads!(headless_without_value, b";B ;W[bb]", "!value-before-game@0..9 !no-game@9..9");
reads!(headless_node_alone, b";", "!text-before-game@0..1 !no-game@1..1");
reads!(headless_behind_mark, b"\xef\xbb\xbf;B[aa]", "!missing-parenthesis@3..3 +( ; B<aa> !unclosed-game@9..9 +)");
reads!(headless_after_empty, b"() ;B[aa]", "!empty-variation@0..2 !value-before-game@3..9 !no-game@9..9");
reads!(missing_root_semicolon_with_nul, b"(\x00B[aa])", "( !nul-byte@1..2 !missing-root-semicolon@2..2 +; B<aa> )");
reads!(text_up_to_property_start, b"note (B[aa])", "!text-before-game@0..4 ( !missing-root-semicolon@6..6 +; B<aa> )");

reads!(wide_mark_behind_blank, b" \xfe\xff(;)", "!text-before-game@1..3 ( ; )");
reads!(wide_mark_alone, b"\xfe\xff", "!wide-encoding@0..2 !no-game@2..2");
reads!(wide_mark_before_headless, b"\xfe\xff;B[aa]", "!wide-encoding@0..2 !missing-parenthesis@2..2 +( ; B<aa> !unclosed-game@8..8 +)");
reads!(value_before_game_with_blanks, b"[a\na]\n(;)", "!value-before-game@0..5 ( ; )");

// Inside a game.

reads!(dropped_parenthesis_closed, b"(;A[1]((;B[2]));C[3])", "( ; A<1> !variation-without-node@6..7 ( ; B<2> ) !node-after-variation@15..15 +( ; C<3> +) )");
reads!(dropped_in_variation, b"(;A[1](;B[2]((;C[3])(;D[4])))(;E[5]))", "( ; A<1> ( ; B<2> !variation-without-node@12..13 ( ; C<3> ) ( ; D<4> ) ) ( ; E<5> ) )");
reads!(dropped_at_end, b"(;A[1](", "( ; A<1> !variation-without-node@6..7 !unclosed-game@7..7 +)");
reads!(dropped_before_text, b"(;A[1](text)B[2])", "( ; A<1> !variation-without-node@6..7 !unexpected-text@7..11 B<2> )");
reads!(dropped_before_value, b"(;A[1]([aa])B[2])", "( ; A<1> !variation-without-node@6..7 !value-without-identifier@7..11 B<2> )");
reads!(dropped_lowercase, b"(;A[1](b[aa]))", "( ; A<1> !variation-without-node@6..7 !identifier-without-capital@7..12 )");
reads!(dropped_before_bracket, b"(;A[1](]))", "( ; A<1> !variation-without-node@6..7 !stray-bracket@7..8 )");
reads!(node_after_variation_twice, b"(;A[1](;B[2]);C[3](;D[4]);E[5])", "( ; A<1> ( ; B<2> ) !node-after-variation@13..13 +( ; C<3> ( ; D<4> ) !node-after-variation@25..25 +( ; E<5> +) +) )");
reads!(node_after_variation_then_child, b"(;A[1](;B[2]);C[3](;D[4])(;E[5]))", "( ; A<1> ( ; B<2> ) !node-after-variation@13..13 +( ; C<3> ( ; D<4> ) ( ; E<5> ) +) )");
reads!(property_after_variation, b"(;A[1](;B[2])C[3]D[4])", "( ; A<1> ( ; B<2> ) !node-after-variation@13..13 +( +; C<3> D<4> +) )");
reads!(supplied_inside_dropped, b"(;A[1](;B[2])((;C[3]);D[4]);E[5])", "( ; A<1> ( ; B<2> ) !variation-without-node@13..14 ( ; C<3> ) !node-after-variation@21..21 +( ; D<4> +) !node-after-variation@27..27 +( ; E<5> +) )");
reads!(missing_semicolon_with_nul, b"(;A[1](\x00 B[2]))", "( ; A<1> ( !nul-byte@7..8 !missing-semicolon@9..9 +; B<2> ) )");
reads!(empty_variation_with_nul, b"(;(\x00))", "( ; !empty-variation@2..5 )");
reads!(nul_in_property, b"(;B\x00[aa]\x00[bb]\x00W[cc])", "( ; B<aa><bb> !nul-byte@13..14 W<cc> )");
reads!(nul_in_value, b"(;C[a\x00b])", "( ; C<a\\x00b> )");
reads!(nul_after_identifier, b"(;KO\x00;)", "( ; !identifier-without-value@2..4 !nul-byte@4..5 ; )");
reads!(nul_in_text, b"(;@\x00@\x00 \x00;)", "( ; !unexpected-text@2..8 ; )");
reads!(nul_between_values_dropped, b"(;[a]\x00[b])", "( ; !value-without-identifier@2..9 )");
reads!(text_then_identifier, b"(;@KO@B[aa])", "( ; !unexpected-text@2..3 !identifier-without-value@3..5 !unexpected-text@5..6 B<aa> )");
reads!(text_with_lowercase, b"(;ab cd @ ef;)", "( ; !unexpected-text@2..12 ; )");
reads!(text_with_lowercase_value, b"(;ab cd [ef];)", "( ; !unexpected-text@2..4 !identifier-without-capital@5..12 ; )");
reads!(text_lowercase_at_end, b"(;ab cd", "( ; !unexpected-text@2..7 !unclosed-game@7..7 +)");
reads!(text_high_bytes, b"(;\xe9\xe9 \xe9B[aa])", "( ; !unexpected-text@2..6 B<aa> )");
reads!(text_backslash_escapes_nothing, b"(;\\]B[aa])", "( ; !unexpected-text@2..3 !stray-bracket@3..4 B<aa> )");
reads!(text_colon, b"(;B[aa]:W[bb])", "( ; B<aa> !unexpected-text@7..8 W<bb> )");
reads!(text_ends_at_empty, b"(;@()@)", "( ; !unexpected-text@2..3 !empty-variation@3..5 !unexpected-text@5..6 )");
reads!(text_after_child, b"(;(;)@)", "( ; ( ; ) !unexpected-text@5..6 )");
reads!(stray_brackets, b"(;B[aa]]]])", "( ; B<aa> !stray-bracket@7..8 !stray-bracket@8..9 !stray-bracket@9..10 )");
reads!(stray_bracket_after_child, b"(;(;)];W[bb])", "( ; ( ; ) !stray-bracket@5..6 !node-after-variation@6..6 +( ; W<bb> +) )");
reads!(value_after_child, b"(;(;)[aa])", "( ; ( ; ) !value-without-identifier@5..9 )");
reads!(value_at_start, b"(;A[1](;)([bb]))", "( ; A<1> ( ; ) !variation-without-node@9..10 !value-without-identifier@10..14 )");
reads!(identifier_then_end, b"(;KO)", "( ; !identifier-without-value@2..4 )");
reads!(identifier_then_bracket, b"(;KO]B[aa])", "( ; !identifier-without-value@2..4 !stray-bracket@4..5 B<aa> )");
reads!(identifier_high_byte, b"(;B\xe9[aa])", "( ; !identifier-without-value@2..3 !unexpected-text@3..4 !value-without-identifier@4..8 )");

// Lost ends.

reads!(next_game_at_line_start, b"(;GM[1];B[aa]\n(;GM[1];W[bb])", "( ; GM<1> ; B<aa> !unclosed-game@14..14 +) ( ; GM<1> ; W<bb> )");
reads!(next_game_ff, b"(;FF[4];B[aa](;W[bb]\r\n ( ; FF[4];W[cc])", "( ; FF<4> ; B<aa> ( ; W<bb> !unclosed-game@23..23 +) +) ( ; FF<4> ; W<cc> )");
reads!(next_game_not_at_line_start, b"(;GM[1];B[aa] (;GM[1];W[bb]))", "( ; GM<1> ; B<aa> ( ; GM<1> ; W<bb> ) )");
reads!(next_game_other_property, b"(;GM[1];B[aa]\n(;B[cc];W[bb]))", "( ; GM<1> ; B<aa> ( ; B<cc> ; W<bb> ) )");
reads!(next_game_lowercase, b"(;GM[1]\n(;FiFo[4]))", "( ; GM<1> ( ; FiFo<4> ) )");
reads!(next_game_blank_before_bracket, b"(;GM[1]\n(;GM [1]))", "( ; GM<1> ( ; GM<1> ) )");
reads!(next_game_after_text, b"(;GM[1] text\n(;GM[1])", "( ; GM<1> !unexpected-text@8..12 !unclosed-game@13..13 +) ( ; GM<1> )");
reads!(next_game_forgets_dropped, b"(;A[1]((;B[2])(;GM[1]FF[4])\n(;GM[1]))", "( ; A<1> !variation-without-node@6..7 ( ; B<2> ) !unclosed-game@14..14 +) ( ; GM<1> FF<4> ) ( ; GM<1> ) !stray-parenthesis@36..37");
reads!(next_game_or_dropped_end, b"(;A[1]((;B[2]\n(;GM[1])@)", "( ; A<1> !variation-without-node@6..7 ( ; B<2> ( ; GM<1> ) !unexpected-text@22..23 ) !unclosed-game@24..24 +)");
reads!(next_game_keeps_outer_dropped, b"((;A[1](;GM[1]FF[4])\n(;GM[1])))", "!variation-without-node@0..1 ( ; A<1> !unclosed-game@7..7 +) ( ; GM<1> FF<4> ) ( ; GM<1> ) !stray-parenthesis@30..31");
reads!(next_game_in_supplied, b"(;A[1](;B[2]);C[3]\n(;GM[1])", "( ; A<1> ( ; B<2> ) !node-after-variation@13..13 +( ; C<3> !unclosed-game@19..19 +) +) ( ; GM<1> )");
reads!(next_game_or_variation_balanced, b"(;GM[1]FF[4]SZ[9];B[aa](;GM[1]FF[4];W[bb])(;W[cc]))", "( ; GM<1> FF<4> SZ<9> ; B<aa> ( ; GM<1> FF<4> ; W<bb> ) ( ; W<cc> ) )");
reads!(next_game_or_variation_on_lines, b"(;GM[1];B[aa]\n(;FF[4]W[bb])\n(;W[cc]))", "( ; GM<1> ; B<aa> ( ; FF<4> W<bb> ) ( ; W<cc> ) )");
reads!(next_game_or_only_child, b"(;GM[1]C[x]\n(;GM[1]FF[4];W[bb])\n(;GM[1]FF[4];W[cc]))", "( ; GM<1> C<x> ( ; GM<1> FF<4> ; W<bb> ) ( ; GM<1> FF<4> ; W<cc> ) )");
reads!(next_game_or_variation_in_variation, b"(;GM[1]\n(;FF[4]\n(;FF[4];C[)]))\n)", "( ; GM<1> ( ; FF<4> ( ; FF<4> ; C<)> ) ) )");
reads!(next_game_on_one_line, b"(;GM[1];B[aa](;GM[1]FF[4];W[bb])", "( ; GM<1> ; B<aa> !unclosed-game@13..13 +) ( ; GM<1> FF<4> ; W<bb> )");
reads!(next_game_appended, b"(;GM[1];B[aa](;GM[1]FF[4])\n(;GM[1]FF[4]))", "( ; GM<1> ; B<aa> !unclosed-game@13..13 +) ( ; GM<1> FF<4> ) ( ; GM<1> FF<4> ) !stray-parenthesis@40..41");
reads!(next_game_then_games, b"(;GM[1];B[aa]\n(;GM[1])\n(;FF[4])", "( ; GM<1> ; B<aa> !unclosed-game@14..14 +) ( ; GM<1> ) ( ; FF<4> )");
reads!(next_game_in_value, b"(;GM[1];C[oops\n(;GM[1];B[aa])", "( ; GM<1> ; C<oops\\n> !unclosed-value@15..15 !unclosed-game@15..15 +) ( ; GM<1> ; B<aa> )");
reads!(next_game_in_value_of_list, b"(;AB[aa][bb\n\n (; FF[4]GM[1])", "( ; AB<aa><bb\\n\\n > !unclosed-value@14..14 !unclosed-game@14..14 +) ( ; FF<4> GM<1> )");
reads!(next_game_in_value_long_number, b"(;C[x\n(;GM[123456789];B[aa])", "( ; C<x\\n(;GM[123456789> ; B<aa> )");
reads!(next_game_in_value_eight, b"(;C[x\n(;GM[12345678];B[aa])", "( ; C<x\\n> !unclosed-value@6..6 !unclosed-game@6..6 +) ( ; GM<12345678> ; B<aa> )");
reads!(next_game_in_value_no_break, b"(;C[(;GM[1];B[aa])", "( ; C<(;GM[1> ; B<aa> )");
reads!(next_game_in_value_escaped, b"(;C[x\n\\(;GM[1];B[aa])", "( ; C<x\\n\\(;GM[1> ; B<aa> )");
reads!(next_game_in_value_break_in_number, b"(;C[x\n(;GM[1\n];B[aa])", "( ; C<x\\n(;GM[1\\n> ; B<aa> )");
reads!(next_game_in_value_soft_break, b"(;C[x\\\n(;GM[1];B[aa])", "( ; C<x\\\\n> !unclosed-value@7..7 !unclosed-game@7..7 +) ( ; GM<1> ; B<aa> )");
reads!(next_game_in_value_unclosed, b"(;C[x\n(;GM[1", "( ; C<x\\n(;GM[1> !unclosed-value@12..12 !unclosed-game@12..12 +)");
reads!(next_game_in_value_without_identifier, b"(;[x\n(;GM[1])", "( ; !value-without-identifier@2..5 !unclosed-value@5..5 !unclosed-game@5..5 +) ( ; GM<1> )");
reads!(next_game_in_value_without_capital, b"(;ab[x\n(;FF[1])", "( ; !identifier-without-capital@2..7 !unclosed-value@7..7 !unclosed-game@7..7 +) ( ; FF<1> )");
reads!(next_game_empty_number, b"(;C[x\n(;FF[])", "( ; C<x\\n> !unclosed-value@6..6 !unclosed-game@6..6 +) ( ; FF<> )");

// Ends of input.

reads!(end_in_empty_value, b"(;C[", "( ; C<> !unclosed-value@4..4 !unclosed-game@4..4 +)");
reads!(end_in_escape, b"(;C[a\\", "( ; C<a\\> !unclosed-value@6..6 !unclosed-game@6..6 +)");
reads!(end_in_list, b"(;AB[aa][bb", "( ; AB<aa><bb> !unclosed-value@11..11 !unclosed-game@11..11 +)");
reads!(end_in_dropped_value, b"(;[aa][bb", "( ; !value-without-identifier@2..9 !unclosed-value@9..9 !unclosed-game@9..9 +)");
reads!(end_in_lowercase_value, b"(;ab[cd", "( ; !identifier-without-capital@2..7 !unclosed-value@7..7 !unclosed-game@7..7 +)");
reads!(end_after_parenthesis, b"(;A[1](", "( ; A<1> !variation-without-node@6..7 !unclosed-game@7..7 +)");
reads!(end_after_blanks, b"(;B[aa] \n ", "( ; B<aa> !unclosed-game@10..10 +)");
reads!(end_after_text, b"(;B[aa] @ ", "( ; B<aa> !unexpected-text@8..9 !unclosed-game@10..10 +)");
reads!(end_of_supplied, b"(;A[1](;B[2]);C[3]", "( ; A<1> ( ; B<2> ) !node-after-variation@13..13 +( ; C<3> !unclosed-game@18..18 +) +)");
reads!(end_in_headless, b";B[aa", "!missing-parenthesis@0..0 +( ; B<aa> !unclosed-value@5..5 !unclosed-game@5..5 +)");

// Lowercase identifiers.

reads!(lowercase_before_ff4_first_only, b"(;GaMe[1]SiZe[19]FF[4]Black[aa])", "( ; GaMe<1> SiZe<19> FF<4> !lowercase-identifier@2..6 Black<aa> !lowercase-identifier@22..27 )");
reads!(lowercase_ff4_itself, b"(;FileFormat[4])", "( ; FileFormat<4> !lowercase-identifier@2..12 )");
reads!(lowercase_ff4_with_blanks, b"(;FF[ 4 ]Black[aa])", "( ; FF< 4 > Black<aa> !lowercase-identifier@9..14 )");
reads!(lowercase_ff4_not_in_root, b"(;Black[aa];FF[4]White[bb])", "( ; Black<aa> ; FF<4> White<bb> )");
reads!(lowercase_ff3, b"(;FF[3]Black[aa])", "( ; FF<3> Black<aa> )");
reads!(lowercase_next_game, b"(;FF[4]Bl[aa])(;Bl[aa])", "( ; FF<4> Bl<aa> !lowercase-identifier@7..9 ) ( ; Bl<aa> )");
reads!(lowercase_after_variation, b"(;Bl[aa](;)FF[4]Wh[bb])", "( ; Bl<aa> ( ; ) !node-after-variation@11..11 +( +; FF<4> Wh<bb> +) )");
reads!(lowercase_unclosed, b"(;FF[4]Bl[aa", "( ; FF<4> Bl<aa> !lowercase-identifier@7..9 !unclosed-value@12..12 !unclosed-game@12..12 +)");
reads!(unknown_charset_unclosed, b"(;CA[none", "( ; CA<none> !unknown-charset@2..9 !unclosed-value@9..9 !unclosed-game@9..9 +)");

// Found by random inputs.

reads!(blank_behind_text_and_eight_bytes, b"\n(;GM[1];B[aa]\\\\\n;B[aa](;", "( ; GM<1> ; B<aa> !unexpected-text@14..16 ; B<aa> ( ; !unclosed-game@25..25 +) +)");
reads!(nul_behind_dropped_values, b"(;[a]\0;ab[a]\0;)", "( ; !value-without-identifier@2..5 ; !identifier-without-capital@7..12 ; )");
reads!(text_in_two_parentheses, b"((A))", "!variation-without-node@0..1 !text-before-game@1..5 !no-game@5..5");
reads!(next_game_behind_a_mark, b"(;GM[1];B[aa]\n\xEF\xBB\xBF(;FF[4])", "( ; GM<1> ; B<aa> !unexpected-text@14..17 !unclosed-game@17..17 +) ( ; FF<4> )");
reads!(next_game_behind_a_nul_of_text, b"(;@\n\0(;FF[4])", "( ; !unexpected-text@2..5 !unclosed-game@5..5 +) ( ; FF<4> )");
reads!(next_game_before_a_nul, b"(;GM[1]\n(;\0FF[4])", "( ; GM<1> !unclosed-game@8..8 +) ( ; !nul-byte@10..11 FF<4> )");
reads!(identifier_and_blanks_of_a_block, b"(;0123456789abcdef                                        ;CA[none]1", "( ; !identifier-without-value@2..18 ; CA<none> !unclosed-identifier@67..68 !unclosed-game@68..68 +)");
reads!(identifier_and_a_far_value, b"(;B                                                    ;C[a value that goes beyond the block])", "( ; !identifier-without-value@2..3 ; C<a value that goes beyond the block> )");
