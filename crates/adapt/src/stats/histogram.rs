//! Histogram of numbers such as the lengths of games: exact up to 1023, by powers of two beyond.

use super::add_all;

/// Numbers below this have counts of their own.
const EXACT: usize = 1024;

/// Number of buckets above: one for each power of two.
const BUCKETS: usize = 64 - EXACT.ilog2() as usize;

/// Histogram of whole numbers.
///
/// ```
/// use sgfstream_adapt::stats::Histogram;
///
/// let mut lengths = Histogram::default();
/// for length in [0, 212, 250, 250, 301] {
///     lengths.add(length);
/// }
/// assert_eq!((lengths.count, lengths.min(), lengths.max()), (5, Some(0), Some(301)));
/// assert_eq!((lengths.mean(), lengths.quantile(0.5)), (Some(202.6), Some(250)));
/// assert_eq!(lengths.buckets(100), [(0, 99, 1), (200, 299, 3), (300, 399, 1)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    exact: Vec<u64>,
    large: [u64; BUCKETS],
    /// Number of numbers that were counted.
    pub count: u64,
    /// Sum of the numbers.
    pub sum: u128,
    /// `u64::MAX` before the first number; `max` is then 0.
    min: u64,
    max: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self {
            exact: vec![0; EXACT],
            large: [0; BUCKETS],
            count: 0,
            sum: 0,
            min: u64::MAX,
            max: 0,
        }
    }
}

impl Histogram {
    /// Counts one number.
    pub fn add(&mut self, value: u64) {
        match usize::try_from(value) {
            Ok(small) if small < EXACT => self.exact[small] += 1,
            _ => self.large[value.ilog2() as usize - EXACT.ilog2() as usize] += 1,
        }
        self.count += 1;
        self.sum += u128::from(value);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Returns the smallest number.
    #[must_use]
    pub fn min(&self) -> Option<u64> {
        (self.count > 0).then_some(self.min)
    }

    /// Returns the largest number.
    #[must_use]
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max)
    }

    /// Returns the mean of the numbers.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Returns the smallest number for which at least `part` of all numbers are not larger. `part`
    /// is from 0.0 to 1.0; 0.5 gives the median. The result is exact below 1024; above, it is the
    /// lower end of its power of two.
    #[must_use]
    pub fn quantile(&self, part: f64) -> Option<u64> {
        let wanted = ((self.count as f64 * part).ceil() as u64).clamp(1, self.count.max(1));
        let mut seen = 0;
        let mut reached = |count: u64| {
            seen += count;
            seen >= wanted
        };
        let exact = self
            .exact
            .iter()
            .position(|&count| reached(count))
            .map(|at| at as u64);
        exact.or_else(|| {
            self.large
                .iter()
                .position(|&count| reached(count))
                .map(low_end)
        })
    }

    /// Returns rows of first number, last number and count. Each row is `width` wide up to 1023 and
    /// a power of two beyond. Empty rows are omitted.
    #[must_use]
    pub fn buckets(&self, width: u64) -> Vec<(u64, u64, u64)> {
        let width = width.max(1);
        let step = usize::try_from(width).unwrap_or(EXACT).min(EXACT);
        let exact = self.exact.chunks(step).enumerate().map(|(at, counts)| {
            let first = (at * step) as u64;
            (first, first + counts.len() as u64 - 1, counts.iter().sum())
        });
        // The exact rows end at 1023, even if `width` does not divide 1024.
        let large = self
            .large
            .iter()
            .enumerate()
            .map(|(at, &count)| (low_end(at), low_end(at) - 1 + low_end(at), count));
        exact
            .chain(large)
            .filter(|&(_, _, count)| count > 0)
            .collect()
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        add_all(&mut self.exact, &other.exact);
        add_all(&mut self.large, &other.large);
        self.count += other.count;
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }
}

fn low_end(bucket: usize) -> u64 {
    (EXACT as u64) << bucket
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn histogram(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::default();
        for &value in values {
            histogram.add(value);
        }
        histogram
    }

    proptest! {
        #[test]
        fn merged_is_whole(values in prop::collection::vec(prop_oneof![0u64..2000, any::<u64>()], 0..50), cut in 0usize..50) {
            let (one, two) = values.split_at(cut.min(values.len()));
            let mut merged = histogram(one);
            merged.merge(&histogram(two));
            prop_assert_eq!(merged, histogram(&values));
        }

        #[test]
        fn quantiles_are_members(mut values in prop::collection::vec(0u64..1024, 1..50), part in 0.0f64..1.0) {
            let histogram = histogram(&values);
            values.sort_unstable();
            let at = ((values.len() as f64 * part).ceil() as usize).max(1) - 1;
            prop_assert_eq!(histogram.quantile(part), Some(values[at]));
        }

        #[test]
        fn buckets_hold_all(values in prop::collection::vec(any::<u64>(), 0..50), width in 1u64..2000) {
            let buckets = histogram(&values).buckets(width);
            for &(first, last, count) in &buckets {
                let inside = values.iter().filter(|&&value| first <= value && value <= last).count() as u64;
                prop_assert_eq!(count, inside);
            }
            prop_assert_eq!(buckets.iter().map(|bucket| bucket.2).sum::<u64>(), values.len() as u64);
        }
    }

    #[test]
    fn the_largest() {
        let histogram = histogram(&[u64::MAX, 1023, 1024]);
        assert_eq!(histogram.quantile(1.0), Some(1 << 63));
        assert_eq!(
            histogram.buckets(10),
            [(1020, 1023, 1), (1024, 2047, 1), (1 << 63, u64::MAX, 1)]
        );
        assert_eq!(Histogram::default().quantile(0.5), None);
    }
}
