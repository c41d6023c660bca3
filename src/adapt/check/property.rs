//! One property: what its identifier means, whether it may stand here, and its
//! values one by one.

use crate::base::{Code, Span};
use crate::event::{Ident, RawValue};
use crate::game::{Definition, Fit, Found, Game, Origin, PropertyType, ValueType};
use crate::value::{ListKind, Number, Repair};

use super::checker::Checker;
use super::facts::Settled;
use super::finding::{found, shown};
use super::idents::Inserted;
use super::node::{Node, Turn};
use super::points::Group;
use super::report::Remembered;
use super::values::{Read, Verdict};
use super::{Remedy, game_info, values};

/// The property at hand.
#[derive(Debug, Default)]
pub(super) struct Current {
    pub(super) id: Vec<u8>,
    pub(super) judged: Option<Judged>,
    pub(super) values: u64,
    /// The empty value that a list began with.
    pub(super) was_empty: Option<Span>,
    pub(super) said_many: bool,
    pub(super) said_newer: bool,
}

/// How its values are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judged {
    pub(super) definition: &'static Definition,
    pub(super) compressible: bool,
    pub(super) group: Option<Group>,
}

impl Checker<'_> {
    /// The identifier: is it known, may it stand here, was it here before?
    pub(super) fn begin_property(&mut self, id: &[u8], first: &[u8], span: Span) {
        self.current.id.clear();
        self.current.id.extend_from_slice(id);
        self.current.values = 0;
        self.current.was_empty = None;
        self.current.said_many = false;
        self.current.said_newer = false;
        self.current.judged = None;
        let Settled { game, ff, .. } = self.settled;
        let found = match id {
            b"CP" if game == Game::Backgammon => Definition::find_with_value(game, ff, id, first),
            id => self.lexicon.find(id),
        };
        let is_list = found.is_none_or(|found| found.definition.list_kind != ListKind::Single);
        self.node.look_for_again(&mut self.report, id, is_list, span);
        let Some(found) = self.known(id, found, span) else {
            return;
        };
        let Found { definition, .. } = found;
        let compressible = definition.is_compressible(game);
        self.current.judged = Some(Judged { definition, compressible, group: Group::of(game, id) });
        if definition.origin == Origin::Private {
            return;
        }
        if id == b"IP" && game == Game::Hex {
            // Typed game-info, and it stands in the middle of a game (H-23).
            return self.initial_position(span);
        }
        self.node.place(&mut self.report, definition.property_type, id, span, &mut self.info_at);
        match definition.property_type {
            PropertyType::Move | PropertyType::None => {
                self.annotations.look(&mut self.report, id, span);
            }
            _ => {}
        }
        if game.move_ids().contains(Ident::new(id)) && is_action(game, first) {
            self.node.look_at_move(&mut self.report, id, span);
            let turn = Turn::of(&self.settled.dialect, id, first);
            Node::look_for_turn(&mut self.report, turn, self.options.legality, id, span);
        }
    }

    fn initial_position(&mut self, span: Span) {
        if self.has_initial_position {
            let message = "expected one `IP` in a game of Hex, found another".to_owned();
            self.report.say(Code::RepeatedInitialPosition, span, message, Some(Remedy::DropProperty));
        }
        self.has_initial_position = true;
    }

    /// What is said of the identifier itself, once a game. `None`: its values
    /// mean nothing here.
    #[inline]
    fn known(&mut self, id: &[u8], found: Option<Found>, span: Span) -> Option<Found> {
        match found {
            Some(found)
                if found.fit == Fit::Exact && matches!(found.definition.origin, Origin::Standard | Origin::Dialect) =>
            {
                Some(found)
            }
            found => self.not_quite_known(id, found, span),
        }
    }

    #[cold]
    fn not_quite_known(&mut self, id: &[u8], found: Option<Found>, span: Span) -> Option<Found> {
        let Settled { game, ff, has_ff, .. } = self.settled;
        let is_new = match self.said.insert(id) {
            Inserted::New => true,
            Inserted::Again => false,
            Inserted::Full => {
                self.report.limit(Remembered::Identifiers, span);
                false
            }
        };
        let name = shown(id);
        let mut say = |code, message: String, remedy| {
            if is_new {
                self.report.say(code, span, message, remedy);
            }
        };
        let stated = if has_ff { format!("FF[{ff}]") } else { format!("FF[{ff}], the default") };
        match found {
            Some(found) if found.fit == Fit::OtherVersion => {
                let versions = (1..=4).filter(|&ff| found.definition.versions.contains(ff));
                let versions: Vec<_> = versions.map(|ff| format!("FF[{ff}]")).collect();
                let versions = versions.join(" and ");
                let message = format!("expected a property of {stated}, found `{name}` of {versions}");
                // FF[4] has it, or nothing that could be stated does.
                let states_version = ff < 4 && found.definition.versions.contains(4);
                say(Code::OtherVersionProperty, message, states_version.then_some(Remedy::StateVersion));
                Some(found)
            }
            Some(found) if found.definition.id == "KI" && found.fit == Fit::Exact => {
                let message = "expected `KM`, found `KI`, which is twice the komi".to_owned();
                say(Code::KomiInHalves, message, Some(Remedy::Rename("KM")));
                Some(found)
            }
            Some(found) if found.fit == Fit::Exact && found.definition.origin == Origin::OldDialect => Some(found),
            Some(found) if found.fit == Fit::Exact => {
                let message = format!(
                    "expected a property of the format, found `{name}` of one program: {}",
                    found.definition.description
                );
                say(Code::PrivateProperty, message, None);
                Some(found)
            }
            Some(found) if found.definition.origin == Origin::Standard => {
                let message = format!(
                    "expected a property of {}, found `{name}` of another game: {}",
                    game.name(),
                    found.definition.description
                );
                say(Code::OtherGameProperty, message, None);
                None
            }
            _ => {
                let has_digit = id.iter().any(u8::is_ascii_digit);
                if has_digit && ff == 4 && !game.is_boardspace() && game.variant().is_none() && game != Game::Other {
                    let message = format!("expected letters in an FF[4] identifier, found `{name}`");
                    say(Code::DigitInIdentifier, message, None);
                } else {
                    let message = format!("expected a property of the format, found `{name}`, which nothing defines");
                    say(Code::UnknownProperty, message, None);
                }
                if id.len() > 2 {
                    let message = format!("expected one or two capitals in an identifier, found `{name}`");
                    say(Code::LongIdentifier, message, None);
                }
                None
            }
        }
    }

    #[inline]
    pub(super) fn value(&mut self, value: RawValue<'_>, span: Span) {
        let Some(judged) = self.current.judged else {
            return;
        };
        let definition = judged.definition;
        let raw = value.as_bytes();
        if !self.count(judged, raw, span) {
            return;
        }
        if has_text(definition.value_type) {
            self.texts.check(&mut self.report, value, span);
        }
        if raw.is_empty() && self.empty_value(judged, span) {
            return;
        }
        if definition.origin == Origin::Private {
            return;
        }
        let Settled { dialect, ff, .. } = self.settled;
        if let Some(verdict) = game_info::judge(&dialect, ff, &self.current.id, raw) {
            if let Some(verdict) = verdict {
                self.say(verdict, span);
            } else if self.current.id == b"HA" {
                let number = Number::parse(raw).map_or(0, Number::get);
                self.node.handicap = Some((number, span));
            }
            return;
        }
        let (read, verdict) = values::judge(&dialect, definition.value_type, judged.compressible, raw);
        if let Some(verdict) = verdict {
            self.say(verdict, span);
        }
        self.remember(judged, read, raw, span);
    }

    /// The number of values against the kind of list. False if the value is
    /// not to be judged.
    #[inline]
    pub(super) fn count(&mut self, judged: Judged, raw: &[u8], span: Span) -> bool {
        self.current.values += 1;
        if self.current.values == 1 {
            return true;
        }
        match judged.definition.list_kind {
            ListKind::Single => {
                // Pentobi before 0.3 wrote a piece as a list of points (P-39).
                if matches!(judged.definition.value_type, ValueType::Piece) {
                    return false;
                }
                if !std::mem::replace(&mut self.current.said_many, true) {
                    let id = shown(&self.current.id);
                    let message = format!("expected one value of `{id}`, found another: {}", found(raw));
                    let remedy = (!self.is_move()).then_some(Remedy::KeepFirst);
                    self.report.say(Code::TooManyValues, span, message, remedy);
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
        let code = if id == "VW" { Code::FaultyView } else { Code::EmptyValue };
        let message = format!("expected an empty value of `{id}` alone, found others beside it");
        self.report.say(code, span, message, Some(Remedy::DropValue));
    }

    /// An empty value: true if that is all there is to say.
    #[cold]
    fn empty_value(&mut self, judged: Judged, span: Span) -> bool {
        let definition = judged.definition;
        let id = shown(&self.current.id);
        let game = self.settled.game;
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
            _ if definition.origin == Origin::Private => true,
            // IP's value should be empty (H-23).
            _ if id == "IP" && game == Game::Hex => true,
            ValueType::SimpleText | ValueType::Text if definition.property_type != PropertyType::Root => {
                let message = format!("expected some text in `{id}`, found an empty value");
                self.report.say(Code::UselessEmptyValue, span, message, Some(Remedy::DropProperty));
                true
            }
            ValueType::Move if self.settled.ff < 4 && game.has_two_letter_points() => {
                let ff = self.settled.ff;
                let message = format!("expected the pass `tt` in FF[{ff}], found an empty value");
                let remedy = match self.settled.dialect.size().longer() {
                    ..=19 => Remedy::Rewrite { repair: Repair::Spelling, value: b"tt".to_vec() },
                    _ => Remedy::StateVersion,
                };
                self.report.say(Code::EmptyPassInOldVersion, span, message, Some(remedy));
                true
            }
            _ => false,
        }
    }

    /// Points that may stand once, and what is newer than the stated version.
    #[inline]
    fn remember(&mut self, judged: Judged, read: Read, raw: &[u8], span: Span) {
        if let Read::Rectangle(entry) = read {
            if self.current.id == b"AB" {
                self.node.black_stones += entry.len() as u64;
            }
            if self.settled.ff < 4 && !std::mem::replace(&mut self.current.said_newer, true) {
                self.old_rectangle(raw, span);
            }
        } else if self.current.id == b"AB" && read != Read::Nothing {
            self.node.black_stones += 1;
        }
        if let Some(group) = judged.group {
            self.points.look(&mut self.report, group, &self.current.id, read, raw, span);
        }
        if group_is_old_view(judged, self.settled.ff) && self.current.values == 3 {
            let message = "expected two corners of `VW` in FF[3], found more points".to_owned();
            self.report.say(Code::FaultyView, span, message, Some(Remedy::StateVersion));
        }
    }

    #[cold]
    fn old_rectangle(&mut self, raw: &[u8], span: Span) {
        let message = format!("expected single points below FF[4], found the rectangle {}", found(raw));
        self.report.say(Code::NewerFeature, span, message, Some(Remedy::StateVersion));
    }

    /// True if the current property holds moves.
    fn is_move(&self) -> bool {
        self.settled.game.move_ids().contains(Ident::new(&self.current.id))
    }

    #[cold]
    pub(super) fn say(&mut self, verdict: Verdict, span: Span) {
        let Verdict { code, message, remedy } = verdict;
        // A move is never dropped.
        let remedy = remedy.filter(|remedy| *remedy != Remedy::DropValue || !self.is_move());
        let message = format!("in `{}`: {message}", shown(&self.current.id));
        self.report.say(code, span, message, remedy);
    }
}

/// `VW` below FF\[4\] is two corners (spec Ver-04, E-05).
fn group_is_old_view(judged: Judged, ff: u8) -> bool {
    judged.group == Some(Group::View) && ff == 3
}

/// Boardspace gives players and their times under the identifiers of moves;
/// moves begin with their number.
fn is_action(game: Game, value: &[u8]) -> bool {
    let is_boardspace = game.is_boardspace() || game == Game::Other;
    !is_boardspace || value.trim_ascii_start().first().is_none_or(u8::is_ascii_digit)
}

/// Some of it is Text or SimpleText.
#[inline]
fn has_text(value_type: ValueType) -> bool {
    match value_type {
        ValueType::SimpleText | ValueType::Text => true,
        ValueType::Compose(_, second) => second.is_text(),
        ValueType::FIGURE | ValueType::NUMBER_OR_NAME => true,
        _ => false,
    }
}
