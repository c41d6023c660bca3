//! The tokens of a game give the events of the reader, and they are the same however the bytes are
//! cut: in a stream, in parts, and in steps. A game over the budget is named by every reader.
use sgfstream::internal::End;
use sgfstream::parallel::PartReader;
use sgfstream::record::{GameItem, GameReader, GameRecord, TokenKind};
use sgfstream::{Event, EventReader, FramingPolicy, Limits, Options, Problem, Reader, SliceReader};

use super::{Choice, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "record",
    ways: 5,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    let way = choice.below(5);
    let framing = choice.one_of(&[
        FramingPolicy::Auto,
        FramingPolicy::Value,
        FramingPolicy::Whole,
    ]);
    let options = Options::default().with_framing(framing);
    match way {
        0 => tokens_are_events(data, options),
        1 => {
            let stream = Reader::with_buffer(data, options, 1 + choice.below(61));
            same_games(data, options, GameReader::new(stream));
        }
        2 => in_parts(data, options, 16 + choice.below(200) as u64),
        3 => in_steps(data, options, choice),
        _ => {
            let limits = Limits::default().with_game(1 + choice.below(400));
            let options = options.with_limits(limits);
            let stream = Reader::with_buffer(data, options, 1 + choice.below(61));
            same_games(data, options, GameReader::new(stream));
        }
    }
}

/// Checks that the items of each game are the events of the reader.
fn tokens_are_events(data: &[u8], options: Options) {
    let mut events = SliceReader::with_options(data, options);
    events.hold_games();
    let mut games = GameReader::new(SliceReader::with_options(data, options));
    let mut problems_before = Vec::new();
    while let Some(game) = games.next_game().expect("memory can be read") {
        let game = game.expect("the game is short");
        let mut items = game.items(game.tokens()).peekable();
        problems_before.clear();
        while items.peek().is_some() {
            assert!(
                events.advance().expect("memory can be read"),
                "an event is missing"
            );
            if let Event::Problem(problem) = events.event()
                && events.depth() == 0
                && problem.span.end <= game.span().start
            {
                problems_before.push(problem);
                continue;
            }
            let (item, event, span) =
                (items.next().expect("peeked"), events.event(), events.span());
            match (item, event) {
                (GameItem::VariationStart, Event::VariationStart(_)) => {}
                (GameItem::VariationEnd, Event::VariationEnd(_)) => {}
                (GameItem::Node, Event::NodeStart { .. }) => {}
                (GameItem::Property(token, found), Event::Property(property)) => {
                    // Not the framing: it has no effect on a plain move.
                    assert_eq!(
                        found.as_bytes(),
                        property.as_bytes(),
                        "a property at {span}"
                    );
                    assert_eq!(found.ident(), property.ident(), "a property at {span}");
                    assert_eq!(game.span_of(token), span, "a property at {span}");
                    if let Some(values) = token.values() {
                        assert_eq!(
                            values as usize,
                            property.values().count(),
                            "values at {span}"
                        );
                    }
                }
                (GameItem::Problem(found), Event::Problem(problem)) => assert_eq!(*found, problem),
                (item, event) => panic!("expected {event:?} at {span}, found {item:?}"),
            }
        }
        assert_eq!(game.problems_before(), problems_before);
        let place = events.place();
        assert_eq!((game.number(), game.charset()), (place.game, place.charset));
    }
    while events.advance().expect("memory can be read") {
        assert!(
            matches!(events.event(), Event::Problem(_)),
            "no game for {:?}",
            events.event()
        );
    }
}

/// Asserts that two games are the same value.
fn assert_same(found: GameRecord<'_>, expected: GameRecord<'_>, problems: &[Problem]) {
    let span = expected.span();
    assert_eq!(
        (found.span(), found.as_bytes()),
        (span, expected.as_bytes())
    );
    assert_eq!(
        found.tokens(),
        expected.tokens(),
        "tokens of the game at {span}"
    );
    assert_eq!(
        problems,
        expected.problems(),
        "problems of the game at {span}"
    );
    assert_eq!(
        (found.charset(), found.charset_source()),
        (expected.charset(), expected.charset_source())
    );
}

/// Checks that a reader returns the games of a slice.
fn same_games<R: EventReader>(data: &[u8], options: Options, mut found: GameReader<R>) {
    let mut expected = GameReader::new(SliceReader::with_options(data, options));
    loop {
        let (found, expected) = (found.next_game(), expected.next_game());
        match (
            found.expect("memory can be read"),
            expected.expect("memory can be read"),
        ) {
            (Some(Ok(found)), Some(Ok(expected))) => assert_same(found, expected, found.problems()),
            (Some(Err(found)), Some(Err(expected))) => assert_eq!(found, expected),
            (None, None) => break,
            (found, expected) => panic!("expected {expected:?}, found {found:?}"),
        }
    }
    assert_eq!(found.trailing_problems(), expected.trailing_problems());
}

/// Checks the games of parts, read one after another.
fn in_parts(data: &[u8], options: Options, block: u64) {
    let mut expected = GameReader::new(SliceReader::with_options(data, options));
    let (mut index, mut problems) = (0, Vec::new());
    loop {
        let part =
            PartReader::open(&data, options, block, index, &|| true).expect("memory can be read");
        let mut games = GameReader::new(part.expect("the part before ended where this one begins"));
        while let Some(game) = games.next_game().expect("memory can be read") {
            let game = game.expect("the game is short");
            problems.extend_from_slice(game.problems());
            let expected = expected.next_game().expect("memory can be read");
            assert_same(
                game,
                expected.expect("a game").expect("the game is short"),
                &problems,
            );
            problems.clear();
        }
        problems.extend_from_slice(games.trailing_problems());
        match games.reader_mut().finish().expect("memory can be read").end {
            End::Part(next) => index = next,
            End::Input => break,
        }
    }
    assert!(
        expected.next_game().expect("memory can be read").is_none(),
        "a game is missing"
    );
    assert_eq!(problems, expected.trailing_problems());
}

/// Checks that reading in steps gives the tokens of a game that was read at once.
fn in_steps(data: &[u8], options: Options, mut choice: Choice) {
    let mut expected = GameReader::new(SliceReader::with_options(data, options));
    let mut games = GameReader::new(Reader::with_buffer(data, options, 1 + choice.below(61)));
    while games.next_root().expect("memory can be read") {
        let expected = expected.next_game().expect("memory can be read");
        let expected = expected.expect("a game").expect("the game is short");
        let nodes = choice.below(5);
        games.read_nodes(nodes).expect("memory can be read");
        let found = games.game().expect("the game is short");
        let ends_alike = |kind| matches!(kind, TokenKind::Run | TokenKind::Open);
        // The last run may still grow, and only a whole game knows where its variations end.
        let len = found.tokens().len().saturating_sub(1);
        for (found, expected) in found.tokens()[..len].iter().zip(expected.tokens()) {
            assert!(
                found == expected || ends_alike(found.kind()),
                "{found:?} and {expected:?}"
            );
        }
        if choice.below(2) == 0 {
            games.skip_rest().expect("memory can be read");
            assert_eq!(games.span(), expected.span());
        } else {
            games.read_rest().expect("memory can be read");
            let found = games.game().expect("the game is short");
            assert_same(found, expected, found.problems());
        }
    }
    assert!(
        expected.next_game().expect("memory can be read").is_none(),
        "a game is missing"
    );
}
