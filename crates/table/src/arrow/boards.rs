//! Rows of the table of hashes: a board before each move of a main line, and at its end. A board is looked at when
//! [`find`](crate::find) looks at it: after each move, and once after setup.

use sgfstream_game::{BOARD_MAX, BoardHash, Dialect, Field, GameBoard, Move, Side, Symmetry, is_setup};

use crate::row::line::{LineMove, LineStep};

use super::columns::{AnyRows, TableRows};
use super::lines::winner;
use super::sink::{GameNow, TableSink, rows};
use super::table::{BoardColumns, BoardRow, Table};

/// Follows the main line of one game after another.
#[derive(Debug)]
pub(super) struct BoardRows {
    rows: TableRows<BoardColumns>,
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

impl TableSink for BoardRows {
    rows!();

    fn start_game(&mut self) {
        (self.position, self.waiting) = (None, None);
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        if matches!(step, LineStep::Start) {
            self.start_line(game.dialect);
        }
        let Some(position) = &mut self.position else { return };
        match step {
            LineStep::Move(played) => self.play(game, played),
            LineStep::Other(property) if is_setup(property.ident()) => {
                position.apply(property);
                self.is_set_up = true;
            }
            LineStep::LongSetup(_) | LineStep::End => self.end(game),
            LineStep::NodeEnd => self.look(game),
            LineStep::Start | LineStep::Other(_) => {}
        }
    }
}

impl BoardRows {
    pub(super) fn new(table: &Table) -> Self {
        Self {
            rows: TableRows::new(BoardColumns::default(), table.schema()),
            position: None,
            is_set_up: false,
            ply: 0,
            waiting: None,
            board: String::new(),
        }
    }

    fn start_line(&mut self, dialect: &Dialect) {
        let position = GameBoard::new(dialect).ok().filter(|position| position.size().longer() <= BOARD_MAX);
        (self.ply, self.is_set_up, self.waiting) = (0, true, None);
        self.position = position.map(|mut position| {
            position.keep_hash();
            position
        });
        self.board = board_name(dialect);
    }

    /// Looks at a board that was set up, or that is the start of the game.
    fn look(&mut self, game: &GameNow<'_>) {
        if std::mem::take(&mut self.is_set_up) {
            self.answer(None, game);
            self.wait();
        }
    }

    fn wait(&mut self) {
        let hash = self.position.as_ref().and_then(GameBoard::hash);
        self.waiting = hash.map(BoardHash::canonical);
    }

    fn play(&mut self, game: &GameNow<'_>, played: &LineMove<'_>) {
        self.look(game);
        if played.is_cut {
            return self.end(game);
        }
        let mv = game.dialect.parse_move(&played.value).ok();
        self.answer(Some((played.color, mv.as_ref())), game);
        // What is illegal is done all the same; a move that cannot be read changes no board.
        if let (Some(position), Some(mv)) = (&mut self.position, &mv) {
            _ = position.play(Side::of_color(played.color), mv);
        }
        self.ply += 1;
        self.wait();
    }

    /// The line ends, or what comes after it is not known.
    fn end(&mut self, game: &GameNow<'_>) {
        self.answer(None, game);
        self.position = None;
    }

    /// Writes the row of the board that waits.
    fn answer(&mut self, next: Option<(u8, Option<&Move>)>, game: &GameNow<'_>) {
        let (Some((hash, symmetry)), Some(position)) = (self.waiting.take(), &self.position) else { return };
        let size = (position.size().columns(), position.size().rows());
        let text = next.and_then(|(_, mv)| turned(mv?, symmetry, size));
        let text = text.map(|mv| position.dialect().show_move(&mv).to_string());
        self.rows.push(BoardRow {
            hash: Some(hash as i64),
            key: Some(game.key),
            ply: Some(self.ply),
            color: next.map(|(color, _)| color as i8),
            next: text.as_deref().map(|text| if text.is_empty() { "pass" } else { text }),
            winner: winner(game.row()),
            board: Some(&self.board),
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
    let turn = |field: &Field| symmetry.turn(*field, size);
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
