//! The most frequent of very many texts, in little memory: the space-saving
//! sketch (Metwally, Agrawal and El Abbadi, 2005), merged as Agarwal and others
//! showed in 2012.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
    /// The counters, with the count that each had when its place was looked at last: it may be larger now.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

#[derive(Clone, Debug)]
struct Counter {
    text: Text,
    /// That of its text in the index.
    hash: u32,
    count: u64,
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
    fn new(at: usize, Counter { count, text, .. }: &'a Counter) -> Self {
        let (mut start, text) = ([0; 16], text.as_str());
        let len = text.len().min(16);
        start[..len].copy_from_slice(&text.as_bytes()[..len]);
        Self { count: Reverse(*count), start: u128::from_be_bytes(start), text, counter: at as u32 }
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
        let (counters, index, heap) = (Vec::new(), KeyedIndex::default(), BinaryHeap::new());
        Self { capacity, total: 0, missed: 0, counters, index, heap }
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
            self.counters[at].count += count;
            self.counters[at].add(results);
            return;
        }
        let at = if self.counters.len() < self.capacity { self.counters.len() as u32 } else { self.least() };
        if let Some(least) = self.counters.get(at as usize) {
            self.missed = self.missed.max(least.count);
            self.index.remove(least.hash, at);
        }
        let (error, count) = (self.missed, self.missed + count);
        let new = Counter { text: Text::new(text), hash, count, error, results };
        self.index.insert(hash, at);
        match self.counters.get_mut(at as usize) {
            // Its place in the heap is that of the text before it.
            Some(least) => *least = new,
            None => {
                self.heap.push(Reverse((new.count, at)));
                self.counters.push(new);
            }
        }
    }

    /// The counter of a text.
    #[inline]
    fn find(&self, hash: u32, text: &str) -> Option<usize> {
        let is_it = |at: u32| self.counters[at as usize].text.as_bytes() == text.as_bytes();
        self.index.find(hash, is_it).map(|at| at as usize)
    }

    /// The counter of the text that was counted least often.
    fn least(&mut self) -> u32 {
        loop {
            let mut first = self.heap.peek_mut().expect("the capacity is at least 1");
            let Reverse((then, at)) = *first;
            let now = self.counters[at as usize].count;
            if then == now {
                return at;
            }
            *first = Reverse((now, at));
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

    /// Texts that it holds, the most frequent first; equal ones in the order of
    /// their text.
    #[must_use]
    pub fn top(&self) -> Vec<Top<'_>> {
        let mut ranks: Vec<_> = self.counters.iter().enumerate().map(|(at, counter)| Rank::new(at, counter)).collect();
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
            for counter in &other.counters {
                self.add_results(counter.text.as_str(), counter.count, counter.results);
            }
        } else {
            self.merge_counters(other);
        }
    }

    fn merge_counters(&mut self, other: &Self) {
        let mut counters = std::mem::take(&mut self.counters);
        let mut is_known = vec![false; other.counters.len()];
        for counter in &mut counters {
            // What the other does not hold it may still have seen that often.
            let text = counter.text.as_str();
            let (count, error) = match other.find(other.index.hash(text), text) {
                Some(at) => {
                    is_known[at] = true;
                    counter.add(other.counters[at].results);
                    (other.counters[at].count, other.counters[at].error)
                }
                None => (other.missed, other.missed),
            };
            counter.count += count;
            counter.error += error;
        }
        for (counter, _) in other.counters.iter().zip(is_known).filter(|(_, is_known)| !is_known) {
            let hash = self.index.hash(counter.text.as_str());
            let (count, error) = (counter.count + self.missed, counter.error + self.missed);
            counters.push(Counter { hash, count, error, ..counter.clone() });
        }
        let mut ranks: Vec<_> = counters.iter().enumerate().map(|(at, counter)| Rank::new(at, counter)).collect();
        Rank::sort(&mut ranks);
        let dropped = ranks.get(self.capacity).map_or(0, |rank| rank.count.0);
        ranks.truncate(self.capacity);
        self.total += other.total;
        self.missed = (self.missed + other.missed).max(dropped);
        self.counters = ranks.iter().map(|rank| counters[rank.counter as usize].clone()).collect();
        self.heap = self.counters.iter().zip(0..).map(|(counter, at)| Reverse((counter.count, at))).collect();
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
        let mut places = vec![0; sketch.len()];
        for Reverse((count, at)) in &sketch.heap {
            places[*at as usize] += 1;
            prop_assert!(*count <= sketch.counters[*at as usize].count);
        }
        prop_assert_eq!(places, vec![1; sketch.len()]);
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
