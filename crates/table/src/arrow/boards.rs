//! Rows of the table of hashes: a board before each move of a main line, and at its end. A board is looked at when
//! [`find`](crate::find) looks at it: after each move, and once after setup.

use sgfstream::Event;
use sgfstream_game::{Dialect, Field, GameBoard, GameState, Move, Side, Step, Symmetry, is_setup};

use crate::find::BOARD_MAX;
use crate::row::line::{LineMove, LineStep, follow};
use crate::row::{Cell, RowBuilder};

use super::lines::winner;
use super::table_rows::TableRows;

/// Follows the main line of one game after another.
#[derive(Default)]
pub(super) struct BoardRows {
    /// None where the board is not known.
    position: Option<GameBoard>,
    /// Stones were set up since the board was looked at.
    is_set_up: bool,
    /// Moves that were made.
    ply: i64,
    /// The board that waits for its next move: its hash, and how it is turned.
    waiting: Option<(u64, Symmetry)>,
    /// Game and size.
    board: String,
}

impl BoardRows {
    pub(super) fn start_game(&mut self) {
        (self.position, self.waiting) = (None, None);
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
                    self.is_set_up = true;
                }
            }
            LineStep::LongSetup(_) => self.end(builder, key, rows),
            LineStep::NodeEnd => self.look(builder, key, rows),
            LineStep::Other(_) => {}
        });
        if matches!(event, Event::VariationEnd { .. }) {
            self.look(builder, key, rows);
            self.end(builder, key, rows);
        }
    }

    fn start_line(&mut self, state: &GameState) {
        let dialect = state.dialect();
        let position = GameBoard::new(&dialect).ok().filter(|position| position.size().longer() <= BOARD_MAX);
        (self.ply, self.is_set_up, self.waiting) = (0, true, None);
        self.position = position.map(|mut position| {
            position.keep_hash();
            position
        });
        self.board = board_name(&dialect);
    }

    /// Looks at a board that was set up, or that is the start of the game.
    fn look(&mut self, builder: &RowBuilder, key: i64, rows: &mut TableRows) {
        if std::mem::take(&mut self.is_set_up) {
            self.answer(None, builder, key, rows);
            self.wait();
        }
    }

    fn wait(&mut self) {
        let hash = self.position.as_ref().and_then(GameBoard::hash);
        self.waiting = hash.map(sgfstream_game::BoardHash::canonical);
    }

    fn play(&mut self, state: &GameState, builder: &RowBuilder, played: &LineMove<'_>, key: i64, rows: &mut TableRows) {
        self.look(builder, key, rows);
        if played.is_cut {
            return self.end(builder, key, rows);
        }
        let mv = state.dialect().parse_move(&played.value).ok();
        self.answer(Some((played.color, mv.as_ref())), builder, key, rows);
        // What is illegal is done all the same; a move that cannot be read changes no board.
        if let (Some(position), Some(mv)) = (&mut self.position, &mv) {
            _ = position.play(Side::ALL[usize::from(played.color.wrapping_sub(1)) & 3], mv);
        }
        self.ply += 1;
        self.wait();
    }

    /// The line ends, or what comes after it is not known.
    fn end(&mut self, builder: &RowBuilder, key: i64, rows: &mut TableRows) {
        self.answer(None, builder, key, rows);
        self.position = None;
    }

    /// Writes the row of the board that waits.
    fn answer(&mut self, next: Option<(u8, Option<&Move>)>, builder: &RowBuilder, key: i64, rows: &mut TableRows) {
        let (Some((hash, symmetry)), Some(position)) = (self.waiting.take(), &self.position) else { return };
        let size = (position.size().columns(), position.size().rows());
        let text = next.and_then(|(_, mv)| turned(mv?, symmetry, size));
        let text = text.map(|mv| position.dialect().show_move(&mv).to_string());
        rows.push_with(|new| {
            new.set(0, Cell::Int(hash as i64));
            new.set(1, Cell::Int(key));
            new.set(2, Cell::Int(self.ply));
            new.set(3, next.map_or(Cell::Null, |(color, _)| Cell::Int(color.into())));
            new.set(
                4,
                text.as_deref().map_or(Cell::Null, |text| Cell::Text(if text.is_empty() { "pass" } else { text })),
            );
            new.set(5, winner(builder.row()));
            new.set(6, Cell::Text(&self.board));
        });
    }
}

/// Game and size of a board, as the table names them.
fn board_name(dialect: &Dialect) -> String {
    let size = dialect.size();
    format!("{} {}x{}", dialect.game().name(), size.columns(), size.rows())
}

/// The move on a turned board; none where it has fields that are not turned here.
fn turned(mv: &Move, symmetry: Symmetry, size: (u32, u32)) -> Option<Move> {
    let turn = |field: &Field| {
        let (column, row) = symmetry.apply((field.column.into(), field.row.into()), size);
        Field::new(column as u16, row as u16)
    };
    Some(match mv {
        mv if symmetry == Symmetry::Identity => mv.clone(),
        Move::Place(field) => Move::Place(turn(field)),
        Move::Step { from, to, capture } => Move::Step { from: turn(from), to: turn(to), capture: *capture },
        Move::Shot { from, to, arrow } => Move::Shot { from: turn(from), to: turn(to), arrow: turn(arrow) },
        Move::Pass => Move::Pass,
        Move::Word(word) => Move::Word(*word),
        _ => return None,
    })
}
