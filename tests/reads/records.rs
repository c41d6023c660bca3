//! Games as values: the tokens of each game, turned into events, are the events of the reader, and
//! they are the same for a slice, a stream and a part, however the bytes are cut.

use std::fmt::Write as _;
use std::io::Write as _;

use sgfstream::internal::End;
use sgfstream::internal::LineCursor;
use sgfstream::parallel::PartReader;
use sgfstream::record::{GameItem, GameReader, GameRecord, OwnedGame, Token, TokenKind};
use sgfstream::{
    Event, EventReader, Limits, Options, Place, Problem, Property, Reader, SliceReader,
};

/// A game as text: a line an event. By its events it has no tokens.
#[derive(Clone, Debug, Default, PartialEq)]
struct Game {
    log: String,
    tokens: Vec<Token>,
    problems: Vec<Problem>,
    place: String,
}

fn add_property(log: &mut String, property: &Property<'_>, is_plain: bool, start: u64, end: u64) {
    // A plain move has the same bytes in every framing.
    let framing = (!is_plain).then(|| property.framing());
    let ident = property.ident();
    let (simple, values) = (property.is_simple(), property.values().count());
    writeln!(log, "{start}..{end} {ident} {simple} {values} {framing:?}").expect("a string");
}

fn place_of(place: &Place, start: u64, end: u64) -> String {
    format!(
        "{} {start}..{end} {:?} {:?}",
        place.game, place.charset, place.charset_source
    )
}

/// Returns the games by their events, and the problems behind the last game.
fn games_by_events(mut reader: impl EventReader) -> (Vec<Game>, Vec<Problem>) {
    reader.hold_games();
    let (mut games, mut game, mut start) = (Vec::new(), Game::default(), None);
    while reader.advance().expect("reading memory does not fail") {
        let (event, place) = (reader.event(), reader.place());
        let span = place.span;
        let log = &mut game.log;
        match event {
            Event::VariationStart(variation) => {
                start.get_or_insert(span.start);
                writeln!(log, "{span} ( {}", variation.supplied).expect("a string");
            }
            Event::NodeStart { supplied } => {
                writeln!(log, "{span} ; {supplied}").expect("a string")
            }
            Event::Property(property) => {
                let is_plain = property.as_move().is_some();
                add_property(log, &property, is_plain, span.start, span.end);
            }
            Event::VariationEnd(variation) => {
                writeln!(log, "{span} ) {}", variation.supplied).expect("a string");
                if variation.depth == 1 {
                    game.place = place_of(&place, start.take().expect("an open game"), span.end);
                    games.push(std::mem::take(&mut game));
                }
            }
            Event::Problem(problem) => {
                if start.is_some() {
                    writeln!(log, "{} !", span.start).expect("a string");
                }
                game.problems.push(problem);
            }
            Event::Gap(_) => {}
            other => panic!("expected a whole property, found {other:?}"),
        }
    }
    (games, game.problems)
}

/// Returns a game by its tokens.
fn game_by_tokens(record: GameRecord<'_>) -> Game {
    let mut log = String::new();
    let start = record.span().start;
    for token in record.tokens() {
        let span = record.span_of(*token);
        let inserted = token.is_inserted();
        match token.kind() {
            TokenKind::Open => writeln!(log, "{span} ( {inserted}").expect("a string"),
            TokenKind::Close => writeln!(log, "{span} ) {inserted}").expect("a string"),
            TokenKind::Node => writeln!(log, "{span} ; {inserted}").expect("a string"),
            TokenKind::Problem => writeln!(log, "{} !", span.start).expect("a string"),
            TokenKind::Run | TokenKind::Move | TokenKind::Property => {
                let mut places = token.places();
                for item in record.items(std::slice::from_ref(token)) {
                    match item {
                        GameItem::Node => {
                            let node =
                                start + places.next().expect("a move for each node") as u64 - 1;
                            writeln!(log, "{node}..{} ; false", node + 1).expect("a string");
                        }
                        GameItem::Property(token, property) => {
                            assert_fields(token, &property);
                            let span = record.span_of(token);
                            let is_plain = token.kind() == TokenKind::Move;
                            add_property(&mut log, &property, is_plain, span.start, span.end);
                        }
                        other => panic!("expected a node or property, found {other:?}"),
                    }
                }
            }
        }
    }
    let (number, charset, source) = (record.number(), record.charset(), record.charset_source());
    let place = Place::new(record.span(), 1, number, charset, source);
    let span = record.span();
    let (tokens, problems) = (record.tokens().to_vec(), record.problems().to_vec());
    Game {
        log,
        tokens,
        problems,
        place: place_of(&place, span.start, span.end),
    }
}

/// Asserts that a token has the fields of its property.
fn assert_fields(token: Token, property: &Property<'_>) {
    if let Some(values) = token.values() {
        assert_eq!(values as usize, property.values().count(), "{property:?}");
    }
    if let Some(key) = token.key() {
        let ident = property.ident();
        let letters = ident.as_bytes();
        let second = letters.get(1).map_or(0, |letter| letter & 31);
        assert_eq!(
            key,
            u16::from(letters[0] & 31) << 5 | u16::from(second),
            "{property:?}"
        );
    }
}

/// Returns the games of a reader by their tokens, and the problems behind the last game.
fn games_by_tokens(reader: impl EventReader) -> (Vec<Game>, Vec<Problem>) {
    let (mut reader, mut games) = (GameReader::new(reader), Vec::new());
    while let Some(game) = reader.next_game().expect("reading memory does not fail") {
        let game = game.expect("a short game");
        assert!(game.is_whole());
        games.push(game_by_tokens(game));
    }
    (games, reader.trailing_problems().to_vec())
}

/// Returns a line for an event.
fn line_of(event: &Event<'_>, place: &Place) -> String {
    let Place {
        span, depth, game, ..
    } = place;
    match event {
        Event::Property(property) => {
            format!(
                "{span} {depth} {game} {}",
                property.as_bytes().escape_ascii()
            )
        }
        event => format!("{span} {depth} {game} {event:?}"),
    }
}

/// Asserts that the games of an input have the events of its reader, up to the last game.
fn assert_events(input: &[u8], options: Options) {
    let mut reader = SliceReader::with_options(input, options);
    reader.hold_games();
    let mut games = GameReader::new(SliceReader::with_options(input, options));
    while let Some(game) = games.next_game().expect("reading memory does not fail") {
        let each = game.expect("a short game").each_event(|event, place| {
            assert!(reader.advance().expect("reading memory does not fail"));
            let (found, expected) = (
                line_of(event, place),
                line_of(&reader.event(), &reader.place()),
            );
            if found == expected {
                Ok(())
            } else {
                Err((found, expected))
            }
        });
        assert_eq!(
            each,
            Ok(()),
            "events of {}",
            input[..input.len().min(400)].escape_ascii()
        );
    }
}

/// Returns the games of a slice, after it has compared them with the events.
fn games_of_slice(input: &[u8], options: Options) -> (Vec<Game>, Vec<Problem>) {
    let found = games_by_tokens(SliceReader::with_options(input, options));
    let mut expected = games_by_events(SliceReader::with_options(input, options));
    for (game, found) in expected.0.iter_mut().zip(&found.0) {
        game.tokens.clone_from(&found.tokens);
    }
    assert_same(&found, &expected, input, "a slice");
    found
}

/// Asserts that tokens and events give the same games, for a slice and for streams.
pub fn assert_games(input: &[u8], options: Options) {
    let expected = games_of_slice(input, options);
    assert_events(input, options);
    for capacity in [1, 7, 40] {
        let found = games_by_tokens(Reader::with_buffer(input, options, capacity));
        assert_same(
            &found,
            &expected,
            input,
            &format!("a buffer of {capacity} bytes"),
        );
    }
}

fn assert_same(
    found: &(Vec<Game>, Vec<Problem>),
    expected: &(Vec<Game>, Vec<Problem>),
    input: &[u8],
    what: &str,
) {
    if found == expected {
        return;
    }
    for (found, expected) in found.0.iter().zip(&expected.0) {
        let start = input[..input.len().min(400)].escape_ascii();
        assert_eq!(found, expected, "{what}, of {start}");
    }
    assert_eq!(found.0.len(), expected.0.len(), "{what}: games");
    assert_eq!(found.1, expected.1, "{what}: problems behind the last game");
}

/// Games of every shape: long and short, with faults and text between them, on one line and on
/// many.
fn archive() -> Vec<u8> {
    let mut archive = Vec::new();
    for number in 0..600_usize {
        archive.extend_from_slice(match number % 7 {
            0 => b"\r\n",
            1 => b" text ",
            2 => b")",
            _ => b"\n",
        });
        write!(archive, "(;GM[1]PB[Ada {number}]").expect("memory");
        for ply in 0..number % 90 {
            let letter = if ply % 2 == 0 { 'B' } else { 'W' };
            let column = char::from(b'a' + (ply % 19) as u8);
            write!(archive, ";{letter}[{column}d]").expect("memory");
            match (number + ply) % 41 {
                0 => archive.extend_from_slice(b"C[a [1\\] comment]\n"),
                1 => archive.extend_from_slice(b"AB[aa][bb] junk "),
                2 => archive.extend_from_slice(b"(;W[cc])(;W[dd]"),
                3 => archive.extend_from_slice(b")"),
                _ => {}
            }
        }
        archive.extend_from_slice(b")");
    }
    archive
}

/// All parts together have the games of one reader: the same tokens, and numbers that continue.
#[test]
fn games_of_parts_are_the_games_of_the_input() {
    let archive = archive();
    let (expected, trailing) = games_of_slice(&archive, Options::default());
    for block in [700, 4096, 20_000, 1 << 20] {
        let (mut found, mut carried, mut start, mut parts) = (Vec::new(), Vec::new(), 0, 0);
        loop {
            let part = PartReader::open(&archive, Options::default(), block, start, &|| true);
            let part = part.expect("memory").expect("the part before ends here");
            let base = found.len();
            let mut games = GameReader::new(part);
            while let Some(game) = games.next_game().expect("memory") {
                let mut game = game_by_tokens(game.expect("a short game"));
                let (number, place) = game.place.split_once(' ').expect("a number");
                let number: usize = number.parse().expect("a number");
                game.place = format!("{} {place}", base + number);
                // Problems between two games belong to the game behind them, also across the border
                // of two parts.
                carried.append(&mut game.problems);
                game.problems = std::mem::take(&mut carried);
                found.push(game);
            }
            parts += 1;
            carried.extend_from_slice(games.trailing_problems());
            match games.reader_mut().finish().expect("memory").end {
                End::Part(next) => start = next,
                End::Input => break,
            }
        }
        assert_eq!(
            (found, carried),
            (expected.clone(), trailing.clone()),
            "blocks of {block} bytes"
        );
        assert!(
            parts > 1 || block == 1 << 20,
            "{parts} parts of {block} bytes"
        );
    }
}

/// A slice and a stream name the same games over the budget, and read the other games.
#[test]
fn slices_and_streams_name_the_same_long_games() {
    let archive = archive();
    let mut sizes = Vec::new();
    let mut games = GameReader::new(SliceReader::new(&archive));
    while let Some(game) = games.next_game().expect("memory") {
        let game = game.expect("a short game");
        let tokens = size_of_val(game.tokens()) + size_of_val(game.problems());
        sizes.push((game.as_bytes().len() + tokens, game.span()));
    }
    for budget in [40, 200, 500, 700] {
        let options = Options::default().with_limits(Limits::default().with_game(budget));
        let mut slice = GameReader::new(SliceReader::with_options(&archive, options));
        let mut stream = GameReader::new(Reader::with_buffer(&archive[..], options, 100));
        let mut long_games = 0;
        for (number, (size, span)) in sizes.iter().enumerate() {
            let one = slice.next_game().expect("memory").expect("a game");
            let other = stream.next_game().expect("memory").expect("a game");
            match (one, other) {
                (Ok(one), Ok(other)) => {
                    assert!(
                        *size <= budget,
                        "game {}: {size} bytes of {budget}",
                        number + 1
                    );
                    assert_eq!(game_by_tokens(one), game_by_tokens(other));
                }
                (Err(one), Err(other)) => {
                    assert!(
                        *size > budget,
                        "game {}: {size} bytes of {budget}",
                        number + 1
                    );
                    assert_eq!((one.number, one.span), (number as u64 + 1, *span));
                    assert_eq!(one, other);
                    long_games += 1;
                }
                (one, other) => {
                    panic!(
                        "game {}, budget {budget}: {one:?} and {other:?}",
                        number + 1
                    )
                }
            }
        }
        assert!(
            slice.next_game().expect("memory").is_none()
                && stream.next_game().expect("memory").is_none()
        );
        assert!(
            (1..600).contains(&long_games),
            "{long_games} games over {budget} bytes"
        );
    }
}

/// A giant game costs at most the budget, is named, and its memory is returned with the next game.
#[test]
fn giant_games_are_named() {
    let budget = 100_000;
    let options = Options::default().with_limits(Limits::default().with_game(budget));
    let shapes = [";", "A[]", "1;2;", ";B[ab]", "  ", "AB[aa][bb]"];
    for shape in shapes {
        let giant = shape.repeat(4_000_000 / shape.len());
        let input = format!("(;B[aa])(;{giant})\n(;B[bb];W[cc])");
        check_giant(input.as_bytes(), options, shape);
    }
    let value = format!("(;B[aa])(;C[{}])\n(;B[bb];W[cc])", "x".repeat(4_000_000));
    check_giant(value.as_bytes(), options, "a value");
}

fn check_giant(input: &[u8], options: Options, what: &str) {
    fn found(reader: impl EventReader) -> Vec<Result<(u64, usize), u64>> {
        let (mut games, mut found) = (GameReader::new(reader), Vec::new());
        while let Some(game) = games.next_game().expect("memory") {
            let game = game.map(|game| (game.number(), game.nodes().count()));
            found.push(game.map_err(|long| long.span.len()));
        }
        found
    }
    let giant = Err((input.len() - "(;B[aa])\n(;B[bb];W[cc])".len()) as u64);
    let expected = [Ok((1, 1)), giant, Ok((3, 2))];
    assert_eq!(
        found(SliceReader::with_options(input, options)),
        expected,
        "{what}, a slice"
    );
    let mut stream = GameReader::new(Reader::with_options(input, options));
    let mut windows = Vec::new();
    while stream.next_game().expect("memory").is_some() {
        let window = stream.reader().window();
        windows.push(window.end - window.start);
    }
    assert_eq!(
        found(Reader::with_options(input, options)),
        expected,
        "{what}, a stream"
    );
    assert!(
        windows.iter().all(|&window| window < 1_000_000),
        "{what}: windows of {windows:?} bytes"
    );
}

/// The position of a game and the line breaks in its bytes give the position of every byte of the
/// game.
#[test]
fn positions_of_games_are_those_of_the_reader() {
    let archive = archive();
    let mut games = GameReader::new(Reader::with_buffer(&archive[..], Options::default(), 64));
    let mut count = 0;
    while games.next_game().expect("memory").is_some() {
        let game = games.game().expect("a short game");
        let mut before = LineCursor::default();
        before.advance(&archive[..game.span().start as usize]);
        assert_eq!(
            games.reader().position_of(game.span().start),
            before.position()
        );
        let mut lines = LineCursor::at(before.position());
        lines.advance(game.as_bytes());
        before.advance(game.as_bytes());
        assert_eq!(lines.position().line, before.position().line);
        count += 1;
    }
    assert!(count > 500, "{count} games");
}

/// After an error, the next call continues in the same game.
#[test]
fn reading_continues_after_an_error() {
    /// Fails before each read of ten bytes.
    struct Faulty<'a> {
        rest: &'a [u8],
        fails: bool,
    }
    impl std::io::Read for Faulty<'_> {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            self.fails = !self.fails;
            if self.fails {
                return Err(std::io::Error::other("not yet"));
            }
            let len = buf.len().min(10).min(self.rest.len());
            buf[..len].copy_from_slice(&self.rest[..len]);
            self.rest = &self.rest[len..];
            Ok(len)
        }
    }
    let archive = &archive()[..4000];
    let (expected, _) = games_of_slice(archive, Options::default());
    let mut games = GameReader::new(Reader::new(Faulty {
        rest: archive,
        fails: false,
    }));
    let (mut found, mut game, mut errors) = (Vec::new(), OwnedGame::default(), 0);
    loop {
        match games.read_game(&mut game) {
            Ok(true) => found.push(game_by_tokens(game.record())),
            Ok(false) => break,
            Err(err) => {
                assert!(err.is_io(), "{err}");
                errors += 1;
            }
        }
    }
    assert_eq!(found, expected);
    assert!(errors > 100, "{errors} errors");
}

/// A game that is read by steps has the tokens of a game that is read at once, and a skipped game
/// leaves no trace.
#[test]
fn steps_read_the_same_games() {
    let archive = archive();
    let (expected, _) = games_of_slice(&archive, Options::default());
    let mut games = GameReader::new(Reader::with_buffer(&archive[..], Options::default(), 100));
    let mut number = 0;
    while games.next_root().expect("memory") {
        let game = &expected[number];
        number += 1;
        let root = games.game().expect("a short game");
        let nodes = root.nodes().count();
        assert!((1..=2).contains(&nodes), "{nodes} nodes in a root");
        games.read_nodes(2).expect("memory");
        games.read_nodes(30).expect("memory");
        if number % 3 == 0 {
            games.skip_rest().expect("memory");
        } else {
            games.read_rest().expect("memory");
            assert_eq!(&game_by_tokens(games.game().expect("a short game")), game);
        }
        let span = games.span();
        assert!(
            game.place.contains(&format!(" {span} ")),
            "{} and {span}",
            game.place
        );
    }
    assert_eq!(number, expected.len());
}
