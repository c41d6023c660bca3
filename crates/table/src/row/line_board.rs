//! The board of a main line, move by move: what each move takes, whether it is legal, and what changes.

use std::fmt::Write;

use sgfstream::{Ident, Property};
use sgfstream_game::{Change, Field, Game, GameState, JudgedMove, Replay, Side, is_setup};

use super::line::{LineMove, LineStep};

/// Follows the board of one game after another. Where no board is known, or no longer, nothing is told.
#[derive(Debug, Default)]
pub(crate) struct LineBoard {
    replay: Option<Replay>,
    keeps_changes: bool,
    /// Changes, and fields that are looked at, for [`unsaid`](Self::unsaid).
    changes: Vec<Change>,
    fields: Vec<Field>,
}

impl LineBoard {
    /// A board that also tells what changes.
    pub(crate) fn keeping_changes() -> Self {
        Self { keeps_changes: true, ..Self::default() }
    }

    /// Nothing is known of the next game yet.
    pub(crate) fn start_game(&mut self) {
        self.replay = None;
    }

    /// The root was read.
    pub(crate) fn start_line(&mut self, state: &GameState) {
        self.replay = Replay::new(state).ok();
        // What is on a field of Octi is a stack, and changes of Havannah's board are told in other coordinates.
        let is_told = self.keeps_changes && !matches!(state.game(), Game::Octi | Game::Havannah);
        if let Some(board) = self.replay.as_mut().and_then(Replay::board_mut).filter(|_| is_told) {
            board.keep_changes();
        }
    }

    /// Takes a step of the line.
    pub(crate) fn take(&mut self, state: &GameState, step: &LineStep<'_>) {
        match step {
            LineStep::Start => self.start_line(state),
            LineStep::Move(played) => _ = self.play(played),
            LineStep::Other(property) => self.apply(property),
            LineStep::NodeEnd => _ = self.end_node(),
            LineStep::End => {}
        }
    }

    /// Does what a property says that is no move.
    pub(crate) fn apply(&mut self, property: &Property<'_>) {
        if let Some(replay) = self.replay.as_mut().filter(|_| changes_a_line(property.ident())) {
            replay.apply(property);
        }
    }

    /// Makes a move. What is illegal is done all the same.
    #[inline]
    pub(crate) fn play(&mut self, played: &LineMove<'_>) -> JudgedMove {
        self.play_value(played.color, &played.value)
    }

    /// Makes a move that is known to be whole.
    #[inline]
    pub(crate) fn play_value(&mut self, color: u8, value: &[u8]) -> JudgedMove {
        self.replay.as_mut().map_or_else(JudgedMove::default, |replay| replay.play(color, value))
    }

    /// A node ends. True if `KO` excuses its illegal moves.
    #[inline]
    pub(crate) fn end_node(&mut self) -> bool {
        self.replay.as_mut().is_some_and(Replay::end_node)
    }

    /// Moves of the game that are illegal or cannot be read.
    pub(crate) fn illegal(&self) -> Option<u64> {
        self.replay.as_ref()?.illegal()
    }

    /// Changes since the last call that are not among `said`, which are fields and the contents that are said to be on
    /// them: `x,y,stone` with a blank between. A stone is `B`, `W`, `3`, `4` or the number of another content, and `-`
    /// is an empty field.
    #[inline]
    pub(crate) fn unsaid(&mut self, said: &mut [(Field, Option<Side>)]) -> Option<String> {
        let board = self.replay.as_mut()?.board_mut()?;
        if !board.take_changes(&mut self.changes) {
            return None;
        }
        // Nearly all moves: a stone is where the move says, and nothing else has changed.
        if let ([change], [(field, Some(side))]) = (&*self.changes, &*said)
            && (change.field, usize::from(change.new)) == (*field, side.index() + 1)
        {
            return None;
        }
        self.told(said)
    }

    #[inline(never)]
    fn told(&mut self, said: &mut [(Field, Option<Side>)]) -> Option<String> {
        let Self { replay: Some(replay), changes, fields, .. } = self else { return None };
        let position = replay.board()?;
        fields.clear();
        let mut others = Vec::new();
        for change in changes.drain(..) {
            fields.push(change.field);
            if change.new > 4 {
                others.push((change.field, change.new));
            }
        }
        let is_as_said = match said {
            [] => fields.is_empty(),
            [(field, stone)] => fields.iter().all(|changed| changed == field) && position.stone(*field) == *stone,
            _ => false,
        };
        if is_as_said {
            return None;
        }
        fields.extend(said.iter().map(|(field, _)| *field));
        fields.sort_unstable();
        fields.dedup();
        said.sort_unstable_by_key(|(field, _)| *field);
        // In the order of the changes: the last one of a field holds.
        others.sort_by_key(|(field, _)| *field);
        let mut text = String::new();
        for field in fields.iter() {
            let stone = position.stone(*field);
            let at = said.binary_search_by_key(field, |(field, _)| *field);
            if at.is_ok_and(|at| said[at].1 == stone) {
                continue;
            }
            let last = others.partition_point(|(other, _)| other <= field);
            let other = last.checked_sub(1).map(|last| others[last]).filter(|(other, _)| other == field);
            _ = write!(text, "{}{},{},", if text.is_empty() { "" } else { " " }, field.column, field.row);
            _ = match (stone, other) {
                (Some(side), _) => text.write_str(side.letter()),
                (None, Some((_, content))) => write!(text, "{content}"),
                (None, None) => text.write_str("-"),
            };
        }
        (!text.is_empty()).then_some(text)
    }
}

/// True for a property that is no move and that changes the board of a line, or how it is judged.
pub(crate) fn changes_a_line(ident: Ident<'_>) -> bool {
    is_setup(ident) || ident.is(b"KO") || ident.is(b"TB") || ident.is(b"TW")
}
