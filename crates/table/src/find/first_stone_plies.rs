//! When stones first came to the fields of a board.

use sgfstream_game::value::BoardSize;
use sgfstream_game::{Change, Field, Side};

/// The stone is White's.
pub(super) const OF_WHITE: u16 = 1 << 14;

/// The field has had more than that stone, or lost it.
pub(super) const CHANGED: u16 = 1 << 15;

/// The number of the move and 1.
pub(super) const PLY: u16 = OF_WHITE - 1;

/// More would have to be known of the field: its first stone came by a later setup, or so late that no number says it.
pub(super) const UNKNOWN: u16 = u16::MAX;

/// Beside the number of boards that are told: the stones of the start came by a setup after a root whose board is empty.
pub(super) const LATE: u16 = 1 << 15;

/// Which setup may still be that of the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Start {
    /// That of the root.
    #[default]
    Root,
    /// That of the node after an empty root: servers put the stones of a handicap there.
    Late,
    /// That of this node.
    Now,
    /// None.
    Over,
}

/// When a stone first came to each field of a board.
#[derive(Clone, Debug, Default)]
pub struct FirstStonePlies {
    columns: u32,
    start: Start,
    is_late: bool,
    /// Whether the boards are told by the times so far: there was nothing but a stone on an empty field in each move.
    is_told: bool,
    /// The last change of the move that is made, and how many there are.
    last: Option<Change>,
    changes: u32,
    told: u16,
    of_fields: Vec<u16>,
}

impl FirstStonePlies {
    /// Those of the start of a game; `is_empty`: no stone is on the board before one is set up or played.
    pub(super) fn new(size: BoardSize, is_empty: bool) -> Self {
        let of_fields = vec![0; (size.columns() * size.rows()) as usize];
        Self { columns: size.columns(), is_told: is_empty, of_fields, ..Self::default() }
    }

    /// For each field, row by row: 0 where no stone ever was; else the number of the move of the first one and 1, a bit for White
    /// and one for what happened to it later, as a [`PatternPrefilter`](super::PatternPrefilter) and a [`Locator`](super::Locator) read them. Nothing
    /// where the board is not known to the end.
    #[must_use]
    pub fn of_fields(&self) -> &[u16] {
        &self.of_fields
    }

    /// After how many of the first moves, with 1 for the start, the board has those stones that came until then, and no other; and
    /// a bit for games whose stones of the start came after the root.
    #[must_use]
    pub fn told(&self) -> u16 {
        if self.is_late { self.told | LATE } else { self.told }
    }

    pub(super) fn clear(&mut self) {
        (self.told, self.is_late) = (0, false);
        self.of_fields.clear();
    }

    /// Takes a change of the board in the move of this number; 0 for the start of a game, none for a later setup.
    pub(super) fn change(&mut self, change: Change, ply: Option<u64>) {
        self.changes += 1;
        self.last = Some(change);
        let is_of_start = ply.is_none() && matches!(self.start, Start::Late | Start::Now);
        let ply = if is_of_start { Some(0) } else { ply };
        if is_of_start {
            (self.start, self.is_late) = (Start::Now, true);
        }
        // A setup at the start may put any number of stones.
        self.is_told &= ply.is_some() && change.old == 0 && (ply == Some(0) || self.changes == 1);
        let Some(time) = self.of_field(change.field) else { return };
        let color = match change.new {
            1 => Some(0),
            2 => Some(OF_WHITE),
            _ => None,
        };
        let ply = ply.and_then(|ply| u16::try_from(ply + 1).ok()).filter(|&ply| ply < PLY);
        *time = match (ply, color) {
            (Some(ply), Some(color)) if *time == 0 && change.old == 0 => ply | color,
            _ if *time == 0 => UNKNOWN,
            _ => *time | CHANGED,
        };
        self.is_told &= ply.is_some() && color.is_some();
    }

    /// The board that was set up is looked at.
    pub(super) fn look(&mut self) {
        self.start = match self.start {
            Start::Root => {
                self.told = u16::from(self.is_told);
                if self.changes == 0 { Start::Late } else { Start::Over }
            }
            Start::Late => Start::Late,
            Start::Now | Start::Over => Start::Over,
        };
        (self.last, self.changes) = (None, 0);
    }

    /// Takes a move on a field, or elsewhere, after its changes: one that left its field as it was had none.
    pub(super) fn end_move(&mut self, side: Side, field: Option<Field>, ply: u64) {
        if let Some(time) = field.and_then(|field| self.of_field(field))
            && (*time == 0 || u64::from(*time & PLY) != ply + 1)
        {
            *time = if *time == 0 { UNKNOWN } else { *time | CHANGED };
        }
        let is_of_move = |change: Change| Some(change.field) == field && usize::from(change.new) == side.index() + 1;
        self.is_told &= self.last.is_none_or(is_of_move);
        if self.is_told && u64::from(self.told) == ply {
            self.told = self.told.saturating_add(1);
        }
        (self.last, self.changes, self.start) = (None, 0, Start::Over);
    }

    fn of_field(&mut self, field: Field) -> Option<&mut u16> {
        self.of_fields.get_mut((u32::from(field.row) * self.columns + u32::from(field.column)) as usize)
    }
}
