//! Lists of moves from a user, for the boards of any games.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Dialect, Game, GameBoard, Move, Replay, Side, Variant};

use crate::filter::FilterError;

/// Maximum number of moves.
const MOVES_MAX: usize = 1000;

/// Moves separated by blanks: `pd dp`, `B[pd] W[dp]`, `Q16 D4`, `pass`. A comma after a move is ignored. Each move is read
/// in the notation of the searched game or of players ([`Dialect::parse_move_in_any`]). Moves without a property alternate
/// in color, starting with Black.
///
/// ```
/// use sgfstream_table::find::MoveList;
///
/// assert!(MoveList::parse("pd W[dp] Q4").is_ok());
/// let err = MoveList::parse("pd d").expect_err("not a move");
/// assert_eq!(err.to_string(), "column 4: expected a move such as `pd`, `Q16` or `B[pd]`, found `d`\n  pd d\n     ^");
/// ```
#[derive(Clone, Debug)]
pub struct MoveList {
    moves: Vec<(Side, String)>,
    /// Whether a move is written with its property, as in `B[pd]`.
    names_colors: bool,
    /// Shared by all clones of the list.
    readings: Arc<Readings>,
}

/// Results of reading a list for the searched boards.
#[derive(Debug, Default)]
struct Readings {
    /// Whether some board could read all moves.
    is_read: AtomicBool,
    /// The largest number of moves read by a board that failed, including the failed move; 0 if no board failed.
    unread: AtomicUsize,
}

impl MoveList {
    /// Parses the moves of `text`, which may be empty.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is not a move in any game, or there are more than 1000 moves.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut moves = Vec::new();
        let (mut next, mut names_colors) = (Side::Black, false);
        for word in words(text) {
            let fault = |message: String| Err(FilterError::new(message, text, word.clone()));
            let written = &text[word.clone()];
            let written = match written.strip_suffix(',') {
                Some(before) if !may_be_move(written) => before,
                _ => written,
            };
            if moves.len() == MOVES_MAX {
                return fault(format!("more than {MOVES_MAX} moves are given"));
            }
            let (side, value) = match written.strip_suffix(']').and_then(|word| word.split_once('[')) {
                Some((ident, value)) => match Side::parse(ident.as_bytes()) {
                    Ok(side) => {
                        names_colors = true;
                        (side, value)
                    }
                    Err(_) => return fault(format!("expected `B[…]` or `W[…]`, found `{written}`")),
                },
                None => (next, written),
            };
            if !may_be_move(value) {
                if value.contains(',') {
                    return fault(format!("expected moves separated by blanks, such as `pd dp`, found `{written}`"));
                }
                return fault(format!("expected a move such as `pd`, `Q16` or `B[pd]`, found `{written}`"));
            }
            moves.push((side, value.to_owned()));
            next = side.opponent();
        }
        Ok(Self { moves, names_colors, readings: Arc::default() })
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns whether the list names the color of a move.
    pub(super) fn names_colors(&self) -> bool {
        self.names_colors
    }

    /// Returns the moves for a game of this dialect, or `None` if one of them is invalid there.
    #[must_use]
    pub fn moves_on(&self, dialect: &Dialect) -> Option<Vec<(Side, Move)>> {
        let mut all = Vec::new();
        for (side, text) in &self.moves {
            let Some(played) = read(dialect, text) else {
                self.readings.unread.fetch_max(all.len() + 1, Ordering::Relaxed);
                return None;
            };
            all.push((*side, played));
        }
        self.readings.is_read.store(true, Ordering::Relaxed);
        Some(all)
    }

    /// Returns the move because of which no searched board could read the list, if that is so.
    pub(super) fn unread(&self) -> Option<&str> {
        let Readings { is_read, unread } = &*self.readings;
        let at = unread.load(Ordering::Relaxed).checked_sub(1)?;
        if is_read.load(Ordering::Relaxed) { None } else { Some(&self.moves[at].1) }
    }

    /// Returns the position after the moves, or `None` if one of them is invalid for `dialect`.
    ///
    /// ```
    /// use sgfstream_game::{Dialect, Game};
    /// use sgfstream_table::find::MoveList;
    ///
    /// let moves = MoveList::parse("pd dp").expect("moves");
    /// assert!(moves.position(&Dialect::new(Game::Go, None)).is_some());
    /// assert!(moves.position(&Dialect::new(Game::Chess, None)).is_none());
    /// ```
    #[must_use]
    pub fn position(&self, dialect: &Dialect) -> Option<GameBoard> {
        let mut replay = Replay::of_dialect(dialect).ok()?;
        for (side, mv) in self.moves_on(dialect)? {
            replay.play_move(side.color(), &mv);
        }
        replay.into_board()
    }
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let start = move |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    text.split_whitespace().map(move |word| start(word)..start(word) + word.len())
}

fn read(dialect: &Dialect, text: &str) -> Option<Move> {
    if text.is_empty() || text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    let played = dialect.parse_move_in_any(text.as_bytes()).ok()?;
    (!matches!(played, Move::Raw(_))).then_some(played)
}

/// Returns whether the text is a move in some game.
fn may_be_move(text: &str) -> bool {
    text.is_empty() || text.eq_ignore_ascii_case("pass") || is_move_of_some_game(text.as_bytes())
}

/// Returns whether some game with defined moves can read the text as a move, on the largest boards.
pub(crate) fn is_move_of_some_game(text: &[u8]) -> bool {
    let pentobi = Variant::ALL.iter().map(|&variant| Game::Pentobi(variant));
    Game::NUMBERED.iter().copied().chain(pentobi).any(|game| {
        let side = if matches!(game, Game::Hex | Game::Twixt) { 702 } else { 52 };
        let dialect = Dialect::new(game, Some(BoardSize::square(side)));
        let read = dialect.parse_move_in_any(text);
        dialect.has_points() && read.is_ok_and(|mv| !matches!(mv, Move::Raw(_) | Move::Action(_)))
    })
}
