//! Replays a game and checks its moves by the rules of the game. Moves and setup change a board in
//! this module only.

use std::fmt;

use sgfstream::Property;

use crate::game::go::GoRules;
use crate::game::kropki::Dots;
use crate::game::{
    BoardCell, BoardEffect, Dialect, Effects, Fault, GameBoard, Illegal, Key, Move, NoBoard, Side,
    Turn, Violation,
};

use super::{Facts, Moves, RawMove};

/// Open variations whose boards are kept.
const OPEN_MAX: usize = 1024;

/// Positions that the superko remembers on all these boards together.
const POSITIONS_MAX: usize = 1 << 20;

/// Replay of a game, or of one of its lines: the current board, and the fault of each move by the
/// rules that the game names.
///
/// Every move changes the board, even an illegal one (spec M-04). `KO` in a node marks its moves as
/// intended (spec OP-10), so an illegal move is counted only at the end of its node. Pass the
/// properties of each node to [`apply`](Self::apply), and then call [`end_node`](Self::end_node).
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::{Facts, Side};
///
/// let input = b"(;SZ[5]RU[Japanese]AB[ab][bb][ca]AW[ba];W[aa];B[ ee ])";
/// let mut games = GameReader::new(SliceReader::new(input));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let mut replay = Facts::of(game, 0).replay().expect("a board");
/// for node in game.main_line_nodes() {
///     node.properties().for_each(|(_, property)| replay.apply(&property));
///     replay.end_node();
/// }
/// assert_eq!(replay.illegal(), Some(1)); // suicide
/// assert_eq!(replay.to_move(), Some(Side::White));
/// assert_eq!(replay.board().expect("Go").to_string().lines().last(), Some("....X"));
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Replay {
    /// `None` if the board is unknown from here on.
    board: Option<GameBoard>,
    dialect: Dialect,
    /// Whether no property and no move shows that the game is Go. It may be Kropki, whose borders
    /// appear late.
    may_be_kropki: bool,
    has_ko: bool,
    /// Illegal moves of the current node, which `KO` may still excuse.
    in_node: u64,
    illegal: u64,
    turn: Turn,
    /// Boards and turns to return to when the open variations end.
    open: Vec<(Option<GameBoard>, Turn)>,
    /// Positions that the superko remembers on these boards.
    remembered: usize,
    /// Open variations below them, which are not replayed.
    below: u64,
}

/// Reason why a move is illegal or unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MoveFault {
    /// The rules of the game forbid the move.
    Illegal(Violation),
    /// The value of the move cannot be parsed.
    Unreadable(Fault),
}

/// Move that was made, with its fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct JudgedMove {
    /// Cell of the move, if it has one.
    pub field: Option<BoardCell>,
    /// Whether the move is a pass.
    pub is_pass: bool,
    /// Number of captured stones, dots or pods, if the board is known and the move is readable.
    pub captures: Option<u32>,
    /// `Err` if the move has a fault; `None` if the board is unknown.
    pub legality: Option<Result<(), MoveFault>>,
}

impl JudgedMove {
    /// Returns whether the move is legal; `None` if the board is unknown.
    #[must_use]
    #[inline]
    pub fn is_legal(&self) -> Option<bool> {
        self.legality.map(|legality| legality.is_ok())
    }
}

impl MoveFault {
    /// Returns whether `KO` excuses the move: it was made on the board, against the rules.
    #[must_use]
    pub const fn is_excused_by_ko(self) -> bool {
        !matches!(
            self,
            Self::Unreadable(_) | Self::Illegal(Violation::OffBoard | Violation::NotAMove)
        )
    }
}

impl fmt::Display for MoveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal(reason) => reason.fmt(f),
            Self::Unreadable(fault) => fault.fmt(f),
        }
    }
}

impl GameBoard {
    /// Returns the board of a game after this many moves of its main line, or at its end if it has
    /// fewer.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::{Facts, GameBoard};
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"(;SZ[3]AB[aa];W[bb];B[cc])"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let board = GameBoard::after(&Facts::of(game, 0), 1)?;
    /// assert_eq!(board.to_string().trim_end(), "X..\n.O.\n...");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    pub fn after(facts: &Facts<'_>, moves: u64) -> Result<Self, NoBoard> {
        let mut replay = facts.replay_boards()?;
        let mut played = 0;
        for node in facts.record().main_line_nodes() {
            played += facts.moves_of_node(node).count() as u64;
            if played > moves {
                break;
            }
            node.properties()
                .for_each(|(_, property)| replay.apply(&property));
            if played == moves && moves > 0 {
                break;
            }
        }
        // A game of Go may turn out to be Kropki, which has no board here.
        replay.into_board().ok_or(NoBoard::UnknownMoves(facts.game))
    }
}

impl Replay {
    /// Returns this replay with another side to begin.
    pub(super) fn starting(self, turn: Turn) -> Self {
        Self { turn, ..self }
    }

    /// Returns a replay at the start of a game of this dialect. In Go, suicide and the simple ko
    /// are illegal.
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    pub fn of_dialect(dialect: &Dialect) -> Result<Self, NoBoard> {
        Self::with_rules(dialect, GoRules::default(), false)
    }

    /// Returns a replay at the start of a game of this dialect. In Go, `rules` decide which moves
    /// are illegal. Set `may_be_kropki` if nothing shows that the game is Go.
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    pub fn with_rules(
        dialect: &Dialect,
        rules: GoRules,
        may_be_kropki: bool,
    ) -> Result<Self, NoBoard> {
        Ok(Self {
            board: Some(GameBoard::with_rules(dialect, rules)?),
            dialect: *dialect,
            may_be_kropki,
            has_ko: false,
            in_node: 0,
            illegal: 0,
            turn: Turn::at_start(dialect.game(), false),
            open: Vec::new(),
            remembered: 0,
            below: 0,
        })
    }

    /// Returns the current board; `None` if it is unknown.
    #[must_use]
    #[inline]
    pub fn board(&self) -> Option<&GameBoard> {
        self.board.as_ref()
    }

    /// Returns the current board, to make it record its hash or its changes, or to take the
    /// changes.
    #[inline]
    pub fn board_mut(&mut self) -> Option<&mut GameBoard> {
        self.board.as_mut()
    }

    /// Returns the current board and drops the rest.
    #[must_use]
    pub fn into_board(self) -> Option<GameBoard> {
        self.board
    }

    /// Returns the notation of the game's moves.
    #[must_use]
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Returns the number of moves up to the end of the last node that are illegal or unreadable;
    /// `None` if the board is unknown.
    #[must_use]
    pub fn illegal(&self) -> Option<u64> {
        self.board.is_some().then_some(self.illegal)
    }

    /// Returns the side to move: see [`Turn::side`].
    #[must_use]
    pub fn to_move(&self) -> Option<Side> {
        self.turn.side()
    }

    /// Returns whose turn it is.
    #[must_use]
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// Makes the next move, of `color` (from 1), from the value of its property.
    #[inline]
    pub fn play(&mut self, color: u8, value: &[u8]) -> JudgedMove {
        match self.dialect.parse_placement(value) {
            Some(field) => self.place(color, field),
            None => self.play_other(color, value),
        }
    }

    /// Places a stone on a cell, as [`play`](Self::play) does with a value that names the cell.
    #[inline]
    pub fn place(&mut self, color: u8, field: BoardCell) -> JudgedMove {
        self.turn = Turn::follows(self.dialect.game(), Side::of_color(color));
        let result = self
            .board
            .as_mut()
            .map(|board| board.place(Side::of_color(color), field));
        let judged = JudgedMove {
            field: Some(field),
            ..JudgedMove::default()
        };
        match result {
            None => judged,
            Some(Ok(played)) => JudgedMove {
                captures: Some(played.captured),
                legality: Some(Ok(())),
                ..judged
            },
            Some(Err(illegal)) => self.judge_illegal(judged, illegal),
        }
    }

    #[inline(never)]
    fn play_other(&mut self, color: u8, value: &[u8]) -> JudgedMove {
        self.play_parsed(color, value, &self.dialect.parse_move(value))
    }

    /// Makes a move that [`Dialect::parse_move`] parsed from `value`.
    #[inline]
    pub fn play_parsed(
        &mut self,
        color: u8,
        value: &[u8],
        parsed: &Result<Move, Fault>,
    ) -> JudgedMove {
        match parsed {
            Ok(mv) => self.play_move(color, mv),
            Err(fault) => self.play_unreadable(color, value, *fault),
        }
    }

    /// Makes a parsed move.
    #[inline]
    pub fn play_move(&mut self, color: u8, mv: &Move) -> JudgedMove {
        match mv {
            Move::Place(field) => self.place(color, *field),
            mv => self.play_other_move(color, mv),
        }
    }

    #[inline(never)]
    fn play_other_move(&mut self, color: u8, mv: &Move) -> JudgedMove {
        self.turn = Turn::after(&self.dialect, Side::of_color(color), mv);
        let judged = JudgedMove {
            field: mv.point(),
            is_pass: mv.is_pass(),
            ..JudgedMove::default()
        };
        match self
            .board
            .as_mut()
            .map(|board| board.play(Side::of_color(color), mv))
        {
            None => judged,
            Some(Ok(Effects { captured, .. })) => JudgedMove {
                captures: Some(captured),
                legality: Some(Ok(())),
                ..judged
            },
            Some(Err(illegal)) => self.judge_illegal(judged, illegal),
        }
    }

    /// Counts an unreadable move. It does not change the board.
    #[cold]
    fn play_unreadable(&mut self, color: u8, value: &[u8], fault: Fault) -> JudgedMove {
        self.turn = Turn::follows(self.dialect.game(), Side::of_color(color));
        if self.may_be_kropki && Dots::has_border(value) {
            // Kropki's dots were played as stones of Go, which are captured by other rules.
            self.board = None;
        }
        if self.board.is_none() {
            return JudgedMove::default();
        }
        self.illegal += 1;
        JudgedMove {
            legality: Some(Err(MoveFault::Unreadable(fault))),
            ..JudgedMove::default()
        }
    }

    #[cold]
    fn judge_illegal(&mut self, judged: JudgedMove, illegal: Illegal) -> JudgedMove {
        let fault = MoveFault::Illegal(illegal.reason);
        if fault.is_excused_by_ko() {
            self.in_node += 1;
        } else {
            self.illegal += 1;
        }
        JudgedMove {
            captures: Some(illegal.played.captured),
            legality: Some(Err(fault)),
            ..judged
        }
    }

    /// Applies a property: its moves, its setup, and `KO`.
    pub fn apply(&mut self, property: &Property<'_>) {
        let _ = self.apply_each(property, |_, _| {});
    }

    /// Applies a property as [`apply`](Self::apply) does, and passes each of its moves to `judged`.
    /// For setup, returns whether it has a fault.
    pub fn apply_each<'p>(
        &mut self,
        property: &Property<'p>,
        mut judged: impl FnMut(&RawMove<'p>, JudgedMove),
    ) -> Option<Result<(), MoveFault>> {
        let mut is_move = false;
        for raw in Moves::of(self.dialect.game(), property) {
            is_move = true;
            let mv = self.play(raw.color, &raw.bytes());
            judged(&raw, mv);
        }
        if is_move {
            return None;
        }
        let key = Key::of(property.ident());
        match key {
            Key::KO => {
                self.has_ko = true;
                return None;
            }
            Key::PL => {
                let named = Side::named_in(self.dialect.game(), property.first().as_bytes());
                self.turn = named.map_or(self.turn, Turn::Named);
            }
            _ => {}
        }
        let done = match self.board.as_mut()?.apply(property) {
            BoardEffect::SetUp(done) => done.map_err(|illegal| MoveFault::Illegal(illegal.reason)),
            BoardEffect::Misread(fault) => Err(MoveFault::Unreadable(fault)),
            BoardEffect::Nothing | BoardEffect::Played(..) => return None,
        };
        // Octi's squares belong to the start of the game.
        if !matches!(key, Key::BO | Key::WO) {
            self.turn = self.turn.after_setup();
        }
        Some(done)
    }

    /// Ends the node: counts its illegal moves, unless it has `KO`. Returns whether `KO` excused
    /// any.
    #[inline]
    pub fn end_node(&mut self) -> bool {
        let is_excused = self.has_ko && self.in_node > 0;
        if !is_excused {
            self.illegal += self.in_node;
        }
        (self.in_node, self.has_ko) = (0, false);
        is_excused
    }

    /// Starts a variation; call it after [`end_node`](Self::end_node). Returns false if too many
    /// are open, so that this one is not replayed.
    pub fn start_variation(&mut self) -> bool {
        let remembered = self.board.as_ref().map_or(0, GameBoard::remembered);
        if self.below > 0
            || self.open.len() >= OPEN_MAX
            || self.remembered + remembered > POSITIONS_MAX
        {
            self.below += 1;
            return false;
        }
        self.remembered += remembered;
        self.open.push((self.board.clone(), self.turn));
        true
    }

    /// Ends a variation and returns to the board at its start; call it after
    /// [`end_node`](Self::end_node).
    pub fn end_variation(&mut self) {
        if self.below > 0 {
            self.below -= 1;
        } else if let Some((board, turn)) = self.open.pop() {
            self.remembered -= board.as_ref().map_or(0, GameBoard::remembered);
            (self.board, self.turn) = (board, turn);
        }
    }

    /// Returns whether the replay follows the current variation.
    #[must_use]
    #[inline]
    pub fn follows(&self) -> bool {
        self.below == 0
    }
}
