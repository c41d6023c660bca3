//! A problem without its place, carried inside an `io::Error` through readers
//! that know nothing of it, up to whoever knows the place.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::problem::Trouble;

#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub(super) trouble: Trouble,
    pub(super) expected: Cow<'static, str>,
    pub(super) found: Cow<'static, str>,
    // One fault passes several layers on its way up, and each clone knows
    // whether it has been said.
    said: Arc<AtomicBool>,
}

impl Fault {
    pub(super) fn new(
        trouble: Trouble,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { trouble, expected: expected.into(), found: found.into(), said: Arc::default() }
    }

    /// The input ends where `expected` should be.
    pub(super) fn truncated(expected: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Trouble::Truncated, expected, "the end of input")
    }

    pub(super) fn damaged(expected: impl Into<Cow<'static, str>>, found: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Trouble::Damaged, expected, found)
    }

    /// The fault inside `err`, or one made of it: a foreign decoder speaks.
    pub(super) fn of(err: &io::Error, expected: &'static str) -> Self {
        if let Some(fault) = Self::inside(err) {
            return fault.clone();
        }
        match err.kind() {
            _ if err.raw_os_error().is_some() => Self::unreadable(err),
            io::ErrorKind::UnexpectedEof => Self::truncated(expected),
            _ => Self::damaged(expected, err.to_string()),
        }
    }

    /// The fault inside `err`, or one made of it: a file or a caller's reader
    /// speaks.
    pub(super) fn of_system(err: &io::Error) -> Self {
        Self::inside(err).cloned().unwrap_or_else(|| Self::unreadable(err))
    }

    fn inside(err: &io::Error) -> Option<&Self> {
        err.get_ref()?.downcast_ref()
    }

    /// A fault of the system underneath, not of the bytes.
    pub(super) fn unreadable(err: &io::Error) -> Self {
        Self::new(Trouble::Unreadable, "readable bytes", err.to_string())
    }

    pub(super) fn to_io(&self) -> io::Error {
        let kind = match self.trouble {
            Trouble::Truncated => io::ErrorKind::UnexpectedEof,
            Trouble::Unsupported | Trouble::Encrypted => io::ErrorKind::Unsupported,
            Trouble::NotFound => io::ErrorKind::NotFound,
            Trouble::Unreadable => io::ErrorKind::Other,
            _ => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, self.clone())
    }

    /// True the first time it is asked.
    pub(super) fn say(&self) -> bool {
        !self.said.swap(true, Relaxed)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found)
    }
}

impl std::error::Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> Self {
        fault.to_io()
    }
}
