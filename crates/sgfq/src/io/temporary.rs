//! Files that have no final name yet: `.sgfq-…` beside their final name. Each goes when it has its name or is dropped, and
//! when a signal ends the process. A process that is killed leaves its unfinished files; a walk through inputs passes over
//! them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

/// Start of the names of unfinished files. A walk through inputs passes over them.
pub(crate) const PREFIX: &str = ".sgfq-";

/// Unfinished files, should the process end now, and how many were finished.
struct Files {
    unfinished: BTreeSet<PathBuf>,
    finished: u64,
}

/// The files of this process. They are static for the thread that obeys signals, which removes them when the process ends.
static FILES: Mutex<Files> = Mutex::new(Files { unfinished: BTreeSet::new(), finished: 0 });

/// Held while a file appears or gets its name, so that none is missed.
fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a file that is not whole.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Until the file has its name.
    path: Option<TempPath>,
}

impl Temporary {
    /// A new file that will get its name in `directory`, open for writing.
    pub(crate) fn create(directory: &Path) -> io::Result<(File, Self)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            // As any new file: the mask of the process takes the rest.
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

    /// Gives it its name; `replaces` a file of that name, or fails.
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

/// Removes unfinished files and returns a sentence about the finished ones, for
/// a process that is about to end. No file appears or gets a name after this.
pub(crate) fn abandon() -> String {
    let files = files();
    files.unfinished.iter().for_each(|path| _ = fs::remove_file(path));
    let (begun, finished) = (files.unfinished.len(), files.finished);
    // Never unlocked: whoever waits for it waits for the end.
    std::mem::forget(files);
    let count = |count: u64, what| format!("{count} file{} {what}", if count == 1 { " is" } else { "s are" });
    match (begun, finished) {
        (0, 0) => String::new(),
        (_, 0) => "; no file was finished".to_owned(),
        (_, finished) => format!("; {}", count(finished, "finished and kept")),
    }
}
