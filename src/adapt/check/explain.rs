//! What each code means, an input that produces it, and what to do.

use crate::base::Code;

use super::explanations::ROWS;

/// A code, explained.
///
/// ```
/// use sgfstream::{Code, adapt::check::Explanation};
///
/// let explanation = Explanation::of(Code::MalformedGameInfo);
/// assert_eq!(explanation.example(), b"(;FF[4]GM[1]KM[6,5])");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    pub(super) code: Code,
    pub(super) meaning: &'static str,
    pub(super) example: Example,
    pub(super) advice: &'static str,
}

/// An input that produces a code.
#[derive(Clone, Copy, Debug)]
pub(super) enum Example {
    /// These bytes.
    Bytes(&'static [u8]),
    /// The middle so many times.
    Repeated(&'static [u8], &'static [u8], usize, &'static [u8]),
    /// These bytes, with the moves replayed.
    Replayed(&'static [u8]),
}

impl Explanation {
    /// The explanation of a code.
    ///
    /// # Panics
    ///
    /// Never: a test holds that each code has its row.
    #[must_use]
    pub fn of(code: Code) -> &'static Self {
        ROWS.iter().find(|row| row.code == code).expect("each code has a row")
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.code
    }

    /// What it means, and what the format says about it.
    #[must_use]
    pub const fn meaning(&self) -> &'static str {
        self.meaning
    }

    /// What to do about it.
    #[must_use]
    pub const fn advice(&self) -> &'static str {
        self.advice
    }

    /// An input that produces it.
    #[must_use]
    pub fn example(&self) -> Vec<u8> {
        match self.example {
            Example::Bytes(bytes) | Example::Replayed(bytes) => bytes.to_vec(),
            Example::Repeated(before, middle, times, behind) => [before, &middle.repeat(times), behind].concat(),
        }
    }

    /// True if the moves must be replayed to find it.
    #[must_use]
    pub const fn needs_legality(&self) -> bool {
        matches!(self.example, Example::Replayed(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapt::check::{CheckOptions, Checker};
    use crate::read::{EventReader, SliceReader};

    #[test]
    fn each_code_once_in_order() {
        let rows: Vec<_> = ROWS.iter().map(|row| row.code).collect();
        assert_eq!(rows, Code::ALL);
    }

    #[test]
    fn every_example_produces_its_code() {
        for row in ROWS {
            let example = row.example();
            let mut codes = Vec::new();
            let options = CheckOptions::default().with_legality(row.needs_legality());
            let mut checker = Checker::new(options, |finding| codes.push(finding.code));
            SliceReader::new(&example).drive(&mut checker).expect("no limit is set");
            drop(checker);
            assert!(codes.contains(&row.code), "{}: {codes:?}", row.code);
        }
    }

    #[test]
    fn sentences_of_the_house() {
        for row in ROWS {
            for text in [row.meaning, row.advice] {
                assert!(
                    text.ends_with('.') && text.starts_with(|c: char| c.is_ascii_uppercase() || c == '`'),
                    "{}",
                    row.code
                );
            }
        }
    }
}
