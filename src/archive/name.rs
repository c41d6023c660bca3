//! Where an entry stands: a file, and the member inside it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The name of an entry: `path`, `archive!member`, or `outer!inner!member`.
///
/// Cheap to clone and free to send to another thread.
///
/// ```
/// use sgfstream::archive::EntryName;
///
/// let name = EntryName::file("games.zip").member("1980/one.sgf");
/// assert_eq!(name.to_string(), "games.zip!1980/one.sgf");
/// assert_eq!(name.last(), "1980/one.sgf");
/// assert_eq!(name.members().count(), 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntryName {
    file: Arc<Path>,
    members: Arc<[Box<str>]>,
}

impl EntryName {
    /// The name of a file that is no archive; `-` is stdin.
    #[must_use]
    pub fn file(path: impl AsRef<Path>) -> Self {
        Self { file: path.as_ref().into(), members: Arc::default() }
    }

    /// The name of a member of this archive.
    #[must_use]
    pub fn member(&self, name: impl Into<Box<str>>) -> Self {
        let members = self.members.iter().cloned().chain([name.into()]).collect();
        Self { file: Arc::clone(&self.file), members }
    }

    /// The file on disk; `-` for stdin.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// The members, the outer one first; none for a file that is no archive.
    pub fn members(&self) -> impl ExactSizeIterator<Item = &str> {
        self.members.iter().map(|name| &**name)
    }

    /// The innermost name: the member's, else the file's.
    #[must_use]
    pub fn last(&self) -> std::borrow::Cow<'_, str> {
        match self.members.last() {
            Some(name) => name.as_ref().into(),
            None => self.file.to_string_lossy(),
        }
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        self.members.iter().try_for_each(|name| write!(f, "!{name}"))
    }
}
