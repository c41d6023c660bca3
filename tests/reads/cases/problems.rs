//! A fixture for each problem code that a reader gives, named after it.

reads!(text_before_game, b"hello(;)", "!text-before-game@0..5 ( ; )");
reads!(value_before_game, b"lost ;B[pd];W[dp] (;B[aa])", "!value-before-game@0..17 ( ; B<aa> )");
reads!(text_after_game, b"(;)bye", "( ; ) !text-after-game@3..6");
reads!(no_game, b" nothing here ", "!text-before-game@1..13 !no-game@14..14");
reads!(wide_encoding, b"\xff\xfe(;)", "!wide-encoding@0..2 ( ; )");
reads!(missing_parenthesis, b";B[pd];W[dp]", "!missing-parenthesis@0..0 +( ; B<pd> ; W<dp> !unclosed-game@12..12 +)");
reads!(missing_root_semicolon, b"( GM[1];B[aa])", "( !missing-root-semicolon@2..2 +; GM<1> ; B<aa> )");
reads!(missing_semicolon, b"(;( B[aa]))", "( ; ( !missing-semicolon@4..4 +; B<aa> ) )");
reads!(variation_without_node, b"(;(@;B[aa]))", "( ; !variation-without-node@2..3 !unexpected-text@3..4 ; B<aa> )");
reads!(empty_variation, b"(;( ))", "( ; !empty-variation@2..5 )");
reads!(node_after_variation, b"(;(;)B[aa])", "( ; ( ; ) !node-after-variation@5..5 +( +; B<aa> +) )");
reads!(stray_parenthesis, b"(;))", "( ; ) !stray-parenthesis@3..4");
reads!(stray_bracket, b"(;B[aa]];W[bb])", "( ; B<aa> !stray-bracket@7..8 ; W<bb> )");
reads!(unexpected_text, b"(;B[aa], @ :W[bb])", "( ; B<aa> !unexpected-text@7..12 W<bb> )");
reads!(nul_byte, b"(;\x00\x00 \x00B[aa])", "( ; !nul-byte@2..4 !nul-byte@5..6 B<aa> )");
reads!(identifier_without_value, b"(;KO ;B[aa])", "( ; !identifier-without-value@2..4 ; B<aa> )");
reads!(identifier_without_capital, b"(;ko [1] [2];B[aa])", "( ; !identifier-without-capital@2..12 ; B<aa> )");
reads!(identifier_too_long, small, b"(;ABCDEFGHI [aa] [bb]B[cc])", "( ; !identifier-too-long@2..21 B<cc> )");
reads!(lowercase_identifier, b"(;FF[4];Black[aa])", "( ; FF<4> ; Black<aa> !lowercase-identifier@8..13 )");
reads!(value_without_identifier, b"(;[1] [2]B[aa])", "( ; !value-without-identifier@2..9 B<aa> )");
reads!(unclosed_value, b"(;C[abc", "( ; C<abc> !unclosed-value@7..7 !unclosed-game@7..7 +)");
reads!(unclosed_identifier, b"(;B[aa]W \n", "( ; B<aa> !unclosed-identifier@7..8 !unclosed-game@10..10 +)");
reads!(unclosed_game, b"(;B[aa](;W[bb])", "( ; B<aa> ( ; W<bb> ) !unclosed-game@15..15 +)");
reads!(unknown_charset, b"(;CA[x-none]B[aa])", "( ; CA<x-none> !unknown-charset@2..12 B<aa> )");
