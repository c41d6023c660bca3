//! Counts how often each value occurs, for a bounded number of different values.

use std::borrow::{Borrow, Cow};
use std::hash::Hash;

use sgfstream_game::value::Color;

use super::keyed::KeyedMap;

/// Counts of values. It has at most a given number of different values; further ones count as
/// `other`, so that the sum is always right.
///
/// While `other` is 0, the counts are exact. After that, each count is too low by at most `other`.
/// Merging adds counts and keeps these bounds.
///
/// ```
/// use sgfstream_adapt::stats::Tally;
///
/// let mut sizes: Tally<u32> = Tally::with_limit(2);
/// for size in [19, 9, 19, 13] {
///     sizes.add(&size);
/// }
/// sizes.add_absent();
/// assert_eq!(sizes.most(), [(&19, 2), (&9, 1)]);
/// assert_eq!((sizes.other, sizes.absent, sizes.total()), (1, 1, 5));
/// ```
#[derive(Clone, Debug)]
pub struct Tally<K: Eq + Hash> {
    index: KeyedMap<K, u32>,
    counts: Vec<Count>,
    limit: usize,
    /// Number of records without a value.
    pub absent: u64,
    /// Number of records whose value cannot be read.
    pub unreadable: u64,
    /// Number of occurrences of values beyond the limit.
    pub other: u64,
}

/// Number of occurrences of a value, and the games among them that Black and White won.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    count: u64,
    wins: [u64; 2],
}

impl Count {
    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
    }
}

/// Default maximum number of different values.
const LIMIT: usize = 1024;

/// The place where a value is counted. A caller that remembers it saves the lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Known(u32),
    Unreadable,
    Other,
}

impl<K: Eq + Hash + Ord + Clone> Default for Tally<K> {
    fn default() -> Self {
        Self::with_limit(LIMIT)
    }
}

impl<K: Eq + Hash + Ord + Clone> Tally<K> {
    /// Returns a tally of at most `limit` different values.
    #[must_use]
    pub fn with_limit(limit: usize) -> Self {
        let limit = limit.min(u32::MAX as usize);
        Self {
            index: KeyedMap::default(),
            counts: Vec::new(),
            limit,
            absent: 0,
            unreadable: 0,
            other: 0,
        }
    }

    /// Counts one value.
    #[inline]
    pub fn add<Q>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        let place = self.place(key);
        self.add_at(place, 1);
    }

    /// Returns the place where `key` is counted. It is valid until the next merge.
    pub(super) fn place<Q>(&mut self, key: &Q) -> Place
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ToOwned<Owned = K> + ?Sized,
    {
        if let Some(&at) = self.index.get(key) {
            return Place::Known(at);
        }
        if self.counts.len() >= self.limit {
            return Place::Other;
        }
        let at = self.counts.len() as u32;
        self.index.insert(key.to_owned(), at);
        self.counts.push(Count::default());
        Place::Known(at)
    }

    #[inline]
    pub(super) fn add_at(&mut self, place: Place, count: u64) {
        match place {
            Place::Known(at) => self.counts[at as usize].count += count,
            Place::Unreadable => self.unreadable += count,
            Place::Other => self.other += count,
        }
    }

    /// Counts a win for a value that was counted at `place`.
    pub(super) fn add_win_at(&mut self, place: Place, winner: Color) {
        if let Place::Known(at) = place {
            self.counts[at as usize].wins[usize::from(winner == Color::White)] += 1;
        }
    }

    /// Returns how many games with this value Black and White won, if the tally counts wins. In
    /// [`GameInfoCounts`](super::GameInfoCounts), the tallies of komi and years count wins.
    #[must_use]
    pub fn wins<Q>(&self, key: &Q) -> [u64; 2]
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.index
            .get(key)
            .map_or([0; 2], |&at| self.counts[at as usize].wins)
    }

    /// Counts a record without a value.
    pub fn add_absent(&mut self) {
        self.absent += 1;
    }

    /// Returns how often `key` occurred.
    #[must_use]
    pub fn get<Q>(&self, key: &Q) -> u64
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        self.index
            .get(key)
            .map_or(0, |&at| self.counts[at as usize].count)
    }

    /// Returns the number of all records.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|row| row.count).sum::<u64>()
            + self.absent
            + self.unreadable
            + self.other
    }

    /// Returns the values with their counts, the most frequent first. Values of equal count are in
    /// ascending order.
    #[must_use]
    pub fn most(&self) -> Vec<(&K, u64)> {
        let mut rows = self.in_order();
        rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        rows
    }

    /// Returns the values with their counts, in ascending order of values.
    #[must_use]
    pub fn in_order(&self) -> Vec<(&K, u64)> {
        let mut rows: Vec<_> = self
            .index
            .iter()
            .map(|(key, &at)| (key, self.counts[at as usize].count))
            .collect();
        rows.sort_by_key(|&(key, _)| key);
        rows
    }

    /// Adds the counts of `other`. If there are too many values together, the rarest count as
    /// `other`.
    pub fn merge(&mut self, other: &Self) {
        self.absent += other.absent;
        self.unreadable += other.unreadable;
        self.other += other.other;
        if self.counts.len() + other.counts.len() <= self.limit {
            for (key, &at) in &other.index {
                self.take(key, other, at);
            }
            return;
        }
        // There may be too many values, so add all before dropping the rarest.
        let limit = std::mem::replace(&mut self.limit, usize::MAX);
        for (key, _) in other.in_order() {
            self.take(key, other, other.index[key]);
        }
        self.limit = limit;
        if self.counts.len() > limit {
            self.keep_most(limit);
        }
    }

    /// Adds the count of a value of `other`.
    fn take(&mut self, key: &K, other: &Self, at: u32) {
        let count = other.counts[at as usize];
        match self.place(key) {
            Place::Known(at) => self.counts[at as usize].add(count),
            place => self.add_at(place, count.count),
        }
    }

    /// Drops all but the most frequent values, in place.
    fn keep_most(&mut self, limit: usize) {
        const DROPPED: u32 = u32::MAX;
        let mut places = vec![DROPPED; self.counts.len()];
        for (place, (key, _)) in self.most().into_iter().take(limit).enumerate() {
            places[self.index[key] as usize] = place as u32;
        }
        let mut counts = vec![Count::default(); limit];
        for (&place, &count) in places.iter().zip(&self.counts) {
            match place {
                DROPPED => self.other += count.count,
                place => counts[place as usize] = count,
            }
        }
        self.index.retain(|_, at| {
            *at = places[*at as usize];
            *at != DROPPED
        });
        self.counts = counts;
    }
}

/// Compares values and counts.
impl<K: Eq + Hash + Ord + Clone> PartialEq for Tally<K> {
    fn eq(&self, other: &Self) -> bool {
        let rest = |tally: &Self| (tally.limit, tally.absent, tally.unreadable, tally.other);
        rest(self) == rest(other)
            && self.in_order() == other.in_order()
            && self
                .index
                .keys()
                .all(|key| self.wins(key) == other.wins(key))
    }
}

impl<K: Eq + Hash + Ord + Clone> Eq for Tally<K> {}

/// Shortens a text for a tally, and removes surrounding blanks.
pub(super) fn clipped(text: &str) -> Cow<'_, str> {
    const CHARS: usize = 60;
    let text = text.trim();
    // A text has at most as many characters as bytes, so most texts need no count.
    let end = if text.len() > CHARS {
        text.char_indices().nth(CHARS)
    } else {
        None
    };
    match end {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn tally(values: &[u8], limit: usize) -> Tally<u8> {
        let mut tally = Tally::with_limit(limit);
        for value in values {
            match value {
                0 => tally.add_absent(),
                1 => tally.add_at(Place::Unreadable, 1),
                value => tally.add(value),
            }
        }
        tally
    }

    proptest! {
        #[test]
        fn merged_is_whole(values in prop::collection::vec(0u8..40, 0..200), cut in 0usize..200) {
            let (one, two) = values.split_at(cut.min(values.len()));
            let mut merged = tally(one, 64);
            merged.merge(&tally(two, 64));
            prop_assert_eq!(merged, tally(&values, 64));
        }

        #[test]
        fn bounds_hold_when_full(values in prop::collection::vec(0u8..40, 0..200), cut in 0usize..200, limit in 0usize..12) {
            let (one, two) = values.split_at(cut.min(values.len()));
            let mut merged = tally(one, limit);
            merged.merge(&tally(two, limit));
            prop_assert_eq!(merged.total(), values.len() as u64);
            prop_assert!(merged.most().len() <= limit);
            for tally in [&merged, &tally(&values, limit)] {
                for (key, count) in tally.in_order() {
                    let exact = values.iter().filter(|&value| value == key).count() as u64;
                    prop_assert!(count <= exact && exact <= count + tally.other);
                }
            }
        }
    }

    #[test]
    fn long_texts_are_clipped() {
        assert_eq!(clipped(" a b "), "a b");
        assert_eq!(clipped(&"黒".repeat(100)).chars().count(), 61);
    }
}
