//! Changes of a root that depend on the whole game.

use sgfstream::record::GameRecord;
use sgfstream::{Charset, CharsetSource, Framing, Property, RawValue};

/// Changes of the root of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct GamePlan {
    /// Whether to declare FF\[4\].
    pub(super) states_version: bool,
    /// How to change `CA`, if at all.
    pub(super) charset: Option<CharsetPlan>,
    /// Whether the charset is a guess.
    pub(super) is_guess: bool,
}

/// How to change `CA`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CharsetPlan {
    /// Declare the charset of the bytes.
    State(Charset),
    /// Convert texts of this charset to UTF-8 and declare it, because no charset fits all bytes, or
    /// the game allows only UTF-8.
    Recode(Charset),
}

/// Changes of the root that findings need.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RepairNeeds {
    pub(super) version: bool,
    pub(super) charset: bool,
    pub(super) utf8: bool,
    /// Whether `IT` or `DO` will be written.
    pub(super) joined: bool,
    /// Whether a game has a handicap without its stones.
    pub(super) stones: bool,
}

/// Evidence about the charset of a game's texts.
#[derive(Debug, Default)]
struct TextEvidence {
    /// Some value beyond ASCII is UTF-8.
    has_utf8: bool,
    /// Some value is not UTF-8.
    has_other: bool,
    /// Some value is invalid in the charset of the game.
    has_faulty: bool,
    /// Some value is damaged UTF-8, so no charset has all of its bytes.
    has_damage: bool,
    /// Some value would not end, or end elsewhere, in a charset without two-byte characters.
    has_other_ends: bool,
}

impl TextEvidence {
    fn of(game: &GameRecord<'_>, charset: Charset) -> Self {
        let mut found = Self::default();
        let values = game.nodes().flat_map(|node| node.properties());
        for (_, property) in values.filter(|(_, property)| !property.as_bytes().is_ascii()) {
            for value in property
                .values()
                .filter(|value| !value.as_bytes().is_ascii())
            {
                let bytes = value.as_bytes();
                let is_utf8 = std::str::from_utf8(bytes).is_ok();
                found.has_utf8 |= is_utf8;
                found.has_other |= !is_utf8;
                found.has_damage |= !is_utf8 && Charset::AUTO.decode(bytes).1;
                found.has_faulty |= is_faulty(value, charset);
                found.has_other_ends |= has_other_end(value);
            }
        }
        found
    }
}

/// Returns the change of `CA`, and whether it is a guess. Only bytes that are UTF-8 determine their
/// charset.
pub(super) fn charset_plan(
    game: &GameRecord<'_>,
    needs: RepairNeeds,
) -> Option<(CharsetPlan, bool)> {
    use CharsetPlan::{Recode, State};
    let (charset, source) = (game.charset(), game.charset_source());
    if source == CharsetSource::Forced || !(needs.utf8 || needs.charset) {
        return None;
    }
    let found = TextEvidence::of(game, charset);
    let is_guess = source <= CharsetSource::Guessed;
    let is_open = charset == Charset::AUTO;
    let plan = match (found.has_utf8, found.has_other) {
        (_, false) => (State(Charset::UTF_8), false),
        _ if is_open && found.has_damage => return None,
        // The conversion would replace invalid bytes with U+FFFD and lose them.
        _ if needs.utf8 && !is_open && found.has_faulty => return None,
        // The text is damaged UTF-8, or the detector is not sure enough of another charset than
        // UTF-8.
        _ if charset == Charset::UTF_8 => return None,
        _ if needs.utf8 && !is_open => (Recode(charset), is_guess),
        _ if needs.utf8 => (Recode(Charset::AUTO), true),
        (true, true) if is_open => (Recode(Charset::AUTO), true),
        (false, true) if is_open => (State(Charset::LATIN1), true),
        // The charset of games that declare none was guessed.
        _ if source < CharsetSource::Declared => (State(charset), true),
        // The declared charset does not fit some bytes, and nothing shows which one does.
        _ => return None,
    };
    // In another charset a `]` would lie elsewhere, so the bytes are not in that charset.
    let moves_ends = found.has_other_ends
        && matches!(
            plan.0,
            State(Charset::UTF_8 | Charset::LATIN1) | Recode(Charset::AUTO)
        );
    (!moves_ends).then_some(plan)
}

/// Returns whether the value cannot be converted to another charset without loss.
fn is_faulty(value: RawValue<'_>, charset: Charset) -> bool {
    charset
        .for_value(value.as_bytes())
        .decode(value.as_bytes())
        .1
        || value.with_charset(charset).try_text().1
}

/// Returns whether the value would end elsewhere if its charset had one byte for each character.
fn has_other_end(value: RawValue<'_>) -> bool {
    let (kept, end) = value.closing();
    let closed = [b"X[", kept, end.as_bytes()].concat();
    let property = Property::from_raw(&closed, Framing::Value);
    property.first().as_bytes().len() + "X[]".len() != closed.len()
}
