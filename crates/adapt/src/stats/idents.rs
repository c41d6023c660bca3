//! How often each property identifier occurs. Nearly all are one or two
//! capital letters or digits, and have a place of their own in a table.

use sgfstream::Ident;

use super::Tally;

/// Capital letters, then digits.
const SYMBOLS: usize = 36;

/// Longest identifier that is counted by name.
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
    /// By first symbol.
    one: [u64; SYMBOLS],
    /// By both symbols.
    two: Vec<u64>,
    longer: Tally<String>,
}

impl Default for IdentCounts {
    fn default() -> Self {
        Self { one: [0; SYMBOLS], two: vec![0; SYMBOLS * SYMBOLS], longer: Tally::default() }
    }
}

/// The place of a byte in the table; none for other bytes.
#[inline(always)]
const fn symbol(byte: u8) -> Option<usize> {
    match byte {
        b'A'..=b'Z' => Some((byte - b'A') as usize),
        b'0'..=b'9' => Some((byte - b'0') as usize + 26),
        _ => None,
    }
}

fn symbol_byte(at: usize) -> char {
    char::from(if at < 26 { b'A' + at as u8 } else { b'0' + (at - 26) as u8 })
}

impl IdentCounts {
    /// Counts one property.
    #[inline]
    pub fn add(&mut self, ident: Ident<'_>) {
        match *ident.as_bytes() {
            [one] if symbol(one).is_some() => self.one[symbol(one).unwrap_or(0)] += 1,
            [one, two] => match (symbol(one), symbol(two)) {
                (Some(one), Some(two)) => self.two[one * SYMBOLS + two] += 1,
                _ => self.add_other(ident),
            },
            _ => self.add_other(ident),
        }
    }

    /// The move of Black or White: nearly every property of most files.
    #[inline(always)]
    pub(super) fn add_letter(&mut self, letter: u8) {
        self.one[usize::from(letter - b'A') % SYMBOLS] += 1;
    }

    #[cold]
    #[inline(never)]
    fn add_other(&mut self, ident: Ident<'_>) {
        let canonical = ident.canonical();
        if canonical.len() < ident.as_bytes().len() && canonical.len() <= 2 && !canonical.is_empty() {
            self.add(Ident::new(&canonical));
        } else if canonical.len() <= LONGEST {
            self.longer.add(&*String::from_utf8_lossy(&canonical));
        } else {
            self.longer.add("(long)");
        }
    }

    /// How often a canonical identifier occurred.
    #[must_use]
    pub fn get(&self, canonical: &[u8]) -> u64 {
        match *canonical {
            [one] => symbol(one).map_or(0, |one| self.one[one]),
            [one, two] => symbol(one).zip(symbol(two)).map_or(0, |(one, two)| self.two[one * SYMBOLS + two]),
            _ => self.longer.get(&*String::from_utf8_lossy(canonical)),
        }
    }

    /// How many properties there were.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.one.iter().chain(&self.two).sum::<u64>() + self.longer.total()
    }

    /// Properties that are in no row: there were too many different
    /// identifiers.
    #[must_use]
    pub fn other(&self) -> u64 {
        self.longer.other()
    }

    /// Identifiers with their counts, the most frequent first.
    #[must_use]
    pub fn most(&self) -> Vec<(String, u64)> {
        let one = self.one.iter().enumerate().map(|(at, &count)| (symbol_byte(at).to_string(), count));
        let two = self.two.iter().enumerate().map(|(at, &count)| {
            let name = [symbol_byte(at / SYMBOLS), symbol_byte(at % SYMBOLS)];
            (name.iter().collect(), count)
        });
        let longer = self.longer.in_order().into_iter().map(|(ident, count)| (ident.clone(), count));
        let mut rows: Vec<(String, u64)> = one.chain(two).chain(longer).filter(|&(_, count)| count > 0).collect();
        rows.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
        rows
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.one.iter_mut().zip(&other.one).chain(self.two.iter_mut().zip(&other.two)) {
            *mine += theirs;
        }
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
        assert!(idents.most().iter().all(|(ident, count)| *count == 1 && idents.get(ident.as_bytes()) == 1));
        assert!(idents.longer.is_empty());
    }

    #[test]
    fn odd_ones() {
        let mut idents = IdentCounts::default();
        for ident in ["", "b", "Bb", "GaMe", "ABC", "AaBbCc"] {
            idents.add(Ident::new(ident.as_bytes()));
        }
        idents.add(Ident::new(&[b'X'; 4000]));
        assert_eq!(idents.total(), 7);
        assert_eq!((idents.get(b"B"), idents.get(b"GM"), idents.get(b"ABC")), (1, 1, 2));
    }
}
