//! Files of Boardspace: they contain actions of the players `P0` and `P1` in place of moves, each
//! with a counter, a verb, and operands (spec games §22 to §28, §37 to §39). No page defines the
//! actions, so this module does not interpret them.

use std::fmt;

/// Action of a player: one value of `P0` or `P1`. `Display` prints its words with single spaces.
///
/// ```
/// use sgfstream_game::boardspace::Action;
///
/// let action = Action::parse(b"2 dropb  wA1 L 10 .").expect("an action");
/// assert_eq!(action.to_string(), "2 dropb wA1 L 10 .");
/// assert_eq!(Action::parse(b"id \"name\""), None); // a player, no action
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action(Box<str>);

impl Action {
    // Action = Number " " Verb {" " Operand}
    /// Parses an action. Returns `None` for other values: the player's name and ranking in the
    /// root, and text that is not UTF-8.
    #[must_use]
    pub fn parse(raw: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(raw).ok()?;
        let (number, words) = text
            .trim_ascii()
            .split_once(|c: char| c.is_ascii_whitespace())?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number: u32 = number.parse().ok()?;
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        Some(Self(format!("{number} {}", words.join(" ")).into()))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
