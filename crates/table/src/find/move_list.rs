//! Lists of moves and setup from a user, for the boards of any games.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use sgfstream_game::value::BoardSize;
use sgfstream_game::{
    Dialect, Game, GameBoard, Move, Side, dialect::Variant, facts::Replay, internal::PositionStep,
};

use crate::filter::FilterError;

/// Maximum number of words.
const STEPS_MAX: usize = 1000;

/// Moves and setup separated by blanks: `pd dp`, `B[pd] W[dp]`, `Q16 D4`, `pass`,
/// `AB[dp][pd] PL[W] W[dd]`. A comma after a move is ignored. Each move and point is read in the
/// notation of the searched game or of players ([`Dialect::parse_move_in_any`]). Moves without a
/// property alternate in color, starting with Black or with the color of `PL`. Setup is a property
/// such as `AB`, `AW`, `AE` or `PL`; two points with a colon are the corners of a rectangle.
///
/// ```
/// use sgfstream_table::find::MoveList;
///
/// assert!(MoveList::parse("pd W[dp] Q4").is_ok());
/// assert!(MoveList::parse("AB[Q16][D4] AE[aa:cc] W[R14]").is_ok());
/// let err = MoveList::parse("pd d").expect_err("not a move");
/// assert_eq!(
///     err.to_string(),
///     "character 4: expected a move such as `pd`, `Q16` or `B[pd]`, found `d`\n  pd d\n     ^"
/// );
/// ```
#[derive(Clone, Debug)]
pub struct MoveList {
    steps: Vec<WrittenStep>,
    /// Whether a move is written with its property, as in `B[pd]`.
    names_colors: bool,
    /// Shared by all clones of the list.
    readings: Arc<Readings>,
}

/// Step as written, before its board is known.
#[derive(Clone, Debug)]
enum WrittenStep {
    Move(Side, String),
    /// Setup property: `AB[dp][pd]`.
    SetUp(String),
}

/// Results of reading a list for the searched boards.
#[derive(Debug, Default)]
struct Readings {
    /// Whether some board could read all moves.
    is_read: AtomicBool,
    /// The largest number of steps read by a board that failed, including the failed step; 0 if no
    /// board failed.
    unread: AtomicUsize,
}

impl MoveList {
    /// Parses the moves and the setup of `text`, which may be empty.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is not a move or setup in any game, or there are more than 1000
    /// words.
    pub fn parse(text: &str) -> Result<Self, FilterError> {
        let mut list = Self {
            steps: Vec::new(),
            names_colors: false,
            readings: Arc::default(),
        };
        let mut next = Side::Black;
        for word in words(text) {
            let written = &text[word.clone()];
            let written = match written.strip_suffix(',') {
                Some(before) if !may_be_move(written) => before,
                _ => written,
            };
            let step = WrittenStep::parse(written, next);
            let step = step.map_err(|message| FilterError::new(message, text, word.clone()))?;
            if list.steps.len() == STEPS_MAX {
                return Err(FilterError::new(
                    format!("more than {STEPS_MAX} moves are given"),
                    text,
                    word,
                ));
            }
            match &step {
                WrittenStep::Move(side, value) => {
                    list.names_colors |= value.len() < written.len();
                    next = side.opponent();
                }
                WrittenStep::SetUp(setup) => next = side_named_by(setup).unwrap_or(next),
            }
            list.steps.push(step);
        }
        Ok(list)
    }

    /// Returns the number of moves. Setup does not count.
    #[must_use]
    pub fn len(&self) -> usize {
        self.steps
            .iter()
            .filter(|step| matches!(step, WrittenStep::Move(..)))
            .count()
    }

    /// Returns whether there are no moves and no setup.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns whether the list contains setup.
    #[must_use]
    pub fn has_setup(&self) -> bool {
        self.len() < self.steps.len()
    }

    /// Returns whether the list names the color of a move.
    pub(super) fn names_colors(&self) -> bool {
        self.names_colors
    }

    /// Returns the steps for a game of this dialect, or `None` if one of them is invalid there.
    ///
    /// ```
    /// use sgfstream_game::{Dialect, Game};
    /// use sgfstream_table::find::MoveList;
    ///
    /// let go = Dialect::new(Game::Go, None);
    /// let written = |text: &str| {
    ///     let steps = MoveList::parse(text).expect("steps").steps_on(&go).expect("steps of Go");
    ///     steps.iter().map(|step| step.written(&go).to_string()).collect::<Vec<_>>().join(" ")
    /// };
    /// assert_eq!(written("AB[Q16][D4:E4] PL[W] R14 Q4"), "AB[pd][dp:ep] PL[W] W[qf] B[pp]");
    /// assert_eq!(written("AB[pd][dp:ep] PL[W] W[qf] B[pp]"), "AB[pd][dp:ep] PL[W] W[qf] B[pp]");
    /// ```
    #[must_use]
    pub fn steps_on(&self, dialect: &Dialect) -> Option<Vec<PositionStep>> {
        let mut all = Vec::new();
        for step in &self.steps {
            let Some(read) = step.read(dialect) else {
                self.readings
                    .unread
                    .fetch_max(all.len() + 1, Ordering::Relaxed);
                return None;
            };
            all.push(read);
        }
        self.readings.is_read.store(true, Ordering::Relaxed);
        Some(all)
    }

    /// Returns the moves for a game of this dialect, or `None` if a step is invalid there.
    pub(super) fn moves_on(&self, dialect: &Dialect) -> Option<Vec<(Side, Move)>> {
        let mut moves = Vec::new();
        for step in self.steps_on(dialect)? {
            if let PositionStep::Move(side, mv) = step {
                moves.push((side, mv));
            }
        }
        Some(moves)
    }

    /// Returns the move or setup because of which no searched board could read the list, if that is
    /// so.
    pub(super) fn unread(&self) -> Option<&str> {
        let Readings { is_read, unread } = &*self.readings;
        let at = unread.load(Ordering::Relaxed).checked_sub(1)?;
        let (WrittenStep::Move(_, unread) | WrittenStep::SetUp(unread)) = &self.steps[at];
        if is_read.load(Ordering::Relaxed) {
            None
        } else {
            Some(unread)
        }
    }

    /// Returns the position after the steps, or `None` if one of them is invalid for `dialect`.
    ///
    /// ```
    /// use sgfstream_game::value::BoardSize;
    /// use sgfstream_game::{Dialect, Game};
    /// use sgfstream_table::find::MoveList;
    ///
    /// let moves = MoveList::parse("AB[ca] A1").expect("setup and a move");
    /// let board =
    ///     moves.position(&Dialect::new(Game::Go, Some(BoardSize::square(3)))).expect("a board");
    /// assert_eq!(board.to_string(), "..X\n...\nX..\n");
    /// assert!(moves.position(&Dialect::new(Game::Chess, None)).is_none());
    /// ```
    #[must_use]
    pub fn position(&self, dialect: &Dialect) -> Option<GameBoard> {
        let mut replay = Replay::of_dialect(dialect).ok()?;
        for step in self.steps_on(dialect)? {
            // A board after an illegal move is a position, too.
            _ = step.apply_to(&mut replay);
        }
        replay.into_board()
    }
}

impl WrittenStep {
    /// Parses a word. `next` plays a move without its property. An error is a sentence.
    fn parse(word: &str, next: Side) -> Result<Self, String> {
        let Some((ident, value)) = word.strip_suffix(']').and_then(|word| word.split_once('['))
        else {
            return move_value(word, word).map(|value| Self::Move(next, value));
        };
        if let Ok(side) = Side::parse(ident.as_bytes()) {
            return move_value(value, word).map(|value| Self::Move(side, value));
        }
        match boards().any(|dialect| set_up(&dialect, word).is_some()) {
            true => Ok(Self::SetUp(word.to_owned())),
            false => Err(format!(
                "expected `B[…]`, `W[…]`, or setup such as `AB[pd]`, found `{word}`"
            )),
        }
    }

    fn read(&self, dialect: &Dialect) -> Option<PositionStep> {
        match self {
            Self::Move(side, text) => read(dialect, text).map(|mv| PositionStep::Move(*side, mv)),
            Self::SetUp(word) => set_up(dialect, word),
        }
    }
}

/// Returns the value of a move. An error is a sentence about the `word` of the move.
fn move_value(value: &str, word: &str) -> Result<String, String> {
    match may_be_move(value) {
        true => Ok(value.to_owned()),
        false if value.contains(',') => Err(format!(
            "expected moves separated by blanks, such as `pd dp`, found `{word}`"
        )),
        false => Err(format!(
            "expected a move such as `pd`, `Q16` or `B[pd]`, found `{word}`"
        )),
    }
}

/// Returns the setup of a word such as `AB[dp][pd]`.
fn set_up(dialect: &Dialect, word: &str) -> Option<PositionStep> {
    let (ident, values) = word.strip_suffix(']')?.split_once('[')?;
    PositionStep::set_up(dialect, ident, values.split("][")).filter(|_| dialect.has_points())
}

/// Returns the side that a setup such as `PL[W]` names.
fn side_named_by(setup: &str) -> Option<Side> {
    let value = setup.strip_prefix("PL[")?.strip_suffix(']')?;
    Side::named_in(Game::Other, value.as_bytes())
}

fn words(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let start = move |word: &str| word.as_ptr().addr() - text.as_ptr().addr();
    text.split_whitespace()
        .map(move |word| start(word)..start(word) + word.len())
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
    boards().any(|dialect| {
        let read = dialect.parse_move_in_any(text);
        dialect.has_points() && read.is_ok_and(|mv| !matches!(mv, Move::Raw(_) | Move::Action(_)))
    })
}

/// Returns the largest boards of all games.
fn boards() -> impl Iterator<Item = Dialect> {
    let pentobi = Variant::ALL.iter().map(|&variant| Game::Pentobi(variant));
    Game::NUMBERED.iter().copied().chain(pentobi).map(|game| {
        let side = if matches!(game, Game::Hex | Game::Twixt) {
            702
        } else {
            52
        };
        Dialect::new(game, Some(BoardSize::square(side)))
    })
}
