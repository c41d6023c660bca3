//! Inputs that exceed the limits.

use sgfstream::{Code, Event, EventReader as _, FramingPolicy, Options, SliceReader};

use crate::fronts::options;
use crate::twin::{self, Bounds};
use crate::{SMALL, check, check_steps};

macro_rules! reads {
    ($name:ident, small, $input:expr, $log:expr) => {
        #[test]
        fn $name() {
            check($input, SMALL, $log);
        }
    };
    ($name:ident, $input:expr, $log:expr) => {
        #[test]
        fn $name() {
            check($input, Bounds::default(), $log);
        }
    };
}

// Limits: property 16, identifier 8, lookahead 64.

reads!(property_whole, small, b"(;C[0123456789ab])", "( ; C<0123456789ab> )");
reads!(property_one_too_long, small, b"(;C[0123456789abc])", "( ; C{0123456789abc} )");
reads!(property_whole_at_end, small, b"(;C[0123456789ab]", "( ; C<0123456789ab> !unclosed-game@17..17 +)");
reads!(property_too_long_at_end, small, b"(;C[0123456789abc]", "( ; C{0123456789abc} !unclosed-game@18..18 +)");
reads!(property_whole_with_blanks, small, b"(;AB[aa][bb]\n\n\n )", "( ; AB<aa><bb> )");
reads!(property_blanks_too_long, small, b"(;AB[aa][bb]\n\n\n\n\n\n )", "( ; AB{aa} AB{bb} )");
reads!(parts_of_a_value, small, b"(;C[longer than sixteen bytes])", "( ; C{longer than sixt~ C~een bytes} )");
reads!(parts_of_a_list, small, b"(;AB[aa][bb] [cc][dd][ee]W[ff])", "( ; AB{aa} AB{bb} AB{cc} AB{dd} AB{ee} W<ff> )");
reads!(part_as_long_as_the_bound, small, b"(;C[0123456789abcdef])", "( ; C{0123456789abcdef} )");
reads!(part_one_longer, small, b"(;C[0123456789abcdefg])", "( ; C{0123456789abcdef~ C~g} )");
reads!(parts_keep_escape, small, b"(;C[0123456789abcde\\]g])", "( ; C{0123456789abcde~ C~\\]g} )");
reads!(parts_keep_escapes_in_order, small, b"(;C[0123456789abcd\\\\\\]g])", "( ; C{0123456789abcd\\\\~ C~\\]g} )");
reads!(parts_keep_line_break, small, b"(;C[0123456789abcde\r\ng])", "( ; C{0123456789abcde~ C~\\r\\ng} )");
reads!(parts_between_line_breaks, small, b"(;C[0123456789ab\r\n\r\n\r\n])", "( ; C{0123456789ab\\r\\n\\r\\n~ C~\\r\\n} )");
reads!(parts_keep_soft_break, small, b"(;C[0123456789abcd\\\r\ng])", "( ; C{0123456789abcd~ C~\\\\r\\ng} )");
reads!(parts_keep_character, small, b"(;C[0123456789abcd\xe9\xbb\x92g])", "( ; C{0123456789abcd~ C~\\xe9\\xbb\\x92g} )");
reads!(parts_with_lone_high_byte, small, b"(;C[0123456789abcde\xe9\xe9g])", "( ; C{0123456789abcde\\xe9~ C~\\xe9g} )");
reads!(parts_unclosed, small, b"(;C[longer than sixteen bytes", "( ; C{longer than sixt~ C~een bytes} !unclosed-value@29..29 !unclosed-game@29..29 +)");
reads!(parts_unclosed_at_the_bound, small, b"(;C[0123456789abcdef", "( ; C{0123456789abcdef} !unclosed-value@20..20 !unclosed-game@20..20 +)");
reads!(parts_with_far_bracket, small, b"(;C                 [a]B[aa])", "( ; C{a} B<aa> )");
reads!(parts_with_near_bracket, small, b"(;C              [a]B[aa])", "( ; C{a} B<aa> )");
reads!(parts_lowercase, small, b"(;FF[4];Cc[longer than sixteen bytes])", "( ; FF<4> ; Cc{longer than sixt~ !lowercase-identifier@8..10 Cc~een bytes} )");
reads!(parts_of_root_format, small, b"(;FF[4           ]Bl[aa])", "( ; FF{4           } Bl<aa> )");
reads!(parts_after_variation, small, b"(;A[1](;)C[longer than sixteen bytes])", "( ; A<1> ( ; ) !node-after-variation@9..9 +( +; C{longer than sixt~ C~een bytes} +) )");
reads!(next_game_in_last_piece, small, b"(;C[0123456789abcdef\n(;FF[4])", "( ; C{0123456789abcdef~ C~\\n} !unclosed-value@21..21 !unclosed-game@21..21 +) ( ; FF<4> )");
reads!(next_game_over_pieces, small, b"(;C[0123456789ab\n(;FF[4])", "( ; C{0123456789ab\\n(;F~ C~F[4} )");
reads!(next_game_in_whole, small, b"(;C[a\n(;FF[4];B[aa])", "( ; C<a\\n> !unclosed-value@6..6 !unclosed-game@6..6 +) ( ; FF<4> ; B<aa> )");
reads!(next_game_in_last_of_list, small, b"(;AB[aa][bb][cc][dd][ee\n(;FF[4])", "( ; AB{aa} AB{bb} AB{cc} AB{dd} AB{ee\\n} !unclosed-value@24..24 !unclosed-game@24..24 +) ( ; FF<4> )");
reads!(dropped_long_next_game, small, b"(;[0123456789ab\n(;FF[4])", "( ; !value-without-identifier@2..23 )");
reads!(identifier_at_bound, small, b"(;ABCDEFGH[aa])", "( ; ABCDEFGH<aa> )");
reads!(identifier_too_long_without_value, small, b"(;ABCDEFGHI ;B[cc])", "( ; !identifier-too-long@2..11 ; B<cc> )");
reads!(identifier_too_long_lowercase, small, b"(;abcdefghi @;B[cc])", "( ; !identifier-too-long@2..11 !unexpected-text@12..13 ; B<cc> )");
reads!(identifier_too_long_at_end, small, b"(;ABCDEFGHI ", "( ; !identifier-too-long@2..11 !unclosed-game@12..12 +)");
reads!(identifier_too_long_in_text, small, b"(;@ABCDEFGHI@)", "( ; !unexpected-text@2..3 !identifier-too-long@3..12 !unexpected-text@12..13 )");
reads!(identifier_too_long_in_root, small, b"(ABCDEFGHI[aa];B[bb])", "( !identifier-too-long@1..14 ; B<bb> )");
reads!(identifier_too_long_after_variation, small, b"(;A[1](;)ABCDEFGHI[aa])", "( ; A<1> ( ; ) !identifier-too-long@9..22 )");
reads!(identifier_too_long_unclosed, small, b"(;ABCDEFGHI[aa", "( ; !identifier-too-long@2..14 !unclosed-value@14..14 !unclosed-game@14..14 +)");
reads!(look_reaches_semicolon, small, b"(                                                              ;B[aa])", "( ; B<aa> )");
reads!(look_falls_short, small, b"(                                                               ;B[aa])", "!value-before-game@0..71 !no-game@71..71");
reads!(look_reaches_bracket, small, b"(                                                             B[aa])", "( !missing-root-semicolon@62..62 +; B<aa> )");
reads!(look_falls_short_of_bracket, small, b"(                                                              B[aa])", "!value-before-game@0..69 !no-game@69..69");
reads!(look_for_headless, small, b";                                                             B[aa]", "!missing-parenthesis@0..0 +( ; B<aa> !unclosed-game@67..67 +)");
reads!(look_for_headless_falls_short, small, b";                                                              B[aa]", "!value-before-game@0..68 !no-game@68..68");
reads!(look_inside_falls_short_of_node, small, b"(;(                                                               ;B[aa]))", "( ; ( ; B<aa> ) )");
reads!(look_inside_falls_short_of_property, small, b"(;(                                                               B[aa]))", "( ; ( !missing-semicolon@66..66 +; B<aa> ) )");
reads!(look_inside_sees_identifier_only, small, b"(;(                                                              B[aa]))", "( ; !variation-without-node@2..3 B<aa> )");
reads!(look_inside_then_variation, small, b"(;(                                                               (;B[aa])))", "( ; ( !missing-semicolon@66..66 +; ( ; B<aa> ) ) )");
reads!(look_inside_then_end, small, b"(;(                                                               ))", "( ; ( !missing-semicolon@66..66 +; ) )");
reads!(look_inside_then_end_of_input, small, b"(;(                                                               ", "( ; ( !missing-semicolon@66..66 +; !unclosed-game@66..66 +) +)");
reads!(look_inside_end_in_sight, small, b"(;(                                                              ", "( ; !variation-without-node@2..3 !unclosed-game@65..65 +)");
reads!(look_inside_then_text, small, b"(;(                                                                :;B[aa]))", "( ; ( !unexpected-text@67..68 ; B<aa> ) )");
reads!(look_inside_then_dropped, small, b"(;(                                                               ((;B[aa]))))", "( ; ( !variation-without-node@66..67 !missing-semicolon@67..67 +; ( ; B<aa> ) ) )");
reads!(look_for_next_game_reaches, small, b"(;A[1]\n(;                                                          GM[1])", "( ; A<1> !unclosed-game@7..7 +) ( ; GM<1> )");
reads!(look_for_next_game_falls_short, small, b"(;A[1]\n(;                                                            GM[1]))", "( ; A<1> ( ; GM<1> ) )");
reads!(look_for_next_game_in_value, small, b"(;C[x\n(;                                                            GM[1])", "( ; C{x\\n(;            ~ C~                ~ C~                ~ C~                ~ C~GM[1} )");
reads!(next_game_before_node, small, b"(;(                                                               \n(;GM[1])", "( ; ( !missing-semicolon@67..67 +; !unclosed-game@67..67 +) +) ( ; GM<1> )");
reads!(identifier_too_long_alone_in_root, small, b"(ABCDEFGHI[aa])", "( !identifier-too-long@1..14 !missing-root-semicolon@14..14 +; )");
reads!(identifier_too_long_alone_in_variation, small, b"(;(ABCDEFGHI[aa]))", "( ; ( !identifier-too-long@3..16 !missing-semicolon@16..16 +; ) )");
reads!(next_game_end_in_sight, small, b"(;A[1]\n(;GM[1])                                                       )", "( ; A<1> ( ; GM<1> ) )");
reads!(next_game_end_out_of_sight, small, b"(;A[1]\n(;GM[1])                                                        )", "( ; A<1> !unclosed-game@7..7 +) ( ; GM<1> ) !stray-parenthesis@71..72");
reads!(next_game_out_of_sight_in_line, small, b"(;A[1](;FF[4]GM[1])                                                   )", "( ; A<1> ( ; FF<4> GM<1> ) )");
reads!(next_game_end_of_input_in_sight, small, b"(;A[1](;FF[4]GM[1])                                                  ", "( ; A<1> !unclosed-game@6..6 +) ( ; FF<4> GM<1> )");
reads!(next_game_end_of_input_out_of_sight, small, b"(;A[1](;FF[4]GM[1])                                                   ", "( ; A<1> ( ; FF<4> GM<1> ) !unclosed-game@70..70 +)");

/// Puts a `]` or `\` that may be half a character at each place near the limit of a part, with the
/// bytes that decide after it or at the end of the input. The parts have the values of the whole
/// property, however the bytes are cut.
#[test]
fn doubtful_ends_in_parts_are_those_of_the_whole() {
    const HALVES: [&[u8]; 3] = [b"\xBA]", b"\xBA\\", b"\xBA\\]"];
    const AFTER: [&[u8]; 6] = [b"", b"]", b"])", b" and more", b"]\n(;B[aa])", b"\xD0\xC4\xBA]x])"];
    for before in 0..24 {
        for (half, after) in HALVES.into_iter().flat_map(|half| AFTER.map(|after| (half, after))) {
            let input = [b"(;C[", &b"x".repeat(before)[..], half, after].concat();
            check_steps(&input, SMALL, &twin::parse(&input, SMALL));
            let bounds = Bounds { property: SMALL.property, ..Bounds::default() };
            for framing in [FramingPolicy::Value, FramingPolicy::Auto, FramingPolicy::Whole] {
                let [parts, whole] = [bounds, Bounds::default()].map(|bounds| values(&input, options(bounds, framing)));
                assert_eq!(parts, whole, "{framing:?}: {}", input.escape_ascii());
            }
        }
    }
}

/// Returns all values and all problems.
fn values(input: &[u8], options: Options) -> (Vec<Vec<u8>>, Vec<Code>) {
    let (mut values, mut problems) = (Vec::<Vec<u8>>::new(), Vec::new());
    for event in SliceReader::with_options(input, options).events().flatten() {
        match event {
            Event::Property(property) => values.extend(property.values().map(|value| value.as_bytes().to_vec())),
            Event::PropertyPart(part) => {
                values.extend(part.is_value_start().then(Vec::new));
                values.last_mut().expect("it was begun").extend_from_slice(part.content().as_bytes());
            }
            Event::Problem(problem) => problems.push(problem.code),
            _ => {}
        }
    }
    (values, problems)
}

/// Whether a game was cut off does not depend on how many games follow in its line.
#[test]
fn games_after_a_cut_are_games_however_many_follow() {
    for count in [1, 10, 100, 3_000] {
        let mut input = b"(;GM[1]PB[x];B[aa](;W[bb])".to_vec();
        for _ in 0..count {
            input.extend_from_slice(b"(;GM[1]FF[4]SZ[19]PB[y];B[cc])");
        }
        let mut reader = SliceReader::new(&input);
        while reader.next_event().expect("a slice can be read").is_some() {}
        assert_eq!(reader.game(), count + 1);
    }
}

/// Variations below the root with properties of a root stay variations, however many there are.
#[test]
fn a_tree_of_games_is_one_game() {
    for count in [1, 10, 100, 3_000] {
        let mut input = b"(;GM[1]FF[4]C[a root]".to_vec();
        for _ in 0..count {
            input.extend_from_slice(b"(;GM[1]FF[4]SZ[9];B[aa])");
        }
        input.push(b')');
        let mut reader = SliceReader::new(&input);
        while reader.next_event().expect("a slice can be read").is_some() {}
        assert_eq!(reader.game(), 1);
    }
}
