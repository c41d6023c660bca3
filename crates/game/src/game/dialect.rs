//! Parses and prints the points, moves and stones of every game.

use std::fmt::{self, Display};

use crate::value::{BoardSize, Reading, from_fn};
use sgfstream::{Property, RawValue};

use super::coordinates::{
    Columns, Coordinates, read_lettered_in, write_capitals, write_lettered, write_pair,
};
use super::games::PointSyntax;
use super::havannah::{HAVANNAH_MAX, Hexagon};
use super::kropki::{Dots, Territory};
use super::octi::{OctiMove, OctiStone};
use super::pentobi::Piece;
use super::{BoardCell, Fault, Game, Illegal, Move, Program, Variant};
use super::{
    amazons, backgammon, boardspace, gess, go, hex, loa, octi, othello, pentobi, twixt, unlur,
};

/// Notation of the points, moves and stones of a game on a board of some size. It is a few words
/// large, so make one for each game tree.
///
/// ```
/// use sgfstream_game::{Dialect, BoardCell, Game, Move, dialect::Variant};
/// use sgfstream_game::value::BoardSize;
///
/// let go = Dialect::new(Game::Go, Some(BoardSize::square(21)));
/// assert_eq!(go.parse_move(b"tt"), Ok(Move::Place(BoardCell::new(19, 19)))); // no pass above 19
/// let blokus = Dialect::new(Game::Pentobi(Variant::BlokusDuo), None);
/// let piece = blokus.parse_move(b"g10,f11,E10,f10,f9")?;
/// assert_eq!(blokus.show_move(&piece).to_string(), "f9,e10,f10,g10,f11");
/// // A game that nothing defines: kept, never an error.
/// let chess = Dialect::new(Game::Chess, None);
/// assert!(matches!(chess.parse_move(b"e2e4"), Ok(Move::Raw(_))));
/// # Ok::<(), sgfstream_game::board::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    game: Game,
    size: BoardSize,
    program: Program,
    has_size: bool,
}

/// Stone of a setup property: often a point, in some games more (spec V-07).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stone {
    /// Point: Go, Othello, Hex and most other games.
    Point(BoardCell),
    /// Pod with prongs (Octi).
    Pod(OctiStone),
    /// Whole piece (Pentobi's games).
    Piece(Piece),
    /// Enclosed territory (Kropki).
    Territory(Territory),
    /// Bytes of a stone in a game without a documented notation.
    Raw(Box<[u8]>),
}

impl Stone {
    /// Returns the point of a stone that is just a point.
    pub(super) fn point(&self) -> Result<BoardCell, Illegal> {
        match self {
            Self::Point(field) => Ok(*field),
            _ => Err(Illegal::NOT_A_MOVE),
        }
    }
}

impl Dialect {
    /// Returns the dialect of `game` by the specification. `size` is the value of `SZ`. Without it
    /// the board has the game's default size or, without a default, the largest size whose points
    /// have a name.
    #[must_use]
    pub fn new(game: Game, size: Option<BoardSize>) -> Self {
        Self::of_program(game, size, Program::Standard)
    }

    /// Returns the dialect of `game` as `program` writes it.
    #[must_use]
    pub fn of_program(game: Game, size: Option<BoardSize>, program: Program) -> Self {
        let size = size
            .filter(|_| !game.has_fixed_size())
            .or_else(|| Self::default_size(game, program));
        let size = size.unwrap_or(BoardSize::square(game.side_max()));
        Self {
            game,
            size,
            program,
            has_size: true,
        }
    }

    /// Returns the dialect for comparing moves of different programs: a cell of Hex may be two
    /// letters.
    #[must_use]
    pub fn of_any_program(game: Game, size: Option<BoardSize>) -> Self {
        Self::of_program(
            game,
            size,
            if game == Game::Hex {
                Program::Gorilla
            } else {
                Program::Standard
            },
        )
    }

    /// Returns the dialect of a record whose root has been read. `size` is the reading of its `SZ`,
    /// if it has one. If the reading is not sure, the size is unknown: points are read as on the
    /// largest board, and there is no position.
    #[must_use]
    pub fn of_record(game: Game, size: Option<Reading<BoardSize>>, program: Program) -> Self {
        let sure = size.and_then(Reading::sure).map(|read| read.value);
        if size.is_some() && sure.is_none() && !game.has_fixed_size() {
            let largest = BoardSize::square(game.side_max());
            return Self {
                has_size: false,
                ..Self::of_program(game, Some(largest), program)
            };
        }
        Self::of_program(game, sure, program)
    }

    /// Returns false if the size of the board is unknown, because `SZ` is unreadable.
    #[must_use]
    pub const fn has_size(&self) -> bool {
        self.has_size
    }

    /// Returns the size of a board without `SZ` (spec R-03, games.tsv). Returns `None` if the game
    /// has no default, as Kropki and Unlur.
    #[must_use]
    pub fn default_size(game: Game, program: Program) -> Option<BoardSize> {
        match game {
            // Spec G-06.
            Game::Hex if program == Program::Gorilla => Some(BoardSize::square(17)),
            Game::Backgammon => Some(backgammon::SIZE),
            game => game.default_size(),
        }
    }

    /// Returns the game whose moves this dialect parses.
    #[must_use]
    pub const fn game(&self) -> Game {
        self.game
    }

    /// Returns the size of the board: in Havannah the length of its sides, in Unlur its width.
    #[must_use]
    pub const fn size(&self) -> BoardSize {
        self.size
    }

    /// Returns the program whose notation the dialect follows.
    #[must_use]
    pub const fn program(&self) -> Program {
        self.program
    }

    /// Returns whether the game's points are defined. If not, moves are [`Move::Raw`], stones are
    /// [`Stone::Raw`], and no value is an error.
    #[must_use]
    pub const fn has_points(&self) -> bool {
        !matches!(self.game.point_syntax(), PointSyntax::Unknown)
    }

    /// Returns the hexagon of a Havannah board.
    pub(super) fn hexagon(&self) -> Hexagon {
        let side = self.size.columns().min(u32::from(u16::MAX) / 2);
        Hexagon::new(side as u16, self.numbering())
    }

    /// Parses a point in any spelling with one clear meaning. [`read_point`](Self::read_point) also
    /// reports an unusual spelling.
    ///
    /// # Errors
    /// [`Fault::Syntax`], [`Fault::OffBoard`], [`Fault::NoCell`]; or [`Fault::Undefined`] for a
    /// game without a documented notation, which is not a fault of the record.
    #[inline]
    pub fn parse_point(&self, raw: &[u8]) -> Result<BoardCell, Fault> {
        match self.strict_point(raw) {
            Ok(field) => Ok(field),
            Err(fault) => self
                .read_otherwise(raw, fault, Self::strict_point)
                .map(|parsed| parsed.value),
        }
    }

    /// Parses a point in the dialect's own spelling.
    #[inline]
    pub(crate) fn strict_point(&self, raw: &[u8]) -> Result<BoardCell, Fault> {
        if self.game == Game::Go {
            go::parse_point(self.size, raw)
        } else {
            self.parse_other_point(raw)
        }
    }

    fn parse_other_point(&self, raw: &[u8]) -> Result<BoardCell, Fault> {
        match self.game.point_syntax() {
            PointSyntax::TwoLetters => go::parse_point(self.size, raw),
            PointSyntax::Either => hex::parse_either(self.size, raw),
            PointSyntax::Lettered if self.writes_pairs() => hex::parse_either(self.size, raw),
            PointSyntax::Lettered => hex::parse_cell(self.size, raw),
            PointSyntax::Hexagon => self.parse_hexagon_cell(raw),
            PointSyntax::LetteredUp => loa::parse_square(self.size, raw),
            PointSyntax::Digits => octi::parse_point(self.size, raw),
            PointSyntax::OneLetter => backgammon::parse_point(raw),
            PointSyntax::Pentobi => pentobi::parse_point(self.variant(), raw),
            PointSyntax::Unknown => Err(Fault::Undefined),
        }
    }

    /// Returns whether the program writes two letters in a game whose standard notation is letters
    /// and numbers.
    fn writes_pairs(&self) -> bool {
        match self.program {
            Program::LittleGolem => matches!(self.game, Game::Hex | Game::Twixt),
            Program::Gorilla => self.game == Game::Hex,
            _ => false,
        }
    }

    /// Files number the hexagon in two ways. Unless the program is known, a cell is off the board
    /// only if neither numbering has it.
    fn parse_hexagon_cell(&self, raw: &[u8]) -> Result<BoardCell, Fault> {
        let field = hex::parse_algebraic(raw)?;
        let width = 2 * u64::from(self.size.columns()) - 1;
        let in_hull = u64::from(field.column) < width && u64::from(field.row) < width;
        let is_known = self.program == Program::LittleGolem && self.size.columns() <= HAVANNAH_MAX;
        let fits = if is_known {
            self.hexagon().has(field)
        } else {
            in_hull
        };
        if fits {
            Ok(field)
        } else {
            Err(Fault::OffBoard)
        }
    }

    /// Parses the value of a move property in any spelling with one clear meaning.
    /// [`read_move`](Self::read_move) also reports an unusual spelling.
    ///
    /// # Errors
    /// [`Fault`]; never for a game whose moves are undocumented.
    #[inline]
    pub fn parse_move(&self, raw: &[u8]) -> Result<Move, Fault> {
        match self.strict_move(raw) {
            Ok(mv) => Ok(mv),
            Err(fault) => self
                .read_unusual_move(raw, fault)
                .map(|parsed| parsed.value),
        }
    }

    /// Reads a move of Go that places a stone and is spelled as the dialect spells it: nearly all
    /// moves of archives. [`parse_move`](Self::parse_move) reads these too, more slowly because its
    /// result has room for a move of any game.
    ///
    /// ```
    /// use sgfstream_game::{BoardCell, Dialect, Game};
    ///
    /// let go = Dialect::of_any_program(Game::Go, None);
    /// assert_eq!(go.parse_placement(b"dp"), Some(BoardCell::new(3, 15)));
    /// assert_eq!((go.parse_placement(b"tt"), go.parse_placement(b"d p")), (None, None));
    /// ```
    #[must_use]
    #[inline]
    pub fn parse_placement(&self, raw: &[u8]) -> Option<BoardCell> {
        (self.game == Game::Go)
            .then(|| self.strict_point(raw).ok())
            .flatten()
    }

    /// Reads a move as the dialect spells it.
    #[inline]
    pub(super) fn strict_move(&self, raw: &[u8]) -> Result<Move, Fault> {
        match self.game {
            Game::Go => go::parse_move(self.size, raw),
            _ => self.parse_other_move(raw),
        }
    }

    fn parse_other_move(&self, raw: &[u8]) -> Result<Move, Fault> {
        match self.game {
            Game::Gomoku if raw.is_empty() => Ok(Move::Pass),
            Game::Gomoku => go::parse_point(self.size, raw).map(Move::Place),
            Game::Othello => othello::parse_move(self.size, raw),
            Game::Hex | Game::Havannah => hex::parse_move(raw, |raw| self.parse_other_point(raw)),
            Game::Unlur => unlur::parse_move(raw, |raw| self.parse_other_point(raw)),
            Game::LinesOfAction => loa::parse_move(self.size, raw),
            Game::Amazons => amazons::parse_move(self.size, raw),
            Game::Gess => gess::parse_move(self.size, raw),
            Game::Twixt => twixt::parse_move(self.size, raw),
            Game::Backgammon => backgammon::parse_move(raw),
            Game::Octi => OctiMove::parse(self.size, raw).map(Move::Octi),
            Game::Pentobi(variant) => Piece::parse(variant, raw).map(Move::Piece),
            Game::Kropki if raw.is_empty() => Ok(Move::Pass),
            Game::Kropki => {
                let dots = Dots::parse(raw)?;
                let on_board = dots.points().all(|field| field.is_on(self.size));
                if on_board {
                    Ok(Move::Dots(dots))
                } else {
                    Err(Fault::OffBoard)
                }
            }
            game if game.is_boardspace() || game == Game::Other => {
                match boardspace::Action::parse(raw) {
                    Some(action) => Ok(Move::Action(action)),
                    None => Ok(Move::Raw(raw.into())),
                }
            }
            _ => Ok(Move::Raw(raw.into())),
        }
    }

    /// Returns the canonical spelling of a move, so that values can be compared. Returns `None` if
    /// `raw` is unreadable.
    ///
    /// ```
    /// use sgfstream_game::{Dialect, Game};
    ///
    /// let go = Dialect::of_any_program(Game::Go, None);
    /// assert_eq!(
    ///     (go.spell_move(b"tt"), go.spell_move(b"p d")),
    ///     (go.spell_move(b""), Some("pd".to_owned()))
    /// );
    /// let hex = Dialect::of_any_program(Game::Hex, None);
    /// assert!(hex.spell_move(b"C4") == hex.spell_move(b"cd") && hex.spell_move(b"c4").is_some());
    /// assert_eq!(go.spell_move(b"nowhere"), None);
    /// ```
    #[must_use]
    pub fn spell_move(&self, raw: &[u8]) -> Option<String> {
        Some(self.show_move(&self.parse_move(raw).ok()?).to_string())
    }

    /// Parses the move of a move property from its first value. In Pentobi's games it reads all
    /// values, because versions before 0.3 wrote a list of points (spec P-39).
    ///
    /// # Errors
    /// The same as for [`parse_move`](Self::parse_move).
    #[inline]
    pub fn parse_moves(&self, property: &Property<'_>) -> Result<Move, Fault> {
        match (self.game, property.only()) {
            (Game::Pentobi(_), None) => {
                let values: Vec<_> = property.values().map(|value| value.as_bytes()).collect();
                self.parse_move(&values.join(&b","[..]))
            }
            _ => self.parse_move(
                property
                    .values()
                    .next()
                    .map_or(&b""[..], RawValue::as_bytes),
            ),
        }
    }

    /// Parses a stone from one value of a setup property.
    ///
    /// # Errors
    /// [`Fault`]; never for a game whose stones are undocumented.
    pub fn parse_stone(&self, raw: &[u8]) -> Result<Stone, Fault> {
        self.read_stone(raw).map(|parsed| parsed.value)
    }

    /// Parses a stone in the dialect's own spelling.
    pub(super) fn strict_stone(&self, raw: &[u8]) -> Result<Stone, Fault> {
        match self.game {
            Game::Octi => OctiStone::parse(self.size, raw).map(Stone::Pod),
            Game::Pentobi(variant) => Piece::parse(variant, raw).map(Stone::Piece),
            _ if self.has_points() => self.strict_point(raw).map(Stone::Point),
            _ => Ok(Stone::Raw(raw.into())),
        }
    }

    /// Parses one value of `TB` or `TW`. In Kropki it may be borders (spec G-10).
    ///
    /// # Errors
    /// [`Fault`], as for a point.
    pub fn parse_territory(&self, raw: &[u8]) -> Result<Territory, Fault> {
        self.read_territory(raw).map(|parsed| parsed.value)
    }

    /// Parses a territory in the dialect's own spelling.
    pub(super) fn strict_territory(&self, raw: &[u8]) -> Result<Territory, Fault> {
        let territory = Territory::parse(raw)?;
        let on_board = match &territory {
            Territory::Empty => true,
            Territory::Point(field) => field.is_on(self.size),
            Territory::Rectangle(from, to) => from.is_on(self.size) && to.is_on(self.size),
            Territory::Borders(_) if self.game != Game::Kropki => {
                return Err(Fault::Syntax("a point"));
            }
            Territory::Borders(borders) => borders
                .iter()
                .flat_map(|border| border.points())
                .all(|field| field.is_on(self.size)),
        };
        if on_board {
            Ok(territory)
        } else {
            Err(Fault::OffBoard)
        }
    }

    /// Displays a point in its canonical spelling.
    pub fn show_point(&self, field: BoardCell) -> impl Display {
        let dialect = *self;
        from_fn(move |f| dialect.write_point(f, field))
    }

    /// Displays a move in its canonical spelling.
    pub fn show_move<'a>(&self, mv: &'a Move) -> impl Display + 'a {
        let dialect = *self;
        from_fn(move |f| dialect.write_move(f, mv))
    }

    /// Displays a point in the notation of `coordinates`.
    pub fn show_point_in(&self, field: BoardCell, coordinates: Coordinates) -> impl Display {
        let dialect = *self;
        from_fn(move |f| dialect.write_point_in(f, field, coordinates))
    }

    /// Displays a move in the notation of `coordinates`. A pass is `pass` in [`Coordinates::Gtp`].
    ///
    /// ```
    /// use sgfstream_game::{Coordinates, Dialect, Game};
    ///
    /// let amazons = Dialect::new(Game::Amazons, None);
    /// let shot = amazons.parse_move(b"djddgd")?;
    /// assert_eq!(amazons.show_move_in(&shot, Coordinates::Gtp).to_string(), "D1-D7/G7");
    /// # Ok::<(), sgfstream_game::board::Fault>(())
    /// ```
    pub fn show_move_in<'a>(&self, mv: &'a Move, coordinates: Coordinates) -> impl Display + 'a {
        let dialect = *self;
        from_fn(move |f| {
            let point =
                |f: &mut fmt::Formatter<'_>, field| dialect.write_point_in(f, field, coordinates);
            match mv {
                _ if coordinates == Coordinates::Sgf => dialect.write_move(f, mv),
                Move::Pass => f.write_str("pass"),
                Move::Place(field) => point(f, *field),
                Move::Shot { from, to, arrow } => {
                    point(f, *from)?;
                    f.write_str("-")?;
                    point(f, *to)?;
                    f.write_str("/")?;
                    point(f, *arrow)
                }
                _ => dialect.write_move(f, mv),
            }
        })
    }

    /// Parses a move in either notation: `pd` or `Q16`, and `pass`.
    ///
    /// ```
    /// use sgfstream_game::value::BoardSize;
    /// use sgfstream_game::{BoardCell, Dialect, Game, Move};
    ///
    /// let go = Dialect::new(Game::Go, Some(BoardSize::square(9)));
    /// for text in ["cg", "C3", "c3"] {
    ///     assert_eq!(
    ///         go.parse_move_in_any(text.as_bytes()),
    ///         Ok(Move::Place(BoardCell::new(2, 6)))
    ///     );
    /// }
    /// assert_eq!(go.parse_move_in_any(b"pass"), Ok(Move::Pass));
    /// assert!(go.parse_move_in_any(b"I5").is_err() && go.parse_move_in_any(b"Q16").is_err());
    /// ```
    ///
    /// # Errors
    /// The same as for [`parse_move`](Self::parse_move), if the value is no move in either
    /// notation.
    pub fn parse_move_in_any(&self, raw: &[u8]) -> Result<Move, Fault> {
        if self.gtp_columns().is_some() && raw.eq_ignore_ascii_case(b"pass") {
            return Ok(Move::Pass);
        }
        let read = match self.game {
            Game::Amazons => (|| {
                let dash = raw.iter().position(|&byte| byte == b'-')?;
                let slash = raw
                    .iter()
                    .position(|&byte| byte == b'/')
                    .filter(|&slash| slash > dash)?;
                // If the board has more rows than ranks can count, `show_move_in` prints its points
                // in the format's notation.
                let either = |raw: &[u8]| self.parse_point_in_any(raw).ok();
                let (from, to, arrow) = (
                    either(&raw[..dash])?,
                    either(&raw[dash + 1..slash])?,
                    either(&raw[slash + 1..])?,
                );
                Some(Move::Shot { from, to, arrow })
            })(),
            _ => self.counted_point(raw).map(Move::Place),
        };
        read.map_or_else(|| self.parse_move(raw), Ok)
    }

    /// Parses a point in either notation: `pd` or `Q16`.
    ///
    /// # Errors
    /// The same as for [`parse_point`](Self::parse_point), if the value is no point in either
    /// notation.
    pub fn parse_point_in_any(&self, raw: &[u8]) -> Result<BoardCell, Fault> {
        self.counted_point(raw)
            .map_or_else(|| self.parse_point(raw), Ok)
    }

    /// Parses a point in the notation of players who count rows from the bottom, unless the format
    /// does so, too.
    fn counted_point(&self, raw: &[u8]) -> Option<BoardCell> {
        let (column, rank) = read_lettered_in(raw, self.gtp_columns()?)?;
        BoardCell::of_rank(column, rank, self.size)
    }

    /// Returns the letters of columns if players count rows from the bottom but the format does
    /// not.
    fn gtp_columns(&self) -> Option<Columns> {
        match self.game {
            Game::Go => Some(Columns::WithoutI),
            Game::Gomoku | Game::Amazons => Some(Columns::All),
            _ => None,
        }
    }

    fn write_point_in(
        &self,
        f: &mut fmt::Formatter<'_>,
        field: BoardCell,
        coordinates: Coordinates,
    ) -> fmt::Result {
        match (
            self.gtp_columns(),
            self.size.rows().checked_sub(u32::from(field.row)),
        ) {
            (Some(columns), Some(rank @ 1..=0xFFFF)) if coordinates == Coordinates::Gtp => {
                write_capitals(f, field.column, rank, columns)
            }
            _ => self.write_point(f, field),
        }
    }

    /// Displays a stone in its canonical spelling.
    pub fn show_stone<'a>(&self, stone: &'a Stone) -> impl Display + 'a {
        let dialect = *self;
        from_fn(move |f| match stone {
            Stone::Point(field) => dialect.write_point(f, *field),
            Stone::Pod(stone) => stone.write(f, dialect.size),
            Stone::Piece(piece) => piece.write(f, dialect.variant()),
            Stone::Territory(territory) => territory.fmt(f),
            Stone::Raw(raw) => write_raw(f, raw),
        })
    }

    fn variant(&self) -> Variant {
        self.game.variant().unwrap_or(Variant::Blokus)
    }

    fn write_point(&self, f: &mut fmt::Formatter<'_>, field: BoardCell) -> fmt::Result {
        match self.game.point_syntax() {
            PointSyntax::Either | PointSyntax::Lettered | PointSyntax::Hexagon => {
                write_lettered(f, field.column, field.row)
            }
            PointSyntax::LetteredUp => loa::write_square(f, self.size, field),
            PointSyntax::Digits => octi::write_point(f, self.size, field),
            PointSyntax::OneLetter => backgammon::write_point(f, field),
            PointSyntax::Pentobi => pentobi::write_point(f, self.variant(), field),
            PointSyntax::TwoLetters | PointSyntax::Unknown => write_pair(f, field),
        }
    }

    fn write_move(&self, f: &mut fmt::Formatter<'_>, mv: &Move) -> fmt::Result {
        match mv {
            Move::Place(field) => self.write_point(f, *field),
            Move::Pass => match self.game {
                Game::Hex | Game::Havannah | Game::Unlur | Game::LinesOfAction => {
                    f.write_str("pass")
                }
                _ => Ok(()),
            },
            Move::Word(word) => word.fmt(f),
            Move::Step { from, to, capture } => {
                self.write_point(f, *from)?;
                f.write_str(if *capture || self.game == Game::Gess {
                    ":"
                } else {
                    "-"
                })?;
                self.write_point(f, *to)
            }
            Move::Shot { from, to, arrow } => [from, to, arrow]
                .into_iter()
                .try_for_each(|&field| self.write_point(f, field)),
            Move::Dots(dots) => dots.fmt(f),
            Move::Octi(mv) => mv.write(f, self.size),
            Move::Piece(piece) => piece.write(f, self.variant()),
            Move::Roll(roll) => roll.fmt(f),
            Move::Action(action) => action.fmt(f),
            Move::Raw(raw) => write_raw(f, raw),
        }
    }
}

/// Prints the bytes of an undocumented value, as text.
fn write_raw(f: &mut fmt::Formatter<'_>, raw: &[u8]) -> fmt::Result {
    f.write_str(&String::from_utf8_lossy(raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Dialect> {
        let games = Game::NUMBERED.iter().copied();
        let games = games
            .chain(Variant::ALL.iter().copied().map(Game::Pentobi))
            .chain([Game::Other, Game::Number(41)]);
        games.flat_map(|game| {
            let programs = [Program::Standard, Program::Gorilla, Program::LittleGolem];
            programs.into_iter().flat_map(move |program| {
                [
                    None,
                    Some(BoardSize::square(1)),
                    Some(BoardSize::square(9)),
                    Some(BoardSize::new(u32::MAX, u32::MAX)),
                ]
                .map(|size| Dialect::of_program(game, size, program))
            })
        })
    }

    #[test]
    fn undefined_games_keep_what_is_written() {
        for dialect in all().filter(|dialect| !dialect.has_points()) {
            for raw in [&b""[..], b"tt", b"e2-e4", b"\xff\x00"] {
                assert!(
                    matches!(dialect.parse_move(raw), Ok(Move::Raw(_))),
                    "{:?}",
                    dialect.game()
                );
                assert!(matches!(dialect.parse_stone(raw), Ok(Stone::Raw(_))));
                assert_eq!(dialect.parse_point(raw), Err(Fault::Undefined));
            }
        }
    }

    proptest::proptest! {
        /// No bytes cause a panic, and a printed move parses to the same move.
        #[test]
        fn spelling_reads_back(raw in "[a-jA-Dtx0-9.,:+!* -]{0,12}|[a-z]{1,3}[0-9]{1,4}|[1-6]{2}([a-z]{2}){0,4}|[1-9]{2}[+-][1-9A-H]{1,2}[x!A-H]{0,4}") {
            for dialect in all() {
                if let Ok(mv) = dialect.parse_move(raw.as_bytes()) {
                    let shown = dialect.show_move(&mv).to_string();
                    let again = dialect.parse_move(shown.as_bytes());
                    proptest::prop_assert_eq!(again.as_ref(), Ok(&mv), "{:?} {} {}", dialect, raw, shown);
                    let shown = dialect.show_move_in(&mv, Coordinates::Gtp).to_string();
                    let again = dialect.parse_move_in_any(shown.as_bytes());
                    proptest::prop_assert!(again.as_ref() == Ok(&mv) || mv.is_pass(), "{:?} {} {}", dialect, raw, shown);
                }
                if let Ok(stone) = dialect.parse_stone(raw.as_bytes()) {
                    let shown = dialect.show_stone(&stone).to_string();
                    proptest::prop_assert_eq!(dialect.parse_stone(shown.as_bytes()), Ok(stone));
                }
                if let Ok(field) = dialect.parse_point(raw.as_bytes()) {
                    let shown = dialect.show_point(field).to_string();
                    proptest::prop_assert_eq!(dialect.parse_point(shown.as_bytes()), Ok(field));
                }
                let _ = dialect.parse_territory(raw.as_bytes());
            }
        }

        #[test]
        fn any_bytes(raw in proptest::collection::vec(0u8..=255, 0..16)) {
            for dialect in all() {
                let _ = (dialect.parse_move(&raw), dialect.parse_stone(&raw), dialect.parse_territory(&raw));
            }
        }
    }
}
