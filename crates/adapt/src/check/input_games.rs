//! Compares the games of an input with its first game.

use sgfstream::Charset;
use sgfstream_game::Game;

/// Fact about a game, for comparison with the games before it in its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComparedFact {
    /// The number of the game, from 1.
    Number(u64),
    /// Its version of the format (SGFC 45).
    Version(u8),
    /// The kind of game (SGFC 53).
    Game(Game),
    /// The charset that it declares (SGFC 74).
    Charset(Option<Charset>),
}

/// Facts of an input's first game, and which differences were reported.
///
/// ```
/// use sgfstream_adapt::check::{ComparedFact, InputGames};
///
/// let mut games = InputGames::default();
/// assert_eq!(games.compare(ComparedFact::Version(4)), None);
/// let message = games.compare(ComparedFact::Version(3)).expect("it differs");
/// assert_eq!(message, "the first game has FF[4], this one FF[3]");
/// assert_eq!(games.compare(ComparedFact::Version(3)), None, "reported once");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct InputGames {
    version: First<u8>,
    game: First<Game>,
    charset: First<Option<Charset>>,
}

impl InputGames {
    /// Returns the message for the first game that differs from the first game of the input; `None`
    /// for all other games.
    pub fn compare(&mut self, fact: ComparedFact) -> Option<String> {
        match fact {
            ComparedFact::Number(number) => {
                (number == 2).then(|| "the input has more than one game".to_owned())
            }
            ComparedFact::Version(ff) => {
                let first = self.version.differs(ff)?;
                Some(format!("the first game has FF[{first}], this one FF[{ff}]"))
            }
            ComparedFact::Game(game) => {
                let first = self.game.differs(game)?;
                Some(format!(
                    "the first game is {}, this one {}",
                    first.name(),
                    game.name()
                ))
            }
            ComparedFact::Charset(charset) => {
                let first = self.charset.differs(charset)?;
                let name = |charset: Option<Charset>| charset.map_or("no charset", Charset::name);
                Some(format!(
                    "the first game declares {}, this one {}",
                    name(first),
                    name(charset)
                ))
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct First<T> {
    value: Option<T>,
    is_reported: bool,
}

impl<T> Default for First<T> {
    fn default() -> Self {
        Self {
            value: None,
            is_reported: false,
        }
    }
}

impl<T: Copy + PartialEq> First<T> {
    /// Returns the first value if `value` is the first that differs from it.
    fn differs(&mut self, value: T) -> Option<T> {
        let first = *self.value.get_or_insert(value);
        (first != value && !std::mem::replace(&mut self.is_reported, true)).then_some(first)
    }
}
