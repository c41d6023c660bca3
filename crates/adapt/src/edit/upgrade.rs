//! `upgrade`: converts games of FF\[1\] to FF\[3\] into FF\[4\], by the rules of the conversion pages (spec E-03 to E-05).

use sgfstream::Property;
use sgfstream::record::{GameRecord, Node};
use sgfstream_game::value::{ListKind, Point, PointEntry};
use sgfstream_game::{PropertyType, ValueType};

use super::markup::labels;
use super::rename::shorten;
use super::repair::{repair_root, repair_values};
use super::split::{is_ordered, named_side, split};
use super::{EditContext, EditOutput, GameEdit, PlacedProperty};

/// Edit that converts older games to FF\[4\]:
///
/// - It sets FF to 4, drops lowercase letters of identifiers, repairs the values of SZ, GM and other root properties, and
///   replaces `KI` with half its value in `KM`.
/// - It rewrites numbers, points, dates and results that only a lenient reading understands.
/// - It joins repeated properties of a node: lists and texts are concatenated; otherwise the first value stays, and of PL
///   the last. Setup whose order matters for the board is left.
/// - It replaces M with MA, or with TR on a stone that the node plays or sets up; L with LB; TE with BM by IT; BM with TE
///   by DO; and two corners in VW by their rectangle.
/// - It splits a node with setup and moves in two, and a node with several moves into one for each.
///
/// It repairs FF\[4\] games in the same way, except for the old markup.
pub(super) struct Upgrade;

/// The steps of an upgrade. Each reads the result of the one before.
type Step = fn(&GameRecord<'_>, &EditContext, &mut EditOutput);

const STEPS: [Step; 8] = [
    repair_root,
    |game, _, out| shorten(game, out),
    join_repeated,
    old_markup,
    // `L` became `LB`, which the node may already have.
    join_repeated,
    annotations,
    repair_values,
    split,
];

impl GameEdit for Upgrade {
    fn name(&self) -> &'static str {
        "upgrade"
    }

    fn context(&self, at: &mut EditContext) {
        at.ff = 4;
        at.has_ff = true;
    }

    fn steps(&self) -> usize {
        STEPS.len()
    }

    fn edit(&self, game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
        STEPS[out.step()](game, at, out);
    }
}

/// Properties of one name in a node.
struct Repeated {
    ident: Vec<u8>,
    first: usize,
    others: Vec<usize>,
}

/// Joins properties that occur more than once in a node (spec I-08; Q-04).
fn join_repeated(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    for node in game.nodes() {
        if node.properties().nth(1).is_some() {
            join_in_node(node, at, out);
        }
    }
}

fn join_in_node(node: Node<'_>, at: &EditContext, out: &mut EditOutput) {
    let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
    let mut is_ordered = None;
    let mut names: Vec<Repeated> = Vec::new();
    let mut has_moved = false;
    for (index, placed) in properties.iter().enumerate() {
        let ident = placed.property.ident();
        // Each move will get a node of its own.
        if at.game.move_ids().contains(ident) {
            has_moved = true;
            continue;
        }
        // After a move, `PL` sets a different turn than before it.
        if has_moved && ident.is(b"PL") {
            continue;
        }
        match names.iter().position(|known| ident.is(&known.ident)) {
            Some(known) => {
                let is_setup = at.property_type(&placed.property) == PropertyType::Setup;
                let is_ordered_setup = || {
                    let setup: Vec<Property<'_>> = properties.iter().map(|placed| placed.property).collect();
                    self::is_ordered(&setup, at)
                };
                if !is_setup || !*is_ordered.get_or_insert_with(is_ordered_setup) {
                    names[known].others.push(index);
                }
            }
            // Nodes have few identifiers, so the limit keeps the search short in hostile input.
            None if names.len() < 256 => {
                names.push(Repeated { ident: ident.canonical().into_owned(), first: index, others: Vec::new() });
            }
            None => {}
        }
    }
    for Repeated { ident, first, others } in names.iter().filter(|name| !name.others.is_empty()) {
        let first = &properties[*first];
        let others: Vec<&PlacedProperty<'_>> = others.iter().map(|&index| &properties[index]).collect();
        // Properties without a definition stay apart.
        let Some(definition) = at.definition(ident).map(|found| found.definition) else { continue };
        if matches!(definition.list_kind, ListKind::List | ListKind::Elist) {
            out.edits.insert(
                first.span.end,
                &others.iter().flat_map(|other| values_of(other)).copied().collect::<Vec<u8>>(),
            );
        } else if definition.value_type == ValueType::Text {
            let mut texts = Vec::new();
            for other in &others {
                texts.extend_from_slice(b"\n\n");
                texts.extend_from_slice(values_of(other).get(1..).unwrap_or_default());
                texts.pop();
            }
            out.edits.insert(first.span.end - 1, &texts);
        } else if ident == b"PL"
            && let Some(last) = others.iter().rfind(|other| named_side(&other.property).is_some())
        {
            out.edits.replace(first.span.clone(), last.property.as_bytes().to_vec());
        }
        for other in others {
            out.drop_property(&node.game(), other);
            out.count(1);
        }
    }
}

/// Returns the bytes from the first `[` on.
fn values_of<'t>(placed: &PlacedProperty<'t>) -> &'t [u8] {
    let bytes = placed.property.as_bytes();
    &bytes[bytes.iter().position(|&byte| byte == b'[').unwrap_or(0)..]
}

/// Converts M, L and VW of older versions.
pub(crate) fn old_markup(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    if at.has_ff && at.ff >= 4 {
        return;
    }
    let has_old_labels = at.definition(b"L").is_some_and(|found| !found.definition.versions.contains(4));
    let is_wanted =
        |ident: sgfstream::Ident<'_>| ident.is(b"M") || ident.is(b"VW") || (has_old_labels && ident.is(b"L"));
    let mut nodes = game.nodes();
    let mut done = None;
    for placed in PlacedProperty::wanted(*game, |ident, _| is_wanted(ident)) {
        if done == Some(placed.node) {
            continue;
        }
        done = Some(placed.node);
        let is_here = |node: &Node<'_>| node.start() == placed.node;
        if let Some(node) = nodes.find(is_here) {
            markup_in_node(node, at, has_old_labels, out);
        }
    }
}

fn markup_in_node(node: Node<'_>, at: &EditContext, has_old_labels: bool, out: &mut EditOutput) {
    let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
    let find = |ident: &[u8]| properties.iter().find(|placed| placed.property.ident().is(ident));
    if let Some(old) = find(b"L").filter(|_| has_old_labels) {
        labels(old, out);
        out.rename(old, b"LB");
        out.count(1);
    }
    if let Some(old) = find(b"M") {
        marks(old, &properties, out);
        out.count(1);
    }
    if let Some(view) = find(b"VW") {
        let corner = |value: sgfstream::RawValue<'_>| at.point_entry(value.as_bytes())?.as_point();
        let points: Vec<Option<Point>> = view.property.values().map(corner).collect();
        if let [Some(first), Some(second)] = *points
            && first != second
        {
            let raw = format!("VW[{}]", PointEntry::between(first, second));
            out.edits.replace(view.span.clone(), raw.into_bytes());
            out.count(1);
        }
    }
}

/// Replaces M with TR on stones and MA elsewhere. Only the stones of the node are known here, not the board; but most marks
/// are on the move of their node.
fn marks(old: &PlacedProperty<'_>, properties: &[PlacedProperty<'_>], out: &mut EditOutput) {
    let mut stones: Vec<&[u8]> = Vec::new();
    for ident in [&b"B"[..], b"W", b"AB", b"AW"] {
        if let Some(placed) = properties.iter().find(|placed| placed.property.ident().is(ident)) {
            stones.extend(placed.property.values().map(|value| value.as_bytes().trim_ascii()));
        }
    }
    stones.sort_unstable();
    let (mut crosses, mut triangles) = (b"MA".to_vec(), b"TR".to_vec());
    for value in old.property.values() {
        let is_stone = stones.binary_search(&value.as_bytes().trim_ascii()).is_ok();
        let target = if is_stone { &mut triangles } else { &mut crosses };
        target.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
    }
    if triangles.len() == 2 {
        return out.rename(old, b"MA");
    }
    if crosses.len() > 2 {
        triangles.append(&mut crosses);
    }
    out.edits.replace(old.span.clone(), triangles);
}

/// Joins TE and BM of a node into IT, or DO if BM comes first (spec E-05).
fn annotations(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let mut nodes = game.nodes();
    for bad in PlacedProperty::wanted(*game, |ident, _| ident.is(b"BM")) {
        let Some(node) = nodes.find(|node| node.start() == bad.node) else { continue };
        let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
        let find = |ident: &[u8]| properties.iter().find(|placed| placed.property.ident().is(ident));
        let (Some(good), Some(bad)) = (find(b"TE"), find(b"BM")) else { continue };
        // In some games `TE` is game information, such as a title.
        if at.property_type(&good.property) == PropertyType::GameInfo {
            continue;
        }
        let is_good_first = good.span.start < bad.span.start;
        let (first, second, raw) = if is_good_first { (good, bad, "IT[]") } else { (bad, good, "DO[]") };
        out.edits.replace(first.span.clone(), raw.into());
        out.drop_property(game, second);
        out.count(1);
    }
}
