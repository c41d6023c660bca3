//! Splits a node with setup and moves, or with several moves (spec E-04, SGFC 37).

use std::collections::{BTreeMap, BTreeSet};

use sgfstream_game::value::{Color, PointSet};
use sgfstream_game::{Fit, PropertyType};

use super::node_draft::NodeDraft;
use crate::edit::EditContext;

/// Returns the type of a property, which depends on its first value.
pub(super) fn property_type(draft: &NodeDraft<'_>, id: usize, at: &EditContext) -> PropertyType {
    match at.definition_of(&draft.property(id)) {
        Some(found) if found.fit != Fit::OtherGame => found.definition.property_type,
        _ => PropertyType::None,
    }
}

/// Returns whether the node has setup and moves.
pub(super) fn is_mixed(draft: &NodeDraft<'_>, at: &EditContext) -> bool {
    let has = |wanted| draft.ids().any(|id| property_type(draft, id, at) == wanted);
    has(PropertyType::Setup) && has(PropertyType::Move)
}

/// Splits a node. With `is_mixed`, separates setup from moves, in their order. Then makes a node of each move for which
/// `is_split` returns true. Returns the nodes after the first.
pub(super) fn split_node<'t>(
    draft: &mut NodeDraft<'t>,
    at: &EditContext,
    in_root: bool,
    is_mixed: bool,
    is_split: impl Fn(&NodeDraft<'t>, usize) -> bool,
) -> Vec<NodeDraft<'t>> {
    let (mut nodes, mut last) = (Vec::new(), NodeDraft::empty());
    if is_mixed {
        let first_move = draft.ids().find(|&id| at.game.move_ids().contains(draft.ident(id)));
        let is_setup = |draft: &NodeDraft<'_>, id| property_type(draft, id, at) == PropertyType::Setup;
        let late: BTreeSet<_> =
            draft.ids().skip_while(|&id| Some(id) != first_move).filter(|&id| is_setup(draft, id)).collect();
        let has_early = in_root || draft.ids().any(|id| is_setup(draft, id) && !late.contains(&id));
        if !late.is_empty() {
            // Comments and markup refer to the board after both.
            draft.move_each(std::slice::from_mut(&mut last), |draft, id| {
                let goes_last = late.contains(&id)
                    || (goes_with_moves(draft, id, at) && property_type(draft, id, at) == PropertyType::None);
                usize::from(goes_last)
            });
        }
        if has_early {
            let mut second = NodeDraft::empty();
            let goes_second = |draft: &NodeDraft<'_>, id| usize::from(goes_with_moves(draft, id, at));
            draft.move_each(std::slice::from_mut(&mut second), goes_second);
            nodes.extend(second.first().is_some().then_some(second));
        }
    }
    let with_moves = nodes.last_mut().unwrap_or(draft);
    let moves: Vec<usize> = with_moves.ids().filter(|&id| is_split(with_moves, id)).collect();
    let split = split_moves(with_moves, &moves);
    nodes.extend(split);
    nodes.extend(last.first().is_some().then_some(last));
    nodes
}

/// Splits each of these moves off as a node of its own, with its times.
fn split_moves<'t>(draft: &mut NodeDraft<'t>, moves: &[usize]) -> Vec<NodeDraft<'t>> {
    if moves.is_empty() {
        return Vec::new();
    }
    // For each move, the number of its node, from 1.
    let nodes: BTreeMap<usize, usize> = moves.iter().copied().zip(1..).collect();
    let node_of = |id: usize| nodes.get(&id).copied().unwrap_or(0);
    // Times follow the move of their color. If the color moves twice, they stay.
    let node_of_color = |ident: &[u8]| {
        let mut of_color = draft.ids().filter(|&id| draft.ident(id).is(ident));
        of_color.next().filter(|_| of_color.next().is_none()).map_or(0, node_of)
    };
    let (black, white) = (node_of_color(b"B"), node_of_color(b"W"));
    let mut others = vec![NodeDraft::empty(); moves.len()];
    draft.move_each(&mut others, |draft, id| {
        let ident = draft.ident(id);
        match node_of(id) {
            0 if ident.is(b"BL") || ident.is(b"OB") => black,
            0 if ident.is(b"WL") || ident.is(b"OW") => white,
            node => node,
        }
    });
    others
}

/// Returns whether a property goes to the second node when setup and moves are separated.
fn goes_with_moves(draft: &NodeDraft<'_>, id: usize, at: &EditContext) -> bool {
    // Game information of another game, such as `HA`, is read in the root as well, so it stays.
    let kind = at.definition_of(&draft.property(id)).map(|found| found.definition.property_type);
    let stays = matches!(kind, Some(PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo));
    !stays && !draft.ident(id).is(b"N")
}

/// Returns the side that a `PL` names.
pub(super) fn named_side(draft: &NodeDraft<'_>, id: usize) -> Option<Color> {
    Color::parse_lenient(draft.property(id).first().as_bytes()).ok().map(|read| read.value)
}

/// Returns whether a `PL` after a move names the side that moved. Without this `PL`, the other side would be to play.
pub(super) fn repeats_mover(draft: &NodeDraft<'_>) -> bool {
    let mut mover = None;
    for id in draft.ids() {
        let ident = draft.ident(id);
        if ident.is(b"B") {
            mover = Some(Color::Black);
        } else if ident.is(b"W") {
            mover = Some(Color::White);
        } else if mover.is_some() && ident.is(b"PL") && named_side(draft, id) == mover {
            return true;
        }
    }
    false
}

/// Returns whether the order of setup properties matters: two of them share a point, or a move lies between them.
pub(super) fn is_ordered(draft: &NodeDraft<'_>, at: &EditContext) -> bool {
    let (mut sets, mut has_move): (Vec<(Vec<u8>, PointSet)>, bool) = (Vec::new(), false);
    for id in draft.ids() {
        let ident = draft.ident(id).canonical();
        has_move |= !sets.is_empty() && at.game.move_ids().contains(draft.ident(id));
        if property_type(draft, id, at) != PropertyType::Setup || *ident == *b"PL" {
            continue;
        }
        if has_move {
            return true;
        }
        let property = draft.property(id);
        let entries: Vec<_> = property.values().filter_map(|value| at.point_entry(value.as_bytes())).collect();
        let shares = |set: &PointSet| entries.iter().any(|entry| entry.points().any(|point| set.contains(point)));
        if sets.iter().any(|(other, set)| **other != *ident && shares(set)) {
            return true;
        }
        let known = sets.iter().position(|(known, _)| **known == *ident);
        let known = known.unwrap_or_else(|| {
            sets.push((ident.into_owned(), PointSet::new()));
            sets.len() - 1
        });
        entries.iter().for_each(|entry| _ = entry.insert_into(&mut sets[known].1).count());
    }
    false
}
