//! Finds the most frequent of very many texts in little memory, with the space-saving sketch
//! (Metwally, Agrawal and El Abbadi, 2005). The merge is the one of Agarwal and others (2012).

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::keyed::KeyedIndex;

/// Sketch of the most frequent texts. It has at most `capacity` texts.
///
/// A text in the sketch occurred at most `count` times, and at least `count - error` times. Any
/// other text occurred at most [`missed`](Self::missed) times. `error` and `missed` are at most the
/// number of additions divided by the capacity. As long as there are at most `capacity` different
/// texts, both are 0 and all counts are exact. Merging keeps these bounds.
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
/// assert_eq!((players.total, players.missed), (5, 1));
/// ```
#[derive(Clone, Debug)]
pub struct TopK {
    capacity: usize,
    /// Number of all additions.
    pub total: u64,
    /// Maximum number of occurrences of a text that is not in the sketch.
    pub missed: u64,
    counters: Vec<Counter>,
    /// Index of the counters by text.
    index: KeyedIndex,
    /// The counters, each with its count when it was last compared. The actual count may be higher.
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

#[derive(Clone, Debug)]
struct Counter {
    text: Text,
    /// Hash of the text in the index.
    hash: u32,
    count: u64,
    error: u64,
    /// Games won and lost, among those counted here.
    results: [u64; 2],
}

/// A text. One of usual length is stored inline, which saves an allocation and a wait for memory.
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
                Self::Short {
                    len: text.len() as u8,
                    bytes,
                }
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

/// Sorts counters: the most frequent first, equal counts by text.
fn sort(counters: &mut [impl Borrow<Counter>]) {
    counters.sort_unstable_by(|one, other| {
        let (one, other) = (one.borrow(), other.borrow());
        let by_count = other.count.cmp(&one.count);
        by_count.then_with(|| one.text.as_bytes().cmp(other.text.as_bytes()))
    });
}

/// A text of a [`TopK`], with its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Top<'a> {
    /// The text.
    pub text: &'a str,
    /// Maximum number of occurrences.
    pub count: u64,
    /// Maximum error: `count` may be too high by this number.
    pub error: u64,
    /// Minimum number of games won. Games before the text entered the sketch are missing.
    pub won: u64,
    /// Minimum number of games lost; see [`won`](Self::won).
    pub lost: u64,
}

impl TopK {
    /// Returns a sketch with room for `capacity` texts, at least 1.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        let capacity = capacity.clamp(1, u32::MAX as usize);
        let (counters, index, heap) = (Vec::new(), KeyedIndex::default(), BinaryHeap::new());
        Self {
            capacity,
            total: 0,
            missed: 0,
            counters,
            index,
            heap,
        }
    }

    /// Counts one occurrence.
    pub fn add(&mut self, text: &str) {
        self.add_results(text, 1, [0; 2]);
    }

    /// Counts a game that was won, lost, or neither.
    pub(super) fn add_game(&mut self, text: &str, is_won: Option<bool>) {
        self.add_results(
            text,
            1,
            [is_won == Some(true), is_won == Some(false)].map(u64::from),
        );
    }

    fn add_results(&mut self, text: &str, count: u64, results: [u64; 2]) {
        self.total += count;
        let hash = self.index.hash(text);
        if let Some(at) = self.find(hash, text) {
            self.counters[at].count += count;
            self.counters[at].add(results);
            return;
        }
        let at = if self.counters.len() < self.capacity {
            self.counters.len() as u32
        } else {
            self.least()
        };
        if let Some(least) = self.counters.get(at as usize) {
            self.missed = self.missed.max(least.count);
            self.index.remove(least.hash, at);
        }
        let (error, count) = (self.missed, self.missed + count);
        let new = Counter {
            text: Text::new(text),
            hash,
            count,
            error,
            results,
        };
        self.index.insert(hash, at);
        match self.counters.get_mut(at as usize) {
            // The new text takes over the heap entry of the old one.
            Some(least) => *least = new,
            None => {
                self.heap.push(Reverse((new.count, at)));
                self.counters.push(new);
            }
        }
    }

    /// Returns the counter of a text.
    #[inline]
    fn find(&self, hash: u32, text: &str) -> Option<usize> {
        let is_it = |at: u32| self.counters[at as usize].text.as_bytes() == text.as_bytes();
        self.index.find(hash, is_it).map(|at| at as usize)
    }

    /// Returns the counter with the lowest count.
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

    /// Returns the number of texts in the sketch.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counters.len()
    }

    /// Returns whether nothing was counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counters.is_empty()
    }

    /// Returns whether the sketch has every text, each with its exact count.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.missed == 0
    }

    /// Returns the texts, the most frequent first. Texts of equal count are in ascending order.
    #[must_use]
    pub fn top(&self) -> Vec<Top<'_>> {
        let mut counters: Vec<&Counter> = self.counters.iter().collect();
        sort(&mut counters);
        let tops = counters.into_iter().map(|counter| Top {
            text: counter.text.as_str(),
            count: counter.count,
            error: counter.error,
            won: counter.results[0],
            lost: counter.results[1],
        });
        tops.collect()
    }

    /// Adds the counts of `other`, and keeps the capacity.
    pub fn merge(&mut self, other: &Self) {
        if other.is_exact() {
            // Exact counts can be added like new occurrences.
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
            // `other` may have seen a text that it lacks up to `missed` times.
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
        for (counter, _) in other
            .counters
            .iter()
            .zip(is_known)
            .filter(|(_, is_known)| !is_known)
        {
            let hash = self.index.hash(counter.text.as_str());
            let (count, error) = (counter.count + self.missed, counter.error + self.missed);
            counters.push(Counter {
                hash,
                count,
                error,
                ..counter.clone()
            });
        }
        sort(&mut counters);
        let dropped = counters.get(self.capacity).map_or(0, |first| first.count);
        counters.truncate(self.capacity);
        self.total += other.total;
        self.missed = (self.missed + other.missed).max(dropped);
        self.counters = counters;
        self.heap = self
            .counters
            .iter()
            .zip(0..)
            .map(|(counter, at)| Reverse((counter.count, at)))
            .collect();
        self.index.clear();
        self.counters
            .iter()
            .zip(0..)
            .for_each(|(counter, at)| self.index.insert(counter.hash, at));
    }
}

/// Compares texts, counts and errors.
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
        let bound = texts.len() as u64 / sketch.capacity as u64;
        prop_assert_eq!(sketch.total, texts.len() as u64);
        prop_assert!(sketch.len() <= sketch.capacity);
        prop_assert!(sketch.missed <= bound, "{} > {}", sketch.missed, bound);
        for top in sketch.top() {
            prop_assert!(top.error <= bound);
            prop_assert!(
                top.count - top.error <= exact(top.text) && exact(top.text) <= top.count,
                "{:?}",
                top
            );
        }
        for (&text, &count) in &counts {
            let is_held = sketch.find(sketch.index.hash(text), text).is_some();
            prop_assert!(is_held || count <= sketch.missed);
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
            // A merged sketch can count further texts.
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
