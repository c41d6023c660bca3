//! A second `fix` changes nothing. `fix` keeps the moves of the main lines, and loses
//! no text.

use sgfstream::record::{GameItem, GameReader};
use sgfstream::{Code, Options, Severity, SliceReader};
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::{Facts, Game};

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
    // If `fix` escapes brackets, text becomes part of a value. The moves are those of the games with these escapes.
    let mut bounded = data.to_vec();
    if escaped_brackets(&once) > escaped_brackets(data) {
        let of_borders = choice.clone().only([Code::StrayBracket, Code::UnclosedValue, Code::UnclosedGame]);
        bounded = fix(data, &of_borders, Options::default(), |_, _, _| {});
    }
    // `fix` leaves a game whose board a repair would change, so the game stays cut off.
    let expected = main_lines(if once == data { data } else { whole(&bounded) });
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
            left.any(|found| if adds_moves { is_kept(found) } else { found == line }),
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

fn escaped_brackets(bytes: &[u8]) -> usize {
    let (mut count, mut is_escaped) = (0, false);
    for &byte in bytes {
        count += usize::from(is_escaped && byte == b']');
        is_escaped = byte == b'\\' && !is_escaped;
    }
    count
}

/// Game with the moves of its main line.
type Line = (Game, Vec<(u8, Vec<u8>)>);

/// Returns the moves of each main line: player and value, without the blanks
/// and escapes that a repair may delete from a value.
fn main_lines(bytes: &[u8]) -> Vec<Line> {
    let (mut lines, mut games) = (Vec::new(), GameReader::new(SliceReader::new(bytes)));
    while let Some(game) = games.next_game().expect("no limit is set") {
        let Ok(game) = game else { continue };
        let facts = Facts::of(game, 0);
        let mut line = Vec::new();
        for item in game.items(game.main_line()) {
            let GameItem::Property(_, property) = item else { continue };
            for played in facts.moves_of(&property) {
                let value = played.bytes();
                let mut plain: Vec<u8> = value.iter().filter(|&&byte| byte > b' ' && byte != b'\\').copied().collect();
                plain.make_ascii_lowercase();
                // Before FF[4], a pass is `tt`. A repair may convert other charsets to UTF-8.
                match &plain[..] {
                    b"tt" => plain.clear(),
                    bytes if !bytes.is_ascii() => plain = b"text".to_vec(),
                    _ => {}
                }
                line.push((played.color, plain));
            }
        }
        lines.push((facts.game, line));
    }
    lines
}
