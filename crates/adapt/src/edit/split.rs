//! Splits nodes with setup and moves, and nodes with several moves.

use sgfstream::Property;
use sgfstream::record::{GameRecord, Node, TokenKind};
use sgfstream_game::PropertyType;
use sgfstream_game::value::{Color, PointSet};

use super::{EditContext, EditOutput, PlacedProperty};

/// Splits a node with both setup and moves in two: the first node gets setup, root properties, game information and N, the
/// second everything else (spec E-04). Setup after a move goes to a node after the move, because the board depends on the
/// order. Then it splits a node with several moves into one for each (SGFC 37).
pub(super) fn split(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    for node in game.nodes() {
        let mut others = node.properties();
        if others.next().is_none() || others.next().is_none() {
            continue;
        }
        let index = node.token_index();
        let rest = game.tokens()[index + 1..].iter();
        let is_in_node = |kind| matches!(kind, TokenKind::Property | TokenKind::Move | TokenKind::Problem);
        let end = rest.clone().find(|token| !is_in_node(token.kind())).map_or(game.as_bytes().len(), |next| next.at());
        split_node(node, end, at, out);
    }
}

/// Returns whether this is a move of B or W.
fn is_play(property: &Property<'_>) -> bool {
    property.ident().is(b"B") || property.ident().is(b"W")
}

fn split_node(node: Node<'_>, end: usize, at: &EditContext, out: &mut EditOutput) {
    let properties: Vec<PlacedProperty<'_>> = PlacedProperty::of_node(node).collect();
    let setup = |placed: &PlacedProperty<'_>| at.property_type(&placed.property) == PropertyType::Setup;
    let has = |wanted| properties.iter().any(|placed| at.property_type(&placed.property) == wanted);
    let mut is_mixed = has(PropertyType::Setup) && has(PropertyType::Move);
    // The move shows who is to play (spec Q-05), unless `PL` names the side that has just moved.
    let is_player = |placed: &PlacedProperty<'_>| placed.property.ident().is(b"PL");
    let only_player = properties.iter().all(|placed| !setup(placed) || is_player(placed))
        && !repeats_mover(properties.iter().map(|placed| placed.property));
    let mut kept: Vec<&PlacedProperty<'_>> = properties.iter().collect();
    if is_mixed && only_player && properties.iter().any(|placed| is_play(&placed.property)) {
        is_mixed = false;
        for placed in properties.iter().filter(|placed| is_player(placed)) {
            out.drop_property(&node.game(), placed);
            out.count(1);
        }
        kept.retain(|placed| !is_player(placed));
    }
    if is_mixed && has_setup_between_moves(&kept, at) {
        return;
    }
    let in_root = properties.first().is_some_and(|first| first.in_root);
    let nodes = nodes_of(&kept, in_root, is_mixed, at);
    let mut text = Vec::new();
    for properties in &nodes[1..] {
        text.push(b';');
        for placed in properties {
            text.extend_from_slice(placed.property.as_bytes());
            out.drop_property(&node.game(), placed);
        }
        out.count(1);
    }
    if !text.is_empty() {
        out.edits.insert(end, &text);
    }
}

/// Distributes the properties of a node over the nodes that it becomes. Only the first may be empty.
fn nodes_of<'n, 't>(
    properties: &[&'n PlacedProperty<'t>],
    in_root: bool,
    is_mixed: bool,
    at: &EditContext,
) -> Vec<Vec<&'n PlacedProperty<'t>>> {
    let ids = at.game.move_ids();
    let (mut first, mut second, mut last) = (properties.to_vec(), Vec::new(), Vec::new());
    if is_mixed {
        let is_setup = |placed: &PlacedProperty<'_>| at.property_type(&placed.property) == PropertyType::Setup;
        let first_move = properties.iter().find(|placed| ids.contains(placed.property.ident()));
        let move_start = first_move.map_or(usize::MAX, |first| first.span.start);
        let is_late = |placed: &PlacedProperty<'_>| placed.span.start >= move_start && is_setup(placed);
        let has_late = properties.iter().any(|placed| is_late(placed));
        let has_early = in_root || properties.iter().any(|placed| is_setup(placed) && !is_late(placed));
        if has_late {
            // Comments and markup refer to the board after both.
            let goes_last = |placed: &PlacedProperty<'_>| {
                let is_other = at.property_type(&placed.property) == PropertyType::None;
                is_late(placed) || (goes_with_moves(&placed.property, at) && is_other)
            };
            last = first.extract_if(.., |placed| goes_last(placed)).collect();
        }
        if has_early {
            second = first.extract_if(.., |placed| goes_with_moves(&placed.property, at)).collect();
        }
    }
    let mut nodes = vec![first];
    if !second.is_empty() {
        nodes.push(second);
    }
    split_moves(&mut nodes);
    if !last.is_empty() {
        nodes.push(last);
    }
    nodes
}

/// Gives each move of the last node but the first a node of its own, with its times.
fn split_moves(nodes: &mut Vec<Vec<&PlacedProperty<'_>>>) {
    let Some(with_moves) = nodes.pop() else { return };
    let is_of =
        |placed: &PlacedProperty<'_>, idents: [&[u8]; 2]| idents.iter().any(|ident| placed.property.ident().is(ident));
    // Times follow the move of their color. If the color moves twice, they stay.
    let node_of_color = |ident: &[u8]| {
        let plays = with_moves.iter().filter(|placed| is_play(&placed.property)).enumerate();
        let mut of_color = plays.filter(|(_, placed)| placed.property.ident().is(ident));
        of_color.next().filter(|_| of_color.next().is_none()).map_or(0, |(number, _)| number)
    };
    let (black, white) = (node_of_color(b"B"), node_of_color(b"W"));
    let moves = with_moves.iter().filter(|placed| is_play(&placed.property)).count();
    let mut split = vec![Vec::new(); moves.max(1)];
    let mut next_move = 0;
    for placed in with_moves {
        let number = if is_play(&placed.property) {
            next_move += 1;
            next_move - 1
        } else if is_of(placed, [b"BL", b"OB"]) {
            black
        } else if is_of(placed, [b"WL", b"OW"]) {
            white
        } else {
            0
        };
        split[number].push(placed);
    }
    nodes.append(&mut split);
}

/// Returns whether setup lies between two moves of the node. The edit leaves such a node unchanged, because no split that
/// separates setup from moves gives the same board.
fn has_setup_between_moves(properties: &[&PlacedProperty<'_>], at: &EditContext) -> bool {
    let is_setup = |placed: &&&PlacedProperty<'_>| at.property_type(&placed.property) == PropertyType::Setup;
    let after_move = properties.iter().skip_while(|placed| !is_play(&placed.property));
    after_move.skip_while(|placed| !is_setup(placed)).any(|placed| is_play(&placed.property))
}

/// Returns the side that a `PL` names.
pub(crate) fn named_side(property: &Property<'_>) -> Option<Color> {
    Color::parse_lenient(property.first().as_bytes()).ok().map(|read| read.value)
}

/// Returns whether a `PL` after a move names the side that moved. Without this `PL`, the other side would be to play.
pub(crate) fn repeats_mover<'t>(properties: impl Iterator<Item = Property<'t>>) -> bool {
    let mut mover = None;
    for property in properties {
        let ident = property.ident();
        if ident.is(b"B") {
            mover = Some(Color::Black);
        } else if ident.is(b"W") {
            mover = Some(Color::White);
        } else if ident.is(b"PL") && mover.is_some() && named_side(&property) == mover {
            return true;
        }
    }
    false
}

/// Returns whether a property goes to the second node when setup and moves are separated.
pub(crate) fn goes_with_moves(property: &Property<'_>, at: &EditContext) -> bool {
    // Game information of another game, such as `HA`, is read in the root as well, so it stays.
    let kind = at.definition_of(property).map(|found| found.definition.property_type);
    let stays = matches!(kind, Some(PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo));
    !stays && !property.ident().is(b"N")
}

/// Returns whether the order of setup properties matters: two of them share a point, or a move lies between them.
pub(crate) fn is_ordered<'t>(properties: impl Iterator<Item = Property<'t>>, at: &EditContext) -> bool {
    let (mut sets, mut has_move): (Vec<(Vec<u8>, PointSet)>, bool) = (Vec::new(), false);
    for property in properties {
        let ident = property.ident();
        has_move |= !sets.is_empty() && at.game.move_ids().contains(ident);
        if at.property_type(&property) != PropertyType::Setup || ident.is(b"PL") {
            continue;
        }
        if has_move {
            return true;
        }
        let values = property.values();
        let entries: Vec<_> = values.filter_map(|value| at.point_entry(value.as_bytes())).collect();
        let shares = |set: &PointSet| entries.iter().any(|entry| entry.points().any(|point| set.contains(point)));
        if sets.iter().any(|(other, set)| !ident.is(other) && shares(set)) {
            return true;
        }
        let known = sets.iter().position(|(known, _)| ident.is(known)).unwrap_or_else(|| {
            sets.push((ident.canonical().into_owned(), PointSet::new()));
            sets.len() - 1
        });
        for entry in &entries {
            entry.insert_into(&mut sets[known].1).count();
        }
    }
    false
}
