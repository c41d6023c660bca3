//! Builds rows from events, in constant memory for each game.

use std::fmt::Write;

use sgfstream::{Event, Place, Property, Variation};
use sgfstream_game::{Coordinates, GameState, Info, Opening, RootRetention, Side, Step, is_setup};

use crate::find::{Finder, FirstStonePlies, Hit};

use super::dyer::Dyer;
use super::game_row::{TextOf, at};
use super::line::follow;
use super::line_board::LineBoard;
use super::line_hash::LineHasher;
use super::root_cells::{fill_root, in_spare, infos, lacks, names_player};
use super::{ColumnSet, GameExtent, GameRow, LineMoves, Probes};

mod line;

/// Makes the row of a game from its events, which [`Rows`](super::Rows) passes to it.
#[derive(Debug)]
pub struct RowBuilder {
    state: GameState,
    columns: ColumnSet,
    texts: Vec<(usize, TextOf)>,
    /// Whether a column needs the nodes after the root.
    needs_nodes: bool,
    needs_moves: bool,
    /// Whether every event must be examined, for questions about properties or for game information.
    asks: bool,
    has_questions: bool,
    /// Game information that the columns need, one bit each. It is read from the nodes up to the one with the first move. If
    /// no player is named there, it is also read from the main line up to the first node with game information, because
    /// FF[4] puts it below the root if the file merges several games.
    infos: u32,
    /// Whether the root names a player, or a later node had any game information. Nodes below it have none.
    has_info: bool,
    /// Whether the root names no player.
    may_part: bool,
    /// Whether needed game information was not in the root and may be in later nodes.
    awaits_info: bool,
    /// Whether a node after the root had game information.
    found_info: bool,
    /// Whether the facts of the root became known since the driver last asked.
    has_new_root: bool,
    row: GameRow,
    /// Number of a game that is read on its own.
    number: Option<u64>,
    /// Strings of earlier rows, for reuse.
    spare: Vec<String>,
    line: Line,
    /// The board, if a column needs it.
    board: Option<Box<LineBoard>>,
    variations: u64,
    depth: u64,
    comment_bytes: u64,
    extent: GameExtent,
    is_damaged: bool,
    /// Number of `(` in the game's bytes minus the number of `)`.
    pub(super) open: i64,
}

/// Parts of a row that depend on the moves and properties of the main line.
#[derive(Debug)]
struct Line {
    probes: Probes,
    hasher: Option<Box<LineHasher>>,
    /// The first player, by `PL` or by the first move.
    first_side: Option<Side>,
    /// Number of initial moves by Black, among the first eight.
    black_moves: i64,
    /// Whether the root sets up black stones.
    has_black_stones: bool,
    /// Text of the first moves, if a column needs it.
    first_moves: Option<String>,
    dyer: Option<Dyer>,
    /// Spelling of moves in texts.
    coordinates: Coordinates,
}

impl RowBuilder {
    /// Returns a builder that fills these columns.
    #[must_use]
    pub fn new(columns: ColumnSet) -> Self {
        Self::with_probes(columns, Probes::default())
    }

    /// Returns a builder that fills these columns and answers these questions.
    #[must_use]
    pub(crate) fn with_probes(columns: ColumnSet, probes: Probes) -> Self {
        let hash = columns.contains_index(at::hash);
        let canonical = columns.contains_index(at::canonical_hash);
        let needs_nodes = columns.needs_nodes();
        let board = columns.contains_index(at::illegal_moves).then(Box::default);
        let hold = if probes.ask_about_properties() { RootRetention::All } else { RootRetention::Line };
        Self {
            state: GameState::new(hold).holding_game(),
            columns,
            texts: columns.columns().filter_map(|column| Some((column.index(), column.text_of?))).collect(),
            needs_nodes,
            needs_moves: needs_nodes || probes.last_move() > 0,
            asks: probes.ask_about_properties(),
            has_questions: !probes.is_empty(),
            infos: infos(columns),
            has_info: false,
            may_part: false,
            awaits_info: false,
            found_info: false,
            has_new_root: false,
            row: GameRow::default(),
            number: None,
            spare: Vec::new(),
            line: Line {
                probes,
                hasher: (hash || canonical).then(|| Box::new(LineHasher::new(canonical))),
                first_side: None,
                black_moves: 0,
                has_black_stones: false,
                first_moves: columns.contains_index(at::first_moves).then(String::new),
                dyer: [at::dyer, at::dyer_canonical]
                    .iter()
                    .any(|column| columns.contains_index(*column))
                    .then(Dyer::default),
                coordinates: Coordinates::Sgf,
            },
            board,
            variations: 0,
            depth: 0,
            comment_bytes: 0,
            extent: GameExtent::default(),
            is_damaged: false,
            open: 0,
        }
    }

    /// Returns this builder for another input, with the origin of its games. Forgets problems after the last game of the
    /// previous input.
    #[must_use]
    pub(crate) fn for_input(mut self, source: Option<String>, member: Option<String>) -> Self {
        self.end_input();
        (self.row.source, self.row.member, self.number) = (source, member, None);
        self
    }

    /// Returns this builder for a game that is read on its own. The row gets its origin and number, but not its offset.
    #[must_use]
    pub fn for_game(mut self, source: String, member: Option<String>, number: u64) -> Self {
        self.end_input();
        (self.row.source, self.row.member, self.number) = (Some(source), member, Some(number));
        self
    }

    /// Returns whether the columns include some that [`for_game`](Self::for_game) fills.
    #[must_use]
    pub fn asks_place(&self) -> bool {
        [at::source, at::member, at::game, at::reference, at::byte_offset]
            .iter()
            .any(|column| self.columns.contains_index(*column))
    }

    /// Returns this builder with another spelling of moves, in texts of rows and in `move(1)`.
    #[must_use]
    pub fn spelling(mut self, coordinates: Coordinates) -> Self {
        self.line.coordinates = coordinates;
        self.line.probes.spell(coordinates);
        self
    }

    /// Returns the main line of the last complete game, if a hash is among the columns and the line has at most 131,072
    /// moves.
    #[must_use]
    pub fn line(&self) -> Option<LineMoves> {
        self.line.hasher.as_ref().filter(|hasher| !hasher.is_cut()).map(|hasher| LineMoves::of(hasher))
    }

    /// Returns the row of the current game as far as it was read, or of the last game.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    /// Returns the number of parts of the game that searches did not cover; see [`Finder::cut`](crate::find::Finder::cut). A
    /// line that is too long for a hash counts as one more.
    #[must_use]
    pub fn unsearched(&self) -> u64 {
        let is_unhashed = self.line.hasher.as_ref().is_some_and(|hasher| hasher.is_cut());
        self.line.probes.unsearched() + u64::from(is_unhashed)
    }

    /// Returns whether a text in the row has bytes that are invalid in the charset of the game. They became U+FFFD.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    /// Returns the hits in the game so far; see [`Filter::finding`](crate::filter::Filter::finding).
    #[must_use]
    pub fn hits(&self) -> &[Hit] {
        self.line.probes.finder().map_or(&[], Finder::hits)
    }

    /// Returns the first moves of the game so far, if [`Query::opening`](crate::find::Query::opening) asks for them.
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.line.probes.finder()?.opening()
    }

    /// Returns the first moves of each line of the game, without repetitions, if
    /// [`Query::opening`](crate::find::Query::opening) asks for them [in variations](crate::find::Query::variations). The
    /// main line comes first.
    #[must_use]
    pub fn openings(&self) -> &[Opening] {
        self.line.probes.finder().map_or(&[], Finder::openings)
    }

    /// Returns the canonical hashes of boards that occur in variations only, without repetitions, and the number of parts of
    /// variations that were not searched. [`Query::boards`](crate::find::Query::boards) must ask for them [in
    /// variations](crate::find::Query::variations).
    #[must_use]
    pub fn boards_of_variations(&self) -> (&[u64], u64) {
        self.line.probes.finder().map_or((&[], 0), Finder::boards_of_variations)
    }

    /// Returns the canonical hashes of the boards of the main line, if [`Query::boards`](crate::find::Query::boards) asks for
    /// them. They are without repetitions if the query searches variations. Also returns the number of parts of the main line
    /// that were not stored.
    #[must_use]
    pub fn boards(&self) -> (&[u64], u64) {
        self.line.probes.finder().map_or((&[], 0), Finder::boards)
    }

    /// Returns when each field first got a stone, if [`Query::boards`](crate::find::Query::boards) asks for it.
    #[must_use]
    pub fn stones(&self) -> Option<&FirstStonePlies> {
        self.line.probes.finder().map(Finder::stones)
    }

    /// Returns the state of the game.
    #[must_use]
    pub fn state(&self) -> &GameState {
        &self.state
    }

    /// Returns whether the root names no player, so that the file may merge several games with game information of their
    /// own.
    #[must_use]
    pub fn may_part(&self) -> bool {
        self.may_part
    }

    /// Returns the questions and their answers.
    #[must_use]
    pub(crate) fn probes(&self) -> &Probes {
        &self.line.probes
    }

    /// Returns whether the rest of the game changes neither the row, apart from columns known at its end, nor an answer.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !self.needs_nodes && self.line.probes.is_settled()
    }

    /// Returns the state of the game, so that the caller can add evidence from moves.
    pub(super) fn state_mut(&mut self) -> &mut GameState {
        &mut self.state
    }

    /// Returns whether the facts of the root became known since the last call.
    pub(super) fn take_new_root(&mut self) -> bool {
        std::mem::take(&mut self.has_new_root)
    }

    /// Ends the search for game information, so that the facts of the root are known.
    pub(super) fn end_info(&mut self) {
        if std::mem::take(&mut self.awaits_info) {
            self.asks = self.line.probes.ask_about_properties();
            self.has_new_root = true;
            if std::mem::take(&mut self.found_info) {
                self.fill_root();
            }
        }
    }

    /// Returns the extent of the game so far.
    pub(super) fn extent(&self) -> GameExtent {
        self.extent
    }

    /// Ends the input, or the reading of it.
    pub(super) fn end_input(&mut self) {
        let _ = self.state.end_input();
    }

    /// Handles an event, and returns its effect on the state of the game.
    #[inline(always)] // Into the one loop that calls it.
    pub(super) fn take(&mut self, event: &Event<'_>, place: &Place) -> Step {
        let step = self.state.event(event, place);
        match step {
            Step::Move { color, point } => self.play_move(color, point),
            Step::Node => self.end_node(),
            _ => self.take_step(step, event, place),
        }
        if self.asks || self.has_questions {
            self.ask(step, event, place);
        }
        step
    }

    /// Handles the start of a node, as [`Sink::node`](sgfstream::Sink::node) receives it. Returns `None` and changes nothing
    /// if the row needs the event itself: then call [`take`](Self::take), outside of the loop over events.
    #[inline(always)]
    pub(super) fn node(&mut self, place: &Place) -> Option<Step> {
        if self.asks {
            return None;
        }
        let step = self.state.node()?;
        self.end_node();
        if self.has_questions {
            let (event, place) = (Event::NodeStart { supplied: false }, *place);
            self.line.probes.find(&self.state, step, &event, &place);
        }
        Some(step)
    }

    /// Handles a move, as [`Sink::play`](sgfstream::Sink::play) receives it. Otherwise like [`node`](Self::node).
    #[inline(always)]
    pub(super) fn play(&mut self, letter: u8, point: [u8; 2], property: &Property<'_>, place: &Place) -> Option<Step> {
        if self.asks {
            return None;
        }
        let step = self.state.play(letter, point)?;
        if let Step::Move { color, point } = step {
            self.play_move(color, point);
        }
        if self.has_questions {
            let (event, place) = (Event::Property(*property), *place);
            self.line.probes.find(&self.state, step, &event, &place);
        }
        Some(step)
    }

    /// Returns whether a node or move may answer a question.
    #[inline(always)]
    pub(super) fn has_questions(&self) -> bool {
        self.has_questions
    }

    /// Handles a move after the root.
    #[inline(always)]
    fn play_move(&mut self, color: u8, point: [u8; 2]) {
        if !self.needs_moves || !self.state.on_main_line() {
            return;
        }
        if let Some(board) = &mut self.board {
            _ = board.play_value(color, &point);
        }
        self.line.play(&self.state, color, self.state.ply(), &point);
    }

    #[inline(always)]
    fn end_node(&mut self) {
        if !self.state.on_main_line() {
            return;
        }
        if let Some(hasher) = &mut self.line.hasher {
            hasher.end_node();
        }
        if let Some(board) = &mut self.board {
            board.end_node();
        }
    }

    /// Looks for game information in a node after the root. The search ends after the node with the first move. If no player
    /// was named until then, it ends after the first node of the main line with game information.
    fn look_for_info(&mut self, event: &Event<'_>) {
        match event {
            Event::VariationEnd { .. } => self.end_info(),
            Event::VariationStart { .. } if self.has_info => self.end_info(),
            Event::NodeStart { .. } if self.has_info && self.state.ply() > 0 => self.end_info(),
            Event::Property(property) => {
                let said = Info::of(property.ident()).filter(|info| !info.is_root_only());
                self.has_info |= said.is_some();
                let wanted = said.filter(|&info| self.infos & 1 << info as u32 != 0);
                if let Some(info) = wanted.filter(|&info| self.state.value(info).is_none()) {
                    self.state.add_value(info, property.first());
                    self.found_info = true;
                    if !lacks(&self.state, self.infos) {
                        self.end_info();
                    }
                }
            }
            _ => {}
        }
    }

    fn ask(&mut self, step: Step, event: &Event<'_>, place: &Place) {
        if self.awaits_info {
            self.look_for_info(event);
            if !self.has_questions {
                return;
            }
        }
        let probes = &mut self.line.probes;
        probes.find(&self.state, step, event, place);
        if let Event::Property(property) = event
            // Properties of the root that the state stores are examined at its end.
            && step != Step::Held
        {
            probes.property(property.ident(), property.values(), place.charset);
        }
    }

    fn take_step(&mut self, step: Step, event: &Event<'_>, place: &Place) {
        let was_in_root = step == Step::RootEnd;
        if was_in_root {
            self.close_root();
        }
        self.play_on_board(step, event);
        if let Some(value) = event.cut_value() {
            let (kept, end) = value.closing();
            self.extent.closing = Some((end, (value.as_bytes().len() - kept.len()) as u8));
        }
        match event {
            Event::VariationStart(Variation { supplied, .. }) => {
                if place.depth == 1 {
                    self.start_game(place, *supplied);
                } else {
                    self.variations += 1;
                    self.depth = self.depth.max(place.depth);
                }
                self.open += i64::from(!supplied);
            }
            Event::NodeStart { .. } if was_in_root => {
                if let Some(hasher) = &mut self.line.hasher {
                    hasher.end_node();
                }
            }
            Event::Property(property) => {
                let ident = property.ident();
                if !self.state.in_root() && self.needs_moves && self.state.on_main_line() {
                    self.line.play_all(&self.state, self.state.moves(property));
                    self.line.set_up(&self.state, ident, property.values());
                }
                if self.needs_nodes && (ident.is(b"C") || ident.is(b"GC")) {
                    self.comment_bytes += property.values().map(|value| value.as_bytes().len() as u64).sum::<u64>();
                }
            }
            Event::VariationEnd(Variation { supplied, .. }) => {
                self.open -= i64::from(!supplied);
                if place.depth == 1 {
                    self.end_game(place, *supplied);
                }
            }
            _ => {}
        }
    }

    #[inline]
    fn play_on_board(&mut self, step: Step, event: &Event<'_>) {
        let Self { board: Some(board), state, .. } = self else { return };
        if !state.on_main_line() {
            return;
        }
        follow(state, step, event, |step| board.take(state, &step));
    }

    fn start_game(&mut self, place: &Place, supplied: bool) {
        self.has_new_root = false;
        self.row.reset(&mut self.spare);
        self.row.game = Some(self.number.unwrap_or(place.game) as i64);
        self.row.byte_offset = self.number.is_none().then_some(place.span.start as i64);
        if self.columns.contains_index(at::reference) {
            self.refer();
        }
        self.line.probes.start_game();
        if let Some(board) = &mut self.board {
            board.start_game();
        }
        (self.line.first_side, self.line.black_moves, self.line.has_black_stones) = (None, 0, false);
        if let Some(first_moves) = &mut self.line.first_moves {
            first_moves.clear();
        }
        if let Some(dyer) = &mut self.line.dyer {
            dyer.clear();
        }
        (self.variations, self.depth, self.comment_bytes) = (0, 1, 0);
        self.extent = GameExtent { span: place.span, lacks_start: supplied, ..GameExtent::default() };
        self.open = i64::from(supplied);
    }

    /// Sets the reference of the game, once its number is in the row.
    fn refer(&mut self) {
        let GameRow { source: Some(source), member, game: Some(game), .. } = &self.row else { return };
        let mut reference = in_spare(&mut self.spare, source);
        if let Some(member) = member {
            reference.push('!');
            reference.push_str(member);
        }
        _ = write!(reference, "#{game}");
        self.row.reference = Some(reference);
    }

    /// Handles the end of the root node: charset, game and size are known, and so are the meanings of properties.
    #[inline(never)]
    fn close_root(&mut self) {
        self.awaits_info = lacks(&self.state, self.infos);
        self.has_info = names_player(&self.state);
        self.may_part = !self.has_info;
        self.asks |= self.awaits_info;
        self.has_new_root = !self.awaits_info;
        self.fill_root();
        let Self { state, line, .. } = self;
        if let Some(hasher) = &mut line.hasher {
            hasher.start(state.game(), state.board_size());
        }
        // Only questions and the columns of nodes depend on these properties.
        let read = if self.needs_moves || line.probes.ask_about_properties() { usize::MAX } else { 0 };
        for property in state.root().take(read) {
            line.probes.property(property.ident(), property.values(), state.charset());
            line.has_black_stones |= property.ident().is(b"AB");
            // Skip GM and SZ, because only some callers store them, and the hash must not depend on that.
            if is_setup(property.ident()) {
                line.set_up(state, property.ident(), property.values());
            }
        }
        if self.needs_moves {
            line.play_all(state, state.root_moves());
        }
    }

    fn fill_root(&mut self) {
        let Self { row, spare, columns, texts, state, is_damaged, .. } = self;
        *is_damaged = fill_root(row, spare, *columns, texts, state);
    }

    fn end_game(&mut self, place: &Place, supplied: bool) {
        self.extent.span.end = place.span.end;
        // If the last `)` exists, so do all before it, whether they were read or skipped.
        self.extent.lacks_ends = if supplied { u64::try_from(self.open).unwrap_or(0) } else { 0 };
        self.row.length = Some((place.span.end - self.extent.span.start) as i64);
        if self.needs_nodes {
            self.fill_nodes();
        }
    }

    fn fill_nodes(&mut self) {
        let Self { columns, state, row, spare, .. } = self;
        let wants = |column: usize| columns.contains_index(column);
        let count = |column: usize, count: u64| wants(column).then_some(count as i64);
        row.moves = count(at::moves, state.ply());
        row.nodes = count(at::nodes, state.nodes());
        row.variations = count(at::variations, self.variations);
        row.depth = count(at::depth, self.depth);
        row.comment_bytes = count(at::comment_bytes, self.comment_bytes);
        row.errors = count(at::errors, state.errors());
        row.warnings = count(at::warnings, state.warnings());
        row.illegal_moves = self.board.as_ref().and_then(|board| board.illegal()).map(|illegal| illegal as i64);
        row.to_play = Some(())
            .filter(|()| wants(at::to_play))
            .and_then(|()| self.line.first_side.or_else(|| state.side_at_start()))
            .map(|side| in_spare(spare, side.letter()));
        row.handicap_form = Some(())
            .filter(|()| wants(at::handicap_form))
            .and_then(|()| state.handicap())
            .map(|stones| in_spare(spare, self.line.handicap_form(stones)));
        row.first_moves = self.line.first_moves.as_ref().map(|moves| in_spare(spare, moves));
        if let Some(dyer) = &self.line.dyer
            && let Some((plain, canonical)) = dyer.signatures(state.dialect())
        {
            row.dyer = wants(at::dyer).then_some(plain);
            row.dyer_canonical = wants(at::dyer_canonical).then_some(canonical);
        }
        let Some(hasher) = &mut self.line.hasher else { return };
        if let Some((plain, canonical)) = hasher.finish() {
            row.hash = wants(at::hash).then(|| plain.to_string());
            row.canonical_hash = wants(at::canonical_hash).then(|| canonical.to_string());
        }
    }
}
