//! Dropped bytes do not affect what follows.

use sgfstream::{Code, Event, FramingPolicy, SliceReader};

use crate::fronts;
use crate::twin::Bounds;

/// A dropped property contains a `]` that is half of a character. The reader
/// must not report it for a later property that comes in parts.
#[test]
fn a_character_of_a_dropped_property() {
    let input = b";P[]v[\xa2]]0[]1[\t\t\t\t\t\t\t\t\x00\t\t\t\t(U\xa8\xa8";
    let bounds = Bounds {
        property: 16,
        ..Bounds::default()
    };
    for framing in [FramingPolicy::Auto, FramingPolicy::Whole] {
        let options = fronts::options(bounds, framing);
        let glued = |event: Event<'_>| matches!(event, Event::Problem(problem) if problem.code == Code::BracketInCharacter);
        assert!(
            !SliceReader::with_options(input, options)
                .events()
                .flatten()
                .any(glued),
            "{framing:?}"
        );
    }
}
