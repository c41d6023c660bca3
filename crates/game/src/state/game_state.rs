//! Tracks what is known of the game that is being read.

use crate::game::{DetectedGame, Detector, Dialect, Game, Key, MoveIds, Program, Version};
use crate::value::{BoardSize, Reading};
use sgfstream::{Charset, CharsetSource, Event, Place, Problem, Property, PropertyPart, RawValue, Severity};

use super::root::{Root, RootInsertion, is_held_in_line};
use super::{Info, Moves, RawMove, RootRetention};

/// State of the game that is being read.
///
/// Pass each event to [`event`](Self::event), and act on the [`Step`] that it returns. The meaning of a root's
/// properties is known only at the end of the root, because `GM`, `SZ` and `CA` may follow them. Until then the state
/// buffers them. At [`Step::RootEnd`] they are available in [`root`](Self::root) and [`root_moves`](Self::root_moves).
///
/// - A **node** begins with `;`.
/// - The **main line** is everything before the first `)` of a game.
/// - A **move** is a value of a property that contains moves in this game ([`MoveIds`]); in Pentobi's games it is the
///   whole property.
///
/// ```
/// use sgfstream_game::{GameState, Step};
/// use sgfstream::{Event, EventReader, Flow, Place, SliceReader};
///
/// let mut state = GameState::default();
/// let mut line = String::new();
/// SliceReader::new(b"(;1[a1,a2]GM[Blokus];2[t20](;3[t1])(;3[s1]))").drive(&mut |event: &Event<'_>, place: &Place| {
///     let step = state.event(event, place);
///     let mut add = |color: u8, value: &[u8]| line += &format!("{color}:{} ", String::from_utf8_lossy(value));
///     match (step, event) {
///         (Step::RootEnd, _) => state.root_moves().for_each(|played| add(played.color, played.value.as_bytes())),
///         (Step::Move { color, point }, _) if state.on_main_line() => add(color, &point),
///         (Step::Moves, Event::Property(property)) if state.on_main_line() => {
///             state.moves(property).for_each(|played| add(played.color, played.value.as_bytes()));
///         }
///         _ => {}
///     }
///     Flow::Go
/// });
/// assert_eq!(line, "1:a1,a2 2:t20 3:t1 ");
/// assert_eq!((state.game().name(), state.ply(), state.nodes()), ("Blokus", 3, 4));
/// ```
#[derive(Clone, Debug)]
pub struct GameState {
    pub(super) hold: RootRetention,
    pub(super) phase: Phase,
    on_main_line: bool,
    pub(super) game: Game,
    pub(super) program: Program,
    pub(super) size: Option<Reading<BoardSize>>,
    /// Detects the program, and the game if there is no `GM`.
    pub(super) detector: Detector,
    /// Game that the moves after the root show.
    pub(super) evidence: Option<DetectedGame>,
    pub(super) is_go_by_default: bool,
    pub(super) ids: MoveIds,
    /// Whether all values of a property are one move.
    joins_values: bool,
    charset: Charset,
    charset_source: CharsetSource,
    root: Root,
    pub(super) nodes: u64,
    pub(super) ply: u64,
    /// Moves of the main line before the last property.
    ply_before: u64,
    problems: Problems,
}

/// ```text
///   Between ──( at depth 1──▶ Root ──root ends──▶ Open ──`)` of the main line──▶ MainEnd ──next event──▶ Open
///      ▲                                           │                                │
///      └───────────────────────`)` at depth 1──────┴────────────────────────────────┘
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// No game is open.
    Between,
    /// In the root, which may still show which game it is.
    Root,
    /// After the root, on the main line or in a variation.
    Open,
    /// Like [`Open`](Self::Open), in a game whose moves are not `B` and `W`, so that no event takes the fast path of
    /// plain moves.
    OpenNumbered,
    /// The last event ended the main line.
    MainEnd,
}

/// Counts of the problems of the current game, and of the bytes before it.
#[derive(Clone, Copy, Debug, Default)]
struct Problems {
    errors: u64,
    warnings: u64,
    /// Whether the counts belong to a game that has ended.
    are_old: bool,
}

/// Effect of an event on its game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
#[non_exhaustive]
pub enum Step {
    /// A plain move after the root: `B` or `W` with one value of two bytes. Nearly all moves are plain.
    Move {
        /// Color of the move: 1 or 2.
        color: u8,
        /// Bytes of the value.
        point: [u8; 2],
    },
    /// A node starts after the root has ended.
    Node,
    /// Any other property after the root, or a part of one, that contains moves. [`GameState::moves`] or
    /// [`GameState::part_move`] returns them.
    Moves,
    /// A property of the root was buffered until the root ends.
    Held,
    /// The root has ended: a node or variation started, a variation ended, or a property could not be buffered. The
    /// event itself still has to be handled.
    RootEnd,
    /// Any other event, including a property of the root that is not buffered.
    Other,
}

impl Default for GameState {
    fn default() -> Self {
        Self::new(RootRetention::default())
    }
}

impl GameState {
    /// Returns a state before its first game. `hold` selects the properties to buffer in each root.
    #[must_use]
    pub fn new(hold: RootRetention) -> Self {
        Self {
            hold,
            phase: Phase::Between,
            on_main_line: false,
            game: Game::Go,
            program: Program::Standard,
            size: None,
            detector: Detector::default(),
            evidence: None,
            is_go_by_default: false,
            ids: Game::Go.move_ids(),
            joins_values: false,
            charset: Charset::AUTO,
            charset_source: CharsetSource::Default,
            root: Root::default(),
            nodes: 0,
            ply: 0,
            ply_before: 0,
            problems: Problems::default(),
        }
    }

    /// Returns this state for a caller that buffers whole games: it buffers a root of any length.
    #[must_use]
    pub fn holding_game(mut self) -> Self {
        self.root.is_whole = true;
        self
    }

    /// Updates the state with an event.
    #[inline(always)]
    pub fn event(&mut self, event: &Event<'_>, place: &Place) -> Step {
        let step = match event {
            Event::NodeStart { .. } => self.node(),
            Event::Property(property) => property.as_move().and_then(|(letter, point)| self.play(letter, point)),
            _ => None,
        };
        if let Some(step) = step {
            return step;
        }
        // The parts go by value. With a reference to the event, every caller that inlines this method would have to
        // build the event in memory.
        let charset = (place.charset, place.charset_source);
        match *event {
            Event::Property(property) => self.property(property, charset),
            Event::NodeStart { .. } => self.node_start(),
            Event::VariationStart { .. } => self.variation_start(place.depth, charset),
            Event::VariationEnd { .. } => self.variation_end(place.depth),
            Event::PropertyPart(part) => self.part(part, charset),
            Event::Problem(problem) => self.problem(problem),
            _ => Step::Other,
        }
    }

    /// Returns whether nodes and moves can go to [`node`](Self::node) and [`play`](Self::play): the root has ended, the
    /// main line does not end here, and the moves of the game are `B` and `W`.
    #[must_use]
    #[inline(always)]
    pub fn is_after_root(&self) -> bool {
        self.phase == Phase::Open
    }

    /// Updates the state with the start of a node, as [`Sink::node`](sgfstream::Sink::node) does. If
    /// [`is_after_root`](Self::is_after_root) is false, it returns `None` and changes nothing; pass the event to
    /// [`event`](Self::event) instead.
    #[inline(always)]
    pub fn node(&mut self) -> Option<Step> {
        if !self.is_after_root() {
            return None;
        }
        self.nodes += 1;
        Some(Step::Node)
    }

    /// Updates the state with a move, as [`Sink::play`](sgfstream::Sink::play) does. If
    /// [`is_after_root`](Self::is_after_root) is false, it returns `None` and changes nothing; pass the event to
    /// [`event`](Self::event) instead.
    #[inline(always)]
    pub fn play(&mut self, letter: u8, point: [u8; 2]) -> Option<Step> {
        if !self.is_after_root() {
            return None;
        }
        self.ply += u64::from(self.on_main_line);
        Some(Step::Move { color: if letter == b'B' { 1 } else { 2 }, point })
    }

    /// Ends the input, or reading that was stopped. Returns [`Step::RootEnd`] if a root was open. Problems after the
    /// last game belong to no game.
    pub fn end_input(&mut self) -> Step {
        let step = if self.phase == Phase::Root { self.end_root() } else { Step::Other };
        self.phase = Phase::Between;
        self.problems.are_old = true;
        step
    }

    /// Leaves the main line at the first event after its end.
    fn leave_main_line(&mut self) {
        if self.phase == Phase::MainEnd {
            self.phase = self.open_phase();
            self.on_main_line = false;
        }
    }

    /// Returns the phase after the root.
    fn open_phase(&self) -> Phase {
        if self.ids.has_letters() { Phase::Open } else { Phase::OpenNumbered }
    }

    #[inline(never)]
    fn property(&mut self, property: Property<'_>, charset: (Charset, CharsetSource)) -> Step {
        if self.phase == Phase::Root {
            (self.charset, self.charset_source) = charset;
            return self.root_property(&property);
        }
        self.leave_main_line();
        let moves = self.moves_from(&property, 0).count();
        self.count_moves(moves)
    }

    #[inline(never)]
    fn node_start(&mut self) -> Step {
        self.leave_main_line();
        self.nodes += 1;
        match self.phase {
            _ if self.nodes == 1 => Step::Other,
            Phase::Root => self.end_root(),
            _ => Step::Node,
        }
    }

    #[inline(never)]
    fn variation_start(&mut self, depth: u64, charset: (Charset, CharsetSource)) -> Step {
        if depth == 1 {
            (self.charset, self.charset_source) = charset;
            self.start_game();
        }
        self.leave_main_line();
        if depth > 1 && self.phase == Phase::Root { self.end_root() } else { Step::Other }
    }

    #[inline(never)]
    fn variation_end(&mut self, depth: u64) -> Step {
        self.leave_main_line();
        let step = if self.phase == Phase::Root { self.end_root() } else { Step::Other };
        if self.on_main_line {
            self.phase = Phase::MainEnd;
        }
        if depth <= 1 {
            self.phase = Phase::Between;
            self.problems.are_old = true;
        }
        step
    }

    #[cold]
    fn problem(&mut self, problem: Problem) -> Step {
        self.forget_old_problems();
        match problem.severity() {
            Severity::Error => self.problems.errors += 1,
            Severity::Warning => self.problems.warnings += 1,
            Severity::Note => {}
        }
        Step::Other
    }

    fn start_game(&mut self) {
        self.forget_old_problems();
        self.phase = Phase::Root;
        self.on_main_line = true;
        self.set_game(Game::Go);
        (self.program, self.size, self.detector) = (Program::Standard, None, Detector::default());
        (self.evidence, self.is_go_by_default) = (None, false);
        self.root.clear();
        (self.nodes, self.ply, self.ply_before) = (0, 0, 0);
    }

    fn forget_old_problems(&mut self) {
        if self.problems.are_old {
            self.problems = Problems::default();
        }
    }

    pub(super) fn set_game(&mut self, game: Game) {
        self.game = game;
        self.ids = game.move_ids();
        if matches!(self.phase, Phase::Open | Phase::OpenNumbered) {
            self.phase = self.open_phase();
        }
        self.joins_values = game.variant().is_some();
    }

    /// Counts the moves of a property after the root.
    fn count_moves(&mut self, moves: usize) -> Step {
        if moves == 0 {
            return Step::Other;
        }
        self.ply_before = self.ply;
        self.ply += if self.on_main_line { moves as u64 } else { 0 };
        Step::Moves
    }

    fn root_property(&mut self, property: &Property<'_>) -> Step {
        let key = Key::of(property.ident());
        let info = self.wanted(key);
        if let Some(info) = info {
            self.root_value(info, property.first());
        }
        if self.hold != RootRetention::Moves && tells_of_program(key) {
            self.detector.look(key, property.ident(), property.first().as_bytes());
        }
        if info.is_some_and(|info| !info.may_be_move()) && self.hold != RootRetention::All {
            return Step::Other;
        }
        match self.root.put(property, key, self.hold) {
            RootInsertion::Held => Step::Held,
            RootInsertion::NotWanted => Step::Other,
            RootInsertion::Full => {
                let _ = self.end_root();
                let moves = self.moves_from(property, 0).count();
                let _ = self.count_moves(moves);
                Step::RootEnd
            }
        }
    }

    fn wanted(&self, key: Key) -> Option<Info> {
        Info::of_key(key).filter(|&info| info == Info::GM || self.hold != RootRetention::Moves)
    }

    fn root_value(&mut self, info: Info, value: RawValue<'_>) {
        if info == Info::GM && self.value(Info::GM).is_none() {
            self.set_game(Game::parse_lenient(value.as_bytes()).value);
        }
        self.root.put_value(info, value);
    }

    /// Ends the root: from here on it is known which game it is.
    fn end_root(&mut self) -> Step {
        self.phase = self.open_phase();
        self.look_at_root();
        self.size = self.size_in(self.game);
        self.ply = self.root_moves().count() as u64;
        Step::RootEnd
    }

    /// Sets the program that wrote the record and, without `GM`, the game that the root shows.
    fn look_at_root(&mut self) {
        if self.hold == RootRetention::Moves {
            return;
        }
        if self.value(Info::GM).is_none() {
            let detected = self.detector.finish();
            if self.may_be(detected) {
                self.set_game(detected.game);
            }
        }
        self.program = self.detector.program(self.game);
        self.is_go_by_default = self.needs_evidence();
        if let Some(detected) = self.evidence.filter(|&found| self.is_go_by_default && self.may_be(found)) {
            self.use_evidence(detected);
        }
    }

    #[cold]
    fn part(&mut self, part: PropertyPart<'_>, charset: (Charset, CharsetSource)) -> Step {
        self.leave_main_line();
        let mut step = Step::Other;
        if self.phase == Phase::Root {
            (self.charset, self.charset_source) = charset;
            let key = Key::of(part.ident());
            if let Some(info) = self.wanted(key).filter(|_| part.is_property_start()) {
                self.root_value(info, part.content());
            }
            if !is_held_in_line(key, self.hold) {
                return step;
            }
            step = self.end_root();
        }
        match (self.part_move(&part).is_some(), step) {
            (true, Step::Other) => self.count_moves(1),
            (true, step) => {
                let _ = self.count_moves(1);
                step
            }
            (false, step) => step,
        }
    }

    /// Returns the game that `GM` names. Without `GM`, returns the game that other properties of the root show, and Go
    /// until they do. With [`RootRetention::Moves`], only `GM` counts.
    #[must_use]
    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the version of the format to read the game by. It is not available with [`RootRetention::Moves`].
    #[must_use]
    pub fn version(&self) -> Version {
        Version::of_record(self.value(Info::FF).map(RawValue::as_bytes))
    }

    /// Returns the size of the board, if the root contains a readable size. It is not available with
    /// [`RootRetention::Moves`].
    #[must_use]
    pub fn size(&self) -> Option<BoardSize> {
        Some(self.size?.sure()?.value)
    }

    /// Returns the size of the board if `SZ` is read for `game`. Ignores an empty `SZ`.
    #[must_use]
    pub fn size_in(&self, game: Game) -> Option<Reading<BoardSize>> {
        let raw = self.value(Info::SZ)?.as_bytes();
        (!raw.trim_ascii().is_empty()).then(|| game.read_size(raw))
    }

    /// Returns the size of the board: that of the root, else the default of the game and of the program that wrote it,
    /// if there is one. Returns `None` if the root's size is unreadable.
    #[must_use]
    pub fn board_size(&self) -> Option<BoardSize> {
        match self.size {
            Some(_) => self.size(),
            None => Dialect::default_size(self.game, self.program),
        }
    }

    /// Returns the dialect: the notation of the game's points and moves.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        Dialect::of_record(self.game, self.size, self.program)
    }

    /// Returns the identifiers of the game's moves.
    #[must_use]
    pub fn move_ids(&self) -> MoveIds {
        self.ids
    }

    /// Returns the charset of the game's texts, which is final once the root has ended.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// Returns how the charset was determined.
    #[must_use]
    pub fn charset_source(&self) -> CharsetSource {
        self.charset_source
    }

    /// Returns the first value of a property in the root. The value may be cut if all values of the root are longer
    /// than [`VALUES_MAX`](super::VALUES_MAX) bytes. It is not available with [`RootRetention::Moves`].
    #[must_use]
    pub fn value(&self, info: Info) -> Option<RawValue<'_>> {
        self.root.value(info)
    }

    /// Adds the value of a later node, for a property that may be outside the root. Ignores the value if the game has
    /// had the property already.
    pub fn add_value(&mut self, info: Info, value: RawValue<'_>) {
        if !info.is_root_only() {
            self.root.put_value(info, value);
        }
    }

    /// Returns the properties of the root that are buffered, in their order. They stay until the next game.
    pub fn root(&self) -> impl Iterator<Item = Property<'_>> {
        self.root.properties()
    }

    /// Returns the moves of the root. They are final once the root has ended.
    pub fn root_moves(&self) -> impl Iterator<Item = RawMove<'_>> {
        let moves = self.root.possible_moves().flat_map(|property| self.moves_from(&property, 0));
        moves.zip(1..).map(|(played, ply)| RawMove { ply, ..played })
    }

    /// Returns the moves of the last property.
    #[inline]
    #[must_use]
    pub fn moves<'a>(&self, property: &Property<'a>) -> Moves<'a> {
        self.moves_from(property, self.ply_before)
    }

    fn moves_from<'a>(&self, property: &Property<'a>, ply: u64) -> Moves<'a> {
        Moves::from(self.ids, self.joins_values, property, ply)
    }

    /// Returns the move that begins with the last property part.
    #[must_use]
    pub fn part_move<'a>(&self, part: &PropertyPart<'a>) -> Option<RawMove<'a>> {
        let begins_move = if self.joins_values { part.is_property_start() } else { part.is_value_start() };
        let (ident, value) = (part.ident(), part.content());
        let color = self.ids.plays(ident, value.as_bytes()).filter(|_| begins_move)?;
        Some(RawMove { ident, color, ply: self.ply_before + 1, value, joined: None })
    }

    /// Returns whether the root is open, so that its properties may still show which game it is.
    #[must_use]
    pub fn in_root(&self) -> bool {
        self.phase == Phase::Root
    }

    /// Returns whether the last event is on the main line. The end of the main line is part of it.
    #[must_use]
    #[inline(always)]
    pub fn on_main_line(&self) -> bool {
        self.on_main_line
    }

    /// Returns the nodes of the game so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the moves of the main line so far. Moves of the root count from its end on.
    #[must_use]
    #[inline(always)]
    pub fn ply(&self) -> u64 {
        self.ply
    }

    /// Returns the problems of severity error in the game so far. Problems between the previous game, or the start of
    /// the input, and this game count too.
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.problems.errors
    }

    /// Returns the problems of severity warning, counted as for [`errors`](Self::errors).
    #[must_use]
    pub fn warnings(&self) -> u64 {
        self.problems.warnings
    }
}

/// Returns whether a property of a root may show the program that wrote it or, without `GM`, the game.
pub(super) fn tells_of_program(key: Key) -> bool {
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
