//! `upgrade`: converts games of FF\[1\] to FF\[3\] into FF\[4\], by the rules of the conversion
//! pages (spec E-03 to E-05).

use sgfstream::record::GameRecord;
use sgfstream::{Framing, Ident, Property, RawValue};
use sgfstream_game::property::PropertyType;
use sgfstream_game::value::{Point, PointEntry};

use super::markup::labels;
use super::placed_property::nodes_with;
use super::property_edits::{join_annotations, join_into};
use super::rename::shorten;
use super::repair::{repair_root, repair_values};
use super::split::{is_ordered, split};
use super::{EditContext, EditOutput, GameEdit, NodeDraft};

/// Edit that converts older games to FF\[4\]:
///
/// - It sets FF to 4, drops lowercase letters of identifiers, repairs the values of SZ, GM and
///   other root properties, and replaces `KI` with half its value in `KM`.
/// - In Go, it renames `TE`, `RD` and `KO` of the root, if they are title, date and komi, to the
///   standard properties that the root lacks, and writes the overtime of `LC` and `LT`, or of `TC`
///   and `TT`, in `OT`.
/// - It rewrites numbers, points, dates and results that only a lenient reading understands.
/// - It joins repeated properties of a node: lists and texts are concatenated; otherwise the first
///   value stays, and of PL the last. Setup whose order matters for the board is left.
/// - It replaces M with MA, or with TR on a stone that the node plays or sets up; L with LB; TE
///   with BM by IT; BM with TE by DO; and two corners in VW by their rectangle.
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

/// Properties of one name in a node, by number.
struct Repeated {
    ident: Vec<u8>,
    first: usize,
    others: Vec<usize>,
}

/// Joins properties that occur more than once in a node (spec I-08; Q-04).
fn join_repeated(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    for node in game.nodes() {
        let properties: Vec<Property<'_>> =
            node.properties().map(|(_, property)| property).collect();
        let repeated = repeated(&properties, at);
        if repeated.is_empty() {
            continue;
        }
        let mut draft = NodeDraft::of_node(node);
        for Repeated { first, others, .. } in repeated {
            join_into(&mut draft, first, &others, at);
            for other in others {
                draft.drop_property(other);
                out.count(1);
            }
        }
        draft.write(&mut out.edits);
    }
}

/// Returns the properties to join.
fn repeated(properties: &[Property<'_>], at: &EditContext) -> Vec<Repeated> {
    let mut names: Vec<Repeated> = Vec::new();
    let (mut has_moved, mut is_ordered) = (false, None);
    for (index, property) in properties.iter().enumerate() {
        let ident = property.ident();
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
                let is_setup = at.property_type(property) == PropertyType::Setup;
                if !is_setup || !*is_ordered.get_or_insert_with(|| self::is_ordered(properties, at))
                {
                    names[known].others.push(index);
                }
            }
            // Nodes have few identifiers, so the limit keeps the search short in hostile input.
            None if names.len() < 256 => {
                names.push(Repeated {
                    ident: ident.canonical().into_owned(),
                    first: index,
                    others: Vec::new(),
                });
            }
            None => {}
        }
    }
    // Properties without a definition stay apart.
    names
        .retain(|name| !name.others.is_empty() && at.definition(Ident::new(&name.ident)).is_some());
    names
}

/// Converts M, L and VW of older versions.
pub(crate) fn old_markup(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    if at.has_ff && at.ff >= 4 {
        return;
    }
    let has_old_labels = at
        .definition(Ident::new(b"L"))
        .is_some_and(|found| !found.versions.contains(4));
    let is_wanted =
        |ident: Ident<'_>| ident.is(b"M") || ident.is(b"VW") || (has_old_labels && ident.is(b"L"));
    for node in nodes_with(*game, is_wanted) {
        let mut draft = NodeDraft::of_node(node);
        if let Some(old) = draft.find(b"L").filter(|_| has_old_labels) {
            draft.edit_values(old, labels());
            draft.rename(old, b"LB");
            out.count(1);
        }
        if let Some(old) = draft.find(b"M") {
            replace_marks(&mut draft, old);
            out.count(1);
        }
        if let Some(view) = draft.find(b"VW")
            && let Some(rectangle) = rectangle_of_corners(&draft.property(view), at)
        {
            let raw = format!("VW[{rectangle}]");
            draft.replace(view, raw.into_bytes(), Framing::Value);
            out.count(1);
        }
        draft.write(&mut out.edits);
    }
}

/// Returns the rectangle of a `VW` that has two corners.
fn rectangle_of_corners(view: &Property<'_>, at: &EditContext) -> Option<PointEntry> {
    let corner = |value: RawValue<'_>| at.point_entry(value.as_bytes())?.as_point();
    let corners: Vec<Option<Point>> = view.values().map(corner).collect();
    match *corners {
        [Some(first), Some(second)] if first != second => Some(PointEntry::between(first, second)),
        _ => None,
    }
}

/// Replaces M with TR on stones and MA elsewhere. Only the stones of the node are known here, not
/// the board; but most marks are on the move of their node.
fn replace_marks(draft: &mut NodeDraft<'_>, old: usize) {
    let mut stones: Vec<&[u8]> = Vec::new();
    for ident in [&b"B"[..], b"W", b"AB", b"AW"] {
        if let Some(id) = draft.find(ident) {
            let values = draft.property(id).values();
            stones.extend(values.map(|value| value.as_bytes().trim_ascii()));
        }
    }
    stones.sort_unstable();
    let (mut crosses, mut triangles) = (b"MA".to_vec(), b"TR".to_vec());
    for value in draft.property(old).values() {
        let is_stone = stones.binary_search(&value.as_bytes().trim_ascii()).is_ok();
        let target = if is_stone {
            &mut triangles
        } else {
            &mut crosses
        };
        target.extend_from_slice(&[b"[", value.as_bytes(), b"]"].concat());
    }
    if triangles.len() == 2 {
        return draft.rename(old, b"MA");
    }
    if crosses.len() > 2 {
        triangles.append(&mut crosses);
    }
    draft.replace(old, triangles, Framing::Value);
}

/// Joins TE and BM of a node into IT, or DO if BM comes first (spec E-05).
fn annotations(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    for node in nodes_with(*game, |ident| ident.is(b"BM")) {
        let mut draft = NodeDraft::of_node(node);
        if let Some(second) = join_annotations(&mut draft, at) {
            draft.drop_property(second);
            draft.write(&mut out.edits);
            out.count(1);
        }
    }
}
