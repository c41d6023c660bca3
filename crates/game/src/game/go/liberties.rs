//! Counts the liberties of all groups of a position.

/// Liberty counter that reuses its memory.
///
/// ```
/// use sgfstream_game::go::Liberties;
///
/// let mut liberties = Liberties::default();
/// // X X .
/// // O . .
/// assert_eq!(liberties.count(&[1, 1, 0, 2, 0, 0], 3), [2, 2, 0, 1, 0, 0]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Liberties {
    counts: Vec<u16>,
    /// The last group that touched each empty point.
    touched: Vec<u32>,
    open: Vec<usize>,
    group: Vec<usize>,
}

impl Liberties {
    /// Returns the liberties of each stone's group, and 0 for empty points. `stones` has the points
    /// row by row, in rows of `columns`: 0 for an empty point, or the number of a color.
    pub fn count(&mut self, stones: &[i8], columns: usize) -> &[u16] {
        self.counts.clear();
        self.counts.resize(stones.len(), 0);
        self.touched.clear();
        self.touched.resize(stones.len(), 0);
        let mut groups = 0;
        for start in 0..stones.len() {
            if stones[start] == 0 || self.counts[start] != 0 {
                continue;
            }
            groups += 1;
            let mut free = 0;
            self.group.clear();
            self.counts[start] = MET;
            self.open.push(start);
            while let Some(at) = self.open.pop() {
                self.group.push(at);
                for next in neighbors(at, columns, stones.len()) {
                    if stones[next] == 0 {
                        free +=
                            u16::from(std::mem::replace(&mut self.touched[next], groups) != groups);
                    } else if stones[next] == stones[start] && self.counts[next] == 0 {
                        self.counts[next] = MET;
                        self.open.push(next);
                    }
                }
            }
            // A group without liberties, which only setup makes, stays `MET` until all groups are
            // counted.
            let free = if free == 0 { MET } else { free };
            self.group.iter().for_each(|&at| self.counts[at] = free);
        }
        self.counts
            .iter_mut()
            .filter(|count| **count == MET)
            .for_each(|count| *count = 0);
        &self.counts
    }
}

/// Marks a stone whose group was visited. No group has as many liberties.
const MET: u16 = u16::MAX;

/// Returns the points beside `at`, on a board of `points` points in rows of `columns`.
pub fn neighbors(at: usize, columns: usize, points: usize) -> impl Iterator<Item = usize> {
    let column = at % columns;
    let beside = [
        (column > 0).then(|| at - 1),
        (column + 1 < columns).then_some(at + 1),
        at.checked_sub(columns),
        Some(at + columns).filter(|&below| below < points),
    ];
    beside.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Liberties;

    /// Counts by sets, and separately for each stone.
    fn slow(stones: &[i8], columns: usize, start: usize) -> u16 {
        let (mut group, mut open, mut free) =
            (BTreeSet::from([start]), vec![start], BTreeSet::new());
        let point = |at: usize| (at as i32 % columns as i32, at as i32 / columns as i32);
        while let Some(at) = open.pop() {
            for next in 0..stones.len() {
                let ((x, y), (x2, y2)) = (point(at), point(next));
                if (x - x2).abs() + (y - y2).abs() != 1 {
                    continue;
                }
                if stones[next] == 0 {
                    free.insert(next);
                } else if stones[next] == stones[start] && group.insert(next) {
                    open.push(next);
                }
            }
        }
        free.len() as u16
    }

    #[test]
    fn as_the_definition_has_them() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut liberties = Liberties::default();
        for round in 0..400 {
            let (columns, rows) = (rng.usize(1..9), rng.usize(1..9));
            let stones: Vec<i8> = (0..columns * rows)
                .map(|_| [0, 1, 2, 1, 2, 0][rng.usize(..3 + round % 4)])
                .collect();
            let expected: Vec<u16> = (0..stones.len())
                .map(|at| {
                    if stones[at] == 0 {
                        0
                    } else {
                        slow(&stones, columns, at)
                    }
                })
                .collect();
            assert_eq!(
                liberties.count(&stones, columns),
                expected,
                "{columns} columns: {stones:?}"
            );
        }
    }
}
