//! Facts of a game, from its root.

use std::ops::Deref;

use sgfstream::record::{GameItem, GameRecord, Node, Token, TokenKind};
use sgfstream::{Charset, CharsetSource, Ident, Property, RawValue};

use crate::game::go::GoRules;
use crate::game::octi::OctiBoard;
use crate::game::{
    Definition, DetectedGame, Detector, Dialect, Fault, Game, Key, Move, MoveIds, NoBoard, Program,
    Setup, Side, Turn, Version,
};
use crate::value::{BoardSize, Number, OvertimeSystem, Reading};

use super::{Info, Moves, RawMove, Replay};

/// What the root says of its game: the game, its board, and the first value of each game
/// information.
///
/// Usually the root is enough. If [`is_settled`](Self::is_settled) returns false, later nodes may
/// change the facts: read more nodes, and call `extend` of the result of
/// [`into_places`](Self::into_places) with the longer record.
///
/// ```
/// use sgfstream::SliceReader;
/// use sgfstream::record::GameReader;
/// use sgfstream_game::{Facts, Game, facts::Info};
///
/// let mut games = GameReader::new(SliceReader::new(b"(;PB[Ada]SZ[9]GM[1];B[ee];W[gc])"));
/// let game = games.next_game()?.expect("there is a game").expect("it is short");
/// let facts = Facts::of(game, 0);
/// assert_eq!(
///     (facts.game, facts.board_size().map(|size| size.columns())),
///     (Game::Go, Some(9))
/// );
/// assert_eq!(facts.value(Info::PB).map(|name| name.as_bytes()), Some(&b"Ada"[..]));
/// assert!(facts.is_settled());
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Facts<'t> {
    record: GameRecord<'t>,
    known: FactPlaces,
}

/// The result of [`Facts`], with offsets in place of borrowed bytes. Keep it while you read more of
/// the game.
#[derive(Clone, Debug)]
pub struct FactPlaces {
    /// The game.
    pub game: Game,
    /// The program that wrote it.
    pub program: Program,
    /// The value of `SZ`, and whether it is certain; `None` if it is missing.
    pub size: Option<Reading<BoardSize>>,
    /// Whether the game is Go only because neither `GM` nor other properties nor moves show a game.
    pub is_go_by_default: bool,
    /// Whether the root names a player. If not, the file may merge several games with game
    /// information of their own.
    pub names_player: bool,
    ids: MoveIds,
    joins_values: bool,
    /// Whether only the moves can show the game.
    needs_evidence: bool,
    /// Whether the second node may have the size.
    needs_size: bool,
    /// Whether the size is the one of the second node.
    has_late_size: bool,
    /// Game information, one bit each, that may be in later nodes.
    wanted: u32,
    found: u32,
    /// Whether a property of the root may be a move.
    has_root_moves: bool,
    is_settled: bool,
    values: [Token; Info::ALL.len()],
}

/// Fields of [`FactPlaces`] are fields of the facts.
impl Deref for Facts<'_> {
    type Target = FactPlaces;

    fn deref(&self) -> &FactPlaces {
        &self.known
    }
}

impl FactPlaces {
    /// Returns these facts for the same game, of which more was read.
    #[must_use]
    pub fn extend(self, record: GameRecord<'_>) -> Facts<'_> {
        let mut facts = Facts {
            record,
            known: self,
        };
        facts.read_on();
        facts
    }

    fn note(&mut self, info: Info, token: Token) {
        if !self.has(info) {
            self.set_value(info, token);
        }
    }

    fn set_value(&mut self, info: Info, token: Token) {
        self.found |= 1 << info as u32;
        self.values[info as usize] = token;
    }

    fn set(&mut self, game: Game, program: Program) {
        (self.game, self.program, self.ids) = (game, program, game.move_ids());
        self.joins_values = game.variant().is_some();
    }

    fn has(&self, info: Info) -> bool {
        self.found & 1 << info as u32 != 0
    }
}

impl<'t> Facts<'t> {
    /// Returns the facts of a game. `wanted` has the bit `1 << info as u32` of each [`Info`] that
    /// you need even if the root lacks it: 0 if the root is enough, `1 << Info::DT as u32` for the
    /// date, `u32::MAX` for all of them. The facts are then [settled](Self::is_settled) only after
    /// the nodes that may contain it.
    #[must_use]
    pub fn of(record: GameRecord<'t>, wanted: u32) -> Self {
        let mut facts = Self::of_root(record);
        facts.known.wanted = wanted;
        facts.read_on();
        facts
    }

    /// Returns the facts of a game for a caller that asks for values only. A game without `GM` is
    /// the one that its root shows, and its moves are not examined.
    #[must_use]
    pub fn of_values(record: GameRecord<'t>, wanted: u32) -> Self {
        let mut facts = Self::of_root(record);
        (
            facts.known.wanted,
            facts.known.needs_evidence,
            facts.known.needs_size,
        ) = (wanted, false, false);
        facts.read_on();
        facts
    }

    fn of_root(record: GameRecord<'t>) -> Self {
        let known = FactPlaces {
            game: Game::Go,
            program: Program::Standard,
            size: None,
            is_go_by_default: false,
            names_player: false,
            ids: Game::Go.move_ids(),
            joins_values: false,
            needs_evidence: false,
            needs_size: false,
            has_late_size: false,
            wanted: 0,
            found: 0,
            has_root_moves: false,
            is_settled: true,
            values: [Token::default(); Info::ALL.len()],
        };
        let mut facts = Self { record, known };
        let mut detector = Detector::default();
        let mut has_other_names = false;
        for &token in record.root_tokens() {
            if !matches!(token.kind(), TokenKind::Move | TokenKind::Property) {
                continue;
            }
            let key = Key::of_token(&record, token);
            facts.known.has_root_moves |= MoveIds::may_move(key);
            has_other_names |= matches!(key, Key::TE | Key::RD | Key::KO | Key::LC);
            if let Some(info) = Info::of_key(key)
                && facts.lacks(info)
            {
                facts.known.set_value(info, token);
            }
            if tells_of_program(key) {
                let property = record.property(token);
                detector.add_property(key, property.ident(), property.first().as_bytes());
            }
        }
        facts.known.names_player = Info::PLAYERS.iter().any(|&player| facts.has(player));
        match facts.value(Info::GM) {
            Some(gm) => facts
                .known
                .set(Game::parse_lenient(gm.as_bytes()).value, Program::Standard),
            None => facts.detect(&detector),
        }
        if has_other_names && facts.game == Game::Go {
            facts.read_other_names();
        }
        facts.known.program = detector.program(facts.game);
        facts.known.size = facts.size_in(facts.game);
        facts.known.needs_size = facts.size.is_none();
        facts
    }

    /// Returns whether a property is missing or empty.
    fn lacks(&self, info: Info) -> bool {
        self.value(info)
            .is_none_or(|value| value.as_bytes().trim_ascii().is_empty())
    }

    /// Takes the properties that the Nihon Ki-in, the Korean association and Sina write in place of
    /// standard ones (spec Q-45): title, date and komi; and the periods and seconds of the
    /// overtime, beside which `TT` is the main time.
    #[cold]
    fn read_other_names(&mut self) {
        let (record, ff) = (self.record, self.version().number());
        let (mut periods, mut seconds) = (None, None);
        for &token in record
            .root_tokens()
            .iter()
            .filter(|token| token.kind() == TokenKind::Property)
        {
            let property = record.property(token);
            let value = property.first().as_bytes().trim_ascii();
            let found =
                Definition::find_with_value(Game::Go, ff, &property.ident().canonical(), value);
            let Some(definition) = found
                .map(|found| found.definition)
                .filter(|_| !value.is_empty())
            else {
                continue;
            };
            match definition.id {
                "LC" => periods = periods.or(Some(token)),
                "LT" => seconds = seconds.or(Some(token)),
                _ => {}
            }
            let standard = definition
                .standard_property()
                .map(|name| Ident::new(name.as_bytes()));
            if let Some(info) = standard.and_then(Info::of).filter(|&info| self.lacks(info)) {
                self.known.set_value(info, token);
            }
        }
        if let (Some(periods), Some(seconds)) = (periods, seconds)
            && (self.lacks(Info::TC) || self.lacks(Info::TT))
        {
            if !self.lacks(Info::TT) && self.lacks(Info::TM) {
                self.known
                    .set_value(Info::TM, self.values[Info::TT as usize]);
            }
            self.known.set_value(Info::TC, periods);
            self.known.set_value(Info::TT, seconds);
        }
    }

    /// Finds the game of a root without `GM`, if the root shows it.
    fn detect(&mut self, detector: &Detector) {
        let by_root = detector.finish();
        if may_be(by_root) {
            self.known.set(by_root.game, Program::Standard);
        }
        self.known.is_go_by_default = self.game == Game::Go && !detector.is_certain();
        self.known.needs_evidence = self.known.is_go_by_default;
    }

    /// Looks at the nodes after the root, as far as they were read.
    fn read_on(&mut self) {
        self.known.is_settled = true;
        if self.needs_size {
            self.look_for_size();
        }
        if self.needs_evidence {
            self.look_ahead();
        }
        if self.wanted & !self.found != 0 {
            self.look_below();
        }
    }

    /// Takes the size of a root without `SZ` from the second node, if the line has no variation
    /// before it (SGFC 24).
    #[cold]
    fn look_for_size(&mut self) {
        let (record, mut nodes) = (self.record, 0);
        let mut is_over = false;
        for item in record.items(record.after_root(record.tokens())) {
            match item {
                GameItem::Property(token, _) if Key::of_token(&record, token) == Key::SZ => {
                    self.known.set_value(Info::SZ, token);
                    self.known.size = self.size_in(self.game);
                    self.known.has_late_size = true;
                    is_over = true;
                }
                GameItem::Node => {
                    nodes += 1;
                    is_over = nodes > 1;
                }
                GameItem::VariationStart | GameItem::VariationEnd => is_over = true,
                _ => {}
            }
            if is_over {
                break;
            }
        }
        let is_known = is_over || record.is_whole();
        self.known.is_settled &= is_known;
        self.known.needs_size = !is_known;
    }

    /// Finds the game by the moves.
    #[cold]
    fn look_ahead(&mut self) {
        let record = self.record;
        let mut detector = Detector::default();
        self.root().for_each(|property| detector.observe(&property));
        let (mut bytes, mut is_over) = (0, false);
        for item in record.items(record.after_root(record.tokens())) {
            match item {
                GameItem::Node => {
                    bytes += 1;
                    is_over = detector.is_certain() || detector.moves >= AHEAD_MOVES;
                }
                GameItem::Property(_, property) => {
                    detector.observe(&property);
                    bytes += property.as_bytes().len();
                }
                _ => {}
            }
            if is_over || bytes >= AHEAD_BYTES {
                is_over = true;
                break;
            }
        }
        let is_known = is_over || record.is_whole();
        self.known.is_settled &= is_known;
        let by_moves = detector.finish();
        if may_be(by_moves) {
            self.known.is_go_by_default = by_moves.is_default;
            self.known.set(by_moves.game, by_moves.program);
            self.known.size = self.size_in(by_moves.game);
        }
        self.known.needs_evidence = !is_known;
    }

    /// Takes game information that the root lacks from the nodes up to the first move. If no player
    /// is named until then, from the main line up to the first node with any game information.
    fn look_below(&mut self) {
        let (record, line) = (self.record, self.record.main_line());
        let mut has_info = self.names_player;
        let mut ply = self.root_moves().count();
        let mut is_found = line.len() < record.tokens().len() || record.is_whole();
        for item in record.items(record.after_root(line)) {
            let is_end = match item {
                GameItem::VariationStart => has_info,
                GameItem::Node => has_info && ply > 0,
                GameItem::Property(token, property) => {
                    let key = Key::of_token(&record, token);
                    if MoveIds::may_move(key) {
                        ply += self.moves_of(&property).count();
                    }
                    if let Some(info) = Info::of_key(key).filter(|info| !info.is_root_only()) {
                        has_info = true;
                        if self.wanted & 1 << info as u32 != 0 {
                            self.known.note(info, token);
                        }
                    }
                    self.wanted & !self.found == 0
                }
                GameItem::VariationEnd => true,
                _ => false,
            };
            if is_end {
                is_found = true;
                break;
            }
        }
        self.known.is_settled &= is_found;
    }

    /// Returns the facts without the record, so that you can read more of the game. `extend` of the
    /// result continues with the longer record.
    #[must_use]
    pub fn into_places(self) -> FactPlaces {
        self.known
    }

    /// Returns the properties of the root, in their order.
    pub fn root(&self) -> impl Iterator<Item = Property<'t>> + use<'t> {
        let root = self.record.root();
        root.into_iter()
            .flat_map(|root| root.properties())
            .map(|(_, property)| property)
    }

    /// Returns the moves of the root.
    pub fn root_moves(&self) -> impl Iterator<Item = RawMove<'t>> + '_ {
        let tokens = if self.has_root_moves {
            self.record.root_tokens()
        } else {
            &[]
        };
        tokens
            .iter()
            .flat_map(|&token| self.moves_of_token(token))
            .zip(1..)
            .map(|(played, ply)| RawMove { ply, ..played })
    }

    /// Returns the game's bytes and tokens.
    #[must_use]
    pub fn record(&self) -> GameRecord<'t> {
        self.record
    }

    /// Returns the first value of a property.
    #[must_use]
    pub fn value(&self, info: Info) -> Option<RawValue<'t>> {
        self.has(info)
            .then(|| self.record.property(self.values[info as usize]).first())
    }

    /// Returns whether more of the game could not change the facts. If they could, read more and
    /// [extend](FactPlaces::extend) them.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Returns the moves of a token.
    #[must_use]
    pub fn moves_of_token(&self, token: Token) -> Moves<'t> {
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

    /// Returns the moves of a node.
    pub fn moves_of_node(&self, node: Node<'t>) -> impl Iterator<Item = RawMove<'t>> + '_ {
        node.properties()
            .flat_map(|(_, property)| self.moves_of(&property))
    }

    /// Returns the moves of the main line, each with its side. A value that cannot be parsed is an
    /// error.
    ///
    /// ```
    /// use sgfstream::SliceReader;
    /// use sgfstream::record::GameReader;
    /// use sgfstream_game::{Facts, Side};
    ///
    /// let mut games = GameReader::new(SliceReader::new(b"(;SZ[9];B[dc];W[ee](;B[])(;B[aa]))"));
    /// let game = games.next_game()?.expect("there is a game").expect("it is short");
    /// let facts = Facts::of(game, 0);
    /// let dialect = facts.dialect();
    /// let mut moves = Vec::new();
    /// for (side, mv) in facts.moves() {
    ///     moves.push((side, dialect.show_move(&mv.expect("a move")).to_string()));
    /// }
    /// assert_eq!(moves[..2], [(Side::Black, "dc".to_owned()), (Side::White, "ee".to_owned())]);
    /// assert_eq!(moves.len(), 3);
    /// # Ok::<(), sgfstream::Error>(())
    /// ```
    pub fn moves(&self) -> impl Iterator<Item = (Side, Result<Move, Fault>)> + '_ {
        let dialect = self.dialect();
        let moves = self
            .record
            .main_line_nodes()
            .flat_map(|node| self.moves_of_node(node));
        moves.map(move |raw| (Side::of_color(raw.color), dialect.parse_move(&raw.bytes())))
    }

    /// Returns whether tokens of kind `Move` are moves in this game.
    #[must_use]
    pub fn has_letters(&self) -> bool {
        self.ids.has_letters()
    }

    /// Returns whether the size of the board is in the second node, and is not the default of the
    /// game.
    #[must_use]
    pub fn has_late_size(&self) -> bool {
        self.has_late_size && self.board_size() != Dialect::default_size(self.game, self.program)
    }

    fn size_in(&self, game: Game) -> Option<Reading<BoardSize>> {
        let raw = self.value(Info::SZ)?.as_bytes();
        (!raw.trim_ascii().is_empty()).then(|| game.read_size(raw))
    }

    /// Returns the size of the board.
    #[must_use]
    pub fn board_size(&self) -> Option<BoardSize> {
        match self.size {
            // Boards of these games ignore `SZ`, as the dialect does.
            Some(size) if !self.game.has_fixed_size() => Some(size.sure()?.value),
            _ => Dialect::default_size(self.game, self.program),
        }
    }

    /// Returns the version of the format.
    #[must_use]
    pub fn version(&self) -> Version {
        Version::of_record(self.value(Info::FF).map(|value| value.as_bytes()))
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

    /// Returns the number of handicap stones: `HA`, if it is 2 or more.
    #[must_use]
    pub fn handicap(&self) -> Option<i64> {
        let stones = Number::parse_lenient(self.value(Info::HA)?.as_bytes()).ok()?;
        Some(stones.value.get()).filter(|&stones| stones >= 2)
    }

    /// Returns the system of the overtime: of `OT`, or the periods and seconds that Foxwq and Sina
    /// write in its place.
    #[must_use]
    pub fn overtime(&self) -> Option<OvertimeSystem> {
        if let Some(overtime) = self.value(Info::OT).filter(|_| !self.lacks(Info::OT)) {
            let text = overtime.with_charset(self.charset()).simple_text();
            return Some(OvertimeSystem::parse(&text));
        }
        let number = |info: Info| {
            let read = Number::parse_lenient(self.value(info)?.as_bytes()).ok()?;
            Some(read.value.get()).filter(|&number| number > 0)
        };
        let periods = u32::try_from(number(Info::TC)?).ok()?;
        Some(OvertimeSystem::ByoYomi {
            periods,
            seconds: number(Info::TT)? as f64,
        })
    }

    /// Returns the side that begins by the rules of the game and `HA`; `None` if the rules name no
    /// side. `PL` and the first move take precedence.
    #[must_use]
    pub fn side_at_start(&self) -> Option<Side> {
        self.turn_at_start().side()
    }

    /// Returns whether a property that is not a move changes the board, the side to move, or the
    /// legality of moves.
    #[must_use]
    #[inline]
    pub fn changes_board(&self, ident: Ident<'_>) -> bool {
        let key = Key::of(ident);
        matches!(key, Key::KO | Key::PL) || Setup::of(self.game, &ident.canonical()).is_some()
    }

    fn turn_at_start(&self) -> Turn {
        Turn::at_start(self.game, self.handicap().is_some())
    }

    /// Returns a replay of the game by the rules that it names, at its start.
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    pub fn replay(&self) -> Result<Replay, NoBoard> {
        self.replay_by(
            self.value(Info::RU)
                .map_or_else(GoRules::default, |rules| GoRules::named(rules.as_bytes())),
        )
    }

    /// Returns a replay for a caller that needs only its boards. To save memory, it remembers no
    /// positions for the superko of `RU`, and checks moves by the simple ko.
    ///
    /// # Errors
    /// Returns the reason if the game has no board.
    pub fn replay_boards(&self) -> Result<Replay, NoBoard> {
        self.replay_by(GoRules::default())
    }

    fn replay_by(&self, rules: GoRules) -> Result<Replay, NoBoard> {
        let may_be_kropki = self.is_go_by_default && self.game == Game::Go;
        let replay = Replay::with_rules(&self.dialect(), rules, may_be_kropki)?;
        if !self.has_known_start() {
            return Err(NoBoard::UnknownStart(self.game, self.dialect().size()));
        }
        Ok(replay.starting(self.turn_at_start()))
    }

    /// Returns whether a document or the root defines the pods at the start of a game of Octi.
    fn has_known_start(&self) -> bool {
        if self.game != Game::Octi || OctiBoard::has_usual_start(self.dialect().size()) {
            return true;
        }
        let has = |ident: &[u8]| self.root().any(|property| property.ident().is(ident));
        has(b"AB") || has(b"AW") || (has(b"BO") && has(b"WO"))
    }
}

/// Returns whether a property of a root may show the program that wrote it or, without `GM`, the
/// game.
fn tells_of_program(key: Key) -> bool {
    use Key as K;
    matches!(
        key,
        K::AP
            | K::SO
            | K::PC
            | K::RU
            | K::EV
            | K::GC
            | K::KM
            | K::SU
            | K::P0
            | K::AB
            | K::AW
            | K::FIFTH_MOVES
            | K::XS
            | K::XV
            | K::XP
            | K::XB
    )
}

/// Moves of a game without `GM` that show which game it is.
const AHEAD_MOVES: u32 = 64;

/// Bytes after the root of a game without `GM` that show which game it is.
const AHEAD_BYTES: usize = 4096;

/// Returns whether a game without `GM` can be this one: only `GM` can select Pentobi's games for
/// three and four colors.
fn may_be(detected: DetectedGame) -> bool {
    detected.game.move_ids() == Game::Go.move_ids()
}
