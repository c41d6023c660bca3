//! Findings of the checker, and how their messages show bytes.

use std::fmt;

use sgfstream::{Code, Severity, Span};
pub(super) use sgfstream_game::internal::shown;

use super::{ComparedFact, Remedy};

/// A problem, or a fact worth reporting, with its place in the input.
///
/// ```
/// use sgfstream::Code;
/// use sgfstream_adapt::check::check;
///
/// let mut found = Vec::new();
/// check(&b"(;FF[4]GM[1]KM[6,5];B[zz])"[..], |finding, at| {
///     found.push((finding.code, at.column, finding.path.clone()));
/// })?;
/// assert_eq!(
///     found,
///     [(Code::MalformedGameInfo, 16, "/0".into()), (Code::PointOffBoard, 23, "/1".into())]
/// );
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the finding.
    pub code: Code,
    /// Severity at this place. Some codes are errors in FF\[4\] and warnings below it, as in SGFC.
    pub severity: Severity,
    /// The bytes concerned; empty if something is missing.
    pub span: Span,
    /// Number of the game, from 1; 0 before the first game.
    pub game: u64,
    /// Path of the node. `/3` is the fourth node of the main sequence; `0.2/1` is the second node
    /// of the third child of the first child. The path is empty outside of games. Beyond 64 open
    /// variations, `…` replaces the rest.
    pub path: String,
    /// Message: the expected and the found form, with the bytes. It contains text from the file:
    /// clean it before printing it to a terminal.
    pub message: String,
    /// Suggested repair, if there is one.
    pub remedy: Option<Remedy>,
    /// Fact that [`InputGames`](super::InputGames) must compare with the games before this part of
    /// the input, before it knows whether this is a finding. `None` for a whole input.
    pub compared: Option<ComparedFact>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)
    }
}

/// Returns `bytes` as the object of "found" in a message.
pub(super) fn found(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        "an empty value".to_owned()
    } else {
        format!("`{}`", shown(bytes))
    }
}
