//! `handicap`: writes the stones of a handicap as `AB` in the root, if the record omits them or
//! plays them as moves.

use std::ops::Range;

use sgfstream::record::{GameRecord, Node, TokenKind};
use sgfstream_game::go::handicap_points;
use sgfstream_game::value::Number;
use sgfstream_game::{BoardCell, Dialect, Game};

use super::{EditContext, EditOutput};

/// Adds the stones of `HA` to the root of a Go game without `AB` (spec Q-31). White must move
/// first, or after as many black moves as there are stones, or the game must end there.
///
/// Without black moves, the stones go to the usual points, which servers mean when they omit the
/// stones. Black moves become stones only if each is the only property of its node and on a point
/// of its own, before any white stone. Then no move captures, is suicide or makes a ko. So the
/// setup gives the same board and turn as all of them, and each later node keeps its board.
pub(super) fn place_handicap(game: &GameRecord<'_>, at: &EditContext, out: &mut EditOutput) {
    let (Some(root), Some(placed)) = (game.root(), PlacedHandicap::of(game, at, true)) else {
        return;
    };
    out.edits.insert(root.extent().end, &placed.setup);
    if let Some(moves) = placed.moves {
        out.edits.delete(moves);
    }
    out.count(1);
}

/// The handicap of a game as setup.
pub(crate) struct PlacedHandicap {
    /// The property `AB` that the root omits.
    pub(crate) setup: Vec<u8>,
    /// Bytes of the black moves that become stones.
    moves: Option<Range<usize>>,
}

impl PlacedHandicap {
    /// Returns the stones that the root omits. Without `takes_moves`, no move becomes a stone.
    pub(crate) fn of(game: &GameRecord<'_>, at: &EditContext, takes_moves: bool) -> Option<Self> {
        let root = game.root()?;
        let stones = omitted_stones(root, at)?;
        // If the stones filled the board, the last move would be suicide. `PL` would contradict the
        // turn after the setup.
        let area = at.size.map_or(0, |size| size.columns() * size.rows()) as usize;
        let takes_moves = takes_moves && stones < area && !has_any(root, &[b"AW", b"AE", b"PL"]);
        // Nodes before the first parenthesis after the root.
        let is_parenthesis = |kind| matches!(kind, TokenKind::Open | TokenKind::Close);
        let end = game
            .tokens()
            .iter()
            .skip(1)
            .position(|token| is_parenthesis(token.kind()))?
            + 1;
        let mut nodes = game
            .nodes()
            .skip(1)
            .take_while(|node| node.token_index() < end)
            .peekable();
        let (mut points, mut moves_start) = (Vec::new(), None);
        while takes_moves
            && points.len() < stones
            && let Some(node) = nodes.peek()
            && let Some(point) = only_black_stone(*node, at).filter(|point| !points.contains(point))
        {
            points.push(point);
            moves_start.get_or_insert(node.start());
            nodes.next();
        }
        let closing = game.tokens()[end];
        let (moves_end, is_white_next) = match nodes.peek() {
            Some(node) => {
                let ids = at.game.move_ids();
                let first = node
                    .properties()
                    .find(|(_, property)| ids.contains(property.ident()));
                (
                    node.start(),
                    first.is_some_and(|(_, property)| property.ident().is(b"W")),
                )
            }
            None => (closing.at(), closing.kind() == TokenKind::Close),
        };
        if !is_white_next {
            return None;
        }
        let points = match points.len() {
            0 => handicap_points(at.size?, u8::try_from(stones).ok()?)?,
            played if played == stones => points,
            _ => return None,
        };
        let dialect = Dialect::new(Game::Go, at.size);
        let mut setup = b"AB".to_vec();
        for point in points {
            setup.extend_from_slice(format!("[{}]", dialect.show_point(point)).as_bytes());
        }
        Some(Self {
            setup,
            moves: moves_start.map(|start| start..moves_end),
        })
    }
}

fn has_any(node: Node<'_>, idents: &[&[u8]]) -> bool {
    node.properties()
        .any(|(_, property)| idents.iter().any(|ident| property.ident().is(ident)))
}

/// Returns the number of stones that a root omits.
fn omitted_stones(root: Node<'_>, at: &EditContext) -> Option<usize> {
    if at.game != Game::Go || has_any(root, &[b"AB", b"B", b"W"]) {
        return None;
    }
    let (_, property) = root
        .properties()
        .find(|(_, property)| property.ident().is(b"HA"))?;
    let stones = Number::read(property.first().as_bytes())
        .sure()?
        .value
        .get();
    Some(usize::from(
        u8::try_from(stones).ok().filter(|&stones| stones >= 2)?,
    ))
}

/// Returns the stone of a node whose only property is a black move.
fn only_black_stone(node: Node<'_>, at: &EditContext) -> Option<BoardCell> {
    let mut properties = node.properties();
    let (_, property) = properties
        .next()
        .filter(|(_, property)| property.ident().is(b"B"))?;
    if properties.next().is_some() {
        return None;
    }
    Dialect::new(Game::Go, at.size)
        .parse_point(property.only()?.as_bytes())
        .ok()
}
