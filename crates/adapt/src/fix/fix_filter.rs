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
/// let mut choice = FixFilter::default();
/// choice.without.push(Code::TextAfterGame);
/// assert!(choice.wants(Code::MalformedValue, Severity::Error));
/// assert!(!choice.wants(Code::TextAfterGame, Severity::Error));
/// assert!(!choice.wants(Code::MissingVersion, Severity::Note));
/// choice.only.push(Code::MissingVersion);
/// assert!(choice.wants(Code::MissingVersion, Severity::Note));
/// ```
#[derive(Clone, Debug)]
pub struct FixFilter {
    /// Minimum severity of the findings to repair.
    pub level: Severity,
    /// If there are any, selects these codes only, of any severity.
    pub only: Vec<Code>,
    /// Codes to exclude.
    pub without: Vec<Code>,
    /// Whether to apply remedies that are guesses, too: an ambiguous value gets its likely meaning,
    /// and text outside of games is dropped. By default these findings are left.
    pub guesses: bool,
    /// Whether to move displaced values into the comments `C` and `GC`, a line each. By default they
    /// go to the private property `XK`, one value for each property that they were in.
    ///
    /// ```
    /// use sgfstream::Options;
    /// use sgfstream_adapt::fix::{FixFilter, fix};
    ///
    /// let fixed = |in_comments| {
    ///     let choice = FixFilter { in_comments, ..FixFilter::default() };
    ///     fix(b"(;FF[4]GM[1];EV[x]B[aa];EV[y])", &choice, Options::default(), |_, _, _| {})
    /// };
    /// assert_eq!(fixed(false), b"(;FF[4]GM[1];EV[x]B[aa];XK[EV: y])");
    /// assert_eq!(fixed(true), b"(;FF[4]GM[1];EV[x]B[aa];C[EV: y])");
    /// ```
    pub in_comments: bool,
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
        Some(Remedy::Rewrite { is_guess: true, .. } | Remedy::PlaceHandicap | Remedy::MoveToRoot)
    ) || is_outside_games(finding.code)
}

/// Returns whether the code reports text outside of games. It has no other place to go, and may be
/// intended.
const fn is_outside_games(code: Code) -> bool {
    matches!(code, Code::TextBeforeGame | Code::TextAfterGame)
}
