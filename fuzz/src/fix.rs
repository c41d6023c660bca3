//! A second `fix` changes nothing. `fix` keeps the moves of the main lines, and loses
//! no text.

use sgfstream::{Event, EventReader, Flow, Options, Place, Severity, SliceReader};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::{Game, GameState, RootRetention, Step};

use super::games::whole;
use super::{Choice as Way, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property { name: "fix", ways: 2, holds };

fn holds(data: &[u8], mut way: Way) {
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let has_loss = |bytes: &[u8]| bytes.windows(3).any(|three| three == "\u{FFFD}".as_bytes());
    let takes_guesses = way.below(2) == 1;
    let choice = match takes_guesses {
        false => FixFilter::from_level(Severity::Warning),
        true => FixFilter::from_level(Severity::Note).with_guesses(),
    };
    let fixed = |bytes: &[u8]| fix(bytes, &choice, Options::default(), |_, _, _| {});
    let once = fixed(data);
    // If `fix` escapes brackets, text becomes part of a value, so that the moves may differ.
    let escapes = |bytes: &[u8]| bytes.windows(2).filter(|pair| *pair == b"\\]").count();
    let may_differ = escapes(&once) > escapes(data);
    // `fix` leaves a game whose board a repair would change, so the game stays cut off.
    let expected = main_lines(if once == data { data } else { whole(data) });
    let found = main_lines(&once);
    // A guess makes nodes of the text that a value swallowed, so their moves come between those of the line.
    let adds_moves = takes_guesses && data.windows(3).any(|three| three == b"\\];");
    // Text before a game may become a game after other text is deleted.
    let mut left = found.iter();
    for line in &expected {
        let is_kept = |found: &Line| {
            let mut moves = found.1.iter();
            found.0 == line.0 && line.1.iter().all(|expected| moves.any(|found| found == expected))
        };
        assert!(
            may_differ || left.any(|found| if adds_moves { is_kept(found) } else { found == line }),
            "expected {line:?} in {found:?}: {}",
            shown(&once)
        );
    }
    assert!(has_loss(data) || !has_loss(&once), "lost: `{}`", shown(&once));
    let mut done = Vec::new();
    let twice = fix(&once, &choice, Options::default(), |_, finding, outcome| {
        done.extend((outcome != Outcome::Left).then_some(finding.code));
    });
    assert!(twice == once, "twice: expected `{}`, found `{}`", shown(&once), shown(&twice));
    assert!(done.is_empty(), "twice: {done:?} in `{}`", shown(&once));
}

/// Game with the moves of its main line.
type Line = (Game, Vec<(u8, Vec<u8>)>);

/// Returns the moves of each main line: player and value, without the blanks
/// and escapes that a repair may delete from a value.
fn main_lines(bytes: &[u8]) -> Vec<Line> {
    let mut state = GameState::new(RootRetention::Line);
    let mut games: Vec<Line> = Vec::new();
    let mut look = |event: &Event<'_>, place: &Place| {
        if matches!(event, Event::VariationStart { .. }) && place.depth == 1 {
            games.push((Game::Other, Vec::new()));
        }
        let step = state.event(event, place);
        let Some((game, line)) = games.last_mut() else { return Flow::Go };
        *game = state.game();
        let mut add = |color: u8, value: &[u8]| {
            let mut plain: Vec<u8> = value.iter().filter(|&&byte| byte > b' ' && byte != b'\\').copied().collect();
            plain.make_ascii_lowercase();
            // Before FF[4], a pass is `tt`. A repair may convert other charsets to UTF-8.
            match &plain[..] {
                b"tt" => plain.clear(),
                bytes if !bytes.is_ascii() => plain = b"text".to_vec(),
                _ => {}
            }
            line.push((color, plain));
        };
        if step == Step::RootEnd {
            state.root_moves().for_each(|played| add(played.color, &played.bytes()));
        }
        match (step, event) {
            (Step::Move { color, point }, _) if state.on_main_line() => add(color, &point),
            (Step::Moves | Step::RootEnd, Event::Property(property)) if state.on_main_line() => {
                state.moves(property).for_each(|played| add(played.color, &played.bytes()));
            }
            _ => {}
        }
        Flow::Go
    };
    SliceReader::new(bytes).drive(&mut look).expect("no limit is set");
    games
}
