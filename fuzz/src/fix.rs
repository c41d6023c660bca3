//! A second `fix` changes nothing. `fix` keeps the moves of the main lines, and loses
//! no text.

use sgfstream::record::{GameItem, GameReader};
use sgfstream::{Code, Options, Severity, SliceReader};
use sgfstream_adapt::check::Remedy;
use sgfstream_adapt::fix::{FixFilter, Outcome, fix};
use sgfstream_game::{Facts, Game};

use super::games::whole;
use super::{Choice as Way, Property};

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "fix",
    ways: 2,
    holds,
};

fn holds(data: &[u8], mut way: Way) {
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    let has_loss = |bytes: &[u8]| bytes.windows(3).any(|three| three == "\u{FFFD}".as_bytes());
    let takes_guesses = way.below(2) == 1;
    let level = match takes_guesses {
        false => Severity::Warning,
        true => Severity::Note,
    };
    let choice = FixFilter {
        guesses: takes_guesses,
        ..FixFilter::from_level(level)
    };
    // A guess makes nodes of the text that a value swallowed, so their moves come between the moves
    // of the line.
    let (mut adds_moves, mut escapes_brackets) = (false, false);
    let once = fix(data, &choice, Options::default(), |_, finding, outcome| {
        let is_repaired = outcome != Outcome::Left;
        adds_moves |= is_repaired && finding.code == Code::SwallowedNode;
        escapes_brackets |=
            is_repaired && matches!(finding.remedy, Some(Remedy::EscapeBracket { .. }));
    });
    // If `fix` escapes brackets, text becomes part of a value. The games with these escapes have
    // the same moves.
    let mut bounded = data.to_vec();
    if escapes_brackets {
        bounded = fix(
            data,
            &FixFilter {
                only: vec![Code::StrayBracket],
                ..choice.clone()
            },
            Options::default(),
            |_, _, _| {},
        );
    }
    let found = main_lines(&once);
    // A guess makes nodes of the text that a value swallowed, so their moves come between the moves
    // of the line.
    let has_moves = |found: &Line, expected: &Line| {
        let mut moves = found.1.iter();
        found.0 == expected.0
            && expected
                .1
                .iter()
                .all(|expected| moves.any(|found| found == expected))
    };
    let is_line = |found: &Line, expected: &Line| {
        if adds_moves {
            has_moves(found, expected)
        } else {
            found == expected
        }
    };
    // Text before a game may become a game after other text is deleted.
    let missing = |bytes: &[u8]| {
        let mut left = found.iter();
        main_lines(bytes)
            .into_iter()
            .find(|line| !left.any(|found| is_line(found, line)))
    };
    // `fix` leaves a game whose board a repair would change, so the game stays cut off.
    if let (Some(line), Some(_)) = (missing(whole(&bounded)), missing(&bounded)) {
        panic!("expected {line:?} in {found:?}: {}", shown(&once));
    }
    // The file may end within a character.
    let is_cut = data.last().is_some_and(|last| !last.is_ascii());
    // Damaged UTF-8 is read with replaced characters, and written so in UTF-8.
    let has_characters = data.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let is_damaged = has_characters && data.utf8_chunks().any(|chunk| !chunk.invalid().is_empty());
    assert!(
        is_cut || is_damaged || has_loss(data) || !has_loss(&once),
        "lost: `{}`",
        shown(&once)
    );
    let mut done = Vec::new();
    let twice = fix(&once, &choice, Options::default(), |_, finding, outcome| {
        done.extend((outcome != Outcome::Left).then_some(finding.code));
    });
    assert!(
        twice == once,
        "twice: expected `{}`, found `{}`",
        shown(&once),
        shown(&twice)
    );
    assert!(done.is_empty(), "twice: {done:?} in `{}`", shown(&once));
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
            let GameItem::Property(_, property) = item else {
                continue;
            };
            for played in facts.moves_of(&property) {
                let value = played.bytes();
                let mut plain: Vec<u8> = value
                    .iter()
                    .filter(|&&byte| byte > b' ' && byte != b'\\')
                    .copied()
                    .collect();
                plain.make_ascii_lowercase();
                // The evaluation and the time that a move of Othello may have beside it.
                if facts.game == Game::Othello
                    && let Some(slash) = plain
                        .iter()
                        .position(|&byte| byte == b'/')
                        .filter(|&slash| slash > 0)
                {
                    plain.truncate(slash);
                }
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
