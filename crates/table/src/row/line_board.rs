//! The board of a main line, move by move: captures, legality and changes.

use std::fmt::Write;

use sgfstream::Property;
use sgfstream_game::{
    BoardCell, Facts, Game, Side,
    facts::{JudgedMove, Replay},
    internal::Change,
};

/// Follows the board of one game after another. If the game has no board, or its board has become
/// unknown, the functions return nothing.
#[derive(Debug, Default)]
pub(crate) struct LineBoard {
    replay: Option<Replay>,
    keeps_changes: bool,
    /// Buffers for changes and cells, used by [`other_changes`](Self::other_changes).
    changes: Vec<Change>,
    fields: Vec<BoardCell>,
}

impl LineBoard {
    /// Returns a board that also records changes.
    pub(crate) fn keeping_changes() -> Self {
        Self {
            keeps_changes: true,
            ..Self::default()
        }
    }

    /// Starts a game, of which nothing is known yet.
    pub(crate) fn start_game(&mut self) {
        self.replay = None;
    }

    /// Starts the line of a game.
    pub(crate) fn start_line(&mut self, facts: &Facts<'_>) {
        self.replay = facts.replay().ok();
        // Skip games without plain changes: a cell of Octi has a stack, and Havannah's board uses
        // other coordinates.
        let is_kept = self.keeps_changes && !matches!(facts.game, Game::Octi | Game::Havannah);
        if let Some(board) = self
            .replay
            .as_mut()
            .and_then(Replay::board_mut)
            .filter(|_| is_kept)
        {
            board.keep_changes();
        }
    }

    /// Applies a property that is not a move.
    pub(crate) fn apply(&mut self, property: &Property<'_>) {
        if let Some(replay) = &mut self.replay {
            replay.apply(property);
        }
    }

    /// Plays a move, even if it is illegal.
    #[inline]
    pub(crate) fn play(&mut self, color: u8, value: &[u8]) -> JudgedMove {
        self.replay
            .as_mut()
            .map_or_else(JudgedMove::default, |replay| replay.play(color, value))
    }

    /// Ends a node. Returns whether `KO` excuses its illegal moves.
    #[inline]
    pub(crate) fn end_node(&mut self) -> bool {
        self.replay.as_mut().is_some_and(Replay::end_node)
    }

    /// Returns the number of moves that are illegal or unreadable.
    pub(crate) fn illegal(&self) -> Option<u64> {
        self.replay.as_ref()?.illegal()
    }

    /// Returns the changes since the last call, except those that `named` lists as cells with
    /// contents. The format is `x,y,stone`, separated by blanks. A stone is `B`, `W`, `3`, `4`, the
    /// number of another content, or `-` for an empty cell.
    #[inline]
    pub(crate) fn other_changes(
        &mut self,
        named: &mut [(BoardCell, Option<Side>)],
    ) -> Option<String> {
        let board = self.replay.as_mut()?.board_mut()?;
        if !board.take_changes(&mut self.changes) {
            return None;
        }
        // In nearly all moves the only change is the stone of the move.
        if let ([change], [(field, Some(side))]) = (&*self.changes, &*named)
            && (change.field, usize::from(change.new)) == (*field, side.index() + 1)
        {
            return None;
        }
        self.board_text(named)
    }

    #[inline(never)]
    fn board_text(&mut self, named: &mut [(BoardCell, Option<Side>)]) -> Option<String> {
        let Self {
            replay: Some(replay),
            changes,
            fields,
            ..
        } = self
        else {
            return None;
        };
        let position = replay.board()?;
        fields.clear();
        let mut others = Vec::new();
        for change in changes.drain(..) {
            fields.push(change.field);
            if change.new > 4 {
                others.push((change.field, change.new));
            }
        }
        let is_as_named = match named {
            [] => fields.is_empty(),
            [(field, stone)] => {
                fields.iter().all(|changed| changed == field) && position.stone(*field) == *stone
            }
            _ => false,
        };
        if is_as_named {
            return None;
        }
        fields.extend(named.iter().map(|(field, _)| *field));
        fields.sort_unstable();
        fields.dedup();
        named.sort_unstable_by_key(|(field, _)| *field);
        // The sort is stable, so the last change of a cell comes last.
        others.sort_by_key(|(field, _)| *field);
        let mut text = String::new();
        for field in fields.iter() {
            let stone = position.stone(*field);
            let at = named.binary_search_by_key(field, |(field, _)| *field);
            if at.is_ok_and(|at| named[at].1 == stone) {
                continue;
            }
            let last = others.partition_point(|(other, _)| other <= field);
            let other = last
                .checked_sub(1)
                .map(|last| others[last])
                .filter(|(other, _)| other == field);
            if !text.is_empty() {
                text.push(' ');
            }
            for number in [field.column, field.row] {
                push_number(number, &mut text);
                text.push(',');
            }
            _ = match (stone, other) {
                (Some(side), _) => text.write_str(side.name_in(position.dialect().game())),
                (None, Some((_, content))) => write!(text, "{content}"),
                (None, None) => text.write_str("-"),
            };
        }
        (!text.is_empty()).then_some(text)
    }
}

/// Appends the digits of a number, which takes a fraction of the time of `write!`.
fn push_number(number: u16, text: &mut String) {
    if number >= 10 {
        push_number(number / 10, text);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}
