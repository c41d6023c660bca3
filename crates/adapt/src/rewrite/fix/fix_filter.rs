//! Which findings are repaired.

use crate::check::{Finding, Remedy};
use sgfstream::{Code, Severity};

/// Which findings are to be repaired: those of a severity at least, without
/// some codes; or those of some codes alone.
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
    guesses: bool,
    /// Values that leave their place become lines of comments.
    in_comments: bool,
    /// Findings are told, and none is repaired.
    is_left: bool,
}

impl Default for FixFilter {
    /// Errors. Warnings are mostly about taste.
    fn default() -> Self {
        Self::from_level(Severity::Error)
    }
}

impl FixFilter {
    /// Findings of this severity or a worse one.
    #[must_use]
    pub const fn from_level(level: Severity) -> Self {
        Self { level, only: Vec::new(), without: Vec::new(), guesses: false, in_comments: false, is_left: false }
    }

    /// These codes alone, of any severity. An empty list changes nothing.
    #[must_use]
    pub fn only(mut self, codes: impl IntoIterator<Item = Code>) -> Self {
        self.only.extend(codes);
        self
    }

    /// None of these codes.
    #[must_use]
    pub fn without(mut self, codes: impl IntoIterator<Item = Code>) -> Self {
        self.without.extend(codes);
        self
    }

    /// Also applies remedies that are guesses: the value has several meanings,
    /// and one of them is likely, or text outside games goes. Without this they are left.
    #[must_use]
    pub fn with_guesses(mut self) -> Self {
        self.guesses = true;
        self
    }

    /// Values that a repair takes out of their place become lines of the comments `C` and `GC`. Without this they go to
    /// the private property `XK`, one value for each property that they were in.
    ///
    /// ```
    /// use sgfstream::Options;
    /// use sgfstream_adapt::fix::{FixFilter, fix};
    ///
    /// let fixed = |choice: FixFilter| fix(b"(;FF[4]GM[1];EV[x]B[aa];EV[y])", &choice, Options::default(), |_, _, _| {});
    /// assert_eq!(fixed(FixFilter::default()), b"(;FF[4]GM[1];EV[x]B[aa];XK[EV: y])");
    /// assert_eq!(fixed(FixFilter::default().with_comments()), b"(;FF[4]GM[1];EV[x]B[aa];C[EV: y])");
    /// ```
    #[must_use]
    pub fn with_comments(mut self) -> Self {
        self.in_comments = true;
        self
    }

    pub(super) fn keeps_in_comments(&self) -> bool {
        self.in_comments
    }

    /// True if findings of this code and severity are to be repaired.
    #[must_use]
    pub fn wants(&self, code: Code, severity: Severity) -> bool {
        let is_meant = if self.only.is_empty() { severity >= self.level } else { self.only.contains(&code) };
        is_meant && !self.without.contains(&code)
    }

    /// Leaves all that is wanted.
    pub(super) fn with_nothing(mut self) -> Self {
        self.is_left = true;
        self
    }

    /// True if this is to be repaired, and can be.
    pub(super) fn wants_finding(&self, finding: &Finding) -> bool {
        let can_be = !self.is_left && finding.remedy.is_some() && (self.guesses || !is_guess(finding));
        can_be && self.is_meant(finding)
    }

    /// True if findings like this one are to be repaired.
    pub(super) fn is_meant(&self, finding: &Finding) -> bool {
        // To state the version is a repair of that level, also where a game without FF has no more than a note.
        let severity = match finding.code {
            code @ Code::OtherVersionProperty => code.severity(),
            // The game lacks a node or stones, and who takes guesses wants them.
            Code::SwallowedNode | Code::HandicapMismatch if self.guesses && finding.remedy.is_some() => Severity::Error,
            _ => finding.severity,
        };
        self.wants(finding.code, severity)
    }

    pub(super) fn takes_guesses(&self) -> bool {
        self.guesses
    }

    /// True if the reader's own way of going on after this problem is to be
    /// written.
    pub(super) fn wants_as_read(&self, code: Code) -> bool {
        let can_be = !self.is_left && (self.guesses || !is_outside_games(code));
        can_be && self.wants(code, code.severity()) && Remedy::of_reader(code) == Some(Remedy::AsRead)
    }
}

/// True if the remedy of a finding is a guess.
pub(super) fn is_guess(finding: &Finding) -> bool {
    matches!(finding.remedy, Some(Remedy::Guess { .. } | Remedy::PlaceHandicap)) || is_outside_games(finding.code)
}

/// Text outside games has no place to go to, and may be meant.
const fn is_outside_games(code: Code) -> bool {
    matches!(code, Code::TextBeforeGame | Code::TextAfterGame)
}
