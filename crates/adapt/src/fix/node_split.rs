//! Splits a node with setup and moves, or with several moves (spec E-04, SGFC 37).

use std::collections::{BTreeMap, BTreeSet};

use sgfstream_game::PropertyType;

use super::node_draft::NodeDraft;
use crate::edit::{EditContext, goes_with_moves};

/// Returns whether the node has setup and moves.
pub(super) fn is_mixed(draft: &NodeDraft<'_>, at: &EditContext) -> bool {
    let has = |wanted| draft.ids().any(|id| at.property_type(&draft.property(id)) == wanted);
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
        let is_setup = |draft: &NodeDraft<'_>, id| at.property_type(&draft.property(id)) == PropertyType::Setup;
        let late: BTreeSet<_> =
            draft.ids().skip_while(|&id| Some(id) != first_move).filter(|&id| is_setup(draft, id)).collect();
        let has_early = in_root || draft.ids().any(|id| is_setup(draft, id) && !late.contains(&id));
        if !late.is_empty() {
            // Comments and markup refer to the board after both.
            draft.move_each(std::slice::from_mut(&mut last), |draft, id| {
                let goes_last = late.contains(&id)
                    || (goes_with_moves(&draft.property(id), at)
                        && at.property_type(&draft.property(id)) == PropertyType::None);
                usize::from(goes_last)
            });
        }
        if has_early {
            let mut second = NodeDraft::empty();
            let goes_second = |draft: &NodeDraft<'_>, id| usize::from(goes_with_moves(&draft.property(id), at));
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
