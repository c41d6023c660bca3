//! The checker: takes events, holds the root back until the game is known,
//! and sends each property through its checks.

use std::io::Read as IoRead;

use crate::base::{Charset, CharsetSource, Code, Position, Problem, Result, Span};
use crate::event::{Event, Flow, Ident, Place, Property, PropertyPart, RawValue, Sink};
use crate::game::{Dialect, Game, Lexicon, Origin};
use crate::read::{EventReader, Reader, Transcoder};

use super::annotations::Annotations;
use super::facts::{Facts, Settled};
use super::held::{Held, Kind};
use super::idents::IdentSet;
use super::node::Node;
use super::points::Points;
use super::property::Current;
use super::replay::Replay;
use super::report::{Remembered, Report};
use super::texts::{Known, Texts};
use super::{Finding, Remedy, Trail, values};

/// What to check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CheckOptions {
    /// Replay the moves, where a board knows the game's rules.
    pub legality: bool,
}

impl CheckOptions {
    /// The same, and moves are replayed.
    #[must_use]
    pub const fn with_legality(mut self, legality: bool) -> Self {
        self.legality = legality;
        self
    }
}

/// A [`Sink`] that gives a [`Finding`] for everything that is wrong.
///
/// One checker takes the events of one input; [`next_input`](Self::next_input) makes it ready
/// for another. Findings come in the order of the input, but for those of a
/// node as a whole, which come at its end.
///
/// ```
/// use sgfstream::{Code, EventReader, SliceReader};
/// use sgfstream::adapt::check::{CheckOptions, Checker};
///
/// let mut codes = Vec::new();
/// let mut checker = Checker::new(CheckOptions::default(), |finding| codes.push(finding.code));
/// SliceReader::new(b"(;FF[4]GM[1]SZ[9];B[ee]AW[aa];W[zz])").drive(&mut checker)?;
/// drop(checker);
/// assert_eq!(codes, [Code::SetupWithMove, Code::SetupInMainLine, Code::PointOffBoard]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Debug)]
pub struct Checker<'f> {
    pub(super) options: CheckOptions,
    pub(super) report: Report<'f>,
    pub(super) lexicon: Lexicon,
    /// The game is not known yet: events are held back.
    pub(super) is_holding: bool,
    pub(super) held: Held,
    pub(super) facts: Facts,
    pub(super) settled: Settled,
    pub(super) node: Node,
    pub(super) points: Points,
    pub(super) annotations: Annotations,
    pub(super) texts: Texts,
    pub(super) replay: Replay,
    pub(super) current: Current,
    /// The depth of the node with game information on the path.
    pub(super) info_at: Option<u64>,
    /// Identifiers of this game that something was said of.
    pub(super) said: IdentSet,
    pub(super) has_initial_position: bool,
    pub(super) others: Others,
}

/// What other games of the input have said.
#[derive(Debug, Default)]
pub(super) struct Others {
    first: Option<(u8, Game, Option<Charset>)>,
    said_version: bool,
    said_game: bool,
    said_charset: bool,
    said_several: bool,
}

impl<'f> Checker<'f> {
    /// A checker that gives what it finds to `found`.
    #[must_use]
    pub fn new(options: CheckOptions, found: impl FnMut(&Finding) + 'f) -> Self {
        let facts = Facts::default();
        let settled = facts.settle();
        Self {
            options,
            report: Report::new(Box::new(found)),
            lexicon: Lexicon::new(Game::Go, 4),
            is_holding: false,
            held: Held::default(),
            facts,
            settled,
            node: Node::default(),
            points: Points::default(),
            annotations: Annotations::default(),
            texts: Texts::default(),
            replay: Replay::default(),
            current: Current::default(),
            info_at: None,
            said: IdentSet::default(),
            has_initial_position: false,
            others: Others::default(),
        }
    }

    /// True while the beginning of a game waits until it is known what game it
    /// is. While it is not, every finding has been given of the nodes that have
    /// ended.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.is_holding
    }

    /// Ready for the events of another input.
    pub fn next_input(&mut self) {
        self.is_holding = false;
        self.held.clear();
        self.node.is_open = false;
        self.others = Others::default();
        self.report.next_input();
    }

    fn start_game(&mut self, place: &Place) {
        self.is_holding = true;
        self.held.clear();
        self.facts = Facts::default();
        self.report.start_game(place.game);
        self.node.is_open = false;
        self.texts.start_game();
        self.info_at = None;
        self.said.clear();
        self.has_initial_position = false;
        if place.game == 2 && !self.others.said_several {
            self.others.said_several = true;
            let message = "expected one game, found another behind it".to_owned();
            self.report.say(Code::SeveralGames, place.span, message, None);
        }
    }

    /// Keeps an event of a game that is not known yet.
    fn hold(&mut self, event: &Event<'_>, place: &Place) {
        match event {
            Event::NodeStart { .. } if self.held.nodes() > 0 && self.facts.has_enough() => {
                self.settle(place);
                return self.take(event, place.span, place.depth);
            }
            Event::PropertyPart(part) => {
                if self.facts.is_in_root(&self.held) && part.is_property_start() {
                    self.report.limit(Remembered::Root, place.span);
                }
                self.settle(place);
                return self.take(event, place.span, place.depth);
            }
            Event::Property(property) => {
                let in_root = self.facts.is_in_root(&self.held);
                self.facts.observe(property, in_root);
            }
            _ => {}
        }
        self.held.push(event, place.span, place.depth);
        let is_over = matches!(event, Event::VariationEnd { .. }) && place.depth == 1;
        if is_over || self.held.is_full() {
            if !is_over && self.facts.is_in_root(&self.held) {
                self.report.limit(Remembered::Root, place.span);
            }
            self.settle(place);
        }
    }

    /// The game is known: what was held back goes on.
    fn settle(&mut self, place: &Place) {
        self.is_holding = false;
        self.settled = self.facts.settle();
        let Settled { game, ff, has_ff, .. } = self.settled;
        self.report.ff = ff;
        self.lexicon.set(game, ff);
        self.texts.charset = Known { charset: place.charset, source: place.charset_source };
        let held = std::mem::take(&mut self.held);
        let start = if held.len() > 0 { held.get(0).span } else { place.span };
        if self.options.legality {
            if !self.replay.start_game(&self.settled) && self.settled.dialect.has_points() {
                let message = format!("expected a game whose moves can be replayed, found {}", game.name());
                self.report.say(Code::UncheckedGame, start, message, None);
            }
        } else {
            self.replay.stop();
        }
        if !has_ff {
            let message = "expected `FF` in the root, found none; the specification reads FF[1]".to_owned();
            self.report.say(Code::MissingVersion, start, message, Some(Remedy::StateVersion));
        }
        if !self.settled.dialect.has_points() && !game.is_boardspace() {
            let message =
                format!("expected a game whose points are defined, found {}; they are not checked", game.name());
            self.report.say(Code::UncheckedGame, start, message, None);
        }
        self.compare_with_others(place, start);
        for index in 0..held.len() {
            let waiting = held.get(index);
            let event = match waiting.kind {
                Kind::VariationStart => Event::VariationStart { supplied: false },
                Kind::NodeStart => Event::NodeStart { supplied: false },
                Kind::VariationEnd => Event::VariationEnd { supplied: false },
                Kind::Problem(problem) => Event::Problem(problem),
                Kind::Property { start, end, ident_len, framing } => {
                    Event::Property(held.property(start, end, ident_len, framing))
                }
            };
            self.take(&event, waiting.span, waiting.depth);
        }
        self.held = held;
        self.held.clear();
    }

    /// FF, GM and CA of this game against those of the first (SGFC 45, 53, 74).
    fn compare_with_others(&mut self, place: &Place, start: Span) {
        let Settled { game, ff, .. } = self.settled;
        let charset = (place.charset_source >= CharsetSource::Declared).then_some(place.charset);
        let Some((first_ff, first_game, first_charset)) = self.others.first else {
            self.others.first = Some((ff, game, charset));
            return;
        };
        if ff != first_ff && !self.others.said_version {
            self.others.said_version = true;
            let message = format!("expected FF[{first_ff}] as in the first game, found FF[{ff}]");
            self.report.say(Code::DifferentVersions, start, message, None);
        }
        if game != first_game && !self.others.said_game {
            self.others.said_game = true;
            let message = format!("expected {} as the first game is, found {}", first_game.name(), game.name());
            self.report.say(Code::DifferentGames, start, message, None);
        }
        if charset != first_charset && !self.others.said_charset {
            self.others.said_charset = true;
            let name = |charset: Option<Charset>| charset.map_or("none", Charset::name);
            let message =
                format!("expected the charset of the first game, {}, found {}", name(first_charset), name(charset));
            self.report.say(Code::DifferentCharsets, start, message, None);
        }
    }

    /// An event of a game that is known, or of none.
    fn take(&mut self, event: &Event<'_>, span: Span, depth: u64) {
        match event {
            Event::Property(property) => self.property(property, span),
            Event::NodeStart { .. } => {
                self.end_node();
                self.report.path.node();
                self.node.start(span);
                self.points.start_node();
                self.annotations.start_node();
            }
            Event::VariationStart { .. } => {
                self.end_node();
                if depth > 1 {
                    if !self.report.path.push() {
                        self.report.limit(Remembered::Variations, span);
                    }
                    self.replay.push(&mut self.report, span);
                }
            }
            Event::VariationEnd { .. } => {
                self.end_node();
                if self.info_at == Some(depth) {
                    self.info_at = None;
                }
                if depth > 1 {
                    self.replay.pop();
                }
                self.report.path.pop();
            }
            Event::PropertyPart(part) => self.part(part, span),
            Event::Problem(problem) => self.problem(*problem),
            Event::Gap(_) => {}
        }
    }

    fn end_node(&mut self) {
        if self.node.is_open {
            self.replay.end_node(&mut self.report, self.annotations.has_ko());
            self.annotations.end_node(&mut self.report, self.node.has_move);
            self.node.end(&mut self.report);
        }
    }

    #[cold]
    fn problem(&mut self, problem: Problem) {
        let message = problem.code.message().to_owned();
        self.report.say(problem.code, problem.span, message, Remedy::of_reader(problem.code));
    }

    #[inline]
    fn property(&mut self, property: &Property<'_>, span: Span) {
        let ident = property.ident();
        // Nearly every property of every file: a move in Go, on the board.
        if let [letter @ (b'B' | b'W')] = *ident.as_bytes()
            && self.settled.game == Game::Go
            && !self.options.legality
            && let Some(&[column, row]) = property.only().map(RawValue::as_bytes)
            && self.is_on_board(column, row)
            && !self.report.path.is_root()
            && self.node.plain_move(letter)
        {
            let side = if letter == b'B' { 1 } else { 2 };
            if self.report.path.moved(side) == side {
                super::node::two_in_row(&mut self.report, false, ident.as_bytes(), span);
            }
            return;
        }
        self.general_property(property, ident, span);
    }

    #[inline(always)]
    fn is_on_board(&self, column: u8, row: u8) -> bool {
        let size = self.settled.dialect.size();
        // Capitals are the rare case.
        u32::from(column.wrapping_sub(b'a')) < size.columns().min(26)
            && u32::from(row.wrapping_sub(b'a')) < size.rows().min(26)
    }

    fn general_property(&mut self, property: &Property<'_>, ident: Ident<'_>, span: Span) {
        let canonical = ident.canonical();
        let ident_span = Span::new(span.start, span.start + ident.as_bytes().len() as u64);
        self.begin_property(&canonical, property.first().as_bytes(), ident_span);
        let base = property.as_bytes().as_ptr() as usize;
        for value in property.values() {
            let bytes = value.as_bytes();
            // Values are slices of their property.
            let start = span.start + (bytes.as_ptr() as usize - base) as u64;
            self.value(value, Span::new(start, start + bytes.len() as u64));
        }
        if self.options.legality {
            self.replay.apply(&mut self.report, property, &canonical, span);
        }
    }

    /// A piece of a property that is too long to be given whole: whole values
    /// are judged as ever, pieces as text.
    fn part(&mut self, part: &PropertyPart<'_>, span: Span) {
        let content = part.content();
        if part.is_property_start() {
            let ident = part.ident();
            let canonical = ident.canonical();
            let ident_span = Span::new(span.start, span.start + ident.as_bytes().len() as u64);
            self.begin_property(&canonical, content.as_bytes(), ident_span);
        }
        let base = part.as_bytes().as_ptr() as usize;
        let start = span.start + (content.as_bytes().as_ptr() as usize - base) as u64;
        let at = Span::new(start, start + content.as_bytes().len() as u64);
        if part.is_value_start() && part.is_value_end() {
            return self.value(content, at);
        }
        let Some(judged) = self.current.judged else {
            return;
        };
        if judged.definition.value_type.is_text() {
            self.texts.check(&mut self.report, content, at);
        }
        if part.is_value_start() {
            self.count(judged, content.as_bytes(), at);
            if !judged.definition.value_type.is_text() && judged.definition.origin != Origin::Private {
                let verdict = values::unreadable(&judged.definition.value_type.to_string(), content.as_bytes());
                self.say(verdict, at);
            }
        }
    }
}

impl Sink for Checker<'_> {
    #[inline]
    fn event(&mut self, event: &Event<'_>, place: &Place) -> Flow {
        if self.is_holding {
            self.hold(event, place);
        } else {
            if let Event::VariationStart { .. } = event
                && place.depth == 1
            {
                self.start_game(place);
                self.hold(event, place);
                return Flow::Go;
            }
            self.take(event, place.span, place.depth);
        }
        Flow::Go
    }
}

/// Checks an input, with the default options, and gives each finding with its
/// line and column.
///
/// # Errors
///
/// When reading fails.
pub fn check(input: impl IoRead, mut found: impl FnMut(&Finding, Position)) -> Result<()> {
    let trail = Trail::default();
    let mut reader = Reader::new(trail.follow(Transcoder::new(input)));
    let mut checker = Checker::new(CheckOptions::default(), |finding| {
        found(finding, trail.position_of(finding.span.start));
    });
    reader.drive(&mut checker)
}

/// The dialect is a few words; a copy of it is made for each value.
const _: () = assert!(size_of::<Dialect>() <= 48);
