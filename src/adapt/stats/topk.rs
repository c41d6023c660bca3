//! The most frequent of very many texts, in little memory: the space-saving
//! sketch (Metwally, Agrawal and El Abbadi, 2005), merged as Agarwal and others
//! showed in 2012.

use std::cmp::Reverse;
use std::sync::Arc;

use super::keyed::KeyedMap;

/// Counts the most frequent texts. It holds `capacity` of them.
///
/// Each text it gives occurred at most `count` times, and at least
/// `count - error` times; a text that it does not give, at most
/// [`missed`](Self::missed) times. Neither `error` nor `missed` is more than the number of
/// all additions divided by the capacity; both are 0, and all is exact, as long as
/// there were no more different texts than that. All this holds of merged ones
/// too.
///
/// ```
/// use sgfstream::adapt::stats::TopK;
///
/// let mut players = TopK::with_capacity(2);
/// for name in ["Shusaku", "Shuwa", "Shusaku", "Shusaku", "Jowa"] {
///     players.add(name);
/// }
/// let top = &players.top()[0];
/// assert_eq!((top.text, top.count, top.error), ("Shusaku", 3, 0));
/// assert_eq!((players.total(), players.missed()), (5, 1));
/// ```
#[derive(Clone, Debug)]
pub struct TopK {
    capacity: usize,
    total: u64,
    missed: u64,
    counters: Vec<Counter>,
    /// Where the counter of a text is.
    index: KeyedMap<Arc<str>, u32>,
    /// Counters, the least frequent first; a binary heap.
    heap: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Counter {
    text: Arc<str>,
    count: u64,
    error: u64,
    /// Games of its own that were won and lost.
    results: [u64; 2],
    /// Its place in the heap.
    place: u32,
}

impl Counter {
    fn add(&mut self, [won, lost]: [u64; 2]) {
        self.results[0] += won;
        self.results[1] += lost;
    }
}

/// One text of a [`TopK`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Top<'a> {
    /// The text.
    pub text: &'a str,
    /// How often it occurred, at most.
    pub count: u64,
    /// By how much `count` may be too high.
    pub error: u64,
    /// How many of them were games that it won, and lost, at least: those of the time before it was held are missing.
    pub won: u64,
    /// See [`won`](Self::won).
    pub lost: u64,
}

impl TopK {
    /// A sketch that holds `capacity` texts, at least 1.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, u32::MAX as usize);
        Self { capacity, total: 0, missed: 0, counters: Vec::new(), index: KeyedMap::default(), heap: Vec::new() }
    }

    /// Counts one occurrence.
    pub fn add(&mut self, text: &str) {
        self.add_many(text, 1);
    }

    /// Counts `count` occurrences.
    pub fn add_many(&mut self, text: &str, count: u64) {
        self.add_results(text, count, [0; 2]);
    }

    /// Counts a game that was won, or lost, or neither.
    pub(super) fn add_game(&mut self, text: &str, is_won: Option<bool>) {
        self.add_results(text, 1, [is_won == Some(true), is_won == Some(false)].map(u64::from));
    }

    fn add_results(&mut self, text: &str, count: u64, results: [u64; 2]) {
        self.total += count;
        if let Some(&at) = self.index.get(text) {
            let counter = &mut self.counters[at as usize];
            counter.count += count;
            counter.add(results);
            let place = counter.place as usize;
            self.sink(place);
        } else if self.counters.len() < self.capacity {
            self.insert(text.into(), self.missed + count, self.missed, results);
        } else {
            self.replace_least(text, count, results);
        }
    }

    /// The text that was counted least often gives its place to a new one.
    fn replace_least(&mut self, text: &str, count: u64, results: [u64; 2]) {
        let at = self.heap[0];
        let counter = &mut self.counters[at as usize];
        self.missed = self.missed.max(counter.count);
        counter.error = self.missed;
        counter.count = self.missed + count;
        counter.results = results;
        let text: Arc<str> = text.into();
        let old = std::mem::replace(&mut counter.text, Arc::clone(&text));
        self.index.remove(&old);
        self.index.insert(text, at);
        self.sink(0);
    }

    fn insert(&mut self, text: Arc<str>, count: u64, error: u64, results: [u64; 2]) {
        let at = self.counters.len() as u32;
        let place = self.heap.len();
        self.index.insert(Arc::clone(&text), at);
        self.counters.push(Counter { text, count, error, results, place: place as u32 });
        self.heap.push(at);
        self.rise(place);
    }

    fn count_at(&self, place: usize) -> u64 {
        self.counters[self.heap[place] as usize].count
    }

    fn swap(&mut self, one: usize, two: usize) {
        self.heap.swap(one, two);
        for place in [one, two] {
            self.counters[self.heap[place] as usize].place = place as u32;
        }
    }

    /// Its count became larger: down the heap.
    fn sink(&mut self, mut place: usize) {
        loop {
            let children = [2 * place + 1, 2 * place + 2].into_iter().filter(|&child| child < self.heap.len());
            match children.min_by_key(|&child| self.count_at(child)) {
                Some(child) if self.count_at(child) < self.count_at(place) => {
                    self.swap(place, child);
                    place = child;
                }
                _ => return,
            }
        }
    }

    fn rise(&mut self, mut place: usize) {
        while place > 0 && self.count_at((place - 1) / 2) > self.count_at(place) {
            self.swap(place, (place - 1) / 2);
            place = (place - 1) / 2;
        }
    }

    /// How many texts it may hold.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// How many different texts it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counters.len()
    }

    /// True if nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    /// True if it holds every text that came, each with its exact count.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.missed == 0
    }

    /// How often texts were counted, all together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How often, at most, a text occurred that it does not hold.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// What it holds, the most frequent first; equal ones in the order of
    /// their text.
    #[must_use]
    pub fn top(&self) -> Vec<Top<'_>> {
        let row = |counter| {
            let Counter { text, count, error, results: [won, lost], .. }: &Counter = counter;
            Top { text, count: *count, error: *error, won: *won, lost: *lost }
        };
        let mut rows: Vec<_> = self.counters.iter().map(row).collect();
        rows.sort_by(|one, two| two.count.cmp(&one.count).then(one.text.cmp(two.text)));
        rows
    }

    /// Adds what another has counted; the capacity stays.
    pub fn merge(&mut self, other: &Self) {
        if other.is_exact() {
            // As if its texts came now.
            for counter in &other.counters {
                self.add_results(&counter.text, counter.count, counter.results);
            }
        } else {
            self.merge_counters(other);
        }
    }

    fn merge_counters(&mut self, other: &Self) {
        for counter in &mut self.counters {
            // What the other does not hold it may still have seen that often.
            let (count, error) = match other.index.get(&counter.text) {
                Some(&at) => {
                    let theirs = &other.counters[at as usize];
                    counter.add(theirs.results);
                    (theirs.count, theirs.error)
                }
                None => (other.missed, other.missed),
            };
            counter.count += count;
            counter.error += error;
        }
        for counter in &other.counters {
            if !self.index.contains_key(&counter.text) {
                let (count, error) = (counter.count + self.missed, counter.error + self.missed);
                self.counters.push(Counter { count, error, ..counter.clone() });
            }
        }
        self.counters
            .sort_unstable_by(|one, two| (Reverse(one.count), &one.text).cmp(&(Reverse(two.count), &two.text)));
        let dropped = self.counters.get(self.capacity).map_or(0, |counter| counter.count);
        self.counters.truncate(self.capacity);
        self.total += other.total;
        self.missed = (self.missed + other.missed).max(dropped);
        // The tables are filled again where they are.
        self.index.clear();
        self.heap.clear();
        for at in (0..self.counters.len()).rev() {
            let counter = &mut self.counters[at];
            counter.place = self.heap.len() as u32;
            self.index.insert(Arc::clone(&counter.text), at as u32);
            // The least frequent first: in order, so it is a heap.
            self.heap.push(at as u32);
        }
    }
}

/// The same texts with the same counts and errors.
impl PartialEq for TopK {
    fn eq(&self, other: &Self) -> bool {
        (self.capacity, self.total, self.missed) == (other.capacity, other.total, other.missed)
            && self.top() == other.top()
    }
}

impl Eq for TopK {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use std::collections::HashMap;

    use super::*;

    fn sketch(texts: &[String], capacity: usize) -> TopK {
        let mut sketch = TopK::with_capacity(capacity);
        for text in texts {
            sketch.add(text);
        }
        sketch
    }

    fn check(sketch: &TopK, texts: &[String]) -> Result<(), TestCaseError> {
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for text in texts {
            *counts.entry(text).or_insert(0) += 1;
        }
        let exact = |text: &str| counts.get(text).copied().unwrap_or(0);
        let bound = texts.len() as u64 / sketch.capacity() as u64;
        prop_assert_eq!(sketch.total(), texts.len() as u64);
        prop_assert!(sketch.len() <= sketch.capacity());
        prop_assert!(sketch.missed() <= bound, "{} > {}", sketch.missed(), bound);
        for top in sketch.top() {
            prop_assert!(top.error <= bound);
            prop_assert!(top.count - top.error <= exact(top.text) && exact(top.text) <= top.count, "{:?}", top);
        }
        for (&text, &count) in &counts {
            prop_assert!(sketch.index.contains_key(text) || count <= sketch.missed());
        }
        for place in 1..sketch.heap.len() {
            prop_assert!(sketch.count_at((place - 1) / 2) <= sketch.count_at(place));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn bounds_hold(texts in prop::collection::vec("[a-j]|[k-z][a-c]", 0..300), capacity in 1usize..20) {
            check(&sketch(&texts, capacity), &texts)?;
        }

        #[test]
        fn bounds_hold_when_merged(
            parts in prop::collection::vec(prop::collection::vec("[a-j]|[k-z][a-c]", 0..80), 1..6),
            tail in prop::collection::vec("[a-j]|[k-z][a-c]", 0..80),
            capacity in 1usize..20,
        ) {
            let mut merged = TopK::with_capacity(capacity);
            for part in &parts {
                merged.merge(&sketch(part, capacity));
            }
            let mut all = parts.concat();
            check(&merged, &all)?;
            // And goes on counting.
            for text in &tail {
                merged.add(text);
            }
            all.extend(tail);
            check(&merged, &all)?;
        }

        #[test]
        fn exact_while_all_fit(texts in prop::collection::vec("[a-j]", 0..100), cut in 0usize..100) {
            let (one, two) = texts.split_at(cut.min(texts.len()));
            let mut merged = sketch(one, 10);
            merged.merge(&sketch(two, 10));
            prop_assert!(merged.is_exact());
            prop_assert_eq!(merged, sketch(&texts, 10));
        }
    }
}
