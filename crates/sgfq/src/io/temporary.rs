//! Files that have no final name yet. They go when they are dropped, and when
//! Ctrl-C ends the process before that.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

/// What there is to say of files, should the process end now.
struct Files {
    begun: BTreeSet<PathBuf>,
    finished: u64,
}

static FILES: Mutex<Files> = Mutex::new(Files { begun: BTreeSet::new(), finished: 0 });

/// Held while a file appears or gets its name, so that none is missed.
fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a file that is not whole.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Taken when it is whole.
    path: Option<TempPath>,
    /// As it is known to others.
    begun: PathBuf,
}

impl Temporary {
    /// A new file in `directory`, open for writing.
    pub(crate) fn create(directory: &Path) -> io::Result<(File, Self)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sgfq-");
        #[cfg(unix)]
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        #[cfg(unix)]
        builder.permissions(permissions);
        let mut files = files();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        // A change of directory must not move it.
        let begun = fs::canonicalize(&path).unwrap_or_else(|_| path.to_path_buf());
        files.begun.insert(begun.clone());
        Ok((file, Self { path: Some(path), begun }))
    }

    pub(crate) fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(&self.begun)
    }

    /// Gives it its name; `replaces` a file of that name, or fails.
    pub(crate) fn persist(mut self, name: &Path, replaces: bool) -> io::Result<()> {
        let mut files = files();
        if let Some(path) = self.path.take() {
            let result = if replaces { path.persist(name) } else { path.persist_noclobber(name) };
            result.map_err(|err| err.error)?;
            files.begun.remove(&self.begun);
            files.finished += 1;
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Gone first, so that nothing is left if the process ends in between.
        drop(self.path.take());
        files().begun.remove(&self.begun);
    }
}

/// Says that a file is going to be made at `path`, which is not its name.
pub(crate) fn begin(path: &Path) {
    files().begun.insert(path.to_path_buf());
}

/// Gives a file that was begun at `path` its name.
pub(crate) fn rename(path: &Path, name: &Path) -> io::Result<()> {
    let mut files = files();
    fs::rename(path, name)?;
    files.begun.remove(path);
    files.finished += 1;
    Ok(())
}

/// Removes what is not whole, for a process that ends at once; says what was
/// finished. No file appears or gets a name after this.
pub(crate) fn abandon() -> String {
    let files = files();
    for path in &files.begun {
        _ = fs::remove_file(path);
    }
    let (begun, finished) = (files.begun.len(), files.finished);
    // Never unlocked: whoever waits for it waits for the end.
    std::mem::forget(files);
    let count = |count: u64, what| format!("{count} file{} {what}", if count == 1 { " is" } else { "s are" });
    match (begun, finished) {
        (0, 0) => String::new(),
        (_, 0) => "; no file was finished".to_owned(),
        (_, finished) => format!("; {}", count(finished, "finished and kept")),
    }
}
