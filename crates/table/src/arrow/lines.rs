//! Rows of the table of lines: one for each game, its main line as lists of
//! numbers, as a program that learns from games wants it.

use sgfstream::{Event, Property};
use sgfstream_game::value::BoardSize;
use sgfstream_game::{Field, Game, GameBoard, GameState, Move, Side, Step, is_setup};

use crate::row::{Cell, GameRow, RowBuilder};

use super::table_rows::TableRows;
use crate::row::line::{LineMove, LineStep, follow};

/// Moves of a longer game are not given: a row is held in memory.
const LONGEST: usize = 1 << 20;

/// The number of a move that is a pass.
pub(super) const PASS: i16 = -1;

/// The number of a move that is not one point of the board, or cannot be read.
pub(super) const OTHER: i16 = -2;

/// Follows the main line of one game after another.
#[derive(Default)]
pub(super) struct LineRows {
    /// Moves are played, to see whether they are legal.
    legality: bool,
    size: Option<BoardSize>,
    /// Columns and rows, if two small letters are the point of a move wherever they are on the board.
    letters: [u8; 2],
    /// The board, if stones were set up or moves are played.
    position: Option<GameBoard>,
    /// Stones were set up that cannot be told.
    is_setup_lost: bool,
    setup: [Vec<i16>; 2],
    moves: Vec<i16>,
    colors: Vec<i8>,
    is_too_long: bool,
    has_later_setup: bool,
    is_illegal: bool,
}

impl LineRows {
    pub(super) fn new(legality: bool) -> Self {
        Self { legality, ..Self::default() }
    }

    pub(super) fn start_game(&mut self) {
        let Self { legality, setup, moves, colors, .. } = std::mem::take(self);
        *self = Self { legality, setup, moves, colors, ..Self::default() };
        self.setup.iter_mut().chain([&mut self.moves]).for_each(Vec::clear);
        self.colors.clear();
    }

    /// Takes an event of the main line.
    pub(super) fn event(&mut self, state: &GameState, step: Step, event: &Event<'_>) {
        if step == Step::RootEnd {
            let dialect = state.dialect();
            self.size = Some(dialect.size()).filter(|_| dialect.has_size());
            let is_go = dialect.game() == Game::Go;
            let side = |side: u32| u8::try_from(side).ok().filter(|&side| is_go && side <= 26);
            let sides = side(dialect.size().columns()).zip(side(dialect.size().rows()));
            self.letters = sides.map_or([0; 2], |(columns, rows)| [columns, rows]);
            // Some other games begin with stones on the board.
            self.position = if self.legality || !is_go { GameBoard::new(&dialect).ok() } else { None };
        }
        follow(state, step, event, |step| match step {
            LineStep::Move(played) => self.play(state, &played),
            LineStep::Other(property) if is_setup(property.ident()) => self.set_up(state, property),
            LineStep::LongSetup(_) => {
                self.position = None;
                self.is_setup_lost |= self.moves.is_empty();
                self.has_later_setup |= !self.moves.is_empty();
            }
            _ => {}
        });
    }

    /// Takes a move of the main line with a value of two bytes. False, and nothing is done, if more than a look at it
    /// is needed: then [`event`](Self::event) takes it.
    #[inline]
    pub(super) fn plain_move(&mut self, color: u8, point: [u8; 2]) -> bool {
        let [column, row] = point.map(|letter| letter.wrapping_sub(b'a'));
        let [columns, rows] = self.letters;
        let is_plain = column < columns && row < rows && self.position.is_none();
        if !is_plain || self.moves.is_empty() || self.moves.len() >= LONGEST {
            return false;
        }
        self.moves.push(i16::from(row) * i16::from(columns) + i16::from(column));
        self.colors.push(color as i8);
        true
    }

    fn set_up(&mut self, state: &GameState, property: &Property<'_>) {
        if property.ident().is(b"PL") {
            return;
        }
        self.has_later_setup |= !self.moves.is_empty();
        if self.position.is_none() && self.moves.is_empty() {
            self.position = GameBoard::new(&state.dialect()).ok();
        }
        match &mut self.position {
            Some(position) => {
                position.apply(property);
            }
            None => self.is_setup_lost |= self.moves.is_empty(),
        }
    }

    fn play(&mut self, state: &GameState, LineMove { color, value, is_cut, .. }: &LineMove<'_>) {
        if self.moves.is_empty() {
            self.take_setup();
            if !self.legality {
                self.position = None;
            }
        }
        if self.moves.len() >= LONGEST {
            self.is_too_long = true;
            return;
        }
        let dialect = state.dialect();
        let mv = if *is_cut { None } else { dialect.parse_move(value).ok() };
        self.moves.push(mv.as_ref().zip(self.size).map_or(OTHER, |(mv, size)| number(mv, size)));
        self.colors.push(*color as i8);
        match (&mut self.position, &mv) {
            (Some(position), Some(mv)) => {
                self.is_illegal |= position.play(Side::ALL[usize::from(color - 1) & 3], mv).is_err();
            }
            (Some(_), None) => self.is_illegal = true,
            _ => {}
        }
    }

    /// Notes the stones that are on the board before the first move.
    fn take_setup(&mut self) {
        let (Some(position), Some(size)) = (&self.position, self.size) else { return };
        let fields =
            (0..size.rows() as u16).flat_map(|row| (0..size.columns() as u16).map(move |column| (column, row)));
        for field in fields.map(|(column, row)| Field::new(column, row)) {
            if let Some(side) = position.stone(field)
                && let Some(stones) = self.setup.get_mut(side.index())
            {
                stones.push(point(field, size));
            }
        }
    }

    /// Adds the row of the game that was read.
    pub(super) fn push(&mut self, builder: &RowBuilder, key: i64, rows: &mut TableRows) {
        if self.moves.is_empty() {
            self.take_setup();
        }
        let row = builder.row();
        let side = |side: Option<u32>| side.map_or(Cell::Null, |side| Cell::Int(side.into()));
        let is_legal = self.legality && !self.is_setup_lost && self.position.is_some();
        rows.push_with(|new| {
            new.set(0, Cell::Int(key));
            new.set(1, side(self.size.map(BoardSize::columns)));
            new.set(2, side(self.size.map(BoardSize::rows)));
            if !self.is_setup_lost {
                new.set_shorts(3, &self.setup[0]);
                new.set_shorts(4, &self.setup[1]);
            }
            if !self.is_too_long {
                new.set_shorts(5, &self.moves);
                new.set_bytes(6, &self.colors);
            }
            new.set(7, winner(row));
            new.set(8, row.margin.map_or(Cell::Null, Cell::Float));
            new.set(9, row.km.map_or(Cell::Null, Cell::Float));
            new.set(10, row.ha.map_or(Cell::Null, Cell::Int));
            new.set(11, row.ru.as_deref().map_or(Cell::Null, Cell::Text));
            new.set(12, if is_legal { Cell::Bool(!self.is_illegal) } else { Cell::Null });
            new.set(13, Cell::Bool(self.has_later_setup));
        });
    }
}

/// 1 for Black, 2 for White, or another colour's number, 0 for a draw; nothing where it is not sure.
pub(super) fn winner(row: &GameRow) -> Cell<'_> {
    match row.winner.as_deref() {
        Some("B" | "1") => Cell::Int(1),
        Some("W" | "2") => Cell::Int(2),
        Some("3") => Cell::Int(3),
        Some("4") => Cell::Int(4),
        Some("draw") => Cell::Int(0),
        _ => Cell::Null,
    }
}

/// A move as a number: its point, a pass, or another one.
pub(super) fn number(mv: &Move, size: BoardSize) -> i16 {
    match mv {
        Move::Place(field) => point(*field, size),
        _ if mv.is_pass() => PASS,
        _ => OTHER,
    }
}

/// A point as a number: row by row, from the upper left corner.
pub(super) fn point(field: Field, size: BoardSize) -> i16 {
    let number = u32::from(field.row) * size.columns() + u32::from(field.column);
    i16::try_from(number).unwrap_or(OTHER)
}
