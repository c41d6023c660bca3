//! Unfinished files, called `.sgfq-…` in the directory of their final name. The temporary file disappears when it gets its
//! name, when it is dropped, and when a signal ends the process. A killed process leaves its unfinished files; the walk
//! through inputs skips them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

/// Prefix of the names of unfinished files. The walk through inputs skips files with it.
pub(crate) const PREFIX: &str = ".sgfq-";

/// Unfinished files to remove if the process ends now, and the number of finished ones.
struct Files {
    unfinished: BTreeSet<PathBuf>,
    finished: u64,
}

/// Files of this process. They are static because the signal thread removes them when the process ends.
static FILES: Mutex<Files> = Mutex::new(Files { unfinished: BTreeSet::new(), finished: 0 });

/// Locks the files. The lock is held while a file is created or renamed, so that the signal thread sees every file.
fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Temporary name of an unfinished file.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Temporary path, or `None` once the file has its final name.
    path: Option<TempPath>,
}

impl Temporary {
    /// Creates a file in `directory`, open for writing. It gets its final name later.
    pub(crate) fn create(directory: &Path) -> io::Result<(File, Self)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            // The permissions of any new file; the process's umask reduces them.
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        }
        let mut files = files();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        files.unfinished.insert(path.to_path_buf());
        Ok((file, Self { path: Some(path) }))
    }

    pub(crate) fn path(&self) -> &Path {
        self.path.as_deref().expect("it has no name yet")
    }

    /// Renames the file. If `replaces`, an existing file is replaced, otherwise it is an error.
    pub(crate) fn persist(mut self, name: &Path, replaces: bool) -> io::Result<()> {
        let mut files = files();
        let path = self.path.take().expect("it has no name yet");
        files.unfinished.remove(&*path);
        let result = if replaces { path.persist(name) } else { path.persist_noclobber(name) };
        files.finished += u64::from(result.is_ok());
        result.map_err(|err| err.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            files().unfinished.remove(&*path);
        }
    }
}

/// Removes the unfinished files of a process that is about to end, and returns a sentence about the finished ones. No file
/// is created or renamed afterwards.
pub(crate) fn abandon() -> String {
    let files = files();
    files.unfinished.iter().for_each(|path| _ = fs::remove_file(path));
    let (begun, finished) = (files.unfinished.len(), files.finished);
    // Stays locked, so that other threads wait until the process ends.
    std::mem::forget(files);
    let count = |count: u64, what| format!("{count} file{} {what}", if count == 1 { " is" } else { "s are" });
    match (begun, finished) {
        (0, 0) => String::new(),
        (_, 0) => "; no file was finished".to_owned(),
        (_, finished) => format!("; {}", count(finished, "finished and kept")),
    }
}
