//! Unfinished files, called `.sgfq-…` in the directory of their final name. The temporary file
//! disappears when it gets its name, when it is dropped, and when a signal ends the process. A
//! killed process leaves its unfinished files; the walk through inputs skips them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

use crate::report::terminal;

/// Prefix of the names of unfinished files. The walk through inputs skips files with it.
pub(crate) const PREFIX: &str = ".sgfq-";

/// Unfinished files to remove if the process ends now, and the number of finished ones.
struct Files {
    unfinished: BTreeSet<PathBuf>,
    finished: u64,
}

/// Files of this process. They are static because the signal thread removes them when the process
/// ends.
static FILES: Mutex<Files> = Mutex::new(Files {
    unfinished: BTreeSet::new(),
    finished: 0,
});

/// Locks the files. The lock is held while a file is created or renamed, so that the signal thread
/// sees every file.
fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Temporary name of an unfinished file. Every file that replaces another one is created here.
#[derive(Debug)]
pub(crate) struct Temporary {
    /// Temporary path, or `None` once the file has its final name.
    path: Option<TempPath>,
    /// Final name, empty for a file that gets none.
    name: PathBuf,
}

impl Temporary {
    /// Creates a file in `directory` that [`persist`](Self::persist) will rename to `name`. If a
    /// file of this name exists, the new file gets the same access before it has content.
    pub(crate) fn named(directory: &Path, name: &Path) -> io::Result<(File, Self)> {
        let replaces = name.exists();
        let (file, mut temporary) = Self::create(directory, if replaces { 0o600 } else { 0o666 })?;
        temporary.name = name.to_owned();
        if replaces {
            temporary.copy_access(name)?;
        }
        Ok((file, temporary))
    }

    /// Creates a file in the directory for temporary files, which gets no other name.
    pub(crate) fn scratch() -> io::Result<(File, Self)> {
        Self::create(&std::env::temp_dir(), 0o600)
    }

    /// Creates a file with the permissions `mode`, which the process's umask reduces.
    #[cfg_attr(not(unix), expect(unused_variables, reason = "only Unix has modes"))]
    fn create(directory: &Path, mode: u32) -> io::Result<(File, Self)> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        }
        let mut files = files();
        let (file, path) = builder.tempfile_in(directory)?.into_parts();
        files.unfinished.insert(path.to_path_buf());
        Ok((
            file,
            Self {
                path: Some(path),
                name: PathBuf::new(),
            },
        ))
    }

    pub(crate) fn path(&self) -> &Path {
        self.path.as_deref().expect("it has no name yet")
    }

    /// Gives the file the owner, permissions, access list and attributes of another file.
    pub(crate) fn copy_access(&self, old: &Path) -> io::Result<()> {
        for difference in sgfstream_archive::copy_access(old, self.path())? {
            terminal::print_line(&format!("sgfq: {}: {difference}", self.name.display()));
        }
        Ok(())
    }

    /// Renames the file. If `replaces`, an existing file is replaced, otherwise it is an error.
    pub(crate) fn persist(mut self, replaces: bool) -> io::Result<()> {
        let mut files = files();
        let path = self.path.take().expect("it has no name yet");
        files.unfinished.remove(&*path);
        let result = if replaces {
            path.persist(&self.name)
        } else {
            path.persist_noclobber(&self.name)
        };
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

/// Removes the unfinished files of a process that is about to end, and returns a sentence about the
/// finished ones. No file is created or renamed afterwards.
pub(crate) fn abandon() -> String {
    let files = files();
    files
        .unfinished
        .iter()
        .for_each(|path| _ = fs::remove_file(path));
    let (begun, finished) = (files.unfinished.len(), files.finished);
    // Stays locked, so that other threads wait until the process ends.
    std::mem::forget(files);
    let count = |count: u64, what| {
        format!(
            "{count} file{} {what}",
            if count == 1 { " is" } else { "s are" }
        )
    };
    match (begun, finished) {
        (0, 0) => String::new(),
        (_, 0) => "; no file was finished".to_owned(),
        (_, finished) => format!("; {}", count(finished, "finished and kept")),
    }
}
