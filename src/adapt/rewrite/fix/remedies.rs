//! Remedies of findings, done to one node.

use std::collections::{BTreeMap, BTreeSet};

use crate::adapt::check::{Finding, Remedy};
use crate::base::Code;
use crate::event::Property;
use crate::game::PropertyType;
use crate::scan::Framing;
use crate::value::{ListKind, Number};

use super::super::repair::without_empty_values;
use super::super::unit::Unit;
use super::super::upgrade::{annotations, joined_into, property_type};
use super::super::{Context, Piece};

/// The findings of a node and the remedies that they name. Values come first,
/// then properties, then the node.
pub(super) struct Remedies<'u> {
    unit: &'u mut Unit,
    at: &'u Context,
    findings: Vec<Finding>,
    /// The number of the property that each is about, as the node was.
    numbers: Vec<Option<usize>>,
    done: Vec<Option<bool>>,
    /// The properties that go.
    dropped: Vec<bool>,
    /// For a property, those that are joined to it.
    merged: BTreeMap<usize, Vec<usize>>,
}

impl<'u> Remedies<'u> {
    pub(super) fn new(unit: &'u mut Unit, at: &'u Context, findings: Vec<Finding>) -> Self {
        let places = unit.places_in_input();
        let number_at = |offset: u64| {
            let number = places.partition_point(|&(start, _)| start <= offset).checked_sub(1)?;
            (offset <= places[number].1).then_some(number)
        };
        let numbers: Vec<_> = findings.iter().map(|finding| number_at(finding.span.start)).collect();
        let done = vec![None; findings.len()];
        let dropped = vec![false; unit.count()];
        Self { unit, at, findings, numbers, done, dropped, merged: BTreeMap::new() }
    }

    /// Each finding, and whether its remedy was done here; nothing for one
    /// that is none of a node's.
    pub(super) fn into_done(self) -> impl Iterator<Item = (Finding, Option<bool>)> {
        self.findings.into_iter().zip(self.done)
    }

    /// Applies them. What is split off goes to `nodes`.
    pub(super) fn apply(&mut self, nodes: &mut Vec<Unit>) {
        let splits = self.splits();
        self.values();
        self.properties(&splits);
        self.merge();
        let dropped = std::mem::take(&mut self.dropped);
        self.unit.retain(|_, number| !dropped[number]);
        self.split(&splits, nodes);
    }

    /// The findings about values, by property.
    fn values(&mut self) {
        let mut by_property: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, finding) in self.findings.iter().enumerate() {
            let is_of_value = match finding.remedy {
                Some(Remedy::Rewrite { .. } | Remedy::DropValue | Remedy::KeepFirst) => true,
                Some(Remedy::AsRead) => finding.code == Code::NulByte,
                _ => false,
            };
            if let (true, Some(number)) = (is_of_value, self.numbers[index]) {
                by_property.entry(number).or_default().push(index);
            }
        }
        for (number, findings) in by_property {
            let start = self.unit.place_in_input(number);
            let Some(property) = self.unit.property(number) else {
                self.piece(number, &findings);
                continue;
            };
            let definition = self.at.definition(&property.ident().canonical()).map(|found| found.definition);
            let is_elist = definition.is_some_and(|definition| definition.list_kind == ListKind::Elist);
            let framing = property.framing();
            let edited = self.edited(&property, start, &findings, is_elist);
            match edited {
                Some(raw) => self.unit.replace(number, &raw, framing),
                None => self.dropped[number] = true,
            }
            findings.into_iter().for_each(|index| self.done[index] = Some(true));
        }
    }

    /// The property with its values mended, blanks between them as they were;
    /// nothing if no value is left.
    fn edited(&self, property: &Property<'_>, start: u64, findings: &[usize], is_elist: bool) -> Option<Vec<u8>> {
        let raw = property.as_bytes();
        let mut by_place: BTreeMap<u64, Vec<&Finding>> = BTreeMap::new();
        let (mut keeps_first, mut drops_empty, mut has_nul) = (false, false, false);
        for finding in findings.iter().map(|&index| &self.findings[index]) {
            match finding.remedy {
                Some(Remedy::KeepFirst) => keeps_first = true,
                Some(Remedy::AsRead) => has_nul = true,
                // An empty value stands in a list of points.
                Some(Remedy::DropValue) if is_elist && finding.span.is_empty() => drops_empty = true,
                _ => by_place.entry(finding.span.start).or_default().push(finding),
            }
        }
        let first_full = property.values().position(|value| !value.is_empty()).unwrap_or(0);
        let mut out = property.ident().as_bytes().to_vec();
        let mut behind = out.len();
        let mut left = 0;
        for (number, value) in property.values().enumerate() {
            let from = value.as_bytes().as_ptr() as usize - raw.as_ptr() as usize;
            let to = (from + value.as_bytes().len() + 1).min(raw.len());
            let blanks = &raw[behind..from];
            behind = to;
            let remedies = by_place.get(&(start + from as u64)).map_or(&[][..], Vec::as_slice);
            let is_dropped = (keeps_first && number != first_full)
                || (drops_empty && value.is_empty())
                || remedies.iter().any(|finding| finding.remedy == Some(Remedy::DropValue));
            if is_dropped {
                continue;
            }
            left += 1;
            out.extend_from_slice(blanks);
            let rewritten = remedies.iter().find_map(|finding| match &finding.remedy {
                Some(Remedy::Rewrite { value, .. }) => Some(value.as_slice()),
                _ => None,
            });
            let content = rewritten.unwrap_or(value.as_bytes());
            let nul_to_blank = |&byte: &u8| if has_nul && byte == 0 { b' ' } else { byte };
            out.extend(content.iter().map(nul_to_blank));
            out.extend_from_slice(&raw[to.min(from + value.as_bytes().len())..to]);
        }
        out.extend_from_slice(&raw[behind..]);
        (left > 0).then_some(out)
    }

    /// A piece of a property that is too long to be held.
    fn piece(&mut self, number: usize, findings: &[usize]) {
        for &index in findings {
            let remedy = self.findings[index].remedy.clone();
            let is_done = match remedy {
                Some(Remedy::Rewrite { value, .. }) => {
                    self.unit.edit_values(number, None, |_, piece: Piece| piece.is_whole().then(|| value.clone()))
                }
                Some(Remedy::AsRead) => self.unit.edit_values(number, None, |value, _| {
                    let blank = |&byte: &u8| if byte == 0 { b' ' } else { byte };
                    Some(value.as_bytes().iter().map(blank).collect())
                }),
                // A value behind the first goes as a whole piece.
                Some(Remedy::DropValue) if self.unit.is_whole_later_value(number) => {
                    self.dropped[number] = true;
                    true
                }
                _ => false,
            };
            self.done[index] = Some(is_done);
        }
    }

    /// The findings about properties.
    fn properties(&mut self, splits: &Splits) {
        let mut firsts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        let whole = self.unit.begins_node() && self.unit.ends_node();
        for index in 0..self.findings.len() {
            let Some(number) = self.numbers[index] else { continue };
            let code = self.findings[index].code;
            let is_done = match self.findings[index].remedy {
                Some(Remedy::DropProperty) => self.drop_property(code, number, whole, splits),
                Some(Remedy::Merge) => whole && self.is_to_merge(number, &mut firsts),
                Some(Remedy::Rename(_)) => self.komi(number),
                Some(Remedy::Join) => {
                    let mut second = Vec::new();
                    let is_done = whole && annotations(self.unit, &mut second);
                    second.into_iter().for_each(|number| self.dropped[number] = true);
                    is_done
                }
                Some(Remedy::AsRead) if code == Code::LowercaseIdentifier => {
                    let canonical = self.unit.ident(number).canonical().into_owned();
                    self.unit.rename(number, &canonical);
                    true
                }
                _ => continue,
            };
            self.done[index] = Some(is_done);
        }
    }

    fn drop_property(&mut self, code: Code, number: usize, whole: bool, splits: &Splits) -> bool {
        let unit = &mut *self.unit;
        match code {
            // The node is split there, and then the identifier stands once in each.
            Code::DuplicateProperty if splits.moves.contains(&unit.place_in_input(number)) => true,
            // Other values stay.
            Code::UselessEmptyValue
                if unit.property(number).is_some_and(|property| property.values().any(|value| !value.is_empty())) =>
            {
                without_empty_values(unit, number, &mut Vec::new());
                true
            }
            Code::SetupWithMove => {
                (0..unit.count())
                    .filter(|&number| unit.ident(number).is(b"PL"))
                    .for_each(|number| self.dropped[number] = true);
                whole
            }
            // Said once for all of them.
            Code::GameInfoBelowGameInfo => {
                (number..unit.count())
                    .filter(|&number| property_type(unit, number, self.at) == PropertyType::GameInfo)
                    .for_each(|number| self.dropped[number] = true);
                whole
            }
            _ if unit.property(number).is_some() => {
                self.dropped[number] = true;
                true
            }
            _ => false,
        }
    }

    /// Whether a property can be joined to the first of its name.
    fn is_to_merge(&mut self, number: usize, firsts: &mut BTreeMap<Vec<u8>, usize>) -> bool {
        let unit = &*self.unit;
        let ident = unit.ident(number).canonical().into_owned();
        let first = *firsts.entry(ident).or_insert_with_key(|ident| {
            (0..number).find(|&first| !self.dropped[first] && unit.ident(first).is(ident)).unwrap_or(number)
        });
        // The first was dropped for its values: then this one is the first.
        if first != number && !self.dropped[number] {
            if unit.property(first).is_none() || unit.property(number).is_none() {
                return false;
            }
            self.merged.entry(first).or_default().push(number);
        }
        true
    }

    fn merge(&mut self) {
        for (first, others) in std::mem::take(&mut self.merged) {
            if !self.dropped[first] && joined_into(self.unit, first, &others, self.at, true) {
                others.into_iter().for_each(|number| self.dropped[number] = true);
            }
        }
    }

    /// `KI` as the `KM` that is half of it (spec E-05).
    fn komi(&mut self, number: usize) -> bool {
        let Some(halves) =
            self.unit.property(number).and_then(|property| Number::parse_lenient(property.first().as_bytes()).ok())
        else {
            return false;
        };
        let komi = halves.value.get() as f64 / 2.0;
        self.unit.replace(number, format!("KM[{komi}]").as_bytes(), Framing::Value);
        true
    }

    /// Where the node is to be split: the places in the input, and whether
    /// setup and moves are to be parted.
    fn splits(&mut self) -> Splits {
        let whole = self.unit.begins_node() && self.unit.ends_node();
        let mut splits = Splits::default();
        for index in 0..self.findings.len() {
            if self.findings[index].remedy != Some(Remedy::SplitNode) {
                continue;
            }
            let number = self.numbers[index].filter(|_| whole);
            self.done[index] = Some(number.is_some());
            match (number, self.findings[index].code) {
                (Some(number), Code::TwoMovesInNode) => _ = splits.moves.insert(self.unit.place_in_input(number)),
                (Some(_), Code::MoveInRoot) => splits.root = true,
                (Some(_), _) => splits.setup = true,
                (None, _) => {}
            }
        }
        splits
    }

    fn split(&mut self, splits: &Splits, nodes: &mut Vec<Unit>) {
        let has = |unit: &Unit, wanted| (0..unit.count()).any(|number| property_type(unit, number, self.at) == wanted);
        // Not if one of the two was dropped.
        let is_mixed = splits.setup && has(self.unit, PropertyType::Setup) && has(self.unit, PropertyType::Move);
        if splits.root || is_mixed {
            let mut second = Unit::node();
            let at = self.at;
            self.unit.move_to(&mut second, |unit, number| {
                let stays = matches!(
                    property_type(unit, number, at),
                    PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo
                );
                !stays && !unit.ident(number).is(b"N")
            });
            if second.count() > 0 {
                nodes.push(second);
            }
        }
        if splits.moves.is_empty() {
            return;
        }
        let unit = nodes.last_mut().unwrap_or(self.unit);
        let split = split_moves(unit, &splits.moves);
        nodes.extend(split);
    }
}

#[derive(Debug, Default)]
struct Splits {
    root: bool,
    setup: bool,
    moves: BTreeSet<u64>,
}

/// Each of these moves, with its times, as a node of its own.
fn split_moves(unit: &mut Unit, places: &BTreeSet<u64>) -> Vec<Unit> {
    let is_move = |unit: &Unit, number: usize| places.contains(&unit.place_in_input(number));
    let mut nodes: Vec<Unit> =
        (0..unit.count()).filter(|&number| is_move(unit, number)).map(|_| Unit::node()).collect();
    // Times go with the move of their colour; of one that moves twice they stay.
    let node_of = |ident: &[u8]| {
        let mut of_ident = (0..unit.count()).filter(|&number| unit.ident(number).is(ident));
        let only = of_ident.next().filter(|_| of_ident.next().is_none())?;
        is_move(unit, only).then(|| 1 + (0..only).filter(|&number| is_move(unit, number)).count())
    };
    let (black, white) = (node_of(b"B"), node_of(b"W"));
    let mut moves = 0;
    unit.move_each(&mut nodes, |unit, number| {
        let ident = unit.ident(number);
        if is_move(unit, number) {
            moves += 1;
            return moves;
        }
        let of_color = match () {
            () if ident.is(b"BL") || ident.is(b"OB") => black,
            () if ident.is(b"WL") || ident.is(b"OW") => white,
            () => None,
        };
        of_color.unwrap_or(0)
    });
    nodes
}
