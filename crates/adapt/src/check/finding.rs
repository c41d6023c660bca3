//! Findings of the checker.

use std::fmt;

use sgfstream::{Code, Severity, Span};

use super::{Compared, Remedy};

/// One thing that is wrong, or worth saying.
///
/// ```
/// use sgfstream::Code;
/// use sgfstream_adapt::check::check;
///
/// let mut found = Vec::new();
/// check(&b"(;FF[4]GM[1]KM[6,5];B[zz])"[..], |finding, at| {
///     found.push((finding.code, at.column, finding.path.clone()));
/// })?;
/// assert_eq!(found, [(Code::MalformedGameInfo, 16, "/0".into()), (Code::PointOffBoard, 23, "/1".into())]);
/// # Ok::<(), sgfstream::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// Kind of the finding.
    pub code: Code,
    /// How bad it is here. Some codes are errors in FF\[4\] and warnings below
    /// it, as in SGFC.
    pub severity: Severity,
    /// The bytes at fault; empty where something is missing.
    pub span: Span,
    /// Games begun so far: 1 in the first, 0 before it.
    pub game: u64,
    /// The node: `/3` is the fourth of the main sequence, `0.2/1` the second
    /// node of the third child of the first child. Empty outside of games; from
    /// 64 variations on, `…` is for the further ones.
    pub path: String,
    /// Message: what was expected and what was found, with the bytes. Text from files:
    /// clean it before a terminal sees it.
    pub message: String,
    /// Remedy, if there is one.
    pub remedy: Option<Remedy>,
    /// In a part of an input: the fact that makes this a finding only if [`InputGames`](super::InputGames) says so,
    /// with the games before the part.
    pub compared: Option<Compared>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.code, self.message)
    }
}

/// The beginning of some bytes, as a message shows them.
pub(super) fn shown(bytes: &[u8]) -> String {
    const SHOWN: usize = 40;
    let start = &bytes[..bytes.len().min(SHOWN * 4)];
    let text = String::from_utf8_lossy(start);
    let mut shown: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if start.len() < bytes.len() || text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

/// Bytes as the end of "found …".
pub(super) fn found(bytes: &[u8]) -> String {
    if bytes.is_empty() { "an empty value".to_owned() } else { format!("`{}`", shown(bytes)) }
}
