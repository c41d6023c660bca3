//! Rows of the table of positions: the board before each move of a main line.
//! A move changes a few points of the board that was there before it.

use sgfstream::Event;
use sgfstream_game::go::GoBoard;
use sgfstream_game::{Field, GameBoard, GameState, Move, Reason, Side, Step, is_setup};

use crate::row::{Cell, RowBuilder};

use super::lines::{OTHER, number, point, winner};
use super::position_options::PositionOptions;
use super::table_rows::TableRows;
use crate::row::line::{LineMove, LineStep, follow};

/// Follows the main line of one game after another.
pub(super) struct PositionRows {
    options: PositionOptions,
    /// None where the board is of another size or not known.
    position: Option<GameBoard>,
    /// The board of `position`, row by row: 0, or the number of a colour.
    stones: Vec<i8>,
    /// The moves before, the last one first.
    last: Vec<i16>,
}

impl PositionRows {
    pub(super) fn new(options: PositionOptions) -> Self {
        let last = vec![OTHER; options.history.into()];
        Self { options, position: None, stones: vec![0; options.points()], last }
    }

    pub(super) fn start_game(&mut self) {
        self.position = None;
    }

    /// Takes an event of the main line.
    pub(super) fn event(
        &mut self,
        state: &GameState,
        builder: &RowBuilder,
        step: Step,
        event: &Event<'_>,
        key: i64,
        rows: &mut TableRows,
    ) {
        if step == Step::RootEnd {
            self.start_line(state);
        }
        if self.position.is_none() {
            return;
        }
        follow(state, step, event, |step| match step {
            LineStep::Move(played) => self.play(state, builder, &played, key, rows),
            LineStep::Other(property) if is_setup(property.ident()) => {
                if let Some(position) = &mut self.position {
                    position.apply(property);
                }
                self.look_at_all();
            }
            // The board is not known from here on.
            LineStep::LongSetup(_) => self.position = None,
            _ => {}
        });
    }

    fn start_line(&mut self, state: &GameState) {
        let side = u32::from(self.options.size);
        self.position = GameBoard::new(&state.dialect())
            .ok()
            .filter(|position| (position.size().columns(), position.size().rows()) == (side, side));
        self.last.fill(OTHER);
        self.look_at_all();
    }

    /// Reads the whole board.
    #[inline(never)]
    fn look_at_all(&mut self) {
        let Some(position) = &self.position else { return };
        let side = self.options.size;
        let fields = (0..side).flat_map(|row| (0..side).map(move |column| Field::new(column, row)));
        for (stone, field) in self.stones.iter_mut().zip(fields) {
            *stone = position.stone(field).map_or(0, |side| side.index() as i8 + 1);
        }
    }

    fn play(&mut self, state: &GameState, builder: &RowBuilder, played: &LineMove<'_>, key: i64, rows: &mut TableRows) {
        let Some(position) = &mut self.position else { return };
        let mv = if played.is_cut { None } else { state.dialect().parse_move(&played.value).ok() };
        let Some(mv) = mv else {
            // What comes after a move that cannot be read is not known.
            self.position = None;
            return;
        };
        let size = position.size();
        let number = number(&mv, size);
        let board: Option<&GoBoard> = position.board();
        if self.options.wants(key, played.ply) {
            let side = Side::ALL[usize::from(played.color - 1) & 3];
            let ko = board.and_then(GoBoard::ko).filter(|(_, whose)| *whose == side).map(|(field, _)| field);
            let row = builder.row();
            rows.push_with(|new| {
                new.set(0, Cell::Int(key));
                new.set(1, Cell::Int(played.ply as i64));
                new.set(2, Cell::Int(played.color.into()));
                new.set(3, Cell::Int(number.into()));
                new.set_bytes(4, &self.stones);
                new.set(5, Cell::Int(ko.map_or(-1, |field| i64::from(point(field, size)))));
                new.set(6, winner(row));
                new.set(7, row.margin.map_or(Cell::Null, Cell::Float));
                new.set(8, row.km.map_or(Cell::Null, Cell::Float));
                if !self.last.is_empty() {
                    new.set_shorts(9, &self.last);
                }
            });
        }
        self.put(played.color, &mv);
        if let Some(end) = self.last.len().checked_sub(1) {
            self.last.copy_within(..end, 1);
            self.last[0] = number;
        }
    }

    /// Makes the move on the board, and changes what it changed.
    fn put(&mut self, color: u8, mv: &Move) {
        let Some(position) = &mut self.position else { return };
        let result = position.play(Side::ALL[usize::from(color - 1) & 3], mv);
        let board: Option<&GoBoard> = position.board();
        match (board, mv) {
            (Some(board), Move::Place(field)) => {
                if result.is_err_and(|illegal| illegal.reason == Reason::OffBoard) {
                    return;
                }
                let at =
                    |field: Field| usize::from(field.row) * usize::from(self.options.size) + usize::from(field.column);
                self.stones[at(*field)] = color as i8;
                // Last, since a suicide takes the stone that was played.
                board.taken().for_each(|field| self.stones[at(field)] = 0);
            }
            (Some(_), _) => {}
            (None, _) => self.look_at_all(),
        }
    }
}
