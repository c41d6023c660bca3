//! Groups events into units, runs the edits on them, and writes the results.

use std::io::{self, Write};

use sgfstream::{Code, Event, Flow, Framing, Ident, Place, Property, Sink, Variation, Writer};
use sgfstream_game::{GameState, Key, RootRetention};

use super::Context;
use super::edit::{Chain, Edit, Link, Notes};
use super::unit::{Unit, UnitKind};

/// The note of bytes inside games that were left out because no reader understands them.
const UNREAD: &str = "unparseable bytes inside games were left out";

/// Rewrites games: the edits change units, and everything else is copied byte for byte.
///
/// Drive it with events that include [`Options::gaps`], or call [`read`](Self::read) or [`slice`](Self::slice). Without
/// edits the output equals the input. With edits each game is well-formed: the rewriter writes the parts that the reader
/// inserted, and drops and counts the bytes that the reader could not parse. Text between games is unchanged.
///
/// Memory is bounded by a node (256 KiB of it at most) and a piece of a property.
#[derive(Debug)]
pub(crate) struct Rewriter<W: Write> {
    pipeline: Pipeline<W>,
    context: Context,
    /// State of the root; unused after the root.
    state: GameState,
    unit: Unit,
    /// The `(` of the game, which waits until the root is read.
    open: Option<Unit>,
    in_game: bool,
    /// Whether the unit has content.
    has_unit: bool,
    passing: PassingNode,
}

/// A node outside the root that all edits leave unchanged so far. Its bytes are in the pipeline's buffer, from `start` on.
/// It becomes a unit only if an edit needs it.
#[derive(Debug)]
struct PassingNode {
    is_node: bool,
    has_property: bool,
    start: usize,
    /// Place of the node in the input.
    place: u64,
    events: Vec<PassThrough>,
    /// Consecutive nodes that did not pass.
    misses: u32,
    /// For each key, the answer of the edits in this game.
    answers: [Option<bool>; Key::COUNT],
}

/// A property or a gap of a passing node, without its bytes.
#[derive(Clone, Copy, Debug)]
struct PassThrough {
    len: u32,
    /// Length of the identifier, framing, and whether the property is simple. `None` for a gap.
    property: Option<(u32, Framing, bool)>,
}

/// Maximum size of a passing node. A longer one becomes a unit, which may come in pieces.
const PASSED_MAX: usize = 16 << 10;

/// Maximum number of properties and gaps of a passing node.
const EVENTS_MAX: usize = 256;

/// Number of consecutive nodes that did not pass after which most nodes are not tried, because the edits may change all of
/// them.
const MISSES_MAX: u32 = 8;

/// Interval at which nodes are still tried after that.
const TRIED_EVERY: u32 = 256;

/// Number of bytes of passed nodes after which they are written.
const UNWRITTEN_MAX: usize = 16 << 10;

impl Default for PassingNode {
    fn default() -> Self {
        Self {
            is_node: false,
            has_property: false,
            start: 0,
            place: 0,
            events: Vec::new(),
            misses: 0,
            answers: [None; Key::COUNT],
        }
    }
}

/// The edits, and the writer after them.
#[derive(Debug)]
struct Pipeline<W: Write> {
    links: Vec<Link>,
    /// Whether to write missing characters and drop unparseable text.
    needs_wellformed: bool,
    /// Whether to write missing characters at the end of a game.
    closes: bool,
    writer: Writer<W>,
    /// Bytes of passed nodes, to be written before anything else.
    passed: Vec<u8>,
    failed: Option<io::Error>,
    notes: Notes,
    written: OutputState,
}

/// State of the game that is being written.
#[derive(Debug, Default)]
struct OutputState {
    depth: u64,
    /// The place in the input of the last `(` written, if it begins a variation.
    opened: Option<u64>,
    /// Whether characters were inserted or dropped in this game.
    is_mended: bool,
}

impl OutputState {
    /// Returns whether the next unit begins a variation with a root property, unlike the input. A reader would take the
    /// variation for another game.
    fn looks_like_game(&mut self, unit: &Unit) -> bool {
        let opened = self.opened.take();
        match unit.kind() {
            UnitKind::Open => {
                self.depth += 1;
                self.is_mended &= self.depth > 1;
                self.opened = Some(unit.mark_in_input()).filter(|_| self.depth > 1);
            }
            UnitKind::Close => self.depth = self.depth.saturating_sub(1),
            UnitKind::Node { .. } | UnitKind::Between => {}
        }
        let Some(opened) = opened.filter(|_| unit.begins_node()) else { return false };
        let is_as_read = !self.is_mended && opened < unit.mark_in_input() && unit.begins_as_read();
        let first = unit.first().and_then(|first| unit.property(first));
        !is_as_read && first.is_some_and(|first| first.begins_game())
    }
}

impl<W: Write> Pipeline<W> {
    /// Returns whether all edits leave properties of this name unchanged after the root.
    #[cold]
    fn ignores(&self, ident: Ident<'_>, at: &Context) -> bool {
        let mut at = Context { in_root: false, ..*at };
        self.writer.is_as_written()
            && self.links.iter().all(|link| {
                let passes = link.edit.ignores(ident, &at);
                link.edit.context(&mut at);
                passes
            })
    }

    /// Writes the bytes of the passed nodes.
    fn write_passed(&mut self) {
        if self.passed.is_empty() {
            return;
        }
        if self.failed.is_none() {
            self.failed = self.writer.get_mut().write_all(&self.passed).err();
        }
        self.passed.clear();
    }

    /// Calls `run` with the chain of edits, which ends at the writer.
    fn chain(&mut self, byte: u64, run: impl FnOnce(&mut Chain<'_>)) {
        self.write_passed();
        let Self { writer, failed, written, needs_wellformed, .. } = self;
        let mut out = |unit: &Unit| {
            if failed.is_some() {
                return;
            }
            let mut looks_like_game = *needs_wellformed && written.looks_like_game(unit);
            if let Some((mark, bytes)) = unit.as_read().filter(|_| !looks_like_game && writer.is_as_written()) {
                let inner = writer.get_mut();
                *failed = inner.write_all(mark).and_then(|()| inner.write_all(bytes)).err();
                return;
            }
            let write = |event: &Event<'_>| match event {
                Event::Property(property) if std::mem::take(&mut looks_like_game) => {
                    writer.event(&Event::Property(Property::from_raw(&property.to_bytes_spaced(), property.framing())))
                }
                _ => writer.event(event),
            };
            *failed = unit.events(write).err();
        };
        run(&mut Chain { links: &mut self.links, notes: &mut self.notes, byte, out: &mut out });
    }

    fn send(&mut self, unit: &mut Unit, at: &Context) {
        if self.needs_wellformed && unit.kind() != UnitKind::Between {
            let is_supplied = unit.is_supplied() == Some(true);
            let dropped = unit.make_wellformed();
            self.written.is_mended |= is_supplied || dropped > 0;
            if dropped > 0 {
                self.notes.add_cut(UNREAD, dropped, unit.start_in_input());
            }
        } else if self.closes && unit.kind() == UnitKind::Close {
            unit.write_supplied();
        }
        self.chain(unit.start_in_input(), |chain| chain.run(unit, at));
    }
}

impl<W: Write> Rewriter<W> {
    /// Returns a rewriter that applies these edits in order. `out` should be buffered.
    pub(crate) fn new(out: W, edits: Vec<Box<dyn Edit>>) -> Self {
        let layout = edits.iter().filter_map(|edit| edit.layout()).next_back().unwrap_or_default();
        let pipeline = Pipeline {
            needs_wellformed: edits.iter().any(|edit| edit.needs_wellformed()),
            closes: false,
            links: edits.into_iter().map(|edit| Link { edit, changes: 0 }).collect(),
            writer: Writer::with_layout(out, layout),
            passed: Vec::new(),
            failed: None,
            notes: Notes::default(),
            written: OutputState::default(),
        };
        Self {
            pipeline,
            context: Context::default(),
            state: GameState::new(RootRetention::Values),
            unit: Unit::new(UnitKind::Between),
            open: None,
            in_game: false,
            has_unit: false,
            passing: PassingNode::default(),
        }
    }

    /// Flushes the output, and returns it.
    ///
    /// # Errors
    ///
    /// Returns the first write error.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.end_of_input();
        match self.pipeline.failed.take() {
            Some(err) => Err(err),
            None => Ok(self.pipeline.writer.finish()?),
        }
    }

    /// Writes what is buffered, because the input has ended.
    pub(crate) fn end_of_input(&mut self) {
        let _ = self.state.end_input();
        self.flush(true);
        if let Some(mut open) = self.open.take() {
            self.pipeline.chain(open.start_in_input(), |chain| chain.run(&mut open, &self.context));
        }
        self.pipeline.chain(0, |chain| chain.end(&self.context));
    }

    /// Passes the current unit to the edits. `ends` says that the unit is complete.
    fn flush(&mut self, ends: bool) {
        self.end_passing();
        if !std::mem::take(&mut self.has_unit) {
            return;
        }
        if ends {
            self.unit.set_end_of_node();
        }
        if self.unit.kind() == UnitKind::Open && self.context.depth == 1 {
            // The `(` needs the context of the root, so it waits for the root.
            self.open = Some(std::mem::replace(&mut self.unit, Unit::new(UnitKind::Between)));
            return;
        }
        if self.unit.begins_node() && self.context.in_root {
            self.context.set_root(&self.state);
        }
        if let Some(mut open) = self.open.take() {
            self.pipeline.send(&mut open, &self.context);
        }
        self.pipeline.send(&mut self.unit, &self.context);
    }

    fn begin(&mut self, kind: UnitKind, place: &Place) {
        self.flush(true);
        self.unit.reset(kind);
        self.has_unit = true;
        self.context.depth = place.depth;
        self.set_charset(place);
    }

    /// Ends a passing node. Returns false without such a node, or if the node has no property that the edits handle.
    #[inline(always)]
    fn end_passing(&mut self) -> bool {
        if self.passing.is_node && !self.passing.has_property {
            self.stop_passing();
        }
        let has_passed = std::mem::take(&mut self.passing.is_node);
        if has_passed {
            self.passing.misses = 0;
            self.pipeline.written.opened = None;
        }
        has_passed
    }

    /// Starts a node with a `;` of the input. Returns whether the node may pass.
    #[inline(always)]
    fn start_passing(&mut self, place: &Place) -> bool {
        if !self.end_passing() {
            if self.context.in_root || !self.in_game {
                return false;
            }
            let misses = self.passing.misses;
            if misses >= MISSES_MAX && !misses.is_multiple_of(TRIED_EVERY) {
                self.passing.misses = misses.wrapping_add(1);
                return false;
            }
            self.flush(true);
        }
        if self.pipeline.passed.len() >= UNWRITTEN_MAX {
            self.pipeline.write_passed();
        }
        let Self { passing, pipeline, .. } = self;
        (passing.is_node, passing.has_property) = (true, false);
        (passing.start, passing.place) = (pipeline.passed.len(), place.span.start);
        passing.events.clear();
        pipeline.passed.push(b';');
        self.context.depth = place.depth;
        (self.context.charset, self.context.charset_source) = place.sure_charset();
        true
    }

    /// Takes an event of a passing node. Returns false if the node cannot pass.
    #[inline(always)]
    fn pass(&mut self, event: &Event<'_>) -> bool {
        let (bytes, property) = match event {
            Event::Property(property) => {
                let ident = property.ident();
                let key = Key::of(ident);
                let answer = &mut self.passing.answers[key.index()];
                let context = &self.context;
                let passes = *answer.get_or_insert_with(|| key != Key::OTHER && self.pipeline.ignores(ident, context));
                // The first node of a variation must not look like another game.
                if !passes || (self.pipeline.written.opened.is_some() && property.begins_game()) {
                    return false;
                }
                let ident_len = ident.as_bytes().len() as u32;
                (property.as_bytes(), Some((ident_len, property.framing(), property.is_simple())))
            }
            Event::Gap(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => (*bytes, None),
            _ => return false,
        };
        let Self { passing, pipeline, .. } = self;
        if pipeline.passed.len() - passing.start + bytes.len() > PASSED_MAX || passing.events.len() >= EVENTS_MAX {
            return false;
        }
        passing.has_property |= property.is_some();
        passing.events.push(PassThrough { len: bytes.len() as u32, property });
        match *bytes {
            // Copy a line break and a plain move without a call, because they are the most common.
            [byte] => pipeline.passed.push(byte),
            [b0, b1, b2, b3, b4] => pipeline.passed.extend_from_slice(&[b0, b1, b2, b3, b4]),
            _ => pipeline.passed.extend_from_slice(bytes),
        }
        true
    }

    /// Turns the passing node into a unit.
    #[inline(never)]
    fn stop_passing(&mut self) {
        let Self { passing, pipeline, .. } = self;
        passing.is_node = false;
        passing.misses = passing.misses.wrapping_add(1);
        let node = pipeline.passed.split_off(passing.start);
        self.unit.reset(UnitKind::Node { begins: true, ends: false });
        self.has_unit = true;
        self.unit.set_charset(self.context.charset);
        self.unit.set_mark(Variation { depth: self.context.depth, supplied: false }, self.passing.place);
        let mut start = 1;
        for &PassThrough { len, property } in &self.passing.events {
            let bytes = &node[start..start + len as usize];
            let place = self.passing.place + start as u64;
            match property {
                Some((ident_len, framing, is_simple)) => {
                    let property = Property::new(bytes, ident_len, framing, is_simple);
                    self.unit.take(&Event::Property(property), place);
                }
                None => self.unit.take(&Event::Gap(bytes), place),
            }
            start += bytes.len();
        }
    }

    fn set_charset(&mut self, place: &Place) {
        (self.context.charset, self.context.charset_source) = place.sure_charset();
        self.unit.set_charset(self.context.charset);
    }

    /// Makes room for `len` more bytes of a node, if necessary by starting a new piece of it.
    fn reserve(&mut self, len: usize) {
        if self.unit.is_node() && self.unit.is_full(len) {
            self.flush(false);
            self.unit.reset(UnitKind::Node { begins: false, ends: false });
            self.has_unit = true;
        }
    }
}

impl<W: Write> Sink for Rewriter<W> {
    // Passing nodes are handled inline, in registers. Other events go by value, so that the event itself need not be in
    // memory.
    #[inline(always)]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        let is_taken = match event {
            Event::NodeStart { supplied: false } => self.start_passing(place),
            event => self.passing.is_node && self.pass(event),
        };
        if !is_taken {
            self.take(*event, *place);
        }
        if self.pipeline.failed.is_some() { Flow::Stop } else { Flow::Go }
    }
}

impl<W: Write> Rewriter<W> {
    /// Handles an event outside of passing nodes.
    #[inline(never)]
    fn take(&mut self, event: Event<'_>, place: Place) {
        let (event, place) = (&event, &place);
        let is_in_node =
            !matches!(event, Event::NodeStart { .. } | Event::VariationStart { .. } | Event::VariationEnd { .. });
        if self.passing.is_node && is_in_node {
            self.stop_passing();
        }
        if self.state.in_root() || (place.depth == 1 && matches!(event, Event::VariationStart { .. })) {
            let _ = self.state.event(event, place);
        }
        match event {
            Event::VariationStart(variation) => {
                self.flush(true);
                self.context.in_root = false;
                if place.depth == 1 {
                    self.in_game = true;
                    self.passing.answers = [None; Key::COUNT];
                    self.context = Context { in_root: true, on_main_line: true, ..Context::default() };
                }
                self.begin(UnitKind::Open, place);
                self.unit.set_mark(*variation, place.span.start);
            }
            Event::NodeStart { supplied } => {
                let is_root = self.context.in_root && self.has_unit && self.unit.kind() == UnitKind::Open;
                self.begin(UnitKind::Node { begins: true, ends: false }, place);
                self.context.in_root = is_root;
                self.unit.set_mark(Variation { depth: place.depth, supplied: *supplied }, place.span.start);
            }
            Event::VariationEnd(variation) => {
                // The charset at the end of a root is the one by which the root is read.
                self.flush(true);
                self.context.in_root = false;
                self.begin(UnitKind::Close, place);
                self.unit.set_mark(*variation, place.span.start);
                self.context.on_main_line = false;
                if place.depth == 1 {
                    self.flush(true);
                    self.in_game = false;
                }
            }
            _ if event.ident().is_some() => {
                self.reserve(event.as_bytes().len());
                self.set_charset(place);
                self.unit.take(event, place.span.start);
            }
            Event::Gap(bytes) => {
                if self.in_game {
                    self.reserve(bytes.len());
                } else if !self.has_unit || self.unit.kind() != UnitKind::Between || self.unit.is_full(0) {
                    self.begin(UnitKind::Between, place);
                }
                self.unit.take(event, place.span.start);
            }
            Event::Problem(problem) => {
                let closes = self.pipeline.needs_wellformed || self.pipeline.closes;
                if closes && problem.code == Code::UnclosedValue && self.unit.is_node() {
                    self.unit.close_last_value();
                }
                if self.has_unit {
                    self.unit.take(event, place.span.start);
                }
            }
            _ => {}
        }
    }
}
