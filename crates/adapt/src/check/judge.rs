//! Checks the tokens of a game: the meaning and place of each identifier, each value, and the
//! properties of a node together.

use sgfstream::{Code, Framing, Ident, Problem, Property, RawValue, Severity, Span};
use sgfstream_game::go::handicap_points;
use sgfstream_game::pentobi::{canonical_ident, is_foreign};
use sgfstream_game::value::{ListKind, Number, PointEntry, Repair};
use sgfstream_game::{
    Facts, Game, Side,
    board::Turn,
    facts::is_setup,
    internal::{Fit, Key, Lookup},
    property::{Definition, Origin, PropertyType, ValueType},
};

use crate::borders::Borders;

use super::annotations::Annotations;
use super::context::GameContext;
use super::finding::{found, shown};
use super::idents::{IdentSet, Inserted};
use super::node::Node;
use super::points::{Group, Points};
use super::replay::Legality;
use super::report::{CheckerMemory, Reporter};
use super::texts::{Texts, swallowed_node};
use super::values::{Defect, Read};
use super::{CheckOptions, Remedy, game_info, values};

/// State of the current property.
#[derive(Debug, Default)]
struct Current {
    id: Vec<u8>,
    key: Key,
    judged: Option<ValueRules>,
    values: u64,
    /// The empty value that an `elist` began with.
    was_empty: Option<Span>,
    said_many: bool,
    said_newer: bool,
}

/// Rules for the values of the current property.
#[derive(Clone, Copy, Debug)]
struct ValueRules {
    definition: &'static Definition,
    compressible: bool,
    group: Option<Group>,
}

/// Checks the tokens of a game, and remembers earlier ones to compare with.
pub(super) struct GameValidator<'f> {
    pub(super) legality: bool,
    /// Offset of the game.
    start: u64,
    /// Texts of the game that lack a `\`.
    borders: Borders,
    pub(super) report: Reporter<'f>,
    pub(super) context: GameContext,
    pub(super) node: Node,
    points: Points,
    annotations: Annotations,
    texts: Texts,
    pub(super) replay: Legality,
    current: Current,
    /// The depth of the node with game information on the current path.
    info_at: Option<u64>,
    /// Identifiers of this game that were reported.
    reported: IdentSet,
    has_initial_position: bool,
    /// A move of this game was a list of points, and that has been reported.
    has_old_list: bool,
    /// The size of the board is the one of the second node.
    has_late_size: bool,
    /// A game without FF has properties of versions above the default, and that has been reported.
    said_without_version: bool,
}

impl<'f> GameValidator<'f> {
    /// Returns a validator at the start of a game.
    pub(super) fn of(facts: &Facts<'_>, options: CheckOptions, mut report: Reporter<'f>) -> Self {
        let context = GameContext::of(facts);
        report.ff = context.ff;
        report.dialect = Some(context.dialect);
        Self {
            legality: options.legality,
            start: facts.record().span().start,
            borders: Borders::of_game(facts),
            report,
            context,
            node: Node::of(facts),
            has_late_size: facts.has_late_size(),
            points: Points::default(),
            annotations: Annotations::default(),
            texts: Texts::of(facts),
            replay: Legality::default(),
            current: Current::default(),
            info_at: None,
            reported: IdentSet::default(),
            has_initial_position: false,
            has_old_list: false,
            said_without_version: false,
        }
    }

    /// Checks what the root says of its game. The game begins at `start`.
    pub(super) fn check_root(&mut self, facts: &Facts<'_>, start: Span) {
        let GameContext { game, has_ff, .. } = self.context;
        let has_points = self.context.dialect.has_points();
        self.report
            .path
            .set_turn(Turn::at_start(game, facts.handicap().is_some()));
        if self.legality && !self.replay.start_game(facts) && (has_points || game.is_boardspace()) {
            let message = format!("moves of {} cannot be replayed", game.name());
            self.report.add(Code::UncheckedGame, start, message, None);
        }
        if !has_ff {
            let message = "the root has no `FF`; by the specification it means FF[1]";
            self.report
                .add(Code::MissingVersion, start, message, Remedy::StateVersion);
        }
        if !has_points && !game.is_boardspace() {
            let message = format!(
                "no document defines the points of {}; they are not checked",
                game.name()
            );
            self.report.add(Code::UncheckedGame, start, message, None);
        }
    }

    pub(super) fn start_variation(&mut self, span: Span) {
        self.end_node();
        if !self.report.path.push() {
            self.report.limit(CheckerMemory::Variations, span);
        }
        self.replay.push(&mut self.report, span);
    }

    pub(super) fn end_variation(&mut self) {
        self.end_node();
        let depth = self.report.path.depth();
        if self.info_at == Some(depth) {
            self.info_at = None;
        }
        if depth > 1 {
            self.replay.pop();
        }
        self.report.path.pop();
    }

    #[inline(always)]
    pub(super) fn start_node(&mut self, span: Span) {
        self.end_node();
        self.report.path.node();
        self.node.start(span);
        self.points.start_node();
        self.annotations.start_node();
    }

    #[inline(always)]
    fn end_node(&mut self) {
        if self.node.is_open {
            self.replay.end_node(&mut self.report);
            self.annotations
                .end_node(&mut self.report, self.node.has_move());
            self.node.end(&mut self.report);
        }
    }

    #[cold]
    pub(super) fn problem(&mut self, problem: Problem) {
        let message = problem.code.message();
        let place = problem.span.start.saturating_sub(self.start) as usize;
        let remedy = Remedy::of_text(&self.borders, place, self.start);
        let remedy = remedy.or_else(|| Remedy::of_reader(problem.code));
        self.report.add(problem.code, problem.span, message, remedy);
    }

    /// Checks a property. Without `TAKES_POINTS`, each value takes the general path.
    pub(super) fn property<const TAKES_POINTS: bool>(
        &mut self,
        property: &Property<'_>,
        span: Span,
    ) {
        let ident = property.ident();
        let canonical = ident.canonical();
        let ident_span = Span::new(span.start, span.start + ident.as_bytes().len() as u64);
        let is_of_board =
            is_setup(Ident::new(&canonical)) || self.context.game.move_ids().contains(ident);
        self.report.is_of_board = is_of_board;
        self.begin_property(
            Key::of(ident),
            &canonical,
            property.first().as_bytes(),
            ident_span,
        );
        let base = property.as_bytes().as_ptr() as usize;
        for value in property.values() {
            let bytes = value.as_bytes();
            // Values are slices of their property, so their addresses give their offsets.
            let start = span.start + (bytes.as_ptr() as usize - base) as u64;
            let span = Span::new(start, start + bytes.len() as u64);
            if !TAKES_POINTS || !self.take_point(bytes, span) {
                self.value(value, span);
            }
        }
        if self.legality {
            self.replay
                .apply(&mut self.report, property, &canonical, span);
        }
        self.report.is_of_board = false;
    }

    /// Checks the identifier: whether it is known, may occur here, and occurs for the first time in
    /// the node.
    fn begin_property(&mut self, key: Key, id: &[u8], first: &[u8], span: Span) {
        self.current.id.clear();
        self.current.id.extend_from_slice(id);
        self.current.key = key;
        self.current.values = 0;
        self.current.was_empty = None;
        self.current.said_many = false;
        self.current.said_newer = false;
        self.current.judged = None;
        let GameContext { game, ff, .. } = self.context;
        let found = Definition::find_with_value(game, ff, id, first);
        let is_list = found.is_none_or(|found| found.definition.list_kind != ListKind::Single);
        self.node
            .look_for_again(&mut self.report, key, Ident::new(id), is_list, span);
        let found = match game
            .variant()
            .map(|variant| (canonical_ident(variant, id), is_foreign(variant, id)))
        {
            Some((_, true)) => self.check_color(id, found, span),
            Some((current, _)) if *current != *id => self.older(id, found, &current, span),
            _ => self.known(id, found, span),
        };
        let Some(found) = found else { return };
        let Lookup { definition, .. } = found;
        let compressible = definition.is_compressible(game) && !definition.is_of_program();
        self.current.judged = Some(ValueRules {
            definition,
            compressible,
            group: Group::of(game, key),
        });
        if definition.is_of_program() {
            return;
        }
        if key == Key::IP && game == Game::Hex {
            // The position may be set in the middle of a game, though IP is game information
            // (H-23).
            return self.initial_position(span);
        }
        let is_new_size = |size| self.has_late_size || size != self.context.dialect.size();
        let is_other_size = key == Key::SZ
            && game
                .read_size(first)
                .sure()
                .is_some_and(|read| is_new_size(read.value));
        self.node.place(
            &mut self.report,
            definition.property_type,
            Ident::new(id),
            span,
            &mut self.info_at,
            is_other_size,
        );
        match definition.property_type {
            PropertyType::Move | PropertyType::None => {
                self.annotations.check(&mut self.report, key, span);
            }
            _ => {}
        }
        let id = Ident::new(id);
        if game.move_ids().plays(id, first).is_some() {
            self.node.look_at_move(&mut self.report, id, span);
            Node::look_for_turn(
                &mut self.report,
                &self.context.dialect,
                first,
                self.legality,
                id,
                span,
            );
        }
    }

    /// Reports an identifier of a player or color that this variant of Pentobi lacks (spec P-15 to
    /// P-18, P-24).
    #[cold]
    fn check_color(&mut self, id: &[u8], found: Option<Lookup>, span: Span) -> Option<Lookup> {
        if self.reported.insert(self.current.key, id) == Inserted::New {
            let game = self.context.game.name();
            let message = format!("no player or color `{}` in {game}", shown(id));
            self.report
                .add(Code::OtherGameProperty, span, message, None);
        }
        found
    }

    /// Reports an identifier that an older version of Pentobi wrote (spec P-21, P-22), and returns
    /// the definition of the current one.
    #[cold]
    fn older(
        &mut self,
        id: &[u8],
        found: Option<Lookup>,
        current: &[u8],
        span: Span,
    ) -> Option<Lookup> {
        if self.reported.insert(self.current.key, id) == Inserted::New {
            let message = format!(
                "current versions write `{}`, found `{}`",
                shown(current),
                shown(id)
            );
            self.report.add(Code::OlderForm, span, message, None);
        }
        let GameContext { game, ff, .. } = self.context;
        found
            .filter(|found| found.fit == Fit::Exact)
            .or_else(|| Definition::find(game, ff, current))
    }

    /// Reports a piece that is written as a list of points, as Pentobi did before 0.3 (spec P-39).
    #[cold]
    fn old_list(&mut self, span: Span) {
        if !std::mem::replace(&mut self.has_old_list, true) {
            let id = shown(&self.current.id);
            let message = format!(
                "expected the points of a piece in one value of `{id}`, found a list of points"
            );
            self.report.add(Code::OlderForm, span, message, None);
        }
    }

    fn initial_position(&mut self, span: Span) {
        if self.has_initial_position {
            let message = "the Hex game has more than one `IP`";
            self.report.add(
                Code::RepeatedInitialPosition,
                span,
                message,
                Remedy::DropProperty,
            );
        }
        self.has_initial_position = true;
    }

    /// Reports an unknown or unusual identifier, once a game. Returns `None` if the values have no
    /// meaning in this game.
    #[inline]
    fn known(&mut self, id: &[u8], found: Option<Lookup>, span: Span) -> Option<Lookup> {
        match found {
            Some(found)
                if found.fit == Fit::Exact
                    && matches!(
                        found.definition.origin,
                        Origin::Standard | Origin::Dialect | Origin::Analysis
                    ) =>
            {
                Some(found)
            }
            found => self.report_unknown_property(id, found, span),
        }
    }

    #[cold]
    fn report_unknown_property(
        &mut self,
        id: &[u8],
        found: Option<Lookup>,
        span: Span,
    ) -> Option<Lookup> {
        let GameContext {
            game, ff, has_ff, ..
        } = self.context;
        let is_new = match self.reported.insert(self.current.key, id) {
            Inserted::New => true,
            Inserted::Again => false,
            Inserted::Full => {
                self.report.limit(CheckerMemory::Identifiers, span);
                false
            }
        };
        let name = shown(id);
        let mut add = |code, message: String, remedy| {
            if is_new {
                self.report.add(code, span, message, remedy);
            }
        };
        match found {
            Some(found) if found.fit == Fit::OtherVersion => {
                let versions = (1..=4).filter(|&ff| found.definition.versions.contains(ff));
                let versions: Vec<_> = versions.map(|ff| format!("FF[{ff}]")).collect();
                let versions = versions.join(" and ");
                // A repair only ever declares `FF[4]`.
                let states_version = ff < 4 && found.definition.versions.contains(4);
                let remedy = states_version.then_some(Remedy::StateVersion);
                if has_ff {
                    let message =
                        format!("`{name}` belongs to {versions}, and the game declares FF[{ff}]");
                    add(Code::OtherVersionProperty, message, remedy);
                } else if !std::mem::replace(&mut self.said_without_version, true) {
                    // FF[1], the default, is rarely intended. Report the missing `FF` once, and not
                    // each property.
                    let message =
                        format!("the game has `{name}`, which belongs to {versions}, and no `FF`");
                    self.report.add_as(
                        Severity::Note,
                        Code::OtherVersionProperty,
                        span,
                        message,
                        remedy,
                    );
                }
                Some(found)
            }
            Some(found) if found.definition.id == "KI" && found.fit == Fit::Exact => {
                let message = "expected `KM`, found `KI`, which is twice the komi".to_owned();
                add(Code::KomiInHalves, message, Some(Remedy::Rename("KM")));
                Some(found)
            }
            Some(found)
                if found.fit == Fit::Exact && found.definition.origin == Origin::OldDialect =>
            {
                Some(found)
            }
            Some(found) if found.fit == Fit::Exact => {
                let message = format!(
                    "`{name}` belongs to a single program: {}",
                    found.definition.description
                );
                add(Code::PrivateProperty, message, None);
                Some(found)
            }
            Some(found) if found.definition.origin == Origin::Standard => {
                let message = format!(
                    "`{name}` does not belong to {} but to another game: {}",
                    game.name(),
                    found.definition.description
                );
                add(Code::OtherGameProperty, message, None);
                None
            }
            _ => {
                let has_digit = id.iter().any(u8::is_ascii_digit);
                if has_digit
                    && ff == 4
                    && !game.is_boardspace()
                    && game.variant().is_none()
                    && game != Game::Other
                {
                    let message =
                        format!("expected letters in an FF[4] identifier, found `{name}`");
                    add(Code::DigitInIdentifier, message, None);
                } else {
                    let message =
                        format!("no version, game or known program has a property `{name}`");
                    add(Code::UnknownProperty, message, None);
                }
                if id.len() > 2 {
                    let message = format!(
                        "expected one or two capital letters in an identifier, found `{name}`"
                    );
                    add(Code::LongIdentifier, message, None);
                }
                None
            }
        }
    }

    #[inline]
    fn value(&mut self, value: RawValue<'_>, span: Span) {
        let Some(judged) = self.current.judged else {
            return;
        };
        let definition = judged.definition;
        let raw = value.as_bytes();
        if !self.count(judged, raw, span) {
            return;
        }
        if values::has_text(definition.value_type) {
            self.texts.check(&mut self.report, value, span);
            // A repair writes `XK`, so what it holds is no evidence.
            if self.current.id != b"XK"
                && let Some(defect) = swallowed_node(&self.context.dialect, raw)
            {
                self.add(defect, span);
            }
        }
        if raw.is_empty() && self.empty_value(judged, span) {
            return;
        }
        if definition.is_of_program() {
            return;
        }
        let GameContext { dialect, ff, .. } = self.context;
        let in_root = self.report.path.is_root();
        let text = self.texts.as_utf8(raw);
        let (raw, is_decoded) = (text.as_deref().unwrap_or(raw), text.is_some());
        // A text may escape any character (spec T-02), and `get` reads it without escapes.
        let unescaped = match definition.value_type {
            ValueType::SimpleText if raw.contains(&b'\\') => {
                RawValue::new(raw, Framing::Value).unescaped()
            }
            _ => raw.into(),
        };
        let raw = &*unescaped;
        if self.current.key == Key::PL
            && let Some(side) = Side::named_in(self.context.game, raw)
        {
            self.report.path.set_turn(Turn::Named(side));
        }
        if self.current.key == Key::CA && in_root {
            self.texts.check_declared(&mut self.report, value, span);
        }
        if let Some(defect) =
            game_info::judge(definition, &dialect, ff, in_root, self.current.key, raw)
        {
            if let Some(defect) = defect {
                self.add_encoded(defect, is_decoded, span);
            } else if self.current.key == Key::HA {
                let number = Number::parse(raw).map_or(0, Number::get);
                self.node.handicap = Some((number, span));
                let usual = u8::try_from(number)
                    .ok()
                    .and_then(|stones| handicap_points(dialect.size(), stones));
                self.node.has_usual_stones = usual.is_some();
            }
            return;
        }
        let (read, defect) =
            values::judge(&dialect, definition.value_type, judged.compressible, raw);
        if let Some(defect) = defect {
            if self.is_move() && self.context.is_late_border(raw) {
                return self.take_for_kropki();
            }
            self.add_encoded(defect, is_decoded, span);
        }
        self.remember(judged, read, raw, span);
    }

    /// Takes a point of a list, if it is on the board. Returns false and changes nothing for any
    /// other value.
    #[inline(always)]
    fn take_point(&mut self, raw: &[u8], span: Span) -> bool {
        let (Some(judged), 2) = (self.current.judged, raw.len()) else {
            return false;
        };
        let Some(group) = judged
            .group
            .filter(|&group| judged.compressible && group != Group::View)
        else {
            return false;
        };
        let Ok(entry) = PointEntry::parse(raw) else {
            return false;
        };
        if !entry.lower_right().is_on(self.context.dialect.size())
            || self.current.was_empty.is_some()
        {
            return false;
        }
        self.current.values += 1;
        self.node.black_stones += u64::from(self.current.key == Key::AB);
        let id = Ident::new(&self.current.id);
        self.points
            .look_at_points(&mut self.report, group, id, entry, raw, span);
        true
    }

    #[cold]
    fn take_for_kropki(&mut self) {
        self.context = self.context.as_kropki();
        // The board captured stones by the rules of Go, which a border does not capture.
        self.replay.stop();
    }

    /// Checks the number of values against the kind of list. Returns false if the value needs no
    /// further check.
    #[inline]
    fn count(&mut self, judged: ValueRules, raw: &[u8], span: Span) -> bool {
        self.current.values += 1;
        if self.current.values == 1 {
            return true;
        }
        match judged.definition.list_kind {
            ListKind::Single => {
                if matches!(judged.definition.value_type, ValueType::Piece) {
                    self.old_list(span);
                    return true;
                }
                if !std::mem::replace(&mut self.current.said_many, true) {
                    let id = shown(&self.current.id);
                    let message = format!("`{id}` allows one value, found another: {}", found(raw));
                    let remedy = (!self.is_move()).then_some(Remedy::KeepFirst);
                    self.report.add(Code::TooManyValues, span, message, remedy);
                }
                false
            }
            ListKind::Elist => {
                if let Some(empty) = self.current.was_empty
                    && !std::mem::replace(&mut self.current.said_many, true)
                {
                    self.empty_among_others(empty);
                }
                true
            }
            _ => true,
        }
    }

    #[cold]
    fn empty_among_others(&mut self, span: Span) {
        let id = shown(&self.current.id);
        let code = if id == "VW" {
            Code::FaultyView
        } else {
            Code::EmptyValue
        };
        let message = format!("an empty value of `{id}` must be alone, found other values with it");
        self.report.add(code, span, message, Remedy::DropValue);
    }

    /// Checks an empty value. Returns whether that completes its checks.
    #[cold]
    fn empty_value(&mut self, judged: ValueRules, span: Span) -> bool {
        let definition = judged.definition;
        let id = shown(&self.current.id);
        let game = self.context.game;
        if definition.list_kind == ListKind::Elist {
            if self.current.values > 1 {
                if !self.current.said_many {
                    self.current.said_many = true;
                    self.empty_among_others(span);
                }
            } else {
                self.current.was_empty = Some(span);
            }
            return true;
        }
        match definition.value_type {
            _ if definition.is_of_program() => true,
            // The value of IP should be empty (H-23).
            _ if id == "IP" && game == Game::Hex => true,
            ValueType::SimpleText | ValueType::Text
                if definition.property_type != PropertyType::Root =>
            {
                let message = format!("the text of `{id}` is empty");
                self.report
                    .add(Code::UselessEmptyValue, span, message, Remedy::DropProperty);
                true
            }
            // Programs mean the usual weight (SGFC 15).
            ValueType::Double => {
                let message = format!("expected `1` or `2` in `{id}`, found an empty value");
                let remedy = Remedy::write(Repair::Spelling, "1");
                self.report.add(Code::EmptyValue, span, message, remedy);
                true
            }
            ValueType::Move if self.context.ff < 4 && game.has_two_letter_points() => {
                let ff = self.context.ff;
                let message = format!("expected the pass `tt` in FF[{ff}], found an empty value");
                let remedy = match self.context.dialect.size().longer() {
                    ..=19 => Remedy::write(Repair::Spelling, "tt"),
                    _ => Remedy::StateVersion,
                };
                self.report
                    .add(Code::EmptyPassInOldVersion, span, message, remedy);
                true
            }
            _ => false,
        }
    }

    /// Remembers the points of a value, to find repeated points, and reports features newer than
    /// the game's version.
    #[inline]
    fn remember(&mut self, judged: ValueRules, read: Read, raw: &[u8], span: Span) {
        if let Read::Rectangle(entry) = read {
            if self.current.key == Key::AB {
                self.node.black_stones += entry.len() as u64;
            }
            if self.context.ff < 4 && !std::mem::replace(&mut self.current.said_newer, true) {
                self.old_rectangle(raw, span);
            }
        } else if self.current.key == Key::AB && read != Read::Nothing {
            self.node.black_stones += 1;
        }
        if let Some(group) = judged.group {
            let id = Ident::new(&self.current.id);
            self.points
                .check_value(&mut self.report, group, id, read, raw, span);
        }
        // In FF[3], VW has two corners (spec Ver-04, E-05).
        if judged.group == Some(Group::View) && self.context.ff == 3 && self.current.values == 3 {
            let message = "`VW` takes two corners in FF[3], found more points";
            self.report
                .add(Code::FaultyView, span, message, Remedy::StateVersion);
        }
    }

    #[cold]
    fn old_rectangle(&mut self, raw: &[u8], span: Span) {
        let message = format!("rectangles of points need FF[4], found {}", found(raw));
        self.report
            .add(Code::NewerFeature, span, message, Remedy::StateVersion);
    }

    /// Returns whether the current property is a move.
    fn is_move(&self) -> bool {
        self.context
            .game
            .move_ids()
            .contains(Ident::new(&self.current.id))
    }

    /// Reports the fault of a value, which `is_decoded` if it was not UTF-8.
    #[cold]
    fn add_encoded(&mut self, defect: Defect, is_decoded: bool, span: Span) {
        let defect = match is_decoded {
            true => self.texts.encoded(defect),
            false => defect,
        };
        self.add(defect, span);
    }

    #[cold]
    fn add(&mut self, defect: Defect, span: Span) {
        let Defect {
            code,
            message,
            remedy,
        } = defect;
        // A repair never drops a move.
        let remedy = remedy.filter(|remedy| *remedy != Remedy::DropValue || !self.is_move());
        let message = format!("in `{}`: {message}", shown(&self.current.id));
        self.report.add(code, span, message, remedy);
    }
}
