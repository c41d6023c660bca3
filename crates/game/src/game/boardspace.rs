//! Files of Boardspace: they contain actions of the players `P0` and `P1` in place of moves, each
//! with a counter, a verb, and operands (spec games §22 to §28, §37 to §39). No page defines the
//! actions, so this module does not interpret them.

use std::fmt;

/// Action of a player: one value of `P0` or `P1`.
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
    /// Verb and operands, separated by single spaces.
    words: Box<str>,
}

impl Action {
    // Action = Number " " Verb {" " Operand}
    /// Parses an action. Returns `None` for other values: the player's name and ranking in the
    /// root, and text that is not UTF-8.
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
        (!rest.is_empty()).then(|| Self {
            number,
            words: rest.into(),
        })
    }

    /// Returns the counter, from 0.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Returns the verb as written: `pick`, `dropb`, `move`, `done`, ….
    #[must_use]
    pub fn verb(&self) -> &str {
        self.words.split(' ').next().unwrap_or("")
    }

    /// Returns the operands of the verb.
    pub fn operands(&self) -> impl Iterator<Item = &str> {
        self.words.split(' ').skip(1)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.words)
    }
}
