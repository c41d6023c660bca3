//! The most frequent of very many texts, in little memory: the space-saving
//! sketch (Metwally, Agrawal and El Abbadi, 2005), merged as Agarwal and others
//! showed in 2012.

use std::cmp::Reverse;

use super::keyed::KeyedIndex;

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
/// use sgfstream_adapt::stats::TopK;
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
    index: KeyedIndex,
    /// The counts, the least one first: a binary heap.
    heap: Vec<Count>,
    /// Where the count of each counter is in the heap.
    places: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Counter {
    text: Text,
    /// That of its text in the index.
    hash: u32,
    error: u64,
    /// Games of its own that were won and lost.
    results: [u64; 2],
}

/// A text. One of usual length is in its place: memory of its own would be waited for, and asked for in the first place.
#[derive(Clone, Debug)]
enum Text {
    Short { len: u8, bytes: [u8; SHORT] },
    Long(Box<str>),
}

const SHORT: usize = 30;

impl Text {
    fn new(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match bytes.get_mut(..text.len()) {
            Some(start) => {
                start.copy_from_slice(text.as_bytes());
                Self::Short { len: text.len() as u8, bytes }
            }
            None => Self::Long(text.into()),
        }
    }

    #[inline]
    fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short { len, bytes } => &bytes[..usize::from(*len)],
            Self::Long(text) => text.as_bytes(),
        }
    }

    fn as_str(&self) -> &str {
        match self {
            Self::Short { .. } => std::str::from_utf8(self.as_bytes()).expect("it was a text"),
            Self::Long(text) => text,
        }
    }
}

/// How often the text of a counter occurred. The heap compares nothing else, so counts lie side by side.
#[derive(Clone, Copy, Debug)]
struct Count {
    count: u64,
    counter: u32,
}

impl Counter {
    fn add(&mut self, [won, lost]: [u64; 2]) {
        self.results[0] += won;
        self.results[1] += lost;
    }
}

/// Order of counters: the most frequent first, equal ones by their text. Its first bytes decide nearly always.
struct Rank<'a> {
    count: Reverse<u64>,
    start: u128,
    text: &'a str,
    counter: u32,
}

impl<'a> Rank<'a> {
    fn new(count: u64, text: &'a str, counter: usize) -> Self {
        let mut start = [0; 16];
        let len = text.len().min(16);
        start[..len].copy_from_slice(&text.as_bytes()[..len]);
        Self { count: Reverse(count), start: u128::from_be_bytes(start), text, counter: counter as u32 }
    }

    fn sort(ranks: &mut [Self]) {
        ranks.sort_unstable_by(|one, two| {
            (one.count, one.start).cmp(&(two.count, two.start)).then_with(|| one.text.cmp(two.text))
        });
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
        let (counters, heap, places) = (Vec::new(), Vec::new(), Vec::new());
        Self { capacity, total: 0, missed: 0, counters, index: KeyedIndex::default(), heap, places }
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
        let hash = self.index.hash(text);
        if let Some(at) = self.find(hash, text) {
            self.counters[at].add(results);
            let place = self.places[at] as usize;
            self.heap[place].count += count;
            self.sink(place);
            return;
        }
        let new = Counter { text: Text::new(text), hash, error: self.missed, results };
        if self.counters.len() < self.capacity {
            self.insert(new, count);
        } else {
            self.replace_least(new, count);
        }
    }

    /// The counter of a text.
    #[inline]
    fn find(&self, hash: u32, text: &str) -> Option<usize> {
        let is_it = |at: u32| self.counters[at as usize].text.as_bytes() == text.as_bytes();
        self.index.find(hash, is_it).map(|at| at as usize)
    }

    /// The text that was counted least often gives its place to a new one.
    fn replace_least(&mut self, new: Counter, count: u64) {
        let least = &mut self.heap[0];
        self.missed = self.missed.max(least.count);
        least.count = self.missed + count;
        let at = least.counter;
        let (hash, new) = (new.hash, Counter { error: self.missed, ..new });
        let old = std::mem::replace(&mut self.counters[at as usize], new);
        self.index.remove(old.hash, at);
        self.index.insert(hash, at);
        self.sink(0);
    }

    fn insert(&mut self, new: Counter, count: u64) {
        let at = self.counters.len() as u32;
        self.index.insert(new.hash, at);
        self.heap.push(Count { count: new.error + count, counter: at });
        self.counters.push(new);
        self.places.push(at);
        self.rise(at as usize);
    }

    fn put(&mut self, place: usize, count: Count) {
        self.heap[place] = count;
        self.places[count.counter as usize] = place as u32;
    }

    /// Its count became larger: down the heap.
    fn sink(&mut self, mut place: usize) {
        let sinking = self.heap[place];
        loop {
            let left = 2 * place + 1;
            let (child, least) = match self.heap.get(left..) {
                Some(&[one, two, ..]) if two.count < one.count => (left + 1, two),
                Some(&[one, ..]) => (left, one),
                _ => break,
            };
            if least.count >= sinking.count {
                break;
            }
            self.put(place, least);
            place = child;
        }
        self.put(place, sinking);
    }

    fn rise(&mut self, mut place: usize) {
        let rising = self.heap[place];
        while place > 0 && self.heap[(place - 1) / 2].count > rising.count {
            self.put(place, self.heap[(place - 1) / 2]);
            place = (place - 1) / 2;
        }
        self.put(place, rising);
    }

    /// How often the text of a counter occurred.
    fn count(&self, counter: usize) -> u64 {
        self.heap[self.places[counter] as usize].count
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

    /// Texts that it holds, the most frequent first; equal ones in the order of
    /// their text.
    #[must_use]
    pub fn top(&self) -> Vec<Top<'_>> {
        let rank = |count: &Count| {
            let counter = count.counter as usize;
            Rank::new(count.count, self.counters[counter].text.as_str(), counter)
        };
        let mut ranks: Vec<_> = self.heap.iter().map(rank).collect();
        Rank::sort(&mut ranks);
        let rows = ranks.into_iter().map(|rank| {
            let Counter { error, results: [won, lost], .. } = &self.counters[rank.counter as usize];
            Top { text: rank.text, count: rank.count.0, error: *error, won: *won, lost: *lost }
        });
        rows.collect()
    }

    /// Adds what another has counted; the capacity stays.
    pub fn merge(&mut self, other: &Self) {
        if other.is_exact() {
            // As if its texts came now.
            for (at, counter) in other.counters.iter().enumerate() {
                self.add_results(counter.text.as_str(), other.count(at), counter.results);
            }
        } else {
            self.merge_counters(other);
        }
    }

    fn merge_counters(&mut self, other: &Self) {
        let mut counters = std::mem::take(&mut self.counters);
        let mut counts: Vec<u64> = (0..counters.len()).map(|at| self.count(at)).collect();
        let mut is_known = vec![false; other.counters.len()];
        for (counter, sum) in counters.iter_mut().zip(&mut counts) {
            // What the other does not hold it may still have seen that often.
            let text = counter.text.as_str();
            let (count, error) = match other.find(other.index.hash(text), text) {
                Some(at) => {
                    is_known[at] = true;
                    counter.add(other.counters[at].results);
                    (other.count(at), other.counters[at].error)
                }
                None => (other.missed, other.missed),
            };
            *sum += count;
            counter.error += error;
        }
        for (at, counter) in other.counters.iter().enumerate().filter(|&(at, _)| !is_known[at]) {
            let hash = self.index.hash(counter.text.as_str());
            counters.push(Counter { hash, error: counter.error + self.missed, ..counter.clone() });
            counts.push(other.count(at) + self.missed);
        }
        let ranks = counters.iter().zip(&counts).enumerate();
        let mut ranks: Vec<_> =
            ranks.map(|(at, (counter, &count))| Rank::new(count, counter.text.as_str(), at)).collect();
        Rank::sort(&mut ranks);
        let dropped = ranks.get(self.capacity).map_or(0, |rank| rank.count.0);
        ranks.truncate(self.capacity);
        self.total += other.total;
        self.missed = (self.missed + other.missed).max(dropped);
        self.counters = ranks.iter().map(|rank| counters[rank.counter as usize].clone()).collect();
        // The least frequent first: in order, so it is a heap.
        let heap = ranks.iter().enumerate().rev();
        self.heap = heap.map(|(at, rank)| Count { count: rank.count.0, counter: at as u32 }).collect();
        self.places = (0..self.heap.len() as u32).rev().collect();
        self.index.clear();
        self.counters.iter().zip(0..).for_each(|(counter, at)| self.index.insert(counter.hash, at));
    }
}

/// Equal if texts, counts and errors are.
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
            let is_held = sketch.find(sketch.index.hash(text), text).is_some();
            prop_assert!(is_held || count <= sketch.missed());
        }
        for (place, count) in sketch.heap.iter().enumerate() {
            prop_assert!(sketch.heap[place.saturating_sub(1) / 2].count <= count.count);
            prop_assert_eq!(sketch.places[count.counter as usize] as usize, place);
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
