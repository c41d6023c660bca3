//! Splits nodes with setup and moves, and nodes with several moves.

use sgfstream::Property;
use sgfstream::record::{GameRecord, Node};
use sgfstream_game::property::PropertyType;
use sgfstream_game::value::{Color, PointSet};

use super::{EditContext, EditOutput, NodeDraft};

/// Splits a node with both setup and moves in two: the first node gets setup, root properties, game
/// information and N, the second everything else (spec E-04). Setup after a move goes to a node
/// after the move, because the board depends on the order. Then it splits a node with several moves
/// into one for each (SGFC 37).
pub(super) fn split(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    for node in game.nodes() {
        let properties: Vec<Property<'_>> =
            node.properties().map(|(_, property)| property).collect();
        let has_moves = properties
            .iter()
            .filter(|property| is_play(property))
            .nth(1)
            .is_some();
        if properties.len() > 1 && (has_moves || is_mixed(&properties, at)) {
            split_node(node, at, out);
        }
    }
}

/// Returns whether this is a move of B or W.
fn is_play(property: &Property<'_>) -> bool {
    property.ident().is(b"B") || property.ident().is(b"W")
}

fn split_node(node: Node<'_>, at: &EditContext, out: &mut EditOutput) {
    let mut draft = NodeDraft::of_node(node);
    let properties = draft.to_properties();
    let mut is_mixed = is_mixed(&properties, at);
    // The move shows who is to play (spec Q-05), unless `PL` names the side that has just moved.
    let is_other_setup = |property: &Property<'_>| {
        at.property_type(property) == PropertyType::Setup && !property.ident().is(b"PL")
    };
    let only_player = !properties.iter().any(is_other_setup) && !repeats_mover(&properties);
    if is_mixed && only_player && properties.iter().any(is_play) {
        is_mixed = false;
        while let Some(player) = draft.find(b"PL") {
            draft.drop_property(player);
            out.count(1);
        }
    }
    let properties = draft.to_properties();
    if is_mixed && has_setup_between_moves(&properties, at) {
        return;
    }
    let in_root = node
        .game()
        .root()
        .is_some_and(|root| root.token_index() == node.token_index());
    let first_play = properties.iter().position(is_play);
    let is_split = |number: usize| Some(number) != first_play && is_play(&properties[number]);
    let numbers = node_numbers(&properties, in_root, is_mixed, is_split, at);
    let others = draft.split(&numbers);
    draft.write(&mut out.edits);
    for other in others {
        out.edits.insert(draft.end(), &other);
        out.count(1);
    }
}

/// Returns whether a node has setup and moves.
pub(crate) fn is_mixed(properties: &[Property<'_>], at: &EditContext) -> bool {
    let has = |wanted| {
        properties
            .iter()
            .any(|property| at.property_type(property) == wanted)
    };
    has(PropertyType::Setup) && has(PropertyType::Move)
}

/// Returns for each property of a node the number of the node that it goes to when the node is
/// split: 0 if it stays.
///
/// With `is_mixed`, setup is separated from moves, in their order. Then each move for which
/// `is_split` returns true gets a node of its own, with its times.
pub(crate) fn node_numbers(
    properties: &[Property<'_>],
    in_root: bool,
    is_mixed: bool,
    is_split: impl Fn(usize) -> bool,
    at: &EditContext,
) -> Vec<usize> {
    // For each property, the setup or move that it goes with: 0 for early setup, 1 for moves, 2 for
    // late setup.
    let mut parts = vec![0; properties.len()];
    if is_mixed {
        let is_setup = |property: &Property<'_>| at.property_type(property) == PropertyType::Setup;
        let ids = at.game.move_ids();
        let first_move = properties
            .iter()
            .position(|property| ids.contains(property.ident()));
        let late = first_move.unwrap_or(properties.len());
        let has_late = properties[late..].iter().any(is_setup);
        let has_early = in_root || properties[..late].iter().any(is_setup);
        for (number, property) in properties.iter().enumerate() {
            let goes_with_moves = goes_with_moves(property, at);
            let is_late = number >= late && is_setup(property);
            // Comments and markup refer to the board after both.
            let goes_last =
                is_late || (goes_with_moves && at.property_type(property) == PropertyType::None);
            parts[number] = match goes_with_moves {
                _ if has_late && goes_last => 2,
                true if has_early => 1,
                _ => 0,
            };
        }
    }
    let with_moves = u8::from(parts.contains(&1));
    let is_with_moves = |number: &usize| parts[*number] == with_moves;
    // Times follow the move of their color. If the color moves twice, they stay.
    let move_of_color = |ident: &[u8]| {
        let mut of_color = (0..properties.len())
            .filter(is_with_moves)
            .filter(|&number| properties[number].ident().is(ident));
        of_color
            .next()
            .filter(|&number| of_color.next().is_none() && is_split(number))
    };
    let (black, white) = (move_of_color(b"B"), move_of_color(b"W"));
    let place_of = |number: usize| {
        let ident = properties[number].ident();
        let own = match number {
            _ if !is_with_moves(&number) => None,
            number if is_split(number) => Some(number),
            _ if ident.is(b"BL") || ident.is(b"OB") => black,
            _ if ident.is(b"WL") || ident.is(b"OW") => white,
            _ => None,
        };
        (parts[number], own.map_or(0, |number| number + 1))
    };
    let places: Vec<(u8, usize)> = (0..properties.len()).map(place_of).collect();
    let mut nodes = places.clone();
    nodes.push((0, 0));
    nodes.sort_unstable();
    nodes.dedup();
    places
        .iter()
        .map(|place| nodes.partition_point(|node| node < place))
        .collect()
}

/// Returns whether setup lies between two moves of the node. The edit leaves such a node unchanged,
/// because no split that separates setup from moves gives the same board.
fn has_setup_between_moves(properties: &[Property<'_>], at: &EditContext) -> bool {
    let is_setup = |property: &&Property<'_>| at.property_type(property) == PropertyType::Setup;
    let after_move = properties.iter().skip_while(|property| !is_play(property));
    after_move
        .skip_while(|property| !is_setup(property))
        .any(is_play)
}

/// Returns the side that a `PL` names.
pub(crate) fn named_side(property: &Property<'_>) -> Option<Color> {
    Color::parse_lenient(property.first().as_bytes())
        .ok()
        .map(|read| read.value)
}

/// Returns whether a `PL` after a move names the side that moved. Without this `PL`, the other side
/// would be to play.
pub(crate) fn repeats_mover(properties: &[Property<'_>]) -> bool {
    let mut mover = None;
    for property in properties {
        let ident = property.ident();
        if ident.is(b"B") {
            mover = Some(Color::Black);
        } else if ident.is(b"W") {
            mover = Some(Color::White);
        } else if ident.is(b"PL") && mover.is_some() && named_side(property) == mover {
            return true;
        }
    }
    false
}

/// Returns whether a property goes to the second node when setup and moves are separated.
fn goes_with_moves(property: &Property<'_>, at: &EditContext) -> bool {
    // Game information of another game, such as `HA`, is read in the root as well, so it stays.
    let kind = at
        .definition_of(property)
        .map(|found| found.definition.property_type);
    let stays = matches!(
        kind,
        Some(PropertyType::Setup | PropertyType::Root | PropertyType::GameInfo)
    );
    !stays && !property.ident().is(b"N")
}

/// Returns whether the order of setup properties matters: two of them share a point, or a move lies
/// between them.
pub(crate) fn is_ordered(properties: &[Property<'_>], at: &EditContext) -> bool {
    let (mut sets, mut has_move): (Vec<(Vec<u8>, PointSet)>, bool) = (Vec::new(), false);
    for property in properties {
        let ident = property.ident();
        has_move |= !sets.is_empty() && at.game.move_ids().contains(ident);
        if at.property_type(property) != PropertyType::Setup || ident.is(b"PL") {
            continue;
        }
        if has_move {
            return true;
        }
        let entries: Vec<_> = property
            .values()
            .filter_map(|value| at.point_entry(value.as_bytes()))
            .collect();
        // In such a game, a value that is read as no point may still name one that another property
        // names.
        let is_unread =
            !at.game.has_two_letter_points() && entries.len() < property.values().count();
        if is_unread && sets.iter().any(|(other, _)| !ident.is(other)) {
            return true;
        }
        let shares = |set: &PointSet| {
            entries
                .iter()
                .any(|entry| entry.points().any(|point| set.contains(point)))
        };
        if sets
            .iter()
            .any(|(other, set)| !ident.is(other) && shares(set))
        {
            return true;
        }
        let known = sets
            .iter()
            .position(|(known, _)| ident.is(known))
            .unwrap_or_else(|| {
                sets.push((ident.canonical().into_owned(), PointSet::new()));
                sets.len() - 1
            });
        for entry in &entries {
            entry.insert_into(&mut sets[known].1).count();
        }
    }
    false
}
