//! Counts properties by identifier. Nearly all identifiers have a [`Key`], which is an index.

use sgfstream::Ident;
use sgfstream_game::internal::Key;

use super::{Tally, add_all};

/// Maximum length of an identifier that has a count of its own.
const LONGEST: usize = 32;

/// Counts of properties by canonical identifier.
///
/// ```
/// use sgfstream::Ident;
/// use sgfstream_adapt::stats::IdentCounts;
///
/// let mut idents = IdentCounts::default();
/// for ident in ["B", "AB", "AddBlack", "BLUE", "1"] {
///     idents.add(Ident::new(ident.as_bytes()));
/// }
/// assert_eq!(idents.most()[0], ("AB".to_owned(), 2));
/// assert_eq!((idents.get(b"BLUE"), idents.total()), (1, 5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentCounts {
    by_key: Vec<u64>,
    longer: Tally<String>,
}

impl Default for IdentCounts {
    fn default() -> Self {
        Self {
            by_key: vec![0; Key::COUNT],
            longer: Tally::default(),
        }
    }
}

impl IdentCounts {
    /// Counts one property.
    #[inline]
    pub fn add(&mut self, ident: Ident<'_>) {
        self.add_keyed(Key::of(ident), ident);
    }

    /// Counts one property, whose identifier has this key.
    #[inline]
    pub(super) fn add_keyed(&mut self, key: Key, ident: Ident<'_>) {
        if key == Key::OTHER {
            self.add_other(ident);
        } else {
            self.by_key[key.index()] += 1;
        }
    }

    /// Counts moves of Black and White.
    pub(super) fn add_moves(&mut self, [black, white]: [u64; 2]) {
        self.by_key[Key::B.index()] += black;
        self.by_key[Key::W.index()] += white;
    }

    #[cold]
    #[inline(never)]
    fn add_other(&mut self, ident: Ident<'_>) {
        let canonical = ident.canonical();
        if canonical.len() <= LONGEST {
            self.longer.add(&*String::from_utf8_lossy(&canonical));
        } else {
            self.longer.add("(long)");
        }
    }

    /// Returns how often a canonical identifier occurred.
    #[must_use]
    pub fn get(&self, canonical: &[u8]) -> u64 {
        match Key::of_id(canonical) {
            Key::OTHER => self.longer.get(&*String::from_utf8_lossy(canonical)),
            key => self.by_key[key.index()],
        }
    }

    /// Returns the number of properties.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.by_key.iter().sum::<u64>() + self.longer.total()
    }

    /// Returns the number of properties without a count of their own, because there were too many
    /// different identifiers.
    #[must_use]
    pub fn other(&self) -> u64 {
        self.longer.other
    }

    /// Returns the identifiers with their counts, the most frequent first.
    #[must_use]
    pub fn most(&self) -> Vec<(String, u64)> {
        let by_key = Key::all().map(|key| (key.to_string(), self.by_key[key.index()]));
        let longer = self
            .longer
            .in_order()
            .into_iter()
            .map(|(ident, count)| (ident.clone(), count));
        let mut rows: Vec<(String, u64)> = by_key
            .chain(longer)
            .filter(|&(_, count)| count > 0)
            .collect();
        rows.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        rows
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        add_all(&mut self.by_key, &other.by_key);
        self.longer.merge(&other.longer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_symbol_has_its_place() {
        let mut idents = IdentCounts::default();
        let symbols: Vec<u8> = (b'A'..=b'Z').chain(b'0'..=b'9').collect();
        for &one in &symbols {
            idents.add(Ident::new(&[one]));
            for &two in &symbols {
                idents.add(Ident::new(&[one, two]));
            }
        }
        assert_eq!(idents.most().len(), 36 + 36 * 36);
        assert!(
            idents
                .most()
                .iter()
                .all(|(ident, count)| *count == 1 && idents.get(ident.as_bytes()) == 1)
        );
        assert!(idents.longer.most().is_empty());
    }

    #[test]
    fn odd_ones() {
        let mut idents = IdentCounts::default();
        for ident in ["", "b", "Bb", "GaMe", "ABC", "AaBbCc"] {
            idents.add(Ident::new(ident.as_bytes()));
        }
        idents.add(Ident::new(&[b'X'; 4000]));
        assert_eq!(idents.total(), 7);
        assert_eq!(
            (idents.get(b"B"), idents.get(b"GM"), idents.get(b"ABC")),
            (1, 1, 2)
        );
    }
}
