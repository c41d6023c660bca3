//! The moves and the setup of a main line, for the conditions, the hashes and the texts of a row.

use sgfstream::{Ident, PropertyPart, RawValue};
use sgfstream_game::{Coordinates, Game, GameState, RawMove, Side};

use super::super::line::sets_up;
use super::super::line_hash::Piece;
use super::super::probe::spelled;
use super::Line;

/// Moves in `first_moves`.
const FIRST_MOVES: u64 = 8;

/// Bytes of each of them; a longer one is cut, and counted.
const FIRST_MOVE_MAX: usize = 4096;

impl Line {
    pub(super) fn play_all<'m>(&mut self, state: &GameState, moves: impl Iterator<Item = RawMove<'m>>) {
        moves.for_each(|played| self.play(state, played.color, played.ply, &played.bytes()));
    }

    #[inline(always)]
    pub(super) fn play(&mut self, state: &GameState, color: u8, ply: u64, bytes: &[u8]) {
        if ply <= self.probes.last_move() {
            self.probes.play(ply, bytes, true, || state.dialect(), self.coordinates);
        }
        if let Some(hasher) = &mut self.hasher {
            hasher.play_color(color, bytes);
        }
        if let Some(dyer) = &mut self.dyer {
            dyer.play(ply, bytes, || state.dialect());
        }
        if ply <= FIRST_MOVES {
            self.add_first_move(state, bytes);
        }
    }

    /// Takes a piece of a property that may be moves or a setup.
    pub(super) fn part(&mut self, state: &GameState, part: &PropertyPart<'_>) {
        let (ident, bytes) = (part.ident(), part.content().as_bytes());
        let played = state.part_move(part);
        let is_joined = state.game().variant().is_some() && !part.is_property_start();
        if let Some(played) = played {
            let is_whole = part.is_value_end() && state.game().variant().is_none();
            self.probes.play(played.ply, bytes, is_whole, || state.dialect(), self.coordinates);
            if played.ply <= FIRST_MOVES && self.first_moves.is_some() {
                self.add_first_move(state, bytes);
                self.cut_moves += u64::from(!is_whole && bytes.len() <= FIRST_MOVE_MAX);
            }
        }
        if part.is_value_start() && !is_joined {
            self.open_move = played.map(|played| played.color);
        }
        let Some(hasher) = &mut self.hasher else { return };
        let piece = Piece { bytes, is_start: part.is_value_start(), is_end: part.is_value_end() };
        match self.open_move {
            Some(color) => hasher.play_piece(Side::of_color(color), is_joined && part.value_index() > 0, piece),
            None if sets_up(state, ident) => hasher.set_up_piece(&ident.canonical(), piece),
            None => {}
        }
    }

    /// Sets up the values of a property that may be a setup.
    pub(super) fn set_up<'v>(
        &mut self,
        state: &GameState,
        ident: Ident<'_>,
        values: impl Iterator<Item = RawValue<'v>>,
    ) {
        if let Some(hasher) = &mut self.hasher
            && sets_up(state, ident)
        {
            let ident = ident.canonical();
            values.for_each(|value| hasher.set_up(&ident, value.as_bytes()));
        }
    }

    #[inline(never)]
    pub(super) fn add_first_move(&mut self, state: &GameState, bytes: &[u8]) {
        let Some(moves) = &mut self.first_moves else { return };
        if !moves.is_empty() {
            moves.push(' ');
        }
        // A point of Go as nearly all are: no pass, and spelled as it is.
        if let [column @ b'a'..=b'z', row @ b'a'..=b'z'] = *bytes
            && bytes != b"tt"
            && state.game() == Game::Go
            && self.coordinates == Coordinates::Sgf
        {
            moves.push(char::from(column));
            moves.push(char::from(row));
            return;
        }
        let start = moves.len();
        if !state.dialect().parse_move(bytes).is_ok_and(|played| played.is_pass()) {
            self.cut_moves += u64::from(bytes.len() > FIRST_MOVE_MAX);
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(FIRST_MOVE_MAX)]);
            match self.coordinates {
                Coordinates::Sgf => text.split_whitespace().for_each(|word| moves.push_str(word)),
                other => moves.push_str(&spelled(text.trim(), || state.dialect(), other)),
            }
        }
        if moves.len() == start {
            moves.push_str("pass");
        }
    }
}
