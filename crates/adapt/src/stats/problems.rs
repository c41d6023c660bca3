//! Counts problems by code.

use sgfstream::{Code, Problem, Severity};

use super::add_all;

/// Counts of problems by code.
///
/// ```
/// use sgfstream::{Code, Event, Severity, SliceReader};
/// use sgfstream_adapt::stats::ProblemCounts;
///
/// let mut problems = ProblemCounts::default();
/// for event in SliceReader::new(b"(;B[aa]) ) )").events() {
///     if let Event::Problem(problem) = event? {
///         problems.add(&problem);
///     }
/// }
/// assert_eq!(problems.get(Code::StrayParenthesis), 2);
/// assert_eq!(problems.of(Severity::Error), 2);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProblemCounts([u64; Code::ALL.len()]);

impl Default for ProblemCounts {
    fn default() -> Self {
        Self([0; Code::ALL.len()])
    }
}

impl ProblemCounts {
    /// Counts one problem.
    pub fn add(&mut self, problem: &Problem) {
        self.0[problem.code as usize] += 1;
    }

    /// Returns how often a code occurred.
    #[must_use]
    pub fn get(&self, code: Code) -> u64 {
        self.0[code as usize]
    }

    /// Returns the number of problems of a severity.
    #[must_use]
    pub fn of(&self, severity: Severity) -> u64 {
        Code::ALL
            .iter()
            .filter(|code| code.severity() == severity)
            .map(|&code| self.get(code))
            .sum()
    }

    /// Returns the codes that occurred, the most frequent first.
    #[must_use]
    pub fn most(&self) -> Vec<(Code, u64)> {
        let mut rows: Vec<_> = Code::ALL
            .iter()
            .map(|&code| (code, self.get(code)))
            .filter(|row| row.1 > 0)
            .collect();
        rows.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        rows
    }

    /// Adds the counts of `other`.
    pub fn merge(&mut self, other: &Self) {
        add_all(&mut self.0, &other.0);
    }
}
