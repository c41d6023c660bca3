//! Name of an entry: a file, and the member inside it.

use std::borrow::Cow;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Name of an entry: `path`, `archive!member`, or `outer!inner!member`.
///
/// It is cheap to clone and can be sent to other threads.
///
/// ```
/// use sgfstream_archive::EntryName;
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
    /// Returns the name of a file that is not in an archive; `-` is stdin.
    #[must_use]
    pub fn file(path: impl AsRef<Path>) -> Self {
        Self {
            file: path.as_ref().into(),
            members: Arc::default(),
        }
    }

    /// Returns the name of a member of this archive.
    #[must_use]
    pub fn member(&self, name: impl Into<Box<str>>) -> Self {
        let members = self.members.iter().cloned().chain([name.into()]).collect();
        Self {
            file: Arc::clone(&self.file),
            members,
        }
    }

    /// Returns the reference to a game of the entry: `a.zip!b.sgf#3`.
    ///
    /// ```
    /// use sgfstream_archive::EntryName;
    ///
    /// assert_eq!(EntryName::file("a.zip").member("b.sgf").game(3).to_string(), "a.zip!b.sgf#3");
    /// ```
    #[must_use]
    pub fn game(&self, number: u64) -> Self {
        let mut name = self.clone();
        match Arc::make_mut(&mut name.members).last_mut() {
            Some(member) => *member = format!("{member}#{number}").into(),
            None => {
                let mut file = self.file.as_os_str().to_owned();
                file.push(format!("#{number}"));
                name.file = Path::new(&file).into();
            }
        }
        name
    }

    /// Returns the file on disk; `-` for stdin.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.file
    }

    /// Returns the members, the outermost first; empty if the file is not an archive.
    pub fn members(&self) -> impl ExactSizeIterator<Item = &str> {
        self.members.iter().map(|name| &**name)
    }

    /// Returns the names of the members as one text, `outer!inner`, or `None` for a file.
    #[must_use]
    pub fn member_text(&self) -> Option<String> {
        (!self.members.is_empty()).then(|| self.members.join("!"))
    }

    /// Returns the file's name as text. Different files have different texts: a byte that is not
    /// UTF-8 becomes `\xFF`, which [`Input::parse`](crate::Input::parse) parses.
    ///
    /// ```
    /// assert_eq!(sgfstream_archive::EntryName::file("囲碁.sgf").source(), "囲碁.sgf");
    /// ```
    #[must_use]
    pub fn source(&self) -> Cow<'_, str> {
        match self.file.to_str() {
            Some(text) => text.into(),
            None => escaped(self.file.as_os_str().as_encoded_bytes()).into(),
        }
    }

    /// Returns the innermost name: the member's, else the file's.
    #[must_use]
    pub fn last(&self) -> Cow<'_, str> {
        match self.members.last() {
            Some(name) => name.as_ref().into(),
            None => self.source(),
        }
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source())?;
        self.members
            .iter()
            .try_for_each(|name| write!(f, "!{name}"))
    }
}

/// Escapes bytes of `name` that are not UTF-8 as `\xFF`.
pub(crate) fn escaped(name: &[u8]) -> String {
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        text.push_str(chunk.valid());
        chunk
            .invalid()
            .iter()
            .for_each(|byte| text.push_str(&format!("\\x{byte:02X}")));
    }
    text
}

/// Returns the file that `text` names: `text` itself or, if no such file exists, the file whose
/// name has the escaped bytes.
pub(crate) fn file_of(text: &str) -> PathBuf {
    let path = PathBuf::from(text);
    if !text.contains("\\x") || path.exists() {
        return path;
    }
    Some(raw_path(&unescaped(text)))
        .filter(|raw| raw.exists())
        .unwrap_or(path)
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        let byte = rest
            .get(at + 2..at + 4)
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        let (end, byte) = byte
            .filter(|byte| *byte >= 0x80)
            .map_or((at + 2, None), |byte| (at + 4, Some(byte)));
        let kept = if byte.is_some() { at } else { end };
        bytes.extend_from_slice(&rest.as_bytes()[..kept]);
        bytes.extend(byte);
        rest = &rest[end..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

#[cfg(unix)]
pub(crate) fn raw_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
pub(crate) fn raw_path(bytes: &[u8]) -> PathBuf {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_no_utf8() {
        for name in [
            &b"a\xff\xfe\xe5.sgf"[..],
            b"plain\\x.sgf",
            b"\\xZZ\x80",
            b"\xe5\x9b\xb2.sgf",
        ] {
            let text = EntryName::file(raw_path(name)).to_string();
            assert_eq!(unescaped(&text), name, "{text}");
        }
        let name = |bytes: &[u8]| EntryName::file(raw_path(bytes)).to_string();
        assert_eq!(name(b"a\xff.sgf"), "a\\xFF.sgf");
        assert_ne!(name(b"a\xff.sgf"), name(b"a\xfe.sgf"));
    }
}
