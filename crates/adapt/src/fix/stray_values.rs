//! Values without a property: whether it is known which property they belong to.

use sgfstream::record::{GameItem, GameRecord};
use sgfstream::{CharsetSource, Code};

/// Values without a property in the current node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct StrayValues {
    has_value: bool,
    has_parenthesis: bool,
    /// A value follows the last bare `]`, so it is not the rest of a text.
    is_last: bool,
}

impl StrayValues {
    pub(super) fn add(&mut self, code: Code) {
        match code {
            Code::IdentifierWithoutCapital
            | Code::IdentifierTooLong
            | Code::ValueWithoutIdentifier => {
                (self.has_value, self.is_last) = (true, true);
            }
            Code::StrayBracket => self.is_last = false,
            code => self.has_parenthesis |= is_of_parentheses(code),
        }
    }

    /// Returns whether a value may get the words before it as its property. That also happens if a
    /// parenthesis between them is dropped.
    pub(super) fn is_ambiguous(self) -> bool {
        self.is_last || (self.has_value && self.has_parenthesis)
    }
}

/// Returns whether the repair of this code drops a parenthesis.
pub(super) const fn is_of_parentheses(code: Code) -> bool {
    matches!(
        code,
        Code::VariationWithoutNode | Code::EmptyVariation | Code::StrayParenthesis
    )
}

/// Returns whether stray bytes of a game may belong to more than one property.
pub(super) fn is_ambiguous(game: &GameRecord<'_>) -> bool {
    if game.problems().len() == game.problems_before().len() {
        return false;
    }
    let is_sure = game.charset_source() >= CharsetSource::Declared
        && !game.charset().has_structural_trail_bytes();
    let bytes = game.as_bytes();
    // The `)` of a dropped `(` may follow any property.
    let has_parenthesis = game
        .problems()
        .iter()
        .any(|problem| problem.code == Code::VariationWithoutNode);
    let start = StrayValues {
        has_parenthesis,
        ..StrayValues::default()
    };
    let mut stray = start;
    let mut end = 0;
    for item in game.items(game.tokens()) {
        match item {
            GameItem::Problem(problem) => stray.add(problem.code),
            GameItem::Property(..) => {}
            _ if std::mem::replace(&mut stray, start).is_ambiguous() => return true,
            _ => {}
        }
    }
    if is_sure || bytes.is_ascii() {
        return stray.is_ambiguous();
    }
    // The end of a text beyond ASCII depends on all bytes before it.
    for &token in game.tokens() {
        let gap = &bytes[end..token.at().max(end)];
        if std::str::from_utf8(gap).is_err() {
            return true;
        }
        end = end.max(game.end_of(token));
    }
    std::str::from_utf8(&bytes[end..]).is_err() || stray.is_ambiguous()
}
