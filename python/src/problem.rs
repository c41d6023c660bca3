//! Python class of unreadable files and members.

use std::fmt;

use pyo3::prelude::*;
use sgfstream_archive::ArchiveProblem;

/// A file or archive member that could not be read, or not to its end.
///
/// `str(problem)` names the file, the member and the reason.
#[pyclass(frozen, get_all, eq, module = "sgfstream")]
#[derive(Clone, PartialEq)]
pub(crate) struct Problem {
    /// The file, or the name of the bytes or file object.
    source: String,
    /// The member of the archive, `outer!inner` in nested archives; `None` for a plain file.
    member: Option<String>,
    /// A stable name: `not-found`, `unreadable`, `damaged`, `truncated`, `encrypted`,
    /// `unsupported`, `cap`, `lossy` or `long-game`.
    code: &'static str,
    /// The reason, and what to try.
    message: String,
}

impl From<&ArchiveProblem> for Problem {
    fn from(problem: &ArchiveProblem) -> Self {
        Self {
            source: problem.at.source().into_owned(),
            member: problem.at.member_text(),
            code: problem.kind.as_str(),
            message: problem.message.to_string(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            source,
            member,
            message,
            ..
        } = self;
        let member = member
            .as_ref()
            .map(|member| format!("!{member}"))
            .unwrap_or_default();
        write!(f, "{source}{member}: {message}")
    }
}

#[pymethods]
impl Problem {
    fn __str__(&self) -> String {
        self.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<sgfstream.Problem {}: {}>", self.code, self)
    }
}
