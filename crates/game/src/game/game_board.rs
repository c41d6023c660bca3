//! Board of any game, for replaying a record.

use std::any::Any;
use std::fmt;

use crate::game::{
    Board, BoardCell, BoardHash, Dialect, Effects, Fault, Game, Illegal, Move, Setup, Side, Stone,
    Word,
};
use crate::value::{BoardSize, Number, PointSet};
use sgfstream::Property;

use super::amazons::AmazonsBoard;
use super::board_hash::{BoardTracking, Change};
use super::go::{GoBoard, GoRules};
use super::gomoku::GomokuBoard;
use super::havannah::HavannahBoard;
use super::hex::HexBoard;
use super::kropki::KropkiBoard;
use super::loa::LoaBoard;
use super::octi::{OctiBoard, OctiStone, Prongs};
use super::othello::OthelloBoard;
use super::pentobi::PentobiBoard;
use super::turn::swaps_sides;
use super::unlur::UnlurBoard;

/// Current position of a game that is replayed. Clone it at the start of a variation.
///
/// ```
/// use sgfstream_game::{Dialect, BoardCell, Game, GameBoard, Side, board::Violation};
/// use sgfstream_game::value::BoardSize;
///
/// let go = Dialect::new(Game::Go, Some(BoardSize::square(9)));
/// let mut position = GameBoard::new(&go).expect("Go has a board");
/// position.play(Side::Black, &go.parse_move(b"dc")?)?;
/// position.play(Side::Black, &go.parse_move(b"ee")?)?;
/// let illegal = position.play(Side::White, &go.parse_move(b"ee")?).expect_err("occupied");
/// assert_eq!(illegal.reason, Violation::Occupied);
/// assert_eq!(position.stone(BoardCell::new(4, 4)), Some(Side::White)); // executed all the same
/// assert_eq!(position.to_string().lines().nth(2), Some("...X....."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameBoard {
    dialect: Dialect,
    board: Box<dyn Board>,
    hash: Option<Box<BoardHash>>,
}

impl Clone for GameBoard {
    fn clone(&self) -> Self {
        Self {
            dialect: self.dialect,
            board: self.board.boxed(),
            hash: self.hash.clone(),
        }
    }
}

/// Prints the board as [`Board`] describes.
impl fmt::Display for GameBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.board)
    }
}

impl fmt::Debug for GameBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:?}", self.dialect)?;
        write!(f, "{}", self.board)
    }
}

/// Effect of a property on a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BoardEffect {
    /// The property does not change the position.
    Nothing,
    /// The property set up stones; the error is the first rule that it breaks.
    SetUp(Result<(), Illegal>),
    /// The property was a move.
    Played(Move, Result<Effects, Illegal>),
    /// A value was unreadable and was skipped.
    Misread(Fault),
}

/// Reason why a game has no board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoBoard {
    /// No document defines how the moves of this game change a board: Chess, Twixt, Gess, the games
    /// of Boardspace and others.
    UnknownMoves(Game),
    /// `SZ` is unreadable.
    UnknownSize,
    /// No document defines where games on a board of this size start, and the root does not say so.
    UnknownStart(Game, BoardSize),
    /// Boards of this game and size are too large to replay.
    TooLarge(Game, BoardSize),
}

impl fmt::Display for NoBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownMoves(game) => {
                write!(
                    f,
                    "no board for {}; its moves are kept as text",
                    game.name()
                )
            }
            Self::UnknownSize => {
                f.write_str("`SZ` cannot be read, so the size of the board is unknown")
            }
            Self::UnknownStart(game, size) => {
                write!(
                    f,
                    "the start of {} on a {size} board is unknown; add `BO` and `WO`",
                    game.name()
                )
            }
            Self::TooLarge(game, size) => {
                write!(
                    f,
                    "{} boards of size {size} cannot be replayed",
                    game.name()
                )
            }
        }
    }
}

impl std::error::Error for NoBoard {}

impl GameBoard {
    /// Returns the board at the start of a game.
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    ///
    /// ```
    /// use sgfstream_game::{Dialect, Game, GameBoard};
    ///
    /// let no_board =
    ///     GameBoard::new(&Dialect::new(Game::Chess, None)).expect_err("its moves are text");
    /// assert_eq!(no_board.to_string(), "no board for Chess; its moves are kept as text");
    /// ```
    pub fn new(dialect: &Dialect) -> Result<Self, NoBoard> {
        Self::with_rules(dialect, GoRules::default())
    }

    /// Returns the board at the start of a game; in Go, `rules` decide which moves are illegal.
    ///
    /// # Errors
    /// The same as for [`new`](Self::new).
    pub fn with_rules(dialect: &Dialect, rules: GoRules) -> Result<Self, NoBoard> {
        fn boxed<B: Board>(board: Option<B>) -> Option<Box<dyn Board>> {
            board.map(|board| -> Box<dyn Board> { Box::new(board) })
        }
        let (game, size) = (dialect.game(), dialect.size());
        let board = match game {
            _ if !dialect.has_size() => return Err(NoBoard::UnknownSize),
            Game::Go => boxed(GoBoard::with_rules(size, rules)),
            Game::Gomoku => boxed(GomokuBoard::new(size)),
            Game::Othello => boxed(OthelloBoard::new(size)),
            Game::Hex => boxed(HexBoard::new(size)),
            Game::Havannah => boxed(HavannahBoard::new(dialect.hexagon())),
            Game::Unlur => boxed(UnlurBoard::new(size)),
            Game::LinesOfAction => boxed(LoaBoard::new(size)),
            Game::Amazons => boxed(AmazonsBoard::new(size)),
            Game::Kropki => boxed(KropkiBoard::new(size)),
            Game::Octi => boxed(OctiBoard::new(size)),
            Game::Pentobi(variant) => boxed(Some(PentobiBoard::new(variant))),
            game => return Err(NoBoard::UnknownMoves(game)),
        };
        let board = board.ok_or(NoBoard::TooLarge(game, size))?;
        Ok(Self {
            dialect: *dialect,
            board,
            hash: None,
        })
    }

    /// Returns the notation of the game's moves.
    #[must_use]
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Returns columns and rows of the board.
    #[must_use]
    pub fn size(&self) -> BoardSize {
        self.board.size()
    }

    /// Returns the owner of the stone, dot, pod or piece on a cell.
    #[must_use]
    pub fn stone(&self, cell: BoardCell) -> Option<Side> {
        self.board.stone(cell)
    }

    /// Returns the cells of this board with stones, and their owners, row by row.
    pub fn stones(&self) -> impl Iterator<Item = (BoardCell, Side)> + '_ {
        let (columns, rows) = (self.size().columns() as u16, self.size().rows() as u16);
        let cells = (0..rows)
            .flat_map(move |row| (0..columns).map(move |column| BoardCell::new(column, row)));
        cells.filter_map(|cell| Some((cell, self.stone(cell)?)))
    }

    /// Returns the character that `Display` prints for a cell, or a blank off the board.
    #[must_use]
    pub fn character(&self, cell: BoardCell) -> char {
        if cell.is_on(self.size()) {
            self.board.character(cell)
        } else {
            ' '
        }
    }

    /// Returns the winner, if the board knows the rules: Hex, Havannah, Lines of Action, Gomoku
    /// (five or more).
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        self.board.winner()
    }

    /// Returns the board if it is of type `B`, whose methods give further details.
    ///
    /// ```
    /// use sgfstream_game::go::GoBoard;
    /// use sgfstream_game::{Dialect, Game, GameBoard, Side};
    ///
    /// let position = GameBoard::new(&Dialect::new(Game::Go, None)).expect("a board");
    /// let board: &GoBoard = position.board().expect("Go");
    /// assert_eq!((board.prisoners(Side::Black), board.ko()), (0, None));
    /// ```
    #[must_use]
    pub fn board<B: Board>(&self) -> Option<&B> {
        (&*self.board as &dyn Any).downcast_ref()
    }

    /// Makes a move. It refuses nothing: an illegal move is made as far as possible, and reported
    /// (spec M-04).
    ///
    /// # Errors
    /// Returns the first rule that the move breaks, with the effect of the move.
    #[inline]
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        if let Move::Place(cell) = mv {
            return self.place(side, *cell);
        }
        if swaps_sides(&self.dialect, mv) {
            return self.board.play(side, &Move::Word(Word::SwapSides));
        }
        self.play_any(side, mv)
    }

    /// Makes a move that places a stone, as [`play`](Self::play) does with [`Move::Place`]. It is
    /// faster, because the caller builds no `Move`, which is large for the sake of other games.
    ///
    /// # Errors
    /// Returns the first rule that the move breaks, with the effect of the move.
    #[inline]
    pub fn place(&mut self, side: Side, cell: BoardCell) -> Result<Effects, Illegal> {
        match (&mut *self.board as &mut dyn Any).downcast_mut::<GoBoard>() {
            Some(board) => put(board, self.hash.as_deref_mut(), side, cell),
            None => self.play_any(side, &Move::Place(cell)),
        }
    }

    fn play_any(&mut self, side: Side, mv: &Move) -> Result<Effects, Illegal> {
        let result = self.board.play(side, mv);
        if let Some(hash) = &mut self.hash {
            let played = result
                .as_ref()
                .map_or_else(|illegal| illegal.played, |played| *played);
            hash.follow_move(&*self.board, mv, played);
        }
        result
    }

    /// Returns the number of positions that the superko remembers.
    pub(crate) fn remembered(&self) -> usize {
        self.board().map_or(0, GoBoard::remembered)
    }
}

/// Hashes and lists of changes, for the indexes of sgfq.
#[doc(hidden)]
impl GameBoard {
    /// Starts to keep the hash of the board, under all symmetries of the game.
    pub fn keep_hash(&mut self) {
        self.keep(BoardTracking::Hash);
    }

    /// Starts to keep the hash of the board in its own orientation only: [`BoardHash::plain`]. This
    /// is faster.
    pub fn keep_plain_hash(&mut self) {
        self.keep(BoardTracking::PlainHash);
    }

    /// Starts to keep a list of changes on the board, in place of a hash. The list begins with all
    /// current contents.
    pub fn keep_changes(&mut self) {
        self.keep(BoardTracking::Changes);
    }

    /// Starts to keep a hash and a list of changes, as [`keep_hash`](Self::keep_hash) and
    /// [`keep_changes`](Self::keep_changes) do. The hash is not kept for exchanged colors.
    pub fn keep_hash_and_changes(&mut self) {
        self.keep(BoardTracking::HashAndChanges);
    }

    /// Prepares the hash for [`keep_as`](Self::keep_as): computes the keys of all cells once.
    pub fn share_hash(&mut self) {
        self.hash.iter_mut().for_each(|hash| hash.compute_keys());
    }

    /// Starts to keep the hash and the changes that `start` keeps. Both must be boards at the start
    /// of games of one dialect.
    pub fn keep_as(&mut self, start: &Self) {
        self.hash = start.hash.clone();
    }

    fn keep(&mut self, keep: BoardTracking) {
        let is_empty = self.board().is_some_and(GoBoard::is_empty);
        self.hash = Some(Box::new(BoardHash::new(
            &self.dialect,
            &*self.board,
            keep,
            is_empty,
        )));
    }

    /// Replaces the contents of `changes` by the changes since the last call. Returns false if no
    /// list is kept. The list grows until it is taken. It does not contain Octi's stacks. After an
    /// exchange of columns and rows, it lists the board as if it was empty before.
    #[inline]
    pub fn take_changes(&mut self, changes: &mut Vec<Change>) -> bool {
        changes.clear();
        let kept = self.hash.as_mut().and_then(|hash| hash.changes());
        let is_kept = kept.is_some();
        if let Some(kept) = kept {
            std::mem::swap(kept, changes);
        }
        is_kept
    }

    /// Returns the hash of the board, if it is kept.
    #[must_use]
    #[inline]
    pub fn hash(&self) -> Option<&BoardHash> {
        self.hash.as_deref().filter(|hash| hash.keeps_hash())
    }

    /// Returns a cell in the numbering of the hash and of the list of changes: straight numbering
    /// in Havannah. Returns `None` off the board.
    #[must_use]
    #[inline]
    pub fn straight(&self, cell: BoardCell) -> Option<BoardCell> {
        match self.dialect.game() {
            Game::Havannah => self.dialect.hexagon().straighten(cell),
            _ => cell.is_on(self.size()).then_some(cell),
        }
    }
}

impl GameBoard {
    /// Places a stone of `side`; if `side` is `None`, empties the cell.
    ///
    /// # Errors
    /// Returns the problem with the stone. Setup off the board has no effect.
    pub fn set_up(&mut self, side: Option<Side>, stone: &Stone) -> Result<(), Illegal> {
        self.put_up(Setup::Stone(side), stone)
    }

    fn put_up(&mut self, setup: Setup, stone: &Stone) -> Result<(), Illegal> {
        let result = self.board.set_up(setup, stone);
        if let Some(hash) = &mut self.hash {
            hash.follow_setup(&*self.board, setup, stone);
        }
        result
    }

    /// Applies a property that changes the position: moves, setup, Octi's squares and pods, arrows,
    /// Kropki's territory, the old identifiers of Pentobi. If a move has several values, only the
    /// first counts; in Pentobi's games all values are one piece (spec P-39).
    ///
    /// ```
    /// use sgfstream::{Framing, Property};
    /// use sgfstream_game::{Dialect, Game, GameBoard, board::BoardEffect};
    ///
    /// let mut position = GameBoard::new(&Dialect::new(Game::Go, None)).expect("a board");
    /// let property = Property::parse(b"AB[aa:sb]", Framing::Value).expect("a property");
    /// assert_eq!(position.apply(&property), BoardEffect::SetUp(Ok(())));
    /// ```
    pub fn apply(&mut self, property: &Property<'_>) -> BoardEffect {
        let game = self.dialect.game();
        let ident = property.ident();
        if let Some(side) = game.move_ids().side(ident) {
            return match self.dialect.parse_moves(property) {
                Ok(mv) => {
                    let result = self.play(side, &mv);
                    BoardEffect::Played(mv, result)
                }
                Err(fault) => BoardEffect::Misread(fault),
            };
        }
        match Setup::of(game, &ident.canonical()) {
            Some(Setup::Reserve(kind)) => {
                let parts = Number::read(property.first().as_bytes())
                    .sure()
                    .and_then(|read| u32::try_from(read.value.get()).ok());
                if let (Some(parts), Some(board)) =
                    (parts, (&mut *self.board as &mut dyn Any).downcast_mut())
                {
                    OctiBoard::set_reserve(board, kind, parts);
                }
                BoardEffect::Nothing
            }
            Some(setup) => self.apply_setup(setup, property),
            None => BoardEffect::Nothing,
        }
    }

    /// Applies every value as a stone or, if lists can be compressed, as a rectangle of stones.
    fn apply_setup(&mut self, setup: Setup, property: &Property<'_>) -> BoardEffect {
        let mut done = Ok(());
        let mut misread = None;
        let is_territory = matches!(setup, Setup::Territory(_));
        let has_entries = self.dialect.game().has_two_letter_points() && !is_territory;
        // Each point is set up once, however many rectangles contain it.
        let mut seen = PointSet::new();
        for value in property.values() {
            let raw = value.as_bytes();
            if has_entries {
                match self
                    .dialect
                    .read_entry(raw)
                    .map(|parsed| (parsed.value, parsed.value.as_point()))
                {
                    Ok((_, Some(point))) => {
                        done = done.and(self.put_up(setup, &Stone::Point(point.into())))
                    }
                    Ok((entry, None)) => {
                        let Some(entry) = entry.clipped(self.dialect.size()) else {
                            continue;
                        };
                        for point in entry.insert_into(&mut seen) {
                            done = done.and(self.put_up(setup, &Stone::Point(point.into())));
                        }
                    }
                    Err(_) if raw.is_empty() => {}
                    Err(fault) => misread = misread.or(Some(fault)),
                }
                continue;
            }
            let is_of_stones = matches!(setup, Setup::Stone(Some(_)) | Setup::RemovePod);
            if let Some(entry) = self.dialect.parse_rectangle(is_of_stones, raw) {
                for cell in entry.insert_into(&mut seen).map(BoardCell::from) {
                    let stone = match self.dialect.game() {
                        Game::Octi => Stone::Pod(OctiStone {
                            field: cell,
                            prongs: Prongs::default(),
                        }),
                        _ => Stone::Point(cell),
                    };
                    done = done.and(self.put_up(setup, &stone));
                }
                continue;
            }
            let stone = match setup {
                Setup::Territory(_) => self.dialect.parse_territory(raw).map(Stone::Territory),
                _ => self.dialect.parse_stone(raw),
            };
            match stone {
                Ok(stone) => done = done.and(self.put_up(setup, &stone)),
                Err(_) if raw.is_empty() => {}
                Err(fault) => misread = misread.or(Some(fault)),
            }
        }
        misread.map_or(BoardEffect::SetUp(done), BoardEffect::Misread)
    }
}

/// Places a stone of Go. It is a separate function, so that the result is built in place at the
/// return site.
#[inline(always)]
fn put(
    board: &mut GoBoard,
    hash: Option<&mut BoardHash>,
    side: Side,
    cell: BoardCell,
) -> Result<Effects, Illegal> {
    let result = board.place(side, cell);
    if let Some(hash) = hash {
        // The cell is empty if the move was suicide.
        let new = board.stone(cell).map_or(0, Side::color);
        hash.follow_stone(cell, new, board.taken());
    }
    result
}

#[cfg(test)]
mod tests {
    use super::super::{Program, Violation};
    use super::*;
    use sgfstream::{Event, SliceReader};

    /// Replays a record and returns the reasons of its illegal moves.
    fn replay(game: Game, raw: &str) -> (GameBoard, Vec<Violation>) {
        let mut position =
            GameBoard::new(&Dialect::of_program(game, None, Program::Standard)).expect("a board");
        let mut reasons = Vec::new();
        for event in SliceReader::new(raw.as_bytes()).events().flatten() {
            let Event::Property(property) = event else {
                continue;
            };
            match position.apply(&property) {
                BoardEffect::Played(_, Err(illegal)) | BoardEffect::SetUp(Err(illegal)) => {
                    reasons.push(illegal.reason)
                }
                BoardEffect::Misread(fault) => panic!("{fault}"),
                _ => {}
            }
        }
        (position, reasons)
    }

    #[test]
    fn records() {
        for (game, raw, reasons) in [
            (
                Game::Go,
                "(;GM[1]AB[aa:cc]AE[bb];W[bb];B[])",
                &[Violation::Suicide][..],
            ),
            (Game::Gomoku, "(;GM[4];B[hh];W[hh])", &[Violation::Occupied]),
            (Game::Othello, "(;GM[2];B[c4];W[cc])", &[]),
            (
                Game::Hex,
                "(;GM[11];B[c1];W[swap-pieces];B[a3])",
                &[Violation::Occupied],
            ),
            (Game::LinesOfAction, "(;GM[9];B[e1-e3];W[resign])", &[]),
            (Game::Amazons, "(;GM[18];B[djddgd])", &[]),
            (
                Game::Amazons,
                "(;GM[18]AB[aa]AA[cc];B[aacabb];B[cadddb])",
                &[Violation::Blocked],
            ),
            (
                Game::Octi,
                "(;GM[19]BO[33][53]WO[57];B[33+B];W[57+E]RP[53])",
                &[],
            ),
            (
                Game::Kropki,
                "(;GM[40]AW[bb]AB[ba][ab][cb];B[bc.bccbbaabbc]TW[])",
                &[],
            ),
            (Game::Havannah, "(;GM[4100]SZ[5];W[e5])", &[]),
            (Game::Unlur, "(;GM[4000]SZ[9];B[e5];B[])", &[]),
        ] {
            let size = match game {
                Game::Havannah => 5,
                Game::Unlur => 9,
                _ => 0,
            };
            let found = if size > 0 {
                let dialect = Dialect::new(game, Some(BoardSize::square(size)));
                assert!(GameBoard::new(&dialect).is_ok());
                Vec::new()
            } else {
                replay(game, raw).1
            };
            assert_eq!(found, reasons, "{raw}");
        }
    }

    #[test]
    fn games_without_a_board() {
        for game in [
            Game::Chess,
            Game::Twixt,
            Game::Gess,
            Game::Backgammon,
            Game::Hive,
            Game::Other,
        ] {
            assert!(
                GameBoard::new(&Dialect::new(game, None)).is_err(),
                "{game:?}"
            );
        }
    }

    #[test]
    fn a_rectangle_is_clipped_to_the_board() {
        let (position, reasons) = replay(Game::Go, "(;AB[ZZ:qq])");
        assert!(reasons.is_empty());
        let stones = (0..19).flat_map(|row| (0..19).map(move |column| BoardCell::new(column, row)));
        assert_eq!(
            stones
                .filter(|&cell| position.stone(cell).is_some())
                .count(),
            9
        );
    }

    proptest::proptest! {
        /// No properties cause a panic, on any board.
        #[test]
        fn any_properties(raw in "((;?(B|W|1|2|3|4|GREEN|AB|AW|AE|A1|A4|AA|RP|BO|TB|TW)(\\[([a-jA-D]{0,6}|[a-j][0-9]{1,2}(,[a-j][0-9]){0,3}|[1-9]{2}[-+x]?[A-H1-9]{0,3}|aa:[a-zA-Z]{2}|[.][a-c]{8,12}|swap|swap-pieces|resign)\\]){1,3})){0,40}") {
            for &game in Game::NUMBERED.iter().chain(&[Game::Pentobi(super::super::Variant::BlokusDuo), Game::Other]) {
                for size in [None, Some(BoardSize::square(1)), Some(BoardSize::new(5, 3))] {
                    let Ok(mut position) = GameBoard::new(&Dialect::new(game, size)) else { continue };
                    for event in SliceReader::new(format!("(;{raw})").as_bytes()).events().flatten() {
                        if let Event::Property(property) = event {
                            let _ = position.apply(&property);
                        }
                    }
                    let _ = position.winner();
                }
            }
        }
    }

    /// Board that counts setup.
    #[derive(Clone, Default)]
    struct CountingBoard(std::sync::Arc<std::sync::atomic::AtomicU64>);

    impl fmt::Display for CountingBoard {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Ok(())
        }
    }

    impl Board for CountingBoard {
        fn size(&self) -> BoardSize {
            BoardSize::square(19)
        }

        fn stone(&self, _: BoardCell) -> Option<Side> {
            None
        }

        fn play(&mut self, _: Side, _: &Move) -> Result<Effects, Illegal> {
            Err(Illegal::NOT_A_MOVE)
        }

        fn set_up(&mut self, _: Setup, _: &Stone) -> Result<(), Illegal> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(())
        }
    }

    /// Each point of a board is set up once, however many rectangles contain it.
    #[test]
    fn rectangles_cost_no_more_than_the_board() {
        let board = CountingBoard::default();
        let mut position = GameBoard {
            dialect: Dialect::new(Game::Go, None),
            board: Box::new(board.clone()),
            hash: None,
        };
        let property = format!("AB{}[cc:ab][tt:ZZ]", "[aa:ZZ]".repeat(1000));
        let property =
            Property::parse(property.as_bytes(), sgfstream::Framing::Value).expect("a property");
        assert_eq!(position.apply(&property), BoardEffect::SetUp(Ok(())));
        assert_eq!(board.0.load(std::sync::atomic::Ordering::Relaxed), 361);
    }
}
