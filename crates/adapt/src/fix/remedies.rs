//! Applies the remedies of findings to one node.

use std::collections::{BTreeMap, BTreeSet};

use sgfstream::{Charset, Code, Framing};
use sgfstream_game::value::{ListKind, PointSet};
use sgfstream_game::{
    Game,
    facts::is_setup,
    property::{Definition, PropertyType, ValueType},
};

use super::fix_filter::is_guess;
use super::repeated_points::PointsBefore;
use crate::check::{Finding, Remedy};
use crate::edit::{
    Comment, DisplacedLines, EditContext, NodeDraft, drop_empty_values, halve_komi, is_mixed,
    is_ordered, join_annotations, join_into, keep_last_player, named_side, node_numbers,
    repeats_mover,
};

/// Applies the findings about one node: first those about values, then those about properties, then
/// those about the node.
pub(super) struct Remedies<'u, 't> {
    pub(super) draft: &'u mut NodeDraft<'t>,
    pub(super) at: &'u EditContext,
    in_root: bool,
    pub(super) findings: Vec<NodeFinding<'u>>,
    /// Properties to drop.
    pub(super) dropped: BTreeSet<usize>,
    /// Properties with a repaired value.
    repaired: BTreeSet<usize>,
    /// For a property, the properties that are joined to it.
    merged: BTreeMap<usize, Vec<usize>>,
    /// Displaced values that must be kept.
    kept: DisplacedLines,
    /// Offset of the input whose places the draft has.
    base: u64,
    /// The property that moves to the root.
    pub(super) moved: Option<Vec<u8>>,
    /// Whether a finding is about a property that affects boards or turns.
    pub(super) touches_board: bool,
    /// Whether the order of the setup matters; `None` until needed.
    is_ordered: Option<bool>,
    /// The first `CA` with a known charset; `None` until needed.
    charset: Option<Option<usize>>,
    /// The first `PL` that stays.
    player: Option<usize>,
    /// The first property of each identifier.
    firsts: BTreeMap<Vec<u8>, usize>,
    /// Whether all identifiers of the root were shortened.
    has_short_idents: bool,
}

/// A finding about a node.
#[derive(Clone, Copy)]
pub(super) struct NodeFinding<'u> {
    pub(super) finding: &'u Finding,
    /// The property that it is about.
    property: Option<usize>,
    /// Whether its remedy was applied here. `None` means that the finding is not about this node
    /// alone.
    pub(super) is_done: Option<bool>,
}

/// Returns the first `CA` with a known name. All texts of the game are read by it, even if another
/// `CA` precedes it.
fn first_charset(draft: &NodeDraft<'_>) -> Option<usize> {
    let is_known = |id: &usize| {
        Charset::for_label(draft.property(*id).first().unescaped().trim_ascii()).is_some()
    };
    draft
        .ids()
        .filter(|&id| draft.ident(id).is(b"CA"))
        .find(is_known)
}

/// Game information that may show which game it is if no `GM` does.
const GAME_EVIDENCE: [&[u8]; 6] = [b"EV", b"GC", b"KM", b"PC", b"RU", b"SO"];

impl<'u, 't> Remedies<'u, 't> {
    /// Prepares the findings about a node, each with its place in the input. `kept` takes displaced
    /// values.
    pub(super) fn new(
        draft: &'u mut NodeDraft<'t>,
        at: &'u EditContext,
        in_root: bool,
        findings: Vec<&'u Finding>,
        base: u64,
        kept: DisplacedLines,
    ) -> Self {
        let id_at = |finding: &Finding| {
            let place = finding.span.start.checked_sub(base)? as usize;
            let (id, span) = draft.at(place)?;
            (place < span.end || (place == span.end && finding.code != Code::NulByte)).then_some(id)
        };
        let findings = findings.into_iter().map(|finding| NodeFinding {
            finding,
            property: id_at(finding),
            is_done: None,
        });
        let findings: Vec<_> = findings.collect();
        let names_go = in_root && at.game == Game::Go && draft.find(b"GM").is_some();
        let of_board = |&NodeFinding {
                            finding, property, ..
                        }: &NodeFinding<'_>| {
            let Some(id) = property else { return false };
            let ident = draft.ident(id);
            match at.property_type(&draft.property(id)) {
                PropertyType::None | PropertyType::Inherit => false,
                PropertyType::GameInfo if ident.is(b"HA") => true,
                // This finding names the first of them.
                PropertyType::GameInfo if finding.code == Code::GameInfoBelowGameInfo => !names_go,
                PropertyType::GameInfo => {
                    !names_go && GAME_EVIDENCE.iter().any(|each| ident.is(each))
                }
                // The program may show the game, unless `GM` does.
                PropertyType::Root if ident.is(b"AP") => {
                    finding.remedy == Some(Remedy::DropProperty) && !names_go
                }
                PropertyType::Root => ident.is(b"GM") || ident.is(b"SZ"),
                // Values are joined only where their order does not matter.
                PropertyType::Setup => finding.remedy != Some(Remedy::Merge),
                _ => true,
            }
        };
        let touches_board = findings.iter().any(of_board);
        Self {
            draft,
            at,
            in_root,
            findings,
            dropped: BTreeSet::new(),
            repaired: BTreeSet::new(),
            merged: BTreeMap::new(),
            kept,
            base,
            moved: None,
            touches_board,
            is_ordered: None,
            charset: None,
            player: None,
            firsts: BTreeMap::new(),
            has_short_idents: false,
        }
    }

    /// Applies the remedies. Returns the bytes of the nodes that are split off.
    pub(super) fn apply(&mut self) -> Vec<Vec<u8>> {
        let splits = self.splits();
        self.values();
        self.drop_replaced();
        self.properties(&splits);
        self.merge();
        self.leave_one();
        let dropped = std::mem::take(&mut self.dropped);
        dropped.iter().for_each(|&id| self.draft.drop_property(id));
        std::mem::take(&mut self.kept).write(self.draft);
        let nodes = self.split(&splits);
        // If one side lost its properties, there was nothing to split, and the remedy still counts
        // as done.
        if nodes.is_empty() && dropped.is_empty() {
            for about in &mut self.findings {
                if about.finding.remedy == Some(Remedy::SplitNode) {
                    about.is_done = Some(false);
                }
            }
        }
        nodes
    }

    /// Leaves the first property if all would be dropped, so that the node does not become empty.
    /// Its findings count as left, except those repaired in place.
    fn leave_one(&mut self) {
        let is_empty = self.moved.is_none()
            && self.draft.first().is_some()
            && self.draft.ids().all(|id| self.dropped.contains(&id));
        if !is_empty || !self.kept.is_empty() {
            return;
        }
        let first = self.dropped.pop_first();
        let is_repaired = first.is_some_and(|first| self.repaired.contains(&first));
        for about in &mut self.findings {
            let is_in_place = match &about.finding.remedy {
                Some(Remedy::AsRead | Remedy::Rename(_)) => true,
                Some(remedy) => is_repaired && is_of_values(remedy),
                None => false,
            };
            if about.property == first && about.is_done.is_some() && !is_in_place {
                about.is_done = Some(false);
            }
        }
    }

    /// Keeps a value that a remedy displaces.
    pub(super) fn keep(&mut self, id: usize, code: Code, value: &[u8], framing: Framing) {
        if !says_something(code, value) {
            return;
        }
        let comment = match code {
            // In `GC` it would be game information again.
            Code::GameInfoBelowGameInfo => Comment::Node,
            _ => Comment::of(self.at.property_type(&self.draft.property(id))),
        };
        let ident = self.draft.ident(id).canonical().into_owned();
        self.kept.add(comment, &ident, value, framing);
    }

    /// Keeps all values of a property, except those that the first property of this name also has.
    fn keep_all(&mut self, id: usize, code: Code) {
        let property = self.draft.property(id);
        let is_root = |ident: &[u8]| property.ident().is(ident);
        let ours = |value: &[u8]| match code {
            Code::RootPropertyElsewhere if is_root(b"SZ") => self
                .at
                .game
                .read_size(value)
                .sure()
                .is_some_and(|read| Some(read.value) == self.at.size),
            Code::RootPropertyElsewhere if is_root(b"GM") => {
                Game::parse_lenient(value).value == self.at.game
            }
            Code::RootPropertyElsewhere if is_root(b"FF") => {
                value == self.at.ff.to_string().as_bytes()
            }
            _ => false,
        };
        if self.firsts.is_empty() {
            for id in self.draft.ids() {
                self.firsts
                    .entry(self.draft.ident(id).canonical().into_owned())
                    .or_insert(id);
            }
        }
        let first = self
            .firsts
            .get(&*property.ident().canonical())
            .filter(|&&first| first != id);
        let first = first.map(|&first| self.draft.property(first));
        let is_there = |value: &[u8]| {
            first.is_some_and(|first| first.values().any(|other| other.as_bytes() == value))
        };
        let values: Vec<(Vec<u8>, Framing)> = property
            .values()
            .filter(|value| !ours(value.as_bytes()) && !is_there(value.as_bytes()))
            .map(|value| (value.as_bytes().to_vec(), value.framing()))
            .collect();
        for (value, framing) in values {
            self.keep(id, code, &value, framing);
        }
    }

    pub(super) fn is_move(&self, id: usize) -> bool {
        self.at.game.move_ids().contains(self.draft.ident(id))
    }

    /// Applies the findings about values, property by property.
    fn values(&mut self) {
        let mut by_property: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for index in 0..self.findings.len() {
            let NodeFinding {
                finding, property, ..
            } = self.findings[index];
            let is_of_value = finding.remedy.as_ref().is_some_and(is_of_values)
                || (finding.remedy == Some(Remedy::AsRead) && finding.code == Code::NulByte);
            let drops = matches!(finding.remedy, Some(Remedy::DropValue | Remedy::KeepFirst));
            match property.filter(|_| is_of_value) {
                // A move is never dropped, so an unreadable one is left.
                Some(id) if drops && self.is_move(id) => {
                    self.findings[index].is_done = Some(false);
                }
                Some(id) => by_property.entry(id).or_default().push(index),
                None => {}
            }
        }
        let has_repeated = self
            .findings
            .iter()
            .any(|about| about.finding.code == Code::RepeatedPoint);
        let mut points_before = has_repeated.then(PointsBefore::default);
        for (id, findings) in by_property {
            let start = self.base + self.draft.start(id) as u64;
            let property = self.draft.property(id);
            let definition = self.at.definition(property.ident());
            let framing = property.framing();
            let points = points_before
                .as_mut()
                .filter(|_| definition.is_some_and(|found| found.is_compressible(self.at.game)));
            let points = points.map(|points| points.of(self.draft, self.at, id));
            let edited = self.edited(id, start, &findings, definition, points);
            for (code, value) in edited.lost {
                self.keep(id, code, &value, framing);
            }
            match edited.raw {
                Some(raw) => {
                    self.draft.replace(id, raw, framing);
                    self.repaired.insert(id);
                }
                None => _ = self.dropped.insert(id),
            }
            findings
                .into_iter()
                .for_each(|index| self.findings[index].is_done = Some(true));
        }
    }

    /// Returns the property with repaired values, and keeps the blanks between them. `points` are
    /// the points of the properties of this name before it, if a point occurs again.
    fn edited(
        &self,
        id: usize,
        start: u64,
        findings: &[usize],
        definition: Option<&Definition>,
        mut points: Option<PointSet>,
    ) -> EditResult {
        let property = self.draft.property(id);
        let is_elist = definition.is_some_and(|definition| definition.list_kind == ListKind::Elist);
        let mut lost = Vec::new();
        let raw = property.as_bytes();
        let mut by_place: BTreeMap<u64, Vec<&Finding>> = BTreeMap::new();
        let (mut keeps_first, mut drops_empty, mut has_nul) = (false, false, false);
        for finding in findings.iter().map(|&index| self.findings[index].finding) {
            match finding.remedy {
                Some(Remedy::KeepFirst) => keeps_first = true,
                Some(Remedy::AsRead) => has_nul = true,
                // The span of an empty value in a list of points is empty, so drop all empty
                // values.
                Some(Remedy::DropValue) if is_elist && finding.span.is_empty() => {
                    drops_empty = true
                }
                _ => by_place
                    .entry(finding.span.start)
                    .or_default()
                    .push(finding),
            }
        }
        // A reader takes the first value that is not blank.
        let first_full = property
            .values()
            .position(|value| !value.as_bytes().trim_ascii().is_empty())
            .unwrap_or(0);
        let mut out = property.ident().as_bytes().to_vec();
        let mut copied = out.len();
        let mut left = 0;
        for (number, value) in property.values().enumerate() {
            let from = value.as_bytes().as_ptr() as usize - raw.as_ptr() as usize;
            let to = (from + value.as_bytes().len() + 1).min(raw.len());
            let blanks = &raw[copied..from];
            copied = to;
            let remedies = by_place
                .get(&(start + from as u64))
                .map_or(&[][..], Vec::as_slice);
            let repeated = remedies
                .iter()
                .find(|finding| finding.code == Code::RepeatedPoint);
            let entry = points
                .is_some()
                .then(|| self.at.point_entry(value.as_bytes()))
                .flatten();
            if let (Some(repeated), Some(entry), Some(points)) = (repeated, entry, &points) {
                // Delete only copies within this property. A point that another property also names
                // stays, because no property would name it otherwise.
                let mut kept = points.clone();
                let new = repeated
                    .remedy
                    .as_ref()
                    .and_then(|remedy| remedy.replacement())
                    .map_or(&b""[..], |new| new.1);
                for entry in new
                    .split(|byte| matches!(byte, b'[' | b']'))
                    .filter_map(|new| self.at.point_entry(new))
                {
                    entry.insert_into(&mut kept).count();
                }
                let displaced: PointSet = entry.insert_into(&mut kept).collect();
                for rectangle in displaced.rectangles() {
                    lost.push((Code::RepeatedPoint, rectangle.to_string().into_bytes()));
                }
            }
            if let (Some(entry), Some(points)) = (entry, &mut points) {
                entry.insert_into(points).count();
            }
            let is_dropped = (keeps_first && number != first_full)
                || (drops_empty && value.is_empty())
                || remedies
                    .iter()
                    .any(|finding| finding.remedy == Some(Remedy::DropValue));
            if is_dropped {
                let mut others = property
                    .values()
                    .take(number)
                    .chain(property.values().nth(first_full));
                let is_equal = number != first_full
                    && others.any(|other| other.as_bytes() == value.as_bytes());
                let code = remedies
                    .first()
                    .map_or(Code::TooManyValues, |finding| finding.code);
                if says_something(code, value.as_bytes())
                    && !is_equal
                    && (repeated.is_none() || entry.is_none())
                {
                    lost.push((code, value.as_bytes().to_vec()));
                }
                continue;
            }
            left += 1;
            out.extend_from_slice(blanks);
            let rewritten = remedies.iter().find_map(|finding| {
                let replacement = finding.remedy.as_ref()?.replacement()?;
                Some((finding.code, replacement))
            });
            if let Some((code, (repair, _))) = rewritten
                && (repair.loses_text() || remedies.iter().any(|finding| is_guess(finding)))
                && says_something(code, value.as_bytes())
            {
                lost.push((code, value.as_bytes().to_vec()));
            }
            let content = rewritten.map_or(value.as_bytes(), |(_, (_, value))| value);
            let nul_to_blank = |&byte: &u8| if has_nul && byte == 0 { b' ' } else { byte };
            out.extend(content.iter().map(nul_to_blank));
            out.extend_from_slice(&raw[to.min(from + value.as_bytes().len())..to]);
        }
        out.extend_from_slice(&raw[copied..]);
        EditResult {
            raw: (left > 0).then_some(out),
            lost,
        }
    }

    /// Applies the findings about properties.
    fn properties(&mut self, splits: &Splits) {
        let mut firsts: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for index in 0..self.findings.len() {
            let NodeFinding {
                finding, property, ..
            } = self.findings[index];
            let (Some(id), code) = (property, finding.code) else {
                continue;
            };
            let is_done = match finding.remedy {
                Some(Remedy::DropProperty) => self.drop_property(code, id, splits),
                Some(Remedy::Merge) => self.is_to_merge(id, &mut firsts),
                Some(Remedy::MoveToRoot) => {
                    self.moved = Some(self.draft.property(id).as_bytes().to_vec());
                    self.dropped.insert(id)
                }
                Some(Remedy::Rename(_)) => halve_komi(self.draft, id),
                Some(Remedy::Join) => match join_annotations(self.draft, self.at) {
                    Some(second) => self.dropped.insert(second),
                    None => false,
                },
                Some(Remedy::AsRead) if code == Code::LowercaseIdentifier => {
                    self.shorten(id);
                    true
                }
                _ => continue,
            };
            self.findings[index].is_done = Some(is_done);
        }
    }

    /// Drops the lowercase letters of an identifier. The reader reports only the first of the
    /// identifiers before the FF of the root, so all of them are shortened there.
    fn shorten(&mut self, id: usize) {
        let mut ids = vec![id];
        if self.in_root && !std::mem::replace(&mut self.has_short_idents, true) {
            ids.extend(self.draft.ids());
        }
        for id in ids {
            if self
                .draft
                .ident(id)
                .as_bytes()
                .iter()
                .any(u8::is_ascii_lowercase)
            {
                let canonical = self.draft.ident(id).canonical().into_owned();
                self.draft.rename(id, &canonical);
            }
        }
    }

    fn drop_property(&mut self, code: Code, id: usize, splits: &Splits) -> bool {
        let is_move = self.is_move(id);
        let draft = &mut *self.draft;
        match code {
            // The node will be split there, so that each node has the identifier once.
            Code::DuplicateProperty if splits.moves.contains(&draft.start(id)) => return true,
            Code::DuplicateProperty
                if self.in_root
                    && draft.ident(id).is(b"CA")
                    && *self.charset.get_or_insert_with(|| first_charset(draft)) == Some(id) =>
            {
                return false;
            }
            _ if is_move && code != Code::SetupWithMove => return false,
            // The last `PL` that names a side decides.
            Code::DuplicateProperty if draft.ident(id).is(b"PL") => {
                let stays = |id: &usize| !self.dropped.contains(id);
                let find = || {
                    draft
                        .ids()
                        .filter(|&id| draft.ident(id).is(b"PL"))
                        .find(stays)
                };
                self.player = self.player.filter(stays).or_else(find);
                let Some(first) = self.player.filter(|&first| first != id && stays(&id)) else {
                    return true;
                };
                let side = named_side(&draft.property(id));
                let is_same = side.is_some() && side == named_side(&draft.property(first));
                if !is_same {
                    self.keep_all(if side.is_some() { first } else { id }, code);
                }
                keep_last_player(self.draft, first, id);
                self.dropped.insert(id);
                return true;
            }
            // The first value that is not blank counts.
            Code::DuplicateProperty if blank_before(draft, id).is_some() => {
                self.dropped.extend(blank_before(draft, id));
                return true;
            }
            Code::SetupWithMove if repeats_mover(&draft.to_properties()) => return false,
            // Drop only the empty values, because the property has others.
            Code::UselessEmptyValue if drop_empty_values(draft, id) => {
                return true;
            }
            Code::SetupWithMove => {
                self.dropped
                    .extend(draft.ids().filter(|&id| draft.ident(id).is(b"PL")));
                return true;
            }
            // The checker reports only the first of these properties.
            Code::GameInfoBelowGameInfo => {
                let is_game_info = |&at: &usize| {
                    self.at.property_type(&draft.property(at)) == PropertyType::GameInfo
                };
                let dropped: Vec<usize> = draft
                    .ids()
                    .skip_while(|&at| at != id)
                    .filter(is_game_info)
                    .collect();
                for &id in &dropped {
                    self.keep_all(id, code);
                }
                let is_done = !dropped.is_empty();
                self.dropped.extend(dropped);
                return is_done;
            }
            _ => {}
        }
        self.keep_all(id, code);
        self.dropped.insert(id);
        true
    }

    /// Returns whether a property can be joined to the first of its name, and registers it for
    /// that.
    fn is_to_merge(&mut self, id: usize, firsts: &mut BTreeMap<Vec<u8>, usize>) -> bool {
        let draft = &*self.draft;
        if self.is_move(id)
            || (is_setup(draft.ident(id))
                && *self
                    .is_ordered
                    .get_or_insert_with(|| is_ordered(&draft.to_properties(), self.at)))
        {
            return false;
        }
        let ident = draft.ident(id).canonical().into_owned();
        let first = *firsts.entry(ident).or_insert_with_key(|ident| {
            let earlier = draft.ids().take_while(|&at| at != id);
            earlier
                .into_iter()
                .find(|at| !self.dropped.contains(at) && draft.ident(*at).is(ident))
                .unwrap_or(id)
        });
        // If the first was dropped because of its values, this property is the first.
        if first != id && !self.dropped.contains(&id) {
            self.merged.entry(first).or_default().push(id);
        }
        true
    }

    fn merge(&mut self) {
        for (first, others) in std::mem::take(&mut self.merged) {
            if !self.dropped.contains(&first) {
                join_into(self.draft, first, &others, self.at);
                // If the values cannot be joined, the first stays, so keep the others.
                let definition = self.at.definition(self.draft.ident(first));
                let is_one = |definition: &Definition| {
                    definition.list_kind == ListKind::Single
                        && definition.value_type != ValueType::Text
                };
                if definition.is_some_and(is_one) {
                    others
                        .iter()
                        .for_each(|&id| self.keep_all(id, Code::DuplicateProperty));
                }
                self.dropped.extend(others);
            }
        }
    }

    /// Returns whether `CA` follows a value that may end elsewhere once its charset is known. After
    /// a split they would be in different nodes.
    fn is_read_before_charset(&self) -> bool {
        let Some(charset) = self.draft.find(b"CA") else {
            return false;
        };
        let after_high = |pair: &[u8]| pair[0] >= 0x80 && matches!(pair[1], b'\\' | b']');
        let is_ambiguous = |id: usize| {
            self.draft
                .property(id)
                .as_bytes()
                .windows(2)
                .any(after_high)
        };
        self.draft
            .ids()
            .take_while(|&id| id != charset)
            .any(is_ambiguous)
    }

    /// Collects where the node must be split: the places of moves in the input, and whether to
    /// separate setup from moves.
    fn splits(&mut self) -> Splits {
        let can_split = !self.is_read_before_charset();
        let mut splits = Splits::default();
        for about in &mut self.findings {
            if about.finding.remedy != Some(Remedy::SplitNode) {
                continue;
            }
            let id = about.property.filter(|_| can_split);
            about.is_done = Some(id.is_some());
            match (id, about.finding.code) {
                (Some(id), Code::TwoMovesInNode) => _ = splits.moves.insert(self.draft.start(id)),
                (Some(_), Code::MoveInRoot) => splits.root = true,
                (Some(_), _) => splits.setup = true,
                (None, _) => {}
            }
        }
        splits
    }

    /// Splits the node. Returns the nodes after the first.
    fn split(&mut self, splits: &Splits) -> Vec<Vec<u8>> {
        // Do not split if either setup or moves were dropped.
        let properties = self.draft.to_properties();
        let is_mixed = splits.root || (splits.setup && is_mixed(&properties, self.at));
        let ids: Vec<usize> = self.draft.ids().collect();
        let is_split = |number: usize| splits.moves.contains(&self.draft.start(ids[number]));
        let numbers = node_numbers(&properties, self.in_root, is_mixed, is_split, self.at);
        self.draft.split(&numbers)
    }
}

const fn is_of_values(remedy: &Remedy) -> bool {
    matches!(
        remedy,
        Remedy::Rewrite { .. } | Remedy::DropValue | Remedy::KeepFirst
    )
}

/// Result of repairing the values of a property.
struct EditResult {
    /// The new property; `None` if no value remains.
    raw: Option<Vec<u8>>,
    /// Values that were removed, each with the code of its finding.
    lost: Vec<(Code, Vec<u8>)>,
}

/// Returns whether dropping a value because of this finding loses information.
fn says_something(code: Code, value: &[u8]) -> bool {
    match code {
        // The only handicap that is dropped is `HA[0]`.
        Code::HandicapTooSmall => false,
        // The repair inserts backslashes and drops nothing.
        Code::SwallowedNode => false,
        _ => !value.trim_ascii().is_empty(),
    }
}

#[derive(Debug, Default)]
struct Splits {
    root: bool,
    setup: bool,
    moves: BTreeSet<usize>,
}

/// Returns the blank property of the same name before a property with a value.
fn blank_before(draft: &NodeDraft<'_>, id: usize) -> Option<usize> {
    let is_blank = |id: usize| {
        draft
            .property(id)
            .values()
            .all(|value| value.as_bytes().trim_ascii().is_empty())
    };
    let ident = draft.ident(id);
    let before = draft
        .ids()
        .take_while(|&at| at != id)
        .find(|&at| draft.ident(at).is(ident.canonical()))?;
    (is_blank(before) && !is_blank(id)).then_some(before)
}
