//! Liberties of all groups of a board that is given as stones.

/// Counts of liberties, made with memory that is used again.
#[derive(Debug, Default)]
pub(super) struct Liberties {
    /// The liberties of the group of each stone, at most 127; 0 for empty points.
    pub(super) counts: Vec<i8>,
    /// The group that touched each empty point last.
    touched: Vec<u32>,
    open: Vec<usize>,
    group: Vec<usize>,
}

impl Liberties {
    /// Counts those of `stones`, row by row of `columns` each: 0, or the number of a colour.
    pub(super) fn count(&mut self, stones: &[i8], columns: usize) {
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
            // Marks the stones that were met; the count comes when it is known.
            self.counts[start] = -1;
            self.open.push(start);
            while let Some(at) = self.open.pop() {
                self.group.push(at);
                let column = at % columns;
                let beside = [
                    (column > 0).then(|| at - 1),
                    (column + 1 < columns).then_some(at + 1),
                    at.checked_sub(columns),
                    Some(at + columns).filter(|&below| below < stones.len()),
                ];
                for next in beside.into_iter().flatten() {
                    if stones[next] == 0 {
                        free += u32::from(std::mem::replace(&mut self.touched[next], groups) != groups);
                    } else if stones[next] == stones[start] && self.counts[next] == 0 {
                        self.counts[next] = -1;
                        self.open.push(next);
                    }
                }
            }
            // A group without liberties was set up so.
            let free = i8::try_from(free).unwrap_or(i8::MAX);
            self.group.iter().for_each(|&at| self.counts[at] = if free == 0 { NONE } else { free });
        }
        self.counts.iter_mut().filter(|count| **count == NONE).for_each(|count| *count = 0);
    }
}

/// A group without liberties, until all are counted: 0 is a stone that was not met.
const NONE: i8 = -2;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Liberties;

    /// By sets, from each stone anew.
    fn slow(stones: &[i8], columns: usize, start: usize) -> i8 {
        let (mut group, mut open, mut free) = (BTreeSet::from([start]), vec![start], BTreeSet::new());
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
        free.len() as i8
    }

    #[test]
    fn as_the_definition_has_them() {
        let mut rng = fastrand::Rng::with_seed(3);
        let mut liberties = Liberties::default();
        for round in 0..400 {
            let (columns, rows) = (rng.usize(1..9), rng.usize(1..9));
            let stones: Vec<i8> = (0..columns * rows).map(|_| [0, 1, 2, 1, 2, 0][rng.usize(..3 + round % 4)]).collect();
            liberties.count(&stones, columns);
            let expected: Vec<i8> =
                (0..stones.len()).map(|at| if stones[at] == 0 { 0 } else { slow(&stones, columns, at) }).collect();
            assert_eq!(liberties.counts, expected, "{columns} columns: {stones:?}");
        }
    }
}
