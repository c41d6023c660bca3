//! Shapes of pieces. Two pieces have the same shape if one can be moved, rotated or reflected onto
//! the other.

use super::{PentobiCells, Piece};

/// Shape: the smallest of all rotated and reflected forms of a piece.
pub(super) type Shape = Vec<(i32, i32, i32)>;

/// Returns the shape of a piece. Returns `None` if it has too many cells or is not connected.
pub(super) fn shape(fields: PentobiCells, piece: &Piece) -> Option<Shape> {
    let cells: Vec<(u16, u16)> = piece
        .fields()
        .iter()
        .map(|&field| Some((field.column, fields.rank(field)?)))
        .collect::<Option<_>>()?;
    if cells.len() > fields.piece_max() || !hangs_together(fields, &cells) {
        return None;
    }
    Some(match fields.trigon_edge() {
        Some(edge) => triangular(&cells, edge),
        None => square(&cells, fields),
    })
}

fn hangs_together(fields: PentobiCells, cells: &[(u16, u16)]) -> bool {
    let mut reached = vec![false; cells.len()];
    let mut walk = vec![0];
    reached[0] = true;
    while let Some(at) = walk.pop() {
        for next in 0..cells.len() {
            if !reached[next] && fields.touch(cells[at], cells[next]) {
                reached[next] = true;
                walk.push(next);
            }
        }
    }
    reached.into_iter().all(|reached| reached)
}

/// Returns the shape of cells in a square lattice, by their centers.
fn square(cells: &[(u16, u16)], fields: PentobiCells) -> Shape {
    // Moving a shape must keep the kinds of its cells: it moves by any number of squares, in Nexos
    // by whole meshes, in GembloQ by whole squares of four cells.
    let mesh = if fields.is_nexos() {
        2
    } else if fields.is_gembloq() {
        6
    } else {
        1
    };
    let center = |&(column, rank): &(u16, u16)| {
        let (x, y) = (i32::from(column), i32::from(rank));
        if !fields.is_gembloq() {
            return (x, y);
        }
        // Two triangles share a square of side 6. The centroid of each is a third of a side away
        // from its two straight sides.
        let kind = fields.kind(column, rank);
        let Some(super::CellKind::Quarter { right, above }) = kind else {
            return (0, 0);
        };
        (
            6 * (x / 2) + if right { 4 } else { 2 },
            6 * y + if above { 4 } else { 2 },
        )
    };
    let centers: Vec<_> = cells.iter().map(center).collect();
    let forms = (0..8).map(|form| {
        let mut turned: Shape = centers
            .iter()
            .map(|&(x, y)| {
                let (x, y) = if form & 1 == 0 { (x, y) } else { (y, x) };
                (
                    if form & 2 == 0 { x } else { -x },
                    if form & 4 == 0 { y } else { -y },
                    0,
                )
            })
            .collect();
        let least = |pick: fn(&(i32, i32, i32)) -> i32, cells: &Shape| {
            let least = cells.iter().map(pick).min().unwrap_or(0);
            least.div_euclid(mesh) * mesh
        };
        let (left, low) = (least(|cell| cell.0, &turned), least(|cell| cell.1, &turned));
        turned
            .iter_mut()
            .for_each(|cell| *cell = (cell.0 - left, cell.1 - low, 0));
        turned.sort_unstable();
        turned
    });
    forms.min().unwrap_or_default()
}

/// Returns the shape of triangles by the strips that contain them: one between level lines and two
/// between slanted lines. Rotating a shape permutes the three, and their signs.
fn triangular(cells: &[(u16, u16)], edge: u16) -> Shape {
    let strips: Vec<[i32; 3]> = cells
        .iter()
        .map(|&(column, rank)| {
            let (x, y) = (i32::from(column), i32::from(rank));
            let slant = x - y - i32::from(edge);
            let is_down = slant.rem_euclid(2);
            let b = slant.div_euclid(2);
            [y, b, -(y + b + is_down) - 1]
        })
        .collect();
    let orders = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let forms = orders
        .iter()
        .flat_map(|order| [(order, false), (order, true)])
        .map(|(order, negative)| {
            let mut turned: Shape = strips
                .iter()
                .map(|strip| {
                    let pick = |at: usize| {
                        if negative {
                            -strip[order[at]] - 1
                        } else {
                            strip[order[at]]
                        }
                    };
                    (pick(0), pick(1), pick(2))
                })
                .collect();
            let a = turned.iter().map(|cell| cell.0).min().unwrap_or(0);
            let b = turned.iter().map(|cell| cell.1).min().unwrap_or(0);
            turned
                .iter_mut()
                .for_each(|cell| *cell = (cell.0 - a, cell.1 - b, cell.2 + a + b));
            turned.sort_unstable();
            turned
        });
    forms.min().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::game::Variant;

    fn shape_of(variant: Variant, raw: &str) -> Option<Shape> {
        shape(
            PentobiCells::of(variant),
            &Piece::parse(variant, raw.as_bytes()).expect(raw),
        )
    }

    /// Counts the shapes with up to `piece_max` cells, by growing all shapes from one cell near the
    /// middle.
    fn count_shapes(variant: Variant, size_max: usize) -> Vec<usize> {
        let fields = PentobiCells::of(variant);
        let all: Vec<_> = (0..fields.rows)
            .flat_map(|rank| (0..fields.columns).map(move |column| (column, rank)))
            .filter(|&(column, rank)| {
                fields
                    .kind(column, rank)
                    .is_some_and(super::super::CellKind::is_playable)
            })
            .filter(|&(column, rank)| {
                column.abs_diff(fields.columns / 2) < 9 && rank.abs_diff(fields.rows / 2) < 9
            })
            .collect();
        let middle = |kind: usize| {
            let kinds: Vec<_> = all
                .iter()
                .filter(|&&(c, r)| {
                    c.abs_diff(fields.columns / 2) < 2 && r.abs_diff(fields.rows / 2) < 2
                })
                .collect();
            *kinds[kind % kinds.len()]
        };
        let mut shapes: HashSet<Shape> = HashSet::new();
        let mut grown: Vec<Vec<(u16, u16)>> = vec![vec![middle(0)]];
        let mut counts = Vec::new();
        for _ in 0..size_max {
            let mut next: Vec<Vec<(u16, u16)>> = Vec::new();
            shapes.clear();
            for cells in grown {
                let found = match fields.trigon_edge() {
                    Some(edge) => triangular(&cells, edge),
                    None => square(&cells, fields),
                };
                if !shapes.insert(found) {
                    continue;
                }
                for &cell in &all {
                    if !cells.contains(&cell)
                        && cells.iter().any(|&other| fields.touch(cell, other))
                    {
                        let mut more = cells.clone();
                        more.push(cell);
                        next.push(more);
                    }
                }
            }
            counts.push(shapes.len());
            grown = next;
        }
        counts
    }

    #[test]
    fn as_many_pieces_as_the_games_have() {
        // Polyominoes: 21 pieces of Blokus. Polyiamonds: 22 of Trigon.
        // Polysticks: 24 of Nexos.
        assert_eq!(count_shapes(Variant::Blokus, 5), [1, 1, 2, 5, 12]);
        assert_eq!(count_shapes(Variant::BlokusTrigon, 6), [1, 1, 1, 3, 4, 12]);
        assert_eq!(
            count_shapes(Variant::BlokusTrigonThreePlayer, 6),
            [1, 1, 1, 3, 4, 12]
        );
        assert_eq!(count_shapes(Variant::Nexos, 4), [1, 2, 5, 16]);
        // Quarters of squares: polyaboloes, edge to edge within the lattice.
        assert_eq!(count_shapes(Variant::GembloQ, 2)[0], 1);
    }

    #[test]
    fn unknown_shapes() {
        assert_eq!(shape_of(Variant::Blokus, "a1,c1"), None);
        assert_eq!(shape_of(Variant::Blokus, "a1,b2"), None);
        assert_eq!(shape_of(Variant::Blokus, "a1,b1,c1,d1,e1,f1"), None);
        assert_eq!(
            shape_of(Variant::Blokus, "a1,b1,b2"),
            shape_of(Variant::Blokus, "t20,s20,t19")
        );
        assert!(shape_of(Variant::GembloQ, "b1,c1,b2,c2").is_some());
        assert_eq!(
            shape_of(Variant::GembloQ, "b1,c1,b2,c2"),
            shape_of(Variant::GembloQ, "d2,e2,d3,e3")
        );
    }
}
