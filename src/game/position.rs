//! A game as it is replayed: one board behind one door, whichever game it is.

use crate::event::Property;

use super::amazons::{AmazonsBoard, Square};
use super::go::{GoBoard, GoRules};
use super::gomoku::GomokuBoard;
use super::havannah::HavannahBoard;
use super::hex::HexBoard;
use super::kropki::{KropkiBoard, Territory};
use super::loa::LoaBoard;
use super::octi::{OctiBoard, OctiStone};
use super::othello::OthelloBoard;
use super::pentobi::{PentobiBoard, Piece};
use super::unlur::UnlurBoard;
use super::{Dialect, Fault, Field, Game, Illegal, Move, Played, Program, Reason, Side, Stone, Word};
use crate::value::{BoardSize, Point, PointEntry};

/// A position, and how to go on from it. Cloned where variations branch.
///
/// ```
/// use sgfstream::game::{Dialect, Field, Game, Position, Reason, Side};
/// use sgfstream::value::BoardSize;
///
/// let go = Dialect::new(Game::Go, Some(BoardSize::square(9)));
/// let mut position = Position::new(&go).expect("Go has a board");
/// position.play(Side::Black, &go.parse_move(b"ee")?)?;
/// let illegal = position.play(Side::White, &go.parse_move(b"ee")?).expect_err("occupied");
/// assert_eq!(illegal.reason, Reason::Occupied);
/// assert_eq!(position.stone(Field::new(4, 4)), Some(Side::White)); // executed all the same
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    dialect: Dialect,
    board: Board,
}

#[derive(Clone)]
enum Board {
    Go(Box<GoBoard>),
    Gomoku(GomokuBoard),
    Othello(OthelloBoard),
    Hex(HexBoard),
    Havannah(HavannahBoard),
    Unlur(UnlurBoard),
    LinesOfAction(LoaBoard),
    Amazons(AmazonsBoard),
    Kropki(KropkiBoard),
    Octi(OctiBoard),
    Pentobi(Box<PentobiBoard>),
}

/// What became of a property that was given to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Applied {
    /// It changes no position.
    Nothing,
    /// It set up; what was against the rules about it, first.
    SetUp(Result<(), Illegal>),
    /// It was a move.
    Played(Move, Result<Played, Illegal>),
    /// A value could not be read, and was left out.
    Misread(Fault),
}

impl Position {
    /// The position at the start of a game. `None` where nothing says how the
    /// game's moves change a board (Chess, Twixt, Gess, Boardspace's games, …),
    /// or where the board is too large to be replayed.
    #[must_use]
    pub fn new(dialect: &Dialect) -> Option<Self> {
        Self::with_rules(dialect, GoRules::default())
    }

    /// The same; in Go, `rules` say what is illegal.
    #[must_use]
    pub fn with_rules(dialect: &Dialect, rules: GoRules) -> Option<Self> {
        let size = dialect.size();
        let board = match dialect.game() {
            Game::Go => Board::Go(Box::new(GoBoard::with_rules(size, rules)?)),
            Game::Gomoku => Board::Gomoku(GomokuBoard::new(size)?),
            Game::Othello => Board::Othello(OthelloBoard::new(size)?),
            Game::Hex => Board::Hex(HexBoard::new(size)?),
            Game::Havannah => Board::Havannah(HavannahBoard::new(dialect.hexagon())?),
            Game::Unlur => Board::Unlur(UnlurBoard::new(size)?),
            Game::LinesOfAction => Board::LinesOfAction(LoaBoard::new(size)?),
            Game::Amazons => Board::Amazons(AmazonsBoard::new(size)?),
            Game::Kropki => Board::Kropki(KropkiBoard::new(size)?),
            Game::Octi => Board::Octi(OctiBoard::new(size)?),
            Game::Pentobi(variant) => Board::Pentobi(Box::new(PentobiBoard::new(variant))),
            _ => return None,
        };
        Some(Self { dialect: *dialect, board })
    }

    /// How its moves are written.
    #[must_use]
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// Whose stone, dot, pod or piece is on a field.
    #[must_use]
    pub fn stone(&self, field: Field) -> Option<Side> {
        match &self.board {
            Board::Go(board) => board.stone(field),
            Board::Gomoku(board) => board.stone(field),
            Board::Othello(board) => board.stone(field),
            Board::Hex(board) => board.stone(field),
            Board::Havannah(board) => board.stone(field),
            Board::Unlur(board) => board.stone(field),
            Board::LinesOfAction(board) => board.piece(field),
            Board::Amazons(board) => match board.square(field)? {
                Square::Amazon(side) => Some(side),
                Square::Empty | Square::Arrow => None,
            },
            Board::Kropki(board) => board.dot(field),
            Board::Octi(board) => board.pods(field).last().map(|pod| pod.side),
            Board::Pentobi(board) => board.colour(field),
        }
    }

    /// Who has won on the board, as far as the game's rules are known here:
    /// Hex, Havannah, Lines of Action, Gomoku (five or more).
    #[must_use]
    pub fn winner(&self) -> Option<Side> {
        match &self.board {
            Board::Hex(board) => board.winner(),
            Board::Havannah(board) => board.winner().map(|(side, _)| side),
            Board::LinesOfAction(board) => board.winner(),
            Board::Gomoku(board) => board.winner().map(|(side, _)| side),
            _ => None,
        }
    }

    /// Makes a move. Nothing is refused: what is illegal is done all the same,
    /// as far as it can be, and reported (spec M-04).
    ///
    /// # Errors
    /// The first rule that the move is against, with what it did.
    #[inline]
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<Played, Illegal> {
        let program = self.dialect.program();
        let not_a_move = Err(Illegal::nothing_done(Reason::NotAMove));
        match (&mut self.board, mv) {
            (Board::Go(board), Move::Place(field)) => board.play(side, *field),
            (Board::Go(board), Move::Pass) => Ok(board.pass(side)),
            (Board::Gomoku(board), mv) => board.play(side, mv),
            (Board::Othello(board), mv) => board.play(side, mv),
            (Board::Hex(board), Move::Word(Word::SwapPieces | Word::Swap)) if program == Program::HexGui => {
                board.play(side, &Move::Word(Word::SwapSides))
            }
            (Board::Hex(board), mv) => board.play(side, mv),
            (Board::Havannah(board), mv) => board.play(side, mv),
            (Board::Unlur(board), mv) => board.play(side, mv),
            (Board::LinesOfAction(board), mv) => board.play(side, mv),
            (Board::Amazons(board), mv) => board.play(side, mv),
            (Board::Kropki(board), Move::Dots(dots)) => board.play(side, dots),
            (Board::Kropki(_), Move::Pass) => Ok(Played::default()),
            (Board::Octi(board), Move::Octi(mv)) => board.play(side, mv),
            (Board::Pentobi(board), Move::Piece(piece)) => board.play(side, piece),
            (Board::Go(_) | Board::Kropki(_) | Board::Octi(_) | Board::Pentobi(_), _) => not_a_move,
        }
    }

    /// Puts a stone of `side`, or removes what is there.
    ///
    /// # Errors
    /// What is wrong with it; nothing is done off the board.
    pub fn set_up(&mut self, side: Option<Side>, stone: &Stone) -> Result<(), Illegal> {
        match (&mut self.board, stone) {
            (Board::Go(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Gomoku(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Othello(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Hex(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Havannah(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Unlur(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::LinesOfAction(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Kropki(board), Stone::Point(field)) => board.set_up(side, *field),
            (Board::Amazons(board), Stone::Point(field)) => {
                board.set_up(side.map_or(Square::Empty, Square::Amazon), *field)
            }
            (Board::Octi(board), Stone::Pod(stone)) => board.set_up(side, stone),
            (Board::Pentobi(board), Stone::Piece(piece)) => board.set_up(side, piece),
            _ => Err(Illegal::nothing_done(Reason::NotAMove)),
        }
    }

    /// An arrow of Amazons (`AA`).
    ///
    /// # Errors
    /// Off the board, or another game.
    pub fn set_up_arrow(&mut self, field: Field) -> Result<(), Illegal> {
        match &mut self.board {
            Board::Amazons(board) => board.set_up(Square::Arrow, field),
            _ => Err(Illegal::nothing_done(Reason::NotAMove)),
        }
    }

    /// Removes one pod of Octi (`RP`).
    ///
    /// # Errors
    /// No such pod, or another game.
    pub fn remove_pod(&mut self, stone: &OctiStone) -> Result<(), Illegal> {
        match &mut self.board {
            Board::Octi(board) => board.remove(stone).map(|_| ()),
            _ => Err(Illegal::nothing_done(Reason::NotAMove)),
        }
    }

    /// Enclosed territory of Kropki (`TB`, `TW`).
    ///
    /// # Errors
    /// A border that is none, or another game.
    pub fn set_territory(&mut self, side: Side, territory: &Territory) -> Result<Played, Illegal> {
        match &mut self.board {
            Board::Kropki(board) => board.set_territory(side, territory),
            _ => Err(Illegal::nothing_done(Reason::NotAMove)),
        }
    }

    /// Does what a property says, if it says something about the position:
    /// moves, setup, Octi's squares and pods, arrows, Kropki's territory, the
    /// old identifiers of Pentobi. A move with several values is taken by its
    /// first (Pentobi: all are one piece, spec P-39).
    ///
    /// ```
    /// use sgfstream::{Framing, Property, game::{Applied, Dialect, Game, Position}};
    ///
    /// let mut position = Position::new(&Dialect::new(Game::Go, None)).expect("a board");
    /// let property = Property::parse(b"AB[aa:sb]", Framing::Value).expect("a property");
    /// assert_eq!(position.apply(&property), Applied::SetUp(Ok(())));
    /// ```
    pub fn apply(&mut self, property: &Property<'_>) -> Applied {
        let ident = property.ident();
        // Nearly every call.
        if let (Game::Go, [b'B' | b'W']) = (self.dialect.game(), ident.as_bytes()) {
            let side = if ident.as_bytes() == b"B" { Side::Black } else { Side::White };
            return self.apply_move(side, self.dialect.parse_move(property.first().as_bytes()));
        }
        let game = self.dialect.game();
        if let Some(color) = game.move_ids().color(ident) {
            let side = Side::ALL[usize::from(color - 1) & 3];
            let read = match game {
                Game::Pentobi(variant) => {
                    Piece::parse_values(variant, property.values().map(|value| value.as_bytes())).map(Move::Piece)
                }
                _ => self.dialect.parse_move(property.first().as_bytes()),
            };
            return self.apply_move(side, read);
        }
        let canonical = ident.canonical();
        match (&*canonical, game) {
            (b"AA", Game::Amazons) => self.apply_stones(property, |position, stone| match stone {
                Stone::Point(field) => position.set_up_arrow(*field),
                _ => Err(Illegal::nothing_done(Reason::NotAMove)),
            }),
            (b"RP", Game::Octi) => self.apply_stones(property, |position, stone| match stone {
                Stone::Pod(stone) => position.remove_pod(stone),
                _ => Err(Illegal::nothing_done(Reason::NotAMove)),
            }),
            (b"BO" | b"WO", Game::Octi) => {
                let side = if canonical.starts_with(b"B") { Side::Black } else { Side::White };
                self.apply_stones(property, |position, stone| position.set_up(Some(side), stone))
            }
            (b"TB" | b"TW", Game::Kropki) => {
                let side = if canonical.ends_with(b"B") { Side::Black } else { Side::White };
                self.apply_territory(side, property)
            }
            (ident, game) => {
                let numbered = ident.get(1).is_some_and(u8::is_ascii_digit);
                match Side::of_setup(ident) {
                    Some(side) if !numbered || matches!(game, Game::Pentobi(_)) => {
                        self.apply_stones(property, |position, stone| position.set_up(side, stone))
                    }
                    _ => Applied::Nothing,
                }
            }
        }
    }

    fn apply_move(&mut self, side: Side, read: Result<Move, Fault>) -> Applied {
        match read {
            Ok(mv) => {
                let result = self.play(side, &mv);
                Applied::Played(mv, result)
            }
            Err(fault) => Applied::Misread(fault),
        }
    }

    /// Reads every value as a stone, or as a rectangle of them where lists can
    /// be compressed, and gives each to `put`.
    fn apply_stones(
        &mut self,
        property: &Property<'_>,
        mut put: impl FnMut(&mut Self, &Stone) -> Result<(), Illegal>,
    ) -> Applied {
        let mut done = Ok(());
        let mut misread = None;
        let size = self.dialect.size();
        for value in property.values() {
            let raw = value.as_bytes();
            if raw.len() == 5 && self.dialect.game().has_two_letter_points() && raw[2] == b':' {
                match rectangle(raw) {
                    Some(entry) => {
                        for point in within(entry, size) {
                            done = done.and(put(self, &Stone::Point(point)));
                        }
                    }
                    None => misread = misread.or(Some(Fault::Syntax("the corners of a rectangle"))),
                }
                continue;
            }
            match self.dialect.parse_stone(raw) {
                Ok(stone) => done = done.and(put(self, &stone)),
                Err(_) if raw.is_empty() => {}
                Err(fault) => misread = misread.or(Some(fault)),
            }
        }
        misread.map_or(Applied::SetUp(done), Applied::Misread)
    }

    fn apply_territory(&mut self, side: Side, property: &Property<'_>) -> Applied {
        let mut done = Ok(());
        for value in property.values() {
            match self.dialect.parse_territory(value.as_bytes()) {
                Ok(territory) => done = done.and(self.set_territory(side, &territory).map(|_| ())),
                Err(fault) => return Applied::Misread(fault),
            }
        }
        Applied::SetUp(done)
    }

    /// The Go board behind it, if it is one.
    #[must_use]
    pub fn as_go(&self) -> Option<&GoBoard> {
        match &self.board {
            Board::Go(board) => Some(board),
            _ => None,
        }
    }

    /// The Hex board behind it, if it is one.
    #[must_use]
    pub fn as_hex(&self) -> Option<&HexBoard> {
        match &self.board {
            Board::Hex(board) => Some(board),
            _ => None,
        }
    }

    /// The Havannah board behind it, if it is one.
    #[must_use]
    pub fn as_havannah(&self) -> Option<&HavannahBoard> {
        match &self.board {
            Board::Havannah(board) => Some(board),
            _ => None,
        }
    }
}

/// `ul:lr`, whichever corners they are.
fn rectangle(raw: &[u8]) -> Option<PointEntry> {
    let (from, to) = (Point::parse(raw.get(..2)?).ok()?, Point::parse(raw.get(3..)?).ok()?);
    Some(PointEntry::between(from, to))
}

/// The points of a rectangle that are on the board.
fn within(entry: PointEntry, size: BoardSize) -> impl Iterator<Item = Field> {
    let (from, to) = (Field::from(entry.upper_left()), Field::from(entry.lower_right()));
    let last_column = u32::from(to.column).min(size.columns() - 1) as u16;
    let last_row = u32::from(to.row).min(size.rows() - 1) as u16;
    (from.row..=last_row).flat_map(move |row| (from.column..=last_column).map(move |column| Field::new(column, row)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Event;
    use crate::read::SliceReader;

    /// Replays a record and gives the reasons of what was illegal.
    fn replay(game: Game, raw: &str) -> (Position, Vec<Reason>) {
        let mut position = Position::new(&Dialect::of_program(game, None, Program::Standard)).expect("a board");
        let mut reasons = Vec::new();
        for event in SliceReader::new(raw.as_bytes()) {
            let Event::Property(property) = event else { continue };
            match position.apply(&property) {
                Applied::Played(_, Err(illegal)) | Applied::SetUp(Err(illegal)) => reasons.push(illegal.reason),
                Applied::Misread(fault) => panic!("{fault}"),
                _ => {}
            }
        }
        (position, reasons)
    }

    #[test]
    fn records() {
        for (game, raw, reasons) in [
            (Game::Go, "(;GM[1]AB[aa:cc]AE[bb];W[bb];B[])", &[Reason::Suicide][..]),
            (Game::Gomoku, "(;GM[4];B[hh];W[hh])", &[Reason::Occupied]),
            (Game::Othello, "(;GM[2];B[c4];W[cc])", &[]),
            (Game::Hex, "(;GM[11];B[c1];W[swap-pieces];B[a3])", &[Reason::Occupied]),
            (Game::LinesOfAction, "(;GM[9];B[e1-e3];W[resign])", &[]),
            (Game::Amazons, "(;GM[18];B[djddgd])", &[]),
            (Game::Amazons, "(;GM[18]AB[aa]AA[cc];B[aacabb];B[cadddb])", &[Reason::Blocked]),
            (Game::Octi, "(;GM[19]BO[33][53]WO[57];B[33+B];W[57+E]RP[53])", &[]),
            (Game::Kropki, "(;GM[40]AW[bb]AB[ba][ab][cb];B[bc.bccbbaabbc]TW[])", &[]),
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
                assert!(Position::new(&dialect).is_some());
                Vec::new()
            } else {
                replay(game, raw).1
            };
            assert_eq!(found, reasons, "{raw}");
        }
    }

    #[test]
    fn games_without_a_board() {
        for game in [Game::Chess, Game::Twixt, Game::Gess, Game::Backgammon, Game::Hive, Game::Other] {
            assert!(Position::new(&Dialect::new(game, None)).is_none(), "{game:?}");
        }
    }

    #[test]
    fn a_rectangle_is_clipped_to_the_board() {
        let (position, reasons) = replay(Game::Go, "(;AB[ZZ:qq])");
        assert!(reasons.is_empty());
        let stones = (0..19).flat_map(|row| (0..19).map(move |column| Field::new(column, row)));
        assert_eq!(stones.filter(|&field| position.stone(field).is_some()).count(), 9);
    }

    proptest::proptest! {
        /// Whatever properties come, on whatever board: nothing panics.
        #[test]
        fn any_properties(raw in "((;?(B|W|1|2|3|4|GREEN|AB|AW|AE|A1|A4|AA|RP|BO|TB|TW)(\\[([a-jA-D]{0,6}|[a-j][0-9]{1,2}(,[a-j][0-9]){0,3}|[1-9]{2}[-+x]?[A-H1-9]{0,3}|aa:[a-zA-Z]{2}|[.][a-c]{8,12}|swap|swap-pieces|resign)\\]){1,3})){0,40}") {
            for &game in Game::NUMBERED.iter().chain(&[Game::Pentobi(super::super::Variant::BlokusDuo), Game::Other]) {
                for size in [None, Some(BoardSize::square(1)), Some(BoardSize::new(5, 3))] {
                    let Some(mut position) = Position::new(&Dialect::new(game, size)) else { continue };
                    for event in SliceReader::new(format!("(;{raw})").as_bytes()) {
                        if let Event::Property(property) = event {
                            let _ = position.apply(&property);
                        }
                    }
                    let _ = position.winner();
                }
            }
        }
    }
}
