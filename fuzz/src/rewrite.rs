//! A rewriter without edits copies every byte. The canonical layout has the
//! same games, and does not change again. An edit with nothing to change keeps
//! the games, and no edit panics.

use sgfstream_adapt::edit::{EDITS, Rewriter, edit};

use super::games::{assert_same, pieces};
use super::{Choice, Property};

const ARGUMENTS: [&str; 9] = [
    "",
    "comments,markup",
    "B,W",
    "EV=x",
    "3",
    "lf",
    "rotate-90",
    "C",
    "AB=aa",
];

/// Property of any bytes: see the module.
pub const PROPERTY: Property = Property {
    name: "rewrite",
    ways: 6,
    holds,
};

fn holds(data: &[u8], mut choice: Choice) {
    match choice.below(6) {
        0 => assert!(rewritten(data, None) == data, "no edits changed something"),
        1 => canonical(data),
        2 => stripped_of_nothing(data),
        _ => edited(data, choice),
    }
}

/// Checks that the canonical layout has the same games, and stays the same when it is written
/// again.
fn canonical(data: &[u8]) {
    let canonical = rewritten(data, Some(("canonical", "")));
    assert_same(&pieces(&canonical), &pieces(data), "canonical");
    let again = rewritten(&canonical, Some(("canonical", "")));
    let shown = |bytes: &[u8]| bytes.escape_ascii().to_string();
    assert!(
        again == canonical,
        "canonical twice: expected `{}`, found `{}`",
        shown(&canonical),
        shown(&again)
    );
}

fn stripped_of_nothing(data: &[u8]) {
    let capitals: Vec<u8> = data
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_lowercase())
        .collect();
    if !capitals.windows(5).any(|name| name == b"ZZZZZ") {
        assert_same(
            &pieces(&rewritten(data, Some(("strip", "ZZZZZ")))),
            &pieces(data),
            "nothing to strip",
        );
    }
}

/// Checks that an edit changes nothing the second time.
fn edited(data: &[u8], mut choice: Choice) {
    let name = EDITS[choice.below(EDITS.len())].name;
    let arguments: Vec<_> = ARGUMENTS
        .into_iter()
        .filter(|argument| edit(name, argument).is_ok())
        .collect();
    if !arguments.is_empty() {
        let change = Some((name, choice.one_of(&arguments)));
        rewritten(&rewritten(data, change), change);
    }
}

fn rewritten(data: &[u8], change: Option<(&str, &str)>) -> Vec<u8> {
    let edits =
        change.map(|(name, argument)| edit(name, argument).expect("an edit of this argument"));
    Rewriter::new(edits.into_iter().collect()).slice(data)
}
