//! Rows of the table of positions: the board before each move of a main line. Each move updates the
//! points that it changes.

use arrow_schema::SchemaRef;
use sgfstream_game::go::{GoBoard, GoRules, Liberties, Superko};
use sgfstream_game::value::{Evaluation, NodeReadings};
use sgfstream_game::{
    BoardCell, Side,
    facts::{JudgedMove, Replay},
};

use crate::row::line::{LineStep, MainLineMove};

use super::columns::{AnyRows, TableRows};
use super::lines::{OTHER, number, point, winner};
use super::ownership::ownership;
use super::position_options::PositionOptions;
use super::sink::{GameNow, TableSink, rows};
use super::table::{PositionColumns, PositionRow};

/// Owner of all points of a game that does not tell it.
const UNKNOWN: i8 = -1;

/// Makes the rows of positions.
#[derive(Debug)]
pub(super) struct PositionRows {
    rows: TableRows<PositionColumns>,
    options: PositionOptions,
    /// `None` if the board has another size or is unknown.
    replay: Option<Replay>,
    /// The board of `replay`, row by row: 0, or the number of a color.
    stones: Vec<i8>,
    counter: Liberties,
    /// Liberties of each stone of `stones`, if requested.
    liberties: Vec<i8>,
    /// 1 for each point that the superko forbids, if requested.
    superko: Vec<i8>,
    /// Owners of the points at the end of the game, if requested.
    ownership: Vec<i8>,
    /// What the current node states, and the player of its last move.
    readings: NodeReadings,
    mover: Option<u8>,
    /// Evaluation of the current position, if requested.
    evaluation: Evaluation,
    /// Earlier moves, the last one first.
    last: Vec<i16>,
}

impl TableSink for PositionRows {
    rows!();

    fn start_game(&mut self) {
        self.replay = None;
    }

    fn step(&mut self, game: &GameNow<'_>, step: &LineStep<'_>) {
        if matches!(step, LineStep::Start) {
            self.start_line(game);
        }
        let Some(replay) = &mut self.replay else {
            return;
        };
        match step {
            LineStep::Move(played) => self.play(game, played),
            LineStep::NodeEnd if self.options.analysis => {
                let readings = std::mem::take(&mut self.readings);
                self.evaluation = readings.evaluation(self.mover.take());
            }
            LineStep::Other(property)
                if self.options.analysis && !game.facts.changes_board(property.ident()) =>
            {
                self.readings
                    .read(property.ident().as_bytes(), property.first().as_bytes());
            }
            LineStep::Other(property) if game.facts.changes_board(property.ident()) => {
                replay.apply(property);
                self.look_at_all();
            }
            _ => {}
        }
    }
}

impl PositionRows {
    pub(super) fn new(schema: &SchemaRef, options: PositionOptions) -> Self {
        let last = vec![OTHER; options.history.into()];
        let rows = TableRows::new(PositionColumns::default(), schema);
        Self {
            rows,
            options,
            replay: None,
            stones: vec![0; options.points()],
            counter: Liberties::default(),
            liberties: Vec::new(),
            superko: Vec::new(),
            ownership: Vec::new(),
            readings: NodeReadings::default(),
            mover: None,
            evaluation: Evaluation::default(),
            last,
        }
    }

    fn start_line(&mut self, game: &GameNow<'_>) {
        if !self.options.wants_game(game.key) {
            return;
        }
        let side = u32::from(self.options.size);
        // Allow the moves of all rules, so that the boards do not depend on RU.
        let rules = GoRules {
            suicide: true,
            superko: self.options.superko.then_some(Superko::Positional),
        };
        self.replay = Replay::with_rules(game.dialect, rules, false)
            .ok()
            .filter(|replay| {
                replay.board().is_some_and(|board| {
                    (board.size().columns(), board.size().rows()) == (side, side)
                })
            });
        self.last.fill(OTHER);
        self.look_at_all();
        if self.options.ownership && self.replay.is_some() {
            self.ownership =
                ownership(game.facts).unwrap_or_else(|| vec![UNKNOWN; self.options.points()]);
        }
        self.readings = NodeReadings::default();
        self.evaluation = Evaluation::default();
    }

    /// Reads the whole board into `stones`.
    #[inline(never)]
    fn look_at_all(&mut self) {
        let Some(position) = self.replay.as_ref().and_then(Replay::board) else {
            return;
        };
        let side = self.options.size;
        let fields =
            (0..side).flat_map(|row| (0..side).map(move |column| BoardCell::new(column, row)));
        for (stone, field) in self.stones.iter_mut().zip(fields) {
            *stone = position
                .stone(field)
                .map_or(0, |side| side.index() as i8 + 1);
        }
    }

    fn play(&mut self, game: &GameNow<'_>, played: &MainLineMove<'_>) {
        let Some(position) = self.replay.as_ref().and_then(Replay::board) else {
            return;
        };
        let mv = game.dialect.parse_move(&played.value).ok();
        let size = position.size();
        let number = mv.as_ref().map_or(OTHER, |mv| number(mv, size));
        let board: Option<&GoBoard> = position.board();
        if self.options.wants(game.key, played.ply) {
            let side = Side::of_color(played.color);
            let ko = board
                .and_then(GoBoard::ko)
                .filter(|(_, whose)| *whose == side)
                .map(|(field, _)| field);
            let row = game.row();
            if self.options.liberties {
                let counts = self
                    .counter
                    .count(&self.stones, self.options.size.into())
                    .iter();
                self.liberties.clear();
                self.liberties
                    .extend(counts.map(|&count| i8::try_from(count).unwrap_or(i8::MAX)));
            }
            if self.options.superko {
                self.superko.clear();
                self.superko.resize(self.options.points(), 0);
                if let Some(board) = board {
                    board.superko(side, |field| {
                        self.superko[usize::try_from(point(field, size)).unwrap_or(0)] = 1
                    });
                }
            }
            let taken = |side| board.map(|board| board.prisoners(side) as i64);
            self.rows.push(PositionRow {
                key: Some(game.key),
                ply: Some(played.ply as i64),
                color: Some(played.color as i8),
                r#move: Some(number),
                stones: Some(&self.stones),
                liberties: self.options.liberties.then_some(&self.liberties[..]),
                ko: Some(ko.map_or(-1, |field| point(field, size))),
                superko: self.options.superko.then_some(&self.superko[..]),
                black_prisoners: taken(Side::Black),
                white_prisoners: taken(Side::White),
                winner: winner(row),
                margin: row.margin,
                komi: row.komi,
                handicap: row.handicap,
                rules: row.rules.as_deref(),
                br_level: row.br_level,
                wr_level: row.wr_level,
                winrate: self.evaluation.winrate,
                score_lead: self.evaluation.score_lead,
                visits: self.evaluation.visits,
                ownership: self.options.ownership.then_some(&self.ownership[..]),
                last: Some(&self.last)
                    .filter(|last| !last.is_empty())
                    .map(Vec::as_slice),
            });
        }
        self.mover = Some(played.color);
        self.evaluation = Evaluation::default();
        let Some(mv) = mv else {
            // The board after an unreadable move is unknown.
            self.replay = None;
            return;
        };
        let judged = self
            .replay
            .as_mut()
            .map(|replay| replay.play_move(played.color, &mv));
        self.change(played.color, judged.unwrap_or_default());
        if let Some(end) = self.last.len().checked_sub(1) {
            self.last.copy_within(..end, 1);
            self.last[0] = number;
        }
    }

    /// Updates the fields that a move changed.
    fn change(&mut self, color: u8, judged: JudgedMove) {
        let Some(position) = self.replay.as_ref().and_then(Replay::board) else {
            return;
        };
        let Some(board) = position.board::<GoBoard>() else {
            return self.look_at_all();
        };
        let Some(field) = judged.field.filter(|field| field.is_on(position.size())) else {
            return;
        };
        let at = |field: BoardCell| {
            usize::from(field.row) * usize::from(self.options.size) + usize::from(field.column)
        };
        self.stones[at(field)] = color as i8;
        // Remove captured stones last, because a suicide captures the played stone.
        board.taken().for_each(|field| self.stones[at(field)] = 0);
    }
}
