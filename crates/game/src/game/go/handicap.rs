//! Usual points of handicap stones. The format does not prescribe points (spec GI-03). Some servers
//! omit the stones and mean these points (spec Q-31).

use crate::value::BoardSize;

use super::super::BoardCell;

/// Returns the usual points for `stones` handicap stones (2 to 9), in the order in which they are
/// added. Returns `None` if there are no usual points: on boards with a side below 7, and for more
/// than 4 stones on boards without a middle line.
///
/// ```
/// use sgfstream_game::go::handicap_points;
/// use sgfstream_game::value::BoardSize;
///
/// let points = handicap_points(BoardSize::square(19), 2).expect("custom has them");
/// let pairs: Vec<_> = points.iter().map(|point| (point.column, point.row)).collect();
/// assert_eq!(pairs, [(15, 3), (3, 15)]); // pd and dp
/// ```
#[must_use]
pub fn handicap_points(size: BoardSize, stones: u8) -> Option<Vec<BoardCell>> {
    let columns = u16::try_from(size.columns()).ok()?;
    let rows = u16::try_from(size.rows()).ok()?;
    if !(2..=9).contains(&stones) || columns < 7 || rows < 7 {
        return None;
    }
    let has_middle = columns % 2 == 1 && rows % 2 == 1 && columns > 7 && rows > 7;
    if stones > 4 && !has_middle {
        return None;
    }
    let edge = |side: u16| if side < 13 { 2 } else { 3 };
    let (left, top) = (edge(columns), edge(rows));
    let (right, bottom) = (columns - 1 - left, rows - 1 - top);
    let (middle, center) = (columns / 2, rows / 2);
    let corners = [(right, top), (left, bottom), (right, bottom), (left, top)];
    let sides = [
        (left, center),
        (right, center),
        (middle, top),
        (middle, bottom),
    ];
    let mut points: Vec<(u16, u16)> = Vec::with_capacity(usize::from(stones));
    let with_center = stones >= 5 && stones % 2 == 1;
    points.extend(corners.iter().take(usize::from(stones)));
    points.extend(
        sides
            .iter()
            .take(usize::from(stones).saturating_sub(4 + usize::from(with_center))),
    );
    if with_center {
        points.push((middle, center));
    }
    Some(
        points
            .into_iter()
            .map(|(column, row)| BoardCell::new(column, row))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_as_asked_and_none_twice() {
        for side in [7, 9, 13, 19, 20, 52] {
            for stones in 0..12 {
                let Some(mut points) = handicap_points(BoardSize::square(side), stones) else {
                    assert!(
                        !(2..=9).contains(&stones) || (stones > 4 && (side % 2 == 0 || side == 7))
                    );
                    continue;
                };
                points.sort();
                points.dedup();
                assert_eq!(points.len(), usize::from(stones), "{side}");
            }
        }
    }
}
