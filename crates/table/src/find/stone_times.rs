//! When stones first came to the fields of a board.

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Change, Field};

/// The stone is White's.
pub(super) const OF_WHITE: u16 = 1 << 14;

/// The field has had more than one stone, or lost one, or one came by a later setup or so late that no number says it.
pub(super) const CHANGED: u16 = u16::MAX;

/// When a stone first came to each field.
#[derive(Clone, Debug)]
pub(super) struct StoneTimes {
    columns: u32,
    /// For each field, row by row: 0 for never; the number of the move and 1, and [`OF_WHITE`] beside it for White; [`CHANGED`]
    /// for a field of which more would have to be known.
    pub(super) of_fields: Vec<u16>,
}

impl StoneTimes {
    /// Those of an empty board.
    pub(super) fn new(size: BoardSize) -> Self {
        Self { columns: size.columns(), of_fields: vec![0; (size.columns() * size.rows()) as usize] }
    }

    /// Takes a change of the board in the move of this number; 0 for the start of a game, none for a later setup.
    pub(super) fn change(&mut self, change: Change, ply: Option<u64>) {
        let Some(time) = self.of_field(change.field) else { return };
        let color = match change.new {
            1 => Some(0),
            2 => Some(OF_WHITE),
            _ => None,
        };
        let ply = ply.and_then(|ply| u16::try_from(ply + 1).ok()).filter(|&ply| ply < OF_WHITE);
        *time = match (ply, color) {
            (Some(ply), Some(color)) if *time == 0 && change.old == 0 => ply | color,
            _ => CHANGED,
        };
    }

    /// Takes a move on a field, after its changes: one that left the field as it was had none.
    pub(super) fn move_on(&mut self, field: Field, ply: u64) {
        let Some(time) = self.of_field(field) else { return };
        if u64::from(*time & !OF_WHITE) != ply + 1 {
            *time = CHANGED;
        }
    }

    fn of_field(&mut self, field: Field) -> Option<&mut u16> {
        self.of_fields.get_mut((u32::from(field.row) * self.columns + u32::from(field.column)) as usize)
    }
}
