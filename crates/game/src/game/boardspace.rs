//! Boardspace's files: actions of players `P0` and `P1` in place of moves, a
//! counter, a verb, and operands (spec games §22 to §28, §37 to §39). No page defines
//! them; what an action does stays unread.

use std::fmt;

/// One value of `P0` or `P1`.
///
/// ```
/// use sgfstream_game::boardspace::Action;
///
/// let action = Action::parse(b"2 dropb wA1 L 10 .").expect("an action");
/// assert_eq!((action.number(), action.verb()), (2, "dropb"));
/// assert_eq!(action.operands().collect::<Vec<_>>(), ["wA1", "L", "10", "."]);
/// assert_eq!(Action::parse(b"id \"name\""), None); // a player, no action
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    number: u32,
    /// Verb and operands, one space between each.
    words: Box<str>,
}

impl Action {
    // Action = Number " " Verb {" " Operand}
    /// Reads an action. `None` for other values: the player's name and ranking
    /// in the root, and text that is not UTF-8.
    #[must_use]
    pub fn parse(raw: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(raw).ok()?;
        let mut words = text.split_ascii_whitespace();
        let number = words.next()?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let number = number.parse().ok()?;
        let mut rest = String::with_capacity(raw.len());
        for word in words {
            if !rest.is_empty() {
                rest.push(' ');
            }
            rest.push_str(word);
        }
        (!rest.is_empty()).then(|| Self { number, words: rest.into() })
    }

    /// The counter, from 0.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Verb: `pick`, `dropb`, `move`, `done`, …, as written.
    #[must_use]
    pub fn verb(&self) -> &str {
        self.words.split(' ').next().unwrap_or("")
    }

    /// Operands of the verb.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        self.words.split(' ').skip(1)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.words)
    }
}
