//! Moves and setup of a main line, as input for the questions, hashes and texts of a row.

use sgfstream::{Ident, RawValue};
use sgfstream_game::{Coordinates, Game, GameState, RawMove, Side};

use super::super::line::sets_up;
use super::super::probe::spelled;
use super::Line;

/// Number of moves in `first_moves`.
const FIRST_MOVES: u64 = 8;

impl Line {
    pub(super) fn play_all<'m>(&mut self, state: &GameState, moves: impl Iterator<Item = RawMove<'m>>) {
        moves.for_each(|played| self.play(state, played.color, played.ply, &played.bytes()));
    }

    #[inline(always)]
    pub(super) fn play(&mut self, state: &GameState, color: u8, ply: u64, bytes: &[u8]) {
        if ply <= self.probes.last_move() {
            self.probes.play(ply, bytes, || state.dialect(), self.coordinates);
        }
        if let Some(hasher) = &mut self.hasher {
            hasher.play_color(color, bytes);
        }
        if let Some(dyer) = &mut self.dyer {
            dyer.play(ply, bytes, || state.dialect());
        }
        if ply <= FIRST_MOVES {
            self.first_side.get_or_insert(Side::of_color(color));
            self.black_moves += i64::from(color == 1 && self.black_moves + 1 == ply as i64);
            self.add_first_move(state, bytes);
        }
    }

    /// Returns the form of a handicap of `stones` in the record: `stones`, `moves` or `none`.
    pub(super) fn handicap_form(&self, stones: i64) -> &'static str {
        match self.black_moves {
            _ if self.has_black_stones => "stones",
            moves if moves >= stones.min(FIRST_MOVES as i64) => "moves",
            _ => "none",
        }
    }

    /// Handles the values of a property that may be setup.
    pub(super) fn set_up<'v>(
        &mut self,
        state: &GameState,
        ident: Ident<'_>,
        values: impl Iterator<Item = RawValue<'v>> + Clone,
    ) {
        if ident.is(b"PL") && state.ply() == 0 {
            self.first_side = values.clone().next().and_then(|value| Side::named(value.as_bytes())).or(self.first_side);
        }
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
        // Nearly all moves are points of Go in plain spelling, so copy them without parsing.
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
        let (is_pass, respelled) = match state.dialect().read_move(bytes) {
            Ok(read) => (read.value.is_pass(), read.unusual.map(|unusual| unusual.respelled)),
            Err(_) => (false, None),
        };
        if is_pass {
            moves.push_str("pass");
        } else {
            let text = String::from_utf8_lossy(respelled.as_deref().unwrap_or(bytes));
            match self.coordinates {
                Coordinates::Sgf => text.split_whitespace().for_each(|word| moves.push_str(word)),
                other => moves.push_str(&spelled(text.trim(), || state.dialect(), other)),
            }
        }
        // An empty value in a game without passes.
        if moves.len() == start {
            moves.push_str("[]");
        }
    }
}
