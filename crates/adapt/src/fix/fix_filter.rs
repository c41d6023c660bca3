//! Selects the findings to repair.

use crate::check::{Finding, Remedy};
use sgfstream::{Code, Severity};

/// Selection of the findings to repair: by minimum severity without some codes, or by a list of
/// codes.
///
/// ```
/// use sgfstream::{Code, Severity};
/// use sgfstream_adapt::fix::FixFilter;
///
/// let choice = FixFilter::default().without([Code::TextAfterGame]);
/// assert!(choice.wants(Code::MalformedValue, Severity::Error));
/// assert!(!choice.wants(Code::TextAfterGame, Severity::Error));
/// assert!(!choice.wants(Code::MissingVersion, Severity::Note));
/// assert!(choice.only([Code::MissingVersion]).wants(Code::MissingVersion, Severity::Note));
/// ```
#[derive(Clone, Debug)]
pub struct FixFilter {
    level: Severity,
    only: Vec<Code>,
    without: Vec<Code>,
    pub(super) guesses: bool,
    /// Whether displaced values become lines of comments.
    pub(super) in_comments: bool,
}

impl Default for FixFilter {
    /// Selects errors, because most warnings are about style.
    fn default() -> Self {
        Self::from_level(Severity::Error)
    }
}

impl FixFilter {
    /// Selects findings of this severity or a worse one.
    #[must_use]
    pub const fn from_level(level: Severity) -> Self {
        Self {
            level,
            only: Vec::new(),
            without: Vec::new(),
            guesses: false,
            in_comments: false,
        }
    }

    /// Selects these codes only, of any severity. An empty list changes nothing.
    #[must_use]
    pub fn only(mut self, codes: impl IntoIterator<Item = Code>) -> Self {
        self.only.extend(codes);
        self
    }

    /// Excludes these codes.
    #[must_use]
    pub fn without(mut self, codes: impl IntoIterator<Item = Code>) -> Self {
        self.without.extend(codes);
        self
    }

    /// Also applies remedies that are guesses: an ambiguous value gets its likely meaning, and text
    /// outside of games is dropped. By default these findings are left.
    #[must_use]
    pub fn with_guesses(mut self) -> Self {
        self.guesses = true;
        self
    }

    /// Moves displaced values into the comments `C` and `GC`, a line each. By default they go to
    /// the private property `XK`, one value for each property that they were in.
    ///
    /// ```
    /// use sgfstream::Options;
    /// use sgfstream_adapt::fix::{FixFilter, fix};
    ///
    /// let fixed = |choice: FixFilter| {
    ///     fix(b"(;FF[4]GM[1];EV[x]B[aa];EV[y])", &choice, Options::default(), |_, _, _| {})
    /// };
    /// assert_eq!(fixed(FixFilter::default()), b"(;FF[4]GM[1];EV[x]B[aa];XK[EV: y])");
    /// assert_eq!(
    ///     fixed(FixFilter::default().with_comments()),
    ///     b"(;FF[4]GM[1];EV[x]B[aa];C[EV: y])"
    /// );
    /// ```
    #[must_use]
    pub fn with_comments(mut self) -> Self {
        self.in_comments = true;
        self
    }

    /// Returns whether the filter selects findings of this code and severity.
    #[must_use]
    pub fn wants(&self, code: Code, severity: Severity) -> bool {
        let is_meant = if self.only.is_empty() {
            severity >= self.level
        } else {
            self.only.contains(&code)
        };
        is_meant && !self.without.contains(&code)
    }

    /// Returns whether to repair this finding: it is selected, and its remedy is allowed.
    pub(super) fn wants_finding(&self, finding: &Finding) -> bool {
        let can_be = finding.remedy.is_some() && (self.guesses || !is_guess(finding));
        can_be && self.matches(finding)
    }

    /// Returns whether the filter selects this finding, with or without a remedy.
    pub(super) fn matches(&self, finding: &Finding) -> bool {
        // Declaring the version counts at the severity of its code, even if a game without FF gets
        // only a note.
        let severity = match finding.code {
            code @ Code::OtherVersionProperty => code.severity(),
            // With guesses, the missing node or stones count as an error.
            Code::SwallowedNode | Code::HandicapMismatch
                if self.guesses && finding.remedy.is_some() =>
            {
                Severity::Error
            }
            _ => finding.severity,
        };
        self.wants(finding.code, severity)
    }

    /// Returns whether to escape the `]` of texts.
    pub(super) fn escapes_brackets(&self) -> bool {
        self.wants_as_read(Code::StrayBracket)
    }

    /// Returns whether to write the reader's own recovery from a problem of this code.
    pub(super) fn wants_as_read(&self, code: Code) -> bool {
        let can_be = self.guesses || !is_outside_games(code);
        can_be
            && self.wants(code, code.severity())
            && Remedy::of_reader(code) == Some(Remedy::AsRead)
    }
}

/// Returns whether the remedy of a finding is a guess.
pub(super) fn is_guess(finding: &Finding) -> bool {
    matches!(
        finding.remedy,
        Some(Remedy::Guess { .. } | Remedy::PlaceHandicap | Remedy::MoveToRoot)
    ) || is_outside_games(finding.code)
}

/// Returns whether the code reports text outside of games. It has no other place to go, and may be
/// intended.
const fn is_outside_games(code: Code) -> bool {
    matches!(code, Code::TextBeforeGame | Code::TextAfterGame)
}
