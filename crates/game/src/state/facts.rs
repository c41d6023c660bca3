//! Facts of a game, from its root.

use sgfstream::record::{GameItem, GameRecord, Token, TokenKind};
use sgfstream::{Charset, CharsetSource, Event, Property, RawValue};

use crate::game::go::GoRules;
use crate::game::{DetectedGame, Detector, Dialect, Evidence, Game, Key, Lookahead, MoveIds, NoBoard, Program, Side};
use crate::value::{BoardSize, Number, Reading};

use super::game_state::tells_of_program;
use super::replay::side_at_start;
use super::{Info, Moves, Replay};

/// What the root says of its game: the game, its board, and the first value of each game information.
#[derive(Clone, Debug)]
pub struct Facts<'t> {
    record: GameRecord<'t>,
    /// The game.
    pub game: Game,
    /// The program that wrote it.
    pub program: Program,
    /// The size as written.
    pub size: Option<Reading<BoardSize>>,
    /// Whether nothing shows the game.
    pub is_go_by_default: bool,
    ids: MoveIds,
    joins_values: bool,
    found: u32,
    /// Whether a property of the root may be a move.
    has_root_moves: bool,
    is_settled: bool,
    values: [Token; Info::ALL.len()],
}

impl<'t> Facts<'t> {
    /// Returns the facts of a game. `wanted` is the game information, one bit each, that may be in later nodes.
    #[must_use]
    pub fn of(record: GameRecord<'t>, wanted: u32) -> Self {
        let go = Game::Go;
        let mut facts = Self {
            record,
            game: go,
            program: Program::Standard,
            size: None,
            is_go_by_default: false,
            ids: go.move_ids(),
            joins_values: false,
            found: 0,
            has_root_moves: false,
            is_settled: true,
            values: [Token::default(); Info::ALL.len()],
        };
        let mut detector = Detector::default();
        for &token in record.root_tokens() {
            if matches!(token.kind(), TokenKind::Move | TokenKind::Property) {
                let property = record.property(token);
                let key = Key::of(property.ident());
                facts.has_root_moves |= MoveIds::may_move(key);
                if let Some(info) = Info::of_key(key) {
                    facts.note(info, token);
                }
                if tells_of_program(key) {
                    detector.look(key, property.ident(), property.first().as_bytes());
                }
            }
        }
        match facts.value(Info::GM) {
            Some(gm) => facts.set(Game::parse_lenient(gm.as_bytes()).value, detector.program(Game::Go)),
            None => facts.detect(&detector),
        }
        facts.program = if facts.program == Program::Standard { detector.program(facts.game) } else { facts.program };
        facts.size = facts.size_in(facts.game);
        if wanted & !facts.found != 0 {
            facts.look_below(wanted);
        }
        facts
    }

    fn note(&mut self, info: Info, token: Token) {
        if self.found & 1 << info as u32 == 0 {
            self.found |= 1 << info as u32;
            self.values[info as usize] = token;
        }
    }

    fn set(&mut self, game: Game, program: Program) {
        (self.game, self.program, self.ids) = (game, program, game.move_ids());
        self.joins_values = game.variant().is_some();
    }

    /// Finds the game of a root without GM: by the root, else by the moves.
    fn detect(&mut self, detector: &Detector) {
        let may_be = |found: DetectedGame| found.game.move_ids() == Game::Go.move_ids();
        let by_root = detector.finish();
        if may_be(by_root) {
            self.set(by_root.game, detector.program(by_root.game));
        }
        self.is_go_by_default = self.game == Game::Go && !detector.is_certain();
        if self.is_go_by_default {
            let by_moves = self.look_ahead(detector);
            if may_be(by_moves) {
                self.is_go_by_default = by_moves.evidence == Evidence::Default;
                self.set(by_moves.game, by_moves.program);
            }
        }
    }

    fn look_ahead(&mut self, detector: &Detector) -> DetectedGame {
        let record = self.record;
        let is_property = |token: &&Token| token.kind() != TokenKind::Problem;
        let root = record.root_tokens().iter().filter(is_property).map(|&token| record.property(token));
        let mut ahead = Lookahead::after_root(detector, root);
        let is_known = record.items(record.after_root(record.tokens())).any(|item| match item {
            GameItem::Node => ahead.take(&Event::NodeStart { supplied: false }),
            GameItem::Property(_, property) => ahead.take(&Event::Property(property)),
            _ => false,
        });
        self.is_settled &= is_known || record.is_whole();
        ahead.finish()
    }

    /// Takes game information that the root lacks from the nodes up to the first move. If no player is named until then,
    /// from the main line up to the first node with any game information.
    fn look_below(&mut self, wanted: u32) {
        let players = [Info::PB, Info::PW, Info::P1, Info::P2, Info::P3, Info::P4];
        let mut has_info = players.iter().any(|&info| self.value(info).is_some());
        let (record, line) = (self.record, self.record.main_line());
        let mut ply = if self.has_root_moves {
            record.root_tokens().iter().map(|&token| self.moves(token).count()).sum()
        } else {
            0
        };
        let is_found = record.items(record.after_root(line)).any(|item| match item {
            GameItem::VariationStart => has_info,
            GameItem::Node => has_info && ply > 0,
            GameItem::Property(token, property) => {
                let key = Key::of(property.ident());
                if MoveIds::may_move(key) {
                    ply += self.moves_of(&property).count();
                }
                let Some(info) = Info::of_key(key).filter(|info| !info.is_root_only()) else { return false };
                has_info = true;
                if wanted & 1 << info as u32 != 0 {
                    self.note(info, token);
                }
                wanted & !self.found == 0
            }
            GameItem::VariationEnd => true,
            _ => false,
        });
        self.is_settled &= is_found || line.len() < record.tokens().len() || record.is_whole();
    }

    /// Returns the game's bytes and tokens.
    #[must_use]
    pub fn record(&self) -> GameRecord<'t> {
        self.record
    }

    /// Returns the first value of a property.
    #[must_use]
    pub fn value(&self, info: Info) -> Option<RawValue<'t>> {
        let is_found = self.found & 1 << info as u32 != 0;
        is_found.then(|| self.record.property(self.values[info as usize]).first())
    }

    /// Returns whether the root names no player.
    #[must_use]
    pub fn found(&self) -> u32 {
        self.found
    }

    /// Returns whether more of the game could not change the facts. If not, read more and make them anew.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Returns whether a property of the root may be a move.
    #[must_use]
    pub fn has_root_moves(&self) -> bool {
        self.has_root_moves
    }

    /// Returns the moves of a token.
    #[must_use]
    pub fn moves(&self, token: Token) -> Moves<'t> {
        match token.kind() {
            TokenKind::Move | TokenKind::Property => self.moves_of(&self.record.property(token)),
            _ => Moves::default(),
        }
    }

    /// Returns the moves of a property.
    #[must_use]
    #[inline]
    pub fn moves_of(&self, property: &Property<'t>) -> Moves<'t> {
        Moves::from(self.ids, self.joins_values, property, 0)
    }

    /// Returns whether tokens of kind `Move` are moves in this game.
    #[must_use]
    pub fn has_letters(&self) -> bool {
        self.ids.has_letters()
    }

    fn size_in(&self, game: Game) -> Option<Reading<BoardSize>> {
        let raw = self.value(Info::SZ)?.as_bytes();
        (!raw.trim_ascii().is_empty()).then(|| game.read_size(raw))
    }

    /// Returns the size of the board.
    #[must_use]
    pub fn board_size(&self) -> Option<BoardSize> {
        match self.size {
            Some(size) => Some(size.sure()?.value),
            None => Dialect::default_size(self.game, self.program),
        }
    }

    /// Returns the notation of the game.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        Dialect::of_record(self.game, self.size, self.program)
    }

    /// Returns the charset of the texts.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.record.charset()
    }

    /// Returns how the charset was determined.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.record.charset_source()
    }

    /// Returns `HA`, if it is 2 or more.
    #[must_use]
    pub fn handicap(&self) -> Option<i64> {
        let stones = Number::parse_lenient(self.value(Info::HA)?.as_bytes()).ok()?;
        Some(stones.value.get()).filter(|&stones| stones >= 2)
    }

    /// Returns the side that begins.
    #[must_use]
    pub fn side_at_start(&self) -> Option<Side> {
        side_at_start(self.game, self.handicap().is_some())
    }

    /// Returns a board at the start of the game.
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    pub fn replay(&self) -> Result<Replay, NoBoard> {
        let rules = self.value(Info::RU).map_or_else(GoRules::default, |rules| GoRules::named(rules.as_bytes()));
        Replay::with_rules(&self.dialect(), rules, self.is_go_by_default)
    }
}
