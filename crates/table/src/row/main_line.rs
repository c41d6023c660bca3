//! Columns of a row that depend on the main line.

use sgfstream::Property;
use sgfstream::record::{Token, TokenKind};
use sgfstream_game::{
    Coordinates, Facts, Game, Side,
    facts::{Replay, is_setup},
};

use super::FilledRow;
use super::dyer::Dyer;
use super::game_row::at;
use super::line_hash::LineHasher;
use super::probe::spelled;
use super::root_cells::in_spare;

/// Number of moves in `first_moves`.
const FIRST_MOVES: u64 = 8;

/// What the moves and properties of a main line have shown so far.
struct MainLine<'l, 't> {
    facts: &'l Facts<'t>,
    coordinates: Coordinates,
    hasher: Option<&'l mut LineHasher>,
    /// The board, if a column needs it.
    board: Option<Replay>,
    dyer: Option<Dyer>,
    first_moves: Option<String>,
    /// The first player, by `PL` or by the first move.
    first_side: Option<Side>,
    /// Number of initial moves by Black, among the first eight.
    black_moves: i64,
    /// Whether the root or a node before the first move sets up black stones.
    has_black_stones: bool,
    ply: u64,
}

/// Fills the columns of the main line of a game that was read to its end.
pub(super) fn fill_main_line(filled: &mut FilledRow, facts: &Facts<'_>) {
    let FilledRow {
        columns,
        coordinates,
        row,
        spare,
        hasher,
        ..
    } = filled;
    let wants = |column: usize| columns.contains_index(column);
    let mut line = MainLine {
        facts,
        coordinates: *coordinates,
        hasher: hasher.as_deref_mut(),
        board: if wants(at::illegal_moves) {
            facts.replay().ok()
        } else {
            None
        },
        dyer: (wants(at::dyer) || wants(at::dyer_canonical)).then(Dyer::default),
        first_moves: wants(at::first_moves).then(|| in_spare(spare, "")),
        first_side: None,
        black_moves: 0,
        has_black_stones: false,
        ply: 0,
    };
    line.read();
    row.moves = wants(at::moves).then_some(line.ply as i64);
    row.illegal_moves = line
        .board
        .as_ref()
        .and_then(Replay::illegal)
        .map(|illegal| illegal as i64);
    if wants(at::to_play) {
        let side = line.first_side.or_else(|| facts.side_at_start());
        row.to_play = side.map(|side| in_spare(spare, side.name_in(facts.game)));
    }
    if wants(at::handicap_form) {
        row.handicap_form = facts
            .handicap()
            .map(|stones| in_spare(spare, line.handicap_form(stones)));
    }
    row.first_moves = line.first_moves;
    if let Some((plain, canonical)) = line.dyer.and_then(|dyer| dyer.signatures(facts.dialect())) {
        row.dyer = wants(at::dyer).then_some(plain);
        row.dyer_canonical = wants(at::dyer_canonical).then_some(canonical);
    }
    if let Some((plain, canonical)) = line.hasher.and_then(LineHasher::finish) {
        row.hash = wants(at::hash).then(|| plain.to_string());
        row.canonical_hash = wants(at::canonical_hash).then(|| canonical.to_string());
    }
}

impl MainLine<'_, '_> {
    fn read(&mut self) {
        let facts = self.facts;
        let game = facts.record();
        if let Some(hasher) = &mut self.hasher {
            hasher.start(facts.game, facts.board_size());
        }
        self.read_root();
        for &token in game.after_root(game.main_line()) {
            match token.kind() {
                TokenKind::Run if facts.has_letters() => {
                    for at in token.places() {
                        let (color, point) = game.plain_move(at);
                        self.end_node();
                        self.ply += 1;
                        if let Some(board) = &mut self.board {
                            _ = board.play(color, &point);
                        }
                        self.play(color, &point);
                    }
                }
                TokenKind::Run | TokenKind::Node => {
                    (0..token.nodes()).for_each(|_| self.end_node())
                }
                TokenKind::Open => self.end_node(),
                TokenKind::Property | TokenKind::Move => self.take(token),
                TokenKind::Problem | TokenKind::Close => {}
            }
        }
        self.end_node();
    }

    /// Handles the properties of the root: its setup, then its moves.
    fn read_root(&mut self) {
        let facts = self.facts;
        let has_moves = facts.root_moves().next().is_some();
        for property in facts.root() {
            self.has_black_stones |= property.ident().is(b"AB");
            self.set_up(&property, has_moves);
        }
        if has_moves {
            for &token in facts.record().root_tokens() {
                self.play_all(token);
            }
        }
        if let Some(board) = &mut self.board {
            for property in facts.root() {
                let is_move = has_moves && facts.moves_of(&property).next().is_some();
                if is_move || facts.changes_board(property.ident()) {
                    board.apply(&property);
                }
            }
        }
    }

    fn take(&mut self, token: Token) {
        let property = self.facts.record().property(token);
        let is_move = self.play_all(token);
        if !is_move {
            self.has_black_stones |= self.ply == 0 && property.ident().is(b"AB");
            self.set_up(&property, self.ply > 0);
        }
        if let Some(board) = &mut self.board
            && (is_move || self.facts.changes_board(property.ident()))
        {
            board.apply(&property);
        }
    }

    /// Plays the moves of a token. Returns whether it has any.
    fn play_all(&mut self, token: Token) -> bool {
        let before = self.ply;
        for played in self.facts.moves_of_token(token) {
            self.ply += 1;
            self.play(played.color, &played.bytes());
        }
        self.ply > before
    }

    #[inline(always)]
    fn play(&mut self, color: u8, bytes: &[u8]) {
        if let Some(hasher) = &mut self.hasher {
            hasher.play_color(color, bytes);
        }
        if let Some(dyer) = &mut self.dyer {
            dyer.play(self.ply, bytes, || self.facts.dialect());
        }
        if self.ply <= FIRST_MOVES {
            self.first_side.get_or_insert(Side::of_color(color));
            self.black_moves += i64::from(color == 1 && self.black_moves + 1 == self.ply as i64);
            self.add_first_move(bytes);
        }
    }

    /// Handles the values of a property that may be setup.
    fn set_up(&mut self, property: &Property<'_>, has_moves: bool) {
        let ident = property.ident();
        if !is_setup(ident) {
            return;
        }
        if ident.is(b"PL") && !has_moves {
            self.first_side =
                Side::named_in(self.facts.game, property.first().as_bytes()).or(self.first_side);
        }
        if let Some(hasher) = &mut self.hasher {
            let ident = ident.canonical();
            for value in property.values() {
                hasher.set_up(&ident, value.as_bytes());
            }
        }
    }

    #[inline(always)]
    fn end_node(&mut self) {
        if let Some(hasher) = &mut self.hasher {
            hasher.end_node();
        }
        if let Some(board) = &mut self.board {
            board.end_node();
        }
    }

    /// Returns the form of a handicap of `stones` in the record: `stones`, `moves` or `none`.
    fn handicap_form(&self, stones: i64) -> &'static str {
        match self.black_moves {
            _ if self.has_black_stones => "stones",
            moves if moves >= stones.min(FIRST_MOVES as i64) => "moves",
            _ => "none",
        }
    }

    #[inline(never)]
    fn add_first_move(&mut self, bytes: &[u8]) {
        let Some(moves) = &mut self.first_moves else {
            return;
        };
        if !moves.is_empty() {
            moves.push(' ');
        }
        // Nearly all moves are points of Go in plain spelling, so copy them without parsing.
        if let [column @ b'a'..=b'z', row @ b'a'..=b'z'] = *bytes
            && bytes != b"tt"
            && self.facts.game == Game::Go
            && self.coordinates == Coordinates::Sgf
        {
            moves.push(char::from(column));
            moves.push(char::from(row));
            return;
        }
        let (start, dialect) = (moves.len(), self.facts.dialect());
        let (is_pass, respelled) = match dialect.read_move(bytes) {
            Ok(read) => (
                read.value.is_pass(),
                read.unusual.map(|unusual| unusual.respelled),
            ),
            Err(_) => (false, None),
        };
        if is_pass {
            moves.push_str("pass");
        } else {
            let text = String::from_utf8_lossy(respelled.as_deref().unwrap_or(bytes));
            match self.coordinates {
                Coordinates::Sgf => text
                    .split_whitespace()
                    .for_each(|word| moves.push_str(word)),
                other => moves.push_str(&spelled(text.trim(), || dialect, other)),
            }
        }
        // An empty value in a game without passes.
        if moves.len() == start {
            moves.push_str("[]");
        }
    }
}
