//! The board of a main line, move by move: what each move takes, whether it is legal, and what changes.

use std::fmt::Write;

use sgfstream::Property;
use sgfstream_game::{Change, Dialect, Field, Game, GameBoard, Illegal, Move, Played, Side};

/// Follows the board of one game after another. Where no board is known, or no longer, nothing is told.
#[derive(Debug, Default)]
pub(crate) struct LineBoard {
    position: Option<GameBoard>,
    keeps_changes: bool,
    illegal: u64,
    /// Changes, and fields that are looked at, for [`unsaid`](Self::unsaid).
    changes: Vec<Change>,
    fields: Vec<Field>,
}

/// Result of a move.
#[derive(Debug, Default)]
pub(crate) struct Effect {
    /// The point that the move is about, where there is one.
    pub(crate) field: Option<Field>,
    pub(crate) is_pass: bool,
    /// Number of captures.
    pub(crate) captures: Option<u32>,
    pub(crate) is_legal: Option<bool>,
}

impl LineBoard {
    /// A board that also tells what changes.
    pub(crate) fn keeping_changes() -> Self {
        Self { keeps_changes: true, ..Self::default() }
    }

    /// Nothing is known of the next game yet.
    pub(crate) fn start_game(&mut self) {
        (self.position, self.illegal) = (None, 0);
    }

    /// The root was read.
    pub(crate) fn start_line(&mut self, dialect: &Dialect) {
        self.illegal = 0;
        self.position = GameBoard::new(dialect).ok();
        // What is on a field of Octi is a stack, and changes of Havannah's board are told in other coordinates.
        let is_told = self.keeps_changes && !matches!(dialect.game(), Game::Octi | Game::Havannah);
        if let Some(position) = self.position.as_mut().filter(|_| is_told) {
            position.keep_changes();
        }
    }

    /// From here on the board is not known.
    pub(crate) fn lose(&mut self) {
        self.position = None;
    }

    /// Does what a setup says.
    pub(crate) fn set_up(&mut self, property: &Property<'_>) {
        if let Some(position) = &mut self.position {
            position.apply(property);
        }
    }

    /// Makes a move. What is illegal is done all the same.
    #[inline]
    pub(crate) fn play(&mut self, dialect: &Dialect, color: u8, value: &[u8], is_cut: bool) -> Effect {
        if !is_cut
            && dialect.game() == Game::Go
            && let Ok(field) = dialect.parse_point(value)
        {
            // Nearly all moves.
            let result = self.position.as_mut().map(|position| Some(position.place(Side::of_color(color), field)));
            return self.judge(Some(field), false, result);
        }
        self.play_other(dialect, color, value, is_cut)
    }

    #[inline(never)]
    fn play_other(&mut self, dialect: &Dialect, color: u8, value: &[u8], is_cut: bool) -> Effect {
        let mv = if is_cut { None } else { dialect.parse_move(value).ok() };
        let mv = mv.as_ref();
        let (field, is_pass) = (mv.and_then(Move::point), mv.is_some_and(Move::is_pass));
        let result = self.position.as_mut().map(|position| mv.map(|mv| position.play(Side::of_color(color), mv)));
        self.judge(field, is_pass, result)
    }

    /// Result of a move: nothing where no board is known, nor of a move that cannot be read.
    #[inline]
    fn judge(
        &mut self,
        field: Option<Field>,
        is_pass: bool,
        result: Option<Option<Result<Played, Illegal>>>,
    ) -> Effect {
        let Some(result) = result else { return Effect { field, is_pass, ..Effect::default() } };
        let is_legal = matches!(result, Some(Ok(_)));
        self.illegal += u64::from(!is_legal);
        let captures = result.map(|result| result.unwrap_or_else(|illegal| illegal.played).captured);
        Effect { field, is_pass, captures, is_legal: Some(is_legal) }
    }

    /// Moves of the game that are illegal or cannot be read.
    pub(crate) fn illegal(&self) -> Option<u64> {
        self.position.is_some().then_some(self.illegal)
    }

    /// Changes since the last call that are not among `said`, which are fields and the contents that are said to be on
    /// them: `x,y,stone` with a blank between. A stone is `B`, `W`, `3`, `4` or the number of another content, and `-`
    /// is an empty field.
    #[inline]
    pub(crate) fn unsaid(&mut self, said: &mut [(Field, Option<Side>)]) -> Option<String> {
        let position = self.position.as_mut()?;
        if !position.take_changes(&mut self.changes) {
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
        let Self { position: Some(position), changes, fields, .. } = self else { return None };
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
