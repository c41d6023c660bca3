//! RE in games of three and four players, who are numbers: `2+5`.

use std::borrow::Cow;

use super::{Color, GameResult, LenientValue, Reading, ValueError};

/// Completes "expected …" in errors about a game of more than two players.
const EXPECTED_NUMBERED: &str = "a result: `0`, `Draw`, `Void`, `?`, or the number of a player and `+` with a score, `R`, `T` or `F`";

/// Largest number of players.
const PLAYERS_MAX: u8 = 4;

impl GameResult {
    /// Parses the value strictly for a game of this many players. Three and four players are
    /// numbers in place of `B` and `W` (Pentobi, spec P-16, P-18). If their number is unknown, they
    /// may be either.
    ///
    /// # Errors
    ///
    /// The same as for [`parse`](Self::parse).
    pub fn parse_of(players: Option<u8>, raw: &[u8]) -> Result<Self, ValueError> {
        let numbered = || {
            let (player, lettered) = lettered(players.unwrap_or(PLAYERS_MAX), raw);
            let result = Self::parse(&lettered)
                .ok()
                .and_then(|result| result.won_by(player));
            result.ok_or_else(|| ValueError::syntax(EXPECTED_NUMBERED, raw))
        };
        match players {
            Some(0..=2) => Self::parse(raw),
            Some(_) => numbered(),
            None => Self::parse(raw).or_else(|err| numbered().map_err(|_| err)),
        }
    }

    /// Reads the value leniently for a game of this many players, as [`read`](Self::read) does.
    ///
    /// ```
    /// use sgfstream_game::value::GameResult;
    ///
    /// let winner = |players, raw| {
    ///     GameResult::read_of(Some(players), raw).sure().and_then(|read| read.value.winner())
    /// };
    /// assert_eq!(
    ///     (winner(3, b"2 + 5"), winner(3, b"4+"), winner(3, b"W+")),
    ///     (Some("2"), None, None)
    /// );
    /// assert_eq!((winner(2, b"2 + 5"), winner(2, b"W+")), (None, Some("W")));
    /// ```
    #[must_use]
    pub fn read_of(players: Option<u8>, raw: &[u8]) -> Reading<Self> {
        match (players, Self::read(raw)) {
            (Some(0..=2), read) | (None, read @ (Reading::Sure(_) | Reading::Guess(_))) => {
                return read;
            }
            _ => {}
        }
        let (player, lettered) = lettered(players.unwrap_or(PLAYERS_MAX), raw);
        match Self::read(&lettered) {
            Reading::Sure(LenientValue { value, repair }) => match value.won_by(player) {
                Some(value) => Reading::Sure(LenientValue { value, repair }),
                None => Reading::Unknown,
            },
            Reading::Guess(_) | Reading::Unknown => Reading::Unknown,
        }
    }

    /// Returns this result of a text in which `B` stands for `player`. Returns `None` if it names
    /// another winner.
    fn won_by(self, player: Option<u8>) -> Option<Self> {
        match (self, player) {
            (
                Self::Win {
                    winner: Color::Black,
                    margin,
                },
                Some(player),
            ) => Some(Self::PlayerWin { player, margin }),
            (Self::Win { .. }, _) => None,
            (result, _) => Some(result),
        }
    }
}

/// Returns the player whose number begins the text, and the text with `B` in place of the number.
fn lettered(players: u8, raw: &[u8]) -> (Option<u8>, Cow<'_, [u8]>) {
    let (blanks, text) = raw.split_at(raw.len() - raw.trim_ascii_start().len());
    match text {
        [digit @ b'1'..=b'9', rest @ ..] if digit - b'0' <= players => (
            Some(digit - b'0'),
            Cow::Owned([blanks, b"B", rest].concat()),
        ),
        _ => (None, Cow::Borrowed(raw)),
    }
}
