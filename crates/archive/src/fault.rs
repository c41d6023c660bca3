//! Fault: a problem without its place. It travels inside an `io::Error` through readers of other
//! crates, up to the code that knows the place.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::name::EntryName;
use crate::problem::{ArchiveErrorKind, ArchiveProblem};

#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ArchiveErrorKind,
    pub(crate) message: Cow<'static, str>,
    // One fault passes through several layers, and each of its clones must know
    // whether it was reported.
    reported: Arc<AtomicBool>,
}

impl Fault {
    pub(crate) fn new(kind: ArchiveErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self {
            kind,
            message: message.into(),
            reported: Arc::default(),
        }
    }

    pub(crate) fn unsupported(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ArchiveErrorKind::Unsupported, message)
    }

    /// Returns a fault for a file that changed while it was read, perhaps because another process
    /// writes to it.
    pub(crate) fn changed() -> Self {
        Self::corrupt("the file changed while it was read; read it again")
    }

    /// Returns a fault for a decoder that needs more memory than the cap allows.
    pub(crate) fn too_large(most: u64) -> Self {
        let message = format!(
            "the decoder needs more than {most} bytes of memory (cap `memory`, raised by --cap-memory)"
        );
        Self::new(ArchiveErrorKind::Cap, message)
    }

    /// Returns the fault of an input that was not found, with another message if its name is an
    /// address of the web.
    pub(crate) fn or_address(self, name: &Path) -> Self {
        let name = name.to_string_lossy();
        let is_address = ["http://", "https://"]
            .iter()
            .any(|scheme| name.starts_with(scheme));
        if self.kind != ArchiveErrorKind::NotFound || !is_address {
            return self;
        }
        Self::new(
            self.kind,
            "sgfq does not use the network; pipe the file: `curl -L ADDRESS | sgfq COMMAND`",
        )
    }

    /// Returns a fault for an input that ends where `expected` should be.
    pub(crate) fn truncated(expected: impl fmt::Display) -> Self {
        Self::new(
            ArchiveErrorKind::Truncated,
            format!("the input is cut off; missing: {expected}"),
        )
    }

    pub(crate) fn damaged(expected: impl fmt::Display, found: impl fmt::Display) -> Self {
        Self::new(
            ArchiveErrorKind::Damaged,
            format!("expected {expected}, found {found}"),
        )
    }

    /// Returns a fault for damage that the message names.
    pub(crate) fn corrupt(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(ArchiveErrorKind::Damaged, message)
    }

    /// Returns the fault inside `err`, or makes one from it. For errors of decoders.
    pub(crate) fn of(err: &io::Error, expected: &'static str) -> Self {
        if let Some(fault) = Self::inside(err) {
            return fault.clone();
        }
        match err.kind() {
            _ if err.raw_os_error().is_some() => Self::unreadable(err),
            io::ErrorKind::UnexpectedEof => Self::truncated(expected),
            _ => Self::damaged(expected, err),
        }
    }

    /// Returns the fault inside `err`, or makes one from it. For errors of files and of the
    /// caller's readers.
    pub(crate) fn of_system(err: &io::Error) -> Self {
        Self::inside(err)
            .cloned()
            .unwrap_or_else(|| Self::unreadable(err))
    }

    fn inside(err: &io::Error) -> Option<&Self> {
        err.get_ref()?.downcast_ref()
    }

    /// Returns a fault of the operating system, not of the bytes.
    pub(crate) fn unreadable(err: &io::Error) -> Self {
        Self::new(
            ArchiveErrorKind::Unreadable,
            format!("cannot be read: {}", error_text(err)),
        )
    }

    /// Returns a fault for a file that could not be opened.
    pub(crate) fn unopened(err: &io::Error) -> Self {
        match err.kind() {
            io::ErrorKind::NotFound => Self::new(ArchiveErrorKind::NotFound, error_text(err)),
            _ => Self::unreadable(err),
        }
    }

    pub(crate) fn to_io(&self) -> io::Error {
        let kind = match self.kind {
            ArchiveErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
            ArchiveErrorKind::Unsupported | ArchiveErrorKind::Encrypted => {
                io::ErrorKind::Unsupported
            }
            ArchiveErrorKind::NotFound => io::ErrorKind::NotFound,
            ArchiveErrorKind::Unreadable => io::ErrorKind::Other,
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, self.clone())
    }

    /// Returns true on the first call only, counting the calls on all clones.
    pub(crate) fn report_once(&self) -> bool {
        !self.reported.swap(true, Relaxed)
    }

    /// Returns the problem with its place.
    pub(crate) fn at(&self, at: EntryName) -> ArchiveProblem {
        ArchiveProblem::new(at, self.kind, self.message.clone())
    }
}

/// Returns the sentence of a system error, without the number of the error and without the path of
/// a temporary file.
#[must_use]
pub fn error_text(err: &io::Error) -> String {
    let text = err.to_string();
    let Some((sentence, _)) = text.split_once(" (os error ") else {
        return text;
    };
    if err.kind() == io::ErrorKind::NotFound {
        return "no such file or directory".to_owned();
    }
    let mut sentence = sentence.to_owned();
    sentence
        .get_mut(..1)
        .into_iter()
        .for_each(str::make_ascii_lowercase);
    sentence
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        fault.to_io()
    }
}
