//! Events to rows, at constant memory for each game.

use sgfstream::Framing;
use sgfstream::base::{Charset, Severity};
use sgfstream::event::{Event, Flow, Ident, Place, Property, RawValue, Sink};
use sgfstream::game::{Game, MoveIds};
use sgfstream::value::{BoardSize, Komi, Lenient, Number, Rank, Time};

use super::game_row::at;
use super::line_hash::{LineHash, LineHasher};
use super::root_slots::{FF, GM, ROOT_SLOTS, SZ, slot_of, slots_of};
use super::text::{Outcome, capped, days, simple_text};
use super::{ColumnSet, GameRow, Probes};

/// Bytes of the root node's values that wait for its end: its charset, its
/// game and its size may stand behind them.
const ROOT_CAP: usize = 1 << 20;

/// Moves in `first_moves`.
const FIRST_MOVES: u64 = 8;

/// Bytes of each of them.
const FIRST_MOVE_CAP: usize = 32;

/// Makes the row of a game from its events.
///
/// A [`Sink`]: it answers [`Flow::SkipGame`] as soon as nothing that is
/// wanted can change. The row is whole when the `VariationEnd` of depth 1 has
/// come; `source`, `member` and `game` are the caller's to fill in.
#[derive(Debug)]
pub struct RowBuilder {
    columns: ColumnSet,
    /// Columns or questions need the nodes behind the root.
    needs_nodes: bool,
    needs_moves: bool,
    /// Nothing but columns is asked for, and all nodes are read.
    is_plain: bool,
    /// And this is behind the root of a game.
    takes_plain: bool,
    slots: u32,
    row: GameRow,
    /// Strings of the last row, for the next.
    spare: Vec<String>,
    probes: Probes,
    line: Option<Box<LineHasher>>,

    in_game: bool,
    in_root: bool,
    on_main_line: bool,
    ids: MoveIds,
    is_pentobi: bool,
    /// Raw values of the root: for each slot, and of what must be told later.
    found: [Option<(u32, u32)>; ROOT_SLOTS],
    raw: Vec<u8>,
    framing: Framing,
    later: Vec<Later>,
    tally: Tally,
    first_moves: String,
}

/// A value of the root that waits for its end.
#[derive(Clone, Copy, Debug)]
struct Later {
    ident: (u32, u32),
    value: (u32, u32),
    framing: Framing,
    first: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    moves: u64,
    nodes: u64,
    variations: u64,
    depth: u64,
    comment_bytes: u64,
    errors: u64,
    warnings: u64,
}

impl RowBuilder {
    /// A builder that fills these columns.
    #[must_use]
    pub fn new(columns: ColumnSet) -> Self {
        Self::with_probes(columns, Probes::default())
    }

    /// A builder that fills these columns and asks these questions.
    #[must_use]
    pub fn with_probes(columns: ColumnSet, probes: Probes) -> Self {
        let hash = columns.contains_index(at::hash);
        let canonical = columns.contains_index(at::canonical_hash);
        let has_line = hash || canonical;
        let needs_nodes = columns.needs_nodes();
        Self {
            columns,
            needs_nodes,
            needs_moves: needs_nodes || probes.asks_for_moves(),
            is_plain: needs_nodes && probes.is_empty(),
            takes_plain: false,
            slots: slots_of(columns),
            row: GameRow::default(),
            spare: Vec::new(),
            probes,
            line: has_line.then(|| Box::new(LineHasher::new(canonical))),
            in_game: false,
            in_root: false,
            on_main_line: false,
            ids: Game::Go.move_ids(),
            is_pentobi: false,
            found: [None; ROOT_SLOTS],
            raw: Vec::new(),
            framing: Framing::Value,
            later: Vec::new(),
            tally: Tally::default(),
            first_moves: String::new(),
        }
    }

    /// The row: of the current game as far as it was read, or of the last.
    #[must_use]
    pub fn row(&self) -> &GameRow {
        &self.row
    }

    /// The row, to fill in what events do not say.
    pub fn row_mut(&mut self) -> &mut GameRow {
        &mut self.row
    }

    /// The questions and their answers.
    #[must_use]
    pub fn probes(&self) -> &Probes {
        &self.probes
    }

    /// True if the nodes behind the root, read so far, leave nothing open.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !self.needs_nodes && self.probes.is_settled()
    }

    /// True while events of a root node may still come.
    #[must_use]
    pub fn is_in_root(&self) -> bool {
        self.in_root
    }

    /// Takes what nearly every event is, a node or a plain move behind the
    /// root, without its place. False, and nothing is done, for any other
    /// event: that one goes to [`event`](Sink::event).
    //  Half the time of an index is spent here: a call for each event would be
    //  a quarter of it.
    #[inline(always)]
    pub fn take_plain(&mut self, event: &Event<'_>) -> bool {
        if !self.takes_plain {
            return false;
        }
        match event {
            Event::NodeStart { .. } => {
                self.tally.nodes += 1;
                if self.on_main_line
                    && let Some(line) = &mut self.line
                {
                    line.end_node();
                }
                true
            }
            Event::Property(property) => match *property.as_bytes() {
                [letter @ (b'B' | b'W'), b'[', column, row, b']']
                    if column.is_ascii_alphabetic() && row.is_ascii_alphabetic() =>
                {
                    if self.on_main_line {
                        self.tally.moves += 1;
                        if let Some(line) = &mut self.line {
                            line.play(if letter == b'B' { 1 } else { 2 }, &[column, row]);
                        }
                        if self.tally.moves <= FIRST_MOVES {
                            self.add_plain_first_move([column, row]);
                        }
                    }
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn start_game(&mut self, place: &Place) {
        self.row.reset(&mut self.spare);
        self.row.game = Some(place.game as i64);
        self.row.offset = Some(place.span.start as i64);
        self.probes.start_game();
        self.in_game = true;
        self.in_root = true;
        self.takes_plain = false;
        self.on_main_line = true;
        self.found = [None; ROOT_SLOTS];
        self.raw.clear();
        self.later.clear();
        self.first_moves.clear();
        // Problems that were met since the last game belong to this one.
        self.tally = Tally { errors: self.tally.errors, warnings: self.tally.warnings, ..Tally::default() };
        self.ids = Game::Go.move_ids();
    }

    fn keep(&mut self, bytes: &[u8]) -> (u32, u32) {
        let start = self.raw.len() as u32;
        self.raw.extend_from_slice(bytes);
        (start, self.raw.len() as u32)
    }

    fn kept(&self, (start, end): (u32, u32)) -> &[u8] {
        &self.raw[start as usize..end as usize]
    }

    /// A property of the root, with its values or, of a long one, the piece
    /// that begins the first.
    fn root_property<'v>(&mut self, ident: Ident<'_>, values: impl Iterator<Item = RawValue<'v>> + Clone, first: bool) {
        if first
            && let Some(slot) = slot_of(ident)
            && self.slots & (1 << slot) != 0
            && self.found[slot].is_none()
            && self.raw.len() < ROOT_CAP
            && let Some(value) = values.clone().next()
        {
            self.framing = value.framing();
            self.found[slot] = Some(self.keep(capped(value.as_bytes())));
        }
        let may_be_move = self.needs_moves && is_in_some_line(ident);
        if (may_be_move || self.probes.ask_about(ident)) && self.raw.len() < ROOT_CAP {
            let name = self.keep(ident.as_bytes());
            let mut first = first;
            for value in values {
                if self.raw.len() >= ROOT_CAP {
                    break;
                }
                let (start, end) = self.keep(value.as_bytes());
                self.later.push(Later { ident: name, value: (start, end), framing: value.framing(), first });
                first = false;
            }
        }
    }

    /// The root node has ended: its charset, game and size are known.
    fn close_root(&mut self, charset: Charset, place: &Place) {
        self.in_root = false;
        self.takes_plain = self.is_plain;
        let gm = self.found[GM].map(|range| self.kept(range));
        let game = gm.map_or(Game::Go, |raw| Game::parse_lenient(raw).value);
        self.ids = game.move_ids();
        self.is_pentobi = game.variant().is_some();
        let max = if game.has_two_letter_points() { BoardSize::MAX_TWO_LETTER } else { u32::from(u16::MAX) };
        let size = self.found[SZ].and_then(|range| BoardSize::parse_lenient_up_to(self.kept(range), max).ok());
        let size = size.map(|size| size.value);
        self.fill_root(game, size.or_else(|| game.default_size()), charset, place);
        if let Some(line) = &mut self.line {
            line.start(game, size);
        }
        self.tell_later(charset);
    }

    fn tell_later(&mut self, charset: Charset) {
        let raw = std::mem::take(&mut self.raw);
        let later = std::mem::take(&mut self.later);
        let slice = |(start, end): (u32, u32)| &raw[start as usize..end as usize];
        for waiting in &later {
            let ident = Ident::new(slice(waiting.ident));
            let value = RawValue::new(slice(waiting.value), waiting.framing);
            self.probes.property(ident, std::iter::once(value), charset);
            if self.needs_moves {
                self.line_value(ident, value, waiting.first);
            }
        }
        self.raw = raw;
        self.later = later;
    }

    fn fill_root(&mut self, game: Game, size: Option<BoardSize>, charset: Charset, place: &Place) {
        let Self { row, spare, columns, found, raw, framing, .. } = self;
        let wants = |column: usize| columns.contains_index(column);
        let text = |slot: usize| {
            let (start, end) = found[slot]?;
            Some(simple_text(RawValue::new(&raw[start as usize..end as usize], *framing), charset))
        };
        let mut owned = |text: &str| in_spare(spare, text);
        if wants(at::gm) {
            row.gm = game.number();
        }
        if wants(at::variant) {
            row.variant = match game {
                Game::Other | Game::Number(_) => text(GM).map(|text| owned(&text)),
                game => Some(owned(game.name())),
            };
        }
        if wants(at::ff) {
            let ff = found[FF].map(|(start, end)| Number::parse_lenient(&raw[start as usize..end as usize]));
            row.ff = ff.map_or(Some(1), |ff| ff.ok().map(|ff| ff.value.get()));
        }
        row.columns = size.map(|size| i64::from(size.columns())).filter(|_| wants(at::columns));
        row.rows = size.map(|size| i64::from(size.rows())).filter(|_| wants(at::rows));
        if wants(at::charset) {
            row.charset = Some(owned(charset.name()));
        }
        if wants(at::charset_source) {
            row.charset_source = Some(owned(place.charset_source.as_str()));
        }
        for (slot, column, cell) in [
            (3, at::app, &mut row.app),
            (4, at::pb, &mut row.pb),
            (5, at::pw, &mut row.pw),
            (6, at::p1, &mut row.p1),
            (7, at::p2, &mut row.p2),
            (8, at::p3, &mut row.p3),
            (9, at::p4, &mut row.p4),
            (10, at::br, &mut row.br),
            (11, at::wr, &mut row.wr),
            (12, at::bt, &mut row.bt),
            (13, at::wt, &mut row.wt),
            (14, at::dt, &mut row.dt),
            (15, at::ev, &mut row.ev),
            (16, at::ro, &mut row.ro),
            (17, at::pc, &mut row.pc),
            (18, at::so, &mut row.so),
            (19, at::us, &mut row.us),
            (20, at::an, &mut row.an),
            (21, at::gn, &mut row.gn),
            (22, at::ru, &mut row.ru),
            (23, at::re, &mut row.re),
            (27, at::ot, &mut row.ot),
        ] {
            if wants(column) {
                *cell = text(slot).map(|text| owned(&text));
            }
        }
        for (slot, column, cell) in [(10, at::br_level, &mut row.br_level), (11, at::wr_level, &mut row.wr_level)] {
            if wants(column) {
                *cell = text(slot)
                    .and_then(|text| Rank::parse_lenient(text.as_bytes()).ok().map(|read| read.value))
                    .map(Rank::level);
            }
        }
        if wants(at::date_min) || wants(at::date_max) {
            let days = text(14).and_then(|text| days(&text));
            row.date_min = days.map(|days| days.0).filter(|_| wants(at::date_min));
            row.date_max = days.map(|days| days.1).filter(|_| wants(at::date_max));
        }
        if wants(at::winner) || wants(at::win_by) || wants(at::margin) {
            let outcome = text(23).map(|text| Outcome::parse(&text)).unwrap_or_default();
            row.winner = outcome.winner.filter(|_| wants(at::winner)).map(&mut owned);
            row.win_by = outcome.win_by.filter(|_| wants(at::win_by)).map(&mut owned);
            row.margin = outcome.margin.filter(|_| wants(at::margin));
        }
        if wants(at::km) {
            row.km = text(24).and_then(|text| Komi::parse_lenient(text.as_bytes()).ok()).map(|read| read.value.get());
        }
        if wants(at::ha) {
            row.ha = text(25).and_then(|text| Number::parse_lenient(text.as_bytes()).ok()).map(|read| read.value.get());
        }
        if wants(at::tm) {
            let time = text(26).and_then(|text| Time::parse_lenient(text.as_bytes()).ok());
            row.tm = time.map(|read: Lenient<Time>| read.value.seconds());
        }
    }

    /// A value of a property of the main line that moves or sets up.
    fn line_value(&mut self, ident: Ident<'_>, value: RawValue<'_>, first: bool) {
        if !self.on_main_line {
            return;
        }
        if let Some(color) = self.ids.color(ident) {
            // Boardspace's `P0[id "name"]` is no move; Pentobi's old moves are a value a point.
            if value.as_bytes().starts_with(b"id ") || (self.is_pentobi && !first) {
                return;
            }
            self.tally.moves += 1;
            self.probes.play(self.tally.moves, value);
            if let Some(line) = &mut self.line {
                line.play(color, value.as_bytes());
            }
            if self.tally.moves <= FIRST_MOVES {
                self.add_first_move(value.as_bytes());
            }
        } else if let Some(line) = &mut self.line {
            let ident = ident.canonical();
            if LineHasher::is_setup(&ident) {
                line.set_up(&ident, value.as_bytes());
            }
        }
    }

    #[inline(never)]
    fn add_plain_first_move(&mut self, letters: [u8; 2]) {
        if self.columns.contains_index(at::first_moves) {
            let separator = if self.first_moves.is_empty() { "" } else { " " };
            self.first_moves.push_str(separator);
            self.first_moves.extend(letters.map(char::from));
        }
    }

    #[inline(never)]
    fn add_first_move(&mut self, bytes: &[u8]) {
        if !self.columns.contains_index(at::first_moves) {
            return;
        }
        if !self.first_moves.is_empty() {
            self.first_moves.push(' ');
        }
        let start = self.first_moves.len();
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(FIRST_MOVE_CAP)]);
        text.split_whitespace().for_each(|word| self.first_moves.push_str(word));
        if self.first_moves.len() == start {
            self.first_moves.push_str("pass");
        }
    }

    #[inline]
    fn property(&mut self, property: &Property<'_>, place: &Place) {
        let ident = property.ident();
        if self.in_root {
            self.root_property(ident, property.values(), true);
        } else {
            self.probes.property(ident, property.values(), place.charset);
            if self.needs_moves && self.on_main_line && is_in_some_line(ident) {
                let mut first = true;
                for value in property.values() {
                    self.line_value(ident, value, first);
                    first = false;
                }
            }
        }
        if self.needs_nodes && (ident.is(b"C") || ident.is(b"GC")) {
            self.tally.comment_bytes += property.values().map(|value| value.as_bytes().len() as u64).sum::<u64>();
        }
    }

    fn end_game(&mut self, place: &Place) {
        self.in_game = false;
        self.takes_plain = false;
        self.row.length = self.row.offset.map(|offset| place.span.end as i64 - offset);
        if self.needs_nodes {
            self.fill_nodes();
        }
        (self.tally.errors, self.tally.warnings) = (0, 0);
    }

    fn fill_nodes(&mut self) {
        let wants = |column: usize| self.columns.contains_index(column);
        let count = |column: usize, count: u64| wants(column).then_some(count as i64);
        let row = &mut self.row;
        let tally = self.tally;
        row.moves = count(at::moves, tally.moves);
        row.nodes = count(at::nodes, tally.nodes);
        row.variations = count(at::variations, tally.variations);
        row.depth = count(at::depth, tally.depth);
        row.comment_bytes = count(at::comment_bytes, tally.comment_bytes);
        row.errors = count(at::errors, tally.errors);
        row.warnings = count(at::warnings, tally.warnings);
        row.first_moves = wants(at::first_moves).then(|| in_spare(&mut self.spare, &self.first_moves));
        if let Some(hashes) = self.line.as_mut().and_then(|line| line.finish()) {
            let mut digits = |hash: LineHash| {
                let digits = hash.digits();
                in_spare(&mut self.spare, std::str::from_utf8(&digits).expect("ASCII"))
            };
            row.hash = wants(at::hash).then(|| digits(hashes.0));
            row.canonical_hash = wants(at::canonical_hash).then(|| digits(hashes.1));
        }
    }
}

/// `text` in a string that was used before, if there is one.
fn in_spare(spare: &mut Vec<String>, text: &str) -> String {
    let mut owned = spare.pop().unwrap_or_default();
    owned.clear();
    owned.push_str(text);
    owned
}

impl Sink for RowBuilder {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if self.take_plain(event) {
            return Flow::Go;
        }
        match event {
            Event::Property(property) => self.property(property, place),
            Event::NodeStart { .. } => {
                self.tally.nodes += 1;
                if self.tally.nodes > 1 {
                    if self.in_root {
                        self.close_root(place.charset, place);
                    }
                    if self.on_main_line
                        && let Some(line) = &mut self.line
                    {
                        line.end_node();
                    }
                }
            }
            Event::VariationStart { .. } if place.depth == 1 => {
                self.start_game(place);
                self.tally.depth = 1;
            }
            Event::VariationStart { .. } => {
                if self.in_root {
                    self.close_root(place.charset, place);
                }
                self.tally.variations += 1;
                self.tally.depth = self.tally.depth.max(place.depth);
            }
            Event::VariationEnd { .. } => {
                if self.in_root {
                    self.close_root(place.charset, place);
                }
                self.on_main_line = false;
                if place.depth == 1 {
                    self.end_game(place);
                    return Flow::Go;
                }
            }
            Event::PropertyPart(part) => {
                if part.is_value_start() {
                    let first = part.is_property_start();
                    let value = std::iter::once(part.content());
                    if self.in_root {
                        self.root_property(part.ident(), value, first);
                    } else {
                        self.probes.property(part.ident(), value, place.charset);
                        if self.needs_moves && is_in_some_line(part.ident()) {
                            self.line_value(part.ident(), part.content(), first);
                        }
                    }
                }
                if self.needs_nodes && (part.ident().is(b"C") || part.ident().is(b"GC")) {
                    self.tally.comment_bytes += part.content().as_bytes().len() as u64;
                }
            }
            Event::Problem(problem) => match problem.severity() {
                Severity::Error => self.tally.errors += 1,
                Severity::Warning => self.tally.warnings += 1,
                Severity::Note => {}
            },
            _ => {}
        }
        if self.in_game && !self.in_root && self.is_settled() { Flow::SkipGame } else { Flow::Go }
    }
}

/// True for the identifiers that move or set up in some game.
#[inline]
fn is_in_some_line(ident: Ident<'_>) -> bool {
    match ident.as_bytes() {
        [b'B' | b'W'] => true,
        b"C" => false,
        _ => is_in_some_line_slowly(ident),
    }
}

fn is_in_some_line_slowly(ident: Ident<'_>) -> bool {
    MoveIds::may_move(ident) || LineHasher::is_setup(&ident.canonical())
}
